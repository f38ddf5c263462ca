/* shareboost_rules.h - the costlier rules of ShareBoost's section 3.1: the fall of L by a unit.
 *
 *   line    min over alpha of L(W - alpha sum_r g_r e_r'), g_r the gradients of the unit's columns
 *   column  min over their own weights u_r of L(W + sum_r u_r e_r')
 *   full    min over all weights of the selected columns and of the unit's
 *
 * For the first two rules the scores of the selected columns are fixed offsets (`base`). Cost of a unit of one column:
 * about 5 passes over it (line, column), or a fit from the current weights (full); of a unit of d columns d times as
 * much, and the Hessian of their dK weights. Work arrays: those of softmax.h and softmax_fit.h for the columns of the
 * largest unit (line, column) or for all columns (full).
 */
#ifndef TRANSELECT_SHAREBOOST_RULES_H
#define TRANSELECT_SHAREBOOST_RULES_H

#include "shareboost.h"

typedef struct {
  enum share_rule rule;
  const softmax_fit *main;
  softmax p; /* the unit's columns, with base scores; for `full` those and the selected columns */
  softmax_fit fit;
  double *base, *curve;
} share_trial;

/* largest: number of columns of the largest unit. */
share_trial *share_trial_new(const softmax_fit *main, enum share_rule rule, size_t largest);

/* Once a round: the scores of `main` become the base scores. */
void share_trial_round(share_trial *t);

/* Then for each unit: share_trial_start(), share_trial_add() for each of its columns (m numbers), and
 * share_trial_fall(), which returns the fall of L by the columns added. */
void share_trial_start(share_trial *t);
void share_trial_add(share_trial *t, const double *column);
double share_trial_fall(share_trial *t);

#endif
