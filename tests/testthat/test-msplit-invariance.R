# ---- what must not change when the data are written down differently

shapes <- list(tall = c(24, 9), wide = c(9, 24))

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

test_that("reml and criterion are the same in all units of the response and of the features", {
  d <- msplit_case(5, n = 40, d = 6)
  y <- as.vector(d$y)
  for (standardize in c(TRUE, FALSE)) {
    fit <- msplit(d$x, y, nu = 1, standardize = standardize)
    for (unit in c(1e-100, .01, 1e6, 1e100)) {
      other <- msplit(d$x, y * unit, nu = 1, standardize = standardize)
      expect_equal(other$steps[c("entered", "reml", "criterion")], fit$steps[c("entered", "reml", "criterion")],
                   tolerance = 1e-9)
      expect_equal(coef(other) / unit, coef(fit), tolerance = 1e-9)
    }
  }
  moved <- msplit(d$x * rep(10^(-3:2), each = 40), y, nu = 1)
  expect_equal(moved$steps[c("reml", "criterion")], msplit(d$x, y, nu = 1)$steps[c("reml", "criterion")],
               tolerance = 1e-9)
})
