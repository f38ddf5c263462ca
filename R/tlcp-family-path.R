# The path of tlcp() where the response has a likelihood of its own. Every domain's log-likelihood, to second order at
# its present coefficients, is a quadratic with residual variance 1, like the second moments of a numeric response. The
# steps are
#   1. expand all domains, estimate the borrowing prior, move to the posterior means by Newton's
#      steps on the true penalised log-likelihood, until convergence;
#   2. search the best subsets of the quadratic approximation;
#   3. polish the best of every size on the true penalised log-likelihood of the domains searched;
#   4. expand at the best, search again, until its support repeats.

FAMILY_SEARCHES <- 5

# parts: the rows by domain, target first (likelihood.R); cells: sums of the features as they are (the
# response all zeros), which say scales.
family_path <- function(parts, cells, settings, call) {
  fixed <- family_fixed(parts, cells, settings, call)
  modes <- list()
  for (units in units_in_question(settings$units, fixed$spreads)) {
    modes[[units]] <- borrowed_mode(fixed, units, call, near = if (length(modes)) modes[[1]])
    # the same for all modes, whose likelihoods are compared
    fixed$dispersion <- modes[[1]]$dispersion
    fixed$size <- modes[[1]]$size
  }
  if (is_hierarchical(settings)) modes <- weighed_modes(modes, fixed, call)
  paths <- lapply(unname(modes), searched_path, fixed, call)
  if (length(paths) == 1) paths[[1]] else average_family_paths(paths, fixed)
}

# The first path with the weighted mean of the coefficients of all paths.
average_family_paths <- function(paths, fixed) {
  base <- paths[[1]]
  for (k in seq_along(base$coef)) {
    base$coef[[k]] <- list(beta = average_of(paths, function(path) path$coef[[k]]$beta),
                           a0 = average_of(paths, function(path) path$coef[[k]]$a0))
    theta <- theta_of(fixed, base$mode$domains, base$coef[[k]])
    there <- penalised_at(base$polisher, searched_theta(base$polisher, theta))
    base$objective[k] <- there$value
    base$log_lik[k] <- there$log_lik
  }
  base$trace <- average_of(paths, function(path) path$trace)
  base$criterion <- base$objective + colSums(base$sets * base$borrowing$pen)
  base$averaged <- lapply(paths, path_posterior)
  base$common <- average_common(paths)
  base
}

# All that stays the same from one expansion to the next.
family_fixed <- function(parts, cells, settings, call) {
  family <- settings$family
  sums <- domain_sums(c(cells, site_cells(settings$sites)), TRUE)
  x <- seq_len(settings$p)
  intercept <- settings$intercept && family != "cox"
  spreads <- spread_evidence(sums)
  if (is_hierarchical(settings) && settings$standardize) tell_extreme(spreads, settings)
  level <- is_hierarchical(settings) && intercept && !any_mean_far(sums)
  columns <- family_columns(sums, settings, call)
  everywhere <- sums$centre[x]
  null <- if (intercept) null_level(family, c(parts, site_rows(settings$sites))) else 0
  parts <- Map(function(part, t) {
    part$shift <- if (level) everywhere else if (settings$intercept) sums$mean[x, t] else 0 * x
    rows <- part$x[, columns, drop = FALSE]
    part$x <- as.matrix(rows) - rep(part$shift[columns], each = nrow(rows))
    part$varies <- sums$spread[x, t] > 0
    flat <- !part$varies[columns]
    if (!level) part$x[, flat] <- 0
    part
  }, parts, seq_along(parts))
  list(
    parts = parts, family = family, settings = settings, columns = columns, level = level,
    intercept = intercept, null = if (level) null else 0, spreads = spreads, sites = settings$sites,
    sums = sums, size = settings$theta, dispersion = dispersion_given(parts, settings, call)
  )
}

