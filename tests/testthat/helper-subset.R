# Subset problems, and their answers by enumeration.

# c0 - b_S' A_S^-1 b_S for all 2^p subsets of groups of `width` coordinates: subset k (from 0) has the groups whose bits
# are set in k. For g = 0, 1, .. the Schur complements for all subsets of the first g groups are kept in `left`, an
# array subsets x other coordinates x other coordinates, in which b and c0 come last.
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

# The sets of enumerate_subsets(), 2^p x p.
subset_bits <- function(p) {
  outer(seq_len(2^p) - 1, seq_len(p), function(k, g) (k %/% 2^(g - 1)) %% 2 == 1)
}

subset_kinds <- c("random", "correlated", "near", "tied", "rounded", "binary")

# Columns of each kind. "tied" has equal columns, so the problem adds a ridge.
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

# A problem of `width` domains and p features: the coordinates of a feature are adjacent and coupled by `coupling`.
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

# The exact search on such a problem.
search_subset <- function(problem, sizes = NULL, limits = c(Inf, Inf), audit = FALSE) {
  form <- list(A = problem$A, b = problem$b, c0 = problem$c0, n_domains = problem$width,
               parents = problem$parents)
  .Call(C_subset, form, as.double(problem$pen), problem$force, sizes, audit,
        structure(list(max_nodes = limits[1], max_seconds = limits[2]), class = "tlcp_settings"))
}

# Values of all subsets, infinite where `force` forbids them.
subset_values <- function(problem, bits, pen = problem$pen) {
  value <- enumerate_subsets(problem$A, problem$b, problem$c0, problem$width) + drop(bits %*% pen)
  for (g in which(problem$force == 1)) value[!bits[, g]] <- Inf
  for (g in which(problem$force == -1)) value[bits[, g]] <- Inf
  parents <- if (!is.null(problem$parents)) which(problem$parents, arr.ind = TRUE)
  for (k in seq_len(NROW(parents))) value[bits[, parents[k, 2]] & !bits[, parents[k, 1]]] <- Inf
  value
}

# Random parents among p groups, transitive: a group's parents have smaller numbers in a random order.
random_parents <- function(p) {
  parents <- matrix(runif(p * p) < .25, p, p)
  order <- sample(p)
  parents[outer(order, order, ">=")] <- FALSE
  for (k in seq_len(p)) parents <- parents | (parents %*% parents > 0)
  parents
}

# Features x_1..x_h of small integers and their near duplicates z = x + e/2^places, e being small integers, so that A, b
# and c0 are exact. `values` are exact for any `places`: where x and z are both in, e is used in place of z.
near_duplicates <- function(seed, places, h = 3, width = 1, n = 16) {
  with_seed(seed, {
    p <- 2 * h
    A <- matrix(0, p * width, p * width)
    b <- numeric(p * width)
    c0 <- 0
    bits <- subset_bits(p)
    values <- numeric(2^p)
    for (t in seq_len(width)) {
      x <- matrix(sample(-3:3, n * h, replace = TRUE), n)
      e <- matrix(sample(-3:3, n * h, replace = TRUE), n)
      y <- drop(x %*% sample(0:2, h, TRUE) + e %*% sample(0:4, h, TRUE)) + sample(-2:2, n, TRUE)
      z <- x + e / 2^places
      own <- seq(t, by = width, length.out = p)
      A[own, own] <- crossprod(cbind(x, z))
      b[own] <- crossprod(cbind(x, z), y)
      c0 <- c0 + sum(y^2)
      values <- values + apply(bits, 1, function(s) {
        both <- s[seq_len(h)] & s[h + seq_len(h)]
        seconds <- z
        seconds[, both] <- e[, both]
        sum(qr.resid(qr(cbind(x, seconds)[, s, drop = FALSE], tol = 1e-12), y)^2)
      })
    }
    pen <- rep(c0 / 200, p)
    list(A = A, b = b, c0 = c0, pen = pen, width = width, bits = bits, values = values)
  })
}

# The faults of the answers for such a problem, under penalties and for every size.
certificate_faults <- function(problem) {
  bits <- problem$bits
  forbidden <- drop(bits %*% (problem$force == -1) + (1 - bits) %*% (problem$force == 1)) > 0
  values <- replace(problem$values, forbidden, Inf)
  p <- ncol(bits)
  found <- search_subset(problem)
  sizes <- search_subset(problem, sizes = c(0, p))
  if (found$status != 0 || sizes$status != 0) {
    return(if (found$status != sizes$status) "status" else if (found$status == 6) "singular")
  }
  there <- which(!is.na(sizes$value))
  at <- function(s) 1 + sum(2^(which(s) - 1))
  least <- c(min(values + rowSums(bits) * problem$pen[1]),
             vapply(there, function(k) min(values[rowSums(bits) == k - 1]), 1))
  own <- c(values[at(found$`in`)] + sum(found$`in`) * problem$pen[1],
           vapply(there, function(k) values[at(sizes$`in`[, k])], 1))
  value <- c(found$value, sizes$value[there])
  bound <- c(found$bound, sizes$bound[there])
  stopped <- c(found$stopped, sizes$stopped[there])
  gap <- (value - bound) / problem$c0
  faults <- c(
    bound = any(bound > least + 1e-9 * problem$c0),
    value = any(abs(value - own) > (gap + 1e-9) * problem$c0),
    set = any(own > least + (gap + 1e-9) * problem$c0),
    negative = any(gap < 0),
    complete = any(stopped == "complete" & gap > 1e-7),
    stopped = !all(stopped %in% c("complete", "numerics"))
  )
  c(names(which(faults)), if (any(stopped == "numerics")) "numerics")
}
