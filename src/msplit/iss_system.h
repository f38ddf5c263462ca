/* iss_system.h - the quadratic behind the exact Split LBI path (iss.h), in two forms.
 *
 *   wide (any n, d)  V = nI + nu XX' and its inverse (n x n). u_j = V^-1 x_j is made for the
 *                    columns that enter; A_ij = x_i'u_j, g = X'(w - sum_P gamma_k u_k), w = V^-1 y.
 *   tall (d <= n)    W = nu X'X/n + I and its inverse (d x d), A = (I - W^-1)/nu, or W^-1 X'X/n
 *                    where the difference would lose digits: where nu is small or columns are
 *                    nearly collinear; g = c - A_P gamma_P.
 *
 * Set-up: n^2 d + n^3 flops (wide), n d^2 + d^3 (tall); the Gram matrix is made once for all nu.
 * The tall form without leave-one-out needs X'X, X'y and y'y only: it runs from second moments too.
 */
#ifndef TRANSELECT_ISS_SYSTEM_H
#define TRANSELECT_ISS_SYSTEM_H

#include <stddef.h>

#include "port.h"

#define ISS_NO_LEFT 1e-10 /* share of E_ii below which row i cannot be left out */

/* Standardised rows: centred where there is an intercept, times the roots of the weights. Or none of
 * them, but their second moments. */
typedef struct {
  size_t n, d;          /* n: rows that are here; 0 with moments */
  double count;         /* n of the formulas */
  const double *x;      /* n x d; NULL with moments */
  const double *b, *yy; /* moments: X'y (d x q), y'y (q) */
  double *turned;       /* d x n; NULL where it has not been asked for */
  const double *weight; /* n, sum n; NULL: 1 */
  int intercept;
  /* Columns that are kept: they and the intercept have been taken out of rows and responses by least
   * squares. n x n_kept, of weighted mean square 1, orthogonal to each other and to the intercept; NULL
   * with moments. */
  size_t n_kept;
  const double *kept;
} iss_rows;

/* How many directions have been taken out, and the share of row i in them (with rows). */
static inline double iss_fixed(const iss_rows *r)
{
  return (double)(r->intercept + r->n_kept);
}
double iss_taken(const iss_rows *rows, size_t i);

typedef struct {
  iss_rows *rows;
  double nu;
  int wide;
  double *inverse; /* V^-1 or W^-1 */
  double *A;       /* tall: d x d */
  const double *gram;
  int product;   /* is A made as W^-1 X'X/n? */
  double near;   /* share of A_jj beside the support below which digits of A are few */
  double **u;    /* V^-1 x_j where it has been asked for, else NULL (d) */
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

/* The rows one after the other: made once. */
const double *iss_turned(iss_rows *rows);

/* X'X (d x d) or, for the wide form, XX' (n x n). */
double *iss_gram(const iss_rows *rows, int wide);

/* A system for one nu. loo: leave-one-out will be asked for. STATUS_NOT_FINITE if the factor
 * could not be made. */
status iss_system_new(iss_rows *rows, const double *gram, double nu, int wide, int loo,
                      iss_system *system);

/* Makes A as a product, if it is not already: returns 1 if A has changed. d^3 flops. */
int iss_system_careful(iss_system *system);

/* c, w and their likes of q centred responses (n x q). */
iss_target *iss_targets_new(const iss_system *system, const double *y, size_t q);

/* V^-1 x_j: made once in the wide form, there from the start in the tall one with loo. */
const double *iss_u(iss_system *system, size_t j);

#endif
