/* shareboost_rules.c - see shareboost_rules.h. */
#include "shareboost_rules.h"

#include <math.h>
#include <string.h>

#include "kernels.h"

#define LINE_TOL 1e-10 /* slope along the line at which it ends, as a share of the first slope */
#define LINE_STEPS 60

share_trial *share_trial_new(const softmax_fit *main, enum share_rule rule, size_t largest)
{
  share_trial *t = ALLOC(1, share_trial);
  const softmax *p = main->p;
  const size_t K = (size_t)p->K, block = SOFTMAX_STEP * p->blocks;
  t->rule = rule;
  t->main = main;
  if (rule == SHARE_FULL) {
    t->p = *p; /* shares columns, classes and weights with `main`, but not R */
    t->p.r = softmax_alloc(p->slots * block);
    t->fit = fit_new(&t->p, main->pen, main->intercept, main->tol, p->room, main->L.limit);
    return t;
  }
  t->p = softmax_new((softmax_data){p->m, p->k, p->y, p->v, p->offset}, largest, 0);
  t->base = softmax_alloc(K * block);
  t->p.base = t->base;
  t->curve = ALLOC(K * largest * K, double);
  t->fit = fit_new(&t->p, main->pen, 0, 1e-8, largest, largest > 1 ? main->L.limit : K);
  return t;
}

void share_trial_round(share_trial *t)
{
  const softmax *p = t->main->p;
  const size_t K = (size_t)p->K;
  if (t->rule == SHARE_FULL) return;
  memset(t->base, 0, p->blocks * K * SOFTMAX_STEP * sizeof(double));
  for (size_t b = 0; b < p->blocks; b++)
    for (size_t j = 0; j < p->t; j++)
      for (size_t q = 0; q < K; q++)
        kernels->axpy(t->main->w[j * K + q], softmax_x(p, b, j), SOFTMAX_ROWS,
                      t->base + (b * K + q) * SOFTMAX_STEP);
}

/* L along w = alpha d: its value, slope and second derivative. */
static double along(share_trial *t, const double *d, double alpha, double *slope, double *bend)
{
  const size_t K = (size_t)t->p.K, n = t->p.t * K;
  double *w = t->fit.w, *g = t->fit.g;
  for (size_t q = 0; q < n; q++) w[q] = alpha * d[q];
  double f = softmax_kernels()->pass(&t->p, w, g);
  *slope = *bend = 0;
  for (size_t from = 0; from < n; from += K) {
    f += penalty_value(&t->fit.pen, w + from, g + from);
    /* the Hessian's block of this column and those before it, which counts twice, and its own block */
    softmax_kernels()->curvature(&t->p, 0, from / K, t->curve, n);
    penalty_curve(&t->fit.pen, w + from, t->curve + from, n);
    for (size_t q = 0; q < K; q++) {
      const double *row = t->curve + q * n;
      double before = 0, own = 0;
      for (size_t l = 0; l < from; l++) before += row[l] * d[l];
      for (size_t l = from; l < from + K; l++) own += row[l] * d[l];
      *slope += g[from + q] * d[from + q];
      *bend += d[from + q] * (2 * before + own);
    }
  }
  return f;
}

/* Newton's method on a convex function of alpha >= 0, whose slope at 0 is negative. */
static double fall_along_line(share_trial *t)
{
  const size_t K = (size_t)t->p.K, n = t->p.t * K;
  double *d = t->fit.step, slope, bend;
  memset(t->fit.w, 0, n * sizeof(double));
  const double start = softmax_kernels()->pass(&t->p, t->fit.w, t->fit.g);
  for (size_t from = 0; from < n; from += K) { /* differences to the last class */
    double total = 0;
    for (size_t q = from; q < from + K; q++) total += t->fit.g[q];
    for (size_t q = from; q < from + K; q++) d[q] = -t->fit.g[q] - total;
  }
  double alpha = 0, low = 0, high = INFINITY, f = along(t, d, 0, &slope, &bend);
  const double target = LINE_TOL * fabs(slope);
  for (int k = 0; k < LINE_STEPS && fabs(slope) > target; k++) {
    if (slope < 0)
      low = alpha;
    else
      high = alpha;
    const double newton = alpha - slope / bend;
    if (newton > low && newton < high && isfinite(newton))
      alpha = newton;
    else
      alpha = isfinite(high) ? (low + high) / 2 : 2 * low + 1;
    f = along(t, d, alpha, &slope, &bend);
  }
  return start - f;
}

void share_trial_start(share_trial *t)
{
  t->p.t = t->rule == SHARE_FULL ? t->main->p->t : 0;
  if (t->rule == SHARE_FULL) t->fit.free = t->main->free;
}

void share_trial_add(share_trial *t, const double *column)
{
  softmax_add(&t->p, column);
}

double share_trial_fall(share_trial *t)
{
  softmax_fit *fit = &t->fit;
  const size_t known = t->rule == SHARE_FULL ? t->main->n : 0;
  fit->n = 0;
  if (known) memcpy(fit->w, t->main->w, known * sizeof(double));
  memset(fit->w + known, 0, (t->p.t * (size_t)t->p.K - known) * sizeof(double));
  if (t->rule == SHARE_LINE) return fall_along_line(t);
  fit_grow(fit);
  const double start = fit->f;
  fit_run(fit);
  return start - fit->f;
}
