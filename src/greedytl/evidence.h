/* evidence.h - the ridges of features and sources, weighted by their marginal likelihood.
 *
 * Model: y = c h + Z_x w_x + Z_h w_h + noise, w_x ~ N(0, s2/(alpha_x p)), w_h ~ N(0, s2/(alpha_h s)),
 * noise ~ N(0, s2), with p features and s sources that vary, and h the mean of the sources (below). With
 * K_x = Z_x Z_x'/p, K_h = Z_h Z_h'/s, M = I + K_x/alpha_x + K_h/alpha_h and r = y - c h the log marginal likelihood
 * (s2 integrated out) is, up to a constant, -(n-1)/2 log(r'M^-1 r) - 1/2 log|M| (Rasmussen and Williams, Gaussian
 * Processes for Machine Learning, 2006, section 2.3). alpha_x is one of 10^(-1, -.5, ..., 2.5), alpha_h one of these,
 * 10^3, 10^4 or infinite, and c is 0 or 1. The log prior, only where there are sources, is
 *
 *   -ln^2(alpha_x/10)/8 + { -ln^2(alpha_h)/(2 .75^2)  if alpha_h < 1,  log(30)  if alpha_h is infinite and c = 0,
 *                           0  otherwise } + { log(3)  if c = 1 };
 *
 * infinite alpha_h with c = 0 is "no source", which has nearly half of the prior mass, as c = 1 has. The sources' mean
 * is h = sum_j a_j (h_j - mean of h_j), a_j = 1/s, or a_j = sqrt(most/ss_j)/s where the source has a scale of its own
 * (greedy_scales). Without a common scale c is 0. The weight of a pair (with its c) is its posterior probability; pairs
 * with less than a tenth of the largest weight are dropped (average.h). Up to order min(n, N) = 128 all pairs are
 * evaluated. Beyond that a search moves from (10, 1), for each c, and from (10, no source) to the best neighbour; then
 * all neighbours of the pairs that are kept are evaluated. Where there are more than 320 rows, and n <= N or N > 1024,
 * a sample of 320 rows is used: row i is drawn with probability p_i = min(1, b v_i), by systematic sampling, and gets
 * weight v_i/p_i; the log marginal likelihood is multiplied by n/320, as if there were n/320 such samples. The ridge of
 * a column is alpha_x p or alpha_h s. Columns that are kept have no ridge: their coefficients, like the intercept, are
 * integrated out with a flat prior, so that response and other columns are residuals on the kept ones, and n - 1 is
 * less by their number.
 *
 * Work arrays: 2 N, and with m = min(n, N, 320) 3 m^2 (from rows) or, with s sources, N^2 + p^2 + p s + 2 s^2 (n > N,
 * from Z'Z), and 256 columns or rows standardised. Cost: m^2 N, or n N^2, for the Gram matrices; from rows m^3/3 per
 * pair, from Z'Z p^3/3 + p s N per alpha_x and s^3/3 per pair.
 */
#ifndef TRANSELECT_EVIDENCE_H
#define TRANSELECT_EVIDENCE_H

#include "gram.h"
#include "greedy.h"
#include "ridge_grid.h"

typedef struct {
  double alpha[2];  /* alpha_x, alpha_h: NAN where there are no such columns; infinite: no source */
  int centre;       /* c */
  double criterion; /* log marginal likelihood and prior */
  double weight;
} ridge_pair;

typedef struct {
  int n_pairs; /* pairs that are kept: first the heavier of two sides, the pairs with sources and those without; by
                * descending weight within a side, but the first of all is the best with c = 0 */
  ridge_pair pair[EVIDENCE_PAIRS];
  double *mean, *ss; /* N each, by design_moments(); the path uses them */
  double *share;     /* N - p: a_j of the sources */
  greedy_scales scales;
  double count[2]; /* how many features and sources vary */
  double *G, *b;   /* X'X (N x N) and X'y (N), weighted; NULL: not wanted */
  double *y;       /* with G: y'y and the mean of y */
  gram gram;       /* with G: of the rows. The caller allocates mean, ss, share, G, b and y */
} evidence_result;

/* Does evidence() make the Gram matrix, from which the path can be computed? It does if there are more rows than
 * columns, all columns are dense, and there are at most 1024 of them. */
int evidence_has_gram(const design *d);

/* The pairs for the problem's response and weights, columns scaled as the path will scale them. With
 * o->one_ridge there is a single pair, whose 1/alpha are posterior means given c = 0. Otherwise the best pair
 * without sources, and the best pair of the heavier side with c = 0, are always kept, with weight 0 where their weights
 * are dropped. */
status evidence(design *d, const greedy_problem *problem, const greedy_options *o,
                evidence_result *result, size_t *bad);

/* evidence() from second moments. */
status evidence_gram(const gram *g, const greedy_options *o, evidence_result *result);

#endif
