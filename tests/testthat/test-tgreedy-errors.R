# ---- every documented bad input and what the user is told

test_that("bad data are refused by name", {
  d <- draw_domains(1)
  n <- length(d$y)
  spoil <- function(x, value) {
    x[3, 2] <- value
    x
  }
  one <- rep("a", n)
  expect_refused(
    tgreedy(d$x), "y: `y`",
    tgreedy(d$x, d$y), "domain: `domain`",
    tgreedy(d$x, d$y, NULL), "domain: `domain`",
    tgreedy(d$x, d$y, d$domain[-1]), "domain: `domain` 46",
    tgreedy(d$x, d$y, replace(d$domain, 2, NA)), "domain: `domain` 47 1",
    tgreedy(d$x, d$y, as.list(d$domain)), "domain: `domain`",
    tgreedy(d$x, d$y, one, rule = "t"), 'rule: `rule` "t"',
    tgreedy(d$x, d$y, one, rule = "modt"), 'rule: `rule` "modt"',
    tgreedy(d$x, d$y, one, control = tgreedy_control(stop = "bonferroni")), 'stop: `stop` "bonferroni"',
    tgreedy(d$x, d$y, one, control = tgreedy_control(stop = "theorem1")), 'stop: `stop` "theorem1"',
    tgreedy(d$x, d$y, one, control = tgreedy_control(stop = "cv")), 'stop: `stop` "cv"',
    tgreedy(spoil(d$x, NA), d$y, d$domain), 'x: "x2" `x` 1',
    tgreedy(spoil(d$x, Inf), d$y, d$domain), 'x: "x2" `x` 1',
    tgreedy(spoil(d$x, 1e200), d$y, d$domain), 'x: "x2" `x`',
    tgreedy(spoil(as(d$x, "CsparseMatrix"), NA), d$y, d$domain), 'x: "x2" `x` 1',
    tgreedy(d$x[, 0], d$y, d$domain), "x: `x`",
    tgreedy(d$x[, c(1, 1)], d$y, d$domain), 'x: `x` "x1"',
    tgreedy(d$x, d$y[-1], d$domain), "y: `y` 46 `x` 47",
    tgreedy(d$x, replace(d$y, 4, NA), d$domain), "y: `y` 1",
    tgreedy(d$x, rep(1, n), d$domain), "y: `y` 1",
    tgreedy(d$x, factor(one), d$domain), 'y: `y` "a"',
    tgreedy(d$x, d$y, d$domain, weights = -1), "weights: `weights` 1",
    tgreedy(d$x, d$y, d$domain, weights = rep(0, n)), "weights: `weights`"
  )
})

test_that("bad tuning values are refused by name", {
  d <- draw_domains(1)
  expect_refused(
    tgreedy(d$x, d$y, d$domain, rule = "best"), 'rule: `rule` "best"',
    tgreedy(d$x, d$y, d$domain, nu = 0), "nu: `nu` 0",
    tgreedy(d$x, d$y, d$domain, nu = 2.5), "nu: `nu` 2.5",
    tgreedy(d$x, d$y, d$domain, nu = NA), "nu: `nu`",
    tgreedy(d$x, d$y, d$domain, nu = c(0.5, 1)), "nu: `nu` 0.5 1",
    tgreedy(d$x, d$y, d$domain, nu = 0.5, control = tgreedy_control(repeats = FALSE)), "nu: `nu` 0.5 `repeats` `FALSE`",
    tgreedy(d$x, d$y, d$domain, control = tgreedy_control(repeats = NA)), "repeats: `repeats`",
    tgreedy(d$x, d$y, d$domain, control = tgreedy_control(repeats = TRUE, update = "refit")),
    'repeats: `repeats` `TRUE` `update` "refit"',
    tgreedy(d$x, d$y, d$domain, control = tgreedy_control(signed = "yes")), 'signed: `signed` "yes"',
    tgreedy(d$x, d$y, d$domain, control = tgreedy_control(update = "stepwise")), 'update: `update` "stepwise"',
    tgreedy(d$x, d$y, d$domain, control = tgreedy_control(stop = "aic")), 'stop: `stop` "aic"',
    tgreedy(d$x, d$y, d$domain, control = tgreedy_control(stop = "theorem1")), "stop: 1 5 7",
    tgreedy(d$x, d$y, d$domain, control = tgreedy_control(stop = "bonferroni", alpha = 0)), "alpha: `alpha` 0",
    tgreedy(d$x, d$y, d$domain, control = tgreedy_control(stop = "bonferroni", alpha = 2)), "alpha: `alpha` 2",
    tgreedy(d$x, d$y, d$domain, control = tgreedy_control(delta = 0)), "delta: `delta` 0",
    tgreedy(d$x, d$y, d$domain, control = tgreedy_control(delta = 1)), "delta: `delta` 1",
    tgreedy(d$x, d$y, d$domain, max_steps = 8), "max_steps: `max_steps` 8 7",
    tgreedy(d$x, d$y, d$domain, max_steps = 2.5), "max_steps: `max_steps` 2.5",
    tgreedy(d$x, d$y, d$domain, max_steps = NA), "max_steps: `max_steps`",
    tgreedy(d$x, d$y, d$domain, standardize = NA), "standardize: `standardize`",
    tgreedy(d$x, d$y, d$domain, intercept = "yes"), 'intercept: `intercept` "yes"',
    tgreedy(d$x, d$y, d$domain, maxsteps = 5), "argument: `maxsteps`",
    tgreedy(d$x, d$y, d$domain, 5), "argument: `5`",
    tgreedy(d$x, d$y, d$domain, sources = d$x), "argument: `sources`"
  )
})

