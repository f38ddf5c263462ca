/* greedy_sample.c - the randomised path: each step takes the best of a few columns drawn at random.
 *
 * Section 3 of the paper (greedy.h): the best of 59 columns drawn at random is among the best 5 % of all columns
 * with probability .95. A step costs candidates * 2n (steps + 1) flops whatever N is; columns that
 * are not drawn are not read.
 *
 * With per_column the ridges are multiplied by the number of columns that can be drawn, at most
 * candidates x steps: these columns share the variance of the prior.
 *
 * Drawing (Fisher-Yates): positions 0..left-1 hold the columns that have not entered, permuted; a hash table stores the
 * positions at which the permutation is not the identity. A step uses `candidates` uniforms given by the caller. Work
 * arrays: those of rows (greedy_problem.h), and the hash table.
 */
#include <math.h>

#include "greedy_rows.h"

typedef struct {
  size_t mask, left;
  size_t *at, *column; /* of each slot: position + 1 (0: empty), and the column at that position */
} urn;

static urn urn_new(size_t N, size_t swaps)
{
  urn u = {15, N, NULL, NULL};
  while (u.mask < 4 * swaps) u.mask = 2 * u.mask + 1;
  u.at = ALLOC(u.mask + 1, size_t);
  u.column = ALLOC(u.mask + 1, size_t);
  return u;
}

static size_t slot(const urn *u, size_t position)
{
  size_t s = (position * (size_t)0x9E3779B1u) & u->mask;
  while (u->at[s] && u->at[s] != position + 1) s = (s + 1) & u->mask;
  return s;
}

static size_t urn_get(const urn *u, size_t position)
{
  const size_t s = slot(u, position);
  return u->at[s] ? u->column[s] : position;
}

static void urn_swap(urn *u, size_t a, size_t b)
{
  const size_t at_a = urn_get(u, a), at_b = urn_get(u, b);
  size_t s = slot(u, a);
  u->at[s] = a + 1;
  u->column[s] = at_b;
  s = slot(u, b);
  u->at[s] = b + 1;
  u->column[s] = at_a;
}

/* Removes the column at `position`. */
static void urn_remove(urn *u, size_t position)
{
  urn_swap(u, position, u->left - 1);
  u->left--;
}

typedef struct {
  size_t position, column;
  double gain, center, scale;
} candidate;

/* *best <- the best of the columns drawn, column N if none can enter. */
static status draw_best(const greedy_problem *b, const greedy_rows *rows, urn *u,
                        const double *draws, candidate *best)
{
  const design *d = rows->d;
  const greedy_options *o = rows->o;
  *best = (candidate){0, d->N, 0, 0, 1};
  size_t m = u->left < (size_t)o->candidates ? u->left : (size_t)o->candidates;
  for (size_t i = 0; i < m; i++) {
    size_t far = i + (size_t)(draws[i] * (double)(u->left - i));
    if (far >= u->left) far = u->left - 1;
    urn_swap(u, i, far);
    candidate c = {i, urn_get(u, i), 0, 0, 1};
    const int is_source = c.column >= d->block[0].p;
    const status s = rows_column(b, rows, c.column, &c.center, &c.scale);
    if (s != STATUS_OK) {
      best->column = c.column;
      return s;
    }
    double a, dd;
    rows_look(b, rows, b->tau[is_source], &a, &dd);
    if (dd <= b->tau[is_source] || (o->positive && is_source && a <= 0)) continue;
    c.gain = a * a / dd;
    const double tie = best->gain * GAIN_TIE;
    if (c.gain > best->gain + tie || (c.gain > best->gain - tie && c.column < best->column))
      *best = c;
  }
  return STATUS_OK;
}

status sampled_path(design *d, greedy_problem *b, const greedy_options *o, size_t *bad)
{
  greedy_rows rows = rows_new(d, o);
  const greedy_products from = products_of_rows(&rows);
  urn u = urn_new(d->N, (size_t)(o->candidates + 2) * o->max_steps + o->n_keep);
  const double looked_at = (double)o->candidates * o->max_steps;
  for (int k = 0; o->per_column && k < d->n_blocks; k++)
    b->tau[k] *= fmin((double)d->block[k].p, looked_at);
  for (int k = 0; k < o->max_steps && !b->done && u.left > 0; k++) {
    candidate c;
    port_poll();
    if (k < o->n_keep) {
      c.column = (size_t)o->keep[k];
      c.position = c.column;
      while (urn_get(&u, c.position) != c.column) /* earlier swaps may have moved the column */
        c.position = urn_get(&u, c.position);
    } else {
      const double *draws = o->draws + (size_t)k * o->candidates;
      const status s = draw_best(b, &rows, &u, draws, &c);
      if (s != STATUS_OK) {
        *bad = c.column;
        return s;
      }
      if (c.column == d->N) continue; /* none of these can enter; a column of the next draw may */
    }
    const int before = b->n_steps;
    const greedy_entry entry = {c.column, k < o->n_keep ? ENTRY_KEPT : ENTRY_BEST, 1};
    const status s = problem_take(b, &from, &entry, o);
    if (s != STATUS_OK) {
      *bad = c.column;
      return s;
    }
    if (b->n_steps > before) problem_record(b, d->n, o);
    urn_remove(&u, c.position);
  }
  return STATUS_OK;
}
