/* posterior_steps.c - the mixture of the steps of a path, on the original scale: see posterior.h. */
#include <math.h>
#include <string.h>

#include "kernels.h"
#include "posterior_work.h"
#include "spd.h"

/* The shares of the intercept and the slopes as they are added up: those of the rows, of the other domains together and
 * of shrinkage (3 by coefficient), and each domain's part of the second (T by coefficient, the target's 0). */
typedef struct {
  double *f;       /* n: the intercept in the coordinates of the step */
  double constant; /* variance of the intercept that is the rows' alone */
  double *sum, *by_domain, *x, *y;
} step_shares;

/* A step: its coordinates `free` of the prior (the set, and the level where that is one), mean and covariance there as
 * they are estimated, and the factors of standard deviations. A level that is no coordinate of the prior is the
 * target's own: given the slopes it is that of least squares, slopes times `along`, with the variance `rest`. */
typedef struct {
  size_t n, *free;
  double *mean, *factor, *along, rest;
  double *V, *m, *room, *whole; /* n x n, n, n (n + 8); order x order: the sum for V */
  step_shares shares;
} step_work;

/* Component k, with mean less the estimate m and covariance V of the coordinates of the step. */
static void put_component(const posterior_step *step, size_t k, double weight, const double *m,
                          const double *V, double *whole)
{
  const size_t q = step->q, order = step->order;
  double *away = step->away + k * (q + 1), *variance = step->variance + k * (q + 1);
  away[0] = variance[0] = 0;
  for (size_t j = 0; j < order; j++) {
    const double unit = j < q ? step->unit[step->set[j]] : step->level_unit;
    const double first = j < q ? -step->mean[step->set[j]] * unit : unit;
    double sum = 0;
    for (size_t i = 0; i < order; i++) {
      const double other =
          i < q ? -step->mean[step->set[i]] * step->unit[step->set[i]] : step->level_unit;
      sum += other * V[i + j * order];
    }
    variance[0] += first * sum;
    away[0] += first * m[j];
    if (j >= q) continue;
    away[j + 1] = unit * m[j];
    variance[j + 1] = unit * unit * V[j * (order + 1)];
  }
  variance[0] += step->constant;
  if (step->diagonal) {
    for (size_t j = 0; j <= q; j++) step->V[j] += weight * (variance[j] + away[j] * away[j]);
    return;
  }
  for (size_t j = 0; j < order; j++)
    for (size_t i = 0; i < order; i++)
      whole[i + j * order] += weight * (V[i + j * order] + m[i] * m[j]);
}

/* V of the step on the original scale, from that of its coordinates. */
static void put_matrix(const posterior_step *step, const double *whole)
{
  const size_t q = step->q, order = step->order, rows = q + 1;
  if (step->diagonal) return;
  double *unit = ALLOC(order, double), *first = ALLOC(order, double),
         *across = ALLOC(order, double);
  for (size_t j = 0; j < order; j++) {
    unit[j] = j < q ? step->unit[step->set[j]] : step->level_unit;
    first[j] = j < q ? -step->mean[step->set[j]] * unit[j] : unit[j];
  }
  kernels->dots(COLUMNS(whole, order, order), NULL, first, across);
  step->V[0] = dot(first, across, order) + step->constant;
  for (size_t j = 0; j < q; j++) {
    step->V[j + 1] = step->V[(j + 1) * rows] = unit[j] * across[j];
    for (size_t i = 0; i < q; i++)
      step->V[i + 1 + (j + 1) * rows] =
          unit[i] * unit[j] * (whole[i + j * order] + whole[j + i * order]) / 2;
  }
}

void posterior_single(posterior_step *step)
{
  double *whole = ALLOC(step->order * step->order, double);
  put_component(step, 0, 1, ALLOC(step->order, double), step->C, whole);
  put_matrix(step, whole);
}

