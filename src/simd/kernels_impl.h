/* kernels_impl.h - the functions of kernels.h; included once per instruction set with
 *   LANES   doubles in a vector register
 *   TABLE   name of the kernel_table to define, TABLE_NAME its name as text
 */
#include <math.h>
#include <string.h>

#include "kernels.h"
#include "vectors.h"

/* Lengths between which dots() reads columns one after the other. */
#define STREAM_FROM 48
#define STREAM_TO 1500

static void dots4(const double *x, size_t ld, const double c[4], const double *u, size_t n,
                  double *out)
{
  const double *x0 = x, *x1 = x + ld, *x2 = x + 2 * ld, *x3 = x + 3 * ld;
  vec s0 = ZERO, s1 = ZERO, s2 = ZERO, s3 = ZERO;
  const size_t rest = n % LANES, whole = n - rest;
  for (size_t i = 0; i < whole; i += LANES) {
    const vec w = load(u + i);
    s0 += (load(x0 + i) - c[0]) * w;
    s1 += (load(x1 + i) - c[1]) * w;
    s2 += (load(x2 + i) - c[2]) * w;
    s3 += (load(x3 + i) - c[3]) * w;
  }
  if (rest) {
    const vec w = part(u + whole, rest);
    s0 += (part(x0 + whole, rest) - c[0]) * w;
    s1 += (part(x1 + whole, rest) - c[1]) * w;
    s2 += (part(x2 + whole, rest) - c[2]) * w;
    s3 += (part(x3 + whole, rest) - c[3]) * w;
  }
  out[0] = total(s0);
  out[1] = total(s1);
  out[2] = total(s2);
  out[3] = total(s3);
}

static double dot1(const double *x, double c, const double *u, size_t n)
{
  vec s = ZERO;
  const size_t rest = n % LANES, whole = n - rest;
  for (size_t i = 0; i < whole; i += LANES) s += (load(x + i) - c) * load(u + i);
  if (rest) s += (part(x + whole, rest) - c) * part(u + whole, rest);
  return total(s);
}

/* One column, with four accumulators. */
static double stream1(const double *x, double c, const double *u, size_t n)
{
  vec s0 = ZERO, s1 = ZERO, s2 = ZERO, s3 = ZERO;
  const size_t rest = n % LANES, whole = n - rest;
  size_t i = 0;
  for (; i + 4 * LANES <= n; i += 4 * LANES) {
    s0 += (load(x + i) - c) * load(u + i);
    s1 += (load(x + i + LANES) - c) * load(u + i + LANES);
    s2 += (load(x + i + 2 * LANES) - c) * load(u + i + 2 * LANES);
    s3 += (load(x + i + 3 * LANES) - c) * load(u + i + 3 * LANES);
  }
  for (; i < whole; i += LANES) s0 += (load(x + i) - c) * load(u + i);
  if (rest) s1 += (part(x + whole, rest) - c) * part(u + whole, rest);
  return total((s0 + s1) + (s2 + s3));
}

static int streams(size_t n)
{
  return n >= STREAM_FROM && n <= STREAM_TO;
}

static double dot_of(const double *a, const double *b, size_t n)
{
  return streams(n) ? stream1(a, 0, b, n) : dot1(a, 0, b, n);
}

/* Columns of STREAM_FROM to STREAM_TO numbers are read one after the other: the processor prefetches one
 * stream best, and u stays in the first cache. Shorter columns are read four at a time to share the
 * cost of adding up the lanes, longer columns to share the reads of u. */
static void dots(const column_view *of, const double *c, const double *u, double *out)
{
  static const double zero[4] = {0, 0, 0, 0};
  const double *x = of->x;
  const size_t ld = of->ld, n = of->n, p = of->p;
  size_t j = 0;
  if (streams(n)) {
    for (; j < p; j++) out[j] = stream1(x + j * ld, c ? c[j] : 0, u, n);
    return;
  }
  for (; j + 4 <= p; j += 4) dots4(x + j * ld, ld, c ? c + j : zero, u, n, out + j);
  for (; j < p; j++) out[j] = dot1(x + j * ld, c ? c[j] : 0, u, n);
}

