# The same method with the same settings on other rows.

test_that("a path fitted again to its own rows is the path, for every method", {
  d <- draw_domains(4)
  three <- cut(d$y, 3, labels = c("l", "m", "h"))
  same <- function(fit, ...) {
    again <- suppressMessages(refit(fit, ...))
    expect_s3_class(again, class(fit), exact = TRUE)
    expect_equal(again[c("beta", "a0", "steps", "best", "fitted")],
                 fit[c("beta", "a0", "steps", "best", "fitted")])
  }
  w <- rep_len(1:3, length(d$y))
  same(greedytl(d$x, d$y, max_steps = 3, lambda = c(1, .1), weights = w), d$x, d$y, weights = w)
  same(greedytl(d$x, d$y, rule = "paper"), d$x, d$y)
  same(tgreedy(d$x, d$y, d$domain, rule = "t", max_steps = 4), d$x, d$y, domain = d$domain)
  same(suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = d$domain[1], criterion = "BIC")),
       d$x, d$y, domain = d$domain)
  same(shareboost(d$x, three, rule = "gradient", max_steps = 3), d$x, three)
  same(msplit(d$x, d$y, nu = c(1, 5), choose = "none"), d$x, d$y)
  same(msplit(mpg ~ ., mtcars, weights = cyl), mtcars)
  data <- data.frame(y = d$y, d$x, group = rep_len(c("a", "b", "c"), length(d$y)), where = d$domain)
  fit <- tgreedy(y ~ . - where, data, domain = where)
  same(fit, data)
  some <- data[data$group != "c", ]
  expect_identical(names(coef(refit(fit, some))), names(coef(fit)))
  expect_equal(predict(refit(fit, data, nu = 1), data),
               predict(tgreedy(y ~ . - where, data, domain = where, nu = 1), data))
})

test_that("a fit without an intercept by its formula or moments stays without", {
  rows <- mtcars[1:20, ]
  for (fit in list(greedytl, msplit, tlcp)) {
    path <- fit(mpg ~ wt + hp - 1, rows)
    again <- refit(path, mtcars)
    expect_true(all(again$a0 == 0))
    expect_equal(again$beta, fit(mpg ~ wt + hp - 1, mtcars)$beta)
  }
  path <- refit(greedytl(moments(mpg ~ wt + hp - 1, rows)), mtcars, mtcars$mpg)
  expect_true(all(path$a0 == 0))
  without <- greedytl(mpg ~ wt + hp, rows, intercept = FALSE)
  expect_true(all(refit(without, mtcars)$a0 == 0))
  expect_false(all(refit(without, mtcars, intercept = TRUE)$a0 == 0))
})

test_that("an error about rows without a column of the path names the argument that the rows came by", {
  d <- draw_domains(4)
  fit <- greedytl(d$x, d$y)
  expect_error(refit(fit, d$x[, 1:2], d$y), "`data` lacks", class = "transelect_error_data")
  few <- list(x = d$x[1:4, 1:3], domain = d$domain[1:4])
  expect_error(tgreedy(d$x, d$y, d$domain, unlabelled = few), "`unlabelled$x` lacks", fixed = TRUE,
               class = "transelect_error_unlabelled")
})

