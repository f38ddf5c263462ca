/* domains_entry.c - domains as second moments, made from the sums of their rows, and their least squares fits
 * (domain_moments.c). */
#include "domains_entry.h"

#include <math.h>
#include <string.h>

#include "routines.h"

#define DOMAIN(of)                                                                                 \
  of(name), of(n), of(x_mean), of(y_mean), of(x_scale), of(y_scale), of(G), of(g), of(yy),         \
      of(varies), of(level), of(fit)
enum { DOMAIN(PLACE) };
static const char *const domain_names[] = {DOMAIN(TEXT), ""};

enum { FIT_COEF, FIT_KEPT, FIT_RSS, FIT_LOG_DET, FIT_DF };
static const char *const fit_names[] = {"coef", "kept", "rss", "log_det", "df", ""};

/* The least squares fit as a list. df = n minus the number of columns kept. n: the number of rows, less one for an
 * intercept that is no column of G; NA where the number is not known. most, share: see domain_moments.h. */
static SEXP fit_list(const double *G, const double *g, double yy, size_t p, double n, size_t most,
                     double share)
{
  domain_fit fit = {.kept = ALLOC(p, int)};
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)fit_names));
  fit.coef = entry_numbers(out, FIT_COEF, p);
  domain_least_squares(G, g, yy, p, most, share, &fit);
  entry_put_ints(out, FIT_KEPT, fit.kept, fit.rank, 1);
  entry_put(out, FIT_RSS, &fit.rss, 1);
  entry_put(out, FIT_LOG_DET, &fit.log_det, 1);
  const double df = n - (double)fit.rank;
  entry_put(out, FIT_DF, &df, 1);
  UNPROTECT(1);
  return out;
}

SEXP entry_domain(const domain_sums *sums, const domain_units *units, SEXP name)
{
  const size_t p = units->q - 1;
  const int level = units->centre != NULL;
  const size_t order = p + (size_t)level;
  const double zero = 0, *mean = level ? units->centre : sums->mean;
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)domain_names));
  SET_VECTOR_ELT(out, AT_name, Rf_ScalarString(name));
  entry_put(out, AT_n, &sums->n, 1);
  double *x_mean = entry_numbers(out, AT_x_mean, p);
  for (size_t j = 0; j < p; j++) x_mean[j] = units->intercept ? mean[j] : 0;
  entry_put(out, AT_y_mean, units->intercept ? mean + p : &zero, 1);
  entry_put(out, AT_x_scale, units->scale, p);
  entry_put(out, AT_y_scale, units->scale + p, 1);
  SEXP G = SET_VECTOR_ELT(out, AT_G, Rf_allocMatrix(REALSXP, (int)order, (int)order));
  double *g = entry_numbers(out, AT_g, order), yy;
  domain_moments(sums, units, REAL(G), g, &yy);
  entry_put(out, AT_yy, &yy, 1);
  SEXP varies = SET_VECTOR_ELT(out, AT_varies, Rf_allocVector(LGLSXP, (R_xlen_t)p));
  for (size_t j = 0; j < p; j++) LOGICAL(varies)[j] = !units->flat[j];
  SET_VECTOR_ELT(out, AT_level, Rf_ScalarLogical(level));
  const double n = sums->n - (units->intercept && !level);
  const size_t most = n < (double)order ? (size_t)fmax(n, 0) : order;
  SET_VECTOR_ELT(out, AT_fit, fit_list(REAL(G), g, yy, order, n, most, ROUNDING_SHARE));
  UNPROTECT(1);
  return out;
}

domain_sums entry_cell(SEXP cell, size_t q)
{
  return (domain_sums){
      .n = entry_number(entry_field(cell, "n", "cells"), 0, HUGE_VAL, "n"),
      .weight = entry_number(entry_field(cell, "weight", "cells"), 0, HUGE_VAL, "weight"),
      .mean = entry_doubles(entry_field(cell, "mean", "cells"), (R_xlen_t)q, "mean"),
      .cross = entry_doubles(entry_field(cell, "cross", "cells"), (R_xlen_t)(q * q), "cross")};
}

