# A function around a method gives what the method gives: folds, classes and losses are the path's.

wrapped_case <- local({
  d <- with_seed(1, {
    x <- matrix(rnorm(60 * 5), 60, dimnames = list(NULL, letters[1:5]))
    list(x = x, y = x[, 1] - x[, 2] + rnorm(60), h = matrix(rnorm(120), 60, dimnames = list(NULL, c("s", "t"))))
  })
  d$domain <- rep(c("u", "v", "w"), each = 20)
  d$kind <- 1 + (d$y > 0) + (d$y > 1)
  d
})

# The same cross-validation by a method and by functions around it.
expect_same_wrapped <- function(fit, ..., settings = list(), d = wrapped_case) {
  run <- function(fit, tuning) {
    out <- with_seed(2, do.call(cv_path, c(list(d$x, fit = fit, ...), tuning)))
    out["call"] <- out$fit["call"] <- list(NULL)
    out$fit$certificate$seconds <- NULL
    out
  }
  bare <- run(fit, settings)
  named <- function(x, ...) fit(x, ...)
  expect_equal(run(named, settings), bare, tolerance = 0)
  expect_equal(run(function(x, ...) fit(x, ...), settings), bare, tolerance = 0)
  partial <- function(x, ...) do.call(fit, c(list(quote(x)), settings, list(...)))
  expect_equal(run(partial, list()), bare, tolerance = 0)
  bare
}

test_that("tgreedy() leaves out domains", {
  d <- wrapped_case
  by_domain <- expect_same_wrapped(tgreedy, y = d$y, domain = d$domain, settings = list(rule = "t"))
  expect_identical(by_domain$folds$fold, c("u", "v", "w"))
  by_rows <- expect_same_wrapped(tgreedy, y = d$y, domain = d$domain, by = "rows")
  expect_identical(nrow(by_rows$folds), 10L)
  expect_same_wrapped(tgreedy, y = d$y, domain = d$domain, foldid = rep(1:3, 20))
})

test_that("tlcp() holds out rows of the target", {
  d <- wrapped_case
  cvf <- expect_same_wrapped(tlcp, y = d$y, domain = d$domain, settings = list(target = "v"))
  expect_identical(which(!is.na(cvf$foldid)), 21:40)
  expect_same_wrapped(tlcp, y = d$y)
})

test_that("tlcp() has its likelihood", {
  d <- wrapped_case
  counts <- with_seed(3, rpois(60, exp(d$x[, 1] / 2)))
  for (case in list(list(counts, "poisson"), list(factor(d$y > 0), "binomial"))) {
    expect_same_wrapped(tlcp, y = case[[1]], settings = list(family = case[[2]]))
  }
})

test_that("a response is checked for the family that the function gives", {
  d <- wrapped_case
  count <- with_seed(3, rpois(60, exp(d$x[, 1] / 2)))
  with_rate <- function(y, family, ...) expect_same_wrapped(tlcp, y = y, settings = list(family = family), ...)
  with_rate(cbind(won = count, lost = 3), "binomial")
  with_rate(cbind(a = count, a = rev(count)), "binomial")
  with_rate(rep(2, 60), "poisson")
  with_rate(count, poisson, weights = rep(0:2, 20))
  with_rate(count, "poisson", offset = d$x[, 2], loss = "mae")
  with_rate(pmin(count, 4) / 4, "binomial", weights = rep(4, 60))
  for (y in list(d$y > 0, ifelse(d$y > 0, "yes", "no"), as.integer(d$y > 0), factor(d$y > 0, c(TRUE, FALSE)))) {
    with_rate(y, "binomial", weights = rep(0:2, 20))
  }
  counts <- data.frame(d$x, y = count)
  for (formula in list(cbind(y, 5) ~ ., y + 1 ~ a + offset(b))) {
    family <- if (is.matrix(eval(formula[[2]], counts))) "binomial" else "poisson"
    bare <- cv_path(formula, counts, fit = tlcp, family = family, subset = c > -1, foldid = rep(1:4, 15))
    around <- cv_path(formula, counts, fit = function(x, ...) tlcp(x, family = family, ...), subset = c > -1,
                      foldid = rep(1:4, 15))
    expect_identical(around[c("fold_loss", "foldid", "index")], bare[c("fold_loss", "foldid", "index")])
  }
})

