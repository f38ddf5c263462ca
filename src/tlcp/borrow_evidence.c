/* borrow_evidence.c - the evidence for or against related slopes, see borrow.h. */
#include <math.h>
#include <string.h>

#include "blas.h"
#include "borrow_work.h"
#include "kernels.h"
#include "spd.h"

enum { CORRELATIONS = 20 }; /* values of rho */

/* *variance <- the variance of the slopes of a domain by itself; NAN where it has no information. */
static status variance_alone(const borrow_domains *domain, double *variance)
{
  const size_t p = domain->p;
  double log_lik, log_omega2, sum = 0;
  size_t count = 0;
  for (size_t j = 0; j < p; j++) {
    const double information = domain->H[0][j * (p + 1)];
    if (!(information > 0)) continue;
    sum += 1 / information;
    count++;
  }
  *variance = NAN;
  if (!count) return STATUS_OK;
  const status state = borrow_alone(domain, NULL, 0, &log_lik, &log_omega2);
  *variance = fmax(exp(log_omega2), sum / (double)count);
  return state;
}

/* *out <- the common slopes given one other domain: C = (H_2 + I/spread)^-1, m = C g_2. */
static status one_other(const borrow_domains *other, double spread, borrow_common *out)
{
  const size_t p = other->p;
  double log_det;
  memcpy(out->covariance, other->H[0], p * p * sizeof(double));
  for (size_t j = 0; j < p; j++) out->covariance[j * (p + 1)] += 1 / spread;
  if (!spd_inverse(out->covariance, p, ROOM(p * (p + 8), double), &log_det))
    return STATUS_NO_EVIDENCE;
  kernels->dots(COLUMNS(out->covariance, p, p), NULL, other->g[0], out->mean);
  return STATUS_OK;
}

/* *out <- the common slopes given several other domains; *spread <- their variance. */
static status several_others(const borrow_domains *domains, const borrow_domains *others,
                             double *spread, borrow_common *out)
{
  const size_t p = domains->p, T = (size_t)domains->T;
  const borrow_options options = {.nu = 4, .prior = 1, .shape = BORROW_SHAPE};
  borrow_prior found = {.tau2 = ALLOC(T, double), .scale = ALLOC(p, double)};
  const status state = borrow_fit(others, &options, &found);
  if (state != STATUS_OK) return state;
  double *common = ALLOC(p, double), *own = ALLOC(p * T, double);
  *spread = found.omega2;
  for (size_t j = 0; j < p; j++) {
    common[j] = found.omega2;
    own[j] = 1;
    for (size_t t = 1; t < T; t++) own[j + t * p] = found.tau2[t - 1];
  }
  const borrow_variances known = {.common = common, .own = own, .scale = found.scale};
  return borrow_others(domains, &known, out);
}

typedef struct {
  size_t p;
  double *C, *m, *H, *g; /* in the basis of the eigenvectors of C, of which C has the eigenvalues */
  double variance, spread;
  double *A, *mean, *left, *root, *rest; /* work: p^2, p, p, p, 8 p */
} target_given;

/* The target's log marginal likelihood at the correlation rho, NAN where it cannot be evaluated. With the prior
 * N(c, D^2), D diagonal, it is (c'(g + l) + l'D (I + D H D)^-1 D l - log|I + D H D|)/2, l = g - H c. */
static double log_lik_at(target_given *w, double rho)
{
  const size_t p = w->p;
  const double k = rho * sqrt(w->variance / w->spread);
  double sum = 0;
  for (size_t j = 0; j < p; j++) {
    w->mean[j] = k * w->m[j];
    w->root[j] = sqrt(k * k * w->C[j] + w->variance * (1 - rho * rho));
  }
  kernels->dots(COLUMNS(w->H, p, p), NULL, w->mean, w->left);
  for (size_t j = 0; j < p; j++) {
    w->left[j] = w->g[j] - w->left[j];
    sum += w->mean[j] * (w->g[j] + w->left[j]);
    w->left[j] *= w->root[j];
    for (size_t i = 0; i < p; i++) w->A[i + j * p] = w->H[i + j * p] * w->root[i] * w->root[j];
    w->A[j * (p + 1)] += 1;
  }
  if (!spd_factor(w->A, p, w->rest)) return NAN;
  spd_lower(w->A, p, w->left);
  return (sum + dot(w->left, w->left, p)) / 2 - spd_half_logdet(w->A, p);
}

/* Computes the target's H and g, and m, in the basis of the eigenvectors of C. Returns 0 where these cannot be
 * found. */
static int turn(const borrow_domains *domains, const borrow_common *others, target_given *w)
{
  const size_t p = w->p;
  double *vector = ROOM(p * p, double), *product = ROOM(p * p, double),
         *covariance = others->covariance;
  for (size_t k = 0; k < p * p; k++)
    if (!isfinite(covariance[k])) return 0;
  if (!blas_eigen(covariance, p, w->C, vector)) return 0;
  for (size_t j = 0; j < p; j++) {
    if (w->C[j] < 0) w->C[j] = 0;
    kernels->dots(COLUMNS(domains->H[0], p, p), NULL, vector + j * p, product + j * p);
  }
  for (size_t j = 0; j < p; j++)
    kernels->dots(COLUMNS(vector, p, p), NULL, product + j * p, w->H + j * p);
  kernels->dots(COLUMNS(vector, p, p), NULL, domains->g[0], w->g);
  kernels->dots(COLUMNS(vector, p, p), NULL, others->mean, w->m);
  return 1;
}

status borrow_evidence(const borrow_domains *domains, double *log_bf)
{
  const size_t p = domains->p;
  const borrow_domains target = borrow_some(domains, 0, 1),
                       rest = borrow_some(domains, 1, domains->T - 1);
  target_given w = {.p = p,
                    .C = ROOM(p, double),
                    .m = ROOM(p, double),
                    .H = ROOM(p * p, double),
                    .g = ROOM(p, double),
                    .A = ROOM(p * p, double),
                    .mean = ROOM(p, double),
                    .left = ROOM(p, double),
                    .root = ROOM(p, double),
                    .rest = ROOM(8 * p, double)};
  borrow_common others = {.mean = ROOM(p, double), .covariance = ROOM(p * p, double)};
  *log_bf = 0;
  status state = variance_alone(&target, &w.variance);
  if (state != STATUS_OK || isnan(w.variance)) return state;
  if (rest.T == 1) {
    state = variance_alone(&rest, &w.spread);
    if (state != STATUS_OK || isnan(w.spread)) return state;
    state = one_other(&rest, w.spread, &others);
  } else {
    state = several_others(domains, &rest, &w.spread, &others);
  }
  if (state != STATUS_OK) return state;
  if (!turn(domains, &others, &w)) return STATUS_NO_EVIDENCE;
  const double none = log_lik_at(&w, 0);
  double log_ratio[CORRELATIONS], most = -HUGE_VAL, sum = 0;
  for (int k = 0; k < CORRELATIONS; k++) {
    log_ratio[k] = log_lik_at(&w, (k + 0.5) / CORRELATIONS) - none;
    if (!isfinite(log_ratio[k])) return STATUS_NO_EVIDENCE;
    if (log_ratio[k] > most) most = log_ratio[k];
  }
  for (int k = 0; k < CORRELATIONS; k++) sum += exp(log_ratio[k] - most);
  *log_bf = most + log(sum / CORRELATIONS);
  return STATUS_OK;
}
