/* bregman.h - the discrete path of Split LBI (linearised Bregman iteration).
 *
 * Zhao, Sun, Fu, Yao & Wang, "MSplit LBI", ICML 2018, eq. 3.5; Huang et al., "Split LBI", NIPS
 * 2016. With L the mean loss of the scores b0 + Kc + XB (for squared loss half the mean square) and
 * l = L + |B - Gamma|^2 / 2nu, an iteration is, for all responses at once,
 *
 *   B  <- B  - kappa alpha (X'S/n + (B - Gamma)/nu),      S = n dL/dscores
 *   b0 <- b0 - kappa alpha mean(S)                        (not for squared loss: X, Y are centred)
 *   c  <- c  - kappa alpha K'S/n                          (not for squared loss; K are the kept columns)
 *   Z  <- Z  + alpha (B - Gamma)/nu                       (with the old B and Gamma)
 *   Gamma <- kappa soft(Z, 1)
 *
 * with t = k alpha after k iterations, alpha <= nu/(kappa (2 + nu Lambda)) and Lambda the largest
 * eigenvalue of X'X/n. From the start, the minimum of l at Gamma = 0, only Z changes, linearly, until
 * Gamma is not 0: these iterations are made in one step.
 *
 * For squared loss S = XB - Y is not formed where d < 2n: X'S/n = GB - X'Y/n with G = X'X/n.
 *
 * Work arrays: B, Z, Gamma and the gradient (d q each), scores (n q), G (d^2).
 * Cost of an iteration: 2 d^2 q flops (G) or 4 n d q, and 8 d q.
 */
#ifndef TRANSELECT_BREGMAN_H
#define TRANSELECT_BREGMAN_H

#include "iss_path.h"
#include "iss_system.h"

enum bregman_loss { LOSS_SQUARED, LOSS_BINOMIAL, LOSS_MULTINOMIAL };

typedef struct {
  enum bregman_loss loss;
  double nu, kappa, alpha;
  int zero;       /* start at B = 0 instead of the minimiser */
  int n_times;    /* how many times are recorded: t = 0, and times from the first event to ... */
  double t_ratio; /* ... t_ratio times its time, evenly spaced in log t ... */
  const double *times; /* ... or, unless it is NULL, these n_times, ascending */
  double most;         /* largest number of iterations */
} bregman_options;

/* The records: B (d x q x count), b0 (q x count), and one path for each response. */
typedef struct {
  int count;
  double *t, *B, *b0, *kept; /* kept: n_kept x q x count, NULL for squared loss */
  iss_path *path;            /* q */
} bregman_path;

/* The largest eigenvalue of X'X/n, weighted; with `mean` at least 1, the eigenvalue of intercept and kept columns. */
double bregman_curvature(const iss_data *rows, int mean);

/* Fills *path. rows->x must not be multiplied by the roots of the weights, which are factors of S. y (n x q): numbers,
 * or 0 and 1, for the multinomial loss one 1 in each row. */
status bregman_run(const iss_data *rows, const double *y, int q, const bregman_options *options,
                   bregman_path *path);

#endif
