/* shareboost_entry.c - from R to shareboost.c and back. */
#include "shareboost_entry.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "args_entry.h"
#include "shareboost_columns.h"

typedef struct {
  share_options path;
  penalty pen;
  enum share_scale scale;
  double margin, tol;
  int threads;
} settings;

/* `units`: how many there are to choose from. */
static settings read_settings(SEXP options, size_t units, int k)
{
  settings s = {0};
  share_options *o = &s.path;
#define FIELD(name) entry_field(options, name, "options")
  o->rule = (enum share_rule)entry_number(FIELD("rule"), SHARE_ORTHOGONAL, SHARE_FULL, "rule");
  o->intercept = entry_flag(FIELD("intercept"), "intercept");
  o->max_steps = (int)entry_number(FIELD("max_steps"), 0, (double)units, "max_steps");
  o->candidates = (int)entry_number(FIELD("candidates"), 0, (double)units, "candidates");
  o->shortlist = (int)entry_number(FIELD("shortlist"), 0, INT_MAX, "shortlist");
  s.scale = (enum share_scale)entry_number(FIELD("scale"), SCALE_SD, SCALE_NONE, "scale");
  s.margin = entry_number(FIELD("margin"), 0, 100, "margin");
  s.tol = entry_number(FIELD("tol"), 0, 1, "tol");
  s.threads = (int)entry_number(FIELD("threads"), 1, 1024, "threads");
  s.pen.kind =
      (enum penalty_kind)entry_number(FIELD("penalty"), PENALTY_RIDGE, PENALTY_LINF1, "penalty");
  s.pen.weight = entry_number(FIELD("ridge"), 0, 1e100, "ridge");
  s.pen.beta = entry_number(FIELD("sharpness"), 1e-6, 1e6, "sharpness");
  s.pen.k = k;
  SEXP keep = FIELD("keep");
  if (TYPEOF(keep) != INTSXP || XLENGTH(keep) > o->max_steps)
    Rf_error("'keep' must be of type integer and no longer than max_steps");
  o->n_keep = (int)XLENGTH(keep);
  int *kept = ALLOC(o->n_keep, int);
  for (int i = 0; i < o->n_keep; i++) {
    kept[i] = INTEGER(keep)[i] - 1;
    if (kept[i] < 0 || (size_t)kept[i] >= units) Rf_error("'keep' has a number out of range");
  }
  o->keep = kept;
#undef FIELD
  return s;
}

/* Codes 1..*k, every one of them used; returns them as 0..k-1. */
static int *read_codes(SEXP codes, size_t n, size_t most, size_t *k, const char *name)
{
  if (TYPEOF(codes) != INTSXP || (size_t)XLENGTH(codes) != n)
    Rf_error("'%s' must be of type integer and of length %.0f", name, (double)n);
  int *out = ALLOC(n, int);
  *k = 0;
  for (size_t i = 0; i < n; i++) {
    const int code = INTEGER(codes)[i];
    if (code < 1 || (size_t)code > most) Rf_error("'%s' has a code out of range", name);
    out[i] = code - 1;
    if ((size_t)code > *k) *k = (size_t)code;
  }
  char *seen = ALLOC(*k, char);
  for (size_t i = 0; i < n; i++) seen[out[i]] = 1;
  for (size_t c = 0; c < *k; c++)
    if (!seen[c]) Rf_error("'%s' has a code that is not used", name);
  return out;
}

/* Weights scaled to mean one, NULL for none. */
static const double *read_weights(SEXP weights, size_t n)
{
  if (weights == R_NilValue) return NULL;
  const double *w = entry_doubles(weights, (R_xlen_t)n, "weights");
  double sum = 0, *v = ALLOC(n, double);
  for (size_t i = 0; i < n; i++) {
    if (!(w[i] > 0 && w[i] < HUGE_VAL)) Rf_error("'weights' must be positive and finite");
    sum += w[i] / (double)n;
  }
  if (!(sum < HUGE_VAL)) Rf_error("'weights' are too large to be added");
  for (size_t i = 0; i < n; i++)
    if (!((v[i] = w[i] / sum) > 0)) Rf_error("'weights' differ too much in size");
  return v;
}

