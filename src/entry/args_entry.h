/* args_entry.h - checked access to arguments from R, and named results, for all entries. */
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

/* ---- arguments: each function stops with an R error that names a wrong argument ---- */

typedef struct {
  const double *x;
  size_t rows, columns;
} matrix;

const double *entry_doubles(SEXP x, R_xlen_t length, const char *name); /* length < 0: any */
const int *entry_integers(SEXP x, R_xlen_t length, const char *name);
double entry_number(SEXP x, double low, double high, const char *name);
int entry_flag(SEXP x, const char *name);
SEXP entry_field(SEXP list, const char *field, const char *name); /* element of a named list */
SEXP entry_element(SEXP list, const char *field); /* the element, or R's NULL where there is none */

/* Checks that the settings are a list of this class, which the method's constructor in R has made. */
void entry_class(SEXP settings, const char *class);

/* An element of the settings: a flag, or a number. */
int entry_option_flag(SEXP settings, const char *field);
double entry_option(SEXP settings, const char *field, double low, double high);

/* An element of the settings that is one of `words`, an array that ends with NULL: its index there. */
int entry_option_word(SEXP settings, const char *field, const char *const *words);

/* The element 'threads' of the settings, lowered to the number of threads that this process may run. */
int entry_threads(SEXP settings);

/* A double matrix of at least `rows` rows and `columns` columns, each 0 or 1. */
matrix entry_matrix(SEXP x, int rows, int columns, const char *name);

/* n positive, finite numbers; n = -1: any number of them. */
const double *entry_positive(SEXP x, R_xlen_t n, const char *name);

/* entry_positive(), or NULL for R's NULL. */
const double *entry_weights(SEXP weights, R_xlen_t n, const char *name);

/* Codes 1..k of n rows, every code used, returned as 0..k-1. */
const int *entry_codes(SEXP codes, size_t n, size_t *k, const char *name);

/* groups: a list whose element `of` has the groups 1..k of the first columns; every other column is a group of its own.
 * NULL for R's NULL. */
const column_groups *entry_groups(SEXP groups, size_t columns);

/* The largest number of columns that `most_groups` groups can have; without groups (NULL) every column is one. */
int entry_most_columns(const column_groups *groups, int most_groups);

/* 'keep': at most `most` different numbers 1..columns, returned as 0..columns-1; *n <- how many. */
const int *entry_keep(SEXP keep, size_t columns, int most, int *n);

/* 'draws': n numbers in [0, 1). */
const double *entry_draws(SEXP draws, R_xlen_t n);

/* blocks: list(features, sources) or list(features), all of n rows. Each is a double matrix, a dgCMatrix,
 * list(matrix, squares, singles) for products of the columns of a matrix (products.h), or list(number of columns,
 * function(j)) for columns made on demand. */
design entry_design(SEXP blocks, size_t n);

/* blocks: list(features), not made on demand. */
design entry_features(SEXP blocks, size_t n);

/* moments: list(G, b, yy, n, mean, y_mean) of features, see gram.h. */
gram entry_gram(SEXP moments);

/* ---- results ---- */

/* For a macro RESULTS(name) that lists the elements of a result: enum { RESULTS(PLACE) } has their
 * places, {RESULTS(TEXT), ""} their names. */
#define PLACE(name) AT_##name
#define TEXT(name) #name

/* Element `at` of the list `result` becomes a vector of n numbers, which the caller fills ... */
double *entry_numbers(SEXP result, int at, size_t n);
int *entry_ints(SEXP result, int at, size_t n);

/* ... or a copy of n numbers, `add` added to each integer. */
void entry_put(SEXP result, int at, const double *from, size_t n);
void entry_put_ints(SEXP result, int at, const int *from, size_t n, int add);

/* Element 0 becomes the status of the kernel, with its word as name unless it is STATUS_OK; element 1 becomes the
 * number, from 1, of the column (or problem) that the kernel refused. */
void entry_put_status(SEXP result, status state, size_t bad);

#endif
