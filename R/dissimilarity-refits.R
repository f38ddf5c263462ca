# dissimilarity() of responses with a likelihood of their own, and with domains of which only estimates are
# known: the same figures from the domains of tlcp(), with log-likelihoods expanded to second order, and errors of the
# target's rows, left out in ten folds, each fold predicted by tlcp() of the other rows.

# sites: the domains given by their estimates, see frame_sites(). how: standardize, intercept, and of numbers sigma2.
refitted_dissimilarity <- function(frame, target, sites, draws, how, call) {
  draws <- check_number(draws, "draws", 0, call, whole = TRUE)
  usable <- if (by_likelihood(frame$family)) {
    family_usable(frame, target, call)
  } else {
    frame_usable(frame, target, how$intercept, call)
  }
  frame <- usable$frame
  with_rows <- c(target, setdiff(levels(frame$domain), target))
  names <- c(with_rows, names(sites))
  check_two_domains(names, call)
  if (length(how$sigma2) > 1) {
    abort_input("{.arg sigma2} has {length(how$sigma2)} numbers, and {.arg sources} are given.", "sigma2",
                i = "Give one number, the target's residual variance.", call = call)
  }
  known <- if (!is.null(frame$sources)) source_sites(frame, call)
  several <- length(names) > 2
  done <- 0
  folds <- max(folds_of_rows(which(of_domain(frame, target)), by_likelihood(frame$family)))
  fits <- (length(names) - 1 + several) * (1 + folds) + length(with_rows) * folds
  tell <- new_progress("Fits", fits)
  count <- function() {
    done <<- done + 1
    if (!is.null(tell)) tell(done)
  }
  fold <- folds_of_rows(which(of_domain(frame, target)), by_likelihood(frame$family))
  sharing <- function(chosen, draws) {
    on.exit(count())
    rows <- frame_domains(frame, c(target, intersect(with_rows, chosen)))
    chosen <- sites[intersect(names(sites), chosen)]
    if (!by_likelihood(frame$family)) return(moments_sharing(rows, target, chosen, draws, how, call))
    family_sharing(rows, target, chosen, draws, how, call, fold, count)
  }
  pairs <- lapply(names[-1], sharing, draws)
  joint <- if (several) sharing(names[-1], 0) else pairs[[1]]
  held <- if (by_likelihood(frame$family)) lapply(c(pairs, if (several) list(joint)), `[[`, "held")
  errors <- refitted_errors(frame, target, known, names[-1], how, held, count = count, call = call)
  n <- c(table(frame$domain), vapply(sites, `[[`, 0, "n"))
  new_dissimilarity(
    names[-1], as.double(n[names[-1]]), pairs, errors$by_domain, target = target,
    family = if (by_likelihood(frame$family)) frame$family,
    joint = data.frame(lr = joint$lr, log_bf = joint$log_bf, borrowed = errors$joint,
                       n = sum(of_domain(frame, target)), folds = folds),
    left_out = frame$left_out
  )
}

# tau, relative dissimilarity and the likelihood ratio of sharing, of the target with one other domain or with all.
# found: by units the domains without their levels, lr and tau2; s2: residual variances.
sharing_in_likelier_units <- function(found, any, s2, intercept, draws) {
  lr <- vapply(found, `[[`, 0, "lr")
  likelier <- found[[names(which.max(units_weights(lr, any)))]]
  varies <- which(likelier$domains[[1]]$varies)
  columns <- lapply(likelier$domains, domain_columns, varies, intercept)
  distance <- relative_distance(columns[1:2], s2[1:2], draws)
  log_bf <- joint_ratio(vapply(found, `[[`, 0, "log_bf"), any)
  c(list(lr = joint_ratio(lr, any), log_bf = log_bf, tau = sqrt(sum(likelier$tau2[1:2]))), distance)
}

# What sharing_in_likelier_units() needs of the domains in one of the units.
sharing_figures <- function(domains, s2, call) {
  c(list(domains = domains, s2 = s2, log_bf = sharing_evidence(domains, s2, call)),
    sharing_fit(domains, s2, call)[c("lr", "tau2")])
}

# sharing_in_likelier_units() of expansions of the likelihood, and `held`, the linear predictors of the target's rows,
# each from a model without the rows of its fold.
family_sharing <- function(frame, target, sites, draws, how, call, fold, count) {
  fixed <- family_how(frame, target, sites, "hierarchical", how, call)
  modes <- list()
  for (name in units_in_question(fixed$settings$units, fixed$spreads)) {
    modes[[name]] <- borrowed_mode(fixed, name, call, near = if (length(modes)) modes[[1]])
    fixed$dispersion <- modes[[1]]$dispersion
    fixed$size <- modes[[1]]$size
  }
  s2 <- modes[[1]]$borrowing$s2
  found <- lapply(modes, function(mode) {
    sharing_figures(lapply(mode$quadratics, without_level, intercept = TRUE), s2, call)
  })
  out <- sharing_in_likelier_units(found, fixed$spreads$any, s2, fixed$settings$intercept, draws)
  c(out, list(held = held_predictions(fixed, modes, frame_domains(frame, target), target, fold, count, call)))
}

