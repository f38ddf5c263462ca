/* borrow_rows.c - see borrow_rows.h. */
#include "borrow_rows.h"

#include <math.h>
#include <string.h>

#include "kernels.h"
#include "spd.h"

enum { BLOCK = 64 }; /* columns of X at a time */

struct borrow_rows_work {
  size_t N, p;
  double *K, *V, *W; /* N x N: the kernel; V of the last evaluation; its factor, or V^-1 (borrow_rows_squares()) */
  double *R, *rest;  /* N x N, lower triangular, with V^-1 = R'R; 8 N */
  double *alpha;     /* N */
  double *q, *Rq;    /* N x (T + 2) */
  double *own;       /* n x n of the largest domain: its block of V^-1 */
  double *columns;   /* p x N: X' times sqrt(scale) */
  double *block;     /* N x BLOCK */
  double *vector;    /* N */
  double *square;    /* (T + 2)^2 */
  const double *scale;
};

static size_t rows_of(const borrow_rows *rows, int t)
{
  return rows->from[t + 1] - rows->from[t];
}

static size_t most_rows(const borrow_domains *domains)
{
  size_t most = 0;
  for (int t = 0; t < domains->T; t++)
    if (rows_of(domains->rows, t) > most) most = rows_of(domains->rows, t);
  return most;
}

borrow_rows_work *borrow_rows_work_new(const borrow_domains *domains)
{
  const borrow_rows *rows = domains->rows;
  const size_t N = rows->N, variances = (size_t)domains->T + 2, most = most_rows(domains);
  borrow_rows_work *w = ALLOC(1, borrow_rows_work);
  *w = (borrow_rows_work){.N = N, .p = domains->p - (size_t)domains->level};
  w->K = ALLOC(N * N, double);
  w->V = ALLOC(N * N, double);
  w->W = ALLOC(N * N, double);
  w->R = ROOM(N * N, double);
  w->rest = ROOM(8 * N, double);
  w->alpha = ALLOC(N, double);
  w->q = ALLOC(N * variances, double);
  w->Rq = ALLOC(N * variances, double);
  w->own = ROOM(most * most, double);
  w->vector = ALLOC(N, double);
  w->square = ALLOC(variances * variances, double);
  if (rows->X) {
    w->columns = ROOM(N * w->p, double);
    w->block = ROOM(N * BLOCK, double);
  }
  return w;
}

/* w->columns <- the transpose of X diag(sqrt(scale)). */
static void transpose_scaled(borrow_rows_work *w, const double *X, const double *scale)
{
  const size_t N = w->N, p = w->p;
  for (size_t from = 0; from < p; from += BLOCK) {
    const size_t to = from + BLOCK < p ? from + BLOCK : p;
    for (size_t i = 0; i < N; i++)
      for (size_t j = from; j < to; j++) w->columns[j + i * p] = X[i + j * N] * sqrt(scale[j]);
  }
}

void borrow_rows_scale(borrow_work *work, const double *scale)
{
  const borrow_rows *rows = work->domains->rows;
  borrow_rows_work *w = work->rows;
  w->scale = scale;
  if (!rows->X) {
    memcpy(w->K, rows->K, w->N * w->N * sizeof(double));
    return;
  }
  transpose_scaled(w, rows->X, scale);
  kernels->gram(COLUMNS(w->columns, w->p, w->N), w->K);
}

/* w->V <- V at the variances x. */
static void fill_covariance(const borrow_work *work, const double *x)
{
  const borrow_domains *domains = work->domains;
  const borrow_rows *rows = domains->rows;
  borrow_rows_work *w = work->rows;
  const size_t N = w->N;
  const int T = domains->T;
  const double kappa2 = domains->level ? exp(x[T + 1]) : 0, *one = rows->one;
  kernels->scaled(w->K, 0, exp(x[T]), N * N, w->V);
  if (domains->level)
    for (size_t j = 0; j < N; j++)
      kernels->axpy(BORROW_LEVEL_OMEGA2 * one[j], one, N, w->V + j * N);
  for (int t = 0; t < T; t++) {
    const size_t from = rows->from[t], n = rows_of(rows, t);
    for (size_t j = from; j < from + n; j++) {
      double *column = w->V + from + j * N;
      kernels->axpy(exp(x[t]), w->K + from + j * N, n, column);
      if (domains->level) kernels->axpy(kappa2 * one[j], one + from, n, column);
      w->V[j * (N + 1)] += rows->s2[t];
    }
  }
}

