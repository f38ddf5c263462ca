/* gram.h - the second moments of a design and a response, from which least squares are fitted without the rows.
 * Weights of the rows have sum n.
 */
#ifndef TRANSELECT_GRAM_H
#define TRANSELECT_GRAM_H

#include <stddef.h>

typedef struct {
  size_t p, N;         /* number of features; of features and sources */
  double n;            /* number of rows */
  const double *G, *b; /* X'X (N x N) and X'y (N), about the means */
  double yy;           /* y'y, the same */
  const double *mean;  /* N; zero without intercept */
  double y_mean;
} gram;

#endif
