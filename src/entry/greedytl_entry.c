/* greedytl_entry.c - from R to greedy.c and back. */
#include "routines.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "args_entry.h"
#include "evidence.h"
#include "greedy.h"
#include "greedy_average.h"
#include "greedy_gram.h"
#include "greedy_problem.h"
#include "kernels.h"

/* The options of a path, from rows or from moments. */
static greedy_options read_common(SEXP options, size_t N)
{
  greedy_options o = {0};
  o.intercept = entry_option_flag(options, "intercept");
  o.standardize = entry_option_flag(options, "standardize");
  o.per_column = entry_option_flag(options, "per_column");
  o.divisor = entry_option(options, "divisor", 1, HUGE_VAL);
  o.max_steps = (int)entry_option(options, "max_steps", 0, (double)N);
  o.average = entry_option_flag(options, "average");
  o.one_ridge = entry_option_flag(options, "one_ridge");
  o.tol = entry_option(options, "tol", 0, HUGE_VAL);
  o.max_groups = (int)entry_option(options, "max_groups", 0, (double)N);
  o.keep = entry_keep(entry_field(options, "keep", "options"), N, o.max_steps, &o.n_keep);
  o.groups = entry_groups(entry_field(options, "groups", "options"), N);
  return o;
}

static greedy_options read_options(SEXP options, const design *d)
{
  greedy_options o = read_common(options, d->N);
  o.common_scale = entry_option_flag(options, "common_scale");
  o.positive = entry_option_flag(options, "positive");
  o.scores = entry_option_flag(options, "scores");
  o.balanced = entry_option_flag(options, "balanced");
  o.candidates = (int)entry_option(options, "candidates", 0, INT_MAX);
  o.threads = entry_threads(options);
  if (o.candidates && o.groups) Rf_error("'candidates' are single columns");
  if (o.candidates)
    o.draws =
        entry_draws(entry_field(options, "draws", "options"), (R_xlen_t)o.candidates * o.max_steps);
  else
    for (int k = 0; k < d->n_blocks; k++)
      if (block_is_lazy(&d->block[k])) Rf_error("lazy columns need 'candidates'");
  return o;
}

/* The elements of a path's result, and their places. */
#define RESULTS(name)                                                                              \
  name(entered), name(gain), name(center), name(scale), name(objective), name(rss), name(df),      \
      name(loo), name(accuracy), name(a0), name(row), name(coef), name(residual), name(pairs),     \
      name(mean_row), name(mean_coef), name(mean_center), name(mean_scale), name(mean_a0),         \
      name(mean_df), name(mean_rss), name(mean_loo), name(mean_accuracy), name(ends)
enum { RESULTS(PLACE) };
static const char *const names[] = {RESULTS(TEXT), ""};

/* One response, or one fixed ridge of it: its ridges, and the paths of its problems one after
 * another, in the order of its ridges. */
typedef struct {
  evidence_result ridges;
  greedy_problem *problem;
} fit;

/* Allocates the outputs of a path of up to m steps. */
static void make_room(greedy_problem *b, size_t n, int m)
{
  double **steps[] = {&b->objective, &b->rss, &b->df, &b->loo, &b->accuracy};
  double **columns[] = {&b->gain, &b->center, &b->scale};
  for (int k = 0; k < 5; k++) *steps[k] = ALLOC(m + 1, double);
  for (int k = 0; k < 3; k++) *columns[k] = ALLOC(m, double);
  b->entered = ALLOC(m, int);
  b->ends = ALLOC(m + 1, int);
  if (n > 0) b->residual = ALLOC(n, double);
}

static void fixed_ridge(const double *tau, int n, evidence_result *e)
{
  e->n_pairs = 1;
  e->pair[0] = (ridge_pair){{tau[0], n > 1 ? tau[1] : NA_REAL}, NA_REAL, 1};
  for (int k = 0; k < n; k++)
    if (!(tau[k] >= 0)) Rf_error("'tau' must not be negative");
}

static void set_tau(greedy_problem *b, const ridge_pair *pair)
{
  for (int k = 0; k < 2; k++) b->tau[k] = ISNAN(pair->alpha[k]) ? 0 : pair->alpha[k];
}

