/* borrow_entry.c - the borrowing prior of tlcp() (borrow.c), what follows from it for coefficients (borrow_known.c),
 * and the quadratic form whose subsets are searched (form.c). */
#include <math.h>
#include <string.h>

#include "args_entry.h"
#include "borrow.h"
#include "form.h"
#include "kernels.h"
#include "routines.h"
#include "variance.h"

/* One domain of borrow_domains (borrow.h): H = G/s2 and g/s2; the others are from its least squares fit. */
typedef struct {
  double *H, *g, *left, log_det, size;
  const double *coef;
  int nonsingular;
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
  out->coef = coef;
  out->left = ALLOC(p, double);
  for (size_t j = 0; j < p; j++) {
    out->left[j] = out->g[j] - dot(out->H + j * p, coef, p);
    if (j < slopes) out->size += coef[j] * coef[j] / (double)slopes;
  }
  out->nonsingular = (size_t)XLENGTH(entry_field(fit, "kept", "fit")) == p;
  const double log_det = *entry_doubles(entry_field(fit, "log_det", "fit"), 1, "log_det");
  out->log_det = out->nonsingular ? log_det - (double)p * log(s2) : 0;
}

/* Domains known by their rows: list(X, y, one, level, fit), X n x p, one n numbers with a level. */
static borrow_domains read_rows(SEXP domains, const double *variance, size_t T)
{
  SEXP first = VECTOR_ELT(domains, 0);
  const size_t slopes = entry_matrix(entry_field(first, "X", "domains"), 1, 1, "X").columns;
  const int level = entry_flag(entry_field(first, "level", "domains"), "level");
  const size_t p = slopes + (size_t)level;
  borrow_rows *rows = ALLOC(1, borrow_rows);
  size_t *from = ALLOC(T + 1, size_t);
  double *rest = ALLOC(T, double), *log_det = ALLOC(T, double), *size = ALLOC(T, double);
  int *nonsingular = ALLOC(T, int);
  for (size_t t = 0; t < T; t++) {
    SEXP domain = VECTOR_ELT(domains, (R_xlen_t)t), fit = entry_field(domain, "fit", "domains");
    const matrix X = entry_matrix(entry_field(domain, "X", "domains"), 1, 1, "X");
    if (X.columns != slopes) Rf_error("'domains' must have the same columns");
    from[t + 1] = from[t] + X.rows;
    const double *coef = entry_doubles(entry_field(fit, "coef", "fit"), (R_xlen_t)p, "coef");
    for (size_t j = 0; j < slopes; j++) size[t] += coef[j] * coef[j] / (double)slopes;
    rest[t] = *entry_doubles(entry_field(fit, "rss", "fit"), 1, "rss") / variance[t];
    nonsingular[t] = (size_t)XLENGTH(entry_field(fit, "kept", "fit")) == p;
    const double det = *entry_doubles(entry_field(fit, "log_det", "fit"), 1, "log_det");
    log_det[t] = nonsingular[t] ? det - (double)p * log(variance[t]) : 0;
  }
  const size_t N = from[T];
  double *all = ROOM(N * slopes, double), *y = ALLOC(N, double), *one = ALLOC(N, double);
  for (size_t t = 0; t < T; t++) {
    SEXP domain = VECTOR_ELT(domains, (R_xlen_t)t);
    const size_t n = from[t + 1] - from[t];
    const double *X = REAL(entry_field(domain, "X", "domains"));
    for (size_t j = 0; j < slopes; j++)
      memcpy(all + j * N + from[t], X + j * n, n * sizeof(double));
    memcpy(y + from[t], entry_doubles(entry_field(domain, "y", "domains"), (R_xlen_t)n, "y"),
           n * sizeof(double));
    if (level)
      memcpy(one + from[t],
             entry_doubles(entry_field(domain, "one", "domains"), (R_xlen_t)n, "one"),
             n * sizeof(double));
  }
  *rows = (borrow_rows){.N = N,
                        .from = from,
                        .X = all,
                        .one = level ? one : NULL,
                        .y = y,
                        .s2 = variance,
                        .rest = rest};
  return (borrow_domains){.p = p,
                          .T = (int)T,
                          .level = level,
                          .rows = rows,
                          .log_det = log_det,
                          .size = size,
                          .nonsingular = nonsingular};
}

