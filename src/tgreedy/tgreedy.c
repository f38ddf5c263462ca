/* tgreedy.c - see tgreedy.h for the formulas and their names. */
#include "tgreedy.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "chol.h"
#include "tgreedy_units.h"

#define TIE 1e-12       /* relative difference below which the unit of lower number wins */
#define NO_EFFECT 1e-20 /* share of the null loss up to which a squared effect is rounding */

typedef struct {
  tgreedy_data *data;
  const tgreedy_options *o;
  tgreedy_path *path;
  size_t p;
  int K;
  tgreedy_units units;
  size_t varying, columns; /* how many units, and columns, vary */
  int n_units;             /* how many distinct units have been picked */
  double null_loss;
  double *mu, *s2, *compact, *work; /* units each */
  int *times;                       /* units: d of those that vary; NULL without groups */
  moderation prior;
  int *place;         /* units: position of the first column in path->feature, -1: not selected */
  int *taken;         /* units: how many columns have entered */
  double **G;         /* of each selected column: its G (K x p) */
  chol_factor factor; /* of E X_B X_B', B the selected columns that are not collinear */
  int *basis;         /* positions of B in path->feature */
  double *a;          /* max_features: products of a new column with those of B */
  double **by;        /* for each column v of the basis X_B L'^-1: E_k[v y] (K) */
  double *b, *w, *change; /* max_features: mean_k E_k[X_S y], weights, last changes */
  char *out;              /* units: is it collinear with the selected ones and not to be picked? */
} state;

/* Computes mu_i, s_i^2 and the moderation of s_i^2. */
static void update_effects(state *st)
{
  size_t varying = 0;
  for (size_t i = 0; i < st->units.n; i++) {
    const int d = unit_rank(&st->units, i);
    st->mu[i] = st->s2[i] = 0;
    if (d == 0) continue;
    unit_effects(&st->units, i, &st->mu[i], &st->s2[i]);
    if (st->times) st->times[varying] = d;
    st->compact[varying++] = st->s2[i] / d;
  }
  st->varying = varying;
  st->prior = (moderation){0, 0};
  if (st->K > 1) st->prior = moderate_fit(st->compact, st->times, varying, st->K - 1, st->work);
}

static double spread(const state *st, size_t i)
{
  return unit_moderated(&st->units, i, st->prior, st->s2[i]);
}

static double t_value(const state *st, size_t i)
{
  return unit_t(&st->units, i, st->mu[i], st->s2[i], 0);
}

static double t_moderated(const state *st, size_t i)
{
  return unit_t(&st->units, i, st->mu[i], spread(st, i), st->prior.d0);
}

static double gain(const state *st, size_t i)
{
  const double nu = st->o->nu, mu = st->mu[i], K = st->K;
  if (st->K < 2) return NAN;
  return nu * (2 - nu) * mu * mu - nu * spread(st, i) / K * (2 + nu / (K - 1));
}

/* The number that the rule maximises. */
static double score(const state *st, size_t i)
{
  switch (st->K > 1 ? st->o->rule : RULE_GREEDY) {
  case RULE_GAIN:
    return gain(st, i);
  case RULE_T: {
    const double t = t_value(st, i);
    return st->o->is_signed ? t : fabs(t);
  }
  case RULE_MODT: {
    const double t = t_moderated(st, i);
    return st->o->is_signed ? t : fabs(t);
  }
  default:
    return fabs(st->mu[i]);
  }
}

/* May unit i be picked? */
static int candidate(const state *st, size_t i)
{
  if (unit_rank(&st->units, i) == 0 || st->out[i]) return 0;
  if (st->place[i] >= 0 && (!st->o->repeats || st->o->refit)) return 0;
  return st->mu[i] * st->mu[i] > NO_EFFECT * st->null_loss;
}

/* The unit of largest score, of lowest number among tied ones, and of largest effect among several with infinite T;
 * units.n if there is no candidate. */
static size_t pick(const state *st)
{
  const size_t none = st->units.n;
  size_t best = none;
  double most = -INFINITY;
  for (size_t i = 0; i < none; i++) {
    if (!candidate(st, i)) continue;
    const double value = score(st, i);
    int better = best == none || value > most + TIE * fabs(most);
    if (best < none && isinf(value) && value > 0 && isinf(most) && most > 0)
      better = fabs(st->mu[i]) > fabs(st->mu[best]) * (1 + TIE);
    if (!better) continue;
    most = value;
    best = i;
  }
  return best;
}

/* Does the stop rule end the path before unit i is picked? */
static int stops(const state *st, size_t i)
{
  const double p = (double)st->varying, t = t_value(st, i);
  const double size = st->o->is_signed ? t : fabs(t);
  switch (st->o->stop) {
  case STOP_GAIN:
    return gain(st, i) <= 0;
  case STOP_BONFERRONI:
    return !(size >= port_qt(st->o->alpha / p / 2, st->K - 1));
  case STOP_THEOREM1:
    return !(size > sqrt(4 * log(2 * p / st->o->delta)));
  default:
    return 0;
  }
}

