# Verbs on a transfer_cv object.

#' Coefficients and predictions at the chosen step
#'
#' Both forward to the path on all rows, [cv_path()]'s `fit`, at the step that cross-validation
#' chose, by default the sparsest within one standard error of the best.
#'
#' @param object A [cv_path()] object.
#' @param newdata New rows, as for the fit: a matrix, sparse matrix or data frame whose columns are
#'   matched by name. Not needed for `type = "nonzero"` and `type = "coefficients"`.
#' @param step `"1se"`, `"min"`, `"average"` (where the method averages its path), or step numbers.
#' @param lambda NULL is the `lambda` that was chosen; another one of the fit needs a step number or
#'   `"average"`.
#' @param ... Arguments of the method of the fit: `type`, `sources`, `class`.
#' @return What [coef()][stats::coef] and [predict()][stats::predict] give for the fit: for one step
#'   a named vector of coefficients with the intercept first; one prediction a row of `newdata`.
#'   `nobs()` is the number of rows.
#' @references Hastie, Tibshirani & Friedman (2009), *The Elements of Statistical Learning*, 2nd
#'   edition, section 7.10.
#' @seealso [cv_path()]
#' @examples
#' set.seed(1)
#' x <- matrix(rnorm(60 * 30), 60, dimnames = list(NULL, paste0("x", 1:30)))
#' y <- x[, 1] - x[, 2] + rnorm(60)
#' cvf <- cv_path(x, y, max_steps = 10, nfolds = 5)
#' coef(cvf)
#' predict(cvf, x[1:3, ])
#' predict(cvf, x[1:3, ], step = "min")
#' @export
predict.transfer_cv <- function(object, newdata, step = "1se", lambda = NULL, ...) {
  at <- cv_point(object, step, lambda)
  if (missing(newdata)) {
    stats::predict(object$fit, step = at$step, lambda = at$lambda, ...)
  } else {
    stats::predict(object$fit, newdata, step = at$step, lambda = at$lambda, ...)
  }
}

#' @rdname predict.transfer_cv
#' @export
coef.transfer_cv <- function(object, step = "1se", lambda = NULL, ...) {
  at <- cv_point(object, step, lambda)
  stats::coef(object$fit, step = at$step, lambda = at$lambda, ...)
}

#' @rdname predict.transfer_cv
#' @export
nobs.transfer_cv <- function(object, ...) {
  stats::nobs(object$fit)
}

# The step and lambda of the fit that a word, a number or numbers stand for.
cv_point <- function(object, step, lambda, call = rlang::caller_env()) {
  chosen <- rlang::is_string(step) && step %in% names(object$index)
  if (!chosen && !is.numeric(step) && !identical(step, "average")) {
    abort_input(
      "{.arg step} is {.val {step}}.", "step",
      i = "{.val 1se}, {.val min}, {.val average} or step numbers are wanted.",
      call = call
    )
  }
  if (chosen && !is.null(lambda)) {
    abort_input(
      "{.code step = \"{step}\"} is a point of the path and has its own {.arg lambda}.", "lambda",
      i = "Leave {.arg lambda} out, or give a step number with it.", call = call
    )
  }
  list(
    step = if (chosen) object$points$step[[object$index[[step]]]] else step,
    lambda = if (is.null(lambda)) only_lambda(object) else lambda
  )
}

# The chosen lambda; NULL where there is one only, which needs no name.
only_lambda <- function(object) {
  if (length(unique(object$points$lambda)) > 1) object$lambda
}

#' @export
print.transfer_cv <- function(x, digits = 3, ...) {
  cat(cv_header(x), sep = "\n")
  print_choices(choice_table(x, digits))
  invisible(x)
}

#' Summarise a cross-validation
#'
#' @param object,x A [cv_path()] object; its summary.
#' @param digits Significant digits of losses.
#' @param ... Not used.
#' @return An object of class `summary.transfer_cv`, a list of `header` (lines of text), `choices`
#'   (data frame: `choice`, `step`, `lambda` where there are several, `columns`, `loss`,
#'   `std.error`), `curve` (data frame as [tidy()][generics::tidy] gives it, the points at the
#'   chosen `lambda`), `folds` (data frame: `fold`, `rows`, `weight`, and the loss of every fold at
#'   `"min"` and `"1se"`), and `columns` (names of the columns in the model at `"1se"`). Printed on
#'   one screen.
#' @references Hastie, Tibshirani & Friedman (2009), *The Elements of Statistical Learning*, 2nd
#'   edition, section 7.10.
#' @seealso [cv_path()]
#' @examples
#' set.seed(1)
#' x <- matrix(rnorm(60 * 30), 60, dimnames = list(NULL, paste0("x", 1:30)))
#' y <- x[, 1] - x[, 2] + rnorm(60)
#' summary(cv_path(x, y, max_steps = 10, nfolds = 5))
#' @export
summary.transfer_cv <- function(object, digits = 3, ...) {
  curve <- cv_curve(object)
  folds <- object$folds
  folds$min <- object$fold_loss[, object$index[["min"]]]
  folds[["1se"]] <- object$fold_loss[, object$index[["1se"]]]
  structure(list(
    header = cv_header(object), choices = choice_table(object, digits),
    curve = curve[curve$lambda %in% object$lambda, , drop = FALSE], folds = folds,
    columns = columns_at(object$fit, object$points[object$index[["1se"]], ]), digits = digits
  ), class = "summary.transfer_cv")
}

