# path_model(): the coefficients of the models asked for, on which tidy(), the pictures and, below, coef(),
# variable.names() and predict() are written.

#' Coefficients and fit of a model on a path
#'
#' All verbs of [transfer_path] are written on three generic functions. A class of paths may have methods of
#' its own for them; otherwise the default methods use the components of [new_transfer_path()].
#'
#' * `path_model()` returns the coefficients of the models asked for. [coef()], [predict()], [variable.names()],
#'   [tidy()], [augment()] and the pictures call it.
#' * `path_worth()` returns how well one model fits: residual sum of squares, degrees of freedom, likelihood.
#'   [deviance()], [logLik()], [df.residual()], [sigma()], [glance()] and [summary()] call it.
#' * [refit()] fits the same method with the same settings to other rows.
#'
#' @param path A fitted path.
#' @param step,lambda Which model, as for [transfer_path].
#' @param class For more than two classes, or several responses: the name of one of them; `NULL` for
#'   all.
#' @param domain For [tlcp()]: the domain whose model is wanted; `NULL` is the target.
#' @param t,nu For [msplit()]: a time on the path, and the `nu` of the path; [coef.msplit] describes its further
#'   arguments.
#' @param report TRUE for the model to be reported, where a method has another one to predict with:
#'   the sparse estimator of [msplit()].
#' @param ... Further arguments of the method of the class. Others are errors.
#' @param call The call that errors name, an environment as in [rlang::abort()].
#' @returns `path_model()`: a list with an element for each response (one named `"y"`, or one for
#'   each of several classes or responses). Each is a list of `beta`, a `dgCMatrix` with a row for each
#'   column of the design and a column for each model; `a0`, the intercepts; `step`, the steps of the models;
#'   `calibration`, `NULL` or a matrix of two rows a and b and a column for each model, with which
#'   `plogis(a + b * score)` is the probability of the class (score: prediction of classes coded -1 and 1).
#'
#'   `path_worth()`: a list about one model: `step`; `place`, a list of further numbers that identify it, such as
#'   a time (may be empty); `size`, the number of columns it uses (`NULL`: they are counted in
#'   `path_model()`); `rss`, `df`, `deviance`, `log_lik`; `log_lik_df` and `log_lik_nobs`, the degrees
#'   of freedom and the number of observations of `log_lik`; `more`, further columns of
#'   [glance()]. Where a number is `NA`, `refused` says why: a list named by the verbs
#'   (`deviance`, `logLik`, `df.residual`, `sigma`), each element a list of `what` is wrong, the `argument` that the
#'   error is about and `mend`, what to do.
#' @seealso [new_transfer_path()]
#' @references Fitted values, likelihoods and degrees of freedom are those of each method, whose page has the
#'   references.
#' @examples
#' fit <- greedytl(mpg ~ ., data = mtcars)
#' path_model(fit, step = 2)$y$beta
#' path_worth(fit, step = 2)$rss
#' @export
path_model <- function(path, ...) UseMethod("path_model")

#' @rdname path_model
#' @export
path_model.transfer_path <- function(path, step = NULL, lambda = NULL, class = NULL, ...,
                                     report = FALSE, call = rlang::caller_env()) {
  if (...length()) check_arguments(call, method_arguments("path_model", path))
  wanted <- if (is.null(class)) responses(path) else check_class(path, class, call)
  step <- check_step(path, step, lambda, call)
  if (is_named_step(path, step)) {
    model <- path$named[[step]]
    take <- 1L
  } else if (identical(step, "average")) {
    model <- path$average
    take <- match(path_points(path, lambda, call)$lambda[1], path$lambda)
  } else {
    model <- path
    here <- which(path$points$lambda %in% path_points(path, lambda, call)$lambda[1]) # columns of one lambda
    take <- here[match(step, path$points$step[here])]
  }
  models <- lapply(wanted, function(response) {
    list(beta = of_response(model$beta, response)[, take, drop = FALSE], a0 = of_response(model$a0, response)[take],
         step = step, calibration = if (!is.null(path$calibration)) calibration_at(path, response, step, take))
  })
  names(models) <- wanted
  models
}

