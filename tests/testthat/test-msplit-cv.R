# ---- cross-validation over t and nu

# Predictions at times `t`, one fold left out after the other.
left_out <- function(d, y, foldid, t, ...) {
  scores <- matrix(NA, length(y), length(t))
  for (k in unique(foldid)) {
    out <- foldid == k
    fit <- msplit(d$x[!out, ], y[!out], choose = "none", ...)
    at <- pmin(t, max(fit$points$t))
    for (j in seq_along(t)) scores[out, j] <- predict(fit, d$x[out, ], t = at[j])
  }
  scores
}

test_that("cv_path() equals a hand-written loop over t", {
  d <- msplit_case(1, n = 30)
  foldid <- rep_len(1:3, 30)
  cvf <- cv_path(d$x, d$y, fit = msplit, foldid = foldid, nu = 2, choose = "none")
  expect_same_msplit(cvf$fit, plain_path(d$x, d$y))
  t <- cvf$points$t
  scores <- left_out(d, d$y, foldid, t, nu = 2)
  loss <- t(vapply(1:3, function(k) {
    colMeans((d$y - scores)[foldid == k, , drop = FALSE]^2)
  }, numeric(length(t))))
  expect_equal(unname(cvf$fold_loss), unname(loss))
  expect_equal(cvf$cvm, unname(colMeans(loss)))
})

test_that("cv_path() chooses nu as well", {
  d <- msplit_case(2, n = 30)
  foldid <- rep_len(1:3, 30)
  cvf <- cv_path(d$x, d$y, fit = msplit, foldid = foldid, nu = c(.5, 5), choose = "none")
  expect_equal(sort(unique(cvf$points$lambda)), c(.5, 5))
  one <- cv_path(d$x, d$y, fit = msplit, foldid = foldid, nu = 5, choose = "none")
  expect_equal(cvf$cvm[cvf$points$lambda == 5], one$cvm)
  best <- cvf$points[which.min(cvf$cvm), ]
  expect_equal(cvf$lambda, best$lambda)
  expect_equal(
    predict(cvf, d$new, step = "min"),
    predict(cvf$fit, d$new, step = best$step, nu = best$lambda)
  )
})

test_that("folds with more events than the path on all rows are no trouble", {
  d <- with_seed(1, {
    x <- named_columns(sqrt(.4) * rnorm(100) + sqrt(.6) * rnorm(8000), 100, "x")
    list(x = x, y = drop(x %*% rep(c(2, .2, 0), c(5, 35, 40))) + rnorm(100) / 2)
  })
  foldid <- rep_len(1:10, 100)
  cvf <- cv_path(d$x, d$y, fit = msplit, foldid = foldid, nu = 1,
                 control = msplit_control(t_ratio = 5), choose = "none")
  events <- vapply(1:10, function(k) {
    out <- foldid == k
    nrow(msplit(d$x[!out, ], d$y[!out], nu = 1, control = msplit_control(t_ratio = 5), choose = "none")$points)
  }, 0L)
  expect_gt(max(events), nrow(cvf$points))
  at <- c(1, 3, nrow(cvf$points))
  t <- cvf$points$t[at]
  loss <- colMeans((d$y - left_out(d, d$y, foldid, t, nu = 1, control = msplit_control(t_ratio = 5)))^2)
  expect_equal(cvf$cvm[at], loss)
})

test_that("max_steps ends the path on all rows, and no fold before it", {
  for (seed in 1:4) {
    d <- msplit_case(seed, n = 30)
    foldid <- rep_len(1:3, 30)
    for (method in c("iss", "lbi")) {
      cut <- msplit(d$x, d$y, method = method, nu = 1, choose = "none")
      at <- nrow(cut$points) %/% 2
      most <- if (method == "iss") at else round(cut$points$t[at] / cut$alpha)
      cv <- function(...) {
        cv_path(d$x, d$y, fit = msplit, foldid = foldid, method = method, nu = 1, choose = "none",
                ...)
      }
      whole <- cv()
      short <- suppressWarnings(cv(max_steps = most))
      known <- seq_len(nrow(short$points))
      expect_lt(length(known), nrow(whole$points))
      expect_equal(short$points, whole$points[known, ])
      expect_equal(short$fold_loss, whole$fold_loss[, known])
    }
  }
})

test_that("several responses count by their mean, classes by their errors", {
  d <- msplit_case(3, n = 30)
  foldid <- rep_len(1:3, 30)
  both <- cv_path(d$x, d$pair, fit = msplit, foldid = foldid, nu = 2, choose = "none")
  expect_true(all(is.finite(both$cvm)))
  first <- left_out(d, d$pair[, 1], foldid, 0, nu = 2)
  second <- left_out(d, d$pair[, 2], foldid, 0, nu = 2)
  start <- mean(c((d$pair[, 1] - first)^2, (d$pair[, 2] - second)^2))
  expect_equal(both$cvm[1], start)
  classes <- cv_path(d$x, d$class, fit = msplit, foldid = foldid, nu = 2, loss = "class")
  expect_true(all(classes$cvm >= 0 & classes$cvm <= 1))
  expect_output(print(classes))
})

