# Residual variances of the domains: their own, given, or by the likelihood given the other domains.

# The `sigma2` that was given for the domains in use, in their order.
tlcp_variances_given <- function(domains, settings, call) {
  sigma2 <- check_order_by_names(settings$sigma2, tlcp_domain_names(domains), "sigma2", call)
  tlcp_variances_check_sigma2(sigma2, length(domains), call)
  if (tlcp_prior_without_borrowing(settings$borrow)) sigma2[1] else sigma2
}

LEAST_DF <- 5 # with fewer degrees of freedom a domain takes a variance from all domains

# A variance for each domain, in its own units (1 where the domain is in units of it already): the one given, or
# RSS/(n - rank - 1). With `moderate` these are shrunk towards each other; without, a domain with fewer than
# LEAST_DF degrees of freedom takes the mean of all variances, weighted by their degrees of freedom. Where
# no domain has any, the marginal likelihood of its ridge estimates it. `from` names the way, `df` the degrees
# of freedom of each.
tlcp_variances_of_domains <- function(domains, sigma2, call, moderate = FALSE) {
  n_domains <- length(domains)
  s2 <- df <- least <- numeric(n_domains)
  known <- logical(n_domains)
  for (t in seq_len(n_domains)) {
    domain <- domains[[t]]
    known[t] <- isTRUE(domain$known)
    df[t] <- max(domain$fit$df, 0)
    s2[t] <- domain$fit$rss / max(domain$fit$df, 1)
    least[t] <- 1e-10 * domain$yy / domain$n
  }
  if (any(known)) {
    rest <- tlcp_variances_of_domains(domains[!known], sigma2, call, moderate)
    out <- list(s2 = rep(1, n_domains), from = rep("known", n_domains), df = rep(Inf, n_domains))
    for (part in names(out)) out[[part]][!known] <- rest[[part]]
    return(out)
  }
  moderate <- moderate && n_domains > 1
  enough <- df >= if (n_domains > 1 && !moderate) LEAST_DF else 1
  from <- rep("all domains", n_domains)
  from[enough] <- if (moderate) "own residuals, moderated" else "own residuals"
  freedom <- df
  freedom[!enough] <- sum(df)
  within <- sum(s2 * df) / sum(df)
  if (all(df == 0)) {
    s2 <- vapply(domains, tlcp_variances_ridge_of_domain, 0)
    from[] <- "marginal likelihood"
  } else if (!moderate) {
    s2[!enough] <- within
  } else if (sum(df > 0) < 2 || within == 0) { # nothing tells how far variances are apart
    s2[] <- within
    freedom[] <- sum(df)
  } else {
    shrunk <- tlcp_moderation_of_variances(matrix(s2, 1L), df)
    s2 <- drop(shrunk$s2)
    freedom <- pmin.int(shrunk$d0 + df, sum(df))
  }
  if (!is.null(sigma2)) {
    sigma2 <- check_order_by_names(sigma2, tlcp_domain_names(domains), "sigma2", call)
    given <- tlcp_variances_check_sigma2(sigma2, n_domains, call)
    scale <- vapply(domains, `[[`, 0, "y_scale")
    at <- seq_along(given)
    s2[at] <- given / scale[at]^2
    from[at] <- "given"
    freedom[at] <- Inf
  }
  list(s2 = unname(pmax.int(s2, least)), from = from, df = freedom)
}

tlcp_variances_check_sigma2 <- function(sigma2, n_domains, call) {
  mend <- paste0("Give the target's residual variance, a positive number",
                 if (n_domains > 1) ", or those of all {n_domains} domains, target first", ".")
  check_numbers(sigma2, "sigma2", function(v) v > 0, mend, call, n = c(1, n_domains))
}

