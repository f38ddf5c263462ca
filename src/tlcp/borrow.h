/* borrow.h - the borrowing prior: a hierarchical model of the coefficients of domains.
 *
 * Domains t = 1..T (the target first) have the same p features. With what_t the least squares coefficients
 * of domain t, G_t = X_t'X_t and s2_t its residual variance,
 *   what_t ~ N(w_t, s2_t G_t^-1),  w_ti = sqrt(c_i) (b_i + u_ti),  b ~ N(0, omega2 I),
 *   u_t ~ N(0, tau2_t I),
 * where c_i is the scale of feature i. With H_t = G_t/s2_t and g_t = X_t'y_t/s2_t for columns of X_t
 * multiplied by sqrt(c_i), so that the coefficients are b + u_t, and
 *   K_t = I + tau2_t H_t,  M_t = K_t^-1 H_t = (I - K_t^-1)/tau2_t,  a_t = K_t^-1 g_t,
 *   Q = I/omega2 + sum M_t,  bhat = Q^-1 sum a_t,
 * the log marginal likelihood, but for the factors 2 pi, is
 *   l = 1/2 sum [log|H_t| - log|K_t|] - 1/2 sum [R_t - tau2_t g_t'a_t] - (p/2) log omega2
 *       - 1/2 log|Q| + 1/2 (sum a)'bhat,                     R_t = what_t'H_t what_t,
 * and with `prior` also - 1/2 sum (log tau2_t - mean log tau2)^2, which keeps a single tau2_t from
 * going to zero, and, of several domains, (shape - 1)/2 log omega2, the log density of a gamma prior of omega with rate
 * 0, which keeps omega from going to zero where few slopes and domains say little about it (Chung, Rabe-Hesketh, Dorie,
 * Gelman and Liu, Psychometrika 78, 2013, with shape 2). H_t may be singular, since its inverse is not used; log|H_t| is then left out.
 * l is maximised over log tau2_t in [log 1e-6, log 100], log omega2 in [log 1e-5, log 100]. For one domain l depends
 * on tau2 + omega2 only, and omega2 is 1e-5. Reference: a linear mixed model fitted by marginal likelihood (Gilmour,
 * Thompson and Cullis, Biometrics 51, 1995).
 *
 * R_t and g_t'a_t may be a million times their difference; computed so, half of the digits of the likelihood would be
 * lost, and its maximum could not be found where it is flat. So with the residuals r_t = a_t - M_t bhat, which are
 * M_t (what_t - bhat), and e_t = g_t - H_t what_t, 0 where H_t is nonsingular, the terms with R_t and sum a are
 * computed as
 *   - 1/2 sum [(what_t - bhat)'r_t - e_t'(bhat + tau2_t r_t)] - bhat'bhat/(2 omega2),
 * a sum of small terms that an error of bhat hardly changes. bhat is corrected once by sum r_t = bhat/omega2.
 *
 * Scales c: a feature may have large effects in all domains. Given c_i, b_i and the u_ti are normal; with an
 * inverse gamma distribution of c_i they have a Student t distribution with nu degrees of freedom. The
 * scales start at 1. After a fit,
 *   e_i = (bhat_i^2 + (Q^-1)_ii)/omega2 + sum_t [uhat_ti^2 +
 *         (tau2_t I - tau2_t^2 M_t + tau2_t^2 M_t Q^-1 M_t)_ii]/tau2_t,   uhat_t = tau2_t (a_t - M_t bhat),
 *   c_i <- c_i (nu + e_i)/(nu + T + 1), divided by the geometric mean of these,
 * and the model is fitted again with the new scales; this is done `rounds` times.
 *
 * With a level (`level`), the last of the p coefficients is that of a column of ones. It has variances of its
 * own, since differences of levels are no evidence on slopes: w_tp = b_p + u_tp with b_p ~ N(0, 100), a
 * diffuse prior, and u_tp ~ N(0, kappa2), kappa2 the same in all domains and in [1e-6, 100]. In the formulas
 * above tau2_t I is then D_t with last element kappa2 (K_t = I + H_t D_t, and g_t'D_t a_t in place of
 * tau2_t g_t'a_t), omega2 I has the last element 100, and l is maximised over log kappa2, too. The level has
 * no scale c.
 *
 * Cost of one evaluation of l and its gradient: 2 T p^3 flops. Work arrays: the scaled H_t (T p^2) and
 * (T + 2) p^2 doubles. For domains with fewer rows than features: borrow_rows.h.
 */
#ifndef TRANSELECT_BORROW_H
#define TRANSELECT_BORROW_H

#include <stddef.h>

#include "port.h"

#define BORROW_LEVEL_OMEGA2 100.0 /* variance of b_p, the common level: a diffuse prior */
#define BORROW_SHAPE 1.5          /* the default `shape` of borrow_options */

/* The rows of the domains one below the other, multiplied by the square roots of their weights. */
typedef struct {
  size_t N;
  const size_t *from;    /* T + 1: the first row of each domain, and N */
  const double *X, *K;   /* N x slopes, or NULL and its kernel XX' */
  const double *one, *y; /* N: the level's column, NULL without a level; the response */
  const double *s2;      /* T */
  const double *rest;    /* T: the residual sum of squares of each domain, divided by s2_t */
} borrow_rows;

