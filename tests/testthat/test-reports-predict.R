# predict(), tidy(), glance() and the verbs of a fitted model against lm(), glm() and coxph().

like <- function(object, expected, tolerance = 1e-4) expect_equal(object, expected, tolerance = tolerance,
                                                                  ignore_attr = TRUE)

test_that("standard errors and intervals of predictions are those of lm() and glm()", {
  new <- mtcars[c(1, 5, 9), ]
  for (w in list(NULL, seq(.5, 1.5, length.out = 32))) {
    data <- cbind(mtcars, w = w %||% 1)
    fit <- tlcp(mpg ~ wt + hp, data, weights = w, select = FALSE)
    plain <- lm(mpg ~ wt + hp, data, weights = w)
    like(predict(fit, new, se.fit = TRUE), predict(plain, new, se.fit = TRUE))
    like(predict(fit, new, interval = "confidence", level = .9),
         predict(plain, new, interval = "confidence", level = .9))
    like(predict(fit, new, interval = "prediction"), suppressWarnings(predict(plain, new, interval = "prediction")))
  }
  odds <- tlcp(am ~ wt + hp, mtcars, family = "binomial", select = FALSE)
  plain <- glm(am ~ wt + hp, binomial, mtcars)
  like(predict(odds, new), predict(plain, new))
  for (type in c("link", "response")) {
    like(predict(odds, new, type = type, se.fit = TRUE), predict(plain, new, type = type, se.fit = TRUE), 1e-3)
    like(predict(odds, type = type), predict(plain, type = type))
  }
  limits <- predict(odds, new, interval = "confidence", type = "response")
  expect_identical(colnames(limits), c("fit", "lwr", "upr"))
  like(limits[, "upr"], plogis(predict(odds, new, interval = "confidence")[, "upr"]))
  expect_error(predict(odds, new, interval = "prediction"), "not Gaussian", class = "transelect_error_interval")
  expect_error(predict(odds, new, type = "class", se.fit = TRUE), class = "transelect_error_type")
})

test_that("types of predict() of a Cox model are those of coxph()", {
  skip_if_not_installed("survival")
  Surv <- survival::Surv
  rows <- transform(na.omit(survival::lung), status = status - 1)
  fit <- tlcp(Surv(time, status) ~ age + sex + ph.ecog, rows, select = FALSE)
  plain <- survival::coxph(Surv(time, status) ~ age + sex + ph.ecog, rows)
  like(predict(fit, rows), predict(plain, rows))
  for (type in c("lp", "risk", "expected", "survival")) {
    like(predict(fit, rows, type = type), predict(plain, rows, type = type))
  }
  like(predict(fit, rows, se.fit = TRUE), predict(plain, rows, se.fit = TRUE))
  like(-log(predict(fit, rows[1:3, ], type = "survival", times = c(100, 300))),
       predict(fit, rows[1:3, ], type = "expected", times = c(100, 300)))
  expect_error(predict(fit, rows[c("age", "sex", "ph.ecog")], type = "survival"), class = "transelect_error_times")
  like(residuals(fit, "martingale"), residuals(plain, "martingale"))
  like(residuals(fit, "schoenfeld"), residuals(plain, "schoenfeld"))
})

