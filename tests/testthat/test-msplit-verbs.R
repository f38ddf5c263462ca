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
  fit <- msplit(d$x, d$factor, loss = "binomial", nu = 2, control = msplit_control(nt = 5, t_ratio = 3))
  link <- predict(fit, d$new, step = 4, type = "link")
  prob <- predict(fit, d$new, step = 4, type = "prob")
  expect_equal(unname(prob), unname(stats::plogis(link)))
  fit <- msplit(d$x, d$class, loss = "multinomial", nu = 2, control = msplit_control(nt = 5, t_ratio = 3))
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
    picture <- picture_of(expect_invisible(plot(fit)))
    expect_match(picture$title, "^Coefficients .*along the path$")
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

test_that("glance() has the log-likelihood of logLik()", {
  d <- msplit_case(6, n = 40)
  for (fit in list(
    msplit(d$x, d$y, nu = 2), msplit(d$x, d$y), msplit(d$x, d$y, choose = "none")
  )) {
    expect_identical(generics::glance(fit)$logLik, as.vector(logLik(fit)))
    expect_identical(generics::glance(fit)$df, as.numeric(attr(logLik(fit), "df")))
  }
  for (fit in list(
    msplit(d$x, d$pair, nu = 2), msplit(d$x, d$factor, nu = 2),
    msplit(d$x, d$factor, nu = 2, loss = "binomial"),
    msplit(d$x, d$class, nu = 2, loss = "multinomial")
  )) {
    expect_true(all(is.na(generics::glance(fit)[c("logLik", "AIC", "BIC")])))
    expect_error(logLik(fit), class = "transelect_error")
  }
})

