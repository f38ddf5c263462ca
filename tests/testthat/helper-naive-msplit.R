# Split LBI and its limit path written out naively: dense matrices, gamma of every event solved without that of the
# event before, leave-one-out by fitting again. Slow on purpose; base R only.

# ---- the rows ---------------------------------------------------------------------------------

# X and y centred, X divided by sd with divisor n, rows times the root of their weight (mean 1). Of X without
# the columns `keep` and of y what these leave; `fixed`: the intercept and these, weighted.
naive_rows <- function(X, y, weights = NULL, intercept = TRUE, standardize = TRUE, keep = NULL) {
  X <- as.matrix(X)
  y <- as.matrix(y)
  w <- if (is.null(weights)) rep(1, nrow(X)) else weights
  X <- X[w > 0, , drop = FALSE]
  y <- y[w > 0, , drop = FALSE]
  w <- w[w > 0] / mean(w[w > 0])
  own <- X[, keep, drop = FALSE]
  if (intercept) own <- own - rep(colMeans(w * own), each = nrow(X))
  size <- sqrt(colMeans(own^2))
  fixed <- cbind(if (intercept) rep(1, nrow(X)), own / rep(ifelse(size > 0, size, 1), each = nrow(X)))
  fixed <- fixed[, qr(fixed)$pivot[seq_len(qr(fixed)$rank)], drop = FALSE]
  if (length(keep)) {
    left <- function(v) {
      out <- as.matrix(lm.wfit(fixed, v, w)$residuals)
      out[, colSums(w * out^2) <= 1e-20 * colSums(w * v^2)] <- 0
      out
    }
    X <- left(X[, -keep, drop = FALSE])
    y <- left(y)
  }
  center <- if (intercept) colMeans(w * X) else rep(0, ncol(X))
  y_center <- if (intercept) colMeans(w * y) else rep(0, ncol(y))
  centred <- X - rep(center, each = nrow(X))
  scale <- if (standardize) sqrt(colMeans(w * centred^2)) else rep(1, ncol(X))
  varies <- apply(X, 2, function(x) if (intercept) max(x) > min(x) else any(x != 0))
  scale[!varies] <- 1
  centred[, !varies] <- 0
  list(
    x = sqrt(w) * centred / rep(scale, each = nrow(X)),
    y = sqrt(w) * (y - rep(y_center, each = nrow(y))),
    w = w, center = center, scale = scale, y_center = y_center, intercept = intercept, fixed = sqrt(w) * fixed
  )
}

# ---- the limit path ---------------------------------------------------------------------------

# f(gamma) = gamma'A gamma / 2 - c'gamma, the split loss with B eliminated.
naive_quadratic <- function(x, y, nu) {
  n <- nrow(x)
  d <- ncol(x)
  if (d <= n) {
    M <- solve(crossprod(x) / n + diag(1 / nu, d))
    A <- M %*% crossprod(x) / (n * nu)
    c <- drop(M %*% crossprod(x, y)) / (n * nu)
  } else {
    V <- solve(diag(n, n) + nu * tcrossprod(x))
    A <- crossprod(x, V %*% x)
    c <- drop(crossprod(x, V %*% y))
  }
  list(A = (A + t(A)) / 2, c = c)
}

# min u'Gu/2 - h'u over u >= 0, by Lawson and Hanson's active set.
naive_nonnegative <- function(G, h, tolerance) {
  u <- rep(0, length(h))
  free <- logical(length(h))
  for (round in seq_len(30 * length(h) + 30)) {
    slope <- h - drop(G %*% u)
    slope[free] <- -Inf
    if (max(slope, -Inf) <= tolerance) {
      return(u)
    }
    free[which.max(slope)] <- TRUE
    repeat {
      to <- rep(0, length(h))
      to[free] <- qr.coef(qr(G[free, free, drop = FALSE], tol = 1e-12), h[free])
      to[is.na(to)] <- 0
      falls <- free & to <= 0
      if (!any(falls)) break
      share <- min(u[falls] / (u[falls] - to[falls]))
      u <- u + share * (to - u)
      free <- free & u > 1e-13 * max(u)
      u[!free] <- 0
      if (!any(free)) break
    }
    u[free] <- to[free]
  }
  stop("the naive active set did not end")
}

