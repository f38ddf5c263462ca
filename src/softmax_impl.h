/* softmax_impl.h - the passes of softmax.h; included once per instruction set with
 *   LANES   doubles in a vector register
 *   TABLE   name of the softmax_table to define, TABLE_NAME its name as text
 * Sums over rows run in the lanes of a vector and are folded at the end of a pass, always in the
 * same order. Tiles of A columns (or vectors of rows) by B classes stay in registers.
 */
#include <math.h>
#include <string.h>

#include "softmax.h"

#if defined(__GNUC__)
typedef double vec __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef long long whole __attribute__((vector_size(8 * LANES)));
static inline vec load(const double *p)
{
  return *(const vec *)p;
}
static inline void store(double *p, vec v)
{
  *(vec *)p = v;
}
static inline vec all(double a)
{
  return (vec){0} + a;
}
static inline vec larger(vec a, vec b)
{
  const whole mask = (whole)(a > b);
  return (vec)((mask & (whole)a) | (~mask & (whole)b));
}
#define INLINE static inline __attribute__((always_inline))
#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif
#else
#undef LANES
#define LANES 1
typedef double vec;
#define load(p) (*(p))
#define store(p, v) (*(p) = (v))
#define all(a) (a)
#define larger(a, b) ((a) > (b) ? (a) : (b))
#define INLINE static inline
#define UNROLL
#endif

/* Tiles that fit the registers: 32 of them with AVX-512, otherwise 16. */
#define TILE_B 5
#if LANES == 8
#define TILE_A 4
#else
#define TILE_A 2
#endif

/* exp(x) for x <= 0, not below exp(-700). x = n ln 2 + f, |f| <= ln 2 / 2; Taylor's sum to f^12
 * leaves out less than 2e-16. n is rounded by adding 1.5 2^52, whose last bits it then is. */
#if defined(__GNUC__)
INLINE vec exp_of(vec x)
{
  x = larger(x, all(-700));
  vec n = x * 1.4426950408889634074 + 0x1.8p52;
  const whole power = (whole)n << 52;
  n -= 0x1.8p52;
  x -= n * 6.93147180369123816490e-01;
  x -= n * 1.90821492927058770002e-10;
  vec s = all(1. / 479001600);
  s = s * x + 1. / 39916800;
  s = s * x + 1. / 3628800;
  s = s * x + 1. / 362880;
  s = s * x + 1. / 40320;
  s = s * x + 1. / 5040;
  s = s * x + 1. / 720;
  s = s * x + 1. / 120;
  s = s * x + 1. / 24;
  s = s * x + 1. / 6;
  s = s * x + .5;
  s = s * x + 1.;
  s = s * x + 1.;
  return (vec)((whole)s + power);
}
#else
#define exp_of(x) exp((x) < -700 ? -700 : (x))
#endif

/* ---- sums over rows: acc += x'u ---- */

INLINE void cross_tile(const double *x, size_t ldx, const double *u, size_t ldu, size_t n,
                       const int A, const int B, double *acc, size_t q)
{
  vec s[TILE_A][TILE_B];
  UNROLL for (int a = 0; a < A; a++) UNROLL for (int b = 0; b < B; b++) s[a][b] =
      load(acc + (a * q + b) * SOFTMAX_LANES);
  for (size_t i = 0; i < n; i += LANES) {
    vec xa[TILE_A];
    UNROLL for (int a = 0; a < A; a++) xa[a] = load(x + a * ldx + i);
    UNROLL for (int b = 0; b < B; b++)
    {
      const vec ub = load(u + b * ldu + i);
      UNROLL for (int a = 0; a < A; a++) s[a][b] += xa[a] * ub;
    }
  }
  UNROLL for (int a = 0; a < A; a++) UNROLL for (int b = 0; b < B; b++)
      store(acc + (a * q + b) * SOFTMAX_LANES, s[a][b]);
}

INLINE void cross_columns(const double *x, size_t ldx, const int A, const double *u, size_t ldu,
                          size_t q, size_t n, double *acc)
{
  size_t b = 0;
  for (; b + 5 <= q; b += 5)
    cross_tile(x, ldx, u + b * ldu, ldu, n, A, 5, acc + b * SOFTMAX_LANES, q);
  u += b * ldu;
  acc += b * SOFTMAX_LANES;
  switch (q - b) {
  case 4:
    cross_tile(x, ldx, u, ldu, n, A, 4, acc, q);
    break;
  case 3:
    cross_tile(x, ldx, u, ldu, n, A, 3, acc, q);
    break;
  case 2:
    cross_tile(x, ldx, u, ldu, n, A, 2, acc, q);
    break;
  case 1:
    cross_tile(x, ldx, u, ldu, n, A, 1, acc, q);
    break;
  default:
    break;
  }
}

static void cross(const double *x, size_t ldx, size_t cols, const double *u, size_t ldu, size_t q,
                  size_t n, double *acc)
{
  size_t j = 0;
  for (; j + TILE_A <= cols; j += TILE_A)
    cross_columns(x + j * ldx, ldx, TILE_A, u, ldu, q, n, acc + j * q * SOFTMAX_LANES);
  for (; j < cols; j++)
    cross_columns(x + j * ldx, ldx, 1, u, ldu, q, n, acc + j * q * SOFTMAX_LANES);
}

