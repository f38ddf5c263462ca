# Standard errors of tlcp() where domains are known by their rows (tlcp-rows.R): the averages of src/tlcp/posterior.h
# from N x N kernels. Within a model the covariance matrix of the slopes is diag(C) - F'V^-1 F (tlcp-rows-path.R), where
# F is A with its rows multiplied by numbers that are the same for all slopes (for those that are borrowed and for those
# that are not, where a target stands alone): so is the average over the models diag(a) + A'Omega A.

tlcp_rows_posterior <- function(path, df) {
  columns <- path$columns
  borrowing <- path$borrowing
  domain <- path$domains[[1]]
  slopes <- seq_along(columns)
  raw <- tlcp_domain_raw_coefficients(path$z[[1]], columns, path$all_domains[[1]])
  list(
    rows = list(
      domains = lapply(path$domains, `[`, c("X", "y", "one", "level")), s2 = 1 / borrowing$lam,
      borrowing = borrowing[c("common", "own", "scales", "tau2", "kappa2")],
      size = sqrt(borrowing$omega2 + borrowing$tau2[[1]]), slopes = slopes, precision = path$known$own[slopes],
      alone = if (isTRUE(borrowing$alone)) intersect(slopes, which(domain$varies))
    ),
    n_domains = 1L, level = domain$level, root = sqrt(borrowing$scales)[slopes], x_scale = domain$x_scale[columns],
    x_mean = domain$x_mean[columns], y_scale = domain$y_scale,
    mean_variance = if (domain$level) 0 else borrowing$s2[1] / path$all_domains[[1]]$n,
    columns = columns, sets = path$sets, df = df, mean = rbind(raw$a0, raw$beta)
  )
}

MOST_COVARIANCES <- 5000 # coefficients whose covariance matrix, of 200 MB, is made

tlcp_rows_posterior_refuse_large <- function(posterior, call) {
  p <- length(posterior$columns)
  if (p <= MOST_COVARIANCES) return(invisible())
  abort_input("{.arg object} has {p} coefficients: their covariance matrix would have {round(8e-9 * p^2, 1)} GB.",
              "object", i = "Use {.fn confint} or {.fn tidy}, which have the standard errors.", call = call)
}

# As tlcp_posterior_mixtures(), of step k.
tlcp_rows_posterior_mixture <- function(posterior, k, diagonal) {
  constant <- posterior$mean_variance * posterior$y_scale^2
  if (!any(posterior$sets[, k])) {
    intercept <- tlcp_rows_posterior_empty(posterior)
    return(list(weights = 1, away = matrix(0), variance = intercept, V = if (diagonal) c(intercept) else intercept))
  }
  parts <- tlcp_rows_posterior_parts(posterior)
  mixture <- parts[c("weights", "away", "variance")]
  mixture$variance[1, ] <- mixture$variance[1, ] + constant
  if (diagonal) {
    mixture$V <- drop((mixture$variance + mixture$away^2) %*% mixture$weights)
  } else {
    slopes <- posterior$rows$slopes
    V <- tlcp_rows_posterior_matrix(parts)
    to_first <- drop(V %*% parts$first)
    across <- to_first[slopes] * parts$unit
    mixture$V <- unname(rbind(c(sum(parts$first * to_first) + constant, across),
                          cbind(across, V[slopes, slopes, drop = FALSE] * tcrossprod(parts$unit))))
  }
  mixture
}

# Mean less the estimate and variance of intercept and slopes, as columns. model: `both`, `away` and omega of
# tlcp_rows_posterior_parts().
tlcp_rows_posterior_moments <- function(parts, model) {
  mean <- square <- numeric(ncol(parts$A))
  along <- lapply(parts$groups, function(group) drop(parts$A[, group, drop = FALSE] %*% parts$first[group]))
  of_first <- sum(model$both * parts$first^2)
  for (g in seq_along(parts$groups)) {
    members <- parts$groups[[g]]
    A <- parts$A[, members, drop = FALSE]
    mean[members] <- drop(crossprod(A, model$away[[g]]))
    square[members] <- colSums(A * (model$omega[[g]][[g]] %*% A))
    for (h in seq_along(along)) of_first <- of_first + sum(along[[g]] * (model$omega[[g]][[h]] %*% along[[h]]))
  }
  slopes <- seq_along(parts$unit)
  cbind(c(sum(parts$first * mean), mean[slopes] * parts$unit),
        c(of_first, (model$both + square)[slopes] * parts$unit^2))
}

COMPONENTS_FLOPS <- 1e10 # for the variances of all components; beyond it those of small weight are one component

