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
    if (INTEGER(cell)[i] < -1 || INTEGER(cell)[i] >= n_cells)
      Rf_error("'cell' [%d] is out of range", INTEGER(cell)[i]);
}

/* Columns of x (n x p, double), then y (n). */
static const double *const *columns(const double *x, size_t n, size_t p, const double *y)
{
  const double **column = ALLOC(p + 1, const double *);
  for (size_t j = 0; j < p; j++) column[j] = x + j * n;
  column[p] = y;
  return column;
}

#define CELL(of) of(n), of(weight), of(log_weight), of(mean), of(rest), of(cross)
enum { CELL(PLACE) };
static const char *const cell_names[] = {CELL(TEXT), ""};

/* Fills the list with cells that have a q x q matrix of zeros; returns pointers to the matrices. */
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

/* x: double matrix (n x p); y: n; cell: 0..n_cells-1, or -1 for none; weights: n or NULL.
 * Returns list(status, bad, dropped, n, cells): counts by cell, and for each cell list(n, weight,
 * log_weight, mean, rest, cross): its count, the sum of the weights and that of their logarithms,
 * means (p + 1, y last), their rounding errors (`rest`) and a matrix (p + 1 square). bad: number of
 * the column that was refused. */
SEXP transelect_moments(SEXP x, SEXP y, SEXP cell, SEXP n_cells, SEXP weights)
{
  const matrix features = entry_matrix(x, 1, 0, "x");
  const int n = (int)features.rows, q = (int)features.columns + 1;
  if (q > 32768) Rf_error("'x' has %d columns; at most 32767 can be multiplied", q - 1);
  const int G = (int)entry_number(n_cells, 1, n, "n_cells"); /* more cells than rows are empty */
  check_cells(cell, n, G);
  moments_rows rows = {.n = (size_t)n, .q = (size_t)q, .cell = INTEGER(cell), .n_cells = (size_t)G};
  rows.column = columns(features.x, rows.n, rows.q - 1, entry_doubles(y, n, "y"));
  if (weights != R_NilValue) {
    rows.weight = entry_doubles(weights, n, "weights");
    for (int i = 0; i < n; i++)
      if (rows.weight[i] < 0 || rows.weight[i] == HUGE_VAL)
        Rf_error("'weights' must be finite and not negative");
  }

  const char *names[] = {"status", "bad", "dropped", "n", "cells", ""};
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
  const size_t count = (size_t)G, width = (size_t)q;
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
