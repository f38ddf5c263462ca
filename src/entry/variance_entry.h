/* variance_entry.h - residual variances of the domains, from R. */
#ifndef TRANSELECT_VARIANCE_ENTRY_H
#define TRANSELECT_VARIANCE_ENTRY_H

#include "args_entry.h"
#include "domain_variances.h"

/* domains: list of domains with their least squares fits, the target first; given: NULL, or residual variances, in
 * squared units of the response, of the first domains that are not known; moderate: see variance_domains. */
variance_found entry_variances(SEXP domains, SEXP given, int moderate);

/* entry_variances() of domain moments, moderated. The variance of a target with fewer than VARIANCE_LEAST_DF degrees of
 * freedom, unless it is given, is the exponential of the posterior mean of log s2 given the other domains (variance.h);
 * its degrees of freedom are those of a chi-squared whose logarithm has the posterior's variance. grid: list(log_s2,
 * log_prior, log_tau2). */
status entry_variances_for_borrowing(SEXP domains, SEXP given, int intercept, SEXP grid,
                                     variance_found *out);

/* Elements `at`, at + 1 and at + 2 of `out` become s2, the codes of `from`, from 1, and df. */
void entry_put_variances(SEXP out, int at, const variance_found *found, size_t T);

#endif
