/* spans.c - see spans.h. */
#include "spans.h"

#include <math.h>

enum { WAYS = 4 }; /* independent comparisons, which a processor makes at the same time */

span column_span(const double *x, size_t n)
{
  double low[WAYS] = {INFINITY, INFINITY, INFINITY, INFINITY};
  double high[WAYS] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
  size_t i = 0;
  for (; i + WAYS <= n; i += WAYS)
    for (int k = 0; k < WAYS; k++) { /* both comparisons are false for NaN */
      low[k] = x[i + (size_t)k] < low[k] ? x[i + (size_t)k] : low[k];
      high[k] = x[i + (size_t)k] > high[k] ? x[i + (size_t)k] : high[k];
    }
  for (; i < n; i++) {
    low[0] = x[i] < low[0] ? x[i] : low[0];
    high[0] = x[i] > high[0] ? x[i] : high[0];
  }
  for (int k = 1; k < WAYS; k++) {
    low[0] = low[k] < low[0] ? low[k] : low[0];
    high[0] = high[k] > high[0] ? high[k] : high[0];
  }
  return (span){low[0], high[0]};
}

void column_spans(const double *x, size_t n, const int *group, size_t groups, span *out)
{
  for (size_t g = 0; g < groups; g++) out[g] = (span){INFINITY, -INFINITY};
  for (size_t i = 0; i < n; i++) {
    span *of_group = out + group[i];
    if (x[i] < of_group->low) of_group->low = x[i];
    if (x[i] > of_group->high) of_group->high = x[i];
  }
}

/* Reorders x so that numbers before place k are at most x[k] and those behind it at least x[k] (Hoare's quickselect).
 * Returns x[k]. */
static double select_place(double *x, size_t n, size_t k)
{
  size_t from = 0, to = n - 1;
  while (from < to) {
    const double cut = x[k];
    size_t i = from, j = to;
    for (;;) {
      while (x[i] < cut) i++;
      while (cut < x[j]) j--;
      if (i <= j) {
        const double moved = x[i];
        x[i++] = x[j];
        x[j] = moved;
        if (j > 0) j--;
      }
      if (i > j) break;
    }
    if (j < k) from = i;
    if (k < i) to = j;
  }
  return x[k];
}

/* The quantile of stats::quantile(type = 7): interpolated linearly between places. */
static double quantile(double *x, size_t n, double share)
{
  const double place = share * (double)(n - 1);
  const size_t low = (size_t)place;
  const double value = select_place(x, n, low), more = place - (double)low;
  if (!(more > 0)) return value;
  double next = x[low + 1];
  for (size_t i = low + 2; i < n; i++) next = x[i] < next ? x[i] : next;
  return (1 - more) * value + more * next;
}

span column_fences(double *x, size_t n, double times)
{
  const double first = quantile(x, n, .25), third = quantile(x, n, .75);
  return (span){first - times * (third - first), third + times * (third - first)};
}

size_t column_beyond(const double *x, size_t n, span within)
{
  size_t count = 0;
  for (size_t i = 0; i < n; i++) count += x[i] < within.low || x[i] > within.high;
  return count;
}

bounded column_bounded(double *x, size_t n, span within, int *outside)
{
  const span found = column_span(x, n);
  bounded out = {.least = found.low, .largest = found.high};
  if (!(found.low < within.low || found.high > within.high)) return out;
  for (size_t i = 0; i < n; i++) {
    if (!(x[i] < within.low || x[i] > within.high)) continue;
    x[i] = x[i] < within.low ? within.low : within.high;
    outside[i] = 1;
    out.count++;
  }
  return out;
}
