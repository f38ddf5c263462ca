/* domains.c - see domains.h. */
#include "domains.h"

#include <string.h>

#include "kernels.h"
#include "port.h"

#define SHORT 16  /* mean length of runs below which rows are added one by one */
#define CHUNK 4   /* columns whose products over a run are made together */
#define STACK 256 /* largest number of domains whose sums for four columns are on the stack */

domains domains_new(const int *of, int K, const double *weights, size_t n)
{
  domains g = {n, K, of, ALLOC(n, double), 0, ALLOC(n + 1, size_t), 0};
  double *total = ALLOC(K, double);
  for (size_t i = 0; i < n; i++) {
    g.share[i] = weights ? weights[i] : 1;
    total[of[i]] += g.share[i];
    if (i == 0 || of[i] != of[i - 1]) g.start[g.n_runs++] = i;
  }
  g.start[g.n_runs] = n;
  for (size_t i = 0; i < n; i++) g.share[i] /= total[of[i]];
  g.mixed = g.n_runs * SHORT > n && g.n_runs > (size_t)K;
  return g;
}

void domain_sums(const domains *g, const double *u, double *sum)
{
  memset(sum, 0, g->K * sizeof(double));
  for (size_t i = 0; i < g->n; i++) sum[g->of[i]] += u[i];
}

/* Run by run, CHUNK columns at a time. */
static void dense_runs(const double *x, const double *c, const domains *g, size_t columns,
                       const double *u, double *out)
{
  double part[CHUNK];
  memset(out, 0, columns * g->K * sizeof(double));
  for (size_t j = 0; j < columns; j += CHUNK) {
    const size_t m = columns - j < CHUNK ? columns - j : CHUNK;
    for (size_t r = 0; r < g->n_runs; r++) {
      const size_t s = g->start[r];
      kernels->dots(VIEW(x + j * g->n + s, g->n, g->start[r + 1] - s, m), c ? c + j : NULL, u + s,
                    part);
      for (size_t k = 0; k < m; k++) out[g->of[s] + (j + k) * g->K] += part[k];
    }
  }
}

/* Row by row, four columns at a time with the four sums of a domain next to each other; the last columns one by one. */
static void dense_mixed(const double *x, const double *c, const domains *g, size_t columns,
                        const double *u, double *out)
{
  const size_t n = g->n, K = (size_t)g->K;
  double sums[4 * STACK], zero[4] = {0, 0, 0, 0};
  size_t j = 0;
  for (; K <= STACK && j + 4 <= columns; j += 4) {
    memset(sums, 0, 4 * K * sizeof(double));
    kernels->scatter4(COLUMNS(x + j * n, n, 4), c ? c + j : zero, u, g->of, sums);
    for (size_t k = 0; k < K; k++)
      for (size_t l = 0; l < 4; l++) out[k + (j + l) * K] = sums[4 * k + l];
  }
  memset(out + j * K, 0, (columns - j) * K * sizeof(double));
  for (; j < columns; j++)
    for (size_t i = 0; i < n; i++) out[g->of[i] + j * K] += (x[i + j * n] - (c ? c[j] : 0)) * u[i];
}

/* Products of columns, run by run and in tiles of rows, added to `out`. */
static void product_runs(const column_products *s, const domains *g, column_range range,
                         const double *u, double *out)
{
  double room[PRODUCTS_TILE], part[CHUNK];
  const size_t K = (size_t)g->K;
  size_t a, b, columns;
  for (size_t j = range.from; j < range.to; j += columns, out += columns * K) {
    columns = products_run(s, j, range.to, &a, &b);
    for (size_t r = 0; r < g->n_runs; r++)
      for (size_t i = g->start[r]; i < g->start[r + 1]; i += PRODUCTS_TILE) {
        const size_t left = g->start[r + 1] - i, rows = left < PRODUCTS_TILE ? left : PRODUCTS_TILE;
        const double *w = products_weigh(s, a, i, rows, u + i, room);
        for (size_t l = 0; l < columns; l += CHUNK) {
          const size_t m = columns - l < CHUNK ? columns - l : CHUNK;
          kernels->dots(VIEW(s->x + (b + l) * g->n + i, g->n, rows, m), NULL, w, part);
          for (size_t k = 0; k < m; k++) out[g->of[i] + (l + k) * K] += part[k];
        }
      }
  }
}

/* Products of columns where runs are short, row by row as in dense_mixed(), added to `out`. */
static void product_mixed(const column_products *s, const domains *g, column_range range,
                          const double *u, double *out)
{
  const size_t K = (size_t)g->K, n = g->n;
  const double zero[4] = {0, 0, 0, 0};
  double room[PRODUCTS_TILE], sums[4 * STACK];
  size_t a, b, columns;
  for (size_t j = range.from; j < range.to; j += columns, out += columns * K) {
    columns = products_run(s, j, range.to, &a, &b);
    size_t fours = K <= STACK ? columns / 4 * 4 : 0;
    for (size_t l = 0; l < fours; l += 4) {
      memset(sums, 0, 4 * K * sizeof(double));
      for (size_t i = 0; i < n; i += PRODUCTS_TILE) {
        const size_t rows = n - i < PRODUCTS_TILE ? n - i : PRODUCTS_TILE;
        const double *w = products_weigh(s, a, i, rows, u + i, room);
        kernels->scatter4(VIEW(s->x + (b + l) * n + i, n, rows, 4), zero, w, g->of + i, sums);
      }
      for (size_t k = 0; k < K; k++)
        for (size_t q = 0; q < 4; q++) out[k + (l + q) * K] += sums[4 * k + q];
    }
    for (size_t l = fours; l < columns; l++)
      for (size_t i = 0; i < n; i++) {
        const double w = a < s->p ? s->x[a * n + i] * u[i] : u[i];
        out[g->of[i] + l * K] += s->x[(b + l) * n + i] * w;
      }
  }
}

/* Adds the sums of a sparse column to `out`. */
static void sparse_column(const block *b, size_t j, const domains *g, const double *u, double *out)
{
  for (int e = b->start[j]; e < b->start[j + 1]; e++)
    out[g->of[b->row[e]]] += b->value[e] * u[b->row[e]];
}

void domain_dots(const design *d, const domains *g, column_range range, const double *u,
                 const double *sum, double *out)
{
  const block *b = &d->block[0]; /* the only block: there are no sources */
  const double *c = d->center ? d->center + range.from : NULL;
  const size_t columns = range.to - range.from, K = (size_t)g->K;
  if (b->x) {
    (g->mixed ? dense_mixed : dense_runs)(b->x + range.from * d->n, c, g, columns, u, out);
    return;
  }
  for (size_t j = 0; j < columns; j++)
    for (size_t k = 0; k < K; k++) out[k + j * K] = c ? -c[j] * sum[k] : 0;
  if (b->product)
    (g->mixed ? product_mixed : product_runs)(b->product, g, range, u, out);
  else
    for (size_t j = 0; j < columns; j++) sparse_column(b, range.from + j, g, u, out + j * K);
}
