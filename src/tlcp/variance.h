/* variance.h - the likelihood of the target's residual variance, given the other domains.
 *
 * In m orthonormal directions of the target's rows the response less its mean given the other domains is normal with
 * mean 0 and covariance s2 I + S + tau2 K, in `outside` further directions with mean 0 and covariance s2 I. For each
 * tau2 the eigenvalues d of S + tau2 K and the squares u of r in the basis of its eigenvectors give for all s2
 *
 *   log likelihood = -1/2 { sum_i log(d_i + s2) + u_i/(d_i + s2)  +  outside log(s2) + rest/s2 } + constant
 *
 * where `rest` is the sum of squares in the further directions (Rasmussen and Williams, Gaussian Processes for Machine
 * Learning, 2006, section 2.3). Work arrays: 2 m^2 + 2 m + n_s2 and those of blas_eigen(). Cost: 9 m^3 flops for
 * each tau2, and 4 m for each s2 and tau2.
 */
#ifndef TRANSELECT_VARIANCE_H
#define TRANSELECT_VARIANCE_H

#include <stddef.h>

#include "port.h"

typedef struct {
  size_t m;
  const double *S, *K, *r; /* m x m, m x m, m */
  const double *log_tau2;  /* n_tau2 */
  const double *log_s2;    /* n_s2 */
  size_t n_tau2, n_s2;
  double outside, rest;
} variance_likelihood;

/* log_lik: n_s2 x n_tau2. STATUS_SINGULAR where eigenvalues could not be found. */
status variance_log_likelihood(const variance_likelihood *of, double *log_lik);

#endif
