/* subset_models.c - see subset_models.h. */
#include "subset_models.h"

#include <string.h>

#include "blas.h"

/* The coordinates of the groups in `in`; returns their number. */
static size_t coordinates(const subset_form *form, const int *in, size_t *at)
{
  size_t k = 0;
  for (size_t g = 0; g < form->p; g++)
    for (size_t t = 0; in[g] && t < form->T; t++) at[k++] = g * form->T + t;
  return k;
}

/* tr(A_S^-1 H_S) from the factor L of A_S, k x k. at: the coordinates of S. work: 2 N^2. */
static double trace(const subset_form *form, const double *L, const size_t *at, size_t k,
                    double *work)
{
  const size_t N = form->p * form->T;
  double *inverse = work, *product = work + k * k, sum = 0;
  memset(inverse, 0, k * k * sizeof(double));
  for (size_t j = 0; j < k; j++) {
    inverse[j * (k + 1)] = 1;
    for (size_t i = 0; i < k; i++) product[i + j * k] = form->H[at[i] + at[j] * N];
  }
  blas_forward_many(L, k, inverse, k);
  blas_forward_many(L, k, product, k);
  for (size_t i = 0; i < k * k; i++) sum += inverse[i] * product[i];
  return sum;
}

status subset_models(const subset_form *form, const int *in, size_t count, double *w, double *df)
{
  const size_t N = form->p * form->T;
  double *L = ALLOC(N * N, double), *x = ALLOC(N, double);
  double *work = form->H ? ALLOC(2 * N * N, double) : NULL;
  size_t *at = ALLOC(N, size_t);
  memset(w, 0, N * count * sizeof(double));
  for (size_t s = 0; s < count; s++, in += form->p, w += N) {
    const size_t k = coordinates(form, in, at);
    if (form->H) df[s] = 0;
    if (!k) continue;
    for (size_t j = 0; j < k; j++) {
      for (size_t i = j; i < k; i++) L[i + j * k] = form->A[at[i] + at[j] * N];
      x[j] = form->b[at[j]];
    }
    if (blas_chol(L, k)) return STATUS_SINGULAR;
    blas_forward(L, k, x);
    blas_backward(L, k, x);
    for (size_t j = 0; j < k; j++) w[at[j]] = x[j];
    if (form->H) df[s] = trace(form, L, at, k, work);
  }
  return STATUS_OK;
}
