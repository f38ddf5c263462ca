/* subset_tree.h - the state of a branch and bound search (subset.c), its root, and the work on sets and nodes.
 *
 * A node is swept, screened and its bound raised (subset_bound.h) until it is pruned or branching is
 * expected to take less time; then it is branched on.
 */
#ifndef TRANSELECT_SUBSET_TREE_H
#define TRANSELECT_SUBSET_TREE_H

#include "subset.h"
#include "subset_bound.h"
#include "subset_local.h"
#include "subset_node.h"

#define SUBSET_TIE 1e-12  /* of the scale: a difference of values that is rounding */
#define SUBSET_TRIED 4096 /* hashes of sets that were tried */

typedef struct {
  const subset_problem *problem;
  size_t p, T, N;
  subset_arena arena;
  subset_relaxation relaxation;
  subset_tableau tableau;
  signed char *fixed;                /* p: 1 in, -1 out, 0 free */
  double scale, slack;               /* of values; what rounding may have added to a bound */
  double least_tolerance, tolerance; /* a node that can gain less than this is pruned */
  const double *pen;                 /* NULL where the size is given */
  size_t size;
  double best; /* value of best_in */
  unsigned char *best_in, *trial;
  unsigned char
      *second; /* a start for local search that is used after EASY nodes (subset.c); or NULL */
  size_t *place, *chosen; /* p + 1, N: places and coordinates */
  subset_node **open;
  size_t n_open, room;
  double nodes, most_nodes; /* numbers of nodes: worked on, allowed */
  double started, deadline, most_seconds, work;
  double left; /* least bound of the nodes that were given up */
  enum subset_stop stopped;
  double worst;    /* audit */
  uint64_t *tried; /* SUBSET_TRIED */
} subset_tree;

/* All but the incumbent; *root: the node with the forced groups decided. pen NULL: the size is
 * given. STATUS_NOT_FINITE, STATUS_SINGULAR. */
status subset_tree_new(subset_tree *tree, const subset_problem *problem, const double *pen,
                       subset_node **root);

/* Sets the tolerance: a millionth of `worth`, the least penalty of a group, 1e-10 of the scale at most. */
void subset_tree_set_tolerance(subset_tree *tree, double worth);

/* J of a set afresh from A by Cholesky; infinite where that fails. */
double subset_tree_value(subset_tree *tree, const unsigned char *in);

/* Value of the groups that are in and the free ones at the q places, by a Cholesky factor of G
 * there; infinite where that fails. */
double subset_tree_with(subset_tree *tree, const subset_node *node, const size_t *place, size_t q);

/* Local search from a set that may be better than the incumbent; its result is compared with the incumbent. */
void subset_tree_offer(subset_tree *tree, const unsigned char *in);

/* Sweeps, screens and raises the bound until the node is settled (0) or is to be branched on (1). */
int subset_tree_bound(subset_tree *tree, subset_node *node, int rounds, int sweeps, int screening);

/* Is time over, or has the user interrupted? `work`: flops, about, since the last call. */
int subset_tree_stops(subset_tree *tree, double work);

/* Sets that are not below this value are not searched for. */
static inline double subset_tree_enough(const subset_tree *tree)
{
  return tree->best - tree->tolerance;
}

/* Brings a node that comes from the store up to date; 0 if it broke. */
int subset_tree_wake(subset_tree *tree, subset_node *node);

/* A node whose factor failed is given up with the bound it has. */
void subset_tree_broken(subset_tree *tree, const subset_node *node);

#endif
