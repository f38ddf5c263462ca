/* form.c - see form.h. */
#include "form.h"

#include <math.h>
#include <string.h>

#include "kernels.h"
#include "spd.h"

/* Adds H_t and g_t of domain t, columns multiplied by sqrt(c), to the coordinates first, first + T, ... of the form. */
static void add_domain(const form_parts *parts, int t, size_t T, size_t first, quadratic_form *out)
{
  const size_t p = parts->domains->p, N = out->N;
  const double *H = parts->domains->H[t], *g = parts->domains->g[t], *c = parts->scale;
  for (size_t j = 0; j < p; j++) {
    double *column = out->A + (j * T + first) * N + first;
    for (size_t i = 0; i < p; i++) column[i * T] += H[i + j * p] * sqrt(c[i] * c[j]);
    out->b[j * T + first] += g[j] * sqrt(c[j]);
  }
  if (parts->yy) out->c0 += parts->yy[t];
}

/* K (T x T) <- K_i of feature i. */
static void coupling_of(const form_parts *parts, size_t i, double *K)
{
  const size_t p = parts->domains->p, T = (size_t)parts->domains->T;
  if (!parts->variances) {
    const double half = parts->coupling[i] / 2;
    for (size_t k = 0; k < T * T; k++) K[k] = ((k % (T + 1) == 0) - 1. / (double)T) * half;
    return;
  }
  const double *own = parts->variances->own + i, common = parts->variances->common[i];
  double sum = 0;
  for (size_t t = 0; t < T; t++) sum += 1 / own[t * p];
  const double shared = common / (1 + common * sum);
  for (size_t t = 0; t < T; t++) {
    for (size_t s = 0; s < T; s++) K[s + t * T] = -shared / own[t * p] / own[s * p];
    K[t + t * T] += 1 / own[t * p];
  }
}

static void clear(quadratic_form *form)
{
  memset(form->A, 0, form->N * form->N * sizeof(double));
  memset(form->b, 0, form->N * sizeof(double));
  form->c0 = 0;
}

void form_of_all(const form_parts *parts, quadratic_form *out)
{
  const size_t p = parts->domains->p, T = (size_t)parts->domains->T, N = out->N;
  double *K = ALLOC(T * T, double);
  clear(out);
  for (size_t t = 0; t < T; t++) add_domain(parts, (int)t, T, t, out);
  for (size_t i = 0; i < p && T > 1; i++) {
    double *block = out->A + i * T * (N + 1);
    coupling_of(parts, i, K);
    for (size_t t = 0; t < T; t++)
      for (size_t s = 0; s < T; s++) block[s + t * N] += K[s + t * T];
  }
}

void form_of_target(const form_parts *parts, const borrow_posterior *others, quadratic_form *out)
{
  const size_t p = parts->domains->p;
  clear(out);
  add_domain(parts, 0, 1, 0, out);
  for (size_t k = 0; k < p * p; k++) out->A[k] += others->P[k];
  for (size_t j = 0; j < p; j++) out->b[j] += others->m[j];
  out->c0 += others->c0;
}

status form_of_some(const quadratic_form *whole, size_t step, quadratic_form *out)
{
  const size_t N = whole->N, k = out->N, r = N - k;
  size_t *stay = ALLOC(k, size_t), *go = ALLOC(r, size_t), kept = 0, gone = 0;
  for (size_t i = 0; i < N; i++) {
    if (kept < k && i % step == 0)
      stay[kept++] = i;
    else
      go[gone++] = i;
  }
  double *U = ROOM(r * r, double), *X = ROOM(r * (k + 1), double);
  double *const last = X + r * k; /* b_R, and before it A_RS */
  for (size_t j = 0; j < r; j++) {
    for (size_t i = 0; i < r; i++) U[i + j * r] = whole->A[go[i] + go[j] * N];
    last[j] = whole->b[go[j]];
  }
  for (size_t j = 0; j < k; j++)
    for (size_t i = 0; i < r; i++) X[i + j * r] = whole->A[go[i] + stay[j] * N];
  double *rest = ROOM(8 * (r > k + 1 ? r : k + 1), double);
  if (!spd_factor(U, r, rest)) return STATUS_SINGULAR;
  spd_forward(U, r, X, k + 1, rest);
  kernels->gram(COLUMNS(X, r, k), out->A);
  kernels->dots(COLUMNS(X, r, k), NULL, last, out->b);
  for (size_t j = 0; j < k; j++) {
    for (size_t i = 0; i < k; i++)
      out->A[i + j * k] = whole->A[stay[i] + stay[j] * N] - out->A[i + j * k];
    out->b[j] = whole->b[stay[j]] - out->b[j];
  }
  out->c0 = whole->c0 - kernels->dot(last, last, r);
  return STATUS_OK;
}

status form_coefficients(const quadratic_form *all, int T, double *coef)
{
  const size_t N = all->N, p = N / (size_t)T;
  double *U = ROOM(N * N, double), *x = ROOM(N, double);
  memcpy(U, all->A, N * N * sizeof(double));
  memcpy(x, all->b, N * sizeof(double));
  if (!spd_solve(U, N, x, 1, ROOM(8 * N, double))) return STATUS_SINGULAR;
  for (size_t i = 0; i < p; i++)
    for (size_t t = 0; t < (size_t)T; t++) coef[i + t * p] = x[i * (size_t)T + t];
  return STATUS_OK;
}

status form_penalties(const quadratic_form *form, const double *prior, double k, double *pen)
{
  const size_t N = form->N;
  double *inverse = ROOM(N * N, double), log_det;
  memcpy(inverse, form->A, N * N * sizeof(double));
  if (!spd_inverse(inverse, N, ROOM(N * (N + 8), double), &log_det)) return STATUS_SINGULAR;
  for (size_t i = 0; i < N; i++) {
    const double h = fmin(fmax(1 - inverse[i * (N + 1)] / prior[i], 1e-6), 1);
    pen[i] = k * h / (2 - h);
  }
  return STATUS_OK;
}
