# The settings of greedytl() that are seldom given.

#' Settings of greedytl()
#'
#' The settings of [greedytl()] that are seldom given, for its argument `control`. What can be checked without data is
#' checked at once.
#'
#' The settings by what they concern:
#' * what is borrowed: `ridge`, `source_scale`, `source_sign`;
#' * rows: `class_weights`;
#' * search: `candidates`, `tol`.
#'
#' @param ... No further arguments. A mistyped one is an error that names the one that was meant.
#' @param ridge `"evidence"`, or two numbers `c(features = , sources = )`: the ridges divided by the number of features
#'   and of sources that vary. One number is taken as `lambda` of [greedytl()]. `NULL`: `"evidence"`, with `candidates`
#'   `c(features = 10, sources = 1)`, and with `rule = "paper"` one ridge of 1/n (\eqn{\tau = 1}). With more than 320
#'   rows, and as many columns as rows or more than 1024, the evidence is that of 320 rows, taken systematically by
#'   their weights, so that a rare class is complete, times the number of rows divided by 320.
#' @param source_scale `"common"`: one scale for all sources; or `"each"`: a scale for each. `NULL`: `"common"`, with
#'   `candidates` or `rule = "paper"` `"each"`. Without `standardize` it has no effect.
#' @param source_sign `"any"`, or `"positive"`: a source enters only with a positive coefficient.
#' @param class_weights `"balanced"`: the classes have the same total weight; or `"none"`. `NULL`: `"balanced"`, with
#'   `rule = "paper"` `"none"`.
#' @param candidates `NULL`: every step tries all columns. A number: the randomised variant, see [greedytl()].
#' @param tol The path ends before a step that lowers the objective by less than `tol`. `NULL`: 0, or 1e-4 with
#'   `rule = "paper"`.
#' @returns A list of class `c("greedytl_control", "transfer_control")` with all settings. A plain list of settings as
#'   `control` of [greedytl()] is given to this function.
#' @references The page of [greedytl()] has them.
#' @seealso [greedytl()]
#' @examples
#' greedytl_control(ridge = c(features = 10, sources = 1))
#' greedytl(mpg ~ ., data = mtcars, control = greedytl_control(ridge = c(10, 1)))
#' @export
greedytl_control <- function(..., ridge = NULL, source_scale = NULL, source_sign = c("any", "positive"),
                             class_weights = NULL, candidates = NULL, tol = NULL) {
  call <- if (nargs()) arguments_check()
  arguments_control_new("greedytl", list(
    ridge = greedytl_control_ridge(ridge, call),
    source_scale = if (!is.null(source_scale)) check_choice(source_scale, c("common", "each"), "source_scale", call),
    source_sign = check_choice(source_sign, c("any", "positive"), "source_sign", call),
    class_weights = if (!is.null(class_weights)) {
      check_choice(class_weights, c("balanced", "none"), "class_weights", call)
    },
    candidates = if (!is.null(candidates)) check_number(candidates, "candidates", 1, call, whole = TRUE),
    tol = if (!is.null(tol)) check_number(tol, "tol", 0, call)
  ), is.null(call))
}

# NULL, "evidence", one number, or two: features, then sources.
greedytl_control_ridge <- function(ridge, call) {
  if (is.null(ridge) || identical(ridge, "evidence")) return(ridge)
  ridge <- table_plain_number(ridge)
  kinds <- c("features", "sources")
  good <- is.numeric(ridge) && length(ridge) %in% 1:2 && all(is.finite(ridge)) && all(ridge >= 0)
  if (!good || length(ridge) == 2 && !(is.null(names(ridge)) || setequal(names(ridge), kinds))) {
    abort_value(ridge, "ridge", "Give {.val evidence}, or {.code c(features = 10, sources = 1)}.", call)
  }
  if (length(ridge) == 2 && !is.null(names(ridge))) ridge[kinds] else ridge
}
