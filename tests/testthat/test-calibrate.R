# Probabilities of classes fitted by squares, against the definition and against the truth.

two_classes <- function(n, p = 6, level = -1) {
  x <- matrix(rnorm(n * p), n, dimnames = list(NULL, paste0("x", seq_len(p))))
  chance <- plogis(level + 2 * x[, 1] - x[, 2])
  list(x = x, y = factor(rbinom(n, 1, chance), 0:1, c("no", "yes")), chance = chance)
}

# The parts that are left out: rows in the order of class and fitted score, dealt out in turn.
naive_parts <- function(fit, y) {
  order <- order(as.integer(y), fitted(fit))
  part <- integer(length(y))
  part[order] <- rep_len(1:10, length(y))
  part
}

test_that("score_odds() is the maximum of likelihood and priors, and its slope is positive", {
  set.seed(1)
  for (draw in 1:20) {
    n <- sample(8:60, 1)
    upper <- sample(rep_len(c(TRUE, FALSE), n))
    score <- rnorm(n, upper * runif(1, -1, 2)) * 10^runif(1, -1, 1)
    w <- runif(n, .5, 2)
    expect_equal(cv_calibrate_odds(score, upper, w), naive_score_odds(score, upper, w), tolerance = 1e-4)
  }
  upper <- c(FALSE, FALSE, TRUE, TRUE)
  for (score in list(c(-1, -2, 1, 2), c(1, 2, -1, -2), rep(3, 4), c(-1, -2, 1, 2) * 1e6)) {
    ab <- cv_calibrate_odds(score, upper, rep(1, 4))
    expect_true(all(is.finite(ab)) && ab[2] > 0)
  }
  expect_true(anyNA(cv_calibrate_odds(c(NA, 1), c(TRUE, FALSE), c(1, 1))))
})

test_that("the scores that greedytl() calibrates have not seen their rows", {
  set.seed(2)
  d <- two_classes(24)
  h <- cbind(h1 = rnorm(24), h2 = as.integer(d$y) + rnorm(24))
  w <- runif(24, .5, 2)
  code <- 2 * (d$y == "yes") - 1
  fit <- greedytl(d$x, d$y, h, weights = w, prob = TRUE, max_steps = 4)
  twin <- naive_greedy_transfer(d$x, h, code, weights = w, max_steps = 4)
  design <- naive_design(d$x, h, code, naive_weights(code, w, "balanced"), source_scale = "common")
  tau <- rep(c(6, 2) * twin$ridge, c(6, 2))
  held <- list(code - twin$average_loo$residual, naive_loo(design, twin$order[1:2], tau)$prediction)
  new <- two_classes(20)$x
  new_h <- cbind(h1 = rnorm(20), h2 = rnorm(20))
  for (k in 1:2) {
    step <- list("average", 2)[[k]]
    ab <- naive_score_odds(held[[k]], d$y == "yes", w / mean(w))
    expect_equal(predict(fit, new, new_h, type = "prob", step = step),
                 plogis(ab[1] + ab[2] * predict(fit, new, new_h, type = "link", step = step)), tolerance = 1e-4)
  }
  expect_equal(dim(predict(fit, new, new_h, type = "prob", step = 1:3)), c(20, 3))
  # any order of the rows, a formula, and refit() give the same
  o <- sample(24)
  expect_equal(greedytl(d$x[o, ], d$y[o], h[o, ], weights = w[o], prob = TRUE, max_steps = 4)$calibration,
               fit$calibration)
  expect_equal(refit(fit, d$x, d$y, weights = w, sources = h)$calibration, fit$calibration)
  fit <- greedytl(d$x, d$y, weights = w, prob = TRUE)
  expect_equal(augment(fit, new)$.prob_yes, predict(fit, new, type = "prob"))
  again <- greedytl(y ~ . - w, data = data.frame(d$x, y = d$y, w), weights = w, prob = TRUE, max_steps = 6)
  expect_equal(unname(predict(again, data.frame(new, w = 1), type = "prob")),
               predict(greedytl(d$x, d$y, weights = w, prob = TRUE, max_steps = 6), new, type = "prob"))
})

