# GreedyTL written out naively: every candidate of every step is refitted from scratch, every
# leave-one-out residual comes from a true refit. Slow on purpose; base R only.

# Row weights with mean one; "balanced" gives each class half of their sum.
naive_weights <- function(y, weights = NULL, class_weights = "none") {
  n <- length(y)
  w <- if (is.null(weights)) rep(1, n) else weights
  if (class_weights == "balanced") {
    return(n / 2 * w / ave(w, y, FUN = sum))
  }
  n * w / sum(w)
}

# Z = [X, H] centred, scaled and multiplied by sqrt(v), with the numbers needed to go back.
naive_design <- function(X, H, y, v, divisor = length(y), source_scale = "each",
                         standardize = TRUE, intercept = TRUE, balanced = FALSE) {
  n <- length(y)
  Z <- cbind(X, H)
  is_source <- rep(c(FALSE, TRUE), c(NCOL(X) * !is.null(X), NCOL(H) * !is.null(H)))
  center <- if (intercept) colSums(v * Z) / n else rep(0, ncol(Z))
  y_center <- if (intercept) sum(v * y) / n else 0
  centred <- Z - rep(center, each = n)
  scale <- sqrt(colSums(v * centred^2) / divisor)
  varies <- apply(Z, 2, function(z) max(z) > min(z))
  if (!intercept) {
    varies <- colSums(Z != 0) > 0
  }
  if (source_scale == "common") {
    spread <- sqrt(colSums(v * centred^2) / n)
    most <- 1.5 * median(spread[is_source & varies])
    common <- sqrt(mean(pmin(spread[is_source & varies], most)^2))
    scale[is_source] <- common * pmax(1, spread[is_source] / most)
    shared <- ifelse(is_source & varies, common / scale, 0) # of each source in the sources' mean, times their number
  }
  if (!standardize) {
    scale[] <- 1
  }
  scale[!varies] <- 1
  shift <- if (source_scale == "common" && standardize && any(is_source & varies)) {
    drop(centred %*% shared) / sum(is_source & varies)
  }
  list(
    shift = shift, share = if (!is.null(shift)) shared / sum(is_source & varies),
    z = sqrt(v) * centred / rep(scale, each = n), y = sqrt(v) * (y - y_center), v = v,
    raw = Z, raw_y = y, center = center, scale = scale, y_center = y_center, varies = varies,
    is_source = is_source, intercept = intercept, names = colnames(Z),
    midway = balanced && intercept
  )
}

# Ridge of the columns S: coefficients on the standardised scale, RSS and penalised RSS.
naive_ridge <- function(design, S, tau) {
  if (length(S) == 0) {
    rss <- sum(design$y^2)
    return(list(w = numeric(), residuals = design$y, rss = rss, objective = rss))
  }
  A <- design$z[, S, drop = FALSE]
  w <- drop(solve(crossprod(A) + diag(tau[S], length(S)), crossprod(A, design$y)))
  residuals <- drop(design$y - A %*% w)
  rss <- sum(residuals^2)
  list(w = w, residuals = residuals, rss = rss, objective = rss + sum(tau[S] * w^2))
}

# Is column j, less its ridge projection on S, more than rounding error?
naive_independent <- function(design, S, tau, j, eps = 1e-10) {
  z <- design$z[, j]
  if (length(S) == 0) {
    return(sum(z^2) > 0)
  }
  A <- design$z[, S, drop = FALSE]
  left <- z - A %*% solve(crossprod(A) + diag(tau[S], length(S)), crossprod(A, z))
  sum(z * left) > eps * sum(z^2)
}

