/* moments.h - counts, means and centred cross products of the rows of each cell.
 *
 * A cell is a domain, or one fold of a domain. For the rows i of a cell, with weights v_i (1 where there
 * are none) and z_i the values of the q columns:
 *
 *   n = number of rows,  w = sum_i v_i,  l = sum_i log v_i,  m = sum_i v_i z_i / w,
 *   C = sum_i v_i (z_i - m)(z_i - m)'
 *
 * Raw sums of squares are never used: rows are taken in blocks, each centred at its own mean, and
 * blocks a and b are joined by
 *
 *   m = m_a + (w_b/w) d,  C = C_a + C_b + (w_a w_b/w) d d',  d = m_b - m_a
 *
 * (Chan, Golub and LeVeque 1983). A mean is stored as a double and its rounding error (`rest`), which
 * would otherwise enter d, and so C. So a mean of 1e8 with a standard deviation of 1 costs no
 * digits, and a column that is constant in a cell has exactly 0 in C.
 */
#ifndef TRANSELECT_MOMENTS_H
#define TRANSELECT_MOMENTS_H

#include <stddef.h>

#include "port.h"

typedef struct {
  size_t n, q;
  const double *const *column; /* q columns of n values */
  const int *cell;             /* n: 0..n_cells-1, or negative: leave the row out as incomplete */
  const double *weight;        /* n, not negative, or NULL; NaN: incomplete; 0: not counted */
  size_t n_cells;
} moments_rows;

typedef struct {
  double *n, *weight;   /* n_cells */
  double *log_weight;   /* n_cells: l */
  double *mean, *rest;  /* q x n_cells: the mean is mean + rest, |rest| below mean's last digit */
  double *const *cross; /* n_cells matrices q x q */
  size_t dropped;       /* rows left out for a missing value, cell or weight */
} moments_cells;

/* Fills `cells`, whose arrays must be zero. Returns STATUS_NOT_FINITE if column *bad has an infinite value,
 * or one too large to be squared. n q^2 flops, one read of the rows. Work arrays: at most the larger of 2^15
 * and 64 q doubles, and an int and a char for each row of a part, at most n. */
status moments_by_cell(const moments_rows *rows, moments_cells *cells, size_t *bad);

#endif
