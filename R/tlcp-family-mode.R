# The log-likelihoods of the domains to second order, and the mode of the penalised log-likelihood of all domains, in
# units that are given, with the borrowing prior there; the weights of these modes.

FAMILY_TOL <- 1e-8 # of linear predictors between two estimates of the borrowing prior, see newton_reach()
FAMILY_ROUNDS <- 30

# ---- quadratics --------------------------------------------------------------------------------

# Scales of the features in a domain; those of the target for a domain whose standard deviations are unknown.
family_scale <- function(fixed, units, name) {
  settings <- fixed$settings
  scaling <- if (is_hierarchical(settings) && settings$standardize) units_scaling(units) else settings_scaling(settings)
  at <- match(name, names(fixed$sums$cells), nomatch = 1L)
  domain_scales(fixed$sums, scaling)[seq_len(settings$p), at]
}

# Domains with their rows in standardised columns, Z, the constant last. A domain without rows has its quadratic in
# these columns, J and g.
family_domains <- function(fixed, units) {
  rows <- lapply(fixed$parts, function(part) {
    scale <- family_scale(fixed, units, part$name)
    Z <- part$x / rep(scale[fixed$columns], each = nrow(part$x))
    if (fixed$intercept) Z <- cbind(Z, 1)
    part$x <- NULL
    c(part, list(Z = unname(Z), x_scale = scale, add = part$offset + fixed$null))
  })
  sites <- lapply(fixed$sites, function(site) {
    scale <- family_scale(fixed, units, site$name)
    shift <- fixed$parts[[1]]$shift
    part <- site_quadratic(site, fixed$columns, x_scale = scale, shift = shift, constant = fixed$intercept,
                           null = fixed$null)
    list(name = site$name, n = site$n, shift = shift, x_scale = scale, J = part$J, g = part$g,
         peak = quadratic_peak(part$J, part$g), varies = site_varies(site))
  })
  unname(c(rows, sites))
}

# The log-likelihoods to second order at theta, in the form of tlcp-domain-moments.R, and what is needed to find the
# constant of each domain.
family_quadratic <- function(fixed, domain, theta, fit = FALSE) {
  terms <- domain_terms(fixed$family, domain, theta)
  G <- terms$information
  g <- terms$score + drop(G %*% theta)
  # so that the quadratic is -2 log-likelihood at theta
  yy <- 0
  if (fit) {
    yy <- sum(theta * (G %*% theta)) + 2 * sum(theta * terms$score) -
      2 * domain_log_lik(fixed$family, domain, theta)
  }
  at <- length(g)
  own <- NULL
  if (fixed$intercept && !fixed$level) {
    information <- if (G[at, at] > 0) G[at, at] else Inf # of the constant; a domain without rows may have none
    own <- list(row = G[at, -at] / information, mean = g[at] / information)
    yy <- yy - g[at] * own$mean
    g <- g[-at] - G[-at, at] * own$mean
    G <- G[-at, -at, drop = FALSE] - tcrossprod(G[-at, at]) / information
  }
  quadratic <- list(
    name = domain$name, n = if (fixed$level) G[at, at] else domain$n, x_mean = domain$shift,
    y_mean = fixed$null, x_scale = domain$x_scale, y_scale = 1, G = G, g = g, yy = yy,
    varies = domain$varies[fixed$columns], level = fixed$level, own = own
  )
  if (fit) quadratic$fit <- domain_fit(quadratic, fixed$intercept)
  quadratic
}

family_quadratics <- function(fixed, domains, theta, fit = FALSE) {
  lapply(seq_along(domains), function(t) family_quadratic(fixed, domains[[t]], theta[, t], fit))
}

# theta for coefficients w in the borrowing prior's columns; each domain has the constant of largest likelihood.
family_theta <- function(fixed, quadratics, w, borrowing) {
  z <- w * sqrt(borrowing$scales)
  if (!fixed$intercept || fixed$level) return(z)
  rbind(z, vapply(seq_along(quadratics), function(t) {
    quadratics[[t]]$own$mean - sum(quadratics[[t]]$own$row * z[, t])
  }, 0))
}

