# The mixture over the borrowing prior that the posterior of the target's coefficients is, see tlcp-posterior.R, and the
# limits of its intervals.

# tau_t and omega are estimated from few coefficients. If they were taken as known, intervals would be too short where
# they are small. So the posterior is averaged over the values in tlcp-spread.R, with weights from the marginal
# likelihood and the priors there.
#
# The components of the posterior of the features `set`, and of the level where there is one: a list of their weight,
# mean less the estimate (`away`) and covariance V. C: the covariance at the borrowing prior that was estimated, from
# the search's form of all domains. Its ratio to that of the target, given what the others say, is kept as a factor of
# each variance, and so is the average over the scale of the feature.
tlcp_posterior_components <- function(spread, set, C) {
  models <- if (is.null(spread$alone)) tlcp_posterior_distance_models(spread,
                                                                      set) else tlcp_posterior_unrelated_models(spread,
                                                                                                                set)
  others <- tlcp_posterior_of_others(spread, spread$borrowing)
  estimated <- tlcp_posterior_of_target(spread, others, spread$borrowing$own[, 1], set)
  weights <- response_scores_average_weights(vapply(models, `[[`, 0, "log_weight"), least = 1e-4)
  known <- seq_along(estimated$mean)
  factor <- diag(C)[known] / diag(estimated$V)
  if (!all(spread$borrowing$scales == 1)) {
    slopes <- seq_along(set)
    by_scale <- tlcp_spread_by_scales(tlcp_posterior_of_features(spread), log(spread$borrowing$scales))
    factor[slopes] <- factor[slopes] * by_scale[set]
  }
  factor <- sqrt(factor)
  # where the level is no coordinate of the prior it is the target's own: given the slopes it is that of least squares
  free <- ncol(C) > length(known)
  if (free) {
    level <- ncol(C)
    h <- drop(.Call(C_spd_solve, C[known, known, drop = FALSE], C[known, level, drop = FALSE]))
    rest <- C[level, level] - sum(h * C[known, level])
  }
  lapply(which(weights > 0), function(m) {
    away <- factor * (models[[m]]$mean - estimated$mean)
    V <- models[[m]]$V * tcrossprod(factor)
    if (free) {
      with <- drop(V %*% h)
      V <- rbind(cbind(V, with), c(with, rest + sum(h * with)))
      away <- c(away, sum(h * away))
    }
    list(weight = weights[[m]], away = away, V = unname(V))
  })
}

# The target's posterior on `set`, with its log weight, at each triple of the values in tlcp-spread.R: a list.
tlcp_posterior_distance_models <- function(spread, set) {
  log_tau2 <- log(spread$borrowing$tau2)
  slopes <- spread$slopes
  grid <- tlcp_spread_common_variances(diag(spread$parts$H[[1]])[slopes], spread$borrowing$common[slopes[1]])
  models <- lapply(grid, function(common) lapply(seq_along(FACTORS), function(f) {
    borrowing <- spread$borrowing
    borrowing$common[slopes] <- common
    others <- log_tau2 - mean(log_tau2) + 2 * log(spread$size * FACTORS[f])
    borrowing$own[slopes, ] <- rep(exp(others), each = length(slopes))
    known <- tlcp_posterior_of_others(spread, borrowing)
    log_prior <- tlcp_spread_log_prior(f, common, spread$size)
    lapply(seq_along(OWN_FACTORS), function(k) {
      tau2 <- exp(mean(others[-1]) + OWN_FACTORS[k])
      target <- tlcp_posterior_of_target(spread, known, replace(borrowing$own[, 1], slopes, tau2), set)
      target$log_weight <- target$log_lik + known$log_lik + log_prior[k]
      target
    })
  }))
  unlist(unlist(models, recursive = FALSE), recursive = FALSE)
}

# The same where the target's slopes are unrelated to the other domains', at each factor of their variance.
tlcp_posterior_unrelated_models <- function(spread, set) {
  lapply(ALONE_FACTORS, function(factor) {
    borrowing <- spread$borrowing
    borrowing$own[spread$alone, 1] <- borrowing$own[spread$alone, 1] * factor
    target <- tlcp_posterior_of_target(spread, tlcp_posterior_of_others(spread, borrowing), borrowing$own[, 1], set)
    target$log_weight <- target$log_lik + tlcp_spread_alone_log_prior(factor)
    target
  })
}

# The distribution of the common coefficients given the other domains and this borrowing prior: mean and covariance,
# and the domains' marginal log-likelihood, but for a constant.
tlcp_posterior_of_others <- function(spread, borrowing) {
  tlcp_prior_or_stop(.Call(C_borrow_others, spread$domains, spread$s2, borrowing))
}

