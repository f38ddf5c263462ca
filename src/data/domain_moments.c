/* domain_moments.c - see domain_moments.h. */
#include "domain_moments.h"

#include <math.h>
#include <string.h>

#include "chol.h"
#include "kernels.h"
#include "moderate.h"
#include "port.h"

static int zeros_and_ones(double mean, double variance)
{
  const double wanted = mean * (1 - mean), larger = variance > wanted ? variance : wanted;
  if (variance <= 1e-20 * mean * mean) return mean == 0 || fabs(mean - 1) <= 1e-12;
  return fabs(variance - wanted) <= 1e-9 * larger;
}

void domain_spreads(const domain_sums *sums, size_t q, int intercept, domain_spread *out)
{
  const double n = sums->n;
  for (size_t j = 0; j < q; j++) {
    const double m = sums->mean[j], variance = sums->cross[j * (q + 1)] / sums->weight;
    if (j + 1 < q) out->binary[j] = zeros_and_ones(m, variance);
    const double about = intercept ? variance : variance + m * m;
    const double square = about > 0 ? about * n : 0, mean = intercept ? m : 0;
    const double spread = sqrt(square / (n > 2 ? n - 1 : 1));
    out->mean[j] = mean;
    out->square[j] = square;
    out->spread[j] = spread <= 1e-12 * sqrt(square / n + mean * mean) ? 0 : spread;
  }
}

void domain_moderated(const double *spread, const double *df, const int *binary, size_t q, size_t T,
                      double *out)
{
  double *square = ALLOC(T, double), *freedom = ALLOC(T, double), *work = ALLOC(T, double);
  size_t *domain = ALLOC(T, size_t);
  for (size_t k = 0; k < q * T; k++) out[k] = spread[k];
  for (size_t j = 0; j < q; j++) {
    if (j + 1 < q && binary[j]) continue;
    size_t vary = 0, known = 0;
    for (size_t t = 0; t < T; t++) {
      const double s = spread[j + t * q];
      if (!(s > 0)) continue;
      square[vary] = s * s;
      freedom[vary] = df[t];
      known += df[t] > 0;
      domain[vary++] = t;
    }
    if (vary < 3 || known < 2) continue;
    moderate_by_df(square, freedom, vary, work, square);
    for (size_t k = 0; k < vary; k++) out[j + domain[k] * q] = sqrt(square[k]);
  }
}

/* The sum of products of columns i and j, divided by their scales, about the means or, without an intercept, about
 * 0. */
static double product(const domain_sums *sums, const domain_units *units, size_t i, size_t j)
{
  if (units->flat[i] || units->flat[j]) return 0;
  double sum = sums->cross[i + j * units->q] * (sums->n / sums->weight);
  if (!units->intercept) sum += sums->n * sums->mean[i] * sums->mean[j];
  return sum / (units->scale[i] * units->scale[j]);
}

void domain_moments(const domain_sums *sums, const domain_units *units, double *G, double *g,
                    double *yy)
{
  const size_t q = units->q, p = q - 1, level = units->centre != NULL, order = p + level;
  double *away = level ? ALLOC(q, double) : NULL; /* means of columns centred at `centre`, scaled */
  for (size_t j = 0; j < q && level; j++)
    away[j] = (sums->mean[j] - units->centre[j]) / units->scale[j];
  for (size_t j = 0; j < q; j++)
    for (size_t i = 0; i <= j; i++) {
      double sum = product(sums, units, i, j);
      if (level) sum += sums->n * away[i] * away[j];
      if (j < p)
        G[i + j * order] = G[j + i * order] = sum;
      else if (i < p)
        g[i] = sum;
      else
        *yy = sum;
    }
  if (!level) return;
  for (size_t j = 0; j < p; j++) G[p + j * order] = G[j + p * order] = sums->n * away[j];
  G[p + p * order] = sums->n;
  g[p] = sums->n * away[p];
}

void domain_least_squares(const double *G, const double *g, double yy, size_t p, size_t most,
                          double share, domain_fit *out)
{
  chol_factor factor = chol_new(p, 0);
  double *norm = ALLOC(p, double), *cosine = ALLOC(p, double), *z = ALLOC(p, double);
  out->log_det = 0;
  for (size_t j = 0; j < p && factor.k < most; j++) {
    const size_t rank = factor.k;
    norm[rank] = sqrt(G[j + j * p]);
    if (!(norm[rank] > 0)) continue;
    for (size_t k = 0; k < rank; k++) cosine[k] = G[out->kept[k] + j * p] / (norm[k] * norm[rank]);
    if (!chol_append(&factor, cosine, 1, NULL, share)) continue;
    z[rank] = g[j] / norm[rank];
    out->log_det += 2 * log(factor.L[rank * (factor.ld + 1)] * norm[rank]);
    out->kept[rank] = (int)j;
  }
  const size_t rank = out->rank = factor.k;
  memset(out->coef, 0, p * sizeof(double));
  if (rank) {
    chol_forward(&factor, z);
    chol_backward(&factor, z);
  }
  for (size_t k = 0; k < rank; k++) out->coef[out->kept[k]] = z[k] / norm[k];
  const double rss = yy - dot(out->coef, g, p);
  out->rss = rss > 0 ? rss : 0;
  if (rank < p) out->log_det = 0;
}
