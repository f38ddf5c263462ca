/* variance_entry.c - residual variances of the domains (domain_variances.c), and the residual variance of a target with
 * few degrees of freedom, given the other domains (variance.c). */
#include "variance_entry.h"

#include <math.h>
#include <string.h>

#include "blas.h"
#include "kernels.h"
#include "moderate.h"
#include "routines.h"
#include "variance.h"

#define SINGULAR 1e-10 /* an eigenvalue below this share of the largest is rounding */

/* XX' of a domain that is given by its rows, X with the level's column last; *y <- its response. */
static double *kernel_of_rows(SEXP domain, size_t *n, const double **y)
{
  const matrix X = entry_matrix(entry_field(domain, "X", "domains"), 1, 1, "X");
  SEXP one = entry_element(domain, "one");
  const double *level = one == R_NilValue ? NULL : entry_doubles(one, (R_xlen_t)X.rows, "one");
  const size_t p = X.columns + (level != NULL);
  double *columns = ROOM(X.rows * p, double), *K = ROOM(X.rows * X.rows, double);
  for (size_t i = 0; i < X.rows; i++) {
    for (size_t j = 0; j < X.columns; j++) columns[j + i * p] = X.x[i + j * X.rows];
    if (level) columns[p - 1 + i * p] = level[i];
  }
  kernels->gram(COLUMNS(columns, p, X.rows), K);
  *n = X.rows;
  *y = entry_doubles(entry_field(domain, "y", "domains"), (R_xlen_t)X.rows, "y");
  return K;
}

/* variance_of_ridge() for a domain, from its rows or from its second moments. */
static double ridge_of(SEXP domain, double yy)
{
  const int rows = entry_element(domain, "X") != R_NilValue;
  SEXP fit = entry_field(domain, "fit", "domains");
  const double *right;
  size_t order;
  double *A;
  if (rows) {
    A = kernel_of_rows(domain, &order, &right);
  } else {
    SEXP g = entry_field(domain, "g", "domains");
    order = (size_t)XLENGTH(g);
    right = entry_doubles(g, -1, "g");
    A = ROOM(order * order, double);
    memcpy(A, entry_doubles(entry_field(domain, "G", "domains"), (R_xlen_t)(order * order), "G"),
           order * order * sizeof(double));
  }
  double *d = ALLOC(order, double), *vector = ROOM(order * order, double),
         *u2 = ALLOC(order, double);
  for (size_t k = 0; k < order * order; k++)
    if (!isfinite(A[k])) return NAN;
  if (order < 1 || !blas_eigen(A, order, d, vector)) return NAN;
  const double least = SINGULAR * fmax(d[order - 1], 0);
  size_t r = 0;
  for (size_t k = 0; k < order; k++) {
    if (!(d[k] > least)) continue;
    const double u = dot(vector + k * order, right, order);
    u2[r] = rows ? u * u : u * u / d[k];
    d[r++] = d[k];
  }
  const double m = *entry_doubles(entry_field(fit, "df", "fit"), 1, "df") +
                   (double)XLENGTH(entry_field(fit, "kept", "fit"));
  return variance_of_ridge(d, u2, r, yy, m);
}

variance_found entry_variances(SEXP domains, SEXP given, int moderate)
{
  if (TYPEOF(domains) != VECSXP || XLENGTH(domains) < 1) Rf_error("'domains' must be a list");
  const size_t T = (size_t)XLENGTH(domains);
  double *rss = ALLOC(T, double), *df = ALLOC(T, double), *square = ALLOC(T, double),
         *yy = ALLOC(T, double);
  double *numbers = ALLOC(T, double), *ridge = NULL;
  int *known = ALLOC(T, int);
  const size_t n_given = given == R_NilValue ? 0 : (size_t)XLENGTH(given);
  const double *values = n_given ? entry_positive(given, -1, "given") : NULL;
  size_t rows = 0; /* how many of `given` have been used */
  for (size_t t = 0; t < T; t++) {
    SEXP domain = VECTOR_ELT(domains, (R_xlen_t)t), fit = entry_field(domain, "fit", "domains");
    SEXP flag = entry_element(domain, "known");
    known[t] = flag != R_NilValue && entry_flag(flag, "known");
    rss[t] = *entry_doubles(entry_field(fit, "rss", "fit"), 1, "rss");
    df[t] = fmax(*entry_doubles(entry_field(fit, "df", "fit"), 1, "df"), 0);
    yy[t] = *entry_doubles(entry_field(domain, "yy", "domains"), 1, "yy");
    square[t] = yy[t] / *entry_doubles(entry_field(domain, "n", "domains"), 1, "n");
    if (known[t] || rows >= n_given) continue;
    const double scale = *entry_positive(entry_field(domain, "y_scale", "domains"), 1, "y_scale");
    numbers[rows] = values[rows] / (scale * scale);
    rows++;
  }
  const variance_domains all = {.T = T,
                                .rss = rss,
                                .df = df,
                                .square = square,
                                .known = known,
                                .moderate = moderate,
                                .given = numbers,
                                .n_given = rows};
  variance_found out = {ALLOC(T, double), ALLOC(T, double), ALLOC(T, enum variance_source)};
  if (!variance_any_degrees(&all)) {
    ridge = ALLOC(T, double);
    for (size_t t = 0; t < T; t++)
      if (!known[t]) ridge[t] = ridge_of(VECTOR_ELT(domains, (R_xlen_t)t), yy[t]);
  }
  domain_variances(&all, ridge, &out);
  return out;
}

