# path_model(): the coefficients of the models that are asked for, which all verbs use, and their form in coef().

#' Coefficients and fit of a model on a path
#'
#' For those who write a method of their own. `path_model(fit, step = 2)` has the coefficients of a model on a path,
#' `path_worth(fit, step = 2)` how well it fits. All verbs of [transfer_path] are written on these two and on
#' [refit()][refit.transfer_path]; a class of paths may have methods of its own for them, otherwise the default methods
#' use the components of [new_transfer_path()]. To use a fit you need none of them: [coef()], [predict()] and [glance()]
#' give the same numbers.
#'
#' * `path_model()` returns the coefficients of the models asked for. [coef()], [predict()], [variable.names()],
#'   [tidy()], [augment()] and the pictures call it.
#' * `path_worth()` returns how well one model fits: residual sum of squares, degrees of freedom, likelihood.
#'   [deviance()], [logLik()], [df.residual()], [sigma()], [glance()] and [summary()] call it.
#' * [refit()][refit.transfer_path] fits the same method with the same settings to other rows.
#'
#' @param path A fitted path.
#' @param step,lambda Which model, as for [transfer_path].
#' @param class For more than two classes, or several responses: the name of one of
#'   them. `NULL`: all.
#' @param domain For [tlcp()]: the domain whose model is wanted. `NULL`: the target.
#' @param t,nu For [msplit()]: a time on the path, and the `nu` of the path; [coef.msplit] describes
#'   its further arguments.
#' @param report TRUE: the model to report, if a method has different models for reports and for predictions: the sparse
#'   estimator of [msplit()].
#' @param ... Further arguments of the method of the class. Others are errors.
#' @param call The call that errors name, an environment as in [rlang::abort()].
#' @returns `path_model()`: a list with one element per response (named `"y"` if there is one, otherwise by classes or
#'   responses). Each is a list of `beta`, a `dgCMatrix` with one row per column of the design and one column per model;
#'   `a0`, the intercepts; `step`, the steps of the models; `calibration`, `NULL` or a matrix with the rows a and b and
#'   one column per model, with which `plogis(a + b * score)` is the probability of the class (score: prediction of
#'   classes coded -1 and 1).
#'
#'   `path_worth()`: a list about one model: `step`; `place`, a list of further numbers that identify it, such as a time
#'   (may be empty); `size`, the number of columns in the model (`NULL`: they are counted in `path_model()`); `rss`,
#'   `df`, `deviance`, `log_lik`; `log_lik_df` and `log_lik_nobs`, the degrees of freedom and the number of observations
#'   of `log_lik`; `more`, further columns of [glance()]. If a number is `NA`, `refused` says why: a list named by the
#'   verbs (`deviance`, `logLik`, `df.residual`, `sigma`), each element a list of `what` (what is wrong), `argument`
#'   (the argument that the error is about) and `mend` (what to do).
#' @seealso [new_transfer_path()]
#' @references Fitted values, likelihoods and degrees of freedom are those of each method, whose page
#'   has the references.
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
  if (...length()) arguments_check(call, path_model_arguments("path_model", path))
  wanted <- if (is.null(class)) path_object_responses(path) else path_step_check_class(path, class, call)
  step <- path_step_check(path, step, lambda, call)
  if (path_step_is_named(path, step)) {
    model <- path$named[[step]]
    take <- 1L
  } else if (identical(step, "average")) {
    model <- path$average
    take <- match(path_step_points(path, lambda, call)$lambda[1], path$lambda)
  } else {
    model <- path
    here <- which(path$points$lambda %in% path_step_points(path, lambda, call)$lambda[1]) # columns of one lambda
    take <- here[match(step, path$points$step[here])]
  }
  models <- lapply(wanted, function(response) {
    beta <- path_object_of_response(model$beta, response)
    list(beta = if (dim(beta)[2] > 1 || length(take) > 1) beta[, take, drop = FALSE] else beta,
         a0 = path_object_of_response(model$a0, response)[take],
         step = step, calibration = if (!is.null(path$calibration)) path_model_calibration(path, response, step, take))
  })
  names(models) <- wanted
  models
}

# Calibration intercept and slope at one step or more, a 2 x steps matrix; NULL where there are none. Models that are
# named by a word have no scores of held-out rows.
path_model_calibration <- function(object, response, step, take) {
  if (path_step_is_named(object, step)) return(NULL)
  part <- object$calibration[[if (identical(step, "average")) "average" else "points"]]
  k <- match(response, path_object_responses(object))
  matrix(part[, k, take], 2)
}

# The arguments that the method of path_model() or path_worth() for this path has beside those of every path.
path_model_arguments <- function(question, path) {
  known <- c("path", "step", "lambda", "class", "report", "call", "...")
  taken_by_class <- lapply(class(path), function(class_name) {
    answer <- utils::getS3method(question, class_name, optional = TRUE, envir = topenv())
    if (!is.null(answer)) names(formals(answer))
  })
  setdiff(unlist(taken_by_class), known)
}

# Models as path_model() gives them -> what coef() returns. A Cox model has no intercept.
path_model_coef_shape <- function(models, object) {
  cox <- object$family == "cox"
  names <- c(if (!cox) "(Intercept)", path_object_term_names(object))
  coefficients <- lapply(models, function(model) {
    if (length(model$a0) == 1) {
      return(stats::setNames(c(if (!cox) model$a0, as.vector(model$beta)), names))
    }
    both <- if (cox) model$beta else rbind(methods::as(matrix(model$a0, 1), "CsparseMatrix"), model$beta)
    dimnames(both) <- list(names, model$step)
    both
  })
  if (length(coefficients) > 1) coefficients else coefficients[[1]]
}
