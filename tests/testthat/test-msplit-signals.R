# ---- strong signals, weak signals, noise

test_that("strong is the support, weak the largest of the rest", {
  d <- msplit_case(1, n = 30, d = 10)
  scale <- naive_rows(d$x, d$y)$scale
  fit <- plain_path(d$x, d$y)
  for (step in 0:4) {
    table <- signals(fit, step = step, k = 3)
    dense <- coef(fit, step = step)[-1]
    sparse <- coef(fit, step = step, estimator = "sparse")[-1]
    expect_identical(names(table)[1:3], c("response", "term", "signal"))
    expect_setequal(table$term, colnames(d$x))
    expect_equal(table$dense, unname(dense[table$term]))
    expect_equal(table$sparse, unname(sparse[table$term]))
    strong <- names(sparse)[sparse != 0]
    expect_setequal(table$term[table$signal == "strong"], strong)
    off <- sort((abs(dense - sparse) * scale)[setdiff(colnames(d$x), strong)], decreasing = TRUE)
    expect_identical(table$term[table$signal == "weak"], names(off)[1:3])
    expect_identical(table$term[table$signal == "noise"], names(off)[-(1:3)])
    expect_equal(table$estimate, ifelse(table$signal == "noise", 0, table$dense))
    expect_equal(table$rank, 1:10)
    first <- table$term[table$signal == "strong"]
    expect_false(is.unsorted(rev(abs(sparse * scale)[first])))
  }
})

test_that("a threshold replaces their number", {
  d <- msplit_case(2, n = 30, d = 10)
  scale <- naive_rows(d$x, d$y)$scale
  fit <- plain_path(d$x, d$y)
  size <- abs(coef(fit, step = 2)[-1] * scale)
  sparse <- coef(fit, step = 2, estimator = "sparse")[-1]
  rest <- sort(size[sparse == 0])
  threshold <- mean(rest[4:5])
  table <- signals(fit, step = 2, threshold = threshold)
  expect_setequal(table$term[table$signal == "weak"], names(rest)[5:8])
  expect_equal(sum(signals(fit, step = 2, threshold = 1e6)$signal == "weak"), 0)
})

test_that("every response and class has its own signals", {
  d <- msplit_case(3, n = 30)
  fit <- plain_path(d$x, d$pair)
  t <- fit$points$t[5]
  table <- signals(fit, t = t)
  expect_setequal(table$response, c("first", "second"))
  for (response in c("first", "second")) {
    gamma <- coef(fit, t = t, estimator = "gamma", response = response)[-1]
    one <- table[table$response == response, ]
    expect_setequal(one$term[one$signal == "strong"], names(gamma)[gamma != 0])
  }
  classes <- signals(plain_path(d$x, d$class), t = t)
  expect_setequal(classes$response, levels(d$class))
})

test_that("the paper's five strong signals are strong, and weak ones are found", {
  d <- with_seed(1, {
    x <- named_columns(sqrt(.4) * rnorm(100) + sqrt(.6) * rnorm(8000), 100, "x")
    list(x = x, y = drop(x %*% rep(c(2, .2, 0), c(5, 35, 40))) + rnorm(100) / 2)
  })
  table <- signals(msplit(d$x, d$y), k = 20)
  strong <- table$term[table$signal == "strong"]
  expect_true(all(paste0("x", 1:5) %in% strong))
  weak <- as.integer(sub("x", "", table$term[table$signal == "weak"]))
  # a random choice among the columns that are not strong would have 35 of 75
  expect_gt(mean(weak %in% 6:40), .7)
})

test_that("bad input of signals() is refused by name", {
  d <- msplit_case(1)
  fit <- plain_path(d$x, d$y)
  expect_refused({
    signals(fit, step = 999)
    signals(fit, k = -1)
    signals(fit, k = 1.5)
    signals(fit, threshold = -1)
    signals(fit, t = 3, step = 2)
    signals(fit, nu = 77)
    signals(fit, number = 3)
  })
  expect_refused(class = "error", {
    signals(d$x)
  })
})

test_that("rounding error is no weak signal", {
  x <- with_seed(1, matrix(rnorm(300), 60))
  table <- signals(msplit(x, x[, 1] + x[, 2]))
  expect_identical(table$signal, rep(c("strong", "noise"), 2:3))
})
