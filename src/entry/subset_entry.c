/* subset_entry.c - from R to subset.c and back. */
#include "subset_entry.h"

#include "args_entry.h"
#include "subset.h"
#include "subset_models.h"

#define MOST 1e4 /* coordinates: A would have 800 MB */

/* The elements of the result, and their places. */
enum { AT_STATUS, AT_IN, AT_VALUE, AT_BOUND, AT_NODES, AT_SECONDS, AT_STOPPED, AT_AUDIT };
static const char *const names[] = {"status",  "in",      "value", "bound", "nodes",
                                    "seconds", "stopped", "audit", ""};

static const signed char *read_force(SEXP force, size_t p)
{
  if (force == R_NilValue) return NULL;
  if (TYPEOF(force) != INTSXP || (size_t)XLENGTH(force) != p)
    Rf_error("'force' must be of type integer and have one code a group");
  signed char *codes = ALLOC(p, signed char);
  for (size_t g = 0; g < p; g++) {
    const int code = INTEGER(force)[g];
    if (code < -1 || code > 1) Rf_error("'force' has a code out of range");
    codes[g] = (signed char)code;
  }
  return codes;
}

/* c(from, to) or NULL; returns the number of answers. */
static size_t read_sizes(SEXP sizes, size_t p, size_t *from)
{
  if (sizes == R_NilValue) return 1;
  const double *range = entry_doubles(sizes, 2, "sizes");
  if (!(range[0] >= 0 && range[0] <= range[1] && range[1] <= (double)p))
    Rf_error("'sizes' must be a range within 0 and the number of groups");
  *from = (size_t)range[0];
  return (size_t)range[1] - *from + 1;
}

static subset_answer *answers_new(size_t count, size_t p)
{
  subset_answer *answers = ALLOC(count, subset_answer);
  unsigned char *in = ALLOC(count * p, unsigned char);
  for (size_t k = 0; k < count; k++) answers[k].in = in + k * p;
  return answers;
}

static void fill(SEXP out, const subset_answer *answers, size_t count, size_t p)
{
  SEXP in = SET_VECTOR_ELT(out, AT_IN, Rf_allocMatrix(LGLSXP, (int)p, (int)count));
  int *stopped = entry_ints(out, AT_STOPPED, count);
  double *number[AT_AUDIT + 1] = {0};
  for (int at = AT_VALUE; at <= AT_AUDIT; at++)
    if (at != AT_STOPPED) number[at] = entry_numbers(out, at, count);
  for (size_t k = 0; k < count; k++) {
    const subset_answer *a = answers + k;
    for (size_t g = 0; g < p; g++) LOGICAL(in)[g + k * p] = a->in[g];
    stopped[k] = (int)a->stopped;
    number[AT_VALUE][k] = a->value;
    number[AT_BOUND][k] = a->bound;
    number[AT_NODES][k] = a->nodes;
    number[AT_SECONDS][k] = a->seconds;
    number[AT_AUDIT][k] = a->audit;
  }
}

/* A: pT x pT, coordinates of a group adjacent; force: NULL or 1 in, -1 out, 0 free; limits:
 * c(nodes, seconds); sizes: NULL for the optimum under `pen`, or c(from, to) for the best set of
 * each size. Returns a list as named above, a column of `in` and a number an answer. */
SEXP transelect_subset(SEXP A, SEXP b, SEXP c0, SEXP pen, SEXP T, SEXP force, SEXP limits,
                       SEXP sizes, SEXP audit)
{
  subset_problem q = {0};
  q.T = (size_t)entry_number(T, 1, MOST, "T");
  q.pen = entry_doubles(pen, -1, "pen");
  q.p = (size_t)XLENGTH(pen);
  const double N = (double)q.p * (double)q.T;
  if (N > MOST) Rf_error("'pen' and 'T' make a problem of %.0f coordinates", N);
  q.A = entry_doubles(A, (R_xlen_t)(N * N), "A");
  q.b = entry_doubles(b, (R_xlen_t)N, "b");
  q.c0 = *entry_doubles(c0, 1, "c0");
  q.force = read_force(force, q.p);
  const double *limit = entry_doubles(limits, 2, "limits");
  if (!(limit[0] >= 0 && limit[1] >= 0)) Rf_error("'limits' must not be negative");
  q.max_nodes = limit[0];
  q.max_seconds = limit[1];
  q.audit = entry_flag(audit, "audit");
  size_t from = 0;
  const size_t count = read_sizes(sizes, q.p, &from);
  subset_answer *answers = answers_new(count, q.p);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)names));
  const status state = sizes == R_NilValue ? subset_search(&q, answers)
                                           : subset_sizes(&q, from, from + count - 1, answers);
  SET_VECTOR_ELT(out, AT_STATUS, Rf_ScalarInteger((int)state));
  if (state == STATUS_OK) fill(out, answers, count, q.p);
  UNPROTECT(1);
  return out;
}

/* A, b, T as above; in: logical, groups x sets; H: coordinates x coordinates or NULL. Returns list(status, w,
 * df): coordinates x sets, and one number a set (NULL without H). */
SEXP transelect_subset_models(SEXP A, SEXP b, SEXP T, SEXP in, SEXP H)
{
  SEXP dim = Rf_getAttrib(in, R_DimSymbol);
  if (TYPEOF(in) != LGLSXP || TYPEOF(dim) != INTSXP || XLENGTH(dim) != 2)
    Rf_error("'in' must be a logical matrix");
  subset_form form = {.p = (size_t)INTEGER(dim)[0], .T = (size_t)entry_number(T, 1, MOST, "T")};
  const double N = (double)form.p * (double)form.T, count = INTEGER(dim)[1];
  if (N > MOST) Rf_error("'in' and 'T' make a problem of %.0f coordinates", N);
  form.A = entry_doubles(A, (R_xlen_t)(N * N), "A");
  form.b = entry_doubles(b, (R_xlen_t)N, "b");
  form.H = H == R_NilValue ? NULL : entry_doubles(H, (R_xlen_t)(form.p * form.T * form.p * form.T), "H");
  const char *parts[] = {"status", "w", "df", ""};
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, parts));
  SEXP w = SET_VECTOR_ELT(out, 1, Rf_allocMatrix(REALSXP, (int)N, (int)count));
  double *df = form.H ? entry_numbers(out, 2, (size_t)count) : NULL;
  const status state = subset_models(&form, LOGICAL(in), (size_t)count, REAL(w), df);
  SET_VECTOR_ELT(out, 0, Rf_ScalarInteger((int)state));
  UNPROTECT(1);
  return out;
}
