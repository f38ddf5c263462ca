/* msplit_common_entry.c - see msplit_common_entry.h. */
#include "msplit_common_entry.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "kernels.h"
#include "msplit_rows.h"

static const char *const names[] = {RESULTS(TEXT), ""};

SEXP msplit_result(SEXP fits, R_xlen_t k)
{
  if (k == 0) return SET_VECTOR_ELT(fits, 0, Rf_mkNamed(VECSXP, (const char **)names));
  SEXP first = VECTOR_ELT(fits, 0), out = Rf_allocVector(VECSXP, XLENGTH(first));
  SET_VECTOR_ELT(fits, k, out);
  Rf_setAttrib(out, R_NamesSymbol, Rf_getAttrib(first, R_NamesSymbol));
  return out;
}

msplit_settings msplit_read_settings(SEXP options)
{
  entry_class(options, "msplit_settings");
  msplit_settings s = {.nu = entry_field(options, "nu", "options"),
                       .times = entry_field(options, "times", "options"),
                       .kept = entry_field(options, "kept", "options"),
                       .intercept = entry_option_flag(options, "intercept"),
                       .standardize = entry_option_flag(options, "standardize")};
  entry_positive(s.nu, -1, "nu");
  if (s.times == R_NilValue) return s;
  if (TYPEOF(s.times) != VECSXP || XLENGTH(s.times) != XLENGTH(s.nu))
    Rf_error("'times' must be a list with one vector a nu");
  for (R_xlen_t k = 0; k < XLENGTH(s.times); k++) {
    entry_doubles(VECTOR_ELT(s.times, k), -1, "times");
    if (XLENGTH(VECTOR_ELT(s.times, k)) == 0) Rf_error("'times' has an empty vector");
  }
  return s;
}

#define ROWS_CLASS "msplit_rows" /* class of element `rows` of the result */

enum { OUT_CENTER = 2, OUT_ROWS = 7 };
static const char *const row_parts[] = {"center", "scale", "y_mean", "x", "y", "gram", ""};
enum { ROW_X = 3, ROW_Y, ROW_GRAM };

/* The result's `out` is not protected. */
static msplit_input new_input(size_t d, size_t q)
{
  const char *parts[] = {"status", "bad", "center", "scale", "y_mean", "fits", "bound", "rows", ""};
  msplit_input in = {.q = (int)q};
  in.out = PROTECT(Rf_mkNamed(VECSXP, parts));
  double **numbers[] = {&in.origin.center, &in.origin.scale, &in.origin.y_mean};
  for (int k = 0; k < 3; k++) {
    const size_t length = k < 2 ? d : q;
    *numbers[k] = entry_numbers(in.out, OUT_CENTER + k, length);
    memset(*numbers[k], 0, length * sizeof(double));
  }
  in.origin.log_y = ROOM(q, double);
  UNPROTECT(1);
  return in;
}

static msplit_input read_moments(SEXP moments, const msplit_settings *s)
{
  const gram g = entry_gram(moments);
  const size_t d = g.N, q = g.q;
  const double n = g.n;
  if ((double)d > n) Rf_error("more columns than rows");
  msplit_input in = new_input(d, q);
  PROTECT(in.out);
  double *scaled = ROOM(d * q, double), *out = ROOM(d * d, double);
  if (!s->standardize) in.origin.log_square = ROOM(d, double);
  memcpy(in.origin.center, g.mean, d * sizeof(double));
  for (size_t j = 0; j < d; j++) {
    const double ss = g.G[j + j * d];
    in.origin.scale[j] = !(ss > 0) ? 0 : s->standardize ? sqrt(ss / n) : 1;
    in.origin.varying += ss > 0;
    if (!s->standardize) in.origin.log_square[j] = log(ss / n);
    for (size_t r = 0; r < q; r++)
      scaled[j + r * d] = ss > 0 ? g.b[j + r * d] / in.origin.scale[j] : 0;
  }
  for (size_t j = 0; j < d; j++)
    for (size_t i = 0; i < d; i++) {
      const double scale = in.origin.scale[i] * in.origin.scale[j];
      out[i + j * d] = scale > 0 ? g.G[i + j * d] / scale : 0;
    }
  in.gram = out;
  memcpy(in.origin.y_mean, g.y_mean, q * sizeof(double));
  for (size_t r = 0; r < q; r++) in.origin.log_y[r] = log(g.yy[r] / n);
  in.rows = (iss_data){.count = n, .d = d, .b = scaled, .yy = g.yy, .intercept = s->intercept};
  if (s->kept != R_NilValue) in.rows.n_kept = (size_t)entry_number(s->kept, 0, n, "kept");
  in.origin.left = n - iss_fixed(&in.rows);
  UNPROTECT(1); /* the caller protects it before it allocates */
  return in;
}

