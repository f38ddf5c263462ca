# criterion = "AIC", "BIC", "HQ" where nothing is borrowed: those of lm().

# The least criterion of all lm() fits, and its columns.
best_lm <- function(x, y, k, weights = NULL, must = integer()) {
  p <- ncol(x)
  inside <- as.matrix(expand.grid(rep(list(c(FALSE, TRUE)), p)))
  if (length(must)) inside <- inside[rowSums(inside[, must, drop = FALSE]) == length(must), ]
  value <- apply(inside, 1, function(s) {
    data <- data.frame(y = y, one = 1, x[, s, drop = FALSE])
    AIC(lm(y ~ 0 + ., data, weights = weights), k = k)
  })
  list(value = min(value), columns = colnames(x)[inside[which.min(value), ]])
}

penalties <- function(n) c(AIC = 2, BIC = log(n), HQ = 2 * log(log(n)))

test_that("the criterion is that of the best of all lm() fits", {
  kinds <- c("random", "correlated", "near")
  for (seed in 1:4) {
    n <- c(8, 12, 40)[1 + seed %% 3]
    d <- draw_similar_domains(seed, 1, 6, kinds[1 + seed %% 2], n = n)
    for (criterion in c("AIC", "BIC", "HQ")) {
      k <- penalties(n)[[criterion]]
      best <- best_lm(d$x, d$y, k)
      for (sizes in c(TRUE, FALSE)) {
        fit <- tlcp(d$x, d$y, criterion = criterion, sizes = sizes)
        expect_equal(fit$certificate$value, best$value)
        expect_identical(fit$selected, best$columns)
        expect_true(fit$certificate$complete)
        expect_identical(fit$certificate$gap, 0)
        chosen <- fit$steps[fit$steps$step == fit$best, ]
        expect_equal(chosen$criterion, best$value)
        if (chosen$size > 0) expect_equal(chosen$gap, 0)
        expect_equal(AIC(logLik(fit), k = k), best$value)
        every <- vapply(fit$steps$step, function(s) AIC(logLik(fit, step = s), k = k), 0)
        expect_equal(fit$steps$criterion, every)
      }
    }
  }
})

test_that("weights and features that are kept or dropped mean what they mean elsewhere", {
  d <- draw_similar_domains(3, 1, 6, "correlated", n = 30)
  w <- 1 + seq_len(30) %% 3
  best <- best_lm(d$x, d$y, log(30), weights = w)
  fit <- tlcp(d$x, d$y, criterion = "BIC", weights = w)
  expect_equal(fit$certificate$value, best$value)
  expect_identical(fit$selected, best$columns)
  must <- setdiff(colnames(d$x), best$columns)[1]
  best <- best_lm(d$x, d$y, log(30), must = match(must, colnames(d$x)))
  for (sizes in c(TRUE, FALSE)) {
    fit <- tlcp(d$x, d$y, criterion = "BIC", keep = must, sizes = sizes)
    expect_equal(fit$certificate$value, best$value)
    expect_identical(fit$selected, best$columns)
  }
  best <- best_lm(d$x[, -2], d$y, 2)
  expect_identical(tlcp(d$x, d$y, criterion = "AIC", control = tlcp_control(drop = 2))$selected, best$columns)
  one <- tlcp(d$x, d$y, criterion = "BIC", intercept = FALSE, select = FALSE)
  expect_equal(tail(one$steps$criterion, 1), BIC(lm(d$y ~ 0 + d$x)))
})

test_that("many features: the best of the best of every size", {
  searches <- 0
  for (seed in 1:4) {
    d <- draw_similar_domains(seed, 1, 34, c("random", "correlated")[1 + seed %% 2], n = 60)
    for (criterion in c("AIC", "BIC")) {
      fit <- tlcp(d$x, d$y, criterion = criterion)
      every <- tlcp(d$x, d$y, criterion = "Cp", sizes = TRUE)
      size <- every$steps$size
      all <- 60 * log(every$steps$rss) + penalties(60)[[criterion]] * size
      expect_length(fit$selected, size[which.min(all)])
      expect_equal(deviance(fit), every$steps$rss[which.min(all)])
      expect_identical(fit$certificate$gap, 0)
      searches <- max(searches, fit$certificate$searches)
    }
  }
  expect_gt(searches, 1)
})