/* domains: list of at most `most` domain moments, the target first; s2: their residual variances. fitted: is the
 * least squares fit of each to be read, too? With it domains may be known by their rows, see read_rows(). */
static borrow_domains read_domains(SEXP domains, SEXP s2, int most, int fitted)
{
  const double *variance = entry_positive(s2, -1, "s2");
  const size_t T = (size_t)XLENGTH(s2);
  if (TYPEOF(domains) != VECSXP || (size_t)XLENGTH(domains) != T || T < 1 || T > (size_t)most)
    Rf_error("'domains' must be a list with one element for each of 's2'");
  SEXP first = VECTOR_ELT(domains, 0);
  if (fitted && entry_element(first, "X") != R_NilValue) return read_rows(domains, variance, T);
  const size_t p = (size_t)XLENGTH(entry_field(first, "g", "domains"));
  const int level = entry_flag(entry_field(first, "level", "domains"), "level");
  if (p < 1 + (size_t)level) Rf_error("'domains' must have a column");
  const double **H = ALLOC(T, const double *), **g = ALLOC(T, const double *);
  const double **coef = ALLOC(T, const double *), **left = ALLOC(T, const double *);
  double *log_det = ALLOC(T, double), *size = ALLOC(T, double);
  int *nonsingular = ALLOC(T, int);
  for (size_t t = 0; t < T; t++) {
    SEXP domain = VECTOR_ELT(domains, (R_xlen_t)t);
    one_domain one = read_domain(domain, p, variance[t]);
    if (fitted)
      read_fit(entry_field(domain, "fit", "domains"), p, p - (size_t)level, variance[t], &one);
    H[t] = one.H;
    g[t] = one.g;
    coef[t] = one.coef;
    left[t] = one.left;
    log_det[t] = one.log_det;
    size[t] = one.size;
    nonsingular[t] = one.nonsingular;
  }
  return (borrow_domains){.p = p,
                          .T = (int)T,
                          .level = level,
                          .H = H,
                          .g = g,
                          .coef = fitted ? coef : NULL,
                          .left = fitted ? left : NULL,
                          .log_det = log_det,
                          .size = size,
                          .nonsingular = nonsingular};
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

/* borrow_ratio() of the domains without their level: list(status, lr, tau2, path). start: NULL, or the `path` of
 * another call. */
SEXP transelect_borrow_ratio(SEXP domains, SEXP s2, SEXP start)
{
  enum { AT_STATUS, AT_LR, AT_TAU2, AT_PATH };
  static const char *const parts[] = {"status", "lr", "tau2", "path", ""};
  borrow_domains all = read_domains(domains, s2, MANY, 1);
  if (all.T < 2) Rf_error("'domains' must be two or more");
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

/* borrow_alone(): list(status, omega2, path). domains: a list of the one domain. start: NULL, or the `path` of another
 * call. */
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

/* X diag(weights) X' of X (n x p), weights p numbers of 0 or more. */
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

/* Adds the second moments of a domain about its means, divided by s2, to G (p x p) and g. yy: its y'y, not divided. */
static void add_about_mean(SEXP domain, size_t p, double s2, double *G, double *g, double *yy)
{
  const int level = entry_flag(entry_field(domain, "level", "domains"), "level");
  const size_t q = p + (size_t)level;
  const double *own_G = entry_doubles(entry_field(domain, "G", "domains"), (R_xlen_t)(q * q), "G");
  const double *own_g = entry_doubles(entry_field(domain, "g", "domains"), (R_xlen_t)q, "g");
  const double n = entry_number(entry_field(domain, "n", "domains"), 0, HUGE_VAL, "n"), each = level && n > 0 ? 1 / n : 0;
  SEXP varies = entry_field(domain, "varies", "domains");
  if (TYPEOF(varies) != LGLSXP || (size_t)XLENGTH(varies) != p) Rf_error("'varies' must be logical, of each column");
  const double *row = own_G + p * q, y = level ? own_g[p] : 0; /* of the level */
  for (size_t j = 0; j < p; j++) {
    if (level && !LOGICAL(varies)[j]) continue;
    const double away = level ? row[j] * each : 0;
    for (size_t i = 0; i < p; i++)
      if (!level || LOGICAL(varies)[i]) G[i + j * p] += (own_G[i + j * q] - (level ? row[i] * away : 0)) / s2;
    g[j] += (own_g[j] - away * y) / s2;
  }
  *yy = *entry_doubles(entry_field(domain, "yy", "domains"), 1, "yy") - y * y * each;
}

/* The target's rows, and the others', of second moments. */
static status read_moments(SEXP domains, const double *s2, size_t T, int intercept, variance_rows *rows)
{
  SEXP target = VECTOR_ELT(domains, 0), varies = entry_field(target, "varies", "domains");
  const size_t p = (size_t)XLENGTH(varies);
  double *G = ALLOC(p * p, double), *g = ALLOC(p, double), *others_G = ALLOC(p * p, double), *others_g = ALLOC(p, double);
  double yy, of_other;
  add_about_mean(target, p, 1, G, g, &yy);
  for (size_t t = 1; t < T; t++) add_about_mean(VECTOR_ELT(domains, (R_xlen_t)t), p, s2[t], others_G, others_g, &of_other);
  const double n = entry_number(entry_field(target, "n", "domains"), 0, HUGE_VAL, "n") - intercept;
  return variance_rows_of_moments(G, g, others_G, others_g, p, yy, n, rows);
}

/* See variance.h. domains: T domain moments, the target first; s2: their residual variances; rows: NULL, or what is known
 * of them in place of moments, list(square, y, values, across, others, yy, n). log_s2, log_prior, log_tau2: the grids,
 * about `centre` and log omega2. Returns list(status, mean, variance) of log s2. */
SEXP transelect_variance_posterior(SEXP domains, SEXP s2, SEXP intercept, SEXP rows, SEXP centre, SEXP log_s2,
                                   SEXP log_prior, SEXP log_tau2)
{
  static const char *const parts[] = {"status", "mean", "variance", ""};
  const variance_grid grid = {.n_s2 = (size_t)XLENGTH(log_s2),
                              .n_tau2 = (size_t)XLENGTH(log_tau2),
                              .log_s2 = entry_doubles(log_s2, -1, "log_s2"),
                              .log_prior = entry_doubles(log_prior, XLENGTH(log_s2), "log_prior"),
                              .log_tau2 = entry_doubles(log_tau2, -1, "log_tau2"),
                              .centre = *entry_doubles(centre, 1, "centre")};
  variance_rows known = {0};
  status s = STATUS_OK;
  if (rows == R_NilValue) {
    const double *variance = entry_positive(s2, -1, "s2");
    if (TYPEOF(domains) != VECSXP || XLENGTH(domains) != XLENGTH(s2) || XLENGTH(s2) < 2)
      Rf_error("'domains' must be a list with one element for each of 's2'");
    s = read_moments(domains, variance, (size_t)XLENGTH(s2), entry_flag(intercept, "intercept"), &known);
  } else {
    const R_xlen_t m = XLENGTH(entry_field(rows, "y", "rows")), r = XLENGTH(entry_field(rows, "others", "rows"));
    known = (variance_rows){.m = (size_t)m,
                            .r = (size_t)r,
                            .K = entry_doubles(entry_field(rows, "square", "rows"), m * m, "square"),
                            .y = entry_doubles(entry_field(rows, "y", "rows"), m, "y"),
                            .d = entry_positive(entry_field(rows, "values", "rows"), r, "values"),
                            .across = entry_doubles(entry_field(rows, "across", "rows"), m * r, "across"),
                            .u = entry_doubles(entry_field(rows, "others", "rows"), r, "others"),
                            .yy = *entry_doubles(entry_field(rows, "yy", "rows"), 1, "yy"),
                            .n = entry_number(entry_field(rows, "n", "rows"), -HUGE_VAL, HUGE_VAL, "n")};
  }
  double mean = NA_REAL, spread = NA_REAL;
  if (s == STATUS_OK) s = variance_posterior(&known, &grid, &mean, &spread);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)parts));
  SET_VECTOR_ELT(out, 0, Rf_ScalarInteger((int)s));
  SET_VECTOR_ELT(out, 1, Rf_ScalarReal(mean));
  SET_VECTOR_ELT(out, 2, Rf_ScalarReal(spread));
  UNPROTECT(1);
  return out;
}

