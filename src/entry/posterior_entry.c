/* posterior_entry.c - the posterior of the target's coefficients at steps of a path (posterior.c), for R. */
#include "posterior.h"

#include <string.h>

#include "borrow_domains_entry.h"
#include "routines.h"

#define MIXTURE(name) name(weights), name(away), name(variance), name(V), name(shares)
#define MIXTURE_PLACE(name) MIXTURE_##name
enum { MIXTURE(MIXTURE_PLACE) };
static const char *const mixture_names[] = {MIXTURE(TEXT), ""};

/* prior: list(domains, s2, borrowing = list(common, own, scales, tau2), size, alone), alone NULL or numbers of slopes,
 * from 1; `estimated` may be there, see posterior_problem. */
static posterior_problem read_problem(SEXP prior, borrow_domains *domains, borrow_variances *known)
{
  SEXP list = entry_field(prior, "domains", "prior"),
       borrowing = entry_field(prior, "borrowing", "prior");
  *domains = entry_borrow_domains(list, entry_field(prior, "s2", "prior"), MANY_DOMAINS, 0);
  if (domains->T < 2) Rf_error("'domains' must be two or more");
  *known = entry_borrow_variances(borrowing, domains);
  posterior_problem out = {.domains = domains,
                           .known = known,
                           .tau2 = entry_borrow_numbers(borrowing, "tau2", domains->T),
                           .size = *entry_positive(entry_field(prior, "size", "prior"), 1, "size")};
  SEXP estimated = entry_element(prior, "estimated"), alone = entry_element(prior, "alone");
  if (estimated != R_NilValue) out.estimated = entry_flag(estimated, "estimated");
  if (alone == R_NilValue) return out;
  const size_t slopes = domains->p - (size_t)domains->level;
  int n, *is_alone = ALLOC(domains->p, int);
  const int *which = entry_keep(alone, slopes, (int)slopes, &n);
  for (int i = 0; i < n; i++) is_alone[which[i]] = 1;
  out.alone = is_alone;
  return out;
}

/* The features of step number k, from 1, a column of `sets`. */
static posterior_step read_step(SEXP posterior, int k)
{
  SEXP sets = entry_field(posterior, "sets", "posterior");
  if (TYPEOF(sets) != LGLSXP || !Rf_isMatrix(sets)) Rf_error("'sets' must be a logical matrix");
  const size_t p = (size_t)Rf_nrows(sets);
  if (k < 1 || k > Rf_ncols(sets)) Rf_error("'steps' must be columns of 'sets'");
  const int *is_in = LOGICAL(sets) + (size_t)(k - 1) * p;
  size_t *set = ALLOC(p, size_t), q = 0;
  for (size_t j = 0; j < p; j++)
    if (is_in[j]) set[q++] = j;
  return (posterior_step){
      .q = q,
      .set = set,
      .unit = entry_doubles(entry_field(posterior, "unit", "posterior"), (R_xlen_t)p, "unit"),
      .mean = entry_doubles(entry_field(posterior, "x_mean", "posterior"), (R_xlen_t)p, "x_mean"),
      .level_unit = *entry_positive(entry_field(posterior, "y_scale", "posterior"), 1, "y_scale"),
      .constant = *entry_doubles(entry_field(posterior, "constant", "posterior"), 1, "constant")};
}

/* C of step number k: the element k of `covariance`, or from A. */
static status read_covariance(SEXP posterior, int k, posterior_step *step)
{
  SEXP covariance = entry_element(posterior, "covariance");
  if (covariance != R_NilValue) {
    if (TYPEOF(covariance) != VECSXP || XLENGTH(covariance) < k)
      Rf_error("'covariance' must have every step");
    const matrix C = entry_matrix(VECTOR_ELT(covariance, k - 1), 0, 0, "covariance");
    if (C.rows != C.columns || C.rows < step->q || C.rows > step->q + 1)
      Rf_error("'covariance' must be square, of the features and a level");
    step->C = C.x;
    step->order = C.rows;
    return STATUS_OK;
  }
  const matrix A = entry_matrix(entry_field(posterior, "A", "posterior"), 0, 0, "A");
  const int level = entry_flag(entry_field(posterior, "level", "posterior"), "level");
  const int n_domains =
      *entry_integers(entry_field(posterior, "n_domains", "posterior"), 1, "n_domains");
  const size_t p = (size_t)Rf_nrows(entry_field(posterior, "sets", "posterior"));
  if (n_domains < 1 || A.rows != A.columns || A.rows != (p + (size_t)level) * (size_t)n_domains)
    Rf_error("'A' must have the coordinates of all features");
  return posterior_estimated(A.x, A.rows, (size_t)n_domains, level, step);
}

