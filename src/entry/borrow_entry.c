/* borrow_entry.c - the borrowing prior of tlcp() (borrow.c), with the quadratic form that it makes (form.c), and what
 * follows from it for coefficients (borrow_known.c); the prior with factors by feature (borrow_features.c). */
#include <math.h>
#include <string.h>

#include "borrow_domains_entry.h"
#include "borrow_features.h"
#include "kernels.h"
#include "routines.h"

/* NULL, or finite numbers. */
static const double *read_start(SEXP start, R_xlen_t length)
{
  if (start == R_NilValue) return NULL;
  const double *x = entry_doubles(start, length, "start");
  for (R_xlen_t k = 0; k < length; k++)
    if (!isfinite(x[k])) Rf_error("'start' must be finite");
  return x;
}

/* borrow_ratio() for the domains without their level: list(status, lr, tau2, path). start: NULL, or the `path` of
 * another call; enough: see borrow_options. */
SEXP transelect_borrow_ratio(SEXP domains, SEXP s2, SEXP start, SEXP enough)
{
  enum { AT_STATUS, AT_LR, AT_TAU2, AT_PATH };
  static const char *const parts[] = {"status", "lr", "tau2", "path", ""};
  borrow_domains all = entry_borrow_domains(domains, s2, MANY_DOMAINS, 1);
  if (all.T < 2) Rf_error("'domains' must be two or more");
  all = borrow_without_level(&all);
  const size_t T = (size_t)all.T, length = T + 2 + (T == 2 ? 1 : T);
  const double *from = read_start(start, (R_xlen_t)length);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)parts));
  borrow_sharing found = {.tau2 = entry_numbers(out, AT_TAU2, T),
                          .path = entry_numbers(out, AT_PATH, length)};
  const status state = borrow_ratio(&all, from, entry_number(enough, 0, 1, "enough"), &found);
  SET_VECTOR_ELT(out, AT_STATUS, Rf_ScalarInteger((int)state));
  entry_put(out, AT_LR, &found.lr, 1);
  UNPROTECT(1);
  return out;
}

/* borrow_alone(): list(status, omega2, path). domains: a list of one domain. start: NULL, or the `path` of another
 * call. */
SEXP transelect_borrow_alone(SEXP domains, SEXP s2, SEXP start)
{
  enum { AT_STATUS, AT_OMEGA2, AT_PATH };
  static const char *const parts[] = {"status", "omega2", "path", ""};
  const borrow_domains all = entry_borrow_domains(domains, s2, 1, 1);
  double log_lik, log_omega2 = 0;
  const status state = borrow_alone(&all, read_start(start, 1), 0, &log_lik, &log_omega2);
  const double omega2 = exp(log_omega2);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)parts));
  SET_VECTOR_ELT(out, AT_STATUS, Rf_ScalarInteger((int)state));
  entry_put(out, AT_OMEGA2, &omega2, 1);
  entry_put(out, AT_PATH, &log_omega2, 1);
  UNPROTECT(1);
  return out;
}

/* X diag(weights) X', X n x p, weights p numbers that are not negative. */
SEXP transelect_rows_kernel(SEXP X, SEXP weights)
{
  const matrix x = entry_matrix(X, 1, 1, "X");
  const size_t n = x.rows, p = x.columns;
  const double *w = entry_doubles(weights, (R_xlen_t)p, "weights");
  double *columns = ROOM(n * p, double);
  for (size_t j = 0; j < p; j++) {
    if (!(w[j] >= 0)) Rf_error("'weights' must not be negative");
    for (size_t i = 0; i < n; i++) columns[j + i * p] = x.x[i + j * n] * sqrt(w[j]);
  }
  SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)n, (int)n));
  kernels->gram(COLUMNS(columns, p, n), REAL(out));
  UNPROTECT(1);
  return out;
}

/* borrow_others(): list(status, mean, covariance, log_lik). */
SEXP transelect_borrow_others(SEXP domains, SEXP s2, SEXP borrowing)
{
  enum { AT_STATUS, AT_MEAN, AT_COVARIANCE, AT_LOG_LIK };
  static const char *const parts[] = {"status", "mean", "covariance", "log_lik", ""};
  const borrow_domains all = entry_borrow_domains(domains, s2, MANY_DOMAINS, 0);
  if (all.T < 2) Rf_error("'domains' must be two or more");
  const borrow_variances known = entry_borrow_variances(borrowing, &all);
  const int p = (int)all.p;
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)parts));
  borrow_common found = {
      .mean = entry_numbers(out, AT_MEAN, all.p),
      .covariance = REAL(SET_VECTOR_ELT(out, AT_COVARIANCE, Rf_allocMatrix(REALSXP, p, p)))};
  const status state = borrow_others(&all, &known, &found);
  SET_VECTOR_ELT(out, AT_STATUS, Rf_ScalarInteger((int)state));
  entry_put(out, AT_LOG_LIK, &found.log_lik, 1);
  UNPROTECT(1);
  return out;
}

/* borrow_by_feature(): list(status, tau2, omega2, kappa2, factors, log_lik, evaluations). domains: moments; how:
 * list(scales, spread, tau2, omega2, kappa2, factors): c, the standard deviation of log f, and the values to start
 * from. */