# The columns that are fitted: as for a numeric response those that vary, without borrowing as many of them as are
# linearly independent.
family_columns <- function(sums, settings, call) {
  scale <- sums$spread
  scale[scale == 0] <- 1
  domains <- .Call(C_domain_moments, sums$cells, scale, sums$spread == 0, NULL, sums$intercept)
  if (identical(settings$borrow, "aggregate")) domains <- list(pooled_domain(domains, settings))
  usable_columns(domains, settings, call)
}

# ---- subsets --------------------------------------------------------------------------------------

# Searches and polishes in turn. For every size the set with the smallest polished value is kept.
searched_path <- function(mode, fixed, call) {
  settings <- fixed$settings
  problem_at <- function(quadratics, pen = NULL) {
    search_problem(quadratics, family_used(fixed, quadratics), mode$borrowing, settings$support, pen)
  }
  problem <- problem_at(mode$quadratics)
  pen <- problem$borrowing$pen
  polisher <- family_polisher(fixed, mode, problem)
  kept <- NULL
  support <- NULL
  for (round in seq_len(FAMILY_SEARCHES)) {
    found <- tlcp_sets(problem, settings, call)
    kept <- merged_sets(kept, found, polisher, pen, settings)
    stable <- !settings$select || identical(support, kept$sets[, kept$best])
    support <- kept$sets[, kept$best]
    if (stable || round == FAMILY_SEARCHES) break
    at <- polished_theta(polisher, mode$theta, kept$models[[kept$best]]$theta)
    quadratics <- mode$quadratics
    for (t in polisher$which) {
      quadratics[[t]] <- family_quadratic(fixed, mode$domains[[t]], at[, t], fit = TRUE)
    }
    problem <- problem_at(quadratics, pen)
  }
  take <- function(name) vapply(kept$models, `[[`, 0, name)
  if (settings$select) found$certificate$agrees <- identical(found$sets[, found$best], support)
  found[c("sets", "best")] <- kept[c("sets", "best")]
  c(problem, found, list(
    mode = mode, polisher = polisher, common = common_of_mode(mode, fixed), stable = stable, rounds = round, objective = take("value"),
    criterion = take("value") + colSums(kept$sets * pen), log_lik = take("log_lik"),
    trace = take("df"), covariance = lapply(kept$models, `[[`, "covariance"),
    coef = lapply(kept$models, function(model) {
      family_coef(fixed, mode$domains, polished_theta(polisher, mode$theta, model$theta))
    })
  ))
}

# The best sets of those known from earlier rounds and those found in this one, of every size or, without sizes, the
# empty one and the best of all: list(sets, models, best). kept: such a list, or NULL; found: of tlcp_sets().
merged_sets <- function(kept, found, polisher, pen, settings) {
  sets <- found$sets
  known <- kept$sets
  models <- lapply(seq_len(ncol(sets)), function(k) {
    same <- if (!is.null(known)) which(colSums(known != sets[, k]) == 0)
    if (length(same)) kept$models[[same[1]]] else polish(polisher, sets[, k])
  })
  if (!settings$select) return(list(sets = sets, models = models, best = found$best))
  if (!is.null(kept)) {
    sets <- cbind(known, sets)
    models <- c(kept$models, models)
  }
  value <- vapply(models, `[[`, 0, "value")
  criterion <- value + colSums(sets * pen)
  of <- settings$groups$of[polisher$columns] %||% seq_along(polisher$columns)
  size <- colSums(sets[!duplicated(of), , drop = FALSE]) # of units, as they were searched
  forced <- length(unique(of[forced_columns(settings, polisher$columns) == 1]))
  able <- ifelse(size >= forced, criterion, Inf)
  best <- which.min(able)
  take <- if (is.null(found$of_size)) { # the empty model and the best of all
    unique(c(1L, best))
  } else {
    vapply(split(seq_along(size), size), function(at) {
      # the step of the best set's size holds the best set, also where penalties differ
      if (best %in% at) best else at[which.min(value[at])]
    }, 0L, USE.NAMES = FALSE)
  }
  list(sets = sets[, take, drop = FALSE], models = models[take], best = match(best, take))
}

