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
