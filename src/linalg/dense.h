/* dense.h - triangular work of order ten to a hundred, where R's reference BLAS is slow. Larger
 * orders go to LAPACK (blas.h), so that a tuned one pays.
 */
#ifndef TRANSELECT_DENSE_H
#define TRANSELECT_DENSE_H

#include <stddef.h>

/* A (n x n, lower triangle) <- L with A = LL'; the upper triangle is lost. Returns 0 if A is not
 * positive definite. n^3/3 flops. */
int dense_chol(double *A, size_t n);

/* X (n x m) <- L^-1 X. n^2 m flops. */
void dense_forward(const double *L, size_t n, double *X, size_t m);

/* X (n x n) <- L^-1. n^3/3 flops. */
void dense_lower_inverse(const double *L, size_t n, double *X);

#endif
