/* evidence.h - how strongly to shrink features and sources, from the marginal likelihood.
 *
 * Model: y = Z_x w_x + Z_h w_h + noise, w_x ~ N(0, s2/(alpha_x p)), w_h ~ N(0, s2/(alpha_h s)),
 * noise ~ N(0, s2), with p features and s sources that vary. With K_x = Z_x Z_x'/p,
 * K_h = Z_h Z_h'/s and M = I + K_x/alpha_x + K_h/alpha_h the criterion is
 *
 *   -(n-1)/2 log(y'M^-1 y) - 1/2 log|M| - ln^2(alpha_x/10)/8
 *   - { ln^2(alpha_h)/(2 .75^2)  if alpha_h < 1,  ln(alpha_h)/4  otherwise },
 *
 * (s2 integrated out; the last terms, weak opinions about the two strengths, only where there
 * are sources) and is maximised over alpha_x in 10^(-1, -.5, ..., 2.5) and alpha_h in the same
 * and 10^3, 10^4: all 80 pairs while min(n, N) <= 128, beyond that by moving to the best
 * neighbour from (10, 1). Where there are more than 1024 rows and more than 1024 columns, 1024 rows
 * evenly spaced speak for all. The ridge of a column is alpha_x p or alpha_h s.
 *
 * Work arrays: N, and with m = min(n, N, 1024) 3 m^2 (from rows) or 2 m^2 (n > N, from Z'Z); cost
 * m^2 N, or n N^2, for the Gram matrices and m^3/3 an evaluation.
 */
#ifndef TRANSELECT_EVIDENCE_H
#define TRANSELECT_EVIDENCE_H

#include "greedy.h"
#include "greedy_gram.h"

typedef struct {
  double alpha[2];  /* NAN where there are no such columns */
  double criterion; /* at the maximum */
} evidence_result;

/* For one response with its weights; columns scaled as the path will scale them. Fills mean and
 * ss (N each, as design_moments() gives them), so that the path need not find them again. */
status evidence(design *d, const double *y, const double *v, const greedy_options *o, double *mean,
                double *ss, evidence_result *result, size_t *bad);

/* The same from second moments, features only. */
status evidence_gram(const gram *g, const greedy_options *o, evidence_result *result);

#endif
