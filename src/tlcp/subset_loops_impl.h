/* subset_loops_impl.h - the functions of subset_loops.h; included once for each instruction set with
 *   TABLE   name of the subset_loop_table to define
 */
#include <math.h>
#include <string.h>

#include "subset_loops.h"

/* Steps of a line search, in units of its direction: the largest one, which also bounds the factor that makes
 * directions conjugate, and the step below which none is made. */
#define LONGEST 20
#define SHORTEST .2

/* ---- matrices of a node ---- */

static void rank_one(double *M, size_t ld, const double *m, double a, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    const double s = a * m[i];
    double *row = M + i * ld;
    const size_t width = subset_lines(i + 1) * LINE;
#pragma omp simd
    for (size_t j = 0; j < width; j++) row[j] += s * m[j];
  }
}

static void eliminate(double *M, size_t ld, const double *u, double pivot, size_t n)
{
  const size_t width = subset_lines(n) * LINE;
  for (size_t i = 0; i < n; i++) {
    const double s = u[i] / pivot;
    double *row = M + i * ld;
#pragma omp simd
    for (size_t j = 0; j < width; j++) row[j] -= s * u[j];
  }
}

static void residual(subset_node *node, size_t T)
{
  const size_t n = node->n, ld = node->ld, width = subset_lines(n) * LINE;
  double *r = node->r;
  memcpy(r, node->c, n * sizeof(double));
  memset(r + n, 0, (width - n) * sizeof(double));
  for (size_t i = 0; i < n; i++) {
    const double w = node->w[i], *row = node->G + i * ld;
    if (w == 0) continue;
#pragma omp simd
    for (size_t j = 0; j < width; j++) r[j] -= w * row[j];
    r[i] += node->alpha[i / T] * w;
  }
}

static double drift(subset_arena *arena, const subset_node *node)
{
  const size_t n = node->n, ld = node->ld;
  double *x = arena->u, *y = arena->v, worst = 0;
  for (size_t i = 0; i < n; i++) x[i] = (double)((i * 7 + node->n_in * 5 + i / 3) % 3) - 1;
  for (size_t i = 0; i < n; i++) { /* y = Mx */
    const double *row = node->M + i * ld;
    double sum = row[i] * x[i];
#pragma omp simd reduction(+ : sum)
    for (size_t j = 0; j < i; j++) {
      sum += row[j] * x[j];
      y[j] += row[j] * x[i];
    }
    y[i] = sum;
  }
  for (size_t i = 0; i < n; i++) {
    const double *row = node->G + i * ld;
    double sum = -node->alpha[i / arena->T] * y[i] - x[i];
#pragma omp simd reduction(+ : sum)
    for (size_t j = 0; j < n; j++) sum += row[j] * y[j];
    if (!(fabs(sum) <= worst)) worst = fabs(sum); /* also where it is NaN */
  }
  return worst;
}

/* ---- the relaxation ---- */

/* The infinity norm of G_gg. */
static double block_norm(const subset_node *node, size_t g, size_t T)
{
  double most = 0;
  for (size_t a = g * T; a < (g + 1) * T; a++) {
    double sum = 0;
    for (size_t b = g * T; b < (g + 1) * T; b++) sum += fabs(node->G[a * node->ld + b]);
    if (sum > most) most = sum;
  }
  return most;
}

/* Computes the arrays that depend on alpha and pen only. Returns 0 where kappa of a group is not positive. */
static int prepare(subset_relaxation *s, const subset_node *node, size_t T)
{
  const size_t f = node->f;
  double least = INFINITY;
  for (size_t g = 0; g < f; g++) {
    s->kappa[g] = T == 1 ? node->G[g * node->ld + g] : block_norm(node, g, T);
    s->kappa[g] -= node->alpha[g];
    if (!(s->kappa[g] > least)) least = s->kappa[g];
  }
#pragma omp simd
  for (size_t g = 0; g < f; g++) {
    const double alpha = node->alpha[g], kappa = s->kappa[g];
    s->threshold[g] = sqrt(alpha * node->pen[g]);
    s->inverse_alpha[g] = 1 / alpha;
    s->inverse_kappa[g] = 1 / kappa;
    s->inverse_sum[g] = 1 / (kappa + alpha);
    s->u_full[g] = (kappa + alpha) * s->threshold[g] * s->inverse_alpha[g];
  }
  return least > 0;
}

