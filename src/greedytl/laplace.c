/* laplace.c - see laplace.h. */
#include "laplace.h"

#include <math.h>
#include <string.h>

#include "average.h"
#include "evidence_model.h"
#include "kernels.h"
#include "spd.h"

#define FULL_GRID 48 /* largest order for which all pairs are evaluated */
#define LEVEL 4.     /* prior variance of the intercept */
#define KEPT 100.    /* prior variance of a kept column's coefficient */
#define ENOUGH 1e-9  /* a gain of the log posterior below this ends Newton's method */
#define MOST_ROUNDS 50
#define REFITS 1e6 /* rows are left out by refits if n factors take no more multiplications */

static const ridge_values VALUES = {-2, 1, 5, 8, 3, 2}; /* a search starts at (10, 1) */

typedef struct {
  evidence_model e;
  const laplace_problem *of;
  double *w; /* n: weights; the weight of a left-out row is 0 */
  size_t n, ridged, r; /* rows; columns that vary; these, the intercept and the kept columns */
  size_t *column;      /* r: where they are in the design */
  double variance;     /* 4 for log odds, 1 for log rates: prior variance at alpha = 1 */
  int dual;            /* from K; else from Z */
  double *common;      /* dual: the part of K that ridges do not change, upper triangle */
  double *K;           /* dual: n x n */
  double *Z, *Zd;      /* n x r: the columns divided by their scales; Z D */
  double *L, *U;       /* the factor by columns, ld apart; L' or a Gram matrix, m x m */
  size_t ld;
  double *work;    /* 8 times the larger of n and r, and n x m */
  double *mean[2]; /* n: m for c = 0 and 1 */
  double *a[2];    /* n: a at the last modes for c = 0 and 1, where the next search starts */
  double *f, *try, *W, *root, *b, *t, *theta, *wanted;
  double **mode; /* of each pair: a, NULL until it is found */
  const ridge_grid *grid;
  size_t m;
} model;

static double log_share(double eta)
{
  return eta > 0 ? -log1p(exp(-eta)) : eta - log1p(exp(eta));
}

static double log_likelihood(const model *l, const double *f)
{
  const double *y = l->of->y, *w = l->w;
  double sum = 0;
  for (size_t i = 0; i < l->n; i++)
    sum += w[i] * (l->of->counts ? y[i] * f[i] - exp(f[i])
                                 : y[i] * log_share(f[i]) + (1 - y[i]) * log_share(-f[i]));
  return sum;
}

/* Computes W, its root, and the score w (y - mean) at f. */
static void weights_at(model *l, const double *f, double *score)
{
  for (size_t i = 0; i < l->n; i++) {
    const double mean = l->of->counts ? exp(fmin(f[i], 700)) : 1 / (1 + exp(-f[i]));
    l->W[i] = l->w[i] * mean * (l->of->counts ? 1 : 1 - mean);
    l->root[i] = sqrt(l->W[i]);
    score[i] = l->w[i] * (l->of->y[i] - mean);
  }
}

static void symmetric_times(const double *K, size_t n, const double *x, double *to)
{
  for (size_t i = 0; i < n; i++) to[i] = dot(K + i * n, x, n);
}

/* Computes K or Zd at a pair of ridges. */
static void set_ridges(model *l, double ax, double ah)
{
  const size_t n = l->n;
  const evidence_model *e = &l->e;
  if (l->dual) {
    const double *x = e->count[0] > 0 ? e->G[0] : NULL,
                 *h = e->count[1] > 0 && !isinf(ah) ? e->G[1] : NULL;
    for (size_t j = 0; j < n; j++)
      for (size_t i = 0; i <= j; i++) {
        const size_t ij = i + j * n;
        l->K[ij] = l->K[j + i * n] =
            l->common[ij] + l->variance * ((x ? x[ij] / ax : 0) + (h ? h[ij] / ah : 0));
      }
    return;
  }
  const double of_x = e->count[0] > 0 ? sqrt(l->variance / (ax * e->count[0])) : 0;
  const double of_h = e->count[1] > 0 && !isinf(ah) ? sqrt(l->variance / (ah * e->count[1])) : 0;
  for (size_t j = 0; j < l->r; j++) {
    const double by = j >= l->ridged ? 1 : l->column[j] < e->p ? of_x : of_h;
    for (size_t i = 0; i < n; i++) l->Zd[i + j * n] = by * l->Z[i + j * n];
  }
}

