# Standard errors of tlcp() where domains are known by their rows (tlcp-rows.R): the averages of tlcp-posterior.R from
# N x N kernels. Within a model the covariance matrix of the slopes is diag(C) - F'V^-1 F (tlcp-rows-path.R), where F
# is A with its rows multiplied by numbers that are the same for all slopes (for those that are borrowed and for those
# that are not, where a target stands alone): so is the average over the models diag(a) + A'Omega A.

tlcp_rows_posterior <- function(path) {
  columns <- path$columns
  borrowing <- path$borrowing
  domain <- path$domains[[1]]
  slopes <- seq_along(columns)
  df <- borrowing$s2_df[1] %||% Inf
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
    columns = columns, sets = path$sets, df = tlcp_spread_df(df, length(slopes)), mean = rbind(raw$a0, raw$beta)
  )
}

MOST_COVARIANCES <- 5000 # coefficients whose covariance matrix, of 200 MB, is made

tlcp_rows_posterior_refuse_large <- function(posterior, call) {
  p <- length(posterior$columns)
  if (p <= MOST_COVARIANCES) return(invisible())
  abort_input("{.arg object} has {p} coefficients: their covariance matrix would have {round(8e-9 * p^2, 1)} GB.",
              "object", i = "Use {.fn confint} or {.fn tidy}, which have the standard errors.", call = call)
}

# As tlcp_posterior_mixture().
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

# Without features there is the level alone.
tlcp_rows_posterior_empty <- function(posterior) {
  rows <- posterior$rows
  if (!posterior$level) return(matrix(posterior$mean_variance * posterior$y_scale^2))
  known <- tlcp_rows_known(rows$domains, c(rows$borrowing, list(lam = 1 / rows$s2)))
  matrix(posterior$y_scale^2 / known$diagonal[length(known$diagonal)])
}

# groups: of the coordinates; A: the rows in the prior's columns; first, unit: from the coordinates to the intercept and
# the slopes on the original scale, with the factors of tlcp_spread_by_scales(); both, away, omega: the average over the
# models, by group, A'away being the mean less the estimate and diag(both) + A'Omega A the second moment about the
# estimate; weights, away and variance by component.
tlcp_rows_posterior_parts <- function(posterior) {
  rows <- posterior$rows
  slopes <- rows$slopes
  stacked <- tlcp_rows_stacked(rows$domains)
  A <- stacked$A * rep(sqrt(rows$borrowing$scales), each = nrow(stacked$A))
  groups <- Filter(length, list(rows$alone, setdiff(slopes, rows$alone), setdiff(seq_len(ncol(A)), slopes)))
  G <- seq_along(groups)
  factor <- if (all(rows$borrowing$scales == 1)) 1 else
    tlcp_spread_by_scales(tlcp_rows_posterior_of_features(rows), log(rows$borrowing$scales))
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

# The models of tlcp_posterior_distance_models(), each with its log weight, and `remake`, which returns its V, common
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
  grid <- tlcp_spread_common_variances(rows$precision, rows$borrowing$common[1])
  models <- lapply(grid, function(common) lapply(seq_along(FACTORS), function(f) {
    others <- log_tau2 - mean(log_tau2) + 2 * log(rows$size * FACTORS[f])
    log_prior <- tlcp_spread_log_prior(f, common, rows$size)
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

# Those of tlcp_posterior_unrelated_models().
tlcp_rows_posterior_unrelated <- function(rows, A, stacked) {
  lapply(ALONE_FACTORS, function(factor) {
    model <- rows$borrowing
    model$own[rows$alone, 1] <- model$own[rows$alone, 1] * factor
    model$V <- tlcp_rows_covariance(A, stacked$at, model$common, model$own, rows$s2)
    root <- chol(model$V)
    model$log_weight <- -sum(log(diag(root))) - sum(backsolve(root, stacked$y, transpose = TRUE)^2) / 2 +
      tlcp_spread_alone_log_prior(factor)
    model
  })
}

# What tlcp_posterior_of_features() returns. With z_t the rows' numbers of a slope in domain t, the posterior covariance
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
