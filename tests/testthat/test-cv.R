# ---- the curve ----

test_that("the curve equals a hand-written loop for numbers", {
  case <- cv_case()
  cvf <- cv_path(
    case$x, case$y, max_steps = 5, foldid = case$foldid, keep_predictions = TRUE
  )
  scores <- naive_scores(case$x, case$y, case$foldid, 0:5, max_steps = 5)[, 1, ]
  expect_equal(cvf$predictions, scores, ignore_attr = TRUE)
  expect_identical(colnames(cvf$predictions), c(0:5, "average"))
  for (j in 1:7) {
    losses <- by_fold(case$foldid, function(k) {
      mean((case$y - scores[, j])[case$foldid == k]^2)
    })
    expected <- naive_summary(losses, as.vector(table(case$foldid)))
    if (j < 7) {
      expect_equal(c(cvf$cvm[j], cvf$cvsd[j]), expected)
      expect_equal(cvf$fold_loss[, j], losses, ignore_attr = TRUE)
    } else {
      expect_equal(c(cvf$average$cvm, cvf$average$cvsd), expected)
    }
  }
  expect_equal(cvf$cvup - cvf$cvm, cvf$cvsd)
  expect_equal(cvf$cvm - cvf$cvlo, cvf$cvsd)
  expect_identical(cvf$points$step, cvf$fit$points$step)
  expect_equal(cvf$nzero, 0:5)
})

test_that("weights reach the fits, the losses and the mean over folds", {
  case <- cv_case(2)
  cvf <- cv_path(
    case$x, case$y, weights = case$weights, max_steps = 3, foldid = case$foldid, loss = "mae",
    keep_predictions = TRUE
  )
  test <- case$foldid == 2
  fit <- greedytl(case$x[!test, ], case$y[!test], weights = case$weights[!test], max_steps = 3)
  expect_equal(
    cvf$predictions[test, 1:4], predict(fit, case$x[test, ], step = 0:3), ignore_attr = TRUE
  )
  losses <- by_fold(case$foldid, function(k) {
    rows <- case$foldid == k
    stats::weighted.mean(abs(case$y - cvf$predictions[, 4])[rows], case$weights[rows])
  })
  totals <- as.vector(tapply(case$weights, case$foldid, sum))
  expect_equal(c(cvf$cvm[4], cvf$cvsd[4]), naive_summary(losses, totals))
  expect_equal(cvf$folds$weight, totals)
})

test_that("two and three classes: scores, error and shapes", {
  case <- cv_case(3)
  cvf <- cv_path(case$x, case$factor, max_steps = 3, foldid = case$foldid, keep_predictions = TRUE)
  scores <- naive_scores(case$x, case$factor, case$foldid, 0:3, max_steps = 3)
  expect_equal(cvf$predictions, scores[, 1, ], ignore_attr = TRUE)
  wrong <- (scores[, 1, 3] > 0) != (case$factor == "yes")
  expect_equal(cvf$cvm[3], mean(wrong))

  cvf <- cv_path(case$x, case$three, max_steps = 3, foldid = case$foldid, keep_predictions = TRUE)
  scores <- naive_scores(case$x, case$three, case$foldid, 0:3, max_steps = 3)
  expect_equal(cvf$predictions, scores, ignore_attr = TRUE)
  expect_identical(dimnames(cvf$predictions)[[2]], levels(case$three))
  wrong <- apply(scores[, , 3], 1, which.max) != as.integer(case$three)
  expect_equal(cvf$cvm[3], mean(wrong))
  used <- Reduce(`+`, lapply(cvf$fit$beta, function(b) abs(as.matrix(b)))) != 0
  expect_equal(cvf$nzero, unname(colSums(used)))
})

