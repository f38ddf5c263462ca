/* greedy_pass.h - the one read of all columns in a step of the paths of greedy.h: t = Z'u, A -= t q, D -= t^2.
 *
 * Problems with the same weights whose ridges differ often take the same columns, but their u differ. So with
 * several problems the products g_s = Z'z_s of the columns that entered are computed once for all problems, and t of a
 * problem is computed from these:
 *
 *   u = sum_r w_r z_r,  L'w = e_k   (r: the columns that entered the problem, of which the last is the k-th),
 *   t = sum_r w_r g_r
 *
 * Products are shared where n is at least LEAST_ROWS and 2 max_steps, columns are standardised, none is kept, and every
 * ridge is at least LEAST_RIDGE n: then Z_S'Z_S + T_S is far from singular, and the relative error of t is about 1e-11.
 * There is room for n/4 columns, or for 128 if these take little memory; a problem with a column for which there is no
 * room goes on with t = Z'u.
 *
 * With several problems of fewer rows the centred columns are copied into panels of KERNELS_PANEL columns stored by
 * rows, since adding up the lanes of a vector would take most of the time of a product.
 *
 * Work arrays: the vectors multiplied with Z, n per problem; N for each shared column; or the copy, nN. Cost of a step:
 * 2nN flops for each column that no problem has shared before, or for each problem; 2kN for a problem that shares.
 */
#ifndef TRANSELECT_GREEDY_PASS_H
#define TRANSELECT_GREEDY_PASS_H

#include "greedy_rows.h"

/* Products g of all columns with one that entered a problem with weights v. */
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
  double **to; /* of each vector: the array for its products; NULL: they are t of a problem ... */
  int *whose;  /* ... with this number among those that are not done */
  shared_column *shared;
  size_t n_shared, room;
  char *alone;      /* of each problem: does it not share? */
  const double **g; /* of each problem and step: the shared products */
  double *w;        /* of each problem that is not done, and step: w */
} greedy_pass;

/* To be called when the problems' ridges and the design's centres are known. */
greedy_pass greedy_pass_new(const greedy_rows *rows, const greedy_problem *problems,
                            int n_problems);

/* Updates A and D of the problems that are not done, after a step of each. */
void greedy_pass_run(greedy_pass *pass, greedy_problem **live, int n_live);

#endif
