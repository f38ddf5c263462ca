/* evidence.c - see evidence.h. */
#include "evidence.h"

#include <math.h>
#include <stdlib.h>

#include "blas.h"
#include "kernels.h"

#define PACK 64        /* columns standardised at a time */
#define GRID_X 8       /* 10^(-1, -.5, ..., 2.5) */
#define GRID_H 10      /* the same, 10^3, 10^4 */
#define START_X 4      /* 10 */
#define START_H 2      /* 1 */
#define FULL_GRID 128  /* largest order for which all pairs are tried */
#define MOST_ROWS 1024 /* rows looked at where there are more of both rows and columns */

typedef struct {
  size_t n, N, p, m;     /* m: order of the matrices */
  size_t *row;           /* by_row: the m rows looked at */
  int by_row;            /* m = n, from K_x and K_h; otherwise m = N, from Z'Z */
  double *mean, *factor; /* N: 1/scale, 0 for a column that does not vary */
  double count[2];       /* features and sources that vary */
  double *G[2];          /* by_row: K_x, K_h; else Z'Z, scaled by block, and nothing */
  double *M, *rhs, *ys;
  double yy, df;
} model;

static double alpha_at(int k)
{
  return k == GRID_H - 1 ? 1e4 : pow(10, -1 + .5 * k);
}

static status scan(design *d, const double *v, const greedy_options *o, model *e, double *ss,
                   size_t *bad)
{
  double *buffer = design_buffer(d);
  e->n = d->n;
  e->N = d->N;
  e->p = d->block[0].p;
  e->factor = ALLOC(d->N, double);
  for (size_t j = 0; j < d->N; j++)
    if (!design_moments(d, j, v, o->intercept, buffer, &e->mean[j], &ss[j])) {
      *bad = j;
      return STATUS_NOT_FINITE;
    }
  const double common = greedy_common_scale(ss, e->p, e->N, e->n, o, e->count);
  for (size_t j = 0; j < d->N; j++)
    e->factor[j] = ss[j] > 0 ? 1 / sqrt(greedy_squared_scale(ss[j], j >= e->p, common, o)) : 0;
  return STATUS_OK;
}

/* K_block = Z_b Z_b' / count, lower triangle, from PACK standardised columns at a time. */
static void gram_rows(const design *d, const double *sv, model *e, int block)
{
  const size_t m = e->m, from = block ? e->p : 0, to = block ? e->N : e->p;
  double *K = e->G[block], *pack = ALLOC(m * PACK, double), *line = ALLOC(m, double);
  double *buffer = design_buffer(d);
  for (size_t j0 = from; j0 < to; j0 += PACK) {
    for (size_t c = 0; c < PACK; c++) {
      const size_t j = j0 + c;
      const double *x = j < to ? design_column(d, j, buffer) : NULL;
      const double mean = x ? e->mean[j] : 0, factor = x ? e->factor[j] : 0;
      for (size_t i = 0; i < m; i++) {
        const size_t at = e->row[i];
        pack[c + i * PACK] = x ? (x[at] - mean) * factor * sv[at] : 0;
      }
    }
    for (size_t i = 0; i < m; i++) {
      kernels->dots(pack, PACK, i + 1, NULL, pack + i * PACK, PACK, line);
      for (size_t k = 0; k <= i; k++) K[i + k * m] += line[k] / e->count[block];
    }
    port_poll();
  }
}

/* G = C Z'Z C and rhs = C Z'y, C = diag(1/sqrt(count of the column's block)). */
static void gram_columns(design *d, const double *sv, model *e)
{
  const size_t n = e->n, N = e->N;
  double *u = ALLOC(n, double), *buffer = design_buffer(d), *center = d->center;
  d->center = e->mean;
  for (size_t j = 0; j < N; j++) {
    const double *x = design_column(d, j, buffer);
    double *column = e->G[0] + j * N, sum = 0, zy = 0;
    const double cj = e->factor[j] > 0 ? e->factor[j] / sqrt(e->count[j >= e->p]) : 0;
    for (size_t i = 0; i < n; i++) {
      const double z = (x[i] - e->mean[j]) * cj;
      u[i] = z * sv[i] * sv[i];
      sum += u[i];
      zy += z * sv[i] * e->ys[i];
    }
    design_dots(d, j, N, u, sum, column + j);
    for (size_t k = j; k < N; k++)
      column[k] *= e->factor[k] > 0 ? e->factor[k] / sqrt(e->count[k >= e->p]) : 0;
    e->rhs[j] = zy;
    if (j % 64 == 0) port_poll();
  }
  d->center = center;
}

