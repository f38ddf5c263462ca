/* tgreedy_entry.h - entries of T-greedy. */
#ifndef TRANSELECT_TGREEDY_ENTRY_H
#define TRANSELECT_TGREEDY_ENTRY_H

#define R_NO_REMAP
#include <Rinternals.h>

SEXP transelect_tgreedy(SEXP blocks, SEXP y, SEXP domain, SEXP weights, SEXP unlabelled,
                        SEXP options);
SEXP transelect_tgreedy_moments(SEXP mean, SEXP cross, SEXP options);

#endif
