/* open_supports_entry.c - the supports that msplit() averages over (open_supports.h), for R. */
#include "open_supports.h"

#include "args_entry.h"
#include "routines.h"

/* events: list(response, size, index, criterion, ...) of msplit()'s kernels, one number for each event; `index` has the
 * columns of all supports one after the other, from 0 on; most: the largest size; least: the least weight as a share of
 * the largest, above 0. Returns list(at, response, weight, criterion, start, index): the numbers of the events, from 1
 * on, and their responses, weights, criteria and supports, the k-th with the columns
 * index[start[k]..start[k + 1] - 1]. */
SEXP transelect_open_supports(SEXP events, SEXP most, SEXP least)
{
  SEXP field = entry_field(events, "response", "events");
  const size_t count = (size_t)XLENGTH(field);
  support_events e = {.count = count, .response = entry_integers(field, -1, "response")};
  e.size = entry_integers(entry_field(events, "size", "events"), (R_xlen_t)count, "size");
  field = entry_field(events, "index", "events");
  e.index = entry_integers(field, -1, "index");
  e.criterion =
      entry_doubles(entry_field(events, "criterion", "events"), (R_xlen_t)count, "criterion");
  const size_t columns = (size_t)XLENGTH(field);
  size_t *start = ROOM(count, size_t), *at = ROOM(count, size_t), used = 0;
  for (size_t i = 0; i < count; used += (size_t)e.size[i++]) {
    if (e.size[i] < 0 || (size_t)e.size[i] > columns - used) Rf_error("'size' is out of range");
    start[i] = used;
  }
  if (used != columns) Rf_error("'size' does not fit 'index'");
  e.start = start;
  double *weight = ROOM(count, double);
  const double share = entry_number(least, 1e-300, 1, "least");
  const size_t found =
      open_supports(&e, entry_number(most, 0, INFINITY, "most"), share, at, weight);

  SEXP out = PROTECT(Rf_mkNamed(
      VECSXP, (const char *[]){"at", "response", "weight", "criterion", "start", "index", ""}));
  int *number = entry_ints(out, 0, found), *response = entry_ints(out, 1, found);
  double *criterion = entry_numbers(out, 3, found);
  int *from = entry_ints(out, 4, found + 1);
  entry_put(out, 2, weight, found);
  from[0] = 0;
  for (size_t k = 0; k < found; k++) {
    number[k] = (int)at[k] + 1;
    response[k] = e.response[at[k]];
    criterion[k] = e.criterion[at[k]];
    from[k + 1] = from[k] + e.size[at[k]];
  }
  int *index = entry_ints(out, 5, (size_t)from[found]);
  for (size_t k = 0; k < found; k++)
    for (int c = 0; c < e.size[at[k]]; c++) index[from[k] + c] = e.index[start[at[k]] + (size_t)c];
  UNPROTECT(1);
  return out;
}
