# The ridge that shareboost() chooses where none is given.

# Written from the help, by fits and predictions: errors at each ridge in the rows that three folds leave out.
naive_ridge_weights <- function(x, y, weights = rep(1, length(y)), max_steps) {
  first <- shareboost(x, y, weights = weights, ridge = 1e-4, max_steps = max_steps)
  score <- predict(first, x, type = "score")
  lead <- vapply(seq_along(y), function(i) score[i, y[i]] - max(score[i, -as.integer(y)[i]]), 0)
  fold <- integer(length(y))
  for (class in levels(y)) {
    turn <- -1
    distinct <- sort(unique(signif(lead[y == class], 6)))
    for (value in distinct) {
      turn <- turn + 1
      if (length(distinct) > 1) fold[y == class & signif(lead, 6) == value] <- turn %% 3 + 1
    }
  }
  wrong <- matrix(NA, length(y), 4)
  for (r in 1:4) {
    for (f in 1:3) {
      out <- fold == f
      fit <- shareboost(x[!out, ], y[!out], weights = weights[!out], ridge = 10^(r - 5), max_steps = min(max_steps, 20),
                        control = shareboost_control(tol = 1e-4))
      steps <- unique(pmin(c(3, 5, 10, 20), max(fit$steps$step)))
      wrong[out, r] <- rowMeans(vapply(steps, function(s) predict(fit, x[out, ], step = s) != y[out], NA[rep(1, sum(out))]))
    }
  }
  wrong <- wrong[fold > 0, ]
  w <- weights[fold > 0] / sum(weights[fold > 0])
  error <- colSums(w * wrong)
  z <- function(tried) {
    best <- which.min(error[tried])
    vapply(tried, function(r) {
      gap <- wrong[, r] - wrong[, best]
      if (error[r] <= error[best]) 0 else (error[r] - error[best]) / sqrt(sum(w^2 * (gap - sum(w * gap))^2))
    }, 0)
  }
  last <- 4
  for (r in 4:1) if (z(seq_len(r))[r] > 2) last <- r
  weight <- c(exp(-z(seq_len(last))^2), rep(0, 4 - last))
  data.frame(ridge = 10^(-4:-1), error = ifelse(seq_len(4) > last, NA, error), weight = weight / sum(weight))
}

test_that("the ridge is the mean of four, weighed by their errors in three folds", {
  chosen <- numeric()
  tried <- numeric()
  for (seed in 1:6) {
    d <- draw_classes(seed, 2 + seed %% 2, n = 40, p = 60)
    d$y[seed] <- d$y[seed + 1] # classes of other sizes
    fit <- suppressMessages(shareboost(d$x, d$y, max_steps = 12))
    expect_equal(fit$ridge, suppressMessages(naive_ridge_weights(d$x, d$y, max_steps = 12)))
    expect_identical(fit$settings$ridge, signif(prod(fit$ridge$ridge^fit$ridge$weight), 2))
    given <- suppressMessages(shareboost(d$x, d$y, max_steps = 12, ridge = fit$settings$ridge))
    expect_identical(fit$beta, given$beta)
    chosen <- c(chosen, fit$settings$ridge)
    tried <- c(tried, sum(!is.na(fit$ridge$error)))
  }
  expect_gt(length(unique(chosen)), 3)
  expect_gt(length(unique(tried)), 1)
  w <- rep_len(c(1, 3, 2), 40)
  fit <- suppressMessages(shareboost(d$x, d$y, max_steps = 12, weights = w))
  expect_equal(fit$ridge, suppressMessages(naive_ridge_weights(d$x, d$y, w, max_steps = 12)))
  one <- factor(replace(as.character(d$y), 3, "z")) # no fold can leave the only row of a class out
  fit <- suppressMessages(shareboost(d$x, one, max_steps = 12))
  expect_equal(fit$ridge, suppressMessages(naive_ridge_weights(d$x, one, max_steps = 12)))
})

test_that("the choice depends on neither the order of rows nor random numbers, and leaves the latter alone", {
  d <- draw_classes(5, 3, n = 60, p = 40)
  set.seed(1)
  before <- .Random.seed
  fit <- suppressMessages(shareboost(d$x, d$y))
  expect_identical(.Random.seed, before)
  turned <- suppressMessages(shareboost(d$x[60:1, ], d$y[60:1]))
  expect_equal(turned$ridge, fit$ridge)
  sparse <- suppressMessages(shareboost(as(d$x, "CsparseMatrix"), d$y))
  expect_equal(sparse$ridge, fit$ridge)
  expect_output(print(fit), paste0("Ridge: ", fit$settings$ridge, ", by the errors in three folds"))
})

test_that("factors, groups, stumps and products have a ridge chosen, others 1e-4", {
  d <- draw_classes(6, 3, n = 60)
  frame <- data.frame(y = d$y, d$x, f = gl(4, 15))
  for (fit in list(suppressMessages(shareboost(y ~ ., frame)),
                   suppressMessages(shareboost(stumps(d$x), d$y, max_steps = 9)),
                   suppressMessages(shareboost(products(d$x), d$y)),
                   suppressMessages(shareboost(d$x, d$y, groups = c(1, 1, 2, 2, 3, 3, 4))))) {
    expect_equal(sum(fit$ridge$weight), 1)
    expect_gte(fit$settings$ridge, 1e-4)
    expect_lte(fit$settings$ridge, .1)
  }
  for (more in list(list(rule = "gradient"), list(penalty = "l1"), list(candidates = 3), list(max_steps = 0))) {
    fit <- suppressMessages(do.call(flat(shareboost), c(list(d$x, d$y), more)))
    expect_null(fit$ridge)
    expect_identical(fit$settings$ridge, 1e-4)
  }
  d <- draw_classes(7, 3, n = 500)
  expect_null(shareboost(d$x, d$y)$ridge) # enough rows
  expect_length(shareboost(d$x[-1, ], d$y[-1])$ridge$error, 4)
})
