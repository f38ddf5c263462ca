/* subset_entry.c - the search for subsets of tlcp() (subset.c), and the models of subsets (subset_models.c). */
#include <math.h>
#include <string.h>

#include "args_entry.h"
#include "routines.h"
#include "sparse.h"
#include "subset.h"
#include "subset_models.h"

#define MOST 1e4      /* most coordinates: A has 800 MB */
#define MOST_SETS 1e8 /* most bytes of the sets of a list */

enum { AT_STATUS, AT_IN, AT_VALUE, AT_BOUND, AT_NODES, AT_SECONDS, AT_STOPPED, AT_AUDIT };
static const char *const answer_names[] = {"status",  "in",      "value", "bound", "nodes",
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

/* form$parents: absent, or a logical matrix p x p: must a set with the group of the column have the group of the
 * row? */
static const unsigned char *read_parents(SEXP form, size_t p)
{
  SEXP given = entry_element(form, "parents");
  if (given == R_NilValue) return NULL;
  if (TYPEOF(given) != LGLSXP || (size_t)XLENGTH(given) != p * p)
    Rf_error("'parents' must be a logical matrix with a row and a column for each group");
  unsigned char *parent = ALLOC(p * p, unsigned char);
  for (size_t k = 0; k < p * p; k++) parent[k] = LOGICAL(given)[k] == TRUE;
  return parent;
}

/* sizes: c(from, to), or NULL where the size is not given. Returns the number of answers. */
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

static const char *stop_word(enum subset_stop stopped)
{
  static const char *const words[] = {[SUBSET_COMPLETE] = "complete",
                                      [SUBSET_NODES] = "nodes",
                                      [SUBSET_SECONDS] = "seconds",
                                      [SUBSET_INTERRUPT] = "interrupt",
                                      [SUBSET_NUMERICS] = "numerics"};
  return words[stopped];
}

static void fill_answers(SEXP out, const subset_answer *answers, size_t count, size_t p)
{
  SEXP in = SET_VECTOR_ELT(out, AT_IN, Rf_allocMatrix(LGLSXP, (int)p, (int)count));
  SEXP stopped = SET_VECTOR_ELT(out, AT_STOPPED, Rf_allocVector(STRSXP, (R_xlen_t)count));
  double *number[AT_AUDIT + 1] = {0};
  for (int at = AT_VALUE; at <= AT_AUDIT; at++)
    if (at != AT_STOPPED) number[at] = entry_numbers(out, at, count);
  for (size_t k = 0; k < count; k++) {
    const subset_answer *a = answers + k;
    for (size_t g = 0; g < p; g++) LOGICAL(in)[g + k * p] = a->in[g];
    SET_STRING_ELT(stopped, (R_xlen_t)k, Rf_mkChar(stop_word(a->stopped)));
    number[AT_VALUE][k] = a->value;
    number[AT_BOUND][k] = a->bound;
    number[AT_NODES][k] = a->nodes;
    number[AT_SECONDS][k] = a->seconds;
    number[AT_AUDIT][k] = a->audit;
  }
}

/* form: list(A, b, n_domains, ...) of p features; returns its number of coordinates. */
static size_t read_form(SEXP form, size_t p, const double **A, const double **b, size_t *T)
{
  *T = (size_t)entry_number(entry_field(form, "n_domains", "form"), 1, MOST, "n_domains");
  const double N = (double)p * (double)*T;
  if (N > MOST) Rf_error("'form' has a problem of %.0f coordinates", N);
  *A = entry_doubles(entry_field(form, "A", "form"), (R_xlen_t)(N * N), "A");
  *b = entry_doubles(entry_field(form, "b", "form"), (R_xlen_t)N, "b");
  return (size_t)N;
}

/* For arguments see transelect_subset(). */
static subset_problem read_problem(SEXP form, SEXP pen, SEXP force, SEXP settings)
{
  subset_problem q = {0};
  q.pen = entry_doubles(pen, -1, "pen");
  q.p = (size_t)XLENGTH(pen);
  read_form(form, q.p, &q.A, &q.b, &q.T);
  q.c0 = *entry_doubles(entry_field(form, "c0", "form"), 1, "c0");
  q.force = read_force(force, q.p);
  q.parent = read_parents(form, q.p);
  entry_class(settings, "tlcp_settings");
  q.max_nodes = entry_option(settings, "max_nodes", 0, HUGE_VAL);
  q.max_seconds = entry_option(settings, "max_seconds", 0, HUGE_VAL);
  return q;
}

/* form: list(A, b, c0, n_domains) and perhaps `parents`, see read_parents(): A (pT x pT), b, c0 and T of
 * subset_problem. force: NULL, or for each group 1 (in), -1 (out) or 0 (free). sizes: NULL for the optimum under `pen`,
 * or c(from, to) for the best set of each size. settings: of tlcp(), of which `max_nodes` and `max_seconds` are read.
 * Returns a list as named above; for each answer `in` has a column, and the elements after it have a number or a
 * word. */
SEXP transelect_subset(SEXP form, SEXP pen, SEXP force, SEXP sizes, SEXP audit, SEXP settings)
{
  subset_problem q = read_problem(form, pen, force, settings);
  q.audit = entry_flag(audit, "audit");
  size_t from = 0;
  const size_t count = read_sizes(sizes, q.p, &from);
  subset_answer *answers = answers_new(count, q.p);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)answer_names));
  const status state = sizes == R_NilValue ? subset_search(&q, answers)
                                           : subset_sizes(&q, from, from + count - 1, answers);
  SET_VECTOR_ELT(out, AT_STATUS, Rf_ScalarInteger((int)state));
  if (state == STATUS_OK) fill_answers(out, answers, count, q.p);
  UNPROTECT(1);
  return out;
}

