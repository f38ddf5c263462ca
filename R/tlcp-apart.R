# An alternative of the hierarchical model in which some slopes of the target may be far from those of the other
# domains ("apart" in tlcp-sparse.R): all domains have one tau, and each slope of the target a factor f_j of tau^2,
# log f_j ~ N(0, APART_SPREAD^2), see src/tlcp/borrow_features.h. A slope with an effect of its own in the target then
# takes a large f_j, and the others are borrowed as if it were not there.
#
# Its log likelihood ratio is that of sharing, plus the gain over the model of sharing: with l the log-likelihood of all
# domains at the f_j that maximise it, and l_0 that at the tau_t of the model of sharing (the maximum less the prior of
# the log tau_t^2),
#   t(l - l_0) + sum_j log int p(f) exp(change of l where f is in place of f_j) dlog f,
# the f_j being integrated out one by one. The target's residual variance is estimated, too: t(d) = nu/2 log(1 + 2d/nu)
# of a gain d > 0, nu the variance's degrees of freedom. Feature scales are 1 here, as in the ratio of sharing: where
# they are estimated they take up what is apart, and so would the evidence.
#
# The coefficients are those at the scales of the hierarchical model, averaged over the f_j in the same way: where u_1j
# has the posterior mean m and variance C at f_j, and d = 1/v - 1/v_j for a variance v of u_1j in place of v_j,
#   change of l = -(log(v/v_j) + log(1 + Cd) + d m^2/(1 + Cd))/2,
#   E w = w - k_j d m/(1 + Cd),  cov w = V - k_j k_j' d/(1 + Cd),  k_j = cov(w, u_1j).

APART_SPREAD <- 3
APART_GRID <- seq(-9, 12, .3) # of log f

# The log likelihood ratio `lr` of domains with that of sharing, and `fit` of tlcp_apart_fit().
tlcp_apart_evidence <- function(used, lr, call) {
  plain <- tlcp_prior_hierarchical(used$domains, used$s2, 2, list(scales = FALSE, omega_shape = 1), lr,
                                   call)
  size <- plain$omega2 + exp(mean(log(plain$tau2[-1]))) # in simulations the best start: tau or omega may be at a bound
  fit <- tlcp_apart_fit(used, list(
    scales = plain$scales, tau2 = size, omega2 = size, kappa2 = plain$kappa2,
    factors = rep(1, length(plain$scales) - isTRUE(used$domains[[1]]$level))
  ), call)
  log_tau2 <- log(plain$tau2)
  gain <- fit$log_lik - tlcp_apart_posterior(used, plain)$log_lik
  df <- used$s2_df[1]
  if (gain > 0 && is.finite(df)) gain <- df / 2 * log1p(2 * gain / df)
  list(lr = lr + gain + sum((log_tau2 - mean(log_tau2))^2) / 2 + sum(tlcp_apart_over_factors(fit)$evidence), fit = fit)
}

# The maximum of the likelihood of borrow_features.h, with the target's posterior there. start: its numbers.
tlcp_apart_fit <- function(used, start, call) {
  found <- tlcp_prior_or_stop(.Call(C_borrow_features, used$domains, used$s2, c(start, spread = APART_SPREAD)), call)
  slopes <- seq_along(found$factors)
  level <- length(start$scales) > length(slopes)
  common <- c(rep(found$omega2, length(slopes)), if (level) LEVEL_OMEGA2)
  own_variance <- matrix(found$tau2, length(common), length(used$domains))
  if (level) own_variance[length(common), ] <- found$kappa2
  own_variance[slopes, 1] <- found$tau2 * found$factors
  borrowing <- list(scales = start$scales, common = common, own = own_variance, lam = 1 / used$s2)
  c(found[c("tau2", "omega2", "kappa2", "factors")], tlcp_apart_posterior(used, borrowing),
    list(scales = start$scales, own = own_variance[slopes, 1]))
}

LEVEL_OMEGA2 <- 100 # variance of the common level, see borrow.h

# The log-likelihood of all domains, but for a constant, and of the target mean and covariance V of w_1, mean m and
# variances C of u_1, and k = cov(w_1, u_1).
tlcp_apart_posterior <- function(used, borrowing) {
  q <- nrow(borrowing$own)
  own_variance <- borrowing$own[, 1]
  parts <- tlcp_form_scaled_parts(used$domains[1], list(scales = borrowing$scales, lam = 1 / used$s2))
  known <- tlcp_prior_or_stop(.Call(C_borrow_others, used$domains, used$s2, borrowing))
  R <- chol(known$covariance + diag(own_variance, q)) # of the target's coefficients, given the other domains
  P <- chol2inv(R)
  A <- parts$H[[1]] + P
  b <- parts$g[, 1] + drop(P %*% known$mean)
  root <- chol(A)
  half <- backsolve(root, b, transpose = TRUE)
  log_lik <- (sum(half^2) - sum(known$mean * (P %*% known$mean))) / 2 - sum(log(diag(root))) - sum(log(diag(R)))
  V <- .Call(C_spd_inverse, A)
  mean <- drop(V %*% b)
  PD <- P * rep(own_variance, each = q)
  k <- V %*% PD
  others <- P - diag(1 / (borrowing$common + own_variance), q) # what the other domains add to the target's precision
  list(log_lik = known$log_lik + log_lik, mean = mean, V = V, others = others,
       m = own_variance * drop(P %*% (mean - known$mean)), k = k,
       C = own_variance - own_variance * diag(PD) + colSums(PD * k))
}

# The averages over each f_j of `fit`, by slope: evidence, the log of the integral; shift and square, the mean and the
# variance that are added per unit of k_j.
tlcp_apart_over_factors <- function(fit) {
  slopes <- seq_along(fit$factors)
  log_prior <- stats::dnorm(APART_GRID, 0, APART_SPREAD, log = TRUE)
  log_prior <- log_prior - response_scores_log_sum_exp(rbind(log_prior))
  m <- fit$m[slopes]
  C <- fit$C[slopes]
  more <- outer(-log(fit$factors), APART_GRID, `+`) # log(v/v_j)
  d <- expm1(-more) / fit$own
  shrunk <- 1 + C * d
  log_weight <- -(more + log(shrunk) + d * m^2 / shrunk) / 2 + rep(log_prior, each = length(slopes))
  evidence <- apply(log_weight, 1, function(row) response_scores_log_sum_exp(rbind(row)))
  weight <- exp(log_weight - evidence)
  shift <- -d * m / shrunk
  mean <- rowSums(weight * shift)
  list(evidence = evidence, shift = mean, square = rowSums(weight * (shift - mean)^2) - rowSums(weight * d / shrunk))
}

# mean and covariance of the target's coordinates, level last, at the scales of the hierarchical model.
tlcp_apart_coefficients <- function(used, fit, settings, call) {
  if (settings$scales) {
    scales <- tlcp_prior_fit(used$domains, used$s2, settings[c("scales", "omega_shape")], call)$scale
    fit <- tlcp_apart_fit(used, c(list(scales = scales), fit[c("tau2", "omega2", "kappa2", "factors")]), call)
  }
  over <- tlcp_apart_over_factors(fit)
  slopes <- seq_along(fit$factors)
  k <- fit$k[, slopes, drop = FALSE]
  factor <- rep(1, length(fit$mean))
  factor[slopes] <- pmax(1 + diag(k)^2 * over$square / diag(fit$V)[slopes], 0)
  root <- sqrt(fit$scales)
  list(mean = root * (fit$mean + drop(k %*% over$shift)), covariance = fit$V * tcrossprod(root * sqrt(factor)),
       others = fit$others / tcrossprod(root))
}
