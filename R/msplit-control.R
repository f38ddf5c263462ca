# The settings of msplit() that are seldom given.

#' Settings of msplit()
#'
#' Makes the argument `control` of [msplit()] from the settings that are rarely needed: `msplit(y ~ ., data = d, control
#' = msplit_control(t_ratio = 50))`. Use it for a shorter or longer path, or for the settings of the paper's iteration
#' (`method = "lbi"`). All defaults together are `msplit_control()`. What can be checked without data is
#' checked at once.
#'
#' The settings by topic:
#' * any path: `t_ratio` (how far the path goes) and `record` (which steps are kept);
#' * the discrete path, `method = "lbi"`: `kappa`, `alpha`, `start`, `nt`.
#'
#' @param ... No further arguments. A mistyped one is an error that says which argument was meant.
#' @param t_ratio The path ends at `t_ratio` times the `t` of its first event (a feature enters). `NULL`: 100, or 30
#'   with several `nu`. With several responses the earliest first event counts.
#' @param record Steps at which the dense estimator is kept. An estimator takes one number per feature and one for the
#'   intercept. `NULL`, for one response: of the chosen `nu` the first events, up to 1e6 numbers (1996 events with 500
#'   features); of every other `nu` the first 50 events (fewer if these together have more than 1e6 numbers); and some
#'   later events spaced evenly in log t. `NULL`, for several responses: every event of each response, up to 2e6 numbers
#'   over all `nu`, and all times, up to 2e6 numbers; beyond this, some of the times. The chosen step is always kept.
#'   The sparse estimator is kept at every event.
#' @param kappa,alpha For `"lbi"`: \eqn{\kappa} (`NULL`: 5) and the step size (`NULL`: its bound \eqn{\nu / (\kappa (2 +
#'   \nu\Lambda))}, \eqn{\Lambda} the largest eigenvalue of \eqn{X'X/n}, at least 1 with an intercept in a logistic
#'   loss). A step size above the bound is an error. For squared loss the iteration uses responses divided by the root
#'   of their common mean square, so that the path does not depend on the unit of the response. `t` and coefficients are
#'   reported in that unit.
#' @param start For `"lbi"`: where the path starts. `"ridge"`: at the minimiser of the split loss with \eqn{\Gamma = 0}.
#'   `"zero"`: at \eqn{B = 0}, with intercepts at the log odds.
#' @param nt For `"lbi"`: the number of times, evenly spaced in log t, at which the path is recorded. With several
#'   responses `step` refers to these times.
#' @returns A list of class `c("msplit_control", "transfer_control")` with all settings. `control` of [msplit()] may
#'   also be a plain list of settings, which is checked in the same way.
#' @references See [msplit()].
#' @seealso [msplit()]
#' @examples
#' msplit_control(t_ratio = 50)
#' msplit(mpg ~ ., data = mtcars, method = "lbi", control = msplit_control(kappa = 10, nt = 20))
#' @export
msplit_control <- function(..., t_ratio = NULL, record = NULL, kappa = NULL, alpha = NULL, start = c("ridge", "zero"),
                           nt = 100) {
  call <- if (nargs()) arguments_check()
  arguments_control_new("msplit", list(
    t_ratio = if (!is.null(t_ratio)) msplit_control_ratio(t_ratio, call),
    record = if (!is.null(record)) msplit_control_record(record, call),
    kappa = if (!is.null(kappa)) msplit_control_positive(kappa, "kappa", call, low = 1e-10),
    alpha = if (!is.null(alpha)) msplit_control_positive(alpha, "alpha", call),
    start = check_choice(start, c("ridge", "zero"), "start", call),
    nt = check_number(nt, "nt", 1, call, whole = TRUE, high = 1e5)
  ), is.null(call))
}

msplit_control_ratio <- function(t_ratio, call) {
  t_ratio <- check_number(t_ratio, "t_ratio", 1, call, high = 1e300)
  if (t_ratio == 1) {
    abort_input("{.arg t_ratio} is 1.", "t_ratio",
                i = "Give a number above 1: the path ends at {.arg t_ratio} times the time of its
                     first event.",
                call = call)
  }
  t_ratio
}

msplit_control_record <- function(record, call) {
  if (!is.numeric(record) || inherits(record, "Surv") || anyNA(record) ||
        any(record < 0 | record != round(record) | record > .Machine$integer.max)) {
    abort_value(record, "record", "Give the steps at which the dense estimator is kept: whole numbers from 0 on.", call)
  }
  as.integer(record)
}

# A positive number of ordinary size for the discrete path.
msplit_control_positive <- function(value, name, call, low = 0) {
  value <- check_number(value, name, 0, call)
  if (value == 0) abort_input("{.arg {name}} is 0.", name, i = "Give a positive number.", call = call)
  if (value > 1e15 || value < low) {
    abort_value(value, name, "Give a number of ordinary size, at most 1e15.", call)
  }
  value
}