test_that("a search that stopped early has a bound that holds", {
  early <- 0
  for (seed in 1:6) {
    d <- draw_similar_domains(seed, 1, 25, kind = "correlated", n = 40)
    for (sizes in c(TRUE, FALSE)) {
      fit <- suppressWarnings(tlcp(d$x, d$y, criterion = "AIC", control = tlcp_control(max_nodes = 1), sizes = sizes))
      whole <- tlcp(d$x, d$y, criterion = "AIC", sizes = FALSE)
      proof <- fit$certificate
      early <- early + !proof$complete
      expect_lte(proof$bound, whole$certificate$value + 1e-9)
      expect_gte(proof$value, whole$certificate$value - 1e-9)
      expect_equal(proof$gap, proof$value - proof$bound)
      expect_equal(fit$steps$criterion[fit$steps$step == fit$best], proof$value)
      expect_lte(proof$value, min(fit$steps$criterion) + 1e-9)
    }
  }
  expect_gt(early, 3)
  expect_warning(tlcp(d$x, d$y, criterion = "AIC", control = tlcp_control(max_nodes = 1), sizes = FALSE), "nodes",
                 class = "transelect_warning_nodes")
})

test_that("columns that are nearly combinations of others: complete, with the gap that rounding leaves", {
  d <- draw_similar_domains(2, 1, 8, n = 40)
  d$x[, 8] <- d$x[, 1] + d$x[, 2] + 1e-3 * d$x[, 8]
  for (sizes in c(TRUE, FALSE)) {
    fit <- tlcp(d$x, d$y, criterion = "BIC", sizes = sizes)
    expect_true(fit$certificate$complete)
    expect_gte(fit$certificate$gap, 0)
    expect_lt(fit$certificate$gap, 1e-3)
  }
})

test_that("nothing depends on the units, and ties of size are no ties", {
  d <- draw_similar_domains(5, 1, 8, "correlated", n = 30)
  fit <- tlcp(d$x, d$y, criterion = "BIC")
  scaled <- tlcp(d$x * 1e6, d$y * 1e-5, criterion = "BIC")
  expect_identical(fit$selected, scaled$selected)
  expect_equal(fit$certificate$value + 2 * 30 * log(1e-5), scaled$certificate$value)
  order <- c(5, 2, 8, 1, 3, 7, 6, 4)
  expect_setequal(tlcp(d$x[, order], d$y, criterion = "BIC")$selected, fit$selected)
})

test_that("a perfect fit is said and has the smallest of the perfect subsets", {
  d <- draw_similar_domains(6, 1, 6, n = 20)
  y <- 2 * d$x[, 2] - d$x[, 5] + 1
  expect_message(fit <- tlcp(d$x, y, criterion = "BIC"), "perfectly")
  expect_identical(fit$selected, colnames(d$x)[c(2, 5)])
  expect_true(is.finite(fit$certificate$value))
})

test_that("rows put together, and nested models, have it too", {
  d <- draw_similar_domains(7, 3, 5, n = 20)
  pooled <- tlcp(d$x, d$y, domain = d$domain, target = "b", borrow = "aggregate", criterion = "BIC")
  domains <- naive_domain_rows(d$x, d$y, d$domain, "b")
  n <- sum(vapply(domains, `[[`, 0, "n"))
  expect_true(pooled$borrowing$anew)
  expect_equal(diff(pooled$steps$criterion),
               n * diff(log(pooled$steps$objective)) + log(n) * diff(pooled$steps$size))
  expect_identical(pooled$best, pooled$steps$step[which.min(pooled$steps$criterion)])
  one <- draw_similar_domains(8, 1, 6, "correlated", n = 30)
  cut <- tlcp(one$x, one$y, method = "cutoff", criterion = "BIC")
  rss <- cut$steps$rss
  expect_equal(diff(cut$steps$criterion), 30 * diff(log(rss)) + log(30) * diff(cut$steps$size))
  expect_identical(cut$best, which.min(30 * log(rss) + log(30) * cut$steps$size) - 1L)
})

test_that("where something is borrowed the variances are held", {
  d <- draw_similar_domains(9, 3, 5, n = 20)
  for (pair in list(c("AIC", "Cp"), c("BIC", "Cp_BIC"), c("HQ", "Cp_HQ"))) {
    fits <- lapply(pair, function(criterion) {
      tlcp(d$x, d$y, domain = d$domain, target = "b", criterion = criterion)
    })
    expect_equal(fits[[1]]$steps, fits[[2]]$steps)
    expect_false(fits[[1]]$borrowing$anew)
  }
})

