# tlcp() from the sums of the domains to the fitted object: in whose units, how strongly to borrow, the quadratic
# form, the search (tlcp-search.R), the models of the sets that it found, the object and its tables.

# cells: sums by domain, the target first.
tlcp_path <- function(cells, settings, call) {
  if (!settings$whole) {
    domains <- make_domains(domain_sums(cells, settings$intercept), settings$scaling, call)
    return(path_of(tlcp_problem(domains, settings, call), settings, call))
  }
  problems <- units_problems(cells, settings, call)
  if (settings$select || length(problems) == 1) return(path_of(problems[[1]], settings, call))
  paths <- lapply(problems, path_of, settings, call)
  average_paths(paths, problems[[1]]$borrowing$units_weights)
}

# The hierarchical problem in the units that count, and that of the target alone: one for a search,
# and those that are worth averaging for all features.
units_problems <- function(cells, settings, call) {
  sums <- domain_sums(cells, settings$intercept)
  spreads <- spread_evidence(sums)
  if (settings$standardize) tell_extreme(spreads, settings)
  found <- list()
  for (units in units_in_question(settings$units, spreads)) {
    settings$quiet <- length(found) > 0
    domains <- units_domains(sums, units, settings$standardize, call)
    domains <- c(domains, sites_as_domains(settings$sites, domains, settings$intercept))
    used <- domains_in_use(domains, settings, call)
    found[[units]] <- list(domains = domains, used = used,
                           lr = likelihood_ratio(used$domains, used$s2, call))
  }
  lr <- vapply(found, `[[`, 0, "lr")
  weights <- ordered_weights(units_weights(lr, spreads$any, settings$guard))
  tell_open(weights, spreads, settings)
  labels <- all_labels(settings)
  lapply(names(weights)[seq_len(if (settings$select) 1 else length(weights))], function(name) {
    units <- units_of(name, names(lr))
    one <- found[[units]]
    problem <- tlcp_problem(one$domains, settings, call, one$used, one$lr, name == "alone")
    problem$borrowing$lr <- joint_ratio(lr, spreads$any)
    problem$borrowing[c("alone", "units", "units_weights", "units_lr", "spread_ratio")] <- list(
      name == "alone", units, weights, lr, stats::setNames(utils::head(spreads$ratio, -1), labels)
    )
    problem
  })
}

# What is fitted: the domains in use, the usable columns, the borrowing prior and its quadratic form.
tlcp_problem <- function(domains, settings, call, used = domains_in_use(domains, settings, call), lr = NULL,
                         alone = FALSE) {
  found <- borrowing_and_form(used, settings, call, lr, alone)
  c(list(all_domains = domains, domains = used$domains, columns = used$columns), found)
}

# used: of domains_in_use(); coordinates of its domains need not be those of the features any more (cutoff).
borrowing_and_form <- function(used, settings, call, lr = NULL, alone = FALSE) {
  domains <- used$domains
  k <- penalty_factor(settings$criterion, domains[[1]]$n, length(used$columns))
  how <- list(borrow = borrow_rule(settings, domains, used$columns, call), s2 = used$s2, k = k,
              scales = settings$scales, lr = lr, alone = alone)
  borrowing <- borrowing_of(domains, how, call)
  form <- quadratic_form(domains, borrowing, settings$support)
  if (isTRUE(domains[[1]]$level)) form <- eliminate_level(form)
  if (borrowing$borrow == "hierarchical" && settings$support == "target") {
    borrowing$pen <- shrinkage_penalty(form, borrowing, k)
  }
  anew <- if (variance_anew(settings$criterion, borrowing$borrow) && domains[[1]]$fit$df > 0) {
    likelihood_terms(domains[[1]], used$s2[1], k, settings, call)
  }
  found <- used[c("s2", "s2_from", "s2_df", "guarded", "guard_lr")]
  list(borrowing = c(borrowing, found, list(k = k, n_pooled = domains[[1]]$n_pooled, anew = anew)),
       form = form)
}

