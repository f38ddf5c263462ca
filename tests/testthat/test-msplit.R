# ---- the exact path against the naive twin and published figures

mtcars_events <- list(
  t = c(3.40808397, 5.91984935, 6.16424894, 6.74607331, 9.02458513, 12.8257955, 16.30949169,
        28.24156757, 45.81681545, 46.07802212),
  entered = c("wt", "carb", "am", "hp", "qsec", "drat", "gear", "disp", "vs", "cyl")
)
mtcars_start <- c(
  cyl = -.57614045, disp = -.50637706, hp = -.82917034, drat = .53636428, wt = -1.46710,
  qsec = .36452073, vs = .30693720, am = .92913055, gear = .42008106, carb = -1.01771471
)
mtcars_gamma <- c(
  cyl = 0, disp = 0, hp = -.96402875, drat = 0, wt = -2.86546055, qsec = 1.24307586, vs = 0,
  am = 1.35945528, gear = 0, carb = -.68311537
)
mtcars_dense <- mtcars_gamma + c(
  -.05860325, .31256841, 0, .31003891, 0, 0, .07322053, 0, .28449997, 0
)

test_that("the twin has the figures of mtcars, longley and the ties", {
  rows <- naive_rows(mtcars[-1], mtcars$mpg)
  events <- naive_iss(rows$x, rows$y, 5)
  expect_lt(max(abs(vapply(events, `[[`, 0, "t") - mtcars_events$t)), 5e-8)
  expect_identical(
    names(mtcars)[-1][vapply(events, `[[`, 0L, "entered")], mtcars_events$entered
  )
  expect_lt(max(abs(naive_dense(rows$x, rows$y, integer(), 5) - mtcars_start)), 5e-7)
  start <- naive_support(rows, integer(), 5)
  expect_lt(max(abs(unlist(start)[1:2] - c(7.49263709, 6.26264289))), 5e-9)
  P <- which(mtcars_gamma != 0)
  expect_lt(max(abs(naive_dense(rows$x, rows$y, P, 5) - mtcars_dense)), 5e-8)
  ten <- naive_support(rows, P, 5)
  expect_lt(max(abs(unlist(ten)[1:2] - c(8.38786006, 8.15016012))), 5e-9)
  expect_equal(naive_support(rows, P, 5, brute = FALSE), ten)
})

test_that("the twin's REML is that of |V|, |A_PP| and w'y - z'z", {
  d <- msplit_case(3, n = 12, d = 7)
  rows <- naive_rows(d$x, d$y)
  V <- 12 * diag(12) + 3 * tcrossprod(rows$x)
  q <- naive_quadratic(rows$x, rows$y[, 1], 3)
  w <- solve(V, rows$y)
  P <- c(1, 3, 4)
  left <- sum(w * rows$y) - sum(q$c[P] * solve(q$A[P, P], q$c[P]))
  reml <- log(det(V)) + log(det(q$A[P, P])) + (12 - 1 - 3) * log(left / mean(rows$y^2)) -
    sum(log(colMeans(rows$x[, P]^2)))
  expect_equal(naive_support(rows, P, 3)$reml, reml)
})

test_that("mtcars: events, start and t = 10", {
  x <- as.matrix(mtcars[-1])
  scale <- naive_rows(x, mtcars$mpg)$scale
  fit <- plain_path(x, mtcars$mpg, 5)
  expect_lt(max(abs(fit$points$t[-1] - mtcars_events$t)), 5e-8)
  expect_identical(entered(fit), mtcars_events$entered)
  expect_lt(max(abs(coef(fit, step = 0)[-1] * scale - mtcars_start)), 5e-7)
  expect_equal(unname(coef(fit, step = 0, estimator = "gamma")[-1]), rep(0, 10))
  expect_lt(max(abs(fit$steps$loo[1] - 7.49263709)), 5e-9)
  expect_lt(max(abs(fit$steps$df[1] - 6.26264289)), 5e-9)
  expect_lt(max(abs(coef(fit, t = 10)[-1] * scale - mtcars_dense)), 5e-8)
  for (estimator in c("sparse", "gamma")) {
    gamma <- coef(fit, t = 10, estimator = estimator)[-1] * scale
    expect_lt(max(abs(gamma - mtcars_gamma)), 5e-8)
  }
  ten <- fit$steps[fit$steps$step == 5, ]
  expect_lt(max(abs(c(ten$loo, ten$df) - c(8.38786006, 8.15016012))), 5e-9)
})

