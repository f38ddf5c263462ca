# Arguments that packages hand on to the methods of any model.

test_that("methods of others' generics bear the arguments that these document or that packages hand on", {
  for (fit in report_fits()) {
    data <- if (inherits(fit, "shareboost")) iris else mtcars
    same <- function(...) expect_identical(..1, ..2)
    same(nobs(fit, use.fallback = TRUE), nobs(fit))
    same(coef(fit, complete = TRUE), coef(fit))
    same(predict(fit, data, se.fit = FALSE, interval = "none", na.action = na.pass), predict(fit, data))
    same(tidy(fit, vcov = NULL, coef_rename = FALSE, p_adjust = NULL), tidy(fit))
    same(glance(fit, gof_map = NULL, vcov_type = NULL), glance(fit))
    expect_equal(formula(fit, env = globalenv()), formula(fit), ignore_attr = TRUE)
    same(variable.names(fit, full = TRUE), variable.names(fit))
    same(augment(fit, data = data), augment(fit, data))
    same(family(fit, verbose = FALSE), family(fit))
    same(model.matrix(fit, data, contrasts.arg = NULL), model.matrix(fit, data))
    if (inherits(fit, "tlcp")) next
    expect_error(predict(fit, data, se.fit = TRUE), "selection_frequency", class = "transelect_error_se.fit")
    expect_error(predict(fit, data, interval = "confidence"), "no standard errors", class = "transelect_error_se.fit")
  }
})

test_that("names near one of ours, or another package's word for it, are still errors", {
  for (fit in report_fits()) {
    expect_error(coef(fit, s = 1), "Did you mean `step`", class = "transelect_error_argument")
    expect_error(predict(fit, newx = mtcars), "Did you mean `newdata`", class = "transelect_error_argument")
    expect_error(coef(fit, 1, NULL, NULL, NULL, 3), class = "transelect_error_argument")
  }
})

test_that("`complete` says whether coefficients that are not in the model are there, in coef() as in vcov()", {
  fit <- tlcp(mpg ~ wt + hp + disp + qsec, mtcars)
  inside <- c("(Intercept)", fit$selected)
  expect_identical(names(coef(fit, complete = FALSE)), inside)
  expect_identical(rownames(vcov(fit, complete = FALSE)), inside)
  wide <- vcov(fit, complete = TRUE)
  expect_identical(rownames(wide), names(coef(fit)))
  expect_identical(wide[inside, inside], vcov(fit))
  expect_identical(unname(is.na(diag(wide))), !names(coef(fit)) %in% inside)
  expect_error(coef(fit, complete = NA), class = "transelect_error_complete")
  no_intercept <- tlcp(mpg ~ 0 + wt + hp, mtcars, select = FALSE)
  expect_identical(names(coef(no_intercept, complete = FALSE)), rownames(vcov(no_intercept)))
})

test_that("na.action of predict() is that of predict.lm()", {
  rows <- mtcars[1:3, ]
  rows$wt[2] <- NA
  fit <- tlcp(mpg ~ wt + hp, mtcars, select = FALSE)
  plain <- lm(mpg ~ wt + hp, mtcars)
  for (action in list(na.pass, na.omit, na.exclude)) {
    expect_equal(predict(fit, rows, na.action = action), predict(plain, rows, na.action = action), ignore_attr = TRUE)
  }
  expect_error(predict(fit, rows, na.action = "na.fail"), "1 row", class = "transelect_error_newdata")
  expect_error(predict(fit, rows, na.action = "drop"), class = "transelect_error_na.action")
})
