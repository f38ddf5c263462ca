/* moments.c - see moments.h. */
#include "moments.h"

#include <math.h>
#include <string.h>

#include "kernels.h"

/* The rows of a part beyond one block for every cell: in shorter parts a column would be read in short pieces. */
#define PART 8192

/* One block of rows of one cell, and its moments. */
typedef struct {
  size_t most; /* largest number of rows of a block */
  double *z;   /* most x q: the rows, centred, column by column */
  double *u;   /* most: a column times the weights */
  double *v;   /* most: the weights, NULL without weights */
  double *mean, *rest, *out;
  double weight, log_weight;
} block_room;

/* A block of z takes about 256 kB: it stays in the cache while the products of its columns
 * are made. */
static block_room make_room(size_t q, size_t n, int weighted)
{
  block_room b = {0};
  b.most = 32768 / q;
  if (b.most > 512) b.most = 512;
  if (b.most < 64) b.most = 64;
  if (b.most > n && n > 0) b.most = n;
  b.z = ALLOC(b.most * q, double);
  b.u = ALLOC(b.most, double);
  b.v = weighted ? ALLOC(b.most, double) : NULL;
  b.mean = ALLOC(q, double);
  b.rest = ALLOC(q, double);
  b.out = ALLOC(q, double);
  return b;
}

/* a + b exactly, as a double and its rounding error *rest (Knuth's TwoSum). */
static double add_exactly(double a, double b, double *rest)
{
  const double sum = a + b, part = sum - a;
  *rest = (a - (sum - part)) + (b - part);
  return sum;
}

static int has_weight(const moments_rows *rows, size_t i)
{
  return !rows->weight || rows->weight[i] != 0;
}

/* keep[i - from] <- 1 for the rows i of from..to-1 that are complete and belong to a cell, else 0; returns how many are
 * 0. */
static size_t find_complete(const moments_rows *rows, size_t from, size_t to, char *keep)
{
  for (size_t i = from; i < to; i++)
    keep[i - from] = rows->cell[i] >= 0 && !(rows->weight && isnan(rows->weight[i]));
  for (size_t j = 0; j < rows->q; j++) {
    const double *x = rows->column[j];
    for (size_t i = from; i < to; i++) keep[i - from] = (char)(keep[i - from] & !isnan(x[i]));
  }
  size_t dropped = 0;
  for (size_t i = from; i < to; i++) dropped += !keep[i - from];
  return dropped;
}

/* order <- the complete rows of from..to-1 with positive weight, sorted by cell: cell c has the rows
 * order[start[c]..start[c + 1] - 1]. While rows are sorted start[c + 1] is the place of the next row of cell c. start:
 * n_cells + 2 numbers. */
static void sort_by_cell(const moments_rows *rows, const char *keep, size_t from, size_t to,
                         size_t *start, int *order)
{
  memset(start, 0, (rows->n_cells + 2) * sizeof(size_t));
  for (size_t i = from; i < to; i++)
    if (keep[i - from] && has_weight(rows, i)) start[rows->cell[i] + 2]++;
  for (size_t c = 0; c < rows->n_cells; c++) start[c + 2] += start[c + 1];
  for (size_t i = from; i < to; i++)
    if (keep[i - from] && has_weight(rows, i)) order[start[rows->cell[i] + 1]++] = (int)i;
}

/* b->z <- rows order[0..m-1], each column less its mean; sets the weight, log weight and means of the block. */
static status gather(const moments_rows *rows, const int *order, size_t m, block_room *b,
                     size_t *bad)
{
  b->weight = (double)m;
  b->log_weight = 0;
  if (b->v) {
    b->weight = 0;
    for (size_t i = 0; i < m; i++) b->weight += b->v[i] = rows->weight[order[i]];
    for (size_t i = 0; i < m; i++) b->log_weight += log(b->v[i]);
  }
  for (size_t j = 0; j < rows->q; j++) {
    const double *x = rows->column[j];
    double *z = b->z + j * b->most;
    for (size_t i = 0; i < m; i++) z[i] = x[order[i]];
    double rest;
    const double mean = add_exactly(z[0], kernels->sum(z, z[0], b->v, m) / b->weight, &rest);
    if (!isfinite(mean)) {
      *bad = j;
      return STATUS_NOT_FINITE;
    }
    for (size_t i = 0; i < m; i++) z[i] = (z[i] - mean) - rest;
    b->mean[j] = mean;
    b->rest[j] = rest;
  }
  return STATUS_OK;
}

