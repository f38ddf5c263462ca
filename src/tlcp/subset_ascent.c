/* subset_ascent.c - the changes of alpha and lambda of subset_bound.h. */
#include <math.h>

#include "subset_bound.h"
#include "subset_loops.h"

#define LEAST_ALPHA .02 /* alpha is not lowered below this share of G_gg */
/* Where w_g is 0 or z >= 1, alpha is not lowered below MARGIN times the value at which that ends. */
#define MARGIN 1.3
#define DAMP .8          /* alpha is raised by this share of the distance to the maximiser ... */
#define MOST .95         /* ... and by no larger share of the rise that makes Q singular */
#define SMALL_CHANGE .05 /* smaller relative changes of alpha are not made */

/* alpha_g += delta, with M and r updated. Returns 0 where Q would not stay positive definite. */
static int change_alpha(subset_arena *arena, subset_node *node, size_t g, double delta)
{
  for (size_t a = g * arena->T; a < (g + 1) * arena->T; a++) {
    subset_column(node, a, arena->u);
    const double left = 1 - delta * arena->u[a];
    if (!(left > 0)) return 0;
    subset_loops()->rank_one(node->M, node->ld, arena->u, delta / left, node->n);
    node->r[a] += delta * node->w[a];
  }
  node->alpha[g] += delta;
  return 1;
}

/* The rise of alpha where 0 < z < 1; w: |w_g|. With gamma the derivative of the bound by alpha and -h a model of
 * its second derivative, delta = (1 - s)/mu maximises gamma delta - h delta^2/2 + tau log(1 - mu delta). */
static double step(double w, double alpha, double pen, double mu, double tau)
{
  const double q = sqrt(pen / alpha), gamma = w * (q - w);
  const double h = w * q / (2 * alpha) + mu * (q - 2 * w) * (q - 2 * w) / 2;
  const double b = gamma - h / mu, root = sqrt(b * b + 4 * h * tau);
  const double s = b > 0 ? 2 * tau * mu / (b + root) : (root - b) * mu / (2 * h);
  return fmin(DAMP * (1 - s), MOST) / mu;
}

/* Groups whose alpha may fall come first, so that the alpha of others can rise further. */
int subset_ascend(const subset_relaxation *s, subset_arena *arena, subset_node *node, double best)
{
  const size_t T = arena->T, f = node->f;
  const double tau = .5 * (best - s->lower) / (double)f;
  for (int fractional = 0; fractional <= 1; fractional++)
    for (size_t g = 0; g < f; g++) {
      const double z = s->z[g], alpha = node->alpha[g], pen = node->pen[g];
      if ((z > 0 && z < 1) != fractional) continue;
      const double least = fmin(LEAST_ALPHA * (s->kappa[g] + alpha), alpha);
      double to;
      if (fractional) {
        const double mu = subset_mu(node, g, T);
        if (!(mu > 0)) return 0;
        to = alpha + step(s->length[g], alpha, pen, mu, tau);
      } else {
        const double lo = z > 0 ? MARGIN * pen / (s->length[g] * s->length[g])
                                : MARGIN * subset_norm2(node->r + g * T, T) / pen;
        to = fmin(lo, alpha);
      }
      const double delta = fmax(to, least) - alpha;
      if (fabs(delta) >= SMALL_CHANGE * alpha && !change_alpha(arena, node, g, delta)) return 0;
    }
  return 1;
}

void subset_set_lambda(subset_node *node, double lambda, size_t size)
{
  node->lambda = lambda;
  node->pen_in = lambda * ((double)node->n_in - (double)size);
  for (size_t g = 0; g < node->f; g++) node->pen[g] = lambda;
}

void subset_ascend_lambda(const subset_relaxation *s, subset_node *node, size_t size)
{
  const double lambda = node->lambda;
  double slope = (double)node->n_in - (double)size, curve = 0;
  for (size_t g = 0; g < node->f; g++) {
    const double z = s->z[g];
    slope += fmin(1, z);
    if (z > 0 && z < 1) curve += (z + s->mu[g] * node->alpha[g]) / (2 * lambda);
  }
  if (!(curve > 0)) return;
  subset_set_lambda(node, fmin(fmax(lambda + slope / curve, lambda / 2), 2 * lambda), size);
}

int subset_branch(const subset_relaxation *s, const subset_node *node)
{
  double most = -1;
  int best = 0;
  for (size_t g = 0; g < node->f; g++) {
    const double z = s->z[g], ratio = s->mu[g] / node->alpha[g];
    const double score = z > 0 && z < 1 ? z * (1 - z) * ratio * ratio : 0;
    if (score > most) {
      most = score;
      best = (int)g;
    }
  }
  return best;
}