# The two numbers of plogis() at one step or more, a 2 x steps matrix; NULL where there are none. No scores of rows
# held out exist for models that are named by a word.
calibration_at <- function(object, response, step, take) {
  if (is_named_step(object, step)) return(NULL)
  part <- object$calibration[[if (identical(step, "average")) "average" else "points"]]
  k <- match(response, responses(object))
  matrix(part[, k, take], 2)
}

# The arguments that the method of path_model() or path_worth() for this path has beside those of every path.
method_arguments <- function(question, path) {
  known <- c("path", "step", "lambda", "class", "report", "call", "...")
  own <- lapply(class(path), function(class) {
    answer <- utils::getS3method(question, class, optional = TRUE, envir = topenv())
    if (!is.null(answer)) names(formals(answer))
  })
  setdiff(unlist(own), known)
}

path_steps <- function(object, lambda = NULL) path_points(object, lambda)$step

# Does the path have an average over the steps of each lambda? A method that names models by words (`named`) has none:
# its named models stand beside the path.
path_average <- function(object) identical(object$best, "average") && is.null(object$named)

is_named_step <- function(object, step) {
  is.character(step) && length(step) == 1 && step %in% names(object$named)
}

# The rows of `points` of one lambda.
path_points <- function(object, lambda = NULL, call = rlang::caller_env()) {
  points <- object$points
  lambda <- lambda %||% object$best_lambda %||% points$lambda[1]
  if (is.atomic(lambda) && is.na(lambda[1])) return(points)
  known <- unique(points$lambda)
  at <- if (is.numeric(lambda) && length(lambda) == 1) {
    which(abs(known - lambda) <= 1e-10 * abs(lambda))
  }
  if (length(at) != 1) {
    if (all(is.na(known))) {
      abort_input("{.arg lambda} is {.val {lambda}}, but this path has no lambda.", "lambda",
                  i = if (is.null(object$ridge)) "Leave it out: {.arg step} names a model." else
                    "Leave it out: the ridges of the fit are in {.code $ridge}.", call = call)
    }
    abort_value(lambda, "lambda", "Give one that the fit has: {.val {known}}.", call)
  }
  points[!is.na(points$lambda) & points$lambda == known[at], , drop = FALSE]
}

# The step that is meant: where none is named, or "default", the one that the method chose; for another lambda than the
# first, the last step of its path.
asked_step <- function(object, step, lambda, call) {
  if (!is.null(step) && !identical(step, "default")) return(step)
  if (path_average(object) || is.null(lambda)) return(object$best)
  points <- path_points(object, lambda, call)
  known <- unique(object$points$lambda)
  own <- if (is_named_step(object, object$best)) known[length(known) == 1] else
    object$best_lambda %||% known[1]
  if (points$lambda[1] %in% own) object$best else max(points$step)
}

check_step <- function(object, step, lambda, call) {
  step <- asked_step(object, step, lambda, call)
  if (is_named_step(object, step)) return(step)
  known <- path_points(object, lambda, call)$step
  last <- max(known)
  if (identical(step, "average") && is.null(object$named)) {
    if (path_average(object)) return(step)
    abort_input("{.arg step} is {.val average}, but this method does not average its path.", "step",
                i = "Give numbers from 0 to {last}, or {.val default}.", call = call)
  }
  if (!is.numeric(step) || !length(step) || anyNA(step) || any(!step %in% known)) {
    words <- c("default", if (path_average(object)) "average" else names(object$named))
    choices <- ", or {.or {.val {words}}}"
    give <- if (length(known) == last + 1) "Give whole numbers from 0 to {last}" else
      "Give some of {.val {known}}, which {.arg record} has kept"
    abort_value(step, "step", paste0(give, choices, "."), call)
  }
  as.integer(step)
}

