/* sparse.c - see sparse.h. */
#include "sparse.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "kernels.h"

/* Supports with weights below exp(-NEGLIGIBLE) times the largest so far are left out of the average. */
#define NEGLIGIBLE 30.0

typedef struct {
  double gain; /* log p without choose() */
  uint64_t key;
  size_t from, column; /* the place of the support to which the column is added, and the column */
} candidate;

/* The supports of one size, each in one of `beam` places: k columns, A^-1 (k x k) and A^-1 g_S; a and r of the columns
 * that may enter, a = 0 for columns of the support. */
typedef struct {
  size_t n, k;
  double *gain;
  uint64_t *key;
  size_t *column; /* most x beam */
  double *mean;   /* most x beam */
  double *inverse;
  double *a, *r; /* p x beam */
} level;

static level new_level(const sparse_model *m)
{
  const size_t most = m->most ? m->most : 1;
  return (level){.gain = ROOM(m->beam, double),
                 .key = ROOM(m->beam, uint64_t),
                 .column = ROOM(m->beam * most, size_t),
                 .mean = ROOM(m->beam * most, double),
                 .inverse = ROOM(m->beam * most * most, double),
                 .a = ROOM(m->beam * m->p, double),
                 .r = ROOM(m->beam * m->p, double)};
}

/* A fixed random number for column j. The key of a support is their sum, so that the order of columns does not
 * matter. */
static uint64_t column_key(size_t j)
{
  uint64_t z = (uint64_t)(j + 1) * UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* Does x come before y? Different supports have different keys, so the order is fixed. */
static int before(const candidate *x, const candidate *y)
{
  if (x->gain != y->gain) return x->gain > y->gain;
  return x->key > y->key;
}

static void exchange(candidate *x, candidate *y)
{
  const candidate swap = *x;
  *x = *y;
  *y = swap;
}

/* Moves the `most` candidates that come first to the front, in some order (Hoare's selection). */
static void select_first(candidate *c, size_t n, size_t most)
{
  size_t low = 0, high = n;
  while (high - low > 1) {
    candidate *pivot = c + high - 1;
    size_t place = low;
    exchange(c + low + (high - low) / 2, pivot);
    for (size_t k = low; k + 1 < high; k++)
      if (before(c + k, pivot)) exchange(c + place++, c + k);
    exchange(c + place, pivot);
    if (place == most || place + 1 == most) return;
    if (place > most)
      high = place;
    else
      low = place + 1;
  }
}

/* Is the key new? If so it is stored. The number of places of `table` is a power of 2; 0: free. */
static int is_new(uint64_t *table, size_t places, uint64_t key)
{
  if (!key) key = 1;
  size_t place = (size_t)key & (places - 1);
  for (; table[place]; place = (place + 1) & (places - 1))
    if (table[place] == key) return 0;
  table[place] = key;
  return 1;
}

/* found <- the candidates for the next size after `at`, each support once; *n <- how many. Returns 0 if some a is not
 * positive. */
static int find_candidates(const sparse_model *m, double v, const level *at, uint64_t *table, size_t places,
                           candidate *found, size_t *n)
{
  *n = 0;
  memset(table, 0, places * sizeof(uint64_t));
  for (size_t s = 0; s < at->n; s++) {
    const double *a = at->a + s * m->p, *r = at->r + s * m->p;
    for (size_t j = 0; j < m->p; j++) {
      if (a[j] == 0) continue;
      if (!(a[j] > 0)) return 0;
      const uint64_t key = at->key[s] + column_key(j);
      if (!is_new(table, places, key)) continue;
      found[(*n)++] = (candidate){at->gain[s] + r[j] * r[j] / (2 * a[j]) - log(v * a[j]) / 2, key, s, j};
    }
  }
  return 1;
}

/* Adds the candidate c to `to`. With u = A^-1 h, h = H_Sc of the column c that enters, and d_j = H_jc - H_jS u, a_j
 * falls by d_j^2/a_c and r_j by d_j r_c/a_c. u: work. */
static void add_support(const sparse_model *m, const level *at, const candidate *c, double *u, level *to)
{
  const size_t k = at->k, p = m->p, s = to->n++, most = m->most, *column = at->column + c->from * most;
  const double *old = at->inverse + c->from * most * most, *H = m->H + c->column * p;
  const double *old_a = at->a + c->from * p, *old_r = at->r + c->from * p;
  const double a = old_a[c->column], r = old_r[c->column];
  double *inverse = to->inverse + s * most * most, *mean = to->mean + s * most;
  double *new_a = to->a + s * p, *new_r = to->r + s * p;
  for (size_t i = 0; i < k; i++) {
    u[i] = 0;
    for (size_t l = 0; l < k; l++) u[i] += old[l + i * k] * H[column[l]];
  }
  memcpy(new_a, H, p * sizeof(double));
  for (size_t i = 0; i < k; i++) kernels->axpy(-u[i], m->H + column[i] * p, p, new_a);
  for (size_t j = 0; j < p; j++) {
    const double d = new_a[j];
    new_a[j] = old_a[j] == 0 ? 0 : old_a[j] - d * d / a;
    new_r[j] = old_r[j] - d * r / a;
  }
  new_a[c->column] = 0;
  to->gain[s] = c->gain;
  to->key[s] = c->key;
  memcpy(to->column + s * most, column, k * sizeof(size_t));
  to->column[s * most + k] = c->column;
  for (size_t i = 0; i < k; i++) {
    for (size_t l = 0; l < k; l++) inverse[l + i * (k + 1)] = old[l + i * k] + u[l] * u[i] / a;
    inverse[k + i * (k + 1)] = inverse[i + k * (k + 1)] = -u[i] / a;
    mean[i] = at->mean[c->from * most + i] - u[i] * r / a;
  }
  inverse[k + k * (k + 1)] = 1 / a;
  mean[k] = r / a;
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

size_t sparse_beam(size_t p, size_t most, size_t beam)
{
  double choose = 1, largest = 1;
  for (size_t k = 1; k <= most; k++) {
    choose *= (double)(p - k + 1) / (double)k;
    if (choose > largest) largest = choose;
  }
  return largest + 0.5 < (double)beam ? (size_t)(largest + 0.5) : beam;
}

status sparse_average(const sparse_model *m, sparse_posterior *out)
{
  const size_t p = m->p;
  level now = new_level(m), next = new_level(m);
  double *u = ROOM(m->most + 1, double);
  candidate *found = ROOM(m->beam * p, candidate);
  size_t places = 4;
  while (places < 2 * m->beam * p) places *= 2;
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
    for (size_t j = 0; j < p; j++) {
      now.a[j] = m->H[j * (p + 1)] + 1 / m->v[t];
      now.r[j] = m->g[j];
    }
    add_to_sums(m, &now, log_choose, &all);
    for (size_t k = 1; k <= m->most; k++) {
      size_t n;
      port_poll();
      if (!find_candidates(m, m->v[t], &now, table, places, found, &n)) return STATUS_SINGULAR;
      if (n > m->beam) select_first(found, n, m->beam);
      next.n = 0;
      next.k = k;
      for (size_t i = 0; i < n && i < m->beam; i++) add_support(m, &now, found + i, u, &next);
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
