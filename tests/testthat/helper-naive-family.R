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

# The dispersions at which a tlcp() fit of all features repeats itself: Pearson's statistic of each domain at its own
# coefficients, divided by its rows minus tr(cov(w_t) J_t/phi_t), cov() the posterior covariance of all domains'
# coefficients at these dispersions. The fit is one of standardize = FALSE, scales = FALSE, guard = FALSE, whose columns
# have the scale fit$scale and the level as a last column of ones. weights: of the rows of counts, by domain, the largest
# of which its dispersion is at least.
naive_dispersion <- function(fit, d, formula, family, weights = NULL) {
  link <- if (family == "poisson") poisson() else binomial()
  names <- names(fit$models)
  s <- fit$borrowing
  columns <- rownames(fit$beta)
  p <- length(columns)
  each <- lapply(names, function(name) {
    rows <- d[d$g == name, ]
    y <- model.response(model.frame(formula, rows))
    total <- if (is.matrix(y)) rowSums(y) else weights[[name]] %||% rep(1, length(y))
    if (is.matrix(y)) y <- y[, 1] / total
    x <- as.matrix(rows[columns])
    mu <- link$linkinv(fit$models[[name]]$a0[2] + drop(x %*% as.matrix(fit$models[[name]]$beta)[, 2]))
    v <- link$variance(mu)
    Z <- cbind(sweep(sweep(x, 2, fit$center), 2, fit$scale, "/"), 1)
    list(square = total * (y - mu)^2 / v, J = crossprod(Z * sqrt(total * v)), n = nrow(x))
  })
  n_domains <- length(names)
  precision <- matrix(0, n_domains * (p + 1), n_domains * (p + 1))
  place <- function(t) (t - 1) * (p + 1) + seq_len(p + 1)
  for (i in seq_len(p + 1)) {
    own <- if (i <= p) s$tau2 else rep(s$kappa2, n_domains)
    at <- (seq_len(n_domains) - 1) * (p + 1) + i
    precision[at, at] <- solve(diag(own) + if (i <= p) s$omega2 else 100)
  }
  for (t in seq_len(n_domains)) {
    precision[place(t), place(t)] <- precision[place(t), place(t)] + each[[t]]$J / fit$dispersion[[t]]
  }
  covariance <- solve(precision)
  df <- vapply(seq_len(n_domains), function(t) {
    each[[t]]$n - sum(covariance[place(t), place(t)] * each[[t]]$J) / fit$dispersion[[t]]
  }, 0)
  s2 <- vapply(each, function(one) sum(one$square), 0) / df
  square <- unlist(lapply(each, function(one) one$square / mean(one$square)))
  shrunk <- tlcp_moderation_of_variances(rbind(s2), df * min(1, 2 / (mean(square^2) - 1)))
  least <- vapply(names, function(name) max(weights[[name]], 1), 0)
  stats::setNames(pmax(drop(shrunk$s2), least), names)
}

# By domain, target first, the weights of rows of tlcp() for overdispersed counts y with the weights w of the user, by
# their definition: mu over the variance, averaged over both forms of the variance and, by domain, the Poisson
# distribution's, with mean 1. mu: means of a fit that weighs all rows alike; all three are lists by domain.
naive_variance_weights <- function(y, mu, w) {
  log_lik <- function(size) {
    mapply(function(y, mu, w) sum(w * dnbinom(y, mu = mu, size = size(mu), log = TRUE)), y, mu, w)
  }
  best <- function(form, range) {
    exp(optimize(function(l) sum(log_lik(form(exp(l)))), log(range), maximum = TRUE, tol = 1e-8)$maximum)
  }
  square <- function(theta) function(mu) rep(theta, length(mu))
  linear <- function(by) function(mu) by * mu
  theta <- best(square, c(.01, 1e6))
  by <- best(linear, c(.01 / max(1, unlist(mu)), 1e3))
  likely <- cbind(square = log_lik(square(theta)), linear = log_lik(linear(by)))
  share <- 1 / (1 + exp(diff(colSums(likely))))
  lapply(seq_along(y), function(t) {
    poisson <- sum(w[[t]] * dpois(y[[t]], mu[[t]], log = TRUE))
    times <- share * exp(likely[t, 1] - poisson) + (1 - share) * exp(likely[t, 2] - poisson)
    each <- share * mu[[t]] / (mu[[t]] + mu[[t]]^2 / theta) + (1 - share) * mu[[t]] / (mu[[t]] * (1 + 1 / by))
    each <- times / (1 + times) * each + 1 / (1 + times)
    each / weighted.mean(each, w[[t]])
  })
}
