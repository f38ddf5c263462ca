# The losses of cross-validation. A new one is one function below and one entry in loss_table().
#
# Every loss is function(y, score, weights, classes) and returns one number, NA where the rows do
# not define it:
#   y        numbers, or a factor
#   score    what predict(type = "link") gives: one number for each row; with more than two classes a
#            rows x classes matrix
#   weights  one non-negative number for each row
#   classes  levels(y), NULL for numbers

# Entries: label for print and plot; families it applies to; smaller_is_better; loss; and, where
# they can be needed, instead (what to use with other families), undefined (why a fold is NA) and mend
# (what to do where every fold is).
loss_table <- function() {
  every_family <- c("gaussian", "binomial", "multinomial")
  factors <- c("binomial", "multinomial")
  no_classes <- "Use {.code \"mse\"} or {.code \"mae\"}: a numeric response has no classes."
  list(
    mse = list(
      label = "mean squared error", families = every_family,
      smaller_is_better = TRUE, loss = loss_mse
    ),
    mae = list(
      label = "mean absolute error", families = every_family,
      smaller_is_better = TRUE, loss = loss_mae
    ),
    deviance = list(
      label = "deviance", families = "gaussian",
      smaller_is_better = TRUE, loss = loss_mse,
      instead = paste(
        "Use {.code \"class\"}, {.code \"auroc\"} or {.code \"mse\"}: the deviance needs probabilities, which",
        "least-squares scores are not."
      )
    ),
    class = list(
      label = "misclassification error", families = factors,
      smaller_is_better = TRUE, loss = loss_class,
      instead = no_classes
    ),
    balanced = list(
      label = "balanced misclassification error", families = factors,
      smaller_is_better = TRUE, loss = loss_balanced,
      instead = no_classes
    ),
    auroc = list(
      label = "area under the ROC curve", families = factors,
      smaller_is_better = FALSE, loss = loss_auroc,
      instead = no_classes,
      undefined = "it holds one class only, which has no ROC curve",
      mend = "Use fewer folds, so that each holds several classes, or {.code loss = \"class\"}."
    )
  )
}

# The entry of the table a user asks for (NULL: the default of the family), with its name.
# `logistic`: are the scores of classes those of a logistic model?
find_loss <- function(loss, family, call, logistic = FALSE) {
  if (is.function(loss)) return(own_loss(loss, call))
  if (family %in% names(FAMILY_LOSSES)) return(family_loss(loss, family, call))
  loss <- check_loss(loss %||% if (family == "gaussian") "mse" else "class", call)
  entry <- loss_table()[[loss]]
  if (family != "gaussian" && logistic) entry <- logistic_entry(loss, entry, call)
  if (!family %in% entry$families) {
    kind <- if (family == "gaussian") "a numeric response" else "a factor"
    abort_input("{.arg loss} is {.val {loss}}, which does not apply to {kind}.", "loss", i = entry$instead, call = call)
  }
  c(list(name = loss), entry)
}

better_words <- function(smaller) if (smaller) "smaller is better" else "larger is better"

# A loss of the user's: function(y, prediction, weights), smaller is better.
own_loss <- function(loss, call) {
  if (length(formals(args(loss))) < 3 && !"..." %in% names(formals(args(loss)))) {
    abort_input("{.arg loss} is a function of {length(formals(args(loss)))} argument{?s}.", "loss",
                i = "Give a function of the response, the prediction and the weights of the rows held out.",
                call = call)
  }
  list(name = "own", label = OWN_LOSS, families = NULL, smaller_is_better = TRUE,
       undefined = "the function given as `loss` returned no finite number",
       mend = "Give a function that returns a finite number for the rows held out.",
       loss = function(y, score, weights, classes) {
         value <- loss(y, score, weights)
         if (is.numeric(value) && length(value) == 1) return(as.numeric(value))
         abort_input("{.arg loss} returned {.obj_type_friendly {value}} of length {length(value)}.", "loss",
                     i = "Give a function that returns one number for the rows held out.", call = call)
       })
}

