# The log-likelihoods of the domains to second order, and the mode of the penalised log-likelihood of all domains, in
# units that are given, with the borrowing prior there; the weights of these modes.

# The borrowing prior and all coefficients, estimated in turn given each other. near: the mode in other units, at which
# the estimation starts.
family_mode_borrowed <- function(fixed, units, call, alone = FALSE, near = NULL) {
  settings <- fixed$settings
  domains <- family_domains_of(fixed, units)
  theta <- vapply(domains, function(domain) family_mode_start(fixed, domain, call),
                  numeric(length(fixed$columns) + fixed$intercept))
  theta <- matrix(theta, ncol = length(domains))
  if (!is.null(near)) theta <- family_domain_theta_of(fixed, domains,
                                                      family_domain_coef(fixed, near$domains, near$theta))
  estimated <- identical(settings$borrow, "hierarchical")
  size <- fixed$size
  unknown <- isTRUE(is.na(size))
  with_size <- function(domains) {
    lapply(domains, function(domain) if (is.null(domain$J)) c(domain, size = size) else domain)
  }
  if (!is.null(size) && !unknown) domains <- with_size(domains)
  plain <- domains
  repeated <- estimated || unknown
  change <- 1
  dispersion <- fixed$dispersion
  for (round in seq_len(if (repeated) FAMILY_ROUNDS else 1)) {
    if (unknown && round <= DISPERSION_ROUNDS) {
      size <- family_dispersion_negbin_size(fixed, plain, theta)
      domains <- with_size(plain)
    }
    quadratics <- family_domain_quadratics(fixed, domains, theta, fit = TRUE)
    if (is.null(fixed$dispersion) && round <= DISPERSION_ROUNDS) {
      used <- if (round > 1) family_dispersion_spent_df(quadratics, borrowing)
      dispersion <- family_dispersion_estimated(fixed, domains, theta, settings, used)
    }
    # lr is not known before the mode, see family_mode_weighed()
    borrowing <- tlcp_prior_of(family_domains_used(fixed, quadratics, dispersion), settings, call, lr = NA_real_, alone)
    # before the borrowing prior has converged the mode need not be exact
    found <- family_mode_given_borrowing(fixed, domains, theta, borrowing, call, if (repeated) change / 10 else 0)
    change <- newton_reach(domains, theta, found - theta)
    theta <- found
    if (change < FAMILY_TOL) break
  }
  quadratics <- family_domain_quadratics(fixed, domains, theta, fit = TRUE)
  if (is.null(fixed$dispersion) && !estimated) { # the mode does not depend on it
    dispersion <- family_dispersion_estimated(fixed, domains, theta, settings)
    borrowing <- tlcp_prior_of(family_domains_used(fixed, quadratics, dispersion), settings, call, lr = NA_real_, alone)
  }
  list(units = units, domains = domains, theta = theta, borrowing = borrowing, rounds = round,
       dispersion = dispersion, size = size, variance = fixed$variance, quadratics = quadratics)
}

# Where the search for the mode of a domain starts: slopes of 0, or where the offset varies much those that undo what
# the columns explain of it, if they are likelier.
family_mode_start <- function(fixed, domain, call) {
  p <- length(fixed$columns)
  level <- function(domain) if (fixed$intercept) likelihood_null_level(fixed$family, list(domain)) - fixed$null
  if (!is.null(domain$J)) return(numeric(p + fixed$intercept))
  start <- c(numeric(p), level(domain))
  offset <- rep_len(domain$offset, domain$n)
  if (diff(range(offset)) <= OFFSETS_APART) return(start)
  # least squares, by the score and information of counts with rates of 1
  plain <- domain[setdiff(names(domain), "size")]
  plain$y <- 1 - offset + mean(offset)
  terms <- likelihood_terms_of_part("poisson", plain, numeric(domain$n))
  undone <- tryCatch(solve(terms$information, terms$score), error = function(e) NULL)
  if (is.null(undone)) return(start)
  undone[seq_along(undone) > p] <- 0
  domain$offset <- offset + likelihood_combination(domain, undone)
  left <- diff(range(domain$offset))
  if (left > OFFSETS_TOO_FAR) response_family_abort_offset(offset, domain$name, call)
  near <- c(undone[seq_len(p)], level(domain))
  worth <- function(theta) estimates_domain_log_lik(fixed$family, domain, theta)
  if (isTRUE(worth(near) > worth(start))) near else start
}

