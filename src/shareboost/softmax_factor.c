/* softmax_factor.c - see softmax_factor.h. */
#include "softmax_factor.h"

#include <float.h>
#include <math.h>

#include "port.h"

softmax_factor factor_new(size_t room, size_t limit, size_t count)
{
  softmax_factor f = {.limit = limit > count ? limit : count};
  const size_t blocks = room / (f.limit - count + 1) + 1, most = room < f.limit ? room : f.limit;
  f.block = ALLOC(blocks, chol_factor);
  for (size_t b = 0; b < blocks; b++) f.block[b] = chol_new(most, 0);
  return f;
}

size_t factor_block(softmax_factor *f, size_t count)
{
  const size_t k = f->block[f->last].k;
  if (k + count > f->limit) {
    f->first += k;
    f->last++;
  }
  return f->first;
}

int factor_append(softmax_factor *f, double *h, size_t ld, size_t count, double least)
{
  chol_factor *block = f->block + f->last;
  int raised = 0;
  for (size_t q = 0; q < count; q++, h += ld) {
    const double own = h[block->k];
    raised |= chol_append_raised(block, h, own, fmax(least * own, DBL_MIN));
  }
  return raised;
}

void factor_solve(const softmax_factor *f, double *x)
{
  for (size_t b = 0; b <= f->last; b++) {
    chol_forward(f->block + b, x);
    chol_backward(f->block + b, x);
    x += f->block[b].k;
  }
}

void factor_empty(softmax_factor *f)
{
  for (size_t b = 0; b <= f->last; b++) f->block[b].k = 0;
  f->last = f->first = 0;
}