# What family_path() fixes for a fit of all features.
family_how <- function(frame, target, sites, borrow, how, call) {
  asked <- tlcp_arguments(borrow = borrow, select = FALSE, standardize = how$standardize, intercept = how$intercept)
  settings <- tlcp_settings(asked, frame, nlevels(frame$domain) + length(sites), call)
  if (length(sites)) settings <- with_sites(settings, sites, call)
  settings$quiet <- TRUE
  parts <- family_parts(frame, target)
  settings <- family_settings(settings, frame, parts, call)
  family_fixed(parts, feature_cells(frame, target, call), settings, call)
}

# own: the target's rows. A prediction that cannot be made is NA.
held_predictions <- function(fixed, modes, own, target, fold, count, call) {
  eta <- numeric(length(fold))
  for (f in seq_len(max(fold))) {
    part <- family_part(frame_rows(own, which(fold != f)), target)
    eta[fold == f] <- tryCatch({
      held_predictor(fixed, modes, part, own$x[fold == f, , drop = FALSE], call)
    }, error = function(e) NA_real_)
    count()
  }
  eta
}

# The same by largest likelihood of the target's and another domain's rows as one.
pooled_predictions <- function(frame, target, how, fold, count, call) {
  tryCatch({
    fixed <- family_how(frame, target, NULL, "aggregate", how, call)
    mode <- borrowed_mode(fixed, fixed$settings$units, call)
    fixed$dispersion <- mode$dispersion
    fixed$size <- mode$size
    held_predictions(fixed, list(mode), frame_domains(frame, target), target, fold, count, call)
  }, transelect_error = function(e) rep(NA_real_, length(fold)))
}

HELD_STEPS <- 2 # of Newton's method, from the mode of all rows

# The linear predictor of rows x that are not in `part`, the target's other rows. The target is expanded anew and the
# borrowing prior estimated anew; the expansions of the other domains, the columns' scales and the dispersion stay those
# of all rows. Averaged over units and a target that stands alone, as by tlcp().
held_predictor <- function(fixed, modes, part, x, call) {
  if (is_degenerate(part, fixed$family)) return(NA_real_)
  rows <- held_columns(fixed, modes[[1]], x)
  if (identical(fixed$settings$borrow, "aggregate")) {
    mode <- modes[[1]]
    theta <- mode$theta[, 1]
    for (step in seq_len(HELD_STEPS)) {
      quadratics <- replace(mode$quadratics, 1, list(held_quadratic(fixed, mode, part, theta)))
      w <- coefficients_of_all(used_quadratics(fixed, quadratics), mode$borrowing)
      theta <- family_theta(fixed, quadratics[1], w, mode$borrowing)[, 1]
    }
    return(fixed$null + drop(rows %*% theta))
  }
  lr <- vapply(modes, function(mode) {
    quadratics <- replace(mode$quadratics, 1, list(held_quadratic(fixed, mode, part, mode$theta[, 1])))
    sharing_fit(quadratics, mode$borrowing$s2, call)$lr
  }, 0)
  weights <- units_weights(lr, fixed$spreads$any, fixed$settings$guard)
  weights <- weights[weights > 0]
  each <- lapply(names(weights), function(name) {
    mode <- modes[[units_of(name, names(modes))]]
    theta <- mode$theta[, 1]
    for (step in seq_len(HELD_STEPS)) {
      quadratics <- replace(mode$quadratics, 1, list(held_quadratic(fixed, mode, part, theta)))
      borrowing <- borrowing_of(family_used(fixed, quadratics), fixed$settings, call, lr = NA_real_, name == "alone")
      w <- coefficients_of_all(quadratics, borrowing)
      theta <- family_theta(fixed, quadratics, w, borrowing)[, 1]
    }
    weights[[name]] * (fixed$null + drop(held_columns(fixed, mode, x) %*% theta))
  })
  Reduce(`+`, each)
}

# The columns of rows of the target as family_domains() has them.
held_columns <- function(fixed, mode, x) {
  domain <- mode$domains[[1]]
  at <- fixed$columns
  Z <- as.matrix(x[, at, drop = FALSE]) - rep(domain$shift[at], each = nrow(x))
  Z <- Z / rep(domain$x_scale[at], each = nrow(x))
  if (!fixed$level) Z[, !domain$varies[at]] <- 0
  unname(if (fixed$intercept) cbind(Z, 1) else Z)
}

