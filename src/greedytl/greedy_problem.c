/* greedy_problem.c - see greedy_problem.h; notation of greedy.h. */
#include "greedy_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chol.h"
#include "kernels.h"

/* Scores are of order 1: a score no larger than this is rounding. */
#define ROUNDING 1e-10
/* If the response less the sources' mean has no larger share of its sum of squares, the response is that mean. */
#define EXACT_START 1e-20

enum { ROWS = 128 }; /* rows of a block: 20 columns of a block stay in the first cache */

/* The leave-one-out residual times sqrt(v_i), given the selected columns and their scales:
 * e_i = (P y)_i / (P_ii - v_i share), share = 1/n with an intercept, else 0. */
static double deleted(const greedy_problem *b, size_t i, double share)
{
  const double left = b->diag[i] - (b->v ? b->v[i] : 1) * share;
  return left > LEAST_LEFT ? b->Py[i] / left : NAN;
}

int predicts_class(double score, double y)
{
  return (score > ROUNDING) == (y > 0);
}

/* Sums over the rows of one step; for the mean scores of the classes the number of rows of each class, and E, the sum
 * of P y/sqrt(v) over these rows. */
typedef struct row_sums {
  double of[4]; /* loss, trace of P, objective, residual sum of squares */
  double right, count[2], E[2];
  int undefined;
} row_sums;

static void count_classes(const greedy_problem *b, size_t rows, row_sums *sums)
{
  for (size_t i = 0; i < rows; i++) {
    const int c = b->y[i] > 0;
    sums->count[c]++;
    sums->E[c] += b->Py[i] / (b->sv ? b->sv[i] : 1);
  }
}

/* Adds the weights v of the rows whose class is predicted by the model without the row. With `balanced` the cut is
 * midway between the mean scores of the two classes, both without row i: with few rows the intercept would move
 * with the row that is left out. */
static void add_accuracy(greedy_problem *b, size_t rows, size_t n, const greedy_options *o,
                         int first, row_sums *sums)
{
  const int midway = o->balanced && o->intercept;
  const double share = o->intercept ? 1 / (double)n : 0;
  const double *count = sums->count;
  if (midway && (count[0] < 2 || count[1] < 2)) {
    for (size_t i = 0; b->score && i < rows; i++) b->score[i] = NAN;
    sums->undefined = 1;
    return;
  }
  for (size_t i = 0; i < rows; i++) {
    const double sv = b->sv ? b->sv[i] : 1, delta = deleted(b, i, share);
    const int own_class = b->y[i] > 0;
    double score = b->y[i] - delta / sv;
    for (int c = 0; midway && c < 2; c++) {
      const double Pfc = b->Pc[c][i] - sv * count[c] / (double)n;
      const double mean = (c ? 1 : -1) - (sums->E[c] - Pfc * delta) / (count[c] - (own_class == c));
      score -= mean / 2;
    }
    if (b->score) b->score[i] = score + (first ? 0 : b->score[i]);
    if (isnan(score)) sums->undefined = 1;
    if (predicts_class(score, b->y[i])) sums->right += sv * sv;
  }
}

/* Adds `rows` of the n rows to the sums of a model, from P y and diag P, and to the sums over models, which begin
 * anew if `first`. */
static void add_rows(greedy_problem *b, size_t rows, size_t n, const greedy_options *o, int first,
                     row_sums *sums)
{
  if (o->average && first) {
    memset(b->deleted, 0, rows * sizeof(double));
    memset(b->residual, 0, rows * sizeof(double));
  }
  for (size_t i = 0; b->held && i < rows; i++)
    b->held[i] = b->y[i] - deleted(b, i, o->intercept ? 1 / (double)n : 0) / (b->sv ? b->sv[i] : 1);
  const model_rows own = {b->diag, b->Py, b->ys, b->v, o->average ? b->deleted : NULL, b->residual};
  kernels->left_out(&own, o->intercept ? 1 / (double)n : 0, rows, sums->of);
  if (o->scores) add_accuracy(b, rows, n, o, first, sums);
}

