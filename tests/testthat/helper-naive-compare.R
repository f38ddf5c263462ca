# compare_paths() written out naively: loops over folds, ridges with every leave-one-out fit made anew.

# A ridge for columns scaled to weighted mean square 1 over the rows; a0 and w are on the original scale.
naive_one_ridge <- function(x, y, v, tau, scale) {
  varies <- scale > 0
  z <- cbind(1, x[, varies, drop = FALSE] / rep(scale[varies], each = nrow(x)))
  penalty <- diag(c(0, rep(tau, sum(varies))), ncol(z))
  b <- solve(crossprod(z, v * z) + penalty, crossprod(z, v * y))
  w <- numeric(ncol(x))
  w[varies] <- b[-1] / scale[varies]
  list(a0 = b[1], w = w)
}

naive_ridge_loo <- function(x, y, v) {
  v <- v * length(v) / sum(v)
  center <- colSums(v * x) / sum(v)
  scale <- sqrt(colSums(v * (x - rep(center, each = nrow(x)))^2) / sum(v))
  scale[apply(x, 2, function(column) max(column) == min(column))] <- 0
  x <- x - rep(center, each = nrow(x)) # no fit depends on it, the intercept being free; solve() fails without
  loo <- vapply(10^(-4:4), function(tau) {
    sum(vapply(seq_along(y), function(i) {
      model <- naive_one_ridge(x[-i, , drop = FALSE], y[-i], v[-i], tau, scale)
      v[i] * (y[i] - model$a0 - sum(x[i, ] * model$w))^2
    }, 0))
  }, 0)
  tau <- 10^(-4:4)[which.min(loo)]
  model <- naive_one_ridge(x, y, v, tau, scale)
  list(a0 = model$a0 - sum(center * model$w), w = model$w, tau = tau)
}

# Scores for numbers or two classes, rows x rules: each row by the fit without its fold.
naive_comparison_scores <- function(x, y, h, foldid, fits, loss, w = rep(1, length(y))) {
  code <- if (is.factor(y)) 2 * (as.integer(y) == 2) - 1 else y
  out <- NULL
  for (k in unique(foldid)) {
    test <- which(foldid == k)
    train <- which(foldid != k)
    v <- w[train]
    if (is.factor(y)) for (class in levels(y)) {
      at <- y[train] == class
      v[at] <- v[at] / sum(v[at])
    }
    ridge <- function(z) {
      model <- naive_ridge_loo(z[train, , drop = FALSE], code[train], v)
      drop(z[test, , drop = FALSE] %*% model$w) + model$a0
    }
    own <- vapply(fits, function(fit) fit(train, test), numeric(length(test)))
    each <- apply(h[train, ], 2, function(s) loss(code[train], s, w[train]))
    part <- cbind(
      own, "mean of the response" = sum(w[train] * code[train]) / sum(w[train]),
      "ridge on features" = ridge(x), "ridge on sources" = ridge(h),
      "ridge on both" = ridge(cbind(x, h)),
      "average of the sources, as is" = rowMeans(h[test, ]), "best source" = h[test, which.min(each)], h[test, ]
    )
    if (is.null(out)) out <- matrix(NA, length(y), ncol(part), dimnames = list(NULL, colnames(part)))
    out[test, ] <- part
  }
  out
}

naive_fold_losses <- function(scores, y, foldid, loss, w = rep(1, length(y))) {
  code <- if (is.factor(y)) 2 * (as.integer(y) == 2) - 1 else y
  t(vapply(sort(unique(foldid)), function(k) {
    at <- foldid == k
    apply(scores[at, , drop = FALSE], 2, function(s) loss(code[at], s, w[at]))
  }, numeric(ncol(scores))))
}

naive_losses <- list(
  mse = function(y, s, w) sum(w * (y - s)^2) / sum(w),
  mae = function(y, s, w) sum(w * abs(y - s)) / sum(w),
  class = function(y, s, w) sum(w * ((s > 0) != (y > 0))) / sum(w)
)
