# Rows of the target that are needed, given other domains.

# The probability at every number of rows up to `most`, and from where on it is large enough.
naive_required <- function(beta, m, delta, power, most = 400, ...) {
  low <- which(tlcp_selection(beta, seq_len(most), m, delta, ...) < power)
  if (length(low)) max(low) + 1 else 1
}

test_that("required rows are those from which on the probability is large enough", {
  for (beta in c(.3, -.25)) {
    for (delta in c(-.4, 0, .25)) {
      for (power in c(.5, .9, .99)) {
        expect_equal(tlcp_required_n(beta, 15, delta, power),
                     naive_required(beta, 15, delta, power, 1000))
      }
    }
  }
  expect_equal(tlcp_required_n(.2, 30, -.1, sigma = c(.7, 1.4), lambda = 2),
               naive_required(.2, 30, -.1, .9, sigma = c(.7, 1.4), lambda = 2))
})

test_that("another domain's effect may get a feature selected, which more rows of the target first make less likely", {
  kept <- tlcp_selection(.05, c(1, 60, 2000), 40, .35)
  expect_lt(kept[2], kept[1])
  expect_lt(kept[2], kept[3])
  power <- mean(c(kept[2], min(kept[c(1, 3)])))
  n <- tlcp_required_n(.05, 40, .35, power)
  expect_gt(n, 60)
  expect_equal(n, naive_required(.05, 40, .35, power, 20000))
})

test_that("without dissimilarity the rows of other domains are the target's", {
  alone <- cp_required_n(.3)
  expect_equal(tlcp_required_n(.3, 40), alone - 40)
  expect_equal(tlcp_required_n(.3, c(10, 25)), alone - 35)
  expect_equal(tlcp_required_n(.3, c(10, 25), sigma = c(1, 2, .5)), 1)
  expect_equal(tlcp_required_n(.1, c(10, 32), sigma = c(1, 2, 2)), cp_required_n(.1) - 10)
  expect_equal(tlcp_required_n(.3, 1000), 1)
  expect_equal(tlcp_required_n(c(.3, .1), 20, power = c(.5, .9)),
               c(tlcp_required_n(.3, 20, power = .5), tlcp_required_n(.1, 20)))
})

test_that("no rows are enough for a feature without an effect, unless it has one in another domain", {
  expect_identical(tlcp_required_n(0, 40), Inf)
  expect_identical(tlcp_required_n(0, 40, .01), Inf)
  expect_equal(tlcp_required_n(0, 40, power = .1), 1)
  kept <- tlcp_selection(0, c(1, 1e3, 1e6), 40, 1)
  expect_gt(min(kept), .99)
  expect_equal(tlcp_required_n(0, 40, 1), 1)
})

# ---- several other domains

# The target's coefficient when each other domain is coupled to it: K + 1 normal equations.
star_coefficient <- function(z, h, n, m, delta, sigma) {
  a <- n / sigma[1]^2
  b <- m / sigma[-1]^2
  k <- 1 / delta^2
  left <- rbind(c(a + sum(k), -k), cbind(-k, diag(b + k, length(m))))
  solve(left, c(a * z, b * h))[1]
}

test_that("several domains coupled to the target are one domain, to the last digit", {
  for (seed in 1:20) {
    case <- with_seed(seed, list(z = rnorm(1), h = rnorm(3), n = runif(1, 5, 50), m = runif(3, 5, 90),
                                 delta = runif(3, -1, 1), sigma = runif(4, .5, 2)))
    one <- with(case, theory_rows_combine_domains(list(m = m, delta = t(delta), sigma = sigma)))
    error <- with(case, sigma[-1]^2 / m + delta^2)
    expect_equal(one$spread + one$square, 1 / sum(1 / error))
    h <- sum(case$h / error) / sum(1 / error)
    a <- case$n / case$sigma[1]^2
    v <- 4 / one$square
    pair <- solve(matrix(c(a + v / 4, -v / 4, -v / 4, 1 / one$spread + v / 4), 2),
                  c(a * case$z, h / one$spread))[1]
    expect_equal(pair, with(case, star_coefficient(z, h, n, m, delta, sigma)))
  }
})

test_that("required rows with several domains are those of simulated coefficients", {
  beta <- .3
  m <- c(8, 12, 6)
  delta <- c(-.15, .05, -.3)
  sigma <- c(1, 1.2, .8, 1)
  n <- tlcp_required_n(beta, m, delta, sigma = sigma)
  expect_gt(n, 10)
  draws <- 4e5
  error <- sigma[-1]^2 / m + delta^2
  weight <- (1 / error) / sum(1 / error)
  spread <- sum(weight^2 * sigma[-1]^2 / m)
  square <- sum(weight^2 * delta^2)
  kept <- function(n) {
    with_seed(3, {
      z <- rnorm(draws, beta, sigma[1] / sqrt(n))
      h <- 0
      for (k in 1:3) h <- h + weight[k] * rnorm(draws, beta + delta[k], sigma[k + 1] / sqrt(m[k]))
    })
    a <- n / sigma[1]^2
    b <- 1 / spread
    kappa <- 1 / (1 / a + 1 / b + square)
    pen <- (1 + kappa / sqrt((a - kappa) * (b - kappa))) *
      ((a - kappa) * sigma[1]^2 / n + (b - kappa) * spread)
    mean((a - kappa) * z^2 + (b - kappa) * h^2 + 2 * kappa * z * h > pen)
  }
  expect_gt(kept(n), .9 - 4 * sqrt(.09 / draws))
  expect_lt(kept(.9 * n), .9)
})

