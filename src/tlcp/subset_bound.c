/* subset_bound.c - see subset_bound.h. */
#include "subset_bound.h"

#include <math.h>

#include "port.h"

subset_relaxation subset_relaxation_new(size_t p, size_t T)
{
  subset_relaxation s = {0};
  s.x = subset_room(p);
  s.z = subset_room(p);
  s.kappa = subset_room(p);
  s.threshold = subset_room(p);
  s.length = subset_room(p);
  s.mu = subset_room(p);
  s.in = subset_room(p);
  s.out = subset_room(p);
  s.old_w = subset_room(p * T);
  s.old_r = subset_room(p * T);
  s.step_w = subset_room(p * T);
  s.step_r = subset_room(p * T);
  s.u_full = subset_room(p);
  s.inverse_kappa = subset_room(p);
  s.inverse_sum = subset_room(p);
  s.inverse_alpha = subset_room(p);
  return s;
}

double subset_mu(const subset_node *node, size_t g, size_t T)
{
  const size_t a = g * T, ld = node->ld;
  const double *M = node->M;
  if (T == 1) return M[a * ld + a];
  if (T == 2) {
    const double half = (M[a * ld + a] - M[(a + 1) * ld + a + 1]) / 2, off = M[(a + 1) * ld + a];
    return (M[a * ld + a] + M[(a + 1) * ld + a + 1]) / 2 + sqrt(half * half + off * off);
  }
  double square = 0, row = 0;
  for (size_t i = a; i < a + T; i++) {
    double sum = 0;
    for (size_t j = a; j < a + T; j++) {
      const double m = i > j ? M[i * ld + j] : M[j * ld + i];
      square += m * m;
      sum += fabs(m);
    }
    if (sum > row) row = sum;
  }
  return fmin(sqrt(square), row);
}
