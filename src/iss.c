/* iss.c - see iss.h for the formulas and their names. */
#include "iss.h"

#include <math.h>
#include <string.h>

#include "chol.h"
#include "kernels.h"

#define NO_RATE 1e-12   /* beside max|c|: a gradient that moves nothing */
#define TIE 1e-12       /* beside t: events that happen at one time */
#define OUTWARD 1e-11   /* beside max|c|: a gradient that asks for entry */
#define BALANCED 1e-12  /* beside max|c|: a gradient on the support that is none */
#define COLLINEAR 1e-13 /* share of A_jj that must be left beside the support */
#define NO_LEFT 1e-10   /* share of E_ii below which leaving row i out says nothing */

typedef struct {
  iss_system *system;
  const iss_target *target;
  const iss_options *o;
  iss_path *path;
  size_t n, d, most;
  double t, *rho, *g;
  double *v, *rate; /* V^-1(y - X gamma) in the wide form; d numbers of work */
  double *gamma;
  signed char *side;    /* d: the boundary rho_j is on, 0 if none */
  size_t *edge, n_edge; /* on a boundary but not in the support */
  char *out;            /* d: cannot enter at this event */
  int *support;         /* in the order of the factor */
  int *sorted;          /* ascending */
  chol_factor f;        /* of A_PP; basis: V^-1 X_P (n, with leave-one-out), then c_P */
  double logdet;
  int near;                /* the support is nearly collinear */
  const double **column;   /* s: the columns of a combination */
  double *a, *b, *z, *u;   /* work: s each; u: n + 1 */
  double *left, *residual; /* E_ii and (E y)_i */
} state;

/* ---- the gradient ---------------------------------------------------------------------------- */

/* to -= the columns in `column` times gamma on the support. */
static void subtract(state *st, size_t length, double *to)
{
  for (size_t k = 0; k < st->f.k; k++) st->b[k] = -st->gamma[st->support[k]];
  kernels->combine(st->column, st->b, st->f.k, length, to);
}

/* v; where the support is nearly collinear gamma is large, and y - X gamma is taken first. */
static void look_v(state *st)
{
  const iss_rows *rows = st->system->rows;
  double *to = st->near ? st->u : st->v;
  memcpy(to, st->near ? st->target->y : st->target->w, st->n * sizeof(double));
  for (size_t k = 0; k < st->f.k; k++) {
    const size_t j = (size_t)st->support[k];
    st->column[k] = st->near ? rows->x + j * st->n : iss_u(st->system, j);
  }
  subtract(st, st->n, to);
  if (!st->near) return;
  if (st->system->wide) {
    kernels->dots(st->system->inverse, st->n, st->n, NULL, to, st->n, st->v);
    return;
  }
  /* tall: v is W^-1 X'(y - X gamma)/n, the gradient itself */
  kernels->dots(rows->x, st->n, st->d, NULL, to, st->n, st->rate);
  kernels->dots(st->system->inverse, st->d, st->d, NULL, st->rate, st->d, st->v);
  for (size_t j = 0; j < st->d; j++) st->v[j] /= (double)st->n;
}

/* What the gradient is made of, for gamma of now. */
static void look(state *st)
{
  if (st->system->wide || st->near) look_v(st);
}

static double gradient_at(const state *st, size_t j)
{
  const iss_system *s = st->system;
  if (s->wide) return dot(s->rows->x + j * st->n, st->v, st->n);
  if (st->near) return st->v[j];
  double g = st->target->c[j];
  const double *A = s->A + j * st->d;
  for (size_t k = 0; k < st->f.k; k++) g -= A[st->support[k]] * st->gamma[st->support[k]];
  return g;
}

static void gradient(state *st)
{
  const iss_system *s = st->system;
  if (s->wide) {
    kernels->dots(s->rows->x, st->n, st->d, NULL, st->v, st->n, st->g);
    return;
  }
  memcpy(st->g, st->near ? st->v : st->target->c, st->d * sizeof(double));
  if (st->near) return;
  for (size_t k = 0; k < st->f.k; k++) st->column[k] = s->A + (size_t)st->support[k] * st->d;
  subtract(st, st->d, st->g);
}

/* ---- the support ----------------------------------------------------------------------------- */

static size_t place_in(const int *sorted, size_t k, int j)
{
  size_t at = 0;
  while (at < k && sorted[at] < j) at++;
  return at;
}

