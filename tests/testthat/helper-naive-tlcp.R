# tlcp(), transfer of Mallows' Cp, written out naively: domains as rows, the criterion as one dense least squares
# problem, every subset tried in turn. Slow on purpose; base R only.

# A list of the domains, the target first, the others in level order. Columns and response are standardised in each
# domain; a column of zeros and ones in all domains is only centred.
naive_domain_rows <- function(x, y, domain = NULL, target = NULL, standardize = TRUE, intercept = TRUE,
                              sigma2 = NULL) {
  if (is.null(domain)) {
    domain <- rep("all", length(y))
    target <- "all"
  }
  levels <- levels(factor(domain))
  names <- c(target, setdiff(levels, target))
  binary <- apply(x, 2, function(column) all(column %in% 0:1))
  domains <- lapply(names, function(name) {
    rows <- domain == name
    naive_one_domain(x[rows, , drop = FALSE], y[rows], binary, standardize, intercept)
  })
  names(domains) <- names
  if (!is.null(sigma2)) for (t in seq_along(sigma2)) domains[[t]]$s2 <- sigma2[t]
  domains
}

naive_one_domain <- function(x, y, binary, standardize = TRUE, intercept = TRUE) {
  n <- length(y)
  p <- ncol(x)
  center <- if (intercept) colMeans(x) else rep(0, p)
  y_center <- if (intercept) mean(y) else 0
  xc <- x - rep(center, each = n)
  yc <- y - y_center
  scale <- rep(1, p)
  y_scale <- 1
  if (standardize) {
    scale <- ifelse(binary, 1, sqrt(colSums(xc^2) / (n - 1)))
    y_scale <- sqrt(sum(yc^2) / (n - 1))
    scale[scale == 0] <- 1
  }
  z <- xc / rep(scale, each = n)
  yz <- yc / y_scale
  fit <- lm.fit(z, yz)
  list(
    x = z, y = yz, n = n, G = crossprod(z), what = naive_zero(fit$coefficients),
    rss = sum(fit$residuals^2), s2 = sum(fit$residuals^2) / (n - p - intercept),
    center = center, scale = scale, y_center = y_center, y_scale = y_scale
  )
}

# Moderated variances of a column: those of three or more domains in which it varies are shrunk towards each other.
naive_moderated_squares <- function(squares, df) {
  t(apply(squares, 1, function(own) {
    at <- own > 0
    if (sum(at) > 2) own[at] <- naive_residual_variances((own * df)[at], df[at])
    own
  }))
}

# The domains of the hierarchical model: columns and response less the means of all rows, divided by own (moderated) or
# common standard deviations, with a column of ones; residual variances are moderated, too, unless they are given (s2).
naive_domains_in_units <- function(x, y, domain, target, units = "common", standardize = TRUE,
                                   intercept = TRUE, level = intercept, s2 = NULL) {
  levels <- levels(factor(domain))
  names <- c(target, setdiff(levels, target))
  binary <- c(apply(x, 2, function(column) all(column %in% 0:1)), FALSE)
  all <- cbind(x, y)
  rows <- lapply(names, function(name) all[domain == name, , drop = FALSE])
  square <- function(r) if (intercept) apply(r, 2, var) else colSums(r^2) / (nrow(r) - 1)
  df <- vapply(rows, nrow, 1) - 1
  squares <- vapply(rows, square, all[1, ])
  pooled <- sqrt(drop(squares %*% df) / sum(df))
  if (units == "own" && standardize) squares[] <- naive_moderated_squares(squares, df)
  out <- lapply(seq_along(names), function(t) {
    own <- sqrt(squares[, t])
    own <- ifelse(own == 0, ifelse(squares[, 1] == 0, pooled, sqrt(squares[, 1])), own)
    scale <- ifelse(binary, 1, if (units == "own") own else pooled)
    if (!standardize) scale <- c(rep(sqrt(mean(squares[seq_len(ncol(x)), 1])), ncol(x)),
                                 sqrt(squares[ncol(x) + 1, 1]))
    center <- if (level) colMeans(all) else if (intercept) colMeans(rows[[t]]) else 0 * pooled
    z <- (rows[[t]] - rep(center, each = nrow(rows[[t]]))) / rep(scale, each = nrow(rows[[t]]))
    p <- ncol(x)
    yz <- z[, p + 1]
    z <- cbind(z[, seq_len(p), drop = FALSE], if (level) 1)
    fit <- lm.fit(z, yz)
    list(x = z, y = yz, n = length(yz), G = crossprod(z), what = naive_zero(fit$coefficients),
         rss = sum(fit$residuals^2), df = length(yz) - fit$rank - (intercept && !level),
         level = level, center = center[seq_len(p)], scale = scale[seq_len(p)],
         y_center = center[[p + 1]], y_scale = scale[[p + 1]])
  })
  if (is.null(s2)) {
    s2 <- naive_residual_variances(vapply(out, `[[`, 1, "rss"), vapply(out, `[[`, 1, "df"))
    if (length(out) > 1 && out[[1]]$df < 5) s2[1] <- naive_variance_given_others(out, s2, intercept)$s2
  }
  stats::setNames(Map(function(domain, s2) c(domain, list(s2 = s2)), out, s2), names)
}

