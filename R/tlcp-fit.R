# tlcp() from the sums of the domains to the fitted object: units, the borrowing prior, the quadratic
# form, the search, the models of the sets that it found, the object.

# cells: sums by domain, the target first.
tlcp_path <- function(cells, settings, call) {
  sums <- domain_sums(cells, settings$intercept)
  if (is_hierarchical(settings)) {
    paths <- lapply(units_problems(sums, settings, call), path_of, settings, call)
    if (length(paths) == 1) return(paths[[1]])
    return(c(average_paths(paths), list(averaged = lapply(paths, path_posterior))))
  }
  domains <- make_domains(sums, settings_scaling(settings), call)
  path_of(tlcp_problem(domains, domains_in_use(domains, settings, call), settings, call), settings, call)
}

# The problems that are fitted with the hierarchical prior, in own or common units or for the target alone: the
# likeliest one for a search; where all features are kept, every problem whose weight is large enough for the average.
units_problems <- function(sums, settings, call) {
  spreads <- spread_evidence(sums)
  if (settings$standardize) tell_extreme(spreads, settings)
  found <- list()
  for (units in units_in_question(settings$units, spreads)) {
    settings$quiet <- length(found) > 0
    domains <- units_domains(sums, units, settings$standardize, call)
    if (length(settings$sites)) domains <- c(domains, sites_as_domains(settings$sites, domains, settings$intercept))
    used <- domains_in_use(domains, settings, call)
    found[[units]] <- list(domains = domains, used = used,
                           lr = sharing_fit(used$domains, used$s2, call)$lr)
  }
  lr <- vapply(found, `[[`, 0, "lr")
  lapply(weighed_alternatives(lr, spreads, settings), function(alternative) {
    one <- found[[alternative$units]]
    problem <- tlcp_problem(one$domains, one$used, settings, call, one$lr, alternative$alone)
    problem$borrowing[names(alternative)] <- alternative
    problem
  })
}

# used: what domains_in_use() returns; with method "cutoff" its domains may have other coordinates than the features.
tlcp_problem <- function(all_domains, used, settings, call, lr = NULL, alone = FALSE) {
  domain <- used$domains[[1]]
  borrowing <- borrowing_of(used, settings, call, lr, alone)
  if (variance_anew(settings$criterion, borrowing$borrow) && domain$fit$df > 0) {
    borrowing$anew <- likelihood_terms(domain, used$s2[1], borrowing$k, settings, call)
  }
  search_problem(all_domains, used, borrowing, settings$support)
}

# What is searched: the domains in use, the usable columns, the borrowing prior and its quadratic form. pen: NULL, or
# penalties that are given and not estimated. By default they are those of the rule. Where the target's coefficients
# are shrunk, pen_i = k h_i/(2 - h_i), h_i = 1 - [A^-1]_ii / (prior variance of i): the unbiased estimate of the risk
# of keeping feature i against dropping it. h = 1 gives Cp.
search_problem <- function(all_domains, used, borrowing, support, pen = NULL) {
  form <- quadratic_form(used$domains, borrowing, support)
  if (!is.null(pen)) {
    borrowing$pen <- pen
  } else if (borrowing$borrow == "hierarchical" && support == "target") {
    at <- seq_along(form$b)
    h <- 1 - diag(.Call(C_spd_inverse, form$A)) / (borrowing$common + borrowing$own[, 1])[at]
    h <- pmin(pmax(h, 1e-6), 1)
    borrowing$pen <- borrowing$k * h / (2 - h)
  }
  list(all_domains = all_domains, domains = used$domains, columns = used$columns, borrowing = borrowing, form = form)
}

path_of <- function(problem, settings, call) {
  found <- tlcp_sets(problem, settings, call)
  own <- domain_columns(problem$all_domains[[1]], problem$columns, settings$intercept)
  models <- set_models(found$sets, problem, own, call)
  z <- exact_coefficients(problem, models$w)
  if (problem$borrowing$borrow == "aggregate") z <- shared_by_all(z, problem$all_domains)
  near <- if (!is.null(settings$within)) tlcp_within_sets(problem, found$certificate, settings, call)
  c(problem, found, list(
    own_domain = own, z = z, near = near, objective = problem$form$c0 - colSums(models$w * problem$form$b), trace = models$df,
    intercept_df = models$level %||% settings$intercept, own = own_rss(own, z[[1]]),
    common = common_of_moments(problem)
  ))
}

