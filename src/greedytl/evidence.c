/* evidence.c - see evidence.h. */
#include "evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "average.h"
#include "evidence_model.h"
#include "kernels.h"
#include "spd.h"

#define FULL_GRID 128     /* largest order for which all pairs are evaluated */
#define MOST_COLUMNS 1024 /* with more columns products of rows are taken, not of columns */
#define MOST_ROWS 320     /* of more rows, where their products are taken, a sample is used */

typedef evidence_model model;

static const ridge_values VALUES = {-1, .5, 8, 11, 4, 2}; /* a search starts at (10, 1) */

#define EXACT 1e-20 /* a smaller share of y'y is rounding: the sources' mean is the response */

/* The log marginal likelihood from log|M| and quad = r'M^-1 r. */
static double log_likelihood(const model *e, double logdet, double quad)
{
  return e->repeated * (-e->df / 2 * log(fmax(quad, EXACT * e->yy)) - logdet / 2);
}

/* value <- the log marginal likelihood at one pair for c = 0 and, with e->hs, c = 1, from K_x and K_h. */
static void criteria_of_rows(model *e, double ax, double ah, double value[2])
{
  const size_t m = e->m, models = 1 + (e->hs != NULL), ld = spd_columns_ld(m, models),
               below = spd_columns(m);
  const double *x = e->count[0] > 0 ? e->G[0] : NULL,
               *h = e->count[1] > 0 && !isinf(ah) ? e->G[1] : NULL;
  for (size_t j = 0; j < m; j++) {
    const size_t diagonal = j * (m + 1), count = m - j;
    double *to = e->M + j * (ld + 1);
    memset(to, 0, count * sizeof(double));
    if (x) kernels->axpy(1 / ax, x + diagonal, count, to);
    if (h) kernels->axpy(1 / ah, h + diagonal, count, to);
    to[0] += 1;
    e->M[below + j * ld] = e->ys[j];
    if (e->hs) e->M[below + 1 + j * ld] = e->ys[j] - e->hs[j];
  }
  if (!spd_columns_factor(e->M, m, ld)) return;
  const double half = spd_columns_half_logdet(e->M, m, ld);
  for (size_t c = 0; c < models; c++) {
    double quad = 0;
    for (size_t j = 0; j < m; j++) {
      const double r = e->M[below + c + j * ld];
      quad += r * r;
    }
    value[c] = log_likelihood(e, 2 * half, quad);
  }
}

/* Fills e->features at alpha_x. */
static void sweep_features(model *e, double ax)
{
  const size_t m = e->m, p = e->p, s = m - p;
  schur *at = &e->features;
  const double *G = e->G[0], root = 1 / sqrt(ax);
  at->alpha = ax;
  at->yes = 0;
  for (size_t j = 0; j < p; j++) {
    kernels->scaled(G + j * m, 0, 1 / ax, j + 1, at->U + j * p);
    at->U[j * (p + 1)] += 1;
  }
  if (!spd_factor(at->U, p, at->work)) return;
  at->yes = 1;
  at->half_logdet = spd_half_logdet(at->U, p);
  for (size_t j = 0; j < s; j++) kernels->scaled(G + (p + j) * m, 0, root, p, at->V + j * p);
  if (s && p) {
    spd_forward(at->U, p, at->V, s, at->work);
    kernels->gram(COLUMNS(at->V, p, s), at->S);
  } else
    memset(at->S, 0, s * s * sizeof(double));
  for (size_t j = 0; j < s; j++)
    for (size_t i = 0; i <= j; i++) at->S[i + j * s] = G[p + i + (p + j) * m] - at->S[i + j * s];
  for (int c = 0; c <= (e->hs != NULL); c++) {
    double *r = at->r[c];
    memcpy(r, e->rhs, m * sizeof(double));
    if (c) kernels->axpy(-1, e->hs, m, r);
    for (size_t i = 0; i < p; i++) r[i] *= root;
    spd_lower(at->U, p, r);
    for (size_t j = 0; j < s; j++) r[p + j] -= dot(at->V + j * p, r, p);
    at->quad[c] = e->yy + c * (e->hh - 2 * e->hy) - dot(r, r, p);
  }
}

/* criteria_of_rows() from Z'Z. With S of `schur` and r = Z_h'y - V'u, |M| = |I + G_xx/alpha_x| |alpha_h I +
 * S|/alpha_h^s, and r'(alpha_h I + S)^-1 r is subtracted from the quadratic form. */