# Moderated residual variances: rss/df ~ s0^2 F(df, d0), with d0 and s0^2 from the mean and variance of log(rss/df).
naive_residual_variances <- function(rss, df) {
  common <- sum(rss) / sum(df)
  at <- df > 0
  e <- log(rss[at] / df[at]) - digamma(df[at] / 2) + log(df[at] / 2)
  rest <- if (sum(at) > 1) var(e) - mean(trigamma(df[at] / 2)) else 0
  if (rest <= 1e-6) return(rep(common, length(rss)))
  d0 <- 2 * exp(uniroot(function(h) log(trigamma(exp(h))) - log(rest), c(-20, 20),
                        tol = 1e-12)$root)
  s02 <- exp(mean(e) + digamma(d0 / 2) - log(d0 / 2))
  (d0 * s02 + rss) / (d0 + df)
}

# The target's residual variance: with r its response less what a ridge of the others' rows predicts, and C the ridge's
# posterior covariance, r ~ N(0, s^2 I + Z (C + tau^2 I) Z') in the rows without their mean. exp of the mean of log s^2
# over a grid, the prior of log s^2 t_4 about the log of the others' variance, that of log tau^2 flat. s2: of all
# domains, from their residuals.
naive_variance_given_others <- function(domains, s2, intercept = TRUE) {
  rows <- lapply(domains, function(domain) {
    x <- domain$x[, seq_len(ncol(domain$x) - isTRUE(domain$level)), drop = FALSE]
    # orthonormal contrasts of the rows
    H <- if (intercept) t(contr.helmert(nrow(x))) / sqrt(colSums(contr.helmert(nrow(x))^2)) else diag(nrow(x))
    list(x = H %*% x, y = drop(H %*% domain$y))
  })
  x <- do.call(rbind, Map(function(row, s2) row$x / sqrt(s2), rows[-1], s2[-1]))
  y <- unlist(Map(function(row, s2) row$y / sqrt(s2), rows[-1], s2[-1]))
  density <- function(V, r) {
    R <- chol(V)
    -sum(log(diag(R))) - sum(backsolve(R, r, transpose = TRUE)^2) / 2
  }
  omega2 <- exp(optimize(function(at) density(exp(at) * tcrossprod(x) + diag(nrow(x)), y), log(c(1e-5, 100)),
                         maximum = TRUE, tol = 1e-8)$maximum)
  C <- solve(crossprod(x) + diag(ncol(x)) / omega2)
  Z <- rows[[1]]$x
  r <- rows[[1]]$y - drop(Z %*% C %*% crossprod(x, y))
  df <- vapply(domains[-1], `[[`, 1, "df")
  grid <- expand.grid(log_s2 = seq(-6, 6, .15), log_tau2 = log(omega2) + seq(-14, 4, .75))
  prior <- dt(grid$log_s2, 4, log = TRUE)
  grid$log_s2 <- grid$log_s2 + log(sum(s2[-1] * df) / sum(df))
  log_lik <- mapply(function(a, b) density(exp(a) * diag(nrow(Z)) + Z %*% (C + exp(b) * diag(ncol(Z))) %*% t(Z), r),
                    grid$log_s2, grid$log_tau2)
  w <- exp(log_lik + prior - max(log_lik + prior))
  w <- w / sum(w)
  mean <- sum(w * grid$log_s2)
  list(s2 = exp(mean), spread = sum(w * (grid$log_s2 - mean)^2))
}

