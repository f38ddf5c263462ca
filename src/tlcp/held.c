/* held.c - see held.h. */
#include "held.h"

#include <math.h>
#include <string.h>

#include "average.h"
#include "borrow_features.h"
#include "borrow_work.h"
#include "kernels.h"
#include "spd.h"
#include "sparse.h"

enum { RATIO, SHARED, ALONE, APART };
enum { AT_ALONE = HELD_ALONE, AT_APART = HELD_APART, AT_FEW = HELD_FEW };

held_paths held_paths_new(size_t T, size_t p)
{
  return (held_paths){.ratio = ALLOC(2 * T + 3, double),
                      .shared = ALLOC((HELD_ROUNDS + 1) * (T + 2), double),
                      .alone = ALLOC((HELD_ROUNDS + 1) * 2, double),
                      .apart = ALLOC(p + 3, double)};
}

/* ---- the borrowing prior ------------------------------------------------------------------------ */

/* One unit of a fit: the domains without their level, and the prior, by coefficient, when it has been found; `path` has
 * its log variances by round. */
typedef struct {
  const held_unit *unit;
  borrow_domains slopes;
  double lr, alone, *path;
  double *common, *own, *scale; /* p, p x T, p; NULL before */
  borrow_features apart;        /* of find_apart() */
} fitted;

static borrow_variances prior_of(const fitted *f)
{
  return (borrow_variances){.common = f->common, .own = f->own, .scale = f->scale};
}

/* The array to which a search writes its path: `kept` in the first fit; later fits start from `kept` (*start) and write
 * elsewhere. */
static double *path_from(const held_unit *unit, int which, double *kept, size_t n,
                         const double **start)
{
  *start = unit->paths->known[which] ? kept : NULL;
  return *start ? ALLOC(n, double) : kept;
}

static status find_ratio(fitted *f, double enough)
{
  const held_unit *unit = f->unit;
  const size_t T = (size_t)unit->domains->T;
  const double *start;
  f->slopes = borrow_without_level(unit->domains);
  borrow_sharing found = {.tau2 = ALLOC(T, double),
                          .path = path_from(unit, RATIO, unit->paths->ratio, 2 * T + 3, &start)};
  const status state = borrow_ratio(&f->slopes, start, enough, &found);
  if (state == STATUS_OK) unit->paths->known[RATIO] = 1;
  f->lr = found.lr;
  f->alone = found.alone;
  return state;
}

/* common, own <- the variances by coefficient; x has log tau2_t, log omega2 and log kappa2. */
static void put_variances(const borrow_domains *domains, const double *x, double *common,
                          double *own)
{
  const size_t p = domains->p, T = (size_t)domains->T;
  for (size_t j = 0; j < p; j++) {
    const int level = domains->level && j == p - 1;
    common[j] = level ? BORROW_LEVEL_OMEGA2 : exp(x[T]);
    for (size_t t = 0; t < T; t++) own[j + t * p] = exp(x[level ? T + 1 : t]);
  }
}

static status find_prior(fitted *f, double enough)
{
  if (f->common) return STATUS_OK;
  const borrow_domains *domains = f->unit->domains;
  const size_t p = domains->p, T = (size_t)domains->T, n = T + 1 + (size_t)domains->level;
  borrow_options options = {.nu = 4, .prior = 1, .shape = BORROW_SHAPE, .rounds = HELD_ROUNDS, .enough = enough};
  f->path =
      path_from(f->unit, SHARED, f->unit->paths->shared, (HELD_ROUNDS + 1) * n, &options.start);
  borrow_prior found = {.tau2 = ALLOC(T, double), .scale = ALLOC(p, double), .path = f->path};
  const status state = borrow_fit(domains, &options, &found);
  if (state != STATUS_OK) return state;
  f->unit->paths->known[SHARED] = 1;
  f->common = ALLOC(p, double);
  f->own = ALLOC(p * T, double);
  f->scale = found.scale;
  put_variances(domains, f->path + HELD_ROUNDS * n, f->common, f->own);
  return STATUS_OK;
}

static status find_coef(const fitted *f, const borrow_variances *known, double *coef)
{
  const size_t p = f->unit->domains->p, T = (size_t)f->unit->domains->T;
  borrow_posterior posterior = {
      .coef = ALLOC(p * T, double), .P = ALLOC(p * p, double), .m = ALLOC(p, double)};
  const status state = borrow_known(f->unit->domains, known, &posterior);
  for (size_t j = 0; j < p; j++) coef[j] = sqrt(known->scale[j]) * posterior.coef[j];
  return state;
}

