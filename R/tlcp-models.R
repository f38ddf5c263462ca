# The coefficients of the sets that tlcp() found, in the units of the search and on the original scale.

# w: the coefficients of sets, coordinates x sets, zero outside them. df: the trace of the matrix that maps
# the target's response to its fitted values (`own` has the Gram matrix); the size if nothing is borrowed.
# level: the trace that a borrowed level adds.
set_models <- function(sets, problem, own, call) {
  borrowing <- problem$borrowing
  form <- problem$form
  share <- if (borrowing$borrow != "none") {
    own$G * (tcrossprod(sqrt(borrowing$scales)) * borrowing$lam[1])
  }
  level <- if (!is.null(form$full)) level_share(form, share)
  out <- .Call(C_subset_models, form, sets,
               if (is.null(level)) target_share(share, form$n_domains) else level$share)
  if (out$status != 0) abort_collinear(call)
  if (is.null(share)) out$df <- colSums(sets)
  out$level <- level$df
  out
}

# `share` of the target's coordinates, put among the coordinates of all domains.
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
  root <- sqrt(problem$borrowing$scales)
  if (!is.null(problem$form$full)) w <- rbind(w, levels_of(problem$form, w))
  rest <- if (n_domains < length(problem$domains)) coefficients_of_all(problem$domains, problem$borrowing)
  out <- lapply(seq_along(problem$domains), function(t) {
    if (t > n_domains) return(matrix(rest[, t] * root, length(root), ncol(w)))
    w[seq.int(t, by = n_domains, length.out = length(root)), , drop = FALSE] * root
  })
  stats::setNames(out, domain_names(problem$domains))
}

# Pooled rows (`aggregate`) have one vector of coefficients, in each domain's z-scores.
shared_by_all <- function(z, borrowing, all_domains) {
  if (borrowing$borrow != "aggregate") return(z)
  names <- domain_names(all_domains)
  stats::setNames(rep(z[1], length(names)), names)
}

# ---- averages over units ----------------------------------------------------------------------------

# The first path with the weighted mean of the coefficients of all paths. Every path has all features of the same
# columns.
average_paths <- function(paths, weights) {
  base <- paths[[1]]
  names <- stats::setNames(nm = names(base$z))
  base$z <- lapply(names, function(name) {
    domain <- domain_named(base$all_domains, name)
    z <- lapply(paths, function(path) {
      raw <- raw_coefficients(path$z[[name]], path$columns, domain_named(path$all_domains, name))
      scaled_coefficients(raw, path$columns, domain)
    })
    Reduce(`+`, Map(`*`, z, weights))
  })
  base$own <- own_rss(base$own_domain, base$z[[1]])
  base$trace <- Reduce(`+`, Map(function(path, weight) {
    weight * (path$trace + path$intercept_df)
  }, paths, weights)) - base$intercept_df
  base$objective <- objective_at(base)
  base$averaged <- lapply(paths, path_posterior)
  base
}

# J without the penalty, of the coefficients in path$z.
objective_at <- function(path) {
  form <- path$form$full %||% path$form
  root <- sqrt(path$borrowing$scales)
  slopes <- seq_along(path$columns)
  searched <- path$z[seq_len(form$n_domains)]
  at <- seq_len(length(form$b) / form$n_domains)
  vapply(seq_len(ncol(searched[[1]])), function(k) {
    w <- as.vector(t(vapply(searched, function(z) (z[, k] / c(root[slopes], 1))[at], root[at])))
    form$c0 - 2 * sum(form$b * w) + sum(w * (form$A %*% w))
  }, 0)
}

domain_named <- function(domains, name) domains[[match(name, domain_names(domains))]]

# ---- on the original scale --------------------------------------------------------------------------

# beta (features x steps) and a0 of each of `all_domains`. `path$z` has the coefficients of the domains in use, usable
# columns x steps in z-scores; the other domains keep their own least squares.
domain_models <- function(path, settings) {
  names <- domain_names(path$all_domains)
  steps <- ncol(path$sets)
  lapply(stats::setNames(path$all_domains, names), function(domain) {
    w <- path$z[[domain$name]] %||%
      matrix(own_coefficients(domain, path$columns, settings$intercept), length(path$columns), steps)
    raw <- raw_coefficients(w, path$columns, domain)
    list(beta = as_sparse(raw$beta, settings$columns, path$columns, length(domain$x_scale)), a0 = raw$a0)
  })
}

# The coefficients of usable columns in a domain that is not in use; its rows may be too few for them (cutoff).
own_coefficients <- function(domain, columns, intercept) {
  if (is.null(domain$G)) domain$fit$coef else domain_columns(domain, columns, intercept)$fit$coef
}
