# The verbs on a cross-validation, an object of class transfer_cv.

#' Coefficients and predictions at the chosen step
#'
#' The usual verbs for a [cv_path()] object: `coef(cv)`, `predict(cv, newdata)` and so on. They use the path on all rows
#' (`cv$fit`) at a step of the cross-validation. The default is the step that the method has chosen itself, unless
#' another is clearly better, see "Choice" in [cv_path()]; `step = "1se"` is the sparsest step within one standard error
#' of the best. For the losses use [tidy()][tidy.transfer_cv] or [summary()].
#'
#' @param object,x A [cv_path()] object.
#' @param newdata,data New rows, as for the fit: a matrix, sparse matrix or data frame whose columns are
#'   matched by name. Not needed for `type = "nonzero"` and `type = "coefficients"`.
#' @param step `"default"`, `"1se"`, `"min"`, `"average"` (if the method averages models), `"best"` (for [msplit()]),
#'   or step numbers.
#' @param lambda NULL: the `lambda` that was chosen. Another `lambda` of the fit needs a step number or `"average"`.
#' @param ... Arguments of the verb for the fit, such as `type`, `sources`, `class`; for `model.matrix()` the `data`.
#' @param k For `AIC()`: the penalty per degree of freedom.
#' @return What [coef()][transfer_path] and [predict()][transfer_path] return for the fit: for one step a named vector
#'   of coefficients with the intercept first, and one prediction per row of `newdata`. `augment()`: `newdata` with its
#'   predictions, see [augment()][tidy.transfer_path]. `variable.names()`: the columns used. `logLik()`, and so [AIC()]
#'   and [BIC()], `deviance()`, `df.residual()` and `sigma()` are those of the fit on all rows at the step, see
#'   [transfer_path]; [tidy()][tidy.transfer_cv] has the losses of held-out rows.
#'
#'   Some verbs do not depend on the step: `nobs()` is the number of rows; `family()`, `formula()`, `terms()` and
#'   `model.matrix()` are of the fit; `fitted()` and `residuals()` are of its default model.
#' @references Hastie, Tibshirani & Friedman (2009), *The Elements of Statistical Learning*, 2nd
#'   edition, section 7.10.
#'
#'   Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. *Machine Learning* 52, 239-281.
#'   \doi{10.1023/A:1024068626366}
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
predict.transfer_cv <- function(object, newdata, step = "default", lambda = NULL, ...) {
  if (rlang::is_string(list(...)$interval, "conformal")) {
    arguments_refuse_abbreviated(sys.nframe(), NULL)
    # the rows of the fit are looked for where predict() was called
    here <- rlang::new_environment(parent = parent.frame(), list(
      .fit = conformal_path(object), .more = list(...),
      .at = cv_object_point(object, step, lambda, rlang::current_env())
    ))
    if (!missing(newdata)) here$.newdata <- newdata
    more <- stats::setNames(lapply(seq_len(...length()), function(k) call("[[", quote(.more), k)), ...names())
    rows <- if (!missing(newdata)) list(quote(.newdata))
    return(rlang::eval_bare(rlang::call2("predict", quote(.fit), !!!rows, !!!more, step = quote(.at$step),
                                         lambda = quote(.at$lambda)), here))
  }
  cv_verb_at_chosen("predict", object, step, lambda, newdata, ...)
}

# The result of a verb (its name) on the fit, at a step of cv_object_point(); `...`: the verb's other arguments.
cv_verb_at_chosen <- function(verb, object, step, lambda, ..., call = rlang::caller_env()) {
  arguments_refuse_abbreviated(sys.parent(), NULL)
  point <- cv_object_point(object, step, lambda, call)
  rlang::eval_bare(rlang::call2(verb, quote(object$fit), quote(...), step = quote(point$step),
                                lambda = quote(point$lambda)))
}

# The method of a verb that has no other arguments than these.
cv_verb_plain <- function(object, step = "default", lambda = NULL, ...) {
  cv_verb_at_chosen(.Generic, object, step, lambda, ...)
}

#' @rdname predict.transfer_cv
#' @export
coef.transfer_cv <- cv_verb_plain

#' @rdname predict.transfer_cv
#' @export
augment.transfer_cv <- function(x, data = NULL, newdata = data, ..., step = "default", lambda = NULL) {
  cv_verb_at_chosen("augment", x, step, lambda, newdata = newdata, ...)
}

#' @rdname predict.transfer_cv
#' @export
variable.names.transfer_cv <- cv_verb_plain

#' @rdname predict.transfer_cv
#' @export
logLik.transfer_cv <- cv_verb_plain

#' @rdname predict.transfer_cv
#' @export
AIC.transfer_cv <- function(object, ..., k = 2) {
  stats::AIC(stats::logLik(object, ...), k = check_number(k, "k", -Inf, rlang::current_env()))
}

