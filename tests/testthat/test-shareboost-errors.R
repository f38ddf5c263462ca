# ---- every documented bad input and what the user is told

test_that("bad data are refused by name", {
  d <- draw_classes(1, 3)
  n <- length(d$y)
  spoil <- function(x, value) {
    x[3, 2] <- value
    x
  }
  expect_refused(
    shareboost(), "x: `x`",
    shareboost(d$x), "y: `y`",
    shareboost(d$x, d$y[-1]), "y: `y` 74 `x` 75",
    shareboost(moments(Sepal.Length ~ Sepal.Width, data = iris)), "x: `x` <moments>",
    shareboost(d$x, c(Inf, 1, rep(2, n - 2))), "y: `y` 1",
    shareboost(d$x, rep("a", n)), 'y: `y` "a"',
    shareboost(d$x, replace(d$y, 4, NA)), "y: `y` 1",
    shareboost(d$x, d$x[, 1]), "y: `y`",
    shareboost(d$x, as.list(d$y)), "y: `y` 1",
    shareboost(spoil(d$x, NA), d$y), 'x: "x2" `x` 1',
    shareboost(spoil(d$x, Inf), d$y), 'x: "x2" `x` 1',
    shareboost(spoil(as(d$x, "CsparseMatrix"), NA), d$y), 'x: "x2" `x` 1',
    shareboost(d$x[, 0], d$y), "x: `x`",
    shareboost(d$x[, c(1, 1)], d$y), 'x: `x` "x1"',
    shareboost(as.character(d$y), d$y), "x: `x`",
    shareboost(d$x, d$y, weights = -1), "weights: `weights` 1",
    shareboost(d$x, d$y, weights = rep(0, n)), "weights: `weights`",
    suppressMessages(shareboost(d$x, d$y, weights = as.numeric(d$y == "a"))), 'y: `y` "a"'
  )
})

test_that("bad tuning values are refused by name", {
  d <- draw_classes(1, 3)
  expect_refused(
    shareboost(d$x, d$y, rule = "best"), 'rule: `rule` "best"',
    shareboost(d$x, d$y, max_steps = 8), "max_steps: `max_steps` 8 7",
    shareboost(d$x, d$y, max_steps = 2.5), "max_steps: `max_steps` 2.5",
    shareboost(d$x, d$y, max_steps = NA), "max_steps: `max_steps`",
    shareboost(d$x, d$y, ridge = -1), "ridge: `ridge` -1",
    shareboost(d$x, d$y, ridge = NA), "ridge: `ridge`",
    shareboost(d$x, d$y, ridge = c(1, 2)), "ridge: `ridge` 1 2",
    shareboost(d$x, d$y, penalty = "l2"), 'penalty: `penalty` "l2"',
    shareboost(d$x, d$y, penalty = "l1", control = shareboost_control(sharpness = 0)), "sharpness: `sharpness` 0",
    shareboost(d$x, d$y, penalty = "linf1", control = shareboost_control(sharpness = NA)), "sharpness: `sharpness`",
    shareboost(d$x, d$y, penalty = "linf1", control = shareboost_control(sharpness = 1e7)),
    "sharpness: `sharpness` 1e+07",
    shareboost(d$x, d$y, ridge = Inf), "ridge: `ridge`",
    shareboost(d$x, d$y, control = shareboost_control(margin = -1)), "margin: `margin` -1",
    shareboost(d$x, d$y, control = shareboost_control(margin = 1e4)), "margin: `margin` 10000",
    shareboost(d$x, d$y, groups = c("a", "b")), "groups: `groups` 2",
    shareboost(d$x, d$y, groups = rep(NA, 7)), "groups: `groups` 7",
    shareboost(d$x, d$y, groups = rep(c("a", "b"), length.out = 7), max_steps = 3), "max_steps: `max_steps` 3 2",
    shareboost(d$x, d$y, groups = rep("a", 7), max_steps = 2), "max_steps: `max_steps` 2",
    shareboost(stumps(cbind(a = c(1, 2, 2))), c("a", "b", "b"), max_steps = 2), "max_steps: `max_steps` 2",
    shareboost(pieces(d$x, centers = 2, radii = 2), d$y, max_steps = 5), "max_steps: `max_steps` 5 4",
    shareboost(d$x, d$y, control = shareboost_control(candidates = 0)), "candidates: `candidates` 0",
    shareboost(d$x, d$y, control = shareboost_control(candidates = 2.5)), "candidates: `candidates` 2.5",
    shareboost(d$x, d$y, standardize = "range"), 'standardize: `standardize` "range"',
    shareboost(d$x, d$y, standardize = NA), "standardize: `standardize`",
    shareboost(d$x, d$y, intercept = "yes"), 'intercept: `intercept` "yes"',
    shareboost(d$x, d$y, control = shareboost_control(tol = -1)), "tol: `tol` -1",
    shareboost(d$x, d$y, control = shareboost_control(tol = 5)), "tol: `tol` 5",
    shareboost(d$x, d$y, control = shareboost_control(tol = "fine")), 'tol: `tol` "fine"',
    shareboost(d$x, d$y, keep = "x9"), 'keep: `keep` "x9"',
    shareboost(d$x, d$y, keep = 1:5, max_steps = 3), "keep: `keep` 5 `max_steps` 3",
    shareboost(d$x, d$y, maxsteps = 5), "argument: `maxsteps`",
    shareboost(d$x, d$y, 5), "argument: `5`",
    shareboost(d$x, d$y, sources = d$x), "argument: `sources`"
  )
})

