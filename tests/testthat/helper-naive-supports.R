# The posterior of tlcp(borrow = "sparse") by enumeration, from the formulas in src/tlcp/supports.h. domains: list of
# list(X, y), centred, target first; supports of at most `most` columns. Returns inclusion probabilities and means of
# all candidates (columns x kinds, common ones first), the target's mean coefficients, and for the target's rows the
# predictions without them and their log densities.
naive_supports <- function(domains, g, own_g, t, prior_t, most) {
  df <- sum(vapply(domains, function(d) nrow(d$X) - 1, 0))
  n_domains <- length(domains)
  p <- ncol(domains[[1]]$X)
  of <- rep(seq_len(n_domains), vapply(domains, function(d) nrow(d$X), 0L))
  y <- unlist(lapply(domains, `[[`, "y"))
  X <- do.call(rbind, lapply(domains, `[[`, "X"))
  kinds <- if (n_domains > 1) n_domains + 1 else 1
  candidates <- do.call(cbind, lapply(seq_len(kinds) - 1, function(kind) X * (kind == 0 | of == kind)))
  kind_of <- rep(seq_len(kinds), each = p)
  supports <- unlist(lapply(0:most, function(q) utils::combn(ncol(candidates), q, simplify = FALSE)), FALSE)
  size_prior <- function(q) -log(q + 1) - lchoose(p, q)
  grid <- expand.grid(c(list(seq_along(g), if (kinds > 1) seq_along(own_g) else 1), rep(list(seq_along(t)), n_domains)))
  n <- sum(of == 1)
  first <- seq_len(n)
  centre <- Reduce(function(A, k) A - tcrossprod(of == k) / sum(of == k), seq_len(n_domains), diag(length(y)))
  total <- 0
  probability <- mean <- numeric(ncol(candidates))
  coefficients <- numeric(p)
  left <- inverse_density <- numeric(n)
  top <- NULL
  for (row in seq_len(nrow(grid))) {
    at <- unlist(grid[row, ])
    variances <- t[at[-(1:2)]]
    background <- tcrossprod(X) * outer(of, of, `==`) * variances[of] / p
    for (P in supports) {
      Z <- candidates[, P, drop = FALSE]
      G <- ifelse(kind_of[P] == 1, g[at[1]], own_g[at[2]])
      V <- diag(length(y)) + background + Z %*% (G * t(Z))
      W <- solve(V)
      S <- drop(y %*% W %*% y)
      # the intercepts: columns are centred, so that V leaves the means of domains as they are
      log_p <- -(determinant(V)$modulus[1] + df * log(S)) / 2 + sum(log(prior_t[at[-(1:2)]])) +
        sum(size_prior(tabulate(kind_of[P], kinds)))
      if (is.null(top)) top <- log_p
      weight <- exp(log_p - top)
      e <- drop(W %*% y)
      b <- G * drop(crossprod(Z, e))
      Q <- centre %*% W %*% centre
      out <- drop(Q %*% y)[first] / diag(Q)[first]
      rest <- S - out^2 * diag(Q)[first]
      # over all models, the prediction without row i has the weight p(y_-i) = p(y) / p(y_i | y_-i)
      density <- sqrt(diag(Q)[first]) * S^(-df / 2) * rest^((df - 1) / 2)
      total <- total + weight
      probability[P] <- probability[P] + weight
      mean[P] <- mean[P] + weight * b
      mine <- P[kind_of[P] <= 2]
      coefficients <- coefficients + weight * variances[1] / p * drop(crossprod(X[first, ], e[first]))
      for (i in which(kind_of[P] <= 2)) {
        j <- (P[i] - 1) %% p + 1
        coefficients[j] <- coefficients[j] + weight * b[i]
      }
      left <- left + weight / density * out
      inverse_density <- inverse_density + weight / density
    }
  }
  list(probability = matrix(probability / total, p), mean = matrix(mean / total, p),
       coefficients = coefficients / total,
       left = left / inverse_density, density = -log(inverse_density / total))
}