#' @rdname predict.transfer_cv
#' @importFrom stats BIC
#' @export
BIC.transfer_cv <- function(object, ...) stats::BIC(stats::logLik(object, ...))

#' @rdname predict.transfer_cv
#' @export
deviance.transfer_cv <- cv_verb_plain

#' @rdname predict.transfer_cv
#' @export
df.residual.transfer_cv <- cv_verb_plain

#' @rdname predict.transfer_cv
#' @export
sigma.transfer_cv <- cv_verb_plain

#' @export
vcov.transfer_cv <- function(object, step = "default", ...) {
  stats::vcov(cv_verbs_fit(object), step = cv_object_point(object, step, NULL)$step, ...)
}

#' @export
confint.transfer_cv <- function(object, parm, level = .95, step = "default", ...) {
  stats::confint(cv_verbs_fit(object), parm, level, step = cv_object_point(object, step, NULL)$step, ...)
}

# Verbs that do not depend on the step.

# The fit of a cross-validation that is as it was made.
cv_verbs_fit <- function(cv) {
  whole_check(cv, rlang::caller_env())
  cv$fit
}

#' @rdname predict.transfer_cv
#' @export
nobs.transfer_cv <- function(object, ...) stats::nobs(cv_verbs_fit(object), ...)

#' @rdname predict.transfer_cv
#' @export
fitted.transfer_cv <- function(object, ...) stats::fitted(cv_verbs_fit(object), ...)

#' @rdname predict.transfer_cv
#' @export
residuals.transfer_cv <- function(object, ...) stats::residuals(cv_verbs_fit(object), ...)

#' @rdname predict.transfer_cv
#' @export
family.transfer_cv <- function(object, ...) stats::family(cv_verbs_fit(object), ...)

#' @rdname predict.transfer_cv
#' @export
formula.transfer_cv <- function(x, ...) stats::formula(cv_verbs_fit(x), ...)

#' @rdname predict.transfer_cv
#' @export
terms.transfer_cv <- function(x, ...) stats::terms(cv_verbs_fit(x), ...)

#' @rdname predict.transfer_cv
#' @export
model.matrix.transfer_cv <- function(object, ...) stats::model.matrix(cv_verbs_fit(object), ...)

#' @export
model.frame.transfer_cv <- function(formula, ...) stats::model.frame(cv_verbs_fit(formula), ...)

# These are of the default model of the fit on all rows.

#' @export
anova.transfer_cv <- function(object, ...) stats::anova(cv_verbs_fit(object), ...)

#' @export
extractAIC.transfer_cv <- function(fit, scale = 0, k = 2, ...) stats::extractAIC(cv_verbs_fit(fit), scale, k, ...)

#' @export
drop1.transfer_cv <- function(object, scope, ...) {
  arguments_of_generic(c("scale", "test", "k"), same = "trace")
  path_nested_refuse_after_search(object$fit, "drop1", rlang::current_env())
  stats::drop1(cv_verbs_fit(object), scope, ...)
}

#' @export
add1.transfer_cv <- function(object, scope, ...) {
  arguments_of_generic(c("scale", "test", "k"), same = "trace")
  path_nested_refuse_after_search(object$fit, "add1", rlang::current_env())
  stats::add1(cv_verbs_fit(object), scope, ...)
}

#' @export
weights.transfer_cv <- function(object, ...) stats::weights(cv_verbs_fit(object), ...)

#' @export
case.names.transfer_cv <- function(object, ...) stats::case.names(cv_verbs_fit(object), ...)

#' @export
hatvalues.transfer_cv <- function(model, ...) stats::hatvalues(cv_verbs_fit(model), ...)

#' @export
rstandard.transfer_cv <- function(model, ...) stats::rstandard(cv_verbs_fit(model), ...)

#' @export
cooks.distance.transfer_cv <- function(model, ...) stats::cooks.distance(cv_verbs_fit(model), ...)

#' @export
rstudent.transfer_cv <- function(model, ...) stats::rstudent(cv_verbs_fit(model), ...)

#' @export
influence.transfer_cv <- function(model, ...) stats::influence(cv_verbs_fit(model), ...)

#' @export
dfbeta.transfer_cv <- function(model, ...) stats::dfbeta(cv_verbs_fit(model), ...)

#' @export
dfbetas.transfer_cv <- function(model, ...) stats::dfbetas(cv_verbs_fit(model), ...)

#' @export
alias.transfer_cv <- function(object, ...) stats::alias(cv_verbs_fit(object), ...)

#' @export
dummy.coef.transfer_cv <- function(object, ...) stats::dummy.coef(cv_verbs_fit(object), ...)

#' @export
simulate.transfer_cv <- function(object, nsim = 1, seed = NULL, ...) {
  stats::simulate(cv_verbs_fit(object), nsim, seed, ...)
}

