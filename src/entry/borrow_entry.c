/* borrow_entry.c - from R to borrow.c and back. */
#include "borrow_entry.h"

#include <math.h>

#include "args_entry.h"
#include "borrow.h"

#define RESULTS(name)                                                                              \
  name(status), name(tau2), name(omega2), name(scale), name(log_lik), name(evaluations),           \
      name(kappa2), name(level_omega2)
enum { RESULTS(PLACE) };
static const char *const names[] = {RESULTS(TEXT), ""};

/* ---- domains ---- */

/* What a fit needs of one domain (see domain_moments_entry.c): H = G/s2, g/s2, and of its least
 * squares fit, log_det, size and whole (see borrow.h). */
typedef struct {
  double *H, *g, fit, log_det, size;
  int whole;
} one_domain;

static one_domain read_domain(SEXP domain, size_t p, double s2)
{
  const double *G = entry_doubles(entry_field(domain, "G", "domains"), (R_xlen_t)(p * p), "G");
  const double *g = entry_doubles(entry_field(domain, "g", "domains"), (R_xlen_t)p, "g");
  one_domain out = {.H = ALLOC(p * p, double), .g = ALLOC(p, double)};
  for (size_t k = 0; k < p * p; k++) out.H[k] = G[k] / s2;
  for (size_t j = 0; j < p; j++) out.g[j] = g[j] / s2;
  return out;
}

static void read_fit(SEXP fit, size_t p, size_t slopes, double s2, one_domain *out)
{
  const double *coef = entry_doubles(entry_field(fit, "coef", "fit"), (R_xlen_t)p, "coef");
  for (size_t j = 0; j < p; j++) {
    out->fit += coef[j] * out->g[j];
    if (j < slopes) out->size += coef[j] * coef[j] / (double)slopes;
  }
  out->whole = (size_t)XLENGTH(entry_field(fit, "kept", "fit")) == p;
  const double log_det = *entry_doubles(entry_field(fit, "log_det", "fit"), 1, "log_det");
  out->log_det = out->whole ? log_det - (double)p * log(s2) : 0;
}

/* domains: list of domain moments, the target first; s2: their residual variances. `fitted`: with their
 * least squares. */
static borrow_domains read_domains(SEXP domains, SEXP s2, int most, int fitted)
{
  const double *variance = entry_doubles(s2, -1, "s2");
  const size_t T = (size_t)XLENGTH(s2);
  if (TYPEOF(domains) != VECSXP || (size_t)XLENGTH(domains) != T || T < 1 || T > (size_t)most)
    Rf_error("'domains' must be a list with one element for each of 's2'");
  SEXP first = VECTOR_ELT(domains, 0);
  const size_t p = (size_t)XLENGTH(entry_field(first, "g", "domains"));
  const int level = entry_flag(entry_field(first, "level", "domains"), "level");
  if (p < 1 + (size_t)level) Rf_error("'domains' must have a column");
  const double **H = ALLOC(T, const double *), **g = ALLOC(T, const double *);
  double *fit = ALLOC(T, double), *log_det = ALLOC(T, double), *size = ALLOC(T, double);
  int *whole = ALLOC(T, int);
  for (size_t t = 0; t < T; t++) {
    if (!(variance[t] > 0 && variance[t] < HUGE_VAL)) Rf_error("'s2' must be positive and finite");
    SEXP domain = VECTOR_ELT(domains, (R_xlen_t)t);
    one_domain one = read_domain(domain, p, variance[t]);
    if (fitted)
      read_fit(entry_field(domain, "fit", "domains"), p, p - (size_t)level, variance[t], &one);
    H[t] = one.H;
    g[t] = one.g;
    fit[t] = one.fit;
    log_det[t] = one.log_det;
    size[t] = one.size;
    whole[t] = one.whole;
  }
  return (borrow_domains){.p = p, .T = (int)T, .level = level, .H = H, .g = g, .fit = fit,
                        .log_det = log_det, .size = size, .whole = whole};
}

enum { MANY = 100000 };

/* NULL, or finite numbers. */
static const double *read_start(SEXP start, R_xlen_t length)
{
  if (start == R_NilValue) return NULL;
  const double *x = entry_doubles(start, length, "start");
  for (R_xlen_t k = 0; k < length; k++)
    if (!isfinite(x[k])) Rf_error("'start' must be finite");
  return x;
}

/* ---- entries ---- */

/* domains: list of T domain moments with least squares, the target first; s2: T residual variances.
 * options: list(prior, rounds, nu). */
SEXP transelect_borrow(SEXP domains, SEXP s2, SEXP options)
{
  const borrow_domains all = read_domains(domains, s2, MANY, 1);
  const int rounds = (int)entry_option(options, "rounds", 0, 1000);
  const size_t T = (size_t)all.T;
  const borrow_options how = {
    .nu = entry_option(options, "nu", 0, 1e300),
    .prior = entry_option_flag(options, "prior"),
    .rounds = rounds};
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)names));
  borrow_strength found = {.tau2 = entry_numbers(out, AT_tau2, T),
                           .scale = entry_numbers(out, AT_scale, all.p)};
  const status state = borrow_fit(&all, &how, &found);
  SET_VECTOR_ELT(out, AT_status, Rf_ScalarInteger((int)state));
  SET_VECTOR_ELT(out, AT_evaluations, Rf_ScalarInteger(found.evaluations));
  entry_put(out, AT_omega2, &found.omega2, 1);
  entry_put(out, AT_kappa2, &found.kappa2, 1);
  entry_put(out, AT_level_omega2, &found.level_omega2, 1);
  entry_put(out, AT_log_lik, &found.log_lik, 1);
  UNPROTECT(1);
  return out;
}

