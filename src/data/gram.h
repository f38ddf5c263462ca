/* gram.h - the second moments of a design and responses, from which least squares are fitted without the rows.
 * Weights of the rows have sum n.
 */
#ifndef TRANSELECT_GRAM_H
#define TRANSELECT_GRAM_H

#include <stddef.h>

typedef struct {
  size_t p, N, q;       /* number of features; of features and sources; of responses */
  double n;             /* number of rows */
  const double *G, *b;  /* X'X (N x N) and X'y (N x q), about the means */
  const double *yy;     /* y'y of each response, the same */
  const double *mean;   /* N; zero without intercept */
  const double *y_mean; /* q, the same */
} gram;

#endif