test_that("families, offsets and strata, stumps and pieces are fitted again", {
  d <- naive_family_data(3, n = 160)
  d$w <- rep_len(1:2, nrow(d))
  d$e <- rep_len(c(.5, 0, 1), nrow(d))
  same <- function(fit, ...) {
    again <- suppressMessages(refit(fit, ...))
    expect_equal(again[c("beta", "a0", "steps", "best", "fitted")], fit[c("beta", "a0", "steps", "best", "fitted")])
    again
  }
  fit <- tlcp(died ~ a + b + c, d, family = binomial, weights = w, domain = g, target = "1")
  same(fit, d)
  half <- seq_len(nrow(d)) %% 2 == 0
  expect_equal(coef(refit(fit, d[half, ])),
               coef(tlcp(died ~ a + b + c, d[half, ], family = binomial, weights = w, domain = g, target = "1")))
  fit <- tlcp(count ~ a + b + offset(e), d, family = "poisson")
  expect_equal(predict(same(fit, d), d), predict(fit, d))
  fit <- tlcp(years ~ a + b + c, d, offset = e)
  expect_equal(predict(same(fit, d), d), predict(fit, d))
  x <- as.matrix(d[c("a", "b")])
  same(tlcp(x, cbind(d$count, 9), family = "binomial"), x, cbind(d$count, 9))
  same(tlcp(x, d$count, family = "poisson", offset = d$e), x, d$count, offset = d$e)
  if (rlang::is_installed("survival")) {
    same(tlcp(Surv(time, status) ~ a + b + strata(g), d), d)
  }
  kinds <- list(stumps(iris[1:4]), pieces(iris[1:4], as.matrix(iris[c(1, 60, 120), 1:4]), 2))
  for (map in kinds) {
    fit <- shareboost(map, iris$Species, max_steps = 3)
    expect_equal(predict(same(fit, iris[1:4], iris$Species), iris), predict(fit, iris))
    some <- c(1:30, 60:90, 110:140)
    if (inherits(map, "stumps")) {
      expect_equal(coef(refit(fit, iris[some, 1:4], iris$Species[some])),
                   coef(shareboost(stumps(iris[some, 1:4]), iris$Species[some], max_steps = 3)))
    }
  }
})

test_that("a path with times is fitted again at the times that are given, also from moments", {
  d <- with_seed(1, draw_case(1, n = 60, p = 5))
  first <- 1:40
  fit <- msplit(d$x[first, ], d$y[first], nu = c(1, 10))
  for (rows in list(first, 11:60)) {
    again <- refit(fit, d$x[rows, ], d$y[rows], points = fit$points)
    expect_identical(again$points[c("step", "t")], fit$points[c("step", "t")])
    whole <- msplit(d$x[rows, ], d$y[rows], nu = c(1, 10), control = msplit_control(t_ratio = 1e4))
    for (nu in c(1, 10)) {
      at <- fit$points[fit$points$lambda == nu, ]
      for (k in c(1, nrow(at) %/% 2, nrow(at))) {
        expect_equal(coef(again, step = at$step[k], nu = nu, estimator = "sparse"),
                     coef(whole, t = at$t[k], nu = nu, estimator = "sparse"),
                     ignore_attr = TRUE)
      }
    }
  }
  m <- moments(d$x[11:60, ], d$y[11:60])
  expect_equal(refit(fit, m, points = fit$points)$beta, again$beta)
  for (wrong in list(3, fit$points[c("step", "t")], fit$points[0, ], transform(fit$points, t = -t),
                     transform(fit$points, lambda = -1), transform(fit$points, t = NA))) {
    expect_error(refit(fit, d$x, d$y, points = wrong), "points", class = "transelect_error_points")
  }
  expect_equal(msplit(d$x[11:60, ], d$y[11:60], points = fit$points)$beta, again$beta)
  expect_error(msplit(d$x, d$y, points = 3), "not a table", class = "transelect_error_points")
  expect_message(told <- refit(fit, d$x[11:60, ], d$y[11:60], points = fit$points, nu = 3),
                 class = "transelect_message_points")
  expect_equal(told$beta, again$beta)
  expect_message(another <- msplit(d$x[11:60, ], d$y[11:60], points = fit$points, nu = 3),
                 "argument `nu` has no effect")
  expect_equal(another$beta, again$beta)
  expect_equal(msplit(d$x[11:60, ], d$y[11:60], points = fit$points, nu = c(3, 1, 10))$beta, again$beta)
  expect_error(refit(greedytl(mpg ~ wt, mtcars), mtcars, points = fit$points), "points",
               class = "transelect_error_points")
})

test_that("kept stumps are those of the fit, also by number", {
  x <- as.matrix(iris[1:4])
  fit <- suppressWarnings(shareboost(stumps(x), iris$Species, keep = 60, max_steps = 1))
  expect_identical(fit$steps$entered[2], "Petal.Length <= 1.35")
  some <- seq(2, 150, 3) # fewer thresholds of the columns before
  again <- suppressWarnings(refit(fit, iris[some, 1:4], iris$Species[some]))
  cut <- as.numeric(sub(".* <= ", "", again$steps$entered[2]))
  expect_identical(x[some, "Petal.Length"] <= cut, x[some, "Petal.Length"] <= 1.35)
})

