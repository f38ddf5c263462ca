# Verbs on a transfer_cv object.

#' Coefficients and predictions at the chosen step
#'
#' The verbs on this page are those of the path on all rows (`object$fit`), at the step that cross-validation
#' chose, by default the sparsest within one standard error of the best.
#'
#' @param object,x A [cv_path()] object.
#' @param newdata New rows, as for the fit: a matrix, sparse matrix or data frame whose columns are
#'   matched by name. Not needed for `type = "nonzero"` and `type = "coefficients"`.
#' @param step `"1se"`, `"min"`, `"average"` (where the method averages models), `"best"` (for [msplit()]), or step
#'   numbers.
#' @param lambda NULL is the `lambda` that was chosen; another one of the fit needs a step number or
#'   `"average"`.
#' @param ... Arguments of the verb for the fit, such as `type`, `sources`, `class`; for `model.matrix()` the `data`.
#' @param k For `AIC()`: the penalty on a degree of freedom.
#' @return What [coef()][transfer_path] and [predict()][transfer_path] return for the fit: for one step
#'   a named vector of coefficients with the intercept first; one prediction for each row of
#'   `newdata`. `augment()`: `newdata` with its predictions, see [augment()][tidy.transfer_path]. `variable.names()`:
#'   the columns used. `logLik()`, and so [AIC()] and [BIC()], `deviance()`, `df.residual()`
#'   and `sigma()` are those of the fit on all rows at the step, see [transfer_path]; [tidy()][tidy.transfer_cv] has
#'   the losses of rows held out.
#'
#'   These do not depend on the step: `nobs()`, the number of rows; `family()`, `formula()`, `terms()` and
#'   `model.matrix()` of the fit; `fitted()` and `residuals()`, those of its default model.
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
#' augment(cvf, x[1:3, ])[".fitted"]
#' @export
predict.transfer_cv <- function(object, newdata, step = "1se", lambda = NULL, ...) {
  if (missing(newdata)) return(at_chosen("predict", object, step, lambda, ...))
  at_chosen("predict", object, step, lambda, newdata, ...)
}

# A verb of the fit, by its name, at the step that is asked for, with the other arguments in `...`.
at_chosen <- function(verb, object, step, lambda, ..., call = rlang::caller_env()) {
  refuse_abbreviated(sys.parent(), NULL)
  at <- cv_point(object, step, lambda, call)
  rlang::eval_bare(rlang::call2(verb, quote(object$fit), quote(...), step = quote(at$step), lambda = quote(at$lambda)))
}

#' @rdname predict.transfer_cv
#' @export
coef.transfer_cv <- function(object, step = "1se", lambda = NULL, ...) at_chosen("coef", object, step, lambda, ...)

#' @rdname predict.transfer_cv
#' @export
augment.transfer_cv <- function(x, newdata, ..., step = "1se", lambda = NULL) {
  if (missing(newdata)) return(at_chosen("augment", x, step, lambda, ...))
  at_chosen("augment", x, step, lambda, newdata, ...)
}

#' @rdname predict.transfer_cv
#' @export
variable.names.transfer_cv <- function(object, step = "1se", lambda = NULL, ...) {
  at_chosen("variable.names", object, step, lambda, ...)
}

#' @rdname predict.transfer_cv
#' @export
logLik.transfer_cv <- function(object, step = "1se", lambda = NULL, ...) at_chosen("logLik", object, step, lambda, ...)

#' @rdname predict.transfer_cv
#' @export
AIC.transfer_cv <- function(object, ..., k = 2) stats::AIC(stats::logLik(object, ...), k = k)

#' @rdname predict.transfer_cv
#' @importFrom stats BIC
#' @export
BIC.transfer_cv <- function(object, ...) stats::BIC(stats::logLik(object, ...))

#' @rdname predict.transfer_cv
#' @export
deviance.transfer_cv <- function(object, step = "1se", lambda = NULL, ...) {
  at_chosen("deviance", object, step, lambda, ...)
}

#' @rdname predict.transfer_cv
#' @export
df.residual.transfer_cv <- function(object, step = "1se", lambda = NULL, ...) {
  at_chosen("df.residual", object, step, lambda, ...)
}

#' @rdname predict.transfer_cv
#' @export
sigma.transfer_cv <- function(object, step = "1se", lambda = NULL, ...) at_chosen("sigma", object, step, lambda, ...)

#' @export
vcov.transfer_cv <- function(object, step = "1se", ...) {
  stats::vcov(object$fit, step = cv_point(object, step, NULL)$step, ...)
}

