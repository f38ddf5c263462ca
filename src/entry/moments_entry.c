/* moments_entry.c - from R to moments.c and back. */
#include "routines.h"

#include <math.h>
#include <string.h>

#include "args_entry.h"
#include "moments.h"

static void check_cells(SEXP cell, R_xlen_t n, int n_cells)
{
  if (TYPEOF(cell) != INTSXP || XLENGTH(cell) != n)
    Rf_error("'cell' must be of type integer, one a row of 'x'");
  for (R_xlen_t i = 0; i < n; i++)
    if (INTEGER_RO(cell)[i] < -1 || INTEGER_RO(cell)[i] >= n_cells)
      Rf_error("'cell' [%d] is out of range", INTEGER_RO(cell)[i]);
}

#define MOST_COLUMNS 32768 /* the matrix of the products of so many columns has 2^30 elements */

/* A matrix, or a vector as one column. */
static matrix part_of(SEXP columns, R_xlen_t k)
{
  SEXP x = VECTOR_ELT(columns, k);
  return TYPEOF(x) == REALSXP && XLENGTH(x) > 0 && !Rf_isMatrix(x)
             ? (matrix){REAL_RO(x), (size_t)XLENGTH(x), 1}
             : entry_matrix(x, 1, 0, "columns");
}

/* The columns of all matrices and vectors, one after the other: *q columns of *n rows. */
static const double **all_columns(SEXP columns, size_t *q, size_t *n)
{
  if (TYPEOF(columns) != VECSXP || XLENGTH(columns) < 1)
    Rf_error("'columns' must be a list of matrices");
  *q = *n = 0;
  for (R_xlen_t k = 0; k < XLENGTH(columns); k++) {
    const matrix m = part_of(columns, k);
    if (k > 0 && m.rows != *n)
      Rf_error("'columns' has matrices of %.0f and %.0f rows", (double)*n, (double)m.rows);
    *n = m.rows;
    if (m.columns > MOST_COLUMNS - *q)
      Rf_error("'columns' has more than %d columns, whose products cannot be stored", MOST_COLUMNS);
    *q += m.columns;
  }
  if (*q == 0) Rf_error("'columns' has no columns");
  const double **column = ALLOC(*q, const double *);
  size_t at = 0;
  for (R_xlen_t k = 0; k < XLENGTH(columns); k++) {
    const matrix m = part_of(columns, k);
    for (size_t j = 0; j < m.columns; j++) column[at++] = m.x + j * m.rows;
  }
  return column;
}

#define CELL(of) of(n), of(weight), of(log_weight), of(mean), of(rest), of(cross)
enum { CELL(PLACE) };
static const char *const cell_names[] = {CELL(TEXT), ""};

/* Fills the list with cells, whose q x q matrices are zero; returns pointers to the matrices. */
static double **make_cells(SEXP list, size_t q)
{
  double **cross = ALLOC((size_t)XLENGTH(list), double *);
  for (R_xlen_t c = 0; c < XLENGTH(list); c++) {
    SEXP cell = SET_VECTOR_ELT(list, c, Rf_mkNamed(VECSXP, (const char **)cell_names));
    cross[c] = REAL(SET_VECTOR_ELT(cell, AT_cross, Rf_allocMatrix(REALSXP, (int)q, (int)q)));
    memset(cross[c], 0, q * q * sizeof(double));
  }
  return cross;
}

static void put_numbers(SEXP list, const moments_cells *cells, size_t q)
{
  for (R_xlen_t c = 0; c < XLENGTH(list); c++) {
    SEXP cell = VECTOR_ELT(list, c);
    entry_put(cell, AT_n, cells->n + c, 1);
    entry_put(cell, AT_weight, cells->weight + c, 1);
    entry_put(cell, AT_log_weight, cells->log_weight + c, 1);
    entry_put(cell, AT_mean, cells->mean + (size_t)c * q, q);
    entry_put(cell, AT_rest, cells->rest + (size_t)c * q, q);
  }
}

static double *zeros(size_t count)
{
  double *x = ALLOC(count, double);
  memset(x, 0, count * sizeof(double));
  return x;
}

/* columns: a list of double matrices or vectors of n rows, q columns together; cell: of each row 0..n_cells-1, or -1
 * for none; weights: n numbers or NULL. Returns list(status, bad, dropped, n, cells): bad, the number of the column
 * that was refused; the numbers of rows dropped and of rows by cell; and for each cell list(n, weight, log_weight,
 * mean, rest, cross): its count, the sum of the weights and that of their logarithms, means (q), their rounding errors
 * (`rest`) and sums of products (q x q), see moments.h. */
SEXP transelect_moments(SEXP columns, SEXP cell, SEXP n_cells, SEXP weights)
{
  size_t width, length;
  const double **column = all_columns(columns, &width, &length);
  const int n = (int)length;
  const int G = (int)entry_number(n_cells, 1, n, "n_cells"); /* more cells than rows are empty */
  check_cells(cell, n, G);
  moments_rows rows = {
      .n = length, .q = width, .column = column, .cell = INTEGER_RO(cell), .n_cells = (size_t)G};
  if (weights != R_NilValue) {
    rows.weight = entry_doubles(weights, n, "weights");
    for (int i = 0; i < n; i++)
      if (rows.weight[i] < 0 || rows.weight[i] == HUGE_VAL)
        Rf_error("'weights' must be finite and not negative");
  }

  const char *names[] = {"status", "bad", "dropped", "n", "cells", ""};
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
  const size_t count = (size_t)G;
  SEXP list = SET_VECTOR_ELT(out, 4, Rf_allocVector(VECSXP, G));
  moments_cells cells = {.n = entry_numbers(out, 3, count),
                         .weight = zeros(count),
                         .log_weight = zeros(count),
                         .mean = zeros(count * width),
                         .rest = zeros(count * width),
                         .cross = make_cells(list, width)};
  memset(cells.n, 0, count * sizeof(double));
  size_t bad = 0;
  const status s = moments_by_cell(&rows, &cells, &bad);
  put_numbers(list, &cells, width);
  entry_put_status(out, s, bad);
  SET_VECTOR_ELT(out, 2, Rf_ScalarReal((double)cells.dropped));
  UNPROTECT(1);
  return out;
}
