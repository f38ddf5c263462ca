/* kernels_impl.h - the bodies of kernels.h; included once per instruction set with
 *   LANES   doubles in a vector register
 *   TABLE   name of the kernel_table to define, TABLE_NAME its name as text
 * Vectors are of the machine's native width: wider types split by the compiler are many times
 * slower. Where the compiler has no vector extension, a struct of one lane stands in.
 */
#include "kernels.h"

#if defined(__GNUC__)
typedef double vec __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
#define ZERO ((vec){0})
static inline vec load(const double *p)
{
  return *(const vec *)p;
}
static inline void store(double *p, vec v)
{
  *(vec *)p = v;
}
static inline double total(vec v)
{
  double half[LANES];
  for (int l = 0; l < LANES; l++) half[l] = v[l];
  for (int w = LANES / 2; w > 0; w /= 2)
    for (int l = 0; l < w; l++) half[l] += half[l + w];
  return half[0];
}
#else
#undef LANES
#define LANES 1
typedef double vec;
#define ZERO 0.0
#define load(p) (*(p))
#define store(p, v) (*(p) = (v))
#define total(v) (v)
#endif

/* Every dot product here: whole vectors into one accumulator, then the rest one by one. */
static void dots4(const double *x, size_t ld, const double c[4], const double *u, size_t n,
                  double *out)
{
  const double *x0 = x, *x1 = x + ld, *x2 = x + 2 * ld, *x3 = x + 3 * ld;
  vec s0 = ZERO, s1 = ZERO, s2 = ZERO, s3 = ZERO;
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    vec w = load(u + i);
    s0 += (load(x0 + i) - c[0]) * w;
    s1 += (load(x1 + i) - c[1]) * w;
    s2 += (load(x2 + i) - c[2]) * w;
    s3 += (load(x3 + i) - c[3]) * w;
  }
  double t0 = 0, t1 = 0, t2 = 0, t3 = 0;
  for (; i < n; i++) {
    t0 += (x0[i] - c[0]) * u[i];
    t1 += (x1[i] - c[1]) * u[i];
    t2 += (x2[i] - c[2]) * u[i];
    t3 += (x3[i] - c[3]) * u[i];
  }
  out[0] = total(s0) + t0;
  out[1] = total(s1) + t1;
  out[2] = total(s2) + t2;
  out[3] = total(s3) + t3;
}

static double dot1(const double *x, double c, const double *u, size_t n)
{
  vec s = ZERO;
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) s += (load(x + i) - c) * load(u + i);
  double t = 0;
  for (; i < n; i++) t += (x[i] - c) * u[i];
  return total(s) + t;
}

static void dots(const double *x, size_t ld, size_t p, const double *c, const double *u, size_t n,
                 double *out)
{
  static const double zero[4] = {0, 0, 0, 0};
  size_t j = 0;
  for (; j + 4 <= p; j += 4) dots4(x + j * ld, ld, c ? c + j : zero, u, n, out + j);
  for (; j < p; j++) out[j] = dot1(x + j * ld, c ? c[j] : 0, u, n);
}

static void dots_multi(const double *x, double c, const double *u, size_t ldu, size_t m, size_t n,
                       double *out)
{
  size_t b = 0;
  for (; b + 4 <= m; b += 4) {
    const double *u0 = u + b * ldu, *u1 = u0 + ldu, *u2 = u1 + ldu, *u3 = u2 + ldu;
    vec s0 = ZERO, s1 = ZERO, s2 = ZERO, s3 = ZERO;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
      vec d = load(x + i) - c;
      s0 += d * load(u0 + i);
      s1 += d * load(u1 + i);
      s2 += d * load(u2 + i);
      s3 += d * load(u3 + i);
    }
    double t0 = 0, t1 = 0, t2 = 0, t3 = 0;
    for (; i < n; i++) {
      double d = x[i] - c;
      t0 += d * u0[i];
      t1 += d * u1[i];
      t2 += d * u2[i];
      t3 += d * u3[i];
    }
    out[b] = total(s0) + t0;
    out[b + 1] = total(s1) + t1;
    out[b + 2] = total(s2) + t2;
    out[b + 3] = total(s3) + t3;
  }
  for (; b < m; b++) out[b] = dot1(x, c, u + b * ldu, n);
}

static double sum(const double *x, double c, const double *v, size_t n)
{
  if (v) return dot1(x, c, v, n);
  vec s = ZERO;
  double t = 0;
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) s += load(x + i) - c;
  for (; i < n; i++) t += x[i] - c;
  return total(s) + t;
}

static double spread(const double *x, double c, const double *v, size_t n)
{
  vec s = ZERO;
  double t = 0;
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    vec d = load(x + i) - c;
    s += v ? d * d * load(v + i) : d * d;
  }
  for (; i < n; i++) {
    double d = x[i] - c;
    t += v ? d * d * v[i] : d * d;
  }
  return total(s) + t;
}

static void axpy(double a, const double *x, size_t n, double *y)
{
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) store(y + i, load(y + i) + a * load(x + i));
  for (; i < n; i++) y[i] += a * x[i];
}

const kernel_table TABLE = {dots, dots_multi, sum, spread, axpy, TABLE_NAME};
