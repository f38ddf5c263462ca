/* kernels_products.h - gram(), cross(), sweep() and factor() of kernels.h: products of columns with columns in tiles of
 * four by four, and updates of all columns by four at a time. A part of kernels_impl.h, whose dots4() and dot1() it
 * uses.
 */
/* How many numbers of a cross() keeps in the caches while it reads all of b. */
#define HELD 32768
enum { PIVOTS = 4 }; /* columns of a matrix that sweep() takes at a time */

/* Products of four columns with four: every number that is read enters four sums. The sums are variables: compilers
 * keep arrays in memory and not in registers. */
static void pairs4(const double *const a[4], const double *const b[4], size_t n, double out[4][4])
{
#define ROW(k) s##k##0 = ZERO, s##k##1 = ZERO, s##k##2 = ZERO, s##k##3 = ZERO
  vec ROW(0), ROW(1), ROW(2), ROW(3);
#undef ROW
  const size_t rest = n % LANES, whole = n - rest;
#define ADD(k, w)                                                                                  \
  s##k##0 += (w)*b0;                                                                               \
  s##k##1 += (w)*b1;                                                                               \
  s##k##2 += (w)*b2;                                                                               \
  s##k##3 += (w)*b3
  for (size_t i = 0; i < whole; i += LANES) {
    const vec b0 = load(b[0] + i), b1 = load(b[1] + i), b2 = load(b[2] + i), b3 = load(b[3] + i);
    const vec a0 = load(a[0] + i), a1 = load(a[1] + i), a2 = load(a[2] + i), a3 = load(a[3] + i);
    ADD(0, a0);
    ADD(1, a1);
    ADD(2, a2);
    ADD(3, a3);
  }
  if (rest) {
    const vec b0 = part(b[0] + whole, rest), b1 = part(b[1] + whole, rest);
    const vec b2 = part(b[2] + whole, rest), b3 = part(b[3] + whole, rest);
    ADD(0, part(a[0] + whole, rest));
    ADD(1, part(a[1] + whole, rest));
    ADD(2, part(a[2] + whole, rest));
    ADD(3, part(a[3] + whole, rest));
  }
#undef ADD
  totals(s00, s01, s02, s03, out[0]);
  totals(s10, s11, s12, s13, out[1]);
  totals(s20, s21, s22, s23, out[2]);
  totals(s30, s31, s32, s33, out[3]);
}

/* A tile of fewer than four columns is filled by repeating the last column; the extra products are not stored. */
static void gram(const column_view *x, double *out)
{
  const size_t p = x->p;
  for (size_t j = 0; j < p; j += 4)
    for (size_t l = 0; l <= j; l += 4) {
      const double *a[4], *b[4];
      double tile[4][4];
      for (size_t k = 0; k < 4; k++) {
        a[k] = x->x + (j + k < p ? j + k : p - 1) * x->ld;
        b[k] = x->x + (l + k < p ? l + k : p - 1) * x->ld;
      }
      pairs4(a, b, x->n, tile);
      for (size_t k = 0; k < 4 && j + k < p; k++)
        for (size_t m = 0; m < 4 && l + m < p; m++)
          out[j + k + (l + m) * p] = out[l + m + (j + k) * p] = tile[k][m];
    }
}

/* Takes as many columns of a at a time as stay in the caches, and their products with all of b. Columns of b that do
 * not fill a tile are taken one by one, summed in the order of pairs4(). */
