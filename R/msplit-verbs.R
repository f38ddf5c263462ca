# Methods of msplit paths: three estimators, at a step or a time.

ESTIMATORS <- c("dense", "sparse", "gamma")

#' Coefficients and predictions of an MSplit path
#'
#' The verbs of [transfer_path] take a time, a `nu` and an estimator beside their own arguments:
#' `coef(fit, t = 10, estimator = "sparse")`. [variable.names()] and [signals()] report the sparse
#' estimator unless told otherwise, all other verbs the dense one; [deviance()], [logLik()],
#' [df.residual()] and [sigma()] take `t` and `nu`.
#'
#' @param path,object An [msplit()] fit.
#' @param step Which point of the path: numbers from 0 on. For one response they count events, for
#'   several and for `method = "lbi"` recorded times (`object$points`). `"average"` and `"best"`, where
#'   supports were chosen: the weighted mean over the supports that were not dropped, and the support of the largest
#'   weight; their sparse estimators are the dense one on the latter, and `nu` has no effect. `NULL`
#'   is the default of the fit; where `nu` is given, the last step of its path.
#' @param t Times instead of steps, 0 or more: the model after the last event up to t. The sparse estimators
#'   of the exact path are known at any t; the dense one must have been kept at that event, see
#'   `record` in [msplit()].
#' @param nu,lambda The path, for a fit with several `nu`; `lambda` is another name of `nu`. `NULL` is the
#'   chosen one. Values are matched to four digits.
#' @param estimator `"dense"`, `"sparse"` (the dense one on the support) or `"gamma"`.
#' @param response,class For several responses, or more than two classes: the one whose coefficients
#'   are wanted; `NULL` for all.
#' @param report TRUE for the sparse estimator where `estimator` is not given.
#' @param call The call that errors name, an environment as in [rlang::abort()].
#' @param fdr The false discovery rate, see [signals()].
#' @param ... Must be empty.
#' @returns `coef()`: a named vector, intercept first, original scale; for several steps a
#'   `dgCMatrix` with a column for each; for several responses or classes a list of these by name.
#'   `predict()`: n numbers or a factor; for several steps a matrix (data frame of factors) with a
#'   column for each; for R responses n x R, or n x R x steps. `variable.names()`: by default the kept
#'   features and the strong ones of [signals()] (of any response), at a point of the path its support. `summary()`: the
#'   strong signals and the largest of the others, or the support of a point, with its loss, degrees of freedom and
#'   criterion. `tidy()`: as for every path, with the `probability` of each feature that its effect is not zero, see
#'   [signals()]. `glance()`: one row
#'   about the default model. `deviance()`, `logLik()`, `df.residual()` and `sigma()`: for one numeric
#'   response as for every path; the degrees of freedom of an average are the mean of those of its models,
#'   `NA` where they were not computed. For a logistic loss `deviance()` is twice the
#'   sum of the losses. `logLik()`, and with it `AIC()`, is an error for a logistic loss, for classes fitted by least
#'   squares and for several responses.
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

#' @rdname msplit-verbs
#' @export
path_model.msplit <- function(path, step = NULL, lambda = NULL, class = NULL, ..., t = NULL,
                              nu = NULL, estimator = NULL, response = NULL, report = FALSE,
                              call = rlang::caller_env()) {
  if (...length()) check_arguments(call, method_arguments("path_model", path))
  report <- check_flag(report, "report", call)
  estimator <- check_choice(estimator %||% if (report) "sparse" else "dense", ESTIMATORS,
                            "estimator", call)
  asked <- class %||% response
  wanted <- if (is.null(asked)) responses(path) else
    check_class(path, asked, call, if (is.null(class)) "response" else "class")
  at <- msplit_place(path, step, t, lambda %||% nu, estimator, call)
  if (is_named_step(path, at$step)) return(named_estimates(path, wanted, at$step, estimator))
  models <- if (estimator == "dense" && !is.null(at$step)) {
    path_model.transfer_path(path, at$step, at$nu, if (length(wanted) == 1) class %||% response,
                             call = call)
  } else {
    lapply(stats::setNames(nm = wanted), function(response) {
      msplit_estimate(path, response, at$t, at$nu, estimator, call)
    })
  }
  lapply(models, function(model) {
    model$step <- at$step %||% at$t
    model
  })
}

# list(step, t, nu). step: numbers of steps, the name of a model, or NULL where `t` is given; t: their times.
msplit_place <- function(object, step, t, nu, estimator, call) {
  if (!is.null(step) && !is.null(t)) {
    abort_input("{.arg step} and {.arg t} are both given.", "t", i = "Give one of them.",
                call = call)
  }
  known <- path_points(object, msplit_nu(object, nu, call), call)$lambda[1]
  if (!is.null(t)) return(list(t = check_time(object, t, known, call), nu = known))
  step <- asked_step(object, step, if (!is.null(nu)) known, call)
  if (is_named_step(object, step)) return(list(step = step, t = NA_real_))
  c(check_place(object, step, known, estimator, call), nu = known)
}