# On the original scale: beta (features x domains) and a0.
family_coef <- function(fixed, domains, theta) {
  at <- seq_along(fixed$columns)
  beta <- matrix(0, fixed$settings$p, length(domains))
  a0 <- numeric(length(domains))
  for (t in seq_along(domains)) {
    beta[fixed$columns, t] <- theta[at, t] / domains[[t]]$x_scale[fixed$columns]
    a0[t] <- fixed$null + sum(theta[-at, t]) - sum(beta[, t] * domains[[t]]$shift)
  }
  list(beta = beta, a0 = a0)
}

# theta from coefficients on the original scale: the inverse of family_coef().
theta_of <- function(fixed, domains, coef) {
  at <- fixed$columns
  each <- lapply(seq_along(domains), function(t) {
    domain <- domains[[t]]
    beta <- coef$beta[at, t]
    c(beta * domain$x_scale[at], if (fixed$intercept) coef$a0[t] - fixed$null + sum(beta * domain$shift[at]))
  })
  matrix(unlist(each), ncol = length(domains))
}

# ---- the mode of all domains -----------------------------------------------------------------------

# The borrowing prior and all coefficients, estimated in turn given each other. near: a mode in other units, to start
# from.
borrowed_mode <- function(fixed, units, call, alone = FALSE, near = NULL) {
  settings <- fixed$settings
  domains <- family_domains(fixed, units)
  start <- vapply(domains, function(domain) {
    if (fixed$intercept && is.null(domain$J)) null_level(fixed$family, list(domain)) - fixed$null else 0
  }, 0)
  p <- length(fixed$columns)
  theta <- matrix(0, p + fixed$intercept, length(domains))
  if (fixed$intercept) theta[p + 1, ] <- start
  if (!is.null(near)) theta <- theta_of(fixed, domains, family_coef(fixed, near$domains, near$theta))
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
      size <- family_size(fixed, plain, theta)
      domains <- with_size(plain)
    }
    quadratics <- family_quadratics(fixed, domains, theta, fit = TRUE)
    if (is.null(fixed$dispersion) && round <= DISPERSION_ROUNDS) {
      used <- if (round > 1) spent_df(quadratics, borrowing)
      dispersion <- family_dispersion(fixed, domains, theta, settings, used)
    }
    # lr is not known before the mode, see weighed_modes()
    borrowing <- borrowing_of(family_used(fixed, quadratics, dispersion), settings, call, lr = NA_real_, alone)
    # before the borrowing prior has converged the mode need not be exact
    found <- given_borrowing_mode(fixed, domains, theta, borrowing, call, if (repeated) change / 10 else 0)
    change <- newton_reach(domains, theta, found - theta)
    theta <- found
    if (change < FAMILY_TOL) break
  }
  quadratics <- family_quadratics(fixed, domains, theta, fit = TRUE)
  if (is.null(fixed$dispersion) && !estimated) { # the mode does not depend on it
    dispersion <- family_dispersion(fixed, domains, theta, settings)
    borrowing <- borrowing_of(family_used(fixed, quadratics, dispersion), settings, call, lr = NA_real_, alone)
  }
  list(units = units, domains = domains, theta = theta, borrowing = borrowing, rounds = round,
       dispersion = dispersion, size = size, quadratics = quadratics)
}

# The quadratics that the rule fits together, as domains_in_use() has domains; their residual variances are the
# dispersions of the domains.
family_used <- function(fixed, quadratics, dispersion = fixed$dispersion) {
  quadratics <- used_quadratics(fixed, quadratics)
  at <- seq_along(quadratics)
  list(domains = quadratics, columns = fixed$columns, s2 = dispersion$phi[at], s2_from = dispersion$from[at],
       s2_df = dispersion$df[at])
}

