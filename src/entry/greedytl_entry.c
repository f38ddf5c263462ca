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
#include "laplace.h"

/* Is the element of the settings the second of two words? */
static int second_of(SEXP settings, const char *field, const char *first, const char *second)
{
  return entry_option_word(settings, field, (const char *const[]){first, second, NULL});
}

typedef struct {
  greedy_options path;
  matrix tau; /* two ridges for each path of a response; NA: found by the evidence */
} settings;

/* list: made by greedytl_settings() in R. n: number of rows, or of the rows that moments were made of. */
static settings read_settings(SEXP list, SEXP draws, const design *d, double n)
{
  entry_class(list, "greedytl_settings");
  settings s = {.tau = entry_matrix(entry_field(list, "tau", "settings"), 2, 1, "tau")};
  SEXP lambda = entry_field(list, "lambda", "settings");
  if (s.tau.rows != 2) Rf_error("'tau' must have two rows");
  greedy_options *o = &s.path;
  o->per_column = ISNAN(entry_doubles(lambda, (R_xlen_t)s.tau.columns, "lambda")[0]);
  o->average = second_of(list, "rule", "paper", "transfer");
  o->intercept = entry_option_flag(list, "intercept");
  o->standardize = entry_option_flag(list, "standardize");
  o->divisor = o->average ? n : fmax(n - 1, 1);
  o->common_scale = second_of(list, "source_scale", "each", "common");
  o->positive = second_of(list, "source_sign", "any", "positive");
  o->one_ridge = !entry_option_flag(list, "average");
  o->scores = entry_option_flag(list, "classes");
  o->balanced = second_of(list, "class_weights", "none", "balanced") && o->scores;
  o->held = entry_option_flag(list, "held");
  o->tol = entry_option(list, "tol", 0, HUGE_VAL);
  o->groups = entry_groups(entry_field(list, "groups", "settings"), d->N);
  o->max_groups = (int)entry_option(list, "max_steps", 0, (double)d->N);
  o->max_steps = entry_most_columns(o->groups, o->max_groups);
  o->keep = entry_keep(entry_field(list, "keep", "settings"), d->N, o->max_steps, &o->n_keep);
  o->candidates = (int)entry_option(list, "candidates", 0, INT_MAX);
  o->threads = entry_threads(list);
  if (o->candidates && o->groups) Rf_error("'candidates' are single columns");
  if (o->candidates)
    o->draws = entry_draws(draws, (R_xlen_t)o->candidates * o->max_steps);
  else
    for (int k = 0; k < d->n_blocks; k++)
      if (block_is_lazy(&d->block[k])) Rf_error("lazy columns need 'candidates'");
  return s;
}

/* The elements of a path's result, and their places. */
#define RESULTS(name)                                                                              \
  name(entered), name(gain), name(center), name(scale), name(objective), name(rss), name(df),      \
      name(loo), name(accuracy), name(a0), name(row), name(coef), name(residual), name(pairs),     \
      name(mean_row), name(mean_coef), name(mean_center), name(mean_scale), name(mean_a0),         \
      name(mean_df), name(mean_rss), name(mean_loo), name(mean_accuracy), name(ends), name(held),  \
      name(mean_held)
enum { RESULTS(PLACE) };
static const char *const names[] = {RESULTS(TEXT), ""};

/* The fit to one response: its pairs of ridges, or the one pair that was given, and a problem for each pair in the same
 * order. */
typedef struct {
  evidence_result ridges;
  source_columns columns;
  greedy_problem *problem;
} fit;

/* Allocates the outputs of `count` paths of up to m steps. All at once: for few rows an allocation takes as long as a
 * path. */
