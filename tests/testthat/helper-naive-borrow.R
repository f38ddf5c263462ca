# The borrowing prior of tlcp(), written out naively: densities and posteriors from dense covariance matrices, maximised
# by optim(). `domains` are the domains of naive_domain_rows(). Slow; base R only.

# The covariance, under the borrowing prior, of the coefficients of all domains, stacked.
naive_prior_covariance <- function(n_domains, c, tau2, omega2, kappa2 = NULL) {
  v <- naive_variances(n_domains, c, tau2, omega2, kappa2)
  kronecker(matrix(1, n_domains, n_domains), diag(v$common, length(v$common))) +
    diag(as.vector(v$own))
}

# The variances, by coefficient, of the common coefficients, and of the deviations of each domain (a column each). A
# level comes last.
naive_variances <- function(n_domains, c, tau2, omega2, kappa2 = NULL) {
  own <- outer(c, rep_len(tau2, n_domains))
  if (is.null(kappa2)) return(list(own = own, common = c * omega2))
  list(own = unname(rbind(own, kappa2)), common = c(c * omega2, 100))
}

naive_error_covariance <- function(domains) {
  naive_blocks(lapply(domains, function(domain) domain$s2 * solve(domain$G)))
}

# The log density of the stacked least-squares coefficients of all domains, without the factors 2 pi.
naive_loglik <- function(domains, tau2, omega2, c = naive_ones(domains), prior = FALSE,
                         kappa2 = NULL) {
  V <- naive_error_covariance(domains) +
    naive_prior_covariance(length(domains), c, tau2, omega2, kappa2)
  # columns are multiplied by sqrt(c): least-squares coefficients become what / sqrt(c)
  unit <- rep(c(sqrt(c), if (!is.null(kappa2)) 1), length(domains))
  V <- V / outer(unit, unit)
  e <- unlist(naive_stack(domains, "what")) / unit
  R <- chol(V)
  value <- -sum(log(diag(R))) - sum(backsolve(R, e, transpose = TRUE)^2) / 2
  if (prior) value <- value + naive_log_prior(tau2, omega2, length(domains))
  value
}

# Of the distances, and of omega: a gamma density of shape 1.5 with rate 0, where there are several domains.
naive_log_prior <- function(tau2, omega2, n_domains) {
  (n_domains > 1) * log(sqrt(omega2)) / 2 - sum((log(tau2) - mean(log(tau2)))^2) / 2
}

# The same from the rows, for domains whose least-squares fit is not unique: each domain is rotated to as many rows as
# it has rank. Factors that do not depend on tau2 and omega2 are those of the density where the fit is unique, else
# left out.
naive_loglik_rows <- function(domains, tau2, omega2, c = naive_ones(domains), prior = FALSE,
                              kappa2 = NULL) {
  small <- lapply(domains, naive_full_rank_rows)
  x <- naive_blocks(naive_stack(small, "x"))
  s2 <- rep(vapply(domains, `[[`, 1, "s2"), vapply(small, `[[`, 1, "rank"))
  prior_V <- naive_prior_covariance(length(domains), c, tau2, omega2, kappa2)
  V <- diag(s2) + x %*% prior_V %*% t(x)
  R <- chol(V)
  y <- unlist(naive_stack(small, "y"))
  value <- -sum(log(diag(R))) - sum(backsolve(R, y, transpose = TRUE)^2) / 2
  jacobian <- Map(function(domain, part) {
    if (part$rank < ncol(domain$x)) part$rank * log(domain$s2) / 2 else sum(log(part$d))
  }, domains, small)
  value <- value + sum(unlist(jacobian))
  if (prior) value <- value + naive_log_prior(tau2, omega2, length(domains))
  value
}

# A scale of 1 for every slope.
naive_ones <- function(domains) rep(1, ncol(domains[[1]]$x) - naive_has_level(domains))

naive_full_rank_rows <- function(domain) {
  s <- svd(domain$x)
  r <- which(s$d > 1e-9 * s$d[1])
  list(
    x = s$d[r] * t(s$v[, r, drop = FALSE]), y = drop(crossprod(s$u[, r, drop = FALSE], domain$y)),
    d = s$d[r], rank = length(r)
  )
}

naive_unique <- function(domains) {
  all(vapply(domains, function(domain) qr(domain$x)$rank == ncol(domain$x), TRUE))
}

