/* msplit_rows.c - see msplit_rows.h. */
#include "msplit_rows.h"

#include <math.h>

#include "kernels.h"

status msplit_columns(const design *d, const msplit_units *units, double *x, double *center,
                      double *scale, size_t *bad)
{
  const size_t n = d->n;
  const double *root = units->root;
  double *buffer = design_buffer(d);
  for (size_t j = 0; j < d->N; j++) {
    *bad = j;
    const mean_and_ss m = design_moments(d, j, units->weights, units->intercept, buffer);
    if (!m.ok) return STATUS_NOT_FINITE;
    center[j] = m.mean;
    scale[j] = !(m.ss > 0) ? 0 : units->standardize ? sqrt(m.ss / (double)n) : 1;
    const double factor = scale[j] > 0 ? 1 / scale[j] : 0, mean = m.mean;
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

void msplit_response(const double *y, size_t n, const msplit_units *units, double *out,
                     double *mean)
{
  const double *root = units->root;
  *mean = column_moments(y, units->weights, n, units->intercept).mean;
  for (size_t i = 0; i < n; i++) out[i] = (y[i] - *mean) * (root ? sqrt(root[i]) : 1);
}
