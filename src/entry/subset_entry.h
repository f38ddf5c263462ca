/* subset_entry.h - from R to subset.c and back. */
#ifndef TRANSELECT_SUBSET_ENTRY_H
#define TRANSELECT_SUBSET_ENTRY_H

#define R_NO_REMAP
#include <Rinternals.h>

SEXP transelect_subset(SEXP A, SEXP b, SEXP c0, SEXP pen, SEXP T, SEXP force, SEXP limits,
                       SEXP sizes, SEXP audit);
SEXP transelect_subset_models(SEXP A, SEXP b, SEXP T, SEXP in, SEXP H);

#endif
