# ---- Cp

test_that("superfluous and critical features are kept with the probabilities of the paper", {
  expect_equal(cp_selection(0, 20), 2 * pnorm(-sqrt(2)))
  expect_equal(round(cp_selection(0, 20), 3), .157)
  n <- c(5, 20, 1000)
  expect_equal(cp_selection(sqrt(2 / n), n), rep(.5 + pnorm(-2 * sqrt(2)), 3))
  expect_equal(cp_selection(0, 20, lambda = 0), 1)
})

test_that("arguments are refused in their order, also where the default of a later one is made of them", {
  expect_error(cp_selection("a", "b", sigma = "c"), class = "transelect_error_beta")
  expect_error(cp_selection(1, "b", sigma = "c"), class = "transelect_error_n")
  expect_error(cp_selection(1, 20, sigma = "c"), class = "transelect_error_sigma")
})

test_that("selection and error of Cp are those of simulated coefficients", {
  draws <- 1e6
  cases <- list(c(0, 20, 1, 2), c(sqrt(.1), 20, 1, 2), c(-.4, 30, 1.5, 9), c(.05, 8, .2, .01))
  for (case in cases) {
    z <- with_seed(1, rnorm(draws, case[1], case[3] / sqrt(case[2])))
    keep <- case[2] * z^2 > case[4]
    error <- (ifelse(keep, z, 0) - case[1])^2
    of <- as.list(case)
    expect_lt(abs(do.call(cp_selection, of) - mean(keep)), 4 * sd(keep) / sqrt(draws))
    expect_lt(abs(do.call(cp_mse, of) - mean(error)), 4 * sd(error) / sqrt(draws))
  }
})

test_that("the error of Cp is least squares' without a penalty and beta^2 with a huge one", {
  expect_equal(cp_mse(c(-3, .3, 0), 20, sigma = 2, lambda = 0), rep(.2, 3))
  expect_equal(cp_mse(c(-3, .3, 0), 20, lambda = 1e4), c(9, .09, 0))
  expect_equal(cp_mse(5, 20), 1 / 20)
  expect_equal(cp_mse(-.3, 20), cp_mse(.3, 20))
})

test_that("the number of rows is the smallest with that power", {
  beta <- c(.1, .3, -.3, 1, .02)
  for (power in c(.5, .8, .9, .999)) {
    for (lambda in c(.5, 2, 10)) {
      n <- cp_required_n(beta, power, lambda = lambda)
      expect_true(all(cp_selection(beta, n, lambda = lambda) >= power))
      before <- n > 1
      expect_true(all(cp_selection(beta[before], n[before] - 1, lambda = lambda) < power))
    }
  }
  expect_equal(cp_required_n(.6, sigma = 2), cp_required_n(.3))
})

test_that("the usual formula for the number of rows is never smaller and close from .8 on", {
  usual <- function(beta, power) (sqrt(2) + qnorm(power))^2 / beta^2
  beta <- 1e-5
  for (power in c(.2, .5, .8, .9, .99)) {
    ratio <- usual(beta, power) / cp_required_n(beta, power)
    expect_gt(ratio, 1 - 1e-8)
    if (power >= .8) expect_lt(ratio, 1.0004)
  }
})

test_that("no rows are needed below the level of the test, and none are enough without an effect", {
  expect_equal(cp_required_n(c(.3, 0), power = .15), c(1, 1))
  expect_equal(cp_required_n(c(.3, 0), power = .2), c(cp_required_n(.3, .2), Inf))
})

# ---- TLCp

# beta, n, m, delta, sigma_1, sigma_2, lam_1, lam_2, v, pen
tlcp_cases <- list(
  c(.3, 20, 20, 0, 1, 1, 1, 1, 5, 2), c(0, 20, 20, .4, 1, 1, 1, 1, 40, 2),
  c(-.4, 15, 80, .3, 1, 2, 2, 3, 7, 1), c(.2, 50, 10, -.4, .7, 1.6, .5, 4, 0, 6),
  c(.1, 8, 300, .05, 2, .3, 1, .2, 1000, 3)
)