test_that("a class without rows is left out, and said", {
  d <- draw_classes(2, 3)
  y <- factor(d$y, levels = c("a", "b", "none", "c"))
  expect_message(fit <- shareboost(d$x, y, max_steps = 3), "none")
  expect_same_shareboost(fit, shareboost(d$x, d$y, max_steps = 3))
})

test_that("a class that can be told from the rest is named where there is no ridge", {
  x <- as.matrix(iris[1:4])
  told <- function(rows, ...) {
    warned <- NULL
    fit <- withCallingHandlers(
      shareboost(x[rows, ], droplevels(iris$Species[rows]), ridge = 0, ...),
      transelect_warning_separable = function(w) {
        warned <<- conditionMessage(w)
        tryInvokeRestart("muffleWarning")
      }
    )
    list(fit = fit, warned = warned)
  }
  loose <- told(1:150)
  tight <- told(1:150, control = shareboost_control(tol = 1e-12))
  expect_match(loose$warned, "setosa")
  expect_no_match(loose$warned, "virginica")
  expect_match(tight$warned, "setosa")
  expect_true(all(tight$fit$steps$converged))
  expect_equal(tight$fit$steps$loss, loose$fit$steps$loss, tolerance = 1e-4)
  expect_null(told(51:150)$warned)
})

test_that("weights without an optimum are noticed where part of the rows is told apart", {
  d <- with_seed(1, {
    x <- rbinom(200, 1, .3)
    list(x = cbind(x = x, z = rnorm(200)), some = sample(c("a", "b"), 200, TRUE),
         any = sample(c("a", "b", "c"), 200, TRUE))
  })
  two <- factor(ifelse(d$x[, "x"] == 1, "a", d$some))
  three <- factor(ifelse(d$x[, "x"] == 1, d$some, d$any))
  for (tol in 10^-c(2, 6, 9, 12)) {
    for (y in list(two, three)) {
      for (margin in 0:1) {
        expect_warning(shareboost(d$x, y, ridge = 0,
                                  control = shareboost_control(margin = margin, tol = tol)), "Some rows")
      }
      expect_warning(shareboost(stumps(d$x), y, ridge = 0, max_steps = 2, control = shareboost_control(tol = tol),
                                keep = "x <= 0.5"), "grow for ever")
    }
    expect_no_warning(shareboost(d$x, d$some, ridge = 0, control = shareboost_control(tol = tol)))
    expect_no_warning(shareboost(Species ~ ., iris[51:150, ], ridge = 0, control = shareboost_control(tol = tol)))
    expect_no_warning(shareboost(Species ~ . - 1, iris[51:150, ], ridge = 0, control = shareboost_control(tol = tol)))
  }
  expect_no_warning(shareboost(d$x, two, max_steps = 0, ridge = 0))
  expect_no_warning(shareboost(d$x, two, max_steps = 0, ridge = 0, intercept = FALSE))
})

test_that("a path that ends early says so, to its user only", {
  d <- draw_classes(3, 3)
  x <- cbind(d$x, same = 1, both = d$x[, 1] + d$x[, 2])
  expect_message(fit <- shareboost(x, d$y, max_steps = 9), "ends after 7 rounds")
  expect_identical(max(fit$steps$step), 7L)
  expect_message(shareboost(x[, "same", drop = FALSE], d$y), "ends after 0 rounds")
  expect_message(shareboost(x, d$y), "ends after 7 rounds")
  expect_quiet(shareboost(d$x, d$y))
  expect_quiet(cv_path(x, d$y, fit = shareboost, max_steps = 9, foldid = rep(1:3, 25)))
})