#define SUMS_PLACE(name) SUMS_##name
#define SUMS(of)                                                                                   \
  of(cells), of(intercept), of(n), of(mean), of(square), of(spread), of(moderated), of(binary),    \
      of(df), of(within), of(centre)
enum { SUMS(SUMS_PLACE) };
static const char *const sums_names[] = {SUMS(TEXT), ""};

static double *put_matrix(SEXP out, int at, size_t rows, size_t columns)
{
  return REAL(SET_VECTOR_ELT(out, at, Rf_allocMatrix(REALSXP, (int)rows, (int)columns)));
}

/* cells: as for transelect_domain_moments(). Returns a list as named above: cells and intercept as they were
 * given; n and df (n - 1, at least 0), T numbers; mean, square and spread, q x T (domain_spread); moderated, q x T, see
 * domain_moderated(); binary, q - 1: does the column consist of zeros and ones in every domain?; within, q: standard
 * deviations within domains; centre, q: means over the rows of all domains. */
SEXP transelect_domain_sums(SEXP cells, SEXP intercept)
{
  if (TYPEOF(cells) != VECSXP || XLENGTH(cells) < 1) Rf_error("'cells' must be a list");
  const size_t T = (size_t)XLENGTH(cells);
  const size_t q = (size_t)XLENGTH(entry_field(VECTOR_ELT(cells, 0), "mean", "cells"));
  const int about_mean = entry_flag(intercept, "intercept");
  if (q < 2) Rf_error("'cells' must have a column and a response");
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)sums_names));
  SET_VECTOR_ELT(out, SUMS_cells, cells);
  SET_VECTOR_ELT(out, SUMS_intercept, intercept);
  double *n = entry_numbers(out, SUMS_n, T), *df = entry_numbers(out, SUMS_df, T);
  domain_spread all = {.mean = put_matrix(out, SUMS_mean, q, T),
                       .square = put_matrix(out, SUMS_square, q, T),
                       .spread = put_matrix(out, SUMS_spread, q, T),
                       .binary = ALLOC(q, int)};
  double *within = entry_numbers(out, SUMS_within, q), *centre = entry_numbers(out, SUMS_centre, q);
  int *binary = LOGICAL(SET_VECTOR_ELT(out, SUMS_binary, Rf_allocVector(LGLSXP, (R_xlen_t)q - 1)));
  double rows = 0, freedom = 0;
  for (size_t j = 0; j < q; j++) within[j] = centre[j] = 0;
  for (size_t j = 0; j < q - 1; j++) binary[j] = 1;
  for (size_t t = 0; t < T; t++) {
    const domain_sums sums = entry_cell(VECTOR_ELT(cells, (R_xlen_t)t), q);
    domain_spread one = {all.mean + t * q, all.square + t * q, all.spread + t * q, all.binary};
    domain_spreads(&sums, q, about_mean, &one);
    n[t] = sums.n;
    df[t] = sums.n > 1 ? sums.n - 1 : 0;
    rows += n[t];
    freedom += df[t];
    for (size_t j = 0; j < q; j++) {
      within[j] += df[t] * one.spread[j] * one.spread[j];
      centre[j] += n[t] * one.mean[j];
      if (j < q - 1) binary[j] = binary[j] && one.binary[j];
    }
  }
  for (size_t j = 0; j < q; j++) {
    within[j] = sqrt(within[j] / (freedom > 1 ? freedom : 1));
    centre[j] /= rows;
  }
  domain_moderated(all.spread, df, binary, q, T, put_matrix(out, SUMS_moderated, q, T));
  UNPROTECT(1);
  return out;
}

/* cells: named list of T lists with n, weight, mean (q) and cross (q x q), the response last. scale: q x
 * T, what columns are divided by; flat: q x T logical, is the column constant? centre: NULL, or q means about which
 * columns are centred in all domains, which then have a level. Returns for each cell a list as named in DOMAIN. */
