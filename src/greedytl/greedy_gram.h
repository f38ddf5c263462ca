/* greedy_gram.h - the path of greedy.h from second moments.
 *
 * With G = X'X (N x N, centred), b = X'y and yy = y'y the recursion needs t = X'u only, and
 *
 *   t_j = (G_js - sum_r t_rj t_rs) / sqrt(D_s),  A_j -= t_j q,  D_j -= t_j^2,  q = A_s/sqrt(D_s)
 *
 * RSS = y'y - sum q^2 - sum tau_j w_j^2, and the trace of the smoother is k - sum_rj tau_j (L^-1)_rj^2.
 * Leave-one-out errors need rows (problem_rows()); without rows they are NAN. Work arrays: t (N x steps), L^-1
 * (max_steps x steps). Cost of step k: 2 N k flops, and k^2 unless problem_rows() follows.
 */
#ifndef TRANSELECT_GREEDY_GRAM_H
#define TRANSELECT_GREEDY_GRAM_H

#include "gram.h"
#include "greedy.h"

/* Work arrays that paths by one Gram matrix use one after the other. */
typedef struct {
  double **T;       /* max_steps rows of N numbers: t of each step, NULL before a path has it */
  double **inverse; /* max_steps rows of max_steps numbers: L^-1, NULL in the same way */
  double *numbers;  /* 2 max_steps + N */
  double *shifted, shifted_yy; /* A and y'y for y less the sources' mean; NULL until needed */
  int rows_follow;
} greedy_gram_room;

/* rows_follow: is problem_rows() called after every path? Then the path fills only gains, centres and scales, and
 * leaves the other outputs of every step to problem_rows(). */
greedy_gram_room greedy_gram_room_new(const gram *g, const greedy_options *options,
                                      int rows_follow);

/* One path, like greedy_path(). */
status greedy_gram_path(const gram *g, greedy_problem *problem, const greedy_options *options,
                        greedy_gram_room *room, size_t *bad);

#endif
