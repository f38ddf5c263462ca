# ---- the discrete path against the naive twin

# The step's bound: nu / (kappa (2 + nu Lambda)), Lambda the largest eigenvalue of X'X/n.
largest_step <- function(rows, nu, kappa) {
  nu / (kappa * (2 + nu * max(eigen(crossprod(rows$x) / nrow(rows$x))$values)))
}

lbi_path <- function(x, y, nu = 2, kappa = 5, nt = 20, t_ratio = 10, ...) {
  flat(msplit)(x, y, method = "lbi", nu = nu, kappa = kappa, nt = nt, t_ratio = t_ratio, ...)
}

# What the iteration divides responses by: the root of their mean square.
root_mean_square <- function(...) sqrt(mean(c(...)^2))

expect_lbi_twin <- function(fit, rows, nu, kappa, alpha, tolerance = 1e-8, label = "", B = NULL) {
  size <- root_mean_square(rows$y)
  k <- round(fit$points$t * size / alpha)
  expect_close(fit$points$t * size, k * alpha, 1e-10, label)
  twin <- naive_lbi(rows$x, rows$y / size, nu, kappa, alpha, k, B = B)
  of <- function(name) size * vapply(twin, function(one) one[[name]][, 1], numeric(ncol(rows$x)))
  expect_gaps(c(
    gamma = gap(estimates_at(fit, rows, "gamma"), of("gamma")),
    sparse = gap(estimates_at(fit, rows, "sparse"), of("sparse")),
    dense = gap(estimates_at(fit, rows, "dense"), of("B"))
  ), tolerance, label)
}

test_that("the twin's slopes are the derivatives of its losses", {
  eta <- with_seed(1, matrix(2 * rnorm(15), 5))
  class <- diag(3)[c(1, 3, 2, 2, 1), ]
  cases <- list(
    squared = list(eta, class), multinomial = list(eta, class),
    binomial = list(eta[, 1, drop = FALSE], class[, 1, drop = FALSE])
  )
  for (loss in names(cases)) {
    eta <- cases[[loss]][[1]]
    y <- cases[[loss]][[2]]
    slope <- naive_slope(eta, y, loss) / nrow(eta)
    for (at in seq_along(eta)) {
      moved <- function(h) {
        eta[at] <- eta[at] + h
        naive_loss(eta, y, loss)
      }
      expect_lt(abs((moved(1e-5) - moved(-1e-5)) / 2e-5 - slope[at]), 1e-9)
    }
  }
})

test_that("squared loss follows the iteration as it is written", {
  for (seed in 1:4) {
    wide <- seed %% 2 == 0
    d <- msplit_case(seed, c("random", "correlated")[seed %% 2 + 1], 14, if (wide) 20 else 6)
    rows <- naive_rows(d$x, d$y)
    for (kappa in c(2, 8)) {
      nu <- c(.5, 2, 10)[seed %% 3 + 1]
      alpha <- largest_step(rows, nu, kappa)
      fit <- lbi_path(d$x, d$y, nu, kappa)
      expect_lbi_twin(fit, rows, nu, kappa, alpha, label = paste(seed, kappa))
      fit <- lbi_path(d$x, d$y, nu, kappa, alpha = alpha / 2, start = "zero")
      expect_lbi_twin(
        fit, rows, nu, kappa, alpha / 2, label = paste(seed, kappa, "zero"),
        B = matrix(0, ncol(d$x), 1)
      )
    }
  }
})

test_that("recorded times run from the first event to t_ratio times it", {
  d <- msplit_case(7)
  rows <- naive_rows(d$x, d$y)
  fit <- lbi_path(d$x, d$y, nt = 30, t_ratio = 50)
  first <- fit$points$t[2]
  alpha <- largest_step(rows, 2, 5) / root_mean_square(rows$y)
  exact <- naive_iss(rows$x, rows$y, 2)[[1]]$t
  # with the ridge start Z is linear up to the first event
  expect_gte(first, exact)
  expect_lt(first, exact + 2 * alpha)
  expect_lt(abs(max(fit$points$t) - 50 * first), 2 * alpha)
  expect_lte(nrow(fit$points), 31)
  gaps <- diff(log(fit$points$t[-1]))
  expect_lt(max(gaps), 3 * log(50) / 29)
})