SEXP transelect_domain_moments(SEXP cells, SEXP scale, SEXP flat, SEXP centre, SEXP intercept)
{
  const matrix scales = entry_matrix(scale, 2, 1, "scale");
  const size_t q = scales.rows, T = scales.columns;
  SEXP names = Rf_getAttrib(cells, R_NamesSymbol);
  if (TYPEOF(cells) != VECSXP || (size_t)XLENGTH(cells) != T || TYPEOF(names) != STRSXP)
    Rf_error("'cells' must be a named list with an element for each column of 'scale'");
  if (TYPEOF(flat) != LGLSXP || (size_t)XLENGTH(flat) != q * T)
    Rf_error("'flat' must be logical, of the size of 'scale'");
  const double *means = centre == R_NilValue ? NULL : entry_doubles(centre, (R_xlen_t)q, "centre");
  SEXP out = PROTECT(Rf_allocVector(VECSXP, (R_xlen_t)T));
  Rf_setAttrib(out, R_NamesSymbol, names);
  for (size_t t = 0; t < T; t++) {
    SEXP cell = VECTOR_ELT(cells, (R_xlen_t)t);
    const domain_sums sums = entry_cell(cell, q);
    const domain_units units = {.q = q,
                                .intercept = entry_flag(intercept, "intercept"),
                                .scale = scales.x + t * q,
                                .flat = LOGICAL(flat) + t * q,
                                .centre = means};
    SET_VECTOR_ELT(out, (R_xlen_t)t, entry_domain(&sums, &units, STRING_ELT(names, (R_xlen_t)t)));
  }
  UNPROTECT(1);
  return out;
}

SEXP entry_own_level(SEXP domain, int intercept)
{
  enum { AT_YY, AT_SCORE, AT_GRAM, AT_LEAST };
  static const char *const parts[] = {"yy", "g", "G", "fit", ""};
  SEXP given = entry_field(domain, "g", "domains"), varies = entry_element(domain, "varies");
  const double *g = entry_doubles(given, -1, "g");
  const size_t order = (size_t)XLENGTH(given), p = order - 1;
  if (order < 1) Rf_error("'g' must have a level");
  const double *G =
      entry_doubles(entry_field(domain, "G", "domains"), (R_xlen_t)(order * order), "G");
  const double n = Rf_asReal(entry_field(domain, "n", "domains"));
  const double each = n > 0 ? 1 / n : 0; /* n = 0: estimates without information on the level */
  double yy = *entry_doubles(entry_field(domain, "yy", "domains"), 1, "yy") - g[p] * g[p] * each;
  if (varies != R_NilValue && (TYPEOF(varies) != LGLSXP || (size_t)XLENGTH(varies) != p))
    Rf_error("'varies' must be logical, one for each column");
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)parts));
  entry_put(out, AT_YY, &yy, 1);
  double *score = entry_numbers(out, AT_SCORE, p);
  double *gram = REAL(SET_VECTOR_ELT(out, AT_GRAM, Rf_allocMatrix(REALSXP, (int)p, (int)p)));
  const double *row = G + p * order;
  for (size_t j = 0; j < p; j++) {
    const int flat = varies != R_NilValue && LOGICAL(varies)[j] != TRUE;
    score[j] = flat ? 0 : g[j] - row[j] * g[p] * each;
    for (size_t i = 0; i < p; i++) {
      const int none = flat || (varies != R_NilValue && LOGICAL(varies)[i] != TRUE);
      gram[i + j * p] = none ? 0 : G[i + j * order] - row[i] * row[j] * each;
    }
  }
  SEXP pooled = entry_element(domain, "n_pooled");
  const double means = pooled == R_NilValue ? 1 : Rf_asReal(pooled);
  SET_VECTOR_ELT(out, AT_LEAST,
                 fit_list(gram, score, yy, p, n - (intercept ? means : 0), p, ROUNDING_SHARE));
  UNPROTECT(1);
  return out;
}

