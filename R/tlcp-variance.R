# The residual variance of a target with few degrees of freedom, by its likelihood given what the other domains say of
# the coefficients.
#
# The target's rows, less their means, have the response y and the columns Z. The other domains give the coefficients
# the mean m and the covariance C: a ridge regression of all their rows, each domain with an intercept and weighted by
# its residual variance, the ridge by marginal likelihood. The target's coefficients have that mean and the covariance
# C + tau^2 I, so that
#   y - Z m ~ N(0, s^2 I + Z C Z' + tau^2 ZZ').
# Over a grid of log s^2 and log tau^2 the posterior is this density times a prior: Student's t with 4 degrees of
# freedom and scale 1 of log s^2 about the logarithm of the other domains' variance, log tau^2 uniform. A residual
# variance that were taken from the other domains alone would, where the target's is larger, leave the noise to tau^2,
# and the fit would follow the noise.

VARIANCE_GRID <- seq(-6, 6, .15) # of log s^2 about its prior mean
DISTANCE_GRID <- seq(-14, 4, .75) # of log tau^2 about the logarithm of the ridge's prior variance
LOW_OMEGA2 <- 1e-5 # the least variance of common coefficients, which are then unrelated, see src/tlcp/borrow.h
GIVEN_OTHERS <- "likelihood given the other domains"

# The residual variances of the hierarchical model, see residual_variances(). That of a target with fewer than LEAST_DF
# degrees of freedom, unless it is given, is the exponential of the posterior mean of log s^2; its degrees of freedom
# are those of a chi-squared whose logarithm has the posterior's variance.
borrowing_variances <- function(domains, sigma2, intercept, call) {
  variances <- residual_variances(domains, sigma2, call, moderate = TRUE)
  if (length(domains) < 2 || domains[[1]]$fit$df >= LEAST_DF || variances$from[1] == "given") return(variances)
  if (!any(domains[[1]]$varies) || !any(vapply(domains[-1], function(domain) any(domain$varies), NA))) return(variances)
  posterior <- variance_posterior(domains, variances, intercept)
  mean <- sum(posterior$weights * posterior$log_s2)
  variances$s2[1] <- exp(mean)
  variances$from[1] <- GIVEN_OTHERS
  variances$df[1] <- 2 * trigamma_inverse(sum(posterior$weights * (posterior$log_s2 - mean)^2))
  variances
}

# The values of log s^2 and their weights, summed over tau^2.
variance_posterior <- function(domains, variances, intercept) {
  centre <- log(others_variance(domains, variances))
  domains <- lapply(domains, without_level, intercept)
  target <- rows_of_moments(domains[[1]]$G, domains[[1]]$g)
  Z <- target$Z
  square <- tcrossprod(Z)
  ridge <- others_ridge(domains[-1], variances$s2[-1])
  along <- Z %*% ridge$V
  left <- target$y - drop(along %*% ridge$mean)
  # the covariance is omega^2 I across the columns of V
  spread <- tcrossprod(along * rep(sqrt(ridge$variance), each = nrow(Z))) + ridge$omega2 * (square - tcrossprod(along))
  a <- centre + VARIANCE_GRID
  outside <- max(domains[[1]]$n - intercept - length(target$y), 0) # directions orthogonal to Z
  rest <- max(domains[[1]]$yy - sum(target$y^2), 0)
  log_lik <- vapply(log(ridge$omega2) + DISTANCE_GRID, function(log_tau2) {
    e <- eigen(spread + exp(log_tau2) * square, symmetric = TRUE)
    total <- outer(pmax(e$values, 0), exp(a), `+`)
    -(colSums(log(total) + drop(crossprod(e$vectors, left))^2 / total) + outside * a + rest / exp(a)) / 2
  }, a)
  weights <- average_weights(log_lik + stats::dt(VARIANCE_GRID, 4, log = TRUE))
  list(log_s2 = a, weights = rowSums(matrix(weights, length(a))))
}

# The other domains' residual variance, a mean weighted by their degrees of freedom. Where they have none, the variance
# of the target that is found without this likelihood.
others_variance <- function(domains, variances) {
  df <- vapply(domains, function(domain) if (isTRUE(domain$known)) 0 else max(domain$fit$df, 0), 0)[-1]
  if (!any(df > 0)) return(variances$s2[1])
  sum(variances$s2[-1] * df) / sum(df)
}

# As many rows as G has rank, Z, and their response y, with Z'Z = G, Z'y = g.
rows_of_moments <- function(G, g) {
  R <- suppressWarnings(chol(G, pivot = TRUE, tol = SINGULAR * max(diag(G))))
  rank <- attr(R, "rank")
  order <- attr(R, "pivot")
  list(Z = R[seq_len(rank), order(order), drop = FALSE], y = backsolve(R, g[order], k = rank, transpose = TRUE))
}

# The posterior of the coefficients of a ridge regression of all these domains. Along the orthonormal columns of V it
# has the means `mean` and the variances `variance`, across them the mean 0 and the prior variance omega2, which
# maximises the marginal likelihood.
others_ridge <- function(domains, s2) {
  add <- function(part) Reduce(`+`, Map(function(domain, s2) domain[[part]] / s2, domains, s2))
  rows <- rows_of_moments(add("G"), add("g"))
  e <- eigen(tcrossprod(rows$Z), symmetric = TRUE)
  d <- pmax(e$values, .Machine$double.xmin)
  u <- drop(crossprod(e$vectors, rows$y))
  log_lik <- function(log_omega2) {
    v <- exp(log_omega2) * d + 1
    -sum(log(v) + u^2 / v) / 2
  }
  omega2 <- exp(stats::optimize(log_lik, log(c(LOW_OMEGA2, 100)), maximum = TRUE)$maximum)
  variance <- 1 / (d + 1 / omega2)
  list(V = crossprod(rows$Z, e$vectors / rep(sqrt(d), each = length(d))), mean = variance * sqrt(d) * u,
       variance = variance, omega2 = omega2)
}
