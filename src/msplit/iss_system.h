/* iss_system.h - the quadratic A, c of the exact Split LBI path (iss.h), in two forms.
 *
 *   wide (any n, d)  V = nI + nu XX' and its inverse (n x n). u_j = V^-1 x_j is made for the
 *                    columns that enter; A_ij = x_i'u_j, g = X'(w - sum_P gamma_k u_k), w = V^-1 y.
 *   tall (d <= n)    W = nu X'X/n + I and its inverse (d x d), A = (I - W^-1)/nu, or W^-1 X'X/n
 *                    where nu is small or columns are nearly collinear, since the difference would lose
 *                    digits; g = c - A_P gamma_P.
 *
 * Set-up: n^2 d + n^3 flops (wide), n d^2 + d^3 (tall); the Gram matrix is made once for all nu.
 * The tall form without leave-one-out uses X'X, X'y and y'y only, so that second moments are enough. Work arrays:
 * the inverse (n^2 or d^2), A (d^2), u (n for each column that has entered; with leave-one-out nd in the tall form).
 */
#ifndef TRANSELECT_ISS_SYSTEM_H
#define TRANSELECT_ISS_SYSTEM_H

#include <stddef.h>

#include "port.h"

#define ISS_NO_LEFT 1e-10 /* row i cannot be left out if no larger share of E_ii is left */

/* Standardised rows, centred where there is an intercept, times the roots of the weights; or their second moments
 * ("with moments" below); or, for iss_ridge.h only, moments and rows that are not standardised. */
typedef struct {
  size_t n, d;     /* number of rows, 0 with moments; of columns */
  double count;    /* n of the formulas, also with moments */
  const double *x; /* n x d; NULL with moments */
  /* d each, where x is not standardised: column j of X is (x_j - center_j) / scale_j times the roots of the weights;
   * NULL where x is standardised, and with moments */
  const double *center, *scale;
  const double *b, *yy; /* with moments, or both: X'y (d x q), y'y (q) */
  double *turned;       /* the transpose of x (d x n), NULL until iss_turned() makes it */
  const double *weight; /* n, of sum n; NULL: all 1 */
  int intercept;
  /* Kept columns: rows and responses are residuals of least squares on these and the intercept.
   * n x n_kept, of weighted mean square 1, orthogonal to each other and to the intercept; NULL with
   * moments. */
  size_t n_kept;
  const double *kept;
} iss_data;

/* The number of intercept and kept columns; and, with rows, the leverage of row i in the regression on these. */
static inline double iss_fixed(const iss_data *r)
{
  return (double)(r->intercept + r->n_kept);
}
double iss_taken(const iss_data *rows, size_t i);

typedef struct {
  iss_data *rows;
  double nu;
  int wide;
  double *inverse; /* V^-1 or W^-1 */
  double *A;       /* tall: d x d */
  const double *gram;
  int product;   /* is A computed as W^-1 X'X/n? */
  double near;   /* a squared pivot below this share of A_jj has few correct digits */
  double **u;    /* d: V^-1 x_j, NULL until iss_u() makes it */
  double *left;  /* E_ii of the empty support (n); NULL without leave-one-out */
  double logdet; /* log|V| */
} iss_system;

typedef struct {
  const double *y; /* n; NULL with moments, which have b = X'y (d) instead */
  const double *b;
  double *c, *w;  /* X'V^-1 y (d), V^-1 y (n; NULL in the tall form without loo) */
  double wy;      /* y'V^-1 y */
  double largest; /* max |c_j| */
} iss_target;

/* The transpose of x, made at the first call. */
const double *iss_turned(iss_data *rows);

/* X'X (d x d) or, for the wide form, XX' (n x n). */
double *iss_gram(const iss_data *rows, int wide);

/* A system for one nu; loo: is leave-one-out wanted? Returns STATUS_NOT_FINITE if the matrix is not positive
 * definite. */
status iss_system_new(iss_data *rows, const double *gram, double nu, int wide, int loo,
                      iss_system *system);

/* Computes A as W^-1 X'X/n unless that has been done; returns 1 if A has changed; 0 in the wide form. 2d^3 flops. */
int iss_system_careful(iss_system *system);

/* The targets of q centred responses (n x q); y is NULL with moments. */
iss_target *iss_targets_new(const iss_system *system, const double *y, size_t q);

/* V^-1 x_j: in the wide form made at the first call for j, in the tall form (with loo) made with the system. */
const double *iss_u(iss_system *system, size_t j);

#endif