# The greedy path. Columns of `keep` enter first and have no ridge. `groups` (a code a column): columns
# of one code enter together, those that the others explain left out. `follow` makes the path take the
# columns it names and report how far each was from the best (`shortfall`), and how much was left to
# gain at the end (`left`), both in parts of the first objective: for data where several columns are
# equally good.
naive_path <- function(design, tau, max_steps, tol = 0, keep = NULL, sign = "any",
                       follow = NULL, groups = NULL) {
  n <- length(design$y)
  n_columns <- ncol(design$z)
  tau <- rep(tau, length.out = n_columns)
  tau[keep] <- 0
  groups <- if (is.null(groups)) seq_len(n_columns) else c(groups, max(groups) + seq_len(n_columns - length(groups)))
  forced_units <- unique(groups[keep])
  fit <- naive_ridge(design, integer(), tau)
  states <- list(fit)
  S <- units <- integer()
  sizes <- 0
  gains <- shortfall <- numeric()
  left <- 0
  independent <- function(unit) {
    found <- integer()
    for (j in which(groups == unit & design$varies & is.finite(tau))) {
      if (naive_independent(design, c(S, found), tau, j)) found <- c(found, j)
    }
    found
  }
  while (length(units) < min(max_steps, length(unique(groups)))) {
    allowed <- setdiff(unique(groups[design$varies & is.finite(tau)]), units)
    forced <- length(units) < length(forced_units)
    if (forced) {
      allowed <- forced_units[length(units) + 1]
    } else if (sign == "positive") {
      doubt <- if (is.null(follow)) 0 else -1e-10 * sqrt(states[[1]]$objective)
      aligned <- drop(crossprod(design$z, fit$residuals)) > doubt
      allowed <- Filter(function(unit) any((aligned | !design$is_source)[groups == unit]), allowed)
    }
    members <- lapply(allowed, independent)
    allowed <- allowed[lengths(members) > 0]
    members <- members[lengths(members) > 0]
    if (length(allowed) == 0) break
    gain <- vapply(members, function(columns) {
      fit$objective - naive_ridge(design, c(S, columns), tau)$objective
    }, numeric(1))
    slack <- 1e-10 * max(gain) + 1e-14 * states[[1]]$objective
    winner <- which(gain >= max(gain) - slack)[1]
    if (!is.null(follow)) {
      left <- max(gain) / states[[1]]$objective
      if (length(units) == length(follow)) break
      winner <- match(follow[length(units) + 1], allowed)
      if (is.na(winner)) stop("column may not enter at step ", length(units) + 1)
      shortfall <- c(shortfall, (max(gain) - gain[winner]) / states[[1]]$objective)
    }
    if (!forced && gain[winner] / n < tol) break
    S <- c(S, members[[winner]])
    units <- c(units, allowed[winner])
    sizes <- c(sizes, length(S))
    gains <- c(gains, gain[winner])
    fit <- naive_ridge(design, S, tau)
    states <- c(states, list(fit))
  }
  path <- naive_report(design, S, tau, states, gains, sizes)
  c(path, list(shortfall = shortfall, left = left, kept = length(forced_units), units = units))
}

# Everything a path object says about its steps 0..K, on the original scale; step k has the first
# sizes[k + 1] columns of S.
naive_report <- function(design, S, tau, states, gains, sizes) {
  n <- length(design$y)
  steps <- seq_along(states) - 1
  chosen_at <- function(k) S[seq_len(sizes[k + 1])]
  beta <- vapply(steps, function(k) {
    b <- numeric(ncol(design$z))
    chosen <- chosen_at(k)
    b[chosen] <- states[[k + 1]]$w / design$scale[chosen]
    b
  }, numeric(ncol(design$z)))
  beta <- matrix(beta, ncol = length(steps), dimnames = list(design$names, NULL))
  df <- vapply(steps, function(k) naive_df(design, chosen_at(k), tau), numeric(1))
  loo <- lapply(steps, function(k) naive_loo(design, chosen_at(k), tau))
  list(
    order = S, sizes = sizes, entered = design$names[S[sizes[-length(sizes)] + 1]], beta = beta,
    a0 = design$y_center - colSums(design$center * beta), gain = gains,
    objective = vapply(states, function(s) s$objective, numeric(1)) / n,
    rss = vapply(states, function(s) s$rss, numeric(1)), df = df,
    loo = vapply(loo, function(l) l$mse, numeric(1)),
    loo_accuracy = vapply(loo, function(l) l$accuracy, numeric(1)),
    loo_margin = vapply(loo, function(l) min(abs(l$score)), numeric(1)),
    tau = tau, scale = design$scale, n = n
  )
}

