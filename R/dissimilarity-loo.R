# Leave-one-out errors of the target's rows. They are put into folds, and each fold is predicted by
# models of the rows that are left: the target's domain is made anew and everything estimated anew, as
# tlcp(select = FALSE) of those rows does. The maximum behind the likelihood ratio of sharing is searched from the
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

# What the folds need: the target's rows (x, y, w, fold), the sums of the target without each fold
# (`without`) and of the other domains, and how domains are made of sums (how: standardize, intercept).
loo_plan <- function(frame, target, how, sigma2, call) {
  y <- response_matrix(frame$y)[, 1]
  own <- which(frame$domain == target)
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

# All cells joined but one, for each of them.
cells_without <- function(cells) {
  none <- rapply(cells[[1]], function(x) 0 * x, how = "list")
  before <- Reduce(join_cells, cells, none, accumulate = TRUE)
  after <- Reduce(join_cells, cells, none, accumulate = TRUE, right = TRUE)
  lapply(seq_along(cells), function(i) join_cells(before[[i]], after[[i + 1]]))
}

# Mean squared errors: own and shrunk, and by domain pooled and borrowed; joint: borrowed from all.
# cells: of all rows, the target first; shared: what borrowed_model() says of each pair and of all, from
# where the fits without a fold start. NA where a fold cannot be fitted, and all of them without rows.
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

# A fold's rows as the models without it predict them, a column each in the order of loo_errors().
# varies: columns x domains, those that vary in all rows.
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
  make_domains(domain_sums(cells, how$intercept), domain_scaling(how$standardize, FALSE), call)
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
# tau in the likelier units; the models in each of the units and of the target standing alone, their weights, and
# `start`, from where a fit of nearly the same domains starts.
borrowed_model <- function(cells, sigma2, how, call, start = NULL, model = TRUE) {
  sums <- domain_sums(cells, how$intercept)
  spreads <- spread_evidence(sums)
  units <- units_in_question(if (how$standardize) "evidence" else "common", spreads)
  found <- lapply(stats::setNames(nm = units), function(units) {
    sharing_model(sums, units, sigma2 = sigma2, how = how, call = call, start = start[[units]], model = model)
  })
  lr <- vapply(found, `[[`, 0, "lr")
  likelier <- which.max(units_weights(lr, spreads$any))
  out <- list(lr = joint_ratio(lr, spreads$any), tau = found[[likelier]]$tau)
  if (!model) return(out)
  beside <- found[[units_of("alone", units)]]
  alone <- standing_alone(beside$borrowing, beside$domains[[1]], beside$s2[1], scales = TRUE, call)
  found$alone <- c(posterior_model(beside$domains, beside$columns, alone), beside["columns"])
  out$weights <- units_weights(lr, spreads$any, alone = TRUE)
  out$models <- found[names(out$weights)]
  out$start <- lapply(found[units], `[[`, "start")
  out
}

sharing_model <- function(sums, units, sigma2, how, call, start, model) {
  used <- units_columns(sums, units, how, call)
  if (!length(used$columns)) {
    abort_input("No column of {.arg x} varies.", "borrow", i = "Give columns that vary: there is nothing to borrow.",
                call = call)
  }
  domains <- used$domains
  s2 <- residual_variances(domains, sigma2, call, moderate = TRUE)$s2
  sharing <- sharing_fit(domains, s2, call, start)
  out <- list(lr = sharing$lr, tau = sqrt(sum(sharing$tau2[1:2])))
  if (!model) return(out)
  borrowing <- borrowing_hierarchical(domains, s2, k = 2, scales = TRUE, sharing$lr, alone = FALSE, call)
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
  found <- tryCatch(borrowed_model(cells, sigma2, how, call, start),
                    transelect_error_borrow = function(e) NULL)
  if (is.null(found)) return(rep(NA_real_, nrow(x)))
  Reduce(`+`, Map(function(one, weight) {
    weight * (one$a0 + drop(x[, one$columns, drop = FALSE] %*% one$beta))
  }, found$models, found$weights))
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
    factor_solve(chol.default(A), domains[[1]]$g / s2)
  }, transelect_error_borrow = function(e) NULL)
  if (is.null(coef)) return(rep(NA_real_, nrow(x)))
  predict_domain(domains[[1]], x, columns, coef)
}

predict_domain <- function(domain, x, columns, coef) {
  slope <- domain$y_scale * coef / domain$x_scale[columns]
  domain$y_mean + drop((x[, columns, drop = FALSE] - rep(domain$x_mean[columns], each = nrow(x))) %*%
                       slope)
}
