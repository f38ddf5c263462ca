/* subset_bound.h - the lower bound of a node (subset_node.h) and the changes of alpha and lambda that raise it.
 *
 * The relaxation, for given alpha, is min over w of w'Qw - 2c'w + sum_g phi_g(w_g), where phi_g is the
 * convex envelope of alpha_g |w|^2 + pen_g 1[w != 0]: it is 2 sqrt(alpha pen)|w| where
 * z = |w| sqrt(alpha/pen) <= 1, and alpha |w|^2 + pen where z >= 1. Block coordinate descent changes one
 * group at a time: with kappa = G_gg - alpha_g (T > 1: the infinity norm of G_gg, less alpha_g) and
 * u = r_g + kappa w_g,
 *
 *   w_g = 0 where |u| <= sqrt(alpha pen), else it has the direction of u and the length
 *   (|u| - sqrt(alpha pen))/kappa or, if that makes z > 1, |u|/(kappa + alpha).
 *
 * After a sweep over the groups a line search follows along the change of w in the sweep, made conjugate to the
 * direction of the line search before (O(n)): where G is ill-conditioned, sweeps alone converge slowly.
 *
 * For any w,  lower = rho + pen_in - w'(c - r) - sum_g max(x_g, 0),  x_g = |r_g|^2/alpha_g - pen_g,
 *             upper = rho + pen_in - w'(c + r) + sum_g phi_g(w_g),
 * where lower is a bound of all sets of the node, and upper the value of the relaxation at w. The sets without
 * group g, and those with it, have higher bounds, from w - M_.g t in place of w, which changes r_g to r_g + t
 * and no other element of r. With the best t, and mu the largest eigenvalue of M_gg, J of these sets is at least
 *
 *   without g:  lower + max(x_g, 0) + |w_g|^2 / mu,
 *   with g:     lower + max(-x_g, 0) + |alpha w_g - r_g|^2 / (alpha (1 + alpha mu)).
 *
 * The dual. Where A is nearly singular, sweeps do not come near the minimum, and lower may be far below that of the
 * parent node. As a function of r, with w = M(c - r), lower is concave, and one group at a time is changed to
 *
 *   t = r_g + w_g/mu where |t| <= sqrt(alpha pen), else in its direction with the length
 *   max(sqrt(alpha pen), |t| mu/(mu + 1/alpha)),
 *
 * the maximiser of lower for T = 1, and of a function below it for T > 1. Most groups are soon at |r_g| = sqrt(alpha
 * pen), whatever the condition of A. This is done where A is nearly singular and the sweeps over w have ended with
 * lower below the bound of the node. Cost of a sweep: n times the number of coordinates that change.
 *
 * The bound rises with alpha_g where 0 < z < 1, and Q must stay positive definite. Where w_g is 0 or z >= 1, a
 * lower alpha_g does not lower the bound as long as w_g stays 0 or z >= 1, and lets other alphas rise; where
 * 0 < z < 1, alpha_g is raised by the maximiser delta of a second-order model of the bound plus the
 * log-determinant barrier tau log(1 - delta mu).
 *
 * Work arrays: some vectors of N. Cost: a sweep n times the number of coordinates that change; a change of alpha_g
 * T n^2/2.
 */
#ifndef TRANSELECT_SUBSET_BOUND_H
#define TRANSELECT_SUBSET_BOUND_H

#include "subset_node.h"

typedef struct {
  int nearly_singular; /* see "The dual" */
  double lower, upper;
  double *x, *z;         /* p each; all arrays are by the place of the group in the node */
  double *length;        /* p: |w_g| */
  double *mu;            /* p: the largest eigenvalue of M_gg */
  double *in, *out;      /* p: bounds of the sets with, without the group, minus lower */
  double rise;           /* the largest over groups of min(in, out): lower + rise bounds all sets */
  double *old_w, *old_r; /* N: w and r before a sweep, then their changes by it */
  double *step_w, *step_r;   /* N: the direction of the line search after it, for w and for r */
  double *kappa, *threshold; /* p: kappa, sqrt(alpha pen) */
  double *u_full;            /* p: |u| above which z > 1 */
  double *inverse_kappa, *inverse_sum, *inverse_alpha; /* p: 1/kappa, 1/(kappa + alpha), 1/alpha */
} subset_relaxation;

/* v'v. */
static inline double subset_norm2(const double *v, size_t T)
{
  double sum = 0;
  for (size_t t = 0; t < T; t++) sum += v[t] * v[t];
  return sum;
}

/* mu: the largest eigenvalue of M_gg, or for T > 2 an upper bound, the smaller of the Frobenius and the infinity norm
 * of M_gg. */
double subset_mu(const subset_node *node, size_t g, size_t T);

subset_relaxation subset_relaxation_new(size_t p, size_t T);

/* One round of changes of alpha, with M and r updated. best: the value of the incumbent. Returns 0 where rounding
 * errors have made M useless. */
int subset_ascend(const subset_relaxation *relaxation, subset_arena *arena, subset_node *node,
                  double best);

/* A Newton step of the multiplier lambda for `size`, bounded to half and twice its value. */
void subset_ascend_lambda(const subset_relaxation *relaxation, subset_node *node, size_t size);

/* pen_g = lambda for all free groups, and pen_in = lambda (n_in - size). */
void subset_set_lambda(subset_node *node, double lambda, size_t size);

/* The place of the group to branch on: the one of largest z (1 - z) (mu/alpha)^2 where 0 < z < 1. */
int subset_branch(const subset_relaxation *relaxation, const subset_node *node);

#endif
