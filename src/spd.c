/* spd.c - see spd.h. */
#include "spd.h"

#include <math.h>

#include "kernels.h"

enum { BLOCK = 16 };

static size_t width(size_t from, size_t m)
{
  return m - from < BLOCK ? m - from : BLOCK;
}

/* Rows from..from+count-1 of the right-hand sides in `rest` (count x columns), divided by the block
 * of U' on the diagonal. */
static void divide(const double *U, size_t m, size_t from, size_t count, double *rest,
                   size_t columns)
{
  for (size_t l = 0; l < columns; l++) {
    double *x = rest + l * count;
    for (size_t i = 0; i < count; i++) {
      const double *u = U + from + (from + i) * m;
      for (size_t k = 0; k < i; k++) x[i] -= u[k] * x[k];
      x[i] /= u[i];
    }
  }
}

/* The upper triangle of A becomes U. */
static int factor(double *A, size_t m, double *rest)
{
  for (size_t from = 0; from < m; from += BLOCK) {
    const size_t count = width(from, m), after = from + count;
    for (size_t l = from; l < m; l += BLOCK)
      kernels->cross(A + from * m, m, count, A + l * m, m, width(l, m), from,
                     rest + (l - from) * count, count);
    for (size_t l = from; l < m; l++)
      for (size_t i = 0; i < count; i++) {
        double *x = rest + i + (l - from) * count;
        *x = A[from + i + l * m] - *x;
      }
    for (size_t j = from; j < after; j++) {
      double *u = A + from + j * m, *x = rest + (j - from) * count, left = x[j - from];
      divide(A, m, from, j - from, x, 1);
      for (size_t k = 0; k < j - from; k++) {
        u[k] = x[k];
        left -= x[k] * x[k];
      }
      if (!(left > 0)) return 0;
      u[j - from] = sqrt(left);
    }
    divide(A, m, from, count, rest + count * count, m - after);
    for (size_t l = after; l < m; l++)
      for (size_t i = 0; i < count; i++) A[from + i + l * m] = rest[i + (l - from) * count];
  }
  return 1;
}

/* R (lower triangle, zero above it). */
static void invert(const double *U, size_t m, double *R, double *rest)
{
  for (size_t k = 0; k < m * m; k++) R[k] = 0;
  for (size_t from = 0; from < m; from += BLOCK) {
    const size_t count = width(from, m);
    for (size_t l = 0; l < from; l += BLOCK)
      kernels->cross(U + l + from * m, m, count, R + l + l * m, m, BLOCK, from - l,
                     rest + l * count, count);
    for (size_t k = 0; k < count * from; k++) rest[k] = -rest[k];
    for (size_t l = 0; l < count; l++)
      for (size_t i = 0; i < count; i++) rest[i + (from + l) * count] = i == l;
    divide(U, m, from, count, rest, from + count);
    for (size_t l = 0; l < from + count; l++)
      for (size_t i = 0; i < count; i++) R[from + i + l * m] = rest[i + l * count];
  }
}

int spd_inverse(double *A, size_t m, double *work, double *logdet)
{
  double *R = work, *rest = work + m * m;
  *logdet = 0;
  if (!factor(A, m, rest)) return 0;
  for (size_t j = 0; j < m; j++) *logdet += 2 * log(A[j + j * m]);
  invert(A, m, R, rest);
  for (size_t from = 0; from < m; from += BLOCK)
    for (size_t l = from; l < m; l += BLOCK)
      kernels->cross(R + l + from * m, m, width(from, m), R + l + l * m, m, width(l, m), m - l,
                     A + from + l * m, m);
  for (size_t j = 0; j < m; j++)
    for (size_t i = 0; i < j; i++) A[j + i * m] = A[i + j * m];
  return 1;
}
