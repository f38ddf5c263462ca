# ---- the choice without the truth: supports by evidence, nu by leave-one-out, an average

path_grid_nu <- 10^seq(-2, 2.5, .5)
ridge_grid_nu <- 10^seq(-3, 2.5, .25)

expect_average_twin <- function(fit, rows, twin, columns, label) {
  key <- vapply(twin$supports, function(P) toString(columns[P]), "")
  expect_setequal(fit$supports$terms, key)
  at <- match(fit$supports$terms, key)
  gaps <- c(
    weight = gap(fit$supports$weight, twin$weight[at]), nu = gap(fit$supports$nu, twin$nu[at]),
    loo = gap(fit$supports$loo, twin$loo[at]), df = gap(fit$supports$df, twin$df[at]),
    loss = gap(fit$supports$loss, twin$loss[at]),
    criterion = gap(fit$supports$criterion, twin$criterion[at]),
    average = gap(coef(fit)[-1] * rows$scale, twin$average),
    best = gap(coef(fit, step = "best")[-1] * rows$scale, twin$beta[, at[1]])
  )
  expect_gaps(gaps, 1e-6, label)
}

test_that("supports, weights, nu and the average are the twin's", {
  kinds <- c("random", "correlated", "tied", "near", "rare", "unscaled", "plain", "weighted")
  shapes <- list(c(12, 5), c(20, 9), c(30, 22), c(24, 40), c(40, 12))
  for (seed in 1:5) {
    for (kind in kinds) {
      n <- shapes[[seed]][1]
      d <- shapes[[seed]][2]
      known <- if (kind %in% kinds[1:4]) kind else "random"
      case <- msplit_case(seed, known, n, d)
      x <- case$x
      y <- case$y
      if (kind == "rare") { # the first column is there for one row alone
        x[, 1:3] <- outer(seq_len(n), c(1, 3, 6), "<=") + 0
        y <- y + 4 * x[, 1]
      }
      if (kind == "unscaled") x[] <- x %*% diag(10^seq(-2, 2, length.out = d))
      weights <- if (kind == "weighted") case$weights
      rows <- naive_rows(x, y, weights, kind != "plain", kind != "unscaled")
      twin <- naive_average(rows, path_grid_nu, ridge_grid_nu)
      fit <- msplit(x, y, weights = weights, intercept = kind != "plain",
                    standardize = kind != "unscaled")
      expect_average_twin(fit, rows, twin, colnames(x), paste(kind, seed))
    }
  }
})

test_that("nu that are given are those of the paths and of the dense estimators", {
  d <- msplit_case(2, n = 40, d = 8)
  rows <- naive_rows(d$x, d$y)
  for (nu in list(2, c(1, 10))) {
    fit <- msplit(d$x, d$y, nu = nu)
    ratio <- if (length(nu) == 1) 100 else 30
    expect_average_twin(fit, rows, naive_average(rows, nu, nu, ratio), colnames(d$x), "given")
    expect_true(all(fit$supports$nu %in% nu))
  }
})

# The average of the twin's ridges of these supports, whose nu and worth are compared on the way.
average_of <- function(supports, rows, columns, nu) {
  average <- 0
  for (k in seq_len(nrow(supports))) {
    P <- match(strsplit(supports$terms[k], ", ")[[1]], columns)
    worth <- lapply(nu, naive_free_ridge, rows = rows, P = P)
    at <- which.min(vapply(worth, `[[`, 0, "loo"))
    expect_equal(as.list(supports[k, c("loo", "df", "loss")]), worth[[at]], tolerance = 1e-8)
    expect_identical(supports$nu[k], nu[at])
    average <- average + supports$weight[k] * drop(naive_dense(rows$x, rows$y, P, nu[at]))
  }
  average
}

# Is the path of these rows made from their moments?
from_moments <- function(x, y, intercept = TRUE, weights = NULL) {
  settings <- list(method = "iss", loo = FALSE, intercept = intercept)
  !is.null(msplit_kernel_rows_gram(frame_default(x, y, weights = weights, many = TRUE), y, settings, NULL))
}

