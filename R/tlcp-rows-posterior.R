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
    columns = columns, sets = path$sets, df = 1 / (1 / df + 1 / (2 * length(slopes))), mean = rbind(raw$a0, raw$beta)
  )
}

MOST_COVARIANCES <- 5000 # coefficients whose covariance matrix, of 200 MB, is made

tlcp_rows_posterior_refuse_large <- function(posterior, call) {
  p <- length(posterior$columns)
  if (p <= MOST_COVARIANCES) return(invisible())
  abort_input("{.arg object} has {p} coefficients: their covariance matrix would have {round(8e-9 * p^2, 1)} GB.",
              "object", i = "Use {.fn confint} or {.fn tidy}, which have the standard errors.", call = call)
}

# The covariance matrix of intercept and slopes of step k, on the original scale, or its diagonal alone.
tlcp_rows_posterior_covariance <- function(posterior, k, diagonal) {
  unit <- posterior$y_scale / posterior$x_scale
  if (!any(posterior$sets[, k])) {
    intercept <- tlcp_rows_posterior_empty(posterior)
    return(if (diagonal) c(intercept) else intercept)
  }
  parts <- tlcp_rows_posterior_parts(posterior$rows)
  unit <- unit * posterior$root * sqrt(parts$factor)
  # the intercept is y_scale times the level less the means times the slopes
  across <- -posterior$x_mean
  to_mean <- across * unit
  along <- lapply(parts$groups, function(group) drop(parts$A[, group, drop = FALSE] %*% to_mean[group]))
  against <- tlcp_rows_posterior_times(parts, along) # A'Omega A to_mean
  covariance <- (parts$a * to_mean + against) * unit
  first <- sum(to_mean * (parts$a * to_mean + against)) + posterior$mean_variance * posterior$y_scale^2
  if (posterior$level) {
    level <- parts$with_level * posterior$root * posterior$y_scale / posterior$x_scale * posterior$y_scale
    first <- first + parts$level * posterior$y_scale^2 + 2 * sum(across * level)
    covariance <- covariance + level
  }
  if (diagonal) return(c(first, parts$diagonal * unit^2))
  V <- tlcp_rows_posterior_matrix(parts) * tcrossprod(unit)
  unname(rbind(c(first, covariance), cbind(covariance, V)))
}

# Without features there is the level alone.
tlcp_rows_posterior_empty <- function(posterior) {
  rows <- posterior$rows
  if (!posterior$level) return(matrix(posterior$mean_variance * posterior$y_scale^2))
  known <- tlcp_rows_known(rows$domains, c(rows$borrowing, list(lam = 1 / rows$s2)))
  matrix(posterior$y_scale^2 / known$diagonal[length(known$diagonal)])
}

# groups: of the slopes; A: the rows' slopes in the prior's columns; a: by slope; omega: omega[[g]][[h]] for slopes of
# groups g and h; diagonal: of diag(a) + A'Omega A; factor: by slope, that of tlcp_spread_by_scales(); level and
# with_level: variance of the level and its covariances with the slopes at the estimated borrowing prior.
tlcp_rows_posterior_parts <- function(rows) {
  slopes <- rows$slopes
  stacked <- tlcp_rows_stacked(rows$domains)
  A <- stacked$A * rep(sqrt(rows$borrowing$scales), each = nrow(stacked$A))
  parts <- list(A = A[, slopes, drop = FALSE], groups = Filter(length, list(rows$alone, setdiff(slopes, rows$alone))))
  # a model's row factors of each group, and its alpha and V^-1
  described <- function(model) {
    V <- model$V %||% tlcp_rows_covariance(A, stacked$at, model$common, model$own, rows$s2)
    W <- .Call(C_spd_inverse, V)
    list(W = W, alpha = drop(W %*% stacked$y), by = lapply(parts$groups, function(group) {
      by <- rep(model$common[group[1]], nrow(A))
      by[stacked$at[[1]]] <- by[stacked$at[[1]]] + model$own[group[1], 1]
      by
    }), both = (model$common + model$own[, 1])[slopes])
  }
  estimated <- described(rows$borrowing)
  models <- if (is.null(rows$alone)) tlcp_rows_posterior_distances(rows, parts$A, stacked) else
    tlcp_rows_posterior_unrelated(rows, A, stacked)
  weights <- response_scores_average_weights(vapply(models, `[[`, 0, "log_weight"), least = 1e-4)
  G <- seq_along(parts$groups)
  parts$a <- 0
  parts$omega <- lapply(G, function(g) lapply(G, function(h) matrix(0, nrow(A), nrow(A))))
  for (m in which(weights > 0)) {
    model <- described(if (is.null(models[[m]]$remake)) models[[m]] else models[[m]]$remake())
    away <- lapply(G, function(g) model$by[[g]] * model$alpha - estimated$by[[g]] * estimated$alpha)
    parts$a <- parts$a + weights[m] * model$both
    for (g in G) {
      for (h in G) {
        parts$omega[[g]][[h]] <- parts$omega[[g]][[h]] +
          weights[m] * (tcrossprod(away[[g]], away[[h]]) - model$W * tcrossprod(model$by[[g]], model$by[[h]]))
      }
    }
  }
  parts$factor <- if (all(rows$borrowing$scales == 1)) rep(1, length(slopes)) else
    tlcp_spread_by_scales(tlcp_rows_posterior_of_features(rows), log(rows$borrowing$scales))
  parts$diagonal <- numeric(length(slopes))
  for (g in G) {
    at <- parts$groups[[g]]
    part <- parts$A[, at, drop = FALSE]
    parts$diagonal[at] <- parts$a[at] + colSums(part * (parts$omega[[g]][[g]] %*% part))
  }
  if (ncol(A) > length(slopes)) {
    p <- ncol(A)
    both <- rows$borrowing$common + rows$borrowing$own[, 1]
    F <- tlcp_rows_factor(A, stacked$at[[1]], rows$borrowing$common, both)
    with <- -drop(crossprod(F, estimated$W %*% F[, p]))
    parts$with_level <- with[slopes]
    parts$level <- both[p] + with[p]
  }
  parts
}

