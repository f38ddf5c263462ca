# msplit() from second moments against the rows, and its choice of nu against the definition.

rows_and_moments <- function(seed, n = 60, d = 6, w = FALSE) {
  with_seed(seed, {
    x <- matrix(rnorm(n * d), n) %*% (diag(d) + .3) + 5
    x <- x * rep(10^seq(-1, 1, length.out = d), each = n)
    colnames(x) <- letters[seq_len(d)]
    y <- drop(scale(x) %*% rep_len(c(2, 0, -1, .1), d)) + rnorm(n) + 3
    weights <- if (w) runif(n, .2, 3)
    list(x = x, y = y, w = weights, m = moments(x, y, weights = weights))
  })
}

# -2 log restricted likelihood, the dense estimator, its df and loss from their definitions: rows,
# matrices of order n, standardised columns.
naive_given <- function(d, P, nu, standardize, intercept) {
  n <- length(d$y)
  v <- if (is.null(d$w)) rep(1, n) else d$w / mean(d$w)
  at <- function(z) if (intercept) weighted.mean(z, v) else 0
  x <- sweep(d$x, 2, apply(d$x, 2, at)) * sqrt(v)
  size <- if (standardize) sqrt(colSums(x^2) / n) else rep(1, ncol(x))
  x <- sweep(x, 2, size, "/")
  y <- (d$y - at(d$y)) * sqrt(v)
  V <- n * diag(n) + nu * tcrossprod(x)
  inverse <- solve(V)
  XP <- x[, P, drop = FALSE]
  A <- crossprod(XP, inverse %*% XP)
  E <- if (length(P)) inverse - inverse %*% XP %*% solve(A, crossprod(XP, inverse)) else inverse
  penalty <- diag(ifelse(seq_len(ncol(x)) %in% P, 0, n / nu), ncol(x))
  dense <- solve(crossprod(x) + penalty, crossprod(x, y))
  center <- apply(d$x, 2, at)
  left <- diag(E) - if (intercept) v / n^2 else 0
  list(reml = as.numeric(determinant(V)$modulus) + (if (length(P)) log(det(A)) else 0) +
         (n - intercept - length(P)) * log(drop(crossprod(y, E %*% y))),
       beta = drop(dense) / size, a0 = at(d$y) - sum(drop(dense) / size * center),
       df = n - n * sum(left), loss = sum((y - x %*% dense)^2) / n)
}

test_that("path, events and weights of the supports are those of the rows", {
  for (seed in 1:4) for (standardize in c(TRUE, FALSE)) for (intercept in c(TRUE, FALSE)) {
    d <- rows_and_moments(seed, w = seed > 2)
    a <- msplit(d$x, d$y, weights = d$w, standardize = standardize, intercept = intercept)
    b <- msplit(d$m, standardize = standardize, intercept = intercept)
    expect_equal(b$points, a$points)
    expect_equal(b$beta, a$beta)
    expect_equal(b$a0, a$a0)
    expect_equal(b$gamma, a$gamma)
    same <- c("lambda", "step", "t", "entered", "dropped", "size", "loss", "reml", "criterion")
    expect_equal(b$steps[same], a$steps[same])
    expect_equal(b$supports[c("weight", "criterion", "terms")],
                 a$supports[c("weight", "criterion", "terms")])
    expect_equal(b$support_weight, a$support_weight)
    expect_equal(nobs(b), nobs(a))
  }
})

test_that("nu given a support is that of the largest restricted likelihood", {
  for (seed in 1:3) for (standardize in c(TRUE, FALSE)) for (intercept in c(TRUE, FALSE)) {
    d <- rows_and_moments(seed, n = 30, w = seed == 3)
    for (nu in list(NULL, c(.5, 8))) {
      fit <- msplit(d$m, nu = nu, standardize = standardize, intercept = intercept)
      grid <- if (is.null(nu)) 10^seq(-3, 2.5, .25) else nu
      total <- 0
      for (k in seq_len(nrow(fit$supports))) {
        row <- fit$supports[k, ]
        P <- match(strsplit(row$terms, ", ")[[1]], colnames(d$x))
        all <- lapply(grid, function(nu) naive_given(d, P, nu, standardize, intercept))
        reml <- vapply(all, `[[`, 0, "reml")
        expect_lt(min(reml) - reml[match(row$nu, grid)], 1e-6)
        expect_gt(min(reml) - reml[match(row$nu, grid)], -1e-6)
        naive <- all[[match(row$nu, grid)]]
        expect_equal(c(row$df, row$loss), c(naive$df, naive$loss), tolerance = 1e-6)
        expect_identical(row$loo, NA_real_)
        total <- total + row$weight * c(naive$a0, naive$beta)
        if (k == 1) expect_equal(unname(coef(fit, step = "best")), unname(c(naive$a0, naive$beta)),
                                 tolerance = 1e-6)
      }
      expect_equal(unname(coef(fit)), unname(total), tolerance = 1e-6)
    }
  }
})

