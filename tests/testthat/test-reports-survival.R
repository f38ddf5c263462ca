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