tlcp_variances_ridge_of_domain <- function(domain) {
  if (!is.null(domain$X)) {
    A <- tlcp_rows_design(domain)
    e <- tlcp_rows_directions(.Call(C_rows_kernel, A, rep(1, ncol(A))), domain$y)
    return(tlcp_variances_ridge(e$values, e$y^2, domain$yy, domain$fit$df + length(domain$fit$kept)))
  }
  e <- eigen(domain$G, symmetric = TRUE)
  r <- which(e$values > SINGULAR * max(e$values[1], 0))
  u2 <- drop(crossprod(e$vectors[, r, drop = FALSE], domain$g))^2 / e$values[r]
  tlcp_variances_ridge(e$values[r], u2, domain$yy, domain$fit$df + length(domain$fit$kept))
}

# The residual variance where no degrees of freedom are left: y ~ N(0, s2 I + omega2 XX') in m dimensions. The
# likelihood of the share of noise in the variance is often flat, or largest at no noise at all, so s2 is averaged
# over this share with a uniform prior. d: eigenvalues of XX'; u2: squares of y in their basis. The rest of y'y lies
# in the directions orthogonal to the columns of X.
tlcp_variances_ridge <- function(d, u2, yy, m) {
  share <- (seq_len(99) - .5) / 99
  rest <- max(yy - sum(u2), 0)
  at <- vapply(share, function(noise) {
    v <- noise + (1 - noise) * d * m / sum(d)
    total <- (rest / noise + sum(u2 / v)) / m
    outside <- (m - length(d)) * log(noise)
    c(s2 = noise * total, log_lik = -(m * log(total) + sum(log(v)) + outside) / 2)
  }, c(s2 = 0, log_lik = 0))
  sum(response_scores_average_weights(at["log_lik", ]) * at["s2", ])
}

VARIANCE_GRID <- seq(-6, 6, .15) # of log s^2 about its prior mean
VARIANCE_PRIOR <- stats::dt(VARIANCE_GRID, 4, log = TRUE)
DISTANCE_GRID <- seq(-14, 4, .75) # of log tau^2 about the logarithm of the ridge's prior variance

GIVEN_OTHERS <- "likelihood given the other domains"

# The residual variances of the hierarchical model, see tlcp_variances_of_domains(). That of a target with fewer than
# LEAST_DF degrees of freedom, unless it is given, is the exponential of the posterior mean of log s^2; its degrees of
# freedom are those of a chi-squared whose logarithm has the posterior's variance.
tlcp_variances_for_borrowing <- function(domains, sigma2, intercept, call) {
  variances <- tlcp_variances_of_domains(domains, sigma2, call, moderate = TRUE)
  if (length(domains) < 2 || domains[[1]]$fit$df >= LEAST_DF || variances$from[1] == "given") return(variances)
  if (!any(domains[[1]]$varies) || !any(vapply(domains[-1], function(domain) any(domain$varies), NA))) return(variances)
  posterior <- tlcp_variances_posterior(domains, variances, intercept, call)
  variances$s2[1] <- exp(posterior$mean)
  variances$from[1] <- GIVEN_OTHERS
  variances$df[1] <- 2 * tlcp_moderation_trigamma_inverse(posterior$variance)
  variances
}

# Mean and variance of log s^2, see src/tlcp/variance.h.
tlcp_variances_posterior <- function(domains, variances, intercept, call) {
  centre <- log(tlcp_variances_of_others(domains, variances))
  rows <- if (!is.null(domains[[1]]$X)) {
    tlcp_rows_of_variance(tlcp_domain_own_levels(domains, intercept), variances$s2, intercept)
  }
  tlcp_prior_or_stop(.Call(C_variance_posterior, domains, variances$s2, intercept, rows, centre, VARIANCE_GRID,
                           VARIANCE_PRIOR, DISTANCE_GRID), call)
}

# The other domains' residual variance, a mean weighted by their degrees of freedom. Where they have none, the variance
# of the target that is found without this likelihood.
tlcp_variances_of_others <- function(domains, variances) {
  df <- vapply(domains, function(domain) if (isTRUE(domain$known)) 0 else max(domain$fit$df, 0), 0)[-1]
  if (!any(df > 0)) return(variances$s2[1])
  sum(variances$s2[-1] * df) / sum(df)
}