test_that("the loss of the average is that of the rows, and there are no fitted values", {
  d <- rows_and_moments(5)
  fit <- msplit(d$m)
  expect_equal(summary(fit)$worth$loss, mean((d$y - predict(fit, d$x))^2))
  expect_error(fitted(fit), "no rows", class = "transelect_error_fitted")
  expect_false(any(grepl("loo", capture.output(print(fit)))))
})

test_that("columns that are collinear or constant, many rows and classes go through", {
  d <- rows_and_moments(6)
  x <- cbind(d$x, same = d$x[, 1], flat = 1)
  fit <- msplit(moments(x, d$y))
  rows <- msplit(x, d$y)
  expect_equal(fit$supports$criterion[1], rows$supports$criterion[1])
  expect_equal(coef(fit)[["flat"]], 0)
  near <- cbind(d$x, near = d$x[, 1] * (1 + 1e-7 * seq_len(60)))
  expect_true(all(is.finite(coef(msplit(moments(near, d$y))))))
  y <- factor(d$y > 3)
  a <- msplit(moments(d$x, y))
  b <- msplit(d$x, y)
  expect_equal(a$beta, b$beta)
  expect_identical(a$classes, b$classes)
  expect_identical(a$coding, b$coding)
  big <- d$m
  big$cells$n <- big$cells$weight <- 6e9 # no room is made for rows
  big$cross[[1]] <- big$cross[[1]] * 1e8
  expect_identical(nobs(msplit(big)), 6e9)
})

test_that("cross-validation of msplit goes through moments too", {
  d <- rows_and_moments(7, n = 600)
  fold <- rep_len(1:4, 600)
  for (more in list(list(), list(nu = 3), list(nu = c(.1, 10), choose = "none"))) {
    of <- function(...) do.call(cv_path, c(list(..., fit = msplit), more))
    rows <- of(d$x, d$y, foldid = fold, keep_predictions = TRUE)
    auto <- of(d$x, d$y, foldid = fold)
    direct <- of(moments(d$x, d$y, fold = fold))
    expect_equal(auto$fold_loss, rows$fold_loss, tolerance = 1e-10)
    expect_equal(direct$fold_loss, rows$fold_loss, tolerance = 1e-8, ignore_attr = TRUE)
    expect_identical(auto$index, rows$index)
  }
  seen <- character()
  cv_path(d$x, d$y, foldid = fold, fit = function(x, ...) {
    seen <<- c(seen, class(x))
    msplit(x, nu = 3, ...)
  })
  expect_identical(seen, rep(c("transfer_frame", "moments"), c(1, 5)))
})

test_that("what moments cannot give is refused with the reason", {
  d <- rows_and_moments(8)
  bad <- "transelect_error_moments"
  expect_error(msplit(d$m, method = "lbi"), "needs rows", class = bad)
  expect_error(msplit(d$m, loss = "binomial"), "needs rows", class = bad)
  expect_error(msplit(d$m, weights = 1), "given beside moments", class = bad)
  expect_error(msplit(d$m, stadardize = TRUE), "Did you mean `standardize`")
  expect_error(msplit(moments(d$x[1:5, ], d$y[1:5])), "6 columns and 5 rows.*Give the rows",
               class = "transelect_error_x")
  expect_error(msplit(d$m, nu = -1), class = "transelect_error_nu")
})

test_that("nu of a support of all columns, whose criterion does not depend on it, is the first, from rows and moments",
          {
  for (seed in 1:5) {
    d <- with_seed(seed, draw_case(seed, n = 30 * seed, p = 1 + seed))
    x <- sweep(d$x, 2, 10^seq_len(ncol(d$x)), "*")
    y <- drop(d$x %*% rep(5, ncol(d$x))) + with_seed(seed + 100, rnorm(nrow(x))) / 50
    for (nu in list(NULL, c(3, 100, .5))) {
      for (fit in list(msplit(x, y, nu = nu), msplit(moments(x, y), nu = nu))) {
        whole <- fit$supports[fit$supports$size == ncol(x), ]
        expect_identical(whole$nu, if (is.null(nu)) 1e-3 else 3)
      }
    }
  }
})
