# ---- method = "cutoff": Algorithms 1 and 2 done literally

cutoff_best <- function(fit, t = 1) {
  at <- match(fit$best, fit$points$step)
  c(fit$models[[t]]$a0[at], as.matrix(fit$models[[t]]$beta)[, at])
}

test_that("Gram-Schmidt of the twin makes columns of norm sqrt(n)", {
  d <- draw_similar_domains(1, 2, 5, "correlated")
  domains <- naive_domain_rows(d$x, d$y, d$domain, "b")
  ortho <- naive_gram_schmidt(domains, 5:1)
  for (t in 1:2) {
    z <- domains[[t]]$x %*% ortho$state[[t]]$Q
    expect_equal(z, ortho$state[[t]]$z)
    expect_equal(crossprod(z), diag(domains[[t]]$n, 5))
  }
})

test_that("several domains: models, criterion and choice are the twin's", {
  for (n_domains in 1:3) {
    for (kind in c("random", "correlated", "near")) {
      d <- draw_similar_domains(10 + n_domains, n_domains, 6, kind)
      for (borrow in if (n_domains == 1) "none" else c("plugin", "pooled", "hierarchical")) {
        if (n_domains == 1) {
          fit <- tlcp(d$x, d$y, method = "cutoff")
          domains <- naive_domain_rows(d$x, d$y)
        } else {
          fit <- tlcp(d$x, d$y, domain = d$domain, target = "b", method = "cutoff",
                      borrow = borrow, control = tlcp_control(support = "shared", guard = FALSE))
          domains <- naive_domain_rows(d$x, d$y, d$domain, "b")
        }
        twin <- naive_cutoff(domains, naive_borrowing_of(fit, 6))
        label <- paste(n_domains, kind, borrow)
        at <- match(fit$best, fit$points$step)
        expect_identical(unname(which(fit$beta[, at] != 0)), twin$S[twin$w[twin$S, 1] != 0],
                         label = label)
        expect_equal(diff(fit$steps$criterion), diff(twin$criterion), tolerance = 1e-6,
                     label = label)
        for (t in seq_len(n_domains)) {
          w <- replace(rep(0, 6), twin$S, twin$w[twin$S, t])
          own <- naive_original(domains[[t]], w)
          expect_lt(gap(cutoff_best(fit, t), c(own$a0, own$beta)), 1e-6)
        }
      }
    }
  }
})

test_that("the borrowing prior is that of the orthogonal columns", {
  for (n_domains in 2:3) {
    d <- draw_similar_domains(10 + n_domains, n_domains, 6, "correlated")
    domains <- naive_domain_rows(d$x, d$y, d$domain, "b")
    whole <- naive_rotated(domains, naive_gram_schmidt(domains, naive_cutoff_order(domains)))
    df <- vapply(domains, function(domain) domain$n - 7, 1)
    moderated <- naive_residual_variances(vapply(domains, `[[`, 1, "rss"), df)
    for (borrow in c("plugin", "pooled", "hierarchical")) {
      rotated <- whole
      if (borrow == "hierarchical") {
        rotated <- Map(function(domain, s2) replace(domain, "s2", s2), rotated, moderated)
      }
      fit <- tlcp(d$x, d$y, domain = d$domain, target = "b", method = "cutoff", borrow = borrow,
                  control = tlcp_control(support = "shared", guard = FALSE))
      twin <- naive_borrowing(rotated, borrow, support = "shared")
      own <- naive_borrowing_of(fit, 6)
      label <- paste(n_domains, borrow)
      expect_equal(unname(own$own), unname(twin$own), tolerance = 1e-3, label = label)
      expect_equal(unname(own$common), unname(twin$common), tolerance = 1e-3, label = label)
      expect_equal(unname(own$pen), unname(twin$pen), tolerance = 1e-4, label = label)
    }
  }
})