static void fold(const double *acc, size_t count, double *out)
{
  for (size_t k = 0; k < count; k++) {
    const double *a = acc + k * SOFTMAX_LANES;
    double sum = 0;
    for (int l = 0; l < LANES; l++) sum += a[l];
    out[k] = sum;
  }
}

/* ---- sums over columns: S = xw ---- */

INLINE void score_tile(const double *x, size_t t, const double *w, size_t K, const int B,
                       double *out)
{
  vec s[TILE_A][TILE_B];
  UNROLL for (int a = 0; a < TILE_A; a++) UNROLL for (int b = 0; b < B; b++) s[a][b] = all(0);
  for (size_t j = 0; j < t; j++) {
    vec xa[TILE_A];
    UNROLL for (int a = 0; a < TILE_A; a++) xa[a] = load(x + j * SOFTMAX_ROWS + a * LANES);
    UNROLL for (int b = 0; b < B; b++)
    {
      const vec wb = all(w[j * K + b]);
      UNROLL for (int a = 0; a < TILE_A; a++) s[a][b] += xa[a] * wb;
    }
  }
  UNROLL for (int a = 0; a < TILE_A; a++) UNROLL for (int b = 0; b < B; b++)
      store(out + b * SOFTMAX_ROWS + a * LANES, s[a][b]);
}

static void scores(const double *x, size_t t, const double *w, size_t K, size_t n, double *out)
{
  for (size_t i = 0; i < n; i += TILE_A * LANES) {
    const double *xi = x + i;
    double *o = out + i;
    size_t b = 0;
    for (; b + 5 <= K; b += 5) score_tile(xi, t, w + b, K, 5, o + b * SOFTMAX_ROWS);
    o += b * SOFTMAX_ROWS;
    switch (K - b) {
    case 4:
      score_tile(xi, t, w + b, K, 4, o);
      break;
    case 3:
      score_tile(xi, t, w + b, K, 3, o);
      break;
    case 2:
      score_tile(xi, t, w + b, K, 2, o);
      break;
    case 1:
      score_tile(xi, t, w + b, K, 1, o);
      break;
    default:
      break;
    }
  }
}

/* ---- from scores to R ---- */

/* One block: s (K columns) becomes R; returns sum_i v_i loss_i. The normalisers of rows that weigh
 * the same are multiplied up, 32 in a lane, and share one logarithm. */
static double normalise(double *s, int K, const int *y, const double *v, double offset, size_t rows,
                        size_t n)
{
  double top[SOFTMAX_ROWS], last[SOFTMAX_ROWS], sum[SOFTMAX_ROWS], own[SOFTMAX_ROWS];
  const double e = exp(offset);
  double loss = 0;
  for (size_t i = 0; i < rows; i++) own[i] = y[i] < K ? s[y[i] * SOFTMAX_ROWS + i] : 0;
  for (size_t i = 0; i < n; i += LANES) {
    vec most = all(0);
    for (int q = 0; q < K; q++) most = larger(load(s + q * SOFTMAX_ROWS + i), most);
    vec total = exp_of(all(0) - most);
    store(last + i, total);
    for (int q = 0; q < K; q++) {
      const vec eq = exp_of(load(s + q * SOFTMAX_ROWS + i) - most);
      store(s + q * SOFTMAX_ROWS + i, eq);
      total += eq;
    }
    store(top + i, most);
    store(sum + i, total);
  }
  for (size_t i = 0; i < rows; i++) {
    const double ey = y[i] < K ? s[y[i] * SOFTMAX_ROWS + i] : last[i];
    const double total = e * sum[i] - (e - 1) * ey, weight = v ? v[i] : 1;
    const double margin = top[i] - own[i];
    if (v)
      loss += weight * (log(total) + margin);
    else
      loss += margin;
    last[i] = weight * (ey / total - 1);
    sum[i] = total;
    top[i] = weight * e / total;
  }
  for (size_t i = rows; i < n; i++) {
    sum[i] = 1;
    top[i] = 0;
  }
  for (size_t i = 0; !v && i < n; i += 32 * LANES) {
    vec product = all(1);
    const size_t end = i + 32 * LANES < n ? i + 32 * LANES : n;
    for (size_t j = i; j < end; j += LANES) product *= load(sum + j);
    double part[LANES];
    store(part, product);
    for (int l = 0; l < LANES; l++) loss += log(part[l]);
  }
  for (int q = 0; q < K; q++)
    for (size_t i = 0; i < n; i += LANES)
      store(s + q * SOFTMAX_ROWS + i, load(s + q * SOFTMAX_ROWS + i) * load(top + i));
  for (size_t i = 0; i < rows; i++)
    if (y[i] < K) s[y[i] * SOFTMAX_ROWS + i] = last[i];
  return loss;
}

/* Rows of block b, and the same rounded up to whole tiles. */
static size_t block_rows(const softmax *p, size_t b, size_t *n)
{
  const size_t left = p->m - b * SOFTMAX_ROWS, rows = left < SOFTMAX_ROWS ? left : SOFTMAX_ROWS;
  *n = (rows + 31) / 32 * 32;
  return rows;
}

