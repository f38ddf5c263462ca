/* greedy_average.c - see greedy_average.h. */
#include "greedy_average.h"

#include <math.h>

#include "chol.h"
#include "greedy_problem.h"
#include "kernels.h"

enum { ROWS = 256 }; /* rows of a block */

typedef struct {
  int column;
  double coef, center, scale;
} term;

/* The sorted terms of the paths so far; room for as many after a merge; the terms of one more path. */
typedef struct {
  term *found, *other, *own;
  size_t n;
} term_list;

/* Puts the last of k terms in its place among the others, which are in ascending order of their columns. */
static void sort_last(term *terms, size_t k)
{
  const term last = terms[k - 1];
  size_t place = k - 1;
  for (; place > 0 && terms[place - 1].column > last.column; place--)
    terms[place] = terms[place - 1];
  terms[place] = last;
}

/* Merges the k sorted terms list->own into list->found; terms of one column are added up. */
static void add_terms(term_list *list, size_t k)
{
  const term *a = list->found, *b = list->own, *const a_end = a + list->n, *const b_end = b + k;
  term *to = list->other;
  while (a < a_end || b < b_end) {
    if (b == b_end || (a < a_end && a->column < b->column)) {
      *to++ = *a++;
      continue;
    }
    *to = *b++;
    if (a < a_end && a->column == to->column) {
      const double coef = to->coef;
      *to = *a++;
      to->coef += coef;
    }
    to++;
  }
  list->n = (size_t)(to - list->other);
  list->other = list->found;
  list->found = to - list->n;
}

/* Adds weight times the mean over the steps of one path. With R = L'^-1 the coefficients of step k are the sum over r
 * <= k of q_r times column r of R; in their sum over steps q_r is multiplied by the number of steps that have column r.
 * w: work, one number for each step. */
static void add_path(const greedy_problem *b, double weight, double *w, term_list *list,
                     greedy_mean *mean)
{
  const size_t k = (size_t)b->n_steps;
  const double share = weight / (double)(b->n_ends - b->averaged);
  size_t r = 0;
  for (int e = b->averaged; e < b->n_ends; e++) {
    for (; r < (size_t)b->ends[e]; r++) w[r] = share * (double)(b->n_ends - e) * b->q[r];
    mean->df += share * b->df[b->ends[e]];
  }
  chol_backward_rows(b->L, r, w);
  mean->a0 += weight * b->y_mean;
  for (size_t i = 0; i < k; i++) {
    const double coef = i < r ? w[i] / b->scale[i] : 0;
    mean->a0 -= coef * b->center[i];
    list->own[i] = (term){b->entered[i], coef, b->center[i], b->scale[i]};
    sort_last(list->own, i + 1);
  }
  add_terms(list, k);
}

/* Adds `weight` times the sources' mean. */
static void add_sources(const greedy_problem *b, double weight, const source_columns *from,
                        const greedy_options *o, term_list *list, greedy_mean *mean)
{
  size_t n = 0;
  for (size_t j = from->p; j < from->N; j++) {
    const double coef = weight * b->share[j - from->p];
    if (!(from->ss[j] > 0)) continue;
    mean->a0 -= coef * from->mean[j];
    list->own[n++] = (term){(int)j, coef, from->mean[j],
                            sqrt(greedy_squared_scale(from->ss[j], 1, &b->scales, o))};
  }
  add_terms(list, n);
}

void greedy_mean_model(const greedy_problem *problems, const double *weight, int n_problems,
                       const source_columns *columns, const greedy_options *o, greedy_mean *mean)
{
  size_t all = 0, most = 0;
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
  const size_t sources = shifted ? columns->N - columns->p : 0;
  all += sources;
  if (most < sources) most = sources;
  term_list list = {ROOM(2 * all + most + 1, term), NULL, NULL, 0};
  list.other = list.found + all;
  list.own = list.other + all;
  double *w = ROOM(most + 1, double);
  *mean = (greedy_mean){0};
  for (int b = 0; b < n_problems; b++)
    if (weight[b] > 0) add_path(&problems[b], weight[b], w, &list, mean);
  if (shifted) add_sources(shifted, shift, columns, o, &list, mean);
  const size_t n = mean->n = list.n;
  mean->column = ROOM(n, int);
  mean->coef = ROOM(3 * n, double);
  mean->center = mean->coef + n;
  mean->scale = mean->center + n;
  for (size_t i = 0; i < n; i++) {
    mean->column[i] = list.found[i].column;
    mean->coef[i] = list.found[i].coef;
    mean->center[i] = list.found[i].center;
    mean->scale[i] = list.found[i].scale;
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
