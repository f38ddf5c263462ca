/* stumps.h - decision stumps 1[x_i <= theta] as ShareBoost's columns, which are not stored.
 *
 * Shalev-Shwartz, Wexler & Shashua, NIPS 2011, section 4.1. Units are numbered feature by feature,
 * thresholds ascending: one between every two neighbouring distinct values. With the rows of a
 * feature in ascending order, cumulative sums of R are the products of its stumps: a round takes mpK flops
 * for all stumps, of which there are up to (m - 1) p.
 *
 * Work arrays: R by rows (m (K + 1)), and for the orthogonal rule one number per stump.
 */
#ifndef TRANSELECT_STUMPS_H
#define TRANSELECT_STUMPS_H

#include "shareboost.h"

typedef struct {
  size_t m, p, K;
  const double *x;  /* m x p */
  const int *order; /* m x p: rows (from 1) of each feature in ascending order */
  const double *v;  /* weights of mean one, or NULL */
  int center, unit_variance;
  size_t units;
  size_t *start; /* p + 1: the first stump of every feature */
  double *left;  /* v_r of shareboost.h; NULL without the orthogonal rule */
  double *by_row, *sum, *total;
} stumps;

/* Counts the stumps. `order` must sort x, which is not checked. */
stumps *stumps_new(const double *x, const int *order, size_t m, size_t p);

/* To be called before stumps_units(): stores the settings, makes v_r of all stumps and work arrays. */
void stumps_prepare(stumps *s, const double *v, int center, int unit_variance, int orthogonal,
                    size_t K);

share_units stumps_units(stumps *s);

/* The feature and the threshold of a stump (half way between two values), and centre and scale of its column. */
void stumps_describe(const stumps *s, size_t unit, size_t *feature, double *threshold,
                     double *center, double *scale);

#endif
