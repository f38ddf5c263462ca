/* moderate.h - moderated variances: each is shrunk towards a common value.
 *
 * The model is s_i^2 ~ s0^2 F(df_i, d0), with df_i degrees of freedom. d0 and s0^2 are estimated from mean and
 * variance of log s_i^2 (Smyth, Stat. Appl. Genet. Mol. Biol. 3, 2004, section 6.2): with e_i = log s_i^2 -
 * digamma(df_i/2) + log(df_i/2), trigamma(d0/2) = var(e) - mean trigamma(df_i/2) and log s0^2 = mean(e) +
 * digamma(d0/2) - log(d0/2); where var(e) is no larger than the mean of trigamma, d0 = infinity and s0^2 is the
 * mean of s_i^2. Variances below 1e-5 of their median are replaced by that.
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

/* The moderated variance (d0 s0^2 + df s2)/(d0 + df). */
double moderated(moderation m, double s2, double df);

#endif