/* E[X_i X_s], every domain counting once; G: the products of feature s by domain. */
static double second(const state *st, const double *G, size_t i, size_t s)
{
  const int K = st->K;
  double mean = 0;
  if (st->data->second_of_others) return st->data->second(st->data->others, i, s);
  for (int k = 0; k < K; k++) mean += G[k + i * K] / K;
  return mean;
}

/* Appends column i to the Cholesky factor; if it is collinear returns 0 and does not append it. */
static int append(state *st, size_t i, const double *G)
{
  chol_factor *f = &st->factor;
  const double own = second(st, G, i, i);
  for (size_t r = 0; r < f->k; r++) {
    const int position = st->basis[r];
    st->a[r] = second(st, st->G[position], i, (size_t)st->path->feature[position]);
  }
  if (!chol_append(f, st->a, own, NULL, TGREEDY_COLLINEAR * own)) return 0;
  st->basis[f->k - 1] = st->path->n_features;
  return 1;
}

/* For a new column i: adds to st->b mean_k E_k[X_i y], E_k[X_i y] = E_k[X_i r] + sum_r w_r G_r; and, if the column is
 * in the basis, to st->by the numbers of its direction. */
static void remember(state *st, size_t i, int in_basis)
{
  const int q = st->path->n_features, K = st->K;
  const size_t last = st->factor.k - (in_basis != 0);
  double *y = ROOM(K, double);
  st->b[q] = 0;
  for (int k = 0; k < K; k++) {
    y[k] = st->data->m[k + i * K];
    for (int r = 0; r < q; r++) y[k] += st->w[r] * st->G[r][k + i * K];
    st->b[q] += y[k] / K;
  }
  if (!in_basis) return;
  chol_next_row(st->factor.L + last * st->factor.ld, last, (const double *const *)st->by, (size_t)K,
                y);
  st->by[last] = y;
}

/* The bound of Corollary 3 as proved there: Theorem 1 for q p^q effects, 4 log(2 q p^q / delta) <= 8 q log p +
 * 4 log(2/delta), divided by K, times the sum of the variances over domains of st->by. The corollary as printed lacks
 * the second 4. */
static double bound(const state *st)
{
  const int q = st->path->n_features, K = st->K;
  double total = 0;
  if (K < 2) return NAN;
  for (size_t r = 0; r < st->factor.k; r++) {
    const double *y = st->by[r];
    double mean = 0, ss = 0;
    for (int k = 0; k < K; k++) mean += y[k] / K;
    for (int k = 0; k < K; k++) ss += (y[k] - mean) * (y[k] - mean);
    total += ss / (K - 1);
  }
  return total * (8 * q * log((double)st->columns) + 4 * log(2 / st->o->delta)) / K;
}

/* st->change <- the change of every selected weight: for columns of unit i nu times the least-squares step, or with
 * refit for all columns the difference to the solution of L L'w = b. */
static void changes(state *st, size_t i)
{
  const int q = st->path->n_features;
  memset(st->change, 0, q * sizeof(double));
  if (!st->o->refit) {
    double *step = st->change + st->place[i];
    unit_step(&st->units, i, step);
    for (int c = 0; c < st->taken[i]; c++) step[c] *= st->o->nu;
    return;
  }
  double *x = st->change;
  memcpy(x, st->b, (size_t)q * sizeof(double));
  chol_forward(&st->factor, x);
  chol_backward(&st->factor, x);
  for (int r = 0; r < q; r++) x[r] -= st->w[r];
}

/* Updates m, r2 and the weights by st->change. */
static void apply(state *st)
{
  const int K = st->K;
  for (int r = 0; r < st->path->n_features; r++) {
    const double change = st->change[r], *G = st->G[r];
    if (change == 0) continue;
    const size_t i = (size_t)st->path->feature[r];
    for (int k = 0; k < K; k++)
      st->data->r2[k] += change * (change * G[k + i * K] - 2 * st->data->m[k + i * K]);
    for (size_t j = 0; j < st->p * K; j++) st->data->m[j] -= change * G[j];
    st->w[r] += change;
  }
}

