/* greedy_pass.c - see greedy_pass.h. */
#include "greedy_pass.h"

#include <math.h>
#include <string.h>

#include "kernels.h"

#define CHUNK 64 /* columns, or vectors, taken together: a multiple of KERNELS_PANEL */
#define LEAST_ROWS 48
#define MANY_SHARED 128        /* columns for which there is room even if n/4 is smaller ... */
#define LITTLE_ROOM (2u << 20) /* ... if their products are no more numbers than this */
#define LEAST_RIDGE 1e-4

static double *make_panels(const design *d)
{
  const size_t n = d->n, N = d->N;
  double *z = ALLOC((N + KERNELS_PANEL) * n, double);
  for (size_t j = 0; j < N; j++) {
    const double *x = design_column(d, j, NULL), c = d->center ? d->center[j] : 0;
    double *to = z + (j - j % KERNELS_PANEL) * n + j % KERNELS_PANEL;
    for (size_t i = 0; i < n; i++) to[i * KERNELS_PANEL] = x[i] - c;
  }
  return z;
}

/* Are the ridges of a problem so large that products can be shared? */
static int ridges_suffice(const greedy_problem *b, const design *d)
{
  for (int k = 0; k < d->n_blocks; k++)
    if (d->block[k].p && !(b->tau[k] >= LEAST_RIDGE * b->n)) return 0;
  return 1;
}

greedy_pass greedy_pass_new(const greedy_rows *rows, const greedy_problem *problems, int n_problems)
{
  const design *d = rows->d;
  const size_t n = d->n, N = d->N, count = (size_t)n_problems, steps = (size_t)rows->o->max_steps;
  const int few = n < LEAST_ROWS;
  greedy_pass p = {.rows = rows, .problems = problems};
  p.u = ALLOC(n * count, double);
  p.sum_u = ALLOC(count, double);
  p.to = ALLOC(count, double *);
  p.whose = ALLOC(count, int);
  p.alone = ALLOC(count, char);
  if (count > 1 && few && !design_buffer(d)) p.panels = make_panels(d);
  const int shares =
      count > 1 && !few && n >= 2 * steps && rows->o->standardize && !rows->o->n_keep;
  if (shares) {
    p.room = n / 4;
    if (p.room < MANY_SHARED && MANY_SHARED * N <= LITTLE_ROOM) p.room = MANY_SHARED;
    p.shared = ALLOC(p.room, shared_column);
    p.g = ALLOC(count * steps, const double *);
    p.w = ALLOC(count * steps, double);
  }
  for (size_t b = 0; b < count; b++) p.alone[b] = !shares || !ridges_suffice(&problems[b], d);
  return p;
}

/* Adds vector number `at`; returns the array for its n numbers. */
static double *add_vector(greedy_pass *p, int at, double *to, int whose)
{
  p->to[at] = to;
  p->whose[at] = whose;
  return p->u + (size_t)at * p->rows->d->n;
}

/* The shared products with the last column of a problem, NULL where there is no room. A column that is new is added as
 * vector *at. */
static const double *share(greedy_pass *p, const greedy_problem *b, int *at)
{
  const int column = b->entered[b->n_steps - 1];
  const size_t n = p->rows->d->n;
  double center, scale;
  for (size_t s = 0; s < p->n_shared; s++)
    if (p->shared[s].column == column && p->shared[s].v == b->v) return p->shared[s].g;
  if (p->n_shared == p->room) return NULL;
  if (rows_column(b, p->rows, (size_t)column, &center, &scale) != STATUS_OK) return NULL;
  shared_column *new = &p->shared[p->n_shared++];
  *new = (shared_column){column, b->v, ALLOC(p->rows->d->N, double)};
  double *z = add_vector(p, (*at)++, new->g, -1);
  for (size_t i = 0; i < n; i++) z[i] = p->rows->z[i] * (b->sv ? b->sv[i] : 1);
  return new->g;
}

/* Adds the vectors of this step: columns that no problem has shared yet, and u of problems that do not share. Returns
 * how many. */
