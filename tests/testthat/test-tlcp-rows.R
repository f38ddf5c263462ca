# ---- tlcp() with fewer rows than features: the answers of moments, from kernels of the rows

# Fewer rows than features; `odd`: weights, columns that are constant in a domain or everywhere, twins, zeros and ones.
few_rows <- function(seed, n = c(8, 12, 3), p = 30, odd = FALSE) {
  set.seed(seed)
  domain <- rep(seq_along(n), n)
  x <- matrix(rnorm(sum(n) * p), ncol = p, dimnames = list(NULL, paste0("v", seq_len(p))))
  if (odd) {
    x[, 5] <- rbinom(nrow(x), 1, .4)
    x[domain == 1, 1:3] <- 1
    x[, 4] <- 3
    x[, 8] <- x[, 7]
  }
  own <- matrix(rnorm(p * length(n), sd = .2), p)
  y <- rowSums(x * t(rnorm(p) * rbinom(p, 1, .3) + own)[domain, ]) + rnorm(nrow(x)) + domain
  list(x = x, y = y, domain = domain, target = "1", weights = if (odd) runif(nrow(x), .3, 2))
}

from_rows <- function(...) suppressMessages(tlcp(..., select = FALSE))
from_moments <- function(x, y, ...) suppressMessages(tlcp(moments(x, y, ...), target = "1", select = FALSE))

test_that("the borrowing prior maximises the dense likelihood of the rows, and coefficients are its posterior means", {
  d <- few_rows(1)
  fit <- from_rows(d$x, d$y, domain = d$domain, target = "1", control = tlcp_control(units = "common", guard = FALSE))
  expect_false(is.null(fit$posterior[[1]]$rows))
  own <- fit$borrowing
  domains <- naive_domains_of_fit(fit, d, s2 = own$s2)
  at <- function(by) {
    naive_loglik_rows(domains, own$tau2 * exp(by[1:3]), own$omega2 * exp(by[4]), own$scales, TRUE,
                      own$kappa2 * exp(by[5]))
  }
  expect_equal(own$loglik, at(numeric(5)), tolerance = 1e-8)
  for (away in 1:5) {
    low <- c(rep(1e-6, 3), 1e-5, 1e-6)[away] >= c(own$tau2, own$omega2, own$kappa2)[away] * (1 - 1e-9)
    for (by in c(if (!low) -.05, .05)) expect_lt(at(replace(numeric(5), away, by)), own$loglik + 1e-9)
  }
  post <- naive_posterior(domains, own$tau2, own$omega2, own$scales, own$kappa2)
  for (t in 1:3) {
    w <- (post$b + post$u[, t]) * c(sqrt(own$scales), 1)
    expect_equal(unname(fit$models[[t]]$beta[, 2]), unname(naive_original(domains[[t]], w)$beta), tolerance = 1e-8)
  }
})

test_that("rows and moments give the same fit, standard errors and table of what was borrowed", {
  calls <- list(plain = few_rows(2), odd = few_rows(3, odd = TRUE), apart = few_rows(4, n = c(10, 15), p = 26))
  calls$apart$y[11:25] <- calls$apart$y[11:25] + 500 # a level of its own
  for (d in calls) {
    mine <- from_rows(d$x, d$y, domain = d$domain, target = "1", weights = d$weights)
    wanted <- from_moments(d$x, d$y, domain = d$domain, weights = d$weights)
    for (part in c("models", "common", "steps", "borrowing", "borrowed")) {
      expect_equal(mine[[part]], wanted[[part]], tolerance = 1e-7)
    }
    expect_equal(vcov(mine), vcov(wanted), tolerance = 1e-7)
    expect_equal(vcov(mine, step = 0), vcov(wanted, step = 0), tolerance = 1e-7)
    expect_equal(confint(mine), confint(wanted), tolerance = 1e-7)
    expect_equal(summary(mine)$shares, summary(wanted)$shares, tolerance = 1e-6)
    expect_identical(capture.output(print(mine)), capture.output(print(wanted)))
  }
})

