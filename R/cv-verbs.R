# The verbs on a cross-validation, an object of class transfer_cv.

#' Coefficients and predictions at the chosen step
#'
#' The verbs on this page are those of the path on all rows (`object$fit`), at the step that cross-validation
#' chose, by default the sparsest within one standard error of the best.
#'
#' @param object,x A [cv_path()] object.
#' @param newdata,data New rows, as for the fit: a matrix, sparse matrix or data frame whose columns are
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
predict.transfer_cv <- function(object, newdata, step = "1se", lambda = NULL, ...) {
  at_chosen("predict", object, step, lambda, newdata, ...)
}

# The result of a verb (its name) on the fit, at a step of cv_point(); `...`: the verb's other arguments.
at_chosen <- function(verb, object, step, lambda, ..., call = rlang::caller_env()) {
  refuse_abbreviated(sys.parent(), NULL)
  at <- cv_point(object, step, lambda, call)
  rlang::eval_bare(rlang::call2(verb, quote(object$fit), quote(...), step = quote(at$step), lambda = quote(at$lambda)))
}

# The method of a verb that has no other arguments than these.
verb_at_chosen <- function(object, step = "1se", lambda = NULL, ...) at_chosen(.Generic, object, step, lambda, ...)

#' @rdname predict.transfer_cv
#' @export
coef.transfer_cv <- verb_at_chosen

#' @rdname predict.transfer_cv
#' @export
augment.transfer_cv <- function(x, data = NULL, newdata = data, ..., step = "1se", lambda = NULL) {
  at_chosen("augment", x, step, lambda, newdata = newdata, ...)
}

#' @rdname predict.transfer_cv
#' @export
variable.names.transfer_cv <- verb_at_chosen

#' @rdname predict.transfer_cv
#' @export
logLik.transfer_cv <- verb_at_chosen

#' @rdname predict.transfer_cv
#' @export
AIC.transfer_cv <- function(object, ..., k = 2) stats::AIC(stats::logLik(object, ...), k = k)

#' @rdname predict.transfer_cv
#' @importFrom stats BIC
#' @export
BIC.transfer_cv <- function(object, ...) stats::BIC(stats::logLik(object, ...))

#' @rdname predict.transfer_cv
#' @export
deviance.transfer_cv <- verb_at_chosen

#' @rdname predict.transfer_cv
#' @export
df.residual.transfer_cv <- verb_at_chosen

#' @rdname predict.transfer_cv
#' @export
sigma.transfer_cv <- verb_at_chosen

#' @export
vcov.transfer_cv <- function(object, step = "1se", ...) {
  stats::vcov(object$fit, step = cv_point(object, step, NULL)$step, ...)
}

#' @export
confint.transfer_cv <- function(object, parm, level = .95, step = "1se", ...) {
  stats::confint(object$fit, parm, level, step = cv_point(object, step, NULL)$step, ...)
}

# Verbs that do not depend on the step.

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

# These are of the default model of the fit on all rows.

#' @export
anova.transfer_cv <- function(object, ...) stats::anova(object$fit, ...)

#' @export
extractAIC.transfer_cv <- function(fit, scale = 0, k = 2, ...) stats::extractAIC(fit$fit, scale, k, ...)

#' @export
drop1.transfer_cv <- function(object, scope, ...) refuse_after_search(object$fit, "drop1", rlang::current_env())

#' @export
add1.transfer_cv <- function(object, scope, ...) refuse_after_search(object$fit, "add1", rlang::current_env())

#' @export
weights.transfer_cv <- function(object, ...) stats::weights(object$fit, ...)

#' @export
case.names.transfer_cv <- function(object, ...) stats::case.names(object$fit, ...)

#' @export
hatvalues.transfer_cv <- function(model, ...) stats::hatvalues(model$fit, ...)

#' @export
rstandard.transfer_cv <- function(model, ...) stats::rstandard(model$fit, ...)

#' @export
cooks.distance.transfer_cv <- function(model, ...) stats::cooks.distance(model$fit, ...)

#' @export
simulate.transfer_cv <- function(object, nsim = 1, seed = NULL, ...) stats::simulate(object$fit, nsim, seed, ...)

