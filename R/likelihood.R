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
QUASI <- c("quasibinomial", "quasipoisson")
NEGBIN <- c("negbin", "negative.binomial")

# Is `family`, as check_family() takes it, one with a dispersion that is estimated?
is_quasi <- function(family) {
  if (is.function(family)) family <- tryCatch(family(), error = function(e) NULL)
  if (inherits(family, "family")) family <- family$family
  rlang::is_string(family) && family %in% QUASI
}

# For negative binomial counts, whose variance is mu + mu^2/theta: theta, NA where it is to be estimated; else NULL.
negbin_theta <- function(family) {
  if (is.function(family)) family <- tryCatch(family(), error = function(e) NULL)
  if (rlang::is_string(family, NEGBIN)) return(NA_real_)
  if (!inherits(family, "family") || !grepl("^Negative Binomial", family$family)) return(NULL)
  theta <- get0(".Theta", environment(family$variance)) # as MASS::negative.binomial() keeps it
  if (is.null(theta)) NA_real_ else theta
}

# NULL, or one of FAMILIES: a name, a family object, or the function that makes one.
check_family <- function(family, call) {
  if (is.null(family)) return(NULL)
  if (is.function(family)) family <- tryCatch(family(), error = function(e) family)
  link <- NULL
  counts <- !is.null(negbin_theta(family))
  if (inherits(family, "family")) {
    link <- family$link
    family <- family$family
  }
  if (counts) family <- "poisson"
  if (rlang::is_string(family) && family %in% QUASI) family <- sub("^quasi", "", family) # see is_quasi()
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

FAMILY_STEPS <- 100 # of Newton's method at most

# Newton's method ends by the linear predictors of the rows, not by the coefficients, since those of nearly collinear
# columns are only known to a larger error. It has converged where a step moves no linear predictor by more than the
# share ROUNDING of their size: after it only rounding is left. There is no maximum, the classes being separated, where
# they still move, by the share MOVING or more, and the log-likelihood gains nothing: then rows whose probability is
# already 1 to ten digits move on for ever.
ROUNDING <- 1e-7
MOVING <- 1e-3

# By which share of their size the step `move` from theta moves the linear predictors of domains; of a domain without
# rows the distance by its information. theta, move: a column for each domain.
newton_reach <- function(domains, theta, move) {
  reach <- vapply(seq_along(domains), function(t) {
    domain <- domains[[t]]
    if (!is.null(domain$J)) {
      size <- function(v) sqrt(max(sum(v * (domain$J %*% v)), 0))
      return(size(move[, t]) / max(1, size(theta[, t])))
    }
    if (!nrow(domain$Z)) return(0)
    max(abs(domain$Z %*% move[, t])) / max(1, abs(domain$add + domain$Z %*% theta[, t]))
  }, 0)
  max(reach, 0)
}

# Is a step without gain for -2 log-likelihood, of which `value` was reached? w: weights of rows.
newton_idle <- function(gain, value, w) gain < 1e-10 * max(w, 0) + 1e-14 * abs(value)

# ---- the likelihood of a domain -------------------------------------------------------------------

# Mean and variance of the response, weight 1, at linear predictors. size: theta of negative binomial counts.
family_mean <- function(family, eta, size = NULL) {
  if (family == "binomial") {
    mu <- stats::plogis(eta)
    return(list(mu = mu, v = pmax.int(mu * stats::plogis(-eta), 1e-15)))
  }
  mu <- exp(pmin.int(eta, 700))
  list(mu = mu, v = pmax.int(if (is.null(size)) mu else mu * (1 + mu / size), 1e-15))
}

part_log_lik <- function(family, part, eta) {
  if (family == "cox") return(cox_log_lik(part$risk, part$w, eta))
  if (!is.null(part$size)) return(part$base + negbin_log_lik(part$y, part$w, eta, part$size))
  part$base + sum(part$w * switch(family,
    binomial = part$y * eta - log1p_exp(eta),
    poisson = part$y * eta - exp(pmin.int(eta, 700))
  ))
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

log1p_exp <- function(x) pmax.int(x, 0) + log1p(exp(-abs(x)))

# The log-likelihood, and its score and information in the columns of Z, of which eta is a
# combination.
part_terms <- function(family, part, Z, eta) {
  if (family == "cox") return(cox_terms(part$risk, part$w, Z, eta))
  at <- family_mean(family, eta, part$size)
  if (!is.null(part$size)) { # v/mu is 1 + mu/size; the information is the observed one, as the link is not canonical
    more <- at$v / at$mu
    return(list(score = drop(crossprod(Z, part$w * (part$y - at$mu) / more)),
                information = crossprod(Z * sqrt(part$w * (part$y / part$size + 1) * at$mu) / more)))
  }
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
  size <- parts[[1]]$size
  if (family == "poisson" && is.null(size) || all(o == 0)) return(a)
  a <- a - sum(w * o) / sum(w)
  for (k in 1:100) {
    at <- family_mean(family, a + o)
    more <- if (is.null(size)) 1 else 1 + at$mu / size
    step <- sum(w * (y - at$mu) / more) / sum(w * at$v / more)
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
  at <- family_mean(family, eta, part$size)
  mu <- at$mu
  d <- if (!is.null(part$size)) {
    2 * part$w * (negbin_terms(part$y, log(pmax.int(part$y, 1e-300)), part$size) - negbin_terms(part$y, eta, part$size))
  } else switch(family, binomial = stats::binomial(), poisson = stats::poisson())$dev.resids(part$y, mu, part$w)
  list(fitted = mu, response = part$y - mu, deviance = sign(part$y - mu) * sqrt(pmax.int(d, 0)),
       pearson = (part$y - mu) * sqrt(part$w / at$v))
}

# Log-likelihood of the saturated model.
saturated <- function(family, part) {
  if (family == "cox") return(0)
  if (!is.null(part$size)) {
    return(part$base + negbin_log_lik(part$y, part$w, log(pmax.int(part$y, 1e-300)), part$size))
  }
  part$base + sum(part$w * switch(family,
    binomial = entropy(part$y) + entropy(1 - part$y),
    poisson = entropy(part$y) - part$y
  ))
}

entropy <- function(y) ifelse(y > 0, y * log(pmax.int(y, 1e-300)), 0)

# ---- Cox -----------------------------------------------------------------------------------------

# Cox's partial likelihood with Efron's treatment of ties, strata, (start, stop] and weights, as
# survival::coxph() has it: value, score, information, and the baseline. Vectorised: risk sets are
# differences of cumulative sums over sorted times.

# Who is at risk when. time: a matrix of start (-Inf where there is none) and stop; status 0 or 1.
#   key        by event (the d of a tie one after the other): the number of its time
#   share      what of the events at its time have left the risk set already: 0, 1/d, ..., (d-1)/d
risk_sets <- function(start, stop, status, strata = NULL) {
  n <- length(stop)
  strata <- if (is.null(strata)) rep(1L, n) else as.integer(factor(strata))
  dead <- which(status == 1)
  dead <- dead[order(strata[dead], stop[dead])]
  change <- c(TRUE, diff(strata[dead]) != 0 | diff(stop[dead]) != 0)[seq_along(dead)]
  key <- cumsum(change)
  d <- tabulate(key, max(key, 0))
  first <- which(change)
  times <- data.frame(stratum = strata[dead[first]], time = stop[dead[first]], d = d)
  # row i is at risk at event times from[i] + 1, ..., to[i] of its stratum
  at <- function(t) {
    out <- integer(n)
    for (s in unique(strata)) {
      mine <- which(times$stratum == s)
      base <- if (length(mine)) mine[1] - 1L else 0L
      rows <- which(strata == s)
      out[rows] <- base + findInterval(t[rows], times$time[mine])
    }
    out
  }
  own <- integer(n)
  own[dead] <- key
  list(n = n, status = as.double(status), dead = dead, key = key, d = d, own = own, times = times,
       share = (seq_along(dead) - first[key]) / d[key],
       from = at(start), to = at(stop), events = length(dead))
}

# Sums over the risk set at every event time: v a matrix (rows x columns).
risk_sums <- function(risk, v) {
  k <- nrow(risk$times)
  add <- rowsum_at(v, risk$to, k)
  less <- rowsum_at(v, risk$from, k)
  # in the risk set of time j: from < j <= to
  backwards <- function(m) apply(m, 2, function(column) rev(cumsum(rev(column))))
  matrix(backwards(add), nrow = k) - matrix(backwards(less), nrow = k)
}

rowsum_at <- function(v, at, k) {
  out <- matrix(0, k, ncol(v))
  keep <- at > 0
  if (any(keep)) {
    sums <- rowsum(v[keep, , drop = FALSE], at[keep])
    out[as.integer(rownames(sums)), ] <- sums
  }
  out
}

# By event: the sums over its risk set, minus Efron's shares of the tied events before it.
efron_sums <- function(risk, v) {
  v <- as.matrix(v)
  all <- risk_sums(risk, v)
  tied <- rowsum_at(v, risk$own, nrow(risk$times))
  all[risk$key, , drop = FALSE] - risk$share * tied[risk$key, , drop = FALSE]
}

# exp(eta) without overflow: the partial likelihood depends on differences of eta only.
cox_pieces <- function(risk, w, eta) {
  eta <- eta - max(eta)
  r <- w * exp(eta)
  mean_w <- (rowsum_at(as.matrix(w), risk$own, nrow(risk$times)) / risk$d)[risk$key, 1]
  list(eta = eta, r = r, w = mean_w, s0 = efron_sums(risk, r)[, 1])
}

cox_log_lik <- function(risk, w, eta) {
  if (!risk$events) return(0)
  at <- cox_pieces(risk, w, eta)
  sum(w[risk$dead] * at$eta[risk$dead]) - sum(at$w * log(at$s0))
}

cox_terms <- function(risk, w, Z, eta) {
  at <- cox_pieces(risk, w, eta)
  mean <- efron_sums(risk, Z * at$r) / at$s0
  score <- colSums(Z[risk$dead, , drop = FALSE] * w[risk$dead]) - colSums(mean * at$w)
  hazard <- at$r * row_hazard(risk, at)
  information <- crossprod(Z, Z * hazard) - crossprod(mean * sqrt(at$w))
  list(score = score, information = (information + t(information)) / 2)
}

# The cumulative baseline hazard up to the time of each row, without the factor exp(eta); an event in a tie counts
# only a part of the hazard at its own time.
row_hazard <- function(risk, at) {
  k <- nrow(risk$times)
  step <- at$w / at$s0
  cumulative <- c(0, cumsum(rowsum_at(as.matrix(step), risk$key, k)))
  seen <- cumulative[risk$to + 1] - cumulative[pmax.int(risk$from, 0) + 1]
  part <- rowsum_at(as.matrix(step * risk$share), risk$key, k)
  seen - c(0, part)[risk$own + 1]
}

cox_expected <- function(risk, w, eta) {
  if (!risk$events) return(numeric(risk$n))
  at <- cox_pieces(risk, w, eta)
  exp(at$eta) * row_hazard(risk, at)
}

# The cumulative baseline hazard at every event time, by stratum.
cox_baseline <- function(risk, w, eta) {
  at <- cox_pieces(risk, w, eta)
  step <- rowsum_at(as.matrix(at$w / at$s0), risk$key, nrow(risk$times)) * exp(-max(eta))
  data.frame(stratum = risk$times$stratum, time = risk$times$time,
             hazard = stats::ave(step[, 1], risk$times$stratum, FUN = cumsum))
}

# Least squares from second moments: coefficients (0 where a column is a combination of those before it), the columns
# kept, residual sum of squares and its degrees of freedom, log determinant of the Gram matrix. A column is left out if
# at most `share` of its sum of squares is no combination of the columns kept before; NULL: a share that is rounding.
least_squares_by <- function(G, g, share = NULL) .Call(C_least_squares, G, g, 0, 0, share)
