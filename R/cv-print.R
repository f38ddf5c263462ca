# print() and summary() of a transfer_cv object: one screen each.

#' @export
print.transfer_cv <- function(x, digits = 3, ...) {
  print_description(x, list(head = cv_header(x), tables = list(shown_table(choice_table(x, digits)))), digits)
}

#' Summarise a cross-validation
#'
#' @param object,x A [cv_path()] object; its summary.
#' @param digits Significant digits of losses.
#' @param ... Must be empty.
#' @return An object of class `summary.transfer_cv`, a list of `header` (lines of text), `choices`
#'   (data frame: `choice`, `step`, `lambda` where there are several, `columns`, `loss`,
#'   `std.error`), `curve` (data frame as [tidy()][generics::tidy] gives it, the points at the
#'   chosen `lambda`), `folds` (data frame: `fold`, `rows`, `weight`, and the loss of every fold at
#'   `"min"` and `"1se"`), and `columns` (names of the columns in the model at `"1se"`). `print()` returns it
#'   invisibly.
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
  check_arguments()
  digits <- check_digits(digits, rlang::current_env())
  curve <- cv_curve(object)
  folds <- object$folds
  folds$min <- object$fold_loss[, object$index[["min"]]]
  folds[["1se"]] <- object$fold_loss[, object$index[["1se"]]]
  structure(list(
    header = cv_header(object), choices = choice_table(object, digits),
    curve = curve[curve$lambda %in% object$lambda, , drop = FALSE], folds = folds,
    columns = stats::variable.names(
      object$fit, step = object$step.1se, lambda = only_lambda(object)
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
  print_description(x, list(
    head = x$header,
    tables = list(shown_table(x$choices), shown_table(folds, 12, "\nLoss by fold:\n", "folds")),
    foot = c(paste("\nColumns at step \"1se\":", if (!length(shown)) "none"),
             if (length(shown)) strwrap(text, indent = 2, exdent = 2))
  ), x$digits)
}

cv_header <- function(x) {
  loss <- loss_named(x$loss)
  c(
    paste0(
      "Cross-validation of ", class(x$fit)[[1]], ": ", nrow(x$folds), " folds, ",
      rows_text(x$fit, stats::nobs(x)), lost_domains(x$fit$left_out$domains)
    ),
    paste0("Loss: ", loss$label, " (", better_words(loss$smaller_is_better), ")")
  )
}

# One row each for "min", "1se" and the average at the chosen lambda.
choice_table <- function(x, digits) {
  at <- x$index[c("min", "1se")]
  average <- chosen_average(x)
  last <- max(which(x$points$lambda %in% x$lambda))
  rows <- data.frame(choice = c("min", "1se"), step = x$points$step[at], lambda = x$lambda, columns = x$nzero[at],
                     loss = x$cvm[at], std.error = x$cvsd[at])
  if (!is.null(average)) {
    rows <- rbind(rows, data.frame(choice = "average", step = NA, lambda = x$lambda, columns = x$nzero[[last]],
                                   loss = average$cvm, std.error = average$cvsd))
  }
  rows <- round_columns(rows, c("loss", "std.error"), digits)
  if (length(unique(x$points$lambda)) == 1) rows$lambda <- NULL
  names(rows)[names(rows) == "lambda"] <- x$fit$labels[["lambda"]]
  rows
}
