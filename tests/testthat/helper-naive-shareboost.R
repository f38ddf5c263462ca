# ShareBoost written out naively: every round refits every selected column by Newton's method on
# the whole weight matrix, every candidate of the rules that look ahead is tried. Slow on purpose;
# base R only. The functions sb_*() are its parts.

# ---- the loss ---------------------------------------------------------------------------------

# log sum_c exp(margin 1[c != y] - s_y + s_c), one a row of the m x k scores (equation 3, where
# the margin is 1).
sb_margin_loss <- function(scores, y, margin = 1) {
  own <- cbind(seq_along(y), as.integer(y))
  shifted <- scores + margin * sb_offset(y) - scores[own]
  top <- do.call(pmax, as.data.frame(shifted))
  top + log(rowSums(exp(shifted - top)))
}

# 1[c != y], m x k.
sb_offset <- function(y) 1 - sb_indicator(y)

sb_indicator <- function(y) outer(as.integer(y), seq_len(nlevels(y)), "==") + 0

# rho_c of equation 6.
sb_rho <- function(scores, y, margin = 1) {
  shifted <- scores + margin * sb_offset(y)
  e <- exp(shifted - do.call(pmax, as.data.frame(shifted)))
  e / rowSums(e)
}

# ---- penalties of one column u of W -----------------------------------------------------------

# Section 3.3: |a| and the maximum become (1 / beta) log sum exp, less what that is at 0.
sb_log_cosh <- function(u, beta) {
  abs(u) + (log1p(exp(-2 * beta * abs(u))) - log(2)) / beta
}

sb_penalty <- function(u, penalty, beta) {
  switch(penalty,
    ridge = sum(u^2),
    l1 = sum(sb_log_cosh(u, beta)),
    linf1 = {
      top <- max(abs(u))
      terms <- exp(beta * (u - top)) + exp(beta * (-u - top))
      top + (log(sum(terms)) - log(2 * length(u))) / beta
    }
  )
}

sb_penalty_gradient <- function(u, penalty, beta) {
  switch(penalty,
    ridge = 2 * u, l1 = tanh(beta * u), linf1 = sb_shares(u, beta)$difference
  )
}

sb_penalty_hessian <- function(u, penalty, beta) {
  switch(penalty,
    ridge = diag(2, length(u)),
    l1 = diag(beta * (1 - tanh(beta * u)^2), length(u)),
    linf1 = {
      q <- sb_shares(u, beta)
      beta * (diag(q$sum, length(u)) - tcrossprod(q$difference))
    }
  )
}

# The softmax weights of u and of -u, one of 2 k: their differences and sums.
sb_shares <- function(u, beta) {
  top <- max(abs(u))
  up <- exp(beta * (u - top))
  down <- exp(beta * (-u - top))
  list(difference = (up - down) / sum(up + down), sum = (up + down) / sum(up + down))
}

# ---- the columns ------------------------------------------------------------------------------

# "sd": unit mean square about the mean, divisor m; "max": largest absolute value of the raw
# column one. Columns are centred where there is an intercept, which changes no fit.
sb_columns <- function(x, y, weights = NULL, standardize = "sd", intercept = TRUE) {
  w <- if (is.null(weights)) rep(1, length(y)) else weights
  x <- x[w > 0, , drop = FALSE]
  y <- droplevels(y[w > 0])
  w <- w[w > 0] / sum(w)
  center <- if (intercept) colSums(w * x) else rep(0, ncol(x))
  centred <- x - rep(center, each = nrow(x))
  scale <- switch(standardize,
    sd = sqrt(colSums(w * centred^2)), max = apply(abs(x), 2, max), none = rep(1, ncol(x))
  )
  varies <- apply(x, 2, function(v) if (intercept) max(v) > min(v) else any(v != 0))
  scale[!varies] <- 1
  list(
    z = centred / rep(scale, each = nrow(x)), y = y, w = w, center = center, scale = scale,
    varies = varies, intercept = intercept, names = colnames(x)
  )
}

# ---- the fit of chosen columns ----------------------------------------------------------------

# A problem: the columns A (the constant first, where there is one), of which `free` are without
# penalty. theta is its columns x k.
sb_problem <- function(columns, S, settings) {
  free <- S %in% settings$kept
  A <- columns$z[, S, drop = FALSE]
  if (columns$intercept) A <- cbind(1, A)
  list(
    A = A, y = columns$y, w = columns$w, k = nlevels(columns$y), settings = settings,
    penalised = c(if (columns$intercept) FALSE, !free)
  )
}

