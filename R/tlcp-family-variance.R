# How the variance V of overdispersed counts and shares grows. Let V0 be the variance of the Poisson or binomial
# distribution. With a dispersion V1 = phi V0. Negative binomial counts with mean mu have V2 = V0 (1 + mu/theta), and
# shares of m trials with the correlation rho have V2 = V0 (1 + (m - 1) rho), so that rows with large expected counts or
# totals have less information. The two forms are compared by their likelihoods at the means of a first fit, negative
# binomial or beta-binomial (the first form with size mu/(phi - 1), or rho = (phi - 1)/(m - 1), at most .99), with one
# parameter each, by maximum likelihood over the rows of all domains. Let p be the probability of the second form, and q
# the probability that the domain's own rows are overdispersed at all (by the likelihood averaged over both forms,
# against the family's), with equal prior probabilities. In the second fit a row then has the weight
#   w = q (p V0/V2 + (1 - p) V0/V1) + 1 - q,
# the mean of V0/V over the forms, scaled so that weights, or totals times weights, have the same sum in each domain as
# before. The dispersion phi of a domain is now that of V = phi V0/w, and at least the largest w: no row varies less
# than its family says. Weights of the user multiply w. Rows whose likelihood over all domains is not clearly larger
# with either form than with the family keep w = 1, and so do those whose weights would be 1 within a hundredth.

VARIANCE_SURE <- 2     # log-likelihoods above the family's from which on rows have weights
VARIANCE_ALIKE <- .01  # weights that differ less from 1 are 1
CORRELATED_MOST <- .99 # of the trials of a row

# Both forms at the means of a fit: list(gain, square, linear, excess, log_lik). gain: the log-likelihood of the form
# that grows less that of the other; square: 1/theta or rho; linear: phi - 1. By domain with rows: excess, by row
# V/V0 - 1 of the forms; log_lik, of the family and of the forms.
family_variance_forms <- function(mode, family) {
  domains <- mode$domains
  rows <- which(vapply(domains, function(domain) is.null(domain$J), NA))
  eta <- lapply(rows, function(t) pmax.int(pmin.int(likelihood_predictor(domains[[t]], mode$theta[, t]), 700), -700))
  domains <- domains[rows]
  in_use <- function(numbers, domain) max(numbers[domain$w > 0], 1)
  if (family == "poisson") {
    # at the largest mean the least size is the same; below 1.001 lgamma() of large counts is not exact
    most <- max(unlist(Map(in_use, lapply(eta, exp), domains))) / NEGBIN_RANGE[1]
    square <- 1 / rev(NEGBIN_RANGE)
    log_lik <- family_variance_log_lik_of_counts
  } else {
    most <- max(unlist(Map(function(domain) in_use(domain$total, domain), domains)), 2)
    square <- c(1e-6, CORRELATED_MOST)
    log_lik <- family_variance_log_lik_of_shares
  }
  form_with <- function(form, by) {
    excess <- Map(function(domain, eta) family_variance_excess(family, form, by, domain, eta), domains, eta)
    list(by = by, excess = excess, log_lik = unlist(Map(log_lik, domains, eta, excess)))
  }
  largest <- function(form, within) {
    log_lik_with <- function(log_by) sum(form_with(form, exp(log_by))$log_lik)
    form_with(form, exp(stats::optimize(log_lik_with, log(within), maximum = TRUE, tol = 1e-6)$maximum))
  }
  square <- largest("square", square)
  linear <- largest("linear", c(1e-3, most))
  plain <- unlist(Map(function(domain, eta) {
    likelihood_value(family, domain, eta) - domain$base
  }, domains, eta))
  list(gain = sum(square$log_lik) - sum(linear$log_lik), square = square$by, linear = linear$by,
       excess = Map(list, square = square$excess, linear = linear$excess),
       log_lik = cbind(plain = plain, square = square$log_lik, linear = linear$log_lik))
}

