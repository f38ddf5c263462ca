/* supports_random.h - random numbers of supports.c, from a seed that R draws. */
#ifndef TRANSELECT_SUPPORTS_RANDOM_H
#define TRANSELECT_SUPPORTS_RANDOM_H

#include <math.h>
#include <stdint.h>

#include "random.h"

typedef struct {
  uint64_t seed[2]; /* not both 0 */
} supports_random;

/* Uniform on (0, 1). */
static inline double supports_uniform(supports_random *s)
{
  return random_uniform(s->seed);
}

/* Standard normal, by Marsaglia's polar method. */
static inline double supports_normal(supports_random *s)
{
  for (;;) {
    const double u = 2 * supports_uniform(s) - 1, v = 2 * supports_uniform(s) - 1;
    const double square = u * u + v * v;
    if (square < 1 && square > 0) return u * sqrt(-2 * log(square) / square);
  }
}

/* Gamma with this shape, at least 1/2, and scale 1 (Marsaglia and Tsang, ACM Trans. Math. Softw. 26 (2000)). */
static inline double supports_gamma(supports_random *s, double shape)
{
  if (shape < 1) return supports_gamma(s, shape + 1) * pow(supports_uniform(s), 1 / shape);
  const double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
  for (;;) {
    const double x = supports_normal(s), root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (log(supports_uniform(s)) < x * x / 2 + d - d * v + d * log(v)) return d * v;
  }
}

#endif