test_that("other rules calibrate scores of ten parts left out", {
  set.seed(2)
  d <- two_classes(50)
  fit <- greedytl(d$x, d$y, rule = "paper", prob = TRUE)
  part <- naive_parts(fit, d$y)
  held <- numeric(50)
  for (k in 1:10) {
    less <- greedytl(d$x[part != k, ], d$y[part != k], rule = "paper")
    held[part == k] <- predict(less, d$x[part == k, ], step = min(fit$best, less$best), type = "link")
  }
  ab <- naive_score_odds(held, d$y == "yes", rep(1, 50))
  expect_equal(predict(fit, d$x, type = "prob"), plogis(ab[1] + ab[2] * predict(fit, d$x, type = "link")),
               tolerance = 1e-4)
})

test_that("tgreedy() leaves whole domains out, and stop = \"cv\" calibrates its own step", {
  set.seed(3)
  d <- two_classes(80)
  domain <- rep(c("a", "b", "c", "d"), each = 20)
  new <- two_classes(10)$x
  fit <- tgreedy(d$x, d$y, domain, prob = TRUE)
  held <- numeric(80)
  for (k in unique(domain)) {
    less <- tgreedy(d$x[domain != k, ], d$y[domain != k], domain[domain != k])
    last <- min(fit$best, max(less$points$step))
    held[domain == k] <- predict(less, d$x[domain == k, ], step = last, type = "link")
  }
  ab <- naive_score_odds(held, d$y == "yes", rep(1, 80))
  expect_equal(predict(fit, new, type = "prob"), plogis(ab[1] + ab[2] * predict(fit, new, type = "link")),
               tolerance = 1e-4)
  cv <- tgreedy(d$x, d$y, domain, control = tgreedy_control(stop = "cv"), prob = TRUE)
  expect_equal(cv$calibration, tgreedy(d$x, d$y, domain,
                                       control = tgreedy_control(stop = "none"), prob = TRUE)$calibration)
  extra <- list(x = two_classes(30)$x, domain = rep(c("a", "e"), 15))
  expect_length(predict(tgreedy(d$x, d$y, domain, unlabelled = extra, prob = TRUE), new, type = "prob"), 10)
})

test_that("calibrated probabilities are better than scores as probabilities", {
  set.seed(4)
  gain <- vapply(1:10, function(draw) {
    d <- two_classes(60)
    test <- two_classes(1000)
    fit <- greedytl(d$x, d$y, prob = TRUE)
    yes <- test$y == "yes"
    p <- predict(fit, test$x, type = "prob")
    raw <- pmin(pmax((predict(fit, test$x, type = "link") + 1) / 2, .01), .99)
    c(mean((yes - raw)^2) - mean((yes - p)^2),
      mean(dbinom(yes, 1, p, log = TRUE)) - mean(dbinom(yes, 1, raw, log = TRUE)),
      abs(mean(raw) - mean(test$chance)) - abs(mean(p) - mean(test$chance)))
  }, numeric(3))
  expect_true(all(rowMeans(gain) > 0))
  expect_true(sum(gain[1, ] > 0) >= 8)
})

test_that("several classes have probabilities of sum 1, sources and randomised paths too", {
  set.seed(5)
  rows <- sample(150, 60)
  sources <- cbind(one = iris$Petal.Length, two = rnorm(150))
  fit <- greedytl(iris[rows, 1:4], iris$Species[rows], sources = sources[rows, ], prob = TRUE)
  p <- predict(fit, iris[1:4], sources = sources, type = "prob")
  expect_equal(unname(rowSums(p)), rep(1, 150))
  expect_equal(colnames(p), levels(iris$Species))
  expect_lt(mean(-log(p[cbind(1:150, as.integer(iris$Species))])), log(3))
  shown <- augment(fit, iris[1:4], sources = sources)
  expect_equal(shown$.prob_setosa, unname(p[, "setosa"]))
  measured <- assess(fit, iris[1:4], iris$Species, sources = sources)$measures
  wrong <- mean(predict(fit, iris[1:4], sources = sources, type = "class") != iris$Species)
  expect_equal(measured$estimate[measured$measure == "error"], wrong)
  expect_true("log_loss" %in% measured$measure)
  drawn <- greedytl(iris[rows, 1:4], iris$Species[rows], control = greedytl_control(candidates = 2), prob = TRUE)
  expect_equal(unname(rowSums(predict(drawn, iris, type = "prob"))), rep(1, 150))
})