held_quadratic <- function(fixed, mode, part, theta) {
  domain <- mode$domains[[1]]
  domain[c("n", "y", "w", "risk", "base")] <- part[c("n", "y", "w", "risk", "base")]
  domain$add <- part$offset + fixed$null
  domain$Z <- held_columns(fixed, mode, part$x)
  family_quadratic(fixed, domain, theta, fit = TRUE)
}

# sharing_in_likelier_units() of second moments and estimates.
moments_sharing <- function(frame, target, sites, draws, how, call) {
  sums <- domain_sums(frame_cells(frame, target, call), how$intercept)
  spreads <- spread_evidence(sums)
  units <- units_in_question(if (how$standardize) "evidence" else "common", spreads)
  found <- lapply(stats::setNames(nm = units), function(name) {
    domains <- units_domains(sums, name, how$standardize, call)
    domains <- c(domains, sites_as_domains(sites, domains, how$intercept))
    columns <- which(Reduce(`|`, lapply(domains, `[[`, "varies")))
    domains <- lapply(domains, domain_columns, columns, how$intercept)
    s2 <- borrowing_variances(domains, how$sigma2, how$intercept, call)$s2
    domains <- lapply(domains, without_level, intercept = how$intercept)
    sharing_figures(domains, s2, call)
  })
  sharing_in_likelier_units(found, spreads$any, found[[1]]$s2, how$intercept, draws)
}

# Mean squared errors or mean deviances of the target's rows (of survival times minus twice the log partial
# likelihood per event), each row's linear predictor from a fit without the row; NA where one cannot be
# fitted. known: domains without rows, as sites of estimates.R; others: names of all other
# domains; held: of a likelihood, predictions of the rows by what is borrowed from each and from all of these, see
# family_sharing(). count: called after each fit.
refitted_errors <- function(frame, target, known, others, how, held, count, call) {
  mine <- which(of_domain(frame, target))
  likelihood <- by_likelihood(frame$family)
  fold <- folds_of_rows(mine, likelihood)
  own <- frame_domains(frame, target)
  predictions <- function(predict) {
    eta <- numeric(length(mine))
    for (f in seq_len(max(fold))) {
      at <- fold == f
      eta[at] <- predict(mine[at], frame$x[mine[at], , drop = FALSE])
    }
    refitted_loss(own, target, eta)
  }
  error <- function(borrow, domains) predictions(function(out, x) {
    kept <- frame_rows(frame, setdiff(which(frame$domain %in% c(target, domains)), out))
    kept$domain <- used_levels(kept$domain)
    lent <- known[intersect(names(known), domains)]
    kept["sources"] <- list(if (length(lent)) list(models = list(new_estimates(lent)), names = names(lent)[1]))
    fit <- tryCatch(suppressMessages(tlcp(kept, target = target, borrow = borrow, select = FALSE,
                                          standardize = how$standardize, intercept = how$intercept,
                                          sigma2 = how$sigma2)),
                    transelect_error = function(e) NULL)
    count()
    if (is.null(fit)) NA_real_ else score_rows_at(x, fit, fit$best + 1L)
  })
  shrunk <- if (likelihood) NA_real_ else predictions(function(out, x) {
    cells <- frame_cells(frame_rows(own, which(!mine %in% out)), target, call)
    tryCatch({
      predict_shrunk(own_domains(cells, how, call), as.matrix(x), how$sigma2, how$intercept, call)
    }, transelect_error_y = function(e) NA_real_) # too few rows left, or a constant response
  })
  borrowed <- if (likelihood) {
    vapply(held[seq_along(others)], refitted_loss, 0, own = own, target = target)
  } else {
    vapply(others, function(name) error("hierarchical", name), 0)
  }
  list(
    by_domain = data.frame(
      own = error("none", NULL), shrunk = shrunk, borrowed = borrowed,
      # only domains with rows can be put together with the target
      pooled = vapply(others, function(name) {
        if (name %in% names(known)) return(NA_real_)
        if (!likelihood) return(error("aggregate", name))
        eta <- pooled_predictions(frame_domains(frame, c(target, name)), target, how, fold, count, call)
        refitted_loss(own, target, eta)
      }, 0)
    )[LOO_WAYS],
    joint = if (length(others) == 1) borrowed[[1]] else if (!likelihood) error("hierarchical", others) else
      refitted_loss(own, target, held[[length(held)]])
  )
}

# own: the target's rows.
refitted_loss <- function(own, target, eta) {
  if (!by_likelihood(own$family)) {
    return(mean_by_weight((first_response(own$y) - eta)^2, frame_weights(own)))
  }
  part <- family_part(own, target)
  if (anyNA(eta)) return(NA_real_)
  loss <- saturated(own$family, part) - part_log_lik(own$family, part, part$offset + eta)
  2 * loss / if (own$family == "cox") part$risk$events else sum(part$w)
}