test_that("weights, no intercept and no scaling follow the twin", {
  d <- msplit_case(8)
  rows <- naive_rows(d$x, d$y, d$weights)
  fit <- lbi_path(d$x, d$y, weights = d$weights)
  expect_lbi_twin(fit, rows, 2, 5, largest_step(rows, 2, 5), label = "weights")
  rows <- naive_rows(d$x, d$y, intercept = FALSE, standardize = FALSE)
  fit <- lbi_path(d$x, d$y, intercept = FALSE, standardize = FALSE)
  expect_lbi_twin(fit, rows, 2, 5, largest_step(rows, 2, 5), label = "origin")
})

test_that("several responses are in lockstep", {
  for (n in c(20, 7)) {
    d <- msplit_case(9, n = n, d = 9)
    both <- lbi_path(d$x, d$pair)
    alpha <- largest_step(naive_rows(d$x, d$y), 2, 5)
    size <- root_mean_square(naive_rows(d$x, d$pair[, 1])$y, naive_rows(d$x, d$pair[, 2])$y)
    for (response in c("first", "second")) {
      rows <- naive_rows(d$x, d$pair[, response])
      k <- round(both$points$t * size / alpha)
      twin <- naive_lbi(rows$x, rows$y / size, 2, 5, alpha, k)
      for (step in c(0, 3, 10)) {
        at <- twin[[which(both$points$step == step)]]
        dense <- coef(both, step = step, response = response)
        gamma <- coef(both, step = step, response = response, estimator = "gamma")
        expect_close(dense[-1] * rows$scale, size * at$B)
        expect_close(gamma[-1] * rows$scale, size * at$gamma)
      }
    }
  }
})

test_that("the path is the same in any unit of the response", {
  d <- msplit_case(12, n = 20, d = 5)
  one <- lbi_path(d$x, d$y)
  several <- lbi_path(d$x, d$pair)
  for (unit in c(1e-100, .37, 1e100)) {
    fit <- lbi_path(d$x, unit * d$y)
    expect_identical(fit$steps$size, one$steps$size)
    expect_close(unit * fit$points$t, one$points$t)
    expect_close(coef(fit, step = 8) / unit, coef(one, step = 8))
    expect_close(fit$steps$loss / unit^2, one$steps$loss)
    both <- lbi_path(d$x, unit * d$pair)
    expect_close(predict(both, d$new) / unit, predict(several, d$new))
  }
  validated <- function(y) {
    cv_path(d$x, y, foldid = rep(1:4, 5), fit = msplit, method = "lbi", nu = 2, control = msplit_control(nt = 10))$cvm
  }
  expect_close(validated(1e3 * d$y) / 1e6, validated(d$y))
})

test_that("large kappa gives the exact path", {
  d <- msplit_case(10, n = 14, d = 6)
  exact <- plain_path(d$x, d$y, t_ratio = 10)
  t <- exact$points$t
  end <- c(t[-1], 10 * t[2])
  middle <- ((t + end) / 2)[end > 1.2 * t]
  off <- vapply(c(5, 50, 500), function(kappa) {
    fit <- lbi_path(d$x, d$y, kappa = kappa, nt = 100)
    at <- fit$points$t[vapply(middle, function(t) which.min(abs(fit$points$t - t)), 1L)]
    max(vapply(at, function(t) {
      max(abs(c(
        coef(fit, t = t) - coef(exact, t = t),
        coef(fit, t = t, estimator = "gamma") - coef(exact, t = t, estimator = "gamma")
      )))
    }, 0))
  }, 0)
  expect_gt(length(middle), 2)
  expect_lt(off[2], off[1])
  expect_lt(off[3], 1e-6)
})

# ---- classes by their likelihood --------------------------------------------------------------

# Indicators of the classes: one column for two of them.
class_columns <- function(y) {
  all <- diag(nlevels(y))[as.integer(y), ]
  if (nlevels(y) == 2) all[, 2, drop = FALSE] else all
}

