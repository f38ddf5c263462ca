/* iss.h - the exact limit of Split LBI: a path of supports, one event after the other.
 *
 * Zhao, Sun, Fu, Yao & Wang, "MSplit LBI", ICML 2018, eq. 3.11; Huang et al., "Split LBI", NIPS
 * 2016. With X (n x d) and y centred, the split loss
 *
 *   l(b, gamma) = |y - Xb|^2 / 2n + |b - gamma|^2 / 2nu
 *
 * has, b taken out, the quadratic gamma'A gamma/2 - c'gamma with (V = nI + nu XX', W = nu X'X/n +
 * I)
 *
 *   A = X'V^-1 X = (I - W^-1)/nu,   c = X'V^-1 y = W^-1 X'y/n,   g(gamma) = c - A gamma
 *
 * The path: d rho/dt = g(gamma), gamma minimises it subject to gamma_j = 0 where |rho_j| < 1 and
 * gamma_j rho_j >= 0 where |rho_j| = 1. So gamma is piecewise constant and rho linear in between;
 * the dense estimator is b = gamma + nu g. Two systems give g, see iss_system.h.
 *
 * Leave-one-out, given the support P: the smoother's residuals are n E y with
 * E = V^-1 - 11'/n^2 - sum_k v_k v_k' over an orthonormal basis v of V^-1 X_P, so
 *
 *   loo = mean_i ((E y)_i / E_ii)^2,   df = n - n tr E,
 *   reml = log|V| + log|A_PP| + (n - 1 - |P|) log(y'E y)         (-2 log, up to a constant)
 *
 * Columns that are kept have been taken out of X and y as the intercept has: with q of them, of mean
 * square 1 and orthogonal, E loses their qq'/n^2 as it loses 11'/n^2, and n - 1 becomes n - 1 - q.
 *
 * Work arrays: rho, g, gamma (d each), the factor of A_PP (s^2, s = min(n, d)), with leave-one-out
 * the basis (ns). Cost of an event: one product A gamma (nd, or d|P|), and |P|^2.
 */
#ifndef TRANSELECT_ISS_H
#define TRANSELECT_ISS_H

#include "iss_path.h"
#include "iss_system.h"

typedef struct {
  double t_end; /* events after it are left out */
  int max_events;
  int loo;
} iss_options;

/* What a run works with, for responses of one system one after the other. */
typedef struct iss_state iss_worker;
iss_worker *iss_worker_new(iss_system *system, const iss_options *options);

/* The path of one response. Its first event is at 1/max|c|. last: no other will follow. */
void iss_run(iss_worker *worker, const iss_target *target, int last, iss_path *path);

/* The dense estimator of event k (d). */
void iss_dense(iss_worker *worker, const iss_target *target, const iss_path *path, int k,
               double *dense);

#endif