test_that("longley: coordinates leave", {
  fit <- plain_path(as.matrix(longley[1:6]), longley$Employed, 10, t_ratio = 1000)
  t <- c(9.666413, 17.181888, 19.445600, 35.027080, 154.840476, 481.278535, 562.941189, 2412.385413)
  expect_lt(max(abs(fit$points$t[-1] - t)), 1e-6)
  expect_identical(fit$steps$entered[-1], c(
    "GNP", "Unemployed", "Year", "Armed.Forces", "Population", "GNP.deflator", "GNP",
    "GNP.deflator"
  ))
  expect_identical(
    fit$steps$dropped[-1], c(NA, NA, "GNP", NA, NA, NA, "GNP.deflator", NA)
  )
  short <- plain_path(as.matrix(longley[1:6]), longley$Employed, 10)
  expect_equal(nrow(short$points), 8)
})

hadamard_case <- function() {
  H <- matrix(1, 1, 1)
  for (k in 1:4) H <- rbind(cbind(H, H), cbind(H, -H))
  x <- H[, -1]
  colnames(x) <- paste0("h", 1:15)
  list(x = x, y = drop(H[, 2:7] %*% c(1, 1, 1, -1, 2, 2)))
}

test_that("ties enter together", {
  d <- hadamard_case()
  fit <- plain_path(d$x, d$y, 1, t_ratio = 1000)
  expect_equal(fit$points$t, 0:2)
  expect_equal(fit$steps$size, c(0, 2, 6))
  gamma <- as.matrix(coef(fit, step = 0:2, estimator = "gamma"))
  expect_close(gamma[, 2], c(0, 0, 0, 0, 0, 2, 2, rep(0, 9)))
  expect_close(gamma[, 3], c(0, 1, 1, 1, -1, 2, 2, rep(0, 9)))
})

test_that("more rows than columns follow the naive twin", {
  for (seed in 1:12) {
    kind <- c("random", "correlated", "scaled")[seed %% 3 + 1]
    d <- msplit_case(seed, kind, n = 12 + 2 * seed, d = 3 + seed %% 8)
    rows <- naive_rows(d$x, d$y)
    for (nu in c(.1, 3, 100)) {
      fit <- plain_path(d$x, d$y, nu)
      label <- paste(kind, seed, nu)
      expect_msplit_twin(fit, rows, nu, label = label, worth = seed <= 3)
      expect_msplit_kkt(fit, rows, nu, 100, label)
    }
  }
})

test_that("more columns than rows follow the naive twin", {
  for (seed in 1:12) {
    kind <- c("random", "correlated", "scaled")[seed %% 3 + 1]
    d <- msplit_case(seed, kind, n = 9 + seed %% 4, d = 14 + seed)
    rows <- naive_rows(d$x, d$y)
    for (nu in c(.1, 3, 100)) {
      fit <- plain_path(d$x, d$y, nu)
      label <- paste(kind, seed, nu)
      expect_msplit_twin(fit, rows, nu, label = label, tolerance = 1e-7, worth = seed <= 3)
      expect_msplit_kkt(fit, rows, nu, 100, label)
    }
  }
})

test_that("rounded, collinear and nearly equal columns meet the conditions at every event", {
  kinds <- c("random", "correlated", "tied", "duplicated", "near", "constant")
  for (seed in 1:120) {
    kind <- kinds[seed %% 6 + 1]
    size <- with_seed(seed, c(sample(5:25, 1), sample(2:30, 1), 10^runif(1, -3, 4)))
    d <- msplit_case(seed, kind, size[1], size[2])
    if (kind == "constant") d$x <- d$x[, apply(d$x, 2, sd) > 0, drop = FALSE]
    rows <- naive_rows(d$x, d$y)
    fit <- plain_path(d$x, d$y, size[3])
    label <- paste(kind, seed, "n", size[1], "d", size[2], "nu", signif(size[3], 3))
    expect_msplit_kkt(fit, rows, size[3], 100, label)
  }
})