# The models that a word names. Their sparse estimators are the dense estimator on the support of the largest weight.
named_estimates <- function(object, wanted, step, estimator) {
  models <- path_model.transfer_path(object, step)
  lapply(stats::setNames(nm = wanted), function(response) {
    model <- models[[response]]
    if (estimator != "dense") {
      on <- object$named[[step]]$support[[response]]
      model[c("beta", "a0")] <- coefficients_on_support(object, model$beta, model$a0, seq_len(nrow(model$beta)) %in% on)
    }
    model
  })
}

# Steps asked for, and their times. The sparse estimators are known at every event.
check_place <- function(object, step, nu, estimator, call) {
  points <- path_points(object, nu, call)
  if (steps_are_times(object)) {
    step <- check_step(object, step, nu, call)
    return(list(step = step, t = points$t[match(step, points$step)]))
  }
  events <- object$steps[object$steps$lambda == nu, , drop = FALSE]
  if (!is.numeric(step) || !length(step) || anyNA(step) || any(!step %in% events$step)) {
    words <- c("default", names(object$named))
    or <- ", or {.or {.val {words}}}"
    abort_value(step, "step", paste0("Give whole numbers from 0 to {max(events$step)}", or, "."), call)
  }
  lost <- step[!step %in% points$step]
  if (estimator == "dense" && length(lost)) {
    refuse_not_kept("step", lost[1], points$step, lost[1], object$method, call)
  }
  list(step = as.integer(step), t = events$t[match(step, events$step)])
}

# TRUE where steps are numbers of times of a grid, FALSE where they are numbers of events.
steps_are_times <- function(object) {
  path_is_multi(object) || object$method == "lbi" || !is.null(object$settings$times)
}

check_time <- function(object, t, nu, call) {
  if (!is.numeric(t) || !length(t) || anyNA(t) || any(t < 0)) {
    abort_value(t, "t", "Give times: numbers from 0 on.", call)
  }
  ends <- object$ends[object$ends$lambda == nu, , drop = FALSE]
  end <- min(ends$end[!ends$complete], Inf)
  if (any(t > end * (1 + 1e-12))) {
    abort_input("{.arg t} is {.val {max(t)}}, but the path ends at {.val {end}}.", "t",
                i = "Give the fit a larger {.arg t_ratio} or {.arg max_steps}.", call = call)
  }
  as.vector(t)
}

# An estimator of one response at times t.
msplit_estimate <- function(object, response, t, nu, estimator, call) {
  rows <- rows_of_steps(object, response, nu)
  event <- findInterval(t * (1 + 1e-12), object$steps$t[rows])
  if (estimator == "gamma" || object$method == "iss" && estimator == "sparse") {
    at <- rows[event]
    return(list(beta = object$gamma[, at, drop = FALSE], a0 = object$gamma_a0[at]))
  }
  if (!is.null(object$every)) {
    beta <- methods::as(object$every$beta[, rows[event], drop = FALSE], "CsparseMatrix")
    return(list(beta = beta, a0 = object$every$a0[rows[event]]))
  }
  points <- which(object$points$lambda == nu)
  known <- findInterval(object$points$t[points] * (1 + 1e-12), object$steps$t[rows])
  at <- points[match(event, known)]
  if (anyNA(at)) {
    lost <- which(is.na(at))[1]
    event_lost <- if (!steps_are_times(object)) object$steps$step[rows[event[lost]]]
    refuse_not_kept("t", t[lost], object$points$t[points], event_lost, object$method, call)
  }
  beta <- of_response(object$beta, response)[, at, drop = FALSE]
  a0 <- of_response(object$a0, response)[at]
  if (estimator == "sparse") {
    return(coefficients_on_support(object, beta, a0, as.matrix(object$gamma[, rows[event], drop = FALSE] != 0)))
  }
  list(beta = beta, a0 = a0)
}

# Models with the coefficients `on` alone (rows of beta, or entries). The other columns are dropped after projection:
# the intercept and the kept columns keep the part of them that they explain.
coefficients_on_support <- function(object, beta, a0, on) {
  off <- beta * !on
  explained <- object$explained %||% t(object$center)
  moved <- as.matrix(explained %*% off)
  out <- as.matrix(beta - off)
  kept <- object$kept
  if (nrow(moved) > length(kept)) a0 <- a0 + moved[1, ]
  if (length(kept)) out[kept, ] <- out[kept, ] + utils::tail(moved, length(kept))
  list(beta = methods::as(out, "CsparseMatrix"), a0 = unname(a0))
}