/* The new |w_g|; u: |u|. */
static inline double shrink(const subset_relaxation *s, size_t g, double u)
{
  if (u <= s->threshold[g]) return 0;
  return u > s->u_full[g] ? u * s->inverse_sum[g] : (u - s->threshold[g]) * s->inverse_kappa[g];
}

/* Adds `by` to w_a and updates r. */
static inline void move(subset_node *node, size_t a, double by, double alpha, size_t width)
{
  const double *row = node->G + a * node->ld;
  double *r = node->r;
#pragma omp simd
  for (size_t j = 0; j < width; j++) r[j] -= by * row[j];
  r[a] += alpha * by;
  node->w[a] += by;
}

static void sweep_single(const subset_relaxation *s, subset_node *node, size_t width)
{
  for (size_t g = 0; g < node->f; g++) {
    const double u = node->r[g] + s->kappa[g] * node->w[g];
    const double by = copysign(shrink(s, g, fabs(u)), u) - node->w[g];
    if (by != 0) move(node, g, by, node->alpha[g], width);
  }
}

static void sweep_groups(const subset_relaxation *s, subset_node *node, size_t width, size_t T,
                         double *u)
{
  for (size_t g = 0; g < node->f; g++) {
    const size_t first = g * T;
    for (size_t t = 0; t < T; t++) u[t] = node->r[first + t] + s->kappa[g] * node->w[first + t];
    const double length = sqrt(subset_norm2(u, T)), w = shrink(s, g, length);
    const double scale = w > 0 ? w / length : 0;
    for (size_t t = 0; t < T; t++) u[t] = scale * u[t] - node->w[first + t];
    for (size_t t = 0; t < T; t++)
      if (u[t] != 0) move(node, first + t, u[t], node->alpha[g], width);
  }
}

/* Computes lower, upper, x and length. */
static void evaluate(subset_relaxation *s, const subset_node *node, size_t T)
{
  const double *w = node->w, *r = node->r, *c = node->c, *alpha = node->alpha, *pen = node->pen;
  double wc = 0, wr = 0, plus = 0, phi = 0;
  if (T > 1)
    for (size_t g = 0; g < node->f; g++) {
      s->length[g] = sqrt(subset_norm2(w + g * T, T));
      s->x[g] = subset_norm2(r + g * T, T);
    }
  else
#pragma omp simd
    for (size_t g = 0; g < node->f; g++) {
      s->length[g] = fabs(w[g]);
      s->x[g] = r[g] * r[g];
    }
#pragma omp simd reduction(+ : wc, wr)
  for (size_t i = 0; i < node->n; i++) {
    wc += w[i] * c[i];
    wr += w[i] * r[i];
  }
#pragma omp simd reduction(+ : plus, phi)
  for (size_t g = 0; g < node->f; g++) {
    const double x = s->x[g] * s->inverse_alpha[g] - pen[g];
    const double length = s->length[g], a = alpha[g] * length;
    s->x[g] = x;
    plus += x > 0 ? x : 0;
    phi += a < s->threshold[g] ? 2 * s->threshold[g] * length : a * length + pen[g];
  }
  s->lower = node->rho + node->pen_in - (wc - wr) - plus;
  s->upper = node->rho + node->pen_in - (wc + wr) + phi;
}

/* Computes the direction of the line search: the change of w in the last sweep, made conjugate to the last direction
 * unless it is the first. */
static void conjugate_step(subset_relaxation *s, const subset_node *node, int first)
{
  const double *w = node->w, *r = node->r;
  double across = 0, before = 0;
#pragma omp simd reduction(+ : across, before)
  for (size_t i = 0; i < node->n; i++) {
    s->old_w[i] = w[i] - s->old_w[i];
    s->old_r[i] = r[i] - s->old_r[i];
    across -= s->old_w[i] * s->step_r[i];
    before += s->step_w[i] * s->step_r[i];
  }
  double share = first ? 0 : across / before;
  if (!(share > 0 && share < LONGEST)) share = 0;
#pragma omp simd
  for (size_t i = 0; i < node->n; i++) {
    s->step_w[i] = s->old_w[i] + share * s->step_w[i];
    s->step_r[i] = s->old_r[i] + share * s->step_r[i];
  }
}

