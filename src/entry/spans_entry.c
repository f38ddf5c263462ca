/* spans_entry.c - from R to spans.c and back. */
#include "routines.h"

#include <string.h>

#include "args_entry.h"
#include "spans.h"

/* The range of column j of a design, with the zeros of a sparse column. */
static span design_span(const design *d, size_t j, double *buffer)
{
  const block *b = d->block;
  size_t in_block = j;
  if (in_block >= b->p) {
    in_block -= b->p;
    b++;
  }
  if (!b->start) return column_span(design_column(d, j, buffer), d->n);
  const size_t from = (size_t)b->start[in_block], count = (size_t)b->start[in_block + 1] - from;
  span out = column_span(b->value + from, count);
  if (count < d->n) {
    if (!(out.low < 0)) out.low = 0;
    if (!(out.high > 0)) out.high = 0;
  }
  return out;
}

/* blocks: as for entry_design(), of n rows; at: numbers of columns, from 1 on; group: NULL, or codes 1..g of the rows.
 * Returns an array 2 x columns x g, the smallest and the largest number of each of these columns (in each group), apart
 * from missing values; Inf and -Inf where there is no number. */
SEXP transelect_spans(SEXP blocks, SEXP n, SEXP at, SEXP group)
{
  const design d = entry_design(blocks, (size_t)entry_number(n, 0, 2147483647, "n"));
  const int *columns = entry_integers(at, -1, "at");
  const size_t count = (size_t)XLENGTH(at);
  for (size_t k = 0; k < count; k++)
    if (columns[k] < 1 || (size_t)columns[k] > d.N) Rf_error("'at' is out of range");
  size_t groups = 1;
  const int *of = group == R_NilValue ? NULL : entry_codes(group, d.n, &groups, "group");
  span *found = ROOM(groups, span);
  double *buffer = design_buffer(&d);
  SEXP out = PROTECT(Rf_alloc3DArray(REALSXP, 2, (int)count, (int)groups));
  for (size_t k = 0; k < count; k++) {
    const size_t j = (size_t)columns[k] - 1;
    if (of)
      column_spans(design_column(&d, j, buffer), d.n, of, groups, found);
    else
      found[0] = design_span(&d, j, buffer);
    for (size_t g = 0; g < groups; g++) {
      REAL(out)[2 * (k + g * count)] = found[g].low;
      REAL(out)[2 * (k + g * count) + 1] = found[g].high;
    }
    port_poll();
  }
  UNPROTECT(1);
  return out;
}

static const int *read_rows(SEXP rows, size_t most, size_t *n)
{
  const int *row = entry_integers(rows, -1, "rows");
  *n = (size_t)XLENGTH(rows);
  if (*n < 1) Rf_error("'rows' must have a number");
  for (size_t i = 0; i < *n; i++)
    if (row[i] < 1 || (size_t)row[i] > most) Rf_error("'rows' is out of range");
  return row;
}

/* The fences (column_fences()) of column x in n rows. work: n. */
static span fences_in_rows(const double *x, const int *row, size_t n, double times, double *work)
{
  for (size_t i = 0; i < n; i++) {
    work[i] = x[row[i] - 1];
    if (work[i] != work[i]) Rf_error("'x' has a missing value");
  }
  return column_fences(work, n, times);
}

/* x: a matrix; at: numbers of columns, rows: numbers of rows, from 1 on; times: see column_fences(). Returns a matrix
 * 2 x columns, the fences of each column in these rows. */
SEXP transelect_fences(SEXP x, SEXP at, SEXP rows, SEXP times)
{
  const matrix m = entry_matrix(x, 0, 0, "x");
  const int *column = entry_integers(at, -1, "at");
  size_t n;
  const int *row = read_rows(rows, m.rows, &n);
  const size_t count = (size_t)XLENGTH(at);
  const double wide = entry_number(times, 0, 1e300, "times");
  for (size_t k = 0; k < count; k++)
    if (column[k] < 1 || (size_t)column[k] > m.columns) Rf_error("'at' is out of range");
  double *work = ROOM(n, double);
  SEXP out = PROTECT(Rf_allocMatrix(REALSXP, 2, (int)count));
  for (size_t k = 0; k < count; k++) {
    const span found = fences_in_rows(m.x + ((size_t)column[k] - 1) * m.rows, row, n, wide, work);
    REAL(out)[2 * k] = found.low;
    REAL(out)[2 * k + 1] = found.high;
    port_poll();
  }
  UNPROTECT(1);
  return out;
}

/* x, rows, times: as for transelect_fences(). Returns for each column how many of its numbers, in all rows, are beyond
 * its fences in `rows`; 0 where the two fences are equal. */
SEXP transelect_far_out(SEXP x, SEXP rows, SEXP times)
{
  const matrix m = entry_matrix(x, 0, 0, "x");
  size_t n;
  const int *row = read_rows(rows, m.rows, &n);
  const double wide = entry_number(times, 0, 1e300, "times");
  double *work = ROOM(n, double);
  SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)m.columns));
  for (size_t j = 0; j < m.columns; j++) {
    const double *column = m.x + j * m.rows;
    const span found = fences_in_rows(column, row, n, wide, work);
    REAL(out)[j] = found.low < found.high ? (double)column_beyond(column, m.rows, found) : 0;
    port_poll();
  }
  UNPROTECT(1);
  return out;
}

/* x: a matrix; low, high: the range of each column. Returns NULL where all numbers are within the ranges, or list(z,
 * outside, count, least, largest): the matrix with numbers moved to the ends of the ranges; for each row whether some
 * number was outside; for each column how many were, and the smallest and the largest number, see column_bounded(). */
SEXP transelect_bounded(SEXP x, SEXP low, SEXP high)
{
  const matrix m = entry_matrix(x, 0, 0, "x");
  const double *from = entry_doubles(low, (R_xlen_t)m.columns, "low");
  const double *to = entry_doubles(high, (R_xlen_t)m.columns, "high");
  size_t j = 0;
  for (; j < m.columns; j++) {
    const span s = column_span(m.x + j * m.rows, m.rows);
    if (s.low < from[j] || s.high > to[j]) break;
  }
  if (j == m.columns) return R_NilValue;
  SEXP out = PROTECT(
      Rf_mkNamed(VECSXP, (const char *[]){"z", "outside", "count", "least", "largest", ""}));
  SET_VECTOR_ELT(out, 0, Rf_duplicate(x));
  double *moved = REAL(VECTOR_ELT(out, 0));
  SEXP outside = SET_VECTOR_ELT(out, 1, Rf_allocVector(LGLSXP, (R_xlen_t)m.rows));
  if (m.rows) memset(LOGICAL(outside), 0, m.rows * sizeof(int));
  double *count = entry_numbers(out, 2, m.columns), *least = entry_numbers(out, 3, m.columns);
  double *largest = entry_numbers(out, 4, m.columns);
  for (j = 0; j < m.columns; j++) {
    const bounded b =
        column_bounded(moved + j * m.rows, m.rows, (span){from[j], to[j]}, LOGICAL(outside));
    count[j] = (double)b.count;
    least[j] = b.least;
    largest[j] = b.largest;
    port_poll();
  }
  UNPROTECT(1);
  return out;
}
