/* held.h - the target's coefficients with what it borrows, fitted again and again without some of its rows.
 *
 * A fit is that of tlcp() with all features kept: in each of the units in question the log likelihood ratio of
 * sharing (borrow_ratio()); the borrowing prior with scales (borrow_fit()) and the target's posterior mean
 * (borrow_known()); the same of a target whose slopes are unrelated to the others', with a prior of their own;
 * "few", the average over supports (sparse.h) of the slopes of such a target; and "apart", where some of its slopes
 * are far from what it borrows (borrow_features.h and R/tlcp-apart.R).
 *
 * Prior weights: `alone`, `apart` and `few` of the three, the rest of the units by their `prior`; weights are
 * proportional to exp(lr) times these, those below `rare` of the largest are 0.
 *
 * What makes a fit again cheap are the ends of the searches of the first one, its `paths`: with these a search starts
 * there, round by round, and ends by `enough` of borrow_options. Cost of a first fit: about 100 evaluations of borrow.h
 * in each unit, of another one about 15. Work: that of borrow.h.
 */
#ifndef TRANSELECT_HELD_H
#define TRANSELECT_HELD_H

#include "borrow.h"

enum { HELD_ROUNDS = 6, HELD_UNITS = 2 };
enum { HELD_ALONE = HELD_UNITS, HELD_APART, HELD_FEW, HELD_MODELS }; /* places of models */

/* The ends of searches, from which those of another fit start. The caller allocates the numbers and sets `known` to
 * zeros. */
typedef struct {
  double *ratio;  /* 2 T + 3 */
  double *shared; /* (HELD_ROUNDS + 1)(T + 2) */
  double *alone;  /* (HELD_ROUNDS + 1) 2 */
  double *apart;  /* p + 3: tau2, omega2, kappa2, the factors */
  int known[4];
} held_paths;

/* p: most columns, with the level */
held_paths held_paths_new(size_t T, size_t p);

typedef struct {
  const borrow_domains *domains;
  const int *varies; /* slopes: does the column vary in the target? */
  double prior, df;  /* of the units; degrees of freedom of the target's residual variance */
  int own;           /* are these the units of a target that stands alone? */
  held_paths *paths;
} held_unit;

typedef struct {
  double alone, apart, few, rare; /* alone = 0: no such alternative */
  int try_apart, try_few;         /* are there these sparse alternatives? */
  size_t most, beam;              /* see sparse.h */
  const double *v;
  size_t n_v;
  double spread; /* of the log factors of borrow_features.h, and values of them */
  const double *grid;
  size_t n_grid;
  double enough;
} held_options;

typedef struct {
  size_t unit;   /* by whose number the coefficients are to be read */
  double weight; /* 0: not fitted */
  double *coef;  /* p of the unit */
} held_model;

/* models: HELD_MODELS of them, first the units, then alone, apart and few; lr: n_units. */
status held_fit(const held_unit *units, size_t n_units, const held_options *options, double *lr,
                held_model *models);

#endif