static int find_vectors(greedy_pass *p, greedy_problem **live, int n_live)
{
  const size_t n = p->rows->d->n, most = (size_t)p->rows->o->max_steps;
  int count = 0;
  for (int l = 0; l < n_live; l++) {
    const greedy_problem *b = live[l];
    const size_t own = (size_t)(b - p->problems), k = (size_t)b->n_steps - 1;
    if (!p->alone[own] && !(p->g[own * most + k] = share(p, b, &count))) p->alone[own] = 1;
    if (!p->alone[own]) {
      double *w = p->w + (size_t)l * most;
      memset(w, 0, k * sizeof(double));
      w[k] = 1;
      chol_backward_rows(b->L, k + 1, w);
      continue;
    }
    double *u = add_vector(p, count++, NULL, l);
    for (size_t i = 0; i < n; i++) u[i] = b->U[k][i] * (b->sv ? b->sv[i] : 1);
  }
  for (int v = 0; v < count; v++) p->sum_u[v] = kernels->sum(p->u + (size_t)v * n, 0, NULL, n);
  return count;
}

/* t[j + v CHUNK] <- the products of a chunk's columns with m vectors from number v0 on. */
static void chunk_products(const greedy_pass *p, column_range chunk, int v0, int m, double *t)
{
  const design *d = p->rows->d;
  const size_t n = d->n, columns = chunk.to - chunk.from, count = (size_t)m;
  const double *u = p->u + (size_t)v0 * n, *sum_u = p->sum_u + v0;
  double part[CHUNK * CHUNK];
  if (m == 1 && !p->panels) {
    design_dots(d, chunk, u, *sum_u, t);
    return;
  }
  for (size_t j = 0; p->panels && j < columns; j += KERNELS_PANEL)
    kernels->panel_dots(p->panels + (chunk.from + j) * n, COLUMNS(u, n, count), t + j, CHUNK);
  if (p->panels) return;
  design_dots_multi(d, chunk, u, sum_u, count, part);
  for (size_t v = 0; v < count; v++)
    for (size_t j = 0; j < columns; j++) t[j + v * CHUNK] = part[v + j * count];
}

/* Updates A and D of a problem in a chunk of columns by their t. D of a column that cannot enter stays negative. */
static void change(greedy_problem *b, column_range chunk, const double *t, const greedy_options *o)
{
  const size_t columns = chunk.to - chunk.from;
  kernels->downdate(t, b->q[b->n_steps - 1], columns, b->D + chunk.from, b->A + chunk.from);
  if (o->groups) memcpy(b->t + chunk.from, t, columns * sizeof(double));
}

static void change_from_shared(const greedy_pass *p, greedy_problem *b, int l, column_range chunk)
{
  const size_t k = (size_t)b->n_steps, most = (size_t)p->rows->o->max_steps;
  const double *const *g = p->g + (size_t)(b - p->problems) * most, *w = p->w + (size_t)l * most;
  double t[CHUNK] = {0};
  for (size_t r = 0; r < k; r += 4) {
    const double *part[4];
    const size_t m = k - r < 4 ? k - r : 4;
    for (size_t i = 0; i < m; i++) part[i] = g[r + i] + chunk.from;
    kernels->combine(part, w + r, m, chunk.to - chunk.from, t);
  }
  change(b, chunk, t, p->rows->o);
}

void greedy_pass_run(greedy_pass *p, greedy_problem **live, int n_live)
{
  const greedy_options *o = p->rows->o;
  const size_t N = p->rows->d->N;
  const int vectors = find_vectors(p, live, n_live);
  const long chunks = (long)((N + CHUNK - 1) / CHUNK);
#ifdef _OPENMP
  const int threads = p->rows->d->n * N >= WORTH_THREADS ? o->threads : 1;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
#endif
  for (long c = 0; c < chunks; c++) {
    const size_t from = (size_t)c * CHUNK, to = from + CHUNK < N ? from + CHUNK : N;
    const column_range chunk = {from, to};
    double t[CHUNK * CHUNK];
    for (int v0 = 0; v0 < vectors; v0 += CHUNK) {
      const int m = vectors - v0 < CHUNK ? vectors - v0 : CHUNK;
      chunk_products(p, chunk, v0, m, t);
      for (int v = v0; v < v0 + m; v++) {
        const double *own = t + (v - v0) * CHUNK;
        if (p->to[v])
          memcpy(p->to[v] + from, own, (to - from) * sizeof(double));
        else
          change(live[p->whose[v]], chunk, own, o);
      }
    }
    for (int l = 0; l < n_live; l++)
      if (!p->alone[live[l] - p->problems]) change_from_shared(p, live[l], l, chunk);
  }
  for (int b = 0; o->groups && b < n_live; b++) groups_pass(live[b], live[b]->t, o->groups);
}
