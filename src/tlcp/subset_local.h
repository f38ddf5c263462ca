/* subset_local.h - good subsets by exchanges, on a tableau of principal pivots.
 *
 * t is [A b; b' c0] swept on the coordinates of the current set S, kept symmetric: t_kk < 0 inside
 * S, the corner is c0 - b_S' A_S^-1 b_S, and toggling any groups whose coordinates are K changes the
 * corner by -t_Kb' (t_KK)^-1 t_Kb, whichever of them are in S.
 *
 * Cost: a pivot N^2; the best toggle p, the best exchange p^2/4 (times T^2, T^3).
 */
#ifndef TRANSELECT_SUBSET_LOCAL_H
#define TRANSELECT_SUBSET_LOCAL_H

#include <stddef.h>

typedef struct {
  size_t p, T, N, ld;
  const double *A, *b;
  double c0, scale;
  const signed char *fixed; /* p: not 0: not to be touched */
  double *t;                /* (N + 1) x ld */
  double *row, *small;      /* ld; 2T (2T + 1) */
  unsigned char *in;        /* p: S */
  int *inside, *outside;    /* p each */
  size_t pivots;            /* since t was made afresh */
} subset_tableau;

/* Starts at the empty set. A and b are kept, not copied. */
subset_tableau subset_tableau_new(const double *A, const double *b, double c0, size_t p, size_t T);

double subset_tableau_value(const subset_tableau *tableau); /* the corner */
void subset_tableau_toggle(subset_tableau *tableau, size_t g);
void subset_tableau_go(subset_tableau *tableau, const unsigned char *in);

/* Each takes the best move until none helps: toggles and exchanges under the penalties, or with
 * pen = NULL exchanges alone. `most` bounds the moves. */
void subset_local_search(subset_tableau *tableau, const double *pen, size_t most);

/* The group whose toggle costs least among those inside (or outside); p if there is none. */
size_t subset_local_next(const subset_tableau *tableau, int inside);

/* Exchanges a group for an earlier one where the value stays the same to `tie`. */
void subset_local_first(subset_tableau *tableau, const double *pen, double tie);

#endif
