/* inclusion_entry.c - from R to inclusion.c and back. */
#include "inclusion.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "args_entry.h"
#include "kernels.h"
#include "routines.h"

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Second moments of responses whose outliers are cut. x: n x d, y: n x q, centred where `intercept`, both times root
 * (n, the roots of weights of sum n, or NULL); left: NULL, or n x q residuals, not times root; factor: for each
 * response what its residuals are multiplied by; cut: a response is moved so far that its residual, times `factor`, is
 * not larger than `cut` times the median of the absolute ones. Returns list(b, yy): the products of the columns with
 * the responses so cut (d x q), and their sums of squares (q), about their means where `intercept`. */
SEXP transelect_cut_sums(SEXP x, SEXP y, SEXP root, SEXP left, SEXP factor, SEXP cut,
                         SEXP intercept)
{
  const matrix X = entry_matrix(x, 1, 0, "x"), Y = entry_matrix(y, 1, 0, "y");
  const size_t n = X.rows, d = X.columns, q = Y.columns;
  if (Y.rows != n) Rf_error("'y' must have as many rows as 'x'");
  const double *w = root == R_NilValue ? NULL : entry_doubles(root, (R_xlen_t)n, "root");
  const double *e = left == R_NilValue ? NULL : entry_doubles(left, (R_xlen_t)(n * q), "left");
  const double *by = e ? entry_doubles(factor, (R_xlen_t)q, "factor") : NULL;
  const double most = entry_number(cut, 0, 1e300, "cut");
  const int centred = entry_flag(intercept, "intercept");
  double *size = ALLOC(n, double), *moved = ALLOC(n, double);
  SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char *[]){"b", "yy", ""}));
  SET_VECTOR_ELT(out, 0, Rf_allocMatrix(REALSXP, (int)d, (int)q));
  double *b = REAL(VECTOR_ELT(out, 0)), *yy = entry_numbers(out, 1, q);
  for (size_t r = 0; r < q; r++, b += d) {
    memcpy(moved, Y.x + r * n, n * sizeof(double));
    if (e && by[r] > 0 && isfinite(by[r])) {
      for (size_t i = 0; i < n; i++) size[i] = fabs(e[i + r * n] * by[r]);
      qsort(size, n, sizeof(double), ascending);
      const double limit = most * size[n / 2];
      for (size_t i = 0; i < n; i++) {
        const double own = e[i + r * n] * by[r], over = fabs(own) - limit;
        if (over > 0) moved[i] -= (own > 0 ? over : -over) * (w ? w[i] : 1);
      }
    }
    kernels->dots(COLUMNS(X.x, n, d), NULL, moved, b);
    double sum = 0;
    for (size_t i = 0; centred && i < n; i++) sum += moved[i] * (w ? w[i] : 1);
    yy[r] = dot(moved, moved, n) - sum * sum / (double)n;
  }
  UNPROTECT(1);
  return out;
}

/* sums: list(G, c, yy, n, df, most, log_prior) of one response, see inclusion.h; supports: a list of integer vectors of
 * columns, from 1 on; spread: values of v; sweeps: of the Gibbs sampler. Returns the d inclusion probabilities. */
SEXP transelect_inclusion(SEXP sums, SEXP supports, SEXP spread, SEXP sweeps)
{
  const matrix G = entry_matrix(entry_field(sums, "G", "sums"), 0, 1, "G");
  const size_t d = G.columns;
  if (G.rows != d) Rf_error("'G' must be square");
  inclusion m = {.d = d, .G = G.x};
  m.c = entry_doubles(entry_field(sums, "c", "sums"), (R_xlen_t)d, "c");
  m.yy = entry_option(sums, "yy", 1e-300, 1e300);
  m.n = entry_option(sums, "n", 1e-300, 1e300);
  m.df = entry_option(sums, "df", 0, 1e300);
  m.most = (size_t)entry_option(sums, "most", 0, (double)d);
  m.log_prior =
      entry_doubles(entry_field(sums, "log_prior", "sums"), (R_xlen_t)m.most + 1, "log_prior");
  m.spread = entry_positive(spread, -1, "spread");
  m.n_spread = (size_t)XLENGTH(spread);
  if (m.n_spread == 0) Rf_error("'spread' is empty");
  if (TYPEOF(supports) != VECSXP) Rf_error("'supports' must be a list");
  const size_t count = (size_t)XLENGTH(supports);
  size_t all = 0;
  for (size_t k = 0; k < count; k++) {
    entry_integers(VECTOR_ELT(supports, (R_xlen_t)k), -1, "supports");
    all += (size_t)XLENGTH(VECTOR_ELT(supports, (R_xlen_t)k));
  }
  if (all > INT_MAX) Rf_error("'supports' is too long");
  int *start = ALLOC(count + 1, int), *index = ALLOC(all + 1, int), *seen = ALLOC(d, int), at = 0;
  for (size_t k = 0; k < count; k++) {
    SEXP one = VECTOR_ELT(supports, (R_xlen_t)k);
    start[k] = at;
    for (R_xlen_t i = 0; i < XLENGTH(one); i++) {
      const int j = INTEGER(one)[i];
      if (j < 1 || (size_t)j > d || seen[j - 1] == (int)k + 1)
        Rf_error("'supports' must hold different columns");
      seen[j - 1] = (int)k + 1;
      index[at++] = j - 1;
    }
  }
  start[count] = at;
  SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)d));
  inclusion_probabilities(&m, start, index, count, (int)entry_number(sweeps, 1, 1e7, "sweeps"),
                          REAL(out));
  UNPROTECT(1);
  return out;
}