status posterior_estimated(const double *A, size_t N, size_t n_domains, int level,
                           posterior_step *step)
{
  const size_t q = step->q, groups = q + (size_t)level, n = groups * n_domains;
  size_t *free = ALLOC(n, size_t);
  double *V = ALLOC(n * n, double), *C = ALLOC(groups * groups, double), log_det;
  for (size_t i = 0; i < groups; i++) {
    const size_t from = i < q ? step->set[i] * n_domains : N - n_domains;
    for (size_t t = 0; t < n_domains; t++) free[i * n_domains + t] = from + t;
  }
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < n; i++) V[i + j * n] = A[free[i] + free[j] * N];
  if (n && !spd_inverse(V, n, ALLOC(n * (n + 8), double), &log_det)) return STATUS_SINGULAR;
  for (size_t j = 0; j < groups; j++)
    for (size_t i = 0; i < groups; i++) C[i + j * groups] = V[(i + j * n) * n_domains];
  step->order = groups;
  step->C = C;
  return STATUS_OK;
}

/* x (p) <- A^-1 f of the intercept (row 0) or slope row - 1, from the present V of the step. */
static void direction(const posterior_work *work, const step_work *s, size_t row)
{
  double *x = s->shares.x;
  memset(x, 0, work->p * sizeof(double));
  for (size_t j = 0; j < s->n; j++)
    x[s->free[j]] = row ? s->V[j + (row - 1) * s->n] : dot(s->V + j * s->n, s->shares.f, s->n);
}

/* x'Mx; y: p numbers of work. */
static double square_of(const double *M, const double *x, size_t p, double *y)
{
  kernels->dots(COLUMNS(M, p, p), NULL, x, y);
  return dot(x, y, p);
}

/* Adds `weight` times the shares at the present component. */
static void add_shares(const posterior_work *work, const posterior_step *step, step_work *s,
                       double weight)
{
  const size_t p = work->p;
  step_shares *of = &s->shares;
  for (size_t row = 0; row <= step->q; row++) {
    double prior = 0;
    direction(work, s, row);
    for (size_t j = 0; j < p; j++) prior += of->x[j] * of->x[j] / (work->common[j] + work->own[j]);
    const double rows = square_of(work->w.H[0], of->x, p, of->y) + (row ? 0 : of->constant);
    const double others = fmax(square_of(work->P, of->x, p, of->y) - prior, 0);
    const double rate = weight / (rows + others + prior);
    of->sum[3 * row] += rate * rows;
    of->sum[3 * row + 1] += rate * others;
    of->sum[3 * row + 2] += rate * prior;
  }
}

/* Each domain's part of what the others say of a coefficient, at the estimated prior. */
static void divide_shares(const posterior_work *work, const posterior_step *step, step_work *s)
{
  const size_t p = work->p, T = (size_t)work->problem->domains->T;
  step_shares *of = &s->shares;
  for (size_t row = 0; row <= step->q; row++) {
    double *part = of->by_domain + row * T, sum = 0;
    direction(work, s, row);
    kernels->dots(COLUMNS(work->P, p, p), NULL, of->x, of->y);
    kernels->dots(COLUMNS(work->C, p, p), NULL, of->y, of->x);
    for (size_t t = 1; t < T; t++)
      sum += part[t] = fmax(square_of(work->w.M[t], of->x, p, of->y), 0);
    for (size_t t = 1; t < T; t++) part[t] = sum > 0 ? part[t] / sum : 1. / (double)(T - 1);
  }
}

/* The work for shares; `rest` and `along` of the step are known. */
static void shares_begin(const posterior_work *work, const posterior_step *step, step_work *s)
{
  const size_t q = step->q, T = (size_t)work->problem->domains->T;
  s->shares =
      (step_shares){.f = ALLOC(s->n, double),
                    .constant = step->constant + step->level_unit * step->level_unit * s->rest,
                    .sum = ALLOC(3 * (q + 1), double),
                    .by_domain = ALLOC(T * (q + 1), double),
                    .x = ALLOC(work->p, double),
                    .y = ALLOC(work->p, double)};
  for (size_t j = 0; j < q; j++)
    s->shares.f[j] =
        step->level_unit * s->along[j] - step->mean[step->set[j]] * step->unit[step->set[j]];
  if (s->n > q) s->shares.f[q] = step->level_unit;
  divide_shares(work, step, s);
}

static void put_shares(const posterior_work *work, const posterior_step *step, const step_work *s)
{
  const size_t rows = step->q + 1, T = (size_t)work->problem->domains->T;
  for (size_t row = 0; row < rows; row++) {
    const double *sum = s->shares.sum + 3 * row;
    step->shares[row] = sum[0];
    for (size_t t = 1; t < T; t++)
      step->shares[row + t * rows] = sum[1] * s->shares.by_domain[row * T + t];
    step->shares[row + T * rows] = sum[2];
  }
}