test_that("rows are predicted by the model of their domain, unknown ones by the common model", {
  data <- transform(mtcars, cyl = paste0("c", cyl))
  for (fit in suppressMessages(list(
    tlcp(mpg ~ wt + hp, data, domain = cyl, target = "c4", select = FALSE),
    tlcp(mpg ~ wt + hp, data, domain = cyl, target = "c4", control = tlcp_control(support = "shared")),
    tlcp(am ~ wt + qsec, data, domain = cyl, target = "c4", family = "binomial", select = FALSE)
  ))) {
    each <- predict(fit, data)
    for (name in unique(data$cyl)) {
      at <- data$cyl == name
      expect_equal(each[at], predict(fit, data[at, ], domain = name))
      expect_equal(each[at], predict(fit, data[at, names(data) != "cyl"], domain = rep(name, sum(at))))
    }
    expect_equal(augment(fit, data)$.fitted, unname(predict(fit, data, type = "response")))
    expect_equal(predict(fit, data[names(data) != "cyl"]), predict(fit, data, domain = "c4"))
    new <- transform(data[1:2, ], cyl = c("c4", "elsewhere"))
    expect_message(said <- predict(fit, new), "\"elsewhere\".*common model", class = "transelect_message_domain")
    expect_equal(said[[2]], predict(fit, new[2, ], domain = NA)[[1]])
    X <- cbind(1, as.matrix(new[2, names(coef(fit))[-1]]))
    expect_equal(said[[2]], drop(X %*% coef(fit, domain = NA)), ignore_attr = TRUE)
    expect_error(predict(fit, new, domain = c("c4", "c6", "c8")), class = "transelect_error_domain")
    expect_error(predict(fit, data, se.fit = TRUE), "other\\s+domains", class = "transelect_error_domain")
    expect_length(predict(fit, data[data$cyl == "c4", ], se.fit = TRUE)$se.fit, sum(data$cyl == "c4"))
  }
  alone <- tlcp(mpg ~ wt, data, domain = cyl, target = "c4", borrow = "none")
  expect_message(said <- predict(alone, transform(data[1, ], cyl = "z")), "model of the target")
  expect_equal(said, predict(alone, data[1, ], domain = "c4"))
  expect_error(coef(alone, domain = NA), "no common model", class = "transelect_error_domain")
})

test_that("the common model is the posterior mean of the common coefficients", {
  set.seed(4)
  data <- data.frame(g = rep(letters[1:5], each = 40), x = rnorm(200), z = rnorm(200))
  data$y <- data$x * (1 + as.integer(factor(data$g)) / 20) + 2 + rnorm(200)
  fit <- tlcp(y ~ x + z, data, domain = g, target = "a", select = FALSE,
              control = tlcp_control(units = "common", guard = FALSE))
  s <- fit$borrowing
  slopes <- vapply(fit$models, function(model) as.matrix(model$beta)[, 2], numeric(2))
  weight <- 1 / s$tau2
  by_hand <- drop(slopes %*% weight) / (1 / s$omega2 + sum(weight))
  expect_equal(unname(coef(fit, domain = NA)[-1]), unname(by_hand))
})

test_that("two classes without a family are binomial, and one message says so", {
  data <- transform(mtcars, am = factor(am, labels = c("auto", "manual")))
  expect_message(fit <- tlcp(am ~ wt + hp, data), "two classes.*logistic", class = "transelect_message_family")
  same <- tlcp(am ~ wt + hp, data, family = "binomial")
  expect_identical(coef(fit), coef(same))
  expect_type(predict(fit, data), "double")
  expect_identical(levels(predict(fit, data, type = "class")), c("auto", "manual"))
  expect_silent(by_squares <- tlcp(am ~ wt + hp, data, family = "gaussian"))
  expect_identical(by_squares$link, "identity")
  expect_type(predict(by_squares, data), "double")
  expect_silent(tlcp(am ~ wt + hp, data, method = "cutoff"))
  set.seed(1)
  told <- testthat::capture_messages(cv_path(am ~ hp + qsec, data, fit = tlcp, nfolds = 3))
  expect_identical(sum(grepl("two classes", told)), 1L)
  expect_message(dissimilarity(am ~ hp + qsec, data, domain = ifelse(carb > 2, "many", "few"), target = "few",
                               draws = 0), "logistic")
})

test_that("tidy() has a row a term with what broom has, the whole path on request, and glance() the names of broom", {
  skip_if_not_installed("broom")
  columns <- c("term", "estimate", "std.error", "statistic", "p.value", "conf.low", "conf.high")
  fit <- tlcp(mpg ~ wt + hp + qsec, mtcars, select = FALSE)
  plain <- lm(mpg ~ wt + hp + qsec, mtcars)
  expect_equal(tidy(fit, conf.int = TRUE)[columns], as.data.frame(broom::tidy(plain, conf.int = TRUE))[columns])
  of_model <- c("r.squared", "adj.r.squared", "sigma", "logLik", "AIC", "BIC", "deviance", "df.residual", "nobs")
  expect_equal(glance(fit)[of_model], as.data.frame(broom::glance(plain))[of_model], ignore_attr = TRUE)
  odds <- tlcp(am ~ wt + hp, mtcars, family = "binomial", select = FALSE)
  plain <- glm(am ~ wt + hp, binomial, mtcars)
  like(tidy(odds)[columns[1:5]], as.data.frame(broom::tidy(plain))[columns[1:5]])
  like(tidy(odds, exponentiate = TRUE)$estimate, exp(coef(plain)))
  of_model <- c("null.deviance", "logLik", "AIC", "BIC", "deviance", "df.residual", "nobs")
  like(glance(odds)[of_model], as.data.frame(broom::glance(plain))[of_model])
  expect_identical(glance(odds)$AIC, AIC(odds))
  path <- tlcp(mpg ~ ., mtcars)
  expect_identical(nrow(tidy(path)), length(path$selected) + 1L)
  expect_identical(unique(tidy(path, step = "all")$step), path$points$step)
  expect_identical(tidy(path, step = "best"), tidy(path))
  other <- greedytl(mpg ~ wt + hp, mtcars)
  expect_message(wide <- tidy(other, conf.int = TRUE), "no standard errors")
  expect_true(all(is.na(wide$std.error)))
  expect_error(tidy(other, exponentiate = TRUE), "not logarithms", class = "transelect_error_exponentiate")
})

