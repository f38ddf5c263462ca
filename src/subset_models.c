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

/* tr([A_S^-1]_11 H_S) from the factor L of A_S, k x k. at: the coordinates of S. work: 2pN. */
static double trace(const subset_form *form, const double *L, const size_t *at, size_t k,
                    double *work)
{
  const size_t T = form->T, m = k / T;
  double *first = work, *product = work + m * k, sum = 0;
  memset(work, 0, 2 * m * k * sizeof(double));
  for (size_t j = 0; j < m; j++) {
    const double *H = form->H + at[j * T] / T * form->p;
    first[j * T + j * k] = 1;
    for (size_t i = 0; i < m; i++) product[i * T + j * k] = H[at[i * T] / T];
  }
  blas_forward_many(L, k, first, m);
  blas_forward_many(L, k, product, m);
  for (size_t i = 0; i < m * k; i++) sum += first[i] * product[i];
  return sum;
}

status subset_models(const subset_form *form, const int *in, size_t count, double *w, double *df)
{
  const size_t N = form->p * form->T;
  double *L = ALLOC(N * N, double), *x = ALLOC(N, double);
  double *work = form->H ? ALLOC(2 * form->p * N, double) : NULL;
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
