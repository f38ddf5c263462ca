/* greedytl_entry.c - from R to greedy.c and back. */
#include "greedytl_entry.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "args_entry.h"
#include "evidence.h"
#include "greedy.h"

/* What a path needs whatever it is made from. */
static greedy_options read_common(SEXP options, size_t N)
{
  greedy_options o = {0};
  o.intercept = entry_option_flag(options, "intercept");
  o.standardize = entry_option_flag(options, "standardize");
  o.per_column = entry_option_flag(options, "per_column");
  o.divisor = entry_option(options, "divisor", 1, HUGE_VAL);
  o.max_steps = (int)entry_option(options, "max_steps", 0, (double)N);
  o.tol = entry_option(options, "tol", 0, HUGE_VAL);
  o.keep = entry_keep(entry_field(options, "keep", "options"), N, o.max_steps, &o.n_keep);
  return o;
}

static greedy_options read_options(SEXP options, SEXP draws, const design *d)
{
  greedy_options o = read_common(options, d->N);
  o.common_scale = entry_option_flag(options, "common_scale");
  o.positive = entry_option_flag(options, "positive");
  o.average = entry_option_flag(options, "average");
  o.scores = entry_option_flag(options, "scores");
  o.balanced = entry_option_flag(options, "balanced");
  o.candidates = (int)entry_option(options, "candidates", 0, INT_MAX);
  o.threads = entry_threads(options);
  if (o.candidates)
    o.draws = entry_draws(draws, (R_xlen_t)o.candidates * o.max_steps);
  else
    for (int k = 0; k < d->n_blocks; k++)
      if (d->block[k].make) Rf_error("lazy columns need 'candidates'");
  return o;
}

/* The elements of a path's result, and their places. */
#define RESULTS(name)                                                                              \
  name(entered), name(gain), name(center), name(scale), name(objective), name(rss), name(df),      \
      name(loo), name(accuracy), name(a0), name(row), name(coef), name(tau), name(alpha),          \
      name(criterion), name(residual)
enum { RESULTS(PLACE) };
static const char *const names[] = {RESULTS(TEXT), ""};

/* Room for the outputs of one path whose length is not known yet; residuals of n rows. */
static void make_room(greedy_problem *b, size_t n, int m, SEXP result)
{
  double **steps[] = {&b->objective, &b->rss, &b->df, &b->loo, &b->accuracy};
  double **columns[] = {&b->gain, &b->center, &b->scale};
  for (int k = 0; k < 5; k++) *steps[k] = ALLOC(m + 1, double);
  for (int k = 0; k < 3; k++) *columns[k] = ALLOC(m, double);
  b->entered = ALLOC(m, int);
  if (n == 0) return;
  b->residual = entry_numbers(result, AT_residual, n);
  memset(b->residual, 0, n * sizeof(double));
}

static void fill(SEXP result, const greedy_problem *b, const evidence_result *e)
{
  const size_t k = (size_t)b->n_steps;
  entry_put_ints(result, AT_entered, b->entered, k, 1);
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
  entry_put(result, AT_tau, b->tau, 2);
  entry_put(result, AT_alpha, e->alpha, 2);
  entry_put(result, AT_criterion, &e->criterion, 1);
}

/* blocks: see args_entry.h. y: responses (n x R); v: their weights (n x R, each column sums to n) or
 * NULL. problem: for each path the response it fits (1..R); tau: its two ridges (2 x paths), NA:
 * from the evidence. options: named list; draws: uniforms of a randomised path or NULL.
 * Returns list(status, bad, paths): bad is the number of the column or path that was refused. */
