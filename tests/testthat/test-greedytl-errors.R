# Every documented bad input and what the user is told.

test_that("bad data are refused by name", {
  d <- draw_case(1)
  spoil <- function(x, value) {
    x[3, 2] <- value
    x
  }
  expect_refused(
    greedytl(spoil(d$x, NA), d$y), 'x: "x2" `x` 1',
    greedytl(spoil(d$x, Inf), d$y), 'x: "x2" `x` 1',
    greedytl(spoil(d$x, NaN), d$y), 'x: "x2" `x` 1',
    greedytl(spoil(d$x, 1e200), d$y), 'x: "x2" `x`',
    greedytl(spoil(as(d$x, "CsparseMatrix"), NA), d$y), 'x: "x2" `x` 1',
    greedytl(as.data.frame(spoil(d$x, Inf)), d$y), 'x: "x2" `x` 1',
    greedytl("x", d$y), "x: `x`",
    greedytl(d$x), "y: `y`",
    greedytl(d$x[0, ], d$y[0]), "x: 0",
    greedytl(d$x[1, , drop = FALSE], d$y[1]), "y: `y`",
    greedytl(d$x[, c(1, 1)], d$y), 'x: `x` "x1"',
    greedytl(d$x, d$y[-1]), "y: `y` 19 `x` 20",
    greedytl(d$x, replace(d$y, 4, NA)), "y: `y` 1",
    greedytl(d$x, replace(d$y, 4, Inf)), "y: `y` 1",
    greedytl(d$x, rep(1, 20)), "y: `y` 1",
    greedytl(d$x, factor(rep("a", 20))), 'y: `y` "a"',
    greedytl(d$x, cbind(d$y, d$y)), "y: `y` 2",
    greedytl(d$x, d$y, weights = -1), "weights: `weights` 1",
    greedytl(d$x, d$y, weights = rep(c(1, -1), 10)), "weights: `weights` 2",
    greedytl(d$x, d$y, weights = rep(1, 19)), "weights: `weights` 19",
    greedytl(d$x, d$y, weights = rep(NA_real_, 20)), "weights: `weights` 1",
    greedytl(d$x, d$y, weights = rep(0, 20)), "weights: `weights`"
  )
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
  expect_refused(
    greedytl(d$x, d$y, d$h[-1, ]), "sources: `sources` 19 20",
    greedytl(d$x, d$y, spoilt), 'sources: "h1" `sources` 1',
    greedytl(d$x, d$y, twice), 'sources: `sources` "h1"',
    greedytl(d$x, d$y, clash), 'sources: `sources` "x3"',
    greedytl(d$x, d$y, "lm"), "sources: `sources`",
    greedytl(d$x, d$y, list(1, 2)), "sources: 1",
    greedytl(d$x, d$y, fails), 'sources: "bad"',
    greedytl(d$x, d$y, short), 'sources: "short" 3 20',
    greedytl(d$x, d$y, words), 'sources: "words" 20',
    greedytl(d$x, d$y, hole), 'sources: "hole" 1',
    greedytl(d$x, d$y, list(a = fails$good, a = fails$good)), 'sources: `sources` "a"',
    sources(d$h, predict = 3), "sources: `predict`"
  )
})

