/* subset_node.h - a node of the tree of subset.h: some groups are in, some out, the others free.
 *
 * The coordinates of groups that are in are eliminated: G, c, rho are the Schur complements of A, b, c0. The
 * coordinates of groups that are out are dropped. For the f free groups, n = fT coordinates,
 *
 *   Q = G - Delta positive definite, Delta = diag(alpha_g I_T),  M = Q^-1,  r = c - Qw.
 *
 * Q stays positive definite when a group is decided: without the group it is a principal submatrix of Q, and with
 * the group in (its alpha is 0 then) a Schur complement of Q plus alpha_g on the group's diagonal. So a child
 * inherits alpha, w and, by rank-one updates, M. M is checked before a bound that depends on it is used, and
 * computed anew where rounding errors have grown.
 *
 * Every free group has a place in a node. When a group is decided, the last free group takes its place. Rows are padded
 * to a multiple of LINE numbers; the padding may hold any finite numbers. Work arrays: 2 n^2 numbers per node. Cost of
 * a decision: T n^2 (in) or 0 (out) for G, and T n^2/2 for M.
 */
#ifndef TRANSELECT_SUBSET_NODE_H
#define TRANSELECT_SUBSET_NODE_H

#include <stddef.h>
#include <stdint.h>

#define LINE 8

/* How many lines of LINE numbers hold n numbers. */
static inline size_t subset_lines(size_t n)
{
  return (n + LINE - 1) / LINE;
}

/* An M that was exact is computed anew if drift() (subset_loops.h) is above SUBSET_EXACT, any other M if it is above
 * SUBSET_DRIFT. Elements of M enter bounds only while M is exact, that is within SUBSET_EXACT. */
#define SUBSET_DRIFT 1e-7
#define SUBSET_EXACT 1e-8

typedef struct subset_node {
  size_t f, n, ld; /* ld: numbers from one row to the next */
  size_t room;     /* number of groups for which the arrays have room */
  double *G, *M;   /* by rows: all of G, the lower triangle of M */
  double *c, *w, *r;
  double *alpha, *pen;
  int *id;           /* numbers of the free groups in the problem, by place */
  unsigned char *in; /* p: the groups that are in */
  size_t n_in;
  uint64_t hash;      /* of the groups that are in */
  double rho, pen_in; /* J of the groups that are in alone is rho + pen_in */
  double lambda;      /* the multiplier, where the size is given */
  int exact;          /* was drift() at most SUBSET_EXACT when it was last computed? */
  double bound;       /* a certified lower bound of J of all sets of the node */
  int pending;        /* the place of a group that is to be decided, -1: none ... */
  int side;           /* ... in (1) or out (0) */
  struct subset_node *next;
} subset_node;

/* The memory of nodes that are not in use, and work arrays. */
typedef struct {
  size_t p, T, N;
  subset_node **idle; /* lists of nodes, by the number of lines that hold their groups */
  double *u, *v;      /* N + LINE */
  double *square;     /* N x N */
  double *work;       /* N (N + 8), of spd.h */
  uint64_t *key;      /* p: the hash of each group */
} subset_arena;

/* n zeros at an address that is a multiple of a cache line, LINE numbers. */
double *subset_room(size_t n);

subset_arena subset_arena_new(size_t p, size_t T);
subset_node *subset_node_new(subset_arena *arena, size_t f);
subset_node *subset_node_copy(subset_arena *arena, const subset_node *from);
void subset_node_free(subset_arena *arena, subset_node *node);

/* Decides the group at place g. whole: is M updated, too? r is not updated: residual() of subset_loops.h must be called
 * after the last decision. Returns 0 where M could not be computed or, with the group in, G is singular: the node
 * cannot be used any more. */
int subset_put_in(subset_arena *arena, subset_node *node, size_t g, double pen, int whole);
int subset_leave_out(subset_arena *arena, subset_node *node, size_t g, int whole);

/* m <- column a of M. */
void subset_column(const subset_node *node, size_t a, double *m);

/* Computes M and r anew, with alpha lowered until Q can be inverted. Returns 0 if it cannot with any alpha tried. */
int subset_refresh(subset_arena *arena, subset_node *node);

/* max |(G - Delta) M - I|. Cost: n^3. */
double subset_audit(subset_arena *arena, const subset_node *node);

#endif