/* The best set under `pen`, and then the best set of each size from sizes[0] to sizes[1], in what the first search
 * leaves of max_seconds. Arguments as for transelect_subset(). Returns list(best, of_size), each as returned by
 * transelect_subset(); of_size is NULL where the first search was interrupted, or failed. */
SEXP transelect_subset_both(SEXP form, SEXP pen, SEXP force, SEXP sizes, SEXP settings)
{
  enum { BOTH_BEST, BOTH_SIZES };
  static const char *const parts[] = {"best", "of_size", ""};
  subset_problem q = read_problem(form, pen, force, settings);
  size_t from = 0;
  const size_t count = read_sizes(sizes, q.p, &from);
  if (sizes == R_NilValue) Rf_error("'sizes' must be a range");
  subset_answer *answers = answers_new(count > 1 ? count : 1, q.p);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)parts));
  SEXP best = SET_VECTOR_ELT(out, BOTH_BEST, Rf_mkNamed(VECSXP, (const char **)answer_names));
  status state = subset_search(&q, answers);
  SET_VECTOR_ELT(best, AT_STATUS, Rf_ScalarInteger((int)state));
  if (state == STATUS_OK) fill_answers(best, answers, 1, q.p);
  if (state == STATUS_OK && answers->stopped != SUBSET_INTERRUPT) {
    q.max_seconds = fmax(q.max_seconds - answers->seconds, 0);
    SEXP of_size = SET_VECTOR_ELT(out, BOTH_SIZES, Rf_mkNamed(VECSXP, (const char **)answer_names));
    state = subset_sizes(&q, from, from + count - 1, answers);
    SET_VECTOR_ELT(of_size, AT_STATUS, Rf_ScalarInteger((int)state));
    if (state == STATUS_OK) fill_answers(of_size, answers, count, q.p);
  }
  UNPROTECT(1);
  return out;
}

/* All sets with J up to `limit`, at most `most`. form, pen, force, settings: as for transelect_subset(). Returns
 * list(status, in, value, nodes, stopped, full): `in` has a column for each set; full: are there more sets? */
SEXP transelect_subset_within(SEXP form, SEXP pen, SEXP force, SEXP limit, SEXP most, SEXP settings)
{
  enum { WITHIN_STATUS, WITHIN_IN, WITHIN_VALUE, WITHIN_NODES, WITHIN_STOPPED, WITHIN_FULL };
  static const char *const parts[] = {"status", "in", "value", "nodes", "stopped", "full", ""};
  const subset_problem q = read_problem(form, pen, force, settings);
  subset_list list = {.limit = *entry_doubles(limit, 1, "limit"),
                      .most = (size_t)entry_number(most, 1, MOST_SETS / (double)(q.p + 1), "most")};
  list.in = ALLOC(list.most * q.p, unsigned char);
  list.value = ALLOC(list.most, double);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)parts));
  const status state = subset_within(&q, &list);
  SET_VECTOR_ELT(out, WITHIN_STATUS, Rf_ScalarInteger((int)state));
  if (state == STATUS_OK) {
    SEXP in = SET_VECTOR_ELT(out, WITHIN_IN, Rf_allocMatrix(LGLSXP, (int)q.p, (int)list.found));
    for (size_t i = 0; i < list.found * q.p; i++) LOGICAL(in)[i] = list.in[i];
    double *value = entry_numbers(out, WITHIN_VALUE, list.found);
    for (size_t k = 0; k < list.found; k++) value[k] = list.value[k];
    SET_VECTOR_ELT(out, WITHIN_NODES, Rf_ScalarReal(list.nodes));
    SET_VECTOR_ELT(out, WITHIN_STOPPED, Rf_mkString(stop_word(list.stopped)));
    SET_VECTOR_ELT(out, WITHIN_FULL, Rf_ScalarLogical(list.full));
  }
  UNPROTECT(1);
  return out;
}

