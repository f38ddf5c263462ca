/* tgreedy_units.h - the units among which a step of T-greedy picks: columns, or groups of columns.
 *
 * d is the number of columns of a group that vary and are no linear combination of those before them; the others
 * are left out. With E = E[X_g X_g'] = L L' (e_i for a single column) the effects in domain k are z_k =
 * L^-1 m_gk, those of an orthonormal basis of the columns, and
 *
 *   mu = |mean_k z_k|,  s^2 = sum over the d coordinates of their variances (K - 1),
 *   step = E^-1 mean_k m_gk = L'^-1 mean_k z_k
 *
 * depend on the span of the columns only. The gain is that of one column (tgreedy.h) with this mu^2 and s^2. For d = 1
 * mu has the sign of the effect and T is that of the column. For d > 1
 * K mu^2 / s^2 has the F distribution with d and d (K - 1) degrees of freedom if the z_k are normal noise, and T is
 * the quantile of Student's t (K - 1) with the same p-value. Work arrays: L (d^2) of every group, z (K d). Cost: see
 * each function.
 */
#ifndef TRANSELECT_TGREEDY_UNITS_H
#define TRANSELECT_TGREEDY_UNITS_H

#include "moderate.h"
#include "tgreedy.h"

typedef struct {
  size_t n;
  const tgreedy_data *data;
  const column_groups *groups; /* NULL: every column is a unit */
  int *rank;                   /* d of each group */
  size_t *column;              /* the d columns of a group, from groups->start on */
  double **L;                  /* of each group: d x d by rows, NULL for d < 2 */
  double *z;                   /* z_k of one group (K x d), and their means (d) */
} tgreedy_units;

/* Cost for a group of m columns: m^2/2 second moments. */
tgreedy_units units_new(const tgreedy_data *data, const column_groups *groups);

/* d of a unit, and its c-th column. */
int unit_rank(const tgreedy_units *units, size_t u);
size_t unit_column(const tgreedy_units *units, size_t u, int c); /* c < d */

/* mu and s^2 of a unit of rank 1 or more. Cost O(d^2 K). */
void unit_effects(const tgreedy_units *units, size_t u, double *mu, double *s2);

/* step (d) <- the step. Cost O(d^2 K). */
void unit_step(const tgreedy_units *units, size_t u, double *step);

/* The moderated s^2: d times the moderated s^2 / d, which has d (K - 1) degrees of freedom. */
double unit_moderated(const tgreedy_units *units, size_t u, moderation prior, double s2);

/* T, with d0 more degrees of freedom if s^2 is moderated; infinite if the effect is the same in all domains, NAN for
 * K < 2. */
double unit_t(const tgreedy_units *units, size_t u, double mu, double s2, double d0);

#endif
