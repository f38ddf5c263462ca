/* moderate.c - see moderate.h. */
#include "moderate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "port.h"

#define FLOOR 1e-5          /* smaller variances, as shares of the median, are raised to this */
#define LEAST 1e-10         /* the same as shares of the mean weighted by degrees of freedom */
#define LEAST_TRIGAMMA 1e-6 /* if var(e) exceeds the mean trigamma by no more, d0 is infinite */

double trigamma_inverse(double x)
{
  if (x > 1e7) return 1 / sqrt(x);
  if (x < 1e-6) return 1 / x;
  /* Newton's method on 1/trigamma, which is convex and nearly linear, from a start below the root: it converges from
   * one side. */
  double y = .5 + 1 / x;
  for (int k = 0; k < 50; k++) {
    const double tri = port_psigamma(y, 1);
    const double step = tri * (1 - tri / x) / port_psigamma(y, 2);
    y += step;
    if (fabs(step) < 1e-10 * y) break;
  }
  return y;
}

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The median, or where that is zero the median of the positive variances; 0 if no variance is positive. */
static double positive_median(const double *s2, size_t n, double *work)
{
  size_t zero = 0;
  memcpy(work, s2, n * sizeof(double));
  qsort(work, n, sizeof(double), ascending);
  while (zero < n && work[zero] <= 0) zero++;
  if (zero == n) return 0;
  for (int k = 0; k < 2; k++) {
    const size_t from = k ? zero : 0, m = n - from, low = from + (m - 1) / 2, high = from + m / 2;
    const double median = (work[low] + work[high]) / 2;
    if (median > 0) return median;
  }
  return 0;
}

moderation moderate_fit(const double *s2, const int *times, size_t n, double df, double *work)
{
  moderation m = {0, 0};
  if (n < 2) return m;
  const double floor = FLOOR * positive_median(s2, n, work);
  double mean = 0, plain = 0, spread = 0, noise = 0, own = 0, shift = 0, trigamma = 0;
  for (size_t i = 0; i < n; i++) {
    const double v = s2[i] > floor ? s2[i] : floor, half = (times ? times[i] : 1) * df / 2;
    if (!(v > 0)) return m; /* all variances are zero */
    if (half != own) {
      own = half;
      shift = log(half) - port_psigamma(half, 0);
      trigamma = port_psigamma(half, 1);
    }
    work[i] = log(v) + shift;
    mean += work[i] / (double)n;
    plain += v / (double)n;
    noise += trigamma / (double)n;
  }
  for (size_t i = 0; i < n; i++) spread += (work[i] - mean) * (work[i] - mean) / (double)(n - 1);
  const double left = spread - noise;
  if (left > 0) {
    m.d0 = 2 * trigamma_inverse(left);
    m.s02 = exp(mean + port_psigamma(m.d0 / 2, 0) - log(m.d0 / 2));
  } else {
    m.d0 = INFINITY;
    m.s02 = plain;
  }
  return m;
}

double moderated(moderation m, double s2, double df)
{
  if (isinf(m.d0)) return m.s02;
  return (m.d0 * m.s02 + df * s2) / (m.d0 + df);
}

/* work <- log of each variance with df > 0 degrees of freedom, less the mean that it has by chance; returns the mean of
 * trigamma(df/2) over these variances. */
static double log_less_chance(const double *s2, const double *df, size_t n, double least,
                              double *work)
{
  double chance = 0;
  size_t m = 0;
  for (size_t t = 0; t < n; t++) {
    if (!(df[t] > 0)) continue;
    const double half = df[t] / 2;
    work[m++] = log(s2[t] > least ? s2[t] : least) + log(half) - port_psigamma(half, 0);
    chance += port_psigamma(half, 1);
  }
  return chance / (double)m;
}

double moderate_by_df(const double *s2, const double *df, size_t n, double *work, double *out)
{
  double all = 0, within = 0, low = INFINITY, high = 0, mean = 0, left = 0;
  for (size_t t = 0; t < n; t++) {
    all += df[t];
    within += s2[t] * df[t];
  }
  within /= all;
  double least = LEAST * within;
  size_t m = 0;
  for (size_t t = 0; t < n; t++) {
    if (!(df[t] > 0)) continue;
    const double v = work[m++] = s2[t] > least ? s2[t] : least;
    if (v < low) low = v;
    if (v > high) high = v;
  }
  if (low < FLOOR * high) {
    double *sorted = ALLOC(m, double);
    least = fmax(least, FLOOR * positive_median(work, m, sorted));
  }
  const double chance = log_less_chance(s2, df, n, least, work);
  for (size_t k = 0; k < m; k++) mean += work[k] / (double)m;
  for (size_t k = 0; k < m; k++) left += (work[k] - mean) * (work[k] - mean) / ((double)m - 1);
  left -= chance;
  if (left <= LEAST_TRIGAMMA) {
    for (size_t t = 0; t < n; t++) out[t] = within;
    return INFINITY;
  }
  moderation prior = {.d0 = 2 * trigamma_inverse(left)};
  prior.s02 = exp(mean + port_psigamma(prior.d0 / 2, 0) - log(prior.d0 / 2));
  for (size_t t = 0; t < n; t++) out[t] = moderated(prior, s2[t], df[t]);
  return prior.d0;
}
