# Probabilities of classes that are fitted by least squares: Platt's calibration on the scores of held-out rows.

# The calibration by point and class: the a and b of plogis(a + b score), as list(points, average) of arrays 2 x
# classes x points. scores: rows x classes (one for two classes) x points of out_of_fold(), the averages of the path
# last. NULL where some class, or all others together, has no row with a score.
calibration_of <- function(scores, frame, grid) {
  codes <- response_matrix(frame$y) > 0
  w <- row_unit_weights(frame)
  fits <- lapply(seq_len(dim(scores)[3]), function(point) {
    vapply(seq_len(ncol(codes)), function(k) platt(scores[, k, point], codes[, k], w), c(a = 0, b = 0))
  })
  all <- array(unlist(fits), c(2, ncol(codes), length(fits)))
  if (anyNA(all)) return(NULL)
  steps <- seq_len(nrow(grid$points))
  list(points = all[, , steps, drop = FALSE], average = all[, , -steps, drop = FALSE])
}

# a and b of plogis(a + b score) by maximum likelihood, with Platt's responses (n1 + 1)/(n1 + 2) and 1/(n0 + 2) in
# place of 1 and 0, which keep b finite; b is at least 0. upper: is the row of the class? w: weights, whose sums in the
# class and outside it are n1 and n0.
platt <- function(score, upper, w) {
  whole <- !is.na(score)
  score <- score[whole]
  upper <- upper[whole]
  w <- w[whole]
  n1 <- sum(w[upper])
  n0 <- sum(w[!upper])
  if (n1 == 0 || n0 == 0) return(c(NA_real_, NA_real_))
  target <- ifelse(upper, (n1 + 1) / (n1 + 2), 1 / (n0 + 2))
  flat <- c(stats::qlogis(sum(w * target) / sum(w)), 0)
  centre <- sum(w * score) / sum(w)
  spread <- sqrt(sum(w * (score - centre)^2) / sum(w))
  if (spread <= 1e-10 * max(abs(score))) return(flat)
  fit <- stats::glm.fit(cbind(1, (score - centre) / spread), target, w, family = stats::quasibinomial(),
                        control = list(epsilon = 1e-10, maxit = 100))
  b <- fit$coefficients[[2]] / spread
  if (b > 0) c(fit$coefficients[[1]] - b * centre, b) else flat
}

# The path with its calibration, from fits by `fit` with the arguments `tuning` to all rows but one part: a domain for
# methods that leave domains out, else one of ten parts.
with_calibration <- function(path, frame, fit, tuning, call) {
  if (!is.factor(frame$y)) {
    abort_input("{.arg prob} is {.code TRUE}, and the response is numeric.", "prob",
                i = "Give a factor, or leave {.arg prob} out: probabilities are of classes.", call = call)
  }
  whole <- function(rows) nlevels(used_levels(frame$y[-rows])) == nlevels(frame$y)
  # a part that has all rows of a class is not held out: its rows get no score
  held_out <- Filter(whole, calibration_parts(path, frame))
  plan <- list(path = path_to_refit(path, fit, tuning), grid = path_grid(path))
  settings <- list(parallel = FALSE, call = call)
  path$calibration <- calibration_of(out_of_fold(frame, held_out, plan, settings), frame, plan$grid)
  if (is.null(path$calibration)) {
    abort_input("{.arg prob} is {.code TRUE}, and some class has no row that could be left out.", "prob",
                i = if (identical(path$by, "domain"))
                  "Give every class rows in two domains or more, or leave {.arg prob} out." else
                  "Give every class two rows or more, or leave {.arg prob} out.", call = call)
  }
  path
}

CALIBRATION_PARTS <- 10

# The parts of the rows: domains, or ten parts to which the rows are dealt in turn in the order of class and fitted
# score, so that parts are alike and do not depend on the order of the rows.
calibration_parts <- function(path, frame) {
  n <- frame_nobs(frame)
  if (identical(path$by, "domain") && nlevels(frame$domain) > 1) {
    return(split(seq_len(n), frame$domain))
  }
  fitted <- as.matrix(stats::fitted(path))
  order <- do.call(order, c(list(as.integer(frame$y)), asplit(fitted, 2)))
  part <- integer(n)
  part[order] <- (seq_len(n) - 1L) %% min(CALIBRATION_PARTS, n) + 1L
  split(seq_len(n), part)
}
