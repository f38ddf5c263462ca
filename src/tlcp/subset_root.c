/* subset_root.c - the root of the tree of subset_tree.h: groups orthonormalised, scale and tolerance, first alpha. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "spd.h"
#include "subset_tree.h"

/* "The dual" in subset_bound.h is used if the smallest eigenvalue of A with diagonal made 1 is below this. */
#define NEARLY_SINGULAR 1e-3
/* See "Arithmetic" in subset.h. */
#define ACCURATE 1e-9          /* a bound is not lowered by a smaller share of the scale */
#define ROUNDING 4.0           /* a bound is lowered by ROUNDING sqrt(n) eps/v of the scale */
#define LEAST_EIGENVALUE 2e-13 /* A is singular if v is not above LEAST_EIGENVALUE T, ... */
#define LEAST_EPS 50.0         /* ... or not above LEAST_EPS n eps */

/* Changes the coordinates within every group so that its block of G is I; groups of fixed < 0 stay as they are. fixed
 * may be NULL. G: rows of ld numbers. Returns 0 where a block is not positive definite. */
static int whiten(double *G, size_t ld, double *c, size_t f, size_t T, const signed char *fixed)
{
  double *U = ALLOC(T * (T + 8), double);
  for (size_t g = 0; g < f; g++) {
    if (fixed && fixed[g] < 0) continue;
    const size_t from = g * T, to = from + T;
    double *rows = G + from * ld;
    for (size_t i = 0; i < T; i++) memcpy(U + i * T, rows + i * ld + from, T * sizeof(double));
    if (!spd_factor(U, T, U + T * T)) return 0;
    spd_lower(U, T, c + from);
    spd_rows(U, T, T, rows, ld);
    for (size_t i = 0; i < T; i++)
      for (size_t j = 0; j < f * T; j++)
        if (j >= from && j < to)
          rows[i * ld + j] = j == from + i;
        else
          G[j * ld + from + i] = rows[i * ld + j];
  }
  return 1;
}

/* A close upper bound of the smallest eigenvalue of U'U: a Rayleigh quotient of inverse iteration. No two
 * elements of the first vector are equal: with equal elements for two nearly equal columns the vector would be
 * orthogonal to their difference, which is nearly the eigenvector. */
static double least_eigenvalue(const double *U, size_t n, double *v)
{
  double least = INFINITY;
  for (size_t i = 0; i < n; i++) v[i] = .5 + fmod((double)(i + 1) * .6180339887498949, 1);
  for (int k = 0; k < 15; k++) {
    double length = 0;
    for (size_t i = 0; i < n; i++) length += v[i] * v[i];
    length = sqrt(length);
    for (size_t i = 0; i < n; i++) v[i] /= length;
    spd_lower(U, n, v);
    double rayleigh = 0; /* v'(U'U)^-1 v */
    for (size_t i = 0; i < n; i++) rayleigh += v[i] * v[i];
    const double before = least;
    least = 1 / rayleigh;
    if (k > 3 && before - least < .03 * least) break; /* the first steps may be small, too */
    spd_upper(U, n, v);
  }
  return least;
}

/* Computes the scale of values, the slack by which bounds are lowered, and the least tolerance, see "Arithmetic" in
 * subset.h; *explained <- b'A^-1 b and *least <- the smallest eigenvalue v. This comes before groups are eliminated or
 * whitened, since the matrix that is left then does not show how ill-conditioned these groups are. */
static status measure(subset_tree *s, double *explained, double *least)
{
  const double *A = s->problem->A, *b = s->problem->b, c0 = s->problem->c0;
  double *U = s->arena.square, *x = s->arena.u, *unit = s->arena.v;
  size_t *at = s->chosen, n = 0;
  for (size_t i = 0; i < s->N; i++)
    if (s->fixed[i / s->T] >= 0) at[n++] = i;
  for (size_t j = 0; j < n; j++) {
    const double own = A[at[j] * s->N + at[j]];
    if (!(own > 0)) return STATUS_SINGULAR;
    unit[j] = 1 / sqrt(own);
    x[j] = b[at[j]] * unit[j];
  }
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i <= j; i++) U[i + j * n] = A[at[i] + at[j] * s->N] * unit[i] * unit[j];
  *explained = 0;
  *least = 1;
  if (n > 0) {
    if (!spd_factor(U, n, s->arena.work)) return STATUS_SINGULAR;
    spd_lower(U, n, x);
    for (size_t i = 0; i < n; i++) *explained += x[i] * x[i];
    *least = least_eigenvalue(U, n, s->arena.v);
  }
  const double eps = (double)n * DBL_EPSILON;
  if (!(*least > fmax(LEAST_EIGENVALUE * (double)s->T, LEAST_EPS * eps)) || !isfinite(*explained))
    return STATUS_SINGULAR;
  const double error = ROUNDING * sqrt((double)n) * DBL_EPSILON / *least;
  s->scale = fmax(fabs(c0), *explained);
  s->slack = error > ACCURATE ? error * s->scale : 0;
  s->least_tolerance = fmax(eps / *least, 1e-13) * s->scale;
  return STATUS_OK;
}

