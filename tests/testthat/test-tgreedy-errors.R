# ---- every documented bad input and what the user is told

test_that("bad data are refused by name", {
  d <- draw_domains(1)
  n <- length(d$y)
  spoil <- function(x, value) {
    x[3, 2] <- value
    x
  }
  one <- rep("a", n)
  expect_refused({
    tgreedy(d$x)
    tgreedy(d$x, d$y)
    tgreedy(d$x, d$y, NULL)
    tgreedy(d$x, d$y, d$domain[-1])
    tgreedy(d$x, d$y, replace(d$domain, 2, NA))
    tgreedy(d$x, d$y, as.list(d$domain))
    tgreedy(d$x, d$y, one, rule = "t")
    tgreedy(d$x, d$y, one, rule = "modt")
    tgreedy(d$x, d$y, one, control = tgreedy_control(stop = "bonferroni"))
    tgreedy(d$x, d$y, one, control = tgreedy_control(stop = "theorem1"))
    tgreedy(d$x, d$y, one, control = tgreedy_control(stop = "cv"))
    tgreedy(spoil(d$x, NA), d$y, d$domain)
    tgreedy(spoil(d$x, Inf), d$y, d$domain)
    tgreedy(spoil(d$x, 1e200), d$y, d$domain)
    tgreedy(spoil(as(d$x, "CsparseMatrix"), NA), d$y, d$domain)
    tgreedy(d$x[, 0], d$y, d$domain)
    tgreedy(d$x[, c(1, 1)], d$y, d$domain)
    tgreedy(d$x, d$y[-1], d$domain)
    tgreedy(d$x, replace(d$y, 4, NA), d$domain)
    tgreedy(d$x, rep(1, n), d$domain)
    tgreedy(d$x, factor(one), d$domain)
    tgreedy(d$x, d$y, d$domain, weights = -1)
    tgreedy(d$x, d$y, d$domain, weights = rep(0, n))
  })
})

test_that("bad tuning values are refused by name", {
  d <- draw_domains(1)
  expect_refused({
    tgreedy(d$x, d$y, d$domain, rule = "best")
    tgreedy(d$x, d$y, d$domain, nu = 0)
    tgreedy(d$x, d$y, d$domain, nu = 2.5)
    tgreedy(d$x, d$y, d$domain, nu = NA)
    tgreedy(d$x, d$y, d$domain, nu = c(0.5, 1))
    tgreedy(d$x, d$y, d$domain, nu = 0.5, control = tgreedy_control(repeats = FALSE))
    tgreedy(d$x, d$y, d$domain, control = tgreedy_control(repeats = NA))
    tgreedy(d$x, d$y, d$domain, control = tgreedy_control(repeats = TRUE, update = "refit"))
    tgreedy(d$x, d$y, d$domain, control = tgreedy_control(signed = "yes"))
    tgreedy(d$x, d$y, d$domain, control = tgreedy_control(update = "stepwise"))
    tgreedy(d$x, d$y, d$domain, control = tgreedy_control(stop = "aic"))
    tgreedy(d$x, d$y, d$domain, control = tgreedy_control(stop = "theorem1"))
    tgreedy(d$x, d$y, d$domain, control = tgreedy_control(stop = "bonferroni", alpha = 0))
    tgreedy(d$x, d$y, d$domain, control = tgreedy_control(stop = "bonferroni", alpha = 2))
    tgreedy(d$x, d$y, d$domain, control = tgreedy_control(delta = 0))
    tgreedy(d$x, d$y, d$domain, control = tgreedy_control(delta = 1))
    tgreedy(d$x, d$y, d$domain, max_steps = 8)
    tgreedy(d$x, d$y, d$domain, max_steps = 2.5)
    tgreedy(d$x, d$y, d$domain, max_steps = NA)
    tgreedy(d$x, d$y, d$domain, standardize = NA)
    tgreedy(d$x, d$y, d$domain, intercept = "yes")
    tgreedy(d$x, d$y, d$domain, maxsteps = 5)
    tgreedy(d$x, d$y, d$domain, 5)
    tgreedy(d$x, d$y, d$domain, sources = d$x)
  })
})

test_that("bad unlabelled rows are refused by name", {
  d <- draw_domains(1)
  few <- d$new
  hole <- replace(few, 3, NA)
  expect_refused({
    tgreedy(d$x, d$y, d$domain, unlabelled = few)
    tgreedy(d$x, d$y, d$domain, unlabelled = "more")
    tgreedy(d$x, d$y, d$domain, unlabelled = list(x = few))
    tgreedy(d$x, d$y, d$domain, unlabelled = list(x = few, domain = "a"))
    tgreedy(d$x, d$y, d$domain, unlabelled = list(x = few[, 1:3], domain = rep("a", 6)))
    tgreedy(d$x, d$y, d$domain, unlabelled = list(x = hole, domain = rep("a", 6)))
    tgreedy(d$x, d$y, d$domain, unlabelled = list(x = few, domain = c(NA, rep("a", 5))))
  })
})

test_that("bad formula input is refused by name", {
  d <- draw_domains(1)
  data <- data.frame(y = d$y, site = d$domain, d$x)
  expect_refused(class = "error", {
    tgreedy(y ~ x1 + nowhere, data, domain = site)
    tgreedy(y ~ x1, data, domain = place)
  })
  expect_refused({
    tgreedy(y ~ x1, data)
    tgreedy(~ x1 + x2, data, domain = site)
    tgreedy(y ~ x1 + x2, data, domain = site, subset = x1 > 100)
    tgreedy(y ~ x1 + x2, data, domain = site, steps = 3)
  })
})

test_that("bad requests of a path are refused by name", {
  d <- draw_domains(1)
  fit <- tgreedy(d$x, d$y, d$domain, max_steps = 3)
  expect_refused({
    predict(fit, d$new[, 6:7])
    predict(fit, d$new, step = 999)
    predict(fit, d$new, step = "average")
    predict(fit, d$new, type = "class")
    coef(fit, step = -1)
    cv_path(d$x, d$y, fit = tgreedy)
    cv_path(d$x, d$y, fit = tgreedy, domain = rep("a", length(d$y)))
  })
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