naive_df <- function(design, S, tau) {
  if (length(S) == 0) {
    return(as.numeric(design$intercept))
  }
  A <- design$z[, S, drop = FALSE]
  hat <- A %*% solve(crossprod(A) + diag(tau[S], length(S)), t(A))
  design$intercept + sum(diag(hat))
}

# True refits without row i, given the columns S, their scale and their ridge; the intercept is
# refitted (so it does not matter where the columns are centred). `score` is the
# prediction, with balanced classes measured from halfway between the two class means of the refit.
naive_loo <- function(design, S, tau) {
  n <- length(design$raw_y)
  start <- if (isTRUE(design$shifted)) design$shift else 0
  y <- design$raw_y - start
  zs <- design$raw[, S, drop = FALSE] - rep(design$center[S], each = n)
  zs <- zs / rep(design$scale[S], each = n)
  D <- if (design$intercept) cbind(1, zs) else zs
  penalty <- c(if (design$intercept) 0, tau[S])
  raw <- design$raw_y
  prediction <- score <- numeric(n)
  for (i in seq_len(n)) {
    keep <- setdiff(seq_len(n), i)
    f <- numeric(n)
    if (ncol(D) > 0) {
      Di <- D[keep, , drop = FALSE]
      gram <- crossprod(Di, design$v[keep] * Di) + diag(penalty, length(penalty))
      f <- drop(D %*% solve(gram, crossprod(Di, design$v[keep] * y[keep])))
    }
    f <- f + start
    prediction[i] <- f[i]
    class_mean <- c(mean(f[keep][raw[keep] > 0]), mean(f[keep][raw[keep] < 0]))
    score[i] <- f[i] - if (design$midway) mean(class_mean) else 0
  }
  list(
    prediction = prediction, residual = raw - prediction, score = score,
    mse = sum(design$v * (raw - prediction)^2) / n,
    accuracy = sum(design$v * (score * raw > 0)) / n
  )
}

# Rule "paper": equation (2), tau = n lambda.
naive_greedy_paper <- function(Z, y, tau = 1, max_steps = 20, tol = 1e-4, keep = NULL,
                               weights = NULL, intercept = TRUE, standardize = TRUE, H = NULL,
                               follow = NULL, groups = NULL) {
  v <- naive_weights(y, weights)
  design <- naive_design(Z, H, y, v,
    divisor = length(y) - 1, intercept = intercept, standardize = standardize
  )
  naive_path(design, tau, max_steps, tol, keep, follow = follow, groups = groups)
}

# Algorithm 1 of the paper as printed (but stopping at k columns, not k + 1), on a centred and
# scaled Z and a centred y.
naive_algorithm_1 <- function(Z, y, k, lambda) {
  m <- nrow(Z)
  U <- seq_len(ncol(Z))
  S <- integer()
  K <- matrix(0, m, m)
  G <- diag(m) / lambda
  update <- function(G, z) G - (G %*% z %*% t(z) %*% G) / drop(1 + t(z) %*% G %*% z)
  while (length(U) > 0 && length(S) < k) {
    score <- vapply(U, function(i) {
      z <- Z[, i]
      drop(t(y) %*% (K + z %*% t(z)) %*% update(G, z) %*% y)
    }, numeric(1))
    best <- U[which.max(score)]
    z <- Z[, best]
    S <- c(S, best)
    U <- setdiff(U, best)
    K <- K + z %*% t(z)
    G <- update(G, z)
  }
  w <- numeric(ncol(Z))
  w[S] <- crossprod(Z[, S, drop = FALSE], G %*% y)
  list(order = S, w = w)
}

