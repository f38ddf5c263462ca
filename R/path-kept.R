# Kept columns, for methods whose kernels have none. Response and columns are replaced by their residuals on the kept
# columns, the method runs on the residuals, and the coefficients of the kept columns follow from those of the others
# (Frisch and Waugh): at every step they are least squares given the others.

# weights: of the rows. The frame of the residuals of the other columns (numbers `rest`), the residuals of the coded
# response, and the coefficients of the columns (`slopes`) and of the response (`start`) on the kept columns, the
# intercept first if there is one.
path_kept_removed <- function(frame, coded, keep, weights, intercept) {
  x <- as.matrix(frame$x)
  basis <- x[, keep, drop = FALSE]
  if (intercept) basis <- cbind(1, basis)
  rest <- setdiff(seq_len(ncol(x)), keep)
  root <- sqrt(response_weights_sum_one(weights))
  found <- qr(root * basis)
  explained <- function(v) {
    b <- qr.coef(found, root * v)
    b[is.na(b)] <- 0 # columns that the other kept ones explain
    matrix(b, ncol(basis))
  }
  slopes <- explained(x[, rest, drop = FALSE])
  start <- explained(coded)
  left <- frame
  left$x <- x[, rest, drop = FALSE] - basis %*% slopes
  # the residuals of a column that the kept columns explain are rounding errors
  left$x[, colSums(root^2 * left$x^2) <= 1e-20 * colSums(root^2 * x[, rest, drop = FALSE]^2)] <- 0
  left$blueprint <- path_kept_blueprint_of_rest(frame, rest)
  dimnames(left$x) <- list(NULL, left$blueprint$columns)
  list(frame = left, coded = coded - basis %*% start, rest = rest, keep = keep, slopes = slopes, start = start,
       rank = found$rank - intercept, intercept = intercept, weights = root^2, found = found)
}

path_kept_blueprint_of_rest <- function(frame, rest) {
  frame_design_new_blueprint("matrix", labels_of_columns(frame$blueprint$columns, rest), length(rest))
}

# The models of columns that are left (`beta`, `a0`: a column and a number each) as those of all columns.
# start: the response's coefficients on intercept and kept columns, a column or one for each model.
path_kept_model <- function(kept, beta, a0, start, names) {
  moved <- matrix(start, nrow(kept$slopes), ncol(beta)) - as.matrix(kept$slopes %*% beta)
  if (kept$intercept) {
    a0 <- a0 + moved[1, ]
    moved <- moved[-1, , drop = FALSE]
  }
  all <- matrix(0, length(kept$rest) + length(kept$keep), ncol(beta))
  all[kept$rest, ] <- as.matrix(beta)
  all[kept$keep, ] <- moved
  list(beta = table_sparse_rows(all, names), a0 = unname(a0))
}

# Means and standard deviations of all columns; those that do not vary have the latter 0.
path_kept_spread <- function(kept, frame) {
  if (!is.null(kept$spread)) return(kept$spread)
  spread <- response_weights_column_spread(as.matrix(frame$x), kept$weights, kept$intercept)
  spread$scale[spread$scale <= 1e-14 * abs(spread$center)] <- 0
  spread
}

# Least squares on the columns `keep` by second moments: explain() makes coefficients of products with them.
path_kept_by_moments <- function(second, keep) {
  size <- sqrt(pmax(diag(second)[keep], 0))
  size[size == 0] <- 1
  found <- qr(second[keep, keep, drop = FALSE] / outer(size, size), tol = 1e-10)
  list(rank = found$rank, explain = function(products) {
    b <- qr.coef(found, products / size) / size
    b[is.na(b)] <- 0
    matrix(b, length(keep))
  })
}

# Names of features or groups, or numbers of features -> numbers, at least one other being left.
path_kept_features <- function(keep, groups, frame, call) {
  columns <- frame_groups_kept_columns(keep, frame$blueprint$columns, groups, frame$blueprint, ncol(frame$x), "features",
                                       call)
  if (length(columns) && length(columns) == ncol(frame$x)) {
    abort_input("{.arg keep} has all {length(columns)} feature{?s}.", "keep",
                i = "Keep fewer, or fit these by {.fn lm}: nothing is left to select.", call = call)
  }
  columns
}