test_that("nested models are compared as those of lm() and glm(), and step() works", {
  fit <- tlcp(mpg ~ wt + hp + qsec, mtcars, select = FALSE)
  plain <- lm(mpg ~ wt + hp + qsec, mtcars)
  like(extractAIC(fit), extractAIC(plain))
  for (test in c("none", "Chisq", "F")) {
    like(drop1(fit, test = test), drop1(plain, test = test))
    like(add1(fit, ~ . + disp + drat, test = test), add1(plain, ~ . + disp + drat, test = test))
  }
  small <- tlcp(mpg ~ wt, mtcars, select = FALSE)
  like(anova(small, fit), anova(lm(mpg ~ wt, mtcars), plain))
  expect_equal(drop1(small)$RSS, drop1(lm(mpg ~ wt, mtcars))$RSS)
  expect_equal(coef(step(fit, trace = 0)), coef(step(plain, trace = 0)))
  expect_equal(coef(step(small, ~ wt + hp + qsec, trace = 0)),
               coef(step(lm(mpg ~ wt, mtcars), ~ wt + hp + qsec, trace = 0)))
  odds <- tlcp(am ~ wt + hp, mtcars, family = "binomial", select = FALSE)
  plain <- glm(am ~ wt + hp, binomial, mtcars)
  like(extractAIC(odds), extractAIC(plain))
  like(drop1(odds, test = "Chisq"), drop1(plain, test = "Chisq"))
  like(anova(tlcp(am ~ wt, mtcars, family = "binomial", select = FALSE), odds),
       anova(glm(am ~ wt, binomial, mtcars), plain, test = "Chisq"))
  path <- tlcp(mpg ~ wt + hp + qsec, mtcars)
  expect_equal(anova(path)$RSS, path$steps$rss)
  expect_output(print(anova(path)), "No tests")
  expect_error(anova(path, test = "F"), "not valid", class = "transelect_error_test")
  expect_error(step(path, trace = 0), "search is exact")
  expect_error(anova(fit, plain), class = "transelect_error_...")
})

