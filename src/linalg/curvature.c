/* curvature.c - see curvature.h. */
#include "curvature.h"

#include <math.h>
#include <string.h>

#include "kernels.h"
#include "port.h"
#include "spd.h"

enum { FEW = 64 };     /* with at most this many variables B is stored as a matrix */
enum { UPDATES = 40 }; /* columns for updates, where d, P and M are stored */

curvature curvature_new(int n, int columns)
{
  const size_t length = (size_t)n, most = (size_t)columns + UPDATES;
  const int whole = n <= FEW || n < 2 * (int)most;
  curvature B = {.n = n, .most = whole ? columns : (int)most};
  B.diagonal = ALLOC(length, double);
  B.columns = ALLOC(length * (size_t)(B.most ? B.most : 1), double);
  if (whole) B.dense = ALLOC(length * length, double);
  B.work = ROOM(whole ? length * (length + 8) : (length + most) * (most + 2) + 8 * most, double);
  curvature_forget(&B);
  return B;
}

void curvature_clear(curvature *B)
{
  memset(B->diagonal, 0, (size_t)B->n * sizeof(double));
  B->pluses = B->minuses = 0;
}

static double *column(const curvature *B, int k)
{
  return B->columns + (size_t)k * (size_t)B->n;
}

double *curvature_plus(curvature *B)
{
  return memset(column(B, B->pluses++), 0, (size_t)B->n * sizeof(double));
}

double *curvature_minus(curvature *B)
{
  return memset(column(B, B->most - ++B->minuses), 0, (size_t)B->n * sizeof(double));
}

/* B->dense += by v v'. */
static void add_square(curvature *B, double by, const double *v)
{
  const size_t n = (size_t)B->n;
  for (size_t j = 0; j < n; j++)
    if (v[j] != 0) kernels->axpy(by * v[j], v, n, B->dense + j * n);
}

static void fill_dense(curvature *B)
{
  const size_t n = (size_t)B->n;
  memset(B->dense, 0, n * n * sizeof(double));
  for (size_t j = 0; j < n; j++) B->dense[j * (n + 1)] = B->diagonal[j];
  for (int k = 0; k < B->pluses; k++) add_square(B, 1, column(B, k));
  for (int k = 1; k <= B->minuses; k++) add_square(B, -1, column(B, B->most - k));
}

void curvature_raise(curvature *B, const double *least)
{
  for (int j = 0; j < B->n; j++) {
    double own = B->diagonal[j];
    for (int k = 0; k < B->pluses; k++) own += column(B, k)[j] * column(B, k)[j];
    for (int k = 1; k <= B->minuses; k++) {
      const double m = column(B, B->most - k)[j];
      own -= m * m;
    }
    if (!(own >= least[j])) B->diagonal[j] += least[j] - own;
  }
  if (B->dense) fill_dense(B);
}

void curvature_forget(curvature *B)
{
  curvature_clear(B);
  for (int j = 0; j < B->n; j++) B->diagonal[j] = 1;
  if (B->dense) fill_dense(B);
}

int curvature_update(curvature *B, const double *r, double rs, const double *q, double qs)
{
  const size_t n = (size_t)B->n;
  if (B->dense) {
    add_square(B, 1 / rs, r);
    add_square(B, -1 / qs, q);
    return 1;
  }
  if (B->pluses + B->minuses + 2 > B->most) return 0;
  kernels->axpy(1 / sqrt(rs), r, n, curvature_plus(B));
  kernels->axpy(1 / sqrt(qs), q, n, curvature_minus(B));
  return 1;
}

void curvature_times(const curvature *B, const double *s, double *out)
{
  const size_t n = (size_t)B->n;
  if (B->dense) {
    kernels->dots(COLUMNS(B->dense, n, n), NULL, s, out);
    return;
  }
  for (size_t j = 0; j < n; j++) out[j] = B->diagonal[j] * s[j];
  for (int k = 0; k < B->pluses; k++) kernels->axpy(dot(column(B, k), s, n), column(B, k), n, out);
  for (int k = 1; k <= B->minuses; k++) {
    const double *m = column(B, B->most - k);
    kernels->axpy(-dot(m, s, n), m, n, out);
  }
}

