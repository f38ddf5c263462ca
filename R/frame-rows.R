# Rows and domains of a frame.

# Rows of the frame, or those behind the moments it stands for.
frame_nobs <- function(frame) frame$n_rows %||% nrow(frame$x)

has_rows <- function(frame) is.null(frame$moments)

frame_family <- function(frame) {
  if (by_likelihood(frame$family)) return(frame$family)
  if (!is.factor(frame$y)) return("gaussian")
  if (nlevels(frame$y) > 2) "multinomial" else "binomial"
}

# The frame restricted to rows i; levels of the response stay.
frame_rows <- function(frame, i) {
  frame$x <- design_rows(frame$x, i)
  frame$y <- response_rows(frame$y, i)
  frame$weights <- frame$weights[i]
  frame$domain <- frame$domain[i]
  frame$rows <- frame$rows[i]
  frame$offset <- frame$offset[i]
  frame$strata <- frame$strata[i]
  frame$sources <- source_rows(frame$sources, i)
  if (!is.null(frame$raw)) frame$raw <- frame$raw[i, , drop = FALSE]
  frame
}

# The frame without the rows, or the moments, of other domains.
frame_domains <- function(frame, domains) {
  if (has_rows(frame)) {
    frame <- frame_rows(frame, which(frame$domain %in% domains))
  } else {
    frame$moments <- frame$moments[domains]
    frame$domain <- frame$domain[frame$domain %in% domains]
    frame$n_rows <- sum(frame$moments$cells$n)
  }
  frame$domain <- used_levels(frame$domain)
  frame
}

response_rows <- function(y, i) if (is.matrix(y)) y[i, , drop = FALSE] else y[i]
