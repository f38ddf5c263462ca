/* scores_entry.c - from R to scores.c and back. */
#include "routines.h"

#include <limits.h>

#include "args_entry.h"
#include "scores.h"

/* x: n x d. beta: d rows; a0: one number for each column of beta; at: numbers of columns of beta, from 0 on. Returns
 * a0 + x beta for these columns, n x length(at). */
SEXP transelect_scores(SEXP x, SEXP beta, SEXP a0, SEXP at)
{
  const matrix rows = entry_matrix(x, 0, 0, "x");
  const R_xlen_t columns = XLENGTH(a0);
  if (TYPEOF(at) != INTSXP || XLENGTH(at) > INT_MAX) Rf_error("'at' must be of type integer");
  for (R_xlen_t k = 0; k < XLENGTH(at); k++)
    if (INTEGER_RO(at)[k] < 0 || INTEGER_RO(at)[k] >= columns) Rf_error("'at' is out of range");
  const score_models models = {.beta =
                                   entry_doubles(beta, (R_xlen_t)rows.columns * columns, "beta"),
                               .a0 = entry_doubles(a0, -1, "a0"),
                               .d = rows.columns,
                               .at = INTEGER_RO(at),
                               .q = (size_t)XLENGTH(at)};
  SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)rows.rows, (int)XLENGTH(at)));
  scores(rows.x, rows.rows, &models, REAL(out));
  UNPROTECT(1);
  return out;
}
