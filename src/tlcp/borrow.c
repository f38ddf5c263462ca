/* borrow.c - see borrow.h. */
#include <math.h>
#include <string.h>

#include "borrow_rows.h"
#include "borrow_work.h"
#include "kernels.h"
#include "minimise.h"
#include "spd.h"

static const double LOW_TAU2 = BORROW_LOW_TAU2, LOW_OMEGA2 = BORROW_LOW_OMEGA2, HIGH = BORROW_HIGH;
static const double LEVEL_OMEGA2 = BORROW_LEVEL_OMEGA2;
/* Tolerances of minimise_run(): NEAR before minimise_settle(), PLAIN for runs from several starts, which are
 * compared. */
static const double NEAR = 1e-10, PLAIN = 1e-6;
enum { FEW_DOMAINS = 60, MOST_MOVES = 10 };
static const double GRID = 1; /* step of log tau2 in better_variances() */

/* Computes r_t of all domains; excess <- sum of the r_t - bhat/omega2, which is 0 but for rounding. */
static void residuals(borrow_work *w, double omega2, double *excess)
{
  const size_t p = w->domains->p;
  for (size_t j = 0; j < p; j++) excess[j] = -w->b[j] / (j < w->slopes ? omega2 : LEVEL_OMEGA2);
  for (int t = 0; t < w->domains->T; t++) {
    borrow_residual(w, t, w->r[t]);
    kernels->axpy(1, w->r[t], p, excess);
  }
}

/* Computes Q^-1, bhat and the r_t from the M_t and a_t; *part <- the terms of l with omega2 and Q. Returns 0 where Q is
 * not positive definite. */
static int combine(borrow_work *w, double omega2, double *part)
{
  const size_t p = w->domains->p;
  double log_det, *excess = w->vectors;
  memset(w->Q_inv, 0, p * p * sizeof(double));
  memset(w->sum_a, 0, p * sizeof(double));
  for (int t = 0; t < w->domains->T; t++) {
    kernels->axpy(1, w->M[t], p * p, w->Q_inv);
    kernels->axpy(1, w->a[t], p, w->sum_a);
  }
  for (size_t j = 0; j < p; j++)
    w->Q_inv[j * (p + 1)] += 1 / (j < w->slopes ? omega2 : LEVEL_OMEGA2);
  if (!spd_sweep(w->Q_inv, p, w->W, &log_det)) return 0;
  kernels->dots(COLUMNS(w->Q_inv, p, p), NULL, w->sum_a, w->b);
  /* corrects rounding errors of bhat, since the r_t are small differences of large numbers */
  residuals(w, omega2, excess);
  kernels->dots(COLUMNS(w->Q_inv, p, p), NULL, excess, w->room);
  kernels->axpy(1, w->room, p, w->b);
  residuals(w, omega2, excess);
  *part = -(dot(w->b, w->b, w->slopes) / omega2 + log_det + (double)w->slopes * log(omega2)) / 2;
  if (w->slopes < p) *part -= (w->b[p - 1] * w->b[p - 1] / LEVEL_OMEGA2 + log(LEVEL_OMEGA2)) / 2;
  return 1;
}

/* The diagonal element of M_t Q^-1 M_t for the level. */
static double level_element(borrow_work *w, int t)
{
  const size_t p = w->domains->p;
  const double *column = w->M[t] + (p - 1) * p;
  kernels->dots(COLUMNS(w->Q_inv, p, p), NULL, column, w->room);
  return dot(column, w->room, p);
}

/* slope <- the gradient of l at x, the point of the last evaluation. */
static void gradient(borrow_work *w, const double *x, double mean_log, double *slope)
{
  const size_t p = w->domains->p, slopes = w->slopes, last = p - 1;
  const int T = w->domains->T;
  double level = 0, trace = 0;
  for (int t = 0; t < T; t++) {
    kernels->gram(COLUMNS(w->M[t], p, p), w->W);
    double trace_t = dot(w->W, w->Q_inv, p * p); /* of M_t Q^-1 M_t, then less M_t, slopes only */
    const double *r = w->r[t];
    if (slopes < p) {
      const double own = level_element(w, t);
      level += own - w->M[t][last * (p + 1)] + r[last] * r[last];
      trace_t -= own;
    }
    for (size_t j = 0; j < slopes; j++) trace_t -= w->M[t][j * (p + 1)];
    slope[t] = exp(x[t]) / 2 * (trace_t + dot(r, r, slopes));
    if (w->prior) slope[t] -= x[t] - mean_log;
  }
  for (size_t j = 0; j < slopes; j++) trace += w->Q_inv[j * (p + 1)];
  slope[T] = ((trace + dot(w->b, w->b, slopes)) / exp(x[T]) - (double)slopes) / 2 + w->slope_omega;
  if (slopes < p) slope[T + 1] = exp(x[T + 1]) / 2 * level;
}

