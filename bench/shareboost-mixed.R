# Multinomial regression with a mixed norm, the paper's comparator (Duchi and Singer, 2009):
#   mean logistic loss + lambda sum_j max_k |W_jk|,
# a path over lambda by FISTA on the features that take part. Only definitions.

# Of every row of v, v less its projection on the l1 ball: what minimises |w - v|^2 / 2 + lambda max|w|.
# With |v| sorted down a row, the cap t solves sum_k max(|v_k| - t, 0) = lambda; t = 0: all are zero.
shrink_largest <- function(v, lambda) {
  size <- abs(v)
  down <- matrix(size[order(row(v), -size)], nrow(v), byrow = TRUE)
  cap <- (t(apply(down, 1, cumsum)) - lambda) / col(v)
  active <- pmax(rowSums(down > cap), 1)
  cap <- pmax(cap[cbind(seq_len(nrow(v)), active)], 0)
  sign(v) * pmin(size, cap)
}

class_shares <- function(eta) {
  eta <- exp(eta - eta[cbind(seq_len(nrow(eta)), max.col(eta, "first"))])
  eta / rowSums(eta)
}

# The largest eigenvalue of crossprod(z) / n, by power iterations.
largest_eigenvalue <- function(z, times = 20) {
  v <- rep(1, ncol(z))
  for (k in seq_len(times)) {
    v <- drop(crossprod(z, z %*% v)) / nrow(z)
    value <- sqrt(sum(v^2))
    v <- v / value
  }
  value
}

# One lambda on the columns z, the first of them the constant, which costs nothing; from W.
mixed_fit <- function(z, Y, W, lambda, curvature, most = 600, tol = 2e-5) {
  step <- 1 / curvature
  old <- ahead <- W
  t <- 1
  for (k in seq_len(most)) {
    slope <- crossprod(z, class_shares(z %*% ahead) - Y) / nrow(z)
    W <- ahead - step * slope
    W[-1, ] <- shrink_largest(W[-1, , drop = FALSE], step * lambda)
    if (max(abs(W - old)) < tol * max(abs(W))) break
    if (sum((ahead - W) * (W - old)) > 0) t <- 1 # it overshot: start the momentum anew
    next_t <- (1 + sqrt(1 + 4 * t^2)) / 2
    ahead <- W + (t - 1) / next_t * (W - old)
    old <- W
    t <- next_t
  }
  W
}

# Columns of mean 0 and variance 1, as glmnet has them. At each lambda the features that may matter by
# the last gradient (its l1 norm above 2 lambda - the last lambda) and those that a check finds missing.
# Ends at the first model of more features than `most`.
mixed_path <- function(set, penalties = 300, most = max(budgets) + 10, ratio = .95) {
  center <- colMeans(set$x)
  scale <- sqrt(colMeans(set$x^2) - center^2)
  scale[!(scale > 1e-10 * max(scale))] <- Inf
  z <- cbind(1, (set$x - rep(center, each = nrow(set$x))) / rep(scale, each = nrow(set$x)))
  Y <- outer(as.integer(set$y), seq_len(nlevels(set$y)), "==") + 0
  W <- matrix(0, ncol(z), ncol(Y))
  W[1, ] <- log(colMeans(Y))
  curvature <- largest_eigenvalue(z) / 2
  norms <- function(W) rowSums(abs(crossprod(z, class_shares(z %*% W) - Y) / nrow(z)))
  slope <- norms(W)
  lambda <- max(slope[-1])
  models <- list()
  for (k in seq_len(penalties)) {
    last <- lambda
    lambda <- lambda * ratio
    part <- rowSums(abs(W)) > 0 | slope > 2 * lambda - last
    repeat {
      part[1] <- TRUE
      W[part, ] <- mixed_fit(z[, part, drop = FALSE], Y, W[part, , drop = FALSE], lambda, curvature)
      slope <- norms(W)
      missing <- !part & slope > lambda * (1 + 1e-3)
      if (!any(missing)) break
      part <- part | missing
    }
    used <- rowSums(abs(W[-1, ])) > 0
    models[[k]] <- list(lambda = lambda, used = used, W = W)
    if (sum(used) > most) break
  }
  list(models = models, center = center, scale = scale)
}

mixed_curve <- function(set, ...) {
  path <- mixed_path(set, ...)
  new <- cbind(1, (set$test_x - rep(path$center, each = nrow(set$test_x))) /
                 rep(path$scale, each = nrow(set$test_x)))
  error <- vapply(path$models, function(m) {
    error_of(levels(set$y)[max.col(new %*% m$W, "first")], set)
  }, 0)
  used <- vapply(path$models, `[[`, logical(ncol(set$x)), "used")
  structure(data.frame(features = colSums(used), error = error), used = used)
}
