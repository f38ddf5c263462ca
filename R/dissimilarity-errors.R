# Mean squared errors or mean deviances of the target's rows (of survival times minus twice the log partial
# likelihood per event), each row's linear predictor from a fit without the row; NA where one cannot be
# fitted. known: domains without rows, as sites of estimates.R; others: names of all other
# domains; held: of a likelihood, predictions of the rows by what is borrowed from each and from all of these, and
# `shrunk`, see dissimilarity_table_family_sharing(). count: called after each fit.
dissimilarity_errors_refitted <- function(frame, target, known, others, how, held, parts, count, call) {
  mine <- which(frame_rows_of_domain(frame, target))
  likelihood <- likelihood_is_used(frame$family)
  fold <- dissimilarity_error_folds(mine, likelihood)
  target_frame <- frame_rows_of_domains(frame, target)
  predictions <- function(predict_rows) {
    eta <- numeric(length(mine))
    for (f in seq_len(max(fold))) {
      in_fold <- fold == f
      eta[in_fold] <- predict_rows(mine[in_fold], frame$x[mine[in_fold], , drop = FALSE])
    }
    dissimilarity_error_refitted_loss(target_frame, target, eta)
  }
  refitted <- function(borrow, domains, rows_out, x) {
    kept <- frame_rows(frame, setdiff(which(frame$domain %in% c(target, domains)), rows_out))
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
  error <- function(borrow, domains) predictions(function(rows_out, x) refitted(borrow, domains, rows_out, x))
  alone <- if (!likelihood) error("none", NULL) else {
    eta <- dissimilarity_refit_alone(target_frame, target, how, parts, function(part) {
      refitted("none", NULL, mine[part$out], target_frame$x[part$out, , drop = FALSE])
    }, count, call)
    dissimilarity_error_refitted_loss(target_frame, target, eta)
  }
  ridge <- function(rows_out, x) {
    cells <- frame_moments_cells(frame_rows(target_frame, which(!mine %in% rows_out)), target, call)
    tryCatch({
      dissimilarity_error_shrunk(dissimilarity_error_own_domains(cells, how, call), as.matrix(x), how$sigma2,
                                 how$intercept, call)
    }, transelect_error_y = function(e) NA_real_) # too few rows left, or a constant response
  }
  shrunk <- if (likelihood) dissimilarity_error_refitted_loss(target_frame, target, held$shrunk) else predictions(ridge)
  borrowed <- if (likelihood) {
    vapply(held[seq_along(others)], dissimilarity_error_refitted_loss, 0, target_frame = target_frame,
           target = target)
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
        dissimilarity_error_refitted_loss(target_frame, target, eta)
      }, 0)
    )[LOO_WAYS],
    joint = if (length(others) == 1) borrowed[[1]] else if (!likelihood) error("hierarchical", others) else
      dissimilarity_error_refitted_loss(target_frame, target, held[[length(held) - 1]])
  )
}

# target_frame: the target's rows.
dissimilarity_error_refitted_loss <- function(target_frame, target, eta) {
  if (!likelihood_is_used(target_frame$family)) {
    return(response_weights_mean((response_first(target_frame$y) - eta)^2, response_weights_of_rows(target_frame)))
  }
  part <- response_family_part(target_frame, target)
  if (anyNA(eta)) return(NA_real_)
  family <- target_frame$family
  loss <- likelihood_saturated(family, part) - likelihood_value(family, part, part$offset + eta)
  2 * loss / if (family == "cox") part$risk$events else sum(part$w)
}

LOO_WAYS <- c("own", "shrunk", "pooled", "borrowed")

