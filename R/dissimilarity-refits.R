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

# The target's rows without each fold, as dissimilarity_refit_rows() takes them. target_frame: the target's rows.
dissimilarity_refit_parts <- function(target_frame, target, fold) {
  target_frame$x <- target_frame$x[, 0L, drop = FALSE]
  target_frame$raw <- target_frame$sources <- NULL
  lapply(seq_len(max(fold)), function(f) {
    i <- which(fold != f)
    part <- response_family_part(frame_rows(target_frame, i), target)
    part$x <- NULL
    c(part, list(rows = i, out = which(fold == f)))
  })
}

# parts: of dissimilarity_refit_parts(). A prediction that cannot be made is NA.
dissimilarity_refit_predictions <- function(fixed, modes, parts, count, call) {
  eta <- numeric(fixed$parts[[1]]$n)
  for (part in parts) {
    eta[part$out] <- tryCatch(dissimilarity_refit_predictor(fixed, modes, part, call), error = function(e) NA_real_)
    count()
  }
  eta
}

# The same by the target alone, by largest likelihood. A fold in which it cannot be found from that of all rows, as
# columns that vary in all rows do not vary there, is fitted by `refit`, a function of the part.
dissimilarity_refit_alone <- function(target_frame, target, how, parts, refit, count, call) {
  target_frame["sources"] <- list(NULL)
  found <- tryCatch({
    fixed <- dissimilarity_refit_settings(target_frame, target, NULL, "none", how, call)
    list(fixed = fixed, mode = if (fixed$settings$intercept && !isTRUE(is.na(fixed$size))) {
      family_mode_borrowed(fixed, fixed$settings$units, call)
    })
  }, transelect_error = function(e) NULL)
  eta <- numeric(frame_rows_count(target_frame))
  for (part in parts) {
    predicted <- if (!is.null(found$mode)) dissimilarity_refit_alone_predictor(found$fixed, found$mode, part, call)
    if (is.null(predicted)) eta[part$out] <- refit(part) else {
      eta[part$out] <- predicted
      count()
    }
  }
  eta
}

dissimilarity_refit_alone_predictor <- function(fixed, mode, part, call) {
  if (response_family_is_degenerate(part, fixed$family)) return(NA_real_)
  domain <- dissimilarity_refit_rows(fixed, mode$domains[[1]], part)
  tryCatch({
    theta <- family_mode_given_borrowing(fixed, list(domain), mode$theta[, 1, drop = FALSE], mode$borrowing, call)
    quadratic <- family_domain_quadratic(fixed, domain, theta[, 1], fit = TRUE)
    if (length(quadratic$fit$kept) < length(fixed$columns)) return(NULL)
    eta <- fixed$null + dissimilarity_refit_scores(mode$domains[[1]], part$out, theta[, 1])
    if (fixed$family != "cox") return(eta) # of a Cox model it is 0 at the means of the rows
    eta - sum(domain$w * likelihood_combination(domain, theta[, 1])) / sum(domain$w)
  }, transelect_error = function(e) NULL)
}

# The same by largest likelihood of the target's and another domain's rows as one.
dissimilarity_refit_pooled <- function(frame, target, how, parts, count, call) {
  tryCatch({
    fixed <- dissimilarity_refit_settings(frame, target, NULL, "aggregate", how, call)
    mode <- family_mode_borrowed(fixed, fixed$settings$units, call)
    fixed$dispersion <- mode$dispersion
    fixed$size <- mode$size
    dissimilarity_refit_predictions(fixed, list(mode), parts, count, call)
  }, transelect_error = function(e) rep(NA_real_, length(unlist(lapply(parts, `[[`, "out")))))
}

HELD_ENOUGH <- 1e-6 # by which share the log-likelihood of a fit without a fold may still grow
HELD_STEPS <- 2 # of Newton's method, from the mode of all rows

# The linear predictor of the target's rows that are not in `part`. The target is expanded anew without them, and the
# borrowing prior estimated anew at the first step; the expansions of the other domains, the columns' scales and the
# dispersion stay those of all rows. Averaged over units and a target that stands alone, as by tlcp(). modes: of
# dissimilarity_refit_paths().
dissimilarity_refit_predictor <- function(fixed, modes, part, call) {
  if (response_family_is_degenerate(part, fixed$family)) return(NA_real_)
  target <- dissimilarity_refit_rows(fixed, modes[[1]]$domains[[1]], part)
  expanded <- function(mode, theta) {
    target[c("unit", "x_scale")] <- mode$domains[[1]][c("unit", "x_scale")]
    replace(mode$quadratics, 1, list(family_domain_quadratic(fixed, target, theta, fit = TRUE)))
  }
  moved <- function(quadratics, borrowing) {
    w <- tlcp_form_coefficients_of_all(family_domains_used_quadratics(fixed, quadratics), borrowing)
    family_domain_theta(fixed, quadratics[1], w[, 1, drop = FALSE], borrowing)[, 1]
  }
  predicted <- function(mode, theta) fixed$null + dissimilarity_refit_scores(mode$domains[[1]], part$out, theta)
  if (identical(fixed$settings$borrow, "aggregate")) {
    mode <- modes[[1]]
    theta <- mode$theta[, 1]
    for (step in seq_len(HELD_STEPS)) theta <- moved(expanded(mode, theta), mode$borrowing)
    return(predicted(mode, theta))
  }
  first <- lapply(modes, function(mode) expanded(mode, mode$theta[, 1]))
  s2 <- modes[[1]]$borrowing$s2
  lr <- mapply(function(mode, quadratics) {
    tlcp_prior_sharing(quadratics, s2, call, mode$paths$ratio, HELD_ENOUGH)$lr
  }, modes, first)
  weights <- tlcp_units_weights(lr, fixed$spreads$any, fixed$settings$guard)
  weights <- weights[weights > 0]
  each <- lapply(names(weights), function(name) {
    units <- tlcp_units_of(name, names(modes))
    mode <- modes[[units]]
    quadratics <- first[[units]]
    borrowing <- dissimilarity_refit_prior(mode, quadratics, s2, name == "alone", call)
    for (step in seq_len(HELD_STEPS)) {
      if (step > 1) quadratics <- expanded(mode, theta)
      theta <- moved(quadratics, borrowing)
    }
    weights[[name]] * predicted(mode, theta)
  })
  Reduce(`+`, each)
}

