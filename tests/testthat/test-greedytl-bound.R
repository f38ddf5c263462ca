# Corollary 1 of the paper: greedy selection against the best of all subsets.

# Columns of mean square one about zero with small correlations, and a response of mean square one.
near_orthogonal <- function(seed, n = 60, p = 6, sd = .004) {
  with_seed(seed, {
    z <- qr.Q(qr(cbind(1, matrix(rnorm(n * p), n))))[, -1] + sd / sqrt(n) * matrix(rnorm(n * p), n)
    z <- scale(z)[, ] * sqrt(n / (n - 1))
    colnames(z) <- paste0("x", seq_len(p))
    y <- drop(z %*% rnorm(p)) + rnorm(n)
    list(x = z, y = (y - mean(y)) / sqrt(mean((y - mean(y))^2)))
  })
}

test_that("greedy ends within the bound of the best of all subsets", {
  n <- 60
  for (seed in 1:6) for (lambda in c(0, .1, 1)) {
    d <- near_orthogonal(seed)
    fit <- greedytl(d$x, d$y, rule = "paper", lambda = lambda, standardize = FALSE, intercept = FALSE,
                    control = greedytl_control(tol = 0),
                    max_steps = 3)
    reached <- fit$steps$objective[2:4]
    best <- vapply(1:3, function(k) min(utils::combn(6, k, function(at) {
      z <- d$x[, at, drop = FALSE]
      w <- solve(crossprod(z) / n + diag(lambda, k), crossprod(z, d$y) / n)
      mean((d$y - z %*% w)^2) + lambda * sum(w^2)
    })), 0)
    bound <- greedytl_bound(d$x, 1:3, lambda, objective = pmin(reached, 1))
    expect_true(all(bound$holds))
    expect_true(all(reached <= bound$factor * best - bound$less + 1e-10))
    expect_true(all(bound$best <= best + 1e-10))
  }
})

test_that("the table is the formula of the corollary", {
  gamma <- .02
  lambda <- .5
  made <- greedytl_bound(gamma, 1:20, lambda)
  expect_equal(made$limit, 1.5 / (6 * 1:20))
  expect_identical(made$holds, gamma < made$limit)
  k <- which(made$holds)
  expect_equal(made$factor[k], 1 + 16 * (k + 1)^2 * gamma / 1.5)
  expect_equal(made$less[k], 16 * (k + 1)^2 * gamma * lambda / 1.5^2)
  expect_true(all(is.na(made$factor[-k])))
  x <- draw_case(1)$x
  size <- abs(cor(x))
  expect_equal(greedytl_bound(x, 1)$correlation, max(size[upper.tri(size)]))
  expect_equal(greedytl_bound(cbind(x, 3), 1)$correlation, max(size[upper.tri(size)]))
  expect_equal(greedytl_bound(.01, 3)$factor, 3.56)
})

test_that("bad arguments are refused by name", {
  expect_error(greedytl_bound(), class = "transelect_error_x")
  expect_error(greedytl_bound("a", 1), class = "transelect_error_x")
  expect_error(greedytl_bound(2, 1), class = "transelect_error_x")
  expect_error(greedytl_bound(.1), class = "transelect_error_steps")
  expect_error(greedytl_bound(.1, 1.5), class = "transelect_error_steps")
  expect_error(greedytl_bound(.1, 1, lambda = -1), class = "transelect_error_lambda")
  expect_error(greedytl_bound(.1, 1, objective = 2), class = "transelect_error_objective")
  expect_error(greedytl_bound(.1, 1, objectiv = 1), "objective", class = "transelect_error_argument")
})
