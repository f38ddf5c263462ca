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
 *   gain_i = nu (2 - nu) mu_i^2 - nu (s~_i^2 / K)(2 + nu/(K-1)):  the fall of the loss by the step on a
 *            left-out domain, averaged over the domains
 *
 * A step picks the feature of largest gain, |T|, |T~| or |mu|. It moves the feature's weight by
 * nu mean_k m_ik / e_i (stagewise), or refits all selected features by least squares in which every domain counts once,
 * w_S = (E XX')_S^-1 mean_k E_k[X_S y] with E XX' = mean_k E_k XX'. Where rows without a response
 * are given, E X_i^2 (stagewise) or all of E XX' (refit, and Corollary 3's basis) are means over
 * the domains of all rows (section 3.2: E XX' is taken as known from unlabelled data). Then the change of the weight
 * times G_ik = E_k[X_i X_s] is subtracted from m_ik: one read of the data for a feature that is picked for the first
 * time, none when it is picked again (G is stored).
 *
 * All columns of a group enter together: tgreedy_units.h defines mu, s^2, T and the step of a group. A refit leaves
 * out columns that are collinear with the selected ones.
 *
 * Work arrays: m (pK) and, for each distinct feature, G (pK). Cost of a step: O(pK), for a new feature 2np flops and
 * one read, with refit O(pK q), and where rows without a response are given q reads of two columns of all rows.
 */
#ifndef TRANSELECT_TGREEDY_H
#define TRANSELECT_TGREEDY_H

#include <stddef.h>

#include "groups.h"
#include "port.h"

#define TGREEDY_COLLINEAR 1e-10 /* a column is collinear if no larger share of its square is left */

enum tgreedy_rule { RULE_GAIN, RULE_T, RULE_MODT, RULE_GREEDY };

/* A path ends before a pick with a gain that is not positive (STOP_GAIN); with |T| below the quantile of Student's t
 * exceeded with probability alpha/(2p) (STOP_BONFERRONI); or with |T| at most sqrt(4 log(2p/delta)), where Theorem 1's
 * interval for the effect contains 0 (STOP_THEOREM1; single columns only, under the theorem's condition p <= delta/2
 * exp(K/8)). p is the number of units, columns or groups, that vary. */
enum tgreedy_stop { STOP_NONE, STOP_GAIN, STOP_BONFERRONI, STOP_THEOREM1 };

typedef struct {
  enum tgreedy_rule rule;
  double nu;
  int is_signed; /* pick the largest T or T~, not |T| or |T~| */
  int repeats;   /* may a feature be picked again? (never with refit) */
  int refit;     /* least squares on the selected features, instead of stagewise */
  enum tgreedy_stop stop;
  double alpha;     /* of STOP_BONFERRONI */
  double delta;     /* of Theorem 1 and Corollary 3 */
  int max_units;    /* largest number of distinct units: the path ends before a pick of one more */
  int max_features; /* largest number of columns of max_units units */
  int all_varying;  /* max_units counts as no more than the units that vary, also for max_picks */
  const column_groups *groups; /* NULL: every column is a unit */
  int threads;
} tgreedy_options;

/* The largest number of picks of a path of max_units units, repeats included. */
int tgreedy_max_picks(int max_units);

/* The moments of the algorithm, from rows (tgreedy_rows.h) or second moments (tgreedy_moments.h). All are of
 * scaled features; a feature of scale 0 does not vary and is never picked. */
typedef struct {
  size_t p;
  int K;
  const double *scale, *e; /* p each */
  double *m;               /* K x p: E_k[X_i r], at the start E_k[X_i y] */
  double *r2;              /* K: E_k r^2, at the start E_k y^2 */
  void *context;
  /* G (K x p) <- E_k[X_i X_s], spread (K) <- standard deviations of the unscaled column s about its means by domain */
  void (*products)(void *context, size_t s, double *G, double *spread);
  double (*second)(void *others, size_t i, size_t s); /* E[X_i X_s] */
  void *others;
  int second_of_others; /* does E[X_i X_s] include unlabelled rows, so that it is no mean of G? */
  /* Called after a step that has changed the weights of q features; auroc <- the K areas under the ROC curve. NULL
   * without rows or classes. */
  void (*follow)(void *context, int q, const int *feature, const double *change, double *auroc);
} tgreedy_data;

/* Results; the caller allocates the arrays, of tgreedy_max_picks() numbers unless another size is given. */
typedef struct {
  int n_steps, n_features;
  int *entered, *size; /* of each step: the unit picked; the number of distinct columns so far */
  double *t, *t_mod, *gain, *mu, *s, *bound;
  double *change;       /* of the weight; NAN where a group of several columns was picked */
  double *loss, *auroc; /* K x (max_picks + 1), step 0 first; auroc only with follow() */
  int *feature;         /* max_features: distinct columns in the order in which they entered */
  double *spread;       /* K x max_features: their unscaled standard deviations in each domain */
  double **weight;      /* scaled weights of each step, in order of `feature`, by tgreedy_run() */
  double d0, s02;       /* moderation at step 1 */
  double gain_left;     /* largest gain when the path ended, NAN if the rule does not use gains */
} tgreedy_path;

/* Returns STATUS_OK, or STATUS_FEW_DOMAINS if the condition of Theorem 1 does not hold. */
status tgreedy_run(tgreedy_data *data, const tgreedy_options *options, tgreedy_path *path);

#endif
