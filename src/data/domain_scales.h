/* domain_scales.h - what the columns of domains are divided by, from means and standard deviations by domain.
 *
 * Column j has in domain t the standard deviation s_jt, 0 where it is constant, on df_t = n_t - 1 degrees of freedom.
 * SCALE_MODERATED: s_jt, shrunk towards each other as far as they differ by chance (moderate.h), where three or more
 * domains vary. SCALE_COMMON: the root of the mean of s_jt^2 weighted by df_t. A column that is constant in a domain
 * has the target's scale, or the common one where it is constant in the target, too; columns of zeros and ones are
 * divided by 1. SCALE_RESPONSE: the columns by one number, the root of the mean square of the target's s_j, the
 * response by the target's.
 *
 * The means of a column are far apart where in some domain ((mean - centre)/scale)^2 is more than 100 times the mean
 * square within domains, centre being the mean of all rows.
 *
 * The evidence that the standard deviations of a column differ is Bartlett's statistic by AIC,
 *   e_j = -1/2 [sum_t df_t log(s_jt^2/w_j) + 2 (T - 1)],  w_j = sum df_t s_jt^2/sum df_t.
 * Cost: q T.
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
  const int *binary;                    /* q - 1: zeros and ones in all domains? */
} domain_columns;

/* within: q, the common standard deviations; centre: q, the means of all rows. */
void domain_common(const domain_columns *columns, double *within, double *centre);

/* scale: q x T. */
void domain_scales(const domain_columns *columns, enum scaling scaling, const double *within,
                   double *scale);

int domain_means_are_far(const domain_columns *columns, const double *scale, const double *centre);

/* The probability that some column's standard deviation differs: 1 - prod 1/(1 + exp(e_j)). */
double domain_spreads_differ(const domain_columns *columns);

#endif
