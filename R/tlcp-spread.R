# The values of the borrowing prior that posteriors of tlcp() are averaged over (tlcp-posterior.R).

FACTORS <- 2^seq(-6, 4)        # of the geometric mean of tau_t, relative to the size of coefficients
OWN_FACTORS <- seq(-4, 8, 2)   # of log tau_1^2, beside the others'
COMMON_STEP <- 4               # factor between values of omega^2
ALONE_FACTORS <- 2^seq(-4, 4)  # of the variance of a target that stands alone

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
    at <- rbind(evidence - 2 * log_c - exp(digamma(2) - log_c), colSums(first * u * shrunk),
                colSums(first^2 * e$values * shrunk))
    sum(response_scores_average_weights(at[1, ]) * (at[3, ] + (at[2, ] - m[1])^2)) / C[1, 1]
  }, 0)
}
