/* standard_rows.h - products of rows in centred columns, which are made a block of rows at a time.
 *
 * z_ij = (x_{r(i) c(j)} - shift_j) / base_j for some rows r and columns c of a matrix x, with a last column of ones if
 * `constant`; 0 where `flat` is. The rows of one domain are so read from the design of all without a copy.
 *
 *   combination   out_i = sum_j z_ij b_j
 *   terms         score_j = sum_i u_i z_ij,  information_jk = sum_i w_i z_ij z_ik   (w not negative)
 *
 * Cost n q flops for the first, n q^2 for the second; one read of the columns. Scratch:
 * q + 1 blocks of rows, q^2.
 */
#ifndef TRANSELECT_STANDARD_ROWS_H
#define TRANSELECT_STANDARD_ROWS_H

#include <stddef.h>

typedef struct {
  const double *x;   /* column-major, n_all rows */
  size_t n_all, n;   /* rows of x, rows taken */
  const int *at;     /* their numbers from 1 on, ascending or not; NULL: all */
  size_t p;          /* columns taken */
  const int *column; /* their numbers from 1 on */
  const double *shift, *base;
  const int *flat;
  int constant;
} standard_rows;

/* p, and one more with a constant */
size_t standard_width(const standard_rows *r);

void standard_combination(const standard_rows *r, const double *b, double *out);

void standard_terms(const standard_rows *r, const double *u, const double *w, double *score,
                    double *information);

#endif
