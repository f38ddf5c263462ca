/* held_squares_entry.c - the target's least squares fits without a part of its rows: alone, with shrinkage, and with
 * the rows of one other domain; from second moments. */
#include <math.h>
#include <string.h>

#include "borrow_domains_entry.h"
#include "domain_scales.h"
#include "domains_entry.h"
#include "routines.h"
#include "spd.h"
#include "variance_entry.h"

/* Settings: domains are in their own z-scores, without standardize in units of the response. */
typedef struct {
  size_t q;
  int intercept, standardize;
  SEXP given;
} squares_how;

/* A model on the original scale: p slopes and the constant. */
typedef struct {
  double *beta, *a0;
} raw_model;

/* scale <- the scales of one or two domains, q each; *out <- their columns, with spreads. Returns 0 where a response
 * does not vary. */
static int scales_of(const squares_how *how, const domain_sums *sums, size_t T, domain_columns *out,
                     double *scale)
{
  const size_t q = how->q;
  double *n = ALLOC(T, double), *mean = ALLOC(q * T, double), *square = ALLOC(q * T, double),
         *spread = ALLOC(q * T, double), *within = ALLOC(q, double), *centre = ALLOC(q, double);
  int *binary = ALLOC(q, int), *both = ALLOC(q, int);
  for (size_t j = 0; j < q; j++) both[j] = 1;
  for (size_t t = 0; t < T; t++) {
    n[t] = sums[t].n;
    if (sums[t].n < 2) return 0;
    domain_spread one = {mean + t * q, square + t * q, spread + t * q, binary};
    domain_spreads(&sums[t], q, how->intercept, &one);
    if (!(spread[q - 1 + t * q] > 0)) return 0;
    for (size_t j = 0; j + 1 < q; j++) both[j] = both[j] && binary[j];
  }
  *out = (domain_columns){
      .q = q, .T = T, .n = n, .mean = mean, .square = square, .spread = spread, .binary = both};
  domain_common(out, within, centre);
  domain_scales(out, how->standardize ? SCALE_MODERATED : SCALE_RESPONSE, within, scale);
  return 1;
}

static domain_units units_of(const squares_how *how, const domain_columns *columns,
                             const double *scale, size_t t)
{
  const size_t q = how->q;
  int *flat = ALLOC(q, int);
  for (size_t j = 0; j < q; j++) flat[j] = columns->spread[j + t * q] == 0;
  return (domain_units){.q = q, .intercept = how->intercept, .scale = scale + t * q, .flat = flat};
}

/* out <- the model, on the original scale, with the coefficients `coef` in the target's units. */
static void put_model(const squares_how *how, const domain_sums *target, const double *scale,
                      const double *coef, raw_model out)
{
  const size_t p = how->q - 1;
  double constant = how->intercept ? target->mean[p] : 0;
  for (size_t j = 0; j < p; j++) {
    out.beta[j] = coef[j] * scale[p] / scale[j];
    if (how->intercept) constant -= out.beta[j] * target->mean[j];
  }
  *out.a0 = constant;
}

/* out <- the least squares fit to the rows of T domains together, the target first; NA unless they determine `wanted`
 * coefficients. Returns 0 where a response does not vary. */
static int put_squares(const squares_how *how, const domain_sums *sums, size_t T, size_t wanted,
                       raw_model out)
{
  const size_t q = how->q, p = q - 1;
  double *scale = ALLOC(q * T, double), *G = ALLOC(p * p, double), *g = ALLOC(p, double), yy = 0,
         *own_G = ALLOC(p * p, double), *own_g = ALLOC(p, double), own_yy;
  domain_columns columns;
  *out.a0 = NA_REAL;
  if (!scales_of(how, sums, T, &columns, scale)) return 0;
  for (size_t t = 0; t < T; t++) {
    const domain_units units = units_of(how, &columns, scale, t);
    domain_moments(&sums[t], &units, own_G, own_g, &own_yy);
    for (size_t k = 0; k < p * p; k++) G[k] += own_G[k];
    for (size_t j = 0; j < p; j++) g[j] += own_g[j];
    yy += own_yy;
  }
  const double n = sums[0].n - how->intercept;
  const size_t most = T == 1 && n < (double)p ? (size_t)fmax(n, 0) : p;
  domain_fit fit = {.coef = ALLOC(p, double), .kept = ALLOC(p, int)};
  domain_least_squares(G, g, yy, p, most, ROUNDING_SHARE, &fit);
  if (fit.rank >= wanted) put_model(how, &sums[0], scale, fit.coef, out);
  return 1;
}

