/* softmax_fit.h - all selected columns re-optimised: L-BFGS over a stale Cholesky factor.
 *
 * Minimises f(w) + sum_j penalty(w_j) over the packed columns (softmax.h), from where it stood.
 * The initial matrix of L-BFGS is the factor of the Hessian as it was when last looked at. A new
 * column appends its K rows, at today's P, and the pairs (s, y) are carried over as
 * s <- (s, 0), y <- (y, H_new,old s). The step is 1 where f falls enough (Armijo, 1e-4), also where
 * it falls within rounding and the slope along the step has lessened. The Hessian is made anew, and
 * the pairs dropped, once `beyond`, the iterations after the third of a round, have cost as much as that:
 *
 *   beyond (4mtK + 40mK) >= m t^2 K^2 / 3 + (tK)^3 / 2
 *
 * at the third iteration of a round, or thrice at any other, or when an appended pivot is too small
 * beside its diagonal entry: counts alone decide, so a fit is the same whatever the clock says. It
 * is made in floats, which leads as well at half the cost, until a pivot is less than 1e-5 of its
 * diagonal or a search leads nowhere, then in doubles (m t^2 K^2 / 2 above) and down to pivots of
 * 1e-8 where appended, 1e-14 where new. Where such a Hessian leads nowhere its least pivot is
 * raised by 1e4, up to 1e-2, as long as that changes a pivot. Ends at
 * |g|_inf <= max(tol |g|_inf at the start, 1e-13).
 *
 * Work arrays: the factor (tK)^2/2, pairs 80 tK. Cost of an iteration: a pass, 2 (tK)^2 + 160 tK.
 */
#ifndef TRANSELECT_SOFTMAX_FIT_H
#define TRANSELECT_SOFTMAX_FIT_H

#include "softmax.h"
#include "softmax_factor.h"
#include "softmax_penalty.h"

#define FIT_PAIRS 40

typedef struct {
  softmax *p;
  penalty pen;
  size_t intercept; /* 1 with an intercept, which is column 0 */
  size_t free;      /* the first columns, the intercept among them, that cost nothing ... */
  penalty kept;     /* ... but for the others of them this, where its weight is not 0 */
  double tol;
  int most;         /* iterations of a round */
  size_t n, room;   /* variables: columns x K */
  double *w, *g, f; /* the point, its gradient and its value, penalties included */
  /* what a round came to */
  double end; /* |g|_inf of the classes */
  int iterations, refreshes, converged;
  /* in progress */
  softmax_factor L;
  double *s, *y, *rho, *a, *step, *next, *next_g, *rows, beyond;
  int pairs, newest, stale;
  int exact;    /* the Hessian is made in doubles */
  double least; /* smallest pivot of a Hessian made anew, beside its diagonal */
} softmax_fit;

/* For a problem without columns; `room` columns at most. limit: variables of a diagonal block of
 * the factor. */
softmax_fit fit_new(softmax *p, penalty pen, size_t intercept, double tol, size_t room,
                    size_t limit);

/* Takes in the columns added to p since the last call, at zero. */
void fit_grow(softmax_fit *fit);

/* Minimises; f, w, g and what a round came to are set. */
void fit_run(softmax_fit *fit);

/* For a fit with columns without a penalty: goes to the optimum of a ridge of 1e-10 on these and leaves
 * in `step` the Newton step from there without one. If an optimum exists this step is nearly zero; if the
 * weights diverge, on tails of exp(), it moves scores by about 1, for there gradient and
 * curvature fall alike. Costs a round and a Hessian. */
void fit_look_ahead(softmax_fit *fit);

#endif