test_that("selection and error of TLCp are those of simulated coefficients", {
  for (case in tlcp_cases) {
    of <- list(beta = case[1], n = case[2], m = case[3], delta = case[4], sigma = case[5:6],
               lam = case[7:8], v = case[9], pen = case[10])
    seen <- with_seed(2, do.call(simulate_tlcp, of))
    expect_lt(abs(do.call(tlcp_selection, of) - seen["selection"]), 4 * seen["se_selection"])
    expect_lt(abs(do.call(tlcp_mse, of) - seen["mse"]), 4 * seen["se_mse"])
  }
})

test_that("the default is the paper's rule, in either scaling, and the integrals are exact", {
  cases <- list(c(.3, 20, 20, .2, 1, 1), c(-.2, 12, 70, .5, 1.5, .8), c(0, 40, 9, -.3, .6, 2))
  for (case in cases) {
    sigma <- case[5:6]
    rule <- paper_rule(case[2], case[3], case[4], sigma, 2 * sigma[1]^2)
    exact <- integrate_tlcp(case[1], case[2], case[3], case[4], sigma, rule)
    selection <- tlcp_selection(case[1], case[2], case[3], case[4], sigma)
    expect_equal(selection, exact[["selection"]], tolerance = 1e-8)
    expect_equal(tlcp_mse(case[1], case[2], case[3], case[4], sigma), exact[["mse"]],
                 tolerance = 1e-8)
    expect_equal(tlcp_selection(case[1], case[2], case[3], case[4], sigma, lam = rule$lam),
                 selection, tolerance = 1e-11)
    expect_equal(tlcp_selection(case[1], case[2], case[3], case[4], sigma, lam = rule$lam,
                                v = rule$v, pen = rule$pen), selection, tolerance = 1e-11)
  }
})

test_that("without dissimilarity TLCp is Cp with the other domain's rows added", {
  beta <- c(-.5, 0, .1, .3)
  expect_equal(tlcp_selection(beta, 20, 40), cp_selection(beta, 60), tolerance = 1e-11)
  expect_equal(tlcp_mse(beta, 20, 40), cp_mse(beta, 60), tolerance = 1e-11)
  sigma <- c(1.5, 3)
  expect_equal(tlcp_selection(beta, 20, 40, sigma = sigma), cp_selection(beta, 30, 1.5),
               tolerance = 1e-11)
  expect_equal(tlcp_mse(beta, 20, 40, sigma = sigma), cp_mse(beta, 30, 1.5), tolerance = 1e-11)
  # Proposition 16: a critical feature with as many rows in the other domain
  expect_equal(tlcp_selection(sqrt(.1), 20, 20), pnorm(2 - sqrt(2)) + pnorm(-2 - sqrt(2)),
               tolerance = 1e-11)
})

test_that("a domain without weight leaves Cp, with lambda as the penalty by default", {
  beta <- c(-.5, 0, .3)
  for (v in c(0, 3, Inf)) {
    expect_equal(tlcp_selection(beta, 20, 40, .2, lam = c(1, 0), v = v), cp_selection(beta, 20),
                 tolerance = 1e-11)
    expect_equal(tlcp_mse(beta, 20, 40, .2, lam = c(1, 0), v = v, pen = 2), cp_mse(beta, 20),
                 tolerance = 1e-11)
  }
})

test_that("uncoupled domains share a chi-square test on two degrees of freedom", {
  beta <- c(0, .1, .3)
  sigma <- c(1, 2)
  ncp <- 20 * beta^2 + 50 / 4 * (beta + .2)^2
  expect_equal(tlcp_selection(beta, 20, 50, .2, sigma, v = 0, pen = 2),
               pchisq(2, 2, ncp, lower.tail = FALSE), tolerance = 1e-9)
  expect_equal(tlcp_selection(0, 20, 50, v = 0, pen = 3), exp(-1.5), tolerance = 1e-11)
})

