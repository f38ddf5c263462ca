# The settings of tgreedy() that are seldom given.

#' Settings of tgreedy()
#'
#' The settings of [tgreedy()] that are seldom given, for its argument `control`. What can be checked without data is
#' checked at once.
#'
#' The settings by what they concern:
#' * how weights move: `signed`, `repeats`, `update`;
#' * when the path ends: `stop`, `alpha`, `delta`.
#'
#' @param ... No further arguments. A mistyped one is an error that names the one that was meant.
#' @param signed `TRUE`: a step picks the largest \eqn{T_i}, as the paper prints it, in place of the largest
#'   \eqn{|T_i|}.
#' @param repeats May a feature be picked again? `NULL`: yes, unless `update = "refit"`, after which
#'   the residual has no effect of a picked feature.
#' @param update `"stagewise"`, or `"refit"`: all picked features by balanced least squares after
#'   each pick (the paper's stepwise), \eqn{w_S = (E XX^T)_S^{-1} mean_k E_k[X_S Y]}.
#' @param stop When the path ends, see [tgreedy()]. `NULL` is `"gain"` for that rule, else `"none"`.
#' @param alpha,delta Levels of `"bonferroni"`, and of Theorem 1 and Corollary 3.
#' @returns A list of class `c("tgreedy_control", "transfer_control")` with all settings. A plain list of settings as
#'   `control` of [tgreedy()] is given to this function.
#' @references The page of [tgreedy()] has them.
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
