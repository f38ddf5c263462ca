# What is said is so: units, names of families and baselines, notes of pictures.

test_that("a negative binomial model is not called Poisson", {
  skip_if_not_installed("MASS")
  table <- suppressMessages(dissimilarity(Days ~ Sex + Lrn, MASS::quine, domain = Age, target = "F1",
                                          family = "negbin"))
  said <- capture.output(print(table))
  expect_match(said, "(negbin)", fixed = TRUE, all = FALSE)
  expect_no_match(said, "poisson")
})

test_that("the baseline of classes is their shares, that of numbers the mean", {
  set.seed(1)
  of <- function(y) as.character(compare_paths(mtcars[c("wt", "hp")], y, list(a = greedytl), nfolds = 3)$rule)
  expect_true("shares of the classes" %in% of(factor(mtcars$am)))
  expect_true("mean of the response" %in% of(mtcars$mpg))
})

test_that("too many features are refused before an announcement of hours", {
  set.seed(1)
  x <- matrix(rnorm(30 * 5001), 30)
  expect_no_message(expect_error(tlcp(x, x[, 1] + rnorm(30), rep(c("a", "b", "c"), 10), "a"), "5000",
                                 class = "transelect_error_x"))
})

test_that("the picture of the best subset alone says how to see every size", {
  set.seed(1)
  x <- matrix(rnorm(60 * 31), 60)
  y <- drop(x[, 1:2] %*% c(1, 1)) + rnorm(60)
  note <- function(...) tlcp_plot_picture(tlcp(x, y, ...), "criterion", TRUE, 10, TRUE)$note
  expect_match(note(), "sizes = TRUE")
  expect_null(note(sizes = TRUE, max_seconds = 5))
  expect_null(tlcp_plot_picture(tlcp(mpg ~ wt, mtcars), "criterion", TRUE, 10, TRUE)$note)
})

test_that("a picture of terms counts columns and says that terms were searched", {
  fit <- tlcp(mpg ~ wt + factor(cyl) + hp, mtcars, sizes = TRUE)
  picture <- tlcp_plot_picture(fit, "criterion", TRUE, 10, TRUE)
  expect_identical(picture$panels[[1]]$x$label, "columns")
  expect_match(picture$title, "number of terms")
})

test_that("a weight that rounds to 0 % is not called so", {
  expect_identical(greedytl_weight_words(.25), ", with weight 25 %")
  expect_match(greedytl_weight_words(.001), "below 1 %")
  expect_match(greedytl_weight_words(0), "leaves it out")
})