# Minimum of the loss + |B|^2 / (2 nu), intercepts first: the start of the path.
naive_start <- function(x, y, nu, loss) {
  z <- cbind(1, x)
  value <- function(b) {
    B <- matrix(b, ncol = ncol(y))
    naive_loss(z %*% B, y, loss) + sum(B[-1, ]^2) / (2 * nu)
  }
  slope <- function(b) {
    B <- matrix(b, ncol = ncol(y))
    g <- crossprod(z, naive_slope(z %*% B, y, loss)) / nrow(x)
    g[-1, ] <- g[-1, ] + B[-1, ] / nu
    g
  }
  start <- rep(0, ncol(z) * ncol(y))
  control <- list(reltol = 1e-16, maxit = 1000)
  matrix(stats::optim(start, value, slope, method = "BFGS", control = control)$par, ncol(z))
}

# B (or gamma) on the scaled columns and the intercept at their centre, a column a class.
class_weights <- function(fit, rows, ...) {
  one <- coef(fit, ...)
  one <- if (is.list(one)) do.call(cbind, one) else as.matrix(one)
  slopes <- one[-1, , drop = FALSE]
  rbind(one[1, ] + colSums(rows$center * slopes), slopes * rows$scale)
}

# A number added to all intercepts does not change the softmax.
centred_intercepts <- function(b0) if (length(b0) == 1) b0 else b0 - mean(b0)

expect_class_twin <- function(fit, x, y, loss, nu = 2, zero = FALSE, label = loss) {
  rows <- naive_rows(x, rep(0, nrow(x)))
  columns <- class_columns(y)
  q <- ncol(columns)
  start <- if (zero) {
    share <- colMeans(columns)
    rbind(if (q == 1) log(share / (1 - share)) else log(share), matrix(0, ncol(x), q))
  } else {
    naive_start(rows$x, columns, nu, loss)
  }
  k <- round(fit$points$t / fit$alpha)
  expect_close(fit$points$t, k * fit$alpha, 1e-10, label)
  twin <- naive_lbi(
    rows$x, columns, nu, fit$kappa, fit$alpha, k, loss,
    B = start[-1, , drop = FALSE], b0 = start[1, ]
  )
  for (at in seq(1, length(k), 4)) {
    step <- fit$points$step[at]
    dense <- class_weights(fit, rows, step = step)
    gamma <- class_weights(fit, rows, step = step, estimator = "gamma")
    expect_gaps(c(
      dense = gap(dense[-1, ], twin[[at]]$B), gamma = gap(gamma[-1, ], twin[[at]]$gamma),
      b0 = gap(centred_intercepts(dense[1, ]), centred_intercepts(twin[[at]]$b0))
    ), 1e-7, paste(label, at))
  }
}

test_that("binomial and multinomial losses follow the iteration as it is written", {
  for (seed in 1:2) {
    d <- msplit_case(seed, c("random", "correlated")[seed], n = c(30, 12)[seed])
    for (loss in c("binomial", "multinomial")) {
      y <- if (loss == "binomial") d$factor else d$class
      fit <- lbi_path(d$x, y, loss = loss, t_ratio = 6)
      expect_identical(fit$loss, loss)
      expect_class_twin(fit, d$x, y, loss, label = paste(loss, seed))
      fit <- lbi_path(d$x, y, loss = loss, start = "zero", kappa = 3, t_ratio = 6)
      expect_class_twin(fit, d$x, y, loss, zero = TRUE, label = paste(loss, seed, "zero"))
    }
  }
})

test_that("two classes are one logit, or two columns of a softmax", {
  d <- msplit_case(5, n = 30)
  fit <- lbi_path(d$x, d$factor, loss = "binomial")
  for (step in c(0, 5, 15)) {
    link <- predict(fit, d$new, step = step, type = "link")
    expect_equal(unname(link), unname(drop(cbind(1, d$new) %*% coef(fit, step = step))))
    class <- predict(fit, d$new, step = step, type = "class")
    expect_identical(as.character(class), ifelse(link > 0, "yes", "no"))
  }
  turned <- lbi_path(d$x, factor(d$factor, levels = c("yes", "no")), loss = "binomial")
  expect_equal(coef(fit, step = 9), -coef(turned, step = 9), tolerance = 1e-7)
})

