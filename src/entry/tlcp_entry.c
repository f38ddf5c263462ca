/* tlcp_entry.c - the entries of tlcp()'s kernels, in the order of a call: the borrowing prior (borrow.c), the search for
 * subsets (subset.c). */
#include <math.h>
#include <string.h>

#include "args_entry.h"
#include "borrow.h"
#include "kernels.h"
#include "routines.h"
#include "subset.h"
#include "subset_models.h"
#include "variance.h"

/* ---- the borrowing prior --------------------------------------------------------------------- */

#define RESULTS(name)                                                                              \
  name(status), name(tau2), name(omega2), name(scale), name(log_lik), name(evaluations),           \
      name(kappa2), name(level_omega2)
enum { RESULTS(PLACE) };
static const char *const borrowing_names[] = {RESULTS(TEXT), ""};

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

static int has_rows(SEXP domain)
{
  SEXP names = Rf_getAttrib(domain, R_NamesSymbol);
  if (TYPEOF(domain) != VECSXP || TYPEOF(names) != STRSXP) return 0;
  for (R_xlen_t k = 0; k < XLENGTH(names); k++)
    if (!strcmp(CHAR(STRING_ELT(names, k)), "X")) return 1;
  return 0;
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
  if (fitted && has_rows(first)) return read_rows(domains, variance, T);
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

/* domains: list of T domain moments with least squares, or domains known by their rows (read_rows()), the target
 * first; s2: T residual variances;
 * scales: are the scales c estimated, or 1? */
SEXP transelect_borrow(SEXP domains, SEXP s2, SEXP scales)
{
  const borrow_domains all = read_domains(domains, s2, MANY, 1);
  const size_t T = (size_t)all.T;
  const borrow_options how = {.nu = 4, .prior = 1, .rounds = entry_flag(scales, "scales") ? 6 : 0};
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)borrowing_names));
  borrow_prior found = {.tau2 = entry_numbers(out, AT_tau2, T),
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

/* See variance.h. S, K: m x m; r: m; log_tau2 and log_s2: any numbers of them. Returns list(status, log_lik), log_lik a
 * matrix with a row for each s2 and a column for each tau2. */
SEXP transelect_variance_likelihood(SEXP S, SEXP K, SEXP r, SEXP log_tau2, SEXP log_s2,
                                    SEXP outside, SEXP rest)
{
  static const char *const parts[] = {"status", "log_lik", ""};
  const R_xlen_t m = XLENGTH(r);
  const variance_likelihood of = {
      .m = (size_t)m,
      .S = entry_doubles(S, m * m, "S"),
      .K = entry_doubles(K, m * m, "K"),
      .r = entry_doubles(r, m, "r"),
      .log_tau2 = entry_doubles(log_tau2, -1, "log_tau2"),
      .log_s2 = entry_doubles(log_s2, -1, "log_s2"),
      .n_tau2 = (size_t)XLENGTH(log_tau2),
      .n_s2 = (size_t)XLENGTH(log_s2),
      .outside = *entry_doubles(outside, 1, "outside"),
      .rest = *entry_doubles(rest, 1, "rest"),
  };
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)parts));
  SEXP log_lik = SET_VECTOR_ELT(out, 1, Rf_allocMatrix(REALSXP, (int)of.n_s2, (int)of.n_tau2));
  SET_VECTOR_ELT(out, 0, Rf_ScalarInteger((int)variance_log_likelihood(&of, REAL(log_lik))));
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

/* borrow_known(): list(status, coef, P, m, c0). */
SEXP transelect_borrow_known(SEXP domains, SEXP s2, SEXP borrowing)
{
  enum { AT_STATUS, AT_COEF, AT_P, AT_M, AT_C0 };
  static const char *const parts[] = {"status", "coef", "P", "m", "c0", ""};
  const borrow_domains all = read_domains(domains, s2, MANY, 0);
  const int T = all.T, p = (int)all.p;
  const borrow_variances known = read_borrowing(borrowing, &all);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)parts));
  borrow_posterior found = {.coef =
                                REAL(SET_VECTOR_ELT(out, AT_COEF, Rf_allocMatrix(REALSXP, p, T))),
                            .P = REAL(SET_VECTOR_ELT(out, AT_P, Rf_allocMatrix(REALSXP, p, p))),
                            .m = entry_numbers(out, AT_M, all.p)};
  const status state = borrow_known(&all, &known, &found);
  SET_VECTOR_ELT(out, AT_STATUS, Rf_ScalarInteger((int)state));
  entry_put(out, AT_C0, &found.c0, 1);
  UNPROTECT(1);
  return out;
}

/* ---- subsets --------------------------------------------------------------------------------- */

#define MOST 1e4      /* coordinates: A would have 800 MB */
#define MOST_SETS 1e8 /* bytes of sets in a list */

enum { AT_STATUS, AT_IN, AT_VALUE, AT_BOUND, AT_NODES, AT_SECONDS, AT_STOPPED, AT_AUDIT };
static const char *const answer_names[] = {"status",  "in",      "value", "bound", "nodes",
                                           "seconds", "stopped", "audit", ""};

