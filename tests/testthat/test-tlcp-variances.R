# ---- residual variances of the domains of tlcp(): moderated, averaged, given

test_that("residual variances are moderated by each other's", {
  d <- draw_similar_domains(8, 3, 6, n = 12)
  for (units in c("own", "common")) {
    fit <- tlcp(d$x, d$y, domain = d$domain, target = "b", control = tlcp_control(units = units))
    expect_identical(fit$borrowing$s2_from[["b"]], "own residuals, moderated")
    twin <- vapply(naive_domains_of_fit(fit, d), `[[`, 1, "s2")
    expect_equal(fit$borrowing$s2, twin)
  }
  # the paper's rules: each its own
  fit <- tlcp(d$x, d$y, domain = d$domain, target = "a", borrow = "plugin", control = tlcp_control(guard = FALSE))
  own <- d$domain == "a"
  full <- summary(lm(d$y[own] ~ d$x[own, ]))$sigma^2 / var(d$y[own])
  if (fit$borrowing$s2_from[["a"]] == "own residuals") expect_equal(fit$borrowing$s2[["a"]], full)
})

test_that("few degrees of freedom: the residual variance is that of the likelihood given the other domains", {
  for (case in list(c(8, 6), c(7, 6), c(5, 6), c(11, 6))) {
    n <- case[1]
    p <- case[2]
    d <- draw_similar_domains(n + p, 3, p, n = 30)
    own <- which(d$domain == d$target)
    rows <- c(own[seq_len(n)], which(d$domain != d$target))
    d <- list(x = d$x[rows, ], y = d$y[rows], domain = d$domain[rows], target = d$target)
    d$y[seq_len(n)] <- d$y[seq_len(n)] + 2 * d$y[rev(seq_len(n))]
    if (n == 7) d$x[, p] <- d$x[, 1] - d$x[, 2] # a column that is a combination of others
    if (n == 8) d$x[seq_len(n), 2] <- 3         # constant in the target
    for (units in c("own", "common")) {
      fit <- suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = d$target,
                                   control = tlcp_control(units = units)))
      domains <- naive_domains_of_fit(fit, d)
      expect_identical(fit$borrowing$s2_from[[d$target]], "likelihood given the other domains")
      expect_equal(fit$borrowing$s2, vapply(domains, `[[`, 1, "s2"), tolerance = 1e-5)
      raw <- naive_residual_variances(vapply(domains, `[[`, 1, "rss"), vapply(domains, `[[`, 1, "df"))
      twin <- naive_variance_given_others(domains, raw)
      df <- fit$posterior[[1]]$df
      expect_equal(trigamma(1 / (1 / df - 1 / (4 * p)) / 2), twin$spread, tolerance = 1e-3)
    }
  }
})

test_that("a target of much noise and as many rows as features keeps near the others", {
  # equal coefficients, the target's noise three times the others'
  set.seed(3)
  b <- rnorm(12) / 2
  domain <- rep(1:4, c(12, 60, 60, 60))
  x <- matrix(rnorm(length(domain) * 12), ncol = 12)
  y <- drop(x %*% b) + rnorm(length(domain)) * ifelse(domain == 1, 3, 1)
  fit <- suppressMessages(tlcp(x, y, domain = domain, target = 1, select = FALSE))
  expect_lt(sum((coef(fit)[-1] - b)^2), .5)
  expect_lt(abs(log(fit$borrowing$s2[[1]] * fit$response_scale[[1]]^2 / 9)), log(3))
})

test_that("moderated variances: equal ones are pooled, unequal ones stay apart", {
  shrunk <- function(s2, df) drop(tlcp_moderation_of_variances(rbind(s2), df)$s2)
  expect_equal(shrunk(c(1, 1.05, .95), c(20, 30, 40)), rep(sum(c(1, 1.05, .95) * c(20, 30, 40)) / 90, 3))
  apart <- shrunk(c(1, 100, 1e4, 0), c(200, 200, 200, 0))
  expect_equal(apart[1:3], c(1, 100, 1e4), tolerance = .1)
  s2 <- c(1, 3, 9, 2)
  df <- c(10, 20, 5, 12)
  expect_equal(shrunk(s2, df), naive_residual_variances(s2 * df, df), tolerance = 1e-8)
})

test_that("variances may be given for all domains, whatever is borrowed", {
  d <- draw_similar_domains(4, 3, 4)
  run <- function(borrow, sigma2) {
    fit <- tlcp(d$x, d$y, domain = d$domain, target = "b", borrow = borrow, control = tlcp_control(sigma2 = sigma2))
    unname(fit$steps$criterion)
  }
  for (borrow in c("none", "aggregate")) {
    expect_equal(run(borrow, c(2, 3, 4)), run(borrow, 2))
    expect_equal(run(borrow, c(a = 3, b = 2, c = 4)), run(borrow, 2))
    expect_error(run(borrow, c(2, 3)), "positive number", class = "transelect_error_sigma2")
  }
})
