/* posterior_scales.c - the average over the scales of features: see posterior.h. */
#include <math.h>
#include <string.h>

#include "average.h"
#include "kernels.h"
#include "posterior_work.h"
#include "spd.h"

enum { SCALES = 14 };
static const double LOW_SCALE = -3, SCALE_STEP = .5; /* of log s */

/* Evidence, mean and variance of a slope of the target where its scale is multiplied by s = exp(log_s). */
typedef struct {
  double evidence, mean, variance;
} at_scale;

/* M_t and a_t of all domains are in `w`, Q without changes in C, the target's K^-1_ii, diagonal, in h. */
static int change_scale(posterior_work *work, size_t i, double log_s, at_scale *out)
{
  const size_t p = work->p;
  borrow_work *w = &work->w;
  const borrow_variances *known = work->problem->known;
  const double s = exp(log_s);
  double *U = work->U, *sum = work->mean, *x = work->x, own = 0;
  memcpy(U, work->C, p * p * sizeof(double));
  memcpy(sum, w->sum_a, p * sizeof(double));
  U[i * (p + 1)] += (1 / s - 1) / known->common[i];
  out->evidence = -log_s / 2;
  for (int t = 0; t < work->problem->domains->T; t++) {
    const double d = (s - 1) * known->own[i + (size_t)t * p], *k = w->M[t] + i * p;
    const double more = 1 + d * k[i], rate = d / more, a = w->a[t][i];
    for (size_t j = 0; j < p; j++) kernels->axpy(-rate * k[j], k, j + 1, U + j * p);
    kernels->axpy(-rate * a, k, p, sum);
    out->evidence += (rate * a * a - log(more)) / 2;
    if (t) continue;
    own = s * known->own[i] / more; /* x'b + own a is the mean of w_1i given b */
    for (size_t j = 0; j < p; j++) x[j] = -own * k[j];
    x[i] = work->h[i] / more;
    out->mean = own * a;
    out->variance = s * known->own[i] * x[i];
  }
  if (!spd_factor(U, p, work->room)) return 0;
  spd_lower(U, p, sum);
  spd_lower(U, p, x);
  out->evidence += dot(sum, sum, p) / 2 - spd_half_logdet(U, p);
  out->mean += dot(x, sum, p);
  out->variance += dot(x, x, p);
  return 1;
}

/* The same for a slope that is unrelated to the other domains'; here: at s = 1. */
static at_scale change_unrelated(const posterior_work *work, size_t i, double log_s, at_scale here)
{
  const borrow_variances *known = work->problem->known;
  const double K = 1 / (known->common[i] + known->own[i]), more = expm1(-log_s);
  const double shrunk = 1 / (1 + K * here.variance * more);
  const double squares = K * here.mean * here.mean * shrunk;
  return (at_scale){.evidence = (log(shrunk) - log_s - more * squares) / 2,
                    .mean = here.mean * shrunk,
                    .variance = here.variance * shrunk};
}

/* Mean square about the estimate over the variance there, averaged over s. */
static int average_over(posterior_work *work, size_t i, double *ratio)
{
  const int *alone = work->problem->alone;
  at_scale here, at[SCALES];
  double weight[SCALES];
  *ratio = 1;
  if (alone && !alone[i]) return 1;
  if (!change_scale(work, i, 0, &here)) return 0;
  for (int k = 0; k < SCALES; k++) {
    const double log_s = LOW_SCALE + SCALE_STEP * k;
    const double log_c = log(work->problem->known->scale[i]) + log_s;
    if (alone)
      at[k] = change_unrelated(work, i, log_s, here);
    else if (!change_scale(work, i, log_s, at + k))
      return 0;
    weight[k] = at[k].evidence - 2 * log_c - exp(port_psigamma(2, 0) - log_c);
  }
  if (!average_weights(weight, SCALES, 0, weight)) return 0;
  *ratio = 0;
  for (int k = 0; k < SCALES; k++) {
    const double gap = at[k].mean - here.mean;
    *ratio += weight[k] * (at[k].variance + gap * gap) / here.variance;
  }
  return 1;
}

status posterior_scales(posterior_work *work, double *scale)
{
  const size_t p = work->p;
  const borrow_variances *known = work->problem->known;
  borrow_work *w = &work->w;
  int estimated = 0;
  for (size_t j = 0; j < p; j++) estimated |= known->scale[j] != 1;
  for (size_t j = 0; j < work->slopes; j++) scale[j] = 1;
  if (!estimated) return STATUS_OK;
  double log_lik, log_det;
  for (int t = 0; t < work->problem->domains->T; t++)
    if (!borrow_shrink_known(w, t, known->own + (size_t)t * p, &log_lik)) return STATUS_NO_EVIDENCE;
  borrow_combine_known(w, 0, known->common);
  memcpy(work->C, w->Q_inv, p * p * sizeof(double));
  /* (K^-1)_ii = [(H + D^-1)^-1]_ii/D_ii */
  memcpy(work->A, w->H[0], p * p * sizeof(double));
  for (size_t j = 0; j < p; j++) work->A[j * (p + 1)] += 1 / known->own[j];
  if (!spd_inverse(work->A, p, work->room, &log_det)) return STATUS_NO_EVIDENCE;
  for (size_t j = 0; j < p; j++) work->h[j] = work->A[j * (p + 1)] / known->own[j];
  for (size_t j = 0; j < work->slopes; j++)
    if (!average_over(work, j, scale + j)) return STATUS_NO_EVIDENCE;
  return STATUS_OK;
}
