# Coefficients averaged over three models: domains alike in own units, alike in common units, and no borrowing.

# The first path with the weighted mean of the coefficients of all paths. Every path has all features of the same
# columns.
average_paths <- function(paths) {
  base <- paths[[1]]
  base$z <- lapply(stats::setNames(nm = names(base$z)), function(name) {
    average_of(paths, function(path) {
      raw <- raw_coefficients(path$z[[name]], path$columns, domain_named(path$all_domains, name))
      scaled_coefficients(raw, path$columns, domain_named(base$all_domains, name))
    })
  })
  base$own <- own_rss(base$own_domain, base$z[[1]])
  base$trace <- average_of(paths, function(path) path$trace + path$intercept_df) - base$intercept_df
  base$objective <- objective_at(base)
  base$common <- average_common(paths)
  base
}

# The weighted mean over the paths of the value of `take` for each path.
average_of <- function(paths, take) {
  Reduce(`+`, Map(function(path, weight) weight * take(path), paths, paths[[1]]$borrowing$units_weights))
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
