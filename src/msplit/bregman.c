/* bregman.c - see bregman.h for the iteration. */
#include "bregman.h"

#include <math.h>
#include <string.h>

#include "blas.h"
#include "kernels.h"
#include "softmax.h"

#define POLL 256        /* iterations between two checks for an interrupt */
#define START_TOL 1e-11 /* descend() ends at this share of the largest gradient */
#define START_MOST 200000

typedef struct {
  const iss_data *rows;
  const bregman_options *o;
  size_t n, d;
  int q, moves_b0;
  size_t f; /* length of b0 and c of a response: 1 + the number of kept columns in the iteration */
  const double *y;
  double *G, *Xy;               /* squared loss with d < 2n: X'X/n and X'Y/n */
  const double **column;        /* of G or X */
  double *B, *Z, *gamma, *b0;   /* b0: f q, of each response the intercept and then c */
  double *grad, *grad0, *score; /* d q, f q, n q */
  softmax classes;              /* multinomial loss: without columns, the scores are its `base` */
} state;

/* ---- loss and gradient ----------------------------------------------------------------------- */

/* st->score (n x q) <- the scores at B and b0. */
static void scores(state *st, const double *B, const double *b0)
{
  for (int r = 0; r < st->q; r++) {
    double *s = st->score + (size_t)r * st->n;
    const double *fixed = b0 + (size_t)r * st->f;
    for (size_t i = 0; i < st->n; i++) s[i] = fixed[0];
    for (size_t j = 1; j < st->f; j++)
      kernels->axpy(fixed[j], st->rows->kept + (j - 1) * st->n, st->n, s);
    for (size_t j = 0; j < st->d; j++) st->column[j] = st->rows->x + j * st->n;
    kernels->combine(st->column, B + (size_t)r * st->d, st->d, st->n, s);
  }
}

static double softplus(double x)
{
  return fmax(x, 0) + log1p(exp(-fabs(x)));
}

/* Returns the multinomial loss, from differences of scores to the last class; replaces the scores by S. */
static double multinomial(state *st)
{
  const size_t n = st->n, K = (size_t)st->q - 1;
  double *last = st->score + K * n;
  for (size_t r = 0; r < K; r++)
    for (size_t i = 0; i < n; i++)
      *softmax_base(&st->classes, i, r) = st->score[i + r * n] - last[i];
  const double loss = softmax_kernels()->pass(&st->classes, NULL, NULL);
  memset(last, 0, n * sizeof(double));
  for (size_t r = 0; r < K; r++)
    for (size_t i = 0; i < n; i++) last[i] -= st->score[i + r * n] = *softmax_r(&st->classes, i, r);
  return loss;
}

/* Replaces the scores by S; returns the mean loss. */
static double slopes(state *st)
{
  const size_t n = st->n;
  double total = 0;
  if (st->o->loss == LOSS_MULTINOMIAL) return multinomial(st);
  for (size_t i = 0; i < n; i++) {
    const double w = st->rows->weight ? st->rows->weight[i] : 1;
    double *s = st->score + i, loss = 0;
    const double *y = st->y + i;
    if (st->o->loss == LOSS_BINOMIAL) {
      for (int r = 0; r < st->q; r++) {
        loss += softplus(s[r * n]) - y[r * n] * s[r * n];
        s[r * n] = w * (1 / (1 + exp(-s[r * n])) - y[r * n]);
      }
    } else {
      for (int r = 0; r < st->q; r++) {
        const double e = s[r * n] - y[r * n];
        loss += e * e;
        s[r * n] = w * e;
      }
    }
    total += w * loss;
  }
  return total / (double)n;
}

