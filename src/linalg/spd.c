/* spd.c - see spd.h. */
#include "spd.h"

#include <math.h>
#include <string.h>

#include "kernels.h"

enum { BLOCK = 8 }; /* 16 take longer up to order 100, and no less at 500 */

static size_t width(size_t from, size_t m)
{
  return m - from < BLOCK ? m - from : BLOCK;
}

/* Divides by the block of U' on the diagonal, in place: `rest` (columns x count) holds the rows of
 * the right-hand sides from row `from` on, one after the other. */
static void divide(const double *U, size_t m, size_t from, size_t count, double *rest,
                   size_t columns)
{
  const double *row[BLOCK];
  double part[BLOCK];
  for (size_t i = 0; i < count; i++) {
    const double *u = U + from + (from + i) * m, factor = 1 / u[i];
    double *x = rest + i * columns;
    for (size_t k = 0; k < i; k++) {
      row[k] = rest + k * columns;
      part[k] = -u[k];
    }
    kernels->combine(row, part, i, columns, x);
    for (size_t l = 0; l < columns; l++) x[l] *= factor;
  }
}

/* The block of U on the diagonal, in place. */
static int factor_block(double *U, size_t m, size_t count)
{
  for (size_t j = 0; j < count; j++) {
    double *u = U + j * m, left = u[j];
    for (size_t i = 0; i < j; i++) {
      const double *before = U + i * m;
      for (size_t k = 0; k < i; k++) u[i] -= before[k] * u[k];
      u[i] /= before[i];
      left -= u[i] * u[i];
    }
    if (!(left > 0)) return 0;
    u[j] = sqrt(left);
  }
  return 1;
}

int spd_factor(double *A, size_t m, double *rest)
{
  for (size_t from = 0; from < m; from += BLOCK) {
    const size_t count = width(from, m), all = m - from, after = all - count;
    double *block = A + from + from * m;
    if (from) /* the first block has nothing to subtract: cross() of no rows would still cost time */
      kernels->cross(VIEW(A + from * m, m, from, all), VIEW(A + from * m, m, from, count), rest,
                     all);
    else
      memset(rest, 0, count * m * sizeof(double));
    for (size_t l = 0; l < count; l++)
      for (size_t i = 0; i <= l; i++) block[i + l * m] -= rest[l + i * all];
    if (!factor_block(block, m, count)) return 0;
    for (size_t i = 0; i < count; i++)
      for (size_t l = 0; l < after; l++)
        rest[l + i * after] = block[i + (count + l) * m] - rest[count + l + i * all];
    divide(A, m, from, count, rest, after);
    for (size_t l = 0; l < after; l++)
      for (size_t i = 0; i < count; i++) block[i + (count + l) * m] = rest[l + i * after];
  }
  return 1;
}

/* The lower triangle from the upper. */
static void mirror(double *A, size_t m)
{
  for (size_t j = 0; j < m; j++)
    for (size_t i = 0; i < j; i++) A[j + i * m] = A[i + j * m];
}

int spd_cholesky(double *A, size_t m, double *rest)
{
  if (!spd_factor(A, m, rest)) return 0;
  mirror(A, m);
  return 1;
}

void spd_forward(const double *U, size_t m, double *X, size_t columns, double *rest)
{
  for (size_t from = 0; from < m; from += BLOCK) {
    const size_t count = width(from, m);
    if (from)
      kernels->cross(VIEW(X, m, from, columns), VIEW(U + from * m, m, from, count), rest, columns);
    else
      memset(rest, 0, count * columns * sizeof(double));
    for (size_t l = 0; l < columns; l++)
      for (size_t i = 0; i < count; i++)
        rest[l + i * columns] = X[from + i + l * m] - rest[l + i * columns];
    divide(U, m, from, count, rest, columns);
    for (size_t l = 0; l < columns; l++)
      for (size_t i = 0; i < count; i++) X[from + i + l * m] = rest[l + i * columns];
  }
}

void spd_lower_inverse(const double *U, size_t m, double *R, double *rest)
{
  memset(R, 0, m * m * sizeof(double));
  for (size_t from = 0; from < m; from += BLOCK) {
    const size_t count = width(from, m), all = from + count;
    for (size_t l = 0; l < from; l += BLOCK)
      kernels->cross(VIEW(R + l + l * m, m, from - l, BLOCK),
                     VIEW(U + l + from * m, m, from - l, count), rest + l, all);
    for (size_t i = 0; i < count; i++) {
      for (size_t l = 0; l < from; l++) rest[l + i * all] = -rest[l + i * all];
      for (size_t l = 0; l < count; l++) rest[from + l + i * all] = i == l;
    }
    divide(U, m, from, count, rest, all);
    for (size_t l = 0; l < all; l++)
      for (size_t i = 0; i < count; i++) R[from + i + l * m] = rest[l + i * all];
  }
}

int spd_inverse(double *A, size_t m, double *work, double *logdet)
{
  double *R = work, *rest = work + m * m;
  *logdet = 0;
  if (!spd_factor(A, m, rest)) return 0;
  for (size_t j = 0; j < m; j++) *logdet += 2 * log(A[j + j * m]);
  spd_lower_inverse(A, m, R, rest);
  for (size_t from = 0; from < m; from += BLOCK)
    for (size_t l = from; l < m; l += BLOCK)
      kernels->cross(VIEW(R + l + from * m, m, m - l, width(from, m)),
                     VIEW(R + l + l * m, m, m - l, width(l, m)), A + from + l * m, m);
  mirror(A, m);
  return 1;
}
