/* args_entry.c - see args_entry.h. */
#include "args_entry.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const double *entry_doubles(SEXP x, R_xlen_t length, const char *name)
{
  if (TYPEOF(x) != REALSXP) Rf_error("'%s' must be of type double", name);
  if (length >= 0 && XLENGTH(x) != length)
    Rf_error("'%s' [%.0f] must be of length %.0f", name, (double)XLENGTH(x), (double)length);
  return REAL_RO(x);
}

const int *entry_integers(SEXP x, R_xlen_t length, const char *name)
{
  if (TYPEOF(x) != INTSXP) Rf_error("'%s' must be of type integer", name);
  if (length >= 0 && XLENGTH(x) != length)
    Rf_error("'%s' [%.0f] must be of length %.0f", name, (double)XLENGTH(x), (double)length);
  return INTEGER_RO(x);
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

SEXP entry_element(SEXP list, const char *field)
{
  SEXP names = Rf_getAttrib(list, R_NamesSymbol);
  if (TYPEOF(list) == VECSXP && TYPEOF(names) == STRSXP)
    for (R_xlen_t k = 0; k < XLENGTH(list); k++)
      if (strcmp(CHAR(STRING_ELT(names, k)), field) == 0) return VECTOR_ELT(list, k);
  return R_NilValue;
}

void entry_class(SEXP settings, const char *class)
{
  if (TYPEOF(settings) != VECSXP || !Rf_inherits(settings, class))
    Rf_error("the settings must be of class '%s'", class);
}

int entry_option_flag(SEXP settings, const char *field)
{
  return entry_flag(entry_field(settings, field, "settings"), field);
}

double entry_option(SEXP settings, const char *field, double low, double high)
{
  return entry_number(entry_field(settings, field, "settings"), low, high, field);
}

int entry_option_word(SEXP settings, const char *field, const char *const *words)
{
  SEXP word = entry_field(settings, field, "settings");
  if (TYPEOF(word) != STRSXP || XLENGTH(word) != 1) Rf_error("'%s' must be one string", field);
  for (int k = 0; words[k]; k++)
    if (strcmp(CHAR(STRING_ELT(word, 0)), words[k]) == 0) return k;
  Rf_error("'%s' [%s] is not one of its words", field, CHAR(STRING_ELT(word, 0)));
}

int entry_threads(SEXP settings)
{
  return port_threads((int)entry_option(settings, "threads", 1, 1024));
}

matrix entry_matrix(SEXP x, int rows, int columns, const char *name)
{
  SEXP dim = Rf_getAttrib(x, R_DimSymbol);
  if (TYPEOF(x) != REALSXP || TYPEOF(dim) != INTSXP || XLENGTH(dim) != 2 ||
      INTEGER_RO(dim)[0] < rows || INTEGER_RO(dim)[1] < columns)
    Rf_error("'%s' must be a double matrix%s%s", name, rows ? " with at least one row" : "",
             columns ? " and column" : "");
  return (matrix){REAL_RO(x), (size_t)INTEGER_RO(dim)[0], (size_t)INTEGER_RO(dim)[1]};
}

const double *entry_positive(SEXP x, R_xlen_t n, const char *name)
{
  const double *number = entry_doubles(x, n, name);
  for (R_xlen_t i = 0; i < XLENGTH(x); i++)
    if (!(number[i] > 0 && number[i] < HUGE_VAL))
      Rf_error("'%s' must be positive and finite", name);
  return number;
}

const double *entry_weights(SEXP weights, R_xlen_t n, const char *name)
{
  return weights == R_NilValue ? NULL : entry_positive(weights, n, name);
}

const int *entry_codes(SEXP codes, size_t n, size_t *k, const char *name)
{
  if (TYPEOF(codes) != INTSXP || (size_t)XLENGTH(codes) != n)
    Rf_error("'%s' must be of type integer and of length %.0f", name, (double)n);
  int *out = ALLOC(n, int);
  *k = 0;
  for (size_t i = 0; i < n; i++) {
    const int code = INTEGER_RO(codes)[i];
    if (code < 1 || (size_t)code > n) Rf_error("'%s' has a code out of range", name);
    out[i] = code - 1;
    if ((size_t)code > *k) *k = (size_t)code;
  }
  char *seen = ALLOC(*k, char);
  for (size_t i = 0; i < n; i++) seen[out[i]] = 1;
  for (size_t c = 0; c < *k; c++)
    if (!seen[c]) Rf_error("'%s' has a code that is not used", name);
  return out;
}

const column_groups *entry_groups(SEXP groups, size_t columns)
{
  if (groups == R_NilValue) return NULL;
  SEXP codes = entry_field(groups, "of", "groups");
  const size_t grouped = (size_t)Rf_xlength(codes);
  if (grouped > columns) Rf_error("'groups' has more than %.0f columns", (double)columns);
  column_groups *g = ALLOC(1, column_groups);
  int *of = ALLOC(columns, int);
  const int *given = entry_codes(codes, grouped, &g->n, "groups");
  for (size_t j = 0; j < columns; j++) of[j] = j < grouped ? given[j] : (int)g->n++;
  size_t *start = ALLOC(g->n + 1, size_t), *placed = ALLOC(g->n, size_t);
  size_t *column = ALLOC(columns, size_t);
  for (size_t j = 0; j < columns; j++) start[of[j] + 1]++;
  for (size_t k = 0; k < g->n; k++) start[k + 1] += start[k];
  for (size_t j = 0; j < columns; j++) column[start[of[j]] + placed[of[j]]++] = j;
  g->of = of;
  g->start = start;
  g->column = column;
  return g;
}

static int descending(const void *a, const void *b)
{
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x < y) - (x > y);
}

