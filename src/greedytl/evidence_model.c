/* evidence_model.c - see evidence_model.h. */
#include "evidence_model.h"

#include <math.h>
#include <string.h>

#include "kernels.h"

#define PACK 256   /* numbers of a row, or column, standardised at a time */
#define STRIDE 264 /* distance of packed rows or columns: not a power of two */
#define TILE 64    /* rows whose products are taken at a time */

void evidence_model_scales(const double *ss, size_t n, const greedy_options *o, evidence_model *e)
{
  e->scales = greedy_find_scales(ss, e->p, e->N, n, o, e->count);
  e->factor = ALLOC(e->N, double);
  e->common =
      o->max_steps > 0 ? e->scales.common : 0; /* a path without steps has no sources' mean */
  e->repeated = 1;
  for (size_t j = 0; j < e->N; j++)
    e->factor[j] = ss[j] > 0 ? 1 / sqrt(greedy_squared_scale(ss[j], j >= e->p, &e->scales, o)) : 0;
}

status evidence_model_scan(design *d, const double *v, const greedy_options *o, evidence_model *e,
                           double *ss, size_t *bad)
{
  double *buffer = design_buffer(d);
  e->n = d->n;
  e->N = d->N;
  e->p = d->block[0].p;
  for (size_t j = 0; j < d->N; j++) {
    const mean_and_ss m = design_moments(d, j, v, o->intercept, buffer);
    if (!m.ok) {
      *bad = j;
      return STATUS_NOT_FINITE;
    }
    e->mean[j] = m.mean;
    ss[j] = m.ss;
  }
  evidence_model_scales(ss, d->n, o, e);
  return STATUS_OK;
}

/* G += the products of m vectors of `length` numbers, STRIDE apart, with each other. */
static void add_products(const double *pack, size_t length, size_t m, double *G)
{
  double tile[TILE * TILE];
  for (size_t j = 0; j < m; j += TILE)
    for (size_t i = 0; i <= j; i += TILE) {
      const size_t q = m - j < TILE ? m - j : TILE, r = m - i < TILE ? m - i : TILE;
      kernels->cross(VIEW(pack + i * STRIDE, STRIDE, length, r),
                     VIEW(pack + j * STRIDE, STRIDE, length, q), tile, TILE);
      for (size_t l = 0; l < q; l++)
        for (size_t k = 0; k < r; k++) G[i + k + (j + l) * m] += tile[k + l * TILE];
    }
  port_poll();
}

/* PACK standardised columns at a time. */
void evidence_model_products(const design *d, const double *sv, evidence_model *e, int block)
{
  const size_t m = e->m, from = block ? e->p : 0, to = block ? e->N : e->p;
  const double share = 1 / sqrt(e->count[block]);
  double *pack = ROOM(m * STRIDE, double), *buffer = design_buffer(d);
  double *mean = block &&e->common > 0 ? e->hs = ALLOC(m, double) : NULL;
  for (size_t j0 = from; j0 < to; j0 += PACK) {
    const size_t columns = to - j0 < PACK ? to - j0 : PACK;
    for (size_t c = 0; c < columns; c++) {
      const size_t j = j0 + c;
      const double *x = design_column(d, j, buffer);
      const double mean = e->mean[j], factor = e->factor[j] * share;
      for (size_t i = 0; i < m; i++) {
        const size_t row = e->row[i];
        pack[c + i * STRIDE] = (x[row] - mean) * factor * sv[row];
      }
    }
    for (size_t i = 0; mean && i < m; i++)
      mean[i] += sqrt(e->common) * share * kernels->sum(pack + i * STRIDE, 0, NULL, columns);
    add_products(pack, columns, m, e->G[block]);
  }
}

double evidence_model_factor(const evidence_model *e, size_t j)
{
  return e->factor[j] > 0 ? e->factor[j] / sqrt(e->count[j >= e->p]) : 0;
}

/* evidence_model_gram() of dense columns: PACK standardised rows at a time. */
static void gram_dense(const design *d, const double *sv, evidence_model *e)
{
  const size_t n = e->n, N = e->N;
  double *pack = ROOM(N * STRIDE, double);
  for (size_t i0 = 0; i0 < n; i0 += PACK) {
    const size_t rows = n - i0 < PACK ? n - i0 : PACK;
    for (size_t j = 0; j < N; j++) {
      const double *x = design_column(d, j, NULL) + i0, mean = e->mean[j], c = evidence_model_factor(e, j);
      double *z = pack + j * STRIDE;
      for (size_t i = 0; i < rows; i++) z[i] = (x[i] - mean) * c * sv[i0 + i];
      e->rhs[j] += dot(z, e->ys + i0, rows);
    }
    add_products(pack, rows, N, e->G[0]);
  }
}

/* The same where some columns are sparse: column by column. */
static void gram_sparse(design *d, const double *sv, evidence_model *e)
{
  const size_t n = e->n, N = e->N;
  double *u = ALLOC(n, double), *buffer = design_buffer(d), *center = d->center;
  d->center = e->mean;
  for (size_t j = 0; j < N; j++) {
    const double *x = design_column(d, j, buffer), c = evidence_model_factor(e, j);
    double *column = e->G[0] + j * N, sum = 0;
    for (size_t i = 0; i < n; i++) {
      const double z = (x[i] - e->mean[j]) * c * sv[i];
      u[i] = z * sv[i];
      sum += u[i];
      e->rhs[j] += z * e->ys[i];
    }
    design_dots(d, (column_range){0, j + 1}, u, sum, column);
    for (size_t k = 0; k <= j; k++) column[k] *= evidence_model_factor(e, k);
    if (j % 64 == 0) port_poll();
  }
  d->center = center;
}

