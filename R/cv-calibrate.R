# Probabilities of classes that are fitted by least squares: a logistic function of the scores of held-out rows.

# The calibration by point and class: the a and b of plogis(a + b score), as list(points, average) of arrays 2 x
# classes x points. scores: rows x classes (one for two classes) x points of cv_refit_out_of_fold(), the averages of the
# path last. NULL where some class, or all others together, has no row with a score.
cv_calibrate_scores <- function(scores, frame, grid) {
  codes <- response_matrix(frame$y) > 0
  w <- response_weights_or_ones(frame)
  fits <- lapply(seq_len(dim(scores)[3]), function(point) {
    vapply(seq_len(ncol(codes)), function(k) cv_calibrate_odds(scores[, k, point], codes[, k], w), c(a = 0, b = 0))
  })
  all <- array(unlist(fits), c(2, ncol(codes), length(fits)))
  if (anyNA(all)) return(NULL)
  steps <- seq_len(nrow(grid$points))
  list(points = all[, , steps, drop = FALSE], average = all[, , -steps, drop = FALSE])
}

# Prior of log b, normal: scores of classes coded -1 and 1 have half the log odds if they are the mean of a logistic
# model of small effects. With it b is positive, and probabilities differ wherever scores do.
SLOPE_PRIOR <- c(mean = log(2), sd = .5)
LEVEL_SD <- 10 # of the prior of the log odds at the mean score

# a and b of plogis(offset + a + b score), or of exp() of it for counts y: the maximum of the likelihood times the
# priors, by Newton steps with the expected information. y: is the row of the class, or a share of rows that are? w:
# weights. prior: of log b.
cv_calibrate_odds <- function(score, y, w, offset = 0, prior = SLOPE_PRIOR, family = "binomial") {
  whole <- !is.na(score)
  score <- score[whole]
  y <- as.numeric(y[whole])
  w <- w[whole]
  offset <- rep_len(offset, length(whole))[whole]
  counts <- family == "poisson"
  if (sum(w * y) == 0 || !counts && sum(w * (1 - y)) == 0) return(c(NA_real_, NA_real_))
  centre <- sum(w * score) / sum(w)
  z <- score - centre
  mean <- c(0, prior[["mean"]])
  precision <- 1 / c(LEVEL_SD, prior[["sd"]])^2
  height <- function(theta) {
    eta <- offset + theta[1] + exp(theta[2]) * z
    log_lik <- sum(w * if (counts) y * eta - exp(eta) else y * eta - likelihood_log1p_exp(eta))
    log_lik - sum(precision * (theta - mean)^2) / 2
  }
  level <- sum(w * y) / sum(w)
  theta <- c((if (counts) log(level) else stats::qlogis(level)) - sum(w * offset) / sum(w), mean[2])
  value <- height(theta)
  for (round in 1:100) {
    p <- cv_calibrate_mean(offset + theta[1] + exp(theta[2]) * z, family)
    slopes <- cbind(1, exp(theta[2]) * z) # of the log odds in a and log b
    step <- solve(crossprod(slopes, w * p$variance * slopes) + diag(precision),
                  crossprod(slopes, w * (y - p$mean)) - precision * (theta - mean))
    half <- 1
    while (half > 1e-8 && !(height(theta + half * step) >= value)) half <- half / 2
    if (half <= 1e-8) break
    theta <- theta + half * drop(step)
    gain <- height(theta) - value
    value <- value + gain
    if (gain <= 1e-12 * (1 + abs(value))) break
  }
  c(theta[1] - exp(theta[2]) * centre, exp(theta[2]))
}

# list(mean, variance) of responses with these log odds or log rates, in their shape.
cv_calibrate_mean <- function(eta, family) {
  mean <- if (family == "poisson") exp(eta) else stats::plogis(eta)
  list(mean = mean, variance = if (family == "poisson") mean else mean * (1 - mean))
}

# The same for many calibrations at a time, by Newton steps of at most 1: column k of z are the scores, less their mean,
# of the k-th, w its weights. a, l: where the levels at the mean score and the logs of the slopes start. list(a, l).
cv_calibrate_columns <- function(z, w, y, offset, prior, a, l, family) {
  n <- nrow(z)
  precision <- 1 / c(LEVEL_SD, prior[["sd"]])^2
  for (round in 1:50) {
    zb <- z * rep(exp(l), each = n)
    p <- cv_calibrate_mean(zb + (offset + rep(a, each = n)), family)
    W <- w * p$variance
    r <- w * (y - p$mean)
    g1 <- colSums(r) - precision[1] * a
    g2 <- colSums(r * zb) - precision[2] * (l - prior[["mean"]])
    h11 <- colSums(W) + precision[1]
    Wz <- W * zb
    h12 <- colSums(Wz)
    h22 <- colSums(Wz * zb) + precision[2]
    exact <- h22 - colSums(r * zb) # the observed information, where it is positive definite
    h22 <- ifelse(h11 * exact > h12^2, exact, h22)
    det <- h11 * h22 - h12^2
    step1 <- (h22 * g1 - h12 * g2) / det
    step2 <- (h11 * g2 - h12 * g1) / det
    most <- pmax(abs(step1), abs(step2), 1e-300)
    a <- a + pmin(1, 1 / most) * step1
    l <- l + pmin(1, 1 / most) * step2
    if (max(most) < 1e-6) break
  }
  list(a = a, l = l)
}

