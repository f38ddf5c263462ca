/* subset_bound.h - the lower bound of a node (subset_node.h) and what raises it.
 *
 * The relaxation, for alpha given, is min over w of w'Qw - 2c'w + sum_g phi_g(w_g), phi the convex
 * envelope of alpha |w|^2 + pen 1[w != 0]: 2 sqrt(alpha pen)|w| up to z = |w| sqrt(alpha/pen) = 1,
 * where it meets alpha |w|^2 + pen. Group by group (coordinate descent), with kappa = G_gg - alpha_g
 * (T > 1: the infinity norm of G_gg, less alpha_g) and u = r_g + kappa w_g:
 *
 *   w_g = 0 where |u| <= sqrt(alpha pen), else along u with |w_g| = (|u| - sqrt(alpha pen))/kappa,
 *   or, if z > 1 there, |u|/(kappa + alpha).
 *
 * Between two sweeps w goes on along its last change, made conjugate to the step before (a line
 * search, O(n)): where G is ill-conditioned, sweeps alone take many times as long.
 *
 * For any w:  lower = rho + paid - w'(c - r) - sum_g max(x_g, 0),  x_g = |r_g|^2/alpha_g - pen_g,
 *             upper = rho + paid - w'(c + r) + sum_g phi_g  (of the relaxation at w).
 * The sets without a group, or with it, have a bound of their own. Among them w - M_.g t, of which Q
 * takes only r_g to r_g + t, serves better than w: with mu the largest eigenvalue of M_gg and the
 * best t their values are at least
 *
 *   without g:  lower + max(x_g, 0) + |w_g|^2 / mu,
 *   with g:     lower + max(-x_g, 0) + |alpha w_g - r_g|^2 / (alpha (1 + alpha mu)).
 *
 * Raising the bound by alpha: where w_g is 0 or z >= 1 alpha may fall and does, to make room; where
 * 0 < z < 1 it rises by the maximiser of a second-order model of the bound plus the log-det barrier
 * tau log(1 - delta mu).
 *
 * Cost: a sweep n times the coordinates that move; a change of alpha T n^2/2.
 */
#ifndef TRANSELECT_SUBSET_BOUND_H
#define TRANSELECT_SUBSET_BOUND_H

#include "subset_node.h"

typedef struct {
  double lower, upper;
  double *x, *z;           /* p each, by the place of the group */
  double *length;          /* p: |w_g| */
  double *mu;              /* p: the largest eigenvalue of M_gg */
  double *in, *out;        /* p: bounds of the sets with, without the group, minus lower */
  double rise;             /* the least of these: by how much lower can rise for all sets */
  double *old_w, *old_r;   /* N: w and r before the sweep, then their change */
  double *step_w, *step_r; /* N: the step taken after it */
  double *kappa, *edge;    /* p: kappa, sqrt(alpha pen) */
  double *top;             /* p: |u| where z = 1 */
  double *inverse_kappa, *inverse_sum, *inverse_alpha; /* p: 1/kappa, 1/(kappa + alpha), 1/alpha */
} subset_relaxation;

/* v'v. */
static inline double subset_norm2(const double *v, size_t T)
{
  double sum = 0;
  for (size_t t = 0; t < T; t++) sum += v[t] * v[t];
  return sum;
}

/* The largest eigenvalue of M_gg, or for T > 2 the lesser of two bounds above it. */
double subset_top(const subset_node *node, size_t g, size_t T);

subset_relaxation subset_relaxation_new(size_t p, size_t T);

/* One round of changes of alpha; r follows. Returns 0 if M is not an inverse any more. */
int subset_ascend(const subset_relaxation *relaxation, subset_arena *arena, subset_node *node,
                  double best);

/* Newton's step for the multiplier of `size`. */
void subset_ascend_lambda(const subset_relaxation *relaxation, subset_node *node, size_t size);
void subset_set_lambda(subset_node *node, double lambda, size_t size);

/* The place of the group to branch on. */
int subset_branch(const subset_relaxation *relaxation, const subset_node *node);

#endif
