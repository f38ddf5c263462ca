/* domain_variances.h - a residual variance for each domain, from the least squares fits of all.
 *
 * Domain t has the residual sum of squares rss_t with df_t degrees of freedom and s_t^2 = rss_t/df_t. With `moderate`
 * the s_t^2 are shrunk towards each other (moderate.h); where only one domain has degrees of freedom, all domains take
 * the mean of the s_t^2 weighted by degrees of freedom. Without `moderate` the domains with fewer than 5 degrees of
 * freedom take that mean. Where no domain has degrees of freedom, y ~ N(0, s^2 I + omega^2 XX') in m dimensions: with a
 * the share of noise in the variance, d the eigenvalues of XX', u the response in the basis of its eigenvectors and
 * v_i = a + (1 - a) d_i m/sum(d),
 *   log likelihood of a = -1/2 {m log(t) + sum_i log v_i + (m - r) log a},  s^2 = a t,
 *   t = [(y'y - sum u_i^2)/a + sum_i u_i^2/v_i]/m.
 * This is often flat, or largest at a = 0, so s^2 is averaged over a with a uniform prior, on 99 points. No variance is
 * below 1e-10 of the mean square of the response. Work arrays: a few vectors of T. Cost: O(T log T); without degrees of
 * freedom 99 r per domain.
 */
#ifndef TRANSELECT_DOMAIN_VARIANCES_H
#define TRANSELECT_DOMAIN_VARIANCES_H

#include <stddef.h>

#define VARIANCE_LEAST_DF 5

enum variance_source {
  VARIANCE_OWN,
  VARIANCE_MODERATED,
  VARIANCE_OF_ALL,
  VARIANCE_LIKELIHOOD,
  VARIANCE_KNOWN, /* estimates without rows, in units of their residual variance */
  VARIANCE_GIVEN,
  VARIANCE_GIVEN_OTHERS /* by the posterior given the other domains, see variance.h */
};

typedef struct {
  size_t T;
  const double *rss, *df; /* T; df of 0 or more */
  const double *square;   /* T: y'y/n */
  const int *known;       /* T: is the domain in units of its residual variance? */
  int moderate;
  const double *given; /* given variances of the first n_given domains that are not known */
  size_t n_given;
} variance_domains;

typedef struct {
  double *s2, *df; /* T: the variances and their degrees of freedom */
  enum variance_source *from;
} variance_found;

/* Has some domain that is not known degrees of freedom? */
int variance_any_degrees(const variance_domains *domains);

/* ridge: T numbers of variance_of_ridge() where variance_any_degrees() is 0, else NULL. */
void domain_variances(const variance_domains *domains, const double *ridge, variance_found *out);

/* The average s^2 over a. d, u2: r eigenvalues, and the squares of u; yy: y'y; m: number of dimensions. */
double variance_of_ridge(const double *d, const double *u2, size_t r, double yy, double m);

#endif