# `kind`: what the caller calls it.
check_class <- function(object, class, call, kind = "class") {
  known <- path_is_multi(object) && is.atomic(class) && length(class) == 1 && class %in% responses(object)
  if (!known) {
    mend <- if (path_is_multi(object)) "Name one of {.val {responses(object)}}." else
      "Leave it out: the fit has one path."
    abort_value(class, kind, mend, call)
  }
  as.character(class)
}

# Names of columns j of Z (all of them without j).
term_names <- function(object, j = NULL) {
  design_labels(object$blueprint, object$sources, j %||% seq_len(nrow(of_response(object$beta, 1))))
}

# Features are followed by sources.
design_labels <- function(blueprint, sources, j) {
  p <- blueprint$p
  out <- character(length(j))
  out[j <= p] <- column_labels(blueprint$columns, j[j <= p])
  out[j > p] <- source_label(sources, j[j > p] - p)
  out
}

# Columns of the design with a coefficient in some of the models.
used_columns <- function(models) {
  distinct_columns(unlist(lapply(models, function(m) {
    if (!inherits(m$beta, "dgCMatrix")) return(which(Matrix::rowSums(m$beta != 0) > 0))
    none <- m$beta@x == 0
    distinct_columns((if (any(none)) m$beta@i[!none] else m$beta@i) + 1L)
  })))
}

# ---- coef() and variable.names() ------------------------------------------------------------------

#' @rdname transfer_path
#' @export
coef.transfer_path <- function(object, step = NULL, lambda = NULL, class = NULL, ...) {
  check_arguments(more = method_arguments("path_model", object))
  call <- rlang::current_env()
  coef_shape(path_model(object, step, lambda, class, ..., call = call), object)
}

# Models as path_model() gives them -> what coef() returns. A Cox model has no intercept.
coef_shape <- function(models, object) {
  cox <- object$family == "cox"
  names <- c(if (!cox) "(Intercept)", term_names(object))
  out <- lapply(models, function(at) {
    if (length(at$a0) == 1) {
      return(stats::setNames(c(if (!cox) at$a0, as.vector(at$beta)), names))
    }
    both <- if (cox) at$beta else rbind(methods::as(matrix(at$a0, 1), "CsparseMatrix"), at$beta)
    dimnames(both) <- list(names, at$step)
    both
  })
  if (length(out) > 1) out else out[[1]]
}

#' @rdname transfer_path
#' @export
variable.names.transfer_path <- function(object, step = NULL, lambda = NULL, ...) {
  check_arguments(more = method_arguments("path_model", object))
  call <- rlang::current_env()
  used_terms(object, path_model(object, step, lambda, ..., report = TRUE, call = call))
}

used_terms <- function(object, models) term_names(object, used_columns(models))

# ---- predict(): new data -> design -> scores -> what was asked for ------------------------------

