# msplit(keep = ): columns without a penalty that are not split, against the naive twin on what they leave, and
# against what they must equal.

kept_case <- function(seed, kind = "random", n = 24, d = 7) {
  d <- msplit_case(seed, kind, n, d)
  d$site <- factor(rep_len(c("u", "v", "w"), n))
  d
}

# The path of the other columns on the scale of the twin.
expect_kept_twin <- function(fit, d, keep, y = d$y, nu = 2, t_ratio = 100, label = "", ...) {
  rows <- naive_rows(d$x, y, keep = keep, ...)
  twin <- naive_story(rows, nu, t_ratio)
  if (length(twin$t) != nrow(fit$points)) return(fail_steps(fit, twin, label))
  t <- twin$t
  gamma <- twin$gamma
  dense <- twin$dense
  of_rest <- function(estimator) {
    beta <- as.matrix(coef(fit, step = fit$points$step, estimator = estimator))[-1, , drop = FALSE]
    beta[-keep, , drop = FALSE] * rows$scale
  }
  kept <- qr(d$x[, keep])$rank
  at <- colSums(gamma != 0) + kept <= nrow(rows$x) / 2
  known <- apply(gamma[, at, drop = FALSE] != 0, 2, function(on) unlist(naive_support(rows, which(on), nu)))
  expect_gaps(c(
    t = max(0, abs(fit$points$t / t - 1)[-1]), gamma = gap(of_rest("gamma"), gamma),
    dense = gap(of_rest("dense"), dense),
    size = gap(fit$steps$size, colSums(gamma != 0) + kept), df = gap(fit$steps$df[at], known["df", ]),
    loo = gap(fit$steps$loo[at], known["loo", ]), reml = gap(diff(fit$steps$reml[at]), diff(known["reml", ]))
  ), 1e-7, label)
  # what is kept has the least squares of what the others leave
  for (estimator in c("dense", "gamma")) {
    for (step in fit$points$step) {
      b <- coef(fit, step = step, estimator = estimator)
      left <- y - drop(d$x[, -keep, drop = FALSE] %*% b[-1][-keep])
      fixed <- cbind(if (rows$intercept) rep(1, nrow(d$x)), d$x[, keep])
      own <- lm.wfit(fixed, left, rows$w)$fitted.values
      expect_lt(max(abs(own - drop(fixed %*% b[c(if (rows$intercept) 1, 1 + keep)]))), 1e-7 * max(abs(y)))
    }
  }
}

test_that("the exact path beside kept columns follows the naive twin", {
  for (seed in 1:4) {
    for (kind in c("random", "correlated", "scaled", "tied")) {
      d <- kept_case(seed, kind, n = c(24, 24, 9, 30)[seed])
      keep <- list(c(2, 5), 1, 3, c(7, 4))[[seed]]
      expect_kept_twin(plain_path(d$x, d$y, keep = keep), d, sort(keep), label = paste(kind, seed))
    }
    d <- kept_case(seed)
    expect_kept_twin(plain_path(d$x, d$y, keep = 2, weights = d$weights), d, 2, weights = d$weights,
                     label = paste("weights", seed))
    expect_kept_twin(plain_path(d$x, d$y, keep = 2, intercept = FALSE), d, 2, intercept = FALSE,
                     label = paste("origin", seed))
    expect_kept_twin(plain_path(d$x, d$y, keep = 2, standardize = FALSE), d, 2, standardize = FALSE,
                     label = paste("raw", seed))
    wide <- kept_case(seed, n = 12, d = 30)
    expect_kept_twin(plain_path(wide$x, wide$y, keep = c(1, 30), t_ratio = 10), wide, c(1, 30), t_ratio = 10,
                     label = paste("wide", seed))
  }
})