# path: all_domains and those in use (domains), usable columns, their borrowing prior; sets (logical,
# columns x steps, the empty one first), `best` among them, z (coefficients by domain, columns x sets,
# in z-scores), objective, own (the target's residual sum of squares) and trace of each;
# certificates.
tlcp_object <- function(path, frame, target, settings) {
  models <- domain_models(path, settings)
  fitted <- if (nrow(frame$x)) score_rows_at(frame$x, models[[1]], path$best)
  if (!is.null(fitted) && !is.null(frame$domain)) fitted <- fitted[of_domain(frame, target)]
  frame$x <- frame$x[, 0L, drop = FALSE] # which would be copied
  mine <- target_rows(frame, target)
  log_weights <- log_weights(mine)
  path$constant <- if (is.null(path$borrowing$anew)) 0 else likelihood_constant(path, settings, log_weights)
  fit <- new_tlcp(
    path, models, tlcp_steps(path, settings), mine, target, settings,
    nobs = as.integer(path$all_domains[[1]]$n), fitted = if (!is.null(fitted)) fitted + mine$offset %||% 0,
    residuals = if (!is.null(fitted)) first_response(mine$y) - fitted, log_weights = log_weights,
    certificate = if (!is.null(path$certificate)) certificate(path$certificate, path$constant, path$objective[1]),
    elsewhere = if (inherits(frame$na.action, "exclude")) rows_elsewhere(frame, target)
  )
  if (is.null(path$near)) fit else tlcp_within_added(fit, path, settings)
}

# ---- the search ---------------------------------------------------------------------------------

# The sets of the path (logical, columns x steps, the empty one first), the place of the best, and
# the certificates.
tlcp_sets <- function(problem, settings, call) {
  p <- length(problem$columns)
  pen <- problem$borrowing$pen
  anew <- problem$borrowing$anew
  force <- forced_columns(settings, problem$columns)
  if (!settings$select) {
    return(list(sets = unname(cbind(FALSE, force >= 0)), best = 2L, certificate = NULL, of_size = NULL))
  }
  units <- if (is.null(settings$groups)) {
    list(form = problem$form, pen = pen, force = force, columns = rep(1L, p), of = seq_len(p))
  } else {
    search_units(problem$form, pen, force, problem$columns, settings)
  }
  search <- if (is.null(anew)) {
    run_subset(units, units$pen, settings, call)
  } else {
    likelihood_search(units, anew, settings, run_subset, call)
  }
  early <- search$stopped != "complete"
  if (early) warn_early(search, "The search", call)
  found <- list(sets = NULL, best = 1L, certificate = search, of_size = NULL)
  if (!(settings$sizes %||% (p <= 30)) || search$stopped == "interrupt") {
    found$sets <- cbind(logical(p), if (any(search$`in`)) search$`in`[units$of, , drop = FALSE])
    found$best <- ncol(found$sets)
    return(found)
  }
  sizes <- c(max(sum(units$force == 1), 1), sum(units$force >= 0)) # the least and the most
  if (sizes[1] > sizes[2]) {
    found$sets <- cbind(logical(p))
    return(found)
  }
  of_size <- run_subset(units, units$pen, settings, call, as.double(sizes))
  if (!early && any(of_size$stopped != "complete")) warn_early(of_size, "The search of every size", call)
  agreed <- if (is.null(anew)) {
    best_of_both(search, of_size, units$pen)
  } else {
    likelihood_of_both(search, of_size, sizes[1]:sizes[2], anew, units)
  }
  chosen <- sum(agreed$search$`in`)
  sets <- agreed$of_size$`in`
  list(sets = cbind(FALSE, if (is.null(settings$groups)) sets else sets[units$of, , drop = FALSE]),
       best = if (chosen < sizes[1]) 1L else as.integer(chosen - sizes[1] + 2), certificate = agreed$search,
       of_size = agreed$of_size)
}