int entry_most_columns(const column_groups *groups, int most_groups)
{
  if (!groups) return most_groups;
  size_t *size = ALLOC(groups->n, size_t), most = 0;
  for (size_t g = 0; g < groups->n; g++) size[g] = groups->start[g + 1] - groups->start[g];
  qsort(size, groups->n, sizeof(size_t), descending);
  for (size_t g = 0; g < groups->n && (int)g < most_groups; g++) most += size[g];
  return (int)most;
}

const int *entry_keep(SEXP keep, size_t columns, int most, int *n)
{
  if (TYPEOF(keep) != INTSXP || XLENGTH(keep) > most)
    Rf_error("'keep' must be of type integer and no longer than %d", most);
  *n = (int)XLENGTH(keep);
  int *out = ALLOC(*n, int);
  for (int k = 0; k < *n; k++) {
    const int column = INTEGER(keep)[k];
    if (column < 1 || (size_t)column > columns) Rf_error("'keep' is out of range");
    out[k] = column - 1;
    for (int r = 0; r < k; r++)
      if (out[r] == out[k]) Rf_error("'keep' has a number twice");
  }
  return out;
}

const double *entry_draws(SEXP draws, R_xlen_t n)
{
  const double *u = entry_doubles(draws, n, "draws");
  for (R_xlen_t k = 0; k < n; k++)
    if (!(u[k] >= 0 && u[k] < 1)) Rf_error("'draws' must lie in [0, 1)");
  return u;
}

/* ---- columns ---- */

typedef struct {
  SEXP function;
  size_t n;
} maker;

static void make_column(void *context, size_t j, double *out)
{
  const maker *m = context;
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
  const int rows = INTEGER_RO(dim)[0], p = INTEGER_RO(dim)[1];
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
  b.value = REAL_RO(value);
  return b;
}

/* Products of columns. x: list(matrix, squares, singles). */
static block product_block(SEXP x, size_t n)
{
  block b = {0};
  const matrix m = entry_matrix(VECTOR_ELT(x, 0), 1, 1, "blocks");
  if (m.rows != n)
    Rf_error("'blocks' holds a matrix of %.0f rows, not %.0f", (double)m.rows, (double)n);
  const int squares = entry_flag(VECTOR_ELT(x, 1), "squares");
  const int singles = entry_flag(VECTOR_ELT(x, 2), "singles");
  if (products_count(m.columns, squares, singles) > INT_MAX)
    Rf_error("'blocks' holds more than %d products", INT_MAX);
  column_products *s = products_new(m.x, n, m.columns, squares, singles);
  b.p = s->start[s->p];
  b.product = s;
  b.make = products_column;
  b.context = s;
  return b;
}

