/* subset_models.c - see subset_models.h. */
#include "subset_models.h"

#include <string.h>

#include "spd.h"

/* at <- the coordinates of the groups in `in`; returns their number. */
static size_t coordinates(const subset_form *form, const int *in, size_t *at)
{
  size_t k = 0;
  for (size_t g = 0; g < form->p; g++)
    for (size_t t = 0; in[g] && t < form->T; t++) at[k++] = g * form->T + t;
  return k;
}

/* tr(A_S^-1 J_S). inverse: A_S^-1; at: the k coordinates of S. */
static double trace(const double *inverse, const double *J, size_t N, const size_t *at, size_t k)
{
  double sum = 0;
  for (size_t j = 0; j < k; j++)
    for (size_t i = 0; i < k; i++) sum += inverse[i + j * k] * J[at[i] + at[j] * N];
  return sum;
}

/* U <- the factor of F_LL = U'U, T x T. Returns 0 where F_LL is not positive definite. */
static int factor_of_levels(const subset_form *form, double *U, double *work)
{
  const size_t T = form->T, N = form->p * T;
  for (size_t s = 0; s < T; s++)
    memcpy(U + s * T, form->full_A + (N + s) * (N + T) + N, T * sizeof(double));
  return spd_factor(U, T, work);
}

/* J (N x N) <- J or, with levels, J - e u' - u e' + J_LL u u'; returns the degrees of freedom of the levels. U: of
 * factor_of_levels(). */
static double target_share(const subset_form *form, const double *U, double *J)
{
  const size_t p = form->p, T = form->T, N = p * T, q = form->full_A ? p + 1 : p;
  memset(J, 0, N * N * sizeof(double));
  for (size_t j = 0; j < p; j++)
    for (size_t i = 0; i < p; i++) J[i * T + j * T * N] = form->H[i + j * q];
  if (!form->full_A) return 0;
  const double *e = form->H + p * q;
  double *r = ALLOC(T, double), *u = ALLOC(N, double);
  r[0] = 1;
  spd_lower(U, T, r);
  spd_upper(U, T, r);
  for (size_t k = 0; k < N; k++)
    for (size_t t = 0; t < T; t++) u[k] += form->full_A[N + t + k * (N + T)] * r[t];
  for (size_t j = 0; j < N; j++) {
    for (size_t i = 0; i < N; i++) J[i + j * N] += e[p] * u[i] * u[j];
    for (size_t i = 0; i < p; i++) {
      J[i * T + j * N] -= e[i] * u[j];
      J[j + i * T * N] -= e[i] * u[j];
    }
  }
  return r[0] * e[p];
}

/* Writes the T levels that belong to the N coefficients w behind them. */
static void add_levels(const subset_form *form, const double *U, double *w)
{
  const size_t T = form->T, N = form->p * T;
  double *level = w + N;
  for (size_t t = 0; t < T; t++) {
    level[t] = form->full_b[N + t];
    for (size_t k = 0; k < N; k++) level[t] -= form->full_A[N + t + k * (N + T)] * w[k];
  }
  spd_lower(U, T, level);
  spd_upper(U, T, level);
}

status subset_models(const subset_form *form, const int *in, size_t count, subset_fits *out)
{
  const size_t T = form->T, N = form->p * T, rows = form->full_A ? N + T : N;
  double *U = ALLOC(N * N, double), *x = ALLOC(N, double);
  double *work = ROOM(N * (N + 8), double), *levels = ROOM(T * T, double);
  double *inverse = form->H ? ROOM(N * N, double) : NULL;
  double *J = form->H ? ROOM(N * N, double) : NULL;
  size_t *at = ALLOC(N, size_t);
  if (form->full_A && !factor_of_levels(form, levels, work)) return STATUS_SINGULAR;
  out->level_df = J ? target_share(form, levels, J) : 0;
  memset(out->w, 0, rows * count * sizeof(double));
  for (size_t s = 0; s < count; s++, in += form->p) {
    double *w = out->w + s * rows, log_det;
    const size_t k = coordinates(form, in, at);
    for (size_t j = 0; j < k; j++) {
      for (size_t i = 0; i < k; i++) U[i + j * k] = form->A[at[i] + at[j] * N];
      x[j] = form->b[at[j]];
    }
    if (J) memcpy(inverse, U, k * k * sizeof(double));
    if (k && !spd_factor(U, k, work)) return STATUS_SINGULAR;
    spd_lower(U, k, x);
    spd_upper(U, k, x);
    for (size_t j = 0; j < k; j++) w[at[j]] = x[j];
    if (form->full_A) add_levels(form, levels, w);
    if (!J) continue;
    if (k && !spd_inverse(inverse, k, work, &log_det)) return STATUS_SINGULAR;
    out->df[s] = trace(inverse, J, N, at, k);
  }
  return STATUS_OK;
}
