/* borrow_work.c - see borrow_work.h. */
#include "borrow_work.h"

#include <math.h>

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
    /* 0 where the domain has no information on its level */
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