# ---- logistic paths

logistic_cv <- function(d, y, loss, foldid, ...) {
  fit <- function(x, ...) {
    msplit(x, loss = if (nlevels(y) > 2) "multinomial" else "binomial", nu = 2,
           control = msplit_control(t_ratio = 5, nt = 4))
  }
  cv_path(d$x, y, fit = fit, foldid = foldid, loss = loss, keep_predictions = TRUE, ...)
}

test_that("losses of logistic paths are those of their probabilities", {
  d <- msplit_case(4, n = 45)
  foldid <- rep_len(1:3, 45)
  for (y in list(d$factor, d$class)) {
    cvs <- lapply(stats::setNames(nm = c("auroc", "deviance", "class")), logistic_cv, d = d, y = y,
                  foldid = foldid)
    scores <- cvs$auroc$predictions
    point <- dim(scores)[length(dim(scores))]
    score <- if (nlevels(y) > 2) scores[, , point] else cbind(0, scores[, point])
    share <- exp(score) / rowSums(exp(score))
    expected <- vapply(1:3, function(fold) {
      at <- which(foldid == fold)
      own <- cbind(at, as.integer(y[at]))
      auc <- vapply(seq_len(nlevels(y)), function(k) {
        cv_loss_area_under_curve(as.integer(y[at]) == k, share[at, k], rep(1, length(at)))
      }, 0)
      c(mean(auc), -2 * mean(log(share[own])), mean(max.col(share[at, ]) != as.integer(y[at])))
    }, numeric(3))
    got <- vapply(cvs, function(cv) unname(cv$fold_loss[, point]), numeric(3))
    expect_equal(got, t(expected), ignore_attr = TRUE)
  }
})

test_that("scores of rows left out are the log odds of the fit without them", {
  d <- msplit_case(4, n = 45)
  foldid <- rep_len(1:3, 45)
  cv <- logistic_cv(d, d$factor, "deviance", foldid)
  out <- foldid == 2
  fit <- msplit(d$x[!out, ], d$factor[!out], loss = "binomial", nu = 2)
  expect_equal(
    plogis(cv$predictions[out, 1]), predict(fit, d$x[out, ], t = 0, type = "prob"),
    ignore_attr = TRUE, tolerance = 1e-6
  )
})

test_that("squared errors are refused for a logistic path, and log odds for one fitted by squares", {
  d <- msplit_case(4, n = 45)
  foldid <- rep_len(1:3, 45)
  for (y in list(d$factor, d$class)) {
    for (loss in c("mse", "mae")) {
      expect_error(logistic_cv(d, y, loss, foldid), "logistic model",
                   class = "transelect_error_loss")
    }
    expect_error(cv_path(d$x, y, fit = msplit, loss = "deviance", foldid = foldid),
                 "least-squares", class = "transelect_error_loss")
    squares <- function(x, ...) msplit(x, nu = 2, choose = "none")
    expect_error(cv_path(d$x, y, fit = squares, loss = "deviance", foldid = foldid),
                 "least-squares", class = "transelect_error_loss")
    expect_true(all(is.finite(cv_path(d$x, y, fit = squares, loss = "mse", foldid = foldid)$cvm)))
  }
})

test_that("points are counted by their support, and nu is called nu", {
  d <- msplit_case(7, n = 40)
  for (y in list(d$y, d$class)) {
    cv <- with_seed(1, cv_path(d$x, y, fit = msplit, nu = c(1, 10)))
    wanted <- Map(function(t, nu) {
      length(variable.names(cv$fit, t = t, nu = nu, estimator = "gamma"))
    }, cv$points$t, cv$points$lambda)
    expect_equal(cv$nzero, unlist(wanted))
    at <- which(cv$points$lambda == cv$lambda & cv$cvm <= cv$cvup[cv$index[["min"]]])
    expect_equal(cv$nzero[[cv$index[["1se"]]]], min(cv$nzero[at]))
    expect_output(print(cv), "nu +columns")
  }
  pdf(NULL)
  on.exit(dev.off())
  expect_silent(plot(cv))
  panel <- picture_of(plot(cv))$panels[[1]]
  expect_identical(panel$x$second$label, "columns in the support")
  expect_identical(panel$ends$label[1:2], c("nu 1", "nu 10"))
})

test_that("compare_paths() has the losses held in of several responses, which are those of fitted()", {
  set.seed(8)
  x <- matrix(rnorm(600), 120)
  y <- drop(x[, 1:2] %*% c(1, -1)) + rnorm(120)
  both <- cbind(u = y, v = -y + rnorm(120))
  cvf <- cv_path(x, both, fit = msplit, nfolds = 4, nu = c(.1, 1))
  out <- compare_paths(cvf)
  for (i in c(1, 3, nrow(out) %/% 2, nrow(out))) {
    p <- predict(cvf$fit, x, step = out$step[i], nu = cvf$lambda)
    expect_equal(out$held_in[i], mean((both - p)^2))
  }
})
