# The models of the sets that a search found: coefficients of every domain, degrees of freedom, on the original scale.

# list(w, df, level), see src/tlcp/subset_models.h: the coefficients of sets, coordinates x sets, zero outside them,
# levels last; the trace of the matrix that maps the target's response to its fitted values (`own` has the Gram matrix),
# or the size if nothing is borrowed; the trace that a borrowed level adds.
tlcp_models_of_sets <- function(sets, problem, target, call) {
  borrowing <- problem$borrowing
  alone <- borrowing$borrow == "none"
  share <- if (!alone) target$G * (tcrossprod(sqrt(borrowing$scales)) * borrowing$lam[1])
  models <- .Call(C_subset_models, problem$form, sets, share)
  if (models$status != 0) tlcp_search_abort_collinear(call)
  if (alone) models$df <- colSums(sets)
  if (is.null(problem$form$full)) models$level <- NULL
  models
}

# Coefficients of every domain in use. w: of tlcp_models_of_sets(). The coordinates that were searched differ from step
# to step; a domain of which no coordinate was searched keeps all its features.
tlcp_models_coefficients <- function(problem, w) {
  n_domains <- problem$form$n_domains
  root <- sqrt(problem$borrowing$scales)
  rest <- if (n_domains < length(problem$domains)) tlcp_form_coefficients_of_problem(problem)
  coefficients <- list()
  for (t in seq_along(problem$domains)) {
    coefficients[[t]] <- if (t > n_domains) matrix(rest[, t] * root, length(root), ncol(w)) else {
      w[seq.int(t, by = n_domains, length.out = length(root)), , drop = FALSE] * root
    }
  }
  names(coefficients) <- tlcp_domain_names(problem$domains)
  coefficients
}

# Pooled rows (`aggregate`) have one vector of coefficients, in each domain's z-scores.
tlcp_models_shared_by_all <- function(z, all_domains) stats::setNames(rep(z[1], length(all_domains)),
                                                                      tlcp_domain_names(all_domains))

# beta (features x steps) and a0 of each of `all_domains`. `path$z` has the coefficients of the domains in use, usable
# columns x steps in z-scores; the other domains keep their own least squares (which method "cutoff" has made).
tlcp_models_of_domains <- function(path, settings) {
  domains <- path$all_domains
  names(domains) <- tlcp_domain_names(domains)
  steps <- ncol(path$sets)
  lapply(domains, function(domain) {
    w <- path$z[[domain$name]] %||%
      matrix((if (is.null(domain$G)) domain else tlcp_domain_columns(domain, path$columns,
                                                                     settings$intercept))$fit$coef,
             length(path$columns), steps)
    raw <- tlcp_domain_raw_coefficients(w, path$columns, domain)
    list(beta = table_sparse_rows(raw$beta, settings$columns, path$columns, length(domain$x_scale)), a0 = raw$a0)
  })
}
