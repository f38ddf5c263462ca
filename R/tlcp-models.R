# The models of the sets that a search found: coefficients of every domain, degrees of freedom, on the original scale.

# w: the coefficients of sets, coordinates x sets, zero outside them. df: the trace of the matrix that maps
# the target's response to its fitted values (`own` has the Gram matrix); the size if nothing is borrowed.
# level: the trace that a borrowed level adds.
tlcp_models_of_sets <- function(sets, problem, own, call) {
  borrowing <- problem$borrowing
  form <- problem$form
  share <- if (borrowing$borrow != "none") {
    tlcp_models_target_share(own$G * (tcrossprod(sqrt(borrowing$scales)) * borrowing$lam[1]), form$n_domains)
  }
  level <- if (!is.null(form$full)) tlcp_models_level_share(form, share)
  out <- .Call(C_subset_models, form, sets, if (is.null(level)) share else level$share)
  if (out$status != 0) tlcp_search_abort_collinear(call)
  if (is.null(share)) out$df <- colSums(sets)
  out$level <- level$df
  out
}

# `share` of the target's coordinates, put among the coordinates of all domains.
tlcp_models_target_share <- function(share, n_domains) {
  if (n_domains == 1) return(share)
  N <- nrow(share) * n_domains
  at <- seq(1, N, by = n_domains)
  all <- matrix(0, N, N)
  all[at, at] <- share
  all
}

# tr(A^-1 J), J the target's share of the coordinates and levels, with the levels eliminated: the share of the features'
# form, and the rest.
tlcp_models_level_share <- function(form, J) {
  at <- seq_len(length(form$b))
  A <- form$full$A
  u <- t(.Call(C_spd_solve, A[-at, -at, drop = FALSE], A[-at, at, drop = FALSE]))
  cross <- tcrossprod(J[at, -at, drop = FALSE], u)
  list(share = J[at, at] - cross - t(cross) + u %*% tcrossprod(J[-at, -at, drop = FALSE], u),
       df = sum(diag(.Call(C_spd_solve, A[-at, -at, drop = FALSE], J[-at, -at, drop = FALSE]))))
}

# Coefficients of every domain in use. The coordinates that were searched differ from step to step; a domain of which
# no coordinate was searched keeps all its features.
tlcp_models_coefficients <- function(problem, w) {
  n_domains <- problem$form$n_domains
  root <- sqrt(problem$borrowing$scales)
  full <- problem$form$full
  if (!is.null(full)) { # with the levels that go with the features' coefficients
    at <- seq_len(nrow(w))
    w <- rbind(w, .Call(C_spd_solve, full$A[-at, -at, drop = FALSE], full$b[-at] - full$A[-at, at, drop = FALSE] %*% w))
  }
  rest <- if (n_domains < length(problem$domains)) {
    tlcp_form_coefficients_of_problem(problem)
  }
  out <- list()
  for (t in seq_along(problem$domains)) {
    out[[t]] <- if (t > n_domains) matrix(rest[, t] * root, length(root), ncol(w)) else {
      w[seq.int(t, by = n_domains, length.out = length(root)), , drop = FALSE] * root
    }
  }
  names(out) <- tlcp_domain_names(problem$domains)
  out
}

# Pooled rows (`aggregate`) have one vector of coefficients, in each domain's z-scores.
tlcp_models_shared_by_all <- function(z, all_domains) stats::setNames(rep(z[1], length(all_domains)),
                                                                      tlcp_domain_names(all_domains))

# beta (features x steps) and a0 of each of `all_domains`. `path$z` has the coefficients of the domains in use, usable
# columns x steps in z-scores; the other domains keep their own least squares (which method "cutoff" has made).
tlcp_models_of_domains <- function(path, settings) {
  names <- tlcp_domain_names(path$all_domains)
  steps <- ncol(path$sets)
  lapply(stats::setNames(path$all_domains, names), function(domain) {
    w <- path$z[[domain$name]] %||%
      matrix((if (is.null(domain$G)) domain else tlcp_domain_columns(domain, path$columns,
                                                                     settings$intercept))$fit$coef,
             length(path$columns), steps)
    raw <- tlcp_domain_raw_coefficients(w, path$columns, domain)
    list(beta = table_sparse_rows(raw$beta, settings$columns, path$columns, length(domain$x_scale)), a0 = raw$a0)
  })
}