/* grad <- X'S/n and grad0 <- mean S (where b0 moves), K'S/n, at B and b0. */
static void gradient(state *st, const double *B, const double *b0)
{
  const size_t n = st->n, d = st->d;
  if (st->G) {
    for (size_t j = 0; j < d; j++) st->column[j] = st->G + j * d;
    for (int r = 0; r < st->q; r++) {
      double *g = st->grad + (size_t)r * d;
      for (size_t j = 0; j < d; j++) g[j] = -st->Xy[(size_t)r * d + j];
      kernels->combine(st->column, B + (size_t)r * d, d, d, g);
    }
    return;
  }
  scores(st, B, b0);
  slopes(st);
  for (int r = 0; r < st->q; r++) {
    const double *s = st->score + (size_t)r * n;
    double *g = st->grad + (size_t)r * d;
    kernels->dots(COLUMNS(st->rows->x, n, d), NULL, s, g);
    for (size_t j = 0; j < d; j++) g[j] /= (double)n;
    double *fixed = st->grad0 + (size_t)r * st->f;
    if (st->moves_b0) fixed[0] = kernels->sum(s, 0, NULL, n) / (double)n;
    for (size_t j = 1; j < st->f; j++)
      fixed[j] = dot(st->rows->kept + (j - 1) * n, s, n) / (double)n;
  }
}

/* The mean squared loss of response r alone, from its scores. */
static double squared_loss(const state *st, int r)
{
  double sum = 0;
  for (size_t i = 0; i < st->n; i++) {
    const double e = st->score[i + (size_t)r * st->n] - st->y[i + (size_t)r * st->n];
    sum += (st->rows->weight ? st->rows->weight[i] : 1) * e * e;
  }
  return sum / (double)st->n;
}

/* ---- the start ------------------------------------------------------------------------------- */

/* The rows times the roots of their weights. */
static iss_data rooted(const iss_data *rows)
{
  iss_data out = *rows;
  out.turned = NULL;
  if (!rows->weight) return out;
  double *x = ALLOC(rows->n * rows->d, double);
  for (size_t j = 0; j < rows->d; j++)
    for (size_t i = 0; i < rows->n; i++)
      x[i + j * rows->n] = rows->x[i + j * rows->n] * sqrt(rows->weight[i]);
  out.x = x;
  return out;
}

/* B <- (X'X/n + I/nu)^-1 X'Y/n (ridge), by the smaller of the two Gram matrices. */
static status ridge(state *st)
{
  const int wide = st->d > st->n;
  const size_t n = st->n, d = st->d;
  iss_data rows = rooted(st->rows);
  double *y = ROOM(n * (size_t)st->q, double);
  iss_system system;
  const status s = iss_system_new(&rows, iss_gram(&rows, wide), st->o->nu, wide, 0, &system);
  if (s != STATUS_OK) return s;
  for (size_t i = 0; i < n * (size_t)st->q; i++)
    y[i] = st->y[i] * (rows.weight ? sqrt(rows.weight[i % n]) : 1);
  const iss_target *target = iss_targets_new(&system, y, (size_t)st->q);
  for (int r = 0; r < st->q; r++)
    for (size_t j = 0; j < d; j++) st->B[(size_t)r * d + j] = st->o->nu * target[r].c[j];
  return STATUS_OK;
}

/* Minimises l at Gamma = 0, or with `alone` over b0 and c only, by Nesterov's accelerated gradients, restarted
 * where a step is not a descent. */
static void descend(state *st, double curvature, int alone)
{
  const size_t m = st->d * (size_t)st->q, q = (size_t)st->q * st->f;
  const double bound = st->o->loss == LOSS_BINOMIAL ? .25 : .5;
  const double step = 1 / (bound * curvature + (alone ? 0 : 1 / st->o->nu));
  double *point = ALLOC(m + q, double), *old = ALLOC(m + q, double), first = 0, speed = 1;
  memcpy(point + m, st->b0, q * sizeof(double));
  memcpy(old + m, st->b0, q * sizeof(double));
  for (int k = 0; k < START_MOST; k++) {
    double largest = 0, uphill = 0;
    gradient(st, point, point + m);
    const double next = (1 + sqrt(1 + 4 * speed * speed)) / 2, push = (speed - 1) / next;
    for (size_t j = alone ? m : 0; j < m + q; j++) {
      double *value = j < m ? st->B + j : st->b0 + (j - m);
      const double g = j < m ? st->grad[j] + point[j] / st->o->nu : st->grad0[j - m];
      *value = point[j] - step * g;
      uphill += g * (*value - old[j]);
      largest = fmax(largest, fabs(g));
      point[j] = *value + push * (*value - old[j]);
      old[j] = *value;
    }
    speed = next;
    if (uphill > 0) {
      speed = 1;
      memcpy(point, old, (m + q) * sizeof(double));
    }
    first = fmax(first, largest);
    if (!(largest > START_TOL * first)) return;
    if (k % POLL == 0) {
      port_poll();
      port_progress(0, 1);
    }
  }
}

