/* tgreedy_entry.c - from R to tgreedy.c and back. */
#include "routines.h"

#include <math.h>
#include <stdlib.h>
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

static int descending(const void *a, const void *b)
{
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x < y) - (x > y);
}

/* The most columns that `units` groups can have. */
static int most_columns(const column_groups *groups, int units)
{
  if (!groups) return units;
  size_t *size = ALLOC(groups->n, size_t), most = 0;
  for (size_t g = 0; g < groups->n; g++) size[g] = groups->start[g + 1] - groups->start[g];
  qsort(size, groups->n, sizeof(size_t), descending);
  for (size_t g = 0; g < groups->n && (int)g < units; g++) most += size[g];
  return (int)most;
}

static settings read_settings(SEXP options, size_t p)
{
  settings s = {0};
  tgreedy_options *o = &s.path;
  s.intercept = entry_option_flag(options, "intercept");
  s.standardize = entry_option_flag(options, "standardize");
  s.classes = entry_option_flag(options, "classes");
  o->rule = (enum tgreedy_rule)entry_option_word(options, "rule", rules);
  const int stop = entry_option_word(options, "stop", stops);
  o->stop = stops[stop + 1] ? (enum tgreedy_stop)stop : STOP_NONE;
  o->is_signed = entry_option_flag(options, "signed");
  o->repeats = entry_option_flag(options, "repeats");
  o->refit = entry_option_flag(options, "refit");
  o->nu = entry_option(options, "nu", 0, 2);
  o->alpha = entry_option(options, "alpha", 0, 1);
  o->delta = entry_option(options, "delta", 0, 1);
  o->max_units = (int)entry_option(options, "max_steps", 0, (double)p);
  o->groups = entry_groups(entry_field(options, "groups", "options"), p);
  if (o->groups && (o->is_signed || o->stop == STOP_THEOREM1))
    Rf_error("'signed' and \"theorem1\" are of single columns");
  o->max_features = most_columns(o->groups, o->max_units);
  o->max_picks = (int)entry_option(options, "max_picks", 0, 1e6);
  o->threads = entry_threads(options);
  if (o->max_units == 0) o->max_picks = 0;
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
  const size_t m = (size_t)o->max_picks;
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

/* The weights of all steps, one step after the other, of each as many as it has features. */
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

static SEXP new_result(size_t p)
{
  const char *parts[] = {"status", "bad", "paths", "center", "scale", ""};
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, parts));
  entry_numbers(out, 3, p);
  entry_numbers(out, 4, p);
  UNPROTECT(1);
  return out;
}

static SEXP finish(SEXP out, status s, size_t bad, const double *center)
{
  SEXP kept = VECTOR_ELT(out, 3);
  for (R_xlen_t j = 0; j < XLENGTH(kept); j++) REAL(kept)[j] = center ? center[j] : 0;
  entry_put_status(out, s, bad);
  return out;
}

/* unlabelled: list(blocks, domain, weights) of all rows, labelled or not. */
static void read_all_rows(SEXP unlabelled, size_t p, design *all, domains *h)
{
  if (TYPEOF(unlabelled) != VECSXP || XLENGTH(unlabelled) != 3)
    Rf_error("'unlabelled' must be a list of three");
  SEXP codes = VECTOR_ELT(unlabelled, 1), weights = VECTOR_ELT(unlabelled, 2);
  const size_t n = (size_t)XLENGTH(codes);
  if (n < 1) Rf_error("'unlabelled' has no rows");
  size_t K;
  const int *of = entry_codes(codes, n, &K, "unlabelled");
  *all = entry_features(VECTOR_ELT(unlabelled, 0), n);
  if (all->N != p) Rf_error("'unlabelled' has %.0f columns, not %.0f", (double)all->N, (double)p);
  *h = domains_new(of, (int)K, entry_weights(weights, (R_xlen_t)n, "unlabelled"), n);
}

/* e, from the rows of `others`; 1 for standardised columns without unlabelled rows. */
static status squares(tgreedy_others *others, int unlabelled, int standardize, double *e)
{
  const size_t p = others->d->N;
  others->one = design_buffer(others->d);
  others->other = design_buffer(others->d);
  for (size_t j = 0; j < p; j++) e[j] = 1;
  if (!unlabelled && standardize) return STATUS_OK;
  tgreedy_squares(others, e);
  for (size_t j = 0; j < p; j++)
    if (!isfinite(e[j])) return STATUS_NOT_FINITE;
  return STATUS_OK;
}

