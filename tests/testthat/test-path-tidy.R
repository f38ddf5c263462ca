tidy_case <- function(response = "numeric", ...) {
  case <- draw_case(12, n = 24, p = 6, s = 4)
  y <- switch(response,
    numeric = case$y,
    two = case$factor,
    three = factor(rep_len(c("a", "b", "c"), 24))
  )
  greedytl(case$x, y, sources = case$h, ...)
}

test_that("tidy gives the nonzero coefficients of every step", {
  fit <- tidy_case()
  out <- tidy(fit, step = "all")
  expect_identical(class(out), "data.frame")
  expect_named(out, c("term", "estimate", "type", "step", "lambda"))
  expect_type(out$step, "integer")
  expect_identical(unique(out$step), path_step_table(fit))
  expect_true(all(out$estimate[out$type != "intercept"] != 0))
  for (k in path_step_table(fit)) {
    one <- out[out$step == k, ]
    expected <- coef_matrix(fit, step = k)[, 1]
    expect_equal(stats::setNames(one$estimate, one$term), expected[one$term])
    expect_setequal(one$term, c("(Intercept)", names(expected)[-1][expected[-1] != 0]))
  }
  types <- c(h = "source", x = "feature", `(` = "intercept")
  expect_identical(out$type, unname(types[substr(out$term, 1, 1)]))
})

test_that("tidy gives zeros, steps and the average on request", {
  fit <- tidy_case()
  all <- tidy(fit, step = "average", return_zeros = TRUE)
  expected <- coef_matrix(fit, step = "average")[, 1]
  expect_identical(all$term, names(expected))
  expect_equal(all$estimate, unname(expected))
  expect_identical(unique(all$step), "average")
  some <- tidy(fit, step = c(4, 2), return_zeros = TRUE)
  expect_identical(some$step, rep(c(4L, 2L), each = length(expected)))
  expect_equal(some$estimate[some$step == 2], unname(coef_matrix(fit, step = 2)[, 1]))
})

test_that("tidy has a row a class and a lambda", {
  fit <- tidy_case("three")
  out <- tidy(fit, step = "all")
  expect_named(out, c("class", "term", "estimate", "type", "step", "lambda"))
  expect_identical(unique(out$class), c("a", "b", "c"))
  b <- out[out$class == "b" & out$step == 2, ]
  beta <- as.matrix(fit$beta$b)[, 3]
  expect_equal(b$estimate, unname(c(fit$a0$b[3], beta[b$term[-1]])))
  average <- tidy(fit, step = "average", return_zeros = TRUE)
  expect_equal(
    average$estimate[average$class == "c"],
    as.vector(coef_matrix(fit, step = "average", class = "c"))
  )

  fit <- tidy_case(rule = "paper", lambda = c(.1, 1), max_steps = 3)
  out <- tidy(fit, step = "all")
  expect_identical(unique(out$lambda), c(.1, 1))
  expect_identical(tidy(fit, lambda = 1, step = "all")$estimate, out$estimate[out$lambda == 1])
  expect_equal(
    tidy(fit, lambda = 1, step = 3, return_zeros = TRUE)$estimate,
    as.vector(coef_matrix(fit, lambda = 1, step = 3))
  )
})

test_that("unnamed columns and paths without sources are tidied", {
  case <- draw_case(12)
  fit <- greedytl(unname(case$x), case$y, max_steps = 2)
  out <- tidy(fit, step = 2)
  expect_identical(out$type, c("intercept", "feature", "feature"))
  expect_equal(out$estimate[-1], fit$beta@x[fit$beta@p[3] + 1:2])
})

