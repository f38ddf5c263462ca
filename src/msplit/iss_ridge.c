/* iss_ridge.c - see iss_ridge.h for the formulas and their names. */
#include "iss_ridge.h"

#include <math.h>
#include <string.h>

#include "blas.h"
#include "chol.h"
#include "kernels.h"
#include "scores.h"
#include "spd.h"

#define COLLINEAR 1e-13 /* a column is collinear if no larger share of its square is left */
/* Criteria are equal if they differ by no more, as a share of the errors, or per row for the log likelihood. */
#define TIE 1e-8
#define NARROW_SHARE .6 /* up to NARROW columns own_given() takes this share of its usual time */
#define SPECTRAL 12.0   /* cost of a spectral decomposition of order m, in units of m^3 flops */

enum { ROWS = 128, NARROW = 32 }; /* most rows of a block; columns too few for products by row */

static size_t rows_of_block(size_t n)
{
  return n < ROWS ? n : ROWS;
}

/* ---- set-up ---------------------------------------------------------------------------------- */

/* f (m) <- 1/(n + nu D). */
static double *shrunk(const iss_ridge *s, double nu, double *f)
{
  for (size_t l = 0; l < s->m; l++) f[l] = 1 / (s->rows->count + nu * s->value[l]);
  return f;
}

/* s->left <- E_ii of the empty support at every nu, from the squares of T. */
static void empty_left(iss_ridge *s)
{
  const iss_data *r = s->rows;
  const size_t n = r->n, m = s->m, most = rows_of_block(n);
  const double N = (double)n;
  double *f = ROOM(m * s->n_nu, double), *square = ROOM(m * most, double);
  for (size_t k = 0; k < s->n_nu; k++) shrunk(s, s->nu[k], f + k * m);
  for (size_t from = 0; from < n; from += most) {
    const size_t count = n - from < most ? n - from : most;
    for (size_t i = 0; i < m * count; i++)
      square[i] = s->turned[from * m + i] * s->turned[from * m + i];
    kernels->cross(COLUMNS(square, m, count), COLUMNS(f, m, s->n_nu), s->left + from, n);
  }
  for (size_t k = 0; k < s->n_nu; k++)
    for (size_t i = 0; i < n; i++) {
      double *left = s->left + i + k * n;
      if (!s->wide) *left = (1 - s->nu[k] * *left) / N;
      const double taken = iss_taken(r, i) / N;
      *left = *left > taken * (1 + ISS_NO_LEFT) ? *left - taken : 0;
    }
}

/* column <- the columns in `count` rows from row `from` on: those of x, or, where x is not standardised, the
 * standardised ones, written to `part` (count x d). work: count. */
static void block_columns(const iss_data *r, size_t from, size_t count, double *part, double *work,
                          const double **column)
{
  for (size_t i = 0; r->center && r->weight && i < count; i++) work[i] = sqrt(r->weight[from + i]);
  for (size_t j = 0; j < r->d; j++) {
    const double *x = r->x + from + j * r->n;
    column[j] = r->center ? part + j * count : x;
    if (!r->center) continue;
    double *to = part + j * count;
    kernels->scaled(x, r->center[j], r->scale[j] > 0 ? 1 / r->scale[j] : 0, count, to);
    for (size_t i = 0; r->weight && i < count; i++) to[i] *= work[i];
  }
}

/* to (d x count) <- the transpose of the columns. */
static void turn_block(const double *const *column, size_t d, size_t count, double *to)
{
  for (size_t j = 0; j < d; j++)
    for (size_t i = 0; i < count; i++) to[j + i * d] = column[j][i];
}

/* s->turned <- T' = U'X' (tall). */
static void rotate(iss_ridge *s)
{
  const size_t n = s->rows->n, m = s->m, most = rows_of_block(n);
  double *part = ROOM((2 * m + 1) * most, double), *turned = part + m * most;
  const double **column = ROOM(m, const double *);
  for (size_t from = 0; from < n; from += most) {
    const size_t count = n - from < most ? n - from : most;
    block_columns(s->rows, from, count, part, turned + m * most, column);
    turn_block(column, m, count, turned);
    kernels->cross(COLUMNS(s->vector, m, m), COLUMNS(turned, m, count), s->turned + from * m, m);
  }
}

