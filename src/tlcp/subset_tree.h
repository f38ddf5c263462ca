/* subset_tree.h - the state of a branch and bound search (subset.c), its root, and functions of sets and nodes.
 *
 * For a node three steps are repeated: sweeps over the groups, screening (groups of which one side has a bound above
 * the cutoff are decided), and changes of alpha that raise the bound (subset_bound.h). They end where the node is
 * pruned, or where the bound rises so little that the node is branched on. For cost and work arrays see subset.h.
 */
#ifndef TRANSELECT_SUBSET_TREE_H
#define TRANSELECT_SUBSET_TREE_H

#include "subset.h"
#include "subset_bound.h"
#include "subset_local.h"
#include "subset_node.h"

#define SUBSET_TIE 1e-12  /* values that differ by a smaller share of the scale are equal */
#define SUBSET_TRIED 4096 /* size of the table of hashes of sets that were tried */

typedef struct {
  const subset_problem *problem;
  size_t p, T, N;
  subset_arena arena;
  subset_relaxation relaxation;
  subset_tableau tableau;
  signed char *fixed; /* p: 1 in, -1 out, 0 free */
  double scale;       /* of values, see subset.h */
  double slack;       /* by which a certified bound is lowered for rounding */
  double least_tolerance;
  double tolerance;  /* a node is pruned where its bound is within the tolerance of `best` */
  const double *pen; /* NULL where the size is given */
  size_t size;       /* the size, where it is given */
  double best;       /* value of the incumbent, best_in */
  unsigned char *best_in, *trial, *closed; /* p each; trial, closed: work */
  unsigned char *second;    /* NULL, or the set of all groups, if local search is to start from it, too */
  size_t *place, *chosen;   /* p + 1, N: work, for places of groups and for coordinates */
  subset_node **open;       /* the stored nodes */
  size_t n_open, room;      /* number of stored nodes, and size of the array */
  double nodes, most_nodes; /* number of nodes searched, and the limit */
  double started, deadline, most_seconds;
  double work;     /* flops, about, since the clock was read */
  double given_up; /* the least bound of the nodes that were given up */
  enum subset_stop stopped;
  double worst;    /* of subset_audit(), over nodes */
  subset_list *list; /* NULL, or the list of all sets below a limit, which is `best` */
  uint64_t *tried; /* SUBSET_TRIED hashes of sets */
} subset_tree;

/* A search without an incumbent; *root: the node with the forced groups decided. pen: NULL where the size is
 * given. Returns STATUS_OK, STATUS_NOT_FINITE or STATUS_SINGULAR. */
status subset_tree_new(subset_tree *tree, const subset_problem *problem, const double *pen,
                       subset_node **root);

/* Sets the tolerance: a millionth of `least_pen`, the least penalty of a group, but at least `least_tolerance` and
 * at most 1e-10 of the scale. */
void subset_tree_set_tolerance(subset_tree *tree, double least_pen);

/* J of a set from A, by a Cholesky factor; infinite where that fails. */
double subset_tree_value(subset_tree *tree, const unsigned char *in);

/* J of the set with the groups that are in and the free groups at q places, by a Cholesky factor of G at these;
 * infinite where that fails. */
double subset_tree_node_value(subset_tree *tree, const subset_node *node, const size_t *place,
                              size_t q);

/* Closes a set and lets local search start from it; the incumbent is replaced by either if it is better. Where the size
 * is given, a set that is not closed is ignored. */
void subset_tree_offer(subset_tree *tree, const unsigned char *in);

/* Repeats the three steps above: at most `rounds` changes of alpha, at most `sweeps` sweeps before each. Returns 1
 * if the node is to be branched on, 0 if none of its sets can be better than the incumbent, or it was given up. */
int subset_tree_bound(subset_tree *tree, subset_node *node, int rounds, int sweeps, int screening);

/* Is the time over, or has the user interrupted? work: flops, about, since the last call. */
int subset_tree_stops(subset_tree *tree, double work);

/* Sets whose value is at or above this are not searched for. */
static inline double subset_tree_cutoff(const subset_tree *tree)
{
  return tree->best - tree->tolerance;
}

/* Decides the pending group of a node from the store. Returns as subset_tree_carry_on(). */
int subset_tree_decide_pending(subset_tree *tree, subset_node *node);

/* Carries decisions on to parents and to groups whose parents are out (subset.h). Returns 1; 0 where they contradict:
 * the node has no closed set; -1 where the arithmetic failed. */
int subset_tree_carry_on(subset_tree *tree, subset_node *node);

/* Adds free groups whose parents are all in, in their order, to the closed set `in`, up to `size` groups. */
void subset_tree_fill(const subset_tree *tree, size_t size, unsigned char *in);

/* Gives up a node whose arithmetic failed: its bound stays part of the certified bound, and the search is not
 * complete. */
void subset_tree_failed(subset_tree *tree, const subset_node *node);

#endif
