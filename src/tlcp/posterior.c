/* posterior.c - see posterior.h. */
#include <math.h>
#include <string.h>

#include "average.h"
#include "kernels.h"
#include "posterior_work.h"
#include "spd.h"

enum { FACTORS = 11, OWN = 8, ALONE = 9 };
static const double LOW_FACTOR =
    1. / 64; /* of the geometric mean of the others' tau: then doubled FACTORS - 1 times */
static const double OWN_STEP = 2; /* of log tau2 of the target */
static const double EQUAL = .2;   /* probability of the first of each, beside the uniform prior */
static const double COMMON_STEP = 4;     /* factor between values of omega2 */
static const double LOW_ALONE = 1. / 16; /* of the variance of slopes that are unrelated */
static const double RARE =
    1e-4; /* components of less than this share of the largest weight are left out */

/* The sums of the other domains whose slopes have the variances tau2; NULL: as they are estimated. */
static int add_others(posterior_work *work, const double *tau2, posterior_others *out)
{
  const size_t p = work->p;
  const borrow_variances *known = work->problem->known;
  double *d = work->x;
  out->M = ALLOC(p * p, double);
  out->a = ALLOC(p, double);
  for (int t = 1; t < work->problem->domains->T; t++) {
    double log_lik;
    memcpy(d, known->own + (size_t)t * p, p * sizeof(double));
    for (size_t j = 0; j < work->slopes && tau2; j++) d[j] = tau2[t];
    if (!borrow_shrink_known(&work->w, t, d, &log_lik)) return 0;
    kernels->axpy(1, work->w.M[t], p * p, out->M);
    kernels->axpy(1, work->w.a[t], p, out->a);
    out->log_lik += log_lik;
  }
  return 1;
}

/* Computes mean, C and log_lik of b, whose variances are `common`, given the other domains. */
static int common_given(posterior_work *work, const posterior_others *others)
{
  const size_t p = work->p;
  double log_det;
  memcpy(work->C, others->M, p * p * sizeof(double));
  for (size_t j = 0; j < p; j++) work->C[j * (p + 1)] += 1 / work->common[j];
  if (!spd_sweep(work->C, p, work->w.W, &log_det)) return 0;
  kernels->dots(COLUMNS(work->C, p, p), NULL, others->a, work->mean);
  work->log_lik = others->log_lik + (dot(work->mean, others->a, p) - log_det) / 2;
  for (size_t j = 0; j < p; j++) work->log_lik -= log(work->common[j]) / 2;
  return 1;
}

/* Computes P, A, h and target_lik, where u_1 has the variances `own`. */
static int target_given(posterior_work *work)
{
  const size_t p = work->p;
  double log_det;
  memcpy(work->P, work->C, p * p * sizeof(double));
  for (size_t j = 0; j < p; j++) work->P[j * (p + 1)] += work->own[j];
  if (!spd_inverse(work->P, p, work->room, &log_det)) return 0;
  kernels->dots(COLUMNS(work->P, p, p), NULL, work->mean, work->h);
  const double prior = dot(work->mean, work->h, p);
  for (size_t k = 0; k < p * p; k++) work->A[k] = work->w.H[0][k] + work->P[k];
  for (size_t j = 0; j < p; j++) work->h[j] += work->w.g[0][j];
  memcpy(work->U, work->A, p * p * sizeof(double));
  memcpy(work->x, work->h, p * sizeof(double));
  if (!spd_factor(work->U, p, work->room)) return 0;
  spd_lower(work->U, p, work->x);
  work->target_lik = (dot(work->x, work->x, p) - prior - log_det) / 2 - spd_half_logdet(work->U, p);
  return isfinite(work->target_lik);
}

/* Variances of the component: `common` and `own`. */
static void set_variances(posterior_work *work, const posterior_component *component)
{
  const borrow_variances *known = work->problem->known;
  memcpy(work->common, known->common, work->p * sizeof(double));
  memcpy(work->own, known->own, work->p * sizeof(double));
  for (size_t j = 0; j < work->slopes && component; j++) {
    if (work->problem->alone) {
      if (work->problem->alone[j]) work->own[j] *= component->own;
    } else {
      work->common[j] = component->omega2;
      work->own[j] = component->own;
    }
  }
}

int posterior_at(posterior_work *work, const posterior_component *component)
{
  set_variances(work, component);
  const size_t which = component ? component->others : work->n_others - 1;
  return common_given(work, work->others + which) && target_given(work);
}

int posterior_of_some(const posterior_work *work, const size_t *free, size_t n, double *V,
                      double *m, double *room)
{
  double log_det;
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < n; i++) V[i + j * n] = work->A[free[i] + free[j] * work->p];
  if (!spd_inverse(V, n, room, &log_det)) return 0;
  for (size_t j = 0; j < n; j++) {
    m[j] = 0;
    for (size_t i = 0; i < n; i++) m[j] += V[i + j * n] * work->h[free[i]];
  }
  return 1;
}

/* The values of omega2: *low <- the lowest; returns their number. */
static size_t omega2_grid(const posterior_work *work, double *low)
{
  double sum = 0, count = 0;
  *low = work->problem->known->common[0];
  for (size_t j = 0; j < work->slopes; j++) {
    const double precision = work->w.H[0][j * (work->p + 1)];
    if (!(precision > 0)) continue;
    sum += 1 / precision;
    count++;
  }
  const double error = sum / count; /* a squared standard error */
  if (!isfinite(error)) return 1;
  *low = fmin(*low, error / 4);
  return (size_t)ceil(log(64 * error / *low) / log(COMMON_STEP) - 1e-9) + 1;
}

