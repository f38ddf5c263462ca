/* tgreedy_entry.c - from R to tgreedy.c and back. */
#include "routines.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "args_entry.h"
#include "tgreedy_moments.h"
#include "tgreedy_rows.h"

typedef struct {
  tgreedy_options path;
  int intercept, standardize, classes;
} settings;

/* The words of enum tgreedy_rule and of enum tgreedy_stop; "cv" is STOP_NONE, since the caller chooses the step by
 * cross-validation. */
static const char *const rules[] = {"gain", "t", "modt", "greedy", NULL};
static const char *const stops[] = {"none", "gain", "bonferroni", "theorem1", "cv", NULL};
static const char *const updates[] = {"stagewise", "refit", NULL};

/* list: made by tgreedy_settings() in R. */
static settings read_settings(SEXP list, size_t p)
{
  settings s = {0};
  tgreedy_options *o = &s.path;
  entry_class(list, "tgreedy_settings");
  s.intercept = entry_option_flag(list, "intercept");
  s.standardize = entry_option_flag(list, "standardize");
  s.classes = entry_option_flag(list, "classes");
  o->rule = (enum tgreedy_rule)entry_option_word(list, "rule", rules);
  const int stop = entry_option_word(list, "stop", stops);
  o->stop = stops[stop + 1] ? (enum tgreedy_stop)stop : STOP_NONE;
  o->is_signed = entry_option_flag(list, "signed");
  o->repeats = entry_option_flag(list, "repeats");
  o->refit = entry_option_word(list, "update", updates);
  o->nu = entry_option(list, "nu", 0, 2);
  o->alpha = entry_option(list, "alpha", 0, 1);
  o->delta = entry_option(list, "delta", 0, 1);
  o->max_units = (int)entry_option(list, "max_steps", 0, (double)p);
  o->groups = entry_groups(entry_field(list, "groups", "settings"), p);
  if (o->groups && (o->is_signed || o->stop == STOP_THEOREM1))
    Rf_error("'signed' and \"theorem1\" are of single columns");
  o->max_features = entry_most_columns(o->groups, o->max_units);
  o->all_varying = entry_option_flag(list, "all_varying");
  o->threads = entry_threads(list);
  return s;
}

/* The elements of a path's result, and their places. */
#define RESULTS(name)                                                                              \
  name(entered), name(size), name(t), name(t_mod), name(gain), name(mu), name(s), name(change),    \
      name(bound), name(loss), name(auroc), name(feature), name(weight), name(spread),             \
      name(moderation), name(gain_left), name(y_mean)
enum { RESULTS(PLACE) };
static const char *const names[] = {RESULTS(TEXT), ""};

static tgreedy_path path_new(const tgreedy_options *o, int K)
{
  const size_t m = (size_t)tgreedy_max_picks(o->max_units);
  tgreedy_path p = {0};
  double **numbers[] = {&p.t, &p.t_mod, &p.gain, &p.mu, &p.s, &p.change, &p.bound};
  for (size_t k = 0; k < sizeof(numbers) / sizeof(numbers[0]); k++) *numbers[k] = ALLOC(m, double);
  p.entered = ALLOC(m, int);
  p.size = ALLOC(m, int);
  p.loss = ALLOC((m + 1) * K, double);
  p.auroc = ALLOC((m + 1) * K, double);
  p.feature = ALLOC(o->max_features, int);
  p.spread = ALLOC((size_t)o->max_features * K, double);
  p.weight = ALLOC(m, double *);
  return p;
}

/* Puts the weights of all steps, one step after the other, each with as many as it has features. */
static void put_weights(SEXP result, const tgreedy_path *p)
{
  size_t total = 0;
  for (int k = 0; k < p->n_steps; k++) total += (size_t)p->size[k];
  double *to = entry_numbers(result, AT_weight, total);
  for (int k = 0; k < p->n_steps; to += p->size[k], k++)
    memcpy(to, p->weight[k], (size_t)p->size[k] * sizeof(double));
}

