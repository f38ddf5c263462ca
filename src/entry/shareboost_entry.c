/* shareboost_entry.c - from R to shareboost.c and back. */
#include "routines.h"

#include <limits.h>
#include <math.h>

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

/* The words of enum share_rule, share_scale and penalty_kind. */
static const char *const rules[] = {"orthogonal", "gradient", "line", "column", "full", NULL};
static const char *const scales[] = {"sd", "max", "none", NULL};
static const char *const penalties[] = {"ridge", "l1", "linf1", NULL};

/* list: made by shareboost_settings() in R; units: number of units; k: number of classes. */
static settings read_settings(SEXP list, size_t units, int k)
{
  settings s = {0};
  entry_class(list, "shareboost_settings");
  share_options *o = &s.path;
  o->rule = (enum share_rule)entry_option_word(list, "rule", rules);
  o->intercept = entry_option_flag(list, "intercept");
  o->max_steps = (int)entry_option(list, "max_steps", 0, (double)units);
  o->candidates = (int)entry_option(list, "candidates", 0, (double)units);
  o->shortlist = (int)entry_option(list, "shortlist", 0, INT_MAX);
  s.scale = (enum share_scale)entry_option_word(list, "standardize", scales);
  s.margin = entry_option(list, "margin", 0, 100);
  s.tol = entry_option(list, "tol", 0, 1);
  s.threads = entry_threads(list);
  s.pen.kind = (enum penalty_kind)entry_option_word(list, "penalty", penalties);
  s.pen.weight = entry_option(list, "ridge", 0, 1e100);
  s.pen.beta = entry_option(list, "sharpness", 1e-6, 1e6);
  s.pen.k = k;
  o->keep = entry_keep(entry_field(list, "keep", "settings"), units, o->max_steps, &o->n_keep);
  return s;
}

/* ---- results ---- */

#define RESULTS(name)                                                                              \
  name(status), name(bad), name(unit), name(column), name(columns), name(score), name(slope),      \
      name(loss), name(error), name(end), name(iterations), name(refreshes), name(converged),      \
      name(weights), name(center), name(scale), name(detail), name(ahead)
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

/* Element `at` becomes the weights of one step: k numbers for each column (the intercept first), from the differences d
 * less the constant that minimises the penalty; of mean zero where a column has no penalty. */
static void put_weights(SEXP list, int at, const double *d, size_t columns, const softmax_fit *fit)
{
  const size_t K = (size_t)fit->p->K, k = K + 1;
  double *w = entry_numbers(list, at, (columns + fit->intercept) * k);
  const penalty even = {.kind = PENALTY_RIDGE, .k = (int)k};
  for (size_t j = 0; j < columns + fit->intercept; j++, d += K, w += k) {
    const double shift = penalty_shift(j < fit->free ? &even : &fit->pen, d);
    for (size_t q = 0; q < k; q++) w[q] = (q < K ? d[q] : 0) - shift;
  }
}

