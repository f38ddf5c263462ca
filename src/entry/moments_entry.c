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

/* Fills the list with q x q matrices of zeros; returns pointers to them. */
static double **make_matrices(SEXP list, int q)
{
  double **made = ALLOC((size_t)XLENGTH(list), double *);
  for (R_xlen_t c = 0; c < XLENGTH(list); c++) {
    made[c] = REAL(SET_VECTOR_ELT(list, c, Rf_allocMatrix(REALSXP, q, q)));
    memset(made[c], 0, (size_t)q * (size_t)q * sizeof(double));
  }
  return made;
}

static double *make_vector(SEXP out, int at, SEXP vector)
{
  SET_VECTOR_ELT(out, at, vector);
  memset(REAL(vector), 0, (size_t)XLENGTH(vector) * sizeof(double));
  return REAL(vector);
}

/* x: double matrix (n x p); y: n; cell: 0..n_cells-1, or -1 for none; weights: n or NULL.
 * Returns list(status, bad, dropped, n, weight, log_weight, mean, rest, cross): for each cell a
 * count, the sum of the weights and that of their logarithms, a column of means (p + 1, y last), a
 * column of their rounding errors (`rest`) and a matrix (p + 1 square). bad: number of the column
 * that was refused. */
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

  const char *names[] = {"status",     "bad",  "dropped", "n",     "weight",
                         "log_weight", "mean", "rest",    "cross", ""};
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
  moments_cells cells = {0};
  cells.n = make_vector(out, 3, Rf_allocVector(REALSXP, G));
  cells.weight = make_vector(out, 4, Rf_allocVector(REALSXP, G));
  cells.log_weight = make_vector(out, 5, Rf_allocVector(REALSXP, G));
  cells.mean = make_vector(out, 6, Rf_allocMatrix(REALSXP, q, G));
  cells.rest = make_vector(out, 7, Rf_allocMatrix(REALSXP, q, G));
  cells.cross = make_matrices(SET_VECTOR_ELT(out, 8, Rf_allocVector(VECSXP, G)), q);
  size_t bad = 0;
  const status s = moments_by_cell(&rows, &cells, &bad);
  entry_put_status(out, s, bad);
  SET_VECTOR_ELT(out, 2, Rf_ScalarReal((double)cells.dropped));
  UNPROTECT(1);
  return out;
}
