# The same method with the same settings, fitted to other rows.

#' Fit a path again to other rows
#'
#' Fits the method of a path to other rows, with the settings of the path and with its columns, coded as in
#' the path. ([update()][stats::update] instead evaluates the call anew, and may change any argument; for a path without
#' a call, as within a function that [cv_path()] runs, `update(fit, data, ...)` is `refit(fit, data, ...)`.)
#'
#' A setting that was left to its default is chosen anew from the new rows, for example a ridge by evidence.
#' A path does not keep sources, rows without a response, or weights that no formula finds in `data`: where the fit had
#' them, they must be given again, or as `NULL`. Classes that the path does not know are an error.
#' Thresholds of [stumps()] are taken from the new rows; the centres and radii of [pieces()] are those of the path.
#'
#' @param path A fitted path.
#' @param data The new rows, in a form that [predict()] takes; for a path fitted by formula with the response,
#'   the weights and the domains. Rows with a missing value are left out. Or [moments()] of the columns of the path. A
#'   `refit()` method that you write for a path of your own must also take as `data` what [cv_path()] gives
#'   a fitting function, with `points`, and return a path.
#' @param y For a path fitted to a matrix or data frame: the response of the rows.
#' @param weights,domain,sources,offset,strata As for the fitter, a value for each row. For a path fitted by formula all
#'   but `sources` are found in `data`.
#' @param points NULL, or for a path with times (of [msplit()]) its component `points`: the path of the new rows is
#'   then computed at these times, and no model on it is chosen.
#' @param ... Settings that are to differ.
#' @returns A path of the same class.
#' @references The methods are those of the fitters; their pages have the references.
#' @seealso [path_model()], [new_transfer_path()]
#' @examples
#' first <- greedytl(mpg ~ ., data = mtcars[1:20, ], max_steps = 3)
#' second <- refit(first, mtcars[21:32, ])
#' cbind(first = coef(first, step = 3), second = coef(second, step = 3))
#' @export
refit <- function(path, ...) UseMethod("refit")

#' @rdname refit
#' @export
refit.transfer_path <- function(path, data, y = NULL, ..., weights = NULL, domain = NULL,
                                sources = NULL, offset = NULL, strata = NULL, points = NULL) {
  call <- rlang::current_env()
  method <- class(path)[1]
  if (!is.null(points)) check_points(points, path, ...names(), call)
  settings <- path$settings$given
  if (is.null(settings)) {
    abort_input("A path of {.fn {method}} keeps no settings to fit with again.", "path",
                i = "Write {.fn refit.{method}}, or call {.fn cv_path} with the new rows.", call = call)
  }
  again <- c(...names(), if (!missing(weights)) "weights", if (!missing(sources)) "sources")
  in_data <- if (inherits(data, "transfer_frame")) c("weights", "sources") else
    if (!is.null(path$formula) || inherits(data, "moments")) "weights"
  lost <- setdiff(path$settings$lost, c(again, in_data))
  if (length(lost)) {
    abort_input("The fit had {.arg {lost}}, which it does not keep.", lost,
                i = "Give {cli::qty(lost)}{?it/them} again, or {.code NULL} to fit without.", call = call)
  }
  given <- list(weights = weights, domain = domain, sources = sources, offset = offset, strata = strata)
  frame <- if (inherits(data, "transfer_frame")) {
    data
  } else if (inherits(data, "moments")) {
    refit_moments(path, data, c(list(y = y), given), call)
  } else {
    refit_frame(path, data, y, given, call)
  }
  settings[...names()] <- list(...)
  if (!is.null(points)) frame$refit <- list(method = method, given = settings, points = points)
  fit <- do.call(method, c(list(quote(frame)), settings))
  fit[c("call", "formula", "offset")] <- path[c("call", "formula", "offset")]
  fit
}

# For a method that is about to fit a frame with the arguments `given`: what refit() asks of this fit; NULL if it asks
# nothing, or another fit.
refit_of <- function(frame, method, given) {
  wanted <- frame$refit
  if (identical(wanted$method, method) && identical(wanted$given, given)) wanted
}