static void record(state *st, size_t i)
{
  tgreedy_path *path = st->path;
  const int step = path->n_steps, q = path->n_features, K = st->K;
  path->entered[step] = (int)i;
  path->size[step] = q;
  path->t[step] = t_value(st, i);
  path->t_mod[step] = t_moderated(st, i);
  path->gain[step] = gain(st, i);
  path->mu[step] = st->mu[i];
  path->s[step] = K > 1 ? sqrt(st->s2[i]) : NAN;
  path->change[step] = unit_rank(&st->units, i) == 1 ? st->change[st->place[i]] : NAN;
  path->bound[step] = bound(st);
  path->weight[step] = ROOM(q, double);
  memcpy(path->weight[step], st->w, q * sizeof(double));
  memcpy(path->loss + (size_t)(step + 1) * K, st->data->r2, K * sizeof(double));
  if (st->data->follow)
    st->data->follow(st->data->context, q, path->feature, st->change,
                     path->auroc + (size_t)(step + 1) * K);
  path->n_steps++;
}

/* Lets column i enter; returns 0 if it is collinear and weights are refitted. */
static int admit_column(state *st, size_t i)
{
  tgreedy_path *path = st->path;
  double *G = ALLOC(st->p * st->K, double), *spread = path->spread + path->n_features * st->K;
  st->data->products(st->data->context, i, G, spread);
  const int in_basis = append(st, i, G);
  if (!in_basis && st->o->refit) return 0;
  remember(st, i, in_basis);
  st->G[path->n_features] = G;
  path->feature[path->n_features++] = (int)i;
  return 1;
}

/* Lets unit i enter if it is new. Returns 0 if none of its columns can enter. */
static int admit(state *st, size_t i)
{
  if (st->place[i] >= 0) return 1;
  const int first = st->path->n_features;
  for (int c = 0; c < unit_rank(&st->units, i); c++)
    st->taken[i] += admit_column(st, unit_column(&st->units, i, c));
  if (st->taken[i] == 0) {
    st->out[i] = 1;
    return 0;
  }
  st->place[i] = first;
  st->n_units++;
  return 1;
}

static state state_new(tgreedy_data *data, const tgreedy_options *o, tgreedy_path *path)
{
  const size_t p = data->p, m = (size_t)o->max_features;
  state st = {.data = data, .o = o, .path = path, .p = p, .K = data->K};
  st.units = units_new(data, o->groups);
  const size_t units = st.units.n;
  st.mu = ALLOC(units, double);
  st.s2 = ALLOC(units, double);
  st.compact = ALLOC(units, double);
  st.work = ALLOC(units, double);
  if (o->groups) st.times = ALLOC(units, int);
  st.place = ALLOC(units, int);
  st.taken = ALLOC(units, int);
  st.out = ALLOC(units, char);
  st.G = ALLOC(m, double *);
  st.factor = chol_new(m, 0);
  st.basis = ALLOC(m, int);
  st.a = ALLOC(m, double);
  st.by = ALLOC(m, double *);
  st.b = ALLOC(m, double);
  st.w = ALLOC(m, double);
  st.change = ALLOC(m, double);
  for (size_t i = 0; i < units; i++) st.place[i] = -1;
  for (size_t j = 0; j < p; j++) st.columns += data->scale[j] > 0;
  return st;
}

int tgreedy_max_picks(int max_units)
{
  return (int)fmin(10.0 * max_units, fmin(max_units + 2000.0, INT_MAX));
}

/* The largest number of distinct units of the path. */
static int most_units(const state *st)
{
  int vary = 0;
  for (size_t u = 0; u < st->units.n; u++) vary += unit_rank(&st->units, u) > 0;
  return st->o->all_varying && vary < st->o->max_units ? vary : st->o->max_units;
}

status tgreedy_run(tgreedy_data *data, const tgreedy_options *o, tgreedy_path *path)
{
  path->n_steps = path->n_features = 0;
  path->gain_left = NAN;
  state st = state_new(data, o, path);
  const size_t none = st.units.n;
  const int max_units = most_units(&st), max_picks = tgreedy_max_picks(max_units);
  for (int k = 0; k < data->K; k++) st.null_loss += data->r2[k] / data->K;
  memcpy(path->loss, data->r2, data->K * sizeof(double));
  if (data->follow) data->follow(data->context, 0, NULL, NULL, path->auroc);
  while (path->n_steps < max_picks) {
    port_poll();
    port_progress((double)path->n_steps, 0);
    update_effects(&st);
    const size_t i = pick(&st);
    if (path->n_steps == 0) {
      path->d0 = st.prior.d0;
      path->s02 = st.prior.s02;
    }
    if (o->rule == RULE_GAIN) path->gain_left = i < none ? gain(&st, i) : NAN;
    if (o->stop == STOP_THEOREM1 && st.varying > o->delta / 2 * exp(data->K / 8.))
      return STATUS_FEW_DOMAINS;
    if (i == none || stops(&st, i)) break;
    if (st.place[i] < 0 && st.n_units == max_units) break;
    if (!admit(&st, i)) continue;
    changes(&st, i);
    apply(&st);
    record(&st, i);
  }
  return STATUS_OK;
}
