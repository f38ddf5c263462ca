# Every documented bad input and what the user is told.

test_that("bad data are refused by name", {
  d <- draw_case(1)
  spoil <- function(x, value) {
    x[3, 2] <- value
    x
  }
  expect_refused({
    greedytl(spoil(d$x, NA), d$y)
    greedytl(spoil(d$x, Inf), d$y)
    greedytl(spoil(d$x, NaN), d$y)
    greedytl(spoil(d$x, 1e200), d$y)
    greedytl(spoil(as(d$x, "CsparseMatrix"), NA), d$y)
    greedytl(as.data.frame(spoil(d$x, Inf)), d$y)
    greedytl("x", d$y)
    greedytl(d$x)
    greedytl(d$x[0, ], d$y[0])
    greedytl(d$x[1, , drop = FALSE], d$y[1])
    greedytl(d$x[, c(1, 1)], d$y)
    greedytl(d$x, d$y[-1])
    greedytl(d$x, replace(d$y, 4, NA))
    greedytl(d$x, replace(d$y, 4, Inf))
    greedytl(d$x, rep(1, 20))
    greedytl(d$x, factor(rep("a", 20)))
    greedytl(d$x, cbind(d$y, d$y))
    greedytl(d$x, d$y, weights = -1)
    greedytl(d$x, d$y, weights = rep(c(1, -1), 10))
    greedytl(d$x, d$y, weights = rep(1, 19))
    greedytl(d$x, d$y, weights = rep(NA_real_, 20))
    greedytl(d$x, d$y, weights = rep(0, 20))
  })
})

test_that("bad sources are refused by name", {
  d <- draw_case(1)
  spoilt <- replace(d$h, 7, NA)
  twice <- d$h[, c(1, 2, 1)]
  clash <- d$h
  colnames(clash)[2] <- "x3"
  fails <- list(good = function(newdata) newdata[, 1], bad = function(newdata) stop("no signal"))
  short <- list(short = function(newdata) 1:3)
  words <- list(words = function(newdata) rep("a", nrow(newdata)))
  hole <- list(hole = function(newdata) replace(newdata[, 1], 2, NA))
  expect_refused({
    greedytl(d$x, d$y, d$h[-1, ])
    greedytl(d$x, d$y, spoilt)
    greedytl(d$x, d$y, twice)
    greedytl(d$x, d$y, clash)
    greedytl(d$x, d$y, "lm")
    greedytl(d$x, d$y, list(1, 2))
    greedytl(d$x, d$y, fails)
    greedytl(d$x, d$y, short)
    greedytl(d$x, d$y, words)
    greedytl(d$x, d$y, hole)
    greedytl(d$x, d$y, list(a = fails$good, a = fails$good))
    sources(d$h, predict = 3)
  })
})

test_that("bad tuning values are refused by name", {
  d <- draw_case(1)
  expect_refused({
    greedytl(d$x, d$y, d$h, rule = "best")
    greedytl(d$x, d$y, d$h, max_steps = 14)
    greedytl(d$x, d$y, d$h, max_steps = 2.5)
    greedytl(d$x, d$y, d$h, max_steps = c(1, 2))
    greedytl(d$x, d$y, d$h, max_steps = NA)
    greedytl(d$x, d$y, d$h, lambda = -1)
    greedytl(d$x, d$y, d$h, lambda = NA)
    greedytl(d$x, d$y, d$h, lambda = "1")
    greedytl(d$x, d$y, d$h, lambda = numeric())
    greedytl(d$x, d$y, d$h, lambda = c(0.1, 0.1))
    greedytl(d$x, d$y, d$h, lambda = 1, control = greedytl_control(ridge = c(10, 1)))
    greedytl(d$x, d$y, d$h, control = greedytl_control(ridge = c(10, -1)))
    greedytl(d$x, d$y, d$h, control = greedytl_control(ridge = "guess"))
    greedytl(d$x, d$y, d$h, control = greedytl_control(ridge = 1:3))
    greedytl(d$x, d$y, d$h, control = greedytl_control(tol = -1))
    greedytl(d$x, d$y, d$h, control = greedytl_control(tol = "small"))
    greedytl(d$x, d$y, d$h, keep = "x99")
    greedytl(d$x, d$y, d$h, keep = 99)
    greedytl(d$x, d$y, d$h, keep = c("x1", "x2", "x3"), max_steps = 2)
    greedytl(d$x, d$y, d$h, control = greedytl_control(candidates = 0))
    greedytl(d$x, d$y, d$h, control = greedytl_control(candidates = 2.5))
    greedytl(d$x, d$y, d$h, control = greedytl_control(candidates = 5, source_scale = "common"))
    greedytl(d$x, d$y, d$h, control = greedytl_control(class_weights = "equal"))
    greedytl(d$x, d$y, d$h, control = greedytl_control(source_scale = "none"))
    greedytl(d$x, d$y, d$h, control = greedytl_control(source_sign = "negative"))
    greedytl(d$x, d$y, d$h, standardize = NA)
    greedytl(d$x, d$y, d$h, intercept = "yes")
    greedytl(d$x, d$y, d$h, maxsteps = 5)
    greedytl(d$x, d$y, d$h, 5)
    n_candidates(1.5)
    n_candidates(0.95, confidence = 0)
  })
})

