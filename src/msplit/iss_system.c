/* iss_system.c - see iss_system.h. */
#include "iss_system.h"

#include <math.h>
#include <string.h>

#include "kernels.h"
#include "scores.h"
#include "spd.h"

#define SMALL_NU 1e-3 /* up to this nu times mean diagonal of X'X/n A is computed as a product */

/* The inverses have a relative error of the order of (1 + nu trace(X'X)/n) DBL_EPSILON: `near` is NEAR times the first
 * factor, at most MOST_NEAR. */
#define NEAR 1e-7
#define MOST_NEAR 1e-2

enum { TOGETHER = 128, SOME = 512 }; /* responses, or columns, of a block */

const double *iss_turned(iss_data *r)
{
  if (!r->turned) {
    r->turned = ROOM(r->n * r->d, double);
    turn(r->x, r->n, r->d, r->turned);
  }
  return r->turned;
}

/* out <- XX', from blocks of columns, each of which is transposed. */
static void gram_of_rows(const iss_data *r, double *out)
{
  const size_t n = r->n, most = r->d < SOME ? r->d : SOME;
  double *turned = ROOM(n * most, double), *part = ROOM(n * n, double);
  memset(out, 0, n * n * sizeof(double));
  for (size_t from = 0; from < r->d; from += most) {
    const size_t count = r->d - from < most ? r->d - from : most;
    turn(r->x + from * n, n, count, turned);
    kernels->gram(COLUMNS(turned, count, n), part);
    kernels->axpy(1, part, n * n, out);
  }
}

double *iss_gram(const iss_data *r, int wide)
{
  const size_t n = r->n, d = r->d, m = wide ? n : d;
  double *out = ROOM(m * m, double);
  if (wide)
    gram_of_rows(r, out);
  else
    kernels->gram(COLUMNS(r->x, n, d), out);
  return out;
}

/* s->inverse <- (scale G + shift I)^-1, and the log determinant. work: m (m + 8). */
static status invert(iss_system *s, const double *gram, size_t m, double scale, double shift,
                     double *work)
{
  for (size_t k = 0; k < m * m; k++) s->inverse[k] = scale * gram[k];
  for (size_t i = 0; i < m; i++) s->inverse[i + i * m] += shift;
  return spd_inverse(s->inverse, m, work, &s->logdet) ? STATUS_OK : STATUS_NOT_FINITE;
}

int iss_system_careful(iss_system *s)
{
  const size_t d = s->rows->d;
  if (s->wide || s->product) return 0;
  const double scale = .5 / s->rows->count;
  double *half = ROOM(d * d, double);
  kernels->cross(COLUMNS(s->inverse, d, d), COLUMNS(s->gram, d, d), half, d);
  for (size_t j = 0; j < d; j++)
    for (size_t i = 0; i < d; i++) s->A[i + j * d] = scale * (half[i + j * d] + half[j + i * d]);
  s->product = 1;
  return 1;
}

/* Computes A of the tall form. */
static void quadratic(iss_system *s, double trace)
{
  const size_t d = s->rows->d;
  if (s->nu * trace <= SMALL_NU * (double)d) {
    iss_system_careful(s);
    return;
  }
  const double scale = -1 / s->nu;
  for (size_t k = 0; k < d * d; k++) s->A[k] = scale * s->inverse[k];
  for (size_t j = 0; j < d; j++) s->A[j + j * d] -= scale;
}

/* Computes u of all columns in the tall form: n u = X W^-1. */
static void all_u(iss_system *s)
{
  const size_t n = s->rows->n, d = s->rows->d;
  double *U = ROOM(n * d, double);
  kernels->cross(COLUMNS(iss_turned(s->rows), d, n), COLUMNS(s->inverse, d, d), U, n);
  const double share = 1 / s->rows->count;
  for (size_t k = 0; k < n * d; k++) U[k] *= share;
  for (size_t j = 0; j < d; j++) s->u[j] = U + j * n;
}

double iss_taken(const iss_data *r, size_t i)
{
  double square = r->intercept ? 1 : 0;
  for (size_t j = 0; j < r->n_kept; j++) square += r->kept[i + j * r->n] * r->kept[i + j * r->n];
  return square * (r->weight ? r->weight[i] : 1) / r->count;
}

/* s->left <- E_ii of the empty support: (V^-1)_ii less 1/n times the leverage of row i in intercept and kept columns; 0
 * where nothing is left. */
static void diagonal(iss_system *s)
{
  const iss_data *r = s->rows;
  const size_t n = r->n;
  const double N = r->count;
  if (s->wide)
    for (size_t i = 0; i < n; i++) s->left[i] = s->inverse[i + i * n];
  else {
    all_u(s);
    for (size_t i = 0; i < n; i++) s->left[i] = 1 / N;
    for (size_t j = 0; j < r->d; j++)
      for (size_t i = 0; i < n; i++) s->left[i] -= s->nu / N * s->u[j][i] * r->x[i + j * n];
  }
  for (size_t i = 0; i < n; i++) {
    const double taken = iss_taken(r, i) / N;
    s->left[i] = s->left[i] > taken * (1 + ISS_NO_LEFT) ? s->left[i] - taken : 0;
  }
}