/* Computes L, the factor of I + W^1/2 K W^1/2 or of I + Zd'W Zd, and below it (L^-1 t)', zero where t is NULL. Returns
 * 0 if the matrix is not positive definite. */
static int factor(model *l, const double *t)
{
  const size_t n = l->n, m = l->m, ld = l->ld, below = spd_columns(m);
  const double *G = l->K;
  if (!l->dual) {
    double *scaled = l->work + 8 * (n > m ? n : m);
    for (size_t j = 0; j < m; j++)
      for (size_t i = 0; i < n; i++) scaled[i + j * n] = l->root[i] * l->Zd[i + j * n];
    kernels->gram(COLUMNS(scaled, n, m), l->U);
    G = l->U;
  }
  for (size_t j = 0; j < m; j++) {
    const double by = l->dual ? l->root[j] : 1, *from = G + j * m;
    double *to = l->L + j * ld;
    if (l->dual)
      for (size_t i = j; i < m; i++) to[i] = l->root[i] * by * from[i];
    else
      memcpy(to + j, from + j, (m - j) * sizeof(double));
    to[j] += 1;
    to[below] = t ? t[j] : 0;
  }
  return spd_columns_factor(l->L, m, ld);
}

/* U <- L'. */
static void upper_factor(model *l)
{
  const size_t m = l->m;
  for (size_t j = 0; j < m; j++)
    for (size_t i = 0; i <= j; i++) l->U[i + j * m] = l->L[j + i * l->ld];
}

/* away <- f - m at `a`, and from Z the coefficients theta <- Zd'a. */
static void place(model *l, const double *a, double *away)
{
  if (l->dual) {
    symmetric_times(l->K, l->n, a, away);
    return;
  }
  memset(away, 0, l->n * sizeof(double));
  for (size_t j = 0; j < l->r; j++) {
    l->theta[j] = dot(l->Zd + j * l->n, a, l->n);
    kernels->axpy(l->theta[j], l->Zd + j * l->n, l->n, away);
  }
}

/* l->wanted <- a, or theta, after the Newton step from f, where the score is `score`. Returns 0 if there is no
 * factor. */
static int newton(model *l, const double *mean, const double *score)
{
  const size_t n = l->n, m = l->m, below = spd_columns(m);
  double *t = l->wanted;
  for (size_t i = 0; i < n; i++) l->b[i] = l->W[i] * (l->f[i] - mean[i]) + score[i];
  if (l->dual) {
    symmetric_times(l->K, n, l->b, t);
    for (size_t i = 0; i < n; i++) t[i] *= l->root[i];
  } else
    for (size_t j = 0; j < m; j++) t[j] = dot(l->Zd + j * n, l->b, n);
  if (!factor(l, t)) return 0;
  for (size_t j = 0; j < m; j++) t[j] = l->L[below + j * l->ld];
  spd_columns_backward(l->L, m, l->ld, t);
  for (size_t i = 0; l->dual && i < n; i++) t[i] = l->b[i] - l->root[i] * t[i];
  return 1;
}

/* Finds the mode for c, starting from the last one: f, and a in l->a[c]. Returns its log posterior density, up to a
 * constant; NAN if there is no factor. */
