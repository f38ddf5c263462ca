/* moments_entry.h - the entry of moments.c from R. */
#ifndef TRANSELECT_MOMENTS_ENTRY_H
#define TRANSELECT_MOMENTS_ENTRY_H

#define R_NO_REMAP
#include <Rinternals.h>

SEXP transelect_moments(SEXP x, SEXP y, SEXP cell, SEXP n_cells, SEXP weights);

#endif
