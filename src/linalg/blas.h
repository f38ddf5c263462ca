/* blas.h - routines of R's LAPACK (dsyevr), with arguments by value and work arrays of their own (O(n), and what is
 * said below). */
#ifndef TRANSELECT_BLAS_H
#define TRANSELECT_BLAS_H

#include <stddef.h>

/* Eigenvalues, ascending, and eigenvectors (n x n, columns) of the symmetric A (n x n, lower
 * triangle), which is overwritten. Returns 0 if LAPACK does not find them. About 9n^3 flops. */
int blas_eigen(double *A, size_t n, double *value, double *vector);

/* The largest eigenvalue of the symmetric A (n x n, lower triangle), which is overwritten; NAN if LAPACK does not find
 * it. 4n^3/3 flops. */
double blas_largest_eigenvalue(double *A, size_t n);

#endif
