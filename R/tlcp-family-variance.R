# How the variance V of overdispersed counts grows with their mean mu: with a dispersion V = phi mu; for negative
# binomial counts V = mu + mu^2/theta, so that rows with large expected counts have less information. The two forms are
# compared by their likelihoods at the means mu of a first fit, both negative binomial (the first with size mu/(phi -
# 1)), with theta and phi by maximum likelihood over the rows of all domains. Let p be the probability of the second
# form, and q the probability that the domain's own rows are overdispersed at all (by the likelihood averaged over both
# forms, against the Poisson distribution's), with equal prior probabilities. In the second fit a row then has the
# weight
#   w = q (p / (1 + mu/theta) + (1 - p) / phi) + 1 - q,
# the mean of mu/V over the forms, scaled to mean 1 in each domain. The dispersion phi of a domain is now that of V =
# phi mu/w, and at least the largest w: no row varies less than a Poisson count. Weights of the user multiply w. Counts
# whose likelihood over all domains is not clearly larger with either form than that of Poisson counts keep w = 1, and
# so do those whose weights would be 1 within a hundredth.

VARIANCE_SURE <- 2    # log-likelihoods above the Poisson distribution's from which on rows have weights
VARIANCE_ALIKE <- .01 # weights that differ less from 1 are 1

# The two forms at the means of a fit: list(gain, theta, phi, mu, poisson, square, linear). gain: the log-likelihood
# with mu + mu^2/theta less that with phi mu. By domain with rows: mu, and the log-likelihoods of the Poisson
# distribution, of mu + mu^2/theta and of phi mu.
family_variance_forms <- function(mode) {
  domains <- which(vapply(mode$domains, function(domain) is.null(domain$J), NA))
  eta <- lapply(domains, function(t) pmin.int(likelihood_predictor(mode$domains[[t]], mode$theta[, t]), 700))
  domains <- mode$domains[domains]
  log_lik <- function(size) { # by domain
    vapply(seq_along(domains), function(t) {
      negbin_log_lik(domains[[t]]$y, domains[[t]]$w, eta[[t]], size(exp(eta[[t]])))
    }, 0)
  }
  largest <- function(size, within) {
    found <- stats::optimize(function(log_by) sum(log_lik(size(exp(log_by)))), log(within), maximum = TRUE, tol = 1e-6)
    list(by = exp(found$maximum), log_lik = log_lik(size(exp(found$maximum))))
  }
  square <- largest(function(theta) function(mu) theta, NEGBIN_RANGE)
  # at the largest mean the least size is the same; phi from 1.001, beyond which lgamma() of large counts is not exact
  most <- max(vapply(seq_along(domains), function(t) exp(max(eta[[t]][domains[[t]]$w > 0], 0)), 0))
  linear <- largest(function(by) function(mu) by * mu, c(NEGBIN_RANGE[1] / most, 1e3))
  poisson <- vapply(seq_along(domains), function(t) {
    sum(domains[[t]]$w * (domains[[t]]$y * eta[[t]] - exp(eta[[t]])))
  }, 0)
  list(gain = sum(square$log_lik) - sum(linear$log_lik), theta = square$by, phi = 1 + 1 / linear$by,
       mu = lapply(eta, exp), poisson = poisson, square = square$log_lik, linear = linear$log_lik)
}

# list(weights, range, share, gain, theta, phi) for the second fit, weights by domain; NULL where all are 1: other
# families, a dispersion that is given or the user's V = phi mu, domains without rows, counts like the Poisson
# distribution's or with variances like phi mu.
family_variance_of_mode <- function(fixed, mode) {
  settings <- fixed$settings
  if (settings$family != "poisson" || !identical(settings$dispersion, "estimated") || isTRUE(settings$quasi) ||
        !identical(settings$borrow, "hierarchical") || length(settings$sites)) {
    return(NULL)
  }
  forms <- family_variance_forms(mode)
  over <- max(sum(forms$square), sum(forms$linear)) - sum(forms$poisson)
  if (!is.finite(over) || over < VARIANCE_SURE) return(NULL)
  share <- stats::plogis(forms$gain)
  weights <- lapply(seq_along(forms$mu), function(t) {
    over <- c(forms$square[t], forms$linear[t])
    over <- max(over) + log(sum(c(share, 1 - share) * exp(over - max(over))))
    over <- stats::plogis(over - forms$poisson[t])
    w <- over * (share / (1 + forms$mu[[t]] / forms$theta) + (1 - share) / forms$phi) + 1 - over
    own <- fixed$parts[[t]]$w
    w <- pmax.int(w, 1e-10 * max(w[own > 0]))
    w * sum(own) / sum(own * w)
  })
  ends <- range(unlist(Map(function(w, part) w[part$w > 0], weights, fixed$parts)))
  if (max(abs(ends - 1)) < VARIANCE_ALIKE) return(NULL)
  c(list(weights = weights, range = ends, share = share), forms[c("gain", "theta", "phi")])
}

# The part with the weights of its rows multiplied by `weights`. Its component `least` is the least possible dispersion.
family_variance_weighted_part <- function(part, weights) {
  part$least <- max(weights[part$w > 0])
  part$w <- part$w * weights
  part$base <- -sum(part$w * lgamma(part$y + 1))
  part
}

# Words on the weights of rows: what they depend on, their range, and why.
family_variance_words <- function(variance) {
  paste0("rows with large expected counts weigh less (", paste(signif(variance$range, 2), collapse = " to "),
         " times): with probability ", signif(variance$share, 2), " variances grow with the square of the mean")
}