/* Fills row k of the outputs. */
static void put_sums(greedy_problem *b, int k, size_t n, const greedy_options *o,
                     const row_sums *sums)
{
  b->loo[k] = sums->of[0] / (double)n;
  b->df[k] = (double)n - sums->of[1] + (o->intercept != 0);
  b->objective[k] = sums->of[2] / (double)n;
  b->rss[k] = sums->of[3];
  if (o->scores) b->accuracy[k] = sums->undefined ? NAN : sums->right / (double)n;
}

int problem_model(greedy_problem *b, const greedy_options *o)
{
  if (b->n_ends == 0 || b->ends[b->n_ends - 1] <= o->n_keep) b->averaged = b->n_ends;
  b->ends[b->n_ends++] = b->n_steps;
  return b->averaged == b->n_ends - 1;
}

void problem_record(greedy_problem *b, size_t n, const greedy_options *o)
{
  row_sums sums = {0};
  if (o->scores) count_classes(b, n, &sums);
  const int first = problem_model(b, o);
  double *held = b->held;
  if (held) b->held += n * (size_t)(b->n_ends - 1);
  add_rows(b, n, n, o, first, &sums);
  b->held = held;
  put_sums(b, b->n_steps, n, o, &sums);
}

void greedy_coefficients(const greedy_problem *b, int *row, double *coef, double *a0)
{
  const int m = b->n_steps;
  int *order = ALLOC(m, int); /* steps of the columns that entered, in ascending order of columns */
  double *w = ALLOC(m, double);
  a0[0] = b->y_mean;
  for (int k = 1; k <= m; row += k, coef += k, k++) {
    int place = k - 1;
    for (; place > 0 && b->entered[order[place - 1]] > b->entered[k - 1]; place--)
      order[place] = order[place - 1];
    order[place] = k - 1;
    memcpy(w, b->q, (size_t)k * sizeof(double));
    chol_backward_rows(b->L, (size_t)k, w); /* L'w = U'y */
    a0[k] = b->y_mean;
    for (int r = 0; r < k; r++) {
      const int j = order[r];
      row[r] = b->entered[j];
      coef[r] = w[j] / b->scale[j];
      a0[k] -= coef[r] * b->center[j];
    }
  }
}

#define SPREAD_MOST 1.5 /* sqrt(greedy_scales.most), in medians of the sources' sqrt(ss) */

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

greedy_scales greedy_find_scales(const double *ss, size_t p, size_t N, size_t n,
                                 const greedy_options *o, double count[2])
{
  greedy_scales out = {0, HUGE_VAL};
  count[0] = count[1] = 0;
  for (size_t j = 0; j < N; j++) count[j >= p] += ss[j] > 0;
  const size_t s = (size_t)count[1];
  if (!o->common_scale || !o->standardize || !s) return out;
  double *root = ALLOC(s, double), sum = 0;
  for (size_t j = p, at = 0; j < N; j++)
    if (ss[j] > 0) root[at++] = sqrt(ss[j]);
  qsort(root, s, sizeof(double), by_size);
  const double most = SPREAD_MOST * (root[(s - 1) / 2] + root[s / 2]) / 2;
  for (size_t k = 0; k < s; k++) sum += fmin(root[k], most) * fmin(root[k], most);
  out.most = most * most;
  out.common = sum / ((double)n * count[1]);
  return out;
}

double greedy_squared_scale(double ss, int is_source, const greedy_scales *scales,
                            const greedy_options *o)
{
  if (!o->standardize || !(ss > 0)) return 1;
  if (!is_source || !(scales->common > 0)) return ss / o->divisor;
  return scales->common * fmax(1, ss / scales->most);
}

