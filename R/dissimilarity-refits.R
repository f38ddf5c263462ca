# dissimilarity() of responses with a likelihood of their own, and with domains of which only estimates are
# known: the same figures from the domains of tlcp(), with log-likelihoods expanded to second order, and errors of the
# target's rows, left out in ten folds, each fold predicted by tlcp() of the other rows.

# What family_path() fixes for a fit of all features.
dissimilarity_refit_settings <- function(frame, target, sites, borrow, how, call) {
  settings <- tlcp_settings(frame, nlevels(frame$domain) + length(sites), borrow = borrow, select = FALSE,
                            standardize = how$standardize, intercept = how$intercept, call = call)
  if (length(sites)) settings <- tlcp_prior_with_sites(settings, sites, call)
  settings$quiet <- TRUE
  parts <- response_family_parts(frame, target)
  settings <- family_object_settings(settings, frame, parts, call)
  family_path_fixed(parts, frame_moments_feature_cells(frame, target, call), settings, call, frame$x)
}

# own: the target's rows. A prediction that cannot be made is NA.
dissimilarity_refit_predictions <- function(fixed, modes, own, target, fold, count, call) {
  eta <- numeric(length(fold))
  for (f in seq_len(max(fold))) {
    part <- response_family_part(frame_rows(own, which(fold != f)), target)
    eta[fold == f] <- tryCatch({
      dissimilarity_refit_predictor(fixed, modes, part, own$x[fold == f, , drop = FALSE], call)
    }, error = function(e) NA_real_)
    count()
  }
  eta
}

# The same by largest likelihood of the target's and another domain's rows as one.
dissimilarity_refit_pooled <- function(frame, target, how, fold, count, call) {
  tryCatch({
    fixed <- dissimilarity_refit_settings(frame, target, NULL, "aggregate", how, call)
    mode <- family_mode_borrowed(fixed, fixed$settings$units, call)
    fixed$dispersion <- mode$dispersion
    fixed$size <- mode$size
    dissimilarity_refit_predictions(fixed, list(mode), frame_rows_of_domains(frame, target), target, fold, count, call)
  }, transelect_error = function(e) rep(NA_real_, length(fold)))
}

HELD_STEPS <- 2 # of Newton's method, from the mode of all rows

# The linear predictor of rows x that are not in `part`, the target's other rows. The target is expanded anew and the
# borrowing prior estimated anew; the expansions of the other domains, the columns' scales and the dispersion stay those
# of all rows. Averaged over units and a target that stands alone, as by tlcp().
dissimilarity_refit_predictor <- function(fixed, modes, part, x, call) {
  if (response_family_is_degenerate(part, fixed$family)) return(NA_real_)
  rows <- dissimilarity_refit_columns(fixed, modes[[1]], x)
  if (identical(fixed$settings$borrow, "aggregate")) {
    mode <- modes[[1]]
    theta <- mode$theta[, 1]
    for (step in seq_len(HELD_STEPS)) {
      quadratics <- replace(mode$quadratics, 1, list(dissimilarity_refit_quadratic(fixed, mode, part, theta)))
      w <- tlcp_form_coefficients_of_all(family_domains_used_quadratics(fixed, quadratics), mode$borrowing)
      theta <- family_domain_theta(fixed, quadratics[1], w, mode$borrowing)[, 1]
    }
    return(fixed$null + drop(rows %*% theta))
  }
  lr <- vapply(modes, function(mode) {
    quadratics <- replace(mode$quadratics, 1, list(dissimilarity_refit_quadratic(fixed, mode, part, mode$theta[, 1])))
    tlcp_prior_sharing(quadratics, mode$borrowing$s2, call)$lr
  }, 0)
  weights <- tlcp_units_weights(lr, fixed$spreads$any, fixed$settings$guard)
  weights <- weights[weights > 0]
  each <- lapply(names(weights), function(name) {
    mode <- modes[[tlcp_units_of(name, names(modes))]]
    theta <- mode$theta[, 1]
    for (step in seq_len(HELD_STEPS)) {
      quadratics <- replace(mode$quadratics, 1, list(dissimilarity_refit_quadratic(fixed, mode, part, theta)))
      borrowing <- tlcp_prior_of(family_domains_used(fixed, quadratics), fixed$settings, call, lr = NA_real_,
                                 name == "alone")
      w <- tlcp_form_coefficients_of_all(quadratics, borrowing)
      theta <- family_domain_theta(fixed, quadratics, w, borrowing)[, 1]
    }
    weights[[name]] * (fixed$null + drop(dissimilarity_refit_columns(fixed, mode, x) %*% theta))
  })
  Reduce(`+`, each)
}

# The columns of rows of the target as family_domains_of() has them.
dissimilarity_refit_columns <- function(fixed, mode, x) {
  domain <- mode$domains[[1]]
  at <- fixed$columns
  Z <- as.matrix(x[, at, drop = FALSE]) - rep(domain$shift[at], each = nrow(x))
  Z <- Z / rep(domain$x_scale[at], each = nrow(x))
  if (!fixed$level) Z[, !domain$varies[at]] <- 0
  unname(if (fixed$intercept) cbind(Z, 1) else Z)
}

dissimilarity_refit_quadratic <- function(fixed, mode, part, theta) {
  domain <- mode$domains[[1]]
  domain[c("n", "y", "w", "risk", "base")] <- part[c("n", "y", "w", "risk", "base")]
  domain$add <- part$offset + fixed$null
  domain$Z <- dissimilarity_refit_columns(fixed, mode, part$x)
  domain$unit <- NULL
  family_domain_quadratic(fixed, domain, theta, fit = TRUE)
}
