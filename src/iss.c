/* iss.c - see iss.h for the formulas and their names. */
#include "iss.h"

#include <math.h>
#include <string.h>

#include "iss_state.h"
#include "kernels.h"

#define NO_LEFT 1e-10 /* share of E_ii below which leaving row i out says nothing */

/* ---- what is kept ---------------------------------------------------------------------------- */

static void worth(const iss_state *st, iss_path *p, size_t at, double explained)
{
  if (!st->o->loo) return;
  const double n = (double)st->n, left_over = n - st->system->rows->intercept - (double)st->f.k;
  const double unexplained = left_over > 0 ? st->target->wy - explained : NAN;
  double sum = 0, trace = 0;
  for (size_t i = 0; i < st->n; i++) {
    const double e = st->left[i], all = st->system->left[i];
    const double error = e > NO_LEFT * all ? st->residual[i] / e : NAN;
    sum += error * error;
    trace += e;
  }
  p->loo[at] = sum / n;
  p->df[at] = n - n * trace;
  p->reml[at] = st->system->logdet + st->logdet + left_over * log(unexplained);
}

static void record(iss_state *st)
{
  iss_path *p = st->path;
  double explained = 0, weak = 0, loss;
  for (size_t r = 0; r < st->f.k; r++) {
    const double z = st->f.B[(r + 1) * st->f.m - 1];
    explained += z * z;
  }
  if (st->system->wide) {
    loss = (double)st->n * dot(st->v, st->v, st->n);
  } else {
    for (size_t j = 0; j < st->d; j++) weak += st->g[j] * st->g[j];
    loss = fmax(st->target->wy - explained - st->system->nu * weak, 0);
  }
  iss_path_add(p, st->t, loss, st->sorted, st->f.k, st->gamma);
  worth(st, p, (size_t)p->n_events - 1, explained);
}

/* Has anything changed since the last event? */
static int changed(const iss_state *st)
{
  const iss_path *p = st->path;
  const size_t from = p->start[p->n_events - 1], k = p->start[p->n_events] - from;
  return k != st->f.k || (k && memcmp(p->index + from, st->sorted, k * sizeof(int)) != 0);
}

/* ---- the path -------------------------------------------------------------------------------- */

static iss_state state_new(iss_system *system, const iss_target *target, const iss_options *o,
                           iss_path *path)
{
  const size_t n = system->rows->n, d = system->rows->d, most = n < d ? n : d;
  iss_state st = {.system = system, .target = target, .o = o, .path = path, .n = n, .d = d};
  st.most = most;
  st.rho = ALLOC(d, double);
  st.g = ALLOC(d, double);
  st.v = ALLOC(n > d ? n : d, double);
  st.rate = ALLOC(d, double);
  st.gamma = ALLOC(d, double);
  st.side = ALLOC(d, signed char);
  st.out = ALLOC(d, char);
  st.edge = ALLOC(d, size_t);
  st.support = ALLOC(most, int);
  st.sorted = ALLOC(most, int);
  st.f = chol_new(most, o->loo ? n + 1 : 1);
  st.a = ALLOC(most, double);
  st.column = ALLOC(most, const double *);
  st.b = ALLOC(most, double);
  st.z = ALLOC(most, double);
  st.u = ALLOC(n + 1, double);
  if (o->loo) {
    st.left = ALLOC(n, double);
    st.residual = ALLOC(n, double);
    memcpy(st.left, system->left, n * sizeof(double));
    memcpy(st.residual, target->w, n * sizeof(double));
  }
  return st;
}

status iss_run(iss_system *system, const iss_target *target, const iss_options *o, iss_path *path)
{
  *path = (iss_path){0};
  iss_state st = state_new(system, target, o, path);
  iss_look(&st);
  iss_gradient(&st);
  iss_time_start(&st);
  record(&st);
  for (int looked = 0; path->n_events <= o->max_events && looked <= 4 * o->max_events; looked++) {
    port_poll();
    const double dt = iss_next(&st, o->t_end * (1 + ISS_TIE) - st.t);
    path->complete = isinf(dt);
    path->end = o->t_end;
    if (!(st.t + dt <= o->t_end * (1 + ISS_TIE)) || isinf(dt)) return STATUS_OK;
    path->end = st.t + dt;
    iss_move(&st, dt);
    iss_settle(&st);
    if (st.near && iss_system_careful(system)) return iss_run(system, target, o, path);
    iss_balance(&st);
    iss_release(&st);
    if (changed(&st)) record(&st);
  }
  return STATUS_OK;
}

void iss_dense(iss_system *system, const iss_target *target, const iss_path *path, int k,
               double *dense)
{
  const iss_rows *r = system->rows;
  const size_t from = path->start[k], to = path->start[k + 1];
  if (system->wide) {
    double *v = ALLOC(r->n, double);
    memcpy(v, target->w, r->n * sizeof(double));
    for (size_t i = from; i < to; i++)
      kernels->axpy(-path->value[i], iss_u(system, (size_t)path->index[i]), r->n, v);
    kernels->dots(r->x, r->n, r->d, NULL, v, r->n, dense);
  } else {
    memcpy(dense, target->c, r->d * sizeof(double));
    for (size_t i = from; i < to; i++)
      kernels->axpy(-path->value[i], system->A + (size_t)path->index[i] * r->d, r->d, dense);
  }
  for (size_t j = 0; j < r->d; j++) dense[j] *= system->nu;
  for (size_t i = from; i < to; i++) dense[path->index[i]] += path->value[i];
}
