# Comparing fitted paths with the naive twin, and with each other.

# Coefficients with the intercept first, whatever their container.
coef_matrix <- function(fit, ...) {
  as.matrix(coef(fit, ...))
}

entered <- function(fit) {
  fit$steps$entered[!is.na(fit$steps$entered)]
}

# One lambda's columns of beta, on the standardised scale of the twin, so that a tolerance means
# the same for every column.
expect_twin <- function(fit, twin, tolerance = 1e-8, label = "", lambda = NULL) {
  rows <- if (is.null(lambda)) rep(TRUE, nrow(fit$steps)) else fit$steps$lambda == lambda
  steps <- fit$steps[rows, ]
  same_order <- identical(steps$entered[-1], as.character(twin$entered))
  expect_true(same_order, label = paste(
    label, "order", paste(steps$entered[-1], collapse = " "), "expected",
    paste(twin$entered, collapse = " ")
  ))
  if (!same_order) {
    return(invisible(FALSE))
  }
  expect_close(fit$a0[rows], twin$a0, tolerance, paste(label, "a0"))
  expect_close(
    as.matrix(fit$beta)[, rows, drop = FALSE] * twin$scale, twin$beta * twin$scale,
    tolerance, paste(label, "beta")
  )
  expect_close(steps$gain[-1], twin$gain, tolerance * twin$n, paste(label, "gain"))
  for (column in c("objective", "df", "loo")) {
    expect_close(steps[[column]], twin[[column]], tolerance, paste(label, column))
  }
  expect_close(steps$rss, twin$rss, tolerance * twin$n, paste(label, "rss"))
  expect_close(steps$loss, twin$rss / twin$n, tolerance, paste(label, "loss"))
  if (!is.null(steps$loo_accuracy) && all(!is.na(steps$loo_accuracy))) {
    decided <- twin$loo_margin > 1e-8
    expect_close(
      steps$loo_accuracy[decided], twin$loo_accuracy[decided], tolerance,
      paste(label, "loo_accuracy")
    )
  }
  invisible(TRUE)
}

# Largest difference, in units of the larger of 1 and the expected size.
expect_close <- function(object, expected, tolerance = 1e-8, label = "value") {
  object <- unname(as.vector(object))
  expected <- unname(as.vector(expected))
  expect_identical(length(object), length(expected), label = paste(label, "length"))
  if (length(object) == length(expected) && length(object) > 0) {
    gap <- max(abs(object - expected)) / max(1, abs(expected))
    expect_true(
      isTRUE(gap <= tolerance),
      label = sprintf("%s: largest difference %.3g (allowed %.1g)", label, gap, tolerance)
    )
  }
}

# Data with equally good columns: whatever was chosen must be as good as the best, and the rest
# must follow from it. `twin` is a function of the columns to follow.
expect_twin_follow <- function(fit, twin, names, max_steps, label = "") {
  chosen <- match(entered(fit), names)
  path <- twin(chosen)
  expect_true(
    max(0, path$shortfall) < 1e-9,
    label = sprintf("%s: shortfall %.3g", label, max(0, path$shortfall))
  )
  expect_true(
    length(chosen) == max_steps || path$left < 1e-10,
    label = sprintf("%s: stopped after %d with %.3g left", label, length(chosen), path$left)
  )
  expect_twin(fit, path, label = label)
}

# Two fits that must tell the same story.
expect_same_path <- function(fit, other, tolerance = 1e-10, columns = TRUE) {
  expect_identical(fit$steps$entered, other$steps$entered)
  expect_close(fit$a0, other$a0, tolerance, "a0")
  names <- rownames(fit$beta)
  if (columns) {
    expect_close(
      as.matrix(fit$beta), as.matrix(other$beta)[names, , drop = FALSE], tolerance, "beta"
    )
  }
  for (column in c("gain", "objective", "loo", "df")) {
    known <- !is.na(fit$steps[[column]])
    expect_close(
      fit$steps[[column]][known], other$steps[[column]][known], tolerance, column
    )
  }
}

# The default model of rule "transfer" is the average of the twin's steps.
expect_average <- function(fit, twin, label = "") {
  average <- coef_matrix(fit)[, 1]
  expect_close(average[1], twin$average_a0, 1e-8, paste(label, "average intercept"))
  expect_close(
    average[-1] * twin$scale, twin$average * twin$scale, 1e-8, paste(label, "average")
  )
}

# The ridge the fit used, as (tau_feature, tau_source).
expect_ridge <- function(fit, expected) {
  expect_close(unlist(fit$ridge), expected, 1e-8, "ridge")
}