used_quadratics <- function(fixed, quadratics) {
  rule <- fixed$settings$borrow
  if (identical(rule, "none")) return(quadratics[1])
  if (identical(rule, "aggregate")) list(added_domains(quadratics)) else quadratics
}

# Newton's method on the penalised log-likelihood of the domains in use; others stay. A step with a reach below
# `enough` is the last. A penalised log-likelihood always has a maximum.
given_borrowing_mode <- function(fixed, domains, theta, borrowing, call, enough = 0) {
  use <- if (borrowing$borrow == "none") 1L else seq_along(domains)
  alone <- without_borrowing(borrowing$borrow)
  at <- penalised_value(fixed, domains, theta, borrowing, use)
  weight <- max(vapply(domains[use], function(domain) max(domain$w, 0), 0))
  for (step in seq_len(FAMILY_STEPS)) {
    quadratics <- family_quadratics(fixed, domains, theta)
    w <- tryCatch(coefficients_of_all(used_quadratics(fixed, quadratics), borrowing), error = function(e) NULL)
    if (is.null(w) || !all(is.finite(w))) abort_separated(fixed, call)
    if (borrowing$borrow == "aggregate") w <- w[, rep(1, length(quadratics)), drop = FALSE]
    move <- family_theta(fixed, quadratics[use], w, borrowing) - theta[, use]
    reach <- newton_reach(domains[use], theta[, use, drop = FALSE], move)
    share <- 1
    repeat {
      moved <- theta
      moved[, use] <- theta[, use] + share * move
      if (share * reach < ROUNDING) return(moved)
      now <- penalised_value(fixed, domains, moved, borrowing, use)
      if (is.finite(now) && now <= at + 1e-12 * abs(at) || share < 1e-8) break
      share <- share / 2
    }
    idle <- newton_idle(at - now, at, weight)
    theta <- moved
    at <- now
    if (share == 1 && reach < enough || idle && !alone) return(theta)
    if (idle && share * reach > MOVING) break
  }
  if (alone) abort_separated(fixed, call)
  theta
}

# -2 log-likelihood of the domains in use, weighted, and the penalty of their differences.
penalised_value <- function(fixed, domains, theta, borrowing, use) {
  lam <- rep_len(borrowing$lam, length(use))
  loss <- vapply(use, function(t) {
    domain_log_lik(fixed$family, domains[[t]], theta[, t])
  }, 0)
  loss <- -2 * sum(lam * loss)
  if (without_borrowing(borrowing$borrow)) return(loss)
  at <- seq_along(borrowing$scales)
  w <- theta[at, , drop = FALSE] / sqrt(borrowing$scales)
  loss + coupled_squares(w, borrowing)
}

abort_separated <- function(fixed, call) {
  name <- fixed$parts[[1]]$name
  what <- switch(fixed$family,
    binomial = "the classes are separated by the features",
    poisson = "some combination of the features is never there where events are",
    cox = "some combination of the features is largest (or smallest) at every event"
  )
  abort_input("The likelihood has no maximum{in_domain(name)}: {what}.", "family",
              i = "Leave out features ({.arg drop}), or give rows of other domains: with
                   {.code borrow = \"hierarchical\"} coefficients are shrunk and stay finite.",
              call = call)
}

# The modes in own and in common units with their weights by the evidence for sharing, and the mode of the target
# alone where its weight is not 0.
weighed_modes <- function(modes, fixed, call) {
  lr <- vapply(modes, function(mode) sharing_fit(mode$quadratics, mode$borrowing$s2, call)$lr, 0)
  lapply(weighed_alternatives(lr, fixed$spreads, fixed$settings), function(alternative) {
    mode <- modes[[alternative$units]]
    if (alternative$alone) mode <- borrowed_mode(fixed, alternative$units, call, TRUE, near = mode)
    mode$borrowing[names(alternative)] <- alternative
    mode
  })
}
