# The path of tlcp() where the response has a likelihood of its own. Every domain's log-likelihood, to second order at
# its present coefficients, is a quadratic with residual variance 1, like the second moments of a numeric response. The
# steps are
#   1. expand all domains, estimate the borrowing prior, move to the posterior means by Newton's
#      steps on the true penalised log-likelihood, until convergence;
#   2. search the best subsets of the quadratic approximation;
#   3. polish the best of every size on the true penalised log-likelihood of the domains searched;
#   4. expand at the best, search again, until its support repeats.

FAMILY_TOL <- 1e-8 # of linear predictors between two estimates of the borrowing prior, see newton_reach()
FAMILY_ROUNDS <- 30
FAMILY_SEARCHES <- 5

# parts: the rows by domain, target first (likelihood.R); cells: sums of the features as they are (the
# response all zeros), which say scales.
family_path <- function(parts, cells, settings, call) {
  fixed <- family_fixed(parts, cells, settings, call)
  modes <- list()
  for (units in units_in_question(settings$units, fixed$spreads)) {
    modes[[units]] <- borrowed_mode(fixed, units, call, near = if (length(modes)) modes[[1]])
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
    sums = sums
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

# ---- quadratics --------------------------------------------------------------------------------

# Scales of the features in a domain; those of the target for a domain whose standard deviations are unknown.
family_scale <- function(fixed, units, name) {
  settings <- fixed$settings
  scaling <- if (is_hierarchical(settings) && settings$standardize) units_scaling(units) else settings_scaling(settings)
  at <- match(name, names(fixed$sums$cells), nomatch = 1L)
  domain_scales(fixed$sums, scaling)[seq_len(settings$p), at]
}

# Domains with their rows in standardised columns, Z, the constant last. A domain without rows has its quadratic in
# these columns, J and g.
family_domains <- function(fixed, units) {
  rows <- lapply(fixed$parts, function(part) {
    scale <- family_scale(fixed, units, part$name)
    Z <- part$x / rep(scale[fixed$columns], each = nrow(part$x))
    if (fixed$intercept) Z <- cbind(Z, 1)
    part$x <- NULL
    c(part, list(Z = unname(Z), x_scale = scale, add = part$offset + fixed$null))
  })
  sites <- lapply(fixed$sites, function(site) {
    scale <- family_scale(fixed, units, site$name)
    shift <- fixed$parts[[1]]$shift
    part <- site_quadratic(site, fixed$columns, x_scale = scale, shift = shift, constant = fixed$intercept,
                           null = fixed$null)
    list(name = site$name, n = site$n, shift = shift, x_scale = scale, J = part$J, g = part$g,
         peak = quadratic_peak(part$J, part$g), varies = site_varies(site))
  })
  unname(c(rows, sites))
}

# The log-likelihoods to second order at theta, in the form of tlcp-domain-moments.R, and what is needed to find the
# constant of each domain.
family_quadratic <- function(fixed, domain, theta, fit = FALSE) {
  terms <- domain_terms(fixed$family, domain, theta)
  G <- terms$information
  g <- terms$score + drop(G %*% theta)
  # so that the quadratic is -2 log-likelihood at theta
  yy <- 0
  if (fit) {
    yy <- sum(theta * (G %*% theta)) + 2 * sum(theta * terms$score) -
      2 * domain_log_lik(fixed$family, domain, theta)
  }
  at <- length(g)
  own <- NULL
  if (fixed$intercept && !fixed$level) {
    information <- if (G[at, at] > 0) G[at, at] else Inf # of the constant; a domain without rows may have none
    own <- list(row = G[at, -at] / information, mean = g[at] / information)
    yy <- yy - g[at] * own$mean
    g <- g[-at] - G[-at, at] * own$mean
    G <- G[-at, -at, drop = FALSE] - tcrossprod(G[-at, at]) / information
  }
  quadratic <- list(
    name = domain$name, n = if (fixed$level) G[at, at] else domain$n, x_mean = domain$shift,
    y_mean = fixed$null, x_scale = domain$x_scale, y_scale = 1, G = G, g = g, yy = yy,
    varies = domain$varies[fixed$columns], level = fixed$level, own = own
  )
  if (fit) quadratic$fit <- domain_fit(quadratic, fixed$intercept)
  quadratic
}

family_quadratics <- function(fixed, domains, theta, fit = FALSE) {
  lapply(seq_along(domains), function(t) family_quadratic(fixed, domains[[t]], theta[, t], fit))
}

# theta for coefficients w in the borrowing prior's columns; each domain has the constant of largest likelihood.
family_theta <- function(fixed, quadratics, w, borrowing) {
  z <- w * sqrt(borrowing$scales)
  if (!fixed$intercept || fixed$level) return(z)
  rbind(z, vapply(seq_along(quadratics), function(t) {
    quadratics[[t]]$own$mean - sum(quadratics[[t]]$own$row * z[, t])
  }, 0))
}

# On the original scale: beta (features x domains) and a0.
family_coef <- function(fixed, domains, theta) {
  at <- seq_along(fixed$columns)
  beta <- matrix(0, fixed$settings$p, length(domains))
  a0 <- numeric(length(domains))
  for (t in seq_along(domains)) {
    beta[fixed$columns, t] <- theta[at, t] / domains[[t]]$x_scale[fixed$columns]
    a0[t] <- fixed$null + sum(theta[-at, t]) - sum(beta[, t] * domains[[t]]$shift)
  }
  list(beta = beta, a0 = a0)
}

# theta from coefficients on the original scale: the inverse of family_coef().
theta_of <- function(fixed, domains, coef) {
  at <- fixed$columns
  each <- lapply(seq_along(domains), function(t) {
    domain <- domains[[t]]
    beta <- coef$beta[at, t]
    c(beta * domain$x_scale[at], if (fixed$intercept) coef$a0[t] - fixed$null + sum(beta * domain$shift[at]))
  })
  matrix(unlist(each), ncol = length(domains))
}

# ---- the mode of all domains -----------------------------------------------------------------------

# The borrowing prior and all coefficients, estimated in turn given each other. near: a mode in other units, to start
# from.
borrowed_mode <- function(fixed, units, call, alone = FALSE, near = NULL) {
  settings <- fixed$settings
  domains <- family_domains(fixed, units)
  start <- vapply(domains, function(domain) {
    if (fixed$intercept && is.null(domain$J)) null_level(fixed$family, list(domain)) - fixed$null else 0
  }, 0)
  p <- length(fixed$columns)
  theta <- matrix(0, p + fixed$intercept, length(domains))
  if (fixed$intercept) theta[p + 1, ] <- start
  if (!is.null(near)) theta <- theta_of(fixed, domains, family_coef(fixed, near$domains, near$theta))
  estimated <- identical(settings$borrow, "hierarchical")
  change <- 1
  for (round in seq_len(if (estimated) FAMILY_ROUNDS else 1)) {
    quadratics <- family_quadratics(fixed, domains, theta, fit = TRUE)
    # lr is not known before the mode, see weighed_modes()
    borrowing <- borrowing_of(family_used(fixed, quadratics), settings, call, lr = NA_real_, alone)
    # before the borrowing prior has converged the mode need not be exact
    found <- given_borrowing_mode(fixed, domains, theta, borrowing, call, if (estimated) change / 10 else 0)
    change <- newton_reach(domains, theta, found - theta)
    theta <- found
    if (change < FAMILY_TOL) break
  }
  list(units = units, domains = domains, theta = theta, borrowing = borrowing, rounds = round,
       quadratics = family_quadratics(fixed, domains, theta, fit = TRUE))
}

# The quadratics that the rule fits together, as domains_in_use() has domains; their residual variance is 1.
family_used <- function(fixed, quadratics) {
  rule <- fixed$settings$borrow
  if (identical(rule, "none")) quadratics <- quadratics[1]
  if (identical(rule, "aggregate")) quadratics <- list(added_domains(quadratics))
  n <- length(quadratics)
  list(domains = quadratics, columns = fixed$columns, s2 = rep(1, n), s2_from = rep("known", n))
}

# Newton's method on the penalised log-likelihood of the domains in use; others stay. A step with a reach below
# `enough` is the last. A penalised log-likelihood always has a maximum.
given_borrowing_mode <- function(fixed, domains, theta, borrowing, call, enough = 0) {
  use <- if (borrowing$borrow == "none") 1L else seq_along(domains)
  alone <- without_borrowing(borrowing$borrow)
  at <- penalised_value(fixed, domains, theta, borrowing, use)
  weight <- max(vapply(domains[use], function(domain) max(domain$w, 0), 0))
  for (step in seq_len(FAMILY_STEPS)) {
    quadratics <- family_quadratics(fixed, domains, theta)
    w <- tryCatch(coefficients_of_all(family_used(fixed, quadratics)$domains, borrowing), error = function(e) NULL)
    if (is.null(w) || !all(is.finite(w))) abort_separated(fixed, call)
    if (borrowing$borrow == "aggregate") w <- w[, rep(1, length(quadratics)), drop = FALSE]
    move <- family_theta(fixed, quadratics[use], w, borrowing) - theta[, use]
    reach <- newton_reach(domains[use], theta[, use, drop = FALSE], move)
    share <- 1
    repeat {
      moved <- theta
      moved[, use] <- theta[, use] + share * move
      if (share * reach < ROUNDING) return(moved)
      now <- penalised_value(fixed, domains, moved, borrowing, use)
      if (is.finite(now) && now <= at + 1e-12 * abs(at) || share < 1e-8) break
      share <- share / 2
    }
    idle <- newton_idle(at - now, at, weight)
    theta <- moved
    at <- now
    if (share == 1 && reach < enough || idle && !alone) return(theta)
    if (idle && share * reach > MOVING) break
  }
  if (alone) abort_separated(fixed, call)
  theta
}

# -2 log-likelihood of the domains in use, weighted, and the penalty of their differences.
penalised_value <- function(fixed, domains, theta, borrowing, use) {
  lam <- rep_len(borrowing$lam, length(use))
  loss <- vapply(use, function(t) {
    domain_log_lik(fixed$family, domains[[t]], theta[, t])
  }, 0)
  loss <- -2 * sum(lam * loss)
  if (without_borrowing(borrowing$borrow)) return(loss)
  at <- seq_along(borrowing$scales)
  w <- theta[at, , drop = FALSE] / sqrt(borrowing$scales)
  loss + coupled_squares(w, borrowing)
}

abort_separated <- function(fixed, call) {
  name <- fixed$parts[[1]]$name
  what <- switch(fixed$family,
    binomial = "the classes are separated by the features",
    poisson = "some combination of the features is never there where events are",
    cox = "some combination of the features is largest (or smallest) at every event"
  )
  abort_input("The likelihood has no maximum{in_domain(name)}: {what}.", "family",
              i = "Leave out features ({.arg drop}), or give rows of other domains: with
                   {.code borrow = \"hierarchical\"} coefficients are shrunk and stay finite.",
              call = call)
}

# The modes in own and in common units with their weights by the evidence for sharing, and the mode of the target
# alone where its weight is not 0.
weighed_modes <- function(modes, fixed, call) {
  lr <- vapply(modes, function(mode) sharing_fit(mode$quadratics, mode$borrowing$s2, call)$lr, 0)
  lapply(weighed_alternatives(lr, fixed$spreads, fixed$settings), function(alternative) {
    mode <- modes[[alternative$units]]
    if (alternative$alone) mode <- borrowed_mode(fixed, alternative$units, call, TRUE, near = mode)
    mode$borrowing[names(alternative)] <- alternative
    mode
  })
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
