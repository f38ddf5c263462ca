/* chol.h - a Cholesky factor that grows and shrinks by one column at a time.
 *
 * A = LL' (k x k), L stored row by row, rows `ld` apart, so that every product runs along memory. If A = U'VU for
 * columns U (m x k), B = U L'^-1 can be kept beside L: an orthonormal basis in the metric V, B'VB = I. Meant for
 * columns that come or go one by one; where all are there from the start spd.h takes half the time. Appending costs k^2
 * flops (and 2mk with the basis), a triangular solve k^2, a deletion 3(k - i)^2 (and 6m(k - i)) by Givens rotations
 * (Golub & Van Loan, Matrix Computations, 2013, section 6.5). Work arrays: L (ld^2), B (m ld).
 */
#ifndef TRANSELECT_CHOL_H
#define TRANSELECT_CHOL_H

#include <stddef.h>

typedef struct {
  size_t k, most;
  size_t ld; /* the order that L has room for, doubled when it is reached, up to `most` */
  double *L;
  size_t m;              /* rows of the basis; 0 for none */
  double *B;             /* m x k, column-major */
  const double **column; /* work */
} chol_factor;

/* An empty factor of order up to `most`, with a basis of m rows (0: no basis). Setting k = 0 empties it again.
 * Nothing may be appended at k = most. */
chol_factor chol_new(size_t most, size_t m);

/* Appends a column. a (k): its products with the columns of the factor, overwritten by L^-1 a; own: its product with
 * itself; u (m): the column of U, NULL without a basis. Where the squared pivot is not above `least` the column is not
 * appended, and 0 is returned. */
int chol_append(chol_factor *f, double *a, double own, const double *u, double least);

/* For a factor without a basis: always appends the column, with the squared pivot raised to `least` where it is below.
 * Returns whether the squared pivot was raised or is infinite. */
int chol_append_raised(chol_factor *f, double *a, double own, double least);

/* Deletes column i. Afterwards column k of B, behind its last column, is the direction that has left the span. */
void chol_delete(chol_factor *f, size_t i);

/* x <- L^-1 x and x <- L'^-1 x. */
void chol_forward(const chol_factor *f, double *x);
void chol_backward(const chol_factor *f, double *x);

/* Row k of X = L^-1 B for an L that comes row by row: x <- (x - sum_{r < k} l_r X_r) / l_k, with l row k of L, X_r
 * the rows made before and x the row of B. Rows have n numbers; 2kn flops. */
void chol_next_row(const double *l, size_t k, const double *const *X, size_t n, double *x);

/* x (k) <- L'^-1 x, L given by pointers to its rows of 1, 2, ... numbers. k^2 flops. */
void chol_backward_rows(double *const *L, size_t k, double *x);

#endif
