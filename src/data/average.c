/* average.c - see average.h. */
#include "average.h"

#include <math.h>

size_t average_weights(const double *log_weight, size_t n, double least, double *weight)
{
  double largest = -INFINITY, sum = 0;
  size_t kept = 0;
  for (size_t k = 0; k < n; k++)
    if (log_weight[k] > largest) largest = log_weight[k];
  for (size_t k = 0; k < n; k++) {
    /* 1 for the largest, also where it is +Inf */
    const double relative = log_weight[k] == largest ? 1 : exp(log_weight[k] - largest);
    weight[k] = largest > -INFINITY && relative > 0 && relative >= least ? relative : 0;
    sum += weight[k];
    kept += weight[k] > 0;
  }
  for (size_t k = 0; k < n && kept; k++) weight[k] /= sum;
  return kept;
}
