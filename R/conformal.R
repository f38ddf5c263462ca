# Conformal prediction: intervals and sets of classes from the errors of rows that a fit has not seen.

#' Prediction intervals that hold without a model of the errors
#'
#' Gives an interval for the response of each new row, or a set of classes, that holds the true response with a wanted
#' probability, whatever the distribution of the errors. Use it to say how far off a single prediction may be:
#' `predict(fit, new, interval = "conformal")`. `conformal(fit)` does the slow part once: it refits the path without
#' each part of the rows and keeps the refits and the held-out errors. It takes paths of all methods, also with
#' borrowing, and paths of your own. For intervals of coefficients use [confint.tlcp()]. Survival times are refused: a
#' censored time has no error.
#'
#' @details The only assumption is that the new rows and the rows of the fit are exchangeable, so that new rows come
#' from the same population. There are two cases:
#'
#' * New rows of the same population (`by = "rows"`; for a [tlcp()] model with a target, rows of the target). Parts are
#'   single rows (jackknife+) or folds (CV+). With n held-out rows and the level 1 - a the interval goes from the
#'   floor(a (n + 1))-th smallest of \eqn{\hat\mu_{-k(i)}(x) - R_i} to the ceiling((1 - a)(n + 1))-th smallest of
#'   \eqn{\hat\mu_{-k(i)}(x) + R_i}, where \eqn{\hat\mu_{-k(i)}} is the fit without the part of row i and \eqn{R_i =
#'   |y_i - \hat\mu_{-k(i)}(x_i)|}. In practice the interval holds the response with a probability of about 1 - a. What
#'   is proven is less (Barber et al. 2021): with single rows at least 1 - 2a; with K folds at least 1 - 2a - min\{2 (1
#'   - 1/K)/(n/K + 1), (1 - K/n)/(K + 1)\}. For the level .9 and ten folds this is .72 with 60 rows, .71 with 200, .78
#'   with 1000 and .80 with very many; `print()` has it for the fit.
#' * New domains (`by = "domain"`, the default of [tgreedy()]): the domains are exchangeable, not their rows. Each of
#'   the K domains is left out once, and its rows share the weight of one domain. A part of the weight, 1/(m + 1),
#'   remains for errors larger than any seen, so that the highest level is m/(m + 1). Above it the interval is
#'   infinite, with a message. If all rows of a domain had the same error, m would be K; if domains were alike, the
#'   number of rows. By default m is estimated: it is the number of independent rows that would know the distribution
#'   of errors as well as the rows of K domains do, from the differences between the distributions of errors by domain.
#'   No theorem covers this. With `exact = TRUE` m is K, for which the bound 1 - 2a is proven (Lee, Barber and Willett
#'   2023; Dunn, Wasserman and Ramdas 2023); with few domains these intervals are much wider than the level asks for.
#'
#' If the step is chosen by cross-validation, as for a [cv_path()] object, the held-out rows have taken part in the
#' choice, and no theorem applies. A path without `step` chooses its model anew in each refit, and the bounds hold.
#'
#' For counts, errors are relative to the square root of the fitted mean. For classes the margin \eqn{\max_{c \ne y}
#' f_c(x) - f_y(x)} of the scores f replaces R, and the set has every class whose margin is not larger than those of the
#' held-out rows (Romano, Sesia and Candes 2020). The set may be empty, or have all classes.
#'
#' @param object A path of any method, or a [cv_path()] object. The refits of the latter use its chosen
#'   `step` and `lambda`.
#' @param data The rows of the fit: a data frame, or the matrix `x`. NULL: the data that the call of the fit names, as
#'   for [update()].
#' @param y,weights,domain,sources,offset,strata As in [refit()]: what the formula of the fit does not find in `data`.
#'   For `predict()`: `sources` and `offset` of the new rows.
#' @param nfolds The number of parts. NULL: as many as there are rows up to 50 rows, otherwise 10.
#' @param foldid The part of each row, in place of `nfolds`.
#' @param by `"rows"`, or `"domain"` to leave out one domain at a time. NULL: as in the cross-validation if `object` is
#'   a [cv_path()] object, otherwise the default of [cv_path()] for this method.
#' @param step,lambda The model, as in `predict()`. NULL: the default of the fit, chosen anew in each refit.
#' @param parallel As in [cv_path()].
#' @param ... For `conformal()`: further arguments by which the method's `predict()` chooses a model, such as `nu` of
#'   [msplit()]. For `predict()`: nothing.
#' @param exact For `by = "domain"`: should a whole domain count as one error, for which a bound is proven? With few
#'   domains these intervals are wide, see "Details".
#' @param newdata New rows, as for `predict()` of the fit.
#' @param level The wanted probability.
#' @param x A `transfer_conformal` object.
#' @param row.names,optional As for any [as.data.frame()].
#' @param digits Significant digits to print.
#' @returns `conformal()`: an object of class `transfer_conformal`. `predict()` of it, and of a fit with `interval =
#'   "conformal"`: for numbers and counts a matrix with the columns `fit`, `lwr` and `upr` (in units of the response)
#'   and one row per new row; for classes a data frame with `fit` (the predicted class), `set` (the classes, separated
#'   by commas) and `size` (their number).
#'
#'   `as.data.frame()` has one row per held-out row: `part`, `score` (the error, or the margin) and `weight`. `tidy()`
#'   has one row per `level`: `error` is the score that this share of the held-out rows does not exceed. If all refits
#'   were the same, `error` would be half the width of an interval; it is Inf beyond the highest level. `plot()` and
#'   `autoplot()` draw the error against the level.
#' @section Random numbers: Folds are drawn by [make_folds()]; single rows and domains need no random numbers.
#' @references
#' Barber, R. F., Candes, E. J., Ramdas, A. and Tibshirani, R. J. (2021). Predictive inference with the jackknife+.
#' *Annals of Statistics* 49, 486-507. \doi{10.1214/20-AOS1965}
#'
#' Lee, Y., Barber, R. F. and Willett, R. (2023). Distribution-free inference with hierarchical data.
#' \doi{10.48550/arXiv.2306.06342}
#'
#' Dunn, R., Wasserman, L. and Ramdas, A. (2023). Distribution-free prediction sets for two-layer hierarchical models.
#' *Journal of the American Statistical Association* 118, 2491-2502. \doi{10.1080/01621459.2022.2060112}
#'
#' Romano, Y., Sesia, M. and Candes, E. J. (2020). Classification with valid and adaptive coverage. *Advances in Neural
#' Information Processing Systems* 33. \doi{10.48550/arXiv.2006.02544}
#' @examples
#' aq <- na.omit(airquality)
#' may <- tlcp(Ozone ~ Solar.R + Wind + Temp, data = aq, domain = Month, target = "5", select = FALSE)
#' sure <- conformal(may)
#' sure
#' tidy(sure)
#' plot(sure)
#' predict(sure, data.frame(Solar.R = 200, Wind = 10, Temp = c(60, 70)), level = .9)
#'
#' # a month of which nothing is known: months are left out
#' any_month <- tgreedy(Ozone ~ Solar.R + Wind + Temp, data = aq, domain = Month)
#' predict(any_month, aq[1:2, ], interval = "conformal", level = .8)
#' @export
conformal <- function(object, data = NULL, y = NULL, ..., weights = NULL, domain = NULL, sources = NULL,
                      offset = NULL, strata = NULL, nfolds = NULL, foldid = NULL, by = NULL, step = NULL,
                      lambda = NULL, exact = FALSE, parallel = FALSE) {
  call <- rlang::current_env()
  if (!inherits(object, c("transfer_path", "transfer_cv"))) {
    abort_kind(object, "object", "Give a fit, or a {.fn cv_path} object.", call)
  }
  arguments_check(more = path_model_arguments("path_model", cv_object_own_path(object)))
  settings <- cv_settings(call, nfolds %||% 10L, foldid, by, parallel = parallel)
  settings$nfolds <- nfolds
  point <- c(if (inherits(object, "transfer_cv")) cv_object_point(object, step %||% "default", lambda, call) else
    list(step = step, lambda = lambda), list(...))
  for (argument in names(point)) check_single(length(point[[argument]]), argument, call) # intervals are of one model
  given <- list(y = y, weights = weights, domain = domain, sources = sources, offset = offset, strata = strata)
  conformal_refits(conformal_path(object), point, data, given, settings, parent.frame(),
                   check_flag(exact, "exact", call))
}

