/* softmax_fit.c - see softmax_fit.h. */
#include "softmax_fit.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels.h"
#include "port.h"

/* least squared pivots, as shares of their diagonal entries */
#define LEAST_PIVOT 1e-8  /* of appended rows, in doubles */
#define LEAST_ROUGH 1e-5  /* of a Hessian in floats */
#define LEAST_FRESH 1e-14 /* of a new Hessian in doubles: rounding */
#define COARSER 1e4       /* factor of LEAST_FRESH after a line search that failed ... */
#define MOST_FRESH 1e-2   /* ... and its largest value */
#define ARMIJO 1e-4
#define FLAT 4e-15 /* a change of f, as a share of 1 + |f|, that is rounding */
#define FLOOR 1e-13
#define AHEAD_RIDGE 1e-10
#define AHEAD_TOL 1e-5
#define MOST_ITERATIONS 500
#define MOST_PARTS 200 /* iterations of a round with softmax_parts.h, before the factor is tried */
#define MOST_HALVINGS 40
#define PARTS_CLASSES 48 /* from here on parts_solve() takes less time, on real data too */
/* The largest change of a score by one weight in a step. Without a penalty the weight of a column that separates a
 * class has no bound; with scores of this size the loss is zero, and the scores of other columns keep eight digits. */
#define FARTHEST 1e8

/* From now on the initial matrix is a factor of the Hessian. */
static void use_factor(softmax_fit *fit)
{
  const size_t K = (size_t)fit->p->K;
  fit->parts = NULL;
  fit->L = factor_new(fit->room, fit->limit, K);
  fit->rows = ALLOC(K * fit->room, double);
  fit->exact = fit->p->single == NULL;
  fit->stale = 1;
}

softmax_fit fit_new(softmax *p, penalty pen, size_t intercept, double tol, size_t room,
                    size_t limit)
{
  const size_t K = (size_t)p->K, n = room * K;
  softmax_fit fit = {.p = p, .pen = pen, .tol = tol, .most = MOST_ITERATIONS};
  fit.intercept = fit.free = intercept;
  fit.kept = (penalty){.kind = PENALTY_RIDGE, .k = pen.k};
  fit.room = n;
  fit.w = ALLOC(n, double);
  fit.g = ALLOC(n, double);
  fit.limit = limit;
  fit.s = ALLOC(FIT_PAIRS * n, double);
  fit.y = ALLOC(FIT_PAIRS * n, double);
  fit.rho = ALLOC(FIT_PAIRS, double);
  fit.a = ALLOC(FIT_PAIRS, double);
  fit.step = ALLOC(n, double);
  fit.next = ALLOC(n, double);
  fit.next_g = ALLOC(n, double);
  fit.newest = -1;
  if (pen.weight > 0 && K >= PARTS_CLASSES) {
    fit.parts = parts_new(p);
    fit.exact = 1;
  } else
    use_factor(&fit);
  return fit;
}

/* The penalty of column j, NULL for none. */
static const penalty *penalty_of(const softmax_fit *fit, size_t j)
{
  if (j >= fit->free) return &fit->pen;
  return j >= fit->intercept && fit->kept.weight > 0 ? &fit->kept : NULL;
}

/* f and g at w, penalties included. */
static double value(softmax_fit *fit, const double *w, double *g)
{
  const softmax *p = fit->p;
  double f = softmax_kernels()->pass(p, w, g);
  for (size_t j = fit->intercept; j < p->t; j++)
    if (penalty_of(fit, j)) f += penalty_value(penalty_of(fit, j), w + j * p->K, g + j * p->K);
  return f;
}

/* |g|_inf over all k classes: the g of the last class is minus the sum of the others. */
static double norm(const softmax_fit *fit, const double *g)
{
  const size_t K = (size_t)fit->p->K;
  double most = 0;
  for (size_t j = 0; j < fit->n; j += K) {
    double sum = 0;
    for (size_t q = 0; q < K; q++) {
      sum += g[j + q];
      if (!(fabs(g[j + q]) <= most)) most = fabs(g[j + q]);
    }
    most = fmax(most, fabs(sum));
  }
  return most;
}

/* ---- the initial matrix ---- */

/* Must be called before hessian_rows() at a new point. */
static void prepare_hessian(softmax_fit *fit)
{
  if (!fit->exact) softmax_kernels()->shares(fit->p);
}

/* Writes the Hessian's rows of column c to fit->rows, from the first variable of the block on, which is returned. */
static size_t hessian_rows(softmax_fit *fit, size_t c)
{
  const size_t K = (size_t)fit->p->K, from = factor_block(&fit->L, K);
  const softmax_table *soft = softmax_kernels();
  (fit->exact ? soft->curvature : soft->rough_curvature)(fit->p, from / K, c, fit->rows, fit->room);
  if (penalty_of(fit, c))
    penalty_curve(penalty_of(fit, c), fit->w + c * K, fit->rows + c * K - from, fit->room);
  return from;
}

