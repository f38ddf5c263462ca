# The losses of cross-validation. A new loss is a function below and an entry of cv_loss_table().
#
# A loss is a function(y, score, weights, classes) that returns one number, NA where it is not defined for the rows:
#   y        numbers, or a factor
#   score    what predict(type = "link") gives: one number for each row; with more than two classes a
#            rows x classes matrix
#   weights  one non-negative number for each row
#   classes  levels(y), NULL for numbers

# The losses by name. An entry has the label for print() and plot(), the families of responses, smaller_is_better, and
# the loss; for errors and warnings, where they can occur, `instead` (what to use with other families), `undefined` (why
# the loss of a fold is NA) and `mend` (what to do where it is NA in all folds).
cv_loss_table <- function() {
  every_family <- c("gaussian", "binomial", "multinomial")
  factors <- c("binomial", "multinomial")
  no_classes <- "Use {.code \"mse\"} or {.code \"mae\"}: a numeric response has no classes."
  list(
    mse = list(
      label = "mean squared error", families = every_family,
      smaller_is_better = TRUE, loss = cv_loss_mse
    ),
    mae = list(
      label = "mean absolute error", families = every_family,
      smaller_is_better = TRUE, loss = cv_loss_mae
    ),
    deviance = list(
      label = "deviance", families = "gaussian",
      smaller_is_better = TRUE, loss = cv_loss_mse,
      instead = paste(
        "Use {.code \"class\"}, {.code \"auroc\"} or {.code \"mse\"}: the deviance needs probabilities, which",
        "least-squares scores are not."
      )
    ),
    log_loss = list(
      label = "log loss", families = character(), smaller_is_better = TRUE, loss = cv_loss_log_loss,
      instead = paste(
        "The log loss is of probabilities of classes: those of logistic models and, in {.fn compare_paths}, those of",
        "fits with {.code prob = TRUE}."
      )
    ),
    class = list(
      label = "misclassification error", families = factors,
      smaller_is_better = TRUE, loss = cv_loss_class,
      instead = no_classes
    ),
    balanced = list(
      label = "balanced misclassification error", families = factors,
      smaller_is_better = TRUE, loss = cv_loss_balanced,
      instead = no_classes
    ),
    auroc = list(
      label = "area under the ROC curve", families = factors,
      smaller_is_better = FALSE, loss = cv_loss_auroc,
      instead = no_classes,
      undefined = "it holds one class only, which has no ROC curve",
      mend = "Use fewer folds, so that each holds several classes, or {.code loss = \"class\"}."
    )
  )
}

# The entry of the table for the argument `loss` (NULL: the default of the family), with its name. logistic: are the
# scores of classes those of a logistic model?
cv_loss_find <- function(loss, family, call, logistic = FALSE) {
  if (is.function(loss)) return(cv_loss_of_user(loss, call))
  if (family %in% names(FAMILY_LOSSES)) return(cv_loss_of_family(loss, family, call))
  loss <- if (is.null(loss)) if (family == "gaussian") "mse" else "class" else cv_loss_check(loss, call)
  entry <- cv_loss_table()[[loss]]
  if (family != "gaussian" && logistic) entry <- cv_loss_logistic_entry(loss, entry, call)
  if (!family %in% entry$families) {
    kind <- if (family == "gaussian") "a numeric response" else "a factor"
    abort_input("{.arg loss} is {.val {loss}}, which does not apply to {kind}.", "loss", i = entry$instead, call = call)
  }
  c(list(name = loss), entry)
}

cv_loss_better_words <- function(smaller) if (smaller) "smaller is better" else "larger is better"

