# Results of other packages as estimates: the numbers of the packages, or words.

std_error <- function(sites) tidy(sites)$std.error

test_that("robust covariances of a model, and coeftest() of them, are read", {
  skip_if_not_installed("sandwich")
  skip_if_not_installed("lmtest")
  model <- lm(mpg ~ wt + hp, mtcars)
  robust <- sandwich::vcovHC(model)
  for (V in list(robust, sandwich::vcovHC, unname(robust))) {
    site <- estimates(model, vcov = V)
    expect_equal(std_error(site), unname(sqrt(diag(robust))))
    expect_equal(unname(as.matrix(as.data.frame(site)[names(coef(model))])), unname(solve(robust)), tolerance = 1e-8)
  }
  expect_equal(std_error(estimates(model, se = sqrt(diag(robust)))), unname(sqrt(diag(robust))))
  for (save in c(FALSE, TRUE)) {
    test <- lmtest::coeftest(model, vcov. = robust, save = save)
    expect_equal(std_error(estimates(test)), unname(test[, 2]))
    expect_equal(tidy(estimates(test))$estimate, unname(coef(model)))
  }
  expect_error(estimates(model, vcov = robust[-1, -1]), "no row named", class = "transelect_error_vcov")
  expect_error(estimates(model, vcov = robust, se = 1:3), "Both", class = "transelect_error_vcov")
  expect_error(estimates(model, vcov = function(m) stop("no")), "fails", class = "transelect_error_vcov")
  expect_error(estimates(model, se = 1:2), class = "transelect_error_se")
  # contrasts are translated by the robust covariances
  cars <- transform(mtcars, cyl = factor(cyl))
  sums <- lm(mpg ~ cyl + wt, cars, contrasts = list(cyl = "contr.sum"))
  plain <- lm(mpg ~ cyl + wt, cars)
  expect_equal(std_error(estimates(sums, vcov = sandwich::vcovHC)), unname(sqrt(diag(sandwich::vcovHC(plain)))))
  expect_error(estimates(lmtest::coeftest(sums, save = TRUE)), "cannot be translated", class = "transelect_error_x")
})

test_that("pooled models of mice and models of survey are read", {
  skip_if_not_installed("mice")
  imputed <- suppressWarnings(mice::mice(mice::nhanes, m = 5, seed = 1, printFlag = FALSE))
  fits <- with(imputed, lm(bmi ~ age + hyp))
  pooled <- summary(mice::pool(fits))
  for (x in list(fits, mice::pool(fits))) {
    expect_equal(tidy(estimates(x))$estimate, pooled$estimate, tolerance = 1e-8)
    expect_equal(std_error(estimates(x)), pooled$std.error, tolerance = 1e-8)
  }
  expect_true(estimates(fits)$sites[[1]]$full)
  skip_if_not_installed("survey")
  design <- survey::svydesign(~1, weights = ~ qsec, data = transform(mtcars, cyl = factor(cyl)))
  model <- survey::svyglm(mpg ~ wt + cyl, design)
  sums <- survey::svyglm(mpg ~ wt + cyl, design, contrasts = list(cyl = "contr.sum"))
  for (m in list(model, sums)) expect_equal(std_error(estimates(m)), unname(sqrt(diag(vcov(model)))), tolerance = 1e-6)
})

test_that("what has no coefficients of columns is refused with what to give", {
  model <- lm(mpg ~ wt + factor(cyl), mtcars)
  refused <- function(x, words, ...) expect_error(estimates(x, ...), words, class = "transelect_error_x")
  if (requireNamespace("metafor", quietly = TRUE)) {
    refused(metafor::rma(c(.1, .3, .2), c(.02, .03, .02)), "Name what was pooled", family = "binomial")
  }
  if (requireNamespace("multcomp", quietly = TRUE)) refused(multcomp::glht(model), "Give the model")
  if (requireNamespace("emmeans", quietly = TRUE)) refused(emmeans::emmeans(model, "cyl"), "Give the model")
  skip_if_not_installed("survival")
  times <- survival::survreg(survival::Surv(time, status) ~ age, survival::lung)
  refused(times, "coxph", family = "cox")
})

test_that("tables of summary() are read, and statistics tell that estimates are ratios", {
  model <- glm(case ~ parity + spontaneous, binomial, infert)
  want <- tidy(estimates(model))
  table <- summary(model)$coefficients
  expect_equal(tidy(estimates(table))[-1], want[-1], tolerance = 1e-6)
  ratios <- data.frame(term = rownames(table), estimate = exp(table[, 1]), std.error = table[, 2],
                       statistic = table[, 3])
  expect_message(read <- estimates(ratios), "by their statistics", class = "transelect_message_estimates")
  expect_equal(tidy(read)[-1], want[-1], tolerance = 1e-6)
  delta <- transform(ratios, std.error = std.error * estimate) # as emmeans and other programs print them
  expect_equal(tidy(suppressMessages(estimates(delta)))[-1], want[-1], tolerance = 1e-6)
  skip_if_not_installed("survival")
  cox <- survival::coxph(survival::Surv(time, status) ~ age + sex, survival::lung)
  read <- estimates(summary(cox)$coefficients)
  expect_equal(tidy(read)$estimate, unname(coef(cox)))
  expect_equal(std_error(read), unname(sqrt(diag(vcov(cox)))))
})

test_that("offsets without a logarithm and sources on another scale are refused in words", {
  skip_if_not_installed("survival")
  with_seed(1, {
    n <- 60
    x <- matrix(rnorm(n * 4), n, dimnames = list(NULL, letters[1:4]))
    people <- round(runif(n, 100, 5000))
    y <- rpois(n, people * .01)
    times <- survival::Surv(rexp(n), rbinom(n, 1, .8))
  })
  place <- rep(c("u", "v", "w"), 20)
  for (fit in list(function(o) greedytl(x, y, family = "poisson", offset = o),
                   function(o) tlcp(x, y, place, "u", family = "poisson", offset = o),
                   function(o) dissimilarity(x, y, place, "u", family = "poisson", offset = o, draws = 0))) {
    expect_error(fit(people), "log(exposure)", fixed = TRUE, class = "transelect_error_offset")
  }
  expect_error(greedytl(x, times, offset = people / 100), class = "transelect_error_offset")
  expect_error(greedytl(x, times, sources = cbind(h = 100 * x[, 1])), "log hazards", class = "transelect_error_sources")
  expect_error(greedytl(x, y, family = "poisson", sources = sources(cbind(h = 1e4 * x[, 1]), scale = "link")),
               "log rates", class = "transelect_error_sources")
  expect_error(greedytl(x, y, family = "poisson", sources = cbind(h = exp(100 * x[, 1]))), "too far apart",
               class = "transelect_error_sources")
})