# A'Omega of the vectors `along`, one for each group: the sum over the groups, by slope.
tlcp_rows_posterior_times <- function(parts, along) {
  out <- numeric(ncol(parts$A))
  G <- seq_along(parts$groups)
  for (g in G) {
    sum <- Reduce(`+`, lapply(G, function(h) drop(parts$omega[[g]][[h]] %*% along[[h]])))
    at <- parts$groups[[g]]
    out[at] <- drop(crossprod(parts$A[, at, drop = FALSE], sum))
  }
  out
}

tlcp_rows_posterior_matrix <- function(parts) {
  V <- diag(parts$a, ncol(parts$A))
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
  K <- .Call(C_rows_kernel, A, rep(1, ncol(A)))
  level <- if (rows$domains[[1]]$level) unlist(lapply(unname(rows$domains), `[[`, "one"))
  mine <- stacked$at[[1]]
  rest <- diag(rep(rows$s2, lengths(stacked$at)))
  if (!is.null(level)) {
    rest <- rest + rows$borrowing$common[length(slopes) + 1] * tcrossprod(level)
    for (at in stacked$at) rest[at, at] <- rest[at, at] + rows$borrowing$kappa2 * tcrossprod(level[at])
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
  models <- lapply(grid, function(common) lapply(FACTORS, function(factor) {
    others <- log_tau2 - mean(log_tau2) + 2 * log(rows$size * factor)
    log_prior <- log(factor) - log1p(factor^2) + log(common) / 2 - log1p(common / rows$size^2)
    V <- covariance(common, replace(exp(others), 1, 0))
    root <- chol(V[-mine, -mine])
    half <- backsolve(root, cbind(y[-mine], V[-mine, mine, drop = FALSE]), transpose = TRUE)
    log_lik <- -sum(log(diag(root))) - sum(half[, 1]^2) / 2
    across <- half[, -1, drop = FALSE]
    left <- y[mine] - drop(crossprod(across, half[, 1]))
    S <- V[mine, mine] - crossprod(across)
    lapply(OWN_FACTORS, function(own) {
      all <- replace(others, 1, mean(others[-1]) + own)
      root <- chol(S + exp(all[1]) * own_kernel)
      list(
        log_weight = log_lik - sum(log(diag(root))) - sum(backsolve(root, left, transpose = TRUE)^2) / 2 + log_prior -
          sum((all - mean(all))^2) / 32,
        remake = function() list(V = covariance(common, exp(all)), common = rep(common, length(slopes)),
                                 own = matrix(exp(all[1]), length(slopes), 1))
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
    model$log_weight <- -sum(log(diag(root))) - sum(backsolve(root, stacked$y, transpose = TRUE)^2) / 2 -
      log(factor)^2 / (2 * 1.5^2)
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
  slope <- vapply(stacked$at, function(at) drop(crossprod(A[at, , drop = FALSE], alpha[at])), numeric(ncol(A)))
  slope <- matrix(slope, ncol(A))
  Q <- array(0, c(ncol(A), length(each), length(each)))
  for (s in each) {
    for (t in each[each >= s]) {
      i <- stacked$at[[s]]
      j <- stacked$at[[t]]
      Q[, s, t] <- Q[, t, s] <- colSums(A[i, , drop = FALSE] * (W[i, j, drop = FALSE] %*% A[j, , drop = FALSE]))
    }
  }
  own <- borrowing$own
  lapply(rows$slopes, function(i) {
    P <- borrowing$common[i] + diag(own[i, ], length(each))
    C <- P - P %*% matrix(Q[i, , ], length(each)) %*% P
    mean <- drop(P %*% slope[i, ])
    if (is.null(rows$alone)) {
      return(list(mean = mean, C = C, K = tlcp_form_coupling(borrowing$common[i], own[i, ])))
    }
    list(mean = mean[1], C = C[1, 1, drop = FALSE],
         K = if (i %in% rows$alone) matrix(1 / (borrowing$common[i] + own[i, 1])))
  })
}
