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
    link = scores, class = "class", survival = "probability of living beyond `times`", prob = "probability",
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

# Probabilities of surviving beyond `times`, rows x times, by the target's baseline hazard.
survival_at <- function(object, models, scores, times, call, domain = NULL) {
  if (!is.null(domain) && !identical(match_names(domain, object$target), 1L)) {
    abort_input("{.arg domain} is {.val {domain}}, and {.arg type} is {.val survival}.", "domain",
                i = "Leave {.arg domain} out: only the baseline of the target is kept.", call = call)
  }
  step <- models[[1]]$step
  refuse_several(length(step), "step", call)
  times <- check_numbers(times, "times", function(v) v >= 0, "Give the times at which survival is wanted.", call)
  base <- object$baseline
  if (!is.null(base$strata)) {
    abort_input("The Cox model has strata, each with a baseline of its own.", "type",
                i = "Give another {.arg type}: {.val survival} is for models without strata.", call = call)
  }
  at <- findInterval(times, base$time)
  hazard <- c(0, base$hazard[, step + 1])[at + 1]
  structure(exp(-outer(drop(exp(scores[[1]])), hazard)), dimnames = list(NULL, times))
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

# Refuses standard errors of predictions and intervals, which no formula gives after a selection.
refuse_prediction_errors <- function(object, se.fit, interval, call) {
  mend <- paste0("Leave it out: predictions have no standard errors, as the same rows choose the columns. For columns ",
                 "decided on beforehand, by {.code tlcp(select = FALSE)}, see {.code ?transfer_path}.")
  refuse_generic(se.fit, "se.fit", list(FALSE, NULL), mend, call)
  refuse_generic(interval, "interval", list("none", NULL), mend, call)
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
