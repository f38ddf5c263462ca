/* kernels_entry.c - chooses the instruction set of the kernels, for tests and benchmarks. */
#include "routines.h"

#include <R.h>
#include <string.h>

#include "kernels.h"

static const char *const SETS[] = {"auto", "portable", "avx2", "avx512"}; /* as in kernel_set */

/* name: one of SETS. Returns the name of the instruction set chosen, NA if this machine cannot run it or there is none
 * of this name. */
SEXP transelect_kernels(SEXP name)
{
  if (TYPEOF(name) != STRSXP || XLENGTH(name) != 1) Rf_error("'name' must be one string");
  const char *chosen = NULL;
  for (int k = KERNELS_AUTO; k <= KERNELS_AVX512; k++)
    if (strcmp(CHAR(STRING_ELT(name, 0)), SETS[k]) == 0) chosen = kernels_choose((kernel_set)k);
  return Rf_ScalarString(chosen ? Rf_mkChar(chosen) : NA_STRING);
}
