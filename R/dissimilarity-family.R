# dissimilarity() of responses with a likelihood of their own, and with domains of which only estimates are
# known: the same figures from the domains of tlcp(), the likelihood expanded where there is one, and errors
# of the target's rows, left out in ten folds, each fold predicted by tlcp() of the other rows.

# sites: the domains given by their estimates, see frame_sites(). how: standardize, intercept, and of numbers sigma2.
refitted_dissimilarity <- function(frame, target, sites, draws, how, call) {
  draws <- check_number(draws, "draws", 0, call, whole = TRUE)
  usable <- if (by_likelihood(frame$family)) {
    family_usable(frame, target, call)
  } else {
    frame_usable(frame, target, how$intercept)
  }
  frame <- usable$frame
  with_rows <- c(target, setdiff(levels(frame$domain), target))
  names <- c(with_rows, names(sites))
  check_two_domains(names, call)
  if (length(how$sigma2) > 1) {
    abort_input("{.arg sigma2} has {length(how$sigma2)} numbers, and {.arg sources} are given.", "sigma2",
                i = "Give one number, the target's residual variance.", call = call)
  }
  known <- source_sites(frame, call)
  several <- length(names) > 2
  done <- 0
  folds <- max(folds_of_rows(which(frame$domain == target), by_likelihood(frame$family)))
  fits <- (length(names) - 1 + several) * (1 + folds) + length(with_rows) * folds
  tell <- new_progress("Fits", fits)
  count <- function() {
    done <<- done + 1
    if (!is.null(tell)) tell(done)
  }
  sharing <- function(chosen, draws) {
    on.exit(count())
    rows <- frame_domains(frame, c(target, intersect(with_rows, chosen)))
    sharing <- if (by_likelihood(frame$family)) family_sharing else moments_sharing
    sharing(rows, target, sites[intersect(names(sites), chosen)], draws, how, call)
  }
  pairs <- lapply(names[-1], sharing, draws)
  joint <- if (several) sharing(names[-1], 0) else pairs[[1]]
  errors <- refitted_errors(frame, target, known, names[-1], how, count = count, call = call)
  n <- c(table(frame$domain), vapply(sites, `[[`, 0, "n"))
  new_dissimilarity(
    names[-1], as.double(n[names[-1]]), pairs, errors$by_domain, target = target,
    family = if (by_likelihood(frame$family)) frame$family,
    joint = data.frame(lr = joint$lr, borrowed = errors$joint, n = sum(frame$domain == target), folds = folds),
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
  c(list(lr = joint_ratio(lr, any), tau = sqrt(sum(likelier$tau2[1:2]))), distance)
}

# sharing_in_likelier_units() of expansions of the likelihood.
family_sharing <- function(frame, target, sites, draws, how, call) {
  settings <- tlcp_settings(
    frame = frame, n_domains = nlevels(frame$domain) + length(sites), borrow = "hierarchical", select = FALSE,
    standardize = how$standardize, intercept = how$intercept, call = call
  )
  settings <- with_sites(settings, sites, call)
  settings$quiet <- TRUE
  parts <- family_parts(frame, target)
  settings <- family_settings(settings, frame, parts, call)
  fixed <- family_fixed(parts, feature_cells(frame, target, call), settings, call)
  units <- units_in_question(settings$units, fixed$spreads)
  s2 <- rep(1, nlevels(frame$domain) + length(sites))
  found <- lapply(stats::setNames(nm = units), function(name) {
    domains <- borrowed_mode(fixed, name, call)$quadratics
    domains <- lapply(domains, without_level, intercept = TRUE)
    c(list(domains = domains), sharing_fit(domains, s2, call)[c("lr", "tau2")])
  })
  sharing_in_likelier_units(found, fixed$spreads$any, s2, settings$intercept, draws)
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
    s2 <- residual_variances(domains, how$sigma2, call, moderate = TRUE)$s2
    domains <- lapply(domains, without_level, intercept = how$intercept)
    c(list(domains = domains, s2 = s2), sharing_fit(domains, s2, call)[c("lr", "tau2")])
  })
  sharing_in_likelier_units(found, spreads$any, found[[1]]$s2, how$intercept, draws)
}

# Mean squared errors or mean deviances of the target's rows (of survival times minus twice the log partial
# likelihood per event), each row's linear predictor from a fit without the row; NA where one cannot be
# fitted. known: domains without rows, as sites of estimates.R; others: names of all other
# domains. count: called after each fit.
refitted_errors <- function(frame, target, known, others, how, count, call) {
  mine <- which(frame$domain == target)
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
  borrowed <- vapply(others, function(name) error("hierarchical", name), 0)
  list(
    by_domain = data.frame(
      own = error("none", NULL), shrunk = shrunk, borrowed = borrowed,
      # only domains with rows can be put together with the target
      pooled = vapply(others, function(name) if (name %in% names(known)) NA_real_ else error("aggregate", name), 0)
    )[LOO_WAYS],
    joint = if (length(others) == 1) borrowed[[1]] else error("hierarchical", others)
  )
}

# own: the target's rows.
refitted_loss <- function(own, target, eta) {
  if (!by_likelihood(own$family)) {
    w <- frame_weights(own)
    return(sum(w * (response_matrix(own$y)[, 1] - eta)^2) / sum(w))
  }
  part <- family_part(own, target)
  if (anyNA(eta)) return(NA_real_)
  loss <- saturated(own$family, part) - part_log_lik(own$family, part, part$offset + eta)
  2 * loss / if (own$family == "cox") part$risk$events else sum(part$w)
}