static const double *known_part(SEXP rows, int part, size_t length)
{
  return entry_doubles(entry_field(rows, row_parts[part], "rows"), (R_xlen_t)length,
                       row_parts[part]);
}

/* Reads the `rows` of an earlier call. */
static msplit_input read_known(SEXP rows, size_t n, size_t q)
{
  const size_t d = (size_t)XLENGTH(entry_field(rows, "scale", "rows")), m = d > n ? n : d;
  msplit_input in = new_input(d, q);
  PROTECT(in.out);
  double *numbers[] = {in.origin.center, in.origin.scale, in.origin.y_mean};
  for (int k = 0; k < 3; k++) {
    const size_t length = k < 2 ? d : q;
    memcpy(numbers[k], known_part(rows, k, length), length * sizeof(double));
  }
  in.rows.x = known_part(rows, ROW_X, n * d);
  in.y = known_part(rows, ROW_Y, n * q);
  in.gram = known_part(rows, ROW_GRAM, m * m);
  UNPROTECT(1);
  return in;
}

/* Element `at` of the list becomes a matrix. */
static void set_dim(SEXP list, int at, size_t rows, size_t columns)
{
  SEXP dim = PROTECT(Rf_allocVector(INTSXP, 2));
  INTEGER(dim)[0] = (int)rows;
  INTEGER(dim)[1] = (int)columns;
  Rf_setAttrib(VECTOR_ELT(list, at), R_DimSymbol, dim);
  UNPROTECT(1);
}

static msplit_input read_features(SEXP data, const matrix *responses, msplit_units units,
                                  int centred, int rooted)
{
  const size_t n = responses->rows, q = responses->columns;
  design columns = entry_features(data, n);
  const size_t d = columns.N;
  msplit_input in = new_input(d, q);
  SEXP out = PROTECT(in.out), rows = R_NilValue;
  if (rooted) {
    rows = SET_VECTOR_ELT(out, OUT_ROWS, Rf_mkNamed(VECSXP, (const char **)row_parts));
    Rf_setAttrib(rows, R_ClassSymbol, PROTECT(Rf_mkString(ROWS_CLASS)));
    UNPROTECT(1);
    for (int k = 0; k < 3; k++) SET_VECTOR_ELT(rows, k, VECTOR_ELT(out, OUT_CENTER + k));
  }
  double *x = rooted ? entry_numbers(rows, ROW_X, n * d) : ROOM(n * d, double);
  in.state = msplit_columns(&columns, &units, x, in.origin.center, in.origin.scale, &in.bad);
  in.rows.x = x;
  double *y = rooted ? entry_numbers(rows, ROW_Y, n * q) : ROOM(n * q, double);
  units.intercept = units.intercept && centred;
  for (size_t r = 0; r < q; r++)
    msplit_response(responses->x + r * n, n, &units, y + r * n, in.origin.y_mean + r);
  in.y = y;
  if (rooted) {
    set_dim(rows, ROW_X, n, d);
    set_dim(rows, ROW_Y, n, q);
  }
  UNPROTECT(1);
  return in;
}

