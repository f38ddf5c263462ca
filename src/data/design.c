/* design.c - see design.h. */
#include "design.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels.h"
#include "port.h"

/* The block of column *j; *j <- the column's number within that block. */
static int block_of(const design *d, size_t *j)
{
  if (*j < d->block[0].p) return 0;
  *j -= d->block[0].p;
  return 1;
}

const double *design_column(const design *d, size_t j, double *buffer)
{
  const block *b = &d->block[block_of(d, &j)];
  if (b->x) return b->x + j * d->n;
  if (b->make) {
    b->make(b->context, j, buffer);
    return buffer;
  }
  memset(buffer, 0, d->n * sizeof(double));
  for (int k = b->start[j]; k < b->start[j + 1]; k++) buffer[b->row[k]] = b->value[k];
  return buffer;
}

double *design_buffer(const design *d)
{
  for (int k = 0; k < d->n_blocks; k++)
    if (!d->block[k].x && d->block[k].p) return ALLOC(d->n, double);
  return NULL;
}

static double sparse_dot(const block *b, size_t j, const double *u)
{
  double sum = 0;
  for (int k = b->start[j]; k < b->start[j + 1]; k++) sum += b->value[k] * u[b->row[k]];
  return sum;
}

/* The part of a range that lies in block k, numbered within the block; *base <- the number of the block's first
 * column. */
static column_range part(const design *d, int k, column_range range, size_t *base)
{
  *base = k ? d->block[0].p : 0;
  const size_t end = *base + d->block[k].p;
  if (range.from >= end || range.to <= *base) return (column_range){0, 0};
  return (column_range){range.from > *base ? range.from - *base : 0,
                        (range.to < end ? range.to : end) - *base};
}

void design_dots(const design *d, column_range range, const double *u, double sum_u, double *out)
{
  for (int k = 0; k < d->n_blocks; k++) {
    const block *b = &d->block[k];
    size_t base;
    const column_range r = part(d, k, range, &base);
    const double *c = d->center ? d->center + base : NULL;
    double *o = out + (base + r.from - range.from);
    if (r.from == r.to) continue;
    if (b->x)
      kernels->dots(COLUMNS(b->x + r.from * d->n, d->n, r.to - r.from), c ? c + r.from : NULL, u,
                    o);
    else if (b->product)
      products_dots(b->product, r, u, sum_u, c ? c + r.from : NULL, o);
    else
      for (size_t j = r.from; j < r.to; j++)
        o[j - r.from] = sparse_dot(b, j, u) - (c ? c[j] * sum_u : 0);
  }
}

void design_dots_multi(const design *d, column_range range, const double *u, const double *sum_u,
                       size_t m, double *out)
{
  for (int k = 0; k < d->n_blocks; k++) {
    const block *b = &d->block[k];
    size_t base;
    const column_range r = part(d, k, range, &base);
    for (size_t j = r.from; j < r.to; j++) {
      const double c = d->center ? d->center[base + j] : 0;
      double *o = out + (base + j - range.from) * m;
      if (b->x)
        kernels->dots_multi(b->x + j * d->n, c, COLUMNS(u, d->n, m), o);
      else if (b->product)
        products_dots_multi(b->product, j, u, m, c, o);
      else
        for (size_t i = 0; i < m; i++) o[i] = sparse_dot(b, j, u + i * d->n) - c * sum_u[i];
    }
  }
}

#define TINY 1e-140 /* squares of smaller numbers lose digits, or are 0 */

/* Deviations up to `noise` are rounding: a column that varies by no more is constant, and gets ss = 0. */
static mean_and_ss moments_of(double mean, double ss, size_t n)
{
  const double noise = 64 * DBL_EPSILON * mean;
  const int ok = isfinite(mean) && isfinite(ss);
  return (mean_and_ss){ok, mean, ok && ss <= noise * noise * (double)n ? 0 : ss};
}

/* For a column whose sum of squares is nearly 0: are all its numbers TINY, and not all the same? Then it varies, but
 * the squares underflow. */
static int too_small(const double *x, size_t n, int center)
{
  int varies = 0;
  for (size_t i = 0; i < n; i++) {
    if (fabs(x[i]) > TINY) return 0;
    varies |= x[i] != (center ? x[0] : 0);
  }
  return varies;
}

mean_and_ss column_moments(const double *x, const double *v, size_t n, int center)
{
  const double mean = center ? x[0] + kernels->sum(x, x[0], v, n) / (double)n : 0;
  const double ss = kernels->spread(x, mean, v, n);
  if (ss < TINY * TINY && too_small(x, n, center)) return (mean_and_ss){0, mean, ss};
  return moments_of(mean, ss, n);
}

mean_and_ss design_moments(const design *d, size_t j, const double *v, int center, double *buffer)
{
  const size_t n = d->n;
  size_t in_block = j;
  const block *b = &d->block[block_of(d, &in_block)];
  if (!b->row) return column_moments(design_column(d, j, buffer), v, n, center);
  double sum = 0, weight = 0;
  for (int k = b->start[in_block]; k < b->start[in_block + 1]; k++) {
    const double vk = v ? v[b->row[k]] : 1;
    sum += vk * b->value[k];
    weight += vk;
  }
  const double mean = center ? sum / (double)n : 0;
  double ss = fmax((double)n - weight, 0) * mean * mean; /* from rows that are zero */
  for (int k = b->start[in_block]; k < b->start[in_block + 1]; k++) {
    const double e = b->value[k] - mean;
    ss += (v ? v[b->row[k]] : 1) * e * e;
  }
  if (ss < TINY * TINY && too_small(design_column(d, j, buffer), n, center))
    return (mean_and_ss){0, mean, ss};
  return moments_of(mean, ss, n);
}
