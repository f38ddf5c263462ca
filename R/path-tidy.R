# Data frames of a path: tidy(), glance(), augment(), as.data.frame().

#' @importFrom generics tidy
#' @export
generics::tidy

#' @importFrom generics glance
#' @export
generics::glance

#' @importFrom generics augment
#' @references The generics are those of the package generics; their methods for paths, cross-validations and tables are
#'   in [tidy.transfer_path], [tidy.transfer_cv], [assess()] and [compare_paths()].
#' @export
generics::augment

#' Data frames from a fitted path
#'
#' Plain data frames for tables and pictures of your own: `tidy(fit)` has one row per coefficient, `glance(fit)` one row
#' about the fit, `augment(fit, newdata)` the new rows with their predictions, `as.data.frame(fit)` the table of steps.
#' For ready tables by other packages see [reports], for pictures [plot()][plot.transfer_path].
#'
#' Coefficients are on the original scale of the columns, as in [coef()][transfer_path]. For a factor with more than two
#' levels there is one path per class, and `tidy()` has a column `class`.
#'
#' @param x A fitted path, for example from [greedytl()].
#' @param step `NULL` or `"default"`: the default model of the fit. Or numbers from 0 to the last step, `"average"`, or,
#'   for `tidy()`, `"all"` (all numbered steps).
#' @param lambda Which penalties, for a fit with several. `NULL`: that of the default model, or with `step = "all"` or
#'   numbers all of them. For `augment()` one.
#' @param conf.int,conf.level,exponentiate As in package broom. Only [tlcp()] has standard errors, see [tidy.tlcp()];
#'   for other fits `conf.int = TRUE` gives columns of `NA`, with a message. `exponentiate = TRUE` gives odds, rate or
#'   hazard ratios.
#' @param return_zeros Add rows for coefficients that are zero?
#' @param newdata,data A data frame or matrix with the columns of the fit. It may contain the response.
#' @param sources Predictions of the sources on the rows of `newdata`, needed when the fit was
#'   given predictions and not models.
#' @param bound As for [predict()][transfer_path].
#' @param row.names,optional Ignored; there because the generic has them.
#' @param ... For `tidy()` and `augment()`: further arguments of [path_model()] for the method of the path, such as
#'   `estimator` of [msplit()] and `domain` of [tlcp()]; others as for [predict()][transfer_path].
#' @return A data frame.
#'
#' * `tidy()`: columns `class` (only for several classes), `term`, `estimate`; if they exist `std.error`, `statistic`
#'   (the estimate divided by `std.error`), `p.value`, `conf.low` and `conf.high`; then `type` (`"intercept"`,
#'   `"feature"` or `"source"`), `step` (an integer, or `"average"`) and `lambda` (`NA` if the method chooses the
#'   ridges). If a [tlcp()] fit borrows, `p.value`, `conf.low` and `conf.high` are of a mixture of distributions and not
#'   computed from `statistic`, see [tidy.tlcp()].
#' * `glance()`: one row with `rule`, `family` (the name of [family()][transfer_path]), `nobs`, `incomplete` (rows left
#'   out because a value is missing), `features` and `sources` (columns to choose from), `steps` (length of the path).
#'   For the default model it has `step`, `size` (columns with a nonzero coefficient, in any class), `df` (that of
#'   `logLik()`, which counts the residual variance: one more than `print()` shows), `rss`, `logLik`, `AIC`, `BIC`,
#'   `deviance`, `df.residual`, and for numbers `sigma`, all as for [transfer_path]; `NA` if these are errors.
#'   `null.deviance` is the deviance of the empty model, `r.squared` is 1 minus the ratio of the deviances.
#' * `augment()`: `newdata` with predictions. For a numeric response `.fitted` and, if `newdata` has the response,
#'   `.resid`. For a factor with two levels `.fitted` (the score, positive for the second level; for a logistic model
#'   the probability of the second level) and `.pred_class`. For more levels one score or probability `.fitted_<level>`
#'   per level, and `.pred_class`. `.fitted` is what [predict()] gives for `type = "response"`. If scores are
#'   calibrated, `.prob_<level>` is the probability of the second level, or with more than two levels of each level.
#' * `as.data.frame()`: the table of steps, with one row per step (and class, and lambda).
#' @references The verbs are those of package broom: Robinson, D. (2014). broom: an R package for converting statistical
#'   analysis objects into tidy data frames. \doi{10.48550/arXiv.1412.3565}
#' @seealso [plot.transfer_path()]
#' @examples
#' set.seed(1)
#' x <- matrix(rnorm(40 * 6), 40, dimnames = list(NULL, paste0("x", 1:6)))
#' y <- x[, 1] - x[, 2] + rnorm(40)
#' sources <- cbind(clinic_a = x[, 1] + rnorm(40, sd = .3), clinic_b = rnorm(40))
#' fit <- greedytl(x, y, sources = sources)
#' tidy(fit)
#' head(tidy(fit, step = "all"), 3)
#' glance(fit)
#' head(augment(fit, x, sources = sources), 3)
#' head(as.data.frame(fit), 3)
#' @name tidy.transfer_path
NULL