test_that("the check of the conditions finds a wrong path", {
  d <- msplit_case(1)
  rows <- naive_rows(d$x, d$y)
  events <- naive_iss(rows$x, rows$y, 2)
  t <- vapply(events, `[[`, 0, "t")
  gamma <- vapply(events, `[[`, numeric(8), "gamma")
  worst <- function(t, gamma) max(naive_kkt(rows$x, rows$y, 2, t, gamma))
  expect_lt(worst(t, gamma), 1e-10)
  expect_gt(worst(t[-2], gamma[, -2]), 1e-3)
  expect_gt(worst(t, gamma * (1 + 1e-6)), 1e-8)
  expect_gt(worst(t * (1 + 1e-6), gamma), 1e-8)
})

test_that("a long path with many columns meets the conditions", {
  d <- msplit_case(5, "correlated", n = 40, d = 400)
  rows <- naive_rows(d$x, d$y)
  for (nu in c(.5, 50)) {
    expect_msplit_kkt(plain_path(d$x, d$y, nu), rows, nu, 100, paste("wide", nu))
  }
})

test_that("the events are those of Libra's iss() on whitened data", {
  skip_if_not_installed("Libra")
  for (seed in 1:4) {
    d <- msplit_case(seed, n = 12 + 3 * seed, d = 10)
    n <- nrow(d$x)
    rows <- naive_rows(d$x, d$y)
    nu <- c(.5, 2, 5, 20)[seed]
    root <- t(chol(n * diag(n) + nu * tcrossprod(rows$x)))
    theirs <- Libra::iss(
      forwardsolve(root, rows$x), drop(forwardsolve(root, rows$y)), intercept = FALSE,
      normalize = FALSE
    )
    fit <- plain_path(d$x, d$y, nu, t_ratio = 1e6)
    expect_close(fit$points$t, theirs$t / n)
    expect_close(estimates_at(fit, rows, "gamma"), theirs$path)
  }
})

test_that("gamma is constant between events, and any t may be asked for", {
  d <- msplit_case(2)
  fit <- plain_path(d$x, d$y)
  t <- fit$points$t
  for (k in 2:4) {
    for (estimator in c("dense", "sparse", "gamma")) {
      at <- coef(fit, step = k - 1, estimator = estimator)
      expect_equal(coef(fit, t = t[k], estimator = estimator), at)
      expect_equal(coef(fit, t = mean(t[k + 0:1]), estimator = estimator), at)
      expect_equal(
        predict(fit, d$new, t = mean(t[k + 0:1]), estimator = estimator),
        drop(cbind(1, d$new) %*% at), ignore_attr = TRUE
      )
    }
  }
  expect_equal(coef(fit, t = 0), coef(fit, step = 0))
  expect_equal(coef(fit, t = t[2] * .999), coef(fit, step = 0))
})

test_that("no intercept and no scaling follow the naive twin", {
  for (seed in 1:6) {
    d <- msplit_case(seed, n = if (seed %% 2) 20 else 9, d = 11)
    for (intercept in c(TRUE, FALSE)) {
      for (standardize in c(TRUE, FALSE)) {
        rows <- naive_rows(d$x, d$y, NULL, intercept, standardize)
        fit <- plain_path(d$x, d$y, 2, intercept = intercept, standardize = standardize)
        expect_msplit_twin(
          fit, rows, 2, label = paste(seed, intercept, standardize), worth = seed == 1
        )
        if (!intercept) expect_true(all(coef(fit, step = 3)[1] == 0))
      }
    }
  }
})

test_that("weights follow the naive twin", {
  for (seed in 1:6) {
    d <- msplit_case(seed, n = if (seed %% 2) 20 else 9, d = 11)
    rows <- naive_rows(d$x, d$y, d$weights)
    fit <- plain_path(d$x, d$y, 2, weights = d$weights)
    expect_msplit_twin(fit, rows, 2, label = paste("weights", seed), worth = seed <= 2)
  }
})

test_that("several values of nu are as many paths", {
  d <- msplit_case(4)
  nus <- c(.5, 5)
  fit <- msplit(d$x, d$y, nu = nus, choose = "none", control = msplit_control(t_ratio = 30))
  expect_identical(unique(fit$points$lambda), nus)
  for (nu in nus) {
    one <- plain_path(d$x, d$y, nu, t_ratio = 30)
    rows <- fit$points$lambda == nu
    expect_equal(fit$points$t[rows], one$points$t)
    for (estimator in c("dense", "gamma")) {
      expect_equal(
        coef(fit, step = 0:3, nu = nu, estimator = estimator),
        coef(one, step = 0:3, estimator = estimator)
      )
    }
    expect_equal(predict(fit, d$new, step = 2, nu = nu), predict(one, d$new, step = 2))
  }
})