/* out <- the target's coefficients, shrunk by the ridge of largest marginal likelihood. */
static status put_shrunk(const squares_how *how, const domain_sums *target, SEXP name,
                         raw_model out)
{
  const size_t q = how->q, p = q - 1;
  double *scale = ALLOC(q, double), *coef = ALLOC(p, double);
  int *at = ALLOC(p, int);
  size_t count = 0;
  domain_columns columns;
  if (!scales_of(how, target, 1, &columns, scale)) return STATUS_CONSTANT_Y;
  for (size_t j = 0; j < p; j++)
    if (columns.spread[j] > 0) at[count++] = (int)j + 1;
  if (!count) return STATUS_NO_EVIDENCE;
  const domain_units units = units_of(how, &columns, scale, 0);
  SEXP domains = PROTECT(Rf_allocVector(VECSXP, 1)), s2 = PROTECT(Rf_allocVector(REALSXP, 1));
  SET_VECTOR_ELT(domains, 0, entry_domain(target, &units, name));
  if (count < p)
    SET_VECTOR_ELT(domains, 0,
                   entry_domain_columns(VECTOR_ELT(domains, 0), at, count, how->intercept));
  REAL(s2)[0] = entry_variances(domains, how->given, 0).s2[0];
  status state = STATUS_NO_EVIDENCE;
  if (isfinite(REAL(s2)[0]) && REAL(s2)[0] > 0) {
    const borrow_domains alone = entry_borrow_domains(domains, s2, 1, 1);
    double log_lik, log_omega2, *A = ALLOC(count * count, double), *b = ALLOC(count, double);
    state = borrow_alone(&alone, NULL, 0, &log_lik, &log_omega2);
    memcpy(A, alone.H[0], count * count * sizeof(double));
    memcpy(b, alone.g[0], count * sizeof(double));
    for (size_t j = 0; j < count; j++) A[j * (count + 1)] += exp(-log_omega2);
    if (state == STATUS_OK && !spd_solve(A, count, b, 1, ROOM(8 * count, double)))
      state = STATUS_NO_EVIDENCE;
    for (size_t k = 0; k < count; k++) coef[at[k] - 1] = b[k];
    if (state == STATUS_OK) put_model(how, target, scale, coef, out);
  }
  UNPROTECT(2);
  return state;
}

/* How many columns vary in the target or in domain t. */
static size_t varying(const squares_how *how, const domain_sums *sums, size_t t)
{
  const size_t q = how->q;
  double *mean = ALLOC(q, double), *square = ALLOC(q, double), *spread = ALLOC(2 * q, double);
  int *binary = ALLOC(q, int);
  size_t count = 0;
  for (size_t k = 0; k < 2; k++) {
    domain_spread one = {mean, square, spread + k * q, binary};
    domain_spreads(&sums[k * t], q, how->intercept, &one);
  }
  for (size_t j = 0; j + 1 < q; j++) count += spread[j] > 0 || spread[j + q] > 0;
  return count;
}

/* cells, without: see transelect_held_domains(). how: list(intercept, standardize, given). Returns list(a0, beta), the
 * constants (models x parts) and slopes (p x models x parts) of T + 1 models: alone, shrunk, and with the rows of each
 * other domain; a0 is NA where a model is not determined. */
SEXP transelect_held_squares(SEXP cells, SEXP without, SEXP how)
{
  if (TYPEOF(cells) != VECSXP || XLENGTH(cells) < 2 ||
      TYPEOF(Rf_getAttrib(cells, R_NamesSymbol)) != STRSXP)
    Rf_error("'cells' must be a named list of two or more");
  if (TYPEOF(without) != VECSXP) Rf_error("'without' must be a list");
  const size_t T = (size_t)XLENGTH(cells), parts = (size_t)XLENGTH(without), models = T + 1;
  const squares_how settings = {
      .q = (size_t)XLENGTH(entry_field(VECTOR_ELT(cells, 0), "mean", "cells")),
      .intercept = entry_flag(entry_field(how, "intercept", "how"), "intercept"),
      .standardize = entry_flag(entry_field(how, "standardize", "how"), "standardize"),
      .given = entry_field(how, "given", "how")};
  if (settings.q < 2) Rf_error("'cells' must have a column and a response");
  const size_t p = settings.q - 1;
  SEXP name = STRING_ELT(Rf_getAttrib(cells, R_NamesSymbol), 0);
  domain_sums *sums = ALLOC(T, domain_sums), pair[2];
  for (size_t t = 0; t < T; t++) sums[t] = entry_cell(VECTOR_ELT(cells, (R_xlen_t)t), settings.q);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char *[]){"a0", "beta", ""}));
  double *a0 = REAL(SET_VECTOR_ELT(out, 0, Rf_allocMatrix(REALSXP, (int)models, (int)parts)));
  double *beta =
      REAL(SET_VECTOR_ELT(out, 1, Rf_alloc3DArray(REALSXP, (int)p, (int)models, (int)parts)));
  for (size_t k = 0; k < p * models * parts; k++) beta[k] = 0;
  const void *top = vmaxget();
  for (size_t f = 0; f < parts; f++) {
    vmaxset(top);
    port_poll();
    raw_model model = {beta + f * models * p, a0 + f * models};
    for (size_t k = 0; k < models; k++) model.a0[k] = NA_REAL;
    pair[0] = entry_cell(VECTOR_ELT(without, (R_xlen_t)f), settings.q);
    if (!put_squares(&settings, pair, 1, varying(&settings, sums, 0), model))
      continue; /* no model is made */
    model.beta += p;
    model.a0++;
    put_shrunk(&settings, &pair[0], name, model);
    for (size_t t = 1; t < T; t++) {
      model.beta += p;
      model.a0++;
      pair[1] = sums[t];
      put_squares(&settings, pair, 2, varying(&settings, sums, t), model);
    }
  }
  UNPROTECT(1);
  return out;
}