/* How many numbers place_rows() places. */
static size_t rows_room(const greedy_problem *b, size_t rows, const greedy_options *o)
{
  return rows * (size_t)(3 + (b->v != NULL) + 2 * (o->scores != 0));
}

/* Places the arrays over `rows` rows, except those of a mean over models, from `to` on. */
static void place_rows(greedy_problem *b, double *to, size_t rows, const greedy_options *o)
{
  b->ys = to;
  b->Py = to + rows;
  b->diag = to + 2 * rows;
  to += 3 * rows;
  if (b->v) b->sv = to;
  if (b->v) to += rows;
  for (int c = 0; o->scores && c < 2; c++) b->Pc[c] = to + (size_t)c * rows;
}

/* Allocates the arrays of a mean over models, over all rows. */
static void make_mean(greedy_problem *b, size_t n, const greedy_options *o)
{
  if (!o->average) return;
  b->deleted = ROOM(n, double);
  if (o->scores) b->score = ROOM(n, double);
}

static status center_response(greedy_problem *b, size_t n, const greedy_options *o)
{
  const mean_and_ss of_y = column_moments(b->y, b->v, n, o->intercept);
  b->n = (double)n;
  b->y_mean = of_y.mean;
  b->yy = of_y.ss;
  if (!(b->yy > 0)) return STATUS_CONSTANT_Y;
  if (!b->shift) return STATUS_OK;
  b->yy = 0;
  for (size_t i = 0; i < n; i++) {
    const double e = b->y[i] - b->shift[i] - b->y_mean;
    b->yy += (b->v ? b->v[i] : 1) * e * e;
  }
  problem_shifted(b, of_y.ss);
  return STATUS_OK;
}

void problem_shifted(greedy_problem *b, double yy)
{
  b->exact = b->yy <= EXACT_START * yy;
}

/* Sets `rows` rows to those of the model without columns. */
static void start_rows(greedy_problem *b, size_t rows, const greedy_options *o)
{
  for (size_t i = 0; b->sv && i < rows; i++) b->sv[i] = sqrt(b->v[i]);
  for (size_t i = 0; i < rows; i++) {
    b->ys[i] = b->Py[i] =
        (b->y[i] - (b->shift ? b->shift[i] : 0) - b->y_mean) * (b->sv ? b->sv[i] : 1);
    b->diag[i] = 1;
  }
  for (int c = 0; o->scores && c < 2; c++)
    for (size_t i = 0; i < rows; i++)
      b->Pc[c][i] = (b->y[i] > 0) == c ? 1 / (b->sv ? b->sv[i] : 1) : 0;
}

status problem_start(greedy_problem *b, size_t n, const greedy_options *o)
{
  const int m = o->max_steps;
  b->U = ALLOC(m, double *);
  b->L = ALLOC(m, double *);
  b->q = ALLOC(m, double);
  place_rows(b, ROOM(rows_room(b, n, o), double), n, o);
  make_mean(b, n, o);
  const status s = center_response(b, n, o);
  if (s != STATUS_OK) return s;
  start_rows(b, n, o);
  b->n_steps = b->n_ends = 0;
  b->done = o->max_steps == 0 || b->exact;
  problem_record(b, n, o);
  return STATUS_OK;
}

/* Does the column enter? See problem_take(), whose status is *state. */
static int enters(greedy_problem *b, const newcomer *c, const greedy_options *o, status *state)
{
  const int k = b->n_steps;
  const double gain = c->q * c->q;
  *state = STATUS_OK;
  if (!(c->square > 0) || c->left <= COLLINEAR * c->square) {
    if (c->kind == ENTRY_KEPT) *state = STATUS_COLLINEAR_KEEP;
    return 0;
  }
  if (c->kind == ENTRY_BEST && (gain / b->n < o->tol || gain <= NO_GAIN * b->yy)) {
    b->done = 1;
    return 0;
  }
  b->q[k] = c->q;
  b->gain[k] = gain;
  b->entered[k] = (int)c->column;
  b->n_steps++;
  b->done = b->n_steps == o->max_steps;
  return 1;
}