static void fill(SEXP result, const tgreedy_path *p, int K, int classes, double y_mean)
{
  const size_t n = (size_t)p->n_steps, q = (size_t)p->n_features;
  const double prior[2] = {p->d0, p->s02};
  entry_put_ints(result, AT_entered, p->entered, n, 1);
  entry_put_ints(result, AT_size, p->size, n, 0);
  entry_put_ints(result, AT_feature, p->feature, q, 1);
  entry_put(result, AT_spread, p->spread, q * K);
  entry_put(result, AT_t, p->t, n);
  entry_put(result, AT_t_mod, p->t_mod, n);
  entry_put(result, AT_gain, p->gain, n);
  entry_put(result, AT_mu, p->mu, n);
  entry_put(result, AT_s, p->s, n);
  entry_put(result, AT_change, p->change, n);
  entry_put(result, AT_bound, p->bound, n);
  entry_put(result, AT_loss, p->loss, (n + 1) * K);
  if (classes) entry_put(result, AT_auroc, p->auroc, (n + 1) * K);
  entry_put(result, AT_moderation, prior, 2);
  entry_put(result, AT_gain_left, &p->gain_left, 1);
  entry_put(result, AT_y_mean, &y_mean, 1);
  put_weights(result, p);
}

/* The data of the paths: rows, or the moments of the domains. */
typedef struct {
  size_t p;      /* features */
  int K;         /* domains */
  matrix y;      /* the responses; no rows with moments */
  design d, all; /* the labelled rows; labelled and unlabelled rows */
  tgreedy_rows rows;
  tgreedy_others others;
  tgreedy_moments moments;
  double *center, *scale, *e; /* p + 1, p + 1, p */
} fit_data;

/* unlabelled: list(blocks, domain, weights) of all rows, labelled or not. */
static void read_all_rows(SEXP unlabelled, fit_data *from)
{
  if (TYPEOF(unlabelled) != VECSXP || XLENGTH(unlabelled) != 3)
    Rf_error("'unlabelled' must be a list of three");
  SEXP codes = VECTOR_ELT(unlabelled, 1), weights = VECTOR_ELT(unlabelled, 2);
  const size_t n = (size_t)XLENGTH(codes);
  if (n < 1) Rf_error("'unlabelled' has no rows");
  size_t K;
  const int *of = entry_codes(codes, n, &K, "unlabelled");
  from->all = entry_features(VECTOR_ELT(unlabelled, 0), n);
  if (from->all.N != from->p)
    Rf_error("'unlabelled' has %.0f columns, not %.0f", (double)from->all.N, (double)from->p);
  from->others.d = &from->all;
  from->others.g = domains_new(of, (int)K, entry_weights(weights, (R_xlen_t)n, "unlabelled"), n);
}

static void read_rows(SEXP blocks, SEXP domain, SEXP weights, SEXP unlabelled, fit_data *from)
{
  const size_t n = from->y.rows;
  size_t K;
  const int *of = entry_codes(domain, n, &K, "domain");
  from->d = entry_features(blocks, n);
  from->p = from->d.N;
  from->K = (int)K;
  from->rows = (tgreedy_rows){.d = &from->d, .others = &from->others};
  from->rows.g = domains_new(of, from->K, entry_weights(weights, (R_xlen_t)n, "weights"), n);
  from->others = (tgreedy_others){.d = &from->d, .g = from->rows.g};
  if (unlabelled != R_NilValue) read_all_rows(unlabelled, from);
}

static void read_cells(SEXP cells, fit_data *from)
{
  if (TYPEOF(cells) != VECSXP || XLENGTH(cells) < 1) Rf_error("the moments must be a list");
  const int K = (int)XLENGTH(cells);
  const size_t v = (size_t)Rf_xlength(entry_field(VECTOR_ELT(cells, 0), "mean", "moments"));
  if (v < 1) Rf_error("'mean' is empty");
  double *mean = ALLOC(v * (size_t)K, double);
  const double **cross = ALLOC(K, const double *);
  for (int k = 0; k < K; k++) {
    SEXP cell = VECTOR_ELT(cells, k);
    const R_xlen_t size = (R_xlen_t)v;
    const double weight =
        entry_number(entry_field(cell, "weight", "moments"), DBL_MIN, DBL_MAX, "weight");
    const double *sums = entry_doubles(entry_field(cell, "cross", "moments"), size * size, "cross");
    double *share = ROOM(v * v, double);
    for (size_t i = 0; i < v * v; i++) share[i] = sums[i] / weight;
    cross[k] = share;
    memcpy(mean + (size_t)k * v, entry_doubles(entry_field(cell, "mean", "moments"), size, "mean"),
           v * sizeof(double));
  }
  from->p = v - 1;
  from->K = K;
  from->y = (matrix){.columns = 1};
  from->moments = (tgreedy_moments){.p = from->p, .K = K, .mean = mean, .cross = cross};
}