# For each size the better result of two searches: a search that stopped early may have missed a set that the other
# has found.
best_of_both <- function(search, of_size, pen) {
  whole <- search$stopped == "complete"
  if (!whole) {
    worth <- of_size$value + colSums(of_size$`in` * pen)
    at <- which.min(worth)
    if (worth[at] < search$value) {
      search$`in` <- of_size$`in`[, at, drop = FALSE]
      search$value <- worth[at]
    }
  }
  chosen <- search$`in`[, 1]
  same <- which(colSums(of_size$`in`) == sum(chosen))
  own_pen <- sum(pen[chosen])
  value <- search$value - own_pen
  if (length(same) && (whole || value <= of_size$value[same])) {
    of_size$`in`[, same] <- chosen
    of_size$value[same] <- max(value, of_size$bound[same])
    # another set of this size may have a smaller objective and a larger penalty, so the bound of the chosen set is
    # the bound on the criterion
    of_size$bound[same] <- min(max(of_size$bound[same], search$bound - own_pen), of_size$value[same])
    if (whole) of_size$stopped[same] <- "complete"
  }
  list(search = search, of_size = of_size)
}

# units: `form` and `force` of what is searched. `stopped` of the result names what ended each search. An interrupt also
# ends the caller's loop, unless options(transelect.keep_interrupted = TRUE) keeps the best sets found.
run_subset <- function(units, pen, settings, call, sizes = NULL) {
  out <- with_progress_of("Exact search, of its time limit", {
    .Call(C_subset, units$form, pen, units$force, sizes, FALSE, settings)
  })
  if (out$status != 0) abort_collinear(call)
  if (any(out$stopped == "interrupt") && !isTRUE(getOption("transelect.keep_interrupted"))) rlang::interrupt()
  out
}

forced_columns <- function(settings, columns) {
  force <- integer(length(columns))
  if (length(settings$keep)) force[columns %in% settings$keep] <- 1L
  if (length(settings$drop)) force[columns %in% settings$drop] <- -1L
  force
}

# ---- models of the sets --------------------------------------------------------------------------------

# w: the coefficients of sets, coordinates x sets, zero outside them. df: the trace of the matrix that maps
# the target's response to its fitted values (`own` has the Gram matrix); the size if nothing is borrowed.
# level: the trace that a borrowed level adds.
set_models <- function(sets, problem, own, call) {
  borrowing <- problem$borrowing
  form <- problem$form
  share <- if (borrowing$borrow != "none") {
    target_share(own$G * (tcrossprod(sqrt(borrowing$scales)) * borrowing$lam[1]), form$n_domains)
  }
  level <- if (!is.null(form$full)) level_share(form, share)
  out <- .Call(C_subset_models, form, sets, if (is.null(level)) share else level$share)
  if (out$status != 0) abort_collinear(call)
  if (is.null(share)) out$df <- colSums(sets)
  out$level <- level$df
  out
}

# `share` of the target's coordinates, put among the coordinates of all domains.
target_share <- function(share, n_domains) {
  if (n_domains == 1) return(share)
  N <- nrow(share) * n_domains
  at <- seq(1, N, by = n_domains)
  all <- matrix(0, N, N)
  all[at, at] <- share
  all
}

# tr(A^-1 J), J the target's share of the coordinates and levels, with the levels eliminated: the share of the features'
# form, and the rest.
level_share <- function(form, J) {
  at <- seq_len(length(form$b))
  A <- form$full$A
  u <- t(.Call(C_spd_solve, A[-at, -at, drop = FALSE], A[-at, at, drop = FALSE]))
  cross <- tcrossprod(J[at, -at, drop = FALSE], u)
  list(share = J[at, at] - cross - t(cross) + u %*% tcrossprod(J[-at, -at, drop = FALSE], u),
       df = sum(diag(.Call(C_spd_solve, A[-at, -at, drop = FALSE], J[-at, -at, drop = FALSE]))))
}