sb_objective <- function(problem, theta) {
  s <- problem$settings
  penalties <- apply(theta[problem$penalised, , drop = FALSE], 1, sb_penalty, s$penalty, s$beta)
  sum(problem$w * sb_margin_loss(problem$A %*% theta, problem$y, s$margin)) +
    s$ridge * sum(as.numeric(penalties))
}

sb_gradient <- function(problem, theta) {
  s <- problem$settings
  rho <- sb_rho(problem$A %*% theta, problem$y, s$margin)
  gradient <- crossprod(problem$A, problem$w * (rho - sb_indicator(problem$y)))
  for (j in which(problem$penalised)) {
    gradient[j, ] <- gradient[j, ] + s$ridge * sb_penalty_gradient(theta[j, ], s$penalty, s$beta)
  }
  gradient
}

# Blocks by class: A' diag(w rho_a (1[a = b] - rho_b)) A. Adding the same number to all classes of
# a column without (strict) penalty changes nothing: the sums over classes are held at zero.
sb_hessian <- function(problem, theta) {
  s <- problem$settings
  k <- problem$k
  q <- ncol(problem$A)
  rho <- sb_rho(problem$A %*% theta, problem$y, s$margin)
  hessian <- matrix(0, q * k, q * k)
  block <- function(a) (a - 1) * q + seq_len(q)
  for (a in seq_len(k)) {
    for (b in seq_len(k)) {
      d <- problem$w * rho[, a] * ((a == b) - rho[, b])
      hessian[block(a), block(b)] <- crossprod(problem$A, d * problem$A)
    }
  }
  for (j in seq_len(q)) {
    at <- j + q * (seq_len(k) - 1)
    add <- if (problem$penalised[j] && s$ridge > 0) {
      s$ridge * sb_penalty_hessian(theta[j, ], s$penalty, s$beta)
    } else {
      matrix(1, k, k)
    }
    hessian[at, at] <- hessian[at, at] + add
  }
  hessian
}

# Damped Newton, to a gradient of 1e-13 or as far as rounding lets it. The damping is for the
# smooth l1 penalties, which are all but straight lines away from zero.
sb_refit <- function(problem, theta, most = 500) {
  value <- sb_objective(problem, theta)
  damping <- 0
  for (i in seq_len(most)) {
    gradient <- sb_gradient(problem, theta)
    if (max(0, abs(gradient)) <= 1e-13) break
    hessian <- sb_hessian(problem, theta)
    repeat {
      step <- sb_newton_step(hessian, gradient, damping)
      at <- if (is.null(step)) NaN else sb_objective(problem, theta - step)
      if (is.finite(at) && at <= value + 1e-15 * (1 + abs(value))) break
      damping <- max(1e-10, 10 * damping)
      if (damping > 1e8) return(theta)
    }
    theta <- theta - step
    value <- at
    damping <- if (damping > 1e-10) damping / 10 else 0
  }
  theta
}

sb_newton_step <- function(hessian, gradient, damping) {
  diag(hessian) <- diag(hessian) + damping
  step <- tryCatch(solve(hessian, as.vector(gradient)), error = function(e) NULL)
  if (!is.null(step)) matrix(step, nrow(gradient))
}

# ---- the rules --------------------------------------------------------------------------------

# What the rule maximises, one number a column; `state` is the fit of the columns S.
sb_criteria <- function(columns, S, theta, problem, rule) {
  rho <- sb_rho(problem$A %*% theta, columns$y, problem$settings$margin)
  R <- rho - sb_indicator(columns$y)
  gradient <- crossprod(columns$z, columns$w * R)
  norms <- rowSums(abs(gradient))
  candidates <- setdiff(which(columns$varies), S)
  value <- rep(-Inf, ncol(columns$z))
  value[candidates] <- switch(rule,
    gradient = norms[candidates],
    orthogonal = sb_orthogonal(columns, S, rho, problem, norms)[candidates]
  )
  list(value = value, norms = norms)
}

