# Steps of a path: which are there, which is meant.

path_step_table <- function(object, lambda = NULL) path_step_points(object, lambda)$step

# Does the path have an average over the steps of each lambda? A method that names models by words (`named`) has none:
# its named models stand beside the path.
path_step_has_average <- function(object) identical(object$best, "average") && is.null(object$named)

path_step_is_named <- function(object, step) {
  is.character(step) && length(step) == 1 && step %in% names(object$named)
}

# The rows of `points` of one lambda.
path_step_points <- function(object, lambda = NULL, call = rlang::caller_env()) {
  points <- object$points
  lambda <- lambda %||% object$best_lambda %||% points$lambda[1]
  if (is.atomic(lambda) && is.na(lambda[1])) return(points)
  known <- unique(points$lambda)
  which_lambda <- if (is.numeric(lambda) && length(lambda) == 1) {
    which(abs(known - lambda) <= 1e-10 * abs(lambda))
  }
  if (length(which_lambda) != 1) {
    if (all(is.na(known))) {
      abort_input("{.arg lambda} is {.val {lambda}}, but this path has no lambda.", "lambda",
                  i = if (is.null(object$ridge)) "Leave it out: {.arg step} names a model." else
                    "Leave it out: the ridges of the fit are in {.code $ridge}.", call = call)
    }
    abort_value(lambda, "lambda", "Give one that the fit has: {.val {known}}.", call)
  }
  points[!is.na(points$lambda) & points$lambda == known[which_lambda], , drop = FALSE]
}

# The step that is meant: where none is named, or "default", the one that the method chose; for another lambda than the
# first, the last step of its path.
path_step_asked <- function(object, step, lambda, call) {
  same <- identical(step, "default") || identical(step, "best") && !"best" %in% names(object$named)
  if (!is.null(step) && !same) return(step)
  if (path_step_has_average(object) || is.null(lambda)) return(object$best)
  points <- path_step_points(object, lambda, call)
  known <- unique(object$points$lambda)
  best_lambda <- if (path_step_is_named(object, object$best)) known[length(known) == 1] else
    object$best_lambda %||% known[1]
  if (points$lambda[1] %in% best_lambda) object$best else max(points$step)
}

path_step_check <- function(object, step, lambda, call) {
  step <- path_step_asked(object, step, lambda, call)
  if (path_step_is_named(object, step)) return(step)
  known <- path_step_points(object, lambda, call)$step
  last <- max(known)
  if (identical(step, "average") && is.null(object$named)) {
    if (path_step_has_average(object)) return(step)
    abort_input("{.arg step} is {.val average}, but this method does not average its path.", "step",
                i = "Give numbers from 0 to {last}, or {.val default}.", call = call)
  }
  if (!is.numeric(step) || !check_is_matched(step) || !length(step) || anyNA(step) || any(!step %in% known)) {
    words <- c("default", if (path_step_has_average(object)) "average" else names(object$named))
    choices <- ", or {.or {.val {words}}}"
    if (is.character(step) && any(step %in% c("min", "1se"))) {
      abort_value(step, "step", "Steps {.val min} and {.val 1se} are those of a cross-validation by {.fn cv_path}.",
                  call)
    }
    give <- if (length(known) == last + 1) "Give whole numbers from 0 to {last}" else
      "Give some of {.val {known}}, which {.arg record} has kept"
    abort_value(step, "step", paste0(give, choices, "."), call)
  }
  as.integer(step)
}

# `kind`: what the caller calls it.
path_step_check_class <- function(object, class, call, kind = "class") {
  known <- path_object_is_multi(object) && is.atomic(class) && length(class) == 1 && class %in%
    path_object_responses(object)
  if (!known) {
    mend <- if (path_object_is_multi(object)) "Name one of {.val {path_object_responses(object)}}." else
      "Leave it out: the fit has one path."
    abort_value(class, kind, mend, call)
  }
  as.character(class)
}
