/* msplit_entry.c - from R to iss.c and back. */
#include "msplit_entry.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "args_entry.h"
#include "iss.h"
#include "msplit_rows.h"

enum choice { CHOOSE_NONE, CHOOSE_LOO, CHOOSE_START };

typedef struct {
  int intercept, standardize, loo, max_events, n_times;
  enum choice choose;
  double t_ratio, budget; /* budget: numbers of the dense estimator that are kept unasked */
  SEXP nu, record, times;
} settings;

static settings read_settings(SEXP options)
{
  settings s = {0};
#define FIELD(name) entry_field(options, name, "options")
  s.intercept = entry_flag(FIELD("intercept"), "intercept");
  s.standardize = entry_flag(FIELD("standardize"), "standardize");
  s.loo = entry_flag(FIELD("loo"), "loo");
  s.choose = (enum choice)entry_number(FIELD("choose"), CHOOSE_NONE, CHOOSE_START, "choose");
  s.max_events = (int)entry_number(FIELD("max_events"), 0, 1e7, "max_events");
  s.n_times = (int)entry_number(FIELD("nt"), 1, 1e5, "nt");
  s.t_ratio = entry_number(FIELD("t_ratio"), 1, 1e300, "t_ratio");
  s.budget = entry_number(FIELD("budget"), 0, 1e12, "budget");
  s.nu = FIELD("nu");
  s.record = FIELD("record");
  s.times = FIELD("times");
#undef FIELD
  const double *nu = entry_doubles(s.nu, -1, "nu");
  for (R_xlen_t k = 0; k < XLENGTH(s.nu); k++)
    if (!(nu[k] > 0 && nu[k] < HUGE_VAL)) Rf_error("'nu' must be positive and finite");
  if (s.record != R_NilValue && TYPEOF(s.record) != INTSXP)
    Rf_error("'record' must be of type integer");
  if (s.times != R_NilValue && (TYPEOF(s.times) != VECSXP || XLENGTH(s.times) != XLENGTH(s.nu)))
    Rf_error("'times' must be a list with one vector a nu");
  return s;
}

/* The places at which the dense estimator is kept: step numbers and times. */
typedef struct {
  int count, *step;
  double *t;
} points;

/* What one nu gives. */
typedef struct {
  iss_system system;
  iss_target *target;
  iss_path *path;
  double t_end, *grid; /* times of steps 0..n_times, several responses */
  int q, best;
  double criterion; /* at `best` */
} fit;

static double criterion(const iss_path *p, int k, double n)
{
  const double size = (double)(p->start[k + 1] - p->start[k]);
  return n * log(p->loo[k]) + size * log(n);
}

static int admissible(const iss_path *p, int k, double n)
{
  return (double)(p->start[k + 1] - p->start[k]) <= n / (2 * log(n));
}

/* Last step of the path: an event, or with several responses a time of the grid. */
static int last_step(const fit *f, const settings *s)
{
  return f->q == 1 ? f->path[0].n_events - 1 : s->n_times;
}

/* The event of response r at step k. */
static int event_of(const fit *f, int r, int k)
{
  return f->q == 1 ? k : iss_event_at(f->path + r, f->grid[k]);
}

/* Smallest leave-one-out criterion under the cap, over all responses. */
static void choose(fit *f, const settings *s, double n)
{
  f->best = s->choose == CHOOSE_NONE ? last_step(f, s) : 0;
  f->criterion = NAN;
  if (s->choose == CHOOSE_NONE) return;
  const int last = s->choose == CHOOSE_START ? 0 : last_step(f, s);
  for (int k = 0; k <= last; k++) {
    double sum = 0;
    int allowed = 1;
    for (int r = 0; r < f->q; r++) {
      const int event = event_of(f, r, k);
      sum += criterion(f->path + r, event, n);
      if (!admissible(f->path + r, event, n)) allowed = 0;
    }
    if (!allowed || isnan(sum) || !(isnan(f->criterion) || sum < f->criterion)) continue;
    f->criterion = sum;
    f->best = k;
  }
}

