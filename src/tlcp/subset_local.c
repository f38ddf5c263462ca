/* subset_local.c - see subset_local.h. */
#include "subset_local.h"

#include <math.h>
#include <string.h>

#include "port.h"
#include "subset_loops.h"

#define SINGULAR 1e-11   /* least size of a pivot, for an A with diagonal 1 */
#define LEAST_GAIN 1e-12 /* a move must lower the value by a larger share of the scale */
#define FRESH 400        /* after so many pivots the tableau is computed anew from A and b */

static void fresh(subset_tableau *s)
{
  const size_t N = s->N;
  for (size_t i = 0; i < N; i++) {
    memcpy(s->t + i * s->ld, s->A + i * N, N * sizeof(double));
    s->t[i * s->ld + N] = s->b[i];
  }
  memcpy(s->t + N * s->ld, s->b, N * sizeof(double));
  s->t[N * s->ld + N] = s->c0;
  memset(s->in, 0, s->p);
  s->pivots = 0;
}

subset_tableau subset_tableau_new(const double *A, const double *b, double c0, size_t p, size_t T)
{
  subset_tableau s = {.p = p, .T = T, .N = p * T, .A = A, .b = b, .c0 = c0};
  s.ld = subset_lines(s.N + 1) * LINE;
  s.t = subset_room((s.N + 1) * s.ld);
  s.row = subset_room(s.ld);
  s.small = ALLOC(2 * T * (2 * T + 1), double);
  s.in = ALLOC(p, unsigned char);
  s.parent = NULL;
  s.barred = ALLOC(p, unsigned char);
  s.inside = ALLOC(p, int);
  s.outside = ALLOC(p, int);
  fresh(&s);
  return s;
}

double subset_tableau_value(const subset_tableau *s)
{
  return s->t[s->N * s->ld + s->N];
}

static void pivot(subset_tableau *s, size_t k)
{
  const size_t ld = s->ld;
  double *u = s->row;
  memcpy(u, s->t + k * ld, ld * sizeof(double));
  const double d = u[k], size = fabs(d);
  subset_loops()->eliminate(s->t, ld, u, d, s->N + 1);
  for (size_t i = 0; i <= s->N; i++) s->t[i * ld + k] = u[i] / size;
  double *own = s->t + k * ld;
  for (size_t j = 0; j < ld; j++) own[j] = u[j] / size;
  own[k] = -1 / d;
  s->pivots++;
}

void subset_tableau_toggle(subset_tableau *s, size_t g)
{
  for (size_t t = 0; t < s->T; t++) pivot(s, g * s->T + t);
  s->in[g] = !s->in[g];
}

void subset_tableau_go(subset_tableau *s, const unsigned char *in)
{
  if (s->pivots > FRESH || !isfinite(subset_tableau_value(s))) fresh(s);
  for (size_t g = 0; g < s->p; g++)
    if (!s->in[g] != !in[g]) subset_tableau_toggle(s, g);
}

/* The change of the corner when q groups are toggled: minus the sum of v_k^2/d_k over the pivots d_k of an
 * elimination. It needs no exchange of rows: t_KK is negative definite inside S and positive definite outside.
 * Infinite where a pivot is too small. */
static double change_of(const subset_tableau *s, const size_t *group, size_t q)
{
  const size_t T = s->T, m = q * T, ld = s->ld;
  double *e = s->small, change = 0;
  for (size_t i = 0; i < m; i++) {
    const double *row = s->t + (group[i / T] * T + i % T) * ld;
    for (size_t j = 0; j < m; j++) e[i * (m + 1) + j] = row[group[j / T] * T + j % T];
    e[i * (m + 1) + m] = row[s->N];
  }
  for (size_t k = 0; k < m; k++) {
    const double *top = e + k * (m + 1), d = top[k];
    if (!(fabs(d) > SINGULAR)) return INFINITY;
    change -= top[m] * top[m] / d;
    for (size_t i = k + 1; i < m; i++) {
      const double a = e[i * (m + 1) + k] / d;
      for (size_t j = k + 1; j <= m; j++) e[i * (m + 1) + j] -= a * top[j];
    }
  }
  return change;
}

static double change_one(const subset_tableau *s, size_t g)
{
  if (s->T > 1) return change_of(s, &g, 1);
  const double d = s->t[g * s->ld + g], v = s->t[g * s->ld + s->N];
  return fabs(d) > SINGULAR ? -v * v / d : INFINITY;
}

