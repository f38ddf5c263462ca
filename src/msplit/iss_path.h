/* iss_path.h - a path of sparse vectors that are constant between events.
 *
 * Events are added one after the other; room grows by doubling (what is left behind is freed with
 * everything else when the call returns). Many paths grow in one and are copied to their size.
 */
#ifndef TRANSELECT_ISS_PATH_H
#define TRANSELECT_ISS_PATH_H

#include <stddef.h>

typedef struct {
  int n_events;
  double *t, *loss;        /* loss: mean loss of the dense estimator */
  double *loo, *df, *reml; /* loo and df may be NAN */
  size_t *start;           /* event k: index and value from start[k] to start[k + 1] */
  size_t *change_start;    /* what changed at event k: j + 1 entered, -(j + 1) left */
  int *index, *change;
  double *value;
  double end;   /* the path is known up to here */
  int complete; /* nothing happens any more */
  size_t room_events, room_values, room_changes;
} iss_path;

/* An empty path with room for a guess at what it will hold. A path of zeros is empty too. */
iss_path iss_path_new(size_t events, size_t values);

/* An event at time t: the support (k columns, ascending) and gamma, from which its values are
 * taken. */
void iss_path_add(iss_path *p, double t, double loss, const int *support, size_t k,
                  const double *gamma);

/* A copy that takes no more room than it needs; it cannot grow. */
void iss_path_copy(const iss_path *from, iss_path *to);

/* The last event up to time t. */
int iss_event_at(const iss_path *path, double t);

#endif
