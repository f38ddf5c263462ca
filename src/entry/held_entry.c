/* held_entry.c - the target's models without a part of its rows (held.c), from second moments; the evidence for related
 * slopes (borrow_evidence.c). */
#include <math.h>
#include <string.h>

#include "borrow_domains_entry.h"
#include "domain_scales.h"
#include "domains_entry.h"
#include "held.h"
#include "routines.h"
#include "variance_entry.h"

/* borrow_evidence() for the domains without their level: list(status, log_bf). */
SEXP transelect_borrow_evidence(SEXP domains, SEXP s2)
{
  enum { AT_STATUS, AT_LOG_BF };
  static const char *const parts[] = {"status", "log_bf", ""};
  borrow_domains all = entry_borrow_domains(domains, s2, MANY_DOMAINS, 1);
  if (all.T < 2) Rf_error("'domains' must be two or more");
  if (all.rows) Rf_error("'domains' must be moments");
  all = borrow_without_level(&all);
  double log_bf = NA_REAL;
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)parts));
  const status state = borrow_evidence(&all, &log_bf);
  SET_VECTOR_ELT(out, AT_STATUS, Rf_ScalarInteger((int)state));
  entry_put(out, AT_LOG_BF, &log_bf, 1);
  UNPROTECT(1);
  return out;
}

enum { UNIT_OWN, UNIT_COMMON };

/* What is the same in all fits, but for the target's sums in `columns`, which each fit replaces. */
typedef struct {
  size_t q, T;
  SEXP cells, given, grid;
  int intercept, standardize;
  double own;         /* prior probability of own units where some standard deviation differs */
  size_t least, most; /* numbers of columns between which sparse alternatives are considered */
  held_options options;
  domain_columns columns;
  double *n, *mean, *square, *spread; /* of `columns` */
  int *binary, *others_binary;
  held_paths paths[HELD_UNITS];
} held_data;

/* A fit in one of the units; valid as long as `domains` is protected. */
typedef struct {
  SEXP domains; /* of the columns in use */
  borrow_domains borrow;
  held_unit unit;
} unit_data;

static void read_sums(held_data *d, size_t t, const domain_sums *sums, int *binary)
{
  d->n[t] = sums->n;
  domain_spread one = {d->mean + t * d->q, d->square + t * d->q, d->spread + t * d->q, binary};
  domain_spreads(sums, d->q, d->intercept, &one);
}

/* columns <- the numbers, from 1, of the columns that vary in some domain; returns how many. */
static size_t usable(const held_data *d, int *columns)
{
  size_t count = 0;
  for (size_t j = 0; j + 1 < d->q; j++) {
    int varies = 0;
    for (size_t t = 0; t < d->T; t++) varies |= d->spread[j + t * d->q] > 0;
    if (varies) columns[count++] = (int)j + 1;
  }
  return count;
}

/* The domains in these units, with `count` of their columns; target: the sums of its rows. The caller must protect the
 * result. */
static SEXP domains_in(const held_data *d, const domain_sums *target, int unit,
                       const double *within, const double *centre, const int *columns, size_t count)
{
  const size_t q = d->q, T = d->T;
  double *scale = ALLOC(q * T, double);
  int *flat = ALLOC(q, int);
  const enum scaling scaling = !d->standardize    ? SCALE_RESPONSE
                               : unit == UNIT_OWN ? SCALE_MODERATED
                                                  : SCALE_COMMON;
  domain_scales(&d->columns, scaling, within, scale);
  const int level = d->intercept && !domain_means_are_far(&d->columns, scale, centre);
  SEXP out = PROTECT(Rf_allocVector(VECSXP, (R_xlen_t)T)),
       names = Rf_getAttrib(d->cells, R_NamesSymbol);
  for (size_t t = 0; t < T; t++) {
    const domain_sums sums = t ? entry_cell(VECTOR_ELT(d->cells, (R_xlen_t)t), q) : *target;
    for (size_t j = 0; j < q; j++) flat[j] = d->spread[j + t * q] == 0;
    const domain_units units = {.q = q,
                                .intercept = d->intercept,
                                .scale = scale + t * q,
                                .flat = flat,
                                .centre = level ? centre : NULL};
    SET_VECTOR_ELT(out, (R_xlen_t)t, entry_domain(&sums, &units, STRING_ELT(names, (R_xlen_t)t)));
    if (count + 1 < q)
      SET_VECTOR_ELT(
          out, (R_xlen_t)t,
          entry_domain_columns(VECTOR_ELT(out, (R_xlen_t)t), columns, count, d->intercept));
  }
  UNPROTECT(1);
  return out;
}

