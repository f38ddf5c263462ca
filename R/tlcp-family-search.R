# Search and polish in turn: the best subsets of an expansion, each fitted by its true penalised likelihood.

# Searches and polishes in turn. For every size the set with the smallest polished value is kept.
family_search_path <- function(mode, fixed, call) {
  settings <- fixed$settings
  problem_at <- function(quadratics, pen = NULL) {
    tlcp_fit_search_problem(quadratics, family_domains_used(fixed, quadratics), mode$borrowing, settings$support, pen)
  }
  problem <- problem_at(mode$quadratics)
  pen <- problem$borrowing$pen
  polisher <- family_search_polisher(fixed, mode, problem)
  kept <- NULL
  support <- NULL
  for (round in seq_len(FAMILY_SEARCHES)) {
    found <- tlcp_search_sets(problem, settings, call)
    kept <- family_search_merged_sets(kept, found, polisher, pen, settings)
    stable <- !settings$select || identical(support, kept$sets[, kept$best])
    support <- kept$sets[, kept$best]
    if (stable || round == FAMILY_SEARCHES) break
    polished <- family_search_polished_theta(polisher, mode$theta, kept$models[[kept$best]]$theta)
    quadratics <- mode$quadratics
    for (t in polisher$which) {
      quadratics[[t]] <- family_domain_quadratic(fixed, mode$domains[[t]], polished[, t], fit = TRUE)
    }
    problem <- problem_at(quadratics, pen)
  }
  take <- function(name) vapply(kept$models, `[[`, 0, name)
  if (settings$select) found$certificate$agrees <- identical(found$sets[, found$best], support)
  found[c("sets", "best")] <- kept[c("sets", "best")]
  c(problem, found, list(
    mode = mode, polisher = polisher, common = tlcp_common_of_mode(mode, fixed), stable = stable, rounds = round,
    objective = take("value"),
    criterion = take("value") + colSums(kept$sets * pen), log_lik = take("log_lik"),
    trace = take("df"), covariance = lapply(kept$models, `[[`, "covariance"),
    coef = lapply(kept$models, function(model) {
      family_domain_coef(fixed, mode$domains, family_search_polished_theta(polisher, mode$theta, model$theta))
    })
  ))
}

# The best sets of those known from earlier rounds and those found in this one, of every size or, without sizes, the
# empty one and the best of all: list(sets, models, best). kept: such a list, or NULL; found: of tlcp_search_sets().
family_search_merged_sets <- function(kept, found, polisher, pen, settings) {
  sets <- found$sets
  known <- kept$sets
  models <- lapply(seq_len(ncol(sets)), function(k) {
    same <- if (!is.null(known)) which(colSums(known != sets[, k]) == 0)
    if (length(same)) kept$models[[same[1]]] else family_search_polish(polisher, sets[, k])
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
  forced <- length(unique(of[tlcp_search_forced_columns(settings, polisher$columns) == 1]))
  able <- ifelse(size >= forced, criterion, Inf)
  best <- which.min(able)
  take <- if (is.null(found$of_size)) { # the empty model and the best of all
    unique(c(1L, best))
  } else {
    tlcp_search_places_by_size(size, value, best)
  }
  list(sets = sets[, take, drop = FALSE], models = models[take], best = match(best, take))
}

# The mode of the penalised log-likelihood on a set of features, the borrowing prior being fixed: the minimum of
#   F(theta) = -2 sum_t lam_t l_t(theta) + theta'P theta - 2 m'theta + c,
# theta being the coordinates that are searched, followed by the constants; P, m and c are the quadratic form of
# the borrowing prior, without the domains' own likelihoods.

# blocks: the domains searched, each with its rows in the coordinates' columns (Z), the places of
# these in theta (at) and their units (root).
family_search_polisher <- function(fixed, mode, problem) {
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
    slopes <- (seq_len(p) - 1L) * n_domains + if (pooled) 1L else k
    domain$at <- c(slopes, if (constants) p * n_domains + k)
    domain$lam <- borrowing$lam[if (pooled) 1L else k]
    estimates_scaled_domain(domain, root)
  })
  full <- form$full %||% form
  parts <- tlcp_form_scaled_parts(problem$domains, borrowing)
  N <- p * n_domains + constants
  P <- matrix(0, N, N)
  m <- numeric(N)
  searched <- seq_along(full$b)
  P[searched, searched] <- full$A
  m[searched] <- full$b
  for (k in seq_len(n_domains)) {
    mine <- seq(k, by = n_domains, length.out = nrow(parts$g))
    P[mine, mine] <- P[mine, mine] - parts$H[[k]]
    m[mine] <- m[mine] - parts$g[, k]
  }
  alone <- tlcp_prior_without_borrowing(borrowing$borrow)
  polisher <- list(
    family = fixed$family, blocks = blocks, which = which, root = root, P = (P + t(P)) / 2, m = m,
    c = if (alone) borrowing$k * constants else full$c0 - sum(parts$yy[seq_len(n_domains)]),
    p = p, n_domains = n_domains, columns = fixed$columns, alone = alone
  )
  if (alone) {
    polisher$P[] <- 0
    polisher$m[] <- 0
  }
  polisher$start <- family_search_theta(polisher, mode$theta)
  polisher$H <- family_search_curvature(polisher, polisher$start, seq_len(N))$H
  polisher
}

