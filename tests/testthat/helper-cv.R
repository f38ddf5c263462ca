# Data for cross-validation, and naive cross-validation.

cv_case <- function(seed = 1, n = 36, p = 8, s = 3) {
  case <- draw_case(seed, n = n, p = p, s = s)
  case$three <- cut(case$y, stats::quantile(case$y, 0:3 / 3), c("low", "mid", "high"), TRUE)
  case$domain <- rep(c("u", "v", "w"), length.out = n)
  case$foldid <- rep_len(c(3, 1, 2, 4), n)
  case
}

# Scores of held-out rows, rows x classes x (steps, average), by a loop over the folds.
naive_scores <- function(x, y, foldid, steps, ..., average = TRUE) {
  n_classes <- if (nlevels(y) > 2) nlevels(y) else 1
  points <- c(as.list(steps), if (average) "average")
  scores <- array(NA, c(nrow(x), n_classes, length(points)))
  for (k in unique(foldid)) {
    test <- foldid == k
    fit <- greedytl(x[!test, , drop = FALSE], y[!test], ...)
    for (j in seq_along(points)) {
      step <- points[[j]]
      if (is.numeric(step)) step <- min(step, max(fit$points$step))
      scores[test, , j] <- predict(
        fit, x[test, , drop = FALSE], step = step, type = "link"
      )
    }
  }
  scores
}

# The weighted mean over folds and its standard error, by the formulas of textbooks.
naive_summary <- function(losses, weights) {
  mean <- sum(weights * losses) / sum(weights)
  c(mean, sqrt(sum(weights * (losses - mean)^2) / sum(weights) / (length(losses) - 1)))
}

by_fold <- function(foldid, loss) vapply(sort(unique(foldid)), loss, numeric(1))
