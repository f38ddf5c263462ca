/* routines.h - the routines that R may call, which init.c registers; arguments and results are described where a
 * routine is defined. */
#ifndef TRANSELECT_ROUTINES_H
#define TRANSELECT_ROUTINES_H

#define R_NO_REMAP
#include <Rinternals.h>

/* domains_entry.c */
SEXP transelect_domain_moments(SEXP cells, SEXP scale, SEXP flat, SEXP centre, SEXP intercept);
SEXP transelect_domain_sums(SEXP cells, SEXP intercept);
SEXP transelect_own_levels(SEXP domains, SEXP intercept);
SEXP transelect_least_squares(SEXP G, SEXP g, SEXP yy, SEXP n, SEXP share);

/* greedytl_entry.c */
SEXP transelect_greedytl(SEXP blocks, SEXP y, SEXP weights, SEXP moments, SEXP list, SEXP draws);
SEXP transelect_laplace(SEXP blocks, SEXP y, SEXP weights, SEXP base, SEXP mean, SEXP counts, SEXP list);

/* tgreedy_entry.c */
SEXP transelect_tgreedy(SEXP data, SEXP y, SEXP domain, SEXP weights, SEXP unlabelled, SEXP list);

/* held_entry.c, held_squares_entry.c */
SEXP transelect_borrow_evidence(SEXP domains, SEXP s2);
SEXP transelect_held_domains(SEXP cells, SEXP without, SEXP how);
SEXP transelect_held_squares(SEXP cells, SEXP without, SEXP how);

/* borrow_entry.c, form_entry.c, variance_entry.c, units_entry.c, posterior_entry.c */
SEXP transelect_borrow(SEXP domains, SEXP s2, SEXP how);
SEXP transelect_borrow_ratio(SEXP domains, SEXP s2, SEXP start, SEXP enough);
SEXP transelect_borrow_alone(SEXP domains, SEXP s2, SEXP start);
SEXP transelect_borrow_others(SEXP domains, SEXP s2, SEXP borrowing);
SEXP transelect_borrow_features(SEXP domains, SEXP s2, SEXP how);
SEXP transelect_posterior(SEXP posterior, SEXP steps, SEXP diagonal);
SEXP transelect_form(SEXP domains, SEXP s2, SEXP borrowing, SEXP support);
SEXP transelect_rows_kernel(SEXP X, SEXP weights);
SEXP transelect_borrow_units(SEXP cells, SEXP units, SEXP flat, SEXP intercept, SEXP columns, SEXP given, SEXP grid);
SEXP transelect_borrow_variances(SEXP domains, SEXP given, SEXP intercept, SEXP grid);
SEXP transelect_domain_variances(SEXP domains, SEXP given, SEXP moderate);
SEXP transelect_ridge_variance(SEXP d, SEXP u2, SEXP yy, SEXP m);
SEXP transelect_moderated(SEXP s2, SEXP df);
SEXP transelect_variance_posterior(SEXP domains, SEXP s2, SEXP intercept, SEXP rows, SEXP centre, SEXP log_s2,
                                   SEXP log_prior, SEXP log_tau2);

/* subset_entry.c */
SEXP transelect_subset(SEXP form, SEXP pen, SEXP force, SEXP sizes, SEXP audit, SEXP settings);
SEXP transelect_subset_both(SEXP form, SEXP pen, SEXP force, SEXP sizes, SEXP settings);
SEXP transelect_subset_within(SEXP form, SEXP pen, SEXP force, SEXP limit, SEXP most, SEXP settings);
SEXP transelect_subset_models(SEXP form, SEXP in, SEXP H);
SEXP transelect_sparse_average(SEXP H, SEXP g, SEXP v, SEXP most, SEXP beam);

/* supports_entry.c */
SEXP transelect_supports(SEXP domains, SEXP rows, SEXP settings);

/* shareboost_entry.c */
SEXP transelect_shareboost(SEXP blocks, SEXP y, SEXP weights, SEXP group, SEXP list, SEXP draws);
SEXP transelect_shareboost_stumps(SEXP x, SEXP order, SEXP y, SEXP weights, SEXP list, SEXP draws);
SEXP transelect_shareboost_pieces(SEXP x, SEXP balls, SEXP y, SEXP weights, SEXP list, SEXP draws);

/* msplit_entry.c, open_supports_entry.c */
SEXP transelect_msplit(SEXP data, SEXP y, SEXP weights, SEXP options, SEXP supports);
SEXP transelect_open_supports(SEXP events, SEXP most, SEXP least);

/* inclusion_entry.c */
SEXP transelect_cut_sums(SEXP x, SEXP y, SEXP root, SEXP left, SEXP factor, SEXP cut, SEXP intercept);
SEXP transelect_inclusion(SEXP sums, SEXP supports, SEXP spread, SEXP sweeps);

/* the others */
SEXP transelect_fences(SEXP x, SEXP at, SEXP rows, SEXP times);
SEXP transelect_far_out(SEXP x, SEXP rows, SEXP times);
SEXP transelect_bounded(SEXP x, SEXP low, SEXP high);
SEXP transelect_kernels(SEXP name);
SEXP transelect_moments(SEXP columns, SEXP cell, SEXP n_cells, SEXP weights);
SEXP transelect_progress(SEXP tell);
SEXP transelect_scores(SEXP x, SEXP beta, SEXP a0, SEXP at);
SEXP transelect_shape(SEXP object);
SEXP transelect_spans(SEXP blocks, SEXP n, SEXP at, SEXP group);
SEXP transelect_spd_inverse(SEXP A);
SEXP transelect_spd_solve(SEXP A, SEXP b);
SEXP transelect_spd_squares(SEXP A, SEXP X);
SEXP transelect_stacked(SEXP tables);
SEXP transelect_used_rows(SEXP matrices);
SEXP transelect_standard_combination(SEXP rows, SEXP b);
SEXP transelect_standard_terms(SEXP rows, SEXP u, SEXP w);

#endif