status problem_take(greedy_problem *b, const greedy_products *from, const greedy_entry *entry,
                    const greedy_options *o)
{
  newcomer c = {.column = entry->column, .kind = entry->kind};
  c.tau = c.kind >= ENTRY_KEPT ? 0 : b->tau[c.column >= from->p];
  status s = from->meet(from->of, b, &c);
  if (s == STATUS_OK && enters(b, &c, o, &s)) from->enter(from->of, b, &c);
  return s;
}

status problem_step(greedy_problem *b, const greedy_products *from, const greedy_options *o,
                    size_t *bad)
{
  const int before = b->n_steps;
  greedy_entry entry;
  while (!b->done && b->n_steps == before) {
    if (!greedy_next(b, from->p, from->N, o, &entry)) {
      b->done = 1;
      break;
    }
    *bad = entry.column;
    const status s = problem_take(b, from, &entry, o);
    if (s != STATUS_OK) return s;
    b->D[entry.column] = -1; /* selected, or collinear with the selected ones */
    if (entry.whole && b->n_steps > b->ends[b->n_ends - 1]) from->record(from->of, b);
  }
  return STATUS_OK;
}

void problem_ridges(greedy_problem *b, const greedy_products *from, const double *ss,
                    const greedy_options *o)
{
  if (!b->scaled) b->scales = greedy_find_scales(ss, from->p, from->N, (size_t)b->n, o, b->count);
  for (int k = 0; o->per_column && k < 2; k++) b->tau[k] *= b->count[k];
  for (size_t j = 0; j < from->N; j++) {
    const double own = ss[j], tau = b->tau[j >= from->p];
    const double s2 = greedy_squared_scale(own, j >= from->p, &b->scales, o);
    b->D[j] = own > 0 && !isinf(tau) ? own + tau * s2 : -1;
  }
  if (o->groups) groups_look(b, from, ss, o->groups);
}

/* ---- rows after a path by the Gram matrix ------------------------------------------------------ */

/* U of a block of rows (rows x steps), and pointers to its columns. */
typedef struct {
  size_t rows;
  double *U;
  const double **column;
} steps_room;

#if defined(__GNUC__)
#define FETCH(p) __builtin_prefetch(p, 0, 2)
#else
#define FETCH(p) ((void)0)
#endif

/* Prefetches n numbers into the second cache: processors do not prefetch short pieces of many columns. */
static void fetch(const double *x, size_t n)
{
  for (size_t i = 0; i < n; i += 8) FETCH(x + i);
}

/* U <- Z L'^-1: u_r of the columns that entered, in `rows` rows from `from` on. */
static void rows_of_steps(const design *d, const greedy_problem *b, size_t from, size_t rows,
                          const steps_room *room)
{
  for (int r = 0; r < b->n_steps; r++) {
    const double *x = design_column(d, (size_t)b->entered[r], NULL) + from, *row = b->L[r];
    double *u = room->U + (size_t)r * room->rows;
    if (from + 4 * rows <= d->n) fetch(x + 3 * rows, rows);
    kernels->scaled(x, b->center[r], 1 / b->scale[r], rows, u);
    for (size_t i = 0; b->sv && i < rows; i++) u[i] *= b->sv[i];
    chol_next_row(row, (size_t)r, room->column, rows, u);
    room->column[r] = u;
  }
}

/* uc[c + 2 r] <- u_r'e_c, element r of L^-1 (Z'e_c), with e_c = 1/sqrt(v) in the rows of class c, else 0. */
static void class_products(const design *d, const greedy_problem *b, double *uc)
{
  const double **before = ALLOC(b->n_steps, const double *);
  for (int r = 0; r < b->n_steps; r++) {
    const double *x = design_column(d, (size_t)b->entered[r], NULL), *row = b->L[r];
    double *to = uc + 2 * r;
    before[r] = to;
    to[0] = to[1] = 0;
    for (size_t i = 0; i < d->n; i++) to[b->y[i] > 0] += (x[i] - b->center[r]) / b->scale[r];
    chol_next_row(row, (size_t)r, before, 2, to);
  }
}