test_that("survival times are the same with and without a function, strata included", {
  skip_if_not_installed("survival")
  d <- wrapped_case
  time <- with_seed(4, survival::Surv(rexp(60, exp(d$x[, 1])), rbinom(60, 1, .8)))
  for (settings in list(list(family = "cox"), list())) {
    expect_same_wrapped(tlcp, y = time, strata = d$domain, weights = rep(0:2, 20), nfolds = 4, settings = settings)
  }
})

test_that("with many rows, counts and shares are fitted to rows", {
  d <- with_seed(4, list(x = matrix(rnorm(1200), 300, dimnames = list(NULL, letters[1:4]))))
  count <- with_seed(5, rpois(300, exp(d$x[, 1] / 2)))
  for (y in list(cbind(a = count, a = 3), pmin(count, 5) / 5)) {
    expect_same_wrapped(tlcp, y = y, weights = rep(5, 300), settings = list(family = "binomial"), nfolds = 4, d = d)
  }
})

test_that("what is wrong with a response is said the same with a function around the method", {
  d <- wrapped_case
  count <- round(exp(d$y))
  cases <- list(
    list(rep(2, 60)), list(cbind(p = d$y, p = d$y)), list(rep("u", 60)), list(replace(d$y, 3, Inf)),
    list(d$y, strata = d$domain), list(d$y, family = "poisson"), list(cbind(count, -1), family = "binomial"),
    list(factor(d$kind), family = "binomial"), list(count, family = "cox", strata = d$domain),
    list(count, family = "poisson", loss = "auroc"), list(cbind(count, 3), family = "binomial", loss = "auroc"),
    list(pmin(count, 1) / 2, weights = rep(2, 60), family = "binomial", loss = "mse")
  )
  for (case in cases) {
    family <- case$family
    case$family <- NULL
    run <- function(...) {
      tryCatch(do.call(cv_path, c(list(d$x), case, list(...))), transelect_error = function(error) error)
    }
    bare <- if (is.null(family)) run(fit = tlcp) else run(fit = tlcp, family = family)
    said <- list(bare, run(fit = function(x, ...) tlcp(x, family = family, ...)))
    expect_identical(class(said[[2]]), class(said[[1]]))
    expect_identical(conditionMessage(said[[2]]), conditionMessage(said[[1]]))
  }
  for (fit in list(greedytl, tlcp, msplit, shareboost)) {
    expect_error(cv_path(d$x, rep(2, 60), fit = fit), "`y` is constant: every value is 2", class = "transelect_error_y")
  }
})

test_that("a path of one's own has a response that varies, and one name a column", {
  d <- wrapped_case
  own <- function(data, ...) new_transfer_path("own", data, matrix(0, 5, 1), mean(data$y))
  expect_error(cv_path(d$x, rep(2, 60), fit = own), "is constant", class = "transelect_error_y")
  expect_error(cv_path(d$x, cbind(d$y, d$kind), fit = own), "Give one response", class = "transelect_error_y")
})

test_that("msplit() takes several responses, and classes by each of its losses", {
  d <- wrapped_case
  expect_same_wrapped(msplit, y = cbind(p = d$y, q = d$x[, 3] + d$y), settings = list(nu = c(1, 5)))
  expect_same_wrapped(msplit, y = d$y)
  logistic <- function(x, ...) msplit(x, loss = "binomial", ...)
  expect_same_wrapped(logistic, y = factor(d$y > 0), loss = "deviance")
  expect_same_wrapped(msplit, y = factor(d$kind))
})