# The shares of src/tlcp/posterior.h at the borrowing prior as it is estimated, for the intercept and all slopes. With F
# the covariance of the rows and the target's coefficients, D the prior variances of these and W = V^-1, a coefficient
# f'w has x = (D - F'WF)f, the target's rows the part |A_1 x|^2/s2, and shrinkage x'D^-1 x. Of the other domains' rows,
# o, A_o C (f - H x) with C = B - B A_o'V_oo^-1 A_o B divides their part.
tlcp_rows_posterior_shares <- function(posterior) {
  rows <- posterior$rows
  common <- rows$borrowing$common
  own_variance <- rows$borrowing$own
  both <- common + own_variance[, 1]
  stacked <- tlcp_rows_stacked(rows$domains)
  A <- stacked$A * rep(sqrt(rows$borrowing$scales), each = nrow(stacked$A))
  V <- tlcp_rows_covariance(A, stacked$at, common, own_variance, rows$s2)
  mine <- stacked$at[[1]]
  unit <- posterior$root * posterior$y_scale / posterior$x_scale
  first <- c(-posterior$x_mean * unit, if (posterior$level) posterior$y_scale)
  of <- function(M) cbind(M %*% first, M[, rows$slopes, drop = FALSE]) # M times the coefficients
  F <- A * rep(common, each = nrow(A))
  J <- F[-mine, , drop = FALSE]
  F[mine, ] <- A[mine, , drop = FALSE] * rep(both, each = length(mine))
  Ff <- of(F)
  WF <- .Call(C_spd_solve, V, Ff)
  square <- c(sum(both * first^2), both[rows$slopes]) # f'D f
  left <- square - 2 * colSums(Ff * WF)
  prior <- left + colSums(WF * ((F %*% (t(F) / both)) %*% WF))
  Z <- Ff[mine, , drop = FALSE] - tcrossprod(A[mine, , drop = FALSE], F) %*% WF # A_1 x
  constant <- c(posterior$mean_variance * posterior$y_scale^2, numeric(length(rows$slopes)))
  own <- colSums(Z^2) / rows$s2[1]
  others <- pmax(square - colSums(Ff * WF) - own - prior, 0)
  R <- of(J) - tcrossprod(J, A[mine, , drop = FALSE]) %*% Z / rows$s2[1]
  R <- R - tcrossprod(J, A[-mine, , drop = FALSE]) %*% .Call(C_spd_solve, V[-mine, -mine, drop = FALSE], R)
  information <- vapply(seq_along(rows$domains)[-1], function(domain) {
    at <- stacked$at[[domain]]
    S <- .Call(C_rows_kernel, A[at, , drop = FALSE], own_variance[, domain]) + diag(rows$s2[domain], length(at))
    .Call(C_spd_squares, S, R[at - length(mine), , drop = FALSE])
  }, numeric(ncol(R)))
  tlcp_shares_matrix(own + constant, others, prior, matrix(information, ncol(R)))
}

# Without features there is the level alone.
tlcp_rows_posterior_empty <- function(posterior) {
  rows <- posterior$rows
  if (!posterior$level) return(matrix(posterior$mean_variance * posterior$y_scale^2))
  known <- tlcp_rows_known(rows$domains, c(rows$borrowing, list(lam = 1 / rows$s2)))
  matrix(posterior$y_scale^2 / known$diagonal[length(known$diagonal)])
}

