# Rule "paper" and what both rules share.

paper <- function(...) greedytl(..., rule = "paper")

test_that("rule paper follows the naive twin on every kind of data", {
  for (kind in case_kinds) {
    for (seed in 1:12) {
      d <- draw_case(seed, kind)
      label <- paste(kind, seed)
      y <- if (seed %% 2) d$y else d$factor
      code <- if (seed %% 2) d$y else d$class
      tau <- c(1, 0.05, 20)[seed %% 3 + 1]
      steps <- c(6, 10)[seed %% 2 + 1]
      fit <- paper(d$x, y, d$h, lambda = tau / 20, max_steps = steps, control = greedytl_control(tol = 0))
      twin <- function(follow = NULL) {
        naive_greedy_paper(d$z, code, tau, steps, tol = 0, follow = follow)
      }
      if (kind == "tied") {
        expect_twin_follow(fit, twin, colnames(d$z), steps, label)
      } else {
        expect_twin(fit, twin(), label = label)
      }
    }
  }
})

test_that("rule paper follows the naive twin when columns outnumber rows", {
  for (seed in 1:8) {
    d <- draw_case(seed, c("random", "correlated")[seed %% 2 + 1], n = 8, p = 40, s = 20)
    fit <- paper(d$x, d$y, d$h, max_steps = 12, control = greedytl_control(tol = 0))
    expect_twin(fit, naive_greedy_paper(d$z, d$y, 1, 12, 0), label = paste("wide", seed))
  }
})

test_that("long columns and several threads give the same path", {
  d <- draw_case(11, "correlated", n = 203, p = 517, s = 61)
  fit <- paper(d$x, d$y, d$h, max_steps = 5, control = greedytl_control(tol = 0))
  expect_twin(fit, naive_greedy_paper(d$z, d$y, 1, 5, 0), label = "long")
  old <- options(transelect.threads = 3)
  on.exit(options(old))
  threaded <- paper(d$x, d$y, d$h, max_steps = 5, control = greedytl_control(tol = 0))
  expect_identical(as.matrix(threaded$beta), as.matrix(fit$beta))
  expect_identical(threaded$steps, fit$steps)
})

test_that("many small problems follow the naive twin", {
  for (seed in 1:150) {
    n <- 3 + seed %% 7
    d <- draw_case(seed, "random", n = n, p = 1 + seed %% 4, s = 1 + seed %% 3)
    steps <- ncol(d$z)
    fit <- paper(d$x, d$y, d$h, max_steps = steps, control = greedytl_control(tol = 0))
    expect_twin(fit, naive_greedy_paper(d$z, d$y, 1, steps, 0), label = paste("small", seed))
  }
})

test_that("rule paper is Algorithm 1 of the paper", {
  for (seed in 1:10) {
    d <- draw_case(seed, "correlated")
    z <- scale(d$z)
    algorithm <- naive_algorithm_1(z, d$y - mean(d$y), k = 5, lambda = 2)
    fit <- paper(d$x, d$y, d$h, lambda = 2 / 20, max_steps = 5, control = greedytl_control(tol = 0))
    expect_identical(entered(fit), colnames(d$z)[algorithm$order])
    beta <- as.matrix(fit$beta)[, 6] * attr(z, "scaled:scale")
    expect_close(beta, algorithm$w, 1e-12)
  }
})

test_that("without a ridge and without sources the order is that of forward regression", {
  skip_if_not_installed("leaps")
  for (seed in 1:20) {
    d <- draw_case(seed, c("random", "correlated")[seed %% 2 + 1], n = 40, p = 10)
    forward <- leaps::regsubsets(d$x, d$y, method = "forward", nvmax = 10)
    which <- summary(forward)$which[, -1]
    counts <- colSums(which)
    order <- colnames(d$x)[order(-counts)]
    for (lambda in c(0, 1e-13)) {
      fit <- paper(d$x, d$y, lambda = lambda, max_steps = 10, control = greedytl_control(tol = 0))
      expect_identical(entered(fit), order)
      expect_close(fit$steps$rss[-1], forward$ress[-1], 1e-7)
    }
  }
})