static void fill(SEXP out, const share_path *p, const softmax_fit *fit)
{
  const size_t n = (size_t)p->n_steps + 1;
  entry_put_ints(out, AT_unit, p->unit + 1, n - 1, 1);
  entry_put_ints(out, AT_columns, p->columns, n, 0);
  entry_put_ints(out, AT_iterations, p->iterations, n, 0);
  entry_put_ints(out, AT_refreshes, p->refreshes, n, 0);
  entry_put_ints(out, AT_converged, p->converged, n, 0);
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

/* The largest number of variables of a diagonal block of the factor. A solve reads all blocks from memory once forward
 * and once backward, a pass reads the columns of m rows: blocks beyond m / 4 variables take longer than they save in
 * iterations (measured with 100 and 200 classes of 20 rows, 20 rounds). The Hessian's rows of a large group would cost
 * as much as K / 4 iterations per column: a block holds two large groups only. */
static size_t block_limit(const share_units *units, size_t K, size_t m)
{
  if (units->largest * K > 64 && units->largest > 1) return 2 * units->largest * K;
  return m / 4 < 512 ? 512 : m / 4 < 3072 ? m / 4 : 3072;
}

/* Runs the path over units of which at most `columns` columns can enter, and fills `out`. */
static status run(share_units *units, problem *a, size_t columns, SEXP out, size_t *bad)
{
  const size_t intercept = (size_t)a->s.path.intercept;
  const size_t room = columns + intercept + (a->s.path.rule > SHARE_GRADIENT ? units->largest : 1);
  const size_t extra = a->s.path.rule == SHARE_ORTHOGONAL ? units->largest : 0;
  softmax p = softmax_new((softmax_data){a->n, (int)a->k, a->y, a->v, a->s.margin}, room, extra);
  softmax_fit fit = fit_new(&p, a->s.pen, intercept, a->s.tol, room, block_limit(units, a->k - 1, a->n));
  share_path path = path_new(a->s.path.max_steps);
  const status state = shareboost_run(&fit, units, &a->s.path, &path);
  fill(out, &path, &fit);
  if ((fit.free > intercept || !(a->s.pen.weight > 0)) && path.converged[path.n_steps]) {
    fit_look_ahead(&fit);
    put_weights(out, AT_ahead, fit.step, p.t - intercept, &fit);
  }
  if (state == STATUS_COLLINEAR_KEEP) *bad = (size_t)path.refused;
  return state;
}

/* ---- entries ---- */

/* The number of rows: the length of y. */
static size_t rows_of(SEXP y)
{
  if (TYPEOF(y) != INTSXP) Rf_error("'y' must be of type integer");
  return (size_t)XLENGTH(y);
}

static void read_classes(problem *a, SEXP y, SEXP weights)
{
  a->n = rows_of(y);
  a->y = entry_codes(y, a->n, &a->k, "y");
  if (a->k < 2) Rf_error("'y' must have two classes at least");
  a->v = entry_weights(weights, (R_xlen_t)a->n, "weights");
}

static void read_rest(problem *a, size_t units, SEXP list, SEXP draws)
{
  a->s = read_settings(list, units, (int)a->k);
  share_options *o = &a->s.path;
  if (o->candidates) o->draws = entry_draws(draws, (R_xlen_t)o->candidates * o->max_steps);
}

static SEXP finish(SEXP out, status state, size_t bad)
{
  entry_put_status(out, state, bad);
  UNPROTECT(1);
  return out;
}

/* A finite matrix of at least one row and column. */
static matrix read_values(SEXP x, const char *name)
{
  const matrix m = entry_matrix(x, 1, 1, name);
  for (R_xlen_t i = 0; i < XLENGTH(x); i++)
    if (!isfinite(m.x[i])) Rf_error("'%s' must be finite", name);
  return m;
}

static void check_rows(const matrix *x, const problem *a)
{
  if (x->rows != a->n) Rf_error("'x' has %.0f rows, not %.0f", (double)x->rows, (double)a->n);
}

/* Puts the columns, from 1, of the units that entered, in order, and their centres and scales. */
static void put_columns(SEXP out, const share_columns *c)
{
  SEXP unit = VECTOR_ELT(out, AT_unit);
  size_t total = 0;
  for (R_xlen_t i = 0; i < XLENGTH(unit); i++)
    total += c->start[INTEGER_RO(unit)[i]] - c->start[INTEGER_RO(unit)[i] - 1];
  int *column = entry_ints(out, AT_column, total);
  double *center = entry_numbers(out, AT_center, total),
         *scale = entry_numbers(out, AT_scale, total);
  for (R_xlen_t i = 0; i < XLENGTH(unit); i++)
    for (size_t e = c->start[INTEGER_RO(unit)[i] - 1]; e < c->start[INTEGER_RO(unit)[i]]; e++) {
      const size_t j = c->member[e];
      *column++ = (int)j + 1;
      *center++ = c->d->center ? c->d->center[j] : 0;
      *scale++ = c->scale[j];
    }
}

/* blocks: list(features), see entry_features(). y: classes 1..k; weights: positive, of mean one, or NULL. group: the
 * unit (1, 2, ...) of every column, or NULL. list: the settings. draws: uniforms of random rounds. Returns the elements
 * of RESULTS; `column` has the columns that entered. */
SEXP transelect_shareboost(SEXP blocks, SEXP y, SEXP weights, SEXP group, SEXP list, SEXP draws)
{
  problem a;
  size_t bad = 0;
  design d = entry_features(blocks, rows_of(y));
  size_t units = d.N;
  const int *of = group == R_NilValue ? NULL : entry_codes(group, d.N, &units, "group");
  read_classes(&a, y, weights);
  read_rest(&a, units, list, draws);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)names));
  const share_columns_of what = {.v = a.v,
                                 .center = a.s.path.intercept,
                                 .by = a.s.scale,
                                 .group = of,
                                 .units = units,
                                 .K = a.k - 1,
                                 .max_units = (size_t)a.s.path.max_steps,
                                 .subsets = a.s.path.candidates > 0 || a.s.path.n_keep > 0,
                                 .threads = a.s.threads};
  share_columns *c;
  status state = share_columns_new(&d, &what, &c, &bad);
  if (state == STATUS_OK) {
    share_units of_columns = share_columns_units(c);
    state = run(&of_columns, &a, c->room, out, &bad);
    put_columns(out, c);
  }
  return finish(out, state, bad);
}