static const signed char *read_force(SEXP force, size_t p)
{
  if (force == R_NilValue) return NULL;
  if (TYPEOF(force) != INTSXP || (size_t)XLENGTH(force) != p)
    Rf_error("'force' must be of type integer and have one code a group");
  signed char *codes = ALLOC(p, signed char);
  for (size_t g = 0; g < p; g++) {
    const int code = INTEGER(force)[g];
    if (code < -1 || code > 1) Rf_error("'force' has a code out of range");
    codes[g] = (signed char)code;
  }
  return codes;
}

/* form$parents: absent, or a logical matrix p x p: is the group of the row in every set that has that of the column? */
static const unsigned char *read_parents(SEXP form, size_t p)
{
  SEXP names = Rf_getAttrib(form, R_NamesSymbol), given = R_NilValue;
  for (R_xlen_t k = 0; k < XLENGTH(form); k++)
    if (strcmp(CHAR(STRING_ELT(names, k)), "parents") == 0) given = VECTOR_ELT(form, k);
  if (given == R_NilValue) return NULL;
  if (TYPEOF(given) != LGLSXP || (size_t)XLENGTH(given) != p * p)
    Rf_error("'parents' must be a logical matrix with a row and a column for each group");
  unsigned char *parent = ALLOC(p * p, unsigned char);
  for (size_t k = 0; k < p * p; k++) parent[k] = LOGICAL(given)[k] == TRUE;
  return parent;
}

/* sizes: c(from, to), or NULL where the size is not given. Returns the number of answers. */
static size_t read_sizes(SEXP sizes, size_t p, size_t *from)
{
  if (sizes == R_NilValue) return 1;
  const double *range = entry_doubles(sizes, 2, "sizes");
  if (!(range[0] >= 0 && range[0] <= range[1] && range[1] <= (double)p))
    Rf_error("'sizes' must be a range within 0 and the number of groups");
  *from = (size_t)range[0];
  return (size_t)range[1] - *from + 1;
}

static subset_answer *answers_new(size_t count, size_t p)
{
  subset_answer *answers = ALLOC(count, subset_answer);
  unsigned char *in = ALLOC(count * p, unsigned char);
  for (size_t k = 0; k < count; k++) answers[k].in = in + k * p;
  return answers;
}

static const char *stop_word(enum subset_stop stopped)
{
  static const char *const words[] = {[SUBSET_COMPLETE] = "complete",
                                      [SUBSET_NODES] = "nodes",
                                      [SUBSET_SECONDS] = "seconds",
                                      [SUBSET_INTERRUPT] = "interrupt",
                                      [SUBSET_NUMERICS] = "numerics"};
  return words[stopped];
}

static void fill_answers(SEXP out, const subset_answer *answers, size_t count, size_t p)
{
  SEXP in = SET_VECTOR_ELT(out, AT_IN, Rf_allocMatrix(LGLSXP, (int)p, (int)count));
  SEXP stopped = SET_VECTOR_ELT(out, AT_STOPPED, Rf_allocVector(STRSXP, (R_xlen_t)count));
  double *number[AT_AUDIT + 1] = {0};
  for (int at = AT_VALUE; at <= AT_AUDIT; at++)
    if (at != AT_STOPPED) number[at] = entry_numbers(out, at, count);
  for (size_t k = 0; k < count; k++) {
    const subset_answer *a = answers + k;
    for (size_t g = 0; g < p; g++) LOGICAL(in)[g + k * p] = a->in[g];
    SET_STRING_ELT(stopped, (R_xlen_t)k, Rf_mkChar(stop_word(a->stopped)));
    number[AT_VALUE][k] = a->value;
    number[AT_BOUND][k] = a->bound;
    number[AT_NODES][k] = a->nodes;
    number[AT_SECONDS][k] = a->seconds;
    number[AT_AUDIT][k] = a->audit;
  }
}

/* form: list(A, b, n_domains, ...) of p features; returns its number of coordinates. */
static size_t read_form(SEXP form, size_t p, const double **A, const double **b, size_t *T)
{
  *T = (size_t)entry_number(entry_field(form, "n_domains", "form"), 1, MOST, "n_domains");
  const double N = (double)p * (double)*T;
  if (N > MOST) Rf_error("'form' has a problem of %.0f coordinates", N);
  *A = entry_doubles(entry_field(form, "A", "form"), (R_xlen_t)(N * N), "A");
  *b = entry_doubles(entry_field(form, "b", "form"), (R_xlen_t)N, "b");
  return (size_t)N;
}

/* form: list(A, b, c0, n_domains); settings: of tlcp(), of which `max_nodes` and `max_seconds` are read. */
static subset_problem read_problem(SEXP form, SEXP pen, SEXP force, SEXP settings)
{
  subset_problem q = {0};
  q.pen = entry_doubles(pen, -1, "pen");
  q.p = (size_t)XLENGTH(pen);
  read_form(form, q.p, &q.A, &q.b, &q.T);
  q.c0 = *entry_doubles(entry_field(form, "c0", "form"), 1, "c0");
  q.force = read_force(force, q.p);
  q.parent = read_parents(form, q.p);
  entry_class(settings, "tlcp_settings");
  q.max_nodes = entry_option(settings, "max_nodes", 0, HUGE_VAL);
  q.max_seconds = entry_option(settings, "max_seconds", 0, HUGE_VAL);
  return q;
}

