# The rows of a frame, or its moments, added up by domain (and fold). A cell is what is added up of one of these:
# list(n, weight, mean, cross), the response last.

# The target first, the others in the order of their levels.
frame_cells <- function(frame, target, call) {
  known <- frame_moments(frame)
  cells <- if (!is.null(known)) moments_domains(known) else {
    sums <- frame_sums(frame, NULL, call)
    lapply(stats::setNames(seq_along(sums$n), sums$labels$domain), one_cell, sums = sums)
  }
  cells[c(target, setdiff(levels(frame$domain), target))]
}

# Sums of the features; the response is all zeros.
feature_cells <- function(frame, target, call) {
  frame$y <- numeric(nrow(frame$x))
  frame_cells(frame, target, call)
}

# Sums of the rows by domain and, unless it is NULL, fold.
frame_sums <- function(frame, fold, call) {
  columns <- all_labels(frame$blueprint)
  y <- response_matrix(frame$y)[, 1]
  sums <- add_up(frame$x, y, domain = frame$domain, fold = fold, weights = frame$weights, columns = columns,
                 response = "y", call = call)
  if (sums$dropped) refuse_missing(frame$x, columns, call)
  refuse_tiny(sums, frame$x, columns, call)
  sums
}

# A column that varies, but whose squares are nothing, as the kernels of the other fitters refuse it.
refuse_tiny <- function(sums, x, columns, call) {
  at <- seq_len(ncol(x))
  most <- Reduce(pmax, lapply(sums$cross, function(cross) diag(cross)[at]))
  for (j in at[!is.na(most) & most < SQUARES_LEAST^2]) {
    v <- as.numeric(x[, j])
    v <- v[is.finite(v)]
    if (length(v) && max(abs(v)) <= SQUARES_LEAST && min(v) < max(v)) abort_not_finite(columns[j], "x", v, call)
  }
}

refuse_missing <- function(x, columns, call) {
  bad <- if (!is.matrix(x)) {
    which(Matrix::colSums(is.na(x)) > 0)
  } else if (anyNA(x)) {
    which(colSums(is.na(x)) > 0)
  }
  if (length(bad)) abort_not_finite(columns[bad[1]], "x", as.numeric(x[, bad[1]]), call)
}

# Cells as a fit takes them, columns x domains with the response last: means, sums of squares about the
# mean (about 0 without an intercept), standard deviations (exactly 0 where a column is constant to
# rounding), `binary` columns of zeros and ones, `pooled` standard deviations within domains, and the
# means of all rows, `centre`; n and df (n - 1) by domain.
domain_sums <- function(cells, intercept) .Call(C_domain_sums, cells, intercept)
