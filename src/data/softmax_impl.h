/* softmax_impl.h - the passes of softmax.h; included once per instruction set with
 *   LANES   doubles in a vector register
 *   TABLE   name of the softmax_table to define
 * Sums over rows are kept in the lanes of a vector, which are added up at the end of a pass, always in the
 * same order.
 */
#include "softmax_tiles.h"

/* ---- from scores to R ---- */

/* Address of row i's score for its own class y; the scores of the last class are in `last`. There is no branch: the
 * processor would often predict it wrongly. */
INLINE double *own_entry(double *s, double *last, int K, int y, size_t i)
{
  const uintptr_t a = (uintptr_t)(s + (size_t)y * SOFTMAX_STEP), b = (uintptr_t)last;
  const uintptr_t is_last = -(uintptr_t)(y == K);
  return (double *)(a ^ ((a ^ b) & is_last)) + i;
}

/* How many numbers between 1 and k can be multiplied without overflow: a multiple of LANES. */
static size_t factors(int k)
{
  const size_t count = (size_t)(700 / log(k));
  return count < LANES ? LANES : count - count % LANES;
}

static double multiplied(vec v)
{
  double lane[LANES], product = 1;
  store(lane, v);
  for (int l = 0; l < LANES; l++) product *= lane[l];
  return product;
}

/* The number of rows of block b; *n <- that number rounded up to whole tiles. */
static size_t block_rows(const softmax *p, size_t b, size_t *n)
{
  const size_t left = p->m - b * SOFTMAX_ROWS, rows = left < SOFTMAX_ROWS ? left : SOFTMAX_ROWS;
  *n = (rows + 31) / 32 * 32;
  return rows;
}

/* Turns the scores s (K columns) of block b into R; returns sum_i v_i loss_i. The offset is subtracted from the score
 * of the row's own class; then follows the plain softmax, which loses no digits even where the offset is large. Without
 * weights the logarithm is taken of products of many rows' sums. R = 0 in rows after the last. */
static double normalise(const softmax *p, size_t b, double *s)
{
  const int K = p->K, *y = p->y + b * SOFTMAX_ROWS;
  const double *v = p->v ? p->v + b * SOFTMAX_ROWS : NULL, offset = p->offset;
  size_t n;
  const size_t rows = block_rows(p, b, &n);
  double last[SOFTMAX_ROWS], top[SOFTMAX_ROWS], sum[SOFTMAX_ROWS], own[SOFTMAX_ROWS];
  double *at[SOFTMAX_ROWS], loss = 0;
  vec margin = all(0);
  for (size_t i = 0; i < n; i++) last[i] = own[i] = 0;
  for (size_t i = 0; i < rows; i++) {
    at[i] = own_entry(s, last, K, y[i], i);
    own[i] = *at[i] -= offset;
  }
  for (size_t i = 0; i < n; i += LANES) {
    vec most = load(last + i);
    for (int q = 0; q < K; q++) most = larger(load(s + q * SOFTMAX_STEP + i), most);
    margin += (v ? load(v + i) : all(1)) * (most - load(own + i));
    store(top + i, most);
  }
  for (size_t i = 0; i < n; i += LANES) {
    const vec most = load(top + i);
    vec shares = exp_of(load(last + i) - most);
    for (int q = 0; q < K; q++) {
      const vec eq = exp_of(load(s + q * SOFTMAX_STEP + i) - most);
      store(s + q * SOFTMAX_STEP + i, eq);
      shares += eq;
    }
    store(sum + i, shares);
  }
  for (size_t i = rows; i < n; i++) {
    sum[i] = 1;
    for (int q = 0; q < K; q++) s[q * SOFTMAX_STEP + i] = 0;
  }
  const size_t together = factors(K + 1);
  for (size_t i = 0, j; i < n; i = j) {
    vec product = all(1);
    for (j = i; j < n && j < i + together; j += LANES) {
      const vec shares = load(sum + j), scale = (v ? load(v + j) : all(1)) / shares;
      product *= shares;
      for (int q = 0; q < K; q++)
        store(s + q * SOFTMAX_STEP + j, load(s + q * SOFTMAX_STEP + j) * scale);
    }
    if (!v) loss += log(multiplied(product));
  }
  for (size_t i = 0; i < rows; i++) *at[i] -= v ? v[i] : 1;
  for (size_t i = 0; v && i < rows; i++) loss += v[i] * log(sum[i]);
  return loss + total(margin);
}

/* Distance of the columns of block b from those of the next block, for FETCH; 0 at the last block, and where a block is
 * so large that the next one would displace it in the cache. */