static double *pair_weights(const evidence_result *e)
{
  double *weight = ALLOC(e->n_pairs, double);
  for (int k = 0; k < e->n_pairs; k++) weight[k] = e->pair[k].weight;
  return weight;
}

/* The path of the first pair: the heaviest of the likelier side. */
static void fill_path(SEXP result, const greedy_problem *b)
{
  const size_t k = (size_t)b->n_steps;
  entry_put_ints(result, AT_entered, b->entered, k, 1);
  entry_put_ints(result, AT_ends, b->ends, (size_t)b->n_ends, 0);
  entry_put(result, AT_gain, b->gain, k);
  entry_put(result, AT_center, b->center, k);
  entry_put(result, AT_scale, b->scale, k);
  entry_put(result, AT_objective, b->objective, k + 1);
  entry_put(result, AT_rss, b->rss, k + 1);
  entry_put(result, AT_df, b->df, k + 1);
  entry_put(result, AT_loo, b->loo, k + 1);
  entry_put(result, AT_accuracy, b->accuracy, k + 1);
  double *a0 = entry_numbers(result, AT_a0, k + 1);
  int *row = entry_ints(result, AT_row, k * (k + 1) / 2);
  greedy_coefficients(b, row, entry_numbers(result, AT_coef, k * (k + 1) / 2), a0);
}

/* Of every pair: alphas, taus, criterion, weight. */
static void fill_pairs(SEXP result, const fit *f)
{
  double *to = entry_numbers(result, AT_pairs, 6 * (size_t)f->ridges.n_pairs);
  for (int k = 0; k < f->ridges.n_pairs; k++, to += 6) {
    const ridge_pair *pair = &f->ridges.pair[k];
    const double row[] = {pair->alpha[0],       pair->alpha[1],  f->problem[k].tau[0],
                          f->problem[k].tau[1], pair->criterion, pair->weight};
    memcpy(to, row, sizeof row);
  }
}

/* Leave-one-out of the mean of the paths, and of the mean of those without sources (NA if there are none). */
static void fill_loo(SEXP result, const fit *f, const double *weight, size_t n,
                     const greedy_options *o)
{
  const int m = f->ridges.n_pairs;
  double *without = ALLOC(m, double), sum = 0, *to[2];
  to[0] = entry_numbers(result, AT_mean_loo, 2);
  to[1] = entry_numbers(result, AT_mean_accuracy, 2);
  const left_out own = greedy_mean_loo(f->problem, weight, m, n, o);
  left_out none = {NA_REAL, NA_REAL};
  int last = -1;
  for (int k = 0; k < m; k++)
    if (isinf(f->ridges.pair[k].alpha[1])) {
      sum += without[k] = weight[k];
      last = k;
    }
  if (last >= 0 && !(sum > 0)) sum = without[last] = 1;
  for (int k = 0; k < m; k++) without[k] /= sum > 0 ? sum : 1;
  if (sum > 0) none = greedy_mean_loo(f->problem, without, m, n, o);
  to[0][0] = own.loo;
  to[0][1] = none.loo;
  to[1][0] = own.accuracy;
  to[1][1] = none.accuracy;
}

/* The default model: the mean over steps and ridges. n: rows, 0 with moments. */
static void fill_mean(SEXP result, const fit *f, size_t n, const greedy_options *o)
{
  const double *weight = pair_weights(&f->ridges);
  greedy_mean mean;
  greedy_mean_model(f->problem, weight, f->ridges.n_pairs, &mean);
  entry_put_ints(result, AT_mean_row, mean.column, mean.n, 0);
  entry_put(result, AT_mean_coef, mean.coef, mean.n);
  entry_put(result, AT_mean_center, mean.center, mean.n);
  entry_put(result, AT_mean_scale, mean.scale, mean.n);
  entry_put(result, AT_mean_a0, &mean.a0, 1);
  entry_put(result, AT_mean_df, &mean.df, 1);
  if (n > 0) fill_loo(result, f, weight, n, o);
}