#' Data frame of the losses of a cross-validation
#'
#' @param x A [cv_path()] object.
#' @param row.names,optional Not used.
#' @param ... Not used.
#' @returns A data frame: the points of the path with their mean losses, as [tidy.transfer_cv()] has them.
#' @references Hastie, Tibshirani & Friedman (2009), *The Elements of Statistical Learning*, 2nd
#'   edition, section 7.10.
#' @examples
#' head(as.data.frame(cv_path(mpg ~ ., mtcars, max_steps = 3, nfolds = 5)))
#' @export
as.data.frame.transfer_cv <- function(x, row.names = NULL, optional = FALSE, ...) cv_curve(x)

#' @exportS3Method survival::survfit
survfit.transfer_cv <- function(formula, ...) survfit.transfer_path(formula$fit, ...)

#' @export
required_pkgs.transfer_cv <- function(x, ...) generics::required_pkgs(x$fit, ...)

#' @export
is_calibrated.transfer_cv <- function(object, step = NULL, lambda = NULL, ...) {
  at <- cv_point(object, step %||% "1se", lambda)
  is_calibrated(object$fit, at$step, at$lambda, ...)
}

# A path itself; of a cross-validation its path on all rows.
own_path <- function(model) if (inherits(model, "transfer_cv")) model$fit else model

# A cross-validation as a source of another fit.

#' @export
source_scale_words.transfer_cv <- function(model, scale) source_scale_words(model$fit, scale)

#' @export
source_classes.transfer_cv <- function(model) source_classes(model$fit)

#' @export
predict_source.transfer_cv <- function(model, newdata, scale) {
  predict_source.transfer_path(model, newdata, scale, path = model$fit)
}

# The step and lambda of the fit for the arguments `step`, "min", "1se", "average" or numbers, and `lambda`.
cv_point <- function(object, step, lambda, call = rlang::caller_env()) {
  if (identical(step, "default")) step <- "1se"
  if (identical(step, "best") && !"best" %in% names(object$fit$named)) step <- "min"
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

# The chosen lambda; NULL where the fit has only one.
only_lambda <- function(object) {
  if (length(unique(object$points$lambda)) > 1) object$lambda
}

# The row of `average` for the chosen lambda; NULL where the method has no average.
chosen_average <- function(x) if (!is.null(x$average)) x$average[x$average$lambda %in% x$lambda, ]

# The mean losses by point as a data frame, for tidy(), plot() and autoplot().
cv_curve <- function(x) {
  data.frame(
    step = x$points$step, lambda = x$points$lambda, estimate = x$cvm, std.error = x$cvsd,
    std.error.corrected = cv_corrected(x$cvsd, nrow(x$fold_loss)), conf.low = x$cvlo, conf.high = x$cvup,
    nzero = x$nzero
  )
}

#' Data frames from a cross-validation
#'
#' @param x A [cv_path()] object.
#' @param ... Not used.
#' @return `tidy()`: a data frame with one row for each point of the path: `step`, `lambda`,
#'   `estimate` (mean loss), `std.error`, `std.error.corrected`, `conf.low` and `conf.high` (one `std.error` to each
#'   side), `nzero` (number of columns). `std.error` takes the losses of the folds as independent, as the rule of one
#'   standard error does. The training parts of folds share rows, so it may be too small; `std.error.corrected` is Nadeau
#'   and Bengio's, \eqn{\sqrt{1 + k/(k - 1)}} times as large with k folds, and errs on the side of caution (`Rscript
#'   bench/intervals.R folds` in the package's repository).
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
  generic_arguments()
  cv_curve(x)
}

