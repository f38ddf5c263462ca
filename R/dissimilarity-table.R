# The figures of dissimilarity(), a row for each other domain.

# sites: the domains given by their estimates, see estimates_of_frame(). how: standardize, intercept, and of numbers
# sigma2.
dissimilarity_table_refitted <- function(frame, target, sites, draws, how, call) {
  draws <- check_number(draws, "draws", 0, call, whole = TRUE, high = 1e6)
  usable <- if (likelihood_is_used(frame$family)) {
    tlcp_columns_usable_family(frame, target, call)
  } else {
    tlcp_columns_usable_domains(frame, target, how$intercept, call)
  }
  frame <- usable$frame
  with_rows <- c(target, setdiff(levels(frame$domain), target))
  domains <- c(with_rows, names(sites))
  dissimilarity_table_check_domains(domains, call)
  if (length(how$sigma2) > 1) {
    abort_input("{.arg sigma2} has {length(how$sigma2)} numbers, and {.arg sources} are given.", "sigma2",
                i = "Give one number, the target's residual variance.", call = call)
  }
  known <- if (!is.null(frame$sources)) estimates_of_sources(frame, call)
  several <- length(domains) > 2
  done <- 0
  folds <- max(dissimilarity_error_folds(which(frame_rows_of_domain(frame, target)), likelihood_is_used(frame$family)))
  fits <- (length(domains) - 1 + several) * (1 + folds) + length(with_rows) * folds
  tell <- progress_new("Fits", fits)
  count <- function() {
    done <<- done + 1
    if (!is.null(tell)) tell(done)
  }
  parts <- if (likelihood_is_used(frame$family)) {
    target_frame <- frame_rows_of_domains(frame, target)
    fold <- dissimilarity_error_folds(seq_len(frame_rows_count(target_frame)), TRUE)
    dissimilarity_refit_parts(target_frame, target, fold)
  }
  sharing <- function(chosen, draws, last) {
    on.exit(count())
    rows <- frame_rows_of_domains(frame, c(target, intersect(with_rows, chosen)))
    chosen <- sites[intersect(names(sites), chosen)]
    if (!likelihood_is_used(frame$family)) return(dissimilarity_table_moments_sharing(rows, target, chosen, draws, how,
                                                                                      call))
    dissimilarity_table_family_sharing(rows, target, chosen, draws, how, call, parts, count, last)
  }
  pairs <- lapply(domains[-1], sharing, draws, !several)
  joint <- if (several) sharing(domains[-1], 0, TRUE) else pairs[[1]]
  held <- if (likelihood_is_used(frame$family)) lapply(c(pairs, if (several) list(joint)), `[[`, "held")
  held <- c(held, list(shrunk = joint$shrunk))
  errors <- dissimilarity_errors_refitted(frame, target, known, domains[-1], how, held, parts, count, call)
  n <- c(table(frame$domain), vapply(sites, `[[`, 0, "n"))
  dissimilarity_table_new(
    domains[-1], as.double(n[domains[-1]]), pairs, errors$by_domain, target = target,
    family = if (likelihood_is_used(frame$family)) if (is.null(frame$theta)) frame$family else NEGBIN[1],
    joint = data.frame(lr = joint$lr, log_bf = joint$log_bf, borrowed = errors$joint,
                       n = sum(frame_rows_of_domain(frame, target)), folds = folds, joint[c("q", "q_df", "i2")]),
    left_out = frame$left_out
  )
}

# tau, relative dissimilarity and the likelihood ratio of sharing, of the target with one other domain or with all.
# found: by units the domains without their levels, lr and tau2; s2: residual variances.
dissimilarity_table_sharing <- function(found, any, s2, intercept, draws) {
  lr <- vapply(found, `[[`, 0, "lr")
  likelier <- found[[names(which.max(tlcp_units_weights(lr, any)))]]
  varies <- which(likelier$domains[[1]]$varies)
  columns <- lapply(likelier$domains, tlcp_domain_columns, varies, intercept)
  distance <- dissimilarity_table_distance(columns[1:2], s2[1:2], draws)
  heterogeneity <- dissimilarity_heterogeneity(columns, s2, likelier$df, varies)
  log_bf <- tlcp_units_joint_ratio(vapply(found, `[[`, 0, "log_bf"), any)
  c(list(lr = tlcp_units_joint_ratio(lr, any), log_bf = log_bf, tau = sqrt(sum(likelier$tau2[1:2]))), distance,
    heterogeneity, columns = length(varies))
}

