# The models of the sets that were found: coefficients, degrees of freedom, what was borrowed.

# w: the coefficients of sets, coordinates x sets, zero outside them. df: the trace of the matrix that maps
# the target's response to its fitted values (`own` has the Gram matrix); the size if nothing is borrowed.
# level: the trace that a borrowed level adds.
set_models <- function(sets, problem, own, call) {
  strength <- problem$strength
  form <- problem$form
  share <- if (strength$borrow != "none") {
    own$G * (tcrossprod(sqrt(strength$scales)) * strength$lam[1])
  }
  level <- if (!is.null(form$full)) level_share(form, share)
  out <- .Call(C_subset_models, form, sets,
               if (is.null(level)) target_share(share, form$n_domains) else level$share)
  if (out$status != 0) abort_collinear(call)
  if (is.null(share)) out$df <- colSums(sets)
  out$level <- level$df
  out
}

# share of the target's coordinates among all.
target_share <- function(share, n_domains) {
  if (is.null(share) || n_domains == 1) return(share)
  N <- nrow(share) * n_domains
  at <- seq(1, N, by = n_domains)
  all <- matrix(0, N, N)
  all[at, at] <- share
  all
}

# tr(A^-1 J), J the target's share, with the levels eliminated: the share of the features' form, and
# the rest.
level_share <- function(form, share) {
  J <- target_share(share, form$n_domains)
  at <- seq_len(length(form$b))
  A <- form$full$A
  u <- t(solve(A[-at, -at, drop = FALSE], A[-at, at, drop = FALSE]))
  cross <- tcrossprod(J[at, -at, drop = FALSE], u)
  list(share = J[at, at] - cross - t(cross) + u %*% tcrossprod(J[-at, -at, drop = FALSE], u),
       df = sum(diag(solve(A[-at, -at, drop = FALSE], J[-at, -at, drop = FALSE]))))
}

# Coefficients of every domain in use: what was searched differs from step to step, domains of which no
# coordinate was searched have all their features.
exact_coefficients <- function(problem, w) {
  n_domains <- problem$form$n_domains
  root <- sqrt(problem$strength$scales)
  if (!is.null(problem$form$full)) w <- rbind(w, levels_of(problem$form, w))
  rest <- if (n_domains < length(problem$domains)) unselected(problem$domains, problem$strength)
  out <- lapply(seq_along(problem$domains), function(t) {
    if (t > n_domains) return(matrix(rest[, t] * root, length(root), ncol(w)))
    w[seq(t, by = n_domains, length.out = length(root)), , drop = FALSE] * root
  })
  stats::setNames(out, vapply(problem$domains, `[[`, "", "name"))
}

# (precision that the sources add)/(precision), of each chosen coefficient given the others. Without
# sources the hierarchical model would still shrink, with the prior variance tau_1^2 + omega^2.
source_share <- function(path, set) {
  s <- path$strength
  form <- path$form$full %||% path$form
  own <- diag(path$domains[[1]]$G) * s$scales * s$lam[1]
  if (!is.null(s$own)) own <- own + 1 / (s$common + s$own[, 1])
  n_domains <- form$n_domains
  precision <- vapply(set, function(i) {
    at <- (i - 1) * n_domains + seq_len(n_domains)
    block <- form$A[at, at, drop = FALSE]
    if (n_domains == 1) return(block[1, 1])
    rest <- solve(block[-1, -1, drop = FALSE], block[-1, 1])
    block[1, 1] - sum(block[1, -1] * rest)
  }, 0)
  pmax(1 - own[set] / precision, 0)
}