test_that("a column that is a copy of others is left out", {
  d <- draw_similar_domains(2, 2, 5)
  x <- cbind(d$x, x6 = d$x[, 1] + d$x[, 2])
  fit <- suppressMessages(suppressWarnings(
    tlcp(x, d$y, domain = d$domain, target = "b", method = "cutoff", borrow = "hierarchical")
  ))
  expect_true(all(is.finite(as.matrix(fit$beta))))
  expect_lt(sum(fit$beta[, ncol(fit$beta)] != 0), 6)
})

test_that("more features than rows: projection", {
  d <- draw_similar_domains(3, 1, 30, n = 14)
  domains <- naive_domain_rows(d$x, d$y)
  domains[[1]]$s2 <- 0.5
  s2 <- 0.5 * domains[[1]]$y_scale^2
  fit <- suppressMessages(tlcp(d$x, d$y, method = "cutoff", control = tlcp_control(sigma2 = s2)))
  borrowing <- list(lam = 2, own = matrix(Inf, 30), common = rep(Inf, 30), pen = rep(2, 30))
  twin <- naive_cutoff(domains, borrowing, ortho = naive_projection(domains))
  w <- replace(rep(0, 30), twin$S, twin$w[twin$S, 1])
  own <- naive_original(domains[[1]], w)
  expect_lt(gap(cutoff_best(fit), c(own$a0, own$beta)), 1e-6)
})

test_that("more features than rows in two domains that share their x", {
  d <- draw_similar_domains(4, 1, 30, n = 14)
  x <- rbind(d$x, d$x)
  y <- c(d$y, d$y + with_seed(1, rnorm(14)) / 5)
  domain <- rep(c("b", "a"), each = 14)
  hand <- list(lam = c(2, 2), v = 3, pen = 2)
  domains <- naive_domain_rows(x, y, domain, "b", sigma2 = c(0.5, 0.5))
  unit <- vapply(domains, `[[`, 1, "y_scale")^2
  fit <- tlcp(x, y, domain = domain, target = "b", method = "cutoff", borrow = hand,
              control = tlcp_control(support = "shared", sigma2 = 0.5 * unit))
  borrowing <- naive_borrowing(domains, hand)
  twin <- naive_cutoff(domains, borrowing, ortho = naive_projection(domains))
  for (t in 1:2) {
    w <- replace(rep(0, 30), twin$S, twin$w[twin$S, t])
    own <- naive_original(domains[[t]], w)
    expect_lt(gap(cutoff_best(fit, t), c(own$a0, own$beta)), 1e-6)
  }
})

test_that("rows and second moments are scaled alike", {
  d <- draw_similar_domains(21, 3, 5)
  d$x[, 2] <- d$x[, 2] > 0
  d$x[d$domain == "a", 4] <- 7
  weights <- with_seed(22, runif(length(d$y), .5, 2))
  frame <- frame_default(d$x, d$y, weights = weights, domain = d$domain)
  scaled <- list(own = list(standardize = TRUE, units = "own"), y = list(standardize = FALSE, borrow = "pooled"),
                 none = list(standardize = FALSE, borrow = list()))
  for (scaling in names(scaled)) {
    for (intercept in c(TRUE, FALSE)) {
      settings <- c(scaled[[scaling]], intercept = intercept)
      rows <- cutoff_scaled_rows(frame, "b", settings, NULL)
      domains <- tlcp_domain_moments(moments_rows_domain_sums(frame_moments_cells(frame, "b", NULL), intercept),
                                     scaling, NULL)
      expect_identical(names(rows), names(domains))
      for (t in names(rows)) {
        label <- paste(scaling, intercept, t)
        same <- c("n", "x_mean", "y_mean", "x_scale", "y_scale")
        expect_equal(lapply(rows[[t]][same], unname), domains[[t]][same], label = label)
        expect_equal(crossprod(rows[[t]]$X), domains[[t]]$G, ignore_attr = TRUE, label = label)
        expect_equal(drop(crossprod(rows[[t]]$X, rows[[t]]$y)), domains[[t]]$g, ignore_attr = TRUE,
                     label = label)
      }
    }
  }
})