status iss_ridge_ready(iss_ridge *s, size_t count, size_t columns)
{
  const int wide = s->wide;
  const size_t n = s->rows->n, m = s->m = wide ? n : s->rows->d;
  const double N = (double)n, M = (double)m, K = (double)count, nus = (double)s->n_nu;
  const double shared = SPECTRAL * M * M * M + N * M * M + nus * N * M * (1 + K + (double)columns);
  const double own = K * (SPECTRAL * M * M * M + N * M * M + 2 * nus * N * M);
  const int has_rows = s->rows->x != NULL;
  s->shared = wide || !has_rows || shared <= (m > NARROW ? own : NARROW_SHARE * own);
  s->value = ROOM(m, double);
  s->vector = ROOM(m * m, double);
  if (!s->shared) return STATUS_OK;
  double *copy = ROOM(m * m, double);
  memcpy(copy, s->gram, m * m * sizeof(double));
  if (!blas_eigen(copy, m, s->value, s->vector)) return STATUS_NOT_FINITE;
  if (!has_rows) return STATUS_OK;
  s->turned = ROOM(m * n, double);
  if (wide)
    turn(s->vector, n, n, s->turned);
  else
    rotate(s);
  s->left = ROOM(n * s->n_nu, double);
  empty_left(s);
  return STATUS_OK;
}

/* ---- leave-one-out --------------------------------------------------------------------------- */

typedef struct {
  double errors, trace, squares; /* sums of (e_i / E_ii)^2, E_ii and e_i^2 */
  double rows;                   /* number of rows that can be left out */
} sums;

/* Adds a row. It cannot be left out if a column of the support, or a kept column (all = 0), is zero in all other
 * rows. */
static void add_row(sums *s, double e, double left, double all)
{
  if (all > 0 && left > ISS_NO_LEFT * all) {
    s->errors += e * e / (left * left);
    s->rows++;
  }
  s->trace += left;
  s->squares += e * e;
}

/* The number of the first value that is at most share * least + slack above the least value; 0 if all are NAN. */
static size_t first_least(const double *value, size_t count, double share, double slack)
{
  double least = INFINITY;
  size_t k = 0;
  for (size_t i = 0; i < count; i++)
    if (value[i] < least) least = value[i];
  while (k < count && !(value[k] <= least + share * least + slack)) k++;
  return k < count ? k : 0;
}

/* Finds the first nu of the least leave-one-out error, and its results; returns its number. */
static size_t best_of(const iss_ridge *s, const sums *sum, iss_ridge_worth *worth)
{
  const double n = (double)s->rows->n;
  for (size_t k = 0; k < s->n_nu; k++)
    worth->along[k] = sum[k].rows > 0 ? sum[k].errors / sum[k].rows : NAN;
  const size_t best = first_least(worth->along, s->n_nu, TIE, 0);
  worth->nu = s->nu[best];
  worth->loo = worth->along[best];
  worth->df = n - n * sum[best].trace;
  worth->loss = n * sum[best].squares;
  return best;
}

/* ---- shared form ----------------------------------------------------------------------------- */

/* A support P of k columns: Z (m x k); side (m): U'X'y, or in the wide form T'y; the other arrays are computed by
 * shared_columns() for one nu. */
typedef struct {
  const int *P;
  size_t k;
  double *Z, *side, *B, *a, *gamma, *weighted;
  double explained; /* |L^-1 c_P|^2 */
  chol_factor A;
} support;

/* B <- [f Z L'^-1, b] (m x (k + 1)), with v = TB_1..k and e = Tb (wide) or e = y/n - Tb (tall); gamma (k). Returns 0 if
 * A_PP is singular. */
static int shared_columns(const iss_ridge *s, double nu, support *p)
{
  const size_t m = s->m, k = p->k;
  const double *Z = p->Z, *side = p->side;
  double *B = p->B, *gamma = p->gamma;
  double *f = shrunk(s, nu, B + k * m);
  p->A.k = 0;
  for (size_t c = 0; c < k; c++) {
    double *b = B + c * m;
    for (size_t l = 0; l < m; l++) b[l] = f[l] * Z[l + c * m];
    gamma[c] = dot(b, side, m);
    if (!s->wide)
      for (size_t l = 0; l < m; l++) p->weighted[l] = b[l] * s->value[l];
    for (size_t r = 0; r <= c; r++) p->a[r] = dot(Z + r * m, s->wide ? b : p->weighted, m);
    if (!chol_append(&p->A, p->a, p->a[c], NULL, COLLINEAR * p->a[c])) return 0;
  }
  spd_rows(p->A.L, p->A.ld, k, B, m);
  chol_forward(&p->A, gamma);
  p->explained = dot(gamma, gamma, k);
  const double scale = s->wide ? 1 : nu / s->rows->count, sign = s->wide ? -1 : 1;
  for (size_t l = 0; l < m; l++) f[l] *= scale * side[l];
  for (size_t r = 0; r < k; r++) kernels->axpy(sign * gamma[r], B + r * m, m, f);
  chol_backward(&p->A, gamma);
  return 1;
}

