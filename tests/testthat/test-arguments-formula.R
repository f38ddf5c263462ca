# A formula as a string, and data before the formula, as lm() and glm() take them.

test_that("a formula may be a string or stand after the data in all functions that take one", {
  data <- transform(mtcars, site = rep(c("a", "b"), 16), class = factor(gear))
  calls <- list(
    tlcp = list(tlcp), greedytl = list(greedytl), msplit = list(msplit), tgreedy = list(tgreedy, domain = quote(site)),
    shareboost = list(shareboost), moments = list(moments), cv_path = list(cv_path, fit = tlcp, foldid = rep(1:4, 8)),
    compare_paths = list(compare_paths, fits = list(a = tlcp, b = greedytl), foldid = rep(1:4, 8)),
    dissimilarity = list(dissimilarity, domain = quote(site), target = "a", draws = 0)
  )
  for (name in names(calls)) {
    text <- paste(if (name == "shareboost") "class" else "mpg", "~ wt + hp")
    form <- as.formula(text)
    it <- function(...) eval(as.call(c(calls[[name]][[1]], list(...), calls[[name]][-1])))
    known <- function(value) {
      if (inherits(value, c("transfer_path", "transfer_cv"))) return(coef(value))
      value <- unclass(value)
      value[!names(value) %in% c("call", "seconds", "elapsed")]
    }
    wanted <- known(it(form, data))
    expect_equal(known(it(text, data)), wanted)
    expect_equal(known(it(data = data, formula = form)), wanted)
    expect_equal(known(it(data, formula = text)), wanted)
  }
})

test_that("the call of a fit has the formula that a string said", {
  text <- "mpg ~ wt + hp"
  fit <- tlcp(text, data = mtcars, select = FALSE)
  expect_equal(formula(fit), mpg ~ wt + hp, ignore_formula_env = TRUE)
  expect_equal(fit$call$formula, quote(mpg ~ wt + hp))
  expect_equal(coef(update(fit, . ~ . - hp)), coef(tlcp(mpg ~ wt, mtcars, select = FALSE)))
  handed_on <- function(...) tlcp(...)
  expect_equal(coef(handed_on(data = mtcars, formula = mpg ~ wt + hp)), coef(tlcp(mpg ~ wt + hp, mtcars)))
  part <- tlcp(data = mtcars, formula = mpg ~ wt, subset = am == 1, weights = hp, select = FALSE)
  expect_equal(coef(part), coef(lm(mpg ~ wt, mtcars, subset = am == 1, weights = hp)), tolerance = 1e-6)
})

test_that("what is no formula is refused in words", {
  expect_error(tlcp(data = mtcars, formula = 3), class = "transelect_error_formula")
  expect_error(tlcp(data = mtcars, formula = "mpg"), class = "transelect_error_formula")
  expect_error(tlcp("mpg ~", mtcars), class = "transelect_error_x")
})

test_that("data that are given twice are refused, and an argument that fails is evaluated once", {
  expect_error(tlcp(formula = mpg ~ wt, data = mtcars, x = mtcars), class = "transelect_error_x")
  expect_error(greedytl(mtcars, formula = mpg ~ wt, data = mtcars), class = "transelect_error_x")
  tries <- 0
  fails <- function() {
    tries <<- tries + 1
    stop("no data here")
  }
  expect_no_warning(expect_error(selection_frequency(fails()), "no data here"))
  expect_no_warning(expect_error(cv_path(fails(), mtcars$mpg), "no data here"))
  expect_no_warning(expect_error(compare_paths(fails()), "no data here"))
  expect_identical(tries, 3)
})
