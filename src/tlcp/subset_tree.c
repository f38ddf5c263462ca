/* subset_tree.c - see subset_tree.h. */
#include "subset_tree.h"

#include <math.h>
#include <string.h>

#include "kernels.h"
#include "spd.h"
#include "subset_loops.h"

#define LOOK 3e6 /* flops, about, between two readings of the clock */

double subset_tree_value(subset_tree *s, const unsigned char *in)
{
  const subset_problem *q = s->problem;
  double *U = s->arena.square, *x = s->arena.u, value = q->c0;
  size_t *at = s->chosen, m = 0;
  for (size_t g = 0; g < s->p; g++) {
    if (!in[g]) continue;
    for (size_t t = 0; t < s->T; t++) at[m++] = g * s->T + t;
    if (s->pen) value += s->pen[g];
  }
  if (m == 0) return value;
  for (size_t j = 0; j < m; j++) {
    const double *column = q->A + at[j] * s->N;
    for (size_t i = 0; i <= j; i++) U[i + j * m] = column[at[i]];
    x[j] = q->b[at[j]];
  }
  if (!spd_factor(U, m, s->arena.work)) return INFINITY;
  spd_lower(U, m, x);
  for (size_t i = 0; i < m; i++) value -= x[i] * x[i];
  return value;
}

/* The set replaces the incumbent if it is at least as good. */
static void accept(subset_tree *s, const unsigned char *in)
{
  const double value = subset_tree_value(s, in);
  if (!(value <= s->best)) return; /* the first set is accepted even where its value is infinite */
  s->best = value;
  memcpy(s->best_in, in, s->p);
}

void subset_tree_offer(subset_tree *s, const unsigned char *in)
{
  accept(s, in);
  subset_tableau_go(&s->tableau, in);
  subset_local_search(&s->tableau, s->pen, 2 * s->p);
  if (memcmp(in, s->tableau.in, s->p) != 0) accept(s, s->tableau.in);
}

/* ---- rounding ----------------------------------------------------------------------------- */

double subset_tree_node_value(subset_tree *s, const subset_node *node, const size_t *place,
                              size_t q)
{
  const size_t T = s->T, m = q * T;
  double *U = s->arena.square, *y = s->arena.u, value = node->rho + node->pen_in;
  for (size_t k = 0; k < q; k++) value += node->pen[place[k]];
  for (size_t j = 0; j < m; j++) {
    const size_t a = place[j / T] * T + j % T;
    for (size_t i = 0; i <= j; i++) U[i + j * m] = node->G[a * node->ld + place[i / T] * T + i % T];
    y[j] = node->c[a];
  }
  if (!spd_factor(U, m, s->arena.work)) return INFINITY;
  spd_lower(U, m, y);
  value -= dot(y, y, m);
  return value;
}

/* The places of free groups of z >= 1/2, or where the size is given those of largest z, as many as the size
 * needs. Returns their number. */
static size_t rounded(const subset_tree *s, const subset_node *node, size_t *place)
{
  const double *z = s->relaxation.z;
  size_t q = 0;
  if (s->pen) {
    for (size_t g = 0; g < node->f; g++)
      if (z[g] >= .5) place[q++] = g;
    return q;
  }
  const size_t wanted = s->size - node->n_in;
  for (size_t g = 0; g < node->f; g++) {
    size_t k = q < wanted ? q++ : wanted;
    if (k == wanted && !(z[g] > z[place[k - 1]])) continue;
    if (k == wanted) k--;
    for (; k > 0 && z[g] > z[place[k - 1]]; k--) place[k] = place[k - 1];
    place[k] = g;
  }
  return q;
}

/* Is the hash in the table of sets that were tried? It is from now on. */
static int seen(subset_tree *s, uint64_t hash)
{
  uint64_t *slot = s->tried + hash % SUBSET_TRIED;
  const int was = *slot == hash;
  *slot = hash;
  return was;
}

static void offer_places(subset_tree *s, const subset_node *node, const size_t *place, size_t q)
{
  memcpy(s->trial, node->in, s->p);
  for (size_t k = 0; k < q; k++) s->trial[node->id[place[k]]] = 1;
  subset_tree_offer(s, s->trial);
}

/* Tries two sets: the groups that are in with the rounded free groups, and the groups that are in alone. */
static void try_rounding(subset_tree *s, const subset_node *node)
{
  if (s->list) return; /* the limit stays */
  size_t *place = s->place;
  const size_t q = rounded(s, node, place);
  uint64_t hash = node->hash;
  for (size_t k = 0; k < q; k++) hash ^= s->arena.key[node->id[place[k]]];
  if (!seen(s, hash) && subset_tree_node_value(s, node, place, q) < s->best - SUBSET_TIE * s->scale)
    offer_places(s, node, place, q);
  if (s->pen && node->rho + node->pen_in < s->best - SUBSET_TIE * s->scale)
    offer_places(s, node, place, 0);
}

/* ---- a node ------------------------------------------------------------------------------- */

/* Gives up a node: its bound stays part of the certified bound. */
static void give_up(subset_tree *s, const subset_node *node)
{
  s->given_up = fmin(s->given_up, node->bound);
}

void subset_tree_failed(subset_tree *s, const subset_node *node)
{
  give_up(s, node);
  if (s->stopped == SUBSET_COMPLETE) s->stopped = SUBSET_NUMERICS;
}

static int decide(subset_tree *s, subset_node *node, size_t g, int in)
{
  return in ? subset_put_in(&s->arena, node, g, node->pen[g], 1)
            : subset_leave_out(&s->arena, node, g, 1);
}

