# ---- ShareBoost on awkward data

test_that("separable classes: a small ridge converges, none warns", {
  case <- iris_case()
  two <- list(x = case$x, y = factor(case$y == "setosa", labels = c("other", "setosa")))
  expect_silent(fit <- shareboost(two$x, two$y, ridge = 1e-4))
  expect_true(all(is.finite(fit$steps$loss)))
  expect_identical(fit$steps$error[5], 0)
  expect_warning(fit <- shareboost(two$x, two$y, ridge = 0), "separ|ridge")
  expect_true(all(is.finite(shareboost_weights(fit, max(fit$steps$step))$beta)))
})

test_that("a wide margin converges, and what does not is said", {
  case <- iris_case()
  for (margin in c(5, 20)) {
    fit <- shareboost(case$x, case$y, control = shareboost_control(margin = margin), ridge = 1e-4)
    twin <- naive_shareboost(case$x, case$y, margin = margin)
    expect_close(fit$steps$loss, twin$loss)
    expect_true(all(fit$steps$converged))
    expect_lt(max(fit$steps$iterations), 100)
  }
  fit <- suppressWarnings(shareboost(case$x, case$y, control = shareboost_control(margin = 50),
                                     ridge = 1e-4))
  expect_close(fit$steps$loss, naive_shareboost(case$x, case$y, margin = 50)$loss, 1e-6)
})

test_that("a Hessian that floats cannot hold, or not to enough digits, is made in doubles", {
  d <- draw_classes(11, k = 3)
  path <- function(x, ...) shareboost(x, d$y, max_steps = ncol(x), rule = "gradient", ...)
  small <- path(d$x, standardize = FALSE, ridge = 0)
  large <- path(d$x * 2^100, standardize = FALSE, ridge = 0)
  expect_true(all(large$steps$converged))
  expect_identical(entered(large), entered(small))
  expect_close(large$steps$loss, small$steps$loss)
  for (gap in c(1e-2, 1e-4, 1e-6)) {
    x <- cbind(d$x[, 1:3], near = d$x[, 1] + gap * d$x[, 4], nearer = d$x[, 2] + gap * d$x[, 5])
    fit <- path(x, ridge = 1e-6)
    expect_true(all(fit$steps$converged))
    expect_lt(max(fit$steps$iterations), 60)
    twin <- naive_shareboost(x, d$y, max_steps = 5, rule = "gradient", ridge = 1e-6)
    expect_close(fit$steps$loss, twin$loss)
  }
})

test_that("weights of very different size, a class of one row, more classes than columns", {
  d <- draw_classes(85, 3)
  pair <- shareboost_pair(d, 4, weights = 10^(seq_along(d$y) %% 9))
  expect_shareboost_twin(pair, 1e-6)
  one <- d
  one$y <- factor(replace(rep("a", length(d$y)), 5, "b"))
  expect_shareboost_twin(shareboost_pair(one, 3, ridge = 1e-2), 1e-6)
  many <- draw_classes(86, 20, n = 300, p = 4)
  expect_shareboost_twin(shareboost_pair(many, 3, ridge = 1e-3), 1e-6)
  expect_shareboost_twin(shareboost_pair(many, 3, rule = "gradient", ridge = 1e-3), 1e-6)
})

test_that("zeros and ones, rows that repeat, columns all constant", {
  d <- draw_classes(87, 3, n = 60, p = 9)
  d$x <- (d$x > 0) + 0
  expect_shareboost_twin(shareboost_pair(d, 5))
  rows <- rep(1:5, 12)
  expect_message(fit <- shareboost(d$x[rows, ], d$y), "no column is left")
  expect_lte(max(fit$steps$step), 4)
  expect_message(none <- shareboost(matrix(1, 60, 2), d$y), "no column is left")
  expect_equal(nrow(none$steps), 1)
})

test_that("a path to the end of the columns, with and without a ridge", {
  d <- draw_classes(88, 4, n = 400, p = 30)
  for (ridge in c(0, 1e-8, 1e-4)) {
    fit <- shareboost(d$x, d$y, ridge = ridge, max_steps = 30, control = shareboost_control(tol = 1e-9))
    expect_true(all(fit$steps$converged))
    order <- match(entered(fit), colnames(d$x))
    problem <- sb_problem(
      sb_columns(d$x, d$y), order, list(ridge = ridge, penalty = "ridge", beta = 1, margin = 1)
    )
    best <- sb_objective(problem, sb_refit(problem, matrix(0, 31, 4)))
    expect_close(fit$steps$loss[31], best)
  }
})

