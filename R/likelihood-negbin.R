# Negative binomial counts: the likelihood and its parameter theta.

NEGBIN <- c("negbin", "negative.binomial")

# For negative binomial counts, whose variance is mu + mu^2/theta: theta, NA where it is to be estimated; else NULL.
negbin_theta <- function(family) {
  if (is.null(family) || is.logical(family)) return(NULL)
  if (is.function(family)) family <- tryCatch(family(), error = function(e) NULL)
  if (rlang::is_string(family, NEGBIN)) return(NA_real_)
  if (!inherits(family, "family") || !grepl("^Negative Binomial", family$family)) return(NULL)
  theta <- get0(".Theta", environment(family$variance)) # as MASS::negative.binomial() keeps it
  if (is.null(theta)) NA_real_ else theta
}

# The log-likelihood of negative binomial counts without -log y!, and its terms that depend on the mean, by row.
negbin_log_lik <- function(y, w, eta, size) {
  sum(w * (negbin_gamma(y, size) + negbin_terms(y, eta, size)))
}

# log gamma(y + size) - log gamma(size) - y log(size); of a large size by Stirling's series, since the difference would
# be lost in rounding.
negbin_gamma <- function(y, size) {
  size <- rep_len(size, length(y))
  large <- size >= 100
  found <- lgamma(y + size) - lgamma(size) - y * log(size)
  s <- size[large]
  x <- y[large]
  rest <- function(z) 1 / (12 * z) - 1 / (360 * z^3) + 1 / (1260 * z^5)
  found[large] <- (s + x - .5) * log1p(x / s) - x + rest(s + x) - rest(s)
  found
}

negbin_terms <- function(y, eta, size) y * eta - (y + size) * log1p(exp(pmin.int(eta, 700)) / size)

# theta of largest likelihood, one for all parts; eta: their linear predictors. By Newton's method on log theta from the
# best of a search.
negbin_size <- function(parts, eta) {
  y <- unlist(lapply(parts, `[[`, "y"))
  w <- unlist(lapply(parts, `[[`, "w"))
  eta <- unlist(eta)
  mu <- exp(pmin.int(eta, 700))
  found <- stats::optimize(function(log_size) negbin_log_lik(y, w, eta, exp(log_size)), log(NEGBIN_THETA),
                           maximum = TRUE, tol = 1e-4)$maximum
  for (step in 1:4) {
    size <- exp(found)
    slope <- size * sum(w * (digamma(y + size) - digamma(size) - log1p(mu / size) + (mu - y) / (mu + size)))
    curve <- slope + size^2 * sum(w * (trigamma(y + size) - trigamma(size) + mu / (size * (mu + size)) -
                                         (mu - y) / (mu + size)^2))
    if (!is.finite(curve) || curve >= 0) break
    found <- found - max(min(slope / curve, .1), -.1)
  }
  size <- min(max(exp(found), NEGBIN_THETA[1]), NEGBIN_THETA[2])
  # where the likelihood has no maximum, it is flat there
  flat <- negbin_log_lik(y, w, eta, NEGBIN_THETA[2]) >= negbin_log_lik(y, w, eta, size) - 1e-9 * length(y)
  if (flat) NEGBIN_THETA[2] else size
}

NEGBIN_THETA <- c(1e-6, 1e12) # where it is estimated
NEGBIN_RANGE <- c(1e-2, 1e6) # of variances that are compared, see family_variance_forms()
