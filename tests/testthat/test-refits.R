# Verbs that take a fit in place of formula, data and method: the same result as the long call.

refits_same <- function(short, long) {
  set.seed(1)
  short <- suppressMessages(short)
  set.seed(1)
  long <- suppressMessages(long)
  expect_identical(short$fold_loss, long$fold_loss)
  expect_identical(short$foldid, long$foldid)
  expect_identical(short$step.1se, long$step.1se)
}

test_that("cv_path(fit) is cv_path() of its formula, data and method", {
  f <- shareboost(Species ~ ., data = iris, max_steps = 3)
  refits_same(cv_path(f, nfolds = 3), cv_path(Species ~ ., data = iris, fit = shareboost, max_steps = 3, nfolds = 3))
  f <- tlcp(mpg ~ wt + hp, mtcars, domain = cyl, target = "4")
  refits_same(cv_path(f), cv_path(mpg ~ wt + hp, mtcars, fit = tlcp, domain = cyl, target = "4"))
  f <- greedytl(mpg ~ ., mtcars, rule = "paper", weights = wt, subset = hp > 60)
  refits_same(cv_path(f), cv_path(mpg ~ ., mtcars, rule = "paper", weights = wt, subset = hp > 60))
  f <- tgreedy(mpg ~ wt + hp, mtcars, domain = cyl)
  refits_same(cv_path(f), cv_path(mpg ~ wt + hp, mtcars, fit = tgreedy, domain = cyl))
  x <- as.matrix(mtcars[-1])
  y <- mtcars$mpg
  f <- msplit(x, y, nu = 5)
  refits_same(cv_path(f, nfolds = 5), cv_path(x, y, fit = msplit, nu = 5, nfolds = 5))
  m <- moments(x, y, fold = rep_len(1:4, 32))
  f <- tlcp(m)
  refits_same(cv_path(f), cv_path(m, fit = tlcp))
  f <- tlcp(carb ~ wt, mtcars, family = poisson, offset = log(hp))
  refits_same(cv_path(f), cv_path(carb ~ wt, mtcars, fit = tlcp, family = poisson, offset = log(hp)))
})

test_that("a setting of the method that cv_path() has, too, is the method's", {
  d <- transform(mtcars, am = factor(am))
  f <- msplit(am ~ qsec + carb, d, loss = "binomial")
  refits_same(suppressWarnings(cv_path(f, nfolds = 3)), suppressWarnings(
    cv_path(am ~ qsec + carb, d, fit = function(x, ...) msplit(x, loss = "binomial", ...), nfolds = 3)))
})

test_that("the variables of a fit are found where it was made, or an error says what is lost", {
  inside <- function() {
    rows <- mtcars
    k <- "wt"
    f <- tlcp(mpg ~ wt + hp + qsec, rows, keep = k)
    cv_path(f, nfolds = 4)
  }
  refits_same(inside(), cv_path(mpg ~ wt + hp + qsec, mtcars, fit = tlcp, keep = "wt", nfolds = 4))
  f <- do.call(tlcp, list(mpg ~ wt, mtcars))
  expect_error(cv_path(f), "`data`", class = "transelect_error_object")
  refits_same(cv_path(f, data = mtcars), cv_path(mpg ~ wt, mtcars, fit = tlcp))
  made <- (function() {
    gone <- mtcars
    tlcp(mpg ~ wt, gone)
  })()
  expect_error(cv_path(made), "`gone`", class = "transelect_error_object")
  f <- tlcp(mpg ~ wt, mtcars)
  expect_error(cv_path(f, mtcars), "without a name", class = "transelect_error_argument")
  expect_error(cv_path(f, zz = 1), "`zz`", class = "transelect_error_argument")
  expect_error(cv_path(cv_path(f)), "is a cross-validation", class = "transelect_error_x")
})

test_that("selection_frequency(fit) is that of its formula, data and method", {
  f <- greedytl(mpg ~ ., mtcars)
  set.seed(1)
  short <- selection_frequency(f, pairs = 3)
  set.seed(1)
  expect_identical(short, selection_frequency(mpg ~ ., mtcars, fit = greedytl, pairs = 3))
  cv <- cv_path(f, nfolds = 3)
  set.seed(1)
  expect_identical(selection_frequency(cv, pairs = 3), short)
  f <- tlcp(carb ~ wt, mtcars, family = poisson, offset = log(hp))
  expect_error(selection_frequency(f), "no `offset`", class = "transelect_error_object")
})

