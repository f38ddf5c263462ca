/* subset_tree.c - see subset_tree.h. */
#include "subset_tree.h"

#include <math.h>
#include <string.h>

#include "kernels.h"
#include "spd.h"
#include "subset_loops.h"

#define LOOK 3e6 /* the clock is read after about so many flops */

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

/* Replaces the incumbent by the set if that is at least as good. */
static void accept(subset_tree *s, const unsigned char *in)
{
  const double value = subset_tree_value(s, in);
  if (!(value <= s->best)) return; /* the first set is accepted even where its value is infinite */
  s->best = value;
  memcpy(s->best_in, in, s->p);
}

/* s->closed <- the set with all parents of its groups. Returns 0 where a parent is forced out, or where the size is
 * given and would change. */
static int close_set(subset_tree *s, const unsigned char *in)
{
  const unsigned char *parent = s->problem->parent;
  const size_t p = s->p;
  int changed = 0;
  memcpy(s->closed, in, p);
  for (size_t g = 0; g < p; g++) {
    if (!in[g]) continue;
    for (size_t h = 0; h < p; h++) {
      if (!parent[g * p + h] || s->closed[h]) continue;
      if (s->fixed[h] < 0) return 0;
      s->closed[h] = 1;
      changed = 1;
    }
  }
  return s->pen || !changed;
}

void subset_tree_fill(const subset_tree *s, size_t size, unsigned char *in)
{
  const unsigned char *parent = s->problem->parent;
  const size_t p = s->p;
  size_t n = 0;
  int more = 1;
  for (size_t g = 0; g < p; g++) n += in[g] != 0;
  while (more && n < size) {
    more = 0;
    for (size_t g = 0; g < p && n < size; g++) {
      if (in[g] || s->fixed[g] != 0) continue;
      int able = 1;
      for (size_t h = 0; parent && h < p && able; h++) able = !parent[g * p + h] || in[h];
      if (able) n += more = in[g] = 1;
    }
  }
}

void subset_tree_offer(subset_tree *s, const unsigned char *in)
{
  if (s->problem->parent) {
    if (!close_set(s, in)) return;
    in = s->closed;
  }
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

/* rounded() of a given size for closed sets: adds the group of largest z whose parents are in, one after the other. */
static size_t rounded_closed(const subset_tree *s, const subset_node *node, size_t *place,
                             size_t wanted)
{
  const unsigned char *parent = s->problem->parent;
  const double *z = s->relaxation.z;
  unsigned char *in = s->closed;
  size_t q = 0;
  memcpy(in, node->in, s->p);
  while (q < wanted) {
    size_t best = node->f;
    for (size_t k = 0; k < node->f; k++) {
      const size_t g = (size_t)node->id[k];
      if (in[g] || (best < node->f && z[k] <= z[best])) continue;
      int able = 1;
      for (size_t h = 0; h < s->p && able; h++) able = !parent[g * s->p + h] || in[h];
      if (able) best = k;
    }
    if (best == node->f) break;
    in[node->id[best]] = 1;
    place[q++] = best;
  }
  return q;
}

/* place <- the places of free groups of z >= 1/2, or where the size is given of those of largest z, as many as are
 * missing. Returns their number. */
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
  if (s->problem->parent) return rounded_closed(s, node, place, wanted);
  for (size_t g = 0; g < node->f; g++) {
    size_t k = q < wanted ? q++ : wanted;
    if (k == wanted && !(z[g] > z[place[k - 1]])) continue;
    if (k == wanted) k--;
    for (; k > 0 && z[g] > z[place[k - 1]]; k--) place[k] = place[k - 1];
    place[k] = g;
  }
  return q;
}

/* Is the hash in the table of sets that were tried? Puts it there. */
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
  if (s->list) return; /* the limit must not change */
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

int subset_tree_carry_on(subset_tree *s, subset_node *node)
{
  const unsigned char *parent = s->problem->parent;
  const size_t p = s->p;
  if (!parent) return 1;
  for (int changed = 1; changed;) {
    changed = 0;
    unsigned char *free_at = s->closed;
    memset(free_at, 0, p);
    for (size_t k = 0; k < node->f; k++) free_at[node->id[k]] = 1;
    for (size_t g = 0; g < p; g++)
      for (size_t h = 0; h < p && node->in[g]; h++)
        if (parent[g * p + h] && !node->in[h] && !free_at[h]) return 0;
    for (size_t k = node->f; k-- > 0;) { /* backwards: the groups before k keep their places */
      const size_t g = (size_t)node->id[k];
      int in = 0, out = 0;
      for (size_t h = 0; h < p; h++) {
        in |= node->in[h] && parent[h * p + g];
        out |= parent[g * p + h] && !node->in[h] && !free_at[h];
      }
      if (in && out) return 0;
      if (!in && !out) continue;
      if (!decide(s, node, k, in)) return -1;
      if (out) free_at[g] = 0;
      changed = 1;
    }
  }
  return 1;
}

static void list_set(subset_list *list, const subset_node *node, size_t p, double value)
{
  if (!(value <= list->limit)) return;
  list->full = list->found == list->most;
  if (list->full) return;
  memcpy(list->in + list->found * p, node->in, p);
  list->value[list->found++] = value;
}

/* Has the node one set, or none of the given size? If it has one, that is tried. */
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
 * Returns as subset_tree_carry_on(). */
static int screen(subset_tree *s, subset_node *node)
{
  const double *in = s->relaxation.in, *out = s->relaxation.out;
  int closed;
  for (size_t g = node->f; g-- > 0;) /* backwards: the groups before g keep their places */
    if (is_decided(s, g) && !decide(s, node, g, out[g] > in[g])) return -1;
  closed = subset_tree_carry_on(s, node);
  if (closed > 0) subset_loops()->residual(node, s->T);
  return closed;
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
      const int closed = screen(s, node);
      if (closed == 0) return 0;
      fine = closed > 0;
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
    if (!decide(s, node, (size_t)g, node->side)) return -1;
    const int closed = subset_tree_carry_on(s, node);
    if (closed <= 0) return closed;
  }
  subset_loops()->residual(node, s->T);
  return 1;
}