void evidence_model_gram(design *d, const double *sv, evidence_model *e)
{
  if (design_buffer(d))
    gram_sparse(d, sv, e);
  else
    gram_dense(d, sv, e);
}

#define EXPLAINED 1e-10 /* a kept column is collinear if no larger a share is left by the others */

/* Replaces y, K_x and K_h by those of residuals on the kept columns: y - QQ'y and (I - QQ')K(I - QQ'), with Q an
 * orthonormal basis of the kept columns. */
static void leave_kept_rows(const design *d, const double *sv, const greedy_options *o, evidence_model *e)
{
  const size_t m = e->m;
  double *Q = ALLOC(m * (size_t)o->n_keep, double), *KQ = ALLOC(m, double),
         *buffer = design_buffer(d);
  size_t rank = 0;
  for (int k = 0; k < o->n_keep; k++) {
    const size_t j = (size_t)o->keep[k];
    const double *x = design_column(d, j, buffer);
    double *q = Q + rank * m;
    for (size_t i = 0; i < m; i++) q[i] = (x[e->row[i]] - e->mean[j]) * sv[e->row[i]];
    const double all = dot(q, q, m);
    for (int round = 0; round < 2; round++)
      for (size_t r = 0; r < rank; r++) kernels->axpy(-dot(Q + r * m, q, m), Q + r * m, m, q);
    const double left = dot(q, q, m);
    if (!(left > EXPLAINED * all)) continue;
    for (size_t i = 0; i < m; i++) q[i] /= sqrt(left);
    rank++;
  }
  for (size_t r = 0; r < rank; r++) { /* one direction after the other */
    const double *q = Q + r * m;
    kernels->axpy(-dot(q, e->ys, m), q, m, e->ys);
    if (e->hs) kernels->axpy(-dot(q, e->hs, m), q, m, e->hs);
    for (int b = 0; b < 2; b++) {
      double *K = e->G[b], both = 0;
      if (!K) continue;
      memset(KQ, 0, m * sizeof(double));
      for (size_t j = 0; j < m; j++) {
        for (size_t i = 0; i < j; i++) KQ[i] += K[i + j * m] * q[j];
        KQ[j] += dot(K + j * m, q, j + 1);
      }
      both = dot(KQ, q, m);
      for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i <= j; i++)
          K[i + j * m] += both * q[i] * q[j] - KQ[i] * q[j] - q[i] * KQ[j];
    }
  }
  e->df -= (double)rank;
}

/* Replaces Z'Z, Z'y and y'y by those of residuals on the kept columns, which are swept out one after the other. */
static void leave_kept_columns(const greedy_options *o, evidence_model *e)
{
  const size_t m = e->m;
  double *G = e->G[0], *g = ALLOC(m, double);
  for (int k = 0; k < o->n_keep; k++) {
    const size_t j = (size_t)o->keep[k];
    for (size_t i = 0; i < m; i++) g[i] = i <= j ? G[i + j * m] : G[j + i * m];
    const double pivot = g[j], y = e->rhs[j];
    for (size_t i = 0; i <= j; i++) G[i + j * m] = 0;
    for (size_t i = j; i < m; i++) G[j + i * m] = 0;
    e->rhs[j] = 0;
    if (!(pivot > EXPLAINED * e->own[k])) continue;
    g[j] = 0;
    for (size_t c = 0; c < m; c++) {
      if (g[c] == 0) continue;
      kernels->axpy(-g[c] / pivot, g, c + 1, G + c * m);
      e->rhs[c] -= g[c] * y / pivot;
    }
    e->yy -= y * y / pivot;
    e->df--;
  }
}

void evidence_model_leave_kept(const design *d, const double *sv, const greedy_options *o, evidence_model *e)
{
  if (!o->n_keep) return;
  if (e->by_row) {
    leave_kept_rows(d, sv, o, e);
    return;
  }
  e->own = ALLOC(o->n_keep, double);
  for (int k = 0; k < o->n_keep; k++) e->own[k] = e->G[0][(size_t)o->keep[k] * (e->m + 1)];
  leave_kept_columns(o, e);
}

void evidence_model_mean_products(evidence_model *e)
{
  if (e->by_row || !(e->common > 0) || !(e->count[1] > 0)) return;
  const size_t m = e->m;
  const double u = sqrt(e->common / e->count[1]);
  const double *G = e->G[0];
  e->hs = ALLOC(m, double);
  for (size_t j = 0; j < m; j++)
    for (size_t i = 0; i <= j; i++) {
      const double g = u * G[i + j * m];
      if (j >= e->p) e->hs[i] += g;
      if (i >= e->p && i < j) e->hs[j] += g;
    }
  for (size_t j = e->p; j < m; j++) {
    e->hy += u * e->rhs[j];
    e->hh += u * e->hs[j];
  }
}
