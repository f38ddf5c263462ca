/* average_entry.h - weights of alternatives, for R. */
#ifndef TRANSELECT_AVERAGE_ENTRY_H
#define TRANSELECT_AVERAGE_ENTRY_H

#define R_NO_REMAP
#include <Rinternals.h>

SEXP transelect_average(SEXP log_weight, SEXP least);

#endif
