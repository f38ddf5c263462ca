/* args_entry.h - what every entry from R shares: checked access to arguments, named results. */
#ifndef TRANSELECT_ENTRY_H
#define TRANSELECT_ENTRY_H

#define R_NO_REMAP
#define STRICT_R_HEADERS
#include <R.h>
#include <Rinternals.h>

#include "design.h"

/* Each stops with an R error that names the argument. */
const double *entry_doubles(SEXP x, R_xlen_t length, const char *name); /* length < 0: any */
double entry_number(SEXP x, double low, double high, const char *name);
int entry_flag(SEXP x, const char *name);
SEXP entry_field(SEXP list, const char *field, const char *name); /* element of a named list */

/* Element `at` of the list `result` becomes a double vector, a copy of n numbers. */
void entry_put(SEXP result, int at, const double *from, size_t n);

/* blocks: list(features, sources), each a double matrix, a dgCMatrix or, for columns made on
 * demand, list(number of columns, function(j)). All with the same n rows. */
design entry_design(SEXP blocks, size_t n);

#endif
