# print() and summary() of a cross-validation.

#' @export
print.transfer_cv <- function(x, digits = 3, ...) {
  description_print(x, list(head = cv_print_header(x), tables = list(description_table(cv_print_choices(x, digits))),
                            foot = cv_print_rule_lines(x, digits)), digits)
}

# What the standard errors are, which rule chooses "1se", and what verbs take.
cv_print_rule_lines <- function(x, digits) {
  within <- x$cvwithin[[x$index[["min"]]]]
  same <- names(x$index)[match(x$index[["default"]], x$index)]
  c(
    cv_summary_corrected_note(nrow(x$fold_loss)),
    if (!is.na(within)) {
      paste0("\"1se\": within ", signif(within, digits), " of the best, one standard error without levels of folds")
    },
    if (same != "1se") {
      paste0("predict() and coef() take step ", x$step.default, ": ",
             if (same == "min") "\"min\"" else "the choice of the method itself")
    }
  )
}

#' Summarise a cross-validation
#'
#' Shows which steps a [cv_path()] object chooses, with their losses, the loss at each step, and the loss in each fold.
#' Use it to see whether the choice hangs on a few folds: `summary(cv)`. For a data frame of the losses use
#' [tidy()][tidy.transfer_cv], and for predictions [predict()][predict.transfer_cv].
#'
#' @param object,x `object`: a [cv_path()] object. `x`: its summary.
#' @param digits Significant digits of losses.
#' @param ... Not used.
#' @return An object of class `summary.transfer_cv`, a list of `header` (lines of text), `choices` (data frame:
#'   `choice`, `step`, `lambda` if there are several, `columns`, `loss`, `std.error`, `corrected`), `rule` (lines of
#'   text on standard errors and choice), `curve` (the data frame of
#'   [tidy()][tidy.transfer_cv] at the chosen `lambda`), `folds` (data frame: `fold`, `rows`, `weight`, and the loss of
#'   the fold at `"min"` and `"1se"`), and `columns` (names of the columns in the model at `"1se"`). `print()` returns
#'   it invisibly.
#' @references Hastie, Tibshirani & Friedman (2009), *The Elements of Statistical Learning*, 2nd
#'   edition, section 7.10.
#' @seealso [cv_path()]
#' @examples
#' set.seed(1)
#' x <- matrix(rnorm(60 * 30), 60, dimnames = list(NULL, paste0("x", 1:30)))
#' y <- x[, 1] - x[, 2] + rnorm(60)
#' summary(cv_path(x, y, max_steps = 10, nfolds = 5))
#' @export
summary.transfer_cv <- function(object, digits = 3, ...) {
  arguments_of_generic()
  digits <- check_digits(digits, rlang::current_env())
  curve <- cv_object_curve(object)
  folds <- object$folds
  folds$min <- object$fold_loss[, object$index[["min"]]]
  folds[["1se"]] <- object$fold_loss[, object$index[["1se"]]]
  structure(list(
    header = cv_print_header(object), choices = cv_print_choices(object, digits),
    rule = cv_print_rule_lines(object, digits), curve = curve[curve$lambda %in% object$lambda, , drop = FALSE],
    folds = folds,
    columns = stats::variable.names(
      object$fit, step = object$step.1se, lambda = cv_object_lambda(object)
    ),
    digits = digits
  ), class = "summary.transfer_cv")
}

#' @rdname summary.transfer_cv
#' @export
print.summary.transfer_cv <- function(x, ...) {
  folds <- x$folds
  if (all(utils::head(folds$weight == folds$rows, 12))) folds$weight <- NULL
  shown <- utils::head(x$columns, 60)
  more <- length(x$columns) - length(shown)
  text <- paste(c(shown, if (more > 0) paste("... and", more, "more")), collapse = ", ")
  description_print(x, list(
    head = x$header,
    tables = list(description_table(x$choices), description_table(folds, 12, "\nLoss by fold:\n", "folds")),
    foot = c(x$rule, paste("\nColumns at step \"1se\":", if (!length(shown)) "none"),
             if (length(shown)) strwrap(text, indent = 2, exdent = 2))
  ), x$digits)
}

cv_print_header <- function(x) {
  loss <- cv_loss_named(x$loss)
  c(
    paste0(
      "Cross-validation of ", path_refit_method(x$fit), ": ", nrow(x$folds), " folds, ",
      path_print_rows(x$fit), tell_lost_domains(x$fit$left_out$domains)
    ),
    paste0("Loss: ", loss$label, " (", cv_loss_better_words(loss$smaller_is_better), ")")
  )
}

# A table with a row for "min", "1se", the default if it is another step, and the average at the chosen lambda.
cv_print_choices <- function(x, digits) {
  chosen <- x$index[c("min", "1se", if (!x$index[["default"]] %in% x$index[c("min", "1se")]) "default")]
  average <- cv_object_average(x)
  rows <- data.frame(choice = names(chosen), step = x$points$step[chosen], lambda = x$lambda,
                     columns = x$nzero[chosen],
                     loss = x$cvm[chosen], std.error = x$cvsd[chosen],
                     corrected = cv_summary_corrected_se(x$cvsd[chosen], nrow(x$fold_loss)))
  if (!is.null(average)) {
    # the average may be over several ridges, whose paths need not have the same columns
    model <- path_model(x$fit, "average", cv_object_lambda(x))
    rows <- rbind(rows, data.frame(choice = "average", step = NA, lambda = x$lambda,
                                   columns = length(path_object_used_columns(model)),
                                   loss = average$cvm, std.error = average$cvsd,
                                   corrected = cv_summary_corrected_se(average$cvsd, nrow(x$fold_loss))))
  }
  rows <- description_round_columns(rows, c("loss", "std.error", "corrected"), digits)
  if (length(unique(x$points$lambda)) == 1) rows$lambda <- NULL
  names(rows)[names(rows) == "lambda"] <- x$fit$labels[["lambda"]]
  rows
}
