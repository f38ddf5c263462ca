/* tgreedy_moments.h - what T-greedy needs (tgreedy_data), from second moments by domain. */
#ifndef TRANSELECT_TGREEDY_MOMENTS_H
#define TRANSELECT_TGREEDY_MOMENTS_H

#include "tgreedy.h"

typedef struct {
  size_t p; /* features; the response is variable number p */
  int K;
  const double *mean;   /* (p + 1) x K: means of each domain */
  const double **cross; /* K: (p + 1) x (p + 1) centred cross products divided by the rows */
  double *center, *scale;
} tgreedy_moments;

/* Fills center and scale (p + 1 each, the response's scale 1) and returns the data. e (p) is filled.
 * Cost O(pK); the products of a feature O(pK) and no read of data. */
tgreedy_data tgreedy_from_moments(tgreedy_moments *moments, int intercept, int standardize,
                                  double *e);

#endif