#' @export
confint.transfer_cv <- function(object, parm, level = .95, step = "1se", ...) {
  stats::confint(object$fit, parm, level, step = cv_point(object, step, NULL)$step, ...)
}

# What does not depend on the step.

#' @rdname predict.transfer_cv
#' @export
nobs.transfer_cv <- function(object, ...) stats::nobs(object$fit)

#' @rdname predict.transfer_cv
#' @export
fitted.transfer_cv <- function(object, ...) stats::fitted(object$fit, ...)

#' @rdname predict.transfer_cv
#' @export
residuals.transfer_cv <- function(object, ...) stats::residuals(object$fit, ...)

#' @rdname predict.transfer_cv
#' @export
family.transfer_cv <- function(object, ...) stats::family(object$fit, ...)

#' @rdname predict.transfer_cv
#' @export
formula.transfer_cv <- function(x, ...) stats::formula(x$fit, ...)

#' @rdname predict.transfer_cv
#' @export
terms.transfer_cv <- function(x, ...) stats::terms(x$fit, ...)

#' @rdname predict.transfer_cv
#' @export
model.matrix.transfer_cv <- function(object, ...) stats::model.matrix(object$fit, ...)

#' @export
model.frame.transfer_cv <- function(formula, ...) stats::model.frame(formula$fit, ...)

#' @exportS3Method survival::survfit
survfit.transfer_cv <- function(formula, ...) survfit.transfer_path(formula$fit, ...)

#' @export
required_pkgs.transfer_cv <- function(x, ...) generics::required_pkgs(x$fit, ...)

#' @export
is_calibrated.transfer_cv <- function(object, step = NULL, lambda = NULL, ...) {
  at <- cv_point(object, step %||% "1se", lambda)
  is_calibrated(object$fit, at$step, at$lambda, ...)
}

# The path of a cross-validation, or of itself.
own_path <- function(model) if (inherits(model, "transfer_cv")) model$fit else model

# As a source of another fit.

#' @export
source_says.transfer_cv <- function(model, scale) source_says(model$fit, scale)

#' @export
source_classes.transfer_cv <- function(model) source_classes(model$fit)

#' @export
predict_source.transfer_cv <- function(model, newdata, scale) {
  predict_source.transfer_path(model, newdata, scale, path = model$fit)
}

# The step and lambda of the fit that a word, a number or numbers stand for.
cv_point <- function(object, step, lambda, call = rlang::caller_env()) {
  chosen <- rlang::is_string(step) && step %in% names(object$index)
  named <- is_named_step(object$fit, step)
  if (!chosen && !named && !is.numeric(step) && !identical(step, "average")) {
    words <- c("1se", "min", if (path_average(object$fit)) "average" else names(object$fit$named))
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
    lambda = if (is.null(lambda)) only_lambda(object) else lambda
  )
}

# The chosen lambda; NULL where the fit has one only.
only_lambda <- function(object) {
  if (length(unique(object$points$lambda)) > 1) object$lambda
}

# The average at the chosen lambda; NULL where there is none.
chosen_average <- function(x) if (!is.null(x$average)) x$average[x$average$lambda %in% x$lambda, ]

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
#' @param ... Must be empty.
#' @return `tidy()`: a data frame with one row for each point of the path: `step`, `lambda`,
#'   `estimate` (mean loss), `std.error`, `conf.low` and `conf.high` (one standard error to each
#'   side), `nzero` (number of columns).
#'
#'   `glance()`: a data frame with one row: `loss`, `step.min`, `step.1se`, `lambda`,
#'   `estimate.min`, `estimate.1se`, `estimate.average` (NA where there is none), `nzero.min`,
#'   `nzero.1se`, `nfolds`, `nobs`, `incomplete` (rows left out, as some value was missing).
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
  check_arguments()
  cv_curve(x)
}

#' @rdname tidy.transfer_cv
#' @export
glance.transfer_cv <- function(x, ...) {
  check_arguments()
  at <- x$index
  average <- chosen_average(x)$cvm %||% NA_real_
  data.frame(
    loss = x$loss, step.min = x$step.min, step.1se = x$step.1se, lambda = x$lambda,
    estimate.min = x$cvm[[at[["min"]]]], estimate.1se = x$cvm[[at[["1se"]]]],
    estimate.average = average, nzero.min = x$nzero[[at[["min"]]]],
    nzero.1se = x$nzero[[at[["1se"]]]], nfolds = nrow(x$folds), nobs = stats::nobs(x),
    incomplete = x$fit$left_out$incomplete %||% 0L
  )
}
