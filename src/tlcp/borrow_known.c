/* borrow_known.c - posterior moments of coefficients given the variances of the borrowing prior: see borrow.h. */
#include <math.h>
#include <string.h>

#include "borrow_work.h"
#include "kernels.h"
#include "spd.h"

int borrow_shrink_known(const borrow_work *w, int t, const double *d, double *log_lik)
{
  const size_t p = w->domains->p;
  double *M = w->M[t], *scaled_g = w->vectors, log_det;
  for (size_t j = 0; j < p; j++) {
    for (size_t i = 0; i < p; i++) M[i + j * p] = w->H[t][i + j * p] * sqrt(d[i] * d[j]);
    M[j * (p + 1)] += 1;
  }
  if (!spd_inverse(M, p, w->W, &log_det) || !isfinite(log_det)) return 0;
  double explained = 0;
  for (size_t j = 0; j < p; j++) scaled_g[j] = sqrt(d[j]) * w->g[t][j];
  kernels->dots(COLUMNS(M, p, p), NULL, scaled_g, w->a[t]);
  for (size_t j = 0; j < p; j++) {
    w->a[t][j] /= sqrt(d[j]);
    explained += d[j] * w->a[t][j] * w->g[t][j];
    for (size_t i = 0; i < p; i++) M[i + j * p] = ((i == j) - M[i + j * p]) / sqrt(d[i] * d[j]);
  }
  *log_lik = (explained - log_det) / 2;
  return 1;
}

void borrow_combine_known(borrow_work *w, int from, const double *common)
{
  const size_t p = w->domains->p;
  memset(w->Q_inv, 0, p * p * sizeof(double));
  memset(w->sum_a, 0, p * sizeof(double));
  for (int t = from; t < w->domains->T; t++) {
    kernels->axpy(1, w->M[t], p * p, w->Q_inv);
    kernels->axpy(1, w->a[t], p, w->sum_a);
  }
  for (size_t j = 0; j < p; j++) w->Q_inv[j * (p + 1)] += 1 / common[j];
}

/* Computes P, m and c0. With Q = U'U of the other domains, D the variances of u_1, K = I + UDU' = C'C and
 * v = C'^-1 U'^-1 sum a: P = (D + Q^-1)^-1 = (C'^-1 U)'(C'^-1 U), m = (C'^-1 U)'v, c0 = v'v. Returns 0 where K is not
 * positive definite. */
static int prior_of_target(borrow_work *w, const double *d, borrow_posterior *out)
{
  const size_t p = w->domains->p;
  double *U = w->Q_inv, *K = w->W, *u = w->sum_a, *root = out->P;
  for (size_t j = 0; j < p; j++) {
    memset(U + j * p + j + 1, 0, (p - j - 1) * sizeof(double));
    for (size_t i = 0; i < p; i++) root[j + i * p] = U[i + j * p] * sqrt(d[j]);
  }
  kernels->gram(COLUMNS(root, p, p), K);
  for (size_t j = 0; j < p; j++) K[j * (p + 1)] += 1;
  if (!spd_factor(K, p, w->room)) return 0;
  spd_lower(U, p, u);
  spd_lower(K, p, u);
  memcpy(root, U, p * p * sizeof(double));
  spd_forward(K, p, root, p, w->room);
  kernels->dots(COLUMNS(root, p, p), NULL, u, out->m);
  kernels->gram(COLUMNS(root, p, p), K);
  memcpy(out->P, K, p * p * sizeof(double));
  out->c0 = dot(u, u, p);
  return 1;
}

status borrow_others(const borrow_domains *domains, const borrow_variances *known,
                     borrow_common *out)
{
  const size_t p = domains->p;
  borrow_work w = borrow_work_new(domains, 0);
  borrow_scale_columns(&w, known->scale);
  out->log_lik = 0;
  for (int t = 1; t < domains->T; t++) {
    double log_lik;
    if (!borrow_shrink_known(&w, t, known->own + (size_t)t * p, &log_lik))
      return STATUS_NO_EVIDENCE;
    out->log_lik += log_lik;
  }
  borrow_combine_known(&w, 1, known->common);
  double log_det;
  if (!spd_sweep(w.Q_inv, p, w.W, &log_det)) return STATUS_NO_EVIDENCE;
  kernels->dots(COLUMNS(w.Q_inv, p, p), NULL, w.sum_a, out->mean);
  out->log_lik += (dot(out->mean, w.sum_a, p) - log_det) / 2;
  for (size_t j = 0; j < p; j++) out->log_lik -= log(known->common[j]) / 2;
  memcpy(out->covariance, w.Q_inv, p * p * sizeof(double));
  return STATUS_OK;
}

status borrow_known(const borrow_domains *domains, const borrow_variances *known,
                    borrow_posterior *out)
{
  const size_t p = domains->p;
  borrow_work w = borrow_work_new(domains, 0);
  borrow_scale_columns(&w, known->scale);
  double log_lik;
  for (int t = 0; t < domains->T; t++)
    if (!borrow_shrink_known(&w, t, known->own + (size_t)t * p, &log_lik))
      return STATUS_NO_EVIDENCE;
  double *const Q = w.Q_inv; /* Q, and then its factor */
  borrow_combine_known(&w, 0, known->common);
  if (!spd_factor(Q, p, w.room)) return STATUS_NO_EVIDENCE;
  memcpy(w.b, w.sum_a, p * sizeof(double));
  spd_lower(Q, p, w.b);
  spd_upper(Q, p, w.b);
  for (int t = 0; t < domains->T; t++) {
    double *coef = out->coef + (size_t)t * p;
    const double *d = known->own + (size_t)t * p;
    borrow_residual(&w, t, coef);
    for (size_t j = 0; j < p; j++) coef[j] = w.b[j] + d[j] * coef[j];
  }
  borrow_combine_known(&w, 1, known->common);
  if (!spd_factor(Q, p, w.room)) return STATUS_NO_EVIDENCE;
  return prior_of_target(&w, known->own, out) ? STATUS_OK : STATUS_NO_EVIDENCE;
}