test_that("leaving one row out works, and more steps than a fold can take carry forward", {
  case <- cv_case(4, n = 6, p = 8)
  cvf <- cv_path(
    case$x, case$three, rule = "paper", control = greedytl_control(tol = 0), max_steps = 8, nfolds = 2, loss = "mse",
    keep_predictions = TRUE
  )
  scores <- naive_scores(
    case$x, case$three, cvf$foldid, cvf$points$step, rule = "paper", max_steps = 8,
    average = FALSE, control = list(tol = 0)
  )
  expect_equal(cvf$predictions, scores, ignore_attr = TRUE)
  one_out <- cv_path(case$x, case$y, max_steps = 2, nfolds = 6)
  expect_identical(nrow(one_out$folds), 6L)
  case <- cv_case(4, n = 12)
  one_out <- cv_path(case$x, case$three, max_steps = 1, nfolds = 12)
  expect_false(anyNA(one_out$cvm))
  empty <- cv_path(case$x, case$y, max_steps = 0, nfolds = 12)
  expect_length(empty$cvm, 1)
  expect_identical(empty$step.1se, 0L)
})

test_that("a path that ends earlier in a fold carries its last step forward", {
  case <- cv_case()
  shorter_in_folds <- function(frame, max_steps) {
    greedytl(frame, max_steps = if (frame_rows_count(frame) < 36) 2 else max_steps)
  }
  cvf <- cv_path(
    case$x, case$y, fit = shorter_in_folds, max_steps = 5, foldid = case$foldid,
    keep_predictions = TRUE
  )
  expect_identical(cvf$predictions[, "2"], cvf$predictions[, "5"])
  expect_false(identical(cvf$predictions[, "1"], cvf$predictions[, "2"]))
})

test_that("several lambdas: one curve each, the best lambda first and steps within it", {
  case <- cv_case(5)
  lambda <- c(0.01, 0.5, 20)
  cvf <- cv_path(
    case$x, case$y, rule = "paper", lambda = lambda, control = greedytl_control(tol = 0), max_steps = 4,
    foldid = case$foldid, keep_predictions = TRUE
  )
  expect_identical(unique(cvf$points$lambda), lambda)
  for (l in lambda) {
    scores <- naive_scores(
      case$x, case$y, case$foldid, 0:4, rule = "paper", lambda = l, max_steps = 4,
      average = FALSE, control = list(tol = 0)
    )
    at <- cvf$points$lambda == l
    expect_equal(cvf$predictions[, which(at)], scores[, 1, ], ignore_attr = TRUE)
  }
  best <- cvf$points[which.min(cvf$cvm), ]
  expect_identical(cvf$lambda, best$lambda)
  expect_identical(cvf$step.min, best$step)
  expect_identical(cvf$points$lambda[cvf$index], rep(cvf$lambda, 3))
  expect_equal(
    predict(cvf, case$new$x, step = "min"),
    predict(cvf$fit, case$new$x, step = best$step, lambda = best$lambda)
  )
  expect_equal(
    predict(cvf, case$new$x, step = 3, lambda = 20),
    predict(cvf$fit, case$new$x, step = 3, lambda = 20)
  )
})

test_that("a default lambda that depends on the rows is matched by its place", {
  case <- cv_case()
  cvf <- cv_path(case$x, case$y, rule = "paper", max_steps = 3, foldid = case$foldid)
  expect_identical(length(unique(cvf$points$lambda)), 1L)
  expect_false(anyNA(cvf$cvm))
})

# ---- folds ----

test_that("foldid is used and returned as it is", {
  case <- cv_case()
  named <- c("east", "north", "south", "west")[case$foldid]
  numbers <- cv_path(case$x, case$y, max_steps = 2, foldid = case$foldid)
  words <- cv_path(case$x, case$y, max_steps = 2, foldid = named)
  expect_identical(numbers$foldid, case$foldid)
  expect_identical(words$foldid, named)
  expect_identical(words$folds$fold, c("east", "north", "south", "west"))
  expect_identical(numbers$cvm, words$cvm)
})

