# ---- every documented bad input of tlcp() and what the user is told

test_that("bad data are refused by name", {
  d <- draw_similar_domains(1, 2, 5)
  n <- length(d$y)
  spoil <- function(value) replace(d$x, 3, value)
  constant <- replace(d$y, d$domain == "b", 1)
  flat <- replace(d$y, d$domain == "a", 2)
  three <- factor(rep_len(c("u", "v", "w"), n))
  expect_refused(
    tlcp(d$x), "y: `y`",
    tlcp(d$x, d$y[-1]), "y: `y` 48 `x` 49",
    tlcp(d$x, d$y, domain = d$domain[-1], target = "b"), "domain: `domain` 48",
    tlcp(d$x, d$y, domain = replace(d$domain, 2, NA), target = "b"), "domain: `domain` 49 1",
    tlcp(d$x, d$y, domain = d$domain), "target: `target`",
    tlcp(d$x, d$y, domain = d$domain, target = "z"), 'target: `target` "z"',
    tlcp(d$x, d$y, domain = d$domain, target = c("a", "b")), 'target: `target` "a" "b"',
    tlcp(d$x, d$y, target = "b"), 'target: `target` "b"',
    tlcp(d$x, d$y, domain = rep("b", n), target = "b", borrow = "hierarchical"), 'borrow: `borrow` "hierarchical"',
    tlcp(d$x, d$y, borrow = "hierarchical"), 'borrow: `borrow` "hierarchical"',
    tlcp(spoil(NA), d$y, domain = d$domain, target = "b"), 'x: "x1" `x` 1',
    tlcp(spoil(Inf), d$y, domain = d$domain, target = "b"), 'x: "x1" `x` 1',
    tlcp(d$x[, 0], d$y, domain = d$domain, target = "b"), "x: `x`",
    tlcp(d$x[, c(1, 1)], d$y, domain = d$domain, target = "b"), 'x: `x` "x1"',
    tlcp(d$x, replace(d$y, 4, NA), domain = d$domain, target = "b"), "y: `y` 1",
    tlcp(d$x, constant, domain = d$domain, target = "b"), 'y: `y` "b" 19',
    tlcp(d$x, flat, domain = d$domain, target = "a"), 'y: `y` "a" 30',
    tlcp(d$x, three, domain = d$domain, target = "b"), "y: `y` 3",
    tlcp(d$x, d$y, domain = d$domain, target = "b", weights = -1), "weights: `weights` 1",
    tlcp(d$x, d$y, domain = d$domain, target = "b", weights = rep(0, n)), "weights: `weights`"
  )
})

test_that("too few rows are refused where least squares is needed", {
  d <- draw_similar_domains(2, 2, 5)
  few <- unlist(lapply(c("a", "b"), function(name) head(which(d$domain == name), 5)))
  few_a <- c(which(d$domain == "b"), head(which(d$domain == "a"), 5))
  many <- cbind(d$x, with_seed(1, named_columns(rnorm(20 * nrow(d$x)), nrow(d$x), "m")))
  target <- d$domain == "b"
  expect_refused(
    tlcp(d$x[few_a, ], d$y[few_a], domain = d$domain[few_a], target = "b", borrow = "plugin"), 'domain: 5 "a"',
    tlcp(d$x[few_a, ], d$y[few_a], domain = d$domain[few_a], target = "b", borrow = "pooled"), 'domain: 5 "a"',
    tlcp(many[target, ], d$y[target]), "domain: 19 25"
  )
  # no domain has enough rows to estimate a residual variance
  expect_message(
    tlcp(d$x[few, ], d$y[few], domain = d$domain[few], target = "b"), "likelihood given the other domains"
  )
  # the cutoff takes the directions of the target
  fit <- suppressMessages(tlcp(many[target, ], d$y[target], method = "cutoff"))
  expect_match(fit$borrowing$s2_from, "marginal likelihood")
})

test_that("columns that are combinations of others are left out by name, where that matters", {
  d <- draw_similar_domains(2, 2, 5)
  copy <- cbind(d$x, x6 = d$x[, 1] - d$x[, 2])
  gone <- d$x
  gone[d$domain == "a", 4] <- 7
  target <- d$domain == "b"
  fit <- function(x, ...) tlcp(x, d$y, domain = d$domain, target = "b", control = tlcp_control(guard = FALSE), ...)
  expect_message(a <- fit(copy, borrow = "plugin"), "x6")
  expect_equal(coef(a)[colnames(d$x)], coef(fit(d$x, borrow = "plugin"))[colnames(d$x)])
  expect_message(a <- fit(gone, borrow = "reml"), "x4")
  expect_equal(coef(a)[["x4"]], 0)
  expect_equal(coef(a)[c("x1", "x5")], coef(fit(d$x[, -4], borrow = "reml"))[c("x1", "x5")])
  expect_message(a <- tlcp(copy[target, ], d$y[target]), "x6")
  expect_equal(predict(a, copy), predict(tlcp(d$x[target, ], d$y[target]), d$x))
  # with the borrowing prior every coefficient can be estimated
  a <- fit(copy, sizes = TRUE)
  expect_identical(max(a$steps$size), 6L)
})

