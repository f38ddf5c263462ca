/* laplace.h - log odds of two classes, or log rates of counts, from features and sources: the evidence of pairs of
 * ridges for a logistic or a Poisson model, and the mean of the models of these pairs.
 *
 * Model: row i has y_i successes of weight w_i, with probability 1/(1 + exp(-f_i)), and
 *
 *   f = base + c h + Z_x b_x + Z_h b_h + b_0 + Z_k b_k,  b_x ~ N(0, 4/(alpha_x p)), b_h ~ N(0, 4/(alpha_h s)),
 *                                                        b_0 ~ N(0, 4), b_k ~ N(0, 100) for kept columns,
 *
 * Z the columns scaled as the path scales them, h the centred mean of the sources' log odds. So f is Gaussian with mean
 * m = base + c h and covariance K. alpha_x is one of 10^(-2, ..., 2), alpha_h one of these, 10^3, 10^4 or infinite, c
 * is 0 or 1; their prior is that of evidence.h. The log marginal likelihood is Laplace's approximation: with the mode
 * f, a = K^-1 (f - m) = w (y - p) and W = diag(w p (1 - p)),
 *
 *   sum_i w_i (y_i log p_i + (1 - y_i) log(1 - p_i)) - a'(f - m)/2 - log|I + W^1/2 K W^1/2|/2.
 *
 * The weight of a pair is proportional to the exponential of this sum plus the log prior; pairs with less than a tenth
 * of the largest weight are dropped, and the model is the weighted mean over the others: coefficients
 * b_x = 4/(alpha_x p) Z_x'a, and so on. The log odds of a left-out row are those at the mode without it, with the base,
 * the scales and the weights of pairs of all rows: with few rows (about 30) by Newton's method for each, else by its
 * first step, f_i - v_i a_i with 1/v_i = 1/V_ii - W_i and V = (K^-1 + W)^-1. There is a second mean, over the pairs
 * without sources.
 *
 * Counts have the mean exp(f_i), W = diag(w exp(f)), and prior variances 1/(alpha_x p) and 1/(alpha_h s).
 *
 * With r columns (those that vary, the intercept and the kept ones) everything is computed from K where n <= r, else
 * from the r x r matrix I + D Z'WZ D, D^2 the prior variances. Up to order m = min(n, r) = 48 all pairs are evaluated,
 * beyond that those of the search of ridge_grid.h. Reference: Rasmussen and Williams (2006), Gaussian Processes for
 * Machine Learning, algorithms 3.1 and 3.2, and (3.59) for left-out rows.
 *
 * Work arrays: K_x, K_h, K and a factor (4 n^2), or Z twice and r^2, and a mode (n) per pair. Cost per pair: about 5
 * Newton steps of m^3/6 + 2 n^2, or n r^2.
 */
#ifndef TRANSELECT_LAPLACE_H
#define TRANSELECT_LAPLACE_H

#include "evidence.h"

typedef struct {
  const double *y, *w, *base; /* n: shares of successes; weights; log odds at coefficients of 0 */
  const double *mean;         /* n: h; NULL without sources */
  int counts;                 /* are y counts, and base and h log rates? */
} laplace_problem;

typedef struct {
  double *beta;          /* N, on the original scale; the caller allocates the arrays */
  double a0, c;          /* intercept, added to base; the mean of c */
  double *fitted, *left; /* n: log odds; log odds of each row when it is left out */
  int n_pairs;           /* pairs that are kept; 0: there is no such model */
  ridge_pair pair[EVIDENCE_PAIRS];
} laplace_mean;

/* The largest number of rows, and of n min(n, r)^2, for which there are such models. */
#define LAPLACE_ROWS 20000
#define LAPLACE_WORK 4e8

/* The mean over all pairs, and over those without sources (n_pairs = 0 where there are no sources, or one is kept).
 * Both have n_pairs = 0 where no column varies, and where rows or columns are too many.
 * *bad: the column to which a status belongs. */
status laplace(design *d, const laplace_problem *problem, const greedy_options *o,
               laplace_mean *all, laplace_mean *without, size_t *bad);

#endif
