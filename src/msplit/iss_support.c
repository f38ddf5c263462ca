/* iss_support.c - the gradient and the support of the exact path: see iss.h and iss_state.h. */
#include <math.h>
#include <string.h>

#include "iss_state.h"
#include "kernels.h"

#define BALANCED 1e-11  /* share of max|c| up to which a gradient on the support counts as zero */
#define COLLINEAR 1e-13 /* a column is collinear if its squared pivot is no larger share of A_jj */

/* ---- the gradient ---------------------------------------------------------------------------- */

/* to -= the columns in st->column times gamma on the support. */
static void subtract(iss_state *st, size_t length, double *to)
{
  for (size_t k = 0; k < st->f.k; k++) st->b[k] = -st->gamma[st->support[k]];
  kernels->combine(st->column, st->b, st->f.k, length, to);
}

/* to <- V^-1 (y - X gamma) from the vectors u; y - X gamma where the support is nearly collinear. */
static void residual(iss_state *st, double *to)
{
  const double *x = st->system->rows->x;
  memcpy(to, st->near ? st->target->y : st->target->w, st->n * sizeof(double));
  for (size_t k = 0; k < st->f.k; k++) {
    const size_t j = (size_t)st->support[k];
    st->column[k] = st->near ? x + j * st->n : iss_u(st->system, j);
  }
  subtract(st, st->n, to);
}

/* to <- X'(y - X gamma), from moments as X'y - X'X gamma. */
static void products_left(iss_state *st, double *to)
{
  const iss_system *s = st->system;
  if (s->rows->x) {
    residual(st, st->u);
    kernels->dots(COLUMNS(s->rows->x, st->n, st->d), NULL, st->u, to);
    return;
  }
  memcpy(to, st->target->b, st->d * sizeof(double));
  for (size_t k = 0; k < st->f.k; k++) st->column[k] = s->gram + (size_t)st->support[k] * st->d;
  subtract(st, st->d, to);
}

/* v <- V^-1 (y - X gamma). Where the support is nearly collinear, and gamma large, y - X gamma is computed first, which
 * loses fewer digits. */
static void look_v(iss_state *st)
{
  const iss_system *s = st->system;
  if (!st->near) {
    residual(st, st->v);
  } else if (s->wide) {
    residual(st, st->u);
    kernels->dots(COLUMNS(s->inverse, st->n, st->n), NULL, st->u, st->v);
  } else { /* v is the gradient, W^-1 X'(y - X gamma)/n */
    products_left(st, st->rate);
    kernels->dots(COLUMNS(s->inverse, st->d, st->d), NULL, st->rate, st->v);
    for (size_t j = 0; j < st->d; j++) st->v[j] /= s->rows->count;
  }
}

void iss_look(iss_state *st)
{
  if (st->system->wide || st->near) look_v(st);
}

/* One gradient, after iss_look(). */
static double gradient_at(const iss_state *st, size_t j)
{
  const iss_system *s = st->system;
  if (s->wide) return dot(s->rows->x + j * st->n, st->v, st->n);
  if (st->near) return st->v[j];
  double g = st->target->c[j];
  const double *A = s->A + j * st->d;
  for (size_t k = 0; k < st->f.k; k++) g -= A[st->support[k]] * st->gamma[st->support[k]];
  return g;
}

void iss_gradient(iss_state *st)
{
  const iss_system *s = st->system;
  if (s->wide) {
    kernels->dots(COLUMNS(s->rows->x, st->n, st->d), NULL, st->v, st->g);
    return;
  }
  memcpy(st->g, st->near ? st->v : st->target->c, st->d * sizeof(double));
  if (st->near) return;
  for (size_t k = 0; k < st->f.k; k++) st->column[k] = s->A + (size_t)st->support[k] * st->d;
  subtract(st, st->d, st->g);
}

/* ---- the support ----------------------------------------------------------------------------- */

static size_t place_in(const int *sorted, size_t k, int j)
{
  size_t place = 0;
  while (place < k && sorted[place] < j) place++;
  return place;
}

/* Updates E_ii and E y for the last column of the basis, which has entered (sign = 1) or left (-1). */
static void follow(iss_state *st, double sign)
{
  if (!st->o.loo) return;
  const double *b = st->f.B + (sign > 0 ? st->f.k - 1 : st->f.k) * st->f.m, z = b[st->n];
  for (size_t i = 0; i < st->n; i++) {
    st->left[i] -= sign * b[i] * b[i];
    st->residual[i] -= sign * b[i] * z;
  }
}

static void refresh_logdet(iss_state *st)
{
  st->logdet = 0;
  for (size_t k = 0; k < st->f.k; k++) st->logdet += 2 * log(st->f.L[k + k * st->f.ld]);
}

