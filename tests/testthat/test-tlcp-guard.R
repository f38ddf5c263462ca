# guard = "cv": the average with the target's own best subset, against its formulas.

guard_cv_fit <- function(d, ..., guard = "cv") {
  suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = "b", select = FALSE,
                        control = tlcp_control(guard = guard, fences = FALSE), ...))
}

# The best subset by Cp of rows with weights w, every subset in turn: intercept and slopes.
naive_best_cp <- function(x, y, w) {
  full <- lm(y ~ x, weights = w)
  s2 <- sum(w * full$residuals^2) / full$df.residual
  all <- naive_subsets(ncol(x))
  fits <- apply(all, 1, function(inside) {
    fit <- lm.wfit(cbind(1, x[, inside, drop = FALSE]), y, w)
    list(cp = sum(w * fit$residuals^2) / s2 + 2 * sum(inside),
         coef = replace(numeric(ncol(x) + 1), c(TRUE, inside), unname(fit$coefficients)))
  })
  fits[[which.min(vapply(fits, `[[`, 0, "cp"))]]$coef
}

# The weight of the best subset, with the average's coefficients.
naive_guard_cv <- function(d, weights = NULL) {
  own <- which(d$domain == "b")
  w <- if (is.null(weights)) rep(1, length(d$y)) else weights
  x <- cbind(1, d$x[own, ])
  borrow <- function(rows) {
    coef(guard_cv_fit(list(x = d$x[rows, ], y = d$y[rows], domain = d$domain[rows]), guard = .2,
                      weights = if (!is.null(weights)) w[rows]))
  }
  alone <- function(rows) naive_best_cp(d$x[rows, ], d$y[rows], w[rows])
  folds <- rep_len(c(1:10, 10:1), length(own))[rank(d$y[own])]
  held <- t(vapply(seq_along(own), function(i) {
    out <- own[folds == folds[i]]
    c(sum(x[i, ] * borrow(setdiff(seq_along(d$y), out))), sum(x[i, ] * alone(setdiff(own, out))))
  }, numeric(2)))
  fit <- guard_cv_fit(d, guard = .2, weights = weights)
  s2 <- fit$borrowing$s2[["b"]] * fit$response_scale[["b"]]^2
  a <- (ncol(d$x) / 2 + 20 * max(fit$borrowing$lr, 0)) * s2
  v <- w[own] / mean(w[own])
  loss <- function(u) sum(v * (d$y[own] - held %*% c(u, 1 - u))^2) + a * (1 - u)^2
  u <- optimize(loss, c(0, 1), tol = 1e-10)$minimum
  list(weight = 1 - u, coef = unname(u * coef(fit) + (1 - u) * alone(own)))
}

few_and_alike <- function(seed, n = 24) {
  d <- draw_similar_domains(seed, 3, 5, n = n, apart = 0)
  own <- d$domain == "b"
  d$y[own] <- with_seed(seed, drop(d$x[own, ] %*% c(1, -1, 0, 0, 0)) + rnorm(sum(own)))
  d$y[!own] <- with_seed(seed + 1, drop(d$x[!own, ] %*% rep(c(0, .5), c(2, 3))) + rnorm(sum(!own)))
  d
}

test_that("weight and coefficients are those of refits to rows", {
  d <- few_and_alike(1)
  fit <- guard_cv_fit(d)
  twin <- naive_guard_cv(d)
  expect_gt(twin$weight, .05)
  expect_lt(twin$weight, 1)
  expect_equal(fit$borrowing$cv$weight, twin$weight, tolerance = 1e-5)
  expect_equal(unname(coef(fit)), twin$coef, tolerance = 1e-5)
  expect_equal(sum(fit$borrowing$units_weights), 1)
  # with weights of rows
  w <- with_seed(3, runif(length(d$y), .5, 2))
  fit <- guard_cv_fit(d, weights = w)
  twin <- naive_guard_cv(d, w)
  expect_equal(fit$borrowing$cv$weight, twin$weight, tolerance = 1e-5)
  expect_equal(unname(coef(fit)), twin$coef, tolerance = 1e-5)
})

