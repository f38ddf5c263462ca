# What only some predictions need: survival, classes, calibrated probabilities, sources.

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
    link = scores, lp = scores, risk = "hazard ratio", expected = "expected number of events", class = "class",
    survival = "probability of living beyond `times`", prob = "probability",
    coefficients = "as coef()", nonzero = "as variable.names()"
  )
  listed <- paste0('"', known, '" (', gives[known], ")")
  abort_input("{.arg type} is {.val {type}}.", "type",
              i = paste0("Give ", paste(listed[-length(listed)], collapse = ", "), " or ",
                         listed[length(listed)], "."), call = call)
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

# By the target's baseline hazard: probabilities of surviving beyond `times`, or the expected number of events until
# then, rows x times; without `times` at the times of the rows themselves, a vector, as in predict.coxph().
survival_at <- function(object, step, scores, times, type, newdata, domain, call) {
  others <- c(if (anyNA(domain)) "unknown", setdiff(domain[!match_names(domain, object$target) %in% 1L], NA))
  if (length(others)) {
    abort_input("{.arg domain} is {.val {utils::head(others, 5)}}, and {.arg type} is {.val {type}}.", "domain",
                i = "Only the baseline of the target is kept. {.code domain = \"{object$target}\"} predicts all rows as
                     rows of the target.", call = call)
  }
  refuse_several(length(step), "step", call)
  base <- object$baseline
  if (!is.null(base$strata)) {
    abort_input("The Cox model has strata, each with a baseline of its own.", "type",
                i = "Give another {.arg type}: {.val {type}} is for models without strata.", call = call)
  }
  hazard <- function(at) c(0, base$hazard[, step + 1])[findInterval(at, base$time) + 1]
  risk <- drop(exp(scores[[1]]))
  shown <- function(expected) if (type == "expected") expected else exp(-expected)
  if (is.null(times)) {
    own <- response_in(object, newdata)
    if (!inherits(own, "Surv")) {
      abort_missing("times", "Give the times at which {.arg type} is wanted, or rows of {.arg newdata} with theirs.",
                    call)
    }
    plain <- unclass(own)
    counting <- attr(own, "type") == "counting"
    until <- hazard(plain[, if (counting) "stop" else "time"])
    return(with_row_names(shown(risk * if (counting) until - hazard(plain[, "start"]) else until), row_labels(newdata)))
  }
  times <- check_numbers(times, "times", function(v) v >= 0, "Give the times at which survival is wanted.", call)
  structure(shown(outer(risk, hazard(times))), dimnames = list(NULL, times))
}

# The class of each score; a tie goes to the lower level.
score_classes <- function(scores, object, step) {
  levels <- object$classes
  pick <- function(k) {
    one <- if (object$family == "binomial") scores[[1]][, k] else
      matrix(unlist(lapply(scores, function(s) s[, k]), use.names = FALSE), ncol = length(levels))
    factor(levels[predicted_class(one)], levels = levels, ordered = isTRUE(object$ordered))
  }
  if (length(step) == 1) return(pick(1))
  out <- lapply(seq_along(step), pick)
  names(out) <- step
  as.data.frame(out, optional = TRUE)
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

# ---- standard errors of predictions and intervals ----------------------------------------------------

# What is asked for: NULL, or list(se.fit, interval, level).
asked_errors <- function(object, se.fit, interval, level, type, call) {
  se.fit <- check_flag(se.fit %||% FALSE, "se.fit", call)
  interval <- check_choice(interval %||% "none", c("none", "confidence", "prediction"), "interval", call)
  if (!se.fit && interval == "none") return(NULL)
  if (!type %in% c("link", "response")) {
    abort_input("{.arg type} is {.val {type}}, and standard errors or an interval are asked for.", "type",
                i = "Give {.val link} or {.val response}.", call = call)
  }
  if (interval == "prediction" && (object$family != "gaussian" || object$link != "identity")) {
    abort_input("{.arg interval} is {.val prediction}, and the response is not Gaussian.", "interval",
                i = "Give {.val confidence}: the interval of the expected response. A new response of this family is no
                     number with an interval around it.", call = call)
  }
  list(se.fit = se.fit, interval = interval, level = check_share(level, "level", call))
}

# list(se, df, sigma): standard errors of the linear predictor of new rows, their degrees of freedom, and the residual
# standard deviation. domain: that of the rows, see row_scores().
score_errors <- function(object, newdata, step, domain, call) UseMethod("score_errors")

#' @export
score_errors.transfer_path <- function(object, newdata, step, domain, call) {
  abort_input("Predictions of a {.fn {class(object)[1]}} fit have no standard errors.", "se.fit",
              i = "The same rows choose the columns, and no formula takes that into account.
                   {.code interval = \"conformal\"} gives intervals of new responses by refits,
                   {.fn selection_frequency} how often a column is chosen again, and {.code tlcp(select = FALSE)}
                   standard errors for columns decided on beforehand.", call = call)
}

# Predictions in the form of predict.lm(), predict.glm() and predict.coxph(). A limit on the scale of the response is
# that of the linear predictor, transformed; its standard error is by the delta method.
with_errors <- function(scores, errors, type, object, newdata, na.action, call) {
  to <- function(eta) if (type == "link") eta else as.vector(fitted_scale(list(as.matrix(eta)), object)[[1]])
  eta <- as.vector(scores[[1]])
  fit <- to(eta)
  slope <- if (type == "link") 1 else switch(object$link, logit = fit * (1 - fit), log = fit, 1)
  se <- errors$se * slope
  if (errors$interval != "none") {
    wide <- if (errors$interval == "prediction") sqrt(errors$se^2 + errors$sigma^2) else errors$se
    half <- wide * stats::qt((1 + errors$level) / 2, errors$df)
    fit <- cbind(fit = fit, lwr = to(eta - half), upr = to(eta + half))
  }
  shaped <- function(value) treat_missing(with_row_names(value, row_labels(newdata)), na.action, call)
  if (!errors$se.fit) return(shaped(fit))
  c(list(fit = shaped(fit), se.fit = shaped(se)), if (object$link == "identity") list(df = errors$df),
    if (object$family != "cox") list(residual.scale = errors$sigma))
}

# predict() without new rows: the fitted values, as linear predictors where these are wanted. plain: is the default model
# meant, and nothing else asked for?
predicted_training <- function(object, type, plain, call) {
  fitted <- if (plain && type %in% c("response", "link") && !is.null(object$fitted)) stats::fitted(object)
  if (is.null(fitted) || type == "link" && !is.null(dim(fitted))) {
    abort_missing("newdata", if (is.null(object$fitted)) "Give new rows: a fit to moments has no rows of its own." else
      "Give the rows again: a fit keeps no training rows, only the {.fn fitted} values of its default model.", call)
  }
  if (type == "response") return(fitted)
  switch(object$link, logit = stats::qlogis(fitted), log = log(fitted), fitted)
}

# Predictions after na.action, as in predict.lm(): rows with a missing value are NA (na.pass), left out (na.omit,
# na.exclude) or an error (na.fail).
treat_missing <- function(out, na.action, call) {
  if (identical(na.action, stats::na.pass) || is.null(na.action)) return(out)
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
  if (action == "na.pass") return(out)
  lost <- missing_rows(out)
  if (!any(lost)) return(out)
  if (action == "na.fail") {
    abort_input("{sum(lost)} row{?s} of {.arg newdata} {?has/have} a missing value in a column that is used.",
                "newdata", i = "Give all values, or another {.arg na.action}.", call = call)
  }
  if (is.null(dim(out))) out[!lost] else if (length(dim(out)) == 3) out[!lost, , , drop = FALSE] else
    out[!lost, , drop = FALSE]
}

missing_rows <- function(out) {
  if (is.null(dim(out))) return(is.na(out))
  if (is.data.frame(out)) return(Reduce(`|`, lapply(out, is.na)))
  apply(is.na(out), 1, any)
}
