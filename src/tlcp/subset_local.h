/* subset_local.h - good subsets by exchanges, on a tableau of principal pivots.
 *
 * The tableau t is [A b; b' c0] swept on the coordinates of the current set S, kept symmetric: t_kk < 0 for
 * k in S, the corner is c0 - b_S' A_S^-1 b_S, and toggling groups (those in S leave it, the others enter) whose
 * coordinates are K changes the corner by -t_Kb' (t_KK)^-1 t_Kb.
 *
 * Work array: the tableau, (N + 1)^2. Cost: a pivot N^2. The best toggle compares p changes, the best exchange at most
 * p^2/4, each O(1) for T = 1, else T^3/3 for a toggle and 8 T^3/3 for an exchange.
 */
#ifndef TRANSELECT_SUBSET_LOCAL_H
#define TRANSELECT_SUBSET_LOCAL_H

#include <stddef.h>

typedef struct {
  size_t p, T, N, ld;
  const double *A, *b;
  double c0, scale;
  const signed char *fixed; /* p: a group of fixed != 0 is not moved */
  double *t;                /* (N + 1) x ld */
  double *row, *small;      /* ld; 2T (2T + 1) */
  unsigned char *in;        /* p: S */
  const unsigned char *parent; /* p x p or NULL, see subset.h: a closed S stays closed */
  unsigned char *barred;       /* p: may the group not be toggled by itself? */
  int *inside, *outside;       /* p each */
  size_t pivots;               /* number of pivots since t was computed from A and b */
} subset_tableau;

/* The tableau of the empty set. A and b are not copied. */
subset_tableau subset_tableau_new(const double *A, const double *b, double c0, size_t p, size_t T);

double subset_tableau_value(const subset_tableau *tableau); /* the corner */
void subset_tableau_toggle(subset_tableau *tableau, size_t g);

/* Makes `in` the current set. */
void subset_tableau_go(subset_tableau *tableau, const unsigned char *in);

/* Local search: makes the best toggle that lowers the value plus penalties, or if there is none the best
 * exchange of a group inside for one outside; ends where no move lowers it, or after `most` moves. With
 * pen = NULL only exchanges are made. */
void subset_local_search(subset_tableau *tableau, const double *pen, size_t most);

/* The group inside (or outside) whose toggle makes the value least; p where all are fixed or there is none. */
size_t subset_local_next(const subset_tableau *tableau, int inside);

/* Exchanges groups for earlier ones where that raises the value by at most `tie`. */
void subset_local_first(subset_tableau *tableau, const double *pen, double tie);

#endif
