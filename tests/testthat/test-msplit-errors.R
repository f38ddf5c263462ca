# ---- every documented bad input and what the user is told

test_that("bad data are refused by name", {
  d <- msplit_case(1)
  spoil <- function(x, value) {
    x[3, 2] <- value
    x
  }
  pair <- d$pair
  expect_refused(
    msplit(d$x), "y: `y`",
    msplit(spoil(d$x, NA), d$y), 'x: "x2" `x` 1',
    msplit(spoil(d$x, Inf), d$y), 'x: "x2" `x` 1',
    msplit(spoil(as(d$x, "CsparseMatrix"), NA), d$y), 'x: "x2" `x` 1',
    msplit(d$x[, 0], d$y), "x: `x`",
    msplit(d$x[, c(1, 1)], d$y), 'x: `x` "x1"',
    msplit(d$x[, 1, drop = FALSE] * 0, d$y), "x: `x`",
    msplit(d$x, d$y[-1]), "y: `y` 19 `x` 20",
    msplit(d$x, replace(d$y, 4, NA)), "y: `y` 1",
    msplit(d$x, rep(1, 20)), "y: `y` 1",
    msplit(d$x, pair[, 0]), "y: `y` 0",
    msplit(d$x, pair[-1, ]), "y: `y` 19 `x` 20",
    msplit(d$x, spoil(pair, NA)), 'y: `y` "second"',
    msplit(d$x, pair[, c(1, 1)]), 'y: `y` "first"',
    msplit(d$x, cbind(pair, same = 1)), 'y: `y` "same"',
    msplit(d$x, cbind(pair[, 1], 1)), 'y: `y` "y2"',
    msplit(d$x, d$y * 1e155), "y: `y`",
    msplit(d$x, d$y * 1e-200), "y: `y`",
    msplit(d$x, cbind(pair, tiny = d$y * 1e-200)), 'y: `y` "tiny"',
    msplit(d$x, factor(rep("a", 20))), 'y: `y` "a"',
    msplit(d$x, d$y, weights = -1), "weights: `weights` 1",
    msplit(d$x, d$y, weights = rep(0, 20)), "weights: `weights`",
    msplit(d$x[1:2, ], d$y[1:2], weights = c(1, 0)), "y: `y`"
  )
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
  expect_refused(
    msplit(d$x, d$y, nu = 0), "nu: `nu` 0",
    msplit(d$x, d$y, nu = -1), "nu: `nu` -1",
    msplit(d$x, d$y, nu = NA), "nu: `nu`",
    msplit(d$x, d$y, nu = c(1, 1)), "nu: `nu` 1",
    msplit(d$x, d$y, nu = numeric()), "nu: `nu`",
    msplit(d$x, d$y, nu = "small"), 'nu: `nu` "small"',
    msplit(d$x, d$y, method = "lars"), 'method: `method` "lars"',
    msplit(d$x, d$y, loss = "absolute"), 'loss: `loss` "absolute"',
    msplit(d$x, d$y, loss = "binomial"), 'loss: `loss` "binomial"',
    msplit(d$x, d$class, loss = "binomial"), 'loss: `loss` "binomial"',
    msplit(d$x, d$factor, loss = "binomial", method = "iss"), 'method: `method` "iss" `loss` "binomial"',
    msplit(d$x, d$y, control = msplit_control(t_ratio = 1)), "t_ratio: `t_ratio` 1",
    msplit(d$x, d$y, control = msplit_control(t_ratio = NA)), "t_ratio: `t_ratio`",
    msplit(d$x, d$y, method = "lbi", nu = 2, control = msplit_control(nt = 0)), "nt: `nt` 0",
    msplit(d$x, d$y, max_steps = -1), "max_steps: `max_steps` -1",
    msplit(d$x, d$y, max_steps = 2.5), "max_steps: `max_steps` 2.5",
    msplit(d$x, d$y, choose = "aic"), 'choose: `choose` "aic"',
    msplit(d$x, d$y, method = "lbi", nu = 2, control = msplit_control(kappa = 0)), "kappa: `kappa` 0",
    msplit(d$x, d$y, method = "lbi", nu = 2, control = msplit_control(alpha = -1)), "alpha: `alpha` -1",
    msplit(d$x, d$y, method = "lbi", nu = 2, control = msplit_control(alpha = 1)), "alpha: `alpha` 1 2",
    msplit(d$x, d$y, method = "lbi", nu = 2, control = msplit_control(start = "random")), 'start: `start` "random"',
    msplit(d$x, d$y, standardize = NA), "standardize: `standardize`",
    msplit(d$x, d$y, intercept = "yes"), 'intercept: `intercept` "yes"',
    msplit(d$x, d$y, control = msplit_control(record = -1)), "record: `record` -1",
    msplit(d$x, d$y, control = msplit_control(record = 1e12)), "record: `record` 1e+12",
    msplit(d$x, d$y, control = msplit_control(nt = 1e10)), "nt: `nt` 1e+10",
    msplit(d$x, d$y, max_steps = 1e12), "max_steps: `max_steps` 1e+12",
    msplit(d$x, d$y, method = "lbi", choose = "evidence"), 'choose: `choose` "evidence" `method` "lbi"',
    msplit(d$x, d$y, method = "lbi", nu = 2, control = msplit_control(kappa = 1e-20)), "kappa: `kappa` 1e-20",
    msplit(d$x, d$y, method = "lbi", nu = 2, control = msplit_control(t_ratio = 1e300)), "t_ratio: `t_ratio` 1e+300",
    msplit(d$x, d$y, method = "lbi", nu = 1e7), "nu: `nu` 1e+07 1.5e+10",
    msplit(d$x, d$y, method = "lbi", nu = 1e-7), "nu: `nu` 1e-07 1.4e+10",
    msplit(d$x, d$y, method = "lbi", nu = 1e7, control = msplit_control(start = "zero")), "nu: `nu` 1e+07 1.5e+10",
    msplit(d$x, d$y, max_steps = 2e7), "max_steps: `max_steps` 2e+07",
    msplit(d$x, d$y, steps = 5), "argument: `steps`",
    msplit(d$x, d$y, 5), "argument: `5`"
  )
})

