# Measures that the rows do not determine are NA, and a message says why; those that they do are right.

measures_of <- function(...) {
  said <- character()
  out <- withCallingHandlers(assess(...)$measures, transelect_message_undefined = function(m) {
    said <<- c(said, conditionMessage(m))
    invokeRestart("muffleMessage")
  })
  numbers <- unlist(out[-1])
  expect_false(any(is.nan(numbers) | is.infinite(numbers)))
  structure(stats::setNames(out$estimate, out$measure), se = stats::setNames(out$std.error, out$measure),
            said = paste(said, collapse = " "))
}

test_that("numbers in two rows, equal responses and equal predictions", {
  expect_silent(two <- measures_of(c(1, 2), c(3, 5)))
  expect_equal(two[c("rmse", "calibration_slope")], c(rmse = sqrt(6.5), calibration_slope = 2), ignore_attr = TRUE)
  expect_true(is.na(attr(two, "se")[["calibration_slope"]]))
  flat <- measures_of(c(1, 2, 3), c(2, 2, 2))
  expect_true(all(is.na(flat[c("r_squared", "calibration_slope")])))
  expect_match(attr(flat, "said"), "responses are all equal")
  same <- measures_of(c(1, 1, 1), c(1, 2, 3))
  expect_true(is.na(same[["calibration_slope"]]) && !is.na(same[["r_squared"]]))
  exact <- measures_of(1:3, 1:3)
  expect_equal(exact[["rmse"]], 0)
  set.seed(1)
  p <- rnorm(20)
  y <- p + rnorm(20)
  w <- runif(20)
  found <- measures_of(p, y, weights = w)
  slope <- summary(lm(y ~ p, weights = w))$coefficients[2, 1:2]
  expect_equal(c(found[["calibration_slope"]], attr(found, "se")[["calibration_slope"]]), unname(slope))
})

test_that("the calibration of probabilities near and at 0 and 1", {
  calibration <- c("calibration_intercept", "calibration_slope")
  for (seed in 1:5) { # glm() warns of most of these, and finds the maximum
    set.seed(seed)
    z <- rnorm(300) * 8
    y <- factor(rbinom(300, 1, plogis(z)), 0:1)
    found <- measures_of(plogis(z), y)
    slope <- suppressWarnings(glm(y ~ z, binomial, epsilon = 1e-12))
    level <- suppressWarnings(glm(y ~ 1 + offset(z), binomial, epsilon = 1e-12))
    expect_equal(unname(found[calibration]), unname(c(coef(level), coef(slope)[2])), tolerance = 1e-6)
    expect_equal(unname(attr(found, "se")[calibration]), sqrt(c(vcov(level), vcov(slope)[2, 2])), tolerance = 1e-4)
  }
  p <- c(.1, .2, .3, .6, .8, .9, .4, .7, .5, .2)
  y <- factor(c(0, 0, 1, 1, 1, 1, 0, 0, 1, 0))
  wrong <- measures_of(replace(p, 3, 0), y)
  expect_true(all(is.na(wrong[calibration])))
  expect_match(attr(wrong, "said"), "observed class.*log_loss")
  # with a probability of 0 or 1 and the class predicted the likelihood of a row is 1, the limit of others
  right <- measures_of(replace(p, c(1, 6), 0:1), y)
  expect_equal(right[calibration], measures_of(p[-c(1, 6)], y[-c(1, 6)])[calibration])
  near <- measures_of(replace(p, c(1, 6), c(1e-12, 1 - 1e-12)), y)
  expect_equal(right[calibration], near[calibration], tolerance = 1e-6)
  expect_match(attr(right, "said"), "2 rows")
  separated <- measures_of(ifelse(y == 1, .7, .2), y)
  expect_true(is.na(separated[["calibration_slope"]]) && !is.na(separated[["calibration_intercept"]]))
  expect_match(attr(separated, "said"), "separate")
  quasi <- measures_of(c(.2, .5, .5, .8), factor(c(0, 0, 1, 1)))
  expect_true(is.na(quasi[["calibration_slope"]]))
  one <- measures_of(p, factor(rep(1, 10), 0:1))
  expect_true(all(is.na(one[c("auroc", calibration)])) && !is.na(one[["brier"]]))
  expect_match(attr(one, "said"), "one class")
  flat <- measures_of(rep(.5, 10), y)
  expect_true(is.na(flat[["calibration_slope"]]))
  several <- rbind(c(a = 1, b = 0, c = 0), c(0, 1, 0))
  expect_match(attr(measures_of(several, factor(c("a", "c"), letters[1:3])), "said"), "log_loss")
})

