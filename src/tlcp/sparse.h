/* sparse.h - coefficients of which few are not zero, averaged over their supports.
 *
 * The log-likelihood of p coefficients is -b'H b/2 + g'b. Given the support S, b_S ~ N(0, v I) and b = 0 off S. The
 * sizes of S from 0 to `most` have the same prior probability, and so have the supports of a size, and the v of a list.
 * With A = H_SS + I/v,
 *
 *   log p(S, v) = -log det(v A)/2 + g_S'A^-1 g_S/2 - log choose(p, |S|) + constant,
 *   b_S given S and v:  N(A^-1 g_S, A^-1).
 *
 * With a = H_jj + 1/v - h'A^-1 h, r = g_j - h'A^-1 g_S and h = H_Sj, log p without choose() grows by r^2/(2a) - log(v
 * a)/2 when column j enters. For each v the `beam` likeliest supports of a size are kept, and the supports of the next
 * size are these with one more column. So the average is over all supports where no size has more than `beam` supports,
 * and else over the likeliest ones found; the log-likelihood is then a lower bound. Reference for the prior: George and
 * McCulloch, Statistica Sinica 7 (1997). Work arrays: 2 beam most^2 + 12 beam p. Cost: beam most^2 (p + most) flops for
 * each v.
 */
#ifndef TRANSELECT_SPARSE_H
#define TRANSELECT_SPARSE_H

#include <stddef.h>

#include "port.h"

typedef struct {
  size_t p, most, beam;
  const double *H, *g; /* p x p, p */
  const double *v;     /* n_v */
  size_t n_v;
} sparse_model;

typedef struct {
  double log_lik; /* of the average, less that of b = 0 */
  double *mean;   /* p: E b */
  double *square; /* p x p: E bb' */
} sparse_posterior;

/* The smaller of `beam` and the largest number of supports of one size. */
size_t sparse_beam(size_t p, size_t most, size_t beam);

/* Returns STATUS_SINGULAR where H is not positive semidefinite. */
status sparse_average(const sparse_model *m, sparse_posterior *out);

#endif