/* `most` of the steps 0..last, evenly spaced on a log scale of time, and the chosen one. */
static points spread(const fit *f, int last, int most)
{
  points p = {.step = ALLOC(last + 1, int)};
  const double *t = f->q == 1 ? f->path[0].t : f->grid;
  char *kept = ALLOC(last + 1, char);
  kept[0] = kept[last] = kept[f->best] = 1;
  if (last + 1 <= most) {
    memset(kept, 1, (size_t)last + 1);
  } else {
    const double width = log(t[last] / t[1]) / (most - 1 > 1 ? most - 1 : 1);
    double next = log(t[1]);
    for (int k = 1; k <= last && width > 0; k++)
      if (log(t[k]) >= next) {
        kept[k] = 1;
        while (next <= log(t[k])) next += width;
      }
  }
  for (int k = 0; k <= last; k++)
    if (kept[k]) p.step[p.count++] = k;
  return p;
}

static points asked(const fit *f, SEXP record, int last)
{
  points p = {.step = ALLOC(last + 1, int)};
  char *kept = ALLOC(last + 1, char);
  kept[f->best] = 1;
  for (R_xlen_t i = 0; i < XLENGTH(record); i++) {
    const int k = INTEGER(record)[i];
    if (k >= 0 && k <= last) kept[k] = 1;
  }
  for (int k = 0; k <= last; k++)
    if (kept[k]) p.step[p.count++] = k;
  return p;
}

static points choose_points(const fit *f, const settings *s, int nu_number)
{
  points p;
  if (s->times != R_NilValue) {
    SEXP times = VECTOR_ELT(s->times, nu_number);
    p.count = (int)XLENGTH(times);
    p.step = ALLOC(p.count, int);
    p.t = ALLOC(p.count, double);
    for (int k = 0; k < p.count; k++) {
      p.step[k] = k;
      p.t[k] = REAL(times)[k];
    }
    return p;
  }
  const int last = last_step(f, s);
  const double room = s->budget / ((double)f->system.rows->d * f->q + 1);
  const int most = room >= last + 1 ? last + 1 : room > 4 ? (int)room : 4;
  p = s->record != R_NilValue ? asked(f, s->record, last)
                              : spread(f, last, most == last + 1 || f->q > 1 ? most : 25);
  p.t = ALLOC(p.count, double);
  for (int k = 0; k < p.count; k++)
    p.t[k] = f->q == 1 ? f->path[0].t[p.step[k]] : f->grid[p.step[k]];
  return p;
}

/* ---- results --------------------------------------------------------------------------------- */

#define RESULTS(name)                                                                              \
  name(response), name(t), name(loss), name(loo), name(df), name(reml), name(criterion),           \
      name(start), name(index), name(value), name(a0), name(change_start), name(change),           \
      name(events), name(end), name(complete), name(step), name(time), name(dense),                \
      name(dense_a0), name(best), name(best_criterion)
#define PLACE(name) AT_##name
#define TEXT(name) #name
enum { RESULTS(PLACE) };
static const char *const names[] = {RESULTS(TEXT), ""};

static double *put_doubles(SEXP out, int at, size_t n)
{
  return REAL(SET_VECTOR_ELT(out, at, Rf_allocVector(REALSXP, (R_xlen_t)n)));
}

static int *put_ints(SEXP out, int at, size_t n)
{
  return INTEGER(SET_VECTOR_ELT(out, at, Rf_allocVector(INTSXP, (R_xlen_t)n)));
}

typedef struct {
  double *center, *scale, *y_mean;
} origin;