test_that("the choice by evidence is the twin's", {
  nus <- 10^seq(-2, 2.5, .5)
  ridges <- 10^seq(-3, 2.5, .25)
  for (seed in 1:4) {
    d <- kept_case(seed, c("random", "correlated")[1 + seed %% 2], n = 40)
    weights <- if (seed == 3) d$weights
    keep <- c(1, 6)
    fit <- msplit(d$x, d$y, keep = keep, weights = weights)
    rows <- naive_rows(d$x, d$y, weights = weights, keep = keep)
    twin <- naive_average(rows, nus, ridges)
    expect_close(fit$supports$weight, twin$weight, 1e-6)
    expect_close(fit$supports$nu, twin$nu)
    expect_close(fit$supports$loo, twin$loo, 1e-6)
    expect_close(fit$supports$df, twin$df, 1e-6)
    expect_close(fit$supports$loss, twin$loss, 1e-6)
    expect_equal(fit$supports$size, lengths(twin$supports) + 2L)
    expect_true(all(startsWith(fit$supports$terms, "x1, x6")))
    expect_close(coef(fit)[-1][-keep] * rows$scale, twin$average, 1e-6)
    expect_equal(unname(fit$support_weight[keep, ]), c(1, 1))
    best <- coef(fit, step = "best", estimator = "sparse")
    expect_true(all(best[1 + keep] != 0))
    # of the sparse one, too, what is kept has the least squares of what the others leave
    left <- d$y - drop(d$x[, -keep] %*% best[-1][-keep])
    dense <- coef(fit, step = "best")
    off <- setdiff(which(best[-1] == 0), keep)
    own <- lm(left ~ d$x[, keep], weights = rows$w)
    from_dense <- lm(d$y - drop(d$x[, -keep] %*% dense[-1][-keep]) ~ d$x[, keep], weights = rows$w)
    expect_close(dense[c(1, 1 + keep)], coef(from_dense), 1e-6)
    if (length(off)) expect_gt(max(abs(coef(own) - coef(from_dense))), 0)
  }
})

test_that("kept columns may be added to others without an effect", {
  d <- kept_case(5, n = 40)
  mixed <- d$x
  mixed[, -3] <- mixed[, -3] + outer(d$x[, 3], c(5, -1, 2, 0, 3, 1))
  fit <- msplit(d$x, d$y, keep = 3)
  other <- msplit(mixed, d$y, keep = 3)
  expect_equal(fitted(other), fitted(fit))
  expect_equal(coef(other)[-(1:4)], coef(fit)[-(1:4)])
  expect_equal(other$supports[c("weight", "loo", "df", "size")], fit$supports[c("weight", "loo", "df", "size")])
})

test_that("moments give the path and the weights of the rows", {
  for (seed in 1:3) {
    d <- kept_case(seed, n = 60)
    keep <- c("x2", "x3")
    rows <- msplit(d$x, d$y, keep = keep)
    sums <- msplit(moments(d$x, d$y), keep = keep)
    expect_equal(sums$steps[c("t", "size", "loss", "reml", "criterion")],
                 rows$steps[c("t", "size", "loss", "reml", "criterion")], tolerance = 1e-6)
    expect_equal(sums$gamma, rows$gamma, tolerance = 1e-6)
    expect_equal(sums$supports$weight, rows$supports$weight, tolerance = 1e-6)
    expect_equal(coef(sums, step = 3, nu = 1), coef(rows, step = 3, nu = 1), tolerance = 1e-6)
    given <- msplit(moments(d$x, d$y), keep = keep, nu = 2, intercept = FALSE)
    expect_equal(given$supports$df, msplit(d$x, d$y, keep = keep, nu = 2, intercept = FALSE)$supports$df,
                 tolerance = 1e-6)
    expect_equal(given$supports$loss, msplit(d$x, d$y, keep = keep, nu = 2, intercept = FALSE)$supports$loss,
                 tolerance = 1e-6)
  }
})

test_that("the discrete path of squares is that of what kept columns leave", {
  d <- kept_case(6)
  keep <- c(1, 4)
  away <- function(v) as.matrix(residuals(lm(v ~ d$x[, keep])))
  run <- function(x, y, ...) flat(msplit)(x, y, method = "lbi", nu = 2, control = msplit_control(t_ratio = 10), ...)
  for (start in c("ridge", "zero")) {
    fit <- run(d$x, d$y, keep = keep, control = msplit_control(start = start))
    other <- run(away(d$x[, -keep]), drop(away(d$y)), control = msplit_control(start = start))
    expect_equal(fit$points$t, other$points$t)
    expect_equal(as.matrix(fit$beta)[-keep, ], as.matrix(other$beta), ignore_attr = TRUE, tolerance = 1e-6)
    sparse <- coef(fit, step = 50, estimator = "sparse")
    left <- d$y - drop(d$x[, -keep] %*% sparse[-1][-keep])
    dense <- coef(fit, step = 50)
    # the dense one on the support: what intercept and kept columns explain of the others goes to these
    moved <- drop(cbind(1, d$x) %*% dense - away(d$x[, -keep]) %*% (dense - sparse)[-1][-keep]) - d$y + left
    own <- lm(moved ~ d$x[, keep])
    expect_equal(unname(sparse[c(1, 1 + keep)]), unname(coef(own)), tolerance = 1e-6)
  }
})

