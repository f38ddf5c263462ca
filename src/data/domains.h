/* domains.h - means over the rows of each domain.
 *
 * E_k is the (weighted) mean over the rows of domain k. With u_i = w_i f_i / sum of w over the
 * domain of row i, E_k[x f] is the sum of x_i u_i over the rows of domain k: one read of x gives all K
 * means. Consecutive rows of one domain, a run, are summed together; where the domains are so mixed
 * that runs are short, products are added one by one to the sums of their domains.
 */
#ifndef TRANSELECT_DOMAINS_H
#define TRANSELECT_DOMAINS_H

#include "design.h"

typedef struct {
  size_t n;
  int K;
  const int *of;         /* domain of each row, 0..K-1 */
  double *share;         /* w_i / sum of w over its domain */
  size_t n_runs, *start; /* first rows of the runs, n_runs + 1 numbers */
  int mixed;             /* are the runs short? */
} domains;

/* weights: n numbers, or NULL. Work arrays: share, start (n numbers each). */
domains domains_new(const int *of, int K, const double *weights, size_t n);

/* sum[k] <- the sum of u over domain k. */
void domain_sums(const domains *g, const double *u, double *sum);

/* out[k + (j - from) K] <- the sum over domain k of (x_j - center_j) u, for the columns of a range; sum: of
 * domain_sums(). One read of the columns, 2n flops each. */
void domain_dots(const design *d, const domains *g, column_range range, const double *u,
                 const double *sum, double *out);

#endif