/* Products of one column with W columns of u. Each product is two sums, over even and over odd vectors, so that fewer
 * additions wait for another. The sums are variables: compilers keep arrays in memory and not in registers. */
#define EACH2(DO) DO(0) DO(1)
#define EACH3(DO) EACH2(DO) DO(2)
#define EACH4(DO) EACH3(DO) DO(3)
#define START(k)                                                                                   \
  const double *u##k = u + k * ld;                                                                 \
  vec even##k = ZERO, odd##k = ZERO;
#define BOTH(k)                                                                                    \
  even##k += d * load(u##k + i);                                                                   \
  odd##k += e * load(u##k + i + LANES);
#define LAST(k) even##k += d * load(u##k + i);
#define REST(k) odd##k += d * part(u##k + whole, rest);
#define PUT(k) out[k] = total(even##k + odd##k);
#define MULTI(W)                                                                                   \
  static void multi##W(const double *x, double c, const double *u, size_t ld, size_t n,            \
                       double *out)                                                                \
  {                                                                                                \
    const size_t rest = n % LANES, whole = n - rest;                                               \
    size_t i = 0;                                                                                  \
    EACH##W(START);                                                                                \
    for (; i + 2 * LANES <= n; i += 2 * LANES) {                                                   \
      const vec d = load(x + i) - c, e = load(x + i + LANES) - c;                                  \
      EACH##W(BOTH);                                                                               \
    }                                                                                              \
    if (i < whole) {                                                                               \
      const vec d = load(x + i) - c;                                                               \
      EACH##W(LAST);                                                                               \
    }                                                                                              \
    if (rest) {                                                                                    \
      const vec d = part(x + whole, rest) - c;                                                     \
      EACH##W(REST);                                                                               \
    }                                                                                              \
    EACH##W(PUT);                                                                                  \
  }
#define EACH1(DO) DO(0)
MULTI(1)
MULTI(2)
MULTI(3)
MULTI(4)
#undef EACH1
#undef EACH2
#undef EACH3
#undef EACH4
#undef START
#undef BOTH
#undef LAST
#undef REST
#undef PUT
#undef MULTI

/* Four columns at a time; the last five are taken as three and two, so that none is taken alone. */
static void dots_multi(const double *x, double c, const column_view *u, double *out)
{
  const double *next = u->x;
  size_t left = u->p;
  for (; left > 5 || left == 4; left -= 4, next += 4 * u->ld, out += 4)
    multi4(x, c, next, u->ld, u->n, out);
  if (left == 5) {
    multi3(x, c, next, u->ld, u->n, out);
    multi2(x, c, next + 3 * u->ld, u->ld, u->n, out + 3);
  } else if (left == 3)
    multi3(x, c, next, u->ld, u->n, out);
  else if (left == 2)
    multi2(x, c, next, u->ld, u->n, out);
  else if (left == 1)
    multi1(x, c, next, u->ld, u->n, out);
}

/* Four columns of u at a time with two vectors of z; where fewer than four are left, the last column takes the places
 * of those that are missing. */
static void panel_dots(const double *z, const column_view *u, double *out, size_t ldo)
{
  for (size_t b = 0; b < u->p; b += 4) {
    const double *u0 = u->x + b * u->ld, *last = u->x + (u->p - 1) * u->ld;
    const double *u1 = b + 1 < u->p ? u0 + u->ld : last, *u2 = b + 2 < u->p ? u1 + u->ld : last;
    const double *u3 = b + 3 < u->p ? u2 + u->ld : last;
    for (size_t l = 0; l < KERNELS_PANEL; l += 2 * LANES) {
      vec s0 = ZERO, s1 = ZERO, s2 = ZERO, s3 = ZERO, t0 = ZERO, t1 = ZERO, t2 = ZERO, t3 = ZERO;
      const double *row = z + l;
      double *to = out + l + b * ldo;
      for (size_t i = 0; i < u->n; i++, row += KERNELS_PANEL) {
        const vec d = load(row), e = load(row + LANES);
        s0 += d * u0[i];
        t0 += e * u0[i];
        s1 += d * u1[i];
        t1 += e * u1[i];
        s2 += d * u2[i];
        t2 += e * u2[i];
        s3 += d * u3[i];
        t3 += e * u3[i];
      }
      store(to, s0);
      store(to + LANES, t0);
      store(to + ldo, s1);
      store(to + ldo + LANES, t1);
      store(to + 2 * ldo, s2);
      store(to + 2 * ldo + LANES, t2);
      store(to + 3 * ldo, s3);
      store(to + 3 * ldo + LANES, t3);
    }
  }
}