/* z <- R v for a v that is 0 outside rows from..from + n - 1; z is 0 before `from`. */
static void times_root(const borrow_rows_work *w, const double *v, size_t from, size_t n, double *z)
{
  enum { TOGETHER = 8 };
  const size_t N = w->N;
  memset(z, 0, N * sizeof(double));
  for (size_t j = from; j < from + n; j += TOGETHER) {
    const double *column[TOGETHER];
    size_t count = 0;
    for (; count < TOGETHER && j + count < from + n; count++) column[count] = w->R + j + (j + count) * N;
    kernels->combine(column, v + j, count, N - j, z + j);
  }
}

/* x <- V^-1 v = R'(R v). */
static void solve_rows(borrow_rows_work *w, const double *v, double *x)
{
  const size_t N = w->N;
  times_root(w, v, 0, N, w->Rq);
  for (size_t j = 0; j < N; j++) x[j] = dot(w->R + j * (N + 1), w->Rq + j, N - j);
}

/* alpha <- V^-1 y, with one step of iterative refinement. */
static void solve_response(borrow_rows_work *w, const double *y)
{
  const size_t N = w->N;
  double *left = w->vector, *more = w->q;
  solve_rows(w, y, w->alpha);
  kernels->dots(COLUMNS(w->V, N, N), NULL, w->alpha, left);
  for (size_t i = 0; i < N; i++) left[i] = y[i] - left[i];
  solve_rows(w, left, more);
  kernels->axpy(1, more, N, w->alpha);
}

/* w->own <- (V^-1)_tt, n x n. */
static void fill_block(borrow_rows_work *w, size_t from, size_t n)
{
  kernels->gram(VIEW(w->R + from * (w->N + 1), w->N, w->N - from, n), w->own);
}

/* slope <- the gradient of l, and w->q <- the columns q_i, of which column t is zero outside domain t. Since
 * tr V^-1 V = N, the trace of V^-1 K follows from the diagonal blocks of V^-1. */
static void fill_gradient(borrow_work *work, const double *x, double mean_log, double *slope)
{
  const borrow_domains *domains = work->domains;
  const borrow_rows *rows = domains->rows;
  borrow_rows_work *w = work->rows;
  const size_t N = w->N;
  const int T = domains->T;
  const double *alpha = w->alpha, *one = rows->one;
  double *common = w->q + (size_t)T * N, *level = common + N, own_level = 0, left = (double)N;
  kernels->dots(COLUMNS(w->K, N, N), NULL, alpha, common);
  for (int t = 0; t < T; t++) {
    const size_t from = rows->from[t], n = rows_of(rows, t);
    const double *K = w->K + from * (N + 1), *W = w->own;
    double *q = w->q + (size_t)t * N, trace = 0;
    memset(q, 0, N * sizeof(double));
    q += from;
    fill_block(w, from, n);
    kernels->dots(VIEW(K, N, n, n), NULL, alpha + from, q);
    for (size_t j = 0; j < n; j++) {
      trace += dot(W + j * n, K + j * N, n);
      left -= rows->s2[t] * W[j * (n + 1)];
    }
    left -= exp(x[t]) * trace;
    slope[t] = exp(x[t]) / 2 * (dot(alpha + from, q, n) - trace);
    if (work->prior) slope[t] -= x[t] - mean_log;
    if (!domains->level) continue;
    const double sum = dot(one + from, alpha + from, n);
    kernels->dots(COLUMNS(W, n, n), NULL, one + from, w->vector);
    const double square = dot(one + from, w->vector, n);
    left -= exp(x[T + 1]) * square;
    own_level += sum * sum - square;
    for (size_t i = from; i < from + n; i++) level[i] = one[i] * sum;
  }
  if (domains->level) {
    slope[T + 1] = exp(x[T + 1]) / 2 * own_level;
    times_root(w, one, 0, N, w->vector);
    left -= BORROW_LEVEL_OMEGA2 * dot(w->vector, w->vector, N);
  }
  slope[T] = (exp(x[T]) * dot(alpha, common, N) - left) / 2 + work->slope_omega;
}

