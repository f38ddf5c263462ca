# Comparisons of fitted paths with the naive twin and with each other.

# The coefficients as a matrix, intercept first.
coef_matrix <- function(fit, ...) {
  as.matrix(coef(fit, ...))
}

entered <- function(fit) {
  fit$steps$entered[!is.na(fit$steps$entered)]
}

# Expects the path, at one lambda, to be the twin's. Coefficients are compared for standardised columns, so that the
# tolerance means the same for every column. One expectation names all that differs.
expect_twin <- function(fit, twin, tolerance = 1e-8, label = "", lambda = NULL) {
  rows <- if (is.null(lambda)) rep(TRUE, nrow(fit$steps)) else fit$steps$lambda == lambda
  steps <- fit$steps[rows, ]
  if (!identical(steps$entered[-1], as.character(twin$entered))) {
    return(fail(paste(
      label, "entered", paste(steps$entered[-1], collapse = " "), "but the twin says",
      paste(twin$entered, collapse = " ")
    )))
  }
  n <- twin$n
  gaps <- c(
    a0 = gap(fit$a0[rows], twin$a0),
    beta = gap(as.matrix(fit$beta)[, rows] * twin$scale, twin$beta * twin$scale),
    gain = gap(steps$gain[-1] / n, twin$gain / n), rss = gap(steps$rss / n, twin$rss / n),
    loss = gap(steps$loss, twin$rss / n), objective = gap(steps$objective, twin$objective),
    df = gap(steps$df, twin$df), loo = gap(steps$loo, twin$loo)
  )
  if (!is.null(steps$loo_accuracy)) {
    decided <- twin$loo_margin > 1e-8 & !is.na(twin$loo_margin)
    gaps["loo_accuracy"] <- gap(steps$loo_accuracy[decided], twin$loo_accuracy[decided])
  }
  expect_gaps(gaps, tolerance, label)
}

# The largest |object - expected|, divided by the larger of 1 and the largest |expected|.
gap <- function(object, expected) {
  object <- as.vector(object)
  expected <- as.vector(expected)
  if (length(object) != length(expected) || anyNA(object) || anyNA(expected)) {
    return(Inf)
  }
  max(0, abs(object - expected)) / max(1, abs(expected))
}

expect_gaps <- function(gaps, tolerance, label) {
  wrong <- gaps[!(gaps <= tolerance)]
  told <- paste(sprintf("%s by %.2g", names(wrong), wrong), collapse = ", ")
  expect(length(wrong) == 0, paste(label, "differs:", told))
}

expect_close <- function(object, expected, tolerance = 1e-8, label = "value") {
  expect_gaps(stats::setNames(gap(object, expected), "it"), tolerance, label)
}

# For data with equally good columns: every column chosen must be as good as the best one, and the rest of the path that
# of the twin for these columns. twin: a function of the columns, which it takes in their order.
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

# Expects two fits to have the same path.
expect_same_path <- function(fit, other, tolerance = 1e-10, label = "path") {
  expect_identical(fit$steps$entered, other$steps$entered)
  if (identical(fit$steps$entered, other$steps$entered)) {
    names <- rownames(fit$beta)
    tables <- lapply(c("gain", "objective", "df", "loo"), function(column) {
      known <- !is.na(fit$steps[[column]])
      gap(fit$steps[[column]][known], other$steps[[column]][known])
    })
    expect_gaps(c(
      a0 = gap(fit$a0, other$a0),
      beta = gap(as.matrix(fit$beta), as.matrix(other$beta)[names, ]),
      gain = tables[[1]], objective = tables[[2]], df = tables[[3]], loo = tables[[4]]
    ), tolerance, label)
  }
}

# Expects the default model of rule "transfer" to be the mean over the twin's steps and ridges.
expect_average <- function(fit, twin, label = "") {
  average <- coef_matrix(fit)[, 1]
  expect_close(average[1], twin$average_a0, 1e-8, paste(label, "average intercept"))
  expect_close(
    average[-1] * twin$scale, twin$average * twin$scale, 1e-8, paste(label, "average")
  )
  expect_close(fit$average$df, twin$average_df, 1e-8, paste(label, "average df"))
  own <- fit$loo[fit$loo$model == "fit", ]
  expect_close(own$loo, twin$average_loo$mse, 1e-8, paste(label, "average loo"))
  margin <- twin$average_loo$score
  if (!is.null(own$loo_accuracy) && !anyNA(margin) && min(abs(margin)) > 1e-8) {
    expect_close(own$loo_accuracy, twin$average_loo$accuracy, 1e-8, paste(label, "loo accuracy"))
  }
}

# Expects the pairs of ridges that are averaged, with their criteria and weights. Pairs with the same weight may come in
# any order; a pair whose weight is a tenth of the largest, the limit, may be missing.
expect_pairs <- function(fit, pairs, label = "") {
  told <- fit$ridge[fit$ridge$weight > 0 | seq_len(nrow(fit$ridge)) == 1, ]
  close <- pairs$weight / max(pairs$weight)
  if (min(abs(close - .1)) < 1e-6) return(succeed())
  key <- function(x, h, c) paste(signif(x, 6), signif(h, 6), c)
  at <- match(key(pairs$x, pairs$h, pairs$c), key(told$alpha_features, told$alpha_sources, +told$from_mean))
  if (anyNA(at) || nrow(told) != nrow(pairs)) return(fail(paste(label, "has other pairs")))
  expect_gaps(c(
    weight = gap(told$weight[at], pairs$weight), criterion = gap(told$criterion[at], pairs$criterion)
  ), 1e-8, paste(label, "pairs"))
}
