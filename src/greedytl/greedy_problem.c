/* greedy_problem.c - see greedy_problem.h; notation of greedy.h. */
#include "greedy_problem.h"

#include <math.h>
#include <string.h>

#include "kernels.h"

/* Scores are of order 1: below this they are nothing. */
#define ROUNDING 1e-10

/* e_i = (P y)_i / (P_ii - g_i^2), g = sqrt(v/n) when there is an intercept: the leave-one-out
 * residual times sqrt(v_i), given the selected columns and their scale. */
static double deleted(const greedy_problem *b, size_t n, size_t i, int intercept)
{
  const double v = b->v ? b->v[i] : 1;
  const double left = b->diag[i] - (intercept ? v / (double)n : 0);
  return left > 1e-10 ? b->Py[i] / left : NAN;
}

int tells_class(double score, double y)
{
  return (score > ROUNDING) == (y > 0);
}

/* The share (weights v) of rows whose class the model without them would tell. With `balanced`
 * the cut lies midway between the two classes' mean scores, each mean without row i: the
 * intercept of so few rows would move with the row left out. */
static double deleted_accuracy(const greedy_problem *b, size_t n, const greedy_options *o)
{
  double right = 0, count[2] = {0, 0}, E[2], gc[2];
  int undefined = 0;
  for (size_t i = 0; i < n; i++) count[b->y[i] > 0]++;
  for (int c = 0; c < 2; c++) {
    E[c] = gc[c] = 0;
    for (size_t i = 0; i < n; i++)
      if ((b->y[i] > 0) == c) {
        E[c] += b->Py[i] / (b->sv ? b->sv[i] : 1);
        gc[c] += 1 / sqrt((double)n); /* g_i c_i */
      }
  }
  const int midway = o->balanced && o->intercept;
  if (midway && (count[0] < 2 || count[1] < 2)) {
    for (size_t i = 0; b->score && i < n; i++) b->score[i] = NAN;
    return NAN;
  }
  for (size_t i = 0; i < n; i++) {
    const double sv = b->sv ? b->sv[i] : 1, delta = deleted(b, n, i, o->intercept);
    const int own = b->y[i] > 0;
    double score = b->y[i] - delta / sv;
    for (int c = 0; midway && c < 2; c++) {
      const double Pfc = b->Pc[c][i] - sv / sqrt((double)n) * gc[c];
      const double mean = (c ? 1 : -1) - (E[c] - Pfc * delta) / (count[c] - (own == c));
      score -= mean / 2;
    }
    if (b->score) b->score[i] = score + (b->n_steps > 1 ? b->score[i] : 0);
    if (isnan(score)) undefined = 1;
    if (tells_class(score, b->y[i])) right += sv * sv;
  }
  if (undefined) return NAN;
  return right / (double)n;
}

/* Fills row k = n_steps of the outputs from P y and diag P. */
static void record(greedy_problem *b, size_t n, const greedy_options *o)
{
  const int k = b->n_steps;
  double trace = 0, loss = 0;
  for (size_t i = 0; i < n; i++) {
    const double e = deleted(b, n, i, o->intercept);
    loss += e * e;
    if (b->deleted) b->deleted[i] = e + (k > 1 ? b->deleted[i] : 0);
    trace += b->diag[i];
  }
  b->objective[k] = dot(b->ys, b->Py, n) / (double)n;
  b->rss[k] = dot(b->Py, b->Py, n);
  b->df[k] = (double)n - trace + (o->intercept != 0);
  b->loo[k] = loss / (double)n;
  if (o->scores) b->accuracy[k] = deleted_accuracy(b, n, o);

  if (k && o->average) kernels->axpy(1, b->Py, n, b->residual);
}

void greedy_coefficients(const greedy_problem *b, int *row, double *coef, double *a0)
{
  const int m = b->n_steps;
  int *order = ALLOC(m, int); /* of the columns entered so far, ascending */
  double *w = ALLOC(m, double);
  a0[0] = b->y_mean;
  for (int k = 1; k <= m; row += k, coef += k, k++) {
    int at = k - 1;
    for (; at > 0 && b->entered[order[at - 1]] > b->entered[k - 1]; at--) order[at] = order[at - 1];
    order[at] = k - 1;
    for (int r = k - 1; r >= 0; r--) { /* L'w = U'y */
      double s = b->q[r];
      for (int t = r + 1; t < k; t++) s -= b->L[t][r] * w[t];
      w[r] = s / b->L[r][r];
    }
    a0[k] = b->y_mean;
    for (int r = 0; r < k; r++) {
      const int j = order[r];
      row[r] = b->entered[j];
      coef[r] = w[j] / b->scale[j];
      a0[k] -= coef[r] * b->center[j];
    }
  }
}

double greedy_common_scale(const double *ss, size_t p, size_t N, size_t n, const greedy_options *o,
                           double count[2])
{
  double spread = 0;
  count[0] = count[1] = 0;
  for (size_t j = 0; j < N; j++) {
    if (!(ss[j] > 0)) continue;
    count[j >= p]++;
    if (j >= p) spread += ss[j];
  }
  return o->common_scale && o->standardize && count[1] > 0 ? spread / ((double)n * count[1]) : 0;
}