test_that("max_steps and t_ratio end the path early", {
  d <- msplit_case(6)
  whole <- plain_path(d$x, d$y)
  few <- plain_path(d$x, d$y, max_steps = 3)
  expect_equal(few$points$step, 0:3)
  expect_equal(few$points$t, whole$points$t[1:4])
  ratio <- whole$points$t[5] / whole$points$t[2]
  expect_equal(nrow(plain_path(d$x, d$y, t_ratio = ratio * .999)$points), 4)
  expect_equal(nrow(plain_path(d$x, d$y, t_ratio = ratio * 1.001)$points), 5)
})

test_that("a thin record changes the object's size, not its answers", {
  d <- msplit_case(7, n = 15, d = 20)
  whole <- plain_path(d$x, d$y)
  thin <- plain_path(d$x, d$y, record = c(0, 2, 5))
  expect_equal(thin$steps, whole$steps)
  expect_true(all(c(0, 2, 5) %in% thin$points$step))
  steps <- whole$points$step
  for (estimator in c("gamma", "sparse")) {
    expect_equal(
      coef(thin, step = steps, estimator = estimator),
      coef(whole, step = steps, estimator = estimator)
    )
  }
  for (step in thin$points$step) {
    expect_equal(coef(thin, step = step), coef(whole, step = step))
    t <- whole$points$t[step + 1]
    expect_equal(predict(thin, d$new, t = t), predict(whole, d$new, t = t))
  }
  expect_error(coef(thin, step = 3), "record", class = "rlang_error")
})

test_that("sparse input gives the dense answer", {
  for (seed in 1:4) {
    d <- msplit_case(seed, n = if (seed %% 2) 20 else 9, d = 11)
    d$x[abs(d$x) < .8] <- 0
    d$x <- d$x[, apply(d$x, 2, sd) > 0]
    a <- plain_path(d$x, d$y)
    b <- plain_path(as(d$x, "CsparseMatrix"), d$y)
    expect_same_msplit(a, b)
    expect_equal(predict(a, d$x, step = 2), predict(b, as(d$x, "CsparseMatrix"), step = 2))
  }
})

# ---- several responses and classes ------------------------------------------------------------

test_that("each response of several has its own path", {
  for (n in c(20, 7)) {
    d <- msplit_case(8, n = n, d = 9)
    both <- plain_path(d$x, d$pair)
    t <- both$points$t
    for (response in colnames(d$pair)) {
      one <- plain_path(d$x, d$pair[, response])
      for (at in c(0, t[t <= max(one$points$t)])) {
        for (estimator in c("dense", "gamma")) {
          expect_close(
            coef(both, t = at, estimator = estimator, response = response),
            coef(one, t = at, estimator = estimator)
          )
        }
      }
    }
    expect_equal(dim(predict(both, d$new, t = t[3])), c(6L, 2L))
  }
})

test_that("a formula with cbind(), a data frame and a matrix give one answer", {
  d <- msplit_case(9)
  data <- data.frame(d$pair, d$x)
  a <- plain_path(d$x, d$pair)
  b <- msplit(cbind(first, second) ~ ., data, nu = 2, choose = "none")
  at <- a$points$t
  for (response in c("first", "second")) {
    expect_equal(
      as.matrix(coef(a, t = at, response = response)),
      as.matrix(coef(b, t = at, response = response))
    )
  }
  expect_equal(
    predict(a, d$new, t = at[4]), predict(b, as.data.frame(d$new), t = at[4]), ignore_attr = TRUE
  )
  one <- msplit(first ~ . - second, data, nu = 2, choose = "none")
  expect_same_msplit(one, plain_path(as.data.frame(d$x), d$pair[, "first"]))
  some <- msplit(first ~ x1 + x2, data, nu = 2, choose = "none", subset = x3 > 0)
  rows <- d$x[, 3] > 0
  expect_same_msplit(some, plain_path(d$x[rows, 1:2], d$pair[rows, "first"]))
})

