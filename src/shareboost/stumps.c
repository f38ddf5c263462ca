/* stumps.c - see stumps.h. */
#include "stumps.h"

#include <math.h>
#include <string.h>

/* A walk along the rows of a feature in ascending order, of which `place` have been passed. */
typedef struct {
  const double *x;
  const int *order;
  size_t place;
  double share; /* weight of the rows passed, divided by m */
} walk;

static walk walk_new(const stumps *s, size_t feature)
{
  return (walk){.x = s->x + feature * s->m, .order = s->order + feature * s->m};
}

static double value(const walk *w, size_t place)
{
  return w->x[w->order[place] - 1];
}

/* Passes one row; returns whether a threshold follows it. */
static int walk_on(const stumps *s, walk *w)
{
  const size_t row = (size_t)w->order[w->place] - 1;
  w->share += (s->v ? s->v[row] : 1) / (double)s->m;
  w->place++;
  return w->place < s->m && value(w, w->place - 1) < value(w, w->place);
}

/* Scale and mean square of the column of a stump that is 1 for `share` of the weight. */
static double scale_of(const stumps *s, double share, double *square)
{
  const double raw = s->center ? share * (1 - share) : share;
  const double scale = s->unit_variance ? sqrt(raw) : 1;
  *square = raw / (scale * scale);
  return scale;
}

stumps *stumps_new(const double *x, const int *order, size_t m, size_t p)
{
  stumps *s = ALLOC(1, stumps);
  *s = (stumps){.m = m, .p = p, .x = x, .order = order};
  s->start = ALLOC(p + 1, size_t);
  for (size_t j = 0; j < p; j++) {
    walk w = walk_new(s, j);
    s->start[j + 1] = s->start[j];
    while (w.place < m) s->start[j + 1] += (size_t)walk_on(s, &w);
  }
  s->units = s->start[p];
  return s;
}

void stumps_prepare(stumps *s, const double *v, int center, int unit_variance, int orthogonal,
                    size_t K)
{
  s->K = K;
  s->v = v;
  s->center = center;
  s->unit_variance = unit_variance;
  if (orthogonal) s->left = ALLOC(s->units, double);
  for (size_t j = 0; orthogonal && j < s->p; j++) {
    walk w = walk_new(s, j);
    for (size_t u = s->start[j]; u < s->start[j + 1];)
      if (walk_on(s, &w)) scale_of(s, w.share, s->left + u++);
  }
  s->by_row = ALLOC(s->m * (K + 1), double);
  s->sum = ALLOC(K + 1, double);
  s->total = ALLOC(K + 1, double);
}

/* |g|_1 of the stump at the place of the walk, times m and its scale. */
static double slope_at(const stumps *s, const walk *w)
{
  share_norm norm = {0};
  for (size_t l = 0; l < s->K; l++)
    share_norm_add(&norm, s->sum[l] - (s->center ? w->share * s->total[l] : 0));
  return share_norm_end(norm);
}

/* Updates s->left by the new direction, then returns the score of the stump: -1 where it may not enter or is collinear
 * with the selected ones. */
static double score_at(stumps *s, const share_view *view, const walk *w, size_t unit, double *slope)
{
  double own;
  const double scale = scale_of(s, w->share, &own) * (double)s->m;
  if (view->news) {
    const double q = s->sum[s->K] - (s->center ? w->share * s->total[s->K] : 0);
    s->left[unit] -= q * q / (scale * scale);
  }
  if (!share_wanted(view, unit)) return -1;
  *slope = slope_at(s, w) / scale;
  if (view->rule != SHARE_ORTHOGONAL) return *slope;
  if (s->left[unit] < SHARE_LEFT * own) return -1;
  return *slope / sqrt(view->spread * s->left[unit] + view->bend);
}

static share_choice best(void *context, const share_view *view, double *slopes)
{
  stumps *s = context;
  const size_t q = s->K + view->news;
  share_choice winner = share_none(s->units);
  softmax_by_row(view->p, q, s->by_row, s->total);
  for (size_t j = 0; j < s->p; j++) {
    walk w = walk_new(s, j);
    memset(s->sum, 0, q * sizeof(double));
    for (size_t u = s->start[j]; u < s->start[j + 1];) {
      const double *row = s->by_row + (size_t)(w.order[w.place] - 1) * q;
      for (size_t l = 0; l < q; l++) s->sum[l] += row[l];
      if (!walk_on(s, &w)) continue;
      double slope = 0;
      const double score = score_at(s, view, &w, u, &slope);
      if (slopes) slopes[u] = score >= 0 ? slope : NAN;
      share_offer(&winner, u++, score, slope);
    }
  }
  return winner;
}

static size_t feature_of(const stumps *s, size_t unit)
{
  size_t j = 0;
  while (s->start[j + 1] <= unit) j++;
  return j;
}

/* The walk that has reached a stump, and its feature. */
static walk walk_to(const stumps *s, size_t unit, size_t *feature)
{
  *feature = feature_of(s, unit);
  walk w = walk_new(s, *feature);
  for (size_t u = s->start[*feature];; u++) {
    while (!walk_on(s, &w))
      ;
    if (u == unit) return w;
  }
}

void stumps_describe(const stumps *s, size_t unit, size_t *feature, double *threshold,
                     double *center, double *scale)
{
  double square;
  const walk w = walk_to(s, unit, feature);
  const double low = value(&w, w.place - 1), high = value(&w, w.place);
  const double middle = low + (high - low) / 2;
  *threshold = middle < high ? middle : low;
  *center = s->center ? w.share : 0;
  *scale = scale_of(s, w.share, &square);
}

static size_t size(void *context, size_t unit)
{
  (void)context;
  (void)unit;
  return 1;
}

static void column(void *context, size_t unit, size_t i, double *out)
{
  const stumps *s = context;
  (void)i;
  size_t feature;
  double square;
  const walk w = walk_to(s, unit, &feature);
  const double scale = scale_of(s, w.share, &square), center = s->center ? w.share : 0;
  for (size_t k = 0; k < s->m; k++) out[w.order[k] - 1] = ((k < w.place ? 1 : 0) - center) / scale;
}

share_units stumps_units(stumps *s)
{
  return (share_units){
      .count = s->units, .largest = 1, .context = s, .best = best, .size = size, .column = column};
}
