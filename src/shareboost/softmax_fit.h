/* softmax_fit.h - re-optimises all selected columns by L-BFGS, preconditioned by a Hessian that is seldom updated.
 *
 * Minimises f(w) + sum_j penalty(w_j) over the packed columns (softmax.h), from the last minimum.
 * The initial matrix of L-BFGS is the Cholesky factor of an earlier Hessian. A new
 * column appends its K rows, at the current P, and the pairs (s, y) are extended as
 * s <- (s, 0), y <- (y, H_new,old s). A step is accepted where f falls enough (Armijo, 1e-4), or where
 * it falls within rounding and the slope along the step is smaller. The Hessian is made anew, and
 * the pairs are dropped, once `beyond`, the iterations after the third of a round, have cost as much as that:
 *
 *   beyond (4mtK + 40mK) >= m t^2 K^2 / 3 + (tK)^3 / 2
 *
 * at the third iteration of a round, or three times as much at any other, or when an appended pivot is too small
 * a share of its diagonal entry. Counts decide and not times, so that a fit can be repeated. The Hessian
 * is made in floats, at half the cost, until a pivot is less than 1e-5 of its diagonal entry or a line search
 * fails; from then on in doubles (m t^2 K^2 / 2 above), with pivots of at least 1e-8 of the diagonal
 * where appended, 1e-14 where new. Where a line search fails with such a Hessian this least pivot is
 * raised by 1e4, up to 1e-2, as long as that changes a pivot. Ends at
 * |g|_inf <= max(tol |g|_inf at the start, 1e-13).
 *
 * With a penalty and many classes the initial matrix is that of softmax_parts.h, made in doubles; a new column drops the
 * pairs, and price of making it anew is m t K (t + 8). A round that does not converge with it goes on with the factor,
 * as all later ones do.
 *
 * Work arrays: the factor (tK)^2/2, pairs 80 tK. Cost of an iteration: a pass, 2 (tK)^2 + 160 tK.
 */
#ifndef TRANSELECT_SOFTMAX_FIT_H
#define TRANSELECT_SOFTMAX_FIT_H

#include "softmax.h"
#include "softmax_factor.h"
#include "softmax_parts.h"
#include "softmax_penalty.h"

#define FIT_PAIRS 40

typedef struct {
  softmax *p;
  penalty pen;
  size_t intercept; /* 1 with an intercept, which is column 0 */
  size_t free;      /* the first columns, the intercept among them, have no penalty ... */
  penalty kept;     /* ... but this one, without the intercept, where its weight is not 0 */
  double tol;
  int most;         /* iterations of a round */
  size_t n, room;   /* variables: columns x K */
  double *w, *g, f; /* the point, its gradient and its value, penalties included */
  /* results of a round */
  double end; /* |g|_inf over all k classes */
  int iterations, refreshes, converged;
  /* work arrays and state of the search */
  softmax_factor L;
  softmax_parts *parts; /* takes the place of L where it is not NULL */
  size_t limit;         /* of a block of L */
  double *s, *y, *rho, *a, *step, *next, *next_g, *rows, beyond;
  int pairs, newest, stale;
  int exact;    /* the Hessian is made in doubles */
  double least; /* smallest pivot of a Hessian made anew, as a share of its diagonal entry */
} softmax_fit;

/* For a problem without columns; `room` columns at most. limit: variables of a diagonal block of
 * the factor. */
softmax_fit fit_new(softmax *p, penalty pen, size_t intercept, double tol, size_t room,
                    size_t limit);

/* Adds the columns that p has got since the last call, with weights zero. */
void fit_grow(softmax_fit *fit);

/* Minimises; sets f, w, g and the results of a round. */
void fit_run(softmax_fit *fit);

/* For a fit with columns without a penalty: fits with a ridge of 1e-10 on these, and `step` becomes the Newton step
 * from there without the ridge. If the fit without it has an optimum, this step is nearly zero; if its weights
 * diverge, as with classes that can be separated, the step changes scores by about 1, since gradient and curvature
 * decrease at the same rate. Costs a round and a Hessian. */
void fit_look_ahead(softmax_fit *fit);

#endif
