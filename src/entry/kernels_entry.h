/* kernels_entry.h - which kernels run, for tests and benchmarks. */
#ifndef TRANSELECT_KERNELS_ENTRY_H
#define TRANSELECT_KERNELS_ENTRY_H

#define R_NO_REMAP
#include <Rinternals.h>

SEXP transelect_kernels(SEXP name);

#endif