/* Adds the second moments of a domain about its means, divided by s2, to G (p x p) and g. *yy <- its y'y, not
 * divided. */
static void add_about_mean(SEXP domain, size_t p, double s2, double *G, double *g, double *yy)
{
  const int level = entry_flag(entry_field(domain, "level", "domains"), "level");
  const size_t q = p + (size_t)level;
  const double *own_G = entry_doubles(entry_field(domain, "G", "domains"), (R_xlen_t)(q * q), "G");
  const double *own_g = entry_doubles(entry_field(domain, "g", "domains"), (R_xlen_t)q, "g");
  const double n = entry_number(entry_field(domain, "n", "domains"), 0, HUGE_VAL, "n"),
               each = level && n > 0 ? 1 / n : 0;
  SEXP varies = entry_field(domain, "varies", "domains");
  if (TYPEOF(varies) != LGLSXP || (size_t)XLENGTH(varies) != p)
    Rf_error("'varies' must be logical, of each column");
  const double *row = own_G + p * q, y = level ? own_g[p] : 0; /* products with the level's column */
  for (size_t j = 0; j < p; j++) {
    if (level && !LOGICAL(varies)[j]) continue;
    const double away = level ? row[j] * each : 0;
    for (size_t i = 0; i < p; i++)
      if (!level || LOGICAL(varies)[i])
        G[i + j * p] += (own_G[i + j * q] - (level ? row[i] * away : 0)) / s2;
    g[j] += (own_g[j] - away * y) / s2;
  }
  *yy = *entry_doubles(entry_field(domain, "yy", "domains"), 1, "yy") - y * y * each;
}

/* *rows <- the target's and the other domains' rows (variance_rows) from their second moments. */
static void read_moments(SEXP domains, const double *s2, size_t T, int intercept, variance_rows *rows)
{
  SEXP target = VECTOR_ELT(domains, 0), varies = entry_field(target, "varies", "domains");
  const size_t p = (size_t)XLENGTH(varies);
  double *G = ALLOC(p * p, double), *g = ALLOC(p, double), *others_G = ALLOC(p * p, double),
         *others_g = ALLOC(p, double);
  double yy, of_other;
  add_about_mean(target, p, 1, G, g, &yy);
  for (size_t t = 1; t < T; t++)
    add_about_mean(VECTOR_ELT(domains, (R_xlen_t)t), p, s2[t], others_G, others_g, &of_other);
  const double n = entry_number(entry_field(target, "n", "domains"), 0, HUGE_VAL, "n") - intercept;
  variance_rows_of_moments(G, g, others_G, others_g, p, yy, n, rows);
}

static int any_varies(SEXP domain)
{
  SEXP varies = entry_field(domain, "varies", "domains");
  if (TYPEOF(varies) != LGLSXP) Rf_error("'varies' must be logical");
  for (R_xlen_t j = 0; j < XLENGTH(varies); j++)
    if (LOGICAL(varies)[j] == TRUE) return 1;
  return 0;
}

/* The logarithm of the mean residual variance of the other domains, weighted by their degrees of freedom. Where they
 * have no degrees of freedom, the logarithm of the target's variance that was found without them. */
static double centre_of_others(SEXP domains, const variance_found *found, size_t T)
{
  double sum = 0, all = 0;
  for (size_t t = 1; t < T; t++) {
    SEXP domain = VECTOR_ELT(domains, (R_xlen_t)t), known = entry_element(domain, "known");
    if (known != R_NilValue && entry_flag(known, "known")) continue;
    SEXP fit = entry_field(domain, "fit", "domains");
    const double df = fmax(*entry_doubles(entry_field(fit, "df", "fit"), 1, "df"), 0);
    sum += found->s2[t] * df;
    all += df;
  }
  return log(all > 0 ? sum / all : found->s2[0]);
}

