# The settings of shareboost() that are seldom given.

#' Settings of shareboost()
#'
#' Makes the argument `control` of [shareboost()] from the settings that are rarely needed: `shareboost(y ~ ., data = d,
#' control = shareboost_control(margin = 0))`, for example, if you need probabilities. All defaults together are
#' `shareboost_control()`. What can be checked without data is checked at once.
#'
#' The settings by topic:
#' * the loss: `margin`, `sharpness`;
#' * search: `candidates`, `shortlist`, `tol`.
#'
#' @param ... No further arguments. A mistyped one is an error that says which argument was meant.
#' @param margin The margin a, from 0 to 100. 0 is multinomial logistic regression: use it if you need probabilities.
#' @param sharpness \eqn{\beta} of the smoothed penalties `"l1"` and `"linf1"`, from 1e-6 to 1e6. A larger value is
#'   closer to the norm, and harder to optimise.
#' @param candidates `NULL`: every round tries all columns. A number: every round tries this many, drawn at random from
#'   those not yet selected (by R's generator, so [set.seed()] works), see [n_candidates()].
#' @param shortlist For the rules `"line"`, `"column"` and `"full"`: the number of columns that a round
#'   tries. `NULL`: all.
#' @param tol A round ends if the largest entry of the gradient is at most this share (from 0 to 1) of its value at the
#'   start of the round.
#' @returns A list of class `c("shareboost_control", "transfer_control")` with all settings. `control` of [shareboost()]
#'   may also be a plain list of settings, which is checked in the same way.
#' @references See [shareboost()].
#' @seealso [shareboost()]
#' @examples
#' shareboost_control(margin = 0)
#' fit <- shareboost(Species ~ ., data = iris, control = shareboost_control(margin = 0))
#' predict(fit, iris[c(1, 51, 101), ], type = "prob")
#' @export
shareboost_control <- function(..., margin = 1, sharpness = 10, candidates = NULL, shortlist = NULL, tol = 1e-6) {
  call <- if (nargs()) arguments_check()
  # beyond these limits, those of read_settings() in C, arithmetic would fail
  arguments_control_new("shareboost", list(
    margin = check_number(margin, "margin", 0, call, high = 100),
    sharpness = check_number(sharpness, "sharpness", 1e-6, call, high = 1e6),
    candidates = if (!is.null(candidates)) check_number(candidates, "candidates", 1, call, whole = TRUE),
    shortlist = if (!is.null(shortlist)) check_number(shortlist, "shortlist", 1, call, whole = TRUE),
    tol = check_number(tol, "tol", 0, call, high = 1)
  ), is.null(call))
}
