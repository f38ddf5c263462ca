# tlcp(family = ) by its definition: every subset fitted by glm() or coxph(), the posterior mode by optim() on the
# penalised log-likelihood.

naive_family_data <- function(seed, n = 120, p = 4) {
  set.seed(seed)
  x <- matrix(rnorm(n * p), n, dimnames = list(NULL, letters[seq_len(p)]))
  x[, p] <- rbinom(n, 1, .4)
  d <- data.frame(x, years = runif(n, .5, 3), w = sample(1:3, n, TRUE), g = sample(3, n, TRUE))
  eta <- d$a - .7 * d$b
  d$died <- factor(ifelse(runif(n) < plogis(.3 + eta), "yes", "no"))
  d$count <- rpois(n, d$years * exp(.2 + .5 * eta))
  d$total <- rpois(n, 4) + 1
  d$success <- rbinom(n, d$total, plogis(eta))
  d$time <- ceiling(rexp(n, exp(.6 * eta)) * 10) # with ties
  d$start <- pmax(0, d$time - sample(5, n, TRUE))
  d$status <- rbinom(n, 1, .7)
  d
}

# The least AIC of all subsets of `terms`. refit: a function that fits a right-hand side.
naive_least_aic <- function(terms, refit) {
  sets <- lapply(seq_len(2^length(terms)) - 1, function(k) {
    terms[bitwAnd(k, 2^(seq_along(terms) - 1)) > 0]
  })
  min(vapply(sets, function(set) AIC(refit(reformulate(c("1", set)))), 0))
}

# The coefficients (an intercept and slopes by domain) that minimise
#   -2 sum_t l_t + sum_i (v_i/2) sum_t (w_ti - mean_t w_ti)^2
# where w are slopes of standardised features. x, y: by domain; s: standard deviations, domains x features.
naive_family_mode <- function(x, y, s, v, log_lik) {
  p <- ncol(x[[1]])
  n <- length(x)
  f <- function(theta) {
    b <- matrix(theta, n)
    loss <- sum(vapply(seq_len(n), function(t) {
      log_lik(y[[t]], b[t, 1] + drop(x[[t]] %*% b[t, -1]))
    }, 0))
    w <- b[, -1] * s
    -2 * loss + sum(v / 2 * colSums((w - rep(colMeans(w), each = n))^2))
  }
  theta <- numeric(n * (p + 1))
  for (k in 1:4) {
    theta <- optim(theta, f, method = "BFGS", control = list(reltol = 1e-15, maxit = 2000))$par
  }
  matrix(theta, n)
}
