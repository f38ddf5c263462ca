/* posterior.h - the posterior of the target's coefficients, averaged over the borrowing prior.
 *
 * The variances tau2 and omega2 of borrow.h are estimated from few coefficients. If they were taken as known, intervals
 * would be too short where they are small. So the posterior is a mixture over the values of
 *   the other domains' tau   FACTORS of their geometric mean, relative to the size of the coefficients; half-Cauchy
 *                            prior (Gelman, Bayesian Analysis 1, 2006), and with probability EQUAL all are equal
 *   the target's tau         at the others' or further: OWN of the logarithm of the factor of tau2, uniform. A smaller
 *                            one would be a gain that the target's few rows cannot confirm
 *   omega                    half-Cauchy, its scale the size of the coefficients; omega2 from the estimate, or a
 *                            quarter of a squared standard error of the target's slopes, to 16 of them, in steps of
 *                            the factor 4
 * or, where the target's slopes are unrelated to the others' (`alone`), over factors of their variance, with a uniform
 * standard deviation. The weights follow from the marginal likelihood with all features kept. Given a component, the
 * other domains say of the common coefficients b ~ N(m, C) (borrow_others()), so that with D the variances of u_1,
 *   P = (C + D)^-1,  A = H_1 + P,  h = g_1 + P m,  w_1 ~ N(A^-1 h, A^-1),
 *   log likelihood = 1/2 [h'A^-1 h - m'P m - log|A| + log|P|] + that of the other domains.
 * The posterior of a set of features has rows and columns of A and h of the set, and of the level.
 *
 * The scales c_i are estimated, too: where c_i is small the interval would be too short. Each variance is multiplied by
 * the mean square of the coefficient about the estimate, over its variance, when c_i becomes s c_i with the prior that
 * c_i has in the model (1/c_i a multiple of chi-squared, nu = 4, the mean of log c_i 0). With s the variances of b_i
 * and the u_ti are multiplied by s, and with d_t = (s - 1) D_t,ii, k_t column i of M_t and r_t = d_t/(1 + d_t M_t,ii),
 *   log|K_t| += log(1 + d_t M_t,ii),  Q += (1/s - 1)/omega2 e_i e_i' - sum r_t k_t k_t',  sum a -= sum r_t a_ti k_t,
 *   g_t'D_t a_t += r_t a_ti^2.
 *
 * Shares of a coefficient's precision: with P_0 = diag(1/(omega2 + D)) the prior of the target without other domains,
 * O = P - P_0, and x = A^-1 f for the coefficient f'w_1, the variance f'A^-1 f = x'H_1 x + x'O x + x'P_0 x has the
 * parts of the target's rows, of the other domains and of shrinkage to 0. The part of the others is divided by their
 * information z'M_t z, z = C P x, at the estimated prior. Shares are averaged over the components.
 *
 * Cost with T domains, p coefficients and G values of omega2: 11 T p^3/2 + 88 G p^3 products and additions for the
 * weights, 7/3 p^3 for each component that is kept and each step, T p^3 for the shares, and 7 T p^3 + 7/3 p^4 for the
 * scales. Work arrays: those of borrow.h and (16 + T) p^2 numbers.
 */
#ifndef TRANSELECT_POSTERIOR_H
#define TRANSELECT_POSTERIOR_H

#include "borrow.h"

typedef struct {
  const borrow_domains *domains; /* moments, without least squares */
  const borrow_variances *known; /* as they are estimated */
  const double *tau2;            /* T */
  double size;                   /* standard deviation of the coefficients */
  const int *alone; /* NULL, or p: is this slope of the target unrelated to the others'? */
  int estimated;    /* is there one component, the prior as it is estimated? */
} posterior_problem;

/* The mixture of one step: `rows` numbers, those of the intercept and the slopes on the original scale, for each
 * component. */
typedef struct {
  size_t q;           /* number of features */
  const size_t *set;  /* q: the features, numbers from 0 */
  size_t order;       /* q, or q + 1: has the covariance C a level? */
  const double *C;    /* order x order: as it is at the estimated prior */
  const double *unit; /* p: from a slope to the original scale */
  const double *mean; /* p: means of the columns */
  double level_unit,
      constant; /* the same for the level; a variance that is added to that of the intercept */
  double *away, *variance; /* (q + 1) x components: mean less the estimate, and variance */
  double *V; /* mean square about the estimate: (q + 1) x (q + 1), or the diagonal alone */
  int diagonal;
  double *
      shares; /* NULL, or (q + 1) x (T + 1): of the target's rows, each other domain, and shrinkage to 0 */
} posterior_step;

typedef struct posterior_work posterior_work;

/* Work, the components and the averages over the scales. *count <- number of components; NULL for *status other than
 * STATUS_OK. */
posterior_work *posterior_weigh(const posterior_problem *problem, size_t *count, status *state);

/* weight <- the weights of the components. */
void posterior_weights(const posterior_work *work, double *weight);

/* scale <- by slope the factor of the variance that is the average over c_i. */
status posterior_scales(posterior_work *work, double *scale);

/* Fills away, variance and V of the steps. scale: of posterior_scales(). */
status posterior_steps(posterior_work *work, const double *scale, posterior_step *steps, size_t n);

/* The same of a step that has one component, its covariance C. */
void posterior_single(posterior_step *step);

/* C of the step from A (N x N), the precision of all coordinates: those of feature i are the n_domains numbers from
 * i n_domains on, the target's the first; with `level` (0 or 1) those of the levels come last. */
status posterior_estimated(const double *A, size_t N, size_t n_domains, int level,
                           posterior_step *step);

#endif
