# The settings of msplit() that are seldom given.

#' Settings of msplit()
#'
#' The settings of [msplit()] that are seldom given, for its argument `control`. What can be checked without data is
#' checked at once.
#'
#' The settings by what they concern:
#' * any path: `t_ratio`, how far it goes, and `record`, what is kept of it;
#' * the discrete path, `method = "lbi"`: `kappa`, `alpha`, `start`, `nt`.
#'
#' @param ... No further arguments. A mistyped one is an error that names the one that was meant.
#' @param t_ratio The path ends at `t_ratio` times its first event; `NULL` is 100, or 30 with
#'   several `nu`. With several responses the first event is that of the earliest.
#' @param record Steps at which the dense estimator is kept. `NULL`: for one response the events of the
#'   chosen `nu` up to 1e6 numbers (1996 events of 500 features), the first 50 events of every other `nu`
#'   (fewer where these exceed 1e6 numbers together), and some later ones spaced evenly in log t; for several
#'   responses every event of each and all times, each up to 2e6 numbers over all `nu`, otherwise
#'   some times. The chosen step is always kept. The sparse estimator is kept at every event.
#' @param kappa,alpha For `"lbi"`: \eqn{\kappa} (`NULL`: 5) and the step size (`NULL`: its bound
#'   \eqn{\nu / (\kappa (2 + \nu\Lambda))}, \eqn{\Lambda} the largest eigenvalue of \eqn{X'X/n}, at
#'   least 1 with an intercept in a logistic loss). Above the bound is an error. For squared loss the
#'   iteration runs on responses divided by the root of their mean square (of all together), so that
#'   the path is the same in any unit of the response; `t` and coefficients are in that unit.
#' @param start For `"lbi"`: the minimiser of the split loss at \eqn{\Gamma = 0} (`"ridge"`), or
#'   \eqn{B = 0} (`"zero"`, intercepts at the log odds).
#' @param nt Number of times, evenly spaced in log t, at which `"lbi"` is recorded and to which
#'   `step` refers with several responses.
#' @returns A list of class `c("msplit_control", "transfer_control")` with all settings. A plain list of settings as
#'   `control` of [msplit()] is given to this function.
#' @references The page of [msplit()] has them.
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