# groups: of the coordinates; A: the rows in the prior's columns; first, unit: from the coordinates to the intercept and
# the slopes on the original scale, with the factors of tlcp_rows_spread_by_scales(); both, away, omega: the average
# over the models, by group, A'away being the mean less the estimate and diag(both) + A'Omega A the second moment about
# the estimate; weights, away and variance by component.
tlcp_rows_posterior_parts <- function(posterior) {
  rows <- posterior$rows
  slopes <- rows$slopes
  stacked <- tlcp_rows_stacked(rows$domains)
  A <- stacked$A * rep(sqrt(rows$borrowing$scales), each = nrow(stacked$A))
  groups <- Filter(length, list(rows$alone, setdiff(slopes, rows$alone), setdiff(seq_len(ncol(A)), slopes)))
  G <- seq_along(groups)
  factor <- if (all(rows$borrowing$scales == 1)) 1 else
    tlcp_rows_spread_by_scales(tlcp_rows_posterior_of_features(rows), log(rows$borrowing$scales))
  unit <- posterior$root * sqrt(factor) * posterior$y_scale / posterior$x_scale
  # the intercept is y_scale times the level less the means times the slopes
  parts <- list(A = A, groups = groups, unit = unit,
                first = c(-posterior$x_mean * unit, if (posterior$level) posterior$y_scale))
  described <- function(model) {
    V <- model$V %||% tlcp_rows_covariance(A, stacked$at, model$common, model$own, rows$s2)
    W <- .Call(C_spd_inverse, V)
    alpha <- drop(W %*% stacked$y)
    by <- lapply(groups, function(group) {
      by <- rep(model$common[group[1]], nrow(A))
      by[stacked$at[[1]]] <- by[stacked$at[[1]]] + model$own[group[1], 1]
      by
    })
    list(both = model$common + model$own[, 1], away = lapply(by, `*`, alpha),
         omega = lapply(by, function(g) lapply(by, function(h) -W * tcrossprod(g, h))))
  }
  estimated <- described(rows$borrowing)$away
  models <- if (is.null(rows$alone)) tlcp_rows_posterior_distances(rows, A, stacked) else
    tlcp_rows_posterior_unrelated(rows, A, stacked)
  weights <- response_scores_average_weights(vapply(models, `[[`, 0, "log_weight"), least = 1e-4)
  most <- max(8, floor(COMPONENTS_FLOPS / (ncol(A) * nrow(A)^2)))
  kept <- weights > 0 & rank(-weights, ties.method = "first") <= most
  parts$both <- 0
  parts$away <- lapply(G, function(g) 0)
  parts$omega <- lapply(G, function(g) lapply(G, function(h) 0))
  found <- list()
  for (m in which(weights > 0)) {
    model <- described(if (is.null(models[[m]]$remake)) models[[m]] else models[[m]]$remake())
    model$away <- Map(`-`, model$away, estimated)
    if (kept[m]) found <- c(found, list(tlcp_rows_posterior_moments(parts, model)))
    parts$both <- parts$both + weights[m] * model$both
    for (g in G) {
      parts$away[[g]] <- parts$away[[g]] + weights[m] * model$away[[g]]
      for (h in G) {
        parts$omega[[g]][[h]] <- parts$omega[[g]][[h]] +
          weights[m] * (model$omega[[g]][[h]] + tcrossprod(model$away[[g]], model$away[[h]]))
      }
    }
  }
  components <- list(weights = weights[kept], away = vapply(found, function(one) one[, 1], numeric(length(unit) + 1)),
                     variance = vapply(found, function(one) one[, 2], numeric(length(unit) + 1)))
  rest <- 1 - sum(components$weights)
  if (any(weights[!kept] > 0)) {
    whole <- tlcp_rows_posterior_moments(parts, parts)
    away <- (whole[, 1] - drop(components$away %*% components$weights)) / rest
    square <- (whole[, 2] - drop((components$variance + components$away^2) %*% components$weights)) / rest
    components <- list(weights = c(components$weights, rest),
                       away = cbind(components$away, away, deparse.level = 0),
                       variance = cbind(components$variance, pmax(square - away^2, 0), deparse.level = 0))
  }
  c(parts[c("A", "groups", "unit", "first", "both", "omega")], components)
}

tlcp_rows_posterior_matrix <- function(parts) {
  V <- diag(parts$both, ncol(parts$A))
  for (g in seq_along(parts$groups)) {
    for (h in seq_along(parts$groups)) {
      i <- parts$groups[[g]]
      j <- parts$groups[[h]]
      V[i, j] <- V[i, j] + crossprod(parts$A[, i, drop = FALSE], parts$omega[[g]][[h]] %*% parts$A[, j, drop = FALSE])
    }
  }
  (V + t(V)) / 2
}

