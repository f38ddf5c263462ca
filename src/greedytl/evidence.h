/* evidence.h - the ridges of features and sources, weighted by their marginal likelihood.
 *
 * Model: y = Z_x w_x + Z_h w_h + noise, w_x ~ N(0, s2/(alpha_x p)), w_h ~ N(0, s2/(alpha_h s)),
 * noise ~ N(0, s2), with p features and s sources that vary. With K_x = Z_x Z_x'/p,
 * K_h = Z_h Z_h'/s and M = I + K_x/alpha_x + K_h/alpha_h the log marginal likelihood (s2 integrated
 * out) is, up to a constant, -(n-1)/2 log(y'M^-1 y) - 1/2 log|M|. alpha_x is one of
 * 10^(-1, -.5, ..., 2.5), alpha_h one of these, 10^3, 10^4 or infinite: no source. The log prior, only
 * where there are sources, is
 *
 *   -ln^2(alpha_x/10)/8 + { -ln^2(alpha_h)/(2 .75^2)  if alpha_h < 1,  log(11)  if there is no source,
 *                           0  otherwise },
 *
 * so that "no source" has about half of the prior mass. The weight of a pair is its posterior
 * probability; pairs with less than a tenth of the largest are dropped (average.h). Up to order
 * min(n, N) = 128 all 88 pairs are evaluated. Beyond that a search moves from (10, 1) and from (10, no
 * source) to the best neighbour, and then evaluates all neighbours of the pairs that are kept; above 400
 * rows it starts from the best pairs of every other row. Where there are more than 1024 rows and more than
 * 1024 columns, a sample of 1024 rows is used: row i with probability p_i = min(1, c v_i), by systematic
 * sampling, and with weight v_i/p_i. The ridge of a column is alpha_x p or alpha_h s. Columns that are
 * kept have no ridge: their coefficients, as the intercept, are integrated out with a flat prior. Then
 * response and other columns are residuals on the kept ones, and n - 1 is less by their number.
 *
 * Work arrays: N, and with m = min(n, N, 1024) 3 m^2 (from rows; above 400 less than 4 m^2) or 2 m^2
 * (n > N, from Z'Z), and 256 columns or rows standardised; cost m^2 N, or n N^2, for the Gram matrices
 * and m^3/3 a pair.
 */
#ifndef TRANSELECT_EVIDENCE_H
#define TRANSELECT_EVIDENCE_H

#include "gram.h"
#include "greedy.h"

enum { EVIDENCE_PAIRS = 88 };

typedef struct {
  double alpha[2];  /* NAN where there are no such columns; infinite: no source */
  double criterion; /* log marginal likelihood and prior */
  double weight;
} ridge_pair;

typedef struct {
  int n_pairs; /* that are kept: first those with sources, or those without, whichever side weighs more; by weight */
  ridge_pair pair[EVIDENCE_PAIRS];
  double *mean, *ss; /* N each, by design_moments(); the path uses them */
  double *G, *b;     /* X'X (N x N) and X'y (N), weighted, or NULL: not wanted */
  double *y;         /* y'y and the mean of y, with G */
  gram gram;         /* of the rows, where there is G. The caller allocates mean, ss, G, b and y */
} evidence_result;

/* Does evidence() make the Gram matrix, from which the path can be computed? Yes where there are more rows than
 * columns, all columns are dense, and there are at most 1024 of them. */
int evidence_has_gram(const design *d);

/* For the problem's response with its weights; columns scaled as the path will scale them. With
 * o->one_ridge there is a single pair, the posterior means of 1/alpha; otherwise the heaviest pair
 * without sources is there even if its weight is dropped, with weight 0. */
status evidence(design *d, const greedy_problem *problem, const greedy_options *o,
                evidence_result *result, size_t *bad);

/* The same from second moments, features only. */
status evidence_gram(const gram *g, const greedy_options *o, evidence_result *result);

#endif
