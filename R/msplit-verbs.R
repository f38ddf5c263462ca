# What print() and summary() say of an msplit() fit.

#' Coefficients and predictions of an MSplit path
#'
#' The verbs of [transfer_path] for an [msplit()] fit. Use them without further arguments for the default model:
#' `coef(fit)`, `predict(fit, newdata)`. Use them with a time, a `nu` or an estimator for another model on the path:
#' `coef(fit, t = 10, estimator = "sparse")`. For the effects to report use [signals()]. `variable.names()` and
#' `signals()` are about the sparse estimator unless you say otherwise, all other verbs about the dense one;
#' [deviance()], [logLik()], [df.residual()] and [sigma()] take `t` and `nu`.
#'
#' @param path,object An [msplit()] fit.
#' @param step Which point of the path: numbers from 0. They count events for one response, and recorded times
#'   (`object$points`) for several responses and for `method = "lbi"`. If supports were chosen, `"average"` is the
#'   weighted mean over the supports that were not dropped, and `"best"` is the support with the largest weight; both
#'   have the sparse estimator of `"best"`, and `nu` has no effect. `NULL`: the default of the fit, or with `nu` the
#'   last step of its path.
#' @param t Times instead of steps, 0 or more: the model after the last event up to t. The sparse estimator of the exact
#'   path is known at any t. The dense one must have been kept at that event, see `record` in [msplit_control()].
#' @param nu,lambda The path, for a fit with several `nu`; `lambda` is another name of `nu`. `NULL`: the chosen one.
#'   Values are matched to four digits.
#' @param estimator `"dense"`, `"sparse"` (the dense one on the support) or `"gamma"`.
#' @param response,class For several responses, or more than two classes: the one whose coefficients are
#'   wanted. `NULL`: all.
#' @param report TRUE: the sparse estimator if `estimator` is not given.
#' @param call The call that errors name, an environment as in [rlang::abort()].
#' @param fdr The false discovery rate, see [signals()].
#' @param ... Must be empty.
#' @returns `coef()`: a named vector, intercept first, original scale; for several steps a `dgCMatrix` with one column
#'   per step; for several responses or classes a list of these by name. `predict()`: n numbers or a factor; for several
#'   steps a matrix (data frame of factors) with one column per step; for R responses n x R, or n x R x steps.
#'   `variable.names()`: by default the kept features and the strong ones of [signals()] (for any response); at a point
#'   of the path, its support. `summary()`: the strong signals and the largest of the others; at a point of the path,
#'   its support with loss, degrees of freedom and criterion. `tidy()`: as for every path, with the `probability` that
#'   the effect of a feature is not zero, and whether it is `strong`, see [signals()]. `glance()`: one row about the
#'   default model. `deviance()`, `logLik()`, `df.residual()` and `sigma()`: for one numeric response as for every path.
#'   The degrees of freedom of an average are the mean of those of its models (`NA` if they were not computed). For a
#'   logistic loss `deviance()` is twice the sum of the losses. `logLik()`, and with it `AIC()`, is an error for a
#'   logistic loss, for classes fitted by least squares and for several responses.
#' @references Zhao, B., Sun, X., Fu, Y., Yao, Y. and Wang, Y. (2018). MSplit LBI. *ICML*, PMLR 80,
#'   5912-5921, section 3.2. \doi{10.48550/arXiv.1806.04360}
#' @seealso [msplit()], [signals()]
#' @examples
#' fit <- msplit(mpg ~ ., data = mtcars, nu = 5)
#' coef(fit, step = 0:3, estimator = "gamma")
#' predict(fit, mtcars[1:3, ], t = c(5, 10))
#' variable.names(fit, t = 10)
#' @aliases coef.msplit predict.msplit variable.names.msplit
#' @name msplit-verbs
NULL

describe_path.msplit <- function(x, digits, n = NULL) {
  number <- function(value) format(value, digits = digits)
  steps <- x$steps[x$steps$lambda == x$best_lambda, , drop = FALSE]
  shown <- c("class", "response", "step", "t", "entered", "dropped", "size", "loss", "df", "loo",
             "criterion")
  table <- description_without_empty(steps[intersect(shown, names(steps))])
  rows <- msplit_verbs_rows_of_each(msplit_model_response_of_steps(table), n %||% 21)
  steps <- description_table(table[rows, , drop = FALSE], title = paste0(
    if (length(x$lambda) > 1) paste0("\nPath of nu = ", number(x$best_lambda)), "\n"
  ))
  steps$more <- nrow(x$steps) - length(rows)
  default <- if (path_step_is_named(x, x$best)) {
    if (all(x$supports$size == 0)) "ridge regression, no support" else
      paste0("the average over ", words_counted(nrow(x$supports), "support"), ", by evidence")
  } else {
    points <- path_step_points(x)
    paste0("step ", x$best, " (t = ", number(points$t[match(x$best, points$step)]), ", nu = ", number(x$best_lambda),
           ")", if (x$method == "lbi") ": the last one; cv_path() chooses a step")
  }
  list(
    head = c(msplit_verbs_title(x), msplit_verbs_data_line(x),
             paste("nu:", paste(vapply(x$lambda, number, ""), collapse = " "), ""),
             paste0("Default model, for predictions: ", default), signals_lines(x),
             if (length(x$stopped)) "Incomplete: max_steps ended the path."),
    tables = c(if (any(x$supports$size > 0)) list(msplit_verbs_supports_table(x$supports)), list(steps))
  )
}