static void criteria_of_columns(model *e, double ax, double ah, double value[2])
{
  const size_t p = e->p, s = e->m - p;
  schur *at = &e->features;
  if (!(at->alpha == ax)) sweep_features(e, ax);
  if (!at->yes) return;
  const int sources = s > 0 && e->count[1] > 0 && !isinf(ah);
  double half = at->half_logdet, *B = at->B, *r = B + s * s;
  if (sources) {
    memcpy(B, at->S, s * s * sizeof(double));
    for (size_t j = 0; j < s; j++) B[j * (s + 1)] += ah;
    if (!spd_factor(B, s, at->work)) return;
    half += spd_half_logdet(B, s) - (double)s / 2 * log(ah);
  }
  for (int c = 0; c <= (e->hs != NULL); c++) {
    double quad = at->quad[c];
    if (sources) {
      memcpy(r, at->r[c] + p, s * sizeof(double));
      spd_lower(B, s, r);
      quad -= dot(r, r, s);
    }
    value[c] = log_likelihood(e, 2 * half, quad);
  }
}

static void criteria(void *of, int k, double ax, double ah, double value[2])
{
  model *e = of;
  (void)k;
  value[0] = value[1] = NAN;
  if (e->by_row)
    criteria_of_rows(e, ax, ah, value);
  else
    criteria_of_columns(e, ax, ah, value);
}

/* Allocates the work arrays of the criteria. */
static void make_work(model *e)
{
  const size_t m = e->m, p = e->p, s = m - p;
  schur *at = &e->features;
  if (e->by_row) { /* the lower triangles, whose columns are contiguous, are read */
    e->M = ALLOC(spd_columns(m) * spd_columns_ld(m, 2), double);
    for (int b = 0; b < 2; b++)
      for (size_t j = 0; e->G[b] && j < m; j++)
        for (size_t i = 0; i < j; i++) e->G[b][j + i * m] = e->G[b][i + j * m];
    return;
  }
  const size_t most = p > s ? p : s;
  at->alpha = NAN;
  at->U = ROOM(p * p + p * s + 2 * s * s + s + 2 * m + 8 * most, double);
  at->V = at->U + p * p;
  at->S = at->V + p * s;
  at->B = at->S + s * s;
  at->r[0] = at->B + s * s + s;
  at->r[1] = at->r[0] + m;
  at->work = at->r[1] + m;
}

static void report(const model *e, const ridge_grid *g, int k, double weight, ridge_pair *to)
{
  to->alpha[0] = e->count[0] > 0 ? ridge_grid_alpha_x(g, k) : NAN;
  to->alpha[1] = ridge_grid_alpha_h(g, k);
  to->centre = ridge_grid_has_mean(g, k);
  to->criterion = g->value[k];
  to->weight = weight;
}

/* Reports the pairs that are kept, in the order of evidence_result.n_pairs; pairs of equal weight in the order of the
 * grid. */
static void keep_pairs(const model *e, const ridge_grid *g, evidence_result *result)
{
  const int n = ridge_grid_size(g);
  double weight[EVIDENCE_PAIRS], side[2] = {0, 0};
  average_weights(g->value, (size_t)n, RIDGE_LEAST, weight);
  for (int k = 0; k < n; k++) side[ridge_grid_is_without(g, k)] += weight[k];
  const int heavier = side[1] > side[0], first = ridge_grid_best(g, heavier),
            without = ridge_grid_best(g, 1);
  report(e, g, first, weight[first], &result->pair[result->n_pairs++]);
  for (int pass = 0; pass < 2; pass++) {
    const int from = result->n_pairs;
    for (int k = 0; k < n; k++) {
      if (k == first || ridge_grid_is_without(g, k) != (heavier != pass) || !(weight[k] > 0))
        continue;
      int place = result->n_pairs++;
      for (; place > from && result->pair[place - 1].weight < weight[k]; place--)
        result->pair[place] = result->pair[place - 1];
      report(e, g, k, weight[k], &result->pair[place]);
    }
  }
  if (without >= 0 && without != first && g->value[without] > -INFINITY && !(weight[without] > 0))
    report(e, g, without, 0, &result->pair[result->n_pairs++]);
}