/* Goes along the direction to the minimum of the relaxation as if every group stayed in its case (w_g = 0, z < 1 or
 * z >= 1), but not beyond the point where a group of z < 1 is nearest to 0. */
static void line_search(const subset_relaxation *s, subset_node *node, size_t T)
{
  /* halves of the first and the second derivative along the direction */
  double *w = node->w, *r = node->r, slope = 0, curve = 0, most = LONGEST;
#pragma omp simd reduction(+ : slope, curve)
  for (size_t i = 0; i < node->n; i++) {
    slope -= r[i] * s->step_w[i];
    curve -= s->step_r[i] * s->step_w[i];
  }
  for (size_t g = 0; g < node->f; g++) {
    const double *d = s->step_w + g * T, length = s->length[g], alpha = node->alpha[g];
    double along = 0;
    for (size_t t = 0; t < T; t++) along += w[g * T + t] * d[t];
    if (length == 0) {
      slope += s->threshold[g] * sqrt(subset_norm2(d, T));
    } else if (alpha * length < s->threshold[g]) {
      slope += s->threshold[g] * along / length;
      if (-along * most > length * length) most = -length * length / along;
    } else {
      slope += alpha * along;
      curve += alpha * subset_norm2(d, T);
    }
  }
  if (!(slope < 0 && curve > 0)) return;
  const double by = fmin(-slope / curve, most);
  if (!(by > SHORTEST)) return;
#pragma omp simd
  for (size_t i = 0; i < node->n; i++) {
    w[i] += by * s->step_w[i];
    r[i] += by * s->step_r[i];
  }
}

/* Computes z, mu, in, out and rise. The error of M that SUBSET_EXACT allows may change the bounds of the two sides by
 * about 4 SUBSET_EXACT |t| sum |w_h|. In their term 2 |w_g| |t|, |w_g| is therefore lowered by
 * 10 SUBSET_EXACT sum |w_h|, more than enough. Where M is less exact, these terms are left out. */
static void side_bounds(subset_relaxation *s, const subset_node *node, size_t T)
{
  const double *w = node->w, *r = node->r, *alpha = node->alpha, *x = s->x;
  const size_t f = node->f;
  double sum = 0, rise = 0;
  for (size_t g = 0; g < f; g++) {
    double square = 0;
    for (size_t t = g * T; t < (g + 1) * T; t++) {
      const double e = alpha[g] * w[t] - r[t];
      square += e * e;
    }
    s->in[g] = square;
    s->mu[g] = subset_mu(node, g, T);
    sum += s->length[g];
  }
  const double error = node->exact ? 10 * SUBSET_EXACT * sum : INFINITY;
#pragma omp simd reduction(max : rise)
  for (size_t g = 0; g < f; g++) {
    const double mu = s->mu[g], length = s->length[g];
    const double own = length - error, other = sqrt(s->in[g]) * s->inverse_alpha[g] - error;
    const double out = own > 0 ? own * own / mu : 0;
    const double in = other > 0 ? other * other * alpha[g] / (1 + alpha[g] * mu) : 0;
    s->z[g] = length > 0 ? length * alpha[g] / s->threshold[g] : 0;
    s->out[g] = x[g] > 0 ? out + x[g] : out;
    s->in[g] = x[g] < 0 ? in - x[g] : in;
    const double least = s->in[g] < s->out[g] ? s->in[g] : s->out[g];
    rise = least > rise ? least : rise;
  }
  s->rise = rise;
}

/* y += M x, or without `add` y <- M x. */
static void times_inverse(const subset_node *node, const double *x, double *y, int add)
{
  const size_t n = node->n, ld = node->ld;
  if (!add) memset(y, 0, n * sizeof(double));
  for (size_t i = 0; i < n; i++) {
    const double *row = node->M + i * ld, xi = x[i];
    double sum = row[i] * xi;
#pragma omp simd reduction(+ : sum)
    for (size_t j = 0; j < i; j++) {
      sum += row[j] * x[j];
      y[j] += row[j] * xi;
    }
    y[i] += sum;
  }
}