static const double *read_variances(SEXP borrowing, const char *name, R_xlen_t n)
{
  return entry_positive(entry_field(borrowing, name, "borrowing"), n, name);
}

/* borrowing: list(common, own, scales): p, p x T and p numbers, see borrow_variances. */
static borrow_variances read_borrowing(SEXP borrowing, const borrow_domains *domains)
{
  const R_xlen_t p = (R_xlen_t)domains->p;
  return (borrow_variances){.common = read_variances(borrowing, "common", p),
                            .own = read_variances(borrowing, "own", p * domains->T),
                            .scale = read_variances(borrowing, "scales", p)};
}

/* borrow_others(): list(status, mean, covariance, log_lik). */
SEXP transelect_borrow_others(SEXP domains, SEXP s2, SEXP borrowing)
{
  enum { AT_STATUS, AT_MEAN, AT_COVARIANCE, AT_LOG_LIK };
  static const char *const parts[] = {"status", "mean", "covariance", "log_lik", ""};
  const borrow_domains all = read_domains(domains, s2, MANY, 0);
  if (all.T < 2) Rf_error("'domains' must be two or more");
  const borrow_variances known = read_borrowing(borrowing, &all);
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

/* ---- the form ---- */

/* Which coefficients are searched: none, where only those with all features kept are wanted. */
enum searched { SEARCH_NONE, SEARCH_ALL, SEARCH_TARGET };

/* support: NULL, "shared" or "target". */
static enum searched read_support(SEXP support)
{
  if (support == R_NilValue) return SEARCH_NONE;
  if (TYPEOF(support) != STRSXP || XLENGTH(support) != 1) Rf_error("'support' must be a word");
  const char *word = CHAR(STRING_ELT(support, 0));
  if (!strcmp(word, "shared")) return SEARCH_ALL;
  if (strcmp(word, "target")) Rf_error("'support' must be 'shared' or 'target'");
  return SEARCH_TARGET;
}

static const double *read_squares(SEXP domains, const double *s2, size_t T)
{
  double *yy = ALLOC(T, double);
  for (size_t t = 0; t < T; t++) {
    SEXP domain = VECTOR_ELT(domains, (R_xlen_t)t);
    yy[t] = *entry_doubles(entry_field(domain, "yy", "domains"), 1, "yy") / s2[t];
  }
  return yy;
}

#define FORM(name) name(A), name(b), name(c0), name(n_domains), name(coef), name(full)
#define FORM_PLACE(name) FORM_##name
enum { FORM(FORM_PLACE) };
static const char *const form_names[] = {FORM(TEXT), ""};

/* A form of N coordinates, of `n_domains` domains, whose numbers are those of a list for R. */
static SEXP form_list(size_t N, int n_domains, quadratic_form *form)
{
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)form_names));
  form->N = N;
  form->A = REAL(SET_VECTOR_ELT(out, FORM_A, Rf_allocMatrix(REALSXP, (int)N, (int)N)));
  form->b = entry_numbers(out, FORM_b, N);
  SET_VECTOR_ELT(out, FORM_n_domains, Rf_ScalarInteger(n_domains));
  UNPROTECT(1);
  return out;
}

