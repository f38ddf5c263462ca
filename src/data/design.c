/* design.c - see design.h. */
#include "design.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels.h"
#include "port.h"

int design_block(const design *d, size_t *j)
{
  if (*j < d->block[0].p) return 0;
  *j -= d->block[0].p;
  return 1;
}

const double *design_column(const design *d, size_t j, double *buffer)
{
  const block *b = &d->block[design_block(d, &j)];
  if (b->x) return b->x + j * d->n;
  if (b->make) {
    b->make(b->source, j, buffer);
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

typedef struct {
  size_t from, to, base; /* columns from..to-1 of a block whose first column is number base */
} range;

/* The part of columns from..to-1 that lies in block k. */
static range part(const design *d, int k, size_t from, size_t to)
{
  range r = {0, 0, k ? d->block[0].p : 0};
  const size_t end = r.base + d->block[k].p;
  if (from < end && to > r.base) {
    r.from = from > r.base ? from - r.base : 0;
    r.to = (to < end ? to : end) - r.base;
  }
  return r;
}

void design_dots(const design *d, size_t from, size_t to, const double *u, double sum_u,
                 double *out)
{
  for (int k = 0; k < d->n_blocks; k++) {
    const block *b = &d->block[k];
    const range r = part(d, k, from, to);
    const double *c = d->center ? d->center + r.base : NULL;
    double *o = out + (r.base + r.from - from);
    if (r.from == r.to) continue;
    if (b->x)
      kernels->dots(b->x + r.from * d->n, d->n, r.to - r.from, c ? c + r.from : NULL, u, d->n, o);
    else if (b->product)
      products_dots(b->product, r.from, r.to, u, sum_u, c ? c + r.from : NULL, o);
    else
      for (size_t j = r.from; j < r.to; j++)
        o[j - r.from] = sparse_dot(b, j, u) - (c ? c[j] * sum_u : 0);
  }
}

void design_dots_multi(const design *d, size_t from, size_t to, const double *u,
                       const double *sum_u, size_t m, double *out)
{
  for (int k = 0; k < d->n_blocks; k++) {
    const block *b = &d->block[k];
    const range r = part(d, k, from, to);
    for (size_t j = r.from; j < r.to; j++) {
      const double c = d->center ? d->center[r.base + j] : 0;
      double *o = out + (r.base + j - from) * m;
      if (b->x)
        kernels->dots_multi(b->x + j * d->n, c, u, d->n, m, d->n, o);
      else if (b->product)
        products_dots_multi(b->product, j, u, m, c, o);
      else
        for (size_t i = 0; i < m; i++) o[i] = sparse_dot(b, j, u + i * d->n) - c * sum_u[i];
    }
  }
}

#define TINY 1e-140 /* squares of it are not to be trusted */

/* Deviations below this come from rounding: a column that moves less does not move. */
static int accept_moments(size_t n, double mean, double *ss)
{
  const double noise = 64 * DBL_EPSILON * mean;
  if (!isfinite(mean) || !isfinite(*ss)) return 0;
  if (*ss <= noise * noise * (double)n) *ss = 0;
  return 1;
}

/* Of a column whose sum of squares says next to nothing: are its numbers that small, and not all
 * the same? Then it says so because squares of such numbers are 0, or have no digits. */
static int too_small(const double *x, size_t n, int center)
{
  int varies = 0;
  for (size_t i = 0; i < n; i++) {
    if (fabs(x[i]) > TINY) return 0;
    varies |= x[i] != (center ? x[0] : 0);
  }
  return varies;
}

int column_moments(const double *x, const double *v, size_t n, int center, double *mean, double *ss)
{
  *mean = center ? x[0] + kernels->sum(x, x[0], v, n) / (double)n : 0;
  *ss = kernels->spread(x, *mean, v, n);
  if (*ss < TINY * TINY && too_small(x, n, center)) return 0;
  return accept_moments(n, *mean, ss);
}

int design_moments(const design *d, size_t j, const double *v, int center, double *buffer,
                   double *mean, double *ss)
{
  const size_t n = d->n;
  size_t at = j;
  const block *b = &d->block[design_block(d, &at)];
  if (!b->row) return column_moments(design_column(d, j, buffer), v, n, center, mean, ss);
  double sum = 0, weight = 0;
  for (int k = b->start[at]; k < b->start[at + 1]; k++) {
    const double vk = v ? v[b->row[k]] : 1;
    sum += vk * b->value[k];
    weight += vk;
  }
  *mean = center ? sum / (double)n : 0;
  *ss = fmax((double)n - weight, 0) * *mean * *mean; /* the rows that are zero */
  for (int k = b->start[at]; k < b->start[at + 1]; k++) {
    const double e = b->value[k] - *mean;
    *ss += (v ? v[b->row[k]] : 1) * e * e;
  }
  if (*ss < TINY * TINY && too_small(design_column(d, j, buffer), n, center)) return 0;
  return accept_moments(n, *mean, ss);
}
