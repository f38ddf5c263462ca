# ---- the choice of nu and of a step without the truth

nu_grid <- 10^seq(-1, 2.5, .5)

# Dense coefficients on the scaled columns at a row of naive_choice()'s table.
chosen_dense <- function(rows, choice) {
  events <- naive_iss(rows$x, rows$y, choice$nu, 30)
  P <- if (choice$step) which(events[[choice$step]]$gamma != 0) else integer()
  drop(naive_dense(rows$x, rows$y, P, choice$nu))
}

test_that("the default is the least n log LOO + |P| log n within the cap", {
  for (seed in 1:8) {
    kind <- c("random", "correlated")[seed %% 2 + 1]
    d <- msplit_case(seed, kind, n = if (seed %% 4) 30 else 14, d = if (seed %% 3) 9 else 22)
    rows <- naive_rows(d$x, d$y)
    table <- naive_choice(rows, nu_grid)
    choice <- table[which.min(table$criterion), ]
    fit <- msplit(d$x, d$y, guard = FALSE)
    label <- paste(kind, seed)
    expect_close(coef(fit)[-1] * rows$scale, chosen_dense(rows, choice), label = label)
    expect_equal(fit$best, choice$step, label = label)
    expect_close(min(fit$steps$criterion, na.rm = TRUE), choice$criterion, label = label)
    expect_lte(length(variable.names(fit)), nrow(d$x) / (2 * log(nrow(d$x))))
    expect_equal(predict(fit, d$new), predict(fit, d$new, step = fit$best, nu = choice$nu))
  }
})

test_that("the criterion is that of the twin at every step it may choose", {
  d <- msplit_case(2, n = 40, d = 8)
  rows <- naive_rows(d$x, d$y)
  table <- naive_choice(rows, c(1, 10))
  fit <- msplit(d$x, d$y, nu = c(1, 10), guard = FALSE)
  expect_close(fit$points$t, table$t)
  within <- !is.na(table$criterion)
  expect_close(fit$steps$criterion[within], table$criterion[within])
})

# The paper's design: five strong signals, 35 weak ones, 40 without effect.
paper_case <- function(seed, n = 100, correlation = .4) {
  with_seed(seed, {
    beta <- rep(c(2, .2, 0), c(5, 35, 40))
    draw <- function(n) {
      sqrt(correlation) * rnorm(n) + sqrt(1 - correlation) * matrix(rnorm(80 * n), n)
    }
    x <- draw(n)
    new <- draw(500)
    colnames(x) <- colnames(new) <- paste0("x", 1:80)
    list(x = x, y = drop(x %*% beta) + rnorm(n) / 2, new = new, truth = drop(new %*% beta))
  })
}

test_that("strong and weak signals: the guard keeps the support, and it helps", {
  d <- paper_case(1)
  fit <- with_seed(1, msplit(d$x, d$y))
  expect_true(all(paste0("x", 1:5) %in% variable.names(fit)))
  ridge <- msplit(d$x, d$y, max_steps = 0)
  error <- function(fit) mean((predict(fit, d$new) - d$truth)^2)
  expect_lt(error(fit), .7 * error(ridge))
})

test_that("the guard keeps a support that gains more than a standard error over ridge", {
  verdicts <- vapply(c(1, 2, 6, 9, 17), function(seed) {
    x <- with_seed(seed, matrix(rnorm(1200), 60))
    y <- with_seed(seed + 100, drop(x %*% rep(c(2, .1, 0), c(4, 8, 8))) + rnorm(60))
    fold <- replace(integer(60), order(y), rep_len(1:5, 60))
    gain <- numeric(60)
    variance <- mean((y - mean(y))^2)
    for (k in 1:5) {
      held <- fold == k
      error <- function(...) {
        fit <- msplit(x[!held, ], y[!held], guard = FALSE, ...)
        (y[held] - predict(fit, x[held, ]))^2 / variance
      }
      gain[held] <- error(max_steps = 0) - error()
    }
    fit <- msplit(x, y)
    se <- sd(gain) / sqrt(60)
    expect_equal(fit$guard$gain, mean(gain))
    expect_equal(fit$guard$se, se)
    expect_identical(fit$best > 0, mean(gain) > se)
    if (mean(gain) > se) "kept" else if (mean(gain) > 0) "too little" else "worse"
  }, "")
  expect_setequal(verdicts, c("kept", "too little", "worse"))
})

test_that("without strong signals the guard returns to ridge", {
  d <- paper_case(2, n = 60)
  y <- with_seed(2, drop(d$x %*% rnorm(80)) + 5 * rnorm(60))
  rows <- naive_rows(d$x, y)
  loo <- vapply(nu_grid, function(nu) naive_support(rows, integer(), nu, FALSE)$loo, 0)
  fit <- with_seed(1, msplit(d$x, y))
  expect_equal(fit$best, 0)
  expect_length(variable.names(fit), 0)
  ridge <- naive_dense(rows$x, rows$y, integer(), nu_grid[which.min(loo)])
  expect_close(coef(fit)[-1] * rows$scale, ridge)
})

