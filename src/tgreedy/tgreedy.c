/* tgreedy.c - see tgreedy.h for the formulas and their names. */
#include "tgreedy.h"

#include <math.h>
#include <string.h>

#include "kernels.h"
#include "moderate.h"

#define TIE 1e-12       /* relative difference below which the lower feature wins */
#define COLLINEAR 1e-10 /* share of a feature that must be left beside the selected ones */
#define SAME 1e-20      /* variance beside the squared mean that is none */
#define NO_EFFECT 1e-20 /* squared effect beside the null loss that is none */

typedef struct {
  tgreedy_data *data;
  const tgreedy_options *o;
  tgreedy_path *path;
  size_t p;
  int K;
  size_t varying; /* features that vary */
  double null_loss;
  double *mu, *s2, *compact, *work; /* p each */
  moderation prior;
  int *place; /* p: where a feature stands among the distinct ones, -1: not selected */
  double **G; /* products of each distinct feature */
  double *L;  /* Cholesky factor of E X_S X_S', max_features x max_features by rows */
  double *by; /* K x max_features: E_k[X_S y] in the basis X_S L'^-1 */
  double *b, *w, *change; /* max_features: mean_k E_k[X_S y], weights, last changes */
  char *out;              /* p: never again (collinear with the selected) */
} state;

/* mu_i, s_i^2 and the moderation of s_i^2. */
static void look(state *st)
{
  const int K = st->K;
  size_t varying = 0;
  for (size_t i = 0; i < st->p; i++) {
    st->mu[i] = st->s2[i] = 0;
    if (!(st->data->scale[i] > 0)) continue;
    const double *m = st->data->m + i * K, root = sqrt(st->data->e[i]);
    double mean = 0, ss = 0;
    for (int k = 0; k < K; k++) mean += m[k] / K;
    for (int k = 0; k < K; k++) ss += (m[k] - mean) * (m[k] - mean);
    st->mu[i] = mean / root;
    st->s2[i] = K > 1 ? ss / (K - 1) / st->data->e[i] : 0;
    st->compact[varying++] = st->s2[i];
  }
  st->varying = varying;
  st->prior = (moderation){0, 0};
  if (K > 1) st->prior = moderate_fit(st->compact, varying, K - 1, st->work);
}

/* Infinite where the effect is the same everywhere. */
static double t_value(double mu, double s2, int K)
{
  if (K < 2) return NAN;
  if (mu == 0) return 0;
  if (s2 <= SAME * mu * mu) return mu > 0 ? INFINITY : -INFINITY;
  return mu / sqrt(s2 / K);
}

static double gain(const state *st, size_t i)
{
  const double nu = st->o->nu, mu = st->mu[i], K = st->K;
  if (st->K < 2) return NAN;
  return nu * (2 - nu) * mu * mu -
         nu * moderated(st->prior, st->s2[i], K - 1) / K * (2 + nu / (K - 1));
}

/* What the rule wants large. */
static double score(const state *st, size_t i)
{
  switch (st->K > 1 ? st->o->rule : RULE_GREEDY) {
  case RULE_GAIN:
    return gain(st, i);
  case RULE_T: {
    const double t = t_value(st->mu[i], st->s2[i], st->K);
    return st->o->is_signed ? t : fabs(t);
  }
  case RULE_MODT: {
    const double t = t_value(st->mu[i], moderated(st->prior, st->s2[i], st->K - 1), st->K);
    return st->o->is_signed ? t : fabs(t);
  }
  default:
    return fabs(st->mu[i]);
  }
}

/* May feature i be picked? */
static int candidate(const state *st, size_t i)
{
  if (!(st->data->scale[i] > 0) || st->out[i]) return 0;
  if (st->place[i] >= 0 && (!st->o->repeats || st->o->refit)) return 0;
  return st->mu[i] * st->mu[i] > NO_EFFECT * st->null_loss;
}

/* The feature the rule likes most (p if none is left), the lowest on ties; of several infinite T
 * the one of largest effect. */
