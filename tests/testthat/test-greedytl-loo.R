# The leave-one-out columns of the path: true refits given the selected columns.

test_that("loo is the weighted mean square of true refits", {
  for (seed in 1:6) {
    d <- draw_case(seed, c("random", "correlated", "duplicated")[seed %% 3 + 1], n = 15)
    fit <- greedytl(d$x, d$factor, d$h, control = greedytl_control(ridge = c(10, 1)), max_steps = 4)
    v <- naive_weights(d$class, class_weights = "balanced")
    design <- naive_design(d$x, d$h, d$class, v, source_scale = "common", balanced = TRUE)
    tau <- c(10 * 8, 5)[design$is_source + 1]
    for (k in 0:4) {
      S <- match(entered(fit)[seq_len(k)], colnames(d$z))
      refit <- naive_loo(design, S, tau)
      expect_close(fit$steps$loo[k + 1], refit$mse, 1e-10)
      if (k > 0) expect_close(fit$steps$loo_accuracy[k + 1], refit$accuracy, 1e-10)
    }
  }
})

test_that("without weights loo is that of any refitting program", {
  d <- draw_case(2, n = 12)
  fit <- greedytl(d$x, d$y, rule = "paper", lambda = 0.3, max_steps = 3, control = greedytl_control(tol = 0))
  S <- entered(fit)
  z <- scale(d$x)[, S]
  error <- vapply(seq_len(12), function(i) {
    center <- colMeans(z[-i, ])
    zi <- z[-i, ] - rep(center, each = 11)
    yi <- d$y[-i] - mean(d$y[-i])
    w <- solve(crossprod(zi) + diag(0.3 * 12, 3), crossprod(zi, yi))
    d$y[i] - mean(d$y[-i]) - sum((z[i, ] - center) * w)
  }, numeric(1))
  expect_close(fit$steps$loo[4], mean(error^2), 1e-12)
})

test_that("regression has no loo_accuracy, classification has one", {
  d <- draw_case(3)
  expect_null(greedytl(d$x, d$y, max_steps = 2)$steps$loo_accuracy)
  accuracy <- greedytl(d$x, d$factor, max_steps = 2)$steps$loo_accuracy
  expect_true(all(accuracy >= 0 & accuracy <= 1))
})

test_that("a perfect source is recognised by its loo", {
  d <- draw_case(4)
  perfect <- cbind(d$h, oracle = d$class)
  fit <- greedytl(d$x, d$factor, perfect, max_steps = 3)
  expect_identical(entered(fit)[1], "oracle")
  expect_equal(fit$steps$loo_accuracy[2], 1)
})

test_that("the path by the Gram matrix, of dense columns, is that by rows, of sparse ones", {
  for (seed in 1:8) {
    x <- with_seed(seed, matrix(rnorm(300 * 9), 300))
    if (seed %% 2) x[, 9] <- x[, 1] + x[, 2] / 3
    h <- with_seed(30 + seed, x[, 1:4] %*% matrix(rnorm(12), 4) + rnorm(900))
    y <- with_seed(60 + seed, x[, 1] - x[, 3] + h[, 2] + rnorm(300))
    if (seed %% 3 == 0) y <- factor(y > .5)
    if (seed %% 3 == 1) y <- cut(y, c(-Inf, -1, 1, Inf))
    w <- if (seed > 4) with_seed(seed, runif(300, .2, 2))
    own <- list(average = seed %% 4 != 1, source_sign = if (seed %% 4 == 2) "positive" else "any",
                keep = if (seed == 8) 4, intercept = seed != 7)
    fits <- lapply(list(x, as(x, "CsparseMatrix")), function(x) {
      do.call(flat(greedytl), c(list(x, y, sources = h, weights = w), own))
    })
    for (part in c("beta", "a0", "steps", "average", "fitted", "residuals", "loo", "ridge")) {
      expect_equal(fits[[1]][[part]], fits[[2]][[part]], tolerance = 1e-8, label = paste(seed, part))
    }
  }
})
