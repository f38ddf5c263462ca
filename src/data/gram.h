/* gram.h - the second moments of a design and a response, weights of the rows summing to n: what a
 * fit needs that reads no rows.
 */
#ifndef TRANSELECT_GRAM_H
#define TRANSELECT_GRAM_H

#include <stddef.h>

typedef struct {
  size_t p, N;         /* features; with sources */
  double n;            /* rows */
  const double *G, *b; /* X'X (N x N) and X'y (N), about the means */
  double yy;           /* y'y, the same */
  const double *mean;  /* N; zero without intercept */
  double y_mean;
} gram;

#endif
