/* borrow_domains_entry.h - the domains of the borrowing prior (borrow.h) and its form (form.h), from R. */
#ifndef TRANSELECT_BORROW_DOMAINS_ENTRY_H
#define TRANSELECT_BORROW_DOMAINS_ENTRY_H

#include "args_entry.h"
#include "form.h"

enum { MANY_DOMAINS = 100000 };

/* domains: list of at most `most` domains, the target first; s2: their residual variances. fitted: is the least squares
 * fit of each domain read, too? Domains are moments (transelect_domain_moments()) or, where they are fitted, may be
 * rows, list(X, y, one, level, fit): X of n rows, and with a level its column `one`. */
borrow_domains entry_borrow_domains(SEXP domains, SEXP s2, int most, int fitted);

/* borrowing: list(common, own, scales): p, p x T and p numbers, see borrow_variances. */
borrow_variances entry_borrow_variances(SEXP borrowing, const borrow_domains *domains);

/* n positive numbers: the element `name` of the list. */
const double *entry_borrow_numbers(SEXP borrowing, const char *name, R_xlen_t n);

/* ---- the form (form_entry.c) ---- */

/* Over which coefficients subsets are searched: those of all domains, the target's, or none, where only the model with
 * all features is wanted. */
enum searched { SEARCH_NONE, SEARCH_ALL, SEARCH_TARGET };

/* support: NULL, "shared" or "target". */
enum searched entry_support(SEXP support);

/* y'y of each domain, divided by s2. */
const double *entry_squares(SEXP domains, const double *s2, size_t T);

/* Element `at` of `out` becomes the form as a list, of which only `coef` is filled where nothing is searched: p x T,
 * the coefficients of all domains with all features kept; where a form of one domain is searched `coef` is NULL. The
 * penalties of form.h with the factor k are written to `pen` unless it is NULL. */
status entry_put_form(SEXP out, int at, const form_parts *parts, enum searched what, double k,
                      double *pen);

#endif
