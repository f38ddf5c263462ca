/* greedytl_entry.h - entries of GreedyTL. */
#ifndef TRANSELECT_GREEDYTL_ENTRY_H
#define TRANSELECT_GREEDYTL_ENTRY_H

#define R_NO_REMAP
#include <Rinternals.h>

SEXP transelect_greedytl(SEXP blocks, SEXP fits, SEXP options);

SEXP transelect_greedytl_moments(SEXP moments, SEXP tau, SEXP options);

#endif