test_that("compare_paths() of fits is that of their methods on their data", {
  best <- tlcp(mpg ~ ., mtcars)
  all <- tlcp(mpg ~ ., mtcars, select = FALSE)
  other <- greedytl(mpg ~ ., mtcars)
  set.seed(1)
  short <- compare_paths(best, all, greedy = other, nfolds = 4)
  set.seed(1)
  fits <- list(best = tlcp, all = function(x, ...) tlcp(x, select = FALSE, ...), greedy = greedytl)
  expect_identical(short, compare_paths(mpg ~ ., mtcars, fits = fits, nfolds = 4))
  expect_identical(as.character(short$rule[1:3]), c("best", "all", "greedy"))
})

test_that("a fit without the domains of another one does not get them", {
  own <- tlcp(mpg ~ wt + hp, mtcars, domain = cyl, target = "4")
  together <- tlcp(mpg ~ wt + hp, mtcars)
  set.seed(1)
  short <- compare_paths(own, together, nfolds = 4, baselines = FALSE)
  set.seed(1)
  long <- compare_paths(mpg ~ wt + hp, mtcars, domain = cyl, nfolds = 4, baselines = FALSE, fits = list(
    own = function(x, ...) tlcp(x, target = "4", ...),
    together = function(x, ...) {
      x$domain <- NULL
      tlcp(x, ...)
    }
  ))
  expect_identical(short, long)
  # rows of the target are predicted by the fit to the other rows of all domains
  at <- attr(short, "foldid")
  errors <- vapply(sort(unique(at[!is.na(at)])), function(k) {
    out <- which(at == k)
    fit <- tlcp(mpg ~ wt + hp, mtcars[-out, ])
    mean((mtcars$mpg[out] - predict(fit, mtcars[out, ]))^2)
  }, 0)
  expect_equal(unname(attr(short, "fold_loss")[, "together"]), errors)
})

test_that("fits that cannot be compared on one data set are refused, with the way out", {
  f <- tlcp(mpg ~ wt + hp, mtcars)
  expect_error(compare_paths(f, tlcp(mpg ~ wt, mtcars)), "different columns.*foldid", class = "transelect_error_dots")
  expect_error(compare_paths(f, tlcp(mpg ~ wt + hp, mtcars, subset = hp > 90)), "different `subset`",
               class = "transelect_error_dots")
  counts <- tlcp(carb ~ wt + hp, mtcars, family = poisson)
  expect_error(compare_paths(f), "one fit.*fits = list\\(one = tlcp\\)", class = "transelect_error_dots")
  expect_error(compare_paths(counts, counts), "counts.*foldid",
               class = "transelect_error_dots")
  expect_error(compare_paths(f, cv_path(f)), "Give fits only", class = "transelect_error_dots")
  expect_error(compare_paths(cv_path(f), f), "or only fits", class = "transelect_error_dots")
  expect_error(compare_paths(f, zz = 1), "`zz`", class = "transelect_error_argument")
})

test_that("signals() of data is that of an msplit() fit", {
  x <- as.matrix(mtcars[-1])
  y <- mtcars$mpg
  expect_identical(signals(mpg ~ ., mtcars), signals(msplit(mpg ~ ., mtcars)))
  expect_identical(signals(formula = mpg ~ wt + hp, data = mtcars, weights = qsec, fdr = .2, k = 1),
                   signals(msplit(mpg ~ wt + hp, mtcars, weights = qsec), fdr = .2, k = 1))
  expect_identical(signals(x, y, nu = 5), signals(msplit(x, y, nu = 5)))
  m <- moments(x, y)
  expect_identical(signals(m), signals(msplit(m)))
  expect_identical(signals(as.data.frame(x), y), signals(msplit(as.data.frame(x), y)))
  cv <- cv_path(x, y, fit = msplit, nfolds = 3)
  expect_identical(signals(cv), signals(cv$fit))
  expect_error(signals(tlcp(x, y)), "signals(y ~ ., data)", fixed = TRUE, class = "transelect_error_object")
  expect_error(signals(3), "data", class = "transelect_error_object")
})

test_that("conformal() of a fit finds its data", {
  f <- greedytl(mpg ~ wt + hp, mtcars)
  expect_identical(conformal(f)$score, conformal(f, mtcars)$score)
})