static double find_mode(model *l, int c)
{
  const size_t n = l->n, size = l->dual ? n : l->r;
  const double *mean = l->mean[c];
  double *a = l->a[c], *away = l->try, *now = l->dual ? a : l->theta, *score = l->t;
  double *before = l->work; /* the last `now` */
  place(l, a, away);
  for (size_t i = 0; i < n; i++) l->f[i] = mean[i] + away[i];
  double height = log_likelihood(l, l->f) - (l->dual ? dot(a, away, n) : dot(now, now, size)) / 2;
  if (!(height >= log_likelihood(l, mean))) {
    memset(now, 0, size * sizeof(double));
    memcpy(l->f, mean, n * sizeof(double));
    height = log_likelihood(l, mean);
  }
  for (int round = 0; round < MOST_ROUNDS; round++) {
    double *sc = l->dual ? score : a;
    weights_at(l, l->f, sc);
    if (!newton(l, mean, sc)) return NAN;
    double share = 1, value = -INFINITY;
    memcpy(before, now, size * sizeof(double));
    for (;;) {
      for (size_t i = 0; i < size; i++) now[i] = before[i] + share * (l->wanted[i] - before[i]);
      double square;
      if (l->dual) {
        symmetric_times(l->K, n, now, away);
        square = dot(now, away, n);
      } else {
        memset(away, 0, n * sizeof(double));
        for (size_t j = 0; j < size; j++) kernels->axpy(now[j], l->Zd + j * n, n, away);
        square = dot(now, now, size);
      }
      for (size_t i = 0; i < n; i++) l->b[i] = mean[i] + away[i];
      value = log_likelihood(l, l->b) - square / 2;
      if (value >= height - ENOUGH || share < 1e-4) break;
      share /= 2;
    }
    const double gain = value - height;
    if (gain > -ENOUGH) {
      memcpy(l->f, l->b, n * sizeof(double));
      height = value;
    }
    if (fabs(gain) < ENOUGH) break;
  }
  weights_at(l, l->f, a); /* at the mode, a is the score */
  return factor(l, NULL) ? height : NAN;
}

static void criteria(void *of, int k, double ax, double ah, double value[2])
{
  model *l = of;
  const ridge_grid *g = l->grid;
  const int pairs = g->nx * g->nh;
  set_ridges(l, ax, ah);
  for (int c = 0; c < g->nc; c++) {
    const double height = find_mode(l, c);
    value[c] = NAN;
    if (isnan(height)) {
      memset(l->a[c], 0, l->n * sizeof(double));
      continue;
    }
    value[c] = height - spd_columns_half_logdet(l->L, l->m, l->ld);
    l->mode[k + c * pairs] = memcpy(ROOM(l->n, double), l->a[c], l->n * sizeof(double));
  }
  port_poll();
}

/* to += weight times the log odds of each row at the mode without it. */
static void add_refits(model *l, const double *a, int c, double weight, double *to)
{
  const size_t n = l->n;
  for (size_t i = 0; i < n; i++) {
    const double w = l->w[i];
    l->w[i] = 0;
    memcpy(l->a[c], a, n * sizeof(double));
    l->a[c][i] = 0;
    find_mode(l, c);
    to[i] += weight * l->f[i];
    l->w[i] = w;
  }
}

/* to += weight times the log odds of each row when it is left out, from the mode l->f, with a, and U there; with few
 * rows by refits. */
static void add_left(model *l, const double *a, int c, double weight, double *to)
{
  const size_t n = l->n, m = l->m;
  const double one = (double)n * (double)m * (double)(l->dual ? n : m);
  if (one * (double)n <= REFITS) {
    add_refits(l, a, c, weight, to);
    return;
  }
  double *X = l->work + 8 * (n > m ? n : m); /* m x n: W^1/2 K or Zd' */
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < m; j++)
      X[j + i * m] = l->dual ? l->root[j] * l->K[j + i * n] : l->Zd[i + j * n];
  spd_forward(l->U, m, X, n, l->work);
  for (size_t i = 0; i < n; i++) {
    const double square = dot(X + i * m, X + i * m, m);
    const double V = l->dual ? l->K[i * (n + 1)] - square : square;
    const double rest = 1 - V * l->W[i];
    to[i] += weight * (l->f[i] - (rest > 1e-10 ? V / rest : V / 1e-10) * a[i]);
  }
}

