/* pieces.c - see pieces.h. */
#include "pieces.h"

#include <math.h>
#include <string.h>

#include "kernels.h"

/* ---- rings and scales, once ---- */

/* Finds the rings around centre c in which the rows lie. */
static void find_rings(pieces *s, const double *center, const double *radius, size_t c)
{
  for (size_t i = 0; i < s->m; i++) {
    const double *x = s->rows + i * (s->p + 1);
    double square = 0;
    for (size_t j = 0; j < s->p; j++) {
      const double d = x[j] - center[j * s->centers + c];
      square += d * d;
    }
    size_t low = 0, high = s->radii;
    const double distance = sqrt(square);
    while (low < high) {
      const size_t middle = (low + high) / 2;
      if (radius[middle] <= distance)
        low = middle + 1;
      else
        high = middle;
    }
    s->ring[c * s->m + i] = (unsigned char)low;
  }
}

/* Finds means, scales and mean squares of the columns of centre c's units, from sums by ring: until the last loop mean,
 * own and left hold sums and maxima. */
static void find_scales(pieces *s, const double *v, size_t c, enum share_scale by)
{
  const size_t d = s->p + 1, first = c * s->radii * d;
  double *mean = s->mean + first, *square = s->own + first, *most = s->left + first;
  for (size_t i = 0; i < s->m; i++) {
    const size_t ring = s->ring[c * s->m + i];
    const double *x = s->rows + i * d, share = (v ? v[i] : 1) / (double)s->m;
    if (ring == s->radii) continue;
    for (size_t j = 0, at = ring * d; j < d; j++, at++) {
      mean[at] += share * x[j];
      square[at] += share * x[j] * x[j];
      most[at] = fmax(most[at], fabs(x[j]));
    }
  }
  for (size_t at = 0; at < s->radii * d; at++) {
    if (at >= d) {
      mean[at] += mean[at - d];
      square[at] += square[at - d];
      most[at] = fmax(most[at], most[at - d]);
    }
  }
  for (size_t at = 0; at < s->radii * d; at++) {
    const double about = s->centred ? mean[at] : 0;
    const double left = square[at] - about * about, scale = by == SCALE_MAX ? most[at] : 1;
    const int varies = left > 1e-13 * square[at];
    s->scale[first + at] = !varies ? 0 : by == SCALE_SD ? sqrt(left) : scale;
    mean[at] = about;
    square[at] = varies ? left / (s->scale[first + at] * s->scale[first + at]) : 0;
    most[at] = square[at];
  }
}

pieces *pieces_new(const pieces_of *of, size_t K)
{
  const size_t m = of->m, p = of->p, d = p + 1, q = K + d;
  const size_t columns = of->centers * of->radii * d;
  pieces *s = ALLOC(1, pieces);
  *s = (pieces){.m = m, .p = p, .K = K, .centers = of->centers, .radii = of->radii};
  s->centred = of->centred;
  s->rows = ALLOC(m * d, double);
  for (size_t i = 0; i < m; i++) {
    for (size_t j = 0; j < p; j++) s->rows[i * d + j] = of->x[j * m + i];
    s->rows[i * d + p] = 1;
  }
  s->ring = ALLOC(m * s->centers, unsigned char);
  double **numbers[] = {&s->mean, &s->scale, &s->own, &s->left};
  for (size_t k = 0; k < 4; k++) *numbers[k] = ALLOC(columns, double);
  for (size_t c = 0; c < s->centers; c++) {
    port_poll();
    find_rings(s, of->center, of->radius, c);
    find_scales(s, of->v, c, of->by);
  }
  s->by_row = ALLOC(m * q, double);
  s->total = ALLOC(q, double);
  s->sums = ALLOC((s->radii + 1) * d * q, double);
  s->run = ALLOC(d * q, double);
  return s;
}

/* ---- a round ---- */

