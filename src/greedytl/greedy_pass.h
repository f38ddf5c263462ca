/* greedy_pass.h - the one read of all columns in a step of the paths of greedy.h: t = Z'u, A -= t q, D -= t^2.
 *
 * Problems with the same weights whose ridges differ often take the same columns, but their u differ. So with
 * several problems it is the products g_s = Z'z_s of the columns that entered that are made, once for all of them,
 * and t is made from these:
 *
 *   u = sum_r w_r z_r,  L'w = e_k   (the columns entered of the problem, of which u is the k-th),   t = sum_r w_r g_r
 *
 * where n is at least LEAST_ROWS and 2 max_steps, columns are standardised, none is kept, and every ridge is at least LEAST_RIDGE n: then
 * Z_S'Z_S + T_S is far from singular, and t is right to some 1e-11 of its size. There is room for n/4 columns, or
 * 128 where that is little; a problem of which a column does not fit goes on with t = Z'u.
 *
 * Several problems of fewer rows: the centred columns are copied into panels of KERNELS_PANEL columns stored by rows,
 * since adding up the lanes of a vector would take most of the time of a product.
 *
 * Work arrays: the vectors multiplied with Z, n a problem; N for each column shared; or the copy, nN. Cost: 2nN flops
 * for each column that has not entered another problem, or for each problem; 2kN a problem that shares.
 */
#ifndef TRANSELECT_GREEDY_PASS_H
#define TRANSELECT_GREEDY_PASS_H

#include "greedy_problem.h"

/* Products g of all columns with one that entered, of problems with weights v. */
typedef struct {
  int column;
  const double *v;
  double *g; /* N */
} shared_column;

typedef struct {
  const greedy_rows *rows;
  const greedy_problem *problems;
  double *panels;    /* NULL: products are made from columns */
  double *u, *sum_u; /* the vectors multiplied with Z (n each), and their sums */
  double **to; /* of each vector: where its products are kept, NULL: they are t of a problem, ... */
  int *whose;  /* ... of this one among those that are not done */
  shared_column *shared;
  size_t n_shared, room;
  char *alone;      /* by problem: it does not share */
  const double **g; /* by problem and step: the shared products */
  double *w;        /* by problem that is not done and step: w */
} greedy_pass;

/* For the problems' ridges and the design's centres. */
greedy_pass greedy_pass_new(const greedy_rows *rows, const greedy_problem *problems,
                            int n_problems);

/* After a step of the problems that are not done. */
void greedy_pass_run(greedy_pass *pass, greedy_problem **live, int n_live);

#endif
