/* bregman_entry.c - from R to bregman.c and back. */
#include <math.h>
#include <string.h>

#include "bregman.h"
#include "msplit_common_entry.h"

typedef struct {
  bregman_options path;
  msplit_settings common;
  double alpha; /* 0: the largest alpha that is allowed */
} settings;

/* The words of enum bregman_loss, and of where the iteration starts. */
static const char *const losses[] = {"squared", "binomial", "multinomial", NULL};
static const char *const starts[] = {"ridge", "zero", NULL};

static settings read_settings(SEXP options)
{
  settings s = {.common = msplit_read_settings(options)};
  s.path.zero = entry_option_word(options, "start", starts);
  s.path.loss = (enum bregman_loss)entry_option_word(options, "loss", losses);
  s.path.kappa = entry_option(options, "kappa", 1e-10, 1e15);
  s.path.n_times = (int)entry_option(options, "nt", 1, 1e5);
  s.path.t_ratio = entry_option(options, "t_ratio", 1, 1e15);
  s.path.most = entry_option(options, "max_steps", 0, 1e15);
  s.alpha = entry_option(options, "alpha", 0, 1e15);
  return s;
}

/* Fills the result of one nu; intercepts are b0 plus the means of the responses. */
static void put_path(SEXP out, const bregman_path *p, const msplit_input *in, double n)
{
  const size_t d = in->rows.d, q = (size_t)in->q, count = (size_t)p->count;
  msplit_put_events(out, p->path, in->q, &in->origin, n);
  int *step = entry_ints(out, AT_step, count);
  entry_put(out, AT_time, p->t, count);
  double *dense = entry_numbers(out, AT_dense, d * count * q);
  double *a0 = entry_numbers(out, AT_dense_a0, count * q);
  double *level = REAL(VECTOR_ELT(out, AT_a0));
  for (size_t k = 0; k < count; k++) step[k] = (int)k;
  for (size_t r = 0; r < q; r++)
    for (size_t k = 0; k < count; k++) level[r * count + k] += p->b0[k * q + r];
  for (size_t r = 0; r < q; r++)
    for (size_t k = 0; k < count; k++, dense += d, a0++) {
      memcpy(dense, p->B + (k * q + r) * d, d * sizeof(double));
      *a0 = msplit_unscale(dense, d, in->origin.y_mean[r] + p->b0[k * q + r], &in->origin);
    }
  const size_t kept = p->kept ? in->rows.n_kept : 0;
  double *to = kept ? entry_numbers(out, AT_kept, kept * count * q) : NULL;
  for (size_t r = 0; r < q && kept; r++)
    for (size_t k = 0; k < count; k++, to += kept)
      memcpy(to, p->kept + (k * q + r) * kept, kept * sizeof(double));
  entry_ints(out, AT_points, 1)[0] = p->count;
  entry_ints(out, AT_best, 1)[0] = p->count - 1;
  entry_numbers(out, AT_best_criterion, 1)[0] = NAN;
}

/* Checks that each row of y has one 1. */
static void check_classes(const msplit_input *in)
{
  const size_t n = in->rows.n;
  if (in->q < 2) Rf_error("'y' must have a column for every class");
  for (size_t i = 0; i < n; i++) {
    double ones = 0;
    for (size_t r = 0; r < (size_t)in->q; r++) ones += in->y[i + r * n];
    if (ones != 1) Rf_error("'y' must have one 1 in each row");
  }
}

/* y holds 0 and 1 unless the loss is squared. `bound` of the result: the upper bound on alpha for each nu. Where alpha
 * is above one of the bounds, or `times` need more than max_steps iterations, all fits are NULL. */
SEXP msplit_lbi(SEXP data, SEXP y, SEXP weights, SEXP options)
{
  settings s = read_settings(options);
  const int squared = s.path.loss == LOSS_SQUARED;
  msplit_input in = msplit_read(data, y, weights, &s.common, squared, 0);
  SEXP out = PROTECT(in.out);
  if (!in.y) Rf_error("'y' must be a double matrix: the iteration needs rows");
  const R_xlen_t n_nu = XLENGTH(s.common.nu);
  SEXP fits = SET_VECTOR_ELT(out, 5, Rf_allocVector(VECSXP, n_nu));
  double *bound = entry_numbers(out, 6, (size_t)n_nu);
  status state = in.state;
  for (size_t i = 0; i < in.rows.n * (size_t)in.q && !squared; i++)
    if (in.y[i] != 0 && in.y[i] != 1) Rf_error("'y' must hold 0 and 1");
  if (s.path.loss == LOSS_MULTINOMIAL) check_classes(&in);
  const double curvature =
      state == STATUS_OK
          ? bregman_curvature(&in.rows, !squared && (s.common.intercept || in.rows.n_kept))
          : NAN;
  int runs = 1;
  for (R_xlen_t k = 0; k < n_nu; k++) {
    const double nu = REAL(s.common.nu)[k];
    bound[k] = nu / (s.path.kappa * (2 + nu * curvature));
    if (!(s.alpha <= bound[k] * (1 + 1e-12))) runs = 0;
    if (s.common.times == R_NilValue) continue;
    SEXP times = VECTOR_ELT(s.common.times, k);
    const double last = REAL(times)[XLENGTH(times) - 1];
    if (!(last <= s.path.most * (s.alpha > 0 ? s.alpha : bound[k]))) runs = 0;
  }
  for (R_xlen_t k = 0; k < n_nu && runs && state == STATUS_OK; k++) {
    s.path.nu = REAL(s.common.nu)[k];
    s.path.alpha = s.alpha > 0 ? s.alpha : bound[k];
    if (s.common.times != R_NilValue) {
      s.path.times = REAL(VECTOR_ELT(s.common.times, k));
      s.path.n_times = (int)XLENGTH(VECTOR_ELT(s.common.times, k));
    }
    const void *mark = vmaxget();
    bregman_path path;
    port_part((double)k, (double)n_nu);
    state = bregman_run(&in.rows, in.y, in.q, &s.path, &path);
    if (state == STATUS_OK) put_path(msplit_result(fits, k), &path, &in, (double)in.rows.n);
    vmaxset(mark);
  }
  entry_put_status(out, state, in.bad);
  UNPROTECT(1);
  return out;
}
