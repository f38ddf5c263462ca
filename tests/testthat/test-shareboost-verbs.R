# ---- what can be asked of a path

verbs_fit <- function(k = 3, ..., max_steps = 5) {
  d <- draw_classes(k, k)
  c(d, list(fit = shareboost(d$x, d$y, ..., max_steps = max_steps)))
}

test_that("the path object is complete and consistent", {
  for (k in c(2, 4)) {
    d <- verbs_fit(k)
    fit <- d$fit
    expect_s3_class(fit, c("shareboost", "transfer_path"), exact = TRUE)
    expect_equal(fit$points$step, 0:5)
    expect_equal(fit$steps$step, 0:5)
    expect_equal(fit$steps$size, 0:5)
    expect_identical(fit$steps$entered[1], NA_character_)
    expect_equal(fit$best, 5)
    expect_equal(fit$nobs, length(d$y))
    expect_identical(fit$classes, levels(d$y))
    for (s in 0:5) {
      class <- predict(fit, d$x, step = s)
      expect_close(mean(class != d$y), fit$steps$error[s + 1])
    }
  }
})

test_that("scores, probabilities and classes belong together", {
  for (k in c(3, 5)) {
    d <- verbs_fit(k)
    score <- predict(d$fit, d$new, type = "score")
    prob <- predict(d$fit, d$new, type = "prob")
    expect_equal(dim(score), c(9L, k))
    expect_identical(colnames(score), levels(d$y))
    expect_close(prob, exp(score) / rowSums(exp(score)))
    class <- predict(d$fit, d$new, type = "class")
    expect_identical(levels(class), levels(d$y))
    expect_identical(as.character(class), levels(d$y)[max.col(score)])
    expect_identical(predict(d$fit, d$new), class)
    weights <- shareboost_weights(d$fit, 5)
    by_hand <- d$new %*% weights$beta + rep(weights$a0, each = 9)
    expect_close(score - rowMeans(score), by_hand - rowMeans(by_hand))
    expect_identical(predict(d$fit, d$new, type = "nonzero"), variable.names(d$fit))
    expect_identical(sort(variable.names(d$fit, step = 2)), sort(entered(d$fit)[1:2]))
  }
})

test_that("two classes have scores and probabilities too", {
  d <- verbs_fit(2, ridge = 1e-4)
  prob <- predict(d$fit, d$new, type = "prob")
  expect_equal(dim(prob), c(9L, 2L))
  expect_identical(colnames(prob), levels(d$y))
  expect_close(rowSums(prob), rep(1, 9))
  class <- predict(d$fit, d$new)
  expect_identical(as.character(class), levels(d$y)[1 + (prob[, 2] > prob[, 1])])
  twin <- naive_shareboost(d$x, d$y, max_steps = 5)
  last <- twin$rounds[[6]]
  score <- d$new %*% last$beta + rep(last$a0, each = 9)
  expect_close(prob, exp(score) / rowSums(exp(score)), 1e-5)
})

test_that("ties go to the lower level", {
  x <- named_columns(rep(c(-1, 1), 20), 40, "x")
  y <- factor(rep(c("a", "b"), each = 20))
  fit <- shareboost(x, y, max_steps = 0)
  expect_true(all(predict(fit, x) == "a"))
})

test_that("several steps at a time", {
  d <- verbs_fit(3)
  score <- predict(d$fit, d$new, step = 0:5, type = "score")
  prob <- predict(d$fit, d$new, step = 0:5, type = "prob")
  class <- predict(d$fit, d$new, step = 0:5)
  expect_equal(dim(score), c(9L, 3L, 6L))
  expect_equal(dim(prob), c(9L, 3L, 6L))
  expect_equal(dim(class), c(9L, 6L))
  for (s in 0:5) {
    expect_equal(score[, , s + 1], predict(d$fit, d$new, step = s, type = "score"))
    expect_equal(prob[, , s + 1], predict(d$fit, d$new, step = s, type = "prob"))
    expect_identical(class[[s + 1]], predict(d$fit, d$new, step = s))
  }
})

