# tlcp(borrow = "sparse"): few effects that domains share, few of single domains, and a dense background
# (src/tlcp/supports.h). This file goes from rows to the posterior: rows of each domain centred, divided by the pooled
# standard deviations within domains and rotated to their principal axes, and the sampler.

SUPPORTS_G <- 4^seq(-5, 1.5, .5)  # variances of effects, in units of the residual variance and of scaled columns
SUPPORTS_OWN_G <- 1 / 16 # the smallest variance of effects of a domain
SUPPORTS_T <- c(0, .03, .1, .3, 1, 3, 10, 30) # variances of the background, summed over columns; 0 has probability 1/2
SUPPORTS_ALONE_T <- c(0, .01, .03, .1, .3, 1, 3, 10, 30, 100, 1000) # of a single domain, equally likely
SUPPORTS_CHAINS <- 2
SUPPORTS_BURN <- 80
SUPPORTS_SWEEPS <- 120
SUPPORTS_SWAPS <- 3
SUPPORTS_MOST <- 200   # columns of a support
SUPPORTS_MEMORY <- 256e6 # bytes for products of columns

# The posterior in scaled columns and response. domains: of tlcp_supports_domains(), target first. Draws two numbers
# from R's generator, the seed of all others.
tlcp_supports_posterior <- function(domains, intercept, call, chains = SUPPORTS_CHAINS) {
  target <- domains[[1]]
  alone <- length(domains) == 1
  df <- sum(vapply(domains, `[[`, 0, "n") - intercept)
  t <- if (alone) SUPPORTS_ALONE_T else SUPPORTS_T
  prior_t <- if (alone) rep(1 / length(t), length(t)) else c(.5, rep(.5 / (length(t) - 1), length(t) - 1))
  settings <- list(
    rest = sum(vapply(domains, `[[`, 0, "rest")), df = df, most = max(10, min(SUPPORTS_MOST, floor(df / 2))),
    g = SUPPORTS_G, least_own = sum(SUPPORTS_G < SUPPORTS_OWN_G), t = t, log_prior_t = log(prior_t),
    chains = chains, burn = SUPPORTS_BURN, sweeps = SUPPORTS_SWEEPS, swaps = SUPPORTS_SWAPS,
    memory = SUPPORTS_MEMORY, seed = stats::runif(2)
  )
  found <- .Call(C_supports, domains, target, settings)
  tlcp_prior_or_stop(found, call)
  p <- ncol(target$Z)
  blocks <- length(found$probability) / p
  found$probability <- matrix(found$probability, p, blocks)
  found$chains <- array(found$mean, c(p, blocks, chains))
  found$included <- found$included / (chains * SUPPORTS_SWEEPS)
  found$mean <- rowMeans(found$chains, dims = 2)
  found$background <- Map(function(domain, weights) drop(crossprod(domain$Z, weights)), domains, found$background)
  found
}

# The coefficients of domain k in scaled columns.
tlcp_supports_coefficients <- function(posterior, k) {
  own <- if (ncol(posterior$mean) > 1) posterior$mean[, k + 1] else 0
  posterior$mean[, 1] + own + posterior$background[[k]]
}

# For each domain, target first, list(name, n, x_mean, y_mean, root: roots of the weights), and what the sampler needs:
# Z, y, l, rest, and of the target U and free. x_scale, y_scale: the same for all.
tlcp_supports_domains <- function(frame, target, intercept, standardize) {
  names <- if (is.null(frame$domain)) NO_DOMAIN else c(target, setdiff(levels(frame$domain), target))
  parts <- lapply(names, function(name) {
    mine <- if (is.null(frame$domain)) seq_len(nrow(frame$x)) else which(frame_rows_of_domain(frame, name))
    w <- frame$weights[mine] %||% rep(1, length(mine))
    tlcp_supports_centred(as.matrix(frame$x[mine, , drop = FALSE]), as.double(frame$y[mine]), w, intercept)
  })
  df <- sum(vapply(parts, `[[`, 0, "n") - intercept)
  squares <- Reduce(`+`, lapply(parts, `[[`, "squares"))
  p <- length(squares) - 1
  scale <- sqrt(squares / df)
  noise <- Reduce(pmax.int, lapply(parts, `[[`, "size")) * 1e-10
  flat <- scale[seq_len(p)] <= noise
  if (!standardize) scale[seq_len(p)] <- sqrt(mean(squares[seq_len(p)][!flat] / df))
  x_scale <- ifelse(flat, Inf, scale[seq_len(p)])
  Map(function(part, name) {
    X <- part$X / rep(x_scale, each = nrow(part$X))
    c(list(name = name, x_scale = x_scale, y_scale = scale[p + 1], free = 1 - intercept * part$root^2 / part$n),
      part[c("n", "root", "x_mean", "y_mean")], tlcp_supports_rotated(X, part$y / scale[p + 1]))
  }, parts, names)
}