# Leave-one-out errors of the target's rows. They are put into folds, and each fold is predicted by
# models of the rows that are left: the target's moments are computed anew and all parameters estimated anew, as by
# tlcp(select = FALSE) of those rows, but the maxima behind the borrowing prior are searched from those of all rows,
# with a coarser tolerance (src/tlcp/held.h).

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
  target_rows <- which(frame_rows_of_domain(frame, target))
  fold <- dissimilarity_error_folds(target_rows, FALSE)
  parts <- rep_len(1L, length(y))
  parts[target_rows] <- fold
  sums <- frame_moments_sums(frame, parts, call)
  cells <- sums$cells
  mine <- sums$labels$domain == target
  others <- setdiff(levels(frame$domain), target)
  list(
    x = as.matrix(frame$x[target_rows, , drop = FALSE]), y = y[target_rows],
    w = response_weights_of_rows(frame)[target_rows], fold = fold,
    without = dissimilarity_error_cells_without(cells[mine][order(as.integer(sums$labels$fold[mine]))]),
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

# Mean squared errors: own and shrunk, and by domain pooled and borrowed; joint: borrowed from all. NA where a fold
# cannot be fitted, and all of them without rows. cells: of all rows, the target first; shared: of
# dissimilarity_error_shared() for each pair and for all domains.
dissimilarity_errors_left_out <- function(held, cells, shared, call) {
  others <- seq_along(cells)[-1]
  error <- rep(NA_real_, 2 * length(cells) + 1)
  if (!is.null(held)) {
    given <- tlcp_variances_given_of_rows(list(list(name = held$target)), held$sigma2[1], call)
    alone <- .Call(C_held_squares, cells, held$without, c(held$how[c("intercept", "standardize")], list(given = given)))
    models <- c(lapply(seq_len(nrow(alone$a0)), function(k) {
      list(a0 = alone$a0[k, ], beta = matrix(alone$beta[, k, ], nrow = dim(alone$beta)[1]))
    }), shared)
    error[seq_along(models)] <- vapply(models, function(model) {
      predicted <- model$a0[held$fold] + rowSums(held$x * t(model$beta)[held$fold, , drop = FALSE])
      sum(held$w * (held$y - predicted)^2) / sum(held$w)
    }, 0)
    if (length(shared) < length(cells)) error[length(error)] <- error[length(models)] # one other domain
  }
  list(own = error[1], shrunk = error[2], pooled = error[others + 1],
       borrowed = error[others + length(others) + 1], joint = error[length(error)])
}

# The domains of cells, each in its own units. how: standardize, intercept.
dissimilarity_error_own_domains <- function(cells, how, call) {
  tlcp_domain_moments(moments_rows_domain_sums(cells, how$intercept), if (how$standardize) "own" else "y", call)
}

HELD_BEAM <- 8 # supports of a size in the sparse alternative

# What the first domain borrows from the others, all features kept: the log likelihood ratio of sharing, tau in the
# likelier units, the log Bayes factor, and the target's constants a0 and slopes beta (a column each) by fits without
# each fold. without: the sums of the target without each fold, see src/tlcp/held.h.
dissimilarity_error_shared <- function(cells, without, sigma2, how, call) {
  given <- tlcp_variances_given_of_rows(lapply(names(cells), function(name) list(name = name)), sigma2, call)
  found <- .Call(C_held_domains, cells, without, c(how[c("intercept", "standardize")], list(
    given = given, grid = VARIANCE_GRIDS, prior = c(PRIOR_OWN, PRIOR_ALONE, PRIOR_APART, PRIOR_FEW, RARE),
    v = SPARSE_VARIANCES, spread = APART_SPREAD, factors = APART_GRID,
    size = c(SPARSE_COLUMNS, SPARSE_MOST, HELD_BEAM), enough = HELD_ENOUGH
  )))
  tlcp_prior_or_stop(found, call)
  units <- which(!is.na(found$lr))
  lr <- stats::setNames(found$lr, c("own", "common"))[units]
  likelier <- units[which.max(tlcp_units_weights(lr, found$any))]
  list(lr = tlcp_units_joint_ratio(lr, found$any), tau = found$tau[likelier],
       log_bf = tlcp_units_joint_ratio(stats::setNames(found$log_bf[units], names(lr)), found$any),
       a0 = found$a0, beta = found$beta)
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
  domain <- domains[[1]]
  slope <- domain$y_scale * coef / domain$x_scale[columns]
  centred <- x[, columns, drop = FALSE] - rep(domain$x_mean[columns], each = nrow(x))
  domain$y_mean + drop(centred %*% slope)
}
