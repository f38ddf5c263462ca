# greedytl() of survival times: Cox's model through counts of events, with the baseline hazard of each stratum.

skip_if_not_installed("survival")
Surv <- survival::Surv
strata <- survival::strata

times_data <- function(n, seed) {
  with_seed(seed, {
    x <- matrix(rnorm(n * 3), n, dimnames = list(NULL, c("a", "b", "c")))
    h <- drop(x %*% c(.8, -.5, 0)) + matrix(rnorm(n * 2) / 2, n, dimnames = list(NULL, c("north", "south")))
    stratum <- rep(1:2, length.out = n)
    time <- rexp(n) / exp(drop(x %*% c(.8, -.5, 0))) * stratum^2
    limit <- rexp(n, .2)
    list(x = x, h = h, y = Surv(pmin(time, limit), time <= limit), stratum = stratum, w = runif(n, .1, .3))
  })
}

# The cumulative baseline hazard up to the time of each row, from its definition; no two times are equal.
naive_hazard <- function(time, event, w, score, stratum, until = time, of = stratum) {
  vapply(seq_along(until), function(i) {
    before <- which(event == 1 & time <= until[i] & stratum == of[i])
    sum(vapply(before, function(k) {
      w[k] / sum((w * exp(score))[time >= time[k] & stratum == stratum[k]])
    }, 0))
  }, 0)
}

# Coefficients and linear predictors by three fits of log rates whose exposure is the hazard of the fit before.
naive_cox <- function(d, stratum) {
  time <- d$y[, "time"]
  event <- d$y[, "status"]
  score <- numeric(length(time))
  for (round in 1:3) {
    hazard <- pmax(naive_hazard(time, event, d$w, score, stratum), 1e-8)
    fit <- greedytl(d$x, event, sources = sources(d$h, scale = "link"), family = "poisson", weights = d$w,
                    offset = log(hazard))
    eta <- log(fitted(fit)) - log(hazard)
    score <- eta - mean(eta)
  }
  list(fit = fit, score = score)
}

test_that("it is the fit of log rates, with the baseline hazard of each stratum as exposure, three times", {
  for (seed in 1:2) {
    d <- times_data(40, seed)
    stratum <- if (seed == 2) d$stratum else rep(1, 40)
    twin <- naive_cox(d, stratum)
    expect_identical(twin$fit$phi, 1) # a Cox model has no dispersion
    fit <- greedytl(d$x, d$y, sources = d$h, weights = d$w, strata = if (seed == 2) d$stratum)
    expect_equal(coef(fit), coef(twin$fit)[-1], tolerance = 1e-8)
    expect_equal(fit$alternatives, twin$fit$alternatives, tolerance = 1e-8)
    eta <- predict(fit, d$x, sources = d$h)
    expect_equal(unname(eta - mean(eta)), unname(twin$score), tolerance = 1e-8)
    cox <- if (seed == 1) survival::coxph(d$y ~ offset(eta), weights = d$w) else
      survival::coxph(d$y ~ offset(eta) + strata(stratum), weights = d$w)
    expect_equal(deviance(fit), -2 * cox$loglik[1])
    expect_equal(residuals(fit, type = "martingale"), residuals(cox, type = "martingale"), ignore_attr = TRUE)
    expect_equal(nobs(fit), sum(d$y[, "status"]))
  }
})

test_that("predictions are 0 at the means of the columns; survival by the baseline of the average and of each step", {
  d <- times_data(60, 3)
  fit <- greedytl(d$x, d$y, sources = d$h)
  at_means <- predict(fit, t(colMeans(d$x)), sources = t(colMeans(d$h)))
  expect_equal(unname(at_means), 0)
  eta <- predict(fit, d$x, sources = d$h)
  times <- c(.2, 1)
  for (step in list(NULL, 1)) {
    score <- predict(fit, d$x, sources = d$h, step = step)
    base <- naive_hazard(d$y[, "time"], d$y[, "status"], rep(1, 60), score, rep(1, 60), times, c(1, 1))
    expect_equal(unname(predict(fit, d$x[1:3, ], sources = d$h[1:3, ], step = step, type = "survival", times = times)),
                 unname(exp(-exp(score[1:3]) %o% base)))
  }
  expect_equal(predict(fit, d$x, sources = d$h, type = "risk"), exp(eta))
  expect_length(predict(fit, d$x[0, ], sources = d$h[0, ]), 0)
})

