/* iss_time.c - the time at which the next coordinate of the exact path reaches its boundary.
 *
 * Eager form: rho_j and g_j of all columns are updated at every event, in one pass.
 *
 * Lazy form (wide, many columns): rho_j = x_j'R with R the integral of v = V^-1(y - X gamma) over time. Stored are for
 * each column rho_j(e) and g_j(e) at its epoch e, the last event at which they were computed, and for each epoch t_e,
 * R_e and v_e. After a further time dt
 *
 *   |rho_j + dt g_j| <= |rho_j(e) + s g_j(e)| + |x_j| |R + dt v - R_e - s v_e|,  s = t + dt - t_e
 *
 * rho_j is linear until the next event: a column whose bound is below 1 at dt has not reached its boundary before.
 * rho_j and g_j are computed for the columns whose bound reaches 1 at the earliest event found so far, so that the
 * result is exact. Cost of an event: d, 4n per column computed and 3n per epoch. Work arrays: R and v of MOST_EPOCHS
 * epochs (2n each).
 */
#include <math.h>
#include <string.h>

#include "iss_state.h"
#include "kernels.h"

#define LAZY_FROM 500  /* number of columns from which on the lazy form is used */
#define MOST_EPOCHS 48 /* after so many epochs all columns are computed */
#define SLACK 1e-9     /* distance from 1 at which a bound counts as reaching it */

typedef struct iss_epochs {
  int count;
  double t[MOST_EPOCHS], *R[MOST_EPOCHS], *v[MOST_EPOCHS];
  double pp[MOST_EPOCHS], pq[MOST_EPOCHS], qq[MOST_EPOCHS], distance[MOST_EPOCHS];
  double *now;          /* the current R */
  double *norm;         /* |x_j| */
  unsigned char *epoch; /* of each column */
  size_t *computed, n_computed;
} epochs;

/* The time until column j reaches a boundary. */
static double wait_of(const iss_state *st, size_t j)
{
  const double g = st->g[j], rate = fabs(g);
  if (!(rate > ISS_NO_RATE * st->target->largest)) return INFINITY;
  const double way = 1 - (g > 0 ? st->rho[j] : -st->rho[j]);
  return way > 0 ? way / rate : 0;
}

/* ---- lazy ------------------------------------------------------------------------------------ */

/* Begins a new epoch at the current event. */
static void open_epoch(iss_state *st)
{
  epochs *e = st->lazy;
  const int k = e->count++;
  e->t[k] = st->t;
  memcpy(e->R[k], e->now, st->n * sizeof(double));
  memcpy(e->v[k], st->v, st->n * sizeof(double));
  e->pp[k] = e->pq[k] = e->qq[k] = e->distance[k] = 0;
}

/* Computes rho_j and g_j of all columns, in one epoch. */
static void refresh(iss_state *st)
{
  epochs *e = st->lazy;
  const iss_data *rows = st->system->rows;
  e->count = 0;
  open_epoch(st);
  memcpy(st->rate, st->rho, st->d * sizeof(double));
  kernels->dots(COLUMNS(rows->x, st->n, st->d), NULL, st->v, st->g);
  kernels->dots(COLUMNS(rows->x, st->n, st->d), NULL, e->now, st->rho);
  for (size_t j = 0; j < st->d; j++)
    if (st->side[j]) st->rho[j] = st->rate[j];
  memset(e->epoch, 0, st->d);
}

/* Computes rho_j and g_j of column j; returns its time to the boundary. */
static double compute(iss_state *st, size_t j)
{
  epochs *e = st->lazy;
  const double *x = st->system->rows->x + j * st->n;
  st->g[j] = dot(x, st->v, st->n);
  st->rho[j] = dot(x, e->now, st->n);
  e->epoch[j] = (unsigned char)(e->count - 1);
  e->computed[e->n_computed++] = j;
  return wait_of(st, j);
}

/* |R + dt v - R_e - s v_e| for each epoch. */
static void distances(epochs *e, double dt)
{
  for (int k = 0; k < e->count; k++) {
    const double square = e->pp[k] + dt * (2 * e->pq[k] + dt * e->qq[k]);
    e->distance[k] = square > 0 ? sqrt(square) * (1 + SLACK) : 0;
  }
}

/* The coefficients of the squared distances as polynomials in dt. */
static void measure(iss_state *st)
{
  epochs *e = st->lazy;
  for (int k = 0; k + 1 < e->count; k++) {
    const double past = st->t - e->t[k], *R = e->R[k], *v = e->v[k];
    double pp = 0, pq = 0, qq = 0;
    for (size_t i = 0; i < st->n; i++) {
      const double q = st->v[i] - v[i], p = e->now[i] - R[i] - past * v[i];
      pp += p * p;
      pq += p * q;
      qq += q * q;
    }
    e->pp[k] = pp;
    e->pq[k] = pq;
    e->qq[k] = qq;
  }
}

/* The column that would have the earliest event if all g_j were still those of their epochs. */
static size_t likely(const iss_state *st)
{
  const epochs *e = st->lazy;
  double first = INFINITY;
  size_t best = st->d;
  for (size_t j = 0; j < st->d; j++) {
    if (st->side[j]) continue;
    const double g = st->g[j], rho = st->rho[j] + (st->t - e->t[e->epoch[j]]) * g;
    const double way = 1 - (g > 0 ? rho : -rho), rate = fabs(g);
    if (way < first * rate) {
      first = way / rate;
      best = j;
    }
  }
  return best;
}