test_that("coefficients are a number a class", {
  d <- verbs_fit(3)
  all <- coef(d$fit, step = 4)
  expect_identical(names(all), levels(d$y))
  W <- coef(d$fit, step = 4, matrix = TRUE)
  expect_equal(dim(W), c(3L, 8L))
  expect_identical(rownames(W), levels(d$y))
  expect_close(as.matrix(W), do.call(rbind, all))
})

test_that("a saved fit predicts as it did", {
  d <- verbs_fit(4)
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  saveRDS(d$fit, file)
  expect_identical(predict(readRDS(file), d$new, type = "prob"),
                   predict(d$fit, d$new, type = "prob"))
  rows <- vapply(d$fit[setdiff(names(d$fit), c("fitted", "residuals"))], NROW, 0L)
  expect_false(length(d$y) %in% rows)
})

test_that("matrix, data frame, sparse and formula give one answer", {
  d <- draw_classes(6, 3)
  data <- data.frame(kind = d$y, d$x, w = d$weights)
  a <- shareboost(d$x, d$y, weights = d$weights, max_steps = 4)
  expect_same_shareboost(
    a, shareboost(as.data.frame(d$x), d$y, weights = d$weights, max_steps = 4)
  )
  by_formula <- shareboost(kind ~ . - w, data, weights = w, max_steps = 4)
  expect_same_shareboost(a, by_formula)
  expect_equal(unname(predict(by_formula, data[1:4, ])), predict(a, d$x[1:4, ]))
  sparse <- shareboost(kind ~ . - w, data, weights = w, max_steps = 4, sparse = TRUE)
  expect_same_shareboost(a, sparse)
  some <- shareboost(kind ~ . - w, data, subset = w > 0.4, max_steps = 4)
  rows <- d$weights > 0.4
  expect_same_shareboost(some, shareboost(d$x[rows, ], d$y[rows], max_steps = 4))
  data$x1[3] <- NA
  holes <- shareboost(kind ~ . - w, data, weights = w, max_steps = 4)
  expect_same_shareboost(
    holes, shareboost(d$x[-3, ], d$y[-3], weights = d$weights[-3], max_steps = 4)
  )
})

test_that("factors among the features", {
  data <- datasets::iris
  data$size <- cut(data$Sepal.Width, c(0, 2.8, 3.2, 5), c("low", "mid", "high"))
  fit <- shareboost(Species ~ size + Petal.Length, data)
  expect_setequal(entered(fit), c("size", "Petal.Length"))
  expect_length(variable.names(fit), 3)
  expect_error(predict(fit, replace(data[1:2, ], "size", "huge")), class = "transelect_error")
})

test_that("features_for() is the first size that is good enough", {
  d <- verbs_fit(4, max_steps = 7)
  steps <- d$fit$steps
  target <- steps$error[4]
  first <- which(steps$error <= target)[1]
  expect_equal(features_for(d$fit, error = target),
               stats::setNames(steps$size[first], paste("step", steps$step[first])))
  expect_equal(features_for(d$fit, error = 1), c("step 0" = 0))
  expect_true(is.na(features_for(d$fit, error = min(steps$error) - 1e-6)))
})

test_that("confusion() counts rows by class and prediction", {
  d <- verbs_fit(3)
  table <- confusion(d$fit, d$x, d$y)
  expect_equal(unclass(as.matrix(table)), unclass(table(d$y, predict(d$fit, d$x))),
               ignore_attr = TRUE)
})

