/* products.c - see products.h. */
#include "products.h"

#include <string.h>

#include "kernels.h"
#include "port.h"

#define PART 64 /* how many columns, or vectors, are summed at a time */

double products_count(size_t p, int squares, int singles)
{
  return (double)p * ((double)p + (squares ? 1 : -1)) / 2 + (singles ? (double)p : 0);
}

column_products *products_new(const double *x, size_t n, size_t p, int squares, int singles)
{
  column_products *s = ALLOC(1, column_products);
  *s = (column_products){.x = x, .n = n, .p = p, .squares = squares, .singles = singles};
  s->start = ALLOC(p + 1, size_t);
  s->start[0] = singles ? p : 0;
  for (size_t a = 0; a < p; a++) s->start[a + 1] = s->start[a] + (p - a) - (squares ? 0 : 1);
  return s;
}

size_t products_run(const column_products *s, size_t j, size_t to, size_t *a, size_t *b)
{
  if (j < s->start[0]) {
    *a = s->p;
    *b = j;
    return (to < s->start[0] ? to : s->start[0]) - j;
  }
  size_t low = 0, high = s->p; /* start[low] <= j < start[high] */
  while (high - low > 1) {
    const size_t middle = (low + high) / 2;
    if (s->start[middle] <= j)
      low = middle;
    else
      high = middle;
  }
  *a = low;
  *b = low + (s->squares ? 0 : 1) + (j - s->start[low]);
  return (to < s->start[low + 1] ? to : s->start[low + 1]) - j;
}

void products_column(void *context, size_t j, double *out)
{
  const column_products *s = context;
  size_t a, b;
  products_run(s, j, j + 1, &a, &b);
  const double *z = s->x + b * s->n;
  if (a == s->p) {
    memcpy(out, z, s->n * sizeof(double));
    return;
  }
  const double *x = s->x + a * s->n;
  for (size_t i = 0; i < s->n; i++) out[i] = x[i] * z[i];
}

const double *products_weigh(const column_products *s, size_t a, size_t from, size_t rows,
                             const double *u, double *w)
{
  if (a == s->p) return u;
  const double *x = s->x + a * s->n + from;
  for (size_t i = 0; i < rows; i++) w[i] = x[i] * u[i];
  return w;
}

/* out <- x_b'(x_a u) for `columns` second factors from b on, tile by tile of rows, so that a sum does not depend on the
 * other columns of the call. */
static void run_dots(const column_products *s, size_t a, size_t b, size_t columns, const double *u,
                     double *out)
{
  double room[PRODUCTS_TILE], part[PART];
  memset(out, 0, columns * sizeof(double));
  for (size_t i = 0; i < s->n; i += PRODUCTS_TILE) {
    const size_t rows = s->n - i < PRODUCTS_TILE ? s->n - i : PRODUCTS_TILE;
    const double *w = products_weigh(s, a, i, rows, u + i, room);
    for (size_t j = 0; j < columns; j += PART) {
      const size_t m = columns - j < PART ? columns - j : PART;
      kernels->dots(VIEW(s->x + (b + j) * s->n + i, s->n, rows, m), NULL, w, part);
      for (size_t k = 0; k < m; k++) out[j + k] += part[k];
    }
  }
}

void products_dots(const column_products *s, column_range range, const double *u, double sum_u,
                   const double *center, double *out)
{
  size_t a, b, columns;
  for (size_t j = range.from; j < range.to; j += columns) {
    columns = products_run(s, j, range.to, &a, &b);
    run_dots(s, a, b, columns, u, out + (j - range.from));
  }
  if (center)
    for (size_t j = 0; j < range.to - range.from; j++) out[j] -= center[j] * sum_u;
}

void products_dots_multi(const column_products *s, size_t j, const double *u, size_t m,
                         double center, double *out)
{
  double room[PRODUCTS_TILE], part[PART];
  size_t a, b;
  products_run(s, j, j + 1, &a, &b);
  memset(out, 0, m * sizeof(double));
  for (size_t i = 0; i < s->n; i += PRODUCTS_TILE) {
    const size_t rows = s->n - i < PRODUCTS_TILE ? s->n - i : PRODUCTS_TILE;
    const double *z = products_weigh(s, a, i, rows, s->x + b * s->n + i, room);
    for (size_t l = 0; l < m; l += PART) {
      const size_t count = m - l < PART ? m - l : PART;
      kernels->dots_multi(z, center, VIEW(u + l * s->n + i, s->n, rows, count), part);
      for (size_t k = 0; k < count; k++) out[l + k] += part[k];
    }
  }
}
