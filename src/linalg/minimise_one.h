/* minimise_one.h - the minimum of a function of one variable in an interval, without derivatives.
 *
 * Brent's method (Algorithms for Minimization without Derivatives, 1973, chapter 5), which stats::optimize() uses, too:
 * steps to the vertex of the parabola through the three best points, and by the golden section where such a step is
 * outside the interval or not short enough. Ends where the minimiser x is known to about tol + sqrt(DBL_EPSILON) |x|.
 * Some 10 to 30 evaluations; no work arrays.
 */
#ifndef TRANSELECT_MINIMISE_ONE_H
#define TRANSELECT_MINIMISE_ONE_H

double minimise_one(double low, double high, double (*f)(double x, const void *data), const void *data, double tol);

#endif
