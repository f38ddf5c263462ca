/* scores_entry.h - what linear models say of rows, for R. */
#ifndef TRANSELECT_SCORES_ENTRY_H
#define TRANSELECT_SCORES_ENTRY_H

#define R_NO_REMAP
#include <Rinternals.h>

SEXP transelect_scores(SEXP x, SEXP beta, SEXP a0, SEXP at);

#endif
