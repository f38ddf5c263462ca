/* greedytl_entry.h - entries of GreedyTL. */
#ifndef TRANSELECT_GREEDYTL_ENTRY_H
#define TRANSELECT_GREEDYTL_ENTRY_H

#define R_NO_REMAP
#include <Rinternals.h>

SEXP transelect_greedytl(SEXP blocks, SEXP y, SEXP v, SEXP problem, SEXP tau, SEXP options,
                         SEXP draws);

SEXP transelect_greedytl_moments(SEXP G, SEXP b, SEXP numbers, SEXP mean, SEXP tau, SEXP options);

#endif
