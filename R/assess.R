# assess(): how good are predictions for rows that no model has seen?

#' Assess predictions at a new place
#'
#' A table of the discrimination, calibration and error of a model's predictions for rows that it was not fitted to,
#' such as those of another hospital or of later years, and a calibration curve to plot.
#'
#' @param object A fitted path, a [cv_path()] object, or predictions of any other model: numbers for a
#'   numeric response; for two classes the probabilities of the second; for several a matrix of
#'   probabilities with a column for each class, named by the classes.
#' @param newdata New rows, as [predict()][transfer_path] takes them.
#' @param y Their responses, numbers, a factor or a `Surv`; of a fit by formula they may be left out where
#'   `newdata` has them.
#' @param weights A number for each row, or `NULL`.
#' @param cluster The cluster of each row, such as its hospital or school, or the name of that column of
#'   `newdata`: standard errors then allow for correlation within clusters. `NULL` takes
#'   the rows as independent.
#' @param top For several classes: `top_k_error` counts a row as right where its class is among the
#'   `top` largest scores.
#' @param bins Number of points of the curve; each is a group of rows with neighbouring predictions.
#' @param ... For a path: further arguments of [predict()][transfer_path], for example `step` or
#'   `sources`. Otherwise must be empty.
#' @returns An object of class `transfer_assessment`, a list:
#' \describe{
#'   \item{`measures`}{a data frame: `measure`, `estimate`, `std.error`, `conf.low`, `conf.high` (95 %
#'     confidence, normal theory, for shares Wilson's interval; `NA` where none is computed). With `cluster` the
#'     standard errors are sandwich estimates over the clusters (for the area Obuchowski's), and the quantile is that
#'     of Student's t, its degrees of freedom the number of clusters minus one. The measures are listed below.}
#'   \item{`curve`}{a data frame with a row for each group of rows: `predicted` and `observed`
#'     (weighted means), `conf.low`, `conf.high` of `observed` (for a share Wilson's interval,
#'     otherwise two standard errors), `n`. `NULL` where scores are no probabilities and for
#'     several classes.}
#'   \item{`family`, `nobs`}{kind of the response; number of rows assessed.}
#' }
#' Rows whose prediction or response is missing are left out with a message. `print()`, `plot()`,
#' `autoplot()`, `tidy()` (the measures) and `as.data.frame()` (the measures) work on it.
#'
#' @section Measures:
#' * Numbers: `rmse`, `mae`; `r_squared`, one minus the mean squared error over the variance of `y`
#'   about its mean in the new rows; `calibration_intercept`, the mean of `y` minus the mean
#'   prediction; `calibration_slope`, the slope of `y` on the predictions, 1 if differences between
#'   predictions are right on average.
#' * Two classes: `auroc`, the area under the ROC curve, its standard error after DeLong; `error`, the
#'   misclassification rate, and `balanced_error`, the mean over the classes. Of probabilities also
#'   `brier`, the mean squared error of the probability; `log_loss`, minus the mean log probability of
#'   the class; `calibration_slope`, the slope of a logistic regression on the log odds predicted, and
#'   `calibration_intercept`, its intercept where the slope is 1: above 0, the second class is more
#'   frequent than predicted.
#' * Survival times: `concordance` (Harrell's), and `calibration_slope`, the coefficient of the linear
#'   predictor in a Cox model of the new rows.
#' * Several classes: `error`, `balanced_error`, `top_k_error`, and of probabilities `brier` (summed
#'   over the classes) and `log_loss`.
#'
#' Classes fitted by least squares ([greedytl()], [tgreedy()], [msplit()] with its default loss) have
#' scores, not probabilities: only their ranks and classes are assessed, unless the scores are
#' calibrated (`prob = TRUE`, or a [cv_path()] object).
#' @references DeLong, E. R., DeLong, D. M. and Clarke-Pearson, D. L. (1988). Comparing the areas under
#'   two or more correlated receiver operating characteristic curves. *Biometrics* 44, 837-845.
#'   \doi{10.2307/2531595}
#'
#' Obuchowski, N. A. (1997). Nonparametric analysis of clustered ROC curve data. *Biometrics* 53, 567-578.
#'   \doi{10.2307/2533958}
#'
#' Cox, D. R. (1958). Two further applications of a model for binary regression. *Biometrika* 45,
#'   562-565 (calibration intercept and slope). \doi{10.1093/biomet/45.3-4.562}
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
  path <- own_path(object)
  if (missing(y) && !missing(newdata)) y <- response_in(path, newdata)
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
  if (path$family == "binomial" && is.null(path$classes) && is_logistic(path)) {
    abort_input("{.arg object} is a model of successes out of totals.", "object",
                i = "Give rows of single trials, or its {.fn predict}ed shares:
                     {.code assess(predict(object, newdata), share, weights = total)}.", call = call)
  }
  calibrated <- is_calibrated(object, ...)
  response <- path$family %in% c("gaussian", "poisson") || is_logistic(path)
  type <- if (calibrated) "prob" else if (response) "response" else "link"
  prediction <- stats::predict(object, newdata, type = type, ...)
  if (path$family == "multinomial" && length(dim(prediction)) > 2L ||
        path$family != "multinomial" && !is.null(dim(prediction))) {
    abort_input("{.arg step} names several models.", "step", i = "Give one.", call = call)
  }
  if (rlang::is_string(cluster, names(newdata))) cluster <- newdata[[cluster]]
  refuse_unequal(y, "y", NROW(prediction), "newdata", call)
  assessment(prediction, y, classes = path$classes, weights = weights, cluster = cluster, top = top, bins = bins,
             probability = is_logistic(path) || calibrated, survival = path$family == "cox", call = call,
             chosen = if (calibrated) without_messages(stats::predict(object, newdata, type = "class", ...)))
}

