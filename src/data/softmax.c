/* softmax.c - the variant of softmax.h for any processor, and the functions that use no vectors. */
#include "softmax.h"

#include <math.h>
#include <stdint.h>

#include "kernels.h"
#include "port.h"

#define LANES 2
#define TABLE softmax_portable
#include "softmax_impl.h"

#ifdef TRANSELECT_X86
extern const softmax_table softmax_avx2, softmax_avx512;
#endif

const softmax_table *softmax_kernels(void)
{
#ifdef TRANSELECT_X86
  if (kernels->lanes == 8) return &softmax_avx512;
  if (kernels->lanes == 4) return &softmax_avx2;
#endif
  return &softmax_portable;
}

double *softmax_alloc(size_t n)
{
  double *memory = ALLOC(n + 8, double);
  return memory + (64 - (uintptr_t)memory % 64) % 64 / sizeof(double);
}

softmax softmax_new(softmax_data of, size_t room, size_t extra)
{
  softmax p = {.m = of.m, .k = of.k, .K = of.k - 1, .room = room, .offset = of.offset};
  const size_t K = (size_t)p.K, half = K * (K + 1) / 2;
  const size_t sums = half < SOFTMAX_SLAB ? half : SOFTMAX_SLAB;
  p.blocks = (p.m + SOFTMAX_ROWS - 1) / SOFTMAX_ROWS;
  p.slots = K + extra;
  p.x = softmax_alloc(p.blocks * room * SOFTMAX_STEP);
  p.r = softmax_alloc(p.blocks * p.slots * SOFTMAX_STEP);
  p.largest = ALLOC(room, double);
  p.y = ALLOC(p.blocks * SOFTMAX_ROWS, int);
  memcpy(p.y, of.y, p.m * sizeof(int));
  if (of.v) {
    p.v = softmax_alloc(p.blocks * SOFTMAX_ROWS);
    for (size_t i = 0; i < p.blocks * SOFTMAX_ROWS; i++) p.v[i] = i < p.m ? of.v[i] : 1;
  }
  if (room <= SOFTMAX_SINGLES) {
    p.single = (float *)softmax_alloc(p.blocks * room * SOFTMAX_SINGLE_STEP / 2);
    p.shares = (float *)softmax_alloc(p.blocks * softmax_shares(&p) * SOFTMAX_SINGLE_STEP / 2);
    p.sums = softmax_alloc(room * sums * SOFTMAX_LANES);
  }
  p.acc = softmax_alloc(room * (sums > K ? sums : K) * SOFTMAX_LANES);
  p.work = softmax_alloc(4 * K * SOFTMAX_STEP + SOFTMAX_PAIRS * 2 * SOFTMAX_SINGLE_STEP);
  return p;
}

void softmax_add(softmax *p, const double *column)
{
  double largest = 0;
  for (size_t i = 0; i < p->m; i++) largest = fmax(largest, fabs(column[i]));
  p->largest[p->t] = largest;
  for (size_t b = 0; b < p->blocks; b++) {
    const size_t left = p->m - b * SOFTMAX_ROWS;
    const size_t rows = left < SOFTMAX_ROWS ? left : SOFTMAX_ROWS;
    float *single = p->single ? softmax_single(p, b, p->t) : NULL;
    memcpy(softmax_x(p, b, p->t), column + b * SOFTMAX_ROWS, rows * sizeof(double));
    for (size_t i = 0; single && i < rows; i++) single[i] = (float)column[b * SOFTMAX_ROWS + i];
  }
  p->t++;
}

void softmax_by_row(const softmax *p, size_t q, double *by_row, double *total)
{
  memset(total, 0, q * sizeof(double));
  for (size_t i = 0; i < p->m; i++, by_row += q) {
    const double *r = softmax_r(p, i, 0);
    for (size_t l = 0; l < q; l++) total[l] += by_row[l] = r[l * SOFTMAX_STEP];
  }
}

double softmax_spread(const softmax *p)
{
  double mixed = 0;
  for (size_t b = 0; b < p->blocks; b++) {
    const size_t first = b * SOFTMAX_ROWS, left = p->m - first;
    const size_t rows = left < SOFTMAX_ROWS ? left : SOFTMAX_ROWS;
    double rest[SOFTMAX_ROWS], squares[SOFTMAX_ROWS] = {0};
    for (size_t i = 0; i < rows; i++) rest[i] = 1;
    for (int c = 0; c < p->K; c++) {
      const double *r = softmax_r(p, first, (size_t)c);
      for (size_t i = 0; i < rows; i++) {
        const double share = (p->v ? r[i] / p->v[first + i] : r[i]) + (c == p->y[first + i]);
        rest[i] -= share;
        squares[i] += share * share;
      }
    }
    for (size_t i = 0; i < rows; i++)
      mixed += (p->v ? p->v[first + i] : 1) * (1 - squares[i] - rest[i] * rest[i]);
  }
  return mixed / ((double)p->m * p->K);
}
