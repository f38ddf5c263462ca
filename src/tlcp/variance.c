/* variance.c - see variance.h. */
#include "variance.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "blas.h"
#include "kernels.h"

/* A product of so large or so small a size is replaced by its logarithm before it overflows. */
#define LARGE 1e100

/* Up to this order Jacobi's method takes less than LAPACK's; it rotates r and needs no eigenvectors. */
enum { FEW = 12, MOST_SWEEPS = 40 };

/* Eigenvalues of the symmetric A (m x m) onto its diagonal, and r in the basis of its eigenvectors, by cyclic Jacobi
 * rotations (Golub and Van Loan, Matrix Computations, 2013, section 8.5). */
static void rotate_to_diagonal(double *A, size_t m, double *r)
{
  for (int sweep = 0, turned = 1; turned && sweep < MOST_SWEEPS; sweep++) {
    turned = 0;
    for (size_t q = 1; q < m; q++)
      for (size_t p = 0; p < q; p++) {
        double *a = A + p * m, *b = A + q * m;
        const double off = b[p], least = DBL_EPSILON / 4 * sqrt(fabs(a[p] * b[q]));
        if (off == 0 || fabs(off) <= least) continue;
        const double half = (b[q] - a[p]) / (2 * off);
        const double t = (half < 0 ? -1 : 1) / (fabs(half) + sqrt(1 + half * half));
        const double c = 1 / sqrt(1 + t * t), s = t * c, ap = a[p] - t * off, bq = b[q] + t * off;
        for (size_t i = 0; i < m; i++) {
          const double x = a[i], y = b[i];
          A[p + i * m] = a[i] = c * x - s * y;
          A[q + i * m] = b[i] = s * x + c * y;
        }
        a[p] = ap;
        b[q] = bq;
        a[q] = b[p] = 0;
        const double x = r[p];
        r[p] = c * x - s * r[q];
        r[q] = s * x + c * r[q];
        turned = 1;
      }
  }
}

/* d: the eigenvalues of A (overwritten), none below 0; u: squares of r in the basis of its eigenvectors. vector: m x m,
 * work space. */
static int find_squares(double *A, size_t m, const double *r, double *vector, double *d, double *u)
{
  if (m <= FEW) {
    memcpy(u, r, m * sizeof(double));
    rotate_to_diagonal(A, m, u);
    for (size_t i = 0; i < m; i++) d[i] = A[i * (m + 1)];
  } else {
    if (!blas_eigen(A, m, d, vector)) return 0;
    for (size_t i = 0; i < m; i++) u[i] = dot(vector + i * m, r, m);
  }
  for (size_t i = 0; i < m; i++) {
    d[i] = fmax(d[i], 0);
    u[i] *= u[i];
  }
  return 1;
}

status variance_log_likelihood(const variance_likelihood *of, double *log_lik)
{
  const size_t m = of->m;
  double *A = ROOM(m * m, double), *vector = ROOM(m * m, double), *d = ROOM(m, double);
  double *u = ROOM(m, double), *all_s2 = ROOM(of->n_s2, double);
  for (size_t k = 0; k < of->n_s2; k++) all_s2[k] = exp(of->log_s2[k]);
  for (size_t t = 0; t < of->n_tau2; t++) {
    const double tau2 = exp(of->log_tau2[t]);
    double size = 0;
    for (size_t k = 0; k < m * m; k++) {
      A[k] = of->S[k] + tau2 * of->K[k];
      size += fabs(A[k]);
    }
    if (!isfinite(size) || !find_squares(A, m, of->r, vector, d, u)) return STATUS_SINGULAR;
    for (size_t k = 0; k < of->n_s2; k++) {
      const double s2 = all_s2[k];
      double sum = of->outside * of->log_s2[k] + of->rest / s2, product = 1;
      for (size_t i = 0; i < m; i++) {
        const double total = d[i] + s2;
        sum += u[i] / total;
        if (!(total < LARGE && total > 1 / LARGE)) {
          sum += log(total);
          continue;
        }
        product *= total;
        if (product < LARGE && product > 1 / LARGE) continue;
        sum += log(product);
        product = 1;
      }
      log_lik[k + t * of->n_s2] = -(sum + log(product)) / 2;
    }
    port_poll();
  }
  return STATUS_OK;
}
