/* moderate.h - moderated variances: each is shrunk towards a common value.
 *
 * The model is s_i^2 ~ s0^2 F(df_i, d0), with df_i degrees of freedom. d0 and s0^2 are estimated from mean and
 * variance of log s_i^2 (Smyth, Stat. Appl. Genet. Mol. Biol. 3, 2004, section 6.2): with e_i = log s_i^2 -
 * digamma(df_i/2) + log(df_i/2), trigamma(d0/2) = var(e) - mean trigamma(df_i/2) and log s0^2 = mean(e) +
 * digamma(d0/2) - log(d0/2); where var(e) is no larger than the mean of trigamma, d0 = infinity and s0^2 is the
 * mean of s_i^2. Variances below 1e-5 of their median are replaced by that.
 *
 * Where degrees of freedom differ more than by whole multiples, s0^2 of d0 = infinity is the mean weighted by them, and
 * a variance counts as at least 1e-10 of that mean.
 */
#ifndef TRANSELECT_MODERATE_H
#define TRANSELECT_MODERATE_H

#include <stddef.h>

typedef struct {
  double d0, s02;
} moderation;

/* s2: n variances on times[i] df degrees of freedom (NULL: df); `work` (n) is work space. Cost O(n log n), by the
 * median. n < 2: d0 = 0. */
moderation moderate_fit(const double *s2, const int *times, size_t n, double df, double *work);

/* out (n, may be s2) <- the moderated variances of n variances on df degrees of freedom each; those without any take
 * s0^2. `work`: n. Returns d0, where trigamma(d0/2) counts as at least 1e-6. Two or more need degrees of freedom. */
double moderate_by_df(const double *s2, const double *df, size_t n, double *work, double *out);

/* y > 0 with trigamma(y) = x, x > 0. */
double trigamma_inverse(double x);

/* The moderated variance (d0 s0^2 + df s2)/(d0 + df). */
double moderated(moderation m, double s2, double df);

#endif
