# From out-of-fold scores to a choice: loss by fold, its mean and standard error, "min" and "1se".

# folds x (points, averages) matrix of losses; NA where a fold does not define the loss.
loss_by_fold <- function(frame, scores, held_out, loss) {
  weights <- frame_weights(frame)
  classes <- levels(frame$y)
  values <- vapply(held_out, function(rows) {
    vapply(seq_len(dim(scores)[[3]]), function(point) {
      loss$loss(held_out_response(frame, rows), score_of(scores, rows, point), weights[rows], classes)
    }, numeric(1))
  }, numeric(dim(scores)[[3]]))
  values <- matrix(
    values, nrow = length(held_out), byrow = TRUE,
    dimnames = list(names(held_out), dimnames(scores)[[3]])
  )
  values[!is.finite(values)] <- NA_real_
  warn_undefined(values, loss)
  values
}

# A vector where there is one score a row, else rows x classes, also for a single row.
score_of <- function(scores, rows, point) {
  n_classes <- dim(scores)[[2]]
  if (n_classes == 1) scores[rows, 1, point] else matrix(scores[rows, , point], ncol = n_classes)
}

warn_undefined <- function(values, loss) {
  reason <- loss$undefined %||% "some predictions are not finite"
  for (fold in rownames(values)[rowSums(is.na(values)) > 0]) {
    rlang::warn(
      paste0("Fold ", fold, ": left out of the ", loss$label, ", since ", reason, "."),
      class = "transelect_warning_fold", fold = fold
    )
  }
}

# Mean over the folds, each by its weight, and the standard error of that mean.
summarise_folds <- function(fold_loss, weight) {
  defined <- !is.na(fold_loss)
  share <- weight * defined
  total <- colSums(share)
  value <- replace(fold_loss, !defined, 0)
  mean <- colSums(share * value) / total
  spread <- colSums(share * sweep(value, 2, mean)^2) / total
  se <- sqrt(spread / (colSums(defined) - 1))
  list(
    mean = unname(replace(mean, total == 0, NA)),
    se = unname(replace(se, colSums(defined) < 2, NA))
  )
}

check_curve <- function(curve, loss, call) {
  if (!all(is.na(curve$mean))) return(invisible())
  abort_input(
    "The {loss$label} is not defined in any fold.", "loss",
    i = if (!is.null(loss$undefined)) {
      "Use fewer folds, so that each holds several classes, or {.code loss = \"class\"}."
    },
    call = call
  )
}

# Rows of points: "min" has the best mean, of equals the fewest columns; "1se" has the same lambda
# and of the points within one standard error of the best the fewest columns, then the first step.
choose_points <- function(mean, se, nzero, points, smaller_is_better) {
  cost <- if (smaller_is_better) mean else -mean
  cost[is.na(cost)] <- Inf
  best <- first_smallest(which(cost == min(cost)), nzero)
  margin <- if (is.na(se[[best]])) 0 else se[[best]]
  near <- which(cost <= cost[[best]] + margin & points$lambda %in% points$lambda[[best]])
  near <- near[order(points$step[near])]
  c(min = best, `1se` = first_smallest(near, nzero))
}

first_smallest <- function(candidates, value) {
  candidates[[which.min(value[candidates])]]
}

# The averages lie behind the points, one a lambda.
average_curve <- function(curve, grid) {
  if (!grid$average) return(NULL)
  lambda <- unique(grid$points$lambda)
  at <- nrow(grid$points) + seq_along(lambda)
  data.frame(lambda = lambda, cvm = curve$mean[at], cvsd = curve$se[at])
}

# Risk sets are within strata, so a loss of survival times must know them.
held_out_response <- function(frame, rows) {
  y <- response_rows(frame$y, rows)
  if (!is.null(frame$strata)) attr(y, "strata") <- frame$strata[rows]
  y
}
