/* greedy_average.h - one model from several paths of one response.
 *
 * The model of a path is the mean of its steps that have more than what is kept (the last of those
 * that have not, if there are no others);
 * the model of several paths, which differ in their ridges, is the weighted mean of theirs. Given
 * the selected columns a leave-one-out residual is linear in the model too, so that the mean's is
 * the mean of theirs.
 */
#ifndef TRANSELECT_GREEDY_AVERAGE_H
#define TRANSELECT_GREEDY_AVERAGE_H

#include "greedy.h"

typedef struct {
  double loo,
      accuracy; /* weighted mean of the squares; share of rows whose class is told, or NAN */
} left_out;

typedef struct {
  size_t n;    /* columns, in ascending order */
  int *column; /* the rest: on the original scale, as in greedy_problem */
  double *coef, *center, *scale;
  double a0, df;
} greedy_mean;

/* problems: paths of greedy.h or greedy_gram.h, `weights` of them with sum 1. Cost
 * steps^3/6 a path. */
void greedy_mean_model(const greedy_problem *problems, const double *weight, int n_problems,
                       greedy_mean *mean);

/* Leave-one-out of the weighted mean, from `options->average`d paths with n rows. */
left_out greedy_mean_loo(const greedy_problem *problems, const double *weight, int n_problems,
                         size_t n, const greedy_options *options);

#endif
