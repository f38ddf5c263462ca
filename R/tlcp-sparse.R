# Two further alternatives of the hierarchical model: few slopes of a target that borrows none are not zero ("few"), and
# some slopes of the target are far from what it borrows ("apart", tlcp-apart.R). Where all features are kept they have
# a weight in the average, beside the units and the target alone (tlcp-units.R).
#
# "few" is an average over supports (src/tlcp/sparse.h) in the z-scores of the target's domain, with the variances
# SPARSE_VARIANCES. Where a bound (tlcp_sparse_bound()) says that it has no weight, it is not made. With H = G_1/s2_1
# and g = X_1'y_1/s2_1 of the target, its level l minimised out, it is the average of H and g. Its log likelihood
# ratio is the log-likelihood of the average less that of all slopes with one variance, by maximum likelihood, which is
# that of the target by itself in the ratio of sharing. "apart" is in the units in which it is the likelier.

SPARSE_VARIANCES <- 4^(-3:0)
SPARSE_BEAM <- 256    # supports of a size
SPARSE_MOST <- 20     # features of a support
SPARSE_COLUMNS <- c(4, 60) # with fewer nothing is sparse, with more the search would take longer than the fit
SPARSE_BOUND <- 9     # with fewer features the average takes less time than its bound

# found: by units list(domains, used, lr); prior: of the units. By alternative list(lr, prior, units, mean,
# covariance), the last two of the target's coordinates, level last, and NULL where an upper bound in place of lr says
# that the alternative has no weight; NULL where there are none.
tlcp_sparse_alternatives <- function(found, prior, settings, call) {
  used <- found[[1]]$used
  domain <- used$domains[[1]]
  p <- length(used$columns)
  fits <- settings$guard > 0 && !settings$select && is.null(settings$distance) && !length(settings$drop) &&
    length(used$domains) > 1 && p >= SPARSE_COLUMNS[1] && p <= SPARSE_COLUMNS[2] &&
    is.null(domain$X) && all(domain$varies)
  if (!fits || domain$fit$df < LEAST_DF) return(NULL)
  lr <- vapply(found, `[[`, 0, "lr")
  alone <- tlcp_units_of("alone", names(found))
  few <- if (is.numeric(settings$guard)) settings$guard else PRIOR_FEW
  # the log weight, but for log(1 - few), below which an alternative has none
  least <- max(max(lr + log(prior[names(lr)])) + log(1 - PRIOR_ALONE - PRIOR_APART), log(PRIOR_ALONE)) + log(RARE)
  apart <- if (length(used$domains) > 2) { # of one other domain tau is not known
    each <- lapply(found, function(one) tlcp_apart_evidence(one$used, one$lr, call))
    ratio <- vapply(each, `[[`, 0, "lr")
    units <- names(found)[which.max(ratio + log(prior[names(found)]))]
    weighs <- ratio[[units]] >= least - log(PRIOR_APART)
    c(list(lr = ratio[[units]], units = units, prior = PRIOR_APART),
      if (weighs) tlcp_apart_coefficients(found[[units]]$used, each[[units]]$fit, settings, call))
  }
  few_model <- c(tlcp_sparse_few(found[[alone]]$used, least + log(1 - few) - log(few), call), units = alone,
                 prior = few)
  Filter(length, list(few = few_model, apart = apart))
}

# The average over supports, or list(log_lik), a bound, where that is below `least`.
tlcp_sparse_average <- function(H, g, least, call) {
  if (length(g) >= SPARSE_BOUND) {
    bound <- tlcp_sparse_bound(H, g)
    if (isTRUE(bound < least - 1e-6)) return(list(log_lik = bound))
  }
  most <- min(length(g), SPARSE_MOST)
  tlcp_prior_or_stop(.Call(C_sparse_average, H, g, SPARSE_VARIANCES, most, SPARSE_BEAM), call)
}

# An upper bound of the log-likelihood of the average over supports. With A = H + I/v, C = A^-1, b = Cg and R the
# features outside the support S,
#   log p(S, v) = g'b/2 - log det(v A)/2 - [b_R' C_RR^-1 b_R + log det(C_RR/v)]/2.
# C_RR - a diag(C_RR) is positive semidefinite where a is the smallest eigenvalue of C with rows and columns divided by
# the roots of its diagonal, diag(C_RR) z - C_RR where z is the largest. So the brackets are at least the sum over R of
# b_j^2/(z C_jj) + log(a C_jj/v). From below, log p(S, v) is in the same way at most half the sum over S of
# g_j^2/(a A_jj) - log(v a A_jj), a being of A. The mean over supports of a size of the exponential of such a sum is an
# elementary symmetric polynomial.
tlcp_sparse_bound <- function(H, g) {
  p <- length(g)
  size <- 0:min(p, SPARSE_MOST)
  choose <- lchoose(p, size)
  each <- vapply(SPARSE_VARIANCES, function(v) {
    A <- H + diag(1 / v, p)
    R <- tryCatch(chol(A), error = function(e) NULL)
    if (is.null(R)) return(size + Inf)
    C <- chol2inv(R)
    b <- drop(C %*% g)
    z <- tlcp_sparse_spread(C)
    outside <- -(b^2 / (z[1] * diag(C)) + log(z[2] * diag(C) / v)) / 2
    a <- tlcp_sparse_spread(A)[2] * diag(A)
    inside <- (g^2 / a - log(v * a)) / 2
    whole <- sum(g * b) / 2 - sum(log(diag(R))) - p * log(v) / 2
    pmin.int(whole + tlcp_sparse_symmetric(outside)[p - size + 1], tlcp_sparse_symmetric(inside)[size + 1]) - choose
  }, numeric(length(size)))
  response_scores_log_sum_exp(rbind(as.vector(each))) - log(length(each))
}

