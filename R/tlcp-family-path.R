# The path of tlcp() where the response has a likelihood of its own. Every domain's log-likelihood, to second order at
# its present coefficients, is a quadratic with residual variance 1, like the second moments of a numeric response. The
# steps are
#   1. expand all domains, estimate the borrowing prior, move to the posterior means by Newton's
#      steps on the true penalised log-likelihood, until convergence;
#   2. search the best subsets of the quadratic approximation;
#   3. polish the best of every size on the true penalised log-likelihood of the domains searched;
#   4. expand at the best, search again, until its support repeats.

# parts: the rows by domain, target first (likelihood.R). cells: sums of the features as they are (the response counts
# as 0), from which scales are computed. x: the features of all rows, where parts have the numbers of their rows (`at`)
# instead of features.
family_path <- function(parts, cells, settings, call, x = NULL) {
  fixed <- family_path_fixed(parts, cells, settings, call, x)
  modes <- list()
  for (units in tlcp_units_in_question(settings$units, fixed$spreads)) {
    modes[[units]] <- family_mode_borrowed(fixed, units, call, near = if (length(modes)) modes[[1]])
    if (length(modes) == 1) {
      fixed$variance <- family_variance_of_mode(fixed, modes[[1]])
      if (!is.null(fixed$variance)) { # once more, with weights of rows
        fixed$parts <- Map(family_variance_weighted_part, fixed$parts, fixed$variance$weights)
        # from the start: near the first mode dispersions can end at another fixed point
        modes[[1]] <- family_mode_borrowed(fixed, units, call)
      }
    }
    # the same for all modes, whose likelihoods are compared
    fixed$dispersion <- modes[[1]]$dispersion
    fixed$size <- modes[[1]]$size
  }
  if (tlcp_units_is_hierarchical(settings)) modes <- family_mode_weighed(modes, fixed, call)
  paths <- lapply(unname(modes), family_search_path, fixed, call)
  if (length(paths) == 1) paths[[1]] else family_path_average(paths, fixed)
}

# The first path with the weighted mean of the coefficients of all paths.
family_path_average <- function(paths, fixed) {
  base <- paths[[1]]
  for (k in seq_along(base$coef)) {
    base$coef[[k]] <- list(beta = tlcp_average_of(paths, function(path) path$coef[[k]]$beta),
                           a0 = tlcp_average_of(paths, function(path) path$coef[[k]]$a0))
    theta <- family_domain_theta_of(fixed, base$mode$domains, base$coef[[k]])
    there <- family_search_penalised_at(base$polisher, family_search_theta(base$polisher, theta))
    base$objective[k] <- there$value
    base$log_lik[k] <- there$log_lik
  }
  base$trace <- tlcp_average_of(paths, function(path) path$trace)
  base$criterion <- base$objective + colSums(base$sets * base$borrowing$pen)
  base$averaged <- lapply(paths, tlcp_posterior_of_path)
  base$common <- tlcp_average_common(paths)
  base
}

# All that stays the same from one expansion to the next.
family_path_fixed <- function(parts, cells, settings, call, x = NULL) {
  family <- settings$family
  about_means <- settings$intercept || family == "cox" # else a column of ones counts as any other
  sums <- moments_rows_domain_sums(c(cells, estimates_site_cells(settings$sites)), about_means)
  features <- seq_len(settings$p)
  intercept <- settings$intercept && family != "cox"
  spreads <- tlcp_units_spread_evidence(sums)
  if (tlcp_units_is_hierarchical(settings) && settings$standardize) tlcp_units_tell_extreme(spreads, settings)
  level <- tlcp_units_is_hierarchical(settings) && intercept && !tlcp_domain_any_mean_far(sums)
  columns <- family_path_columns(sums, settings, call)
  everywhere <- sums$centre[features]
  null <- if (intercept) likelihood_null_level(family, c(parts, estimates_site_rows(settings$sites))) else 0
  # a power of two, so that no number is rounded by it
  widest <- vapply(columns, function(j) max(sums$spread[j, ]), 0)
  base <- 2^round(log2(ifelse(widest > 0, widest, 1)))
  parts <- Map(function(part, t) {
    part$shift <- if (level) everywhere else if (settings$intercept) sums$mean[features, t] else 0 * features
    part$varies <- sums$spread[features, t] > 0
    part$Z <- family_path_rows(part, x, columns, base, family, intercept, level)
    part$x <- part$at <- NULL
    part
  }, parts, seq_along(parts))
  list(
    parts = parts, family = family, settings = settings, columns = columns, level = level,
    intercept = intercept, base = base, null = if (level) null else 0, spreads = spreads, sites = settings$sites,
    sums = sums, size = settings$theta, dispersion = family_dispersion_given(parts, settings, call)
  )
}

# The columns that are fitted, less their means and divided by `base`, and the constant: a matrix, or of many rows what
# C needs to make them from x.
family_path_rows <- function(part, x, columns, base, family, intercept, level) {
  rows <- part$at
  if (is.null(rows)) x <- part$x
  flat <- !level & !part$varies[columns]
  if (is.matrix(x) && part$n > STANDARD_ROWS && family != "cox") {
    if (length(rows) == nrow(x)) rows <- NULL
    return(list(x = x, at = rows, column = columns, shift = part$shift[columns], base = base, flat = flat,
                constant = intercept))
  }
  x <- as.matrix(if (is.null(rows)) x else x[rows, , drop = FALSE])
  Z <- (x[, columns, drop = FALSE] - rep(part$shift[columns], each = part$n)) / rep(base, each = part$n)
  Z[, flat] <- 0
  unname(if (intercept) cbind(Z, 1) else Z)
}

STANDARD_ROWS <- 20000 # of a domain: with more its columns are not copied

# The columns that are fitted: as for a numeric response those that vary, without borrowing as many of them as are
# linearly independent.
family_path_columns <- function(sums, settings, call) {
  scale <- sums$spread
  scale[scale == 0] <- 1
  domains <- .Call(C_domain_moments, sums$cells, scale, sums$spread == 0, NULL, sums$intercept)
  if (identical(settings$borrow, "aggregate")) domains <- list(tlcp_columns_pooled_domain(domains, settings))
  tlcp_columns_usable(domains, settings, call)
}