/* The node with the forced groups decided. A, b: of whitened groups. NULL where A is singular. */
static subset_node *root_new(subset_tree *s, double *A, double *b, double explained, double least)
{
  const size_t p = s->p, N = s->N;
  subset_node *node = subset_node_new(&s->arena, p);
  for (size_t i = 0; i < N; i++) memcpy(node->G + i * node->ld, A + i * N, N * sizeof(double));
  memcpy(node->c, b, N * sizeof(double));
  memset(node->w, 0, N * sizeof(double));
  memset(node->in, 0, p);
  for (size_t g = 0; g < p; g++) {
    node->id[g] = (int)g;
    node->pen[g] = s->pen ? s->pen[g] : 0;
  }
  node->n_in = 0;
  node->hash = 0;
  node->rho = s->problem->c0;
  node->pen_in = node->lambda = 0;
  for (size_t g = p; g-- > 0;) {
    const int fixed = s->fixed[node->id[g]];
    if (fixed < 0) subset_leave_out(&s->arena, node, g, 0);
    if (fixed > 0 && !subset_put_in(&s->arena, node, g, node->pen[g], 0)) return NULL;
  }
  if (node->n_in && !whiten(node->G, node->ld, node->c, node->f, s->T, NULL)) return NULL;
  const size_t n = node->n;
  if (n && (node->n_in || s->T > 1)) { /* G is not the matrix of which `least` is the eigenvalue */
    double *U = s->arena.square;
    for (size_t i = 0; i < n; i++) memcpy(U + i * n, node->G + i * node->ld, n * sizeof(double));
    if (!spd_factor(U, n, s->arena.work)) return NULL;
    least = least_eigenvalue(U, n, s->arena.v);
  }
  node->bound = s->problem->c0 + node->pen_in - explained;
  s->relaxation.nearly_singular = least < NEARLY_SINGULAR;
  for (size_t g = 0; g < node->f; g++) node->alpha[g] = .9 * least;
  /* if M cannot be computed, the search goes on with the bound of the root */
  subset_refresh(&s->arena, node);
  return node;
}

static int all_finite(const double *x, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (!isfinite(x[i])) return 0;
  return 1;
}

/* A group that is forced in forces its parents in; one that is forced out forces those out of which it is a parent.
 * Returns 0 where the two contradict. */
static int close_fixed(subset_tree *s)
{
  const size_t p = s->p;
  const unsigned char *parent = s->problem->parent;
  for (size_t g = 0; g < p; g++)
    for (size_t h = 0; h < p; h++) {
      if (!parent[g * p + h]) continue;
      if (s->fixed[g] > 0 && s->fixed[h] < 0) return 0;
      if (s->fixed[g] > 0) s->fixed[h] = 1;
      if (s->fixed[h] < 0) s->fixed[g] = -1;
    }
  return 1;
}

status subset_tree_new(subset_tree *s, const subset_problem *q, const double *pen,
                       subset_node **root)
{
  const size_t p = q->p, T = q->T, N = p * T;
  *s = (subset_tree){
      .problem = q, .p = p, .T = T, .N = N, .pen = pen, .best = INFINITY, .given_up = INFINITY};
  if (!all_finite(q->A, N * N) || !all_finite(q->b, N) || !isfinite(q->c0))
    return STATUS_NOT_FINITE;
  s->fixed = ALLOC(p, signed char);
  for (size_t g = 0; g < p; g++) {
    if (pen && !(isfinite(pen[g]) && pen[g] >= 0)) return STATUS_NOT_FINITE;
    s->fixed[g] = q->force ? q->force[g] : 0;
    if (pen && pen[g] == 0 && s->fixed[g] == 0) s->fixed[g] = 1;
  }
  if (q->parent && !close_fixed(s)) return STATUS_NOT_FINITE;
  s->started = port_seconds();
  s->most_seconds = q->max_seconds;
  s->deadline = s->started + q->max_seconds;
  s->worst = q->audit ? 0 : NAN;
  s->arena = subset_arena_new(p, T);
  s->relaxation = subset_relaxation_new(p, T);
  s->tried = ALLOC(SUBSET_TRIED, uint64_t);
  s->best_in = ALLOC(p, unsigned char);
  s->place = ALLOC(p + 1, size_t);
  s->chosen = ALLOC(N, size_t);
  s->trial = ALLOC(p, unsigned char);
  s->closed = ALLOC(p, unsigned char);
  double *A = ALLOC(N * N, double), *b = ALLOC(N, double);
  memcpy(A, q->A, N * N * sizeof(double));
  memcpy(b, q->b, N * sizeof(double));
  double explained, least;
  const status state = measure(s, &explained, &least);
  if (state != STATUS_OK) return state;
  if (!whiten(A, N, b, p, T, s->fixed)) return STATUS_SINGULAR;
  *root = root_new(s, A, b, explained, least);
  if (!*root) return STATUS_SINGULAR;
  s->tableau = subset_tableau_new(A, b, q->c0, p, T);
  s->tableau.scale = s->scale;
  s->tableau.fixed = s->fixed;
  s->tableau.parent = q->parent;
  return STATUS_OK;
}

void subset_tree_set_tolerance(subset_tree *s, double least_pen)
{
  s->tolerance = fmin(fmax(1e-6 * least_pen, s->least_tolerance), 1e-10 * s->scale);
}
