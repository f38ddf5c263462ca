# Mean squared errors or mean deviances of the target's rows (of survival times minus twice the log partial
# likelihood per event), each row's linear predictor from a fit without the row; NA where one cannot be
# fitted. known: domains without rows, as sites of estimates.R; others: names of all other
# domains; held: of a likelihood, predictions of the rows by what is borrowed from each and from all of these, see
# dissimilarity_table_family_sharing(). count: called after each fit.
dissimilarity_errors_refitted <- function(frame, target, known, others, how, held, parts, count, call) {
  mine <- which(frame_rows_of_domain(frame, target))
  likelihood <- likelihood_is_used(frame$family)
  fold <- dissimilarity_error_folds(mine, likelihood)
  own <- frame_rows_of_domains(frame, target)
  predictions <- function(predict_rows) {
    eta <- numeric(length(mine))
    for (f in seq_len(max(fold))) {
      at <- fold == f
      eta[at] <- predict_rows(mine[at], frame$x[mine[at], , drop = FALSE])
    }
    dissimilarity_error_refitted_loss(own, target, eta)
  }
  refitted <- function(borrow, domains, out, x) {
    kept <- frame_rows(frame, setdiff(which(frame$domain %in% c(target, domains)), out))
    kept$domain <- table_used_levels(kept$domain)
    lent <- known[intersect(names(known), domains)]
    kept["sources"] <- list(if (length(lent)) list(models = list(estimates_new(lent)), names = names(lent)[1]))
    fit <- tryCatch(suppressMessages(tlcp(kept, target = target, borrow = borrow, select = FALSE,
                                          standardize = how$standardize, intercept = how$intercept,
                                          control = tlcp_control(sigma2 = how$sigma2))),
                    transelect_error = function(e) NULL)
    count()
    if (is.null(fit)) NA_real_ else response_scores_at(x, fit, fit$best + 1L)
  }
  error <- function(borrow, domains) predictions(function(out, x) refitted(borrow, domains, out, x))
  alone <- if (!likelihood) error("none", NULL) else {
    eta <- dissimilarity_refit_alone(own, target, how, parts, function(part) {
      refitted("none", NULL, mine[part$out], own$x[part$out, , drop = FALSE])
    }, count, call)
    dissimilarity_error_refitted_loss(own, target, eta)
  }
  shrunk <- if (likelihood) NA_real_ else predictions(function(out, x) {
    cells <- frame_moments_cells(frame_rows(own, which(!mine %in% out)), target, call)
    tryCatch({
      dissimilarity_error_shrunk(dissimilarity_error_own_domains(cells, how, call), as.matrix(x), how$sigma2,
                                 how$intercept, call)
    }, transelect_error_y = function(e) NA_real_) # too few rows left, or a constant response
  })
  borrowed <- if (likelihood) {
    vapply(held[seq_along(others)], dissimilarity_error_refitted_loss, 0, own = own, target = target)
  } else {
    vapply(others, function(name) error("hierarchical", name), 0)
  }
  list(
    by_domain = data.frame(
      own = alone, shrunk = shrunk, borrowed = borrowed,
      # only domains with rows can be put together with the target
      pooled = vapply(others, function(name) {
        if (name %in% names(known)) return(NA_real_)
        if (!likelihood) return(error("aggregate", name))
        both <- frame_rows_of_domains(frame, c(target, name))
        eta <- dissimilarity_refit_pooled(both, target, how, parts, count, call)
        dissimilarity_error_refitted_loss(own, target, eta)
      }, 0)
    )[LOO_WAYS],
    joint = if (length(others) == 1) borrowed[[1]] else if (!likelihood) error("hierarchical", others) else
      dissimilarity_error_refitted_loss(own, target, held[[length(held)]])
  )
}

# own: the target's rows.
dissimilarity_error_refitted_loss <- function(own, target, eta) {
  if (!likelihood_is_used(own$family)) {
    return(response_weights_mean((response_first(own$y) - eta)^2, response_weights_of_rows(own)))
  }
  part <- response_family_part(own, target)
  if (anyNA(eta)) return(NA_real_)
  loss <- likelihood_saturated(own$family, part) - likelihood_value(own$family, part, part$offset + eta)
  2 * loss / if (own$family == "cox") part$risk$events else sum(part$w)
}