static void fill(SEXP result, const fit *f, size_t n, const greedy_options *o)
{
  fill_path(result, f->problem);
  fill_pairs(result, f);
  if (o->average) fill_mean(result, f, n, o);
  if (n == 0) return;
  double *residual = entry_numbers(result, AT_residual, n);
  memset(residual, 0, n * sizeof(double));
  for (int k = 0; k < f->ridges.n_pairs; k++)
    if (f->ridges.pair[k].weight > 0)
      kernels->axpy(f->ridges.pair[k].weight, f->problem[k].residual, n, residual);
  entry_numbers(result, AT_mean_rss, 1)[0] = kernels->spread(residual, 0, f->problem->v, n);
}

/* The ridges of one fit to the response of `own`, own->tau or, where that is NAN, those by the evidence, and a problem
 * for each. known: the Gram matrix of the rows, or NULL. */
static status find_ridges(design *d, const greedy_problem *own, const gram *known,
                          const greedy_options *o, fit *f, size_t *bad)
{
  evidence_result *e = &f->ridges;
  status s = STATUS_OK;
  const int by_evidence = ISNAN(own->tau[0]) || ISNAN(own->tau[1]);
  if (by_evidence && o->candidates) Rf_error("'tau' must be given with 'candidates'");
  if (by_evidence && known)
    s = evidence_gram(known, o, e);
  else if (by_evidence) {
    e->mean = ALLOC(d->N, double);
    e->ss = ALLOC(d->N, double);
    if (evidence_has_gram(d)) {
      e->G = ALLOC(d->N * d->N, double);
      e->b = ALLOC(d->N, double);
    }
    const void *mark = vmaxget();
    s = evidence(d, own, o, e, bad);
    vmaxset(mark);
  } else
    fixed_ridge(own->tau, 2, e);
  if (known) e->gram = *known;
  f->problem = ALLOC(e->n_pairs, greedy_problem);
  for (int k = 0; k < e->n_pairs; k++) {
    f->problem[k] = *own;
    set_tau(&f->problem[k], &e->pair[k]);
    make_room(&f->problem[k], d->n, o->max_steps);
  }
  return s;
}

/* The paths of one fit from the Gram matrix that was given, or was made for the evidence. */
static status path_by_gram(const design *d, fit *f, const greedy_options *o, size_t *bad)
{
  for (int k = 0; k < f->ridges.n_pairs; k++) {
    greedy_problem *b = &f->problem[k];
    status s = greedy_gram_path(&f->ridges.gram, b, o, bad);
    if (s == STATUS_OK) s = problem_rows(d, b, o);
    if (s != STATUS_OK) return s;
  }
  return STATUS_OK;
}

/* blocks: see args_entry.h. wanted: list(y, v, response, tau, moments): responses (n x R); their weights (n x
 * R, each column sums to n) or NULL; for each path the response it fits (1..R) and its two ridges (2 x
 * paths), NA: from the evidence; NULL or what entry_gram() takes, of dense features and one response.
 * options: named list, `draws` the uniforms of a randomised path.
 * Returns list(status, bad, paths): bad is the number of the column or path that was refused. */
