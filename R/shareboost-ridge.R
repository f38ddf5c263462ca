# The ridge of shareboost() where none is given: of three, by the errors of rows that two folds leave out.

# With more rows, and more rows a weight, 1e-4 is seldom too small.
RIDGE_ROWS <- 500
RIDGE_WEIGHTS <- 4
RIDGE_STEPS <- 8 # whose errors are averaged
RIDGE_TOL <- 1e-2 # of rounds in a fold: errors hardly depend on it

# The share of held-out rows that is misclassified, on average over steps of the second half, at each of RIDGES: a
# table, and which is chosen: the best where it errs less than the first by a standard error of its share of
# errors, else the first. The largest is not tried (NA) where the second errs more than the first. NULL where there is
# nothing to choose: the paper's rules and the other penalties keep 1e-4, random candidates would take other random
# numbers than without a choice, and units that depend on the rows cannot be kept in every fold. rounds: the result of
# the kernel at the smallest ridge.
shareboost_ridge_errors <- function(rounds, frame, groups, settings, call) {
  k <- nlevels(frame$y)
  weights <- (k - 1) * settings$max_steps
  if (settings$rule != "orthogonal" || settings$penalty != "ridge" || settings$candidates || weights == 0) return(NULL)
  if (length(frame$y) >= max(RIDGE_ROWS, RIDGE_WEIGHTS * weights)) return(NULL)
  if (frame_is_mapped(frame) && length(settings$keep)) return(NULL)
  fold <- shareboost_ridge_folds(rounds, frame, settings)
  if (all(fold == 0)) return(NULL)
  settings$tol <- max(settings$tol, RIDGE_TOL)
  parts <- lapply(unique(fold[fold > 0]), function(f) {
    inside <- frame_rows(frame, which(fold != f))
    held <- frame_rows(frame, which(fold == f))
    units <- shareboost_settings_units(inside, groups, call)
    settings$max_steps <- min(settings$max_steps, units$count)
    list(inside = inside, held = held, units = units, settings = settings, y = as.integer(held$y))
  })
  error <- rep(NA_real_, length(RIDGES))
  for (r in seq_along(RIDGES)) {
    if (r > 2 && error[r - 1] > error[1]) break
    wrong <- vapply(parts, shareboost_ridge_left_out, 0, RIDGES[r])
    error[r] <- sum(wrong) / sum(response_weights_of_rows(frame)[fold > 0])
  }
  best <- which.min(error)
  sure <- isTRUE(error[1] - error[best] > sqrt(error[1] * (1 - error[1]) / attr(fold, "distinct")))
  table_data_frame(list(ridge = RIDGES, error = error, chosen = seq_along(RIDGES) == (if (sure) best else 1L)))
}

# The fold of every row, 1 or 2; 0 where all rows of a class are alike, which no fold leaves out. Rows of a class go to
# the folds in turns in the order of their own class's lead at the last step, those with the same lead together: so
# the folds are alike, no row is in both, and neither the order of rows nor random numbers matter. The attribute
# `distinct` counts the rows without repeats.
shareboost_ridge_folds <- function(rounds, frame, settings) {
  y <- as.integer(frame$y)
  models <- shareboost_object_models(rounds, settings$intercept, nlevels(frame$y))
  last <- length(models$weights)
  score <- shareboost_object_training_scores(models$weights[[last]], models$a0[, last], rounds, frame)
  true_class <- cbind(seq_along(y), y)
  lead <- score[true_class]
  score[true_class] <- -Inf
  lead <- signif(lead - score[cbind(seq_along(y), max.col(score, "first"))], 6)
  sorted <- order(y, lead)
  new <- c(TRUE, diff(y[sorted]) != 0 | diff(lead[sorted]) != 0)
  fold <- integer(length(y))
  turn <- cumsum(new)
  fold[sorted] <- (turn - turn[match(y[sorted], y[sorted])]) %% 2L + 1L
  fold[tabulate(y[sorted][new])[y] < 2] <- 0L
  structure(fold, distinct = sum(new))
}

# Summed weights of the held-out rows that are misclassified, averaged over steps of the second half.
shareboost_ridge_left_out <- function(part, ridge) {
  inside <- part$inside
  settings <- part$settings
  settings$ridge <- ridge
  rounds <- part$units$run(as.integer(inside$y), response_weights_of_mean_one(inside), settings, NULL)
  if (rounds$status != 0) return(Inf)
  models <- shareboost_object_models(rounds, settings$intercept, nlevels(inside$y))
  x <- frame_map_design(rounds$blueprint %||% inside$blueprint, part$held)[, shareboost_object_design_columns(rounds),
                                                                           drop = FALSE]
  weights <- response_weights_of_rows(part$held)
  last <- length(models$weights)
  steps <- unique(round(seq(ceiling(last / 2), last, length.out = RIDGE_STEPS)))
  mean(vapply(steps, function(step) {
    w <- models$weights[[step]]
    score <- response_scores_of_rows(x[, seq_len(ncol(w)), drop = FALSE], t(w), models$a0[, step])
    sum(weights[max.col(score, "first") != part$y])
  }, 0))
}
