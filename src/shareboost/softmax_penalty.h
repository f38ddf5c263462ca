/* softmax_penalty.h - the penalty of the weights of one column, as a function of their differences.
 *
 * A constant added to the weights of a column does not change P, so the penalty is minimised over that constant. With
 * d = (d_1, ..., d_K, 0) the differences to the last class and W_q = d_q - t,
 *
 *   ridge  min_t sum_q (d_q - t)^2 = sum d^2 - (sum d)^2 / k,
 *   l1     min_t (1/beta) sum_q log((e^{beta W_q} + e^{-beta W_q}) / 2),
 *   linf1  min_t (1/beta) log((1/2k) sum_q (e^{beta W_q} + e^{-beta W_q}))
 *          = (1/2beta) (log mean_q e^{beta d_q} + log mean_q e^{-beta d_q}),
 *
 * the last two the smoothed norms of ShareBoost's section 3.3 less their values at W = 0. Cost O(k) flops, of the
 * Hessian O(k^2); no work arrays.
 */
#ifndef TRANSELECT_SOFTMAX_PENALTY_H
#define TRANSELECT_SOFTMAX_PENALTY_H

#include <stddef.h>

enum penalty_kind { PENALTY_RIDGE, PENALTY_L1, PENALTY_LINF1 };

typedef struct {
  enum penalty_kind kind;
  double weight; /* in the objective */
  double beta;   /* sharpness */
  int k;
} penalty;

/* The penalty at d (k - 1 numbers); adds its gradient to g (k - 1). Both times the weight. */
double penalty_value(const penalty *p, const double *d, double *g);

/* Adds the Hessian at d, times the weight, to h[q ld + l]. */
void penalty_curve(const penalty *p, const double *d, double *h, size_t ld);

/* The Hessian at d is diag(b) - b b' / sum b, for linf1 the sum of two such matrices. Adds b (k numbers), or the b of
 * both matrices, to `to`. */
void penalty_bends(const penalty *p, const double *d, double *to);

/* Second derivative in one W_q at W = 0, times the weight. */
double penalty_bend(const penalty *p);

/* The t at which the minimum is taken. */
double penalty_shift(const penalty *p, const double *d);

#endif