# Coefficients of every domain in use. The coordinates that were searched differ from step to step; a domain of which
# no coordinate was searched keeps all its features.
exact_coefficients <- function(problem, w) {
  n_domains <- problem$form$n_domains
  root <- sqrt(problem$borrowing$scales)
  full <- problem$form$full
  if (!is.null(full)) { # with the levels that go with the features' coefficients
    at <- seq_len(nrow(w))
    w <- rbind(w, .Call(C_spd_solve, full$A[-at, -at, drop = FALSE], full$b[-at] - full$A[-at, at, drop = FALSE] %*% w))
  }
  rest <- if (n_domains < length(problem$domains)) {
    (full %||% problem$form)$coef %||% coefficients_of_all(problem$domains, problem$borrowing)
  }
  out <- list()
  for (t in seq_along(problem$domains)) {
    out[[t]] <- if (t > n_domains) matrix(rest[, t] * root, length(root), ncol(w)) else {
      w[seq.int(t, by = n_domains, length.out = length(root)), , drop = FALSE] * root
    }
  }
  names(out) <- domain_names(problem$domains)
  out
}

# Pooled rows (`aggregate`) have one vector of coefficients, in each domain's z-scores.
shared_by_all <- function(z, all_domains) stats::setNames(rep(z[1], length(all_domains)), domain_names(all_domains))

# ---- on the original scale --------------------------------------------------------------------------

# beta (features x steps) and a0 of each of `all_domains`. `path$z` has the coefficients of the domains in use, usable
# columns x steps in z-scores; the other domains keep their own least squares (which method "cutoff" has made).
domain_models <- function(path, settings) {
  names <- domain_names(path$all_domains)
  steps <- ncol(path$sets)
  lapply(stats::setNames(path$all_domains, names), function(domain) {
    w <- path$z[[domain$name]] %||%
      matrix((if (is.null(domain$G)) domain else domain_columns(domain, path$columns, settings$intercept))$fit$coef,
             length(path$columns), steps)
    raw <- raw_coefficients(w, path$columns, domain)
    list(beta = as_sparse(raw$beta, settings$columns, path$columns, length(domain$x_scale)), a0 = raw$a0)
  })
}

# ---- the object ---------------------------------------------------------------------------------------

# The object of a path with the models of its domains, target first, and the table of its steps. mine: the frame of the
# target. `...`: components that only numeric responses, or only likelihoods, have.
new_tlcp <- function(path, models, steps, mine, target, settings, ...) {
  labels <- all_labels(settings)
  named <- function(x, names = labels) {
    if (!is.null(x)) names(x) <- names
    x
  }
  own <- path$all_domains[[1]]
  features <- labels[path$columns]
  who <- domain_names(path$domains)
  s <- path$borrowing
  fit <- new_path(
    "tlcp", labels = c(title = "Best subset"), beta = models[[1]]$beta, a0 = models[[1]]$a0,
    common = common_model(path, settings),
    points = quick_frame(steps[c("step", "lambda")]), steps = steps, best = path$best - 1L, lambda = NA_real_,
    family = frame_family(mine), classes = levels(mine$y), method = settings$method,
    center = named(own$x_mean), scale = named(own$x_scale), ..., frame = mine, target = target, models = models,
    selected = features[path$sets[, path$best]], y_scale = vapply(path$domains, `[[`, 0, "y_scale"),
    # the borrowing prior, couplings as they were estimated
    borrowing = list(
      borrow = s$borrow, s2 = named(s$s2, who), s2_from = named(s$s2_from, who),
      lam = named(s$lam, who), v = named(s$v, features), pen = named(s$pen, features), k = s$k,
      tau2 = named(s$tau2, who), omega2 = s$omega2, delta2 = s$delta2, kappa2 = s$kappa2,
      scales = if (!is.null(s$tau2)) named(s$scales[seq_along(features)], features),
      loglik = s$loglik, lr = s$lr, alone = s$alone, units = s$units, units_weights = s$units_weights,
      units_lr = s$units_lr, spread_ratio = s$spread_ratio, evaluations = s$evaluations, guarded = s$guarded,
      guard_lr = s$guard_lr, s2_df = s$s2_df[1], anew = !is.null(s$anew)
    ), settings = settings, posterior = path$averaged %||% list(if (!is.null(path$form)) path_posterior(path))
  )
  if (length(who) > 1 && !is.null(path$form)) fit$borrowed <- borrowed_table(path, models[[1]], labels)
  fit
}

# ---- steps --------------------------------------------------------------------------------------

# Which columns each step has, and how it differs from the step before.
steps_of_sets <- function(path, settings) {
  sets <- path$sets
  before <- sets[, c(1, seq_len(ncol(sets) - 1)), drop = FALSE]
  labels <- all_labels(settings)[path$columns]
  list(lambda = rep(NA_real_, ncol(sets)), step = seq_len(ncol(sets)) - 1L, size = as.integer(colSums(sets)),
       entered = names_by_column(sets > before, labels), dropped = names_by_column(sets < before, labels))
}