static quadratic_form form_new(size_t N)
{
  return (quadratic_form){.N = N, .A = ROOM(N * N, double), .b = ROOM(N, double)};
}

/* The form of the slopes, the levels minimised out, becomes element `at` of `out`; its element `full` is the form
 * with them. */
static status drop_levels(SEXP out, int at, const quadratic_form *whole, int n_domains)
{
  quadratic_form slopes;
  SEXP list = PROTECT(form_list(whole->N - (size_t)n_domains, n_domains, &slopes));
  const status state = form_of_some(whole, 1, &slopes);
  entry_put(list, FORM_c0, &slopes.c0, 1);
  SET_VECTOR_ELT(list, FORM_full, VECTOR_ELT(out, at));
  SET_VECTOR_ELT(out, at, list);
  UNPROTECT(1);
  return state;
}

/* Element `at` of `out` becomes the form, NULL where nothing is searched, whose element `coef` (p x T) has the
 * coefficients of all domains with all features kept; NULL of one domain. Penalties with the factor k are written to
 * `pen` unless it is NULL. */
static status put_form(SEXP out, int at, const form_parts *parts, enum searched what, double k,
                       double *pen)
{
  const borrow_domains *domains = parts->domains;
  const size_t p = domains->p, T = (size_t)domains->T;
  const int n_domains = what == SEARCH_TARGET ? 1 : domains->T;
  const int given_others = parts->variances && T > 1;
  status state = STATUS_OK;
  SEXP coef = PROTECT(T > 1 || !what ? Rf_allocMatrix(REALSXP, (int)p, (int)T) : R_NilValue);
  borrow_posterior others = {0};
  if (given_others || (parts->variances && !what)) {
    others = (borrow_posterior){.coef = REAL(coef), .P = ROOM(p * p, double), .m = ROOM(p, double)};
    state = borrow_known(domains, parts->variances, &others);
  }
  if (!what) {
    if (!parts->variances) {
      quadratic_form all = form_new(p * T);
      form_of_all(parts, &all);
      state = form_coefficients(&all, domains->T, REAL(coef));
    }
    SEXP list = SET_VECTOR_ELT(out, at, Rf_mkNamed(VECSXP, (const char **)form_names));
    SET_VECTOR_ELT(list, FORM_coef, coef);
    UNPROTECT(1);
    return state;
  }
  quadratic_form form;
  SEXP list = SET_VECTOR_ELT(out, at, form_list(p * (size_t)n_domains, n_domains, &form));
  SET_VECTOR_ELT(list, FORM_coef, coef);
  UNPROTECT(1);
  if (state) return state;
  if (n_domains == domains->T) {
    form_of_all(parts, &form);
    if (T > 1 && !given_others) state = form_coefficients(&form, domains->T, REAL(coef));
  } else if (given_others) {
    form_of_target(parts, &others, &form);
  } else {
    quadratic_form all = form_new(p * T);
    form_of_all(parts, &all);
    state = form_coefficients(&all, domains->T, REAL(coef));
    if (!state) state = form_of_some(&all, T, &form);
  }
  entry_put(list, FORM_c0, &form.c0, 1);
  if (!state && domains->level) {
    state = drop_levels(out, at, &form, n_domains);
    list = VECTOR_ELT(out, at);
    form.N = p * (size_t)n_domains - (size_t)n_domains;
    form.A = REAL(VECTOR_ELT(list, FORM_A));
  }
  if (state || !pen) return state;
  double *prior = ALLOC(form.N, double);
  for (size_t i = 0; i < form.N; i++)
    prior[i] = parts->variances->common[i] + parts->variances->own[i];
  return form_penalties(&form, prior, k, pen);
}