# The entry for a loss of the user's, a function(y, prediction, weights); smaller is better.
cv_loss_of_user <- function(loss, call) {
  if (length(formals(args(loss))) < 3 && !"..." %in% names(formals(args(loss)))) {
    abort_input("{.arg loss} is a function of {length(formals(args(loss)))} argument{?s}.", "loss",
                i = "Give a function of the response, the prediction and the weights of the held-out rows.",
                call = call)
  }
  list(name = "own", label = OWN_LOSS, families = NULL, smaller_is_better = TRUE,
       undefined = "the function given as `loss` returned no finite number",
       mend = "Give a function that returns a finite number for the held-out rows.",
       loss = function(y, score, weights, classes) {
         value <- tryCatch(loss(y, score, weights), error = function(error) {
           if (inherits(error, "transelect_error")) rlang::cnd_signal(error)
           abort_input("{.arg loss} failed: {conditionMessage(error)}", "loss",
                       i = "Give a function that returns one number for the held-out rows.", call = call)
         })
         if (is.numeric(value) && length(value) == 1) return(as.numeric(value))
         abort_input("{.arg loss} returned {.obj_type_friendly {value}} of length {length(value)}.", "loss",
                     i = "Give a function that returns one number for the held-out rows.", call = call)
       })
}

OWN_LOSS <- "loss of the function given"

# The label and the direction of the loss with this name, for print() and pictures.
cv_loss_named <- function(name) {
  switch(name,
    own = list(label = OWN_LOSS, smaller_is_better = TRUE),
    concordance = list(label = "concordance", smaller_is_better = FALSE),
    cv_loss_table()[[name]]
  )
}

cv_loss_check <- function(loss, call) {
  known <- names(cv_loss_table())
  if (!rlang::is_string(loss, known)) {
    abort_value(loss, "loss",
                "Give one of {.or {.val {known}}}, or a function of response, prediction and weights.", call)
  }
  loss
}

# The entry for scores of a logistic model: log odds of two classes; of more classes, logarithms of the probabilities
# plus a constant in each row.
cv_loss_logistic_entry <- function(loss, entry, call) {
  if (loss %in% c("mse", "mae")) {
    abort_input("{.arg loss} is {.val {loss}}, which does not apply to the classes of a logistic model.", "loss",
                i = "Give {.code \"deviance\"} or {.code \"class\"}: its scores are log odds, not near -1 and +1.",
                call = call)
  }
  changes <- list(
    deviance = list(families = c("binomial", "multinomial"), loss = cv_loss_log),
    log_loss = list(families = c("binomial", "multinomial")),
    auroc = list(loss = cv_loss_auroc_logistic)
  )
  utils::modifyList(entry, changes[[loss]] %||% list())
}

cv_loss_mse <- function(y, score, weights, classes) {
  response_weights_mean((response_coded(y) - score)^2, weights)
}

cv_loss_mae <- function(y, score, weights, classes) {
  response_weights_mean(abs(response_coded(y) - score), weights)
}

# The mean of minus the log probability of the true class, and twice it.
cv_loss_log_loss <- function(y, score, weights, classes) response_scores_log_loss(y, score, weights)

cv_loss_log <- function(y, score, weights, classes) 2 * cv_loss_log_loss(y, score, weights)

cv_loss_class <- function(y, score, weights, classes) {
  response_weights_mean(as.integer(y) != response_scores_class(score), weights)
}

# The mean, over the classes that the rows have, of the share of a class's rows that get another class.
cv_loss_balanced <- function(y, score, weights, classes) {
  wrong <- as.integer(y) != response_scores_class(score)
  by_class <- tapply(weights * wrong, y, sum) / tapply(weights, y, sum)
  cv_loss_mean_or_na(by_class[!is.na(by_class)])
}

cv_loss_auroc <- function(y, score, weights, classes) {
  if (length(classes) == 2) return(cv_loss_area_under_curve(as.integer(y) == 2L, score, weights))
  by_class <- vapply(seq_along(classes), function(class) {
    cv_loss_area_under_curve(as.integer(y) == class, score[, class], weights)
  }, numeric(1))
  cv_loss_mean_or_na(by_class)
}

# The mean AUROC of one class against all others. Rows are ranked by the log odds of the class, in which the constant of
# a row cancels.
cv_loss_auroc_logistic <- function(y, score, weights, classes) {
  if (is.matrix(score)) {
    score <- vapply(seq_along(classes), function(class) {
      score[, class] - response_scores_log_sum_exp(score[, -class, drop = FALSE])
    }, numeric(length(y)))
    score <- matrix(score, length(y))
  }
  cv_loss_auroc(y, score, weights, classes)
}

cv_loss_mean_or_na <- function(value) {
  if (all(is.na(value))) NA_real_ else mean(value, na.rm = TRUE)
}

