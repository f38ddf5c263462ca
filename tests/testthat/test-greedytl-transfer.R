# Rule "transfer": weights by class, ridge by kind of column, evidence, positive entry, average.

test_that("rule transfer follows the naive twin on every kind of data", {
  for (kind in case_kinds) {
    for (seed in 1:12) {
      d <- draw_case(100 + seed, kind)
      label <- paste(kind, seed)
      y <- if (seed %% 3 == 0) d$y else d$factor
      code <- if (seed %% 3 == 0) d$y else d$class
      weights <- if (seed %% 4 == 1) d$weights
      fit <- greedytl(d$x, y, d$h, weights = weights, max_steps = 9)
      twin <- function(follow = NULL) {
        naive_greedy_transfer(d$x, d$h, code, weights = weights, max_steps = 9, follow = follow)
      }
      if (kind == "tied") {
        expect_twin_follow(fit, twin, colnames(d$z), 9, label)
      } else {
        expect_twin(fit, twin(), label = label)
      }
      expect_average(fit, twin(match(entered(fit), colnames(d$z))), label)
    }
  }
})

test_that("few rows and many columns follow the naive twin", {
  for (seed in 1:8) {
    d <- draw_case(seed, "random", n = 12, p = 40, s = 25)
    fit <- greedytl(d$x, d$factor, d$h)
    twin <- naive_greedy_transfer(d$x, d$h, d$class)
    expect_twin(fit, twin, label = paste("wide", seed))
    expect_average(fit, twin, paste("wide", seed))
  }
})

test_that("one row of a class is enough", {
  for (seed in 1:5) {
    d <- draw_case(seed, n = 9)
    code <- c(1, rep(-1, 8))
    fit <- greedytl(d$x, factor(code), d$h, max_steps = 6)
    expect_twin(fit, naive_greedy_transfer(d$x, d$h, code, max_steps = 6))
  }
})

test_that("every switch of the rule follows the naive twin", {
  for (seed in 1:5) {
    d <- draw_case(200 + seed, "correlated")
    switches <- list(
      list(ridge = c(10, 1)), list(ridge = c(0.5, 30)), list(lambda = 0.2),
      list(class_weights = "none"), list(source_scale = "each"), list(source_sign = "any"),
      list(standardize = FALSE, ridge = c(10, 1)), list(keep = 9, ridge = c(10, 1)),
      list(intercept = FALSE, ridge = c(10, 1)), list(tol = 0.02)
    )
    for (changed in switches) {
      for_fit <- changed
      if (!is.null(changed$keep)) for_fit$keep <- colnames(d$z)[changed$keep]
      label <- paste(seed, deparse(changed))
      fit <- do.call(greedytl, c(list(d$x, d$factor, d$h, max_steps = 8), for_fit))
      twin <- do.call(
        naive_greedy_transfer, c(list(d$x, d$h, d$class, max_steps = 8), changed)
      )
      expect_twin(fit, twin, label = label)
      expect_average(fit, twin, label)
    }
  }
})

test_that("features alone and sources alone have an evidence of their own", {
  for (seed in 1:5) {
    d <- draw_case(300 + seed)
    fit <- greedytl(d$x, d$factor, max_steps = 6)
    expect_twin(fit, naive_greedy_transfer(d$x, NULL, d$class, max_steps = 6), label = "features")
    fit <- greedytl(d$x[, 0], d$factor, d$h, max_steps = 5)
    twin <- naive_greedy_transfer(d$x[, 0], d$h, d$class, max_steps = 5)
    expect_twin(fit, twin, label = "sources")
  }
})