OWN_LOSS <- "loss of the function given"

# What print and pictures say of the loss that a cross-validation names.
loss_named <- function(name) {
  switch(name,
    own = list(label = OWN_LOSS, smaller_is_better = TRUE),
    concordance = list(label = "concordance", smaller_is_better = FALSE),
    loss_table()[[name]]
  )
}

check_loss <- function(loss, call) {
  known <- names(loss_table())
  if (!rlang::is_string(loss, known)) {
    abort_value(loss, "loss",
                "Give one of {.or {.val {known}}}, or a function of response, prediction and weights.", call)
  }
  loss
}

# The entry for scores of a logistic model: log odds for two classes; for more, logarithms of the
# probabilities up to a constant a row.
logistic_entry <- function(loss, entry, call) {
  if (loss %in% c("mse", "mae")) {
    abort_input("{.arg loss} is {.val {loss}}, which does not apply to the classes of a logistic model.", "loss",
                i = "Give {.code \"deviance\"} or {.code \"class\"}: its scores are log odds, not near -1 and +1.",
                call = call)
  }
  own <- list(
    deviance = list(families = c("binomial", "multinomial"), loss = loss_log),
    auroc = list(loss = loss_auroc_logistic)
  )
  utils::modifyList(entry, own[[loss]] %||% list())
}

loss_mse <- function(y, score, weights, classes) {
  mean_by_weight((coded_response(y) - score)^2, weights)
}

loss_mae <- function(y, score, weights, classes) {
  mean_by_weight(abs(coded_response(y) - score), weights)
}

# Twice the mean of -log of the probability of the true class.
loss_log <- function(y, score, weights, classes) {
  if (length(classes) == 2) score <- cbind(0, score)
  own <- score[cbind(seq_along(y), as.integer(y))]
  2 * mean_by_weight(log_sum_exp(score) - own, weights)
}

loss_class <- function(y, score, weights, classes) {
  mean_by_weight(as.integer(y) != predicted_class(score), weights)
}

# The classes present count the same, whatever their sizes.
loss_balanced <- function(y, score, weights, classes) {
  wrong <- as.integer(y) != predicted_class(score)
  by_class <- tapply(weights * wrong, y, sum) / tapply(weights, y, sum)
  mean_or_na(by_class[!is.na(by_class)])
}

loss_auroc <- function(y, score, weights, classes) {
  if (length(classes) == 2) return(auroc(as.integer(y) == 2L, score, weights))
  by_class <- vapply(seq_along(classes), function(class) {
    auroc(as.integer(y) == class, score[, class], weights)
  }, numeric(1))
  mean_or_na(by_class)
}

# Rows are ranked by the log odds of a class against all others, on which the constant of a row has no effect.
loss_auroc_logistic <- function(y, score, weights, classes) {
  if (is.matrix(score)) {
    score <- vapply(seq_along(classes), function(class) {
      score[, class] - log_sum_exp(score[, -class, drop = FALSE])
    }, numeric(length(y)))
    score <- matrix(score, length(y))
  }
  loss_auroc(y, score, weights, classes)
}

mean_or_na <- function(value) {
  if (all(is.na(value))) NA_real_ else mean(value, na.rm = TRUE)
}

# Weight of the pairs (positive, negative) in the right order, ties counting one half, over the
# weight of all pairs: by tie groups in ascending order, so one sort does.
auroc <- function(positive, score, weights) {
  if (anyNA(score)) return(NA_real_)
  group <- match(score, sort(unique(score)))
  up <- rowsum(weights * positive, group)[, 1]
  down <- rowsum(weights * !positive, group)[, 1]
  if (sum(up) == 0 || sum(down) == 0) return(NA_real_)
  sum(up * (cumsum(down) - down / 2)) / (sum(up) * sum(down))
}

# The kind of a frame's response.
loss_family <- function(frame) {
  family <- frame_family(frame)
  if (family == "binomial" && !is.factor(frame$y)) "totals" else family
}