LOO_WAYS <- c("own", "shrunk", "pooled", "borrowed")

# Leave-one-out errors of the target's rows. They are put into folds, and each fold is predicted by
# models of the rows that are left: the target's moments are computed anew and all parameters estimated anew, as by
# tlcp(select = FALSE) of those rows. The maximum behind the likelihood ratio of sharing is searched from the
# estimates of all rows; that of the borrowing prior is not, as there may be several.

LOO_ROWS <- 30  # up to so many rows each is left out by itself,
LOO_FOLDS <- 10 # of more, every tenth together

# The fold of each row: one for each row where rows are few; with a likelihood ten folds at most, since its fits are
# iterative.
dissimilarity_error_folds <- function(rows, likelihood) {
  n <- length(rows)
  folds <- if (likelihood || n > LOO_ROWS) min(LOO_FOLDS, n) else n
  (seq_along(rows) - 1L) %% folds + 1L
}

# What the folds need: the target's rows (x, y, w, fold), the sums of the target without each fold (`without`), the
# sums of the other domains, and the settings by which sums become domains (how: standardize, intercept).
dissimilarity_error_plan <- function(frame, target, how, sigma2, call) {
  y <- response_first(frame$y)
  own <- which(frame_rows_of_domain(frame, target))
  fold <- dissimilarity_error_folds(own, FALSE)
  parts <- rep_len(1L, length(y))
  parts[own] <- fold
  sums <- frame_moments_sums(frame, parts, call)
  cells <- sums$cells
  mine <- sums$labels$domain == target
  others <- setdiff(levels(frame$domain), target)
  list(
    x = as.matrix(frame$x[own, , drop = FALSE]), y = y[own], w = response_weights_of_rows(frame)[own],
    fold = fold, without = dissimilarity_error_cells_without(cells[mine][order(as.integer(sums$labels$fold[mine]))]),
    others = stats::setNames(cells[match(others, sums$labels$domain)], others),
    target = target, how = how,
    sigma2 = check_order_by_names(sigma2, c(target, others), "sigma2", call)
  )
}

# For each cell: all other cells joined.
dissimilarity_error_cells_without <- function(cells) {
  none <- rapply(cells[[1]], function(x) 0 * x, how = "list")
  before <- Reduce(moments_cells_join, cells, none, accumulate = TRUE)
  after <- Reduce(moments_cells_join, cells, none, accumulate = TRUE, right = TRUE)
  lapply(seq_along(cells), function(i) moments_cells_join(before[[i]], after[[i + 1]]))
}

# Mean squared errors: own and shrunk, and by domain pooled and borrowed; joint: borrowed from all.
# cells: of all rows, the target first; shared: the results of dissimilarity_error_borrowed_model() for each pair and
# for all domains, from which the fits without a fold start. NA where a fold cannot be fitted, and all of them without
# rows.
dissimilarity_errors_left_out <- function(held, cells, shared, call) {
  at <- seq_along(cells)[-1]
  error <- rep(NA_real_, 2 * length(cells) + 1)
  if (!is.null(held)) {
    sums <- moments_rows_domain_sums(cells, held$how$intercept)
    varies <- sums$spread[-nrow(sums$spread), , drop = FALSE] > 0
    predicted <- matrix(NA_real_, length(held$y), length(error))
    tell <- progress_new("Rows left out", length(held$without))
    for (f in seq_along(held$without)) {
      predicted[held$fold == f, ] <- dissimilarity_error_predictions(held, f, varies, shared, call)
      if (!is.null(tell)) tell(f)
    }
    error <- colSums(held$w * (held$y - predicted)^2) / sum(held$w)
  }
  list(own = error[1], shrunk = error[2], pooled = error[at + 1],
       borrowed = error[at + length(at) + 1], joint = error[length(error)])
}