# Log marginal likelihood and log prior of every pair (alpha_x, alpha_h) with c = 0 and, with a common scale of the
# sources, c = 1: the response less the sources' mean. The weight of each; infinite
# alpha_h with c = 0 is "no source". Without sources there is no prior. Kept columns are projected out, as the
# intercept is.
naive_evidence <- function(design, no_source = TRUE, keep = NULL) {
  n <- length(design$y)
  grid_x <- 10^seq(-1, 2.5, by = 0.5)
  grid_h <- c(grid_x, 10^c(3, 4), if (no_source) Inf)
  design$start <- if (!is.null(design$shift)) sqrt(design$v) * design$shift
  features <- design$z[, design$varies & !design$is_source, drop = FALSE]
  hypotheses <- design$z[, design$varies & design$is_source, drop = FALSE]
  Kx <- if (ncol(features) > 0) tcrossprod(features) / ncol(features) else matrix(0, n, n)
  Kh <- if (ncol(hypotheses) > 0) tcrossprod(hypotheses) / ncol(hypotheses) else matrix(0, n, n)
  design$df <- n - design$intercept
  if (length(keep)) {
    kept <- qr(design$z[, keep, drop = FALSE])
    away <- diag(n) - tcrossprod(qr.Q(kept)[, seq_len(kept$rank), drop = FALSE])
    Kx <- away %*% Kx %*% away
    Kh <- away %*% Kh %*% away
    design$y <- drop(away %*% design$y)
    design$start <- if (!is.null(design$shift)) drop(away %*% (sqrt(design$v) * design$shift))
    design$df <- design$df - kept$rank
  }
  pairs <- expand.grid(
    h = if (ncol(hypotheses) > 0) grid_h else NA, x = if (ncol(features) > 0) grid_x else NA,
    c = if (is.null(design$start)) 0 else 0:1
  )
  pairs$criterion <- mapply(function(ax, ah, c) {
    naive_evidence_at(design, Kx, Kh, ax, ah, c)
  }, pairs$x, pairs$h, pairs$c)
  relative <- exp(pairs$criterion - max(pairs$criterion))
  kept <- ifelse(relative < .1, 0, relative)
  pairs$weight <- kept / sum(kept)
  without <- is.infinite(pairs$h) & pairs$c == 0
  likelier <- without == (sum(pairs$weight[without]) > .5)
  first <- seq_len(nrow(pairs)) == which.max(ifelse(likelier & pairs$c == 0, pairs$criterion, -Inf))
  pairs <- pairs[order(!first, !likelier, -pairs$weight, seq_len(nrow(pairs))), ]
  list(grid = pairs, Kx = Kx, Kh = Kh, design = design)
}

naive_evidence_at <- function(design, Kx, Kh, ax, ah, c = 0) {
  n <- length(design$y)
  M <- diag(n)
  if (!is.na(ax)) M <- M + Kx / ax
  if (!is.na(ah)) M <- M + Kh / ah
  left <- if (c == 1) design$y - design$start else design$y
  quadratic <- max(sum(left * solve(M, left)), 1e-20 * sum(design$y^2))
  free <- design$df
  fit <- as.numeric(-free / 2 * log(quadratic) - determinant(M)$modulus / 2)
  if (is.na(ah)) return(fit)
  prior_x <- if (is.na(ax)) 0 else log(ax / 10)^2 / 8
  prior_h <- if (ah < 1) log(ah)^2 / (2 * 0.75^2) else 0
  fit - prior_x - prior_h + if (c == 1) log(3) else if (is.infinite(ah)) log(30) else 0
}

# The pairs of ridges of a fit, those of the likelier side (with sources, without) first: all that are kept or, with
# average = FALSE, the posterior means of 1/alpha.
naive_ridges <- function(design, average, no_source = TRUE, keep = NULL) {
  evidence <- naive_evidence(design, no_source, keep)
  grid <- evidence$grid
  if (average) return(grid[grid$weight > 0 | seq_len(nrow(grid)) == 1, ])
  grid <- grid[grid$c == 0, ]
  weight <- exp(grid$criterion - max(grid$criterion))
  weight <- weight / sum(weight)
  x <- 1 / sum(weight / grid$x)
  h <- 1 / sum(weight / grid$h)
  data.frame(h = h, x = x, c = 0, weight = 1,
             criterion = naive_evidence_at(evidence$design, evidence$Kx, evidence$Kh, x, h))
}