test_that("a family that is not least squares is refused, and the message says what to use", {
  x <- matrix(c(1:8, 2, 4, 1, 3, 7, 5, 8, 6), 8, dimnames = list(NULL, c("a", "b")))
  y <- factor(rep(c("no", "yes"), 4))
  expect_error(greedytl(x, y, family = "cox"), class = "transelect_error_family")
  expect_error(greedytl(x, y, family = quasibinomial), "dispersion", class = "transelect_error_family")
  expect_equal(coef(greedytl(x, y, family = "gaussian")), coef(greedytl(x, y)))
})

test_that("bad formula input is refused by name", {
  data <- source_frame()
  expect_refused(class = "error", {
    greedytl(y ~ a + nowhere, data)
    greedytl(y ~ a, data, weights = wt)
  })
  expect_refused({
    greedytl(~ a + b, data)
    greedytl(y ~ a, data, subset = a > 100)
    greedytl(y ~ a, data, na.action = na.fail, steps = 3)
  })
})

test_that("bad new data are refused by name", {
  d <- draw_case(1)
  fit <- greedytl(d$x, d$factor, d$h, max_steps = 5, keep = "h1")
  plain <- greedytl(d$x, d$y, max_steps = 3)
  data <- source_frame()
  by_formula <- greedytl(y ~ a + site, data, max_steps = 2)
  new <- data[1:3, ]
  new$site <- factor(c("u", "v", "z"))
  text <- transform(data[1:3, ], a = as.character(a))
  expect_refused({
    predict(fit, d$new$x)
    predict(fit, d$new$x[, 1:5], sources = d$new$h)
    predict(fit, d$new$x, sources = d$new$h[, 1:2])
    predict(fit, d$new$x, sources = d$new$h[-1, ])
    predict(fit, d$new$x, sources = d$new$h, step = 9)
    predict(fit, d$new$x, sources = d$new$h, step = "last")
    predict(fit, d$new$x, sources = d$new$h, type = "prob")
    predict(fit, d$new$x, sources = d$new$h, lambda = 3)
    predict(plain, d$new$x, type = "class")
    predict(by_formula, new)
    predict(by_formula, text)
    predict(by_formula, data["a"])
    coef(fit, step = 99)
    coef(fit, steps = 2)
  })
})

test_that("the kernel takes the settings of a fit, and no list that was not checked", {
  d <- list(x = matrix(cos((1:36)^2), 12), y = seq(-1, 1, length.out = 12)^3)
  settings <- greedytl(d$x, d$y)$settings
  run <- function(settings) .Call(C_greedytl, list(d$x), matrix(d$y), NULL, NULL, settings, NULL)
  expect_identical(run(settings)$status, 0L)
  expect_error(run(unclass(settings)), "greedytl_settings")
  expect_error(run(structure(replace(unclass(settings), "rule", "other"), class = class(settings))), "'rule'")
})