test_that("a domain of very many rows is as good as its true coefficient", {
  delta <- c(.1, -.5, 2)
  expect_equal(tlcp_selection(.3, 20, 1e12, delta), rep(1, 3))
  expect_equal(tlcp_mse(.3, 20, 1e12, delta), delta^2 / (20 * delta^2 + 1), tolerance = 1e-9)
  # the coefficient is 0 in the other domain: chi-squares of the target's part and of noise
  k <- 1 / (1 / 20 + .3^2)
  keep <- function(u) {
    r <- sqrt(pmax(2 - u^2, 0) / (1 - k / 20))
    1 - pnorm(r - .3 * sqrt(20)) + pnorm(-r - .3 * sqrt(20))
  }
  kept <- integrate(function(u) keep(u) * dnorm(u), -sqrt(2), sqrt(2), rel.tol = 1e-10)$value +
    2 * pnorm(-sqrt(2))
  expect_equal(tlcp_selection(.3, 20, 1e12, -.3, v = 4 / .3^2, pen = 2), kept, tolerance = 1e-8)
})

test_that("very large dissimilarities leave least squares of the target, always kept", {
  expect_equal(tlcp_selection(c(0, .3), 20, 20, 50), c(1, 1))
  expect_equal(tlcp_mse(c(0, .3), 20, 20, 1e4), c(.05, .05), tolerance = 1e-6)
  expect_equal(tlcp_mse(c(0, .3), 20, 20, 1e50), c(.05, .05))
})

test_that("the rule combines best, and keeps more than its strip (Corollary 10)", {
  # pen = 0: nothing is dropped
  best <- tlcp_mse(.3, 20, 30, .2, c(1, 2), pen = 0)
  parts <- c(1 / 20, 4 / 30 + .2^2)
  expect_equal(best, 1 / sum(1 / parts))
  for (v in 4 / .2^2 * c(.8, 1.2)) {
    expect_gt(tlcp_mse(.3, 20, 30, .2, c(1, 2), v = v, pen = 0), best)
  }

  for (delta in c(1e-4, .1, .4, -.4)) {
    rule <- paper_rule(20, 50, delta, c(1, 1.5), 2)
    t <- rule$g * (sqrt(rule$big_n) * .3 + sqrt(rule$big_m) * (.3 + delta))
    strip <- pnorm(-sqrt(2) - t) + pnorm(sqrt(2) - t, lower.tail = FALSE)
    kept <- tlcp_selection(.3, 20, 50, delta, c(1, 1.5))
    expect_gt(kept, strip - 1e-9)
    if (abs(delta) < 1e-3) expect_equal(kept, strip, tolerance = 1e-4)
    if (abs(delta) > .3) expect_gt(kept, strip + .001)
  }
})

test_that("multiplying lam, v and pen by a number changes nothing, nor does the sign of all", {
  of <- function(f, k = 1, s = 1) {
    f(s * .3, 20, 30, s * -.2, c(1, 2), lam = k * c(1, .5), v = k * 9, pen = k * 2)
  }
  for (f in list(tlcp_selection, tlcp_mse)) {
    expect_equal(of(f, k = 1000), of(f), tolerance = 1e-11)
    expect_equal(of(f, s = -1), of(f), tolerance = 1e-11)
  }
})

test_that("nodes are doubled where 64 are too few", {
  # an ellipse whose boundary passes through the true coefficients, at an unusual penalty
  pen <- 1e6
  beta <- sqrt(pen / 1020)
  law <- theory_tlcp_law(beta, 20, 1000, 0, c(1, 1), 2, c(1, 1), 0, pen, call = NULL)
  fine <- theory_ellipse_rule(law, 2^13)
  expect_gt(abs(theory_ellipse_rule(law, 64)[1] - fine[1]), 1e-6)
  expect_equal(theory_inside_ellipse(law)$probability, fine[1], tolerance = 1e-11)
  expect_equal(theory_inside_ellipse(law)$excess, fine[2], tolerance = 1e-11)
})

# ---- arguments

