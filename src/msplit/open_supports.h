/* open_supports.h - the supports of a path's events that are weighed, and their weights.
 *
 * Of each response the events of all nu are taken together. The criterion c of a support is the least of its events', and
 * its weight is exp(-c/2) over the sum of all (average.h): supports of less than `least` times the largest weight are
 * dropped. Work: the events that could be weighed, sorted, and a table of those with criteria near the least.
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

/* most: of columns of a support. To at and weight, with room for all events: the numbers of the events whose supports
 * are weighed, by response, the largest weight first, and their weights, of sum 1 for each response. Returns how many. */
size_t open_supports(const support_events *events, double most, double least, size_t *at,
                     double *weight);

#endif
