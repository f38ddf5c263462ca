/* stacked_entry.c - for R: tables of the same columns, stacked; the rows of sparse matrices that are not zero. */
#include "routines.h"

#include <string.h>

#include "args_entry.h"

/* The type of the stacked column: NULL where all its parts are NULL, else the widest of their types. *length <- its
 * length. */
static SEXPTYPE joined_type(SEXP tables, R_xlen_t column, R_xlen_t *length)
{
  SEXPTYPE type = NILSXP;
  *length = 0;
  for (R_xlen_t k = 0; k < XLENGTH(tables); k++) {
    SEXP x = VECTOR_ELT(VECTOR_ELT(tables, k), column);
    const SEXPTYPE own = TYPEOF(x);
    if (OBJECT(x)) Rf_error("column %.0f of 'tables' has a class", (double)column + 1);
    if (own != NILSXP && own != LGLSXP && own != INTSXP && own != REALSXP && own != STRSXP)
      Rf_error("column %.0f of 'tables' is a %s", (double)column + 1, Rf_type2char(own));
    if (own > type) type = own;
    *length += own == NILSXP ? 0 : XLENGTH(x);
  }
  return type;
}

static void put_part(SEXP out, R_xlen_t at, SEXP x)
{
  const R_xlen_t n = XLENGTH(x);
  if (n == 0) return;
  switch (TYPEOF(out)) {
  case LGLSXP:
    memcpy(LOGICAL(out) + at, LOGICAL_RO(x), (size_t)n * sizeof(int));
    break;
  case INTSXP:
    memcpy(INTEGER(out) + at, INTEGER_RO(x), (size_t)n * sizeof(int));
    break;
  case REALSXP:
    memcpy(REAL(out) + at, REAL_RO(x), (size_t)n * sizeof(double));
    break;
  default:
    for (R_xlen_t i = 0; i < n; i++) SET_STRING_ELT(out, at + i, STRING_ELT(x, i));
  }
}

static SEXP joined_column(SEXP tables, R_xlen_t column)
{
  R_xlen_t length, at = 0;
  const SEXPTYPE type = joined_type(tables, column, &length);
  if (type == NILSXP) return R_NilValue;
  SEXP out = PROTECT(Rf_allocVector(type, length));
  for (R_xlen_t k = 0; k < XLENGTH(tables); k++) {
    SEXP x = VECTOR_ELT(VECTOR_ELT(tables, k), column);
    if (x == R_NilValue) continue;
    x = PROTECT(Rf_coerceVector(x, type));
    put_part(out, at, x);
    at += XLENGTH(x);
    UNPROTECT(1);
  }
  UNPROTECT(1);
  return out;
}

/* tables: a list of at least one table, each a list of the same columns in the same order: numbers, strings, logical
 * values or NULL, of any length, without attributes. Returns the list of the stacked columns, with the names of the
 * first table. */
SEXP transelect_stacked(SEXP tables)
{
  if (TYPEOF(tables) != VECSXP || XLENGTH(tables) == 0)
    Rf_error("'tables' must be a list of tables");
  SEXP first = VECTOR_ELT(tables, 0);
  for (R_xlen_t k = 0; k < XLENGTH(tables); k++) {
    SEXP table = VECTOR_ELT(tables, k);
    if (TYPEOF(table) != VECSXP || XLENGTH(table) != XLENGTH(first))
      Rf_error("table %.0f of 'tables' must be a list of %.0f columns", (double)k + 1,
               (double)XLENGTH(first));
  }
  SEXP out = PROTECT(Rf_allocVector(VECSXP, XLENGTH(first)));
  Rf_setAttrib(out, R_NamesSymbol, Rf_getAttrib(first, R_NamesSymbol));
  for (R_xlen_t column = 0; column < XLENGTH(first); column++)
    SET_VECTOR_ELT(out, column, joined_column(tables, column));
  UNPROTECT(1);
  return out;
}

static int is_sparse(SEXP x)
{
  if (!IS_S4_OBJECT(x)) return 0;
  SEXP class = Rf_getAttrib(x, R_ClassSymbol);
  return TYPEOF(class) == STRSXP && XLENGTH(class) == 1 && !strcmp(CHAR(STRING_ELT(class, 0)), "dgCMatrix");
}

/* matrices: a list. Returns the numbers, from 1 on, of the rows that have a number other than 0 in some matrix; NULL if
 * one of them is not a dgCMatrix. */
SEXP transelect_used_rows(SEXP matrices)
{
  if (TYPEOF(matrices) != VECSXP) Rf_error("'matrices' must be a list");
  const R_xlen_t count = XLENGTH(matrices);
  int rows = 0;
  for (R_xlen_t k = 0; k < count; k++) {
    SEXP one = VECTOR_ELT(matrices, k);
    if (!is_sparse(one)) return R_NilValue;
    SEXP dim = R_do_slot(one, Rf_install("Dim"));
    if (TYPEOF(dim) != INTSXP || XLENGTH(dim) != 2) Rf_error("'matrices' holds a matrix without dimensions");
    if (INTEGER(dim)[0] > rows) rows = INTEGER(dim)[0];
  }
  char *used = ALLOC((size_t)rows + 1, char);
  R_xlen_t found = 0;
  for (R_xlen_t k = 0; k < count; k++) {
    SEXP one = VECTOR_ELT(matrices, k), row = R_do_slot(one, Rf_install("i")), value = R_do_slot(one, Rf_install("x"));
    const R_xlen_t n = XLENGTH(row);
    if (TYPEOF(row) != INTSXP || TYPEOF(value) != REALSXP || XLENGTH(value) != n)
      Rf_error("'matrices' holds a sparse matrix with slots of the wrong type");
    for (R_xlen_t i = 0; i < n; i++) {
      const int r = INTEGER(row)[i];
      if (r < 0 || r >= rows) Rf_error("'matrices' holds a sparse matrix whose slots do not fit");
      if (REAL(value)[i] == 0 || used[r]) continue;
      used[r] = 1;
      found++;
    }
  }
  SEXP out = PROTECT(Rf_allocVector(INTSXP, found));
  for (int r = 0, to = 0; r < rows; r++)
    if (used[r]) INTEGER(out)[to++] = r + 1;
  UNPROTECT(1);
  return out;
}