test_that("cross-validation equals a loop over folds", {
  for (k in c(2, 3)) {
    d <- draw_classes(70 + k, k)
    foldid <- rep_len(c(3, 1, 2, 4), length(d$y))
    cvf <- cv_path(d$x, d$y, fit = shareboost, foldid = foldid, max_steps = 4, loss = "class")
    error <- vapply(1:4, function(f) {
      out <- foldid == f
      fit <- shareboost(d$x[!out, ], d$y[!out], max_steps = 4)
      class <- predict(fit, d$x[out, ], step = 0:4)
      vapply(class, function(one) mean(one != d$y[out]), 0)
    }, numeric(5))
    expect_equal(cvf$fold_loss, t(error), ignore_attr = TRUE)
    expect_same_shareboost(cvf$fit, shareboost(d$x, d$y, max_steps = 4))
    deviance <- cv_path(
      d$x, d$y, fit = shareboost, foldid = foldid, max_steps = 4, loss = "deviance"
    )
    out <- foldid == 2
    fit <- shareboost(d$x[!out, ], d$y[!out], max_steps = 4)
    own <- cbind(seq_len(sum(out)), as.integer(d$y[out]))
    by_hand <- vapply(0:4, function(s) {
      mean(-log(predict(fit, d$x[out, ], step = s, type = "prob")[own]))
    }, 0)
    ratio <- unname(deviance$fold_loss[2, ]) / by_hand
    # the mean log loss, or twice it as deviances are
    expect_close(ratio, rep(round(ratio[1]), 5))
    expect_true(round(ratio[1]) %in% 1:2)
    balanced <- cv_path(
      d$x, d$y, fit = shareboost, foldid = foldid, max_steps = 4, loss = "balanced"
    )
    class <- predict(fit, d$x[out, ], step = 4)
    expect_close(balanced$fold_loss[2, 5],
                 mean(tapply(class != d$y[out], droplevels(d$y[out]), mean)))
    expect_equal(features_for(cvf, error = 1), c("step 0" = 0))
  }
})

test_that("cross-validation of stumps leaves rows out of the thresholds", {
  d <- draw_classes(73, 3, p = 3)
  foldid <- rep_len(1:3, length(d$y))
  cvf <- cv_path(stumps(d$x), d$y, fit = shareboost, foldid = foldid, max_steps = 3)
  out <- foldid == 1
  fit <- shareboost(stumps(d$x[!out, ]), d$y[!out], max_steps = 3)
  error <- vapply(predict(fit, d$x[out, ], step = 0:3), function(one) mean(one != d$y[out]), 0)
  expect_equal(unname(cvf$fold_loss[1, ]), unname(error))
})

test_that("a fit is printed, summed up and made tidy", {
  d <- verbs_fit(3)
  expect_output(print(d$fit), "3")
  expect_output(print(summary(d$fit)), entered(d$fit)[1], fixed = TRUE)
  tidied <- tidy(d$fit)
  expect_true(all(c("term", "step", "estimate", "class") %in% names(tidied)))
  expect_equal(nrow(glance(d$fit)), 1)
  expect_error(shareboost(d$x, d$y) |> predict(), class = "transelect_error")
})

test_that("pictures are drawn", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  for (k in c(2, 4)) {
    d <- verbs_fit(k)
    expect_identical(plot(d$fit), d$fit)
    expect_identical(plot(d$fit, what = "weights"), d$fit)
    expect_identical(plot(d$fit, "path"), d$fit)
    expect_identical(plot(d$fit, "weights", step = 2, class = d$fit$classes[2]), d$fit)
    expect_error(plot(d$fit, what = "nothing"), class = "transelect_error")
    expect_error(plot(d$fit, "weights", class = "nobody"), class = "transelect_error")
    expect_error(plot(d$fit, "weights", step = 99), class = "transelect_error")
  }
  few <- verbs_fit(3, max_steps = 0)$fit
  expect_warning(plot(few), NA)
  expect_warning(plot(few, what = "weights"), NA)
})

test_that("ggplot pictures hold the numbers of the fit", {
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  d <- verbs_fit(3)
  picture <- ggplot2::autoplot(d$fit)
  drawn <- unlist(lapply(seq_along(picture$layers), function(l) ggplot2::layer_data(picture, l)$y))
  expect_true(all(vapply(d$fit$steps$error, function(e) any(abs(drawn - e) < 1e-12), NA)))
  expect_warning(print(picture), NA)
  expect_warning(print(ggplot2::autoplot(d$fit, "weights")), NA)
})

