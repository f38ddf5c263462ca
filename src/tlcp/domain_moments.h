/* domain_moments.h - the second moments of a domain, in the units in which it is fitted.
 *
 * Given for the rows of a domain (q = p + 1 columns, the response last): their number n, the sum of
 * their weights, means, and `cross`, sums of weighted products about these means. With weights scaled
 * to mean 1 and columns centred and divided by `scale`, computed are
 *   G = X'X (p x p), g = X'y, yy = y'y.
 * Rows of cross of `flat` columns, constant in the domain, are exactly zero. Without an intercept
 * products are about 0. With a level (`centre` given) columns are centred at `centre`, the means of
 * the rows of all domains, and a column of ones comes last in G and g.
 *
 * Least squares from these moments: by a Cholesky factor of the columns at norm 1, which leaves out a
 * column whose squared distance from those before it is at most 1e-10 of its square; its coefficient is 0.
 * Cost: p^2 numbers and p^3/3 flops.
 */
#ifndef TRANSELECT_DOMAIN_MOMENTS_H
#define TRANSELECT_DOMAIN_MOMENTS_H

#include <stddef.h>

typedef struct {
  double n, weight;
  const double *mean, *cross; /* q, q x q */
} domain_sums;

/* By column: the mean (0 without an intercept), the sum of squares about it with weights scaled to mean 1,
 * the standard deviation (exactly 0 where the column is constant to rounding), and whether the column has
 * zeros and ones only: then its variance is m (1 - m), m its mean. q each, `binary` q - 1. */
typedef struct {
  double *mean, *square, *spread;
  int *binary;
} domain_spread;

void domain_spreads(const domain_sums *sums, size_t q, int intercept, domain_spread *out);

typedef struct {
  size_t q;
  int intercept;
  const double *scale;  /* q */
  const int *flat;      /* q */
  const double *centre; /* q, or NULL: no level */
} domain_units;

/* G: (p + level)^2, g: p + level. */
void domain_moments(const domain_sums *sums, const domain_units *units, double *G, double *g,
                    double *yy);

typedef struct {
  double *coef; /* p */
  int *kept;    /* p: the first `rank` are the columns kept */
  size_t rank;
  double rss;
  double log_det; /* log|G|, 0 unless all columns are kept */
} domain_fit;

void domain_least_squares(const double *G, const double *g, double yy, size_t p, domain_fit *out);

#endif
