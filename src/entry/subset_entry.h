/* subset_entry.h - from R to subset.c and back. */
#ifndef TRANSELECT_SUBSET_ENTRY_H
#define TRANSELECT_SUBSET_ENTRY_H

#define R_NO_REMAP
#include <Rinternals.h>

SEXP transelect_subset(SEXP form, SEXP pen, SEXP options);
SEXP transelect_subset_models(SEXP form, SEXP in, SEXP H);

#endif
