/* subset_node.c - see subset_node.h. */
#include "subset_node.h"

#include <math.h>
#include <string.h>

#include "port.h"
#include "spd.h"
#include "subset_loops.h"

/* A group, whose block of G was I at the root, is a linear combination of those that are in if a pivot is no larger. */
#define TINY_PIVOT 1e-13
#define USABLE 1e-3  /* largest drift of a new M that is accepted: A may be nearly singular */
#define REFRESHES 60 /* how often alpha is lowered before a node is given up */

double *subset_room(size_t n)
{
  const uintptr_t line = LINE * sizeof(double);
  const uintptr_t memory = (uintptr_t)ALLOC(n + LINE, double);
  return (double *)((memory + line - 1) / line * line);
}

subset_arena subset_arena_new(size_t p, size_t T)
{
  subset_arena arena = {.p = p, .T = T, .N = p * T};
  arena.idle = ALLOC(subset_lines(p) + 1, subset_node *);
  arena.u = subset_room(arena.N + LINE);
  arena.v = subset_room(arena.N + LINE);
  arena.square = ALLOC(arena.N * arena.N, double);
  arena.work = ROOM(arena.N * (arena.N + 8), double);
  arena.key = ALLOC(p, uint64_t);
  uint64_t state = 0x9e3779b97f4a7c15u; /* splitmix64 */
  for (size_t g = 0; g < p; g++) {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    arena.key[g] = z ^ (z >> 31);
  }
  return arena;
}

subset_node *subset_node_new(subset_arena *arena, size_t f)
{
  const size_t kind = subset_lines(f);
  subset_node *node = arena->idle[kind];
  if (node) {
    arena->idle[kind] = node->next;
  } else {
    node = ALLOC(1, subset_node);
    node->room = kind * LINE;
    node->ld = node->room * arena->T;
    const size_t ld = node->ld;
    node->G = subset_room(2 * ld * ld + 3 * ld + 2 * node->room);
    node->M = node->G + ld * ld;
    node->c = node->M + ld * ld;
    node->w = node->c + ld;
    node->r = node->w + ld;
    node->alpha = node->r + ld;
    node->pen = node->alpha + node->room;
    node->id = ALLOC(node->room, int);
    node->in = ALLOC(arena->p, unsigned char);
  }
  node->f = f;
  node->n = f * arena->T;
  node->next = NULL;
  node->pending = -1;
  node->exact = 1;
  return node;
}

subset_node *subset_node_copy(subset_arena *arena, const subset_node *from)
{
  subset_node *to = subset_node_new(arena, from->f);
  const size_t f = from->f, n = from->n, width = subset_lines(n) * LINE;
  for (size_t i = 0; i < n; i++) {
    memcpy(to->G + i * to->ld, from->G + i * from->ld, width * sizeof(double));
    memcpy(to->M + i * to->ld, from->M + i * from->ld, subset_lines(i + 1) * LINE * sizeof(double));
  }
  memcpy(to->c, from->c, width * sizeof(double));
  memcpy(to->w, from->w, width * sizeof(double));
  memcpy(to->r, from->r, width * sizeof(double));
  memcpy(to->alpha, from->alpha, f * sizeof(double));
  memcpy(to->pen, from->pen, f * sizeof(double));
  memcpy(to->id, from->id, f * sizeof(int));
  memcpy(to->in, from->in, arena->p);
  to->n_in = from->n_in;
  to->hash = from->hash;
  to->rho = from->rho;
  to->pen_in = from->pen_in;
  to->lambda = from->lambda;
  to->exact = from->exact;
  to->bound = from->bound;
  to->pending = from->pending;
  to->side = from->side;
  return to;
}

void subset_node_free(subset_arena *arena, subset_node *node)
{
  const size_t kind = subset_lines(node->room);
  node->next = arena->idle[kind];
  arena->idle[kind] = node;
}

void subset_column(const subset_node *node, size_t a, double *m)
{
  const size_t n = node->n, ld = node->ld;
  memcpy(m, node->M + a * ld, a * sizeof(double));
  for (size_t i = a; i < n; i++) m[i] = node->M[i * ld + a];
  memset(m + n, 0, (subset_lines(n) * LINE - n) * sizeof(double));
}