typedef struct {
  size_t p;
  int T, level; /* level: is the last coefficient a level? */
  const borrow_rows
      *rows;              /* NULL, or the rows: H, g, coef and left are then NULL (borrow_rows.h) */
  const double *const *H; /* T matrices, p x p */
  const double *const *g; /* T vectors, p */
  const double *const *coef; /* T vectors, p: what_t; NULL, as left, for known variances */
  const double *const *left; /* T vectors, p: e_t */
  const double *log_det;     /* T: log|H_t|, 0 where H_t is singular */
  const double *size;        /* T: mean square of the slopes' least squares coefficients */
  const int *nonsingular;    /* T: is H_t nonsingular? */
} borrow_domains;

typedef struct {
  double nu;           /* degrees of freedom of the scales */
  int prior, rounds;   /* rounds: number of updates of the scales */
  double shape;        /* with `prior`: of the gamma prior of omega, 1 for none */
  const double *start; /* NULL, or the `path` of another fit with as many rounds, where searches start */
  double enough; /* with a start, 0 or: a search ends where a Newton step would raise l by less than this share of
                  * 1 + |l|, and takes that step without an evaluation */
} borrow_options;

typedef struct {
  double *tau2; /* T */
  double omega2;
  double kappa2, level_omega2; /* the level's tau2 (0 without a level) and omega2 */
  double *scale;               /* p: c */
  double log_lik;  /* l at the maximum, with the scales found and, if asked for, the prior */
  int evaluations; /* number of evaluations of l */
  /* NULL, or T + 1 (with a level T + 2) numbers for each of rounds + 1 fits: gets log tau2, log omega2 and log kappa2
   * of each, a start for a fit to domains that differ a little from these */
  double *path;
} borrow_prior;

/* Maximises l. Without a start there are several searches, of which the best counts: from all variances at s/4 and at
 * s/4 e^-4, s of borrow_start_size(), and without the prior, for up to 60 domains, for each domain from a tau2_t of s
 * with tau2 of s/4 e^-4 for the others. Returns STATUS_NO_EVIDENCE where l could not be evaluated. */
status borrow_fit(const borrow_domains *domains, const borrow_options *options, borrow_prior *out);

/* The first domain by itself: *log_lik <- the largest log marginal likelihood of what ~ N(0, omega2 I + H^-1), with the
 * constants of l and c = 1; *log_omega2 <- its maximiser in [log 1e-6, log 100]. from: NULL, or the log omega2 from
 * which the search starts; enough: as in borrow_options. */
status borrow_alone(const borrow_domains *domains, const double *from, double enough, double *log_lik,
                    double *log_omega2);

/* The domains without the level: H_t, g_t, e_t and log|H_t| of rows less the means of their domain. */
borrow_domains borrow_without_level(const borrow_domains *domains);

typedef struct {
  double lr, alone; /* alone: l(the target alone) */
  double *tau2; /* T */
  double omega2;
  /* log variances of the three fits: T + 1 for all domains, 1 for the target, T (1 if T = 2) for the others */
  double *path;
} borrow_sharing;

/* The evidence that the target has the common coefficients b of the other domains: lr = l(all domains) -
 * l(the target alone) - l(the others), with scales 1 and without the prior, for domains without a level. That
 * the others agree with each other does not raise it. tau2, omega2: of the fit of all domains. start: NULL, or
 * the `path` of another call; enough: as in borrow_options. */
status borrow_ratio(const borrow_domains *domains, const double *start, double enough, borrow_sharing *out);

/* *log_bf <- the log Bayes factor of a positive correlation between the target's slopes and the common slopes of the
 * other domains against no correlation, for domains without a level. For each feature the target's slope and the common
 * slope of the others are normal with variances v_1 and v_2 and correlation rho. Given the other domains the common
 * slopes are N(m, C), so that the target's slopes are
 *   w_1 ~ N(k m, k^2 C + v_1 (1 - rho^2) I),  k = rho sqrt(v_1/v_2),
 * and the log factor is the log of the mean marginal likelihood of the target over rho = 1/40, 3/40, .., 39/40 less the
 * log of that at 0. v_1, and v_2 of one other domain, are those of borrow_alone(), but at least the mean of 1/H_ii,
 * since with a variance near 0 slopes have no information; v_2 of several others is the omega2 of borrow_fit() with the
 * prior. 0 where a domain has no information. Cost: 21 Cholesky factors of order p. */
status borrow_evidence(const borrow_domains *domains, double *log_bf);

typedef struct {
  double *coef; /* p x T: posterior means of b + u_t */
  double *P;    /* p x p: precision of the target's b + u_1 given the other domains */
  double *m;    /* p: P mu, where mu is the mean of b + u_1 given the other domains */
  double c0;    /* mu'P mu */
} borrow_posterior;

typedef struct {
  const double *common; /* p: variances of b, by coefficient */
  const double *own;    /* p x T: variances of u_t, by coefficient */
  const double *scale;  /* p: c */
} borrow_variances;

typedef struct {
  double *mean, *covariance; /* p, p x p: of b given all domains but the first */
  double log_lik; /* log marginal likelihood of these domains without the terms log|H_t| and R_t */
} borrow_common;

/* The common coefficients b given all domains but the first and the variances. */
status borrow_others(const borrow_domains *domains, const borrow_variances *known,
                     borrow_common *out);

/* The coefficients given all domains and the variances, and the target's prior given the other domains. */
status borrow_known(const borrow_domains *domains, const borrow_variances *known,
                    borrow_posterior *out);

#endif