# The events: rho moves by the gradient c - A gamma, and where a coordinate meets the boundary
# gamma is the sign-constrained minimum over all coordinates on the boundary.
naive_iss <- function(x, y, nu, t_ratio = 100, max_events = 20 * min(dim(x))) {
  q <- naive_quadratic(x, drop(y), nu)
  d <- ncol(x)
  small <- 1e-11 * max(abs(q$c))
  gamma <- rho <- rep(0, d)
  t <- 0
  events <- list()
  repeat {
    g <- q$c - drop(q$A %*% gamma)
    moves <- abs(g) > small & !(abs(rho) > 1 - 1e-9 & gamma != 0)
    if (max(abs(g)) <= 1e-12 * max(abs(q$c)) || !any(moves)) break
    if (length(events) == max_events || sum(gamma != 0) == min(dim(x))) break
    wait <- rep(Inf, d)
    wait[moves] <- pmax(0, (sign(g[moves]) - rho[moves]) / g[moves])
    dt <- min(wait)
    hits <- wait <= dt + 1e-10 * (t + dt)
    t <- t + dt
    if (length(events) && t > t_ratio * events[[1]]$t) break
    rho <- rho + dt * g
    rho[hits] <- sign(g[hits])
    rho[gamma != 0] <- sign(gamma[gamma != 0])
    edge <- which(abs(rho) > 1 - 1e-9)
    s <- sign(rho[edge])
    before <- gamma != 0
    gamma <- rep(0, d)
    gamma[edge] <- s * naive_nonnegative(
      q$A[edge, edge, drop = FALSE] * outer(s, s), s * q$c[edge], small
    )
    now <- gamma != 0
    events <- c(events, list(list(
      t = t, gamma = gamma, rho = rho, entered = which(now & !before),
      dropped = which(before & !now)
    )))
  }
  events
}

# ---- estimators at a support ------------------------------------------------------------------

# argmin |y - xB|^2/(2n) + |B off P|^2/(2 nu): one column a response.
naive_dense <- function(x, y, P, nu) {
  n <- nrow(x)
  penalty <- rep(1 / nu, ncol(x))
  penalty[P] <- 0
  rest <- setdiff(seq_len(ncol(x)), P)
  if (length(rest) == 0) {
    return(qr.coef(qr(x), as.matrix(y)))
  }
  # the penalty of the rest as more rows: no normal equations
  rows <- matrix(0, length(rest), ncol(x))
  rows[cbind(seq_along(rest), rest)] <- sqrt(n / nu)
  y <- as.matrix(y)
  qr.coef(qr(rbind(x, rows)), rbind(y, matrix(0, length(rest), ncol(y))))
}

# The criteria of a support by brute force: leave-one-out by fitting without each row (the
# divisor n, nu, the centres' definition and the scales stay), df as the trace of d fitted / d y,
# REML from the dense Gaussian model y ~ N(1 mu + x_P b, s2 (I + nu/n x_-P x_-P')).
naive_support <- function(rows, P, nu, brute = TRUE) {
  x <- rows$x
  n <- nrow(x)
  z <- cbind(rows$fixed, x)
  offset <- ncol(z) - ncol(x)
  penalty <- rep(sqrt(n / nu), ncol(z))
  penalty[c(seq_len(offset), offset + P)] <- 0
  prior <- diag(penalty, ncol(z))[penalty > 0, , drop = FALSE]
  fitted_of <- function(keep, y) {
    qr.coef(qr(rbind(z[keep, , drop = FALSE], prior)), c(y[keep], rep(0, nrow(prior))))
  }
  y <- rows$y[, 1]
  residual <- vapply(seq_len(if (brute) n else 0), function(i) {
    y[i] - sum(z[i, ] * fitted_of(-i, y))
  }, numeric(1))
  unit <- diag(n)
  hat <- vapply(seq_len(n), function(i) sum(z[i, ] * fitted_of(seq_len(n), unit[, i])), 0)
  if (!brute) {
    residual <- (y - drop(z %*% fitted_of(seq_len(n), y))) / (1 - hat)
  }
  rest <- setdiff(seq_len(ncol(x)), P)
  W <- n * diag(n) + nu * tcrossprod(x[, rest, drop = FALSE])
  fixed <- z[, c(seq_len(offset), offset + P), drop = FALSE]
  K <- solve(W)
  logdet <- function(m) if (ncol(m)) as.numeric(determinant(m)$modulus) else 0
  if (ncol(fixed)) {
    G <- crossprod(fixed, K %*% fixed)
    left <- K - K %*% fixed %*% solve(G, crossprod(fixed, K))
  } else {
    G <- matrix(0, 0, 0)
    left <- K
  }
  list(
    loo = mean(residual^2), df = sum(hat),
    # response and columns of P in units of their root mean squares
    reml = logdet(W) + logdet(G) - sum(log(colMeans(x^2))[P]) +
      (n - ncol(fixed)) * log(sum(y * (left %*% y)) / mean(y^2))
  )
}