/* Events of all responses, one after the other; coefficients on the original scale. */
static void put_events(SEXP out, const fit *f, const origin *o, double n)
{
  size_t events = 0, values = 0, changes = 0;
  for (int r = 0; r < f->q; r++) {
    const iss_path *p = f->path + r;
    events += (size_t)p->n_events;
    values += p->start[p->n_events];
    changes += p->change_start[p->n_events];
  }
  if (values > INT_MAX) Rf_error("the paths have more than %d coefficients", INT_MAX);
  int *response = put_ints(out, AT_response, events), *start = put_ints(out, AT_start, events + 1);
  int *change_start = put_ints(out, AT_change_start, events + 1);
  int *index = put_ints(out, AT_index, values), *change = put_ints(out, AT_change, changes);
  int *count = put_ints(out, AT_events, (size_t)f->q);
  int *complete = put_ints(out, AT_complete, (size_t)f->q);
  double *end = put_doubles(out, AT_end, (size_t)f->q);
  double *numbers[5], *worth = put_doubles(out, AT_criterion, events);
  for (int k = 0; k < 5; k++) numbers[k] = put_doubles(out, AT_t + k, events);
  double *value = put_doubles(out, AT_value, values), *a0 = put_doubles(out, AT_a0, events);
  size_t at = 0, v = 0, c = 0;
  start[0] = change_start[0] = 0;
  for (int r = 0; r < f->q; r++) {
    const iss_path *p = f->path + r;
    const double *from[] = {p->t, p->loss, p->loo, p->df, p->reml};
    const size_t m = (size_t)p->n_events;
    for (int k = 0; k < 5; k++) memcpy(numbers[k] + at, from[k], m * sizeof(double));
    memcpy(change + c, p->change, p->change_start[m] * sizeof(int));
    count[r] = (int)m;
    end[r] = p->end;
    complete[r] = p->complete;
    for (size_t k = 0; k < m; k++, at++) {
      response[at] = r + 1;
      worth[at] = criterion(p, (int)k, n);
      a0[at] = o->y_mean[r];
      for (size_t i = p->start[k]; i < p->start[k + 1]; i++, v++) {
        const int j = p->index[i];
        index[v] = j;
        value[v] = p->value[i] / o->scale[j];
        a0[at] -= value[v] * o->center[j];
      }
      start[at + 1] = (int)v;
      change_start[at + 1] = (int)(c + p->change_start[k + 1]);
    }
    c += p->change_start[m];
  }
}

static void put_dense(SEXP out, fit *f, const points *p, const origin *o)
{
  const size_t d = f->system.rows->d, count = (size_t)p->count, q = (size_t)f->q;
  memcpy(put_ints(out, AT_step, count), p->step, count * sizeof(int));
  memcpy(put_doubles(out, AT_time, count), p->t, count * sizeof(double));
  double *dense = put_doubles(out, AT_dense, d * count * q);
  double *a0 = put_doubles(out, AT_dense_a0, count * q);
  for (size_t r = 0; r < q; r++) {
    int before = -1;
    for (size_t k = 0; k < count; k++, dense += d, a0++) {
      const int event = iss_event_at(f->path + r, p->t[k]);
      if (event == before) {
        memcpy(dense, dense - d, d * sizeof(double));
        *a0 = a0[-1];
        continue;
      }
      before = event;
      iss_dense(&f->system, f->target + r, f->path + r, event, dense);
      *a0 = o->y_mean[r];
      for (size_t j = 0; j < d; j++) {
        dense[j] = o->scale[j] > 0 ? dense[j] / o->scale[j] : 0;
        *a0 -= dense[j] * o->center[j];
      }
      port_poll();
    }
  }
}

/* ---- one nu ---------------------------------------------------------------------------------- */

static double largest_time(SEXP times)
{
  double t = 0;
  for (R_xlen_t k = 0; k < XLENGTH(times); k++) t = fmax(t, REAL(times)[k]);
  return t;
}

/* Times of the grid: 0, then n_times from the first event to the end. */
static double *time_grid(double first, double ratio, int n_times)
{
  double *grid = ALLOC(n_times + 1, double);
  for (int k = 0; k < n_times; k++)
    grid[k + 1] = first * (n_times > 1 ? pow(ratio, (double)k / (n_times - 1)) : 1);
  return grid;
}

static status fit_nu(const iss_rows *rows, const double *gram, const double *y, int q, double nu,
                     int wide, const settings *s, int nu_number, fit *f)
{
  *f = (fit){.q = q};
  status state = iss_system_new(rows, gram, nu, wide, s->loo, &f->system);
  if (state != STATUS_OK) return state;
  f->target = ALLOC(q, iss_target);
  f->path = ALLOC(q, iss_path);
  double largest = 0;
  for (int r = 0; r < q; r++) {
    f->target[r] = iss_target_new(&f->system, y + (size_t)r * rows->n);
    largest = fmax(largest, f->target[r].largest);
  }
  const double first = largest > 0 ? 1 / largest : 1;
  f->t_end =
      s->times == R_NilValue ? s->t_ratio * first : largest_time(VECTOR_ELT(s->times, nu_number));
  f->grid = time_grid(first, s->t_ratio, s->n_times);
  const iss_options options = {.t_end = f->t_end, .max_events = s->max_events, .loo = s->loo};
  for (int r = 0; r < q && state == STATUS_OK; r++)
    state = iss_run(&f->system, f->target + r, &options, f->path + r);
  return state;
}

