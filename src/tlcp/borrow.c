/* borrow.c - see borrow.h. */
#include <math.h>
#include <string.h>

#include "blas.h"
#include "borrow.h"
#include "dense.h"
#include "kernels.h"
#include "minimise.h"
#include "spd.h"

static const double LOW_TAU2 = 1e-6, LOW_OMEGA2 = 1e-5, HIGH = 100;
static const double LEVEL_OMEGA2 = 100; /* the common level may be anything */
/* When a search has converged; before the scales have, less will do, and less to compare starts. */
static const double EXACT = 1e-16, ROUGH = 1e-12, PLAIN = 1e-8;

/* One evaluation's work. H, g are scaled by c; M, a are those of the last evaluation. */
typedef struct {
  const borrow_tasks *tasks;
  double **H, **g, **M, **a;
  double *L, *W; /* Q = LL'; W is work, p (p + 8) */
  double *b, *sum_a;
  size_t slopes; /* p, or p - 1 before a level */
  int prior, failed;
} work;

static double **matrices(int T, size_t length)
{
  double **all = ALLOC((size_t)T, double *);
  for (int t = 0; t < T; t++) all[t] = ALLOC(length, double);
  return all;
}

static work work_new(const borrow_tasks *tasks, int prior)
{
  const size_t p = tasks->p, pp = p * p;
  work w = {.tasks = tasks, .slopes = p - (size_t)tasks->level, .prior = prior};
  w.H = matrices(tasks->T, pp);
  w.g = matrices(tasks->T, p);
  w.M = matrices(tasks->T, pp);
  w.a = matrices(tasks->T, p);
  w.L = ALLOC(pp, double);
  w.W = ALLOC(p * (p + 8), double);
  w.b = ALLOC(p, double);
  w.sum_a = ALLOC(p, double);
  return w;
}

static void scale_columns(work *w, const double *scale)
{
  const size_t p = w->tasks->p;
  for (int t = 0; t < w->tasks->T; t++) {
    for (size_t j = 0; j < p; j++) {
      const double *from = w->tasks->H[t] + j * p;
      double *to = w->H[t] + j * p;
      for (size_t i = 0; i < p; i++) to[i] = from[i] * sqrt(scale[i] * scale[j]);
      w->g[t][j] = w->tasks->g[t][j] * sqrt(scale[j]);
    }
  }
}

static double log_det_from(const double *L, size_t p)
{
  double sum = 0;
  for (size_t j = 0; j < p; j++) sum += log(L[j * (p + 1)]);
  return 2 * sum;
}

/* The last row and column of M times `by`, its corner times by^2. */
static void scale_last(double *M, size_t p, double by)
{
  for (size_t j = 0; j < p; j++) {
    M[j * p + p - 1] *= by;
    M[(p - 1) * p + j] *= by;
  }
}

/* M_t and a_t at tau2; *log_det = log|K_t|. `level`: the variance of the last coordinate over tau2,
 * as a ratio of standard deviations. `room`: p (p + 8). Returns 0 if K_t is not positive definite. */
static int shrink(const double *H, const double *g, size_t p, double tau2, double level, double *M,
                  double *a, double *log_det, double *room)
{
  for (size_t k = 0; k < p * p; k++) M[k] = tau2 * H[k];
  if (level != 1) scale_last(M, p, level);
  for (size_t j = 0; j < p; j++) M[j * (p + 1)] += 1;
  if (!spd_inverse(M, p, room, log_det) || !isfinite(*log_det)) return 0;
  memcpy(room, g, p * sizeof(double));
  room[p - 1] *= level;
  kernels->dots(M, p, p, NULL, room, p, a);
  a[p - 1] /= level;
  const double rate = 1 / tau2;
  for (size_t k = 0; k < p * p; k++) M[k] *= -rate;
  for (size_t j = 0; j < p; j++) M[j * (p + 1)] += rate;
  if (level != 1) scale_last(M, p, 1 / level);
  return 1;
}

/* bhat, and the part of l that Q has, from the M_t and a_t. Returns 0 if Q is not positive
 * definite. */
static int pool(work *w, double omega2, double *part)
{
  const size_t p = w->tasks->p;
  memset(w->L, 0, p * p * sizeof(double));
  memset(w->sum_a, 0, p * sizeof(double));
  for (int t = 0; t < w->tasks->T; t++) {
    kernels->axpy(1, w->M[t], p * p, w->L);
    kernels->axpy(1, w->a[t], p, w->sum_a);
  }
  for (size_t j = 0; j < p; j++) w->L[j * (p + 1)] += 1 / (j < w->slopes ? omega2 : LEVEL_OMEGA2);
  if (!dense_chol(w->L, p)) return 0;
  memcpy(w->b, w->sum_a, p * sizeof(double));
  blas_forward(w->L, p, w->b);
  const double half = dot(w->b, w->b, p);
  blas_backward(w->L, p, w->b);
  *part = -(double)w->slopes / 2 * log(omega2) - log_det_from(w->L, p) / 2 + half / 2;
  if (w->slopes < p) *part -= log(LEVEL_OMEGA2) / 2;
  return 1;
}