/* *out <- the mean over the pairs with positive weights. */
static void take_mean(model *l, const design *d, const ridge_grid *g, const double *weight,
                      laplace_mean *out)
{
  const size_t n = l->n;
  const evidence_model *e = &l->e;
  double *sum[3]; /* of a/alpha_x, a/alpha_h and a */
  for (int k = 0; k < 3; k++) sum[k] = ALLOC(n, double);
  out->a0 = out->c = 0;
  out->n_pairs = 0;
  memset(out->fitted, 0, n * sizeof(double));
  memset(out->left, 0, n * sizeof(double));
  for (int k = 0; k < ridge_grid_size(g); k++) {
    if (!(weight[k] > 0)) continue;
    const double ax = ridge_grid_alpha_x(g, k), ah = ridge_grid_alpha_h(g, k);
    const int c = ridge_grid_has_mean(g, k);
    const double *a = l->mode[k];
    set_ridges(l, ax, ah);
    place(l, a, l->f);
    for (size_t i = 0; i < n; i++) l->f[i] += l->mean[c][i];
    weights_at(l, l->f, l->t);
    if (!factor(l, NULL)) continue;
    upper_factor(l);
    kernels->axpy(weight[k], l->f, n, out->fitted);
    add_left(l, a, c, weight[k], out->left);
    kernels->axpy(weight[k] / ax, a, n, sum[0]);
    if (e->count[1] > 0 && !isinf(ah)) kernels->axpy(weight[k] / ah, a, n, sum[1]);
    kernels->axpy(weight[k], a, n, sum[2]);
    out->c += weight[k] * c;
    out->pair[out->n_pairs++] =
        (ridge_pair){{e->count[0] > 0 ? ax : NAN, ah}, c, g->value[k], weight[k]};
    port_poll();
  }
  out->a0 = LEVEL * kernels->sum(sum[2], 0, NULL, n);
  double *buffer = design_buffer(d);
  for (size_t j = 0; j < e->N; j++) {
    const int block = j >= e->p;
    const double *x = design_column(d, j, buffer), *u = sum[block];
    double z = 0;
    for (size_t i = 0; i < n; i++) z += (x[i] - e->mean[j]) * u[i];
    out->beta[j] =
        e->factor[j] > 0 ? l->variance / e->count[block] * e->factor[j] * e->factor[j] * z : 0;
    out->a0 -= out->beta[j] * e->mean[j];
  }
}

/* Adds to *out the part of the kept columns that has no ridge. */
static void add_kept(const model *l, const design *d, const greedy_options *o, const double *sum,
                     laplace_mean *out)
{
  double *buffer = design_buffer(d);
  for (int k = 0; k < o->n_keep; k++) {
    const size_t j = (size_t)o->keep[k];
    const double f2 = l->e.factor[j] * l->e.factor[j], *x = design_column(d, j, buffer);
    double z = 0;
    for (size_t i = 0; i < l->n; i++) z += (x[i] - l->e.mean[j]) * sum[i];
    out->beta[j] += KEPT * f2 * z;
    out->a0 -= KEPT * f2 * z * l->e.mean[j];
  }
}

/* Lists the columns: a column that does not vary has no part in the model. */
static void list_columns(model *l, const greedy_options *o)
{
  const size_t N = l->e.N;
  l->column = ALLOC(N + 1 + (size_t)o->n_keep, size_t);
  for (size_t j = 0; j < N; j++)
    if (l->e.factor[j] > 0) l->column[l->ridged++] = j;
  l->r = l->ridged;
  l->column[l->r++] = N; /* the intercept */
  for (int k = 0; k < o->n_keep; k++) l->column[l->r++] = (size_t)o->keep[k];
}

/* Computes Z, or K_x, K_h and the common part of K. */
static void prepare(model *l, const design *d)
{
  const size_t n = l->n;
  double *buffer = design_buffer(d);
  if (!l->dual) {
    l->Z = ROOM(n * l->r, double);
    l->Zd = ROOM(n * l->r, double);
  }
  double *column = ROOM(n, double);
  if (l->dual) {
    double *ones = ROOM(n, double);
    l->e.row = ROOM(n, size_t);
    for (size_t i = 0; i < n; i++) {
      l->e.row[i] = i;
      ones[i] = 1;
    }
    for (int b = 0; b < 2; b++)
      if (l->e.count[b] > 0) {
        l->e.G[b] = ALLOC(n * n, double);
        evidence_model_products(d, ones, &l->e, b);
      }
    l->common = ROOM(n * n, double);
    for (size_t i = 0; i < n * n; i++) l->common[i] = LEVEL;
  }
  for (size_t k = 0; k < l->r; k++) {
    if (l->dual && k <= l->ridged) continue;
    double *to = l->dual ? column : l->Z + k * n;
    if (k == l->ridged) {
      for (size_t i = 0; i < n; i++) to[i] = sqrt(LEVEL);
      continue;
    }
    const size_t j = l->column[k];
    const double by = l->e.factor[j] * (k > l->ridged ? sqrt(KEPT) : 1);
    const double *x = design_column(d, j, buffer);
    for (size_t i = 0; i < n; i++) to[i] = (x[i] - l->e.mean[j]) * by;
    for (size_t i = 0; l->dual && i < n; i++) kernels->axpy(to[i], to, n, l->common + i * n);
  }
}