# The path of a fit; of a cross-validation with the kind of folds and the domains that its call gave.
conformal_path <- function(object) {
  path <- cv_object_own_path(object)
  if (!inherits(object, "transfer_cv") || is.null(object$by)) return(path)
  path$by <- object$by
  if (!is.null(path$call) && is.null(path$call$domain)) path$call$domain <- object$call$domain
  path
}

# The object. point: the arguments by which predict() chooses a model. given: what the formula of the path does not find
# in `data`. settings: of cross-validation, `nfolds` NULL where the number of rows decides. env: where the call of the
# path is evaluated. exact: does a domain count as one error?
conformal_refits <- function(path, point, data, given, settings, env, exact = FALSE) {
  call <- settings$call
  kind <- conformal_kind(path, call)
  if (!is.null(point$domain) && !identical(words_match_names(point$domain, path$target %||% ""), 1L)) {
    abort_input("{.arg domain} is given, but the held-out errors are those of the target.", "domain",
                i = "Leave {.arg domain} out, or fit again with that domain as {.arg target}.", call = call)
  }
  frame <- conformal_frame(path, data, given, env, call)
  by <- cv_object_by(path, settings)
  for_target <- !is.null(path$target) && !is.null(frame$domain)
  n_rows <- if (for_target) sum(frame_rows_of_domain(frame, path$target)) else frame_rows_count(frame)
  if (!n_rows) abort_input("There is no row of the target {.val {path$target}} to leave out.", "data",
                        i = "Give the rows of the fit.", call = call)
  if (is.null(settings$nfolds)) {
    settings$nfolds <- 10L
    if (is.null(by) && is.null(settings$foldid) && n_rows <= CONFORMAL_ROWS) settings$foldid <- seq_len(n_rows)
  }
  fold <- table_factor(cv_fold_of_frame(frame, settings, path, by))
  held_out <- split(seq_along(fold), fold)
  class(frame) <- c("conformal_frame", class(frame))
  parts <- cv_refit_run(held_out, frame, list(path = path, kind = kind, at = point), settings)
  n <- lengths(held_out)
  k <- length(held_out)
  part <- rep(seq_along(parts), n)
  score <- unlist(lapply(parts, `[[`, "score"), use.names = FALSE)
  # the rows of a domain left out share the weight of one domain
  size <- if (is.null(by)) sum(n) else if (exact) k else conformal_effective_places(score, part)
  weight <- size / (size + 1) * if (is.null(by)) rep(1 / sum(n), sum(n)) else rep(1 / (k * n), n)
  whole_sealed(structure(list(
    fit = path, at = point, kind = kind, by = by %||% "rows", paths = lapply(parts, `[[`, "path"), part = part,
    score = score, weight = unname(weight), beyond = 1 / (1 + size), parts = k, size = size
  ), class = "transfer_conformal"))
}

