# Responses by their likelihood: log odds of a binary response, log rates of counts, and Cox's
# partial likelihood. A part is the rows of one domain:
#   name, n          the domain and its rows
#   x                features
#   y, w             the response (a share of successes, a count); weights, for shares times totals
#   offset           of the linear predictor
#   base             the part of the log-likelihood that no coefficient changes
#   risk             cox: who is at risk when, see risk_sets()

LIKELIHOODS <- c("binomial", "poisson", "cox")
FAMILIES <- c("gaussian", LIKELIHOODS)

# NULL, or one of FAMILIES: a name, a family object, or the function that makes one.
check_family <- function(family, call) {
  if (is.null(family)) return(NULL)
  if (is.function(family)) family <- tryCatch(family(), error = function(e) family)
  link <- NULL
  if (inherits(family, "family")) {
    link <- family$link
    family <- family$family
  }
  if (rlang::is_string(family) && grepl("^quasi", family)) {
    plain <- intersect(sub("^quasi", "", family), LIKELIHOODS)
    abort_input("{.arg family} is {.val {family}}, which has no likelihood to choose by.", "family",
                i = if (length(plain)) "Give {.val {plain}}. Where the data are overdispersed,
                     {.code confint(dispersion = \"pearson\")} and {.code vcov()} have the wider standard
                     errors of a quasi-likelihood." else
                  "Give one of {.or {.val {FAMILIES}}}.", call = call)
  }
  if (!rlang::is_string(family) || !family %in% FAMILIES) {
    abort_value(family, "family", "Give one of {.or {.val {FAMILIES}}}.", call)
  }
  canonical <- c(gaussian = "identity", binomial = "logit", poisson = "log")
  if (!is.null(link) && link != canonical[[family]]) {
    abort_input("{.arg family} is {family} with the link {.val {link}}.", "family",
                i = "Give {.code family = \"{family}\"}: the link is {.val {canonical[[family]]}} here.", call = call)
  }
  family
}

FAMILY_STEPS <- 40 # of Newton's method; a maximum at infinity is not reached in as many

by_likelihood <- function(family) !is.null(family) && family %in% LIKELIHOODS

# ---- the likelihood of a domain -------------------------------------------------------------------

# Mean and variance of the response, weight 1, at linear predictors.
family_mean <- function(family, eta) {
  if (family == "binomial") {
    mu <- stats::plogis(eta)
    return(list(mu = mu, v = pmax.int(mu * stats::plogis(-eta), 1e-15)))
  }
  mu <- exp(pmin.int(eta, 700))
  list(mu = mu, v = pmax.int(mu, 1e-15))
}

part_log_lik <- function(family, part, eta) {
  if (family == "cox") return(cox_log_lik(part$risk, part$w, eta))
  part$base + sum(part$w * switch(family,
    binomial = part$y * eta - log1p_exp(eta),
    poisson = part$y * eta - exp(pmin.int(eta, 700))
  ))
}

log1p_exp <- function(x) pmax.int(x, 0) + log1p(exp(-abs(x)))

# The log-likelihood, and its score and information in the columns of Z, of which eta is a
# combination.
part_terms <- function(family, part, Z, eta) {
  if (family == "cox") return(cox_terms(part$risk, part$w, Z, eta))
  at <- family_mean(family, eta)
  list(score = drop(crossprod(Z, part$w * (part$y - at$mu))),
       information = crossprod(Z * sqrt(part$w * at$v)))
}

# The linear predictor of a domain without features: of all rows of `parts`.
null_level <- function(family, parts) {
  if (family == "cox") return(0)
  take <- function(name) unlist(lapply(parts, `[[`, name))
  y <- take("y")
  w <- take("w")
  o <- take("offset")
  share <- sum(w * y) / sum(w)
  a <- if (family == "binomial") stats::qlogis(share) else log(sum(w * y) / sum(w * exp(o)))
  if (family == "poisson" || all(o == 0)) return(a)
  a <- a - sum(w * o) / sum(w)
  for (k in 1:100) {
    at <- family_mean(family, a + o)
    step <- sum(w * (y - at$mu)) / sum(w * at$v)
    a <- a + max(min(step, 2), -2)
    if (abs(step) < 1e-12) break
  }
  a
}

# By row: the response less its mean, deviance residuals and, but for Cox, Pearson residuals.
part_residuals <- function(family, part, eta) {
  if (family == "cox") {
    m <- part$risk$status - cox_expected(part$risk, part$w, eta)
    status <- part$risk$status
    d <- -2 * (m + ifelse(status > 0, log(pmax.int(status - m, 1e-300)), 0))
    return(list(fitted = exp(eta), response = m, deviance = sign(m) * sqrt(pmax.int(d, 0))))
  }
  at <- family_mean(family, eta)
  mu <- at$mu
  d <- switch(family, binomial = stats::binomial(), poisson = stats::poisson())$dev.resids(part$y, mu, part$w)
  list(fitted = mu, response = part$y - mu, deviance = sign(part$y - mu) * sqrt(pmax.int(d, 0)),
       pearson = (part$y - mu) * sqrt(part$w / at$v))
}

# Log-likelihood of the saturated model.
saturated <- function(family, part) {
  if (family == "cox") return(0)
  part$base + sum(part$w * switch(family,
    binomial = entropy(part$y) + entropy(1 - part$y),
    poisson = entropy(part$y) - part$y
  ))
}

entropy <- function(y) ifelse(y > 0, y * log(pmax.int(y, 1e-300)), 0)