/* borrowing: list(scales) of p numbers, with `common` and `own`, see read_borrowing(), or with `coupling`, T x T x p.
 * support: see read_support(). Returns list(status, form, pen): see put_form(); pen, where there are variances and
 * support is "target", with the factor borrowing$k. */
SEXP transelect_form(SEXP domains, SEXP s2, SEXP borrowing, SEXP support)
{
  enum { AT_STATUS, AT_FORM, AT_PEN };
  static const char *const parts[] = {"status", "form", "pen", ""};
  const borrow_domains all = read_domains(domains, s2, MANY, 0);
  const enum searched what = read_support(support);
  const size_t T = (size_t)all.T;
  const int given = entry_element(borrowing, "own") != R_NilValue;
  borrow_variances known = {0};
  if (given) known = read_borrowing(borrowing, &all);
  const form_parts from = {
      .domains = &all,
      .yy = what ? read_squares(domains, REAL(s2), T) : NULL,
      .scale = read_variances(borrowing, "scales", (R_xlen_t)all.p),
      .variances = given ? &known : NULL,
      .coupling = given || T == 1 ? NULL
                                  : entry_doubles(entry_field(borrowing, "coupling", "borrowing"),
                                                  (R_xlen_t)(T * T * all.p), "coupling")};
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)parts));
  double k = 0, *pen = NULL;
  if (given && what == SEARCH_TARGET) {
    k = entry_number(entry_field(borrowing, "k", "borrowing"), 0, HUGE_VAL, "k");
    pen = entry_numbers(out, AT_PEN, all.p - (size_t)all.level);
  }
  const status state = put_form(out, AT_FORM, &from, what, k, pen);
  SET_VECTOR_ELT(out, AT_STATUS, Rf_ScalarInteger((int)state));
  UNPROTECT(1);
  return out;
}

