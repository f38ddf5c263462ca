/* variance.h - the posterior of the target's residual variance, given the other domains.
 *
 * Let Z be the target's rows in m orthonormal directions, K = ZZ' (m x m), and y their response; R the others' rows,
 * each divided by its residual standard deviation, with RR', ZR' (m x r) and the response u. The others' coefficients
 * have the ridge prior N(0, omega2 I), with the omega2 in [1e-5, 100] that maximises their log marginal likelihood
 *   -1/2 {log|C| + u'C^-1 u},  C = I + omega2 RR',
 * and so the posterior mean omega2 R'C^-1 u and covariance omega2 I - omega2^2 R'C^-1 R. The target's coefficients are
 * these plus N(0, tau2 I). With r = y - omega2 ZR'C^-1 u and S = omega2 K - omega2^2 ZR'C^-1 RZ', r is N(0, s2 I + S +
 * tau2 K), and in `outside` further directions the response is N(0, s2 I). For each tau2 the eigenvalues l of
 * S + tau2 K and the squares q of r in the basis of its eigenvectors give for all s2
 *
 *   log likelihood = -1/2 { sum_i log(l_i + s2) + q_i/(l_i + s2)  +  outside log(s2) + rest/s2 } + constant
 *
 * where `rest` is the sum of squares in the further directions (Rasmussen and Williams, Gaussian Processes for Machine
 * Learning, 2006, section 2.3). Times the prior of s2 it is summed over the grids of s2 and tau2. Work arrays: 4 m^2 +
 * r^2 + m r + 2 (m + r), one number for each pair of the grids and those of blas_eigen(). Cost: 9 m^3 flops for each
 * tau2, 4 m for each s2 and tau2, and r^3/3 for each omega2 that is tried, some 20.
 */
#ifndef TRANSELECT_VARIANCE_H
#define TRANSELECT_VARIANCE_H

#include <stddef.h>

#include "port.h"

typedef struct {
  size_t m, r;
  const double *K, *y;             /* m x m, m */
  const double *L, *across, *u;    /* RR' r x r, ZR' m x r, r */
  double yy, n;                    /* the target's y'y and its number of directions in all */
} variance_rows;

/* *out <- rows with these second moments, as many as G has rank. G (p x p), g (p): of the target; others_G, others_g:
 * sums over the other domains, each divided by its residual variance; yy, n: see variance_rows. Cost: 2p^3/3 flops and
 * p (m + r)^2. */
void variance_rows_of_moments(const double *G, const double *g, const double *others_G, const double *others_g,
                                size_t p, double yy, double n, variance_rows *out);

typedef struct {
  size_t n_s2, n_tau2;
  const double *log_s2, *log_prior; /* n_s2: log s2 about `centre`, and its log prior */
  const double *log_tau2;           /* n_tau2: log tau2 about log omega2 */
  double centre;
} variance_grid;

/* *mean, *variance <- those of log s2. Returns STATUS_SINGULAR where eigenvalues could not be found. */
status variance_posterior(const variance_rows *rows, const variance_grid *grid, double *mean, double *variance);

#endif