msplit_input msplit_read(SEXP data, SEXP y, SEXP weights, const msplit_settings *s, int centred,
                         int rooted)
{
  if (y == R_NilValue) return read_moments(data, s);
  const matrix responses = entry_matrix(y, 1, 0, "y");
  const size_t n = responses.rows, q = responses.columns;
  const double *w = entry_weights(weights, (R_xlen_t)n, "weights");
  const msplit_units units = {w, rooted ? w : NULL, s->intercept, s->standardize};
  msplit_input in = Rf_inherits(data, ROWS_CLASS)
                        ? read_known(data, n, q)
                        : read_features(data, &responses, units, centred, rooted);
  PROTECT(in.out);
  const double *x = in.rows.x;
  const size_t d = (size_t)XLENGTH(VECTOR_ELT(in.out, OUT_CENTER));
  for (size_t j = 0; j < d; j++) in.origin.varying += in.origin.scale[j] > 0;
  if (!s->standardize) {
    in.origin.log_square = ROOM(d, double);
    for (size_t j = 0; j < d; j++)
      in.origin.log_square[j] = log(dot(x + j * n, x + j * n, n) / (double)n);
  }
  for (size_t r = 0; r < q; r++)
    in.origin.log_y[r] = log(dot(in.y + r * n, in.y + r * n, n) / (double)n);
  in.rows = (iss_data){
      .n = n, .count = (double)n, .d = d, .x = x, .weight = w, .intercept = s->intercept};
  if (s->kept != R_NilValue) {
    const matrix kept = entry_matrix(s->kept, 1, 1, "kept");
    if (kept.rows != n) Rf_error("'kept' has %.0f rows, not %.0f", (double)kept.rows, (double)n);
    in.rows.kept = kept.x;
    in.rows.n_kept = kept.columns;
  }
  in.origin.left = (double)n - iss_fixed(&in.rows);
  UNPROTECT(1); /* the caller protects it before it allocates */
  return in;
}

msplit_input msplit_read_many(SEXP data, SEXP y, SEXP weights, const msplit_settings *s)
{
  const matrix responses = entry_matrix(y, 1, 0, "y");
  const size_t n = responses.rows, q = responses.columns;
  const double *w = entry_weights(weights, (R_xlen_t)n, "weights");
  const matrix x = entry_matrix(entry_field(data, "x", "data"), 1, 1, "x");
  if (s->kept != R_NilValue) Rf_error("'kept' is for rows that are standardised");
  msplit_input in = read_moments(entry_field(data, "gram", "data"), s);
  PROTECT(in.out);
  if (x.rows != n || x.columns != in.rows.d || in.rows.count != (double)n || (size_t)in.q != q)
    Rf_error("'data' has moments of other rows or columns");
  in.rows.n = n;
  in.rows.x = x.x;
  in.rows.center = in.origin.center;
  in.rows.scale = in.origin.scale;
  in.rows.weight = w;
  const msplit_units units = {w, w, s->intercept, s->standardize};
  double *centred = ROOM(n * q, double);
  for (size_t r = 0; r < q; r++)
    msplit_response(responses.x + r * n, n, &units, centred + r * n, in.origin.y_mean + r);
  in.y = centred;
  UNPROTECT(1); /* the caller protects it before it allocates */
  return in;
}

const double *msplit_gram(const msplit_input *in, int *wide)
{
  const size_t n = in->rows.n, d = in->rows.d, m = d > n ? n : d;
  *wide = in->y && d > n;
  if (in->gram || in->state != STATUS_OK) return in->gram;
  const double *gram = iss_gram(&in->rows, *wide);
  entry_put(VECTOR_ELT(in->out, OUT_ROWS), ROW_GRAM, gram, m * m);
  set_dim(VECTOR_ELT(in->out, OUT_ROWS), ROW_GRAM, m, m);
  return gram;
}

