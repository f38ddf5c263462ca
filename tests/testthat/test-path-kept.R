# tgreedy(keep = ): against the naive twin on what balanced least squares of the kept columns leave, and
# against least squares themselves.

kept_data <- function(seed, n = 60, K = 4) {
  set.seed(seed)
  x <- matrix(rnorm(n * 6), n, dimnames = list(NULL, letters[1:6]))
  x[, 2] <- x[, 1] + .5 * x[, 2]
  domain <- sort(rep_len(seq_len(K), n))[sample(n)]
  list(x = x, y = drop(x %*% c(1, .5, 0, -.5, 0, 0)) + rnorm(n), domain = domain,
       balanced = 1 / tabulate(domain)[domain])
}

test_that("kept columns have balanced least squares at every step", {
  for (seed in 1:6) {
    d <- kept_data(seed)
    rule <- c("gain", "t", "greedy")[1 + seed %% 3]
    refit <- seed > 3
    update <- if (refit) "refit" else "stagewise"
    fit <- tgreedy(d$x, d$y, d$domain, keep = c("a", "e"), rule = rule,
                   control = tgreedy_control(update = update, stop = "none"), max_steps = 3)
    at0 <- lm(d$y ~ d$x[, c("a", "e")], weights = d$balanced)
    expect_equal(unname(coef(fit, step = 0)[c("(Intercept)", "a", "e")]), unname(coef(at0)))
    for (step in fit$steps$step) {
      b <- coef(fit, step = step)
      others <- setdiff(letters[1:6], c("a", "e"))
      left <- d$y - drop(d$x[, others] %*% b[others])
      own <- lm(left ~ d$x[, c("a", "e")], weights = d$balanced)
      expect_equal(unname(b[c("(Intercept)", "a", "e")]), unname(coef(own)), tolerance = 1e-8)
    }
    # selected are the columns that are selected of the residuals
    away <- function(v) residuals(lm(v ~ d$x[, c("a", "e")], weights = d$balanced))
    rest <- away(d$x[, c("b", "c", "d", "f")])
    other <- tgreedy(rest, away(d$y), d$domain, rule = rule,
                     control = tgreedy_control(update = update, stop = "none"), max_steps = 3)
    expect_equal(fit$steps$entered, other$steps$entered)
    expect_equal(as.matrix(fit$beta)[colnames(rest), ], as.matrix(other$beta), tolerance = 1e-8, ignore_attr = TRUE)
    expect_equal(fit$steps$loss, other$steps$loss, tolerance = 1e-8)
    expect_equal(fit$steps$size, other$steps$size + 2)
    expect_equal(unname(fitted(fit)), unname(predict(fit, d$x)), tolerance = 1e-8)
    expect_equal(unname(residuals(fit)), d$y - unname(fitted(fit)))
  }
})

test_that("verbs, classes, cross-validation and factors know kept columns", {
  d <- kept_data(11)
  data <- data.frame(d$x, y = d$y, place = letters[d$domain], kind = factor(rep(c("u", "v", "w"), 20)))
  fit <- tgreedy(y ~ a + b + c + d + kind, data, domain = place, keep = "kind")
  expect_true(all(c("kindv", "kindw") %in% variable.names(fit, step = 0)))
  expect_equal(refit(fit, data)$beta, fit$beta)
  expect_length(predict(fit, data[1:3, ]), 3)
  cvf <- cv_path(y ~ a + b + c + d + kind, data, domain = place, fit = tgreedy, keep = "kind")
  expect_equal(cvf$fit$beta, fit$beta)
  # the residuals of a fold are by coefficients of the other rows
  without <- tgreedy(y ~ a + b + c + d + kind, data[data$place != "a", ], domain = place, keep = "kind")
  left <- data$place == "a"
  expect_equal(cvf$fold_loss["a", 1], mean((data$y[left] - predict(without, data[left, ], step = 0))^2))
  classes <- tgreedy(data[1:6], factor(d$y > 0), data$place, keep = 1, prob = TRUE)
  expect_true(all(predict(classes, data, type = "prob") > 0))
  three <- cut(d$y, 3, labels = c("l", "m", "h"))
  many <- tgreedy(data[1:6], three, data$place, keep = c("a", "b"))
  expect_equal(unname(fitted(many)), unname(predict(many, data, type = "link")), tolerance = 1e-8)
  expect_s3_class(tgreedy(d$x, d$y, d$domain, keep = "a", control = tgreedy_control(stop = "cv")), "tgreedy")
  expect_output(print(fit), "T-greedy")
  expect_true("a" %in% tidy(many, step = 0)$term)
})

test_that("moments of domains have the path of the rows beside kept columns", {
  for (seed in 1:6) {
    d <- kept_data(20 + seed)
    x <- cbind(d$x, copy = d$x[, 1] + d$x[, 5], one = 1)
    settings <- list(keep = c("e", "a"), stop = "none", rule = c("gain", "t", "greedy")[1 + seed %% 3],
                     max_steps = 3, groups = if (seed > 3) c(1, 2, 3, 3, 4, 5, 6, 7), intercept = seed != 5,
                     update = if (seed == 2) "refit" else "stagewise")
    rows <- do.call(flat(tgreedy), c(list(x, d$y, d$domain), settings))
    sums <- do.call(flat(tgreedy), c(list(moments(x, d$y, domain = d$domain)), settings))
    expect_equal(sums$steps[setdiff(names(sums$steps), "weight")], rows$steps[setdiff(names(sums$steps), "weight")],
                 tolerance = 1e-6)
    expect_equal(as.matrix(sums$beta), as.matrix(rows$beta), tolerance = 1e-6)
    expect_equal(sums$a0, rows$a0, tolerance = 1e-6)
    expect_equal(sums$center, rows$center, tolerance = 1e-6)
    expect_equal(sums$scale, rows$scale, tolerance = 1e-6)
  }
  by_rows <- cv_path(d$x, d$y, domain = d$domain, fit = tgreedy, keep = "a")
  by_sums <- cv_path(moments(d$x, d$y, domain = d$domain), fit = tgreedy, keep = "a", by = "domain")
  expect_equal(by_sums$mean, by_rows$mean, tolerance = 1e-6)
})

test_that("degenerate and wrong columns to keep", {
  d <- kept_data(12)
  x <- cbind(d$x, copy = d$x[, 1], one = 1)
  fit <- tgreedy(x, d$y, d$domain, keep = c("a", "copy", "one"))
  expect_equal(unname(coef(fit, step = 0)[c("copy", "one")]), c(0, 0))
  beside <- tgreedy(x, d$y, d$domain, keep = "a", control = tgreedy_control(stop = "none"), rule = "greedy")
  expect_false("copy" %in% beside$steps$entered)
  run <- function(...) tgreedy(d$x, d$y, d$domain, ...)
  expect_error(run(keep = "zz"), class = "transelect_error_keep")
  expect_error(run(keep = c("a", "a")), class = "transelect_error_keep")
  expect_error(run(keep = 1:6), "nothing is left", class = "transelect_error_keep")
  expect_error(run(keep = 1, unlabelled = list(x = d$x, domain = d$domain)), class = "transelect_error_keep")
  expect_error(tgreedy(moments(d$x, d$y, domain = d$domain), keep = "zz"), class = "transelect_error_keep")
})
