/* subset.c - see subset.h. */
#include "subset.h"

#include <math.h>
#include <string.h>

#include "subset_few.h"
#include "subset_loops.h"
#include "subset_tree.h"

/* Largest N for which local search starts from all groups, too, which takes N pivots of N^2 flops. */
#define MOST_PIVOTS 1000
#define COARSE 1e-7 /* a search is not complete if its bound is lowered by a larger share of the scale */
/* While fewer nodes than this are stored, the node of least bound is searched next, else the newest. */
#define STORED 64
#define EASY 16 /* number of nodes after which local search starts from all groups */

/* ---- branch and bound -----------------------------------------------------------------------
 * A node that is not pruned is branched on: it is stored twice, with a pending group that will be put in or left
 * out. Of two sides with the same bound the side to which z of the group rounds is searched first. The certified
 * bound is at any time the least of the incumbent's value, the bounds of the stored nodes and those of nodes
 * that were given up. */

static void store(subset_tree *s, subset_node *node)
{
  if (s->n_open == s->room) {
    subset_node **old = s->open;
    s->room = 2 * s->room + STORED;
    s->open = ALLOC(s->room, subset_node *);
    if (s->n_open) memcpy(s->open, old, s->n_open * sizeof(subset_node *));
  }
  s->open[s->n_open++] = node;
}

/* Takes the next node out of the store, see STORED. */
static subset_node *fetch(subset_tree *s)
{
  size_t next = s->n_open - 1;
  if (s->n_open < STORED)
    for (size_t k = s->n_open; k-- > 0;)
      if (s->open[k]->bound < s->open[next]->bound) next = k;
  subset_node *node = s->open[next];
  s->open[next] = s->open[--s->n_open];
  return node;
}

static void branch(subset_tree *s, subset_node *node)
{
  const int g = subset_branch(&s->relaxation, node);
  const double lower = s->relaxation.lower, bound = node->bound;
  const double value[] = {lower + s->relaxation.out[g], lower + s->relaxation.in[g]};
  const int first = s->relaxation.z[g] >= .5;
  subset_node *other = subset_node_copy(&s->arena, node);
  node->pending = other->pending = g;
  other->side = !first;
  node->side = first;
  other->bound = fmax(bound, value[other->side]);
  node->bound = fmax(bound, value[node->side]);
  store(s, other);
  store(s, node);
}

/* Searches until no node is stored or a limit is reached; returns the certified bound. */
static double run(subset_tree *s)
{
  double nodes = 0;
  while (s->n_open > 0) {
    const int limited = nodes >= s->most_nodes;
    if (s->second && (limited || nodes >= EASY)) {
      subset_tree_offer(s, s->second);
      s->second = NULL;
    }
    subset_node *node = fetch(s);
    const int pruned = node->bound >= subset_tree_cutoff(s);
    if (!pruned && limited) s->stopped = SUBSET_NODES;
    if (!pruned && (limited || subset_tree_stops(s, 0))) {
      store(s, node);
      break;
    }
    if (pruned) {
      subset_node_free(&s->arena, node);
      continue;
    }
    const int root = nodes++ == 0;
    const int decided = subset_tree_decide_pending(s, node);
    if (decided <= 0) {
      if (decided < 0) subset_tree_failed(s, node);
      subset_node_free(&s->arena, node);
      continue;
    }
    const int open =
        root ? subset_tree_bound(s, node, 60, 200, 1) : subset_tree_bound(s, node, 8, 20, 1);
    if (s->problem->audit) s->worst = fmax(s->worst, subset_audit(&s->arena, node));
    if (open)
      branch(s, node);
    else
      subset_node_free(&s->arena, node);
    if (s->stopped == SUBSET_SECONDS || s->stopped == SUBSET_INTERRUPT) break;
    if (s->list && s->list->full) break;
  }
  double bound = fmin(s->best, s->given_up);
  while (s->n_open > 0) {
    subset_node *node = s->open[--s->n_open];
    bound = fmin(bound, node->bound);
    subset_node_free(&s->arena, node);
  }
  s->nodes = nodes;
  return bound;
}

/* ---- the best of all, and of every size ---------------------------------------------------- */