test_that("shareboost() takes whole numbers for classes", {
  d <- wrapped_case
  cvf <- expect_same_wrapped(shareboost, y = d$kind, settings = list(max_steps = 3))
  expect_identical(cvf$loss, "class")
  expect_identical(cvf$fit$classes, c("1", "2", "3"))
  expect_same_wrapped(shareboost, y = d$kind, loss = "deviance",
                      settings = list(control = list(candidates = 2), max_steps = 3))
})

test_that("greedytl() with sources, and one that draws its candidates", {
  d <- wrapped_case
  expect_same_wrapped(greedytl, y = d$y, sources = d$h)
  expect_same_wrapped(greedytl, y = d$y, sources = d$h,
                      settings = list(control = list(candidates = 2), max_steps = 3))
})

test_that("with a formula, or moments, the folds are the path's too", {
  data <- data.frame(wrapped_case$x, y = wrapped_case$y, where = wrapped_case$domain)
  wrap <- function(x, ...) tgreedy(x, ...)
  bare <- cv_path(y ~ . - where, data, fit = tgreedy, domain = where)
  around <- cv_path(y ~ . - where, data, fit = wrap, domain = where)
  expect_identical(around$fold_loss, bare$fold_loss)
  expect_identical(around$foldid, bare$foldid)
  m <- moments(y ~ . - where, data, domain = where, fold = rep(1:4, 15))
  expect_identical(cv_path(m, fit = wrap)$fold_loss, cv_path(m, fit = tgreedy)$fold_loss)
  expect_identical(nrow(cv_path(m, fit = wrap)$folds), 3L)
  own <- function(x, ...) tlcp(x, target = "u", ...)
  expect_identical(cv_path(m, fit = own)$fold_loss, cv_path(m, fit = tlcp, target = "u")$fold_loss)
})

test_that("methods for one response refuse several by themselves", {
  d <- wrapped_case
  for (fit in list(greedytl, tgreedy, tlcp, shareboost, function(x, ...) tlcp(x, ...))) {
    expect_error(cv_path(d$x, cbind(d$y, d$kind), fit = fit, domain = d$domain),
                 "Give one response", class = "transelect_error_y")
  }
})

test_that("where rows are many candidates are drawn in the same order", {
  d <- with_seed(4, {
    x <- matrix(rnorm(400 * 4), 400, dimnames = list(NULL, letters[1:4]))
    list(x = x, y = x[, 1] + rnorm(400))
  })
  for (x in list(d$x, Matrix::Matrix(d$x * (d$x > 1), sparse = TRUE))) {
    d$x <- x
    cvf <- expect_same_wrapped(greedytl, y = d$y, nfolds = 5, settings = list(control = list(candidates = 2)), d = d)
    expect_identical(sort(unique(cvf$foldid)), 1:5)
    expect_same_wrapped(greedytl, y = d$y, nfolds = 5, d = d)
  }
})

test_that("a function may make several fits: what folds are asked for goes to the one whose path it returns", {
  d <- wrapped_case
  first <- list()
  two <- function(x, ...) {
    first[[length(first) + 1]] <<- msplit(x, nu = 1, choose = "none")
    msplit(x, nu = 5, choose = "none", ...)
  }
  cvf <- cv_path(d$x, d$y, fit = two, foldid = rep(1:3, 20))
  expect_identical(vapply(first, `[[`, 0, "lambda"), rep(1, 4))
  rest <- rep(1:3, 20) != 1
  expect_equal(first[[2]]$beta, msplit(d$x[rest, ], d$y[rest], nu = 1, choose = "none")$beta)
  expect_identical(cvf$cvm, cv_path(d$x, d$y, fit = msplit, nu = 5, choose = "none", foldid = rep(1:3, 20))$cvm)
  drawn <- function(x, ...) {
    greedytl(x, control = greedytl_control(candidates = 4), max_steps = 4)
    greedytl(x, control = greedytl_control(candidates = 1), max_steps = 2, ...)
  }
  expect_identical(with_seed(1, cv_path(d$x, d$y, fit = drawn))$step.min %in% 0:2, TRUE)
  calibrated <- logical()
  some <- function(x, ...) {
    calibrated[length(calibrated) + 1] <<- !is.null(greedytl(x, prob = TRUE)$calibration)
    greedytl(x, max_steps = 2, ...)
  }
  cv_path(d$x, factor(d$y > 0), fit = some, foldid = rep(1:3, 20))
  expect_identical(calibrated, rep(TRUE, 4))
})