double borrow_rows_minus_log_lik(borrow_work *work, const double *x, double *slope)
{
  const borrow_domains *domains = work->domains;
  const borrow_rows *rows = domains->rows;
  borrow_rows_work *w = work->rows;
  const size_t N = w->N;
  const int T = domains->T, variances = T + 1 + domains->level;
  double log_det, l = 0, mean_log = 0;
  port_poll();
  fill_covariance(work, x);
  memcpy(w->W, w->V, N * N * sizeof(double));
  if (spd_root(w->W, N, w->R, w->rest, &log_det)) {
    solve_response(w, rows->y);
    l = -(log_det + dot(rows->y, w->alpha, N)) / 2;
    for (int t = 0; t < T; t++) {
      l += (domains->log_det[t] + (double)rows_of(rows, t) * log(rows->s2[t]) + rows->rest[t]) / 2;
      mean_log += x[t] / T;
    }
    for (int t = 0; t < T && work->prior; t++) l -= (x[t] - mean_log) * (x[t] - mean_log) / 2;
    if (work->slope_omega > 0) l += work->slope_omega * x[T]; /* omega2 may be 0 */
    if (isfinite(l)) {
      fill_gradient(work, x, mean_log, slope);
      for (int t = 0; t < variances; t++) slope[t] = -slope[t];
      return -l;
    }
  }
  work->failed = 1;
  memset(slope, 0, (size_t)variances * sizeof(double));
  return 1e300;
}

/* Adds to B the columns of a factor P of the positive semidefinite A = PP' (n x n), which is overwritten. */
static void add_factor(curvature *B, double *A, int n)
{
  for (int k = 0; k < n; k++) {
    const double pivot = A[k * (n + 1)];
    if (!(pivot > 0)) continue;
    double *column = curvature_plus(B);
    for (int i = k; i < n; i++) column[i] = A[i + k * n] / sqrt(pivot);
    for (int j = k + 1; j < n; j++)
      for (int i = j; i < n; i++) A[i + j * n] -= column[i] * column[j];
    for (int j = k + 1; j < n; j++) /* pivots that are rounding become 0 */
      if (A[j * (n + 1)] < 1e-14 * column[j] * column[j]) A[j * (n + 1)] = 0;
  }
}

void borrow_rows_information(borrow_work *work, const double *x, curvature *B)
{
  const borrow_domains *domains = work->domains;
  const borrow_rows *rows = domains->rows;
  borrow_rows_work *w = work->rows;
  const size_t N = w->N;
  const int T = domains->T, n = T + 1 + domains->level;
  for (int i = 0; i < n; i++) { /* column i < T of q is 0 outside domain i */
    const size_t from = i < T ? rows->from[i] : 0, count = i < T ? rows_of(rows, i) : N;
    times_root(w, w->q + (size_t)i * N, from, count, w->Rq + (size_t)i * N);
  }
  kernels->gram(COLUMNS(w->Rq, N, (size_t)n), w->square);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) w->square[i + j * n] *= exp(x[i] + x[j]) / 2;
  add_factor(B, w->square, n);
  if (!work->prior) return;
  double *mean = curvature_minus(B);
  for (int t = 0; t < T; t++) {
    B->diagonal[t] += 1;
    mean[t] = 1 / sqrt(T);
  }
}

void borrow_rows_squares(const borrow_work *work, const double *x, double *e)
{
  const borrow_domains *domains = work->domains;
  const borrow_rows *rows = domains->rows;
  borrow_rows_work *w = work->rows;
  const size_t N = w->N, p = w->p;
  const int T = domains->T;
  spd_of_root(w->R, N, w->W);
  for (size_t first = 0; first < p; first += BLOCK) {
    port_poll();
    const size_t count = first + BLOCK < p ? BLOCK : p - first;
    const double *X = rows->X + first * N;
    kernels->cross(COLUMNS(w->W, N, N), COLUMNS(X, N, count), w->block, N);
    for (size_t j = 0; j < count; j++) {
      const double slope = dot(X + j * N, w->alpha, N);
      e[first + j] = exp(x[T]) * (slope * slope - dot(X + j * N, w->block + j * N, N));
    }
    for (int t = 0; t < T; t++) {
      const size_t from = rows->from[t], n = rows_of(rows, t);
      kernels->cross(VIEW(w->W + from * (N + 1), N, n, n), VIEW(X + from, N, n, count), w->block,
                     n);
      for (size_t j = 0; j < count; j++) {
        const double *own = X + from + j * N, slope = dot(own, w->alpha + from, n);
        e[first + j] += exp(x[t]) * (slope * slope - dot(own, w->block + j * n, n));
      }
    }
  }
  for (size_t j = 0; j < p; j++) e[j] = e[j] * w->scale[j] + 1 + T;
}

/* -2 times the terms of l with tau2_t, the other variances being fixed, where tau2_t is larger by `more` than in the
 * last evaluation: with (V^-1)_tt = C^-1 and alpha_t = C^-1 r there, log|C + more K_t| + r'(C + more K_t)^-1 r. A, z:
 * work, n x n and 9 n. */
