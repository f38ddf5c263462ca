/* units_entry.c - the domains of the borrowing prior in each of several units, with their residual variances and the
 * evidence of sharing: domain_moments.c, domain_variances.c, variance.c and borrow.c in one call. */
#include "borrow_domains_entry.h"
#include "domains_entry.h"
#include "routines.h"
#include "variance_entry.h"

#define UNITS(name)                                                                                \
  name(status), name(all), name(used), name(s2), name(from), name(df), name(lr), name(own)
enum { UNITS(PLACE) };
static const char *const units_names[] = {UNITS(TEXT), ""};

/* Arguments that are the same for all units. */
typedef struct {
  SEXP cells, flat, columns, given, grid;
  size_t q;
  int intercept;
} units_data;

/* The domains of the cells in these units, and after them the domains unit$known. */
static SEXP domains_in_units(const units_data *data, SEXP unit)
{
  const size_t q = data->q, T = (size_t)XLENGTH(data->cells);
  const double *scale =
      entry_positive(entry_field(unit, "scale", "units"), (R_xlen_t)(q * T), "scale");
  SEXP centre = entry_element(unit, "centre"), known = entry_element(unit, "known");
  SEXP names = Rf_getAttrib(data->cells, R_NamesSymbol);
  const double *means = centre == R_NilValue ? NULL : entry_doubles(centre, (R_xlen_t)q, "centre");
  if (known != R_NilValue && TYPEOF(known) != VECSXP) Rf_error("'known' must be a list");
  const size_t more = known == R_NilValue ? 0 : (size_t)XLENGTH(known);
  SEXP out = PROTECT(Rf_allocVector(VECSXP, (R_xlen_t)(T + more)));
  SEXP labels = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)(T + more)));
  for (size_t t = 0; t < T; t++) {
    const domain_sums sums = entry_cell(VECTOR_ELT(data->cells, (R_xlen_t)t), q);
    const domain_units units = {.q = q,
                                .intercept = data->intercept,
                                .scale = scale + t * q,
                                .flat = LOGICAL(data->flat) + t * q,
                                .centre = means};
    SET_VECTOR_ELT(out, (R_xlen_t)t, entry_domain(&sums, &units, STRING_ELT(names, (R_xlen_t)t)));
    SET_STRING_ELT(labels, (R_xlen_t)t, STRING_ELT(names, (R_xlen_t)t));
    port_poll();
  }
  for (size_t k = 0; k < more; k++)
    SET_VECTOR_ELT(out, (R_xlen_t)(T + k), VECTOR_ELT(known, (R_xlen_t)k));
  Rf_setAttrib(out, R_NamesSymbol, labels);
  UNPROTECT(2);
  return out;
}

static SEXP usable_columns(const units_data *data, SEXP domains)
{
  if (data->columns == R_NilValue) return domains;
  const int *columns = entry_integers(data->columns, -1, "columns");
  SEXP out = PROTECT(Rf_shallow_duplicate(domains));
  for (R_xlen_t t = 0; t < XLENGTH(out); t++)
    SET_VECTOR_ELT(out, t,
                   entry_domain_columns(VECTOR_ELT(domains, t), columns,
                                        (size_t)XLENGTH(data->columns), data->intercept));
  UNPROTECT(1);
  return out;
}

/* The least squares fit of each domain with its own level; NULL where the domains have no level in common. */
static SEXP own_fits(SEXP domains)
{
  if (!entry_flag(entry_field(VECTOR_ELT(domains, 0), "level", "domains"), "level"))
    return R_NilValue;
  SEXP out = PROTECT(Rf_allocVector(VECSXP, XLENGTH(domains)));
  for (R_xlen_t t = 0; t < XLENGTH(domains); t++) {
    SEXP own = PROTECT(entry_own_level(VECTOR_ELT(domains, t), 1));
    SET_VECTOR_ELT(out, t, entry_field(own, "fit", "domains"));
    UNPROTECT(1);
  }
  UNPROTECT(1);
  return out;
}

/* Puts the log likelihood ratio of sharing. */
static status put_ratio(SEXP out, SEXP domains)
{
  borrow_domains all = entry_borrow_domains(domains, VECTOR_ELT(out, AT_s2), MANY_DOMAINS, 1);
  if (all.T < 2) Rf_error("'cells' must be two or more");
  all = borrow_without_level(&all);
  const size_t T = (size_t)all.T;
  borrow_sharing found = {.tau2 = ALLOC(T, double), .path = ALLOC(2 * T + 3, double)};
  const status state = borrow_ratio(&all, NULL, 0, &found);
  entry_put(out, AT_lr, &found.lr, 1);
  return state;
}

static SEXP in_units(const units_data *data, SEXP unit)
{
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)units_names));
  SEXP all = SET_VECTOR_ELT(out, AT_all, domains_in_units(data, unit));
  SEXP used = SET_VECTOR_ELT(out, AT_used, usable_columns(data, all));
  variance_found found;
  status state =
      entry_variances_for_borrowing(used, data->given, data->intercept, data->grid, &found);
  entry_put_variances(out, AT_s2, &found, (size_t)XLENGTH(used));
  if (state == STATUS_OK) state = put_ratio(out, used);
  SET_VECTOR_ELT(out, AT_own, own_fits(used));
  SET_VECTOR_ELT(out, AT_status, Rf_ScalarInteger((int)state));
  UNPROTECT(1);
  return out;
}

/* cells, flat, intercept: as for transelect_domain_moments(). units: a list of list(scale, centre, known): scale and
 * centre as for transelect_domain_moments(), known NULL or a list of domains that come after those of the cells.
 * columns: NULL, or the numbers of the columns in use. given: NULL, or residual variances, and grid: see
 * transelect_borrow_variances(). Returns for each of the units a list as named above: all, the domains with all
 * columns, and used, with the columns in use; s2, from and df of transelect_borrow_variances(); lr of
 * transelect_borrow_ratio(); own, the least squares fit of each domain with its own level, NULL where the domains have
 * no level in common. */
SEXP transelect_borrow_units(SEXP cells, SEXP units, SEXP flat, SEXP intercept, SEXP columns,
                             SEXP given, SEXP grid)
{
  if (TYPEOF(cells) != VECSXP || XLENGTH(cells) < 1 ||
      TYPEOF(Rf_getAttrib(cells, R_NamesSymbol)) != STRSXP)
    Rf_error("'cells' must be a named list");
  if (TYPEOF(units) != VECSXP) Rf_error("'units' must be a list");
  units_data data = {.cells = cells,
                     .flat = flat,
                     .columns = columns,
                     .given = given,
                     .grid = grid,
                     .q = (size_t)XLENGTH(entry_field(VECTOR_ELT(cells, 0), "mean", "cells")),
                     .intercept = entry_flag(intercept, "intercept")};
  if (data.q < 2) Rf_error("'cells' must have a column and a response");
  if (TYPEOF(flat) != LGLSXP || (size_t)XLENGTH(flat) != data.q * (size_t)XLENGTH(cells))
    Rf_error("'flat' must be logical, q for each cell");
  SEXP out = PROTECT(Rf_allocVector(VECSXP, XLENGTH(units)));
  Rf_setAttrib(out, R_NamesSymbol, Rf_getAttrib(units, R_NamesSymbol));
  const void *top = vmaxget();
  for (R_xlen_t k = 0; k < XLENGTH(units); k++) {
    SET_VECTOR_ELT(out, k, in_units(&data, VECTOR_ELT(units, k)));
    vmaxset(top);
  }
  UNPROTECT(1);
  return out;
}
