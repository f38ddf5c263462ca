# ---- tlcp(): the exact search against every subset in turn, and its special cases

# The features of a model, by name, and its coefficients for every domain.
tlcp_sets <- function(fit) {
  lapply(seq_len(ncol(fit$beta)), function(k) which(as.vector(fit$beta[, k]) != 0))
}

tlcp_best <- function(fit) which(fit$beta[, match(fit$best, fit$points$step)] != 0)

# The path of a fit is the twin's: the subset of every size, what it costs, all coefficients.
# With support = "target" no features are selected in the other domains, which then have the same coefficients at
# every step.
expect_exact <- function(fit, domains, borrowing, support, tolerance = 1e-7, label = "",
                         keep = NULL, drop = NULL) {
  problem <- naive_problem(domains, borrowing)
  twin <- naive_exact(problem, support, keep, drop)
  rows <- which(fit$steps$size %in% twin$sizes)
  sets <- lapply(unname(tlcp_sets(fit))[rows], unname)
  if (!identical(sets, twin$subsets)) {
    return(fail(paste0(
      label, ": sizes ", toString(fit$steps$size), ", subsets ", deparse1(sets),
      " but the twin says ", deparse1(twin$subsets)
    )))
  }
  if (!identical(unname(tlcp_best(fit)), twin$S)) {
    return(fail(paste0(label, ": best ", toString(tlcp_best(fit)), ", twin ", toString(twin$S))))
  }
  level <- max(1, abs(twin$quadratic))
  steps <- fit$steps[rows, ]
  gaps <- c(
    objective = max(abs(diff(steps$objective) - diff(twin$quadratic))) / level,
    criterion = max(abs(diff(steps$criterion) - diff(twin$criterion))) / level,
    bound = max(0, fit$certificate$bound - fit$certificate$value) / level,
    steps = max(0, steps$bound - steps$objective, na.rm = TRUE) / level
  )
  unselected <- naive_fit(problem, seq_len(problem$p), support)$w
  for (t in seq_along(domains)) {
    expected <- lapply(twin$subsets, function(S) {
      free <- support == "target" && t > 1
      w <- if (free) unselected else naive_fit(problem, S, support)$w
      naive_original(domains[[t]], w[, t])
    })
    beta <- vapply(expected, `[[`, numeric(problem$p - problem$level), "beta")
    own <- as.matrix(fit$models[[t]]$beta)[, rows]
    gaps <- c(
      gaps, beta = gap(own * domains[[t]]$scale, beta * domains[[t]]$scale),
      a0 = gap(fit$models[[t]]$a0[rows], vapply(expected, `[[`, 1, "a0"))
    )
  }
  expect_gaps(gaps, tolerance, label)
}

tlcp_of <- function(d, ...) {
  if (length(d$names) == 1) {
    return(tlcp(d$x, d$y, sizes = TRUE, ...))
  }
  tlcp(d$x, d$y, domain = d$domain, target = d$target, sizes = TRUE, ...)
}

domains_of <- function(d, ...) {
  if (length(d$names) == 1) naive_domain_rows(d$x, d$y, ...) else {
    naive_domain_rows(d$x, d$y, d$domain, d$target, ...)
  }
}

test_that("one domain: every size and the optimum are those of all subsets", {
  for (kind in c("random", "correlated", "near", "tied")) {
    for (criterion in list("Cp", "Cp_BIC", "Cp_HQ", "RIC", 3.7)) {
      d <- draw_similar_domains(nchar(kind), 1, 7, kind)
      domains <- domains_of(d)
      borrowing <- naive_borrowing(domains, "none", criterion)
      fit <- tlcp_of(d, criterion = criterion)
      expect_exact(fit, domains, borrowing, "shared", label = paste(kind, criterion))
    }
  }
})

