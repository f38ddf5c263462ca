/* tgreedy_units.c - see tgreedy_units.h. */
#include "tgreedy_units.h"

#include <math.h>
#include <string.h>

#include "chol.h"
#include "spd.h"

#define SAME 1e-20 /* a variance up to this share of the squared mean is rounding */

/* Finds the columns of group g that are not left out, and their Cholesky factor; a: work, one number for each. */
static void group_factor(const tgreedy_units *units, size_t g, chol_factor *f, double *a)
{
  const tgreedy_data *data = units->data;
  const column_groups *groups = units->groups;
  size_t *column = units->column + groups->start[g];
  f->k = 0;
  for (size_t c = groups->start[g]; c < groups->start[g + 1]; c++) {
    const size_t j = groups->column[c], rank = f->k;
    if (!(data->scale[j] > 0)) continue;
    for (size_t r = 0; r < rank; r++) a[r] = data->second(data->others, j, column[r]);
    if (chol_append(f, a, data->e[j], NULL, TGREEDY_COLLINEAR * data->e[j])) column[rank] = j;
  }
}

tgreedy_units units_new(const tgreedy_data *data, const column_groups *groups)
{
  tgreedy_units units = {.n = data->p, .data = data, .groups = groups};
  if (!groups) return units;
  size_t most = 1;
  units.n = groups->n;
  units.rank = ALLOC(groups->n, int);
  units.column = ALLOC(data->p, size_t);
  units.L = ALLOC(groups->n, double *);
  for (size_t g = 0; g < groups->n; g++) {
    const size_t m = groups->start[g + 1] - groups->start[g];
    if (m > most) most = m;
  }
  chol_factor factor = chol_new(most, 0);
  double *a = ALLOC(most, double);
  units.z = ALLOC(most * ((size_t)data->K + 1), double);
  for (size_t g = 0; g < groups->n; g++) {
    group_factor(&units, g, &factor, a);
    const size_t d = factor.k;
    units.rank[g] = (int)d;
    if (d < 2) continue;
    units.L[g] = ALLOC(d * d, double);
    for (size_t r = 0; r < d; r++)
      memcpy(units.L[g] + r * d, factor.L + r * factor.ld, (r + 1) * sizeof(double));
  }
  return units;
}

int unit_rank(const tgreedy_units *units, size_t u)
{
  return units->groups ? units->rank[u] : units->data->scale[u] > 0;
}

size_t unit_column(const tgreedy_units *units, size_t u, int c)
{
  return units->groups ? units->column[units->groups->start[u] + (size_t)c] : u;
}

/* units->z <- z_k of all domains, K numbers for each coordinate; returns their means (d). */
static const double *group_effects(const tgreedy_units *units, size_t u)
{
  const size_t d = (size_t)units->rank[u], K = (size_t)units->data->K;
  double *z = units->z, *mean = z + d * K;
  for (size_t r = 0; r < d; r++)
    memcpy(z + r * K, units->data->m + unit_column(units, u, (int)r) * K, K * sizeof(double));
  spd_rows(units->L[u], d, d, z, K);
  for (size_t r = 0; r < d; r++) {
    mean[r] = 0;
    for (size_t k = 0; k < K; k++) mean[r] += z[k + r * K] / (double)K;
  }
  return mean;
}

/* The sum of squares about their mean of the K numbers at m; *mean <- the mean. */
static double sum_about_mean(const double *m, int K, double *mean)
{
  double ss = 0;
  *mean = 0;
  for (int k = 0; k < K; k++) *mean += m[k] / K;
  for (int k = 0; k < K; k++) ss += (m[k] - *mean) * (m[k] - *mean);
  return ss;
}

void unit_effects(const tgreedy_units *units, size_t u, double *mu, double *s2)
{
  const int K = units->data->K, d = unit_rank(units, u);
  if (d == 1) {
    const size_t i = unit_column(units, u, 0);
    const double e = units->data->e[i];
    const double ss = sum_about_mean(units->data->m + i * (size_t)K, K, mu);
    *mu /= sqrt(e);
    *s2 = K > 1 ? ss / (K - 1) / e : 0;
    return;
  }
  group_effects(units, u);
  double square = 0, total = 0;
  for (int r = 0; r < d; r++) {
    double mean;
    const double ss = sum_about_mean(units->z + (size_t)r * (size_t)K, K, &mean);
    square += mean * mean;
    total += ss;
  }
  *mu = sqrt(square);
  *s2 = K > 1 ? total / (K - 1) : 0;
}

void unit_step(const tgreedy_units *units, size_t u, double *step)
{
  const size_t d = (size_t)unit_rank(units, u);
  const int K = units->data->K;
  if (d == 1) {
    const size_t i = unit_column(units, u, 0);
    sum_about_mean(units->data->m + i * (size_t)K, K, step);
    *step /= units->data->e[i];
    return;
  }
  memcpy(step, group_effects(units, u), d * sizeof(double));
  kernels->upper(units->L[u], d, d, step);
}

double unit_moderated(const tgreedy_units *units, size_t u, moderation prior, double s2)
{
  const int d = unit_rank(units, u);
  return d * moderated(prior, s2 / d, d * (units->data->K - 1.));
}

double unit_t(const tgreedy_units *units, size_t u, double mu, double s2, double d0)
{
  const int K = units->data->K, d = unit_rank(units, u);
  if (K < 2) return NAN;
  if (mu == 0) return 0;
  if (s2 <= SAME * mu * mu) return mu > 0 ? INFINITY : -INFINITY;
  if (d == 1) return mu / sqrt(s2 / K);
  return port_t_of_f(K * mu * mu / s2, d, d0 + d * (K - 1.), d0 + K - 1);
}
