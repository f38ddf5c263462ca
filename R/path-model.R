# path_model(): the coefficients of the models asked for, on which coef(), predict(), variable.names(), tidy() and the
# pictures are written.

#' Coefficients and fit of a model on a path
#'
#' All verbs of [transfer_path] are written on three generic functions. A class of paths may have methods of
#' its own for them; otherwise the default methods use the components of [new_transfer_path()].
#'
#' * `path_model()` returns the coefficients of the models asked for. [coef()], [predict()], [variable.names()],
#'   [tidy()], [augment()] and the pictures call it.
#' * `path_worth()` returns how well one model fits: residual sum of squares, degrees of freedom, likelihood.
#'   [deviance()], [logLik()], [df.residual()], [sigma()], [glance()] and [summary()] call it.
#' * [refit()] fits the same method with the same settings to other rows.
#'
#' @param path A fitted path.
#' @param step,lambda Which model, as for [transfer_path].
#' @param class For more than two classes, or several responses: the name of one of them; `NULL` for
#'   all.
#' @param domain For [tlcp()]: the domain whose model is wanted; `NULL` is the target.
#' @param t,nu For [msplit()]: a time on the path, and the `nu` of the path; [coef.msplit] describes its further
#'   arguments.
#' @param report TRUE for the model to be reported, where a method has another one to predict with:
#'   the sparse estimator of [msplit()].
#' @param ... Further arguments of the method of the class. Others are errors.
#' @param call The call that errors name, an environment as in [rlang::abort()].
#' @returns `path_model()`: a list with an element for each response (one named `"y"`, or one for
#'   each of several classes or responses). Each is a list of `beta`, a `dgCMatrix` with a row for each
#'   column of the design and a column for each model; `a0`, the intercepts; `step`, the steps of the models;
#'   `calibration`, `NULL` or a matrix of two rows a and b and a column for each model, with which
#'   `plogis(a + b * score)` is the probability of the class (score: prediction of classes coded -1 and 1).
#'
#'   `path_worth()`: a list about one model: `step`; `place`, a list of further numbers that identify it, such as
#'   a time (may be empty); `size`, the number of columns it uses (`NULL`: they are counted in
#'   `path_model()`); `rss`, `df`, `deviance`, `log_lik`; `log_lik_df` and `log_lik_nobs`, the degrees
#'   of freedom and the number of observations of `log_lik`; `more`, further columns of
#'   [glance()]. Where a number is `NA`, `refused` says why: a list named by the verbs
#'   (`deviance`, `logLik`, `df.residual`, `sigma`), each element a list of `what` is wrong, the `argument` that the
#'   error is about and `mend`, what to do.
#' @seealso [new_transfer_path()]
#' @references Fitted values, likelihoods and degrees of freedom are those of each method, whose page has the
#'   references.
#' @examples
#' fit <- greedytl(mpg ~ ., data = mtcars)
#' path_model(fit, step = 2)$y$beta
#' path_worth(fit, step = 2)$rss
#' @export
path_model <- function(path, ...) UseMethod("path_model")

#' @rdname path_model
#' @export
path_model.transfer_path <- function(path, step = NULL, lambda = NULL, class = NULL, ...,
                                     report = FALSE, call = rlang::caller_env()) {
  if (...length()) check_arguments(call, method_arguments("path_model", path))
  wanted <- check_class(path, class, call)
  step <- check_step(path, step, lambda, call)
  if (is_named_step(path, step)) {
    model <- path$named[[step]]
    take <- 1L
  } else if (identical(step, "average")) {
    model <- path$average
    take <- match(path_points(path, lambda, call)$lambda[1], path$lambda)
  } else {
    model <- path
    take <- point_of_step(path, step, lambda, call)
  }
  models <- lapply(wanted, function(response) {
    list(beta = of_response(model$beta, response)[, take, drop = FALSE], a0 = of_response(model$a0, response)[take],
         step = step, calibration = calibration_at(path, response, step, take))
  })
  names(models) <- wanted
  models
}

# Columns of `beta` that hold the steps of one lambda.
point_of_step <- function(object, step, lambda, call) {
  points <- path_points(object, lambda, call)
  all <- object$points
  if (nrow(points) == nrow(all)) return(match(step, points$step))
  here <- which(all$lambda %in% points$lambda[1])
  here[match(step, all$step[here])]
}

# The two numbers of plogis() at one step or more, a 2 x steps matrix; NULL where there are none. No scores of rows
# held out exist for models that are named by a word.
calibration_at <- function(object, response, step, take) {
  found <- object$calibration
  if (is.null(found) || is_named_step(object, step)) return(NULL)
  part <- if (identical(step, "average")) found$average else found$points
  k <- match(response, responses(object))
  matrix(part[, k, take], 2)
}

# The arguments that the method of path_model() or path_worth() for this path has beside those of every path.
method_arguments <- function(question, path) {
  known <- c("path", "step", "lambda", "class", "report", "call", "...")
  own <- lapply(class(path), function(class) {
    answer <- utils::getS3method(question, class, optional = TRUE, envir = topenv())
    if (!is.null(answer)) names(formals(answer))
  })
  setdiff(unlist(own), known)
}

path_steps <- function(object, lambda = NULL) path_points(object, lambda)$step

