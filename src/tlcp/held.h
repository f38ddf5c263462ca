/* held.h - the target's coefficients under the borrowing prior, fitted many times, each without a part of its rows.
 *
 * A fit is that of tlcp() with all features kept: in each of the units the log likelihood ratio of
 * sharing (borrow_ratio()), the borrowing prior with scales (borrow_fit()) and the target's posterior mean
 * (borrow_known()). Alternatives: "alone", the target's slopes are unrelated to the others' and have a prior of their
 * own; "few", the average over supports (sparse.h) of the slopes of such a target; and "apart", some of the target's
 * slopes are far from the common ones (borrow_features.h and R/tlcp-apart.R).
 *
 * The three alternatives have the prior weights `alone`, `apart` and `few`, the units share the rest by their `prior`.
 * Posterior weights are proportional to exp(lr) times these; those below `rare` times the largest are 0.
 *
 * A repeated fit is cheap because its searches start where those of the first fit ended (held_paths), round by round,
 * and end by `enough` of borrow_options. Cost of a first fit: about 100 evaluations of borrow.h in each unit, of a
 * repeated one about 15. Work arrays: those of borrow.h.
 */
#ifndef TRANSELECT_HELD_H
#define TRANSELECT_HELD_H

#include "borrow.h"

enum { HELD_ROUNDS = 6, HELD_UNITS = 2 };
enum { HELD_ALONE = HELD_UNITS, HELD_APART, HELD_FEW, HELD_MODELS }; /* places of models */

/* The ends of searches, from which those of another fit start. known: are the numbers of each set? */
typedef struct {
  double *ratio;  /* 2 T + 3 */
  double *shared; /* (HELD_ROUNDS + 1)(T + 2) */
  double *alone;  /* (HELD_ROUNDS + 1) 2 */
  double *apart;  /* p + 3: tau2, omega2, kappa2, the factors */
  int known[4];
} held_paths;

/* p: the largest number of columns, with the level. */
held_paths held_paths_new(size_t T, size_t p);

typedef struct {
  const borrow_domains *domains;
  const int *varies; /* slopes: does the column vary in the target? */
  double prior, df;  /* prior weight of the units; degrees of freedom of the target's variance */
  int own;           /* are these the units of a target that stands alone? */
  held_paths *paths;
} held_unit;

typedef struct {
  double alone, apart, few, rare; /* prior weights, and the least posterior weight */
  int try_apart, try_few;         /* are these alternatives fitted? */
  size_t most, beam;              /* see sparse.h */
  const double *v;
  size_t n_v;
  double spread;      /* of the log factors of borrow_features.h */
  const double *grid; /* values of log factors over which is averaged */
  size_t n_grid;
  double enough;
} held_options;

typedef struct {
  size_t unit;   /* the number of the unit in which the coefficients are */
  double weight; /* 0: the model is not fitted */
  double *coef;  /* p */
} held_model;

/* models (HELD_MODELS) <- the models of the units, then alone, apart and few; lr (n_units) <- log likelihood ratios of
 * sharing. */
status held_fit(const held_unit *units, size_t n_units, const held_options *options, double *lr,
                held_model *models);

#endif
