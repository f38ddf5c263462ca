# A Gaussian likelihood of known variance in the code that expands likelihoods to second order: it is quadratic, so the
# result must be that of tlcp() of numbers, which needs no expansion.

# Evaluates `code` while the package's likelihoods know the Gaussian one, too.
with_gaussian <- function(code) {
  home <- environment(family_path)
  old <- mget(c("likelihood_mean", "likelihood_value", "likelihood_null_level"), home)
  bind <- function(values) {
    for (name in names(values)) {
      unlockBinding(name, home)
      assign(name, values[[name]], home)
      lockBinding(name, home)
    }
  }
  on.exit(bind(old))
  bind(list(
    likelihood_mean = function(family, eta, ...) {
      if (family == "gaussian") list(mu = eta, v = rep(1, length(eta))) else old$likelihood_mean(family, eta, ...)
    },
    likelihood_value = function(family, part, eta, ...) {
      if (family == "gaussian") -sum(part$w * (part$y - eta)^2) / 2 else old$likelihood_value(family, part, eta, ...)
    },
    likelihood_null_level = function(family, parts, ...) {
      if (family != "gaussian") return(old$likelihood_null_level(family, parts, ...))
      # the mean of all rows, about which the common level has its prior in tlcp() of numbers
      mean(unlist(lapply(parts, `[[`, "y")))
    }
  ))
  force(code)
}

# The target's coefficients at all steps, by expansions of the likelihood. s2: variances of the domains.
by_expansions <- function(x, y, domain, target, s2, ...) {
  frame <- frame_default(x, y, domain = domain)
  settings <- do.call(tlcp_settings, c(list(frame, max(nlevels(frame$domain), 1), criterion = "AIC"),
                                       in_control(list(...), tlcp)))
  settings$family <- "gaussian"
  rows <- if (is.null(domain)) list(seq_along(y)) else split(seq_along(y), frame$domain)
  if (!is.null(domain)) rows <- rows[c(target, setdiff(names(rows), target))]
  parts <- Map(function(i, name, s2) {
    list(name = name, n = length(i), x = x[i, , drop = FALSE], offset = numeric(length(i)), base = 0, y = y[i],
         w = rep(1 / s2, length(i)))
  }, rows, names(rows) %||% target, s2)
  settings$n_effective <- parts[[1]]$n
  path <- with_gaussian(family_path(unname(parts), frame_moments_feature_cells(frame, target, NULL), settings, NULL))
  list(beta = vapply(path$coef, function(coef) coef$beta[, 1], numeric(ncol(x))),
       a0 = vapply(path$coef, function(coef) coef$a0[1], 0), best = path$best - 1L)
}

gaussian_data <- function(seed) {
  set.seed(seed)
  x <- matrix(rnorm(90 * 5), 90, dimnames = list(NULL, letters[1:5]))
  x[, 2] <- x[, 1] + .6 * x[, 2]
  domain <- rep(c("t", "u", "v"), c(25, 35, 30))
  list(x = x, y = 2 + drop(x %*% c(1, .5, 0, -.4, 0)) + rnorm(90), domain = domain)
}

test_that("one domain: the best subsets by Cp with a known variance", {
  for (seed in 1:5) {
    d <- gaussian_data(seed)
    direct <- tlcp(d$x, d$y, control = tlcp_control(sigma2 = 1.3), criterion = "Cp")
    road <- by_expansions(d$x, d$y, NULL, NO_DOMAIN, 1.3)
    expect_equal(road$best, direct$best)
    expect_equal(road$beta, as.matrix(direct$beta), tolerance = 1e-8, ignore_attr = TRUE)
    expect_equal(road$a0, direct$a0, tolerance = 1e-8, ignore_attr = TRUE)
  }
})

test_that("couplings given as numbers, for the target and for all domains", {
  for (support in c("target", "shared")) {
    d <- gaussian_data(7)
    borrow <- list(v = 8)
    s2 <- c(1.3, .9, 1.1)
    direct <- suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = "t",
                                    control = tlcp_control(sigma2 = s2, support = support), borrow = borrow,
                                    standardize = FALSE, select = FALSE))
    road <- by_expansions(d$x, d$y, d$domain, "t", s2, borrow = borrow, standardize = FALSE, support = support,
                          select = FALSE)
    expect_equal(road$beta[, 2], as.matrix(direct$beta)[, 2], tolerance = 1e-8, ignore_attr = TRUE)
    expect_equal(road$a0[2], direct$a0[2], tolerance = 1e-8, ignore_attr = TRUE)
  }
})

test_that("the borrowing prior is the same, where the response has unit standard deviation", {
  for (seed in 11:18) {
    d <- gaussian_data(seed)
    d$y <- d$y / sqrt(sum(tapply(d$y, d$domain, function(v) sum((v - mean(v))^2))) / (length(d$y) - 3))
    s2 <- c(.3, .25, .35)
    run <- function(f, ...) suppressMessages(f(..., borrow = "hierarchical", units = "common", guard = FALSE))
    direct <- run(flat(tlcp), d$x, d$y, domain = d$domain, target = "t", sigma2 = s2, criterion = "Cp")
    road <- run(by_expansions, d$x, d$y, d$domain, "t", s2)
    expect_equal(road$best, direct$best)
    expect_equal(road$beta, as.matrix(direct$beta), tolerance = 1e-8, ignore_attr = TRUE)
    expect_equal(road$a0, direct$a0, tolerance = 1e-8, ignore_attr = TRUE)
  }
})
