# Leave-one-out errors of the target's rows. They are put into folds, and each fold is predicted by
# models of the rows that are left: the target's task is made anew and everything estimated anew, as
# tlcp(select = FALSE) of those rows does.

LOO_ROWS <- 30  # up to so many rows each is left out by itself,
LOO_FOLDS <- 10 # of more, every tenth together

# What the folds need: the target's rows (x, y, w, fold), the sums of the target without each fold
# (`without`) and of the sources, and how tasks are made of sums (how: standardize, intercept).
loo_plan <- function(frame, target, how, sigma2, call) {
  y <- response_matrix(frame$y)[, 1]
  own <- which(frame$domain == target)
  folds <- if (length(own) > LOO_ROWS) LOO_FOLDS else length(own)
  fold <- (seq_along(own) - 1L) %% folds + 1L
  parts <- rep_len(1L, length(y))
  parts[own] <- fold
  sums <- frame_sums(frame, parts, call)
  cells <- lapply(seq_along(sums$n), one_cell, sums = sums)
  mine <- sums$labels$domain == target
  sources <- setdiff(levels(frame$domain), target)
  list(
    x = as.matrix(frame$x[own, , drop = FALSE]), y = y[own], w = frame_weights(frame)[own],
    fold = fold, without = cells_without(cells[mine][order(as.integer(sums$labels$fold[mine]))]),
    sources = stats::setNames(cells[match(sources, sums$labels$domain)], sources),
    target = target, how = how,
    sigma2 = in_order_of(sigma2, c(target, sources), "sigma2", call)
  )
}

# All cells joined but one, for each of them.
cells_without <- function(cells) {
  none <- rapply(cells[[1]], function(x) 0 * x, how = "list")
  before <- Reduce(join_cells, cells, none, accumulate = TRUE)
  after <- Reduce(join_cells, cells, none, accumulate = TRUE, right = TRUE)
  lapply(seq_along(cells), function(i) join_cells(before[[i]], after[[i + 1]]))
}

# Mean squared errors: own and shrunk, and by source pooled and borrowed; joint: borrowed from all.
# tasks: of all rows. NA where a fold cannot be fitted, and all of them without rows.
loo_errors <- function(held, tasks, call) {
  at <- seq_along(tasks)[-1]
  error <- rep(NA_real_, 2 * length(tasks) + 1)
  if (!is.null(held)) {
    varies <- lapply(tasks, `[[`, "varies")
    predicted <- matrix(NA_real_, length(held$y), length(error))
    for (f in seq_along(held$without)) {
      predicted[held$fold == f, ] <- fold_predictions(held, f, varies, call)
    }
    error <- colSums(held$w * (held$y - predicted)^2) / sum(held$w)
  }
  list(own = error[1], shrunk = error[2], pooled = error[at + 1],
       borrowed = error[at + length(at) + 1], joint = error[length(error)])
}

# A fold's rows as the models without it predict them, a column each in the order of loo_errors().
# varies: by domain, the columns that vary in all its rows.
fold_predictions <- function(held, f, varies, call) {
  x <- held$x[held$fold == f, , drop = FALSE]
  cells <- c(stats::setNames(held$without[f], held$target), held$sources)
  how <- held$how
  scaling <- task_scaling(how$standardize, FALSE)
  variance <- function(which) if (length(held$sigma2) > 1) held$sigma2[which] else held$sigma2
  borrowing <- function(which) predict_borrowed(cells[which], x, variance(which), how, call)
  at <- seq_along(cells)[-1]
  tryCatch({
    alone <- make_tasks(cells[1], scaling, how$intercept, call)
    pooled <- lapply(at, function(source) {
      pair <- make_tasks(cells[c(1, source)], scaling, how$intercept, call)
      task <- pooled_task(pair, list(intercept = how$intercept))
      predict_squares(task, x, sum(varies[[1]] | varies[[source]]))
    })
    borrowed <- lapply(at, function(source) borrowing(c(1, source)))
    joint <- if (length(at) == 1) borrowed[[1]] else borrowing(seq_along(cells))
    own <- predict_squares(alone[[1]], x, sum(varies[[1]]))
    shrunk <- predict_shrunk(alone, x, variance(1), how$intercept, call)
    do.call(cbind, c(list(own, shrunk), pooled, borrowed, list(joint)))
  }, transelect_error_y = function(e) NA_real_) # too few rows left, or a constant response
}

# By least squares of a task, if they determine as many coefficients as those of all rows.
predict_squares <- function(task, x, wanted) {
  if (length(task$fit$kept) < wanted) return(rep(NA_real_, nrow(x)))
  predict_task(task, x, seq_along(task$g), task$fit$coef)
}

# With what the first domain borrows from the others, all features kept, averaged over the units and
# standing alone; NA where the likelihood cannot be evaluated.
predict_borrowed <- function(cells, x, sigma2, how, call) {
  spreads <- spread_evidence(cells, how$intercept)
  units <- units_in_question(if (how$standardize) "evidence" else "common", spreads)
  found <- tryCatch(lapply(stats::setNames(nm = c(units, "alone")), function(name) {
    used <- units_columns(cells, units_of(name, units), how, call)
    found <- posterior(used$tasks, sigma2, call, name == "alone")
    raw <- raw_coefficients(cbind(found$coef), used$columns, used$tasks[[1]])
    list(lr = found$lr, predicted = raw$a0 + drop(x[, used$columns, drop = FALSE] %*% raw$beta))
  }), transelect_error_borrow = function(e) NULL)
  if (is.null(found)) return(rep(NA_real_, nrow(x)))
  weights <- units_weights(vapply(found[units], `[[`, 0, "lr"), spreads$any, alone = TRUE)
  Reduce(`+`, Map(function(one, weight) weight * one$predicted, found[names(weights)], weights))
}

posterior <- function(tasks, sigma2, call, alone) {
  s2 <- residual_variances(tasks, sigma2, call, moderate = TRUE)$s2
  strength <- strength_hierarchical(tasks, s2, 2, TRUE, if (alone) NA, call, alone)
  form <- quadratic_form(tasks, strength, "target")
  list(coef = sqrt(strength$scales) * factor_solve(chol.default(form$A), form$b), lr = strength$lr)
}

# By a domain alone, shrunk by its own likelihood.
predict_shrunk <- function(tasks, x, sigma2, intercept, call) {
  columns <- which(tasks[[1]]$varies)
  coef <- tryCatch(if (length(columns)) {
    tasks <- lapply(tasks, task_columns, columns, intercept)
    s2 <- residual_variances(tasks, sigma2, call)$s2
    omega2 <- borrow_fit(tasks, s2, scales = FALSE, prior = FALSE, alone = 1,
                         call = call)$alone_omega2
    A <- tasks[[1]]$G / s2
    diag(A) <- diag(A) + 1 / omega2
    factor_solve(chol.default(A), tasks[[1]]$g / s2)
  }, transelect_error_borrow = function(e) NULL)
  if (is.null(coef)) return(rep(NA_real_, nrow(x)))
  predict_task(tasks[[1]], x, columns, coef)
}

predict_task <- function(task, x, columns, coef) {
  slope <- task$y_scale * coef / task$x_scale[columns]
  task$y_mean + drop((x[, columns, drop = FALSE] - rep(task$x_mean[columns], each = nrow(x))) %*%
                       slope)
}