# Predictions of a fold's rows by the models without the fold, a column each in the order of
# dissimilarity_errors_left_out(). varies: columns x domains, those that vary in all rows.
dissimilarity_error_predictions <- function(held, f, varies, shared, call) {
  x <- held$x[held$fold == f, , drop = FALSE]
  cells <- c(stats::setNames(held$without[f], held$target), held$others)
  how <- held$how
  variance <- function(which) if (length(held$sigma2) > 1) held$sigma2[which] else held$sigma2
  at <- seq_along(cells)[-1]
  tryCatch({
    alone <- dissimilarity_error_own_domains(cells[1], how, call)
    pooled <- lapply(at, function(other) {
      domain <- tlcp_columns_pooled_domain(dissimilarity_error_own_domains(cells[c(1, other)], how, call),
                                           list(intercept = how$intercept))
      dissimilarity_error_squares(domain, x, sum(varies[, 1] | varies[, other]))
    })
    borrowed <- Map(function(which, start) {
      dissimilarity_error_borrowed(cells[which], x, variance(which), how, start, call)
    }, dissimilarity_error_groups(length(cells)), shared)
    own <- dissimilarity_error_squares(alone[[1]], x, sum(varies[, 1]))
    shrunk <- dissimilarity_error_shrunk(alone, x, variance(1), how$intercept, call)
    do.call(cbind, c(list(own, shrunk), pooled, borrowed[at - 1], borrowed[length(borrowed)]))
  }, transelect_error_y = function(e) NA_real_) # too few rows left, or a constant response
}

# The domains of cells, each in its own units. how: standardize, intercept.
dissimilarity_error_own_domains <- function(cells, how, call) {
  tlcp_domain_moments(moments_rows_domain_sums(cells, how$intercept), if (how$standardize) "own" else "y", call)
}

# The target with each other domain and, where there are several, with all of them.
dissimilarity_error_groups <- function(n_domains) {
  pairs <- lapply(seq_len(n_domains)[-1], function(other) c(1, other))
  if (n_domains > 2) c(pairs, list(seq_len(n_domains))) else pairs
}

# Predictions by the least squares of a domain; NA unless they determine as many coefficients as those of all rows do.
dissimilarity_error_squares <- function(domain, x, wanted) {
  if (length(domain$fit$kept) < wanted) return(rep(NA_real_, nrow(x)))
  dissimilarity_error_domain(domain, x, seq_along(domain$g), domain$fit$coef)
}

# What the first domain borrows from the others, all features kept. With `evidence`: the log likelihood ratio of
# sharing, tau in the likelier units, the log Bayes factor, and `start`, from where a fit of nearly the same domains
# starts. Else the models that have a weight, in each of the units and of the target standing alone, and their weights.
dissimilarity_error_borrowed_model <- function(cells, sigma2, how, call, start = NULL, evidence = FALSE) {
  sums <- moments_rows_domain_sums(cells, how$intercept)
  spreads <- tlcp_units_spread_evidence(sums)
  units <- tlcp_units_in_question(if (how$standardize) "evidence" else "common", spreads)
  found <- lapply(stats::setNames(nm = units), function(units) {
    dissimilarity_error_sharing_model(sums, units, sigma2 = sigma2, how = how, call = call, start = start[[units]],
                                      evidence = evidence)
  })
  lr <- vapply(found, `[[`, 0, "lr")
  likelier <- which.max(tlcp_units_weights(lr, spreads$any))
  out <- list(lr = tlcp_units_joint_ratio(lr, spreads$any), tau = found[[likelier]]$tau)
  if (evidence) {
    out$log_bf <- tlcp_units_joint_ratio(vapply(found, `[[`, 0, "log_bf"), spreads$any)
    out$start <- lapply(found, `[[`, "start")
    return(out)
  }
  settings <- c(list(guard = TRUE, select = FALSE), how["scales"])
  sparse <- tlcp_sparse_alternatives(found, tlcp_units_prior(spreads$any), settings, call)
  weights <- tlcp_units_weights(lr, spreads$any, alone = TRUE, sparse = sparse)
  out$weights <- weights[weights > 0]
  borrowed <- setdiff(names(out$weights), names(sparse))
  priors <- lapply(found[unique(vapply(borrowed, tlcp_units_of, "", units))], function(one) {
    tlcp_prior_hierarchical(one$domains, one$used$s2, k = 2, how, one$lr, call)
  })
  out$models <- lapply(stats::setNames(nm = names(out$weights)), function(name) {
    of <- if (name %in% borrowed) tlcp_units_of(name, units) else sparse[[name]]$units
    one <- found[[of]]
    coef <- if (name %in% borrowed) {
      dissimilarity_error_posterior_coef(one, priors[[of]], how, name == "alone", call)
    } else {
      sparse[[name]]$mean
    }
    c(tlcp_domain_raw_coefficients(cbind(coef), one$used$columns, one$domains[[1]]), one$used["columns"])
  })
  out
}

