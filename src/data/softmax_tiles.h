/* softmax_tiles.h - sums over columns, and exp(), in vectors; for softmax_impl.h,
 * which defines LANES. Tiles of A columns (or vectors of rows) by B classes stay in registers.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "softmax.h"
#include "vectors.h"

/* Tiles that fit the registers: 32 of them with AVX-512, otherwise 16. */
#define TILE_B 5
#if LANES == 8
#define TILE_A 4
#else
#define TILE_A 2
#endif

/* exp(x) for x <= 0, not below exp(-700). x = n ln 2 + f, |f| <= ln 2 / 2; exp(f) is a polynomial of degree 11 through
 * Chebyshev's points, with an error below 2e-17. n is rounded by adding 1.5 2^52, whose last bits n then is. */
#if defined(__GNUC__)
INLINE vec exp_of(vec x)
{
  x = larger(x, all(-700));
  vec n = x * 1.4426950408889634074 + 0x1.8p52;
  const bits power = (bits)n << 52;
  n -= 0x1.8p52;
  x -= n * 6.93147180369123816490e-01;
  x -= n * 1.90821492927058770002e-10;
  vec s = all(2.5100377619606372e-08);
  s = s * x + 2.7620078203806394e-07;
  s = s * x + 2.7557268476553695e-06;
  s = s * x + 2.4801521317484083e-05;
  s = s * x + 1.9841269863042963e-04;
  s = s * x + 1.3888888917199863e-03;
  s = s * x + 8.3333333333300630e-03;
  s = s * x + 4.1666666666624160e-02;
  s = s * x + 1.6666666666666669e-01;
  s = s * x + .5;
  s = s * x + 1.;
  s = s * x + 1.;
  return (vec)((bits)s + power);
}
#else
#define exp_of(x) exp((x) < -700 ? -700 : (x))
#endif

/* Prefetches a column, `bytes` behind p: its piece in a block is too short for the processor's own
 * prefetching. Tiles of TILE_B classes prefetch; with fewer classes that takes longer than it saves. A
 * prefetch changes no result; its address, which may be outside of the array, is computed as an integer. */
#if defined(__GNUC__)
#define FETCH(p, bytes) __builtin_prefetch((const void *)((uintptr_t)(p) + (bytes)), 0, 2)
#else
#define FETCH(p, bytes) ((void)(bytes))
#endif
#define FETCHED_COLUMNS 128 /* most columns of a block: 256 KB, a quarter of the second cache */

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

/* Columns x_j, j < t, the weights w (t x K, by columns) of the first K classes, and their scores `out`. */
typedef struct {
  const double *x, *w;
  size_t t, K, ahead;
  double *out;
} score_operands;

/* The scores of B classes; first: prefetch? */
INLINE void score_tile(score_operands o, const int B, const int first)
{
  vec s[TILE_A][TILE_B];
  UNROLL for (int a = 0; a < TILE_A; a++) UNROLL for (int b = 0; b < B; b++) s[a][b] = all(0);
  for (size_t j = 0; j < o.t; j++) {
    const double *x = o.x + j * SOFTMAX_STEP;
    vec xa[TILE_A];
    UNROLL for (int a = 0; a < TILE_A; a++) xa[a] = load(x + a * LANES);
    if (first)
      UNROLL for (int a = 0; a < TILE_A; a++) FETCH(x + a * LANES, o.ahead * sizeof(double));
    UNROLL for (int b = 0; b < B; b++)
    {
      const vec wb = all(o.w[j * o.K + b]);
      UNROLL for (int a = 0; a < TILE_A; a++) s[a][b] += xa[a] * wb;
    }
  }
  UNROLL for (int a = 0; a < TILE_A; a++) UNROLL for (int b = 0; b < B; b++)
      store(o.out + b * SOFTMAX_STEP + a * LANES, s[a][b]);
}

/* out <- S of n rows. */
static void scores(score_operands of, size_t n)
{
  for (size_t i = 0; i < n; i += TILE_A * LANES) {
    score_operands o = of;
    size_t left = o.K;
    o.x += i;
    o.out += i;
#define NEXT(B, first)                                                                             \
  do {                                                                                             \
    score_tile(o, B, first);                                                                       \
    o.w += (B);                                                                                    \
    o.out += (B)*SOFTMAX_STEP;                                                                     \
    left -= (B);                                                                                   \
  } while (0)
    if (left >= 5) NEXT(5, 1);
    while (left >= 5) NEXT(5, 0);
    switch (left) {
    case 4:
      score_tile(o, 4, 0);
      break;
    case 3:
      score_tile(o, 3, 0);
      break;
    case 2:
      score_tile(o, 2, 0);
      break;
    case 1:
      score_tile(o, 1, 0);
      break;
    default:
      break;
    }
#undef NEXT
  }
}