# Rule "transfer", with the two ridges in units of the numbers of varying columns: the path of the
# first pair, and the weighted mean of the means of all paths.
naive_greedy_transfer <- function(X, H, y, weights = NULL, ridge = "evidence", lambda = NULL,
                                  max_steps = 20, tol = 0, keep = NULL, average = TRUE,
                                  class_weights = NULL, source_scale = "common",
                                  source_sign = "any", standardize = TRUE,
                                  intercept = TRUE, follow = NULL, groups = NULL) {
  if (is.null(class_weights)) {
    class_weights <- if (all(y %in% c(-1, 1))) "balanced" else "none"
  }
  v <- naive_weights(y, weights, class_weights)
  design <- naive_design(X, H, y, v,
    source_scale = if (is.null(H)) "each" else source_scale,
    standardize = standardize, intercept = intercept, balanced = class_weights == "balanced"
  )
  counts <- c(sum(design$varies & !design$is_source), sum(design$varies & design$is_source))
  if (!is.null(lambda)) {
    pairs <- data.frame(x = NA, h = NA, c = 0, weight = 1, criterion = NA)
    taus <- list(rep(length(y) * lambda, ncol(design$z)))
  } else {
    pairs <- if (identical(ridge, "evidence")) {
      naive_ridges(design, average, !any(design$is_source[keep]), keep)
    } else {
      data.frame(x = ridge[1], h = ridge[2], c = 0, weight = 1, criterion = NA)
    }
    taus <- Map(function(x, h) (c(x, h) * counts)[design$is_source + 1], pairs$x, pairs$h)
  }
  started <- lapply(pairs$c, function(c) if (c == 1) naive_shifted(design) else design)
  paths <- Map(function(design, tau) {
    path <- naive_path(design, tau, max_steps, tol, keep, source_sign, follow, groups)
    if (isTRUE(design$shifted)) path$beta <- path$beta + design$share
    if (isTRUE(design$shifted)) path$a0 <- path$a0 - sum(design$share * design$center)
    path
  }, started, taus)
  path <- paths[[1]]
  mean_of <- function(f) Reduce(`+`, Map(function(p, w) w * f(p), paths, pairs$weight))
  path$average <- mean_of(function(p) rowMeans(p$beta[, naive_active(p), drop = FALSE]))
  path$average_a0 <- mean_of(function(p) mean(p$a0[naive_active(p)]))
  path$average_df <- mean_of(function(p) mean(p$df[naive_active(p)]))
  path$average_loo <- naive_average_loo(started, paths, taus, pairs$weight)
  path$ridge <- c(pairs$x[1], pairs$h[1])
  path$pairs <- pairs
  path$criterion <- pairs$criterion[1]
  path
}

# The design with the response less the sources' mean.
naive_shifted <- function(design) {
  design$y <- design$y - sqrt(design$v) * design$shift
  design$shifted <- TRUE
  design
}

# The steps of a path that its mean is over: those with more than what is kept, else the last.
naive_active <- function(path) {
  last <- ncol(path$beta)
  if (last > path$kept + 1) seq(path$kept + 2, last) else last
}

# Leave-one-out of the mean over steps and paths, by true refits of every step given its columns. designs: one, or one
# a path.
naive_average_loo <- function(designs, paths, taus, weight) {
  if (!is.null(designs$z)) designs <- rep(list(designs), length(paths))
  design <- designs[[1]]
  parts <- Map(function(design, p, tau, w) {
    tau[p$order] <- p$tau[p$order]
    refits <- lapply(naive_active(p), function(k) naive_loo(design, p$order[seq_len(p$sizes[k])], tau))
    part <- function(what) w * Reduce(`+`, lapply(refits, `[[`, what)) / length(refits)
    cbind(residual = part("residual"), score = part("score"))
  }, designs, paths, taus, weight)
  total <- Reduce(`+`, parts)
  n <- nrow(total)
  list(mse = sum(design$v * total[, "residual"]^2) / n, score = total[, "score"], residual = total[, "residual"],
       accuracy = sum(design$v * (total[, "score"] * design$raw_y > 0)) / n)
}