test_that("glance is one row", {
  fit <- tidy_case()
  out <- glance(fit)
  expect_identical(class(out), "data.frame")
  expect_named(out, c("rule", "family", "nobs", "incomplete", "features", "sources", "steps",
                      "step", "size", "df", "rss", "logLik", "AIC", "BIC", "deviance", "null.deviance", "df.residual",
                      "sigma", "r.squared", "adj.r.squared"))
  expect_identical(nrow(out), 1L)
  expect_identical(out$rule, "transfer")
  expect_identical(out$step, "average")
  expect_equal(unlist(out[c("nobs", "features", "sources", "steps")]),
               c(nobs = 24, features = 6, sources = 4, steps = max(path_step_table(fit))))

  fit <- tidy_case(rule = "paper", max_steps = 3)
  out <- glance(fit)
  expect_identical(out$step, "3")
  expect_equal(out$size, 3)
  expect_equal(out$logLik, as.numeric(logLik(fit)))
  expect_equal(out$AIC, AIC(fit))
  expect_equal(out$BIC, BIC(fit))
  expect_equal(out$rss, deviance(fit))

  for (response in c("two", "three")) {
    out <- glance(tidy_case(response))
    expect_identical(nrow(out), 1L)
    expect_identical(out$nobs + 0, 24)
  }
})

test_that("sigma() and df.residual() of least squares are those of lm()", {
  fit <- tlcp(mpg ~ ., mtcars)
  expect_setequal(variable.names(fit), c("wt", "qsec", "am"))
  by_lm <- lm(mpg ~ wt + qsec + am, mtcars)
  expect_equal(sigma(fit), sigma(by_lm))
  expect_equal(df.residual(fit), 28)
  expect_equal(sigma(fit, step = 0), sd(mtcars$mpg))

  cars <- transform(mtcars, w = rep(1:2, 16) / 1.5)
  fit <- tlcp(mpg ~ wt + hp + qsec, cars, weights = w, select = FALSE)
  expect_equal(sigma(fit), sigma(lm(mpg ~ wt + hp + qsec, cars, weights = w)))
  # weights count up to a factor only
  double <- tlcp(mpg ~ wt + hp + qsec, cars, weights = 2 * w, select = FALSE)
  expect_equal(sigma(double), sigma(fit))
})

test_that("sigma() and df.residual() are of the model that logLik() has", {
  same <- function(fit, ...) {
    likelihood <- logLik(fit, ...)
    left <- attr(likelihood, "nobs") - attr(likelihood, "df") + 1
    expect_equal(df.residual(fit, ...), left)
    expect_equal(sigma(fit, ...), sqrt(deviance(fit, ...) / left))
  }
  fit <- tidy_case(rule = "paper", lambda = c(1, .1), max_steps = 3)
  same(fit)
  same(fit, step = 1, lambda = .1)
  same(tidy_case())
  same(tidy_case(), step = 2)
  d <- draw_domains(2)
  same(tgreedy(d$x, d$y, d$domain), step = 1)
  fit <- msplit(mpg ~ ., mtcars, nu = c(1, 5))
  same(fit)
  same(fit, nu = 5, step = 1)
  expect_equal(sigma(fit, lambda = 5, step = 1), sigma(fit, nu = 5, step = 1))

  expect_identical(path_worth_residual_sd(1e-30, 5 - 1e-9, 5), NaN)
  expect_identical(path_worth_residual_sd(1, NA, 5), NA_real_)
  expect_error(sigma(tidy_case(), step = 0:1), "2 values", class = "transelect_error_step")
  expect_error(sigma(tidy_case(), steps = 1), class = "transelect_error_argument")
})

