# ---- what must not change when the data are written down differently

shareboost_fits <- function(x, y, ..., max_steps = 4) {
  rules <- c("orthogonal", "gradient", "line", "column", "full")
  fits <- lapply(rules, function(rule) {
    shareboost(x, y, rule = rule, ..., max_steps = max_steps, control = shareboost_control(tol = 1e-11))
  })
  stats::setNames(fits, rules)
}

expect_same_shareboost_fits <- function(fits, others, tolerance = 1e-7, ...) {
  for (rule in names(fits)) {
    expect_same_shareboost(fits[[rule]], others[[rule]], tolerance, label = rule, ...)
  }
}

test_that("the order and the names of the classes do not matter", {
  for (k in c(2, 3, 5)) {
    d <- draw_classes(10 + k, k)
    a <- shareboost_fits(d$x, d$y)
    turned <- factor(d$y, levels = rev(levels(d$y)))
    expect_same_shareboost_fits(a, shareboost_fits(d$x, turned))
    codes <- c(a = 7, b = 1, c = 30, d = 4, e = 0)[as.character(d$y)]
    expect_same_shareboost(
      a$orthogonal, shareboost(d$x, factor(codes), max_steps = 4, control = shareboost_control(tol = 1e-11)),
      classes = as.character(c(a = 7, b = 1, c = 30, d = 4, e = 0)[a$orthogonal$classes])
    )
    text <- shareboost(d$x, as.character(d$y), max_steps = 4, control = shareboost_control(tol = 1e-11))
    expect_same_shareboost(a$orthogonal, text)
    whole <- shareboost(d$x, as.integer(d$y), max_steps = 4, control = shareboost_control(tol = 1e-11))
    expect_same_shareboost(a$orthogonal, whole, classes = as.character(seq_len(k)))
  }
})

test_that("sparse input gives the dense answer", {
  for (k in c(2, 4)) {
    d <- draw_classes(20 + k, k)
    d$x[abs(d$x) < 0.8] <- 0
    sparse <- as(d$x, "CsparseMatrix")
    for (intercept in c(TRUE, FALSE)) {
      a <- shareboost_fits(d$x, d$y, intercept = intercept, weights = d$weights)
      b <- shareboost_fits(sparse, d$y, intercept = intercept, weights = d$weights)
      expect_same_shareboost_fits(a, b)
      expect_equal(predict(a$gradient, d$new), predict(b$gradient, as(d$new, "CsparseMatrix")))
    }
    groups <- factor(c(1, 2, 1, 3, 2, 3, 1))
    a <- shareboost(d$x, d$y, groups = groups, max_steps = 2, control = shareboost_control(tol = 1e-11))
    expect_same_shareboost(a, shareboost(sparse, d$y, groups = groups, max_steps = 2,
                                         control = shareboost_control(tol = 1e-11)))
    for (penalty in c("l1", "linf1")) {
      a <- shareboost(d$x, d$y, penalty = penalty, ridge = 0.01, max_steps = 3,
                      control = shareboost_control(tol = 1e-11))
      b <- shareboost(sparse, d$y, penalty = penalty, ridge = 0.01, max_steps = 3,
                      control = shareboost_control(tol = 1e-11))
      expect_close(a$steps$loss, b$steps$loss)
    }
  }
})

test_that("a longer path begins with the shorter one", {
  d <- draw_classes(31, 4, "correlated", p = 15)
  for (rule in c("orthogonal", "gradient")) {
    short <- shareboost(d$x, d$y, rule = rule, ridge = 1e-4, max_steps = 5)
    long <- shareboost(d$x, d$y, rule = rule, ridge = 1e-4, max_steps = 12)
    expect_identical(short$steps, long$steps[1:6, ], ignore_attr = TRUE)
  }
})

test_that("rows beyond one block of the kernels follow the twin", {
  for (n in c(255, 256, 257, 511, 513, 1025)) {
    d <- draw_classes(n, 3, n = n, p = 9)
    expect_shareboost_twin(shareboost_pair(d, 5), label = n)
    expect_shareboost_twin(shareboost_pair(d, 3, rule = "gradient"), label = n)
  }
  for (k in c(6, 7, 11)) {
    d <- draw_classes(40 + k, k, n = 60 * k, p = 6)
    expect_shareboost_twin(shareboost_pair(d, 3), label = paste(k, "classes"))
  }
})

test_that("groups beyond one block of the Hessian's factor follow the twin", {
  d <- draw_classes(50, 3, n = 250, p = 105)
  pair <- shareboost_pair(d, 2, groups = factor(rep(paste0("x", 1:3), each = 35)), ridge = .01)
  expect_shareboost_twin(pair)
})

# From 49 classes on the search begins with one matrix a class in place of the whole Hessian.
test_that("refits of many classes follow the twin", {
  d <- draw_classes(60, 50, n = 300, p = 5)
  expect_shareboost_twin(shareboost_pair(d, 3, weights = d$weights), label = "weights")
  expect_shareboost_twin(shareboost_pair(d, 3, intercept = FALSE, ridge = .01), label = "origin")
  for (penalty in c("l1", "linf1")) {
    pair <- shareboost_pair(d, 2, rule = "gradient", penalty = penalty, ridge = 1e-2, sharpness = 5)
    expect_shareboost_twin(pair, 1e-6, penalty)
  }
  expect_shareboost_twin(shareboost_pair(d, 3, keep = 3), label = "kept")
})

test_that("refits of many classes that can be separated are as exact as asked for, in any order of the classes", {
  set.seed(61)
  centres <- matrix(40 * rnorm(60 * 8), 60)
  y <- rep(1:60, each = 5)
  x <- named_columns(centres[y, ] + rnorm(300 * 8), 300, "x")
  last <- 60:1
  one <- shareboost(x, factor(y), ridge = 1e-8, max_steps = 3, control = shareboost_control(tol = 1e-9))
  other <- shareboost(x, factor(y, last), ridge = 1e-8, max_steps = 3, control = shareboost_control(tol = 1e-9))
  expect_identical(entered(one), entered(other))
  expect_lt(gap(one$steps$loss, other$steps$loss), 1e-9)
  expect_true(all(one$steps$gradient_end[-1] <= 1e-9 * one$steps$gradient[-1]))
})
