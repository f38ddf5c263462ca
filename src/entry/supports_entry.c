/* supports_entry.c - from R to supports.c and back. */
#include "supports.h"

#include "args_entry.h"
#include "routines.h"

static uint64_t seed_of(double uniform)
{
  return (uint64_t)(uniform * 9007199254740992.0) * 2654435769u + 1;
}

#define RESULTS(A) \
  A(status), A(bad), A(probability), A(mean), A(background), A(draws), A(left), A(density), A(grid), A(size), \
    A(variance)
enum { RESULTS(PLACE) };

/* domains: target first, list(Z, y, l) each, see supports.h; rows: list(U, response, free) of the target; settings:
 * list(rest, df, most, g, t, log_prior_t, chains, burn, sweeps, swaps, memory, seed), seed: two numbers in [0, 1).
 * Returns list(status, bad, probability, mean (M x chains), background (by domain), draws (p x draws), left, density
 * (n x draws), grid, size, variance). */
SEXP transelect_supports(SEXP domains, SEXP rows, SEXP settings)
{
  if (TYPEOF(domains) != VECSXP || XLENGTH(domains) < 1) Rf_error("'domains' must be a list");
  const size_t K = (size_t)XLENGTH(domains);
  supports_rows *of = ALLOC(K, supports_rows);
  supports_model m = {.domains = K, .of = of};
  for (size_t k = 0; k < K; k++) {
    SEXP domain = VECTOR_ELT(domains, (R_xlen_t)k);
    const matrix Z = entry_matrix(entry_field(domain, "Z", "domains"), 0, 1, "Z");
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
  m.y = entry_doubles(entry_field(rows, "response", "rows"), (R_xlen_t)U.rows, "y");
  m.free = entry_doubles(entry_field(rows, "free", "rows"), (R_xlen_t)U.rows, "free");
  m.rest = entry_option(settings, "rest", 0, 1e300);
  m.df = entry_option(settings, "df", 2, 1e300);
  m.most = (size_t)entry_option(settings, "most", 1, 1e4);
  if (m.most > supports_candidates(&m)) m.most = supports_candidates(&m);
  SEXP g = entry_field(settings, "g", "settings"), t = entry_field(settings, "t", "settings");
  m.n_g = (size_t)XLENGTH(g);
  m.n_t = (size_t)XLENGTH(t);
  if (m.n_g < 1 || m.n_t < 1) Rf_error("'g' and 't' must have values");
  m.g = entry_positive(g, -1, "g");
  m.t = entry_doubles(t, -1, "t");
  for (size_t i = 0; i < m.n_t; i++)
    if (!(m.t[i] >= 0)) Rf_error("'t' must not be negative");
  m.log_prior_t = entry_doubles(entry_field(settings, "log_prior_t", "settings"), (R_xlen_t)m.n_t, "log_prior_t");
  supports_plan plan = {.memory = entry_option(settings, "memory", 0, 1e15)};
  plan.chains = (size_t)entry_option(settings, "chains", 1, 100);
  plan.burn = (size_t)entry_option(settings, "burn", 0, 1e6);
  plan.sweeps = (size_t)entry_option(settings, "sweeps", 1, 1e6);
  plan.swaps = (size_t)entry_option(settings, "swaps", 0, 1e4);
  const double *seed = entry_draws(entry_field(settings, "seed", "settings"), 2);
  for (int i = 0; i < 2; i++) plan.seed[i] = seed_of(seed[i]);

  const size_t M = supports_candidates(&m), D = plan.chains * plan.sweeps;
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char *[]){RESULTS(TEXT), ""}));
  supports_result result = {0};
  result.probability = entry_numbers(out, AT_probability, M);
  SET_VECTOR_ELT(out, AT_mean, Rf_allocMatrix(REALSXP, (int)M, (int)plan.chains));
  result.mean = REAL(VECTOR_ELT(out, AT_mean));
  SET_VECTOR_ELT(out, AT_background, Rf_allocVector(VECSXP, (R_xlen_t)K));
  result.background = ALLOC(K, double *);
  for (size_t k = 0; k < K; k++)
    result.background[k] = entry_numbers(VECTOR_ELT(out, AT_background), (int)k, of[k].r);
  SET_VECTOR_ELT(out, AT_draws, Rf_allocMatrix(REALSXP, (int)m.p, (int)D));
  result.draws = REAL(VECTOR_ELT(out, AT_draws));
  SET_VECTOR_ELT(out, AT_left, Rf_allocMatrix(REALSXP, (int)m.n, (int)D));
  result.left = REAL(VECTOR_ELT(out, AT_left));
  SET_VECTOR_ELT(out, AT_density, Rf_allocMatrix(REALSXP, (int)m.n, (int)D));
  result.density = REAL(VECTOR_ELT(out, AT_density));
  result.grid = entry_numbers(out, AT_grid, 2 + K);
  result.size = entry_numbers(out, AT_size, D);
  result.variance = entry_numbers(out, AT_variance, D);
  for (size_t i = 0; i < M; i++) result.probability[i] = 0;
  for (size_t i = 0; i < M * plan.chains; i++) result.mean[i] = 0;
  for (size_t k = 0; k < K; k++)
    for (size_t i = 0; i < of[k].r; i++) result.background[k][i] = 0;
  for (size_t i = 0; i < 2 + K; i++) result.grid[i] = 0;
  entry_put_status(out, supports_sample(&m, &plan, &result), 0);
  UNPROTECT(1);
  return out;
}