/* s2 for entry_borrow_domains(), which the caller must protect, and df of the target. */
static status variances_of(const held_data *d, SEXP domains, SEXP *s2, double *df)
{
  variance_found found;
  const status state =
      entry_variances_for_borrowing(domains, d->given, d->intercept, d->grid, &found);
  *df = found.df[0];
  *s2 = Rf_allocVector(REALSXP, (R_xlen_t)d->T);
  memcpy(REAL(*s2), found.s2, d->T * sizeof(double));
  for (size_t t = 0; t < d->T; t++)
    if (!(isfinite(found.s2[t]) && found.s2[t] > 0)) return STATUS_NO_EVIDENCE;
  return state;
}

/* Does the target allow sparse alternatives? See tlcp_sparse_alternatives(). */
static int allows_sparse(const held_data *d, SEXP domains, size_t count)
{
  SEXP target = VECTOR_ELT(domains, 0), fit = entry_field(target, "fit", "domains");
  const int *varies = LOGICAL(entry_field(target, "varies", "domains"));
  for (size_t j = 0; j < count; j++)
    if (varies[j] != TRUE) return 0;
  return d->T > 1 && count >= d->least && count <= d->most &&
         *entry_doubles(entry_field(fit, "df", "fit"), 1, "df") >= VARIANCE_LEAST_DF;
}

/* Adds model->weight times the model's slopes and constant, on the original scale. */
static void add_model(const held_model *model, SEXP target, const int *columns, size_t count,
                      double *a0, double *beta)
{
  const double *x_mean = REAL(entry_field(target, "x_mean", "domains")),
               *x_scale = REAL(entry_field(target, "x_scale", "domains"));
  const double y_scale = Rf_asReal(entry_field(target, "y_scale", "domains"));
  double constant = Rf_asReal(entry_field(target, "y_mean", "domains"));
  if (Rf_asLogical(entry_field(target, "level", "domains")) == TRUE)
    constant += model->coef[count] * y_scale;
  for (size_t k = 0; k < count; k++) {
    const size_t j = (size_t)columns[k] - 1;
    const double slope = model->coef[k] * y_scale / x_scale[j];
    beta[j] += model->weight * slope;
    constant -= slope * x_mean[j];
  }
  *a0 += model->weight * constant;
}

/* Results of the fit of all rows by units: lr, log_bf and tau, NA for units that are not considered; any: see
 * domain_spreads_differ(). */
typedef struct {
  double lr[HELD_UNITS], log_bf[HELD_UNITS], tau[HELD_UNITS], any;
} held_evidence;

static status read_evidence(const unit_data *units, size_t n_units, size_t first, const double *lr,
                            held_evidence *out)
{
  for (size_t u = 0; u < n_units; u++) {
    const borrow_domains own = borrow_without_level(&units[u].borrow);
    const double *path = units[u].unit.paths->ratio;
    out->lr[first + u] = lr[u];
    out->tau[first + u] = sqrt(exp(path[0]) + exp(path[1]));
    const status state = borrow_evidence(&own, &out->log_bf[first + u]);
    if (state != STATUS_OK) return state;
  }
  return STATUS_OK;
}

/* The fit with the rows of the target whose sums are `target`: adds its model to a0 and beta, and writes *evidence
 * unless it is NULL. */
