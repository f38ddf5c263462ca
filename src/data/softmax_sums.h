/* softmax_sums.h - sums of products over rows, and with them rows of the Hessian; a part of
 * softmax_impl.h, included for
 *   NUMBER    double or float, which is enough: where a search ends depends on the gradient alone
 *   OPERANDS  softmax_operands of NUMBER
 *   VECTOR    a vector register of NUMBER
 *   STEP      distance of two columns in a block
 *   PACKED    the packed columns
 *   TOGETHER  number of blocks of rows that are summed before SETTLE
 *   SHARES    the result of shares() for blocks b..b + TOGETHER - 1, computed into `room` or before
 *   TAKE      stores a vector of doubles as NUMBER
 *   SETTLE    called when TOGETHER blocks have been added to p->acc
 *   SUMS      the array that has the sums, in doubles, at the end
 */
#define PASTE(a, b) a##_##b
#define NAMED(a, b) PASTE(a, b)
#define NAME(a) NAMED(a, NUMBER)
#define GET(p) (*(const VECTOR *)(p))
#define PUT(p, v) (*(VECTOR *)(p) = (v))
#define WIDTH (sizeof(VECTOR) / sizeof(NUMBER))
#define ACC (SOFTMAX_LANES * sizeof(double) / sizeof(NUMBER)) /* numbers of an accumulator */

INLINE void NAME(tile)(OPERANDS o, const int A, const int B, const int from, const int to,
                       NUMBER *acc)
{
  VECTOR s[TILE_A][TILE_B];
  UNROLL for (int a = 0; a < A; a++) UNROLL for (int b = 0; b < B; b++) s[a][b] =
      GET(acc + (a * o.q + b) * ACC);
  for (size_t left = o.n; left; o.x += o.hop, o.u += o.step) {
    const size_t n = left < SOFTMAX_ROWS ? left : SOFTMAX_ROWS;
    for (size_t i = 0; i < n; i += WIDTH) {
      VECTOR xa[TILE_A];
      UNROLL for (int a = 0; a < A; a++) xa[a] = GET(o.x + a * o.ldx + i);
      UNROLL for (int a = from; a < to && a < A; a++)
          FETCH(o.x + a * o.ldx + i, o.ahead * sizeof(NUMBER));
      UNROLL for (int b = 0; b < B; b++)
      {
        const VECTOR ub = GET(o.u + b * STEP + i);
        UNROLL for (int a = 0; a < A; a++) s[a][b] += xa[a] * ub;
      }
    }
    left -= n;
  }
  UNROLL for (int a = 0; a < A; a++) UNROLL for (int b = 0; b < B; b++)
      PUT(acc + (a * o.q + b) * ACC, s[a][b]);
}

/* Sums of A columns of x with all q columns of u. Prefetches are spread evenly over the tiles. */
INLINE void NAME(columns)(OPERANDS o, const int A, NUMBER *acc)
{
  size_t left = o.q;
#define NEXT(B, from, to)                                                                          \
  do {                                                                                             \
    NAME(tile)(o, A, B, from, to, acc);                                                            \
    o.u += (B)*STEP;                                                                               \
    acc += (B)*ACC;                                                                                \
    left -= (B);                                                                                   \
  } while (0)
  if (left >= 10 && o.ahead) {
    NEXT(5, 0, TILE_A / 2);
    NEXT(5, TILE_A / 2, TILE_A);
  } else if (left >= 5 && o.ahead) {
    NEXT(5, 0, TILE_A);
  }
  while (left >= 5) NEXT(5, 0, 0);
  switch (left) {
  case 4:
    NEXT(4, 0, 0);
    break;
  case 3:
    NEXT(3, 0, 0);
    break;
  case 2:
    NEXT(2, 0, 0);
    break;
  case 1:
    NEXT(1, 0, 0);
    break;
  default:
    break;
  }
#undef NEXT
}

/* acc[(j q + b) ACC ...] += x_j u_b lane by lane, j < cols, b < q. */
static void NAME(cross)(OPERANDS o, size_t cols, NUMBER *acc)
{
  size_t j = 0;
  for (; j + TILE_A <= cols; j += TILE_A, o.x += TILE_A * o.ldx)
    NAME(columns)(o, TILE_A, acc + j * o.q * ACC);
  for (; j < cols; j++, o.x += o.ldx) NAME(columns)(o, 1, acc + j * o.q * ACC);
}

/* ---- the Hessian ---- */

/* room <- P, 1 - P and, with weights, v P of block b for each of the K classes; returns room. */
static NUMBER *NAME(shares)(const softmax *p, size_t b, NUMBER *room)
{
  const size_t K = (size_t)p->K;
  size_t n;
  const size_t rows = block_rows(p, b, &n);
  const double *v = p->v ? p->v + b * SOFTMAX_ROWS : NULL;
  double *share = p->work, none[SOFTMAX_ROWS];
  NUMBER *out = room;
  memcpy(share, p->r + b * p->slots * SOFTMAX_STEP, K * SOFTMAX_STEP * sizeof(double));
  for (size_t i = 0; i < rows; i++)
    *own_entry(share, none, p->K, p->y[b * SOFTMAX_ROWS + i], i) += v ? v[i] : 1;
  for (size_t q = 0; q < K; q++, share += SOFTMAX_STEP, out += STEP)
    for (size_t i = 0; i < n; i += LANES) {
      const vec weighted = load(share + i);
      vec plain = weighted;
      if (v) plain /= load(v + i);
      TAKE(out + i, plain);
      TAKE(out + K * STEP + i, all(1) - plain);
      if (v) TAKE(out + 2 * K * STEP + i, weighted);
    }
  return room;
}