test_that("without a ridge every step is the lm of its columns", {
  d <- draw_case(3, "correlated", n = 30, p = 6)
  fit <- paper(d$x, d$y, lambda = 0, max_steps = 6, control = greedytl_control(tol = 0))
  for (k in 1:6) {
    reference <- lm(d$y ~ d$x[, entered(fit)[1:k]])
    expect_close(fit$a0[k + 1], coef(reference)[1], 1e-9)
    expect_close(as.matrix(fit$beta)[entered(fit)[1:k], k + 1], coef(reference)[-1], 1e-9)
    expect_close(fit$steps$df[k + 1], k + 1)
    press <- mean((residuals(reference) / (1 - hatvalues(reference)))^2)
    expect_close(fit$steps$loo[k + 1], press, 1e-8)
  }
})

test_that("without a ridge collinear columns never enter", {
  d <- draw_case(1, "random", n = 30, p = 4)
  x <- cbind(d$x, y1 = d$x[, 1], y2 = d$x[, 2] + d$x[, 3], y3 = -2 * d$x[, 4] + 5, y4 = 7)
  fit <- paper(x, d$y, lambda = 0, max_steps = 8, control = greedytl_control(tol = 0))
  expect_length(entered(fit), 4)
  expect_equal(qr(cbind(1, x[, entered(fit)]))$rank, 5)
  expect_true(all(is.finite(fit$steps$objective)))
  fit <- paper(d$x[1:4, ], d$y[1:4], lambda = 0, max_steps = 4, control = greedytl_control(tol = 0))
  expect_lte(length(entered(fit)), 3)
})

test_that("several lambdas are the paths of one lambda each", {
  d <- draw_case(5, "correlated")
  lambdas <- c(0.001, 0.05, 2)
  for (y in list(d$y, d$factor)) {
    all <- paper(d$x, y, d$h, lambda = lambdas, max_steps = 7, control = greedytl_control(tol = 0))
    for (lambda in lambdas) {
      one <- paper(d$x, y, d$h, lambda = lambda, max_steps = 7, control = greedytl_control(tol = 0))
      points <- which(all$points$lambda == lambda)
      expect_equal(all$points$step[points], 0:7)
      expect_equal(as.matrix(all$beta)[, points], as.matrix(one$beta), tolerance = 1e-12)
      expect_equal(all$a0[points], one$a0, tolerance = 1e-12)
      rows <- all$steps[all$steps$lambda == lambda, ]
      expect_equal(rows, one$steps, tolerance = 1e-12, ignore_attr = TRUE)
      expect_equal(
        predict(all, d$new$x, sources = d$new$h, step = 4, lambda = lambda, type = "link"),
        predict(one, d$new$x, sources = d$new$h, step = 4, type = "link")
      )
    }
  }
})

test_that("the default of rule paper is tau = 1 and tol = 1e-4", {
  d <- draw_case(2)
  fit <- paper(d$x, d$y, d$h)
  expect_equal(unique(fit$steps$lambda), 1 / 20)
  expect_twin(fit, naive_greedy_paper(d$z, d$y, 1, 13, 1e-4))
  expect_equal(fit$best, max(fit$steps$step))
})

test_that("a kept column that repeats earlier ones is an error without a ridge", {
  d <- draw_case(1)
  x <- cbind(d$x, again = d$x[, 1])
  expect_error(paper(x, d$y, lambda = 0, keep = c("x1", "again")), "again")
})

test_that("tol ends the path before the step that falls short", {
  for (seed in 1:6) {
    d <- draw_case(seed, "correlated")
    for (tol in c(1e-1, 1e-2, 1e-3)) {
      fit <- paper(d$x, d$y, d$h, control = greedytl_control(tol = tol), max_steps = 13)
      twin <- naive_greedy_paper(d$z, d$y, 1, 13, tol)
      expect_twin(fit, twin, label = paste("tol", tol, seed))
    }
  }
  expect_length(entered(paper(d$x, d$y, control = greedytl_control(tol = 1e6))), 0)
})