/* The last column of the basis joins (sign 1) or has left (-1) the support. */
static void follow(state *st, double sign)
{
  if (!st->o->loo) return;
  const double *b = st->f.B + (sign > 0 ? st->f.k - 1 : st->f.k) * st->f.m, z = b[st->n];
  for (size_t i = 0; i < st->n; i++) {
    st->left[i] -= sign * b[i] * b[i];
    st->residual[i] -= sign * b[i] * z;
  }
}

static void refresh_logdet(state *st)
{
  st->logdet = 0;
  for (size_t k = 0; k < st->f.k; k++) st->logdet += 2 * log(st->f.L[k + k * st->f.ld]);
}

/* Lets column j in; 0 if it is a combination of those inside. */
static int admit(state *st, size_t j)
{
  const iss_system *s = st->system;
  const size_t k = st->f.k;
  const double *u = s->wide || st->o->loo ? iss_u(st->system, j) : NULL;
  if (k == st->most) return 0;
  double own;
  if (s->wide) {
    for (size_t r = 0; r < k; r++)
      st->a[r] = dot(s->rows->x + (size_t)st->support[r] * st->n, u, st->n);
    own = dot(s->rows->x + j * st->n, u, st->n);
  } else {
    for (size_t r = 0; r < k; r++) st->a[r] = s->A[(size_t)st->support[r] + j * st->d];
    own = s->A[j + j * st->d];
  }
  if (st->o->loo) memcpy(st->u, u, st->n * sizeof(double));
  st->u[st->f.m - 1] = st->target->c[j];
  if (!chol_append(&st->f, st->a, own, st->u, COLLINEAR * own)) return 0;
  const double pivot = st->f.L[k + k * st->f.ld];
  if (pivot * pivot < s->near * own) st->near = 1;
  st->logdet += 2 * log(pivot);
  st->support[k] = (int)j;
  const size_t at = place_in(st->sorted, k, (int)j);
  memmove(st->sorted + at + 1, st->sorted + at, (k - at) * sizeof(int));
  st->sorted[at] = (int)j;
  follow(st, 1);
  return 1;
}

/* Takes the k-th of the factor out of the support; it stays on its boundary. */
static void dismiss(state *st, size_t k)
{
  const int j = st->support[k];
  st->gamma[j] = 0;
  chol_delete(&st->f, k);
  follow(st, -1);
  refresh_logdet(st);
  memmove(st->support + k, st->support + k + 1, (st->f.k - k) * sizeof(int));
  const size_t at = place_in(st->sorted, st->f.k + 1, j);
  memmove(st->sorted + at, st->sorted + at + 1, (st->f.k - at) * sizeof(int));
  st->edge[st->n_edge++] = (size_t)j;
}

/* Least squares on the support, as far as the signs allow; what reaches zero leaves. */
static void fit(state *st)
{
  for (;;) {
    const size_t k = st->f.k;
    double share = 1;
    for (size_t r = 0; r < k; r++) st->z[r] = st->f.B[(r + 1) * st->f.m - 1];
    chol_backward(&st->f, st->z);
    for (size_t r = 0; r < k; r++) {
      const size_t j = (size_t)st->support[r];
      if (st->z[r] * st->side[j] > 0) continue;
      const double way = st->gamma[j] / (st->gamma[j] - st->z[r]);
      if (!(way >= share)) share = way > 0 ? way : 0;
    }
    int allowed = 1;
    for (size_t r = 0; r < k; r++) {
      const size_t j = (size_t)st->support[r];
      const int wrong = !(st->z[r] * st->side[j] > 0);
      const double old = st->gamma[j];
      st->b[r] = wrong && !(old / (old - st->z[r]) > share * (1 + TIE));
      if (wrong) allowed = 0;
    }
    if (allowed) share = 1;
    for (size_t r = 0; r < k; r++) {
      const size_t j = (size_t)st->support[r];
      st->gamma[j] += share * (st->z[r] - st->gamma[j]);
      if (allowed) st->gamma[j] = st->z[r];
    }
    if (allowed) return;
    for (size_t r = k; r-- > 0;)
      if (st->b[r] > 0) {
        st->out[st->support[r]] = (char)(r + 1 == k && share == 0);
        dismiss(st, r);
      }
  }
}

/* Sign-constrained least squares over the coordinates on a boundary: the one of largest outward
 * gradient enters, until there is none. */