naive_bounds <- function(n_domains, level) {
  lower <- log(c(rep(1e-6, n_domains), 1e-5, if (level) 1e-6))
  list(lower = lower, upper = rep(log(100), length(lower)))
}

# The largest value over the box from several starts: all variances equal, omega2 large and tau2 small, and the reverse.
naive_maximise <- function(value, lower, upper, level) {
  k <- length(lower)
  starts <- list()
  for (own in level) {
    for (common in level) starts <- c(starts, list(c(rep(own, k - 1), common)))
  }
  best <- list(value = -Inf)
  for (start in starts) {
    start <- pmin(pmax(start, lower + 1e-3), upper - 1e-3)
    fit <- optim(start, function(at) -value(at), method = "L-BFGS-B", lower = lower,
                 upper = upper, control = list(factr = 1e5, maxit = 1000))
    if (-fit$value > best$value) best <- list(value = -fit$value, par = fit$par)
  }
  fit <- optim(best$par, function(at) -value(at), method = "L-BFGS-B", lower = lower,
               upper = upper, control = list(factr = 10, maxit = 1000))
  list(value = -fit$value, par = fit$par)
}

naive_hierarchical_fit <- function(domains, c, prior) {
  n_domains <- length(domains)
  level <- naive_has_level(domains)
  box <- naive_bounds(n_domains, level)
  slopes <- lapply(domains, function(domain) domain$what[seq_along(c)] / sqrt(c))
  s <- mean(unlist(slopes)^2)
  loglik <- if (naive_unique(domains)) naive_loglik else naive_loglik_rows
  value <- function(at) {
    tau2 <- exp(at[seq_len(n_domains)])
    loglik(domains, tau2, exp(at[n_domains + 1]), c, prior, if (level) exp(at[n_domains + 2]))
  }
  best <- naive_maximise(value, box$lower, box$upper, log(s / 4) + c(0, -4))
  list(
    tau2 = exp(best$par[seq_len(n_domains)]), omega2 = exp(best$par[n_domains + 1]),
    kappa2 = if (level) exp(best$par[n_domains + 2]), loglik = best$value
  )
}

# Mean and variances of b and u_1 .. u_T given the rows, from their joint covariance.
naive_posterior <- function(domains, tau2, omega2, c, kappa2 = NULL) {
  n_domains <- length(domains)
  v <- naive_variances(n_domains, rep(1, length(c)), tau2, omega2, kappa2)
  if (!is.null(kappa2)) c <- c(c, 1)
  p <- length(c)
  small <- lapply(domains, naive_full_rank_rows)
  prior <- naive_blocks(list(diag(v$common, p), diag(as.vector(v$own))))
  to_rows <- naive_blocks(naive_stack(small, "x")) %*%
    (cbind(kronecker(rep(1, n_domains), diag(p)), diag(n_domains * p)) * rep(sqrt(c), n_domains))
  s2 <- rep(vapply(domains, `[[`, 1, "s2"), vapply(small, `[[`, 1, "rank"))
  cross <- prior %*% t(to_rows)
  gain <- cross %*% solve(to_rows %*% cross + diag(s2))
  mean <- drop(gain %*% unlist(naive_stack(small, "y")))
  list(
    b = mean[seq_len(p)], u = matrix(mean[-seq_len(p)], p),
    variance = matrix(diag(prior - gain %*% t(cross)), p)
  )
}

naive_hierarchical <- function(domains, scales = TRUE, nu = 4) {
  n_domains <- length(domains)
  c <- naive_ones(domains)
  fit <- naive_hierarchical_fit(domains, c, prior = TRUE)
  if (scales) {
    for (round in 1:6) {
      post <- naive_posterior(domains, fit$tau2, fit$omega2, c, fit$kappa2)
      e <- ((post$b^2 + post$variance[, 1]) / fit$omega2 +
        rowSums((post$u^2 + post$variance[, -1]) / rep(fit$tau2, each = length(post$b))))
      e <- e[seq_along(c)]
      c <- c * (nu + e) / (nu + n_domains + 1)
      c <- c / exp(mean(log(c)))
      fit <- naive_hierarchical_fit(domains, c, prior = TRUE)
    }
  }
  c(fit, list(c = c))
}