test_that("several domains: every size and the optimum are those of all subsets", {
  for (n_domains in 2:3) {
    for (kind in c("random", "correlated", "near")) {
      d <- draw_similar_domains(n_domains, n_domains, 6, kind)
      for (support in c("target", "shared")) {
        for (borrow in c("hierarchical", "pooled", "plugin", c("reml", "plugin3")[n_domains - 1])) {
          # with a coupling of 4e6 the gap is rounding error, and a warning says so
          fit <- suppressWarnings(tlcp_of(d, borrow = borrow,
                                          control = tlcp_control(support = support, guard = FALSE)),
                                  classes = "transelect_warning_numerics")
          domains <- naive_domains_of_fit(fit, d)
          label <- paste(n_domains, kind, support, borrow)
          # "pooled" may estimate a difference of 0: v is then 4e6, and the fit is ill-conditioned
          tolerance <- if (borrow == "pooled") 1e-6 else 1e-7
          expect_exact(fit, domains, naive_borrowing_of(fit, 6), support, tolerance, label)
        }
      }
    }
  }
})

test_that("ten features of three domains, a penalty for each", {
  d <- draw_similar_domains(8, 3, 10, "correlated")
  fit <- tlcp_of(d)
  domains <- naive_domains_of_fit(fit, d)
  pen <- naive_borrowing_of(fit, 10)$pen
  expect_gt(diff(range(pen)), 0.1)
  expect_exact(fit, domains, naive_borrowing_of(fit, 10), "target", label = "target")
})

test_that("twelve features of two domains, nearly copies of each other", {
  d <- draw_similar_domains(15, 2, 12, "near")
  fit <- tlcp_of(d)
  domains <- naive_domains_of_fit(fit, d)
  expect_exact(fit, domains, naive_borrowing_of(fit, 12), "target", label = "target")
})

test_that("one feature is enough for a problem", {
  for (n_domains in 1:3) {
    d <- draw_similar_domains(16, n_domains, 1)
    for (borrow in if (n_domains == 1) "none" else c("hierarchical", "pooled", "plugin")) {
      for (support in if (n_domains == 1) "shared" else c("target", "shared")) {
        fit <- tlcp_of(d, borrow = borrow, control = tlcp_control(support = support, guard = FALSE))
        domains <- if (n_domains == 1) domains_of(d) else naive_domains_of_fit(fit, d)
        borrowing <- naive_borrowing_of(fit, 1)
        expect_exact(fit, domains, borrowing, support, label = paste(n_domains, borrow, support))
      }
    }
  }
})

test_that("numbers for lam, v and pen are taken as they are", {
  d <- draw_similar_domains(3, 3, 6)
  domains <- domains_of(d)
  hand <- list(lam = c(2, 0.5, 1), v = c(0, 1, 3, 10, 0.1, 100), pen = c(1, 4, 9, 2, 0, 30))
  for (support in c("target", "shared")) {
    fit <- tlcp_of(d, borrow = hand, control = tlcp_control(support = support))
    expect_exact(fit, domains, naive_borrowing(domains, hand), support, label = support)
    fivefold <- tlcp_of(d, borrow = lapply(hand, `*`, 5), control = tlcp_control(support = support))
    expect_equal(coef(fivefold), coef(fit))
    expect_identical(fivefold$best, fit$best)
  }
})

test_that("features are kept and left out as asked", {
  d <- draw_similar_domains(4, 2, 6, "correlated")
  for (support in c("target", "shared")) {
    fit <- tlcp_of(d, control = tlcp_control(support = support, drop = "x1"), keep = c("x6", "x2"))
    domains <- naive_domains_of_fit(fit, d)
    borrowing <- naive_borrowing_of(fit, 6)
    expect_exact(fit, domains, borrowing, support, label = support, keep = c(2, 6), drop = 1)
    expect_equal(coef(tlcp_of(d, control = tlcp_control(support = support, drop = 1), keep = c(6, 2))), coef(fit))
  }
})

test_that("every size is that of leaps, and Cp is Cp", {
  skip_if_not_installed("leaps")
  for (kind in c("random", "correlated", "near")) {
    d <- draw_similar_domains(5, 1, 12, kind, n = 40)
    fit <- tlcp_of(d)
    peer <- leaps::leaps(d$x, d$y, method = "Cp", nbest = 1)
    expect_equal(fit$steps$cp[-1], peer$Cp, tolerance = 1e-7)
    expect_identical(lapply(unname(tlcp_sets(fit))[-1], unname),
                     unname(apply(peer$which, 1, function(inside) unname(which(inside)),
                                  simplify = FALSE)))
    full <- lm(d$y ~ d$x)
    s2 <- summary(full)$sigma^2
    expect_equal(fit$steps$cp[1], sum((d$y - mean(d$y))^2) / s2 - 40 + 2)
    expect_equal(fit$best, which.min(fit$steps$cp) - 1)
  }
})

