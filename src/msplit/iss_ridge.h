/* iss_ridge.h - ridge regression that leaves a support unpenalised, at many nu at once.
 *
 * The dense estimator of the split loss (iss.h) for a support P, which need not be one of a path,
 *
 *   b = argmin |y - Xb|^2 / 2n + |b_-P|^2 / 2nu,
 *
 * at every nu of a grid, and the criterion by which nu is chosen: from rows the leave-one-out error, from second
 * moments, which do not determine that, the restricted likelihood (reml of iss.h, reference there). The smoother's
 * residuals are n e, e = E y, and loo = mean_i (e_i / E_ii)^2 over the rows that can be left out, df = n - n tr E, as
 * in iss.h. There are two forms:
 *
 *   shared    one spectral decomposition for all supports, XX' = T D T' (wide) or X'X = U D U',
 *             T = XU (tall). With f = 1/(n + nu D) and Z (m x |P|) as follows,
 *               wide  V^-1 = T f T',            Z = T'X_P,  A_PP = Z'fZ
 *               tall  V^-1 = (I - nu T f T')/n, Z = U_P',   A_PP = Z'fDZ
 *             V^-1 X_P = T f Z in both, and E = V^-1 - 11'/n^2 - vv', v = T f Z L'^-1, A_PP = LL'.
 *             Set-up: the decomposition and n m^2, m = min(n, d); then 2nm(|P| + 1) per nu.
 *   own       (tall) one decomposition of order d - |P| for each support, of X_-P less its
 *             projection on X_P: h_i = 1 - n E_ii and fitted values are products of S = XM (n x d) with one
 *             vector per nu. Set-up of a support: 2 n d^2; then 4nd per nu, whatever |P|.
 *
 * From rows the cheaper form is used; from moments the shared, tall form, with U'X'y instead of y: m |P|^2 per nu, and
 * with s = U'X'y
 *
 *   reml = sum_l log(1 + nu D_l/n) + log|A_PP| + (n - 1 - |P|) log((y'y - nu s'fs)/n - |L^-1 Z'fs|^2),
 *   df   = nu sum_l D_l f_l + n sum_c |D^1/2 f Z L'^-1|_c^2 + 1 for the intercept and for each kept column.
 *
 * Work arrays: the vectors (m^2), T' (m n) and E_ii (n per nu); for a support 2 m (|P| + 1), or 2 d^2 and blocks of
 * rows.
 */
#ifndef TRANSELECT_ISS_RIDGE_H
#define TRANSELECT_ISS_RIDGE_H

#include "iss_system.h"

typedef struct {
  const double *nu;
  size_t n_nu;
  iss_data *rows;
  const double *gram; /* of iss_gram() */
  int wide, shared;   /* the form; wide: 0 with moments */
  size_t m;
  double *value;  /* D (m) */
  double *vector; /* T or U (m x m) */
  double *turned; /* shared: T' (m x n) */
  double *left;   /* shared: E_ii of the empty support, n x n_nu */
} iss_ridge;

/* With nu, n_nu, rows, gram and wide given: chooses the form that is cheaper for `count` supports of `columns` columns
 * in total, and makes its decomposition. Returns STATUS_NOT_FINITE if that fails. */
status iss_ridge_ready(iss_ridge *ridge, size_t count, size_t columns);

/* Results at the nu of the best criterion, the first of those with equal criteria but for rounding (all nu are equal
 * where the support has every column). df and loss are NAN where the columns of the support are collinear, loo with
 * moments. The caller allocates dense (d) and along, the leave-one-out error at every nu. */
typedef struct {
  double nu, loo, df, loss; /* loss: mean squared residual */
  double *dense, *along;
} iss_ridge_worth;

/* For support P (k different columns) and response y (n, centred; not read with moments). */
void iss_ridge_given(iss_ridge *ridge, const double *y, const int *P, size_t k,
                     iss_ridge_worth *worth);

#endif