test_that("the evidence picks the same ridge for many rows and for few", {
  shapes <- list(c(4, 3, 2), c(9, 30, 3), c(60, 5, 40), c(60, 90, 2), c(150, 10, 4))
  for (shape in shapes) {
    for (seed in 1:4) {
      d <- draw_case(seed, case_kinds[seed], n = shape[1], p = shape[2], s = shape[3])
      classes <- seed %% 2 == 0
      code <- if (classes) d$class else d$y
      v <- naive_weights(code, NULL, if (classes) "balanced" else "none")
      design <- naive_design(d$x, d$h, code, v, source_scale = "common")
      evidence <- naive_evidence(design)
      top <- sort(evidence$grid$criterion, decreasing = TRUE)[1:2]
      if (top[1] - top[2] > 1e-8) {
        sources <- design$is_source & design$varies
        counts <- c(sum(!design$is_source & design$varies), sum(sources))
        fit <- greedytl(d$x, if (classes) d$factor else d$y, d$h, max_steps = 1)
        expect_ridge(fit, evidence$ridge * counts, evidence$criterion)
      }
    }
  }
})

test_that("a source never enters against its sign, but may turn later", {
  d <- draw_case(1)
  both <- cbind(d$h, -d$h)
  colnames(both) <- paste0("h", 1:10)
  fit <- greedytl(d$x, d$factor, both)
  source_steps <- which(fit$steps$type == "source")
  beta <- as.matrix(fit$beta)
  for (i in source_steps) {
    expect_gt(beta[fit$steps$entered[i], i], 0)
  }
  opposed <- greedytl(d$x, d$factor, -d$h, source_sign = "any")
  expect_true("source" %in% opposed$steps$type)
})

test_that("more lambdas are allowed in rule transfer too", {
  d <- draw_case(9)
  fit <- greedytl(d$x, d$factor, d$h, lambda = c(0.01, 1), max_steps = 6)
  for (lambda in c(0.01, 1)) {
    twin <- naive_greedy_transfer(d$x, d$h, d$class, lambda = lambda, max_steps = 6)
    expect_twin(fit, twin, lambda = lambda)
  }
})

test_that("the published letters figures come out", {
  expected <- list(
    list("G", 2, c(10, 1), .943782, -.03761736, 1.249125, .8918, -8.387063),
    list("G", 5, c(10, 1), .964669, .1095931, 1.294619, .8915, -15.780376),
    list("G", 10, c(10, 1), .967810, .1400120, 1.438004, .8974, -22.488054),
    list("A", 2, c(10, 10^-.5), .897089, NA, NA, .908623, NA)
  )
  for (case in expected) {
    d <- letters_case(case[[1]], case[[2]])
    fit <- greedytl(d$x, d$y, d$h)
    expect_ridge(fit, case[[3]] * c(16, 22))
    average <- coef_matrix(fit)[, 1]
    class <- predict(fit, d$test$x, sources = d$test$h)
    expect_lt(abs(balanced_accuracy(d$test$y, class) - case[[4]]), 6e-7)
    if (!is.na(case[[5]])) {
      expect_lt(abs(fit$ridge$criterion - case[[8]]), 6e-7)
      expect_lt(abs(average[1] - case[[5]]), 6e-8)
      expect_lt(abs(sum(abs(average[-1])) - case[[6]]), 6e-7)
    }
    paper <- greedytl(d$x, d$y, d$h, rule = "paper")
    class <- predict(paper, d$test$x, sources = d$test$h)
    digits <- if (case[[1]] == "A") 6e-7 else 6e-5
    expect_lt(abs(balanced_accuracy(d$test$y, class) - case[[7]]), digits)
  }
})

test_that("the published letters path comes out", {
  d <- letters_case("G", 2)
  fit <- greedytl(d$x, d$y, d$h)
  order <- "Q C O E S U T onpix x.ege x2bar x.bar y.ege high xy2br y2bar yegvx width V xegvy W"
  expect_identical(paste(entered(fit), collapse = " "), order)
  expect_lt(max(abs(fit$steps$gain[2:5] - c(5.828077, 1.429664, .726125, .397568))), 6e-7)
  loo <- fit$steps$loo[1 + c(1, 2, 5, 20)]
  expect_lt(max(abs(loo - c(.5660912, .394248, .2817571, .2828555))), 6e-8)
})
