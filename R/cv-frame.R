# Cross-validation of a frame: the fit to all rows, the folds, the fits without a fold and the losses of its rows, their
# mean, and the choice. Folds, loss and classes depend on the path of all rows, so that a function which calls a method
# gets those of the method. `ahead`: what the road by second moments has added up before the fit (cv-moments.R), NULL
# where rows are few.
cv_frame <- function(frame, fit, tuning, settings, call) {
  cv_frame_check_loss(frame, settings)
  ahead <- cv_moments_ahead(frame, settings)
  whole <- cv_frame_whole(frame, fit, tuning, settings, ahead)
  frame <- whole$frame
  path <- whole$path
  by <- cv_object_by(path, settings)
  path$call <- cv_object_path_call(call, path, by)
  loss <- cv_loss_find(settings$loss, cv_loss_response_kind(frame), settings$call, path_object_is_logistic(path))
  foldid <- cv_moments_drawn_folds(ahead, whole) %||% cv_fold_of_frame(frame, settings, path, by)
  fold <- if (identical(foldid, ahead$foldid)) ahead$fold else table_factor(foldid)
  if (!nlevels(fold)) {
    abort_input("The target of the fit made by {.arg fit} is not a domain of the data.", "fit",
                i = "In {.arg fit}, leave {.code $domain} of the first argument as it is.", call = settings$call)
  }
  plan <- list(path = cv_refit_path(path, fit, tuning), grid = cv_refit_grid(path), told = whole$told, by = by,
               drew = whole$drew, bound = settings$bound, call = settings$call,
               together = if (isTRUE(loss$together)) which(!is.na(fold)), tells_far = TRUE)
  losses <- cv_frame_losses(frame, fold, plan, path, loss, settings, ahead)
  rows <- tabulate(fold, nlevels(fold))
  cv <- cv_object(losses$by_fold, rows, cv_frame_fold_weights(frame, fold, by, loss, rows), path = path,
                   grid = plan$grid, loss = loss, foldid = foldid, call = call, error_call = settings$call)
  cv$by <- settings$by
  cv_object_sealed(cv_frame_with_scores(cv, losses$scores, frame, settings))
}

# Where the response shows what losses there are, a wrong one is refused before the fit.
cv_frame_check_loss <- function(frame, settings) {
  likelihood <- likelihood_is_used(frame$family)
  if (likelihood || response_has_fractions(frame$y) && !cv_loss_maybe_shares(frame$y)) {
    cv_loss_find(settings$loss, cv_loss_response_kind(frame), settings$call, likelihood)
  }
}

# The fit to all rows: list(path, frame, told, drew), the frame with the response as the path has it and with the
# predictions of sources that were asked for, the kinds of warnings that were given, and whether random numbers were
# drawn.
cv_frame_whole <- function(frame, fit, tuning, settings, ahead) {
  seed <- cv_refit_seed()
  asked <- !is.null(frame$sources) && sources_need_raw(frame$sources)
  if (asked) frame$sources <- sources_remembering(frame$sources)
  told <- character()
  path <- withCallingHandlers(
    cv_refit_fit(fit, if (is.null(ahead$moments)) frame else frame_moments_added(frame, ahead$moments), tuning,
                 settings$call),
    warning = function(warning) told <<- c(told, cv_refit_warning_kind(warning))
  )
  drew <- !identical(cv_refit_seed(), seed)
  if (asked) frame$sources <- sources_remembered(frame$sources, frame$raw)
  path$bound <- settings$bound %||% path$bound
  frame <- cv_user_fit_frame(path, frame, settings$call)
  if (!cv_user_fit_is_own_method(fit)) cv_user_fit_refuse_other_data(path, frame, settings$call)
  list(path = path, frame = frame, told = told, drew = drew)
}

# The losses by fold, and the scores of held-out rows: NULL where the losses are those of second moments.
cv_frame_losses <- function(frame, fold, plan, path, loss, settings, ahead) {
  by_fold <- cv_moments_loss_of_rows(frame, fold, plan, path, loss, settings, ahead)
  if (!is.null(by_fold)) return(list(by_fold = by_fold, scores = NULL))
  held_out <- split(seq_along(fold), fold)
  scores <- cv_refit_out_of_fold(frame, held_out, plan, settings)
  list(by_fold = cv_summary_fold_losses(frame, scores, held_out, loss), scores = scores)
}

# The result with what was asked of the scores, and of classes with those predicted and the calibration of scores fitted
# by squares.
cv_frame_with_scores <- function(cv, scores, frame, settings) {
  if (settings$keep_predictions) {
    kept <- if (dim(scores)[[2]] > 1) scores else matrix(scores, nrow(scores), dimnames = dimnames(scores)[c(1, 3)])
    cv$predictions <- labels_set_row_names(kept, frame_rows_names(frame))
  }
  if (is.factor(frame$y)) {
    if (path_object_has_classes_by_squares(cv$fit)) {
      cv$fit$calibration <- cv_calibrate_scores(scores, frame, cv_refit_grid(cv$fit))
    }
    cv$held_out <- labels_set_row_names(cv_object_held_out_classes(frame$y, scores, cv$index),
                                        frame_rows_names(frame))
  }
  cv
}

# The weight of each fold in the mean over folds: the number of its rows, or the sum of their weights, for a partial
# likelihood its events; 1 where folds are domains.
cv_frame_fold_weights <- function(frame, fold, by, loss, rows = tabulate(fold, nlevels(fold))) {
  if (!is.null(by)) return(rep(1, nlevels(fold)))
  if (isTRUE(loss$together)) return(unname(cv_summary_fold_events(frame, split(seq_along(fold), fold))))
  if (is.null(frame$weights)) as.double(rows) else vapply(split(frame$weights, fold), sum, numeric(1))
}
