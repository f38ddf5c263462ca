/* blas.h - every call to R's BLAS and LAPACK, by value and with the formula beside it. */
#ifndef TRANSELECT_BLAS_H
#define TRANSELECT_BLAS_H

#include <stddef.h>

/* A (n x n, lower triangle) <- L with A = LL'. Returns 0, or the order of the leading minor
 * that is not positive definite. n^3/3 flops. */
int blas_chol(double *A, size_t n);

/* x <- L^-1 x, L lower triangular (n x n). n^2 flops. */
void blas_forward(const double *L, size_t n, double *x);

/* x <- L'^-1 x. n^2 flops. */
void blas_backward(const double *L, size_t n, double *x);

/* Eigenvalues, ascending, and eigenvectors (n x n, columns) of the symmetric A (n x n, lower
 * triangle), which is overwritten. Returns 0 if they could not be found. About 9n^3 flops. */
int blas_eigen(double *A, size_t n, double *value, double *vector);

/* The largest eigenvalue of the symmetric A (n x n), which is overwritten. 4n^3/3 flops. */
double blas_largest_eigenvalue(double *A, size_t n);

#endif