/* Numbers that do not fill a vector are compared one by one. */
static int any_above(const double *a, const double *d, double bar, size_t n)
{
  size_t i = 0;
  int any = 0;
#if LANES > 1
  bits found = (bits)ZERO;
  for (; i + LANES <= n; i += LANES) {
    const vec ai = load(a + i), di = load(d + i);
    found |= (bits)(ai * ai > bar * di) & (bits)(di > all(0));
  }
  for (int k = 0; k < LANES; k++) any |= found[k] != 0;
#endif
  for (; i < n; i++) any |= a[i] * a[i] > bar * d[i] && d[i] > 0;
  return any;
}

/* Numbers that do not fill a vector are added one by one. */
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

static void downdate(const double *u, double q, size_t n, double *d, double *r)
{
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    const vec w = load(u + i);
    store(d + i, load(d + i) - w * w);
    store(r + i, load(r + i) - w * q);
  }
  for (; i < n; i++) {
    d[i] -= u[i] * u[i];
    r[i] -= u[i] * q;
  }
}

static void scaled(const double *x, double c, double a, size_t n, double *y)
{
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) store(y + i, (load(x + i) - c) * a);
  for (; i < n; i++) y[i] = (x[i] - c) * a;
}

static void left_out(const model_rows *m, double c, size_t n, double *sums)
{
  const double *d = m->d, *r = m->r, *y = m->y, *v = m->v;
  double *left = m->left, *residual = m->residual;
  vec loss = ZERO, trace = ZERO, yr = ZERO, rr = ZERO;
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    const vec own = load(d + i), res = load(r + i);
    vec share = all(c);
    if (v) share *= load(v + i);
    const vec rest = own - share;
    const vec e = where_above(rest, LEAST_LEFT, res / rest);
    loss += e * e;
    trace += own;
    yr += load(y + i) * res;
    rr += res * res;
    if (!left) continue;
    store(left + i, load(left + i) + e);
    store(residual + i, load(residual + i) + res);
  }
  double part[4];
  totals(loss, trace, yr, rr, part);
  for (; i < n; i++) {
    const double rest = d[i] - (v ? v[i] * c : c), e = rest > LEAST_LEFT ? r[i] / rest : NAN;
    part[0] += e * e;
    part[1] += d[i];
    part[2] += y[i] * r[i];
    part[3] += r[i] * r[i];
    if (!left) continue;
    left[i] += e;
    residual[i] += r[i];
  }
  for (size_t k = 0; k < 4; k++) sums[k] += part[k];
}

/* Four columns at a time: y is read and written once for them. */
static void combine(const double *const *x, const double *a, size_t m, size_t n, double *y)
{
  size_t k = 0;
  for (; k + 4 <= m; k += 4) {
    const double *x0 = x[k], *x1 = x[k + 1], *x2 = x[k + 2], *x3 = x[k + 3];
    const double a0 = a[k], a1 = a[k + 1], a2 = a[k + 2], a3 = a[k + 3];
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
      store(y + i, load(y + i) + ((a0 * load(x0 + i) + a1 * load(x1 + i)) +
                                  (a2 * load(x2 + i) + a3 * load(x3 + i))));
    for (; i < n; i++) y[i] += (a0 * x0[i] + a1 * x1[i]) + (a2 * x2[i] + a3 * x3[i]);
  }
  for (; k < m; k++) axpy(a[k], x[k], n, y);
}

/* Four rows at a time, whose sums do not wait for one another. */
static void lower(const double *L, size_t ld, size_t k, double *x)
{
  static const double zero[4] = {0, 0, 0, 0};
  size_t r = 0;
  for (; r + 4 <= k; r += 4) {
    const double *row = L + r * ld;
    double sum[4];
    dots4(row, ld, zero, x, r, sum);
    for (size_t i = 0; i < 4; i++) {
      for (size_t l = 0; l < i; l++) sum[i] += row[i * ld + r + l] * x[r + l];
      x[r + i] = (x[r + i] - sum[i]) / row[i * ld + r + i];
    }
  }
  for (; r < k; r++) x[r] = (x[r] - dot1(L + r * ld, 0, x, r)) / L[r * ld + r];
}

