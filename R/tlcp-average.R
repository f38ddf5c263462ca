# Coefficients averaged over three models: domains alike in own units, alike in common units, and no borrowing.

# The first path with the weighted mean of the coefficients of all paths. Every path has all features of the same
# columns.
tlcp_average_paths <- function(paths) {
  base <- paths[[1]]
  base$z <- lapply(stats::setNames(nm = names(base$z)), function(name) {
    tlcp_average_of(paths, function(path) {
      raw <- tlcp_domain_raw_coefficients(path$z[[name]], path$columns, tlcp_average_domain(path$all_domains, name))
      tlcp_domain_scaled_coefficients(raw, path$columns, tlcp_average_domain(base$all_domains, name))
    })
  })
  base$own <- tlcp_domain_rss(base$own_domain, base$z[[1]])
  base$trace <- tlcp_average_of(paths, function(path) path$trace + path$intercept_df) - base$intercept_df
  base$objective <- tlcp_average_objective(base)
  base$common <- tlcp_average_common(paths)
  base
}

# The weighted mean over the paths of the value of `take` for each path.
tlcp_average_of <- function(paths, take) {
  Reduce(`+`, Map(function(path, weight) weight * take(path), paths, paths[[1]]$borrowing$units_weights))
}

# The objective J at the coefficients path$z, without its penalty.
tlcp_average_objective <- function(path) {
  root <- sqrt(path$borrowing$scales)
  rows <- seq_along(root)
  if (!is.null(path$known)) return(tlcp_rows_objective(path$known, path$z[[1]][rows, , drop = FALSE] / root))
  form <- path$form$full %||% path$form
  slopes <- seq_along(path$columns)
  searched <- path$z[seq_len(form$n_domains)]
  rows <- seq_len(length(form$b) / form$n_domains)
  vapply(seq_len(ncol(searched[[1]])), function(k) {
    w <- as.vector(t(vapply(searched, function(z) (z[, k] / c(root[slopes], 1))[rows], root[rows])))
    form$c0 - 2 * sum(form$b * w) + sum(w * (form$A %*% w))
  }, 0)
}

tlcp_average_domain <- function(domains, name) domains[[match(name, tlcp_domain_names(domains))]]

tlcp_average_common <- function(paths) {
  if (is.null(paths[[1]]$common)) return(NULL)
  list(beta = tlcp_average_of(paths, function(path) path$common$beta),
       a0 = tlcp_average_of(paths, function(path) path$common$a0))
}
