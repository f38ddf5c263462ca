# Does the likelihood have a maximum? By its definition it has none if some combination of the columns orders the rows
# as their responses are; slow steps of Newton's method, as of nearly collinear columns, are no sign of that.

lone <- function(x, y, family, ...) suppressMessages(tlcp(x, y, family = family, select = FALSE, ...))

other_fit <- function(x, y, family) {
  if (family == "cox") {
    return(suppressWarnings(survival::coxph(y ~ x, control = survival::coxph.control(eps = 1e-12, iter.max = 50))))
  }
  suppressWarnings(glm(y ~ x, family = family, epsilon = 1e-14, maxit = 100))
}

responses_of <- function(eta, n = length(eta)) {
  out <- list(binomial = rbinom(n, 1, plogis(eta)), poisson = rpois(n, exp(pmin(eta, 3))))
  if (requireNamespace("survival", quietly = TRUE)) {
    out$cox <- survival::Surv(ceiling(10 * rexp(n, exp(eta))), rbinom(n, 1, .7))
  }
  out
}

test_that("columns that are nearly collinear have the coefficients of glm() and coxph()", {
  for (seed in 1:10) for (near in c(1e-2, 3e-4, 5e-5)) {
    set.seed(seed)
    x <- matrix(rnorm(180), 60, dimnames = list(NULL, c("a", "b", "c")))
    z <- rnorm(60)
    x[, 3] <- x[, 1] + near * z
    y <- responses_of(x[, 1] / 2 + z / 2)
    for (family in names(y)) {
      fit <- lone(x, y[[family]], family)
      other <- other_fit(x, y[[family]], family)
      wanted <- if (family == "cox") coef(other) else coef(other)[-1]
      expect_equal(unname(coef(fit)[colnames(x)]), unname(wanted), tolerance = 1e-6)
      expect_equal(as.numeric(logLik(fit)), as.numeric(logLik(other)), tolerance = 1e-9)
    }
  }
  # a year and its square, and one weight in two units: the best subset by AIC, as all subsets fitted by glm() have it
  set.seed(1)
  d <- data.frame(year = rep(2018:2023, 40), kg = rnorm(240, 75, 15), other = rnorm(240))
  d <- transform(d, lb = round(kg * 2.20462, 2), square = year^2)
  d$y <- rbinom(240, 1, plogis((d$year - 2020) / 3 + (d$kg - 75) / 15))
  for (terms in list(c("year", "square", "other"), c("kg", "lb", "other"))) {
    fit <- suppressWarnings(tlcp(reformulate(terms, "y"), data = d, family = "binomial"))
    least <- naive_least_aic(terms, function(f) glm(update(f, y ~ .), binomial, d))
    expect_lt(AIC(fit) - least, .01)
  }
})

test_that("separated and quasi-separated responses are told, one overlapping row is not", {
  for (seed in 1:8) {
    set.seed(seed)
    n <- 40
    x <- matrix(rnorm(3 * n), n, dimnames = list(NULL, c("a", "b", "c")))
    x[, 3] <- x[, 1] + 1e-3 * rnorm(n) # nearly collinear besides
    side <- x[, 1] + x[, 2] > 0
    rare <- rep(0:1, c(n - 4, 4))
    y <- list(binomial = ifelse(side, 1, 0))
    quasi <- list(binomial = pmax(rbinom(n, 1, .5), rare), poisson = ifelse(rare == 1, 0, rpois(n, 2)))
    if (requireNamespace("survival", quietly = TRUE)) {
      y$cox <- survival::Surv(rank(-x[, 1] - x[, 2]), rep(1, n))
      quasi$cox <- survival::Surv(rexp(n), ifelse(rare == 1, 0, 1))
    }
    for (family in names(y)) {
      expect_error(lone(x, y[[family]], family), "no maximum", class = "transelect_error_family")
    }
    for (family in names(quasi)) {
      expect_error(lone(cbind(x[, 1:2], rare = rare), quasi[[family]], family), "no maximum")
      expect_true(all(is.finite(coef(lone(x[, 1:2], quasi[[family]], family)))))
    }
    # one row of the other side, near to the border: glm() needs steep slopes
    y <- as.numeric(side)
    close <- which.min(abs(x[, 1] + x[, 2]))
    y[close] <- 1 - y[close]
    expect_error(lone(x[, 1:2], y, "binomial", weights = replace(rep(1, n), close, 0)), "no maximum")
    other <- other_fit(x[, 1:2], y, "binomial")
    if (other$converged && max(abs(predict(other))) < 30) {
      expect_equal(unname(coef(lone(x[, 1:2], y, "binomial"))), unname(coef(other)), tolerance = 1e-6)
    }
  }
  # two overlapping rows at a distance of 1e-4
  x <- cbind(a = c(-3:-1, -5e-5, 5e-5, 1:3))
  y <- c(0, 0, 0, 1, 0, 1, 1, 1)
  expect_equal(unname(coef(lone(x, y, "binomial"))), unname(coef(other_fit(x, y, "binomial"))), tolerance = 1e-5)
})

test_that("moments(family = ) finds the same maxima", {
  set.seed(3)
  x <- matrix(rnorm(180), 60, dimnames = list(NULL, c("a", "b", "c")))
  z <- rnorm(60)
  x[, 3] <- x[, 1] + 1e-4 * z
  y <- responses_of(x[, 1] / 2 + z / 2)
  for (family in c("binomial", "poisson")) {
    site <- as.data.frame(moments(x, y[[family]], family = family))
    wanted <- coef(other_fit(x, y[[family]], family))
    expect_equal(site$estimate, unname(wanted), tolerance = 1e-5)
  }
  expect_error(moments(x, x[, 1] > 0, family = "binomial"), "no maximum", class = "transelect_error_family")
})
