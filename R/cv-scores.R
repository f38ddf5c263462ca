# The scores of held-out rows at the points of a path, and their responses.

# The scores of held-out rows by the path of a fold, at the points of the grid. Losses take scores of classes coded -1
# and 1; scores of classes coded 0 and 1 are rescaled to that.
cv_scores_of_grid <- function(path, frame, grid) {
  parts <- cv_scores_over_grid(path, grid, function(step, lambda) {
    steps <- unique(step)
    score <- stats::predict(path, frame, step = steps, lambda = lambda, type = "link") # vector, matrix or array
    score <- array(as.numeric(path_predict_scores_of_signs(path, score)),
                   c(frame_rows_count(frame), max(1L, length(grid$classes)), length(steps)))
    score[, , match(step, steps), drop = FALSE]
  })
  n_points <- sum(vapply(parts, function(part) dim(part)[[3]], integer(1)))
  array(unlist(parts, use.names = FALSE), c(dim(parts[[1]])[1:2], n_points))
}

# The values of take(step, lambda) at the points of the grid, one lambda after the other, then at the averages. Where
# the path of a fold has fewer steps than the grid, its last step stands for those that are missing.
cv_scores_over_grid <- function(path, grid, take) {
  own_steps <- path_object_steps_by_lambda(path$points)
  lambdas <- unique(path$points$lambda)
  if (length(lambdas) != length(grid$steps)) {
    abort_input(
      "The path of a fold has {length(lambdas)} lambda{?s}, not {length(grid$steps)}.", "lambda",
      i = "Give {.arg lambda} as numbers, so that all folds share them.",
      call = rlang::current_env()
    )
  }
  # where there is one lambda, `lambda` is left out: it is NA for methods without one
  lambda_of <- function(j) if (length(lambdas) > 1) lambdas[[j]]
  at_points <- lapply(seq_along(lambdas), function(j) {
    path_steps <- own_steps[[j]]
    take(path_steps[pmax(findInterval(grid$steps[[j]], path_steps), 1L)], lambda_of(j))
  })
  c(at_points, if (grid$average) lapply(seq_along(lambdas), function(j) take("average", lambda_of(j))))
}

# The names of the points: the step, and the lambda where there are several.
cv_scores_point_names <- function(grid) {
  lambdas <- unique(grid$points$lambda)
  steps <- c(grid$points$step, if (grid$average) rep("average", length(lambdas)))
  if (length(lambdas) == 1) return(as.character(steps))
  values <- c(grid$points$lambda, if (grid$average) lambdas)
  paste(format(values, digits = 3, trim = TRUE), steps, sep = ":")
}

# The scores of some rows at one point: a vector where there is one score for each row, else a matrix rows x classes,
# also of one row.
cv_scores_of_rows <- function(scores, rows, point) {
  n_classes <- dim(scores)[[2]]
  if (n_classes == 1) scores[rows, 1, point] else matrix(scores[rows, , point], ncol = n_classes)
}

# The response of held-out rows; survival times with their strata, since risk sets are within strata.
cv_scores_response_of_rows <- function(frame, rows) {
  y <- frame_rows_of_response(frame$y, rows)
  if (!is.null(frame$strata)) attr(y, "strata") <- frame$strata[rows]
  y
}

# The cross-validated partial likelihood: Verweij, P. J. M. and van Houwelingen, H. C. (1993). Cross-validation in
# survival analysis. Statistics in Medicine 12, 2305-2314. The part of a fold is what the log partial likelihood of all
# rows gains over that of the training rows, at the coefficients of the training rows. The sum over folds is divided by
# the number of events.

# scores: of the rows `together`, rows x 1 x points. Those of the held-out rows, with the gains at every point.
cv_scores_with_gains <- function(scores, frame, held_out, together) {
  held <- together %in% held_out
  w <- response_weights_of_rows(frame)[together]
  partial <- function(rows) {
    y <- cv_scores_response_of_rows(frame, together[rows])
    risk <- response_family_surv_risk(y, attr(y, "strata"))
    apply(scores, 3, function(score) if (anyNA(score)) NA_real_ else cox_log_lik(risk, w[rows], score[rows]))
  }
  structure(scores[held, , , drop = FALSE], gains = partial(rep(TRUE, length(together))) - partial(!held))
}
