# A frame of second moments. It has no rows, but `moments` by domain: what methods need of rows that sums tell.

moments_frame <- function(m, call) {
  refuse_few_rows(sum(m$cells$n), call)
  domains <- moment_names(m)
  structure(
    list(x = matrix(0, 0, length(m$columns)), blueprint = m$blueprint, intercept = m$intercept,
         y = if (is.null(m$classes)) numeric() else factor(character(), levels = m$classes),
         domain = if (!identical(domains, NO_DOMAIN)) factor(domains, levels = domains),
         n_rows = sum(m$cells$n), left_out = left_out_of(m), moments = m, refit = m$refit),
    class = "transfer_frame"
  )
}

# The incomplete rows of moments, as incomplete_rows() has those of data.
left_out_of <- function(m) {
  if (!isTRUE(m$dropped > 0)) return(NULL)
  list(of = sum(m$cells$n) + m$dropped, incomplete = m$dropped, domains = m$lost)
}

# given: by name what may have been given beside moments, NULL where it was not.
refuse_beside_moments <- function(given, call) {
  given <- names(Filter(Negate(is.null), given))
  if (!length(given)) return(invisible())
  abort_input("{.arg {given}} {?is/are} given beside moments.", "moments",
              i = "Leave {.arg {given}} out, or give the rows in place of the moments, which have the response, the
                   weights and the domains that they were made of, and no other columns.", call = call)
}

# given: the arguments of a fit. for_rows: those that need rows, each with the value that moments can have, or NULL.
refuse_without_rows <- function(frame, given, for_rows, call) {
  if (has_rows(frame)) return(invisible())
  lacking <- function(name) !is.null(given[[name]]) && !identical(given[[name]], for_rows[[name]])
  needing <- Filter(lacking, names(for_rows))
  if (!length(needing)) return(invisible())
  abort_input("{.arg {needing}} need{?s/} rows, and {.arg x} is moments.", "moments",
              i = "Leave {.arg {needing}} out, or give the rows in place of the moments.", call = call)
}

# The second moments of all rows, as kernels take them.
frame_gram <- function(frame, intercept) {
  known <- frame_moments(frame)
  if (!is.null(known)) moments_gram(moments_total(known), ncol(frame$x), intercept)
}

FAR_FROM_0 <- 1e5 # means in standard deviations, and condition numbers, from which moments lose too many digits

# Are fits to these moments off by no more than rounding? list(weight, mean, cross) of all rows.
well_conditioned <- function(all) {
  spread <- sqrt(diag(all$cross) / all$weight)
  all(spread > SQUARES_LEAST & abs(all$mean) < FAR_FROM_0 * spread) && rcond(stats::cov2cor(all$cross)) > 1 / FAR_FROM_0
}

# Centred cross products with weights that sum to n; about zero without an intercept.
moments_gram <- function(all, p, intercept) {
  cross <- all$cross * (all$n / all$weight)
  if (!intercept) cross <- cross + all$n * tcrossprod(all$mean)
  x <- seq_len(p)
  list(
    G = unname(cross[x, x, drop = FALSE]), b = unname(cross[x, p + 1]), yy = cross[p + 1, p + 1],
    n = all$n, mean = unname(if (intercept) all$mean[x] else numeric(p)),
    y_mean = unname(if (intercept) all$mean[p + 1] else 0)
  )
}

rss_from_gram <- function(w, gram) {
  gram$yy - 2 * sum(gram$b * w) + sum(w * (gram$G %*% w))
}

# The frame with the moments of its rows, so that a fit need not add them up again; unchanged where a fit by moments
# would be off by more than rounding.
with_moments <- function(frame, moments) {
  if (!is.null(moments) && well_conditioned(moments_total(moments))) {
    frame$sums <- list(moments = moments, of = summed_parts(frame))
  }
  frame
}

# The moments that with_moments() has added. NULL where there are none, or where the rows are others by now: a
# function around a method may have changed them.
frame_moments <- function(frame) {
  if (!has_rows(frame)) return(frame$moments)
  if (!is.null(frame$sums) && identical(frame$sums$of, summed_parts(frame))) frame$sums$moments
}

summed_parts <- function(frame) list(frame$x, frame$y, frame$weights, frame$domain)