test_that("cv_path() calibrates by its folds, for msplit() by squares too", {
  set.seed(6)
  d <- two_classes(60)
  fold <- rep(1:5, 12)
  for (method in list(greedytl, msplit)) {
    cvf <- cv_path(d$x, d$y, fit = method, foldid = fold, keep_predictions = TRUE)
    step <- cvf$step.min
    s <- cvf$predictions[, cvf$index[["min"]]]
    ab <- naive_score_odds(s, d$y == "yes", rep(1, 60))
    p <- predict(cvf, d$x, step = "min", type = "prob")
    expect_equal(p, plogis(ab[1] + ab[2] * predict(cvf, d$x, step = "min", type = "link")), tolerance = 1e-4)
  }
  expect_null(cv_path(mpg ~ ., data = mtcars, nfolds = 3)$fit$calibration)
})

test_that("models that msplit() names by a word have classes and scores, and no calibration", {
  set.seed(7)
  d <- two_classes(60)
  three <- cut(drop(d$x %*% c(2, -1, 0, 0, 0, 0)) + rnorm(60), 3, c("low", "mid", "high"))
  new <- two_classes(20)$x
  for (y in list(d$y, three)) {
    cvf <- cv_path(d$x, y, fit = msplit, nfolds = 4)
    alone <- msplit(d$x, y)
    fit <- cvf$fit
    expect_equal(fit$best, "average")
    for (step in c("average", "best")) {
      expect_equal(coef(fit, step = step), coef(alone, step = step))
      expect_equal(coef(cvf, step = step), coef(alone, step = step))
      expect_equal(variable.names(cvf, step = step), variable.names(alone, step = step))
      expect_equal(predict(fit, new, step = step), predict(alone, new, step = step))
      expect_equal(predict(cvf, new, step = step), predict(alone, new, step = step))
      expect_error(predict(fit, new, step = step, type = "prob"), "not calibrated", class = "transelect_error_type")
      expect_error(predict(cvf, new, step = step, type = "prob"), "not calibrated", class = "transelect_error_type")
      expect_equal(assess(fit, d$x, y, step = step), assess(alone, d$x, y, step = step))
      expect_equal(assess(cvf, d$x, y, step = step), assess(alone, d$x, y, step = step))
    }
    expect_error(predict(fit, new, t = fit$points$t[3], estimator = "gamma", type = "prob"), "not calibrated",
                 class = "transelect_error_type")
    expect_error(predict(cvf, new, step = "beste"), "average.*best", class = "transelect_error_step")
    expect_equal(augment(fit, new), augment(alone, new))
    expect_equal(summary(fit)$models, summary(alone)$models)
    expect_true("log_loss" %in% assess(cvf, d$x, y)$measures$measure)
    expect_false("log_loss" %in% assess(fit, d$x, y)$measures$measure)
  }
  # as a source a fit with calibrated steps is what it is without them
  by_fit <- function(model) greedytl(d$x, drop(d$x[, 1]), sources = list(a = model))$beta
  expect_equal(by_fit(cv_path(d$x, d$y, fit = msplit, nfolds = 4)$fit), by_fit(msplit(d$x, d$y)))
})

test_that("what has no probabilities says what to do", {
  d <- two_classes(30)
  expect_error(predict(greedytl(d$x, d$y), d$x, type = "prob"), "prob = TRUE", class = "transelect_error_type")
  expect_error(greedytl(mpg ~ ., data = mtcars, prob = TRUE), class = "transelect_error_prob")
  expect_error(greedytl(d$x, d$y, prob = NA), class = "transelect_error_prob")
  lone <- factor(c("yes", rep("no", 29)))
  expect_error(greedytl(d$x, lone, prob = TRUE), "two rows", class = "transelect_error_prob")
  apart <- factor(rep(c("yes", "no"), each = 15))
  expect_error(tgreedy(d$x, apart, rep(1:2, each = 15), prob = TRUE), "domains", class = "transelect_error_prob")
})
