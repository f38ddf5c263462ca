# The logistic model of src/greedytl/laplace.h from its definition: the mode by optim() in coordinates of unit
# variance, rows left out by fits without them.

naive_odds_mode <- function(K, m, y, w) {
  e <- eigen(K, symmetric = TRUE)
  R <- e$vectors %*% diag(sqrt(pmax(e$values, 0)), length(m))
  eta <- function(u) m + drop(R %*% u)
  log_lik <- function(f) sum(w * (y * plogis(f, log.p = TRUE) + (1 - y) * plogis(-f, log.p = TRUE)))
  found <- optim(numeric(length(m)), function(u) sum(u^2) / 2 - log_lik(eta(u)),
                 function(u) u - drop(crossprod(R, w * (y - plogis(eta(u))))),
                 method = "BFGS", control = list(reltol = 1e-15, maxit = 1000))
  f <- eta(found$par)
  W <- w * plogis(f) * plogis(-f)
  list(f = f, evidence = -found$value - determinant(diag(length(m)) + crossprod(R, W * R))$modulus[[1]] / 2)
}

# K of a pair of ridges. Scales: each feature's own; of the sources one for all, but a wide source its own.
naive_odds_kernel <- function(x, h, w, keep = NULL) {
  w <- w / sum(w)
  centred <- function(v) sweep(v, 2, colSums(w * v))
  X <- centred(x)
  X <- sweep(X, 2, sqrt(colSums(w * X^2)), "/")
  if (!is.null(h)) {
    H <- centred(h)
    spread <- sqrt(colSums(w * H^2))
    most <- 1.5 * median(spread)
    H <- sweep(H, 2, sqrt(mean(pmin(spread, most)^2)) * pmax(1, spread / most), "/")
  }
  function(ax, ah) {
    4 + 4 * tcrossprod(X) / ncol(X) / ax + 100 * tcrossprod(X[, keep, drop = FALSE]) +
      if (is.null(h) || is.infinite(ah)) 0 else 4 * tcrossprod(H) / ncol(H) / ah
  }
}

# h: the limited log odds of the sources; mean: that of their log odds.
naive_odds <- function(x, h, y, w, base, mean, keep = NULL, only_without = FALSE) {
  kernel <- naive_odds_kernel(x, h, w, keep)
  pairs <- expand.grid(ax = 10^(-2:2), ah = if (is.null(h)) Inf else c(10^(-2:2), 1e3, 1e4, Inf),
                       c = if (is.null(h)) 0 else 0:1)
  if (only_without) pairs <- pairs[is.infinite(pairs$ah) & pairs$c == 0, ]
  prior <- if (is.null(h)) 0 else {
    -log(pairs$ax / 10)^2 / 8 - ifelse(pairs$ah < 1, log(pairs$ah)^2 / (2 * .75^2), 0) +
      ifelse(pairs$c == 1, log(3), ifelse(is.infinite(pairs$ah), log(30), 0))
  }
  at <- function(k, w) {
    level <- if (pairs$c[k]) mean - sum(w0 * mean) / sum(w0) else 0
    naive_odds_mode(kernel(pairs$ax[k], pairs$ah[k]), base + level, y, w)
  }
  w0 <- w
  each <- lapply(seq_len(nrow(pairs)), at, w)
  value <- vapply(each, `[[`, 0, "evidence") + prior
  weight <- exp(value - max(value))
  weight[weight < .1] <- 0
  weight <- weight / sum(weight)
  used <- which(weight > 0)
  left <- vapply(seq_along(y), function(i) {
    sum(weight[used] * vapply(used, function(k) at(k, replace(w, i, 0))$f[i], 0))
  }, 0)
  list(fitted = drop(vapply(each, `[[`, y, "f") %*% weight), left = left,
       c = sum(weight * pairs$c), pairs = length(used))
}

# The calibration with offset, and each row left out by a fit without it (the scores' mean stays).
naive_odds_platt <- function(score, y, w, offset, mean, sd) {
  z <- score - sum(w * score) / sum(w)
  fit <- function(w) {
    optim(c(0, mean), function(at) {
      eta <- offset + at[1] + exp(at[2]) * z
      -sum(w * (y * plogis(eta, log.p = TRUE) + (1 - y) * plogis(-eta, log.p = TRUE))) +
        at[1]^2 / 200 + (at[2] - mean)^2 / (2 * sd^2)
    }, method = "BFGS", control = list(reltol = 1e-14))$par
  }
  eta <- function(at) offset + at[1] + exp(at[2]) * z
  list(fitted = eta(fit(w)), left = vapply(seq_along(y), function(i) eta(fit(replace(w, i, 0)))[i], 0))
}
