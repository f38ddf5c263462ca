# Verbs that a ShareBoost path has beside those of every path.

#' Predictions and coefficients of a ShareBoost path
#'
#' The verbs of [transfer_path], with scores and probabilities of all classes.
#'
#' @param object A [shareboost()] fit; for `confusion()` any path or [cv_path()] object with
#'   classes.
#' @param newdata New rows, as for the fit; columns are matched by name, and only the columns that the models use
#'   are needed (all columns with [pieces()], since distances use all of
#'   them, or with a formula other than `y ~ .`, where columns without a coefficient may be `NA`).
#'   Not needed for `"nonzero"` and `"coefficients"`.
#' @param step Numbers from 0 to the last step; `NULL` is the last.
#' @param lambda Not used: there is none.
#' @param type `"class"`: the class of the largest score, the lower level on ties; `"score"`: the
#'   scores b + Wx of all classes; `"prob"`: their softmax, the probabilities of the classes (with the default
#'   `margin` they are too near 0 and 1, and too low for rare classes, see [shareboost()]: fit with `margin = 0` to use
#'   them); `"link"`: the scores, for two classes one number, the second minus the first (the log
#'   odds); `"response"`: the probabilities as for every logistic path, for two classes one number,
#'   that of the second; `"nonzero"`: names of the columns used; `"coefficients"`: as `coef()`.
#' @param class The class whose coefficients are wanted, `NULL` for all.
#' @param matrix Coefficients as one matrix, classes x (intercept and features)? For one step.
#' @param y The classes of the rows of `newdata`; for a fit by formula they may be left out where `newdata`
#'   has them. For a [cv_path()] object leave out both: the
#'   table is then of the rows held out, each predicted by the path that has not seen it, at `step`
#'   `"1se"` or `"min"`.
#' @param top For `confusion()` of more than two classes: a prediction counts as right where the class is
#'   among the `top` largest scores, so that the counts off the diagonal are the top-k errors (as in
#'   [assess()]). For the rows held out the cross-validation must have `keep_predictions = TRUE`.
#' @param se.fit,interval,na.action,complete As for every path, see [transfer_path].
#' @param ... `coef()`, `predict()`: not used. `confusion()`: passed to [predict()], for example
#'   `step`.
#' @returns `predict()`: `"class"` a factor (for several steps a data frame of them); `"score"` and
#'   `"prob"` a matrix, rows x classes (for several steps rows x classes x steps).
#'
#'   `coef()`: with `matrix = TRUE` a k x (1 + features) matrix, W on the original scale with the
#'   intercepts in the first column; else a list by class as for every path, for two classes a
#'   vector of differences (the coefficients of the log odds).
#'
#'   `confusion()`: a table, true classes x predicted ones. For the rows of the fit it is too favourable;
#'   for a [cv_path()] object it is of rows held out.
#'
#'   `fitted()` has the probabilities of all classes, also of two. `augment()` has probabilities in
#'   its `.fitted` columns, and `glance()` two more columns, `loss` and `error` of the default step;
#'   its `features` are the columns of `x`, also of [stumps()], [pieces()] and [products()].
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
#' confusion(cv_path(Species ~ ., data = iris, fit = shareboost, nfolds = 5)) # rows held out
#' @export
predict.shareboost <- function(object, newdata, step = NULL, lambda = NULL, type = "class", ..., se.fit = FALSE, interval = "none",
                               na.action = stats::na.pass) {
  generic_arguments()
  call <- rlang::current_env()
  if (!is.null(asked_errors(object, se.fit, interval, .95, "link", call))) score_errors.transfer_path(object, call = call)
  types <- c("class", "score", "prob", "link", "response", "nonzero", "coefficients")
  type <- check_choice(type, types, "type", call)
  if (missing(newdata) && !type %in% c("nonzero", "coefficients")) {
    abort_missing("newdata", "Give new rows; {.fn fitted} has the probabilities of the training rows.", call)
  }
  if (!type %in% c("score", "prob")) {
    return(predict.transfer_path(object, newdata, step = step, lambda = lambda, type = type, na.action = na.action))
  }
  kind <- if (type == "prob") "response" else "link"
  out <- predict.transfer_path(object, newdata, step = step, lambda = lambda, type = kind, na.action = na.action)
  if (object$family != "binomial") return(out)
  of_rows <- list(if (is.null(dim(out))) names(out) else rownames(out), object$classes)
  both <- if (type == "prob") list(1 - out, out) else list(-out / 2, out / 2)
  if (is.null(dim(out))) return(matrix(unlist(both, use.names = FALSE), length(out), 2, dimnames = of_rows))
  both <- aperm(array(unlist(both, use.names = FALSE), c(dim(out), 2)), c(1, 3, 2))
  structure(both, dimnames = c(of_rows, list(colnames(out))))
}

