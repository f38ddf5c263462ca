# Subset problems, and their answers by enumeration.

# c0 - b_S' A_S^-1 b_S for all 2^p subsets of groups of `width` coordinates: number k (from 0) holds
# the groups whose bits are set in k. The Schur complements of all subsets of the first g groups
# are carried along together: `left` is subsets x coordinates to come x the same, and b, c0 last.
enumerate_subsets <- function(A, b, c0, width = 1) {
  n <- length(b)
  left <- array(rbind(cbind(A, b), c(b, c0)), c(1, n + 1, n + 1))
  for (g in seq_len(n / width)) {
    taken <- left
    for (t in seq_len(width)) {
      pivot <- taken[, t, t]
      row <- matrix(taken[, t, ], dim(taken)[1])
      for (j in seq(t, dim(taken)[3])) taken[, , j] <- taken[, , j] - row * (row[, j] / pivot)
    }
    rest <- -seq_len(width)
    old <- left[, rest, rest, drop = FALSE]
    new <- taken[, rest, rest, drop = FALSE]
    left <- array(0, dim(old) * c(2, 1, 1))
    left[seq_len(dim(old)[1]), , ] <- old
    left[dim(old)[1] + seq_len(dim(old)[1]), , ] <- new
  }
  as.vector(left)
}

# 2^p x p: the sets of enumerate_subsets().
subset_bits <- function(p) {
  outer(seq_len(2^p) - 1, seq_len(p), function(k, g) (k %/% 2^(g - 1)) %% 2 == 1)
}

subset_kinds <- c("random", "correlated", "near", "tied", "rounded", "binary")

# Columns of each kind. "tied" has equal columns: the problem adds a ridge to it.
subset_columns <- function(kind, n, p) {
  x <- matrix(rnorm(n * p), n, p)
  half <- seq_len(p %/% 2)
  switch(kind,
    correlated = for (j in seq_len(p)[-1]) x[, j] <- 0.9 * x[, j - 1] + sqrt(0.19) * x[, j],
    near = x[, p + 1 - half] <- x[, half] + 0.01 * x[, p + 1 - half],
    tied = x[, p + 1 - half] <- x[, half],
    rounded = x <- round(x),
    binary = x <- (x > 0.5) + 0
  )
  x
}

# `width` tasks of p features; the coordinates of a feature lie together, coupled by `coupling`.
subset_problem <- function(seed, kind, p, width = 1, n = 30, noise = 2, coupling = 1) {
  with_seed(seed, {
    A <- matrix(0, p * width, p * width)
    b <- numeric(p * width)
    c0 <- 0
    truth <- rbinom(p, 1, 0.5)
    for (t in seq_len(width)) {
      x <- subset_columns(kind, n, p)
      y <- drop(x %*% (truth * (1 + 0.3 * rnorm(p)))) + noise * rnorm(n)
      own <- seq(t, by = width, length.out = p)
      A[own, own] <- crossprod(x)
      b[own] <- crossprod(x, y)
      c0 <- c0 + sum(y^2)
    }
    ridge <- if (kind %in% c("tied", "rounded", "binary")) 0.05 else 0
    A <- A + kronecker(diag(p), coupling * (diag(width) - 1 / width)) + diag(ridge, p * width)
    pen <- rep(2 * width * noise^2, p)
    if (seed %% 3 == 1) pen <- pen * runif(p, 0.2, 3)
    if (seed %% 6 == 4) pen[sample(p, 1)] <- 0
    force <- if (seed %% 5 == 2) sample(c(-1L, 0L, 0L, 0L, 1L), p, replace = TRUE)
    list(A = A, b = b, c0 = c0, pen = pen, width = width, force = force)
  })
}

# The engine on such a problem.
search_subset <- function(problem, sizes = NULL, limits = c(Inf, Inf), audit = FALSE) {
  .Call(
    C_subset, problem$A, problem$b, problem$c0, as.double(problem$pen), problem$width,
    problem$force, limits, sizes, audit
  )
}

# Values of all subsets, infinite where `force` forbids them.
subset_values <- function(problem, bits, pen = problem$pen) {
  value <- enumerate_subsets(problem$A, problem$b, problem$c0, problem$width) + drop(bits %*% pen)
  for (g in which(problem$force == 1)) value[!bits[, g]] <- Inf
  for (g in which(problem$force == -1)) value[bits[, g]] <- Inf
  value
}