test_that("the generator is untouched, the order of rows and an offset change nothing, verbs agree", {
  d <- few_and_alike(1)
  set.seed(1)
  before <- .Random.seed
  fit <- guard_cv_fit(d)
  expect_identical(.Random.seed, before)
  b <- coef(fit)
  again <- rev(seq_along(d$y))
  expect_equal(coef(guard_cv_fit(list(x = d$x[again, ], y = d$y[again], domain = d$domain[again]))), b)
  shift <- seq_along(d$y) / 7
  moved <- guard_cv_fit(list(x = d$x, y = d$y + shift, domain = d$domain), offset = shift)
  expect_equal(coef(moved), b)
  expect_equal(predict(fit, d$x[1:3, ], domain = "b"), drop(cbind(1, d$x[1:3, ]) %*% b), ignore_attr = TRUE)
  # the own part has the variances of least squares, and the squares of its distance from them
  error <- sqrt(diag(vcov(fit)))
  limits <- confint(fit)
  expect_true(all(is.finite(limits)) && all(limits[, 1] < b & b < limits[, 2]))
  expect_equal(tidy(fit)$std.error, unname(error)[match(tidy(fit)$term, names(error))])
  expect_output(print(fit), "own best subset \\(.*\\) has weight 0[.]")
  expect_output(print(summary(fit)), "own best subset")
  parts <- lapply(fit$posterior, function(one) tlcp_posterior_mixtures(one, 2L)[[1]]$V)
  own <- d$domain == "b"
  squares <- lm(d$y[own] ~ d$x[own, ])
  s2 <- fit$borrowing$s2[["b"]] * fit$response_scale[["b"]]^2
  mine <- fit$posterior[[length(parts)]]$mean[, 2]
  expect_equal(parts[[length(parts)]], unname(vcov(squares)) * s2 / sigma(squares)^2 +
                 tcrossprod(unname(coef(squares)) - mine), tolerance = 1e-6, ignore_attr = TRUE)
})

test_that("domains that are alike leave the own subset without weight", {
  d <- draw_similar_domains(5, 3, 6, n = 40, apart = 0)
  fit <- guard_cv_fit(d)
  expect_equal(fit$borrowing$cv$weight, 0)
  expect_equal(coef(fit), coef(guard_cv_fit(d, guard = .2)))
})

test_that("keep, drop, groups and a given variance reach the own subset; too few rows have none", {
  d <- few_and_alike(2)
  colnames(d$x) <- letters[1:5]
  fit <- guard_cv_fit(d, keep = "e", groups = c(1, 1, 2, 2, 3))
  chosen <- fit$borrowing$cv$selected
  expect_true("e" %in% chosen)
  expect_identical("a" %in% chosen, "b" %in% chosen)
  dropped <- suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = "b", select = FALSE,
                                   control = tlcp_control(guard = "cv", drop = "a", sigma2 = c(1, 2, 3))))
  expect_false("a" %in% dropped$borrowing$cv$selected)
  expect_equal(coef(dropped)[["a"]], 0)
  expect_true(all(is.finite(confint(dropped)[-2, ])))
  expect_identical(names(coef(dropped)), c("(Intercept)", letters[1:5]))
  none <- suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = "b", select = FALSE, intercept = FALSE,
                                control = tlcp_control(guard = "cv")))
  expect_equal(coef(none)[["(Intercept)"]], 0)
  short <- c(which(d$domain == "b")[1:3], which(d$domain != "b"))
  expect_message(
    expect_message(tlcp(d$x[short, ], d$y[short], domain = d$domain[short], target = "b", select = FALSE,
                        control = tlcp_control(guard = "cv")), "3 rows", class = "transelect_message_guard"),
    "residual variance"
  )
  twin <- cbind(d$x, f = d$x[, 1])
  expect_message(tlcp(twin, d$y, domain = d$domain, target = "b", select = FALSE,
                      control = tlcp_control(guard = "cv")), "combination", class = "transelect_message_guard")
})

test_that("what guard = \"cv\" is not there for is refused", {
  d <- few_and_alike(1)
  fit <- function(..., y = d$y, select = FALSE) {
    tlcp(d$x, y, domain = d$domain, target = "b", select = select, control = tlcp_control(guard = "cv"), ...)
  }
  expect_error(fit(select = TRUE), class = "transelect_error_guard", "select = FALSE")
  expect_error(fit(y = d$y > 0, family = "binomial"), class = "transelect_error_guard")
  expect_error(fit(borrow = "aggregate"), class = "transelect_error_guard")
  m <- moments(d$x, d$y, domain = d$domain)
  expect_error(tlcp(m, target = "b", select = FALSE, control = tlcp_control(guard = "cv")),
               class = "transelect_error_guard", "rows")
  expect_error(tlcp_control(guard = "loo"), class = "transelect_error_guard")
})
