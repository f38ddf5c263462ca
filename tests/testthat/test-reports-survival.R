# Curves and concordance of Cox models, against package survival.

test_that("curves and concordance are those of coxph()", {
  skip_if_not_installed("survival")
  Surv <- survival::Surv
  strata <- survival::strata
  d <- stats::na.omit(survival::lung[c("time", "status", "age", "sex", "ph.ecog", "inst")])
  d$o <- d$age / 50
  w <- 1 + seq_len(nrow(d)) %% 3
  same <- function(formula, weights = rep(1, nrow(d))) {
    d$w <- weights
    environment(formula) <- environment() # where survival looks for data
    fit <- tlcp(formula, d, weights = w, select = FALSE)
    cox <- survival::coxph(formula, d, weights = w)
    parts <- c("time", "n.risk", "surv", "cumhaz", "std.err", "lower")
    equal <- function(ours, theirs) expect_equal(unclass(ours)[parts], unclass(theirs)[parts], tolerance = 1e-5)
    equal(survival::survfit(fit), survival::survfit(cox))
    equal(survival::survfit(fit, d[1:3, ], conf.int = .9), survival::survfit(cox, d[1:3, ], conf.int = .9))
    of <- c("concordance", "var", "count")
    expect_equal(unclass(survival::concordance(fit))[of], unclass(survival::concordance(cox))[of], tolerance = 1e-8)
    expect_equal(survival::survfit(fit, d[1:3, ])$cumhaz, survival::survfit(cox, d[1:3, ])$cumhaz, tolerance = 1e-5)
  }
  same(Surv(time, status) ~ age + sex + ph.ecog)
  same(Surv(time, status) ~ age + ph.ecog + strata(sex))
  same(Surv(time, status) ~ sex + ph.ecog + offset(o), weights = w)
})

test_that("curves of a target that borrows are of its rows and coefficients, without limits", {
  skip_if_not_installed("survival")
  d <- stats::na.omit(survival::lung[c("time", "status", "age", "sex", "ph.ecog", "inst")])
  fit <- tlcp(survival::Surv(time, status) ~ age + sex + ph.ecog, d, domain = inst, target = "1")
  curve <- survival::survfit(fit, d[1:2, ])
  expect_null(curve$std.err)
  at <- c(50, 200, 400)
  expect_equal(unname(summary(curve, times = at)$surv),
               unname(t(predict(fit, d[1:2, ], type = "survival", times = at, domain = "1"))), tolerance = 1e-6)
  rows <- d[d$inst == 1, ]
  score <- predict(fit, rows, type = "link", domain = "1")
  expect_equal(survival::concordance(fit)$concordance,
               survival::concordance(survival::Surv(time, status) ~ score, rows, reverse = TRUE)$concordance)
  plain <- tlcp(mpg ~ wt, mtcars, select = FALSE)
  expect_equal(survival::concordance(plain)$concordance, survival::concordance(lm(mpg ~ wt, mtcars))$concordance)
  expect_error(survival::survfit(plain), "Cox", class = "transelect_error_formula")
  expect_error(survival::concordance(shareboost(Species ~ ., iris)), "classes", class = "transelect_error_object")
})

test_that("curves of persons whose columns change with time are those of coxph()", {
  skip_if_not_installed("survival")
  heart <- survival::heart
  Surv <- survival::Surv
  fit <- tlcp(Surv(start, stop, event) ~ age + transplant, heart, select = FALSE)
  like <- survival::coxph(Surv(start, stop, event) ~ age + transplant, heart)
  parts <- c("time", "surv", "std.err", "lower", "upper", "n.risk", "strata")
  same <- function(got, want) expect_equal(unclass(got)[parts], unclass(want)[parts], tolerance = 1e-6)
  two <- heart[heart$id %in% c(3, 4, 12), ]
  same(survival::survfit(fit, newdata = two, id = id), survival::survfit(like, newdata = two, id = id))
  one <- heart[heart$id == 4, ]
  same(survival::survfit(fit, newdata = one, individual = TRUE),
       suppressWarnings(survival::survfit(like, newdata = one, individual = TRUE)))
  same(survival::survfit(fit, newdata = one[1, ], conf.int = .8, conf.type = "log-log", start.time = 20,
                         censor = FALSE),
       survival::survfit(like, newdata = one[1, ], conf.int = .8, conf.type = "log-log", start.time = 20,
                         censor = FALSE))
  expect_null(survival::survfit(fit, newdata = one[1, ], se.fit = FALSE)$std.err)
  cv <- cv_path(fit, nfolds = 3)
  same(survival::survfit(cv, newdata = two, id = id), survival::survfit(like, newdata = two, id = id))
  expect_error(survival::survfit(fit, newdata = one[c("age", "transplant")], id = 1), "lacks the times",
               class = "transelect_error_newdata")
  expect_error(survival::survfit(fit, individual = TRUE), class = "transelect_error_newdata")
  expect_error(survival::survfit(fit, zz = 1), "`zz`", class = "transelect_error_argument")
  chosen <- tlcp(Surv(start, stop, event) ~ age + transplant + surgery, heart)
  expect_error(survival::survfit(chosen, se.fit = TRUE), "coxph", class = "transelect_error_se.fit")
  expect_null(survival::survfit(chosen)$std.err)
})

test_that("residuals by events and by influence are those of coxph()", {
  skip_if_not_installed("survival")
  lung <- survival::lung
  Surv <- survival::Surv
  fit <- tlcp(Surv(time, status) ~ age + sex + ph.ecog, lung, select = FALSE)
  like <- survival::coxph(Surv(time, status) ~ age + sex + ph.ecog, lung)
  for (type in c("schoenfeld", "scaledsch", "score", "dfbeta", "dfbetas")) {
    expect_equal(residuals(fit, type = type), residuals(like, type = type), tolerance = 1e-5, ignore_attr = TRUE)
  }
  expect_identical(colnames(residuals(fit, type = "schoenfeld")), c("age", "sex", "ph.ecog"))
  pairs <- rep_len(1:2, 227)
  expect_equal(residuals(fit, type = "score", collapse = pairs), residuals(like, type = "score", collapse = pairs),
               tolerance = 1e-5, ignore_attr = TRUE)
  chosen <- tlcp(Surv(time, status) ~ age + sex + ph.ecog, lung)
  refit <- survival::coxph(reformulate(chosen$selected, "Surv(time, status)"), lung[!is.na(lung$ph.ecog), ])
  expect_equal(residuals(chosen, type = "schoenfeld"), residuals(refit, type = "schoenfeld"), tolerance = 1e-4,
               ignore_attr = TRUE)
  expect_error(residuals(chosen, type = "dfbeta"), "coxph", class = "transelect_error_type")
  expect_error(residuals(fit, collapse = 1), "collapse", class = "transelect_error_argument")
})
