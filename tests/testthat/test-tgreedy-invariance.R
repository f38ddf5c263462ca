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

test_that("the order of rows and of columns does not matter", {
  for (seed in 1:4) {
    d <- draw_domains(seed, "correlated")
    rows <- with_seed(seed, sample(length(d$y)))
    columns <- with_seed(seed, sample(7))
    a <- tgreedy_fits(d$x, d$factor, d$domain, weights = d$weights)
    b <- tgreedy_fits(
      d$x[rows, ], d$factor[rows], d$domain[rows], weights = d$weights[rows]
    )
    expect_same_tgreedy_fits(a, b)
    b <- tgreedy_fits(d$x[, columns], d$factor, d$domain, weights = d$weights)
    expect_same_tgreedy_fits(a, b)
  }
})

test_that("every row of one domain twice changes nothing", {
  for (seed in 1:4) {
    d <- draw_domains(seed)
    rows <- c(seq_along(d$y), which(d$domain == "c"))
    a <- tgreedy_fits(d$x, d$y, d$domain)
    expect_same_tgreedy_fits(a, tgreedy_fits(d$x[rows, ], d$y[rows], d$domain[rows]))
    a <- tgreedy_fits(d$x, d$y, d$domain, update = "refit")
    b <- tgreedy_fits(d$x[rows, ], d$y[rows], d$domain[rows], update = "refit")
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

test_that("the sign and the unit of a feature do not matter", {
  unit <- c(1000, -1, 1, 1e-3, 1, -2, -50)
  for (seed in 1:4) {
    d <- draw_domains(seed)
    for (update in c("stagewise", "refit")) {
      a <- tgreedy_fits(d$x, d$y, d$domain, update = update)
      other <- d$x * rep(unit, each = nrow(d$x)) + 3
      b <- tgreedy_fits(other, d$y, d$domain, update = update)
      for (rule in names(a)) {
        expect_identical(a[[rule]]$steps$entered, b[[rule]]$steps$entered)
        expect_close(abs(a[[rule]]$steps$t[-1]), abs(b[[rule]]$steps$t[-1]))
        expect_close(a[[rule]]$steps$gain[-1], b[[rule]]$steps$gain[-1])
        expect_close(a[[rule]]$steps$bound, b[[rule]]$steps$bound)
        expect_close(as.matrix(a[[rule]]$beta), as.matrix(b[[rule]]$beta) * unit)
        expect_close(predict(a[[rule]], d$x), predict(b[[rule]], other))
      }
    }
  }
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

test_that("constant columns change nothing", {
  for (seed in 1:4) {
    d <- draw_domains(seed)
    more <- cbind(k = 1, d$x, l = -3)
    a <- tgreedy_fits(d$x, d$y, d$domain)
    b <- tgreedy_fits(more, d$y, d$domain)
    for (rule in names(a)) {
      expect_identical(a[[rule]]$steps$entered, b[[rule]]$steps$entered)
      expect_close(a[[rule]]$steps$gain[-1], b[[rule]]$steps$gain[-1])
      expect_close(a[[rule]]$steps$bound, b[[rule]]$steps$bound)
      expect_true(all(as.matrix(b[[rule]]$beta)[c("k", "l"), ] == 0))
    }
  }
})

test_that("several threads give the same path to the last bit", {
  d <- draw_domains(3, p = 500, sizes = 50:60)
  one <- tgreedy_fits(d$x, d$y, d$domain)
  old <- options(transelect.threads = 2)
  on.exit(options(old))
  two <- tgreedy_fits(d$x, d$y, d$domain)
  for (rule in names(one)) {
    expect_identical(two[[rule]]$steps, one[[rule]]$steps)
    expect_identical(two[[rule]]$beta, one[[rule]]$beta)
  }
})
