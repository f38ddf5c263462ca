/* inclusion.c - see inclusion.h. */
#include "inclusion.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "port.h"
#include "random.h"

#define SWAPS 15    /* exchanges tried in each sweep */
#define ALIKE 0.4   /* columns with a larger absolute correlation are exchanged */
#define BURN_IN 10  /* sweeps / BURN_IN sweeps come first and are not averaged */
#define EXACT 1e-12 /* S counts as at least this share of y'y */
#define REFRESH 100 /* after so many sweeps the state is computed anew */

typedef struct {
  const inclusion *m;
  double delta, S, logdet;
  size_t v, k;
  int *in, *place;     /* the support; the place of each column in it, or -1 */
  double *inverse, *w; /* A^-1 (leading dimension `most`) and A^-1 c_P */
  double *a, *r;       /* d: of the columns outside the support */
  double *h;           /* work: one number for each column of the support */
  int *start, *near;   /* the columns correlated with column j: near[start[j]..start[j + 1] - 1] */
  uint64_t seed[2];
} state;

/* Uniform on (0, 1). */
static double uniform(state *s)
{
  return random_uniform(s->seed);
}

static size_t pick(state *s, size_t count)
{
  const size_t drawn = (size_t)(uniform(s) * (double)count);
  return drawn < count ? drawn : count - 1;
}

static double log_left(const state *s, double S)
{
  const double least = EXACT * s->m->yy;
  return log(S > least ? S : least);
}

/* log p with a column in the support less log p without it; a, r, S and k are those without the column. */
static double gain(const state *s, double a, double r, double S, size_t k)
{
  return -0.5 * log(s->delta * a) - 0.5 * s->m->df * (log_left(s, S - r * r / a) - log_left(s, S)) +
         s->m->log_prior[k + 1] - s->m->log_prior[k];
}

static double log_p(const state *s)
{
  return -0.5 * s->logdet - 0.5 * s->m->df * log_left(s, s->S) + s->m->log_prior[s->k];
}

/* h <- A^-1 G_Pj. */
static void project(state *s, size_t j)
{
  const double *G = s->m->G + j * s->m->d;
  for (size_t p = 0; p < s->k; p++) s->h[p] = 0;
  for (size_t q = 0; q < s->k; q++) {
    const double g = G[s->in[q]], *column = s->inverse + q * s->m->most;
    for (size_t p = 0; p < s->k; p++) s->h[p] += g * column[p];
  }
}

static void add(state *s, size_t j, int others)
{
  const inclusion *m = s->m;
  const size_t k = s->k, ld = m->most;
  const double *G = m->G + j * m->d;
  project(s, j);
  double a = G[j] + 1 / s->delta, r = m->c[j];
  for (size_t p = 0; p < k; p++) {
    a -= G[s->in[p]] * s->h[p];
    r -= G[s->in[p]] * s->w[p];
  }
  if (!(a > 1 / s->delta)) a = 1 / s->delta;
  for (size_t i = 0; others && i < m->d; i++) {
    if (s->place[i] >= 0 || i == j) continue;
    const double *own = m->G + i * m->d;
    double x = own[j];
    for (size_t p = 0; p < k; p++) x -= own[s->in[p]] * s->h[p];
    s->a[i] -= x * x / a;
    s->r[i] -= x * r / a;
  }
  for (size_t q = 0; q < k; q++)
    for (size_t p = 0; p < k; p++) s->inverse[p + q * ld] += s->h[p] * s->h[q] / a;
  for (size_t p = 0; p < k; p++) {
    s->inverse[p + k * ld] = s->inverse[k + p * ld] = -s->h[p] / a;
    s->w[p] -= s->h[p] * r / a;
  }
  s->inverse[k + k * ld] = 1 / a;
  s->w[k] = r / a;
  s->S -= r * r / a;
  s->logdet += log(s->delta * a);
  s->in[k] = (int)j;
  s->place[j] = (int)k;
  s->k++;
}

static void take_out(state *s, size_t j)
{
  const inclusion *m = s->m;
  const size_t q = (size_t)s->place[j], ld = m->most, last = s->k - 1;
  const double own = s->inverse[q + q * ld], w = s->w[q];
  for (size_t p = 0; p < s->k; p++) s->h[p] = s->inverse[p + q * ld];
  for (size_t i = 0; i < m->d; i++) {
    if (s->place[i] >= 0) continue;
    const double *G = m->G + i * m->d;
    double x = 0;
    for (size_t p = 0; p < s->k; p++) x += G[s->in[p]] * s->h[p];
    s->a[i] += x * x / own;
    s->r[i] += x * w / own;
  }
  s->a[j] = 1 / own;
  s->r[j] = w / own;
  s->S += w * w / own;
  s->logdet += log(own / s->delta);
  for (size_t b = 0; b < s->k; b++)
    for (size_t p = 0; p < s->k; p++) s->inverse[p + b * ld] -= s->h[p] * s->h[b] / own;
  for (size_t p = 0; p < s->k; p++) s->w[p] -= s->h[p] * w / own;
  if (q != last) { /* the last column takes place q */
    for (size_t p = 0; p < s->k; p++) s->inverse[p + q * ld] = s->inverse[p + last * ld];
    for (size_t p = 0; p < s->k; p++) s->inverse[q + p * ld] = s->inverse[last + p * ld];
    s->inverse[q + q * ld] = s->inverse[last + last * ld];
    s->w[q] = s->w[last];
    s->in[q] = s->in[last];
    s->place[s->in[q]] = (int)q;
  }
  s->place[j] = -1;
  s->k--;
}

