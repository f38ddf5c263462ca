/* moderate.h - moderated variances: each is shrunk towards a common value.
 *
 * The model is s_i^2 ~ s0^2 F(df_i, d0), s_i^2 with df_i degrees of freedom. d0 and s0^2 are estimated from mean and
 * variance of log s_i^2 (Smyth, Stat. Appl. Genet. Mol. Biol. 3, 2004, section 6.2): with e_i = log s_i^2 -
 * digamma(df_i/2) + log(df_i/2), trigamma(d0/2) = var(e) - mean trigamma(df_i/2) and log s0^2 = mean(e) +
 * digamma(d0/2) - log(d0/2); where var(e) is no larger than the mean of trigamma, d0 = infinity and s0^2 is the
 * mean of s_i^2. Variances below 1e-5 of their median are raised to that.
 *
 * In moderate_by_df(), where the degrees of freedom may be any numbers, s0^2 is for d0 = infinity the mean weighted by
 * the degrees of freedom, and variances below 1e-10 of that mean are raised to that.
 */
#ifndef TRANSELECT_MODERATE_H
#define TRANSELECT_MODERATE_H

#include <stddef.h>

typedef struct {
  double d0, s02;
} moderation;

/* s2: n variances with times[i] df degrees of freedom (NULL: df). work: n. Cost O(n log n), of the median. Where n < 2
 * d0 is 0: no moderation. */
moderation moderate_fit(const double *s2, const int *times, size_t n, double df, double *work);

/* out (n, may be s2) <- the moderated variances, s2 with df (n numbers) degrees of freedom; s0^2 where df is 0. work:
 * n. Returns d0, infinity where trigamma(d0/2) would be 1e-6 or less. Two or more variances must have degrees of
 * freedom. */
double moderate_by_df(const double *s2, const double *df, size_t n, double *work, double *out);

/* The y > 0 with trigamma(y) = x, x > 0. */
double trigamma_inverse(double x);

/* The moderated variance (d0 s0^2 + df s2)/(d0 + df). */
double moderated(moderation m, double s2, double df);

#endif