# ---- polish --------------------------------------------------------------------------------------

# The mode of the penalised log-likelihood on a set of features, the borrowing prior being fixed: the minimum of
#   F(theta) = -2 sum_t lam_t l_t(theta) + theta'P theta - 2 m'theta + c,
# theta being the coordinates that are searched, followed by the constants; P, m and c are the quadratic form of
# the borrowing prior, without the domains' own likelihoods.

# blocks: the domains searched, each with its rows in the coordinates' columns (Z), the places of
# these in theta (at) and their units (root).
family_polisher <- function(fixed, mode, problem) {
  borrowing <- problem$borrowing
  form <- problem$form
  n_domains <- form$n_domains
  p <- length(fixed$columns)
  pooled <- borrowing$borrow == "aggregate"
  which <- if (pooled) seq_along(mode$domains) else seq_len(n_domains)
  constants <- fixed$intercept * length(which)
  root <- sqrt(borrowing$scales)
  if (fixed$intercept && !fixed$level) root <- c(root, 1)
  blocks <- lapply(seq_along(which), function(k) {
    domain <- mode$domains[[which[k]]]
    at <- (seq_len(p) - 1L) * n_domains + if (pooled) 1L else k
    domain$at <- c(at, if (constants) p * n_domains + k)
    domain$lam <- borrowing$lam[if (pooled) 1L else k]
    scaled_domain(domain, root)
  })
  full <- form$full %||% form
  own <- scaled_parts(problem$domains, borrowing)
  N <- p * n_domains + constants
  P <- matrix(0, N, N)
  m <- numeric(N)
  at <- seq_along(full$b)
  P[at, at] <- full$A
  m[at] <- full$b
  for (k in seq_len(n_domains)) {
    mine <- seq(k, by = n_domains, length.out = nrow(own$g))
    P[mine, mine] <- P[mine, mine] - own$H[[k]]
    m[mine] <- m[mine] - own$g[, k]
  }
  alone <- without_borrowing(borrowing$borrow)
  polisher <- list(
    family = fixed$family, blocks = blocks, which = which, root = root, P = (P + t(P)) / 2, m = m,
    c = if (alone) borrowing$k * constants else full$c0 - sum(own$yy[seq_len(n_domains)]),
    p = p, n_domains = n_domains, columns = fixed$columns, alone = alone
  )
  if (alone) {
    polisher$P[] <- 0
    polisher$m[] <- 0
  }
  polisher$start <- searched_theta(polisher, mode$theta)
  polisher$H <- curvature(polisher, polisher$start, seq_len(N))$H
  polisher
}

# Where polish() starts in the coordinates `free`: the mode, given that the others are 0, of the quadratic approximation
# at the mode of all coordinates; 0 where F is smaller there. (Coefficients of nearly collinear columns are large in the
# mode, and of one such column alone small.)
polisher_start <- function(polisher, free) {
  theta <- numeric(length(polisher$m))
  zero <- theta
  slopes <- polisher$p * polisher$n_domains
  zero[free[free > slopes]] <- polisher$start[free[free > slopes]]
  theta[free] <- polisher$start[free]
  if (length(free) < length(theta)) {
    lost <- polisher$H[free, -free, drop = FALSE] %*% polisher$start[-free]
    theta[free] <- theta[free] + least_squares_by(polisher$H[free, free, drop = FALSE], drop(lost))$coef
  }
  there <- penalised_at(polisher, theta)$value
  if (is.finite(there) && there <= penalised_at(polisher, zero)$value) theta else zero
}