static void read_draws(share_options *o, SEXP draws)
{
  if (!o->candidates) return;
  const R_xlen_t wanted = (R_xlen_t)o->candidates * o->max_steps;
  o->draws = entry_doubles(draws, wanted, "draws");
  for (R_xlen_t i = 0; i < wanted; i++)
    if (!(o->draws[i] >= 0 && o->draws[i] < 1)) Rf_error("'draws' must lie in [0, 1)");
}

/* ---- results ---- */

#define RESULTS(name)                                                                              \
  name(status), name(bad), name(unit), name(column), name(columns), name(score), name(slope),      \
      name(loss), name(error), name(end), name(iterations), name(refreshes), name(converged),      \
      name(weights), name(center), name(scale)
#define PLACE(name) AT_##name
#define TEXT(name) #name
enum { RESULTS(PLACE) };
static const char *const names[] = {RESULTS(TEXT), ""};

static share_path path_new(int max_steps)
{
  const size_t n = (size_t)max_steps + 1;
  share_path p = {0};
  int **counts[] = {&p.unit, &p.columns, &p.iterations, &p.refreshes, &p.converged};
  double **numbers[] = {&p.score, &p.slope, &p.loss, &p.error, &p.end};
  for (size_t k = 0; k < sizeof(counts) / sizeof(counts[0]); k++) *counts[k] = ALLOC(n, int);
  for (size_t k = 0; k < sizeof(numbers) / sizeof(numbers[0]); k++) *numbers[k] = ALLOC(n, double);
  p.w = ALLOC(n, double *);
  return p;
}

static void put_counts(SEXP out, int at, const int *from, size_t n, int add)
{
  int *to = INTEGER(SET_VECTOR_ELT(out, at, Rf_allocVector(INTSXP, (R_xlen_t)n)));
  for (size_t i = 0; i < n; i++) to[i] = from[i] + add;
}

/* W of one step: k numbers for each column (the intercept first), shifted to where they cost
 * least, the intercept to mean zero. */
static void put_weights(SEXP list, int at, const double *d, size_t columns, const softmax_fit *fit)
{
  const size_t K = (size_t)fit->p->K, k = K + 1;
  double *w = REAL(
      SET_VECTOR_ELT(list, at, Rf_allocVector(REALSXP, (R_xlen_t)((columns + fit->free) * k))));
  const penalty even = {.kind = PENALTY_RIDGE, .k = (int)k};
  for (size_t j = 0; j < columns + fit->free; j++, d += K, w += k) {
    const double shift = penalty_shift(j < fit->free ? &even : &fit->pen, d);
    for (size_t q = 0; q < k; q++) w[q] = (q < K ? d[q] : 0) - shift;
  }
}

static void fill(SEXP out, const share_path *p, const softmax_fit *fit)
{
  const size_t n = (size_t)p->n_steps + 1;
  put_counts(out, AT_unit, p->unit + 1, n - 1, 1);
  put_counts(out, AT_columns, p->columns, n, 0);
  put_counts(out, AT_iterations, p->iterations, n, 0);
  put_counts(out, AT_refreshes, p->refreshes, n, 0);
  put_counts(out, AT_converged, p->converged, n, 0);
  entry_put(out, AT_score, p->score + 1, n - 1);
  entry_put(out, AT_slope, p->slope + 1, n - 1);
  entry_put(out, AT_loss, p->loss, n);
  entry_put(out, AT_error, p->error, n);
  entry_put(out, AT_end, p->end, n);
  SEXP weights = SET_VECTOR_ELT(out, AT_weights, Rf_allocVector(VECSXP, (R_xlen_t)n));
  for (size_t k = 0; k < n; k++) put_weights(weights, (int)k, p->w[k], (size_t)p->columns[k], fit);
}

