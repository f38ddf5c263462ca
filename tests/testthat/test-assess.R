# assess() against definitions written out.

estimate_of <- function(a, measure) a$measures$estimate[a$measures$measure == measure]
se_of <- function(a, measure) a$measures$std.error[a$measures$measure == measure]

test_that("measures of numbers are their definitions", {
  set.seed(1)
  y <- rnorm(40)
  p <- .5 * y + rnorm(40)
  a <- assess(p, y)
  expect_equal(estimate_of(a, "rmse"), sqrt(mean((y - p)^2)))
  expect_equal(estimate_of(a, "mae"), mean(abs(y - p)))
  expect_equal(estimate_of(a, "r_squared"), 1 - sum((y - p)^2) / sum((y - mean(y))^2))
  expect_equal(estimate_of(a, "calibration_intercept"), mean(y) - mean(p))
  expect_equal(se_of(a, "calibration_intercept"), sd(y - p) / sqrt(40))
  line <- summary(lm(y ~ p))$coefficients["p", ]
  expect_equal(estimate_of(a, "calibration_slope"), line[["Estimate"]])
  expect_equal(se_of(a, "calibration_slope"), line[["Std. Error"]])
  expect_equal(sum(a$curve$n), 40)
  expect_equal(sum(a$curve$observed * a$curve$n), sum(y))
})

test_that("the area under the ROC curve counts pairs, and its standard error is DeLong's", {
  set.seed(2)
  for (draw in 1:20) {
    n <- sample(6:30, 1)
    y <- sample(rep_len(0:1, n))
    p <- round(plogis(y + rnorm(n)), sample(1:3, 1)) # with ties
    pair <- outer(p[y == 1], p[y == 0], function(a, b) (a > b) + (a == b) / 2)
    a <- assess(p, factor(y))
    expect_equal(estimate_of(a, "auroc"), mean(pair))
    expect_equal(se_of(a, "auroc"), sqrt(var(rowMeans(pair)) / sum(y == 1) +
                                           var(colMeans(pair)) / sum(y == 0)))
  }
})

test_that("measures of probabilities are their definitions", {
  set.seed(3)
  y <- rbinom(80, 1, .4)
  p <- plogis(qlogis(.4) + .8 * (y - .4) + rnorm(80))
  a <- assess(p, factor(y, labels = c("no", "yes")))
  expect_equal(estimate_of(a, "brier"), mean((y - p)^2))
  expect_equal(estimate_of(a, "log_loss"), -mean(dbinom(y, 1, p, log = TRUE)))
  expect_equal(estimate_of(a, "error"), mean(y != (p > .5)))
  expect_equal(estimate_of(a, "balanced_error"), mean(c(mean(p[y == 0] > .5), mean(p[y == 1] <= .5))))
  slope <- summary(glm(y ~ qlogis(p), binomial))$coefficients[2, ]
  level <- summary(glm(y ~ offset(qlogis(p)), binomial))$coefficients[1, ]
  expect_equal(estimate_of(a, "calibration_slope"), slope[["Estimate"]], tolerance = 1e-6)
  expect_equal(se_of(a, "calibration_slope"), slope[["Std. Error"]], tolerance = 1e-5)
  expect_equal(estimate_of(a, "calibration_intercept"), level[["Estimate"]], tolerance = 1e-6)
  expect_true(all(a$curve$conf.low >= 0 & a$curve$conf.high <= 1))
})