static void cross(const column_view *a, const column_view *b, double *out, size_t ldo)
{
  static const double zero[4] = {0, 0, 0, 0};
  const size_t n = a->n, whole = b->p - b->p % 4;
  const size_t fit = HELD / (n + 1), held = fit > 4 ? fit - fit % 4 : 4;
  for (size_t from = 0; from < a->p; from += held) {
    const size_t to = from + held < a->p ? from + held : a->p;
    for (size_t l = 0; l < whole; l += 4)
      for (size_t j = from; j < to; j += 4) {
        const double *left[4], *right[4];
        double tile[4][4];
        for (size_t k = 0; k < 4; k++) {
          left[k] = a->x + (j + k < to ? j + k : to - 1) * a->ld;
          right[k] = b->x + (l + k) * b->ld;
        }
        pairs4(right, left, n, tile);
        for (size_t m = 0; m < 4; m++)
          for (size_t k = 0; k < 4 && j + k < to; k++) out[j + k + (l + m) * ldo] = tile[m][k];
      }
    for (size_t l = whole; l < b->p; l++) {
      const double *u = b->x + l * b->ld;
      double *to_l = out + l * ldo;
      size_t j = from;
      for (; j + 4 <= to; j += 4) dots4(a->x + j * a->ld, a->ld, zero, u, n, to_l + j);
      for (; j < to; j++) to_l[j] = dot1(a->x + j * a->ld, 0, u, n);
    }
  }
}

/* D (columns PIVOTS apart) <- D^-1, D of `count` rows and columns, zero elsewhere. Returns the determinant, 0 if D is
 * not positive definite. */
static double invert_block(double *D, size_t count)
{
  double det = 1;
  for (size_t k = 0; k < count; k++) {
    double *own = D + k * PIVOTS;
    const double pivot = own[k];
    if (!(pivot > 0)) return 0;
    det *= pivot;
    own[k] = 1;
    for (size_t i = 0; i < PIVOTS; i++) own[i] /= pivot;
    for (size_t j = 0; j < count; j++) {
      double *to = D + j * PIVOTS;
      const double share = to[k];
      if (j == k) continue;
      to[k] = 0;
      for (size_t i = 0; i < PIVOTS; i++) to[i] -= share * own[i];
    }
  }
  return det;
}

/* In columns j and j + 1 of X: x_j[i] -= sum_k W_k[i] P_k[j], from i = j on, k < PIVOTS. All columns are ld apart. */
static void sweep_pair(double *X, size_t ld, size_t j, const double *P, const double *W)
{
  const double *W1 = W + ld, *W2 = W1 + ld, *W3 = W2 + ld, *p = P + j;
  double *x = X + j * ld, *y = x + ld;
  const vec a0 = all(p[0]), a1 = all(p[ld]), a2 = all(p[2 * ld]), a3 = all(p[3 * ld]);
  const vec b0 = all(p[1]), b1 = all(p[ld + 1]), b2 = all(p[2 * ld + 1]), b3 = all(p[3 * ld + 1]);
  for (size_t i = j - j % LANES; i < ld; i += LANES) {
    const vec w0 = load(W + i), w1 = load(W1 + i), w2 = load(W2 + i), w3 = load(W3 + i);
    store(x + i, load(x + i) - ((a0 * w0 + a1 * w1) + (a2 * w2 + a3 * w3)));
    store(y + i, load(y + i) - ((b0 * w0 + b1 * w1) + (b2 * w2 + b3 * w3)));
  }
}

/* W <- P D, ld rows of four columns. */
static void times_block(const double *P, const double *D, size_t ld, double *W)
{
  const double *P1 = P + ld, *P2 = P1 + ld, *P3 = P2 + ld;
  for (size_t k = 0; k < PIVOTS; k++, D += PIVOTS, W += ld)
    for (size_t i = 0; i < ld; i += LANES)
      store(W + i, (load(P + i) * D[0] + load(P1 + i) * D[1]) +
                       (load(P2 + i) * D[2] + load(P3 + i) * D[3]));
}

/* Sweeps PIVOTS columns B at a time: with P = A_.B, D = A_BB and W = P D^-1 the columns B become W, A_BB becomes -D^-1
 * and the rest A - W P'; after all sweeps A is -A^-1. X is the lower triangle, its columns padded to whole vectors. The
 * rows B of W are set to I - D^-1, so that the update A - W P' turns the rows B into W', too. */
