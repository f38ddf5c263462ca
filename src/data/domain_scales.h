/* domain_scales.h - the scales by which the columns of domains are divided, from means and standard deviations by
 * domain.
 *
 * Column j has in domain t the standard deviation s_jt, 0 where it is constant, with df_t = n_t - 1 degrees of freedom.
 * SCALE_MODERATED: the s_jt, shrunk towards each other as far as they differ by chance (moderate.h), where the column
 * varies in three or more domains. SCALE_COMMON: the root of the mean of s_jt^2 weighted by df_t. A column that is
 * constant in a domain gets the target's scale there, or the common scale where it is constant in the target, too;
 * columns of zeros and ones are divided by 1. SCALE_RESPONSE: all columns are divided by the root of the mean square of
 * the target's s_j, the response by the target's standard deviation.
 *
 * The means of a column are far apart if in some domain ((mean - centre)/scale)^2 is more than 100 times the mean
 * square within domains, with centre the mean over all rows.
 *
 * The evidence that the standard deviations of a column differ is Bartlett's statistic by AIC,
 *   e_j = -1/2 [sum_t df_t log(s_jt^2/w_j) + 2 (T - 1)],  w_j = sum df_t s_jt^2/sum df_t.
 * Cost: O(q T) flops, and the moderation O(q T log T). Work arrays: 4 T.
 */
#ifndef TRANSELECT_DOMAIN_SCALES_H
#define TRANSELECT_DOMAIN_SCALES_H

#include "domain_moments.h"

enum scaling { SCALE_MODERATED, SCALE_COMMON, SCALE_RESPONSE };

/* q columns, the response last, in T domains, the target first. */
typedef struct {
  size_t q, T;
  const double *n;                      /* T */
  const double *mean, *square, *spread; /* q x T, see domain_spread */
  const int *binary;                    /* q - 1: only zeros and ones in all domains? */
} domain_columns;

/* within (q) <- the common standard deviations; centre (q) <- the means over all rows. */
void domain_common(const domain_columns *columns, double *within, double *centre);

/* scale (q x T) <- the scales; within: of domain_common(). */
void domain_scales(const domain_columns *columns, enum scaling scaling, const double *within,
                   double *scale);

/* Are the means of some column far apart? */
int domain_means_are_far(const domain_columns *columns, const double *scale, const double *centre);

/* The probability that the standard deviations of some column differ: 1 - prod_j 1/(1 + exp(e_j)). */
double domain_spreads_differ(const domain_columns *columns);

#endif
