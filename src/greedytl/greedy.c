/* greedy.c - the paths of several problems on one design, see greedy.h. */
#include "greedy.h"

#include <math.h>
#include <string.h>

#include "greedy_pass.h"
#include "greedy_rows.h"
#include "kernels.h"

#define BLOCK 32 /* columns that are skipped together if none has a larger gain */

/* Computes A and D of every problem at step 0, and the common scale of the sources. */
static status first_look(design *d, const greedy_products *from, greedy_problem *problems,
                         int n_problems, const greedy_options *o, size_t *bad)
{
  const size_t n = d->n, N = d->N;
  const int plain = n_problems == 1 && !problems[0].sv; /* then no copy of y is needed */
  double *buffer = design_buffer(d), *e = plain ? problems[0].ys : ALLOC(n * n_problems, double);
  double *sum_e = ALLOC(n_problems, double);
  for (int b = 0; b < n_problems; b++) {
    const greedy_problem *pr = &problems[b];
    for (size_t i = 0; !plain && i < n; i++) e[i + b * n] = pr->ys[i] * (pr->sv ? pr->sv[i] : 1);
    sum_e[b] = kernels->sum(e + b * n, 0, NULL, n);
  }
  double *products = ALLOC(n_problems, double);
  for (size_t j = 0; j < N; j++) {
    mean_and_ss m = {0};
    for (int b = 0; b < n_problems; b++) {
      greedy_problem *pr = &problems[b];
      if (pr->known) continue;
      if (b == 0 || pr->v != pr[-1].v) m = design_moments(d, j, pr->v, o->intercept, buffer);
      if (!m.ok) {
        *bad = j;
        return STATUS_NOT_FINITE;
      }
      if (b == 0 && d->center) d->center[j] = m.mean;
      pr->D[j] = m.ss; /* problem_ridges() adds the ridge */
    }
    design_dots_multi(d, (column_range){j, j + 1}, e, sum_e, n_problems, products);
    for (int b = 0; b < n_problems; b++) problems[b].A[j] = products[b];
    if (j % 4096 == 0) port_poll();
  }
  for (int b = 0; b < n_problems; b++) {
    double *D = problems[b].D; /* still sums of squares */
    problem_ridges(&problems[b], from,
                   o->groups ? memcpy(ALLOC(N, double), D, N * sizeof(double)) : D, o);
  }
  return STATUS_OK;
}

size_t greedy_pick(const greedy_problem *b, size_t p, size_t N, const greedy_options *o)
{
  const column_groups *groups = o->groups;
  size_t best = N;
  double most = 0; /* the gain of `best`, times 1 + GAIN_TIE */
  for (size_t j = 0; j < N; j++) {
    if (j % BLOCK == 0 && !groups)
      while (N - j > BLOCK && !kernels->any_above(b->A + j, b->D + j, most, BLOCK)) j += BLOCK;
    double D = b->D[j], A = b->A[j];
    if (groups) {
      const size_t g = (size_t)groups->of[j], *column = groups->column + groups->start[g];
      if (groups->start[g + 1] - groups->start[g] > 1) {
        if (j != column[0] || !b->cross[g]) continue;
        A = sqrt(groups_gain(b, g, groups));
        D = 1;
      }
    }
    if (!(A * A > most * D) || D <= 0 || (o->positive && j >= p && A <= 0)) continue;
    most = A * A / D * (1 + GAIN_TIE);
    best = j;
  }
  return best;
}

void greedy_finish(greedy_problem *b, size_t n, int average)
{
  const double share = average ? 1.0 / (b->n_ends - b->averaged) : 1;
  kernels->scaled(average ? b->residual : b->Py, 0, share, n, b->residual);
  for (size_t i = 0; b->sv && i < n; i++) b->residual[i] /= b->sv[i];
  if (!average) return;
  kernels->scaled(b->deleted, 0, share, n, b->deleted);
  if (b->score) kernels->scaled(b->score, 0, share, n, b->score);
}

/* The paths in which every step considers all columns. */
static status full_path(design *d, greedy_problem *problems, int n_problems,
                        const greedy_options *o, size_t *bad)
{
  const size_t N = d->N;
  for (int b = 0; b < n_problems; b++) {
    problems[b].A = ALLOC(N, double);
    if (!problems[b].known) problems[b].D = ALLOC(N, double);
  }
  greedy_rows rows = rows_new(d, o);
  const greedy_products from = products_of_rows(&rows);
  status s = first_look(d, &from, problems, n_problems, o, bad);
  if (s != STATUS_OK) return s;
  greedy_problem **live = ALLOC(n_problems, greedy_problem *);
  greedy_pass pass = greedy_pass_new(&rows, problems, n_problems);
  for (;;) {
    int n_live = 0;
    port_poll();
    for (int b = 0; b < n_problems; b++) {
      s = problem_step(&problems[b], &from, o, bad);
      if (s != STATUS_OK) return s;
      if (!problems[b].done) live[n_live++] = &problems[b];
    }
    if (!n_live) return STATUS_OK;
    greedy_pass_run(&pass, live, n_live);
  }
}

status greedy_path(design *d, greedy_problem *problems, int n_problems, const greedy_options *o,
                   size_t *bad)
{
  status s = STATUS_OK;
  for (int b = 0; b < n_problems && s == STATUS_OK; b++) {
    s = problem_start(&problems[b], d->n, o);
    if (s != STATUS_OK) *bad = (size_t)b;
  }
  if (s != STATUS_OK) return s;
  if (!o->candidates) {
    if (o->intercept && !d->center) d->center = ALLOC(d->N, double);
    s = full_path(d, problems, n_problems, o, bad);
  } else
    for (int b = 0; b < n_problems && s == STATUS_OK; b++)
      s = sampled_path(d, &problems[b], o, bad);
  for (int b = 0; b < n_problems; b++) greedy_finish(&problems[b], d->n, o->average);
  return s;
}
