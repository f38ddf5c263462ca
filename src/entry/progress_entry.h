/* progress_entry.h - who hears how far a kernel is. */
#ifndef TRANSELECT_PROGRESS_ENTRY_H
#define TRANSELECT_PROGRESS_ENTRY_H

#define R_NO_REMAP
#include <Rinternals.h>

SEXP transelect_progress(SEXP tell);

#endif