# The rule for the domains in use; where it is numbers, those for the usable columns.
borrow_rule <- function(settings, domains, columns, call) {
  borrow <- settings$borrow
  if (!is.list(borrow)) {
    return(if (length(domains) == 1 && borrow != "aggregate") "none" else borrow)
  }
  features <- all_labels(settings)
  for (name in intersect(c("v", "pen"), names(borrow))) {
    values <- in_order_of(borrow[[name]], features, "borrow", call)
    borrow[[name]] <- if (length(values) == settings$p) values[columns] else values
  }
  borrow[["lam"]] <- in_order_of(borrow[["lam"]], domain_names(domains), "borrow", call)
  borrow
}

path_of <- function(problem, settings, call) {
  found <- tlcp_sets(problem, settings, call)
  own <- domain_columns(problem$all_domains[[1]], problem$columns, settings$intercept)
  models <- set_models(found$sets, problem, own, call)
  z <- exact_coefficients(problem, models$w)
  c(problem, found, list(
    own_domain = own, z = shared_by_all(z, problem$borrowing, problem$all_domains),
    objective = problem$form$c0 - colSums(models$w * problem$form$b), trace = models$df,
    intercept_df = models$level %||% settings$intercept, own = own_rss(own, z[[1]])
  ))
}

# path: all_domains and those in use (domains), usable columns, their borrowing prior; sets (logical,
# columns x steps, the empty one first), `best` among them, z (coefficients by domain, columns x sets,
# in z-scores), objective, own (the target's residual sum of squares) and trace of each;
# certificates.
tlcp_object <- function(path, frame, target, settings) {
  own <- path$all_domains[[1]]
  models <- domain_models(path, settings)
  labels <- all_labels(frame$blueprint)
  mine <- target_rows(frame, target)
  log_weights <- log_weights(mine)
  path$constant <- if (is.null(path$borrowing$anew)) 0 else likelihood_constant(path, settings, log_weights)
  steps <- tlcp_steps(path, settings, labels)
  best <- path$best - 1L
  fitted <- if (nrow(mine$x)) score_rows_at(mine$x, models[[1]], path$best)
  y <- if (!is.null(fitted)) response_matrix(mine$y)[, 1]
  fit <- new_path(
    "tlcp", labels = c(title = "Best subset"),
    beta = models[[1]]$beta, a0 = models[[1]]$a0,
    points = quick_frame(list(step = steps$step, lambda = rep(NA_real_, nrow(steps)))),
    steps = steps, best = best, lambda = NA_real_, nobs = as.integer(own$n),
    family = frame_family(frame),
    classes = levels(frame$y), method = settings$method,
    center = stats::setNames(own$x_mean, labels), scale = stats::setNames(own$x_scale, labels),
    fitted = if (!is.null(fitted)) fitted + mine$offset %||% 0,
    residuals = if (!is.null(fitted)) y - fitted,
    log_weights = log_weights, frame = mine, elsewhere = rows_elsewhere(frame, target),
    target = target, models = models,
    selected = labels[path$columns[path$sets[, path$best]]],
    certificate = certificate(path$certificate, path$constant, path$objective[1]),
    y_scale = vapply(path$domains, `[[`, 0, "y_scale"), borrowing = named_borrowing(path, labels),
    settings = settings, posterior = path$averaged %||% list(path_posterior(path))
  )
  fit$borrowed <- borrowed_table(path, labels)
  fit
}

# ---- the search ---------------------------------------------------------------------------------

