# The ridge that shareboost() chooses where none is given.

# Written from the help, by fits and predictions: errors at each ridge in the rows that two folds leave out.
naive_ridge_errors <- function(x, y, weights = rep(1, length(y)), ...) {
  first <- shareboost(x, y, weights = weights, ridge = 1e-4, ...)
  score <- predict(first, x, type = "score")
  lead <- vapply(seq_along(y), function(i) score[i, y[i]] - max(score[i, -as.integer(y)[i]]), 0)
  fold <- integer(length(y))
  total <- 0
  for (class in levels(y)) {
    turn <- -1
    distinct <- sort(unique(signif(lead[y == class], 6)))
    for (value in distinct) {
      turn <- turn + 1
      total <- total + 1
      if (length(distinct) > 1) fold[y == class & signif(lead, 6) == value] <- turn %% 2 + 1
    }
  }
  error <- c(0, 0, 0)
  for (f in 1:2) {
    for (r in 1:3) {
      inside <- fold != f
      fit <- shareboost(x[inside, ], y[inside], weights = weights[inside], ridge = 10^(r - 5),
                        control = shareboost_control(tol = 1e-2), ...)
      last <- nrow(fit$steps)
      steps <- unique(round(seq(ceiling(last / 2), last, length.out = 8))) - 1
      wrong <- vapply(steps, function(s) sum(weights[!inside][predict(fit, x[!inside, ], step = s) != y[!inside]]), 0)
      error[r] <- error[r] + mean(wrong)
    }
  }
  error <- error / sum(weights[fold > 0])
  if (error[2] > error[1]) error[3] <- NA
  best <- which.min(error)
  if (error[1] - error[best] <= sqrt(error[1] * (1 - error[1]) / total)) best <- 1
  data.frame(ridge = c(1e-4, 1e-3, 1e-2), error = error, chosen = 1:3 == best)
}

test_that("the ridge is that of clearly least error in two folds", {
  chosen <- numeric()
  for (seed in 1:4) {
    d <- draw_classes(seed, 2 + seed %% 2, n = 40, p = 60)
    d$y[seed] <- d$y[seed + 1] # classes of other sizes
    fit <- suppressMessages(shareboost(d$x, d$y, max_steps = 12, ridge = NULL))
    expect_equal(fit$ridge, suppressMessages(naive_ridge_errors(d$x, d$y, max_steps = 12)))
    expect_identical(fit$settings$ridge, fit$ridge$ridge[fit$ridge$chosen])
    given <- suppressMessages(shareboost(d$x, d$y, max_steps = 12, ridge = fit$settings$ridge))
    expect_identical(fit$beta, given$beta)
    chosen <- c(chosen, fit$settings$ridge)
  }
  expect_gt(length(unique(chosen)), 1)
  w <- rep_len(c(1, 3, 2), 40)
  fit <- suppressMessages(shareboost(d$x, d$y, max_steps = 12, weights = w, ridge = NULL))
  expect_equal(fit$ridge, suppressMessages(naive_ridge_errors(d$x, d$y, w, max_steps = 12)))
  one <- factor(replace(as.character(d$y), 3, "z")) # no fold can leave the only row of a class out
  fit <- suppressMessages(shareboost(d$x, one, max_steps = 12, ridge = NULL))
  expect_equal(fit$ridge, suppressMessages(naive_ridge_errors(d$x, one, max_steps = 12)))
})

test_that("the choice depends on neither the order of rows nor random numbers, and leaves the latter alone", {
  d <- draw_classes(5, 3, n = 60, p = 40)
  set.seed(1)
  before <- .Random.seed
  fit <- suppressMessages(shareboost(d$x, d$y, ridge = NULL))
  expect_identical(.Random.seed, before)
  turned <- suppressMessages(shareboost(d$x[60:1, ], d$y[60:1], ridge = NULL))
  expect_equal(turned$ridge, fit$ridge)
  sparse <- suppressMessages(shareboost(as(d$x, "CsparseMatrix"), d$y, ridge = NULL))
  expect_equal(sparse$ridge, fit$ridge)
  expect_output(print(fit), paste0("Ridge: ", fit$settings$ridge, "; errors in two folds"))
})

test_that("factors, groups, stumps and products have a ridge chosen, others 1e-4", {
  d <- draw_classes(6, 3, n = 60)
  frame <- data.frame(y = d$y, d$x, f = gl(4, 15))
  for (fit in list(suppressMessages(shareboost(y ~ ., frame, ridge = NULL)),
                   suppressMessages(shareboost(stumps(d$x), d$y, max_steps = 9, ridge = NULL)),
                   suppressMessages(shareboost(products(d$x), d$y, ridge = NULL)),
                   suppressMessages(shareboost(d$x, d$y, groups = c(1, 1, 2, 2, 3, 3, 4), ridge = NULL)))) {
    expect_true(all(is.finite(fit$ridge$error[1:2])) || is.null(fit$ridge))
    expect_true(fit$settings$ridge %in% c(1e-4, 1e-3, 1e-2))
  }
  for (more in list(list(rule = "gradient"), list(penalty = "l1"), list(candidates = 3), list(max_steps = 0))) {
    fit <- suppressMessages(do.call(flat(shareboost), c(list(d$x, d$y, ridge = NULL), more)))
    expect_null(fit$ridge)
    expect_identical(fit$settings$ridge, 1e-4)
  }
  d <- draw_classes(7, 3, n = 500)
  expect_null(shareboost(d$x, d$y, ridge = NULL)$ridge) # enough rows
  expect_length(shareboost(d$x[-1, ], d$y[-1], ridge = NULL)$ridge$error, 3)
})
