/* products.h - products x_a x_b of two columns as columns of a design, never written out.
 *
 * The columns are, in this order: the p columns of x, if `singles`; then for every a the products with b = a (if
 * `squares`), a + 1, ..., p - 1. With w = x_a u (by elements) the inner products of the columns x_a x_b with u are
 * x_b'w: 2n flops per column and n for each a, and only x is read. Work arrays: p numbers; a tile of rows on the stack.
 */
#ifndef TRANSELECT_PRODUCTS_H
#define TRANSELECT_PRODUCTS_H

#include <stddef.h>

#define PRODUCTS_TILE 512 /* rows for which w is computed at a time */

/* Columns from..to-1 of a design, or of a block. */
typedef struct {
  size_t from, to;
} column_range;

typedef struct {
  const double *x; /* n x p */
  size_t n, p;
  int squares, singles;
  size_t *start; /* p + 1: the first column of every a; at the end the number of columns */
} column_products;

/* The number of columns, as a double: it may be more than a size_t holds. */
double products_count(size_t p, int squares, int singles);

column_products *products_new(const double *x, size_t n, size_t p, int squares, int singles);

/* The longest run of columns j, j + 1, ..., below `to`, with the same first factor *a (p for the columns of x) and the
 * second factors *b, *b + 1, ...; returns its length. */
size_t products_run(const column_products *s, size_t j, size_t to, size_t *a, size_t *b);

/* out <- column j (n), as block.make() writes it. */
void products_column(void *context, size_t j, double *out);

/* w <- x_a u in rows from..from + rows - 1, of which u has the numbers; returns w, or u where a = p. */
const double *products_weigh(const column_products *s, size_t a, size_t from, size_t rows,
                             const double *u, double *w);

/* out[j - from] <- (z_j - center_j)'u for the columns z_j of a range. center: from column `from` on, or NULL. */
void products_dots(const column_products *s, column_range range, const double *u, double sum_u,
                   const double *center, double *out);

/* out[i] <- (z_j - center)'u_i for m vectors u_i, n apart. */
void products_dots_multi(const column_products *s, size_t j, const double *u, size_t m,
                         double center, double *out);

#endif