static int sweep(double *A, size_t m, double *work, double *logdet)
{
  const size_t ld = (m + LANES - 1) / LANES * LANES, columns = m + m % 2;
  double *X = work, *P = X + columns * ld, *W = P + PIVOTS * ld;
  memset(work, 0, (columns + 2 * PIVOTS) * ld * sizeof(double));
  for (size_t j = 0; j < m; j++)
    for (size_t i = 0; i <= j; i++) X[j + i * ld] = A[i + j * m];
  *logdet = 0;
  for (size_t from = 0; from < m; from += PIVOTS) {
    const size_t count = m - from < PIVOTS ? m - from : PIVOTS;
    double D[PIVOTS * PIVOTS] = {0};
    if (count < PIVOTS) memset(P, 0, PIVOTS * ld * sizeof(double));
    for (size_t k = 0, own = from; k < count; k++, own++) {
      double *p = P + k * ld;
      for (size_t i = 0; i < own; i++) p[i] = X[own + i * ld];
      memcpy(p + own, X + own * (ld + 1), (m - own) * sizeof(double));
      memcpy(D + k * PIVOTS, p + from, count * sizeof(double));
    }
    const double det = invert_block(D, count);
    if (!(det > 0)) return 0;
    *logdet += log(det);
    times_block(P, D, ld, W);
    for (size_t k = 0; k < count; k++)
      for (size_t i = 0; i < count; i++)
        W[from + i + k * ld] = (double)(i == k) - D[i + k * PIVOTS];
    for (size_t j = 0; j < m; j += 2) sweep_pair(X, ld, j, P, W);
    for (size_t k = 0; k < count; k++) {
      double *x = X + (from + k) * ld;
      memcpy(x + from + count, W + from + count + k * ld, (m - from - count) * sizeof(double));
      for (size_t i = k; i < count; i++) x[from + i] = -D[i + k * PIVOTS];
    }
  }
  for (size_t j = 0; j < m; j++)
    for (size_t i = 0; i <= j; i++) A[i + j * m] = A[j + i * m] = -X[j + i * ld];
  return 1;
}

enum { FACTOR_WIDTH = 64 }; /* columns subtracted from all later ones while in the cache */

/* Subtracts from columns j to j + 3, in LANES rows from i on, columns r to end - 1 times their numbers in rows j to
 * j + 3. */
static void factor_rows(double *A, size_t ld, size_t j, size_t i, size_t r, size_t end)
{
  double *to = A + i + j * ld;
  const double *x = A + i + r * ld, *b = A + j + r * ld;
  vec c0 = load(to), c1 = load(to + ld), c2 = load(to + 2 * ld), c3 = load(to + 3 * ld);
  for (; r < end; r++, x += ld, b += ld) {
    const vec l = load(x);
    c0 -= l * all(b[0]);
    c1 -= l * all(b[1]);
    c2 -= l * all(b[2]);
    c3 -= l * all(b[3]);
  }
  store(to, c0);
  store(to + ld, c1);
  store(to + 2 * ld, c2);
  store(to + 3 * ld, c3);
}

/* Four columns at a time: subtracts the columns before them, then factors the four. */
static int factor(double *A, size_t ld, size_t m)
{
  for (size_t j = 0, wide = 0; j < m; j += KERNELS_PIVOTS) {
    const size_t from = j - j % LANES;
    if (j == wide + FACTOR_WIDTH) {
      for (size_t l = j; l < m; l += KERNELS_PIVOTS)
        for (size_t i = l - l % LANES; i < ld; i += LANES) factor_rows(A, ld, l, i, wide, j);
      wide = j;
    }
    for (size_t i = from; i < ld; i += LANES) factor_rows(A, ld, j, i, wide, j);
    for (size_t k = 0; k < KERNELS_PIVOTS; k++) {
      double *x = A + (j + k) * ld;
      if (!(x[j + k] > 0)) return 0;
      const double by = 1 / sqrt(x[j + k]);
      for (size_t i = from; i < ld; i += LANES) store(x + i, load(x + i) * by);
      for (size_t l = k + 1; l < KERNELS_PIVOTS; l++) {
        double *y = A + (j + l) * ld;
        const double share = x[j + l];
        for (size_t i = from; i < ld; i += LANES) store(y + i, load(y + i) - load(x + i) * share);
      }
    }
  }
  return 1;
}