describe_path.shareboost <- function(x, digits, n = NULL) {
  said <- describe_path.transfer_path(x, digits, n)
  if (x$best > 0) {
    said$head[1] <- paste0(said$head[1], ": the default model is the last step, which nothing has chosen")
    said$foot <- c("`error` is that of the training rows.",
                   "Say `step =` for fewer features; cv_path(..., fit = shareboost) finds how many are enough.")
  }
  if (!is.null(x$ridge)) {
    tried <- x$ridge[!is.na(x$ridge$error), ]
    said$head <- c(said$head, paste0("Ridge: ", x$settings$ridge, "; errors in two folds ",
                                     paste0(signif(tried$error, 3), " (", tried$ridge, ")", collapse = ", ")))
  }
  said
}

# glance() of every path, and beside it loss and error.
#' @export
path_worth.shareboost <- function(path, step = NULL, lambda = NULL, ...,
                                  call = rlang::caller_env()) {
  worth <- path_worth.transfer_path(path, step, lambda, ..., call = call)
  at <- match(worth$step, path$steps$step)
  worth$more <- list(loss = path$steps$loss[at], error = path$steps$error[at])
  worth
}

#' @rdname predict.shareboost
#' @export
coef.shareboost <- function(object, step = NULL, lambda = NULL, class = NULL, matrix = FALSE, ..., complete = TRUE) {
  generic_arguments()
  call <- rlang::current_env()
  check_flag(matrix, "matrix", call)
  if (!is.null(class)) check_known_class(class, object, call)
  if (!matrix) return(coef.transfer_path(object, step = step, lambda = lambda, class = class, complete = complete))
  if (length(step) > 1) {
    abort_input("{.arg step} has {length(step)} values.", "step",
                i = "Give one with {.code matrix = TRUE}.", call = call)
  }
  b <- coef.transfer_path(object, step = step, lambda = lambda)
  b <- if (object$family == "binomial") rbind(-b / 2, b / 2) else do.call(rbind, b)
  rownames(b) <- object$classes
  if (is.null(class)) b else b[check_known_class(class, object, call), , drop = FALSE]
}

#' How many features are enough
#'
#' The smallest number of features with which the error of a path is no larger than wanted.
#'
#' The columns of the model are counted, as in `steps$size`, or in `nzero` of a cross-validation.
#' Each dummy variable of a factor, each stump (several stumps may use one column of `x`) and each
#' column of a piece counts as one.
#'
#' @param object A [shareboost()] fit, whose training errors are taken, or a [cv_path()] object with
#'   the loss `"class"` or `"balanced"`, whose cross-validated errors are taken. Only the latter
#'   estimate the error for new rows.
#' @param error The share of errors wanted, from 0 to 1.
#' @param ... Must be empty.
#' @returns A whole number of features, named by the step that has them, such as `"step 3"`; `NA`
#'   where no step is that good, with a message that gives the smallest error.
#' @references
#' Shalev-Shwartz, S., Wexler, Y. and Shashua, A. (2011). ShareBoost: efficient multiclass learning
#' with feature sharing. *Advances in Neural Information Processing Systems* 24, sections 1.2 and
#' 7: accuracy as a function of sparsity.
#' \doi{10.48550/arXiv.1109.0820}
#' @seealso [shareboost()], [plot.shareboost()]
#' @examples
#' fit <- shareboost(Species ~ ., data = iris)
#' features_for(fit, error = .04)
#' @export
features_for <- function(object, ...) UseMethod("features_for")

#' @export
features_for.default <- function(object, ...) {
  abort_kind(object, "object",
             "Give a {.fn shareboost} fit, or what {.fn cv_path} returned for any method.", rlang::current_env())
}

check_error <- function(error, call) {
  if (missing(error)) abort_missing("error", "Give the share of errors that is to be reached, as .05.", call)
  check_number(error, "error", 0, call, high = 1)
}

#' @rdname features_for
#' @export
features_for.shareboost <- function(object, error, ...) {
  check_arguments()
  smallest_size(object$steps$error, object$steps$size, object$steps$step, check_error(error, rlang::current_env()))
}

#' @rdname features_for
#' @export
features_for.transfer_cv <- function(object, error, ...) {
  call <- check_arguments()
  error <- check_error(error, call)
  if (!object$loss %in% c("class", "balanced")) {
    abort_input("{.arg object} was cross-validated by the loss {.val {object$loss}}.", "object",
                i = "Cross-validate by {.code loss = \"class\"} or {.val balanced}, whose losses are
                     shares of errors.",
                call = call)
  }
  smallest_size(object$cvm, object$nzero, object$points$step, error)
}

smallest_size <- function(errors, size, step, wanted) {
  good <- which(errors <= wanted)
  if (!length(good)) {
    at <- which.min(errors)
    tell(paste0("No step has an error of ", wanted, " or less: the smallest is ", signif(errors[at], 3), ", of ",
                counted(size[at], "feature"), "."), class = "transelect_message_error")
    return(NA_integer_)
  }
  at <- good[which.min(size[good])]
  stats::setNames(as.integer(size[at]), paste("step", step[at]))
}

# ---- pictures: errors by number of features, the weights as a map --------------------------------

