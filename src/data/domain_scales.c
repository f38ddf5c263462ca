/* domain_scales.c - see domain_scales.h. */
#include "domain_scales.h"

#include <math.h>

#include "moderate.h"
#include "port.h"

static const double FAR = 10; /* means this many standard deviations apart are far */

static double freedom(const domain_columns *columns, size_t t)
{
  return columns->n[t] > 1 ? columns->n[t] - 1 : 0;
}

void domain_common(const domain_columns *columns, double *within, double *centre)
{
  const size_t q = columns->q, T = columns->T;
  double rows = 0, all = 0;
  for (size_t t = 0; t < T; t++) {
    rows += columns->n[t];
    all += freedom(columns, t);
  }
  for (size_t j = 0; j < q; j++) {
    double sum = 0, mean = 0;
    for (size_t t = 0; t < T; t++) {
      const double spread = columns->spread[j + t * q];
      sum += freedom(columns, t) * spread * spread;
      mean += columns->n[t] * columns->mean[j + t * q];
    }
    within[j] = sqrt(sum / (all > 1 ? all : 1));
    centre[j] = mean / rows;
  }
}

/* Row j of scale <- the moderated standard deviations of column j. work: 4 T. */
static void moderate_column(const domain_columns *columns, size_t j, double *work, double *scale)
{
  const size_t q = columns->q, T = columns->T;
  double *square = work + T, *df = square + T, *shrunk = df + T;
  size_t count = 0;
  for (size_t t = 0; t < T; t++) {
    const double spread = scale[j + t * q] = columns->spread[j + t * q];
    if (!(spread > 0)) continue;
    square[count] = spread * spread;
    df[count++] = freedom(columns, t);
  }
  if (count < 3 || (j + 1 < q && columns->binary[j])) return;
  moderate_by_df(square, df, count, work, shrunk);
  count = 0;
  for (size_t t = 0; t < T; t++)
    if (columns->spread[j + t * q] > 0) scale[j + t * q] = sqrt(shrunk[count++]);
}

static void scales_of_response(const domain_columns *columns, double *scale)
{
  const size_t q = columns->q;
  double sum = 0;
  for (size_t j = 0; j + 1 < q; j++) sum += columns->spread[j] * columns->spread[j];
  const double size = sqrt(sum / (double)(q - 1));
  for (size_t t = 0; t < columns->T; t++) {
    for (size_t j = 0; j + 1 < q; j++)
      scale[j + t * q] = size > 0 ? fmax(size, 2.2250738585072014e-308) : 1;
    scale[q - 1 + t * q] = columns->spread[q - 1];
  }
}

void domain_scales(const domain_columns *columns, enum scaling scaling, const double *within,
                   double *scale)
{
  const size_t q = columns->q, T = columns->T;
  if (scaling == SCALE_RESPONSE) {
    scales_of_response(columns, scale);
    return;
  }
  double *work = ALLOC(4 * T, double);
  for (size_t j = 0; j < q; j++) {
    if (scaling == SCALE_MODERATED) moderate_column(columns, j, work, scale);
    const double target = scaling == SCALE_MODERATED ? scale[j] : columns->spread[j];
    for (size_t t = 0; t < T; t++) {
      double *s = scale + j + t * q;
      if (scaling == SCALE_COMMON) *s = within[j];
      if (*s == 0) *s = target > 0 ? target : within[j];
      if (*s == 0 || (j + 1 < q && columns->binary[j])) *s = 1;
    }
  }
}

int domain_means_are_far(const domain_columns *columns, const double *scale, const double *centre)
{
  const size_t q = columns->q, T = columns->T;
  double rows = 0;
  for (size_t t = 0; t < T; t++) rows += columns->n[t];
  for (size_t j = 0; j < q; j++) {
    double within = 0;
    for (size_t t = 0; t < T; t++) {
      const size_t at = j + t * q;
      if (columns->spread[at] > 0) within += columns->square[at] / (scale[at] * scale[at]) / rows;
    }
    for (size_t t = 0; t < T; t++) {
      const size_t at = j + t * q;
      const double d = (columns->mean[at] - centre[j]) / scale[at], away = d * d;
      const double own = columns->spread[at] > 0
                             ? columns->square[at] / columns->n[t] / (scale[at] * scale[at])
                             : 0;
      if (away > FAR * FAR * within && within > 1e-20 * (own + away)) return 1;
    }
  }
  return 0;
}

double domain_spreads_differ(const domain_columns *columns)
{
  const size_t q = columns->q, T = columns->T;
  double all = 0, none = 1;
  for (size_t t = 0; t < T; t++) all += freedom(columns, t);
  for (size_t j = 0; j < q && T > 1; j++) {
    if (j + 1 < q && columns->binary[j]) continue;
    double within = 0, evidence = -2 * ((double)T - 1);
    for (size_t t = 0; t < T; t++) {
      const double spread = columns->spread[j + t * q];
      within += spread * spread * freedom(columns, t) / all;
    }
    if (!(within > 0)) continue;
    for (size_t t = 0; t < T; t++) {
      const double spread = columns->spread[j + t * q];
      evidence -= freedom(columns, t) * log(fmax(spread * spread / within, 1e-12));
    }
    none *= 1 / (1 + exp(evidence / 2));
  }
  return 1 - none;
}
