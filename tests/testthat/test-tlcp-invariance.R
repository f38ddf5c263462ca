# ---- what must not change when the data are written down differently

tlcp_variants <- function(d, x = d$x, y = d$y, domain = d$domain, target = d$target, ...) {
  fit <- function(...) {
    flat(tlcp)(x, y, domain = domain, target = target, sizes = TRUE, guard = FALSE, ...)
  }
  list(
    hierarchical = fit(...), shared = fit(support = "shared", ...),
    reml = fit(borrow = "reml", ...),
    plugin = fit(borrow = "plugin", support = "shared", ...), none = fit(borrow = "none", ...),
    cutoff = fit(method = "cutoff", borrow = "plugin", support = "shared", ...),
    bic = fit(criterion = "BIC", scales = FALSE, ...)
  )
}

# The same models: coefficients of a times the unit of a feature, for the domains named alike.
expect_same_tlcp <- function(fits, others, unit = 1, rename = identity, tolerance = 1e-5) {
  for (name in names(fits)) {
    a <- fits[[name]]
    b <- others[[name]]
    expect_identical(a$points$step, b$points$step, label = name)
    expect_identical(a$best, b$best, label = name)
    if (!identical(a$points$step, b$points$step)) next
    rows <- rownames(a$beta)
    for (domain in names(a$models)) {
      from <- as.matrix(a$models[[domain]]$beta)
      to <- as.matrix(b$models[[rename(domain)]]$beta)[rows, , drop = FALSE] * unit
      expect_lt(gap(from / sqrt(mean(from^2)), to / sqrt(mean(from^2))), tolerance)
    }
  }
}

test_that("the order of rows and of features does not matter", {
  for (kind in c("random", "correlated")) {
    d <- draw_similar_domains(1, 2, 6, kind)
    rows <- with_seed(1, sample(length(d$y)))
    columns <- with_seed(2, sample(6))
    fits <- tlcp_variants(d)
    expect_same_tlcp(fits, tlcp_variants(d, d$x[rows, ], d$y[rows], d$domain[rows]))
    expect_same_tlcp(fits, tlcp_variants(d, d$x[, columns]))
  }
})

test_that("the names and the order of the other domains do not matter", {
  d <- draw_similar_domains(2, 3, 6, apart = .1)
  rename <- function(name) c(a = "z", b = "b", c = "k")[[name]]
  one <- tlcp(d$x, d$y, domain = d$domain, target = "b", sizes = TRUE)
  two <- tlcp(d$x, d$y, domain = vapply(d$domain, rename, ""), target = "b", sizes = TRUE)
  expect_same_tlcp(list(one), list(two), rename = rename)
  expect_identical(names(one$models), c("b", "a", "c"))
  expect_identical(names(two$models), c("b", "k", "z"))
  numbers <- c(b = 7, a = 1, c = 30)[d$domain]
  three <- tlcp(d$x, d$y, domain = numbers, target = 7, sizes = TRUE)
  expect_equal(coef(three), coef(one))
  expect_identical(names(three$models), c("7", "1", "30"))
})

test_that("units of the features and of the response do not matter", {
  d <- draw_similar_domains(3, 2, 6, "correlated")
  unit <- c(1000, -1, 1, 1e-3, -2, 50)
  x <- d$x * rep(unit, each = nrow(d$x)) + 3
  fits <- tlcp_variants(d)
  other <- tlcp_variants(d, x)
  expect_same_tlcp(fits, other, unit)
  for (name in names(fits)) {
    expect_equal(predict(other[[name]], x[1:5, ]), predict(fits[[name]], d$x[1:5, ]),
                 tolerance = 1e-5)
  }
  scaled <- tlcp_variants(d, y = 1e4 - 1000 * d$y)
  for (name in names(fits)) {
    expect_identical(scaled[[name]]$best, fits[[name]]$best)
    expected <- 1e4 - 1000 * predict(fits[[name]], d$x[1:5, ])
    expect_equal(predict(scaled[[name]], d$x[1:5, ]), expected, tolerance = 1e-6)
    expect_equal(scaled[[name]]$steps$rss, 1e6 * fits[[name]]$steps$rss, tolerance = 1e-5)
    expect_equal(scaled[[name]]$borrowing$s2, fits[[name]]$borrowing$s2)
    expect_equal(scaled[[name]]$borrowing$lam, fits[[name]]$borrowing$lam)
  }
})

