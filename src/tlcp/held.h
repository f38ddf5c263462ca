/* held.h - the target's coefficients with what it borrows, fitted again and again without some of its rows.
 *
 * A fit is that of tlcp() with all features kept: in each of the units in question the log likelihood ratio of sharing
 * (borrow_ratio()); the borrowing prior with scales (borrow_fit()) and the target's posterior mean (borrow_known());
 * the same of a target whose slopes are unrelated to the others', with a prior of their own; and the averages over
 * supports (sparse.h) "few", the slopes of such a target, and "apart", its deviations from what it borrows. With
 * H and g of the target, w_1 = u + d, u ~ N(m, C) what the others say, P = C^-1, A = H + P, the deviations d have the information
 * J = H - H A^-1 H and the score (I - H A^-1)(g - H m), and E w_1 = A^-1 (g + P m + P E d).
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
  int known[3];
} held_paths;

held_paths held_paths_new(size_t T);

typedef struct {
  const borrow_domains *domains;
  const int *varies; /* slopes: does the column vary in the target? */
  double prior;      /* of the units */
  int own;           /* are these the units of a target that stands alone? */
  held_paths *paths;
} held_unit;

typedef struct {
  double alone, apart, few, rare; /* alone = 0: no such alternative */
  int try_apart, try_few;         /* are there these sparse alternatives? */
  size_t most, beam;              /* see sparse.h */
  const double *v;
  size_t n_v;
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
