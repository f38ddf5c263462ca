/* greedy_gram.c - see greedy_gram.h. */
#include "greedy_gram.h"

#include <math.h>

#include "greedy_problem.h"

typedef struct {
  const gram *g;
  greedy_problem *b;
  const greedy_options *o;
  double **T;          /* N x max_steps: t of every step */
  double **inverse;    /* L^-1 by rows */
  double *w, *tau;     /* scaled weights of the step; ridges of the columns that are in */
  double fall, shrunk; /* sum q^2; sum tau (L^-1)^2 */
} state;

static double squared_scale(const state *st, size_t j)
{
  return greedy_squared_scale(st->g->G[j + j * st->g->N], j >= st->g->p, st->b->common, st->o);
}

static double tau_of(const state *st, size_t j) { return st->b->tau[j >= st->g->p]; }

/* Row n_steps of the outputs. */
static void record(state *st)
{
  greedy_problem *b = st->b;
  const int k = b->n_steps;
  double penalty = 0;
  problem_model(b, st->o);
  problem_weights(b, k, st->w);
  for (int r = 0; r < k; r++) penalty += st->tau[r] * st->w[r] * st->w[r];
  b->objective[k] = fmax(st->g->yy - st->fall, 0) / st->g->n;
  b->rss[k] = fmax(st->g->yy - st->fall - penalty, 0);
  b->df[k] = k - st->shrunk + (st->o->intercept != 0);
  b->loo[k] = b->accuracy[k] = NAN;
}

/* The row of L^-1 of the step before, for the trace. */
static void extend_inverse(state *st)
{
  const int k = st->b->n_steps - 1;
  const double *row = st->b->L[k];
  double *to = st->inverse[k] = ALLOC(k + 1, double);
  for (int j = 0; j <= k; j++) {
    double s = j == k;
    for (int r = j; r < k; r++) s -= row[r] * st->inverse[r][j];
    to[j] = s / row[k];
    st->shrunk += st->tau[j] * to[j] * to[j];
  }
}

/* Lets column s enter unless it is collinear or gains nothing, as problem_take(). */
static status take(state *st, size_t s, enum entry_kind kind)
{
  const gram *g = st->g;
  greedy_problem *b = st->b;
  const size_t N = g->N;
  const int k = b->n_steps;
  const double ss = g->G[s + s * N], scale2 = squared_scale(st, s);
  double *row = b->L[k] = ALLOC(k + 1, double), left = ss;
  for (int r = 0; r < k; r++) {
    const double trs = st->T[r][s];
    left -= trs * trs;
    row[r] = trs / sqrt(scale2);
  }
  const double tau = kind >= ENTRY_KEPT ? 0 : tau_of(st, s);
  const double root = sqrt(left + tau * scale2), q = b->A[s] / root;
  const newcomer column = {s, kind, ss, left, q};
  status entry;
  if (!problem_enters(b, &column, st->o, &entry)) return entry;
  double *t = st->T[k] = ALLOC(N, double);
  for (size_t j = 0; j < N; j++) {
    double product = g->G[j + s * N];
    for (int r = 0; r < k; r++) product -= st->T[r][j] * st->T[r][s];
    t[j] = product / root;
    b->A[j] -= t[j] * q;
    if (b->D[j] > 0) b->D[j] -= t[j] * t[j];
  }
  if (st->o->groups) groups_pass(b, t, st->o->groups);
  row[k] = root / sqrt(scale2);
  st->tau[k] = tau;
  b->center[k] = g->mean[s];
  b->scale[k] = sqrt(scale2);
  st->fall += q * q;
  extend_inverse(st);
  return STATUS_OK;
}

static void look_at_groups(const gram *g, greedy_problem *b, const column_groups *groups)
{
  double *ridge = ALLOC(g->N, double);
  groups_room(b, g->N, groups);
  for (size_t j = 0; j < g->N; j++) ridge[j] = b->D[j] > 0 ? b->D[j] - g->G[j + j * g->N] : 0;
  groups_ridges(b, ridge, groups);
  for (size_t u = 0; u < groups->n; u++) {
    const size_t m = groups->start[u + 1] - groups->start[u], *column = groups->column + groups->start[u];
    for (size_t c = 0; b->cross[u] && c < m; c++)
      for (size_t e = 0; e <= c; e++) b->cross[u][e + c * m] = g->G[column[e] + column[c] * g->N];
  }
}

status greedy_gram_path(const gram *g, greedy_problem *b, const greedy_options *o, size_t *bad)
{
  const size_t N = g->N, m = (size_t)o->max_steps;
  state st = {g, b, o, ALLOC(m, double *), ALLOC(m, double *), ALLOC(m, double), ALLOC(m, double), 0, 0};
  b->A = ALLOC(N, double);
  b->D = ALLOC(N, double);
  b->L = ALLOC(m, double *);
  b->q = ALLOC(m, double);
  b->y_mean = g->y_mean;
  if (!(g->yy > 0)) return STATUS_CONSTANT_Y;
  b->n = g->n;
  b->yy = g->yy;
  double *ss = ALLOC(N, double), count[2];
  for (size_t j = 0; j < N; j++) ss[j] = g->G[j + j * N];
  b->common = greedy_common_scale(ss, g->p, N, (size_t)g->n, o, count);
  for (int k = 0; o->per_column && k < 2; k++) b->tau[k] *= count[k];
  for (size_t j = 0; j < N; j++) {
    const double tau = tau_of(&st, j);
    b->A[j] = g->b[j];
    b->D[j] = ss[j] > 0 && !isinf(tau) ? ss[j] + tau * squared_scale(&st, j) : -1;
  }
  if (o->groups) look_at_groups(g, b, o->groups);
  b->done = o->max_steps == 0;
  record(&st);
  greedy_entry entry;
  while (!b->done && greedy_next(b, g->p, N, o, &entry)) {
    port_poll();
    *bad = entry.column;
    const status s = take(&st, entry.column, entry.kind);
    if (s != STATUS_OK) return s;
    b->D[entry.column] = -1;
    if (entry.whole && b->n_steps > b->ends[b->n_ends - 1]) record(&st);
  }
  return STATUS_OK;
}