/* ---- the prior, and the form with it ---- */

#define RESULTS(name)                                                                              \
  name(status), name(tau2), name(omega2), name(scale), name(log_lik), name(evaluations),           \
      name(kappa2), name(level_omega2), name(common), name(own), name(form), name(pen)
enum { RESULTS(PLACE) };
static const char *const borrowing_names[] = {RESULTS(TEXT), ""};

/* The variances of a prior by coefficient, which become elements of `out`. */
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

/* The borrowing prior, with its form where one is searched. domains: list of T domain moments with least squares, or,
 * without a form, domains known by their rows (read_rows()), the target first; s2: T residual variances; how:
 * list(scales, distance, support, k): are the scales c estimated, or 1?; a factor of all tau; see read_support(); the
 * factor of the penalties. Returns a list as named above: common and own by coefficient, form and pen of
 * transelect_form(). */
SEXP transelect_borrow(SEXP domains, SEXP s2, SEXP how)
{
  const enum searched what = read_support(entry_field(how, "support", "how"));
  const borrow_domains all = read_domains(domains, s2, MANY, 1);
  if (what && all.rows) Rf_error("'domains' must be moments where 'support' is given");
  const size_t p = all.p, T = (size_t)all.T;
  const borrow_options options = {
      .nu = 4,
      .prior = 1,
      .rounds = entry_flag(entry_field(how, "scales", "how"), "scales") ? 6 : 0};
  const double distance = *entry_positive(entry_field(how, "distance", "how"), 1, "distance");
  const double k = entry_number(entry_field(how, "k", "how"), 0, HUGE_VAL, "k");
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)borrowing_names));
  borrow_prior found = {.tau2 = entry_numbers(out, AT_tau2, T),
                        .scale = entry_numbers(out, AT_scale, p)};
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
                             .yy = read_squares(domains, REAL(s2), T),
                             .scale = found.scale,
                             .variances = &known};
    double *pen = what == SEARCH_TARGET ? entry_numbers(out, AT_pen, p - (size_t)all.level) : NULL;
    state = put_form(out, AT_form, &from, what, k, pen);
  }
  SET_VECTOR_ELT(out, AT_status, Rf_ScalarInteger((int)state));
  UNPROTECT(1);
  return out;
}