# Rows centred at their weighted means and times the roots of weights of mean 1. squares: of the columns, response last;
# size: the largest absolute value of each column.
tlcp_supports_centred <- function(X, y, w, intercept) {
  n <- length(y)
  w <- w * (n / sum(w))
  root <- sqrt(w)
  size <- apply(abs(X), 2, max)
  x_mean <- if (intercept) colSums(X * w) / n else numeric(ncol(X))
  y_mean <- if (intercept) sum(w * y) / n else 0
  X <- (X - rep(x_mean, each = n)) * root
  y <- (y - y_mean) * root
  list(X = X, y = y, n = n, root = root, x_mean = x_mean, y_mean = y_mean, squares = c(colSums(X^2), sum(y^2)),
       size = size)
}

# Rows U'X, their eigenvalues l, U'y, the squares of y outside, U, and y before the rotation ("response").
tlcp_supports_rotated <- function(X, y) {
  wide <- nrow(X) <= ncol(X)
  e <- eigen(if (wide) tcrossprod(X) else crossprod(X), symmetric = TRUE)
  kept <- which(e$values > 1e-10 * max(e$values, 0))
  if (!length(kept)) { # no column varies: one row of zeros
    return(list(Z = matrix(0, 1, ncol(X)), y = 0, l = 0, rest = sum(y^2), U = matrix(0, nrow(X), 1), response = y))
  }
  l <- e$values[kept]
  if (wide) {
    U <- e$vectors[, kept, drop = FALSE]
    Z <- crossprod(U, X)
  } else {
    Z <- t(e$vectors[, kept, drop = FALSE]) * sqrt(l)
    U <- X %*% (e$vectors[, kept, drop = FALSE] / rep(sqrt(l), each = ncol(X)))
  }
  rotated <- drop(crossprod(U, y))
  list(Z = Z, y = rotated, l = l, rest = max(sum(y^2) - sum(rotated^2), 0), U = U, response = y)
}

# Leave-one-out predictions of the target's rows, and the log densities of their responses: means over draws weighted
# by 1/density, the weights cut at the root of their number times their mean (Ionides, J. Comput. Graph. Stat. 17
# (2008)). On the original scale.
tlcp_supports_left_out <- function(posterior, domain) {
  log_weights <- -posterior$density
  log_weights[is.na(log_weights)] <- -Inf
  top <- apply(log_weights, 1, max)
  weights <- exp(log_weights - top)
  cut <- pmin(weights, sqrt(ncol(weights)) * rowMeans(weights))
  left <- posterior$left
  left[is.na(left)] <- 0
  residual <- rowSums(cut * left) / rowSums(cut) * domain$y_scale / domain$root
  list(residual = residual, density = -(log(rowMeans(weights)) + top))
}

# The root mean square over features of the difference between two chains, divided by that of the posterior standard
# deviations.
tlcp_supports_chain_error <- function(posterior) {
  mine <- seq_len(min(2, dim(posterior$chains)[2]))
  each <- apply(posterior$chains[, mine, , drop = FALSE], 3, rowSums)
  spread <- rowMeans((posterior$draws - rowMeans(posterior$draws))^2)
  sqrt(mean((each[, 1] - each[, 2])^2) / mean(spread))
}
