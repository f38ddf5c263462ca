/* progress_entry.c - the progress of the kernels, reported to an R function. */
#include "routines.h"

#include <R.h>

#include "port.h"

static SEXP told = NULL; /* the R function, preserved from garbage collection */

static void report_progress(double done, double all)
{
  SEXP numbers[] = {PROTECT(Rf_ScalarReal(done)), PROTECT(Rf_ScalarReal(all))};
  SEXP call = PROTECT(Rf_lang3(told, numbers[0], numbers[1]));
  Rf_eval(call, R_GlobalEnv);
  UNPROTECT(3);
}

/* tell: a function of `done` and `all`, which kernels call until this routine is called with NULL. */
SEXP transelect_progress(SEXP tell)
{
  if (tell != R_NilValue && !Rf_isFunction(tell)) Rf_error("'tell' must be a function or NULL");
  port_listen(NULL);
  if (told) R_ReleaseObject(told);
  told = NULL;
  if (tell == R_NilValue) return R_NilValue;
  R_PreserveObject(tell);
  told = tell;
  port_listen(report_progress);
  return R_NilValue;
}