static variance_grid read_grid(SEXP grid)
{
  SEXP log_s2 = entry_field(grid, "log_s2", "grid"),
       log_tau2 = entry_field(grid, "log_tau2", "grid");
  return (variance_grid){.n_s2 = (size_t)XLENGTH(log_s2),
                         .n_tau2 = (size_t)XLENGTH(log_tau2),
                         .log_s2 = entry_doubles(log_s2, -1, "log_s2"),
                         .log_prior = entry_doubles(entry_field(grid, "log_prior", "grid"),
                                                    XLENGTH(log_s2), "log_prior"),
                         .log_tau2 = entry_doubles(log_tau2, -1, "log_tau2")};
}

status entry_variances_for_borrowing(SEXP domains, SEXP given, int intercept, SEXP grid,
                                     variance_found *out)
{
  *out = entry_variances(domains, given, 1);
  const size_t T = (size_t)XLENGTH(domains);
  SEXP target = VECTOR_ELT(domains, 0), fit = entry_field(target, "fit", "domains");
  const double df = *entry_doubles(entry_field(fit, "df", "fit"), 1, "df");
  int others_vary = 0;
  for (size_t t = 1; t < T; t++) others_vary |= any_varies(VECTOR_ELT(domains, (R_xlen_t)t));
  if (df >= VARIANCE_LEAST_DF || out->from[0] == VARIANCE_GIVEN || !others_vary ||
      !any_varies(target))
    return STATUS_OK;
  variance_grid about = read_grid(grid);
  about.centre = centre_of_others(domains, out, T);
  variance_rows known;
  double mean, variance;
  if (!isfinite(about.centre)) return STATUS_SINGULAR;
  read_moments(domains, out->s2, T, intercept, &known);
  const status state = variance_posterior(&known, &about, &mean, &variance);
  if (state != STATUS_OK) return state;
  out->s2[0] = exp(mean);
  out->df[0] = 2 * trigamma_inverse(variance);
  out->from[0] = VARIANCE_GIVEN_OTHERS;
  return STATUS_OK;
}

void entry_put_variances(SEXP out, int at, const variance_found *found, size_t T)
{
  entry_put(out, at, found->s2, T);
  int *from = entry_ints(out, at + 1, T);
  for (size_t t = 0; t < T; t++) from[t] = (int)found->from[t] + 1;
  entry_put(out, at + 2, found->df, T);
}

enum { FOUND_STATUS, FOUND_S2 };
static const char *const found_names[] = {"status", "s2", "from", "df", ""};

static SEXP found_list(status state, const variance_found *found, size_t T)
{
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)found_names));
  SET_VECTOR_ELT(out, FOUND_STATUS, Rf_ScalarInteger((int)state));
  entry_put_variances(out, FOUND_S2, found, T);
  UNPROTECT(1);
  return out;
}

/* domains, given, moderate: see entry_variances(); domains are moments or rows. Returns list(status, s2, from, df), T
 * numbers each; `from` has codes of enum variance_source, from 1 on. */
SEXP transelect_domain_variances(SEXP domains, SEXP given, SEXP moderate)
{
  const variance_found found = entry_variances(domains, given, entry_flag(moderate, "moderate"));
  return found_list(STATUS_OK, &found, (size_t)XLENGTH(domains));
}

/* entry_variances_for_borrowing() of domain moments: list(status, s2, from, df). grid: list(log_s2, log_prior,
 * log_tau2), see transelect_variance_posterior(). */
SEXP transelect_borrow_variances(SEXP domains, SEXP given, SEXP intercept, SEXP grid)
{
  variance_found found;
  const status state = entry_variances_for_borrowing(
      domains, given, entry_flag(intercept, "intercept"), grid, &found);
  return found_list(state, &found, (size_t)XLENGTH(domains));
}

/* variance_of_ridge(): d and u2 of the same length; yy and m one number each. */
SEXP transelect_ridge_variance(SEXP d, SEXP u2, SEXP yy, SEXP m)
{
  const size_t r = (size_t)XLENGTH(d);
  return Rf_ScalarReal(variance_of_ridge(entry_doubles(d, -1, "d"),
                                         entry_doubles(u2, (R_xlen_t)r, "u2"), r,
                                         *entry_doubles(yy, 1, "yy"), *entry_doubles(m, 1, "m")));
}