tlcp_steps <- function(path, settings) {
  domain <- path$domains[[1]]
  anew <- path$borrowing$anew
  steps <- steps_of_sets(path, settings)
  steps <- c(steps, list(
    rss = path$own * domain$y_scale^2, df = path$trace + (path$intercept_df %||% settings$intercept),
    objective = path$objective,
    criterion = if (is.null(anew)) path$objective + colSums(path$sets * path$borrowing$pen) else {
      likelihood_value(path$objective, steps$size, anew) + path$constant
    }
  ))
  if (without_borrowing(path$borrowing$borrow)) {
    intercepts <- settings$intercept * max(domain$n_pooled, 1)
    steps$cp <- path$objective - domain$n + 2 * (steps$size + intercepts)
  }
  quick_frame(c(steps, step_proof(path)))
}

# Bound, gap and nodes of the search for each size; where sizes were not searched one by one, those of the search for
# the best set.
step_proof <- function(path) {
  none <- rep(NA_real_, ncol(path$sets))
  proof <- list(bound = none, gap = none, nodes = none, complete = rep(NA, length(none)))
  from <- path$of_size
  at <- seq_along(none)[-1]
  if (is.null(from)) {
    if (is.null(path$certificate)) return(proof)
    from <- path$certificate
    if (is.null(path$borrowing$anew)) {
      pen <- sum(path$borrowing$pen[path$sets[, path$best]])
      from$bound <- from$bound - pen
      from$value <- from$value - pen
    } else {
      from$bound <- from$rss_bound
      from$value <- from$rss
    }
    at <- path$best
  }
  proof$bound[at] <- from$bound
  proof$gap[at] <- proven_gap(from$value, from$bound, path$objective[1])
  proof$nodes[at] <- from$nodes
  proof$complete[at] <- from$stopped == "complete"
  proof
}

# The gap between value and bound, 0 where it is no more than rounding. scale: the objective without features.
proven_gap <- function(value, bound, scale) {
  gap <- value - bound
  gap[gap <= 1e-12 * scale + 1e-9 * abs(value)] <- 0
  gap
}

# constant: the difference between the criterion and the objective that was searched.
certificate <- function(search, constant, scale) {
  list(
    value = search$value + constant, bound = search$bound + constant,
    gap = proven_gap(search$value, search$bound, scale), nodes = search$nodes, seconds = search$seconds,
    complete = search$stopped == "complete", stopped = search$stopped,
    searches = search$searches %||% 1L
  )
}

# ---- what standard errors need --------------------------------------------------------------------

# What standard errors need (tlcp-posterior.R), in the coordinates that were searched:
#   A                the posterior precision, levels last (NULL of a likelihood: `covariance` has the inverse by step)
#   n_domains        coordinates by feature, the target's the first
#   level            are there levels?
#   root, x_scale, x_mean, y_scale    from coordinates to the original scale
#   mean_variance    where there is no level, the variance of the target's mean response
#   columns, sets, df, mean           usable columns; sets by step; degrees of freedom of the
#                                     residual variance; coefficients by step (intercept first)
path_posterior <- function(path) {
  form <- path$form$full %||% path$form
  columns <- path$columns
  borrowing <- path$borrowing
  domain <- path$domains[[1]]
  level <- !is.null(path$form$full)
  likelihood <- !is.null(path$covariance)
  spread <- NULL
  if (borrowing$borrow == "hierarchical") {
    # what spread_by_distance() needs for its average: the domains, the borrowing prior, and H and g of the target in
    # the prior's columns
    slopes <- seq_len(length(borrowing$scales) - isTRUE(domain$level))
    spread <- list(
      parts = scaled_parts(path$domains[1], borrowing), domains = lapply(path$domains, `[`, c("G", "g", "level")),
      s2 = 1 / borrowing$lam, borrowing = borrowing[c("common", "own", "scales", "tau2")],
      size = sqrt(borrowing$omega2 + borrowing$tau2[[1]]), slopes = slopes,
      alone = if (isTRUE(borrowing$alone)) intersect(slopes, which(domain$varies))
    )
  }
  # degrees of freedom of the residual variance and, where the borrowing prior is estimated, two for each feature that
  # it is estimated from. The number two comes from simulations: the average over the borrowing prior ignores the error
  # of the expansion and that estimates are made at one borrowing prior, so normal quantiles give too short intervals
  df <- borrowing$s2_df[1] %||% Inf
  if (!is.null(spread)) df <- 1 / (1 / df + 1 / (2 * length(spread$slopes)))
  mean <- if (likelihood) {
    vapply(path$coef, function(coef) c(coef$a0[1], coef$beta[columns, 1]), numeric(length(columns) + 1))
  } else {
    raw <- raw_coefficients(path$z[[1]], columns, path$all_domains[[1]])
    rbind(raw$a0, raw$beta)
  }
  list(
    A = if (!likelihood) form$A, covariance = path$covariance, n_domains = form$n_domains, level = level,
    root = sqrt(borrowing$scales)[seq_along(columns)], x_scale = domain$x_scale[columns],
    x_mean = domain$x_mean[columns], y_scale = domain$y_scale,
    mean_variance = if (level || likelihood) 0 else borrowing$s2[1] / path$all_domains[[1]]$n,
    columns = columns, sets = path$sets, df = df, mean = mean, spread = spread
  )
}