test_that("a function whose settings depend on the rows is judged at the times of the path on all rows", {
  d <- wrapped_case
  foldid <- rep(1:3, 20)
  of_rows <- function(x, ...) msplit(x, nu = nrow(x$x) / 12, choose = "none", ...) # 5 of all rows
  expect_identical(cv_path(d$x, d$y, fit = of_rows, foldid = foldid)$cvm,
                   cv_path(d$x, d$y, fit = msplit, nu = 5, choose = "none", foldid = foldid)$cvm)
  points <- msplit(d$x, d$y, nu = 5, choose = "none")$points
  expect_message(msplit(d$x, d$y, nu = 3, points = points), "`nu` from `points`: 5.",
                 class = "transelect_message_points")
  expect_no_message(msplit(d$x, d$y, nu = 5, points = points))
})

test_that("the times of a fold are an argument of msplit(), which a function hands on in its dots", {
  d <- wrapped_case
  foldid <- rep(1:3, 20)
  asked <- list()
  seen <- function(x, ...) {
    asked[[length(asked) + 1]] <<- list(...)$points
    msplit(x, nu = 5, choose = "none", ...)
  }
  wanted <- cv_path(d$x, d$y, fit = msplit, nu = 5, choose = "none", foldid = foldid)
  expect_identical(cv_path(d$x, d$y, fit = seen, foldid = foldid)$cvm, wanted$cvm)
  expect_identical(asked, rep(list(wanted$points), 3)) # the fit to all rows has times of its own
  alone <- function(x) msplit(x, nu = 5, choose = "none")
  expect_identical(cv_path(d$x, d$y, fit = alone, foldid = foldid)$cvm, wanted$cvm)
  fewer <- function(x) alone(frame_rows(x, which(x$x[, 1] < 1.5)))
  expect_error(cv_path(d$x, d$y, fit = fewer, foldid = foldid), class = "transelect_error_fold")
  fewer <- function(x, ...) seen(frame_rows(x, which(x$x[, 1] < 1.5)), ...)
  cvf <- cv_path(d$x, d$y, fit = fewer, foldid = foldid)
  kept <- d$x[, 1] < 1.5
  without <- kept & foldid != 1
  first <- refit(cvf$fit, d$x[without, ], d$y[without], points = cvf$points)
  held <- foldid == 1
  expect_equal(unname(cvf$fold_loss[1, ]),
               unname(colMeans((d$y[held] - predict(first, d$x[held, ], step = cvf$points$step, type = "link"))^2)))
})

test_that("a function that calibrates its fits has the folds of one that does not", {
  d <- wrapped_case
  d$y <- factor(d$y > 0)
  foldid <- rep(1:3, 20)
  plain <- cv_path(d$x, d$y, fit = greedytl, foldid = foldid)
  for (fit in list(greedytl, function(x, ...) greedytl(x, ...))) {
    cvf <- cv_path(d$x, d$y, fit = fit, prob = TRUE, foldid = foldid)
    expect_identical(cvf[c("cvm", "predictions")], plain[c("cvm", "predictions")])
    expect_identical(cvf$fit$calibration, plain$fit$calibration)
  }
  cvf <- cv_path(d$x, d$y, fit = function(x, ...) greedytl(x, prob = TRUE, ...), foldid = foldid)
  expect_identical(cvf$cvm, plain$cvm)
})

test_that("a refit() of one's own makes the folds of one's own path", {
  d <- wrapped_case
  of_size <- function(data, size) {
    fit <- new_transfer_path("of_size", data, matrix(0, 5, 1), mean(data$y))
    fit$size <- size
    fit
  }
  local_method <- function(path, data, ...) {
    fit <- of_size(data, path$size)
    fit$a0 <- 100
    fit
  }
  registerS3method("refit", "of_size", local_method, envir = asNamespace("transelect"))
  cvf <- cv_path(d$x, d$y, fit = of_size, size = 3, foldid = rep(1:3, 20))
  expect_equal(cvf$cvm, mean((d$y - 100)^2))
})

