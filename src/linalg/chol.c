/* chol.c - see chol.h. */
#include "chol.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels.h"
#include "port.h"

enum { BLOCK = 32 }; /* how many coefficients chol_next_row() negates at a time */

chol_factor chol_new(size_t most, size_t m)
{
  return (chol_factor){.most = most, .m = m};
}

static void grow(chol_factor *f)
{
  const size_t twice = f->ld ? 2 * f->ld : 128, ld = twice < f->most ? twice : f->most;
  double *L = ROOM(ld * ld, double), *B = f->m ? ROOM(ld * f->m, double) : NULL;
  for (size_t r = 0; r < f->k; r++) memcpy(L + r * ld, f->L + r * f->ld, (r + 1) * sizeof(double));
  if (f->k && f->m) memcpy(B, f->B, f->k * f->m * sizeof(double));
  f->column = ROOM(ld, const double *);
  f->ld = ld;
  f->L = L;
  f->B = B;
}

/* a <- L^-1 a; returns the squared pivot that the column would have. */
static double squared_pivot(chol_factor *f, double *a, double own)
{
  if (f->k == f->ld) grow(f);
  chol_forward(f, a);
  return own - dot(a, a, f->k);
}

static void append_row(chol_factor *f, const double *a, double pivot)
{
  double *row = f->L + f->k * f->ld;
  memcpy(row, a, f->k * sizeof(double));
  row[f->k++] = pivot;
}

int chol_append_raised(chol_factor *f, double *a, double own, double least)
{
  const double left = squared_pivot(f, a, own);
  append_row(f, a, sqrt(left >= least ? left : least));
  return !(left >= least && left <= DBL_MAX);
}

int chol_append(chol_factor *f, double *a, double own, const double *u, double least)
{
  const size_t k = f->k;
  const double left = squared_pivot(f, a, own);
  if (!(left > least)) return 0;
  append_row(f, a, sqrt(left));
  if (!f->m) return 1;
  double *b = f->B + k * f->m;
  memcpy(b, u, f->m * sizeof(double));
  for (size_t r = 0; r < k; r++) f->column[r] = f->B + r * f->m;
  chol_next_row(f->L + k * f->ld, k, f->column, f->m, b);
  return 1;
}

/* Applies the Givens rotation (c, s) to p and q, of n numbers `stride` apart. */
static void rotate(double *p, double *q, size_t n, size_t stride, double c, double s)
{
  for (size_t i = 0; i < n * stride; i += stride) {
    const double a = p[i], b = q[i];
    p[i] = c * a + s * b;
    q[i] = c * b - s * a;
  }
}

void chol_delete(chol_factor *f, size_t i)
{
  const size_t ld = f->ld, k = f->k;
  for (size_t r = i; r + 1 < k; r++)
    memcpy(f->L + r * ld, f->L + (r + 1) * ld, (r + 2) * sizeof(double));
  for (size_t r = i; r + 1 < k; r++) {
    double *row = f->L + r * ld + r;
    const double h = hypot(row[0], row[1]);
    if (!(h > 0)) continue;
    const double c = row[0] / h, s = row[1] / h;
    rotate(row, row + 1, k - 1 - r, ld, c, s);
    rotate(f->B + r * f->m, f->B + (r + 1) * f->m, f->m, 1, c, s);
  }
  f->k--;
}

void chol_forward(const chol_factor *f, double *x)
{
  kernels->lower(f->L, f->ld, f->k, x);
}

void chol_backward(const chol_factor *f, double *x)
{
  kernels->upper(f->L, f->ld, f->k, x);
}

void chol_next_row(const double *l, size_t k, const double *const *X, size_t n, double *x)
{
  double minus[BLOCK];
  for (size_t from = 0; from < k; from += BLOCK) {
    const size_t count = k - from < BLOCK ? k - from : BLOCK;
    for (size_t r = 0; r < count; r++) minus[r] = -l[from + r];
    kernels->combine(X + from, minus, count, n, x);
  }
  kernels->scaled(x, 0, 1 / l[k], n, x);
}

void chol_backward_rows(double *const *L, size_t k, double *x)
{
  while (k-- > 0) {
    x[k] /= L[k][k];
    kernels->axpy(-x[k], L[k], k, x);
  }
}
