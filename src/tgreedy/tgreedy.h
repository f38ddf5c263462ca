/* tgreedy.h - features whose effect holds across domains, chosen greedily: T-greedy.
 *
 * Foster, Kakade & Salakhutdinov, "Domain adaptation: a small sample statistical approach",
 * AISTATS 2012, sections 3 and 5. K domains, each counting once; E_k a mean over domain k;
 * features centred and scaled by domain-balanced moments. With r = y - Xw, for every feature
 *
 *   m_ik = E_k[X_i r],  e_i = mean_k E_k X_i^2,  z_ik = m_ik / sqrt(e_i),
 *   mu_i, s_i^2 = mean and variance (K - 1) of z_ik over k,   T_i = mu_i / (s_i / sqrt K)
 *   moderated: s~_i^2 = (d0 s0^2 + (K-1) s_i^2)/(d0 + K - 1), d0 and s0^2 by moments of log s_i^2
 *              (Smyth, Stat. Appl. Genet. Mol. Biol. 3, 2004), T~_i likewise
 *   gain_i = nu (2 - nu) mu_i^2 - nu (s~_i^2 / K)(2 + nu/(K-1)):  what the step gains on a domain
 *            left out, on average over the domains
 *
 * A step picks the feature of largest gain, |T|, |T~| or |mu| and moves its weight by
 * nu mean_k m_ik / e_i (stagewise), or refits all selected ones by least squares in which every domain counts once,
 * w_S = (E XX')_S^-1 mean_k E_k[X_S y] with E XX' = mean_k E_k XX'. Where rows without a response
 * are given, E X_i^2 (stagewise) or all of E XX' (refit, and Corollary 3's basis) is their mean over
 * the domains of all rows (section 3.2: E XX' is taken as known from unlabelled data). Then
 * m_ik is lowered by the change of the weight times G_ik = E_k[X_i X_s]: one read of the data
 * for a feature picked for the first time, none when it is picked again (G is stored).
 *
 * All columns of a group enter together: tgreedy_units.h defines mu, s^2, T and the step of a group. A refit leaves
 * out columns that are collinear with those selected.
 *
 * Work arrays: m (pK) and, for each distinct feature, G (pK). Cost: the products of a new feature
 * (2np flops, one read), O(pK) a step; refit O(pK q); with rows without a response q reads of two
 * columns of all rows beside it.
 */
#ifndef TRANSELECT_TGREEDY_H
#define TRANSELECT_TGREEDY_H

#include <stddef.h>

#include "groups.h"
#include "port.h"

#define TGREEDY_COLLINEAR                                                                          \
  1e-10 /* a column of whose square others leave no more than this share is collinear */

enum tgreedy_rule { RULE_GAIN, RULE_T, RULE_MODT, RULE_GREEDY };

/* A path ends before the pick whose gain is not positive; whose |T| is below the quantile of Student's t exceeded
 * with probability alpha/(2p); or whose |T| is at most sqrt(4 log(2p/delta)), where Theorem 1's interval for the
 * effect contains 0 (single columns only, under the theorem's condition p <= delta/2 exp(K/8)). p is the number of
 * units, columns or groups, that vary. */
enum tgreedy_stop { STOP_NONE, STOP_GAIN, STOP_BONFERRONI, STOP_THEOREM1 };

typedef struct {
  enum tgreedy_rule rule;
  double nu;
  int is_signed; /* the largest T or T~, not |T| */
  int repeats;   /* a feature may be picked again (never with refit) */
  int refit;     /* least squares on the selected, instead of stagewise */
  enum tgreedy_stop stop;
  double alpha;  /* of Bonferroni's stop */
  double delta;  /* of Theorem 1 and Corollary 3 */
  int max_units; /* distinct features or groups: the path ends before a pick that would make more */
  int max_features; /* most columns that max_units units can have */
  int all_varying; /* no more units than vary, nor picks than for so many: one that does not vary changes nothing */
  const column_groups *groups; /* NULL: every column is by itself */
  int threads;
} tgreedy_options;

/* The most picks of a path of so many units: repeats of all of them. */
int tgreedy_max_picks(int max_units);

/* The moments that the algorithm uses, from rows (tgreedy_rows.h) or second moments (tgreedy_moments.h). All are of
 * scaled features; a feature of scale 0 does not vary and is never picked. */
typedef struct {
  size_t p;
  int K;
  const double *scale, *e; /* p each */
  double *m;               /* K x p: E_k[X_i y] on entry, E_k[X_i r] after */
  double *r2;              /* K: E_k y^2 on entry, E_k r^2 after */
  void *context;
  /* G (K x p) = E_k[X_i X_s], spread (K): standard deviations of column s, not scaled, about the means of domains */
  void (*products)(void *context, size_t s, double *G, double *spread);
  double (*second)(void *others, size_t i, size_t s); /* E[X_i X_s] */
  void *others;
  int second_of_others; /* E[X_i X_s] includes unlabelled rows: it is not the mean of G over domains */
  /* called after a step that has changed the weights of q features; writes the K areas under the ROC curve
   * to `auroc`. NULL without rows or classes. */
  void (*follow)(void *context, int q, const int *feature, const double *change, double *auroc);
} tgreedy_data;

/* Results; the caller allocates the arrays, of max_picks numbers unless another size is given. */
typedef struct {
  int n_steps, n_features;
  int *entered, *size; /* feature or group picked; distinct columns so far */
  double *t, *t_mod, *gain, *mu, *s, *bound;
  double *change;       /* of the weight; NAN where a group of several columns was picked */
  double *loss, *auroc; /* K x (max_picks + 1), step 0 first; auroc only with follow */
  int *feature;         /* distinct columns in order, max_features */
  double *spread;       /* K x max_features: their standard deviations in each domain, not scaled */
  double **
      weight; /* of each step: `size` scaled weights, in order of `feature`; allocated by tgreedy_run() */
  double d0, s02;   /* moderation at step 1 */
  double gain_left; /* largest gain when the path ended, NAN if the rule does not use gains */
} tgreedy_path;

/* STATUS_OK, or STATUS_FEW_DOMAINS. */
status tgreedy_run(tgreedy_data *data, const tgreedy_options *options, tgreedy_path *path);

#endif
