/* tgreedy_rows.h - tgreedy_data from rows.
 *
 * The m_ik, G_ik and e_i of tgreedy.h are sums over the rows of domains (domains.h) for the columns of a design: of
 * products with the response once, and with a feature when it is first picked.
 * Work arrays: u and score (n each), m (pK), sum (K), a buffer of design_column(), with classes `sorted` (n). Cost: one
 * read of the columns, 2np flops, for each product; with classes O(n log n) after a step. */
#ifndef TRANSELECT_TGREEDY_ROWS_H
#define TRANSELECT_TGREEDY_ROWS_H

#include "domains.h"
#include "tgreedy.h"

typedef struct {
  double score, weight;
  int positive;
} scored;

/* Rows for second moments: the labelled rows, or labelled and unlabelled ones, with the centres and
 * scales of the labelled rows. */
typedef struct {
  const design *d;
  domains g;
  const double *center, *scale;
  double *one, *other; /* buffers of design_column() for the two columns of a product */
} tgreedy_others;

typedef struct {
  design *d;
  domains g;
  const double *scale;
  double *u, *column; /* n each */
  double *sum;        /* K */
  double *score;      /* n: the scores so far, for areas under the ROC curve */
  scored *sorted;     /* n: the rows of a domain by score */
  const double *y;
  tgreedy_others *others; /* its design is `d` if there are no unlabelled rows */
  int threads;
} tgreedy_rows;

/* Finds centres (d->center; 0 without `intercept`) and scales (1 without `standardize`) of all columns, every domain
 * counting once. Returns STATUS_NOT_FINITE with the column in *bad if it is not finite. Two reads of the columns. */
status tgreedy_scales(design *d, const domains *g, int intercept, int standardize, double *scale,
                      size_t *bad);

/* e_i <- mean_k E_k X_i^2 of the scaled columns; 1 for columns that do not vary. */
void tgreedy_squares(const tgreedy_others *rows, double *e);

/* Data for y, less its mean with every domain counting once (*mean) if `intercept`. With `classes` y is -1 or 1, and
 * areas under the ROC curve are computed after every step. One read of the columns. */
tgreedy_data tgreedy_from_rows(tgreedy_rows *rows, const double *y, int intercept, int classes,
                               const double *e, double *mean);

#endif
