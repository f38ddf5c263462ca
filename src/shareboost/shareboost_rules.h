/* shareboost_rules.h - the costlier choices of ShareBoost's section 3.1: how far L falls.
 *
 *   line    min over alpha of L(W - alpha sum_r g_r e_r'), g_r the gradients of the unit's columns
 *   column  min over their own weights u_r of L(W + sum_r u_r e_r')
 *   full    min over all W whose columns are selected, or the unit's
 *
 * The first two see the selected columns as scores added to those of the unit. Cost of a unit of one
 * column: line and column some 5 passes over it, full a fit from today's weights; of a unit of d columns
 * d times as much, and the Hessian of their dK weights.
 */
#ifndef TRANSELECT_SHAREBOOST_RULES_H
#define TRANSELECT_SHAREBOOST_RULES_H

#include "shareboost.h"

typedef struct {
  enum share_rule rule;
  const softmax_fit *main;
  softmax p; /* a unit's columns over base scores, or the selected columns and these */
  softmax_fit fit;
  double *base, *curve;
} share_trial;

/* largest: columns of the largest unit. */
share_trial *share_trial_new(const softmax_fit *main, enum share_rule rule, size_t largest);

/* Takes over where `main` stands: once a round. */
void share_trial_round(share_trial *t);

/* Then for each unit: begins with no column, adds one of its columns (m), returns how far L would
 * fall if the columns added were let in. */
void share_trial_start(share_trial *t);
void share_trial_add(share_trial *t, const double *column);
double share_trial_fall(share_trial *t);

#endif
