/* softmax_impl.h - the passes of softmax.h; included once per instruction set with
 *   LANES   doubles in a vector register
 *   TABLE   name of the softmax_table to define
 * Sums over rows run in the lanes of a vector and are folded at the end of a pass, always in the
 * same order.
 */
#include "softmax_tiles.h"

/* ---- from scores to R ---- */

/* One block: s (K columns) becomes R; returns sum_i v_i loss_i. The offset is taken off the own
 * class's score, which leaves the plain softmax: no small difference of large numbers even where
 * the offset is large. The normalisers of rows that weigh the same are multiplied up, 32 in a lane,
 * and share one logarithm. */
static double normalise(double *s, int K, const int *y, const double *v, double offset, size_t rows,
                        size_t n)
{
  double top[SOFTMAX_ROWS], last[SOFTMAX_ROWS], sum[SOFTMAX_ROWS], own[SOFTMAX_ROWS];
  double loss = 0;
  for (size_t i = 0; i < n; i++) last[i] = 0;
  for (size_t i = 0; i < rows; i++) {
    double *its = y[i] < K ? s + y[i] * SOFTMAX_ROWS + i : last + i;
    own[i] = *its -= offset;
  }
  for (size_t i = 0; i < n; i += LANES) {
    vec most = load(last + i);
    for (int q = 0; q < K; q++) most = larger(load(s + q * SOFTMAX_ROWS + i), most);
    vec shares = exp_of(load(last + i) - most);
    store(last + i, shares);
    for (int q = 0; q < K; q++) {
      const vec eq = exp_of(load(s + q * SOFTMAX_ROWS + i) - most);
      store(s + q * SOFTMAX_ROWS + i, eq);
      shares += eq;
    }
    store(top + i, most);
    store(sum + i, shares);
  }
  for (size_t i = 0; i < rows; i++) {
    const double weight = v ? v[i] : 1, margin = top[i] - own[i];
    loss += v ? weight * (log(sum[i]) + margin) : margin;
    top[i] = weight / sum[i];
  }
  for (size_t i = rows; i < n; i++) {
    sum[i] = 1;
    top[i] = 0;
  }
  for (size_t i = 0; !v && i < n; i += 32 * LANES) {
    vec product = all(1);
    const size_t end = i + 32 * LANES < n ? i + 32 * LANES : n;
    for (size_t j = i; j < end; j += LANES) product *= load(sum + j);
    double lane[LANES];
    store(lane, product);
    for (int l = 0; l < LANES; l++) loss += log(lane[l]);
  }
  for (int q = 0; q < K; q++)
    for (size_t i = 0; i < n; i += LANES)
      store(s + q * SOFTMAX_ROWS + i, load(s + q * SOFTMAX_ROWS + i) * load(top + i));
  for (size_t i = 0; i < rows; i++)
    if (y[i] < K) s[y[i] * SOFTMAX_ROWS + i] -= v ? v[i] : 1;
  return loss;
}

/* Rows of block b, and the same rounded up to whole tiles. */
static size_t block_rows(const softmax *p, size_t b, size_t *n)
{
  const size_t left = p->m - b * SOFTMAX_ROWS, rows = left < SOFTMAX_ROWS ? left : SOFTMAX_ROWS;
  *n = (rows + 31) / 32 * 32;
  return rows;
}

/* How far from block b its columns are in the next, for FETCH; 0 at the last, and where the blocks
 * are so large that the next would push this one out of the cache. */
static size_t next_block(const softmax *p, size_t b)
{
  return b + 1 < p->blocks && p->t <= FETCHED_COLUMNS ? p->room * SOFTMAX_ROWS : 0;
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
    scores(x, p->t, w, K, n, next_block(p, b), r);
    if (p->base)
      for (size_t i = 0; i < K * SOFTMAX_ROWS; i++) r[i] += p->base[b * K * SOFTMAX_ROWS + i];
    f += normalise(r, p->K, p->y + b * SOFTMAX_ROWS, p->v ? p->v + b * SOFTMAX_ROWS : NULL,
                   p->offset, rows, n);
    cross(x, SOFTMAX_ROWS, p->t, r, SOFTMAX_ROWS, K, n, 0, p->acc);
  }
  fold(p->acc, p->t * K, g);
  for (size_t j = 0; j < p->t * K; j++) g[j] /= (double)p->m;
  return f / (double)p->m;
}

static double error(const softmax *p, const double *w)
{
  const int K = p->K;
  double wrong = 0;
  for (size_t b = 0; b < p->blocks; b++) {
    size_t n;
    const size_t rows = block_rows(p, b, &n);
    const int *y = p->y + b * SOFTMAX_ROWS;
    scores(p->x + b * p->room * SOFTMAX_ROWS, p->t, w, (size_t)K, n, next_block(p, b), p->work);
    for (size_t i = 0; i < rows; i++) {
      const double own = y[i] < K ? p->work[y[i] * SOFTMAX_ROWS + i] : 0;
      int beaten = y[i] < K && own < 0;
      for (int c = 0; c < K && !beaten; c++) {
        const double other = p->work[c * SOFTMAX_ROWS + i];
        beaten = other > own || (c < y[i] && other == own);
      }
      if (beaten) wrong += p->v ? p->v[b * SOFTMAX_ROWS + i] : 1;
    }
  }
  return wrong / (double)p->m;
}

static void slope(const softmax *p, size_t c, double *g)
{
  const size_t K = (size_t)p->K;
  memset(p->acc, 0, K * SOFTMAX_LANES * sizeof(double));
  for (size_t b = 0; b < p->blocks; b++) {
    size_t n;
    block_rows(p, b, &n);
    cross(p->x + (b * p->room + c) * SOFTMAX_ROWS, SOFTMAX_ROWS, 1,
          p->r + b * p->slots * SOFTMAX_ROWS, SOFTMAX_ROWS, K, n, 0, p->acc);
  }
  fold(p->acc, K, g);
  for (size_t q = 0; q < K; q++) g[q] /= (double)p->m;
}

/* Classes q0..q1-1 of curvature(), a slab whose sums fit p->acc. */
static void curvature_slab(const softmax *p, size_t from, size_t c, size_t q0, size_t q1,
                           size_t width)
{
  const size_t K = (size_t)p->K, cols = c + 1 - from;
  const size_t fetching = q0 + 1 > TILE_B ? q0 : TILE_B - 1; /* the first that can: see cross */
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
      cross(x, SOFTMAX_ROWS, cols, product, SOFTMAX_ROWS, q + 1, n,
            q == fetching ? next_block(p, b) : 0, acc);
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

const softmax_table TABLE = {pass, error, slope, curvature, cross, fold};