# Up to this number of rows each row is a part.
CONFORMAL_ROWS <- 50L

# "numbers", "counts" or "classes": how the error of a row left out is measured.
conformal_kind <- function(path, call) {
  if (path_object_is_multi(path) && is.null(path$classes)) {
    abort_input("The fit has {length(path_object_responses(path))} responses.", "object",
                i = "Fit each response by itself: an interval is for one.", call = call)
  }
  if (path$family == "cox") {
    abort_input("There are no conformal intervals of survival times: a censored time has no error.", "object",
                i = "{.code predict(type = \"survival\", times = )} gives probabilities of surviving.", call = call)
  }
  if (!is.null(path$classes)) return("classes")
  if (path$family == "binomial") {
    abort_input("There are no conformal intervals of shares of successes.", "object",
                i = "Give a row to each trial, with a factor as response, for sets of classes.", call = call)
  }
  if (path$family == "poisson") "counts" else "numbers"
}

# The rows of a fit as a frame: given, or found by the call of the fit.
conformal_frame <- function(path, data, given, env, call) {
  data_given <- data
  # predict() has no argument for the rows of the fit
  mend <- if ("data" %in% names(call)) "Give the rows of the fit as {.arg data}." else
    "Give the rows of the fit to {.fn conformal}: {.code predict(conformal(fit, data), newdata)}."
  if (is.null(data)) {
    written <- stats::getCall(path)
    if (is.null(written)) abort_missing("data", "The fit has no call: give the rows that it was fitted to.", call)
    path_refit_refuse_lost(written, call, mend)
    found <- function(name) {
      tryCatch(eval(written[[name]], env), error = function(error) {
        abort_input("{.arg {name}} of the fit's call is not found here.", "data", i = mend, call = call)
      })
    }
    if (is.null(path$formula)) {
      names(written)[2L] <- "x"
      data <- found("x")
      parts <- intersect(c("y", "weights", "domain", "sources", "offset", "strata"), names(written))
      for (name in parts) given[[name]] <- given[[name]] %||% found(name)
    } else {
      if (is.null(written$data)) abort_missing("data", "The fit was made without {.arg data}: give its rows.", call)
      data <- found("data")
      if (!is.null(written$subset)) {
        rows <- eval(written$subset, as.data.frame(data), rlang::f_env(path$formula))
        data <- data[if (is.logical(rows)) which(rows) else rows, , drop = FALSE]
      }
      if (is.null(given$sources) && !is.null(written$sources)) given$sources <- found("sources")
    }
  }
  if (inherits(data, "moments")) {
    abort_input("The fit is to moments, which have no rows to leave out.", "data", i = mend, call = call)
  }
  frame <- path_refit_frame(path, data, given$y, given[names(given) != "y"], call)
  found <- is.null(data_given)
  if (found && !isTRUE(cv_user_fit_has_given_data(path, frame, call, predictions = FALSE))) {
    abort_input("The rows that the fit's call names are not those of the fit.", "data",
                i = mend, call = call)
  }
  frame
}

