/* subset_models.h - the coefficients of given subsets, and their degrees of freedom.
 *
 * For each set S of groups of T coordinates, A and b as in subset.h,
 *
 *   w_S = A_S^-1 b_S,   w = 0 outside S,
 *
 * by a Cholesky factor of A_S. Let H = X'X of the target's features, whose coordinates are the first of each group (J:
 * H at these, 0 at the others). If b is X'y of the target plus a term that does not depend on y, the degrees of freedom
 * are the trace of the derivative of the fit X w by y,
 *
 *   df = tr(A_S^-1 J_S).
 *
 * Where T levels L have been minimised out of a form F (form.h), they follow from w_S, and the last row and column of H
 * are the target's level. With e the last column of J, r = F_LL^-1 1_1 and u = F_.L r,
 *
 *   w_L = F_LL^-1 (b_L - F_LS w_S),
 *   df = tr(A_S^-1 (J - e u' - u e' + J_LL u u')_S), and r_1 J_LL for the levels.
 *
 * Work arrays: N^2 + 2N numbers, N = pT, and 3N^2 for df. Cost of a set: |S|^3 T^3/3 flops, for df 2 |S|^3 T^3. */
#ifndef TRANSELECT_SUBSET_MODELS_H
#define TRANSELECT_SUBSET_MODELS_H

#include <stddef.h>

#include "port.h"

typedef struct {
  const double *A, *b;           /* N x N, N */
  const double *full_A, *full_b; /* NULL without levels, or F and its b, of N + T coordinates */
  const double *H;               /* p x p, with levels (p + 1) x (p + 1), or NULL: no df */
  size_t p, T;
} subset_form;

typedef struct {
  double *w;       /* N x count, with levels (N + T) x count */
  double *df;      /* count, unless H is NULL */
  double level_df; /* of the levels */
} subset_fits;

/* in: p x count, 0 or 1. Returns STATUS_SINGULAR where A_S or F_LL is not positive definite. */
status subset_models(const subset_form *form, const int *in, size_t count, subset_fits *out);

#endif
