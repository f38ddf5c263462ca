/* greedy_average.h - one model from several paths of one response.
 *
 * The model of a path is the mean over its steps with more than the kept columns (or its last step, where there are
 * none). The model of several paths, which differ in their ridges, is the weighted mean of the paths' models.
 * Given the selected columns, leave-one-out residuals are linear in the model: those of a mean of models are the means
 * of theirs. Work arrays: three lists of the columns of all paths.
 */
#ifndef TRANSELECT_GREEDY_AVERAGE_H
#define TRANSELECT_GREEDY_AVERAGE_H

#include "greedy.h"

typedef struct {
  double loo;      /* weighted mean of the squared leave-one-out residuals */
  double accuracy; /* weighted share of rows whose class is predicted correctly, or NAN */
} left_out;

typedef struct {
  size_t n;                      /* number of columns */
  int *column;                   /* their numbers, ascending */
  double *coef, *center, *scale; /* coefficients on the original scale; as in greedy_problem */
  double a0, df;
} greedy_mean;

/* Means and sums of squares of the columns, the sources from column p on, for paths that start from the sources'
 * mean. */
typedef struct {
  size_t p, N;
  const double *mean, *ss; /* N */
} source_columns;

/* problems: paths of greedy.h or greedy_gram.h, with weights of sum 1. columns: not used where no path has a shift.
 * Cost of a path: steps^2, and a merge of its columns with those of the paths before. */
void greedy_mean_model(const greedy_problem *problems, const double *weight, int n_problems,
                       const source_columns *columns, const greedy_options *options,
                       greedy_mean *mean);

/* Leave-one-out results of the weighted mean of paths of n rows that were made with options->average. held <- n
 * predictions of rows left out, unless it is NULL. */
left_out greedy_mean_loo(const greedy_problem *problems, const double *weight, int n_problems,
                         size_t n, const greedy_options *options, double *held);

#endif