static status fit_of(held_data *d, const domain_sums *target, held_evidence *evidence, double *a0,
                     double *beta)
{
  const size_t q = d->q, T = d->T;
  double *within = ALLOC(q, double), *centre = ALLOC(q, double);
  int *columns = ALLOC(q, int);
  if (target->n < 2) return STATUS_CONSTANT_Y;
  read_sums(d, 0, target, d->binary);
  for (size_t j = 0; j + 1 < q; j++) d->binary[j] = d->binary[j] && d->others_binary[j];
  for (size_t t = 0; t < T; t++)
    if (!(d->spread[q - 1 + t * q] > 0)) return STATUS_CONSTANT_Y;
  const size_t count = usable(d, columns);
  if (!count) return STATUS_NO_EVIDENCE;
  domain_common(&d->columns, within, centre);
  const double any = domain_spreads_differ(&d->columns), own = d->own * any;
  const size_t first = d->standardize && any >= d->options.rare ? UNIT_OWN : UNIT_COMMON,
               n_units = HELD_UNITS - first;
  unit_data units[HELD_UNITS] = {{0}};
  held_unit each[HELD_UNITS] = {{0}};
  held_model models[HELD_MODELS];
  double lr[HELD_UNITS];
  int protected = 0;
  status state = STATUS_OK;
  for (size_t u = 0; u < n_units && state == STATUS_OK; u++) {
    const size_t unit = first + u;
    double df;
    SEXP s2, domains = PROTECT(domains_in(d, target, (int)unit, within, centre, columns, count));
    state = variances_of(d, domains, &s2, &df);
    PROTECT(s2);
    protected += 2;
    if (state != STATUS_OK) break;
    units[u].domains = domains;
    units[u].borrow = entry_borrow_domains(domains, s2, MANY_DOMAINS, 1);
    units[u].unit = each[u] =
        (held_unit){.domains = &units[u].borrow,
                    .varies = LOGICAL(entry_field(VECTOR_ELT(domains, 0), "varies", "domains")),
                    .prior = (unit == UNIT_OWN ? own : 1 - d->own) / (own + 1 - d->own),
                    .df = df,
                    .own = !u,
                    .paths = &d->paths[unit]};
  }
  if (state == STATUS_OK) {
    held_options options = d->options;
    const int sparse = allows_sparse(d, units[0].domains, count);
    options.try_apart = options.try_apart && sparse;
    options.try_few = options.try_few && sparse;
    state = held_fit(each, n_units, &options, lr, models);
  }
  if (state == STATUS_OK && evidence) {
    for (size_t u = 0; u < HELD_UNITS; u++)
      evidence->lr[u] = evidence->log_bf[u] = evidence->tau[u] = NA_REAL;
    evidence->any = any;
    /* fits without a part of the rows leave out the alternatives that have no weight here */
    d->options.try_apart = models[HELD_APART].weight > 0;
    d->options.try_few = models[HELD_FEW].weight > 0;
    state = read_evidence(units, n_units, first, lr, evidence);
  }
  for (size_t k = 0; k < HELD_MODELS && state == STATUS_OK; k++)
    if (models[k].weight > 0)
      add_model(&models[k], VECTOR_ELT(units[models[k].unit].domains, 0), columns, count, a0, beta);
  UNPROTECT(protected);
  return state;
}

/* Reads `how`, see transelect_held_domains(). */
static held_data read_how(SEXP cells, SEXP how)
{
  const double *prior = entry_doubles(entry_field(how, "prior", "how"), 5, "prior");
  const double *size = entry_doubles(entry_field(how, "size", "how"), 4, "size");
  SEXP v = entry_field(how, "v", "how"), factors = entry_field(how, "factors", "how");
  held_data d = {
      .q = (size_t)XLENGTH(entry_field(VECTOR_ELT(cells, 0), "mean", "cells")),
      .T = (size_t)XLENGTH(cells),
      .cells = cells,
      .given = entry_field(how, "given", "how"),
      .grid = entry_field(how, "grid", "how"),
      .intercept = entry_flag(entry_field(how, "intercept", "how"), "intercept"),
      .standardize = entry_flag(entry_field(how, "standardize", "how"), "standardize"),
      .own = prior[0],
      .least = (size_t)size[0],
      .most = (size_t)size[1],
      .options = {.alone = prior[1],
                  .apart = prior[2],
                  .few = prior[3],
                  .rare = prior[4],
                  .most = (size_t)size[2],
                  .beam = (size_t)size[3],
                  .v = entry_positive(v, -1, "v"),
                  .n_v = (size_t)XLENGTH(v),
                  .spread = *entry_positive(entry_field(how, "spread", "how"), 1, "spread"),
                  .grid = entry_doubles(factors, -1, "factors"),
                  .n_grid = (size_t)XLENGTH(factors),
                  .try_apart = 1,
                  .try_few = 1,
                  .enough = entry_number(entry_field(how, "enough", "how"), 0, 1, "enough")}};
  if (d.q < 2) Rf_error("'cells' must have a column and a response");
  for (int k = 0; k < 5; k++)
    if (!(prior[k] >= 0 && prior[k] < 1)) Rf_error("'prior' must be probabilities");
  for (int k = 0; k < 4; k++)
    if (!(size[k] >= 1 && size[k] <= 1e6)) Rf_error("'size' must be positive numbers");
  const size_t q = d.q, T = d.T;
  d.n = ALLOC(T, double);
  d.mean = ALLOC(q * T, double);
  d.square = ALLOC(q * T, double);
  d.spread = ALLOC(q * T, double);
  d.binary = ALLOC(q, int);
  d.others_binary = ALLOC(q, int);
  d.columns = (domain_columns){.q = q,
                               .T = T,
                               .n = d.n,
                               .mean = d.mean,
                               .square = d.square,
                               .spread = d.spread,
                               .binary = d.binary};
  for (size_t j = 0; j < q; j++) d.others_binary[j] = 1;
  for (size_t t = 1; t < T; t++) {
    const domain_sums sums = entry_cell(VECTOR_ELT(cells, (R_xlen_t)t), q);
    read_sums(&d, t, &sums, d.binary);
    for (size_t j = 0; j + 1 < q; j++) d.others_binary[j] = d.others_binary[j] && d.binary[j];
  }
  for (size_t u = 0; u < HELD_UNITS; u++) d.paths[u] = held_paths_new(T, q);
  return d;
}

