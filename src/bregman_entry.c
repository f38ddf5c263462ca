/* bregman_entry.c - from R to bregman.c and back. */
#include <math.h>
#include <string.h>

#include "bregman.h"
#include "msplit_entry.h"
#include "msplit_result.h"

typedef struct {
  bregman_options path;
  int intercept, standardize;
  double alpha; /* 0: the bound */
  SEXP nu, times;
} settings;

static settings read_settings(SEXP options)
{
  settings s = {0};
#define FIELD(name) entry_field(options, name, "options")
  s.intercept = entry_flag(FIELD("intercept"), "intercept");
  s.standardize = entry_flag(FIELD("standardize"), "standardize");
  s.path.zero = entry_flag(FIELD("zero"), "zero");
  s.path.loss =
      (enum bregman_loss)entry_number(FIELD("loss"), LOSS_SQUARED, LOSS_MULTINOMIAL, "loss");
  s.path.kappa = entry_number(FIELD("kappa"), 1e-10, 1e15, "kappa");
  s.path.n_times = (int)entry_number(FIELD("nt"), 1, 1e5, "nt");
  s.path.t_ratio = entry_number(FIELD("t_ratio"), 1, 1e15, "t_ratio");
  s.path.most = entry_number(FIELD("max_steps"), 0, 1e15, "max_steps");
  s.alpha = entry_number(FIELD("alpha"), 0, 1e15, "alpha");
  s.nu = FIELD("nu");
  s.times = FIELD("times");
#undef FIELD
  const double *nu = entry_doubles(s.nu, -1, "nu");
  for (R_xlen_t k = 0; k < XLENGTH(s.nu); k++)
    if (!(nu[k] > 0 && nu[k] < HUGE_VAL)) Rf_error("'nu' must be positive and finite");
  if (s.times != R_NilValue && (TYPEOF(s.times) != VECSXP || XLENGTH(s.times) != XLENGTH(s.nu)))
    Rf_error("'times' must be a list with one vector a nu");
  for (R_xlen_t k = 0; s.times != R_NilValue && k < XLENGTH(s.times); k++) {
    entry_doubles(VECTOR_ELT(s.times, k), -1, "times");
    if (XLENGTH(VECTOR_ELT(s.times, k)) == 0) Rf_error("'times' has an empty vector");
  }
  return s;
}

/* The path of one nu as a result; b0 is added to the means of the responses. */
static void put_path(SEXP out, const bregman_path *p, const msplit_input *in, double n)
{
  const size_t d = in->rows.d, q = (size_t)in->q, count = (size_t)p->count;
  msplit_put_events(out, p->path, in->q, &in->origin, n);
  int *step = entry_ints(out, AT_step, count);
  memcpy(entry_numbers(out, AT_time, count), p->t, count * sizeof(double));
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
  entry_ints(out, AT_best, 1)[0] = p->count - 1;
  entry_numbers(out, AT_best_criterion, 1)[0] = NAN;
}

/* See msplit_read() for the first three; y holds 0 and 1 unless the loss is squared. Returns
 * list(status, bad, center, scale, y_mean, fits, bound): one fit and one bound on alpha a nu. The
 * fits are NULL from the first nu on whose bound is below alpha. */
SEXP transelect_msplit_lbi(SEXP blocks, SEXP y, SEXP weights, SEXP options)
{
  settings s = read_settings(options);
  const int squared = s.path.loss == LOSS_SQUARED;
  msplit_input in = msplit_read(blocks, y, weights, s.intercept, s.standardize, squared, 0);
  SEXP out = PROTECT(in.out);
  const R_xlen_t n_nu = XLENGTH(s.nu);
  SEXP fits = SET_VECTOR_ELT(out, 5, Rf_allocVector(VECSXP, n_nu));
  double *bound = entry_numbers(out, 6, (size_t)n_nu);
  status state = in.state;
  for (size_t i = 0; i < in.rows.n * (size_t)in.q && !squared; i++)
    if (in.y[i] != 0 && in.y[i] != 1) Rf_error("'y' must hold 0 and 1");
  const double curvature =
      state == STATUS_OK ? bregman_curvature(&in.rows, !squared && s.intercept) : NAN;
  for (R_xlen_t k = 0; k < n_nu; k++) {
    s.path.nu = REAL(s.nu)[k];
    bound[k] = s.path.nu / (s.path.kappa * (2 + s.path.nu * curvature));
    if (state != STATUS_OK || !(s.alpha <= bound[k] * (1 + 1e-12))) continue;
    s.path.alpha = s.alpha > 0 ? s.alpha : bound[k];
    if (s.times != R_NilValue) {
      s.path.times = REAL(VECTOR_ELT(s.times, k));
      s.path.n_times = (int)XLENGTH(VECTOR_ELT(s.times, k));
    }
    const void *mark = vmaxget();
    bregman_path path;
    state = bregman_run(&in.rows, in.y, in.q, &s.path, &path);
    if (state == STATUS_OK)
      put_path(SET_VECTOR_ELT(fits, k, msplit_result()), &path, &in, (double)in.rows.n);
    vmaxset(mark);
  }
  SET_VECTOR_ELT(out, 0, Rf_ScalarInteger((int)state));
  UNPROTECT(1);
  return out;
}