test_that("Cp_BIC and its kind choose what all lm() fits say with the variance of the full one", {
  d <- draw_similar_domains(6, 1, 6, "correlated", n = 30)
  s2 <- summary(lm(d$y ~ d$x))$sigma^2
  rss <- apply(naive_subsets(6), 1, function(inside) {
    deviance(if (any(inside)) lm(d$y ~ d$x[, inside]) else lm(d$y ~ 1))
  })
  size <- rowSums(naive_subsets(6))
  for (criterion in c("Cp", "Cp_BIC", "Cp_HQ", "RIC")) {
    k <- switch(criterion, Cp = 2, Cp_BIC = log(30), Cp_HQ = 2 * log(log(30)), RIC = 2 * log(6))
    best <- which(naive_subsets(6)[which.min(rss / s2 + k * size), ])
    for (sizes in c(TRUE, FALSE)) {
      fit <- tlcp(d$x, d$y, criterion = criterion, sizes = sizes)
      expect_identical(unname(tlcp_best(fit)), best)
      expect_setequal(fit$selected, colnames(d$x)[best])
    }
    expect_identical(unname(tlcp_best(tlcp(d$x, d$y, criterion = k))), best)
  }
  given <- tlcp(d$x, d$y, control = tlcp_control(sigma2 = 4 * s2))
  scaled <- tlcp(d$x, d$y, criterion = 8)
  expect_equal(coef(given), coef(scaled))
})

test_that("coefficients of one domain are those of lm()", {
  d <- draw_similar_domains(7, 1, 5, n = 25)
  fit <- tlcp_of(d)
  for (k in 1:5) {
    S <- which(fit$beta[, as.character(k) == fit$points$step] != 0)
    own <- coef(lm(d$y ~ d$x[, S]))
    expect_equal(coef(fit, step = k)[c(1, 1 + S)], own, ignore_attr = TRUE)
    expect_equal(fit$steps$rss[k + 1], deviance(lm(d$y ~ d$x[, S])))
  }
})

test_that("orthogonal columns: the closed form", {
  for (n_domains in 1:4) {
    case <- with_seed(n_domains, {
      n <- 20 + 10 * seq_len(n_domains)
      names <- letters[seq_len(n_domains)]
      x <- lapply(n, function(m) qr.Q(qr(matrix(rnorm(m * 6), m))) * sqrt(m))
      beta <- c(1, 0.5, 0.3, 0.2, 0, 0)
      y <- lapply(x, function(part) drop(part %*% (beta + 0.1 * rnorm(6))) + rnorm(nrow(part)))
      list(x = do.call(rbind, x), y = unlist(y), domain = rep(names, n))
    })
    colnames(case$x) <- paste0("x", 1:6)
    domains <- naive_domain_rows(case$x, case$y, case$domain, "a", standardize = FALSE, intercept = FALSE)
    borrow <- if (n_domains == 1) "none" else "plugin"
    borrowing <- naive_borrowing(domains, borrow)
    closed <- naive_closed_form(domains, borrowing)
    expect_identical(closed$S, naive_exact(naive_problem(domains, borrowing), "shared")$S)
    for (method in c("exact", "cutoff")) {
      fit <- if (n_domains == 1) {
        tlcp(case$x, case$y, method = method, standardize = FALSE, intercept = FALSE)
      } else {
        tlcp(case$x, case$y, domain = case$domain, target = "a", borrow = "plugin",
             control = tlcp_control(support = "shared", guard = FALSE), method = method, standardize = FALSE,
             intercept = FALSE)
      }
      at <- match(fit$best, fit$points$step)
      for (t in seq_len(n_domains)) {
        expect_equal(unname(as.matrix(fit$models[[t]]$beta)[, at]), closed$w[, t])
      }
    }
  }
})

