# From domains known by their rows (tlcp-rows.R) and the borrowing prior to the path of all features. With
# A_t = X_t sqrt(c), the level's column last, A the rows of all domains, B and D_t the variances of the common and the
# domains' own coefficients, S the residual variances,
#   V = S + A B A' + blocks(A_t D_t A_t'),  alpha = V^-1 y,
#   w_t = B A'alpha + D_t A_t'alpha_t,
# and the posterior covariance of w_1 is C - F'V^-1 F with C = B + D_1 and F the rows of A times B, those of the
# target times C. What the other domains (o) say of w_1 is normal; with E = V_oo where B is replaced by B D_1/C, the
# covariance of y_o given w_1, its precision P and P times its mean m are
#   P = C^-1 + C^-1 B A_o' E^-1 A_o B C^-1,  P m = C^-1 B A_o' E^-1 y_o,  m = B A_o' V_oo^-1 y_o.

# A list of alpha, the factor of V, `coef` (coordinates x domains), `variance` (of w_1, by coordinate), and of the
# target's quadratic form w'(H + P)w - 2 b'w + c0 the parts that do not grow with the square of the coordinates.
tlcp_rows_known <- function(domains, borrowing) {
  root <- sqrt(borrowing$scales)
  common <- borrowing$common
  own_variance <- borrowing$own
  s2 <- 1 / borrowing$lam
  stacked <- tlcp_rows_stacked(domains)
  A <- stacked$A * rep(root, each = nrow(stacked$A))
  V <- tlcp_rows_covariance(A, stacked$at, common, own_variance, s2)
  mine <- stacked$at[[1]]
  others <- seq_len(nrow(A))[-mine]
  both <- common + own_variance[, 1]
  F <- A * rep(common, each = nrow(A)) # the covariance of the rows and the target's coefficients
  F[mine, ] <- A[mine, , drop = FALSE] * rep(both, each = length(mine))
  alpha <- .Call(C_spd_solve, V, stacked$y)
  coef <- vapply(seq_along(domains), function(t) {
    rows <- stacked$at[[t]]
    drop(common * crossprod(A, alpha) + own_variance[, t] * crossprod(A[rows, , drop = FALSE], alpha[rows]))
  }, common)
  # F'V^-1 F, and V^-1 of the target's rows: of both the diagonal
  squares <- .Call(C_spd_squares, V, cbind(F, diag(1, nrow(V))[, mine, drop = FALSE]))
  features <- seq_along(both)
  known <- list(coef = matrix(coef, length(common)), variance = both - squares[features],
                trace = length(mine) - s2[1] * sum(squares[-features]))
  yo <- stacked$y[others]
  Ao <- A[others, , drop = FALSE]
  Vo <- V[others, others, drop = FALSE]
  E <- Vo - .Call(C_rows_kernel, Ao, common^2 / both)
  known$ratio <- common / both
  known$half <- Ao * rep(known$ratio, each = length(others))
  known$E <- E
  known$both <- both
  H <- A[mine, , drop = FALSE]
  known$m <- drop(crossprod(known$half, .Call(C_spd_solve, E, yo)))
  mean <- common * drop(crossprod(Ao, .Call(C_spd_solve, Vo, yo)))
  known$b <- drop(crossprod(H, stacked$y[mine])) / s2[1] + known$m
  known$c0 <- domains[[1]]$yy / s2[1] + sum(mean * known$m)
  known$own <- colSums(H^2) / s2[1] # the diagonal of H
  known$diagonal <- known$own + 1 / both + .Call(C_spd_squares, E, known$half)
  known$rows <- H / sqrt(s2[1])
  known
}

tlcp_rows_covariance <- function(A, rows, common, own_variance, s2) {
  V <- .Call(C_rows_kernel, A, common)
  for (t in seq_along(rows)) {
    these <- rows[[t]]
    V[these, these] <- V[these, these] + .Call(C_rows_kernel, A[these, , drop = FALSE], own_variance[, t])
  }
  diag(V) <- diag(V) + rep(s2, lengths(rows))
  V
}

# J without the penalty at these coefficients of the target (coordinates x models).
tlcp_rows_objective <- function(known, w) {
  fitted <- known$rows %*% w
  along <- known$half %*% w
  # w'Pw
  known$c0 - 2 * colSums(known$b * w) + colSums(fitted^2) + colSums(w^2 / known$both) +
    .Call(C_spd_squares, known$E, along)
}

# The problem of a borrowing prior, as tlcp_fit_search_problem() returns it, with `known` in place of the form.
tlcp_rows_problem <- function(all_domains, used, borrowing) {
  known <- tlcp_rows_known(used$domains, borrowing)
  features <- seq_along(borrowing$pen)
  h <- pmin(pmax(1 - known$variance[features] / known$both[features], 1e-6), 1)
  borrowing$pen <- borrowing$k * h / (2 - h)
  list(all_domains = all_domains, domains = used$domains, columns = used$columns, borrowing = borrowing, known = known)
}

# As tlcp_fit_path_of(), for the empty set and all columns but those of `drop`.
tlcp_rows_path_of <- function(problem, settings) {
  known <- problem$known
  p <- length(problem$columns)
  level <- problem$domains[[1]]$level
  root <- sqrt(problem$borrowing$scales)
  w <- cbind(0, known$coef[, 1])
  level_df <- NULL
  if (level) {
    w[p + 1, 1] <- known$b[p + 1] / known$diagonal[p + 1]
    level_df <- known$own[p + 1] / known$diagonal[p + 1]
  }
  z <- lapply(seq_along(problem$domains), function(t) {
    (if (t == 1) w else matrix(known$coef[, t], length(root), 2)) * root
  })
  names(z) <- tlcp_domain_names(problem$domains)
  target <- tlcp_domain_columns(problem$all_domains[[1]], problem$columns, settings$intercept)
  full <- known$trace - (level_df %||% 0)
  c(problem, list(
    sets = cbind(logical(p), rep(TRUE, p)), best = 2L, certificate = NULL, of_size = NULL, own_domain = target, z = z,
    near = NULL, objective = tlcp_rows_objective(known, w), trace = c(0, full),
    intercept_df = level_df %||% settings$intercept, own = tlcp_domain_rss(target, z[[1]]),
    common = tlcp_common_of_coefficients(known$coef, problem)
  ))
}