static int step_begin(const posterior_work *work, const double *scale, const posterior_step *step,
                      step_work *s)
{
  const size_t q = step->q, order = step->order;
  s->n = q + (work->slopes < work->p);
  const size_t n = s->n;
  s->free = ALLOC(n, size_t);
  memcpy(s->free, step->set, q * sizeof(size_t));
  if (n > q) s->free[q] = work->slopes;
  s->mean = ALLOC(n, double);
  s->factor = ALLOC(n, double);
  s->along = ALLOC(n, double);
  s->V = ALLOC(n * n, double);
  s->m = ALLOC(order, double);
  s->room = ALLOC(n * (n + 8), double);
  s->whole = ALLOC(order * order, double);
  if (!posterior_of_some(work, s->free, n, s->V, s->mean, s->room)) return 0;
  for (size_t j = 0; j < n; j++) {
    const double ratio = step->C[j * (order + 1)] / s->V[j * (n + 1)];
    s->factor[j] = sqrt(j < q ? ratio * scale[step->set[j]] : ratio);
  }
  if (order == n) {
    shares_begin(work, step, s);
    return 1;
  }
  double *here = memcpy(ALLOC(n * n, double), s->V, n * n * sizeof(double));
  const double *last = step->C + n * order;
  for (size_t j = 0; j < n; j++) memcpy(s->V + j * n, step->C + j * order, n * sizeof(double));
  memcpy(s->along, last, n * sizeof(double));
  if (!spd_solve(s->V, n, s->along, 1, s->room)) return 0;
  s->rest = last[n] - dot(s->along, last, n);
  s->V = here;
  shares_begin(work, step, s);
  return 1;
}

/* Adds the present component of `work`, number k. all: order x order. */
static int step_add(const posterior_work *work, const posterior_step *step, step_work *s, size_t k,
                    double *all)
{
  const size_t n = s->n, order = step->order;
  if (!posterior_of_some(work, s->free, n, s->V, s->m, s->room)) return 0;
  add_shares(work, step, s, work->component[k].weight);
  for (size_t j = 0; j < n; j++) s->m[j] = s->factor[j] * (s->m[j] - s->mean[j]);
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < n; i++)
      all[i + j * order] = s->V[i + j * n] * s->factor[i] * s->factor[j];
  if (order > n) {
    double corner = s->rest;
    s->m[n] = dot(s->along, s->m, n);
    for (size_t j = 0; j < n; j++) {
      const double with = dot(all + j * order, s->along, n);
      all[n + j * order] = all[j + n * order] = with;
      corner += s->along[j] * with;
    }
    all[n + n * order] = corner;
  }
  put_component(step, k, work->component[k].weight, s->m, all, s->whole);
  return 1;
}

status posterior_steps(posterior_work *work, const double *scale, posterior_step *steps, size_t n)
{
  step_work *each = ALLOC(n, step_work);
  size_t most = 1;
  const size_t p = work->p;
  const double *own = work->problem->known->own;
  for (int t = 1; t < work->problem->domains->T; t++) { /* the M_t */
    double log_lik;
    if (!borrow_shrink_known(&work->w, t, own + (size_t)t * p, &log_lik)) return STATUS_NO_EVIDENCE;
  }
  if (!posterior_at(work, NULL)) return STATUS_NO_EVIDENCE;
  for (size_t i = 0; i < n; i++) {
    if (!step_begin(work, scale, steps + i, each + i)) return STATUS_NO_EVIDENCE;
    if (steps[i].order > most) most = steps[i].order;
  }
  double *all = ALLOC(most * most, double);
  for (size_t k = 0; k < work->count; k++) {
    port_poll();
    if (!posterior_at(work, work->component + k)) return STATUS_NO_EVIDENCE;
    for (size_t i = 0; i < n; i++)
      if (!step_add(work, steps + i, each + i, k, all)) return STATUS_NO_EVIDENCE;
  }
  for (size_t i = 0; i < n; i++) {
    put_matrix(steps + i, each[i].whole);
    put_shares(work, steps + i, each + i);
  }
  return STATUS_OK;
}
