/* chol.h - a Cholesky factor that grows and shrinks by one column at a time.
 *
 * A = LL' (k x k), rows of L `ld` apart, row by row so that every product runs along memory. Beside
 * it may stand B = U L'^-1 (m x k) for columns U with A = U'VU: an orthonormal basis when V is the
 * metric. For columns that come or go one after the other; where all are there from the start spd.h takes half
 * the time. Appending costs k^2 flops (and 2mk with the basis), a solve k^2, a deletion 3(k - i)^2
 * (and 6m(k - i)) by Givens rotations.
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

/* Appends a column: a (k) its products with those inside (overwritten), own its product with
 * itself, u (m) its column of U (NULL without a basis). Returns 0, and leaves the factor alone,
 * where the pivot is below `least`. */
int chol_append(chol_factor *f, double *a, double own, const double *u, double least);

/* Without a basis, whatever the pivot: one below `least` is raised to that. Returns whether it had to be, or is
 * infinite. */
int chol_append_raised(chol_factor *f, double *a, double own, double least);

/* Takes column i out. Column k of the basis, beyond the new last one, then is the direction that it lost. */
void chol_delete(chol_factor *f, size_t i);

/* x <- L^-1 x and x <- L'^-1 x. */
void chol_forward(const chol_factor *f, double *x);
void chol_backward(const chol_factor *f, double *x);

#endif
