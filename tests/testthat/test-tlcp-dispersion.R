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
      fit_of <- function(family) {
        quiet(formula, data = d, domain = g, target = "a", family = family, select = FALSE,
              control = tlcp_control(guard = FALSE, scales = FALSE), standardize = FALSE)
      }
      fit <- fit_of(family)
      weights <- if (family == "poisson") {
        rows <- split(d, d$g)
        alike <- fit_of("quasipoisson")
        mu <- lapply(names(rows), function(t) exp(predict(alike, rows[[t]], type = "link", domain = t)))
        naive_variance_weights(lapply(rows, `[[`, "k"), mu, lapply(rows, function(rows) rep(1, nrow(rows))))
      }
      if (!is.null(weights)) names(weights) <- names(rows)
      expect_equal(fit$dispersion, naive_dispersion(fit, d, formula, family, weights), tolerance = 1e-5)
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
  expect_output(print(fit), "rows are weighted by 1/phi")
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
    alike <- quiet(k ~ u, data = d, domain = g, target = "a", family = quasipoisson, select = FALSE)
    expect_null(alike$variance)
    mu <- exp(unlist(lapply(names(fit$models), function(t) predict(alike, d[d$g == t, ], type = "link", domain = t))))
    y <- unlist(split(d$k, d$g)[names(fit$models)])
    best <- function(size) optimize(function(l) sum(dnbinom(y, mu = mu, size = size(exp(l)), log = TRUE)), c(-4, 13),
                                    maximum = TRUE)$objective
    list(words = gsub("\\s+", " ", paste(words, collapse = " ")), gain = best(function(x) x) - best(function(x) x * mu))
  }
  grows <- told(function(mu) 1)
  expect_gt(grows$gain, 2)
  said <- as.numeric(sub(".*larger by ([0-9.]+)\\): use `family = .negbin.`.*", "\\1", grows$words))
  expect_equal(said, grows$gain, tolerance = .02)
  expect_match(grows$words, "Rows with large expected counts weigh less", fixed = TRUE)
  level <- told(function(mu) mu / 2) # variance 3 mu
  expect_lt(level$gain, 2)
  expect_match(level$words, "is for variances that grow faster", fixed = TRUE)
})

test_that("rows of overdispersed counts weigh by both forms of the variance, averaged by their likelihoods", {
  for (theta in c(1, 3)) {
    d <- dispersed_data(9, n = c(15, 60, 50), theta = theta)
    d$w <- runif(nrow(d), .5, 2)
    d$o <- rnorm(nrow(d), 0, .5)
    d$k <- rnbinom(nrow(d), mu = exp(1 + d$o + .4 * d$u), size = theta)
    fit <- function(family, ...) {
      quiet(k ~ u + v + offset(o), data = d, domain = g, target = "a", family = family, select = FALSE, weights = w,
            standardize = FALSE, control = tlcp_control(guard = FALSE, scales = FALSE, ...))
    }
    found <- fit("poisson")
    alike <- fit("quasipoisson")
    rows <- split(d, d$g)
    mu <- lapply(names(rows), function(t) exp(predict(alike, rows[[t]], type = "link", domain = t)))
    weights <- naive_variance_weights(lapply(rows, `[[`, "k"), mu, lapply(rows, `[[`, "w"))
    expect_equal(found$variance$weights, weights[[1]], tolerance = 1e-4, ignore_attr = TRUE)
    expect_equal(found$variance$range, range(unlist(weights)), tolerance = 1e-4)
    # the fit of these weights, up to scales of columns, which are of the user's; it does not begin at the first
    d$both <- d$w * unlist(weights)
    given <- quiet(k ~ u + v + offset(o), data = d, domain = g, target = "a", family = "quasipoisson", weights = both,
                   select = FALSE, standardize = FALSE, control = tlcp_control(guard = FALSE, scales = FALSE))
    expect_gt(min(found$dispersion), found$variance$range[2])
    expect_equal(found$dispersion, given$dispersion, tolerance = .01)
    expect_equal(coef(found), coef(given), tolerance = .01)
    # larger means, smaller weights
    expect_true(all(diff(found$variance$weights[order(mu[[1]])]) < 0))
    # the user's weights multiply; sums of squares are of both
    both <- rows$a$w * found$variance$weights
    at <- fitted(found)
    expect_equal(residuals(found, "pearson"), (rows$a$k - at) * sqrt(both / at), tolerance = 1e-6, ignore_attr = TRUE)
    expect_equal(deviance(found), sum(residuals(found)^2))
    expect_equal(weights(found), rows$a$w, ignore_attr = TRUE)
    expect_equal(coef(fit("poisson", dispersion = "pearson")), coef(fit("quasipoisson", dispersion = "pearson")))
    expect_output(print(found), "large expected counts weigh less", fixed = TRUE)
  }
})