test_that("a search, and features that are left out or listed near the best set, are those of moments", {
  d <- few_rows(6, n = c(9, 7), p = 20, odd = TRUE)
  mine <- suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = "1", weights = d$weights,
                                control = tlcp_control(drop = 9), within = .5))
  wanted <- suppressMessages(tlcp(moments(d$x, d$y, domain = d$domain, weights = d$weights), target = "1",
                                  control = tlcp_control(drop = 9),
                                  within = .5))
  for (part in c("models", "steps", "borrowing", "borrowed", "selected")) {
    expect_equal(mine[[part]], wanted[[part]], tolerance = 1e-7)
  }
  expect_equal(mine$within, wanted$within, tolerance = 1e-7, ignore_attr = TRUE)
  expect_equal(confint(mine), confint(wanted), tolerance = 1e-7)
  all <- from_rows(d$x, d$y, domain = d$domain, target = "1", control = tlcp_control(drop = 9))
  same <- suppressMessages(tlcp(moments(d$x, d$y, domain = d$domain), target = "1",
                                control = tlcp_control(drop = 9), select = FALSE))
  expect_equal(all$models, same$models, tolerance = 1e-7)
  expect_equal(coef(all)[["v9"]], 0)
  wide <- few_rows(7, n = c(4, 4), p = 5001)
  expect_error(tlcp(wide$x, wide$y, domain = wide$domain, target = "1"), "5001 features", class = "transelect_error_x")
})

test_that("far-out values are left where no domain has degrees of freedom to tell by", {
  d <- few_rows(8)
  d$x[1, 1] <- 100
  expect_null(from_rows(d$x, d$y, domain = d$domain, target = "1")$tails)
})

test_that("many domains have the same likelihood ratio by rows and by moments", {
  d <- list(domain = factor(rep(1:65, each = 4)), target = "1")
  set.seed(65)
  d$x <- matrix(rnorm(260 * 3), ncol = 3)
  d$y <- rowSums(d$x * (1 + c(0, 3)[1 + (d$domain == "9")])) + rnorm(260)
  frame <- frame_default(d$x, d$y, domain = d$domain)
  cells <- frame_moments_cells(frame, "1", NULL)
  sums <- moments_rows_domain_sums(cells, TRUE)
  rows <- tlcp_rows_sums(frame, "1", TRUE, NULL)
  expect_equal(rows[names(rows) != "rows"], sums[intersect(names(rows), names(sums))], tolerance = 1e-12)
  by <- lapply(list(sums, rows), function(sums) {
    tlcp_prior_sharing(tlcp_units_domains(sums, "common", TRUE, NULL), rep(1, 65))
  })
  expect_equal(by[[2]][c("lr", "tau2")], by[[1]][c("lr", "tau2")], tolerance = 1e-6)
})

test_that("of very many features standard errors are had, and their covariance matrix is refused", {
  d <- few_rows(5, n = c(6, 6), p = 5001)
  fit <- from_rows(d$x, d$y, domain = d$domain, target = "1", control = tlcp_control(scales = FALSE))
  expect_error(vcov(fit), class = "transelect_error_object")
  limits <- confint(fit)
  expect_identical(dim(limits), c(5002L, 2L))
  expect_true(all(limits[, 1] < limits[, 2]))
})

test_that("the residual variance of nearly as many columns as rows keeps its digits", {
  set.seed(1)
  x <- matrix(rnorm(30 * 28), 30)
  x[, 5:28] <- x[, 5:28] / 10 + x[, 1:4] %*% matrix(rnorm(4 * 24), 4)
  x <- scale(cbind(x, 0, 0), scale = FALSE)
  y <- drop(x %*% rnorm(30)) + rnorm(30) / 1000
  y <- y - mean(y)
  domain <- list(X = x, y = y, yy = sum(y^2), n = 30, level = FALSE, g = drop(crossprod(x, y)))
  fit <- transelect:::tlcp_rows_least_squares(domain, TRUE)
  wanted <- lm.fit(x[, 1:28], y)
  expect_equal(fit$df, 1)
  expect_equal(fit$rss, sum(wanted$residuals^2), tolerance = 1e-9) # of the moments alone: 3e-7
  expect_equal(fit$coef, c(wanted$coefficients, 0, 0), ignore_attr = TRUE, tolerance = 1e-10)
})