/* The target as the only domain, with the slopes at[0], .., at[count - 1]. */
static borrow_domains target_alone(const fitted *f, const size_t *at, size_t count)
{
  const size_t p = f->slopes.p;
  borrow_domains out = borrow_some(&f->slopes, 0, 1);
  if (count == p) return out;
  double **H = borrow_matrices(1, count * count), **g = borrow_matrices(1, count),
         **coef = borrow_matrices(1, count), **left = borrow_matrices(1, count);
  for (size_t j = 0; j < count; j++) {
    for (size_t i = 0; i < count; i++) H[0][i + j * count] = out.H[0][at[i] + at[j] * p];
    g[0][j] = out.g[0][at[j]];
    coef[0][j] = out.coef[0][at[j]];
    left[0][j] = out.left[0][at[j]];
  }
  out.p = count;
  out.H = (const double *const *)H;
  out.g = (const double *const *)g;
  out.coef = (const double *const *)coef;
  out.left = (const double *const *)left;
  return out;
}

/* coef <- the coefficients of a target whose slopes are unrelated to the others'. The slope of a column that is
 * constant in the target, and the level, are still borrowed. */
static status find_alone(const fitted *f, double enough, double *coef)
{
  const borrow_domains *domains = f->unit->domains;
  const size_t p = domains->p, T = (size_t)domains->T;
  size_t *at = ALLOC(f->slopes.p, size_t), count = 0;
  for (size_t j = 0; j < f->slopes.p; j++)
    if (f->unit->varies[j]) at[count++] = j;
  borrow_variances known = prior_of(f);
  if (!count) return find_coef(f, &known, coef);
  const borrow_domains target = target_alone(f, at, count);
  borrow_options options = {.nu = 4, .prior = 1, .shape = BORROW_SHAPE, .rounds = HELD_ROUNDS, .enough = enough};
  double tau2, *common = ALLOC(p, double), *own = ALLOC(p * T, double), *scale = ALLOC(p, double);
  borrow_prior found = {.tau2 = &tau2,
                        .scale = ALLOC(count, double),
                        .path = path_from(f->unit, ALONE, f->unit->paths->alone,
                                          (HELD_ROUNDS + 1) * 2, &options.start)};
  const status state = borrow_fit(&target, &options, &found);
  if (state != STATUS_OK) return state;
  f->unit->paths->known[ALONE] = 1;
  memcpy(common, f->common, p * sizeof(double));
  memcpy(own, f->own, p * T * sizeof(double));
  memcpy(scale, f->scale, p * sizeof(double));
  for (size_t k = 0; k < count; k++) {
    common[at[k]] = BORROW_LOW_OMEGA2;
    scale[at[k]] = found.scale[k];
    for (size_t t = 0; t < T; t++) own[at[k] + t * p] = tau2 + found.omega2;
  }
  known = (borrow_variances){.common = common, .own = own, .scale = scale};
  return find_coef(f, &known, coef);
}

/* ---- the sparse alternatives -------------------------------------------------------------------- */

static status sparse_of(const held_options *o, const double *H, const double *g, size_t p,
                        sparse_posterior *out)
{
  const sparse_model model = {.p = p,
                              .most = p < o->most ? p : o->most,
                              .beam = sparse_beam(p, p < o->most ? p : o->most, o->beam),
                              .H = H,
                              .g = g,
                              .v = o->v,
                              .n_v = o->n_v};
  out->mean = ALLOC(p, double);
  out->square = ALLOC(p * p, double);
  return sparse_average(&model, out);
}

/* coef <- the coefficients of "few"; *lr <- their log-likelihood less that of all slopes with one variance. */
static status find_few(const fitted *f, const held_options *o, double *lr, double *coef)
{
  const size_t slopes = f->slopes.p, p = f->unit->domains->p;
  const double *g = f->slopes.g[0];
  const double whole = f->alone - f->slopes.log_det[0] / 2 + dot(f->slopes.coef[0], g, slopes) / 2;
  sparse_posterior found;
  const status state = sparse_of(o, f->slopes.H[0], g, slopes, &found);
  if (state != STATUS_OK) return state;
  *lr = found.log_lik - whole;
  memcpy(coef, found.mean, slopes * sizeof(double));
  if (slopes == p) return STATUS_OK;
  const double *row = f->unit->domains->H[0] + slopes * p;
  coef[slopes] = (f->unit->domains->g[0][slopes] - dot(row, coef, slopes)) / row[slopes];
  return STATUS_OK;
}