/* Removes the group at place g from G, c, w, alpha, pen, id and, with `whole`, M: the last group takes its place. */
static void drop(subset_arena *arena, subset_node *node, size_t g, int whole)
{
  const size_t T = arena->T, n = node->n, ld = node->ld, last = node->f - 1;
  const size_t a = g * T, l = last * T;
  double *G = node->G, *M = node->M;
  if (g < last) {
    for (size_t t = 0; t < T; t++) {
      memcpy(G + (a + t) * ld, G + (l + t) * ld, n * sizeof(double));
      node->c[a + t] = node->c[l + t];
      node->w[a + t] = node->w[l + t];
    }
    for (size_t i = 0; i < l; i++)
      for (size_t t = 0; t < T; t++) G[i * ld + a + t] = G[i * ld + l + t];
    for (size_t t = 0; t < T && whole; t++) {
      memcpy(M + (a + t) * ld, M + (l + t) * ld, a * sizeof(double));
      for (size_t s = 0; s <= t; s++) M[(a + t) * ld + a + s] = M[(l + t) * ld + l + s];
      for (size_t i = a + T; i < l; i++) M[i * ld + a + t] = M[(l + t) * ld + i];
    }
    node->alpha[g] = node->alpha[last];
    node->pen[g] = node->pen[last];
    node->id[g] = node->id[last];
  }
  node->f--;
  node->n -= T;
}

/* M <- the inverse of Q with `add` added to the diagonal elements of group g; with add = INFINITY the inverse of Q
 * without the group. Returns 0 where a diagonal element of M is not positive. */
static int shift_group(subset_arena *arena, subset_node *node, size_t g, double add)
{
  for (size_t a = g * arena->T; a < (g + 1) * arena->T; a++) {
    subset_column(node, a, arena->u);
    const double own = arena->u[a];
    if (!(own > 0)) return 0;
    const double by = isinf(add) ? -1 / own : -add / (1 + add * own);
    subset_loops()->rank_one(node->M, node->ld, arena->u, by, node->n);
  }
  return 1;
}

int subset_leave_out(subset_arena *arena, subset_node *node, size_t g, int whole)
{
  const int fine = !whole || shift_group(arena, node, g, INFINITY);
  drop(arena, node, g, whole);
  return fine || subset_refresh(arena, node);
}

int subset_put_in(subset_arena *arena, subset_node *node, size_t g, double pen, int whole)
{
  const size_t T = arena->T, n = node->n, ld = node->ld, width = subset_lines(n) * LINE;
  const int id = node->id[g];
  int fine = !whole || shift_group(arena, node, g, node->alpha[g]);
  double *u = arena->u;
  for (size_t a = g * T; a < (g + 1) * T; a++) {
    memcpy(u, node->G + a * ld, n * sizeof(double));
    memset(u + n, 0, (width - n) * sizeof(double));
    const double pivot = u[a], ca = node->c[a];
    if (!(pivot > TINY_PIVOT)) return 0;
    node->rho -= ca * ca / pivot;
    for (size_t i = 0; i < n; i++) node->c[i] -= u[i] / pivot * ca;
    subset_loops()->eliminate(node->G, ld, u, pivot, n);
  }
  drop(arena, node, g, whole);
  node->in[id] = 1;
  node->n_in++;
  node->hash ^= arena->key[id];
  node->pen_in += pen;
  return fine || subset_refresh(arena, node);
}

/* arena->square <- Q, n x n. */
static void fill_square(subset_arena *arena, const subset_node *node)
{
  const size_t n = node->n;
  for (size_t i = 0; i < n; i++) {
    memcpy(arena->square + i * n, node->G + i * node->ld, n * sizeof(double));
    arena->square[i * n + i] -= node->alpha[i / arena->T];
  }
}

int subset_refresh(subset_arena *arena, subset_node *node)
{
  const size_t n = node->n;
  if (n == 0) return 1;
  for (int round = 0; round < REFRESHES; round++) {
    fill_square(arena, node);
    double log_det;
    if (spd_inverse(arena->square, n, arena->work, &log_det)) {
      for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) node->M[i * node->ld + j] = arena->square[i + j * n];
      subset_loops()->residual(node, arena->T);
      const double drift = subset_loops()->drift(arena, node);
      node->exact = drift <= SUBSET_EXACT;
      if (drift <= USABLE) return 1;
    }
    for (size_t g = 0; g < node->f; g++) node->alpha[g] *= round < REFRESHES / 3 ? .9 : .5;
  }
  return 0;
}

double subset_audit(subset_arena *arena, const subset_node *node)
{
  const size_t n = node->n;
  double worst = 0;
  fill_square(arena, node);
  for (size_t j = 0; j < n; j++) {
    subset_column(node, j, arena->u);
    for (size_t i = 0; i < n; i++) {
      double sum = i == j ? -1 : 0;
      for (size_t k = 0; k < n; k++) sum += arena->square[i * n + k] * arena->u[k];
      if (!(fabs(sum) <= worst)) worst = fabs(sum);
    }
  }
  return worst;
}