# ---- the choice -------------------------------------------------------------------------------

# -2 REML + |P| log n + 2 log choose(d, |P|).
naive_support_criterion <- function(rows, P, nu) {
  varying <- sum(colSums(rows$x^2) > 0)
  naive_support(rows, P, nu, FALSE)$reml + length(P) * log(nrow(rows$x)) +
    2 * lchoose(varying, length(P))
}

# Ridge that leaves P free: leave-one-out error over the rows that can be left out (none that a
# column of P has for itself), degrees of freedom and mean squared residual. One QR of the rows and
# the penalty as more rows.
naive_free_ridge <- function(rows, P, nu) {
  n <- nrow(rows$x)
  z <- cbind(rows$fixed, rows$x)
  penalty <- rep(sqrt(n / nu), ncol(z))
  free <- c(seq_len(ncol(rows$fixed)), ncol(rows$fixed) + P)
  penalty[free] <- 0
  basis <- function(z) {
    qr <- qr(z, tol = 1e-12)
    qr.Q(qr)[, seq_len(qr$rank), drop = FALSE]
  }
  Q <- basis(rbind(z, diag(penalty, ncol(z))[penalty > 0, , drop = FALSE]))[seq_len(n), , drop = FALSE]
  y <- drop(rows$y)
  residual <- y - drop(Q %*% crossprod(Q, y))
  left <- 1 - rowSums(Q^2)
  own <- if (length(free)) 1 - rowSums(basis(z[, free, drop = FALSE])^2) else rep(1, n)
  list(loo = mean((residual / left)[own > 1e-9]^2), df = n - sum(left), loss = mean(residual^2))
}

# The supports that are averaged, with their weights and dense estimators, and the average.
naive_average <- function(rows, nus, ridges, t_ratio = 30) {
  n <- nrow(rows$x)
  events <- do.call(rbind, lapply(nus, function(nu) {
    path <- naive_iss(rows$x, rows$y, nu, t_ratio)
    supports <- c(list(integer()), lapply(path, function(e) which(e$gamma != 0)))
    supports <- supports[lengths(supports) <= n / (2 * log(n))]
    data.frame(key = vapply(supports, paste, "", collapse = " "),
               criterion = vapply(supports, naive_support_criterion, 0, rows = rows, nu = nu))
  }))
  best <- tapply(events$criterion, events$key, min)
  best <- stats::setNames(as.vector(best), names(best))
  weight <- exp((min(best) - best) / 2)
  weight <- sort(weight[weight >= .02], decreasing = TRUE)
  weight <- weight / sum(weight)
  supports <- lapply(strsplit(names(weight), " "), as.integer)
  of <- lapply(supports, function(P) {
    worth <- lapply(ridges, function(nu) naive_free_ridge(rows, P, nu))
    at <- which.min(vapply(worth, `[[`, 0, "loo"))
    c(worth[[at]], list(nu = ridges[at], beta = drop(naive_dense(rows$x, rows$y, P, ridges[at]))))
  })
  beta <- vapply(of, function(one) replace(one$beta, is.na(one$beta), 0), numeric(ncol(rows$x)))
  beta <- matrix(beta, ncol(rows$x))
  list(weight = unname(weight), supports = supports, beta = beta,
       average = drop(beta %*% weight), nu = vapply(of, `[[`, 0, "nu"),
       loo = vapply(of, `[[`, 0, "loo"), df = vapply(of, `[[`, 0, "df"),
       loss = vapply(of, `[[`, 0, "loss"), criterion = unname(best[match(names(weight), names(best))]))
}

