/* average_entry.c - weights of alternatives (average.h), for R. */
#include "routines.h"

#include <R.h>

#include "average.h"

/* log_weight: numbers; least: one number. Returns the weights; all 0 if no alternative is possible. */
SEXP transelect_average(SEXP log_weight, SEXP least)
{
  if (TYPEOF(log_weight) != REALSXP) Rf_error("'log_weight' must be numeric");
  if (TYPEOF(least) != REALSXP || XLENGTH(least) != 1) Rf_error("'least' must be one number");
  SEXP out = PROTECT(Rf_allocVector(REALSXP, XLENGTH(log_weight)));
  average_weights(REAL_RO(log_weight), (size_t)XLENGTH(log_weight), REAL_RO(least)[0], REAL(out));
  UNPROTECT(1);
  return out;
}