# The sets of the path (logical, columns x steps, the empty one first), the place of the best, and
# the certificates.
tlcp_sets <- function(problem, settings, call) {
  form <- problem$form
  p <- length(problem$columns)
  force <- forced_columns(settings, problem$columns)
  if (!settings$select) {
    return(list(sets = unname(cbind(FALSE, force >= 0)), best = 2L, certificate = NULL,
                of_size = NULL))
  }
  units <- search_units(form, problem$borrowing$pen, force, problem$columns, settings)
  limits <- list(force = units$force, max_nodes = settings$max_nodes, max_seconds = settings$max_seconds)
  anew <- problem$borrowing$anew
  search <- if (is.null(anew)) {
    run_subset(units$form, units$pen, limits, call)
  } else {
    likelihood_search(units, anew, limits, call)
  }
  warn_early(search, "The search", call)
  if (!(settings$sizes %||% (p <= 30)) || search$stopped == "interrupt") {
    sets <- if (any(search$`in`)) cbind(FALSE, search$`in`[units$of, , drop = FALSE]) else cbind(logical(p))
    return(list(sets = sets, best = ncol(sets), certificate = search, of_size = NULL))
  }
  least <- max(sum(units$force == 1), 1)
  sizes <- least - 1 + seq_len(max(sum(units$force >= 0) - least + 1, 0))
  if (!length(sizes)) {
    return(list(sets = cbind(logical(p)), best = 1L, certificate = search, of_size = NULL))
  }
  of_size <- run_subset(units$form, units$pen, limits, call, range(sizes))
  if (search$stopped == "complete") warn_early(of_size, "The search of every size", call)
  agreed <- if (is.null(anew)) {
    best_of_both(search, of_size, units$pen)
  } else {
    likelihood_of_both(search, of_size, sizes, anew, units)
  }
  at <- match(sum(agreed$search$`in`), sizes)
  list(sets = cbind(FALSE, agreed$of_size$`in`[units$of, , drop = FALSE]), best = if (is.na(at)) 1L else at + 1L,
       certificate = agreed$search, of_size = agreed$of_size)
}

# The better results of two searches: one that stopped early may have missed what the other has found.
best_of_both <- function(search, of_size, pen) {
  worth <- of_size$value + colSums(of_size$`in` * pen)
  at <- which.min(worth)
  if (search$stopped != "complete" && worth[at] < search$value) {
    search$`in` <- of_size$`in`[, at, drop = FALSE]
    search$value <- worth[at]
  }
  chosen <- search$`in`[, 1]
  same <- which(colSums(of_size$`in`) == sum(chosen))
  value <- search$value - sum(pen[chosen])
  if (length(same) && (search$stopped == "complete" || value <= of_size$value[same])) {
    of_size$`in`[, same] <- chosen
    of_size$value[same] <- max(value, of_size$bound[same])
    # another set of this size may have a smaller objective and a larger penalty, so that the bound of the chosen set
    # is that of the criterion
    of_size$bound[same] <- min(max(of_size$bound[same], search$bound - sum(pen[chosen])), of_size$value[same])
    if (search$stopped == "complete") of_size$stopped[same] <- "complete"
  }
  list(search = search, of_size = of_size)
}

# ---- models of the sets --------------------------------------------------------------------------------

# w: the coefficients of sets, coordinates x sets, zero outside them. df: the trace of the matrix that maps
# the target's response to its fitted values (`own` has the Gram matrix); the size if nothing is borrowed.
# level: the trace that a borrowed level adds.
set_models <- function(sets, problem, own, call) {
  borrowing <- problem$borrowing
  form <- problem$form
  share <- if (borrowing$borrow != "none") {
    own$G * (tcrossprod(sqrt(borrowing$scales)) * borrowing$lam[1])
  }
  level <- if (!is.null(form$full)) level_share(form, share)
  out <- .Call(C_subset_models, form, sets,
               if (is.null(level)) target_share(share, form$n_domains) else level$share)
  if (out$status != 0) abort_collinear(call)
  if (is.null(share)) out$df <- colSums(sets)
  out$level <- level$df
  out
}

# `share` of the target's coordinates, put among the coordinates of all domains.
target_share <- function(share, n_domains) {
  if (is.null(share) || n_domains == 1) return(share)
  N <- nrow(share) * n_domains
  at <- seq(1, N, by = n_domains)
  all <- matrix(0, N, N)
  all[at, at] <- share
  all
}