test_that("Proposition 8 as it is printed", {
  d <- with_seed(2, {
    x1 <- qr.Q(qr(matrix(rnorm(150), 30))) * sqrt(30)
    x2 <- qr.Q(qr(matrix(rnorm(250), 50))) * sqrt(50)
    beta <- c(1, 0.4, 0.3, 0.1, 0)
    list(x = rbind(x1, x2), x1 = x1, x2 = x2, y1 = drop(x1 %*% beta) + rnorm(30),
         y2 = drop(x2 %*% beta) + rnorm(50))
  })
  colnames(d$x) <- paste0("x", 1:5)
  n <- 30
  m <- 50
  l1 <- 1.3
  l2 <- 0.8
  v <- c(1, 10, 0.1, 40, 5)
  pen <- 12
  den <- 4 * l1 * l2 * n * m + m * l2 * v + n * l1 * v
  D1 <- m * l2 * v / den
  D2 <- n * l1 * v / den
  D3 <- 2 * l1 * l2 * n * m / den
  Dt <- l1 * n * D1^2 + l2 * m * D2^2 + v * D3^2
  expect_equal(Dt, v * D3 / 2)
  z <- drop(crossprod(d$x1, d$y1)) / n
  h <- drop(crossprod(d$x2, d$y2)) / m
  keep <- pen + (Dt - l2 * m) * h^2 + (Dt - l1 * n) * z^2 - 2 * Dt * h * z < 0
  expect_true(any(keep) && !all(keep))
  fit <- tlcp(
    d$x, c(d$y1, d$y2), domain = rep(1:2, c(n, m)), target = 1,
    borrow = list(lam = c(l1, l2), v = v, pen = pen), control = tlcp_control(support = "shared"), standardize = FALSE,
    intercept = FALSE
  )
  at <- match(fit$best, fit$points$step)
  expect_equal(unname(as.matrix(fit$models[[1]]$beta)[, at]), keep * ((1 - D1) * z + D1 * h))
  expect_equal(unname(as.matrix(fit$models[[2]]$beta)[, at]), keep * ((1 - D2) * h + D2 * z))
})

test_that("v to infinity is pooled least squares, v = 0 separate fits on a shared support", {
  d <- draw_similar_domains(9, 2, 5, "correlated")
  domains <- domains_of(d)
  lam <- c(1.5, 0.7)
  fit <- tlcp_of(d, borrow = list(lam = lam, v = 1e9, pen = 2), control = tlcp_control(support = "shared"))
  x <- rbind(sqrt(lam[1]) * domains[[1]]$x, sqrt(lam[2]) * domains[[2]]$x)
  y <- c(sqrt(lam[1]) * domains[[1]]$y, sqrt(lam[2]) * domains[[2]]$y)
  apart <- tlcp_of(d, borrow = list(lam = lam, v = 0, pen = 2), control = tlcp_control(support = "shared"))
  for (k in 1:5) {
    S <- which(fit$beta[, k + 1] != 0)
    w <- lm.fit(x[, S, drop = FALSE], y)$coefficients
    for (t in 1:2) {
      own <- as.matrix(fit$models[[t]]$beta)[S, k + 1] * domains[[t]]$scale[S] / domains[[t]]$y_scale
      expect_lt(gap(own, w), 1e-6)
    }
    S <- which(apart$beta[, k + 1] != 0)
    for (t in 1:2) {
      rows <- d$domain == d$names[t]
      own <- coef(lm(d$y[rows] ~ d$x[rows, S]))
      expect_equal(c(apart$models[[t]]$a0[k + 1], as.matrix(apart$models[[t]]$beta)[S, k + 1]), own,
                   ignore_attr = TRUE)
    }
  }
})

