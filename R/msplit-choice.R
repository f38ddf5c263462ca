# The guard of msplit(): does the chosen support predict rows not seen better than ridge does?

GUARD_FOLDS <- 5L

# Cross-validation of two whole procedures, ridge with its leave-one-out nu against the choice of
# nu and support. Folds are dealt along the sorted response, of several the sum of the standardised
# ones: no random numbers, and the order of the responses does not matter.
msplit_guard <- function(frame, coded, settings, call) {
  n <- nrow(coded)
  settings$record <- 0L # and the chosen one, which is always kept
  fold <- integer(n)
  fold[order(deal_score(coded), row_distance(frame$x))] <- rep_len(seq_len(GUARD_FOLDS), n)
  w <- unit_weights(frame) %||% rep(1, n)
  size <- response_size(coded)
  gain <- numeric(n)
  for (k in seq_len(GUARD_FOLDS)) {
    held <- which(fold == k)
    rest <- frame_rows(frame, which(fold != k))
    settings$n <- nrow(rest$x)
    out <- iss_fit(rest$x, coded[-held, , drop = FALSE], unit_weights(rest), settings, call,
                   labels = frame$blueprint$columns)
    error <- function(point) {
      score <- score_at_point(out, point, frame$x[held, , drop = FALSE], ncol(coded))
      rowSums(((coded[held, , drop = FALSE] - score) / rep(size, each = length(held)))^2)
    }
    gain[held] <- error(ridge_point(out)) - error(best_point(out))
  }
  mean <- sum(w * gain) / n
  se <- sqrt(sum(w * (gain - mean)^2) / n / (n - 1))
  list(gain = mean, se = se, kept = isTRUE(mean > se))
}

deal_score <- function(coded) {
  if (ncol(coded) == 1) return(coded[, 1])
  centred <- coded - rep(colMeans(coded), each = nrow(coded))
  signif(rowSums(centred / rep(response_size(coded), each = nrow(coded))), 10)
}

# Standard deviations (divisor n) of the responses; the largest number first, lest squares overflow.
response_size <- function(coded) {
  apply(coded, 2, function(y) {
    y <- y - mean(y)
    most <- max(abs(y), 1e-300)
    most * max(sqrt(mean((y / most)^2)), 1e-300)
  })
}

# What tells rows of the same response apart, whatever their order and the units of the columns: the
# squared distance from the mean row.
row_distance <- function(x) {
  z <- scale(as.matrix(x))
  signif(rowSums(z^2, na.rm = TRUE), 8)
}

# The nu whose ridge (no support) has the smallest leave-one-out error.
ridge_point <- function(out) {
  worth <- vapply(out$fits, function(f) {
    first <- cumsum(c(1L, f$events))[seq_along(f$events)]
    sum(f$criterion[first])
  }, 0)
  at <- which.min(worth)
  c(nu = if (length(at)) at else 1L, step = 0L)
}

# Scores (rows x responses) of the dense estimator at a point, or the last one kept before it.
score_at_point <- function(out, point, x, q) {
  f <- out$fits[[point[["nu"]]]]
  m <- length(f$step)
  columns <- (seq_len(q) - 1L) * m + max(sum(f$step <= point[["step"]]), 1L)
  if (is.matrix(x)) return(.Call(C_msplit_scores, x, f$dense, f$dense_a0, columns - 1L))
  beta <- matrix(f$dense, ncol(x))[, columns, drop = FALSE]
  as.matrix(x %*% beta) + rep(f$dense_a0[columns], each = nrow(x))
}
