/* softmax_penalty.c - see softmax_penalty.h. */
#include "softmax_penalty.h"

#include <math.h>

/* d_q of class q, zero for the last class. */
static double difference(const penalty *p, const double *d, int q)
{
  return q < p->k - 1 ? d[q] : 0;
}

static double log_cosh(double z)
{
  z = fabs(z);
  return z + log1p(exp(-2 * z)) - log(2.);
}

/* sum_q exp(sign beta d_q) = e^most sum, without overflow. */
typedef struct {
  double sign, most, sum;
} soft;

static soft soften(const penalty *p, const double *d, double sign)
{
  soft s = {.sign = sign};
  for (int c = 0; c < p->k; c++) s.most = fmax(s.most, sign * p->beta * difference(p, d, c));
  for (int c = 0; c < p->k; c++) s.sum += exp(sign * p->beta * difference(p, d, c) - s.most);
  return s;
}

static double log_mean(const penalty *p, soft s)
{
  return s.most + log(s.sum / p->k);
}

/* Share of class q in the sum. */
static double share(const penalty *p, const double *d, soft s, int q)
{
  return exp(s.sign * p->beta * difference(p, d, q) - s.most) / s.sum;
}

/* The root t of sum_q tanh(beta (d_q - t)), which decreases in t. */
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
      const double s = tanh(p->beta * (difference(p, d, q) - t));
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
    return (log_mean(p, soften(p, d, 1)) - log_mean(p, soften(p, d, -1))) / (2 * p->beta);
  for (int q = 0; q < p->k - 1; q++) sum += d[q];
  return sum / p->k;
}

double penalty_value(const penalty *p, const double *d, double *g)
{
  const double t = p->kind == PENALTY_LINF1 ? 0 : penalty_shift(p, d);
  double value = 0;
  if (p->kind == PENALTY_LINF1) {
    const soft up = soften(p, d, 1), down = soften(p, d, -1);
    for (int q = 0; q < p->k - 1; q++)
      g[q] += p->weight * (share(p, d, up, q) - share(p, d, down, q)) / 2;
    return p->weight * (log_mean(p, up) + log_mean(p, down)) / (2 * p->beta);
  }
  for (int q = 0; q < p->k; q++) {
    const double w = difference(p, d, q) - t;
    value += p->kind == PENALTY_RIDGE ? w * w : log_cosh(p->beta * w) / p->beta;
    if (q < p->k - 1) g[q] += p->weight * (p->kind == PENALTY_RIDGE ? 2 * w : tanh(p->beta * w));
  }
  return p->weight * value;
}

/* Second derivative of ridge or l1 in W_q, without the weight. With D the diagonal matrix of these derivatives the
 * Hessian in d is D - D11'D / 1'D1. */
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
    for (int sign = -1; sign <= 1; sign += 2) {
      const soft one = soften(p, d, sign);
      for (int q = 0; q < K; q++) {
        const double a = p->weight * p->beta / 2 * share(p, d, one, q);
        for (int l = 0; l < K; l++) h[q * ld + l] += a * ((q == l) - share(p, d, one, l));
      }
    }
    return;
  }
  const double t = penalty_shift(p, d);
  double total = 0;
  for (int q = 0; q < p->k; q++) total += bend(p, difference(p, d, q) - t);
  for (int q = 0; q < K && total > 0; q++) {
    const double bq = bend(p, d[q] - t);
    for (int l = 0; l < K; l++)
      h[q * ld + l] += p->weight * ((q == l) * bq - bq * bend(p, d[l] - t) / total);
  }
}

void penalty_bends(const penalty *p, const double *d, double *to)
{
  if (p->kind == PENALTY_LINF1) {
    const soft up = soften(p, d, 1), down = soften(p, d, -1);
    for (int q = 0; q < p->k; q++)
      to[q] += p->weight * p->beta / 2 * (share(p, d, up, q) + share(p, d, down, q));
    return;
  }
  const double t = penalty_shift(p, d);
  for (int q = 0; q < p->k; q++) to[q] += p->weight * bend(p, difference(p, d, q) - t);
}

double penalty_bend(const penalty *p)
{
  if (p->kind == PENALTY_RIDGE) return 2 * p->weight;
  return p->weight * p->beta / (p->kind == PENALTY_L1 ? 1 : p->k);
}