test_that("constant and doubled columns do not enter", {
  d <- draw_classes(80, 3)
  x <- cbind(d$x, k0 = 0, k5 = 5, d$x[, 1:2] * 2 - 1)
  colnames(x)[10:11] <- c("again1", "again2")
  expect_message(fit <- shareboost(x, d$y, max_steps = 11), "no column is left")
  plain <- shareboost(d$x, d$y, max_steps = 7)
  # of two copies either may enter, never both
  expect_identical(sub("again", "x", entered(fit)), entered(plain))
  expect_close(fit$steps$loss, plain$steps$loss)
})

test_that("more columns than rows", {
  d <- draw_classes(81, 4, n = 40, p = 60)
  expect_shareboost_twin(shareboost_pair(d, 6, ridge = 1e-2))
  expect_shareboost_twin(shareboost_pair(d, 6, ridge = 1e-2, rule = "gradient"))
})

test_that("max_steps = 0 is the intercept alone", {
  d <- draw_classes(82, 3)
  fit <- shareboost(d$x, d$y, max_steps = 0, control = shareboost_control(tol = 1e-11))
  expect_equal(nrow(fit$steps), 1)
  twin <- naive_shareboost(d$x, d$y, max_steps = 0)
  expect_close(fit$steps$loss, twin$loss)
  expect_close(shareboost_weights(fit, 0)$a0, twin$rounds[[1]]$a0 - mean(twin$rounds[[1]]$a0))
})

test_that("kept columns enter first", {
  d <- draw_classes(83, 3)
  fit <- shareboost(d$x, d$y, keep = c("x6", "x4"), max_steps = 4, ridge = 1e-4)
  expect_identical(entered(fit)[1:2], c("x6", "x4"))
  rest <- naive_shareboost(d$x, d$y, max_steps = 4, keep = c(6, 4))
  expect_identical(entered(fit), colnames(d$x)[rest$order])
  expect_close(fit$steps$loss, rest$loss, 1e-6)
  expect_same_shareboost(fit, shareboost(d$x, d$y, keep = c(6, 4), max_steps = 4, ridge = 1e-4))
  groups <- factor(c("a", "b", "a", "c", "d", "c", "b"))
  fit <- shareboost(d$x, d$y, groups = groups, keep = "d", max_steps = 2)
  expect_identical(entered(fit)[1], "d")
  # naming one column of a group keeps the whole group
  expect_same_shareboost(shareboost(d$x, d$y, groups = groups, keep = 3, max_steps = 2),
                         shareboost(d$x, d$y, groups = groups, keep = "a", max_steps = 2))
  expect_same_shareboost(shareboost(d$x, d$y, groups = groups, keep = "x3", max_steps = 2),
                         shareboost(d$x, d$y, groups = groups, keep = "a", max_steps = 2))
})

test_that("kept columns have no penalty", {
  for (seed in 1:3) {
    d <- draw_classes(90 + seed, c(2, 3, 4)[seed], "correlated", n = 80)
    groups <- factor(c("a", "b", "a", "c", "d", "c", "b"))
    for (rule in c("orthogonal", "gradient", "full")) for (penalty in c("ridge", "l1", "linf1")) {
      run <- function(fit, ...) {
        fit(d$x, d$y, rule = rule, penalty = penalty, ridge = .05, max_steps = 3, groups = groups, ...)
      }
      fit <- run(shareboost, keep = "b", control = shareboost_control(tol = 1e-11))
      twin <- run(naive_shareboost, keep = 2)
      expect_identical(entered(fit), levels(groups)[twin$order])
      expect_close(fit$steps$loss, twin$loss, 1e-8)
      last <- shareboost_weights(fit, 3)
      other <- centred_weights(twin$rounds[[4]]$beta, twin$rounds[[4]]$a0)
      expect_close(last$beta * twin$scale, other$beta * twin$scale, 1e-5)
    }
  }
  # what is not kept has a coefficient of 0, so that the others are those of glm()
  d <- draw_classes(95, 2, n = 80)
  fit <- shareboost(d$x, d$y, keep = c("x2", "x5"), ridge = 1e8,
                    control = shareboost_control(margin = 0, tol = 1e-12), max_steps = 4)
  expect_equal(unname(coef(fit)[c("(Intercept)", "x2", "x5")]),
               unname(coef(glm(d$y ~ d$x[, c(2, 5)], family = binomial))), tolerance = 1e-6)
  # weights of columns that separate classes have no optimum
  apart <- cbind(d$x, apart = (d$y == levels(d$y)[1]) * 2 + rnorm(80, sd = .1))
  expect_warning(shareboost(apart, d$y, keep = "apart", max_steps = 2), "by columns of `keep`")
  expect_no_warning(shareboost(apart, d$y, keep = "x2", max_steps = 2))
})

