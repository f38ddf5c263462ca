/* shareboost_columns.h - ShareBoost's columns from a matrix, dense or sparse, where it lies, or products.
 *
 * A round needs X'U, U the K columns of R and the new directions: panels of columns are read once,
 * block of rows by block of rows (2mpK flops). Columns are centred and scaled by arithmetic on the
 * sums. Of products of columns (products.h) the same with U times the first factor, a run of rows at a
 * time. Work arrays: 2p, a panel's sums, and for a sparse matrix U by rows (mK). Where rounds look
 * at some of the units only, directions are kept (m a selected column) and caught up on.
 */
#ifndef TRANSELECT_SHAREBOOST_COLUMNS_H
#define TRANSELECT_SHAREBOOST_COLUMNS_H

#include "design.h"
#include "shareboost.h"

enum share_scale { SCALE_SD, SCALE_MAX, SCALE_NONE };

typedef struct {
  const design *d;
  size_t K;
  double *scale;      /* N; 0 for a column that does not vary */
  double *own, *left; /* mean squares of the scaled columns: their own, beside the selected */
  size_t units, largest, room; /* room: most columns that can enter */
  size_t *start, *member;      /* columns of unit u: member[start[u]..start[u + 1] - 1] */
  int threads;
  int keeps;    /* directions are kept */
  double *kept; /* V q, m each */
  size_t n_kept;
  size_t *seen; /* of those, how many `left` accounts for */
  double *by_row, *panel, *products, *buffer;
  size_t width, panel_size; /* columns of a panel; numbers of its room, a thread each */
} share_columns;

typedef struct {
  const double *v; /* weights of mean one (m), or NULL */
  int center;
  enum share_scale by;
  const int *group;           /* 0..units-1 of every column, NULL: each its own */
  size_t units, K, max_units; /* max_units: how many may enter */
  int subsets;                /* will rounds look at some units only? */
  int threads;
} share_columns_of;

/* Centres (d->center, where there is an intercept) and scales all columns. STATUS_NOT_FINITE with the column
 * in *bad, and *c NULL. */
status share_columns_new(design *d, const share_columns_of *of, share_columns **c, size_t *bad);

share_units share_columns_units(share_columns *c);

#endif
