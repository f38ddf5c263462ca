/* domain_moments.h - the second moments of a domain, in the units in which it is fitted.
 *
 * The input is, for the rows of a domain (q = p + 1 columns, the response last): their number n, the sum of
 * their weights, the weighted means, and `cross`, the weighted sums of products about these means. With weights
 * scaled to mean 1 and columns centred at their means and divided by `scale`, the moments are
 *   G = X'X (p x p), g = X'y, yy = y'y.
 * Products of a `flat` column, which is constant in the domain, about the means are taken as 0. Without
 * an intercept columns are not centred. With a level (`centre` given) they are centred at `centre`, the means
 * over the rows of all domains, and a column of ones comes last in G and g.
 *
 * Least squares from these moments: by a Cholesky factor of G for columns scaled to norm 1. A column whose
 * squared distance from the span of the columns kept before it is at most `share` of its square is left out, and so are
 * all columns after the first `most` that are kept; their coefficients are 0. Work arrays: p^2 numbers; cost: p^3/3
 * flops.
 */
#ifndef TRANSELECT_DOMAIN_MOMENTS_H
#define TRANSELECT_DOMAIN_MOMENTS_H

#include <stddef.h>

typedef struct {
  double n, weight;
  const double *mean, *cross; /* q, q x q */
} domain_sums;

/* For each column: the mean (0 without an intercept), the sum of squares about that mean with weights scaled to mean 1,
 * the standard deviation (exactly 0 where the column is constant to rounding), and whether the column has zeros and
 * ones only, which is the case where its variance is m (1 - m), m its mean. q numbers each, `binary` q - 1. */
typedef struct {
  double *mean, *square, *spread;
  int *binary;
} domain_spread;

void domain_spreads(const domain_sums *sums, size_t q, int intercept, domain_spread *out);

/* out (q x T) <- the standard deviations `spread` (q x T) of T domains, with df (T) degrees of freedom, shrunk towards
 * each other as far as they differ by chance (moderate.h). Each column is shrunk among the domains in which it varies,
 * if these are three or more and two of them have degrees of freedom. `binary` columns (q - 1) are not shrunk. Cost
 * O(q T log T). */
void domain_moderated(const double *spread, const double *df, const int *binary, size_t q, size_t T,
                      double *out);

typedef struct {
  size_t q;
  int intercept;
  const double *scale;  /* q */
  const int *flat;      /* q */
  const double *centre; /* q, or NULL: no level */
} domain_units;

/* G has p^2 and g has p numbers, with a level (p + 1)^2 and p + 1. */
void domain_moments(const domain_sums *sums, const domain_units *units, double *G, double *g,
                    double *yy);

typedef struct {
  double *coef; /* p */
  int *kept;    /* p, of which the first `rank` are the columns kept */
  size_t rank;
  double rss;
  double log_det; /* log|G|, 0 unless all columns are kept */
} domain_fit;

/* The `share` by which a column is left out that is, to rounding, a linear combination of others. */
#define ROUNDING_SHARE 1e-10

/* most: the largest number of columns kept, such as the number of rows: by rounding a linear combination may look
 * independent. */
void domain_least_squares(const double *G, const double *g, double yy, size_t p, size_t most,
                          double share, domain_fit *out);

#endif