/* *answer <- the incumbent, or the first set that ties with it. */
static void finish(subset_tree *s, double bound, subset_answer *answer)
{
  subset_tableau_go(&s->tableau, s->best_in);
  subset_local_first(&s->tableau, s->pen, SUBSET_TIE * s->scale);
  const int same = memcmp(s->best_in, s->tableau.in, s->p) == 0;
  const double value = same ? s->best : subset_tree_value(s, s->tableau.in);
  if (value <= s->best + 10 * SUBSET_TIE * s->scale) {
    memcpy(s->best_in, s->tableau.in, s->p);
    s->best = value;
  }
  memcpy(answer->in, s->best_in, s->p);
  answer->value = s->best;
  if (s->stopped == SUBSET_COMPLETE) {
    bound = s->best;
    if (s->slack > COARSE * s->scale) s->stopped = SUBSET_NUMERICS;
  }
  answer->bound = fmin(bound, s->best) - s->slack;
  answer->nodes = s->nodes;
  answer->seconds = port_seconds() - s->started;
  answer->stopped = s->stopped;
  answer->audit = s->worst;
}

/* in <- a set of the size: the groups forced in, then the first free groups. */
static void fill(const subset_tree *s, size_t size, unsigned char *in)
{
  for (size_t g = 0; g < s->p; g++) in[g] = s->fixed[g] > 0;
  subset_tree_fill(s, size, in);
}

status subset_search(const subset_problem *q, subset_answer *answer)
{
  subset_tree s;
  subset_node *root = NULL;
  const status state = subset_tree_new(&s, q, q->pen, &root);
  if (state != STATUS_OK) return state;
  s.most_nodes = q->max_nodes;
  double least_pen = INFINITY;
  for (size_t g = 0; g < s.p; g++)
    if (s.fixed[g] == 0) least_pen = fmin(least_pen, q->pen[g]);
  subset_tree_set_tolerance(&s, least_pen);
  fill(&s, 0, s.trial);
  subset_tree_offer(&s, s.trial);
  if (s.N <= MOST_PIVOTS) {
    s.second = ALLOC(s.p, unsigned char);
    fill(&s, s.p, s.second);
  }
  s.work = INFINITY; /* so that the clock is read first */
  store(&s, root);
  finish(&s, run(&s), answer);
  return STATUS_OK;
}

status subset_within(const subset_problem *q, subset_list *list)
{
  subset_tree s;
  subset_node *root = NULL;
  list->found = 0;
  list->full = 0;
  const status state = subset_tree_new(&s, q, q->pen, &root);
  if (state != STATUS_OK) return state;
  s.most_nodes = q->max_nodes;
  s.list = list;
  subset_tree_set_tolerance(&s, 0);
  s.best = list->limit + s.slack + 2 * s.tolerance;
  s.work = INFINITY; /* so that the clock is read first */
  store(&s, root);
  run(&s);
  list->nodes = s.nodes;
  list->stopped = s.stopped;
  return STATUS_OK;
}

/* Stepwise selection, forwards or backwards, from the set of the tableau, which has `size` groups, to size
 * `last`: the best toggle, then the best exchanges. value, sets: by size, replaced where a better set is found. */
static void stepwise(subset_tree *s, size_t size, size_t last, double *value, unsigned char *sets)
{
  const int shrink = last < size;
  for (;;) {
    subset_local_search(&s->tableau, NULL, s->p);
    const double found = subset_tableau_value(&s->tableau);
    if (found < value[size]) {
      value[size] = found;
      memcpy(sets + size * s->p, s->tableau.in, s->p);
    }
    const double pairs = (double)size * (double)(s->p - size);
    if (size == last || subset_tree_stops(s, (double)s->N * (double)s->N + 10 * pairs)) return;
    const size_t g = subset_local_next(&s->tableau, shrink);
    if (g == s->p) return;
    subset_tableau_toggle(&s->tableau, g);
    size = shrink ? size - 1 : size + 1;
  }
}

/* A penalty of a group at which size k is likely to be the best: the mean of the decreases of the value from
 * size k - 1 to k and from k to k + 1. */
static double multiplier(const subset_tree *s, const double *value, size_t k, size_t low,
                         size_t high)
{
  double decrease = k > low ? value[k - 1] : value[k];
  decrease -= k < high ? value[k + 1] : value[k];
  if (k > low && k < high) decrease /= 2;
  const double least = 1e-9 * s->scale;
  return isfinite(decrease) && decrease > least ? decrease : least;
}

typedef struct {
  size_t low, high;     /* the smallest and the largest size that `force` allows */
  double *value;        /* of each size: the value of the best set by local search or enumeration */
  unsigned char *sets;  /* these sets, p x sizes */
  unsigned char *known; /* of each size: were all its sets enumerated? */
  subset_node *carried; /* the root, with alpha and w of the last size that was searched */
  double bound;         /* a lower bound for all sizes */
} size_results;