test_that("bad formula input is refused by name", {
  d <- msplit_case(1)
  data <- data.frame(d$pair, d$x)
  expect_refused(
    msplit(~ x1 + x2, data), "formula: `formula`",
    msplit(first ~ x1 + x2, data, subset = x1 > 100), "x: 0",
    msplit(first ~ x1 + x2, data, steps = 3), "argument: `steps`"
  )
})

test_that("bad requests of a path are refused by name", {
  d <- msplit_case(1)
  fit <- msplit(d$x, d$y, nu = c(1, 10), choose = "none")
  both <- plain_path(d$x, d$pair)
  classes <- plain_path(d$x, d$class)
  thin <- plain_path(d$x, d$y, record = c(0, 2, 5))
  expect_refused(
    predict(fit, d$new[, 1:5]), 'newdata: `newdata` 3 "x6" "x7" "x8"',
    predict(fit, d$new, step = 999), "step: `step` 999",
    predict(fit, d$new, t = -1), "t: `t` -1",
    predict(fit, d$new, t = 1e9), "t: `t` 1e+09",
    predict(fit, d$new, step = 1, t = 3), "t: `step` `t`",
    predict(fit, d$new, nu = 3), "nu: `nu` 3",
    predict(fit, d$new, estimator = "lasso"), 'estimator: `estimator` "lasso"',
    predict(fit, d$new, type = "class"), 'type: `type` "class"',
    coef(fit, step = -1), "step: `step` -1",
    coef(fit, estimator = "beta"), 'estimator: `estimator` "beta"',
    coef(both, response = "third"), 'response: `response` "third"',
    coef(fit, response = "third"), 'response: `response` "third"',
    coef(classes, class = "third"), 'class: `class` "third"',
    plot(both, response = "third"), 'response: `response` "third"',
    deviance(both), "y:",
    logLik(classes), "family:",
    sigma(classes), "loss:",
    coef(thin, step = 3), "step: `step` 3",
    predict(thin, d$new, t = thin$steps$t[4]), "t: `t`",
    signals(thin, step = 3), "step: `step` 3",
    summary(thin, step = 3), "step: `step` 3"
  )
})

test_that("the kernel refuses settings that were not made by the fit", {
  settings <- list(method = "iss", nu = 1, times = NULL, kept = NULL, intercept = TRUE, standardize = TRUE)
  expect_error(.Call(C_msplit, list(diag(3)), matrix(1:3 + 0), NULL, settings, NULL), "msplit_settings")
})