test_that("a factor is one column of indicators a class", {
  d <- msplit_case(10, n = 24)
  fit <- plain_path(d$x, d$class)
  expect_identical(fit$classes, c("low", "mid", "high"))
  shot <- diag(3)[as.integer(d$class), ]
  colnames(shot) <- levels(d$class)
  numbers <- plain_path(d$x, shot)
  at <- fit$points$t[c(1, 3, 6)]
  for (t in at) {
    scores <- predict(numbers, d$new, t = t)
    expect_equal(predict(fit, d$new, t = t, type = "link"), scores, ignore_attr = TRUE)
    best <- factor(levels(d$class)[max.col(scores, "first")], levels(d$class))
    expect_identical(predict(fit, d$new, t = t, type = "class"), best)
  }
})

# ---- the object -------------------------------------------------------------------------------

test_that("the path object is complete and consistent", {
  d <- msplit_case(11)
  fit <- plain_path(d$x, d$y)
  expect_s3_class(fit, c("msplit", "transfer_path"), exact = TRUE)
  last <- max(fit$points$step)
  expect_equal(fit$points$step, 0:last)
  expect_equal(fit$points$lambda, rep(2, last + 1))
  expect_equal(fit$steps$t, fit$points$t)
  expect_equal(fit$steps$step, 0:last)
  expect_true(all(diff(fit$points$t) > 0))
  columns <- c("step", "t", "entered", "dropped", "size", "loss", "loo", "df", "reml", "criterion")
  expect_true(all(columns %in% names(fit$steps)))
  expect_identical(fit$steps$entered[1], NA_character_)
  expect_equal(fit$nobs, 20)
  expect_equal(
    unname(fitted(fit)), unname(predict(fit, d$x)), ignore_attr = TRUE
  )
  expect_equal(unname(residuals(fit)), unname(d$y - fitted(fit)), ignore_attr = TRUE)
  expect_setequal(
    variable.names(fit, step = 2),
    colnames(d$x)[coef(fit, step = 2, estimator = "gamma")[-1] != 0]
  )
  expect_output(print(fit))
  expect_output(print(summary(fit)))
})

test_that("no row of the data is kept, and a saved object predicts", {
  d <- msplit_case(12)
  fit <- msplit(y ~ ., data.frame(y = d$y, d$x), nu = 2)
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  saveRDS(fit, file)
  code <- sprintf(
    "suppressPackageStartupMessages(library(transelect)); f <- readRDS('%s'); %s",
    file, "cat(format(predict(f, as.data.frame(readRDS(commandArgs(TRUE)[1]))), digits = 15))"
  )
  new <- tempfile(fileext = ".rds")
  saveRDS(d$new, new)
  paths <- paste(.libPaths(), collapse = .Platform$path.sep)
  out <- system2(
    file.path(R.home("bin"), "Rscript"), c("-e", shQuote(code), new), stdout = TRUE,
    env = paste0("R_LIBS=", paths)
  )
  expect_equal(
    scan(text = out, quiet = TRUE), unname(predict(fit, as.data.frame(d$new))), tolerance = 1e-12
  )
  long <- msplit_case(13, n = 4000, d = 5)
  small <- msplit_case(13, n = 40, d = 5)
  size <- function(d) {
    fit <- plain_path(d$x, d$y)
    fit$fitted <- fit$residuals <- NULL
    length(serialize(fit, NULL))
  }
  expect_lt(size(long), size(small) + 5000)
})

test_that("the data are not modified and no random number is drawn", {
  d <- msplit_case(14)
  copy <- msplit_case(14)
  state <- with_seed(1, {
    before <- .Random.seed
    plain_path(d$x, d$y, weights = d$weights)
    msplit(d$x, d$y, nu = c(1, 10))
    identical(before, .Random.seed)
  })
  expect_true(state)
  expect_identical(d, copy)
})

test_that("several threads give the same path to the last bit", {
  d <- msplit_case(15, n = 40, d = 60)
  both <- cbind(d$pair, d$pair[, 2:1] + d$x[, 1:2])
  colnames(both) <- c("a", "b", "c", "d")
  one <- plain_path(d$x, both)
  old <- options(transelect.threads = 2)
  on.exit(options(old))
  two <- plain_path(d$x, both)
  expect_identical(one$points, two$points)
  expect_identical(
    coef(one, t = one$points$t, response = "c"), coef(two, t = two$points$t, response = "c")
  )
})
