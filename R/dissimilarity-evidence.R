# Evidence that the slopes of the target are related to those of other domains, which can speak against it, too.
#
# The slopes w_1 of the target and v, those of another domain or what several have in common, are normal with variances
# omega_1^2 and omega_2^2 and correlation rho between w_1i and v_i. Given the other domains v ~ N(m, C), so that
#   w_1 | others ~ N(k m, k^2 C + omega_1^2 (1 - rho^2) I),   k = rho omega_1/omega_2.
# The log Bayes factor is log of the mean over rho in (0, 1) of the target's marginal likelihood, less that at rho = 0:
# above 0 a positive correlation is the likelier, below 0 none, or a negative one. Variances are those of largest
# marginal likelihood of each domain by itself, and at least the mean square of a standard error given the other slopes,
# since at a variance near 0 no slopes say anything.

BF_FOR <- 1.35    # above: evidence for related slopes
BF_AGAINST <- -.1 # below: evidence against
CORRELATIONS <- (seq_len(20) - .5) / 20

# domains: without levels, the target first.
dissimilarity_evidence_of_sharing <- function(domains, s2, call = NULL) {
  H <- lapply(seq_along(domains), function(t) domains[[t]]$G / s2[t])
  g <- lapply(seq_along(domains), function(t) domains[[t]]$g / s2[t])
  alone <- function(t) {
    d <- diag(H[[t]])
    if (!any(d > 0)) return(NA_real_)
    fitted <- tlcp_prior_or_stop(.Call(C_borrow_alone, domains[t], s2[t], NULL), call)$omega2
    max(fitted, mean(1 / d[d > 0]))
  }
  omega2 <- alone(1)
  p <- length(g[[1]])
  if (is.na(omega2)) return(0) # the target says nothing of its slopes
  if (length(domains) == 2) {
    spread <- alone(2)
    if (is.na(spread)) return(0)
    others <- list(covariance = .Call(C_spd_inverse, H[[2]] + diag(1 / spread, p)))
    others$mean <- drop(others$covariance %*% g[[2]])
  } else {
    fit <- tlcp_prior_fit(domains[-1], s2[-1], list(scales = FALSE), call)
    spread <- fit$omega2
    prior <- list(common = rep(spread, p), own = matrix(rep(c(1, fit$tau2), each = p), p), scales = rep(1, p))
    others <- tlcp_prior_or_stop(.Call(C_borrow_others, domains, s2, prior), call)
  }
  e <- eigen(others$covariance, symmetric = TRUE)
  C <- pmax(e$values, 0)
  m <- drop(crossprod(e$vectors, others$mean))
  H <- crossprod(e$vectors, H[[1]] %*% e$vectors)
  g <- drop(crossprod(e$vectors, g[[1]]))
  at <- vapply(c(0, CORRELATIONS), function(rho) {
    k <- rho * sqrt(omega2 / spread)
    posterior_mean <- k * m
    root <- sqrt(k^2 * C + omega2 * (1 - rho^2))
    left <- g - drop(H %*% posterior_mean)
    R <- chol(diag(p) + H * tcrossprod(root))
    sum(posterior_mean * (g + left)) / 2 + sum(backsolve(R, root * left, transpose = TRUE)^2) / 2 - sum(log(diag(R)))
  }, 0)
  response_scores_log_sum_exp(rbind(at[-1])) - log(length(CORRELATIONS)) - at[1]
}
