# MultiKT (Tommasi, Orabona and Caputo, PAMI 36(5), 2014), a baseline of the paper: a least-squares
# support vector machine on the features that starts from a combination of the sources,
#   f(x) = sum_j beta_j h_j(x) + w'x + b,  min_w,b  ||w||^2 / 2 + C/2 sum_i v_i (y_i - f(x_i))^2,
# with the beta of the least leave-one-out loss, sum_i v_i max(0, 1 - y_i f_(-i)(x_i)), in a ball,
# ||beta||_2 <= radius or ||beta||_1 <= radius. v: class weights. Only definitions.

# The dual weights are linear in y and H: with M = [XX' + D 1; 1' 0], D = diag(1 / (C v)), the dual
# weights are a'[y - H beta], and the leave-one-out residuals are these divided by the diagonal of the inverse:
#   y_i - f_(-i)(x_i) = (a_i - (A beta)_i) / (M^-1)_ii.
# The machine for one C: x, dual weights, and leave-one-out residuals of y (`loo_y`) and of every source (`loo_h`).
machine_of <- function(x, h, y, v, C) {
  n <- length(y)
  M <- rbind(cbind(tcrossprod(x) + diag(1 / (C * v), n), 1), c(rep(1, n), 0))
  inverse <- solve(M)
  dual <- inverse[, seq_len(n)] %*% cbind(y, h)
  left_out <- dual[seq_len(n), , drop = FALSE] / diag(inverse)[seq_len(n)]
  list(x = x, dual = dual, loo_y = left_out[, 1], loo_h = left_out[, -1, drop = FALSE])
}

# Euclidean projections on the balls.
into_ball <- list(
  l2 = function(b, radius) {
    size <- sqrt(sum(b^2))
    if (size > radius) b * radius / size else b
  },
  l1 = function(b, radius) {
    if (sum(abs(b)) <= radius) return(b)
    down <- sort(abs(b), decreasing = TRUE)
    cut <- (cumsum(down) - radius) / seq_along(down)
    sign(b) * pmax(abs(b) - cut[sum(down > cut)], 0)
  }
)

# Minimises the leave-one-out loss v'max(0, y (loo_y - loo_h beta)), where y (y - f) = 1 - y f, by accelerated projected
# gradients from `start`; the loss is smoothed at zero, over `soft` to either side.
best_in_ball <- function(machine, y, v, radius, ball, start, soft = .02, most = 200) {
  A <- -y * machine$loo_h
  a <- y * machine$loo_y
  step <- 2 * soft / max(eigen(crossprod(A, v * A), TRUE, only.values = TRUE)$values, 1e-12)
  project <- into_ball[[ball]]
  beta <- old <- project(start, radius)
  for (k in seq_len(most)) {
    ahead <- beta + (k - 1) / (k + 2) * (beta - old)
    slope <- pmin(pmax((a + drop(A %*% ahead)) / (2 * soft) + .5, 0), 1)
    old <- beta
    beta <- project(ahead - step * drop(crossprod(A, v * slope)), radius)
    if (max(abs(beta - old)) < 1e-5 * (max(abs(beta)) + 1e-3)) break
  }
  beta
}

# C on 10^(-4, ..., 4) and the radius on 10^(-3, ..., 3): the least balanced leave-one-out error; of equal errors the
# least leave-one-out loss, and of equal losses the smaller radius.
multikt <- function(train, ball) {
  v <- class_weights(train$positive)
  y <- ifelse(train$positive, 1, -1)
  best <- list(value = c(Inf, Inf))
  for (C in 10^(-4:4)) {
    machine <- machine_of(train$dense, train$h, y, v, C)
    beta <- numeric(ncol(train$h))
    for (radius in 10^(-3:3)) {
      beta <- best_in_ball(machine, y, v, radius, ball, beta)
      gap <- y * (machine$loo_y - drop(machine$loo_h %*% beta)) # 1 - y f
      value <- c(sum(v * (gap >= 1)), sum(v * pmax(gap, 0)))
      if (precedes(value, best$value)) best <- list(value = value, machine = machine, beta = beta)
      if (value[2] == 0) break # a larger ball has no smaller loss
    }
  }
  n <- length(y)
  dual <- best$machine$dual[, 1] - drop(best$machine$dual[, -1, drop = FALSE] %*% best$beta)
  list(w = c(crossprod(train$dense, dual[seq_len(n)]), best$beta), b = dual[[n + 1]])
}

precedes <- function(a, b) {
  a[1] < b[1] - 1e-9 || (a[1] < b[1] + 1e-9 && a[2] < b[2] * (1 - 1e-6))
}