test_that("an offset is added to log hazards; a constant one changes the baseline alone", {
  d <- times_data(40, 6)
  fit <- greedytl(d$x, d$y)
  for (constant in c(5, 1000)) {
    expect_equal(coef(greedytl(d$x, d$y, offset = rep(constant, 40))), coef(fit))
  }
  # an effect that is known: what is left of it is small
  known <- greedytl(d$x, d$y, offset = .8 * d$x[, "a"])
  expect_lt(abs(coef(known)[["a"]]), abs(coef(fit)[["a"]]))
  expect_equal(predict(known, d$x, offset = .8 * d$x[, "a"]) - predict(known, d$x, offset = numeric(40)),
               .8 * d$x[, "a"], ignore_attr = TRUE)
})

test_that("a formula, its strata, Cox models as sources, cross-validation and assessment", {
  d <- times_data(80, 4)
  data <- data.frame(d$x, time = d$y[, "time"], dead = d$y[, "status"], s = d$stratum)
  there <- lapply(list(one = 1:25, two = 20:45), function(i) survival::coxph(Surv(time, dead) ~ a + b, data[i, ]))
  here <- data[46:80, ]
  fit <- greedytl(Surv(time, dead) ~ a + b + c + strata(s), here, sources = there)
  by_hand <- greedytl(as.matrix(here[c("a", "b", "c")]), d$y[46:80], strata = here$s,
                      sources = vapply(there, predict, numeric(35), newdata = here))
  expect_equal(coef(fit), coef(by_hand))
  expect_error(predict(fit, here, type = "survival", times = 1), "strata", class = "transelect_error_type")
  plain <- update(fit, . ~ . - strata(s))
  expect_gt(assess(plain, data[1:45, ])$measures$estimate[1], .5)
  cv <- cv_path(Surv(time, dead) ~ a + b + c, here, sources = there, fit = greedytl, nfolds = 3)
  expect_identical(cv$loss, "deviance")
  expect_true(all(is.finite(cv$steps$loss)))
  expect_snapshot(print(plain, n = 3))
  expect_identical(attr(path_plot_loo_data(plain, "y", NA, NULL), "error"), "deviance per row")
})

test_that("what it does not do is said in words", {
  d <- times_data(30, 5)
  fit <- greedytl(d$x, d$y)
  none <- d$y
  none[, "status"] <- 0
  expect_error(greedytl(d$x, none), "no events", class = "transelect_error_y")
  expect_error(greedytl(d$x, d$y, prob = TRUE), class = "transelect_error_prob")
  expect_error(greedytl(d$x, d$y, rule = "paper"), class = "transelect_error_rule")
  expect_error(greedytl(d$x, d$y[, 1], family = "cox"), class = "transelect_error_y")
  expect_error(greedytl(d$x, d$y, family = "binomial"), class = "transelect_error_family")
  expect_error(survival::survfit(fit), "mean of several", class = "transelect_error_formula")
  expect_error(survival::concordance(fit), "mean of several", class = "transelect_error_object")
  expect_error(logLik(fit), class = "transelect_error_family")
})

test_that("the table of a step without features has no rows", {
  skip_if_not_installed("survival")
  d <- with_seed(1, data.frame(x = rnorm(60), t = rexp(60), e = rbinom(60, 1, .8), d = rep(c("a", "b", "c"), 20)))
  fits <- list(greedytl(survival::Surv(t, e) ~ x, d),
               suppressMessages(tgreedy(survival::Surv(t, e) ~ x, d, domain = d)))
  for (fit in fits) {
    table <- suppressMessages(generics::tidy(fit, step = 0, conf.int = TRUE))
    expect_identical(nrow(table), 0L)
    expect_true(all(c("term", "estimate", "conf.low", "conf.high") %in% names(table)))
  }
})
