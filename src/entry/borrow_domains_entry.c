/* borrow_domains_entry.c - see borrow_domains_entry.h. */
#include "borrow_domains_entry.h"

#include <math.h>
#include <string.h>

#include "kernels.h"

/* One domain of borrow_domains (borrow.h): H = G/s2 and g/s2; the other elements are of its least squares fit. */
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

/* Domains given by their rows, see entry_borrow_domains(). */
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

borrow_domains entry_borrow_domains(SEXP domains, SEXP s2, int most, int fitted)
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

const double *entry_borrow_numbers(SEXP borrowing, const char *name, R_xlen_t n)
{
  return entry_positive(entry_field(borrowing, name, "borrowing"), n, name);
}

borrow_variances entry_borrow_variances(SEXP borrowing, const borrow_domains *domains)
{
  const R_xlen_t p = (R_xlen_t)domains->p;
  return (borrow_variances){.common = entry_borrow_numbers(borrowing, "common", p),
                            .own = entry_borrow_numbers(borrowing, "own", p * domains->T),
                            .scale = entry_borrow_numbers(borrowing, "scales", p)};
}
