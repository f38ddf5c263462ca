/* borrow_entry.h - entries of how strongly domains borrow from each other. */
#ifndef TRANSELECT_BORROW_ENTRY_H
#define TRANSELECT_BORROW_ENTRY_H

#define R_NO_REMAP
#include <Rinternals.h>

SEXP transelect_borrow(SEXP domains, SEXP s2, SEXP options);
SEXP transelect_borrow_ratio(SEXP domains, SEXP s2, SEXP start);
SEXP transelect_borrow_alone(SEXP domains, SEXP s2, SEXP start);
SEXP transelect_borrow_sources(SEXP domains, SEXP s2, SEXP strength);
SEXP transelect_borrow_known(SEXP domains, SEXP s2, SEXP strength);

#endif
