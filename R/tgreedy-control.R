# The settings of tgreedy() that are seldom given.

#' Settings of tgreedy()
#'
#' Makes the argument `control` of [tgreedy()] from the settings that are rarely needed: `tgreedy(y ~ ., data = d,
#' domain = hospital, control = tgreedy_control(stop = "cv"))`. Use it to say when the path ends, or how coefficients
#' move. All defaults together are `tgreedy_control()`. What can be checked without data is checked at once.
#'
#' The settings by topic:
#' * how coefficients move: `signed`, `repeats`, `update`;
#' * when the path ends: `stop`, `alpha`, `delta`.
#'
#' @param ... No further arguments. A mistyped one is an error that says which argument was meant.
#' @param signed `TRUE`: a step picks the feature with the largest \eqn{T_i}, as printed in the paper. `FALSE`: with the
#'   largest \eqn{|T_i|}.
#' @param repeats May a feature be picked again? `NULL`: yes, unless `update = "refit"`, since picked features then have
#'   no effect on the residual.
#' @param update `"stagewise"`: a step moves only the coefficient of the picked feature. `"refit"`: after each pick all
#'   picked features are fitted by balanced least squares (the paper's stepwise), \eqn{w_S = (E XX^T)_S^{-1} mean_k
#'   E_k[X_S Y]}.
#' @param stop When the path ends, see [tgreedy()]. `NULL`: `"gain"` for the rule of this name, else `"none"`.
#' @param alpha,delta `alpha`: the level of `"bonferroni"`. `delta`: the level of Theorem 1 and Corollary 3
#'   of the paper.
#' @returns A list of class `c("tgreedy_control", "transfer_control")` with all settings. `control` of [tgreedy()] may
#'   also be a plain list of settings, which is checked in the same way.
#' @references See [tgreedy()].
#' @seealso [tgreedy()]
#' @examples
#' tgreedy_control(stop = "cv")
#' aq <- na.omit(airquality)
#' tgreedy(Ozone ~ Solar.R + Wind + Temp, data = aq, domain = Month,
#'         control = tgreedy_control(stop = "cv"))
#' @export
tgreedy_control <- function(..., signed = FALSE, repeats = NULL, update = c("stagewise", "refit"), stop = NULL,
                            alpha = .05, delta = .05) {
  call <- if (nargs()) arguments_check()
  update <- check_choice(update, c("stagewise", "refit"), "update", call)
  if (!is.null(repeats)) check_flag(repeats, "repeats", call)
  if (update == "refit" && isTRUE(repeats)) {
    abort_input("{.arg repeats} is {.code TRUE} and {.arg update} is {.val refit}.", "repeats",
                i = "Leave {.arg repeats} out: after a refit a feature that was picked has no effect
                     left.", call = call)
  }
  arguments_control_new("tgreedy", list(
    signed = check_flag(signed, "signed", call), repeats = repeats, update = update,
    stop = if (!is.null(stop)) {
      check_choice(stop, c("none", "gain", "bonferroni", "theorem1", "cv"), "stop", call)
    },
    alpha = check_share(alpha, "alpha", call), delta = check_share(delta, "delta", call)
  ), is.null(call))
}
