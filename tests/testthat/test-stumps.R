# ---- decision stumps: the same as their matrix, which is never made

# Columns with ties, so that thresholds are few, and one that is constant.
stump_case <- function(seed, k = 3, n = 40) {
  d <- draw_classes(seed, k, n = n, p = 4)
  d$x <- cbind(round(d$x, 1), flat = 2)
  d
}

# The path on the stumps, and the twin on their matrix made to follow it: many stumps part the
# rows alike.
stump_pair <- function(d, rule, max_steps = 5, ...) {
  fit <- shareboost(stumps(d$x), d$y, rule = rule, max_steps = max_steps, ..., tol = 1e-11)
  made <- naive_stumps(d$x)
  names <- stump_names(colnames(d$x)[made$column], made$theta)
  colnames(made$x) <- names
  order <- match(stump_entered(fit), names)
  twin <- naive_shareboost(made$x, d$y, rule = rule, max_steps = max_steps, ..., follow = order)
  list(fit = fit, twin = twin, made = made, order = order)
}

stump_names <- function(column, theta) paste(column, "<=", format_threshold(theta))

format_threshold <- function(theta) vapply(theta, format, "", digits = 7)

stump_entered <- function(fit) entered(fit)

test_that("stumps are the path on the matrix of all stumps", {
  for (k in c(2, 3, 5)) {
    d <- stump_case(k, k)
    for (rule in c("orthogonal", "gradient")) {
      pair <- stump_pair(d, rule)
      expect_false(anyNA(pair$order))
      expect_lt(max(pair$twin$shortfall), 1e-8)
      expect_close(pair$fit$steps$loss, pair$twin$loss, 1e-8)
      expect_close(pair$fit$steps$error, pair$twin$error)
      expect_close(pair$fit$steps$gradient[-1], pair$twin$norm, 1e-7)
      scores <- predict(pair$fit, d$x, type = "score")
      last <- pair$twin$rounds[[6]]
      other <- pair$made$x %*% last$beta + rep(last$a0, each = nrow(d$x))
      if (k > 2) expect_close(scores - rowMeans(scores), other - rowMeans(other), 1e-6)
    }
  }
})

test_that("weights and no intercept follow the matrix of stumps", {
  for (seed in 1:2) {
    d <- stump_case(10 + seed)
    for (rule in c("orthogonal", "gradient")) {
      pair <- stump_pair(d, rule, 4, weights = d$weights)
      expect_lt(max(pair$twin$shortfall), 1e-8)
      expect_close(pair$fit$steps$loss, pair$twin$loss, 1e-8)
      pair <- stump_pair(d, rule, 4, intercept = FALSE)
      expect_lt(max(pair$twin$shortfall), 1e-8)
      expect_close(pair$fit$steps$loss, pair$twin$loss, 1e-8)
    }
  }
})

test_that("stumps see the order of the values only", {
  d <- stump_case(20)
  bent <- cbind(exp(d$x[, 1:2]), 2 * d$x[, 3:4] - 5, flat = 0)
  colnames(bent) <- colnames(d$x)
  a <- shareboost(stumps(d$x), d$y, max_steps = 5, tol = 1e-11)
  b <- shareboost(stumps(bent), d$y, max_steps = 5, tol = 1e-11)
  expect_identical(sub(" .*", "", entered(a)), sub(" .*", "", entered(b)))
  expect_close(a$steps$loss, b$steps$loss)
  expect_equal(predict(a, d$x), predict(b, bent))
})

test_that("stumps of new rows, one row, and a value at the threshold", {
  d <- stump_case(21)
  fit <- shareboost(stumps(d$x), d$y, max_steps = 4)
  whole <- predict(fit, d$x, type = "prob")
  expect_close(predict(fit, d$x[5, , drop = FALSE], type = "prob"), whole[5, , drop = FALSE])
  turned <- d$x[, 5:1]
  expect_equal(predict(fit, turned, type = "prob"), whole)
  expect_equal(predict(fit, as.data.frame(d$x), type = "prob"), whole)
  expect_error(predict(fit, d$x[, -1]), class = "transelect_error")
  expect_equal(mean(predict(fit, d$x) != d$y), fit$steps$error[5])
})

test_that("iris by stumps", {
  case <- iris_case()
  fit <- shareboost(stumps(case$x), case$y, rule = "gradient", max_steps = 6)
  # the twin on the matrix of all stumps
  loss <- c(1.861995, 0.889536, 0.242793, 0.147495, 0.140148, 0.116723, 0.106306)
  expect_lt(max(abs(fit$steps$loss - loss)), 5.1e-7)
  expect_match(entered(fit)[1], "Petal")
})

test_that("stumps are refused where there are none", {
  d <- stump_case(22)
  expect_refused({
    stumps()
    stumps("x")
    stumps(matrix(letters[1:6], 3))
    stumps(replace(d$x, 3, NA))
    stumps(matrix(1, 5, 2))
    shareboost(stumps(d$x), d$y[-1])
    shareboost(stumps(d$x), d$y, groups = 1:5)
  })
})

test_that("stumps are small and print", {
  big <- with_seed(1, matrix(rnorm(2e4), 2000))
  expect_lt(as.numeric(object.size(stumps(big))), 4 * as.numeric(object.size(big)))
  expect_output(print(stumps(big)), "2000")
})
