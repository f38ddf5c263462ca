/* supports_state.c - see supports_state.h. */
#include "supports_state.h"

#include <math.h>
#include <string.h>

#include "kernels.h"

#define EXACT 1e-12 /* squares count as at least this share of y'y */

static const size_t NONE = (size_t)-1;

supports_state supports_state_new(const supports_model *m, double memory)
{
  const size_t p = m->p, K = m->domains, most = m->most;
  supports_state s = {.m = m, .p = p, .K = K, .M = supports_candidates(m)};
  size_t rows = 1;
  for (size_t k = 0; k < K; k++)
    if (m->of[k].r > rows) rows = m->of[k].r;
  s.t = ALLOC(K, int);
  s.w = ALLOC(K, double *);
  for (size_t k = 0; k < K; k++) s.w[k] = ALLOC(m->of[k].r + 1, double);
  s.log_w = ALLOC(K, double);
  s.yy = ALLOC(K, double);
  s.version = ALLOC(K, unsigned);
  s.D = ALLOC((K + 1) * p, double);
  s.C = ALLOC((K + 1) * p, double);
  s.a = ALLOC(s.M, double);
  s.r = ALLOC(s.M, double);
  s.in = ALLOC(most + 1, size_t);
  s.moving = ALLOC(most + 1, size_t);
  s.count = ALLOC(K + 1, size_t);
  s.place = ALLOC(s.M, int);
  s.held = ALLOC(s.M, int);
  s.slot_of = ALLOC(most + 1, int);
  s.inverse = ALLOC(most * most + 1, double);
  s.b = ALLOC(most + 1, double);
  s.h = ALLOC(most + 1, double);
  s.v = ALLOC(p, double);
  s.row = ALLOC(rows, double);
  s.columns = ALLOC(most + 1, const double *);
  s.factors = ALLOC(most + 1, double);
  s.scratch = ALLOC(most * most + 10 * most + rows, double);
  const double each = (double)s.M * sizeof(double), fit = memory / each;
  s.n_slots = most + 2;
  if (fit > (double)s.n_slots) s.n_slots = fit < (double)s.M ? (size_t)fit : s.M + 2;
  if (s.n_slots < most + 2) s.n_slots = most + 2;
  s.slots = ALLOC(s.n_slots, supports_slot);
  for (size_t i = 0; i < s.M; i++) s.place[i] = s.held[i] = -1;
  return s;
}

void supports_weights(const supports_state *s, size_t k, int t, double *w, double *log_w,
                      double *yy)
{
  const supports_rows *of = s->m->of + k;
  const double factor = s->m->t[t] / (double)s->p;
  *log_w = *yy = 0;
  for (size_t i = 0; i < of->r; i++) {
    w[i] = 1 / (1 + factor * of->l[i]);
    *log_w += log(w[i]);
    *yy += w[i] * of->y[i] * of->y[i];
  }
}

void supports_set_domain(supports_state *s, size_t k, int t)
{
  const supports_rows *of = s->m->of + k;
  const size_t p = s->p;
  s->t[k] = t;
  supports_weights(s, k, t, s->w[k], s->log_w + k, s->yy + k);
  s->version[k]++;
  double *D = s->D + (k + 1) * p, *C = s->C + (k + 1) * p;
  for (size_t i = 0; i < of->r; i++) s->row[i] = s->w[k][i] * of->y[i];
  kernels->dots(COLUMNS(of->Z, of->r, p), NULL, s->row, C);
  for (size_t j = 0; j < p; j++) {
    const double *z = of->Z + j * of->r;
    double sum = 0;
    for (size_t i = 0; i < of->r; i++) sum += s->w[k][i] * z[i] * z[i];
    D[j] = sum;
  }
}