test_that("the unselected fit is the posterior mean", {
  for (n_domains in 2:3) {
    d <- draw_similar_domains(10 + n_domains, n_domains, 6, "near")
    fit <- tlcp_of(d, select = FALSE,
                   control = tlcp_control(units = c("common", "own")[n_domains - 1], guard = FALSE))
    domains <- naive_domains_of_fit(fit, d)
    problem <- naive_problem(domains, naive_borrowing_of(fit, 6))
    w <- naive_fit(problem, 1:6)$w
    borrowing <- fit$borrowing
    post <- naive_posterior(domains, borrowing$tau2, borrowing$omega2, borrowing$scales,
                            borrowing$kappa2)
    expect_equal(w, c(sqrt(borrowing$scales), 1) * (post$b + post$u), ignore_attr = TRUE)
    at <- match(fit$best, fit$points$step)
    for (t in seq_len(n_domains)) {
      expected <- naive_original(domains[[t]], w[, t])
      expect_lt(gap(as.matrix(fit$models[[t]]$beta)[, at], expected$beta), 1e-7)
      expect_lt(gap(fit$models[[t]]$a0[at], expected$a0), 1e-7)
    }
  }
})

test_that("aggregate is one domain of all rows, each in the z-scores of its domain", {
  d <- draw_similar_domains(11, 3, 6)
  domains <- domains_of(d)
  fit <- tlcp_of(d, borrow = "aggregate")
  x <- do.call(rbind, naive_stack(domains, "x"))
  y <- unlist(naive_stack(domains, "y"))
  full <- lm.fit(x, y)
  s2 <- sum(full$residuals^2) / (length(y) - 6 - 3)
  one <- tlcp(x, unname(y), sizes = TRUE, standardize = FALSE, intercept = FALSE, control = tlcp_control(sigma2 = s2))
  expect_identical(tlcp_sets(fit), tlcp_sets(one))
  expect_identical(fit$best, one$best)
  for (t in 1:3) {
    for (k in 1:7) {
      own <- naive_original(domains[[t]], as.matrix(one$beta)[, k])
      expect_equal(c(fit$models[[t]]$a0[k], as.matrix(fit$models[[t]]$beta)[, k]),
                   c(own$a0, own$beta), ignore_attr = TRUE)
    }
  }
})

test_that("borrow = \"none\" is the target alone", {
  d <- draw_similar_domains(12, 2, 6)
  rows <- d$domain == "b"
  fit <- tlcp_of(d, borrow = "none")
  own <- tlcp(d$x[rows, ], d$y[rows], sizes = TRUE)
  expect_equal(coef(fit), coef(own))
  expect_equal(fit$steps$cp, own$steps$cp)
  expect_identical(fit$best, own$best)
})

test_that("fewer rows than features in the target: the other domains decide", {
  d <- draw_similar_domains(13, 3, 8, n = 6)
  expect_lt(sum(d$domain == "b"), 8)
  domains <- naive_domains_in_units(d$x, d$y, d$domain, d$target, "common")
  domains[[1]]$s2 <- 0.4
  unit <- vapply(domains, `[[`, 1, "y_scale")^2
  s2 <- vapply(domains, `[[`, 1, "s2") * unit
  fit <- tlcp_of(d, control = tlcp_control(sigma2 = s2, units = "common"))
  expect_equal(fit$borrowing$s2, s2 / unit)
  twin <- naive_hierarchical(domains)
  expect_equal(fit$borrowing$tau2, twin$tau2, tolerance = 1e-3, ignore_attr = TRUE)
  expect_equal(fit$borrowing$omega2, twin$omega2, tolerance = 1e-3)
  expect_exact(fit, domains, naive_borrowing_of(fit, 8), "target", label = "few rows")
})

test_that("a search cut short says so and keeps a bound", {
  d <- draw_similar_domains(14, 1, 30, "correlated", n = 60, apart = 0.6)
  whole <- tlcp(d$x, d$y, sizes = FALSE)
  expect_true(whole$certificate$complete)
  expect_identical(whole$certificate$stopped, "complete")
  expect_lte(whole$certificate$bound, whole$certificate$value)
  short <- suppressMessages(suppressWarnings(tlcp(d$x, d$y, sizes = FALSE, control = tlcp_control(max_nodes = 1))))
  expect_lte(short$certificate$bound, whole$certificate$value * (1 + 1e-9))
  expect_gte(short$certificate$value, whole$certificate$value * (1 - 1e-9))
  if (!short$certificate$complete) {
    expect_identical(short$certificate$stopped, "nodes")
    expect_equal(short$certificate$gap, short$certificate$value - short$certificate$bound)
  }
})