SEXP entry_domain_columns(SEXP domain, const int *columns, size_t count, int intercept)
{
  SEXP given = entry_field(domain, "g", "domains"),
       varies = entry_field(domain, "varies", "domains");
  const size_t order = (size_t)XLENGTH(given), p = (size_t)XLENGTH(varies);
  const int level = entry_flag(entry_field(domain, "level", "domains"), "level");
  const double *g = entry_doubles(given, -1, "g");
  const double *G =
      entry_doubles(entry_field(domain, "G", "domains"), (R_xlen_t)(order * order), "G");
  if (TYPEOF(varies) != LGLSXP || order != p + (size_t)level)
    Rf_error("'varies' must be logical, one for each column");
  const size_t left = count + (size_t)level;
  size_t *at = ALLOC(left, size_t);
  for (size_t j = 0; j < count; j++) {
    if (columns[j] < 1 || (size_t)columns[j] > p) Rf_error("'columns' is out of range");
    at[j] = (size_t)columns[j] - 1;
  }
  if (level) at[count] = p;
  SEXP out = PROTECT(Rf_shallow_duplicate(domain)), names = Rf_getAttrib(out, R_NamesSymbol);
  SEXP gram = PROTECT(Rf_allocMatrix(REALSXP, (int)left, (int)left));
  SEXP score = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)left));
  SEXP vary = PROTECT(Rf_allocVector(LGLSXP, (R_xlen_t)count));
  for (size_t j = 0; j < left; j++) {
    REAL(score)[j] = g[at[j]];
    for (size_t i = 0; i < left; i++) REAL(gram)[i + j * left] = G[at[i] + at[j] * order];
    if (j < count) LOGICAL(vary)[j] = LOGICAL(varies)[at[j]];
  }
  const double n = Rf_asReal(entry_field(domain, "n", "domains")) - (intercept && !level);
  SEXP fit = PROTECT(fit_list(REAL(gram), REAL(score),
                              *entry_doubles(entry_field(domain, "yy", "domains"), 1, "yy"), left,
                              n, left, ROUNDING_SHARE));
  for (R_xlen_t k = 0; k < XLENGTH(out); k++) {
    const char *name = CHAR(STRING_ELT(names, k));
    if (!strcmp(name, "G")) SET_VECTOR_ELT(out, k, gram);
    if (!strcmp(name, "g")) SET_VECTOR_ELT(out, k, score);
    if (!strcmp(name, "varies")) SET_VECTOR_ELT(out, k, vary);
    if (!strcmp(name, "fit")) SET_VECTOR_ELT(out, k, fit);
  }
  UNPROTECT(5);
  return out;
}

/* domains: list of domain moments with a level; intercept: do the means take degrees of freedom? Returns for each
 * domain what entry_own_level() returns. */
SEXP transelect_own_levels(SEXP domains, SEXP intercept)
{
  if (TYPEOF(domains) != VECSXP) Rf_error("'domains' must be a list");
  const int about_mean = entry_flag(intercept, "intercept");
  SEXP out = PROTECT(Rf_allocVector(VECSXP, XLENGTH(domains)));
  for (R_xlen_t t = 0; t < XLENGTH(domains); t++)
    SET_VECTOR_ELT(out, t, entry_own_level(VECTOR_ELT(domains, t), about_mean));
  UNPROTECT(1);
  return out;
}

/* Least squares from G (p x p), g (p) and yy: list(coef, kept, rss, log_det, df), see fit_list(). share: a number, or
 * NULL for ROUNDING_SHARE. */
SEXP transelect_least_squares(SEXP G, SEXP g, SEXP yy, SEXP n, SEXP share)
{
  const double *right = entry_doubles(g, -1, "g");
  const R_xlen_t p = XLENGTH(g);
  return fit_list(entry_doubles(G, p * p, "G"), right, *entry_doubles(yy, 1, "yy"), (size_t)p,
                  *entry_doubles(n, 1, "n"), (size_t)p,
                  Rf_isNull(share) ? ROUNDING_SHARE : *entry_doubles(share, 1, "share"));
}
