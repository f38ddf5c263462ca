# What must not change when the data are written down differently.

fits <- function(...) {
  list(
    transfer = greedytl(..., max_steps = 6),
    paper = greedytl(..., rule = "paper", max_steps = 6, tol = 0)
  )
}

test_that("the order of rows and of columns does not matter", {
  for (seed in 1:4) {
    d <- draw_case(seed, "correlated")
    rows <- with_seed(seed, sample(20))
    columns <- with_seed(seed, sample(8))
    a <- fits(d$x, d$factor, d$h)
    b <- fits(d$x[rows, ], d$factor[rows], d$h[rows, ])
    c <- fits(d$x[, columns], d$factor, d$h[, 5:1])
    for (rule in names(a)) {
      expect_same_path(a[[rule]], b[[rule]])
      expect_same_path(a[[rule]], c[[rule]])
    }
  }
})

test_that("the unit and the sign of a feature do not matter", {
  d <- draw_case(11)
  unit <- c(1000, -1, 1, 1e-3, 1, 1, 1, -50)
  a <- fits(d$x, d$factor, d$h)
  b <- fits(d$x * rep(unit, each = 20) + 3, d$factor, d$h)
  for (rule in names(a)) {
    expect_identical(a[[rule]]$steps$entered, b[[rule]]$steps$entered)
    expect_close(a[[rule]]$steps$gain[-1], b[[rule]]$steps$gain[-1])
    expect_close(as.matrix(a[[rule]]$beta)[1:8, ], as.matrix(b[[rule]]$beta)[1:8, ] * unit)
    expect_equal(
      predict(a[[rule]], d$x, sources = d$h, type = "link"),
      predict(b[[rule]], d$x * rep(unit, each = 20) + 3, sources = d$h, type = "link")
    )
  }
})

test_that("the common unit of the sources does not matter", {
  d <- draw_case(12)
  a <- greedytl(d$x, d$factor, d$h, max_steps = 6)
  b <- greedytl(d$x, d$factor, 40 * d$h - 7, max_steps = 6)
  expect_identical(entered(a), entered(b))
  expect_close(as.matrix(a$beta)[9:13, ], as.matrix(b$beta)[9:13, ] * 40)
})

test_that("constant columns change nothing", {
  d <- draw_case(13)
  a <- fits(d$x, d$factor, d$h)
  b <- fits(cbind(k = 1, d$x, l = -3), d$factor, cbind(d$h, m = 0))
  for (rule in names(a)) {
    expect_same_path(a[[rule]], b[[rule]])
    expect_true(all(as.matrix(b[[rule]]$beta)[c("k", "l", "m"), ] == 0))
  }
})

test_that("exchanging the classes and the sign of the sources turns every sign", {
  d <- draw_case(14)
  swapped <- factor(d$factor, levels = c("yes", "no"))
  a <- greedytl(d$x, d$factor, d$h, max_steps = 8)
  b <- greedytl(d$x, swapped, -d$h, max_steps = 8)
  expect_identical(a$steps$entered, b$steps$entered)
  expect_close(a$a0, -b$a0)
  expect_close(as.matrix(a$beta)[1:8, ], -as.matrix(b$beta)[1:8, ])
  expect_close(as.matrix(a$beta)[9:13, ], as.matrix(b$beta)[9:13, ])
  free <- greedytl(d$x, d$factor, d$h, source_sign = "any", max_steps = 8)
  turned <- greedytl(d$x, swapped, d$h, source_sign = "any", max_steps = 8)
  expect_identical(free$steps$entered, turned$steps$entered)
  expect_close(as.matrix(free$beta), -as.matrix(turned$beta))
})

test_that("a weight of two is a row written twice", {
  d <- draw_case(15)
  twice <- c(3, 8, 8, 17)
  weights <- 1 + tabulate(twice, 20)
  rows <- c(1:20, twice)
  for (y in list(d$y, d$factor)) {
    a <- greedytl(d$x, y, d$h, lambda = 0.1, weights = weights, max_steps = 6)
    b <- greedytl(d$x[rows, ], y[rows], d$h[rows, ], lambda = 0.1, max_steps = 6)
    expect_identical(a$steps$entered, b$steps$entered)
    expect_close(a$a0, b$a0)
    expect_close(as.matrix(a$beta), as.matrix(b$beta))
    expect_close(a$steps$objective, b$steps$objective)
  }
})

test_that("only the ratios of the weights matter", {
  d <- draw_case(16)
  a <- fits(d$x, d$factor, d$h, weights = d$weights)
  b <- fits(d$x, d$factor, d$h, weights = 10 * d$weights)
  c <- fits(d$x, d$factor, d$h, weights = rep(4, 20))
  plain <- fits(d$x, d$factor, d$h)
  for (rule in names(a)) {
    expect_same_path(a[[rule]], b[[rule]])
    expect_same_path(c[[rule]], plain[[rule]])
  }
})

test_that("sparse input gives the dense answer", {
  for (seed in 1:5) {
    d <- draw_case(400 + seed, "tied", n = 25, p = 12)
    d$x[abs(d$x) < 1.5] <- 0
    d$h[abs(d$h) < 1] <- 0
    sparse_x <- as(d$x, "CsparseMatrix")
    sparse_h <- as(d$h, "CsparseMatrix")
    y <- d$y + seq_len(25) / 1000
    a <- fits(d$x, y, d$h)
    b <- fits(sparse_x, y, sparse_h)
    c <- fits(sparse_x, y, d$h)
    e <- fits(d$x, y, sparse_h)
    for (rule in names(a)) {
      expect_same_path(a[[rule]], b[[rule]])
      expect_same_path(a[[rule]], c[[rule]])
      expect_same_path(a[[rule]], e[[rule]])
      expect_equal(
        predict(a[[rule]], d$x, sources = d$h), predict(b[[rule]], sparse_x, sources = sparse_h)
      )
    }
  }
})

test_that("matrix, data frame, formula and integers give one answer", {
  d <- draw_case(17, "tied")
  y <- d$y
  x <- round(10 * d$x)
  a <- greedytl(x, y, d$h, max_steps = 5)
  b <- greedytl(as.data.frame(x), y, as.data.frame(d$h), max_steps = 5)
  expect_same_path(a, b)
  expect_same_path(a, greedytl(y ~ ., data.frame(y, x), sources = d$h, max_steps = 5))
  storage.mode(x) <- "integer"
  expect_same_path(a, greedytl(x, y, d$h, max_steps = 5))
})

test_that("the data are not modified", {
  d <- draw_case(18)
  copy <- draw_case(18)
  greedytl(d$x, d$factor, d$h, weights = d$weights)
  expect_identical(d, copy)
})