static int append_part(softmax_fit *fit, size_t c, double least)
{
  return parts_append(fit->parts, fit->p, c, penalty_of(fit, c), fit->w + c * (size_t)fit->p->K,
                      least);
}

/* Makes the initial matrix anew: in floats until a pivot is within their rounding, from then on in doubles. Returns
 * whether a pivot was raised. */
static int refresh(softmax_fit *fit)
{
  int raised = 0;
  if (fit->parts)
    parts_empty(fit->parts, fit->p);
  else {
    factor_empty(&fit->L);
    prepare_hessian(fit);
  }
  for (size_t c = 0; c < fit->p->t; c++) {
    if (fit->parts) {
      raised |= append_part(fit, c, fit->least);
      continue;
    }
    hessian_rows(fit, c);
    const double least = fit->exact ? fit->least : LEAST_ROUGH;
    raised |= factor_append(&fit->L, fit->rows, fit->room, (size_t)fit->p->K, least);
    if (raised && !fit->exact) {
      fit->exact = 1;
      return refresh(fit);
    }
  }
  fit->pairs = 0;
  fit->beyond = 0;
  fit->stale = 0;
  fit->refreshes++;
  return raised;
}

/* Is the initial matrix to be made anew? At the third iteration of a round, when most of the decrease is made, if the
 * iterations after the third of all rounds have cost as much as a new one; at any other iteration if they have cost
 * three times as much. */
static int refresh_due(const softmax_fit *fit)
{
  const double m = (double)fit->p->m, n = (double)fit->n, K = fit->p->K;
  const double block = fmin(n, (double)fit->L.limit);
  const double whole = m * n * block / (fit->exact ? 2 : 3) + n * block * block / 2;
  const double price = fit->parts ? m * n * (n / K + 8) : whole;
  const double spent = fit->beyond * (4 * m * n + 40 * m * K);
  return spent >= (fit->iterations == 3 ? price : 3 * price);
}

/* Extends every pair by a new column: s_new = 0, y_new = H_new,old s. */
static void carry_pairs(softmax_fit *fit, size_t from)
{
  const size_t K = (size_t)fit->p->K, old = fit->n;
  for (int k = 0; k < fit->pairs; k++) {
    const int at = (fit->newest - k + FIT_PAIRS) % FIT_PAIRS;
    double *s = fit->s + at * fit->room, *y = fit->y + at * fit->room;
    for (size_t q = 0; q < K; q++) {
      y[old + q] = old > from ? dot(fit->rows + q * fit->room, s + from, old - from) : 0;
      s[old + q] = 0;
    }
  }
}

void fit_grow(softmax_fit *fit)
{
  const size_t K = (size_t)fit->p->K;
  if (fit->n == 0) {
    fit->n = fit->p->t * K;
    fit->f = value(fit, fit->w, fit->g);
    fit->stale = 1;
    return;
  }
  if (!fit->parts) prepare_hessian(fit);
  for (size_t c = fit->n / K; c < fit->p->t; c++) {
    softmax_kernels()->slope(fit->p, c, fit->g + fit->n);
    memset(fit->w + fit->n, 0, K * sizeof(double));
    if (fit->parts) {
      if (append_part(fit, c, LEAST_PIVOT)) fit->stale = 1;
      fit->pairs = 0;
      fit->n += K;
      continue;
    }
    const size_t from = hessian_rows(fit, c);
    carry_pairs(fit, from);
    if (factor_append(&fit->L, fit->rows, fit->room, K, fit->exact ? LEAST_PIVOT : LEAST_ROUGH))
      fit->stale = 1;
    fit->n += K;
  }
}

/* ---- the search ---- */

static void direction(softmax_fit *fit)
{
  const size_t n = fit->n;
  double *d = fit->step;
  for (size_t i = 0; i < n; i++) d[i] = -fit->g[i];
  for (int k = 0; k < fit->pairs; k++) {
    const int at = (fit->newest - k + FIT_PAIRS) % FIT_PAIRS;
    fit->a[at] = fit->rho[at] * dot(fit->s + at * fit->room, d, n);
    kernels->axpy(-fit->a[at], fit->y + at * fit->room, n, d);
  }
  if (fit->parts)
    parts_solve(fit->parts, fit->p, d);
  else
    factor_solve(&fit->L, d);
  for (int k = fit->pairs; k-- > 0;) {
    const int at = (fit->newest - k + FIT_PAIRS) % FIT_PAIRS;
    const double b = fit->rho[at] * dot(fit->y + at * fit->room, d, n);
    kernels->axpy(fit->a[at] - b, fit->s + at * fit->room, n, d);
  }
}

