/* chol.h - a Cholesky factor that grows and shrinks by one column at a time.
 *
 * A = LL' (k x k), rows of L `ld` apart, row by row so that every product runs along memory. With it B =
 * U L'^-1 (m x k) can be kept, for columns U with A = U'VU: B'VB = I, an orthonormal basis in the metric V.
 * For columns that come or go one after the other; where all are there from the start spd.h takes half
 * the time. Appending costs k^2 flops (and 2mk with the basis), a solve k^2, a deletion 3(k - i)^2
 * (and 6m(k - i)) by Givens rotations. Work arrays: L (ld^2), B (m ld).
 */
#ifndef TRANSELECT_CHOL_H
#define TRANSELECT_CHOL_H

#include <stddef.h>

typedef struct {
  size_t k, most;
  size_t ld; /* the order there is room for, doubled when it is reached, up to `most` */
  double *L;
  size_t m;              /* rows of the basis; 0 for none */
  double *B;             /* m x k, column-major */
  const double **column; /* work */
} chol_factor;

/* An empty factor of order up to `most`, with a basis of m rows (0: none). k = 0 empties it again.
 * Nothing may be appended at k = most. */
chol_factor chol_new(size_t most, size_t m);

/* Appends a column: a (k) its products with the columns of the factor (overwritten by L^-1 a), own its product with
 * itself, u (m) its column of U (NULL without a basis). Returns 0 and does not append it where the square of the pivot
 * is not above `least`. */
int chol_append(chol_factor *f, double *a, double own, const double *u, double least);

/* Without a basis: always appends, with the squared pivot raised to `least` where it is below. Returns whether it was
 * raised or is infinite. */
int chol_append_raised(chol_factor *f, double *a, double own, double least);

/* Takes column i out. Column k of B, one beyond the new last one, then is the direction that has left the span. */
void chol_delete(chol_factor *f, size_t i);

/* x <- L^-1 x and x <- L'^-1 x. */
void chol_forward(const chol_factor *f, double *x);
void chol_backward(const chol_factor *f, double *x);

/* Row k of X = L^-1 B for an L that comes row by row: x <- (x - sum_{r < k} l_r X_r) / l_k, with l row k of L, X_r
 * the rows made before and x the row of B. n numbers a row; 2kn flops. */
void chol_next_row(const double *l, size_t k, const double *const *X, size_t n, double *x);

/* x <- L'^-1 x (k) for rows of L, of 1, 2, ... numbers, that lie anywhere. k^2 flops. */
void chol_backward_rows(double *const *L, size_t k, double *x);

#endif