# |g_r|_1 / sqrt(cbar v_r + 2 ridge), v_r what the selected columns leave of the mean square of r;
# for other penalties their second derivative at 0 in place of 2 ridge.
sb_orthogonal <- function(columns, S, rho, problem, norms) {
  s <- problem$settings
  cbar <- sum(columns$w * (1 - rowSums(rho^2))) / (problem$k - 1)
  bend <- s$ridge * sb_penalty_hessian(numeric(problem$k), s$penalty, s$beta)[1, 1]
  left <- columns$z
  if (length(S)) {
    fit <- lm.wfit(columns$z[, S, drop = FALSE], columns$z, columns$w)
    left <- as.matrix(fit$residuals)
  }
  v <- colSums(columns$w * left^2)
  value <- norms / sqrt(cbar * v + bend)
  total <- colSums(columns$w * columns$z^2)
  ifelse(v < 1e-7 * total, -Inf, value)
}

# How far the loss would fall by the rule with columns `new`.
sb_fall <- function(columns, S, theta, problem, rule, new) {
  rho <- sb_rho(problem$A %*% theta, columns$y, problem$settings$margin)
  gradient <- crossprod(columns$z[, new, drop = FALSE], columns$w * (rho - sb_indicator(columns$y)))
  wider <- sb_problem(columns, c(S, new), problem$settings)
  start <- rbind(theta, matrix(0, length(new), ncol(theta)))
  along <- function(u) sb_objective(wider, rbind(theta, u))
  sb_objective(problem, theta) - switch(rule,
    full = sb_objective(wider, sb_refit(wider, start)),
    line = sb_line_minimum(function(alpha) along(-alpha * gradient)),
    column = sb_column_minimum(wider, start, length(new))
  )
}

# The minimum of a convex function of one number, from 0 on.
sb_line_minimum <- function(f) {
  end <- 1
  while (f(2 * end) < f(end) && end < 1e12) end <- 2 * end
  optimize(f, c(0, 2 * end), tol = 1e-10)$objective
}

# The minimum over the last rows of theta alone: BFGS, then Newton.
sb_column_minimum <- function(problem, theta, rows = 1) {
  last <- nrow(theta) - rows + seq_len(rows)
  at <- as.vector(outer(last, nrow(theta) * (seq_len(problem$k) - 1), `+`))
  put <- function(u) replace(theta, at, u)
  value <- function(u) sb_objective(problem, put(u))
  slope <- function(u) as.vector(sb_gradient(problem, put(u))[last, ])
  u <- optim(as.vector(theta[last, ]), value, slope, method = "BFGS", control = list(reltol = 1e-12))$par
  for (i in 1:20) {
    hessian <- sb_hessian(problem, put(u))[at, at]
    step <- drop(sb_newton_step(hessian, matrix(slope(u)), 1e-12))
    if (value(u - step) > value(u)) break
    u <- u - step
  }
  value(u)
}

# ---- the path ---------------------------------------------------------------------------------

# `keep`: columns (or groups) that enter first and have no penalty. `follow` makes the path take the
# columns (or groups) it names and report how far each was from the best, in parts of it: for data where several are
# equally good.
naive_shareboost <- function(x, y, rule = "orthogonal", max_steps = min(50, ncol(x)),
                             ridge = 1e-4, penalty = "ridge", sharpness = 10, groups = NULL,
                             standardize = if (rule == "orthogonal") "sd" else "max",
                             intercept = TRUE, margin = 1, weights = NULL, keep = NULL, follow = NULL) {
  columns <- sb_columns(x, y, weights, standardize, intercept)
  settings <- list(ridge = ridge, penalty = penalty, beta = sharpness, margin = margin)
  groups <- if (is.null(groups)) seq_len(ncol(x)) else as.integer(groups)
  settings$kept <- which(groups %in% keep)
  k <- nlevels(columns$y)
  S <- integer()
  picks <- integer()
  problem <- sb_problem(columns, S, settings)
  theta <- sb_refit(problem, matrix(0, ncol(problem$A), k))
  rounds <- list(sb_round(columns, S, theta, problem))
  shortfall <- numeric()
  norm <- numeric()
  score <- numeric()
  while (length(picks) < max_steps) {
    costly <- rule %in% c("line", "column", "full")
    criteria <- sb_criteria(columns, S, theta, problem, if (costly) "gradient" else rule)
    value <- sb_by_group(criteria$value, groups, picks)
    if (costly) {
      value <- vapply(seq_along(value), function(g) {
        if (value[g] == -Inf) return(-Inf)
        sb_fall(columns, S, theta, problem, rule, which(groups == g & columns$varies))
      }, 0)
    }
    if (all(value == -Inf)) break
    best <- if (length(picks) < length(keep)) keep[length(picks) + 1] else which.max(value)
    if (!is.null(follow)) {
      if (length(picks) == length(follow)) break
      missed <- value[best] - value[follow[length(picks) + 1]]
      shortfall <- c(shortfall, missed / abs(value[best]))
      best <- follow[length(picks) + 1]
    }
    new <- which(groups == best & columns$varies)
    norm <- c(norm, sum(criteria$norms[new]))
    score <- c(score, value[best])
    picks <- c(picks, best)
    S <- c(S, new)
    problem <- sb_problem(columns, S, settings)
    theta <- sb_refit(problem, rbind(theta, matrix(0, length(new), k)))
    rounds <- c(rounds, list(sb_round(columns, S, theta, problem)))
  }
  naive_shareboost_report(columns, picks, rounds, norm, score, shortfall)
}