# The log likelihood of one domain by itself: w_t ~ N(0, omega_t^2).
naive_ridge_loglik <- function(domain) {
  value <- function(at) naive_loglik_rows(list(domain), exp(at), 0)
  grid <- seq(log(1e-5), log(100), length.out = 60)
  best <- grid[which.max(vapply(grid, value, 1))]
  optimize(value, pmin(pmax(best + c(-0.5, 0.5), log(1e-5)), log(100)), maximum = TRUE,
           tol = 1e-10)$objective
}

# The log likelihood ratio: all domains together, against the target by itself and the other domains together.
naive_likelihood_ratio <- function(domains) {
  domains <- lapply(domains, naive_own_level)
  c <- naive_ones(domains)
  joint <- function(domains) naive_hierarchical_fit(domains, c, prior = FALSE)$loglik
  sources <- if (length(domains) == 2) naive_ridge_loglik(domains[[2]]) else joint(domains[-1])
  joint(domains) - naive_ridge_loglik(domains[[1]]) - sources
}

# The domain with its rows centred about its own means, in place of a level.
naive_own_level <- function(domain) {
  if (!isTRUE(domain$level)) return(domain)
  x <- domain$x[, -ncol(domain$x), drop = FALSE]
  domain$x <- x - rep(colMeans(x), each = nrow(x))
  domain$y <- domain$y - mean(domain$y)
  domain$G <- crossprod(domain$x)
  domain$what <- naive_zero(lm.fit(domain$x, domain$y)$coefficients)
  domain$level <- FALSE
  domain
}

naive_lambda <- function(criterion, s2, n, p) {
  if (is.numeric(criterion)) {
    return(criterion * s2)
  }
  s2 * switch(criterion, Cp = 2, AIC = 2, BIC = , Cp_BIC = log(n), HQ = ,
              Cp_HQ = 2 * log(log(n)), RIC = 2 * log(p))
}

# The variance delta^2 of the differences of two domains' coefficients, by REML.
naive_reml <- function(domains) {
  V <- domains[[1]]$s2 * solve(domains[[1]]$G) + domains[[2]]$s2 * solve(domains[[2]]$G)
  gap <- domains[[1]]$what - domains[[2]]$what
  value <- function(at) {
    R <- chol(V + diag(exp(at), length(gap)))
    -sum(log(diag(R))) - sum(backsolve(R, gap, transpose = TRUE)^2) / 2
  }
  grid <- seq(log(1e-6), log(100), length.out = 400)
  best <- grid[which.max(vapply(grid, value, 1))]
  exp(optimize(value, pmin(pmax(best + c(-0.1, 0.1), log(1e-6)), log(100)), maximum = TRUE,
               tol = 1e-12)$maximum)
}

naive_pooled <- function(domains, tiny = 1e-6) {
  w <- do.call(cbind, naive_stack(domains, "what"))
  noise <- vapply(domains, function(domain) domain$s2 * diag(solve(domain$G)), w[, 1])
  max(mean(2 * (apply(w, 1, var) - rowMeans(noise))), tiny)
}

# Theorem 20: the penalty for two domains, with lam_t = 1 / s2_t.
naive_theorem20 <- function(domains, v, lambda) {
  s1 <- domains[[1]]$s2
  s2 <- domains[[2]]$s2
  n <- domains[[1]]$n
  m <- domains[[2]]$n
  l1 <- s2
  l2 <- s1
  v <- v * s1 * s2
  den <- 4 * l1 * l2 * n * m + m * l2 * v + n * l1 * v
  D1 <- m * l2 * v / den
  D2 <- n * l1 * v / den
  D3 <- 2 * l1 * l2 * n * m / den
  Dt <- l1 * n * D1^2 + l2 * m * D2^2 + v * D3^2
  Q <- -2 * Dt
  N <- l1 * n - Dt
  M <- l2 * m - Dt
  G2 <- n * m / (n * M * s2 + m * N * s1)
  min(lambda * (2 - Q / sqrt(M * N)) / (4 * s1 * G2)) / (s1 * s2)
}

