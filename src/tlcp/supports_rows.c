/* supports_rows.c - see supports_rows.h. */
#include "supports_rows.h"

#include <math.h>
#include <string.h>

#include "kernels.h"
#include "spd.h"

/* The part of the support that the rows of domain k have: e <- y - Z_P b. */
static void residual(const supports_state *s, size_t k, const double *b, double *e)
{
  const supports_rows *of = s->m->of + k;
  memcpy(e, of->y, of->r * sizeof(double));
  for (size_t i = 0; i < s->q; i++) {
    const size_t block = supports_block(s, s->in[i]);
    if (block == 0 || block == k + 1)
      kernels->axpy(-b[i], of->Z + (s->in[i] % s->p) * of->r, of->r, e);
  }
}

/* Draws s^2 and the coefficients of the target. Returns 0 where A^-1 is not positive definite. */
static int draw_coefficients(supports_state *s, supports_random *random, double *beta,
                             double *variance)
{
  const supports_model *m = s->m;
  const supports_rows *of = m->of;
  const size_t q = s->q, ld = m->most, p = s->p, r = of->r;
  double *root = s->scratch, *rest = root + q * q, *b = rest + 8 * q, *z = b + q, *e = s->row;
  *variance = s->S / 2 / supports_gamma(random, m->df / 2);
  const double sd = sqrt(*variance);
  for (size_t i = 0; i < q; i++) memcpy(root + i * q, s->inverse + i * ld, q * sizeof(double));
  if (q && !spd_factor(root, q, rest)) return 0;
  for (size_t i = 0; i < q; i++) z[i] = sd * supports_normal(random);
  for (size_t i = 0; i < q; i++) b[i] = s->b[i] + dot(root + i * q, z, i + 1);
  memset(beta, 0, p * sizeof(double));
  const double t = m->t[s->t[0]] / (double)p;
  if (t > 0) {
    for (size_t j = 0; j < p; j++) beta[j] = sqrt(t) * sd * supports_normal(random);
    residual(s, 0, b, e);
    for (size_t i = 0; i < r; i++) e[i] -= sd * supports_normal(random);
    for (size_t j = 0; j < p; j++) kernels->axpy(-beta[j], of->Z + j * r, r, e);
    for (size_t i = 0; i < r; i++) e[i] *= s->w[0][i] * t;
    for (size_t j = 0; j < p; j++) beta[j] += dot(of->Z + j * r, e, r);
  }
  for (size_t i = 0; i < q; i++)
    if (supports_block(s, s->in[i]) < 2) beta[s->in[i] % p] += b[i];
  return 1;
}

/* Leave-one-out residuals of the target's rows, and log densities of their responses. Returns the sum of Q_ii. */
static double leave_out(supports_state *s, double *left, double *density)
{
  const supports_model *m = s->m;
  const supports_rows *of = m->of;
  const size_t n = m->n, r = of->r, q = s->q;
  double *v = s->scratch, *u = v + q, *e = s->row;
  double sum = 0;
  residual(s, 0, s->b, e);
  for (size_t i = 0; i < n; i++) {
    double Q = m->free[i], Qy = m->y[i];
    for (size_t l = 0; l < r; l++) {
      const double own = m->U[i + l * n];
      u[l] = s->w[0][l] * own;
      Q += (s->w[0][l] - 1) * own * own;
      Qy += u[l] * e[l] - own * of->y[l];
    }
    for (size_t a = 0; a < q; a++) {
      const size_t block = supports_block(s, s->in[a]);
      v[a] = block < 2 ? dot(u, of->Z + (s->in[a] % s->p) * r, r) : 0;
    }
    for (size_t a = 0; a < q; a++) {
      if (v[a] == 0) continue;
      Q -= v[a] * dot(s->inverse + a * m->most, v, q);
    }
    sum += Q;
    if (!(Q > LEAST_LEFT)) {
      left[i] = density[i] = NAN;
      continue;
    }
    left[i] = Qy / Q;
    double S = s->S - Qy * Qy / Q;
    if (!(S > 1e-12 * s->S)) S = 1e-12 * s->S;
    density[i] = (log(Q) - m->df * log(s->S) + (m->df - 1) * log(S)) / 2;
  }
  return sum;
}

int supports_rows_draw(supports_state *s, supports_random *random, supports_result *out,
                       size_t draw)
{
  const supports_model *m = s->m;
  if (!draw_coefficients(s, random, out->draws + draw * s->p, out->variance + draw)) return 0;
  out->trace[draw] =
      (double)m->n - leave_out(s, out->left + draw * m->n, out->density + draw * m->n);
  for (size_t i = 0; i < s->q; i++) {
    const size_t block = supports_block(s, s->in[i]), j = s->in[i] % s->p;
    if (block == 0 || (block == 1 && s->place[j] < 0)) out->included[j]++;
  }
  out->size[draw] = (double)s->q;
  for (size_t k = 0; k < s->K; k++) {
    const double t = m->t[s->t[k]] / (double)s->p;
    if (!(t > 0)) continue;
    double *e = s->row;
    residual(s, k, s->b, e);
    for (size_t i = 0; i < m->of[k].r; i++) out->background[k][i] += t * s->w[k][i] * e[i];
  }
  return 1;
}