/* b0 <- the minimiser of the loss at B = 0 without kept columns. */
static void start_b0(state *st)
{
  for (int r = 0; r < st->q; r++) {
    const double share =
        kernels->sum(st->y + (size_t)r * st->n, 0, st->rows->weight, st->n) / (double)st->n;
    st->b0[(size_t)r * st->f] =
        st->o->loss == LOSS_BINOMIAL ? log(share / (1 - share)) : log(share);
  }
}

/* ---- the path -------------------------------------------------------------------------------- */

/* With B at the minimum: the number of iterations in which Gamma stays zero; st->Z <- Z after these. */
static double skip_to_event(state *st)
{
  double largest = 0;
  for (size_t j = 0; j < st->d * (size_t)st->q; j++) largest = fmax(largest, fabs(st->B[j]));
  const double k = floor(st->o->nu / (st->o->alpha * largest));
  if (!(k < st->o->most)) return INFINITY;
  for (size_t j = 0; j < st->d * (size_t)st->q; j++)
    st->Z[j] = k * (st->o->alpha / st->o->nu) * st->B[j];
  return k;
}

/* One iteration; returns whether an element of Gamma is not zero. */
static int iterate(state *st)
{
  const double a = st->o->alpha, ka = st->o->kappa * a, nu = st->o->nu, kappa = st->o->kappa;
  const size_t m = st->d * (size_t)st->q;
  gradient(st, st->B, st->b0);
  int any = 0;
  for (size_t j = 0; j < m; j++) {
    const double pull = (st->B[j] - st->gamma[j]) / nu;
    const double z = st->Z[j] += a * pull;
    st->B[j] -= ka * (st->grad[j] + pull);
    st->gamma[j] = z > 1 ? kappa * (z - 1) : z < -1 ? kappa * (z + 1) : 0;
    any |= st->gamma[j] != 0;
  }
  for (size_t j = 0; j < st->f * (size_t)st->q; j++) st->b0[j] -= ka * st->grad0[j];
  return any;
}

static void record(state *st, double t, bregman_path *path, int *support)
{
  const size_t d = st->d, q = (size_t)st->q, number = (size_t)path->count++;
  path->t[number] = t;
  memcpy(path->B + number * d * q, st->B, d * q * sizeof(double));
  for (size_t r = 0; r < q; r++) {
    const double *fixed = st->b0 + r * st->f;
    path->b0[number * q + r] = fixed[0];
    for (size_t j = 1; j < st->f; j++)
      path->kept[(number * q + r) * (st->f - 1) + j - 1] = fixed[j];
  }
  const int squared = st->o->loss == LOSS_SQUARED;
  scores(st, st->B, st->b0);
  const double all = squared ? 0 : slopes(st);
  for (int r = 0; r < st->q; r++) {
    const double *gamma = st->gamma + (size_t)r * d;
    size_t k = 0;
    for (size_t j = 0; j < d; j++)
      if (gamma[j] != 0) support[k++] = (int)j;
    iss_path_add(path->path + r, t, squared ? squared_loss(st, r) : all, support, k, gamma);
    path->path[r].end = t;
  }
}

/* The number of iterations after which record k is made; first: the number until the first event. */
static double target_of(const bregman_options *o, double first, int k)
{
  if (o->times) return floor(o->times[k] / o->alpha * (1 + 1e-12));
  return round(first * (o->n_times > 1 ? pow(o->t_ratio, (double)k / (o->n_times - 1)) : 1));
}

