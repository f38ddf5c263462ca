# From the strength of borrowing to the quadratic form that is searched.

# J(S) = c0 - b_S'A_S^-1 b_S + sum of pen over S. Coordinates of a feature lie side by side: T of
# them ("shared") or the target's alone ("target").
quadratic_form <- function(domains, strength, support) {
  parts <- scaled_parts(domains, strength)
  if (length(domains) == 1) {
    A <- parts$H[[1]]
    prior <- strength$coupling[1, 1, ]
    if (any(prior != 0)) diag(A) <- diag(A) + prior
    return(list(A = A, b = parts$g[, 1], c0 = parts$yy[1], n_domains = 1L))
  }
  if (support == "shared") return(shared_form(parts, strength))
  prior <- if (strength$borrow == "hierarchical") {
    known_strength(domains, strength)
  } else {
    eliminated_prior(parts, strength)
  }
  list(A = parts$H[[1]] + prior$P, b = parts$g[, 1] + prior$m, c0 = parts$yy[1] + prior$c0,
       n_domains = 1L)
}

# H_t, g_t and y'y of every domain, weighted by lam and in the strength's columns.
scaled_parts <- function(domains, strength) {
  root <- sqrt(strength$scales)
  D <- tcrossprod(root)
  lam <- strength$lam
  at <- seq_along(domains)
  g <- vapply(at, function(t) domains[[t]]$g * root * lam[t], root)
  list(H = lapply(at, function(t) domains[[t]]$G * D * lam[t]), g = matrix(g, ncol = length(domains)),
       yy = vapply(at, function(t) domains[[t]]$yy * lam[t], 0))
}

shared_form <- function(parts, strength) {
  n_domains <- length(parts$H)
  p <- nrow(parts$g)
  A <- matrix(0, p * n_domains, p * n_domains)
  for (t in seq_len(n_domains)) {
    mine <- seq(t, by = n_domains, length.out = p)
    A[mine, mine] <- parts$H[[t]]
  }
  for (i in seq_len(p)) {
    mine <- (i - 1) * n_domains + seq_len(n_domains)
    A[mine, mine] <- A[mine, mine] + strength$coupling[, , i]
  }
  list(A = A, b = as.vector(t(parts$g)), c0 = sum(parts$yy), n_domains = n_domains)
}

# What the domains say where the strength is known: `coef`, posterior means with all features kept
# (features x domains, in the strength's columns), and what the sources say of w_1 before the target is
# seen: precision P, P times the mean m, and m'Pm (c0).
known_strength <- function(domains, strength) {
  out <- .Call(C_borrow_known, domains, 1 / strength$lam, strength[c("common", "own", "scales")])
  if (out$status != 0) stop("the posterior could not be evaluated")
  out
}

# The prior of w_1 for a coupling of differences: the sources' coefficients, all features kept, are
# minimised out, and their residuals stay in c0.
eliminated_prior <- function(parts, strength) {
  form <- shared_form(parts, strength)
  n_domains <- form$n_domains
  own <- seq(1, by = n_domains, length.out = nrow(parts$g))
  A <- form$A
  cross <- A[own, -own, drop = FALSE]
  solved <- solve(A[-own, -own, drop = FALSE], cbind(t(cross), form$b[-own]))
  p <- length(own)
  P <- A[own, own] - parts$H[[1]] - cross %*% solved[, seq_len(p), drop = FALSE]
  list(P = (P + t(P)) / 2, m = -drop(cross %*% solved[, p + 1]),
       c0 = form$c0 - parts$yy[1] - sum(form$b[-own] * solved[, p + 1]))
}

# The form of the features, every domain's level minimised out of it. `full` is the
# form with the levels, which come last.
eliminate_level <- function(form) {
  N <- length(form$b)
  at <- seq_len(N - form$n_domains)
  cross <- form$A[at, -at, drop = FALSE]
  solved <- solve(form$A[-at, -at, drop = FALSE], cbind(t(cross), form$b[-at]))
  A <- form$A[at, at] - cross %*% solved[, at, drop = FALSE]
  own <- solved[, N - form$n_domains + 1]
  list(A = (A + t(A)) / 2, b = form$b[at] - drop(cross %*% own), c0 = form$c0 - sum(form$b[-at] * own),
       n_domains = form$n_domains, full = form)
}

# Levels, domains x models, that go with the features' coefficients w.
levels_of <- function(form, w) {
  at <- seq_len(nrow(w))
  full <- form$full
  solve(full$A[-at, -at, drop = FALSE], full$b[-at] - full$A[-at, at, drop = FALSE] %*% w)
}

# Unbiased risk of keeping a feature against dropping it where its coefficient is shrunk:
# pen_i = k h_i/(2 - h_i), h_i = 1 - [A^-1]_ii over its variance before; h = 1 is Cp.
shrinkage_penalty <- function(form, strength, k) {
  at <- seq_along(form$b)
  h <- 1 - diag(chol2inv(chol(form$A))) / (strength$common + strength$own[, 1])[at]
  h <- pmin(pmax(h, 1e-6), 1)
  k * h / (2 - h)
}

# Every domain's coefficients with all features kept, features x domains, in the strength's columns.
unselected <- function(domains, strength) {
  if (strength$borrow == "hierarchical") return(known_strength(domains, strength)$coef)
  form <- shared_form(scaled_parts(domains, strength), strength)
  matrix(solve(form$A, form$b), ncol = form$n_domains, byrow = TRUE)
}
