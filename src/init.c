/* init.c - registers the routines, and chooses the kernels for this processor. */
#define R_NO_REMAP
#include <R.h>
#include <R_ext/Rdynload.h>
#include <R_ext/Visibility.h>
#include <Rinternals.h>

#include "kernels.h"
#include "port.h"
#include "routines.h"

/* clang-format off */
/* The cast goes by way of void (*)(void), which may be cast to any function type. */
#define CALLDEF(name, n) {#name, (DL_FUNC)(void (*)(void))&transelect_##name, n}

static const R_CallMethodDef routines[] = {
  CALLDEF(borrow, 3),
  CALLDEF(borrow_alone, 3),
  CALLDEF(borrow_ratio, 4),
  CALLDEF(borrow_evidence, 2),
  CALLDEF(borrow_others, 3),
  CALLDEF(borrow_features, 3),
  CALLDEF(posterior, 3),
  CALLDEF(borrow_units, 7),
  CALLDEF(borrow_variances, 4),
  CALLDEF(domain_variances, 3),
  CALLDEF(moderated, 2),
  CALLDEF(ridge_variance, 4),
  CALLDEF(fences, 4),
  CALLDEF(far_out, 3),
  CALLDEF(rows_kernel, 2),
  CALLDEF(bounded, 3),
  CALLDEF(cut_sums, 7),
  CALLDEF(domain_moments, 5),
  CALLDEF(domain_sums, 2),
  CALLDEF(form, 4),
  CALLDEF(greedytl, 6),
  CALLDEF(laplace, 7),
  CALLDEF(held_domains, 3),
  CALLDEF(held_squares, 3),
  CALLDEF(inclusion, 4),
  CALLDEF(kernels, 1),
  CALLDEF(least_squares, 5),
  CALLDEF(moments, 4),
  CALLDEF(msplit, 5),
  CALLDEF(open_supports, 3),
  CALLDEF(progress, 1),
  CALLDEF(own_levels, 2),
  CALLDEF(scores, 4),
  CALLDEF(shareboost, 6),
  CALLDEF(shareboost_pieces, 6),
  CALLDEF(shareboost_stumps, 6),
  CALLDEF(spans, 4),
  CALLDEF(spd_inverse, 1),
  CALLDEF(spd_solve, 2),
  CALLDEF(spd_squares, 2),
  CALLDEF(used_rows, 1),
  CALLDEF(shape, 1),
  CALLDEF(stacked, 1),
  CALLDEF(standard_combination, 2),
  CALLDEF(standard_terms, 3),
  CALLDEF(subset, 6),
  CALLDEF(subset_both, 5),
  CALLDEF(subset_within, 6),
  CALLDEF(subset_models, 3),
  CALLDEF(tgreedy, 6),
  CALLDEF(sparse_average, 5),
  CALLDEF(supports, 3),
  CALLDEF(variance_posterior, 8),
  {NULL, NULL, 0},
};
/* clang-format on */

void attribute_visible R_init_transelect(DllInfo *dll);

void attribute_visible R_init_transelect(DllInfo *dll)
{
  R_registerRoutines(dll, NULL, routines, NULL, NULL);
  R_useDynamicSymbols(dll, FALSE);
  R_forceSymbols(dll, TRUE);
  kernels_choose(KERNELS_AUTO);
  port_start();
}
