/* spans.h - the ranges of columns, and new rows bounded to ranges. Each function reads a column of n numbers once or a
 * few times; no work arrays. */
#ifndef TRANSELECT_SPANS_H
#define TRANSELECT_SPANS_H

#include <stddef.h>

typedef struct {
  double low, high; /* low > high: there is no number */
} span;

/* The smallest and the largest of n numbers, NaN left out. */
span column_span(const double *x, size_t n);

/* column_span() for the rows of each group 0..groups-1. */
void column_spans(const double *x, size_t n, const int *group, size_t groups, span *out);

/* The first quartile less, and the third plus, `times` their distance (Tukey's fences), quartiles as by
 * stats::quantile(). n numbers, n > 0, none NaN, which are put into another order. O(n) (Hoare's quickselect). */
span column_fences(double *x, size_t n, double times);

/* How many of n numbers are outside `within`, NaN left out. */
size_t column_beyond(const double *x, size_t n, span within);

/* What column_bounded() found in a column. */
typedef struct {
  size_t count;          /* number of rows outside the range */
  double least, largest; /* of the column before it was bounded */
} bounded;

/* Moves the numbers of x outside `within` to the nearer end of that range, and sets outside[i] of their rows to 1. NaN
 * stays. */
bounded column_bounded(double *x, size_t n, span within, int *outside);

#endif