static void run(state *st, bregman_path *path)
{
  const bregman_options *o = st->o;
  int *support = ALLOC(st->d, int), next = 0;
  double k = o->zero ? 0 : skip_to_event(st), first = 0;
  const double start = k;
  if (!o->times) record(st, 0, path, support);
  for (; o->times && next < o->n_times && target_of(o, 0, next) <= k; next++)
    record(st, o->times[next], path, support);
  while (next < o->n_times && k < o->most) {
    const int any = iterate(st);
    k++;
    if (!(first > 0) && any) first = k;
    int kept = 0;
    for (; next < o->n_times && (o->times || first > 0); next++) {
      if (target_of(o, first, next) > k) break;
      if (o->times || !kept) record(st, o->times ? o->times[next] : k * o->alpha, path, support);
      kept = 1;
    }
    if (fmod(k, POLL) == 0) {
      const double last = o->times || first > 0 ? target_of(o, first, o->n_times - 1) : 0;
      port_poll();
      port_progress(k - start, fmin(last, o->most) - start);
    }
  }
}

double bregman_curvature(const iss_data *rows, int mean)
{
  const size_t n = rows->n, d = rows->d, m = d < n ? d : n;
  iss_data own = rooted(rows);
  const double largest = blas_largest_eigenvalue(iss_gram(&own, d > n), m) / (double)n;
  return mean ? fmax(largest, 1) : largest;
}

/* Makes G and X'Y/n; from then on gradients are computed from these. */
static void use_gram(state *st)
{
  const size_t d = st->d, m = d * (size_t)st->q;
  double *none = ALLOC(m, double), *Xy = ALLOC(m, double);
  gradient(st, none, st->b0); /* -X'Y/n, since B = 0 */
  for (size_t j = 0; j < m; j++) Xy[j] = -st->grad[j];
  iss_data own = rooted(st->rows);
  double *G = iss_gram(&own, 0);
  for (size_t j = 0; j < d * d; j++) G[j] /= (double)st->n;
  st->Xy = Xy;
  st->G = G;
}

static softmax classes_of(const iss_data *rows, const double *y, int q)
{
  int *code = ALLOC(rows->n, int);
  for (size_t i = 0; i < rows->n; i++)
    while (code[i] < q - 1 && y[i + (size_t)code[i] * rows->n] != 1) code[i]++;
  softmax p = softmax_new((softmax_data){rows->n, q, code, rows->weight, 0}, 0, 0);
  p.base = softmax_alloc(p.blocks * (size_t)p.K * SOFTMAX_STEP);
  return p;
}

status bregman_run(const iss_data *rows, const double *y, int q, const bregman_options *o,
                   bregman_path *path)
{
  const size_t n = rows->n, d = rows->d, m = d * (size_t)q;
  state st = {.rows = rows, .o = o, .n = n, .d = d, .q = q, .y = y};
  if (o->loss == LOSS_MULTINOMIAL) st.classes = classes_of(rows, y, q);
  st.moves_b0 = o->loss != LOSS_SQUARED && rows->intercept;
  double **arrays[] = {&st.B, &st.Z, &st.gamma, &st.grad};
  for (int k = 0; k < 4; k++) *arrays[k] = ALLOC(m, double);
  st.f = 1 + (o->loss != LOSS_SQUARED ? rows->n_kept : 0);
  st.b0 = ALLOC(q * st.f, double);
  st.grad0 = ALLOC(q * st.f, double);
  st.score = ALLOC(n * q, double);
  st.column = ALLOC(d, const double *);
  const int room = o->n_times + 1;
  path->count = 0;
  path->t = ALLOC(room, double);
  path->B = ALLOC(m * room, double);
  path->b0 = ALLOC((size_t)q * room, double);
  path->kept = st.f > 1 ? ALLOC((size_t)q * room * (st.f - 1), double) : NULL;
  path->path = ALLOC(q, iss_path);
  if (st.moves_b0) start_b0(&st);
  if (st.f > 1) descend(&st, 1, 1);
  if (!o->zero && o->loss == LOSS_SQUARED) {
    const status s = ridge(&st);
    if (s != STATUS_OK) return s;
  } else if (!o->zero) {
    descend(&st, bregman_curvature(rows, rows->intercept || rows->n_kept), 0);
  }
  if (o->loss == LOSS_SQUARED && d < 2 * n) use_gram(&st);
  run(&st, path);
  return STATUS_OK;
}
