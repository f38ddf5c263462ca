# ---- what must not change when the data are written down differently

shapes <- list(tall = c(24, 9), wide = c(9, 24))

test_that("the order of rows and of columns does not matter", {
  for (shape in shapes) {
    for (seed in 1:3) {
      d <- msplit_case(seed, "correlated", shape[1], shape[2])
      rows <- with_seed(seed, sample(shape[1]))
      columns <- with_seed(seed, sample(shape[2]))
      a <- plain_path(d$x, d$y, weights = d$weights)
      b <- plain_path(d$x[rows, ], d$y[rows], weights = d$weights[rows])
      expect_same_msplit(a, b)
      expect_same_msplit(a, plain_path(d$x[, columns], d$y, weights = d$weights))
    }
  }
})

test_that("the sign, the unit and the origin of a feature do not matter", {
  for (shape in shapes) {
    d <- msplit_case(4, "random", shape[1], shape[2])
    unit <- rep_len(c(1000, -1, 1, 1e-3, -50), shape[2])
    other <- d$x * rep(unit, each = shape[1]) + 3
    a <- plain_path(d$x, d$y)
    b <- plain_path(other, d$y)
    expect_identical(a$steps$entered, b$steps$entered)
    expect_close(a$points$t, b$points$t)
    for (estimator in c("dense", "gamma")) {
      steps <- a$points$step
      one <- as.matrix(coef(a, step = steps, estimator = estimator))[-1, ]
      two <- as.matrix(coef(b, step = steps, estimator = estimator))[-1, ]
      expect_close(one, two * unit)
    }
    expect_equal(predict(a, d$x, step = 3), predict(b, other, step = 3))
  }
})

test_that("the response's sign, unit and origin pass through", {
  for (shape in shapes) {
    d <- msplit_case(5, "random", shape[1], shape[2])
    a <- plain_path(d$x, d$y)
    b <- plain_path(d$x, 1e4 - 1000 * d$y)
    expect_identical(a$steps$entered, b$steps$entered)
    # Z grows with the response: times shrink by its unit
    expect_close(a$points$t, 1000 * b$points$t)
    steps <- a$points$step
    expect_close(
      as.matrix(coef(a, step = steps))[-1, ], as.matrix(coef(b, step = steps))[-1, ] / -1000
    )
    expect_close(a$steps$df, b$steps$df)
    expect_lt(na_gap(a$steps$loo, b$steps$loo / 1e6), 1e-7)
  }
})

test_that("the choice does not depend on how the data are written down", {
  d <- msplit_case(6, "correlated", 30, 9)
  a <- msplit(d$x, d$y, guard = FALSE)
  columns <- with_seed(1, sample(9))
  b <- msplit(1 - 2 * d$x[, columns], 3 + 10 * d$y, guard = FALSE)
  expect_identical(a$best, b$best)
  expect_equal(predict(a, d$x), (predict(b, 1 - 2 * d$x[, columns]) - 3) / 10)
})

test_that("only ratios of weights matter, and a row of weight zero is not there", {
  d <- msplit_case(7)
  a <- plain_path(d$x, d$y, weights = d$weights)
  expect_same_msplit(a, plain_path(d$x, d$y, weights = 7 * d$weights))
  expect_same_msplit(plain_path(d$x, d$y), plain_path(d$x, d$y, weights = rep(2, 20)))
  out <- replace(d$weights, 3, 0)
  expect_same_msplit(
    plain_path(d$x, d$y, weights = out),
    plain_path(d$x[-3, ], d$y[-3], weights = d$weights[-3])
  )
})

test_that("rows written twice give the same path", {
  d <- msplit_case(8)
  a <- plain_path(d$x, d$y)
  b <- plain_path(rbind(d$x, d$x), c(d$y, d$y))
  expect_close(a$points$t, b$points$t)
  expect_identical(a$steps$entered, b$steps$entered)
  steps <- a$points$step
  expect_close(as.matrix(coef(a, step = steps)), as.matrix(coef(b, step = steps)))
  weights <- rep(1:2, 10)
  twice <- rep(1:20, weights)
  c <- plain_path(d$x, d$y, weights = weights)
  e <- plain_path(d$x[twice, ], d$y[twice])
  expect_close(c$points$t, e$points$t)
  expect_close(as.matrix(coef(c, step = steps[1:4])), as.matrix(coef(e, step = steps[1:4])))
})

test_that("constant columns change nothing", {
  for (shape in shapes) {
    d <- msplit_case(9, "random", shape[1], shape[2])
    a <- plain_path(d$x, d$y)
    b <- plain_path(cbind(k = 1, d$x, l = -3), d$y)
    expect_identical(a$steps$entered, b$steps$entered)
    expect_lt(na_gap(a$steps$loo, b$steps$loo), 1e-7)
    beta <- as.matrix(coef(b, step = b$points$step))
    expect_true(all(beta[c("k", "l"), ] == 0))
    expect_close(beta[rownames(beta) %in% colnames(d$x), ], as.matrix(
      coef(a, step = a$points$step)
    )[-1, ])
  }
})

test_that("the order of classes and of responses does not matter", {
  d <- msplit_case(10, n = 24)
  a <- plain_path(d$x, d$class)
  b <- plain_path(d$x, factor(d$class, levels = c("high", "low", "mid")))
  t <- a$points$t[c(1, 4)]
  for (at in t) {
    scores <- predict(a, d$new, t = at, type = "link")
    other <- predict(b, d$new, t = at, type = "link")
    expect_close(scores, other[, colnames(scores)])
  }
  a <- plain_path(d$x, d$pair)
  b <- plain_path(d$x, d$pair[, 2:1])
  expect_close(
    predict(a, d$new, t = a$points$t[3]), predict(b, d$new, t = a$points$t[3])[, 2:1]
  )
})