# The components, each with its log weight, and `remake`, which returns its V, common
# and own. A: the slopes' columns. For each variance of the common coefficients and distance of the other domains these
# are eliminated once, which leaves the target's rows.
tlcp_rows_posterior_distances <- function(rows, A, stacked) {
  slopes <- rows$slopes
  log_tau2 <- log(rows$borrowing$tau2)
  K <- .Call(C_rows_kernel, A[, slopes, drop = FALSE], rep(1, length(slopes)))
  own_variance <- rows$borrowing$own[, 1]
  level <- if (rows$domains[[1]]$level) unlist(lapply(unname(rows$domains), `[[`, "one"))
  mine <- stacked$at[[1]]
  rest <- diag(rep(rows$s2, lengths(stacked$at)))
  if (!is.null(level)) {
    rest <- rest + rows$borrowing$common[length(slopes) + 1] * tcrossprod(level)
    for (block in stacked$at) {
      rest[block, block] <- rest[block, block] + rows$borrowing$kappa2 * tcrossprod(level[block])
    }
  }
  covariance <- function(common, tau2) {
    V <- rest + common * K
    for (t in seq_along(tau2)) V[stacked$at[[t]], stacked$at[[t]]] <- V[stacked$at[[t]], stacked$at[[t]]] +
        tau2[t] * K[stacked$at[[t]], stacked$at[[t]]]
    V
  }
  own_kernel <- K[mine, mine, drop = FALSE]
  y <- stacked$y
  grid <- tlcp_rows_spread_common_variances(rows$precision, rows$borrowing$common[1])
  models <- lapply(grid, function(common) lapply(seq_along(FACTORS), function(f) {
    others <- log_tau2 - mean(log_tau2) + 2 * log(rows$size * FACTORS[f])
    log_prior <- tlcp_rows_spread_log_prior(f, common, rows$size)
    V <- covariance(common, replace(exp(others), 1, 0))
    root <- chol(V[-mine, -mine])
    half <- backsolve(root, cbind(y[-mine], V[-mine, mine, drop = FALSE]), transpose = TRUE)
    log_lik <- -sum(log(diag(root))) - sum(half[, 1]^2) / 2
    across <- half[, -1, drop = FALSE]
    left <- y[mine] - drop(crossprod(across, half[, 1]))
    S <- V[mine, mine] - crossprod(across)
    lapply(seq_along(OWN_FACTORS), function(o) {
      tau2 <- exp(mean(others[-1]) + OWN_FACTORS[o])
      root <- chol(S + tau2 * own_kernel)
      list(
        log_weight = log_lik - sum(log(diag(root))) - sum(backsolve(root, left, transpose = TRUE)^2) / 2 + log_prior[o],
        remake = function() list(V = covariance(common, replace(exp(others), 1, tau2)),
                                 common = replace(rows$borrowing$common, slopes, common),
                                 own = cbind(replace(own_variance, slopes, tau2)))
      )
    })
  }))
  unlist(unlist(models, recursive = FALSE), recursive = FALSE)
}

# The same where the target's slopes are unrelated to the others'.
tlcp_rows_posterior_unrelated <- function(rows, A, stacked) {
  lapply(ALONE_FACTORS, function(factor) {
    model <- rows$borrowing
    model$own[rows$alone, 1] <- model$own[rows$alone, 1] * factor
    model$V <- tlcp_rows_covariance(A, stacked$at, model$common, model$own, rows$s2)
    root <- chol(model$V)
    model$log_weight <- -sum(log(diag(root))) - sum(backsolve(root, stacked$y, transpose = TRUE)^2) / 2 +
      tlcp_rows_spread_alone_log_prior(factor)
    model
  })
}

# By slope mean and covariance C of its coefficients in all domains, or of a target that stands alone in the target, and
# the precision K of their prior. With z_t the rows' numbers of a slope in domain t, the posterior covariance
# of its coefficients in all domains is P - P Q P, P = common 11' + diag(own), Q_st = z_s'(V^-1)_st z_t.
tlcp_rows_posterior_of_features <- function(rows) {
  borrowing <- rows$borrowing
  stacked <- tlcp_rows_stacked(rows$domains)
  A <- stacked$A * rep(sqrt(borrowing$scales), each = nrow(stacked$A))
  W <- .Call(C_spd_inverse, tlcp_rows_covariance(A, stacked$at, borrowing$common, borrowing$own, rows$s2))
  alpha <- drop(W %*% stacked$y)
  each <- seq_along(rows$domains)
  slope <- vapply(stacked$at, function(block) drop(crossprod(A[block, , drop = FALSE], alpha[block])), numeric(ncol(A)))
  slope <- matrix(slope, ncol(A))
  Q <- array(0, c(ncol(A), length(each), length(each)))
  for (s in each) {
    for (t in each[each >= s]) {
      i <- stacked$at[[s]]
      j <- stacked$at[[t]]
      Q[, s, t] <- Q[, t, s] <- colSums(A[i, , drop = FALSE] * (W[i, j, drop = FALSE] %*% A[j, , drop = FALSE]))
    }
  }
  own_variance <- borrowing$own
  lapply(rows$slopes, function(i) {
    P <- borrowing$common[i] + diag(own_variance[i, ], length(each))
    C <- P - P %*% matrix(Q[i, , ], length(each)) %*% P
    mean <- drop(P %*% slope[i, ])
    if (is.null(rows$alone)) {
      return(list(mean = mean, C = C, K = tlcp_form_coupling(borrowing$common[i], own_variance[i, ])))
    }
    list(mean = mean[1], C = C[1, 1, drop = FALSE],
         K = if (i %in% rows$alone) matrix(1 / (borrowing$common[i] + own_variance[i, 1])))
  })
}

