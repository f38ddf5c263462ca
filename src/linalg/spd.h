/* spd.h - factor and inverse of a symmetric positive definite matrix, made of products of columns.
 *
 * A = U'U with U upper triangular, R = U'^-1 and A^-1 = R'R: every number of the three is a product
 * of leading, or trailing, parts of two columns, which kernels->cross() takes four by four.
 *
 * For matrices whose columns are all there from the start. A factor by chol.h, a column at a time, or by R's reference
 * LAPACK takes about twice as long or more; so do solves of many right sides by spd_lower(), one by one, beside
 * spd_forward(), which takes all at once (Rscript bench/linalg.R factor).
 */
#ifndef TRANSELECT_SPD_H
#define TRANSELECT_SPD_H

#include <stddef.h>

#include "kernels.h"

/* A (m x m) <- A^-1, both triangles, and its log determinant. `work`: m (m + 8). Returns 0 if A is
 * not positive definite. m^3/2 products and additions. */
int spd_inverse(double *A, size_t m, double *work, double *logdet);

/* The two steps of it: A <- U and R (m x m) <- U'^-1, zero above the diagonal, so that A^-1 = R'R (`rest`: 8 m; m^3/3),
 * and A <- R'R. */
int spd_root(double *A, size_t m, double *R, double *rest, double *logdet);
void spd_of_root(const double *R, size_t m, double *A);

/* The inverse from the upper triangle by sweeps, four columns at a time: faster (`Rscript bench/linalg.R factor`), but
 * A A^-1 - I is larger where A is nearly singular, too large for the bounds of subset.h. `work`: spd_sweep_room(m). */
static inline int spd_sweep(double *A, size_t m, double *work, double *logdet)
{
  return kernels->sweep(A, m, work, logdet);
}
static inline size_t spd_sweep_room(size_t m)
{
  return (m + 8) * (m + 8);
}

/* A <- U in its upper triangle; the lower one is neither read nor written. `rest`: 8 m. Returns 0 if A is not
 * positive definite. m^3/6 products and additions. */
int spd_factor(double *A, size_t m, double *rest);

/* Half the log determinant of A, from U: one logarithm for all numbers on its diagonal, as long as their product does
 * not overflow. */
double spd_half_logdet(const double *U, size_t m);

/* x <- U'^-1 x and x <- U^-1 x. m^2/2 products and additions. */
static inline void spd_lower(const double *U, size_t m, double *x)
{
  kernels->lower(U, m, m, x);
}
static inline void spd_upper(const double *U, size_t m, double *x)
{
  kernels->upper(U, m, m, x);
}

/* X <- L^-1 X, L lower triangular (k x k, rows ld apart), X of k contiguous rows of n numbers. nk^2 flops. */
void spd_rows(const double *L, size_t ld, size_t k, double *X, size_t n);

/* X (m x columns) <- U'^-1 X. `rest`: 8 times `columns`. m^2/2 products and additions a column. */
void spd_forward(const double *U, size_t m, double *X, size_t columns, double *rest);

/* X (m x columns) <- A^-1 X and A <- U, as spd_factor() has it. `rest`: 8 times the larger of m and `columns`.
 * Returns 0 if A is not positive definite. m^3/6 products and additions, and m^2 a column. */
int spd_solve(double *A, size_t m, double *X, size_t columns, double *rest);

/* square[j] = x_j'A^-1 x_j for the columns of X; X <- U'^-1 X and A <- U. `rest` and the result as above. m^3/6
 * products and additions, and m^2/2 a column. */
int spd_squares(double *A, size_t m, double *X, size_t columns, double *rest, double *square);

/* The factor by columns: A has spd_columns(m) columns, ld = spd_columns_ld(m, more) apart, and of each, from the diagonal
 * on, the rows of A and then, from row spd_columns(m) on, `more` rows y'. spd_columns_factor() puts L, A = LL', in place
 * of the ones and (L^-1 y)' in place of the others. All numbers of A must be finite, those above the diagonal too, which
 * are work space. No product ends in a sum of lanes: faster than spd_factor() at small orders, not beyond 320.
 * Returns 0 if A is not positive definite. m^3/6 products and additions. */
static inline size_t spd_columns(size_t m)
{
  return (m + KERNELS_PIVOTS - 1) / KERNELS_PIVOTS * KERNELS_PIVOTS;
}
static inline size_t spd_columns_ld(size_t m, size_t more)
{
  return (spd_columns(m) + more + KERNELS_LANES - 1) / KERNELS_LANES * KERNELS_LANES;
}
int spd_columns_factor(double *A, size_t m, size_t ld);

/* Half the log determinant of A, and x <- L'^-1 x. */
double spd_columns_half_logdet(const double *L, size_t m, size_t ld);
void spd_columns_backward(const double *L, size_t m, size_t ld, double *x);

#endif
