# predict() of a path: new rows, scores, and what was asked for.

# The error says what each of the `known` types gives.
path_predict_abort_type <- function(type, object, known, call) {
  scores <- switch(object$link,
    logit = "log odds",
    log = if (object$family == "cox") "log hazard ratio" else "log rate",
    "score"
  )
  gives <- c(
    response = switch(scores, "log odds" = "probability", "log rate" = "rate", "log hazard ratio" = "hazard ratio",
                      "as fitted()"),
    link = scores, lp = scores, risk = "hazard ratio", expected = "expected number of events", class = "class",
    survival = "probability of living beyond `times`", prob = "probability", terms = "contributions of the terms",
    coefficients = "as coef()", nonzero = "as variable.names()"
  )
  listed <- paste0('"', known, '" (', gives[known], ")")
  abort_input("{.arg type} is {.val {type}}.", "type",
              i = paste0("Give ", paste(listed[-length(listed)], collapse = ", "), " or ",
                         listed[length(listed)], "."), call = call)
}

# By the target's baseline hazard: probabilities of surviving beyond `times`, or the expected number of events until
# then, rows x times; without `times` at the times of the rows themselves, a vector, as in predict.coxph().
path_predict_survival <- function(object, step, scores, times, type, newdata, domain, call) {
  others <- c(if (anyNA(domain)) "unknown", setdiff(domain[!words_match_names(domain, object$target) %in% 1L], NA))
  if (length(others)) {
    abort_input("{.arg domain} is {.val {utils::head(others, 5)}}, and {.arg type} is {.val {type}}.", "domain",
                i = "Only the baseline of the target is kept. {.code domain = \"{object$target}\"} predicts all rows as
                     rows of the target.", call = call)
  }
  check_single(length(step), "step", call)
  base <- object$baseline
  if (!is.null(base$strata)) {
    abort_input("The Cox model has strata, each with a baseline of its own.", "type",
                i = "Give another {.arg type}: {.val {type}} is for models without strata.", call = call)
  }
  column <- if (identical(step, "average")) ncol(base$hazard) else step + 1
  hazard <- function(time) c(0, base$hazard[, column])[findInterval(time, base$time) + 1]
  risk <- drop(exp(scores[[1]]))
  shown <- function(expected) if (type == "expected") expected else exp(-expected)
  if (is.null(times)) {
    observed <- path_predict_response(object, newdata)
    if (!inherits(observed, "Surv")) {
      abort_missing("times", "Give times, or {.arg newdata} with the survival times of its rows.", call)
    }
    plain <- unclass(observed)
    counting <- attr(observed, "type") == "counting"
    until <- hazard(plain[, if (counting) "stop" else "time"])
    return(labels_set_row_names(shown(risk * if (counting) until - hazard(plain[, "start"]) else until),
                                labels_of_rows(newdata)))
  }
  times <- check_numbers(times, "times", function(v) v >= 0, "Give the times at which survival is wanted.", call)
  structure(shown(outer(risk, hazard(times))), dimnames = list(labels_of_rows(newdata), times))
}

# The class of each score; a tie goes to the lower level.
path_predict_classes <- function(scores, object, step) {
  levels <- object$classes
  pick <- function(k) {
    one <- if (object$family == "binomial") scores[[1]][, k] else
      matrix(unlist(lapply(scores, function(s) s[, k]), use.names = FALSE), ncol = length(levels))
    factor(levels[response_scores_class(one)], levels = levels, ordered = isTRUE(object$ordered))
  }
  if (length(step) == 1) return(pick(1))
  classes <- lapply(seq_along(step), pick)
  names(classes) <- step
  as.data.frame(classes, optional = TRUE)
}

# Calibrated probabilities. Of more than two classes each is calibrated against the rest, and their sum is then made
# 1.
path_predict_calibrated <- function(scores, models) {
  p <- Map(function(score, model) {
    line <- model$calibration
    score[] <- stats::plogis(rep(line[1, ], each = nrow(score)) + score * rep(line[2, ], each = nrow(score)))
    score
  }, scores, models)
  if (length(p) == 1) return(p)
  total <- Reduce(`+`, p)
  lapply(p, function(value) value / total)
}

# What is asked for: NULL, or list(se.fit, interval, level).
path_predict_asked_errors <- function(object, se.fit, interval, level, type, call) {
  se.fit <- check_flag(se.fit %||% FALSE, "se.fit", call)
  # conformal intervals are made before, see predict.transfer_path()
  interval <- check_choice(interval %||% "none", c("none", "confidence", "prediction", "conformal"), "interval", call)
  if (!se.fit && interval == "none") return(NULL)
  if (!type %in% c("link", "response", if (interval == "none") "terms")) {
    abort_input("{.arg type} is {.val {type}}, and {if (interval == 'none') 'standard errors are' else 'an interval is'}
                 asked for.", "type", i = "Give {.val link} or {.val response}.", call = call)
  }
  if (interval == "prediction" && (object$family != "gaussian" || object$link != "identity")) {
    abort_input("{.arg interval} is {.val prediction}, and the response is not Gaussian.", "interval",
                i = "Give {.val confidence}, the interval of the expected response: prediction intervals are for
                     Gaussian responses.", call = call)
  }
  list(se.fit = se.fit, interval = interval, level = check_share(level, "level", call))
}

# Predictions in the form of predict.lm(), predict.glm() and predict.coxph(). A limit on the scale of the response is
# that of the linear predictor, transformed; its standard error is by the delta method.
path_predict_with_errors <- function(scores, errors, type, object, newdata, na.action, call) {
  to <- function(eta) if (type == "link") eta else as.vector(path_predict_fitted_scale(list(as.matrix(eta)),
                                                                                       object)[[1]])
  eta <- as.vector(scores[[1]])
  fit <- to(eta)
  slope <- if (type == "link") 1 else switch(object$link, logit = fit * (1 - fit), log = fit, 1)
  se <- errors$se * slope
  if (errors$interval != "none") {
    wide <- if (errors$interval == "prediction") sqrt(errors$se^2 + errors$sigma^2) else errors$se
    half <- wide * stats::qt((1 + errors$level) / 2, errors$df)
    fit <- cbind(fit = fit, lwr = to(eta - half), upr = to(eta + half))
  }
  shaped <- function(value) path_predict_treat_missing(labels_set_row_names(value, labels_of_rows(newdata)), na.action,
                                                       call)
  if (!errors$se.fit) return(shaped(fit))
  c(list(fit = shaped(fit), se.fit = shaped(se)), if (object$link == "identity") list(df = errors$df),
    if (object$family != "cox") list(residual.scale = errors$sigma))
}

# predict() without new rows: the fitted values, as linear predictors where these are wanted. plain: is the default
# model meant, and nothing else asked for?
path_predict_training <- function(object, type, plain, call) {
  known <- c("response", "link", if (identical(object$link, "logit") && is.null(dim(object$fitted))) "class")
  fitted <- if (plain && type %in% known && !is.null(object$fitted)) stats::fitted(object)
  if (is.null(fitted) || type == "link" && !is.null(dim(fitted))) {
    abort_missing("newdata", if (is.null(object$fitted)) "Give new rows: a fit to moments has no rows of its own." else
      "Give the rows again: a fit keeps no training rows, only the {.fn fitted} values of its default model.", call)
  }
  if (type == "response") return(fitted)
  link <- switch(object$link, logit = stats::qlogis(fitted), log = log(fitted), fitted)
  if (type == "class") path_predict_classes(list(matrix(link)), object, object$best) else link
}

# Predictions after na.action, as in predict.lm(): rows with a missing value are NA (na.pass), left out (na.omit,
# na.exclude) or an error (na.fail).
path_predict_treat_missing <- function(predicted, na.action, call) {
  if (identical(na.action, stats::na.pass) || is.null(na.action)) return(predicted)
  action <- if (is.function(na.action)) na.action else {
    check_choice(sub("^.*::", "", na.action), c("na.pass", "na.exclude", "na.omit", "na.fail"), "na.action", call)
  }
  if (is.function(action)) {
    known <- list(na.pass = stats::na.pass, na.exclude = stats::na.exclude, na.omit = stats::na.omit,
                  na.fail = stats::na.fail)
    action <- names(Filter(function(one) identical(one, action), known))
    if (!length(action)) {
      abort_input("{.arg na.action} is a function that is not known here.", "na.action",
                  i = "Give {.code na.pass}, {.code na.exclude}, {.code na.omit} or {.code na.fail}.", call = call)
    }
  }
  if (action == "na.pass") return(predicted)
  lost <- path_predict_missing_rows(predicted)
  if (!any(lost)) return(predicted)
  if (action == "na.fail") {
    abort_input("{sum(lost)} row{?s} of {.arg newdata} {?has/have} a missing value in a column that is used.",
                "newdata", i = "Give all values, or another {.arg na.action}.", call = call)
  }
  if (is.null(dim(predicted))) return(predicted[!lost])
  if (length(dim(predicted)) == 3) predicted[!lost, , , drop = FALSE] else predicted[!lost, , drop = FALSE]
}

path_predict_missing_rows <- function(predicted) {
  if (is.null(dim(predicted))) return(is.na(predicted))
  if (is.data.frame(predicted)) return(Reduce(`|`, lapply(predicted, is.na)))
  apply(is.na(predicted), 1, any)
}

# The response of `newdata` by the formula of a path; NULL if `newdata` lacks some of its variables.
path_predict_response <- function(path, newdata) {
  formula <- path$formula
  if (is.null(formula) || !is.data.frame(newdata) || !all(all.vars(formula[[2]]) %in% names(newdata))) return(NULL)
  env <- environment(formula)
  if (path$family == "cox") env <- list2env(list(Surv = survival::Surv), parent = env) # where survival is not attached
  eval(formula[[2]], newdata, env)
}

# The scores of classes fitted by squares on the scale of classes coded -1 and 1.
path_predict_scores_of_signs <- function(object, score) {
  if (!path_object_has_classes_by_squares(object)) return(score)
  (2 * score - sum(object$coding)) / diff(object$coding)
}

#' @rdname transfer_path
#' @export
predict.transfer_path <- function(object, newdata, sources = NULL, ..., step = NULL, lambda = NULL,
                                  type = NULL, offset = NULL, times = NULL, bound = NULL, se.fit = FALSE,
                                  interval = "none", level = .95, na.action = stats::na.pass) {
  call <- rlang::current_env()
  more <- arguments_of_generic(c(path_model_arguments("path_model", object), "terms"))
  terms <- more$terms
  more$terms <- NULL
  if (rlang::is_string(interval, "conformal")) {
    other <- c(if (!is.null(type) && !identical(type, "response")) "type", if (!is.null(times)) "times",
               if (!isFALSE(se.fit)) "se.fit")
    if (length(other)) {
      abort_input("{.arg {other}} {?is/are} given with {.code interval = \"conformal\"}.", other[1],
                  i = "Leave {cli::qty(other)}{?it/them} out: conformal intervals are of the response.", call = call)
    }
    chosen <- c(list(step = step, lambda = lambda), more)
    return(path_predict_conformal(object, newdata, chosen, list(sources = sources, offset = offset), level,
                                  parent.frame(), call))
  }
  type <- path_predict_check_type(object, type, times, call)
  errors <- path_predict_asked_errors(object, se.fit, interval, level, type, call)
  if (missing(newdata)) newdata <- NULL
  if (type %in% c("coefficients", "nonzero")) {
    models <- rlang::inject(path_model(object, step, lambda, !!!more, call = call))
    return(if (type == "nonzero") path_object_used_terms(object, models) else path_model_coef_shape(models, object))
  }
  if (type == "terms") {
    chosen <- list(step = step, lambda = lambda, more = more)
    contributions <- path_predict_terms(object, newdata, sources, chosen, bound, !is.null(errors), terms,
                                        parent.frame(), call)
    return(if (is.null(errors)) path_predict_treat_missing(contributions, na.action, call) else contributions)
  }
  if (is.null(newdata)) {
    plain <- is.null(c(step, lambda, offset, times)) && !length(more) && is.null(errors)
    return(path_predict_training(object, type, plain, call))
  }
  if (!is.null(offset)) {
    offset <- table_one_column(offset)
    object$offset$given <- response_family_offset(offset, length(offset), call)
    object$blueprint <- frame_formula_terms_without_offsets(object$blueprint)
  }
  found <- path_predict_row_scores(object, newdata, sources, step, lambda, more, bound, call)
  scores <- found$scores
  step <- found$models[[1]]$step
  if (!is.null(errors)) {
    errors <- c(errors, path_predict_score_errors(object, newdata, found$models[[1]], found$domain, bound, call))
    return(path_predict_with_errors(scores, errors, type, object, newdata, na.action, call))
  }
  if (type %in% c("survival", "expected")) {
    return(path_predict_survival(object, step, scores, times, type, newdata, found$domain, call))
  }
  if (type == "prob" && path_object_has_classes_by_squares(object)) {
    if (is.null(found$models[[1]]$calibration)) {
      # cross-validation holds out the models of steps, not those that a word names or that are of another estimator
      abort_input("{.arg type} is {.val prob}, but the scores of the model asked for are not calibrated.", "type",
                  i = "Give {.arg step} as a number, {.val min} or {.val 1se} of a {.fn cv_path} object: only
                       these models have held-out scores to calibrate. {.code type = \"link\"} gives the scores.",
                  call = call)
    }
    scores <- path_predict_calibrated(lapply(scores, path_predict_scores_of_signs, object = object), found$models)
  }
  path_predict_treat_missing(path_predict_as_type(type, scores, object, step, newdata), na.action, call)
}

# The kind of prediction that is asked for, refused if the path cannot give it; where none is named, the default.
path_predict_check_type <- function(object, type, times, call) {
  classes <- !is.null(object$classes)
  type <- type %||% if (object$link == "identity") "response" else "link"
  if (identical(type, "class") && !classes) {
    abort_input("{.arg type} is {.val class}, but the response is numeric.", "type",
                i = "Give {.val response}.", call = call)
  }
  survival <- !is.null(object$baseline)
  known <- c("response", "link", if (classes) c("class", "prob"), if (survival) c("lp", "risk", "expected", "survival"),
             "terms", "coefficients", "nonzero")
  if (!rlang::is_string(type, known)) path_predict_abort_type(type, object, known, call)
  type <- switch(type, lp = "link", risk = "response", type)
  if (type == "prob" && path_object_has_classes_by_squares(object) && is.null(object$calibration)) {
    abort_input("{.arg type} is {.val prob}, but classes fitted by least squares have scores, not probabilities.",
                "type",
                i = "Use {.fn cv_path}, or {.code prob = TRUE} of {.fn greedytl} and {.fn tgreedy}: both calibrate
                     the scores of held-out rows. {.code type = \"link\"} gives the scores.",
                call = call)
  }
  if (!is.null(times) && !type %in% c("survival", "expected")) {
    abort_input("{.arg times} is given, and {.arg type} is {.val {type}}.", "times",
                i = if (survival) "Leave it out, or give {.code type = \"survival\"}." else
                  "Leave it out: this is no Cox model.", call = call)
  }
  type
}

# Scores as what was asked for: classes, scores, or predictions on the scale of fitted() (calibrated
# probabilities are that already); with the names of the rows of new data.
path_predict_as_type <- function(type, scores, object, step, newdata) {
  if (!type %in% c("link", "class") && object$link != "identity") scores <- path_predict_fitted_scale(scores, object)
  predicted <- if (type == "class") path_predict_classes(scores, object, step) else
    path_predict_score_shape(scores, object, step)
  if (inherits(newdata, "transfer_frame")) predicted else labels_set_row_names(predicted, labels_of_rows(newdata))
}

# The scores of a logistic model become the probabilities that fitted() has.
path_predict_fitted_scale <- function(scores, object) {
  if (identical(object$link, "log")) return(lapply(scores, exp))
  if (path_object_is_logistic(object)) path_predict_class_probabilities(scores) else scores
}

# Scores of several classes (one matrix each) become a softmax; of two, log odds, the second one's
# probability. (plogis() drops the shape of a matrix without rows.)
path_predict_class_probabilities <- function(scores) {
  if (length(scores) == 1) return(lapply(scores, function(s) replace(s, TRUE, stats::plogis(s))))
  share <- response_scores_softmax(matrix(unlist(scores, use.names = FALSE), ncol = length(scores)))
  Map(function(s, class) replace(s, TRUE, share[, class]), scores, seq_along(scores))
}

# The models of new rows and their scores: list(models, scores, domain). Where rows have models of their own, by domain,
# `models` are those of the first row.
path_predict_row_scores <- function(object, newdata, sources, step, lambda, more, bound, call) {
  more$domain <- table_one_column(more$domain) # NULL adds nothing
  domain <- if (!inherits(newdata, "transfer_frame")) path_predict_row_domains(object, newdata, more$domain, call)
  distinct <- unique(domain)
  models_of <- function(more) rlang::inject(path_model(object, step, lambda, !!!more, call = call))
  if (length(distinct) < 2L) {
    if (length(distinct)) more$domain <- distinct
    models <- models_of(more)
    scores <- path_predict_score_matrices(object, models, newdata, sources, bound, call)
    return(list(models = models, scores = scores, domain = more$domain))
  }
  each <- lapply(distinct, function(name) models_of(replace(more, "domain", name)))
  scores <- path_predict_score_matrices(object, each, newdata, sources, bound, call, of = match(domain, distinct))
  list(models = each[[1L]], scores = scores, domain = domain)
}

# For each response a matrix of scores, rows x steps. Only columns with a coefficient are looked at, and only sources
# with one are asked. bound: as in predict(); of: NULL, or for each row which one of several `models` is its own.
path_predict_score_matrices <- function(object, models, newdata, sources, bound, call, of = NULL) {
  if (!is.null(sources) && is.null(object$sources)) {
    abort_input("{.arg sources} is given, but the fit has none.", "sources", i = "Leave it out.",
                call = call)
  }
  columns <- path_object_used_columns(if (is.null(of)) models else unlist(models, recursive = FALSE))
  near <- path_predict_design(object, columns, models, newdata, sources, bound, call)
  n <- nrow(near$z)
  framed <- inherits(newdata, "transfer_frame")
  offset <- if (framed) newdata$offset else if (!is.null(object$offset)) frame_bake_offset(object, newdata, n, call)
  score <- function(m, rows) {
    beta <- m$beta[columns, , drop = FALSE]
    z <- if (is.null(rows)) near$z else near$z[rows, , drop = FALSE]
    value <- as.matrix(z %*% beta)
    value + rep(if (is.null(near$level)) m$a0 else m$a0 + as.vector(near$level %*% beta), each = nrow(z))
  }
  if (is.null(of)) {
    return(lapply(models, function(m) {
      value <- score(m, NULL)
      matrix(if (is.null(offset)) value else value + offset, n, length(m$a0))
    }))
  }
  lapply(stats::setNames(nm = names(models[[1L]])), function(response) {
    value <- matrix(0, n, length(models[[1L]][[response]]$a0))
    for (k in seq_along(models)) {
      rows <- which(of == k)
      value[rows, ] <- score(models[[k]][[response]], rows)
    }
    if (is.null(offset)) value else value + offset
  })
}

# Scores as a vector, a matrix (a column for each step, or a class) or an array (rows x classes x steps).
path_predict_score_shape <- function(scores, object, step) {
  many <- path_object_is_multi(object)
  single <- ncol(scores[[1]]) == 1
  if (!many) {
    if (single) return(as.vector(scores[[1]]))
    return(structure(scores[[1]], dimnames = list(NULL, step)))
  }
  n <- nrow(scores[[1]])
  if (single) {
    return(matrix(unlist(scores, use.names = FALSE), n, length(scores), dimnames = list(NULL, names(scores))))
  }
  stack <- array(unlist(scores, use.names = FALSE), c(n, length(step), length(scores)))
  stack <- aperm(stack, c(1, 3, 2))
  dimnames(stack) <- list(NULL, names(scores), step)
  stack
}

# A message about columns that entered whose standard deviation in one domain is far from that in the
# others: that domain then determines the scale and the effect of the column, and predictions for other
# domains may be far off. spread: standard deviations, domains x columns.
FAR_SPREAD <- 20 # times the median: the ratio from which on a message names the column