/* form: list(A, b, c0, n_domains) and perhaps `parents`: the A (pT x pT), b, c0 and T of subset_problem. force: NULL, or 1 in, -1 out,
 * 0 free. sizes: NULL for the optimum under `pen`, or c(from, to) for the best set of each size. settings: of tlcp(), of
 * which `max_nodes` and `max_seconds` are read. Returns a list as named above; for each answer `in` has a column, and
 * the elements after it have a number or a word. */
SEXP transelect_subset(SEXP form, SEXP pen, SEXP force, SEXP sizes, SEXP audit, SEXP settings)
{
  subset_problem q = read_problem(form, pen, force, settings);
  q.audit = entry_flag(audit, "audit");
  size_t from = 0;
  const size_t count = read_sizes(sizes, q.p, &from);
  subset_answer *answers = answers_new(count, q.p);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)answer_names));
  const status state = sizes == R_NilValue ? subset_search(&q, answers)
                                           : subset_sizes(&q, from, from + count - 1, answers);
  SET_VECTOR_ELT(out, AT_STATUS, Rf_ScalarInteger((int)state));
  if (state == STATUS_OK) fill_answers(out, answers, count, q.p);
  UNPROTECT(1);
  return out;
}

/* form, pen, force, settings: of transelect_subset(); limit: of J; most: how many sets there may be. Returns
 * list(status, in, value, nodes, stopped, full): `in` has a column for each set, `full` says whether there are more. */
SEXP transelect_subset_within(SEXP form, SEXP pen, SEXP force, SEXP limit, SEXP most, SEXP settings)
{
  enum { WITHIN_STATUS, WITHIN_IN, WITHIN_VALUE, WITHIN_NODES, WITHIN_STOPPED, WITHIN_FULL };
  static const char *const parts[] = {"status", "in", "value", "nodes", "stopped", "full", ""};
  const subset_problem q = read_problem(form, pen, force, settings);
  subset_list list = {.limit = *entry_doubles(limit, 1, "limit"),
                      .most = (size_t)entry_number(most, 1, MOST_SETS / (double)(q.p + 1), "most")};
  list.in = ALLOC(list.most * q.p, unsigned char);
  list.value = ALLOC(list.most, double);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)parts));
  const status state = subset_within(&q, &list);
  SET_VECTOR_ELT(out, WITHIN_STATUS, Rf_ScalarInteger((int)state));
  if (state == STATUS_OK) {
    SEXP in = SET_VECTOR_ELT(out, WITHIN_IN, Rf_allocMatrix(LGLSXP, (int)q.p, (int)list.found));
    for (size_t i = 0; i < list.found * q.p; i++) LOGICAL(in)[i] = list.in[i];
    double *value = entry_numbers(out, WITHIN_VALUE, list.found);
    for (size_t k = 0; k < list.found; k++) value[k] = list.value[k];
    SET_VECTOR_ELT(out, WITHIN_NODES, Rf_ScalarReal(list.nodes));
    SET_VECTOR_ELT(out, WITHIN_STOPPED, Rf_mkString(stop_word(list.stopped)));
    SET_VECTOR_ELT(out, WITHIN_FULL, Rf_ScalarLogical(list.full));
  }
  UNPROTECT(1);
  return out;
}

/* form: list(A, b, n_domains); in: logical, groups x sets; H: coordinates x coordinates, or NULL. Returns
 * list(status, w, df), see subset_models.h: w is coordinates x sets, df a number for each set, NULL without H. */
SEXP transelect_subset_models(SEXP form, SEXP in, SEXP H)
{
  SEXP dim = Rf_getAttrib(in, R_DimSymbol);
  if (TYPEOF(in) != LGLSXP || TYPEOF(dim) != INTSXP || XLENGTH(dim) != 2)
    Rf_error("'in' must be a logical matrix");
  subset_form q = {.p = (size_t)INTEGER(dim)[0]};
  const size_t N = read_form(form, q.p, &q.A, &q.b, &q.T), count = (size_t)INTEGER(dim)[1];
  q.H = H == R_NilValue ? NULL : entry_doubles(H, (R_xlen_t)(N * N), "H");
  const char *parts[] = {"status", "w", "df", ""};
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, parts));
  SEXP w = SET_VECTOR_ELT(out, 1, Rf_allocMatrix(REALSXP, (int)N, (int)count));
  double *df = q.H ? entry_numbers(out, 2, count) : NULL;
  const status state = subset_models(&q, LOGICAL(in), count, REAL(w), df);
  SET_VECTOR_ELT(out, 0, Rf_ScalarInteger((int)state));
  UNPROTECT(1);
  return out;
}