# The values of the borrowing prior that are averaged over, as in src/tlcp/posterior.h.

# Priors:
#   the other domains' tau   half-Cauchy, its scale the size of the coefficients (Gelman 2006); and with probability
#                            EQUAL all domains are equal
#   the target's tau         at the others' or further: the logarithm of the factor is uniform. A smaller one would be
#                            a gain that the target's few rows cannot confirm
#   omega                    half-Cauchy, its scale the size of the coefficients
#   slopes of a target that stands alone: uniform standard deviation
FACTORS <- 2^seq(-6, 4)        # of the geometric mean of tau_t, relative to the size of coefficients
EQUAL <- .2                    # probability of the first of these, with the target's tau as the others'
OWN_FACTORS <- seq(0, 14, 2)   # of log tau_1^2, beside the others'
COMMON_STEP <- 4               # factor between values of omega^2
ALONE_FACTORS <- 2^seq(-4, 4)  # of the variance of a target that stands alone

# By value of OWN_FACTORS, at the value number f of FACTORS. size: of the coefficients, a standard deviation.
tlcp_rows_spread_log_prior <- function(f, common, size) {
  cauchy <- FACTORS / (1 + FACTORS^2)
  prior <- rep((1 - EQUAL) * cauchy[f] / sum(cauchy) / length(OWN_FACTORS), length(OWN_FACTORS))
  if (f == 1) prior[1] <- prior[1] + EQUAL
  log(prior) + log(common) / 2 - log1p(common / size^2)
}

tlcp_rows_spread_alone_log_prior <- function(factor) log(factor) / 2

# The grid of omega^2. A squared standard error is that of a slope of the target given the others. precision: of the
# target's slopes; from: omega^2 as it is estimated.
tlcp_rows_spread_common_variances <- function(precision, from) {
  error <- mean(1 / precision[precision > 0])
  if (!is.finite(error)) return(from)
  from <- min(from, error / 4)
  from * COMMON_STEP^seq(0, ceiling(log(64 * error / from) / log(COMMON_STEP) - 1e-9))
}

# The scales c of features are estimated from few coefficients, too: where the estimate of c_i is small the interval
# would be too short. The posterior is averaged over each c_i in turn, the others fixed, with the prior that c_i has
# in the model (1/c_i a multiple of chi-squared, nu = 4; the mean of log c_i is 0). A change of c_i changes the prior of
# the feature's coefficients in all T domains, whose joint posterior is known. The result has a number for each slope:
# the mean square of the target's coefficient about the estimate, divided by its variance at the c_i estimated.
SCALE_FACTORS <- seq(-3, 3.5, .5) # of log c_i, beside the one estimated

# posterior: by slope the posterior of its coefficients, list(mean, C, K) of tlcp_rows_posterior_of_features();
# log_scale: the logarithms of the c_i.
tlcp_rows_spread_by_scales <- function(posterior, log_scale) {
  vapply(seq_along(posterior), function(i) {
    C <- posterior[[i]]$C
    m <- posterior[[i]]$mean
    K <- posterior[[i]]$K
    if (is.null(K)) return(1)
    # the prior's precision is K before, and exp(-l) K; with K = R'R and RCR' = U diag(d) U' the posterior covariance
    # becomes R^-1 U diag(d/(1 + more d)) (R^-1 U)', and the mean R^-1 U diag(1/(1 + more d)) U'R m
    R <- chol(K)
    e <- eigen(R %*% C %*% t(R), symmetric = TRUE)
    first <- drop(backsolve(R, e$vectors)[1, ])
    u <- drop(crossprod(e$vectors, R %*% m))
    more <- expm1(-SCALE_FACTORS)
    shrunk <- 1 / (1 + outer(e$values, more))
    log_c <- log_scale[i] + SCALE_FACTORS
    evidence <- -(length(m) * SCALE_FACTORS - colSums(log(shrunk)) + more * colSums(u^2 * shrunk)) / 2
    by_scale <- rbind(evidence - 2 * log_c - exp(digamma(2) - log_c), colSums(first * u * shrunk),
                colSums(first^2 * e$values * shrunk))
    sum(response_scores_average_weights(by_scale[1, ]) * (by_scale[3, ] + (by_scale[2, ] - m[1])^2)) / C[1, 1]
  }, 0)
}
