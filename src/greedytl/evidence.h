/* evidence.h - the ridges of features and sources, weighted by their marginal likelihood.
 *
 * Model: y = c h + Z_x w_x + Z_h w_h + noise, w_x ~ N(0, s2/(alpha_x p)), w_h ~ N(0, s2/(alpha_h s)),
 * noise ~ N(0, s2), with p features and s sources that vary, and h the mean of the sources (below). With
 * K_x = Z_x Z_x'/p, K_h = Z_h Z_h'/s, M = I + K_x/alpha_x + K_h/alpha_h and r = y - c h the log marginal likelihood
 * (s2 integrated out) is, up to a constant, -(n-1)/2 log(r'M^-1 r) - 1/2 log|M|. alpha_x is one of
 * 10^(-1, -.5, ..., 2.5), alpha_h one of these, 10^3, 10^4 or infinite, and c is 0 or 1. The log prior, only where
 * there are sources, is
 *
 *   -ln^2(alpha_x/10)/8 + { -ln^2(alpha_h)/(2 .75^2)  if alpha_h < 1,  log(30)  if alpha_h is infinite and c = 0,
 *                           0  otherwise } + { log(3)  if c = 1 };
 *
 * infinite alpha_h and c = 0 is "no source", with nearly half of the prior mass, as c = 1 has. The sources' mean is
 * h = sum_j a_j (h_j - mean of h_j), a_j = 1/s, less where the source has a scale of its own (greedy_scales):
 * then a_j = sqrt(most/ss_j)/s. Without a common scale c is 0. The weight of a pair (with its c) is its posterior
 * probability; pairs with less than a tenth of the largest are dropped (average.h). Up to order
 * min(n, N) = 128 all pairs are evaluated. Beyond that a search moves from (10, 1), for each c, and from (10, no
 * source) to the best neighbour, and then evaluates all neighbours of the pairs that are kept. Where there are more
 * than 320 rows, and n <= N or N > 1024, a sample of 320 rows is used: row i with probability p_i = min(1, c v_i), by
 * systematic sampling, and with weight v_i/p_i; the log marginal likelihood is then multiplied by n/320, as of n/320
 * such samples. The ridge of a column is alpha_x p or alpha_h s. Columns that are
 * kept have no ridge: their coefficients, as the intercept, are integrated out with a flat prior. Then
 * response and other columns are residuals on the kept ones, and n - 1 is less by their number.
 *
 * Work arrays: 2 N, and with m = min(n, N, 320) 3 m^2 (from rows) or, with s sources, N^2 + p^2 + p s + 2 s^2 (n > N,
 * from Z'Z), and 256 columns or rows standardised; cost m^2 N, or n N^2, for the Gram matrices, and from rows m^3/3 a
 * pair, from Z'Z p^3/3 + p s N for every alpha_x and s^3/3 a pair.
 */
#ifndef TRANSELECT_EVIDENCE_H
#define TRANSELECT_EVIDENCE_H

#include "gram.h"
#include "greedy.h"
#include "ridge_grid.h"

typedef struct {
  double alpha[2];  /* NAN where there are no such columns; infinite: no source */
  int centre;       /* c */
  double criterion; /* log marginal likelihood and prior */
  double weight;
} ridge_pair;

typedef struct {
  int n_pairs; /* that are kept: first those with sources, or those without, whichever side weighs more; by weight, but
                * the first of all has c = 0 */
  ridge_pair pair[EVIDENCE_PAIRS];
  double *mean, *ss;    /* N each, by design_moments(); the path uses them */
  double *share;        /* a_j of the sources, N - p */
  greedy_scales scales; /* and how many features and sources vary */
  double count[2];
  double *G, *b; /* X'X (N x N) and X'y (N), weighted, or NULL: not wanted */
  double *y;     /* y'y and the mean of y, with G */
  gram gram; /* of the rows, where there is G. The caller allocates mean, ss, share, G, b and y */
} evidence_result;

/* Does evidence() make the Gram matrix, from which the path can be computed? Yes where there are more rows than
 * columns, all columns are dense, and there are at most 1024 of them. */
int evidence_has_gram(const design *d);

/* For the problem's response with its weights; columns scaled as the path will scale them. With
 * o->one_ridge there is a single pair, the posterior means of 1/alpha given c = 0; otherwise the heaviest pair
 * without sources, and the heaviest of the first side with c = 0, are there even if their weights are dropped, with
 * weight 0. */
status evidence(design *d, const greedy_problem *problem, const greedy_options *o,
                evidence_result *result, size_t *bad);

/* The same from second moments, features only. */
status evidence_gram(const gram *g, const greedy_options *o, evidence_result *result);

#endif
