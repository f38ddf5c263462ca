# The figures of dissimilarity(), a row for each other domain.

check_two_domains <- function(domains, call) {
  if (length(domains) < 2) {
    abort_input("There is one domain: {.val {domains}}.", "domain",
                i = "Give rows of the target and of at least one other domain.", call = call)
  }
}

# held: the target's rows in folds (loo_plan()), or NULL. how: the settings standardize, intercept, scales.
# left_out: the incomplete rows, as in a frame.
dissimilarity_table <- function(cells, held, draws, how, sigma2, left_out, call) {
  draws <- check_number(draws, "draws", 0, call, whole = TRUE)
  domains <- own_domains(cells, how, call)
  varies <- which(domains[[1]]$varies)
  if (!length(varies)) {
    abort_input("No column of {.arg x} varies in domain {.val {domains[[1]]$name}}.", "x",
                i = "Give columns that vary there: there is nothing to compare.", call = call)
  }
  columns <- lapply(domains, domain_columns, varies, how$intercept)
  s2 <- residual_variances(columns, sigma2, call)$s2
  given <- in_order_of(sigma2, names(cells), "sigma2", call)
  shared <- lapply(domain_groups(length(cells)), function(which) {
    sigma2 <- if (length(given) > 1) given[which] else given
    borrowed_model(cells[which], sigma2, how, call, model = !is.null(held), evidence = TRUE)
  })
  joint <- shared[[length(shared)]]
  pairs <- lapply(seq_along(columns)[-1], function(t) {
    pair <- c(1, t)
    c(shared[[t - 1]][c("lr", "log_bf", "tau")], relative_distance(columns[pair], s2[pair], draws))
  })
  errors <- loo_errors(held, cells, lapply(shared, `[[`, "start"), call)
  new_dissimilarity(
    domain_names(domains[-1]), vapply(domains[-1], `[[`, 0, "n"), pairs, errors, target = domains[[1]]$name,
    joint = data.frame(lr = joint$lr, log_bf = joint$log_bf, borrowed = errors$joint, n = domains[[1]]$n,
                       folds = length(held$without)),
    left_out = left_out
  )
}

# pairs: by domain tau, distances and the likelihood ratio; errors: by domain those of rows left out.
new_dissimilarity <- function(domain, n, pairs, errors, ...) {
  take <- function(name) vapply(pairs, `[[`, 0, name)
  log_bf <- take("log_bf")
  out <- data.frame(
    domain = domain, n = n, lapply(stats::setNames(nm = c("tau", "raw", "relative", "lower", "upper")), take),
    lr = take("lr"), log_bf = log_bf,
    evidence = ifelse(log_bf > BF_FOR, "for", ifelse(log_bf < BF_AGAINST, "against", "open")),
    errors[LOO_WAYS],
    row.names = NULL
  )
  structure(out, class = c("transfer_dissimilarity", "data.frame"), ...)
}

# |w_1 - w_2|/|w_1| with a parametric bootstrap interval. From both squares their expected error is subtracted.
relative_distance <- function(domains, s2, draws) {
  p <- length(domains[[1]]$g)
  whole <- all(vapply(domains, function(t) length(t$fit$kept) == p, NA))
  if (!whole) return(list(raw = NA_real_, relative = NA_real_, lower = NA_real_, upper = NA_real_))
  V <- Map(fit_variance, domains, s2)
  noise <- vapply(V, function(v) sum(diag(v)), 0)
  ratio <- function(w1, w2) {
    apart <- max(sum((w1 - w2)^2) - sum(noise), 0)
    sqrt(apart / max(sum(w1^2) - noise[1], noise[1] / p))
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
    drawn <- replicate(draws, {
      moved <- Map(function(w, R) w + drop(stats::rnorm(p) %*% R), centre, factor)
      ratio(moved[[1]], moved[[2]])
    })
    interval <- unname(stats::quantile(drawn, c(.025, .975)))
  }
  list(raw = sqrt(sum((w[[1]] - w[[2]])^2) / sum(w[[1]]^2)), relative = ratio(w[[1]], w[[2]]),
       lower = interval[1], upper = interval[2])
}

LOO_WAYS <- c("own", "shrunk", "pooled", "borrowed")

# ---- leave-one-out -------------------------------------------------------------------------------

# Leave-one-out errors of the target's rows. They are put into folds, and each fold is predicted by
# models of the rows that are left: the target's moments are computed anew and all parameters estimated anew, as by
# tlcp(select = FALSE) of those rows. The maximum behind the likelihood ratio of sharing is searched from the
# estimates of all rows; that of the borrowing prior is not, as there may be several.

LOO_ROWS <- 30  # up to so many rows each is left out by itself,
LOO_FOLDS <- 10 # of more, every tenth together

