# Multinomial regression with a mixed norm, the paper's comparator (Duchi and Singer, 2009):
#   mean logistic loss + lambda sum_j max_k |W_jk|,
# a path over lambda, on the features with weights and candidates for them. Only definitions.

# The minimiser of |w - v|^2 / 2 + lambda max|w|, which is v less its projection on the l1 ball of radius lambda: |v| is
# cut at t, the solution of sum_k max(|v_k| - t, 0) = lambda, or w = 0 where |v| sums to at most lambda.
shrink_largest <- function(v, lambda) {
  size <- abs(v)
  if (sum(size) <= lambda) return(0 * v)
  down <- sort.int(size, decreasing = TRUE, method = "quick")
  cap <- (cumsum(down) - lambda) / seq_along(down)
  sign(v) * pmin(size, cap[sum(down > cap)])
}

class_shares <- function(eta) {
  eta <- exp(eta - eta[cbind(seq_len(nrow(eta)), max.col(eta, "first"))])
  eta / rowSums(eta)
}

# The fit for one lambda to the columns z, of which the first is the constant without a penalty; from the weights W. The
# loss is majorised by a quadratic with Hessian Z'Z / (2 n) for each class, which is minimised with the penalty row
# by row. The steps are accelerated, and the acceleration starts again where it overshoots.
mixed_fit <- function(z, Y, W, lambda, most = 100, tol = 3e-4) {
  H <- crossprod(z) / (2 * nrow(z))
  cost <- c(0, rep(lambda, ncol(z) - 1))
  old <- ahead <- W
  t <- 1
  for (k in seq_len(most)) {
    slope <- crossprod(z, class_shares(z %*% ahead) - Y) / nrow(z)
    W <- quadratic_step(ahead, slope, H, cost)
    if (max(abs(W - old)) < tol * max(abs(W))) break
    if (sum((ahead - W) * (H %*% (W - old))) > 0) t <- 1
    next_t <- (1 + sqrt(1 + 4 * t^2)) / 2
    ahead <- W + (t - 1) / next_t * (W - old)
    old <- W
    t <- next_t
  }
  W
}

# Minimises <slope, W - V> + tr (W - V)'H(W - V) / 2 + sum_j cost_j max_k |W_jk|, row by row.
quadratic_step <- function(V, slope, H, cost, sweeps = 30) {
  W <- V
  for (sweep in seq_len(sweeps)) {
    largest <- 0
    for (j in seq_len(nrow(W))) {
      row <- shrink_largest(W[j, ] - slope[j, ] / H[j, j], cost[j] / H[j, j])
      change <- row - W[j, ]
      if (any(change != 0)) {
        W[j, ] <- row
        slope <- slope + outer(H[, j], change)
        largest <- max(largest, abs(change))
      }
    }
    if (largest < 1e-4 * max(abs(W))) break
  }
  W
}

# Columns have mean 0 and variance 1, as in glmnet. At each lambda the fit has the features for which the l1 norm of the
# last gradient is above 2 lambda - the last lambda, and those for which a check finds the optimality conditions
# violated. The path ends at the first model of more features than `most`.
mixed_path <- function(set, penalties = 300, most = max(budgets) + 10, ratio = .95) {
  center <- colMeans(set$x)
  scale <- sqrt(colMeans(set$x^2) - center^2)
  scale[!(scale > 1e-10 * max(scale))] <- Inf
  z <- cbind(1, (set$x - rep(center, each = nrow(set$x))) / rep(scale, each = nrow(set$x)))
  Y <- outer(as.integer(set$y), seq_len(nlevels(set$y)), "==") + 0
  W <- matrix(0, ncol(z), ncol(Y))
  W[1, ] <- log(colMeans(Y))
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
      W[part, ] <- mixed_fit(z[, part, drop = FALSE], Y, W[part, , drop = FALSE], lambda)
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
