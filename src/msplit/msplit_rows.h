/* msplit_rows.h - the standardised rows of msplit().
 *
 * A copy of the design: (x_ij - m_j) sqrt(w_i) / s_j with m_j the weighted mean (0
 * without an intercept) and s_j the standard deviation with divisor n (1 without standardisation).
 * For a column that does not vary the copy and s_j are zero. Work arrays: none but the copy (n d). Cost: 3 n d flops.
 */
#ifndef TRANSELECT_MSPLIT_ROWS_H
#define TRANSELECT_MSPLIT_ROWS_H

#include "design.h"
#include "port.h"

/* weights: n positive numbers of sum n, or NULL; root: the weights by whose roots rows are multiplied, or NULL. */
typedef struct {
  const double *weights, *root;
  int intercept, standardize;
} msplit_units;

/* Fills x (n d), center and scale (d). Returns STATUS_NOT_FINITE with the column in *bad if it is not finite. */
status msplit_columns(const design *d, const msplit_units *units, double *x, double *center,
                      double *scale, size_t *bad);

/* out (n) <- (y_i - mean) sqrt(w_i); *mean <- the mean, 0 without an intercept. */
void msplit_response(const double *y, size_t n, const msplit_units *units, double *out,
                     double *mean);

#endif
