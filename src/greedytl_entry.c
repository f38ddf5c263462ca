/* greedytl_entry.c - from R to greedy.c and back. */
#include "greedytl_entry.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "args_entry.h"
#include "evidence.h"
#include "greedy.h"

#define FIELD(name) entry_field(options, name, "options")

/* keep: numbers of columns, 1..N. */
static void read_keep(SEXP keep, size_t N, greedy_options *o)
{
  if (TYPEOF(keep) != INTSXP || XLENGTH(keep) > o->max_steps)
    Rf_error("'keep' must be of type integer and no longer than 'max_steps'");
  o->n_keep = (int)XLENGTH(keep);
  int *columns = ALLOC(o->n_keep, int);
  for (int k = 0; k < o->n_keep; k++) {
    const int column = INTEGER(keep)[k];
    if (column < 1 || (size_t)column > N) Rf_error("'keep' is out of range");
    columns[k] = column - 1;
    for (int r = 0; r < k; r++)
      if (columns[r] == columns[k]) Rf_error("'keep' names a column twice");
  }
  o->keep = columns;
}

/* What a path needs whatever it is made from. */
static greedy_options read_common(SEXP options, size_t N)
{
  greedy_options o = {0};
  o.intercept = entry_flag(FIELD("intercept"), "intercept");
  o.standardize = entry_flag(FIELD("standardize"), "standardize");
  o.per_column = entry_flag(FIELD("per_column"), "per_column");
  o.divisor = entry_number(FIELD("divisor"), 1, HUGE_VAL, "divisor");
  o.max_steps = (int)entry_number(FIELD("max_steps"), 0, (double)N, "max_steps");
  o.tol = entry_number(FIELD("tol"), 0, HUGE_VAL, "tol");
  read_keep(FIELD("keep"), N, &o);
  return o;
}

static greedy_options read_options(SEXP options, SEXP draws, const design *d)
{
  greedy_options o = read_common(options, d->N);
  o.common_scale = entry_flag(FIELD("common_scale"), "common_scale");
  o.positive = entry_flag(FIELD("positive"), "positive");
  o.average = entry_flag(FIELD("average"), "average");
  o.scores = entry_flag(FIELD("scores"), "scores");
  o.balanced = entry_flag(FIELD("balanced"), "balanced");
  o.candidates = (int)entry_number(FIELD("candidates"), 0, INT_MAX, "candidates");
  o.threads = (int)entry_number(FIELD("threads"), 1, 1024, "threads");
  if (o.candidates) {
    const R_xlen_t m = (R_xlen_t)o.candidates * o.max_steps;
    o.draws = entry_doubles(draws, m, "draws");
    for (R_xlen_t k = 0; k < m; k++)
      if (!(o.draws[k] >= 0 && o.draws[k] < 1)) Rf_error("'draws' must lie in [0, 1)");
  } else
    for (int k = 0; k < d->n_blocks; k++)
      if (d->block[k].make) Rf_error("lazy columns need 'candidates'");
  return o;
}

/* The elements of a path's result, and their places. */
#define RESULTS(name)                                                                              \
  name(entered), name(gain), name(center), name(scale), name(objective), name(rss), name(df),      \
      name(loo), name(accuracy), name(a0), name(row), name(coef), name(tau), name(alpha),          \
      name(criterion), name(residual)
#define PLACE(name) AT_##name
#define TEXT(name) #name
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
  b->residual = REAL(SET_VECTOR_ELT(result, AT_residual, Rf_allocVector(REALSXP, n)));
  memset(b->residual, 0, n * sizeof(double));
}

static void fill(SEXP result, const greedy_problem *b, const evidence_result *e)
{
  const size_t k = (size_t)b->n_steps;
  int *entered = INTEGER(SET_VECTOR_ELT(result, AT_entered, Rf_allocVector(INTSXP, b->n_steps)));
  for (size_t i = 0; i < k; i++) entered[i] = b->entered[i] + 1;
  entry_put(result, AT_gain, b->gain, k);
  entry_put(result, AT_center, b->center, k);
  entry_put(result, AT_scale, b->scale, k);
  entry_put(result, AT_objective, b->objective, k + 1);
  entry_put(result, AT_rss, b->rss, k + 1);
  entry_put(result, AT_df, b->df, k + 1);
  entry_put(result, AT_loo, b->loo, k + 1);
  entry_put(result, AT_accuracy, b->accuracy, k + 1);
  double *a0 = REAL(SET_VECTOR_ELT(result, AT_a0, Rf_allocVector(REALSXP, (R_xlen_t)k + 1)));
  const R_xlen_t entries = (R_xlen_t)(k * (k + 1) / 2);
  SEXP row = SET_VECTOR_ELT(result, AT_row, Rf_allocVector(INTSXP, entries));
  SEXP coef = SET_VECTOR_ELT(result, AT_coef, Rf_allocVector(REALSXP, entries));
  greedy_coefficients(b, INTEGER(row), REAL(coef), a0);
  entry_put(result, AT_tau, b->tau, 2);
  entry_put(result, AT_alpha, e->alpha, 2);
  entry_put(result, AT_criterion, &e->criterion, 1);
}

static SEXP finish(SEXP out, status s, size_t bad)
{
  SET_VECTOR_ELT(out, 0, Rf_ScalarInteger((int)s));
  SET_VECTOR_ELT(out, 1, Rf_ScalarReal((double)bad + 1));
  return out;
}

/* blocks: see args_entry.h. y: responses (n x R); v: their weights (n x R, each column sums to n) or
 * NULL. problem: for each path the response it fits (1..R); tau: its two ridges (2 x paths), NA:
 * from the evidence. options: named list; draws: uniforms of a randomised path or NULL.
 * Returns list(status, bad, paths): bad is the number of the column or path that was refused. */
SEXP transelect_greedytl(SEXP blocks, SEXP y, SEXP v, SEXP problem, SEXP tau, SEXP options,
                         SEXP draws)
{
  SEXP dim = Rf_getAttrib(y, R_DimSymbol);
  if (TYPEOF(y) != REALSXP || TYPEOF(dim) != INTSXP || XLENGTH(dim) != 2 || INTEGER(dim)[0] < 1)
    Rf_error("'y' must be a double matrix with at least one row");
  const size_t n = (size_t)INTEGER(dim)[0];
  const int responses = INTEGER(dim)[1];
  if (v != R_NilValue) {
    const double *w = entry_doubles(v, XLENGTH(y), "v");
    for (R_xlen_t i = 0; i < XLENGTH(v); i++)
      if (!(w[i] > 0 && w[i] < HUGE_VAL)) Rf_error("'v' must be positive and finite");
  }
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
    if (INTEGER(problem)[b] < 1 || INTEGER(problem)[b] > responses)
      Rf_error("'problem' is out of range");
    const size_t response = (size_t)INTEGER(problem)[b] - 1;
    greedy_problem *p = &problems[b];
    p->y = REAL(y) + (size_t)response * n;
    p->v = v == R_NilValue ? NULL : REAL(v) + (size_t)response * n;
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
  finish(out, s, bad);
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
  finish(out, s, bad);
  UNPROTECT(1);
  return out;
}