test_that("by = \"domain\" leaves one domain out at a time", {
  case <- cv_case()
  by_domain <- cv_path(
    case$x, case$y, domain = case$domain, by = "domain", max_steps = 2, keep_predictions = TRUE
  )
  expect_identical(by_domain$folds$fold, c("u", "v", "w"))
  scores <- naive_scores(case$x, case$y, case$domain, 0:2, max_steps = 2)
  expect_equal(by_domain$predictions, scores[, 1, ], ignore_attr = TRUE)
})

test_that("random numbers are used for folds only, and for none with foldid", {
  case <- cv_case()
  after <- function(code) with_seed(7, {
    force(code())
    runif(1)
  })
  expect_identical(
    after(function() cv_path(case$x, case$y, max_steps = 2, nfolds = 4)),
    after(function() make_folds(case$y, 4))
  )
  expect_identical(
    after(function() cv_path(case$x, case$y, max_steps = 2, foldid = case$foldid)),
    after(function() NULL)
  )
  drawn <- with_seed(7, cv_path(case$x, case$y, max_steps = 2, nfolds = 4))
  expect_identical(drawn$foldid, with_seed(7, make_folds(case$y, 4)))
})

# ---- choice ----

test_that("one standard error by hand", {
  points <- data.frame(step = 0:4, lambda = NA_real_)
  curve <- list(mean = c(5, 3.1, 2.9, 2.5, 2.6), se = c(1, 1, 1, 0.5, 0.1))
  expect_identical(cv_summary_chosen_points(curve$mean, curve$se, 0:4, points, TRUE), c(min = 4L, `1se` = 3L))
  curve$se[4] <- 0.7
  expect_identical(cv_summary_chosen_points(curve$mean, curve$se, 0:4, points, TRUE), c(min = 4L, `1se` = 2L))
  curve$se[4] <- NA
  expect_identical(cv_summary_chosen_points(curve$mean, curve$se, 0:4, points, TRUE), c(min = 4L, `1se` = 4L))
})

test_that("larger is better turns the choice round, and ties go to fewer columns", {
  points <- data.frame(step = 0:4, lambda = 1)
  curve <- list(mean = c(0.5, 0.8, 0.9, 0.9, NA), se = rep(0.15, 5))
  expect_identical(cv_summary_chosen_points(curve$mean, curve$se, 0:4, points, FALSE), c(min = 3L, `1se` = 2L))
  expect_identical(
    cv_summary_chosen_points(curve$mean, curve$se, c(0, 3, 3, 2, 1), points, FALSE), c(min = 4L, `1se` = 4L)
  )
})

test_that("levels of whole folds are no error between steps: the rule by hand, for domains, rows and weights", {
  # 8 domains with levels of their own, six columns with the same effects everywhere
  set.seed(11)
  domain <- rep(letters[1:8], each = 40)
  x <- matrix(rnorm(320 * 12), 320, dimnames = list(NULL, paste0("x", 1:12)))
  y <- drop(x[, 1:6] %*% c(1, -.7, .6, .8, -.6, .7)) + rnorm(8, 0, 3)[match(domain, letters)] + rnorm(320)
  for (cv in list(cv_path(x, y, fit = tgreedy, domain = domain),
                  cv_path(x, y, fit = greedytl, weights = rep(1:4, 80), nfolds = 5, max_steps = 8))) {
    weight <- cv$folds$weight / sum(cv$folds$weight)
    centred <- cv$fold_loss - rowMeans(cv$fold_loss)
    spread <- colSums(weight * sweep(centred, 2, colSums(weight * centred))^2)
    expect_equal(cv$cvwithin, unname(sqrt(spread / (nrow(centred) - 1))))
    best <- which.min(cv$cvm)
    near <- which(cv$cvm <= cv$cvm[best] + cv$cvwithin[best])
    expect_identical(cv$nzero[[cv$index[["1se"]]]], min(cv$nzero[near]))
  }
  cv <- cv_path(x, y, fit = tgreedy, domain = domain)
  expect_lt(cv$cvwithin[which.min(cv$cvm)], cv$cvsd[which.min(cv$cvm)] / 2)
  expect_gte(cv$nzero[[cv$index[["1se"]]]], 5)
  # a shift of the losses of a whole fold changes neither the standard error nor the choice
  shifted <- cv_summary_se_within(cv$fold_loss + 100 * (1:8), cv$folds$weight, cv$points$lambda)
  expect_equal(shifted, cv$cvwithin)
})