test_that("survival times without, with one and with separated events, and predictions of other Cox models", {
  skip_if_not_installed("survival")
  Surv <- survival::Surv
  expect_undefined <- function(p, y, why, rank = TRUE) {
    found <- measures_of(p, y)
    expect_true(is.na(found[["calibration_slope"]]) && is.na(attr(found, "se")[["calibration_slope"]]))
    expect_identical(is.na(found[["concordance"]]), rank)
    expect_match(attr(found, "said"), why)
  }
  p <- c(-1, 0, 1, -.5, .5, 1.5)
  expect_undefined(p, Surv(c(6, 1:5), rep(0, 6)), "no events")
  expect_undefined(p, Surv(c(6, 1:5), c(1, 0, 0, 0, 0, 0)), "same prediction") # nobody is at risk beside the event
  expect_undefined(p, Surv(rank(-p), rep(1, 6)), "largest", FALSE)
  expect_undefined(p, Surv(rank(p), c(1, 0, 1, 1, 0, 1)), "smallest", FALSE)
  expect_undefined(rep(1, 6), Surv(1:6, rep(1, 6)), "all equal", FALSE)
  expect_undefined(p, Surv(c(1, 2, 3, 3, 3, 3), c(0, 0, 0, 0, 0, 1)), "largest", FALSE) # one event, of the largest
  d <- na.omit(survival::lung[c("time", "status", "age", "sex")])
  model <- survival::coxph(Surv(time, status) ~ age + sex, d)
  found <- measures_of(predict(model), Surv(d$time, d$status))
  expect_equal(unname(found), c(survival::concordance(model)$concordance, 1), tolerance = 1e-6, ignore_attr = TRUE)
  ours <- tlcp(Surv(time, status) ~ age + sex, data = d, select = FALSE)
  expect_equal(found, measures_of(ours, d, Surv(d$time, d$status)), tolerance = 1e-6)
  one <- d[c(3, 10:30), ]
  one$status <- c(2, rep(1, 21))
  one$time[1] <- 1
  slope <- survival::coxph(Surv(time, status) ~ p, cbind(one, p = predict(model, one)))
  expect_equal(measures_of(predict(model, one), Surv(one$time, one$status))[["calibration_slope"]],
               unname(coef(slope)), tolerance = 1e-5)
  expect_error(assess(cbind(a = 1:3, b = 2), Surv(1:3, rep(1, 3))), class = "transelect_error_object")
})

test_that("limits do not collapse where all pairs of rows are in order, or none", {
  y <- factor(rep(c("no", "yes"), c(6, 4)))
  score <- c(1:6, 7:10) / 11
  wilson <- function(share, n) {
    z <- 1.96
    unname((share + z^2 / (2 * n) + c(-1, 1) * z * sqrt(share * (1 - share) / n + z^2 / (4 * n^2))) / (1 + z^2 / n))
  }
  limits <- function(assessed, measure) {
    row <- assessed$measures[assessed$measures$measure == measure, ]
    unlist(row[c("estimate", "conf.low", "conf.high")], use.names = FALSE)
  }
  quietly <- suppressMessages
  expect_equal(limits(quietly(assess(score, y)), "auroc"), c(1, wilson(1, 4)))
  expect_equal(limits(quietly(assess(1 - score, y)), "auroc"), c(0, wilson(0, 4)))
  skip_if_not_installed("survival")
  time <- survival::Surv(10:1, rep(1:0, c(8, 2)))
  expect_equal(limits(quietly(assess(1:10, time)), "concordance"), c(1, wilson(1, 4)))
  expect_equal(limits(quietly(assess(10:1, time)), "concordance"), c(0, wilson(0, 4)))
  pairs <- quietly(assess(1:10, time, cluster = rep(1:5, each = 2))) # events in four clusters
  expect_lt(limits(pairs, "concordance")[2], .5)
})

test_that("limits where all pairs are in order cover the truth about as often as they say", {
  covered <- with_seed(5, replicate(400, {
    y <- rep(0:1, c(8, 8))
    p <- plogis(rnorm(16) + 2.5 * y)
    row <- suppressMessages(assess(p, factor(y)))$measures[1, ]
    row$conf.low <= pnorm(2.5 / sqrt(2)) && row$conf.high >= pnorm(2.5 / sqrt(2))
  }))
  expect_gt(mean(covered), .85) # limits [1, 1] of separated rows alone would make it lower
})

test_that("the message about rows left out says why", {
  d <- with_seed(6, data.frame(x = rnorm(60)))
  d$y <- d$x + with_seed(7, rnorm(60))
  w <- rep(0:1, c(20, 40))
  expect_message(of_weight <- assess(d$x, d$y, weights = w), "20 of 60 rows of weight 0", fixed = TRUE)
  expect_equal(of_weight$measures, assess(d$x[w > 0], d$y[w > 0])$measures)
  d$y[60] <- NA
  expect_message(assess(d$x, d$y), "1 of 60 rows without a prediction or a response.", fixed = TRUE)
  expect_message(assess(d$x, d$y, weights = w), "21 of 60 rows without a prediction or a response or of weight 0",
                 fixed = TRUE)
  unknown <- replace(plogis(d$x), 1:3, NA)
  expect_equal(suppressMessages(assess(unknown, factor(d$x > 0)))$nobs, 57)
})
