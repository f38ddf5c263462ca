# tlcp(borrow = "sparse"): the sampler beside the enumeration of its posterior, laws, and the verbs of its fits.

supports_centred <- function(n, b) {
  X <- matrix(rnorm(n * length(b)), n)
  X <- X - rep(colMeans(X), each = n)
  y <- drop(X %*% b) + rnorm(n)
  list(X = X, y = y - mean(y))
}

supports_run <- function(domains, g, own_g, t, prior_t, most, sweeps) {
  rows <- lapply(domains, function(d) tlcp_supports_rotated(d$X, d$y))
  n <- vapply(domains, function(d) nrow(d$X), 0L)
  target <- c(rows[[1]], list(free = rep(1 - 1 / n[1], n[1])))
  found <- .Call(C_supports, rows, target, list(
    rest = sum(vapply(rows, `[[`, 0, "rest")), df = sum(n - 1), most = most, g = g, least_own = sum(g < min(own_g)),
    t = t, log_prior_t = log(prior_t), chains = 2, burn = 100, sweeps = sweeps, swaps = 2, memory = 1e5,
    seed = c(.3, .7)
  ))
  p <- ncol(domains[[1]]$X)
  mean <- matrix(rowMeans(found$mean), p)
  list(found = found, probability = matrix(found$probability, p), mean = mean,
       coefficients = rowSums(mean[, seq_len(min(2, ncol(mean))), drop = FALSE]) +
         drop(crossprod(rows[[1]]$Z, found$background[[1]])),
       left = tlcp_supports_left_out(found, list(y_scale = 1, root = 1)))
}

test_that("the sampler agrees with the enumeration of its posterior", {
  set.seed(1)
  b <- c(1, 0, .5, 0, 0, 0, 0, 0)
  settings <- list(g = c(.25, 1), own_g = 1, t = c(0, 2), prior_t = c(.7, .3))
  two <- list(supports_centred(11, b), supports_centred(9, b + c(0, 1, numeric(6))))
  cases <- list(wide = list(domains = two, most = 2),
                long = list(domains = lapply(two, function(d) list(X = d$X[, 1:2], y = d$y)), most = 6),
                alone = list(domains = two[1], most = 3))
  for (case in cases) {
    twin <- do.call(naive_supports, c(case, settings))
    run <- do.call(supports_run, c(case, settings, sweeps = 12000))
    expect_lt(max(abs(run$probability - twin$probability)), .02)
    expect_lt(max(abs(run$mean - twin$mean)), .02)
    expect_lt(max(abs(run$coefficients - twin$coefficients)), .02)
    expect_lt(max(abs(rowMeans(run$found$draws) - twin$coefficients)), .04)
    expect_lt(max(abs(run$left$residual - twin$left)), .05)
    # the log densities lack the constant of Student's t distribution, as do those of the twin
    expect_lt(max(abs(run$left$density - twin$density)), .05)
  }
})

test_that("the prior of the background, and of its values on the grid, is not turned round", {
  set.seed(3)
  y <- supports_centred(30, numeric(5))$y
  flat <- list(list(X = matrix(0, 30, 5), y = y)) # rows say nothing of t and of supports
  run <- supports_run(flat, 1, 1, c(0, 1, 2), c(.8, .15, .05), 3, 20000)$found
  expect_equal(run$grid[3], .15 + 2 * .05, tolerance = .1)
  # with a column of zeros an effect changes nothing but the prior of the size of the support
  size <- -log(0:3 + 1) - lchoose(5, 0:3) + lchoose(5, 0:3)
  expect_equal(mean(run$size), sum(0:3 * exp(size)) / sum(exp(size)), tolerance = .1)
})

supports_data <- function(n = 40, p = 30) {
  set.seed(5)
  x <- matrix(rnorm(3 * n * p), 3 * n, dimnames = list(NULL, paste0("v", seq_len(p))))
  domain <- rep(c("a", "b", "c"), each = n)
  y <- 2 * x[, 1] - 2 * x[, 2] + 2 * x[, 3] * (domain == "a") + rnorm(3 * n)
  data.frame(y, x, domain)
}

