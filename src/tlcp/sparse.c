/* sparse.c - see sparse.h. */
#include "sparse.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"

/* Supports whose share of the average is below exp(-NEGLIGIBLE) of the largest are left out of it. */
#define NEGLIGIBLE 30.0

typedef struct {
  double gain; /* log p without choose() */
  uint64_t key;
  size_t from, column; /* the place of the support that it is made of, and the column that enters */
} candidate;

/* The supports of one size, each in one of `beam` places: k columns, k x k inverse and k means. */
typedef struct {
  size_t n, k;
  double *gain;
  uint64_t *key;
  size_t *column; /* most x beam */
  double *mean;   /* most x beam */
  double *inverse;
} level;

static level new_level(const sparse_model *m)
{
  const size_t most = m->most ? m->most : 1;
  return (level){.gain = ROOM(m->beam, double),
                 .key = ROOM(m->beam, uint64_t),
                 .column = ROOM(m->beam * most, size_t),
                 .mean = ROOM(m->beam * most, double),
                 .inverse = ROOM(m->beam * most * most, double)};
}

/* A fixed random number of column j: a support's key is their sum, so that its columns' order does not matter. */
static uint64_t column_key(size_t j)
{
  uint64_t z = (uint64_t)(j + 1) * UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static int by_gain(const void *a, const void *b)
{
  const candidate *x = a, *y = b;
  if (x->gain != y->gain) return x->gain < y->gain ? 1 : -1;
  if (x->key != y->key) return x->key < y->key ? 1 : -1;
  return x->from < y->from ? -1 : x->from > y->from;
}

/* u = A^-1 h, with h = H_Sj; returns a, and r in *r. */
static double enter(const sparse_model *m, double precision, const level *at, size_t s, size_t j, double *h, double *u,
                    double *r)
{
  const size_t k = at->k, *column = at->column + s * m->most;
  const double *inverse = at->inverse + s * m->most * m->most;
  for (size_t i = 0; i < k; i++) h[i] = m->H[column[i] + j * m->p];
  for (size_t i = 0; i < k; i++) u[i] = dot(inverse + i * k, h, k);
  *r = m->g[j] - dot(h, at->mean + s * m->most, k);
  return m->H[j * (m->p + 1)] + precision - dot(h, u, k);
}

/* The candidates that the supports of `at` make; 0 if some a is not positive. */
static int find_candidates(const sparse_model *m, double v, const level *at, double *h, double *u, candidate *found,
                           size_t *n)
{
  *n = 0;
  for (size_t s = 0; s < at->n; s++) {
    const size_t *column = at->column + s * m->most;
    for (size_t j = 0; j < m->p; j++) {
      int inside = 0;
      for (size_t i = 0; i < at->k; i++) inside |= column[i] == j;
      if (inside) continue;
      double r;
      const double a = enter(m, 1 / v, at, s, j, h, u, &r);
      if (!(a > 0)) return 0;
      found[(*n)++] = (candidate){at->gain[s] + r * r / (2 * a) - log(v * a) / 2, at->key[s] + column_key(j), s, j};
    }
  }
  return 1;
}

/* The support `c` in the next place of `to`. */
static void add_support(const sparse_model *m, double v, const level *at, const candidate *c, double *h, double *u,
                        level *to)
{
  const size_t k = at->k, s = to->n++, most = m->most;
  double r;
  const double a = enter(m, 1 / v, at, c->from, c->column, h, u, &r);
  const double *old = at->inverse + c->from * most * most;
  double *inverse = to->inverse + s * most * most, *mean = to->mean + s * most;
  to->gain[s] = c->gain;
  to->key[s] = c->key;
  memcpy(to->column + s * most, at->column + c->from * most, k * sizeof(size_t));
  to->column[s * most + k] = c->column;
  for (size_t i = 0; i < k; i++) {
    for (size_t l = 0; l < k; l++) inverse[l + i * (k + 1)] = old[l + i * k] + u[l] * u[i] / a;
    inverse[k + i * (k + 1)] = inverse[i + k * (k + 1)] = -u[i] / a;
    mean[i] = at->mean[c->from * most + i] - u[i] * r / a;
  }
  inverse[k + k * (k + 1)] = 1 / a;
  mean[k] = r / a;
}

/* Is the key new? It is stored then. `table` has a power of 2 of places, 0 where there is none. */
static int is_new(uint64_t *table, size_t places, uint64_t key)
{
  if (!key) key = 1;
  size_t at = (size_t)key & (places - 1);
  for (; table[at]; at = (at + 1) & (places - 1))
    if (table[at] == key) return 0;
  table[at] = key;
  return 1;
}

typedef struct {
  double largest, total;
  double *mean, *square;
} sums;

static void add_to_sums(const sparse_model *m, const level *at, double log_choose, sums *all)
{
  const size_t p = m->p, k = at->k;
  for (size_t s = 0; s < at->n; s++) {
    const double log_weight = at->gain[s] - log_choose;
    if (log_weight < all->largest - NEGLIGIBLE) continue;
    if (log_weight > all->largest) {
      const double less = exp(all->largest - log_weight); /* 0 the first time */
      all->total *= less;
      for (size_t i = 0; i < p; i++) all->mean[i] *= less;
      for (size_t i = 0; i < p * p; i++) all->square[i] *= less;
      all->largest = log_weight;
    }
    const double weight = exp(log_weight - all->largest);
    const size_t *column = at->column + s * m->most;
    const double *mean = at->mean + s * m->most, *inverse = at->inverse + s * m->most * m->most;
    all->total += weight;
    for (size_t i = 0; i < k; i++) {
      all->mean[column[i]] += weight * mean[i];
      for (size_t l = 0; l < k; l++)
        all->square[column[l] + column[i] * p] += weight * (inverse[l + i * k] + mean[l] * mean[i]);
    }
  }
}

status sparse_average(const sparse_model *m, sparse_posterior *out)
{
  const size_t p = m->p;
  level now = new_level(m), next = new_level(m);
  double *h = ROOM(p, double), *u = ROOM(p, double);
  candidate *found = ROOM(m->beam * p, candidate);
  size_t places = 4;
  while (places < 4 * m->beam) places *= 2;
  uint64_t *table = ROOM(places, uint64_t);
  sums all = {.largest = -INFINITY, .total = 0, .mean = out->mean, .square = out->square};
  memset(out->mean, 0, p * sizeof(double));
  memset(out->square, 0, p * p * sizeof(double));
  for (size_t t = 0; t < m->n_v; t++) {
    double log_choose = 0;
    now.n = 1;
    now.k = 0;
    now.gain[0] = 0;
    now.key[0] = 0;
    add_to_sums(m, &now, log_choose, &all);
    for (size_t k = 1; k <= m->most; k++) {
      size_t n;
      port_poll();
      if (!find_candidates(m, m->v[t], &now, h, u, found, &n)) return STATUS_SINGULAR;
      qsort(found, n, sizeof(candidate), by_gain);
      memset(table, 0, places * sizeof(uint64_t));
      next.n = 0;
      next.k = k;
      for (size_t i = 0; i < n && next.n < m->beam; i++)
        if (is_new(table, places, found[i].key)) add_support(m, m->v[t], &now, found + i, h, u, &next);
      log_choose += log((double)(p - k + 1) / (double)k);
      add_to_sums(m, &next, log_choose, &all);
      const level swap = now;
      now = next;
      next = swap;
    }
  }
  for (size_t i = 0; i < p; i++) out->mean[i] /= all.total;
  for (size_t i = 0; i < p * p; i++) out->square[i] /= all.total;
  out->log_lik = all.largest + log(all.total / ((double)m->n_v * (double)(m->most + 1)));
  return isfinite(out->log_lik) ? STATUS_OK : STATUS_SINGULAR;
}
