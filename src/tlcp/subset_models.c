/* subset_models.c - see subset_models.h. */
#include "subset_models.h"

#include <string.h>

#include "spd.h"

/* The coordinates of the groups in `in`; returns their number. */
static size_t coordinates(const subset_form *form, const int *in, size_t *at)
{
  size_t k = 0;
  for (size_t g = 0; g < form->p; g++)
    for (size_t t = 0; in[g] && t < form->T; t++) at[k++] = g * form->T + t;
  return k;
}

/* tr(A_S^-1 H_S) from the inverse of A_S, k x k. at: the coordinates of S. */
static double trace(const subset_form *form, const double *inverse, const size_t *at, size_t k)
{
  const size_t N = form->p * form->T;
  double sum = 0;
  for (size_t j = 0; j < k; j++)
    for (size_t i = 0; i < k; i++) sum += inverse[i + j * k] * form->H[at[i] + at[j] * N];
  return sum;
}

status subset_models(const subset_form *form, const int *in, size_t count, double *w, double *df)
{
  const size_t N = form->p * form->T;
  double *U = ALLOC(N * N, double), *x = ALLOC(N, double);
  double *work = ROOM(N * (N + 8), double);
  double *inverse = form->H ? ROOM(N * N, double) : NULL;
  size_t *at = ALLOC(N, size_t);
  memset(w, 0, N * count * sizeof(double));
  for (size_t s = 0; s < count; s++, in += form->p, w += N) {
    const size_t k = coordinates(form, in, at);
    if (form->H) df[s] = 0;
    if (!k) continue;
    for (size_t j = 0; j < k; j++) {
      for (size_t i = 0; i < k; i++) U[i + j * k] = form->A[at[i] + at[j] * N];
      x[j] = form->b[at[j]];
    }
    double log_det;
    if (form->H) memcpy(inverse, U, k * k * sizeof(double));
    if (!spd_factor(U, k, work)) return STATUS_SINGULAR;
    spd_lower(U, k, x);
    spd_upper(U, k, x);
    for (size_t j = 0; j < k; j++) w[at[j]] = x[j];
    if (!form->H) continue;
    if (!spd_inverse(inverse, k, work, &log_det)) return STATUS_SINGULAR;
    df[s] = trace(form, inverse, at, k);
  }
  return STATUS_OK;
}
