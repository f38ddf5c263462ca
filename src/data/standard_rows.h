/* standard_rows.h - products with standardised columns, which are made for a block of rows at a time.
 *
 * z_ij = (x_{r(i) c(j)} - shift_j) / base_j for some rows r and columns c of a matrix x, 0 for columns that are `flat`,
 * with a last column of ones if `constant`. So the rows of one domain are read from the design of all domains without a
 * copy.
 *
 *   combination   out_i = sum_j z_ij b_j
 *   terms         score_j = sum_i u_i z_ij,  information_jk = sum_i w_i z_ij z_ik   (w not negative)
 *
 * Cost: 2n q flops for the first, n q^2 for the second; one read of the columns. Work arrays: q + 1 blocks of rows,
 * q^2.
 */
#ifndef TRANSELECT_STANDARD_ROWS_H
#define TRANSELECT_STANDARD_ROWS_H

#include <stddef.h>

typedef struct {
  const double *x;   /* column-major, n_all rows */
  size_t n_all, n;   /* number of rows of x, and of those taken */
  const int *at;     /* numbers, from 1 on, of the rows taken, in any order; NULL: all rows */
  size_t p;          /* number of columns taken */
  const int *column; /* numbers, from 1 on, of the columns taken */
  const double *shift, *base;
  const int *flat;
  int constant;
} standard_rows;

/* The number of columns: p, and one more with a constant. */
size_t standard_width(const standard_rows *r);

void standard_combination(const standard_rows *r, const double *b, double *out);

void standard_terms(const standard_rows *r, const double *u, const double *w, double *score,
                    double *information);

#endif