/* sums[ring] <- the sum of x_i u_i' over the rows of the ring, the numbers of a column of U together. */
static void add_up(pieces *s, size_t c, size_t q)
{
  const size_t d = s->p + 1;
  memset(s->sums, 0, s->radii * d * q * sizeof(double));
  for (size_t i = 0; i < s->m; i++) {
    const size_t ring = s->ring[c * s->m + i];
    if (ring == s->radii) continue;
    double *to = s->sums + ring * d * q;
    for (size_t l = 0; l < q; l++)
      kernels->axpy(s->by_row[i * q + l], s->rows + i * d, d, to + l * d);
  }
}

/* x_j'u_l / m, x_j column j of the unit, centred and scaled. */
static double product(const pieces *s, size_t unit, size_t j, size_t l)
{
  const size_t d = s->p + 1, at = unit * d + j;
  return (s->run[l * d + j] - s->mean[at] * s->total[l]) / (s->scale[at] * (double)s->m);
}

/* Score and slope of the unit whose sums are in s->run. The score is -1 where all its columns are collinear with the
 * selected ones. */
static double unit_score(pieces *s, const share_view *view, size_t unit, double *slope)
{
  const size_t d = s->p + 1;
  double score = -1;
  *slope = 0;
  for (size_t j = 0; j < d; j++) {
    const size_t at = unit * d + j;
    if (!(s->scale[at] > 0)) continue;
    for (size_t l = 0; l < view->news; l++) {
      const double by = product(s, unit, j, s->K + l);
      s->left[at] -= by * by;
    }
    share_norm norm = {0};
    for (size_t l = 0; l < s->K; l++) share_norm_add(&norm, product(s, unit, j, l));
    double size = share_norm_end(norm);
    *slope += size;
    if (view->rule == SHARE_ORTHOGONAL && s->left[at] < SHARE_LEFT * s->own[at]) continue;
    if (view->rule == SHARE_ORTHOGONAL) size /= sqrt(view->spread * s->left[at] + view->bend);
    score = fmax(score, 0) + size;
  }
  return score;
}

/* Is a unit of centre c among those of this round? */
static int is_wanted(const pieces *s, const share_view *view, size_t c)
{
  if (!view->only) return 1;
  return memchr(view->drawn + c * s->radii, 1, s->radii) != NULL;
}

static share_choice best(void *context, const share_view *view, double *slopes)
{
  pieces *s = context;
  const size_t q = s->K + view->news, width = (s->p + 1) * q;
  share_choice winner = share_none(s->centers * s->radii);
  softmax_by_row(view->p, q, s->by_row, s->total);
  for (size_t u = 0; slopes && u < s->centers * s->radii; u++) slopes[u] = NAN;
  for (size_t c = 0; c < s->centers; c++) {
    if (!view->news && !is_wanted(s, view, c)) continue;
    port_poll();
    add_up(s, c, q);
    memset(s->run, 0, width * sizeof(double));
    for (size_t a = 0; a < s->radii; a++) {
      const size_t unit = c * s->radii + a;
      double slope;
      kernels->axpy(1, s->sums + a * width, width, s->run);
      const double score = unit_score(s, view, unit, &slope);
      if (!share_wanted(view, unit) || !(score > 0)) continue;
      if (slopes) slopes[unit] = slope;
      share_offer(&winner, unit, score, slope);
    }
  }
  return winner;
}

static size_t size(void *context, size_t unit)
{
  const pieces *s = context;
  size_t count = 0;
  for (size_t j = 0; j <= s->p; j++) count += s->scale[unit * (s->p + 1) + j] > 0;
  return count;
}

/* The unit's i-th column among those that vary. */
static void column(void *context, size_t unit, size_t i, double *out)
{
  const pieces *s = context;
  const size_t d = s->p + 1;
  const unsigned char *ring = s->ring + unit / s->radii * s->m;
  size_t j = 0;
  while (!(s->scale[unit * d + j] > 0) || i--) j++;
  const double mean = s->mean[unit * d + j], scale = s->scale[unit * d + j];
  for (size_t k = 0; k < s->m; k++)
    out[k] = ((ring[k] <= unit % s->radii ? s->rows[k * d + j] : 0) - mean) / scale;
}

share_units pieces_units(pieces *s)
{
  return (share_units){.count = s->centers * s->radii,
                       .largest = s->p + 1,
                       .context = s,
                       .best = best,
                       .size = size,
                       .column = column};
}
