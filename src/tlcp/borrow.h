/* borrow.h - the borrowing prior: a hierarchical model of the coefficients of domains.
 *
 * Domains t = 1..T (the target first) share p features. With what_t the least squares of domain t,
 * G_t = X_t'X_t and s2_t its residual variance,
 *   what_t ~ N(w_t, s2_t G_t^-1),  w_ti = sqrt(c_i) (b_i + u_ti),  b ~ N(0, omega2 I),
 *   u_t ~ N(0, tau2_t I),
 * columns scaled by sqrt(c_i). With H_t = G_t/s2_t, g_t = X_t'y_t/s2_t (both scaled),
 *   K_t = I + tau2_t H_t,  M_t = K_t^-1 H_t = (I - K_t^-1)/tau2_t,  a_t = K_t^-1 g_t,
 *   Q = I/omega2 + sum M_t,  bhat = Q^-1 sum a_t,
 * the log marginal likelihood, without the factors 2 pi, is
 *   l = 1/2 sum [log|H_t| - log|K_t|] - 1/2 sum [R_t - tau2_t g_t'a_t] - (p/2) log omega2
 *       - 1/2 log|Q| + 1/2 (sum a)'bhat,                     R_t = what_t'H_t what_t,
 * and with `prior` also - 1/2 sum (log tau2_t - mean log tau2)^2, which keeps one tau2_t from
 * going to zero. H_t may be singular (then log|H_t| is left out), since its inverse is not used.
 * l is maximised over log tau2_t in [log 1e-6, log 100], log omega2 in [log 1e-5, log 100].
 *
 * Scales c: a feature's effects may be large in all domains (Student's t with nu degrees of freedom
 * in place of the normal). Fit; e_i = (bhat_i^2 + (Q^-1)_ii)/omega2 + sum_t [uhat_ti^2 +
 * (tau2_t I - tau2_t^2 M_t + tau2_t^2 M_t Q^-1 M_t)_ii]/tau2_t, uhat_t = tau2_t (a_t - M_t bhat);
 * c_i <- c_i (nu + e_i)/(nu + T + 1) divided by the geometric mean; `rounds` times, then fit.
 *
 * A level (`level`; the last coordinate, a column of ones) has variances of its own, since differences of levels
 * are no evidence on slopes: w_tp = b_p + u_tp with b_p ~ N(0, 100), a diffuse prior,
 * and u_tp ~ N(0, kappa2), kappa2 the same in all domains. In the formulas above the last diagonal
 * elements of tau2_t I and omega2 I are then kappa2 and 100 (K_t = I + H_t D_t), and l is maximised
 * over log kappa2, too. It has no scale c.
 *
 * Cost of one evaluation of l and its gradient: 2 T p^3 flops; 20 to 70 evaluations a fit, few in
 * a refit. Work: (T + 2) p^2 doubles beside the scaled H_t (T p^2).
 */
#ifndef TRANSELECT_BORROW_H
#define TRANSELECT_BORROW_H

#include <stddef.h>

#include "port.h"

typedef struct {
  size_t p;
  int T, level;           /* level: the last coordinate is one */
  const double *const *H; /* T matrices, p x p */
  const double *const *g; /* T vectors, p */
  const double *fit;      /* T: R_t */
  const double *log_det;  /* T: log|H_t|, 0 where H_t is singular */
  const double *size;     /* T: mean squares of the slopes of least squares */
  const int *whole;       /* T: is H_t not singular? */
} borrow_domains;

typedef struct {
  double nu;           /* degrees of freedom of the scales */
  int prior, rounds;   /* rounds: of new scales */
  const double *start; /* NULL, or x (see borrow_prior) from where to search */
} borrow_options;

typedef struct {
  double *tau2; /* T */
  double omega2;
  double kappa2, level_omega2; /* of the level */
  double *scale;               /* p: c */
  double log_lik;              /* with the prior, if there is one, and the scales found */
  int evaluations;
  /* NULL, or the T + 1 (with a level T + 2) logarithms x of tau2, omega2 and kappa2 found: a start for a
   * fit of domains that differ a little from these */
  double *path;
} borrow_prior;

/* The hierarchical model. Without a start the search starts at size/4 and size/4 e^-4, size being the
 * mean of the mean squares of coefficients, and without the prior also with each domain apart. Returns
 * STATUS_NO_EVIDENCE where l could not be evaluated. */
status borrow_fit(const borrow_domains *domains, const borrow_options *options, borrow_prior *out);

/* The first domain by itself: the largest log marginal likelihood of what ~ N(0, omega2 I + H^-1), on
 * the scale of l with c = 1, and log omega2 (`at`). from: NULL, or log omega2 from where to search. */
status borrow_alone(const borrow_domains *domains, const double *from, double *log_lik, double *at);

/* Rows are centred about the means of their domain, which so has a level of its own. */
borrow_domains borrow_without_level(const borrow_domains *domains);

typedef struct {
  double lr;
  double *tau2; /* T */
  double omega2;
  double *path; /* log variances: T + 1 of all, 1 of the target, T (1 if T = 2) of the others */
} borrow_sharing;

/* The evidence that the target shares the component of the other domains: lr = l(all domains) - l(the target alone) -
 * l(the others), with scales 1 and without the prior, for domains without a level. Agreement among the
 * others does not enter it. start: NULL, or a `path`. */
status borrow_ratio(const borrow_domains *domains, const double *start, borrow_sharing *out);

typedef struct {
  double *coef; /* p x T: posterior means b + u_t, in columns scaled by sqrt(c) */
  double *P;    /* p x p: precision of the target's coefficients given the other domains */
  double *m;    /* p: P times their mean mu */
  double c0;    /* mu'P mu */
} borrow_posterior;

typedef struct {
  const double *common,
      *own; /* p, p x T: variances, by coordinate, of what is common and of what is own */
  const double *scale; /* p: c */
} borrow_variances;

typedef struct {
  double *mean, *covariance; /* p, p x p: of what is common, */
  double log_lik;            /* of the other domains: marginal, but for a constant */
} borrow_common;

/* The common coefficients given all domains but the first and the borrowing prior. */
status borrow_others(const borrow_domains *domains, const borrow_variances *known,
                     borrow_common *out);

/* The posterior given all domains and the borrowing prior. */
status borrow_known(const borrow_domains *domains, const borrow_variances *known,
                    borrow_posterior *out);

#endif
