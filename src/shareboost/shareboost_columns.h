/* shareboost_columns.h - ShareBoost's columns: those of a dense or sparse matrix, which is not copied, or products.
 *
 * A round computes X'U for N columns X and the q columns of U, the K of R and the new directions. Panels of X are read
 * once, a few blocks of rows at a time (2mNq flops). The sums are then centred and scaled, not the columns. For
 * products of columns (products.h) U is multiplied by the first factor, a few blocks of rows at a time. Work arrays:
 * the products (N q), a few vectors of N numbers, for each thread the sums of a panel, and for a sparse matrix U by
 * rows (mq). Where each round draws some of the units, all directions are stored (m numbers per selected column), and
 * v_r of a unit is updated when it is drawn.
 */
#ifndef TRANSELECT_SHAREBOOST_COLUMNS_H
#define TRANSELECT_SHAREBOOST_COLUMNS_H

#include "design.h"
#include "shareboost.h"

enum share_scale { SCALE_SD, SCALE_MAX, SCALE_NONE };

typedef struct {
  const design *d;
  size_t K;
  double *scale;               /* N; 0 for a column that does not vary */
  double *own, *left;          /* mean squares of the scaled columns; v_r */
  size_t units, largest, room; /* units; columns of the largest; most columns that can enter */
  size_t *start, *member;      /* columns of unit u: member[start[u]..start[u + 1] - 1] */
  int threads;
  int keeps;    /* are directions stored? */
  double *kept; /* V q, m numbers for each of n_kept directions */
  size_t n_kept;
  size_t *seen; /* of every column: the number of directions that `left` accounts for */
  double *by_row, *panel, *products, *buffer;
  size_t width, panel_size; /* columns of a panel; size of a thread's part of `panel` */
} share_columns;

typedef struct {
  const double *v; /* weights of mean one (m), or NULL */
  int center;
  enum share_scale by;
  const int *group;           /* the unit (0..units-1) of every column; NULL: column j is unit j */
  size_t units, K, max_units; /* max_units: how many units may enter */
  int subsets;                /* does each round draw some of the units? */
  int threads;
} share_columns_of;

/* Finds centres (d->center, where there is an intercept) and scales of all columns. Returns STATUS_NOT_FINITE, with *c
 * NULL and the number of the column in *bad, where a column is not finite. */
status share_columns_new(design *d, const share_columns_of *of, share_columns **c, size_t *bad);

share_units share_columns_units(share_columns *c);

#endif