/* Computes the state of a support (k columns) anew; others = 0: without a and r of the columns outside. */
static void set(state *s, const int *columns, size_t k, size_t v, int others)
{
  const inclusion *m = s->m;
  s->v = v;
  s->delta = m->spread[v] / m->n;
  s->S = m->yy;
  s->logdet = 0;
  s->k = 0;
  for (size_t j = 0; j < m->d; j++) {
    s->place[j] = -1;
    s->a[j] = m->G[j + j * m->d] + 1 / s->delta;
    s->r[j] = m->c[j];
  }
  for (size_t p = 0; p < k; p++) add(s, (size_t)columns[p], others);
}

static void sweep(state *s, double *sum)
{
  const inclusion *m = s->m;
  for (size_t j = 0; j < m->d; j++) {
    const int place = s->place[j];
    double p = 0;
    if (place >= 0) {
      const double own = s->inverse[(size_t)place + (size_t)place * m->most], r = s->w[place] / own;
      p = 1 / (1 + exp(-gain(s, 1 / own, r, s->S + r * r * own, s->k - 1)));
    } else if (s->k < m->most) {
      p = 1 / (1 + exp(-gain(s, s->a[j], s->r[j], s->S, s->k)));
    }
    if (sum) sum[j] += p;
    const int wanted = uniform(s) < p;
    if (wanted && place < 0) add(s, j, 1);
    if (!wanted && place >= 0) take_out(s, j);
  }
}

/* A Metropolis step that exchanges a column of the support for a correlated column outside. */
static void exchange(state *s)
{
  const inclusion *m = s->m;
  if (s->k == 0) return;
  const size_t q = pick(s, s->k), i = (size_t)s->in[q];
  const int count = s->start[i + 1] - s->start[i];
  if (count == 0) return;
  const size_t j = (size_t)s->near[s->start[i] + (int)pick(s, (size_t)count)];
  if (s->place[j] >= 0) return;
  const double own = s->inverse[q + q * m->most], w = s->w[q], *G = m->G + j * m->d;
  double x = 0;
  for (size_t p = 0; p < s->k; p++) x += G[s->in[p]] * s->inverse[p + q * m->most];
  const double S = s->S + w * w / own;
  const double change = gain(s, s->a[j] + x * x / own, s->r[j] + x * w / own, S, s->k - 1) -
                        gain(s, 1 / own, w / own, S, s->k - 1);
  const double back = (double)(s->start[j + 1] - s->start[j]);
  if (log(uniform(s)) >= change + log((double)count / back)) return;
  take_out(s, i);
  add(s, j, 1);
}

/* A Metropolis step of v to one of its neighbours. */
static void change_spread(state *s, int *columns)
{
  const size_t v = s->v, k = s->k;
  const int up = uniform(s) < 0.5;
  if (up ? v + 1 == s->m->n_spread : v == 0) return;
  memcpy(columns, s->in, k * sizeof(int));
  const double before = log_p(s);
  set(s, columns, k, up ? v + 1 : v - 1, 0);
  const int taken = log(uniform(s)) < log_p(s) - before;
  set(s, columns, k, taken ? s->v : v, 1);
}

static state new_state(const inclusion *m)
{
  const size_t d = m->d, most = m->most ? m->most : 1;
  state s = {.m = m, .seed = {0x9e3779b97f4a7c15u, 0xd1b54a32d192ed03u}};
  s.in = ALLOC(most, int);
  s.place = ALLOC(d, int);
  s.inverse = ALLOC(most * most, double);
  s.w = ALLOC(most, double);
  s.h = ALLOC(most, double);
  s.a = ALLOC(d, double);
  s.r = ALLOC(d, double);
  s.start = ALLOC(d + 1, int);
  for (int fill = 0; fill < 2; fill++) { /* counts correlated pairs, then lists them */
    int at = 0;
    for (size_t j = 0; j < d; j++) {
      s.start[j] = at;
      for (size_t i = 0; i < d; i++) {
        if (i == j || !(fabs(m->G[i + j * d]) > ALIKE * m->n)) continue;
        if (fill) s.near[at] = (int)i;
        at++;
      }
    }
    s.start[d] = at;
    if (!fill) s.near = ALLOC(at ? at : 1, int);
  }
  return s;
}

void inclusion_probabilities(const inclusion *m, const int *start, const int *index,
                             size_t n_starts, int sweeps, double *probability)
{
  const size_t d = m->d;
  state s = new_state(m);
  int *columns = ALLOC(m->most + 1, int);
  size_t best = n_starts, best_v = m->n_spread / 2;
  double largest = -INFINITY;
  for (size_t k = 0; k < n_starts; k++) {
    const size_t size = (size_t)(start[k + 1] - start[k]);
    for (size_t v = 0; size <= m->most && v < m->n_spread; v++) {
      set(&s, index + start[k], size, v, 0);
      if (!(log_p(&s) > largest)) continue;
      largest = log_p(&s);
      best = k;
      best_v = v;
    }
  }
  if (best == n_starts)
    set(&s, NULL, 0, best_v, 1);
  else
    set(&s, index + start[best], (size_t)(start[best + 1] - start[best]), best_v, 1);
  memset(probability, 0, d * sizeof(double));
  const int first = sweeps / BURN_IN;
  for (int t = 0; t < first + sweeps; t++) {
    sweep(&s, t < first ? NULL : probability);
    for (int e = 0; e < SWAPS; e++) exchange(&s);
    change_spread(&s, columns);
    if (t % REFRESH == 0) {
      memcpy(columns, s.in, s.k * sizeof(int));
      set(&s, columns, s.k, s.v, 1);
      port_poll();
    }
  }
  for (size_t j = 0; j < d; j++) probability[j] /= sweeps;
}
