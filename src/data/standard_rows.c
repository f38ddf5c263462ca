/* standard_rows.c - see standard_rows.h. */
#include "standard_rows.h"

#include <math.h>
#include <string.h>

#include "kernels.h"
#include "port.h"

enum { STANDARD_BLOCK = 256, POLL_BLOCKS = 256 };

size_t standard_width(const standard_rows *r)
{
  return r->p + (r->constant != 0);
}

/* z <- `count` rows from row `from` on, without the constant; column j of z begins at j STANDARD_BLOCK. */
static void fill(const standard_rows *r, size_t from, size_t count, double *z)
{
  for (size_t j = 0; j < r->p; j++, z += STANDARD_BLOCK) {
    if (r->flat[j]) {
      memset(z, 0, count * sizeof(double));
      continue;
    }
    const double *x = r->x + (size_t)(r->column[j] - 1) * r->n_all;
    const double shift = r->shift[j], base = r->base[j];
    if (r->at)
      for (size_t i = 0; i < count; i++) z[i] = (x[r->at[from + i] - 1] - shift) / base;
    else
      for (size_t i = 0; i < count; i++) z[i] = (x[from + i] - shift) / base;
  }
}

void standard_combination(const standard_rows *r, const double *b, double *out)
{
  const size_t q = standard_width(r);
  double *z = ROOM(STANDARD_BLOCK * q, double);
  const double **column = ALLOC(q, const double *);
  for (size_t j = 0; j < q; j++) column[j] = z + j * STANDARD_BLOCK;
  for (size_t from = 0, k = 0; from < r->n; from += STANDARD_BLOCK, k++) {
    const size_t count = r->n - from < STANDARD_BLOCK ? r->n - from : STANDARD_BLOCK;
    fill(r, from, count, z);
    for (size_t i = 0; i < count; i++) out[from + i] = r->constant ? b[r->p] : 0;
    kernels->combine(column, b, r->p, count, out + from);
    if (k % POLL_BLOCKS == POLL_BLOCKS - 1) port_poll();
  }
}

void standard_terms(const standard_rows *r, const double *u, const double *w, double *score,
                    double *information)
{
  const size_t q = standard_width(r);
  double *z = ROOM(STANDARD_BLOCK * q, double), *root = ROOM(STANDARD_BLOCK, double);
  double *part = ROOM(q, double), *square = ROOM(q * q, double);
  memset(score, 0, q * sizeof(double));
  memset(information, 0, q * q * sizeof(double));
  for (size_t from = 0, k = 0; from < r->n; from += STANDARD_BLOCK, k++) {
    const size_t count = r->n - from < STANDARD_BLOCK ? r->n - from : STANDARD_BLOCK;
    fill(r, from, count, z);
    if (r->constant)
      for (size_t i = 0; i < count; i++) z[r->p * STANDARD_BLOCK + i] = 1;
    kernels->dots(VIEW(z, STANDARD_BLOCK, count, q), NULL, u + from, part);
    for (size_t j = 0; j < q; j++) score[j] += part[j];
    for (size_t i = 0; i < count; i++) root[i] = sqrt(w[from + i]);
    for (size_t j = 0; j < q; j++)
      for (size_t i = 0; i < count; i++) z[j * STANDARD_BLOCK + i] *= root[i];
    kernels->gram(VIEW(z, STANDARD_BLOCK, count, q), square);
    for (size_t j = 0; j < q * q; j++) information[j] += square[j];
    if (k % POLL_BLOCKS == POLL_BLOCKS - 1) port_poll();
  }
}