test_that("measures of several classes are their definitions", {
  fit <- shareboost(Species ~ ., data = iris)
  p <- predict(fit, iris, step = 1, type = "prob")
  a <- assess(p, iris$Species, top = 2)
  expect_equal(estimate_of(a, "error"), mean(predict(fit, iris, step = 1, type = "class") != iris$Species))
  code <- as.integer(iris$Species)
  expect_equal(estimate_of(a, "log_loss"), -mean(log(p[cbind(1:150, code)])))
  second <- t(apply(p, 1, function(row) order(-row)[1:2]))
  expect_equal(estimate_of(a, "top_k_error"), mean(rowSums(second == code) == 0))
  expect_null(a$curve)
  expect_error(plot(a), "`x` has no calibration curve", class = "transelect_error_x")
  if (requireNamespace("ggplot2", quietly = TRUE)) {
    expect_error(ggplot2::autoplot(a), "`object` has no calibration curve", class = "transelect_error_object")
  }
  # the path itself, and the order of the columns does not matter
  expect_equal(assess(fit, iris, iris$Species, step = 1)$measures, a$measures)
  expect_equal(assess(p[, 3:1], iris$Species)$measures, a$measures)
})

test_that("a fit by formula takes the responses from the new rows", {
  fit <- tlcp(log(mpg) ~ wt + hp, mtcars[1:20, ])
  expect_equal(assess(fit, mtcars[21:32, ]), assess(fit, mtcars[21:32, ], log(mtcars$mpg[21:32])))
  classes <- shareboost(Species ~ ., iris)
  expect_equal(assess(classes, iris), assess(classes, iris, iris$Species))
  expect_equal(confusion(classes, iris), confusion(classes, iris, iris$Species))
  expect_error(assess(fit, mtcars[21:32, c("wt", "hp")]), "`y` is missing", class = "transelect_error_y")
  expect_error(assess(tlcp(mtcars[2:4], mtcars$mpg), mtcars), "`y` is missing", class = "transelect_error_y")
})

test_that("weights count rows, missing rows are left out with a message", {
  set.seed(4)
  y <- rnorm(20)
  p <- y + rnorm(20)
  w <- sample(1:3, 20, TRUE)
  twice <- rep(1:20, w)
  for (measure in c("rmse", "mae", "r_squared", "calibration_intercept", "calibration_slope")) {
    expect_equal(estimate_of(assess(p, y, weights = w), measure),
                 estimate_of(assess(p[twice], y[twice]), measure))
  }
  expect_message(a <- assess(c(p, NA), c(y, 1)), "1 of 21")
  expect_equal(a$measures, assess(p, y)$measures)
})

test_that("scores that are no probabilities are assessed by rank and class alone", {
  d <- draw_case(3, n = 40)
  fit <- greedytl(d$x, d$factor)
  a <- assess(fit, d$x, d$factor)
  expect_identical(a$measures$measure, c("auroc", "error", "balanced_error"))
  expect_equal(estimate_of(a, "error"), mean(predict(fit, d$x, type = "class") != d$factor))
  expect_null(a$curve)
})

test_that("paths and cross-validations are assessed at the step asked for", {
  d <- draw_case(5, n = 40)
  fit <- greedytl(d$x, d$y)
  expect_equal(estimate_of(assess(fit, d$x, d$y, step = 2), "rmse"),
               sqrt(mean((d$y - predict(fit, d$x, step = 2))^2)))
  cvf <- cv_path(d$x, d$y, foldid = rep_len(1:4, 40))
  expect_equal(estimate_of(assess(cvf, d$x, d$y, step = "min"), "mae"),
               mean(abs(d$y - predict(cvf, d$x, step = "min"))))
  expect_error(assess(fit, d$x, d$y, step = 1:2), class = "transelect_error_step")
})

test_that("verbs and pictures", {
  a <- assess(c(.1, .4, .7, .9, .3, .8), factor(c(0, 0, 1, 1, 1, 0)), bins = 2)
  expect_identical(tidy(a), a$measures)
  expect_identical(as.data.frame(a), a$measures)
  expect_output(expect_identical(print(a), a), "6 rows, two classes")
  draw(expect_identical(plot(a), a))
  skip_if_not_installed("ggplot2")
  draw(expect_warning(print(ggplot2::autoplot(a)), NA))
})