SEXP transelect_greedytl(SEXP blocks, SEXP wanted, SEXP options)
{
  SEXP y = entry_field(wanted, "y", "wanted"), response = entry_field(wanted, "response", "wanted");
  SEXP moments = entry_field(wanted, "moments", "wanted");
  const matrix responses = entry_matrix(y, 1, 0, "y");
  const size_t n = responses.rows;
  const double *weights = entry_weights(entry_field(wanted, "v", "wanted"), XLENGTH(y), "v");
  if (TYPEOF(response) != INTSXP || XLENGTH(response) < 1)
    Rf_error("'response' must be of type integer and not empty");
  const int n_fits = (int)XLENGTH(response);
  const double *ridge =
      entry_doubles(entry_field(wanted, "tau", "wanted"), 2 * (R_xlen_t)n_fits, "tau");
  design d = entry_design(blocks, n);
  const greedy_options o = read_options(options, &d);
  gram known = {0};
  if (moments != R_NilValue) {
    known = entry_gram(moments);
    if (known.N != d.N || known.n != (double)n || d.n_blocks > 1 || design_buffer(&d) ||
        responses.columns > 1 || o.candidates)
      Rf_error("'moments' are not those of dense features and one response");
  }

  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char *[]){"status", "bad", "paths", ""}));
  SEXP paths = SET_VECTOR_ELT(out, 2, Rf_allocVector(VECSXP, n_fits));
  fit *fits = ALLOC(n_fits, fit);
  status s = STATUS_OK;
  size_t bad = 0;
  int n_problems = 0;
  for (int f = 0; f < n_fits && s == STATUS_OK; f++) {
    const int number = INTEGER(response)[f];
    if (number < 1 || (size_t)number > responses.columns) Rf_error("'response' is out of range");
    const size_t at = (size_t)number - 1;
    const greedy_problem own = {.y = responses.x + at * n,
                                .v = weights ? weights + at * n : NULL,
                                .tau = {ridge[2 * f], ridge[2 * f + 1]}};
    s = find_ridges(&d, &own, known.G ? &known : NULL, &o, &fits[f], &bad);
    if (s == STATUS_OK && fits[f].ridges.gram.G) s = path_by_gram(&d, &fits[f], &o, &bad);
    if (!fits[f].ridges.gram.G) n_problems += fits[f].ridges.n_pairs;
  }
  greedy_problem *problems = ALLOC(n_problems, greedy_problem), *next = problems;
  for (int f = 0; f < n_fits && s == STATUS_OK; f++) {
    const evidence_result *e = &fits[f].ridges;
    if (e->gram.G) continue;
    for (int k = 0; k < e->n_pairs; k++) {
      next[k] = fits[f].problem[k];
      if (!e->ss) continue;
      next[k].known = 1;
      next[k].D = k ? memcpy(ALLOC(d.N, double), e->ss, d.N * sizeof(double)) : e->ss;
    }
    if (o.intercept && e->mean && !d.center) d.center = e->mean;
    fits[f].problem = next;
    next += e->n_pairs;
  }
  if (s == STATUS_OK && n_problems) s = greedy_path(&d, problems, n_problems, &o, &bad);
  for (int f = 0; f < n_fits && s == STATUS_OK; f++) {
    SEXP result = SET_VECTOR_ELT(paths, f, Rf_mkNamed(VECSXP, (const char **)names));
    fill(result, &fits[f], n, &o);
  }
  entry_put_status(out, s, bad);
  UNPROTECT(1);
  return out;
}

/* moments: see entry_gram(); tau: for each path one ridge, NA: from the evidence. Returns as above. */
SEXP transelect_greedytl_moments(SEXP moments, SEXP tau, SEXP options)
{
  const gram g = entry_gram(moments);
  const R_xlen_t paths = XLENGTH(tau);
  const double *ridge = entry_doubles(tau, paths, "tau");
  const greedy_options o = read_common(options, g.N);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char *[]){"status", "bad", "paths", ""}));
  SEXP results = SET_VECTOR_ELT(out, 2, Rf_allocVector(VECSXP, paths));
  status s = STATUS_OK;
  size_t bad = 0;
  for (R_xlen_t k = 0; k < paths && s == STATUS_OK; k++) {
    fit f = {0};
    if (ISNAN(ridge[k]))
      s = evidence_gram(&g, &o, &f.ridges);
    else
      fixed_ridge(ridge + k, 1, &f.ridges);
    if (s != STATUS_OK) break;
    f.problem = ALLOC(f.ridges.n_pairs, greedy_problem);
    for (int l = 0; l < f.ridges.n_pairs && s == STATUS_OK; l++) {
      set_tau(&f.problem[l], &f.ridges.pair[l]);
      make_room(&f.problem[l], 0, o.max_steps);
      s = greedy_gram_path(&g, &f.problem[l], &o, &bad);
    }
    if (s != STATUS_OK) break;
    fill(SET_VECTOR_ELT(results, k, Rf_mkNamed(VECSXP, (const char **)names)), &f, 0, &o);
  }
  entry_put_status(out, s, bad);
  UNPROTECT(1);
  return out;
}
