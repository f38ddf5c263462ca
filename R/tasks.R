# Tasks: the domains of a frame (or of moments) as second moments, each in its own z-scores. What
# tlcp() and dissimilarity() work on; a task is
#   name, n          the domain and its rows
#   x_mean, y_mean   means (0 without an intercept)
#   x_scale, y_scale what the columns and the response were divided by
#   G, g, yy         X'X, X'y, y'y of the scaled and centred rows
#   fit              its least squares, see task_fit()

# The target first, the others in the order of their levels. Scaling: "own" z-scores (columns of
# zeros and ones are only centred), "y" (the response alone, by the target's spread) or "none".
frame_tasks <- function(frame, target, scaling, intercept, call) {
  sums <- frame_sums(frame, NULL, call)
  cells <- lapply(stats::setNames(seq_along(sums$n), sums$labels$domain), one_cell, sums = sums)
  order <- c(target, setdiff(levels(frame$domain), target))
  make_tasks(cells[order], scaling, intercept, call)
}

# Sums of the rows by domain and, unless it is NULL, fold.
frame_sums <- function(frame, fold, call) {
  add_up <- if (is.matrix(frame$x)) sums_of_rows else sums_of_sparse
  columns <- column_labels(frame$blueprint$columns, seq_len(frame$blueprint$p))
  y <- response_matrix(frame$y)[, 1]
  sums <- add_up(frame$x, y, frame$domain, fold, frame$weights, columns, "y", call)
  if (sums$dropped) refuse_missing(frame$x, columns, call)
  refuse_tiny(sums, frame$x, columns, call)
  sums
}

# A column that varies, but whose squares are nothing, as the kernels of the other fitters refuse it.
refuse_tiny <- function(sums, x, columns, call) {
  at <- seq_len(ncol(x))
  most <- Reduce(pmax, lapply(sums$cross, function(cross) diag(cross)[at]))
  for (j in at[!is.na(most) & most < 1e-280]) {
    v <- as.numeric(x[, j])
    v <- v[is.finite(v)]
    if (length(v) && max(abs(v)) <= 1e-140 && min(v) < max(v)) abort_not_finite(columns[j], "x", v, call)
  }
}

moments_tasks <- function(m, target, scaling, intercept, call) {
  cells <- moments_domains(m)
  make_tasks(cells[c(target, setdiff(names(cells), target))], scaling, intercept, call)
}

refuse_missing <- function(x, columns, call) {
  bad <- if (!is.matrix(x)) {
    which(Matrix::colSums(is.na(x)) > 0)
  } else if (anyNA(x)) {
    which(colSums(is.na(x)) > 0)
  }
  if (length(bad)) abort_not_finite(columns[bad[1]], "x", as.numeric(x[, bad[1]]), call)
}

# cells: list(n, weight, mean, cross) by domain, the response last.
make_tasks <- function(cells, scaling, intercept, call) {
  cells <- lapply(cells, function(cell) {
    mean <- if (intercept) cell$mean else 0 * cell$mean
    cross <- if (intercept) cell$cross else cell$cross + cell$weight * tcrossprod(cell$mean)
    list(n = cell$n, mean = unname(mean), raw_mean = unname(cell$mean),
         cross = unname(cross) * (cell$n / cell$weight), own = diag(cell$cross) / cell$weight)
  })
  binary <- Reduce(`&`, lapply(cells, zeros_and_ones))
  spread <- lapply(cells, column_spread)
  refuse_constant_y(cells, spread, call)
  Map(function(cell, name) {
    scale <- task_scale(spread[[name]], spread[[1]], binary, scaling)
    standard_task(cell, name, scale, spread[[name]], intercept)
  }, cells, names(cells))
}

# What columns and response are divided by. A column that is constant in a source says nothing
# there; its coefficient is on the target's scale.
task_scale <- function(spread, target, binary, scaling) {
  q <- length(spread)
  x <- seq_len(q - 1)
  own <- ifelse(spread == 0, target, spread)[x]
  own[binary | own == 0] <- 1
  switch(scaling,
    own = c(own, spread[q]),
    y = c(rep(max(sqrt(mean(target[x]^2)), .Machine$double.xmin), q - 1), target[q]),
    none = rep(1, q)
  )
}