test_that("a function that changes the response or the offset of its data is refused, whatever the response", {
  d <- wrapped_case
  two <- factor(d$y > 0)
  three <- factor(d$kind)
  count <- with_seed(3, rpois(60, exp(d$x[, 1] / 2)))
  reversed <- function(y) factor(y, rev(levels(y)))
  moved <- function(y) factor(levels(y)[as.integer(y) %% nlevels(y) + 1], levels(y))
  changed <- function(x, change) {
    x$y <- change(x$y)
    x
  }
  cases <- list(
    list(two, greedytl), list(three, greedytl), list(two, tgreedy, domain = d$domain), list(two, tlcp),
    list(two, tlcp, family = "binomial"), list(two, msplit), list(three, msplit), list(two, shareboost),
    list(three, shareboost), list(cbind(a = d$y, b = d$x[, 3]), msplit), list(count, tlcp, family = "poisson"),
    list(d$y, tlcp, domain = d$domain, target = "v"), list(cbind(count, 9), tlcp, family = "binomial")
  )
  for (case in cases) {
    method <- case[[2]]
    run <- function(change) {
      fit <- function(x, ...) method(change(x), ...)
      do.call(cv_path, c(list(d$x, case[[1]], fit = fit, foldid = rep_len(1:3, 60)), case[-(1:2)]))
    }
    changes <- if (is.factor(case[[1]])) list(reversed, moved) else list(function(y) y + 1)
    for (change in changes) {
      expect_error(suppressMessages(run(function(x) changed(x, change))), "or the response",
                   class = "transelect_error_fit")
    }
    expect_s3_class(suppressMessages(run(function(x) frame_rows(x, which(x$x[, 1] < 1.5)))), "transfer_cv")
    expect_error(suppressMessages(run(function(x) changed(frame_rows(x, which(x$x[, 1] < 1.5)), changes[[1]]))),
                 "or the response", class = "transelect_error_fit")
  }
  off <- d$x[, 2]
  doubled <- function(x, ...) {
    x$offset <- 2 * x$offset
    tlcp(x, ...)
  }
  for (case in list(list(d$y), list(count, family = "poisson"))) {
    expect_error(do.call(cv_path, c(list(d$x, fit = doubled, offset = off), case)), "or the response",
                 class = "transelect_error_fit")
  }
  fitted <- greedytl(d$x, d$y)
  expect_error(cv_path(d$x, d$y, fit = function(x, ...) fitted), "without fold", class = "transelect_error_fold")
})

test_that("update() of the path of a function without a name has the function's settings", {
  d <- wrapped_case
  x <- d$x
  y <- d$y
  for (fit in list(function(x, ...) greedytl(x, max_steps = 2, ...), function(x, ...) msplit(x, nu = 3, ...),
                   function(x, ...) tlcp(x, criterion = "BIC", ...))) {
    path <- cv_path(x, y, fit = fit, nfolds = 4)$fit
    again <- update(path)
    expect_equal(again[c("beta", "a0", "steps", "best")], path[c("beta", "a0", "steps", "best")])
  }
  y <- factor(y > 0)
  path <- cv_path(x, y, fit = function(x, ...) msplit(x, loss = "binomial", nu = 2, ...), nfolds = 4,
                  loss = "class")$fit
  expect_equal(update(path)[c("beta", "link", "lambda")], path[c("beta", "link", "lambda")])
})

test_that("sources predict once, whatever function makes the fits", {
  d <- wrapped_case
  data <- data.frame(d$x, y = d$y)
  rows <- 0
  counting <- function(newdata) {
    rows <<- rows + nrow(newdata)
    newdata[[1]]
  }
  cv_path(y ~ ., data, fit = greedytl, sources = list(counting), nfolds = 4)
  expect_identical(rows, 60)
  cv_path(y ~ ., data, fit = function(x, ...) greedytl(x, ...), sources = list(counting), nfolds = 4)
  expect_identical(rows, 120)
})

