/* iss_path.c - see iss_path.h. */
#include "iss_path.h"

#include <math.h>
#include <string.h>

#include "port.h"

#define TIE 1e-12 /* relative difference up to which times are equal */

/* Allocates the arrays of events for `room` events: those of doubles together, and those of sizes together. */
static void events_room(iss_path *p, size_t room)
{
  const size_t used = (size_t)p->n_events;
  double **numbers[] = {&p->t, &p->loss, &p->loo, &p->df, &p->reml},
         *number = ROOM(5 * room, double);
  size_t **places[] = {&p->start, &p->change_start}, *place = ROOM(2 * room, size_t);
  for (size_t k = 0; k < 5; k++, number += room) {
    if (used) memcpy(number, *numbers[k], used * sizeof(double));
    *numbers[k] = number;
  }
  for (size_t k = 0; k < 2; k++, place += room) {
    place[0] = 0;
    if (used) memcpy(place, *places[k], (used + 1) * sizeof(size_t));
    *places[k] = place;
  }
  p->room_events = room;
}

static void *grown(void *old, size_t used, size_t room, size_t size)
{
  char *out = port_room(room, size);
  if (used) memcpy(out, old, used * size);
  return out;
}

static void values_room(iss_path *p, size_t used, size_t room)
{
  p->index = grown(p->index, used, room, sizeof(int));
  p->value = grown(p->value, used, room, sizeof(double));
  p->room_values = room;
}

static void changes_room(iss_path *p, size_t used, size_t room)
{
  p->change = grown(p->change, used, room, sizeof(int));
  p->room_changes = room;
}

iss_path iss_path_new(size_t events, size_t values)
{
  iss_path p = {0};
  events_room(&p, events + 2);
  values_room(&p, 0, values);
  changes_room(&p, 0, events);
  return p;
}

static void make_room(iss_path *p, size_t values, size_t changes)
{
  const size_t used = (size_t)p->n_events;
  if (used + 2 > p->room_events) events_room(p, 2 * p->room_events + 64);
  const size_t v = p->start[used], c = p->change_start[used];
  if (v + values > p->room_values) values_room(p, v, 2 * p->room_values + values + 256);
  if (c + changes > p->room_changes) changes_room(p, c, 2 * p->room_changes + changes + 64);
}

/* to <- the changes between two ascending supports, see iss_path.change_start. Returns their number. */
static size_t changes(const int *old, size_t n_old, const int *new, size_t n_new, int *to)
{
  size_t i = 0, l = 0, count = 0;
  while (i < n_old || l < n_new) {
    if (i < n_old && l < n_new && old[i] == new[l]) {
      i++;
      l++;
    } else if (i == n_old || (l < n_new && new[l] < old[i])) {
      to[count++] = new[l++] + 1;
    } else {
      to[count++] = -(old[i++] + 1);
    }
  }
  return count;
}

void iss_path_add(iss_path *p, double t, double loss, const int *support, size_t k,
                  const double *gamma)
{
  const size_t event = (size_t)p->n_events;
  const size_t k_before = event ? p->start[event] - p->start[event - 1] : 0;
  make_room(p, k, k + k_before);
  const int *before = event ? p->index + p->start[event - 1] : NULL;
  p->t[event] = t;
  p->loss[event] = loss;
  p->loo[event] = p->df[event] = p->reml[event] = NAN;
  const size_t count = changes(before, k_before, support, k, p->change + p->change_start[event]);
  p->change_start[event + 1] = p->change_start[event] + count;
  for (size_t r = 0; r < k; r++) {
    p->index[p->start[event] + r] = support[r];
    p->value[p->start[event] + r] = gamma[support[r]];
  }
  p->start[event + 1] = p->start[event] + k;
  p->n_events++;
}

static void *copied(char **room, const void *from, size_t bytes)
{
  void *to = *room;
  if (bytes) memcpy(to, from, bytes);
  *room += bytes;
  return to;
}

/* All arrays are one piece of memory, those of the widest type first. */
void iss_path_copy(const iss_path *p, iss_path *to)
{
  const size_t m = (size_t)p->n_events, v = p->start[m], c = p->change_start[m];
  const size_t number = sizeof(double), size = sizeof(size_t);
  char *room = port_room((5 * m + v) * number + 2 * (m + 1) * size + (v + c) * sizeof(int), 1);
  *to = (iss_path){.n_events = p->n_events, .end = p->end, .complete = p->complete};
  double *const from[] = {p->t, p->loss, p->loo, p->df, p->reml, p->value};
  double **const into[] = {&to->t, &to->loss, &to->loo, &to->df, &to->reml, &to->value};
  for (size_t k = 0; k < 6; k++) *into[k] = copied(&room, from[k], (k < 5 ? m : v) * number);
  to->start = copied(&room, p->start, (m + 1) * size);
  to->change_start = copied(&room, p->change_start, (m + 1) * size);
  to->index = copied(&room, p->index, v * sizeof(int));
  to->change = copied(&room, p->change, c * sizeof(int));
}

int iss_event_at(const iss_path *path, double t)
{
  int low = 0, high = path->n_events;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (path->t[middle] <= t * (1 + TIE))
      low = middle;
    else
      high = middle;
  }
  return low;
}
