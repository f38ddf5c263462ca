/* minimise_one.h - the minimum of a function of one variable in an interval, without derivatives.
 *
 * Brent's method (Algorithms for Minimization without Derivatives, 1973, chapter 5), as stats::optimize() has it: steps
 * to the vertex of the parabola through the three best points, and where these are no good, by the golden section.
 * It ends where the minimum is known to `tol` (and the square root of the precision of its size). Some 10 to 30
 * evaluations.
 */
#ifndef TRANSELECT_MINIMISE_ONE_H
#define TRANSELECT_MINIMISE_ONE_H

double minimise_one(double low, double high, double (*f)(double x, const void *data), const void *data, double tol);

#endif