test_that("kept columns enter first and stay", {
  d <- draw_case(4)
  for (keep in list("x8", c("h4", "x7"))) {
    fit <- paper(d$x, d$y, d$h, keep = keep, max_steps = 6, control = greedytl_control(tol = 0))
    twin <- naive_greedy_paper(d$z, d$y, 1, 6, 0, keep = match(keep, colnames(d$z)))
    expect_twin(fit, twin, label = "keep")
  }
})

test_that("weights, no intercept and no scaling follow the naive twin", {
  for (seed in 1:6) {
    d <- draw_case(seed, "correlated")
    fit <- paper(d$x, d$y, d$h, weights = d$weights, max_steps = 6, control = greedytl_control(tol = 0))
    expect_twin(fit, naive_greedy_paper(d$z, d$y, 1, 6, 0, weights = d$weights), label = "weights")
    fit <- paper(d$x, d$factor, d$h, weights = d$weights, max_steps = 6, control = greedytl_control(tol = 0))
    twin <- naive_greedy_paper(d$z, d$class, 1, 6, 0, weights = d$weights)
    expect_twin(fit, twin, label = "weights, classes")
    fit <- paper(d$x, d$y, d$h, standardize = FALSE, max_steps = 6, control = greedytl_control(tol = 0))
    expect_twin(fit, naive_greedy_paper(d$z, d$y, 1, 6, 0, standardize = FALSE), label = "raw")
    fit <- paper(d$x, d$y, d$h, intercept = FALSE, max_steps = 6, control = greedytl_control(tol = 0))
    twin <- naive_greedy_paper(d$z, d$y, 1, 6, 0, intercept = FALSE)
    expect_twin(fit, twin, label = "origin")
    expect_true(all(fit$a0 == 0))
  }
})

test_that("two rows and one column are enough", {
  x <- cbind(a = c(1, 3), b = c(2, -2))
  fit <- paper(x, c(0, 1), lambda = 0.5)
  expect_twin(fit, naive_greedy_paper(x, c(0, 1), 1, 2))
  fit <- greedytl(x, factor(c("u", "v")), sources = cbind(s = c(-1, 1)))
  expect_true(all(is.finite(coef_matrix(fit))))
  d <- draw_case(6)
  one <- paper(d$x[, 1, drop = FALSE], d$y, control = greedytl_control(tol = 0))
  expect_twin(one, naive_greedy_paper(d$x[, 1, drop = FALSE], d$y, 1, 1, 0))
  expect_equal(dim(one$beta), c(1L, 2L))
})

test_that("unusual but meaningful input is accepted", {
  d <- draw_case(9)
  empty <- greedytl(d$x, d$y, d$h, max_steps = 0)
  expect_equal(dim(empty$beta), c(13L, 1L))
  expect_equal(unname(predict(empty, d$new$x, sources = d$new$h)), rep(mean(d$y), 7))
  as_text <- greedytl(d$x, as.character(d$factor), d$h, max_steps = 4)
  expect_same_path(greedytl(d$x, d$factor, d$h, max_steps = 4), as_text)
  expect_same_path(greedytl(d$x, d$y, max_steps = 4), greedytl(d$x, d$y, list(), max_steps = 4))
  bare <- greedytl(unname(d$x), d$y, unname(d$h), max_steps = 4)
  expect_close(as.matrix(bare$beta), as.matrix(greedytl(d$x, d$y, d$h, max_steps = 4)$beta))
  expect_length(predict(bare, unname(d$new$x), sources = unname(d$new$h)), 7)
  unseen <- replace(d$new$x, 5, NA)
  fit <- greedytl(d$x, d$y, d$h, max_steps = 13)
  expect_identical(which(is.na(predict(fit, unseen, sources = d$new$h))), 5L)
})