#' @rdname assess
#' @export
assess.transfer_cv <- assess.transfer_path

#' @rdname assess
#' @export
assess.default <- function(object, y, weights = NULL, top = 2, bins = 10, ..., cluster = NULL) {
  call <- check_arguments()
  if (!is.numeric(object) || length(dim(object)) > 2L) {
    abort_kind(object, "object",
               "Give a fitted path, or a model's predictions for the rows of {.arg y}: numbers, or a matrix of
                probabilities with a column for each class.", call)
  }
  if (is.matrix(object) && ncol(object) == 1L) object <- object[, 1L]
  if (missing(y)) abort_missing("y", "Give the responses of the rows.", call)
  refuse_unequal(y, "y", NROW(object), "object", call)
  classes <- if (is.matrix(object)) colnames(object) else if (!is.numeric(y)) levels(as.factor(y))
  if (is.matrix(object) && is.null(classes)) {
    abort_input("{.arg object} has columns without names.", "object",
                i = "Name each column by the class whose probabilities it has.", call = call)
  }
  improbable <- sum(object < 0 | object > 1, na.rm = TRUE)
  if (!is.null(classes) && improbable) {
    abort_input("{.arg object} has {improbable} value{?s} outside of 0 to 1.", "object",
                i = "Give probabilities where {.arg y} has classes.", call = call)
  }
  assessment(object, y, classes = classes, weights = weights, cluster = cluster, top = top, bins = bins,
             probability = !is.null(classes), call = call)
}

# ---- from predictions and responses to the object --------------------------------------------------

# prediction: a number for each row, or rows x classes; classes: NULL for a numeric response; chosen: the class
# of each row, NULL where it is the one of largest prediction; cluster: where each row comes from; survival: are the
# predictions those of a Cox model?
assessment <- function(prediction, y, classes, weights, cluster, top, bins, probability, call, chosen = NULL,
                       survival = FALSE) {
  bins <- check_number(bins, "bins", 2, call, whole = TRUE)
  n <- NROW(prediction)
  y <- assessed_response(y, classes, survival, call)
  weights <- check_weights(weights, n, call) %||% rep(1, n)
  different <- length(unique(cluster))
  if (!is.null(cluster) && (!is.atomic(cluster) || length(cluster) != n || anyNA(cluster) || different < 2L)) {
    abort_input("{.arg cluster} is {.obj_type_friendly {cluster}} of length {length(cluster)} with
                 {different} different value{?s}.", "cluster",
                i = "Give for each of the {n} row{?s} where it comes from, two places or more, none missing.",
                call = call)
  }
  whole <- !is.na(y) & stats::complete.cases(prediction) & weights > 0
  if (sum(whole) < 2L) {
    abort_input("{sum(whole)} row{?s} {?has/have} a prediction and a response.", "y",
                i = "Give at least two.", call = call)
  }
  if (!all(whole)) {
    tell(paste("Leaving out", sum(!whole), "of", counted(n, "row"), "without a prediction or a response."))
  }
  y <- response_rows(y, whole)
  w <- weights_of_sum_n(weights[whole])
  rows <- rows_of(w, cluster[whole])
  p <- if (is.matrix(prediction)) prediction[whole, , drop = FALSE] else prediction[whole]
  out <- if (survival) {
    list(family = "cox", measures = survival_measures(p, check_surv(y, call), weights[whole], rows), curve = NULL)
  } else if (is.null(classes)) {
    list(family = "gaussian", measures = number_measures(p, y, rows),
         curve = calibration_curve(p, y, w, bins, share = FALSE))
  } else if (length(classes) == 2L && !is.matrix(p)) {
    second <- as.integer(y == classes[2L])
    upper <- if (is.null(chosen)) p > if (probability) .5 else 0 else chosen[whole] == classes[2L]
    list(family = "binomial", measures = two_class_measures(p, second, upper, rows, probability),
         curve = if (probability) calibration_curve(p, second, w, bins, share = TRUE))
  } else {
    top <- check_number(top, "top", 1, call, whole = TRUE)
    list(family = "multinomial", measures = class_measures(p, y, chosen = chosen[whole], rows = rows,
        classes = classes, top = top, probability = probability))
  }
  structure(c(out, list(nobs = sum(whole))), class = "transfer_assessment")
}

assessed_response <- function(y, classes, survival, call) {
  if (survival) {
    if (inherits(y, "Surv")) return(y)
    abort_kind(y, "y", "Give {.code Surv(time, status)} of every row: the model is of survival times.", call)
  }
  if (!is.null(classes)) return(among_classes(y, classes, "predictions", call))
  if (!is.numeric(y)) abort_kind(y, "y", "Give numbers: the predictions are those of a numeric response.", call)
  as.double(y)
}

# ---- measures --------------------------------------------------------------------------------------

# list(w, cluster, z): weights of mean one; NULL, or where each row comes from; the quantile of intervals.
rows_of <- function(w, cluster) {
  if (!is.null(cluster)) cluster <- factor(cluster)
  list(w = w, cluster = cluster, z = if (is.null(cluster)) 1.96 else stats::qt(.975, nlevels(cluster) - 1))
}

# The standard error of an estimate that is a sum of parts with mean zero, one for each row; the parts of a cluster
# are added up first.
spread_of_parts <- function(part, rows) {
  if (!is.null(rows$cluster)) part <- rowsum(part, rows$cluster)
  n <- length(part)
  if (n > 1L) sqrt(sum(part^2) * n / (n - 1)) else NA_real_
}

measure_row <- function(measure, estimate, se = NA_real_, rows = rows_of(1, NULL), range = c(-Inf, Inf)) {
  limits <- pmin(pmax(estimate + c(-1, 1) * rows$z * se, range[1L]), range[2L])
  data.frame(measure = measure, estimate = estimate, std.error = se, conf.low = limits[1L],
             conf.high = limits[2L])
}

# A weighted mean over rows, with its standard error.
mean_row <- function(measure, value, rows, range = c(0, Inf)) {
  n <- length(value)
  mean <- sum(rows$w * value) / n
  measure_row(measure, mean, spread_of_parts(rows$w * (value - mean) / n, rows), rows, range)
}

# A share of rows with Wilson's limits, for the number of rows that would have this standard error.
share_row <- function(measure, share, se, rows) {
  out <- measure_row(measure, share, se, rows)
  most <- if (is.null(rows$cluster)) sum(rows$w)^2 / sum(rows$w^2) else nlevels(rows$cluster)
  size <- if (isTRUE(se > 0)) share * (1 - share) / se^2 else most
  out[c("conf.low", "conf.high")] <- as.list(if (is.na(se)) c(NA_real_, NA_real_) else wilson(share, size, rows$z))
  out
}

wrong_row <- function(measure, wrong, rows) {
  mean <- mean_row(measure, wrong, rows)
  share_row(measure, mean$estimate, mean$std.error, rows)
}

number_measures <- function(p, y, rows) {
  w <- rows$w
  square <- (y - p)^2
  mse <- mean_row("mse", square, rows)
  total <- sum(w * (y - sum(w * y) / sum(w))^2)
  slope <- c(NA_real_, NA_real_)
  if (stats::sd(p) > 0) {
    model <- stats::lm(y ~ p, weights = w)
    slope <- summary(model)$coefficients["p", 1:2]
    away <- p - sum(w * p) / sum(w)
    if (!is.null(rows$cluster)) {
      slope[2L] <- spread_of_parts(w * away * unname(stats::residuals(model)) / sum(w * away^2), rows)
    }
  }
  rbind(
    measure_row("rmse", sqrt(mse$estimate), mse$std.error / (2 * sqrt(mse$estimate)), rows, c(0, Inf)),
    mean_row("mae", abs(y - p), rows),
    measure_row("r_squared", 1 - sum(w * square) / total),
    mean_row("calibration_intercept", y - p, rows, c(-Inf, Inf)),
    measure_row("calibration_slope", slope[[1L]], slope[[2L]], rows)
  )
}

# y: 1 for the second class; p: its probabilities or scores; upper: is it predicted?
two_class_measures <- function(p, y, upper, rows, probability) {
  wrong <- y != upper
  rbind(
    auroc_row(p, y, rows),
    if (probability) {
      rbind(mean_row("brier", (y - p)^2, rows),
            mean_row("log_loss", -log(pmax(ifelse(y == 1, p, 1 - p), 1e-15)), rows),
            logistic_calibration(p, y, rows))
    },
    wrong_row("error", wrong, rows), balanced_row(wrong, y, rows)
  )
}

# DeLong's standard error, from the share of the other class that each row is ranked above or below; of
# clusters Obuchowski's, who adds these up by cluster.
auroc_row <- function(p, y, rows) {
  w <- rows$w
  area <- auroc(y == 1, p, w)
  if (is.na(area)) return(measure_row("auroc", NA_real_))
  share <- function(mine, others, w) {
    order <- order(others)
    below <- cumsum(c(0, w[order])) / sum(w)
    lower <- below[findInterval(mine, others[order], left.open = TRUE) + 1L]
    upper <- below[findInterval(mine, others[order]) + 1L]
    (lower + upper) / 2
  }
  up <- y == 1
  part <- numeric(length(y))
  part[up] <- weights_of_sum_one(w[up]) * (share(p[up], p[!up], w[!up]) - area)
  part[!up] <- weights_of_sum_one(w[!up]) * (1 - share(p[!up], p[up], w[up]) - area)
  se <- if (is.null(rows$cluster)) {
    sqrt(spread_of_parts(part[up], rows)^2 + spread_of_parts(part[!up], rows)^2)
  } else {
    spread_of_parts(part, rows)
  }
  measure_row("auroc", area, se, rows, 0:1)
}

logistic_calibration <- function(p, y, rows) {
  z <- stats::qlogis(pmin(pmax(p, 1e-15), 1 - 1e-15))
  w <- rows$w
  fit <- function(formula) {
    out <- tryCatch(stats::glm(formula, stats::quasibinomial(), weights = w), error = function(e) NULL,
                    warning = function(w) NULL)
    if (is.null(out)) return(c(NA_real_, NA_real_))
    found <- summary(out, dispersion = 1)
    last <- nrow(found$coefficients)
    if (is.null(rows$cluster)) return(found$coefficients[last, 1:2])
    parts <- (stats::model.matrix(out) * (w * stats::residuals(out, "response"))) %*% found$cov.unscaled
    c(found$coefficients[last, 1], spread_of_parts(parts[, last], rows))
  }
  both <- length(unique(y)) == 2L
  level <- if (both) fit(y ~ 1 + offset(z)) else c(NA_real_, NA_real_)
  slope <- if (both && stats::sd(z) > 0) fit(y ~ z) else c(NA_real_, NA_real_)
  rbind(measure_row("calibration_intercept", level[[1L]], level[[2L]], rows),
        measure_row("calibration_slope", slope[[1L]], slope[[2L]], rows))
}

# The share of wrong rows in each class, averaged over the classes that occur.
balanced_row <- function(wrong, y, rows) {
  classes <- split(seq_along(y), y, drop = TRUE)
  k <- length(classes)
  share <- variance <- numeric(k)
  part <- numeric(length(y))
  for (class in seq_len(k)) {
    at <- classes[[class]]
    v <- weights_of_sum_one(rows$w[at])
    share[class] <- sum(v * wrong[at])
    variance[class] <- sum(v^2) * share[class] * (1 - share[class])
    part[at] <- v * (wrong[at] - share[class])
  }
  se <- if (is.null(rows$cluster)) sqrt(sum(variance)) else spread_of_parts(part, rows)
  share_row("balanced_error", mean(share), se / k, rows)
}

class_measures <- function(p, y, chosen, rows, classes, top, probability) {
  p <- p[, classes, drop = FALSE]
  code <- as.integer(y)
  own <- p[cbind(seq_along(code), code)]
  rank <- rowSums(p > own) + 1
  wrong <- (if (is.null(chosen)) max.col(p, ties.method = "first") else as.integer(chosen)) != code
  rbind(
    wrong_row("error", wrong, rows), balanced_row(wrong, y, rows),
    wrong_row("top_k_error", rank > top, rows),
    if (probability) {
      rbind(mean_row("brier", rowSums((class_indicators(y) - p)^2), rows),
            mean_row("log_loss", -log(pmax(own, 1e-15)), rows))
    }
  )
}

# Survival times: concordance, and the calibration slope, the coefficient of the linear predictor in a
# Cox model of the new rows.
survival_measures <- function(p, y, w, rows) {
  rank <- concordance(y, p, w, rows$cluster)
  slope <- c(NA_real_, NA_real_)
  if (stats::sd(p) > 0) {
    group <- rows$cluster
    model <- if (is.null(group)) survival::coxph(y ~ p, weights = w, robust = FALSE) else
      survival::coxph(y ~ p, weights = w, cluster = group)
    slope <- c(stats::coef(model), sqrt(model$var))
  }
  rbind(measure_row("concordance", rank[1], rank[2], rows, 0:1),
        measure_row("calibration_slope", slope[[1]], slope[[2]], rows))
}

# ---- the curve -------------------------------------------------------------------------------------

# Groups of about equally many rows by prediction; equal predictions stay together.
calibration_curve <- function(p, y, w, bins, share) {
  cut <- unique(stats::quantile(p, seq(0, 1, length.out = bins + 1), names = FALSE, type = 1))
  group <- if (length(cut) > 1L) cut(p, cut, include.lowest = TRUE, labels = FALSE) else rep(1L, length(p))
  do.call(rbind, lapply(split(seq_along(p), group), function(rows) {
    v <- weights_of_sum_one(w[rows])
    observed <- sum(v * y[rows])
    size <- 1 / sum(v^2) # the number of rows of equal weight whose mean has this variance
    range <- if (share) wilson(observed, size) else {
      se <- sqrt(sum(v * (y[rows] - observed)^2) / max(size - 1, 1))
      observed + c(-2, 2) * se
    }
    data.frame(predicted = sum(v * p[rows]), observed = observed, conf.low = range[1L],
               conf.high = range[2L], n = length(rows))
  }))
}

# Wilson's 95 % interval of a share.
wilson <- function(share, n, z = 1.96) {
  centre <- (share + z^2 / (2 * n)) / (1 + z^2 / n)
  half <- z * sqrt(share * (1 - share) / n + z^2 / (4 * n^2)) / (1 + z^2 / n)
  centre + c(-1, 1) * half
}

# ---- verbs -----------------------------------------------------------------------------------------

#' @rdname assess
#' @param x An assessment.
#' @param digits Digits to print.
#' @export
print.transfer_assessment <- function(x, digits = 3, ...) {
  what <- c(gaussian = "numeric response", cox = "survival times", binomial = "two classes",
            multinomial = "several classes")
  print_description(x, list(
    head = paste0("Assessment on ", x$nobs, " rows, ", what[[x$family]]),
    tables = list(shown_table(round_columns(x$measures, -1L, digits)))
  ), digits)
}

#' @rdname assess
#' @export
tidy.transfer_assessment <- function(x, ...) {
  generic_arguments()
  x$measures
}

#' @rdname assess
#' @param row.names,optional Ignored; there because the generic has them.
#' @export
as.data.frame.transfer_assessment <- function(x, row.names = NULL, optional = FALSE, ...) x$measures

#' @rdname assess
#' @export
plot.transfer_assessment <- function(x, ...) plot_picture(x, calibration_picture(x, "x"), ...)

#' @rdname assess
#' @exportS3Method ggplot2::autoplot
autoplot.transfer_assessment <- function(object, ...) {
  autoplot_picture(calibration_picture(object, "object"), ...)
}

# argument: what the method of plot() or autoplot() calls `x`.
calibration_picture <- function(x, argument, call = rlang::caller_env()) {
  curve <- x$curve
  if (is.null(curve)) {
    abort_input("{.arg {argument}} has no calibration curve.", argument,
                i = "Give predictions of numbers, or probabilities of two classes; {.code $measures} has the figures.",
                call = call)
  }
  range <- padded(value_range(unlist(curve[c("predicted", "observed", "conf.low", "conf.high")])))
  share <- x$family == "binomial"
  if (share) range <- c(-.02, 1.02)
  diagonal <- data.frame(x = range[1L], y = range[1L], xend = range[2L], yend = range[2L])
  groups <- data.frame(x = curve$predicted, y = curve$observed)
  blue <- picture_colours$feature[1L]
  new_picture(list(new_panel(
    new_axis(if (share) "predicted probability" else "prediction", range),
    new_axis(if (share) "observed share" else "mean response", range),
    list(
      new_layer("segment", diagonal, col = picture_colours$frame, lty = 2),
      new_layer("segment", data.frame(x = curve$predicted, y = curve$conf.low, yend = curve$conf.high),
                col = picture_colours$feature[3L], lwd = 1.5),
      new_layer("line", groups, col = blue, user = c("col", "lwd", "lty")),
      new_layer("point", groups, col = blue, user = c("col", "pch", "cex"))
    )
  )), "Calibration", picture_keys(c("rows with neighbouring predictions", "perfect calibration"),
                                  c(blue, picture_colours$frame), c(19, NA), lty = c(1, 2)))
}
