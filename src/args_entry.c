/* args_entry.c - see args_entry.h. */
#include "args_entry.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "port.h"

const double *entry_doubles(SEXP x, R_xlen_t length, const char *name)
{
  if (TYPEOF(x) != REALSXP) Rf_error("'%s' must be of type double", name);
  if (length >= 0 && XLENGTH(x) != length)
    Rf_error("'%s' [%.0f] must be of length %.0f", name, (double)XLENGTH(x), (double)length);
  return REAL(x);
}

double entry_number(SEXP x, double low, double high, const char *name)
{
  if ((TYPEOF(x) != REALSXP && TYPEOF(x) != INTSXP) || XLENGTH(x) != 1)
    Rf_error("'%s' must be one number", name);
  const double value = Rf_asReal(x);
  if (!(value >= low && value <= high))
    Rf_error("'%s' [%g] must lie between %g and %g", name, value, low, high);
  return value;
}

int entry_flag(SEXP x, const char *name)
{
  if (TYPEOF(x) != LGLSXP || XLENGTH(x) != 1 || LOGICAL(x)[0] == NA_LOGICAL)
    Rf_error("'%s' must be TRUE or FALSE", name);
  return LOGICAL(x)[0];
}

SEXP entry_field(SEXP list, const char *field, const char *name)
{
  if (TYPEOF(list) != VECSXP) Rf_error("'%s' must be a list", name);
  SEXP names = Rf_getAttrib(list, R_NamesSymbol);
  if (TYPEOF(names) == STRSXP)
    for (R_xlen_t k = 0; k < XLENGTH(list); k++)
      if (strcmp(CHAR(STRING_ELT(names, k)), field) == 0) return VECTOR_ELT(list, k);
  Rf_error("'%s' has no element '%s'", name, field);
}

void entry_put(SEXP result, int at, const double *from, size_t n)
{
  double *to = REAL(SET_VECTOR_ELT(result, at, Rf_allocVector(REALSXP, (R_xlen_t)n)));
  if (n) memcpy(to, from, n * sizeof(double));
}

typedef struct {
  SEXP function;
  size_t n;
} maker;

static void make_column(void *source, size_t j, double *out)
{
  const maker *m = source;
  SEXP number = PROTECT(Rf_ScalarReal((double)j + 1));
  SEXP call = PROTECT(Rf_lang2(m->function, number));
  SEXP column = PROTECT(Rf_eval(call, R_GlobalEnv));
  memcpy(out, entry_doubles(column, (R_xlen_t)m->n, "column"), m->n * sizeof(double));
  UNPROTECT(3);
}

static block sparse_block(SEXP x, size_t n)
{
  block b = {0};
  SEXP dim = R_do_slot(x, Rf_install("Dim")), row = R_do_slot(x, Rf_install("i"));
  SEXP start = R_do_slot(x, Rf_install("p")), value = R_do_slot(x, Rf_install("x"));
  if (TYPEOF(dim) != INTSXP || XLENGTH(dim) != 2 || TYPEOF(row) != INTSXP ||
      TYPEOF(start) != INTSXP || TYPEOF(value) != REALSXP)
    Rf_error("'blocks' holds a sparse matrix with slots of the wrong type");
  const int rows = INTEGER(dim)[0], p = INTEGER(dim)[1];
  if (rows < 0 || p < 0 || (size_t)rows != n || XLENGTH(start) != (R_xlen_t)p + 1)
    Rf_error("'blocks' holds a sparse matrix of the wrong dimensions");
  const int *s = INTEGER(start), *r = INTEGER(row);
  if (s[0] != 0 || XLENGTH(row) != s[p] || XLENGTH(value) != s[p])
    Rf_error("'blocks' holds a sparse matrix whose slots do not fit");
  for (int j = 0; j < p; j++)
    if (s[j + 1] < s[j] || s[j + 1] > s[p])
      Rf_error("'blocks' holds a sparse matrix whose column starts fall");
  for (int k = 0; k < s[p]; k++)
    if (r[k] < 0 || r[k] >= rows)
      Rf_error("'blocks' holds a sparse matrix with a row out of range");
  b.p = (size_t)p;
  b.row = r;
  b.start = s;
  b.value = REAL(value);
  return b;
}

static block read_block(SEXP x, size_t n)
{
  block b = {0};
  if (Rf_inherits(x, "dgCMatrix") && Rf_isS4(x)) return sparse_block(x, n);
  if (TYPEOF(x) == VECSXP && XLENGTH(x) == 2) {
    if (!Rf_isFunction(VECTOR_ELT(x, 1))) Rf_error("'blocks' holds a lazy block with no function");
    maker *m = ALLOC(1, maker);
    m->function = VECTOR_ELT(x, 1);
    m->n = n;
    b.p = (size_t)entry_number(VECTOR_ELT(x, 0), 0, INT_MAX, "number of sources");
    b.make = make_column;
    b.source = m;
    return b;
  }
  SEXP dim = Rf_getAttrib(x, R_DimSymbol);
  if (TYPEOF(x) != REALSXP || TYPEOF(dim) != INTSXP || XLENGTH(dim) != 2)
    Rf_error("'blocks' must hold double matrices, dgCMatrix objects or lazy blocks");
  if ((size_t)INTEGER(dim)[0] != n)
    Rf_error("'blocks' holds a matrix of %d rows, not %.0f", INTEGER(dim)[0], (double)n);
  b.p = (size_t)INTEGER(dim)[1];
  b.x = REAL(x);
  return b;
}

design entry_design(SEXP blocks, size_t n)
{
  design d = {0};
  if (TYPEOF(blocks) != VECSXP || XLENGTH(blocks) < 1 || XLENGTH(blocks) > 2)
    Rf_error("'blocks' must be a list of one or two");
  d.n = n;
  d.n_blocks = (int)XLENGTH(blocks);
  for (int k = 0; k < d.n_blocks; k++) {
    d.block[k] = read_block(VECTOR_ELT(blocks, k), n);
    d.N += d.block[k].p;
  }
  if (d.N > INT_MAX) Rf_error("'blocks' holds more than %d columns", INT_MAX);
  return d;
}