refuse_constant_y <- function(cells, spread, call) {
  wrong <- mapply(function(cell, s) cell$n < 2 || s[length(s)] == 0, cells, spread)
  if (any(wrong)) {
    abort_constant_y(names(cells)[wrong], vapply(cells[wrong], `[[`, 0, "n"), call)
  }
}

abort_constant_y <- function(names, n, call) {
  where <- paste0(vapply(names, in_domain, ""), " (", n, ifelse(n == 1, " row)", " rows)"))
  where <- paste(where, collapse = ",")
  abort_input("{.arg y} is constant{where}.", "y",
              i = "Nothing can be fitted to a response that does not vary.",
              call = call)
}

# Without domains all rows are of one that nobody named.
NO_DOMAIN <- "all"
in_domain <- function(name) if (name == NO_DOMAIN) "" else paste0(" in domain \"", name, "\"")

# Standard deviations, exactly 0 where a column is constant to rounding.
column_spread <- function(cell) {
  square <- pmax.int(diag(cell$cross), 0)
  spread <- sqrt(square / max(cell$n - 1, 1))
  spread[spread <= 1e-12 * sqrt(square / cell$n + cell$mean^2)] <- 0
  spread
}

# Columns of zeros and ones are told by their variance, m (1 - m): so moments tell them too.
zeros_and_ones <- function(cell) {
  x <- seq_len(length(cell$mean) - 1)
  m <- cell$raw_mean[x]
  own <- cell$own[x]
  wanted <- m * (1 - m)
  flat <- own <= 1e-20 * m^2
  varied <- !flat & abs(own - wanted) <= 1e-9 * pmax.int(own, wanted)
  varied | flat & (m == 0 | abs(m - 1) <= 1e-12)
}

standard_task <- function(cell, name, scale, spread, intercept) {
  p <- length(cell$mean) - 1
  x <- seq_len(p)
  flat <- spread[x] == 0
  G <- cell$cross[x, x, drop = FALSE] / tcrossprod(scale[x])
  g <- cell$cross[x, p + 1] / (scale[x] * scale[p + 1])
  if (any(flat)) {
    G[flat, ] <- G[, flat] <- 0
    g[flat] <- 0
  }
  task <- list(
    name = name, n = cell$n, x_mean = cell$mean[x], y_mean = cell$mean[p + 1],
    x_scale = scale[x], y_scale = scale[p + 1], G = G, g = g,
    yy = cell$cross[p + 1, p + 1] / scale[p + 1]^2
  )
  task$fit <- task_fit(task, intercept)
  task
}

# Least squares of a task: coef (0 where a column is a combination of those before it), the columns
# kept, residual sum of squares and its degrees of freedom.
task_fit <- function(task, intercept) {
  factor <- factor_columns(task$G)
  kept <- factor$kept
  coef <- numeric(length(task$g))
  if (length(kept)) coef[kept] <- factor_solve(factor$R, task$g[kept] / factor$norm) / factor$norm
  list(
    coef = coef, kept = kept, rss = max(task$yy - sum(coef * task$g), 0),
    df = task$n - length(kept) - intercept * max(task$n_pooled, 1)
  )
}

SINGULAR <- 1e-10 # a column's squared distance from those before it, relative to its square

# Columns of a Gram matrix that are not combinations of those before them (kept), their norms and
# the Cholesky factor R of what is left when they have norm 1.
factor_columns <- function(G) {
  norm <- sqrt(diag(G))
  kept <- which(norm > 0)
  if (!length(kept)) return(list(kept = kept))
  unit <- G[kept, kept, drop = FALSE] / tcrossprod(norm[kept])
  R <- tryCatch(chol.default(unit), error = function(e) NULL)
  if (is.null(R) || min(diag(R))^2 <= SINGULAR) {
    left <- independent_one_by_one(unit)
    kept <- kept[left$kept]
    R <- left$R
  }
  list(kept = kept, norm = norm[kept], R = R)
}

