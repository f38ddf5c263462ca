/* msplit_rows.h - the rows of msplit() as its kernels want them.
 *
 * A standardised copy of the design: (x_ij - m_j) sqrt(w_i) / s_j with m_j the weighted mean (0
 * without an intercept) and s_j the standard deviation with divisor n, 1 without standardisation.
 * A column that does not vary is zero, its s_j too. Every pass of the kernels goes over this copy:
 * n d numbers of memory, 3 n d flops.
 */
#ifndef TRANSELECT_MSPLIT_ROWS_H
#define TRANSELECT_MSPLIT_ROWS_H

#include "design.h"
#include "port.h"

/* weights: n positive numbers of sum n, or NULL; root: the same, or NULL to leave the roots out. */
typedef struct {
  const double *weights, *root;
  int intercept, standardize;
} msplit_units;

/* x (n d), center and scale (d) are filled. STATUS_NOT_FINITE with the column in *bad. */
status msplit_columns(const design *d, const msplit_units *units, double *x, double *center,
                      double *scale, size_t *bad);

/* (y_i - mean) sqrt(w_i); mean is 0 without an intercept. */
void msplit_response(const double *y, size_t n, const msplit_units *units, double *out,
                     double *mean);

#endif