/* As transelect_shareboost(), but x: m x p; order: rows (from 1) of every feature in ascending order. `column` has the
 * features of the stumps that entered, `detail` their thresholds. */
SEXP transelect_shareboost_stumps(SEXP x, SEXP order, SEXP y, SEXP weights, SEXP list, SEXP draws)
{
  problem a;
  size_t bad = 0;
  const matrix values = read_values(x, "x");
  read_classes(&a, y, weights);
  check_rows(&values, &a);
  if (TYPEOF(order) != INTSXP || XLENGTH(order) != XLENGTH(x))
    Rf_error("'order' must be of type integer and as long as 'x'");
  for (R_xlen_t i = 0; i < XLENGTH(order); i++) {
    const int row = INTEGER_RO(order)[i];
    if (row < 1 || (size_t)row > a.n) Rf_error("'order' has a row out of range");
  }
  stumps *s = stumps_new(values.x, INTEGER_RO(order), a.n, values.columns);
  if (s->units > INT_MAX) Rf_error("there are more than %d stumps", INT_MAX);
  read_rest(&a, s->units, list, draws);
  stumps_prepare(s, a.v, a.s.path.intercept, a.s.scale == SCALE_SD,
                 a.s.path.rule == SHARE_ORTHOGONAL, a.k - 1);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)names));
  share_units units = stumps_units(s);
  const status state = run(&units, &a, (size_t)a.s.path.max_steps, out, &bad);
  SEXP unit = VECTOR_ELT(out, AT_unit);
  const size_t n = (size_t)XLENGTH(unit);
  int *column = entry_ints(out, AT_column, n);
  double *center = entry_numbers(out, AT_center, n), *scale = entry_numbers(out, AT_scale, n);
  double *threshold = entry_numbers(out, AT_detail, n);
  for (size_t i = 0; i < n; i++) {
    size_t feature;
    stumps_describe(s, (size_t)INTEGER_RO(unit)[i] - 1, &feature, threshold + i, center + i,
                    scale + i);
    column[i] = (int)feature + 1;
  }
  return finish(out, state, bad);
}

/* As transelect_shareboost(), but x: m x p; balls: list(center, radius): a matrix of p columns, and ascending numbers.
 * `column` has the feature of each column that entered, p + 1 for the constant column. */
SEXP transelect_shareboost_pieces(SEXP x, SEXP balls, SEXP y, SEXP weights, SEXP list, SEXP draws)
{
  problem a;
  SEXP radius = entry_field(balls, "radius", "balls");
  const matrix values = read_values(x, "x");
  const matrix centers = read_values(entry_field(balls, "center", "balls"), "center");
  const size_t p = values.columns;
  size_t bad = 0;
  const double *r = entry_doubles(radius, -1, "radius");
  const size_t radii = (size_t)XLENGTH(radius);
  read_classes(&a, y, weights);
  check_rows(&values, &a);
  if (centers.columns != p) Rf_error("'center' must have the columns of 'x'");
  if (radii < 1 || radii > PIECES_RADII) Rf_error("'radius' must be of length 1 to 255");
  for (size_t k = 0; k < radii; k++)
    if (!(r[k] > 0) || (k && r[k] <= r[k - 1])) Rf_error("'radius' must be positive and ascend");
  if (centers.rows * radii > INT_MAX) Rf_error("there are more than %d pieces", INT_MAX);
  read_rest(&a, centers.rows * radii, list, draws);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)names));
  pieces *s = pieces_new(&(pieces_of){.x = values.x,
                                      .m = a.n,
                                      .p = p,
                                      .v = a.v,
                                      .center = centers.x,
                                      .centers = centers.rows,
                                      .radius = r,
                                      .radii = radii,
                                      .centred = a.s.path.intercept,
                                      .by = a.s.scale},
                         a.k - 1);
  share_units units = pieces_units(s);
  const status state = run(&units, &a, (size_t)a.s.path.max_steps * (p + 1), out, &bad);
  SEXP unit = VECTOR_ELT(out, AT_unit);
  const int *count = INTEGER(VECTOR_ELT(out, AT_columns));
  const size_t n = (size_t)count[XLENGTH(unit)];
  int *column = entry_ints(out, AT_column, n);
  double *mean = entry_numbers(out, AT_center, n), *scale = entry_numbers(out, AT_scale, n);
  for (R_xlen_t i = 0; i < XLENGTH(unit); i++) {
    const size_t first = (size_t)(INTEGER_RO(unit)[i] - 1) * (p + 1);
    for (size_t j = 0; j <= p; j++) {
      if (!(s->scale[first + j] > 0)) continue;
      *column++ = (int)j + 1;
      *mean++ = s->mean[first + j];
      *scale++ = s->scale[first + j];
    }
  }
  return finish(out, state, bad);
}
