# The losses of folds from the scores of their rows, their mean and its standard error, and the points chosen by them.

# The losses, folds x (points, averages); NA where the loss is not defined for the rows of a fold.
cv_summary_fold_losses <- function(frame, scores, held_out, loss) {
  weights <- response_weights_of_rows(frame)
  classes <- levels(frame$y)
  gains <- if (isTRUE(loss$together)) attr(scores, "gains")
  of_gains <- if (!is.null(gains)) t(-2 * gains / cv_summary_fold_events(frame, held_out))
  values <- of_gains %||% vapply(seq_along(held_out), function(k) {
    rows <- held_out[[k]]
    tryCatch(vapply(seq_len(dim(scores)[[3]]), function(point) {
      loss$loss(cv_scores_response_of_rows(frame, rows), cv_scores_of_rows(scores, rows, point), weights[rows], classes)
    }, numeric(1)), transelect_error_loss = function(error) cv_summary_abort_in_fold(error, names(held_out)[k]))
  }, numeric(dim(scores)[[3]]))
  values <- matrix(
    values, nrow = length(held_out), byrow = TRUE,
    dimnames = list(names(held_out), dimnames(scores)[[3]])
  )
  values[!is.finite(values)] <- NA_real_
  cv_summary_warn_undefined(values, loss)
  values
}

# The events of each fold, by which its part of the partial likelihood is divided. Where some fold has none, as where
# single rows are held out, censored rows have a part, too: the share of a fold in all events is then that of its rows.
cv_summary_fold_events <- function(frame, held_out) {
  w <- response_weights_of_rows(frame)
  status <- unclass(frame$y)[, "status"]
  events <- vapply(held_out, function(rows) sum(w[rows] * status[rows]), 0)
  if (all(events > 0)) return(events)
  rows <- vapply(held_out, function(rows) sum(w[rows]), 0)
  sum(events) * rows / sum(rows)
}

# The error of a loss of the user's, with the fold in whose rows it came.
cv_summary_abort_in_fold <- function(error, fold) {
  error$message <- sub("^(`loss` (failed|returned))", paste0("In fold ", fold, " \\1"), error$message)
  error$fold <- fold
  rlang::cnd_signal(error)
}

cv_summary_warn_undefined <- function(values, loss) {
  reason <- loss$undefined %||% "some predictions are not finite"
  for (fold in rownames(values)[rowSums(is.na(values)) > 0]) {
    rlang::warn(
      paste0("Fold ", fold, ": left out of the ", loss$label, ", since ", reason, "."),
      class = "transelect_warning_fold", fold = fold
    )
  }
}

# The weighted mean of the losses over the folds, and its standard error.
cv_summary_over_folds <- function(fold_loss, weight) {
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

# The standard error of each loss beside the others of the same folds: by how much a fold is hard for all points of a
# lambda, as a domain with a level of its own is, is taken out of its losses first (Cousineau 2005).
cv_summary_se_within <- function(fold_loss, weight, lambda) {
  se <- rep(NA_real_, ncol(fold_loss))
  for (of_lambda in split(seq_along(lambda), match(lambda, unique(lambda)))) {
    losses <- fold_loss[, of_lambda, drop = FALSE]
    se[of_lambda] <- cv_summary_over_folds(losses - rowMeans(losses, na.rm = TRUE), weight)$se
  }
  se
}

# Standard errors over k folds, corrected for the rows that the training parts of folds share: the variance of a mean
# over folds is S^2 (1/k + n_test/n_train) in place of S^2/k, and n_test/n_train is 1/(k - 1) (Nadeau and Bengio 2003).
cv_summary_corrected_se <- function(se, k) se * sqrt(1 + k / (k - 1))

cv_summary_corrected_note <- function(k) {
  paste0("corrected: ", format(cv_summary_corrected_se(1, k), digits = 3),
         " times the standard error, since folds share training rows")
}

# The chosen rows of `points`: "min" has the best mean and, of equal ones, the fewest columns; "1se" has the lambda of
# "min" and, of the points within one standard error of the best (that of cv_summary_se_within()), the fewest columns
# and of these the first step.
cv_summary_chosen_points <- function(mean, se, nzero, points, smaller_is_better) {
  cost <- if (smaller_is_better) mean else -mean
  cost[is.na(cost)] <- Inf
  sparsest <- function(candidates) candidates[[which.min(nzero[candidates])]]
  best <- sparsest(which(cost == min(cost)))
  margin <- if (is.na(se[[best]])) 0 else se[[best]]
  near <- which(cost <= cost[[best]] + margin & points$lambda %in% points$lambda[[best]])
  near <- near[order(points$step[near])]
  c(min = best, `1se` = sparsest(near))
}

CHOICE_HOLDS <- 2 # the choice of the method gives way to "min" if its loss is larger by more corrected standard errors
                  # of the difference than this: Rscript bench/tgreedy.R choice

# The point that verbs take where none is named: what the method has chosen itself, the point `own`, unless "min" is
# clearly better; "1se" where the method has not chosen a point. index: of cv_summary_chosen_points().
cv_summary_default_point <- function(fold_loss, weight, index, own, smaller_is_better) {
  if (is.null(own)) return(index[["1se"]])
  worse <- fold_loss[, own] - fold_loss[, index[["min"]]]
  gap <- cv_summary_over_folds(cbind(if (smaller_is_better) worse else -worse), weight)
  margin <- CHOICE_HOLDS * cv_summary_corrected_se(gap$se, nrow(fold_loss))
  if (is.na(gap$mean) || isTRUE(gap$mean > margin)) index[["min"]] else own
}