#' @rdname summary.transfer_cv
#' @export
print.summary.transfer_cv <- function(x, ...) {
  cat(x$header, sep = "\n")
  print_choices(x$choices)
  cat("\nLoss by fold:\n")
  folds <- utils::head(x$folds, 12)
  if (all(folds$weight == folds$rows)) folds$weight <- NULL
  print(folds, digits = x$digits, row.names = FALSE)
  if (nrow(x$folds) > 12) cat("... and", nrow(x$folds) - 12, "more folds\n")
  cat("\nColumns at step \"1se\":", if (length(x$columns) == 0) "none", "\n")
  shown <- utils::head(x$columns, 60)
  more <- length(x$columns) - length(shown)
  text <- paste(c(shown, if (more > 0) paste("... and", more, "more")), collapse = ", ")
  if (length(shown) > 0) cat(strwrap(text, indent = 2, exdent = 2), sep = "\n")
  invisible(x)
}

cv_header <- function(x) {
  loss <- loss_table()[[x$loss]]
  better <- if (loss$smaller_is_better) "smaller is better" else "larger is better"
  c(
    paste0(
      "Cross-validation of ", class(x$fit)[[1]], ": ", nrow(x$folds), " folds, ",
      length(x$foldid), " rows"
    ),
    paste0("Loss: ", loss$label, " (", better, ")"), ""
  )
}

print_choices <- function(choices) {
  choices$step <- ifelse(is.na(choices$step), "", choices$step)
  print(choices, row.names = FALSE)
}

# One row each for "min", "1se" and the average at the chosen lambda.
choice_table <- function(x, digits) {
  at <- x$index[c("min", "1se")]
  average <- if (!is.null(x$average)) x$average[x$average$lambda %in% x$lambda, ]
  last <- max(which(x$points$lambda %in% x$lambda))
  rows <- data.frame(
    choice = c("min", "1se", if (!is.null(average)) "average"),
    step = c(x$points$step[at], if (!is.null(average)) NA),
    lambda = rep(x$lambda, 2 + !is.null(average)),
    columns = c(x$nzero[at], if (!is.null(average)) x$nzero[[last]]),
    loss = c(x$cvm[at], average$cvm),
    std.error = c(x$cvsd[at], average$cvsd)
  )
  rows[c("loss", "std.error")] <- lapply(rows[c("loss", "std.error")], signif, digits)
  if (length(unique(x$points$lambda)) == 1) rows$lambda <- NULL
  rows
}

# Names of the columns in use at a point; with several classes, in use by any.
columns_at <- function(path, point) {
  column <- which(path$points$step == point$step & path$points$lambda %in% point$lambda)
  beta <- if (is.list(path$beta)) path$beta else list(path$beta)
  used <- Reduce(`|`, lapply(beta, function(b) as.numeric(b[, column]) != 0))
  names <- rownames(beta[[1]])
  if (is.null(names)) names <- paste0("V", seq_along(used))
  names[used]
}

# The curve as a data frame, the source of tidy(), plot() and autoplot().
cv_curve <- function(x) {
  data.frame(
    step = x$points$step, lambda = x$points$lambda, estimate = x$cvm, std.error = x$cvsd,
    conf.low = x$cvlo, conf.high = x$cvup, nzero = x$nzero
  )
}

#' Data frames from a cross-validation
#'
#' @param x A [cv_path()] object.
#' @param ... Not used.
#' @return `tidy()`: a data frame with one row a point of the path: `step`, `lambda`, `estimate`
#'   (mean loss), `std.error`, `conf.low` and `conf.high` (one standard error to each side), `nzero`
#'   (number of columns).
#'
#'   `glance()`: a data frame with one row: `loss`, `step.min`, `step.1se`, `lambda`,
#'   `estimate.min`, `estimate.1se`, `estimate.average` (NA where there is none), `nzero.min`,
#'   `nzero.1se`, `nfolds`, `nobs`.
#' @references Hastie, Tibshirani & Friedman (2009), *The Elements of Statistical Learning*, 2nd
#'   edition, section 7.10.
#' @seealso [cv_path()]
#' @examples
#' set.seed(1)
#' x <- matrix(rnorm(60 * 30), 60, dimnames = list(NULL, paste0("x", 1:30)))
#' y <- x[, 1] - x[, 2] + rnorm(60)
#' cvf <- cv_path(x, y, max_steps = 5, nfolds = 5)
#' tidy(cvf)
#' glance(cvf)
#' @name tidy.transfer_cv
NULL

#' @rdname tidy.transfer_cv
#' @export
tidy.transfer_cv <- function(x, ...) {
  cv_curve(x)
}

#' @rdname tidy.transfer_cv
#' @export
glance.transfer_cv <- function(x, ...) {
  at <- x$index
  average <- if (is.null(x$average)) NA_real_ else x$average$cvm[x$average$lambda %in% x$lambda]
  data.frame(
    loss = x$loss, step.min = x$step.min, step.1se = x$step.1se, lambda = x$lambda,
    estimate.min = x$cvm[[at[["min"]]]], estimate.1se = x$cvm[[at[["1se"]]]],
    estimate.average = average, nzero.min = x$nzero[[at[["min"]]]],
    nzero.1se = x$nzero[[at[["1se"]]]], nfolds = nrow(x$folds), nobs = length(x$foldid)
  )
}