static double search_size(subset_tree *s, size_results *l, size_t k)
{
  s->work = INFINITY; /* so that the clock is read first */
  subset_node *root = l->carried;
  root->bound = l->bound;
  const double lambda = multiplier(s, l->value, k, l->low, l->high);
  subset_tree_set_tolerance(s, lambda);
  subset_set_lambda(root, lambda, k);
  subset_loops()->residual(root, s->T);
  /* without screening, since later sizes start from this root, too */
  if (subset_tree_bound(s, root, 1, 20, 0)) store(s, subset_node_copy(&s->arena, root));
  return run(s);
}

/* The answer of size k. ended: has the user interrupted an earlier size? */
static void one_size(subset_tree *s, size_results *l, size_t k, int ended, subset_answer *answer)
{
  s->size = k;
  s->best = s->given_up = INFINITY;
  s->nodes = 0;
  s->started = port_seconds();
  s->stopped = ended && !l->known[k] ? SUBSET_INTERRUPT : SUBSET_COMPLETE;
  if (!isfinite(l->value[k])) fill(s, k, l->sets + k * s->p);
  subset_tree_offer(s, l->sets + k * s->p);
  double bound = l->bound;
  if (!ended && !l->known[k]) {
    bound = search_size(s, l, k);
    const int limited = s->stopped == SUBSET_NODES || s->stopped == SUBSET_SECONDS;
    if (limited && !s->problem->parent &&
        subset_few(s, l->carried, k, SUBSET_APART, l->sets + k * s->p, l->value + k)) {
      s->stopped = SUBSET_COMPLETE;
      subset_tree_offer(s, l->sets + k * s->p);
    }
  }
  finish(s, bound, answer);
}

static size_results size_results_new(const subset_tree *s, subset_node *root)
{
  size_results l = {.low = root->n_in, .high = root->n_in + root->f, .carried = root};
  l.bound = root->bound;
  l.value = ALLOC(s->p + 1, double);
  l.sets = ALLOC((s->p + 1) * s->p, unsigned char);
  l.known = ALLOC(s->p + 1, unsigned char);
  for (size_t k = 0; k <= s->p; k++) l.value[k] = INFINITY;
  return l;
}

/* Enumerates the sizes that have few sets; returns the number of the other sizes. */
static size_t enumerate_sizes(subset_tree *s, size_results *l, size_t from, size_t to)
{
  size_t others = 0;
  for (size_t k = from; k <= to; k++) {
    if (k < l->low || k > l->high) continue;
    l->known[k] = !s->problem->parent && subset_few(s, l->carried, k, 2, l->sets + k * s->p, l->value + k);
    others += !l->known[k];
  }
  return others;
}

status subset_sizes(const subset_problem *q, size_t from, size_t to, subset_answer *answer)
{
  subset_tree s;
  subset_node *root = NULL;
  const status state = subset_tree_new(&s, q, NULL, &root);
  if (state != STATUS_OK) return state;
  size_results l = size_results_new(&s, root);
  size_t others = enumerate_sizes(&s, &l, from, to);
  for (int full = 0; full <= 1; full++) {
    const size_t start = full ? l.high : l.low, above = to < l.high ? to + 1 : l.high;
    fill(&s, start, s.trial);
    subset_tableau_go(&s.tableau, s.trial);
    stepwise(&s, start, full ? (from > l.low + 1 ? from - 1 : l.low) : above, l.value, l.sets);
  }
  const double end = s.deadline;
  double nodes = q->max_nodes;
  int interrupted = 0;
  for (size_t k = from; k <= to; k++) {
    subset_answer *a = answer + (k - from);
    if (k < l.low || k > l.high) {
      memset(a->in, 0, s.p);
      a->value = a->bound = a->audit = NAN;
      a->nodes = a->seconds = 0;
      a->stopped = SUBSET_COMPLETE;
      continue;
    }
    if (!l.known[k]) { /* an equal share of the time and nodes that are left */
      const double now = port_seconds();
      s.deadline = now + (end - now) / (double)others;
      s.most_nodes = nodes / (double)others--;
    }
    interrupted |= s.stopped == SUBSET_INTERRUPT;
    one_size(&s, &l, k, interrupted, a);
    nodes -= a->nodes;
  }
  return STATUS_OK;
}