#' @rdname tidy.transfer_cv
#' @export
glance.transfer_cv <- function(x, ...) {
  generic_arguments()
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

# ---- print() and summary() -----------------------------------------------------------------------

#' @export
print.transfer_cv <- function(x, digits = 3, ...) {
  print_description(x, list(head = cv_header(x), tables = list(shown_table(choice_table(x, digits))),
                            foot = cv_corrected_note(nrow(x$fold_loss))), digits)
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
#'   `"min"` and `"1se"`), and `columns` (names of the columns in the model at `"1se"`). `print()` returns it
#'   invisibly.
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
  generic_arguments()
  digits <- check_digits(digits, rlang::current_env())
  curve <- cv_curve(object)
  folds <- object$folds
  folds$min <- object$fold_loss[, object$index[["min"]]]
  folds[["1se"]] <- object$fold_loss[, object$index[["1se"]]]
  structure(list(
    header = cv_header(object), choices = choice_table(object, digits),
    curve = curve[curve$lambda %in% object$lambda, , drop = FALSE], folds = folds,
    columns = stats::variable.names(
      object$fit, step = object$step.1se, lambda = only_lambda(object)
    ),
    digits = digits
  ), class = "summary.transfer_cv")
}

#' @rdname summary.transfer_cv
#' @export
print.summary.transfer_cv <- function(x, ...) {
  folds <- x$folds
  if (all(utils::head(folds$weight == folds$rows, 12))) folds$weight <- NULL
  shown <- utils::head(x$columns, 60)
  more <- length(x$columns) - length(shown)
  text <- paste(c(shown, if (more > 0) paste("... and", more, "more")), collapse = ", ")
  print_description(x, list(
    head = x$header,
    tables = list(shown_table(x$choices), shown_table(folds, 12, "\nLoss by fold:\n", "folds")),
    foot = c(paste("\nColumns at step \"1se\":", if (!length(shown)) "none"),
             if (length(shown)) strwrap(text, indent = 2, exdent = 2))
  ), x$digits)
}

cv_header <- function(x) {
  loss <- loss_named(x$loss)
  c(
    paste0(
      "Cross-validation of ", class(x$fit)[[1]], ": ", nrow(x$folds), " folds, ",
      rows_text(x$fit, stats::nobs(x)), lost_domains(x$fit$left_out$domains)
    ),
    paste0("Loss: ", loss$label, " (", better_words(loss$smaller_is_better), ")")
  )
}

# A table with a row for "min", "1se" and the average at the chosen lambda.
choice_table <- function(x, digits) {
  at <- x$index[c("min", "1se")]
  average <- chosen_average(x)
  last <- max(which(x$points$lambda %in% x$lambda))
  rows <- data.frame(choice = c("min", "1se"), step = x$points$step[at], lambda = x$lambda, columns = x$nzero[at],
                     loss = x$cvm[at], std.error = x$cvsd[at], corrected = cv_corrected(x$cvsd[at], nrow(x$fold_loss)))
  if (!is.null(average)) {
    rows <- rbind(rows, data.frame(choice = "average", step = NA, lambda = x$lambda, columns = x$nzero[[last]],
                                   loss = average$cvm, std.error = average$cvsd,
                                   corrected = cv_corrected(average$cvsd, nrow(x$fold_loss))))
  }
  rows <- round_columns(rows, c("loss", "std.error", "corrected"), digits)
  if (length(unique(x$points$lambda)) == 1) rows$lambda <- NULL
  names(rows)[names(rows) == "lambda"] <- x$fit$labels[["lambda"]]
  rows
}

# ---- picture -------------------------------------------------------------------------------------

#' Plot a cross-validation
#'
#' Mean loss with one standard error to each side (with more than four curves only for the chosen `lambda`)
#' against the step. Dotted vertical lines mark `"min"` and `"1se"`; a dashed horizontal line is the loss
#' of the average over the path, where the method has one. With several `lambda` there is one curve for
#' each; the lines, the average and the numbers of columns on the top axis are those of the chosen
#' `lambda`, whose curve is the thick one.
#'
#' `autoplot()` gives the same picture as a ggplot2 object.
#'
#' @param x,object A [cv_path()] object.
#' @param ... For `plot()`: graphical parameters that replace the defaults, such as `main`, `xlab`,
#'   `ylim`, `col` (one colour, or one for each `lambda`), `pch`, `lwd`. For `autoplot()`: `log`
#'   (`"x"`, `"y"` or `"xy"`), the axes that are to be logarithmic, as for `plot()`.
#' @return `plot()` returns `x` invisibly; `autoplot()` a ggplot object, to which layers can be
#'   added.
#' @references Hastie, Tibshirani & Friedman (2009), *The Elements of Statistical Learning*, 2nd
#'   edition, section 7.10.
#' @seealso [cv_path()], [tidy.transfer_cv()] for the same numbers as a data frame.
#' @examples
#' set.seed(1)
#' x <- matrix(rnorm(60 * 30), 60, dimnames = list(NULL, paste0("x", 1:30)))
#' y <- x[, 1] - x[, 2] + rnorm(60)
#' cvf <- cv_path(x, y, max_steps = 10, nfolds = 5)
#' plot(cvf)
#' plot(cvf, main = "Two of thirty columns matter", col = "black")
#' @export
plot.transfer_cv <- function(x, ...) plot_picture(x, cv_picture(cv_layers(x)), ...)

#' @rdname plot.transfer_cv
#' @exportS3Method ggplot2::autoplot
autoplot.transfer_cv <- function(object, ...) autoplot_picture(cv_picture(cv_layers(object)), ...)

# The data of the picture: `curves`, the points, with the lambda as the factor `curve`, and `chosen`, TRUE for the
# chosen lambda; `marks`, the step and name of the vertical lines; `average`, the loss of the average at the chosen
# lambda, or NULL.
cv_layers <- function(x) {
  curves <- cv_curve(x)
  lambdas <- unique(curves$lambda)
  name <- if (length(lambdas) > 1) paste(x$fit$labels[["lambda"]], format_number(lambdas)) else "loss"
  name <- make.unique(name)
  curves$curve <- factor(name[match(curves$lambda, lambdas)], name)
  curves$chosen <- curves$lambda %in% x$lambda
  curves <- curves[!is.na(curves$estimate), , drop = FALSE]
  bare <- is.na(curves$std.error)
  curves[bare, c("conf.low", "conf.high")] <- curves$estimate[bare]
  average <- chosen_average(x)$cvm
  marks <- if (x$step.min == x$step.1se) {
    data.frame(step = x$step.min, name = "min = 1se")
  } else {
    data.frame(step = c(x$step.min, x$step.1se), name = c("min", "1se"))
  }
  list(
    curves = curves, marks = marks, average = average, label = loss_named(x$loss)$label,
    ylim = padded(value_range(c(curves$conf.low, curves$conf.high, average)), c(0, .06)),
    steps = sort(unique(curves$step)), counted = x$fit$labels[["size"]]
  )
}

BARRED_CURVES <- 4 # where there are more, only the curve of the chosen lambda has standard errors

cv_picture <- function(layers) {
  curves <- layers$curves
  names <- levels(curves$curve)
  several <- length(names) > 1L
  colours <- lambda_colours(length(names))
  col <- colours[as.integer(curves$curve)]
  points <- data.frame(x = curves$step, y = curves$estimate, group = as.character(curves$curve), col = col)
  bars <- data.frame(x = curves$step, y = curves$conf.low, yend = curves$conf.high, group = points$group,
                     col = grDevices::adjustcolor(col, if (several) .3 else .45))
  barred <- length(names) <= BARRED_CURVES | curves$chosen
  orange <- picture_colours$source[[2L]]
  ends <- curves[!duplicated(curves$curve, fromLast = TRUE), , drop = FALSE]
  ends <- ends[several & seq_len(nrow(ends)) > 0L, , drop = FALSE]
  average <- layers$average
  ticks <- step_ticks(layers$steps)
  chosen <- curves[curves$chosen, , drop = FALSE]
  columns <- chosen$nzero[match(ticks, chosen$step)] # numbers of columns, for the top axis
  wide <- max(diff(range(layers$steps)), 1)
  limits <- range(layers$steps) + c(-.02, .02) * wide
  # the name of a vertical line stands to its left for "1se", else to its right, where the panel has room for it
  place <- (layers$marks$step - min(layers$steps)) / wide
  left <- (layers$marks$name == "1se" & place > .08) | place > .85
  marks <- data.frame(x = layers$marks$step, y = Inf, label = paste0(" ", layers$marks$name, " "),
                      hjust = as.numeric(left))
  new_picture(list(new_panel(
    new_axis("step", limits, ticks,
             second = list(at = ticks[!is.na(columns)], labels = columns[!is.na(columns)],
                           label = layers$counted)),
    new_axis(layers$label, padded(layers$ylim)),
    list(
      new_rule("x", layers$marks$step),
      new_layer("text", marks, vjust = 1.6),
      if (length(average)) new_rule("y", average, col = orange, lty = 2, lwd = 1.5),
      new_layer("segment", bars[barred, ], lwd = 1.5),
      new_layer("line", cbind(points, lwd = ifelse(several & curves$chosen, 2, 1)), user = c("col", "lwd", "lty")),
      new_layer("point", points, pch = 20, user = c("col", "pch", "cex"))
    ),
    rbind(
      data.frame(x = ends$step, y = ends$estimate, label = as.character(ends$curve),
                 group = as.character(ends$curve), col = colours[as.integer(ends$curve)]),
      if (length(average)) data.frame(x = limits[2L], y = average, label = "average", group = NA, col = orange)
    )
  )), paste("Cross-validation:", layers$label))
}
