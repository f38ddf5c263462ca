/* softmax_factor.h - the Cholesky factor of the diagonal blocks of a matrix, whose other entries are taken as zero: an
 * approximation that is enough for the initial matrix of L-BFGS. Blocks are factors of chol.h, of at most `limit`
 * variables. Cost of appending to a block of k variables k^2, of a solve 2k^2.
 */
#ifndef TRANSELECT_SOFTMAX_FACTOR_H
#define TRANSELECT_SOFTMAX_FACTOR_H

#include "chol.h"

typedef struct {
  chol_factor *block;
  size_t last;  /* the number of the last block */
  size_t first; /* its first variable */
  size_t limit; /* variables of a block, at least as many as are appended together */
} softmax_factor;

/* Room for `room` variables appended `count` at a time. */
softmax_factor factor_new(size_t room, size_t limit, size_t count);

/* Starts a new block where `count` more variables do not fit; returns its first variable. */
size_t factor_block(softmax_factor *f, size_t count);

/* Appends `count` rows of A: row q of h, ld apart, holds the entries with the variables of the last block and the
 * new ones; h is overwritten. A pivot below `least` of its diagonal entry is raised to that; returns
 * whether any was. */
int factor_append(softmax_factor *f, double *h, size_t ld, size_t count, double least);

/* x <- A^-1 x */
void factor_solve(const softmax_factor *f, double *x);

/* Empties the factor; the memory is used again. */
void factor_empty(softmax_factor *f);

#endif