/* -l and its gradient at x = (log tau2_1, .., log tau2_T, log omega2), followed by log kappa2 with a level. */
static double minus_log_lik(const double *x, double *slope, void *data)
{
  borrow_work *w = data;
  const borrow_domains *domains = w->domains;
  if (w->rows) return borrow_rows_minus_log_lik(w, x, slope);
  const size_t p = domains->p;
  const int T = domains->T, variances = T + 1 + domains->level;
  double l = 0, part, mean_log = 0;
  for (int t = 0; t < T; t++) {
    double log_det;
    const double tau2_t = exp(x[t]);
    const double level = domains->level ? exp((x[T + 1] - x[t]) / 2) : 1;
    const borrow_one own = {p, w->H[t], w->g[t], w->M[t], w->a[t], w->W};
    if (!borrow_shrink(&own, tau2_t, level, &log_det)) goto failed;
    l += (domains->log_det[t] - log_det) / 2;
    mean_log += x[t] / T;
  }
  if (!combine(w, exp(x[T]), &part)) goto failed;
  l += part;
  for (int t = 0; t < T; t++) {
    const double *r = w->r[t], *left = w->left[t];
    for (size_t j = 0; j < p; j++) {
      const double own = exp(x[j < w->slopes ? t : T + 1]) * r[j];
      l -= ((w->coef[t][j] - w->b[j]) * r[j] - left[j] * (w->b[j] + own)) / 2;
    }
  }
  for (int t = 0; t < T && w->prior; t++) l -= (x[t] - mean_log) * (x[t] - mean_log) / 2;
  l += w->slope_omega * x[T];
  if (!isfinite(l)) goto failed;
  gradient(w, x, mean_log, slope);
  for (int t = 0; t < variances; t++) slope[t] = -slope[t];
  return -l;
failed:
  w->failed = 1;
  memset(slope, 0, (size_t)variances * sizeof(double));
  return 1e300;
}

/* Adds to B the symmetric matrix that is zero but for row and column `border`, whose element i is row[i] size[i]
 * size[border], i < count, 0 for i = border: e h' + h e' = ((e + h)(e + h)' - (e - h)(e - h)')/2. */
static void add_border(curvature *B, int border, const double *row, int count, const double *size)
{
  double square = 0;
  for (int i = 0; i < count; i++)
    if (i != border) square += row[i] * row[i] * size[i] * size[i];
  if (!(square > 0)) return;
  const double length = sqrt(sqrt(square) * size[border]), by = size[border] / (length * sqrt(2));
  double *plus = curvature_plus(B), *minus = curvature_minus(B);
  for (int i = 0; i < count; i++) {
    if (i == border) continue;
    plus[i] = row[i] * size[i] * by;
    minus[i] = -plus[i];
  }
  plus[border] = minus[border] = length / sqrt(2);
}

/* The average information of -l at x, the point of the last evaluation. With w the stacked least squares
 * coefficients of the domains, V their covariance, V_i its derivative by variance i and q_i = V_i V^-1 w:
 * A_ij = 1/2 q_i'V^-1 q_j (Gilmour, Thompson and Cullis 1995), here in the logarithms of the variances. In domain t
 * V^-1 w is r_t = a_t - M_t bhat, and V^-1 q is M_t (q_t - Q^-1 z), z = sum M_t q_t: so q_i'V^-1 q_j is
 * sum_t q_it'M_t q_jt - z_i'Q^-1 z_j. */