test_that("trials of overdispersed shares weigh less in rows with large totals, as far as they are correlated", {
  d <- dispersed_data(14, n = c(15, 40, 40))
  d$m <- pmax(1, round(exp(rnorm(nrow(d), 2.5, 1.2)))) # some of one trial
  d$o <- rnorm(nrow(d), 0, .5)
  chance <- plogis(.4 * d$u + d$o)
  d$yes <- rbinom(nrow(d), d$m, rbeta(nrow(d), 3 * chance, 3 * (1 - chance)))
  fit <- function(family, formula, ...) {
    quiet(formula, data = d, domain = g, target = "a", family = family, select = FALSE, weights = w,
          standardize = FALSE, control = tlcp_control(guard = FALSE, scales = FALSE, ...))
  }
  of_two <- cbind(yes, m - yes) ~ u + v + offset(o)
  for (formula in list(of_two, yes / m ~ u + v + offset(o))) { # totals are weights, or there are both
    own <- if (identical(formula, of_two)) runif(nrow(d), .5, 2) else 1
    d$w <- if (identical(formula, of_two)) own else d$m
    found <- fit("binomial", formula)
    alike <- fit("quasibinomial", formula)
    expect_null(alike$variance)
    rows <- split(cbind(d, own = own), d$g)
    mu <- lapply(names(rows), function(t) plogis(predict(alike, rows[[t]], type = "link", domain = t)))
    take <- function(name) lapply(rows, `[[`, name)
    weights <- naive_variance_weights(take("yes"), mu, take("own"), take("m"))
    expect_equal(found$variance$weights, weights[[1]], tolerance = 1e-4, ignore_attr = TRUE)
    expect_equal(found$variance$range, range(unlist(weights)), tolerance = 1e-4)
    expect_true(all(diff(found$variance$weights[order(rows$a$m)]) <= 0))
    expect_gt(min(found$dispersion), 1.5)
    expect_equal(deviance(found), sum(residuals(found)^2))
    expect_output(print(found), "trials of rows with large totals weigh less", fixed = TRUE)
    # the fit of these weights, up to scales of columns
    d$w <- d$w * unlist(weights)
    given <- suppressWarnings(fit("quasibinomial", formula), "transelect_warning_shares") # totals not whole
    expect_equal(fitted(found), fitted(given), tolerance = .02)
    expect_equal(found$dispersion, given$dispersion, tolerance = .1)
    if (identical(formula, of_two)) expect_equal(c(logLik(found)), c(logLik(given)), tolerance = .01)
  }
  d$w <- 1
  expect_null(fit("binomial", of_two, dispersion = 2)$variance)
  d$m <- 20
  d$yes <- pmin(d$yes, 20)
  expect_null(fit("binomial", of_two)$variance) # the same totals
})

test_that("rows that do not count, and domains without events, change no weights", {
  d <- dispersed_data(11, n = c(20, 40, 40, 40))
  d$k[d$g == "d"] <- 0
  d$w <- rep_len(c(1, .5, 0, 1), nrow(d))
  d$k[d$w == 0] <- 1e6
  fit <- function(d) quiet(k ~ u + v, data = d, domain = g, target = "a", family = "poisson", weights = w)
  all <- fit(d)
  some <- fit(d[d$w > 0 & d$g != "d", ])
  expect_equal(all$variance$range, some$variance$range)
  expect_equal(all$variance$weights, some$variance$weights)
  expect_equal(coef(all), coef(some))
  expect_equal(all$dispersion, some$dispersion)
})

test_that("rows weigh alike with a given dispersion, other families, one domain, and variances like phi mu", {
  d <- dispersed_data(12, n = c(30, 60, 60))
  fit <- function(family, ...) quiet(k ~ u + v, data = d, domain = g, target = "a", family = family, ...)
  expect_gt(diff(fit("poisson")$variance$range), .5)
  given <- tlcp_control(dispersion = 3)
  expect_null(fit("poisson", control = given)$variance)
  expect_equal(coef(fit("poisson", control = given)), coef(fit("quasipoisson", control = given)))
  expect_null(fit("negbin")$variance)
  expect_null(fit("poisson", borrow = "none", control = tlcp_control(dispersion = "estimated"))$variance)
  expect_null(quiet(k ~ u, data = d, family = "poisson")$variance)
  # of counts in thousands, too
  d$k <- rnbinom(nrow(d), mu = exp(7 + d$u), size = exp(7 + d$u) / 300)
  linear <- fit("poisson")
  expect_null(linear$variance)
  expect_gt(min(linear$dispersion), 150)
})

test_that("a message says that rows have weights where offsets, not dispersions, are far apart", {
  set.seed(13)
  d <- data.frame(u = rnorm(150), o = rnorm(150, 0, 3), g = rep(c("a", "b", "c"), c(30, 60, 60)))
  d$k <- rnbinom(150, mu = exp(d$o + .3 * d$u), size = 1)
  expect_message(fit <- tlcp(k ~ u + offset(o), data = d, domain = g, target = "a", family = poisson, select = FALSE),
                 "weigh less", class = "transelect_message_dispersion")
  expect_gte(fit$dispersion[["a"]], max(fit$variance$weights))
})

test_that("Poisson counts without overdispersion have the fit that weighs all rows alike", {
  d <- dispersed_data(10)
  d$k <- rpois(nrow(d), exp(1 + .4 * d$u))
  fit <- function(family) quiet(k ~ u + v, data = d, domain = g, target = "a", family = family)
  found <- fit("poisson")
  expect_null(found$variance)
  expect_identical(found$steps, fit("quasipoisson")$steps)
  expect_identical(coef(found), coef(fit("quasipoisson")))
})
