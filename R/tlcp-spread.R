# The values of the borrowing prior that posteriors of tlcp() are averaged over (tlcp-posterior.R).

# Priors:
#   the other domains' tau   half-Cauchy, its scale the size of the coefficients (Gelman 2006); and with probability
#                            EQUAL all domains are equal
#   the target's tau         at the others' or further: the logarithm of the factor is uniform. A smaller one would be
#                            a gain that the target's few rows cannot confirm
#   omega                    half-Cauchy, its scale the size of the coefficients
#   slopes of a target that stands alone: uniform standard deviation
FACTORS <- 2^seq(-6, 4)        # of the geometric mean of tau_t, relative to the size of coefficients
EQUAL <- .2                    # probability of the first of these, with the target's tau as the others'
OWN_FACTORS <- seq(0, 14, 2)   # of log tau_1^2, beside the others'
COMMON_STEP <- 4               # factor between values of omega^2
ALONE_FACTORS <- 2^seq(-4, 4)  # of the variance of a target that stands alone

# By value of OWN_FACTORS, at the value number f of FACTORS. size: of the coefficients, a standard deviation.
tlcp_spread_log_prior <- function(f, common, size) {
  cauchy <- FACTORS / (1 + FACTORS^2)
  prior <- rep((1 - EQUAL) * cauchy[f] / sum(cauchy) / length(OWN_FACTORS), length(OWN_FACTORS))
  if (f == 1) prior[1] <- prior[1] + EQUAL
  log(prior) + log(common) / 2 - log1p(common / size^2)
}

tlcp_spread_alone_log_prior <- function(factor) log(factor) / 2

# The grid of omega^2. A squared standard error is that of a slope of the target given the others. precision: of the
# target's slopes; from: omega^2 as it is estimated.
tlcp_spread_common_variances <- function(precision, from) {
  error <- mean(1 / precision[precision > 0])
  if (!is.finite(error)) return(from)
  from <- min(from, error / 4)
  from * COMMON_STEP^seq(0, ceiling(log(64 * error / from) / log(COMMON_STEP) - 1e-9))
}

# The scales c of features are estimated from few coefficients, too: where the estimate of c_i is small the interval
# would be too short. The posterior is averaged over each c_i in turn, the others fixed, with the prior that c_i has
# in the model (1/c_i a multiple of chi-squared, nu = 4; the mean of log c_i is 0). A change of c_i changes the prior of
# the feature's coefficients in all T domains, whose joint posterior is known. The result has a number for each slope:
# the mean square of the target's coefficient about the estimate, divided by its variance at the c_i estimated.
SCALE_FACTORS <- seq(-3, 3.5, .5) # of log c_i, beside the one estimated

# posterior: by slope the posterior of its coefficients, list(mean, C, K) of tlcp_posterior_of_features(); log_scale:
# the logarithms of the c_i.
tlcp_spread_by_scales <- function(posterior, log_scale) {
  vapply(seq_along(posterior), function(i) {
    C <- posterior[[i]]$C
    m <- posterior[[i]]$mean
    K <- posterior[[i]]$K
    if (is.null(K)) return(1)
    # the prior's precision is K before, and exp(-l) K; with K = R'R and RCR' = U diag(d) U' the posterior covariance
    # becomes R^-1 U diag(d/(1 + more d)) (R^-1 U)', and the mean R^-1 U diag(1/(1 + more d)) U'R m
    R <- chol(K)
    e <- eigen(R %*% C %*% t(R), symmetric = TRUE)
    first <- drop(backsolve(R, e$vectors)[1, ])
    u <- drop(crossprod(e$vectors, R %*% m))
    more <- expm1(-SCALE_FACTORS)
    shrunk <- 1 / (1 + outer(e$values, more))
    log_c <- log_scale[i] + SCALE_FACTORS
    evidence <- -(length(m) * SCALE_FACTORS - colSums(log(shrunk)) + more * colSums(u^2 * shrunk)) / 2
    by_scale <- rbind(evidence - 2 * log_c - exp(digamma(2) - log_c), colSums(first * u * shrunk),
                colSums(first^2 * e$values * shrunk))
    sum(response_scores_average_weights(by_scale[1, ]) * (by_scale[3, ] + (by_scale[2, ] - m[1])^2)) / C[1, 1]
  }, 0)
}

# Degrees of freedom of the components: those of the residual variance and, where the borrowing prior is estimated from
# `slopes` slopes, four for each. The number four comes from simulations: the average over the borrowing prior ignores
# the error of the quadratic expansion and that estimates are made at one borrowing prior, so normal quantiles give too
# short intervals.
tlcp_spread_df <- function(df, slopes = NULL) if (is.null(slopes)) df else 1 / (1 / df + 1 / (4 * slopes))

# The quantile at `tail` of each row's mixture of t distributions, by Newton's steps, or bisection where these leave the
# interval that is known to hold it, at first that of the smallest and the largest quantile of the components.
tlcp_spread_quantile <- function(weights, mean, variance, df, tail) {
  scale <- sqrt(variance)
  quantiles <- mean + scale * stats::qt(tail, df)
  if (ncol(quantiles) == 1 || !nrow(quantiles)) return(quantiles[seq_len(nrow(quantiles))])
  low <- do.call(pmin, lapply(seq_len(ncol(quantiles)), function(m) quantiles[, m]))
  high <- do.call(pmax, lapply(seq_len(ncol(quantiles)), function(m) quantiles[, m]))
  near <- 1e-11 * (high - low)
  x <- drop(quantiles %*% weights)
  for (round in seq_len(100)) {
    z <- (x - mean) / scale
    share <- stats::pt(z, df)
    share[is.nan(share)] <- 1 # a component without variance, at its mean
    short <- tail - drop(share %*% weights)
    low <- ifelse(short > 0, x, low)
    high <- ifelse(short > 0, high, x)
    new <- x + short / drop((stats::dt(z, df) / scale) %*% weights)
    inside <- is.finite(new) & new > low & new < high
    new <- ifelse(inside, new, (low + high) / 2)
    done <- all(abs(new - x) <= near, na.rm = TRUE)
    x <- new
    if (done) break
  }
  x
}