test_that("refit() has the rows that it is given; what cannot be fitted again is an error that says why", {
  fit <- greedytl(mpg ~ wt + hp + qsec, mtcars[1:20, ], max_steps = 2)
  new <- mtcars[21:32, ]
  new$wt[2] <- NA
  expect_equal(coef(refit(fit, new)),
               coef(greedytl(mpg ~ wt + hp + qsec, new[-2, ], max_steps = 2)))
  expect_error(refit(fit, new["wt"]), class = "transelect_error")
  x <- as.matrix(mtcars[2:4])
  expect_error(refit(greedytl(x, mtcars$mpg), x), "response", class = "transelect_error_y")
  d <- draw_domains(1)
  fit <- tgreedy(d$x, d$y, d$domain, unlabelled = list(x = d$x, domain = d$domain))
  expect_error(refit(fit, d$x, d$y, domain = d$domain), "Give it again", class = "transelect_error_unlabelled")
  again <- refit(fit, d$x, d$y, domain = d$domain, unlabelled = list(x = d$x, domain = d$domain))
  expect_equal(coef(again), coef(fit))
  expect_error(refit(fit, d$x, d$y, domain = d$domain, unlabelled = NULL, typo = 1), "typo")
  own <- cv_path(mpg ~ wt, mtcars, nfolds = 3, fit = function(data) {
    new_transfer_path("own", data, matrix(0:1, 1), c(0, 1))
  })$fit
  expect_error(refit(own, mtcars), "refit.own", class = "transelect_error_path")
})

test_that("a path from moments is fitted to rows with the settings that it has", {
  d <- draw_domains(4)
  two <- d$x + .1 * seq_along(d$x)
  of <- function(fit) fit[c("beta", "a0", "steps", "best", "fitted")]
  same <- function(method, ..., domain = NULL) {
    fit <- suppressMessages(method(moments(d$x, d$y, domain = domain), ...))
    again <- suppressMessages(refit(fit, two, d$y, domain = domain))
    rows <- if (is.null(domain)) method(two, d$y, ...) else method(two, d$y, domain = domain, ...)
    expect_equal(of(again), of(rows))
    expect_equal(path_step_table(suppressMessages(refit(fit, two, d$y, domain = domain, max_steps = 1))), 0:1)
  }
  keep <- colnames(d$x)[2]
  same(greedytl, rule = "paper", max_steps = 3, keep = keep)
  same(greedytl, lambda = c(1, .1), average = FALSE)
  suppressMessages(same(tgreedy, rule = "t", max_steps = 4, nu = .5, domain = d$domain))
  same(msplit, nu = c(1, 5), choose = "none", intercept = FALSE)
  fit <- tlcp(moments(d$x, d$y, domain = d$domain), target = d$domain[1], criterion = "BIC", keep = keep,
              borrow = "aggregate")
  again <- refit(fit, two, d$y, domain = d$domain)
  expect_equal(of(again), of(tlcp(two, d$y, domain = d$domain, target = d$domain[1], criterion = "BIC", keep = keep,
                                  borrow = "aggregate")))
})

test_that("refit() takes moments of the path's columns", {
  m <- moments(mpg ~ wt + hp + qsec, mtcars, domain = cyl)
  by_rows <- list(
    greedytl(mpg ~ wt + hp + qsec, mtcars, max_steps = 2),
    tgreedy(mpg ~ wt + hp + qsec, mtcars, domain = cyl, max_steps = 2),
    tlcp(mpg ~ wt + hp + qsec, mtcars, domain = cyl, target = "4", control = tlcp_control(units = "own")),
    msplit(mpg ~ wt + hp + qsec, mtcars, choose = "none", nu = 3)
  )
  for (fit in by_rows) {
    again <- refit(fit, m)
    expect_equal(coef(again), coef(fit))
    expect_equal(again$steps$rss, fit$steps$rss)
    expect_null(again$fitted)
  }
  expect_error(refit(by_rows[[1]], moments(mpg ~ wt, mtcars)), "moments of the columns",
               class = "transelect_error_data")
  expect_error(refit(by_rows[[1]], m, y = mtcars$mpg), "beside moments", class = "transelect_error_moments")
})

