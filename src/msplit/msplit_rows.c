/* msplit_rows.c - see msplit_rows.h. */
#include "msplit_rows.h"

#include <math.h>
#include <string.h>

#include "iss_system.h"
#include "kernels.h"

enum { FEW = 3, TOGETHER = 128 }; /* responses */

status msplit_columns(const design *d, const double *weights, const double *root, int intercept,
                      int standardize, double *x, double *center, double *scale, size_t *bad)
{
  const size_t n = d->n;
  double *buffer = design_buffer(d), ss;
  for (size_t j = 0; j < d->N; j++) {
    *bad = j;
    if (!design_moments(d, j, weights, intercept, buffer, center + j, &ss))
      return STATUS_NOT_FINITE;
    scale[j] = !(ss > 0) ? 0 : standardize ? sqrt(ss / (double)n) : 1;
    const double factor = scale[j] > 0 ? 1 / scale[j] : 0, mean = center[j];
    if (!isfinite(factor)) return STATUS_NOT_FINITE;
    const double *from = design_column(d, j, buffer);
    double *to = x + j * n;
    if (root)
      for (size_t i = 0; i < n; i++) to[i] = (from[i] - mean) * factor * sqrt(root[i]);
    else
      for (size_t i = 0; i < n; i++) to[i] = (from[i] - mean) * factor;
  }
  return STATUS_OK;
}

void msplit_response(const double *y, const double *weights, const double *root, size_t n,
                     int intercept, double *out, double *mean)
{
  double ss;
  column_moments(y, weights, n, intercept, mean, &ss);
  for (size_t i = 0; i < n; i++) out[i] = (y[i] - *mean) * (root ? sqrt(root[i]) : 1);
}

static void scores_by_columns(const double *x, size_t n, size_t d, const double *beta, double level,
                              double *out)
{
  const double **column = ALLOC(d, const double *);
  for (size_t j = 0; j < d; j++) column[j] = x + j * n;
  for (size_t i = 0; i < n; i++) out[i] = level;
  kernels->combine(column, beta, d, n, out);
}

void msplit_scores(const double *x, size_t n, size_t d, const double *beta, const double *a0,
                   const int *at, size_t q, double *out)
{
  if (q <= FEW) {
    for (size_t l = 0; l < q; l++)
      scores_by_columns(x, n, d, beta + (size_t)at[l] * d, a0[at[l]], out + l * n);
    return;
  }
  double *turned = ROOM(n * d, double), *some = ROOM(TOGETHER * d, double);
  iss_turn(x, n, d, turned);
  for (size_t from = 0; from < q; from += TOGETHER) {
    const size_t count = q - from < TOGETHER ? q - from : TOGETHER;
    for (size_t l = 0; l < count; l++)
      memcpy(some + l * d, beta + (size_t)at[from + l] * d, d * sizeof(double));
    kernels->cross(turned, d, n, some, d, count, d, out + from * n, n);
    for (size_t l = from; l < from + count; l++)
      for (size_t i = 0; i < n; i++) out[i + l * n] += a0[at[l]];
    port_poll();
  }
}
