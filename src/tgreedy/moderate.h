/* moderate.h - variances that borrow from one another.
 *
 * s_i^2 (df_i degrees of freedom) are taken as s0^2 F(df_i, d0). d0 and s0^2 come from mean and
 * variance of log s_i^2 (Smyth 2004, section 6.2): with e_i = log s_i^2 - digamma(df_i/2) +
 * log(df_i/2), trigamma(d0/2) = var(e) - mean trigamma(df_i/2) and log s0^2 = mean(e) +
 * digamma(d0/2) - log(d0/2); d0 = infinity and s0^2 = mean s_i^2 where the variance leaves nothing.
 * Variances below 1e-5 of their median count as that.
 */
#ifndef TRANSELECT_MODERATE_H
#define TRANSELECT_MODERATE_H

#include <stddef.h>

typedef struct {
  double d0, s02;
} moderation;

/* s2: n variances, of times[i] df degrees of freedom each (NULL: all df); `work` (n) is work space.
 * Cost O(n). n < 2: d0 = 0. */
moderation moderate_fit(const double *s2, const int *times, size_t n, double df, double *work);

/* (d0 s0^2 + df s2)/(d0 + df). */
double moderated(moderation m, double s2, double df);

/* y > 0 with trigamma(y) = x, x > 0. */
double trigamma_inverse(double x);

#endif