# The authors' rule for three domains, with their weights lam_1 = s2_2 s2_3 and so on; v and pen as the package has
# them, for lam_t = 1 / s2_t.
naive_three_domains <- function(domains, lambda) {
  s <- vapply(domains, `[[`, 1, "s2")
  n <- vapply(domains, `[[`, 1, "n")
  w <- do.call(cbind, naive_stack(domains, "what"))
  rule <- apply(w, 1, function(w) {
    d <- (w[1] - w[2]) + (w[1] - w[3])
    E <- d^2 + s[1] / n[1] + s[2] / n[2] + s[3] / n[3]
    Dt <- s[1] * s[2] * s[3] / E
    N <- s[2] * n[1] * n[3] * (d^2 + s[2] / n[2]) / E
    M <- s[1] * n[2] * n[3] * (d^2 + s[1] / n[1]) / E
    W <- s[3] * n[1] * n[2] * (d^2 + s[3] / n[3]) / E
    G2 <- n[1] * n[2] * n[3] / (n[1] * M * s[2] * s[3] + n[2] * N * s[1] * s[3] + n[3] * W * s[1] * s[2])
    c(v = 12 / d^2, pen = lambda / s[1] * (2 + 2 * Dt / sqrt(M * N * W)) / (4 * G2 * s[1] * s[2] * s[3]))
  })
  list(v = rule[1, ], pen = min(rule[2, ]))
}

# The problem that borrow = , criterion = and scales = give: lam of every domain, the coupling of every feature (the
# variances of the domains' deviations and of the common coefficient), the penalty of every feature.
naive_borrowing <- function(domains, borrow = "hierarchical", criterion = "Cp", scales = TRUE,
                            support = "target") {
  p <- ncol(domains[[1]]$x) - naive_has_level(domains)
  n_domains <- length(domains)
  s2 <- vapply(domains, `[[`, 1, "s2")
  lambda <- naive_lambda(criterion, s2[[1]], domains[[1]]$n, p)
  flat <- function(v, pen) {
    list(lam = 1 / s2, own = matrix(2 / v, p, n_domains), common = rep(Inf, p), v = rep_len(v, p),
         pen = rep_len(pen, p))
  }
  if (is.list(borrow)) {
    out <- flat(borrow$v, borrow$pen)
    out$lam <- borrow$lam
    return(out)
  }
  switch(borrow,
    none = flat(0, lambda / s2[[1]]),
    plugin = {
      w <- do.call(cbind, naive_stack(domains, "what"))
      v <- 2 / pmax(apply(w, 1, var), 1e-16)
      pen <- if (n_domains == 2) naive_theorem20(domains, v, lambda) else lambda / s2[[1]]
      flat(v, pen)
    },
    plugin3 = {
      rule <- naive_three_domains(domains, lambda)
      flat(rule$v, rule$pen)
    },
    pooled = {
      delta2 <- naive_pooled(domains)
      v <- 4 / delta2
      pen <- if (n_domains == 2) naive_theorem20(domains, v, lambda) else lambda / s2[[1]]
      c(flat(v, pen), list(delta2 = delta2))
    },
    reml = {
      delta2 <- naive_reml(domains)
      c(flat(4 / delta2, lambda / s2[[1]]), list(delta2 = delta2))
    },
    hierarchical = {
      fit <- naive_hierarchical(domains, scales)
      out <- c(list(
        lam = 1 / s2, pen = rep(lambda / s2[[1]], p), tau2 = fit$tau2, omega2 = fit$omega2,
        kappa2 = fit$kappa2, c = fit$c, loglik = fit$loglik
      ), naive_variances(n_domains, fit$c, fit$tau2, fit$omega2, fit$kappa2))
      if (support == "target") {
        prior <- naive_target_covariance(domains, out)
        total <- fit$c * (fit$omega2 + fit$tau2[1])
        h <- 1 - diag(prior) / total
        out$pen <- lambda / s2[[1]] * h / (2 - h)
      }
      out
    }
  )
}

# The precision of each of the target's coefficients given its other ones (level included), those of the other domains
# integrated out: from the inverse of the dense problem.
naive_own_precision <- function(domains, borrowing) {
  problem <- naive_problem(domains, borrowing)
  own <- seq_len(problem$p)
  diag(solve(solve(crossprod(problem$x))[own, own]))
}

# The covariance of the target's coefficients given all rows, from the inverse of the dense problem.
naive_target_covariance <- function(domains, borrowing) {
  problem <- naive_problem(domains, borrowing)
  p <- ncol(domains[[1]]$x)
  slopes <- seq_len(p - problem$level)
  solve(crossprod(problem$x))[slopes, slopes, drop = FALSE]
}