# ---- the discrete path ------------------------------------------------------------------------

naive_soft <- function(z) sign(z) * pmax(abs(z) - 1, 0)

# Mean loss of scores eta; y: numbers, or indicators of the classes (one column for two classes).
naive_loss <- function(eta, y, loss) {
  switch(loss,
    squared = sum((y - eta)^2) / (2 * nrow(y)),
    binomial = mean(log1p(exp(-abs(eta))) + pmax(eta, 0) - y * eta),
    multinomial = {
      top <- apply(eta, 1, max)
      mean(top + log(rowSums(exp(eta - top))) - rowSums(y * eta))
    }
  )
}

# d loss / d eta, times n.
naive_slope <- function(eta, y, loss) {
  switch(loss,
    squared = eta - y,
    binomial = 1 / (1 + exp(-eta)) - y,
    multinomial = {
      e <- exp(eta - apply(eta, 1, max))
      e / rowSums(e) - y
    }
  )
}

# kappa, alpha, and B, Z, Gamma after every iteration asked for (`at`, counted from 0). `fixed`: columns beside
# x that are not split, with coefficients C.
naive_lbi <- function(x, y, nu, kappa, alpha, at, loss = "squared", B = NULL, b0 = NULL, fixed = NULL, C = NULL) {
  n <- nrow(x)
  y <- as.matrix(y)
  if (is.null(B)) B <- solve(crossprod(x) / n + diag(1 / nu, ncol(x)), crossprod(x, y) / n)
  Z <- Gamma <- 0 * B
  kept <- list()
  for (k in 0:max(at)) {
    if (k %in% at) {
      kept <- c(kept, list(list(
        k = k, t = k * alpha, B = B, Z = Z, gamma = Gamma, sparse = B * (Gamma != 0), b0 = b0, C = C
      )))
    }
    eta <- x %*% B
    if (!is.null(b0)) eta <- eta + rep(b0, each = n)
    if (!is.null(C)) eta <- eta + fixed %*% C
    slope <- naive_slope(eta, y, loss)
    gradient <- crossprod(x, slope) / n + (B - Gamma) / nu
    Z <- Z - alpha * (Gamma - B) / nu
    if (!is.null(b0)) b0 <- b0 - kappa * alpha * colMeans(slope)
    if (!is.null(C)) C <- C - kappa * alpha * crossprod(fixed, slope) / n
    B <- B - kappa * alpha * gradient
    Gamma <- kappa * naive_soft(Z)
  }
  kept
}

# ---- the conditions of optimality -------------------------------------------------------------

# How far events (times t, gammas in columns, on the scaled columns) are from the limit path up to
# time `until`: rho is integrated anew. Four numbers, each 0 on the path: |rho| above 1, rho away
# from the sign of gamma, gradient on the support, and gradient outwards where rho is on the
# boundary (both in parts of the largest gradient at gamma = 0).
naive_kkt <- function(x, y, nu, t, gamma, until = t[length(t)]) {
  y <- drop(y)
  V <- nrow(x) * diag(nrow(x)) + nu * tcrossprod(x)
  # by residuals: c - A gamma would lose the digits of large weights that cancel
  slope <- function(gamma) drop(crossprod(x, solve(V, y - drop(x %*% gamma))))
  rho <- rep(0, ncol(x))
  g <- slope(rho)
  top <- max(abs(g))
  last <- 0
  worst <- c(outside = 0, sign = 0, slope = 0, outward = 0)
  for (k in seq_along(t)) {
    rho <- rho + (t[k] - last) * g
    last <- t[k]
    state <- gamma[, k]
    g <- slope(state)
    on <- state != 0
    # a near copy of a column that has just come in may be as near as 1e-8 and still on its way
    edge <- !on & abs(rho) > 1 - 1e-10
    worst <- pmax(worst, c(
      max(abs(rho)) - 1, max(0, abs(rho - sign(state))[on]), max(0, abs(g[on])) / top,
      max(0, (sign(rho) * g)[edge]) / top
    ))
  }
  worst["outside"] <- max(worst["outside"], abs(rho + (until - last) * g) - 1)
  worst
}
