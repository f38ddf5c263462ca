/* softmax_fit.h - re-optimises all selected columns by L-BFGS, preconditioned by a Hessian that is seldom updated.
 *
 * Minimises f(w) + sum_j penalty(w_j) over the packed columns (softmax.h), from the last minimum (Nocedal & Wright,
 * Numerical Optimization, 2006, algorithm 7.4). The initial matrix of L-BFGS is the Cholesky factor of an earlier
 * Hessian. A new column appends its K rows, at the current P, and the pairs (s, y) are extended as s <- (s, 0),
 * y <- (y, H_new,old s). A step is accepted where f falls enough (Armijo, 1e-4), or where f rises by no more than
 * rounding and the slope along the step is smaller. The Hessian is made anew, and the pairs are dropped, when an
 * appended pivot is too small a share of its diagonal entry, or when `beyond`, the iterations after the third of every
 * round since the last Hessian, have cost as much as a new one,
 *
 *   beyond (4mn + 40mK) >= m n b / 3 + n b^2 / 2,  n = tK, b = min(n, limit) the variables of a block,
 *
 * at the third iteration of a round, or three times as much at any other. Counts decide and not times, so that a fit
 * can be repeated. The Hessian is made in floats, at half the cost, until a squared pivot is less than 1e-5 of its
 * diagonal entry or a line search fails; from then on in doubles (m n b / 2 above), with squared pivots of at least
 * 1e-8 of the diagonal entry where appended, 1e-14 where new. Where a line search fails with a new Hessian in doubles,
 * the second bound is multiplied by 1e4, up to 1e-2, as long as that changes a pivot. A round ends at |g|_inf <=
 * max(tol |g|_inf at the start, 1e-13).
 *
 * With a penalty and many classes the initial matrix is that of softmax_parts.h, made in doubles; a new column drops
 * the pairs, and the price of making the matrix anew is m t K (t + 8). If a round does not converge with it, that round
 * and all later ones go on with the factor.
 *
 * Work arrays: the factor n b, its rows nK, pairs 80n. Cost of an iteration: a pass, and 2nb + 320n flops.
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
  size_t free;      /* the first `free` columns, the intercept among them, have no penalty ... */
  penalty kept;     /* ... but this one (the intercept has none), where its weight is not 0 */
  double tol;
  int most;         /* largest number of iterations of a round */
  size_t n, room;   /* variables: columns x K */
  double *w, *g, f; /* the point, its gradient and its value, penalties included */
  /* results of a round */
  double end; /* |g|_inf over all k classes */
  int iterations, refreshes, converged;
  /* work arrays and state of the search */
  softmax_factor L;
  softmax_parts *parts; /* takes the place of L where it is not NULL */
  size_t limit;         /* most variables of a block of L */
  double *s, *y, *rho, *a, *step, *next, *next_g, *rows, beyond;
  int pairs, newest, stale;
  int exact;    /* the Hessian is made in doubles */
  double least; /* smallest squared pivot of a new Hessian, as a share of its diagonal entry */
} softmax_fit;

/* For a problem without columns; `room`: most columns; limit: most variables of a diagonal block of the factor. */
softmax_fit fit_new(softmax *p, penalty pen, size_t intercept, double tol, size_t room,
                    size_t limit);

/* Adds the columns that p has got since the last call, with weights zero. */
void fit_grow(softmax_fit *fit);

/* A round: minimises over the weights of all columns; sets f, w, g and the results. */
void fit_run(softmax_fit *fit);

/* Does a fit with unpenalised columns have an optimum? Fits with a ridge of 1e-10 on these columns; `step` becomes the
 * Newton step from there without the ridge. If the fit without the ridge has an optimum, the step is nearly zero; if
 * its weights diverge, as with classes that can be separated, the step changes scores by about 1, since gradient and
 * curvature decrease at the same rate. Costs a round and a Hessian. */
void fit_look_ahead(softmax_fit *fit);

#endif
