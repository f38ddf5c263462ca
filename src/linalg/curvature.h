/* curvature.h - a symmetric n x n matrix B = diag(d) + P P' - M M', with P and M of few columns.
 *
 * The approximate Hessian of minimise.h. A caller writes d and columns of P and M; an update of BFGS adds one of each.
 * For few variables, or where n is not large beside the number of columns, B is kept as it stands, and a Newton step
 * takes n^3/6 flops; else d, P and M are kept, and with r columns a step takes 2 n r^2 flops: with Y = D^-1/2 P and
 * Z = D^-1/2 M,
 *   B = D^1/2 (C - Z Z') D^1/2,  C = I + Y Y',
 *   C^-1 = I - Y (I + Y'Y)^-1 Y',  (C - ZZ')^-1 = C^-1 + W (I - Z'W)^-1 W',  W = C^-1 Z,
 * where B is positive definite if and only if I - Z'W is (Woodbury).
 *
 * Work: n^2 + n (n + 8) doubles, or 2 n (r + 1) + r^2.
 */
#ifndef TRANSELECT_CURVATURE_H
#define TRANSELECT_CURVATURE_H

typedef struct {
  int n;
  double *diagonal; /* n: d */
  double *columns;  /* n x most: the columns of P from the left on, those of M from the right on */
  int pluses, minuses, most;
  double *dense; /* n x n: B, or NULL where only its parts are kept */
  double *work;
} curvature;

/* B = I. columns: how many a caller writes at most. */
curvature curvature_new(int n, int columns);

/* B <- diag(d), d being zeros for the caller to write, and no columns. */
void curvature_clear(curvature *B);
/* A new column of P or M, of zeros. */
double *curvature_plus(curvature *B);
double *curvature_minus(curvature *B);

/* To be called when d and the columns are written: raises d so that no element of B's diagonal is below `least`. */
void curvature_raise(curvature *B, const double *least);

/* B <- I. */
void curvature_forget(curvature *B);

/* B <- B + r r'/rs - q q'/qs, rs and qs positive. Returns 0 where there is no room for the columns. */
int curvature_update(curvature *B, const double *r, double rs, const double *q, double qs);

/* out <- B s. */
void curvature_times(const curvature *B, const double *s, double *out);

/* x (count) <- B_FF^-1 x for the `count` variables F (`free`). Returns 0 if B_FF is not positive definite. */
int curvature_solve(const curvature *B, const int *free, int count, double *x);

#endif