/* dense <- the dense estimator: nu X'e, and gamma on the support. */
static void shared_dense(const iss_ridge *s, double nu, const support *p, double *dense)
{
  const size_t n = s->rows->n, d = s->rows->d, m = s->m, k = p->k;
  double *e = ALLOC(n, double);
  for (size_t l = 0; l < m; l++) {
    double left = p->side[l];
    for (size_t r = 0; r < k; r++)
      left -= (s->wide ? 1 : s->value[l]) * p->Z[l + r * m] * p->gamma[r];
    left *= nu / (s->rows->count + nu * s->value[l]);
    if (s->wide)
      kernels->axpy(left, s->vector + l * m, n, e);
    else
      kernels->axpy(left, s->vector + l * m, d, dense);
  }
  if (s->wide) kernels->dots(COLUMNS(s->rows->x, n, d), NULL, e, dense);
  for (size_t r = 0; r < k; r++) dense[p->P[r]] = p->gamma[r];
}

/* Chooses the nu of the least leave-one-out error; its df and loss. */
static void shared_by_rows(const iss_ridge *s, const double *y, support *p, iss_ridge_worth *worth)
{
  const size_t n = s->rows->n, m = s->m, k = p->k, most = rows_of_block(n);
  double *out = ROOM(most * (k + 1), double);
  sums *sum = ALLOC(s->n_nu, sums);
  for (size_t q = 0; q < s->n_nu; q++) {
    if (!shared_columns(s, s->nu[q], p)) continue;
    for (size_t from = 0; from < n; from += most) {
      const size_t count = n - from < most ? n - from : most;
      kernels->cross(COLUMNS(s->turned + from * m, m, count), COLUMNS(p->B, m, k + 1), out, most);
      for (size_t i = 0; i < count; i++) {
        const double all = s->left[from + i + q * n], last = out[i + k * most];
        double left = all;
        for (size_t c = 0; c < k; c++) left -= out[i + c * most] * out[i + c * most];
        add_row(sum + q, s->wide ? last : y[from + i] / (double)n - last, left, all);
      }
    }
  }
  best_of(s, sum, worth);
}

/* reml, after shared_columns(). */
static double reml_of(const iss_ridge *s, double nu, const support *p)
{
  const double N = s->rows->count, left = N - iss_fixed(s->rows) - (double)p->k;
  double logdet = 0, weak = 0;
  for (size_t l = 0; l < s->m; l++) {
    logdet += log1p(nu * s->value[l] / N);
    weak += p->side[l] * p->side[l] / (N + nu * s->value[l]);
  }
  for (size_t r = 0; r < p->k; r++) logdet += 2 * log(p->A.L[r + r * p->A.ld]);
  return logdet + left * log(fmax((s->rows->yy[0] - nu * weak) / N - p->explained, 0));
}

/* Chooses the first nu of the largest restricted likelihood. */
static void shared_by_moments(const iss_ridge *s, support *p, iss_ridge_worth *worth)
{
  double *value = ALLOC(s->n_nu, double);
  for (size_t q = 0; q < s->n_nu; q++) {
    value[q] = shared_columns(s, s->nu[q], p) ? reml_of(s, s->nu[q], p) : NAN;
    worth->along[q] = NAN;
  }
  worth->nu = s->nu[first_least(value, s->n_nu, 0, TIE * s->rows->count)];
  worth->loo = NAN;
}

