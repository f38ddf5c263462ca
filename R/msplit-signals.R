# Strong signals, weak signals and noise, from the two estimators.

#' Strong signals, weak signals, noise
#'
#' Divides the features of an [msplit()] path into those to be reported
#' (strong), those that only help to predict (weak), and the rest (noise).
#'
#' At one point of the path the **strong** signals are the support of the sparse estimator; the
#' dense estimator \eqn{B} gives them the same coefficients as the unshrunk sparse one
#' \eqn{\tilde B}. Of the others the **weak** signals are those with the largest
#' \eqn{|B_j - \tilde B_j|} times the standard deviation of the feature: the `k` largest, or with
#' `threshold` all that reach it. What is left is **noise**.
#'
#' @param object An [msplit()] or [zero_shot()] fit.
#' @param step,t,nu The point of the path, as for [coef()][coef.msplit]; `NULL` is the default of
#'   the fit: the average over the supports that were not dropped, with the support of the largest weight.
#'   Where that is empty there are no strong signals: give a later step.
#' @param k Number of weak signals of each response.
#' @param threshold `NULL`, or the least size of a weak signal, on the scale of standardised
#'   features; replaces `k`.
#' @param ... Must be empty.
#' @returns A data frame with a row for each feature and response (for [zero_shot()]: seen class
#'   and unseen class): `response` (`"y"` for one response), `term`, `signal` (`"strong"`, `"weak"`
#'   or `"noise"`), `estimate` (the dense coefficient, 0 for noise),
#'   `sparse` and `dense` (the two coefficients, original scale), `probability` (of the whole fit: the sum of the
#'   weights of the supports that contain the feature; `NA` where supports have no weights), `rank` (1, 2, ... within
#'   the
#'   response: strong before weak before noise, each by size on standardised features). Rows are in
#'   the order of `rank`. Errors name the argument.
#' @references Zhao, B., Sun, X., Fu, Y., Yao, Y. and Wang, Y. (2018). MSplit LBI: realizing feature
#'   selection and dense estimation simultaneously in few-shot and zero-shot learning. *ICML*, PMLR
#'   80, 5912-5921, section 3.3 and Table 3. \doi{10.48550/arXiv.1806.04360}
#' @seealso [msplit()], [zero_shot()]
#' @examples
#' fit <- msplit(mpg ~ ., data = mtcars, nu = 5, choose = "none")
#' signals(fit, step = 5, k = 2)
#' @export
signals <- function(object, ...) UseMethod("signals")

#' @export
signals.default <- function(object, ...) {
  abort_kind(object, "object", "Give a fit of {.fn msplit} or {.fn zero_shot}.", rlang::caller_env())
}

#' @rdname signals
#' @export
signals.msplit <- function(object, step = NULL, t = NULL, nu = NULL, k = 5, threshold = NULL, ...) {
  call <- check_arguments()
  k <- check_number(k, "k", 0, call, whole = TRUE)
  if (!is.null(threshold)) threshold <- check_number(threshold, "threshold", 0, call)
  dense <- path_model(object, step, t = t, nu = nu, call = call)
  sparse <- path_model(object, step, t = t, nu = nu, report = TRUE, call = call)
  refuse_several(length(dense[[1]]$a0), if (is.null(t)) "step" else "t", call)
  tables <- lapply(responses(object), function(response) {
    probability <- if (is.null(object$probability)) NA_real_ else object$probability[, response]
    signal_table(response, term_names(object), dense = as.vector(dense[[response]]$beta),
                 sparse = as.vector(sparse[[response]]$beta), scale = object$scale,
                 probability = probability, k = k, threshold = threshold)
  })
  do.call(rbind, tables)
}

#' @rdname signals
#' @export
signals.zero_shot <- function(object, ...) signals(object$fit, ...)

signal_table <- function(response, term, dense, sparse, scale, probability, k, threshold) {
  strong <- sparse != 0
  probability <- rep_len(unname(probability), length(term))
  size <- abs(dense * scale)
  order <- order(!strong, -size)
  off <- cumsum(!strong[order])
  weak <- if (is.null(threshold)) off <= k else size[order] >= threshold
  weak <- weak & size[order] > 1e-10 * max(size) # what is less is rounding
  signal <- ifelse(strong[order], "strong", ifelse(weak, "weak", "noise"))
  dense <- dense[order]
  data.frame(
    response = response, term = term[order], signal = signal,
    estimate = ifelse(signal == "noise", 0, dense), sparse = sparse[order], dense = dense,
    probability = probability[order], rank = seq_along(order)
  )
}