static void information(const double *x, curvature *B, void *data)
{
  borrow_work *w = data;
  const borrow_domains *domains = w->domains;
  if (w->rows) {
    borrow_rows_information(w, x, B);
    return;
  }
  const size_t p = domains->p, slopes = w->slopes, last = p - 1;
  const int T = domains->T, variances = T + 1 + domains->level;
  double *z = w->vectors, *q = z + (size_t)variances * p, *kappa = z + (size_t)(T + 1) * p;
  double *own = B->diagonal, *with_kappa = domains->level ? w->each : NULL,
         *with_omega = w->each + T;
  if (domains->level) memset(kappa, 0, p * sizeof(double));
  for (int t = 0; t < T; t++) {
    const double *column = w->M[t] + last * p;
    memcpy(q, w->r[t], p * sizeof(double));
    const double level = q[last];
    if (domains->level) {
      q[last] = 0;
      kernels->axpy(level, column, p, kappa);
      own[T + 1] += level * level * column[last];
    }
    kernels->dots(COLUMNS(w->M[t], p, p), NULL, q, z + (size_t)t * p);
    own[t] = dot(q, z + (size_t)t * p, p);
    if (domains->level) with_kappa[t] = level * z[(size_t)t * p + last];
  }
  /* q of omega2 is the same in all domains: bhat/omega2, 0 for the level */
  double *common = z + (size_t)T * p;
  const double rate = exp(-x[T]);
  for (size_t j = 0; j < p; j++) q[j] = j < slopes ? w->b[j] * rate : 0;
  memset(common, 0, p * sizeof(double));
  for (int t = 0; t < T; t++) {
    kernels->dots(COLUMNS(w->M[t], p, p), NULL, q, w->room);
    kernels->axpy(1, w->room, p, common);
  }
  for (int i = 0; i < variances; i++) {
    const double share = dot(q, z + (size_t)i * p, p);
    if (i == T)
      own[T] = share;
    else
      with_omega[i] = share;
  }
  for (int i = 0; i < variances; i++) w->size[i] = exp(x[i]) / sqrt(2);
  for (int i = 0; i < variances; i++) own[i] *= w->size[i] * w->size[i];
  add_border(B, T, with_omega, variances, w->size);
  if (domains->level) add_border(B, T + 1, with_kappa, T, w->size);
  /* z_i'Q^-1 z_j = (U z_i)'(U z_j) with Q^-1 = U'U */
  memcpy(w->W, w->Q_inv, p * p * sizeof(double));
  if (spd_factor(w->W, p, w->room)) {
    for (size_t k = 0; k < p; k++) {
      double *column = curvature_minus(B);
      for (size_t j = k; j < p; j++) w->room[j] = w->W[k + j * p];
      for (int i = 0; i < variances; i++)
        column[i] = w->size[i] * dot(w->room + k, z + (size_t)i * p + k, p - k);
    }
  }
  if (!w->prior) return;
  double *mean = curvature_minus(B);
  for (int t = 0; t < T; t++) {
    own[t] += 1;
    mean[t] = 1 / sqrt(T);
  }
}

static minimise_box search_new(const borrow_domains *domains)
{
  const int variances = domains->T + 1 + domains->level;
  minimise_box m = minimise_new(variances, domains->rows ? variances + 1 : (int)domains->p + 5);
  m.curve = information;
  for (int t = 0; t < m.n; t++) {
    m.low[t] = log(t == domains->T ? LOW_OMEGA2 : LOW_TAU2);
    m.high[t] = log(HIGH);
  }
  /* l of one domain depends on tau2 + omega2 only */
  if (domains->T == 1) m.high[1] = m.low[1];
  return m;
}

/* -2 times the terms of l with tau2_t, the variances of the other domains and omega2 being fixed, at v = log tau2_t:
 * with b ~ N(mean, C) given the others, C = rest^-1, d = what_t - mean and Md = a_t - M_t mean,
 *   log|K_t| + log|rest + M_t| + d'Md - (Md)'(rest + M_t)^-1 Md. */
static double deviance_of_one(borrow_work *w, int t, double v, const double *rest,
                              const double *mean)
{
  const size_t p = w->domains->p;
  double log_det, log_det_all, *r = w->vectors, *solved = r + p;
  const borrow_one own = {p, w->H[t], w->g[t], w->M[t], w->a[t], w->W};
  if (!borrow_shrink(&own, exp(v), 1, &log_det)) return HUGE_VAL;
  memcpy(w->Q_inv, rest, p * p * sizeof(double));
  kernels->axpy(1, w->M[t], p * p, w->Q_inv);
  if (!spd_sweep(w->Q_inv, p, w->W, &log_det_all)) return HUGE_VAL;
  kernels->dots(COLUMNS(w->M[t], p, p), NULL, mean, r);
  double out = log_det + log_det_all;
  for (size_t j = 0; j < p; j++) {
    r[j] = w->a[t][j] - r[j];
    out += (w->coef[t][j] - mean[j]) * r[j] - w->left[t][j] * (mean[j] + exp(v) * r[j]);
  }
  kernels->dots(COLUMNS(w->Q_inv, p, p), NULL, r, solved);
  return out - dot(r, solved, p);
}