# tr(A^-1 J), J the target's share, with the levels eliminated: the share of the features' form, and
# the rest.
level_share <- function(form, share) {
  J <- target_share(share, form$n_domains)
  at <- seq_len(length(form$b))
  A <- form$full$A
  u <- t(solve(A[-at, -at, drop = FALSE], A[-at, at, drop = FALSE]))
  cross <- tcrossprod(J[at, -at, drop = FALSE], u)
  list(share = J[at, at] - cross - t(cross) + u %*% tcrossprod(J[-at, -at, drop = FALSE], u),
       df = sum(diag(solve(A[-at, -at, drop = FALSE], J[-at, -at, drop = FALSE]))))
}

# Coefficients of every domain in use: what was searched differs from step to step, domains of which no
# coordinate was searched have all their features.
exact_coefficients <- function(problem, w) {
  n_domains <- problem$form$n_domains
  root <- sqrt(problem$borrowing$scales)
  if (!is.null(problem$form$full)) w <- rbind(w, levels_of(problem$form, w))
  rest <- if (n_domains < length(problem$domains)) coefficients_of_all(problem$domains, problem$borrowing)
  out <- lapply(seq_along(problem$domains), function(t) {
    if (t > n_domains) return(matrix(rest[, t] * root, length(root), ncol(w)))
    w[seq.int(t, by = n_domains, length.out = length(root)), , drop = FALSE] * root
  })
  stats::setNames(out, domain_names(problem$domains))
}

# Pooled rows (`aggregate`) have one vector of coefficients, in each domain's z-scores.
shared_by_all <- function(z, borrowing, all_domains) {
  if (borrowing$borrow != "aggregate") return(z)
  names <- domain_names(all_domains)
  stats::setNames(rep(z[1], length(names)), names)
}

# ---- averages over units ----------------------------------------------------------------------------

# The first path with the weighted mean of the coefficients of all paths. Every path has all features of the same
# columns.
average_paths <- function(paths, weights) {
  base <- paths[[1]]
  names <- stats::setNames(nm = names(base$z))
  base$z <- lapply(names, function(name) {
    domain <- domain_named(base$all_domains, name)
    z <- lapply(paths, function(path) {
      raw <- raw_coefficients(path$z[[name]], path$columns, domain_named(path$all_domains, name))
      scaled_coefficients(raw, path$columns, domain)
    })
    Reduce(`+`, Map(`*`, z, weights))
  })
  base$own <- own_rss(base$own_domain, base$z[[1]])
  base$trace <- Reduce(`+`, Map(function(path, weight) {
    weight * (path$trace + path$intercept_df)
  }, paths, weights)) - base$intercept_df
  base$objective <- objective_at(base)
  base$averaged <- lapply(paths, path_posterior)
  base
}

# J without the penalty, of the coefficients in path$z.
objective_at <- function(path) {
  form <- path$form$full %||% path$form
  root <- sqrt(path$borrowing$scales)
  slopes <- seq_along(path$columns)
  searched <- path$z[seq_len(form$n_domains)]
  at <- seq_len(length(form$b) / form$n_domains)
  vapply(seq_len(ncol(searched[[1]])), function(k) {
    w <- as.vector(t(vapply(searched, function(z) (z[, k] / c(root[slopes], 1))[at], root[at])))
    form$c0 - 2 * sum(form$b * w) + sum(w * (form$A %*% w))
  }, 0)
}

domain_named <- function(domains, name) domains[[match(name, domain_names(domains))]]

# ---- on the original scale --------------------------------------------------------------------------

