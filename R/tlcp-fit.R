# tlcp() from the sums of the domains to the fitted object: units, the borrowing prior, the quadratic
# form, the search, the models of the sets that it found, the object.

# cells: sums by domain, the target first.
tlcp_path <- function(cells, settings, call) {
  sums <- domain_sums(cells, settings$intercept)
  problems <- if (settings$whole) units_problems(sums, settings, call) else {
    domains <- make_domains(sums, settings$scaling, call)
    list(tlcp_problem(domains, domains_in_use(domains, settings, call), settings, call))
  }
  paths <- lapply(problems, path_of, settings, call)
  if (length(paths) == 1) paths[[1]] else average_paths(paths)
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
  problem_of(all_domains, used, borrowing, settings$support)
}

# What is searched: the domains in use, the usable columns, the borrowing prior and its quadratic form. pen: NULL, or
# penalties that are given and not estimated.
problem_of <- function(all_domains, used, borrowing, support, pen = NULL) {
  form <- quadratic_form(used$domains, borrowing, support)
  borrowing$pen <- pen %||% feature_penalties(form, borrowing, support)
  list(all_domains = all_domains, domains = used$domains, columns = used$columns, borrowing = borrowing, form = form)
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

# The residual sum of squares of the target in z-scores at every step. Where z has a row for the level and the domain
# has no column of ones, the columns are centred and the level is added to their fitted values.
own_rss <- function(domain, z) {
  if (nrow(z) > length(domain$g)) {
    slopes <- seq_along(domain$g)
    return(own_rss(domain, z[slopes, , drop = FALSE]) + domain$n * z[nrow(z), ]^2)
  }
  pmax.int(domain$yy - 2 * drop(crossprod(z, domain$g)) + colSums(z * (domain$G %*% z)), 0)
}

# path: all_domains and those in use (domains), usable columns, their borrowing prior; sets (logical,
# columns x steps, the empty one first), `best` among them, z (coefficients by domain, columns x sets,
# in z-scores), objective, own (the target's residual sum of squares) and trace of each;
# certificates.
tlcp_object <- function(path, frame, target, settings) {
  models <- domain_models(path, settings)
  mine <- target_rows(frame, target)
  log_weights <- log_weights(mine)
  path$constant <- if (is.null(path$borrowing$anew)) 0 else likelihood_constant(path, settings, log_weights)
  fitted <- if (nrow(mine$x)) score_rows_at(mine$x, models[[1]], path$best)
  new_tlcp(
    path, models, tlcp_steps(path, settings), frame, target, settings, nobs = as.integer(path$all_domains[[1]]$n),
    fitted = if (!is.null(fitted)) fitted + mine$offset %||% 0,
    residuals = if (!is.null(fitted)) response_matrix(mine$y)[, 1] - fitted,
    log_weights = log_weights, certificate = certificate(path$certificate, path$constant, path$objective[1])
  )
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
    likelihood_search(units, anew, limits, run_subset, call)
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

# For each size the better result of two searches: a search that stopped early may have missed a set that the other
# has found.
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
    # another set of this size may have a smaller objective and a larger penalty, so the bound of the chosen set is
    # the bound on the criterion
    of_size$bound[same] <- min(max(of_size$bound[same], search$bound - sum(pen[chosen])), of_size$value[same])
    if (search$stopped == "complete") of_size$stopped[same] <- "complete"
  }
  list(search = search, of_size = of_size)
}

# What is searched: `form`, `pen` and `force` by unit; `columns`, the number of columns of each; `of`, the
# unit of every usable column. Groups of columns are units that enter whole, each with as many coordinates as the
# largest group has columns. The places that a smaller group leaves are filled with coordinates that nothing depends on.
search_units <- function(form, pen, force, columns, settings) {
  of <- settings$groups$of[columns]
  if (is.null(of) || !anyDuplicated(of)) {
    at <- seq_along(columns)
    return(list(form = form, pen = pen, force = force, columns = rep(1L, length(columns)), of = at))
  }
  of <- match(of, unique(of))
  size <- tabulate(of)
  list(form = padded_form(form, of, size), pen = as.vector(rowsum(pen, of)),
       force = as.integer(tapply(force, of, function(f) f[which.max(abs(f))])), columns = size, of = of)
}

