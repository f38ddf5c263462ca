/* borrow_features.h - the borrowing prior where the target's slopes may be related for some features and not for
 * others.
 *
 * The model of borrow.h with the same tau2 in all domains, multiplied by a factor f_j for each slope of the target:
 *   b_j ~ N(0, omega2 c_j),  u_1j ~ N(0, tau2 f_j c_j),  u_tj ~ N(0, tau2 c_j) for t > 1,
 *   log f_j ~ N(0, spread^2).
 * A level has variances as in borrow.h. With v_tj the variance of u_tj, D_t = diag(v_t), columns multiplied by sqrt(c),
 *   K_t = I + D_t^1/2 H_t D_t^1/2,  M_t = D_t^-1/2 (I - K_t^-1) D_t^-1/2,  a_t = D_t^-1/2 K_t^-1 D_t^1/2 g_t,
 *   Q = diag(1/omega2) + sum M_t,  bhat = Q^-1 sum a_t,  r_t = a_t - M_t bhat,
 * the log marginal likelihood, without the terms log|H_t| and R_t of borrow.h, is
 *   l = 1/2 sum [g_t'D_t a_t - log|K_t|] + 1/2 (sum a)'bhat - 1/2 log|Q| - (slopes/2) log omega2,
 *   dl/dlog v_tj = v_tj/2 [r_tj^2 - (M_t)_jj + (M_t Q^-1 M_t)_jj],
 *   dl/dlog omega2 = 1/2 sum_j [(bhat_j^2 + (Q^-1)_jj)/omega2 - 1].
 * l - sum log(f_j)^2/(2 spread^2) is maximised over log tau2, log omega2, log kappa2 (in the bounds of borrow.h) and
 * the log f_j. Reference: a linear mixed model in which every random slope of one group has its own variance.
 *
 * Cost of one evaluation: 3 T p^3 flops; 30 to 60 evaluations. Work arrays: those of borrow.h, and (p + 3)^2 doubles.
 */
#ifndef TRANSELECT_BORROW_FEATURES_H
#define TRANSELECT_BORROW_FEATURES_H

#include "borrow.h"

typedef struct {
  const double *scale; /* p: c */
  double spread;
  /* on entry the start, then the maximum */
  double tau2, omega2, kappa2;
  double *factor; /* slopes: f */
  double enough;  /* 0, or with a start near the maximum: see borrow_options */
  double log_lik; /* l less the sum over log(f_j)^2, at the maximum */
  int evaluations;
} borrow_features;

/* Finds the maximum, for domains given by their moments. */
status borrow_by_feature(const borrow_domains *domains, borrow_features *f);

#endif