test_that("factors of a formula enter whole, and groups = FALSE takes them apart", {
  data <- with_seed(4, data.frame(a = rnorm(90), kind = factor(sample(c("u", "v", "w"), 90, TRUE)), b = rnorm(90)))
  y <- factor(with_seed(5, ifelse(data$kind == "u", "x", sample(c("x", "y", "z"), 90, TRUE))))
  fit <- shareboost(y ~ ., cbind(data, y = y))
  expect_setequal(entered(fit), c("a", "kind", "b"))
  expect_identical(fit$steps$type[fit$steps$entered %in% "kind"], "group")
  expect_identical(fit$steps$type[fit$steps$entered %in% "a"], "feature")
  expect_same_shareboost(fit, shareboost(data, y))
  expect_setequal(entered(shareboost(data, y, groups = FALSE)), c("a", "kindv", "kindw", "b"))
  expect_warning(kept <- shareboost(data, y, keep = "kind", max_steps = 1), "by columns of `keep`")
  expect_identical(entered(kept), "kind")
})

test_that("a shortlist of all columns is none, one of one column is the gradient's choice", {
  d <- draw_classes(89, 3, "correlated", p = 9)
  plain <- shareboost(d$x, d$y, rule = "gradient", max_steps = 5)
  for (rule in shareboost_rules[3:5]) {
    whole <- shareboost(d$x, d$y, rule = rule, max_steps = 4)
    expect_same_shareboost(whole, shareboost(d$x, d$y, rule = rule, max_steps = 4,
                                             control = shareboost_control(shortlist = 9)))
    one <- shareboost(d$x, d$y, rule = rule, max_steps = 5, control = shareboost_control(shortlist = 1))
    expect_identical(entered(one), entered(plain))
  }
})

test_that("random candidates draw, all of them do not matter", {
  d <- draw_classes(84, 3, p = 12)
  all <- with_seed(1, shareboost(d$x, d$y, control = shareboost_control(candidates = 12), max_steps = 4))
  expect_identical(entered(all), entered(shareboost(d$x, d$y, max_steps = 4)))
  few <- function(seed) with_seed(seed, shareboost(d$x, d$y,
                                                   control = shareboost_control(candidates = 2), max_steps = 6))
  expect_identical(entered(few(1)), entered(few(1)))
  expect_gt(length(unique(lapply(1:6, function(seed) entered(few(seed))))), 1)
  fit <- few(2)
  twin <- naive_shareboost(d$x, d$y, max_steps = 6, follow = match(entered(fit), colnames(d$x)))
  expect_close(fit$steps$loss, twin$loss, 1e-6)
})

test_that("a column without a gradient does not enter before others where nothing else decides", {
  # a margin so wide that no probability is left: scores are a gradient by nothing, or 0 / 0
  side <- rep(c(-1, 1), each = 20)
  x <- cbind(none = rep(c(-1, 1), 20), side = side)
  fit <- suppressWarnings(shareboost(x, side > 0, ridge = 0,
                                     control = shareboost_control(margin = 100), max_steps = 1))
  expect_identical(fit$steps$entered[2], "side")
})

test_that("no round at all is a model too, of stumps and of pieces", {
  x <- as.matrix(iris[1:4])
  for (z in list(x, stumps(x), with_seed(1, pieces(x, centers = 4)))) {
    fit <- shareboost(z, iris$Species, max_steps = 0)
    expect_identical(fit$steps$step, 0L)
    expect_identical(as.character(predict(fit, x[51:53, ])), rep("setosa", 3))
    expect_identical(dim(coef(fit, matrix = TRUE)), c(3L, 1L + 4L * identical(z, x)))
    expect_output(print(fit), "step 0")
  }
})

test_that("several rounds that do not converge are one warning, with the fit", {
  x <- with_seed(4, matrix(rnorm(60), 10))
  expect_warning(
    fit <- shareboost(x, factor(rep_len(1:3, 10)), penalty = "l1",
                      control = shareboost_control(margin = 40)), "Rounds 3, 4",
    class = "transelect_warning_converge"
  )
  expect_s3_class(fit, "shareboost")
})

test_that("weights without an optimum stay numbers", {
  for (seed in c(4, 7, 8)) {
    x <- with_seed(seed, matrix(rnorm(8), 2) * 10^sample(-3:3, 1))
    for (penalty in c("l1", "linf1", "ridge")) {
      fit <- suppressMessages(suppressWarnings(shareboost(
        x, factor(1:2), groups = c(1, 1, 2, 2), penalty = penalty,
        control = shareboost_control(margin = 100, sharpness = c(1000, 1, 10)[match(seed, c(4, 7, 8))]), ridge = 0
      )))
      expect_true(all(is.finite(coef(fit))))
    }
  }
})
