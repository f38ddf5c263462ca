# The settings of greedytl() that are seldom given.

#' Settings of greedytl()
#'
#' Makes the argument `control` of [greedytl()] from the settings that are rarely needed: `greedytl(y ~ ., data = d,
#' sources = models, control = greedytl_control(source_sign = "positive"))`. Use it to give the ridges, to change how
#' sources or classes are weighted, or to try only some of very many columns in each step. All defaults together are
#' `greedytl_control()`. What can be checked without data is checked at once.
#'
#' The settings by topic:
#' * what is borrowed: `ridge`, `source_scale`, `source_sign`;
#' * rows: `class_weights`;
#' * search: `candidates`, `tol`.
#'
#' For fits to [moments()] the settings `candidates`, `source_scale` and `source_sign` are errors, since they need the
#' rows, and `class_weights` is `"none"`.
#'
#' @param ... No further arguments. A mistyped one is an error that says which argument was meant.
#' @param ridge `"evidence"`: the ridges are averaged by their posterior probabilities. Two numbers `c(features = ,
#'   sources = )`: the ridges divided by the number of features and by the number of sources that vary. One number is
#'   taken as `lambda` of [greedytl()]. `NULL`: `"evidence"`; with `candidates` it is `c(features = 10, sources = 1)`,
#'   and with `rule = "paper"` one ridge of 1/n (\eqn{\tau = 1}). If there are more than 320 rows, and at least as many
#'   columns as rows or more than 1024 columns, the evidence is computed from 320 rows and multiplied by the number of
#'   rows divided by 320. These rows are drawn systematically by their weights, so that a rare class is complete.
#' @param source_scale `"common"`: one scale for all sources, so that sources with larger predictions are penalised
#'   less. `"each"`: a scale for each source. `NULL`: `"common"`; with `candidates` or `rule = "paper"` it is `"each"`.
#'   Without `standardize` it has no effect. Give `"each"` if you expect most sources to be useless: the default is
#'   better if sources are good (`vignette("two-rules")`).
#' @param source_sign `"any"`, or `"positive"`: a source enters only with a positive coefficient.
#' @param class_weights `"balanced"`: both classes have the same total weight. `"none"`: each row has the same weight.
#'   `NULL`: `"balanced"`; with `rule = "paper"` it is `"none"`.
#' @param candidates `NULL`: every step tries all columns. A number (the randomised variant of the paper): every step
#'   tries this many columns, drawn at random by R's generator, so that [set.seed()] works. The other columns are not
#'   read, and the other sources, if they are functions, are not called. [n_candidates()] says how many to draw.
#' @param tol The path ends before a step that lowers the objective by less than `tol`. `NULL`: 0; with `rule = "paper"`
#'   it is 1e-4.
#' @returns A list of class `c("greedytl_control", "transfer_control")` with all settings. `control` of [greedytl()] may
#'   also be a plain list of settings, which is checked in the same way.
#' @references See [greedytl()].
#' @seealso [greedytl()]
#' @examples
#' # ridges that are given, in place of those averaged by their evidence
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