/* The change of the corner when group g, inside, is exchanged for h, outside. */
static inline double change_two(const subset_tableau *s, size_t g, size_t h)
{
  if (s->T > 1) return change_of(s, (const size_t[]){g, h}, 2);
  const double *row = s->t + g * s->ld, *other = s->t + h * s->ld;
  const double dg = row[g], dh = other[h], vg = row[s->N], vh = other[s->N], o = row[h];
  const double det = dg * dh - o * o; /* negative */
  if (!(det < SINGULAR * dg)) return INFINITY;
  return -(vg * vg * dh - 2 * vg * vh * o + vh * vh * dg) / det;
}

static double cost(const double *pen, size_t g)
{
  return pen ? pen[g] : 0;
}

/* Marks the groups that may not be toggled: groups that are fixed, and those without which S would not be closed. */
static void bar(const subset_tableau *s)
{
  const size_t p = s->p;
  for (size_t g = 0; g < p; g++) s->barred[g] = s->fixed[g] != 0;
  if (!s->parent) return;
  for (size_t g = 0; g < p; g++)
    for (size_t h = 0; h < p; h++) {
      if (!s->parent[g * p + h]) continue;
      if (s->in[g]) s->barred[h] = 1;
      if (!s->in[h]) s->barred[g] = 1;
    }
}

/* May g, inside and not barred, be exchanged for h, outside and not barred? */
static inline int exchangeable(const subset_tableau *s, size_t g, size_t h)
{
  return !s->parent || !s->parent[h * s->p + g];
}

/* Makes the toggle that lowers the value most; returns 0 where none does. */
static int toggle_best(subset_tableau *s, const double *pen)
{
  double least = -LEAST_GAIN * s->scale;
  size_t best = s->p;
  bar(s);
  for (size_t g = 0; g < s->p; g++) {
    if (s->barred[g]) continue;
    const double change = change_one(s, g) + (s->in[g] ? -1 : 1) * pen[g];
    if (change < least) {
      least = change;
      best = g;
    }
  }
  if (best < s->p) subset_tableau_toggle(s, best);
  return best < s->p;
}

/* Lists the groups inside S, and those outside, that may be toggled. */
static void split(subset_tableau *s, size_t *n_inside, size_t *n_outside)
{
  *n_inside = *n_outside = 0;
  bar(s);
  for (size_t g = 0; g < s->p; g++) {
    if (s->barred[g]) continue;
    if (s->in[g])
      s->inside[(*n_inside)++] = (int)g;
    else
      s->outside[(*n_outside)++] = (int)g;
  }
}

/* Makes the exchange that lowers the value most; returns 0 where none does. */
static int exchange_best(subset_tableau *s, const double *pen)
{
  double least = -LEAST_GAIN * s->scale;
  size_t from = s->p, to = s->p, inside, outside;
  split(s, &inside, &outside);
  for (size_t i = 0; i < inside; i++)
    for (size_t j = 0; j < outside; j++) {
      const size_t g = (size_t)s->inside[i], h = (size_t)s->outside[j];
      if (!exchangeable(s, g, h)) continue;
      const double change = change_two(s, g, h) + cost(pen, h) - cost(pen, g);
      if (change < least) {
        least = change;
        from = g;
        to = h;
      }
    }
  if (from == s->p) return 0;
  subset_tableau_toggle(s, from);
  subset_tableau_toggle(s, to);
  return 1;
}

void subset_local_search(subset_tableau *s, const double *pen, size_t most)
{
  while (most-- > 0)
    if (!(pen && toggle_best(s, pen)) && !exchange_best(s, pen)) return;
}

size_t subset_local_next(const subset_tableau *s, int inside)
{
  double least = INFINITY;
  size_t best = s->p;
  bar(s);
  for (size_t g = 0; g < s->p; g++) {
    if (s->barred[g] || (s->in[g] != 0) != inside) continue;
    const double change = change_one(s, g);
    if (change < least || best == s->p) {
      least = change;
      best = g;
    }
  }
  return best;
}

void subset_local_first(subset_tableau *s, const double *pen, double tie)
{
  for (size_t moves = 0; moves < s->p; moves++) {
    size_t inside, outside, i, j;
    int found = 0;
    split(s, &inside, &outside);
    for (j = 0; j < outside && !found; j++)
      for (i = inside; i-- > 0 && s->inside[i] > s->outside[j];) {
        const size_t g = (size_t)s->inside[i], h = (size_t)s->outside[j];
        if (!exchangeable(s, g, h)) continue;
        if (!(change_two(s, g, h) + cost(pen, h) - cost(pen, g) <= tie)) continue;
        subset_tableau_toggle(s, g);
        subset_tableau_toggle(s, h);
        found = 1;
        break;
      }
    if (!found) return;
  }
}