# others: names of the settings that are to differ.
check_points <- function(points, path, others, call) {
  if (is.null(path$points$t)) {
    abort_input("{.arg points} is given, and the path has steps, no times.", "points", i = "Leave it out.", call = call)
  }
  wanted <- c("step", "t", "lambda")
  columns <- is.data.frame(points) && all(wanted %in% names(points))
  if (!columns || !nrow(points) || !all(vapply(points[wanted], function(v) is.numeric(v) && all(is.finite(v)), NA)) ||
        any(points$t < 0) || any(points$lambda <= 0)) {
    abort_input("{.arg points} is no table of the path's points.", "points",
                i = "Give {.code fit$points}, or rows of it: {.code step}, {.code t} and {.code lambda}.", call = call)
  }
  lambda <- path$labels[["lambda"]]
  if (lambda %in% others) {
    abort_input("{.arg {lambda}} and {.arg points} are given.", lambda,
                i = "Leave one of them out: {.arg points} has a {.arg {lambda}} for each time.", call = call)
  }
}

# The frame of moments, whose columns must be those of the path.
refit_moments <- function(path, moments, given, call) {
  refuse_beside_moments(given, call)
  wanted <- all_labels(path$blueprint)
  if (!identical(moments$columns, wanted)) {
    abort_input("{.arg data} has moments of the columns {.val {moments$columns}}, the path {.val {wanted}}.", "data",
                i = "Give moments of the path's columns, in their order.", call = call)
  }
  moments_frame(moments, call)
}

# The frame of new rows, its columns those of the path. `given`: what the formula does not find in the rows.
refit_frame <- function(path, data, y, given, call) {
  map <- path$settings$map
  blueprint <- if (is.null(map)) path$blueprint else path$blueprint$base
  x <- bake_argument(blueprint, data, "data", call)
  sources <- if (!is.null(given$sources)) as_sources(given$sources, nrow(x), call)
  given$sources <- NULL
  found <- c(list(y = y), given)
  found$offset <- given$offset %||% if (!is.null(path$offset)) new_offset(path, data, nrow(x), call)
  if (!is.null(path$formula)) {
    formula <- split_strata(path$formula, call)
    of <- function(expression) eval(expression, as.data.frame(data), rlang::f_env(path$formula))
    found$y <- of(rlang::f_lhs(formula$formula))
    refuse_lost(path$call[setdiff(c("weights", "domain"), names(Filter(length, given)))], call)
    for (name in c("weights", "domain")) found[[name]] <- given[[name]] %||% of(path$call[[name]])
    found$strata <- of(formula$strata)
  }
  if (is.null(found$y)) abort_missing("y", "Give the response of the rows of {.arg data}.", call)
  # counts of successes and failures have no classes
  if (!is.null(path$classes) && is.null(dim(found$y))) found$y <- among_classes(found$y, path$classes, "path", call)
  for (name in names(found)) {
    if (NROW(found[[name]]) > 1L) refuse_unequal(found[[name]], name, nrow(x), "data", call)
  }
  whole <- Matrix::rowSums(is.na(x)) == 0 & stats::complete.cases(found$y)
  part <- lapply(found, function(value) {
    if (length(value) == 1) value else if (!is.null(value)) response_rows(value, whole)
  })
  x <- x[whole, , drop = FALSE]
  likelihood <- inherits(path, "likelihood_path")
  frame <- frame_default(
    if (is.null(map)) x else map_on(map, x), part$y, weights = part$weights, domain = part$domain,
    sources = source_rows(sources, whole), many = !likelihood, offset = part$offset, strata = part$strata,
    family = if (likelihood) path$family else if (is.null(found$offset)) FALSE else "gaussian", call = call
  )
  frame$blueprint <- blueprint
  # a formula, or moments, without one; what the argument says is given again
  frame$intercept <- isTRUE(path$settings$intercept) || isFALSE(path$settings$given$intercept)
  frame$row_labels <- row_labels(data)[whole]
  if (needs_raw(frame$sources)) frame$raw <- data[which(whole)[frame$rows], , drop = FALSE] # all columns, as given
  frame
}
