/* msplit_entry.c - from R to msplit()'s kernels, and from iss.c back to R. */
#include "routines.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "iss.h"
#include "msplit_common_entry.h"
#include "msplit_rows.h"

typedef struct {
  msplit_settings common;
  int loo, choose, max_events, n_times;
  double t_ratio, budget; /* budget: most numbers of dense estimators of one nu, without `record` */
  SEXP record;
} settings;

enum { METHOD_ISS, METHOD_LBI };
static const char *const methods[] = {"iss", "lbi", NULL};
enum { CHOOSE_EVIDENCE, CHOOSE_RIDGE, CHOOSE_NONE };
static const char *const choices[] = {"evidence", "ridge", "none", NULL};

/* Where `times` are given no model is chosen. */
static settings read_settings(SEXP options)
{
  settings s = {.common = msplit_read_settings(options)};
  const int own_times = s.common.times == R_NilValue;
  s.loo = entry_option_flag(options, "loo") && own_times;
  s.choose = entry_option_word(options, "choose", choices) != CHOOSE_NONE && own_times;
  s.max_events = (int)entry_option(options, "max_steps", 0, 1e7);
  s.n_times = (int)entry_option(options, "nt", 1, 1e5);
  s.t_ratio = entry_option(options, "t_ratio", 1, 1e300);
  s.record = entry_field(options, "record", "options");
  if (s.record != R_NilValue) entry_integers(s.record, -1, "record");
  return s;
}

/* The points at which the dense estimator is kept: step numbers and times. */
typedef struct {
  int count, *step;
  double *t;
} points;

/* The paths of one nu. */
typedef struct {
  iss_system system;
  iss_target *target;
  iss_worker *worker;
  iss_path *path;
  double t_end, *grid; /* grid: times of steps 0..n_times, with several responses */
  int q, best;
  double criterion; /* at step `best` */
} fit;

/* Are there at most n / (2 log n) columns in the support of event k? */
static int admissible(const iss_path *p, int k, double n)
{
  return (double)(p->start[k + 1] - p->start[k]) <= n / (2 * log(n));
}

/* The last step of the path: an event, or with several responses a time of the grid. */
static int last_step(const fit *f, const settings *s)
{
  return f->q == 1 ? f->path[0].n_events - 1 : s->n_times;
}

/* The event of response r at step k. */
static int event_of(const fit *f, int r, int k)
{
  return f->q == 1 ? k : iss_event_at(f->path + r, f->grid[k]);
}

/* f->best <- the step of the smallest criterion, summed over all responses, among the steps with admissible supports;
 * where no model is chosen the last step. */
static void choose(fit *f, const settings *s, double n, const msplit_origin *o)
{
  f->best = s->choose ? 0 : last_step(f, s);
  f->criterion = NAN;
  for (int k = 0; s->choose && k <= last_step(f, s); k++) {
    double sum = 0;
    int allowed = 1;
    for (int r = 0; r < f->q; r++) {
      const int event = event_of(f, r, k);
      sum += msplit_criterion(f->path + r, event, n, o, r);
      if (!admissible(f->path + r, event, n)) allowed = 0;
    }
    if (!allowed || isnan(sum) || !(isnan(f->criterion) || sum < f->criterion)) continue;
    f->criterion = sum;
    f->best = k;
  }
}

/* Marks about `most` of the steps 0..last, evenly spaced on a log scale of time. */
static void spread(const fit *f, int last, int most, char *kept)
{
  const double *t = f->q == 1 ? f->path[0].t : f->grid;
  kept[0] = kept[last] = 1;
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
}

/* The times that are given; or the chosen step and the steps of `record`; or, without `record`, the chosen step and all
 * steps if the budget allows it, else about 25 (one response) or as many as the budget allows (several). */