/* Finds centres, scales and e. */
static status standardise(fit_data *from, const settings *s, size_t *bad)
{
  const size_t p = from->p;
  tgreedy_others *others = &from->others;
  from->center = ALLOC(p + 1, double);
  from->scale = ALLOC(p + 1, double);
  from->e = ALLOC(p, double);
  from->moments.center = from->center;
  from->moments.scale = from->scale;
  from->rows.scale = others->scale = from->scale;
  if (from->y.rows == 0) return STATUS_OK;
  const status state =
      tgreedy_scales(&from->d, &from->rows.g, s->intercept, s->standardize, from->scale, bad);
  memcpy(from->center, from->d.center, p * sizeof(double));
  if (state != STATUS_OK) return state;
  others->center = from->d.center;
  others->one = design_buffer(others->d);
  others->other = design_buffer(others->d);
  for (size_t j = 0; j < p; j++) from->e[j] = 1;
  if (others->d == &from->d && s->standardize) return STATUS_OK;
  tgreedy_squares(others, from->e);
  for (size_t j = 0; j < p; j++)
    if (!isfinite(from->e[j])) return STATUS_NOT_FINITE;
  return STATUS_OK;
}

/* The data of the path of response r; *y_mean <- the centre of the response. */
static tgreedy_data data_of(fit_data *from, size_t r, const settings *s, double *y_mean)
{
  if (from->y.rows > 0)
    return tgreedy_from_rows(&from->rows, from->y.x + r * from->y.rows, s->intercept, s->classes,
                             from->e, y_mean);
  const tgreedy_data data =
      tgreedy_from_moments(&from->moments, s->intercept, s->standardize, from->e);
  *y_mean = from->center[from->p];
  return data;
}

/* data: list(features), see entry_features(). y: n x R. domain: codes 1..K. unlabelled: NULL, or for read_all_rows().
 * Or, with NULL for y, `data` are the moments of the domains: a list of lists with `weight`, `mean` and `cross`, the
 * response behind the features. list: made by tgreedy_settings() in R. Returns list(status, bad, paths, center, scale),
 * one path for each response. */
SEXP transelect_tgreedy(SEXP data, SEXP y, SEXP domain, SEXP weights, SEXP unlabelled, SEXP list)
{
  fit_data from = {0};
  if (y != R_NilValue) {
    from.y = entry_matrix(y, 1, 0, "y");
    read_rows(data, domain, weights, unlabelled, &from);
  } else
    read_cells(data, &from);
  settings s = read_settings(list, from.p);
  s.classes = s.classes && from.y.rows > 0;
  const char *parts[] = {"status", "bad", "paths", "center", "scale", ""};
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, parts));
  size_t bad = 0;
  status state = standardise(&from, &s, &bad);
  from.rows.threads = s.path.threads;
  SEXP paths = SET_VECTOR_ELT(out, 2, Rf_allocVector(VECSXP, (R_xlen_t)from.y.columns));
  for (size_t r = 0; r < from.y.columns && state == STATUS_OK; r++) {
    double y_mean;
    SEXP result = SET_VECTOR_ELT(paths, (R_xlen_t)r, Rf_mkNamed(VECSXP, (const char **)names));
    const void *mark = vmaxget();
    tgreedy_path path = path_new(&s.path, from.K);
    tgreedy_data of = data_of(&from, r, &s, &y_mean);
    state = tgreedy_run(&of, &s.path, &path);
    if (state == STATUS_OK) fill(result, &path, from.K, s.classes, y_mean);
    vmaxset(mark);
  }
  entry_put(out, 3, from.center, from.p);
  entry_put(out, 4, from.scale, from.p);
  entry_put_status(out, state, bad);
  UNPROTECT(1);
  return out;
}
