# Offsets: as an argument and as a term of the formula.

cars <- transform(mtcars, gear = factor(gear), time = qsec * 10)
cars$wt[3] <- cars$time[5] <- NA

test_that("an offset as an argument is that of lm() and glm() in all verbs", {
  pairs <- list(
    list(lm(mpg ~ gear + wt, cars, offset = log(time)),
         tlcp(mpg ~ gear + wt, cars, offset = log(time), select = FALSE),
         tlcp(mpg ~ gear + wt + offset(log(time)), cars, select = FALSE)),
    list(glm(carb ~ gear + wt, poisson, cars, offset = log(time)),
         tlcp(carb ~ gear + wt, cars, family = "poisson", offset = log(time), select = FALSE),
         tlcp(carb ~ gear + wt + offset(log(time)), cars, family = "poisson", select = FALSE))
  )
  for (pair in pairs) {
    known <- pair[[1]]
    for (fit in pair[-1]) {
      expect_equal(coef(fit), coef(known), tolerance = 1e-6)
      expect_equal(predict(fit, cars[8:11, ]), predict(known, cars[8:11, ]), tolerance = 1e-6)
      expect_equal(unname(predict(fit, transform(cars[8:9, ], time = NA))), c(NA_real_, NA_real_))
      expect_equal(model.offset(model.frame(fit)), model.offset(model.frame(known)))
      expect_equal(coef(update(fit, . ~ . - wt)), coef(update(known, . ~ . - wt)), tolerance = 1e-6)
      expect_equal(hatvalues(fit), hatvalues(known), tolerance = 1e-5)
    }
  }
  named <- tlcp(mpg ~ gear + wt, cars, offset = "time", select = FALSE)
  known <- lm(mpg ~ gear + wt, cars, offset = time)
  expect_equal(predict(named, cars[8:11, ]), predict(known, cars[8:11, ]), tolerance = 1e-6)
})

test_that("an offset as an argument reaches emmeans", {
  skip_if_not_installed("emmeans")
  means <- function(fit) as.data.frame(emmeans::emmeans(fit, ~gear))[, 2:3]
  known <- means(lm(mpg ~ gear + wt, cars, offset = time))
  expect_equal(means(tlcp(mpg ~ gear + wt, cars, offset = time, select = FALSE)), known, tolerance = 1e-6,
               ignore_attr = TRUE)
  expect_equal(means(tlcp(mpg ~ gear + wt + offset(time), cars, select = FALSE)), known, tolerance = 1e-6,
               ignore_attr = TRUE)
})

test_that("an offset that only shifts a slope or the intercept changes nothing else", {
  x <- with_seed(1, matrix(rnorm(240), 60, dimnames = list(NULL, paste0("x", 1:4))))
  counts <- with_seed(2, rpois(60, exp(.5 * x[, 1])))
  classes <- with_seed(3, rbinom(60, 1, plogis(x[, 1])))
  for (family in c("poisson", "binomial")) {
    y <- if (family == "poisson") counts else classes
    plain <- coef(tlcp(x, y, family = family, select = FALSE))
    for (k in c(3, 20, 30, 200)) {
      b <- coef(tlcp(x, y, family = family, select = FALSE, offset = k * x[, 2]))
      expect_equal(b, plain - c(0, 0, k, 0, 0), tolerance = 1e-6)
    }
    b <- coef(tlcp(x, y, family = family, select = FALSE, offset = rep(800, 60)))
    expect_equal(b, plain - c(800, 0, 0, 0, 0), tolerance = 1e-6)
  }
})

test_that("an offset whose logarithm was forgotten is refused by its name", {
  data <- with_seed(1, data.frame(x = rnorm(80), z = rnorm(80), years = runif(80, 10, 5000)))
  data$y <- with_seed(2, rpois(80, data$years / 500))
  expect_error(tlcp(y ~ x + z, data, family = "poisson", offset = years), "log\\(exposure\\)",
               class = "transelect_error_offset")
  expect_error(tlcp(y ~ x + z + offset(years), data, family = "poisson", select = FALSE),
               class = "transelect_error_offset")
  expect_no_error(tlcp(y ~ x + z, data, family = "poisson", offset = log(years)))
})
