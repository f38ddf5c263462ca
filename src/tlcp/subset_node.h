/* subset_node.h - a node of the tree of subset.h: some groups in, some out, the rest free.
 *
 * Groups that are in are eliminated: G, c, rho are what is left of A, b, c0 (Schur complement);
 * groups that are out are gone. For the f free groups, n = fT coordinates,
 *
 *   Q = G - diag(alpha_g I_T) positive definite,  M = Q^-1,  r = c - Qw.
 *
 * Deciding a group keeps Q positive definite: a group that is out leaves a principal
 * submatrix of Q, one that is in (its alpha falls to 0) a Schur complement. So a child inherits
 * alpha, w and, by rank-one updates, M. M is checked before a bound is used, and computed anew
 * where rounding errors have grown.
 *
 * The last group takes the place of one that is decided. Rows are padded to whole blocks of LINE
 * numbers that hold anything finite. Cost of a decision: T n^2 (in), T n^2/2 (out).
 */
#ifndef TRANSELECT_SUBSET_NODE_H
#define TRANSELECT_SUBSET_NODE_H

#include <stddef.h>
#include <stdint.h>

#define LINE 8

/* Lines that hold n numbers. */
static inline size_t subset_lines(size_t n)
{
  return (n + LINE - 1) / LINE;
}

#define SUBSET_DRIFT 1e-7 /* of |Q M x - x|, x of -1, 0, 1: more, and M is made afresh */
#define SUBSET_EXACT 1e-8 /* more, and no bound is taken from M itself */

typedef struct subset_node {
  size_t f, n, ld; /* ld: numbers from one row to the next */
  size_t room;     /* groups the arrays can hold */
  double *G, *M;   /* G whole, M its lower triangle, by rows */
  double *c, *w, *r;
  double *alpha, *pen;
  int *id;           /* free groups, by their number in the problem */
  unsigned char *in; /* p: the groups that are in */
  size_t n_in;
  uint64_t hash;     /* of the groups that are in */
  double rho, paid;  /* value of the groups that are in is rho + paid */
  double lambda;     /* multiplier, where the size is given */
  int exact;         /* was M within SUBSET_EXACT when it was last checked? */
  double bound;      /* certified for everything below the node */
  int pending, side; /* group still to be decided (a place, -1: none), 1 in, 0 out */
  struct subset_node *next;
} subset_node;

/* An arena: the memory of nodes that are not in use, and work arrays. */
typedef struct {
  size_t p, T, N;
  subset_node **idle; /* by room, in blocks of LINE groups */
  double *u, *v;      /* N + LINE */
  double *square;     /* N x N */
  double *work;       /* N (N + 8), of spd.h */
  uint64_t *key;      /* p */
} subset_arena;

/* n numbers, zero, from a multiple of LINE numbers on: rows that straddle the lines of the cache
 * cost a fifth of the search. */
double *subset_room(size_t n);

subset_arena subset_arena_new(size_t p, size_t T);
subset_node *subset_node_new(subset_arena *arena, size_t f);
subset_node *subset_node_copy(subset_arena *arena, const subset_node *from);
void subset_node_free(subset_arena *arena, subset_node *node);

/* Decides the group at place g; `whole`: M is kept too. Returns 0 if the arithmetic broke down: the
 * node is then of no use. r is not kept: call residual() of subset_loops.h after the last decision. */
int subset_put_in(subset_arena *arena, subset_node *node, size_t g, double pen, int whole);
int subset_leave_out(subset_arena *arena, subset_node *node, size_t g, int whole);

/* Column a of M. */
void subset_column(const subset_node *node, size_t a, double *m);

/* Lowers alpha until Q is positive definite to working precision, makes M and r afresh and returns 1;
 * 0 if there is no such alpha. */
int subset_refresh(subset_arena *arena, subset_node *node);

/* max |(G - Delta) M - I|, for audits: n^3. */
double subset_audit(subset_arena *arena, const subset_node *node);

#endif
