/* shareboost_entry.c - from R to shareboost.c and back. */
#include "shareboost_entry.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "args_entry.h"
#include "pieces.h"
#include "shareboost_columns.h"
#include "stumps.h"

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
      name(weights), name(center), name(scale), name(detail)
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

typedef struct {
  size_t n, k;
  const int *y;
  const double *v;
  settings s;
} problem;

/* Variables of a diagonal block of the factor. The rows of the Hessian of a large group would cost
 * as much as K / 4 iterations a column: its block holds two groups only. */
static size_t block_limit(const share_pool *pool, size_t K)
{
  return pool->largest * K > 64 && pool->largest > 1 ? 2 * pool->largest * K : 3072;
}

/* The path over a pool, of at most `columns` columns in all. */
static status run(share_pool *pool, problem *a, size_t columns, SEXP out, size_t *bad)
{
  const size_t free = (size_t)a->s.path.intercept, room = columns + free + 1;
  const size_t extra = a->s.path.rule == SHARE_ORTHOGONAL ? pool->largest : 0;
  softmax p = softmax_new(a->n, (int)a->k, a->y, a->v, a->s.margin, room, extra);
  softmax_fit fit = fit_new(&p, a->s.pen, free, a->s.tol, room, block_limit(pool, a->k - 1));
  share_path path = path_new(a->s.path.max_steps);
  const status state = shareboost_run(&fit, pool, &a->s.path, &path);
  fill(out, &path, &fit);
  if (state == STATUS_COLLINEAR_KEEP) *bad = (size_t)path.refused;
  return state;
}

/* ---- entries ---- */

/* Rows of y, which every entry has. */
static size_t rows_of(SEXP y)
{
  if (TYPEOF(y) != INTSXP) Rf_error("'y' must be of type integer");
  return (size_t)XLENGTH(y);
}

static void read_classes(problem *a, SEXP y, SEXP weights)
{
  a->n = rows_of(y);
  a->y = read_codes(y, a->n, a->n, &a->k, "y");
  if (a->k < 2) Rf_error("'y' must have two classes at least");
  a->v = read_weights(weights, a->n);
}

static void read_rest(problem *a, size_t units, SEXP options, SEXP draws)
{
  a->s = read_settings(options, units, (int)a->k);
  read_draws(&a->s.path, draws);
}

static SEXP finish(SEXP out, status state, size_t bad)
{
  SET_VECTOR_ELT(out, AT_status, Rf_ScalarInteger((int)state));
  SET_VECTOR_ELT(out, AT_bad, Rf_ScalarReal((double)bad + 1));
  UNPROTECT(1);
  return out;
}

static double *put_room(SEXP out, int at, size_t n)
{
  return REAL(SET_VECTOR_ELT(out, at, Rf_allocVector(REALSXP, (R_xlen_t)n)));
}

/* A double matrix of at least one row and column; returns its values. */
static const double *read_matrix(SEXP x, size_t *rows, size_t *columns, const char *name)
{
  SEXP dim = Rf_getAttrib(x, R_DimSymbol);
  if (TYPEOF(x) != REALSXP || TYPEOF(dim) != INTSXP || XLENGTH(dim) != 2 || INTEGER(dim)[0] < 1 ||
      INTEGER(dim)[1] < 1)
    Rf_error("'%s' must be a double matrix that is not empty", name);
  for (R_xlen_t i = 0; i < XLENGTH(x); i++)
    if (!isfinite(REAL(x)[i])) Rf_error("'%s' must be finite", name);
  *rows = (size_t)INTEGER(dim)[0];
  *columns = (size_t)INTEGER(dim)[1];
  return REAL(x);
}

/* Columns of the units that entered, from 1, in order. */
static void put_columns(SEXP out, const share_columns *c)
{
  SEXP unit = VECTOR_ELT(out, AT_unit);
  size_t total = 0;
  for (R_xlen_t i = 0; i < XLENGTH(unit); i++)
    total += c->start[INTEGER(unit)[i]] - c->start[INTEGER(unit)[i] - 1];
  int *column = INTEGER(SET_VECTOR_ELT(out, AT_column, Rf_allocVector(INTSXP, (R_xlen_t)total)));
  for (R_xlen_t i = 0; i < XLENGTH(unit); i++)
    for (size_t e = c->start[INTEGER(unit)[i] - 1]; e < c->start[INTEGER(unit)[i]]; e++)
      *column++ = (int)c->member[e] + 1;
}

/* blocks: list(features), see args_entry.h. y: classes 1..k; weights: positive, or NULL. group: 1..
 * of every column, or NULL. Returns the elements of RESULTS; `column`, the columns that entered. */
SEXP transelect_shareboost(SEXP blocks, SEXP y, SEXP weights, SEXP group, SEXP options, SEXP draws)
{
  problem a;
  size_t bad = 0;
  design d = entry_design(blocks, rows_of(y));
  if (d.n_blocks != 1 || d.block[0].make) Rf_error("'blocks' must hold one matrix");
  size_t units = d.N;
  const int *of = group == R_NilValue ? NULL : read_codes(group, d.N, d.N, &units, "group");
  read_classes(&a, y, weights);
  read_rest(&a, units, options, draws);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)names));
  double *scale = put_room(out, AT_scale, d.N), *own = ALLOC(d.N, double);
  status state = share_columns_scale(&d, a.v, a.s.path.intercept, a.s.scale, scale, own, &bad);
  if (state == STATUS_OK) {
    const int subsets = a.s.path.candidates > 0 || a.s.path.n_keep > 0;
    share_columns *c = share_columns_new(&d, scale, own, of, units, a.k - 1,
                                         (size_t)a.s.path.max_steps, subsets, a.s.threads);
    share_pool pool = share_columns_pool(c);
    state = run(&pool, &a, c->room, out, &bad);
    put_columns(out, c);
  }
  double *center = put_room(out, AT_center, d.N);
  for (size_t j = 0; j < d.N; j++) center[j] = d.center ? d.center[j] : 0;
  return finish(out, state, bad);
}

