/* open_supports.c - see open_supports.h. */
#include "open_supports.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "average.h"
#include "port.h"

typedef struct {
  int response;
  double criterion;
  size_t event;
} candidate;

/* Order by response, then criterion, then number of the event. */
static int earlier(const void *first, const void *second)
{
  const candidate *a = first, *b = second;
  if (a->response != b->response) return a->response < b->response ? -1 : 1;
  if (a->criterion != b->criterion) return a->criterion < b->criterion ? -1 : 1;
  return a->event < b->event ? -1 : 1;
}

/* to <- the candidates in this order. Returns their number. */
static size_t sorted(const support_events *e, double most, candidate *to)
{
  size_t count = 0;
  for (size_t i = 0; i < e->count; i++)
    if (e->size[i] <= most && !isnan(e->criterion[i]))
      to[count++] = (candidate){e->response[i], e->criterion[i], i};
  qsort(to, count, sizeof(candidate), earlier);
  return count;
}

static int same(const support_events *e, size_t a, size_t b)
{
  const size_t k = (size_t)e->size[a];
  return e->size[a] == e->size[b] &&
         (k == 0 || memcmp(e->index + e->start[a], e->index + e->start[b], k * sizeof(int)) == 0);
}

/* A hash table of supports. The number of slots is a power of 2, at least twice the number of supports. */
typedef struct {
  size_t *event, mask; /* of each slot: 1 + the number of an event; 0: free */
} support_table;

/* Puts the support of event i into the table; returns 0 if it is already there. */
static int put(support_table *t, const support_events *e, size_t i)
{
  uint64_t hash = 14695981039346656037u;
  for (int c = 0; c < e->size[i]; c++)
    hash = (hash ^ (uint64_t)e->index[e->start[i] + (size_t)c]) * 1099511628211u;
  size_t slot = (size_t)(hash ^ hash >> 29) & t->mask;
  for (; t->event[slot]; slot = (slot + 1) & t->mask)
    if (same(e, t->event[slot] - 1, i)) return 0;
  t->event[slot] = i + 1;
  return 1;
}

/* open_supports() for one response with `count` candidates. */
static size_t open_of_response(const support_events *e, const candidate *c, size_t count,
                               double least, size_t *slots, size_t *at, double *weight)
{
  support_table table = {.event = slots, .mask = 1};
  size_t found = 0, kept = 0;
  while (table.mask < 2 * count) table.mask *= 2;
  memset(slots, 0, table.mask-- * sizeof(size_t));
  for (size_t k = 0; k < count && c[k].criterion <= c[0].criterion - 2 * log(least); k++) {
    if (!put(&table, e, c[k].event)) continue;
    at[found] = c[k].event;
    weight[found++] = -c[k].criterion / 2;
  }
  average_weights(weight, found, least, weight);
  for (size_t k = 0; k < found; k++) {
    if (!(weight[k] > 0)) continue;
    at[kept] = at[k];
    weight[kept++] = weight[k];
  }
  return kept;
}

size_t open_supports(const support_events *e, double most, double least, size_t *at, double *weight)
{
  candidate *all = ROOM(e->count, candidate);
  const size_t count = sorted(e, most, all);
  size_t *slots = ROOM(4 * count + 1, size_t), found = 0;
  for (size_t from = 0, to = 0; from < count; from = to) {
    while (to < count && all[to].response == all[from].response) to++;
    found += open_of_response(e, all + from, to - from, least, slots, at + found, weight + found);
  }
  return found;
}