test_that("classes fitted by squares have neither a family of classes nor a likelihood", {
  d <- draw_domains(2)
  two <- list(tidy_case("two"), tidy_case("two", rule = "paper", max_steps = 3),
              tgreedy(d$x, factor(d$y > 0), d$domain))
  for (fit in c(two, list(tidy_case("three")))) {
    expect_identical(family(fit)$family, "gaussian")
    expect_identical(glance(fit)$family, "gaussian")
    for (verb in list(logLik, AIC, BIC)) {
      expect_error(verb(fit), "no likelihood", class = "transelect_error_family")
    }
    expect_identical(unlist(glance(fit)[c("df", "logLik", "AIC", "BIC")], use.names = FALSE),
                     rep(NA_real_, 4))
  }
  for (fit in two) {
    expect_equal(glance(fit)$rss, deviance(fit))
    expect_equal(sigma(fit), sqrt(deviance(fit) / df.residual(fit)))
  }
  expect_identical(family(tidy_case())$linkinv(2), 2)
  expect_identical(family(shareboost(Species ~ ., iris))$family, "multinomial")
  classes <- msplit(Species ~ ., iris, loss = "multinomial", nu = 1, control = msplit_control(nt = 5))
  expect_identical(unlist(unclass(family(classes))), c(family = "multinomial", link = "logit"))
})

test_that("without a common sum of squares there is no sigma()", {
  fits <- list(
    tidy_case("three"), shareboost(Species ~ ., iris), msplit(Species ~ ., iris, nu = 1),
    msplit(cbind(mpg, hp) ~ wt + qsec, mtcars, nu = 1)
  )
  for (fit in fits) {
    told <- function(verb) conditionMessage(expect_error(verb(fit), class = "transelect_error"))
    expect_identical(told(df.residual), told(sigma))
    expect_error(logLik(fit), class = "transelect_error")
  }
  # logistic losses have a likelihood, but no squares
  fit <- msplit(Species ~ ., iris, loss = "multinomial", nu = 1, control = msplit_control(nt = 5))
  expect_error(sigma(fit), "sum of squares", class = "transelect_error_family")
  expect_error(df.residual(fit), "sum of squares", class = "transelect_error_family")
})

test_that("augment puts predictions beside the data", {
  case <- draw_case(12, n = 24, p = 6, s = 4)
  fit <- tidy_case()
  out <- augment(fit, case$new$x, sources = case$new$h)
  expect_identical(class(out), "data.frame")
  expect_named(out, c(colnames(case$x), ".fitted"))
  expect_equal(out$.fitted, unname(predict(fit, case$new$x, sources = case$new$h)))
  third <- augment(fit, case$new$x, sources = case$new$h, step = 3)
  expect_equal(third$.fitted, unname(predict(fit, case$new$x, sources = case$new$h, step = 3)))

  two <- augment(tidy_case("two"), case$new$x, sources = case$new$h)
  expect_identical(utils::tail(names(two), 2), c(".fitted", ".pred_class"))
  expect_identical(two$.pred_class, factor(ifelse(two$.fitted > 0, "yes", "no"), c("no", "yes")))

  three <- augment(tidy_case("three"), case$new$x, sources = case$new$h)
  scores <- as.matrix(three[paste0(".fitted_", c("a", "b", "c"))])
  expect_identical(as.character(three$.pred_class), c("a", "b", "c")[max.col(scores)])
})

test_that("augment gives residuals when the response is there", {
  case <- draw_case(12, n = 24, p = 6)
  data <- data.frame(case$x, y = as.vector(case$y))
  fit <- greedytl(y ~ ., data)
  out <- augment(fit, data)
  expect_named(out, c(names(data), ".fitted", ".resid"))
  expect_equal(out$.fitted + out$.resid, data$y)
  expect_named(augment(fit, data[-7]), c(names(data)[-7], ".fitted"))

  data$y <- exp(data$y)
  out <- augment(greedytl(log(y) ~ ., data), data)
  expect_equal(out$.fitted + out$.resid, log(data$y))
})

test_that("as.data.frame is the table of steps", {
  fit <- tidy_case("three")
  expect_identical(as.data.frame(fit), fit$steps)
})