/* The log likelihood ratio of sharing, levels apart: list(status, lr, tau2, path). start: NULL or the
 * `path` of other domains. */
SEXP transelect_borrow_ratio(SEXP domains, SEXP s2, SEXP start)
{
  enum { AT_STATUS, AT_LR, AT_TAU2, AT_PATH };
  static const char *const parts[] = {"status", "lr", "tau2", "path", ""};
  borrow_domains all = read_domains(domains, s2, MANY, 1);
  if (all.T < 2) Rf_error("'domains' must have a source");
  all = borrow_without_level(&all);
  const size_t T = (size_t)all.T, length = T + 2 + (T == 2 ? 1 : T);
  const double *from = read_start(start, (R_xlen_t)length);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)parts));
  borrow_sharing found = {.tau2 = entry_numbers(out, AT_TAU2, T),
                          .path = entry_numbers(out, AT_PATH, length)};
  const status state = borrow_ratio(&all, from, &found);
  SET_VECTOR_ELT(out, AT_STATUS, Rf_ScalarInteger((int)state));
  entry_put(out, AT_LR, &found.lr, 1);
  UNPROTECT(1);
  return out;
}

/* The first domain by itself, a ridge: list(status, omega2, path). */
SEXP transelect_borrow_alone(SEXP domains, SEXP s2, SEXP start)
{
  enum { AT_STATUS, AT_OMEGA2, AT_PATH };
  static const char *const parts[] = {"status", "omega2", "path", ""};
  const borrow_domains all = read_domains(domains, s2, 1, 1);
  double log_lik, at = 0;
  const status state = borrow_alone(&all, read_start(start, 1), &log_lik, &at);
  const double omega2 = exp(at);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)parts));
  SET_VECTOR_ELT(out, AT_STATUS, Rf_ScalarInteger((int)state));
  entry_put(out, AT_OMEGA2, &omega2, 1);
  entry_put(out, AT_PATH, &at, 1);
  UNPROTECT(1);
  return out;
}

/* n positive, finite variances. */
static const double *read_variances(SEXP strength, const char *name, R_xlen_t n)
{
  const double *x = entry_doubles(entry_field(strength, name, "strength"), n, name);
  for (R_xlen_t k = 0; k < n; k++)
    if (!(x[k] > 0 && x[k] < HUGE_VAL)) Rf_error("'%s' must be positive and finite", name);
  return x;
}

/* strength: list(common, own, scales): p, p x T and p numbers. */
static borrow_variances read_strength(SEXP strength, const borrow_domains *domains)
{
  const R_xlen_t p = (R_xlen_t)domains->p;
  return (borrow_variances){.common = read_variances(strength, "common", p),
                            .own = read_variances(strength, "own", p * domains->T),
                            .scale = read_variances(strength, "scales", p)};
}

/* list(status, mean, covariance, log_lik), see borrow.h. */
SEXP transelect_borrow_sources(SEXP domains, SEXP s2, SEXP strength)
{
  enum { AT_STATUS, AT_MEAN, AT_COVARIANCE, AT_LOG_LIK };
  static const char *const parts[] = {"status", "mean", "covariance", "log_lik", ""};
  const borrow_domains all = read_domains(domains, s2, MANY, 0);
  if (all.T < 2) Rf_error("'domains' must have a source");
  const borrow_variances known = read_strength(strength, &all);
  const int p = (int)all.p;
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)parts));
  borrow_common found = {
    .mean = entry_numbers(out, AT_MEAN, all.p),
    .covariance = REAL(SET_VECTOR_ELT(out, AT_COVARIANCE, Rf_allocMatrix(REALSXP, p, p)))};
  const status state = borrow_sources(&all, &known, &found);
  SET_VECTOR_ELT(out, AT_STATUS, Rf_ScalarInteger((int)state));
  entry_put(out, AT_LOG_LIK, &found.log_lik, 1);
  UNPROTECT(1);
  return out;
}

/* list(status, coef, P, m, c0), see borrow.h. */
SEXP transelect_borrow_known(SEXP domains, SEXP s2, SEXP strength)
{
  enum { AT_STATUS, AT_COEF, AT_P, AT_M, AT_C0 };
  static const char *const parts[] = {"status", "coef", "P", "m", "c0", ""};
  const borrow_domains all = read_domains(domains, s2, MANY, 0);
  const int T = all.T, p = (int)all.p;
  const borrow_variances known = read_strength(strength, &all);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)parts));
  borrow_posterior found = {
    .coef = REAL(SET_VECTOR_ELT(out, AT_COEF, Rf_allocMatrix(REALSXP, p, T))),
    .P = REAL(SET_VECTOR_ELT(out, AT_P, Rf_allocMatrix(REALSXP, p, p))),
    .m = entry_numbers(out, AT_M, all.p)};
  const status state = borrow_known(&all, &known, &found);
  SET_VECTOR_ELT(out, AT_STATUS, Rf_ScalarInteger((int)state));
  entry_put(out, AT_C0, &found.c0, 1);
  UNPROTECT(1);
  return out;
}