#' @rdname transfer_path
#' @export
predict.transfer_path <- function(object, newdata, sources = NULL, ..., step = NULL, lambda = NULL,
                                  type = NULL, offset = NULL, times = NULL) {
  call <- rlang::current_env()
  check_arguments(more = method_arguments("path_model", object))
  type <- check_type(object, type, times, call)
  models <- path_model(object, step, lambda, ..., call = call)
  if (type == "coefficients") return(coef_shape(models, object))
  if (type == "nonzero") return(used_terms(object, models))
  if (missing(newdata)) {
    abort_missing("newdata", if (is.null(object$fitted)) "Give new rows: a fit to moments has no rows of its own." else
      "Give new rows; {.fn fitted} has the values of the training rows.", call)
  }
  if (!is.null(offset)) {
    object$offset$given <- check_offset(offset, length(offset), call)
    object$blueprint <- without_offsets(object$blueprint)
  }
  scores <- score_matrices(object, models, newdata, sources, call)
  if (type == "survival") return(survival_at(object, models, scores, times, call, ...))
  if (type == "prob" && classes_by_squares(object)) {
    if (is.null(models[[1]]$calibration)) {
      # cross-validation holds out the models of steps, not those that a word names or that are of another estimator
      abort_input("{.arg type} is {.val prob}, but the scores of the model asked for are not calibrated.", "type",
                  i = "Give {.arg step} as a number, {.val min} or {.val 1se} of a {.fn cv_path} object: the scores of
                       these models were held out. {.code type = \"link\"} gives the scores.", call = call)
    }
    scores <- calibrated_scores(lapply(scores, scores_of_signs, object = object), models)
  }
  scores_as(type, scores, object, models[[1]]$step, newdata)
}

# The kind of prediction that is asked for, refused if the path cannot give it; where none is named, the default.
check_type <- function(object, type, times, call) {
  classes <- !is.null(object$classes)
  type <- type %||% if (classes) "class" else "response"
  if (identical(type, "class") && !classes) {
    abort_input("{.arg type} is {.val class}, but the response is numeric.", "type",
                i = "Give {.val response}.", call = call)
  }
  survival <- !is.null(object$baseline)
  known <- c("response", "link", if (classes) "class", if (survival) "survival", if (classes) "prob", "coefficients",
             "nonzero")
  if (!rlang::is_string(type, known)) abort_type(type, object, known, call)
  if (type == "prob" && classes_by_squares(object) && is.null(object$calibration)) {
    abort_input("{.arg type} is {.val prob}, but classes fitted by squares have scores.", "type",
                i = "Use {.fn cv_path}, or {.code prob = TRUE} of {.fn greedytl} and {.fn tgreedy}: both calibrate
                     the scores of rows left out. {.code type = \"link\"} gives the scores.",
                call = call)
  }
  if (!is.null(times) && type != "survival") {
    abort_input("{.arg times} is given, and {.arg type} is {.val {type}}.", "times",
                i = if (survival) "Leave it out, or give {.code type = \"survival\"}." else
                  "Leave it out: this is no Cox model.", call = call)
  }
  type
}

# The error says what each of the `known` types gives.
abort_type <- function(type, object, known, call) {
  scores <- switch(object$link,
    logit = "log odds",
    log = if (object$family == "cox") "log hazard ratio" else "log rate",
    "score"
  )
  gives <- c(
    response = switch(scores, "log odds" = "probability", "log rate" = "rate", "log hazard ratio" = "hazard ratio",
                      "as fitted()"),
    link = scores, class = "class", survival = "probability of living beyond `times`", prob = "probability",
    coefficients = "as coef()", nonzero = "as variable.names()"
  )
  listed <- paste0('"', known, '" (', gives[known], ")")
  abort_input("{.arg type} is {.val {type}}.", "type",
              i = paste0("Give ", paste(listed[-length(listed)], collapse = ", "), " or ",
                         listed[length(listed)], "."), call = call)
}

# Scores as what was asked for: classes, scores, or predictions on the scale of fitted() (calibrated
# probabilities are that already); with the names of the rows of new data.
scores_as <- function(type, scores, object, step, newdata) {
  if (!type %in% c("link", "class") && object$link != "identity") scores <- fitted_scale(scores, object)
  out <- if (type == "class") score_classes(scores, object, step) else score_shape(scores, object, step)
  if (inherits(newdata, "transfer_frame")) out else with_row_names(out, row_labels(newdata))
}

# The scores of a logistic model become the probabilities that fitted() has.
fitted_scale <- function(scores, object) {
  if (identical(object$link, "log")) return(lapply(scores, exp))
  if (is_logistic(object)) class_probabilities(scores) else scores
}

# Scores of several classes (one matrix each) become a softmax; of two, log odds, the second one's
# probability. (plogis() drops the shape of a matrix without rows.)
class_probabilities <- function(scores) {
  if (length(scores) == 1) return(lapply(scores, function(s) replace(s, TRUE, stats::plogis(s))))
  share <- softmax(matrix(unlist(scores), ncol = length(scores)))
  Map(function(s, class) replace(s, TRUE, share[, class]), scores, seq_along(scores))
}

# For each response a matrix of scores, rows x steps. Only columns with a coefficient are looked
# at, and only sources with one are asked.
score_matrices <- function(object, models, newdata, sources, call) {
  if (!is.null(sources) && is.null(object$sources)) {
    abort_input("{.arg sources} is given, but the fit has none.", "sources", i = "Leave it out.",
                call = call)
  }
  columns <- used_columns(models)
  p <- object$blueprint$p
  from_x <- columns[columns <= p]
  from_sources <- columns[columns > p] - p
  framed <- inherits(newdata, "transfer_frame")
  z <- if (framed) {
    framed_design(object$blueprint, newdata)[, from_x, drop = FALSE]
  } else {
    bake_columns(object$blueprint, from_x, newdata, call)
  }
  n <- nrow(z)
  if (!framed) tell_far(object, from_x, z)
  if (length(from_sources)) {
    h <- if (framed && !needs_raw(newdata$sources)) {
      newdata$sources$values[, from_sources, drop = FALSE]
    } else if (framed) {
      ask_sources(newdata$sources, from_sources, newdata$raw, n, call)
    } else {
      new_sources_values(object, from_sources, newdata, sources, n, call)
    }
    z <- if (ncol(z)) cbind(z, h) else h
  }
  offset <- if (framed) newdata$offset else if (!is.null(object$offset)) new_offset(object, newdata, n, call)
  lapply(models, function(m) {
    score <- as.matrix(z %*% m$beta[columns, , drop = FALSE])
    score <- score + rep(m$a0, each = n)
    matrix(if (is.null(offset)) score else score + offset, n, length(m$a0))
  })
}

FAR_SPREAD <- 20 # times the spread of the fit: the ratio from which on a message names the column

# A message about columns that are far more spread in new data than in the rows of the fit. The scale of a column is
# estimated from the rows of the fit; from few rows it may be far too small, and the coefficient far too large.
tell_far <- function(object, columns, x) {
  if (!isTRUE(object$settings$standardize) || !length(columns) || !nrow(x)) return(invisible())
  label <- column_labels(object$blueprint$columns, columns)
  of_columns <- function(v) if (is.matrix(v)) rowMeans(v, na.rm = TRUE)[label] else v[label]
  scale <- of_columns(object$scale)
  center <- of_columns(object$center)
  square <- if (is.matrix(x)) {
    vapply(seq_along(label), function(k) mean((x[, k] - center[k])^2, na.rm = TRUE), 0)
  } else {
    Matrix::colMeans(x^2, na.rm = TRUE) - 2 * center * Matrix::colMeans(x, na.rm = TRUE) + center^2
  }
  times <- sqrt(pmax(square, 0)) / scale
  far <- which(is.finite(times) & times > FAR_SPREAD)
  far <- utils::head(far[order(-times[far])], 5)
  if (!length(far)) return(invisible())
  tell(paste0("The rows of `newdata` are further from the mean of the rows of the fit than these are: ",
              paste0(signif(times[far], 2), " times in \"", label[far], "\"", collapse = ", "), "."),
       paste("Their predictions may be far off. Look for other units, outliers or values that are rare in the rows",
             "of the fit; a logarithm may help, or leaving the column out."), class = "transelect_message_spread")
}

# Predictions of sources j for new rows: given, or asked from the models kept.
new_sources_values <- function(object, j, newdata, sources, n, call) {
  kept <- object$sources
  labels <- source_label(kept, j)
  if (is.null(sources) && kept$kind == "models") {
    at <- match(j, kept$entered)
    kept$names <- source_label(kept, kept$entered)
    return(ask_sources(kept, at, newdata, n, call, allow_missing = TRUE))
  }
  if (is.null(sources)) {
    abort_input("{.arg sources} is missing, but the model uses {.val {labels}}.", "sources",
                i = "Give a matrix of their predictions for the rows of {.arg newdata}.",
                call = call)
  }
  given <- as_sources(sources, n, call)
  given$response <- kept$response
  if (needs_raw(given)) given <- evaluated_sources(given, newdata, n, call)
  at <- match(labels, given$names)
  if (anyNA(at)) {
    abort_input("{.arg sources} lacks {.val {labels[is.na(at)]}}, which the model uses.", "sources",
                i = "Give these columns; they are matched by name.", call = call)
  }
  given$values[, at, drop = FALSE]
}

# Probabilities of surviving beyond `times`, rows x times, by the target's baseline hazard.
survival_at <- function(object, models, scores, times, call, domain = NULL, ...) {
  if (!is.null(domain) && !identical(domain, object$target)) {
    abort_input("{.arg domain} is {.val {domain}}, and {.arg type} is {.val survival}.", "domain",
                i = "Leave {.arg domain} out: only the baseline of the target is kept.", call = call)
  }
  step <- models[[1]]$step
  refuse_several(length(step), "step", call)
  good <- is.numeric(times) && length(times) && all(is.finite(times)) && all(times >= 0)
  if (!good) abort_value(times, "times", "Give the times at which survival is wanted.", call)
  base <- object$baseline
  if (!is.null(base$strata)) {
    abort_input("The Cox model has strata, each with a baseline of its own.", "type",
                i = "Give another {.arg type}: {.val survival} is for models without strata.", call = call)
  }
  at <- findInterval(times, base$time)
  hazard <- c(0, base$hazard[, step + 1])[at + 1]
  structure(exp(-outer(drop(exp(scores[[1]])), hazard)), dimnames = list(NULL, times))
}

# Scores as a vector, a matrix (a column for each step, or a class) or an array (rows x classes x steps).
score_shape <- function(scores, object, step) {
  many <- path_is_multi(object)
  single <- ncol(scores[[1]]) == 1
  if (!many) {
    if (single) return(as.vector(scores[[1]]))
    return(structure(scores[[1]], dimnames = list(NULL, step)))
  }
  n <- nrow(scores[[1]])
  if (single) {
    return(matrix(unlist(scores), n, length(scores), dimnames = list(NULL, names(scores))))
  }
  stack <- array(unlist(scores), c(n, length(step), length(scores)))
  stack <- aperm(stack, c(1, 3, 2))
  dimnames(stack) <- list(NULL, names(scores), step)
  stack
}

# The class of each score; a tie goes to the lower level.
score_classes <- function(scores, object, step) {
  levels <- object$classes
  pick <- function(k) {
    one <- if (object$family == "binomial") scores[[1]][, k] else
      matrix(unlist(lapply(scores, function(s) s[, k])), ncol = length(levels))
    factor(levels[predicted_class(one)], levels = levels, ordered = isTRUE(object$ordered))
  }
  if (length(step) == 1) return(pick(1))
  out <- lapply(seq_along(step), pick)
  names(out) <- step
  as.data.frame(out, optional = TRUE)
}

# The response of `newdata` by the formula of a path; NULL if `newdata` lacks some of its variables.
response_in <- function(path, newdata) {
  formula <- path$formula
  if (is.null(formula) || !is.data.frame(newdata) || !all(all.vars(formula[[2]]) %in% names(newdata))) return(NULL)
  eval(formula[[2]], newdata, environment(formula))
}

# Calibrated probabilities. Of more than two classes each is calibrated against the rest, and their sum is then made
# 1.
calibrated_scores <- function(scores, models) {
  p <- Map(function(score, model) {
    at <- model$calibration
    score[] <- stats::plogis(rep(at[1, ], each = nrow(score)) + score * rep(at[2, ], each = nrow(score)))
    score
  }, scores, models)
  if (length(p) == 1) return(p)
  total <- Reduce(`+`, p)
  lapply(p, function(value) value / total)
}

# Is the model that predict() is asked for by `...` one with calibrated probabilities?
is_calibrated <- function(object, ...) UseMethod("is_calibrated")

#' @export
is_calibrated.transfer_path <- function(object, step = NULL, lambda = NULL, ...) {
  if (is.null(object$calibration)) return(FALSE)
  more <- list(...)
  more <- more[intersect(names(more), method_arguments("path_model", object))]
  models <- do.call(path_model, c(list(object, step, lambda), more))
  !is.null(models[[1]]$calibration)
}