# Where family_search_polish() starts in the coordinates `free`: the mode, given that the others are 0, of the quadratic
# approximation at the mode of all coordinates; 0 where F is smaller there. (Coefficients of nearly collinear columns
# are large in the mode, and of one such column alone small.)
family_search_polisher_start <- function(polisher, free) {
  theta <- numeric(length(polisher$m))
  zero <- theta
  slopes <- polisher$p * polisher$n_domains
  zero[free[free > slopes]] <- polisher$start[free[free > slopes]]
  theta[free] <- polisher$start[free]
  if (length(free) < length(theta)) {
    lost <- polisher$H[free, -free, drop = FALSE] %*% polisher$start[-free]
    theta[free] <- theta[free] + likelihood_least_squares(polisher$H[free, free, drop = FALSE], drop(lost))$coef
  }
  there <- family_search_penalised_at(polisher, theta)$value
  if (is.finite(there) && there <= family_search_penalised_at(polisher, zero)$value) theta else zero
}

family_search_penalised_at <- function(polisher, theta) {
  log_lik <- vapply(polisher$blocks, function(block) {
    estimates_domain_log_lik(polisher$family, block, theta[block$at])
  }, 0)
  lam <- vapply(polisher$blocks, `[[`, 0, "lam")
  value <- -2 * sum(lam * log_lik) + sum(theta * (polisher$P %*% theta)) -
    2 * sum(polisher$m * theta) + polisher$c
  list(value = value, log_lik = log_lik[1])
}

# set: logical, by column. Returns the value of F at its mode, theta, the target's log-likelihood, df (the trace of
# the share of the curvature that comes from the target's rows), and the covariance matrix of the free coordinates of
# the first domain.
family_search_polish <- function(polisher, set) {
  slopes <- polisher$p * polisher$n_domains
  N <- length(polisher$m)
  free <- c(which(rep(set, each = polisher$n_domains)), if (N > slopes) seq(slopes + 1, N))
  theta <- numeric(N)
  if (!length(free)) {
    return(c(family_search_penalised_at(polisher, theta), list(theta = theta, df = 0, covariance = matrix(0, 0, 0))))
  }
  theta <- family_search_polisher_start(polisher, free)
  current <- family_search_penalised_at(polisher, theta)
  for (step in seq_len(FAMILY_STEPS)) {
    curve <- family_search_curvature(polisher, theta, free)
    # the factor is used twice, for the step and, after the last one, for the covariance
    root <- tryCatch(chol(curve$H), error = function(e) {
      chol(curve$H + diag(1e-8 * max(diag(curve$H), 1e-8), length(free)))
    })
    move <- numeric(N)
    move[free] <- backsolve(root, backsolve(root, curve$gradient, transpose = TRUE))
    small <- family_search_polisher_reach(polisher, theta, move) < ROUNDING
    share <- 1
    repeat {
      now <- family_search_penalised_at(polisher, theta + share * move)
      if (small || is.finite(now$value) && now$value <= current$value + 1e-12 * abs(current$value) ||
            share < 1e-8) break
      share <- share / 2
    }
    theta <- theta + share * move
    current <- now
    if (small) break
  }
  if (!is.null(polisher$blocks[[1]]$size)) { # standard errors by the expected information, as MASS::glm.nb() has them
    polisher$blocks <- lapply(polisher$blocks, function(block) c(block, expected = TRUE))
    curve <- family_search_curvature(polisher, theta, free)
    root <- tryCatch(chol(curve$H), error = function(e) root)
  }
  block <- match(polisher$blocks[[1]]$at, free)
  mine <- !is.na(block)
  J <- polisher$blocks[[1]]$lam * curve$first[mine, mine, drop = FALSE]
  covariance <- chol2inv(root)[block[mine], block[mine], drop = FALSE]
  list(value = current$value, log_lik = current$log_lik, theta = theta, df = sum(covariance * J),
       covariance = covariance)
}

# newton_reach() in the coordinates of the polisher.
family_search_polisher_reach <- function(polisher, theta, move) {
  max(vapply(polisher$blocks, function(block) {
    newton_reach(list(block), as.matrix(theta[block$at]), as.matrix(move[block$at]))
  }, 0))
}

# Half the gradient of -F and half the Hessian of F in the coordinates `free`, and the information of the first block.
family_search_curvature <- function(polisher, theta, free) {
  gradient <- polisher$m - drop(polisher$P %*% theta)
  H <- polisher$P
  first <- NULL
  for (block in polisher$blocks) {
    terms <- estimates_domain_terms(polisher$family, block, theta[block$at])
    if (is.null(first)) first <- terms$information
    gradient[block$at] <- gradient[block$at] + block$lam * terms$score
    H[block$at, block$at] <- H[block$at, block$at] + block$lam * terms$information
  }
  list(gradient = gradient[free], H = H[free, free, drop = FALSE], first = first)
}

# theta of all domains (standardised), with the coordinates that were searched as in `theta` of a polished model.
family_search_polished_theta <- function(polisher, all, theta) {
  for (k in seq_along(polisher$blocks)) {
    all[, polisher$which[k]] <- theta[polisher$blocks[[k]]$at] * polisher$root
  }
  all
}

# The inverse of family_search_polished_theta().
family_search_theta <- function(polisher, all) {
  theta <- numeric(length(polisher$m))
  for (k in seq_along(polisher$blocks)) {
    theta[polisher$blocks[[k]]$at] <- all[, polisher$which[k]] / polisher$root
  }
  theta
}
