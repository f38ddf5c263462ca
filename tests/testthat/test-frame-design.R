# The design of a formula: as lm(), glm() and coxph() code it.

cars <- transform(mtcars, gear = factor(gear, 3:7), cyl = factor(cyl), am = am == 1, text = ifelse(vs == 1, "s", "v"))
cars$size <- ordered(cars$cyl)
sums <- cars
contrasts(sums$cyl) <- contr.sum(3)

# The coefficients of a model without intercept have one of 0.
fitted_coefficients <- function(fit) {
  b <- coef(fit)
  b[!(names(b) == "(Intercept)" & b == 0)]
}

test_that("a model without intercept has lm()'s columns and coefficients", {
  wide <- cars[c("mpg", "am", "wt", "cyl", "text")]
  for (form in list(mpg ~ 0 + gear + wt, mpg ~ wt + gear + cyl - 1, mpg ~ 0 + am + wt, mpg ~ 0 + text + wt + gear,
                    mpg ~ 0 + wt:gear, mpg ~ 0 + gear:wt + cyl, mpg ~ 0 + wt * cyl, mpg ~ 0 + size + wt, mpg ~ gear:wt,
                    mpg ~ splines::ns(wt, 3) + cyl - 1)) {
    for (data in list(cars, sums)) {
      known <- lm(form, data)
      for (sparse in c(FALSE, TRUE)) {
        fit <- tlcp(form, data, select = FALSE, sparse = sparse)
        expect_equal(fitted_coefficients(fit), coef(known), tolerance = 1e-6)
        expect_equal(vcov(fit), vcov(known), tolerance = 1e-6)
        expect_equal(predict(fit, data[3:9, ]), suppressWarnings(predict(known, data[3:9, ])), tolerance = 1e-6)
      }
      expect_equal(fitted_coefficients(tlcp(moments(form, data), select = FALSE)), coef(known), tolerance = 1e-6)
    }
  }
  for (form in list(mpg ~ . - 1, mpg ~ . + 0 - am)) {
    known <- lm(form, wide)
    expect_equal(fitted_coefficients(tlcp(form, wide, select = FALSE)), coef(known), tolerance = 1e-6)
    expect_equal(fitted_coefficients(tlcp(moments(form, wide), select = FALSE)), coef(known), tolerance = 1e-6)
  }
  counts <- glm(carb ~ 0 + cyl + wt, poisson, cars)
  expect_equal(fitted_coefficients(tlcp(carb ~ 0 + cyl + wt, cars, family = "poisson", select = FALSE)), coef(counts),
               tolerance = 1e-6)
})

test_that("all methods have the columns of a model without intercept", {
  wanted <- colnames(model.matrix(mpg ~ 0 + gear + wt, droplevels(cars)))
  data <- transform(cars, site = rep(c("a", "b"), 16), class = factor(carb > 2))
  fits <- list(greedytl(mpg ~ 0 + gear + wt, data), msplit(mpg ~ 0 + gear + wt, data),
               tgreedy(mpg ~ 0 + gear + wt, data, domain = site), shareboost(class ~ 0 + gear + wt, data),
               cv_path(mpg ~ 0 + gear + wt, data, fit = tlcp, nfolds = 4)$fit)
  for (fit in fits) {
    expect_identical(fit$blueprint$columns, wanted)
    expect_identical(colnames(model.matrix(fit, data)), wanted)
    expect_false(fit$settings$intercept)
  }
  wide <- data[c("mpg", "am", "wt", "text")]
  expect_identical(greedytl(mpg ~ . - 1, wide)$blueprint$columns, colnames(model.matrix(mpg ~ . - 1, wide)))
})

test_that("a factor coded by differences needs the intercept", {
  for (fit in list(tlcp, greedytl, msplit)) {
    expect_error(fit(mpg ~ gear + wt, cars, intercept = FALSE), class = "transelect_error_intercept")
    expect_error(fit(cars[c("gear", "wt")], cars$mpg, intercept = FALSE), class = "transelect_error_intercept")
    expect_no_error(fit(mpg ~ hp + wt, cars, intercept = FALSE))
  }
})

test_that("model.matrix() has the attributes of that of lm(), glm() and coxph()", {
  with_option <- function(form, data, fitter, ...) {
    known <- model.matrix(fitter(form, data))
    found <- model.matrix(tlcp(form, data, select = FALSE, ...), data)
    expect_equal(unname(as.matrix(found)), unname(known), ignore_attr = TRUE)
    expect_equal(attributes(found)[c("assign", "contrasts")], attributes(known)[c("assign", "contrasts")])
  }
  for (form in list(mpg ~ gear + wt, mpg ~ 0 + gear * wt, mpg ~ poly(wt, 2) + size, mpg ~ hp + cyl:wt)) {
    with_option(form, cars, lm)
    with_option(form, sums, lm)
  }
  with_option(mpg ~ ., sums[c("mpg", "gear", "wt", "cyl", "text", "am")], lm)
  old <- options(contrasts = c("contr.helmert", "contr.poly"))
  on.exit(options(old))
  with_option(mpg ~ gear + wt, cars, lm)
  options(old)
  skip_if_not_installed("survival")
  lung <- transform(na.omit(survival::lung), sex = factor(sex), ph = factor(pmin(ph.ecog, 2)))
  for (form in list(Surv(time, status) ~ ph * age, Surv(time, status) ~ strata(sex) + ph + age,
                    Surv(time, status) ~ 0 + ph + age)) {
    environment(form) <- list2env(list(data = lung), parent = asNamespace("survival"))
    with_option(form, lung, survival::coxph)
  }
})