# The domains in units and their likelihood ratio of sharing, as tlcp_sparse_alternatives() takes them.
dissimilarity_error_sharing_model <- function(sums, units, sigma2, how, call, start, evidence) {
  used <- tlcp_units_columns(sums, units, how, call)
  if (!length(used$columns)) {
    abort_input("No column of {.arg x} varies.", "borrow", i = "Give columns that vary: there is nothing to borrow.",
                call = call)
  }
  domains <- used$domains
  variances <- tlcp_variances_for_borrowing(domains, sigma2, how$intercept, call)
  s2 <- variances$s2
  sharing <- tlcp_prior_sharing(domains, s2, call, start)
  list(lr = sharing$lr, tau = sqrt(sum(sharing$tau2[1:2])), start = sharing$path, domains = domains,
       used = c(used, list(s2 = s2, s2_df = variances$df)), log_bf = if (evidence) {
         dissimilarity_evidence_of_sharing(tlcp_domain_own_levels(domains, how$intercept), s2, call)
       })
}

# The target's coefficients with what it borrows, or `alone`, in its units. one: of dissimilarity_error_sharing_model().
dissimilarity_error_posterior_coef <- function(one, borrowing, how, alone, call) {
  if (alone) borrowing <- tlcp_prior_unrelated_target(borrowing, one$domains[[1]], one$used$s2[1], how, call)
  sqrt(borrowing$scales) * tlcp_form_coefficients_of_all(one$domains, borrowing)[, 1]
}

# Predictions by the model of the cells, averaged over the units and standing alone; NA where the likelihood cannot be
# evaluated.
dissimilarity_error_borrowed <- function(cells, x, sigma2, how, start, call) {
  tryCatch({
    found <- dissimilarity_error_borrowed_model(cells, sigma2, how, call, start)
    Reduce(`+`, Map(function(one, weight) {
      weight * (one$a0 + drop(x[, one$columns, drop = FALSE] %*% one$beta))
    }, found$models, found$weights))
  }, transelect_error_borrow = function(e) rep(NA_real_, nrow(x)))
}

# Predictions by a domain alone, its coefficients shrunk by a ridge that maximises its marginal likelihood.
dissimilarity_error_shrunk <- function(domains, x, sigma2, intercept, call) {
  columns <- which(domains[[1]]$varies)
  coef <- tryCatch(if (length(columns)) {
    domains <- lapply(domains, tlcp_domain_columns, columns, intercept)
    s2 <- tlcp_variances_of_domains(domains, sigma2, call)$s2
    omega2 <- tlcp_prior_or_stop(.Call(C_borrow_alone, domains, s2, NULL), call)$omega2
    A <- domains[[1]]$G / s2
    diag(A) <- diag(A) + 1 / omega2
    .Call(C_spd_solve, A, domains[[1]]$g / s2)
  }, transelect_error_borrow = function(e) NULL)
  if (is.null(coef)) return(rep(NA_real_, nrow(x)))
  dissimilarity_error_domain(domains[[1]], x, columns, coef)
}

dissimilarity_error_domain <- function(domain, x, columns, coef) {
  slope <- domain$y_scale * coef / domain$x_scale[columns]
  domain$y_mean + drop((x[, columns, drop = FALSE] - rep(domain$x_mean[columns], each = nrow(x))) %*%
                       slope)
}
