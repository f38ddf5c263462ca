# The average over supports, against every support in turn, and what it needs.

test_that("the average over supports is that of every support in turn", {
  for (seed in 1:6) {
    p <- 2 + seed
    n <- if (seed == 6) 4 else 12 # fewer rows than columns, too
    X <- with_seed(seed, matrix(rnorm(n * p), n))
    if (seed == 5) X[, 2] <- X[, 1]
    y <- with_seed(seed, X[, 1] + rnorm(n))
    v <- c(.1, 2)
    twin <- naive_sparse(X, y, 1, numeric(p), diag(0, p), seq_len(p), v)
    none <- -sum(y^2) / 2
    found <- .Call(C_sparse_average, crossprod(X), drop(crossprod(X, y)), v, p, 100)
    expect_identical(found$status, 0L)
    expect_equal(found$log_lik, twin$log_lik - none, tolerance = 1e-8)
    expect_equal(found$mean, twin$mean, tolerance = 1e-8)
    # the second moments: the covariance is the derivative of the mean in g
    h <- 1e-4
    moved <- vapply(seq_len(p), function(j) {
      at <- function(by) {
        .Call(C_sparse_average, crossprod(X), drop(crossprod(X, y)) + by * (seq_len(p) == j), v, p, 100)$mean
      }
      (at(h) - at(-h)) / (2 * h)
    }, numeric(p))
    expect_equal(found$square - tcrossprod(found$mean), moved, tolerance = 1e-5)
    # a narrow search finds no more
    few <- .Call(C_sparse_average, crossprod(X), drop(crossprod(X, y)), v, p, 2)
    expect_lt(few$log_lik, found$log_lik)
  }
})

test_that("an average that a bound shows to be without weight is not made", {
  for (seed in 1:8) {
    p <- c(9, 14)[seed %% 2 + 1]
    n <- c(8, 40, 200)[seed %% 3 + 1]
    X <- with_seed(seed, matrix(rnorm(n * p), n)) + with_seed(seed + 10, rnorm(n)) * (seed %% 4)
    y <- with_seed(seed, drop(X %*% (rnorm(p) * (seq_len(p) < 3 * seed)))) + with_seed(seed + 20, rnorm(n))
    bound <- tlcp_sparse_bound(crossprod(X), drop(crossprod(X, y)))
    whole <- tlcp_sparse_average(crossprod(X), drop(crossprod(X, y)), -Inf, NULL)
    expect_gte(bound, whole$log_lik)
    if (n == 200) expect_lt(bound - whole$log_lik, 12)
    expect_null(tlcp_sparse_average(crossprod(X), drop(crossprod(X, y)), bound + 1, NULL)$mean)
  }
  expect_equal(exp(tlcp_sparse_symmetric(log(1:3))), c(1, 6, 11, 6))
})

test_that("degrees of freedom and intervals of the average are those of its parts", {
  d <- draw_similar_domains(3, 3, 8, n = 40, apart = 0)
  own <- d$domain == "b"
  d$y[own] <- d$y[own] + 4 * d$x[own, 1]
  of <- function(y) {
    suppressMessages(tlcp(d$x, y, domain = d$domain, target = "b", select = FALSE,
                          control = tlcp_control(units = "common", scales = FALSE)))
  }
  fit <- of(d$y)
  expect_gt(fit$borrowing$units_weights[["apart"]], .5)
  error <- sqrt(diag(vcov(fit)))
  alone <- sqrt(diag(vcov(lm(d$y[own] ~ d$x[own, ]))))
  expect_true(all(error[-1] < 1.05 * alone[-1]) && all(is.finite(confint(fit))))
  expect_lt(fit$steps$df[2], 9)
  expect_output(print(fit), "alike with few exceptions\\s+\\([01]")
  # guard = FALSE has neither
  without <- suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = "b", select = FALSE,
                                   control = tlcp_control(guard = FALSE)))
  expect_false(any(c("few", "apart", "alone") %in% names(without$borrowing$units_weights)))
})

test_that("factors of the target's distances are at a maximum; averages over one are those with it in place", {
  d <- draw_similar_domains(4, 3, 6, n = 30, apart = 0)
  own <- d$domain == "b"
  d$y[own] <- d$y[own] + 3 * d$x[own, 1]
  rows <- naive_domains_in_units(d$x, d$y, d$domain, "b", "common")
  domains <- lapply(unname(rows), function(domain) {
    list(G = crossprod(domain$x), g = drop(crossprod(domain$x, domain$y)), yy = sum(domain$y^2), level = TRUE)
  })
  used <- list(domains = domains, s2 = vapply(rows, `[[`, 0, "s2", USE.NAMES = FALSE))
  fit <- tlcp_apart_fit(used, list(scales = rep(1, 7), tau2 = .1, omega2 = .1, kappa2 = .1, factors = rep(1, 6)), NULL)
  expect_gt(fit$factors[1], 20)
  of <- function(tau2, factors) {
    own <- matrix(tau2, 7, 3)
    own[1:6, 1] <- tau2 * factors
    own[7, ] <- fit$kappa2
    borrowing <- list(scales = rep(1, 7), common = c(rep(fit$omega2, 6), 100), own = own)
    c(tlcp_apart_posterior(used, borrowing), prior = -sum(log(factors)^2) / 18)
  }
  at <- of(fit$tau2, fit$factors)
  expect_equal(at[names(at) != "prior"], fit[setdiff(names(at), "prior")])
  value <- function(step, k) {
    one <- of(fit$tau2 * exp(step * (k == 0)), fit$factors * exp(step * (1:6 == k)))
    one$log_lik + one$prior
  }
  for (k in 0:6) expect_lt(abs(value(1e-3, k) - value(-1e-3, k)) / 2e-3, 1e-4)
  over <- tlcp_apart_over_factors(fit)
  prior <- dnorm(APART_GRID, 0, 3) / sum(dnorm(APART_GRID, 0, 3))
  each <- lapply(APART_GRID, function(log_f) of(fit$tau2, replace(fit$factors, 1, exp(log_f))))
  weight <- prior * exp(vapply(each, `[[`, 0, "log_lik") - fit$log_lik)
  expect_equal(over$evidence[1], log(sum(weight)), tolerance = 1e-6)
  weight <- weight / sum(weight)
  first <- vapply(each, function(one) one$mean[1], 0)
  mean <- sum(weight * first)
  expect_equal(fit$k[1, 1] * over$shift[1], mean - fit$mean[1], tolerance = 1e-6)
  square <- sum(weight * (vapply(each, function(one) one$V[1, 1], 0) + (first - mean)^2))
  expect_equal(fit$k[1, 1]^2 * over$square[1], square - fit$V[1, 1], tolerance = 1e-6)
})
