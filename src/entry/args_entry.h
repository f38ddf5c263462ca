/* args_entry.h - what every entry from R shares: checked access to arguments, named results. */
#ifndef TRANSELECT_ENTRY_H
#define TRANSELECT_ENTRY_H

#define R_NO_REMAP
#define STRICT_R_HEADERS
#include <R.h>
#include <Rinternals.h>

#include "design.h"
#include "gram.h"
#include "groups.h"
#include "port.h"

/* ---- arguments: each stops with an R error that names the one that is wrong ---- */

typedef struct {
  const double *x;
  size_t rows, columns;
} matrix;

const double *entry_doubles(SEXP x, R_xlen_t length, const char *name); /* length < 0: any */
double entry_number(SEXP x, double low, double high, const char *name);
int entry_flag(SEXP x, const char *name);
SEXP entry_field(SEXP list, const char *field, const char *name); /* element of a named list */

/* An element of the list 'options', which is one flag or one number. */
int entry_option_flag(SEXP options, const char *field);
double entry_option(SEXP options, const char *field, double low, double high);

/* An option that is one of `words`, which end with NULL: its place among them. */
int entry_option_word(SEXP options, const char *field, const char *const *words);

/* The option 'threads', as many of them as this process may run. */
int entry_threads(SEXP options);

/* A double matrix; of at least one row (rows = 1), and column. */
matrix entry_matrix(SEXP x, int rows, int columns, const char *name);

/* n positive, finite numbers, -1: any number of them. */
const double *entry_positive(SEXP x, R_xlen_t n, const char *name);

/* The same, or NULL for R's NULL. */
const double *entry_weights(SEXP weights, R_xlen_t n, const char *name);

/* Codes 1..k of n rows, every one of them used, as 0..k-1. */
const int *entry_codes(SEXP codes, size_t n, size_t *k, const char *name);

/* Codes 1..k of the columns' groups, or NULL for R's NULL. */
const column_groups *entry_groups(SEXP codes, size_t columns);

/* 'keep': at most `most` different numbers 1..columns, as 0..columns-1. */
const int *entry_keep(SEXP keep, size_t columns, int most, int *n);

/* 'draws': n uniforms of a randomised path. */
const double *entry_draws(SEXP draws, R_xlen_t n);

/* blocks: list(features, sources), each a double matrix, a dgCMatrix, for products of the columns of a
 * matrix list(matrix, squares, singles), see products.h, or for columns made on demand list(number of
 * columns, function(j)). All with the same n rows. */
design entry_design(SEXP blocks, size_t n);

/* blocks: list(features), not made on demand. */
design entry_features(SEXP blocks, size_t n);

/* moments: list(G, b, yy, n, mean, y_mean) of features, as R's moments_gram() makes it. */
gram entry_gram(SEXP moments);

/* ---- results ---- */

/* Of a macro RESULTS(name) that lists the elements of a result: enum { RESULTS(PLACE) } are their
 * places, {RESULTS(TEXT), ""} their names. */
#define PLACE(name) AT_##name
#define TEXT(name) #name

/* Element `at` of the list `result` becomes a vector of n numbers, to be filled ... */
double *entry_numbers(SEXP result, int at, size_t n);
int *entry_ints(SEXP result, int at, size_t n);

/* ... or a copy of n numbers, `add` added to each. */
void entry_put(SEXP result, int at, const double *from, size_t n);
void entry_put_ints(SEXP result, int at, const int *from, size_t n, int add);

/* Elements 0 and 1: what the kernel returned, with its word as name unless all is well, and the
 * number, from 1, of what it refused. */
void entry_put_status(SEXP result, status state, size_t bad);

#endif
