/* softmax_penalty.c - see softmax_penalty.h. */
#include "softmax_penalty.h"

#include <math.h>

/* d_q of the k classes, the last zero. */
static double at(const penalty *p, const double *d, int q)
{
  return q < p->k - 1 ? d[q] : 0;
}

static double log_cosh(double z)
{
  z = fabs(z);
  return z + log1p(exp(-2 * z)) - log(2.);
}

/* log mean_q exp(sign beta d_q); the shares exp() / sum of the first k - 1 classes go to s. */
static double log_mean(const penalty *p, const double *d, double sign, int q, double *share)
{
  double most = 0, sum = 0;
  for (int c = 0; c < p->k; c++) most = fmax(most, sign * p->beta * at(p, d, c));
  for (int c = 0; c < p->k; c++) sum += exp(sign * p->beta * at(p, d, c) - most);
  if (share) *share = exp(sign * p->beta * at(p, d, q) - most) / sum;
  return most + log(sum / p->k);
}

/* Where the smoothed signs tanh(beta (d_q - t)) sum to zero: they fall with t. */
static double shift_l1(const penalty *p, const double *d)
{
  double low = 0, high = 0;
  for (int q = 0; q < p->k - 1; q++) {
    low = fmin(low, d[q]);
    high = fmax(high, d[q]);
  }
  double t = (low + high) / 2;
  for (int step = 0; step < 200 && high - low > 1e-15 * (1 + fabs(t)); step++) {
    double sum = 0, slope = 0;
    for (int q = 0; q < p->k; q++) {
      const double s = tanh(p->beta * (at(p, d, q) - t));
      sum += s;
      slope += p->beta * (1 - s * s);
    }
    if (sum == 0) break;
    if (sum > 0)
      low = t;
    else
      high = t;
    const double newton = t + sum / slope;
    t = newton > low && newton < high ? newton : (low + high) / 2;
  }
  return t;
}

double penalty_shift(const penalty *p, const double *d)
{
  double sum = 0;
  if (p->kind == PENALTY_L1) return shift_l1(p, d);
  if (p->kind == PENALTY_LINF1)
    return (log_mean(p, d, 1, 0, NULL) - log_mean(p, d, -1, 0, NULL)) / (2 * p->beta);
  for (int q = 0; q < p->k - 1; q++) sum += d[q];
  return sum / p->k;
}

double penalty_value(const penalty *p, const double *d, double *g)
{
  const double t = p->kind == PENALTY_LINF1 ? 0 : penalty_shift(p, d);
  double value = 0;
  if (p->kind == PENALTY_LINF1) {
    value = (log_mean(p, d, 1, 0, NULL) + log_mean(p, d, -1, 0, NULL)) / (2 * p->beta);
    for (int q = 0; q < p->k - 1; q++) {
      double up, down;
      log_mean(p, d, 1, q, &up);
      log_mean(p, d, -1, q, &down);
      g[q] += p->weight * (up - down) / 2;
    }
    return p->weight * value;
  }
  for (int q = 0; q < p->k; q++) {
    const double w = at(p, d, q) - t;
    value += p->kind == PENALTY_RIDGE ? w * w : log_cosh(p->beta * w) / p->beta;
    if (q < p->k - 1) g[q] += p->weight * (p->kind == PENALTY_RIDGE ? 2 * w : tanh(p->beta * w));
  }
  return p->weight * value;
}

/* Second derivative of the cost of W_q; after the best shift that of d is D - D11'D / 1'D1. */
static double bend(const penalty *p, double w)
{
  if (p->kind == PENALTY_RIDGE) return 2;
  const double s = tanh(p->beta * w);
  return p->beta * (1 - s * s);
}

void penalty_curve(const penalty *p, const double *d, double *h, size_t ld)
{
  const int K = p->k - 1;
  if (p->kind == PENALTY_LINF1) {
    const double scale = p->weight * p->beta / 2;
    for (int q = 0; q < K; q++)
      for (int l = 0; l < K; l++)
        for (int sign = -1; sign <= 1; sign += 2) {
          double a, b;
          log_mean(p, d, sign, q, &a);
          log_mean(p, d, sign, l, &b);
          h[q * ld + l] += scale * ((q == l) * a - a * b);
        }
    return;
  }
  const double t = penalty_shift(p, d);
  double total = 0;
  for (int q = 0; q < p->k; q++) total += bend(p, at(p, d, q) - t);
  for (int q = 0; q < K && total > 0; q++) {
    const double bq = bend(p, d[q] - t);
    for (int l = 0; l < K; l++)
      h[q * ld + l] += p->weight * ((q == l) * bq - bq * bend(p, d[l] - t) / total);
  }
}

double penalty_bend(const penalty *p)
{
  if (p->kind == PENALTY_RIDGE) return 2 * p->weight;
  return p->weight * p->beta / (p->kind == PENALTY_L1 ? 1 : p->k);
}
