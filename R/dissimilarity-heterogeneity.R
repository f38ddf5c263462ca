# Cochran's Q and I-squared of the slopes of domains, as in a meta-analysis with a common effect for each column.

# Q of the least squares slopes of all `domains` about their weighted mean, in the units of the columns, its degrees of
# freedom, the p-value of equal slopes in two domains, and I-squared in per cent. s2: residual variances, with `df`
# degrees of freedom (Inf where they are known); columns: which columns the domains have. With variances that are
# estimated Q/columns is not chi-squared, but close to an F with the degrees of freedom of Welch and Satterthwaite. NA
# where a domain has no least squares.
dissimilarity_heterogeneity <- function(domains, s2, df, columns) {
  p <- length(columns)
  if (!all(vapply(domains, function(t) length(t$fit$kept) == p, NA))) {
    return(list(q = NA_real_, q_df = NA_real_, q_p = NA_real_, i2 = NA_real_))
  }
  unit <- lapply(domains, function(t) t$y_scale / t$x_scale[columns])
  slopes <- Map(function(t, u) t$fit$coef * u, domains, unit)
  variances <- Map(function(t, s2, u) tlcp_rule_fit_variance(t, s2) * outer(u, u), domains, s2, unit)
  weights <- lapply(variances, solve)
  mean <- solve(Reduce(`+`, weights), Reduce(`+`, Map(`%*%`, weights, slopes)))
  q <- sum(mapply(function(weight, slope) sum((slope - mean) * (weight %*% (slope - mean))), weights, slopes))
  q_df <- p * (length(domains) - 1)
  q_p <- if (length(domains) == 2) dissimilarity_heterogeneity_p(q, variances, df) else NA_real_
  list(q = q, q_df = q_df, q_p = q_p, i2 = 100 * max(0, 1 - q_df / q))
}

dissimilarity_heterogeneity_p <- function(q, variances, df) {
  p <- nrow(variances[[1]])
  both <- solve(variances[[1]] + variances[[2]])
  share <- vapply(variances, function(v) sum(both * v), 0) / p
  stats::pf(q / p, p, 1 / sum(share^2 / df), lower.tail = FALSE)
}
