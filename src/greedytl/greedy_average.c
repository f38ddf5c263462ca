/* greedy_average.c - see greedy_average.h. */
#include "greedy_average.h"

#include <math.h>
#include <stdlib.h>

#include "greedy_problem.h"
#include "kernels.h"

enum { ROWS = 256 }; /* worked on at a time */

typedef struct {
  int column;
  double coef, center, scale;
} term;

static int by_column(const void *a, const void *b)
{
  const int x = ((const term *)a)->column, y = ((const term *)b)->column;
  return (x > y) - (x < y);
}

/* Adds weight times the mean over the steps of one path: coefficients to the terms `to`, one a column, in the order in
 * which the columns entered. w: work space, a number for each step. */
static void add_path(const greedy_problem *b, double weight, double *w, term *to, greedy_mean *mean)
{
  const int k = b->n_steps;
  const double share = weight / (double)(b->n_ends - b->averaged);
  for (int i = 0; i < k; i++) to[i] = (term){b->entered[i], 0, b->center[i], b->scale[i]};
  for (int e = b->averaged; e < b->n_ends; e++) {
    const int step = b->ends[e];
    double a0 = b->y_mean;
    problem_weights(b, step, w);
    for (int i = 0; i < step; i++) {
      const double coef = w[i] / b->scale[i];
      to[i].coef += share * coef;
      a0 -= coef * b->center[i];
    }
    mean->a0 += share * a0;
    mean->df += share * b->df[step];
  }
}

/* Adds `weight` times the sources' mean; returns how many terms. */
static size_t add_sources(const greedy_problem *b, double weight, const source_columns *from,
                          const greedy_options *o, term *to, greedy_mean *mean)
{
  size_t n = 0;
  for (size_t j = from->p; j < from->N; j++) {
    const double coef = weight * b->share[j - from->p];
    if (!(from->ss[j] > 0)) continue;
    mean->a0 -= coef * from->mean[j];
    to[n++] = (term){(int)j, coef, from->mean[j],
                     sqrt(greedy_squared_scale(from->ss[j], 1, &b->scales, o))};
  }
  return n;
}

void greedy_mean_model(const greedy_problem *problems, const double *weight, int n_problems,
                       const source_columns *columns, const greedy_options *o, greedy_mean *mean)
{
  size_t all = 0, n = 0, most = 0;
  const greedy_problem *shifted = NULL;
  double shift = 0; /* weight of the sources' mean */
  for (int b = 0; b < n_problems; b++) {
    const size_t steps = (size_t)problems[b].n_steps;
    if (!(weight[b] > 0)) continue;
    all += steps;
    most = steps > most ? steps : most;
    if (!problems[b].share) continue;
    shifted = &problems[b];
    shift += weight[b];
  }
  if (shifted) all += columns->N - columns->p;
  term *terms = ALLOC(all + 1, term), *to = terms;
  double *w = ROOM(most + 1, double);
  *mean = (greedy_mean){0};
  for (int b = 0; b < n_problems; b++) {
    if (!(weight[b] > 0)) continue;
    add_path(&problems[b], weight[b], w, to, mean);
    to += problems[b].n_steps;
  }
  if (shifted) to += add_sources(shifted, shift, columns, o, to, mean);
  all = (size_t)(to - terms);
  qsort(terms, all, sizeof(term), by_column);
  for (size_t i = 0; i < all; i++) { /* terms of one column are added up */
    if (n > 0 && terms[n - 1].column == terms[i].column)
      terms[n - 1].coef += terms[i].coef;
    else
      terms[n++] = terms[i];
  }
  mean->n = n;
  mean->column = ALLOC(n, int);
  mean->coef = ALLOC(n, double);
  mean->center = ALLOC(n, double);
  mean->scale = ALLOC(n, double);
  for (size_t i = 0; i < n; i++) {
    mean->column[i] = terms[i].column;
    mean->coef[i] = terms[i].coef;
    mean->center[i] = terms[i].center;
    mean->scale[i] = terms[i].scale;
  }
}

left_out greedy_mean_loo(const greedy_problem *problems, const double *weight, int n_problems,
                         size_t n, const greedy_options *o, double *held)
{
  left_out out = {0, o->scores ? 0 : NAN};
  for (size_t from = 0; from < n; from += ROWS) {
    const size_t rows = n - from < ROWS ? n - from : ROWS;
    double residual[ROWS] = {0}, score[ROWS] = {0};
    for (int b = 0; b < n_problems; b++) {
      if (!(weight[b] > 0)) continue;
      kernels->axpy(weight[b], problems[b].deleted + from, rows, residual);
      if (o->scores) kernels->axpy(weight[b], problems[b].score + from, rows, score);
    }
    for (size_t i = 0; held && i < rows; i++) {
      const double v = problems[0].v ? problems[0].v[from + i] : 1;
      held[from + i] = problems[0].y[from + i] - residual[i] / sqrt(v);
    }
    out.loo += dot(residual, residual, rows) / (double)n;
    for (size_t i = 0; o->scores && i < rows; i++) {
      const size_t row = from + i;
      if (isnan(score[i]))
        out.accuracy = NAN;
      else if (predicts_class(score[i], problems[0].y[row]))
        out.accuracy += (problems[0].v ? problems[0].v[row] : 1) / (double)n;
    }
  }
  return out;
}