test_that("what a path does not keep must be given again, or as NULL", {
  d <- data.frame(a = rnorm(40), b = rnorm(40), kind = factor(rep_len(c("u", "v"), 40)))
  d$y <- d$a + rnorm(40)
  models <- list(other = lm(y ~ b + kind, d), same = lm(y ~ a, d))
  fit <- greedytl(y ~ a, d, sources = models)
  expect_error(refit(fit, d), "sources.*Give it again", class = "transelect_error_sources")
  expect_equal(coef(refit(fit, d, sources = models)), coef(fit)) # models are asked with all columns of the data
  expect_equal(coef(refit(fit, d, sources = NULL)), coef(greedytl(y ~ a, d)))
  fit <- tlcp(y ~ a + b, d, sources = models["other"])
  expect_error(refit(fit, d), class = "transelect_error_sources")
  expect_equal(coef(refit(fit, d, sources = models["other"])), coef(fit))
  x <- as.matrix(d[c("a", "b")])
  w <- rep_len(1:3, 40)
  fit <- greedytl(x, d$y, weights = w)
  expect_error(refit(fit, x, d$y), "weights.*Give it again", class = "transelect_error_weights")
  expect_equal(coef(refit(fit, x, d$y, weights = w)), coef(fit))
  expect_equal(coef(refit(fit, x, d$y, weights = NULL)), coef(greedytl(x, d$y)))
  fit <- do.call(greedytl, list(y ~ a, d, weights = rep_len(c(1, 2.5), 40)))
  expect_error(refit(fit, d), "Give it again", class = "transelect_error_object")
  expect_equal(coef(refit(fit, d, weights = rep_len(c(1, 2.5), 40))), coef(fit))
})

test_that("classes that the path does not know are an error", {
  two <- droplevels(iris[1:100, ])
  for (fit in list(greedytl(Species ~ ., two), shareboost(Species ~ ., two, max_steps = 2), msplit(Species ~ ., two))) {
    expect_error(refit(fit, iris), "virginica.*not a class of the path", class = "transelect_error_y")
    expect_identical(nobs(refit(fit, iris[11:90, ])), 80L)
  }
})

test_that("refit() codes new rows as the path does, update() as the new data do", {
  same <- function(a, b) isTRUE(all.equal(coef(a), coef(b)))
  first <- mtcars[1:20, ]
  plain <- greedytl(mpg ~ wt + hp, first, max_steps = 2)
  expect_true(same(refit(plain, mtcars), update(plain, data = mtcars)))
  expect_true(same(refit(plain, first, max_steps = 1), update(plain, max_steps = 1)))
  bent <- greedytl(mpg ~ poly(wt, 2), first)
  expect_true(same(update(bent, data = mtcars), greedytl(mpg ~ poly(wt, 2), mtcars)))
  expect_false(same(refit(bent, mtcars), update(bent, data = mtcars)))
  half <- greedytl(mpg ~ wt + hp, first, subset = cyl > 4)
  expect_identical(nobs(update(half, data = mtcars)), sum(mtcars$cyl > 4))
  expect_identical(nobs(refit(half, mtcars)), 32L)
  levels <- data.frame(y = c(1, 2, 4, 3, 5, 9, 7, 8), f = c("a", "b", "a", "b", "b", "c", "b", "c"))
  lettered <- greedytl(y ~ f, levels)
  expect_identical(variable.names(update(lettered, data = levels[c(2, 4:8), ]), step = 1), "fc")
  expect_identical(names(coef(refit(lettered, levels[c(2, 4:8), ]))), c("(Intercept)", "fb", "fc"))
  short <- greedytl(y ~ f, levels[1:5, ])
  expect_error(refit(short, levels), class = "transelect_error_data")
  expect_identical(update(plain, data = mtcars)$call$data, quote(mtcars))
  expect_identical(refit(plain, mtcars)$call$data, quote(first))
})