/* ---- some slopes apart -------------------------------------------------------------------------- */

/* The posterior of the target given all domains and variances, columns multiplied by sqrt(c): mean, of w_1; m and C,
 * mean and variances of u_1; k = cov(w_1, u_1); and the log-likelihood of all domains. */
typedef struct {
  double log_lik, *mean, *m, *C, *k;
} target_posterior;

static status posterior_of(const borrow_domains *domains, const borrow_variances *known, target_posterior *out)
{
  const size_t p = domains->p;
  const double *own = known->own, *c = known->scale;
  double *V = ALLOC(p * p, double), *P = ALLOC(p * p, double), *b = ALLOC(p, double),
         *work = ROOM(p * (p + 8), double), log_P, log_A;
  borrow_common others = {.mean = ALLOC(p, double), .covariance = ALLOC(p * p, double)};
  *out = (target_posterior){
      .mean = ALLOC(p, double), .m = ALLOC(p, double), .C = ALLOC(p, double), .k = ALLOC(p * p, double)};
  const status state = borrow_others(domains, known, &others);
  if (state != STATUS_OK) return state;
  memcpy(P, others.covariance, p * p * sizeof(double));
  for (size_t j = 0; j < p; j++) P[j * (p + 1)] += own[j];
  if (!spd_inverse(P, p, work, &log_P)) return STATUS_NO_EVIDENCE;
  for (size_t j = 0; j < p; j++)
    for (size_t i = 0; i < p; i++)
      V[i + j * p] = domains->H[0][i + j * p] * sqrt(c[i] * c[j]) + P[i + j * p];
  if (!spd_inverse(V, p, work, &log_A)) return STATUS_NO_EVIDENCE;
  kernels->dots(COLUMNS(P, p, p), NULL, others.mean, b);
  const double prior = dot(b, others.mean, p);
  for (size_t j = 0; j < p; j++) b[j] += domains->g[0][j] * sqrt(c[j]);
  kernels->dots(COLUMNS(V, p, p), NULL, b, out->mean);
  out->log_lik = others.log_lik + (dot(b, out->mean, p) - prior - log_A - log_P) / 2;
  for (size_t j = 0; j < p; j++) b[j] = out->mean[j] - others.mean[j];
  for (size_t j = 0; j < p; j++) {
    const double *column = P + j * p;
    double *k = out->k + j * p;
    kernels->dots(COLUMNS(V, p, p), NULL, column, k);
    for (size_t i = 0; i < p; i++) k[i] *= own[j];
    out->m[j] = own[j] * dot(column, b, p);
    out->C[j] = own[j] - own[j] * own[j] * column[j] + own[j] * dot(column, k, p);
  }
  return STATUS_OK;
}

/* The average over the factor of a slope, see R/tlcp-apart.R: returns the log of the integral; *shift k_j is to be
 * added to the mean of w_1. v: the variance of u_1j. */
static double over_factor(const held_options *o, double factor, double v, double m, double C, double *shift)
{
  const double rate = 1 / (2 * o->spread * o->spread);
  double largest = -HUGE_VAL, total = 0, sum = 0, prior = 0;
  for (size_t i = 0; i < o->n_grid; i++) {
    const double x = o->grid[i], more = x - log(factor), d = expm1(-more) / v, shrunk = 1 + C * d;
    const double log_weight = -(more + log(shrunk) + d * m * m / shrunk) / 2 - x * x * rate;
    if (log_weight > largest) {
      const double less = exp(largest - log_weight); /* 0 the first time */
      total *= less;
      sum *= less;
      largest = log_weight;
    }
    const double weight = exp(log_weight - largest);
    total += weight;
    sum -= weight * d * m / shrunk;
    prior += exp(-x * x * rate);
  }
  *shift = sum / total;
  return largest + log(total / prior);
}

/* *fit <- the maximum of borrow_features.h, searched from *fit; *out <- the target's posterior there; own (p x T) <-
 * the variances of u_t. */