LEFT_OUT_ROWS <- 50 # most rows for which each is left out by a calibration of its own

# The log odds of every row by the calibration of the others' scores, these centred as in the calibration of all: a and
# l at their mean. Of many rows its first Newton step.
cv_calibrate_left_out <- function(score, y, w, offset, prior, a, l, family) {
  n <- length(score)
  z <- score - sum(w * score) / sum(w)
  if (n > LEFT_OUT_ROWS) return(drop(cv_calibrate_left_step(cbind(z), y, w, offset, prior, a, l,
                                                                     family)))
  weights <- matrix(w, n, n)
  diag(weights) <- 0
  line <- cv_calibrate_columns(matrix(z, n, n), weights, y, offset, prior, rep(a, n), rep(l, n), family)
  offset + line$a + exp(line$l) * z
}

# The first Newton step from the calibrations of all rows, for every row left out: rows x columns of z.
cv_calibrate_left_step <- function(z, y, w, offset, prior, a, l, family) {
  n <- nrow(z)
  zb <- z * rep(exp(l), each = n)
  eta <- zb + (offset + rep(a, each = n))
  p <- cv_calibrate_mean(eta, family)
  W <- w * p$variance
  r <- w * (y - p$mean)
  every <- function(v) rep(v, each = n)
  h11 <- every(colSums(W) + 1 / LEVEL_SD^2) - W
  h12 <- every(colSums(W * zb)) - W * zb
  h22 <- every(colSums(W * zb^2) + 1 / prior[["sd"]]^2) - W * zb^2
  det <- h11 * h22 - h12^2 # the sums of r over all rows are 0 but for the priors
  eta - r * (h22 - 2 * h12 * zb + h11 * zb^2) / det
}

# The path with its calibration, from fits by `fit` with the arguments `tuning` to all rows but one part: a domain for
# methods that leave domains out, else one of ten parts.
cv_calibrate_path <- function(path, frame, fit, tuning, call) {
  cv_calibrate_check(frame, call)
  whole <- function(rows) nlevels(table_used_levels(frame$y[-rows])) == nlevels(frame$y)
  # a part that has all rows of a class is not held out: its rows get no score
  held_out <- Filter(whole, cv_calibrate_parts(path, frame))
  plan <- list(path = cv_refit_path(path, fit, tuning), grid = cv_refit_grid(path))
  settings <- list(parallel = FALSE, call = call)
  path$calibration <- cv_calibrate_scores(cv_refit_out_of_fold(frame, held_out, plan, settings), frame, plan$grid)
  if (is.null(path$calibration)) cv_calibrate_abort(identical(path$by, "domain"), call)
  path
}

# Errors where the response has no classes, or a class has one row.
cv_calibrate_check <- function(frame, call) {
  if (!is.factor(frame$y)) {
    abort_input("{.arg prob} is {.code TRUE}, and the response is numeric.", "prob",
                i = "Give a factor, or leave {.arg prob} out: probabilities are of classes.", call = call)
  }
  if (min(tabulate(frame$y, nlevels(frame$y))) < 2) cv_calibrate_abort(FALSE, call)
}

cv_calibrate_abort <- function(by_domain, call) {
  abort_input("{.arg prob} is {.code TRUE}, and some class has no row that could be left out.", "prob",
              i = if (by_domain) "Give every class rows in two domains or more, or leave {.arg prob} out." else
                "Give every class two rows or more, or leave {.arg prob} out.", call = call)
}

CALIBRATION_PARTS <- 10

# The parts of the rows: domains, or ten parts to which the rows are dealt in turn in the order of class and fitted
# score, so that parts are alike and do not depend on the order of the rows.
cv_calibrate_parts <- function(path, frame) {
  n <- frame_rows_count(frame)
  if (identical(path$by, "domain") && nlevels(frame$domain) > 1) {
    return(split(seq_len(n), frame$domain))
  }
  fitted <- as.matrix(stats::fitted(path))
  order <- do.call(order, c(list(as.integer(frame$y)), asplit(fitted, 2)))
  part <- integer(n)
  part[order] <- (seq_len(n) - 1L) %% min(CALIBRATION_PARTS, n) + 1L
  split(seq_len(n), part)
}