/* Block coordinate ascent on lower as a function of r, with w = M(c - r): subset_bound.h, "The dual". If lower does not
 * rise, w and r stay as they were. */
static void ascend_residual(subset_relaxation *s, const subset_arena *arena, subset_node *node,
                            double best, int sweeps)
{
  const size_t T = arena->T, n = node->n;
  double *w = node->w, *r = node->r, *m = arena->u, *rest = s->step_r;
  const double before = s->lower;
  memcpy(s->old_w, w, n * sizeof(double));
  memcpy(s->old_r, r, n * sizeof(double));
  for (size_t g = 0; g < node->f; g++) { /* the r that belongs to this w, as far as it is known */
    double *rg = r + g * T;
    const double length = s->length[g], own = sqrt(subset_norm2(rg, T)), alpha = node->alpha[g];
    if (length > 0)
      for (size_t t = 0; t < T; t++)
        rg[t] = w[g * T + t] * (alpha * length < s->threshold[g] ? s->threshold[g] / length : alpha);
    else if (own > s->threshold[g])
      for (size_t t = 0; t < T; t++) rg[t] *= s->threshold[g] / own;
  }
  for (size_t i = 0; i < n; i++) rest[i] = node->c[i] - r[i];
  times_inverse(node, rest, w, 0);
  double last = -INFINITY;
  for (int k = 0; k < sweeps; k++) {
    for (size_t g = 0; g < node->f; g++) {
      const double mu = subset_mu(node, g, T), most = s->threshold[g];
      double *rg = r + g * T, *wg = w + g * T, *to = s->step_w;
      for (size_t t = 0; t < T; t++) to[t] = rg[t] + wg[t] / mu;
      double length = sqrt(subset_norm2(to, T)), scale = 1;
      if (length > most) { /* beyond, where a larger r costs more, or at the edge */
        const double beyond = length * mu / (mu + s->inverse_alpha[g]);
        scale = fmax(beyond, most) / length;
      }
      for (size_t t = 0; t < T; t++) to[t] = scale * to[t] - rg[t];
      for (size_t t = 0; t < T; t++) {
        const double by = to[t];
        if (by == 0) continue;
        subset_column(node, g * T + t, m);
        rg[t] += by;
#pragma omp simd
        for (size_t i = 0; i < n; i++) w[i] -= by * m[i];
      }
    }
    evaluate(s, node, T);
    if (!(s->lower - last > .01 * (best - s->lower))) break;
    last = s->lower;
  }
  /* corrects w, since M is not exactly the inverse of Q, and computes r for this w */
  memcpy(rest, r, n * sizeof(double));
  residual(node, T);
  for (size_t i = 0; i < n; i++) rest[i] = r[i] - rest[i];
  times_inverse(node, rest, w, 1);
  residual(node, T);
  evaluate(s, node, T);
  if (s->lower > before) return;
  memcpy(w, s->old_w, n * sizeof(double));
  memcpy(r, s->old_r, n * sizeof(double));
  evaluate(s, node, T);
}

static int relax(subset_relaxation *s, const subset_arena *arena, subset_node *node, double best,
                 double cutoff, int sweeps)
{
  const size_t T = arena->T, width = subset_lines(node->n) * LINE;
  if (!prepare(s, node, T)) return 0;
  for (int k = 0; k < sweeps; k++) {
    if (k > 0) {
      conjugate_step(s, node, k == 1);
      line_search(s, node, T);
    }
    memcpy(s->old_w, node->w, node->n * sizeof(double));
    memcpy(s->old_r, node->r, node->n * sizeof(double));
    if (T == 1)
      sweep_single(s, node, width);
    else
      sweep_groups(s, node, width, T, arena->u);
    evaluate(s, node, T);
    const double gap = s->upper - s->lower;
    if (s->lower >= cutoff || gap < .05 * (best - s->upper)) break;
    if (k >= 3 && gap < .5 * (best - s->lower)) break;
  }
  if (s->nearly_singular && s->lower < node->bound) ascend_residual(s, arena, node, best, sweeps);
  side_bounds(s, node, T);
  return isfinite(s->lower);
}

const subset_loop_table TABLE = {rank_one, eliminate, residual, drift, relax};