/* form: list(A, b, n_domains) and perhaps `full`, the form with levels (form.h); in: logical, groups x sets; H: the
 * target's X'X, its level last if there are levels, or NULL. Returns list(status, w, df, level), see subset_models.h: w
 * is coordinates x sets, df one number for each set, level one number; df and level are NULL without H. */
SEXP transelect_subset_models(SEXP form, SEXP in, SEXP H)
{
  enum { MODELS_STATUS, MODELS_W, MODELS_DF, MODELS_LEVEL };
  static const char *const parts[] = {"status", "w", "df", "level", ""};
  SEXP dim = Rf_getAttrib(in, R_DimSymbol);
  if (TYPEOF(in) != LGLSXP || TYPEOF(dim) != INTSXP || XLENGTH(dim) != 2)
    Rf_error("'in' must be a logical matrix");
  subset_form q = {.p = (size_t)INTEGER(dim)[0]};
  const size_t N = read_form(form, q.p, &q.A, &q.b, &q.T), count = (size_t)INTEGER(dim)[1];
  SEXP full = entry_element(form, "full");
  const size_t rows = N + (full == R_NilValue ? 0 : q.T), order = q.p + (full != R_NilValue);
  if (full != R_NilValue) {
    q.full_A = entry_doubles(entry_field(full, "A", "full"), (R_xlen_t)(rows * rows), "A");
    q.full_b = entry_doubles(entry_field(full, "b", "full"), (R_xlen_t)rows, "b");
  }
  if (H != R_NilValue) q.H = entry_doubles(H, (R_xlen_t)(order * order), "H");
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)parts));
  subset_fits fits = {
      .w = REAL(SET_VECTOR_ELT(out, MODELS_W, Rf_allocMatrix(REALSXP, (int)rows, (int)count))),
      .df = q.H ? entry_numbers(out, MODELS_DF, count) : NULL};
  const status state = subset_models(&q, LOGICAL(in), count, &fits);
  SET_VECTOR_ELT(out, MODELS_STATUS, Rf_ScalarInteger((int)state));
  if (q.H) entry_put(out, MODELS_LEVEL, &fits.level_df, 1);
  UNPROTECT(1);
  return out;
}

/* See sparse.h. H: p x p; g: p; v: any number of variances. Returns list(status, log_lik, mean, square). */
SEXP transelect_sparse_average(SEXP H, SEXP g, SEXP v, SEXP most, SEXP beam)
{
  enum { AT_STATUS, AT_LOG_LIK, AT_MEAN, AT_SQUARE };
  static const char *const parts[] = {"status", "log_lik", "mean", "square", ""};
  const R_xlen_t p = XLENGTH(g);
  const sparse_model model = {.p = (size_t)p,
                              .most = (size_t)entry_number(most, 0, (double)p, "most"),
                              .beam = (size_t)entry_number(beam, 1, 1e6, "beam"),
                              .H = entry_doubles(H, p * p, "H"),
                              .g = entry_doubles(g, p, "g"),
                              .v = entry_positive(v, -1, "v"),
                              .n_v = (size_t)XLENGTH(v)};
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)parts));
  sparse_posterior found = {
      .mean = entry_numbers(out, AT_MEAN, model.p),
      .square = REAL(SET_VECTOR_ELT(out, AT_SQUARE, Rf_allocMatrix(REALSXP, (int)p, (int)p)))};
  const status state = sparse_average(&model, &found);
  SET_VECTOR_ELT(out, AT_STATUS, Rf_ScalarInteger((int)state));
  entry_put(out, AT_LOG_LIK, &found.log_lik, 1);
  UNPROTECT(1);
  return out;
}
