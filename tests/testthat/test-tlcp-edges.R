# ---- tlcp() where rules meet: agreeing sources, constant columns, orthogonal designs

test_that("sources that agree with each other are no reason for the target to borrow", {
  with_seed(4, {
    g <- rep(1:6, each = 30)
    x <- matrix(rnorm(180 * 8), 180)
    b <- rnorm(8) / 2
    noise <- rnorm(180)
  })
  y <- function(own) rowSums(x * rbind(own, b, b, b, b, b)[g, ]) + noise
  expect_message(apart <- tlcp(x, y(-b), domain = g, target = 1), "less likely")
  expect_lt(apart$strength$lr, -.5)
  expect_gt(tlcp(x, y(b), domain = g, target = 1)$strength$lr, 1.35)
})

test_that("a source where a column is constant has its coefficient on the target's scale", {
  with_seed(1, {
    x <- cbind(a = rnorm(90), b = rnorm(90) * 1000)
    noise <- rnorm(90) / 2
  })
  g <- rep(c("t", "s", "r"), each = 30)
  x[g == "s", "b"] <- 50
  y <- x[, 1] + x[, 2] / 500 + noise
  fit <- tlcp(x, y, domain = g, target = "t", select = FALSE)
  expect_equal(coef(fit, task = "s")[["b"]], coef(fit, task = "t")[["b"]], tolerance = 0.1)
  expect_true(is.na(fit$borrowed$s[fit$borrowed$term == "b"]))
})

test_that("cutoff is the exact search on orthogonal designs, with either support", {
  Q <- function(n, seed) with_seed(seed, qr.Q(qr(matrix(rnorm(n * 6), n)))) * sqrt(n)
  x <- rbind(Q(50, 1), Q(80, 2))
  g <- rep(c("t", "s"), c(50, 80))
  y <- drop(x %*% c(1, 0.5, 0.4, 0.2, 0, 0)) + with_seed(3, rnorm(130))
  for (support in c("target", "shared")) {
    for (borrow in c("hierarchical", "reml")) {
      both <- lapply(c("exact", "cutoff"), function(method) {
        tlcp(x, y, domain = g, target = "t", method = method, borrow = borrow, support = support,
             standardize = FALSE, intercept = FALSE, guard = FALSE, scales = FALSE)
      })
      expect_identical(both[[1]]$selected, both[[2]]$selected, label = paste(support, borrow))
      expect_equal(coef(both[[1]]), coef(both[[2]]), tolerance = 1e-6,
                   label = paste(support, borrow))
    }
  }
})

test_that("without standardising, the unit of all columns together does not matter", {
  d <- draw_tasks(5, 3, 5)
  fits <- lapply(c(1, 1e-8, 1e6), function(unit) {
    fit <- tlcp(d$x * unit, d$y, domain = d$domain, target = "b", standardize = FALSE)
    c(fit$strength$lr, unname(coef(fit)) * c(1, rep(unit, 5)))
  })
  expect_equal(fits[[1]], fits[[2]], tolerance = 1e-6)
  expect_equal(fits[[1]], fits[[3]], tolerance = 1e-6)
})

test_that("keep, drop and numbers by feature are honoured by either method", {
  fit <- tlcp(mpg ~ ., data = mtcars, method = "cutoff", keep = "gear")
  expect_true("gear" %in% fit$selected)
  expect_true(coef(fit)[["gear"]] != 0)
  expect_false("cyl" %in% tlcp(mpg ~ ., data = mtcars, select = FALSE, drop = "cyl")$selected)
  x <- cbind(as.matrix(mtcars[-1]), flat = 1)
  pen <- c(1e6, rep(1, 10))
  for (method in c("exact", "cutoff")) {
    fit <- suppressMessages(tlcp(x, mtcars$mpg, method = method, borrow = list(pen = pen)))
    expect_false("cyl" %in% fit$selected)
    expect_gt(length(fit$selected), 3)
  }
  expect_equal(coef(tlcp(mpg ~ ., data = mtcars, criterion = 3L)),
               coef(tlcp(mpg ~ ., data = mtcars, criterion = 3)))
})

test_that("likelihoods are lm()'s: with weights, and of the target's rows", {
  w <- rep(c(1, 2, 5, 0.5), 8)
  fit <- tlcp(mpg ~ wt + qsec, data = mtcars, weights = w, criterion = 0)
  plain <- lm(mpg ~ wt + qsec, mtcars, weights = w)
  expect_equal(as.numeric(logLik(fit)), as.numeric(logLik(plain)))
  d <- draw_tasks(1, 3, 4)
  pooled <- tlcp(d$x, d$y, domain = d$domain, target = "b", borrow = "aggregate", criterion = 0)
  own <- d$domain == "b"
  expect_equal(deviance(pooled), sum((d$y[own] - predict(pooled, d$x[own, ]))^2))
  # four features, an intercept a domain
  expect_equal(utils::tail(pooled$steps$cp, 1), 4 + 3)
})

test_that("a residual variance of one degree of freedom is not trusted where there are others", {
  d <- draw_tasks(8, 3, 6, n = 8)
  fit <- suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = "b"))
  expect_identical(fit$strength$s2_from[["b"]], "all domains")
  # residual sums of squares of all z-scored responses over all their degrees of freedom
  own <- lapply(split(seq_along(d$y), d$domain), function(i) {
    y <- (d$y[i] - mean(d$y[i])) / sd(d$y[i])
    fit <- lm.fit(cbind(1, d$x[i, ]), y)
    c(rss = sum(fit$residuals^2), df = fit$df.residual)
  })
  total <- Reduce(`+`, own)
  expect_equal(own$b[["df"]], 1)
  expect_equal(fit$strength$s2[["b"]], total[["rss"]] / total[["df"]])
  expect_gt(abs(fit$strength$s2[["b"]] / own$b[["rss"]] - 1), .01)
})
