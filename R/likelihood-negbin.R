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
  sum(w * (lgamma(y + size) - lgamma(size) - y * log(size) + negbin_terms(y, eta, size)))
}

negbin_terms <- function(y, eta, size) y * eta - (y + size) * log1p(exp(pmin.int(eta, 700)) / size)

# theta of largest likelihood, one for all parts; eta: their linear predictors. By Newton's method on log theta from the
# best of a search.
negbin_size <- function(parts, eta) {
  y <- unlist(lapply(parts, `[[`, "y"))
  w <- unlist(lapply(parts, `[[`, "w"))
  eta <- unlist(eta)
  mu <- exp(pmin.int(eta, 700))
  found <- stats::optimize(function(log_size) negbin_log_lik(y, w, eta, exp(log_size)), log(NEGBIN_RANGE),
                           maximum = TRUE, tol = 1e-4)$maximum
  for (step in 1:4) {
    size <- exp(found)
    slope <- size * sum(w * (digamma(y + size) - digamma(size) - log1p(mu / size) + (mu - y) / (mu + size)))
    curve <- slope + size^2 * sum(w * (trigamma(y + size) - trigamma(size) + mu / (size * (mu + size)) -
                                         (mu - y) / (mu + size)^2))
    if (!is.finite(curve) || curve >= 0) break
    found <- found - max(min(slope / curve, .1), -.1)
  }
  min(max(exp(found), NEGBIN_RANGE[1]), NEGBIN_RANGE[2])
}

NEGBIN_RANGE <- c(1e-2, 1e6)
