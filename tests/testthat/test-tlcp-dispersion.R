# Dispersion of counts and of shares: tlcp(dispersion = ), quasi families.

dispersed_data <- function(seed, n = c(30, 60, 50), theta = 1) {
  set.seed(seed)
  g <- rep(letters[seq_along(n)], n)
  d <- data.frame(u = rnorm(sum(n)), v = rnorm(sum(n)), z = rnorm(sum(n)), g = g)
  d$k <- rnbinom(nrow(d), mu = exp(1 + .4 * d$u - .3 * d$v), size = theta)
  share <- rbeta(nrow(d), 2 * plogis(d$u), 2 * plogis(-d$u))
  d$yes <- rbinom(nrow(d), 12, share)
  d$no <- 12 - d$yes
  d
}

quiet <- function(...) suppressMessages(tlcp(...))

test_that("the dispersions are Pearson's at the posterior mode with its degrees of freedom, shrunk, at least 1", {
  for (seed in 1:3) {
    d <- dispersed_data(seed)
    for (family in c("poisson", "binomial")) {
      formula <- if (family == "poisson") k ~ u + v + z else cbind(yes, no) ~ u + v + z
      fit <- quiet(formula, data = d, domain = g, target = "a", family = family, select = FALSE,
                   control = tlcp_control(guard = FALSE, scales = FALSE), standardize = FALSE)
      expect_equal(fit$dispersion, naive_dispersion(fit, d, formula, family), tolerance = 1e-5)
      expect_gt(min(fit$dispersion), 1)
      expect_equal(fit$borrowing$s2, fit$dispersion)
    }
  }
})

test_that("a dispersion that is given counts the log-likelihood 1/phi times", {
  d <- dispersed_data(4)
  phi <- c(a = 2, b = 3, c = 1.5)
  d$w <- unname(1 / phi[d$g])
  given <- quiet(k ~ u + v + z, data = d, domain = g, target = "a", family = poisson, select = FALSE,
                 standardize = FALSE, control = tlcp_control(dispersion = phi))
  weighted <- quiet(k ~ u + v + z, data = d, domain = g, target = "a", family = poisson, select = FALSE,
                    standardize = FALSE, control = tlcp_control(dispersion = 1), weights = w)
  expect_equal(coef(given), coef(weighted), tolerance = 1e-5)
  expect_equal(confint(given), confint(weighted), tolerance = 1e-4)
  expect_equal(c(logLik(given)), c(logLik(weighted)), tolerance = 1e-6)
  expect_equal(given$dispersion, phi)
  expect_null(weighted$dispersion)
  expect_equal(deviance(given), phi[["a"]] * deviance(weighted), tolerance = 1e-5)
})

test_that("without borrowing a quasi family has glm()'s dispersion, standard errors and quantiles", {
  d <- dispersed_data(5)
  for (family in c("quasipoisson", "quasibinomial")) {
    formula <- if (family == "quasipoisson") k ~ u + v else cbind(yes, no) ~ u + v
    fit <- quiet(formula, data = d, family = family, select = FALSE)
    glm <- glm(formula, family, d)
    expect_equal(unname(fit$dispersion), summary(glm)$dispersion, tolerance = 1e-3)
    expect_equal(vcov(fit), vcov(glm), tolerance = 1e-3)
    half <- sqrt(diag(vcov(glm))) * qt(.975, glm$df.residual)
    expect_equal(unname(confint(fit)[, 2]), unname(coef(glm) + half), tolerance = 1e-3)
    plain <- quiet(formula, data = d, family = sub("quasi", "", family), select = FALSE)
    expect_null(plain$dispersion)
    expect_equal(c(logLik(fit)), c(logLik(plain)) / fit$dispersion[[1]])
    expect_equal(deviance(fit), deviance(plain))
    expect_equal(vcov(fit, dispersion = 1), vcov(plain), tolerance = 1e-6)
    expect_equal(vcov(fit, dispersion = "pearson"), vcov(plain, dispersion = "pearson"), tolerance = 1e-6)
    expect_output(print(fit), "dispersion phi")
    # QAIC
    expect_equal(fit$steps$criterion[2], -2 * c(logLik(fit)) + 2 * 3)
  }
  pooled <- quiet(k ~ u + v, data = d, domain = g, target = "a", family = quasipoisson, borrow = "aggregate",
                  select = FALSE)
  expect_gt(pooled$dispersion[[1]], 1.5)
})