test_that("weights, leverages, residuals and simulated responses are those of lm() and glm()", {
  data <- cbind(mtcars, w = seq(.5, 1.5, length.out = 32))
  pairs <- list(
    list(tlcp(mpg ~ wt + hp, data, select = FALSE), lm(mpg ~ wt + hp, data)),
    list(tlcp(mpg ~ wt + hp, data, weights = w, select = FALSE), lm(mpg ~ wt + hp, data, weights = w)),
    list(tlcp(am ~ wt + hp, data, family = "binomial", select = FALSE), glm(am ~ wt + hp, binomial, data)),
    list(tlcp(carb ~ wt + hp, data, family = "poisson", select = FALSE), glm(carb ~ wt + hp, poisson, data))
  )
  trials <- transform(data, k = am + 2, other = 8 - am)
  for (type in c("prior", "working")) {
    like(weights(tlcp(cbind(k, other) ~ wt + hp, trials, family = "binomial", select = FALSE), type),
         weights(glm(cbind(k, other) ~ wt + hp, binomial, trials), type), 1e-3)
  }
  for (pair in pairs) {
    fit <- pair[[1]]
    plain <- pair[[2]]
    like(weights(fit), weights(plain) %||% rep(1, 32))
    expect_identical(case.names(fit), case.names(plain))
    like(hatvalues(fit), hatvalues(plain), 1e-3)
    like(rstandard(fit), rstandard(plain), 1e-3)
    like(cooks.distance(fit), cooks.distance(plain), 1e-3)
    like(rstudent(fit), rstudent(plain), 1e-3)
    like(dfbetas(fit), dfbetas(plain), 1e-3)
    like(influence(fit)[c("hat", "sigma")], influence(plain)[c("hat", "sigma")], 1e-3)
    expect_null(alias(fit)$Complete)
    for (type in c("working", "response", "deviance", "pearson")) like(residuals(fit, type), residuals(plain, type))
    like(simulate(fit, 2, seed = 3), simulate(plain, 2, seed = 3))
  }
  before <- get(".Random.seed", envir = globalenv())
  simulate(fit, seed = 3)
  expect_identical(get(".Random.seed", envir = globalenv()), before)
  expect_error(hatvalues(tlcp(mpg ~ ., mtcars)), "search", class = "transelect_error_model")
  expect_error(hatvalues(tlcp(mpg ~ wt, mtcars, domain = cyl, target = "4", select = FALSE)), "borrows")
  gone <- local({
    d <- mtcars
    tlcp(mpg ~ wt, d, select = FALSE)
  })
  expect_error(hatvalues(gone), "Give them as `data`", class = "transelect_error_data")
  like(hatvalues(gone, data = mtcars), hatvalues(lm(mpg ~ wt, mtcars)))
  expect_equal(model.frame(fit, data), model.frame(carb ~ wt + hp, data), ignore_attr = TRUE)
  expect_error(simulate(greedytl(mpg ~ wt, transform(mtcars, mpg = factor(mpg > 20)))),
               class = "transelect_error_object")
})

test_that("influence is that of lm() and glm() for trials, offsets, missing values, domains and matrices too", {
  set.seed(1)
  d <- data.frame(a = rnorm(40), g = gl(2, 20, labels = c("u", "v")), n = rpois(40, 8) + 2, m = rep(1:4, each = 10))
  d$k <- rbinom(40, d$n, plogis(d$a))
  d$y <- rpois(40, d$n * exp(d$a / 2 - 1))
  d$a[3] <- NA
  x <- cbind(a = d$a, `two words` = d$n)[-3, ]
  pairs <- list(
    list(tlcp(cbind(k, n - k) ~ a + g, d, family = "binomial", select = FALSE),
         glm(cbind(k, n - k) ~ a + g, binomial, d)),
    list(tlcp(y ~ a + g, d, offset = log(n), family = "poisson", select = FALSE),
         glm(y ~ a + g, poisson, d, offset = log(n))),
    list(tlcp(y ~ a + offset(log(n)), d, family = "quasipoisson", select = FALSE),
         glm(y ~ a + offset(log(n)), quasipoisson, d)),
    list(tlcp(y ~ poly(n, 2) + g, d, select = FALSE, na.action = na.exclude),
         lm(y ~ poly(n, 2) + g, d, na.action = na.exclude)),
    list(tlcp(y ~ a + g, d, domain = m, target = "2", borrow = "none", select = FALSE), lm(y ~ a, d[d$m == 2, ])),
    list(tlcp(x, d$y[-3], select = FALSE), lm(d$y[-3] ~ x))
  )
  for (pair in pairs) {
    like(unname(hatvalues(pair[[1]])), unname(hatvalues(pair[[2]])), 1e-3)
    like(unname(rstudent(pair[[1]])), unname(rstudent(pair[[2]])), 1e-3)
    like(unname(cooks.distance(pair[[1]])), unname(cooks.distance(pair[[2]])), 1e-3)
  }
  like(dummy.coef(pairs[[4]][[1]])$g, dummy.coef(pairs[[4]][[2]])$g)
  expect_error(hatvalues(tlcp(y ~ a, d, family = "negbin", select = FALSE)), "glm.nb", class = "transelect_error_model")
  chosen <- tlcp(mpg ~ ., mtcars)
  for (verb in list(influence, dfbeta, dfbetas, rstudent)) {
    expect_error(verb(chosen), "There are no leverages of the fit of a search", class = "transelect_error_model")
  }
  expect_error(alias(chosen), "no aliased terms of the fit of a search", class = "transelect_error_model")
  expect_error(dummy.coef(chosen), "no coefficients of every level", class = "transelect_error_model")
})