# What dissimilarity_table_sharing() needs of the domains in one of the units.
dissimilarity_table_sharing_figures <- function(domains, s2, df, call) {
  c(list(domains = domains, s2 = s2, df = df, log_bf = dissimilarity_evidence_of_sharing(domains, s2, call)),
    tlcp_prior_sharing(domains, s2, call)[c("lr", "tau2", "path")])
}

# dissimilarity_table_sharing() of expansions of the likelihood, and `held`, the linear predictors of the target's rows,
# each from a model without the rows of its fold; with `shrunk` also those of the target alone with shrinkage. parts: of
# dissimilarity_refit_parts().
dissimilarity_table_family_sharing <- function(frame, target, sites, draws, how, call, parts, count, shrunk) {
  fixed <- dissimilarity_refit_settings(frame, target, sites, "hierarchical", how, call)
  modes <- list()
  for (name in tlcp_units_in_question(fixed$settings$units, fixed$spreads)) {
    modes[[name]] <- family_mode_borrowed(fixed, name, call, near = if (length(modes)) modes[[1]])
    fixed$dispersion <- modes[[1]]$dispersion
    fixed$size <- modes[[1]]$size
  }
  s2 <- modes[[1]]$borrowing$s2
  found <- lapply(modes, function(mode) {
    domains <- tlcp_domain_own_levels(mode$quadratics, intercept = TRUE)
    dissimilarity_table_sharing_figures(domains, s2, rep(Inf, length(domains)), call)
  })
  sharing <- dissimilarity_table_sharing(found, fixed$spreads$any, s2, fixed$settings$intercept, draws)
  modes <- Map(function(mode, one) dissimilarity_refit_paths(mode, one$path, call), modes, found)
  c(sharing, list(held = dissimilarity_refit_predictions(fixed, modes, parts, count, call),
                  shrunk = if (shrunk) dissimilarity_refit_shrunk(fixed, modes[[1]], parts, call)))
}

# dissimilarity_table_sharing() of second moments and estimates.
dissimilarity_table_moments_sharing <- function(frame, target, sites, draws, how, call) {
  sums <- moments_rows_domain_sums(frame_moments_cells(frame, target, call), how$intercept)
  spreads <- tlcp_units_spread_evidence(sums)
  units <- tlcp_units_in_question(if (how$standardize) "evidence" else "common", spreads)
  found <- lapply(stats::setNames(nm = units), function(name) {
    domains <- tlcp_units_domains(sums, name, how$standardize, call)
    domains <- c(domains, tlcp_domain_of_sites(sites, domains, how$intercept))
    columns <- which(Reduce(`|`, lapply(domains, `[[`, "varies")))
    domains <- lapply(domains, tlcp_domain_columns, columns, how$intercept)
    noise <- tlcp_variances_for_borrowing(domains, how$sigma2, how$intercept, call)
    domains <- tlcp_domain_own_levels(domains, intercept = how$intercept)
    dissimilarity_table_sharing_figures(domains, noise$s2, dissimilarity_table_noise_df(noise), call)
  })
  dissimilarity_table_sharing(found, spreads$any, found[[1]]$s2, how$intercept, draws)
}

# Degrees of freedom of residual variances of tlcp_variances_of_domains().
dissimilarity_table_noise_df <- function(noise) ifelse(noise$from %in% c("known", "given"), Inf, noise$df)

dissimilarity_table_check_domains <- function(domains, call) {
  if (length(domains) < 2) {
    abort_input("There is one domain: {.val {domains}}.", "domain",
                i = "Give rows of the target and of at least one other domain.", call = call)
  }
}

