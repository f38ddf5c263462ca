/* softmax_tiles.h - sums over columns, and exp(), in vectors; for softmax_impl.h,
 * which says what LANES is. Tiles of A columns (or vectors of rows) by B classes stay in registers.
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

/* exp(x) for x <= 0, not below exp(-700). x = n ln 2 + f, |f| <= ln 2 / 2; a polynomial of degree
 * 11 through Chebyshev's points leaves less than 2e-17. n is rounded by adding 1.5 2^52, whose last
 * bits it then is. */
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

/* Prefetches what a column holds `bytes` further on: its run in a block is too short for the
 * processor to see where the next one starts. Tiles of TILE_B classes prefetch for the tiles after
 * them; with fewer classes that would cost more than it saves. A prefetch is a hint, which changes
 * no result; its address may lie outside of the array, so it is computed as a number. */
#if defined(__GNUC__)
#define FETCH(p, bytes) __builtin_prefetch((const void *)((uintptr_t)(p) + (bytes)), 0, 2)
#else
#define FETCH(p, bytes) ((void)(bytes))
#endif
#define FETCHED_COLUMNS 128 /* in a block: 256 KB, a quarter of a cache of one processor */

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
                       const int first, size_t ahead, double *out)
{
  vec s[TILE_A][TILE_B];
  UNROLL for (int a = 0; a < TILE_A; a++) UNROLL for (int b = 0; b < B; b++) s[a][b] = all(0);
  for (size_t j = 0; j < t; j++) {
    vec xa[TILE_A];
    UNROLL for (int a = 0; a < TILE_A; a++) xa[a] = load(x + j * SOFTMAX_STEP + a * LANES);
    if (first)
      UNROLL for (int a = 0; a < TILE_A; a++)
          FETCH(x + j * SOFTMAX_STEP + a * LANES, ahead * sizeof(double));
    UNROLL for (int b = 0; b < B; b++)
    {
      const vec wb = all(w[j * K + b]);
      UNROLL for (int a = 0; a < TILE_A; a++) s[a][b] += xa[a] * wb;
    }
  }
  UNROLL for (int a = 0; a < TILE_A; a++) UNROLL for (int b = 0; b < B; b++)
      store(out + b * SOFTMAX_STEP + a * LANES, s[a][b]);
}

static void scores(const double *x, size_t t, const double *w, size_t K, size_t n, size_t ahead,
                   double *out)
{
  for (size_t i = 0; i < n; i += TILE_A * LANES) {
    const double *xi = x + i;
    double *o = out + i;
    size_t b = 0;
    if (K >= 5) {
      score_tile(xi, t, w, K, 5, 1, ahead, o);
      b = 5;
    }
    for (; b + 5 <= K; b += 5) score_tile(xi, t, w + b, K, 5, 0, 0, o + b * SOFTMAX_STEP);
    o += b * SOFTMAX_STEP;
    switch (K - b) {
    case 4:
      score_tile(xi, t, w + b, K, 4, 0, 0, o);
      break;
    case 3:
      score_tile(xi, t, w + b, K, 3, 0, 0, o);
      break;
    case 2:
      score_tile(xi, t, w + b, K, 2, 0, 0, o);
      break;
    case 1:
      score_tile(xi, t, w + b, K, 1, 0, 0, o);
      break;
    default:
      break;
    }
  }
}