static void upper(const double *L, size_t ld, size_t k, double *x)
{
  size_t r = k;
  while (r % 4) {
    r--;
    x[r] /= L[r * ld + r];
    axpy(-x[r], L + r * ld, r, x);
  }
  while (r) {
    r -= 4;
    const double *row[4];
    double a[4];
    for (size_t i = 4; i-- > 0;) {
      row[i] = L + (r + i) * ld;
      x[r + i] /= row[i][r + i];
      for (size_t l = 0; l < i; l++) x[r + l] -= row[i][r + l] * x[r + i];
      a[i] = -x[r + i];
    }
    combine(row, a, 4, r, x);
  }
}

#include "kernels_products.h"

/* waits() for one group of n numbers, one by one. */
static double wait_among(const double *rho, const double *g, const double *bar, size_t n)
{
  double first = INFINITY;
  for (size_t i = 0; i < n; i++) {
    const double rate = fabs(g[i]), way = 1 - (g[i] > 0 ? rho[i] : -rho[i]);
    if (rate > bar[i] && way < first * rate) first = way / rate;
  }
  return first;
}

#if LANES > 1
/* waits() for one group by operations on bits: rho is multiplied by the sign of g, and times with |g| <= bar become
 * infinite. */
static double wait_of_group(const double *rho, const double *g, const double *bar)
{
  const bits sign = (bits)-ZERO, none = (bits)(ZERO + INFINITY);
  vec first = (vec)none;
  for (size_t i = 0; i < WAIT_GROUP; i += LANES) {
    const bits v = (bits)load(g + i);
    const vec rate = (vec)(v & ~sign), way = 1 - (vec)((bits)load(rho + i) ^ (v & sign));
    const bits counts = (bits)(rate > load(bar + i));
    const vec wait = (vec)(((bits)(way / rate) & counts) | (none & ~counts));
    const bits earlier = (bits)(wait < first);
    first = (vec)(((bits)wait & earlier) | ((bits)first & ~earlier));
  }
  double out = first[0];
  for (size_t k = 1; k < LANES; k++) out = first[k] < out ? first[k] : out;
  return out;
}
#else
#define wait_of_group(rho, g, bar) wait_among(rho, g, bar, WAIT_GROUP)
#endif

static void waits(const double *rho, const double *g, const double *bar, size_t n, double *first)
{
  size_t i = 0;
  for (; i + WAIT_GROUP <= n; i += WAIT_GROUP) *first++ = wait_of_group(rho + i, g + i, bar + i);
  if (i < n) *first = wait_among(rho + i, g + i, bar + i, n - i);
}

static void scatter4(const column_view *x, const double c[4], const double *u, const int *of,
                     double *acc)
{
  const double *x0 = x->x, *x1 = x0 + x->ld, *x2 = x1 + x->ld, *x3 = x2 + x->ld;
  const size_t n = x->n;
#if LANES >= 4
  typedef double quad __attribute__((vector_size(32), aligned(8), may_alias));
  const quad center = {c[0], c[1], c[2], c[3]};
  for (size_t i = 0; i < n; i++) {
    quad *to = (quad *)(acc + 4 * (size_t)of[i]);
    *to += ((quad){x0[i], x1[i], x2[i], x3[i]} - center) * u[i];
  }
#else
  for (size_t i = 0; i < n; i++) {
    double *to = acc + 4 * (size_t)of[i];
    to[0] += (x0[i] - c[0]) * u[i];
    to[1] += (x1[i] - c[1]) * u[i];
    to[2] += (x2[i] - c[2]) * u[i];
    to[3] += (x3[i] - c[3]) * u[i];
  }
#endif
}

const kernel_table TABLE = {dot_of, dots,     dots_multi, panel_dots, any_above, sum,
                            spread, axpy,     downdate,   scaled,     left_out,  combine,
                            lower,  upper,    gram,       cross,      sweep,     factor,
                            waits,  scatter4, LANES,      TABLE_NAME};
