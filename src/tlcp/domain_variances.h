/* domain_variances.h - a residual variance for each domain, from the least squares of all.
 *
 * Domain t has the residual sum of squares rss_t on df_t degrees of freedom and s_t^2 = rss_t/df_t. With `moderate`
 * these are shrunk towards each other (moderate.h). Without, a domain with fewer than 5 degrees of freedom takes
 * their mean, weighted by degrees of freedom, as do all of them where only one domain has degrees of freedom. Where
 * no domain has any, y ~ N(0, s^2 I + omega^2 XX') in m dimensions: with a the share of noise in the variance, d the
 * eigenvalues of XX', u the response in their basis and v_i = a + (1 - a) d_i m/sum(d),
 *   log likelihood of a = -1/2 {m log(t) + sum_i log v_i + (m - r) log a},  s^2 = a t,
 *   t = [(y'y - sum u_i^2)/a + sum_i u_i^2/v_i]/m.
 * It is often flat, or largest at a = 0, so s^2 is averaged over a with a uniform prior, on 99 points. No variance is
 * below 1e-10 of the mean square of the response. Cost: T; for no degrees of freedom at all 99 r a domain.
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
  VARIANCE_GIVEN_OTHERS /* by its likelihood given the other domains, see variance.h */
};

typedef struct {
  size_t T;
  const double *rss, *df; /* T; df of 0 or more */
  const double *square;   /* T: y'y/n */
  const int *known;       /* T: is the domain in units of its residual variance? */
  int moderate;
  const double *given; /* the variances given of the first n_given domains that are not known */
  size_t n_given;
} variance_domains;

typedef struct {
  double *s2, *df; /* T: the variances and their degrees of freedom */
  enum variance_source *from;
} variance_found;

/* Has some domain that is not known degrees of freedom? */
int variance_any_degrees(const variance_domains *domains);

/* ridge: NULL, or where there are none T numbers of variance_of_ridge(). */
void domain_variances(const variance_domains *domains, const double *ridge, variance_found *out);

/* d, u2: r eigenvalues and squares of the response; yy: y'y; m: the dimensions. */
double variance_of_ridge(const double *d, const double *u2, size_t r, double yy, double m);

#endif