static double deviance_of_one(const double *C, const double *K, size_t ld, const double *r,
                              size_t n, double more, double *A, double *z)
{
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i <= j; i++) A[i + j * n] = C[i + j * n] + more * K[i + j * ld];
  memcpy(z, r, n * sizeof(double));
  double log_det = 0;
  if (!spd_factor(A, n, z + n)) return HUGE_VAL;
  spd_lower(A, n, z);
  for (size_t j = 0; j < n; j++) log_det += 2 * log(A[j * (n + 1)]);
  return log_det + dot(z, z, n);
}

int borrow_rows_better(borrow_work *work, double *x, double low, double high, double step)
{
  const borrow_domains *domains = work->domains;
  const borrow_rows *rows = domains->rows;
  borrow_rows_work *w = work->rows;
  const size_t N = w->N;
  const int T = domains->T;
  const size_t most = most_rows(domains);
  double *C = ALLOC(most * most, double), *A = ALLOC(most * most, double);
  double *r = ALLOC(most, double), *z = ALLOC(9 * most, double), *room = ROOM(most * (most + 8), double);
  double *slope = ALLOC((size_t)T + 2, double);
  int changed = 0, known = 0; /* known: is x the point of the last evaluation? */
  for (int t = 0; t < T; t++) {
    const size_t from = rows->from[t], n = rows_of(rows, t);
    const double *K = w->K + from * (N + 1);
    if (!known) borrow_rows_minus_log_lik(work, x, slope);
    known = 1;
    fill_block(w, from, n);
    memcpy(C, w->own, n * n * sizeof(double));
    double log_det;
    if (work->failed || !spd_inverse(C, n, room, &log_det)) continue;
    kernels->dots(COLUMNS(C, n, n), NULL, w->alpha + from, r);
    const double here = exp(x[t]);
    double log_tau2 = x[t], best = deviance_of_one(C, K, N, r, n, 0, A, z) - 1e-3;
    for (double v = low; v <= high; v += step) {
      const double value = deviance_of_one(C, K, N, r, n, exp(v) - here, A, z);
      if (!(value < best)) continue;
      best = value;
      log_tau2 = v;
    }
    if (log_tau2 == x[t]) continue;
    changed++;
    known = 0;
    x[t] = log_tau2;
  }
  return changed;
}

const borrow_rows *borrow_rows_of(const borrow_domains *domains, int from, int count)
{
  const borrow_rows *rows = domains->rows;
  const size_t first = rows->from[from], N = rows->from[from + count] - first;
  borrow_rows *part = ALLOC(1, borrow_rows);
  *part = *rows;
  size_t *start = ALLOC((size_t)count + 1, size_t);
  for (int t = 0; t <= count; t++) start[t] = rows->from[from + t] - first;
  double *K = ALLOC(N * N, double);
  for (size_t j = 0; j < N; j++)
    memcpy(K + j * N, rows->K + first + (first + j) * rows->N, N * sizeof(double));
  part->N = N;
  part->from = start;
  part->X = NULL;
  part->K = K;
  part->y += first;
  part->s2 += from;
  part->rest += from;
  if (part->one) part->one += first;
  return part;
}

/* Subtracts from v, in every domain, its projection on 1_t; does nothing without a level. */
static void centre(const borrow_domains *domains, double *v)
{
  const borrow_rows *rows = domains->rows;
  for (int t = 0; t < domains->T && domains->level; t++) {
    const size_t from = rows->from[t], n = rows_of(rows, t);
    const double *one = rows->one + from;
    kernels->axpy(-dot(one, v + from, n) / dot(one, one, n), one, n, v + from);
  }
}

const borrow_rows *borrow_rows_centred(const borrow_domains *domains)
{
  const borrow_rows *rows = domains->rows;
  const size_t N = rows->N, p = domains->p - (size_t)domains->level;
  borrow_rows *out = ALLOC(1, borrow_rows);
  *out = *rows;
  double *K = ALLOC(N * N, double), *y = ALLOC(N, double), *columns = ROOM(N * p, double);
  for (size_t j = 0; j < p; j++) {
    memcpy(y, rows->X + j * N, N * sizeof(double));
    centre(domains, y);
    for (size_t i = 0; i < N; i++) columns[j + i * p] = y[i];
  }
  kernels->gram(COLUMNS(columns, p, N), K);
  memcpy(y, rows->y, N * sizeof(double));
  centre(domains, y);
  out->X = NULL;
  out->K = K;
  out->y = y;
  out->one = NULL;
  return out;
}