# ---- what was borrowed ---------------------------------------------------------------------------

# A table of the chosen features in the target's units: the estimate of each domain by itself (of a likelihood one
# Newton step from the borrowed estimate), the borrowed estimate, and the share of its precision that the other
# domains add. model: the target's. The attribute `lacking` says, by domain, why estimates are missing.
borrowed_table <- function(path, model, labels) {
  domains <- stats::setNames(path$domains, domain_names(path$domains))
  set <- which(path$sets[, path$best])
  columns <- path$columns[set]
  terms <- labels[path$columns]
  unit <- (domains[[1]]$y_scale / domains[[1]]$x_scale)[columns]
  domains <- lapply(domains, without_level, intercept = TRUE)
  # least squares of a domain for the columns that vary in it; NA where the solution is not unique, since a fit of
  # deficient rank would keep columns by their order
  estimates <- lapply(domains, function(domain) {
    unique <- length(domain$fit$kept) == sum(domain$varies)
    ifelse(domain$varies & unique, domain$fit$coef, NA)[set] * unit
  })
  lacking <- unlist(lapply(stats::setNames(domains, c("target_only", names(domains)[-1])), why_lacking, set, terms))
  share <- source_share(path, set)
  structure(quick_frame(c(
    list(term = terms[set], target_only = estimates[[1]]), estimates[-1],
    list(borrowed = unname(model$beta[columns, path$best]), weight = share$sources, shrinkage = share$prior)
  )), lacking = lacking)
}

why_lacking <- function(domain, set, terms) {
  if (length(domain$fit$kept) < sum(domain$varies)) return("too few rows, or columns that are combinations of others")
  flat <- terms[set[!domain$varies[set]]]
  if (length(flat)) paste("constant there:", toString(c(utils::head(flat, 5), if (length(flat) > 5) "...")))
}

# Shares of the precision of each chosen coefficient, given the other coefficients: the share that the other domains
# add, and the share that the prior adds. Without other domains the hierarchical model would still shrink, by the
# prior variance tau_1^2 + omega^2.
source_share <- function(path, set) {
  s <- path$borrowing
  form <- path$form$full %||% path$form
  rows <- diag(path$domains[[1]]$G) * s$scales * s$lam[1]
  prior <- if (is.null(s$own)) 0 * rows else 1 / (s$common + s$own[, 1])
  n_domains <- form$n_domains
  precision <- vapply(set, function(i) {
    at <- (i - 1) * n_domains + seq_len(n_domains)
    block <- form$A[at, at, drop = FALSE]
    if (n_domains == 1) return(block[1, 1])
    rest <- .Call(C_spd_solve, block[-1, -1, drop = FALSE], block[-1, 1])
    block[1, 1] - sum(block[1, -1] * rest)
  }, 0)
  list(sources = pmax(1 - (rows + prior)[set] / precision, 0), prior = pmin(prior[set] / precision, 1))
}