static status fit_features(const borrow_domains *domains, borrow_features *fit, double *own, target_posterior *out)
{
  const size_t p = domains->p, T = (size_t)domains->T, slopes = p - (size_t)domains->level;
  double *common = ALLOC(p, double);
  const status state = borrow_by_feature(domains, fit);
  if (state != STATUS_OK) return state;
  for (size_t j = 0; j < p; j++) {
    common[j] = j < slopes ? fit->omega2 : BORROW_LEVEL_OMEGA2;
    for (size_t t = 0; t < T; t++)
      own[j + t * p] = j >= slopes ? fit->kappa2 : t ? fit->tau2 : fit->tau2 * fit->factor[j];
  }
  const borrow_variances known = {.common = common, .own = own, .scale = fit->scale};
  return posterior_of(domains, &known, out);
}

/* f->apart <- the start of its search: the end of that of the first fit, or all factors 1, and tau2 and omega2
 * `size`. */
static void start_apart(fitted *f, const held_options *o, double size, double kappa2)
{
  const held_paths *paths = f->unit->paths;
  const size_t slopes = f->slopes.p;
  f->apart = (borrow_features){
      .spread = o->spread, .tau2 = size, .omega2 = size, .kappa2 = kappa2, .factor = ALLOC(slopes, double)};
  for (size_t j = 0; j < slopes; j++) f->apart.factor[j] = paths->known[APART] ? paths->apart[3 + j] : 1;
  if (!paths->known[APART]) return;
  f->apart.tau2 = paths->apart[0];
  f->apart.omega2 = paths->apart[1];
  f->apart.kappa2 = paths->apart[2];
  f->apart.enough = o->enough;
}

/* *lr <- the log likelihood ratio of "apart", with scales 1; f->apart <- its fit. */
static status find_apart(fitted *f, const held_options *o, double *lr)
{
  const borrow_domains *domains = f->unit->domains;
  held_paths *paths = f->unit->paths;
  const size_t p = domains->p, T = (size_t)domains->T, slopes = f->slopes.p;
  double *common = ALLOC(p, double), *own = ALLOC(p * T, double), *one = ALLOC(p, double), mean = 0, square = 0;
  put_variances(domains, f->path, common, own);
  for (size_t j = 0; j < p; j++) one[j] = 1;
  for (size_t t = 0; t < T; t++) mean += f->path[t] / (double)T;
  for (size_t t = 0; t < T; t++) square += (f->path[t] - mean) * (f->path[t] - mean);
  const borrow_variances plain = {.common = common, .own = own, .scale = one};
  target_posterior shared, apart;
  status state = posterior_of(domains, &plain, &shared);
  if (state != STATUS_OK) return state;
  const double others = (mean * (double)T - f->path[0]) / (double)(T - 1);
  start_apart(f, o, common[0] + exp(others), domains->level ? own[p - 1] : 0);
  f->apart.scale = one;
  state = fit_features(domains, &f->apart, own, &apart);
  if (state != STATUS_OK) return state;
  if (!paths->known[APART]) {
    const double end[3] = {f->apart.tau2, f->apart.omega2, f->apart.kappa2};
    memcpy(paths->apart, end, sizeof(end));
    memcpy(paths->apart + 3, f->apart.factor, slopes * sizeof(double));
    paths->known[APART] = 1;
  }
  double gain = apart.log_lik - shared.log_lik;
  const double df = f->unit->df;
  if (gain > 0 && isfinite(df)) gain = df / 2 * log1p(2 * gain / df);
  *lr = f->lr + gain + square / 2;
  for (size_t j = 0; j < slopes; j++) {
    double shift;
    *lr += over_factor(o, f->apart.factor[j], own[j], apart.m[j], apart.C[j], &shift);
  }
  return STATUS_OK;
}

/* coef <- the coefficients of "apart", with the scales of the borrowing prior; after find_apart(). */
static status find_apart_coef(fitted *f, const held_options *o, double *coef)
{
  const borrow_domains *domains = f->unit->domains;
  const size_t p = domains->p;
  double *own = ALLOC(p * (size_t)domains->T, double);
  target_posterior apart;
  f->apart.scale = f->scale;
  const status state = fit_features(domains, &f->apart, own, &apart);
  if (state != STATUS_OK) return state;
  memcpy(coef, apart.mean, p * sizeof(double));
  for (size_t j = 0; j < f->slopes.p; j++) {
    double shift;
    over_factor(o, f->apart.factor[j], own[j], apart.m[j], apart.C[j], &shift);
    kernels->axpy(shift, apart.k + j * p, p, coef);
  }
  for (size_t j = 0; j < p; j++) coef[j] *= sqrt(f->scale[j]);
  return STATUS_OK;
}

