/* dense.c - see dense.h. */
#include "dense.h"

#include <math.h>
#include <string.h>

#include "blas.h"
#include "kernels.h"

enum { SMALL = 128 };

/* Columns 0..count-1 (at most four) of Y, ld apart: Y_l += a_l x. */
static void axpy_up_to_4(const double *a, const double *x, size_t n, double *Y, size_t ld,
                         size_t count)
{
  if (count == 4)
    kernels->axpy4(a, x, n, Y, ld);
  else
    for (size_t l = 0; l < count; l++) kernels->axpy(a[l], x, n, Y + l * ld);
}

int dense_chol(double *A, size_t n)
{
  if (n > SMALL) return blas_chol(A, n) == 0;
  for (size_t k = 0; k < n; k++) {
    double *column = A + k * n;
    if (!(column[k] > 0)) return 0;
    column[k] = sqrt(column[k]);
    for (size_t i = k + 1; i < n; i++) column[i] /= column[k];
    for (size_t j = k + 1; j < n; j += 4) {
      const size_t count = n - j < 4 ? n - j : 4;
      double a[4];
      for (size_t l = 0; l < count; l++) a[l] = -column[j + l];
      axpy_up_to_4(a, column + j, n - j, A + j + j * n, n, count);
    }
  }
  return 1;
}

/* Four columns of X (or fewer), zero above row `from`. */
static void forward4(const double *L, size_t n, double *X, size_t from, size_t count)
{
  for (size_t k = from; k < n; k++) {
    double a[4];
    for (size_t l = 0; l < count; l++) {
      X[k + l * n] /= L[k * (n + 1)];
      a[l] = -X[k + l * n];
    }
    axpy_up_to_4(a, L + k * (n + 1) + 1, n - k - 1, X + k + 1, n, count);
  }
}

void dense_forward(const double *L, size_t n, double *X, size_t m)
{
  if (n > SMALL) {
    blas_forward_many(L, n, X, m);
    return;
  }
  for (size_t j = 0; j < m; j += 4) forward4(L, n, X + j * n, 0, m - j < 4 ? m - j : 4);
}

void dense_lower_inverse(const double *L, size_t n, double *X)
{
  memset(X, 0, n * n * sizeof(double));
  for (size_t j = 0; j < n; j++) X[j * (n + 1)] = 1;
  if (n > SMALL) {
    blas_forward_many(L, n, X, n);
    return;
  }
  for (size_t j = 0; j < n; j += 4) forward4(L, n, X + j * n, j, n - j < 4 ? n - j : 4);
}
