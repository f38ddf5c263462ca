/* domains.h - means over the rows of each domain, every domain counting once.
 *
 * E_k is the (weighted) mean over the rows of domain k. With u_i = w_i f_i / sum of w over the
 * domain of i, E_k[x f] is the sum of x_i u_i over the rows of domain k: all K of them come from
 * one read of x. Rows of one domain that lie together are summed as one piece; where the domains
 * are so mixed that pieces are short, every product goes to the sum of its own domain.
 */
#ifndef TRANSELECT_DOMAINS_H
#define TRANSELECT_DOMAINS_H

#include "design.h"

typedef struct {
  size_t n;
  int K;
  const int *of;         /* domain of each row, 0..K-1 */
  double *share;         /* w_i / sum of w over its domain */
  size_t n_runs, *start; /* pieces of rows of one domain; start has n_runs + 1 numbers */
  int mixed;             /* the pieces are short */
} domains;

/* weights: n numbers or NULL. Work arrays: share, start (n each). */
domains domains_new(const int *of, int K, const double *weights, size_t n);

/* sum[k] = sum of u over domain k. */
void domain_sums(const domains *g, const double *u, double *sum);

/* out[k + (j - from) K] = sum over domain k of (x_j - center_j) u, for the columns of a range; `sum` as
 * from domain_sums(). One read of the columns, 2n flops each. */
void domain_dots(const design *d, const domains *g, column_range range, const double *u,
                 const double *sum, double *out);

#endif
