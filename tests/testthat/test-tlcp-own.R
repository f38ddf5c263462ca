# The target's own fit in the mixture of intervals.

test_that("the own fit is least squares of the target's rows, with its weight in limits, variances and p-values", {
  d <- naive_family_data(4, n = 160)
  mine <- d[d$g == "1", ]
  for (units in c("own", "common")) {
    way <- function(own) {
      suppressMessages(tlcp(years ~ a + b + c, d, domain = g, target = "1", select = FALSE,
                            control = tlcp_control(units = units, own = own)))
    }
    plain <- way(0)
    fit <- way(.2)
    expect_identical(coef(fit), coef(plain))
    twin <- lm(years ~ a + b + c, mine)
    b <- coef(fit)
    # variances of the fit's residual variance, which is moderated
    s2 <- fit$borrowing$s2[[1]] * fit$response_scale[1]^2
    own_V <- vcov(twin) / sigma(twin)^2 * s2
    expect_equal(vcov(fit), .8 * vcov(plain) + .2 * (own_V + tcrossprod(coef(twin) - b)), ignore_attr = TRUE,
                 tolerance = 1e-6)
    limits <- confint(fit)
    without <- confint(plain)
    expect_true(all(limits[, 2] - limits[, 1] > without[, 2] - without[, 1]))
    # the share of each tail, from the plain mixture and Student's t
    tail_of <- function(term, at) {
      found <- tlcp_posterior_step_covariance(plain, NULL, NULL)
      row <- match(term, rownames(found$mixture$away))
      z <- (at - b[[term]] - found$mixture$away[row, ]) / sqrt(found$mixture$variance[row, ])
      .8 * sum(found$mixture$weights * pt(z, found$df)) +
        .2 * pt((at - coef(twin)[[term]]) / sqrt(own_V[term, term]), fit$borrowing$s2_df[[1]])
    }
    for (term in names(b)) {
      expect_equal(tail_of(term, limits[term, 1]), .025, tolerance = 1e-6)
      expect_equal(tail_of(term, limits[term, 2]), .975, tolerance = 1e-6)
    }
    p <- tidy(fit)$p.value
    expect_equal(p < .05, unname(limits[, 1] > 0 | limits[, 2] < 0))
  }
  # by default
  expect_equal(confint(way(.1)), confint(suppressMessages(tlcp(years ~ a + b + c, d, domain = g, target = "1",
                                                               select = FALSE,
                                                               control = tlcp_control(units = "common")))))
})

test_that("where the target's rows do not determine the columns the intervals are those of the posterior", {
  d <- draw_similar_domains(3, 3, 6, n = 30, apart = .2)
  keep <- d$domain != "a" | seq_along(d$y) %in% head(which(d$domain == "a"), 5)
  way <- function(own) {
    suppressMessages(tlcp(d$x[keep, ], d$y[keep], domain = d$domain[keep], target = "a", select = FALSE,
                          control = tlcp_control(own = own)))
  }
  expect_identical(confint(way(.5)), confint(way(0)))
})

test_that("a likelihood has the own fit of its quadratic, and a search that of the chosen columns", {
  d <- naive_family_data(5, n = 200)
  way <- function(own, ...) {
    suppressMessages(tlcp(died ~ a + b + c, d, family = "binomial", domain = g, target = "1",
                          control = tlcp_control(own = own), ...))
  }
  wide <- confint(way(.3, select = FALSE))
  expect_true(all(wide[, 2] - wide[, 1] > (function(x) x[, 2] - x[, 1])(confint(way(0, select = FALSE)))))
  expect_identical(rownames(vcov(way(.3))), rownames(vcov(way(0))))
  expect_error(tlcp_control(own = 2), class = "transelect_error_own")
})
