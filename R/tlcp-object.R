# The object of tlcp(): the table of steps, the certificate, the table of what was borrowed.

# path: all_domains and those in use (domains), usable columns, their borrowing prior; sets (logical,
# columns x steps, the empty one first), `best` among them, z (coefficients by domain, columns x sets,
# in z-scores), objective, own (the target's residual sum of squares) and trace of each;
# certificates.
tlcp_object <- function(path, frame, target, settings) {
  models <- tlcp_models_of_domains(path, settings)
  frame <- unclass(frame) # for a faster `$`
  fitted <- if (nrow(frame$x)) response_scores_at(frame$x, models[[1]], path$best)
  if (!is.null(fitted) && !is.null(frame$domain)) fitted <- fitted[frame_rows_of_domain(frame, target)]
  frame$x <- frame$x[, 0L, drop = FALSE] # which would be copied
  mine <- frame_rows_of_target(frame, target)
  log_weights <- response_weights_log_term(mine)
  path$constant <- if (is.null(path$borrowing$anew)) 0 else tlcp_search_likelihood_constant(path, settings, log_weights)
  fit <- tlcp_object_new(
    path, models, tlcp_object_steps(path, settings), mine, target, settings,
    nobs = as.integer(path$all_domains[[1]]$n), fitted = if (!is.null(fitted)) fitted + mine$offset %||% 0,
    residuals = if (!is.null(fitted)) response_first(mine$y) - fitted, log_weights = log_weights,
    certificate = if (!is.null(path$certificate)) tlcp_object_certificate(path$certificate, path$constant,
                                                                          path$objective[1]),
    elsewhere = if (inherits(frame$na.action, "exclude")) frame_rows_elsewhere(frame, target)
  )
  if (is.null(path$near)) fit else tlcp_within_added(fit, path, settings)
}

# The object of a path with the models of its domains, target first, and the table of its steps. mine: the frame of the
# target. `...`: components that only numeric responses, or only likelihoods, have.
tlcp_object_new <- function(path, models, steps, mine, target, settings, ...) {
  settings$until <- NULL # of the call alone
  labels <- labels_of_all_columns(settings)
  named <- function(x, one_names = labels) {
    if (!is.null(x)) names(x) <- one_names
    x
  }
  domain <- path$all_domains[[1]]
  features <- labels[path$columns]
  who <- tlcp_domain_names(path$domains)
  s <- path$borrowing
  whole <- !is.null(path$form) || !is.null(path$known) # method "exact"
  title <- if (!settings$select) "Model of all features" else if (settings$method == "cutoff")
    "Best of nested subsets" else "Best subset"
  fit <- path_object_new(
    "tlcp", labels = c(title = title), beta = models[[1]]$beta, a0 = models[[1]]$a0,
    common = tlcp_common_model(path, settings),
    points = table_data_frame(list(step = steps$step, lambda = steps$lambda)), steps = steps, best = path$best - 1L,
    lambda = NA_real_,
    family = response_family_of_frame(mine), classes = levels(mine$y), method = settings$method,
    center = named(domain$x_mean), scale = named(domain$x_scale), ..., frame = mine, target = target, models = models,
    selected = features[path$sets[, path$best]], response_scale = vapply(path$domains, `[[`, 0, "y_scale"),
    # the borrowing prior, couplings as they were estimated
    borrowing = list(
      borrow = s$borrow, s2 = named(s$s2, who), s2_from = named(s$s2_from, who),
      lam = named(s$lam, who), v = named(s$v, features), pen = named(s$pen, features), k = s$k,
      tau2 = named(s$tau2, who), omega2 = s$omega2, delta2 = s$delta2, kappa2 = s$kappa2,
      scales = if (!is.null(s$tau2)) named(s$scales[seq_along(features)], features),
      loglik = s$loglik, lr = s$lr, alone = s$alone, units = s$units, units_weights = s$units_weights,
      units_lr = s$units_lr, spread_ratio = s$spread_ratio, evaluations = s$evaluations, guarded = s$guarded,
      guard_lr = s$guard_lr, cv = s$cv, s2_df = s$s2_df[1], anew = !is.null(s$anew)
    ), settings = settings, posterior = path$averaged %||% list(if (whole) tlcp_posterior_of_path(path))
  )
  if (length(who) > 1 && whole) fit$borrowed <- tlcp_object_borrowed_table(path, models[[1]], labels)
  fit
}

