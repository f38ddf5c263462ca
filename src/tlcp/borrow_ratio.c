/* borrow_ratio.c - one domain by itself, and the likelihood ratio of sharing, see borrow.h. */
#include <math.h>
#include <string.h>

#include "borrow_rows.h"
#include "borrow_work.h"
#include "kernels.h"
#include "minimise.h"
#include "spd.h"

static const double EXACT = 1e-16; /* tolerance of minimise_run() */

/* ---- one domain by itself --------------------------------------------------------------------- */

typedef struct {
  const borrow_domains *domains;
  borrow_one own;
  borrow_work rows; /* used instead of `own` if the domain is given by its rows */
  int failed;
} alone;

/* -l and its derivative at x = log omega2, for one domain by itself: what ~ N(0, omega2 I + H^-1), so that with
 * omega2 in place of tau2, l = 1/2 [log|H| - log|K|] - 1/2 [R - omega2 g'a]. */
static double minus_alone(const double *x, double *slope, void *data)
{
  alone *w = data;
  const size_t p = w->own.p;
  const double omega2 = exp(x[0]), *a = w->own.a;
  double log_det, trace = 0;
  slope[0] = 0;
  if (!borrow_shrink(&w->own, omega2, 1, &log_det)) {
    w->failed = 1;
    return 1e300;
  }
  for (size_t j = 0; j < p; j++) trace += w->own.M[j * (p + 1)];
  slope[0] = -omega2 / 2 * (dot(a, a, p) - trace);
  const double quadratic = dot(w->domains->coef[0], a, p) - omega2 * dot(w->domains->left[0], a, p);
  return -(w->domains->log_det[0] - log_det - quadratic) / 2;
}

/* The average information of -l in log omega2: A = omega2^2 a'M a/2, since in information() of borrow.c V^-1 w and q
 * are a, and V^-1 q is M a. */
static void alone_information(const double *x, curvature *B, void *data)
{
  alone *w = data;
  const size_t p = w->own.p;
  kernels->dots(COLUMNS(w->own.M, p, p), NULL, w->own.a, w->own.room);
  B->diagonal[0] = exp(2 * x[0]) * dot(w->own.a, w->own.room, p) / 2;
}

/* From rows, -l of one domain is that of borrow_fit() with tau2 in place of omega2, and omega2 = 0. */
static double minus_alone_rows(const double *x, double *slope, void *data)
{
  alone *w = data;
  const double both[2] = {x[0], -HUGE_VAL};
  double slopes[2];
  const double value = borrow_rows_minus_log_lik(&w->rows, both, slopes);
  w->failed = w->rows.failed;
  slope[0] = slopes[0];
  return value;
}

static void alone_rows_information(const double *x, curvature *B, void *data)
{
  alone *w = data;
  const double both[2] = {x[0], -HUGE_VAL};
  curvature parts = curvature_new(2, 3);
  curvature_clear(&parts);
  borrow_rows_information(&w->rows, both, &parts);
  for (int k = 0; k < parts.pluses; k++)
    B->diagonal[0] += parts.columns[2 * k] * parts.columns[2 * k];
}

status borrow_alone(const borrow_domains *domains, const double *from, double enough, double *log_lik,
                    double *log_omega2)
{
  const size_t p = domains->p;
  alone w = {.domains = domains};
  if (domains->rows) {
    w.rows = borrow_work_new(domains, 0);
    borrow_scale_columns(&w.rows, NULL);
  } else {
    w.own = (borrow_one){p,
                         domains->H[0],
                         domains->g[0],
                         ALLOC(p * p, double),
                         ALLOC(p, double),
                         ALLOC(spd_sweep_room(p), double)};
  }
  minimise_box best = {0};
  const double size = log(borrow_start_size(domains) / 4);
  for (int start = 0; start < (from ? 1 : 2); start++) {
    minimise_box m = minimise_new(1, 0);
    m.curve = domains->rows ? alone_rows_information : alone_information;
    m.low[0] = log(BORROW_LOW_TAU2);
    m.high[0] = log(BORROW_HIGH);
    m.x[0] = from ? *from : size - 4 * start;
    const double negligible = from && enough > 0 ? enough : EXACT;
    minimise_run(&m, domains->rows ? minus_alone_rows : minus_alone, &w, negligible);
    if (w.failed) return STATUS_NO_EVIDENCE;
    if (negligible > EXACT) minimise_last_step(&m, negligible);
    if (!start || m.value < best.value) best = m;
  }
  *log_lik = -best.value;
  *log_omega2 = best.x[0];
  return STATUS_OK;
}

/* ---- the likelihood ratio ---------------------------------------------------------------------- */

status borrow_ratio(const borrow_domains *domains, const double *start, double enough, borrow_sharing *out)
{
  const int T = domains->T;
  const borrow_domains target = borrow_some(domains, 0, 1),
                       others = borrow_some(domains, 1, T - 1);
  borrow_options options = {.start = start, .enough = enough};
  borrow_prior found = {.tau2 = out->tau2, .scale = ALLOC(domains->p, double), .path = out->path};
  double alone, rest;
  status state = borrow_fit(domains, &options, &found);
  if (state != STATUS_OK) return state;
  out->omega2 = found.omega2;
  const int place = T + 1; /* of the target's log omega2 in a path */
  state = borrow_alone(&target, start ? start + place : NULL, enough, &alone, out->path + place);
  if (state != STATUS_OK) return state;
  const double *from = start ? start + place + 1 : NULL;
  if (T == 2) {
    state = borrow_alone(&others, from, enough, &rest, out->path + place + 1);
  } else {
    borrow_prior of_others = {
        .tau2 = ALLOC((size_t)T, double), .scale = found.scale, .path = out->path + place + 1};
    options.start = from;
    state = borrow_fit(&others, &options, &of_others);
    rest = of_others.log_lik;
  }
  out->alone = alone;
  out->lr = found.log_lik - alone - rest;
  return state;
}