# beta (features x steps) and a0 of each of `all_domains`. `path$z` has the coefficients of the domains in use, usable
# columns x steps in z-scores; the other domains keep their own least squares.
domain_models <- function(path, settings) {
  names <- domain_names(path$all_domains)
  steps <- ncol(path$sets)
  lapply(stats::setNames(path$all_domains, names), function(domain) {
    w <- path$z[[domain$name]] %||%
      matrix(own_coefficients(domain, path$columns, settings$intercept), length(path$columns), steps)
    raw <- raw_coefficients(w, path$columns, domain)
    list(beta = as_sparse(raw$beta, settings$columns, path$columns, length(domain$x_scale)), a0 = raw$a0)
  })
}

# The coefficients of usable columns in a domain that is not in use; its rows may be too few for them (cutoff).
own_coefficients <- function(domain, columns, intercept) {
  if (is.null(domain$G)) domain$fit$coef else domain_columns(domain, columns, intercept)$fit$coef
}

# ---- the object beside coefficients --------------------------------------------------------------------

target_rows <- function(frame, target) {
  if (!has_rows(frame) && !is.null(frame$domain)) frame$moments <- frame$moments[target]
  if (is.null(frame$domain) || !nrow(frame$x)) return(frame)
  frame_rows(frame, which(frame$domain == target))
}

# Under na.exclude fitted values stand at the places of their rows in the data. These are the rows that have none:
# incomplete ones, and those of other domains.
rows_elsewhere <- function(frame, target) {
  left_out <- frame$na.action
  whole <- frame_nobs(frame) + length(left_out)
  if (!inherits(left_out, "exclude") || is.null(frame$domain) || whole < max(left_out)) return(NULL)
  kept <- setdiff(seq_len(whole), left_out)
  rest <- setdiff(seq_len(whole), kept[frame$domain == target])
  names <- character(whole)
  names[kept] <- frame_row_names(frame)
  names[left_out] <- names(left_out)
  structure(rest, names = names[rest], class = "exclude")
}

# ---- steps --------------------------------------------------------------------------------------

# Which columns each step has, and how it differs from the one before.
steps_of_sets <- function(path, labels) {
  sets <- path$sets
  before <- sets[, c(1, seq_len(ncol(sets) - 1)), drop = FALSE]
  labels <- labels[path$columns]
  list(lambda = rep(NA_real_, ncol(sets)), step = seq_len(ncol(sets)) - 1L, size = as.integer(colSums(sets)),
       entered = names_by_column(sets & !before, labels), dropped = names_by_column(before & !sets, labels))
}

tlcp_steps <- function(path, settings, labels) {
  domain <- path$domains[[1]]
  size <- as.integer(colSums(path$sets))
  df <- path$trace + (path$intercept_df %||% settings$intercept)
  proof <- step_proof(path, size)
  steps <- c(steps_of_sets(path, labels), list(
    rss = path$own * domain$y_scale^2, df = df, objective = path$objective,
    criterion = path_criterion(path, size)
  ))
  if (without_borrowing(path$borrowing$borrow)) {
    intercepts <- settings$intercept * max(path$borrowing$n_pooled, 1)
    steps$cp <- path$objective - domain$n + 2 * (size + intercepts)
  }
  quick_frame(c(steps, proof))
}

# The residual sum of squares of the target in z-scores at every step. Where z has a level and the domain has none,
# the columns are centred and the level stands beside them.
own_rss <- function(domain, z) {
  if (nrow(z) > length(domain$g)) {
    slopes <- seq_along(domain$g)
    return(own_rss(domain, z[slopes, , drop = FALSE]) + domain$n * z[nrow(z), ]^2)
  }
  pmax.int(domain$yy - 2 * drop(crossprod(z, domain$g)) + colSums(z * (domain$G %*% z)), 0)
}

path_criterion <- function(path, size) {
  anew <- path$borrowing$anew
  if (is.null(anew)) return(path$objective + colSums(path$sets * path$borrowing$pen))
  likelihood_value(path$objective, size, anew) + path$constant
}