#' @rdname tidy.transfer_path
#' @export
tidy.transfer_path <- function(x, step = NULL, lambda = NULL, return_zeros = FALSE, conf.int = FALSE, conf.level = .95,
                               exponentiate = FALSE, ...) {
  more <- arguments_of_generic(path_tidy_arguments(x), same = TIDY_ARGUMENTS)
  call <- rlang::current_env()
  check_flag(return_zeros, "return_zeros", call)
  check_share(conf.level, "conf.level", call)
  table <- path_tidy_table(x, step, lambda, return_zeros, more, call)
  if (check_flag(conf.int, "conf.int", call)) {
    tell(paste0("A ", class(x)[1], "() fit has no standard errors: the same rows choose the columns."),
         "`selection_frequency()` says how often a column is chosen again.", "transelect_message_errors")
    table[c("std.error", "statistic", "p.value", "conf.low", "conf.high")] <- list(rep(NA_real_, nrow(table)))
  }
  path_tidy_exponentiated(table, x, exponentiate, call)[path_tidy_order(table)]
}

# What packages give to the methods of tidy() for mixed and additive models: all effects of ours are fixed and
# parametric.
TIDY_ARGUMENTS <- c("effects", "parametric")

# A row for each coefficient, without standard errors. step: NULL or "default" for the default model (of each of
# several `lambda` that are named, the default one), "all" for every numbered step.
path_tidy_table <- function(x, step, lambda, zeros, more, call) {
  lambdas <- path_tidy_lambdas(x, lambda, call)
  placed <- any(names(more) %in% names(x$points)) # by another column of its points, such as a time
  if (identical(step, "all")) {
    step <- NULL
  } else if (is.null(step) && !placed || identical(step, "default")) {
    parts <- lapply(if (is.null(lambda)) x$best_lambda %||% lambdas[1L] else lambdas, function(l) {
      asked <- path_step_asked(x, NULL, if (!is.null(lambda) && !is.na(l)) l, call)
      rlang::inject(path_tidy_estimates(x, asked, l, zeros = zeros, !!!more, call = call))
    })
    return(path_tidy_with_probability(do.call(rbind, parts), x))
  }
  path_tidy_with_probability(rlang::inject(path_tidy_estimates(x, step, lambdas, zeros = zeros, !!!more, call = call)),
                             x)
}

# With the posterior probabilities of features, and whether their effects are told from 0, where a path has them.
path_tidy_with_probability <- function(table, x) {
  probability <- inclusion_probability(x)
  if (is.null(probability)) return(table)
  response <- if (path_object_is_multi(x)) match(table$class, path_object_responses(x)) else rep(1L, nrow(table))
  entries <- cbind(match(table$term, path_object_term_names(x)), response)
  table$probability <- unname(probability)[entries]
  table$strong <- unname(inclusion_is_strong(x))[entries]
  table
}

# The columns that are there, in the order of broom and then our own.
path_tidy_order <- function(table) {
  wanted <- c(if (length(unique(table$class)) > 1L) "class", "term", "estimate", "std.error", "statistic", "p.value",
              "conf.low", "conf.high", "weight", "shrinkage", "probability", "strong", "type", "step", "lambda")
  intersect(wanted, names(table))
}

# Ratios of odds, rates or hazards: estimates and limits; as in broom the standard error stays that of the logarithm.
path_tidy_exponentiated <- function(table, x, exponentiate, call) {
  if (!path_tidy_check_exponentiate(x, exponentiate, call)) return(table)
  columns <- intersect(c("estimate", "conf.low", "conf.high"), names(table))
  table[columns] <- exp(table[columns])
  table
}

