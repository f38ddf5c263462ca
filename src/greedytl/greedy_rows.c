/* greedy_rows.c - see greedy_rows.h; notation of greedy.h. */
#include "greedy_rows.h"

#include <math.h>
#include <string.h>

#include "kernels.h"

status rows_column(const greedy_problem *b, const greedy_rows *rows, size_t j, double *center,
                      double *scale)
{
  const size_t n = rows->d->n;
  const double *x = design_column(rows->d, j, rows->buffer);
  const mean_and_ss m = column_moments(x, b->v, n, rows->o->intercept);
  if (!m.ok) return STATUS_NOT_FINITE;
  *center = m.mean;
  *scale = sqrt(greedy_squared_scale(m.ss, j >= rows->d->block[0].p, &b->scales, rows->o));
  for (size_t i = 0; i < n; i++)
    rows->z[i] = m.ss > 0 ? (x[i] - m.mean) / *scale * (b->sv ? b->sv[i] : 1) : 0;
  return STATUS_OK;
}

void rows_look(const greedy_problem *b, const greedy_rows *rows, double tau, double *a,
                  double *d)
{
  const double *z = rows->z;
  const size_t n = rows->d->n;
  *a = dot(z, b->Py, n);
  *d = tau + dot(z, z, n);
  for (int r = 0; r < b->n_steps; r++) {
    const double t = dot(b->U[r], z, n);
    *d -= t * t;
  }
}

static status rows_meet(void *of, greedy_problem *b, newcomer *c)
{
  const greedy_rows *rows = of;
  const size_t n = rows->d->n;
  const int k = b->n_steps;
  if (!b->U[k]) {
    b->U[k] = ALLOC(n, double);
    b->L[k] = ALLOC(k + 1, double);
  }
  double *u = b->U[k], *row = b->L[k], *z = rows->z;
  const status s = rows_column(b, rows, c->column, &b->center[k], &b->scale[k]);
  if (s != STATUS_OK) return s;
  memcpy(u, z, n * sizeof(double));
  /* u = P z. Without a ridge P is a projection, and a second pass of Gram-Schmidt removes rounding errors. */
  for (int r = 0; r < k; r++) row[r] = 0;
  for (int round = 0; round < (c->tau > 0 ? 1 : 2); round++)
    for (int r = 0; r < k; r++) {
      const double t = dot(b->U[r], round ? u : z, n);
      row[r] += t;
      kernels->axpy(-t, b->U[r], n, u);
    }
  c->square = dot(z, z, n);
  c->left = c->tau > 0 ? dot(z, u, n) : dot(u, u, n);
  c->root = sqrt(c->tau + c->left);
  c->q = dot(z, b->Py, n) / c->root;
  return STATUS_OK;
}

static void rows_enter(void *of, greedy_problem *b, const newcomer *c)
{
  const greedy_rows *rows = of;
  const size_t n = rows->d->n;
  const int k = b->n_steps - 1;
  double *u = b->U[k];
  for (size_t i = 0; i < n; i++) u[i] /= c->root;
  kernels->downdate(u, c->q, n, b->diag, b->Py);
  for (int class = 0; rows->o->scores && class < 2; class ++) {
    double uc = 0;
    for (size_t i = 0; i < n; i++)
      if ((b->y[i] > 0) == class) uc += u[i] / (b->sv ? b->sv[i] : 1);
    kernels->axpy(-uc, u, n, b->Pc[class]);
  }
  b->L[k][k] = c->root;
}

static void rows_record(void *of, greedy_problem *b)
{
  const greedy_rows *rows = of;
  problem_record(b, rows->d->n, rows->o);
}

static void rows_products(void *of, const greedy_problem *b, const size_t *column, size_t m,
                          double *cross)
{
  greedy_rows *rows = of;
  const size_t n = rows->d->n;
  if (m > rows->room) rows->group = ROOM(n * (rows->room = m), double);
  for (size_t c = 0; c < m; c++) {
    const double *x = design_column(rows->d, column[c], rows->buffer);
    const double center = column_moments(x, b->v, n, rows->o->intercept).mean;
    double *z = rows->group + c * n;
    for (size_t i = 0; i < n; i++) z[i] = (x[i] - center) * (b->sv ? b->sv[i] : 1);
    for (size_t e = 0; e < c; e++) cross[e + c * m] = dot(rows->group + e * n, z, n);
  }
}

greedy_rows rows_new(const design *d, const greedy_options *o)
{
  return (greedy_rows){.d = d, .o = o, .buffer = design_buffer(d), .z = ALLOC(d->n, double)};
}

greedy_products products_of_rows(greedy_rows *rows)
{
  const design *d = rows->d;
  return (greedy_products){rows,       d->block[0].p, d->N,         rows_meet,
                           rows_enter, rows_record,   rows_products};
}
