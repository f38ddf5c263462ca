/* variance.c - see variance.h. */
#include "variance.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "average.h"
#include "blas.h"
#include "kernels.h"
#include "minimise_one.h"
#include "spd.h"

/* A product that is larger than LARGE or smaller than 1/LARGE is replaced by its logarithm, before it overflows. */
#define LARGE 1e100

/* Up to order FEW Jacobi's method takes less time than LAPACK; it rotates r and needs no eigenvectors. */
enum { FEW = 12, MOST_SWEEPS = 40 };

/* Replaces the diagonal of the symmetric A (m x m) by its eigenvalues, and r by r in the basis of its eigenvectors:
 * cyclic Jacobi rotations (Golub and Van Loan, Matrix Computations, 2013, section 8.5). */
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

/* d <- the eigenvalues of A (overwritten), none below 0; u <- the squares of r in the basis of its eigenvectors.
 * vector: m x m, work. Returns 0 where LAPACK fails. */
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

/* The covariance of the response is s2 I + S + tau2 K. */
typedef struct {
  size_t m;
  const double *S, *K, *r;
  double outside, rest;
} likelihood;

/* log_lik (n_s2 x n_tau2) <- the log likelihoods. */
static status log_likelihood(const likelihood *of, const variance_grid *grid, double log_omega2, double *log_lik)
{
  const size_t m = of->m;
  double *A = ROOM(m * m, double), *vector = ROOM(m * m, double), *d = ROOM(m, double);
  double *u = ROOM(m, double), *all_s2 = ROOM(grid->n_s2, double);
  for (size_t k = 0; k < grid->n_s2; k++) all_s2[k] = exp(grid->centre + grid->log_s2[k]);
  for (size_t t = 0; t < grid->n_tau2; t++) {
    const double tau2 = exp(log_omega2 + grid->log_tau2[t]);
    double size = 0;
    for (size_t k = 0; k < m * m; k++) {
      A[k] = of->S[k] + tau2 * of->K[k];
      size += fabs(A[k]);
    }
    if (!isfinite(size) || !find_squares(A, m, of->r, vector, d, u)) return STATUS_SINGULAR;
    for (size_t k = 0; k < grid->n_s2; k++) {
      const double s2 = all_s2[k];
      double sum = of->outside * (grid->centre + grid->log_s2[k]) + of->rest / s2, product = 1;
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
      log_lik[k + t * grid->n_s2] = -(sum + log(product)) / 2;
    }
    port_poll();
  }
  return STATUS_OK;
}

/* The others' ridge: C and its factor (r x r), u and then U'^-1 u (r), 8 r numbers of work. */
typedef struct {
  const variance_rows *rows;
  double *C, *u, *rest;
} ridge;

/* C <- its factor at this omega2; returns 0 where it is not positive definite. */
static int factor_ridge(const ridge *of, double omega2)
{
  const size_t r = of->rows->r;
  kernels->scaled(of->rows->L, 0, omega2, r * r, of->C);
  for (size_t i = 0; i < r; i++) of->C[i * (r + 1)] += 1;
  return spd_factor(of->C, r, of->rest);
}

/* Minus the log marginal likelihood of the others at this omega2. */
static double ridge_deviance(double log_omega2, const void *data)
{
  const ridge *of = data;
  const size_t r = of->rows->r;
  if (!factor_ridge(of, exp(log_omega2))) return HUGE_VAL;
  memcpy(of->u, of->rows->u, r * sizeof(double));
  spd_lower(of->C, r, of->u);
  double sum = dot(of->u, of->u, r) / 2;
  for (size_t i = 0; i < r; i++) sum += log(of->C[i * (r + 1)]);
  return sum;
}

static const double LOW_OMEGA2 = 1e-5, HIGH_OMEGA2 = 100;

/* Computes S and r of the likelihood, and log omega2. */
static status others_given(const variance_rows *rows, double *S, double *r, double *log_omega2)
{
  const size_t m = rows->m, n = rows->r, columns = m + 1;
  const ridge of = {rows, ROOM(n * n, double), ROOM(n, double), ROOM(8 * (n > columns ? n : columns), double)};
  *log_omega2 = minimise_one(log(LOW_OMEGA2), log(HIGH_OMEGA2), ridge_deviance, &of, sqrt(sqrt(DBL_EPSILON)));
  const double omega2 = exp(*log_omega2);
  if (!factor_ridge(&of, omega2)) return STATUS_SINGULAR;
  double *X = ROOM(n * columns, double); /* U'^-1 (RZ', u) */
  for (size_t k = 0; k < m; k++)
    for (size_t i = 0; i < n; i++) X[i + k * n] = rows->across[k + i * m];
  memcpy(X + m * n, rows->u, n * sizeof(double));
  spd_forward(of.C, n, X, columns, of.rest);
  kernels->gram(COLUMNS(X, n, m), S);
  kernels->dots(COLUMNS(X, n, m), NULL, X + m * n, r);
  for (size_t k = 0; k < m * m; k++) S[k] = omega2 * (rows->K[k] - omega2 * S[k]);
  for (size_t k = 0; k < m; k++) r[k] = rows->y[k] - omega2 * r[k];
  return STATUS_OK;
}