/* The criterion at one pair of strengths. */
static double criterion(const model *e, double ax, double ah)
{
  const size_t m = e->m;
  const int both = e->count[0] > 0 && e->count[1] > 0;
  double *M = e->M, *r = e->M + m * m, quad = 0, logdet = 0;
  for (size_t j = 0; j < m; j++)
    for (size_t i = j; i < m; i++) {
      const size_t at = i + j * m;
      if (e->by_row)
        M[at] = (i == j) + (e->count[0] > 0 ? e->G[0][at] / ax : 0) +
                (e->count[1] > 0 ? e->G[1][at] / ah : 0);
      else
        M[at] = (i == j) + e->G[0][at] / sqrt((i < e->p ? ax : ah) * (j < e->p ? ax : ah));
    }
  for (size_t i = 0; i < m; i++) r[i] = e->by_row ? e->ys[i] : e->rhs[i] / sqrt(i < e->p ? ax : ah);
  if (blas_chol(M, m) != 0) return NAN;
  blas_forward(M, m, r);
  for (size_t i = 0; i < m; i++) {
    quad += r[i] * r[i];
    logdet += 2 * log(M[i + i * m]);
  }
  if (!e->by_row) quad = e->yy - quad;
  double value = -e->df / 2 * log(quad) - logdet / 2;
  if (both) value -= log(ax / 10) * log(ax / 10) / 8;
  if (e->count[1] > 0) value -= ah < 1 ? log(ah) * log(ah) / (2 * .75 * .75) : log(ah) / 4;
  return value;
}

/* Highest point of the grid: all of it, or from the start to the best neighbour until none is
 * better. value holds what has been evaluated, NAN elsewhere. */
static int climb(const model *e, int nx, int nh, double *value)
{
  int at = (nx > 1 ? START_X : 0) * nh + (nh > 1 ? START_H : 0), full = e->m <= FULL_GRID;
  for (int k = 0; k < nx * nh; k++) value[k] = NAN;
  for (;;) {
    int best = at;
    for (int k = 0; k < nx * nh; k++) {
      const int dx = abs(k / nh - at / nh), dh = abs(k % nh - at % nh);
      if (!full && (dx > 1 || dh > 1)) continue;
      if (isnan(value[k])) value[k] = criterion(e, alpha_at(k / nh), alpha_at(k % nh));
      if (value[k] > value[best] || isnan(value[best])) best = k;
      if (e->m > FULL_GRID) port_poll();
    }
    if (best == at || full) return best;
    at = best;
  }
}

/* Looks for the maximum and reports it. */
static status highest(const model *e, evidence_result *result)
{
  double value[GRID_X * GRID_H];
  const int nx = e->count[0] > 0 ? GRID_X : 1, nh = e->count[1] > 0 ? GRID_H : 1;
  const int best = climb(e, nx, nh, value);
  result->criterion = value[best];
  result->alpha[0] = e->count[0] > 0 ? alpha_at(best / nh) : NAN;
  result->alpha[1] = e->count[1] > 0 ? alpha_at(best % nh) : NAN;
  return isnan(value[best]) ? STATUS_NO_EVIDENCE : STATUS_OK;
}

status evidence(design *d, const double *y, const double *v, const greedy_options *o, double *mean,
                double *ss, evidence_result *result, size_t *bad)
{
  model e = {0};
  double y_mean;
  e.mean = mean;
  status s = scan(d, v, o, &e, ss, bad);
  if (s != STATUS_OK) return s;
  const size_t n = e.n;
  e.by_row = n <= e.N || e.N > MOST_ROWS;
  e.m = !e.by_row ? e.N : n <= MOST_ROWS ? n : MOST_ROWS;
  const size_t m = e.m;
  e.ys = ALLOC(n, double);
  column_moments(y, v, n, o->intercept, &y_mean, &e.yy);
  if (!(e.yy > 0)) return STATUS_CONSTANT_Y;
  double *sv = ALLOC(n, double);
  for (size_t i = 0; i < n; i++) {
    sv[i] = v ? sqrt(v[i]) : 1;
    e.ys[i] = (y[i] - y_mean) * sv[i];
  }
  e.df = (double)(e.by_row ? m : n) - (o->intercept != 0);
  e.row = ALLOC(m, size_t);
  for (size_t i = 0; i < m; i++) e.row[i] = i * n / m;
  e.M = ALLOC(m * (m + 1), double);
  if (e.by_row) {
    for (int b = 0; b < 2; b++)
      if (e.count[b] > 0) {
        e.G[b] = ALLOC(m * m, double);
        gram_rows(d, sv, &e, b);
      }
  } else {
    e.G[0] = ALLOC(e.N * e.N, double);
    e.rhs = ALLOC(e.N, double);
    gram_columns(d, sv, &e);
  }
  return highest(&e, result);
}

status evidence_gram(const gram *g, const greedy_options *o, evidence_result *result)
{
  const size_t N = g->N;
  model e = {.N = N, .p = N, .m = N, .yy = g->yy, .df = g->n - (o->intercept != 0)};
  e.G[0] = ALLOC(N * N, double);
  e.rhs = ALLOC(N, double);
  e.M = ALLOC(N * (N + 1), double);
  double *factor = ALLOC(N, double);
  for (size_t j = 0; j < N; j++) {
    const double ss = g->G[j + j * N];
    e.count[0] += ss > 0;
    factor[j] = ss > 0 ? 1 / sqrt(greedy_squared_scale(ss, 0, 0, o)) : 0;
  }
  for (size_t j = 0; j < N; j++) {
    e.rhs[j] = factor[j] > 0 ? g->b[j] * factor[j] / sqrt(e.count[0]) : 0;
    for (size_t i = j; i < N; i++)
      e.G[0][i + j * N] = e.count[0] > 0 ? g->G[i + j * N] * factor[i] * factor[j] / e.count[0] : 0;
  }
  return highest(&e, result);
}