test_that("verbs take the choice of the method itself, unless the best step is clearly better", {
  set.seed(12)
  domain <- rep(letters[1:6], each = 30)
  x <- matrix(rnorm(180 * 5), 180, dimnames = list(NULL, paste0("x", 1:5)))
  y <- drop(x[, 1:3] %*% c(1, -1, .5)) + rnorm(6)[match(domain, letters)] + rnorm(180)
  cv <- cv_path(x, y, fit = tgreedy, domain = domain)
  expect_identical(cv$step.default, cv$fit$best)
  expect_identical(predict(cv, x), predict(cv$fit, x))
  # tlcp() without a search: all columns and none
  kept <- cv_path(x, y, fit = tlcp, domain = domain, target = "a", select = FALSE, nfolds = 5)
  expect_identical(coef(kept), coef(kept$fit))
  # a path that has only ended has chosen nothing
  ended <- cv_path(x, y, fit = tgreedy, rule = "t", domain = domain)
  expect_identical(ended$step.default, ended$step.1se)
  # two standard errors of the difference by hand
  losses <- rbind(c(3, 1, 2), c(3, 1, 2.2), c(3, 1, 2.1))
  index <- c(min = 2L, `1se` = 2L)
  expect_identical(cv_summary_default_point(losses, rep(1, 3), index, 3L, TRUE), 2L)
  losses[2, 3] <- -1
  expect_identical(cv_summary_default_point(losses, rep(1, 3), index, 3L, TRUE), 3L)
  expect_identical(cv_summary_default_point(losses, rep(1, 3), index, NULL, TRUE), 2L)
  expect_identical(cv_summary_default_point(-losses, rep(1, 3), index, 3L, FALSE), 3L)
})

test_that("1se stays at the lambda of min", {
  points <- data.frame(step = rep(0:2, 2), lambda = rep(c(1, 2), each = 3))
  curve <- list(mean = c(9, 1.1, 1.2, 9, 8, 1), se = rep(0.2, 6))
  expect_identical(
    cv_summary_chosen_points(curve$mean, curve$se, rep(0:2, 2), points, TRUE), c(min = 6L, `1se` = 6L)
  )
})

test_that("mean and standard error leave undefined folds out", {
  losses <- rbind(c(1, 2), c(3, NA), c(5, 6))
  curve <- cv_summary_over_folds(losses, c(1, 2, 1))
  expect_equal(c(curve$mean[1], curve$se[1]), naive_summary(losses[, 1], c(1, 2, 1)))
  expect_equal(c(curve$mean[2], curve$se[2]), naive_summary(c(2, 6), c(1, 1)))
  only <- cv_summary_over_folds(rbind(c(2, NA), c(NA, NA)), c(1, 1))
  expect_identical(only, list(mean = c(2, NA), se = c(NA_real_, NA_real_)))
})

# ---- sources and interfaces ----

test_that("sources follow the rows, as predictions and as models", {
  case <- cv_case(6)
  values <- cv_path(
    case$x, case$y, sources = case$h, max_steps = 4, foldid = case$foldid, keep_predictions = TRUE
  )
  test <- case$foldid == 1
  fit <- greedytl(case$x[!test, ], case$y[!test], sources = case$h[!test, ], max_steps = 4)
  expect_equal(
    values$predictions[test, 5],
    predict(fit, case$x[test, ], sources = case$h[test, ], step = 4), ignore_attr = TRUE
  )
  calls <- new.env()
  calls$count <- 0
  models <- lapply(stats::setNames(1:2, c("first", "second")), function(j) {
    function(newdata) {
      calls$count <- calls$count + 1
      as.numeric(newdata[, j]^2)
    }
  })
  from_models <- cv_path(case$x, case$y, sources = models, max_steps = 4, foldid = case$foldid)
  expect_identical(calls$count, 2)
  squares <- cbind(first = case$x[, 1]^2, second = case$x[, 2]^2)
  from_values <- cv_path(case$x, case$y, sources = squares, max_steps = 4, foldid = case$foldid)
  expect_equal(from_models$cvm, from_values$cvm)
  expect_equal(
    predict(from_models, case$new$x, step = 4),
    predict(from_values, case$new$x, step = 4, sources = cbind(
      first = case$new$x[, 1]^2, second = case$new$x[, 2]^2
    ))
  )
})

