# Arguments that a verb does not use: what a user wrote is refused, what a package hands on to any model is let pass.

arguments_verbs <- list(
  vcov, confint, coef, fitted, residuals, nobs, tidy, glance, logLik, AIC, BIC, deviance, sigma, df.residual, summary,
  family, formula, terms, variable.names, as.data.frame, weights, case.names, model.matrix, model.frame, simulate,
  anova, drop1, extractAIC, hatvalues, rstandard, rstudent, cooks.distance, influence, dfbeta, dfbetas, alias, dummy.coef,
  generics::required_pkgs, print, function(fit, ...) predict(fit, mtcars, ...),
  function(fit, ...) augment(fit, mtcars, ...), function(fit, ...) assess(fit, mtcars, mtcars$mpg, ...)
)

test_that("every verb refuses arguments that it does not use", {
  set.seed(1)
  fits <- list(tlcp(mpg ~ wt + hp, data = mtcars, select = FALSE),
               cv_path(mpg ~ wt + hp, data = mtcars, fit = tlcp, nfolds = 3, select = FALSE))
  for (fit in fits) {
    for (verb in arguments_verbs) {
      expect_error(verb(fit, zz = 1), "There is no argument `zz`", class = "transelect_error_argument")
    }
    for (verb in arguments_verbs[-length(arguments_verbs)]) { # assess() has a cluster
      expect_error(do.call(verb, list(fit, cluster = mtcars$cyl)), class = "transelect_error")
    }
  }
  for (fit in report_fits()[c("msplit", "shareboost")]) {
    for (verb in arguments_verbs) expect_error(verb(fit, zz = 1), class = "transelect_error")
  }
  expect_error(vcov(fits[[1]], cluster = mtcars$cyl), "one row per cluster", class = "transelect_error_argument")
  expect_error(tlcp(mpg ~ wt, mtcars, cluster = cyl), "one row per cluster", class = "transelect_error_argument")
  expect_error(cv_path(mpg ~ wt, mtcars, cluster = 1), "`foldid`", class = "transelect_error_argument")
  expect_error(coef(fits[[2]], zz = 1), "There is no") |> conditionCall() |> deparse() |>
    expect_identical("coef(fits[[2]], zz = 1)")
})

test_that("comparisons, tables and assessments refuse them, too", {
  set.seed(1)
  compared <- compare_paths(mpg ~ wt + hp, mtcars, nfolds = 3)
  a <- cv_path(mpg ~ wt + hp, mtcars, nfolds = 3)
  for (object in list(compared, compare_paths(a = a), conformal(a), assess(a, mtcars, mtcars$mpg))) {
    expect_error(tidy(object, zz = 1), "There is no argument `zz`", class = "transelect_error_argument")
    expect_error(print(object, zz = 1), "There is no argument `zz`", class = "transelect_error_argument")
  }
  expect_error(as.data.frame(conformal(a), zz = 1), "`zz`", class = "transelect_error_argument")
  expect_identical(as.data.frame(a, stringsAsFactors = FALSE), as.data.frame(a))
})

test_that("what another package hands on is let pass, but not what a user wrote through a function that applies it", {
  fit <- tlcp(mpg ~ wt + hp, data = mtcars, select = FALSE)
  package <- function(fit, verb, ...) verb(fit, ...)
  environment(package) <- new.env(parent = asNamespace("cli"))
  expect_identical(package(fit, vcov, zz = 1), vcov(fit))
  expect_identical(package(fit, predict, mtcars, verbose = 2), predict(fit, mtcars))
  expect_error(package(fit, coef, stp = 1), "Did you mean `step`", class = "transelect_error_argument")
  expect_error(lapply(list(fit), vcov, zz = 1), "`zz`", class = "transelect_error_argument")
  expect_error(do.call(vcov, list(fit, zz = 1)), "`zz`", class = "transelect_error_argument")
  ours <- function(fit, ...) vcov(fit, ...)
  expect_error(ours(fit, zz = 1), "`zz`", class = "transelect_error_argument")
  expect_identical(vcov(fit, zz = NULL, robust = FALSE), vcov(fit))
  expect_identical(sigma(fit, use.fallback = TRUE), sigma(fit))
})

