# Models of tlcp() in which few slopes, or few deviations, are not 0, written out naively.

# y ~ N(X w, s2 I), w ~ N(m, C) plus N(0, v I) on a support among `slopes`: the log of the mean density of y and the
# posterior mean of w. Sizes, supports of a size and v are equally likely.
naive_sparse <- function(X, y, s2, m, C, slopes, v = 4^(-3:0)) {
  p <- length(slopes)
  total <- mean <- 0
  for (k in seq_len(2^p)) {
    S <- slopes[naive_subsets(p)[k, ]]
    for (variance in v) {
      prior <- C
      diag(prior)[S] <- diag(prior)[S] + variance
      V <- X %*% prior %*% t(X) + diag(s2, length(y))
      r <- solve(V, y - X %*% m)
      density <- exp(-(sum((y - X %*% m) * r) + determinant(V)$modulus[1]) / 2)
      weight <- density / choose(p, length(S)) / (p + 1) / length(v)
      total <- total + weight
      mean <- mean + weight * drop(m + prior %*% t(X) %*% r)
    }
  }
  list(log_lik = log(total), mean = mean / total)
}

# The target's model where few of its slopes are not 0, with the log likelihood ratio against all of them with one
# variance, that of maximum likelihood.
naive_few <- function(domains) {
  own <- domains[[1]]
  p <- ncol(own$x) - 1
  centred <- scale(cbind(own$x[, seq_len(p)], own$y), scale = FALSE)
  found <- naive_sparse(centred[, seq_len(p)], centred[, p + 1], own$s2, numeric(p), diag(0, p), seq_len(p))
  level <- mean(own$y - own$x[, seq_len(p)] %*% found$mean)
  full <- function(log_v) {
    V <- exp(log_v) * tcrossprod(centred[, seq_len(p)]) + diag(own$s2, nrow(centred))
    -(sum(centred[, p + 1] * solve(V, centred[, p + 1])) + determinant(V)$modulus[1]) / 2
  }
  full <- optimize(full, log(c(1e-6, 100)), maximum = TRUE, tol = 1e-10)$objective
  c(naive_original(own, c(found$mean, level)), lr = found$log_lik - full)
}

# The target's model where each of its slopes has a factor f_j of tau^2, with what its log likelihood ratio adds to that
# of sharing. tau2, omega2, kappa2: the variances of the model of sharing; df: of the target's residual variance.
naive_apart <- function(domains, tau2, omega2, kappa2, df) {
  n_domains <- length(domains)
  p <- ncol(domains[[1]]$x) - 1
  small <- lapply(domains, naive_full_rank_rows)
  X <- naive_blocks(naive_stack(small, "x"))
  y <- unlist(naive_stack(small, "y"))
  noise <- rep(vapply(domains, `[[`, 1, "s2"), vapply(small, `[[`, 1, "rank"))
  # the covariance of y, and of w_1 and y, given the logarithms of the variances and of the factors
  model <- function(at) {
    v <- naive_variances(n_domains, rep(1, p), exp(at[1]), exp(at[2]), exp(at[3]))
    v$own[seq_len(p), 1] <- exp(at[1] + at[-(1:3)])
    prior <- kronecker(matrix(1, n_domains, n_domains), diag(v$common)) + diag(as.vector(v$own))
    list(V = X %*% prior %*% t(X) + diag(noise), w = prior[seq_len(p + 1), ] %*% t(X))
  }
  log_lik <- function(V) -(sum(y * solve(V, y)) + determinant(V)$modulus[1]) / 2
  shared <- naive_variances(n_domains, rep(1, p), tau2, omega2, kappa2)
  shared <- kronecker(matrix(1, n_domains, n_domains), diag(shared$common)) + diag(as.vector(shared$own))
  value <- function(at) -log_lik(model(at)$V) + sum(at[-(1:3)]^2) / 18
  size <- log(omega2 + exp(mean(log(tau2[-1]))))
  best <- optim(c(size, size, log(kappa2), numeric(p)), value, method = "L-BFGS-B",
                lower = log(c(1e-6, 1e-5, 1e-6, rep(1e-6, p))), upper = log(c(100, 100, 100, rep(1e6, p))),
                control = list(factr = 10, maxit = 500))$par
  at <- model(best)
  gain <- log_lik(at$V) - log_lik(X %*% shared %*% t(X) + diag(noise))
  if (gain > 0) gain <- df / 2 * log(1 + 2 * gain / df)
  # over each factor in turn, the others as they are
  grid <- seq(-9, 12, .3)
  prior <- dnorm(grid, 0, 3) / sum(dnorm(grid, 0, 3))
  mean <- drop(at$w %*% solve(at$V, y))
  ratio <- gain + sum((log(tau2) - mean(log(tau2)))^2) / 2
  shift <- 0
  for (j in seq_len(p)) {
    each <- lapply(grid, function(log_f) model(replace(best, 3 + j, log_f)))
    change <- vapply(each, function(one) log_lik(one$V), 0) - log_lik(at$V)
    weight <- prior * exp(change)
    ratio <- ratio + log(sum(weight))
    means <- vapply(each, function(one) drop(one$w %*% solve(one$V, y)), mean)
    shift <- shift + drop(means %*% weight) / sum(weight) - mean
  }
  c(naive_original(domains[[1]], mean + shift), lr = ratio)
}
