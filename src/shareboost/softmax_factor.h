/* softmax_factor.h - Cholesky factor that grows row by row: A = LL'.
 *
 * Rows of L are packed one after the other, so a new variable appends a row and every product runs
 * along memory. Beyond `limit` rows the factor starts a new diagonal block: A is then taken as zero
 * between blocks, which is good enough where LL' only steers a search.
 *
 * Cost: appending `count` rows to a block of n, count n^2 flops; solving, 2n^2.
 */
#ifndef TRANSELECT_SOFTMAX_FACTOR_H
#define TRANSELECT_SOFTMAX_FACTOR_H

#include <stddef.h>

typedef struct {
  size_t n, first; /* rows; the one that starts the last block */
  size_t limit;    /* rows of a block, at least as many as are appended together */
  size_t *from;    /* first variable of each row's block */
  double **row;    /* row[i][j - from[i]] = L_ij, j = from[i]..i */
  double *dots;    /* count */
} factor;

/* Room for `room` variables appended `count` at a time. */
factor factor_new(size_t room, size_t limit, size_t count);

/* Starts a new block where `count` more rows do not fit; returns its first variable. */
size_t factor_block(factor *f, size_t count);

/* Appends `count` rows of A: row q of h, ld apart, holds the entries with variables
 * f->first..f->n + count - 1; h is overwritten. A pivot below `least` of its diagonal entry is
 * raised to that; returns whether any was. */
int factor_append(factor *f, double *h, size_t ld, size_t count, double least);

/* x <- A^-1 x */
void factor_solve(const factor *f, double *x);

/* x <- L^-1 x */
void factor_forward(const factor *f, double *x);

/* Keeps the rows' memory and starts again. */
void factor_empty(factor *f);

#endif
