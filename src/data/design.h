/* design.h - the columns Z = [features, sources], read from R's objects without a copy.
 *
 * A design is one or two blocks of columns over the same n rows. A block is dense (R's matrix,
 * column-major), sparse (the slots of a dgCMatrix), products of a matrix's columns (products.h) or lazy
 * (a function makes a column when it is needed). Columns are numbered 0..N-1 through the blocks.
 * Centring is implicit: products are those of x_j - center[j]. Work arrays: at most one column.
 */
#ifndef TRANSELECT_DESIGN_H
#define TRANSELECT_DESIGN_H

#include <stddef.h>

#include "products.h"

typedef struct {
  size_t p;
  const double *x;                                    /* dense: n x p; NULL otherwise */
  const int *row, *start;                             /* sparse: rows and column starts ... */
  const double *value;                                /* ... and values */
  const column_products *product;                     /* products of two columns; NULL otherwise */
  void (*make)(void *context, size_t j, double *out); /* products, lazy: writes column j (n) */
  void *context;
} block;

typedef struct {
  size_t n, N;
  int n_blocks;
  block block[2];
  double *center; /* N, or NULL for no centring */
} design;

/* The amount of numbers read in a pass from which on a second thread saves time. */
#define WORTH_THREADS 100000

/* Are the columns of a block made by a function of the caller? Such columns are too slow to be read in every step. */
static inline int block_is_lazy(const block *b)
{
  return b->make && !b->product;
}

/* Column j, neither centred nor scaled: a pointer into the block, or `buffer` (n) filled with the column. */
const double *design_column(const design *d, size_t j, double *buffer);

/* Allocates a buffer for one column (n); NULL if all blocks are dense, where it is not needed. */
double *design_buffer(const design *d);

/* out[j - from] <- (x_j - center_j)'u for the columns of a range; sum_u = sum(u). Not for lazy blocks.
 * Cost per column: 2n flops, 2 nnz for a sparse one; one read of the columns. */
void design_dots(const design *d, column_range range, const double *u, double sum_u, double *out);

/* design_dots() for m vectors u_b, n apart: out[(j - from) m + b] <- (x_j - center_j)'u_b. */
void design_dots_multi(const design *d, column_range range, const double *u, const double *sum_u,
                       size_t m, double *out);

/* Mean of a column and sum of squares about the mean, exactly 0 if the column is constant to rounding. */
typedef struct {
  int ok; /* are the values finite, and neither too large nor too small to be squared? */
  double mean, ss;
} mean_and_ss;

/* Mean and sum of squares of column j, weighted by v (sum n; NULL: 1); without `center` the mean is taken as 0. Two
 * passes: over a dense column less its first value, over the entries of a sparse one.
 * `buffer` (n) is used for blocks that are not dense. */
mean_and_ss design_moments(const design *d, size_t j, const double *v, int center, double *buffer);

/* design_moments() for a column given as a vector x (n). */
mean_and_ss column_moments(const double *x, const double *v, size_t n, int center);

#endif