path_tidy_check_exponentiate <- function(x, exponentiate, call) {
  if (check_flag(exponentiate, "exponentiate", call) && x$link == "identity") {
    abort_input("{.arg exponentiate} is for logarithms of odds, rates or hazards.", "exponentiate",
                i = "Leave it out: the coefficients of this fit are not logarithms.", call = call)
  }
  exponentiate
}

#' @rdname tidy.transfer_path
#' @export
glance.transfer_path <- function(x, ..., step = NULL) {
  arguments_of_generic()
  call <- rlang::current_env()
  check_single(length(step), "step", call)
  worth <- path_worth(x, step, call = call)
  fixed <- data.frame(
    rule = x$rule %||% NA_character_,
    family = stats::family(x)$family,
    nobs = stats::nobs(x),
    incomplete = x$left_out$incomplete %||% 0L,
    features = (x$blueprint$base %||% x$blueprint)$p,
    sources = x$sources$n_sources %||% 0L,
    steps = max(path_step_table(x)),
    step = as.character(if (is.null(step)) x$best else worth$step)
  )
  df <- worth$log_lik_df
  left <- stats::nobs(x) - worth$df # of a Cox model events are counted
  counted <- data.frame(
    size = worth$size %||% length(path_object_used_columns(path_model(x))),
    df = df,
    rss = worth$rss,
    logLik = worth$log_lik,
    AIC = 2 * df - 2 * worth$log_lik,
    BIC = log(worth$log_lik_nobs) * df - 2 * worth$log_lik,
    deviance = worth$deviance, null.deviance = worth$more$null.deviance %||% path_tidy_null_squares(x, worth),
    df.residual = if (is.null(worth$refused$df.residual)) left else NA_real_
  )
  if (x$link == "identity" && x$family == "gaussian") {
    counted$sigma <- path_worth_residual_sd(worth$rss, worth$df, x$nobs)
    counted$r.squared <- 1 - worth$rss / counted$null.deviance
    counted$adj.r.squared <- 1 - (1 - counted$r.squared) * (x$nobs - path_object_has_intercept(x)) / left
  }
  do.call(cbind, c(list(fixed), worth$place, list(counted), worth$more[setdiff(names(worth$more), names(counted))]))
}

# The residual sum of squares of the empty model, by which that of the default one is judged: of the weighted mean of
# the response, where the fit has rows and one response.
path_tidy_null_squares <- function(x, worth) {
  if (is.na(worth$rss)) return(NA_real_)
  if (inherits(x, "msplit") && !is.null(x$fitted)) { # whose path begins with a ridge on all columns
    y <- as.vector(x$fitted + x$residuals)
    w <- as.vector(x$prior_weights %||% rep(1, length(y)))
    centre <- if (path_object_has_intercept(x)) sum(w * y) / sum(w) else 0
    return(sum(w * (y - centre)^2))
  }
  if (!any(x$points$step == 0L)) return(NA_real_)
  lambda <- if (!all(is.na(x$points$lambda))) x$best_lambda %||% x$points$lambda[1L]
  path_worth(x, 0L, lambda)$rss
}

#' @rdname tidy.transfer_path
#' @export
augment.transfer_path <- function(x, data = NULL, newdata = data, sources = NULL, ..., step = NULL,
                                  lambda = NULL, bound = NULL) {
  more <- arguments_of_generic(path_model_arguments("path_model", x))
  call <- rlang::current_env()
  if (is.null(newdata)) {
    path_rows_refuse_rowless(x, call)
    newdata <- path_rows_without_left_out(x, path_rows_training(x, NULL, parent.frame(), call)$rows)
  }
  check_single(length(step), "step", call)
  found <- path_predict_row_scores(x, newdata, sources, step, lambda, more, bound, call)
  models <- found$models
  scores <- found$scores
  augmented <- as.data.frame(if (methods::is(newdata, "Matrix")) as.matrix(newdata) else newdata)
  fitted <- path_predict_fitted_scale(scores, x)
  if (path_object_is_multi(x)) {
    augmented[paste0(".fitted_", names(scores))] <- lapply(fitted, as.vector)
  } else {
    augmented$.fitted <- as.vector(fitted[[1L]])
  }
  if (x$family == "gaussian" && path_object_is_multi(x)) return(augmented)
  if (!is.null(x$classes)) {
    augmented$.pred_class <- path_predict_classes(scores, x, models[[1L]]$step)
    if (!is.null(models[[1L]]$calibration)) {
      p <- path_predict_calibrated(lapply(scores, path_predict_scores_of_signs, object = x), models)
      augmented[paste0(".prob_", if (length(p) > 1L) names(scores) else x$classes[2L])] <- lapply(p, as.vector)
    }
    return(augmented)
  }
  observed <- as.vector(path_predict_response(x, augmented))
  if (is.numeric(observed) && length(observed) == nrow(augmented)) {
    augmented$.resid <- observed - augmented$.fitted
  }
  augmented
}

