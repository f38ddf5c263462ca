# What other packages ask a fit for: family, formula, terms, coefficients that may be moved.

test_that("family() is an object that maps scores to the response", {
  expect_identical(family(greedytl(mpg ~ wt, mtcars))$linkinv(3), 3)
  odds <- tlcp(am ~ wt + hp, mtcars, family = "binomial")
  expect_equal(family(odds)$linkinv(unname(predict(odds, mtcars, type = "link"))),
               unname(predict(odds, mtcars, type = "response")))
  rate <- tlcp(carb ~ wt + hp, mtcars, family = "poisson")
  expect_equal(exp(predict(rate, mtcars, type = "link")), predict(rate, mtcars, type = "response"))
  expect_identical(family(rate)$family, "poisson")
})

test_that("formula() and terms() write a dot out, unless it stands for too many variables", {
  fit <- tlcp(mpg ~ . - cyl, mtcars[1:5])
  expect_equal(formula(fit), mpg ~ disp + hp + drat, ignore_attr = TRUE)
  expect_identical(attr(terms(fit), "term.labels"), c("disp", "hp", "drat"))
  by_domain <- tgreedy(mpg ~ ., mtcars[1:5], domain = cyl)
  expect_identical(attr(terms(by_domain), "term.labels"), c("disp", "hp", "drat"))
  expect_identical(attr(terms(greedytl(mpg ~ wt * factor(cyl), mtcars)), "term.labels"),
                   c("wt", "factor(cyl)", "wt:factor(cyl)"))
  expect_identical(attr(terms(greedytl(mpg ~ . - 1, mtcars)), "intercept"), 0L)
  wide <- data.frame(y = mtcars$mpg, matrix(stats::rnorm(32 * 501), 32))
  expect_equal(formula(greedytl(y ~ ., wide, max_steps = 1)), y ~ ., ignore_attr = TRUE)
  expect_error(terms(greedytl(mtcars[2:3], mtcars$mpg)), "without a formula",
               class = "transelect_error_formula")
})

test_that("a fit says which package it needs", {
  expect_identical(generics::required_pkgs(greedytl(mpg ~ wt, mtcars)), "transelect")
})

test_that("a coefficient that is moved moves the predictions", {
  by_gear <- tlcp(mpg ~ wt + hp + qsec, mtcars, domain = gear, target = "4", control = tlcp_control(units = "common"))
  for (fit in list(tlcp(mpg ~ wt + hp + qsec, mtcars), by_gear,
                   tlcp(am ~ wt + hp, mtcars, family = "binomial"))) {
    b <- get_coef.tlcp(fit)
    expect_identical(names(b), rownames(vcov(fit)))
    predict_target <- function(fit) predict(fit, mtcars, type = "link", domain = fit$target)
    link <- predict_target(fit)
    expect_equal(predict_target(set_coef.tlcp(fit, b)), link)
    moved <- set_coef.tlcp(fit, b + c(1, 2, rep(0, length(b) - 2)))
    by <- 1 + 2 * mtcars[[names(b)[2]]]
    expect_equal(unname(predict_target(moved) - link), by)
  }
})

test_that("insight knows the kind of a model", {
  skip_if_not_installed("insight")
  fit <- tlcp(mpg ~ ., mtcars[1:4], select = FALSE)
  expect_true(insight::model_info(fit)$is_linear)
  expect_true(insight::model_info(tlcp(am ~ wt, mtcars, family = "binomial"))$is_binomial)
  expect_identical(insight::find_predictors(fit)$conditional, names(mtcars)[2:4])
  expect_identical(insight::find_response(fit), "mpg")
  expect_identical(insight::n_obs(fit), 32L)
  expect_equal(insight::link_inverse(fit)(2), 2)
})

test_that("marginaleffects gives what it gives for lm() and glm()", {
  skip_if_not_installed("marginaleffects")
  skip_if(utils::packageVersion("marginaleffects") >= "1.0.0" && getRversion() < "4.4")
  same <- function(fit, model, tolerance = 1e-4) {
    ours <- as.data.frame(marginaleffects::avg_slopes(fit, newdata = mtcars))
    theirs <- as.data.frame(marginaleffects::avg_slopes(model, newdata = mtcars))
    expect_equal(ours[c("estimate", "std.error")], theirs[c("estimate", "std.error")],
                 tolerance = tolerance, ignore_attr = TRUE)
  }
  same(tlcp(mpg ~ wt + hp, mtcars, select = FALSE), lm(mpg ~ wt + hp, mtcars))
  same(tlcp(am ~ wt + hp, mtcars, family = "binomial", select = FALSE),
       glm(am ~ wt + hp, binomial, mtcars))
})

test_that("effects = \"fixed\" is the model of the fit with its standard errors", {
  fit <- tlcp(mpg ~ wt + hp + qsec, mtcars, select = FALSE)
  model <- summary(lm(mpg ~ wt + hp + qsec, mtcars))$coefficients
  got <- tidy(fit, effects = "fixed", parametric = TRUE)
  expect_identical(got$term, rownames(model))
  expect_equal(got$std.error, unname(model[, "Std. Error"]))
})

test_that("mice pools fits as it pools those of lm()", {
  skip_if_not_installed("mice")
  set.seed(1)
  drawn <- mice::mice(mice::nhanes, m = 3, printFlag = FALSE)
  ours <- mice::pool(with(drawn, tlcp(chl ~ age + bmi, select = FALSE)))$pooled
  theirs <- mice::pool(with(drawn, lm(chl ~ age + bmi)))$pooled
  expect_equal(ours[-1], theirs[-1])
})

test_that("model.matrix() is the design of given rows, or of those that the call finds", {
  cars <- transform(mtcars, gear = factor(gear))
  for (formula in list(mpg ~ wt * gear + poly(hp, 2), mpg ~ .)) {
    fit <- greedytl(formula, cars)
    expect_equal(model.matrix(fit, cars), model.matrix(formula, cars), ignore_attr = TRUE)
    expect_identical(colnames(model.matrix(fit, cars[1:3, ])), names(coef(fit)))
    expect_equal(model.matrix(fit), model.matrix(formula, cars), ignore_attr = TRUE)
    expect_equal(model.frame(fit), model.frame(formula(fit), cars), ignore_attr = TRUE)
  }
  fit <- tlcp(mpg ~ wt + gear, cars, select = FALSE)
  X <- model.matrix(fit, cars)[, rownames(vcov(fit))]
  expect_equal(unname(sqrt(rowSums((X %*% vcov(fit)) * X))),
               unname(predict(lm(mpg ~ wt + gear, cars), se.fit = TRUE)$se.fit))
  skip_if_not_installed("survival")
  cox <- tlcp(survival::Surv(time, status) ~ age + sex, data = survival::lung, select = FALSE)
  expect_identical(colnames(model.matrix(cox, survival::lung)), c("age", "sex"))
})