test_that("many rows: the supports are those of a fit to their moments, and the ridges those of the twin", {
  nu <- c(.5, 8)
  for (seed in 1:5) {
    d <- msplit_case(seed, if (seed == 2) "correlated" else "random", n = 3000, d = 18)
    x <- if (seed > 3) d$x %*% diag(10^seq(-3, 3, length.out = 18)) + 5 else d$x
    colnames(x) <- colnames(d$x)
    weights <- if (seed %in% c(1, 4)) d$weights
    how <- list(weights = weights, intercept = seed != 3, standardize = seed != 5)
    expect_true(from_moments(x, d$y, how$intercept, weights))
    fit <- do.call(msplit, c(list(x, d$y, nu = nu), how))
    rows <- do.call(naive_rows, c(list(x, d$y), how))
    from <- msplit(moments(x, d$y, weights = weights), nu = nu, intercept = how$intercept,
                   standardize = how$standardize)
    same <- c("weight", "criterion", "size", "terms", "lambda", "step")
    expect_equal(fit$supports[same], from$supports[same], tolerance = 1e-8)
    expect_equal(fit$steps, from$steps, tolerance = 1e-8)
    expect_lt(gap(coef(fit)[-1] * rows$scale, average_of(fit$supports, rows, colnames(x), nu)), 1e-8)
  }
  for (weights in list(NULL, d$weights)) {
    expect_true(from_moments(d$x, d$pair, weights = weights))
    both <- msplit(d$x, d$pair, nu = nu, weights = weights)
    for (response in colnames(d$pair)) {
      of <- both$supports[both$supports$response == response, ]
      rows <- naive_rows(d$x, d$pair[, response], weights)
      expect_lt(gap(coef(both)[[response]][-1] * rows$scale, average_of(of, rows, colnames(d$x), nu)), 1e-8)
    }
  }
})

test_that("rows that are few, close to dependent, or far from 0 without an intercept are standardised", {
  d <- msplit_case(1, n = 3000, d = 18)
  expect_false(from_moments(d$x[1:100, ], d$y[1:100]))
  expect_false(from_moments(cbind(d$x, near = d$x[, 1] + 1e-6 * d$y), d$y))
  expect_false(from_moments(d$x + 1e4, d$y, intercept = FALSE))
  far <- msplit(d$x + 1e4, d$y, intercept = FALSE, nu = 8, choose = "none",
                control = msplit_control(t_ratio = 1e12), max_steps = 60)
  expect_lt(gap(far$gamma[, ncol(far$gamma)], qr.coef(qr(d$x + 1e4), d$y)), 1e-10)
})

test_that("criterion and REML of every event are the twin's", {
  d <- msplit_case(2, n = 40, d = 8)
  rows <- naive_rows(d$x, d$y)
  fit <- msplit(d$x, d$y, nu = c(1, 10))
  P <- lapply(seq_len(ncol(fit$gamma)), function(k) which(fit$gamma[, k] != 0))
  expect_close(fit$steps$criterion, mapply(function(P, nu) naive_support_criterion(rows, P, nu),
                                           P, fit$steps$lambda))
})

test_that("the average is the weighted mean, a support's weight is summed over its features", {
  d <- msplit_case(4, n = 30, d = 12)
  fit <- msplit(d$x, d$y)
  open <- strsplit(fit$supports$terms, ", ")
  expect_equal(sum(fit$supports$weight), 1)
  expect_true(nrow(fit$supports) > 1 && all(diff(fit$supports$weight) <= 0))
  expect_gte(min(fit$supports$weight), .02 * max(fit$supports$weight))
  for (term in colnames(d$x)) {
    share <- sum(fit$supports$weight[vapply(open, function(P) term %in% P, NA)])
    expect_equal(unname(fit$support_weight[term, "y"]), share)
  }
  expect_setequal(variable.names(fit, step = "average"), open[[1]])
  expect_equal(fitted(fit), predict(fit, d$x))
  expect_equal(coef(fit), coef(fit, step = "average"))
  sparse <- coef(fit, estimator = "sparse")
  expect_equal(sparse[open[[1]]], coef(fit)[open[[1]]])
  expect_setequal(names(which(sparse[-1] != 0)), open[[1]])
})