double greedy_squared_scale(double ss, int is_source, double common, const greedy_options *o)
{
  if (!o->standardize || !(ss > 0)) return 1;
  return is_source && common > 0 ? common : ss / o->divisor;
}

status problem_start(greedy_problem *b, size_t n, const greedy_options *o)
{
  const int m = o->max_steps;
  double ss;
  b->U = ALLOC(m, double *);
  b->L = ALLOC(m, double *);
  b->q = ALLOC(m, double);
  b->ys = ALLOC(n, double);
  b->Py = ALLOC(n, double);
  b->diag = ALLOC(n, double);
  if (b->v) {
    b->sv = ALLOC(n, double);
    b->u = ALLOC(n, double);
    for (size_t i = 0; i < n; i++) b->sv[i] = sqrt(b->v[i]);
  }
  if (o->average) {
    b->deleted = ALLOC(n, double);
    if (o->scores) b->score = ALLOC(n, double);
  }
  column_moments(b->y, b->v, n, o->intercept, &b->y_mean, &ss);
  if (!(ss > 0)) return STATUS_CONSTANT_Y;
  for (size_t i = 0; i < n; i++) {
    b->ys[i] = (b->y[i] - b->y_mean) * (b->sv ? b->sv[i] : 1);
    b->diag[i] = 1;
  }
  memcpy(b->Py, b->ys, n * sizeof(double));
  for (int c = 0; o->scores && c < 2; c++) {
    b->Pc[c] = ALLOC(n, double);
    for (size_t i = 0; i < n; i++)
      if ((b->y[i] > 0) == c) b->Pc[c][i] = 1 / (b->sv ? b->sv[i] : 1);
  }
  b->n_steps = 0;
  b->done = o->max_steps == 0;
  record(b, n, o);
  return STATUS_OK;
}

status problem_column(const greedy_problem *b, const double *x, size_t n, int is_source,
                      const greedy_options *o, double *z, double *center, double *scale)
{
  double ss;
  if (!column_moments(x, b->v, n, o->intercept, center, &ss)) return STATUS_NOT_FINITE;
  *scale = sqrt(greedy_squared_scale(ss, is_source, b->common, o));
  for (size_t i = 0; i < n; i++)
    z[i] = ss > 0 ? (x[i] - *center) / *scale * (b->sv ? b->sv[i] : 1) : 0;
  return STATUS_OK;
}

void problem_look(const greedy_problem *b, const double *z, size_t n, double tau, double *a,
                  double *d)
{
  *a = dot(z, b->Py, n);
  *d = tau + dot(z, z, n);
  for (int r = 0; r < b->n_steps; r++) {
    const double t = dot(b->U[r], z, n);
    *d -= t * t;
  }
}

status problem_take(const design *d, greedy_problem *b, size_t j, int forced,
                    const greedy_options *o, double *buffer, double *z)
{
  const size_t n = d->n;
  const int k = b->n_steps, m = o->max_steps, is_source = j >= d->block[0].p;
  const double tau = b->tau[is_source];
  if (!b->U[k]) {
    b->U[k] = ALLOC(n, double);
    b->L[k] = ALLOC(k + 1, double);
  }
  double *u = b->U[k], *row = b->L[k];
  const double *x = design_column(d, j, buffer);
  const status s = problem_column(b, x, n, is_source, o, z, &b->center[k], &b->scale[k]);
  if (s != STATUS_OK) return s;
  memcpy(u, z, n * sizeof(double));
  /* u = P z. Without a ridge P is a projection, and a second round makes it one to rounding. */
  for (int r = 0; r < k; r++) row[r] = 0;
  for (int round = 0; round < (tau > 0 ? 1 : 2); round++)
    for (int r = 0; r < k; r++) {
      const double t = dot(b->U[r], round ? u : z, n);
      row[r] += t;
      kernels->axpy(-t, b->U[r], n, u);
    }
  const double zz = dot(z, z, n), zPz = tau > 0 ? dot(z, u, n) : dot(u, u, n);
  if (zPz <= COLLINEAR * zz) return forced ? STATUS_COLLINEAR_KEEP : STATUS_OK;
  const double root = sqrt(tau + zPz), q = dot(z, b->Py, n) / root, gain = q * q;
  if (!forced && (gain / (double)n < o->tol || gain <= NO_GAIN * dot(b->ys, b->ys, n))) {
    b->done = 1;
    return STATUS_OK;
  }

  for (size_t i = 0; i < n; i++) {
    u[i] /= root;
    b->diag[i] -= u[i] * u[i];
  }
  kernels->axpy(-q, u, n, b->Py);
  for (int c = 0; o->scores && c < 2; c++) {
    double uc = 0;
    for (size_t i = 0; i < n; i++)
      if ((b->y[i] > 0) == c) uc += u[i] / (b->sv ? b->sv[i] : 1);
    kernels->axpy(-uc, u, n, b->Pc[c]);
  }
  row[k] = root;
  b->q[k] = q;
  b->gain[k] = gain;
  b->entered[k] = (int)j;
  b->n_steps++;
  if (b->n_steps == m) b->done = 1;
  record(b, n, o);
  return STATUS_OK;
}
