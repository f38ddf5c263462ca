# Selection as a step of a recipe, with the real package.

# where no time zone is set, a package that recipes loads asks the system and warns
suppressWarnings(requireNamespace("recipes", quietly = TRUE))

test_that("a prepared step keeps what the method selects", {
  skip_if_not_installed("recipes")
  r <- recipes::recipe(mpg ~ ., data = mtcars)
  r <- step_select_transfer(r, recipes::all_numeric_predictors(), outcome = "mpg", fit = tlcp,
                            options = list(criterion = "BIC"))
  ready <- recipes::prep(r)
  baked <- recipes::bake(ready, mtcars[1:3, ])
  fit <- tlcp(mpg ~ ., mtcars, criterion = "BIC")
  expect_setequal(names(baked), c("mpg", fit$selected))
  expect_identical(nrow(baked), 3L)
  gone <- tidy(ready, number = 1)
  expect_setequal(gone$terms, setdiff(names(mtcars), c("mpg", fit$selected)))
  expect_output(print(ready$steps[[1]]), "7 columns removed")
  expect_identical(generics::required_pkgs(r$steps[[1]]), c("recipes", "transelect"))
  expect_true(is.na(tidy(r, number = 1)$terms))
})

test_that("domains stay in the data, and a step may be chosen", {
  skip_if_not_installed("recipes")
  d <- transform(mtcars, cyl = as.character(cyl))
  r <- recipes::recipe(mpg ~ wt + hp + qsec + cyl, data = d)
  r <- step_select_transfer(r, recipes::all_numeric_predictors(), outcome = "mpg", fit = "tgreedy",
                            domain = "cyl", step = 1)
  baked <- recipes::bake(recipes::prep(r), d)
  fit <- tgreedy(mpg ~ wt + hp + qsec, data = d, domain = cyl)
  expect_setequal(names(baked), c("mpg", "cyl", variable.names(fit, step = 1)))
})

test_that("wrong input is told", {
  skip_if_not_installed("recipes")
  r <- recipes::recipe(mpg ~ ., data = mtcars)
  expect_error(step_select_transfer(r, recipes::all_predictors()), class = "transelect_error_outcome")
  expect_error(step_select_transfer(mtcars, outcome = "mpg"), class = "transelect_error_recipe")
  expect_error(step_select_transfer(r, outcome = "mpg", fit = lm), class = "transelect_error_fit")
  expect_error(step_select_transfer(r, outcome = "mpg", engine = "tlcp"), "Did you mean `fit`",
               class = "transelect_error_argument")
  expect_message(old <- step_select_transfer(r, recipes::all_predictors(), outcome = "mpg", method = "tlcp"),
                 "now called `fit`")
  expect_identical(old$steps[[1]]$method, "tlcp")
  expect_length(old$steps[[1]]$terms, 1)
})

test_that("case weights of the recipe are those of the method", {
  skip_if_not_installed("recipes")
  d <- with_seed(7, data.frame(x1 = rnorm(60), x2 = rnorm(60), x3 = rnorm(60), kind = gl(3, 20)))
  d$y <- ifelse(d$kind == 1, 3 * d$x1, 3 * d$x2) + with_seed(8, rnorm(60))
  kept <- function(weights, ...) {
    d$w <- weights
    r <- step_select_transfer(recipes::recipe(y ~ ., d), x1, x2, x3, kind, outcome = "y", fit = tlcp, ...)
    setdiff(names(recipes::bake(recipes::prep(r), NULL)), c("w", "y"))
  }
  by_fit <- function(data, ...) tlcp(data[c("x1", "x2", "x3", "kind")], data$y, ...)$selected
  variables <- function(columns) unique(sub("kind.", "kind", columns))
  first <- as.numeric(d$kind == 1)
  expect_setequal(kept(hardhat::importance_weights(first)), variables(by_fit(d, weights = first)))
  times <- rep(c(3L, 1L, 0L), each = 20)
  repeated <- d[rep(1:60, times), ]
  expect_setequal(kept(hardhat::frequency_weights(times)), variables(by_fit(repeated)))
  expect_setequal(kept(hardhat::importance_weights(first), options = list(weights = rep(1, 60))), variables(by_fit(d)))
})

test_that("a step without columns changes nothing", {
  skip_if_not_installed("recipes")
  r <- step_select_transfer(recipes::recipe(mpg ~ ., mtcars), dplyr::starts_with("none"), outcome = "mpg")
  expect_identical(names(recipes::bake(recipes::prep(r), mtcars)), names(recipes::bake(recipes::prep(
    recipes::recipe(mpg ~ ., mtcars)), mtcars)))
})

test_that("other words for the method name the right one", {
  skip_if_not_installed("recipes")
  r <- recipes::recipe(mpg ~ ., data = mtcars)
  for (word in c("fitfun", "fitter", "model", "fun", "fits")) {
    given <- stats::setNames(list(tlcp), word)
    cars <- list(mpg ~ wt + hp, mtcars)
    expect_error(do.call(step_select_transfer, c(list(r), given, outcome = "mpg")), "Did you mean `fit`")
    expect_error(do.call(cv_path, c(cars, given)), "Did you mean `fit`")
    if (word != "fits") expect_error(do.call(compare_paths, c(cars, given)), "Did you mean `fits`")
  }
  expect_error(selection_frequency(mpg ~ wt + hp, mtcars, method = tlcp), "Did you mean `fit`")
  expect_error(compare_paths(mpg ~ wt + hp, mtcars, fit = tlcp), "Did you mean `fits`")
})
