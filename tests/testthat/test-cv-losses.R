two <- c("no", "yes")
three <- c("a", "b", "c")

naive_auroc <- function(positive, score, weights) {
  right <- 0
  all <- 0
  for (i in which(positive)) {
    for (j in which(!positive)) {
      pair <- weights[[i]] * weights[[j]]
      right <- right + pair * ((score[[i]] > score[[j]]) + (score[[i]] == score[[j]]) / 2)
      all <- all + pair
    }
  }
  right / all
}

test_that("squared and absolute error are weighted means", {
  y <- c(1, 2, 4)
  score <- c(1.5, 2, 1)
  weights <- c(1, 2, 3)
  expect_equal(cv_loss_mse(y, score, weights, NULL), (0.25 + 0 + 27) / 6)
  expect_equal(cv_loss_mae(y, score, weights, NULL), (0.5 + 0 + 9) / 6)
})

test_that("factors are coded -1 and +1, and averaged over classes", {
  y <- factor(c("no", "yes", "yes"), two)
  score <- c(-0.5, 2, -1)
  expect_equal(cv_loss_mse(y, score, c(1, 1, 2), two), (0.25 + 1 + 2 * 4) / 4)
  expect_equal(cv_loss_mae(y, score, c(1, 1, 2), two), (0.5 + 1 + 2 * 2) / 4)
  y3 <- factor(c("a", "c"), three)
  score3 <- rbind(c(1, -1, 0), c(0, 0.5, 1))
  expect_equal(cv_loss_mse(y3, score3, c(1, 3), three), (1 / 3 + 3 * (1 + 2.25 + 0) / 3) / 4)
})

test_that("misclassification: sign for two classes, argmax for more, ties to the lowest level", {
  y <- factor(c("no", "yes", "yes", "no"), two)
  expect_equal(cv_loss_class(y, c(-1, 1, -1, 0), c(1, 1, 1, 1), two), 1 / 4)
  expect_equal(cv_loss_class(y, c(-1, 0, -1, 0), c(1, 2, 4, 1), two), 6 / 8)
  y3 <- factor(c("a", "b", "c", "c"), three)
  score <- rbind(c(0, 0, 0), c(1, 1, 0), c(0, 0, 1), c(0, 1, 1))
  expect_equal(response_scores_class(score), c(1, 1, 3, 2))
  expect_equal(cv_loss_class(y3, score, c(1, 1, 1, 1), three), 1 / 2)
})

test_that("auroc counts pairs, ties by half, with weights", {
  for (seed in 1:10) {
    case <- with_seed(seed, list(
      y = factor(sample(two, 15, replace = TRUE), two), score = round(rnorm(15), 1) / 2,
      weights = sample(0:3, 15, replace = TRUE) + 0.5
    ))
    positive <- case$y == "yes"
    expect_equal(
      cv_loss_auroc(case$y, case$score, case$weights, two),
      naive_auroc(positive, case$score, case$weights)
    )
  }
  expect_equal(cv_loss_auroc(factor(two, two), c(1, 1), c(1, 1), two), 0.5)
})

test_that("auroc of several classes is the mean of one against the rest", {
  case <- with_seed(3, list(
    y = factor(sample(three, 20, replace = TRUE), three), score = matrix(round(rnorm(60), 1), 20)
  ))
  by_class <- vapply(1:3, function(class) {
    naive_auroc(as.integer(case$y) == class, case$score[, class], rep(1, 20))
  }, numeric(1))
  expect_equal(cv_loss_auroc(case$y, case$score, rep(1, 20), three), mean(by_class))
  present <- case$y != "c"
  expect_equal(
    cv_loss_auroc(case$y[present], case$score[present, ], rep(1, sum(present)), three),
    mean(vapply(1:2, function(class) {
      naive_auroc(as.integer(case$y[present]) == class, case$score[present, class], rep(1, 20))
    }, numeric(1)))
  )
})

test_that("auroc of one class is NA", {
  one <- factor(c("yes", "yes"), two)
  expect_identical(cv_loss_auroc(one, c(1, 2), c(1, 1), two), NA_real_)
  expect_identical(cv_loss_auroc(factor(two, two), c(1, 2), c(0, 1), two), NA_real_)
  expect_identical(
    cv_loss_auroc(factor("a", three), matrix(c(1, 2, 3), 1), 1, three), NA_real_
  )
})

