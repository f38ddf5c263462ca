# ---- every documented bad input and what the user is told

test_that("bad data are refused by name", {
  d <- msplit_case(1)
  spoil <- function(x, value) {
    x[3, 2] <- value
    x
  }
  pair <- d$pair
  expect_refused({
    msplit(d$x)
    msplit(spoil(d$x, NA), d$y)
    msplit(spoil(d$x, Inf), d$y)
    msplit(spoil(as(d$x, "CsparseMatrix"), NA), d$y)
    msplit(d$x[, 0], d$y)
    msplit(d$x[, c(1, 1)], d$y)
    msplit(d$x[, 1, drop = FALSE] * 0, d$y)
    msplit(d$x, d$y[-1])
    msplit(d$x, replace(d$y, 4, NA))
    msplit(d$x, rep(1, 20))
    msplit(d$x, pair[, 0])
    msplit(d$x, pair[-1, ])
    msplit(d$x, spoil(pair, NA))
    msplit(d$x, pair[, c(1, 1)])
    msplit(d$x, cbind(pair, same = 1))
    msplit(d$x, factor(rep("a", 20)))
    msplit(d$x, d$y, weights = -1)
    msplit(d$x, d$y, weights = rep(0, 20))
    msplit(d$x[1:2, ], d$y[1:2], weights = c(1, 0))
  })
})

test_that("a level without rows is dropped with a message, as everywhere in the package", {
  d <- msplit_case(1)
  empty <- factor(d$factor, levels = c("no", "yes", "maybe"))
  expect_message(fit <- plain_path(d$x, empty), "maybe")
  expect_identical(fit$classes, c("no", "yes"))
  expect_same_msplit(fit, plain_path(d$x, d$factor))
})

test_that("bad tuning values are refused by name", {
  d <- msplit_case(1)
  expect_refused({
    msplit(d$x, d$y, nu = 0)
    msplit(d$x, d$y, nu = -1)
    msplit(d$x, d$y, nu = NA)
    msplit(d$x, d$y, nu = c(1, 1))
    msplit(d$x, d$y, nu = numeric())
    msplit(d$x, d$y, nu = "small")
    msplit(d$x, d$y, method = "lars")
    msplit(d$x, d$y, loss = "absolute")
    msplit(d$x, d$y, loss = "binomial")
    msplit(d$x, d$class, loss = "binomial")
    msplit(d$x, d$factor, loss = "binomial", method = "iss")
    msplit(d$x, d$y, t_ratio = 1)
    msplit(d$x, d$y, t_ratio = NA)
    msplit(d$x, d$y, method = "lbi", nu = 2, nt = 0)
    msplit(d$x, d$y, max_steps = -1)
    msplit(d$x, d$y, max_steps = 2.5)
    msplit(d$x, d$y, choose = "aic")
    msplit(d$x, d$y, guard = NA)
    msplit(d$x, d$y, method = "lbi", nu = 2, kappa = 0)
    msplit(d$x, d$y, method = "lbi", nu = 2, alpha = -1)
    msplit(d$x, d$y, method = "lbi", nu = 2, alpha = 1)
    msplit(d$x, d$y, method = "lbi", nu = 2, start = "random")
    msplit(d$x, d$y, standardize = NA)
    msplit(d$x, d$y, intercept = "yes")
    msplit(d$x, d$y, record = -1)
    msplit(d$x, d$y, steps = 5)
    msplit(d$x, d$y, 5)
  })
})

test_that("bad formula input is refused by name", {
  d <- msplit_case(1)
  data <- data.frame(d$pair, d$x)
  expect_refused({
    msplit(~ x1 + x2, data)
    msplit(first ~ x1 + x2, data, subset = x1 > 100)
    msplit(first ~ x1 + x2, data, steps = 3)
  })
})

test_that("bad requests of a path are refused by name", {
  d <- msplit_case(1)
  fit <- msplit(d$x, d$y, nu = c(1, 10), choose = "none")
  both <- plain_path(d$x, d$pair)
  expect_refused({
    predict(fit, d$new[, 1:5])
    predict(fit, d$new, step = 999)
    predict(fit, d$new, t = -1)
    predict(fit, d$new, t = 1e9)
    predict(fit, d$new, step = 1, t = 3)
    predict(fit, d$new, nu = 3)
    predict(fit, d$new, estimator = "lasso")
    predict(fit, d$new, type = "class")
    coef(fit, step = -1)
    coef(fit, estimator = "beta")
    coef(both, response = "third")
  })
})
