# The method of a path fitted to other rows: refit().

#' @rdname refit.transfer_path
#' @export
refit.transfer_path <- function(object, data, y = NULL, ..., weights = NULL, domain = NULL,
                                sources = NULL, offset = NULL, strata = NULL, points = NULL) {
  call <- rlang::current_env()
  if (missing(data)) {
    abort_missing("data", "Give rows, or moments: a fit keeps no training rows. {.fn update} fits to the same data with
                           other arguments.", call)
  }
  path <- object
  method <- path_refit_method(path)
  if (!is.null(points)) {
    if (is.null(path$points$t)) {
      abort_input("{.arg points} is given, but the path has no times.", "points", i = "Leave it out.",
                  call = call)
    }
    path_refit_check_points(points, call)
  }
  settings <- path$settings$given
  if (is.null(settings)) {
    abort_input("This fit of {.fn {method}} stores no settings for refitting.", "path",
                i = "Write {.fn refit.{method}}, or call {.fn cv_path} with the new rows.", call = call)
  }
  again <- c(...names(), if (!missing(weights)) "weights", if (!missing(sources)) "sources")
  in_data <- if (inherits(data, "transfer_frame")) c("weights", "sources") else
    if (!is.null(path$formula) || inherits(data, "moments")) "weights"
  lost <- setdiff(path$settings$lost, c(again, in_data))
  if (length(lost)) {
    abort_input("The fit used {.arg {lost}}, but did not keep {cli::qty(lost)}{?it/them}.", lost,
                i = "Give {cli::qty(lost)}{?it/them} again, or {.code NULL} to fit without.", call = call)
  }
  given <- list(weights = weights, domain = domain, sources = sources, offset = offset, strata = strata)
  frame <- if (inherits(data, "transfer_frame")) {
    data
  } else if (inherits(data, "moments")) {
    path_refit_moments(path, data, c(list(y = y), given), call)
  } else {
    path_refit_frame(path, data, y, given, call)
  }
  settings[...names()] <- list(...)
  if (!is.null(points)) settings$points <- points
  fit <- do.call(method, c(list(quote(frame)), settings))
  fit[c("call", "formula", "offset")] <- path[c("call", "formula", "offset")]
  whole_sealed(fit)
}

# The points of a path with times.
path_refit_check_points <- function(points, call) {
  wanted <- c("step", "t", "lambda")
  columns <- is.data.frame(points) && all(wanted %in% names(points))
  if (!columns || !nrow(points) || !all(vapply(points[wanted], function(v) is.numeric(v) && all(is.finite(v)), NA)) ||
        any(points$t < 0) || any(points$lambda <= 0) || any(points$step %% 1 != 0)) {
    abort_input("{.arg points} is not a table of the path's points.", "points",
                i = "Give {.code fit$points}, or rows of it: {.code step}, {.code t} and {.code lambda}.", call = call)
  }
  sorted <- order(match(points$lambda, unique(points$lambda)), points$t)
  if (is.unsorted(sorted) || anyDuplicated(points[c("step", "lambda")])) {
    abort_input("The rows of {.arg points} are not in the order of their times, or a step is there twice.", "points",
                i = "Give rows of {.code fit$points} in its order: one {.code lambda} after the other, in each by
                     {.code t}.", call = call)
  }
}

# The frame of moments, whose columns must be those of the path.
path_refit_moments <- function(path, moments, given, call) {
  frame_moments_refuse_beside(given, call)
  wanted <- labels_of_all_columns(path$blueprint)
  if (!identical(moments$columns, wanted)) {
    abort_input("{.arg data} has moments of the columns {.val {moments$columns}}, the path {.val {wanted}}.", "data",
                i = "Give moments of the path's columns, in their order.", call = call)
  }
  frame_moments_new(moments, call)
}

# The frame of new rows, its columns those of the path. `given`: what the formula does not find in the rows.
path_refit_frame <- function(path, data, y, given, call) {
  map <- path$settings$map
  blueprint <- if (is.null(map)) path$blueprint else path$blueprint$base
  x <- frame_bake_argument(blueprint, data, "data", call)
  sources <- if (!is.null(given$sources)) sources_as(given$sources, nrow(x), call)
  given$sources <- NULL
  found <- c(list(y = y), given)
  found$offset <- given$offset %||% if (!is.null(path$offset)) frame_bake_offset(path, data, nrow(x), call)
  if (!is.null(path$formula)) {
    formula <- frame_formula_split_strata(frame_formula_with_surv(path$formula, call), call)
    of <- function(expression) {
      tryCatch(eval(expression, as.data.frame(data), rlang::f_env(path$formula)), error = function(error) {
        abort_input("{.arg data} has no {.code {rlang::as_label(expression)}}: {conditionMessage(error)}.", "data",
                    i = "Give the rows with all variables of the fit's call.", call = call)
      })
    }
    found$y <- of(rlang::f_lhs(formula$formula))
    path_refit_refuse_lost(path$call[setdiff(c("weights", "domain"), names(Filter(length, given)))], call)
    for (name in c("weights", "domain")) found[[name]] <- given[[name]] %||% of(path$call[[name]])
    if (is.null(found$domain) && length(frame_groups_of_data(data)) == 1) found$domain <-
      data[[frame_groups_of_data(data)]]
    found$strata <- of(formula$strata)
  }
  if (is.null(found$y)) abort_missing("y", "Give the response of the rows of {.arg data}.", call)
  # counts of successes and failures have no classes
  if (!is.null(path$classes) && is.null(dim(found$y))) found$y <- response_among_classes(found$y, path$classes, "path",
                                                                                         call)
  for (name in names(found)) {
    if (NROW(found[[name]]) > 1L) check_same_length(found[[name]], name, nrow(x), "data", call)
  }
  whole <- Matrix::rowSums(is.na(x)) == 0 & stats::complete.cases(found$y)
  # variables that the call of the fit names were in its model frame: rows where they are missing are left out
  for (name in setdiff(names(found), c("y", names(Filter(length, given))))) {
    if (NROW(found[[name]]) == nrow(x)) whole <- whole & stats::complete.cases(found[[name]])
  }
  part <- lapply(found, function(value) {
    if (length(value) == 1) value else if (!is.null(value)) frame_rows_of_response(value, whole)
  })
  x <- x[whole, , drop = FALSE]
  likelihood <- likelihood_is_used(path$settings$family)
  frame <- frame_default(
    if (is.null(map)) x else frame_map_at_rows(map, x), part$y, weights = part$weights, domain = part$domain,
    sources = frame_rows_of_sources(sources, whole), many = !likelihood, offset = part$offset, strata = part$strata,
    family = if (likelihood) path$family else if (is.null(found$offset)) FALSE else "gaussian", call = call
  )
  frame$blueprint <- blueprint
  # FALSE only where the formula or the moments had no intercept: the argument `intercept` itself is given again
  frame$intercept <- isTRUE(path$settings$intercept) || isFALSE(path$settings$given$intercept)
  frame$row_labels <- labels_of_rows(data)[whole]
  # models among the sources need all variables as they were given
  if (sources_need_raw(frame$sources)) frame$raw <- data[which(whole)[frame$rows], , drop = FALSE]
  frame
}

# Refuses to evaluate a call in which arguments_methods_light_call() has put a word in place of a value. other: what
# else to do.
path_refit_refuse_lost <- function(call, error_call, other = NULL) {
  lost <- vapply(as.list(call), function(it) is.name(it) && grepl("^<.*>$", it), NA)
  if (!any(lost)) return(invisible())
  lost <- names(call)[lost]
  abort_input("The call of the fit has no name for {.arg {lost}}, only a value, as after {.fn do.call}.", "object",
              i = "Give {cli::qty(lost)}{?it/them} again: {.code {lost[1]} = }.", i = other, call = error_call)
}

# The fitter of a path, also of one to whose class a user has added: a method of this package, or a path of a user's.
path_refit_method <- function(path) Find(function(class_name) !is.null(arguments_methods_frame_method(class_name)),
                                         class(path)) %||% class(path)[1]

#' Fit a path again to other rows
#'
#' Fits the method of a path to other rows, with the same settings and with columns coded as in the path: `refit(fit,
#' new_rows)`. Use it for a bootstrap, for the rows of another year, or in a cross-validation of your own. To change an
#' argument of the fit use [update()][stats::update], and to cross-validate use [cv_path()].
#'
#' `update()` evaluates the call anew. It takes from the new data the levels of factors, the classes, what terms such as
#' `poly(x, 2)` and `scale(x)` compute from the rows, and the variables for which a `.` stands; `refit()` uses those of
#' the path. If the new rows are coded in the same way, both give the same coefficients. `update()` follows the
#' `subset`, `na.action` and `sources` of the call, and its result has the new call. `refit()` leaves out the incomplete
#' rows and no others, needs sources again, and keeps the call of the path. For a path without a call, as within a
#' function that [cv_path()] runs, `update(fit, data, ...)` is `refit(fit, data, ...)`.
#'
#' The generic is that of package generics, so that the packages of tidymodels have the same.
#'
#' A setting that was left to its default is chosen anew from the new rows, for example a ridge by evidence. A path does
#' not keep sources, rows without a response, or weights that no formula finds in `data`. If the fit had them, they must
#' be given again, or as `NULL`. Classes that the path does not know are an error. Thresholds of [stumps()] are taken
#' from the new rows; the centres and radii of [pieces()] are those of the path.
#'
#' @param object A fitted path.
#' @param data The new rows, in a form that [predict()] takes. For a path fitted by formula they include the response,
#'   the weights and the domains. Rows with a missing value are left out. Or [moments()] of the columns of the path. A
#'   `refit()` method that you write for a path of your own must also take as `data` what [cv_path()] gives a fitting
#'   function, with `points`, and return a path.
#' @param y For a path fitted to a matrix or data frame: the response of the rows.
#' @param weights,domain,sources,offset,strata As for the fitter, one value per row. For a path fitted by formula all
#'   but `sources` are found in `data`.
#' @param points NULL, or for a path with times ([msplit()]) its component `points`: the new path is then computed at
#'   these times, and no model on it is chosen.
#' @param ... Settings that differ from those of the path.
#' @returns A path of the same class.
#' @references The methods are those of the fitters; their pages have the references.
#' @seealso [path_model()], [new_transfer_path()]
#' @examples
#' first <- greedytl(mpg ~ ., data = mtcars[1:20, ], max_steps = 3)
#' second <- refit(first, mtcars[21:32, ])
#' cbind(first = coef(first, step = 3), second = coef(second, step = 3))
#' @name refit.transfer_path
NULL

#' @importFrom generics refit
#' @export
generics::refit

# Conformal intervals of new rows. They need refits, so the methods are on a higher floor. point: the arguments by which
# predict() chooses a model; env: where the call of the path is evaluated.
path_predict_conformal <- function(path, newdata, point, beside, level, env, call) UseMethod("path_predict_conformal")