#' Plot a ShareBoost path
#'
#' `plot()` draws with base graphics, `autoplot()` makes the same pictures with ggplot2.
#'
#' * `"error"`: training error and loss after each round against the number of features (columns)
#'   selected; a dotted line marks the default step. Training error tends to fall with every feature; for the number
#'   to use see [plot()][plot.transfer_cv] of a [cv_path()] and [features_for()].
#' * `"weights"`: the matrix W at one step as a map of features by classes, white where a weight is
#'   zero, as in Figure 5b of the paper. Features are in order
#'   of entry; with more than 60 the largest are shown.
#' * `"path"`: coefficients against the step, see [plot.transfer_path()].
#'
#' @param x,object A [shareboost()] fit.
#' @param what Which picture.
#' @param class The classes to show in `"weights"` and `"path"`; `NULL` for all.
#' @param step The step of `"weights"`; `NULL` is the default of the fit.
#' @param scaled Multiply weights by the scale of their columns, so that they can be compared?
#' @param ... `"path"` takes the other arguments of [plot.transfer_path()]. For `plot()` also
#'   graphical parameters that replace the defaults, such as `main`, `xlab`, `ylim`, `col`, `lwd`;
#'   for `autoplot()` `log`, as for `plot()`.
#' @returns `plot()`: `x`, invisibly. `autoplot()`: a ggplot object.
#' @references
#' Shalev-Shwartz, S., Wexler, Y. and Shashua, A. (2011). ShareBoost: efficient multiclass learning
#' with feature sharing. *Advances in Neural Information Processing Systems* 24, Figures 3 and 5.
#' \doi{10.48550/arXiv.1109.0820}
#' @seealso [shareboost()]
#' @examples
#' fit <- shareboost(Species ~ ., data = iris)
#' plot(fit)
#' plot(fit, "weights")
#' @export
plot.shareboost <- function(x, what = c("error", "weights", "path"), class = NULL, step = NULL,
                            scaled = TRUE, ...) {
  check_spelling()
  what <- check_choice(what, c("error", "weights", "path"), "what", rlang::current_env())
  if (what == "path") {
    return(plot.transfer_path(x, "path", class = class, scaled = scaled, ...))
  }
  plot_picture(x, picture_of_shareboost(x, what, class, step, scaled), ...)
}

#' @rdname plot.shareboost
#' @exportS3Method ggplot2::autoplot
autoplot.shareboost <- function(object, what = c("error", "weights", "path"), class = NULL,
                                step = NULL, scaled = TRUE, ...) {
  what <- check_choice(what, c("error", "weights", "path"), "what", rlang::current_env())
  if (what == "path") {
    return(autoplot.transfer_path(object, "path", class = class, scaled = scaled, ...))
  }
  autoplot_picture(picture_of_shareboost(object, what, class, step, scaled), ...)
}

picture_of_shareboost <- function(x, what, class, step, scaled, call = rlang::caller_env()) {
  if (what == "error") return(error_picture(x))
  data <- weight_data(x, class, step, scaled, call)
  title <- paste("Weights, step", attr(data, "step"))
  if (!nrow(data)) return(empty_picture("no feature has entered", title))
  shown <- length(attr(data, "rows"))
  entered <- attr(data, "n_entered")
  note <- if (shown < entered) paste(shown, "largest of", entered, "features") else counted(entered, "feature")
  map_picture(data, attr(data, "rows"), attr(data, "classes"), c("class", "feature"), title = title, note = note,
              unit = if (scaled) "weight x scale of the feature" else "weight (original scale)")
}

# ---- data ----

ERROR_LABELS <- c(error = "training error", loss = "loss")

# class, row (the feature), weight: every pair shown.
weight_data <- function(x, class, step, scaled, call = rlang::caller_env()) {
  check_flag(scaled, "scaled", call)
  step <- check_one_step(x, step, NULL, call)
  used <- stats::variable.names(x, step = step)
  used <- used[order(match(used, names(x$scale)))]
  w <- coef.shareboost(x, step = step, class = class, matrix = TRUE)[, used, drop = FALSE]
  if (scaled) w <- w * rep(x$scale[used], each = nrow(w))
  shown <- largest_of(used, apply(abs(w), 2, max))
  out <- expand.grid(row = shown, class = rownames(w), stringsAsFactors = FALSE)
  out$weight <- w[cbind(match(out$class, rownames(w)), match(out$row, colnames(w)))]
  structure(out, rows = shown, classes = rownames(w), step = step, n_entered = length(used))
}

# ---- picture ----

error_picture <- function(x) {
  steps <- x$steps
  panels <- lapply(names(ERROR_LABELS), function(measure) {
    path <- data.frame(x = steps$size, y = steps[[measure]])
    new_panel(
      step_axis("features", path$x),
      new_axis(ERROR_LABELS[[measure]], padded(value_range(c(0, path$y)))),
      list(
        new_rule("x", steps$size[match(x$best, steps$step)]),
        new_layer("line", path, col = picture_colours$feature[1L], lwd = 2,
                  user = c("col", "lwd", "lty")),
        new_layer("point", path, col = picture_colours$feature[1L], cex = .5, user = c("col", "pch"))
      ),
      title = ERROR_LABELS[[measure]]
    )
  })
  new_picture(panels, "Training error and loss", layout = "stack")
}
