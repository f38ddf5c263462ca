/* subset_loops.h - the loops that take the time of a search. One file (subset_loops_impl.h) is compiled
 * for any processor and for AVX2, and follows the choice of kernels.h. Where there are many nodes the
 * whole tlcp() call takes up to half as long again without AVX2 (Rscript bench/linalg.R instructions).
 * There is no variant for AVX-512, whose vectors are long for these rows.
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
  /* r = c - Qw. */
  void (*residual)(subset_node *node, size_t T);
  /* |Q M x - x|_inf for one x of -1, 0, 1: is M still the inverse? Where it is not, subset_refresh()
   * makes it afresh. */
  double (*drift)(subset_arena *arena, const subset_node *node);
  /* Descends in the relaxation of subset_bound.h, at most `sweeps` over the groups. Fewer where the
   * bound passes `enough`, where upper - lower is 5 % of what upper leaves below `best`, and after
   * four where it is half of what lower leaves. Returns 0 where Q has lost its positive diagonal or
   * NaN came up. */
  int (*relax)(subset_relaxation *relaxation, const subset_arena *arena, subset_node *node,
               double best, double enough, int sweeps);
} subset_loop_table;

/* The table for the instruction set that kernels.h has chosen. */
const subset_loop_table *subset_loops(void);

#endif