# `event` is the step whose estimator would be needed, `kept` where the fit has one.
refuse_not_kept <- function(argument, value, kept, event, method, call) {
  near <- c(rev(kept[kept <= value])[1], kept[kept > value][1])
  near <- signif(near[!is.na(near)], 6)
  mend <- if (method == "iss" && is.null(event)) {
    "Give {.or {.val {near}}}, where it was kept; a response fitted by itself can keep all its events."
  } else if (method == "iss") {
    "Give {.or {.val {near}}}, where it was kept; to have this one, fit again with
    {.code record = {event}}."
  } else {
    "Give {.or {.val {near}}}, where it was kept; a larger {.arg nt} keeps more."
  }
  abort_input("The dense estimator was not kept at {.arg {argument}} = {.val {value}}.", argument,
              i = mend, call = call)
}

# The nu that is meant, from as many digits as are printed; NULL stays.
msplit_nu <- function(object, nu, call) {
  if (is.null(nu)) return(NULL)
  known <- unique(object$points$lambda)
  off <- if (is.numeric(nu) && length(nu) == 1 && is.finite(nu)) abs(known / as.vector(nu) - 1)
  if (is.null(off) || min(off) > 5e-3) {
    abort_value(nu, "nu", "Give one that the fit has: {.val {signif(known, 6)}}.", call)
  }
  known[which.min(off)]
}

# The response of each row of a table of steps.
response_of_steps <- function(steps) steps$class %||% steps$response %||% rep("y", nrow(steps))

#' @rdname path_model
#' @export
path_worth.msplit <- function(path, step = NULL, lambda = NULL, ..., t = NULL, nu = NULL,
                              call = rlang::caller_env()) {
  if (...length()) check_arguments(call, method_arguments("path_worth", path))
  place <- msplit_place(path, step, t, lambda %||% nu, "gamma", call)
  refuse_several(length(place$t), if (is.null(t)) "step" else "t", call)
  table <- worth_at(path, place)
  worth <- unknown_worth(path, place$step, list(nu = place$nu %||% NA_real_, t = place$t), sum(table$size))
  if (path$loss != "squared") {
    worth$deviance <- 2 * path$nobs * table$loss[1]
    worth <- refused_worth(worth, NO_SQUARES, mend = NO_SQUARES_MEND,
                           verbs = c("df.residual", "sigma"))
    return(refused_worth(
      worth, "A path with a logistic loss has no log-likelihood with known degrees of freedom.",
      "loss", "Use {.fn cv_path} to compare models, {.fn deviance} for twice the sum of the losses.",
      verbs = "logLik"
    ))
  }
  if (path_is_multi(path)) {
    numbers <- path$family == "gaussian"
    what <- if (numbers) "Several responses" else "Classes fitted by squares"
    worth <- refused_worth(worth, paste(what, "have no common likelihood here."),
                           if (numbers) "y" else "loss", "Take the loss of each from {.code $steps}.")
    return(refused_classes(worth, path))
  }
  least_squares_worth(worth, path, list(rss = table$rss[1], df = table$df[1]))
}

# The figures of the models at a place, a row for each response: rows of `steps`, or the same columns for a model that
# a word names.
worth_at <- function(object, place) {
  if (is_named_step(object, place$step)) {
    model <- object$named[[place$step]]
    out <- data.frame(size = unname(model$size), loss = model$loss,
                      rss = object$nobs * model$loss, df = model$df)
    if (!path_is_multi(object)) return(out)
    of <- if (object$family == "gaussian") "response" else "class"
    return(cbind(stats::setNames(data.frame(responses(object)), of), out))
  }
  steps <- object$steps[object$steps$lambda == place$nu, , drop = FALSE]
  before <- steps[steps$t <= place$t * (1 + 1e-12), , drop = FALSE]
  before[!duplicated(response_of_steps(before), fromLast = TRUE), , drop = FALSE]
}

# ---- what print() says ---------------------------------------------------------------------------

describe_path.msplit <- function(x, digits, n = NULL) {
  number <- function(value) format(value, digits = digits)
  steps <- x$steps[x$steps$lambda == x$best_lambda, , drop = FALSE]
  shown <- c("class", "response", "step", "t", "entered", "dropped", "size", "loss", "df", "loo",
             "criterion")
  table <- without_empty(steps[intersect(shown, names(steps))])
  rows <- rows_of_each(response_of_steps(table), n %||% 21)
  steps <- shown_table(table[rows, , drop = FALSE], title = paste0(
    if (length(x$lambda) > 1) paste0("\nPath of nu = ", number(x$best_lambda)), "\n"
  ))
  steps$more <- nrow(x$steps) - length(rows)
  default <- if (is_named_step(x, x$best)) {
    if (all(x$supports$size == 0)) "ridge regression, no support" else
      paste0("the average over ", counted(nrow(x$supports), "support"), ", by evidence")
  } else {
    points <- path_points(x)
    paste0("step ", x$best, " (t = ", number(points$t[match(x$best, points$step)]), ", nu = ", number(x$best_lambda),
           ")", if (x$method == "lbi") ": the last one; cv_path() chooses")
  }
  list(
    head = c(msplit_title(x), msplit_data_line(x),
             paste("nu:", paste(vapply(x$lambda, number, ""), collapse = " "), ""),
             paste0("Default model: ", default), signals_lines(x),
             if (length(x$stopped)) "Incomplete: max_steps ended the path."),
    tables = c(if (any(x$supports$size > 0)) list(supports_table(x$supports)), list(steps))
  )
}