/* df and loss from moments, after shared_columns() and shared_dense(). */
static void worth_by_moments(const iss_ridge *s, const support *p, iss_ridge_worth *worth)
{
  const iss_data *r = s->rows;
  const size_t d = r->d;
  double trace = 0, square = r->yy[0];
  worth->df = iss_fixed(r);
  for (size_t l = 0; l < s->m; l++) {
    const double D = s->value[l];
    worth->df += worth->nu * D / (r->count + worth->nu * D);
    for (size_t c = 0; c < p->k; c++) trace += D * p->B[l + c * s->m] * p->B[l + c * s->m];
  }
  worth->df += r->count * trace;
  for (size_t j = 0; j < d; j++)
    square += worth->dense[j] * (dot(s->gram + j * d, worth->dense, d) - 2 * r->b[j]);
  worth->loss = square / r->count;
}

static void shared_given(iss_ridge *s, const double *y, const int *P, size_t k,
                         iss_ridge_worth *worth)
{
  const iss_data *r = s->rows;
  const size_t n = r->n, m = s->m, wide = (size_t)s->wide;
  double *Z = ROOM(m * (k + 1), double);
  support p = {.P = P, .k = k, .Z = Z, .side = Z + m * k, .A = chol_new(k, 0)};
  p.B = ROOM(m * (k + 1), double);
  p.a = ROOM(k + 1, double);
  p.gamma = ROOM(k + 1, double);
  p.weighted = ROOM(m, double);
  for (size_t c = 0; c < k; c++)
    if (wide)
      kernels->dots(COLUMNS(s->vector, n, m), NULL, r->x + (size_t)P[c] * n, Z + c * m);
    else
      for (size_t l = 0; l < m; l++) Z[l + c * m] = s->vector[(size_t)P[c] + l * m];
  const double *from = wide ? y : r->b; /* tall: X'y */
  if (!from) {
    double *b = ROOM(m, double);
    kernels->dots(COLUMNS(r->x, n, m), NULL, y, b);
    from = b;
  }
  kernels->dots(COLUMNS(s->vector, m, m), NULL, from, p.side);
  if (r->x)
    shared_by_rows(s, y, &p, worth);
  else
    shared_by_moments(s, &p, worth);
  memset(worth->dense, 0, r->d * sizeof(double));
  if (!shared_columns(s, worth->nu, &p)) {
    worth->df = worth->loss = NAN;
    return;
  }
  shared_dense(s, worth->nu, &p, worth->dense);
  if (!r->x) worth_by_moments(s, &p, worth);
}

/* ---- own form -------------------------------------------------------------------------------- */

/* M (d x d) <- the matrix for which the columns of XM are an orthonormal basis of X_P, and then the principal
 * components of the residuals of the other columns on X_P, with squared lengths s->value. Returns 0 if X_P is
 * singular. */
static int own_columns(iss_ridge *s, const int *P, size_t k, double *M)
{
  const size_t d = s->m, rest = d - k;
  const double *G = s->gram;
  chol_factor A = chol_new(k, 0);
  double *a = ROOM(k + 1, double), *H = ROOM(rest * rest + 1, double);
  double *W = ROOM(k * rest + 1, double);
  int *R = ALLOC(d + 1, int);
  char *in = ALLOC(d, char);
  for (size_t c = 0; c < k; c++) in[P[c]] = 1;
  for (size_t j = 0, at = 0; j < d; j++)
    if (!in[j]) R[at++] = (int)j;
  for (size_t c = 0; c < k; c++) {
    for (size_t r = 0; r <= c; r++) a[r] = G[(size_t)P[r] + (size_t)P[c] * d];
    if (!chol_append(&A, a, a[c], NULL, COLLINEAR * a[c])) return 0;
  }
  for (size_t c = 0; c < rest; c++) {
    for (size_t r = 0; r < k; r++) W[r + c * k] = G[(size_t)P[r] + (size_t)R[c] * d];
    chol_forward(&A, W + c * k);
  }
  for (size_t c = 0; c < rest; c++)
    for (size_t r = c; r < rest; r++)
      H[r + c * rest] = G[(size_t)R[r] + (size_t)R[c] * d] - dot(W + r * k, W + c * k, k);
  if (rest && !blas_eigen(H, rest, s->value, s->vector)) return 0;
  memset(M, 0, d * d * sizeof(double));
  double *column = ROOM(k + 1, double);
  for (size_t c = 0; c < k; c++) { /* L'^-1, column c */
    memset(column, 0, k * sizeof(double));
    column[c] = 1;
    chol_backward(&A, column);
    for (size_t r = 0; r < k; r++) M[(size_t)P[r] + c * d] = column[r];
  }
  for (size_t c = 0; c < rest; c++) {
    const double *u = s->vector + c * rest;
    double *to = M + (k + c) * d;
    memset(column, 0, (k + 1) * sizeof(double));
    for (size_t r = 0; r < rest; r++) {
      to[R[r]] = u[r];
      if (k) kernels->axpy(-u[r], W + r * k, k, column);
    }
    chol_backward(&A, column);
    for (size_t r = 0; r < k; r++) to[P[r]] = column[r];
  }
  return 1;
}

