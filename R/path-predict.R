# predict() for every path: new data -> design -> scores -> what was asked for.

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
  if (missing(newdata)) refuse_no_newdata(object, call)
  if (!is.null(offset)) {
    object$offset$given <- check_offset(offset, length(offset), call)
    object$blueprint <- without_offsets(object$blueprint)
  }
  scores <- score_matrices(object, models, newdata, sources, call)
  if (type == "survival") return(survival_at(object, models, scores, times, call, ...))
  if (type == "prob" && classes_by_squares(object)) {
    refuse_uncalibrated(object, models, call)
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
  type <- known_type(type, object, c("response", "link", if (classes) "class", if (survival) "survival",
                                     if (classes) "prob", "coefficients", "nonzero"), call)
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

# Cross-validation holds out the models of the steps, not those that are named by a word or belong to another estimator.
refuse_uncalibrated <- function(object, models, call) {
  if (!is.null(models[[1]]$calibration)) return(invisible())
  abort_input("{.arg type} is {.val prob}, but the scores of the model asked for are not calibrated.", "type",
              i = "Give {.arg step} as a number, {.val min} or {.val 1se} of a {.fn cv_path} object: the scores of these
                   models were held out. {.code type = \"link\"} gives the scores.",
              call = call)
}

# `type`, which must be one of `known`; the error says what each of these gives.
known_type <- function(type, object, known, call) {
  if (rlang::is_string(type, known)) return(type)
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
  out <- if (type == "class") {
    score_classes(scores, object, step)
  } else {
    score_shape(if (type == "link") scores else fitted_scale(scores, object), object, step)
  }
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

refuse_no_newdata <- function(object, call) {
  abort_input("{.arg newdata} is missing.", "newdata",
              i = if (is.null(object$fitted)) "Give new rows: a fit to moments has no rows of its own." else
                "Give new rows; {.fn fitted} has the values of the training rows.", call = call)
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
  offset <- new_offset(object, newdata, n, call)
  lapply(models, function(m) {
    score <- as.matrix(z %*% m$beta[columns, , drop = FALSE])
    matrix(score + rep(m$a0, each = n) + offset, n, length(m$a0))
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