test_that("arguments are recycled, and values are those of single calls", {
  beta <- c(-.2, 0, .4)
  n <- c(10, 20, 40)
  delta <- c(0, .1, 1)
  one <- function(f) vapply(1:3, function(i) f(beta[i], n[i], 15, delta[i]), 1)
  expect_equal(tlcp_selection(beta, n, 15, delta), one(tlcp_selection))
  expect_equal(tlcp_mse(beta, n, 15, delta), one(tlcp_mse))
  expect_equal(cp_mse(beta, n), vapply(1:3, function(i) cp_mse(beta[i], n[i]), 1))
  expect_equal(cp_selection(.3, 20L, lambda = c(1, 2)),
               c(cp_selection(.3, 20, lambda = 1), cp_selection(.3, 20)))
  expect_equal(tlcp_mse(.3, 20, 30, .1, sigma = 2), tlcp_mse(.3, 20, 30, .1, sigma = c(2, 2)))
})

test_that("bad arguments are refused by name", {
  expect_refused(
    cp_selection("a", 20), "beta: `beta`",
    cp_selection(.3, 0), "n: `n` 0",
    cp_selection(c(.3, NA), 20), "beta: `beta`",
    cp_mse(.3, 20, sigma = "a"), "sigma: `sigma`",
    cp_mse(.3, 20, lambda = -1), "lambda: `lambda` -1",
    cp_mse(c(.1, .2), c(10, 20, 30)), "beta: `n` 3 `beta` 2",
    cp_required_n(.3, power = 1), "power: `power` 1",
    cp_required_n(Inf), "beta: `beta`",
    tlcp_selection(.3, 20, m = NULL), "m: `m`",
    tlcp_selection(.3, 20, 20, delta = Inf), "delta: `delta`",
    tlcp_selection(.3, 20, 20, sigma = c(1, 1, 1)), "sigma: `sigma` 3",
    tlcp_selection(.3, 20, 20, lam = c(0, 1)), "lam: `lam` 0 1",
    tlcp_mse(.3, 20, 20, v = -1), "v: `v` -1",
    tlcp_mse(.3, 20, 20, pen = Inf), "pen: `pen`",
    tlcp_mse(.3, 20, 20, delta = c(0, .1), pen = 1:3), "delta: `pen` 3 `delta` 2",
    tlcp_selection(.3, 20, 40, delta = 1e200), "delta: `delta` 1e+200",
    tlcp_selection(1e160, 20, 40), "beta: `beta` 1e+160",
    tlcp_selection(.3, 20, 40, lam = c(1e-308, 1)), "lam: `lam` 1e-308",
    cp_mse(.3, 20, sigma = 1e-21), "sigma: `sigma` 1e-21"
  )
})

test_that("what is far from any study is refused by its size, or has a value", {
  expect_error(tlcp_selection(.3, 20, 40, delta = 1e200), "of a size up to 1e\\+50")
  expect_error(tlcp_mse(1e160, 20, 40), "`beta`.*of a size up to")
  expect_error(tlcp_selection(.3, 20, 40, lam = c(1e-308, 1)), "`lam`.*from 1e-50 to 1e\\+50")
  expect_error(cp_selection(.3, 20, sigma = 1e-21), "`sigma`.*from 1e-20 to 1e\\+20")
  expect_equal(tlcp_selection(c(1e50, .3), 20, 40, delta = c(0, 1e50)), c(1, 1))
  # one domain with so much more information that a - kappa would lose its digits
  expect_equal(tlcp_mse(.1, 1e23, 1e-17, sigma = c(.3, 1e20), pen = 0), .09 / 1e23)
  cases <- with_seed(1, lapply(1:300, function(i) {
    size <- function(most) 10^sample(c(-most, most, runif(3, -most, most)), 1)
    list(beta = size(50), n = size(50), m = size(50), delta = sample(c(-1, 0, 1), 1) * size(50),
         sigma = c(size(20), size(20)), v = 10^runif(1, -320, 308), pen = sample(c(0, size(50)), 1))
  }))
  selection <- vapply(cases, function(case) do.call(tlcp_selection, case), 1)
  expect_true(all(selection >= -1e-9 & selection <= 1 + 1e-9))
  expect_true(all(is.finite(vapply(cases, function(case) do.call(tlcp_mse, case), 1))))
})