SEXP transelect_borrow_features(SEXP domains, SEXP s2, SEXP how)
{
  enum { AT_STATUS, AT_TAU2, AT_OMEGA2, AT_KAPPA2, AT_FACTORS, AT_LOG_LIK, AT_EVALUATIONS };
  static const char *const parts[] = {"status",  "tau2",    "omega2",      "kappa2",
                                      "factors", "log_lik", "evaluations", ""};
  const borrow_domains all = entry_borrow_domains(domains, s2, MANY_DOMAINS, 0);
  if (all.T < 2) Rf_error("'domains' must be two or more");
  const size_t slopes = all.p - (size_t)all.level;
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)parts));
  borrow_features found = {.scale = entry_borrow_numbers(how, "scales", (R_xlen_t)all.p),
                           .spread = *entry_borrow_numbers(how, "spread", 1),
                           .tau2 = *entry_borrow_numbers(how, "tau2", 1),
                           .omega2 = *entry_borrow_numbers(how, "omega2", 1),
                           .kappa2 = all.level ? *entry_borrow_numbers(how, "kappa2", 1) : 0,
                           .factor = entry_numbers(out, AT_FACTORS, slopes)};
  memcpy(found.factor, entry_borrow_numbers(how, "factors", (R_xlen_t)slopes),
         slopes * sizeof(double));
  const status state = borrow_by_feature(&all, &found);
  SET_VECTOR_ELT(out, AT_STATUS, Rf_ScalarInteger((int)state));
  entry_put(out, AT_TAU2, &found.tau2, 1);
  entry_put(out, AT_OMEGA2, &found.omega2, 1);
  entry_put(out, AT_KAPPA2, &found.kappa2, 1);
  entry_put(out, AT_LOG_LIK, &found.log_lik, 1);
  SET_VECTOR_ELT(out, AT_EVALUATIONS, Rf_ScalarInteger(found.evaluations));
  UNPROTECT(1);
  return out;
}

#define RESULTS(name)                                                                              \
  name(status), name(tau2), name(omega2), name(scale), name(log_lik), name(evaluations),           \
      name(kappa2), name(level_omega2), name(common), name(own), name(form), name(pen), name(path)
enum { RESULTS(PLACE) };
static const char *const borrowing_names[] = {RESULTS(TEXT), ""};

/* Elements `common` and `own` of `out` become the variances of the prior, by coefficient. */
static void put_variances(SEXP out, const borrow_domains *domains, const borrow_prior *found)
{
  const size_t p = domains->p, T = (size_t)domains->T;
  double *common = entry_numbers(out, AT_common, p);
  double *own = REAL(SET_VECTOR_ELT(out, AT_own, Rf_allocMatrix(REALSXP, (int)p, (int)T)));
  for (size_t j = 0; j < p; j++) {
    const int level = domains->level && j == p - 1;
    common[j] = level ? found->level_omega2 : found->omega2;
    for (size_t t = 0; t < T; t++) own[j + t * p] = level ? found->kappa2 : found->tau2[t];
  }
}

/* The borrowing prior, with its form where `support` is given. domains: list of T domain moments with least squares,
 * or, without a form, domains by their rows (entry_borrow_domains()), the target first; s2: T residual variances; how:
 * list(scales, distance, shape, support, k, start, enough). scales: are the scales c estimated, or 1? distance: a
 * factor of all tau. shape: see borrow_options. support: see entry_support(). k: the factor of the penalties. start: NULL, or the `path` of another call,
 * and with it `enough` of borrow_options. Returns a list as named above: common and own by coefficient, form and pen as
 * of transelect_form(). */
SEXP transelect_borrow(SEXP domains, SEXP s2, SEXP how)
{
  const enum searched what = entry_support(entry_field(how, "support", "how"));
  const borrow_domains all = entry_borrow_domains(domains, s2, MANY_DOMAINS, 1);
  if (what && all.rows) Rf_error("'domains' must be moments where 'support' is given");
  const size_t p = all.p, T = (size_t)all.T;
  const int rounds = entry_flag(entry_field(how, "scales", "how"), "scales") ? 6 : 0;
  const size_t length = (size_t)(rounds + 1) * (T + 1 + (size_t)all.level);
  const double *start = read_start(entry_element(how, "start"), (R_xlen_t)length);
  const borrow_options options = {
      .nu = 4,
      .prior = 1,
      .shape = entry_number(entry_field(how, "shape", "how"), 1, 10, "shape"),
      .rounds = rounds,
      .start = start,
      .enough = start ? entry_number(entry_field(how, "enough", "how"), 0, 1, "enough") : 0};
  const double distance = *entry_positive(entry_field(how, "distance", "how"), 1, "distance");
  const double k = entry_number(entry_field(how, "k", "how"), 0, HUGE_VAL, "k");
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)borrowing_names));
  borrow_prior found = {.tau2 = entry_numbers(out, AT_tau2, T),
                        .scale = entry_numbers(out, AT_scale, p),
                        .path = entry_numbers(out, AT_path, length)};
  status state = borrow_fit(&all, &options, &found);
  for (size_t t = 0; t < T; t++) found.tau2[t] *= distance * distance;
  SET_VECTOR_ELT(out, AT_evaluations, Rf_ScalarInteger(found.evaluations));
  entry_put(out, AT_omega2, &found.omega2, 1);
  entry_put(out, AT_kappa2, &found.kappa2, 1);
  entry_put(out, AT_level_omega2, &found.level_omega2, 1);
  entry_put(out, AT_log_lik, &found.log_lik, 1);
  put_variances(out, &all, &found);
  if (!state && what) {
    const borrow_variances known = {.common = REAL(VECTOR_ELT(out, AT_common)),
                                    .own = REAL(VECTOR_ELT(out, AT_own)),
                                    .scale = found.scale};
    const form_parts from = {.domains = &all,
                             .yy = entry_squares(domains, REAL(s2), T),
                             .scale = found.scale,
                             .variances = &known};
    double *pen = what == SEARCH_TARGET ? entry_numbers(out, AT_pen, p - (size_t)all.level) : NULL;
    state = entry_put_form(out, AT_form, &from, what, k, pen);
  }
  SET_VECTOR_ELT(out, AT_status, Rf_ScalarInteger((int)state));
  UNPROTECT(1);
  return out;
}
