/* minimise.h - the minimum of a smooth function of a few variables in a box.
 *
 * Projected BFGS: variables on a bound stay there if descent would take them out of the box; the step of the others is
 * clipped to the box and cut, by a parabola, until the value falls enough (Armijo). The curvature, an approximate
 * Hessian, follows Powell's damped update (Nocedal and Wright, Numerical Optimization, 2006, procedure 18.2) and
 * is kept, so that another run, for a function that has changed a little, takes few evaluations. With `curve`, an
 * approximate Hessian by formula, the first run begins with that Hessian, and it is computed anew after every
 * long step. A run whose next step leads to the minimum of an earlier run (`other`) ends.
 *
 * Work arrays: 8n doubles and those of curvature.h. Cost of an iteration: an evaluation or more of the function, and
 * the Newton step of curvature.h.
 */
#ifndef TRANSELECT_MINIMISE_H
#define TRANSELECT_MINIMISE_H

#include "curvature.h"

/* Returns the value at x and writes the gradient. */
typedef double (*minimise_function)(const double *x, double *gradient, void *data);
/* Writes a positive semidefinite matrix, for the x of the last evaluation, into an empty curvature. */
typedef void (*minimise_curvature)(const double *x, curvature *B, void *data);

typedef struct minimise_box {
  int n;
  double *x;          /* n: the start, and after a run the minimiser */
  double *low, *high; /* n: the box */
  double value;       /* at x, after a run */
  double *gradient;
  curvature curvature;
  double *step, *trial, *slope, *product;
  minimise_curvature curve;         /* may be NULL */
  const struct minimise_box *other; /* may be NULL */
  int *free;
  int evaluations; /* of all runs */
  int here;        /* was the last evaluation of the function at x? */
  int stale;       /* was there no room for an update of the curvature? */
} minimise_box;

/* columns: how many columns `curve` writes at most, see curvature.h. */
minimise_box minimise_new(int n, int columns);

/* Ends when the predicted decrease of a step is at most `negligible` (1 + |value|). */
void minimise_run(minimise_box *m, minimise_function f, void *data, double negligible);

/* After a run, which compares values and so finds x to half of the digits of a double: a few more steps by the gradient
 * alone, as long as the predicted decrease of each is less than a quarter of that of the step before. Where it is not,
 * the curvature is computed anew, once, and from then on it is enough that the predicted decrease falls. */
void minimise_settle(minimise_box *m, minimise_function f, void *data);

/* After a run that has ended at `negligible`: takes the step whose predicted decrease is negligible, without an
 * evaluation, so that the error of x is of second order. The gradient stays that of the last evaluation. */
void minimise_last_step(minimise_box *m, double negligible);

#endif