test_that("the cutoff does not depend on the order of rows and columns", {
  for (seed in 1:25) {
    d <- draw_similar_domains(seed, 2, 5, c("random", "correlated")[1 + seed %% 2], n = 9, apart = 1)
    run <- function(i, j) {
      suppressMessages(tlcp(d$x[i, j], d$y[i], domain = d$domain[i], target = "b",
                            method = "cutoff", control = tlcp_control(guard = FALSE)))
    }
    one <- run(seq_along(d$y), 1:5)
    for (k in 1:3) {
      order <- with_seed(k, list(i = sample(length(d$y)), j = sample(5)))
      two <- run(order$i, order$j)
      expect_equal(two$borrowing$loglik, one$borrowing$loglik, tolerance = 1e-6)
      expect_equal(coef(two)[names(coef(one))], coef(one), tolerance = 1e-4)
    }
  }
})

test_that("near n = p noise is not blown up", {
  worst <- 0
  for (seed in 1:15) {
    d <- with_seed(seed, {
      x <- matrix(rnorm(153 * 12), 153, dimnames = list(NULL, paste0("x", 1:12)))
      y <- drop(x %*% rnorm(12)) + rnorm(153)
      list(x = x, y = y, new = 54:153, domain = rep(c("a", "b", "new"), c(13, 40, 100)))
    })
    fit <- suppressMessages(tlcp(d$x[1:53, ], d$y[1:53], domain = d$domain[1:53], target = "a",
                                 method = "cutoff"))
    worst <- max(worst, mean((d$y[d$new] - predict(fit, d$x[d$new, ]))^2) / var(d$y[d$new]))
  }
  expect_lt(worst, 10)
})

test_that("with two rows more than features noise is not blown up either", {
  # squared errors of predictions with a noise of 1; with all directions the worst are 283 and 341
  worst <- c(borrowed = 0, alone = 0)
  for (seed in 2201:2225) {
    d <- with_seed(seed, {
      x <- matrix(rnorm(222 * 20), 222)
      y <- drop(x[, 1:4] %*% c(2, -2, 1, 1)) + rnorm(222)
      list(x = x, y = y, domain = rep(c("a", "b"), c(22, 200)), new = matrix(rnorm(500 * 20), 500))
    })
    error <- function(rows, ...) {
      fit <- suppressMessages(tlcp(d$x[rows, ], d$y[rows], method = "cutoff", ...))
      mean((predict(fit, d$new) - drop(d$new[, 1:4] %*% c(2, -2, 1, 1)))^2)
    }
    worst <- pmax(worst, c(error(1:222, domain = d$domain, target = "a"), error(1:22, borrow = "none")))
  }
  expect_lt(max(worst), 60)
})

test_that("directions are left out near n = p alone, and where no feature is asked for by name", {
  d <- with_seed(1, list(x = matrix(rnorm(40 * 6), 40), y = rnorm(40)))
  near <- cbind(d$x, d$x[, 1] + 1e-3 * d$x[, 2] + 1e-3 * rev(d$x[, 3]))
  full <- function(rows, ...) {
    unname(coef(tlcp(near[rows, ], d$y[rows], method = "cutoff", borrow = "none", select = FALSE, ...)))
  }
  least_squares <- function(rows) unname(coef(lm(d$y[rows] ~ near[rows, ])))
  expect_equal(full(1:40), least_squares(1:40), tolerance = 1e-6)
  expect_equal(full(1:9, criterion = "AIC"), least_squares(1:9), tolerance = 1e-6)
  expect_lt(max(abs(full(1:9))), 1e-2 * max(abs(least_squares(1:9))))
})

test_that("a column that is constant in the target is no obstacle near n = p", {
  d <- with_seed(3, list(x = matrix(rnorm(60 * 5), 60), y = rnorm(60), domain = rep(c("a", "b"), c(8, 52))))
  d$x[1:8, 2] <- 1
  expect_s3_class(tlcp(d$x[, -2], d$y, domain = d$domain, target = "a", method = "cutoff"), "tlcp")
  fit <- suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = "a", method = "cutoff"))
  expect_true(all(is.finite(coef(fit))))
})

