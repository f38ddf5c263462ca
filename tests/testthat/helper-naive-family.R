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
# have the scale fit$scale and the level as a last column of ones. weights: of the rows of counts, by domain, the
# largest of which its dispersion is at least.
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

# The logarithm of the beta-binomial probability of y of m correlated by rho, by Polya's urn.
naive_beta_binomial <- function(y, m, mu, rho) {
  mapply(function(y, m, mu, rho) {
    if (m < 2) return(dbinom(y, m, mu, log = TRUE))
    before <- function(n) seq_len(n) - 1
    by <- 1 / rho - 1
    lchoose(m, y) + sum(log(mu * by + before(y))) + sum(log((1 - mu) * by + before(m - y))) - sum(log(by + before(m)))
  }, y, m, mu, rho)
}

# By domain, target first, the weights of rows of tlcp() for overdispersed counts, or numbers of successes of `total`, y
# with the weights w of the user, by their definition: the variance of the family over the variance, averaged over both
# forms of the variance and, by domain, the family's, with mean 1. mu: means of a fit that weighs all rows alike; all
# are lists by domain.
naive_variance_weights <- function(y, mu, w, total = lapply(y, function(y) NULL)) {
  counts <- is.null(total[[1]])
  excess <- if (counts) list(
    square = function(mu, m, theta) mu / theta, linear = function(mu, m, by) rep(by, length(mu))
  ) else list(
    square = function(mu, m, rho) (m - 1) * rho, linear = function(mu, m, by) pmin(by, .99 * (m - 1))
  )
  ranges <- if (counts) list(square = c(.01, 1e6), linear = c(1e-3, max(1, unlist(mu)) / .01)) else
    list(square = c(1e-6, .99), linear = c(1e-3, max(unlist(total))))
  log_lik <- function(form, by) {
    mapply(function(y, mu, w, m) {
      e <- excess[[form]](mu, m, by)
      each <- if (counts) dnbinom(y, mu = mu, size = mu / e, log = TRUE) else
        naive_beta_binomial(y, m, mu, e / (m - 1))
      sum(w * each)
    }, y, mu, w, total)
  }
  by <- lapply(c(square = "square", linear = "linear"), function(form) {
    exp(optimize(function(l) sum(log_lik(form, exp(l))), log(ranges[[form]]), maximum = TRUE, tol = 1e-8)$maximum)
  })
  likely <- cbind(square = log_lik("square", by$square), linear = log_lik("linear", by$linear))
  share <- 1 / (1 + exp(diff(colSums(likely))))
  lapply(seq_along(y), function(t) {
    m <- total[[t]]
    plain <- if (counts) dpois(y[[t]], mu[[t]], log = TRUE) else dbinom(y[[t]], m, mu[[t]], log = TRUE)
    plain <- sum(w[[t]] * plain)
    times <- share * exp(likely[t, 1] - plain) + (1 - share) * exp(likely[t, 2] - plain)
    each <- share / (1 + excess$square(mu[[t]], m, by$square)) +
      (1 - share) / (1 + excess$linear(mu[[t]], m, by$linear))
    each <- times / (1 + times) * each + 1 / (1 + times)
    each / weighted.mean(each, w[[t]] * if (counts) 1 else m)
  })
}
