# assess(): how good are predictions for rows that no model has seen?

#' Assess predictions at a new place
#'
#' Measures the predictions of a model for rows that it was not fitted to, such as rows of another hospital or of later
#' years: their error, how well they separate classes (discrimination), and whether predicted probabilities or values
#' agree with what was observed (calibration). `assess(fit, newdata)` is for fits of this package, `assess(predictions,
#' y)` for those of any other model; `plot()` draws the calibration curve. Do not use it on the training rows, where
#' errors are too small: use [cv_path()] if there are no other rows.
#'
#' @param object A fitted path, a [cv_path()] object, or predictions of any other model: numbers for a numeric response;
#'   for two classes the probabilities of the second class; for several classes a matrix of probabilities with one
#'   column per class, named by the classes; for survival times linear predictors, which are larger for earlier events.
#' @param newdata New rows, as [predict()][transfer_path] takes them.
#' @param y The responses of the new rows: numbers, a factor or a `Surv`. For a fit by formula `y` may be left out if
#'   `newdata` has the response.
#' @param weights One number per row, or `NULL`.
#' @param cluster The cluster of each row, such as its hospital or school, or the name of this column of `newdata`.
#'   Standard errors then allow for correlation within clusters. `NULL`: the rows are independent.
#' @param top For several classes: `top_k_error` counts a row as correct if its class is among the `top` largest scores.
#' @param bins Number of points of the calibration curve. Each point is a group of rows with similar predictions.
#' @param ... For a path: further arguments of [predict()][transfer_path], for example `step` or
#'   `sources`. Otherwise must be empty.
#' @returns An object of class `transfer_assessment`, a list:
#' \describe{
#'   \item{`measures`}{a data frame: `measure`, `estimate`, `std.error`, `conf.low`, `conf.high` (95 % limits by normal
#'     theory, for shares by Wilson's method; `NA` if none are computed). If the standard error of `auroc` or
#'     `concordance` is 0, as where all pairs of rows are in order, the limits are Wilson's for the smaller number of
#'     rows of a class, or half the number of events. With `cluster` the standard errors are
#'     sandwich estimates over the clusters (for the area under the curve Obuchowski's), and the limits use Student's t
#'     with the number of clusters minus one degrees of freedom. The measures are listed below.}
#'   \item{`curve`}{a data frame with one row per group of rows: `predicted` and `observed` (weighted means),
#'     `conf.low`, `conf.high` of `observed` (for a share Wilson's interval, otherwise two standard errors), `n`. `NULL`
#'     for several classes, and if scores are not probabilities.}
#'   \item{`family`, `nobs`}{the kind of response, and the number of rows assessed.}
#' }
#' Rows whose prediction or response is missing are left out with a message. `print()`, `plot()`,
#' `autoplot()`, `tidy()` (the measures) and `as.data.frame()` (the measures) work on it.
#'
#' @section Measures:
#' * Numbers: `rmse` and `mae`, in the units of the response; `r_squared`, one minus the mean squared error divided by
#'   the variance of `y` in the new rows; `calibration_intercept`, the mean of `y` minus the mean prediction;
#'   `calibration_slope`, the slope of a regression of `y` on the predictions, which is 1 if differences between
#'   predictions are right on average.
#' * Counts, of a fit with `family = "poisson"` or `"negbin"`: the measures of numbers, and `deviance`, the mean
#'   deviance of a row: Poisson, or negative binomial with the theta of the fit.
#' * Two classes: `auroc`, the area under the ROC curve, with DeLong's standard error; `error`, the misclassification
#'   rate, and `balanced_error`, the mean of the rates in the two classes. For probabilities also `brier`, the mean
#'   squared error of the probability; `log_loss`, minus the mean log probability of the observed class;
#'   `calibration_slope`, the slope of a logistic regression of the class on the predicted log odds, and
#'   `calibration_intercept`, the intercept of this regression with the slope fixed at 1. If the intercept is above 0,
#'   the second class is more frequent than predicted.
#' * Survival times: `concordance` (Harrell's), and `calibration_slope`, the coefficient of the linear
#'   predictor in a Cox model of the new rows.
#' * Several classes: `error`, `balanced_error`, `top_k_error`, and for probabilities `brier` (summed over the classes)
#'   and `log_loss`.
#'
#' A measure that the rows do not determine is `NA`, and a message says why. There is no slope if the predictions
#' separate the classes, or if every event happens to the row with the largest prediction of those at risk. There are no
#' measures of ranks if there is only one class or no event. Rows with a probability of exactly 0 or 1 have infinite log
#' odds. Those whose class was predicted correctly are left out of the calibration intercept and slope; if there is any
#' other, both are `NA`.
#'
#' Classes fitted by least squares ([greedytl()], [tgreedy()], [msplit()] with its default loss) have scores, not
#' probabilities. Only the ranks of the scores and the predicted classes are assessed, unless the scores are calibrated
#' (`prob = TRUE`, or a [cv_path()] object).
#' @references DeLong, E. R., DeLong, D. M. and Clarke-Pearson, D. L. (1988). Comparing the areas under
#'   two or more correlated receiver operating characteristic curves. *Biometrics* 44, 837-845.
#'   \doi{10.2307/2531595}
#'
#' Obuchowski, N. A. (1997). Nonparametric analysis of clustered ROC curve data. *Biometrics* 53, 567-578.
#'   \doi{10.2307/2533958}
#'
#' Cox, D. R. (1958). Two further applications of a model for binary regression. *Biometrika* 45,
#'   562-565 (calibration intercept and slope). \doi{10.1093/biomet/45.3-4.562}
#' van Dantzig, D. (1951). On the consistency and the power of Wilcoxon's two sample test. *Indagationes Mathematicae*
#'   13, 1-8; Kendall, M. G. (1948). *Rank Correlation Methods*. Griffin (the largest variances of an area and of a
#'   concordance).
#' @seealso [cv_path()], [confusion()]
#' @examples
#' train <- iris[seq(1, 150, 2), ]
#' test <- iris[seq(2, 150, 2), ]
#' assess(shareboost(Species ~ ., data = train), test, test$Species, step = 1)
#'
#' # predictions of another model, for a place it has not seen
#' here <- subset(airquality, Month < 8)
#' there <- na.omit(subset(airquality, Month >= 8))
#' model <- lm(Ozone ~ Wind + Temp, data = here)
#' found <- assess(predict(model, there), there$Ozone, bins = 5)
#' found
#' plot(found)
#' @export
assess <- function(object, ...) UseMethod("assess")