test_that("a dispersion below 1 is taken only where it is asked for; zeros and ones have none", {
  set.seed(6)
  d <- data.frame(u = rnorm(80), g = rep(c("a", "b"), c(30, 50)))
  d$k <- round(exp(2 + .3 * d$u))
  d$o <- rbinom(80, 1, plogis(d$u))
  fit <- quiet(k ~ u, data = d, domain = g, target = "a", family = poisson, select = FALSE)
  expect_equal(fit$dispersion, c(a = 1, b = 1))
  expect_lt(max(quiet(k ~ u, data = d, domain = g, target = "a", family = poisson, select = FALSE,
                      control = tlcp_control(dispersion = "pearson"))$dispersion), .2)
  for (y in list(d$o, factor(d$o))) {
    odds <- quiet(d["u"], y, domain = d$g, target = "a", family = quasibinomial, select = FALSE)
    expect_null(odds$dispersion)
  }
})

test_that("a message and print() name the dispersion, and what was done", {
  d <- dispersed_data(7)
  expect_message(fit <- tlcp(k ~ u + v, data = d, domain = g, target = "a", family = poisson), "dispersion",
                 class = "transelect_message_dispersion")
  expect_output(print(fit), "rows count 1/phi times")
  expect_output(print(fit), "quasi-likelihood")
  expect_silent(quiet(k ~ u + v, data = d, domain = g, target = "a", family = poisson,
                      control = tlcp_control(dispersion = 1)))
  expect_error(confint(fit, dispersion = 3), "tlcp", class = "transelect_error_dispersion")
  expect_error(tlcp(k ~ u, data = d, family = poisson, control = tlcp_control(dispersion = "x")), "estimated",
               class = "transelect_error_dispersion")
  expect_error(tlcp(k ~ u, data = d, family = poisson,
                    control = tlcp_control(dispersion = -1)), class = "transelect_error_dispersion")
  expect_error(tlcp(u ~ v, data = d,
                    control = tlcp_control(dispersion = 2)), "counts", class = "transelect_error_dispersion")
})

test_that("cross-validation and updates keep a quasi family", {
  d <- dispersed_data(8)
  cv <- suppressMessages(cv_path(k ~ u + v, data = d, fit = tlcp, domain = g, target = "a", family = quasipoisson,
                                 borrow = "none", nfolds = 3))
  expect_gt(cv$fit$dispersion[[1]], 1)
  fit <- suppressMessages(tlcp(k ~ u + v, data = d, family = quasipoisson))
  expect_equal(suppressMessages(update(fit, . ~ . + z))$dispersion > 1, c(all = TRUE))
})

test_that("the message of a dispersion says where negative binomial counts are clearly likelier", {
  told <- function(size) {
    set.seed(5)
    d <- data.frame(u = rnorm(300), g = rep(c("a", "b", "c"), c(40, 130, 130)))
    mu <- exp(1 + .9 * d$u)
    d$k <- rnbinom(300, mu = mu, size = size(mu))
    words <- NULL
    fit <- withCallingHandlers(tlcp(k ~ u, data = d, domain = g, target = "a", family = poisson, select = FALSE),
                               message = function(m) {
                                 words <<- c(words, conditionMessage(m))
                                 invokeRestart("muffleMessage")
                               })
    mu <- exp(unlist(lapply(names(fit$models), function(t) predict(fit, d[d$g == t, ], type = "link", domain = t))))
    y <- unlist(split(d$k, d$g)[names(fit$models)])
    best <- function(size) optimize(function(l) sum(dnbinom(y, mu = mu, size = size(exp(l)), log = TRUE)), c(-4, 13),
                                    maximum = TRUE)$objective
    list(words = gsub("\\s+", " ", paste(words, collapse = " ")), gain = best(function(x) x) - best(function(x) x * mu))
  }
  grows <- told(function(mu) 1)
  expect_gt(grows$gain, 2)
  said <- as.numeric(sub(".*larger by ([0-9.]+)\\): use `family = .negbin.`.*", "\\1", grows$words))
  expect_equal(said, grows$gain, tolerance = .02)
  level <- told(function(mu) mu / 2) # variance 3 mu
  expect_lt(level$gain, 2)
  expect_match(level$words, "is for variances that grow faster", fixed = TRUE)
})