# The sum over the columns of each group that is not in yet; what cannot enter adds nothing.
sb_by_group <- function(value, groups, picks) {
  sums <- vapply(seq_len(max(groups)), function(g) {
    mine <- value[groups == g]
    if (any(is.finite(mine))) sum(mine[is.finite(mine)]) else -Inf
  }, 0)
  sums[picks] <- -Inf
  sums
}

sb_round <- function(columns, S, theta, problem) {
  scores <- problem$A %*% theta
  k <- problem$k
  w <- matrix(0, ncol(columns$z), k)
  w[S, ] <- theta[columns$intercept + seq_along(S), ]
  beta <- w / columns$scale
  shift <- colSums(columns$center * beta)
  wrong <- max.col(scores, "first") != as.integer(columns$y)
  list(
    w = w, beta = beta, a0 = (if (columns$intercept) theta[1, ] else 0) - shift, S = S,
    loss = sb_objective(problem, theta), error = sum(columns$w * wrong),
    gradient = max(0, abs(sb_gradient(problem, theta)))
  )
}

naive_shareboost_report <- function(columns, picks, rounds, norm, score, shortfall) {
  part <- function(name) vapply(rounds, `[[`, 0, name)
  list(
    order = picks, rounds = rounds, loss = part("loss"), error = part("error"),
    gradient_end = part("gradient"), norm = norm, score = score, shortfall = shortfall,
    size = vapply(rounds, function(r) length(r$S), 0L), classes = levels(columns$y),
    names = columns$names, scale = columns$scale
  )
}

# ---- derived columns --------------------------------------------------------------------------

# 1[x_i <= theta] for every column i and every theta between two of its values.
naive_stumps <- function(x) {
  one <- lapply(seq_len(ncol(x)), function(i) {
    values <- sort(unique(x[, i]))
    if (length(values) < 2) return(NULL)
    theta <- (values[-1] + values[-length(values)]) / 2
    list(column = rep(i, length(theta)), theta = theta, value = outer(x[, i], theta, "<=") + 0)
  })
  list(
    column = unlist(lapply(one, `[[`, "column")), theta = unlist(lapply(one, `[[`, "theta")),
    x = do.call(cbind, lapply(one, `[[`, "value"))
  )
}

# 1[|x - v| < r] [x, 1] for every centre v (a row of `centers`) and every of its radii (a row of
# `radii`, or the same numbers for all), radii within centres; `groups` numbers the pairs.
naive_pieces <- function(x, centers, radii) {
  if (!is.matrix(radii)) radii <- matrix(radii, nrow(centers), length(radii), byrow = TRUE)
  pairs <- expand.grid(radius = seq_len(ncol(radii)), center = seq_len(nrow(centers)))
  one <- Map(function(j, l) {
    distance <- sqrt(rowSums((x - rep(centers[j, ], each = nrow(x)))^2))
    (distance < radii[j, l]) * cbind(x, 1)
  }, pairs$center, pairs$radius)
  list(
    x = do.call(cbind, one), groups = rep(seq_len(nrow(pairs)), each = ncol(x) + 1),
    center = pairs$center, radius = radii[cbind(pairs$center, pairs$radius)]
  )
}
