/* vectors.h - vectors of LANES doubles, for kernels_impl.h and softmax_impl.h, which are compiled
 * once per instruction set: LANES is 8, 4 or 2 there. Vectors are of the machine's native width:
 * wider types split by the compiler are many times slower. Where the compiler has no vector
 * extension a vector is one double, and LANES becomes 1.
 *
 *   load, store    LANES numbers at any address; widened, store_narrow  the same for floats
 *   singles        a vector of 2 LANES floats
 *   all(a)         a in every lane
 *   larger(a, b)   the larger, lane by lane; b where a is NaN
 *   where_above(a, low, v)  v where a > low, else NAN
 *   part(p, k)     k < LANES numbers from p on, then zeros
 *   total(v)       the sum of the lanes
 *   totals(a, b, c, d, out)  out[0..3]: total() of the four, the same to the last bit
 */
#ifndef TRANSELECT_VECTORS_H
#define TRANSELECT_VECTORS_H

#include <math.h>
#include <stddef.h>

#if defined(__GNUC__)
typedef double vec __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef long long bits __attribute__((vector_size(8 * LANES)));
#define ZERO ((vec){0})
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
  return ZERO + a;
}
static inline vec where_above(vec a, double low, vec v)
{
  const bits mask = (bits)(a > all(low));
  return (vec)((mask & (bits)v) | (~mask & (bits)all(NAN)));
}
typedef float singles __attribute__((vector_size(8 * LANES), aligned(4), may_alias));
typedef float narrow __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
static inline vec widened(const float *p)
{
  return (vec) __builtin_convertvector(*(const narrow *)p, vec);
}
static inline void store_narrow(float *p, vec v)
{
  *(narrow *)p = __builtin_convertvector(v, narrow);
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
#define ZERO 0.0
#define load(p) (*(p))
#define store(p, v) (*(p) = (v))
#define all(a) (a)
#define where_above(a, low, v) ((a) > (low) ? (v) : NAN)
typedef float singles;
#define widened(p) ((double)*(p))
#define store_narrow(p, v) (*(p) = (float)(v))
#define INLINE static inline
#define UNROLL
#endif

#if LANES == 8
#include <immintrin.h>
static inline vec part(const double *p, size_t k)
{
  return (vec)_mm512_maskz_loadu_pd((__mmask8)((1u << k) - 1), p);
}
static inline double total(vec v)
{
  return _mm512_reduce_add_pd((__m512d)v);
}
static inline vec larger(vec a, vec b)
{
  return (vec)_mm512_max_pd((__m512d)a, (__m512d)b);
}
#elif LANES == 4
#include <immintrin.h>
static inline vec part(const double *p, size_t k)
{
  static const long long mask[8] = {-1, -1, -1, -1, 0, 0, 0, 0};
  return (vec)_mm256_maskload_pd(p, _mm256_loadu_si256((const __m256i *)(mask + 4 - k)));
}
static inline double total(vec v)
{
  return (v[0] + v[2]) + (v[1] + v[3]);
}
static inline vec larger(vec a, vec b)
{
  return (vec)_mm256_max_pd((__m256d)a, (__m256d)b);
}
#elif LANES == 2
static inline vec part(const double *p, size_t k)
{
  return (vec){k ? p[0] : 0, 0};
}
static inline double total(vec v)
{
  return v[0] + v[1];
}
static inline vec larger(vec a, vec b)
{
  const bits mask = (bits)(a > b);
  return (vec)((mask & (bits)a) | (~mask & (bits)b));
}
#else
#define part(p, k) 0.0
#define total(v) (v)
#define larger(a, b) ((a) > (b) ? (a) : (b))
#endif

#if LANES >= 4
/* The upper half of a vector is added to the lower half, for all four vectors in the same instructions. */
static inline __m256d folded(vec v)
{
#if LANES == 8
  return _mm512_castpd512_pd256((__m512d)v) + _mm512_extractf64x4_pd((__m512d)v, 1);
#else
  return (__m256d)v;
#endif
}
static inline __m256d folded_pair(vec a, vec b)
{
  const __m256d x = folded(a), y = folded(b);
  return _mm256_permute2f128_pd(x, y, 0x20) + _mm256_permute2f128_pd(x, y, 0x31);
}
static inline void totals(vec a, vec b, vec c, vec d, double *out)
{
  const __m256d acbd = _mm256_hadd_pd(folded_pair(a, b), folded_pair(c, d));
  _mm256_storeu_pd(out, _mm256_permute4x64_pd(acbd, 0xd8));
}
#else
static inline void totals(vec a, vec b, vec c, vec d, double *out)
{
  out[0] = total(a);
  out[1] = total(b);
  out[2] = total(c);
  out[3] = total(d);
}
#endif

#endif