SEXP transelect_greedytl(SEXP blocks, SEXP y, SEXP v, SEXP problem, SEXP tau, SEXP options,
                         SEXP draws)
{
  const matrix responses = entry_matrix(y, 1, 0, "y");
  const size_t n = responses.rows;
  const double *weights = entry_weights(v, XLENGTH(y), "v");
  if (TYPEOF(problem) != INTSXP || XLENGTH(problem) < 1)
    Rf_error("'problem' must be of type integer and not empty");
  const int n_problems = (int)XLENGTH(problem);
  const double *ridge = entry_doubles(tau, 2 * XLENGTH(problem), "tau");
  design d = entry_design(blocks, n);
  const greedy_options o = read_options(options, draws, &d);

  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char *[]){"status", "bad", "paths", ""}));
  SEXP paths = SET_VECTOR_ELT(out, 2, Rf_allocVector(VECSXP, n_problems));
  greedy_problem *problems = ALLOC(n_problems, greedy_problem);
  evidence_result *e = ALLOC(n_problems, evidence_result);
  status s = STATUS_OK;
  size_t bad = 0;
  double *center = NULL;
  for (int b = 0; b < n_problems && s == STATUS_OK; b++) {
    const int response = INTEGER(problem)[b];
    if (response < 1 || (size_t)response > responses.columns) Rf_error("'problem' is out of range");
    greedy_problem *p = &problems[b];
    p->y = responses.x + ((size_t)response - 1) * n;
    p->v = weights ? weights + ((size_t)response - 1) * n : NULL;
    for (int k = 0; k < 2; k++) p->tau[k] = e[b].alpha[k] = ridge[2 * b + k];
    e[b].criterion = NA_REAL;
    if (ISNAN(p->tau[0]) || ISNAN(p->tau[1])) {
      if (o.candidates) Rf_error("'tau' must be given with 'candidates'");
      p->D = ALLOC(d.N, double);
      p->known = 1;
      if (b == 0) center = ALLOC(d.N, double);
      const void *mark = vmaxget();
      s = evidence(&d, p->y, p->v, &o, b ? ALLOC(d.N, double) : center, p->D, &e[b], &bad);
      vmaxset(mark);
      for (int k = 0; k < 2; k++) p->tau[k] = ISNAN(e[b].alpha[k]) ? 0 : e[b].alpha[k];
    }
    if (!(p->tau[0] >= 0 && p->tau[1] >= 0)) Rf_error("'tau' must not be negative");
    make_room(p, n, o.max_steps,
              SET_VECTOR_ELT(paths, b, Rf_mkNamed(VECSXP, (const char **)names)));
  }
  if (o.intercept) d.center = center;
  if (s == STATUS_OK) s = greedy_path(&d, problems, n_problems, &o, &bad);
  for (int b = 0; b < n_problems && s == STATUS_OK; b++)
    fill(VECTOR_ELT(paths, b), &problems[b], &e[b]);
  entry_put_status(out, s, bad);
  UNPROTECT(1);
  return out;
}

/* G: centred cross products of the features (N x N); b: with the response (N); numbers:
 * c(y'y, rows, mean of y); mean: of the features (N); tau: for each path one ridge, NA: from the
 * evidence. Returns as above. */
SEXP transelect_greedytl_moments(SEXP G, SEXP b, SEXP numbers, SEXP mean, SEXP tau, SEXP options)
{
  const double *of = entry_doubles(numbers, 3, "numbers");
  const R_xlen_t N = XLENGTH(b), paths = XLENGTH(tau);
  if (N > INT_MAX || N < 1) Rf_error("'b' is empty or too long");
  const gram g = {(size_t)N,
                  of[1],
                  entry_doubles(G, N * N, "G"),
                  entry_doubles(b, N, "b"),
                  of[0],
                  entry_doubles(mean, N, "mean"),
                  of[2]};
  if (!(g.n >= 1 && g.n < HUGE_VAL)) Rf_error("'numbers' has a wrong number of rows");
  for (R_xlen_t i = 0; i < N * N; i++)
    if (!isfinite(g.G[i])) Rf_error("'G' must be finite");
  const double *ridge = entry_doubles(tau, paths, "tau");
  const greedy_options o = read_common(options, (size_t)N);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char *[]){"status", "bad", "paths", ""}));
  SEXP results = SET_VECTOR_ELT(out, 2, Rf_allocVector(VECSXP, paths));
  status s = STATUS_OK;
  size_t bad = 0;
  for (R_xlen_t k = 0; k < paths && s == STATUS_OK; k++) {
    greedy_problem p = {.tau = {ridge[k], 0}};
    evidence_result e = {{ridge[k], NA_REAL}, NA_REAL};
    SEXP result = SET_VECTOR_ELT(results, k, Rf_mkNamed(VECSXP, (const char **)names));
    if (ISNAN(ridge[k])) s = evidence_gram(&g, &o, &e);
    p.tau[0] = ISNAN(e.alpha[0]) ? 0 : e.alpha[0];
    if (!(p.tau[0] >= 0)) Rf_error("'tau' must not be negative");
    make_room(&p, 0, o.max_steps, result);
    if (s == STATUS_OK) s = greedy_gram_path(&g, &p, &o, &bad);
    if (s == STATUS_OK) fill(result, &p, &e);
  }
  entry_put_status(out, s, bad);
  UNPROTECT(1);
  return out;
}
