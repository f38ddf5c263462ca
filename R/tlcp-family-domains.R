# Domains whose response has a likelihood: rows in standardised columns, the likelihood to second order, coefficients.

FAMILY_TOL <- 1e-8 # of linear predictors between two estimates of the borrowing prior, see newton_reach()
FAMILY_ROUNDS <- 30

# Scales of the features in a domain; those of the target for a domain whose standard deviations are unknown.
family_domain_scale <- function(fixed, units, name) {
  settings <- fixed$settings
  scaling <- if (tlcp_units_is_hierarchical(settings) &&
    settings$standardize) tlcp_units_scaling(units) else tlcp_units_settings_scaling(settings)
  column <- match(name, names(fixed$sums$cells), nomatch = 1L)
  tlcp_domain_scales(fixed$sums, scaling)[seq_len(settings$p), column]
}

# Domains with their rows in standardised columns, Z times `unit`, the constant last. A domain without rows has its
# quadratic in these columns, J and g.
family_domains_of <- function(fixed, units) {
  rows <- lapply(fixed$parts, function(part) {
    scale <- family_domain_scale(fixed, units, part$name)
    c(part, list(unit = c(fixed$base / scale[fixed$columns], if (fixed$intercept) 1), x_scale = scale,
                 add = part$offset + fixed$null))
  })
  sites <- lapply(fixed$sites, function(site) {
    scale <- family_domain_scale(fixed, units, site$name)
    shift <- fixed$parts[[1]]$shift
    part <- estimates_site_quadratic(site, fixed$columns, x_scale = scale, shift = shift, constant = fixed$intercept,
                                     null = fixed$null)
    list(name = site$name, n = site$n, shift = shift, x_scale = scale, J = part$J, g = part$g,
         peak = estimates_quadratic_peak(part$J, part$g), varies = estimates_site_varies(site))
  })
  unname(c(rows, sites))
}

# The log-likelihoods to second order at theta, in the form of tlcp-domain-moments.R, and what is needed to find the
# constant of each domain.
family_domain_quadratic <- function(fixed, domain, theta, fit = FALSE) {
  terms <- estimates_domain_terms(fixed$family, domain, theta)
  G <- terms$information
  g <- terms$score + drop(G %*% theta)
  # so that the quadratic is -2 log-likelihood at theta
  yy <- 0
  if (fit) {
    yy <- sum(theta * (G %*% theta)) + 2 * sum(theta * terms$score) -
      2 * estimates_domain_log_lik(fixed$family, domain, theta)
  }
  last <- length(g)
  own_level <- NULL
  if (fixed$intercept && !fixed$level) {
    information <- if (G[last, last] > 0) G[last, last] else Inf # of the constant; a domain without rows may have none
    own_level <- list(row = G[last, -last] / information, mean = g[last] / information)
    yy <- yy - g[last] * own_level$mean
    g <- g[-last] - G[-last, last] * own_level$mean
    G <- G[-last, -last, drop = FALSE] - tcrossprod(G[-last, last]) / information
  }
  quadratic <- list(
    name = domain$name, n = if (fixed$level) G[last, last] else domain$n, x_mean = domain$shift,
    y_mean = fixed$null, x_scale = domain$x_scale, y_scale = 1, G = G, g = g, yy = yy,
    varies = domain$varies[fixed$columns], level = fixed$level, own = own_level
  )
  if (fit) quadratic$fit <- tlcp_domain_least_squares(quadratic, fixed$intercept)
  quadratic
}

family_domain_quadratics <- function(fixed, domains, theta, fit = FALSE) {
  lapply(seq_along(domains), function(t) family_domain_quadratic(fixed, domains[[t]], theta[, t], fit))
}

# theta for coefficients w in the borrowing prior's columns; each domain has the constant of largest likelihood.
family_domain_theta <- function(fixed, quadratics, w, borrowing) {
  z <- w * sqrt(borrowing$scales)
  if (!fixed$intercept || fixed$level) return(z)
  rbind(z, vapply(seq_along(quadratics), function(t) {
    quadratics[[t]]$own$mean - sum(quadratics[[t]]$own$row * z[, t])
  }, 0))
}

# On the original scale: beta (features x domains) and a0.
family_domain_coef <- function(fixed, domains, theta) {
  slopes <- seq_along(fixed$columns)
  beta <- matrix(0, fixed$settings$p, length(domains))
  a0 <- numeric(length(domains))
  for (t in seq_along(domains)) {
    beta[fixed$columns, t] <- theta[slopes, t] / domains[[t]]$x_scale[fixed$columns]
    a0[t] <- fixed$null + sum(theta[-slopes, t]) - sum(beta[, t] * domains[[t]]$shift)
  }
  list(beta = beta, a0 = a0)
}

# theta from coefficients on the original scale: the inverse of family_domain_coef().
family_domain_theta_of <- function(fixed, domains, coef) {
  columns <- fixed$columns
  each <- lapply(seq_along(domains), function(t) {
    domain <- domains[[t]]
    beta <- coef$beta[columns, t]
    c(beta * domain$x_scale[columns], if (fixed$intercept) coef$a0[t] - fixed$null + sum(beta * domain$shift[columns]))
  })
  matrix(unlist(each), ncol = length(domains))
}

# The quadratics that the rule fits together, as tlcp_columns_domains_in_use() has domains; their residual variances are
# the dispersions of the domains.
family_domains_used <- function(fixed, quadratics, dispersion = fixed$dispersion) {
  quadratics <- family_domains_used_quadratics(fixed, quadratics)
  known <- seq_along(quadratics)
  list(domains = quadratics, columns = fixed$columns, s2 = dispersion$phi[known], s2_from = dispersion$from[known],
       s2_df = dispersion$df[known])
}

family_domains_used_quadratics <- function(fixed, quadratics) {
  rule <- fixed$settings$borrow
  if (identical(rule, "none")) return(quadratics[1])
  if (identical(rule, "aggregate")) list(tlcp_columns_added_domains(quadratics)) else quadratics
}

FAMILY_SEARCHES <- 5
