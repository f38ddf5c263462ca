/* borrow_entry.c - from R to borrow.c and back. */
#include "borrow_entry.h"

#include "args_entry.h"
#include "borrow.h"

#define RESULTS(name)                                                                              \
  name(status), name(tau2), name(omega2), name(scale), name(log_lik), name(evaluations),           \
      name(alone), name(alone_omega2), name(kappa2), name(level_omega2)
enum { RESULTS(PLACE) };
static const char *const names[] = {RESULTS(TEXT), ""};

static borrow_tasks read_tasks(SEXP H, SEXP g, SEXP fit, SEXP log_det)
{
  const matrix slopes = entry_matrix(g, 1, 1, "g");
  const R_xlen_t p = (R_xlen_t)slopes.rows, T = (R_xlen_t)slopes.columns;
  if (TYPEOF(H) != VECSXP || XLENGTH(H) != T)
    Rf_error("'H' must be a list with one matrix for each column of 'g'");
  const double **H_of = ALLOC((size_t)T, const double *), **g_of = ALLOC((size_t)T, const double *);
  for (R_xlen_t t = 0; t < T; t++) {
    H_of[t] = entry_doubles(VECTOR_ELT(H, t), p * p, "H");
    g_of[t] = slopes.x + t * p;
  }
  return (borrow_tasks){.p = (size_t)p,
                        .T = (int)T,
                        .H = H_of,
                        .g = g_of,
                        .fit = entry_doubles(fit, T, "fit"),
                        .log_det = entry_doubles(log_det, T, "log_det")};
}

/* H: list of T matrices p x p, X_t'X_t/s2_t. g: p x T, X_t'y_t/s2_t. fit, log_det: T numbers, see
 * borrow.h. options: list(size, prior, rounds, nu, level, alone); alone: so many of the first tasks by
 * themselves, too. */
SEXP transelect_borrow(SEXP H, SEXP g, SEXP fit, SEXP log_det, SEXP options)
{
  borrow_tasks tasks = read_tasks(H, g, fit, log_det);
  tasks.level = entry_option_flag(options, "level");
  const borrow_options how = {.size = entry_option(options, "size", 0, 1e300),
                              .nu = entry_option(options, "nu", 0, 1e300),
                              .prior = entry_option_flag(options, "prior"),
                              .rounds = (int)entry_option(options, "rounds", 0, 1000)};
  const int alone = (int)entry_option(options, "alone", 0, tasks.T);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)names));
  double *likelihood = ALLOC((size_t)tasks.T, double), *omega2 = ALLOC((size_t)tasks.T, double);
  borrow_strength found = {.tau2 = ALLOC((size_t)tasks.T, double), .scale = ALLOC(tasks.p, double)};
  status state = borrow_fit(&tasks, &how, &found);
  for (int t = 0; t < alone && state == STATUS_OK; t++)
    state = borrow_alone(&tasks, t, how.size, likelihood + t, omega2 + t);
  SET_VECTOR_ELT(out, AT_status, Rf_ScalarInteger((int)state));
  SET_VECTOR_ELT(out, AT_evaluations, Rf_ScalarInteger(found.evaluations));
  entry_put(out, AT_tau2, found.tau2, (size_t)tasks.T);
  entry_put(out, AT_omega2, &found.omega2, 1);
  entry_put(out, AT_kappa2, &found.kappa2, 1);
  entry_put(out, AT_level_omega2, &found.level_omega2, 1);
  entry_put(out, AT_scale, found.scale, tasks.p);
  entry_put(out, AT_log_lik, &found.log_lik, 1);
  entry_put(out, AT_alone, likelihood, (size_t)alone);
  entry_put(out, AT_alone_omega2, omega2, (size_t)alone);
  UNPROTECT(1);
  return out;
}