padded_form <- function(form, of, size) {
  most <- max(size)
  place <- (of - 1L) * most + as.integer(stats::ave(seq_along(of), of, FUN = seq_along))
  domains <- form$n_domains
  at <- as.vector(outer(seq_len(domains), (place - 1L) * domains, `+`))
  N <- length(size) * most * domains
  A <- diag(mean(diag(form$A)), N)
  A[at, at] <- form$A
  list(A = A, b = replace(numeric(N), at, form$b), c0 = form$c0, n_domains = as.integer(most * domains))
}

# limits: force, max_nodes, max_seconds. `stopped` of the result names what ended each search. An interrupt also ends
# the caller's loop, unless options(transelect.keep_interrupted = TRUE) keeps the best sets found.
run_subset <- function(form, pen, limits, call, sizes = NULL) {
  out <- with_progress_of("Exact search, of its time limit", {
    .Call(C_subset, form, pen, c(limits, list(sizes = sizes, audit = FALSE)))
  })
  if (out$status != 0) abort_collinear(call)
  if (any(out$stopped == "interrupt") && !isTRUE(getOption("transelect.keep_interrupted"))) rlang::interrupt()
  out
}

# out: of run_subset() or likelihood_search().
warn_early <- function(out, what, call) {
  early <- which(out$stopped != "complete")
  if (!length(early)) return(invisible())
  gap <- max((out$value - out$bound)[early], na.rm = TRUE)
  why <- out$stopped[early[1]]
  cli::cli_warn(c(
    "{what} stopped early ({why}): the best set may be better by up to {signif(gap, 3)}.",
    i = switch(why,
      numerics = "Features are nearly collinear, or coupled very strongly: the gap is rounding.",
      interrupt = "The best set found until then is returned, as the option
                   {.code transelect.keep_interrupted} says.",
      "Raise {.arg max_nodes} or {.arg max_seconds}, or use a larger {.arg criterion}."
    )
  ), class = c(paste0("transelect_warning_", why), "transelect_warning_incomplete"), call = call)
}

forced_columns <- function(settings, columns) {
  force <- integer(length(columns))
  force[columns %in% settings$keep] <- 1L
  force[columns %in% settings$drop] <- -1L
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

# Coefficients of every domain in use. The coordinates that were searched differ from step to step; a domain of which
# no coordinate was searched keeps all its features.
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
average_paths <- function(paths) {
  base <- paths[[1]]
  base$z <- lapply(stats::setNames(nm = names(base$z)), function(name) {
    average_of(paths, function(path) {
      raw <- raw_coefficients(path$z[[name]], path$columns, domain_named(path$all_domains, name))
      scaled_coefficients(raw, path$columns, domain_named(base$all_domains, name))
    })
  })
  base$own <- own_rss(base$own_domain, base$z[[1]])
  base$trace <- average_of(paths, function(path) path$trace + path$intercept_df) - base$intercept_df
  base$objective <- objective_at(base)
  base$averaged <- lapply(paths, path_posterior)
  base
}

# The weighted mean over the paths of the value of `take` for each path.
average_of <- function(paths, take) {
  Reduce(`+`, Map(function(path, weight) weight * take(path), paths, paths[[1]]$borrowing$units_weights))
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

# The least squares coefficients of the usable columns in a domain that is not in use; with method "cutoff" it may
# have too few rows for all of them.
own_coefficients <- function(domain, columns, intercept) {
  if (is.null(domain$G)) domain$fit$coef else domain_columns(domain, columns, intercept)$fit$coef
}
