/* kernels_entry.c - chooses the instruction set of the kernels, for tests and benchmarks. */
#include "routines.h"

#include <R.h>

#include "kernels.h"

/* name: "auto", "portable", "avx2" or "avx512". Returns the name of the instruction set chosen, NA if this machine
 * cannot run it. */
SEXP transelect_kernels(SEXP name)
{
  if (TYPEOF(name) != STRSXP || XLENGTH(name) != 1) Rf_error("'name' must be one string");
  const char *chosen = kernels_choose(CHAR(STRING_ELT(name, 0)));
  return Rf_ScalarString(chosen ? Rf_mkChar(chosen) : NA_STRING);
}
