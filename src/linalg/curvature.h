/* curvature.h - a symmetric n x n matrix B = diag(d) + P P' - M M', with P and M of few columns.
 *
 * The approximate Hessian of minimise.h. A caller writes d and columns of P and M; an update of BFGS adds one of each.
 * For few variables, or where n is not large beside the number of columns, B is stored as a matrix, and a Newton step
 * takes n^3/6 products and additions. Otherwise d, P and M are stored, and with r columns a step takes 2 n r^2 flops:
 * with Y = D^-1/2 P and Z = D^-1/2 M,
 *   B = D^1/2 (C - Z Z') D^1/2,  C = I + Y Y',
 *   C^-1 = I - Y (I + Y'Y)^-1 Y',  (C - ZZ')^-1 = C^-1 + W (I - Z'W)^-1 W',  W = C^-1 Z,
 * where B is positive definite if and only if I - Z'W is (Woodbury).
 *
 * Work arrays: the columns, n r doubles, and 2 n^2 + 8 n, or n (r + 2) + r^2 where B is not stored.
 */
#ifndef TRANSELECT_CURVATURE_H
#define TRANSELECT_CURVATURE_H

typedef struct {
  int n;
  double *diagonal; /* n: d */
  double *columns;  /* n x most: columns of P from the left, columns of M from the right */
  int pluses, minuses, most;
  double *dense; /* n x n: B, or NULL where only d, P and M are stored */
  double *work;
} curvature;

/* B = I. columns: how many columns the caller writes at most. */
curvature curvature_new(int n, int columns);

/* Sets d to zero, for the caller to write, and drops all columns. */
void curvature_clear(curvature *B);
/* A new column of P or M: zeros, for the caller to write. */
double *curvature_plus(curvature *B);
double *curvature_minus(curvature *B);

/* Must be called after d and the columns are written: raises d so that no element of B's diagonal is below `least`. */
void curvature_raise(curvature *B, const double *least);

/* B <- I. */
void curvature_forget(curvature *B);

/* B <- B + r r'/rs - q q'/qs, rs and qs positive. Returns 0, and leaves B, where there is no room for two columns. */
int curvature_update(curvature *B, const double *r, double rs, const double *q, double qs);

/* out <- B s. */
void curvature_times(const curvature *B, const double *s, double *out);

/* x (count) <- B_FF^-1 x, F the `count` variables in `free`. Returns 0 if B_FF is not positive definite. */
int curvature_solve(const curvature *B, const int *free, int count, double *x);

#endif
