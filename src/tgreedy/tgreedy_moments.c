/* tgreedy_moments.c - see tgreedy_moments.h. */
#include "tgreedy_moments.h"

#include <float.h>
#include <math.h>

/* E_k of the product of variables i and j about the common centres, not scaled. */
static double second(const tgreedy_moments *m, int k, size_t i, size_t j)
{
  const size_t v = m->p + 1;
  const double *mean = m->mean + k * v;
  return m->cross[k][i + j * v] + (mean[i] - m->center[i]) * (mean[j] - m->center[j]);
}

static void products(void *context, size_t s, double *G, double *spread)
{
  const tgreedy_moments *m = context;
  for (int k = 0; k < m->K; k++) spread[k] = sqrt(m->cross[k][s + s * (m->p + 1)]);
  for (size_t i = 0; i < m->p; i++)
    for (int k = 0; k < m->K; k++)
      G[k + i * m->K] = m->scale[i] > 0 ? second(m, k, i, s) / (m->scale[i] * m->scale[s]) : 0;
}

/* tgreedy_data.second(). */
static double mean_second(void *context, size_t i, size_t s)
{
  const tgreedy_moments *m = context;
  double mean = 0;
  for (int k = 0; k < m->K; k++) mean += second(m, k, i, s) / m->K;
  return mean / (m->scale[i] * m->scale[s]);
}

tgreedy_data tgreedy_from_moments(tgreedy_moments *m, int intercept, int standardize, double *e)
{
  const size_t p = m->p, v = p + 1;
  const int K = m->K;
  tgreedy_data data = {.p = p,
                       .K = K,
                       .scale = m->scale,
                       .e = e,
                       .m = ALLOC(p * K, double),
                       .r2 = ALLOC(K, double),
                       .context = m,
                       .products = products,
                       .second = mean_second,
                       .others = m};
  for (size_t i = 0; i < v; i++) {
    double ss = 0;
    m->center[i] = 0;
    for (int k = 0; intercept && k < K; k++) m->center[i] += m->mean[i + k * v] / K;
    for (int k = 0; k < K; k++) ss += second(m, k, i, i) / K;
    const double noise = 64 * DBL_EPSILON * m->center[i];
    m->scale[i] = i < p && ss <= noise * noise ? 0 : standardize && i < p ? sqrt(ss) : 1;
    if (i < p) e[i] = m->scale[i] > 0 && !standardize ? ss : 1;
  }
  products(m, p, data.m, data.r2); /* products with the response, whose scale is 1 */
  for (int k = 0; k < K; k++) data.r2[k] = second(m, k, p, p);
  return data;
}