test_that("both forms of the dense estimators agree", {
  # the cheaper one is taken: few supports of a tall problem have one decomposition each, many
  # responses share one
  d <- msplit_case(3, n = 60, d = 6)
  one <- msplit(d$x, d$y)
  many <- msplit(d$x, cbind(y = d$y, matrix(d$pair[, 2], 60, 30, dimnames = list(NULL, 1:30))))
  mine <- many$supports[many$supports$response == "y", -1]
  expect_equal(mine[c("weight", "nu", "loo", "df", "loss", "terms")],
               one$supports[c("weight", "nu", "loo", "df", "loss", "terms")])
  expect_equal(coef(many)$y, coef(one))
})

test_that("three features and noise: these three are the signals", {
  for (seed in 1:10) {
    d <- with_seed(seed, {
      x <- named_columns(rnorm(110 * 9), 110, "x")
      list(x = x, y = drop(x[, 1] + x[, 2] + x[, 3] + rnorm(110)))
    })
    fit <- msplit(d$x, d$y)
    found <- signals(fit)
    expect_setequal(variable.names(fit), paste0("x", 1:3))
    expect_setequal(found$term[found$signal == "strong"], paste0("x", 1:3))
    expect_gt(min(fit$support_weight[1:3, ]), .8)
  }
})

test_that("without noise the support is that of the signal", {
  for (n in c(20, 60)) {
    d <- msplit_case(1, n = n, d = 30)
    fit <- msplit(d$x, 2 * d$x[, 1] - d$x[, 2])
    expect_setequal(variable.names(fit), c("x1", "x2"))
    expect_close(coef(fit)[c("x1", "x2")], c(2, -1), tolerance = 1e-3)
  }
})

test_that("more than two classes: ridge with the nu of the least sum of leave-one-out errors", {
  d <- msplit_case(3, n = 24)
  rows <- naive_rows(d$x, diag(3)[as.integer(d$class), ])
  loo <- vapply(ridge_grid_nu, function(nu) {
    sum(vapply(1:3, function(k) {
      rows$y <- rows$y[, k, drop = FALSE]
      naive_free_ridge(rows, integer(), nu)$loo
    }, 0))
  }, 0)
  fit <- msplit(d$x, d$class)
  expect_equal(fit$supports$nu, rep(ridge_grid_nu[which.min(loo)], 3))
  B <- naive_dense(rows$x, rows$y, integer(), fit$supports$nu[1])
  for (k in 1:3) {
    expect_close(coef(fit, class = levels(d$class)[k])[-1] * rows$scale, B[, k])
  }
  expect_length(variable.names(fit, step = "average"), 0)
})

test_that("ridge of several responses has the nu of the least sum of leave-one-out errors", {
  d <- msplit_case(5, n = 24)
  Y <- cbind(p = d$y, q = d$x[, 1] - d$y + d$x[, 2]^2)
  error <- function(k) {
    rows <- naive_rows(d$x, Y[, k, drop = FALSE])
    vapply(ridge_grid_nu, function(nu) naive_free_ridge(rows, integer(), nu)$loo, 0)
  }
  fit <- msplit(d$x, Y, choose = "ridge")
  expect_equal(fit$supports$nu, rep(ridge_grid_nu[which.min(error(1) + error(2))], 2))
  alone <- msplit(d$x, d$y, choose = "ridge")
  expect_equal(alone$supports$nu, ridge_grid_nu[which.min(error(1))])
  rows <- naive_rows(d$x, cbind(d$y))
  expect_close(coef(alone)[-1] * rows$scale, drop(naive_dense(rows$x, rows$y, integer(), alone$supports$nu)))
  expect_length(variable.names(alone, step = "average"), 0)
  expect_identical(coef(msplit(d$x, d$class, choose = "ridge")), coef(msplit(d$x, d$class)))
  expect_error(msplit(d$x, d$y, choose = "ridge", method = "lbi"), "exact path", class = "transelect_error_choose")
  m <- moments(d$x, d$y)
  expect_length(variable.names(msplit(m, choose = "ridge"), step = "average"), 0)
})