static void list_set(subset_list *list, const subset_node *node, size_t p, double value)
{
  if (!(value <= list->limit)) return;
  list->full = list->found == list->most;
  if (list->full) return;
  memcpy(list->in + list->found * p, node->in, p);
  list->value[list->found++] = value;
}

/* Has the node one set, or none of the given size? Then the one set is tried. */
static int is_leaf(subset_tree *s, const subset_node *node)
{
  size_t take = 0;
  if (s->pen) {
    if (node->f > 0) return 0;
  } else {
    if (node->n_in > s->size || node->n_in + node->f < s->size) return 1;
    if (node->n_in < s->size && node->n_in + node->f > s->size) return 0;
    take = s->size - node->n_in;
  }
  size_t *place = s->place;
  for (size_t g = 0; g < take; g++) place[g] = g;
  const double value = subset_tree_node_value(s, node, place, take);
  if (!isfinite(value)) subset_tree_failed(s, node);
  if (s->list)
    list_set(s->list, node, s->p, value);
  else if (value < s->best)
    offer_places(s, node, place, take);
  return 1;
}

/* Is the bound of the sets with the group, or of those without it, at or above the cutoff? */
static int is_decided(const subset_tree *s, size_t g)
{
  const double room = subset_tree_cutoff(s) - s->relaxation.lower;
  return s->relaxation.in[g] >= room || s->relaxation.out[g] >= room;
}

static int any_decided(const subset_tree *s, const subset_node *node)
{
  int decided = 0;
  for (size_t g = 0; g < node->f; g++) decided |= is_decided(s, g);
  return decided;
}

/* Decides the free groups of is_decided(): in where the sets without the group have the higher bound, else out.
 * Returns 0 where the arithmetic failed. */
static int screen(subset_tree *s, subset_node *node)
{
  const double *in = s->relaxation.in, *out = s->relaxation.out;
  for (size_t g = node->f; g-- > 0;) /* backwards: the groups before g keep their places */
    if (is_decided(s, g) && !decide(s, node, g, out[g] > in[g])) return 0;
  subset_loops()->residual(node, s->T);
  return 1;
}

int subset_tree_stops(subset_tree *s, double work)
{
  s->work += work;
  if (s->work < LOOK) return 0;
  s->work = 0;
  port_progress(port_seconds() - s->started, isfinite(s->most_seconds) ? s->most_seconds : 0);
  if (port_seconds() > s->deadline) s->stopped = SUBSET_SECONDS;
  if (port_interrupted()) s->stopped = SUBSET_INTERRUPT;
  return s->stopped == SUBSET_SECONDS || s->stopped == SUBSET_INTERRUPT;
}

/* One round of changes of lambda and alpha. Returns 0 where the arithmetic failed. */
static int raise_bound(subset_tree *s, subset_node *node)
{
  if (!s->pen) subset_ascend_lambda(&s->relaxation, node, s->size);
  return subset_ascend(&s->relaxation, &s->arena, node, s->best) || subset_refresh(&s->arena, node);
}

int subset_tree_bound(subset_tree *s, subset_node *node, int rounds, int sweeps, int screening)
{
  const subset_relaxation *relaxed = &s->relaxation;
  const double inherited = node->bound;
  double before = -INFINITY;
  int round = 0, refreshes = 0, fine = 1;
  /* Does a bound rest on an M that was not checked after its last change? Decisions keep Q positive definite: after
   * them only bounds from elements of M, which must be exact, need the check. */
  int unchecked = node->exact;
  while (fine) {
    if (is_leaf(s, node)) return 0;
    if (subset_tree_stops(s, (double)(node->n * node->n) * (double)(node->f + 20))) {
      if (unchecked) node->bound = inherited;
      give_up(s, node);
      return 0;
    }
    if (!subset_loops()->relax(&s->relaxation, &s->arena, node, s->best, subset_tree_cutoff(s),
                               sweeps)) {
      node->bound = inherited;
      fine = refreshes++ < 4 && subset_refresh(&s->arena, node);
      continue;
    }
    node->bound = fmax(node->bound, relaxed->lower + relaxed->rise);
    if (node->bound < subset_tree_cutoff(s)) try_rounding(s, node);
    const int settled = node->bound >= subset_tree_cutoff(s);
    const int decided = !settled && screening && any_decided(s, node);
    const int last = round == rounds || relaxed->lower - before < .03 * (s->best - before);
    if (unchecked && (settled || decided || last)) { /* the bound is about to be used */
      unchecked = 0;
      const double drift = subset_loops()->drift(&s->arena, node);
      if (!(drift <= (node->exact ? SUBSET_EXACT : SUBSET_DRIFT))) {
        node->bound = inherited;
        fine = subset_refresh(&s->arena, node);
        continue;
      }
      node->exact = drift <= SUBSET_EXACT;
    }
    if (settled) return 0;
    if (decided) {
      fine = screen(s, node);
      unchecked = node->exact;
      continue;
    }
    if (last) return 1;
    before = relaxed->lower;
    fine = raise_bound(s, node);
    unchecked = 1;
    round++;
  }
  node->bound = inherited;
  subset_tree_failed(s, node);
  return 0;
}

int subset_tree_decide_pending(subset_tree *s, subset_node *node)
{
  if (node->pending >= 0) {
    const int g = node->pending;
    node->pending = -1;
    if (!decide(s, node, (size_t)g, node->side)) return 0;
  }
  subset_loops()->residual(node, s->T);
  return 1;
}