status laplace(design *d, const laplace_problem *problem, const greedy_options *o,
               laplace_mean *all, laplace_mean *without, size_t *bad)
{
  const size_t n = d->n, N = d->N;
  model l = {.of = problem, .n = n, .variance = problem->counts ? 1 : 4};
  l.e.mean = ALLOC(N, double);
  l.w = memcpy(ROOM(n, double), problem->w, n * sizeof(double));
  double *ss = ALLOC(N, double), total = 0, *v = ROOM(n, double);
  for (size_t i = 0; i < n; i++) total += problem->w[i];
  for (size_t i = 0; i < n; i++) v[i] = problem->w[i] * (double)n / total;
  status s = evidence_model_scan(d, v, o, &l.e, ss, bad);
  if (s != STATUS_OK) return s;
  for (int k = 0; k < o->n_keep; k++) l.e.needs_sources |= (size_t)o->keep[k] >= l.e.p;
  list_columns(&l, o);
  l.dual = n <= l.r;
  l.m = l.e.m = l.dual ? n : l.r;
  all->n_pairs = without->n_pairs = 0;
  all->a0 = all->c = without->a0 = without->c = 0;
  const double work = (double)n * (double)l.m * (double)l.m;
  if (!l.ridged || n > LAPLACE_ROWS || work > LAPLACE_WORK) return STATUS_OK;
  l.e.by_row = 1;
  prepare(&l, d);
  const size_t most = n > l.r ? n : l.r;
  l.U = ROOM(l.m * l.m, double);
  l.ld = spd_columns_ld(l.m, 1);
  l.L = ALLOC(spd_columns(l.m) * l.ld, double);
  l.work = ROOM(8 * most + n * l.m, double);
  if (l.dual) l.K = ROOM(n * n, double);
  double **arrays[] = {&l.f, &l.try, &l.W, &l.root, &l.b, &l.t, &l.theta, &l.wanted};
  for (int k = 0; k < 8; k++) *arrays[k] = ALLOC(most, double);
  const int with_mean = problem->mean && l.e.count[1] > 0;
  for (int c = 0; c <= with_mean; c++) {
    l.a[c] = ALLOC(n, double);
    l.mean[c] = ROOM(n, double);
    for (size_t i = 0; i < n; i++) l.mean[c][i] = problem->base[i] + (c ? problem->mean[i] : 0);
  }
  ridge_grid g = ridge_grid_new(&VALUES, l.e.count, with_mean, l.e.needs_sources);
  l.mode = ALLOC(EVIDENCE_PAIRS, double *);
  l.grid = &g;
  g.criteria = criteria;
  g.model = &l;
  if (l.m <= FULL_GRID)
    ridge_grid_all(&g);
  else {
    ridge_grid_search(&g, l.e.needs_sources);
    ridge_grid_spread(&g);
  }
  double weight[EVIDENCE_PAIRS], value[EVIDENCE_PAIRS];
  const size_t pairs = (size_t)ridge_grid_size(&g);
  for (int only = 0; only < 2; only++) {
    laplace_mean *out = only ? without : all;
    for (size_t k = 0; k < pairs; k++)
      value[k] = only && !ridge_grid_is_without(&g, (int)k) ? -INFINITY : g.value[k];
    out->n_pairs = 0;
    if (!average_weights(value, pairs, RIDGE_LEAST, weight)) {
      if (!only) return STATUS_NO_EVIDENCE;
      continue;
    }
    take_mean(&l, d, &g, weight, out);
    if (o->n_keep) {
      double *sum = ALLOC(n, double);
      for (size_t k = 0; k < pairs; k++)
        if (weight[k] > 0) kernels->axpy(weight[k], l.mode[k], n, sum);
      add_kept(&l, d, o, sum, out);
    }
  }
  return STATUS_OK;
}