test_that("diagnostics take what those of lm() take", {
  fit <- tlcp(mpg ~ wt + hp, data = mtcars, select = FALSE)
  like <- lm(mpg ~ wt + hp, mtcars)
  other <- lm.influence(like)
  other$hat[] <- .1
  expect_equal(cooks.distance(fit, infl = other), cooks.distance(like, infl = other))
  expect_equal(rstudent(fit, infl = other), rstudent(like, infl = other))
  expect_equal(cooks.distance(fit, sd = 2), cooks.distance(like, sd = 2))
  expect_equal(dummy.coef(fit, use.na = TRUE), dummy.coef(like, use.na = TRUE), ignore_attr = TRUE)
})

test_that("a covariance matrix by a function gets the function's arguments", {
  skip_if_not_installed("lmtest")
  skip_if_not_installed("sandwich")
  fit <- tlcp(mpg ~ wt + hp, data = mtcars, select = FALSE)
  like <- lm(mpg ~ wt + hp, mtcars)
  got <- lmtest::coeftest(fit, vcov. = sandwich::vcovCL, cluster = mtcars$cyl, type = "HC0")
  want <- lmtest::coeftest(like, vcov. = sandwich::vcovCL, cluster = mtcars$cyl, type = "HC0")
  expect_equal(unclass(got)[, 2], unclass(want)[, 2])
  expect_error(lmtest::coeftest(fit, cluster = mtcars$cyl), "cluster", class = "transelect_error_argument")
})

test_that("a setting that this method knows by another name, or not at all, is named", {
  expect_error(msplit(mpg ~ wt, mtcars, family = "binomial"), "it is `loss`", class = "transelect_error_argument")
  expect_error(cv_path(mpg ~ wt, mtcars, fit = msplit, family = "gaussian"), "it is `loss`",
               class = "transelect_error_argument")
  expect_error(shareboost(Species ~ ., iris, family = "binomial"), "always fits the logistic loss",
               class = "transelect_error_argument")
  expect_error(greedytl(mpg ~ wt, mtcars, loss = "binomial"), "it is `family`", class = "transelect_error_argument")
  expect_error(tgreedy(mpg ~ wt, mtcars, domain = cyl, criterion = "BIC"), "`rule`",
               class = "transelect_error_argument")
  expect_error(tlcp(mpg ~ wt, mtcars, lambda = 1), "`criterion`", class = "transelect_error_argument")
  expect_error(msplit(mpg ~ wt, mtcars, lambda = 1), "`nu`", class = "transelect_error_argument")
  expect_error(tlcp(mpg ~ wt, mtcars, max_steps = 1), "sizes = TRUE", class = "transelect_error_argument")
  expect_error(greedytl(mpg ~ wt, mtcars, domain = cyl), "`sources`", class = "transelect_error_argument")
  expect_error(greedytl(mpg ~ wt, mtcars, select = FALSE), "argument of `tlcp()`", fixed = TRUE,
               class = "transelect_error_argument")
  expect_error(shareboost(Species ~ ., iris, nu = 2), "`ridge`", class = "transelect_error_argument")
})

test_that("errors of settings of several kinds name all valid values", {
  expect_error(tlcp_control(guard = "zz"), "TRUE.*FALSE.*\"cv\".*number between 0 and 1",
               class = "transelect_error_guard")
  expect_error(tlcp_control(guard = 1), "\"cv\"", class = "transelect_error_guard")
  expect_identical(tlcp_control(guard = .3)$guard, .3)
  expect_error(tlcp_control(dispersion = "zz"), "\"estimated\".*\"pearson\".*numbers",
               class = "transelect_error_dispersion")
})

test_that("transelect_fitfun() refuses arguments that its method does not take when it is made", {
  expect_error(transelect_fitfun(fits = greedytl), "Did you mean `fit`", class = "transelect_error_argument")
  expect_error(transelect_fitfun(tlcp, selct = FALSE), "Did you mean `select`", class = "transelect_error_argument")
  expect_error(transelect_fitfun(msplit, family = "binomial"), "`loss`", class = "transelect_error_argument")
  expect_error(transelect_fitfun(tlcp, units = "own"), "tlcp_control", class = "transelect_error_units")
  expect_error(transelect_fitfun(function(x, y) lm(y ~ x), zz = 1), "`zz`", class = "transelect_error_argument")
  expect_type(transelect_fitfun(function(x, y, ...) greedytl(x, y, ...), rule = "paper"), "closure")
  expect_type(transelect_fitfun(tlcp, target = "a", select = FALSE), "closure")
})