# Left-looking Cholesky that skips a column whose pivot vanishes: the columns kept, their factor.
independent_one_by_one <- function(unit) {
  p <- ncol(unit)
  L <- matrix(0, p, p)
  kept <- integer()
  for (j in seq_len(p)) {
    k <- length(kept)
    row <- if (k) forwardsolve(L[seq_len(k), seq_len(k), drop = FALSE], unit[kept, j])
    pivot <- unit[j, j] - sum(row^2)
    if (pivot <= SINGULAR) next
    L[k + 1, seq_len(k + 1)] <- c(row, sqrt(pivot))
    kept <- c(kept, j)
  }
  at <- seq_along(kept)
  list(kept = kept, R = t(L[at, at, drop = FALSE]))
}

# R'R x = b
factor_solve <- function(R, b) backsolve(R, backsolve(R, b, transpose = TRUE))

# ---- residual variances ----------------------------------------------------------------------

LEAST_DF <- 5 # of residuals that a task's own variance is trusted with, where there are others

# One a task, in the tasks' own units: given, or RSS/(n - rank - 1). A task with too few degrees of
# freedom takes the mean of all by theirs, or, where no task has any, the marginal likelihood of its
# ridge. `from` says which.
residual_variances <- function(tasks, sigma2, call) {
  df <- pmax.int(vapply(tasks, function(t) t$fit$df, 0), 0)
  s2 <- vapply(tasks, function(t) t$fit$rss / max(t$fit$df, 1), 0)
  least <- 1e-10 * vapply(tasks, function(t) t$yy / t$n, 0)
  enough <- df >= if (length(tasks) > 1) LEAST_DF else 1
  from <- ifelse(enough, "own residuals", "all domains")
  if (any(!enough) && any(df > 0)) {
    s2[!enough] <- sum(s2 * df) / sum(df)
  } else if (any(!enough)) {
    s2 <- vapply(tasks, ridge_from_gram, 0)
    from[] <- "marginal likelihood"
  }
  if (!is.null(sigma2)) {
    sigma2 <- in_order_of(sigma2, vapply(tasks, `[[`, "", "name"), "sigma2", call)
    given <- check_sigma2(sigma2, length(tasks), call)
    scale <- vapply(tasks, `[[`, 0, "y_scale")
    at <- seq_along(given)
    s2[at] <- given / scale[at]^2
    from[at] <- "given"
  }
  list(s2 = unname(pmax.int(s2, least)), from = unname(from))
}

check_sigma2 <- function(sigma2, n_tasks, call) {
  good <- is.numeric(sigma2) && length(sigma2) %in% c(1, n_tasks) && all(is.finite(sigma2)) &&
    all(sigma2 > 0)
  if (!good) {
    abort_input("{.arg sigma2} is {.val {sigma2}}.", "sigma2",
                i = paste0("Give the target's residual variance, a positive number",
                           if (n_tasks > 1) ", or those of all {n_tasks} domains, target first",
                           "."), call = call)
  }
  sigma2
}

ridge_from_gram <- function(task) {
  e <- eigen(task$G, symmetric = TRUE)
  r <- which(e$values > SINGULAR * max(e$values[1], 0))
  u2 <- drop(crossprod(e$vectors[, r, drop = FALSE], task$g))^2 / e$values[r]
  ridge_variance(e$values[r], u2, task$yy, task$fit$df + length(task$fit$kept))
}

# Residual variance where there are no degrees of freedom left: y ~ N(0, s2 I + omega2 XX') in m
# dimensions. The likelihood of the noise's share of the variance is often flat or highest at no
# noise at all, so s2 is averaged over it, all shares being equally likely beforehand. d:
# eigenvalues of XX', u2: squares of y in their basis; the directions that X does not reach hold
# the rest of y'y.
ridge_variance <- function(d, u2, yy, m) {
  share <- (seq_len(99) - .5) / 99
  rest <- max(yy - sum(u2), 0)
  at <- vapply(share, function(noise) {
    v <- noise + (1 - noise) * d * m / sum(d)
    total <- (rest / noise + sum(u2 / v)) / m
    outside <- (m - length(d)) * log(noise)
    c(s2 = noise * total, log_lik = -(m * log(total) + sum(log(v)) + outside) / 2)
  }, c(s2 = 0, log_lik = 0))
  weight <- exp(at["log_lik", ] - max(at["log_lik", ]))
  sum(weight * at["s2", ]) / sum(weight)
}