static points choose_points(const fit *f, const settings *s, int nu_number)
{
  points p = {0};
  if (s->common.times != R_NilValue) {
    SEXP times = VECTOR_ELT(s->common.times, nu_number);
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
  char *kept = ALLOC(last + 1, char);
  kept[f->best] = 1;
  if (s->record == R_NilValue) spread(f, last, most == last + 1 || f->q > 1 ? most : 25, kept);
  for (R_xlen_t i = 0; s->record != R_NilValue && i < XLENGTH(s->record); i++) {
    const int k = INTEGER(s->record)[i];
    if (k >= 0 && k <= last) kept[k] = 1;
  }
  p.step = ALLOC(last + 1, int);
  for (int k = 0; k <= last; k++)
    if (kept[k]) p.step[p.count++] = k;
  p.t = ALLOC(p.count, double);
  for (int k = 0; k < p.count; k++)
    p.t[k] = f->q == 1 ? f->path[0].t[p.step[k]] : f->grid[p.step[k]];
  return p;
}

/* dense <- the dense estimator of response r at an event, on the original scale; returns its intercept. */
static double dense_at(fit *f, int r, int event, const msplit_origin *o, double *dense)
{
  iss_dense(f->worker, f->target + r, f->path + r, event, dense);
  return msplit_unscale(dense, f->system.rows->d, o->y_mean[r], o);
}

/* With several responses: puts the dense estimators of all events, too, if the budget allows it and neither `times` nor
 * `record` is given. */
static void put_every(SEXP out, fit *f, const settings *s, const msplit_origin *o)
{
  const size_t d = f->system.rows->d;
  size_t events = 0;
  for (int r = 0; r < f->q; r++) events += (size_t)f->path[r].n_events;
  if (f->q == 1 || s->common.times != R_NilValue || s->record != R_NilValue) return;
  if ((double)(d + 1) * (double)events > s->budget) return;
  double *dense = entry_numbers(out, AT_every, d * events);
  double *a0 = entry_numbers(out, AT_every_a0, events);
  for (int r = 0; r < f->q; r++) {
    for (int k = 0; k < f->path[r].n_events; k++, dense += d) *a0++ = dense_at(f, r, k, o, dense);
    port_poll();
  }
}

static void put_dense(SEXP out, fit *f, const points *p, const msplit_origin *o)
{
  const size_t d = f->system.rows->d, count = (size_t)p->count, q = (size_t)f->q;
  entry_put_ints(out, AT_step, p->step, count, 0);
  entry_ints(out, AT_points, 1)[0] = p->count;
  entry_put(out, AT_time, p->t, count);
  double *dense = entry_numbers(out, AT_dense, d * count * q);
  double *a0 = entry_numbers(out, AT_dense_a0, count * q);
  for (int r = 0; r < f->q; r++) {
    int before = -1;
    for (size_t k = 0; k < count; k++, dense += d, a0++) {
      const int event = iss_event_at(f->path + r, p->t[k]);
      if (event == before) {
        memcpy(dense, dense - d, d * sizeof(double));
        *a0 = a0[-1];
        continue;
      }
      before = event;
      *a0 = dense_at(f, r, event, o, dense);
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

/* Times of the grid: 0, then n_times from `first`, the time of the first event, to ratio times that, evenly spaced on a
 * log scale. */
static double *time_grid(double first, double ratio, int n_times)
{
  double *grid = ALLOC(n_times + 1, double);
  for (int k = 0; k < n_times; k++)
    grid[k + 1] = first * (n_times > 1 ? pow(ratio, (double)k / (n_times - 1)) : 1);
  return grid;
}

/* Fits the paths of all responses with the k-th nu. */
static status fit_nu(msplit_input *in, const double *gram, int wide, const settings *s, R_xlen_t k,
                     fit *f)
{
  const int q = in->q;
  *f = (fit){.q = q};
  status state = iss_system_new(&in->rows, gram, REAL(s->common.nu)[k], wide, s->loo, &f->system);
  if (state != STATUS_OK) return state;
  f->target = iss_targets_new(&f->system, in->y, (size_t)q);
  f->path = ALLOC(q, iss_path);
  double largest = 0;
  for (int r = 0; r < q; r++) largest = fmax(largest, f->target[r].largest);
  const double first = largest > 0 ? 1 / largest : 1;
  f->t_end = s->common.times == R_NilValue ? s->t_ratio * first
                                           : largest_time(VECTOR_ELT(s->common.times, k));
  if (q > 1) f->grid = time_grid(first, s->t_ratio, s->n_times);
  const iss_options options = {.t_end = f->t_end, .max_events = s->max_events, .loo = s->loo};
  f->worker = iss_worker_new(&f->system, &options);
  for (int r = 0; r < q; r++) {
    port_part((double)k * q + r, (double)XLENGTH(s->common.nu) * q);
    iss_run(f->worker, f->target + r, r == q - 1, f->path + r);
  }
  return STATUS_OK;
}

/* The budget of a path: how many numbers its dense estimators for one nu may have. */
static double dense_budget(int responses, R_xlen_t n_nu)
{
  return (responses > 1 ? 2e6 : n_nu > 1 ? 2e5 : 1e6) / (double)n_nu;
}

SEXP msplit_iss(SEXP data, SEXP y, SEXP weights, SEXP options)
{
  settings s = read_settings(options);
  msplit_input in = msplit_read(data, y, weights, &s.common, 1, 1);
  s.budget = dense_budget(in.q, XLENGTH(s.common.nu));
  PROTECT(in.out);
  if (s.loo && !in.y) Rf_error("'loo' needs rows");
  int wide;
  const double *gram = msplit_gram(&in, &wide);
  if (s.loo && gram && !wide)
    iss_turned(&in.rows); /* allocated here: what a nu allocates is freed after it */
  SEXP fits = SET_VECTOR_ELT(in.out, 5, Rf_allocVector(VECSXP, XLENGTH(s.common.nu)));
  const double n = in.rows.count;
  status state = in.state;
  for (R_xlen_t k = 0; k < XLENGTH(s.common.nu) && state == STATUS_OK; k++) {
    const void *mark = vmaxget();
    fit f;
    state = fit_nu(&in, gram, wide, &s, k, &f);
    if (state == STATUS_OK) {
      SEXP one = msplit_result(fits, k);
      choose(&f, &s, n, &in.origin);
      const points p = choose_points(&f, &s, (int)k);
      msplit_put_events(one, f.path, f.q, &in.origin, n);
      put_dense(one, &f, &p, &in.origin);
      put_every(one, &f, &s, &in.origin);
      entry_ints(one, AT_best, 1)[0] = f.best;
      entry_numbers(one, AT_best_criterion, 1)[0] = f.criterion;
    }
    vmaxset(mark);
  }
  entry_put_status(in.out, state, in.bad);
  UNPROTECT(1);
  return in.out;
}

/* data, y, weights: see msplit_read(). options: the settings of msplit(); supports: NULL for the path, by `method`, or
 * the supports whose ridges are wanted (msplit_ridges()). Returns list(status, bad, center, scale, y_mean, fits, bound,
 * rows); for a path `fits` has one list for each nu. */
SEXP transelect_msplit(SEXP data, SEXP y, SEXP weights, SEXP options, SEXP supports)
{
  if (supports != R_NilValue) return msplit_ridges(data, y, weights, options, supports);
  const int method = entry_option_word(options, "method", methods);
  return (method == METHOD_LBI ? msplit_lbi : msplit_iss)(data, y, weights, options);
}
