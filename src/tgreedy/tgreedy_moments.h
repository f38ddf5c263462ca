/* tgreedy_moments.h - tgreedy_data from second moments by domain.
 *
 * With mean_k and cross_k the means of domain k and its centred cross products divided by the number of rows, and c the
 * mean over domains of mean_k (0 without an intercept), products about the common centre are
 *
 *   E_k[(x_i - c_i)(x_j - c_j)] = cross_k[i, j] + (mean_ik - c_i)(mean_jk - c_j),
 *
 * from which the m_ik, G_ik and scales of tgreedy.h follow; scale_i^2 is the mean over domains of this for j = i.
 * Work arrays: m (pK) and r2 (K) of tgreedy_data. Cost: see below. */
#ifndef TRANSELECT_TGREEDY_MOMENTS_H
#define TRANSELECT_TGREEDY_MOMENTS_H

#include "tgreedy.h"

typedef struct {
  size_t p; /* features; the response is variable number p */
  int K;
  const double *mean; /* (p + 1) x K: means of each domain */
  const double *
      *cross; /* K: (p + 1) x (p + 1) centred cross products, divided by numbers of rows */
  double *center, *scale;
} tgreedy_moments;

/* Fills center and scale (p + 1 each; the scale of the response is 1) and e (p), and returns the data.
 * Cost O(pK); the products of a feature cost O(pK). */
tgreedy_data tgreedy_from_moments(tgreedy_moments *moments, int intercept, int standardize,
                                  double *e);

#endif