/* Sums over all rows, for the scores of every step: the classes' counts and E, and u_r'e_c. */
static void class_sums(const design *d, const greedy_problem *b, double *uc, row_sums *sums)
{
  class_products(d, b, uc);
  for (size_t i = 0; i < d->n; i++) {
    const int c = b->y[i] > 0;
    sums[0].count[c]++;
    sums[0].E[c] += b->y[i] - (b->shift ? b->shift[i] : 0) - b->y_mean;
  }
  for (int k = 1; k <= b->n_steps; k++)
    for (int c = 0; c < 2; c++) {
      sums[k].count[c] = sums[0].count[c];
      sums[k].E[c] = sums[k - 1].E[c] - b->q[k - 1] * uc[c + 2 * (k - 1)];
    }
}

problem_rows_room problem_rows_room_new(size_t n, const greedy_problem *problem,
                                        const greedy_options *o)
{
  const size_t rows = n < ROWS ? n : ROWS, steps = (size_t)o->max_steps + 1;
  return (problem_rows_room){rows, ROOM((rows + 2) * steps + rows_room(problem, rows, o), double),
                             ALLOC(steps, const double *), ROOM(steps, row_sums),
                             ROOM(steps, char)};
}

status problem_rows(const design *d, greedy_problem *b, const greedy_options *o,
                    const problem_rows_room *work)
{
  const size_t n = d->n, steps = (size_t)b->n_steps;
  const status state = center_response(b, n, o);
  if (state != STATUS_OK) return state;
  make_mean(b, n, o);
  const steps_room room = {work->rows, work->numbers, work->column};
  double *uc = work->numbers + work->rows * (steps + 1);
  row_sums *sums = memset(work->sums, 0, (steps + 1) * sizeof(row_sums));
  char *whole = memset(work->whole, 0, steps + 1); /* of each step: is there a model? */
  for (int e = 0; e < b->n_ends; e++) whole[b->ends[e]] = 1;
  greedy_problem part = *b;
  place_rows(&part, uc + 2 * (steps + 1), work->rows, o);
  if (o->scores) class_sums(d, b, uc, sums);
  for (size_t from = 0; from < n; from += ROWS) {
    const size_t rows = n - from < ROWS ? n - from : ROWS;
    part.y = b->y + from;
    if (b->v) part.v = b->v + from;
    if (b->shift) part.shift = b->shift + from;
    if (b->deleted) part.deleted = b->deleted + from;
    if (b->score) part.score = b->score + from;
    part.residual = b->residual + from;
    start_rows(&part, rows, o);
    rows_of_steps(d, &part, from, rows, &room);
    double *held = part.held = b->held ? b->held + from : NULL;
    add_rows(&part, rows, n, o, 1, &sums[0]);
    for (size_t k = 1; k <= steps; k++) {
      const double *u = room.U + (k - 1) * room.rows;
      kernels->downdate(u, b->q[k - 1], rows, part.diag, part.Py);
      for (int c = 0; o->scores && c < 2; c++)
        kernels->axpy(-uc[c + 2 * (k - 1)], u, rows, part.Pc[c]);
      if (!whole[k]) continue;
      if (held) held = part.held += n;
      add_rows(&part, rows, n, o, (int)k <= b->ends[b->averaged], &sums[k]);
    }
    greedy_finish(&part, rows, o->average);
    port_poll();
  }
  for (size_t k = 0; k <= steps; k++)
    if (whole[k]) put_sums(b, (int)k, n, o, &sums[k]);
  return STATUS_OK;
}
