/* subset.h - the best subset of p groups of T coordinates, with a certificate.
 *
 * Minimises over sets S of groups
 *
 *   J(S) = c0 - b_S' A_S^-1 b_S + sum_{g in S} pen_g         A (pT x pT) positive definite
 *
 * by branch and bound on the perspective relaxation (Atamturk & Gomez, "Rank-one convexification
 * for sparse regression", 2019, and the references there), with the diagonal of the relaxation
 * optimised again at every node. With Delta = diag(alpha_g I_T) such that Q = A - Delta is positive
 * semidefinite, and for any w and r = b - Qw,
 *
 *   min_S J(S) >= c0 - w'(b - r) - sum_g (|r_g|^2 / alpha_g - pen_g)_+
 *
 * since w'Qw is convex and the rest separates. subset_node.h: what a node of the tree is;
 * subset_bound.h: how w and alpha are found; subset_local.h: how good sets are found.
 *
 * The best subset of every size k is the same search with a multiplier in place of pen:
 * min_{|S| = k} quadratic part >= min_S [quadratic part + lambda |S|] - lambda k for any lambda.
 *
 * Arithmetic: a complete search is right to 1e-10 of the scale max(|c0|, b'A^-1 b), or to a
 * millionth of the smallest pen where that is less. b_S' A_S^-1 b_S itself is known to about eps /
 * (smallest eigenvalue) of the scale, of A over the n coordinates that are not forced out, its
 * diagonal made 1: up to 1.4 times that against quadruple precision, n <= 64. The certified bound
 * is lowered by 4 sqrt(n) times that where it is above 1e-9 of the scale; where it is above 1e-7
 * the search is not called complete. A is singular where that eigenvalue is below
 * max(2e-13 T, 50 n eps).
 * Ties, to 1e-12 of the scale: the answer is the lexicographically first of the sets that exchanging
 * one group for another reaches.
 *
 * Memory: about 100 nodes of at most 2 N^2 numbers, as many as are open at a time. Cost: the root
 * N^3; a node some 10 N^2 for its changes of alpha. No random numbers.
 */
#ifndef TRANSELECT_SUBSET_H
#define TRANSELECT_SUBSET_H

#include <stddef.h>

#include "port.h"

typedef struct {
  size_t p, T;
  const double *A, *b; /* coordinates of a group adjacent; A symmetric */
  double c0;
  const double *pen;        /* p, finite, >= 0; a group of pen 0 is always in */
  const signed char *force; /* p: 1 in, -1 out, 0 free; NULL: all free */
  double max_nodes, max_seconds;
  int audit; /* compute |(G - Delta) M - I| at every node: slow */
} subset_problem;

enum subset_stop {
  SUBSET_COMPLETE,
  SUBSET_NODES,
  SUBSET_SECONDS,
  SUBSET_INTERRUPT,
  SUBSET_NUMERICS /* rounding leaves a gap, or a node was given up because of it */
};

/* Valid whether or not the search is complete: `in` is a set, `value` its value computed anew from A,
 * `bound` <= value a lower bound of all sets. */
typedef struct {
  unsigned char *in; /* p, room by the caller */
  double value, bound, nodes, seconds;
  enum subset_stop stopped;
  double audit; /* the largest |(G - Delta) M - I|, NAN without audit */
} subset_answer;

/* STATUS_OK, STATUS_NOT_FINITE (also a negative pen) or STATUS_SINGULAR. */
status subset_search(const subset_problem *problem, subset_answer *answer);

/* The best subset of each size from..to, without pen: value is the quadratic part. The limits are
 * for all sizes together, but for the smallest and the largest, which are enumerated
 * (subset_few.h): they have no nodes. A size that `force` rules out has value and bound NAN. */
status subset_sizes(const subset_problem *problem, size_t from, size_t to, subset_answer *answer);

#endif
