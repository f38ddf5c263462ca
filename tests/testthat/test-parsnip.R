# Engines for tidymodels. parsnip is not in every Debian; what the engines call is tested without it.

test_that("the engine's function takes the domain out of the predictors and keeps the rest", {
  x <- mtcars[c("wt", "hp", "cyl")]
  fit <- transelect_engine(x, mtcars$mpg, "tlcp", domain = "cyl", target = "4", units = "own")
  same <- tlcp(x[c("wt", "hp")], mtcars$mpg, domain = mtcars$cyl, target = "4", units = "own")
  expect_equal(coef(fit), coef(same))
  weights <- rep(1:2, 16)
  fit <- transelect_engine(x, mtcars$mpg, "greedytl", weights = weights)
  expect_equal(coef(fit), coef(greedytl(x, mtcars$mpg, weights = weights)))
  expect_error(transelect_engine(x, mtcars$mpg, "tgreedy", domain = "gear"), "`domain` is \"gear\"",
               class = "transelect_error_domain")
  fit <- transelect_engine(x, mtcars$mpg, "greedytl", step = 1)
  expect_equal(coef(fit), coef(greedytl(x, mtcars$mpg), step = 1))
  expect_error(transelect_engine(x, mtcars$mpg, "greedytl", step = 50), class = "transelect_error_step")
})

test_that("a method that is none is refused", {
  expect_error(transelect_engine(mtcars["wt"], mtcars$mpg, "exact"), class = "transelect_error_method")
})

test_that("parsnip fits and predicts with every engine", {
  skip_if_not_installed("parsnip")
  engine <- function(model, name, ...) parsnip::set_engine(model(), name, ...)
  for (name in ENGINES$linear_reg$classes) {
    spec <- if (name == "tlcp") engine(parsnip::linear_reg, name, domain = "cyl", target = "4", units = "own")
            else if (name == "tgreedy") engine(parsnip::linear_reg, name, domain = "cyl")
            else engine(parsnip::linear_reg, name)
    fit <- parsnip::fit(spec, mpg ~ wt + hp + cyl, data = mtcars)
    got <- predict(fit, mtcars[1:5, ])
    expect_named(got, ".pred")
    expect_equal(got$.pred, unname(predict(fit$fit, mtcars[1:5, ])))
  }
  two <- droplevels(subset(iris, Species != "setosa"))
  for (data in list(two, iris)) {
    kind <- if (nlevels(data$Species) == 2) "logistic_reg" else "multinom_reg"
    model <- getExportedValue("parsnip", kind)
    for (name in unlist(ENGINES[[kind]][-1])) {
      spec <- if (name == "tgreedy") engine(model, name, domain = "place") else engine(model, name)
      data$place <- rep_len(c("a", "b", "c"), nrow(data))
      if (name != "tgreedy") data$place <- NULL
      fit <- parsnip::fit(spec, Species ~ ., data = data)
      got <- predict(fit, data[c(1, 60, 90), ])
      expect_identical(levels(got$.pred_class), levels(data$Species))
      if (kind != "linear_reg") {
        p <- predict(fit, data, type = "prob")
        expect_named(p, paste0(".pred_", levels(data$Species)))
        expect_equal(rowSums(p), rep(1, nrow(data)), tolerance = 1e-6, ignore_attr = TRUE)
        most <- factor(levels(data$Species)[max.col(as.matrix(p), "first")], levels(data$Species))
        # classes by squares are those of scores with balanced classes
        least <- if (name %in% c("greedytl", "tgreedy")) .9 else .99
        expect_gt(mean(most == predict(fit, data)$.pred_class), least)
      }
    }
  }
})

test_that("a workflow keeps the fit and its case weights", {
  skip_if_not_installed("workflows")
  spec <- parsnip::set_engine(parsnip::linear_reg(), "greedytl")
  flow <- workflows::workflow(mpg ~ wt + hp, spec)
  fit <- parsnip::fit(flow, mtcars)
  expect_equal(predict(fit, mtcars)$.pred, unname(predict(greedytl(mpg ~ wt + hp, mtcars), mtcars)))
})
