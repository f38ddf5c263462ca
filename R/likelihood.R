# Responses by their likelihood: log odds of a binary response, log rates of counts, and Cox's
# partial likelihood. A part is the rows of one domain:
#   name, n          the domain and its rows
#   x                features
#   y, w             the response (a share of successes, a count); weights, for shares times totals
#   total            of shares: their totals
#   offset           of the linear predictor: a number a row, or 0
#   base             the part of the log-likelihood that no coefficient changes
#   risk             cox: who is at risk when, see cox_risk_sets()
# A part that is fitted has in place of x
#   Z, unit          columns, and a number for each (NULL: 1): the coefficients are of the columns Z times `unit`. So
#                    fits in different units share one Z. A matrix, or of many rows what src/data/standard_rows.h reads
#   add              what is added to its linear predictors

LIKELIHOODS <- c("binomial", "poisson", "cox")
FAMILIES <- c("gaussian", LIKELIHOODS)
QUASI <- c("quasibinomial", "quasipoisson")

# Is `family`, as likelihood_check_family() takes it, one with a dispersion that is estimated?
likelihood_is_quasi <- function(family) {
  if (is.null(family) || is.logical(family)) return(FALSE)
  if (is.function(family)) family <- tryCatch(family(), error = function(e) NULL)
  if (inherits(family, "family")) family <- family$family
  rlang::is_string(family) && family %in% QUASI
}

# NULL, or one of FAMILIES: a name, a family object, or the function that makes one. offered: what the error offers, the
# names that the caller fits.
likelihood_check_family <- function(family, call,
                                    offered = c("gaussian", "binomial", "poisson", "negbin", "cox", QUASI)) {
  if (is.null(family)) return(NULL)
  if (is.function(family)) family <- tryCatch(family(), error = function(e) family)
  link <- NULL
  counts <- !is.null(negbin_theta(family))
  if (inherits(family, "family")) {
    link <- family$link
    family <- family$family
  }
  if (counts) family <- "poisson"
  if (rlang::is_string(family) && family %in% QUASI) family <- sub("^quasi", "", family) # see likelihood_is_quasi()
  if (!rlang::is_string(family) || !family %in% FAMILIES) {
    abort_value(family, "family", "Give one of {.or {.val {offered}}}.", call)
  }
  canonical <- c(gaussian = "identity", binomial = "logit", poisson = "log")
  if (!is.null(link) && link != canonical[[family]]) {
    abort_input("{.arg family} is {family} with the link {.val {link}}.", "family",
                i = "Give {.code family = \"{family}\"}: the link is {.val {canonical[[family]]}} here.", call = call)
  }
  family
}

# The name of a family that likelihood_check_family() takes, as it was given: "negbin", not "poisson".
likelihood_family_name <- function(family) {
  if (is.function(family)) family <- family()
  if (inherits(family, "family")) family$family else family
}

FAMILY_STEPS <- 100 # of Newton's method at most

# Newton's method ends by the linear predictors of the rows, not by the coefficients, since those of nearly collinear
# columns are only known to a larger error. It has converged where a step moves no linear predictor by more than the
# share ROUNDING of their size: after it only rounding is left. There is no maximum, the classes being separated, where
# they still move, by the share MOVING or more, and the log-likelihood gains nothing: then rows whose probability is
# already 1 to ten digits move on for ever.
ROUNDING <- 1e-7

# Mean and variance of the response, weight 1, at linear predictors. size: theta of negative binomial counts.
likelihood_mean <- function(family, eta, size = NULL) {
  if (family == "binomial") {
    mu <- stats::plogis(eta)
    return(list(mu = mu, v = pmax.int(mu * stats::plogis(-eta), 1e-15)))
  }
  mu <- exp(pmin.int(eta, 700))
  list(mu = mu, v = pmax.int(if (is.null(size)) mu else mu * (1 + mu / size), 1e-15))
}

likelihood_value <- function(family, part, eta) {
  if (family == "cox") return(cox_log_lik(part$risk, part$w, eta))
  if (!is.null(part$size)) return(part$base + negbin_log_lik(part$y, part$w, eta, part$size))
  part$base + sum(part$w * switch(family,
    binomial = part$y * eta - likelihood_log1p_exp(eta),
    poisson = part$y * eta - exp(pmin.int(eta, 700))
  ))
}

likelihood_log1p_exp <- function(x) pmax.int(x, 0) + log1p(exp(-abs(x)))

# By row, what coefficients theta add to the linear predictor.
likelihood_combination <- function(part, theta) {
  if (!is.null(part$unit)) theta <- part$unit * theta
  if (is.list(part$Z)) .Call(C_standard_combination, part$Z, theta) else drop(part$Z %*% theta)
}

likelihood_predictor <- function(part, theta) part$add + likelihood_combination(part, theta)