/* At x, a maximum of l: replaces the tau2 of one domain after the other by that value of a grid at which l is largest,
 * given the new tau2 of the domains before it. Returns how many changed. For domains without a level and l without the
 * prior. Cost: T p^3 flops for each value of the grid. */
static int better_variances(borrow_work *w, double *x)
{
  const size_t p = w->domains->p;
  const int T = w->domains->T;
  if (w->rows) return borrow_rows_better(w, x, log(LOW_TAU2), log(HIGH), GRID);
  int changed = 0;
  double *slope = ALLOC((size_t)T + 1, double), *all = ALLOC(p * p, double),
         *rest = ALLOC(p * p, double);
  double *sum = ALLOC(p, double), *mean = ALLOC(p, double),
         *inverse = ALLOC(spd_sweep_room(p), double);
  minus_log_lik(x, slope, w);
  for (size_t j = 0; j < p; j++) all[j * (p + 1)] = exp(-x[T]);
  for (int t = 0; t < T; t++) {
    kernels->axpy(1, w->M[t], p * p, all);
    kernels->axpy(1, w->a[t], p, sum);
  }
  for (int t = 0; t < T; t++) {
    memcpy(rest, all, p * p * sizeof(double));
    kernels->axpy(-1, w->M[t], p * p, rest);
    kernels->axpy(-1, w->a[t], p, sum);
    double log_det;
    memcpy(inverse, rest, p * p * sizeof(double));
    double log_tau2 = x[t];
    if (spd_sweep(inverse, p, w->W, &log_det)) {
      kernels->dots(COLUMNS(inverse, p, p), NULL, sum, mean);
      double best = deviance_of_one(w, t, log_tau2, rest, mean) - 1e-3;
      for (double v = log(LOW_TAU2); v <= log(HIGH); v += GRID) {
        const double value = deviance_of_one(w, t, v, rest, mean);
        if (!(value < best)) continue;
        best = value;
        log_tau2 = v;
      }
    }
    changed += log_tau2 != x[t];
    x[t] = log_tau2;
    deviance_of_one(w, t, log_tau2, rest, mean);
    memcpy(all, rest, p * p * sizeof(double));
    kernels->axpy(1, w->M[t], p * p, all);
    kernels->axpy(1, w->a[t], p, sum);
  }
  return changed;
}

/* m->x <- start number `start` of a search, with s of borrow_start_size(). 0: all variances are s/4; 1: all are
 * s/4 e^-4; 2 + t: tau2_t is s, those of the other domains s/4 e^-4, and omega2 is s/4. */
static void place_start(minimise_box *m, const borrow_domains *domains, int start)
{
  const double size = log(borrow_start_size(domains)), quarter = size - log(4);
  for (int t = 0; t < m->n; t++) m->x[t] = start ? quarter - 4 : quarter;
  if (start < 2) return;
  m->x[start - 2] = size;
  m->x[domains->T] = quarter;
}

/* A search from m->x. If it finds a smaller value than `best`, the two are exchanged. */
static void search_beside(borrow_work *w, minimise_box *m, minimise_box *best, int first)
{
  const int evaluations = best->evaluations;
  m->other = first ? NULL : best;
  m->evaluations = 0;
  minimise_run(m, minus_log_lik, w, PLAIN);
  const int all = evaluations + m->evaluations;
  if (first || m->value < best->value) {
    const minimise_box earlier = *best;
    *best = *m;
    *m = earlier;
  }
  best->evaluations = all;
}

/* The best of searches from several starts, since there may be several maxima. Each runs at a coarse tolerance and ends
 * where it leads to the maximum of an earlier one; the best then runs to `negligible`. Without the prior there
 * may be a maximum where one domain has a tau2 much larger than the others: for up to FEW_DOMAINS domains there is a
 * start for each; for more domains better_variances() finds those whose tau2 is changed. */