/* W <- L^-1 M_t; returns the sum of squares of the slopes' columns, their part of
 * tr(M_t Q^-1 M_t). */
static double whiten(work *w, int t)
{
  const size_t p = w->tasks->p;
  memcpy(w->W, w->M[t], p * p * sizeof(double));
  dense_forward(w->L, p, w->W, p);
  return dot(w->W, w->W, p * w->slopes);
}

/* W <- L^-1; returns the slopes' part of tr(Q^-1). */
static double trace_inverse(work *w)
{
  const size_t p = w->tasks->p;
  dense_lower_inverse(w->L, p, w->W);
  return dot(w->W, w->W, p * w->slopes);
}

/* r <- a_t - M_t bhat, which is uhat_t/tau2_t. */
static void residual(const work *w, int t, double *r)
{
  const size_t p = w->tasks->p;
  kernels->dots(w->M[t], p, p, NULL, w->b, p, r);
  for (size_t j = 0; j < p; j++) r[j] = w->a[t][j] - r[j];
}

/* slope <- the gradient of l at x. */
static void gradient(work *w, const double *x, double mean_log, double *slope)
{
  const size_t p = w->tasks->p, slopes = w->slopes, last = p - 1;
  const int T = w->tasks->T;
  double *r = w->sum_a, level = 0;
  for (int t = 0; t < T; t++) {
    double trace = 0;
    for (size_t j = 0; j < slopes; j++) trace += w->M[t][j * (p + 1)];
    residual(w, t, r);
    slope[t] = exp(x[t]) / 2 * (whiten(w, t) - trace + dot(r, r, slopes));
    if (w->prior) slope[t] -= x[t] - mean_log;
    const double *column = w->W + last * p;
    level += dot(column, column, p) - w->M[t][last * (p + 1)] + r[last] * r[last];
  }
  slope[T] = ((trace_inverse(w) + dot(w->b, w->b, slopes)) / exp(x[T]) - (double)slopes) / 2;
  if (slopes < p) slope[T + 1] = exp(x[T + 1]) / 2 * level;
}

/* -l at x = (log tau2_1, .., log tau2_T, log omega2, log kappa2 where there is a level), and its
 * gradient. */
static double minus_log_lik(const double *x, double *slope, void *data)
{
  work *w = data;
  const borrow_tasks *tasks = w->tasks;
  const size_t p = tasks->p;
  const int T = tasks->T, variances = T + 1 + tasks->level;
  double l = 0, part, mean_log = 0;
  for (int t = 0; t < T; t++) {
    double log_det;
    const double tau2_t = exp(x[t]);
    const double level = tasks->level ? exp((x[T + 1] - x[t]) / 2) : 1;
    if (!shrink(w->H[t], w->g[t], p, tau2_t, level, w->M[t], w->a[t], &log_det, w->W)) goto failed;
    const double moved = dot(w->g[t], w->a[t], p - 1) + level * level * w->g[t][p - 1] * w->a[t][p - 1];
    const double explained = tasks->fit[t] - tau2_t * moved;
    l += (tasks->log_det[t] - log_det - explained) / 2;
    mean_log += x[t] / T;
  }
  if (!pool(w, exp(x[T]), &part)) goto failed;
  l += part;
  for (int t = 0; t < T && w->prior; t++) l -= (x[t] - mean_log) * (x[t] - mean_log) / 2;
  if (!isfinite(l)) goto failed;
  gradient(w, x, mean_log, slope);
  for (int t = 0; t < variances; t++) slope[t] = -slope[t];
  return -l;
failed:
  w->failed = 1;
  memset(slope, 0, (size_t)variances * sizeof(double));
  return 1e300;
}

static minimise_box search_new(const borrow_tasks *tasks)
{
  minimise_box m = minimise_new(tasks->T + 1 + tasks->level);
  for (int t = 0; t < m.n; t++) {
    m.low[t] = log(t == tasks->T ? LOW_OMEGA2 : LOW_TAU2);
    m.high[t] = log(HIGH);
  }
  return m;
}

/* The better of two starts, as there may be several maxima: both until it is plain which is better,
 * and that one to its end. */
static minimise_box from_two_starts(work *w, double size, double negligible)
{
  minimise_box m[2];
  for (int start = 0; start < 2; start++) {
    m[start] = search_new(w->tasks);
    for (int t = 0; t < m[start].n; t++) m[start].x[t] = log(size / 4) - 4 * start;
    minimise_run(&m[start], minus_log_lik, w, PLAIN);
  }
  const int better = m[1].value < m[0].value;
  minimise_run(&m[better], minus_log_lik, w, negligible);
  m[better].evaluations += m[!better].evaluations;
  return m[better];
}

