/* spd.h - factor and inverse of a symmetric positive definite matrix, made of products of columns.
 *
 * A = U'U with U upper triangular, R = U'^-1 and A^-1 = R'R: every number of the three is a product
 * of leading, or trailing, parts of two columns, which kernels->cross() takes four by four. R's
 * reference LAPACK takes several times as long at order 500.
 */
#ifndef TRANSELECT_SPD_H
#define TRANSELECT_SPD_H

#include <stddef.h>

/* A (m x m) <- A^-1, both triangles, and its log determinant. `work`: m (m + 8). Returns 0 if A is
 * not positive definite. m^3/2 products and additions. */
int spd_inverse(double *A, size_t m, double *work, double *logdet);

/* A <- U in its upper triangle, the rest is not looked at. `rest`: 8 m. Returns 0 if A is not
 * positive definite. m^3/6 products and additions. */
int spd_factor(double *A, size_t m, double *rest);

/* The same with L = U' in the lower triangle. */
int spd_cholesky(double *A, size_t m, double *rest);

/* X (m x columns) <- U'^-1 X. `rest`: 8 times `columns`. m^2/2 products and additions a column. */
void spd_forward(const double *U, size_t m, double *X, size_t columns, double *rest);

/* R <- U'^-1: lower triangular, zero above. `rest`: 8 m. m^3/6 products and additions. */
void spd_lower_inverse(const double *U, size_t m, double *R, double *rest);

#endif
