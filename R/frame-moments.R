# A frame of second moments has no rows, but `moments` by domain.

moments_frame <- function(m, call) {
  refuse_few_rows(sum(m$cells$n), call)
  domains <- moment_names(m)
  responses <- length(m$response)
  y <- if (responses > 1) matrix(0, 0, responses, dimnames = list(NULL, m$response)) else
    if (is.null(m$classes)) numeric() else factor(character(), levels = m$classes)
  structure(
    list(x = matrix(0, 0, m$blueprint$p), blueprint = m$blueprint, intercept = m$intercept, y = y, sources = m$sources,
         domain = if (!identical(domains, NO_DOMAIN)) factor(domains, levels = domains),
         n_rows = sum(m$cells$n), moments = m,
         left_out = if (isTRUE(m$dropped > 0)) {
           list(of = sum(m$cells$n) + m$dropped, incomplete = m$dropped, domains = m$lost)
         }),
    class = "transfer_frame"
  )
}

# An error where an argument is given beside moments. given: a named list of these arguments, NULL where not given.
refuse_beside_moments <- function(given, call) {
  given <- names(Filter(Negate(is.null), given))
  if (!length(given)) return(invisible())
  abort_input("{.arg {given}} {?is/are} given beside moments.", "moments",
              i = "Leave {.arg {given}} out, or give the rows in place of the moments, which have the response, the
                   weights and the domains that they were made of, and no other columns.", call = call)
}

# An error where an argument of a fit to moments needs rows. given: the arguments by name. for_rows: those that need
# rows, each with the one value that does not, or NULL.
refuse_without_rows <- function(given, for_rows, call) {
  lacking <- function(name) !is.null(given[[name]]) && !identical(given[[name]], for_rows[[name]])
  needing <- Filter(lacking, names(for_rows))
  if (!length(needing)) return(invisible())
  abort_input("{.arg {needing}} need{?s/} rows, and {.arg x} is moments.", "moments",
              i = "Leave {.arg {needing}} out, or give the rows in place of the moments.", call = call)
}

FAR_FROM_0 <- 1e5 # largest means, in standard deviations, and condition numbers with enough digits in moments

# Do fits to these moments agree with fits to the rows up to rounding? all: list(weight, mean, cross) of all rows.
well_conditioned <- function(all) {
  spread <- sqrt(diag(cell_covariance(all)))
  all(spread > SQUARES_LEAST & abs(all$mean) < FAR_FROM_0 * spread) && rcond(stats::cov2cor(all$cross)) > 1 / FAR_FROM_0
}

# The sums of products of p columns and the responses about the means (about 0 without an intercept), with weights that
# sum to n. all: moments of all rows.
moments_gram <- function(all, p, intercept) {
  cross <- all$n * cell_covariance(all)
  mean <- unname(all$mean)
  if (!intercept) {
    cross <- cross + all$n * tcrossprod(mean)
    mean[] <- 0
  }
  x <- seq_len(p)
  list(G = unname(cross[x, x, drop = FALSE]), b = unname(cross[x, -x]), yy = unname(diag(cross)[-x]), n = all$n,
       mean = mean[x], y_mean = mean[-x])
}

# w: coefficients, a column for each response.
rss_from_gram <- function(w, gram) unname(gram$yy + colSums(w * (gram$G %*% w - 2 * gram$b)))