test_that("contributions of terms are those of lm(), glm() and coxph(), and add up to the linear predictor", {
  d <- transform(mtcars, cyl = factor(cyl), w = rep(1:2, 16))
  same <- function(ours, theirs, new, ...) {
    for (given in list(list(), list(new), list(new, terms = 2:1))) {
      expect_equal(do.call(predict, c(list(ours, type = "terms"), given)),
                   do.call(predict, c(list(theirs, type = "terms"), given)), tolerance = 1e-5, ...)
    }
    both <- lapply(list(ours, theirs), predict, new, type = "terms", se.fit = TRUE)
    expect_equal(both[[1]]$se.fit, both[[2]]$se.fit, tolerance = 1e-4)
  }
  formula <- mpg ~ wt + cyl + poly(hp, 2) + wt:qsec
  same(tlcp(formula, d, select = FALSE), lm(formula, d), d[1:4, ])
  same(tlcp(formula, d, weights = w, select = FALSE), lm(formula, d, weights = w), d[1:4, ])
  same(tlcp(am ~ wt + hp, d, family = "binomial", select = FALSE), glm(am ~ wt + hp, binomial, d), d[1:4, ])
  chosen <- tlcp(mpg ~ ., mtcars)
  plain <- lm(reformulate(chosen$selected, "mpg"), mtcars)
  same(chosen, plain, mtcars[1:4, ])
  expect_equal(termplot(chosen, plot = FALSE, se = TRUE)$wt, termplot(plain, plot = FALSE, se = TRUE)$wt)
  if (requireNamespace("survival", quietly = TRUE)) {
    lung <- na.omit(survival::lung[c("time", "status", "age", "ph.ecog")])
    times <- survival::Surv(time, status) ~ age + ph.ecog
    same(tlcp(times, lung, select = FALSE), survival::coxph(times, lung), lung[1:4, ], ignore_attr = "constant")
  }
  aq <- na.omit(airquality)
  may <- suppressMessages(tlcp(Ozone ~ Wind + Temp, aq, domain = Month, target = "5"))
  fits <- list(greedytl(mpg ~ ., mtcars), msplit(mpg ~ ., mtcars), shareboost(factor(am) ~ ., mtcars),
               greedytl(Matrix::Matrix(as.matrix(mtcars[-1]), sparse = TRUE), mtcars$mpg))
  for (fit in fits) {
    new <- if (is.null(fit$formula)) Matrix::Matrix(as.matrix(mtcars[-1]), sparse = TRUE) else mtcars
    terms <- predict(fit, new, type = "terms")
    expect_equal(unname(rowSums(terms) + attr(terms, "constant")), as.vector(predict(fit, new, type = "link")))
  }
  terms <- predict(may, aq, type = "terms", domain = "6")
  expect_equal(rowSums(terms) + attr(terms, "constant"), predict(may, aq, domain = "6"))
  expect_error(predict(may, aq, type = "terms"), "several domains", class = "transelect_error_domain")
  expect_error(predict(chosen, mtcars, type = "terms", terms = "am2"), class = "transelect_error_terms")
  expect_error(predict(chosen, mtcars, type = "terms", interval = "confidence"), class = "transelect_error_type")
  expect_error(predict(shareboost(Species ~ ., iris), iris, type = "terms"), class = "transelect_error_type")
  expect_error(predict(fits[[1]], mtcars, type = "terms", se.fit = TRUE), class = "transelect_error_se.fit")
})

test_that("standard errors of predictions are of columns as the fit has them where it bounds them", {
  set.seed(3)
  d <- data.frame(a = c(rt(118, 1.2), 40, -60), b = rnorm(120), g = rep(c("u", "v"), 60))
  d$y <- pmin(pmax(d$a, -3), 3) + d$b + rnorm(120) / 2
  fit <- suppressMessages(tlcp(y ~ a + b, d, domain = g, target = "u", select = FALSE))
  skip_if(is.null(fit$tails))
  far <- data.frame(a = c(10, 1000), b = 0, g = "u")
  se <- predict(fit, far, se.fit = TRUE)$se.fit
  if (fit$tails$share[1] > .99) expect_equal(se[[1]], se[[2]]) else expect_gt(se[[2]], 0)
})