test_that("without any event there is ridge alone", {
  d <- msplit_case(2, n = 30, d = 60)
  y <- with_seed(5, rnorm(30))
  fit <- msplit(d$x, y, max_steps = 0)
  expect_identical(fit$supports$size, 0L)
  rows <- naive_rows(d$x, y)
  loo <- vapply(ridge_grid_nu, function(nu) naive_free_ridge(rows, integer(), nu)$loo, 0)
  nu <- ridge_grid_nu[which.min(loo)]
  expect_equal(fit$supports$nu, nu)
  expect_close(coef(fit)[-1] * rows$scale, naive_dense(rows$x, rows$y, integer(), nu))
})

# The paper's design: five strong signals, 35 weak ones, 40 without effect.
paper_case <- function(seed, n = 100, correlation = .4) {
  with_seed(seed, {
    beta <- rep(c(2, .2, 0), c(5, 35, 40))
    draw <- function(n) {
      sqrt(correlation) * rnorm(n) + sqrt(1 - correlation) * matrix(rnorm(80 * n), n)
    }
    x <- draw(n)
    new <- draw(500)
    colnames(x) <- colnames(new) <- paste0("x", 1:80)
    list(x = x, y = drop(x %*% beta) + rnorm(n) / 2, new = new, truth = drop(new %*% beta))
  })
}

test_that("strong and weak signals: the strong ones are found, and the average gains on ridge", {
  d <- paper_case(1)
  fit <- msplit(d$x, d$y)
  expect_true(all(paste0("x", 1:5) %in% variable.names(fit)))
  ridge <- msplit(d$x, d$y, max_steps = 0)
  error <- function(fit) mean((predict(fit, d$new) - d$truth)^2)
  expect_lt(error(fit), .7 * error(ridge))
})

test_that("very large and very small weights and responses are those of ordinary size", {
  d <- msplit_case(5)
  fit <- msplit(d$x, d$y, weights = d$weights)
  for (scale in c(1e-307, 1e307)) {
    expect_equal(coef(msplit(d$x, d$y, weights = d$weights * scale)), coef(fit))
  }
  for (scale in c(1e-100, 1e100)) {
    other <- msplit(d$x, d$y * scale, weights = d$weights)
    expect_equal(coef(other) / scale, coef(fit))
    expect_equal(other$supports[c("weight", "terms", "nu")], fit$supports[c("weight", "terms", "nu")])
  }
})

test_that("a response without a name gets one", {
  d <- msplit_case(1)
  pair <- d$pair
  colnames(pair) <- c("first", "")
  expect_named(coef(plain_path(d$x, pair)), c("first", "y2"))
  colnames(pair) <- c("y2", NA)
  expect_identical(plain_path(d$x, pair)$responses, c("y2", "y2.1"))
  data <- data.frame(y2 = d$pair[, 1], other = d$pair[, 2], d$x)
  unnamed <- msplit(cbind(y2, other + 0) ~ x1 + x2 + x3, data, nu = 1)
  named <- msplit(cbind(y2, other) ~ x1 + x2 + x3, data, nu = 1)
  expect_identical(unnamed$responses, c("y2", "y2.1"))
  expect_equal(predict(unnamed, data), predict(named, data), ignore_attr = TRUE)
  both <- msplit(cbind(y2 + 0, other + 0) ~ x1 + x2 + x3, data, nu = 1)
  expect_identical(both$responses, c("y1", "y2"))
})

test_that("neither the order of rows, columns and responses nor units decide", {
  for (seed in c(7, 30, 48, 57)) {
    d <- with_seed(seed, {
      x <- named_columns(rnorm(480), 60, "x")
      list(x = x, y = round(x[, 1] * .6 + x[, 2] * .3 + rnorm(60)), order = sample(60))
    })
    fit <- msplit(d$x, d$y)
    scaled <- d$x
    scaled[] <- d$x %*% diag(c(-1, 1000, rep(1, 6)))
    others <- list(msplit(d$x[d$order, ], d$y[d$order]), msplit(scaled, d$y),
                   msplit(d$x[, 8:1], d$y), msplit(d$x, d$y * 1e90))
    for (other in others) {
      expect_equal(other$supports$weight, fit$supports$weight, tolerance = 1e-6)
      expect_identical(in_order(other$supports$terms), in_order(fit$supports$terms))
    }
    pair <- cbind(a = d$y, b = d$x[, 3] + d$y)
    expect_equal(coef(msplit(d$x, pair))$a, coef(msplit(d$x, pair[, 2:1]))$a)
    expect_equal(coef(msplit(d$x, pair))$a, coef(fit))
  }
})

