/* softmax_factor.h - the Cholesky factor of the diagonal blocks of a matrix A, whose other entries are taken as zero:
 * an approximation that is enough for the initial matrix of L-BFGS. Blocks are factors of chol.h, of at most `limit`
 * variables. Work arrays: those of chol.h. Cost per block of k variables: k^2 flops to append a row, 2k^2 for a solve.
 */
#ifndef TRANSELECT_SOFTMAX_FACTOR_H
#define TRANSELECT_SOFTMAX_FACTOR_H

#include "chol.h"

typedef struct {
  chol_factor *block;
  size_t last;  /* the number of the last block */
  size_t first; /* its first variable */
  size_t limit; /* most variables of a block, at least as many as are appended together */
} softmax_factor;

/* Room for `room` variables appended `count` at a time. */
softmax_factor factor_new(size_t room, size_t limit, size_t count);

/* Starts a new block where `count` more variables do not fit; returns the first variable of the last block. */
size_t factor_block(softmax_factor *f, size_t count);

/* Appends `count` rows of A to the last block. Row q of h (rows ld apart) holds the entries with the variables of the
 * block and with the new ones; h is overwritten. A squared pivot below `least` times its diagonal entry is raised to
 * that; returns whether any was. */
int factor_append(softmax_factor *f, double *h, size_t ld, size_t count, double least);

/* x <- A^-1 x */
void factor_solve(const softmax_factor *f, double *x);

/* Empties the factor and keeps its memory. */
void factor_empty(softmax_factor *f);

#endif
