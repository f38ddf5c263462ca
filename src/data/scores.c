/* scores.c - see scores.h. */
#include "scores.h"

#include <string.h>

#include "kernels.h"
#include "port.h"

enum { FEW = 3, TOGETHER = 128 }; /* models scored one by one; models multiplied at a time */

void turn(const double *x, size_t n, size_t d, double *to)
{
  const size_t step = 8; /* a cache line of x and one of `to` at a time */
  for (size_t j = 0; j < d; j += step)
    for (size_t i = 0; i < n; i++)
      for (size_t l = j; l < j + step && l < d; l++) to[l + i * d] = x[i + l * n];
}

/* The scores of one model, from the columns with coefficients other than 0. */
static void score(const double *x, size_t n, const score_models *models, size_t model, double *out)
{
  const size_t d = models->d;
  const double *beta = models->beta + model * d;
  const double **column = ALLOC(d, const double *);
  double *weight = ALLOC(d, double);
  size_t used = 0;
  for (size_t j = 0; j < d; j++) {
    if (beta[j] == 0) continue;
    column[used] = x + j * n;
    weight[used++] = beta[j];
  }
  for (size_t i = 0; i < n; i++) out[i] = models->a0[model];
  kernels->combine(column, weight, used, n, out);
}

void scores(const double *x, size_t n, const score_models *models, double *out)
{
  const size_t d = models->d, q = models->q;
  if (q <= FEW) {
    for (size_t l = 0; l < q; l++) score(x, n, models, (size_t)models->at[l], out + l * n);
    return;
  }
  double *turned = ROOM(n * d, double), *some = ROOM(TOGETHER * d, double);
  turn(x, n, d, turned);
  for (size_t from = 0; from < q; from += TOGETHER) {
    const size_t count = q - from < TOGETHER ? q - from : TOGETHER;
    for (size_t l = 0; l < count; l++)
      memcpy(some + l * d, models->beta + (size_t)models->at[from + l] * d, d * sizeof(double));
    kernels->cross(COLUMNS(turned, d, n), COLUMNS(some, d, count), out + from * n, n);
    for (size_t l = from; l < from + count; l++)
      for (size_t i = 0; i < n; i++) out[i + l * n] += models->a0[models->at[l]];
    port_poll();
  }
}