/* x: m x p; order: rows (from 1) of every feature in ascending order. `column`: features of the
 * stumps that entered; `detail`: their thresholds. */
SEXP transelect_shareboost_stumps(SEXP x, SEXP order, SEXP y, SEXP weights, SEXP options,
                                  SEXP draws)
{
  problem a;
  size_t m, p, bad = 0;
  const double *values = read_matrix(x, &m, &p, "x");
  read_classes(&a, y, weights);
  if (m != a.n) Rf_error("'x' has %.0f rows, not %.0f", (double)m, (double)a.n);
  if (TYPEOF(order) != INTSXP || (size_t)XLENGTH(order) != m * p)
    Rf_error("'order' must be of type integer and as long as 'x'");
  for (size_t i = 0; i < m * p; i++) {
    const int row = INTEGER(order)[i];
    if (row < 1 || (size_t)row > m) Rf_error("'order' has a row out of range");
  }
  a.s = read_settings(options, (size_t)INT_MAX, (int)a.k);
  stumps *s = stumps_new(values, INTEGER(order), m, p, a.v, a.s.path.intercept,
                         a.s.scale == SCALE_SD, a.s.path.rule == SHARE_ORTHOGONAL, a.k - 1);
  if (s->units > INT_MAX) Rf_error("there are more than %d stumps", INT_MAX);
  read_rest(&a, s->units, options, draws);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)names));
  share_pool pool = stumps_pool(s);
  const status state = run(&pool, &a, (size_t)a.s.path.max_steps, out, &bad);
  SEXP unit = VECTOR_ELT(out, AT_unit);
  const size_t n = (size_t)XLENGTH(unit);
  int *column = INTEGER(SET_VECTOR_ELT(out, AT_column, Rf_allocVector(INTSXP, (R_xlen_t)n)));
  double *center = put_room(out, AT_center, n), *scale = put_room(out, AT_scale, n);
  double *threshold = put_room(out, AT_detail, n);
  for (size_t i = 0; i < n; i++) {
    size_t feature;
    stumps_describe(s, (size_t)INTEGER(unit)[i] - 1, &feature, threshold + i, center + i,
                    scale + i);
    column[i] = (int)feature + 1;
  }
  return finish(out, state, bad);
}

/* x: m x p; center: centres x p; radius: ascending. `column`: features (p + 1 for the one) of the
 * columns that entered. */
SEXP transelect_shareboost_pieces(SEXP x, SEXP center, SEXP radius, SEXP y, SEXP weights,
                                  SEXP options, SEXP draws)
{
  problem a;
  size_t m, p, centers, features, bad = 0;
  const double *values = read_matrix(x, &m, &p, "x");
  const double *centre = read_matrix(center, &centers, &features, "center");
  const double *r = entry_doubles(radius, -1, "radius");
  const size_t radii = (size_t)XLENGTH(radius);
  read_classes(&a, y, weights);
  if (m != a.n) Rf_error("'x' has %.0f rows, not %.0f", (double)m, (double)a.n);
  if (features != p) Rf_error("'center' must have the columns of 'x'");
  if (radii < 1 || radii > PIECES_RADII) Rf_error("'radius' must be of length 1 to 255");
  for (size_t k = 0; k < radii; k++)
    if (!(r[k] > 0) || (k && r[k] <= r[k - 1])) Rf_error("'radius' must be positive and ascend");
  if (centers * radii > INT_MAX) Rf_error("there are more than %d pieces", INT_MAX);
  read_rest(&a, centers * radii, options, draws);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)names));
  pieces *s = pieces_new(values, m, p, a.v, centre, centers, r, radii, a.s.path.intercept,
                         a.s.scale, a.k - 1);
  share_pool pool = pieces_pool(s);
  const status state = run(&pool, &a, (size_t)a.s.path.max_steps * (p + 1), out, &bad);
  SEXP unit = VECTOR_ELT(out, AT_unit);
  const int *count = INTEGER(VECTOR_ELT(out, AT_columns));
  const size_t n = (size_t)count[XLENGTH(unit)];
  int *column = INTEGER(SET_VECTOR_ELT(out, AT_column, Rf_allocVector(INTSXP, (R_xlen_t)n)));
  double *mean = put_room(out, AT_center, n), *scale = put_room(out, AT_scale, n);
  for (R_xlen_t i = 0; i < XLENGTH(unit); i++) {
    const size_t first = (size_t)(INTEGER(unit)[i] - 1) * (p + 1);
    for (size_t j = 0; j <= p; j++) {
      if (!(s->scale[first + j] > 0)) continue;
      *column++ = (int)j + 1;
      *mean++ = s->mean[first + j];
      *scale++ = s->scale[first + j];
    }
  }
  return finish(out, state, bad);
}