# The supports of largest weight: at most 5, of several responses at most 2 each.
supports_table <- function(supports) {
  of <- supports$class %||% supports$response
  table <- supports[c(intersect(c("class", "response"), names(supports)), "weight", "size", "nu",
                      "loo", "terms")]
  rows <- if (is.null(of)) seq_len(min(5, nrow(table))) else
    utils::head(which(stats::ave(seq_along(of), of, FUN = seq_along) <= 2), 10)
  table <- table[rows, , drop = FALSE]
  if (all(is.na(table$loo))) table$loo <- NULL # from moments
  table$weight <- format(table$weight, digits = 2)
  table$terms <- shortened(ifelse(table$size == 0, "none: ridge", table$terms), 50)
  shown <- shown_table(table, title = "\nSupports:\n", of = "in $supports")
  shown$more <- nrow(supports) - nrow(table)
  shown
}

# At most `most` rows, equally many of each response; three at least of those that are shown.
rows_of_each <- function(response, most) {
  number <- stats::ave(seq_along(response), response, FUN = seq_along)
  each <- max(min(3, most), most %/% length(unique(response)))
  utils::head(which(number <= each), most)
}

msplit_title <- function(x) {
  way <- if (x$method == "iss") "exact path" else "discrete path"
  paste0("MSplit LBI, ", way, ", ", x$loss, " loss")
}

msplit_data_line <- function(x) {
  several <- length(x$responses)
  response <- switch(x$family,
    gaussian = if (several) paste(several, "numeric responses") else "numeric response",
    binomial = paste0("classes ", x$classes[1], " (-1), ", x$classes[2], " (+1)"),
    multinomial = paste(length(x$classes), "classes")
  )
  paste0(rows_text(x), ", ", x$blueprint$p, " features; ", response)
}

#' @rdname msplit-verbs
#' @export
variable.names.msplit <- function(object, step = NULL, lambda = NULL, ..., fdr = .1) {
  if (identical(step, "default")) step <- NULL
  if (!is.null(step) || !is.null(lambda) || ...length() || is.null(object$sums)) return(NextMethod())
  j <- unlist(strong_by_response(object, fdr, rlang::current_env()))
  term_names(object, sort(unique(c(object$kept, j))))
}

#' @rdname msplit-verbs
#' @export
summary.msplit <- function(object, step = NULL, t = NULL, nu = NULL, lambda = nu, ...) {
  generic_arguments()
  call <- rlang::current_env()
  place <- msplit_place(object, step, t, lambda, "dense", call)
  if (identical(step, "default")) step <- NULL
  placed <- !is.null(step) || !is.null(t) || !is.null(lambda)
  table <- if (placed || !is.null(object$sums)) signals(object, step = step, t = t, nu = lambda, k = 5) else
    signals(object, step = place$step, k = 5)
  word <- is_named_step(object, place$step)
  structure(list(
    title = msplit_title(object), what = msplit_data_line(object), nu = place$nu,
    t = if (!word) place$t, step = place$step, worth = worth_at(object, place),
    signals = table, supports = if (word) object$supports, fdr = attr(table, "fdr")
  ), class = c("summary.msplit", "summary.transfer_path"))
}

describe_path.summary.msplit <- function(x, digits, n = NULL) {
  number <- function(value) format(value, digits = digits)
  place <- if (is.character(x$step)) {
    if (all(x$supports$size == 0)) "Ridge regression" else if (x$step == "average")
      paste("The average over", counted(nrow(x$supports), "support")) else "The support of the largest weight"
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
  signals <- lapply(intersect(names(titles), table$signal), function(kind) {
    shown_table(table[table$signal == kind, columns, drop = FALSE], 21, paste0("\n", titles[[kind]], "\n"),
                "in $signals")
  })
  none <- !is.null(x$fdr) && !any(table$signal == "strong")
  list(head = c(x$title, x$what, "", paste0(place, if (none) {
    paste0("; no effect is told from 0 at a false discovery rate of ", x$fdr)
  })),
       tables = c(list(shown_table(without_empty(x$worth[shown]), title = "")),
                  signals[lengths(signals) > 0]))
}