/* The time to the next event, from rho_j and g_j of all columns. */
static double earliest(iss_state *st)
{
  double first = INFINITY;
  refresh(st);
  st->lazy->n_computed = 0;
  for (size_t j = 0; j < st->d; j++)
    if (!st->side[j]) {
      st->lazy->computed[st->lazy->n_computed++] = j;
      first = fmin(first, wait_of(st, j));
    }
  return first;
}

static double next_lazily(iss_state *st, double most)
{
  epochs *e = st->lazy;
  e->n_computed = 0;
  if (e->count == MOST_EPOCHS)
    refresh(st);
  else
    open_epoch(st);
  measure(st);
  double first = most > 0 ? most * (1 + SLACK) : 0, found = INFINITY;
  const size_t guess = likely(st);
  if (guess < st->d) found = compute(st, guess);
  if (found < first) first = found;
  distances(e, first);
  for (size_t j = 0; j < st->d; j++) {
    const int k = e->epoch[j];
    const double ahead = st->t + first - e->t[k];
    const double reach = fabs(st->rho[j] + ahead * st->g[j]) + e->norm[j] * e->distance[k];
    if (reach < 1 - SLACK || st->side[j] || j == guess) continue;
    const double wait = compute(st, j);
    if (wait < found) found = wait;
    if (found < first) {
      first = found;
      distances(e, first);
    }
  }
  return isinf(found) ? earliest(st) : found;
}

/* ---- both ------------------------------------------------------------------------------------ */

static epochs *epochs_new(const iss_state *st)
{
  epochs *e = ALLOC(1, epochs);
  double *room = ALLOC((2 * MOST_EPOCHS + 1) * st->n, double);
  for (int k = 0; k < MOST_EPOCHS; k++) {
    e->R[k] = room + 2 * (size_t)k * st->n;
    e->v[k] = e->R[k] + st->n;
  }
  e->now = room + 2 * MOST_EPOCHS * st->n;
  e->norm = ALLOC(st->d, double);
  e->epoch = ALLOC(st->d, unsigned char);
  e->computed = ALLOC(st->d + 1, size_t);
  for (size_t j = 0; j < st->d; j++)
    e->norm[j] = sqrt(kernels->spread(st->system->rows->x + j * st->n, 0, NULL, st->n));
  return e;
}

void iss_time_start(iss_state *st)
{
  if (!st->system->wide || st->d < LAZY_FROM) return;
  if (!st->lazy) st->lazy = epochs_new(st);
  memset(st->lazy->now, 0, st->n * sizeof(double));
  memset(st->lazy->epoch, 0, st->d);
  st->lazy->count = 0;
  open_epoch(st);
}

double iss_next(iss_state *st, double most)
{
  if (st->lazy) return next_lazily(st, most);
  double first = INFINITY;
  kernels->waits(st->rho, st->g, st->bar, st->d, st->first);
  for (size_t k = 0; k * WAIT_GROUP < st->d; k++)
    if (st->first[k] < first) first = st->first[k];
  return first > 0 ? first : 0;
}

/* Puts column j on its boundary if rho_j reaches it within dt. */
static void reach_boundary(iss_state *st, size_t j, double dt)
{
  if (!(wait_of(st, j) <= dt + ISS_TIE * (st->t + dt))) return;
  st->side[j] = st->g[j] > 0 ? 1 : -1;
  st->rho[j] = st->side[j];
  st->bar[j] = INFINITY;
  st->edge[st->n_edge++] = j;
}

/* rho_j of a column on a boundary changes, too, but is not used: iss_release() sets it anew. */
void iss_move(iss_state *st, double dt)
{
  if (st->lazy) {
    epochs *e = st->lazy;
    for (size_t k = 0; k < e->n_computed; k++)
      if (!st->side[e->computed[k]]) reach_boundary(st, e->computed[k], dt);
    kernels->axpy(dt, st->v, st->n, e->now);
  } else {
    const double last = dt + 2 * ISS_TIE * (st->t + dt);
    for (size_t k = 0; k * WAIT_GROUP < st->d; k++)
      for (size_t j = k * WAIT_GROUP; st->first[k] <= last && j < (k + 1) * WAIT_GROUP; j++)
        if (j < st->d && !st->side[j]) reach_boundary(st, j, dt);
    kernels->axpy(dt, st->g, st->d, st->rho);
  }
  st->t += dt;
}

void iss_release(iss_state *st)
{
  const double least = ISS_OUTWARD * st->target->largest;
  for (size_t k = st->n_edge; k-- > 0;) {
    const size_t j = st->edge[k];
    if (!(st->g[j] * st->side[j] < -least)) continue;
    st->rho[j] = st->side[j];
    st->bar[j] = ISS_NO_RATE * st->target->largest;
    st->side[j] = 0;
    st->edge[k] = st->edge[--st->n_edge];
    if (st->lazy)
      st->lazy->epoch[j] = (unsigned char)st->lazy->count; /* the epoch that iss_next() opens */
  }
}