#' @rdname assess
#' @export
assess.transfer_path <- function(object, newdata, y, weights = NULL, top = 2, bins = 10, ..., cluster = NULL) {
  call <- rlang::current_env()
  path <- cv_object_own_path(object)
  if (missing(y) && !missing(newdata)) y <- path_predict_response(path, newdata)
  if (missing(newdata) || is.null(y)) {
    abort_input("{.arg {if (missing(newdata)) 'newdata' else 'y'}} is missing.",
                if (missing(newdata)) "newdata" else "y",
                i = "Give rows that the fit has not seen, and their responses.", call = call)
  }
  if (length(path[["responses"]])) {
    abort_input("{.arg object} has {length(path[['responses']])} responses.", "object",
                i = "Give them one at a time: {.code assess(predict(object, newdata)[, 1], y)}.",
                call = call)
  }
  if (path$family == "binomial" && is.null(path$classes) && path_object_is_logistic(path)) {
    abort_input("{.arg object} is a model of successes out of totals.", "object",
                i = "Give a row for each trial, or the predicted and the observed shares:
                     {.code assess(predict(object, newdata), share, weights = total)}.", call = call)
  }
  calibrated <- is_calibrated(object, ...)
  response <- path$family %in% c("gaussian", "poisson") || path_object_is_logistic(path)
  type <- if (calibrated) "prob" else if (response) "response" else "link"
  prediction <- stats::predict(object, newdata, type = type, ...)
  if (path$family == "multinomial" && length(dim(prediction)) > 2L ||
        path$family != "multinomial" && !is.null(dim(prediction))) {
    abort_input("{.arg step} names several models.", "step", i = "Give one.", call = call)
  }
  y <- table_one_column(y)
  if (rlang::is_string(cluster, names(newdata))) cluster <- newdata[[cluster]]
  check_same_length(y, "y", NROW(prediction), "newdata", call)
  assess_predictions(prediction, y, classes = path$classes, weights = weights, cluster = cluster, top = top,
                     bins = bins,
                     probability = path_object_is_logistic(path) || calibrated, survival = path$family == "cox",
                     call = call, counts = if (path$family == "poisson") path$theta %||% Inf,
                     chosen = if (calibrated) cv_user_fit_without_messages(stats::predict(object, newdata,
                                                                                          type = "class", ...)))
}

#' @rdname assess
#' @export
assess.transfer_cv <- assess.transfer_path

#' @rdname assess
#' @export
assess.default <- function(object, y, weights = NULL, top = 2, bins = 10, ..., cluster = NULL) {
  call <- arguments_check()
  if (!is.numeric(object) || length(dim(object)) > 2L) {
    abort_kind(object, "object",
               "Give a fitted path, or a model's predictions for the rows of {.arg y}: numbers, or a matrix of
                probabilities with a column for each class.", call)
  }
  if (NCOL(object) == 1L) object <- as.vector(object)
  if (missing(y)) abort_missing("y", "Give the responses of the rows.", call)
  y <- table_one_column(y)
  check_same_length(y, "y", NROW(object), "object", call)
  survival <- inherits(y, "Surv")
  if (survival && is.matrix(object)) {
    abort_kind(object, "object", "Give a linear predictor for each row where {.arg y} is a {.cls Surv}.", call)
  }
  classes <- if (is.matrix(object)) colnames(object) else if (!survival && !is.numeric(y)) levels(as.factor(y))
  if (is.matrix(object) && is.null(classes)) {
    abort_input("{.arg object} has columns without names.", "object",
                i = "Name each column by the class whose probabilities it has.", call = call)
  }
  improbable <- sum(object < 0 | object > 1, na.rm = TRUE)
  if (!is.null(classes) && improbable) {
    abort_input("{.arg object} has {improbable} value{?s} outside of 0 to 1.", "object",
                i = "Give probabilities where {.arg y} has classes.", call = call)
  }
  assess_predictions(object, y, classes = classes, weights = weights, cluster = cluster, top = top, bins = bins,
                     probability = !is.null(classes), survival = survival, call = call)
}

# prediction: a number for each row, or rows x classes; classes: NULL for a numeric response; chosen: the class
# of each row, NULL where it is the one of largest prediction; cluster: where each row comes from; survival: are the
# predictions those of a Cox model? counts: of a model of counts its theta, Inf for Poisson; else NULL.
assess_predictions <- function(prediction, y, classes, weights, cluster, top, bins, probability, call, chosen = NULL,
                               survival = FALSE, counts = NULL) {
  bins <- check_number(bins, "bins", 2, call, whole = TRUE)
  n <- NROW(prediction)
  y <- assess_response(y, classes, survival, call)
  if (!is.null(counts)) response_family_counts(y[!is.na(y)], call)
  weights <- response_weights_check(weights, n, call) %||% rep(1, n)
  cluster <- table_one_column(cluster)
  different <- length(unique(cluster))
  if (!is.null(cluster) && (!is.atomic(cluster) || length(cluster) != n || anyNA(cluster) || different < 2L)) {
    abort_input("{.arg cluster} is {.obj_type_friendly {cluster}} of length {length(cluster)} with
                 {different} different value{?s}.", "cluster",
                i = "Give the cluster of each of the {n} row{?s}: two clusters or more, none missing.",
                call = call)
  }
  whole <- !is.na(y) & stats::complete.cases(prediction) & weights > 0
  if (sum(whole) < 2L) {
    abort_input("{sum(whole)} row{?s} {?has/have} a prediction and a response.", "y", i = "Give at least two.",
                call = call)
  }
  assess_tell_left_out(whole, weights > 0, n)
  y <- frame_rows_of_response(y, whole)
  w <- response_weights_sum_n(weights[whole])
  rows <- assess_measure_rows(w, cluster[whole])
  p <- if (is.matrix(prediction)) prediction[whole, , drop = FALSE] else prediction[whole]
  measured <- if (survival) {
    y <- response_family_surv(y, call, with_events = FALSE)
    list(family = "cox", measures = assess_measure_survival(p, y, weights[whole], rows), curve = NULL)
  } else if (is.null(classes)) {
    measures <- assess_measure_numbers(p, y, rows)
    if (!is.null(counts)) measures <- rbind(measures, assess_measure_deviance(p, y, rows, counts))
    list(family = if (is.null(counts)) "gaussian" else "poisson", measures = measures,
         curve = assess_measure_calibration_curve(p, y, w, bins, share = FALSE))
  } else if (length(classes) == 2L && !is.matrix(p)) {
    second <- as.integer(y == classes[2L])
    upper <- if (is.null(chosen)) p > if (probability) .5 else 0 else chosen[whole] == classes[2L]
    list(family = "binomial", measures = assess_measure_two_classes(p, second, upper, rows, probability),
         curve = if (probability) assess_measure_calibration_curve(p, second, w, bins, share = TRUE))
  } else {
    top <- check_number(top, "top", 1, call, whole = TRUE)
    list(family = "multinomial",
         measures = assess_measure_classes(p, y, chosen = chosen[whole], rows = rows, classes = classes, top = top,
                                           probability = probability))
  }
  structure(c(measured, list(nobs = sum(whole))), class = "transfer_assessment")
}

# Says how many rows are left out, and why. whole: which rows are used; weighted: which have a weight above 0.
assess_tell_left_out <- function(whole, weighted, n) {
  if (all(whole)) return(invisible())
  why <- c(if (!all(whole | !weighted)) "without a prediction or a response", if (!all(weighted)) "of weight 0")
  tell(paste0("Leaving out ", sum(!whole), " of ", words_counted(n, "row"), " ", paste(why, collapse = " or "), "."))
}

assess_response <- function(y, classes, survival, call) {
  if (survival) {
    if (inherits(y, "Surv")) return(y)
    abort_kind(y, "y", "Give {.code Surv(time, status)} of every row: the model is of survival times.", call)
  }
  if (!is.null(classes)) return(response_among_classes(y, classes, "predictions", call))
  if (!is.numeric(y) || !is.null(dim(y)) || inherits(y, "Surv")) {
    abort_kind(y, "y", "Give numbers: the predictions are those of a numeric response.", call)
  }
  as.double(y)
}

#' @rdname assess
#' @param x An assessment.
#' @param digits Digits to print.
#' @export
print.transfer_assessment <- function(x, digits = 3, ...) {
  what <- c(gaussian = "numeric response", poisson = "counts", cox = "survival times", binomial = "two classes",
            multinomial = "several classes")
  description_print(x, list(
    head = paste0("Assessment on ", x$nobs, " rows, ", what[[x$family]]),
    tables = list(description_table(description_round_columns(x$measures, -1L, digits)))
  ), digits)
}

#' @rdname assess
#' @export
tidy.transfer_assessment <- function(x, ...) {
  arguments_of_generic()
  x$measures
}

#' @rdname assess
#' @param row.names,optional Ignored; there because the generic has them.
#' @export
as.data.frame.transfer_assessment <- function(x, row.names = NULL, optional = FALSE, ...) {
  arguments_of_generic(same = TABLE_ARGUMENTS)
  x$measures
}

#' @rdname assess
#' @export
plot.transfer_assessment <- function(x, ...) picture_user_plot(x, assess_calibration_picture(x, "x"), ...)

#' @rdname assess
#' @exportS3Method ggplot2::autoplot
autoplot.transfer_assessment <- function(object, ...) {
  picture_user_autoplot(assess_calibration_picture(object, "object"), ...)
}

# argument: what the method of plot() or autoplot() calls `x`.
assess_calibration_picture <- function(x, argument, call = rlang::caller_env()) {
  curve <- x$curve
  if (is.null(curve)) {
    abort_input("{.arg {argument}} has no calibration curve.", argument,
                i = "Give predictions of numbers, or probabilities of two classes; {.code $measures} has the figures.",
                call = call)
  }
  range <- picture_padded_range(picture_value_range(unlist(curve[c("predicted", "observed", "conf.low", "conf.high")])))
  share <- x$family == "binomial"
  if (share) range <- c(-.02, 1.02)
  diagonal <- data.frame(x = range[1L], y = range[1L], xend = range[2L], yend = range[2L])
  groups <- data.frame(x = curve$predicted, y = curve$observed)
  blue <- picture_colours$feature[1L]
  picture_new(list(picture_panel(
    picture_axis(if (share) "predicted probability" else "prediction", range),
    picture_axis(if (share) "observed share" else "mean response", range),
    list(
      picture_layer("segment", diagonal, col = picture_colours$frame, lty = 2),
      picture_layer("segment", data.frame(x = curve$predicted, y = curve$conf.low, yend = curve$conf.high),
                    col = picture_colours$feature[3L], lwd = 1.5),
      picture_layer("line", groups, col = blue, user = c("col", "lwd", "lty")),
      picture_layer("point", groups, col = blue, user = c("col", "pch", "cex"))
    )
  )), "Calibration", picture_base_keys(c("rows with neighbouring predictions", "perfect calibration"),
                                       c(blue, picture_colours$frame), c(19, NA), lty = c(1, 2)))
}
