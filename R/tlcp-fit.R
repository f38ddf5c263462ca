# tlcp() from the sums of the domains to the path: the problems in each unit, and a search of each.

# cells: those of frame_moments_cells(), where they are known.
tlcp_fit_path <- function(frame, target, settings, call, cells = NULL) {
  sums <- if (tlcp_rows_are_cheaper(frame, settings)) {
    tlcp_rows_refuse_search(settings, call)
    tlcp_rows_sums(frame, target, settings$intercept, call)
  } else {
    cells <- cells %||% frame_moments_cells(frame, target, call)
    moments_rows_domain_sums(cells, settings$intercept)
  }
  if (tlcp_units_is_hierarchical(settings)) {
    paths <- tlcp_fit_units_paths(sums, settings, call)
    if (settings$guard_cv) {
      fits <- list(borrowing = tlcp_fit_borrowing_coef, own = tlcp_fit_own_coef)
      paths <- tlcp_guard_paths(paths, frame, cells, target, settings, fits, call)
    }
    if (length(paths) == 1) return(paths[[1]])
    return(c(tlcp_average_paths(paths), list(averaged = lapply(paths, tlcp_posterior_of_path))))
  }
  domains <- tlcp_domain_moments(sums, tlcp_units_settings_scaling(settings), call)
  tlcp_fit_path_of(tlcp_fit_problem(domains, tlcp_columns_domains_in_use(domains, settings, call), settings, call),
                   settings, call)
}

# The paths of tlcp_fit_units_problems(), sparse alternatives last.
tlcp_fit_units_paths <- function(sums, settings, call) {
  problems <- tlcp_fit_units_problems(sums, settings, call)
  paths <- lapply(problems, tlcp_fit_path_of, settings, call)
  c(paths, lapply(attr(problems, "sparse"), function(sparse) {
    tlcp_sparse_path(paths[[1]], sparse$alternative, sparse$found)
  }))
}

# The problems that are fitted with the hierarchical prior, in own or common units or for the target alone: the
# likeliest one for a search; where all features are kept, every problem whose weight is large enough for the average,
# and as attribute `sparse` the sparse alternatives with such a weight, in the order of their weights.
tlcp_fit_units_problems <- function(sums, settings, call) {
  spreads <- tlcp_units_spread_evidence(sums)
  if (settings$standardize) tlcp_units_tell_extreme(spreads, settings)
  units <- tlcp_units_in_question(settings$units, spreads)
  found <- (if (is.null(sums$rows)) tlcp_units_of_cells else tlcp_units_of_rows)(sums, units, settings, call)
  lr <- vapply(found, `[[`, 0, "lr")
  sparse <- tlcp_sparse_alternatives(found, tlcp_units_prior(spreads$any), settings, call)
  alternatives <- tlcp_units_alternatives(lr, spreads, settings, sparse)
  weights <- alternatives[[1]]$units_weights
  problems <- lapply(alternatives, function(alternative) {
    one <- found[[alternative$units]]
    problem <- tlcp_fit_problem(one$domains, one$used, settings, call, one$lr, alternative$alone)
    problem$borrowing[names(alternative)] <- alternative
    problem
  })
  structure(problems, sparse = lapply(sparse[intersect(names(weights), names(sparse))], function(alternative) {
    list(alternative = alternative, found = found[[alternative$units]])
  }))
}

# used: what tlcp_columns_domains_in_use() returns; with method "cutoff" its domains may have other coordinates than the
# features.
tlcp_fit_problem <- function(all_domains, used, settings, call, lr = NULL, alone = FALSE) {
  domain <- used$domains[[1]]
  support <- if (is.null(domain$X)) settings$support
  borrowing <- tlcp_prior_of(used, settings, call, lr, alone, support)
  if (tlcp_prior_variance_anew(settings$criterion, borrowing$borrow) && domain$fit$df > 0) {
    borrowing$anew <- tlcp_search_likelihood_terms(domain, used$s2[1], borrowing$k, settings, call)
  }
  if (!is.null(domain$X)) {
    if (tlcp_rows_keep_all(settings)) return(tlcp_rows_problem(all_domains, used, borrowing))
    used$domains <- lapply(used$domains, tlcp_rows_with_moments)
    all_domains <- lapply(all_domains, tlcp_rows_with_moments)
  }
  tlcp_fit_search_problem(all_domains, used, borrowing, settings$support)
}