# The fold of each row: one for each row where rows are few; with a likelihood ten folds at most, since its fits are
# iterative.
folds_of_rows <- function(rows, likelihood) {
  n <- length(rows)
  folds <- if (likelihood || n > LOO_ROWS) min(LOO_FOLDS, n) else n
  (seq_along(rows) - 1L) %% folds + 1L
}

# What the folds need: the target's rows (x, y, w, fold), the sums of the target without each fold (`without`), the
# sums of the other domains, and the settings by which sums become domains (how: standardize, intercept).
loo_plan <- function(frame, target, how, sigma2, call) {
  y <- first_response(frame$y)
  own <- which(of_domain(frame, target))
  fold <- folds_of_rows(own, FALSE)
  parts <- rep_len(1L, length(y))
  parts[own] <- fold
  sums <- frame_sums(frame, parts, call)
  cells <- sums$cells
  mine <- sums$labels$domain == target
  others <- setdiff(levels(frame$domain), target)
  list(
    x = as.matrix(frame$x[own, , drop = FALSE]), y = y[own], w = frame_weights(frame)[own],
    fold = fold, without = cells_without(cells[mine][order(as.integer(sums$labels$fold[mine]))]),
    others = stats::setNames(cells[match(others, sums$labels$domain)], others),
    target = target, how = how,
    sigma2 = in_order_of(sigma2, c(target, others), "sigma2", call)
  )
}

# For each cell: all other cells joined.
cells_without <- function(cells) {
  none <- rapply(cells[[1]], function(x) 0 * x, how = "list")
  before <- Reduce(join_cells, cells, none, accumulate = TRUE)
  after <- Reduce(join_cells, cells, none, accumulate = TRUE, right = TRUE)
  lapply(seq_along(cells), function(i) join_cells(before[[i]], after[[i + 1]]))
}

# Mean squared errors: own and shrunk, and by domain pooled and borrowed; joint: borrowed from all.
# cells: of all rows, the target first; shared: the results of borrowed_model() for each pair and for all domains,
# from which the fits without a fold start. NA where a fold cannot be fitted, and all of them without rows.
loo_errors <- function(held, cells, shared, call) {
  at <- seq_along(cells)[-1]
  error <- rep(NA_real_, 2 * length(cells) + 1)
  if (!is.null(held)) {
    sums <- domain_sums(cells, held$how$intercept)
    varies <- sums$spread[-nrow(sums$spread), , drop = FALSE] > 0
    predicted <- matrix(NA_real_, length(held$y), length(error))
    tell <- new_progress("Rows left out", length(held$without))
    for (f in seq_along(held$without)) {
      predicted[held$fold == f, ] <- fold_predictions(held, f, varies, shared, call)
      if (!is.null(tell)) tell(f)
    }
    error <- colSums(held$w * (held$y - predicted)^2) / sum(held$w)
  }
  list(own = error[1], shrunk = error[2], pooled = error[at + 1],
       borrowed = error[at + length(at) + 1], joint = error[length(error)])
}

# Predictions of a fold's rows by the models without the fold, a column each in the order of loo_errors(). varies:
# columns x domains, those that vary in all rows.
fold_predictions <- function(held, f, varies, shared, call) {
  x <- held$x[held$fold == f, , drop = FALSE]
  cells <- c(stats::setNames(held$without[f], held$target), held$others)
  how <- held$how
  variance <- function(which) if (length(held$sigma2) > 1) held$sigma2[which] else held$sigma2
  at <- seq_along(cells)[-1]
  tryCatch({
    alone <- own_domains(cells[1], how, call)
    pooled <- lapply(at, function(other) {
      domain <- pooled_domain(own_domains(cells[c(1, other)], how, call), list(intercept = how$intercept))
      predict_squares(domain, x, sum(varies[, 1] | varies[, other]))
    })
    borrowed <- Map(function(which, start) {
      predict_borrowed(cells[which], x, variance(which), how, start, call)
    }, domain_groups(length(cells)), shared)
    own <- predict_squares(alone[[1]], x, sum(varies[, 1]))
    shrunk <- predict_shrunk(alone, x, variance(1), how$intercept, call)
    do.call(cbind, c(list(own, shrunk), pooled, borrowed[at - 1], borrowed[length(borrowed)]))
  }, transelect_error_y = function(e) NA_real_) # too few rows left, or a constant response
}

# The domains of cells, each in its own units. how: standardize, intercept.
own_domains <- function(cells, how, call) {
  make_domains(domain_sums(cells, how$intercept), if (how$standardize) "own" else "y", call)
}

# The target with each other domain and, where there are several, with all of them.
domain_groups <- function(n_domains) {
  pairs <- lapply(seq_len(n_domains)[-1], function(other) c(1, other))
  if (n_domains > 2) c(pairs, list(seq_len(n_domains))) else pairs
}