status variance_posterior(const variance_rows *rows, const variance_grid *grid, double *mean, double *variance)
{
  const size_t m = rows->m, all = grid->n_s2 * grid->n_tau2;
  double *S = ROOM(m * m, double), *r = ROOM(m, double), *weight = ROOM(all, double), rest = rows->yy;
  double log_omega2;
  status s = others_given(rows, S, r, &log_omega2);
  if (s != STATUS_OK) return s;
  for (size_t i = 0; i < m; i++) rest -= rows->y[i] * rows->y[i];
  const likelihood of = {
      .m = m, .S = S, .K = rows->K, .r = r, .outside = fmax(rows->n - (double)m, 0), .rest = fmax(rest, 0)};
  s = log_likelihood(&of, grid, log_omega2, weight);
  if (s != STATUS_OK) return s;
  for (size_t k = 0; k < all; k++) weight[k] += grid->log_prior[k % grid->n_s2];
  if (!average_weights(weight, all, 0, weight)) return STATUS_SINGULAR;
  *mean = *variance = 0;
  for (size_t k = 0; k < all; k++) *mean += weight[k] * grid->log_s2[k % grid->n_s2];
  for (size_t k = 0; k < all; k++) {
    const double away = grid->log_s2[k % grid->n_s2] - *mean;
    *variance += weight[k] * away * away;
  }
  *mean += grid->centre;
  return STATUS_OK;
}

#define SINGULAR 1e-10 /* pivots below this share of the largest are rounding */

/* Z, y <- rows with the moments G (p x p) and g, and their response, by a Cholesky factor with pivots. Returns their
 * number, the rank of G; row k is written to p numbers from Z + k p on. */
static size_t rows_of_moments(const double *G, const double *g, size_t p, double *Z, double *y)
{
  double *left = ROOM(p, double), *open = ROOM(p, double), most = 0; /* of the diagonal and of g */
  for (size_t j = 0; j < p; j++) {
    left[j] = G[j + j * p];
    open[j] = g[j];
    most = fmax(most, left[j]);
  }
  const double least = SINGULAR * most;
  size_t rank = 0;
  for (; rank < p; rank++) {
    size_t pivot = 0;
    for (size_t j = 1; j < p; j++)
      if (left[j] > left[pivot]) pivot = j;
    if (!(left[pivot] > least)) break;
    double *row = Z + rank * p;
    const double root = sqrt(left[pivot]);
    memcpy(row, G + pivot * p, p * sizeof(double));
    for (size_t k = 0; k < rank; k++) {
      const double *before = Z + k * p, times = before[pivot];
      for (size_t j = 0; j < p; j++) row[j] -= times * before[j];
    }
    for (size_t j = 0; j < p; j++) row[j] = left[j] == -HUGE_VAL ? 0 : row[j] / root;
    row[pivot] = root;
    y[rank] = open[pivot] / root;
    for (size_t j = 0; j < p; j++) {
      left[j] -= row[j] * row[j];
      open[j] -= row[j] * y[rank];
    }
    left[pivot] = -HUGE_VAL;
  }
  return rank;
}

void variance_rows_of_moments(const double *G, const double *g, const double *others_G, const double *others_g,
                                size_t p, double yy, double n, variance_rows *out)
{
  double *Z = ROOM(p * p, double), *R = ROOM(p * p, double), *y = ROOM(p, double), *other_y = ROOM(p, double);
  const size_t m = rows_of_moments(G, g, p, Z, y), r = rows_of_moments(others_G, others_g, p, R, other_y);
  double *K = ROOM(m * m, double), *L = ROOM(r * r, double), *across = ROOM(m * r, double);
  kernels->gram(COLUMNS(Z, p, m), K);
  kernels->gram(COLUMNS(R, p, r), L);
  kernels->cross(COLUMNS(Z, p, m), COLUMNS(R, p, r), across, m);
  *out = (variance_rows){.m = m, .r = r, .K = K, .y = y, .L = L, .across = across, .u = other_y, .yy = yy, .n = n};
}