# held: the target's rows in folds (dissimilarity_error_plan()), or NULL. how: the settings standardize, intercept,
# scales. left_out: the incomplete rows, as in a frame.
dissimilarity_table <- function(cells, held, draws, how, sigma2, left_out, call) {
  draws <- check_number(draws, "draws", 0, call, whole = TRUE, high = 1e6)
  domains <- dissimilarity_error_own_domains(cells, how, call)
  varies <- which(domains[[1]]$varies)
  if (!length(varies)) {
    abort_input("No column of {.arg x} varies in domain {.val {domains[[1]]$name}}.", "x",
                i = "Give columns that vary there: there is nothing to compare.", call = call)
  }
  columns <- lapply(domains, tlcp_domain_columns, varies, how$intercept)
  noise <- tlcp_variances_of_domains(columns, sigma2, call)
  s2 <- noise$s2
  df <- dissimilarity_table_noise_df(noise)
  given <- check_order_by_names(sigma2, names(cells), "sigma2", call)
  groups <- lapply(seq_along(cells)[-1], function(other) c(1, other)) # the target with each other domain,
  if (length(cells) > 2) groups <- c(groups, list(seq_along(cells))) # and with all of several
  shared <- lapply(groups, function(group) {
    sigma2 <- if (length(given) > 1) given[group] else given
    dissimilarity_error_shared(cells[group], held$without %||% list(), sigma2, how, call)
  })
  joint <- shared[[length(shared)]]
  pairs <- lapply(seq_along(columns)[-1], function(t) {
    pair <- c(1, t)
    c(shared[[t - 1]][c("lr", "log_bf", "tau")], dissimilarity_table_distance(columns[pair], s2[pair], draws),
      dissimilarity_heterogeneity(columns[pair], s2[pair], df[pair], varies), columns = length(varies))
  })
  errors <- dissimilarity_errors_left_out(held, cells, shared, call)
  dissimilarity_table_new(
    tlcp_domain_names(domains[-1]), vapply(domains[-1], `[[`, 0, "n"), pairs, errors, target = domains[[1]]$name,
    joint = data.frame(lr = joint$lr, log_bf = joint$log_bf, borrowed = errors$joint, n = domains[[1]]$n,
                       folds = length(held$without),
                       dissimilarity_heterogeneity(columns, s2, df, varies)[c("q", "q_df", "i2")]),
    left_out = left_out
  )
}

# pairs: by domain tau, distances and the likelihood ratio; errors: by domain those of held-out rows.
# joint: the figures of all domains together, of which evidence and heterogeneity become columns of the attribute.
dissimilarity_table_new <- function(domain, n, pairs, errors, joint, ...) {
  take <- function(name) vapply(pairs, `[[`, 0, name)
  log_bf <- take("log_bf")
  columns <- take("columns")
  table <- data.frame(
    domain = domain, n = n, lapply(stats::setNames(nm = c("tau", "raw", "relative", "lower", "upper")), take),
    lr = take("lr"), log_bf = log_bf,
    evidence = dissimilarity_evidence_verdict(log_bf, columns, take("q_p")),
    adjusted = dissimilarity_evidence_verdict(log_bf, columns, take("q_p"), length(log_bf)),
    lapply(stats::setNames(nm = c("q", "q_p", "i2")), take), errors[LOO_WAYS],
    row.names = NULL
  )
  joint$evidence <- if (nrow(table) == 1) table$evidence else
    dissimilarity_evidence_verdict(joint$log_bf, columns[1], NA_real_)
  table_classed(table, "transfer_dissimilarity", joint = joint, ...)
}

# |w_1 - w_2|/|w_1| with a parametric bootstrap interval. From both squares their expected error is subtracted.
dissimilarity_table_distance <- function(domains, s2, draws) {
  p <- length(domains[[1]]$g)
  whole <- all(vapply(domains, function(t) length(t$fit$kept) == p, NA))
  if (!whole) return(list(raw = NA_real_, relative = NA_real_, lower = NA_real_, upper = NA_real_))
  V <- Map(tlcp_rule_fit_variance, domains, s2)
  noise <- vapply(V, function(v) sum(diag(v)), 0)
  ratio <- function(w1, w2) { # a column each
    apart <- pmax.int(colSums((w1 - w2)^2) - sum(noise), 0)
    sqrt(apart / pmax.int(colSums(w1^2) - noise[1], noise[1] / p))
  }
  w <- lapply(domains, function(t) t$fit$coef)
  interval <- c(NA_real_, NA_real_)
  if (draws > 0) {
    # estimates are more spread than the true coefficients, so draws are made around estimates shrunk to the likely
    # size
    towards <- function(v, noise) v * sqrt(max(1 - noise / sum(v^2), 0))
    first <- towards(w[[1]], noise[1])
    centre <- list(first, first - towards(w[[1]] - w[[2]], sum(noise)))
    factor <- lapply(V, chol)
    z <- array(stats::rnorm(2 * p * draws), c(p, 2, draws))
    moved <- lapply(1:2, function(t) centre[[t]] + crossprod(factor[[t]], matrix(z[, t, ], p)))
    drawn <- ratio(moved[[1]], moved[[2]])
    interval <- unname(stats::quantile(drawn, c(.025, .975)))
  }
  list(raw = sqrt(sum((w[[1]] - w[[2]])^2) / sum(w[[1]]^2)), relative = ratio(cbind(w[[1]]), cbind(w[[2]])),
       lower = interval[1], upper = interval[2])
}