static void make_room(greedy_problem *b, int count, size_t n, int m)
{
  const size_t steps = (size_t)m + 1, paths = (size_t)count;
  double *to = ALLOC(8 * steps * paths, double), *residual = ALLOC(n * paths, double);
  int *of_steps = ALLOC(2 * steps * paths, int);
  for (size_t path = 0; path < paths; path++, b++) {
    double **parts[] = {&b->objective, &b->rss,  &b->df,     &b->loo,
                        &b->accuracy,  &b->gain, &b->center, &b->scale};
    for (int k = 0; k < 8; k++, to += steps) *parts[k] = to;
    b->entered = of_steps + 2 * path * steps;
    b->ends = b->entered + steps;
    if (n > 0) b->residual = residual + path * n;
  }
}

static void fixed_ridge(const double *tau, int both, evidence_result *e)
{
  e->n_pairs = 1;
  e->pair[0] = (ridge_pair){{tau[0], both ? tau[1] : NA_REAL}, 0, NA_REAL, 1};
  if (!(tau[0] >= 0 && tau[1] >= 0)) Rf_error("'tau' must not be negative");
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

/* Fills in the path of the first pair of ridges; for their order see evidence_result.n_pairs. */
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

/* Seven numbers of every pair: two alphas, two taus, whether its path starts from the sources' mean, criterion and
 * weight. */
static void fill_pairs(SEXP result, const fit *f)
{
  double *to = entry_numbers(result, AT_pairs, 7 * (size_t)f->ridges.n_pairs);
  for (int k = 0; k < f->ridges.n_pairs; k++, to += 7) {
    const ridge_pair *pair = &f->ridges.pair[k];
    const double row[] = {pair->alpha[0],       pair->alpha[1], f->problem[k].tau[0],
                          f->problem[k].tau[1], pair->centre,   pair->criterion,
                          pair->weight};
    memcpy(to, row, sizeof row);
  }
}

/* Leave-one-out error and accuracy of the mean of the paths, and of the mean of the paths without sources (NA if there
 * are none). */
static void fill_loo(SEXP result, const fit *f, const double *weight, size_t n,
                     const greedy_options *o)
{
  const int m = f->ridges.n_pairs;
  double *without = ALLOC(m, double), sum = 0, *to[2];
  to[0] = entry_numbers(result, AT_mean_loo, 2);
  to[1] = entry_numbers(result, AT_mean_accuracy, 2);
  double *held = o->held ? entry_numbers(result, AT_mean_held, n) : NULL;
  const left_out own = greedy_mean_loo(f->problem, weight, m, n, o, held);
  left_out none = {NA_REAL, NA_REAL};
  int last = -1;
  for (int k = 0; k < m; k++)
    if (isinf(f->ridges.pair[k].alpha[1]) && !f->ridges.pair[k].centre) {
      sum += without[k] = weight[k];
      last = k;
    }
  if (last >= 0 && !(sum > 0)) sum = without[last] = 1;
  for (int k = 0; k < m; k++) without[k] /= sum > 0 ? sum : 1;
  if (sum > 0) none = greedy_mean_loo(f->problem, without, m, n, o, NULL);
  to[0][0] = own.loo;
  to[0][1] = none.loo;
  to[1][0] = own.accuracy;
  to[1][1] = none.accuracy;
}

/* The sum of squared residuals of a model, from the Gram matrix. */
static double rss_from_gram(const gram *g, const greedy_mean *model)
{
  double rss = *g->yy;
  for (size_t i = 0; i < model->n; i++) {
    const double *column = g->G + (size_t)model->column[i] * g->N;
    double sum = -2 * g->b[model->column[i]];
    for (size_t k = 0; k < model->n; k++) sum += column[model->column[k]] * model->coef[k];
    rss += model->coef[i] * sum;
  }
  return rss;
}

/* Fills in the default model, the mean over steps and ridges. n: number of rows, 0 with moments. */
static void fill_mean(SEXP result, const fit *f, size_t n, const greedy_options *o)
{
  const double *weight = pair_weights(&f->ridges);
  greedy_mean mean;
  greedy_mean_model(f->problem, weight, f->ridges.n_pairs, &f->columns, o, &mean);
  entry_put_ints(result, AT_mean_row, mean.column, mean.n, 0);
  entry_put(result, AT_mean_coef, mean.coef, mean.n);
  entry_put(result, AT_mean_center, mean.center, mean.n);
  entry_put(result, AT_mean_scale, mean.scale, mean.n);
  entry_put(result, AT_mean_a0, &mean.a0, 1);
  entry_put(result, AT_mean_df, &mean.df, 1);
  if (n > 0)
    fill_loo(result, f, weight, n, o);
  else
    entry_numbers(result, AT_mean_rss, 1)[0] = rss_from_gram(&f->ridges.gram, &mean);
}

static void fill(SEXP result, const fit *f, size_t n, const greedy_options *o)
{
  fill_path(result, f->problem);
  fill_pairs(result, f);
  if (f->problem->held)
    entry_put(result, AT_held, f->problem->held, n * (size_t)f->problem->n_ends);
  if (o->average) fill_mean(result, f, n, o);
  if (n == 0) return;
  double *residual = entry_numbers(result, AT_residual, n);
  memset(residual, 0, n * sizeof(double));
  for (int k = 0; k < f->ridges.n_pairs; k++)
    if (f->ridges.pair[k].weight > 0)
      kernels->axpy(f->ridges.pair[k].weight, f->problem[k].residual, n, residual);
  entry_numbers(result, AT_mean_rss, 1)[0] = kernels->spread(residual, 0, f->problem->v, n);
}

/* The sources' mean (n numbers), from which paths of some pairs start; NULL if no pair has such a path. */
static const double *sources_mean(const design *d, const fit *f)
{
  int wanted = 0;
  for (int k = 0; k < f->ridges.n_pairs; k++) wanted |= f->ridges.pair[k].centre;
  if (!wanted) return NULL;
  const source_columns *of = &f->columns;
  double *shift = ALLOC(d->n, double), *buffer = design_buffer(d);
  for (size_t j = of->p; j < of->N; j++) {
    const double share = f->ridges.share[j - of->p], *x = design_column(d, j, buffer);
    if (share > 0)
      for (size_t i = 0; i < d->n; i++) shift[i] += share * (x[i] - of->mean[j]);
  }
  return shift;
}

/* Finds the ridges of the fit to the response of `own`, which are own->tau or, where that is NAN, those by the
 * evidence, and makes a problem for each. known: the Gram matrix of the rows, or NULL. */
static status find_ridges(design *d, const greedy_problem *own, const gram *known,
                          const greedy_options *o, fit *f, size_t *bad)
{
  evidence_result *e = &f->ridges;
  status s = STATUS_OK;
  const int by_evidence = ISNAN(own->tau[0]) || ISNAN(own->tau[1]);
  const size_t p = d->block[0].p;
  if (by_evidence) e->share = ALLOC(d->N - p, double);
  if (by_evidence && o->candidates) Rf_error("'tau' must be given with 'candidates'");
  if (by_evidence && known) {
    s = evidence_gram(known, o, e);
    double *ss = ALLOC(d->N, double);
    for (size_t j = 0; j < d->N; j++) ss[j] = known->G[j + j * d->N];
    f->columns = (source_columns){p, d->N, known->mean, ss};
  } else if (by_evidence) {
    e->mean = ALLOC(d->N, double);
    e->ss = ALLOC(d->N, double);
    if (evidence_has_gram(d)) {
      e->G = ALLOC(d->N * d->N, double);
      e->b = ALLOC(d->N, double);
      e->y = ALLOC(2, double);
    }
    const void *mark = vmaxget();
    s = evidence(d, own, o, e, bad);
    vmaxset(mark);
    /* a copy: the path overwrites e->ss */
    double *ss = d->N > p ? memcpy(ALLOC(d->N, double), e->ss, d->N * sizeof(double)) : NULL;
    f->columns = (source_columns){p, d->N, e->mean, ss};
  } else
    fixed_ridge(own->tau, d->n > 0 || d->n_blocks > 1, e);
  if (known) e->gram = *known;
  f->problem = ALLOC(e->n_pairs, greedy_problem);
  const double *shift = s == STATUS_OK ? sources_mean(d, f) : NULL;
  for (int k = 0; k < e->n_pairs; k++) {
    f->problem[k] = *own;
    set_tau(&f->problem[k], &e->pair[k]);
    if (by_evidence) {
      f->problem[k].scaled = 1;
      f->problem[k].scales = e->scales;
      memcpy(f->problem[k].count, e->count, sizeof e->count);
    }
    if (e->pair[k].centre) {
      f->problem[k].shift = shift;
      f->problem[k].share = e->share;
    }
    if (o->held && k == 0) f->problem[k].held = ALLOC(d->n * (size_t)(o->max_steps + 1), double);
  }
  make_room(f->problem, e->n_pairs, d->n, o->max_steps);
  return s;
}

/* The paths of one fit, from the Gram matrix that was given or was made for the evidence. */
static status path_by_gram(const design *d, fit *f, const greedy_options *o, size_t *bad)
{
  greedy_gram_room room = greedy_gram_room_new(&f->ridges.gram, o, d->n > 0);
  const problem_rows_room rows = problem_rows_room_new(d->n, f->problem, o);
  for (int k = 0; k < f->ridges.n_pairs; k++) {
    greedy_problem *b = &f->problem[k];
    status s = greedy_gram_path(&f->ridges.gram, b, o, &room, bad);
    if (s == STATUS_OK && d->n > 0) s = problem_rows(d, b, o, &rows);
    if (s != STATUS_OK) return s;
  }
  return STATUS_OK;
}

/* blocks: see entry_design(). y: responses (n x R). weights: NULL, or n x R, each column of sum n. moments: NULL, or
 * for entry_gram() the moments of dense features and sources and one response, which are the data where `y` has no
 * rows. list: the settings. draws: uniforms of a randomised path. Returns list(status, bad, paths): bad is the number
 * of the column or path that was refused; the paths of a response stand one after the other. */
SEXP transelect_greedytl(SEXP blocks, SEXP y, SEXP weights, SEXP moments, SEXP list, SEXP draws)
{
  const matrix responses = entry_matrix(y, 0, 0, "y");
  const size_t n = responses.rows;
  const double *v = entry_weights(weights, XLENGTH(y), "weights");
  design d = entry_design(blocks, n);
  gram known = {0};
  if (moments != R_NilValue)
    known = entry_gram(moments);
  else if (n == 0)
    Rf_error("neither rows nor 'moments'");
  const settings asked = read_settings(list, draws, &d, known.G ? known.n : (double)n);
  const greedy_options o = asked.path;
  const matrix tau = asked.tau;
  if (known.G) known.p = d.block[0].p;
  if (known.G && (known.N != d.N || (n > 0 && known.n != (double)n) || design_buffer(&d) ||
                  known.q > 1 || responses.columns > 1 || o.candidates))
    Rf_error("'moments' are not those of dense columns and one response");
  const size_t n_fits = responses.columns * tau.columns;

  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char *[]){"status", "bad", "paths", ""}));
  SEXP paths = SET_VECTOR_ELT(out, 2, Rf_allocVector(VECSXP, (R_xlen_t)n_fits));
  fit *fits = ALLOC(n_fits, fit);
  status s = STATUS_OK;
  size_t bad = 0;
  int n_problems = 0;
  for (size_t f = 0; f < n_fits && s == STATUS_OK; f++) {
    const size_t first = f / tau.columns * n;
    const double *ridge = tau.x + 2 * (f % tau.columns);
    const greedy_problem own = {
        .y = responses.x + first, .v = v ? v + first : NULL, .tau = {ridge[0], ridge[1]}};
    s = find_ridges(&d, &own, known.G ? &known : NULL, &o, &fits[f], &bad);
    if (s == STATUS_OK && fits[f].ridges.gram.G) s = path_by_gram(&d, &fits[f], &o, &bad);
    if (!fits[f].ridges.gram.G) n_problems += fits[f].ridges.n_pairs;
  }
  greedy_problem *problems = ALLOC(n_problems, greedy_problem), *next = problems;
  for (size_t f = 0; f < n_fits && s == STATUS_OK; f++) {
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
  for (size_t f = 0; f < n_fits && s == STATUS_OK; f++) {
    SEXP result = SET_VECTOR_ELT(paths, (R_xlen_t)f, Rf_mkNamed(VECSXP, (const char **)names));
    fill(result, &fits[f], n, &o);
  }
  entry_put_status(out, s, bad);
  UNPROTECT(1);
  return out;
}

