# ---- shapes of predictions, pictures and tables

test_that("predictions have a row a row, a column a response, a slice a step", {
  d <- msplit_case(1)
  one <- plain_path(d$x, d$y)
  both <- plain_path(d$x, d$pair)
  expect_length(predict(one, d$new, step = 2), 6)
  expect_equal(dim(predict(one, d$new, step = 0:3)), c(6L, 4L))
  expect_equal(dim(predict(one, d$new, t = one$points$t[1:3])), c(6L, 3L))
  expect_equal(dim(predict(both, d$new, step = 2)), c(6L, 2L))
  three <- predict(both, d$new, step = c(0, 5, 9))
  expect_equal(dim(three), c(6L, 2L, 3L))
  expect_equal(unname(three[, , 2]), unname(predict(both, d$new, step = 5)))
  expect_named(coef(both, step = 3), c("first", "second"))
  expect_identical(
    predict(one, d$new, step = 3, type = "nonzero", estimator = "sparse"),
    variable.names(one, step = 3)
  )
  gone <- replace(d$new, 4, NA)
  expect_identical(which(is.na(predict(one, gone, step = 3))), 4L)
})

test_that("probabilities are the logistic function of the scores", {
  d <- msplit_case(2, n = 30)
  fit <- msplit(d$x, d$factor, loss = "binomial", nu = 2, nt = 5, t_ratio = 3)
  link <- predict(fit, d$new, step = 4, type = "link")
  prob <- predict(fit, d$new, step = 4, type = "prob")
  expect_equal(unname(prob), unname(stats::plogis(link)))
  fit <- msplit(d$x, d$class, loss = "multinomial", nu = 2, nt = 5, t_ratio = 3)
  link <- predict(fit, d$new, step = 4, type = "link")
  prob <- predict(fit, d$new, step = 4, type = "prob")
  expect_equal(unname(prob), unname(exp(link) / rowSums(exp(link))))
  expect_identical(colnames(prob), levels(d$class))
})

test_that("factors have names, levels and rows with missing values as lm() has them", {
  data <- data.frame(y = mtcars$mpg, wt = mtcars$wt, cyl = factor(mtcars$cyl), am = mtcars$am == 1)
  data$wt[3] <- NA
  fit <- msplit(y ~ ., data, nu = 2, choose = "none")
  expect_equal(fit$nobs, 31)
  expect_named(coef(fit, step = 1), c("(Intercept)", "wt", "cyl6", "cyl8", "amTRUE"))
  # with everything on the support the dense estimator is least squares
  expect_equal(coef(fit), coef(lm(y ~ ., data)))
  expect_equal(
    unname(predict(fit, data[5:9, ])), unname(predict(lm(y ~ ., data), data[5:9, ]))
  )
})

test_that("pictures are drawn and returned", {
  d <- msplit_case(3, n = 30)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  one <- plain_path(d$x, d$y)
  both <- plain_path(d$x, d$pair)
  truth <- rep(c(2, 0), c(3, 5))
  for (fit in list(one, both, plain_path(d$x, d$class))) {
    expect_invisible(plot(fit))
    expect_identical(plot(fit, label = FALSE, scaled = FALSE), fit)
  }
  expect_identical(plot(one, "error", truth = truth), one)
  expect_identical(plot(both, "error", truth = unname(cbind(truth, -truth))), both)
  expect_error(plot(one, "error"), "truth", class = "rlang_error")
  expect_error(plot(one, "error", truth = 1:3), "truth", class = "rlang_error")
  expect_error(plot(both, response = "third"), class = "rlang_error")
  skip_if_not_installed("ggplot2")
  for (picture in list(
    ggplot2::autoplot(one), ggplot2::autoplot(both, response = "second"),
    ggplot2::autoplot(one, "error", truth = truth)
  )) {
    expect_s3_class(picture, "ggplot")
    expect_no_error(ggplot2::ggplot_build(picture))
  }
})

test_that("the error curves are the relative errors", {
  skip_if_not_installed("ggplot2")
  d <- msplit_case(4, n = 30)
  fit <- plain_path(d$x, d$y)
  truth <- rep(c(2, .1), c(3, 5))
  error <- function(estimator) {
    beta <- as.matrix(coef(fit, step = fit$points$step, estimator = estimator))[-1, ]
    sqrt(colSums((beta - truth)^2) / sum(truth^2))
  }
  drawn <- ggplot2::layer_data(ggplot2::autoplot(fit, "error", truth = truth))
  last <- function(x) unname(x[length(x)])
  expect_true(any(abs(drawn$y - last(error("dense"))) < 1e-8))
  expect_true(any(abs(drawn$y - last(error("sparse"))) < 1e-8))
})

test_that("tidy(), glance() and summary() speak of the path", {
  d <- msplit_case(5)
  fit <- plain_path(d$x, d$y)
  table <- generics::tidy(fit, step = 3)
  expect_equal(table$estimate[match("x1", table$term)], unname(coef(fit, step = 3)["x1"]))
  expect_equal(nrow(generics::glance(fit)), 1)
  expect_equal(generics::glance(fit)$nobs, 20)
  expect_output(print(summary(fit)))
  expect_output(print(summary(plain_path(d$x, d$pair))))
  expect_equal(deviance(fit), sum(residuals(fit)^2))
})