static double pass(const softmax *p, const double *w, double *g)
{
  const size_t K = (size_t)p->K;
  double f = 0;
  memset(p->acc, 0, p->t * K * SOFTMAX_LANES * sizeof(double));
  for (size_t b = 0; b < p->blocks; b++) {
    size_t n;
    const size_t rows = block_rows(p, b, &n);
    const double *x = p->x + b * p->room * SOFTMAX_ROWS;
    double *r = p->r + b * p->slots * SOFTMAX_ROWS;
    scores(x, p->t, w, K, n, r);
    if (p->base)
      for (size_t i = 0; i < K * SOFTMAX_ROWS; i++) r[i] += p->base[b * K * SOFTMAX_ROWS + i];
    f += normalise(r, p->K, p->y + b * SOFTMAX_ROWS, p->v ? p->v + b * SOFTMAX_ROWS : NULL,
                   p->offset, rows, n);
    cross(x, SOFTMAX_ROWS, p->t, r, SOFTMAX_ROWS, K, n, p->acc);
  }
  fold(p->acc, p->t * K, g);
  for (size_t j = 0; j < p->t * K; j++) g[j] /= (double)p->m;
  return f / (double)p->m;
}

static void slope(const softmax *p, size_t c, double *g)
{
  const size_t K = (size_t)p->K;
  memset(p->acc, 0, K * SOFTMAX_LANES * sizeof(double));
  for (size_t b = 0; b < p->blocks; b++) {
    size_t n;
    block_rows(p, b, &n);
    cross(p->x + (b * p->room + c) * SOFTMAX_ROWS, SOFTMAX_ROWS, 1,
          p->r + b * p->slots * SOFTMAX_ROWS, SOFTMAX_ROWS, K, n, p->acc);
  }
  fold(p->acc, K, g);
  for (size_t q = 0; q < K; q++) g[q] /= (double)p->m;
}

/* Classes q0..q1-1 of curvature(), a slab whose sums fit p->acc. */
static void curvature_slab(const softmax *p, size_t from, size_t c, size_t q0, size_t q1,
                           size_t width)
{
  const size_t K = (size_t)p->K, cols = c + 1 - from;
  double *share = p->work, *product = share + K * SOFTMAX_ROWS;
  memset(p->acc, 0, cols * width * SOFTMAX_LANES * sizeof(double));
  for (size_t b = 0; b < p->blocks; b++) {
    size_t n;
    const size_t rows = block_rows(p, b, &n);
    const double *x = p->x + (b * p->room + from) * SOFTMAX_ROWS;
    const double *xc = x + (c - from) * SOFTMAX_ROWS;
    const double *v = p->v ? p->v + b * SOFTMAX_ROWS : NULL;
    const int *y = p->y + b * SOFTMAX_ROWS;
    double *acc = p->acc;
    memcpy(share, p->r + b * p->slots * SOFTMAX_ROWS, K * SOFTMAX_ROWS * sizeof(double));
    for (size_t i = 0; i < rows; i++)
      if ((size_t)y[i] < K) share[y[i] * SOFTMAX_ROWS + i] += v ? v[i] : 1;
    for (size_t q = q0; q < q1; q++) {
      const double *sq = share + q * SOFTMAX_ROWS;
      double *own = product + q * SOFTMAX_ROWS;
      for (size_t i = 0; i < n; i += LANES) {
        const vec w = load(xc + i) * load(sq + i);
        vec scaled = all(0) - w;
        if (v) scaled /= load(v + i);
        for (size_t l = 0; l <= q; l++)
          store(product + l * SOFTMAX_ROWS + i, scaled * load(share + l * SOFTMAX_ROWS + i));
        store(own + i, load(own + i) + w);
      }
      cross(x, SOFTMAX_ROWS, cols, product, SOFTMAX_ROWS, q + 1, n, acc);
      acc += cols * (q + 1) * SOFTMAX_LANES;
    }
  }
}

/* Class by class q: products x_c v P_q (1[q = l] - P_l) for l <= q, and their sums with x. */
static void curvature(const softmax *p, size_t from, size_t c, double *h, size_t ld)
{
  const size_t K = (size_t)p->K, cols = c + 1 - from;
  for (size_t q0 = 0, q1; q0 < K; q0 = q1) {
    size_t width = q0 + 1;
    for (q1 = q0 + 1; q1 < K && width + q1 + 1 <= SOFTMAX_SLAB; q1++) width += q1 + 1;
    curvature_slab(p, from, c, q0, q1, width);
    const double *acc = p->acc;
    for (size_t q = q0; q < q1; q++)
      for (size_t j = 0; j < cols; j++)
        for (size_t l = 0; l <= q; l++, acc += SOFTMAX_LANES) {
          double sum;
          fold(acc, 1, &sum);
          h[q * ld + j * K + l] = h[l * ld + j * K + q] = sum / (double)p->m;
        }
  }
}

const softmax_table TABLE = {pass, slope, curvature, cross, fold, TABLE_NAME};