test_that("a function that changes columns is refused: held-out rows are not transformed", {
  d <- wrapped_case
  d$x[, "b"] <- 10 * d$x[, "b"]
  changes <- list(function(x) scale(x), function(x) x[, 5:1])
  for (y in list(d$y, factor(d$kind), factor(d$kind > 1))) {
    for (method in list(greedytl, tgreedy, msplit)) {
      for (change in changes) {
        fit <- function(x, ...) {
          x$x <- change(x$x)
          method(x, ...)
        }
        expect_error(cv_path(d$x, y, domain = d$domain, fit = fit), "columns or the response",
                     class = "transelect_error_fit")
      }
    }
  }
  last <- function(x, ...) {
    x$x <- x$x[, 3:5]
    tgreedy(x, ...)
  }
  expect_error(cv_path(d$x, d$y, domain = d$domain, fit = last), class = "transelect_error_fit")
  ranks <- function(x, ...) {
    x$y <- rank(x$y)
    greedytl(x, ...)
  }
  expect_error(cv_path(d$x, d$y, fit = ranks), class = "transelect_error_fit")
  odds <- function(x, ...) {
    x$x <- scale(x$x)
    tlcp(x, ...)
  }
  expect_error(cv_path(d$x, factor(d$kind > 1), family = "binomial", domain = d$domain, target = "v", fit = odds),
               class = "transelect_error_fit")
})

test_that("a function may leave rows out, or fit the parts of its data", {
  d <- wrapped_case
  fewer <- function(x, ...) {
    x$x <- x$x[-1, ]
    x$y <- x$y[-1]
    greedytl(x, ...)
  }
  expect_s3_class(cv_path(d$x, d$y, fit = fewer, nfolds = 3), "transfer_cv")
  expect_same_wrapped(function(x, ...) greedytl(x$x, x$y, ...), y = d$y)
})

test_that("update() of a fit without a call fits again to the data that it is given", {
  d <- wrapped_case
  updated <- function(x, ...) update(tgreedy(x, ...), max_steps = 2)
  expect_error(cv_path(d$x, d$y, domain = d$domain, fit = updated), "update(fit, data", fixed = TRUE,
               class = "transelect_error_object")
  changed <- function(x, ...) update(tgreedy(x, ...), y ~ ., data = x)
  expect_error(cv_path(d$x, d$y, domain = d$domain, fit = changed), "no formula", class = "transelect_error_object")
  wanted <- cv_path(d$x, d$y, domain = d$domain, fit = tgreedy, max_steps = 2)$cvm
  for (again in list(function(x, ...) refit(tgreedy(x, ...), x, max_steps = 2),
                     function(x, ...) update(tgreedy(x, ...), x, max_steps = 2),
                     function(x, ...) update(tgreedy(x, ...), data = x, max_steps = 2),
                     function(x, ...) update(tgreedy(x, ...), x = x, max_steps = 2))) {
    expect_identical(cv_path(d$x, d$y, domain = d$domain, fit = again)$cvm, wanted)
  }
})

test_that("empty fits, far columns and sources that look up rows are not taken for changed data", {
  either <- expand.grid(a = c(-1, 1), b = c(-1, 1))[rep(1:4, 10), ]
  either$y <- either$a * either$b * rep(1:10, each = 4) / 7
  expect_s3_class(cv_path(y ~ a + b, either, nfolds = 4), "transfer_cv")
  expect_s3_class(cv_path(y ~ a + b, either, fit = msplit, keep = "b", nfolds = 4), "transfer_cv")
  d <- wrapped_case
  expect_s3_class(cv_path(d$x + 1e12, d$y, nfolds = 3), "transfer_cv")
  data <- data.frame(d$x, y = d$y)
  about_mean <- list(m = function(newdata) newdata$a - mean(newdata$a))
  expect_s3_class(cv_path(y ~ a + b, data, sources = about_mean,
                          control = greedytl_control(candidates = 3), nfolds = 3), "transfer_cv")
})