/* blocks: list(features), see args_entry.h. y: n x R. domain: codes 1..K. Returns list(status, bad,
 * paths, center, scale): one path a response. */
SEXP transelect_tgreedy(SEXP blocks, SEXP y, SEXP domain, SEXP weights, SEXP unlabelled,
                        SEXP options)
{
  const matrix responses = entry_matrix(y, 1, 0, "y");
  const size_t n = responses.rows;
  size_t K;
  const int *of = entry_codes(domain, n, &K, "domain");
  design d = entry_features(blocks, n);
  const settings s = read_settings(options, d.N);
  SEXP out = PROTECT(new_result(d.N));
  double *scale = REAL(VECTOR_ELT(out, 4)), *e = ALLOC(d.N, double);
  memset(scale, 0, d.N * sizeof(double));
  tgreedy_rows rows = {.d = &d, .scale = scale, .threads = s.path.threads};
  rows.g = domains_new(of, (int)K, entry_weights(weights, (R_xlen_t)n, "weights"), n);
  const int more = unlabelled != R_NilValue;
  design all;
  tgreedy_others others = {.d = &d, .g = rows.g, .scale = scale};
  if (more) {
    read_all_rows(unlabelled, d.N, &all, &others.g);
    others.d = &all;
  }
  rows.others = &others;
  size_t bad = 0;
  status state = tgreedy_scales(&d, &rows.g, s.intercept, s.standardize, scale, &bad);
  others.center = d.center;
  if (state == STATUS_OK) state = squares(&others, more, s.standardize, e);
  SEXP paths = SET_VECTOR_ELT(out, 2, Rf_allocVector(VECSXP, (R_xlen_t)responses.columns));
  for (size_t r = 0; r < responses.columns && state == STATUS_OK; r++) {
    double y_mean;
    SEXP result = SET_VECTOR_ELT(paths, (R_xlen_t)r, Rf_mkNamed(VECSXP, (const char **)names));
    const void *mark = vmaxget();
    tgreedy_path path = path_new(&s.path, (int)K);
    tgreedy_data data =
        tgreedy_from_rows(&rows, responses.x + r * n, s.intercept, s.classes, e, &y_mean);
    state = tgreedy_run(&data, &s.path, &path);
    if (state == STATUS_OK) fill(result, &path, (int)K, s.classes, y_mean);
    vmaxset(mark);
  }
  finish(out, state, bad, d.center);
  UNPROTECT(1);
  return out;
}

/* mean: variables (features, then the response) x domains. cross: list of the domains' centred
 * cross products divided by their rows. Returns as above, with one path. */
SEXP transelect_tgreedy_moments(SEXP mean, SEXP cross, SEXP options)
{
  const matrix means = entry_matrix(mean, 1, 1, "mean");
  const R_xlen_t v = (R_xlen_t)means.rows;
  const int K = (int)means.columns;
  tgreedy_moments m = {.p = means.rows - 1, .K = K, .mean = means.x};
  if (TYPEOF(cross) != VECSXP || XLENGTH(cross) != K)
    Rf_error("'cross' must be a list with one matrix a domain");
  m.cross = ALLOC(K, const double *);
  for (int k = 0; k < K; k++) m.cross[k] = entry_doubles(VECTOR_ELT(cross, k), v * v, "cross");
  m.center = ALLOC(v, double);
  m.scale = ALLOC(v, double);
  settings s = read_settings(options, m.p);
  s.classes = 0;
  double *e = ALLOC(m.p, double);
  tgreedy_data data = tgreedy_from_moments(&m, s.intercept, s.standardize, e);
  SEXP out = PROTECT(new_result(m.p));
  SEXP paths = SET_VECTOR_ELT(out, 2, Rf_allocVector(VECSXP, 1));
  SEXP result = SET_VECTOR_ELT(paths, 0, Rf_mkNamed(VECSXP, (const char **)names));
  tgreedy_path path = path_new(&s.path, K);
  const status state = tgreedy_run(&data, &s.path, &path);
  if (state == STATUS_OK) fill(result, &path, K, 0, m.center[m.p]);
  if (m.p) memcpy(REAL(VECTOR_ELT(out, 4)), m.scale, m.p * sizeof(double));
  finish(out, state, 0, m.center);
  UNPROTECT(1);
  return out;
}