static size_t pick(const state *st)
{
  size_t best = st->p;
  double most = -INFINITY;
  for (size_t i = 0; i < st->p; i++) {
    if (!candidate(st, i)) continue;
    const double value = score(st, i);
    int better = best == st->p || value > most + TIE * fabs(most);
    if (best < st->p && isinf(value) && value > 0 && isinf(most) && most > 0)
      better = fabs(st->mu[i]) > fabs(st->mu[best]) * (1 + TIE);
    if (!better) continue;
    most = value;
    best = i;
  }
  return best;
}

/* Does the stop rule end the path before feature i is picked? */
static int stops(const state *st, size_t i)
{
  const double p = (double)st->varying, t = t_value(st->mu[i], st->s2[i], st->K);
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

/* E[X_i X_s] with every domain once; G holds the products of feature s by domain. */
static double second(const state *st, const double *G, size_t i, size_t s)
{
  const int K = st->K;
  double mean = 0;
  if (st->data->second) return st->data->second(st->data->others, i, s);
  for (int k = 0; k < K; k++) mean += G[k + i * K] / K;
  return mean;
}

/* Appends feature i to the Cholesky factor; 0 if it is collinear: its pivot is then 0, and the
 * basis does without it. */
static int append(state *st, size_t i, const double *G)
{
  const int q = st->path->n_features, width = st->o->max_features;
  const double own = second(st, G, i, i);
  double *row = st->L + (size_t)q * width, left = own;
  for (int r = 0; r < q; r++) {
    double a = second(st, st->G[r], i, (size_t)st->path->feature[r]);
    for (int t = 0; t < r; t++) a -= row[t] * st->L[t + (size_t)r * width];
    const double pivot = st->L[r + (size_t)r * width];
    row[r] = pivot > 0 ? a / pivot : 0;
    left -= row[r] * row[r];
  }
  row[q] = left > COLLINEAR * own ? sqrt(left) : 0;
  return row[q] > 0;
}

/* E_k[X_i y] of a new feature: E_k[X_i r] plus what the selected ones explain of it. */
static void remember(state *st, size_t i)
{
  const int q = st->path->n_features, K = st->K, width = st->o->max_features;
  const double *row = st->L + (size_t)q * width;
  st->b[q] = 0;
  for (int k = 0; k < K; k++) {
    double y = st->data->m[k + i * K];
    for (int r = 0; r < q; r++) y += st->w[r] * st->G[r][k + i * K];
    st->b[q] += y / K;
    for (int r = 0; r < q; r++) y -= row[r] * st->by[k + (size_t)r * K];
    st->by[k + (size_t)q * K] = row[q] > 0 ? y / row[q] : 0;
  }
}

/* Corollary 3: (sum of variances over domains of the basis' effects)(8 q log p + log(2/delta))/K. */
static double bound(const state *st)
{
  const int q = st->path->n_features, K = st->K;
  double total = 0;
  if (K < 2) return NAN;
  for (int r = 0; r < q; r++) {
    const double *y = st->by + (size_t)r * K;
    double mean = 0, ss = 0;
    for (int k = 0; k < K; k++) mean += y[k] / K;
    for (int k = 0; k < K; k++) ss += (y[k] - mean) * (y[k] - mean);
    total += ss / (K - 1);
  }
  return total * (8 * q * log((double)st->varying) + log(2 / st->o->delta)) / K;
}

/* The change of every selected weight: one of them by nu times its least-squares step, or all to
 * balanced least squares, L L'w = b. */
static void changes(state *st, int at)
{
  const int q = st->path->n_features, K = st->K, width = st->o->max_features;
  memset(st->change, 0, q * sizeof(double));
  if (!st->o->refit) {
    const int i = st->path->feature[at];
    double mean = 0;
    for (int k = 0; k < K; k++) mean += st->data->m[k + (size_t)i * K] / K;
    st->change[at] = st->o->nu * mean / st->data->e[i];
    return;
  }
  double *x = st->change;
  memcpy(x, st->b, (size_t)q * sizeof(double));
  kernels->lower(st->L, (size_t)width, (size_t)q, x);
  kernels->upper(st->L, (size_t)width, (size_t)q, x);
  for (int r = 0; r < q; r++) x[r] -= st->w[r];
}

/* m and r2 after the changes, one feature after the other. */
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

static void record(state *st, size_t i, int at)
{
  tgreedy_path *path = st->path;
  const int step = path->n_steps, q = path->n_features, K = st->K;
  path->entered[step] = (int)i;
  path->size[step] = q;
  path->t[step] = t_value(st->mu[i], st->s2[i], K);
  path->t_mod[step] = t_value(st->mu[i], moderated(st->prior, st->s2[i], K - 1), K);
  path->gain[step] = gain(st, i);
  path->mu[step] = st->mu[i];
  path->s[step] = K > 1 ? sqrt(st->s2[i]) : NAN;
  path->change[step] = st->change[at];
  path->bound[step] = bound(st);
  memcpy(path->weight + (size_t)step * st->o->max_features, st->w, q * sizeof(double));
  memcpy(path->loss + (size_t)(step + 1) * K, st->data->r2, K * sizeof(double));
  if (st->data->follow)
    st->data->follow(st->data->source, q, path->feature, st->change,
                     path->auroc + (size_t)(step + 1) * K);
  path->n_steps++;
}

/* Lets feature i in if it is new. Returns its place, -1 if it is collinear where that matters. */
static int admit(state *st, size_t i)
{
  tgreedy_path *path = st->path;
  if (st->place[i] >= 0) return st->place[i];
  double *G = ALLOC(st->p * st->K, double);
  st->data->products(st->data->source, i, G);
  if (!append(st, i, G) && st->o->refit) {
    st->out[i] = 1;
    return -1;
  }
  const int at = path->n_features;
  remember(st, i);
  st->G[at] = G;
  path->feature[at] = (int)i;
  st->place[i] = at;
  path->n_features++;
  return at;
}

static state state_new(tgreedy_data *data, const tgreedy_options *o, tgreedy_path *path)
{
  const size_t p = data->p, m = (size_t)o->max_features;
  state st = {.data = data, .o = o, .path = path, .p = p, .K = data->K};
  st.mu = ALLOC(p, double);
  st.s2 = ALLOC(p, double);
  st.compact = ALLOC(p, double);
  st.work = ALLOC(p, double);
  st.place = ALLOC(p, int);
  st.out = ALLOC(p, char);
  st.G = ALLOC(m, double *);
  st.L = ALLOC(m * m, double);
  st.by = ALLOC(m * data->K, double);
  st.b = ALLOC(m, double);
  st.w = ALLOC(m, double);
  st.change = ALLOC(m, double);
  for (size_t i = 0; i < p; i++) st.place[i] = -1;
  return st;
}

status tgreedy_run(tgreedy_data *data, const tgreedy_options *o, tgreedy_path *path)
{
  state st = state_new(data, o, path);
  path->n_steps = path->n_features = 0;
  path->gain_left = NAN;
  for (int k = 0; k < data->K; k++) st.null_loss += data->r2[k] / data->K;
  memcpy(path->loss, data->r2, data->K * sizeof(double));
  if (data->follow) data->follow(data->source, 0, NULL, NULL, path->auroc);
  while (path->n_steps < o->max_picks) {
    port_poll();
    look(&st);
    const size_t i = pick(&st);
    if (path->n_steps == 0) {
      path->d0 = st.prior.d0;
      path->s02 = st.prior.s02;
    }
    if (o->rule == RULE_GAIN) path->gain_left = i < st.p ? gain(&st, i) : NAN;
    if (o->stop == STOP_THEOREM1 && st.varying > o->delta / 2 * exp(data->K / 8.))
      return STATUS_FEW_DOMAINS;
    if (i == st.p || stops(&st, i)) break;
    if (st.place[i] < 0 && path->n_features == o->max_features) break;
    const int at = admit(&st, i);
    if (at < 0) continue;
    changes(&st, at);
    apply(&st);
    record(&st, i, at);
  }
  return STATUS_OK;
}