status iss_system_new(iss_data *rows, const double *gram, double nu, int wide, int loo,
                      iss_system *s)
{
  const size_t n = rows->n, d = rows->d, m = wide ? n : d;
  *s = (iss_system){.rows = rows, .nu = nu, .wide = wide, .gram = gram};
  s->inverse = ROOM(m * m, double);
  s->u = ALLOC(d, double *);
  const double N = rows->count;
  double *work = ROOM(m * (m + 8), double); /* later A of the tall form */
  const status state = wide ? invert(s, gram, m, nu, N, work) : invert(s, gram, m, nu / N, 1, work);
  if (state != STATUS_OK) return state;
  double trace = 0;
  for (size_t i = 0; i < m; i++) trace += gram[i + i * m] / N;
  s->near = fmin(MOST_NEAR, NEAR * (1 + nu * trace));
  if (!wide) {
    s->logdet += N * log(N);
    s->A = work;
    quadratic(s, trace);
  }
  if (loo) {
    s->left = ALLOC(n, double);
    diagonal(s);
  }
  return STATUS_OK;
}

/* Tall: c = W^-1 b/n, b = X'y (d x count), and with leave-one-out w = (y - nu Xc)/n. yy: y'y, or NULL to compute it
 * from y. */
static void tall_targets(const iss_system *s, const double *b, const double *yy, size_t count,
                         iss_target *t)
{
  const size_t n = s->rows->n, d = s->rows->d;
  const double N = s->rows->count;
  kernels->cross(COLUMNS(s->inverse, d, d), COLUMNS(b, d, count), t[0].c, d);
  if (s->left)
    kernels->cross(COLUMNS(iss_turned(s->rows), d, n), COLUMNS(t[0].c, d, count), t[0].w, n);
  for (size_t r = 0; r < count; r++) {
    for (size_t j = 0; j < d; j++) t[r].c[j] /= N;
    const double square = yy ? yy[r] : dot(t[r].y, t[r].y, n);
    t[r].wy = (square - s->nu * dot(b + r * d, t[r].c, d)) / N;
    for (size_t i = 0; i < n && s->left; i++) t[r].w[i] = (t[r].y[i] - s->nu / N * t[r].w[i]) / N;
  }
}

/* Wide: w = V^-1 y, c = X'w. */
static void wide_targets(const iss_system *s, const double *y, size_t count, iss_target *t)
{
  const size_t n = s->rows->n, d = s->rows->d;
  kernels->cross(COLUMNS(s->inverse, n, n), COLUMNS(y, n, count), t[0].w, n);
  kernels->cross(COLUMNS(s->rows->x, n, d), COLUMNS(t[0].w, n, count), t[0].c, d);
  for (size_t r = 0; r < count; r++) t[r].wy = dot(t[r].w, t[r].y, n);
}

iss_target *iss_targets_new(const iss_system *s, const double *y, size_t q)
{
  const size_t n = s->rows->n, d = s->rows->d, together = q < TOGETHER ? q : TOGETHER;
  const int has_w = s->wide || s->left;
  iss_target *t = ALLOC(q, iss_target);
  double *c = ROOM(q * d, double), *w = has_w ? ROOM(q * n, double) : NULL;
  const iss_data *rows = s->rows;
  double *b = s->wide || !rows->x ? NULL : ROOM(together * d, double);
  for (size_t r = 0; r < q; r++)
    t[r] = (iss_target){.y = y ? y + r * n : NULL,
                        .b = rows->b ? rows->b + r * d : NULL,
                        .c = c + r * d,
                        .w = has_w ? w + r * n : NULL};
  for (size_t r = 0; r < q; r += TOGETHER) {
    const size_t count = q - r < TOGETHER ? q - r : TOGETHER;
    if (s->wide)
      wide_targets(s, y + r * n, count, t + r);
    else if (rows->x) {
      kernels->cross(COLUMNS(rows->x, n, d), COLUMNS(y + r * n, n, count), b, d);
      tall_targets(s, b, NULL, count, t + r);
    } else
      tall_targets(s, rows->b + r * d, rows->yy + r, count, t + r);
    port_poll();
  }
  for (size_t r = 0; r < q; r++)
    for (size_t j = 0; j < d; j++) t[r].largest = fmax(t[r].largest, fabs(t[r].c[j]));
  return t;
}

const double *iss_u(iss_system *s, size_t j)
{
  if (s->u[j]) return s->u[j];
  const size_t n = s->rows->n;
  double *u = s->u[j] = ALLOC(n, double);
  kernels->dots(COLUMNS(s->inverse, n, n), NULL, s->rows->x + j * n, u);
  return u;
}
