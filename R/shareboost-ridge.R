# The ridge of shareboost() where none is given: the geometric mean of four, by the errors of rows that three folds leave
# out.

# With more rows, and more rows a weight, 1e-4 is seldom too small.
RIDGE_ROWS <- 500
RIDGE_WEIGHTS <- 4
RIDGE_FOLDS <- 3
RIDGE_STEPS <- c(3L, 5L, 10L, 20L) # whose errors are averaged
RIDGE_TOL <- 1e-4 # of rounds in a fold: errors hardly depend on it
RIDGE_WORSE <- 2 # standard errors, by which a ridge errs more than a smaller one: larger ones are not tried

# The ridges, the shares of held-out rows that are misclassified, on average over some steps, and the weights of the
# ridges: a table. A ridge weighs exp(-z^2) where it errs z standard errors (of the paired differences of the rows)
# more than the best. NULL where there is nothing to choose: the paper's rules and the other penalties keep 1e-4, random
# candidates would take other random numbers than without a choice, and units that depend on the rows cannot be kept in
# every fold. rounds: the result of the kernel at the smallest ridge.
shareboost_ridge_weights <- function(rounds, frame, groups, settings, call) {
  k <- nlevels(frame$y)
  weights <- (k - 1) * settings$max_steps
  if (settings$rule != "orthogonal" || settings$penalty != "ridge" || settings$candidates || weights == 0) return(NULL)
  if (length(frame$y) >= max(RIDGE_ROWS, RIDGE_WEIGHTS * weights)) return(NULL)
  if (frame_is_mapped(frame) && length(settings$keep)) return(NULL)
  fold <- shareboost_ridge_folds(rounds, frame, settings)
  if (all(fold == 0)) return(NULL)
  settings$tol <- max(settings$tol, RIDGE_TOL)
  parts <- lapply(sort(unique(fold[fold > 0])), function(f) {
    inside <- frame_rows(frame, which(fold != f))
    held <- frame_rows(frame, which(fold == f))
    units <- shareboost_settings_units(inside, groups, call)
    settings$max_steps <- min(settings$max_steps, max(RIDGE_STEPS), units$count)
    list(inside = inside, held = held, rows = which(fold == f), units = units, settings = settings, y = as.integer(held$y))
  })
  row_weights <- unlist(lapply(parts, function(part) response_weights_of_rows(part$held)))
  same <- unlist(lapply(parts, function(part) attr(fold, "same")[part$rows]))
  wrong <- matrix(NA_real_, length(row_weights), length(RIDGES))
  for (r in seq_along(RIDGES)) {
    wrong[, r] <- unlist(lapply(parts, shareboost_ridge_wrong, RIDGES[r]))
    z <- shareboost_ridge_differences(wrong[, seq_len(r), drop = FALSE], row_weights, same)
    if (z[r] > RIDGE_WORSE) break
  }
  z <- shareboost_ridge_differences(wrong, row_weights, same)
  weight <- ifelse(is.na(z), 0, exp(-z^2))
  table_data_frame(list(ridge = RIDGES, error = colSums(wrong * row_weights) / sum(row_weights),
                        weight = weight / sum(weight)))
}

# By how many standard errors each column of `wrong` errs more than the best: 0 for the best. Rows that are the `same`
# are one observation.
shareboost_ridge_differences <- function(wrong, row_weights, same) {
  share <- row_weights / sum(row_weights)
  best <- which.min(colSums(wrong * share))
  more <- wrong - wrong[, best]
  mean <- colSums(more * share)
  error <- sqrt(colSums(rowsum((more - rep(mean, each = nrow(more))) * share, same, reorder = FALSE)^2))
  ifelse(mean <= 0, 0, mean / error)
}

# The ridge of the table: two digits, so that rounding errors do not show.
shareboost_ridge_mean <- function(table) signif(exp(sum(table$weight * log(table$ridge))), 2)

# The fold of every row, from 1; 0 where all rows of a class are alike, which no fold leaves out. Rows of a class go to
# the folds in turns in the order of their own class's lead at the last step, those with the same lead together: so
# the folds are alike, and neither the order of rows nor random numbers matter. The attribute `same` numbers the rows of a
# class and lead.
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
  fold[sorted] <- (turn - turn[match(y[sorted], y[sorted])]) %% RIDGE_FOLDS + 1L
  fold[tabulate(y[sorted][new])[y] < 2] <- 0L
  structure(fold, same = replace(fold, sorted, turn))
}

# For each held-out row the share of RIDGE_STEPS, or of those that there are, at which it is misclassified.
shareboost_ridge_wrong <- function(part, ridge) {
  inside <- part$inside
  settings <- part$settings
  settings$ridge <- ridge
  rounds <- part$units$run(as.integer(inside$y), response_weights_of_mean_one(inside), settings, NULL)
  if (rounds$status != 0) return(rep(1, length(part$y)))
  models <- shareboost_object_models(rounds, settings$intercept, nlevels(inside$y))
  x <- frame_map_design(rounds$blueprint %||% inside$blueprint, part$held)[, shareboost_object_design_columns(rounds),
                                                                           drop = FALSE]
  steps <- unique(pmin(RIDGE_STEPS, length(models$weights) - 1L)) + 1L
  wrong <- vapply(steps, function(step) {
    w <- models$weights[[step]]
    score <- response_scores_of_rows(x[, seq_len(ncol(w)), drop = FALSE], t(w), models$a0[, step])
    max.col(score, "first") != part$y
  }, logical(length(part$y)))
  rowMeans(matrix(wrong, length(part$y)))
}
