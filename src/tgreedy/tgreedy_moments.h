/* tgreedy_moments.h - tgreedy_data from second moments by domain. */
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

/* Fills center and scale (p + 1 each; the scale of the response is 1) and e (p), and returns the data.
 * Cost O(pK); the products of a feature cost O(pK). */
tgreedy_data tgreedy_from_moments(tgreedy_moments *moments, int intercept, int standardize,
                                  double *e);

#endif