/* Allocates one element of the result of transelect_laplace(); *out points to its arrays. */
static SEXP laplace_result(size_t n, size_t N, laplace_mean *out)
{
  SEXP r = PROTECT(
      Rf_mkNamed(VECSXP, (const char *[]){"beta", "fitted", "left", "a0", "c", "pairs", ""}));
  out->beta = entry_numbers(r, 0, N);
  out->fitted = entry_numbers(r, 1, n);
  out->left = entry_numbers(r, 2, n);
  UNPROTECT(1);
  return r;
}

static void laplace_finish(SEXP r, const laplace_mean *out)
{
  entry_put(r, 3, &out->a0, 1);
  entry_put(r, 4, &out->c, 1);
  double *to = entry_numbers(r, 5, 5 * (size_t)out->n_pairs);
  for (int k = 0; k < out->n_pairs; k++, to += 5) {
    const ridge_pair *pair = &out->pair[k];
    const double row[] = {pair->alpha[0], pair->alpha[1], pair->centre, pair->criterion,
                          pair->weight};
    memcpy(to, row, sizeof row);
  }
}

/* blocks, list: as for transelect_greedytl(). y: the rows' shares of successes or, with `counts`, counts; weights: of
 * the rows; base: log odds or log rates where all coefficients are 0; mean: NULL, or the centred mean of the sources'
 * log odds or log rates. Returns list(status, bad, all, without): the mean over all pairs of ridges, and over the pairs
 * without sources, each list(beta, fitted, left, a0, c, pairs). `pairs` has the two alphas, c, criterion and weight of
 * every pair; it is empty where there is no such model. */
