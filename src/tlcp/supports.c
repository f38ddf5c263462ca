/* supports.c - see supports.h. */
#include "supports.h"

#include <math.h>
#include <string.h>

#include "kernels.h"
#include "spd.h"
#include "supports_random.h"
#include "supports_rows.h"
#include "supports_state.h"

#define EVERY                                                                                      \
  2 /* sweeps from one change of the grid to the next: it computes a and r of all candidates anew */
#define ROUNDS 2 /* Metropolis steps of each of g and t there */

size_t supports_candidates(const supports_model *m)
{
  return m->p * (m->domains > 1 ? m->domains + 1 : 1);
}

/* What the sampler has beside the state: A_PP without 1/g, and c_P, for the present weights and for those proposed. */
typedef struct {
  supports_state s;
  supports_random random;
  double *A, *c, *A_new, *c_new, *work, *half, *w_new;
  double *gains; /* M */
} sampler;

/* Adds to A and c what the weights w of domain k make of them. */
static void add_domain(const sampler *x, size_t k, const double *w, double *A, double *c)
{
  const supports_state *s = &x->s;
  const supports_rows *of = s->m->of + k;
  const size_t q = s->q;
  for (size_t i = 0; i < q; i++) {
    const size_t block = supports_block(s, s->in[i]);
    if (block && block != k + 1) continue;
    const double *z = of->Z + (s->in[i] % s->p) * of->r;
    for (size_t l = 0; l < of->r; l++) s->row[l] = w[l] * z[l];
    c[i] += dot(s->row, of->y, of->r);
    for (size_t e = 0; e <= i; e++) {
      const size_t other = supports_block(s, s->in[e]);
      if (other && other != k + 1) continue;
      A[e + i * q] += dot(s->row, of->Z + (s->in[e] % s->p) * of->r, of->r);
    }
  }
}

/* log p of the support, but for the prior of its size and of t; NAN where A is not positive definite. On return x->half
 * is the factor of A. yy and log_w: sums over the domains. */
static double log_p(sampler *x, const double *A, const double *c, const int *g, double yy,
                    double log_w)
{
  const supports_state *s = &x->s;
  const size_t q = s->q;
  double log_g = 0;
  memcpy(x->half, A, q * q * sizeof(double));
  memcpy(x->work, c, q * sizeof(double));
  for (size_t i = 0; i < q; i++) {
    const double own = s->m->g[g[s->in[i] >= s->p]];
    x->half[i + i * q] += 1 / own;
    log_g += log(own);
  }
  double S = s->m->rest + yy;
  const double least = 1e-12 * S;
  if (q) {
    if (!spd_factor(x->half, q, x->work + q)) return NAN;
    spd_lower(x->half, q, x->work);
    S -= dot(x->work, x->work, q);
  }
  const double half_det = q ? spd_half_logdet(x->half, q) : 0;
  return -half_det - log_g / 2 - s->m->df / 2 * log(S > least ? S : least) + log_w / 2;
}

static double total(const double *x, size_t k)
{
  double sum = 0;
  for (size_t i = 0; i < k; i++) sum += x[i];
  return sum;
}

/* A place on a grid of n, or -1 where the neighbour is outside. */
static int neighbour(supports_random *random, int at, size_t n)
{
  const int to = at + (supports_uniform(random) < 0.5 ? -1 : 1);
  return to < 0 || to >= (int)n ? -1 : to;
}

/* log p at the present place, with the sums over domains that it is made of. */
typedef struct {
  double value, yy, log_w;
} level;

/* A Metropolis step of g_0 (kind 0) or g_1. Returns 1 where it is taken. */
static int change_g(sampler *x, int kind, level *now)
{
  supports_state *s = &x->s;
  const int to = neighbour(&x->random, s->g[kind], s->m->n_g);
  if (to < (kind ? (int)s->m->least_own : 0)) return 0;
  int g[2] = {s->g[0], s->g[1]};
  g[kind] = to;
  const double then = log_p(x, x->A, x->c, g, now->yy, now->log_w);
  if (!(log(supports_uniform(&x->random)) < then - now->value)) return 0;
  s->g[kind] = to;
  now->value = then;
  return 1;
}

/* A Metropolis step of t_k. */
static int change_t(sampler *x, size_t k, level *now)
{
  supports_state *s = &x->s;
  const supports_model *m = s->m;
  const size_t q = s->q;
  const int to = neighbour(&x->random, s->t[k], m->n_t);
  if (to < 0) return 0;
  double log_w, yy;
  supports_weights(s, k, to, x->w_new, &log_w, &yy);
  for (size_t i = 0; i < m->of[k].r; i++) x->w_new[i] -= s->w[k][i];
  memcpy(x->A_new, x->A, q * q * sizeof(double));
  memcpy(x->c_new, x->c, q * sizeof(double));
  add_domain(x, k, x->w_new, x->A_new, x->c_new);
  level then = {.yy = now->yy - s->yy[k] + yy, .log_w = now->log_w - s->log_w[k] + log_w};
  then.value = log_p(x, x->A_new, x->c_new, s->g, then.yy, then.log_w);
  const double prior = m->log_prior_t[to] - m->log_prior_t[s->t[k]];
  if (!(log(supports_uniform(&x->random)) < then.value - now->value + prior)) return 0;
  supports_set_domain(s, k, to);
  memcpy(x->A, x->A_new, q * q * sizeof(double));
  memcpy(x->c, x->c_new, q * sizeof(double));
  *now = then;
  return 1;
}