test_that("formula, matrix, sparse matrix and frame agree", {
  case <- cv_case()
  data <- data.frame(case$x, y = case$y, w = case$weights, site = case$domain)
  plain <- cv_path(case$x, case$y, weights = case$weights, max_steps = 3, foldid = case$foldid)
  formula <- cv_path(
    y ~ . - w - site, data, weights = w, max_steps = 3, foldid = case$foldid
  )
  expect_equal(formula$cvm, plain$cvm)
  sparse <- cv_path(
    Matrix::Matrix(case$x, sparse = TRUE), case$y, weights = case$weights, max_steps = 3,
    foldid = case$foldid
  )
  expect_equal(sparse$cvm, plain$cvm)
  by_site <- cv_path(y ~ x1 + x2, data, domain = site, by = "domain", max_steps = 2)
  expect_identical(by_site$folds$fold, c("u", "v", "w"))
})

test_that("rows that subset or na.action drops are dropped from foldid too", {
  case <- cv_case()
  data <- data.frame(case$x, y = case$y)
  data$x1[c(2, 30)] <- NA
  kept <- -c(2, 30)
  cvf <- cv_path(y ~ ., data, max_steps = 2, foldid = case$foldid)
  expect_identical(cvf$foldid, case$foldid[kept])
  expect_equal(
    cvf$cvm, cv_path(case$x[kept, ], case$y[kept], max_steps = 2, foldid = case$foldid[kept])$cvm
  )
  some <- cv_path(y ~ x2 + x3, data, subset = 5:30, max_steps = 2, foldid = case$foldid)
  expect_identical(some$foldid, case$foldid[5:30])
})

test_that("rows of weight zero are dropped from foldid too", {
  case <- cv_case()
  weights <- replace(case$weights, c(1, 5), 0)
  kept <- -c(1, 5)
  cvf <- cv_path(case$x, case$y, weights = weights, max_steps = 2, foldid = case$foldid)
  expect_identical(cvf$foldid, case$foldid[kept])
  expect_equal(cvf$cvm, cv_path(
    case$x[kept, ], case$y[kept], weights = weights[kept], max_steps = 2,
    foldid = case$foldid[kept]
  )$cvm)
})

test_that("the call holds no data", {
  case <- cv_case()
  cvf <- do.call(cv_path, list(case$x, case$y, max_steps = 2, foldid = case$foldid))
  expect_lt(as.numeric(utils::object.size(cvf$call)), 5000)
  expect_identical(cvf$call[[1]], quote(cv_path))
  cvf <- cv_path(case$x, case$y, fit = greedytl, max_steps = 2, foldid = case$foldid)
  expect_identical(cvf$fit$call, quote(greedytl(x = case$x, y = case$y, max_steps = 2)))
})

test_that("the call of a path keeps the domain where the method has domains itself", {
  case <- cv_case()
  run <- function(...) {
    cv_path(case$x, case$y, ..., domain = case$domain, by = "domain", max_steps = 2)$fit$call
  }
  expect_null(run()$domain)
  expect_identical(run(fit = tgreedy)$domain, quote(case$domain))
  joint <- suppressMessages(
    cv_path(case$x, case$y, fit = tlcp, domain = case$domain, target = "u", nfolds = 2)
  )
  expect_identical(joint$fit$call$domain, quote(case$domain))
})
