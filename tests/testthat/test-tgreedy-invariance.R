# ---- what must not change when the data are written down differently

tgreedy_fits <- function(x, y, domain, ...) {
  rules <- c("gain", "t", "modt", "greedy")
  fits <- lapply(rules, function(rule) tgreedy(x, y, domain, rule = rule, ..., max_steps = 4))
  names(fits) <- rules
  fits
}

expect_same_tgreedy_fits <- function(fits, others, tolerance = 1e-8) {
  for (rule in names(fits)) {
    expect_same_tgreedy(fits[[rule]], others[[rule]], tolerance, label = rule)
  }
}

test_that("the order and the names of the domains do not matter", {
  for (seed in 1:4) {
    d <- draw_domains(seed)
    a <- tgreedy_fits(d$x, d$y, d$domain)
    turned <- factor(d$domain, levels = letters[5:1])
    expect_same_tgreedy_fits(a, tgreedy_fits(d$x, d$y, turned))
    renamed <- c(a = 9, b = 100, c = -1, d = 5, e = 0)[d$domain]
    b <- tgreedy_fits(d$x, d$y, renamed)
    for (rule in names(a)) {
      expect_identical(a[[rule]]$steps$entered, b[[rule]]$steps$entered)
      expect_close(a[[rule]]$steps$loss, b[[rule]]$steps$loss)
      expect_close(a[[rule]]$domain_loss[, "b"], b[[rule]]$domain_loss[, "100"])
    }
  }
})

test_that("every row of one domain twice changes nothing", {
  for (seed in 1:4) {
    d <- draw_domains(seed)
    rows <- c(seq_along(d$y), which(d$domain == "c"))
    a <- tgreedy_fits(d$x, d$y, d$domain)
    expect_same_tgreedy_fits(a, tgreedy_fits(d$x[rows, ], d$y[rows], d$domain[rows]))
    a <- tgreedy_fits(d$x, d$y, d$domain, control = tgreedy_control(update = "refit"))
    b <- tgreedy_fits(d$x[rows, ], d$y[rows], d$domain[rows], control = tgreedy_control(update = "refit"))
    expect_same_tgreedy_fits(a, b)
  }
})

test_that("a weight of two is a row written twice, and only ratios within a domain matter", {
  for (seed in 1:4) {
    d <- draw_domains(seed)
    weights <- 1 + seq_along(d$y) %% 3
    rows <- rep(seq_along(d$y), weights)
    a <- tgreedy_fits(d$x, d$y, d$domain, weights = weights)
    expect_same_tgreedy_fits(a, tgreedy_fits(d$x[rows, ], d$y[rows], d$domain[rows]))
    by_domain <- c(a = 1, b = 10, c = 0.01, d = 3, e = 7)[d$domain]
    expect_same_tgreedy_fits(a, tgreedy_fits(d$x, d$y, d$domain, weights = weights * by_domain))
    plain <- tgreedy_fits(d$x, d$y, d$domain)
    expect_same_tgreedy_fits(plain, tgreedy_fits(d$x, d$y, d$domain, weights = by_domain))
  }
})

test_that("a row of weight zero is a row left out, and so is a domain", {
  d <- draw_domains(6)
  weights <- replace(d$weights, c(2, 9), 0)
  out <- -c(2, 9)
  a <- tgreedy_fits(d$x, d$y, d$domain, weights = weights)
  b <- tgreedy_fits(d$x[out, ], d$y[out], d$domain[out], weights = weights[out])
  expect_same_tgreedy_fits(a, b)
  weights <- ifelse(d$domain == "b", 0, 1)
  a <- tgreedy_fits(d$x, d$y, d$domain, weights = weights)
  b <- tgreedy_fits(d$x[weights > 0, ], d$y[weights > 0], d$domain[weights > 0])
  expect_same_tgreedy_fits(a, b)
  expect_identical(a$gain$domains, c("a", "c", "d", "e"))
})

test_that("unlabelled copies of the labelled rows change nothing", {
  d <- draw_domains(7)
  a <- tgreedy_fits(d$x, d$y, d$domain)
  b <- tgreedy_fits(d$x, d$y, d$domain, unlabelled = list(x = d$x, domain = d$domain))
  expect_same_tgreedy_fits(a, b)
})

test_that("the sign, the unit and the origin of the response do not matter", {
  for (seed in 1:4) {
    d <- draw_domains(seed)
    a <- tgreedy_fits(d$x, d$y, d$domain)
    b <- tgreedy_fits(d$x, 1e4 - 1000 * d$y, d$domain)
    for (rule in names(a)) {
      expect_identical(a[[rule]]$steps$entered, b[[rule]]$steps$entered)
      expect_close(a[[rule]]$steps$t[-1], -b[[rule]]$steps$t[-1])
      expect_close(as.matrix(a[[rule]]$beta), as.matrix(b[[rule]]$beta) / -1000)
    }
    swapped <- factor(d$factor, levels = c("yes", "no"))
    a <- tgreedy_fits(d$x, d$factor, d$domain)
    b <- tgreedy_fits(d$x, swapped, d$domain)
    for (rule in names(a)) {
      expect_identical(a[[rule]]$steps$entered, b[[rule]]$steps$entered)
      expect_close(a[[rule]]$a0, -b[[rule]]$a0)
      expect_lt(na_gap(a[[rule]]$domain_auroc, b[[rule]]$domain_auroc), 1e-9)
    }
  }
})

test_that("scaling the columns changes nothing but the scale of `weight`", {
  for (seed in 1:4) {
    d <- draw_domains(seed)
    a <- tgreedy_fits(d$x, d$y, d$domain)
    b <- tgreedy_fits(d$x, d$y, d$domain, standardize = FALSE)
    for (rule in names(a)) {
      b[[rule]]$steps$weight <- a[[rule]]$steps$weight
      expect_same_tgreedy(a[[rule]], b[[rule]], 1e-8)
    }
  }
})