test_that("a row of weight zero is a row left out", {
  d <- draw_case(10)
  weights <- replace(d$weights, c(2, 9), 0)
  out <- -c(2, 9)
  for (rule in c("transfer", "paper")) {
    a <- greedytl(d$x, d$factor, d$h, weights = weights, rule = rule, max_steps = 6)
    b <- greedytl(
      d$x[out, ], d$factor[out], d$h[out, ],
      weights = weights[out], rule = rule, max_steps = 6
    )
    expect_same_path(a, b)
  }
})

test_that("the path object is complete and consistent", {
  d <- draw_case(7)
  fit <- greedytl(d$x, d$factor, d$h, max_steps = 6)
  expect_s3_class(fit, c("greedytl", "transfer_path"), exact = TRUE)
  expect_s4_class(fit$beta, "dgCMatrix")
  expect_equal(dim(fit$beta), c(13L, 7L))
  expect_equal(rownames(fit$beta), colnames(d$z))
  expect_equal(fit$points$step, 0:6)
  expect_equal(fit$steps$step, 0:6)
  expect_equal(fit$steps$size, colSums(as.matrix(fit$beta) != 0), ignore_attr = TRUE)
  expect_identical(fit$steps$entered[1], NA_character_)
  expect_true(is.na(fit$steps$gain[1]))
  first <- substr(entered(fit), 1, 1)
  expect_equal(as.character(fit$steps$type[-1]), ifelse(first == "x", "feature", "source"))
  expect_equal(-diff(fit$steps$objective) * 20, fit$steps$gain[-1], tolerance = 1e-10)
  expect_identical(fit$best, "average")
  expect_equal(fit$nobs, 20)
  expect_identical(fit$family, "binomial")
  expect_identical(fit$classes, c("no", "yes"))
})

test_that("a factor of three classes is three binary fits", {
  d <- draw_case(8, n = 30)
  classes <- factor(c("c", "a", "b")[1 + (rank(d$y) > 10) + (rank(d$x[, 2]) > 18)])
  for (rule in c("transfer", "paper")) {
    fit <- greedytl(d$x, classes, d$h, rule = rule, max_steps = 5)
    expect_identical(fit$family, "multinomial")
    expect_identical(names(fit$beta), c("a", "b", "c"))
    links <- predict(fit, d$new$x, sources = d$new$h, type = "link")
    expect_equal(dim(links), c(7L, 3L))
    for (class in levels(classes)) {
      y <- factor(ifelse(classes == class, class, "rest"), levels = c("rest", class))
      one <- greedytl(d$x, y, d$h, rule = rule, max_steps = 5)
      rows <- fit$steps[fit$steps$class == class, ]
      expect_identical(rows$entered, one$steps$entered)
      expect_equal(rows$loo, one$steps$loo)
      expect_equal(as.matrix(fit$beta[[class]]), as.matrix(one$beta))
      expect_equal(fit$a0[[class]], one$a0)
      expect_equal(
        unname(links[, class]),
        unname(predict(one, d$new$x, sources = d$new$h, type = "link"))
      )
    }
    picked <- predict(fit, d$new$x, sources = d$new$h, type = "class")
    expect_identical(as.character(picked), colnames(links)[max.col(links, "first")])
    expect_identical(levels(picked), levels(classes))
  }
})

test_that("classes whose paths end early keep their last coefficients", {
  d <- draw_case(12, n = 30)
  classes <- factor(c("c", "a", "b")[1 + (rank(d$y) > 10) + (rank(d$x[, 2]) > 18)])
  fit <- paper(d$x, classes, d$h, control = greedytl_control(tol = 0.03))
  ends <- tapply(fit$steps$step, fit$steps$class, max)
  expect_gt(length(unique(ends)), 1)
  links <- predict(fit, d$new$x, sources = d$new$h, step = max(ends), type = "link")
  for (class in levels(classes)) {
    y <- factor(ifelse(classes == class, class, "rest"), levels = c("rest", class))
    one <- paper(d$x, y, d$h, control = greedytl_control(tol = 0.03))
    expect_equal(
      unname(links[, class]), unname(predict(one, d$new$x, sources = d$new$h, type = "link"))
    )
  }
})
