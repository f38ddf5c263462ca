/* open_supports.h - the supports of a path's events that are averaged over, and their weights.
 *
 * The events of a response at all nu are taken together. The criterion c of a support is the least criterion of its
 * events; its weight is exp(-c/2), divided by the sum over all supports (average.h). Supports with less than `least`
 * times the largest weight are dropped. Work arrays: the sorted events, and a hash table of supports. Cost: sorting.
 */
#ifndef TRANSELECT_OPEN_SUPPORTS_H
#define TRANSELECT_OPEN_SUPPORTS_H

#include <stddef.h>

/* Event i is one of response[i] and has the size[i] columns index[start[i]..], ascending. */
typedef struct {
  size_t count;
  const int *response, *size, *index;
  const size_t *start;
  const double *criterion; /* an event whose criterion is NaN is left out */
} support_events;

/* most: the largest number of columns of a support. at, weight (room for all events) <- the numbers of the events whose
 * supports are averaged over, by response and then by descending weight, and their weights, which have sum 1 for each
 * response. Returns how many. */
size_t open_supports(const support_events *events, double most, double least, size_t *at,
                     double *weight);

#endif
