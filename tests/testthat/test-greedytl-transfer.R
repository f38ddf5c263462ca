# Rule "transfer": weights by class, ridge by kind of column, evidence, positive entry, average.

test_that("rule transfer follows the naive twin on every kind of data", {
  for (kind in case_kinds) {
    for (seed in 1:3) {
      d <- draw_case(100 + seed, kind)
      label <- paste(kind, seed)
      y <- if (seed %% 3 == 0) d$y else d$factor
      code <- if (seed %% 3 == 0) d$y else d$class
      weights <- if (seed %% 4 == 1) d$weights
      # of columns that are equally good the package and the twin may take different ones
      average <- kind != "tied"
      fit <- greedytl(d$x, y, d$h, weights = weights, max_steps = 9, average = average)
      twin <- function(follow = NULL) {
        naive_greedy_transfer(d$x, d$h, code, weights = weights, max_steps = 9, follow = follow,
                              average = average)
      }
      if (kind == "tied") {
        expect_twin_follow(fit, twin, colnames(d$z), 9, label)
        path <- twin(match(entered(fit), colnames(d$z)))
      } else {
        path <- twin()
        expect_twin(fit, path, label = label)
      }
      expect_pairs(fit, path$pairs, label)
      expect_average(fit, path, label)
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

# From 48 rows on paths share the products of the columns that enter, for which there is room for a fourth of the rows.
test_that("paths that share products follow the naive twin, and those for which there is no room", {
  for (steps in c(6, 18)) {
    d <- draw_case(steps, "correlated", n = 48, p = 40, s = 10)
    y <- if (steps == 6) d$y else d$factor
    weights <- if (steps > 6) d$weights
    fit <- greedytl(d$x, y, d$h, weights = weights, max_steps = steps)
    twin <- naive_greedy_transfer(d$x, d$h, if (steps == 6) d$y else d$class, weights = weights, max_steps = steps)
    expect_gt(nrow(fit$ridge), 1)
    expect_twin(fit, twin, label = paste(steps, "steps"))
    expect_average(fit, twin, paste(steps, "steps"))
  }
})

test_that("one row of a class is enough", {
  for (seed in 1:3) {
    d <- draw_case(seed, n = 9)
    code <- c(1, rep(-1, 8))
    fit <- greedytl(d$x, factor(code), d$h, max_steps = 6)
    expect_twin(fit, naive_greedy_transfer(d$x, d$h, code, max_steps = 6))
  }
})

test_that("every switch of the rule follows the naive twin", {
  for (seed in 1:3) {
    d <- draw_case(200 + seed, "correlated")
    switches <- list(
      list(ridge = c(10, 1)), list(ridge = c(0.5, 30)), list(lambda = 0.2),
      list(class_weights = "none"), list(source_scale = "each"), list(source_sign = "positive"),
      list(standardize = FALSE, ridge = c(10, 1)), list(keep = 9, ridge = c(10, 1)),
      list(intercept = FALSE, ridge = c(10, 1)), list(tol = 0.02)
    )
    for (changed in switches) {
      for_fit <- changed
      if (!is.null(changed$keep)) for_fit$keep <- colnames(d$z)[changed$keep]
      label <- paste(seed, deparse(changed))
      fit <- do.call(flat(greedytl), c(list(d$x, d$factor, d$h, max_steps = 8), for_fit))
      twin <- do.call(
        naive_greedy_transfer, c(list(d$x, d$h, d$class, max_steps = 8), changed)
      )
      expect_twin(fit, twin, label = label)
      expect_average(fit, twin, label)
    }
  }
})

test_that("features alone and sources alone have an evidence of their own", {
  for (seed in 1:3) {
    d <- draw_case(300 + seed)
    fit <- greedytl(d$x, d$factor, max_steps = 6)
    expect_twin(fit, naive_greedy_transfer(d$x, NULL, d$class, max_steps = 6), label = "features")
    fit <- greedytl(d$x[, 0], d$factor, d$h, max_steps = 5)
    twin <- naive_greedy_transfer(d$x[, 0], d$h, d$class, max_steps = 5)
    expect_twin(fit, twin, label = "sources")
  }
})

test_that("ridges are weighed alike for many rows and for few", {
  shapes <- list(c(4, 3, 2), c(9, 30, 3), c(60, 5, 40), c(60, 90, 2), c(150, 10, 4), c(140, 90, 60))
  for (shape in shapes) {
    for (seed in 1:4) {
      d <- draw_case(seed, case_kinds[seed], n = shape[1], p = shape[2], s = shape[3])
      classes <- seed %% 2 == 0
      code <- if (classes) d$class else d$y
      v <- naive_weights(code, NULL, if (classes) "balanced" else "none")
      design <- naive_design(d$x, d$h, code, v, source_scale = "common")
      fit <- greedytl(d$x, if (classes) d$factor else d$y, d$h, max_steps = 1)
      expect_pairs(fit, naive_ridges(design, TRUE), paste(shape, collapse = " "))
      counts <- c(sum(!design$is_source & design$varies), sum(design$is_source & design$varies))
      expect_equal(fit$ridge$tau_features, fit$ridge$alpha_features * counts[1])
      expect_equal(fit$ridge$tau_sources, fit$ridge$alpha_sources * counts[2])
    }
  }
})

test_that("average = FALSE is one path at the posterior means of 1/alpha", {
  for (seed in 1:3) {
    d <- draw_case(40 + seed, "correlated")
    fit <- greedytl(d$x, d$factor, d$h, average = FALSE)
    twin <- naive_greedy_transfer(d$x, d$h, d$class, average = FALSE)
    expect_identical(nrow(fit$ridge), 1L)
    expect_pairs(fit, twin$pairs)
    expect_twin(fit, twin)
    expect_average(fit, twin)
  }
})

test_that("a path without sources has none, and a source that is kept forbids it", {
  noise <- with_seed(5, named_columns(rnorm(100), 20, "h"))
  d <- draw_case(2)
  fit <- greedytl(d$x, d$factor, noise)
  expect_identical(fit$ridge$alpha_sources[1], Inf)
  expect_false("source" %in% fit$steps$type)
  alone <- greedytl(d$x, d$factor, control = greedytl_control(ridge = c(fit$ridge$alpha_features[1], 1)))
  expect_equal(fit$steps$gain, alone$steps$gain)
  kept <- greedytl(d$x, d$factor, noise, keep = "h2")
  expect_false(any(is.infinite(kept$ridge$alpha_sources)))
  expect_identical(entered(kept)[1], "h2")
  twin <- naive_greedy_transfer(d$x, noise, d$class, keep = 10)
  expect_twin(kept, twin)
  expect_average(kept, twin)
})

test_that("leave-one-out errors without sources, and of their mean, are those of fits by themselves", {
  for (seed in 1:4) {
    d <- draw_case(60 + seed)
    classes <- seed %% 2 == 0
    y <- if (classes) d$factor else d$y
    fit <- greedytl(d$x, y, d$h)
    none <- fit$ridge[is.infinite(fit$ridge$alpha_sources) & !fit$ridge$from_mean, ]
    weight <- if (sum(none$weight) > 0) none$weight / sum(none$weight) else 1
    code <- if (classes) d$class else d$y
    v <- naive_weights(code, NULL, if (classes) "balanced" else "none")
    design <- naive_design(d$x, NULL, code, v, balanced = classes)
    taus <- lapply(none$alpha_features, function(a) rep(8 * a, 8))
    paths <- lapply(taus, function(tau) naive_path(design, tau, 20))
    own <- naive_average_loo(design, paths, taus, weight)
    expect_close(fit$loo$loo[2], own$mse, 1e-8, "without sources")
    if (classes) expect_close(fit$loo$loo_accuracy[2], own$accuracy, 1e-8, "its accuracy")
    mean_source <- greedytl(cbind(m = rowMeans(d$h)), y, lambda = 0, max_steps = 1)
    expect_close(fit$loo$loo[3], mean_source$steps$loo[2], 1e-10, "mean of the sources")
  }
})

test_that("a path with fixed ridges has sources of either sign", {
  d <- draw_case(1, n = 40)
  against <- greedytl(d$x, d$factor, -d$h, control = greedytl_control(ridge = c(10, 1)))
  fit <- greedytl(d$x, d$factor, d$h, control = greedytl_control(ridge = c(10, 1)))
  expect_equal(fitted(against), fitted(fit))
})

test_that("a source never enters against its sign, but may turn later", {
  d <- draw_case(1)
  both <- cbind(d$h, -d$h)
  colnames(both) <- paste0("h", 1:10)
  fit <- greedytl(d$x, d$factor, both, control = greedytl_control(source_sign = "positive", ridge = c(10, 1)))
  source_steps <- which(fit$steps$type == "source")
  beta <- as.matrix(fit$beta)
  for (i in source_steps) {
    expect_gt(beta[fit$steps$entered[i], i], 0)
  }
  opposed <- greedytl(d$x, d$factor, -d$h, control = greedytl_control(ridge = c(10, 1)))
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

# Figures of the naive twin.
test_that("the letters figures of averaged ridges come out", {
  expected <- list(
    list("G", 2, .949883, -8.648205, 30L, .027269, .08921826, 1.819351, .3220271),
    list("G", 5, .939184, -15.707821, 72L, .076958, .26259086, 1.635222, .5097767),
    list("G", 10, .970714, -22.431755, 42L, .009773, .28344563, 1.872288, .3973511),
    list("A", 2, .912598, -7.981931, 55L, .113530, -.46324489, 1.625680, .3408296)
  )
  for (case in expected) {
    d <- letters_case(case[[1]], case[[2]])
    fit <- greedytl(d$x, d$y, d$h)
    average <- coef_matrix(fit)[, 1]
    class <- predict(fit, d$test$x, sources = d$test$h, type = "class")
    expect_lt(abs(balanced_accuracy(d$test$y, class) - case[[3]]), 6e-7)
    expect_lt(abs(fit$ridge$criterion[1] - case[[4]]), 6e-7)
    expect_identical(sum(fit$ridge$weight > 0), case[[5]])
    expect_lt(abs(sum(fit$ridge$weight[is.infinite(fit$ridge$alpha_sources) & !fit$ridge$from_mean]) - case[[6]]), 6e-7)
    expect_lt(abs(average[1] - case[[7]]), 6e-9)
    expect_lt(abs(sum(abs(average[-1])) - case[[8]]), 6e-7)
    expect_lt(abs(fit$loo$loo[1] - case[[9]]), 6e-8)
  }
})

test_that("the letters figures of one pair of ridges and of the paper's rule come out", {
  expected <- list(
    list("G", 2, c(10, 1), .943340, .8918), list("G", 5, c(10, 1), .964227, .8915),
    list("G", 10, c(10, 1), .968631, .8974), list("A", 2, c(10, 10^-.5), .898358, .908623)
  )
  for (case in expected) {
    d <- letters_case(case[[1]], case[[2]])
    fit <- greedytl(d$x, d$y, d$h, control = greedytl_control(ridge = case[[3]], source_sign = "positive"))
    class <- predict(fit, d$test$x, sources = d$test$h, type = "class")
    expect_lt(abs(balanced_accuracy(d$test$y, class) - case[[4]]), 6e-7)
    paper <- greedytl(d$x, d$y, d$h, rule = "paper")
    class <- predict(paper, d$test$x, sources = d$test$h, type = "class")
    digits <- if (case[[1]] == "A") 6e-7 else 6e-5
    expect_lt(abs(balanced_accuracy(d$test$y, class) - case[[5]]), digits)
  }
})

test_that("the letters path of one pair of ridges comes out", {
  d <- letters_case("G", 2)
  fit <- greedytl(d$x, d$y, d$h, control = greedytl_control(ridge = c(10, 1), source_sign = "positive"))
  order <- "C O S E Q U T onpix x.ege x2bar x.bar K xy2br yegvx y.ege V y2bar high width W"
  expect_identical(paste(entered(fit), collapse = " "), order)
  expect_lt(max(abs(fit$steps$gain[2:5] - c(5.350555, 1.730734, .648843, .553649))), 6e-7)
  loo <- fit$steps$loo[1 + c(1, 2, 5, 20)]
  expect_lt(max(abs(loo - c(.5822096, .3827777, .2828402, .2936014))), 6e-8)
  average <- coef_matrix(fit)[, 1]
  expect_lt(abs(average[1] - .01964071), 6e-8)
  expect_lt(abs(sum(abs(average[-1])) - 1.304714), 6e-7)
})

test_that("rows written as often as they weigh differ by what the number of rows decides alone", {
  d <- draw_case(5, n = 30)
  w <- rep_len(c(2, 1, 3), 30)
  rows <- rep(1:30, w)
  for (y in list(d$y, d$factor)) {
    weighted <- greedytl(d$x, y, d$h, weights = w, control = greedytl_control(ridge = c(10, 1)))
    written <- greedytl(d$x[rows, ], y[rows], d$h[rows, ], control = greedytl_control(ridge = c(10, 1) * sum(w) / 30))
    expect_equal(coef(weighted), coef(written))
    expect_equal(weighted$scale, written$scale)
  }
})

test_that("the path shown is of the likelier side, with sources or without", {
  turned <- 0
  for (seed in 1:40) {
    d <- draw_case(seed, n = 20)
    ridge <- greedytl(d$x, d$factor, d$h, max_steps = 2)$ridge
    none <- is.infinite(ridge$alpha_sources) & !ridge$from_mean
    expect_identical(none[1], sum(ridge$weight[none]) > .5)
    expect_false(ridge$from_mean[1])
    side <- none == none[1] & !ridge$from_mean
    expect_identical(ridge$weight[1], max(ridge$weight[side]))
    turned <- turned + (ridge$weight[1] < max(ridge$weight))
  }
  expect_gt(turned, 0)
})

test_that("the averaged default is cross-validated as fits of the folds are", {
  d <- draw_case(6, n = 24)
  foldid <- rep(1:4, 6)
  cv <- cv_path(d$x, d$y, sources = d$h, foldid = foldid, max_steps = 4)
  errors <- lapply(1:4, function(k) {
    held <- foldid == k
    fit <- greedytl(d$x[!held, ], d$y[!held], d$h[!held, ], max_steps = 4)
    (d$y[held] - predict(fit, d$x[held, ], sources = d$h[held, ]))^2
  })
  expect_equal(cv$average$cvm, mean(unlist(errors)))
})

test_that("threads and saving leave the averaged default as it is", {
  d <- draw_case(7, n = 40, p = 1800, s = 5)
  fit <- greedytl(d$x, d$factor, d$h)
  expect_gt(sum(fit$ridge$weight > 0), 1)
  old <- options(transelect.threads = 2)
  on.exit(options(old))
  two <- greedytl(d$x, d$factor, d$h)
  expect_identical(two[c("average", "ridge", "loo", "steps")], fit[c("average", "ridge", "loo", "steps")])
  file <- tempfile()
  on.exit(unlink(file), add = TRUE)
  saveRDS(fit, file)
  expect_identical(
    predict(readRDS(file), d$new$x, sources = d$new$h, type = "link"),
    predict(fit, d$new$x, sources = d$new$h, type = "link")
  )
})

# The rows that stand for all: drawn with chances in proportion to their weights, at most 1, evenly spaced.
naive_rows <- function(v, m) {
  chance <- v * 0
  repeat {
    sure <- chance >= 1
    chance <- ifelse(sure, 1, v * (m - sum(sure)) / sum(v[!sure]))
    if (all(chance <= 1)) break
  }
  row <- vapply(seq_len(m) - 1, function(k) which(cumsum(chance) > k)[1], 0L)
  list(row = row, weight = v[row] / chance[row] * m / length(v))
}

test_that("beyond 320 rows the evidence of wide data is that of 320 rows, rare classes whole", {
  set.seed(1)
  x <- matrix(rnorm(409 * 430), 409)
  y <- drop(x[, 1:10] %*% rep(1, 10)) + rnorm(409)
  row <- floor(seq(0, 319) * 409 / 320) + 1
  all <- greedytl(x, y, max_steps = 1)
  part <- greedytl(x[row, ], y[row], max_steps = 1)
  expect_equal(all$ridge$alpha_features[1], part$ridge$alpha_features[1])

  rare <- y > sort(y, decreasing = TRUE)[9] # 8 of 409
  fit <- greedytl(x, factor(rare), max_steps = 1)
  v <- naive_weights(ifelse(rare, 1, -1), class_weights = "balanced")
  drawn <- naive_rows(v, 320)
  expect_true(all(which(rare) %in% drawn$row))
  expect_equal(mean(drawn$weight), 1)
  design <- naive_design(x, NULL, ifelse(rare, 1, -1), v, balanced = TRUE)
  design$z <- design$z[drawn$row, ] * sqrt(drawn$weight / v[drawn$row])
  design$y <- design$y[drawn$row] * sqrt(drawn$weight / v[drawn$row])
  best <- fit$ridge[1, ]
  expect_equal(best$criterion, 409 / 320 * naive_evidence_at(
    c(design[c("z", "y")], df = 319), tcrossprod(design$z) / 430, NULL, best$alpha_features, NA
  ))
})