# The path without a fold, and the scores of the rows of the fold.
#' @export
cv_refit_fold_scores.conformal_frame <- function(data, fold, plan) {
  class(data) <- setdiff(class(data), "conformal_frame")
  kept <- frame_rows(data, setdiff(seq_len(frame_rows_count(data)), fold$held_out))
  held <- frame_rows(data, fold$held_out)
  path <- cv_user_fit_without_messages({
    if (isTRUE(plan$path$settings$given$prob)) refit(plan$path, kept, prob = FALSE) else refit(plan$path, kept)
  })
  predicted <- conformal_predicted(path, held, plan$kind, plan$at)
  score <- if (plan$kind == "classes") {
    predicted[cbind(seq_along(held$y), match(as.character(held$y), path$classes))]
  } else {
    abs(as.vector(held$y) - predicted) / (if (plan$kind == "counts") sqrt(pmax(predicted, 1e-8)) else 1)
  }
  path[c("fitted", "residuals")] <- NULL
  list(path = path, score = score)
}

# Predictions of a path for a frame or new rows: means, or of classes the margins, rows x classes.
conformal_predicted <- function(path, rows, kind, point, ...) {
  type <- if (kind == "classes") "link" else "response"
  value <- do.call(stats::predict, c(list(quote(path), quote(rows), type = type), Filter(Negate(is.null), point), ...))
  if (kind != "classes") return(as.vector(value))
  score <- if (is.matrix(value)) value else cbind(rep(0, length(value)), value) # there may be no rows
  if (!nrow(score)) return(score)
  others <- vapply(seq_len(ncol(score)), function(k) response_scores_row_max(score[, -k, drop = FALSE]),
                   numeric(nrow(score)))
  matrix(others, nrow(score)) - score
}

#' @rdname conformal
#' @export
predict.transfer_conformal <- function(object, newdata, level = .95, sources = NULL, offset = NULL, ...) {
  call <- arguments_check()
  if (missing(newdata)) abort_missing("newdata", "Give new rows.", call)
  check_share(level, "level", call)
  if (level > 1 - object$beyond + 1e-10) {
    tell(paste0("`level` is ", format(level), ": ",
                if (object$by == "domain") words_counted(object$parts, "domain") else
                  words_counted(length(object$score), "row"),
                " reach ", format(1 - object$beyond, digits = 3), " at most, so ",
                if (object$kind == "classes") "every set has all classes." else "the interval is unbounded."),
         "Give a lower `level`.")
  }
  more <- Filter(Negate(is.null), list(sources = sources, offset = offset))
  predicted <- lapply(object$paths, conformal_predicted, newdata, object$kind, object$at, more)
  of_all <- do.call(stats::predict, c(list(quote(object$fit), quote(newdata)), Filter(Negate(is.null), object$at), more,
                                   list(type = if (object$kind == "classes") "class" else "response")))
  if (object$kind == "classes") return(conformal_sets(object, predicted, of_all, level))
  each <- do.call(cbind, predicted)
  scale <- if (object$kind == "counts") sqrt(pmax(each, 1e-8)) else array(1, dim(each))
  parts <- conformal_ascending(object$part, object$score, object$weight, ncol(each))
  ends <- cbind(fit = as.vector(of_all), lwr = -conformal_quantile(parts, -each, level, scale),
                upr = conformal_quantile(parts, each, level, scale))
  if (object$kind == "counts") ends[, "lwr"] <- pmax(ends[, "lwr"], 0)
  rownames(ends) <- names(of_all)
  ends
}