test_that("bad unlabelled rows are refused by name", {
  d <- draw_domains(1)
  few <- d$new
  hole <- replace(few, 3, NA)
  expect_refused(
    tgreedy(d$x, d$y, d$domain, unlabelled = few), "unlabelled: `unlabelled`",
    tgreedy(d$x, d$y, d$domain, unlabelled = "more"), "unlabelled: `unlabelled`",
    tgreedy(d$x, d$y, d$domain, unlabelled = list(x = few)), "unlabelled: `unlabelled`",
    tgreedy(d$x, d$y, d$domain, unlabelled = list(x = few, domain = "a")), "domain: `domain` 1",
    tgreedy(d$x, d$y, d$domain, unlabelled = list(x = few[, 1:3], domain = rep("a", 6))),
    'unlabelled: `unlabelled$x` 4 "x4" "x5" "x6" "x7"',
    tgreedy(d$x, d$y, d$domain, unlabelled = list(x = hole, domain = rep("a", 6))), "unlabelled: `unlabelled`",
    tgreedy(d$x, d$y, d$domain, unlabelled = list(x = few, domain = c(NA, rep("a", 5)))), "domain: `domain` 6 1"
  )
})

test_that("bad formula input is refused by name", {
  d <- draw_domains(1)
  data <- data.frame(y = d$y, site = d$domain, d$x)
  expect_refused(
    tgreedy(y ~ x1 + nowhere, data, domain = site), "formula: `formula` \"nowhere\" `data`",
    tgreedy(y ~ x1, data, domain = place), 'domain: `data` "place" `domain`'
  )
  expect_refused(
    tgreedy(y ~ x1, data), "domain: `domain`",
    tgreedy(~ x1 + x2, data, domain = site), "formula: `formula`",
    tgreedy(y ~ x1 + x2, data, domain = site, subset = x1 > 100), "x: 0",
    tgreedy(y ~ x1 + x2, data, domain = site, steps = 3), "argument: `steps`"
  )
})

test_that("bad requests of a path are refused by name", {
  d <- draw_domains(1)
  fit <- tgreedy(d$x, d$y, d$domain, max_steps = 3)
  expect_refused(
    predict(fit, d$new[, 6:7]), 'newdata: `newdata` 2 "x1" "x2"',
    predict(fit, d$new, step = 999), "step: `step` 999",
    predict(fit, d$new, step = "average"), 'step: `step` "average"',
    predict(fit, d$new, type = "class"), 'type: `type` "class"',
    coef(fit, step = -1), "step: `step` -1",
    cv_path(d$x, d$y, fit = tgreedy), "domain: `domain`",
    cv_path(d$x, d$y, fit = tgreedy, domain = rep("a", length(d$y))), 'domain: `domain` "a"'
  )
})

test_that("the kernel takes the settings of a fit, and no list that was not checked", {
  x <- matrix(cos((1:36)^2), 12)
  y <- seq(-1, 1, length.out = 12)^3
  domain <- rep(1:3, 4)
  settings <- tgreedy(x, y, domain)$settings
  run <- function(settings) .Call(C_tgreedy, list(x), matrix(y), domain, NULL, NULL, settings)
  expect_identical(run(settings)$status, 0L)
  expect_error(run(unclass(settings)), "tgreedy_settings")
  expect_error(run(structure(replace(unclass(settings), "update", "other"), class = class(settings))), "'update'")
})