test_that("tiny and huge units do not matter either", {
  d <- draw_similar_domains(3, 2, 5)
  fits <- tlcp_variants(d)
  for (unit in c(1e-10, 1e10)) {
    expect_same_tlcp(fits, tlcp_variants(d, d$x * unit), unit)
    expect_same_tlcp(fits, tlcp_variants(d, y = d$y * unit), 1 / unit)
    far <- tlcp_variants(d, d$x + 1e7)
    expect_same_tlcp(fits, far)
  }
})

test_that("weights are lm()'s, scaled to mean one in every domain", {
  d <- draw_similar_domains(4, 2, 5)
  weights <- 1 + seq_along(d$y) %% 3
  fits <- tlcp_variants(d, weights = weights)
  expect_same_tlcp(fits, tlcp_variants(d, weights = 10 * weights))
  by_domain <- c(a = 7, b = 0.1)[d$domain]
  expect_same_tlcp(fits, tlcp_variants(d, weights = weights * by_domain))
  expect_same_tlcp(tlcp_variants(d), tlcp_variants(d, weights = by_domain))
  rows <- d$domain == "b"
  w <- weights[rows] / mean(weights[rows])
  own <- summary(lm(d$y[rows] ~ d$x[rows, ], weights = w))
  spread <- sum(w * (d$y[rows] - weighted.mean(d$y[rows], w))^2) / (sum(rows) - 1)
  fit <- tlcp(d$x, d$y, domain = d$domain, target = "b", weights = weights, borrow = "none",
              sizes = TRUE)
  expect_equal(fit$borrowing$s2[["b"]], own$sigma^2 / spread)
  expect_equal(coef(fit, step = 5), own$coefficients[, 1], ignore_attr = TRUE)
  expect_equal(fit$steps$rss[6], sum(own$residuals^2))
})

test_that("coefficients of a given set are those of rows written as often as they weigh", {
  d <- draw_similar_domains(4, 2, 5)
  weights <- 1 + seq_along(d$y) %% 3
  rows <- rep(seq_along(d$y), weights)
  one <- tlcp(d$x, d$y, domain = d$domain, target = "b", weights = weights, borrow = "none",
              sizes = TRUE)
  two <- tlcp(d$x[rows, ], d$y[rows], domain = d$domain[rows], target = "b", borrow = "none",
              sizes = TRUE)
  expect_equal(as.matrix(one$beta), as.matrix(two$beta))
})

test_that("a row of weight zero is a row left out", {
  d <- draw_similar_domains(4, 2, 5)
  weights <- 1 + seq_along(d$y) %% 3
  out <- c(3, 9)
  expect_same_tlcp(
    tlcp_variants(d, weights = replace(weights, out, 0)),
    tlcp_variants(d, d$x[-out, ], d$y[-out], d$domain[-out], weights = weights[-out])
  )
})

test_that("columns of two values are centred, not scaled", {
  d <- draw_similar_domains(6, 2, 5)
  d$x[, 2] <- d$x[, 2] > 0.3
  d$x[, 4] <- d$x[, 4] > 0
  for (units in c("own", "common")) {
    fit <- tlcp(d$x, d$y, domain = d$domain, target = "b", sizes = TRUE, control = tlcp_control(units = units))
    domains <- naive_domains_of_fit(fit, d)
    expect_identical(domains[[1]]$scale[c(2, 4)], c(x2 = 1, x4 = 1))
    s <- fit$borrowing
    expect_equal(s$loglik, naive_loglik(domains, s$tau2, s$omega2, s$scales, TRUE, s$kappa2))
  }
})

test_that("without scaling and without intercept", {
  d <- draw_similar_domains(7, 2, 5)
  for (standardize in c(TRUE, FALSE)) {
    for (intercept in c(TRUE, FALSE)) {
      domains <- naive_domain_rows(d$x, d$y, d$domain, "b", standardize, intercept)
      fit <- tlcp(d$x, d$y, domain = d$domain, target = "b", borrow = "plugin",
                  control = tlcp_control(guard = FALSE, support = "shared"), sizes = TRUE, standardize = standardize,
                  intercept = intercept)
      twin <- naive_exact(naive_problem(domains, naive_borrowing(domains, "plugin")), "shared")
      expect_identical(unname(which(fit$beta[, match(fit$best, fit$points$step)] != 0)), twin$S)
      w <- naive_fit(naive_problem(domains, naive_borrowing(domains, "plugin")), twin$S, "shared")$w
      for (t in 1:2) {
        own <- naive_original(domains[[t]], w[, t])
        expect_lt(gap(as.matrix(fit$models[[t]]$beta)[, match(fit$best, fit$points$step)],
                      own$beta), 1e-7)
        if (!intercept) expect_identical(unique(fit$models[[t]]$a0), 0)
      }
    }
  }
})