static minimise_box from_starts(borrow_work *w, double negligible)
{
  const borrow_domains *domains = w->domains;
  const int T = domains->T, each = !w->prior && T > 1,
            starts = each && T <= FEW_DOMAINS ? 2 + T : 2;
  minimise_box best = search_new(domains), m = search_new(domains);
  for (int start = 0; start < starts; start++) {
    port_poll();
    place_start(&m, domains, start);
    search_beside(w, &m, &best, !start);
  }
  for (int move = 0; each && T > FEW_DOMAINS && move < MOST_MOVES && !w->failed; move++) {
    port_poll();
    memcpy(m.x, best.x, (size_t)m.n * sizeof(double));
    if (!better_variances(w, m.x)) break;
    const double before = best.value;
    search_beside(w, &m, &best, 0);
    if (!(best.value < before)) break;
  }
  best.other = NULL;
  minimise_run(&best, minus_log_lik, w, negligible);
  return best;
}

/* c <- c (nu + e)/(nu + T + 1), divided by its geometric mean, for the slopes. x: the point of the last
 * evaluation. */
static void update_scale(borrow_work *w, const double *x, double nu, double *scale)
{
  const size_t p = w->domains->p, slopes = w->slopes;
  const int T = w->domains->T;
  const double omega2 = exp(x[T]);
  double *e = w->vectors;
  if (w->rows) borrow_rows_squares(w, x, e);
  for (size_t j = 0; j < p && !w->rows; j++)
    e[j] = (w->b[j] * w->b[j] + w->Q_inv[j * (p + 1)]) / omega2;
  for (int t = 0; t < T && !w->rows; t++) {
    const double tau2 = exp(x[t]), *r = w->r[t];
    kernels->cross(COLUMNS(w->Q_inv, p, p), COLUMNS(w->M[t], p, p), w->W, p);
    for (size_t j = 0; j < p; j++) {
      const double *column = w->M[t] + j * p;
      e[j] += 1 + tau2 * (dot(column, w->W + j * p, p) - column[j] + r[j] * r[j]);
    }
  }
  double mean_log = 0;
  for (size_t j = 0; j < slopes; j++) {
    scale[j] *= (nu + e[j]) / (nu + T + 1);
    mean_log += log(scale[j]) / (double)slopes;
  }
  for (size_t j = 0; j < slopes; j++) scale[j] /= exp(mean_log);
}

/* m->x <- the start of the search of a round: the end of the last round, changed as `start` (m->n numbers per round)
 * changes from that round to this one; in round 0 the first numbers of `start`. */
static void place_round(minimise_box *m, const double *start, int round)
{
  const double *here = start + (size_t)round * (size_t)m->n;
  for (int k = 0; k < m->n; k++) m->x[k] = round ? m->x[k] + here[k] - here[k - m->n] : here[k];
}

status borrow_fit(const borrow_domains *domains, const borrow_options *options, borrow_prior *out)
{
  const int T = domains->T, rounds = options->rounds, rough = options->start && options->enough > 0;
  borrow_work w = borrow_work_new(domains, options->prior);
  if (options->prior && T > 1) w.slope_omega = (options->shape - 1) / 2;
  minimise_box m = {0};
  for (size_t j = 0; j < domains->p; j++) out->scale[j] = 1;
  if (options->start) m = search_new(domains);
  for (int round = 0; round <= rounds; round++) {
    port_poll();
    port_progress(round, rounds + 1);
    borrow_scale_columns(&w, out->scale);
    if (options->start) place_round(&m, options->start, round);
    if (round || options->start)
      minimise_run(&m, minus_log_lik, &w, rough ? options->enough : NEAR);
    else
      m = from_starts(&w, NEAR);
    if (!rough) minimise_settle(&m, minus_log_lik, &w);
    if (w.failed) return STATUS_NO_EVIDENCE;
    const size_t size = (size_t)m.n;
    if (round < rounds) {
      if (!m.here) minus_log_lik(m.x, m.slope, &w);
      update_scale(&w, m.x, options->nu, out->scale);
    }
    if (rough) minimise_last_step(&m, options->enough);
    if (out->path) memcpy(out->path + (size_t)round * size, m.x, size * sizeof(double));
  }
  for (int t = 0; t < T; t++) out->tau2[t] = exp(m.x[t]);
  out->omega2 = exp(m.x[T]);
  out->level_omega2 = LEVEL_OMEGA2;
  out->kappa2 = domains->level ? exp(m.x[T + 1]) : 0;
  out->log_lik = -m.value;
  out->evaluations = m.evaluations;
  return isfinite(m.value) ? STATUS_OK : STATUS_NO_EVIDENCE;
}
