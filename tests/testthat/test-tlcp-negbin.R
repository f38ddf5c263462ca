# Negative binomial counts: tlcp(family = "negbin").

negbin_data <- function(seed, n = c(40, 80, 60)) {
  set.seed(seed)
  g <- rep(letters[seq_along(n)], n)
  d <- data.frame(u = rnorm(sum(n)), v = rnorm(sum(n)), o = runif(sum(n)), g = g)
  d$k <- rnbinom(nrow(d), mu = exp(d$o + .4 * d$u - .3 * d$v), size = 1.3)
  d
}

test_that("without borrowing it is MASS::glm.nb(), and glm() where theta is given", {
  skip_if_not_installed("MASS")
  d <- negbin_data(1)
  fit <- tlcp(k ~ u + v + offset(o), data = d, family = "negbin", select = FALSE)
  glm <- MASS::glm.nb(k ~ u + v + offset(o), data = d, control = glm.control(1e-12, 100))
  expect_equal(fit$theta, glm$theta, tolerance = 1e-5)
  expect_equal(coef(fit), coef(glm), tolerance = 1e-5)
  expect_equal(c(logLik(fit)), c(logLik(glm)), tolerance = 1e-8)
  expect_equal(AIC(fit), AIC(glm), tolerance = 1e-8)
  expect_equal(deviance(fit), deviance(glm), tolerance = 1e-4)
  expect_equal(unname(residuals(fit, "pearson")), unname(residuals(glm, "pearson")), tolerance = 1e-4)
  expect_equal(fit$null_deviance, glm$null.deviance, tolerance = 1e-4)
  given <- tlcp(k ~ u + v, data = d, family = MASS::negative.binomial(2), select = FALSE)
  known <- glm(k ~ u + v, MASS::negative.binomial(2), d, epsilon = 1e-12)
  expect_equal(given$theta, 2)
  expect_equal(coef(given), coef(known), tolerance = 1e-6)
  expect_equal(unname(residuals(given, "deviance")), unname(residuals(known, "deviance")),
               tolerance = 1e-5)
  expect_match(family(fit)$family, "Negative Binomial")
  expect_output(print(fit), "theta")
})

test_that("with borrowing the slopes are at the mode of the penalised likelihood, theta at its largest", {
  d <- negbin_data(2)
  fit <- tlcp(k ~ u + v, data = d, family = "negbin", domain = g, target = "a", select = FALSE,
              control = tlcp_control(guard = FALSE, scales = FALSE), standardize = FALSE)
  expect_null(fit$dispersion)
  s <- fit$borrowing
  names <- names(fit$models)
  objective <- function(a, b) { # a, b: level and slopes, coordinates x domains
    loss <- sum(vapply(1:3, function(t) {
      rows <- d[d$g == names[t], ]
      x <- sweep(sweep(as.matrix(rows[c("u", "v")]), 2, fit$center), 2, fit$scale, "/")
      sum(dnbinom(rows$k, mu = exp(a[t] + drop(x %*% b[, t])), size = fit$theta, log = TRUE))
    }, 0))
    inverse <- function(own, common) solve(diag(own, 3) + common)
    K <- inverse(s$tau2, s$omega2)
    -2 * loss + sum(vapply(1:2, function(i) sum(b[i, ] * (K %*% b[i, ])), 0))
  }
  b <- vapply(names, function(name) as.matrix(fit$models[[name]]$beta)[, 2] * fit$scale, numeric(2))
  a <- vapply(names, function(name) {
    fit$models[[name]]$a0[2] + sum(as.matrix(fit$models[[name]]$beta)[, 2] * fit$center)
  }, 0)
  at <- objective(a, b)
  for (i in 1:2) for (t in 1:3) for (h in c(-1e-3, 1e-3)) {
    moved <- b
    moved[i, t] <- moved[i, t] + h
    expect_gt(objective(a, moved), at)
  }
  eta <- a[d$g] + rowSums(sweep(sweep(as.matrix(d[c("u", "v")]), 2, fit$center), 2, fit$scale, "/") * t(b)[d$g, ])
  likelihood <- function(l) sum(dnbinom(d$k, mu = exp(eta), size = exp(l), log = TRUE))
  expect_equal(log(fit$theta), optimize(likelihood, c(-3, 4), maximum = TRUE, tol = 1e-9)$maximum, tolerance = 1e-3)
  expect_error(tlcp(k ~ u, data = d, family = "negbin",
                    control = tlcp_control(dispersion = 2)), "theta", class = "transelect_error_dispersion")
})

test_that("standard errors are those of MASS::glm.nb(), and theta is found where it has it, however large or small", {
  skip_if_not_installed("MASS")
  expect_as_glm_nb <- function(d, tolerance = 1e-5) {
    fit <- tlcp(k ~ u + v, data = d, family = "negbin", select = FALSE)
    glm <- suppressWarnings(MASS::glm.nb(k ~ u + v, data = d, control = glm.control(1e-12, 200)))
    expect_equal(fit$theta, glm$theta, tolerance = tolerance)
    expect_equal(vcov(fit), vcov(glm), tolerance = tolerance)
    expect_equal(confint(fit), confint.default(glm), tolerance = tolerance)
    expect_equal(c(logLik(fit)), c(logLik(glm)), tolerance = 1e-6)
    fit
  }
  d <- negbin_data(1)
  expect_output(print(expect_as_glm_nb(d)), "take theta as known")
  known <- tlcp(k ~ u + v, data = d, family = MASS::negative.binomial(2), select = FALSE)
  glm <- glm(k ~ u + v, MASS::negative.binomial(2), d, epsilon = 1e-12)
  expect_equal(vcov(known), summary(glm, dispersion = 1)$cov.scaled, tolerance = 1e-6)
  set.seed(3)
  d <- data.frame(u = rnorm(60), v = rnorm(60))
  for (theta in c(1e6, 1e8)) {
    d$k <- rnbinom(60, mu = 1e9 * exp(.2 * d$u), size = theta)
    expect_as_glm_nb(d)
  }
  d <- data.frame(u = rnorm(3000), v = rnorm(3000))
  d$k <- rnbinom(3000, mu = 50 * exp(.2 * d$u), size = .005)
  expect_as_glm_nb(d, 5e-3) # glm.nb() stops near the maximum
  # counts that vary less than Poisson counts have none
  d <- data.frame(u = rep(0:1, 30), v = rep(c(0, 0, 1), 20), k = rep(3:5, 20))
  fit <- tlcp(k ~ u + v, data = d, family = "negbin", select = FALSE)
  expect_equal(fit$theta, 1e12)
  expect_equal(coef(fit), coef(glm(k ~ u + v, poisson, d)), tolerance = 1e-6)
  expect_equal(vcov(fit), vcov(glm(k ~ u + v, poisson, d, epsilon = 1e-12)), tolerance = 1e-6)
})