/* Lets column j enter the support; returns 0 if it is collinear with the support. */
static int admit(iss_state *st, size_t j)
{
  const iss_system *s = st->system;
  const size_t k = st->f.k;
  const double *u = s->wide || st->o.loo ? iss_u(st->system, j) : NULL;
  if (k == st->most) return 0;
  double own;
  if (s->wide) {
    for (size_t r = 0; r < k; r++)
      st->a[r] = dot(s->rows->x + (size_t)st->support[r] * st->n, u, st->n);
    own = dot(s->rows->x + j * st->n, u, st->n);
  } else {
    for (size_t r = 0; r < k; r++) st->a[r] = s->A[(size_t)st->support[r] + j * st->d];
    own = s->A[j + j * st->d];
  }
  if (st->o.loo) memcpy(st->u, u, st->n * sizeof(double));
  st->u[st->f.m - 1] = st->target->c[j];
  if (!chol_append(&st->f, st->a, own, st->u, COLLINEAR * own)) return 0;
  const double pivot = st->f.L[k + k * st->f.ld];
  if (pivot * pivot < s->near * own) st->near = 1;
  st->logdet += 2 * log(pivot);
  st->support[k] = (int)j;
  const size_t place = place_in(st->sorted, k, (int)j);
  memmove(st->sorted + place + 1, st->sorted + place, (k - place) * sizeof(int));
  st->sorted[place] = (int)j;
  follow(st, 1);
  return 1;
}

/* Moves column k of the factor from the support to the edge: it stays on its boundary. */
static void dismiss(iss_state *st, size_t k)
{
  const int j = st->support[k];
  st->gamma[j] = 0;
  chol_delete(&st->f, k);
  follow(st, -1);
  refresh_logdet(st);
  memmove(st->support + k, st->support + k + 1, (st->f.k - k) * sizeof(int));
  const size_t place = place_in(st->sorted, st->f.k + 1, j);
  memmove(st->sorted + place, st->sorted + place + 1, (st->f.k - place) * sizeof(int));
  st->edge[st->n_edge++] = (size_t)j;
}

/* Moves gamma towards least squares on the support until a coordinate reaches zero; that coordinate leaves the support,
 * and so on until all signs are right (active set method). */
static void fit(iss_state *st)
{
  for (;;) {
    const size_t k = st->f.k;
    double share = 1;
    for (size_t r = 0; r < k; r++) st->z[r] = st->f.B[(r + 1) * st->f.m - 1];
    chol_backward(&st->f, st->z);
    for (size_t r = 0; r < k; r++) {
      const size_t j = (size_t)st->support[r];
      if (st->z[r] * st->side[j] > 0) continue;
      const double way = st->gamma[j] / (st->gamma[j] - st->z[r]);
      if (!(way >= share)) share = way > 0 ? way : 0;
    }
    int allowed = 1;
    for (size_t r = 0; r < k; r++) {
      const size_t j = (size_t)st->support[r];
      const int wrong = !(st->z[r] * st->side[j] > 0);
      const double old = st->gamma[j];
      st->b[r] = wrong && !(old / (old - st->z[r]) > share * (1 + ISS_TIE));
      if (wrong) allowed = 0;
    }
    if (allowed) share = 1;
    for (size_t r = 0; r < k; r++) {
      const size_t j = (size_t)st->support[r];
      st->gamma[j] += share * (st->z[r] - st->gamma[j]);
      if (allowed) st->gamma[j] = st->z[r];
    }
    if (allowed) return;
    for (size_t r = k; r-- > 0;)
      if (st->b[r] > 0) {
        st->out[st->support[r]] = (char)(r + 1 == k && share == 0);
        dismiss(st, r);
      }
  }
}

/* Sign-constrained least squares over the coordinates on a boundary: the coordinate of largest outward gradient enters
 * the support, until no gradient points outward. */
void iss_settle(iss_state *st)
{
  const double least = ISS_OUTWARD * st->target->largest;
  for (size_t k = 0; k < st->n_edge; k++) st->out[st->edge[k]] = 0;
  for (size_t round = 0; round < 10 * st->most + 10; round++) {
    size_t best = st->n_edge;
    double most = least;
    iss_look(st);
    for (size_t k = 0; k < st->n_edge; k++) {
      const size_t j = st->edge[k];
      if (st->out[j]) continue;
      const double outward = gradient_at(st, j) * st->side[j];
      if (!(outward > most)) continue;
      most = outward;
      best = k;
    }
    if (best == st->n_edge) return;
    const size_t j = st->edge[best];
    if (!admit(st, j)) {
      st->out[j] = 1;
      continue;
    }
    st->edge[best] = st->edge[--st->n_edge];
    fit(st);
  }
}

/* z <- the gradient on the support; returns its largest absolute value. */
static double imbalance(iss_state *st)
{
  double worst = 0;
  if (!st->lazy) iss_gradient(st);
  for (size_t r = 0; r < st->f.k; r++) {
    const size_t j = (size_t)st->support[r];
    st->z[r] = st->lazy ? gradient_at(st, j) : st->g[j];
    worst = fmax(worst, fabs(st->z[r]));
  }
  return worst;
}

void iss_balance(iss_state *st)
{
  for (int round = 0; round < 4; round++) {
    if (!(imbalance(st) > BALANCED * st->target->largest)) break;
    chol_forward(&st->f, st->z);
    chol_backward(&st->f, st->z);
    for (size_t r = 0; r < st->f.k; r++) st->gamma[st->support[r]] += st->z[r];
    iss_look(st);
    if (!st->lazy && round == 3) iss_gradient(st);
  }
  for (size_t k = 0; st->lazy && k < st->n_edge; k++)
    st->g[st->edge[k]] = gradient_at(st, st->edge[k]);
}