# The discrete path of classes, with intercept and kept columns moving beside it.
kept_lbi_twin <- function(d, y, keep, loss, nu, fit, zero) {
  rows <- naive_rows(d$x, rep(0, nrow(d$x)), keep = keep)
  basis <- svd(scale(d$x[, keep, drop = FALSE], scale = FALSE))$u * sqrt(nrow(d$x))
  columns <- if (loss == "binomial") as.matrix((y == levels(y)[2]) + 0) else
    outer(as.integer(y), seq_len(nlevels(y)), "==") + 0
  q <- ncol(columns)
  x <- rows$x
  m <- ncol(x)
  fixed <- cbind(1, basis)
  whole <- function(theta) {
    B <- matrix(theta[seq_len(m * q)], m)
    list(B = B, C = matrix(theta[-seq_len(m * q)], ncol = q))
  }
  start <- optim(numeric(q * (m + ncol(fixed))), function(theta) {
    at <- whole(theta)
    if (zero) at$B[] <- 0
    naive_loss(x %*% at$B + fixed %*% at$C, columns, loss) + sum(at$B^2) / (2 * nu)
  }, function(theta) {
    at <- whole(theta)
    if (zero) at$B[] <- 0
    slope <- naive_slope(x %*% at$B + fixed %*% at$C, columns, loss) / nrow(x)
    c((crossprod(x, slope) + at$B / nu) * !zero, crossprod(fixed, slope))
  }, method = "BFGS", control = list(maxit = 1e4, reltol = 1e-16))$par
  at <- whole(start)
  if (zero) at$B[] <- 0
  k <- round(fit$points$t / fit$alpha)
  out <- naive_lbi(x, columns, nu, fit$kappa, fit$alpha, k, loss, B = at$B, b0 = at$C[1, ], fixed = basis,
                   C = at$C[-1, , drop = FALSE])
  list(path = out, rows = rows, score = lapply(out, function(one) {
    x %*% one$B + rep(one$b0, each = nrow(x)) + basis %*% one$C
  }))
}

test_that("kept columns of classes move beside the intercept", {
  for (loss in c("binomial", "multinomial")) for (zero in c(FALSE, TRUE)) {
    d <- kept_case(8, n = 60, d = 5)
    y <- if (loss == "binomial") d$factor else d$class
    keep <- c(2, 4)
    fit <- msplit(d$x, y, loss = loss, keep = keep, nu = 2,
                  control = msplit_control(t_ratio = 6, start = if (zero) "zero" else "ridge", nt = 10))
    twin <- kept_lbi_twin(d, y, keep, loss, 2, fit, zero)
    two <- loss == "binomial"
    probability <- function(at) {
      p <- as.matrix(as.data.frame(predict(fit, d$x, step = at, type = "prob")))
      as.vector(if (two) p[, ncol(p)] else p)
    }
    shares <- function(score) if (ncol(score) == 1) plogis(score[, 1]) else exp(score) / rowSums(exp(score))
    for (at in c(1, 4, 11)) {
      expect_lt(max(abs(probability(at - 1) - as.vector(shares(twin$score[[at]])))), 1e-5)
    }
    last <- length(twin$path)
    gamma <- if (loss == "binomial") as.matrix(fit$gamma[, last]) else
      vapply(which(fit$steps$step == last - 1), function(k) fit$gamma[, k], numeric(5))
    expect_equal(gamma[-keep, ] * twin$rows$scale, drop(twin$path[[last]]$gamma), tolerance = 1e-4, ignore_attr = TRUE)
    expect_equal(as.vector(fitted(fit)), probability(last - 1), tolerance = 1e-6)
  }
})

test_that("without other columns the start is glm() on the kept columns", {
  d <- kept_case(9, n = 80)
  keep <- c(1, 5)
  fit <- msplit(d$x, d$factor, loss = "binomial", keep = keep,
                control = msplit_control(start = "zero", t_ratio = 4), nu = 1)
  own <- glm(d$factor ~ d$x[, keep], family = binomial)
  expect_equal(unname(coef(fit, step = 0)[c(1, 1 + keep)]), unname(coef(own)), tolerance = 1e-6)
  expect_equal(unname(coef(fit, step = 0)[-c(1, 1 + keep)]), numeric(5))
  expect_equal(fit$steps$size[1], 2)
  twice <- rep(1:80, rep(1:2, 40))
  weighted <- msplit(d$x, d$factor, weights = rep(1:2, 40), loss = "binomial", keep = keep, nu = 1,
                     control = msplit_control(t_ratio = 4))
  rows <- msplit(d$x[twice, ], d$factor[twice], loss = "binomial", keep = keep, nu = 1,
                 control = msplit_control(t_ratio = 4))
  expect_equal(coef(weighted), coef(rows), tolerance = 1e-6)
})

