/* shareboost_entry.h - entries of ShareBoost. */
#ifndef TRANSELECT_SHAREBOOST_ENTRY_H
#define TRANSELECT_SHAREBOOST_ENTRY_H

#define R_NO_REMAP
#include <Rinternals.h>

SEXP transelect_shareboost(SEXP blocks, SEXP y, SEXP weights, SEXP group, SEXP options, SEXP draws);

SEXP transelect_shareboost_stumps(SEXP x, SEXP order, SEXP y, SEXP weights, SEXP options,
                                  SEXP draws);

SEXP transelect_shareboost_pieces(SEXP x, SEXP center, SEXP radius, SEXP y, SEXP weights,
                                  SEXP options, SEXP draws);

#endif