test_that("constant columns are not counted near n = p, and are left out by name", {
  d <- with_seed(6, list(x = named_columns(rnorm(420), 60, "x"), y = rnorm(60), domain = rep(c("a", "b"), c(15, 45))))
  d$x[, 6] <- d$x[, 7] + d$x[, 6] / 20 # a direction with little variance
  one <- function(x, ...) tlcp(x, d$y, domain = d$domain, target = "a", method = "cutoff", ...)
  a <- one(d$x) # 14 degrees of freedom, 7 features
  expect_message(b <- one(cbind(d$x, k = 3)), 'Leaving out "k": constant', fixed = TRUE)
  expect_equal(coef(b)[names(coef(a))], coef(a))
  expect_identical(b$steps$entered, a$steps$entered)
  few <- c(1:6, 16:60)
  expect_error(tlcp(cbind(d$x, k = 3)[few, ], d$y[few], domain = d$domain[few], target = "a", method = "cutoff",
                    keep = "k"), "constant")
})

# ---- nearly collinear columns -------------------------------------------------------------------

# Positions that stay, by least squares with an intercept: each column on those kept before it.
naive_apart <- function(x, order, share) {
  kept <- integer()
  for (j in order) {
    left <- residuals(if (length(kept)) lm(x[, j] ~ x[, kept]) else lm(x[, j] ~ 1))
    if (sum(left^2) > share * sum((x[, j] - mean(x[, j]))^2)) kept <- c(kept, j)
  }
  kept
}

near_copies <- function(seed, domains = 1) {
  d <- draw_similar_domains(seed, max(domains, 2), 5)
  if (domains == 1) {
    at <- d$domain == "b"
    d <- list(x = d$x[at, ], y = d$y[at], domain = d$domain[at])
  }
  n <- nrow(d$x)
  with_seed(seed, {
    d$x <- cbind(d$x, near1 = d$x[, 1] + rnorm(n, sd = .05), near12 = d$x[, 1] - d$x[, 2] + rnorm(n, sd = .02),
                 far = d$x[, 3] + rnorm(n, sd = 1))
  })
  d
}

test_that("of nearly collinear columns one stays, and the fit is that of the columns that stay", {
  for (seed in 1:4) for (domains in 1:2) for (share in c(.01, .1, .9)) {
    d <- near_copies(seed, domains)
    target <- d$domain == "b"
    run <- function(x, ...) suppressWarnings(if (domains == 1) {
      tlcp(x, d$y, method = "cutoff", ...)
    } else {
      flat(tlcp)(x, d$y, domain = d$domain, target = "b", method = "cutoff", borrow = "plugin", guard = FALSE, ...)
    })
    order <- order(-abs(cor(d$x[target, ], d$y[target])))
    kept <- order
    for (domain in unique(c("b", d$domain))) {
      rows <- d$domain == domain
      kept <- naive_apart(d$x[rows, ], kept, share)
    }
    kept <- sort(kept)
    if (length(kept) < ncol(d$x)) {
      expect_message(fit <- run(d$x, control = tlcp_control(collinear = share)), "nearly a combination of others")
    } else {
      fit <- run(d$x, control = tlcp_control(collinear = share))
    }
    twin <- run(d$x[, kept, drop = FALSE])
    b <- coef(fit)
    expect_equal(b[names(coef(twin))], coef(twin), tolerance = 1e-7)
    expect_true(all(b[setdiff(names(b), names(coef(twin)))] == 0))
  }
})