# Frequency with which the paper's criterion of several domains keeps a feature: deviations from the
# mean of the domains, v = 2 / variance of the coefficients, pen = 2.
paper_keeps <- function(beta, rows, delta, draws = 2e5) {
  domains <- length(rows)
  mean <- beta + c(0, delta)
  couple <- 2 / var(mean) / 2 * (diag(domains) - 1 / domains)
  fall <- diag(rows) %*% solve(diag(rows) + couple) %*% diag(rows)
  z <- matrix(rnorm(draws * domains), draws) / rep(sqrt(rows), each = draws) + rep(mean, each = draws)
  mean(rowSums((z %*% fall) * z) > 2)
}

test_that("the paper's criterion of three domains keeps the feature with nearly that probability", {
  for (delta in list(c(-.1, .1), c(-.2, -.1), c(-.1, -.05), c(-.25, -.25))) {
    n <- tlcp_required_n(.3, c(8, 8), delta)
    kept <- with_seed(4, paper_keeps(.3, c(n, 8, 8), delta))
    expect_gt(kept, .89)
    expect_lt(kept, .93)
    expect_lt(cp_selection(.3, n), .89)
  }
})

# ---- effective rows

test_that("effective rows are those from which on Cp is as good", {
  beta <- c(1, .01, .005, .3, .32, .08)
  behind <- function(n, delta, m = 20) {
    # the smallest of the features' penalties holds for all
    pen <- min(vapply(seq_along(beta), function(i) {
      rule <- paper_rule(n, m, delta[i], c(1, 1), 2)
      rule$pen
    }, 0))
    sum(cp_mse(beta, n)) -
      sum(mapply(function(b, d) tlcp_mse(b, n, m, d, pen = pen), beta, delta))
  }
  for (relative in c(.2, 1)) {
    for (within in c(.01, .02)) {
      n <- tlcp_effective_n(beta, 20, cbind(relative * beta), within = within)
      expect_lte(behind(n, relative * beta), within)
      expect_gt(behind(n - 1, relative * beta), within)
      later <- vapply(n + c(1:5, 20, 100), behind, 0, delta = relative * beta)
      expect_true(all(later <= within))
    }
  }
})

test_that("one feature: the error of Cp against that of the rule, at every number of rows", {
  n <- 1:3000
  for (case in list(c(.3, .1, .002), c(.1, -.4, .001), c(0, .5, .001))) {
    worse <- cp_mse(case[1], n) - tlcp_mse(case[1], n, 30, case[2]) > case[3]
    expect_equal(tlcp_effective_n(case[1], 30, case[2], within = case[3]),
                 if (any(worse)) max(which(worse)) + 1 else 1)
  }
})

test_that("Cp never catches up without a superfluous feature, and does with some that other domains have", {
  expect_identical(tlcp_effective_n(c(.5, .2), 20, .3), Inf)
  expect_identical(tlcp_effective_n(c(.5, 0), 20), Inf)
  delta <- cbind(c(0, .6, .6, .6))
  n <- tlcp_effective_n(c(.5, 0, 0, 0), 20, delta)
  expect_lt(n, 100)
  pen <- function(n) min(paper_rule(n, 20, 1e-7, c(1, 1), 2)$pen, paper_rule(n, 20, .6, c(1, 1), 2)$pen)
  behind <- function(n) {
    sum(cp_mse(c(.5, 0, 0, 0), n)) - tlcp_mse(.5, n, 20, 0, pen = pen(n)) -
      3 * tlcp_mse(0, n, 20, .6, pen = pen(n))
  }
  expect_lte(behind(n), 0)
  expect_gt(behind(n - 1), 0)
  expect_true(all(vapply(n * c(2, 10, 100), behind, 0) < 0))
})

test_that("three domains that differ in the same direction are weighted too much, and Cp catches up", {
  expect_identical(tlcp_effective_n(.5, c(20, 20), .5), Inf)
  expect_identical(tlcp_effective_n(.5, c(20, 20, 20), c(.5, -.5, .5)), Inf)
  n <- tlcp_effective_n(.5, c(20, 20, 20), .5)
  expect_true(is.finite(n))
  # the rule takes the three for one domain of 60 rows with a third of their squared dissimilarity
  behind <- cp_mse(.5, 1:500) - tlcp_mse(.5, 1:500, 60, .5, v = 4 / (.25 / 3))
  expect_equal(n, max(which(behind > 0)) + 1)
})

test_that("bad arguments are refused by name", {
  expect_error(tlcp_required_n(.3, 20, power = 1), "`power`", class = "transelect_error")
  expect_error(tlcp_required_n(.3, 0), "`m`", class = "transelect_error")
  expect_error(tlcp_required_n(.3, c(20, 30), delta = c(0, .1, .2)), "`delta` has 3 values.*`m` has 2")
  expect_error(tlcp_required_n(.3, c(20, 30), sigma = rep(1, 4)), "`sigma` has 4 values")
  expect_error(tlcp_required_n(c(.3, .2, .1), 20, power = c(.8, .9)), "as many")
  expect_error(tlcp_effective_n(c(.3, .1), 20, delta = matrix(0, 3, 1)), "2 x 1", class = "transelect_error")
  expect_error(tlcp_effective_n(.3, 20, within = -1), "`within`", class = "transelect_error")
  expect_error(tlcp_effective_n(.3, 20, powr = 1), "no argument `powr`", class = "transelect_error")
})

test_that("rows of other domains may be given as a matrix or an array", {
  beta <- c(1, -.5)
  expect_identical(tlcp_required_n(beta, m = matrix(40, 2, 2)), tlcp_required_n(beta, m = rep(40, 4)))
  expect_identical(tlcp_effective_n(beta, m = array(40, 2), sigma = matrix(1, 1, 3)),
                   tlcp_effective_n(beta, m = c(40, 40), sigma = c(1, 1, 1)))
})
