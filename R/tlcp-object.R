# What a tlcp() object holds beside its coefficients: rows of the target, the table of steps, the certificate, the
# borrowing prior and what was borrowed.

# The object of a path with the models of its domains, target first, and the table of its steps. `...`: components
# that only numeric responses, or only likelihoods, have.
new_tlcp <- function(path, models, steps, frame, target, settings, ...) {
  labels <- all_labels(settings)
  own <- path$all_domains[[1]]
  fit <- new_path(
    "tlcp", labels = c(title = "Best subset"), beta = models[[1]]$beta, a0 = models[[1]]$a0,
    points = quick_frame(steps[c("step", "lambda")]), steps = steps, best = path$best - 1L, lambda = NA_real_,
    family = frame_family(frame), classes = levels(frame$y), method = settings$method,
    center = stats::setNames(own$x_mean, labels), scale = stats::setNames(own$x_scale, labels), ...,
    frame = target_rows(frame, target), elsewhere = rows_elsewhere(frame, target), target = target, models = models,
    selected = labels[path$columns[path$sets[, path$best]]], y_scale = vapply(path$domains, `[[`, 0, "y_scale"),
    borrowing = named_borrowing(path, labels), settings = settings,
    posterior = path$averaged %||% list(path_posterior(path))
  )
  fit$borrowed <- borrowed_table(path, models[[1]], labels)
  fit
}

target_rows <- function(frame, target) {
  if (!has_rows(frame) && !is.null(frame$domain)) frame$moments <- frame$moments[target]
  if (is.null(frame$domain) || !nrow(frame$x)) return(frame)
  frame_rows(frame, which(frame$domain == target))
}

# Under na.exclude fitted values stand at the places of their rows in the data. This returns the rows without a fitted
# value: incomplete rows, and rows of other domains.
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

# Which columns each step has, and how it differs from the step before.
steps_of_sets <- function(path, settings) {
  sets <- path$sets
  before <- sets[, c(1, seq_len(ncol(sets) - 1)), drop = FALSE]
  labels <- all_labels(settings)[path$columns]
  list(lambda = rep(NA_real_, ncol(sets)), step = seq_len(ncol(sets)) - 1L, size = as.integer(colSums(sets)),
       entered = names_by_column(sets & !before, labels), dropped = names_by_column(before & !sets, labels))
}

tlcp_steps <- function(path, settings) {
  domain <- path$domains[[1]]
  steps <- steps_of_sets(path, settings)
  steps <- c(steps, list(
    rss = path$own * domain$y_scale^2, df = path$trace + (path$intercept_df %||% settings$intercept),
    objective = path$objective, criterion = path_criterion(path, steps$size)
  ))
  if (without_borrowing(path$borrowing$borrow)) {
    intercepts <- settings$intercept * max(domain$n_pooled, 1)
    steps$cp <- path$objective - domain$n + 2 * (steps$size + intercepts)
  }
  quick_frame(c(steps, step_proof(path)))
}

path_criterion <- function(path, size) {
  anew <- path$borrowing$anew
  if (is.null(anew)) return(path$objective + colSums(path$sets * path$borrowing$pen))
  likelihood_value(path$objective, size, anew) + path$constant
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

# A table of the chosen features in the target's units: the estimate of each domain by itself (of a likelihood one
# Newton step from the borrowed estimate), the borrowed estimate, and the share of its precision that the other
# domains add. model: the target's. The attribute `lacking` says, by domain, why estimates are missing.
borrowed_table <- function(path, model, labels) {
  domains <- stats::setNames(path$domains, domain_names(path$domains))
  if (length(domains) == 1 || is.null(path$form)) return(NULL)
  set <- which(path$sets[, path$best])
  columns <- path$columns[set]
  terms <- labels[path$columns]
  unit <- (domains[[1]]$y_scale / domains[[1]]$x_scale)[columns]
  domains <- lapply(domains, without_level, intercept = TRUE)
  estimates <- lapply(domains, function(domain) unique_estimates(domain)[set] * unit)
  lacking <- unlist(lapply(stats::setNames(domains, c("target_only", names(domains)[-1])), why_lacking, set, terms))
  share <- source_share(path, set)
  structure(quick_frame(c(
    list(term = terms[set], target_only = estimates[[1]]), estimates[-1],
    list(borrowed = unname(model$beta[columns, path$best]), weight = share$sources, shrinkage = share$prior)
  )), lacking = lacking)
}

# Least squares of a domain for the columns that vary in it; NA where the solution is not unique, since a fit of
# deficient rank would keep columns by their order.
unique_estimates <- function(domain) {
  unique <- length(domain$fit$kept) == sum(domain$varies)
  ifelse(domain$varies & unique, domain$fit$coef, NA)
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
    rest <- solve(block[-1, -1, drop = FALSE], block[-1, 1])
    block[1, 1] - sum(block[1, -1] * rest)
  }, 0)
  list(sources = pmax(1 - (rows + prior)[set] / precision, 0), prior = pmin(prior[set] / precision, 1))
}