OFFSETS_APART <- 5 # from this range on offsets are looked at
OFFSETS_TOO_FAR <- 100 # beyond what the columns explain of them: ratios of rates or odds of exp(100)

# Newton's method on the penalised log-likelihood of the domains in use; others stay. A step with a reach below
# `enough` is the last. A penalised log-likelihood always has a maximum.
family_mode_given_borrowing <- function(fixed, domains, theta, borrowing, call, enough = 0) {
  use <- if (borrowing$borrow == "none") 1L else seq_along(domains)
  alone <- tlcp_prior_without_borrowing(borrowing$borrow)
  value <- family_mode_penalised_value(fixed, domains, theta, borrowing, use)
  weight <- max(vapply(domains[use], function(domain) max(domain$w, 0), 0))
  for (step in seq_len(FAMILY_STEPS)) {
    quadratics <- family_domain_quadratics(fixed, domains, theta)
    w <- tryCatch(tlcp_form_coefficients_of_all(family_domains_used_quadratics(fixed, quadratics), borrowing),
                  error = function(e) NULL)
    if (is.null(w) || !all(is.finite(w))) family_mode_abort_separated(fixed, call)
    if (borrowing$borrow == "aggregate") w <- w[, rep(1, length(quadratics)), drop = FALSE]
    move <- family_domain_theta(fixed, quadratics[use], w, borrowing) - theta[, use]
    reach <- newton_reach(domains[use], theta[, use, drop = FALSE], move)
    share <- 1
    repeat {
      moved <- theta
      moved[, use] <- theta[, use] + share * move
      if (share * reach < ROUNDING) return(moved)
      now <- family_mode_penalised_value(fixed, domains, moved, borrowing, use)
      if (is.finite(now) && now <= value + 1e-12 * abs(value) || share < 1e-8) break
      share <- share / 2
    }
    idle <- newton_idle(value - now, value, weight)
    theta <- moved
    value <- now
    if (share == 1 && reach < enough || idle && !alone) return(theta)
    if (idle && share * reach > MOVING) break
  }
  if (alone) family_mode_abort_separated(fixed, call)
  theta
}

# -2 log-likelihood of the domains in use, weighted, and the penalty of their differences.
family_mode_penalised_value <- function(fixed, domains, theta, borrowing, use) {
  lam <- rep_len(borrowing$lam, length(use))
  loss <- vapply(use, function(t) {
    estimates_domain_log_lik(fixed$family, domains[[t]], theta[, t])
  }, 0)
  loss <- -2 * sum(lam * loss)
  if (tlcp_prior_without_borrowing(borrowing$borrow)) return(loss)
  coordinates <- seq_along(borrowing$scales)
  w <- theta[coordinates, , drop = FALSE] / sqrt(borrowing$scales)
  loss + tlcp_form_coupled_squares(w, borrowing)
}

family_mode_abort_separated <- function(fixed, call) {
  name <- fixed$parts[[1]]$name
  what <- switch(fixed$family,
    binomial = "the classes are separated by the features",
    poisson = "some combination of the features is largest (or smallest) in every row with events",
    cox = "some combination of the features is largest (or smallest) at every event"
  )
  abort_input("The likelihood has no maximum{words_in_domain(name)}: {what}.", c("family", "separated"),
              i = "Leave out features ({.arg drop} of {.fn tlcp_control}), or give rows of other domains: with
                   {.code borrow = \"hierarchical\"} coefficients are shrunk and stay finite.",
              call = call)
}

# The modes in own and in common units with their weights by the evidence for sharing, and the mode of the target
# alone where its weight is not 0.
family_mode_weighed <- function(modes, fixed, call) {
  lr <- vapply(modes, function(mode) tlcp_prior_sharing(mode$quadratics, mode$borrowing$s2, call)$lr, 0)
  lapply(tlcp_units_alternatives(lr, fixed$spreads, fixed$settings), function(alternative) {
    mode <- modes[[alternative$units]]
    if (alternative$alone) mode <- family_mode_borrowed(fixed, alternative$units, call, TRUE, near = mode)
    mode$borrowing[names(alternative)] <- alternative
    mode
  })
}