# The weight of the pairs (positive, negative) in the right order, ties counting one half, divided by the weight of all
# pairs. One sort suffices: the rows with one score are a group, and groups are gone through in ascending order.
cv_loss_area_under_curve <- function(positive, score, weights) {
  if (anyNA(score)) return(NA_real_)
  group <- match(score, sort(unique(score)))
  up <- rowsum(weights * positive, group)[, 1]
  down <- rowsum(weights * !positive, group)[, 1]
  if (sum(up) == 0 || sum(down) == 0) return(NA_real_)
  sum(up * (cumsum(down) - down / 2)) / (sum(up) * sum(down))
}

# The kind of a frame's response, by which losses are chosen.
cv_loss_response_kind <- function(frame) {
  family <- response_family_of_frame(frame)
  if (family == "binomial" && !is.factor(frame$y)) "totals" else family
}

# Could these numbers be shares of successes, or successes and failures, for which tlcp() may have a likelihood?
cv_loss_maybe_shares <- function(y) min(y) >= 0 && if (is.matrix(y)) ncol(y) == 2 else max(y) <= 1

# Their scores are linear predictors, offsets included. Two classes have the losses above.

# The losses by kind of response; the first is the default. "totals": successes out of totals.
FAMILY_LOSSES <- list(poisson = c("deviance", "mse", "mae"), totals = "deviance",
                      cox = c("deviance", "concordance"))

cv_loss_of_family <- function(loss, family, call) {
  known <- FAMILY_LOSSES[[family]]
  loss <- loss %||% known[1]
  if (!rlang::is_string(loss, known)) abort_value(loss, "loss", "Give {.or {.val {known}}} for this response.", call)
  label <- c(deviance = if (family == "cox") "minus twice the log partial likelihood per event" else
               "deviance", mse = "mean squared error", mae = "mean absolute error",
             concordance = "concordance")
  list(name = loss, label = label[[loss]], families = family,
       smaller_is_better = loss != "concordance",
       together = family == "cox" && loss == "deviance", # a loss of held-out rows together with the training rows
       loss = get(paste0("cv_loss_", family, "_", loss), mode = "function"),
       undefined = "it holds no events that could be compared",
       mend = "Use fewer folds, so that each holds events.")
}

cv_loss_poisson_deviance <- function(y, score, weights, classes) {
  response_weights_mean(2 * (likelihood_entropy(y) - y * score - y + exp(score)), weights)
}

cv_loss_poisson_mse <- function(y, score, weights, classes) response_weights_mean((y - exp(score))^2, weights)

cv_loss_poisson_mae <- function(y, score, weights, classes) response_weights_mean(abs(y - exp(score)), weights)

cv_loss_totals_deviance <- function(y, score, weights, classes) {
  total <- if (is.matrix(y)) rowSums(y) else 1
  share <- if (is.matrix(y)) ifelse(total > 0, y[, 1] / total, 0) else y
  value <- likelihood_entropy(share) + likelihood_entropy(1 - share) - share * score + likelihood_log1p_exp(score)
  response_weights_mean(2 * total * value, weights)
}

cv_loss_cox_deviance <- function(y, score, weights, classes) {
  risk <- response_family_surv_risk(y, attr(y, "strata"))
  if (anyNA(score) || !risk$events) return(NA_real_)
  -2 * cox_log_lik(risk, weights, score) / sum(weights[risk$dead])
}

cv_loss_cox_concordance <- function(y, score, weights, classes) cv_loss_concordance(y, score, weights)[[1]]

# Harrell's concordance, with its standard error by the infinitesimal jackknife over rows or clusters.
cv_loss_concordance <- function(y, score, weights, cluster = NULL) {
  if (anyNA(score)) return(c(NA_real_, NA_real_))
  stratum <- attr(y, "strata") # only rows of one stratum are compared
  strata <- survival::strata
  model <- if (is.null(stratum)) y ~ score else y ~ score + strata(stratum)
  estimate <- if (is.null(cluster)) survival::concordance(model, weights = weights, reverse = TRUE) else
    survival::concordance(model, weights = weights, cluster = cluster, reverse = TRUE)
  value <- unname(estimate$concordance)
  if (!is.finite(value)) c(NA_real_, NA_real_) else c(value, sqrt(estimate$var))
}
