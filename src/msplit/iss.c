/* iss.c - see iss.h for the formulas and their names. */
#include "iss.h"

#include <math.h>
#include <string.h>

#include "iss_state.h"
#include "kernels.h"

#define MANY 400       /* size of a support for which a path has room at the start */
#define ROUNDING 1e-13 /* y'E y counts as at least this share of y'V^-1 y */

/* ---- recording events ------------------------------------------------------------------------ */

static void add_criteria(const iss_state *st, iss_path *p, size_t at, double explained)
{
  const double n = st->system->rows->count;
  const double left_over = n - iss_fixed(st->system->rows) - (double)st->f.k;
  const double least = ROUNDING * st->target->wy; /* for a y without noise */
  const double unexplained = left_over > 0 ? fmax(st->target->wy - explained, least) : NAN;
  p->reml[at] = st->system->logdet + st->logdet + left_over * log(unexplained);
  if (!st->o.loo) return;
  double sum = 0, trace = 0, rows = 0;
  for (size_t i = 0; i < st->n; i++) {
    const double e = st->left[i], all = st->system->left[i];
    if (!(all > 0)) continue; /* a kept column is zero in all other rows */
    const double error = e > ISS_NO_LEFT * all ? st->residual[i] / e : NAN;
    sum += error * error;
    trace += e;
    rows++;
  }
  p->loo[at] = rows > 0 ? sum / rows : NAN;
  p->df[at] = n - n * trace;
}

static void record(iss_state *st)
{
  iss_path *p = st->path;
  double explained = 0, loss;
  for (size_t r = 0; r < st->f.k; r++) {
    const double z = st->f.B[(r + 1) * st->f.m - 1];
    explained += z * z;
  }
  if (st->system->wide) {
    loss = (double)st->n * dot(st->v, st->v, st->n);
  } else {
    const double weak = dot(st->g, st->g, st->d);
    loss = fmax(st->target->wy - explained - st->system->nu * weak, 0);
  }
  iss_path_add(p, st->t, loss, st->sorted, st->f.k, st->gamma);
  add_criteria(st, p, (size_t)p->n_events - 1, explained);
}

/* Has the support changed since the last event? */
static int changed(const iss_state *st)
{
  const iss_path *p = st->path;
  const size_t from = p->start[p->n_events - 1], k = p->start[p->n_events] - from;
  return k != st->f.k || (k && memcmp(p->index + from, st->sorted, k * sizeof(int)) != 0);
}

/* ---- the path -------------------------------------------------------------------------------- */

iss_worker *iss_worker_new(iss_system *system, const iss_options *o)
{
  const size_t n = system->rows->n, d = system->rows->d, most = system->wide && n < d ? n : d;
  const size_t groups = d / WAIT_GROUP + 1, longest = n > d ? n : d,
               usual = most < MANY ? most : MANY;
  iss_state *st = ALLOC(1, iss_state);
  *st = (iss_state){.system = system, .o = *o, .n = n, .d = d, .most = most};
  double **numbers[] = {&st->rho, &st->g,     &st->rate,    &st->gamma, &st->bar,
                        &st->v,   &st->first, &st->a,       &st->b,     &st->z,
                        &st->u,   &st->left,  &st->residual};
  const size_t length[] = {d, d, d, d, d, longest, groups, most, most, most, n + 1, n, n};
  const size_t arrays = o->loo ? 13 : 11; /* the last two are for leave-one-out */
  size_t all = 0;
  for (size_t k = 0; k < arrays; k++) all += length[k];
  double *room = ALLOC(all, double);
  for (size_t k = 0; k < arrays; room += length[k++]) *numbers[k] = room;
  st->edge = ALLOC(d, size_t);
  st->support = ALLOC(2 * most, int);
  st->sorted = st->support + most;
  st->side = ALLOC(d, signed char);
  st->out = ALLOC(d, char);
  st->column = ALLOC(most, const double *);
  st->scratch = iss_path_new(2 * usual, usual * usual / 2);
  st->f = chol_new(most, o->loo ? n + 1 : 1);
  return st;
}

static void start(iss_state *st, const iss_target *target)
{
  st->target = target;
  st->path = &st->scratch;
  st->scratch.n_events = st->scratch.complete = 0;
  st->scratch.end = 0;
  st->t = st->logdet = 0;
  st->f.k = st->n_edge = 0;
  st->near = 0;
  memset(st->rho, 0, st->d * sizeof(double));
  memset(st->gamma, 0, st->d * sizeof(double));
  memset(st->side, 0, st->d);
  for (size_t j = 0; j < st->d; j++) st->bar[j] = ISS_NO_RATE * target->largest;
  if (!st->o.loo) return;
  memcpy(st->left, st->system->left, st->n * sizeof(double));
  memcpy(st->residual, target->w, st->n * sizeof(double));
}

/* Reports progress: events are about evenly spaced in the logarithm of time. */
static void tell(const iss_state *st)
{
  const double first = 1 / st->target->largest, all = log(st->o.t_end / first);
  if (st->t > 0 && all > 0) port_progress(fmin(log(st->t / first), all) / all, 1);
}

/* st->scratch <- the path. Returns 0 if A was recomputed during the run (iss_system_careful()), which must then be
 * repeated. */
static int run(iss_state *st, const iss_target *target)
{
  start(st, target);
  iss_path *path = st->path;
  iss_look(st);
  iss_gradient(st);
  iss_time_start(st);
  record(st);
  for (int looked = 0; path->n_events <= st->o.max_events && looked <= 4 * st->o.max_events;
       looked++) {
    port_poll();
    tell(st);
    const double dt = iss_next(st, st->o.t_end * (1 + ISS_TIE) - st->t);
    path->complete = isinf(dt);
    path->end = st->o.t_end;
    if (!(st->t + dt <= st->o.t_end * (1 + ISS_TIE)) || isinf(dt)) return 1;
    path->end = st->t + dt;
    iss_move(st, dt);
    iss_settle(st);
    if (st->near && iss_system_careful(st->system)) return 0;
    iss_balance(st);
    iss_release(st);
    if (changed(st)) record(st);
  }
  return 1;
}

void iss_run(iss_worker *st, const iss_target *target, int last, iss_path *path)
{
  if (!run(st, target)) run(st, target);
  if (last)
    *path = st->scratch;
  else
    iss_path_copy(&st->scratch, path);
}

void iss_dense(iss_worker *st, const iss_target *target, const iss_path *path, int k, double *dense)
{
  const iss_system *s = st->system;
  const size_t from = path->start[k], count = path->start[k + 1] - from;
  const int *j = path->index + from;
  const double *gamma = path->value + from;
  double *to = s->wide ? st->v : dense;
  memcpy(to, s->wide ? target->w : target->c, (s->wide ? st->n : st->d) * sizeof(double));
  for (size_t i = 0; i < count; i++) {
    st->column[i] = s->wide ? iss_u(st->system, (size_t)j[i]) : s->A + (size_t)j[i] * st->d;
    st->b[i] = -gamma[i];
  }
  kernels->combine(st->column, st->b, count, s->wide ? st->n : st->d, to);
  if (s->wide) kernels->dots(COLUMNS(s->rows->x, st->n, st->d), NULL, st->v, dense);
  for (size_t i = 0; i < st->d; i++) dense[i] *= s->nu;
  for (size_t i = 0; i < count; i++) dense[j[i]] += gamma[i];
}
