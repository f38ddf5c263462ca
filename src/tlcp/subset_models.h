/* subset_models.h - the coefficients of given subsets, and their degrees of freedom.
 *
 * For each set S of groups of T coordinates, A and b as in subset.h,
 *
 *   w_S = A_S^-1 b_S,   w = 0 outside S,
 *
 * by a Cholesky factor of A_S. Where b is X'y plus a term that does not depend on y, and H = X'X, the degrees of
 * freedom are the trace of the derivative of the fit X w by y,
 *
 *   df = tr(A_S^-1 H_S).
 *
 * Work: N^2 + 2N numbers, N = pT, and 2N^2 for df. Cost: |S|^3 T^3/3 a set, for df 2 |S|^3 T^3. */
#ifndef TRANSELECT_SUBSET_MODELS_H
#define TRANSELECT_SUBSET_MODELS_H

#include <stddef.h>

#include "port.h"

typedef struct {
  const double *A, *b; /* N x N, N */
  const double *H;     /* N x N, or NULL: no df */
  size_t p, T;
} subset_form;

/* in: p x count, 0 or 1. w: N x count, df: count unless H is NULL, filled. STATUS_SINGULAR where
 * A_S is not positive definite. */
status subset_models(const subset_form *form, const int *in, size_t count, double *w, double *df);

#endif
