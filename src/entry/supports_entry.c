/* supports_entry.c - from R to supports.c and back. */
#include "supports.h"

#include <limits.h>
#include <string.h>

#include "args_entry.h"
#include "routines.h"

static uint64_t seed_of(double uniform)
{
  return (uint64_t)(uniform * 9007199254740992.0) * 2654435769u + 1;
}

/* The rows of the domains, target first, and the target's own. */
static supports_model read_rows(SEXP domains, SEXP rows)
{
  if (TYPEOF(domains) != VECSXP || XLENGTH(domains) < 1) Rf_error("'domains' must be a list");
  const size_t K = (size_t)XLENGTH(domains);
  supports_rows *of = ALLOC(K, supports_rows);
  supports_model m = {.domains = K, .of = of};
  for (size_t k = 0; k < K; k++) {
    SEXP domain = VECTOR_ELT(domains, (R_xlen_t)k);
    const matrix Z = entry_matrix(entry_field(domain, "Z", "domains"), 1, 1, "Z");
    if (k && Z.columns != m.p) Rf_error("'Z' must have as many columns in every domain");
    m.p = Z.columns;
    of[k] = (supports_rows){.Z = Z.x, .r = Z.rows};
    of[k].y = entry_doubles(entry_field(domain, "y", "domains"), (R_xlen_t)Z.rows, "y");
    of[k].l = entry_doubles(entry_field(domain, "l", "domains"), (R_xlen_t)Z.rows, "l");
  }
  const matrix U = entry_matrix(entry_field(rows, "U", "rows"), 0, 0, "U");
  if (U.columns != of[0].r) Rf_error("'U' must have as many columns as the target's 'Z' has rows");
  m.U = U.x;
  m.n = U.rows;
  m.y = entry_doubles(entry_field(rows, "response", "rows"), (R_xlen_t)U.rows, "response");
  m.free = entry_doubles(entry_field(rows, "free", "rows"), (R_xlen_t)U.rows, "free");
  return m;
}

static void read_settings(SEXP settings, supports_model *m, supports_plan *plan)
{
  m->rest = entry_option(settings, "rest", 0, 1e300);
  m->df = entry_option(settings, "df", 2, 1e300);
  m->most = (size_t)entry_option(settings, "most", 1, 1e4);
  if (m->most > supports_candidates(m)) m->most = supports_candidates(m);
  SEXP g = entry_field(settings, "g", "settings"), t = entry_field(settings, "t", "settings");
  m->n_g = (size_t)XLENGTH(g);
  m->n_t = (size_t)XLENGTH(t);
  if (m->n_g < 1 || m->n_t < 1) Rf_error("'g' and 't' must have values");
  m->g = entry_positive(g, -1, "g");
  m->least_own = (size_t)entry_option(settings, "least_own", 0, (double)(m->n_g - 1));
  m->t = entry_doubles(t, -1, "t");
  for (size_t i = 0; i < m->n_t; i++)
    if (!(m->t[i] >= 0)) Rf_error("'t' must not be negative");
  SEXP prior = entry_field(settings, "log_prior_t", "settings");
  m->log_prior_t = entry_doubles(prior, (R_xlen_t)m->n_t, "log_prior_t");
  plan->memory = entry_option(settings, "memory", 0, 1e15);
  plan->chains = (size_t)entry_option(settings, "chains", 1, 100);
  plan->burn = (size_t)entry_option(settings, "burn", 0, 1e6);
  plan->sweeps = (size_t)entry_option(settings, "sweeps", 1, 1e6);
  plan->swaps = (size_t)entry_option(settings, "swaps", 0, 1e4);
  const double *seed = entry_draws(entry_field(settings, "seed", "settings"), 2);
  for (int i = 0; i < 2; i++) plan->seed[i] = seed_of(seed[i]);
}

#define RESULTS(A)                                                                                 \
  A(status), A(bad), A(probability), A(mean), A(background), A(draws), A(left), A(density),        \
      A(grid), A(size), A(variance), A(included), A(trace)
enum { RESULTS(PLACE) };

static double *zeros(SEXP out, int at, size_t n)
{
  double *x = entry_numbers(out, at, n);
  for (size_t i = 0; i < n; i++) x[i] = 0;
  return x;
}

static double *zero_matrix(SEXP out, int at, size_t rows, size_t columns)
{
  if (rows > INT_MAX || columns > INT_MAX) Rf_error("too many rows or draws");
  SEXP made = SET_VECTOR_ELT(out, at, Rf_allocMatrix(REALSXP, (int)rows, (int)columns));
  memset(REAL(made), 0, rows * columns * sizeof(double));
  return REAL(made);
}

/* domains: target first, list(Z, y, l) each, see supports.h; rows: list(U, response, free) of the target; settings:
 * list(rest, df, most, g, least_own, t, log_prior_t, chains, burn, sweeps, swaps, memory, seed), seed: two numbers in
 * [0, 1).
 * Returns list(status, bad, probability, mean (M x chains), background (by domain), draws (p x draws), left, density
 * (n x draws), grid, size, variance, included, trace). */
SEXP transelect_supports(SEXP domains, SEXP rows, SEXP settings)
{
  supports_model m = read_rows(domains, rows);
  supports_plan plan = {0};
  read_settings(settings, &m, &plan);
  const size_t K = m.domains, M = supports_candidates(&m), D = plan.chains * plan.sweeps;
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char *[]){RESULTS(TEXT), ""}));
  supports_result result = {.probability = zeros(out, AT_probability, M)};
  result.mean = zero_matrix(out, AT_mean, M, plan.chains);
  SEXP background = SET_VECTOR_ELT(out, AT_background, Rf_allocVector(VECSXP, (R_xlen_t)K));
  result.background = ALLOC(K, double *);
  for (size_t k = 0; k < K; k++) result.background[k] = zeros(background, (int)k, m.of[k].r);
  result.draws = zero_matrix(out, AT_draws, m.p, D);
  result.left = zero_matrix(out, AT_left, m.n, D);
  result.density = zero_matrix(out, AT_density, m.n, D);
  result.grid = zeros(out, AT_grid, 2 + K);
  result.size = zeros(out, AT_size, D);
  result.variance = zeros(out, AT_variance, D);
  result.included = zeros(out, AT_included, m.p);
  result.trace = zeros(out, AT_trace, D);
  entry_put_status(out, supports_sample(&m, &plan, &result), 0);
  UNPROTECT(1);
  return out;
}
