/* borrow_work.c - see borrow_work.h. */
#include "borrow_work.h"

#include <math.h>
#include <string.h>

#include "borrow_rows.h"
#include "kernels.h"
#include "spd.h"

double **borrow_matrices(int T, size_t length)
{
  double **all = ALLOC((size_t)T, double *);
  for (int t = 0; t < T; t++) all[t] = ALLOC(length, double);
  return all;
}

borrow_work borrow_work_new(const borrow_domains *domains, int prior)
{
  const size_t p = domains->p, pp = p * p;
  borrow_work w = {.domains = domains, .slopes = p - (size_t)domains->level, .prior = prior};
  if (domains->rows) {
    w.rows = borrow_rows_work_new(domains);
    w.vectors = ALLOC(p, double);
    return w;
  }
  w.H = borrow_matrices(domains->T, pp);
  w.g = borrow_matrices(domains->T, p);
  w.coef = borrow_matrices(domains->T, p);
  w.left = borrow_matrices(domains->T, p);
  w.r = borrow_matrices(domains->T, p);
  w.M = borrow_matrices(domains->T, pp);
  w.a = borrow_matrices(domains->T, p);
  w.Q_inv = ALLOC(pp, double);
  w.W = ALLOC(spd_sweep_room(p), double);
  w.room = ALLOC(8 * p, double);
  w.vectors = ALLOC(p * ((size_t)domains->T + 3), double);
  w.each = ALLOC(2 * (size_t)domains->T + 2, double);
  w.size = ALLOC((size_t)domains->T + 2, double);
  w.b = ALLOC(p, double);
  w.sum_a = ALLOC(p, double);
  return w;
}

void borrow_scale_columns(borrow_work *w, const double *scale)
{
  const size_t p = w->domains->p;
  if (w->rows) {
    borrow_rows_scale(w, scale);
    return;
  }
  for (int t = 0; t < w->domains->T; t++) {
    for (size_t j = 0; j < p; j++) {
      const double *from = w->domains->H[t] + j * p;
      double *to = w->H[t] + j * p;
      for (size_t i = 0; i < p; i++) to[i] = from[i] * sqrt(scale[i] * scale[j]);
      w->g[t][j] = w->domains->g[t][j] * sqrt(scale[j]);
      if (!w->domains->coef) continue;
      w->coef[t][j] = w->domains->coef[t][j] / sqrt(scale[j]);
      w->left[t][j] = w->domains->left[t][j] * sqrt(scale[j]);
    }
  }
}

void borrow_residual(const borrow_work *w, int t, double *r)
{
  const size_t p = w->domains->p;
  kernels->dots(COLUMNS(w->M[t], p, p), NULL, w->b, r);
  for (size_t j = 0; j < p; j++) r[j] = w->a[t][j] - r[j];
}

borrow_domains borrow_some(const borrow_domains *domains, int from, int count)
{
  borrow_domains part = *domains;
  part.T = count;
  if (domains->rows) {
    part.rows = borrow_rows_of(domains, from, count);
  } else {
    part.H += from;
    part.g += from;
    part.coef += from;
    part.left += from;
  }
  part.log_det += from;
  part.size += from;
  part.nonsingular += from;
  return part;
}

borrow_domains borrow_without_level(const borrow_domains *domains)
{
  if (domains->rows) {
    borrow_domains centred = *domains;
    centred.p = domains->p - (size_t)domains->level;
    centred.level = 0;
    centred.rows = borrow_rows_centred(domains);
    return centred;
  }
  if (!domains->level) return *domains;
  const size_t p = domains->p, slopes = p - 1;
  const int T = domains->T;
  double **H = borrow_matrices(T, slopes * slopes), **g = borrow_matrices(T, slopes);
  double **left = borrow_matrices(T, slopes), *log_det = ALLOC((size_t)T, double);
  for (int t = 0; t < T; t++) {
    const double *from = domains->H[t], *row = from + slopes * p, corner = row[slopes];
    /* 0: the domain has no information on its level */
    const double each = corner > 0 ? 1 / corner : 0;
    const double level = domains->g[t][slopes] * each;
    for (size_t j = 0; j < slopes; j++) {
      for (size_t i = 0; i < slopes; i++)
        H[t][i + j * slopes] = from[i + j * p] - row[i] * (row[j] * each);
      g[t][j] = domains->g[t][j] - row[j] * level;
      left[t][j] = domains->left[t][j] - row[j] * (domains->left[t][slopes] * each);
    }
    log_det[t] = domains->nonsingular[t] ? domains->log_det[t] - log(corner) : 0;
  }
  borrow_domains out = *domains;
  out.p = slopes;
  out.level = 0;
  out.H = (const double *const *)H;
  out.g = (const double *const *)g;
  out.left = (const double *const *)left;
  out.log_det = log_det;
  return out;
}

/* Multiplies the last row and the last column of M by `by`, so that its corner is multiplied by by^2. */
static void scale_last(double *M, size_t p, double by)
{
  for (size_t j = 0; j < p; j++) {
    M[j * p + p - 1] *= by;
    M[(p - 1) * p + j] *= by;
  }
}

int borrow_shrink(const borrow_one *t, double tau2, double level, double *log_det)
{
  const size_t p = t->p;
  double *M = t->M, *a = t->a, *room = t->room;
  kernels->scaled(t->H, 0, tau2, p * p, M);
  if (level != 1) scale_last(M, p, level);
  for (size_t j = 0; j < p; j++) M[j * (p + 1)] += 1;
  if (!spd_sweep(M, p, room, log_det) || !isfinite(*log_det)) return 0;
  memcpy(room, t->g, p * sizeof(double));
  room[p - 1] *= level;
  kernels->dots(COLUMNS(M, p, p), NULL, room, a);
  a[p - 1] /= level;
  const double rate = 1 / tau2;
  kernels->scaled(M, 0, -rate, p * p, M);
  for (size_t j = 0; j < p; j++) M[j * (p + 1)] += rate;
  if (level != 1) scale_last(M, p, 1 / level);
  return 1;
}

double borrow_start_size(const borrow_domains *domains)
{
  double sum = 0, all = 0;
  int nonsingular = 0;
  for (int t = 0; t < domains->T; t++) {
    all += domains->size[t];
    if (domains->nonsingular[t]) sum += domains->size[t];
    nonsingular += domains->nonsingular[t];
  }
  const double size = nonsingular ? sum / nonsingular : all / domains->T;
  return size < 1e-5 ? 1e-5 : size > 100 ? 100 : size;
}