# The target's posterior on `set`, and of the level if it is a coordinate. known: the prior of the common coefficients
# given the other domains; own_variance: the variances of the target's deviations from them.
tlcp_posterior_of_target <- function(spread, known, own_variance, set) {
  p <- length(own_variance)
  # R's factors are used here and for `root`: their determinants are needed
  R <- chol(known$covariance + diag(own_variance, p))
  P <- chol2inv(R)
  A <- spread$parts$H[[1]] + P
  b <- spread$parts$g[, 1] + drop(P %*% known$mean)
  root <- chol(A)
  half <- backsolve(root, b, transpose = TRUE)
  log_lik <- (sum(half^2) - sum(known$mean * (P %*% known$mean))) / 2 - sum(log(diag(root))) -
    sum(log(diag(R)))
  free <- c(set, setdiff(seq_len(p), spread$slopes))
  V <- .Call(C_spd_inverse, A[free, free, drop = FALSE])
  list(log_lik = log_lik, V = V, mean = drop(V %*% b[free]))
}

# The posterior of each slope in all domains, or of a target that stands alone in the target: its mean and covariance
# C, all features kept, and the precision K of its prior.
tlcp_posterior_of_features <- function(spread) {
  borrowing <- spread$borrowing
  own_variance <- borrowing$own
  p <- nrow(own_variance)
  coef <- tlcp_form_coefficients_of_all(spread$domains, c(borrowing, list(lam = 1 / spread$s2)))
  root <- tcrossprod(sqrt(borrowing$scales))
  V <- lapply(seq_along(spread$domains), function(domain) {
    .Call(C_spd_inverse, spread$domains[[domain]]$G * root / spread$s2[domain] + diag(1 / own_variance[, domain], p))
  })
  # the mean of w_t given the common part is V_t g_t + V_t b/own_t
  B <- Map(function(V, domain) V / rep(own_variance[, domain], each = p), V, seq_along(V))
  Q <- diag(1 / borrowing$common + rowSums(1 / own_variance), p) -
    Reduce(`+`, Map(function(B, domain) B / own_variance[, domain], B, seq_along(B)))
  half <- backsolve(chol((Q + t(Q)) / 2), diag(p)) # a factor of the inverse of Q
  B <- lapply(B, `%*%`, half)
  lapply(spread$slopes, function(i) {
    if (is.null(spread$alone)) {
      shared <- tcrossprod(do.call(rbind, lapply(B, function(B) B[i, ])))
      C <- shared + diag(vapply(V, function(V) V[i, i], 0), length(V))
      return(list(mean = coef[i, ], C = C, K = tlcp_form_coupling(borrowing$common[i], own_variance[i, ])))
    }
    # a slope of a column that is constant in the target has no scale of its own
    known <- i %in% spread$alone
    list(mean = coef[i, 1], C = matrix(sum(B[[1]][i, ]^2) + V[[1]][i, i]),
         K = if (known) matrix(1 / (borrowing$common[i] + own_variance[i, 1])))
  })
}

# The limits of intervals at level `level` about the estimates b, named as these, a row each: quantiles of the mixture.
# NA, with a message, where there are no degrees of freedom.
tlcp_posterior_limits <- function(found, b, level) {
  row <- match(names(b), rownames(found$mixture$away))
  limits <- matrix(NA_real_, length(b), 2)
  if (!isTRUE(found$df >= 1e-8)) {
    if (length(found$V)) {
      tell("No intervals: no domain has degrees of freedom for a residual variance.",
           "Give more rows than features.", class = "transelect_message_intervals")
    }
    return(limits)
  }
  there <- !is.na(row)
  away <- found$mixture$away[row[there], , drop = FALSE]
  variance <- found$mixture$variance[row[there], , drop = FALSE]
  tail <- (1 - level) / 2
  limits[there, ] <- b[there] + cbind(tlcp_spread_quantile(found$mixture$weights, away, variance, found$df, tail),
                                   -tlcp_spread_quantile(found$mixture$weights, -away, variance, found$df, tail))
  limits[is.nan(limits)] <- NA
  limits
}

# Twice the smaller of the probabilities of the mixture below and above 0: below 1 - level where 0 is outside the
# interval. b: the estimates, named.
tlcp_posterior_p_values <- function(found, b) {
  if (!isTRUE(found$df >= 1e-8)) return(rep(NA_real_, length(b)))
  row <- match(names(b), rownames(found$mixture$away))
  below <- stats::pt(-(b + found$mixture$away[row, , drop = FALSE]) / sqrt(found$mixture$variance[row, , drop = FALSE]),
                     found$df)
  above <- stats::pt((b + found$mixture$away[row, , drop = FALSE]) / sqrt(found$mixture$variance[row, , drop = FALSE]),
                     found$df)
  pmin(2 * pmin(drop(below %*% found$mixture$weights), drop(above %*% found$mixture$weights)), 1)
}
