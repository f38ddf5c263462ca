/* subset.h - the best subset of p groups of T coordinates, with a certificate.
 *
 * Minimises over sets S of groups
 *
 *   J(S) = c0 - b_S' A_S^-1 b_S + sum_{g in S} pen_g         A (pT x pT) positive definite
 *
 * by branch and bound on the perspective relaxation (Atamturk & Gomez, "Rank-one convexification
 * for sparse regression", 2019, and the references there), with the diagonal of the relaxation
 * optimised at every node. With Delta = diag(alpha_g I_T) such that Q = A - Delta is positive
 * semidefinite, and for any w and r = b - Qw,
 *
 *   min_S J(S) >= c0 - w'(b - r) - sum_g (|r_g|^2 / alpha_g - pen_g)_+
 *
 * since w'Qw is convex and the rest is a sum over groups. For nodes of the tree see subset_node.h, for w and
 * alpha subset_bound.h, for good sets subset_local.h, for the search subset_tree.h.
 *
 * The best subset of every size k is the same search with a multiplier lambda in place of pen:
 * min_{|S| = k} quadratic part >= min_S [quadratic part + lambda |S|] - lambda k for any lambda.
 *
 * Arithmetic. The scale of values is max(|c0|, b'A^-1 b); n is the number of coordinates whose groups are not
 * forced out, and v the smallest eigenvalue of A over them with its diagonal made 1. J of the answer of a
 * complete search is at most a millionth of the smallest pen (of lambda) above the minimum, but for the
 * tolerance's limits: at least max(1e-13, n eps/v) and at most 1e-10 of the scale. Rounding may change
 * b_S' A_S^-1 b_S by about eps/v of the scale. The certified bound is lowered by 4 sqrt(n) eps/v of the scale
 * where this is above 1e-9 of the scale; where it is above 1e-7 the search is not called complete. A counts as
 * singular where v is at most max(2e-13 T, 50 n eps).
 * Ties, to 1e-12 of the scale: the answer is the lexicographically first of the sets that are reached by exchanges of
 * one group for an earlier one.
 *
 * Hierarchy. With `parent` only closed sets count: those that have all parents of their groups. The bounds above hold
 * for all sets, and so for closed ones. A decision is carried on: with a group its parents are put in, and without a
 * group all groups are left out of which it is a parent; so a set with all groups decided is closed, and a node in
 * which the two rules contradict has no closed set. Sets offered as incumbents are closed first, and local search moves
 * only between closed sets. No size is enumerated.
 *
 * Work arrays: a node has at most about 2 N^2 numbers, and a search stores at most about 64 + p nodes. Cost: N^3
 * for the root; for a node see subset_node.h and subset_bound.h. There are no random numbers.
 */
#ifndef TRANSELECT_SUBSET_H
#define TRANSELECT_SUBSET_H

#include <stddef.h>

#include "port.h"

typedef struct {
  size_t p, T;
  const double *A, *b; /* A symmetric; the coordinates of a group are adjacent */
  double c0;
  const double *pen;        /* p, finite, >= 0; a group of pen 0 is always in */
  const signed char *force; /* p: 1 in, -1 out, 0 free; NULL: all free */
  /* p x p, transitive: is h in every set that has g, at g p + h? NULL: no such rule. See "Hierarchy" above. */
  const unsigned char *parent;
  double max_nodes, max_seconds;
  int audit; /* is max |(G - Delta) M - I| (subset_node.h) computed at every node? Slow */
} subset_problem;

enum subset_stop {
  SUBSET_COMPLETE,
  SUBSET_NODES,
  SUBSET_SECONDS,
  SUBSET_INTERRUPT,
  SUBSET_NUMERICS /* the bound was lowered by more than 1e-7 of the scale, or a factor of a node failed */
};

/* Whether or not the search is complete, `in` is a set, `value` its J, computed from A by a Cholesky factor, and
 * `bound` <= value a lower bound of J over all sets. */
typedef struct {
  unsigned char *in; /* p, room by the caller */
  double value, bound, nodes, seconds;
  enum subset_stop stopped;
  double audit; /* the largest over all nodes, NAN without audit */
} subset_answer;

/* The best subset. Returns STATUS_OK, STATUS_NOT_FINITE (also for a negative pen, or where `force` contradicts
 * `parent`) or STATUS_SINGULAR. */
status subset_search(const subset_problem *problem, subset_answer *answer);

/* The best subset of each size from..to; pen is not used, and value is c0 - b_S' A_S^-1 b_S. The limits of
 * nodes and seconds are for all sizes together. Sizes that have few sets are enumerated (subset_few.h) and have
 * no nodes. A size that `force` rules out has value and bound NAN. */
status subset_sizes(const subset_problem *problem, size_t from, size_t to, subset_answer *answer);

/* Sets near the best: all sets with J(S) <= limit, in the order in which they are found. The search is the same, with
 * the limit (plus the rounding of bounds) in place of the incumbent's value, so that no set below the limit is
 * pruned, and a set is listed where all its groups are decided. Its J is computed by a Cholesky factor of the node. */
typedef struct {
  double limit;
  size_t most;       /* the search ends when more sets than this are found */
  unsigned char *in; /* p x most, room by the caller */
  double *value;     /* most, room by the caller */
  size_t found;      /* at most `most` */
  int full;          /* are there more than `most` sets? */
  double nodes;
  enum subset_stop stopped;
} subset_list;

/* Fills the list. Returns a status as subset_search() does. */
status subset_within(const subset_problem *problem, subset_list *list);

#endif