test_that("bad arguments are named", {
  fit <- tidy_case()
  expect_error(tidy(fit, step = 99), "99", class = "transelect_error_step")
  expect_error(tidy(fit, step = "last"), class = "transelect_error_step")
  expect_error(tidy(fit, lambda = 3), class = "transelect_error_lambda")
  expect_error(tidy(fit, return_zeros = NA), class = "transelect_error_return_zeros")
  expect_error(tidy(fit, stpe = 1), "Did you mean `step`", class = "transelect_error_argument")
  expect_error(augment(fit), class = "transelect_error_data")
  expect_error(augment(fit, draw_case(1)$x, step = 1:2), class = "transelect_error_step")
  expect_error(augment(fit, draw_case(1)$x, lamda = 1), "Did you mean `lambda`")
})

test_that("rule paper has no average to tidy", {
  fit <- tidy_case(rule = "paper")
  expect_error(tidy(fit, step = "average"), "average")
})

test_that("the default model has a name, for every verb", {
  case <- cv_case()
  fits <- list(greedytl(case$x, case$y), greedytl(case$x, case$y, rule = "paper", lambda = c(.1, 1)),
               greedytl(case$x, case$three), tlcp(case$x, case$y), msplit(case$x, case$y),
               shareboost(case$x, case$factor, max_steps = 3), tgreedy(case$x, case$y, case$domain))
  for (fit in fits) {
    expect_identical(coef(fit, step = "default"), coef(fit))
    expect_identical(predict(fit, case$x, step = "default"), predict(fit, case$x))
    expect_identical(variable.names(fit, step = "default"), variable.names(fit))
    table <- tidy(fit, step = "default")
    expect_identical(unique(as.character(table$step)), as.character(fit$best))
    b <- if (path_object_is_multi(fit)) unlist(lapply(coef(fit), function(b) b[b != 0])) else coef(fit)
    expect_equal(sort(table$estimate[table$estimate != 0]), sort(unname(b[b != 0])))
    expect_error(coef(fit, step = "chosen"), "\"default\"", class = "transelect_error_step")
  }
  expect_identical(deviance(fits[[4]], step = "default"), deviance(fits[[4]]))
  expect_identical(tidy(fits[[4]], step = "default", conf.int = TRUE)$conf.low,
                   tidy(fits[[4]], effects = "fixed", conf.int = TRUE)$conf.low)
})

test_that("tidy() and augment() hand on what path_model() of the method takes", {
  d <- with_seed(3, {
    d <- data.frame(a = rnorm(60), b = rnorm(60), h = rep(c("u", "v"), 30))
    d$y <- d$a * ifelse(d$h == "u", 1, .5) + rnorm(60) / 3
    d
  })
  fit <- msplit(y ~ a + b, d, nu = c(.1, 1))
  for (estimator in c("sparse", "dense")) {
    table <- tidy(fit, step = 1, lambda = 1, estimator = estimator, return_zeros = TRUE)
    expect_identical(table$estimate, unname(coef(fit, step = 1, nu = 1, estimator = estimator)))
    more <- augment(fit, d, step = 1, estimator = estimator)
    expect_identical(more$.fitted, predict(fit, d, step = 1, estimator = estimator)[seq_len(60)] + 0,
                     ignore_attr = TRUE)
  }
  at_time <- tidy(fit, t = 2, return_zeros = TRUE)
  expect_identical(at_time$estimate, unname(c(coef(fit, t = 2, nu = .1), coef(fit, t = 2, nu = 1))))
  expect_error(tidy(fit, nu = 1), class = "transelect_error_argument") # it is tidy()'s `lambda`

  shared <- tlcp(y ~ a + b, d, domain = h, target = "u")
  other <- tidy(shared, step = 1, domain = "v", return_zeros = TRUE)
  expect_identical(other$estimate, unname(coef(shared, step = 1, domain = "v")))
  expect_identical(augment(shared, d, domain = "v")$.fitted, unname(predict(shared, d, domain = "v")))
  expect_error(tidy(shared, domain = "v", conf.int = TRUE), class = "transelect_error_domain")
  expect_error(tidy(shared, domain = "w"), class = "transelect_error_domain")
})