# Predictions by the least squares of a domain; NA unless they determine as many coefficients as those of all rows do.
predict_squares <- function(domain, x, wanted) {
  if (length(domain$fit$kept) < wanted) return(rep(NA_real_, nrow(x)))
  predict_domain(domain, x, seq_along(domain$g), domain$fit$coef)
}

# What the first domain borrows from the others, all features kept: the log likelihood ratio of sharing and
# tau in the likelier units, with `evidence` also the log Bayes factor; the models in each of the units and of the
# target standing alone, their weights, and
# `start`, from where a fit of nearly the same domains starts.
borrowed_model <- function(cells, sigma2, how, call, start = NULL, model = TRUE, evidence = FALSE) {
  sums <- domain_sums(cells, how$intercept)
  spreads <- spread_evidence(sums)
  units <- units_in_question(if (how$standardize) "evidence" else "common", spreads)
  found <- lapply(stats::setNames(nm = units), function(units) {
    sharing_model(sums, units, sigma2 = sigma2, how = how, call = call, start = start[[units]], model = model,
                  evidence = evidence)
  })
  lr <- vapply(found, `[[`, 0, "lr")
  likelier <- which.max(units_weights(lr, spreads$any))
  out <- list(lr = joint_ratio(lr, spreads$any), tau = found[[likelier]]$tau)
  if (evidence) out$log_bf <- joint_ratio(vapply(found, `[[`, 0, "log_bf"), spreads$any)
  if (!model) return(out)
  beside <- found[[units_of("alone", units)]]
  alone <- unrelated_target_prior(beside$borrowing, beside$domains[[1]], beside$s2[1], how, call)
  found$alone <- c(posterior_model(beside$domains, beside$columns, alone), beside["columns"])
  out$weights <- units_weights(lr, spreads$any, alone = TRUE)
  out$models <- found[names(out$weights)]
  out$start <- lapply(found[units], `[[`, "start")
  out
}

sharing_model <- function(sums, units, sigma2, how, call, start, model, evidence) {
  used <- units_columns(sums, units, how, call)
  if (!length(used$columns)) {
    abort_input("No column of {.arg x} varies.", "borrow", i = "Give columns that vary: there is nothing to borrow.",
                call = call)
  }
  domains <- used$domains
  s2 <- borrowing_variances(domains, sigma2, how$intercept, call)$s2
  sharing <- sharing_fit(domains, s2, call, start)
  out <- list(lr = sharing$lr, tau = sqrt(sum(sharing$tau2[1:2])))
  if (evidence) out$log_bf <- sharing_evidence(lapply(domains, without_level, how$intercept), s2, call)
  if (!model) return(out)
  borrowing <- borrowing_hierarchical(domains, s2, k = 2, how, sharing$lr, call)
  c(out, posterior_model(domains, used$columns, borrowing), list(
    domains = domains, columns = used$columns, s2 = s2, borrowing = borrowing, start = sharing$path
  ))
}

# The target's model, on the original scale.
posterior_model <- function(domains, columns, borrowing) {
  coef <- sqrt(borrowing$scales) * known_borrowing(domains, borrowing)$coef[, 1]
  raw_coefficients(cbind(coef), columns, domains[[1]])
}

# Predictions by the model of the cells, averaged over the units and standing alone; NA where the likelihood cannot be
# evaluated.
predict_borrowed <- function(cells, x, sigma2, how, start, call) {
  tryCatch({
    found <- borrowed_model(cells, sigma2, how, call, start)
    Reduce(`+`, Map(function(one, weight) {
      weight * (one$a0 + drop(x[, one$columns, drop = FALSE] %*% one$beta))
    }, found$models, found$weights))
  }, transelect_error_borrow = function(e) rep(NA_real_, nrow(x)))
}

# Predictions by a domain alone, its coefficients shrunk by a ridge that maximises its marginal likelihood.
predict_shrunk <- function(domains, x, sigma2, intercept, call) {
  columns <- which(domains[[1]]$varies)
  coef <- tryCatch(if (length(columns)) {
    domains <- lapply(domains, domain_columns, columns, intercept)
    s2 <- residual_variances(domains, sigma2, call)$s2
    omega2 <- borrowed_or_stop(.Call(C_borrow_alone, domains, s2, NULL), call)$omega2
    A <- domains[[1]]$G / s2
    diag(A) <- diag(A) + 1 / omega2
    .Call(C_spd_solve, A, domains[[1]]$g / s2)
  }, transelect_error_borrow = function(e) NULL)
  if (is.null(coef)) return(rep(NA_real_, nrow(x)))
  predict_domain(domains[[1]], x, columns, coef)
}

predict_domain <- function(domain, x, columns, coef) {
  slope <- domain$y_scale * coef / domain$x_scale[columns]
  domain$y_mean + drop((x[, columns, drop = FALSE] - rep(domain$x_mean[columns], each = nrow(x))) %*%
                       slope)
}
