# The irrepresentable condition of the lasso and of the split loss.

# By the curvature of the split loss in (B, Gamma), B minimised out as a Schur complement.
naive_irrepresentable <- function(x, inside, nu, signs) {
  x <- scale(x, scale = FALSE)
  x <- sweep(x, 2, sqrt(colMeans(x^2)), "/")
  gram <- crossprod(x) / nrow(x)
  p <- ncol(x)
  curve <- if (nu == 0) gram else diag(p) / nu - solve(gram + diag(p) / nu) / nu^2
  sums <- vapply(setdiff(seq_len(p), inside), function(j) {
    share <- curve[j, inside] %*% solve(curve[inside, inside])
    c(sum(abs(share)), abs(sum(share * signs)))
  }, c(0, 0))
  apply(sums, 1, max)
}

test_that("the values are those of the definition, on many designs", {
  for (kind in c("random", "correlated", "tied", "scaled")) {
    x <- with_seed(4, draw_features(kind, 30, 7))
    signs <- c(1, -1, 1)
    table <- irrepresentable(x, c(2, 5, 6), nu = c(0, .3, 20), signs = signs)
    for (i in 1:3) {
      naive <- naive_irrepresentable(x, c(2, 5, 6), table$nu[i], signs)
      expect_equal(c(table$any_signs[i], table$these_signs[i]), naive, tolerance = 1e-7)
    }
    expect_identical(table$holds, table$these_signs < 1)
    free <- irrepresentable(x, c(2, 5, 6), nu = c(0, .3, 20))
    expect_equal(free$any_signs, table$any_signs)
    expect_identical(free$holds, free$any_signs < 1)
    expect_true(all(is.na(free$these_signs)))
  }
})

test_that("it holds for orthogonal and equally correlated features, and fails where one is like the sum", {
  orthogonal <- qr.Q(qr(scale(with_seed(1, matrix(rnorm(200), 20)), scale = FALSE)))
  expect_true(all(irrepresentable(orthogonal, 1:4)$holds))
  expect_lt(max(irrepresentable(orthogonal, 1:4)$any_signs), 1e-10)

  # rho s / (1 + (s - 1) rho)
  equal <- orthogonal %*% chol(matrix(.6, 10, 10) + diag(.4, 10))
  expect_equal(irrepresentable(equal, 1:3, nu = 0)$any_signs, .6 * 3 / (1 + 2 * .6))

  like <- cbind(a = orthogonal[, 1], b = orthogonal[, 2],
                c = .7 * orthogonal[, 1] + .7 * orthogonal[, 2] + sqrt(.02) * orthogonal[, 3])
  table <- irrepresentable(like, c("a", "b"), nu = c(0, 1e3))
  expect_equal(table$any_signs[1], 1.4)
  expect_identical(table$holds, c(FALSE, TRUE))
  expect_identical(table$feature, c("c", "c"))
  expect_true(irrepresentable(like, c("a", "b"), nu = 0, signs = c(1, -1))$holds)
})

test_that("what it says of the lasso and of a large nu is what msplit() finds", {
  q <- qr.Q(qr(scale(with_seed(2, matrix(rnorm(120), 40)), scale = FALSE)))
  x <- cbind(a = q[, 1], b = q[, 2], c = .7 * q[, 1] + .7 * q[, 2] + sqrt(.02) * q[, 3])
  y <- drop(x[, "a"] + x[, "b"])
  first <- function(nu) {
    fit <- msplit(x, y, nu = nu, choose = "none", control = msplit_control(t_ratio = 1000))
    head(na.omit(unlist(strsplit(fit$steps$entered, ", "))), 2)
  }
  expect_false(irrepresentable(x, c("a", "b"), nu = 1e-3)$holds)
  expect_true("c" %in% first(1e-3))
  expect_true(irrepresentable(x, c("a", "b"), nu = 1e3)$holds)
  expect_setequal(first(1e3), c("a", "b"))
})

test_that("columns are named, numbered or marked, data frames and fits are read", {
  x <- with_seed(3, named_columns(rnorm(90), 30, "x"))
  by_name <- irrepresentable(x, c("x3", "x1"))
  expect_equal(irrepresentable(x, c(1, 3)), by_name)
  expect_equal(irrepresentable(x, c(TRUE, FALSE, TRUE)), by_name)
  expect_equal(irrepresentable(as.data.frame(x), c("x1", "x3")), by_name)
  expect_equal(irrepresentable(Matrix::Matrix(x, sparse = TRUE), c("x1", "x3")), by_name)
  expect_equal(by_name$nu, c(0, .1, 1, 10, 100))

  fit <- msplit(mpg ~ ., mtcars, nu = 5, choose = "none")
  table <- irrepresentable(mtcars, fit, step = 3)
  sparse <- coef(fit, step = 3, estimator = "sparse")[-1]
  on <- names(sparse)[sparse != 0]
  expect_equal(table, irrepresentable(mtcars[names(sparse)], on, nu = c(0, 5),
                                      signs = sign(sparse[on])))
  nothing <- irrepresentable(mtcars, fit, step = 0)
  expect_true(all(nothing$holds))
  expect_identical(irrepresentable(x, 1:3)$feature, rep(NA_character_, 5))
})

test_that("bad arguments are refused by name", {
  x <- with_seed(3, named_columns(rnorm(90), 30, "x"))
  expect_error(irrepresentable(x, "z"), "`support`", class = "transelect_error")
  expect_error(irrepresentable(x, c(1, 1)), "`support`", class = "transelect_error")
  expect_error(irrepresentable(x, c(TRUE, FALSE)), "`support`", class = "transelect_error")
  expect_error(irrepresentable(x, 1:2, nu = -1), "`nu`", class = "transelect_error")
  expect_error(irrepresentable(x, 1:2, signs = c(1, 0)), "`signs`", class = "transelect_error")
  expect_error(irrepresentable(x, 1:2, step = 1), "`step`", class = "transelect_error")
  expect_error(irrepresentable(cbind(x, x4 = x[, 1]), c("x1", "x4")), "linearly dependent")
  expect_error(irrepresentable(cbind(x, x4 = 1), c("x1", "x4")), "does not vary.*x4")
  expect_error(irrepresentable(replace(x, 1, NA), 1), "`x`", class = "transelect_error")
  expect_error(irrepresentable(mtcars, greedytl(mpg ~ ., mtcars)), "msplit")
  expect_error(irrepresentable(mtcars, msplit(mpg ~ ., mtcars), signs = 1), "`signs`")
  expect_error(irrepresentable(x, 1, supprt = 1), "no argument `supprt`")
})
