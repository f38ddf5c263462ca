# The log Bayes factor of dissimilarity(), by dense Gaussian algebra.

# Log marginal likelihood, but for a constant, of coefficients with precision blocks H and H what = g, whose prior
# covariance matrix is S.
naive_log_marginal <- function(H, g, S) {
  (sum(g * (solve(solve(S) + H, g))) - c(determinant(diag(nrow(S)) + S %*% H)$modulus)) / 2
}

naive_block <- function(blocks) as.matrix(Matrix::bdiag(blocks))

# One variance of all slopes by largest marginal likelihood, at least the mean square of a standard error.
naive_size <- function(H, g) {
  f <- function(l) naive_log_marginal(H, g, diag(exp(l), length(g)))
  max(exp(optimize(f, log(c(1e-6, 100)), maximum = TRUE, tol = 1e-9)$maximum), mean(1 / diag(H)))
}

evidence_domain <- function(n, b, s2 = 1) {
  x <- scale(matrix(rnorm(n * length(b)), n))
  y <- drop(x %*% b) + rnorm(n, sd = sqrt(s2))
  domain <- list(n = n, G = crossprod(x), g = drop(crossprod(x, y)), yy = sum(y^2), level = FALSE)
  c(domain, list(fit = tlcp_domain_least_squares(domain, TRUE)))
}

test_that("of two domains it is the log of the mean marginal likelihood over correlations", {
  set.seed(1)
  for (k in 1:4) {
    b <- rnorm(4, sd = .5)
    s2 <- c(1, 2)
    domains <- list(evidence_domain(30, b), evidence_domain(60, list(b, -b, rnorm(4), 0 * b)[[k]], 2))
    H <- Map(function(domain, s2) domain$G / s2, domains, s2)
    g <- Map(function(domain, s2) domain$g / s2, domains, s2)
    size <- mapply(naive_size, H, g)
    at <- function(rho) {
      S <- kronecker(matrix(c(size[1], rep(rho * sqrt(prod(size)), 2), size[2]), 2), diag(4))
      naive_log_marginal(naive_block(H), unlist(g), S)
    }
    rho <- (1:20 - .5) / 20
    naive <- log(mean(exp(vapply(rho, at, 0) - at(0))))
    expect_equal(dissimilarity_evidence_of_sharing(domains, s2), naive, tolerance = 1e-4)
  }
})

test_that("of several it is that of the target and what the others have in common", {
  set.seed(2)
  b <- rnorm(3, sd = .5)
  domains <- lapply(c(25, 60, 80), evidence_domain, b)
  s2 <- c(1, 1, 1)
  fit <- tlcp_prior_fit(domains[-1], s2[-1], list(scales = FALSE, omega_shape = 1.5), NULL)
  size <- naive_size(domains[[1]]$G, domains[[1]]$g)
  at <- function(rho) { # w_1, b + u_2, b + u_3 with b the common part
    S <- matrix(fit$omega2, 3, 3)
    S[1, ] <- S[, 1] <- rho * sqrt(size * fit$omega2)
    S <- S + diag(c(0, fit$tau2))
    S[1, 1] <- size
    naive_log_marginal(naive_block(lapply(domains, `[[`, "G")), unlist(lapply(domains, `[[`, "g")),
                       kronecker(S, diag(3)))
  }
  rho <- (1:20 - .5) / 20
  expect_equal(dissimilarity_evidence_of_sharing(domains, s2), log(mean(exp(vapply(rho, at, 0) - at(0)))),
               tolerance = 1e-4)
})

test_that("it speaks for the same coefficients, against reversed ones, and the verdict comes first", {
  set.seed(3)
  b <- c(.8, -.6, .5, .7)
  x <- matrix(rnorm(360 * 4), 360, dimnames = list(NULL, letters[1:4]))
  d <- data.frame(x, h = rep(c("t", "same", "turned"), c(60, 150, 150)))
  d$y <- drop(x %*% b) * ifelse(d$h == "turned", -1, 1) + rnorm(360)
  d$k <- rpois(360, exp(.5 + drop(x %*% b) / 2 * ifelse(d$h == "turned", -1, 1)))
  for (family in c("gaussian", "poisson")) {
    formula <- if (family == "gaussian") y ~ a + b + c + d else k ~ a + b + c + d
    found <- suppressMessages(dissimilarity(formula, data = d, domain = h, target = "t", draws = 0, family = family))
    expect_equal(stats::setNames(found$evidence, found$domain), c(same = "for", turned = "against"))
    said <- capture.output(print(found))
    expect_match(said[1], "Target t: borrow from \"same\"", fixed = TRUE)
    expect_match(paste(said[2:5], collapse = " "), "no help from \"turned\"", fixed = TRUE)
    expect_match(paste(said[2:6], collapse = " "), "error from")
    turned <- suppressMessages(dissimilarity(formula, data = d[d$h != "same", ], domain = h, target = "t", draws = 0,
                                             family = family))
    expect_match(capture.output(print(turned))[1], "do not expect help from \"turned\"", fixed = TRUE)
  }
})