test_that("a factor is predicted at t = 0 with the nu of the least leave-one-out error", {
  d <- msplit_case(3, n = 24)
  shot <- diag(3)[as.integer(d$class), ]
  rows <- naive_rows(d$x, shot)
  loo <- vapply(nu_grid, function(nu) {
    mean(vapply(1:3, function(k) {
      rows$y <- rows$y[, k, drop = FALSE]
      naive_support(rows, integer(), nu, FALSE)$loo
    }, 0))
  }, 0)
  fit <- msplit(d$x, d$class)
  expect_equal(fit$best, 0)
  B <- naive_dense(rows$x, rows$y, integer(), nu_grid[which.min(loo)])
  for (k in 1:3) {
    expect_close(coef(fit, class = levels(d$class)[k])[-1] * rows$scale, B[, k])
  }
})

test_that("the order of the responses changes neither the choice nor the guard", {
  for (seed in 1:3) {
    d <- msplit_case(seed, n = 24)
    one <- msplit(d$x, d$pair)
    other <- msplit(d$x, d$pair[, 2:1])
    expect_equal(one$guard, other$guard)
    expect_identical(one[c("best", "best_lambda")], other[c("best", "best_lambda")])
  }
})

test_that("very large and very small weights and responses are those of ordinary size", {
  d <- msplit_case(5)
  fit <- msplit(d$x, d$y, weights = d$weights)
  for (scale in c(1e-307, 1e307)) {
    expect_equal(coef(msplit(d$x, d$y, weights = d$weights * scale)), coef(fit))
  }
  for (scale in c(1e-100, 1e100)) {
    other <- msplit(d$x, d$y * scale, weights = d$weights)
    expect_equal(coef(other) / scale, coef(fit))
    expect_equal(c(other$best, other$best_lambda), c(fit$best, fit$best_lambda))
  }
})

test_that("a response without a name gets one", {
  d <- msplit_case(1)
  pair <- d$pair
  colnames(pair) <- c("first", "")
  expect_named(coef(plain_path(d$x, pair)), c("first", "y2"))
  colnames(pair) <- c("y2", NA)
  expect_identical(plain_path(d$x, pair)$responses, c("y2", "y2.1"))
  data <- data.frame(y2 = d$pair[, 1], other = d$pair[, 2], d$x)
  unnamed <- msplit(cbind(y2, other + 0) ~ x1 + x2 + x3, data, nu = 1)
  named <- msplit(cbind(y2, other) ~ x1 + x2 + x3, data, nu = 1)
  expect_identical(unnamed$responses, c("y2", "y2.1"))
  expect_equal(predict(unnamed, data), predict(named, data), ignore_attr = TRUE)
  both <- msplit(cbind(y2 + 0, other + 0) ~ x1 + x2 + x3, data, nu = 1)
  expect_identical(both$responses, c("y1", "y2"))
})

test_that("tied responses: neither the order of the rows nor units of columns decide", {
  for (seed in c(7, 30, 48, 57)) {
    d <- with_seed(seed, {
      x <- matrix(rnorm(480), 60)
      list(x = x, y = round(x[, 1] * .6 + x[, 2] * .3 + rnorm(60)), order = sample(60))
    })
    fit <- msplit(d$x, d$y)
    for (other in list(msplit(d$x[d$order, ], d$y[d$order]),
                       msplit(d$x %*% diag(c(-1, 1000, rep(1, 6))), d$y))) {
      expect_identical(other[c("best", "best_lambda")], fit[c("best", "best_lambda")])
      expect_equal(other$guard, fit$guard, tolerance = 1e-6)
    }
  }
})

test_that("the guard's verdict has no unit", {
  d <- paper_case(1)
  fit <- msplit(d$x, d$y)
  for (scale in c(1e-90, 1e90)) {
    other <- msplit(d$x, d$y * scale)
    expect_identical(other$best, fit$best)
    expect_equal(other$guard, fit$guard)
  }
})

test_that("a response that nothing enters for is named", {
  x <- as.matrix(mtcars[c("wt", "hp", "disp", "drat")])
  y <- cbind(mpg = mtcars$mpg, qsec = mtcars$qsec * 1000)
  expect_message(msplit(x, y, nu = 5, choose = "none"), "mpg")
  expect_silent(msplit(x, scale(y), nu = 5, choose = "none"))
  expect_silent(msplit(x, y, nu = 5, choose = "none", max_steps = 0))
})