static void settle(state *st)
{
  const double least = OUTWARD * st->target->largest;
  for (size_t k = 0; k < st->n_edge; k++) st->out[st->edge[k]] = 0;
  for (size_t round = 0; round < 10 * st->most + 10; round++) {
    size_t best = st->n_edge;
    double most = least;
    look(st);
    for (size_t k = 0; k < st->n_edge; k++) {
      const size_t j = st->edge[k];
      if (st->out[j]) continue;
      const double outward = gradient_at(st, j) * st->side[j];
      if (!(outward > most)) continue;
      most = outward;
      best = k;
    }
    if (best == st->n_edge) return;
    const size_t j = st->edge[best];
    if (!admit(st, j)) {
      st->out[j] = 1;
      continue;
    }
    st->edge[best] = st->edge[--st->n_edge];
    fit(st);
  }
}

/* The gradient where nothing moves, refined where it is not zero on the support. */
static void balance(state *st)
{
  for (int round = 0; round < 4; round++) {
    double worst = 0;
    gradient(st);
    for (size_t r = 0; r < st->f.k; r++) worst = fmax(worst, fabs(st->g[st->support[r]]));
    if (!(worst > BALANCED * st->target->largest)) return;
    for (size_t r = 0; r < st->f.k; r++) st->z[r] = st->g[st->support[r]];
    chol_forward(&st->f, st->z);
    chol_backward(&st->f, st->z);
    for (size_t r = 0; r < st->f.k; r++) st->gamma[st->support[r]] += st->z[r];
    look(st);
  }
  gradient(st);
}

/* Boundary coordinates without weight whose gradient points inward go free. */
static void release(state *st)
{
  const double least = OUTWARD * st->target->largest;
  for (size_t k = st->n_edge; k-- > 0;) {
    const size_t j = st->edge[k];
    if (st->g[j] * st->side[j] < -least) {
      st->side[j] = 0;
      st->edge[k] = st->edge[--st->n_edge];
    }
  }
}

/* ---- time ------------------------------------------------------------------------------------ */

/* Time to the next event, infinite if there is none. */
static double next_event(const state *st)
{
  const double least = NO_RATE * st->target->largest;
  double first = INFINITY;
  for (size_t j = 0; j < st->d; j++) {
    const double rate = fabs(st->g[j]);
    if (st->side[j] || !(rate > least)) continue;
    const double way = 1 - (st->g[j] > 0 ? st->rho[j] : -st->rho[j]);
    if (way < first * rate) first = way / rate;
  }
  return first > 0 ? first : 0;
}

static void move(state *st, double dt)
{
  const double least = NO_RATE * st->target->largest, tie = TIE * (st->t + dt);
  for (size_t j = 0; j < st->d; j++) {
    const double g = st->g[j], rate = fabs(g);
    if (st->side[j]) continue;
    const double way = 1 - (g > 0 ? st->rho[j] : -st->rho[j]);
    st->rho[j] += dt * g;
    if (!(rate > least) || !(way <= (dt + tie) * rate)) continue;
    st->side[j] = g > 0 ? 1 : -1;
    st->rho[j] = st->side[j];
    st->edge[st->n_edge++] = j;
  }
  st->t += dt;
}

/* ---- what is kept ---------------------------------------------------------------------------- */

static void worth(const state *st, iss_path *p, size_t at, double explained)
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

static void record(state *st)
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
static int changed(const state *st)
{
  const iss_path *p = st->path;
  const size_t from = p->start[p->n_events - 1], k = p->start[p->n_events] - from;
  return k != st->f.k || (k && memcmp(p->index + from, st->sorted, k * sizeof(int)) != 0);
}

/* ---- the path -------------------------------------------------------------------------------- */

static state state_new(iss_system *system, const iss_target *target, const iss_options *o,
                       iss_path *path)
{
  const size_t n = system->rows->n, d = system->rows->d, most = n < d ? n : d;
  state st = {.system = system, .target = target, .o = o, .path = path, .n = n, .d = d};
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
  state st = state_new(system, target, o, path);
  look(&st);
  gradient(&st);
  record(&st);
  for (int looked = 0; path->n_events <= o->max_events && looked <= 4 * o->max_events; looked++) {
    port_poll();
    const double dt = next_event(&st);
    path->complete = isinf(dt);
    path->end = o->t_end;
    if (!(st.t + dt <= o->t_end * (1 + TIE)) || isinf(dt)) return STATUS_OK;
    path->end = st.t + dt;
    move(&st, dt);
    settle(&st);
    if (st.near && iss_system_careful(system)) return iss_run(system, target, o, path);
    balance(&st);
    release(&st);
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