test_that("bad input is named", {
  expect_error(assess(lm(dist ~ speed, cars), cars$dist), class = "transelect_error_object")
  expect_error(assess(c(.2, 1.4), factor(0:1)), "outside", class = "transelect_error_object")
  expect_error(assess(1:3, 1:2), class = "transelect_error_y")
  expect_error(assess(1:3, letters[1:3]), class = "transelect_error_object")
  expect_error(assess(diag(2), factor(1:2)), class = "transelect_error_object")
  expect_error(assess(1:3), class = "transelect_error_y")
  expect_error(assess(c(NA, 1), c(1, 1)), class = "transelect_error_y")
  fit <- greedytl(mpg ~ ., data = mtcars)
  expect_error(assess(fit, mtcars[-1]), class = "transelect_error_y")
  expect_error(assess(fit, mtcars, letters[1:32]), class = "transelect_error_y")
  expect_error(assess(c(1, 2, 3), c(1, 2, 4), bins = 1), class = "transelect_error_bins")
})

test_that("confusion(top = k) has beside the diagonal the rows whose class is not among the k largest scores", {
  x <- as.matrix(iris[1:4])
  with_seed(1, y <- factor(sample(letters[1:5], 150, TRUE)))
  for (fit in list(shareboost(x, y, max_steps = 2), greedytl(x, y, max_steps = 3))) {
    for (top in 1:4) {
      found <- confusion(fit, x, y, top = top)
      twin <- assess(fit, x, y, top = top)$measures
      expect_equal(1 - sum(diag(found)) / 150, twin$estimate[twin$measure == "top_k_error"])
    }
    expect_identical(confusion(fit, x, y, top = 1), confusion(fit, x, y))
  }
  foldid <- rep_len(1:5, 150)
  cv <- cv_path(x, y, fit = shareboost, foldid = foldid, max_steps = 2, keep_predictions = TRUE)
  score <- cv$predictions[, , cv$index[["min"]]]
  rank <- vapply(1:150, function(i) sum(score[i, ] > score[i, as.integer(y)[i]]), 0)
  expect_equal(sum(diag(confusion(cv, step = "min", top = 2))), sum(rank < 2))
  bare <- cv_path(x, y, fit = shareboost, foldid = foldid, max_steps = 2)
  expect_error(confusion(bare, top = 2), "keep_predictions", class = "transelect_error_top")
  expect_error(confusion(cv, top = 5), class = "transelect_error_top")
  two <- shareboost(x, factor(y == "a"), max_steps = 1)
  expect_error(confusion(two, x, factor(y == "a"), top = 2), class = "transelect_error_top")
})

test_that("standard errors of clusters are jackknives over them", {
  set.seed(4)
  n <- 240
  g <- rep(1:24, 10)
  x <- rnorm(n)
  u <- rnorm(24)[g]
  leave_out <- function(estimate) {
    values <- vapply(1:24, function(k) estimate(g != k), 0)
    sqrt(23 / 24 * sum((values - mean(values))^2))
  }
  y <- x + u + rnorm(n)
  a <- assess(x, y, cluster = g)
  near <- function(ours, twin) expect_equal(ours, twin, tolerance = .05)
  near(se_of(a, "calibration_intercept"), leave_out(function(k) mean((y - x)[k])))
  near(se_of(a, "calibration_slope"), leave_out(function(k) coef(lm(y[k] ~ x[k]))[[2]]))
  near(se_of(a, "rmse"), leave_out(function(k) sqrt(mean((y - x)[k]^2))))
  expect_gt(se_of(a, "calibration_intercept"), 1.2 * se_of(assess(x, y), "calibration_intercept"))
  high <- a$measures$conf.high - a$measures$estimate
  expect_equal(high[a$measures$measure == "mae"], qt(.975, 23) * se_of(a, "mae"))
  hit <- factor(rbinom(n, 1, plogis(x + u)))
  p <- plogis(x)
  b <- assess(p, hit, cluster = g)
  area <- function(k) estimate_of(assess(p[k], hit[k]), "auroc")
  near(se_of(b, "auroc"), leave_out(area))
  near(se_of(b, "calibration_slope"), leave_out(function(k) estimate_of(assess(p[k], hit[k]), "calibration_slope")))
  near(se_of(b, "calibration_intercept"),
       leave_out(function(k) estimate_of(assess(p[k], hit[k]), "calibration_intercept")))
  near(se_of(b, "balanced_error"), leave_out(function(k) estimate_of(assess(p[k], hit[k]), "balanced_error")))
  near(se_of(b, "brier"), leave_out(function(k) estimate_of(assess(p[k], hit[k]), "brier")))
  # each row a cluster: the rows are independent
  own <- assess(p, hit, cluster = seq_len(n))
  expect_equal(se_of(own, "brier"), se_of(assess(p, hit), "brier"))
  for (wrong in list(1, g[-1], rep(1, n), replace(g, 3, NA))) {
    expect_error(assess(x, y, cluster = wrong), class = "transelect_error_cluster")
  }
})