test_that("the path of classes is about t and ends at t_ratio", {
  d <- msplit_case(6, n = 30)
  fit <- lbi_path(d$x, d$class, loss = "multinomial", nt = 25, t_ratio = 8)
  expect_lt(abs(max(fit$points$t) - 8 * fit$points$t[2]), 2 * fit$alpha)
  sizes <- vapply(split(fit$steps$size, fit$steps$step), sum, 0)
  expect_equal(unname(sizes[1]), 0)
  expect_gt(sizes[2], 0)
  expect_true(all(is.finite(fit$steps$loss)))
  # the loss of a path that starts at the penalised minimum goes down
  expect_lt(fit$steps$loss[nrow(fit$steps)], fit$steps$loss[1])
})

test_that("a weight of two is a row written twice for classes as well", {
  d <- msplit_case(7, n = 24)
  weights <- rep(1:2, 12)
  twice <- rep(1:24, weights)
  for (loss in c("binomial", "multinomial")) {
    y <- if (loss == "binomial") d$factor else d$class
    a <- lbi_path(d$x, y, loss = loss, weights = weights)
    b <- lbi_path(d$x[twice, ], y[twice], loss = loss)
    expect_close(a$points$t, b$points$t)
    for (step in c(0, 4, 15)) {
      expect_close(predict(a, d$new, step = step, type = "link"),
                   predict(b, d$new, step = step, type = "link"), 1e-6)
    }
  }
})

test_that("a path that max_steps ends warns, and is said to be incomplete", {
  d <- msplit_case(11)
  for (steps in c(1, 200)) {
    expect_warning(fit <- lbi_path(d$x, d$y, max_steps = steps), "max_steps")
    expect_identical(fit$stopped, fit$lambda)
    expect_output(print(fit), "Incomplete")
  }
  for (nt in c(1, 2, 50)) {
    expect_no_warning(fit <- lbi_path(d$x, d$y, nt = nt))
    expect_length(fit$stopped, 0)
  }
  expect_no_warning(lbi_path(d$x, d$y, start = "zero"))
  expect_no_warning(lbi_path(d$x, d$y, alpha = .01))
})

test_that("where one nu has its bound below alpha no path is run", {
  d <- msplit_case(1)
  run <- function(alpha) {
    settings <- list(
      method = "lbi", intercept = TRUE, standardize = TRUE, start = "ridge", loss = "squared", kappa = 5, nt = 5L,
      t_ratio = 10, max_steps = 1e6, alpha = alpha, nu = c(10, 1), times = NULL, kept = NULL
    )
    .Call(C_msplit, list(d$x), matrix(d$y), NULL, structure(settings, class = "msplit_settings"), NULL)
  }
  bound <- run(0)$bound
  expect_lt(bound[2], bound[1])
  refused <- run(mean(bound))
  expect_equal(refused$bound, bound)
  expect_true(all(vapply(refused$fits, is.null, NA)))
  expect_false(any(vapply(run(bound[2])$fits, is.null, NA)))
  expect_error(msplit(d$x, d$y, method = "lbi", nu = c(10, 1),
                      control = msplit_control(alpha = mean(bound))), "nu = 1",
               class = "transelect_error_alpha")
})

test_that("points that would take the iteration for ever are refused", {
  d <- msplit_case(1)
  fit <- lbi_path(d$x, d$y, nt = 5)
  late <- fit$points
  late$t[6] <- 1e12
  for (run in list(function(...) msplit(d$x, d$y, method = "lbi", points = late, ...),
                   function(...) refit(fit, d$x, d$y, points = late, ...))) {
    expect_error(run(), "smaller t", class = "transelect_error_points")
    expect_error(run(max_steps = 1e10), "t = 1e\\+12", class = "transelect_error_points")
  }
  short <- lbi_path(d$x, d$y, nt = 5, max_steps = 1e4)
  expect_equal(refit(short, d$x, d$y, points = fit$points, max_steps = 1)$beta, fit$beta)
})
