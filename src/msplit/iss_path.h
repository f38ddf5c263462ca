/* iss_path.h - a path of sparse vectors that are constant between events.
 *
 * Events are added one after the other; arrays grow by doubling (old arrays are freed when the call from R returns).
 * Several paths grow in the same arrays one after the other, and are copied to arrays of exact size. Cost: the copies.
 */
#ifndef TRANSELECT_ISS_PATH_H
#define TRANSELECT_ISS_PATH_H

#include <stddef.h>

typedef struct {
  int n_events;
  double *t, *loss;        /* loss: mean loss of the dense estimator */
  double *loo, *df, *reml; /* loo and df may be NAN */
  size_t *start;           /* event k has index and value [start[k]..start[k + 1] - 1] */
  size_t *change_start;    /* the same for change: j + 1: column j enters, -(j + 1): it leaves */
  int *index, *change;
  double *value;
  double end;   /* time up to which the path is computed */
  int complete; /* is there no later event? */
  size_t room_events, room_values, room_changes;
} iss_path;

/* An empty path with room for this many events and values. A struct of zeros is an empty path, too. */
iss_path iss_path_new(size_t events, size_t values);

/* Adds an event at time t with this support (k columns, ascending) and its values in gamma (d). */
void iss_path_add(iss_path *p, double t, double loss, const int *support, size_t k,
                  const double *gamma);

/* *to <- a copy of exact size, which cannot grow. */
void iss_path_copy(const iss_path *from, iss_path *to);

/* The last event up to time t. */
int iss_event_at(const iss_path *path, double t);

#endif