test_that("a column that is left out cannot be kept", {
  d <- draw_similar_domains(2, 2, 5)
  x <- d$x
  x[d$domain == "b", 2] <- 1
  copy <- cbind(d$x, x6 = d$x[, 1] - d$x[, 2])
  expect_refused(
    tlcp(x, d$y, domain = d$domain, target = "b", borrow = "none", keep = "x2"), 'keep: `keep` "x2" "b"',
    tlcp(copy, d$y, domain = d$domain, target = "b", borrow = "none", keep = "x6"), 'keep: `keep` "x6" "b"'
  )
})

test_that("bad tuning values are refused by name", {
  d <- draw_similar_domains(3, 3, 5)
  fit <- function(...) tlcp(d$x, d$y, domain = d$domain, target = "b", ...)
  expect_refused(
    fit(method = "best"), 'method: `method` "best"',
    fit(borrow = "all"), 'borrow: `borrow` "all"',
    fit(borrow = "reml"), 'borrow: `borrow` "reml" 3',
    fit(borrow = list(lam = 1, v = 1, pen = 1)), "borrow: `borrow` 1",
    fit(borrow = list(lam = c(1, 1, 1), v = -1, pen = 1)), "borrow: `borrow` -1",
    fit(borrow = list(lam = c(1, 1, 1), v = 1:2, pen = 1)), "borrow: `borrow` 1 2",
    fit(borrow = list(lam = c(1, 1, 1), v = 1, pen = NA)), "borrow: `borrow`",
    fit(control = tlcp_control(support = "source")), 'support: `support` "source"',
    fit(criterion = "mallows"), 'criterion: `criterion` "mallows"',
    fit(criterion = -1), "criterion: `criterion` -1",
    fit(criterion = NA), "criterion: `criterion`",
    fit(select = NA), "select: `select`",
    fit(sizes = "all"), 'sizes: `sizes` "all"',
    fit(keep = "x9"), 'keep: `keep` "x9"',
    fit(keep = 7), "keep: `keep` 7",
    fit(keep = "x1", control = tlcp_control(drop = "x1")), 'drop: `keep` `drop` "x1"',
    fit(control = tlcp_control(drop = 0)), "drop: `drop` 0",
    fit(control = tlcp_control(scales = "yes")), 'scales: `scales` "yes"',
    fit(control = tlcp_control(guard = NA)), "guard: `guard`",
    fit(standardize = NA), "standardize: `standardize`",
    fit(intercept = 2), "intercept: `intercept` 2",
    fit(control = tlcp_control(sigma2 = 0)), "sigma2: `sigma2` 0",
    fit(control = tlcp_control(sigma2 = c(1, 2))), "sigma2: `sigma2` 1 2",
    fit(control = tlcp_control(max_nodes = 0)), "max_nodes: `max_nodes` 0",
    fit(max_seconds = -1), "max_seconds: `max_seconds` -1",
    fit(supports = "target"), "argument: `supports`",
    fit(5), "sources: `sources`"
  )
})

test_that("bad formula input is refused by name", {
  d <- draw_similar_domains(4, 2, 5)
  data <- data.frame(y = d$y, site = d$domain, d$x)
  expect_refused(
    tlcp(y ~ x1 + nowhere, data, domain = site, target = "b"), "formula: `formula` \"nowhere\" `data`",
    tlcp(y ~ x1, data, domain = place, target = "b"), 'domain: `data` "place" `domain`'
  )
  expect_refused(
    tlcp(y ~ x1 + x2, data, domain = site), "target: `target`",
    tlcp(~ x1 + x2, data, domain = site, target = "b"), "formula: `formula`",
    tlcp(y ~ x1 + x2, data, domain = site, target = "b", subset = x1 > 100), "x: 0",
    tlcp(y ~ x1 + x2, data, domain = site, target = "b", size = TRUE), "argument: `size`",
    tlcp(y ~ x1 + x2, data, offset = raw(2)), "offset: `offset` 2"
  )
})

test_that("bad requests of a path are refused by name", {
  d <- draw_similar_domains(5, 2, 5)
  fit <- tlcp(d$x, d$y, domain = d$domain, target = "b", sizes = TRUE)
  expect_refused(
    predict(fit, d$new[, 1:3]), 'newdata: `newdata` 2 "x4" "x5"',
    predict(fit, d$new, step = 99), "step: `step` 99",
    predict(fit, d$new, domain = "z"), 'domain: `domain` "z"',
    predict(fit, d$new, type = "class"), 'type: `type` "class"',
    coef(fit, domain = "z"), 'domain: `domain` "z"',
    coef(fit, step = -1), "step: `step` -1"
  )
})
