# tlcp() from the sums of the domains to the fitted object: in whose units, how strongly to borrow, the quadratic
# form, the search, the models of the sets that it found (tlcp-models.R), the object (tlcp-object.R has its tables).

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