static const double *read_weights(SEXP weights, size_t n)
{
  if (weights == R_NilValue) return NULL;
  const double *w = entry_doubles(weights, (R_xlen_t)n, "weights");
  for (size_t i = 0; i < n; i++)
    if (!(w[i] > 0 && w[i] < HUGE_VAL)) Rf_error("'weights' must be positive and finite");
  return w;
}

/* blocks: list(features). y: n x q. weights: of sum n, or NULL. Returns list(status, bad, center,
 * scale, y_mean, fits): fits has one list a nu. */
SEXP transelect_msplit_iss(SEXP blocks, SEXP y, SEXP weights, SEXP options)
{
  const char *parts[] = {"status", "bad", "center", "scale", "y_mean", "fits", ""};
  SEXP dim = Rf_getAttrib(y, R_DimSymbol);
  if (TYPEOF(y) != REALSXP || TYPEOF(dim) != INTSXP || XLENGTH(dim) != 2 || INTEGER(dim)[0] < 1)
    Rf_error("'y' must be a double matrix with at least one row");
  const size_t n = (size_t)INTEGER(dim)[0];
  const int q = INTEGER(dim)[1];
  design columns = entry_design(blocks, n);
  if (columns.n_blocks != 1 || columns.block[0].make) Rf_error("'blocks' must hold one matrix");
  if (n > INT_MAX / 8) Rf_error("'y' has too many rows");
  const settings s = read_settings(options);
  for (R_xlen_t k = 0; s.times != R_NilValue && k < XLENGTH(s.times); k++)
    entry_doubles(VECTOR_ELT(s.times, k), -1, "times");
  const double *w = read_weights(weights, n);
  const size_t d = columns.N;
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, parts));
  const origin o = {put_doubles(out, 2, d), put_doubles(out, 3, d), put_doubles(out, 4, (size_t)q)};
  SEXP fits = SET_VECTOR_ELT(out, 5, Rf_allocVector(VECSXP, XLENGTH(s.nu)));
  memset(o.center, 0, d * sizeof(double));
  memset(o.scale, 0, d * sizeof(double));
  memset(o.y_mean, 0, (size_t)q * sizeof(double));
  double *x = ALLOC(n * d, double), *centred = ALLOC(n * q, double);
  size_t bad = 0;
  status state =
      msplit_columns(&columns, w, s.intercept, s.standardize, x, o.center, o.scale, &bad);
  for (int r = 0; r < q; r++)
    msplit_response(REAL(y) + (size_t)r * n, w, n, s.intercept, centred + (size_t)r * n,
                    o.y_mean + r);
  const iss_rows rows = {.n = n, .d = d, .x = x, .weight = w, .intercept = s.intercept};
  const int wide = d > n;
  const double *gram = state == STATUS_OK ? iss_gram(&rows, wide) : NULL;
  for (R_xlen_t k = 0; k < XLENGTH(s.nu) && state == STATUS_OK; k++) {
    const void *mark = vmaxget();
    fit f;
    state = fit_nu(&rows, gram, centred, q, REAL(s.nu)[k], wide, &s, (int)k, &f);
    if (state == STATUS_OK) {
      SEXP one = SET_VECTOR_ELT(fits, k, Rf_mkNamed(VECSXP, (const char **)names));
      choose(&f, &s, (double)n);
      const points p = choose_points(&f, &s, (int)k);
      put_events(one, &f, &o, (double)n);
      put_dense(one, &f, &p, &o);
      put_ints(one, AT_best, 1)[0] = f.best;
      put_doubles(one, AT_best_criterion, 1)[0] = f.criterion;
    }
    vmaxset(mark);
  }
  SET_VECTOR_ELT(out, 0, Rf_ScalarInteger((int)state));
  SET_VECTOR_ELT(out, 1, Rf_ScalarReal((double)bad + 1));
  UNPROTECT(1);
  return out;
}
