/* spd_entry.c - linear systems with a symmetric positive definite matrix (spd.h), for R. */
#include "spd.h"

#include <string.h>

#include "args_entry.h"
#include "routines.h"

#define FEW 320 /* the order up to which spd_columns_factor() is at least as fast as spd_factor() */
#define INDEFINITE "the matrix is not positive definite"

/* A copy of the matrix, to be overwritten by its factor; *m <- its order. */
static double *square_copy(SEXP A, size_t *m)
{
  const matrix given = entry_matrix(A, 0, 0, "A");
  if (given.rows != given.columns) Rf_error("'A' must be square");
  *m = given.rows;
  return memcpy(ROOM(*m * *m, double), given.x, *m * *m * sizeof(double));
}

/* x <- A^-1 x from the upper triangle of A, by columns. */
static int solve_one(const double *A, size_t m, double *x)
{
  const size_t ld = spd_columns_ld(m, 1), below = spd_columns(m);
  double *L = ALLOC(spd_columns(m) * ld, double);
  for (size_t j = 0; j < m; j++) {
    for (size_t i = j; i < m; i++) L[i + j * ld] = A[j + i * m];
    L[below + j * ld] = x[j];
  }
  if (!spd_columns_factor(L, m, ld)) return 0;
  for (size_t j = 0; j < m; j++) x[j] = L[below + j * ld];
  spd_columns_backward(L, m, ld, x);
  return 1;
}

/* A: m x m, of which the upper triangle is read; b: m numbers, or m x q. Returns A^-1 b, of the size of b, without
 * names; an error where A is not positive definite. */
SEXP transelect_spd_solve(SEXP A, SEXP b)
{
  size_t m, columns = 1;
  double *U = square_copy(A, &m);
  if (Rf_isMatrix(b)) columns = entry_matrix(b, 0, 0, "b").columns;
  const double *right = entry_doubles(b, (R_xlen_t)(m * columns), "b");
  SEXP out = PROTECT(Rf_isMatrix(b) ? Rf_allocMatrix(REALSXP, (int)m, (int)columns)
                                    : Rf_allocVector(REALSXP, (R_xlen_t)m));
  memcpy(REAL(out), right, m * columns * sizeof(double));
  const int solved =
      columns == 1 && m <= FEW
          ? solve_one(U, m, REAL(out))
          : spd_solve(U, m, REAL(out), columns, ROOM(8 * (m > columns ? m : columns), double));
  if (!solved) Rf_error(INDEFINITE);
  UNPROTECT(1);
  return out;
}

/* A: as for transelect_spd_solve(); X: m x q. Returns x'A^-1 x for each column x of X; an error where A is not positive
 * definite. */
SEXP transelect_spd_squares(SEXP A, SEXP X)
{
  size_t m;
  double *U = square_copy(A, &m);
  const matrix given = entry_matrix(X, 0, 0, "X");
  const size_t columns = given.columns;
  if (given.rows != m) Rf_error("'X' must have as many rows as 'A'");
  double *right = memcpy(ROOM(m * columns, double), given.x, m * columns * sizeof(double));
  SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)columns));
  double *rest = ROOM(8 * (m > columns ? m : columns), double);
  if (!spd_squares(U, m, right, columns, rest, REAL(out))) Rf_error(INDEFINITE);
  UNPROTECT(1);
  return out;
}

/* A: as for transelect_spd_solve(). Returns A^-1, without names; an error where A is not positive definite. */
SEXP transelect_spd_inverse(SEXP A)
{
  size_t m;
  double logdet, *inverse = square_copy(A, &m);
  if (!spd_inverse(inverse, m, ROOM(m * (m + 8), double), &logdet)) Rf_error(INDEFINITE);
  SEXP out = Rf_allocMatrix(REALSXP, (int)m, (int)m);
  memcpy(REAL(out), inverse, m * m * sizeof(double));
  return out;
}
