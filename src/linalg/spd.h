/* spd.h - factor and inverse of a symmetric positive definite matrix, made of products of columns.
 *
 * A = U'U with U upper triangular, R = U'^-1 and A^-1 = R'R: every element of the three is a product of the leading or
 * trailing parts of two columns, which kernels->cross() computes in tiles of four by four (block algorithms: Golub &
 * Van Loan, Matrix Computations, 2013, section 4.2). Work arrays and cost stand beside each function.
 *
 * For matrices whose columns are all there from the start. A factor by chol.h, one column at a time, or by R's
 * reference LAPACK takes about twice as long or more; so does solving for many right-hand sides one by one by
 * spd_lower(), where spd_forward() solves for all at once (Rscript bench/linalg.R factor).
 */
#ifndef TRANSELECT_SPD_H
#define TRANSELECT_SPD_H

#include <stddef.h>

#include "kernels.h"

/* A (m x m) <- A^-1, both triangles, and its log determinant. `work`: m (m + 8). Returns 0 if A is
 * not positive definite. m^3/2 products and additions. */
int spd_inverse(double *A, size_t m, double *work, double *logdet);

/* The two steps of spd_inverse(). spd_root(): A <- U and R (m x m) <- U'^-1, zero above the diagonal, so that
 * A^-1 = R'R (`rest`: 8 m; m^3/3). spd_of_root(): A <- R'R. */
int spd_root(double *A, size_t m, double *R, double *rest, double *logdet);
void spd_of_root(const double *R, size_t m, double *A);

/* A <- A^-1 from its upper triangle by sweeps, four columns at a time: faster than spd_inverse() (`Rscript
 * bench/linalg.R factor`), but A A^-1 - I is larger where A is nearly singular, too large for the bounds of subset.h.
 * `work`: spd_sweep_room(m). */
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

/* Half the log determinant of A, from U: the logarithm of products of U's diagonal, each over as many elements as
 * do not overflow. */
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

/* X (m x columns) <- U'^-1 X. `rest`: 8 times `columns`. m^2/2 products and additions per column. */
void spd_forward(const double *U, size_t m, double *X, size_t columns, double *rest);

/* X (m x columns) <- A^-1 X and A <- U as by spd_factor(). `rest`: 8 times the larger of m and `columns`.
 * Returns 0 if A is not positive definite. m^3/6 products and additions, and m^2 per column. */
int spd_solve(double *A, size_t m, double *X, size_t columns, double *rest);

/* square[j] <- x_j'A^-1 x_j for the columns of X; X <- U'^-1 X and A <- U. `rest` and the returned value as for
 * spd_solve(). m^3/6 products and additions, and m^2/2 per column. */
int spd_squares(double *A, size_t m, double *X, size_t columns, double *rest, double *square);

/* The factor by columns. The array has spd_columns(m) columns, ld = spd_columns_ld(m, more) apart, of which those of
 * the lower triangle of A are the first m; from row spd_columns(m) on stand `more` rows y'. spd_columns_factor()
 * overwrites the triangle by L, A = LL', and each row y' by (L^-1 y)'. Elements above the diagonal are work space, but
 * must be finite, too. No product ends in a sum over the lanes of a vector: faster than spd_factor() up to order 320.
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

/* Half the log determinant of A, and x <- L'^-1 x, from the factor by columns. */
double spd_columns_half_logdet(const double *L, size_t m, size_t ld);
void spd_columns_backward(const double *L, size_t m, size_t ld, double *x);

#endif