penalised_at <- function(polisher, theta) {
  log_lik <- vapply(polisher$blocks, function(block) {
    domain_log_lik(polisher$family, block, theta[block$at])
  }, 0)
  lam <- vapply(polisher$blocks, `[[`, 0, "lam")
  value <- -2 * sum(lam * log_lik) + sum(theta * (polisher$P %*% theta)) -
    2 * sum(polisher$m * theta) + polisher$c
  list(value = value, log_lik = log_lik[1])
}

# set: logical, by column. Returns the value of F at its mode, theta, the target's log-likelihood, df (the trace of
# the share of the curvature that comes from the target's rows), and the covariance matrix of the free coordinates of
# the first domain.
polish <- function(polisher, set) {
  slopes <- polisher$p * polisher$n_domains
  N <- length(polisher$m)
  free <- c(which(rep(set, each = polisher$n_domains)), if (N > slopes) seq(slopes + 1, N))
  theta <- numeric(N)
  if (!length(free)) {
    return(c(penalised_at(polisher, theta), list(theta = theta, df = 0, covariance = matrix(0, 0, 0))))
  }
  theta <- polisher_start(polisher, free)
  at <- penalised_at(polisher, theta)
  for (step in seq_len(FAMILY_STEPS)) {
    curve <- curvature(polisher, theta, free)
    # the factor is used twice, for the step and, after the last one, for the covariance
    root <- tryCatch(chol(curve$H), error = function(e) {
      chol(curve$H + diag(1e-8 * max(diag(curve$H), 1e-8), length(free)))
    })
    move <- numeric(N)
    move[free] <- backsolve(root, backsolve(root, curve$gradient, transpose = TRUE))
    small <- polisher_reach(polisher, theta, move) < ROUNDING
    share <- 1
    repeat {
      now <- penalised_at(polisher, theta + share * move)
      if (small || is.finite(now$value) && now$value <= at$value + 1e-12 * abs(at$value) ||
            share < 1e-8) break
      share <- share / 2
    }
    theta <- theta + share * move
    at <- now
    if (small) break
  }
  own <- match(polisher$blocks[[1]]$at, free)
  mine <- !is.na(own)
  J <- polisher$blocks[[1]]$lam * curve$first[mine, mine, drop = FALSE]
  covariance <- chol2inv(root)[own[mine], own[mine], drop = FALSE]
  list(value = at$value, log_lik = at$log_lik, theta = theta, df = sum(covariance * J),
       covariance = covariance)
}

# newton_reach() in the coordinates of the polisher.
polisher_reach <- function(polisher, theta, move) {
  max(vapply(polisher$blocks, function(block) {
    newton_reach(list(block), as.matrix(theta[block$at]), as.matrix(move[block$at]))
  }, 0))
}

# Half the gradient of -F and half the Hessian of F in the coordinates `free`, and the information of the first block.
curvature <- function(polisher, theta, free) {
  gradient <- polisher$m - drop(polisher$P %*% theta)
  H <- polisher$P
  first <- NULL
  for (block in polisher$blocks) {
    terms <- domain_terms(polisher$family, block, theta[block$at])
    if (is.null(first)) first <- terms$information
    gradient[block$at] <- gradient[block$at] + block$lam * terms$score
    H[block$at, block$at] <- H[block$at, block$at] + block$lam * terms$information
  }
  list(gradient = gradient[free], H = H[free, free, drop = FALSE], first = first)
}

# theta of all domains (standardised), with the coordinates that were searched as in `theta` of a polished model.
polished_theta <- function(polisher, all, theta) {
  for (k in seq_along(polisher$blocks)) {
    all[, polisher$which[k]] <- theta[polisher$blocks[[k]]$at] * polisher$root
  }
  all
}

# The inverse of polished_theta().
searched_theta <- function(polisher, all) {
  theta <- numeric(length(polisher$m))
  for (k in seq_along(polisher$blocks)) {
    theta[polisher$blocks[[k]]$at] <- all[, polisher$which[k]] / polisher$root
  }
  theta
}