/* to <- sum_l a_l column_l over d columns of `count` numbers. */
static void weighted_sum(const double *const *column, const double *a, size_t d, size_t count,
                         double *to)
{
  memset(to, 0, count * sizeof(double));
  kernels->combine(column, a, d, count, to);
}

static void own_given(iss_ridge *s, const double *y, const int *P, size_t k, iss_ridge_worth *worth)
{
  const iss_data *r = s->rows;
  const size_t n = r->n, d = s->m, nus = s->n_nu, most = rows_of_block(n);
  const double N = (double)n;
  double *part = ROOM(2 * d * most, double), *turned = part + d * most, *M = ROOM(d * d, double);
  double *S = ROOM(2 * d * most, double), *square = S + d * most;
  double *share = ROOM(2 * d * nus, double), *g = share + d * nus;
  double *all = ROOM(3 * most, double), *h = all + most, *fitted = h + most;
  double *b = ROOM(2 * d, double), *side = b + d;
  const double **of_x = ROOM(3 * d, const double *), **of_S = of_x + d, **of_square = of_S + d;
  sums *sum = ALLOC(nus, sums);
  memset(worth->dense, 0, d * sizeof(double));
  if (!own_columns(s, P, k, M)) {
    worth->nu = s->nu[0];
    worth->loo = worth->df = worth->loss = NAN;
    for (size_t q = 0; q < nus; q++) worth->along[q] = NAN;
    return;
  }
  if (r->b)
    memcpy(b, r->b, d * sizeof(double));
  else
    kernels->dots(COLUMNS(r->x, n, d), NULL, y, b);
  kernels->dots(COLUMNS(M, d, d), NULL, b, side);
  for (size_t q = 0; q < nus; q++)
    for (size_t l = 0; l < d; l++) {
      const double value = l < k ? 1 : fmax(s->value[l - k], 0) + N / s->nu[q];
      share[l + q * d] = 1 / value;
      g[l + q * d] = side[l] / value;
    }
  for (size_t l = 0; l < d; l++) {
    of_S[l] = S + l * most;
    of_square[l] = square + l * most;
  }
  for (size_t from = 0; from < n; from += most) {
    const size_t count = n - from < most ? n - from : most;
    block_columns(r, from, count, part, h, of_x);
    if (d <= NARROW) {
      for (size_t l = 0; l < d; l++) weighted_sum(of_x, M + l * d, d, count, S + l * most);
    } else {
      turn_block(of_x, d, count, turned);
      kernels->cross(COLUMNS(turned, d, count), COLUMNS(M, d, d), S, most);
    }
    for (size_t l = 0; l < d; l++)
      for (size_t i = l * most; i < l * most + count; i++) square[i] = S[i] * S[i];
    for (size_t i = 0; i < count; i++) {
      const double taken = iss_taken(r, from + i);
      all[i] = taken < 1 - ISS_NO_LEFT ? 1 - taken : 0;
    }
    for (size_t q = 0; q < nus; q++) {
      weighted_sum(of_square, share + q * d, d, count, h);
      weighted_sum(of_S, g + q * d, d, count, fitted);
      for (size_t i = 0; i < count; i++)
        add_row(sum + q, y[from + i] - fitted[i], all[i] - h[i], all[i]);
    }
  }
  for (size_t q = 0; q < nus; q++) { /* the sums are of n e and n E_ii */
    sum[q].trace /= N;
    sum[q].squares /= N * N;
  }
  const size_t best = best_of(s, sum, worth);
  for (size_t l = 0; l < d; l++) kernels->axpy(g[l + best * d], M + l * d, d, worth->dense);
}

void iss_ridge_given(iss_ridge *s, const double *y, const int *P, size_t k, iss_ridge_worth *worth)
{
  port_poll();
  if (s->shared)
    shared_given(s, y, P, k, worth);
  else
    own_given(s, y, P, k, worth);
}