test_that("no rows have no predictions", {
  for (k in 2:3) {
    d <- draw_classes(4, k)
    fit <- shareboost(d$x, d$y, max_steps = 3)
    none <- d$new[0, , drop = FALSE]
    for (type in c("score", "prob")) {
      expect_identical(dim(predict(fit, none, type = type)), c(0L, k))
      expect_identical(dim(predict(fit, none, type = type, step = 1:2)), c(0L, k, 2L))
    }
    expect_identical(NROW(predict(fit, none, type = "response")), 0L)
    expect_identical(predict(fit, none), d$y[0])
  }
})

test_that("responses and fitted values are probabilities, links are scores", {
  for (k in 2:3) {
    d <- draw_classes(5, k)
    fit <- shareboost(d$x, d$y, max_steps = 3)
    own <- if (k == 2) fit$fitted[, 2] else fit$fitted
    expect_equal(predict(fit, d$x, type = "response"), own)
    both <- predict(fit, d$x, type = "response", step = 2:3)
    expect_equal(unname(if (k == 2) both[, 2] else both[, , 2]), unname(own))
    beside <- augment(fit, d$x)
    at <- if (k == 2) ".fitted" else paste0(".fitted_", levels(d$y))
    expect_equal(unname(as.matrix(beside[at])), unname(as.matrix(own)))
    expect_identical(beside$.pred_class, predict(fit, d$x))
  }
})

test_that("glance has loss and error of the default step", {
  d <- draw_classes(6, 3)
  fit <- shareboost(d$x, d$y, max_steps = 3)
  expect_identical(unlist(glance(fit)[c("loss", "error")]),
                   unlist(fit$steps[4, c("loss", "error")]))
})

test_that("other objects and unknown classes are refused in words", {
  d <- draw_classes(7, 2)
  fit <- shareboost(d$x, d$y, max_steps = 3)
  expect_error(confusion(lm(y ~ 1, data.frame(y = 1:3)), d$x, d$y), "lm")
  expect_error(coef(fit, class = "zz"), "Give classes among")
})

test_that("the ROC curves of classes do not see what is added to a row's scores", {
  d <- draw_classes(9, 3)
  loss <- cv_loss_find("auroc", "multinomial", NULL, logistic = TRUE)$loss
  score <- with_seed(9, matrix(rnorm(3 * length(d$y)), ncol = 3))
  shift <- with_seed(10, rnorm(length(d$y), sd = 5))
  share <- response_scores_softmax(score)
  by_class <- vapply(1:3, function(k) cv_loss_area_under_curve(as.integer(d$y) == k, share[, k], d$weights), 0)
  expect_equal(loss(d$y, score + shift, d$weights, levels(d$y)), mean(by_class))
  folds <- rep(1:3, 25)
  cv <- cv_path(d$x, d$y, fit = shareboost, max_steps = 2, loss = "auroc", foldid = folds,
                keep_predictions = TRUE)
  by_hand <- vapply(1:3, function(fold) {
    at <- folds == fold
    share <- response_scores_softmax(cv$predictions[at, , 3])
    mean(vapply(1:3, function(k) cv_loss_area_under_curve(as.integer(d$y[at]) == k, share[, k], rep(1, sum(at))), 0))
  }, 0)
  expect_equal(unname(cv$fold_loss[, 3]), by_hand)
})

test_that("squares are no loss of probabilities", {
  d <- draw_classes(9, 2)
  for (loss in c("mse", "mae")) {
    expect_error(cv_path(d$x, d$y, fit = shareboost, loss = loss), "deviance")
  }
})