# The probability that some standard deviation differs between domains: AIC of one variance a domain
# against one for all, column by column.
naive_any_differs <- function(x, y, domain) {
  columns <- cbind(x, y)[, c(!apply(x, 2, function(column) all(column %in% 0:1)), TRUE)]
  same <- apply(columns, 2, function(column) {
    r <- column - ave(column, domain)
    df <- as.vector(table(factor(domain))) - 1
    s2 <- as.vector(tapply(r^2, factor(domain), sum)) / df
    statistic <- sum(df) * log(sum(df * s2) / sum(df)) - sum(df * log(s2))
    1 / (1 + exp(statistic / 2 - (length(df) - 1)))
  })
  1 - prod(same)
}

naive_has_level <- function(domains) isTRUE(domains[[1]]$level)

# The twin's domains, in the units of the fit.
naive_domains_of_fit <- function(fit, d, ...) {
  s <- fit$borrowing
  if (is.null(s$units)) return(naive_domain_rows(d$x, d$y, d$domain, d$target, ...))
  naive_domains_in_units(d$x, d$y, d$domain, d$target, s$units, ...)
}

naive_zero <- function(values) replace(values, is.na(values), 0)

# Coefficients of the columns on their original scale, and the intercept.
naive_original <- function(domain, w) {
  if (isTRUE(domain$level)) {
    last <- length(w)
    out <- naive_original(replace(domain, "level", FALSE), w[-last])
    out$a0 <- out$a0 + w[[last]] * domain$y_scale
    return(out)
  }
  beta <- w * domain$y_scale / domain$scale
  list(beta = beta, a0 = domain$y_center - sum(domain$center * beta))
}

naive_stack <- function(domains, part) lapply(domains, `[[`, part)

naive_blocks <- function(blocks) {
  size <- vapply(blocks, ncol, 1)
  end <- cumsum(size)
  all <- matrix(0, sum(vapply(blocks, nrow, 1)), sum(size))
  row <- 0
  for (t in seq_along(blocks)) {
    rows <- row + seq_len(nrow(blocks[[t]]))
    all[rows, end[t] - size[t] + seq_len(size[t])] <- blocks[[t]]
    row <- row + nrow(blocks[[t]])
  }
  all
}

# ---- the criterion

# The least-squares problem in (w_1 .. w_T, b): rows of every domain times sqrt(lam_t), rows (w_ti - b_i)/own sd, rows
# b_i/common sd.
naive_problem <- function(domains, borrowing) {
  p <- ncol(domains[[1]]$x)
  n_domains <- length(domains)
  lam <- sqrt(borrowing$lam)
  data <- naive_blocks(Map(function(domain, l) l * domain$x, domains, lam))
  own <- 1 / sqrt(as.vector(borrowing$own))
  common <- 1 / sqrt(borrowing$common)
  rows <- rbind(
    cbind(data, matrix(0, nrow(data), p)),
    cbind(diag(own, n_domains * p), -own * kronecker(rep(1, n_domains), diag(p))),
    cbind(matrix(0, p, n_domains * p), diag(common, p))
  )
  y <- unlist(Map(function(domain, l) l * domain$y, domains, lam), use.names = FALSE)
  list(
    x = rows, y = c(y, rep(0, nrow(rows) - length(y))), p = p, n_domains = n_domains,
    feature = rep(seq_len(p), n_domains + 1), part = rep(seq_len(n_domains + 1), each = p),
    pen = borrowing$pen, level = naive_has_level(domains)
  )
}

# The quadratic part of J(S) and the coefficients of all domains (a column each).
naive_fit <- function(problem, S, support = "target") {
  if (problem$level) S <- union(S, problem$p)
  chosen <- problem$feature %in% S
  if (support == "target") chosen <- chosen | problem$part > 1
  w <- rep(0, length(problem$feature))
  if (!any(chosen)) {
    return(list(value = sum(problem$y^2), w = matrix(w, problem$p)))
  }
  x <- problem$x[, chosen, drop = FALSE]
  fit <- lm.fit(x, problem$y, tol = 1e-11)
  w[chosen] <- naive_zero(fit$coefficients)
  w <- matrix(w, problem$p)[, seq_len(problem$n_domains), drop = FALSE]
  list(value = sum(fit$residuals^2), w = w)
}

naive_subsets <- function(p) {
  unname(as.matrix(expand.grid(rep(list(c(FALSE, TRUE)), p))))
}