static void remember(softmax_fit *fit, double length)
{
  const int at = (fit->newest + 1) % FIT_PAIRS;
  double *s = fit->s + at * fit->room, *y = fit->y + at * fit->room;
  for (size_t i = 0; i < fit->n; i++) {
    s[i] = length * fit->step[i];
    y[i] = fit->next_g[i] - fit->g[i];
  }
  const double sy = dot(s, y, fit->n);
  if (!(sy > DBL_EPSILON * sqrt(dot(s, s, fit->n) * dot(y, y, fit->n)))) {
    if (fit->pairs == FIT_PAIRS) fit->pairs--; /* the oldest pair has been overwritten */
    return;
  }
  fit->rho[at] = 1 / sy;
  fit->newest = at;
  if (fit->pairs < FIT_PAIRS) fit->pairs++;
}

/* Line search along fit->step; returns whether a length was accepted. */
static int search(softmax_fit *fit)
{
  const size_t n = fit->n;
  double length = 1;
  for (size_t i = 0; i < n; i++) {
    const double most = FARTHEST / fmax(fit->p->largest[i / (size_t)fit->p->K], DBL_MIN);
    if (!isfinite(fit->step[i])) return 0;
    fit->step[i] = fmax(-most, fmin(fit->step[i], most));
  }
  const double slope = dot(fit->g, fit->step, n);
  if (!(slope < 0)) return 0;
  for (int k = 0; k < MOST_HALVINGS; k++) {
    memcpy(fit->next, fit->w, n * sizeof(double));
    kernels->axpy(length, fit->step, n, fit->next);
    const double f = value(fit, fit->next, fit->next_g);
    const int falls = f <= fit->f + ARMIJO * length * slope;
    if (falls || (f <= fit->f + FLAT * (1 + fabs(fit->f)) &&
                  fabs(dot(fit->next_g, fit->step, n)) < .9 * fabs(slope))) {
      remember(fit, length);
      double *w = fit->w, *g = fit->g;
      fit->w = fit->next;
      fit->g = fit->next_g;
      fit->next = w;
      fit->next_g = g;
      fit->f = f;
      return 1;
    }
    const double parabola = -slope * length * length / (2 * (f - fit->f - slope * length));
    length = parabola > .1 * length && parabola < .5 * length ? parabola : length / 2;
  }
  value(fit, fit->w, fit->next_g); /* R at w again */
  return 0;
}

/* Iterates until no entry of the gradient is larger than `target`. */
static void run(softmax_fit *fit, double target)
{
  fit->iterations = fit->refreshes = 0;
  fit->least = LEAST_FRESH;
  int coarser = 0;
  const int most = fit->parts && fit->most > MOST_PARTS ? MOST_PARTS : fit->most;
  while ((fit->end = norm(fit, fit->g)) > target && fit->iterations < most) {
    if (fit->stale || refresh_due(fit)) {
      const int raised = refresh(fit);
      if (coarser && !raised) break; /* the matrix with which the line search failed */
    }
    direction(fit);
    if (!search(fit)) {
      fit->stale = 1;
      /* The line search failed with a new Hessian too. Its small pivots may be rounding, as with separable classes
       * and no penalty: they are raised. */
      coarser = fit->exact && fit->refreshes && fit->pairs == 0;
      fit->exact = 1;
      if (coarser && (fit->least *= COARSER) > MOST_FRESH) break;
    } else {
      coarser = 0;
    }
    if (++fit->iterations > 3) fit->beyond++;
    if (fit->iterations % 16 == 0) port_poll();
  }
  fit->converged = fit->end <= target;
}

void fit_run(softmax_fit *fit)
{
  const double target = fmax(fit->tol * norm(fit, fit->g), FLOOR);
  run(fit, target);
  if (fit->converged || !fit->parts) return;
  const int before = fit->iterations;
  use_factor(fit);
  run(fit, target);
  fit->iterations += before;
}

void fit_look_ahead(softmax_fit *fit)
{
  const penalty pen = fit->pen;
  if (fit->parts) use_factor(fit);
  fit->kept.weight = AHEAD_RIDGE;
  if (!(pen.weight > 0)) fit->pen = fit->kept;
  fit->tol = AHEAD_TOL;
  fit->exact = fit->stale = 1;
  fit->f = value(fit, fit->w, fit->g);
  fit_run(fit);
  fit->pen = pen;
  fit->kept.weight = 0;
  fit->f = value(fit, fit->w, fit->g);
  fit->least = LEAST_FRESH;
  refresh(fit);
  direction(fit);
}