#' @rdname tidy.transfer_path
#' @export
as.data.frame.transfer_path <- function(x, row.names = NULL, optional = FALSE, ...) {
  arguments_of_generic(same = TABLE_ARGUMENTS)
  x$steps
}

# The arguments of the path's method of path_model() that tidy() hands on: the table has every class, and `lambda` says
# which nu.
path_tidy_arguments <- function(path) setdiff(path_model_arguments("path_model", path), c("nu", "response"))

# The values of lambda asked for, as the fit has them; NULL is all.
path_tidy_lambdas <- function(x, lambda = NULL, call = rlang::caller_env()) {
  if (is.null(lambda)) {
    return(unique(x$points$lambda))
  }
  if (!is.atomic(lambda)) abort_kind(lambda, "lambda", "Give some of the ridges of the path.", call)
  vapply(lambda, function(l) path_step_points(x, l, call)$lambda[1L], numeric(1))
}

# One row per coefficient: class, row (of beta, 0 for the intercept), term, type, step, lambda,
# estimate. The intercept and nonzero ones, or all. `step` NULL is every numbered step, unless `...` names places of the
# path by another of its points' columns, such as a time.
path_tidy_estimates <- function(x, step, lambda, class = path_object_responses(x), zeros = FALSE, ...,
                                call = rlang::caller_env()) {
  parts <- list()
  if (identical(step, "default")) {
    step <- x$best
    if (length(lambda) > 1L) lambda <- x$best_lambda %||% lambda[1L]
  }
  if (path_step_is_named(x, step)) lambda <- NA_real_ # named models are on no path
  placed <- any(...names() %in% names(x$points))
  for (l in lambda) {
    one_lambda <- if (!is.na(l)) l
    for (response in class) {
      models <- path_model(x, step %||% if (!placed) path_step_table(x, one_lambda), one_lambda,
                       if (path_object_is_multi(x)) response, ...,
                       call = call)[[1L]]
      parts[[length(parts) + 1L]] <- data.frame(class = response, lambda = l, path_tidy_long_coef(models, zeros))
    }
  }
  long <- do.call(rbind, parts)
  rows <- setdiff(unique(long$row), 0L)
  long$term <- c("(Intercept)", path_object_term_names(x, rows))[match(long$row, c(0L, rows))]
  long$type <- ifelse(long$row > x$blueprint$p, "source", "feature")
  long$type[long$row == 0L] <- "intercept"
  if (x$family == "cox") { # a Cox model has no intercept
    long <- long[long$row > 0L, ]
    row.names(long) <- NULL
  }
  long
}

# From path_model() to rows: intercept first in every step.
path_tidy_long_coef <- function(model, zeros) {
  beta <- model$beta
  if (zeros) {
    row <- rep(0:nrow(beta), ncol(beta))
    column <- rep(seq_len(ncol(beta)), each = nrow(beta) + 1L)
    value <- as.vector(rbind(model$a0, as.matrix(beta)))
  } else {
    kept <- beta@x != 0
    column <- c(seq_along(model$a0), rep(seq_len(ncol(beta)), diff(beta@p))[kept])
    row <- c(rep(0L, length(model$a0)), beta@i[kept] + 1L)
    value <- c(model$a0, beta@x[kept])
    by_step <- order(column, row)
    row <- row[by_step]
    column <- column[by_step]
    value <- value[by_step]
  }
  data.frame(row = row, step = model$step[column], estimate = value)
}