#define HELD(name)                                                                                 \
  name(status), name(lr), name(log_bf), name(tau), name(any), name(a0), name(beta), name(held)
enum { HELD(PLACE) };
static const char *const held_names[] = {HELD(TEXT), ""};

/* The fit of all rows, and the fits without each part of the target's rows. cells: named list of the sums of two or
 * more domains, see transelect_domain_moments(), the target first; without: list of the sums of the target without each
 * part. how: list(intercept, standardize, given, grid, prior, v, spread, factors, size, enough). given, grid: see
 * transelect_borrow_variances(). prior: prior probabilities of own units and of the alternatives alone, apart and few,
 * and the least weight of units or alternatives that are fitted, see held.h. v: variances of the sparse alternatives.
 * spread, factors: the standard deviation of the log factors of slopes that are apart, and a grid of factors. size: the
 * least and the largest number of columns for which sparse alternatives are considered, the largest size of a support,
 * and how many supports of each size are kept. enough: see borrow_options. Returns a list as named above: status of the
 * fit of all rows; by units (own, common) lr, log_bf and tau, NA for units that are not considered; any; for each part
 * the constant a0 and the slopes beta of the target, and the status in `held`. */
SEXP transelect_held_domains(SEXP cells, SEXP without, SEXP how)
{
  if (TYPEOF(cells) != VECSXP || XLENGTH(cells) < 2 ||
      TYPEOF(Rf_getAttrib(cells, R_NamesSymbol)) != STRSXP)
    Rf_error("'cells' must be a named list of two or more");
  if (TYPEOF(without) != VECSXP) Rf_error("'without' must be a list");
  held_data d = read_how(cells, how);
  const size_t p = d.q - 1, parts = (size_t)XLENGTH(without);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)held_names));
  double *a0 = entry_numbers(out, AT_a0, parts);
  double *beta = REAL(SET_VECTOR_ELT(out, AT_beta, Rf_allocMatrix(REALSXP, (int)p, (int)parts)));
  int *held = entry_ints(out, AT_held, parts);
  held_evidence evidence;
  double *all = ALLOC(p + 1, double);
  const void *top = vmaxget();
  const domain_sums whole = entry_cell(VECTOR_ELT(cells, 0), d.q);
  const status state = fit_of(&d, &whole, &evidence, all + p, all);
  SET_VECTOR_ELT(out, AT_status, Rf_ScalarInteger((int)state));
  for (size_t f = 0; f < parts && state == STATUS_OK; f++) {
    vmaxset(top);
    port_poll();
    const domain_sums target = entry_cell(VECTOR_ELT(without, (R_xlen_t)f), d.q);
    a0[f] = 0;
    for (size_t j = 0; j < p; j++) beta[j + f * p] = 0;
    held[f] = (int)fit_of(&d, &target, NULL, a0 + f, beta + f * p);
    if (held[f]) a0[f] = NA_REAL;
  }
  entry_put(out, AT_lr, evidence.lr, HELD_UNITS);
  entry_put(out, AT_log_bf, evidence.log_bf, HELD_UNITS);
  entry_put(out, AT_tau, evidence.tau, HELD_UNITS);
  entry_put(out, AT_any, &evidence.any, 1);
  UNPROTECT(1);
  return out;
}
