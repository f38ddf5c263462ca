/* spd.c - see spd.h. */
#include "spd.h"

#include <math.h>
#include <string.h>

#define SMALL 1e-100 /* the product of two numbers between SMALL and LARGE does not overflow */
#define LARGE 1e100

enum { BLOCK = 8 }; /* rows of a block: with 16 orders up to 100 take longer, order 500 as long */

static size_t width(size_t from, size_t m)
{
  return m - from < BLOCK ? m - from : BLOCK;
}

void spd_rows(const double *L, size_t ld, size_t k, double *X, size_t n)
{
  const double *row[BLOCK];
  double part[BLOCK];
  for (size_t i = 0; i < k; i++) {
    const double *l = L + i * ld, factor = 1 / l[i];
    double *x = X + i * n;
    for (size_t from = 0; from < i; from += BLOCK) {
      const size_t count = width(from, i);
      for (size_t r = 0; r < count; r++) {
        row[r] = X + (from + r) * n;
        part[r] = -l[from + r];
      }
      kernels->combine(row, part, count, n, x);
    }
    for (size_t c = 0; c < n; c++) x[c] *= factor;
  }
}

/* Factors the block on the diagonal, in place; returns 0 if it is not positive definite. */
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
    if (from) {
      kernels->cross(VIEW(A + from * m, m, from, all), VIEW(A + from * m, m, from, count), rest,
                     all);
      for (size_t l = 0; l < all; l++)
        for (size_t i = 0; i < count; i++) block[i + l * m] -= rest[l + i * all];
    }
    if (!factor_block(block, m, count)) return 0;
    for (size_t i = 0; i < count; i++)
      for (size_t l = 0; l < after; l++) rest[l + i * after] = block[i + (count + l) * m];
    spd_rows(block, m, count, rest, after);
    for (size_t l = 0; l < after; l++)
      for (size_t i = 0; i < count; i++) block[i + (count + l) * m] = rest[l + i * after];
  }
  return 1;
}

double spd_half_logdet(const double *U, size_t m)
{
  return spd_columns_half_logdet(U, m, m);
}

double spd_columns_half_logdet(const double *L, size_t m, size_t ld)
{
  double sum = 0, product = 1;
  for (size_t j = 0; j < m; j++) {
    const double u = L[j * (ld + 1)];
    if (!(u > SMALL && u < LARGE)) {
      sum += log(u);
      continue;
    }
    product *= u;
    if (product > SMALL && product < LARGE) continue;
    sum += log(product);
    product = 1;
  }
  return sum + log(product);
}

/* Copies the upper triangle to the lower. */
static void mirror(double *A, size_t m)
{
  for (size_t j = 0; j < m; j++)
    for (size_t i = 0; i < j; i++) A[j + i * m] = A[i + j * m];
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
    spd_rows(U + from + from * m, m, count, rest, columns);
    for (size_t l = 0; l < columns; l++)
      for (size_t i = 0; i < count; i++) X[from + i + l * m] = rest[l + i * columns];
  }
}

int spd_solve(double *A, size_t m, double *X, size_t columns, double *rest)
{
  if (!spd_factor(A, m, rest)) return 0;
  if (columns == 1)
    spd_lower(A, m, X);
  else
    spd_forward(A, m, X, columns, rest);
  for (size_t l = 0; l < columns; l++) spd_upper(A, m, X + l * m);
  return 1;
}

int spd_squares(double *A, size_t m, double *X, size_t columns, double *rest, double *square)
{
  if (!spd_factor(A, m, rest)) return 0;
  spd_forward(A, m, X, columns, rest);
  for (size_t l = 0; l < columns; l++) square[l] = dot(X + l * m, X + l * m, m);
  return 1;
}

/* R <- U'^-1, lower triangular, zero above the diagonal. `rest`: 8 m. */
static void lower_inverse(const double *U, size_t m, double *R, double *rest)
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
    spd_rows(U + from + from * m, m, count, rest, all);
    for (size_t l = 0; l < all; l++)
      for (size_t i = 0; i < count; i++) R[from + i + l * m] = rest[l + i * all];
  }
}

int spd_root(double *A, size_t m, double *R, double *rest, double *logdet)
{
  *logdet = 0;
  if (!spd_factor(A, m, rest)) return 0;
  *logdet = 2 * spd_half_logdet(A, m);
  lower_inverse(A, m, R, rest);
  return 1;
}

void spd_of_root(const double *R, size_t m, double *A)
{
  for (size_t from = 0; from < m; from += BLOCK)
    for (size_t l = from; l < m; l += BLOCK)
      kernels->cross(VIEW(R + l + from * m, m, m - l, width(from, m)),
                     VIEW(R + l + l * m, m, m - l, width(l, m)), A + from + l * m, m);
  mirror(A, m);
}

int spd_inverse(double *A, size_t m, double *work, double *logdet)
{
  if (!spd_root(A, m, work, work + m * m, logdet)) return 0;
  spd_of_root(work, m, A);
  return 1;
}

int spd_columns_factor(double *A, size_t m, size_t ld)
{
  const size_t all = spd_columns(m);
  for (size_t j = m; j < all; j++) { /* columns and rows of I */
    for (size_t k = 0; k < m; k++) A[j + k * ld] = 0;
    memset(A + j * ld, 0, ld * sizeof(double));
    A[j * (ld + 1)] = 1;
  }
  return kernels->factor(A, ld, all);
}

void spd_columns_backward(const double *L, size_t m, size_t ld, double *x)
{
  for (size_t j = m; j-- > 0;) {
    const double *l = L + j * (ld + 1);
    x[j] = (x[j] - dot(l + 1, x + j + 1, m - 1 - j)) / l[0];
  }
}