static int solve_dense(const curvature *B, const int *free, size_t count, double *x)
{
  double *A = B->work;
  for (size_t b = 0; b < count; b++) {
    const double *from = B->dense + (size_t)free[b] * (size_t)B->n;
    for (size_t a = 0; a < count; a++) A[a + b * count] = from[free[a]];
  }
  if (!spd_factor(A, count, A + count * count)) return 0;
  spd_lower(A, count, x);
  spd_upper(A, count, x);
  return 1;
}

/* u <- C^-1 u. Y: n x pluses; K: the factor of I + Y'Y; t: work (pluses). */
static void solve_plus(const double *Y, const double *K, size_t n, size_t pluses, double *u,
                       double *t)
{
  if (!pluses) return;
  kernels->dots(COLUMNS(Y, n, pluses), NULL, u, t);
  spd_lower(K, pluses, t);
  spd_upper(K, pluses, t);
  for (size_t k = 0; k < pluses; k++) kernels->axpy(-t[k], Y + k * n, n, u);
}

/* K <- the factor of I + Y'Y, S <- the factor of I - Z'W = I - Z'Z + G'(I + Y'Y)^-1 G, G = Y'Z. t: work of 8 most.
 * Returns 0 if one of the two is not positive definite. */
static int factors(const double *Y, size_t n, size_t pluses, size_t minuses, double *K, double *G,
                   double *S, double *t)
{
  const double *Z = Y + n * pluses;
  if (pluses) {
    kernels->gram(COLUMNS(Y, n, pluses), K);
    for (size_t k = 0; k < pluses; k++) K[k * (pluses + 1)] += 1;
    if (!spd_factor(K, pluses, t)) return 0;
  }
  if (!minuses) return 1;
  kernels->gram(COLUMNS(Z, n, minuses), S);
  for (size_t k = 0; k < minuses * minuses; k++) S[k] = -S[k];
  for (size_t k = 0; k < minuses; k++) S[k * (minuses + 1)] += 1;
  if (pluses) {
    kernels->cross(COLUMNS(Y, n, pluses), COLUMNS(Z, n, minuses), G, pluses);
    spd_forward(K, pluses, G, minuses, t);
    for (size_t j = 0; j < minuses; j++)
      for (size_t i = 0; i <= j; i++)
        S[i + j * minuses] += dot(G + i * pluses, G + j * pluses, pluses);
  }
  return spd_factor(S, minuses, t);
}

static int solve_parts(const curvature *B, const int *free, size_t n, double *x)
{
  const size_t pluses = (size_t)B->pluses, minuses = (size_t)B->minuses;
  double *Y = B->work, *Z = Y + n * pluses, *root = Z + n * minuses, *u = root + n;
  double *K = u + n, *S = K + pluses * pluses, *G = S + minuses * minuses;
  double *t = G + pluses * minuses;
  for (size_t a = 0; a < n; a++) {
    if (!(B->diagonal[free[a]] > 0)) return 0;
    root[a] = 1 / sqrt(B->diagonal[free[a]]);
    x[a] *= root[a];
  }
  for (size_t k = 0; k < pluses + minuses; k++) {
    const double *from = column(B, k < pluses ? (int)k : B->most - 1 - (int)(k - pluses));
    for (size_t a = 0; a < n; a++) Y[k * n + a] = from[free[a]] * root[a];
  }
  if (!factors(Y, n, pluses, minuses, K, G, S, t)) return 0;
  solve_plus(Y, K, n, pluses, x, t);
  if (minuses) {
    double *share = t + B->most;
    kernels->dots(COLUMNS(Z, n, minuses), NULL, x, share);
    spd_lower(S, minuses, share);
    spd_upper(S, minuses, share);
    memset(u, 0, n * sizeof(double));
    for (size_t k = 0; k < minuses; k++) kernels->axpy(share[k], Z + k * n, n, u);
    solve_plus(Y, K, n, pluses, u, t);
    kernels->axpy(1, u, n, x);
  }
  for (size_t a = 0; a < n; a++) x[a] *= root[a];
  return 1;
}

int curvature_solve(const curvature *B, const int *free, int count, double *x)
{
  return B->dense ? solve_dense(B, free, (size_t)count, x) : solve_parts(B, free, (size_t)count, x);
}
