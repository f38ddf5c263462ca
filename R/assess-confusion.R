# Tables of true and predicted classes.

#' @rdname predict.shareboost
#' @export
confusion <- function(object, newdata, y, ..., top = 1) {
  call <- arguments_check_spelling()
  if (!inherits(object, c("transfer_path", "transfer_cv"))) {
    abort_kind(object, "object", "Give a fitted path or what {.fn cv_path} returned.", call)
  }
  classes <- object[["classes"]] %||% object[["fit"]][["classes"]]
  if (is.null(classes)) {
    abort_input("{.arg object} has no classes.", "object", i = "Give a fit to a factor.",
                call = call)
  }
  top <- check_number(top, "top", 1, call, whole = TRUE, high = length(classes) - 1)
  if (inherits(object, "transfer_cv") && missing(newdata)) {
    if (!missing(y)) {
      abort_input("{.arg y} is given without {.arg newdata}.", "y",
                  i = "Give both, or neither for the held-out rows.", call = call)
    }
    return(assess_confusion_held_out(object, ..., top = top, call = call))
  }
  if (missing(y) && !missing(newdata)) y <- path_predict_response(object[["fit"]] %||% object, newdata)
  if (missing(newdata) || is.null(y)) {
    abort_input("{.arg {if (missing(newdata)) 'newdata' else 'y'}} is missing.", "newdata",
                i = "Give new rows and their classes; or give what {.fn cv_path} returned, without
                     {.arg newdata} and {.arg y}, for the held-out rows.", call = call)
  }
  predicted <- stats::predict(object, newdata, type = "class", ...)
  if (!is.factor(predicted)) check_single(length(predicted), "step", call)
  y <- table_one_column(y)
  check_same_length(y, "y", length(predicted), "newdata", call)
  true <- response_among_classes(y, classes, "fit", call)
  if (top > 1) {
    score <- cv_user_fit_without_messages(stats::predict(object, newdata, type = "link", ...))
    predicted <- assess_confusion_true_if_in_top(predicted, score, true, top)
  }
  table(true = true, predicted = predicted)
}

# The confusion of held-out rows, predicted by paths that have not seen them.
assess_confusion_held_out <- function(object, step = "default", ..., top, call) {
  arguments_check(call)
  step <- check_choice(step, c("default", "1se", "min"), "step", call)
  true <- object$held_out$true
  predicted <- object$held_out[[step]]
  if (top > 1) {
    if (is.null(object$predictions)) {
      abort_input("{.arg top} is {top}, and the cross-validation has kept no predictions.", "top",
                  i = "Use {.code cv_path(keep_predictions = TRUE)}.", call = call)
    }
    predicted <- assess_confusion_true_if_in_top(predicted, object$predictions[, , object$index[[step]]], true, top)
  }
  table(true = true, predicted = predicted)
}

# The predicted classes, but the true one where it is among the `top` largest scores (rows x classes).
assess_confusion_true_if_in_top <- function(predicted, score, true, top) {
  true_score <- score[cbind(seq_along(true), as.integer(true))]
  right <- which(rowSums(score > true_score) < top)
  predicted[right] <- true[right]
  predicted
}