test_that("every loss of the table takes a response of each of its families", {
  weights <- rep(1, 4)
  given <- list(
    gaussian = list(y = c(1, 2, 3, 5), score = 1:4, classes = NULL),
    binomial = list(y = factor(c("no", "yes", "no", "yes")), score = 1:4, classes = two),
    multinomial = list(y = factor(c("a", "b", "c", "a")), score = diag(4)[, 1:3], classes = three)
  )
  for (name in names(cv_loss_table())) {
    for (family in cv_loss_table()[[name]]$families) {
      entry <- cv_loss_find(name, family, rlang::current_env())
      at <- given[[family]]
      value <- entry$loss(at$y, at$score, weights, at$classes)
      expect_true(is.numeric(value) && length(value) == 1 && is.finite(value), label = name)
      expect_true(rlang::is_bool(entry$smaller_is_better) && nzchar(entry$label))
    }
  }
})

test_that("the default loss goes by the family, and unfit losses say what to use", {
  here <- rlang::current_env()
  expect_identical(cv_loss_find(NULL, "gaussian", here)$name, "mse")
  expect_identical(cv_loss_find(NULL, "binomial", here)$name, "class")
  expect_identical(cv_loss_find(NULL, "multinomial", here)$name, "class")
  bad <- "transelect_error_loss"
  expect_error(cv_loss_find("auc", "binomial", here), "auc.*mse.*auroc", class = bad)
  expect_error(cv_loss_find(1, "binomial", here), "loss", class = bad)
  expect_error(cv_loss_find("deviance", "binomial", here), "class.*probabilities", class = bad)
  expect_error(cv_loss_find("class", "gaussian", here), "numeric response.*mse", class = bad)
  expect_error(cv_loss_find("auroc", "gaussian", here), "numeric response.*mse", class = bad)
  expect_identical(cv_loss_find("deviance", "gaussian", here)$loss, cv_loss_mse)
})

test_that("scores of a logistic model have losses of their own", {
  here <- rlang::current_env()
  expect_error(cv_loss_find("mse", "binomial", here, logistic = TRUE), class = "transelect_error_loss")
  expect_identical(cv_loss_find("deviance", "multinomial", here, logistic = TRUE)$loss, cv_loss_log)
  expect_identical(
    cv_loss_find("auroc", "multinomial", here, logistic = TRUE)$loss, cv_loss_auroc_logistic
  )
})

test_that("a function is a loss: of numbers, of two classes and of three", {
  squares <- function(y, prediction, weights) sum(weights * (y - prediction)^2) / sum(weights)
  set.seed(1)
  foldid <- sample(rep_len(1:4, 32))
  w <- rep(1:2, 16)
  cv <- cv_path(mpg ~ wt + hp + qsec, mtcars, foldid = foldid, weights = w, loss = squares)
  same <- cv_path(mpg ~ wt + hp + qsec, mtcars, foldid = foldid, weights = w, loss = "mse")
  expect_equal(cv$cvm, same$cvm)
  expect_identical(cv$loss, "own")
  expect_output(print(cv), "loss of the function given \\(smaller is better\\)")
  expect_identical(picture_of(plot(cv))$panels[[1]]$y$label, "loss of the function given")
  expect_s3_class(compare_paths(a = cv, b = cv), "path_comparison")
  wrong <- function(y, prediction, weights) {
    called <- if (is.matrix(prediction)) max.col(prediction, "first") else 1 + (prediction > 0)
    sum(weights * (as.integer(y) != called)) / sum(weights)
  }
  for (data in list(droplevels(iris[51:150, ]), iris)) {
    folds <- rep_len(1:5, nrow(data))
    cv <- cv_path(Species ~ ., data, fit = shareboost, foldid = folds, loss = wrong)
    expect_equal(cv$cvm, cv_path(Species ~ ., data, fit = shareboost, foldid = folds, loss = "class")$cvm)
  }
})

test_that("a function that is no loss is refused in words", {
  f <- function(y, prediction, weights) "a"
  expect_error(cv_path(mpg ~ wt, mtcars, nfolds = 3, loss = f), "returned a string", class = "transelect_error_loss")
  expect_error(cv_path(mpg ~ wt, mtcars, loss = function(y) 1), "1 argument", class = "transelect_error_loss")
  m <- moments(mpg ~ wt, mtcars, fold = rep_len(1:3, 32))
  expect_error(cv_path(m, loss = f), "needs rows", class = "transelect_error_loss")
})