test_that("tidy(), glance() and summary() have the figures of the path", {
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

test_that("the dense estimator is kept at every event of the chosen nu and the first of others", {
  with_seed(1, {
    x <- matrix(rnorm(60 * 300), 60, dimnames = list(NULL, paste0("x", 1:300)))
    y <- 2 * x[, 1] + x[, 2] + rnorm(60)
  })
  fit <- msplit(x, y)
  for (nu in fit$lambda) {
    events <- fit$steps$step[fit$steps$lambda == nu]
    wanted <- if (nu == fit$best_lambda) events else events[events <= 50]
    expect_true(all(wanted %in% fit$points$step[fit$points$lambda == nu]), label = nu)
    whole <- msplit(x, y, nu = nu, choose = "none", control = msplit_control(t_ratio = 30, record = events))
    kept <- fit$points$step[fit$points$lambda == nu]
    expect_equal(coef(fit, step = kept, nu = nu), coef(whole, step = kept), tolerance = 1e-8)
    expect_equal(fit$points$t[fit$points$lambda == nu], whole$points$t[match(kept, events)])
  }
})

test_that("several responses: every estimator at any time is that of the response alone", {
  for (seed in 1:6) {
    d <- msplit_case(seed, n = if (seed %% 2) 40 else 15, d = 20)
    y <- cbind(a = d$y, b = d$y + 3 * d$x[, 2], c = rev(d$y))
    # by itself each response has a path that ends at a time of its own
    fit <- msplit(d$x, y, nu = c(2, 9), choose = "none", weights = d$weights)
    t <- with_seed(seed, stats::runif(7, 0, min(fit$ends$end)))
    for (nu in fit$lambda) {
      for (name in colnames(y)) {
        alone <- msplit(d$x, y[, name], nu = nu, choose = "none", weights = d$weights,
                        control = msplit_control(t_ratio = 1e4))
        for (estimator in c("dense", "sparse", "gamma")) {
          expect_equal(
            coef(fit, t = t, nu = nu, response = name, estimator = estimator),
            coef(alone, t = t, estimator = estimator), tolerance = 1e-8
          )
        }
        expect_equal(predict(fit, d$new, t = t[1], nu = nu)[, name],
                     predict(alone, d$new, t = t[1]), ignore_attr = TRUE, tolerance = 1e-8)
      }
    }
  }
  few <- msplit(d$x, y, choose = "none", control = msplit_control(record = 0:3))
  expect_null(few$every)
  expect_error(coef(few, t = max(few$points$t) / 9), "was not kept", class = "rlang_error")
})

test_that("beyond the room the first events are kept, and some later ones", {
  with_seed(2, {
    x <- matrix(rnorm(40 * 20000), 40)
    y <- 2 * x[, 1] + rnorm(40)
  })
  fit <- msplit(x, y, nu = 5, choose = "none")
  kept <- fit$points$step
  events <- fit$steps$step
  room <- 1e6 %/% 20001
  expect_true(all((seq_len(min(room, length(events))) - 1) %in% kept))
  expect_true(max(events) %in% kept)
  expect_identical(kept, sort(unique(kept)))
  if (length(kept) < length(events)) {
    lost <- setdiff(events, kept)[1]
    expect_error(coef(fit, step = lost), paste0("record = ", lost), class = "rlang_error")
  }
})

test_that("a nu is found by the digits that are printed", {
  d <- msplit_case(6)
  fit <- msplit(d$x, d$y)
  nu <- fit$lambda[4]
  expect_equal(predict(fit, d$new, nu = .3162, step = 1), predict(fit, d$new, nu = nu, step = 1))
  expect_equal(coef(fit, lambda = .316228, step = 1), coef(fit, lambda = nu, step = 1))
})

test_that("of a logistic path fitted values, residuals and likelihood are those of probabilities", {
  d <- msplit_case(7)
  two <- msplit(d$x, d$factor, loss = "binomial")
  p <- predict(two, d$x, type = "prob")
  expect_equal(unname(fitted(two)), unname(p))
  own <- d$factor == "yes"
  expect_equal(unname(residuals(two)), unname(own - p))
  value <- sum(log(ifelse(own, p, 1 - p)))
  expect_equal(deviance(two), -2 * value)
  expect_error(AIC(two), "cv_path", class = "transelect_error_loss")
  many <- msplit(d$x, d$class, loss = "multinomial")
  p <- predict(many, d$x, type = "prob")
  own <- outer(as.integer(d$class), 1:3, "==")
  expect_equal(unname(fitted(many)), unname(p))
  expect_equal(unname(residuals(many)), unname(own - p))
  expect_error(logLik(many), "deviance", class = "transelect_error_loss")
  expect_equal(deviance(many), -2 * sum(log(p[own])))
  expect_true(is.na(generics::glance(two)$rss))
})

test_that("of a logistic path responses and fitted values are probabilities, links are scores", {
  d <- msplit_case(7)
  for (y in list(d$factor, d$class)) {
    loss <- if (nlevels(y) == 2) "binomial" else "multinomial"
    fit <- msplit(d$x, y, loss = loss, nu = 2, control = msplit_control(nt = 5, t_ratio = 3))
    prob <- predict(fit, d$x, type = "response")
    expect_equal(prob, predict(fit, d$x, type = "prob"))
    expect_equal(unname(prob), unname(fitted(fit)))
    link <- predict(fit, d$x, type = "link")
    expect_equal(unname(prob), unname(if (nlevels(y) == 2) plogis(link) else response_scores_softmax(link)))
    beside <- generics::augment(fit, d$x)
    at <- grep("^.fitted", names(beside))
    expect_equal(unname(as.matrix(beside[at])), unname(as.matrix(prob)))
    expect_identical(beside$.pred_class, predict(fit, d$x, type = "class"))
    # several steps, and rows with missing values
    three <- predict(fit, d$x, step = 2:4, type = "response")
    last <- predict(fit, d$x, step = 4, type = "response")
    expect_equal(if (nlevels(y) == 2) three[, 3] else three[, , 3], last)
    gone <- as.matrix(predict(fit, replace(d$new, 4, NA), type = "response"))
    expect_identical(unname(which(is.na(gone[, 1]))), 4L)
    expect_identical(NROW(predict(fit, d$new[0, ], type = "response")), 0L)
  }
  # scores fitted by squares are no probabilities
  squares <- msplit(d$x, d$factor, nu = 2)
  expect_identical(predict(squares, d$x, type = "response"), predict(squares, d$x, type = "link"))
  expect_equal(generics::augment(squares, d$x)$.fitted, unname(fitted(squares)))
})

test_that("summary() says where the model is and what its signals are", {
  ridge <- msplit(mpg ~ ., mtcars, max_steps = 0)
  expect_output(print(summary(ridge)), "For predictions: ridge regression")
  expect_output(print(ridge), "ridge regression, no support")
  average <- msplit(mpg ~ ., mtcars)
  told <- summary(average)
  # the supports of the model and the strong effects answer two questions, and both say which
  expect_output(print(told), "For predictions: the average over . supports")
  expect_output(print(average), "A column may be in a support and yet not be\\s+told\\s+from\\s+0")
  told$signals <- signals(average, fdr = 1e-6)
  told$fdr <- 1e-6
  expect_output(print(told), "No effect is told from 0 at a false discovery rate of 1e-06; the largest are")
  told <- summary(average)
  expect_equal(told$worth$loss, mean(residuals(average)^2))
  expect_equal(told$worth$df, sum(average$supports$weight * average$supports$df))
  expect_equal(attr(logLik(average), "df"), told$worth$df + 1)
  expect_equal(deviance(average, step = "best"), 32 * average$supports$loss[1])
  expect_equal(logLik(average), structure(-16 * (log(2 * pi * told$worth$loss) + 1),
                                          df = told$worth$df + 1, nobs = 32L, class = "logLik"))
  tidied <- generics::tidy(average, step = "average")
  expect_equal(tidied$estimate, unname(coef(average)))
  expect_equal(tidied$probability[-1], unname(inclusion_probability(average)[, 1]))
  d <- msplit_case(8)
  fit <- msplit(d$x, d$y, nu = 2, choose = "none")
  told <- summary(fit, step = 2)
  table <- signals(fit, step = 2)
  expect_equal(as.data.frame(told$signals)$term, utils::head(table$term, sum(table$signal == "in the support") + 5))
  row <- fit$steps[fit$steps$step == 2, ]
  expect_equal(told$worth[c("size", "loss", "df", "loo")], row[c("size", "loss", "df", "loo")])
  expect_equal(told$t, row$t)
  expect_equal(summary(fit, t = row$t * 1.0000001)$signals, told$signals)
  glance <- generics::glance(fit)
  expect_equal(glance$size, fit$steps$size[fit$steps$step == fit$best])
  average <- msplit(mpg ~ wt + hp + qsec, mtcars)
  expect_equal(glance(average)$size, sum(coef(average)[-1] != 0))
  expect_equal(glance[c("nu", "t")], data.frame(nu = 2, t = max(fit$steps$t)))
})

test_that("the picture of one response reaches the end of the last", {
  d <- msplit_case(4, n = 30)
  fit <- plain_path(d$x, d$pair)
  end <- max(fit$points$t)
  for (response in c("first", "second")) {
    lines <- described_marks(picture_of(plot(fit, response = response)), "line")
    expect_equal(as.vector(tapply(lines$x, lines$group, max)), rep(end, length(unique(lines$group))))
  }
})

test_that("print() shows events of every response", {
  fit <- plain_path(msplit_case(2)$x, msplit_case(2)$pair)
  told <- utils::capture.output(print(fit))
  for (response in c("first", "second")) expect_true(any(grepl(paste0("^ +", response), told)))
  expect_identical(msplit_verbs_rows_of_each(rep(c("a", "b"), c(9, 9)), 8), c(1:4, 10:13))
  expect_identical(msplit_verbs_rows_of_each(rep("a", 30), 21), 1:21)
})