test_that("what cannot be estimated anew is refused in words", {
  d <- draw_similar_domains(4, 1, 6, n = 20)
  expect_error(tlcp(d$x, d$y, criterion = "BIC", control = tlcp_control(sigma2 = 1)), "Cp_BIC",
               class = "transelect_error_sigma2")
  expect_error(tlcp(d$x[1:6, ], d$y[1:6], criterion = "BIC", method = "cutoff"), "Cp_BIC",
               class = "transelect_error_criterion")
})

test_that("the posterior of a residual variance given the other domains is that of a normal response", {
  log_s2 <- seq(-5, 5, .5)
  log_prior <- stats::dt(log_s2, 4, log = TRUE)
  log_tau2 <- seq(-6, 3, 1.5)
  domain <- function(x, y, level) {
    mean <- if (level) c(colMeans(x), 1, mean(y)) * 0 + .3 else c(colMeans(x), mean(y))
    X <- x - rep(mean[seq_len(ncol(x))], each = nrow(x))
    if (level) X <- cbind(X, 1)
    y <- y - mean[length(mean)]
    list(G = crossprod(X), g = drop(crossprod(X, y)), yy = sum(y^2), n = as.double(nrow(x)), level = level,
         varies = rep(TRUE, ncol(x)))
  }
  for (n in c(3, 6, 20)) { # fewer rows than features; rows by Jacobi's method and by LAPACK
    p <- if (n == 20) 15 else 4
    set.seed(n)
    data <- lapply(c(n, 9, 25), function(m) list(x = matrix(rnorm(m * p), m) + 1, y = rnorm(m)))
    data[[1]]$y <- data[[1]]$x[, 1] + data[[1]]$y
    s2 <- c(1, .5, 2)
    centred <- function(v) scale(v, scale = FALSE)
    Z <- centred(data[[1]]$x)
    y <- drop(centred(data[[1]]$y))
    R <- do.call(rbind, Map(function(d, s2) centred(d$x) / sqrt(s2), data[-1], s2[-1]))
    u <- unlist(Map(function(d, s2) centred(d$y) / sqrt(s2), data[-1], s2[-1]))
    marginal <- function(log_omega2) {
      V <- diag(nrow(R)) + exp(log_omega2) * tcrossprod(R)
      -(determinant(V)$modulus + sum(u * solve(V, u))) / 2
    }
    omega2 <- exp(optimize(marginal, log(c(1e-5, 100)), maximum = TRUE)$maximum)
    posterior <- solve(crossprod(R) + diag(p) / omega2)
    left <- y - drop(Z %*% posterior %*% crossprod(R, u))
    basis <- qr.Q(qr(cbind(1, diag(n))[, seq_len(n)]))[, -1] # of what has the mean 0
    log_weight <- outer(log_s2, log_tau2, Vectorize(function(a, t) {
      V <- exp(.2 + a) * diag(n) + Z %*% (posterior + exp(t) * omega2 * diag(p)) %*% t(Z)
      V <- crossprod(basis, V %*% basis)
      r <- crossprod(basis, left)
      -(determinant(V)$modulus + sum(r * solve(V, r))) / 2
    })) + log_prior
    weight <- exp(log_weight - max(log_weight))
    weight <- rowSums(weight) / sum(weight)
    mean <- sum(weight * log_s2)
    for (level in c(TRUE, FALSE)) {
      domains <- lapply(data, function(d) domain(d$x, d$y, level))
      found <- .Call(transelect:::C_variance_posterior, domains, s2, TRUE, NULL, .2, log_s2, log_prior, log_tau2)
      expect_equal(found[1:3], list(status = 0L, mean = mean + .2, variance = sum(weight * (log_s2 - mean)^2)),
                   tolerance = 1e-7)
      expect_equal(trigamma(found$df / 2), found$variance)
    }
    own <- crossprod(basis, Z)
    rows <- list(square = tcrossprod(own), y = drop(crossprod(basis, y)), kernel = tcrossprod(R), others = u,
                 across = tcrossprod(own, R), yy = sum(y^2), n = n - 1)
    by_rows <- .Call(transelect:::C_variance_posterior, NULL, s2, TRUE, rows, .2, log_s2, log_prior, log_tau2)
    expect_equal(by_rows, found, tolerance = 1e-7)
  }
  rows$square[1] <- NaN
  bad <- .Call(transelect:::C_variance_posterior, NULL, s2, TRUE, rows, .2, log_s2, log_prior, log_tau2)
  expect_gt(bad$status, 0)
})
