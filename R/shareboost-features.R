# features_for(): how many features are enough for a given error.

#' How many features are enough
#'
#' The smallest number of features for which the share of misclassified rows is at most `error`: `features_for(cv, error
#' = .05)`. Use it with a [cv_path()] object of [shareboost()]. With the fit itself it uses training errors, which are
#' too small for new rows.
#'
#' Each column of the model counts as one feature (as in `steps$size`, or in `nzero` of a cross-validation): each dummy
#' variable of a factor, each stump (several stumps may use one column of `x`) and each column of a piece.
#'
#' @param object A [cv_path()] object with the loss `"class"` or `"balanced"` (cross-validated errors are used), or a
#'   [shareboost()] fit (training errors are used).
#' @param error The largest accepted share of misclassified rows, from 0 to 1.
#' @param ... Must be empty.
#' @returns A whole number of features, named by the step that has them, such as `"step 3"`; `NA` if no step has so
#'   small an error, with a message that gives the smallest error.
#' @references
#' Shalev-Shwartz, S., Wexler, Y. and Shashua, A. (2011). ShareBoost: efficient multiclass learning
#' with feature sharing. *Advances in Neural Information Processing Systems* 24, sections 1.2 and
#' 7: accuracy as a function of sparsity.
#' \doi{10.48550/arXiv.1109.0820}
#' @seealso [shareboost()], [plot.shareboost()]
#' @examples
#' set.seed(1)
#' cv <- cv_path(Species ~ ., data = iris, fit = shareboost, nfolds = 5)
#' features_for(cv, error = .05)
#' features_for(cv$fit, error = .04) # by the training errors
#' @export
features_for <- function(object, ...) UseMethod("features_for")

#' @export
features_for.default <- function(object, ...) {
  abort_kind(object, "object",
             "Give a {.fn shareboost} fit, or what {.fn cv_path} returned for any method.", rlang::current_env())
}

features_for_check_error <- function(error, call) {
  if (missing(error)) abort_missing("error", "Give the share of errors that is to be reached, as .05.", call)
  check_number(error, "error", 0, call, high = 1)
}

#' @rdname features_for
#' @export
features_for.shareboost <- function(object, error, ...) {
  arguments_check()
  features_for_smallest_size(object$steps$error, object$steps$size, object$steps$step,
                             features_for_check_error(error, rlang::current_env()))
}

#' @rdname features_for
#' @export
features_for.transfer_cv <- function(object, error, ...) {
  call <- arguments_check()
  error <- features_for_check_error(error, call)
  if (!object$loss %in% c("class", "balanced")) {
    abort_input("{.arg object} was cross-validated by the loss {.val {object$loss}}.", "object",
                i = "Cross-validate by {.code loss = \"class\"} or {.val balanced}, whose losses are
                     shares of errors.",
                call = call)
  }
  features_for_smallest_size(object$cvm, object$nzero, object$points$step, error)
}

features_for_smallest_size <- function(errors, size, step, wanted) {
  good <- which(errors <= wanted)
  if (!length(good)) {
    chosen <- which.min(errors)
    tell(paste0("No step has an error of ", wanted, " or less: the smallest is ", signif(errors[chosen], 3), ", of ",
                words_counted(size[chosen], "feature"), "."), class = "transelect_message_error")
    return(NA_integer_)
  }
  chosen <- good[which.min(size[good])]
  stats::setNames(as.integer(size[chosen]), paste("step", step[chosen]))
}
