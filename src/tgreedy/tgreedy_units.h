/* tgreedy_units.h - what a step of T-greedy can pick: a column, or a group of columns that enters whole.
 *
 * Of a group only the columns that vary and are no combination of those before them count; d is their
 * number. With E = E[X_g X_g'] = L L' (e_i of a single column) the effects in domain k are z_k =
 * L^-1 m_gk, those of the columns in an orthonormal basis of them, and
 *
 *   mu = |mean_k z_k|,  s^2 = sum over the d coordinates of their variances (K - 1),
 *   step = E^-1 mean_k m_gk = L'^-1 mean_k z_k
 *
 * depend on the span of the columns only. What nu times the step gains on a domain left out is then the
 * formula of one column (tgreedy.h) in mu^2 and s^2. For d = 1 mu has the sign of the effect. T is that
 * of one column; for d > 1 the quantile of Student's t (K - 1) that has the p-value of K mu^2 / s^2 under
 * F with d and d (K - 1) degrees of freedom, its distribution where noise alone makes the z_k.
 */
#ifndef TRANSELECT_TGREEDY_UNITS_H
#define TRANSELECT_TGREEDY_UNITS_H

#include "moderate.h"
#include "tgreedy.h"

typedef struct {
  size_t n;
  const tgreedy_data *data;
  const column_groups *groups; /* NULL: every column is by itself */
  int *rank;                   /* d of each group */
  size_t *column;              /* the first d of a group, where groups->column has all of it */
  double **L;                  /* d x d by rows, NULL for d < 2 */
  double *z;                   /* K x d of one group */
} tgreedy_units;

/* Cost a group of m columns: m^2/2 second moments. */
tgreedy_units units_new(const tgreedy_data *data, const column_groups *groups);

int unit_rank(const tgreedy_units *units, size_t u);
size_t unit_column(const tgreedy_units *units, size_t u, int c); /* c < d */

/* mu and s^2 of a unit of rank 1 or more. Cost O(d^2 K). */
void unit_effects(const tgreedy_units *units, size_t u, double *mu, double *s2);

/* The step (d). */
void unit_step(const tgreedy_units *units, size_t u, double *step);

/* s^2 moderated: that of a coordinate, s^2 / d on d (K - 1) degrees of freedom, times d. */
double unit_moderated(const tgreedy_units *units, size_t u, moderation prior, double s2);

/* T, with d0 more degrees of freedom where s^2 is moderated; infinite where the effect is the same
 * everywhere, NAN for K < 2. */
double unit_t(const tgreedy_units *units, size_t u, double mu, double s2, double d0);

#endif
