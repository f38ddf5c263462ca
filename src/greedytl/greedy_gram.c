/* greedy_gram.c - see greedy_gram.h. */
#include "greedy_gram.h"

#include <math.h>
#include <string.h>

#include "chol.h"
#include "greedy_problem.h"
#include "kernels.h"

enum { FEW_STEPS = 64 }; /* up to so many steps the rows of L are allocated together */

typedef struct {
  const gram *g;
  const greedy_options *o;
  greedy_gram_room *room;
  double **T;          /* room->T */
  double *row;         /* start of the next row of L, or NULL */
  double *w, *tau;     /* scaled coefficients of the step; ridges of the columns that entered */
  double fall, shrunk; /* sum q^2; sum tau (L^-1)^2 */
} path;

/* Fills row n_steps of the outputs, unless problem_rows() will fill it. */
static void record(void *of, greedy_problem *b)
{
  const path *all = of;
  const int k = b->n_steps;
  double penalty = 0;
  problem_model(b, all->o);
  if (all->room->rows_follow) return;
  for (int r = 0; r < k; r++) penalty += all->tau[r] * all->w[r] * all->w[r];
  b->objective[k] = fmax(b->yy - all->fall, 0) / b->n;
  b->rss[k] = fmax(b->yy - all->fall - penalty, 0);
  b->df[k] = k - all->shrunk + (all->o->intercept != 0);
  b->loo[k] = b->accuracy[k] = NAN;
}

static status meet(void *of, greedy_problem *b, newcomer *c)
{
  path *all = of;
  const gram *g = all->g;
  const size_t s = c->column;
  const int k = b->n_steps;
  c->square = c->left = g->G[s + s * g->N];
  const double scale2 = greedy_squared_scale(c->square, s >= g->p, &b->scales, all->o);
  double *row = b->L[k] = all->row ? all->row : ALLOC(k + 1, double);
  b->center[k] = g->mean[s];
  b->scale[k] = sqrt(scale2);
  for (int r = 0; r < k; r++) {
    const double trs = all->T[r][s];
    c->left -= trs * trs;
    row[r] = trs / b->scale[k];
  }
  c->root = sqrt(c->left + c->tau * scale2);
  c->q = b->A[s] / c->root;
  return STATUS_OK;
}

/* Computes row k of L^-1, by which the coefficients change: w += q_k (L^-1)_k. */
static void add_inverse_row(path *all, const greedy_problem *b, const newcomer *c)
{
  const size_t k = (size_t)b->n_steps - 1, m = (size_t)all->o->max_steps;
  double **to = &all->room->inverse[k];
  if (!*to) *to = ROOM(m, double);
  double *inverse = memset(*to, 0, m * sizeof(double));
  all->tau[k] = c->tau;
  all->fall += c->q * c->q;
  inverse[k] = 1;
  chol_next_row(b->L[k], k, (const double *const *)all->room->inverse, k + 1, inverse);
  for (size_t j = 0; j <= k; j++) all->shrunk += all->tau[j] * inverse[j] * inverse[j];
  kernels->axpy(c->q, inverse, k + 1, all->w);
}

static void enter(void *of, greedy_problem *b, const newcomer *c)
{
  path *all = of;
  const gram *g = all->g;
  const size_t N = g->N, s = c->column;
  const int k = b->n_steps - 1;
  if (!all->T[k]) all->T[k] = ROOM(N, double);
  double *t = all->T[k];
  b->L[k][k] = c->root / b->scale[k];
  if (all->row) all->row += k + 1;
  kernels->scaled(g->G + s * N, 0, 1 / b->scale[k], N, t);
  chol_next_row(b->L[k], (size_t)k, (const double *const *)all->T, N, t);
  for (size_t j = 0; j < N; j++) {
    b->A[j] -= t[j] * c->q;
    if (b->D[j] > 0) b->D[j] -= t[j] * t[j];
  }
  if (all->o->groups) groups_pass(b, t, all->o->groups);
  if (!all->room->rows_follow) add_inverse_row(all, b, c);
}

static void products(void *of, const greedy_problem *b, const size_t *column, size_t m,
                     double *cross)
{
  const gram *g = ((const path *)of)->g;
  (void)b;
  for (size_t c = 0; c < m; c++)
    for (size_t e = 0; e < c; e++) cross[e + c * m] = g->G[column[e] + column[c] * g->N];
}

/* A and yy for y less the sources' mean, which are the same for all paths that start from that mean. */
static void start_from_mean(const gram *g, greedy_problem *b, greedy_gram_room *room)
{
  const size_t s = g->N - g->p;
  if (!room->shifted) {
    double hy = 0, hh = 0, *A = room->shifted = ROOM(g->N, double);
    memcpy(A, g->b, g->N * sizeof(double));
    for (size_t k = 0; k < s; k++) kernels->axpy(-b->share[k], g->G + (g->p + k) * g->N, g->N, A);
    for (size_t k = 0; k < s; k++) {
      hy += b->share[k] * g->b[g->p + k];
      hh += b->share[k] * (g->b[g->p + k] - A[g->p + k]);
    }
    room->shifted_yy = fmax(*g->yy - 2 * hy + hh, 0);
  }
  memcpy(b->A, room->shifted, g->N * sizeof(double));
  b->yy = room->shifted_yy;
  problem_shifted(b, *g->yy);
}

greedy_gram_room greedy_gram_room_new(const gram *g, const greedy_options *o, int rows_follow)
{
  const size_t m = (size_t)o->max_steps;
  double **T = ALLOC(2 * m, double *);
  return (greedy_gram_room){
      .T = T, .inverse = T + m, .numbers = ROOM(2 * m + g->N, double), .rows_follow = rows_follow};
}

status greedy_gram_path(const gram *g, greedy_problem *b, const greedy_options *o,
                        greedy_gram_room *room, size_t *bad)
{
  const size_t N = g->N, m = (size_t)o->max_steps, few = m <= FEW_STEPS ? m * (m + 1) / 2 : 0;
  double *w = memset(room->numbers, 0, m * sizeof(double)), *ss = w + 2 * m,
         *kept = ROOM(2 * N + m + few, double);
  path all = {g, o, room, room->T, few ? kept + 2 * N + m : NULL, w, w + m, 0, 0};
  const greedy_products from = {&all, g->p, N, meet, enter, record, products};
  b->A = kept;
  b->D = kept + N;
  b->q = kept + 2 * N;
  b->L = ALLOC(m, double *);
  b->y_mean = *g->y_mean;
  if (!(*g->yy > 0)) return STATUS_CONSTANT_Y;
  b->n = g->n;
  b->yy = *g->yy;
  for (size_t j = 0; j < N; j++) ss[j] = g->G[j + j * N];
  if (b->share)
    start_from_mean(g, b, room);
  else
    memcpy(b->A, g->b, N * sizeof(double));
  problem_ridges(b, &from, ss, o);
  b->done = o->max_steps == 0 || b->exact;
  record(&all, b);
  while (!b->done) {
    port_poll();
    const status s = problem_step(b, &from, o, bad);
    if (s != STATUS_OK) return s;
  }
  return STATUS_OK;
}
