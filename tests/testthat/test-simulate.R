# ---- the simulator of several domains

test_that("the parts fit each other and have names", {
  d <- with_seed(1, simulate_domains(4, n = 30, p = 6, shared = c(2, -1), spread = 0.5))
  expect_named(d, c("x", "y", "domain", "beta", "beta_domain", "sigma"))
  expect_equal(dim(d$x), c(120L, 6L))
  expect_identical(colnames(d$x), paste0("x", 1:6))
  expect_null(rownames(d$x))
  expect_identical(d$domain, factor(rep(paste0("d", 1:4), each = 30)))
  expect_identical(d$beta, c(x1 = 2, x2 = -1, x3 = 0, x4 = 0, x5 = 0, x6 = 0))
  expect_identical(dimnames(d$beta_domain), list(paste0("d", 1:4), paste0("x", 1:6)))
  expect_identical(d$sigma, 1)
  expect_type(d$y, "double")
  expect_null(names(d$y))
})

test_that("without noise the response is each domain's own sum", {
  d <- with_seed(2, simulate_domains(11, n = 5, p = 3, noise = 0, shift = 2, correlation = 0.7))
  expect_identical(levels(d$domain), paste0("d", 1:11))
  for (k in levels(d$domain)) {
    rows <- d$domain == k
    expect_equal(d$y[rows], drop(d$x[rows, ] %*% d$beta_domain[k, ]))
  }
})

test_that("what was asked for is what is drawn", {
  d <- with_seed(3, simulate_domains(
    400, n = 50, p = 3, shared = c(1, -2), spread = c(0, 1, 0.5), correlation = 0.6, shift = 1.5,
    noise = 2
  ))
  expect_true(all(d$beta_domain[, 1] == 1))
  expect_equal(colMeans(d$beta_domain), d$beta, tolerance = 0.1)
  expect_equal(unname(apply(d$beta_domain, 2, sd)), c(0, 1, 0.5), tolerance = 0.1)
  means <- naive_by_domain(d$x, d$domain, rep(1, 20000))
  expect_equal(unname(apply(means, 2, sd)), rep(1.5, 3), tolerance = 0.1)
  within <- cor(d$x - means[as.integer(d$domain), ])
  expect_equal(within[1, ], c(x1 = 1, x2 = 0.6, x3 = 0.36), tolerance = 0.03)
  within_sd <- apply(d$x - means[as.integer(d$domain), ], 2, sd)
  expect_equal(unname(within_sd), rep(1, 3), tolerance = 0.03)
  noise <- d$y - rowSums(d$x * d$beta_domain[as.integer(d$domain), ])
  expect_equal(sd(noise), 2, tolerance = 0.03)
})

test_that("sizes are equal, given, or unequal about their mean", {
  equal <- with_seed(4, simulate_domains(3, n = 7, p = 2, shared = 1))
  expect_equal(as.vector(table(equal$domain)), c(7, 7, 7))
  given <- with_seed(4, simulate_domains(3, n = c(2, 30, 9), p = 2, shared = 1))
  expect_equal(as.vector(table(given$domain)), c(2, 30, 9))
  drawn <- with_seed(4, simulate_domains(2000, n = 20, p = 1, shared = 1, imbalance = 0.8))
  sizes <- as.vector(table(drawn$domain))
  expect_equal(mean(sizes), 20, tolerance = 0.06)
  expect_equal(sd(log(sizes)), 0.8, tolerance = 0.06)
  expect_gte(min(sizes), 2)
})

test_that("classes say whether the sum is positive", {
  a <- with_seed(5, simulate_domains(3, n = 20, p = 4))
  b <- with_seed(5, simulate_domains(3, n = 20, p = 4, response = "classes"))
  expect_identical(b$y, factor(ifelse(a$y > 0, "yes", "no"), levels = c("no", "yes")))
  expect_identical(b$x, a$x)
})

test_that("set.seed() makes it reproducible and nothing else is drawn", {
  draw <- function() simulate_domains(3, n = 5, p = 2, shared = 1, imbalance = 0.5, shift = 1)
  expect_identical(with_seed(6, draw()), with_seed(6, draw()))
  # sizes, effects, means, features, noise
  d <- with_seed(6, {
    first <- draw()
    list(first = first, after = runif(1))
  })
  n <- nrow(d$first$x)
  expect_identical(d$after, with_seed(6, {
    rnorm(3 + 3 * 2 + 3 * 2 + n * 2 + n)
    runif(1)
  }))
})

test_that("one domain and one feature are enough", {
  d <- with_seed(7, simulate_domains(1, n = 2, p = 1, shared = numeric(), spread = 0))
  expect_equal(dim(d$x), c(2L, 1L))
  expect_identical(d$beta, c(x1 = 0))
  expect_equal(dim(d$beta_domain), c(1L, 1L))
})

test_that("bad arguments are refused by name", {
  expect_refused(
    simulate_domains(0), "n_domains: `n_domains` 0",
    simulate_domains(2.5), "n_domains: `n_domains` 2.5",
    simulate_domains(NA), "n_domains: `n_domains`",
    simulate_domains(3, n = 1), "n: `n` 1",
    simulate_domains(3, n = c(5, 5)), "n: `n` 5",
    simulate_domains(3, n = 5.5), "n: `n` 5.5",
    simulate_domains(3, n = "5"), 'n: `n` "5"',
    simulate_domains(3, n = c(5, 6, 7), imbalance = 1), "imbalance: `n` `imbalance`",
    simulate_domains(p = 0), "p: `p` 0",
    simulate_domains(p = 2), "shared: `shared` 1 -1 0.5",
    simulate_domains(p = 5, shared = NA_real_), "shared: `shared`",
    simulate_domains(spread = -1), "spread: `spread` -1",
    simulate_domains(spread = c(1, 2)), "spread: `spread` 1 2",
    simulate_domains(imbalance = -1), "imbalance: `imbalance` -1",
    simulate_domains(correlation = 1), "correlation: `correlation` 1",
    simulate_domains(correlation = c(0.1, 0.2)), "correlation: `correlation` 0.1 0.2",
    simulate_domains(shift = -1), "shift: `shift` -1",
    simulate_domains(noise = -1), "noise: `noise` -1",
    simulate_domains(response = "binary"), 'response: `response` "binary"'
  )
})