/* s2: a matrix of variances, df: the degrees of freedom of its columns. Returns list(s2, d0), see moderate_by_df(),
 * which is applied to each row. */
SEXP transelect_moderated(SEXP s2, SEXP df)
{
  static const char *const parts[] = {"s2", "d0", ""};
  const matrix of = entry_matrix(s2, 0, 1, "s2");
  const double *freedom = entry_doubles(df, (R_xlen_t)of.columns, "df");
  double *row = ROOM(of.columns, double), *work = ROOM(of.columns, double);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)parts));
  double *shrunk =
      REAL(SET_VECTOR_ELT(out, 0, Rf_allocMatrix(REALSXP, (int)of.rows, (int)of.columns)));
  double *d0 = entry_numbers(out, 1, of.rows);
  for (size_t i = 0; i < of.rows; i++) {
    for (size_t t = 0; t < of.columns; t++) row[t] = of.x[i + t * of.rows];
    d0[i] = moderate_by_df(row, freedom, of.columns, work, row);
    for (size_t t = 0; t < of.columns; t++) shrunk[i + t * of.rows] = row[t];
  }
  UNPROTECT(1);
  return out;
}

/* variance_posterior(). domains: T domain moments, the target first; s2: their residual variances; rows: NULL, or in
 * place of domains list(square, y, kernel, across, others, yy, n): K, y, RR', ZR', u, y'y and the number of directions
 * (variance.h). log_s2, log_prior, log_tau2: the grids, about `centre` and log omega2. Returns list(status, mean,
 * variance, df): mean and variance of log s2, and the degrees of freedom of a chi-squared whose logarithm has this
 * variance. */
SEXP transelect_variance_posterior(SEXP domains, SEXP s2, SEXP intercept, SEXP rows, SEXP centre,
                                   SEXP log_s2, SEXP log_prior, SEXP log_tau2)
{
  static const char *const parts[] = {"status", "mean", "variance", "df", ""};
  const variance_grid grid = {.n_s2 = (size_t)XLENGTH(log_s2),
                              .n_tau2 = (size_t)XLENGTH(log_tau2),
                              .log_s2 = entry_doubles(log_s2, -1, "log_s2"),
                              .log_prior = entry_doubles(log_prior, XLENGTH(log_s2), "log_prior"),
                              .log_tau2 = entry_doubles(log_tau2, -1, "log_tau2"),
                              .centre = *entry_doubles(centre, 1, "centre")};
  variance_rows known = {0};
  if (rows == R_NilValue) {
    const double *variance = entry_positive(s2, -1, "s2");
    if (TYPEOF(domains) != VECSXP || XLENGTH(domains) != XLENGTH(s2) || XLENGTH(s2) < 2)
      Rf_error("'domains' must be a list with one element for each of 's2'");
    read_moments(domains, variance, (size_t)XLENGTH(s2), entry_flag(intercept, "intercept"), &known);
  } else {
    const R_xlen_t m = XLENGTH(entry_field(rows, "y", "rows")),
                   r = XLENGTH(entry_field(rows, "others", "rows"));
    known = (variance_rows){
        .m = (size_t)m,
        .r = (size_t)r,
        .K = entry_doubles(entry_field(rows, "square", "rows"), m * m, "square"),
        .y = entry_doubles(entry_field(rows, "y", "rows"), m, "y"),
        .L = entry_doubles(entry_field(rows, "kernel", "rows"), r * r, "kernel"),
        .across = entry_doubles(entry_field(rows, "across", "rows"), m * r, "across"),
        .u = entry_doubles(entry_field(rows, "others", "rows"), r, "others"),
        .yy = *entry_doubles(entry_field(rows, "yy", "rows"), 1, "yy"),
        .n = entry_number(entry_field(rows, "n", "rows"), -HUGE_VAL, HUGE_VAL, "n")};
  }
  double mean = NA_REAL, spread = NA_REAL;
  const status s = variance_posterior(&known, &grid, &mean, &spread);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)parts));
  SET_VECTOR_ELT(out, 0, Rf_ScalarInteger((int)s));
  SET_VECTOR_ELT(out, 1, Rf_ScalarReal(mean));
  SET_VECTOR_ELT(out, 2, Rf_ScalarReal(spread));
  SET_VECTOR_ELT(out, 3, Rf_ScalarReal(s == STATUS_OK ? 2 * trigamma_inverse(spread) : NA_REAL));
  UNPROTECT(1);
  return out;
}