test_that("a function that leaves the domains out of tlcp()'s data is refused in words", {
  d <- wrapped_case
  alone <- function(x, ...) {
    x$domain <- NULL
    tlcp(x, ...)
  }
  expect_error(cv_path(d$x, d$y, domain = d$domain, fit = alone), "not a domain", class = "transelect_error_fit")
})

test_that("a function that changes the path of msplit() is right with its `...`, and refused without", {
  set.seed(1)
  x <- matrix(rnorm(200), 40, dimnames = list(NULL, letters[1:5]))
  y <- x[, 1] - x[, 2] + rnorm(40)
  folds <- rep(1:4, 10)
  nothing <- function(path) {
    path$beta <- path$beta * 0
    path$a0 <- path$a0 * 0
    path
  }
  with <- cv_path(x, y, fit = function(x, ...) nothing(msplit(x, nu = 1, ...)), foldid = folds)
  expect_equal(unname(with$cvm), rep(mean(y^2), length(with$cvm)))
  expect_error(cv_path(x, y, fit = function(x) nothing(msplit(x, nu = 1)), foldid = folds), "changes the path")
  plain <- cv_path(x, y, fit = function(x) msplit(x, nu = 1), foldid = folds)
  two <- cv_path(x, y, foldid = folds, fit = function(x, ...) {
    greedytl(x, ...)
    msplit(x, nu = 1)
  })
  expect_equal(two$cvm, plain$cvm)
  chosen <- function(x, ...) if (nobs(greedytl(x)) == 40) msplit(x, nu = 1) else greedytl(x)
  expect_error(cv_path(x, y, fit = chosen, foldid = folds), "different kinds of path")
})

test_that("update() of a fit by a function of one's own, given by its name, runs this function", {
  d <- with_seed(5, data.frame(a = rnorm(60), b = rnorm(60), h = rep(c("u", "v", "w"), 20)))
  d$y <- d$a + with_seed(6, rnorm(60))
  own <- function(x, ...) {
    path <- tgreedy(x, ...)
    path$of_own <- TRUE
    path
  }
  fit <- cv_path(y ~ a + b, d, fit = own, domain = h)$fit
  again <- update(fit, max_steps = 1)
  expect_true(again$of_own)
  expect_identical(coef(again), coef(tgreedy(y ~ a + b, d, domain = h, max_steps = 1)))
  expect_identical(variable.names(update(fit, ~ . - b)), "a")
  by_matrix <- cv_path(as.matrix(d[1:2]), d$y, fit = own, domain = d$h)$fit
  expect_identical(coef(update(by_matrix)), coef(by_matrix))
  elsewhere <- (function(method) cv_path(y ~ a + b, d, fit = method, domain = h))(own)
  expect_error(update(elsewhere$fit), "function `method`", class = "transelect_error_object")
})

test_that("a path of one's own may be for a target: its rows are dealt to folds", {
  d <- with_seed(7, data.frame(a = rnorm(60), h = rep(c("u", "v"), 30)))
  d$y <- 2 * d$a + with_seed(8, rnorm(60))
  of_target <- function(data, ...) {
    own <- data$domain == "u"
    line <- lm.fit(cbind(1, data$x[own, ]), data$y[own])$coefficients
    new_transfer_path("lines", data, matrix(c(0, line[2]), 1), c(mean(data$y[own]), line[1]), target = "u")
  }
  cv <- cv_path(as.matrix(d["a"]), d$y, fit = of_target, domain = d$h, foldid = rep(1:5, each = 12))
  own <- which(d$h == "u")
  held_out <- vapply(1:5, function(k) {
    out <- intersect(own, 12 * (k - 1) + 1:12)
    rest <- lm(y ~ a, d[setdiff(own, out), ])
    mean((d$y[out] - predict(rest, d[out, ]))^2)
  }, 0)
  expect_equal(unname(cv$fold_loss[, 2]), held_out)
})