/* out <- the products x_c v P_q (1[q = l] - P_l) for the pairs (q, l), n rows of a block. */
static void NAME(products)(const softmax *p, const NUMBER *xc, const NUMBER *share, size_t n,
                           pair_run pairs, NUMBER *out)
{
  pair at = pairs.at;
  const size_t K = (size_t)p->K;
  const NUMBER *rest = share + K * STEP, *weighted = p->v ? rest + K * STEP : share;
  NUMBER own[SOFTMAX_ROWS]; /* x_c v P_q */
  for (size_t k = 0; k < pairs.count; k++, out += STEP, at = next_pair(at)) {
    const NUMBER *sl = share + at.l * STEP, *rq = rest + at.q * STEP;
    if (k == 0 || at.l == 0)
      for (size_t i = 0; i < n; i += WIDTH)
        PUT(own + i, GET(xc + i) * GET(weighted + at.q * STEP + i));
    if (at.l < at.q)
      for (size_t i = 0; i < n; i += WIDTH) PUT(out + i, -GET(own + i) * GET(sl + i));
    else
      for (size_t i = 0; i < n; i += WIDTH) PUT(out + i, GET(own + i) * GET(rq + i));
  }
}

/* SUMS <- the sums over rows of columns from..c times the products for the pairs: TOGETHER blocks of rows at a time,
 * and SOFTMAX_PAIRS pairs, which stay in the caches, with every column. */
static void NAME(slab)(const softmax *p, size_t from, size_t c, pair_run pairs)
{
  const size_t cols = c + 1 - from, K = (size_t)p->K, hop = p->room * STEP;
  const size_t of_block = softmax_shares(p) * STEP;
  NUMBER *room = (NUMBER *)(p->work + K * SOFTMAX_STEP), *acc = (NUMBER *)p->acc;
  NUMBER *product = room + 3 * K * STEP;
  memset(acc, 0, cols * pairs.count * ACC * sizeof(NUMBER));
  for (size_t b = 0; b < p->blocks; b += TOGETHER) {
    const size_t end = b + TOGETHER < p->blocks ? b + TOGETHER : p->blocks;
    const NUMBER *x = PACKED + b * hop + from * STEP;
    const NUMBER *share = SHARES(p, b, room);
    size_t n = 0;
    pair_run now = {pairs.at, 0};
    for (size_t done = 0; done < pairs.count; done += now.count) {
      const size_t left = pairs.count - done;
      now.count = left < SOFTMAX_PAIRS ? left : SOFTMAX_PAIRS;
      for (size_t k = b; k < end; k++) {
        block_rows(p, k, &n);
        NAME(products)
        (p, x + (k - b) * hop + (c - from) * STEP, share + (k - b) * of_block, n, now,
         product + (k - b) * SOFTMAX_PAIRS * STEP);
      }
      NAME(cross)
      ((OPERANDS){x, STEP, hop, product, SOFTMAX_PAIRS * STEP, now.count,
                  (end - b - 1) * SOFTMAX_ROWS + n,
                  done ? 0 : next_block(p, b) / SOFTMAX_STEP * STEP * TOGETHER},
       cols, acc + done * cols * ACC);
      for (size_t k = 0; k < now.count; k++) now.at = next_pair(now.at);
    }
    SETTLE(p, cols * pairs.count, b / TOGETHER, end == p->blocks);
  }
}

static void NAME(curvature)(const softmax *p, size_t from, size_t c, double *h, size_t ld)
{
  const size_t K = (size_t)p->K, cols = c + 1 - from, pairs = K * (K + 1) / 2;
  pair at = {0, 0};
  for (size_t done = 0, count; done < pairs; done += count) {
    count = pairs - done < SOFTMAX_SLAB ? pairs - done : SOFTMAX_SLAB;
    NAME(slab)(p, from, c, (pair_run){at, count});
    for (size_t k = 0; k < count; k++, at = next_pair(at)) {
      const size_t first = k - k % SOFTMAX_PAIRS, left = count - first;
      const size_t width = left < SOFTMAX_PAIRS ? left : SOFTMAX_PAIRS;
      const double *acc = SUMS + (first * cols + k - first) * SOFTMAX_LANES;
      for (size_t j = 0; j < cols; j++, acc += width * SOFTMAX_LANES) {
        double sum;
        fold(acc, 1, &sum);
        h[at.q * ld + j * K + at.l] = h[at.l * ld + j * K + at.q] = sum / (double)p->m;
      }
    }
  }
}

#undef PASTE
#undef NAMED
#undef NAME
#undef GET
#undef PUT
#undef WIDTH
#undef ACC
#undef NUMBER
#undef OPERANDS
#undef VECTOR
#undef STEP
#undef PACKED
#undef SHARES
#undef TOGETHER
#undef TAKE
#undef SETTLE
#undef SUMS