test_that("columns of a basis are one group, columns of a matrix are not", {
  data <- transform(cars, wide = I(cbind(a = hp, b = qsec)))
  groups <- function(form) {
    frame <- tlcp(form, data, select = FALSE)
    unname(frame_groups_of_factors(frame$blueprint))
  }
  expect_identical(groups(mpg ~ splines::ns(wt, 3) + hp), c(rep("splines::ns(wt, 3)", 3), "hp"))
  expect_identical(groups(mpg ~ poly(wt, 2):hp), rep("poly(wt, 2):hp", 2))
  expect_identical(groups(mpg ~ poly(wt, 2, raw = TRUE) + hp)[1:2], rep("poly(wt, 2, raw = TRUE)", 2))
  expect_null(groups(mpg ~ wide + wt))
  expect_null(groups(mpg ~ cbind(wt, hp)))
  expect_null(groups(mpg ~ log(wide)))
  fit <- tlcp(mpg ~ splines::ns(wt, 3) + hp + cyl, cars, sizes = TRUE)
  expect_true(all(diff(fit$steps$size) > 0))
  for (step in fit$steps$step) {
    inside <- grep("ns", variable.names(fit, step = step))
    expect_true(length(inside) %in% c(0, 3))
  }
})

test_that("keep takes names of terms and variables", {
  form <- mpg ~ splines::ns(wt, 2) + log(hp) + cyl + qsec + qsec:drat
  kept <- function(...) {
    names <- variable.names(tlcp(form, cars, criterion = 1e6, ...))
    sub("splines::ns(wt, 2)", "ns", names, fixed = TRUE)
  }
  expect_setequal(kept(keep = "wt"), c("ns1", "ns2"))
  expect_setequal(kept(keep = "splines::ns(wt,2)"), c("ns1", "ns2"))
  expect_setequal(kept(keep = c("hp", "cyl")), c("log(hp)", "cyl6", "cyl8"))
  expect_setequal(kept(keep = "cyl", groups = FALSE), c("cyl6", "cyl8"))
  expect_setequal(kept(keep = "qsec"), "qsec")
  expect_setequal(kept(keep = "drat"), "qsec:drat")
  expect_error(kept(keep = "nothing"), class = "transelect_error_keep")
  for (fit in list(greedytl, msplit)) {
    first <- fit(form, cars, keep = "wt", max_steps = 3)
    expect_true(all(c("splines::ns(wt, 2)1", "splines::ns(wt, 2)2") %in% variable.names(first, step = 2)))
  }
})

test_that("a column of new rows without any value gives missing predictions, rows of none no prediction", {
  data <- transform(cars, basis = I(cbind(a = qsec, b = drat)))
  form <- mpg ~ gear + wt + am + text + poly(hp, 2) + basis
  plain <- mpg ~ gear + wt + am + text
  for (fit in list(tlcp(form, data, select = FALSE), tlcp(form, data, select = FALSE, sparse = TRUE),
                   tlcp(plain, data, select = FALSE), msplit(form, data), greedytl(plain, data))) {
    expect_length(predict(fit, data[0, ]), 0)
    at <- predict(fit, data[1:3, ])
    expect_equal(predict(fit, rev(data)[1:3, ]), at)
    for (name in intersect(c("gear", "wt", "am", "text", "hp"), all.vars(formula(fit)))) {
      for (value in list(NA, NA_real_, NA_character_)) {
        if (identical(value, NA_character_) && name == "hp") next
        new <- data[1:3, ]
        new[[name]] <- value
        # msplit() predicts by all columns
        used <- inherits(fit, "msplit") || any(grepl(paste0("^(poly[(])?", name), variable.names(fit)))
        expect_equal(unname(predict(fit, new)), if (used) rep(NA_real_, 3) else unname(at))
      }
    }
  }
  fit <- tlcp(mpg ~ ., cars[c("mpg", "gear", "wt", "am")], select = FALSE)
  new <- expand.grid(wt = 2:3, gear = NA, am = TRUE)
  expect_equal(unname(predict(fit, new)), c(NA_real_, NA_real_))
})

test_that("new rows with contrasts of their own are predicted by those of the fit, without a warning", {
  fit <- tlcp(mpg ~ cyl + wt, sums, select = FALSE)
  expect_no_warning(found <- predict(fit, sums[1:4, ]))
  expect_equal(found, predict(fit, cars[1:4, ]))
})
