# Verbs that a ShareBoost path has beside those of every path.

#' Predictions and coefficients of a ShareBoost path
#'
#' The verbs of [transfer_path] for a [shareboost()] fit, with scores and probabilities of all classes: `predict(fit,
#' newdata)` gives classes, `coef(fit, matrix = TRUE)` the coefficients of all classes, and `confusion()` the table of
#' true and predicted classes. For the rows of the fit this table is too favourable: use `confusion(cv)` of a
#' [cv_path()] object.
#'
#' @param object A [shareboost()] fit; for `confusion()` any path or [cv_path()]
#'   object with classes.
#' @param newdata New rows, as for the fit; columns are matched by name, and only the columns that the models use are
#'   needed. All columns are needed with [pieces()], whose distances use them, and with a formula other than `y ~ .`
#'   (columns without a coefficient may then be `NA`). Not needed for `"nonzero"` and `"coefficients"`.
#' @param step Numbers from 0 to the last step. `NULL`: the last.
#' @param lambda Not used: there is none.
#' @param type `"class"` (the default, as in `nnet::multinom()`): the class with the largest score, the lower level on
#'   ties; `"score"`: the scores b + Wx of all classes; `"prob"`: their softmax, the probabilities of the classes. With
#'   the default `margin` probabilities are too near 0 and 1, and too low for rare classes: to use them, fit with
#'   `margin = 0` ([shareboost_control()]). `"link"`: the scores; for two classes the score of the second minus that of
#'   the first (the log odds); `"response"`: the probabilities; for two classes that of the second; `"nonzero"`: names
#'   of the columns used; `"coefficients"`: as `coef()`.
#' @param class The class whose coefficients are wanted. `NULL`: all.
#' @param matrix Coefficients as one matrix, classes x (intercept and features)? For one step.
#' @param y The classes of the rows of `newdata`. For a fit by formula they may be left out if `newdata` has them. For a
#'   [cv_path()] object leave out `newdata` and `y`: the table is then of the held-out rows, each predicted by the path
#'   fitted without it, at `step` `"default"`, `"1se"` or `"min"`.
#' @param top For `confusion()` of more than two classes: a prediction counts as correct if the class is among the `top`
#'   largest scores, so that the counts off the diagonal are the top-k errors (as in [assess()]). For the held-out rows
#'   the cross-validation must have `keep_predictions = TRUE`.
#' @param bound,se.fit,interval,level,na.action,complete As for every path, see [transfer_path].
#' @param ... `coef()`: not used. `predict()`: `terms`, as for every path. `confusion()`: passed to [predict()], for
#'   example `step`.
#' @returns `predict()`: `"class"` a factor (for several steps a data frame of them); `"score"` and
#'   `"prob"` a matrix, rows x classes (for several steps rows x classes x steps).
#'
#'   `coef()`: with `matrix = TRUE` a k x (1 + features) matrix, W on the original scale with the
#'   intercepts in the first column; else a list by class as for every path, for two classes a
#'   vector of differences (the coefficients of the log odds).
#'
#'   `confusion()`: a table, true classes x predicted ones. For a [cv_path()] object it is of held-out rows.
#'
#' `fitted()` has the probabilities of all classes, even if there are only two. `augment()` has probabilities in its
#' `.fitted` columns. `glance()` has two more columns, `loss` and `error` of the default step; its `features` counts the
#' columns of `x`, also for [stumps()], [pieces()] and [products()].
#' @references
#' Shalev-Shwartz, S., Wexler, Y. and Shashua, A. (2011). ShareBoost: efficient multiclass learning
#' with feature sharing. *Advances in Neural Information Processing Systems* 24, equation (1).
#' \doi{10.48550/arXiv.1109.0820}
#' @seealso [shareboost()]
#' @examples
#' fit <- shareboost(Species ~ ., data = iris)
#' coef(fit, step = 2, matrix = TRUE)
#' predict(fit, iris[c(1, 51, 101), ], type = "prob")
#' confusion(fit, iris, iris$Species, step = 1) # the rows of the fit itself
#' set.seed(1)
#' confusion(cv_path(Species ~ ., data = iris, fit = shareboost, nfolds = 5)) # held-out rows
#' @export
predict.shareboost <- function(object, newdata, step = NULL, lambda = NULL, type = "class", ..., bound = NULL,
                               se.fit = FALSE, interval = "none", level = .95, na.action = stats::na.pass) {
  arguments_of_generic()
  call <- rlang::current_env()
  if (rlang::is_string(interval, "conformal")) {
    return(path_predict_conformal(object, newdata, list(step = step, lambda = lambda), list(), level, parent.frame(),
                                  call))
  }
  asked <- path_predict_asked_errors(object, se.fit, interval, .95, "link", call)
  if (!is.null(asked)) path_predict_covariance.transfer_path(object, call = call)
  types <- c("class", "score", "prob", "link", "response", "terms", "nonzero", "coefficients")
  type <- check_choice(type, types, "type", call)
  if (missing(newdata) && !type %in% c("nonzero", "coefficients")) {
    abort_missing("newdata", "Give new rows; {.fn fitted} has the probabilities of the training rows.", call)
  }
  if (!type %in% c("score", "prob")) {
    return(predict.transfer_path(object, newdata, step = step, lambda = lambda, type = type, bound = bound,
                                 na.action = na.action, ...))
  }
  kind <- if (type == "prob") "response" else "link"
  predicted <- predict.transfer_path(object, newdata, step = step, lambda = lambda, type = kind, bound = bound,
                                     na.action = na.action)
  if (object$family != "binomial") return(predicted)
  of_rows <- list(if (is.null(dim(predicted))) names(predicted) else rownames(predicted), object$classes)
  both <- if (type == "prob") list(1 - predicted, predicted) else list(-predicted / 2, predicted / 2)
  if (is.null(dim(predicted))) return(matrix(unlist(both, use.names = FALSE), length(predicted), 2, dimnames = of_rows))
  both <- aperm(array(unlist(both, use.names = FALSE), c(dim(predicted), 2)), c(1, 3, 2))
  structure(both, dimnames = c(of_rows, list(colnames(predicted))))
}