/* cross += Z'VZ of the block's m rows, lower triangle only. */
static void add_products(const block_room *b, size_t q, size_t m, double *cross)
{
  for (size_t k = 0; k < q; k++) {
    const double *z = b->z + k * b->most, *u = z;
    if (b->v) {
      for (size_t i = 0; i < m; i++) b->u[i] = b->v[i] * z[i];
      u = b->u;
    }
    kernels->dots(VIEW(z, b->most, m, q - k), NULL, u, b->out);
    for (size_t j = k; j < q; j++) cross[j + k * q] += b->out[j - k];
  }
}

/* Adds the block to the moments of its cell by the formula of moments.h. */
static void join(const block_room *b, size_t q, double *weight, double *mean, double *rest,
                 double *cross)
{
  const double w = *weight + b->weight, share = b->weight / w, both = *weight * share;
  double *d = b->out;
  for (size_t j = 0; j < q; j++) {
    if (*weight > 0) {
      d[j] = (b->mean[j] - mean[j]) + (b->rest[j] - rest[j]);
      mean[j] = add_exactly(mean[j], rest[j] + share * d[j], &rest[j]);
    } else {
      d[j] = 0;
      mean[j] = b->mean[j];
      rest[j] = b->rest[j];
    }
  }
  for (size_t k = 0; k < q; k++)
    for (size_t j = k; j < q; j++) cross[j + k * q] += both * d[j] * d[k];
  *weight = w;
}

/* Copies the lower triangle to the upper one. Returns STATUS_NOT_FINITE if a diagonal element is not finite: column
 * *bad is too large to be squared. */
static status finish(double *cross, size_t q, size_t *bad)
{
  for (size_t k = 0; k < q; k++) {
    if (!isfinite(cross[k + k * q])) {
      *bad = k;
      return STATUS_NOT_FINITE;
    }
    for (size_t j = k + 1; j < q; j++) cross[k + j * q] = cross[j + k * q];
  }
  return STATUS_OK;
}

/* Rows are read in parts long enough to have a block of every cell, so that one read of the data is enough
 * whatever the order of the rows. */
status moments_by_cell(const moments_rows *rows, moments_cells *cells, size_t *bad)
{
  const size_t q = rows->q, n = rows->n;
  block_room b = make_room(q, n, rows->weight != NULL);
  const size_t part =
      n > PART && rows->n_cells < (n - PART) / b.most ? b.most * rows->n_cells + PART : n;
  char *keep = ALLOC(part, char);
  int *order = ALLOC(part, int);
  size_t *start = ALLOC(rows->n_cells + 2, size_t);
  double done = 0;
  for (size_t from = 0; from < n; from += part) {
    const size_t to = n - from < part ? n : from + part;
    cells->dropped += find_complete(rows, from, to, keep);
    sort_by_cell(rows, keep, from, to, start, order);
    for (size_t c = 0; c < rows->n_cells; c++) {
      double *mean = cells->mean + c * q, *rest = cells->rest + c * q;
      for (size_t i = start[c]; i < start[c + 1]; i += b.most) {
        const size_t left = start[c + 1] - i, m = left < b.most ? left : b.most;
        port_poll();
        port_progress(done, (double)n);
        done += (double)m;
        const status s = gather(rows, order + i, m, &b, bad);
        if (s != STATUS_OK) return s;
        add_products(&b, q, m, cells->cross[c]);
        join(&b, q, &cells->weight[c], mean, rest, cells->cross[c]);
        cells->log_weight[c] += b.log_weight;
      }
      cells->n[c] += (double)(start[c + 1] - start[c]);
    }
  }
  for (size_t c = 0; c < rows->n_cells; c++) {
    const status s = finish(cells->cross[c], q, bad);
    if (s != STATUS_OK) return s;
  }
  return STATUS_OK;
}
