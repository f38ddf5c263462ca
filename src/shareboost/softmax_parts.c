/* softmax_parts.c - see softmax_parts.h. */
#include "softmax_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "port.h"

softmax_parts *parts_new(const softmax *p)
{
  softmax_parts *parts = ALLOC(1, softmax_parts);
  const size_t k = (size_t)p->k;
  parts->of = ALLOC(k, chol_factor);
  for (size_t q = 0; q < k; q++) parts->of[q] = chol_new(p->room, 0);
  parts->a = softmax_alloc(k * SOFTMAX_STEP);
  parts->z = softmax_alloc(p->room * SOFTMAX_STEP);
  parts->acc = softmax_alloc(p->room * k * SOFTMAX_LANES);
  parts->row = ALLOC(p->room * k, double);
  parts->x = ALLOC(2 * p->room, double);
  return parts;
}

/* a (softmax_parts.h) of the rows of block b, zeros after the last row. */
static void find_shares(const softmax *p, size_t b, double *a)
{
  const size_t first = b * SOFTMAX_ROWS, left = p->m - first, K = (size_t)p->K;
  const size_t rows = left < SOFTMAX_ROWS ? left : SOFTMAX_ROWS;
  double rest[SOFTMAX_ROWS], own[SOFTMAX_ROWS], over[SOFTMAX_ROWS];
  for (size_t i = 0; i < rows; i++) {
    const int y = p->y[first + i];
    over[i] = p->v ? 1 / p->v[first + i] : 1;
    rest[i] = 1;
    own[i] = y < p->K ? softmax_r(p, first, (size_t)y)[i] * over[i] + 1 : 0;
  }
  for (size_t q = 0; q < K; q++) {
    const double *r = softmax_r(p, first, q);
    double *to = a + q * SOFTMAX_STEP;
    /* wrong in rows of class q, whose r is v (P - 1): corrected below */
    for (size_t i = 0; i < rows; i++) {
      const double share = r[i] * over[i];
      rest[i] -= share;
      to[i] = r[i] * (1 - share);
    }
  }
  for (size_t i = 0; i < rows; i++) {
    const int y = p->y[first + i];
    const double v = p->v ? p->v[first + i] : 1;
    const double last = y < p->K ? rest[i] - 1 : rest[i];
    if (y < p->K) a[(size_t)y * SOFTMAX_STEP + i] = v * own[i] * (1 - own[i]);
    a[K * SOFTMAX_STEP + i] = fmax(0, v * last * (1 - last));
  }
  for (size_t q = 0; q <= K; q++)
    memset(a + q * SOFTMAX_STEP + rows, 0, (SOFTMAX_ROWS - rows) * sizeof(double));
}

/* parts->row[j k + q] <- the product of columns c and j, with weights a_q, j = 0..c. */
static void find_products(softmax_parts *parts, const softmax *p, size_t c)
{
  const size_t k = (size_t)p->k;
  memset(parts->acc, 0, (c + 1) * k * SOFTMAX_LANES * sizeof(double));
  for (size_t b = 0; b < p->blocks; b++) {
    const double *own = softmax_x(p, b, c);
    find_shares(p, b, parts->a);
    for (size_t j = 0; j <= c; j++) {
      const double *x = softmax_x(p, b, j);
      double *z = parts->z + j * SOFTMAX_STEP;
      for (size_t i = 0; i < SOFTMAX_ROWS; i++) z[i] = own[i] * x[i];
    }
    softmax_kernels()->cross(
        (softmax_operands){
            .x = parts->z, .ldx = SOFTMAX_STEP, .u = parts->a, .q = k, .n = SOFTMAX_ROWS},
        c + 1, parts->acc);
    if (b % 16 == 0) port_poll();
  }
  softmax_kernels()->fold(parts->acc, (c + 1) * k, parts->row);
}

int parts_append(softmax_parts *parts, const softmax *p, size_t c, const penalty *pen,
                 const double *w, double least)
{
  const size_t k = (size_t)p->k;
  int raised = 0;
  double *bends = parts->acc; /* after the sums have been folded */
  find_products(parts, p, c);
  memset(bends, 0, k * sizeof(double));
  if (pen) penalty_bends(pen, w, bends);
  for (size_t q = 0; q < k; q++) {
    double *h = parts->x;
    for (size_t j = 0; j < c; j++) h[j] = parts->row[j * k + q] / (double)p->m;
    const double own = parts->row[c * k + q] / (double)p->m + bends[q];
    raised |= chol_append_raised(&parts->of[q], h, own, fmax(least * own, DBL_MIN));
  }
  return raised;
}

void parts_solve(softmax_parts *parts, const softmax *p, double *x)
{
  const size_t K = (size_t)p->K, t = p->t;
  double *own = parts->x, *sum = parts->x + p->room;
  memset(sum, 0, t * sizeof(double));
  for (size_t q = 0; q < K; q++) {
    for (size_t j = 0; j < t; j++) sum[j] += own[j] = x[j * K + q];
    chol_forward(&parts->of[q], own);
    chol_backward(&parts->of[q], own);
    for (size_t j = 0; j < t; j++) x[j * K + q] = own[j];
  }
  chol_forward(&parts->of[K], sum);
  chol_backward(&parts->of[K], sum);
  for (size_t j = 0; j < t; j++)
    for (size_t q = 0; q < K; q++) x[j * K + q] += sum[j];
}

void parts_empty(softmax_parts *parts, const softmax *p)
{
  for (int q = 0; q < p->k; q++) parts->of[q].k = 0;
}