/* A list for R with the mixture of `count` components; the step points to its numbers. */
static SEXP mixture_list(size_t count, int diagonal, posterior_step *step)
{
  const size_t rows = step->q + 1;
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)mixture_names));
  entry_numbers(out, MIXTURE_weights, count)[0] = 1;
  const int places[] = {MIXTURE_away, MIXTURE_variance};
  double **at[] = {&step->away, &step->variance};
  for (int i = 0; i < 2; i++)
    *at[i] = REAL(SET_VECTOR_ELT(out, places[i], Rf_allocMatrix(REALSXP, (int)rows, (int)count)));
  const size_t length = diagonal ? rows : rows * rows;
  SEXP V = SET_VECTOR_ELT(out, MIXTURE_V,
                          diagonal ? Rf_allocVector(REALSXP, (R_xlen_t)rows)
                                   : Rf_allocMatrix(REALSXP, (int)rows, (int)rows));
  step->V = memset(REAL(V), 0, length * sizeof(double));
  step->diagonal = diagonal;
  UNPROTECT(1);
  return out;
}

/* posterior: see tlcp_posterior_of_path(); steps: numbers of columns of its `sets`; diagonal: is V wanted, or its
 * diagonal alone? Returns list(status, scales, steps): the averages over the scales of the features, and for each step
 * list(weights, away, variance, V, shares), see posterior_step. */
SEXP transelect_posterior(SEXP posterior, SEXP steps, SEXP diagonal)
{
  enum { AT_STATUS, AT_SCALES, AT_STEPS };
  static const char *const parts[] = {"status", "scales", "steps", ""};
  const int *number = entry_integers(steps, -1, "steps"), only = entry_flag(diagonal, "diagonal");
  const R_xlen_t n = XLENGTH(steps);
  posterior_step *all = ALLOC((size_t)n, posterior_step), *mixed = ALLOC((size_t)n, posterior_step);
  posterior_work *work = NULL;
  size_t count = 1, n_mixed = 0, p = 0;
  status state = STATUS_OK;
  size_t features = 0;
  for (R_xlen_t i = 0; i < n; i++) {
    all[i] = read_step(posterior, number[i]);
    features += all[i].q;
    if (!state) state = read_covariance(posterior, number[i], all + i);
  }
  SEXP prior = entry_element(posterior, "prior");
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)parts));
  borrow_domains domains;
  borrow_variances known;
  posterior_problem problem;
  if (!state && features && prior != R_NilValue) {
    problem = read_problem(prior, &domains, &known);
    p = problem.domains->p - (size_t)problem.domains->level;
    if (p != (size_t)Rf_nrows(entry_field(posterior, "sets", "posterior")))
      Rf_error("'sets' must have the features of 'domains'");
    work = posterior_weigh(&problem, &count, &state);
  }
  SEXP list = SET_VECTOR_ELT(out, AT_STEPS, Rf_allocVector(VECSXP, n));
  for (R_xlen_t i = 0; i < n && !state; i++) {
    const int several = work && all[i].q;
    SEXP mixture = SET_VECTOR_ELT(list, i, mixture_list(several ? count : 1, only, all + i));
    if (!several) {
      posterior_single(all + i);
      continue;
    }
    if (all[i].order < all[i].q + (size_t)problem.domains->level)
      Rf_error("the covariance of a step must have the level of 'domains'");
    SEXP shares =
        SET_VECTOR_ELT(mixture, MIXTURE_shares,
                       Rf_allocMatrix(REALSXP, (int)all[i].q + 1, problem.domains->T + 1));
    all[i].shares = REAL(shares);
    posterior_weights(work, REAL(VECTOR_ELT(mixture, MIXTURE_weights)));
    mixed[n_mixed++] = all[i];
  }
  if (!state && work) {
    double *scales = entry_numbers(out, AT_SCALES, p);
    state = posterior_scales(work, scales);
    if (!state) state = posterior_steps(work, scales, mixed, n_mixed);
  }
  SET_VECTOR_ELT(out, AT_STATUS, Rf_ScalarInteger((int)state));
  UNPROTECT(1);
  return out;
}