describe_path.shareboost <- function(x, digits, n = NULL) {
  said <- describe_path.transfer_path(x, digits, n)
  if (path_print_is_unchosen(x)) {
    said$foot <- c("`error` is the training error.",
                   "Give `step =` for fewer features; cv_path(..., fit = shareboost) finds how many are enough.")
  }
  if (!is.null(x$ridge)) {
    tried <- x$ridge[!is.na(x$ridge$error), ]
    said$head <- c(said$head, paste0("Ridge: ", x$settings$ridge, ", by the errors in three folds: ",
                                     paste0(signif(tried$error, 3), " (", tried$ridge, ")", collapse = ", ")))
  }
  said
}

# glance() of every path, and beside it loss and error.
#' @export
path_worth.shareboost <- function(path, step = NULL, lambda = NULL, ...,
                                  call = rlang::caller_env()) {
  worth <- path_worth.transfer_path(path, step, lambda, ..., call = call)
  rows <- match(worth$step, path$steps$step)
  worth$more <- list(loss = path$steps$loss[rows], error = path$steps$error[rows])
  worth
}

#' @rdname predict.shareboost
#' @export
coef.shareboost <- function(object, step = NULL, lambda = NULL, class = NULL, matrix = FALSE, ..., complete = TRUE) {
  arguments_of_generic()
  call <- rlang::current_env()
  check_flag(matrix, "matrix", call)
  if (!is.null(class)) path_plot_data_check_class(class, object, call)
  if (!matrix) return(coef.transfer_path(object, step = step, lambda = lambda, class = class, complete = complete))
  if (length(step) > 1) {
    abort_input("{.arg step} has {length(step)} values.", "step",
                i = "Give one with {.code matrix = TRUE}.", call = call)
  }
  b <- coef.transfer_path(object, step = step, lambda = lambda)
  b <- if (object$family == "binomial") rbind(-b / 2, b / 2) else do.call(rbind, b)
  rownames(b) <- object$classes
  if (is.null(class)) b else b[path_plot_data_check_class(class, object, call), , drop = FALSE]
}
