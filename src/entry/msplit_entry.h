/* msplit_entry.h - what init.c registers for msplit(). */
#ifndef TRANSELECT_MSPLIT_ENTRY_H
#define TRANSELECT_MSPLIT_ENTRY_H

#define R_NO_REMAP
#include <Rinternals.h>

SEXP transelect_msplit_iss(SEXP blocks, SEXP y, SEXP weights, SEXP options);
SEXP transelect_msplit_lbi(SEXP blocks, SEXP y, SEXP weights, SEXP options);
SEXP transelect_msplit_moments(SEXP moments, SEXP options);
SEXP transelect_msplit_ridge(SEXP blocks, SEXP y, SEXP weights, SEXP options);

#endif