test_that("bad tuning values are refused by name", {
  d <- draw_case(1)
  expect_refused(
    greedytl(d$x, d$y, d$h, rule = "best"), 'rule: `rule` "best"',
    greedytl(d$x, d$y, d$h, max_steps = 14), "max_steps: `max_steps` 14 13",
    greedytl(d$x, d$y, d$h, max_steps = 2.5), "max_steps: `max_steps` 2.5",
    greedytl(d$x, d$y, d$h, max_steps = c(1, 2)), "max_steps: `max_steps` 1 2",
    greedytl(d$x, d$y, d$h, max_steps = NA), "max_steps: `max_steps`",
    greedytl(d$x, d$y, d$h, lambda = -1), "lambda: `lambda` -1",
    greedytl(d$x, d$y, d$h, lambda = NA), "lambda: `lambda`",
    greedytl(d$x, d$y, d$h, lambda = "1"), 'lambda: `lambda` "1"',
    greedytl(d$x, d$y, d$h, lambda = numeric()), "lambda: `lambda`",
    greedytl(d$x, d$y, d$h, lambda = c(0.1, 0.1)), "lambda: `lambda` 0.1",
    greedytl(d$x, d$y, d$h, lambda = 1, control = greedytl_control(ridge = c(10, 1))), "lambda: `ridge` `lambda`",
    greedytl(d$x, d$y, d$h, control = greedytl_control(ridge = c(10, -1))), "ridge: `ridge` 10 -1",
    greedytl(d$x, d$y, d$h, control = greedytl_control(ridge = "guess")), 'ridge: `ridge` "guess"',
    greedytl(d$x, d$y, d$h, control = greedytl_control(ridge = 1:3)), "ridge: `ridge` 1 2 3",
    greedytl(d$x, d$y, d$h, control = greedytl_control(tol = -1)), "tol: `tol` -1",
    greedytl(d$x, d$y, d$h, control = greedytl_control(tol = "small")), 'tol: `tol` "small"',
    greedytl(d$x, d$y, d$h, keep = "x99"), 'keep: `keep` "x99"',
    greedytl(d$x, d$y, d$h, keep = 99), "keep: `keep` 99",
    greedytl(d$x, d$y, d$h, keep = c("x1", "x2", "x3"), max_steps = 2), "keep: `keep` 3 `max_steps` 2",
    greedytl(d$x, d$y, d$h, control = greedytl_control(candidates = 0)), "candidates: `candidates` 0",
    greedytl(d$x, d$y, d$h, control = greedytl_control(candidates = 2.5)), "candidates: `candidates` 2.5",
    greedytl(d$x, d$y, d$h, control = greedytl_control(candidates = 5, source_scale = "common")),
    'source_scale: `source_scale` "common"',
    greedytl(d$x, d$y, d$h, control = greedytl_control(class_weights = "equal")),
    'class_weights: `class_weights` "equal"',
    greedytl(d$x, d$y, d$h, control = greedytl_control(source_scale = "none")), 'source_scale: `source_scale` "none"',
    greedytl(d$x, d$y, d$h, control = greedytl_control(source_sign = "negative")),
    'source_sign: `source_sign` "negative"',
    greedytl(d$x, d$y, d$h, standardize = NA), "standardize: `standardize`",
    greedytl(d$x, d$y, d$h, intercept = "yes"), 'intercept: `intercept` "yes"',
    greedytl(d$x, d$y, d$h, maxsteps = 5), "argument: `maxsteps`",
    greedytl(d$x, d$y, d$h, 5), "argument: `5`",
    n_candidates(1.5), "quantile: `quantile` 1.5",
    n_candidates(0.95, confidence = 0), "confidence: `confidence` 0"
  )
})

test_that("a family that is not least squares is refused, and the message says what to use", {
  x <- matrix(c(1:8, 2, 4, 1, 3, 7, 5, 8, 6), 8, dimnames = list(NULL, c("a", "b")))
  y <- factor(rep(c("no", "yes"), 4))
  expect_error(greedytl(x, y, family = "cox"), "Surv", class = "transelect_error_y")
  expect_error(greedytl(x, y, family = quasibinomial), "dispersion", class = "transelect_error_family")
  expect_equal(coef(greedytl(x, y, family = "gaussian")), coef(greedytl(x, y)))
})

test_that("bad formula input is refused by name", {
  data <- source_frame()
  expect_refused(
    greedytl(y ~ a + nowhere, data), "formula: `formula` \"nowhere\" `data`",
    greedytl(y ~ a, data, weights = wt), 'weights: `data` "wt" `weights`'
  )
  expect_refused(
    greedytl(~ a + b, data), "formula: `formula`",
    greedytl(y ~ a, data, subset = a > 100), "x: 0",
    greedytl(y ~ a, data, na.action = na.fail, steps = 3), "argument: `steps`"
  )
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
  expect_refused(
    predict(fit, d$new$x), 'sources: `sources` "h1" "h2" "h3" "h4" "h5"',
    predict(fit, d$new$x[, 1:5], sources = d$new$h), 'newdata: `newdata` 2 "x6" "x7"',
    predict(fit, d$new$x, sources = d$new$h[, 1:2]), 'sources: `sources` "h3" "h4" "h5"',
    predict(fit, d$new$x, sources = d$new$h[-1, ]), "sources: `sources` 6 7",
    predict(fit, d$new$x, sources = d$new$h, step = 9), "step: `step` 9",
    predict(fit, d$new$x, sources = d$new$h, step = "last"), 'step: `step` "last"',
    predict(fit, d$new$x, sources = d$new$h, type = "prob"), 'type: `type` "prob"',
    predict(fit, d$new$x, sources = d$new$h, lambda = 3), "lambda: `lambda` 3",
    predict(plain, d$new$x, type = "class"), 'type: `type` "class"',
    predict(by_formula, new), 'newdata: `newdata` 1 "site" "z"',
    predict(by_formula, text), 'newdata: `newdata` "a"',
    predict(by_formula, data["a"]), 'newdata: `newdata` 1 "site"',
    coef(fit, step = 99), "step: `step` 99",
    coef(fit, steps = 2), "argument: `steps`"
  )
})

test_that("the kernel takes the settings of a fit, and no list that was not checked", {
  d <- list(x = matrix(cos((1:36)^2), 12), y = seq(-1, 1, length.out = 12)^3)
  settings <- greedytl(d$x, d$y)$settings
  run <- function(settings) .Call(C_greedytl, list(d$x), matrix(d$y), NULL, NULL, settings, NULL)
  expect_identical(run(settings)$status, 0L)
  expect_error(run(unclass(settings)), "greedytl_settings")
  expect_error(run(structure(replace(unclass(settings), "rule", "other"), class = class(settings))), "'rule'")
})
