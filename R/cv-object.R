# The object of cv_path(): its chosen points, its average, its curve, its call.

# The step and lambda of the fit for the arguments `step`, "min", "1se", "average" or numbers, and `lambda`.
cv_object_point <- function(object, step, lambda, call = rlang::caller_env()) {
  if (identical(step, "best") && !"best" %in% names(object$fit$named)) step <- "min"
  chosen <- rlang::is_string(step) && step %in% names(object$index)
  named <- path_step_is_named(object$fit, step)
  if (!chosen && !named && !is.numeric(step) && !identical(step, "average")) {
    words <- c("default", "1se", "min", if (path_step_has_average(object$fit)) "average" else names(object$fit$named))
    abort_value(step, "step", "Give {.or {.val {words}}}, or step numbers.", call)
  }
  if (chosen && !is.null(lambda)) {
    abort_input(
      "{.code step = \"{step}\"} is a point of the path and has its own {.arg lambda}.", "lambda",
      i = "Leave {.arg lambda} out, or give a step number with it.", call = call
    )
  }
  list(
    step = if (chosen) object$points$step[[object$index[[step]]]] else step,
    lambda = if (is.null(lambda)) cv_object_lambda(object) else lambda
  )
}

# The chosen lambda; NULL where the fit has only one.
cv_object_lambda <- function(object) {
  if (length(unique(object$points$lambda)) > 1) object$lambda
}

# The row of `average` for the chosen lambda; NULL where the method has no average.
cv_object_average <- function(x) if (!is.null(x$average)) x$average[x$average$lambda %in% x$lambda, ]

# The mean losses by point as a data frame, for tidy(), plot() and autoplot().
cv_object_curve <- function(x) {
  data.frame(
    step = x$points$step, lambda = x$points$lambda, estimate = x$cvm, std.error = x$cvsd,
    std.error.corrected = cv_summary_corrected_se(x$cvsd, nrow(x$fold_loss)), std.error.within = x$cvwithin,
    conf.low = x$cvlo, conf.high = x$cvup, nzero = x$nzero
  )
}

# The row of `points` that the method has chosen itself. NULL where it has chosen none: where its default is an average
# or stands beside the path, or where the path has only ended.
cv_object_own_point <- function(path, points) {
  if (!is.numeric(path$best) || isFALSE(path$chosen) || length(unique(points$lambda)) > 1) return(NULL)
  own <- which(points$step == path$best)
  if (length(own)) own[[1]]
}

CV_ARGUMENTS <- c("nfolds", "foldid", "by", "loss", "parallel", "keep_predictions", "bound")

# The true class of every row, and the classes predicted at the chosen points by the path fitted without it (NA where
# no fold holds the row out).
cv_object_held_out_classes <- function(y, scores, index) {
  predicted <- lapply(index, function(point) {
    code <- response_scores_class(cv_scores_of_rows(scores, seq_along(y), point))
    factor(levels(y)[code], levels(y))
  })
  data.frame(true = y, predicted, check.names = FALSE)
}

# The object of class transfer_cv. fold_loss: folds x (points, averages); rows, weight: of the folds; call: that of
# cv_path(); error_call: shown in errors.
cv_object <- function(fold_loss, rows, weight, path, grid, loss, foldid, call, error_call) {
  curve <- cv_summary_over_folds(fold_loss, weight)
  if (all(is.na(curve$mean))) {
    abort_input("The {loss$label} is not defined in any fold.", "loss",
                i = loss$mend %||% "Give another {.arg loss}.", call = error_call)
  }
  points <- grid$points
  of_points <- seq_len(nrow(points))
  mean <- curve$mean[of_points]
  se <- curve$se[of_points]
  nzero <- cv_object_columns_in_use(path, grid)
  within <- cv_summary_se_within(fold_loss[, of_points, drop = FALSE], weight, points$lambda)
  index <- cv_summary_chosen_points(mean, within, nzero, points, loss$smaller_is_better)
  index[["default"]] <- cv_summary_default_point(fold_loss, weight, index, cv_object_own_point(path, points),
                                                 loss$smaller_is_better)
  # after the points come the averages, one for each lambda
  average <- if (grid$average) {
    data.frame(lambda = unique(points$lambda), cvm = curve$mean[-of_points], cvsd = curve$se[-of_points])
  }
  structure(list(
    cvm = mean, cvsd = se, cvup = mean + se, cvlo = mean - se, cvwithin = within, nzero = nzero,
    points = points, average = average, index = index,
    step.min = points$step[[index[["min"]]]], step.1se = points$step[[index[["1se"]]]],
    step.default = points$step[[index[["default"]]]],
    lambda = points$lambda[[index[["min"]]]], loss = loss$name,
    fold_loss = fold_loss[, of_points, drop = FALSE], fit = path, foldid = foldid,
    folds = data.frame(fold = rownames(fold_loss), rows = rows, weight = unname(weight), row.names = NULL),
    predictions = NULL, call = arguments_methods_light_call(call, "cv_path")
  ), class = "transfer_cv")
}

# The cross-validation and its fit, as they are given to the user.
cv_object_sealed <- function(cv) {
  cv$fit <- whole_sealed(cv$fit)
  whole_sealed(cv)
}

# What a fold is: "domain" where the argument `by` says so, or where it is NULL and the method of the path leaves
# domains out; NULL for rows.
cv_object_by <- function(path, settings) {
  by <- settings$by %||% if (is.null(settings$foldid)) path$by
  if (!identical(by, "rows")) by
}

# The number of columns in the model at every point.
cv_object_columns_in_use <- function(path, grid) {
  unlist(Map(function(lambda, steps) {
    models <- path_model(path, steps, if (!is.na(lambda)) lambda, report = TRUE)
    as.integer(Matrix::colSums(Reduce(`|`, lapply(models, function(m) m$beta != 0))))
  }, unique(grid$points$lambda), grid$steps))
}

# The call that makes the path on all rows without cross-validation: of `fit` where it is given by its name, else of the
# method with the arguments that the path keeps. A path that keeps none has its own call, if any. A function of the
# user's may call its first argument as it likes.
cv_object_path_call <- function(call, path, by) {
  method <- path_refit_method(path)
  if (is.null(path$settings$given)) return(path$call)
  # `loss` among these is the method's
  given <- if (!is.name(call$fit)) arguments_methods_not_default(path$settings$given, method)
  by_data <- utils::getS3method(method, "default", optional = TRUE)
  taken <- if (!is.null(by_data)) names(formals(by_data))
  of_cv <- c("fit", CV_ARGUMENTS, if (!is.null(by)) setdiff("domain", taken))
  generic <- if (is.name(call$fit)) as.character(call$fit) else method
  call[intersect(names(call), of_cv)] <- NULL
  call[names(given)] <- given
  if (generic != method) names(call)[2L] <- ""
  arguments_methods_light_call(call, generic)
}

# A path itself; of a cross-validation its path on all rows.
cv_object_own_path <- function(model) if (inherits(model, "transfer_cv")) model$fit else model
