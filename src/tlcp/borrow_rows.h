/* borrow_rows.h - the likelihood of borrow.h from kernels of the rows, for more features than rows.
 *
 * X (N x p) has the rows of all domains one below the other, columns multiplied by sqrt(c); y are their responses, 1 is
 * the level's column (0 without a level), S the diagonal matrix of the s2 of the rows. With K = X X', K_t its block of
 * domain t, and 1_t the part of 1 in domain t, the responses are N(0, V),
 *   V = S + omega2 K + 100 11' + blocks(tau2_t K_t + kappa2 1_t 1_t'),
 * and with alpha = V^-1 y and W = V^-1, up to log|H_t| of nonsingular H_t, l of borrow.h is
 *   l = -1/2 (log|V| - log|S|) - 1/2 (y'alpha - sum rss_t/s2_t),   rss_t: of domain t's least squares,
 *   dl/domega2 = 1/2 (alpha'K alpha - tr W K),  dl/dtau2_t = 1/2 (alpha_t'K_t alpha_t - tr W_tt K_t),
 *   dl/dkappa2 = 1/2 sum_t [(1_t'alpha_t)^2 - 1_t'W_tt 1_t].
 * The average information is 1/2 q_i'W q_j with q = K alpha, K_t alpha_t and 1_t 1_t'alpha_t (Gilmour, Thompson and
 * Cullis 1995), and with x_i a column of X and x_ti its part in domain t
 *   e_i = omega2 [(x_i'alpha)^2 - x_i'W x_i] + 1 + sum_t (1 + tau2_t [(x_ti'alpha_t)^2 - x_ti'W_tt x_ti]).
 * Without the level the rows of each domain are centred, X_t <- (I - 1_t 1_t'/1_t'1_t) X_t.
 *
 * V^-1 is computed by a factor, not by sweeps (spd.h): the traces are small differences of its elements.
 *
 * With W = R'R, R lower triangular, an evaluation computes the blocks W_tt only, since with n_t rows of domain t
 *   omega2 tr W K = N - tr W S - 100 1'W1 - sum_t (tau2_t tr W_tt K_t + kappa2 1_t'W_tt 1_t),
 * and q'W q = (Rq)'(Rq); the e_i need all of W.
 * Cost: N^2 p/2 for K after a change of the scales and N^2 p + N^3/6 for the e_i; N^3/3 + N sum n_t^2 products and
 * additions for an evaluation of l, its gradient and the information. Work arrays: 5 N^2 + N p numbers.
 */
#ifndef TRANSELECT_BORROW_ROWS_H
#define TRANSELECT_BORROW_ROWS_H

#include "borrow_work.h"
#include "curvature.h"

/* The work arrays of an evaluation. */
borrow_rows_work *borrow_rows_work_new(const borrow_domains *domains);

/* K <- the kernel of columns multiplied by sqrt(scale). */
void borrow_rows_scale(borrow_work *w, const double *scale);

/* -l and its gradient; the arguments are those of minus_log_lik() in borrow.c. A log omega2 of minus infinity is an
 * omega2 of 0. */
double borrow_rows_minus_log_lik(borrow_work *w, const double *x, double *slope);

/* The average information of -l, in the logarithms of the variances. */
void borrow_rows_information(borrow_work *w, const double *x, curvature *B);

/* e <- the e_i, at x, the point of the last evaluation. */
void borrow_rows_squares(const borrow_work *w, const double *x, double *e);

/* better_variances() of borrow.c from rows; the values of log tau2 tried are low, low + step, .., up to high. */
int borrow_rows_better(borrow_work *w, double *x, double low, double high, double step);

/* The rows of `count` domains from number `from` on; and the rows centred in each domain. */
const borrow_rows *borrow_rows_of(const borrow_domains *domains, int from, int count);
const borrow_rows *borrow_rows_centred(const borrow_domains *domains);

#endif
