/* borrow_entry.h - entry of the strength of borrowing. */
#ifndef TRANSELECT_BORROW_ENTRY_H
#define TRANSELECT_BORROW_ENTRY_H

#define R_NO_REMAP
#include <Rinternals.h>

SEXP transelect_borrow(SEXP H, SEXP g, SEXP fit, SEXP log_det, SEXP options);

#endif
