/* subset_loops.h - the loops over the matrices of a node, which take most of the time of a search. One file
 * (subset_loops_impl.h) is compiled for any processor and for AVX2; the instruction set is that of kernels.h.
 * `Rscript bench/linalg.R instructions` compares the two. There is no variant for AVX-512: the rows are short.
 */
#ifndef TRANSELECT_SUBSET_LOOPS_H
#define TRANSELECT_SUBSET_LOOPS_H

#include "subset_bound.h"
#include "subset_node.h"

typedef struct {
  /* The lower triangle of M (n x n, rows of ld numbers) += a m m'. */
  void (*rank_one)(double *M, size_t ld, const double *m, double a, size_t n);
  /* M -= u u'/pivot, whole rows. */
  void (*eliminate)(double *M, size_t ld, const double *u, double pivot, size_t n);
  /* r <- c - Qw. */
  void (*residual)(subset_node *node, size_t T);
  /* How far M is from the inverse of Q: |Q M x - x|_inf for one x of -1, 0 and 1. subset_refresh() computes M
   * anew. */
  double (*drift)(subset_arena *arena, const subset_node *node);
  /* Block coordinate descent on the relaxation of subset_bound.h: at most `sweeps` sweeps. It ends earlier where
   * lower >= cutoff, where upper - lower < .05 (best - upper), and from the fourth sweep on where
   * upper - lower < .5 (best - lower). Returns 0 where kappa of a group is not positive or lower is not finite. */
  int (*relax)(subset_relaxation *relaxation, const subset_arena *arena, subset_node *node,
               double best, double cutoff, int sweeps);
} subset_loop_table;

/* The table for the instruction set that kernels.h has chosen. */
const subset_loop_table *subset_loops(void);

#endif
