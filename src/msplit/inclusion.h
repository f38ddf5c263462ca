/* inclusion.h - posterior probabilities that effects are not zero.
 *
 * For y = X b + e of n rows, columns of X with squared norm n: given the support P, b_P ~ N(0, s^2 (v/n) I), b = 0
 * off P, p(s^2) ~ 1/s^2, v uniform on `spread`, and a support of k columns has the prior exp(log_prior[k]). With
 * delta = v/n, A = G_PP + I/delta, S = y'y - c_P'A^-1 c_P, G = X'X, c = X'y,
 *
 *   log p(P, v | y) = -log det(delta A)/2 - (df/2) log S + log_prior[|P|] + constant.
 *
 * With a = A_jj - g'A^-1 g, r = c_j - g'A^-1 c_P and g = G_Pj, S falls by r^2/a and log det grows by log(delta a) when
 * column j enters. a and r of the columns outside P are updated (k d flops per change; Gibbs steps without a change
 * need none); of the m-th column of P they are 1/(A^-1)_mm and (A^-1 c_P)_m/(A^-1)_mm.
 *
 * The sampler starts from the support of largest log p among the given ones. A sweep has a Gibbs step for every column,
 * SWAPS exchanges of a column for a correlated one, and a Metropolis step of v; the probabilities of the Gibbs steps
 * are averaged over the sweeps. The random numbers are always the same, so that the same input gives the same
 * probabilities. Work arrays: most^2, a few vectors of d, and the correlated pairs. Cost of a sweep: k d flops per
 * change. Reference: George and McCulloch, Statistica Sinica 7 (1997), section 4. */
#ifndef TRANSELECT_INCLUSION_H
#define TRANSELECT_INCLUSION_H

#include <stddef.h>

typedef struct {
  size_t d, most;   /* number of columns; largest size of a support */
  const double *G;  /* d x d */
  const double *c;  /* d */
  double yy, n, df; /* df: n less the columns that are in every model, such as the intercept */
  const double *log_prior; /* of a support of k columns, k = 0 ... most */
  const double *spread;    /* the values of v, ascending */
  size_t n_spread;
} inclusion;

/* Support k of the n_starts given ones has the columns index[start[k]..start[k + 1] - 1]; supports of more than `most`
 * columns are not used. probability: d. */
void inclusion_probabilities(const inclusion *m, const int *start, const int *index,
                             size_t n_starts, int sweeps, double *probability);

#endif