/* The single pair of one_ridge: alpha = 1/(posterior mean of 1/alpha given c = 0). */
static void mean_pair(model *e, const ridge_grid *g, ridge_pair *to)
{
  const int n = g->nx * g->nh;
  double weight[EVIDENCE_PAIRS], inverse[2] = {0, 0}, value[2];
  average_weights(g->value, (size_t)n, 0, weight);
  for (int k = 0; k < n; k++) {
    inverse[0] += weight[k] / ridge_grid_alpha_x(g, k);
    if (g->nh > 1) inverse[1] += weight[k] / ridge_grid_alpha_h(g, k);
  }
  to->alpha[0] = e->count[0] > 0 ? 1 / inverse[0] : NAN;
  to->alpha[1] = g->nh > 1 ? 1 / inverse[1] : NAN;
  criteria(e, -1, to->alpha[0], to->alpha[1], value);
  to->centre = 0;
  to->criterion = value[0] + ridge_grid_prior(e->count, to->alpha[0], to->alpha[1], 0);
  to->weight = 1;
}

static status weigh(model *e, const greedy_options *o, evidence_result *result)
{
  ridge_grid g = ridge_grid_new(&VALUES, e->count, e->hs != NULL, e->needs_sources);
  double most = -INFINITY;
  g.criteria = criteria;
  g.model = e;
  g.progress = e->m > FULL_GRID;
  if (e->m <= FULL_GRID)
    ridge_grid_all(&g);
  else {
    ridge_grid_search(&g, e->needs_sources);
    ridge_grid_spread(&g);
  }
  for (int k = 0; k < ridge_grid_size(&g); k++) most = fmax(most, g.value[k]);
  if (!(most > -INFINITY)) return STATUS_NO_EVIDENCE;
  result->n_pairs = 0;
  if (o->one_ridge) {
    result->n_pairs = 1;
    mean_pair(e, &g, &result->pair[0]);
  } else
    keep_pairs(e, &g, result);
  return STATUS_OK;
}

/* Systematic sampling of MOST_ROWS rows by their weights, so that rows of rare classes, which weigh more, are drawn,
 * too: row i is drawn with probability p_i = min(1, level v_i) and gets weight v_i/p_i, scaled to mean 1. sv: square
 * roots of the weights of all rows; those of the sample are replaced. */
static void choose_rows(model *e, double *sv)
{
  const size_t n = e->n, m = e->m;
  double level = 0, sum = 0; /* sum: of the p_i so far */
  size_t found = 0, certain = n, before;
  do {
    double others = 0;
    before = certain;
    certain = 0;
    for (size_t i = 0; i < n; i++) {
      const double v = sv[i] * sv[i];
      if (level * v >= 1)
        certain++;
      else
        others += v;
    }
    if (others > 0) level = (double)(m - certain) / others;
  } while (certain != before);
  for (size_t i = 0; i < n && found < m; i++) {
    const double v = sv[i] * sv[i], p = fmin(1, level * v);
    sum += p;
    if (!(sum > (double)found)) continue;
    e->row[found++] = i;
    sv[i] = sqrt(v / p * (double)m / (double)n);
  }
  e->m = found;
}

static int by_row(const design *d)
{
  return d->n <= d->N || d->N > MOST_COLUMNS;
}

int evidence_has_gram(const design *d)
{
  return !by_row(d) && !design_buffer(d);
}

/* G and b <- the Gram matrix and the products with y of the columns on their original scale. */
static void unscale(const model *e, const double *ss, double *G, double *b)
{
  const size_t N = e->N;
  for (size_t j = 0; j < N; j++) {
    const double c = evidence_model_factor(e, j);
    b[j] = c > 0 ? e->rhs[j] / c : 0;
    for (size_t i = 0; i < j; i++) {
      const double cc = c * evidence_model_factor(e, i);
      G[i + j * N] = G[j + i * N] = cc > 0 ? G[i + j * N] / cc : 0;
    }
  }
  for (size_t j = 0; j < N; j++) G[j + j * N] = ss[j];
}

/* Reports the scales, and a_j of the sources. */
static void put_scales(const model *e, evidence_result *result)
{
  result->scales = e->scales;
  memcpy(result->count, e->count, sizeof e->count);
  if (!(e->common > 0)) return;
  for (size_t j = e->p; j < e->N; j++)
    result->share[j - e->p] = sqrt(e->common) * e->factor[j] / e->count[1];
}