/* The log prior of value f of the others' factor, value k of the target's, and omega2. */
static double log_prior(const posterior_work *work, int f, int k, double omega2)
{
  double sum = 0, here = 0;
  for (int i = 0; i < FACTORS; i++) {
    const double factor = ldexp(LOW_FACTOR, i), cauchy = factor / (1 + factor * factor);
    sum += cauchy;
    if (i == f) here = cauchy;
  }
  const double prior = (1 - EQUAL) * here / sum / OWN + (f == 0 && k == 0 ? EQUAL : 0);
  const double size = work->problem->size;
  return log(prior) + log(omega2) / 2 - log1p(omega2 / (size * size));
}

/* The components of distances, with log weights; 0 where one could not be evaluated. */
static int weigh_distances(posterior_work *work)
{
  const posterior_problem *problem = work->problem;
  const int T = problem->domains->T;
  double *tau2 = ALLOC((size_t)T, double), centre[FACTORS], mean_log = 0, low;
  for (int t = 0; t < T; t++) mean_log += log(problem->tau2[t]) / T;
  for (int f = 0; f < FACTORS; f++) {
    const double size = 2 * log(problem->size * ldexp(LOW_FACTOR, f));
    centre[f] = 0;
    for (int t = 0; t < T; t++) {
      const double log_tau2 = log(problem->tau2[t]) - mean_log + size;
      tau2[t] = exp(log_tau2);
      if (t) centre[f] += log_tau2 / (T - 1);
    }
    if (!add_others(work, tau2, work->others + f)) return 0;
  }
  const size_t grid = omega2_grid(work, &low);
  work->component = ALLOC(grid * FACTORS * OWN, posterior_component);
  for (size_t i = 0; i < grid; i++) {
    for (int f = 0; f < FACTORS; f++) {
      port_poll();
      for (int k = 0; k < OWN; k++) {
        posterior_component one = {.omega2 = low * pow(COMMON_STEP, (double)i),
                                   .own = exp(centre[f] + OWN_STEP * k),
                                   .others = (size_t)f};
        set_variances(work, &one);
        if (!k && !common_given(work, work->others + f)) return 0;
        if (!target_given(work)) return 0;
        one.weight = work->log_lik + work->target_lik + log_prior(work, f, k, one.omega2);
        work->component[work->count++] = one;
      }
    }
  }
  return 1;
}

/* The same where slopes of the target are unrelated to the others'. */
static int weigh_unrelated(posterior_work *work)
{
  work->component = ALLOC(ALONE, posterior_component);
  for (int k = 0; k < ALONE; k++) {
    posterior_component one = {.own = ldexp(LOW_ALONE, k)};
    if (!posterior_at(work, &one)) return 0;
    one.weight = work->target_lik + log(one.own) / 2;
    work->component[work->count++] = one;
  }
  return 1;
}

/* The prior as it is estimated. */
static int weigh_estimated(posterior_work *work)
{
  const borrow_variances *known = work->problem->known;
  work->component = ALLOC(1, posterior_component);
  work->component[work->count++] =
      (posterior_component){.omega2 = known->common[0],
                            .own = work->problem->alone ? 1 : known->own[0],
                            .others = work->n_others - 1};
  return 1;
}

posterior_work *posterior_weigh(const posterior_problem *problem, size_t *count, status *state)
{
  posterior_work *work = ALLOC(1, posterior_work);
  const size_t p = problem->domains->p;
  *work = (posterior_work){.problem = problem,
                           .p = p,
                           .slopes = p - (size_t)problem->domains->level,
                           .n_others = problem->alone || problem->estimated ? 1 : FACTORS + 1,
                           .w = borrow_work_new(problem->domains, 0)};
  borrow_scale_columns(&work->w, problem->known->scale);
  work->others = ALLOC(work->n_others, posterior_others);
  double **matrices[] = {&work->C, &work->P, &work->A, &work->U};
  double **vectors[] = {&work->mean, &work->common, &work->own, &work->h, &work->x};
  for (size_t k = 0; k < sizeof(matrices) / sizeof(*matrices); k++)
    *matrices[k] = ALLOC(p * p, double);
  for (size_t k = 0; k < sizeof(vectors) / sizeof(*vectors); k++) *vectors[k] = ALLOC(p, double);
  work->room = ALLOC(p * (p + 8), double);
  *state = STATUS_NO_EVIDENCE;
  if (!add_others(work, NULL, work->others + work->n_others - 1)) return NULL;
  if (!(problem->estimated ? weigh_estimated
        : problem->alone   ? weigh_unrelated
                           : weigh_distances)(work))
    return NULL;
  const size_t all = work->count;
  double *weight = ALLOC(all, double);
  for (size_t k = 0; k < all; k++) weight[k] = work->component[k].weight;
  if (!average_weights(weight, all, RARE, weight)) return NULL;
  work->count = 0;
  for (size_t k = 0; k < all; k++) {
    if (!(weight[k] > 0)) continue;
    work->component[work->count] = work->component[k];
    work->component[work->count++].weight = weight[k];
  }
  *count = work->count;
  *state = STATUS_OK;
  return work;
}

void posterior_weights(const posterior_work *work, double *weight)
{
  for (size_t k = 0; k < work->count; k++) weight[k] = work->component[k].weight;
}