static block read_block(SEXP x, size_t n)
{
  block b = {0};
  if (Rf_inherits(x, "dgCMatrix") && Rf_isS4(x)) return sparse_block(x, n);
  if (TYPEOF(x) == VECSXP && XLENGTH(x) == 3) return product_block(x, n);
  if (TYPEOF(x) == VECSXP && XLENGTH(x) == 2) {
    if (!Rf_isFunction(VECTOR_ELT(x, 1))) Rf_error("'blocks' holds a lazy block with no function");
    maker *m = ALLOC(1, maker);
    m->function = VECTOR_ELT(x, 1);
    m->n = n;
    b.p = (size_t)entry_number(VECTOR_ELT(x, 0), 0, INT_MAX, "number of sources");
    b.make = make_column;
    b.context = m;
    return b;
  }
  SEXP dim = Rf_getAttrib(x, R_DimSymbol);
  if (TYPEOF(x) != REALSXP || TYPEOF(dim) != INTSXP || XLENGTH(dim) != 2)
    Rf_error("'blocks' must hold double matrices, dgCMatrix objects or lazy blocks");
  if ((size_t)INTEGER_RO(dim)[0] != n)
    Rf_error("'blocks' holds a matrix of %d rows, not %.0f", INTEGER_RO(dim)[0], (double)n);
  b.p = (size_t)INTEGER_RO(dim)[1];
  b.x = REAL_RO(x);
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

design entry_features(SEXP blocks, size_t n)
{
  design d = entry_design(blocks, n);
  if (d.n_blocks != 1 || block_is_lazy(&d.block[0])) Rf_error("'blocks' must hold one matrix");
  return d;
}

gram entry_gram(SEXP moments)
{
  SEXP mean = entry_field(moments, "mean", "moments"), yy = entry_field(moments, "yy", "moments");
  const R_xlen_t N = XLENGTH(mean), q = XLENGTH(yy);
  if (N < 1 || N > INT_MAX) Rf_error("'mean' is empty or too long");
  if (q < 1 || q > INT_MAX) Rf_error("'yy' is empty or too long");
  const gram g = {.p = (size_t)N,
                  .N = (size_t)N,
                  .q = (size_t)q,
                  .n = entry_number(entry_field(moments, "n", "moments"), 1, DBL_MAX, "n"),
                  .G = entry_doubles(entry_field(moments, "G", "moments"), N * N, "G"),
                  .b = entry_doubles(entry_field(moments, "b", "moments"), N * q, "b"),
                  .yy = entry_doubles(yy, q, "yy"),
                  .mean = entry_doubles(mean, N, "mean"),
                  .y_mean = entry_doubles(entry_field(moments, "y_mean", "moments"), q, "y_mean")};
  for (R_xlen_t r = 0; r < q; r++)
    if (!isfinite(g.yy[r]) || !isfinite(g.y_mean[r])) Rf_error("'yy' and 'y_mean' must be finite");
  for (R_xlen_t i = 0; i < N * N; i++)
    if (!isfinite(g.G[i])) Rf_error("'G' must be finite");
  return g;
}

/* ---- results ---- */

double *entry_numbers(SEXP result, int at, size_t n)
{
  return REAL(SET_VECTOR_ELT(result, at, Rf_allocVector(REALSXP, (R_xlen_t)n)));
}

int *entry_ints(SEXP result, int at, size_t n)
{
  return INTEGER(SET_VECTOR_ELT(result, at, Rf_allocVector(INTSXP, (R_xlen_t)n)));
}

void entry_put(SEXP result, int at, const double *from, size_t n)
{
  double *to = entry_numbers(result, at, n);
  if (n) memcpy(to, from, n * sizeof(double));
}

void entry_put_ints(SEXP result, int at, const int *from, size_t n, int add)
{
  int *to = entry_ints(result, at, n);
  for (size_t i = 0; i < n; i++) to[i] = from[i] + add;
}

void entry_put_status(SEXP result, status state, size_t bad)
{
  static const char *const words[] = {
      [STATUS_NOT_FINITE] = "not_finite",         [STATUS_CONSTANT_Y] = "constant_y",
      [STATUS_COLLINEAR_KEEP] = "collinear_keep", [STATUS_NO_EVIDENCE] = "no_evidence",
      [STATUS_FEW_DOMAINS] = "few_domains",       [STATUS_SINGULAR] = "singular"};
  SEXP code = SET_VECTOR_ELT(result, 0, Rf_ScalarInteger((int)state));
  if (state != STATUS_OK) Rf_setAttrib(code, R_NamesSymbol, PROTECT(Rf_mkString(words[state])));
  if (state != STATUS_OK) UNPROTECT(1);
  SET_VECTOR_ELT(result, 1, Rf_ScalarReal((double)bad + 1));
}
