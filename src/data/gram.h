/* gram.h - the second moments of a design and responses, for least squares without the rows. Weights of the rows have
 * sum n.
 */
#ifndef TRANSELECT_GRAM_H
#define TRANSELECT_GRAM_H

#include <stddef.h>

typedef struct {
  size_t p, N, q;       /* number of features; of features and sources; of responses */
  double n;             /* number of rows */
  const double *G, *b;  /* X'X (N x N) and X'y (N x q), about the means */
  const double *yy;     /* q: y'y of each response, about its mean */
  const double *mean;   /* N: means of the columns; zero without intercept */
  const double *y_mean; /* q: means of the responses; zero without intercept */
} gram;

#endif
