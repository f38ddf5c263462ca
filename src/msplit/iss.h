/* iss.h - the exact limit of Split LBI for small steps: a path of supports, event by event.
 *
 * Zhao, Sun, Fu, Yao & Wang, "MSplit LBI", ICML 2018, eq. 3.11; Huang et al., "Split LBI", NIPS
 * 2016. With X (n x d) and y centred, the split loss
 *
 *   l(b, gamma) = |y - Xb|^2 / 2n + |b - gamma|^2 / 2nu
 *
 * minimised over b is gamma'A gamma/2 - c'gamma plus a constant, with V = nI + nu XX',
 * W = nu X'X/n + I and
 *
 *   A = X'V^-1 X = (I - W^-1)/nu,   c = X'V^-1 y = W^-1 X'y/n,   g(gamma) = c - A gamma
 *
 * The path: d rho/dt = g(gamma), and gamma minimises the quadratic subject to gamma_j = 0 where |rho_j| < 1 and
 * gamma_j rho_j >= 0 where |rho_j| = 1. Between events gamma is constant and rho linear in t; the
 * dense estimator is b = gamma + nu g. g is computed in one of two forms, see iss_system.h.
 *
 * Leave-one-out, given the support P: the smoother's residuals are n E y with
 * E = V^-1 - 11'/n^2 - sum_k v_k v_k' over an orthonormal basis v of V^-1 X_P, so
 *
 *   loo = mean_i ((E y)_i / E_ii)^2,   df = n - n tr E,
 *   reml = log|V| + log|A_PP| + (n - 1 - |P|) log(y'E y)         (-2 log, up to a constant)
 *
 * X and y are residuals not only on the intercept but on the kept columns, too: kk'/n^2 is subtracted from E
 * for each kept column k, of mean square 1 and orthogonal to the others, and n - 1 is less by their number.
 *
 * Work arrays: rho, g, gamma (d each), the factor of A_PP (s^2, s = min(n, d)), and with leave-one-out
 * the basis (ns). Cost of an event: one product A gamma (nd, or d|P|), and |P|^2.
 */
#ifndef TRANSELECT_ISS_H
#define TRANSELECT_ISS_H

#include "iss_path.h"
#include "iss_system.h"

typedef struct {
  double t_end; /* the path ends here */
  int max_events;
  int loo;
} iss_options;

/* The work arrays of a run, used for one response of a system after the other. */
typedef struct iss_state iss_worker;
iss_worker *iss_worker_new(iss_system *system, const iss_options *options);

/* The path of one response, whose first event is at 1/max|c|. last: does the worker run no other response afterwards,
 * so that the path need not be copied? */
void iss_run(iss_worker *worker, const iss_target *target, int last, iss_path *path);

/* dense (d) <- the dense estimator of event k. */
void iss_dense(iss_worker *worker, const iss_target *target, const iss_path *path, int k,
               double *dense);

#endif
