# Data of several classes, and the comparison of shareboost() with its naive twin.

# Classes of different sizes that overlap; x1 and x2 tell them apart.
draw_classes <- function(seed, k = 3, kind = "random", n = 25 * k, p = 7) {
  with_seed(seed, {
    x <- draw_features(kind, n, p)
    standard <- scale(x)
    standard[is.na(standard)] <- 0
    effects <- matrix(rnorm(k * p), k) * rep(c(2, 1.5, rep(.3, p - 2)), each = k)
    scores <- standard %*% t(effects) + rnorm(n * k)
    class <- max.col(scores + rep(rnorm(k) / 3, each = n), "first")
    class[sample(n, 2 * k)] <- rep(seq_len(k), 2)
    names <- if (k <= 26) letters[seq_len(k)] else sprintf("c%02d", seq_len(k))
    list(
      x = x, y = factor(names[class], levels = names),
      weights = sample(1:4, n, replace = TRUE) / 3,
      new = named_columns(rnorm(9 * p), 9, "x")
    )
  })
}

# shareboost() and the twin on the same data with the same settings. The tolerance is about that of rounding, so that
# coefficients can be compared.
shareboost_pair <- function(d, max_steps = 4, ..., ridge = 1e-4, tol = 1e-11) {
  list(
    fit = flat(shareboost)(d$x, d$y, max_steps = max_steps, ridge = ridge, ..., tol = tol),
    twin = naive_shareboost(d$x, d$y, max_steps = max_steps, ridge = ridge, ...)
  )
}

# The coefficients of step s, classes x columns, and the intercepts, less their means over classes, on which no
# prediction depends.
shareboost_weights <- function(fit, s) {
  betas <- if (is.list(fit$beta)) fit$beta else list(-fit$beta / 2, fit$beta / 2)
  a0 <- if (is.list(fit$a0)) fit$a0 else list(-fit$a0 / 2, fit$a0 / 2)
  centred_weights(
    vapply(betas, function(b) as.vector(b[, s + 1]), numeric(nrow(betas[[1]]))),
    vapply(a0, `[`, 0, s + 1)
  )
}

centred_weights <- function(beta, a0) {
  beta <- matrix(beta, ncol = length(a0))
  list(beta = beta - rowMeans(beta), a0 = unname(a0 - mean(a0)))
}

expect_shareboost_twin <- function(pair, tolerance = 1e-7, label = "", weights = TRUE) {
  fit <- pair$fit
  twin <- pair$twin
  steps <- fit$steps
  if (!identical(entered(fit), as.character(twin$names[twin$order]))) {
    return(fail(paste(
      label, "entered", paste(entered(fit), collapse = " "), "but the twin says",
      paste(twin$names[twin$order], collapse = " ")
    )))
  }
  gaps <- c(
    loss = gap(steps$loss, twin$loss), error = gap(steps$error, twin$error),
    gradient = gap(steps$gradient[-1], twin$norm), score = gap(steps$score[-1], twin$score),
    size = gap(steps$size, twin$size)
  )
  if (weights) {
    last <- max(steps$step)
    for (s in unique(c(0, 1, last))) {
      mine <- shareboost_weights(fit, s)
      other <- centred_weights(twin$rounds[[s + 1]]$beta, twin$rounds[[s + 1]]$a0)
      gaps[paste("beta of step", s)] <- gap(mine$beta * twin$scale, other$beta * twin$scale)
      gaps[paste("a0 of step", s)] <- gap(mine$a0, other$a0)
    }
  }
  expect_gaps(gaps, tolerance, label)
}

# Expects two fits to have the same path; columns and classes: their names in `other`.
expect_same_shareboost <- function(fit, other, tolerance = 1e-7, label = "path",
                                   classes = fit$classes) {
  expect_identical(entered(fit), entered(other))
  if (!identical(entered(fit), entered(other))) return(invisible())
  numbers <- c("loss", "error", "gradient")
  gaps <- vapply(numbers, function(column) {
    gap(fit$steps[[column]][-1], other$steps[[column]][-1])
  }, 0)
  order <- match(classes, other$classes)
  rows <- rownames(if (is.list(fit$beta)) fit$beta[[1]] else fit$beta)
  other_rows <- rownames(if (is.list(other$beta)) other$beta[[1]] else other$beta)
  last <- max(fit$steps$step)
  mine <- shareboost_weights(fit, last)
  theirs <- shareboost_weights(other, last)
  moved <- if (is.null(rows)) seq_len(nrow(theirs$beta)) else match(rows, other_rows)
  gaps["beta"] <- gap(mine$beta, theirs$beta[moved, order, drop = FALSE])
  gaps["a0"] <- gap(mine$a0, theirs$a0[order])
  expect_gaps(gaps, tolerance, label)
}

mlbench_case <- function(name, response) {
  skip_if_not_installed("mlbench")
  store <- new.env()
  utils::data(list = name, package = "mlbench", envir = store)
  data <- store[[name]]
  list(x = as.matrix(data[names(data) != response]), y = data[[response]])
}

iris_case <- function() {
  list(x = as.matrix(datasets::iris[1:4]), y = datasets::iris$Species)
}

# Expects the figures of an independent program: numbers of columns, and losses to their last printed digit.
expect_figures <- function(fit, case, order, loss) {
  expect_identical(entered(fit), colnames(case$x)[order])
  expect_lt(max(abs(utils::tail(fit$steps$loss, length(loss)) - loss)), 5.1e-7)
}

shareboost_rules <- c("orthogonal", "gradient", "line", "column", "full")
