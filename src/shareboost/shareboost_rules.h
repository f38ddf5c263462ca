/* shareboost_rules.h - the costlier choices of ShareBoost's section 3.1: how far L falls.
 *
 *   line    min over alpha of L(W - alpha g_r e_r'), g_r the gradient of column r
 *   column  min over u of L(W + u e_r')
 *   full    min over all W whose columns are selected, or r
 *
 * The first two see the selected columns as scores added to those of one column. Cost a column:
 * line and column some 5 passes over one column, full a fit from today's weights.
 */
#ifndef TRANSELECT_SHAREBOOST_RULES_H
#define TRANSELECT_SHAREBOOST_RULES_H

#include "shareboost.h"

typedef struct {
  enum share_rule rule;
  const softmax_fit *main;
  softmax p; /* one column over base scores, or the selected columns and one more */
  softmax_fit fit;
  double *base, *curve;
} share_trial;

share_trial *share_trial_new(const softmax_fit *main, enum share_rule rule);

/* Takes over where `main` stands: once a round. */
void share_trial_round(share_trial *t);

/* Fall of L were `column` (m) let in. */
double share_trial_fall(share_trial *t, const double *column);

#endif
