# ---- columns with heavy tails: bounded at far-out fences where the rows fit better so

draw_tails <- function(seed, effects, p = 4, rows = c(30, 60, 60)) {
  set.seed(seed)
  domain <- rep(letters[seq_along(rows)], rows)
  x <- matrix(exp(1.5 * rnorm(length(domain) * p)), ncol = p, dimnames = list(NULL, paste0("x", seq_len(p))))
  b <- c(1, -.5, .3, 1, .5, -1)[seq_len(p)]
  list(x = x, y = drop(effects(x) %*% b) + rnorm(length(domain)), domain = domain)
}

of_tails <- function(d, ...) suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = "a", ...))

test_that("fences, likelihood ratios and shares are those of their formulas", {
  cases <- list(
    list(1, log1p), list(2, identity), list(3, sqrt), list(4, function(x) cbind(log1p(x[, 1:2]), x[, 3:4])),
    list(5, log1p), list(6, sqrt)
  )
  between <- 0
  for (case in cases) {
    d <- draw_tails(case[[1]], case[[2]])
    if (case[[1]] == 5) d$x[, 1] <- d$x[, 1] * c(a = 1, b = 1000, c = 1)[d$domain] # other units
    if (case[[1]] == 6) d$x[, 4] <- (d$x[, 4] > 3) + 0
    twin <- naive_tails(d$x, d$y, d$domain)
    share <- ifelse(twin$share < .1, 0, ifelse(twin$share > .9, 1, twin$share))
    fit <- of_tails(d, select = FALSE)
    at <- share > 0
    expect_equal(fit$tails$columns %||% integer(), unname(twin$columns[at]))
    expect_equal(fit$tails$share %||% numeric(), share[at], tolerance = 1e-6)
    expect_equal(fit$tails$low, if (any(at)) twin$low[at, , drop = FALSE])
    expect_equal(fit$tails$high, if (any(at)) twin$high[at, , drop = FALSE])
    between <- between + sum(share > 0 & share < 1)
    # a search has them bounded, or as they are
    expect_equal(of_tails(d)$tails$columns %||% integer(), unname(twin$columns[twin$share > .5]))
  }
  expect_gt(between, 1)
})

test_that("the fit is that of the bounded columns, and new rows are bounded at the same fences", {
  d <- draw_tails(1, log1p)
  fit <- of_tails(d, select = FALSE)
  tails <- fit$tails
  made <- function(x, domain) {
    for (k in seq_along(tails$columns)) {
      v <- x[, tails$columns[k]]
      bounded <- pmin(pmax(v, tails$low[k, domain]), tails$high[k, domain])
      x[, tails$columns[k]] <- (1 - tails$share[k]) * v + tails$share[k] * bounded
    }
    x
  }
  plain <- suppressMessages(tlcp(made(d$x, d$domain), d$y, domain = d$domain, target = "a", select = FALSE,
                                 control = tlcp_control(fences = FALSE)))
  expect_equal(coef(fit), coef(plain))
  expect_equal(confint(fit), confint(plain))
  expect_null(plain$tails)
  own <- d$domain == "a"
  expect_equal(unname(fitted(fit)), unname(predict(fit, d$x[own, ])))
  new <- d$x[1:5, ]
  new[1, ] <- 1e4
  for (domain in c("a", "b")) {
    expect_equal(suppressMessages(predict(fit, new, domain = domain)),
                 suppressMessages(predict(plain, made(new, rep(domain, 5)), domain = domain)))
  }
  # a saved fit predicts alike, and sparse rows of other order of columns do
  file <- tempfile()
  on.exit(unlink(file))
  saveRDS(fit, file)
  expect_equal(predict(readRDS(file), d$x[1:5, ]), predict(fit, d$x[1:5, ]))
  expect_equal(predict(fit, Matrix::Matrix(d$x[5:1, 4:1], sparse = TRUE)), predict(fit, d$x[5:1, ]))
  # beyond the fences a bounded column has no effect
  whole <- which(tails$share == 1)[1]
  far <- rbind(new[2, ], new[2, ])
  far[, tails$columns[whole]] <- tails$high[whole, "a"] + c(1, 5)
  expect_equal(diff(predict(fit, far)), 0)
})

test_that("bounded columns are told of and printed, and can be left as they are", {
  d <- draw_tails(1, log1p)
  expect_message(fit <- tlcp(d$x, d$y, domain = d$domain, target = "a"), "Far-out values are bounded.*logarithm",
                 class = "transelect_message_tails")
  expect_output(print(fit), "far-out values bounded: x4; consider logarithms")
  expect_no_message(plain <- tlcp(d$x, d$y, domain = d$domain, target = "a",
                                  control = tlcp_control(fences = FALSE, units = "common")),
                    class = "transelect_message_tails")
  expect_null(plain$tails)
  # sparse designs, moments, other rules and columns without far-out values are as they are
  expect_null(of_tails(list(x = Matrix::Matrix(d$x, sparse = TRUE), y = d$y, domain = d$domain))$tails)
  expect_null(of_tails(d, borrow = "aggregate")$tails)
  expect_null(of_tails(list(x = log(d$x), y = d$y, domain = d$domain))$tails)
  # and so are the domains where none has enough rows
  few <- unlist(lapply(split(seq_along(d$y), d$domain), utils::head, 6))
  expect_null(of_tails(list(x = d$x[few, ], y = d$y[few], domain = d$domain[few]))$tails)
})

test_that("effects that level off are borrowed better, and linear ones no worse", {
  error <- function(effects, ...) {
    mean(vapply(1:6, function(seed) {
      d <- draw_tails(seed, effects)
      fit <- of_tails(d, select = FALSE, ...)
      new <- draw_tails(100 + seed, effects, rows = c(300, 1, 1))
      truth <- drop(effects(new$x) %*% c(1, -.5, .3, 1))
      mean((suppressMessages(predict(fit, new$x)) - truth)^2)
    }, 0))
  }
  expect_lt(error(log1p), .7 * error(log1p, control = tlcp_control(fences = FALSE)))
  expect_lt(error(identity), 1.02 * error(identity, control = tlcp_control(fences = FALSE)))
})