test_that("columns to be kept come first, columns to be dropped last, and the order of columns does not matter", {
  d <- near_copies(7)
  quiet <- function(...) suppressMessages(flat(tlcp)(..., method = "cutoff", collinear = .05))
  kept <- quiet(d$x, d$y, keep = "near1")
  expect_true(coef(kept)["near1"] != 0)
  expect_identical(unname(coef(kept)["x1"]), 0)
  expect_true(coef(quiet(d$x, d$y, drop = "near1"))["near1"] == 0)
  turned <- quiet(d$x[, 8:1], d$y)
  plain <- quiet(d$x, d$y)
  expect_equal(coef(turned)[names(coef(plain))], coef(plain))
  expect_error(quiet(d$x, d$y, keep = c("x1", "near1")), class = "transelect_error_keep")
  whole <- suppressMessages(tlcp(d$x, d$y, method = "cutoff", control = tlcp_control(collinear = 0)))
  expect_equal(coef(whole), coef(tlcp(d$x, d$y, method = "cutoff")))
  m <- moments(d$x, d$y)
  expect_equal(coef(suppressMessages(tlcp(m, method = "cutoff",
                                          control = tlcp_control(collinear = .05)))), coef(plain))
})

test_that("collinear is refused, or said to have no effect, where there is nothing for it to do", {
  d <- near_copies(8)
  expect_error(tlcp(d$x, d$y,
                    control = tlcp_control(collinear = .01)), "cutoff", class = "transelect_error_collinear")
  expect_error(tlcp(d$x, d$y, method = "cutoff",
                    control = tlcp_control(collinear = 2)), class = "transelect_error_collinear")
  few <- seq_len(ncol(d$x))
  expect_message(fit <- tlcp(d$x[few, ], d$y[few], method = "cutoff", control = tlcp_control(collinear = .01)),
                 class = "transelect_message_collinear")
  expect_quiet(without <- tlcp(d$x[few, ], d$y[few], method = "cutoff"), class = "transelect_message_collinear")
  expect_identical(coef(fit), coef(without))
})

test_that("moments give the models of the rows, also where principal directions take the columns' place", {
  projected <- 0
  for (seed in 1:30) {
    data <- with_seed(seed, {
      n <- sample(8:50, 1)
      p <- sample(3:25, 1)
      shared <- sample(c(0, 1, 20), 1) * rnorm(n)
      x <- shared + matrix(rnorm(n * p), n, dimnames = list(NULL, paste0("x", 1:p)))
      if (seed %% 5 == 0) x[, p] <- x[, 1]
      list(x = x, y = x[, 1] + rnorm(n), domain = if (seed %% 3) sample(c("a", "b"), n, TRUE), weights = runif(n) + .1)
    })
    own <- if (is.null(data$domain)) length(data$y) else sum(data$domain == "a")
    more <- list(method = "cutoff", target = if (!is.null(data$domain)) "a", borrow = if (seed %% 4 == 0) "none")
    fit <- function(...) tryCatch(suppressMessages(do.call(tlcp, c(list(...), more))),
                                  transelect_error = function(error) class(error)[1])
    rows <- fit(data$x, data$y, domain = data$domain, weights = data$weights)
    sums <- fit(do.call(moments, data))
    if (is.character(rows)) {
      expect_identical(sums, rows)
    } else {
      projected <- projected + (own < 2 * ncol(data$x))
      expect_equal(coef(sums), coef(rows), tolerance = 1e-7)
      expect_equal(sums$steps, rows$steps, tolerance = 1e-7)
    }
  }
  expect_gt(projected, 8)
})

test_that("where one direction of the target is used, features enter by their coefficients in any order of columns", {
  d <- with_seed(8, list(f = rnorm(18), x = matrix(rnorm(18 * 7, sd = .05), 18), domain = rep(c("a", "b", "c"), 6)))
  x <- named_columns(d$f + d$x, 18, "x")
  y <- with_seed(9, 5 * d$f + rnorm(18))
  one <- function(x) {
    suppressMessages(tlcp(x, y, domain = d$domain, target = "a", method = "cutoff", control = list(scales = FALSE)))
  }
  a <- one(x)
  b <- one(x[, c(4, 1, 7, 2, 6, 3, 5)])
  expect_identical(b$steps$entered, a$steps$entered)
  expect_equal(as.matrix(b$beta)[rownames(a$beta), ], as.matrix(a$beta))
})