SEXP transelect_laplace(SEXP blocks, SEXP y, SEXP weights, SEXP base, SEXP mean, SEXP counts,
                        SEXP list)
{
  const size_t n = (size_t)XLENGTH(y);
  const R_xlen_t rows = (R_xlen_t)n;
  if (n < 1) Rf_error("there are no rows");
  design d = entry_design(blocks, n);
  const settings asked = read_settings(list, R_NilValue, &d, (double)n);
  const laplace_problem problem = {.y = entry_doubles(y, rows, "y"),
                                   .w = entry_positive(weights, rows, "weights"),
                                   .base = entry_doubles(base, rows, "base"),
                                   .mean = mean == R_NilValue ? NULL
                                                              : entry_doubles(mean, rows, "mean"),
                                   .counts = entry_flag(counts, "counts")};
  for (size_t i = 0; i < n; i++)
    if (!(problem.y[i] >= 0 && problem.y[i] <= (problem.counts ? HUGE_VAL : 1)) ||
        !isfinite(problem.y[i]) || !isfinite(problem.base[i]) ||
        (problem.mean && !isfinite(problem.mean[i])))
      Rf_error("'y' must be shares or counts, 'base' and 'mean' finite");
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char *[]){"status", "bad", "all", "without", ""}));
  laplace_mean all, without;
  SEXP of_all = SET_VECTOR_ELT(out, 2, laplace_result(n, d.N, &all));
  SEXP of_none = SET_VECTOR_ELT(out, 3, laplace_result(n, d.N, &without));
  size_t bad = 0;
  const status s = laplace(&d, &problem, &asked.path, &all, &without, &bad);
  if (s == STATUS_OK) {
    laplace_finish(of_all, &all);
    laplace_finish(of_none, &without);
  }
  entry_put_status(out, s, bad);
  UNPROTECT(1);
  return out;
}
