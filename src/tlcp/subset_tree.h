/* subset_tree.h - the state of a branch and bound search (subset.c), its root, and the work on sets and nodes.
 *
 * For a node, three things are repeated: sweeps over the groups, screening (groups of which one side has a bound
 * above the cutoff are decided), and changes of alpha that raise the bound (subset_bound.h). They end where the
 * node is pruned, or where the bound rises so little that the node is branched on.
 */
#ifndef TRANSELECT_SUBSET_TREE_H
#define TRANSELECT_SUBSET_TREE_H

#include "subset.h"
#include "subset_bound.h"
#include "subset_local.h"
#include "subset_node.h"

#define SUBSET_TIE 1e-12  /* of the scale: smaller differences of values count as rounding */
#define SUBSET_TRIED 4096 /* size of the table of hashes of sets that were tried */

typedef struct {
  const subset_problem *problem;
  size_t p, T, N;
  subset_arena arena;
  subset_relaxation relaxation;
  subset_tableau tableau;
  signed char *fixed; /* p: 1 in, -1 out, 0 free */
  double scale;       /* of values, see subset.h */
  double slack;       /* what a certified bound is lowered by for rounding */
  double least_tolerance;
  double tolerance;  /* a node is pruned where its bound is within the tolerance of `best` */
  const double *pen; /* NULL where the size is given */
  size_t size;       /* the size, where it is given */
  double best;       /* value of the incumbent, best_in */
  unsigned char *best_in, *trial, *closed; /* p each; trial, closed: work */
  unsigned char *second;    /* all groups, where local search is to start from them, too; or NULL */
  size_t *place, *chosen;   /* p + 1, N: work, for places of groups and for coordinates */
  subset_node **open;       /* the stored nodes */
  size_t n_open, room;      /* their number, and how many the array can hold */
  double nodes, most_nodes; /* numbers of nodes: searched, allowed */
  double started, deadline, most_seconds;
  double work;     /* flops, about, since the clock was read */
  double given_up; /* the least bound of the nodes that were given up */
  enum subset_stop stopped;
  double worst;    /* of subset_audit(), over nodes */
  subset_list *list; /* where all sets below a limit, `best`, are wanted; or NULL */
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

/* J of the set of the node's groups that are in and its free groups at the q places, by a Cholesky factor of G
 * there; infinite where that fails. */
double subset_tree_node_value(subset_tree *tree, const subset_node *node, const size_t *place,
                              size_t q);

/* Compares a set, closed first, and the result of local search from it, with the incumbent, which the better one
 * replaces. Where the size is given, a set that is not closed is left aside. */
void subset_tree_offer(subset_tree *tree, const unsigned char *in);

/* The work on a node, see above: at most `rounds` changes of alpha, at most `sweeps` sweeps before each. Returns 1
 * where the node is to be branched on, 0 where no set of it can be better than the incumbent, or it was given up. */
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

/* Adds free groups, in their order, all parents of each being in, to the closed set `in` up to `size` groups. */
void subset_tree_fill(const subset_tree *tree, size_t size, unsigned char *in);

/* Gives up a node whose arithmetic failed: its bound stays part of the certified bound, and the search is not
 * complete. */
void subset_tree_failed(subset_tree *tree, const subset_node *node);

#endif