status evidence(design *d, const greedy_problem *problem, const greedy_options *o,
                evidence_result *result, size_t *bad)
{
  model e = {.mean = result->mean};
  const double *y = problem->y, *v = problem->v;
  status s = evidence_model_scan(d, v, o, &e, result->ss, bad);
  if (s != STATUS_OK) return s;
  const size_t n = e.n;
  e.by_row = by_row(d);
  e.m = !e.by_row ? e.N : n <= MOST_ROWS ? n : MOST_ROWS;
  e.ys = ALLOC(n, double);
  const mean_and_ss of_y = column_moments(y, v, n, o->intercept);
  e.yy = of_y.ss;
  if (!(e.yy > 0)) return STATUS_CONSTANT_Y;
  double *sv = ALLOC(n, double);
  for (size_t i = 0; i < n; i++) sv[i] = v ? sqrt(v[i]) : 1;
  if (e.by_row) {
    e.row = ALLOC(e.m, size_t);
    for (size_t i = 0; i < e.m; i++) e.row[i] = i;
    if (n > e.m) choose_rows(&e, sv);
    e.repeated = (double)n / (double)e.m;
  }
  for (size_t i = 0; i < n; i++) e.ys[i] = (y[i] - of_y.mean) * sv[i];
  const size_t m = e.m;
  e.df = (double)(e.by_row ? m : n) - (o->intercept != 0);
  for (int k = 0; k < o->n_keep; k++) e.needs_sources |= (size_t)o->keep[k] >= e.p;
  if (e.by_row) {
    for (int b = 0; b < 2; b++)
      if (e.count[b] > 0) {
        e.G[b] = ALLOC(m * m, double);
        evidence_model_products(d, sv, &e, b);
      }
  } else {
    e.G[0] = result->G ? result->G : ALLOC(e.N * e.N, double);
    e.rhs = ALLOC(e.N, double);
    evidence_model_gram(d, sv, &e);
  }
  if (e.by_row)
    for (size_t i = 0; i < m; i++) e.ys[i] = e.ys[e.row[i]];
  const model all = e;
  if (o->n_keep && result->G) { /* copies: the path needs the moments with the kept columns */
    e.G[0] = memcpy(ALLOC(m * m, double), all.G[0], m * m * sizeof(double));
    e.rhs = memcpy(ALLOC(m, double), all.rhs, m * sizeof(double));
  }
  evidence_model_leave_kept(d, sv, o, &e);
  evidence_model_mean_products(&e);
  make_work(&e);
  s = weigh(&e, o, result);
  put_scales(&e, result);
  e = all;
  if (result->G) {
    unscale(&e, result->ss, result->G, result->b);
    result->gram = (gram){.p = e.p,
                          .N = e.N,
                          .q = 1,
                          .n = (double)n,
                          .G = result->G,
                          .b = result->b,
                          .yy = result->y,
                          .mean = result->mean,
                          .y_mean = result->y + 1};
    result->y[0] = e.yy;
    result->y[1] = of_y.mean;
  }
  return s;
}

status evidence_gram(const gram *g, const greedy_options *o, evidence_result *result)
{
  const size_t N = g->N;
  model e = {.N = N, .p = g->p, .m = N, .yy = *g->yy, .df = g->n - (o->intercept != 0)};
  double *ss = ALLOC(N, double);
  for (size_t j = 0; j < N; j++) ss[j] = g->G[j + j * N];
  for (int k = 0; k < o->n_keep; k++) e.needs_sources |= (size_t)o->keep[k] >= e.p;
  e.G[0] = ALLOC(N * N, double);
  e.rhs = ALLOC(N, double);
  make_work(&e);
  evidence_model_scales(ss, (size_t)g->n, o, &e);
  for (size_t j = 0; j < N; j++) {
    const double c = evidence_model_factor(&e, j);
    e.rhs[j] = g->b[j] * c;
    for (size_t i = 0; i <= j; i++) e.G[0][i + j * N] = g->G[i + j * N] * evidence_model_factor(&e, i) * c;
  }
  evidence_model_leave_kept(NULL, NULL, o, &e);
  evidence_model_mean_products(&e);
  const status s = weigh(&e, o, result);
  put_scales(&e, result);
  return s;
}