/* c <- c (nu + e)/(nu + T + 1), divided by its geometric mean, of the slopes; the state is that of
 * x. */
static void update_scale(work *w, const double *x, double nu, double *scale)
{
  const size_t p = w->tasks->p, slopes = w->slopes;
  const int T = w->tasks->T;
  const double omega2 = exp(x[T]);
  double *e = ALLOC(p, double), *r = w->sum_a;
  trace_inverse(w);
  for (size_t j = 0; j < p; j++)
    e[j] = (w->b[j] * w->b[j] + dot(w->W + j * p, w->W + j * p, p)) / omega2;
  for (int t = 0; t < T; t++) {
    const double tau2 = exp(x[t]);
    residual(w, t, r);
    whiten(w, t);
    for (size_t j = 0; j < p; j++) {
      const double *column = w->W + j * p;
      const double moved = dot(column, column, p) - w->M[t][j * (p + 1)] + r[j] * r[j];
      e[j] += 1 + tau2 * moved;
    }
  }
  double mean_log = 0;
  for (size_t j = 0; j < slopes; j++) {
    scale[j] *= (nu + e[j]) / (nu + T + 1);
    mean_log += log(scale[j]) / (double)slopes;
  }
  for (size_t j = 0; j < slopes; j++) scale[j] /= exp(mean_log);
}

status borrow_fit(const borrow_tasks *tasks, const borrow_options *options, borrow_strength *out)
{
  const int T = tasks->T, rounds = options->rounds;
  work w = work_new(tasks, options->prior);
  minimise_box m = {0};
  for (size_t j = 0; j < tasks->p; j++) out->scale[j] = 1;
  for (int round = 0; round <= rounds; round++) {
    const double negligible = round < rounds ? ROUGH : EXACT;
    port_poll();
    scale_columns(&w, out->scale);
    if (round)
      minimise_run(&m, minus_log_lik, &w, negligible);
    else
      m = from_two_starts(&w, options->size, negligible);
    if (w.failed) return STATUS_NO_EVIDENCE;
    if (round == rounds) break;
    minus_log_lik(m.x, m.gradient, &w);
    update_scale(&w, m.x, options->nu, out->scale);
  }
  for (int t = 0; t < T; t++) out->tau2[t] = exp(m.x[t]);
  out->omega2 = exp(m.x[T]);
  out->level_omega2 = LEVEL_OMEGA2;
  out->kappa2 = tasks->level ? exp(m.x[T + 1]) : 0;
  out->log_lik = -m.value;
  out->evaluations = m.evaluations;
  return isfinite(m.value) ? STATUS_OK : STATUS_NO_EVIDENCE;
}

/* ---- one task by itself ----------------------------------------------------------------------- */

typedef struct {
  const borrow_tasks *tasks;
  int t, failed;
  double *M, *a, *room;
} alone;

/* -l of what_t ~ N(0, omega2 I + H_t^-1) at log omega2, and its derivative: with omega2 in
 * place of tau2, l = 1/2 [log|H| - log|K|] - 1/2 [R - omega2 g'a]. */
static double minus_alone(const double *x, double *slope, void *data)
{
  alone *w = data;
  const size_t p = w->tasks->p;
  const double omega2 = exp(x[0]), *g = w->tasks->g[w->t];
  double log_det, trace = 0;
  slope[0] = 0;
  if (!shrink(w->tasks->H[w->t], g, p, omega2, 1, w->M, w->a, &log_det, w->room)) {
    w->failed = 1;
    return 1e300;
  }
  for (size_t j = 0; j < p; j++) trace += w->M[j * (p + 1)];
  slope[0] = -omega2 / 2 * (dot(w->a, w->a, p) - trace);
  return -(w->tasks->log_det[w->t] - log_det - w->tasks->fit[w->t] + omega2 * dot(g, w->a, p)) / 2;
}

status borrow_alone(const borrow_tasks *tasks, int t, double size, double *log_lik, double *omega2)
{
  alone w = {.tasks = tasks, .t = t};
  w.M = ALLOC(tasks->p * tasks->p, double);
  w.room = ALLOC(tasks->p * (tasks->p + 8), double);
  w.a = ALLOC(tasks->p, double);
  minimise_box best = {0};
  for (int start = 0; start < 2; start++) {
    minimise_box m = minimise_new(1);
    m.low[0] = log(LOW_TAU2);
    m.high[0] = log(HIGH);
    m.x[0] = log(size / 4) - 4 * start;
    minimise_run(&m, minus_alone, &w, EXACT);
    if (w.failed) return STATUS_NO_EVIDENCE;
    if (!start || m.value < best.value) best = m;
  }
  *log_lik = -best.value;
  *omega2 = exp(best.x[0]);
  return STATUS_OK;
}
