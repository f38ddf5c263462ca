# Residual variances of the domains: their own, given, or by the likelihood given the other domains.

# The `sigma2` that was given for the domains in use, in the order of their names.
tlcp_variances_given <- function(names, settings, call) {
  sigma2 <- check_order_by_names(settings$sigma2, names, "sigma2", call)
  tlcp_variances_check_sigma2(sigma2, length(names), call)
  if (tlcp_prior_without_borrowing(settings$borrow)) sigma2[1] else sigma2
}

LEAST_DF <- 5 # with fewer degrees of freedom a domain takes a variance from all domains

GIVEN_OTHERS <- "likelihood given the other domains"
VARIANCE_FROM <- c("own residuals", "own residuals, moderated", "all domains", "marginal likelihood", "known", "given",
                   GIVEN_OTHERS) # by the codes of src/tlcp/domain_variances.h

# A variance for each domain, in its own units (1 where the domain is already divided by it): the one given, or
# RSS/(n - rank - 1). With `moderate` these are shrunk towards each other; without, a domain with fewer than
# LEAST_DF degrees of freedom takes the mean of all variances, weighted by their degrees of freedom. Where
# no domain has any, the marginal likelihood of its ridge estimates it. `from` names the way, `df` the degrees
# of freedom of each. See src/tlcp/domain_variances.h.
tlcp_variances_of_domains <- function(domains, sigma2, call, moderate = FALSE) {
  given <- tlcp_variances_given_of_rows(domains, sigma2, call)
  tlcp_variances_named(.Call(C_domain_variances, domains, given, moderate))
}

tlcp_variances_named <- function(found) list(s2 = found$s2, from = VARIANCE_FROM[found$from], df = found$df)

# sigma2 as numbers, one for all or one for each domain with rows; NULL stays NULL.
tlcp_variances_given_of_rows <- function(domains, sigma2, call) {
  if (is.null(sigma2)) return(NULL)
  names <- tlcp_domain_names(Filter(function(domain) !isTRUE(domain$known), domains))
  sigma2 <- check_order_by_names(sigma2, names, "sigma2", call)
  as.double(tlcp_variances_check_sigma2(sigma2, length(names), call))
}

tlcp_variances_check_sigma2 <- function(sigma2, n_domains, call) {
  mend <- paste0("Give the target's residual variance, a positive number",
                 if (n_domains > 1) ", or those of all {n_domains} domains, target first", ".")
  check_numbers(sigma2, "sigma2", function(v) v > 0, mend, call, n = c(1, n_domains))
}

# The residual variance of a domain without degrees of freedom, see variance_of_ridge() in src/tlcp/domain_variances.h.
# d: eigenvalues of XX'; u2: squares of y in their basis; m: dimensions.
tlcp_variances_ridge <- function(d, u2, yy, m) .Call(C_ridge_variance, d, u2, yy, m)

VARIANCE_GRID <- seq(-6, 6, .15) # of log s^2 about its prior mean
VARIANCE_PRIOR <- stats::dt(VARIANCE_GRID, 4, log = TRUE)
DISTANCE_GRID <- seq(-14, 4, .75) # of log tau^2 about the logarithm of the ridge's prior variance

VARIANCE_GRIDS <- list(log_s2 = VARIANCE_GRID, log_prior = VARIANCE_PRIOR, log_tau2 = DISTANCE_GRID)

# The residual variances of the hierarchical model, see tlcp_variances_of_domains(). That of a target with fewer than
# LEAST_DF degrees of freedom, unless it is given, is the exponential of the posterior mean of log s^2; its degrees of
# freedom are those of a chi-squared whose logarithm has the posterior's variance.
tlcp_variances_for_borrowing <- function(domains, sigma2, intercept, call) {
  if (is.null(domains[[1]]$X)) {
    given <- tlcp_variances_given_of_rows(domains, sigma2, call)
    found <- .Call(C_borrow_variances, domains, given, intercept, VARIANCE_GRIDS)
    return(tlcp_variances_named(tlcp_prior_or_stop(found, call)))
  }
  variances <- tlcp_variances_of_domains(domains, sigma2, call, moderate = TRUE)
  if (length(domains) < 2 || domains[[1]]$fit$df >= LEAST_DF || variances$from[1] == "given") return(variances)
  if (!any(domains[[1]]$varies) || !any(vapply(domains[-1], function(domain) any(domain$varies), NA))) return(variances)
  posterior <- tlcp_variances_posterior(domains, variances, intercept, call)
  variances$s2[1] <- exp(posterior$mean)
  variances$from[1] <- GIVEN_OTHERS
  variances$df[1] <- posterior$df
  variances
}

# Mean and variance of log s^2 of a target known by its rows, see src/tlcp/variance.h.
tlcp_variances_posterior <- function(domains, variances, intercept, call) {
  centre <- log(tlcp_variances_of_others(domains, variances))
  rows <- tlcp_rows_of_variance(tlcp_domain_own_levels(domains, intercept), variances$s2, intercept)
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