test_that("confidence limits stay within the range of their measure", {
  fit <- shareboost(Species ~ ., data = iris[seq(1, 150, 2), ])
  a <- assess(fit, iris[seq(2, 150, 2), ], cluster = rep(1:15, 5))
  expect_true(all(a$measures$conf.low >= 0))
  shares <- a$measures[grepl("error", a$measures$measure), ]
  expect_true(all(shares$conf.high <= 1 & shares$conf.high > shares$conf.low))
  b <- assess(c(.1, .2, .8, .9, .7, .3), factor(c(0, 0, 1, 1, 1, 0)))
  shares <- b$measures[grepl("error", b$measures$measure), ]
  expect_equal(shares$conf.high, rep(assess_measure_wilson_interval(0, 6)[2], 2))
})

test_that("measures of survival times have standard errors by clusters", {
  skip_if_not_installed("survival")
  d <- naive_family_data(6, n = 200)
  fit <- tlcp(survival::Surv(time, status) ~ a + b, data = d, select = FALSE)
  a <- assess(fit, d, survival::Surv(d$time, d$status), cluster = "g")
  eta <- predict(fit, d, type = "link")
  model <- survival::coxph(survival::Surv(time, status) ~ eta, d, cluster = g)
  expect_equal(se_of(a, "calibration_slope"), sqrt(vcov(model)[[1]]), tolerance = 1e-6)
})

test_that("counts have the mean deviance of their family", {
  set.seed(2)
  d <- data.frame(a = rnorm(60), b = rnorm(60), w = runif(60))
  d$y <- rnbinom(60, mu = exp(1 + d$a / 2), size = 1.5)
  old <- d[1:40, ]
  new <- d[41:60, ]
  deviance_of <- function(fit, family) {
    found <- assess(fit, new, weights = new$w)
    mu <- unname(predict(fit, new, type = "response"))
    expect_equal(found$family, "poisson")
    at <- found$measures$measure == "deviance"
    expect_equal(found$measures$estimate[at], weighted.mean(family$dev.resids(new$y, mu, rep(1, 20)), new$w))
    expect_gt(found$measures$std.error[at], 0)
    found
  }
  fit <- tlcp(y ~ a + b, old, family = "poisson", select = FALSE)
  deviance_of(fit, poisson())
  model <- glm(y ~ a + b, poisson, old)
  again <- assess(fit, old)$measures
  expect_equal(again$estimate[again$measure == "deviance"], deviance(model) / 40, tolerance = 1e-5)
  negative <- tlcp(y ~ a + b, old, family = "negbin")
  found <- deviance_of(negative, MASS::negative.binomial(negative$theta))
  expect_output(print(found), "counts")
  deviance_of(greedytl(y ~ a + b, old, family = "poisson"), poisson())
  expect_error(assess(fit, new, new$y / 2), "counts")
})