# Of each new row the classes whose margin is not larger than too many of those of the held-out rows.
conformal_sets <- function(object, predicted, fitted, level) {
  classes <- object$fit$classes
  if (!length(fitted)) return(data.frame(fit = fitted, set = character(), size = integer()))
  parts <- conformal_ascending(object$part, object$score, object$weight, length(predicted))
  within <- vapply(seq_along(classes), function(k) {
    below <- Reduce(`+`, Map(function(one, p) {
      one$reached[findInterval(p[, k], one$score, left.open = TRUE) + 1L]
    }, parts, predicted))
    below < level - 1e-10
  }, logical(length(fitted)))
  within <- matrix(within, length(fitted))
  set <- vapply(seq_len(nrow(within)), function(i) {
    if (anyNA(within[i, ])) NA_character_ else paste(classes[within[i, ]], collapse = ", ")
  }, "")
  data.frame(fit = unname(fitted), set = set, size = rowSums(within), row.names = names(fitted))
}

#' @export
path_predict_conformal.transfer_path <- function(path, newdata, point, beside, level, env, call) {
  settings <- list(nfolds = NULL, foldid = NULL, by = NULL, parallel = FALSE, call = call)
  refits <- conformal_refits(path, point, NULL, list(), settings, env)
  predict.transfer_conformal(refits, newdata, level, sources = beside$sources, offset = beside$offset)
}

#' @rdname conformal
#' @export
print.transfer_conformal <- function(x, digits = 3, ...) {
  n <- length(x$score)
  what <- if (x$by == "domain") paste0(words_counted(n, "row"), " of ", words_counted(x$parts, "domain"),
                                       ", a domain at a time")
  else if (x$parts == n) paste0(words_counted(n, "row"), ", one at a time") else paste0(words_counted(n, "row"), " in ",
                                                                                        x$parts, " folds")
  half <- tidy.transfer_conformal(x, .9)$error
  width <- switch(x$kind, numbers = "Errors", counts = "Errors relative to the root of the mean", classes = "Margins")
  description_print(x, list(head = c(
    paste0("Conformal prediction by refits of ", path_refit_method(x$fit), "()"),
    paste0("Left out: ", what),
    paste0("Highest possible level: ", signif(1 - x$beyond, digits), conformal_proven_words(x)),
    paste0(width, " of held-out rows: median ", signif(stats::median(x$score), digits), ", 90 % within ",
           if (is.finite(half)) signif(half, digits) else "no limit")
  ), foot = "predict(object, newdata, level = ) gives intervals"), digits)
}

#' @rdname conformal
#' @export
as.data.frame.transfer_conformal <- function(x, row.names = NULL, optional = FALSE, ...) {
  arguments_of_generic(same = TABLE_ARGUMENTS)
  data.frame(part = x$part, score = x$score, weight = x$weight, row.names = row.names)
}

#' @rdname conformal
#' @export
tidy.transfer_conformal <- function(x, level = c(.5, .8, .9, .95), ...) {
  call <- arguments_check()
  level <- vapply(level, check_share, 0, "level", call)
  all <- conformal_ascending(rep(1L, length(x$score)), x$score, x$weight, 1L)
  data.frame(level = level, error = vapply(level, function(l) conformal_quantile(all, matrix(0), l), 0))
}

#' @rdname conformal
#' @export
plot.transfer_conformal <- function(x, ...) picture_user_plot(x, conformal_picture(x), ...)

#' @rdname conformal
#' @exportS3Method ggplot2::autoplot
autoplot.transfer_conformal <- function(object, ...) picture_user_autoplot(conformal_picture(object), ...)

# The scores of held-out rows by the level that they reach, with the highest level.
conformal_picture <- function(x) {
  ascending <- order(x$score)
  data <- data.frame(x = cumsum(x$weight[ascending]), y = x$score[ascending])
  half <- tidy.transfer_conformal(x, .9)
  half <- half[is.finite(half$error), , drop = FALSE]
  score <- switch(x$kind, numbers = "error", counts = "error / root of the mean", classes = "margin of other classes")
  picture_new(list(picture_panel(
    picture_axis("level", c(0, 1), seq(0, 1, .25)),
    picture_axis(score, picture_padded_range(range(0, x$score))),
    list(
      picture_rule("x", 1 - x$beyond, lty = 2, col = picture_colours$frame),
      picture_rule("y", 0, lty = 1, col = picture_colours$faint),
      picture_layer("line", cbind(data, group = "rows", col = picture_colours$ink), user = c("col", "lwd")),
      if (nrow(half)) {
        picture_layer("point", data.frame(x = .9, y = half$error, col = picture_colours$feature[1]), pch = 19)
      }
    )
  )), "Held-out errors", picture_base_keys(c("highest level", "90 %"),
                                                   c(picture_colours$frame, picture_colours$feature[1]), c(NA, 19),
                                                   lty = c(2, 0)))
}
