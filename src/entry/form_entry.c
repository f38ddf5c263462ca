/* form_entry.c - the quadratic form of which the best subset is searched (form.c), for R. */
#include <math.h>
#include <string.h>

#include "borrow_domains_entry.h"
#include "routines.h"

enum searched entry_support(SEXP support)
{
  if (support == R_NilValue) return SEARCH_NONE;
  if (TYPEOF(support) != STRSXP || XLENGTH(support) != 1) Rf_error("'support' must be a word");
  const char *word = CHAR(STRING_ELT(support, 0));
  if (!strcmp(word, "shared")) return SEARCH_ALL;
  if (strcmp(word, "target")) Rf_error("'support' must be 'shared' or 'target'");
  return SEARCH_TARGET;
}

const double *entry_squares(SEXP domains, const double *s2, size_t T)
{
  double *yy = ALLOC(T, double);
  for (size_t t = 0; t < T; t++) {
    SEXP domain = VECTOR_ELT(domains, (R_xlen_t)t);
    yy[t] = *entry_doubles(entry_field(domain, "yy", "domains"), 1, "yy") / s2[t];
  }
  return yy;
}

#define FORM(name) name(A), name(b), name(c0), name(n_domains), name(coef), name(full)
#define FORM_PLACE(name) FORM_##name
enum { FORM(FORM_PLACE) };
static const char *const form_names[] = {FORM(TEXT), ""};

/* A list for R with a form of N coordinates of `n_domains` domains; *form points to its numbers. */
static SEXP form_list(size_t N, int n_domains, quadratic_form *form)
{
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)form_names));
  form->N = N;
  form->A = REAL(SET_VECTOR_ELT(out, FORM_A, Rf_allocMatrix(REALSXP, (int)N, (int)N)));
  form->b = entry_numbers(out, FORM_b, N);
  SET_VECTOR_ELT(out, FORM_n_domains, Rf_ScalarInteger(n_domains));
  UNPROTECT(1);
  return out;
}

static quadratic_form form_new(size_t N)
{
  return (quadratic_form){.N = N, .A = ROOM(N * N, double), .b = ROOM(N, double)};
}

/* Element `at` of `out` becomes the form of the slopes, the levels minimised out; its element `full` is the form with
 * the levels. */
static status drop_levels(SEXP out, int at, const quadratic_form *whole, int n_domains)
{
  quadratic_form slopes;
  SEXP list = PROTECT(form_list(whole->N - (size_t)n_domains, n_domains, &slopes));
  const status state = form_of_some(whole, 1, &slopes);
  entry_put(list, FORM_c0, &slopes.c0, 1);
  SET_VECTOR_ELT(list, FORM_full, VECTOR_ELT(out, at));
  SET_VECTOR_ELT(out, at, list);
  UNPROTECT(1);
  return state;
}

status entry_put_form(SEXP out, int at, const form_parts *parts, enum searched what, double k,
                      double *pen)
{
  const borrow_domains *domains = parts->domains;
  const size_t p = domains->p, T = (size_t)domains->T;
  const int n_domains = what == SEARCH_TARGET ? 1 : domains->T;
  const int given_others = parts->variances && T > 1;
  status state = STATUS_OK;
  SEXP coef = PROTECT(T > 1 || !what ? Rf_allocMatrix(REALSXP, (int)p, (int)T) : R_NilValue);
  borrow_posterior others = {0};
  if (given_others || (parts->variances && !what)) {
    others = (borrow_posterior){.coef = REAL(coef), .P = ROOM(p * p, double), .m = ROOM(p, double)};
    state = borrow_known(domains, parts->variances, &others);
  }
  if (!what) {
    if (!parts->variances) {
      quadratic_form all = form_new(p * T);
      form_of_all(parts, &all);
      state = form_coefficients(&all, domains->T, REAL(coef));
    }
    SEXP list = SET_VECTOR_ELT(out, at, Rf_mkNamed(VECSXP, (const char **)form_names));
    SET_VECTOR_ELT(list, FORM_coef, coef);
    UNPROTECT(1);
    return state;
  }
  quadratic_form form;
  SEXP list = SET_VECTOR_ELT(out, at, form_list(p * (size_t)n_domains, n_domains, &form));
  SET_VECTOR_ELT(list, FORM_coef, coef);
  UNPROTECT(1);
  if (state) return state;
  if (n_domains == domains->T) {
    form_of_all(parts, &form);
    if (T > 1 && !given_others) state = form_coefficients(&form, domains->T, REAL(coef));
  } else if (given_others) {
    form_of_target(parts, &others, &form);
  } else {
    quadratic_form all = form_new(p * T);
    form_of_all(parts, &all);
    state = form_coefficients(&all, domains->T, REAL(coef));
    if (!state) state = form_of_some(&all, T, &form);
  }
  entry_put(list, FORM_c0, &form.c0, 1);
  if (!state && domains->level) {
    state = drop_levels(out, at, &form, n_domains);
    list = VECTOR_ELT(out, at);
    form.N = p * (size_t)n_domains - (size_t)n_domains;
    form.A = REAL(VECTOR_ELT(list, FORM_A));
  }
  if (state || !pen) return state;
  double *prior = ALLOC(form.N, double);
  for (size_t i = 0; i < form.N; i++)
    prior[i] = parts->variances->common[i] + parts->variances->own[i];
  return form_penalties(&form, prior, k, pen);
}

/* borrowing: a list with `scales` (p numbers) and either `common` and `own`, see entry_borrow_variances(), or `v`, the
 * p couplings of form.h. support: see entry_support(). Returns list(status, form, pen), see entry_put_form(); pen, with
 * the factor borrowing$k, is NULL unless `common` and `own` are given and support is "target". */
SEXP transelect_form(SEXP domains, SEXP s2, SEXP borrowing, SEXP support)
{
  enum { AT_STATUS, AT_FORM, AT_PEN };
  static const char *const parts[] = {"status", "form", "pen", ""};
  const borrow_domains all = entry_borrow_domains(domains, s2, MANY_DOMAINS, 0);
  const enum searched what = entry_support(support);
  const size_t T = (size_t)all.T;
  const int given = entry_element(borrowing, "own") != R_NilValue;
  borrow_variances known = {0};
  if (given) known = entry_borrow_variances(borrowing, &all);
  const form_parts from = {.domains = &all,
                           .yy = what ? entry_squares(domains, REAL(s2), T) : NULL,
                           .scale = entry_borrow_numbers(borrowing, "scales", (R_xlen_t)all.p),
                           .variances = given ? &known : NULL,
                           .coupling = given || T == 1
                                           ? NULL
                                           : entry_doubles(entry_field(borrowing, "v", "borrowing"),
                                                           (R_xlen_t)all.p, "v")};
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)parts));
  double k = 0, *pen = NULL;
  if (given && what == SEARCH_TARGET) {
    k = entry_number(entry_field(borrowing, "k", "borrowing"), 0, HUGE_VAL, "k");
    pen = entry_numbers(out, AT_PEN, all.p - (size_t)all.level);
  }
  const status state = entry_put_form(out, AT_FORM, &from, what, k, pen);
  SET_VECTOR_ELT(out, AT_STATUS, Rf_ScalarInteger((int)state));
  UNPROTECT(1);
  return out;
}
