/* greedy_average.h - one model from several paths of one response.
 *
 * The model of a path is the mean over its steps with more than the kept columns (without such steps, the last
 * one). The model of several paths, which differ in their ridges, is the weighted mean of the paths' models.
 * Given the selected columns leave-one-out residuals are linear in the model: those of a mean are the means.
 */
#ifndef TRANSELECT_GREEDY_AVERAGE_H
#define TRANSELECT_GREEDY_AVERAGE_H

#include "greedy.h"

typedef struct {
  double loo;      /* weighted mean of the squared leave-one-out residuals */
  double accuracy; /* weighted share of rows whose class is predicted, or NAN */
} left_out;

typedef struct {
  size_t n;    /* columns, in ascending order */
  int *column; /* the others as in greedy_problem, coefficients on the original scale */
  double *coef, *center, *scale;
  double a0, df;
} greedy_mean;

/* The means and scales of the sources, which all paths share, with one that starts from the sources' mean. */
typedef struct {
  size_t p, N;
  const double *mean, *ss; /* N */
} source_columns;

/* problems: paths of greedy.h or greedy_gram.h; their weights have sum 1. columns: see source_columns;
 * not used where no path has a shift. Cost steps^2 a path, and a merge of its columns with
 * those of the paths before. */
void greedy_mean_model(const greedy_problem *problems, const double *weight, int n_problems,
                       const source_columns *columns, const greedy_options *options,
                       greedy_mean *mean);

/* Leave-one-out of the weighted mean of paths of n rows that were made with options->average. held: n predictions of
 * the rows left out are put here, unless it is NULL. */
left_out greedy_mean_loo(const greedy_problem *problems, const double *weight, int n_problems,
                         size_t n, const greedy_options *options, double *held);

#endif