# Largest and smallest eigenvalue of a matrix with rows and columns divided by the roots of its diagonal.
tlcp_sparse_spread <- function(A) {
  root <- sqrt(diag(A))
  values <- eigen(A / tcrossprod(root), symmetric = TRUE, only.values = TRUE)$values
  c(values[1], max(values[length(values)], 1e-12))
}

# The logarithms of the elementary symmetric polynomials of exp(x), from degree 0 on.
tlcp_sparse_symmetric <- function(x) {
  log_sums <- c(0, rep(-Inf, length(x)))
  for (j in seq_along(x)) {
    places <- seq_len(j)
    without <- log_sums[places + 1]
    with <- log_sums[places] + x[j]
    log_sums[places + 1] <- pmax.int(without, with) + log1p(exp(-abs(without - with)))
  }
  log_sums
}

# least: the smallest lr of an alternative with a weight.
tlcp_sparse_few <- function(used, least, call) {
  domain <- used$domains[[1]]
  level <- isTRUE(domain$level)
  G <- domain$G / used$s2[1]
  g <- domain$g / used$s2[1]
  levelled <- tlcp_domain_own_levels(list(domain), intercept = TRUE)[[1]]
  H <- levelled$G / used$s2[1]
  whole <- tlcp_sparse_full(H, levelled$g / used$s2[1])
  found <- tlcp_sparse_average(H, levelled$g / used$s2[1], least + whole, call)
  few <- list(lr = found$log_lik - whole)
  if (is.null(found$mean)) return(few)
  cov <- found$square - tcrossprod(found$mean)
  few <- c(few, list(mean = found$mean, covariance = cov))
  if (level) {
    last <- length(g)
    to <- rbind(diag(last - 1), -G[last, -last] / G[last, last])
    few$mean <- drop(to %*% found$mean) + c(numeric(last - 1), g[last] / G[last, last])
    few$covariance <- to %*% cov %*% t(to)
    few$covariance[last, last] <- few$covariance[last, last] + 1 / G[last, last]
  }
  few
}

# The largest log-likelihood of the full support over the variance of its slopes: that of the target by itself in
# tlcp_prior_sharing().
tlcp_sparse_full <- function(H, g) {
  e <- eigen(H, symmetric = TRUE)
  d <- pmax(e$values, 0)
  u2 <- drop(crossprod(e$vectors, g))^2
  log_lik <- function(log_v) sum(u2 / (d + exp(-log_v)) - log1p(exp(log_v) * d)) / 2
  grid <- seq(log(1e-6), log(100), length.out = 40)
  best <- grid[which.max(vapply(grid, log_lik, 0))]
  stats::optimize(log_lik, best + c(-.5, .5), maximum = TRUE, tol = 1e-8)$objective
}

# The path of an alternative: `base`, a path of the same columns, with the target's coefficients of the alternative
# where all features are kept. found: domains and used of its units.
tlcp_sparse_path <- function(base, alternative, found) {
  domain <- found$domains[[1]]
  level <- isTRUE(found$used$domains[[1]]$level)
  raw <- tlcp_domain_raw_coefficients(cbind(alternative$mean), base$columns, domain)
  scaled <- tlcp_domain_scaled_coefficients(raw, base$columns, base$all_domains[[1]])
  base$z[[1]][, 2] <- scaled[seq_len(nrow(base$z[[1]]))]
  target <- found$used$domains[[1]]
  base$trace[2] <- sum(target$G / found$used$s2[1] * alternative$covariance) + !level - base$intercept_df
  V <- alternative$covariance
  if (!level) { # the mean response is independent of the slopes
    last <- nrow(V) + 1
    V <- rbind(cbind(V, 0), 0)
    V[last, last] <- found$used$s2[1] / domain$n
  }
  unit <- domain$y_scale / domain$x_scale[base$columns]
  x_mean <- domain$x_mean[base$columns]
  to <- rbind(c(-x_mean * unit, domain$y_scale), cbind(diag(unit, length(unit)), 0))
  base$sparse <- list(
    covariance = list(V[nrow(V), ncol(V), drop = FALSE], V), n_domains = 1L, level = TRUE,
    unit = unit, x_mean = x_mean, y_scale = domain$y_scale,
    shares = tlcp_sparse_shares(found, V, to, alternative$others), constant = 0, columns = base$columns,
    sets = base$sets, df = Inf, mean = rbind(raw$a0, raw$beta)[, c(1, 1)]
  )
  base
}

# The shares of an alternative's coefficients, the rows of `to`: V has the level as its last coordinate. others: the
# precision that the other domains add, NULL for none.
tlcp_sparse_shares <- function(found, V, to, others) {
  G <- Map(function(domain, s2) domain$G / s2, found$used$domains, found$used$s2)
  q <- nrow(V)
  if (nrow(G[[1]]) < q) { # without a level
    G <- Map(function(G, domain, s2) rbind(cbind(G, 0), c(numeric(q - 1), domain$n / s2)), G, found$used$domains,
             found$used$s2)
    if (!is.null(others)) others <- rbind(cbind(others, 0), 0)
  }
  tlcp_shares_of_covariance(V, to, G[[1]], others, matrix(vapply(G[-1], diag, numeric(q)), q))
}