# V/V0 - 1 by row.
family_variance_excess <- function(family, form, by, domain, eta) {
  if (family == "poisson") return(if (form == "square") exp(eta) * by else rep(by, length(eta)))
  others <- pmax.int(domain$total - 1, 0)
  if (form == "square") others * by else pmin.int(by, CORRELATED_MOST * others)
}

family_variance_log_lik_of_counts <- function(domain, eta, excess) {
  negbin_log_lik(domain$y, domain$w, eta, exp(eta) / excess)
}

# Beta-binomial, without log choose(m, y).
family_variance_log_lik_of_shares <- function(domain, eta, excess) {
  rows <- domain$w > 0
  total <- domain$total[rows]
  yes <- domain$y[rows] * total
  eta <- pmax.int(pmin.int(eta, 30), -30)[rows]
  rho <- ifelse(total > 1, excess[rows] / (total - 1), .5) # of one trial it does not matter
  a <- stats::plogis(eta) * (1 / rho - 1)
  b <- stats::plogis(-eta) * (1 / rho - 1)
  sum(domain$w[rows] / total * (lbeta(yes + a, total - yes + b) - lbeta(a, b)))
}

# list(weights, range, share, gain, phi and theta or rho) for the second fit, weights by domain; NULL where all are 1:
# other families, zeros and ones, a dispersion that is given or the user's V = phi V0, domains without rows, rows like
# the family's or with variances like phi V0.
family_variance_of_mode <- function(fixed, mode) {
  settings <- fixed$settings
  parts <- fixed$parts
  if (!identical(settings$dispersion, "estimated") || isTRUE(settings$quasi) ||
        !identical(settings$borrow, "hierarchical") || length(settings$sites) ||
        settings$family != "poisson" && is.null(parts[[1]]$total)) {
    return(NULL)
  }
  forms <- family_variance_forms(mode, settings$family)
  over <- colSums(forms$log_lik)
  over <- max(over[["square"]], over[["linear"]]) - over[["plain"]]
  if (!is.finite(over) || over < VARIANCE_SURE) return(NULL)
  share <- stats::plogis(forms$gain)
  weights <- lapply(seq_along(parts), function(t) {
    over <- forms$log_lik[t, c("square", "linear")]
    over <- max(over) + log(sum(c(share, 1 - share) * exp(over - max(over))))
    over <- stats::plogis(over - forms$log_lik[t, "plain"])
    excess <- forms$excess[[t]]
    w <- over * (share / (1 + excess$square) + (1 - share) / (1 + excess$linear)) + 1 - over
    user_weights <- parts[[t]]$w
    w <- pmax.int(w, 1e-10 * max(w[user_weights > 0]))
    w * sum(user_weights) / sum(user_weights * w)
  })
  ends <- range(unlist(Map(function(w, part) w[part$w > 0], weights, parts)))
  if (max(abs(ends - 1)) < VARIANCE_ALIKE) return(NULL)
  grows <- if (settings$family == "poisson") list(theta = 1 / forms$square) else list(rho = forms$square)
  c(list(weights = weights, range = ends, share = share, gain = forms$gain, phi = 1 + forms$linear), grows)
}

# The part with the weights of its rows multiplied by `weights`. Its component `least` is the least possible dispersion.
family_variance_weighted_part <- function(part, weights) {
  part$least <- max(weights[part$w > 0])
  times <- weights * if (is.null(part$total)) part$w else ifelse(part$w > 0, part$w / part$total, 0)
  part$w <- part$w * weights
  if (!is.null(part$total)) return(response_family_with_successes(part, part$y, part$total, times))
  part$base <- -sum(times * lgamma(part$y + 1))
  part
}

# Words on the weights of rows: what they depend on, their range, and why.
family_variance_words <- function(variance) {
  counts <- is.null(variance$rho)
  paste0(if (counts) "rows with large expected counts" else "trials of rows with large totals",
         " weigh less (their weights are multiplied by ", paste(signif(variance$range, 2), collapse = " to "),
         "), since with probability ", signif(variance$share, 2),
         if (counts) " variances grow with the square of the mean" else
           " the trials of a row are correlated, equally in all rows")
}
