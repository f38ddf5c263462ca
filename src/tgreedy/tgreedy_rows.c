/* tgreedy_rows.c - see tgreedy_rows.h. */
#include "tgreedy_rows.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"

#define CHUNK 64       /* columns taken at a time */
#define ROUNDING 1e-12 /* a standard deviation up to this share of centre plus mean is rounding */

status tgreedy_scales(design *d, const domains *g, int intercept, int standardize, double *scale,
                      size_t *bad)
{
  const size_t n = d->n;
  double *weight = ALLOC(n, double), *buffer = design_buffer(d);
  for (size_t i = 0; i < n; i++) weight[i] = g->share[i] * (double)n / g->K; /* sums to n */
  d->center = ALLOC(d->N, double);
  for (size_t j = 0; j < d->N; j++) {
    const mean_and_ss m = design_moments(d, j, weight, intercept, buffer);
    if (!m.ok) {
      *bad = j;
      return STATUS_NOT_FINITE;
    }
    d->center[j] = m.mean;
    scale[j] = m.ss > 0 ? (standardize ? sqrt(m.ss / (double)n) : 1) : 0;
  }
  return STATUS_OK;
}

void tgreedy_squares(const tgreedy_others *rows, double *e)
{
  const size_t n = rows->d->n;
  for (size_t j = 0; j < rows->d->N; j++) {
    const double scale = rows->scale[j], *x = design_column(rows->d, j, rows->one);
    e[j] = scale > 0
               ? kernels->spread(x, rows->center[j], rows->g.share, n) / rows->g.K / (scale * scale)
               : 1;
  }
}

/* mean_k E_k X_i X_s, for tgreedy_data.second(). One read of two columns. */
static double second(void *others, size_t i, size_t s)
{
  const tgreedy_others *rows = others;
  const double *x = design_column(rows->d, i, rows->one);
  const double *z = design_column(rows->d, s, rows->other);
  const double cx = rows->center[i], cz = rows->center[s];
  double sum = 0;
  for (size_t r = 0; r < rows->d->n; r++) sum += rows->g.share[r] * (x[r] - cx) * (z[r] - cz);
  return sum / rows->g.K / (rows->scale[i] * rows->scale[s]);
}

/* G[., j] <- sums of scaled column j times u over each domain; rows->sum <- sums of u. */
static void all_products(tgreedy_rows *rows, double *G)
{
  const size_t N = rows->d->N, K = (size_t)rows->g.K;
  const long chunks = (long)((N + CHUNK - 1) / CHUNK);
  domain_sums(&rows->g, rows->u, rows->sum);
#ifdef _OPENMP
  const int threads = rows->d->n * N >= WORTH_THREADS ? rows->threads : 1;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
#endif
  for (long c = 0; c < chunks; c++) {
    const size_t from = (size_t)c * CHUNK, to = from + CHUNK < N ? from + CHUNK : N;
    domain_dots(rows->d, &rows->g, (column_range){from, to}, rows->u, rows->sum, G + from * K);
    for (size_t j = from; j < to; j++)
      for (size_t k = 0; k < K; k++)
        G[k + j * K] = rows->scale[j] > 0 ? G[k + j * K] / rows->scale[j] : 0;
  }
}

/* spread <- standard deviations of column x in the domains, about center + mean[k]; 0 where they are rounding. */
static void standard_deviations(const tgreedy_rows *rows, const double *x, double center,
                                const double *mean, double *spread)
{
  memset(spread, 0, rows->g.K * sizeof(double));
  for (size_t i = 0; i < rows->d->n; i++) {
    const int k = rows->g.of[i];
    const double e = x[i] - center - mean[k];
    spread[k] += rows->g.share[i] * e * e;
  }
  for (int k = 0; k < rows->g.K; k++) {
    spread[k] = sqrt(spread[k]);
    if (spread[k] <= ROUNDING * (fabs(center) + fabs(mean[k]))) spread[k] = 0;
  }
}

static void products(void *context, size_t s, double *G, double *spread)
{
  tgreedy_rows *rows = context;
  const double *x = design_column(rows->d, s, rows->column), center = rows->d->center[s];
  for (size_t i = 0; i < rows->d->n; i++)
    rows->u[i] = (x[i] - center) / rows->scale[s] * rows->g.share[i];
  all_products(rows, G);
  for (int k = 0; k < rows->g.K; k++) rows->sum[k] *= rows->scale[s];
  standard_deviations(rows, x, center, rows->sum, spread);
}

static int by_score(const void *a, const void *b)
{
  const double x = ((const scored *)a)->score, y = ((const scored *)b)->score;
  return (x > y) - (x < y);
}

/* Area under the ROC curve: the weighted share of pairs (positive, negative) in the right order, ties counting
 * half; NAN without pairs. */
static double area(scored *s, size_t n)
{
  double below = 0, right = 0, positives = 0;
  qsort(s, n, sizeof(scored), by_score);
  for (size_t i = 0; i < n;) {
    double tied[2] = {0, 0};
    const double value = s[i].score;
    for (; i < n && s[i].score == value; i++) tied[s[i].positive] += s[i].weight;
    right += tied[1] * (below + tied[0] / 2);
    below += tied[0];
    positives += tied[1];
  }
  const double pairs = positives * below;
  return pairs > 0 ? right / pairs : NAN;
}

static void follow(void *context, int q, const int *feature, const double *change, double *auroc)
{
  tgreedy_rows *rows = context;
  const size_t n = rows->d->n;
  for (int r = 0; r < q; r++) {
    if (change[r] == 0) continue;
    const size_t j = (size_t)feature[r];
    const double *x = design_column(rows->d, j, rows->column);
    const double w = change[r] / rows->scale[j];
    for (size_t i = 0; i < n; i++) rows->score[i] += w * (x[i] - rows->d->center[j]);
  }
  scored *s = rows->sorted;
  for (int k = 0; k < rows->g.K; k++) {
    size_t m = 0;
    for (size_t i = 0; i < n; i++)
      if (rows->g.of[i] == k) s[m++] = (scored){rows->score[i], rows->g.share[i], rows->y[i] > 0};
    auroc[k] = area(s, m);
  }
}

tgreedy_data tgreedy_from_rows(tgreedy_rows *rows, const double *y, int intercept, int classes,
                               const double *e, double *mean)
{
  const size_t n = rows->d->n, N = rows->d->N, K = (size_t)rows->g.K;
  tgreedy_data data = {.p = N,
                       .K = (int)K,
                       .scale = rows->scale,
                       .e = e,
                       .m = ALLOC(N * K, double),
                       .r2 = ALLOC(K, double),
                       .context = rows,
                       .products = products,
                       .second = second,
                       .others = rows->others,
                       .second_of_others = rows->others->d != rows->d,
                       .follow = classes ? follow : NULL};
  rows->u = ALLOC(n, double);
  rows->sum = ALLOC(K, double);
  rows->column = design_buffer(rows->d);
  rows->score = ALLOC(n, double);
  if (classes) rows->sorted = ALLOC(n, scored);
  rows->y = y;
  *mean = 0;
  for (size_t i = 0; intercept && i < n; i++) *mean += rows->g.share[i] * y[i] / (double)K;
  for (size_t i = 0; i < n; i++) {
    const double r = y[i] - *mean;
    rows->u[i] = r * rows->g.share[i];
    data.r2[rows->g.of[i]] += r * rows->u[i];
  }
  all_products(rows, data.m);
  return data;
}