static status change_grid(sampler *x)
{
  supports_state *s = &x->s;
  const size_t q = s->q, K = s->K;
  memset(x->A, 0, q * q * sizeof(double));
  memset(x->c, 0, q * sizeof(double));
  for (size_t k = 0; k < K; k++) add_domain(x, k, s->w[k], x->A, x->c);
  level now = {.yy = total(s->yy, K), .log_w = total(s->log_w, K)};
  now.value = log_p(x, x->A, x->c, s->g, now.yy, now.log_w);
  if (isnan(now.value)) return STATUS_SINGULAR;
  int changed = 0;
  for (int round = 0; round < ROUNDS; round++) {
    for (int kind = 0; kind < (K > 1 ? 2 : 1); kind++) changed |= change_g(x, kind, &now);
    for (size_t k = 0; k < K; k++) changed |= change_t(x, k, &now);
  }
  if (changed) supports_rebuild(s);
  return STATUS_OK;
}

/* A Gibbs step for each candidate. probability, mean: what their averages are added to, or NULL. */
static void gibbs(sampler *x, double *probability, double *mean)
{
  supports_state *s = &x->s;
  const size_t most = s->m->most;
  for (size_t id = 0; id < s->M; id++) {
    const int place = s->place[id];
    const size_t count = s->count[supports_block(s, id)];
    double p = 0, a = s->a[id], r = s->r[id], S = s->S;
    if (place >= 0) {
      a = 1 / s->inverse[(size_t)place * (most + 1)];
      r = s->b[place] * a;
      S += r * r / a;
      p = 1 / (1 + exp(-supports_gain(s, id, a, r, S, count - 1)));
    } else if (s->q < most) {
      p = 1 / (1 + exp(-supports_gain(s, id, a, r, S, count)));
    }
    if (probability) {
      probability[id] += p;
      mean[id] += p * r / a;
    }
    const int wanted = supports_uniform(&x->random) < p;
    if (wanted && place < 0) supports_add(s, id);
    if (!wanted && place >= 0) supports_remove(s, (size_t)place);
  }
}

/* One column of the support leaves, and one of all candidates takes its place. */
static void exchange(sampler *x)
{
  supports_state *s = &x->s;
  if (!s->q) return;
  const double drawn = supports_uniform(&x->random) * (double)s->q;
  supports_remove(s, drawn < (double)s->q ? (size_t)drawn : s->q - 1);
  double largest = -INFINITY, sum = 0;
  for (size_t id = 0; id < s->M; id++) {
    x->gains[id] = s->place[id] >= 0 ? -INFINITY
                                     : supports_gain(s, id, s->a[id], s->r[id], s->S,
                                                     s->count[supports_block(s, id)]);
    if (x->gains[id] > largest) largest = x->gains[id];
  }
  for (size_t id = 0; id < s->M; id++) sum += x->gains[id] = exp(x->gains[id] - largest);
  double left = supports_uniform(&x->random) * sum;
  size_t chosen = 0;
  for (size_t id = 0; id < s->M; id++) {
    if (x->gains[id] > 0) chosen = id;
    left -= x->gains[id];
    if (left < 0) break;
  }
  supports_add(s, chosen);
}

static void start(sampler *x)
{
  supports_state *s = &x->s;
  while (s->q) { /* for the places alone: all else is made anew */
    s->place[s->in[--s->q]] = -1;
  }
  s->g[0] = s->g[1] = (int)(s->m->n_g / 2);
  if (s->g[1] < (int)s->m->least_own) s->g[1] = (int)s->m->least_own;
  for (size_t k = 0; k < s->K; k++) supports_set_domain(s, k, 0);
  supports_rebuild(s);
}

status supports_sample(const supports_model *m, const supports_plan *plan, supports_result *out)
{
  const size_t most = m->most, K = m->domains;
  sampler x = {.s = supports_state_new(m, plan->memory),
               .random = {.seed = {plan->seed[0], plan->seed[1]}}};
  supports_state *s = &x.s;
  size_t rows = 1;
  for (size_t k = 0; k < K; k++)
    if (m->of[k].r > rows) rows = m->of[k].r;
  double **square[] = {&x.A, &x.A_new, &x.half};
  for (int i = 0; i < 3; i++) *square[i] = ALLOC(most * most + 1, double);
  x.c = ALLOC(most + 1, double);
  x.c_new = ALLOC(most + 1, double);
  x.work = ALLOC(9 * most + 1, double);
  x.w_new = ALLOC(rows, double);
  x.gains = ALLOC(s->M, double);
  const double all = (double)(plan->chains * plan->sweeps);
  size_t draw = 0;
  for (size_t chain = 0; chain < plan->chains; chain++) {
    start(&x);
    for (size_t sweep = 0; sweep < plan->burn + plan->sweeps; sweep++) {
      const int used = sweep >= plan->burn;
      gibbs(&x, used ? out->probability : NULL, used ? out->mean + chain * s->M : NULL);
      for (size_t e = 0; e < plan->swaps; e++) exchange(&x);
      if (sweep % EVERY == 0) {
        const status state = change_grid(&x);
        if (state != STATUS_OK) return state;
      }
      port_poll();
      port_progress((double)(chain * (plan->burn + plan->sweeps) + sweep + 1),
                    (double)(plan->chains * (plan->burn + plan->sweeps)));
      if (!used) continue;
      if (!supports_rows_draw(s, &x.random, out, draw++)) return STATUS_SINGULAR;
      for (int kind = 0; kind < 2; kind++) out->grid[kind] += m->g[s->g[kind]] / all;
      for (size_t k = 0; k < K; k++) out->grid[2 + k] += m->t[s->t[k]] / all;
    }
  }
  for (size_t i = 0; i < s->M; i++) out->probability[i] /= all;
  for (size_t i = 0; i < s->M * plan->chains; i++) out->mean[i] /= (double)plan->sweeps;
  for (size_t k = 0; k < K; k++)
    for (size_t i = 0; i < m->of[k].r; i++) out->background[k][i] /= all;
  return STATUS_OK;
}
