/* borrow_features.c - see borrow_features.h. */
#include "borrow_features.h"

#include <math.h>
#include <string.h>

#include "borrow_work.h"
#include "kernels.h"
#include "minimise.h"
#include "spd.h"

static const double FACTOR = 1e6; /* f_j is in [1/FACTOR, FACTOR] */
static const double NEAR = 1e-10; /* tolerance of minimise_run() */

typedef struct {
  borrow_work w;
  double spread;
  double *common, *own; /* p, p x T: the variances at the last point */
} features_work;

/* The place of the first log f_j among the variables, after log tau2, log omega2 and, with a level, log kappa2. */
static int first_factor(const borrow_domains *domains)
{
  return 2 + domains->level;
}

static void set_variances(features_work *f, const double *x)
{
  const borrow_domains *domains = f->w.domains;
  const size_t p = domains->p, slopes = f->w.slopes;
  const double *log_f = x + first_factor(domains);
  for (size_t j = 0; j < p; j++) {
    const int level = j >= slopes;
    f->common[j] = level ? BORROW_LEVEL_OMEGA2 : exp(x[1]);
    for (int t = 0; t < domains->T; t++)
      f->own[j + (size_t)t * p] = exp(level ? x[2] : t ? x[0] : x[0] + log_f[j]);
  }
}

/* out <- dl/dlog v_tj of domain t. */
static void slope_of_own(borrow_work *w, int t, const double *v, double *out)
{
  const size_t p = w->domains->p;
  double *r = w->r[t];
  borrow_residual(w, t, r);
  kernels->cross(COLUMNS(w->Q_inv, p, p), COLUMNS(w->M[t], p, p), w->W, p);
  for (size_t j = 0; j < p; j++) {
    const double *column = w->M[t] + j * p;
    out[j] = v[j] / 2 * (r[j] * r[j] - column[j] + dot(column, w->W + j * p, p));
  }
}

static double minus_log_posterior(const double *x, double *slope, void *data)
{
  features_work *f = data;
  borrow_work *w = &f->w;
  const borrow_domains *domains = w->domains;
  const size_t p = domains->p, slopes = w->slopes;
  const int factors = first_factor(domains);
  double l = 0, log_lik, log_det, *own = w->vectors + p;
  memset(slope, 0, ((size_t)factors + slopes) * sizeof(double));
  set_variances(f, x);
  for (int t = 0; t < domains->T; t++) {
    if (!borrow_shrink_known(w, t, f->own + (size_t)t * p, &log_lik)) goto failed;
    l += log_lik;
  }
  borrow_combine_known(w, 0, f->common);
  if (!spd_sweep(w->Q_inv, p, w->W, &log_det)) goto failed;
  kernels->dots(COLUMNS(w->Q_inv, p, p), NULL, w->sum_a, w->b);
  l += (dot(w->sum_a, w->b, p) - log_det - (double)slopes * x[1]) / 2;
  for (size_t j = 0; j < slopes; j++)
    slope[1] += ((w->b[j] * w->b[j] + w->Q_inv[j * (p + 1)]) / f->common[j] - 1) / 2;
  for (int t = 0; t < domains->T; t++) {
    slope_of_own(w, t, f->own + (size_t)t * p, own);
    for (size_t j = 0; j < slopes; j++) slope[0] += own[j];
    if (domains->level) slope[2] += own[p - 1];
    if (!t) memcpy(slope + factors, own, slopes * sizeof(double));
  }
  const double rate = 1 / (f->spread * f->spread);
  for (size_t j = 0; j < slopes; j++) {
    const double log_f = x[(size_t)factors + j];
    l -= log_f * log_f * rate / 2;
    slope[(size_t)factors + j] -= log_f * rate;
  }
  if (!isfinite(l)) goto failed;
  for (size_t k = 0; k < (size_t)factors + slopes; k++) slope[k] = -slope[k];
  return -l;
failed:
  w->failed = 1;
  memset(slope, 0, ((size_t)factors + slopes) * sizeof(double));
  return 1e300;
}

status borrow_by_feature(const borrow_domains *domains, borrow_features *found)
{
  const size_t p = domains->p;
  features_work f = {.w = borrow_work_new(domains, 0),
                     .spread = found->spread,
                     .common = ALLOC(p, double),
                     .own = ALLOC(p * (size_t)domains->T, double)};
  const size_t slopes = f.w.slopes;
  const int factors = first_factor(domains);
  minimise_box m = minimise_new(factors + (int)slopes, 0);
  borrow_scale_columns(&f.w, found->scale);
  for (int k = 0; k < m.n; k++) {
    m.low[k] = log(k == 1 ? BORROW_LOW_OMEGA2 : k < factors ? BORROW_LOW_TAU2 : 1 / FACTOR);
    m.high[k] = log(k < factors ? BORROW_HIGH : FACTOR);
  }
  m.x[0] = log(found->tau2);
  m.x[1] = log(found->omega2);
  if (domains->level) m.x[2] = log(found->kappa2);
  for (size_t j = 0; j < slopes; j++) m.x[(size_t)factors + j] = log(found->factor[j]);
  for (int k = 0; k < m.n; k++) m.x[k] = fmin(fmax(m.x[k], m.low[k]), m.high[k]);
  minimise_run(&m, minus_log_posterior, &f, found->enough > 0 ? found->enough : NEAR);
  if (!(found->enough > 0)) minimise_settle(&m, minus_log_posterior, &f);
  if (f.w.failed || !isfinite(m.value)) return STATUS_NO_EVIDENCE;
  found->tau2 = exp(m.x[0]);
  found->omega2 = exp(m.x[1]);
  found->kappa2 = domains->level ? exp(m.x[2]) : 0;
  for (size_t j = 0; j < slopes; j++) found->factor[j] = exp(m.x[(size_t)factors + j]);
  found->log_lik = -m.value;
  found->evaluations = m.evaluations;
  return STATUS_OK;
}