# Over all subsets, the best one, and the best of every size by the quadratic part; where penalties differ, that of the
# best one's size is the best one itself.
naive_exact <- function(problem, support = "target", keep = NULL, drop = NULL) {
  all <- naive_subsets(problem$p - problem$level)
  fits <- rowSums(!all[, keep, drop = FALSE]) == 0 & rowSums(all[, drop, drop = FALSE]) == 0
  all <- all[fits, , drop = FALSE]
  quadratic <- apply(all, 1, function(inside) naive_fit(problem, which(inside), support)$value)
  size <- rowSums(all)
  value <- quadratic + drop(all %*% problem$pen)
  best <- which.min(value)
  sizes <- sort(unique(size))
  of_size <- vapply(sizes, function(k) {
    rows <- which(size == k)
    rows[which.min(quadratic[rows])]
  }, 1L)
  of_size[sizes == size[best]] <- best
  list(
    S = which(all[best, ]), value = value[best], second = sort(value)[2],
    sizes = sizes, subsets = apply(all[of_size, , drop = FALSE], 1, which, simplify = FALSE),
    quadratic = quadratic[of_size], criterion = value[of_size]
  )
}

# The borrowing prior and penalties of a fit, as a list like that of naive_borrowing().
naive_borrowing_of <- function(fit, p) {
  s <- fit$borrowing
  n_domains <- length(fit$models)
  if (is.null(s$tau2) || anyNA(s$tau2)) {
    v <- if (is.null(s$v)) 0 else s$v
    own <- matrix(2 / rep_len(v, p), p, n_domains)
    return(list(lam = s$lam, own = own, common = rep(Inf, p), pen = rep_len(s$pen, p)))
  }
  c(list(lam = s$lam, pen = rep_len(s$pen, p)),
    naive_variances(n_domains, rep_len(s$scales, p), s$tau2, s$omega2, s$kappa2))
}

# ---- orthogonal columns: every feature by itself

# Where x_t'x_t = n_t I, feature i is in where it lowers its T x T problem by more than pen_i.
naive_closed_form <- function(domains, borrowing) {
  n_domains <- length(domains)
  n <- vapply(domains, function(domain) mean(diag(crossprod(domain$x))), 1)
  z <- vapply(domains, function(domain) drop(crossprod(domain$x, domain$y)), domains[[1]]$x[1, ]) /
    rep(n, each = ncol(domains[[1]]$x))
  data <- borrowing$lam * n
  w <- t(vapply(seq_len(nrow(z)), function(i) {
    K <- naive_coupling(borrowing$own[i, ], borrowing$common[i])
    solve(diag(data, n_domains) + K, data * z[i, ])
  }, numeric(n_domains)))
  w <- matrix(w, ncol = n_domains)
  falls <- drop((w * z) %*% data)
  keep <- falls > borrowing$pen
  list(S = unname(which(keep)), w = w * keep, z = z, unselected = w)
}

# The precision matrix of T coefficients with variances `own` around a common coefficient; with own = Inf they are not
# coupled.
naive_coupling <- function(own, common) {
  if (all(is.infinite(own))) {
    return(matrix(0, length(own), length(own)))
  }
  one <- 1 / own
  diag(one, length(own)) - outer(one, one) / (sum(one) + 1 / common)
}

# ---- leave-one-out

# Prediction errors of the target's rows, each by models fitted to all other rows: least squares of the target and of
# both domains, a ridge of the target, and tlcp() with borrowing.
naive_left_out <- function(x, y, domain, target) {
  p <- ncol(x)
  errors <- vapply(which(domain == target), function(i) {
    left <- list(x = x[-i, , drop = FALSE], y = y[-i], domain = domain[-i], target = target)
    domains <- naive_domain_rows(left$x, left$y, left$domain, target)
    domain <- domains[[1]]
    ridge <- solve(domain$G + diag(domain$s2 / naive_omega2(domain), p), crossprod(domain$x, domain$y))
    both <- lm.fit(do.call(rbind, naive_stack(domains, "x")), unlist(naive_stack(domains, "y")))
    ways <- list(own = domain$what, shrunk = ridge, pooled = both$coefficients)
    errors <- vapply(ways, function(w) {
      model <- naive_original(domain, drop(w))
      y[i] - model$a0 - sum(x[i, ] * model$beta)
    }, 0)
    c(errors, borrowed = y[i] - naive_averaged(left, x[i, ]))
  }, c(own = 0, shrunk = 0, pooled = 0, borrowed = 0))
  rowMeans(errors^2)
}

# The weighted mean of the predictions of the fits in own and in common units, with all features in.
naive_averaged <- function(d, new) {
  fits <- vapply(c("own", "common"), function(units) {
    domains <- naive_domains_in_units(d$x, d$y, d$domain, d$target, units)
    w <- naive_fit(naive_problem(domains, naive_borrowing(domains)), seq_along(new))$w[, 1]
    model <- naive_original(domains[[1]], w)
    c(model$a0 + sum(new * model$beta), naive_likelihood_ratio(domains))
  }, c(0, 0))
  prior <- c(naive_any_differs(d$x, d$y, d$domain) * plogis(-.5), plogis(.5))
  stats::weighted.mean(fits[1, ], prior * exp(fits[2, ]))
}