test_that("a response that nothing enters for is named", {
  x <- as.matrix(mtcars[c("wt", "hp", "disp", "drat")])
  y <- cbind(mpg = mtcars$mpg, qsec = mtcars$qsec * 1000)
  expect_message(msplit(x, y, nu = 5, choose = "none"), "mpg")
  entered <- function(y, response) {
    fit <- suppressMessages(msplit(x, y, nu = 5, choose = "none"))
    sum(coef(fit, response = response, step = max(fit$points$step), estimator = "gamma")[-1] != 0)
  }
  expect_identical(entered(y, "mpg"), 0L) # though most of it is explained
  expect_gt(entered(scale(y), "mpg"), 1L)
  expect_silent(msplit(x, scale(y), nu = 5, choose = "none"))
  expect_silent(msplit(x, y, nu = 5, choose = "none", max_steps = 0))
})

# By its definition: of each response the smallest criterion of every support, those near the least, their weights.
naive_open <- function(events, most, least) {
  last <- cumsum(events$size)
  columns <- Map(function(end, k) events$index[end - k + seq_len(k)], last, events$size)
  parts <- lapply(unique(sort(events$response)), function(r) {
    at <- which(events$response == r & events$size <= most & !is.nan(events$criterion))
    at <- at[order(events$criterion[at])]
    at <- at[!duplicated(columns[at])]
    weight <- exp(-(events$criterion[at] - min(events$criterion[at])) / 2)
    at <- at[weight >= least]
    list(at = at, weight = weight[weight >= least] / sum(weight[weight >= least]))
  })
  at <- unlist(lapply(parts, `[[`, "at"))
  list(at = at, response = events$response[at], weight = unlist(lapply(parts, `[[`, "weight")),
       criterion = events$criterion[at], start = as.integer(c(0, cumsum(events$size[at]))),
       index = as.integer(unlist(columns[at])))
}

test_that("the supports that are weighed, and their weights, are those of the definition", {
  set.seed(5)
  for (draw in 1:300) {
    count <- sample(1:60, 1)
    size <- sample(0:4, count, TRUE)
    events <- list(
      response = sample(sample(5, sample(5, 1)), count, TRUE), size = size,
      index = as.integer(unlist(lapply(size, function(k) sort(sample(5, k)) - 1L))),
      criterion = if (draw %% 2) round(rnorm(count, sd = 4)) else rnorm(count, sd = 10)
    )
    if (draw %% 3 == 0) events$criterion[sample(count, count %/% 3)] <- NaN
    keep <- vapply(unique(events$response), function(r) {
      any(events$response == r & events$size <= 3 & !is.nan(events$criterion))
    }, NA)
    if (!all(keep)) next
    least <- sample(c(.02, .5, 1), 1)
    expect_equal(.Call(C_open_supports, events, 3, least), naive_open(events, 3, least))
  }
  none <- list(response = 1L, size = 2L, index = 0:1, criterion = NaN)
  expect_identical(.Call(C_open_supports, none, 3, .02)$at, integer())
  expect_error(.Call(C_open_supports, replace(none, "size", 3L), 3, .02), "'size'")
  expect_error(.Call(C_open_supports, replace(none, "size", 1L), 3, .02), "'size'")
})

test_that("many responses with many events each have the supports of the definition", {
  set.seed(6)
  size <- rep(0:3, 5000)
  events <- list(response = rep(1:200, each = 100), size = size,
                 index = as.integer(unlist(lapply(size, function(k) sort(sample(30, k)) - 1L))),
                 criterion = rnorm(20000))
  expect_equal(.Call(C_open_supports, events, 3, .3), naive_open(events, 3, .3))
})