test_that("a class that a user adds to a path changes neither refit() nor cv_path()", {
  x <- as.matrix(mtcars[2:5])
  fit <- greedytl(x, mtcars$mpg, max_steps = 2)
  added <- fit
  class(added) <- c("marked", class(fit))
  expect_equal(coef(refit(added, x, mtcars$mpg)), coef(fit))
  of_class <- function(...) {
    function(x) {
      path <- greedytl(x)
      class(path) <- c(..., class(path))
      path
    }
  }
  folds <- rep(1:4, 8)
  plain <- cv_path(x, mtcars$mpg, foldid = folds)
  expect_equal(cv_path(x, mtcars$mpg, fit = of_class("marked"), foldid = folds)$cv, plain$cv)
  made <- 0
  registerS3method("refit", "counted_path", function(path, data, ...) {
    made <<- made + 1
    NextMethod()
  }, envir = asNamespace("transelect"))
  counted <- cv_path(x, mtcars$mpg, fit = of_class("marked", "counted_path"), foldid = folds)
  expect_gte(made, 4)
  expect_equal(counted$cv, plain$cv)
})

test_that("points hold for one call of refit(), and are given in the order of their times", {
  set.seed(1)
  x <- matrix(rnorm(200), 40, dimnames = list(NULL, letters[1:5]))
  y <- x[, 1] - x[, 2] + rnorm(40)
  whole <- msplit(x, y)
  few <- refit(whole, x, y, points = whole$points[1:9, ])
  expect_identical(nrow(few$points), 9L)
  expect_equal(coef(refit(few, x, y)), coef(whole))
  expect_identical(refit(few, x, y, nu = 1)$lambda, 1)
  expect_error(msplit(x, y, points = whole$points[9:1, ]), "order", class = "transelect_error_points")
  expect_error(msplit(x, y, points = whole$points[c(1, 1), ]), "twice", class = "transelect_error_points")
  expect_error(msplit(x, y, points = data.frame(step = .5, t = 1, lambda = 1)), class = "transelect_error_points")
  one <- msplit(x, y, nu = 1)
  rounded <- data.frame(step = 0:2, t = 0:2, lambda = 1)
  expect_equal(msplit(x, y, points = rounded)$beta, msplit(x, y, points = transform(rounded, t = as.double(t)))$beta)
})

test_that("a fit without data is updated with the variables of its formula, as lm() is", {
  within <- function(fitter, ...) {
    y <- mtcars$mpg
    a <- mtcars$wt
    b <- mtcars$hp
    w <- mtcars$cyl
    fitter(y ~ a + b)
  }
  fit <- within(function(f) tlcp(f, weights = w, select = FALSE))
  own <- within(function(f) lm(f, weights = w))
  expect_equal(coef(update(fit, . ~ . - b)), coef(update(own, . ~ . - b)), tolerance = 1e-6)
  expect_equal(coef(update(fit, log(y) ~ a)), coef(update(own, log(y) ~ a)), tolerance = 1e-6)
  expect_identical(update(fit, criterion = "BIC")$settings$criterion, "BIC")
  for (fit in list(within(function(f) greedytl(f)), within(function(f) msplit(f)), with(mtcars, tlcp(mpg ~ wt + hp)))) {
    expect_length(coef(update(fit, . ~ . - hp - b)), 2)
  }
  cv <- within(function(f) cv_path(f, nfolds = 4))
  expect_identical(nrow(update(cv, nfolds = 5)$folds), 5L)
  expect_length(coef(update(cv, . ~ . - b)), 2)
  # with data the formula's environment is not kept
  expect_lt(length(serialize(within(function(f) tlcp(mpg ~ wt, mtcars)), NULL)), 30000)
})

test_that("refit() without data says what is missing", {
  for (fit in list(tlcp(mpg ~ wt, mtcars), greedytl(mpg ~ wt, mtcars))) {
    expect_error(refit(fit, tol = 0), class = "transelect_error_data")
  }
})