# Which columns each step has, and how it differs from the step before.
tlcp_object_steps_of_sets <- function(path, settings) {
  sets <- path$sets
  before <- sets[, c(1L, seq_len(ncol(sets) - 1L)), drop = FALSE]
  labels <- labels_of_columns(settings$columns, path$columns)
  list(lambda = rep(NA_real_, ncol(sets)), step = seq_len(ncol(sets)) - 1L, size = as.integer(colSums(sets)),
       entered = table_names_by_column(sets > before, labels), dropped = table_names_by_column(sets < before, labels))
}

tlcp_object_steps <- function(path, settings) {
  domain <- path$domains[[1]]
  anew <- path$borrowing$anew
  steps <- tlcp_object_steps_of_sets(path, settings)
  steps <- c(steps, list(
    rss = path$own * domain$y_scale^2, df = path$trace + (path$intercept_df %||% settings$intercept),
    objective = path$objective,
    criterion = if (is.null(anew)) path$objective + colSums(path$sets * path$borrowing$pen) else {
      tlcp_search_likelihood_value(path$objective, steps$size, anew) + path$constant
    }
  ))
  if (tlcp_prior_without_borrowing(path$borrowing$borrow)) {
    intercepts <- settings$intercept * max(domain$n_pooled, 1)
    steps$cp <- path$objective - domain$n + 2 * (steps$size + intercepts)
  }
  table_data_frame(c(steps, tlcp_object_step_proof(path)))
}

# Bound, gap and nodes of the search for each size; where sizes were not searched one by one, those of the search for
# the best set.
tlcp_object_step_proof <- function(path) {
  none <- rep(NA_real_, ncol(path$sets))
  proof <- list(bound = none, gap = none, nodes = none, complete = rep(NA, length(none)))
  from <- path$of_size
  proven <- seq_along(none)[-1]
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
    proven <- path$best
  }
  proof$bound[proven] <- from$bound
  proof$gap[proven] <- tlcp_object_proven_gap(from$value, from$bound, path$objective[1])
  proof$nodes[proven] <- from$nodes
  proof$complete[proven] <- from$stopped == "complete"
  proof
}

# The gap between value and bound, 0 where it is no more than rounding. scale: the objective without features.
tlcp_object_proven_gap <- function(value, bound, scale) {
  gap <- value - bound
  gap[gap <= 1e-12 * scale + 1e-9 * abs(value)] <- 0
  gap
}

# constant: the difference between the criterion and the objective that was searched.
tlcp_object_certificate <- function(search, constant, scale) {
  list(
    value = search$value + constant, bound = search$bound + constant,
    gap = tlcp_object_proven_gap(search$value, search$bound, scale), nodes = search$nodes, seconds = search$seconds,
    complete = search$stopped == "complete", stopped = search$stopped,
    searches = search$searches %||% 1L
  )
}

# A table of the chosen features in the target's units: the estimate of each domain by itself (of a likelihood one
# Newton step from the borrowed estimate), and the borrowed estimate. model: the target's. The attribute `lacking` says,
# by domain, why estimates are missing.
tlcp_object_borrowed_table <- function(path, model, labels) {
  domains <- stats::setNames(path$domains, tlcp_domain_names(path$domains))
  set <- which(path$sets[, path$best])
  columns <- path$columns[set]
  terms <- labels[path$columns]
  unit <- (domains[[1]]$y_scale / domains[[1]]$x_scale)[columns]
  domains <- if (is.null(path$own_fits)) tlcp_domain_own_levels(domains, intercept = TRUE) else
    Map(function(domain, fit) replace(domain, "fit", list(fit)), domains, path$own_fits)
  # least squares of a domain for the columns that vary in it; NA where the solution is not unique, since a fit of
  # deficient rank would keep columns by their order
  estimates <- lapply(domains, function(domain) {
    unique <- length(domain$fit$kept) == sum(domain$varies)
    ifelse(domain$varies & unique, domain$fit$coef, NA)[set] * unit
  })
  lacking <- unlist(lapply(stats::setNames(domains, c("target_only", names(domains)[-1])), tlcp_object_why_lacking, set,
                           terms))
  structure(table_data_frame(c(
    list(term = terms[set], target_only = estimates[[1]]), estimates[-1],
    list(borrowed = response_scores_column(model$beta, path$best)[columns])
  )), lacking = lacking)
}

tlcp_object_why_lacking <- function(domain, set, terms) {
  if (length(domain$fit$kept) < sum(domain$varies)) return("too few rows, or columns that are combinations of others")
  flat <- terms[set[!domain$varies[set]]]
  if (length(flat)) paste("constant or absent columns:",
                          toString(c(utils::head(flat, 5), if (length(flat) > 5) "...")))
}