# The variance of a domain's coefficients that maximises its marginal likelihood.
naive_omega2 <- function(domain) {
  value <- function(at) naive_loglik_rows(list(domain), exp(at), 0)
  grid <- seq(log(1e-6), log(100), length.out = 60)
  best <- grid[which.max(vapply(grid, value, 1))]
  exp(optimize(value, best + c(-.5, .5), maximum = TRUE, tol = 1e-10)$maximum)
}

# ---- data and comparisons

# Domains with similar coefficients; the target, "b", has the fewest rows.
draw_similar_domains <- function(seed, n_domains = 2, p = 6, kind = "random", n = 14 + p, apart = 0.3) {
  with_seed(seed, {
    rows <- c(n, n + 5 + seq_len(n_domains - 1) * 6)[seq_len(n_domains)]
    names <- c("b", "a", "c", "d", "e", "f")[seq_len(n_domains)]
    domain <- rep(names, rows)
    mix <- sample(length(domain))
    domain <- domain[mix]
    total <- length(domain)
    x <- if (kind == "near") {
      z <- named_columns(rnorm(total * p), total, "x")
      half <- seq_len(p %/% 2)
      z[, p + 1 - half] <- z[, half] + 0.02 * z[, p + 1 - half]
      z
    } else {
      draw_features(kind, total, p)
    }
    k <- match(domain, names)
    common <- rnorm(p) * rep_len(c(1, 0, 0.5, 0), p)
    beta <- common + apart * matrix(rnorm(p * n_domains), p)
    unit <- apply(x, 2, sd)
    y <- rowSums(x / rep(unit, each = total) * t(beta[, k, drop = FALSE])) + rnorm(total) + k
    list(
      x = x, y = y, domain = domain, target = "b", names = names,
      new = named_columns(rnorm(5 * p), 5, "x")
    )
  })
}

# Columns with heavy tails: fences by domain (columns x domains, wider of the domain's own and those of all rows), the
# log likelihood ratios of bounding each column in question by lm() of every domain, and the shares.
naive_tails <- function(x, y, domain) {
  fences <- function(v) {
    q <- quantile(v, c(.25, .75), names = FALSE)
    q + c(-3, 3) * diff(q)
  }
  all <- apply(x, 2, fences)
  columns <- which(all[1, ] < all[2, ] & (apply(x, 2, min) < all[1, ] | apply(x, 2, max) > all[2, ]))
  rows <- split(seq_along(y), domain)
  each <- function(side, wider) {
    out <- vapply(rows, function(at) {
      vapply(columns, function(j) wider(fences(x[at, j])[side], all[side, j]), 0)
    }, numeric(length(columns)))
    matrix(out, length(columns), dimnames = list(NULL, names(rows)))
  }
  low <- each(1, min)
  high <- each(2, max)
  log_lik <- function(bounded) {
    for (k in which(bounded)) for (name in names(rows)) {
      at <- rows[[name]]
      x[at, columns[k]] <- pmin(pmax(x[at, columns[k]], low[k, name]), high[k, name])
    }
    sum(vapply(rows, function(at) {
      fit <- lm(y[at] ~ x[at, ])
      if (fit$df.residual < 5) 0 else -length(at) / 2 * log(deviance(fit))
    }, 0))
  }
  none <- logical(length(columns))
  alone <- vapply(seq_along(columns), function(k) log_lik(replace(none, k, TRUE)), 0)
  bounded <- none
  for (k in order(-alone)) if (log_lik(replace(bounded, k, TRUE)) > log_lik(bounded)) bounded[k] <- TRUE
  ratio <- vapply(seq_along(columns), function(k) {
    log_lik(replace(bounded, k, TRUE)) - log_lik(replace(bounded, k, FALSE))
  }, 0)
  pi <- pmax(qbeta((1:40 - .5) / 40, .2, 4), 1e-8)
  posterior <- vapply(pi, function(pi) prod(1 - pi + pi * exp(ratio)), 0)
  share <- vapply(ratio, function(o) sum(posterior * pi * exp(o) / (1 - pi + pi * exp(o))) / sum(posterior), 0)
  list(columns = columns, low = low, high = high, ratio = ratio, share = share)
}
