/* shape_entry.c - for R: the shapes of the components of a list, by which a component that was changed is known. */
#include "routines.h"

#include <stdint.h>

enum { DEEPEST = 4, MANY = 64, MANY_STRINGS = 8 };

/* One step of the hash of Fowler, Noll and Vo: of the 8 bytes of `value` at once, since nothing has to be safe here. */
static uint64_t mixed(uint64_t hash, uint64_t value)
{
  hash = (hash ^ value) * UINT64_C(1099511628211);
  return hash ^ (hash >> 29);
}

static uint64_t mixed_strings(uint64_t hash, SEXP strings)
{
  for (R_xlen_t i = 0; i < XLENGTH(strings); i++) {
    for (const char *c = CHAR(STRING_ELT(strings, i)); *c; c++) hash = mixed(hash, (unsigned char)*c);
    hash = mixed(hash, 256);
  }
  return hash;
}

/* Which numbers are missing. */
static uint64_t mixed_missing(uint64_t hash, SEXP x)
{
  const int type = TYPEOF(x);
  if (type != REALSXP && type != INTSXP && type != LGLSXP) return hash;
  for (R_xlen_t i = 0; i < XLENGTH(x); i++) {
    const int missing = type == REALSXP ? ISNAN(REAL_RO(x)[i]) : type == INTSXP ? INTEGER_RO(x)[i] == NA_INTEGER
                                                                                : LOGICAL_RO(x)[i] == NA_LOGICAL;
    if (missing) hash = mixed(hash, (uint64_t)i);
  }
  return hash;
}

static uint64_t shape(SEXP x, uint64_t hash, int depth)
{
  const int is_vector = Rf_isVector(x);
  const int is_short = is_vector && XLENGTH(x) <= MANY;
  const R_xlen_t length = is_vector ? XLENGTH(x) : 0;
  hash = mixed(hash, (uint64_t)(TYPEOF(x) == INTSXP ? REALSXP : TYPEOF(x))); /* whole numbers may be of either type */
  hash = mixed(hash, (uint64_t)length);
  if (!is_vector && TYPEOF(x) != S4SXP) return hash;
  if (OBJECT(x)) {
    hash = mixed_strings(hash, PROTECT(Rf_getAttrib(x, R_ClassSymbol)));
    UNPROTECT(1);
  }
  SEXP dim = PROTECT(Rf_getAttrib(x, Rf_install(TYPEOF(x) == S4SXP ? "Dim" : "dim")));
  for (R_xlen_t i = 0; TYPEOF(dim) == INTSXP && i < XLENGTH(dim); i++) hash = mixed(hash, (uint64_t)INTEGER(dim)[i]);
  UNPROTECT(1);
  if (is_short) {
    SEXP names = PROTECT(Rf_getAttrib(x, R_NamesSymbol));
    if (TYPEOF(names) == STRSXP) hash = mixed_strings(hash, names);
    UNPROTECT(1);
  }
  if (is_short) hash = mixed_missing(hash, x);
  if (TYPEOF(x) == STRSXP && length <= MANY_STRINGS) hash = mixed_strings(hash, x);
  if (TYPEOF(x) == VECSXP && is_short && depth < DEEPEST)
    for (R_xlen_t i = 0; i < length; i++) hash = shape(VECTOR_ELT(x, i), hash, depth + 1);
  return hash;
}

/* object: a list. Returns a number for each component, which is that of its type, length, class, dimensions and names,
 * of the strings of short vectors, of which numbers are missing, and of the same of what lists have in them. Numbers
 * themselves do not count. */
SEXP transelect_shape(SEXP object)
{
  if (TYPEOF(object) != VECSXP) Rf_error("'object' must be a list");
  SEXP out = PROTECT(Rf_allocVector(INTSXP, XLENGTH(object)));
  for (R_xlen_t k = 0; k < XLENGTH(object); k++) {
    const uint64_t hash = shape(VECTOR_ELT(object, k), UINT64_C(14695981039346656037), 0);
    INTEGER(out)[k] = (int)((hash ^ (hash >> 32)) & 0x7fffffff); /* never NA */
  }
  Rf_setAttrib(out, R_NamesSymbol, Rf_getAttrib(object, R_NamesSymbol));
  UNPROTECT(1);
  return out;
}