# Bound, gap and nodes of each size; those of the best set where no sizes were searched.
step_proof <- function(path, size) {
  none <- rep(NA_real_, length(size))
  proof <- list(bound = none, gap = none, nodes = none, complete = rep(NA, length(size)))
  from <- path$of_size
  at <- seq_along(size)[-1]
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

# constant: what the criterion has beside what was searched.
certificate <- function(search, constant, scale) {
  if (is.null(search)) return(NULL)
  list(
    value = search$value + constant, bound = search$bound + constant,
    gap = proven_gap(search$value, search$bound, scale), nodes = search$nodes, seconds = search$seconds,
    complete = search$stopped == "complete", stopped = search$stopped,
    searches = search$searches %||% 1L
  )
}

# ---- what was borrowed ---------------------------------------------------------------------------

# The borrowing prior as a component of the fit: features and domains by name, couplings as they were estimated.
named_borrowing <- function(path, labels) {
  s <- path$borrowing
  features <- labels[path$columns]
  who <- domain_names(path$domains)
  named <- function(x, names) if (!is.null(x)) stats::setNames(x, names)
  list(
    borrow = s$borrow, s2 = named(s$s2, who), s2_from = named(s$s2_from, who),
    lam = named(s$lam, who), v = named(s$v, features), pen = named(s$pen, features), k = s$k,
    tau2 = named(s$tau2, who), omega2 = s$omega2, delta2 = s$delta2,
    kappa2 = s$kappa2, scales = if (!is.null(s$tau2)) named(s$scales[seq_along(features)], features),
    loglik = s$loglik, lr = s$lr, alone = s$alone, units = s$units, units_weights = s$units_weights,
    units_lr = s$units_lr, spread_ratio = s$spread_ratio,
    evaluations = s$evaluations, guarded = s$guarded, guard_lr = s$guard_lr,
    anew = !is.null(s$anew)
  )
}

# Chosen features: own and the others' estimates, the borrowed one, and the others' share of its
# precision, all in the target's units.
borrowed_table <- function(path, labels) {
  domains <- path$domains
  if (length(domains) == 1 || is.null(path$form)) return(NULL)
  set <- which(path$sets[, path$best])
  unit <- (domains[[1]]$y_scale / domains[[1]]$x_scale)[path$columns[set]]
  borrowed_columns(domains, set, labels[path$columns], unit, unname(path$z[[1]][set, path$best]) * unit, path)
}

# terms: of the usable columns; unit: of estimates, borrowed: of the columns `set`. The attribute `lacking`
# says, by domain, why estimates are missing.
borrowed_columns <- function(domains, set, terms, unit, borrowed, path) {
  names(domains) <- domain_names(domains)
  domains <- lapply(domains, without_level, intercept = TRUE)
  estimates <- lapply(domains, function(domain) unique_estimates(domain)[set] * unit)
  lacking <- unlist(lapply(stats::setNames(domains, c("target_only", names(domains)[-1])), why_lacking, set, terms))
  share <- source_share(path, set)
  structure(quick_frame(c(
    list(term = terms[set], target_only = estimates[[1]]), estimates[-1],
    list(borrowed = borrowed, weight = share$sources, shrinkage = share$prior)
  )), lacking = lacking)
}

# Least squares of a domain for the columns that vary in it; NA where they are not unique: which columns a fit of
# short rank keeps depends on their order.
unique_estimates <- function(domain) {
  unique <- length(domain$fit$kept) == sum(domain$varies)
  ifelse(domain$varies & unique, domain$fit$coef, NA)
}

why_lacking <- function(domain, set, terms) {
  if (length(domain$fit$kept) < sum(domain$varies)) return("too few rows, or columns that are combinations of others")
  flat <- terms[set[!domain$varies[set]]]
  if (length(flat)) paste("constant there:", toString(c(utils::head(flat, 5), if (length(flat) > 5) "...")))
}

# Shares of the precision of each chosen coefficient, the others given: what the others add, and what the prior adds.
# Without other domains the hierarchical model would still shrink, with the prior variance tau_1^2 + omega^2.
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
    rest <- solve(block[-1, -1, drop = FALSE], block[-1, 1])
    block[1, 1] - sum(block[1, -1] * rest)
  }, 0)
  list(sources = pmax(1 - (rows + prior)[set] / precision, 0), prior = pmin(prior[set] / precision, 1))
}