# The borrowing prior of these domains, by a search from that of all rows. alone: as in tlcp_prior_of().
dissimilarity_refit_prior <- function(mode, quadratics, s2, alone, call) {
  near <- function(path) list(start = path, enough = HELD_ENOUGH)
  how <- tlcp_control() # the settings by default
  prior <- tlcp_prior_fit(quadratics, s2, how, call, near = near(mode$paths$shared))
  borrowing <- c(list(lam = 1 / s2, scales = prior$scale), prior[c("common", "own", "tau2", "omega2")])
  if (!alone) return(borrowing)
  tlcp_prior_unrelated_target(borrowing, quadratics[[1]], s2[1], how, call, near(mode$paths$alone))
}

# The mode with `paths`, where the searches of its priors ended; ratio: that of the likelihood ratio.
dissimilarity_refit_paths <- function(mode, ratio, call) {
  s2 <- mode$borrowing$s2
  how <- tlcp_control() # the settings by default
  target <- mode$quadratics[[1]]
  mode$paths <- list(
    ratio = ratio, shared = tlcp_prior_fit(mode$quadratics, s2, how, call)$path,
    alone = if (any(target$varies)) tlcp_prior_fit(tlcp_prior_target_slopes(target), s2[1], how, call)$path
  )
  mode
}

# The linear predictors of the target's rows, each by the target alone without its fold, its slopes in z-scores shrunk
# by a ridge of largest marginal likelihood. The steps are those of dissimilarity_refit_predictor().
dissimilarity_refit_shrunk <- function(fixed, mode, parts, call) {
  eta <- numeric(fixed$parts[[1]]$n)
  s2 <- mode$borrowing$s2[1]
  one <- function(part) {
    if (response_family_is_degenerate(part, fixed$family)) return(NA_real_)
    domain <- dissimilarity_refit_rows(fixed, mode$domains[[1]], part)
    theta <- mode$theta[, 1]
    for (step in seq_len(HELD_STEPS)) {
      quadratic <- family_domain_quadratic(fixed, domain, theta, fit = TRUE)
      centred <- tlcp_domain_own_levels(list(quadratic), intercept = TRUE)
      A <- centred[[1]]$G / s2
      diag(A) <- diag(A) + 1 / tlcp_prior_or_stop(.Call(C_borrow_alone, centred, s2, NULL), call)$omega2
      slopes <- .Call(C_spd_solve, A, centred[[1]]$g / s2)
      level <- length(slopes) + 1
      theta <- if (fixed$level) {
        c(slopes, (quadratic$g[level] - sum(quadratic$G[level, -level] * slopes)) / quadratic$G[level, level])
      } else {
        family_domain_theta(fixed, list(quadratic), cbind(slopes), list(scales = 1))[, 1]
      }
    }
    fixed$null + dissimilarity_refit_scores(mode$domains[[1]], part$out, theta)
  }
  for (part in parts) eta[part$out] <- tryCatch(one(part), error = function(e) NA_real_)
  eta
}

# A domain of family_domains_of() with some of its rows only. part: of dissimilarity_refit_parts().
dissimilarity_refit_rows <- function(fixed, domain, part) {
  domain[c("n", "y", "w", "risk", "base")] <- part[c("n", "y", "w", "risk", "base")]
  domain$Z <- dissimilarity_refit_rows_of_columns(domain$Z, part$rows)
  domain$add <- part$offset + fixed$null
  domain
}

# What the coefficients theta add to the linear predictor of rows i of a domain.
dissimilarity_refit_scores <- function(domain, i, theta) {
  domain$Z <- dissimilarity_refit_rows_of_columns(domain$Z, i)
  likelihood_combination(domain, theta)
}

dissimilarity_refit_rows_of_columns <- function(Z, i) {
  if (is.matrix(Z)) return(Z[i, , drop = FALSE])
  Z$at <- (Z$at %||% seq_len(nrow(Z$x)))[i]
  Z
}