static double log_choose(double d, double k)
{
  return lgamma(d + 1) - lgamma(k + 1) - lgamma(d - k + 1);
}

/* reml of event k with the response and the columns of the support in units of their root mean squares, so that it is
 * the same for every choice of units. */
static double reml_without_units(const iss_path *p, int k, const msplit_origin *o, int r)
{
  const double size = (double)(p->start[k + 1] - p->start[k]);
  double units = isfinite(o->log_y[r]) ? (o->left - size) * o->log_y[r] : 0;
  for (size_t i = p->start[k]; o->log_square && i < p->start[k + 1]; i++)
    units += o->log_square[p->index[i]];
  return p->reml[k] - units;
}

double msplit_criterion(const iss_path *p, int k, double n, const msplit_origin *o, int r)
{
  const double size = (double)(p->start[k + 1] - p->start[k]);
  return reml_without_units(p, k, o, r) + size * log(n) + 2 * log_choose((double)o->varying, size);
}

static double known(double x)
{
  return isnan(x) ? NA_REAL : x;
}

void msplit_put_events(SEXP out, const iss_path *path, int q, const msplit_origin *o, double n)
{
  size_t events = 0, values = 0, changes = 0;
  for (int r = 0; r < q; r++) {
    const iss_path *p = path + r;
    events += (size_t)p->n_events;
    values += p->start[p->n_events];
    changes += p->change_start[p->n_events];
  }
  if (values > INT_MAX) Rf_error("the paths have more than %d coefficients", INT_MAX);
  int *response = entry_ints(out, AT_response, events), *event = entry_ints(out, AT_event, events),
      *size = entry_ints(out, AT_size, events), *changed = entry_ints(out, AT_changes, events);
  int *index = entry_ints(out, AT_index, values), *change = entry_ints(out, AT_change, changes);
  int *count = entry_ints(out, AT_events, (size_t)q);
  int *complete = entry_ints(out, AT_complete, (size_t)q);
  double *end = entry_numbers(out, AT_end, (size_t)q);
  double *numbers[5], *worth = entry_numbers(out, AT_criterion, events);
  for (int k = 0; k < 5; k++) numbers[k] = entry_numbers(out, AT_t + k, events);
  double *value = entry_numbers(out, AT_value, values), *a0 = entry_numbers(out, AT_a0, events);
  size_t at = 0, v = 0, c = 0;
  for (int r = 0; r < q; r++) {
    const iss_path *p = path + r;
    const double *from[] = {p->t, p->loss, p->loo, p->df};
    const size_t m = (size_t)p->n_events;
    for (int k = 0; k < 4; k++)
      for (size_t i = 0; i < m; i++) numbers[k][at + i] = known(from[k][i]);
    if (p->change_start[m]) memcpy(change + c, p->change, p->change_start[m] * sizeof(int));
    count[r] = (int)m;
    end[r] = p->end;
    complete[r] = p->complete;
    for (size_t k = 0; k < m; k++, at++) {
      response[at] = r + 1;
      event[at] = (int)k;
      worth[at] = known(msplit_criterion(p, (int)k, n, o, r));
      numbers[4][at] = known(reml_without_units(p, (int)k, o, r));
      a0[at] = o->y_mean[r];
      for (size_t i = p->start[k]; i < p->start[k + 1]; i++, v++) {
        const int j = p->index[i];
        index[v] = j;
        value[v] = p->value[i] / o->scale[j];
        a0[at] -= value[v] * o->center[j];
      }
      size[at] = (int)(p->start[k + 1] - p->start[k]);
      changed[at] = (int)(p->change_start[k + 1] - p->change_start[k]);
    }
    c += p->change_start[m];
  }
}

double msplit_unscale(double *dense, size_t d, double level, const msplit_origin *o)
{
  for (size_t j = 0; j < d; j++) {
    dense[j] = o->scale[j] > 0 ? dense[j] / o->scale[j] : 0;
    level -= dense[j] * o->center[j];
  }
  return level;
}