/* The path over a pool. `units` of at most `columns` columns in all. */
static status run(share_pool *pool, settings *s, size_t m, int k, const int *y, const double *v,
                  size_t columns, SEXP out)
{
  const size_t free = (size_t)s->path.intercept, room = columns + free + 1;
  const size_t extra = s->path.rule == SHARE_ORTHOGONAL ? pool->largest : 0;
  softmax p = softmax_new(m, k, y, v, s->margin, room, extra);
  softmax_fit fit = fit_new(&p, s->pen, free, s->tol, room);
  share_path path = path_new(s->path.max_steps);
  const status state = shareboost_run(&fit, pool, &s->path, &path);
  fill(out, &path, &fit);
  return state;
}

/* blocks: list(features), see args_entry.h. y: classes 1..k; weights: positive, or NULL. group: 1..
 * of every column, or NULL. Returns the elements of RESULTS. */
SEXP transelect_shareboost(SEXP blocks, SEXP y, SEXP weights, SEXP group, SEXP options, SEXP draws)
{
  if (TYPEOF(y) != INTSXP) Rf_error("'y' must be of type integer");
  const size_t n = (size_t)XLENGTH(y);
  size_t k, units, bad = 0;
  const int *classes = read_codes(y, n, n, &k, "y");
  if (k < 2) Rf_error("'y' must have two classes at least");
  design d = entry_design(blocks, n);
  if (d.n_blocks != 1 || d.block[0].make) Rf_error("'blocks' must hold one matrix");
  units = d.N;
  const int *of = group == R_NilValue ? NULL : read_codes(group, d.N, d.N, &units, "group");
  settings s = read_settings(options, units, (int)k);
  read_draws(&s.path, draws);
  const double *v = read_weights(weights, n);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)names));
  double *scale = REAL(SET_VECTOR_ELT(out, AT_scale, Rf_allocVector(REALSXP, (R_xlen_t)d.N)));
  double *own = ALLOC(d.N, double);
  status state = share_columns_scale(&d, v, s.path.intercept, s.scale, scale, own, &bad);
  if (state == STATUS_OK) {
    const int subsets = s.path.candidates > 0 || s.path.n_keep > 0;
    const size_t most = (size_t)s.path.max_steps;
    size_t largest = 1;
    share_columns *c = share_columns_new(&d, scale, own, of, units, k - 1, 0, s.threads);
    if (c->largest > 1) largest = c->largest;
    const size_t columns = most < d.N / largest ? most * largest : d.N;
    if (subsets && s.path.rule == SHARE_ORTHOGONAL)
      c = share_columns_new(&d, scale, own, of, units, k - 1, columns, s.threads);
    share_pool pool = share_columns_pool(c);
    state = run(&pool, &s, n, (int)k, classes, v, columns, out);
    SEXP unit = VECTOR_ELT(out, AT_unit);
    R_xlen_t total = 0;
    for (R_xlen_t i = 0; i < XLENGTH(unit); i++)
      total += (R_xlen_t)pool.size(c, (size_t)INTEGER(unit)[i] - 1);
    int *column = INTEGER(SET_VECTOR_ELT(out, AT_column, Rf_allocVector(INTSXP, total)));
    for (R_xlen_t i = 0; i < XLENGTH(unit); i++)
      for (size_t u = (size_t)INTEGER(unit)[i] - 1, e = c->start[u]; e < c->start[u + 1]; e++)
        *column++ = (int)c->member[e] + 1;
  }
  SEXP center = SET_VECTOR_ELT(out, AT_center, Rf_allocVector(REALSXP, (R_xlen_t)d.N));
  for (size_t j = 0; j < d.N; j++) REAL(center)[j] = d.center ? d.center[j] : 0;
  SET_VECTOR_ELT(out, AT_status, Rf_ScalarInteger((int)state));
  SET_VECTOR_ELT(out, AT_bad, Rf_ScalarReal((double)bad + 1));
  UNPROTECT(1);
  return out;
}
