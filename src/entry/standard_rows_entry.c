/* standard_rows_entry.c - from R to standard_rows.c and back. */
#include "routines.h"

#include <math.h>

#include "args_entry.h"
#include "standard_rows.h"

static const int *numbers_up_to(SEXP numbers, size_t most, const char *name)
{
  const int *k = entry_integers(numbers, -1, name);
  for (R_xlen_t i = 0; i < XLENGTH(numbers); i++)
    if (k[i] < 1 || (size_t)k[i] > most) Rf_error("'%s' [%d] is out of range", name, k[i]);
  return k;
}

/* rows: list(x, at, column, shift, base, flat, constant). x: a double matrix; at: numbers of rows, or NULL for all;
 * column: numbers of columns, and for each column shift, which is subtracted, base, by which it is divided (positive),
 * and flat, is it 0 instead?; constant: is there a column of ones? */
static standard_rows read_rows(SEXP rows)
{
  const matrix x = entry_matrix(entry_field(rows, "x", "rows"), 0, 0, "x");
  SEXP at = entry_field(rows, "at", "rows"), column = entry_field(rows, "column", "rows");
  SEXP flat = entry_field(rows, "flat", "rows");
  standard_rows r = {.x = x.x, .n_all = x.rows, .n = x.rows};
  if (at != R_NilValue) {
    r.at = numbers_up_to(at, x.rows, "at");
    r.n = (size_t)XLENGTH(at);
  }
  r.column = numbers_up_to(column, x.columns, "column");
  r.p = (size_t)XLENGTH(column);
  r.shift = entry_doubles(entry_field(rows, "shift", "rows"), XLENGTH(column), "shift");
  r.base = entry_positive(entry_field(rows, "base", "rows"), XLENGTH(column), "base");
  if (TYPEOF(flat) != LGLSXP || XLENGTH(flat) != XLENGTH(column))
    Rf_error("'flat' must be logical, one a column");
  r.flat = LOGICAL_RO(flat);
  r.constant = entry_flag(entry_field(rows, "constant", "rows"), "constant");
  return r;
}

/* b: one number for each column. Returns the linear combination of the columns, one number for each row. */
SEXP transelect_standard_combination(SEXP rows, SEXP b)
{
  const standard_rows r = read_rows(rows);
  const double *weight = entry_doubles(b, (R_xlen_t)standard_width(&r), "b");
  SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)r.n));
  standard_combination(&r, weight, REAL(out));
  UNPROTECT(1);
  return out;
}

/* u, w: one number for each row, w not negative. Returns list(score, information), see standard_rows.h. */
SEXP transelect_standard_terms(SEXP rows, SEXP u, SEXP w)
{
  const standard_rows r = read_rows(rows);
  const double *residual = entry_doubles(u, (R_xlen_t)r.n, "u");
  const double *weight = entry_doubles(w, (R_xlen_t)r.n, "w");
  const size_t q = standard_width(&r);
  const char *names[] = {"score", "information", ""};
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
  double *score = entry_numbers(out, 0, q);
  SEXP square = SET_VECTOR_ELT(out, 1, Rf_allocMatrix(REALSXP, (int)q, (int)q));
  standard_terms(&r, residual, weight, score, REAL(square));
  UNPROTECT(1);
  return out;
}