test_that("verbs, factors, several responses and cross-validation know kept columns", {
  d <- kept_case(10, n = 60)
  data <- data.frame(d$x, site = d$site, y = d$y, z = d$pair[, 2])
  fit <- msplit(y ~ . - z, data, keep = "site")
  expect_true(all(c("sitev", "sitew") %in% variable.names(fit)))
  expect_equal(unname(predict(fit, data)), unname(fitted(fit)))
  expect_equal(unname(residuals(fit)), data$y - unname(fitted(fit)))
  expect_equal(refit(fit, data)$named, fit$named)
  expect_true(all(signals(fit)$signal[match(c("sitev", "sitew"), signals(fit)$term)] == "kept"))
  expect_equal(deviance(fit), sum(residuals(fit)^2))
  expect_output(print(fit), "sitev")
  expect_output(print(summary(fit)), "sitew")
  expect_true(all(c("sitev", "sitew") %in% tidy(fit)$term))
  expect_true(is.finite(logLik(fit)))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_no_error(plot(fit))
  sparse <- msplit(as(d$x, "CsparseMatrix"), d$y, keep = 2)
  expect_equal(coef(sparse), coef(msplit(d$x, d$y, keep = 2)))
  both <- msplit(d$x, d$pair, keep = "x2", nu = 2, choose = "none")
  for (response in colnames(d$pair)) {
    one <- msplit(d$x, d$pair[, response], keep = "x2", nu = 2, choose = "none")
    at <- min(one$ends$end, both$ends$end)
    expect_equal(coef(both, t = at, response = response, estimator = "gamma"), coef(one, t = at, estimator = "gamma"))
  }
  expect_equal(unname(fitted(both)), unname(predict(both, d$x)))
  classes <- msplit(d$x, d$class, keep = "x2")
  expect_equal(unname(fitted(classes)), unname(predict(classes, d$x, type = "link")))
  # the residuals of a fold are by coefficients of the other rows
  fold <- rep_len(1:4, 60)
  cv <- cv_path(d$x, d$y, fit = msplit, keep = 2, nu = 2, choose = "none", foldid = fold)
  for (k in c(1, 4)) {
    without <- msplit(d$x[fold != k, ], d$y[fold != k], keep = 2, nu = 2, choose = "none")
    at <- cv$lambda # the nu
    t <- cv$fit$points$t[3]
    expect_equal(cv$fold_loss[k, 3], mean((d$y[fold == k] - predict(without, d$x[fold == k, ], t = t))^2))
  }
  discrete <- cv_path(d$x, d$factor, fit = function(x, ...) msplit(x, loss = "binomial", ...), keep = 2, nu = 1,
                      control = msplit_control(t_ratio = 4), foldid = fold)
  expect_true(all(is.finite(discrete$mean)))
})

test_that("degenerate and wrong columns to keep", {
  d <- kept_case(11)
  x <- cbind(d$x, copy = d$x[, 1], one = 1, alone = rep(1:0, c(1, nrow(d$x) - 1)))
  fit <- msplit(x, d$y, keep = c("x1", "copy", "one"), nu = 2)
  expect_equal(unname(coef(fit)[c("copy", "one")]), c(0, 0))
  expect_equal(coef(fit)[1:8], coef(msplit(x[, -(8:9)], d$y, keep = "x1", nu = 2))[1:8])
  expect_equal(unname(coef(msplit(x, d$y, keep = "x1", nu = 2))["copy"]), 0)
  # a row that a kept column has for itself cannot be left out
  alone <- msplit(x[, -(8:9)], d$y, keep = "alone", nu = 2)
  rows <- naive_rows(x[, -(8:9)], d$y, keep = 8)
  expect_true(all(is.finite(alone$supports$loo)))
  support <- match(setdiff(strsplit(alone$supports$terms[1], ", ")[[1]], "alone"), colnames(d$x))
  expect_equal(alone$supports$loo[1], naive_free_ridge(rows, support, 2)$loo, tolerance = 1e-6)
  run <- function(...) msplit(d$x, d$y, ...)
  expect_error(run(keep = "zz"), class = "transelect_error_keep")
  expect_error(run(keep = c("x1", "x1")), class = "transelect_error_keep")
  expect_error(run(keep = 1:7), "nothing is left", class = "transelect_error_keep")
  expect_error(msplit(cbind(a = d$x[, 1], b = d$x[, 1]), d$y, keep = "a"), "combinations of those in",
               class = "transelect_error_keep")
  expect_error(zero_shot(matrix(rnorm(12), 4), matrix(rnorm(8), 4), matrix(rnorm(6), 2), keep = 1),
               class = "transelect_error_keep")
})