/* ---- the average ---------------------------------------------------------------------------------- */

/* Finds lr of "apart" and of "few", and coef of "few", where they are to be fitted. */
static status find_sparse(fitted *f, size_t n_units, size_t own, const held_options *o, double *lr,
                          held_model *models)
{
  status state;
  if (o->try_apart && f[0].unit->domains->T > 2) {
    double best = -HUGE_VAL;
    for (size_t u = 0; u < n_units; u++) {
      double ratio;
      state = find_prior(&f[u], o->enough);
      if (state == STATUS_OK) state = find_apart(&f[u], o, &ratio);
      if (state != STATUS_OK) return state;
      const double value = ratio + log(f[u].unit->prior);
      if (u && !(value > best)) continue;
      best = value;
      lr[AT_APART] = ratio;
      models[AT_APART].unit = u;
    }
  }
  if (!o->try_few) return STATUS_OK;
  models[AT_FEW] = (held_model){.unit = own, .coef = ALLOC(f[own].unit->domains->p, double)};
  return find_few(&f[own], o, &lr[AT_FEW], models[AT_FEW].coef);
}

static void weigh(const fitted *f, size_t n_units, const held_options *o, const double *lr,
                  held_model *models)
{
  double log_weight[HELD_MODELS], weight[HELD_MODELS], prior = 0;
  const double apart = lr[AT_APART] > -HUGE_VAL ? o->apart : 0,
               few = lr[AT_FEW] > -HUGE_VAL ? o->few : 0;
  for (size_t u = 0; u < n_units; u++) prior += f[u].unit->prior;
  for (size_t u = 0; u < HELD_UNITS; u++)
    log_weight[u] = u < n_units
                        ? lr[u] + log((1 - o->alone - apart) * f[u].unit->prior / prior * (1 - few))
                        : -HUGE_VAL;
  log_weight[AT_ALONE] = lr[AT_ALONE] + log(o->alone * (1 - few));
  log_weight[AT_APART] = lr[AT_APART] + log(apart * (1 - few));
  log_weight[AT_FEW] = lr[AT_FEW] + log(few);
  average_weights(log_weight, HELD_MODELS, o->rare, weight);
  for (size_t k = 0; k < HELD_MODELS; k++) models[k].weight = weight[k];
}

status held_fit(const held_unit *units, size_t n_units, const held_options *o, double *lr,
                held_model *models)
{
  fitted f[HELD_UNITS] = {{0}};
  double each[HELD_MODELS] = {-HUGE_VAL, -HUGE_VAL, 0, -HUGE_VAL, -HUGE_VAL};
  size_t own = 0;
  memset(models, 0, HELD_MODELS * sizeof(held_model));
  for (size_t u = 0; u < n_units; u++) {
    f[u].unit = units + u;
    const status state = find_ratio(&f[u], o->enough);
    if (state != STATUS_OK) return state;
    lr[u] = each[u] = f[u].lr;
    if (units[u].own) own = u;
  }
  if (o->try_apart || o->try_few) {
    const status state = find_sparse(f, n_units, own, o, each, models);
    if (state != STATUS_OK) return state;
  }
  weigh(f, n_units, o, each, models);
  for (size_t k = 0; k < AT_FEW; k++) {
    if (!(models[k].weight > 0)) continue;
    const size_t u = k < HELD_UNITS ? k : k == AT_ALONE ? own : models[k].unit;
    models[k].unit = u;
    models[k].coef = ALLOC(units[u].domains->p, double);
    status state = find_prior(&f[u], o->enough);
    if (state != STATUS_OK) return state;
    const borrow_variances known = prior_of(&f[u]);
    if (k == AT_ALONE)
      state = find_alone(&f[u], o->enough, models[k].coef);
    else if (k == AT_APART)
      state = find_apart_coef(&f[u], o, models[k].coef);
    else
      state = find_coef(&f[u], &known, models[k].coef);
    if (state != STATUS_OK) return state;
  }
  return STATUS_OK;
}