#' Data frame of the losses of a cross-validation
#'
#' `as.data.frame(cv)` has the loss at each point of the path of a [cv_path()] object, with its standard error. It is
#' the same data frame that [tidy()][tidy.transfer_cv] gives. For predictions of held-out rows see
#' `keep_predictions` of [cv_path()].
#'
#' @param x A [cv_path()] object.
#' @param row.names,optional Not used.
#' @param ... Not used.
#' @returns A data frame with one row per point of the path and the columns of [tidy.transfer_cv()].
#' @references Hastie, Tibshirani & Friedman (2009), *The Elements of Statistical Learning*, 2nd
#'   edition, section 7.10.
#' @examples
#' head(as.data.frame(cv_path(mpg ~ ., mtcars, max_steps = 3, nfolds = 5)))
#' @export
as.data.frame.transfer_cv <- function(x, row.names = NULL, optional = FALSE, ...) {
  arguments_of_generic(same = TABLE_ARGUMENTS)
  cv_object_curve(x)
}

#' @export
required_pkgs.transfer_cv <- function(x, ...) generics::required_pkgs(cv_verbs_fit(x), ...)

#' @export
is_calibrated.transfer_cv <- function(object, step = NULL, lambda = NULL, ...) {
  point <- cv_object_point(object, step %||% "default", lambda)
  is_calibrated(object$fit, point$step, point$lambda, ...)
}

# A cross-validation as a source of another fit.

#' @export
source_scale_words.transfer_cv <- function(model, scale) source_scale_words(model$fit, scale)

#' @export
source_classes.transfer_cv <- function(model) source_classes(model$fit)

#' @export
predict_source.transfer_cv <- function(model, newdata, scale) {
  predict_source.transfer_path(model, newdata, scale, path = model$fit)
}

#' Data frames from a cross-validation
#'
#' `tidy(cv)` has the loss at each step of a [cv_path()] object, with standard errors; `glance(cv)` has one row with the
#' chosen steps and their losses. Use them for tables and pictures of your own. For the coefficients of the chosen model
#' use `tidy(cv, step = "1se")`.
#'
#' @param x A [cv_path()] object.
#' @param step,lambda `NULL`: the table of the cross-validation. Or the model that is wanted: `"1se"`, `"min"`,
#'   `"default"`, `"best"`, `"all"` or step numbers. The result is then that of [tidy()][tidy.transfer_path] or
#'   [glance()][tidy.transfer_path] of the path on all rows.
#' @param ... Arguments of these methods.
#' @return `tidy()`: a data frame with one row per point of the path: `step`, `lambda`, `estimate` (mean loss),
#'   `std.error`, `std.error.corrected`, `std.error.within`, `conf.low` and `conf.high` (one `std.error` to each side),
#'   `nzero` (number of columns). `std.error` is that of the loss by itself: what it may be on other folds.
#'   `std.error.within` is for comparisons of steps: each fold's mean over the steps is taken out first, since a fold
#'   that is hard at every step says nothing of them. `"1se"` and the picture use it. Both assume that the losses of the
#'   folds are independent. The training parts of the folds share rows, so they may be too small.
#'   `std.error.corrected` (Nadeau and Bengio) is \eqn{\sqrt{1 + k/(k - 1)}} times `std.error` with k folds. Use it if
#'   the method chooses its columns; otherwise `std.error` is enough (`vignette("how-sure")`).
#'
#'   `glance()`: a data frame with one row: `loss`, `step.min`, `step.1se`, `lambda`, `estimate.min`, `estimate.1se`,
#'   `estimate.average` (NA if there is none), `nzero.min`, `nzero.1se`, `nfolds`, `nobs`, `incomplete` (the number of
#'   rows left out because a value is missing).
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
tidy.transfer_cv <- function(x, ..., step = NULL, lambda = NULL) {
  if (is.null(step) && is.null(lambda)) {
    arguments_of_generic()
    return(cv_object_curve(x))
  }
  point <- if (identical(step, "all")) list(step = step, lambda = lambda) else
    cv_object_point(x, step %||% "default", lambda, rlang::current_env())
  tidy(x$fit, ..., step = point$step, lambda = point$lambda)
}

#' @rdname tidy.transfer_cv
#' @export
glance.transfer_cv <- function(x, ..., step = NULL) {
  if (!is.null(step)) {
    return(glance(x$fit, ..., step = cv_object_point(x, step, NULL, rlang::current_env())$step))
  }
  arguments_of_generic()
  chosen <- x$index
  average <- cv_object_average(x)$cvm %||% NA_real_
  data.frame(
    loss = x$loss, step.min = x$step.min, step.1se = x$step.1se, lambda = x$lambda,
    estimate.min = x$cvm[[chosen[["min"]]]], estimate.1se = x$cvm[[chosen[["1se"]]]],
    estimate.average = average, nzero.min = x$nzero[[chosen[["min"]]]],
    nzero.1se = x$nzero[[chosen[["1se"]]]], nfolds = nrow(x$folds), nobs = stats::nobs(x),
    incomplete = x$fit$left_out$incomplete %||% 0L
  )
}