/* Makes the blocks of a slot that are not of the present weights. */
static void fill(supports_state *s, supports_slot *slot)
{
  const size_t p = s->p, block = supports_block(s, slot->id), j = slot->id % p;
  int changed = 0;
  for (size_t k = 0; k < s->K; k++) {
    if ((block && block != k + 1) || slot->version[k] == s->version[k]) continue;
    const supports_rows *of = s->m->of + k;
    for (size_t i = 0; i < of->r; i++) s->row[i] = s->w[k][i] * of->Z[i + j * of->r];
    const int whole = block == 0 && s->K > 1;
    kernels->dots(COLUMNS(of->Z, of->r, p), NULL, s->row, slot->column + (whole ? (k + 1) * p : 0));
    slot->version[k] = s->version[k];
    changed = whole;
  }
  if (!changed) return;
  memset(slot->column, 0, p * sizeof(double));
  for (size_t k = 1; k <= s->K; k++) kernels->axpy(1, slot->column + k * p, p, slot->column);
}

/* The slot of a candidate: its own, or that which was not used for longest. */
static size_t find_slot(supports_state *s, size_t id)
{
  size_t oldest = NONE;
  s->tick++;
  if (s->held[id] >= 0) {
    oldest = (size_t)s->held[id];
    s->slots[oldest].used = s->tick;
    fill(s, s->slots + oldest);
    return oldest;
  }
  if (s->made < s->n_slots) {
    oldest = s->made++;
    s->slots[oldest].version = ALLOC(s->K, unsigned);
    s->slots[oldest].column = ROOM(s->M, double);
  } else {
    for (size_t i = 0; i < s->made; i++) {
      const supports_slot *slot = s->slots + i;
      if (s->place[slot->id] < 0 && (oldest == NONE || slot->used < s->slots[oldest].used))
        oldest = i;
    }
    s->held[s->slots[oldest].id] = -1;
  }
  supports_slot *slot = s->slots + oldest;
  s->held[id] = (int)oldest;
  slot->id = id;
  slot->used = s->tick;
  memset(slot->version, 0, s->K * sizeof(unsigned));
  fill(s, slot);
  return oldest;
}

static const double *slot_column(const supports_state *s, size_t slot, size_t block)
{
  const size_t own = supports_block(s, s->slots[slot].id);
  if (own == 0) return s->slots[slot].column + block * s->p;
  return block == 0 || block == own ? s->slots[slot].column : NULL;
}

const double *supports_column(const supports_state *s, size_t q, size_t block)
{
  return slot_column(s, (size_t)s->slot_of[q], block);
}

static double log_left(const supports_state *s, double S)
{
  double all = s->m->rest;
  for (size_t k = 0; k < s->K; k++) all += s->yy[k];
  const double least = EXACT * all;
  return log(S > least ? S : least);
}

double supports_gain(const supports_state *s, size_t id, double a, double r, double S, size_t count)
{
  const double q = (double)count, p = (double)s->p;
  return -0.5 * log(a * supports_g(s, id)) -
         0.5 * s->m->df * (log_left(s, S - r * r / a) - log_left(s, S)) + log((q + 1) / (q + 2)) +
         log((q + 1) / (p - q));
}

/* For every candidate a += to_a v^2 and r += to_r v, v the sum of the columns of P times `by`, and of that of `slot`
 * (NONE: without). */
static void spread(supports_state *s, size_t slot, const double *by, double to_a, double to_r)
{
  const size_t p = s->p, blocks = s->M / p;
  for (size_t block = 0; block < blocks; block++) {
    size_t k = 0;
    const double *x = slot == NONE ? NULL : slot_column(s, slot, block);
    if (x) {
      s->columns[k] = x;
      s->factors[k++] = 1;
    }
    for (size_t q = 0; q < s->q; q++) {
      x = supports_column(s, q, block);
      if (!x || by[q] == 0) continue;
      s->columns[k] = x;
      s->factors[k++] = by[q];
    }
    if (!k) continue;
    memset(s->v, 0, p * sizeof(double));
    kernels->combine(s->columns, s->factors, k, p, s->v);
    double *a = s->a + block * p, *r = s->r + block * p;
    for (size_t i = 0; i < p; i++) {
      a[i] += to_a * s->v[i] * s->v[i];
      r[i] += to_r * s->v[i];
    }
  }
}