# Are the scores those of a logistic model, so that softmax() makes them probabilities?
is_logistic <- function(object) identical(object$link, "logit")

# Classes fitted by squares to the two numbers of `coding` have scores, but neither probabilities nor
# a likelihood.
classes_by_squares <- function(object) {
  object$family != "gaussian" && identical(object$link, "identity")
}

# The scores of classes fitted by squares on the scale of classes coded -1 and 1.
scores_of_signs <- function(object, score) {
  if (!classes_by_squares(object)) return(score)
  (2 * score - sum(object$coding)) / diff(object$coding)
}

# Does the path have an average over the steps of each lambda? A method that names models by words (`named`) has none:
# its named models stand beside the path.
path_average <- function(object) identical(object$best, "average") && is.null(object$named)

is_named_step <- function(object, step) {
  is.character(step) && length(step) == 1 && step %in% names(object$named)
}

# The rows of `points` of one lambda.
path_points <- function(object, lambda = NULL, call = rlang::caller_env()) {
  points <- object$points
  lambda <- lambda %||% object$best_lambda %||% points$lambda[1]
  if (is.atomic(lambda) && is.na(lambda[1])) return(points)
  known <- unique(points$lambda)
  at <- if (is.numeric(lambda) && length(lambda) == 1) {
    which(abs(known - lambda) <= 1e-10 * abs(lambda))
  }
  if (length(at) != 1) {
    if (all(is.na(known))) {
      abort_input("{.arg lambda} is {.val {lambda}}, but this path has no lambda.", "lambda",
                  i = if (is.null(object$ridge)) "Leave it out: {.arg step} names a model." else
                    "Leave it out: the ridges of the fit are in {.code $ridge}.", call = call)
    }
    abort_value(lambda, "lambda", "Give one that the fit has: {.val {known}}.", call)
  }
  points[!is.na(points$lambda) & points$lambda == known[at], , drop = FALSE]
}

# The step that the method chose; for another lambda than the first, the last step of its path.
default_step <- function(object, lambda, call) {
  if (path_average(object) || is.null(lambda)) return(object$best)
  points <- path_points(object, lambda, call)
  known <- unique(object$points$lambda)
  own <- if (is_named_step(object, object$best)) known[length(known) == 1] else
    object$best_lambda %||% known[1]
  if (points$lambda[1] %in% own) object$best else max(points$step)
}

# The step that is meant: where none is named, or "default", the method's choice.
asked_step <- function(object, step, lambda, call) {
  if (is.null(step) || identical(step, "default")) default_step(object, lambda, call) else step
}

check_step <- function(object, step, lambda, call) {
  step <- asked_step(object, step, lambda, call)
  if (is_named_step(object, step)) return(step)
  known <- path_points(object, lambda, call)$step
  last <- max(known)
  if (identical(step, "average") && is.null(object$named)) {
    if (path_average(object)) return(step)
    abort_input("{.arg step} is {.val average}, but this method does not average its path.", "step",
                i = "Give numbers from 0 to {last}, or {.val default}.", call = call)
  }
  if (!is.numeric(step) || !length(step) || anyNA(step) || any(!step %in% known)) {
    words <- c("default", if (path_average(object)) "average" else names(object$named))
    choices <- ", or {.or {.val {words}}}"
    give <- if (length(known) == last + 1) "Give whole numbers from 0 to {last}" else
      "Give some of {.val {known}}, which {.arg record} has kept"
    abort_value(step, "step", paste0(give, choices, "."), call)
  }
  as.integer(step)
}

# `kind`: what the caller calls it.
check_class <- function(object, class, call, kind = "class") {
  if (is.null(class)) return(responses(object))
  known <- path_is_multi(object) && is.atomic(class) && length(class) == 1 && class %in% responses(object)
  if (!known) {
    mend <- if (path_is_multi(object)) "Name one of {.val {responses(object)}}." else
      "Leave it out: the fit has one path."
    abort_value(class, kind, mend, call)
  }
  as.character(class)
}

responses <- function(object) {
  object$responses %||% if (object$family == "multinomial") object$classes else "y"
}

path_is_multi <- function(x) length(responses(x)) > 1L

# Components of a path are lists by response where there are several responses. From component to list and back:
one_or_list <- function(parts, several) if (several) parts else parts[[1]]

by_response <- function(parts) if (is.list(parts)) parts else list(parts)

# The part of one response.
of_response <- function(parts, response) if (is.list(parts)) parts[[response]] else parts

# Names of columns j of Z (all of them without j).
term_names <- function(object, j = NULL) {
  design_labels(object$blueprint, object$sources, j %||% seq_len(nrow(of_response(object$beta, 1))))
}

# Features are followed by sources.
design_labels <- function(blueprint, sources, j) {
  p <- blueprint$p
  out <- character(length(j))
  out[j <= p] <- column_labels(blueprint$columns, j[j <= p])
  out[j > p] <- source_label(sources, j[j > p] - p)
  out
}

# Columns of the design with a coefficient in some of the models.
used_columns <- function(models) {
  distinct_columns(unlist(lapply(models, function(m) {
    if (!inherits(m$beta, "dgCMatrix")) return(which(Matrix::rowSums(m$beta != 0) > 0))
    none <- m$beta@x == 0
    distinct_columns((if (any(none)) m$beta@i[!none] else m$beta@i) + 1L)
  })))
}