static size_t next_block(const softmax *p, size_t b)
{
  return b + 1 < p->blocks && p->t <= FETCHED_COLUMNS ? p->room * SOFTMAX_STEP : 0;
}

/* ---- sums over rows ---- */

/* Pairs of classes l <= q: (0, 0), (1, 0), (1, 1), (2, 0), ... */
typedef struct {
  size_t q, l;
} pair;

static pair next_pair(pair a)
{
  return a.l < a.q ? (pair){a.q, a.l + 1} : (pair){a.q + 1, 0};
}

/* `count` pairs in this order, from `at` on. */
typedef struct {
  pair at;
  size_t count;
} pair_run;

#define NUMBER double
#define OPERANDS softmax_operands
#define VECTOR vec
#define STEP SOFTMAX_STEP
#define PACKED p->x
#define TOGETHER 1
#define SHARES(p, b, room) shares_double(p, b, room)
#define TAKE(to, v) store(to, v)
#define SETTLE(p, count, run, last) ((void)(run))
#define SUMS p->acc
#include "softmax_sums.h"

/* Groups of TOGETHER blocks over which sums are kept in floats before they are added to sums in doubles. */
#define SHORT 4

static void settle(const softmax *p, size_t count, size_t run, int last)
{
  if (run % SHORT != SHORT - 1 && !last) return;
  const size_t lanes = SOFTMAX_LANES;
  float *from = (float *)p->acc;
  for (size_t k = 0; k < count; k++, from += 2 * lanes) {
    double *to = p->sums + k * lanes;
    vec sum = widened(from) + widened(from + LANES);
    if (run >= SHORT) sum += load(to);
    store(to, sum);
  }
  memset(p->acc, 0, count * lanes * sizeof(double));
}

typedef SOFTMAX_OPERANDS(float) single_operands;

#define NUMBER float
#define OPERANDS single_operands
#define VECTOR singles
#define STEP SOFTMAX_SINGLE_STEP
#define PACKED p->single
#define TOGETHER 4
#define SHARES(p, b, room) ((void)(room), (p)->shares + (b)*softmax_shares(p) * STEP)
#define TAKE(to, v) store_narrow(to, v)
#define SETTLE(p, count, run, last) settle(p, count, run, last)
#define SUMS p->sums
#include "softmax_sums.h"

static void shares(const softmax *p)
{
  for (size_t b = 0; b < p->blocks; b++)
    shares_float(p, b, p->shares + b * softmax_shares(p) * SOFTMAX_SINGLE_STEP);
}

/* ---- passes ---- */

/* Operands: packed columns from x on and K columns of u, n rows of one block. */
static softmax_operands block_operands(const double *x, const double *u, size_t K, size_t n)
{
  return (softmax_operands){.x = x, .ldx = SOFTMAX_STEP, .u = u, .q = K, .n = n};
}

static double pass(const softmax *p, const double *w, double *g)
{
  const size_t K = (size_t)p->K;
  double f = 0;
  memset(p->acc, 0, p->t * K * SOFTMAX_LANES * sizeof(double));
  for (size_t b = 0; b < p->blocks; b++) {
    size_t n;
    const double *x = p->x + b * p->room * SOFTMAX_STEP;
    double *r = p->r + b * p->slots * SOFTMAX_STEP;
    block_rows(p, b, &n);
    scores((score_operands){x, w, p->t, K, next_block(p, b), r}, n);
    if (p->base)
      for (size_t i = 0; i < K * SOFTMAX_STEP; i++) r[i] += p->base[b * K * SOFTMAX_STEP + i];
    f += normalise(p, b, r);
    cross_double(block_operands(x, r, K, n), p->t, p->acc);
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
    const double *x = p->x + b * p->room * SOFTMAX_STEP;
    scores((score_operands){x, w, p->t, (size_t)K, next_block(p, b), p->work}, n);
    for (size_t i = 0; i < rows; i++) {
      const double own = y[i] < K ? p->work[y[i] * SOFTMAX_STEP + i] : 0;
      int beaten = y[i] < K && own < 0;
      for (int c = 0; c < K && !beaten; c++) {
        const double other = p->work[c * SOFTMAX_STEP + i];
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
    const double *r = p->r + b * p->slots * SOFTMAX_STEP;
    cross_double(block_operands(softmax_x(p, b, c), r, K, n), 1, p->acc);
  }
  fold(p->acc, K, g);
  for (size_t q = 0; q < K; q++) g[q] /= (double)p->m;
}

const softmax_table TABLE = {pass,   error,           slope,        curvature_double,
                             shares, curvature_float, cross_double, fold};