# ---- for standard errors ---------------------------------------------------------------------------

# What standard errors need (tlcp-posterior.R), in the coordinates that were searched:
#   A         the posterior precision, levels last (NULL: `covariance` has the inverse by step)
#   n_domains   coordinates by feature, the target's the first
#   level     are there levels?
#   root, x_scale, x_mean, y_scale    from coordinates to the original scale
#   mean_variance   where there is no level, the variance of the target's mean response
#   columns, sets, df, mean           usable columns; sets by step; degrees of freedom of the
#                                     residual variance; coefficients by step (intercept first)
path_posterior <- function(path) {
  if (is.null(path$form)) return(NULL) # cutoff
  form <- path$form$full %||% path$form
  borrowing <- path$borrowing
  domain <- path$domains[[1]]
  level <- !is.null(path$form$full)
  spread <- distance_spread(path$domains, borrowing)
  raw <- raw_coefficients(path$z[[1]], path$columns, path$all_domains[[1]])
  n <- path$all_domains[[1]]$n
  list(
    A = form$A, n_domains = form$n_domains, level = level, root = sqrt(borrowing$scales)[seq_along(path$columns)],
    x_scale = domain$x_scale[path$columns], x_mean = domain$x_mean[path$columns], y_scale = domain$y_scale,
    mean_variance = if (level) 0 else borrowing$s2[1] / n, columns = path$columns, sets = path$sets,
    df = posterior_freedom(borrowing$s2_df[1] %||% Inf, spread), mean = rbind(raw$a0, raw$beta), spread = spread
  )
}

# Degrees of freedom of the intervals: those of the residual variance and, where the borrowing prior is estimated, two
# for each feature that it is estimated from. The number two comes from simulations: averaging over the borrowing
# prior leaves out the error of expanding the likelihood and of estimates at one borrowing prior, so that intervals
# alone would be too short.
posterior_freedom <- function(df, spread) {
  if (is.null(spread)) df else 1 / (1 / df + 1 / (2 * length(spread$slopes)))
}

family_posterior <- function(path) {
  domain <- path$all_domains[[1]]
  columns <- path$columns
  spread <- distance_spread(path$domains, path$borrowing)
  slopes <- lapply(path$coef, function(coef) c(coef$a0[1], coef$beta[columns, 1]))
  list(
    covariance = path$covariance, root = path$polisher$root[seq_along(columns)],
    x_scale = domain$x_scale[columns], x_mean = domain$x_mean[columns], y_scale = 1, mean_variance = 0,
    columns = columns, sets = path$sets, df = posterior_freedom(Inf, spread), mean = do.call(cbind, slopes),
    spread = spread
  )
}

# What the averaging of spread_by_distance() needs: the domains, the borrowing prior, and H and g of the target in the
# prior's columns.
distance_spread <- function(domains, borrowing) {
  if (borrowing$borrow != "hierarchical") return(NULL)
  root <- sqrt(borrowing$scales)
  alone <- isTRUE(borrowing$alone)
  slopes <- seq_len(length(root) - isTRUE(domains[[1]]$level))
  list(
    parts = scaled_parts(domains[1], borrowing), domains = lapply(domains, `[`, c("G", "g", "level")),
    s2 = 1 / borrowing$lam, borrowing = borrowing[c("common", "own", "scales", "tau2")],
    size = sqrt(borrowing$omega2 + borrowing$tau2[[1]]), slopes = slopes,
    alone = if (alone) intersect(slopes, which(domains[[1]]$varies))
  )
}