test_that("cross-validation draws among the units of a map, and takes numbers for classes", {
  d <- draw_classes(9, 3)
  folds <- rep(1:3, 25)
  for (map in list(stumps(d$x), pieces(d$x, centers = d$x[1:3, ], radii = 3))) {
    run <- function() {
      set.seed(1)
      cv_path(map, d$y, fit = shareboost, control = shareboost_control(candidates = 5), max_steps = 4, foldid = folds)
    }
    expect_identical(run()$cvm, run()$cvm)
  }
  by_number <- cv_path(d$x, as.integer(d$y), fit = shareboost, max_steps = 3, foldid = folds)
  by_name <- cv_path(d$x, d$y, fit = shareboost, max_steps = 3, foldid = folds)
  expect_identical(by_number$cvm, by_name$cvm)
  numbered <- data.frame(y = as.integer(d$y), d$x)
  by_formula <- cv_path(y ~ ., numbered, fit = shareboost, max_steps = 3, foldid = folds)
  expect_equal(by_formula$cvm, by_name$cvm)
})

test_that("as many rows are printed as asked for", {
  d <- draw_classes(9, 3)
  fit <- shareboost(d$x, d$y, max_steps = 5)
  expect_output(print(fit, n = 2), "^[^\n]*no step was chosen, the last one is the default\n.*and 4 more rows.*step =")
  expect_output(print(summary(fit)), "^[^\n]*no step was chosen, the last one is the default\n")
  expect_no_match(printed(summary(fit, step = 2)), "chosen")
  expect_length(grep("^ +[0-9]", capture.output(print(fit, n = 6))), 6)
  expect_error(print(fit, n = -1), "whole number")
})

test_that("new rows need the columns that the steps asked for use, and no others", {
  data <- transform(iris, site = factor(rep(c("u", "v", "w"), 50)))
  x <- as.matrix(iris[1:4])
  fits <- list(
    shareboost(Species ~ ., data), shareboost(x, iris$Species), shareboost(iris[1:4], iris$Species),
    shareboost(as(x, "CsparseMatrix"), iris$Species),
    shareboost(stumps(x), iris$Species, max_steps = 3),
    shareboost(stumps(data[c(6, 4:1)]), iris$Species, max_steps = 3),
    shareboost(Species ~ ., data, keep = c("sitew", "Sepal.Width"), max_steps = 3)
  )
  for (fit in fits) {
    for (steps in list(1, 1:2)) {
      used <- sub(" <= .*|(?<=site).$", "", variable.names(fit, step = max(steps)), perl = TRUE)
      expect_lt(length(unique(used)), 4)
      expect_identical(predict(fit, data[, rev(unique(used)), drop = FALSE], step = steps),
                       predict(fit, data, step = steps))
    }
    expect_error(predict(fit, data[setdiff(names(data), used)], step = 2), "lacks")
  }
  expect_identical(unname(predict(fits[[2]], x[3, ], step = 1)), iris$Species[3])
  expect_error(predict(fits[[1]], data[1:4, 1:2]), "lacks 3 columns")
})

test_that("glance counts the columns of x, as print does", {
  x <- as.matrix(iris[1:4])
  fit <- shareboost(pieces(x, centers = x[c(1, 60, 110), ], radii = 2), iris$Species, max_steps = 3)
  expect_identical(as.integer(glance(fit)$features), 4L)
  expect_output(print(fit), "4 features")
})

test_that("the smallest error is told where none is small enough", {
  fit <- shareboost(Species ~ ., data = iris, max_steps = 2)
  expect_message(n <- features_for(fit, 0), format(signif(min(fit$steps$error), 3)), class = "transelect_message_error")
  expect_identical(n, NA_integer_)
})

test_that("simulate() draws classes with the probabilities of the fit", {
  for (classes in list(factor(mtcars$am, labels = c("automatic", "manual")), factor(mtcars$gear))) {
    fit <- shareboost(as.matrix(mtcars[c("wt", "hp")]), classes)
    drawn <- simulate(fit, nsim = 4000, seed = 1)
    expect_identical(dim(drawn), c(32L, 4000L))
    expect_identical(levels(drawn$sim_1), levels(classes))
    for (class in levels(classes)) {
      expect_lt(max(abs(rowMeans(drawn == class) - fitted(fit)[, class])), 5 * .5 / sqrt(4000))
    }
  }
})
