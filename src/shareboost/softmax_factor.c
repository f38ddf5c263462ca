/* softmax_factor.c - see softmax_factor.h. */
#include "softmax_factor.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels.h"
#include "port.h"

factor factor_new(size_t room, size_t limit, size_t count)
{
  factor f = {.limit = limit > count ? limit : count};
  f.from = ALLOC(room, size_t);
  f.row = ALLOC(room, double *);
  f.dots = ALLOC(count, double);
  return f;
}

size_t factor_block(factor *f, size_t count)
{
  if (f->n + count - f->first > f->limit) f->first = f->n;
  return f->first;
}

/* Row i of L gets memory the first time it is needed; blocks end where they ended before. */
static double *row_of(factor *f, size_t i)
{
  f->from[i] = f->first;
  if (!f->row[i]) f->row[i] = ALLOC(i - f->first + 1, double);
  return f->row[i];
}

int factor_append(factor *f, double *h, size_t ld, size_t count, double least)
{
  const size_t first = f->first, n = f->n - first;
  int raised = 0;
  for (size_t i = 0; i < n; i++) {
    const double *L = f->row[first + i];
    if (i) kernels->dots_multi(L, 0, VIEW(h, ld, i, count), f->dots);
    for (size_t q = 0; q < count; q++)
      h[q * ld + i] = (h[q * ld + i] - (i ? f->dots[q] : 0)) / L[i];
  }
  for (size_t q = 0; q < count; q++) {
    double *b = h + q * ld;
    const size_t own = n + q;
    for (size_t i = n; i < own; i++) {
      const double *L = f->row[first + i];
      b[i] = (b[i] - (i ? dot(L, b, i) : 0)) / L[i];
    }
    const double pivot = b[own] - (own ? dot(b, b, own) : 0);
    const double floor = fmax(least * b[own], DBL_MIN);
    if (!(pivot >= floor && pivot <= DBL_MAX)) raised = 1;
    double *L = row_of(f, f->n);
    memcpy(L, b, own * sizeof(double));
    L[own] = sqrt(pivot >= floor ? pivot : floor);
    f->n++;
  }
  return raised;
}

void factor_forward(const factor *f, double *x)
{
  for (size_t i = 0; i < f->n; i++) {
    const size_t from = f->from[i], own = i - from;
    const double *L = f->row[i];
    x[i] = (x[i] - (own ? dot(L, x + from, own) : 0)) / L[own];
  }
}

void factor_solve(const factor *f, double *x)
{
  factor_forward(f, x);
  for (size_t i = f->n; i-- > 0;) {
    const size_t from = f->from[i], own = i - from;
    const double *L = f->row[i];
    x[i] /= L[own];
    if (own) kernels->axpy(-x[i], L, own, x + from);
  }
}

void factor_empty(factor *f)
{
  f->n = f->first = 0;
}