# What is searched: the domains in use, the usable columns, the borrowing prior and its quadratic form. pen: NULL, or
# penalties that are given and not estimated. By default they are those of the rule, or, where the target's coefficients
# are shrunk, those of form_penalties() (src/tlcp/form.h).
tlcp_fit_search_problem <- function(all_domains, used, borrowing, support, pen = NULL) {
  made <- borrowing$made %||% tlcp_form_quadratic(used$domains, borrowing, support)
  borrowing$made <- NULL
  borrowing$pen <- pen %||% made$pen %||% borrowing$pen
  list(all_domains = all_domains, domains = used$domains, columns = used$columns, borrowing = borrowing,
       form = made$form, own_fits = used$own_fits)
}

tlcp_fit_path_of <- function(problem, settings, call) {
  if (!is.null(problem$known)) return(tlcp_rows_path_of(problem, settings))
  found <- tlcp_search_sets(problem, settings, call)
  if (!is.null(settings$groups)) found <- tlcp_search_once_by_columns(found)
  target <- tlcp_domain_columns(problem$all_domains[[1]], problem$columns, settings$intercept)
  models <- tlcp_models_of_sets(found$sets, problem, target, call)
  z <- tlcp_models_coefficients(problem, models$w)
  if (problem$borrowing$borrow == "aggregate") z <- tlcp_models_shared_by_all(z, problem$all_domains)
  near <- if (!is.null(settings$within)) tlcp_within_sets(problem, found$certificate, settings, call)
  searched <- models$w[seq_along(problem$form$b), , drop = FALSE] # without levels
  c(problem, found, list(
    own_domain = target, z = z, near = near, objective = problem$form$c0 - colSums(searched * problem$form$b),
    trace = models$df,
    intercept_df = models$level %||% settings$intercept, own = tlcp_domain_rss(target, z[[1]]),
    common = tlcp_common_of_moments(problem)
  ))
}

# The target's constant and slopes, of all columns, in the fit that borrows and keeps all features.
tlcp_fit_borrowing_coef <- function(cells, settings, call) {
  paths <- tlcp_fit_units_paths(moments_rows_domain_sums(cells, settings$intercept), settings, call)
  coef <- tlcp_average_of(paths, function(path) {
    raw <- tlcp_domain_raw_coefficients(path$z[[1]][, 2, drop = FALSE], path$columns, path$all_domains[[1]])
    c(raw$a0, raw$beta)
  })
  list(a0 = coef[1], beta = replace(numeric(settings$p), paths[[1]]$columns, coef[-1]))
}

# The same of the best subset by the criterion in the target's rows alone.
tlcp_fit_own_coef <- function(cells, settings, call) {
  alone <- list(borrow = "none", support = "shared", units = "own", select = TRUE, sizes = FALSE, quiet = TRUE)
  settings[names(alone)] <- alone
  settings[c("sites", "within", "sigma2")] <- list(NULL, NULL, settings$own_sigma2)
  sums <- moments_rows_domain_sums(cells[1], settings$intercept)
  domains <- tlcp_domain_moments(sums, tlcp_units_settings_scaling(settings), call)
  kept <- settings$keep # a column of `keep` that is constant in a training part is left out there
  settings$keep <- integer()
  settings$keep <- intersect(kept, tlcp_columns_usable(domains, settings, call))
  problem <- tlcp_fit_problem(domains, tlcp_columns_domains_in_use(domains, settings, call), settings, call)
  path <- tlcp_fit_path_of(problem, settings, call)
  raw <- tlcp_domain_raw_coefficients(path$z[[1]][, path$best, drop = FALSE], path$columns, path$all_domains[[1]])
  list(a0 = raw$a0, beta = replace(numeric(settings$p), path$columns, raw$beta))
}
