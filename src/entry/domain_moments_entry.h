/* domain_moments_entry.h - entries of domains as second moments. */
#ifndef TRANSELECT_DOMAIN_MOMENTS_ENTRY_H
#define TRANSELECT_DOMAIN_MOMENTS_ENTRY_H

#define R_NO_REMAP
#include <Rinternals.h>

SEXP transelect_domain_moments(SEXP cells, SEXP scale, SEXP flat, SEXP centre, SEXP intercept);
SEXP transelect_domain_sums(SEXP cells, SEXP intercept);
SEXP transelect_least_squares(SEXP G, SEXP g, SEXP yy);

#endif