test_that("columns too small for their squares are refused, constant ones are not", {
  d <- draw_classes(3, 3)
  for (scale in c(1e-200, 1e-160, 1e-308)) {
    for (x in list(d$x * scale, as(d$x * scale, "CsparseMatrix"))) {
      expect_error(shareboost(x, d$y), "too small to be squared")
      expect_error(shareboost(x, d$y, intercept = FALSE, rule = "gradient"), "too small")
    }
  }
  x <- cbind(d$x, none = 0, same = 1e-200, noise = 1 + 1e-16 * (d$x[, 1] > 0))
  expect_identical(max(suppressMessages(shareboost(x, d$y))$steps$step), 7L)
  expect_identical(entered(shareboost(d$x * 1e-120, d$y)), entered(shareboost(d$x, d$y)))
})

test_that("separable classes are one warning also in cross-validation", {
  x <- as.matrix(iris[1:4])
  folds <- rep(1:5, 30)
  seen <- NULL
  count <- function(...) {
    seen <<- NULL
    withCallingHandlers(
      cv_path(x, iris$Species, foldid = folds, ...),
      warning = function(w) {
        seen <<- c(seen, conditionMessage(w))
        tryInvokeRestart("muffleWarning")
      }
    )
    length(seen)
  }
  expect_identical(count(fit = shareboost, ridge = 0), 1L)
  expect_match(seen, "setosa")
  # no warning for all rows, one for the folds
  folds_only <- function(frame, ...) {
    shareboost(frame, ..., ridge = if (nrow(frame$x) < 150) 0 else 1e-4)
  }
  expect_identical(count(fit = folds_only), 1L)
  expect_match(seen, "Folds 1, 2, 3, 4, 5: ")
})

test_that("messages name what helps", {
  x <- as.matrix(iris[1:4])
  y <- iris$Species
  fit <- shareboost(x, y)
  expect_error(predict(fit, x, lambda = 1), "Leave it out")
  expect_error(coef(fit, class = c("setosa", "virginica")), "Name one of")
  cv <- cv_path(x, y, fit = shareboost, foldid = rep(1:5, 30))
  expect_error(predict(cv, x, step = "last"), "\"1se\", or \"min\", or step numbers")
  expect_error(plot(cv, "weights"), "without a name")
  expect_error(pieces(x * 0), "are equal")
  expect_error(pieces(x * 1e-200), "rescale")
  expect_error(features_for(greedytl(x, y), .05), "shareboost")
})

test_that("features_for() and irrepresentable() name what they lack", {
  expect_error(features_for(shareboost(Species ~ ., data = iris, max_steps = 2)), class = "transelect_error_error")
  expect_error(features_for(cv_path(Species ~ ., data = iris, nfolds = 3, max_steps = 2)),
               class = "transelect_error_error")
  expect_error(irrepresentable(mtcars), class = "transelect_error_support")
})

test_that("a class of whole numbers whose rows have no weight is dropped with a message", {
  x <- matrix(rnorm(80), 40)
  y <- rep(1:4, 10)
  w <- rep(c(1, 1, 1, 0), 10)
  expect_message(fit <- shareboost(x, y, weights = w, max_steps = 1), "Dropping the class \"4\"")
  expect_identical(fit$classes, c("1", "2", "3"))
  expect_error(shareboost(x, rep(1, 40)), "one class", class = "transelect_error_y")
  expect_error(shareboost(x, replace(y + 0, 3, Inf)), class = "transelect_error_y")
})

test_that("the kernel takes the settings of a fit, and no list that was not checked", {
  x <- matrix(cos((1:36)^2), 12)
  y <- rep(1:3, 4)
  settings <- shareboost(x, factor(y))$settings
  run <- function(settings) .Call(C_shareboost, list(x), y, NULL, NULL, settings, NULL)
  expect_identical(unname(run(settings)$status), 0L)
  expect_error(run(unclass(settings)), "shareboost_settings")
  expect_error(run(structure(replace(unclass(settings), "rule", "other"), class = class(settings))), "'rule'")
})

test_that("classes and responses to be shown are names, not functions or environments", {
  fit <- shareboost(Species ~ ., data = iris, max_steps = 2)
  expect_error(coef(fit, class = mean, matrix = TRUE), "is a function", class = "transelect_error_class")
  expect_error(plot(fit, "weights", class = globalenv()), "is an environment", class = "transelect_error_class")
  expect_error(plot(msplit(Species ~ ., data = iris), response = globalenv()), "is an environment",
               class = "transelect_error_response")
})