void supports_add(supports_state *s, size_t id)
{
  const size_t q = s->q, ld = s->m->most, slot = find_slot(s, id);
  const double floor_a = 1 / supports_g(s, id);
  double a = s->D[id] + floor_a, r = s->C[id];
  for (size_t i = 0; i < q; i++) s->h[i] = 0;
  for (size_t i = 0; i < q; i++) {
    const double *x = slot_column(s, slot, supports_block(s, s->in[i]));
    if (!x) continue;
    const double g = x[s->in[i] % s->p], *column = s->inverse + i * ld;
    for (size_t l = 0; l < q; l++) s->h[l] -= g * column[l];
    r -= g * s->b[i];
  }
  for (size_t i = 0; i < q; i++) {
    const double *x = slot_column(s, slot, supports_block(s, s->in[i]));
    if (x) a += x[s->in[i] % s->p] * s->h[i];
  }
  if (!(a > floor_a)) a = floor_a;
  spread(s, slot, s->h, -1 / a, -r / a);
  for (size_t i = 0; i < q; i++)
    for (size_t l = 0; l < q; l++) s->inverse[l + i * ld] += s->h[l] * s->h[i] / a;
  for (size_t l = 0; l < q; l++) {
    s->inverse[l + q * ld] = s->inverse[q + l * ld] = s->h[l] / a;
    s->b[l] += s->h[l] * r / a;
  }
  s->inverse[q + q * ld] = 1 / a;
  s->b[q] = r / a;
  s->S -= r * r / a;
  s->in[q] = id;
  s->slot_of[q] = (int)slot;
  s->place[id] = (int)q;
  s->count[supports_block(s, id)]++;
  s->q++;
}

void supports_remove(supports_state *s, size_t place)
{
  const size_t q = s->q, ld = s->m->most, last = q - 1, id = s->in[place];
  const double own = s->inverse[place + place * ld], b = s->b[place];
  memcpy(s->h, s->inverse + place * ld, q * sizeof(double));
  spread(s, NONE, s->h, 1 / own, b / own);
  s->a[id] = 1 / own;
  s->r[id] = b / own;
  s->S += b * b / own;
  for (size_t i = 0; i < q; i++)
    for (size_t l = 0; l < q; l++) s->inverse[l + i * ld] -= s->h[l] * s->h[i] / own;
  for (size_t l = 0; l < q; l++) s->b[l] -= s->h[l] * b / own;
  if (place != last) { /* the last column takes its place */
    for (size_t l = 0; l < q; l++) s->inverse[l + place * ld] = s->inverse[l + last * ld];
    for (size_t l = 0; l < q; l++) s->inverse[place + l * ld] = s->inverse[last + l * ld];
    s->inverse[place + place * ld] = s->inverse[last + last * ld];
    s->b[place] = s->b[last];
    s->in[place] = s->in[last];
    s->slot_of[place] = s->slot_of[last];
    s->place[s->in[place]] = (int)place;
  }
  s->place[id] = -1;
  s->count[supports_block(s, id)]--;
  s->q--;
}

void supports_rebuild(supports_state *s)
{
  const size_t p = s->p, q = s->q;
  memset(s->D, 0, p * sizeof(double));
  memset(s->C, 0, p * sizeof(double));
  s->S = s->m->rest;
  for (size_t k = 0; k < s->K; k++) {
    kernels->axpy(1, s->D + (k + 1) * p, p, s->D);
    kernels->axpy(1, s->C + (k + 1) * p, p, s->C);
    s->S += s->yy[k];
  }
  for (size_t i = 0; i < s->M; i++) {
    s->a[i] = s->D[i] + 1 / supports_g(s, i);
    s->r[i] = s->C[i];
  }
  size_t *ids = s->moving;
  memcpy(ids, s->in, q * sizeof(size_t));
  s->q = 0;
  memset(s->count, 0, (s->K + 1) * sizeof(size_t));
  for (size_t i = 0; i < q; i++) supports_add(s, ids[i]);
}
