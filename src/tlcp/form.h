/* form.h - the quadratic form of which the best subset is searched.
 *
 * With H_t, g_t and the scales c of borrow.h, columns multiplied by sqrt(c), and q_t = y_t'y_t/s2_t, the coefficients
 * w_t of all domains have the penalised sum of squares
 *
 *   F(w) = sum_t (q_t - 2 g_t'w_t + w_t'H_t w_t) + sum_i w_i'K_i w_i = c0 - 2 b'w + w'A w,
 *
 * with w_i the T coefficients of feature i, which are adjacent in w: coordinate i T + t is feature i of domain t.
 * K_i (T x T) penalises differences, K_i = u_i/2 (I - 11'/T) with a given u_i, or is the inverse of the prior
 * covariance matrix of w_i: with the variances v_i of b_i and d_ti of u_ti,
 *
 *   K_i = (D_i + v_i 11')^-1 = D_i^-1 - D_i^-1 11' D_i^-1 v_i/(1 + v_i sum_t 1/d_ti),  D_i = diag(d_1i, ..., d_Ti).
 *
 * The target alone, given the other domains, has F(w_1) = q_1 - 2 g_1'w_1 + w_1'H_1 w_1 + (w_1 - mu)'P (w_1 - mu) with
 * P and mu of borrow_known(). Coordinates R that no subset leaves out, such as levels, are minimised out of a form,
 *
 *   A_SS - A_SR A_RR^-1 A_RS,  b_S - A_SR A_RR^-1 b_R,  c0 - b_R'A_RR^-1 b_R.
 *
 * Reference: Hoerl and Kennard, Technometrics 12 (1970), for the penalised sum of squares; Mallows, Technometrics 15
 * (1973), for the penalties. Cost and work arrays with N = pT: F takes T^2 p + T p^2 flops; minimising r coordinates
 * out r^3/3 + r^2 N + r N^2 flops and r (N + r) numbers; coefficients N^3/3 flops and N^2 numbers; penalties N^3 flops
 * and 2 N^2 numbers.
 */
#ifndef TRANSELECT_FORM_H
#define TRANSELECT_FORM_H

#include "borrow.h"

/* The parts of F. coupling: p, the u_i; NULL where K_i follows from `variances`, or with one domain. */
typedef struct {
  const borrow_domains *domains; /* H and g are read */
  const double *yy;              /* T: q_t; NULL where c0 is not wanted */
  const double *scale;           /* p: c */
  const borrow_variances *variances;
  const double *coupling;
} form_parts;

/* A: N x N, b: N. The caller allocates both and sets N. */
typedef struct {
  size_t N;
  double *A, *b, c0;
} quadratic_form;

/* F of all coefficients, N = pT. */
void form_of_all(const form_parts *parts, quadratic_form *out);

/* F of the target's coefficients given the other domains, N = p. */
void form_of_target(const form_parts *parts, const borrow_posterior *others, quadratic_form *out);

/* *out <- `whole` with coordinates minimised out, but for the out->N coordinates 0, step, 2 step, ...: with step = 1
 * the first out->N stay. Returns STATUS_SINGULAR where A_RR is not positive definite. */
status form_of_some(const quadratic_form *whole, size_t step, quadratic_form *out);

/* coef (p x T) <- A^-1 b of the form of all coefficients. Returns STATUS_SINGULAR where A is not positive definite. */
status form_coefficients(const quadratic_form *all, int T, double *coef);

/* pen <- penalties by the unbiased estimate of the risk of keeping coordinate i against dropping it, times k/2:
 * pen_i = k h_i/(2 - h_i), h_i = 1 - [A^-1]_ii/prior_i in [1e-6, 1], prior_i the prior variance of the coordinate. With
 * h = 1 and k = 2 this is Mallows' Cp. */
status form_penalties(const quadratic_form *form, const double *prior, double k, double *pen);

#endif