# The supports of largest weight: at most 5, of several responses at most 2 each.
msplit_verbs_supports_table <- function(supports) {
  of <- supports$class %||% supports$response
  table <- supports[c(intersect(c("class", "response"), names(supports)), "weight", "size", "nu",
                      "loo", "terms")]
  rows <- if (is.null(of)) seq_len(min(5, nrow(table))) else
    utils::head(which(stats::ave(seq_along(of), of, FUN = seq_along) <= 2), 10)
  table <- table[rows, , drop = FALSE]
  if (all(is.na(table$loo))) table$loo <- NULL # from moments
  table$weight <- format(table$weight, digits = 2)
  table$terms <- words_shortened(ifelse(table$size == 0, "none: ridge", table$terms), 50)
  title <- "\nSupports, averaged for predictions. A column may be in a support and yet not be told from 0:\n"
  shown <- description_table(table, title = title, of = "in $supports")
  shown$more <- nrow(supports) - nrow(table)
  shown
}

# At most `most` rows, equally many of each response; three at least of those that are shown.
msplit_verbs_rows_of_each <- function(response, most) {
  number <- stats::ave(seq_along(response), response, FUN = seq_along)
  each <- max(min(3, most), most %/% length(unique(response)))
  utils::head(which(number <= each), most)
}

msplit_verbs_title <- function(x) {
  way <- if (x$method == "iss") "exact path" else "discrete path"
  paste0("MSplit LBI, ", way, ", ", x$loss, " loss")
}

msplit_verbs_data_line <- function(x) {
  several <- length(x$responses)
  response <- switch(x$family,
    gaussian = if (several) paste(several, "numeric responses") else "numeric response",
    binomial = paste0("classes ", x$classes[1], " (-1), ", x$classes[2], " (+1)"),
    multinomial = paste(length(x$classes), "classes")
  )
  paste0(path_print_rows(x), ", ", x$blueprint$p, " features; ", response)
}

#' @rdname msplit-verbs
#' @export
variable.names.msplit <- function(object, step = NULL, lambda = NULL, ..., fdr = .1) {
  if (identical(step, "default")) step <- NULL
  if (!is.null(step) || !is.null(lambda) || !all(...names() %in% "full") || is.null(object$sums)) return(NextMethod())
  j <- unlist(signals_strong_by_response(object, fdr, rlang::current_env()))
  path_object_term_names(object, sort(unique(c(object$kept, j))))
}

#' @rdname msplit-verbs
#' @export
summary.msplit <- function(object, step = NULL, t = NULL, nu = NULL, lambda = nu, ...) {
  arguments_of_generic()
  call <- rlang::current_env()
  place <- msplit_model_place(object, step, t, lambda, "dense", call)
  if (identical(step, "default")) step <- NULL
  placed <- !is.null(step) || !is.null(t) || !is.null(lambda)
  table <- if (placed || !is.null(object$sums)) signals(object, step = step, t = t, nu = lambda, k = 5) else
    signals(object, step = place$step, k = 5)
  word <- path_step_is_named(object, place$step)
  structure(list(
    title = msplit_verbs_title(object), what = msplit_verbs_data_line(object), nu = place$nu,
    t = if (!word) place$t, step = place$step, worth = msplit_model_worth(object, place),
    signals = table, supports = if (word) object$supports, fdr = attr(table, "fdr")
  ), class = c("summary.msplit", "summary.transfer_path"))
}

describe_path.summary.msplit <- function(x, digits, n = NULL) {
  number <- function(value) format(value, digits = digits)
  place <- if (is.character(x$step)) {
    paste0("For predictions: ", if (all(x$supports$size == 0)) "ridge regression" else if (x$step == "average")
      paste0("the average over ", words_counted(nrow(x$supports), "support"),
             " (size: that of the support with the largest weight)")
    else "the support of the largest weight")
  } else {
    paste0(if (!is.null(x$step)) paste0("Step ", x$step, ", "), "t = ", number(x$t), ", nu = ",
           number(x$nu))
  }
  shown <- intersect(c("class", "response", "size", "loss", "df", "loo"), names(x$worth))
  several <- length(unique(x$signals$response)) > 1
  columns <- c(if (several) "response", "term", "estimate", if (!all(is.na(x$signals$probability))) "probability")
  titles <- c(strong = paste0("Strong, at a false discovery rate of ", x$fdr), kept = "Kept in every model",
              "not told from 0" = "Largest of the others, not told from 0", "in the support" = "In the support",
              outside = "Largest of the others")
  table <- as.data.frame(x$signals)
  class(table) <- "data.frame"
  if (!is.null(x$fdr) && !any(table$signal == "strong")) {
    titles[["not told from 0"]] <- paste0("No effect is told from 0 at a false discovery rate of ", x$fdr,
                                          "; the largest are")
  }
  signals <- lapply(intersect(names(titles), table$signal), function(kind) {
    description_table(table[table$signal == kind, columns, drop = FALSE], 21, paste0("\n", titles[[kind]], "\n"),
                      "in $signals")
  })
  list(head = c(x$title, x$what, "", place),
       tables = c(list(description_table(description_without_empty(x$worth[shown]), title = "")),
                  signals[lengths(signals) > 0]))
}
