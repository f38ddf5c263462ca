# A frame by its second moments: moments of the rows of a frame, and frames without rows.

frame_moments_new <- function(m, call) {
  response_refuse_few_rows(sum(m$cells$n), call)
  domains <- moments_object_names(m)
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
frame_moments_refuse_beside <- function(given, call) {
  given <- names(Filter(Negate(is.null), given))
  if (!length(given)) return(invisible())
  abort_input("{.arg {given}} {?is/are} given beside moments.", "moments",
              i = "Leave {.arg {given}} out, or give the rows in place of the moments. Moments hold the response, the
                   weights and the domains from which they were made; nothing can be added to them.", call = call)
}

# An error where an argument of a fit to moments needs rows. given: the arguments by name. for_rows: those that need
# rows, each with the one value that does not, or NULL.
frame_moments_refuse_without_rows <- function(given, for_rows, call) {
  lacking <- function(name) !is.null(given[[name]]) && !identical(given[[name]], for_rows[[name]])
  needing <- Filter(lacking, names(for_rows))
  if (!length(needing)) return(invisible())
  abort_input("{.arg {needing}} need{?s/} rows, and {.arg x} is moments.", "moments",
              i = "Leave {.arg {needing}} out, or give the rows in place of the moments.", call = call)
}

FAR_FROM_0 <- 1e5 # largest means, in standard deviations, and condition numbers with enough digits in moments

# Do fits to these moments agree with fits to the rows up to rounding? total: list(weight, mean, cross) of all rows.
frame_moments_well_conditioned <- function(total) {
  spread <- sqrt(diag(response_weights_cell_covariance(total)))
  all(spread > SQUARES_LEAST & abs(total$mean) < FAR_FROM_0 * spread) &&
    rcond(stats::cov2cor(total$cross)) > 1 / FAR_FROM_0
}

# The sums of products of p columns and the responses about the means (about 0 without an intercept), with weights that
# sum to n. all: moments of all rows.
frame_moments_gram <- function(all, p, intercept) {
  cross <- all$n * response_weights_cell_covariance(all)
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
frame_moments_rss <- function(w, gram) unname(gram$yy + colSums(w * (gram$G %*% w - 2 * gram$b)))

# The cells (the sums of one domain each, see moments-cells.R), the target's first, the others in the order of their
# levels.
frame_moments_cells <- function(frame, target, call) {
  known <- frame_moments(frame)
  if (is.null(known)) {
    sums <- frame_moments_sums(frame, NULL, call)
    cells <- sums$cells
    names(cells) <- sums$labels$domain
  } else {
    cells <- moments_object_domains(known)
  }
  all <- levels(frame$domain)
  cells[c(target, all[!all %in% target])]
}

# The sums of the response alone by domain, a named list.
frame_moments_response_cells <- function(frame, call) {
  y <- response_first(frame$y)
  sums <- moments_rows_sums(list(), y, frame$domain, NULL, weights = NULL, columns = NULL, response = "y", call = call)
  stats::setNames(sums$cells, sums$labels$domain)
}

# As frame_moments_cells(), for features alone: the response counts as 0.
frame_moments_feature_cells <- function(frame, target, call) {
  frame$y <- numeric(nrow(frame$x))
  frame_moments_cells(frame, target, call)
}

# The sums of the rows (see moments-cells.R) by domain and, unless it is NULL, fold. y: n numbers or a matrix.
frame_moments_sums <- function(frame, fold, call, y = response_first(frame$y)) {
  columns <- labels_of_all_columns(frame$blueprint)
  sums <- moments_rows_add(
    frame$x, y, domain = frame$domain, fold = fold, weights = frame$weights, columns = columns, response = "y",
    refuse = function() frame_rows_refuse_large(frame$x, columns, call), call = call
  )
  if (sums$dropped) frame_rows_refuse_missing(frame$x, columns, call)
  frame_moments_refuse_tiny(sums, frame$x, columns, call)
  sums
}

# frame_moments_gram() of all rows; NULL where the frame has no moments.
frame_moments_frame_gram <- function(frame, intercept) {
  known <- frame_moments(frame)
  if (!is.null(known)) frame_moments_gram(moments_object_total(known), length(known$columns), intercept)
}

# The frame with the moments of its rows (of the response less its offset), so that a fit need not add them up again;
# without them where moments lose too many digits (frame_moments_well_conditioned()).
frame_moments_added <- function(frame, moments) {
  if (!is.null(moments) && frame_moments_well_conditioned(moments_object_total(moments))) {
    frame$sums <- list(moments = moments, of = frame_moments_parts(frame, response_less_offset(frame)))
  }
  frame
}

# The moments that the frame has, or that frame_moments_added() has added. NULL where there are none, or where the rows
# are not those of the moments: a function of the user's around a method may have changed them.
frame_moments <- function(frame) {
  if (!frame_rows_are_there(frame)) return(frame$moments)
  sums <- .subset2(frame, "sums")
  if (!is.null(sums) && identical(sums$of, frame_moments_parts(frame, frame$y))) sums$moments
}

frame_moments_parts <- function(frame, y) list(frame$x, y, frame$weights, frame$domain, frame$sources$values)

# An error for a column that varies, but whose squares underflow, as in the kernels of other methods.
frame_moments_refuse_tiny <- function(sums, x, columns, call) {
  diagonal <- seq_len(ncol(x))
  most <- 0
  for (cell in sums$cells) most <- pmax.int(most, cell$cross[(diagonal - 1L) * nrow(cell$cross) + diagonal])
  for (j in diagonal[!is.na(most) & most < SQUARES_LEAST^2]) {
    v <- as.numeric(x[, j])
    v <- v[is.finite(v)]
    if (length(v) && max(abs(v)) <= SQUARES_LEAST && min(v) < max(v)) status_abort_not_finite(columns[j], "x", v, call)
  }
}
