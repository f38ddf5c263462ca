/* spans.h - the ranges of columns, and new rows bounded to ranges. */
#ifndef TRANSELECT_SPANS_H
#define TRANSELECT_SPANS_H

#include <stddef.h>

typedef struct {
  double low, high; /* low > high: no number */
} span;

/* The least and the largest of n numbers, NaN left out. */
span column_span(const double *x, size_t n);

/* The same for the rows of each group 0..groups-1. */
void column_spans(const double *x, size_t n, const int *group, size_t groups, span *out);

/* The quartiles of n numbers (n > 0, none of them NaN), `times` their distance wider: as stats::quantile() has them. The
 * numbers are put into another order. n operations. */
span column_fences(double *x, size_t n, double times);

/* How many of n numbers are outside `within`, NaN left out. */
size_t column_beyond(const double *x, size_t n, span within);

/* A column of new rows that was bounded. */
typedef struct {
  size_t count;          /* of the rows outside the range */
  double least, largest; /* the extreme values among all rows before */
} bounded;

/* Moves the numbers of x outside `within` to its nearer end, leaves NaN, and sets outside[i] of their rows to 1. */
bounded column_bounded(double *x, size_t n, span within, int *outside);

#endif
