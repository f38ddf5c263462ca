/* greedy_gram.h - the path of greedy.h from second moments.
 *
 * With G = X'X (N x N, centred), b = X'y and yy = y'y the recursion needs t = X'u only, and
 *
 *   t_j = (G_js - sum_r t_rj t_rs) / sqrt(D_s),  A_j -= t_j q,  D_j -= t_j^2,  q = A_s/sqrt(D_s)
 *
 * RSS = y'y - sum q^2 - sum tau_j w_j^2, and the trace of the smoother is k - sum_rj tau_j (L^-1)_rj^2.
 * Leave-one-out needs rows (problem_rows()) and is NAN. Work arrays: t (N x steps), L^-1 (max_steps x steps).
 * Cost: 2 N k flops for step k, and k^2 unless rows follow.
 */
#ifndef TRANSELECT_GREEDY_GRAM_H
#define TRANSELECT_GREEDY_GRAM_H

#include "gram.h"
#include "greedy.h"

/* Work arrays that paths by one Gram matrix use one after the other. */
typedef struct {
  double **T,
      **inverse; /* max_steps rows, of N and of max_steps numbers; NULL until a path comes to this step */
  double *numbers; /* 2 max_steps + N */
  double *shifted,
      shifted_yy; /* A and y'y less the sources' mean; NULL until a path starts from it */
  int rows_follow;
} greedy_gram_room;

/* rows_follow: problem_rows() comes after every path, so that the path leaves to it what it fills: the outputs of every
 * step but gains, centres and scales. */
greedy_gram_room greedy_gram_room_new(const gram *g, const greedy_options *options,
                                      int rows_follow);

/* One path, as greedy_path(). */
status greedy_gram_path(const gram *g, greedy_problem *problem, const greedy_options *options,
                        greedy_gram_room *room, size_t *bad);

#endif
