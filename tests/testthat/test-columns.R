# Domains, weights and folds named by columns: one meaning everywhere.

test_that("moments() takes a bare column, a string, a variable with a string, and a vector", {
  h <- "cyl"
  g <- factor(mtcars$cyl)
  want <- moments(mpg ~ wt + hp, mtcars, domain = "cyl", fold = "gear", weights = "qsec")
  same <- function(m) expect_equal(as.list(m), as.list(want))
  same(moments(mpg ~ wt + hp, mtcars, domain = cyl, fold = gear, weights = qsec))
  same(moments(mpg ~ wt + hp, mtcars, domain = h, fold = gear, weights = qsec))
  same(moments(mpg ~ wt + hp, mtcars, domain = g, fold = mtcars$gear, weights = mtcars$qsec))
  same(do.call(moments, list(mpg ~ wt + hp, mtcars, domain = "cyl", fold = "gear",
                             weights = "qsec")))
  wrap <- function(domain) moments(mpg ~ wt + hp, mtcars, domain = domain, fold = gear, weights = qsec)
  same(wrap("cyl"))
  at <- 0
  reader <- function(reset) {
    at <<- if (reset) 0 else at + 1
    if (at == 1) mtcars
  }
  same(moments(mpg ~ wt + hp, reader, domain = cyl, fold = gear, weights = qsec))
  expect_error(moments(mpg ~ wt, mtcars, domain = nope), "no column \"nope\"")
  expect_error(moments(mpg ~ wt, mtcars, domain = list(1)), class = "transelect_error_domain")
})

test_that("every fitter takes the same ways of naming a domain", {
  h <- "cyl"
  form <- mpg ~ wt + hp
  for (fit in list(tgreedy, function(...) tlcp(..., target = "4"),
                   function(...) dissimilarity(..., target = "4", draws = 0))) {
    want <- suppressMessages(fit(form, mtcars, domain = mtcars$cyl))
    for (got in suppressMessages(list(fit(form, mtcars, domain = "cyl"), fit(form, mtcars, domain = h)))) {
      same <- setdiff(names(want), c("call", "certificate", "expression_of_domain"))
      expect_equal(unclass(got)[same], unclass(want)[same])
    }
  }
  expect_equal(tgreedy(form, mtcars, domain = cyl)$beta, tgreedy(form, mtcars, domain = h)$beta)
})

test_that("fitters point to moments() where the data are not in memory", {
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(con))
  arrow <- structure(list(), class = c("Dataset", "ArrowObject", "R6"))
  for (data in list(con, arrow)) {
    for (fit in list(greedytl, tlcp, msplit, shareboost)) {
      expect_error(fit(mpg ~ wt, data = data), "moments\\(y ~")
    }
    for (fit in list(tgreedy, tlcp, dissimilarity)) {
      expect_error(fit(mpg ~ wt, data = data, domain = cyl), "moments\\(y ~")
    }
    expect_error(cv_path(mpg ~ wt, data = data), "moments\\(y ~")
  }
  expect_error(greedytl(con, 1:3), "moments\\(y ~")
})

test_that("confusion() of a cross-validation is of rows held out", {
  set.seed(1)
  cv <- cv_path(Species ~ ., data = iris, fit = shareboost, nfolds = 5, keep_predictions = TRUE)
  for (step in c("min", "1se")) {
    score <- cv$predictions[, , cv$index[[step]]]
    by_hand <- table(true = iris$Species,
                     predicted = factor(levels(iris$Species)[max.col(score, "first")],
                                        levels(iris$Species)))
    expect_identical(c(confusion(cv, step = step)), c(by_hand))
  }
  expect_identical(confusion(cv), confusion(cv, step = "1se"))
  expect_error(confusion(cv, step = "last"), class = "transelect_error_step")
  expect_error(confusion(cv$fit), "newdata.*missing")
  expect_error(confusion(cv, y = iris$Species), class = "transelect_error_y")
  two <- cv_path(factor(am) ~ wt + hp, data = mtcars, fit = greedytl, nfolds = 4)
  expect_identical(sum(confusion(two)), 32L)
})

test_that("what is no method, or no loss, is refused by name", {
  expect_error(cv_path(mpg ~ wt, mtcars, fit = lm), "Give a method of this package",
               class = "transelect_error_fit")
  suppressWarnings( # mean() itself warns that a list is no number
    expect_error(cv_path(mpg ~ wt, mtcars, fit = mean), class = "transelect_error_fit")
  )
  expect_error(cv_path(mpg ~ wt, mtcars, loss = function(x) x), "`loss` is a function of 1 argument",
               class = "transelect_error_loss")
})
