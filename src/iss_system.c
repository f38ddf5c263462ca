/* iss_system.c - see iss_system.h. */
#include "iss_system.h"

#include <math.h>
#include <string.h>

#include "blas.h"
#include "kernels.h"

#define SMALL_NU 1e-3 /* nu times the mean diagonal of X'X/n below which A is a product */

/* The inverses have a relative error of the order of 1 + nu trace(X'X)/n times the machine's. */
#define NEAR 1e-7
#define MOST_NEAR 1e-2

double *iss_gram(const iss_rows *r, int wide)
{
  const size_t n = r->n, d = r->d, m = wide ? n : d;
  double *out = ROOM(m * m, double);
  if (!wide) {
    kernels->gram(r->x, n, n, d, out);
    return out;
  }
  double *turned = ROOM(n * d, double);
  const size_t step = 8; /* a cache line of both sides at a time */
  for (size_t j = 0; j < d; j += step)
    for (size_t i = 0; i < n; i++)
      for (size_t l = j; l < j + step && l < d; l++) turned[l + i * d] = r->x[i + l * n];
  kernels->gram(turned, d, d, n, out);
  return out;
}

/* scale G + shift I, factored and inverted; its log determinant. */
static status invert(const double *gram, size_t m, double scale, double shift, double *inverse,
                     double *logdet)
{
  for (size_t k = 0; k < m * m; k++) inverse[k] = scale * gram[k];
  for (size_t i = 0; i < m; i++) inverse[i + i * m] += shift;
  if (blas_chol(inverse, m) != 0) return STATUS_NOT_FINITE;
  *logdet = 0;
  for (size_t i = 0; i < m; i++) *logdet += 2 * log(inverse[i + i * m]);
  return blas_chol_inverse(inverse, m) == 0 ? STATUS_OK : STATUS_NOT_FINITE;
}

int iss_system_careful(iss_system *s)
{
  const size_t d = s->rows->d;
  if (s->wide || s->product) return 0;
  const double scale = .5 / (double)s->rows->n;
  double *half = ALLOC(d * d, double);
  for (size_t j = 0; j < d; j++)
    kernels->dots(s->inverse, d, d, NULL, s->gram + j * d, d, half + j * d);
  for (size_t j = 0; j < d; j++)
    for (size_t i = 0; i < d; i++) s->A[i + j * d] = scale * (half[i + j * d] + half[j + i * d]);
  s->product = 1;
  return 1;
}

/* A of the tall form. */
static void quadratic(iss_system *s, double trace)
{
  const size_t d = s->rows->d;
  if (s->nu * trace <= SMALL_NU * (double)d) {
    iss_system_careful(s);
    return;
  }
  for (size_t k = 0; k < d * d; k++) s->A[k] = -s->inverse[k] / s->nu;
  for (size_t j = 0; j < d; j++) s->A[j + j * d] += 1 / s->nu;
}

/* u of all columns, n u = X W^-1 (tall form). */
static void all_u(iss_system *s)
{
  const iss_rows *r = s->rows;
  const size_t n = r->n, d = r->d;
  double *U = ALLOC(n * d, double), *weight = ROOM(d, double);
  const double **column = ALLOC(d, const double *);
  for (size_t k = 0; k < d; k++) column[k] = r->x + k * n;
  for (size_t j = 0; j < d; j++) {
    s->u[j] = U + j * n;
    for (size_t k = 0; k < d; k++) weight[k] = s->inverse[k + j * d] / (double)n;
    kernels->combine(column, weight, d, n, s->u[j]);
  }
}

/* (V^-1)_ii, less what the intercept takes. */
static void diagonal(iss_system *s)
{
  const iss_rows *r = s->rows;
  const size_t n = r->n;
  const double N = (double)n;
  if (s->wide)
    for (size_t i = 0; i < n; i++) s->left[i] = s->inverse[i + i * n];
  else {
    all_u(s);
    for (size_t i = 0; i < n; i++) s->left[i] = 1 / N;
    for (size_t j = 0; j < r->d; j++)
      for (size_t i = 0; i < n; i++) s->left[i] -= s->nu / N * s->u[j][i] * r->x[i + j * n];
  }
  for (size_t i = 0; i < n && r->intercept; i++)
    s->left[i] -= (r->weight ? r->weight[i] : 1) / (N * N);
}

status iss_system_new(const iss_rows *rows, const double *gram, double nu, int wide, int loo,
                      iss_system *s)
{
  const size_t n = rows->n, d = rows->d, m = wide ? n : d;
  *s = (iss_system){.rows = rows, .nu = nu, .wide = wide, .gram = gram};
  s->inverse = ROOM(m * m, double);
  s->u = ALLOC(d, double *);
  const double N = (double)n;
  const status state = wide ? invert(gram, m, nu, N, s->inverse, &s->logdet)
                            : invert(gram, m, nu / N, 1, s->inverse, &s->logdet);
  if (state != STATUS_OK) return state;
  double trace = 0;
  for (size_t i = 0; i < m; i++) trace += gram[i + i * m] / N;
  s->near = fmin(MOST_NEAR, NEAR * (1 + nu * trace));
  if (!wide) {
    s->logdet += N * log(N);
    s->A = ROOM(d * d, double);
    quadratic(s, trace);
  }
  if (loo) {
    s->left = ALLOC(n, double);
    diagonal(s);
  }
  return STATUS_OK;
}

iss_target iss_target_new(const iss_system *s, const double *y)
{
  const iss_rows *r = s->rows;
  const size_t n = r->n, d = r->d;
  const double N = (double)n;
  iss_target t = {.y = y};
  t.c = ALLOC(d, double);
  if (s->wide) {
    t.w = ALLOC(n, double);
    kernels->dots(s->inverse, n, n, NULL, y, n, t.w);
    kernels->dots(r->x, n, d, NULL, t.w, n, t.c);
    t.wy = dot(t.w, y, n);
  } else {
    double *b = ALLOC(d, double);
    kernels->dots(r->x, n, d, NULL, y, n, b);
    kernels->dots(s->inverse, d, d, NULL, b, d, t.c);
    for (size_t j = 0; j < d; j++) t.c[j] /= N;
    t.wy = (dot(y, y, n) - s->nu * dot(b, t.c, d)) / N;
    if (s->left) {
      t.w = ALLOC(n, double);
      memcpy(t.w, y, n * sizeof(double));
      for (size_t j = 0; j < d; j++) kernels->axpy(-s->nu * t.c[j], r->x + j * n, n, t.w);
      for (size_t i = 0; i < n; i++) t.w[i] /= N;
    }
  }
  for (size_t j = 0; j < d; j++) t.largest = fmax(t.largest, fabs(t.c[j]));
  return t;
}

const double *iss_u(iss_system *s, size_t j)
{
  if (s->u[j]) return s->u[j];
  const size_t n = s->rows->n;
  double *u = s->u[j] = ALLOC(n, double);
  kernels->dots(s->inverse, n, n, NULL, s->rows->x + j * n, n, u);
  return u;
}