test_that("common effects and the target's own are told apart, and verbs work", {
  d <- supports_data()
  set.seed(1)
  fit <- tlcp(y ~ ., data = d, domain = domain, target = "a", borrow = "sparse")
  expect_s3_class(fit, "transfer_path")
  expect_setequal(fit$selected, c("v1", "v2", "v3"))
  found <- signals(fit)
  expect_setequal(found$term[found$kind == "common"], c("v1", "v2"))
  expect_identical(found$term[found$kind == "own"], "v3")
  expect_output(print(fit), "2 common effects, shared with \"b\" and \"c\"; 1 effect of the target's own", fixed = TRUE)
  expect_output(print(summary(fit)), "Posterior means")
  table <- tidy(fit, conf.int = TRUE)
  expect_true(all(c("std.error", "conf.low", "conf.high", "probability", "strong") %in% names(table)))
  expect_setequal(table$term[table$strong %in% TRUE], c("v1", "v2", "v3"))
  limits <- confint(fit, c("v1", "v2", "v3"))
  expect_true(all(limits[, 1] < c(2, -2, 2) & c(2, -2, 2) < limits[, 2]))
  expect_lt(abs(coef(fit, domain = "b")[["v3"]]), .3)
  expect_equal(unname(predict(fit, d[1:40, ])), unname(fitted(fit)))
  expect_equal(unname(sqrt(diag(vcov(fit)))), table$std.error[match(rownames(vcov(fit)), table$term)])
  expect_true(all(predict(fit, d[1:3, ], se.fit = TRUE)$se.fit > 0))
  held <- lapply(1:40, function(i) { # leaving out a row by refits
    set.seed(1)
    d$y[i] - predict(tlcp(y ~ ., data = d[-i, ], domain = domain, target = "a", borrow = "sparse"), d[i, ])
  })
  expect_equal(fit$steps$loo[2], mean(unlist(held)^2), tolerance = .1)
})

test_that("a fit is repeated by its seed, refits and cross-validation work", {
  d <- supports_data(25, 10)
  once <- function(...) {
    set.seed(1)
    tlcp(as.matrix(d[2:11]), d$y, domain = d$domain, target = "a", borrow = "sparse", ...)
  }
  expect_identical(coef(once()), coef(once()))
  fit <- once()
  set.seed(1)
  expect_equal(coef(refit(fit, as.matrix(d[2:11]), d$y, domain = d$domain)), coef(fit))
  set.seed(2)
  cvf <- cv_path(y ~ ., data = d, domain = domain, target = "a", fit = tlcp, borrow = "sparse", nfolds = 3)
  expect_lt(min(cvf$cvm), var(d$y))
  expect_output(print(cvf), "Cross-validation of tlcp")
  # constant weights and weights by domain change nothing: the residual variance is that of a row of weight 1
  expect_equal(coef(once(weights = ifelse(d$domain == "a", 2, 5))), coef(fit))
})

test_that("order and units change results by no more than the sampler's error", {
  d <- supports_data()
  b <- function(x, y, domain, scale = 1) {
    set.seed(4)
    fit <- tlcp(x, y, domain = domain, target = "a", borrow = "sparse")
    coef(fit)[c("v1", "v2", "v3")] * scale
  }
  x <- as.matrix(d[2:31])
  base <- b(x, d$y, d$domain)
  mixed <- sample(nrow(d))
  expect_lt(max(abs(b(x[mixed, ], d$y[mixed], d$domain[mixed]) - base)), .1)
  expect_lt(max(abs(b(x[, 30:1], d$y, d$domain) - base)), .1)
  expect_lt(max(abs(b(x, d$y, c(a = "a", b = "z", c = "b")[d$domain]) - base)), .1)
  expect_equal(b(x * 1e6, d$y * 1e-3 + 7, d$domain, 1e9), base, tolerance = 1e-6)
})

test_that("what the sparse model does not take is an error that names it", {
  d <- supports_data(12, 5)
  run <- function(...) tlcp(as.matrix(d[2:6]), d$y, domain = d$domain, target = "a", borrow = "sparse", ...)
  expect_error(run(keep = "v1"), class = "transelect_error_keep")
  expect_error(run(criterion = "BIC"), class = "transelect_error_criterion")
  expect_error(run(method = "cutoff"), class = "transelect_error_method")
  expect_error(run(control = tlcp_control(sigma2 = 1)), class = "transelect_error_sigma2")
  expect_error(tlcp(as.matrix(d[2:6]), d$y > 0, domain = d$domain, target = "a", borrow = "sparse"),
               class = "transelect_error_borrow")
  expect_error(tlcp(moments(as.matrix(d[2:6]), d$y, domain = d$domain), target = "a", borrow = "sparse"),
               class = "transelect_error_x")
  expect_error(tlcp(as.matrix(d[2:6]), d$y, borrow = "sparse"), class = "transelect_error_borrow")
  fit <- run()
  expect_error(vcov(fit, step = 0), class = "transelect_error_step")
  expect_error(signals(fit, fdr = 2), class = "transelect_error_fdr")
})

test_that("the picture has a bar for each feature and kind", {
  set.seed(1)
  fit <- tlcp(y ~ ., data = supports_data(20, 6), domain = domain, target = "a", borrow = "sparse")
  picture <- tlcp_supports_picture(fit, 4, NULL)
  expect_length(picture$panels, 2)
  expect_silent({
    pdf(NULL)
    plot(fit)
    dev.off()
  })
})