# Score and information in the columns of the part at linear predictors eta.
likelihood_terms_of_part <- function(family, part, eta) {
  terms <- likelihood_terms_in_columns(family, part, part$Z, eta)
  if (is.null(part$unit)) return(terms)
  list(score = terms$score * part$unit, information = terms$information * tcrossprod(part$unit))
}

likelihood_terms_in_columns <- function(family, part, Z, eta) {
  if (family == "cox") return(cox_terms(part$risk, part$w, Z, eta))
  mean <- likelihood_mean(family, eta, part$size)
  if (is.null(part$size)) {
    u <- part$w * (part$y - mean$mu)
    w <- part$w * mean$v
  } else { # v/mu is 1 + mu/size; the link is not canonical, so that the expected information is another
    more <- mean$v / mean$mu
    u <- part$w * (part$y - mean$mu) / more
    w <- part$w * mean$mu / more * if (isTRUE(part$expected)) 1 else (part$y / part$size + 1) / more
  }
  if (is.list(Z)) return(.Call(C_standard_terms, Z, u, w))
  list(score = drop(crossprod(Z, u)), information = crossprod(Z * sqrt(w)))
}

# The linear predictor of a domain without features: of all rows of `parts`.
likelihood_null_level <- function(family, parts) {
  if (family == "cox") return(0)
  if (all(vapply(parts, function(part) identical(part$offset %||% 0, 0), NA))) {
    rows <- sum(vapply(parts, function(part) sum(part$w), 0))
    mean <- sum(vapply(parts, function(part) sum(part$w * part$y), 0)) / rows
    return(if (family == "binomial") stats::qlogis(mean) else log(mean))
  }
  take <- function(name) unlist(lapply(parts, function(part) rep_len(part[[name]] %||% 0, length(part$y))))
  y <- take("y")
  w <- take("w")
  o <- take("offset")
  share <- sum(w * y) / sum(w)
  a <- if (family == "binomial") stats::qlogis(share) else log(sum(w * y)) - max(o) - log(sum(w * exp(o - max(o))))
  size <- parts[[1]]$size
  if (family == "poisson" && is.null(size) || all(o == 0)) return(a)
  a <- a - sum(w * o) / sum(w)
  for (k in 1:100) {
    expected <- likelihood_mean(family, a + o)
    more <- if (is.null(size)) 1 else 1 + expected$mu / size
    step <- sum(w * (y - expected$mu) / more) / sum(w * expected$v / more)
    a <- a + max(min(step, 2), -2)
    if (abs(step) < 1e-12) break
  }
  a
}

# By row: the response less its mean, deviance residuals and, but for Cox, Pearson residuals.
likelihood_residuals <- function(family, part, eta) {
  if (family == "cox") {
    m <- part$risk$status - cox_expected(part$risk, part$w, eta)
    status <- part$risk$status
    d <- -2 * (m + ifelse(status > 0, log(pmax.int(status - m, 1e-300)), 0))
    return(list(fitted = exp(eta), response = m, deviance = sign(m) * sqrt(pmax.int(d, 0))))
  }
  mean <- likelihood_mean(family, eta, part$size)
  mu <- mean$mu
  d <- if (!is.null(part$size)) {
    2 * part$w * (negbin_terms(part$y, log(pmax.int(part$y, 1e-300)), part$size) - negbin_terms(part$y, eta, part$size))
  } else switch(family, binomial = stats::binomial(), poisson = stats::poisson())$dev.resids(part$y, mu, part$w)
  list(fitted = mu, response = part$y - mu, deviance = sign(part$y - mu) * sqrt(pmax.int(d, 0)),
       pearson = (part$y - mu) * sqrt(part$w / mean$v))
}

# Log-likelihood of the saturated model.
likelihood_saturated <- function(family, part) {
  if (family == "cox") return(0)
  if (!is.null(part$size)) {
    return(part$base + negbin_log_lik(part$y, part$w, log(pmax.int(part$y, 1e-300)), part$size))
  }
  part$base + sum(part$w * switch(family,
    binomial = likelihood_entropy(part$y) + likelihood_entropy(1 - part$y),
    poisson = likelihood_entropy(part$y) - part$y
  ))
}

likelihood_entropy <- function(y) ifelse(y > 0, y * log(pmax.int(y, 1e-300)), 0)

# Least squares from second moments: coefficients (0 where a column is a combination of those before it), the columns
# kept, residual sum of squares and its degrees of freedom, log determinant of the Gram matrix. A column is left out if
# at most `share` of its sum of squares is no combination of the columns kept before; NULL: a share that is rounding.
likelihood_least_squares <- function(G, g, share = NULL) .Call(C_least_squares, G, g, 0, 0, share)

likelihood_is_used <- function(family) !is.null(family) && match(family, LIKELIHOODS, 0L) > 0L
