/* blas.h - the routines of R's LAPACK that are used, with arguments by value. */
#ifndef TRANSELECT_BLAS_H
#define TRANSELECT_BLAS_H

#include <stddef.h>

/* Eigenvalues, ascending, and eigenvectors (n x n, columns) of the symmetric A (n x n, lower
 * triangle), which is overwritten. Returns 0 if they could not be found. About 9n^3 flops. */
int blas_eigen(double *A, size_t n, double *value, double *vector);

/* The largest eigenvalue of the symmetric A (n x n, lower triangle), which is overwritten; NAN if it could not be
 * found. 4n^3/3 flops. */
double blas_largest_eigenvalue(double *A, size_t n);

#endif
