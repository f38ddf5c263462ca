# The method of a path fitted to other rows: refit(), and update(), which evaluates the call anew.

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
  method <- path_method(path)
  if (!is.null(points)) {
    if (is.null(path$points$t)) {
      abort_input("{.arg points} is given, and the path has steps, no times.", "points", i = "Leave it out.",
                  call = call)
    }
    check_points(points, call)
  }
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
  if (!is.null(points)) settings$points <- points
  fit <- do.call(method, c(list(quote(frame)), settings))
  fit[c("call", "formula", "offset")] <- path[c("call", "formula", "offset")]
  fit
}

# The points of a path with times.
check_points <- function(points, call) {
  wanted <- c("step", "t", "lambda")
  columns <- is.data.frame(points) && all(wanted %in% names(points))
  if (!columns || !nrow(points) || !all(vapply(points[wanted], function(v) is.numeric(v) && all(is.finite(v)), NA)) ||
        any(points$t < 0) || any(points$lambda <= 0) || any(points$step %% 1 != 0)) {
    abort_input("{.arg points} is no table of the path's points.", "points",
                i = "Give {.code fit$points}, or rows of it: {.code step}, {.code t} and {.code lambda}.", call = call)
  }
  order <- order(match(points$lambda, unique(points$lambda)), points$t)
  if (is.unsorted(order) || anyDuplicated(points[c("step", "lambda")])) {
    abort_input("The rows of {.arg points} are not in the order of their times, or a step is there twice.", "points",
                i = "Give rows of {.code fit$points} in its order: one {.code lambda} after the other, in each by
                     {.code t}.", call = call)
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
    if (is.null(found$domain) && length(data_groups(data)) == 1) found$domain <- data[[data_groups(data)]]
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
  likelihood <- by_likelihood(path$settings$family)
  frame <- frame_default(
    if (is.null(map)) x else map_at_rows(map, x), part$y, weights = part$weights, domain = part$domain,
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

# ---- update() --------------------------------------------------------------------------------------

# update.default() cannot subtract terms from a `.`: only the fit knows its variables.
#' @export
update.transfer_path <- function(object, formula., ..., evaluate = TRUE) {
  call <- rlang::current_env()
  evaluate <- check_flag(evaluate, "evaluate", call)
  anew <- stats::getCall(object)
  if (is.null(anew)) return(refit_updated(object, if (!missing(formula.)) formula., list(...), call))
  extras <- match.call(expand.dots = FALSE)$... # as they were written, for the caller to evaluate
  anew[names(extras)] <- extras
  refuse_lost(anew, call, UPDATE_MEND)
  at <- if ("formula" %in% names(anew)) "formula" else 2L
  if (!missing(formula.)) {
    old <- object$formula %||% stats::formula(object) # which says that there is none
    anew[[at]] <- updated_formula(old, stats::as.formula(formula.), object$blueprint)
  } else if (!"formula" %in% names(extras)) {
    anew[[at]] <- formula_without_data(object, anew) %||% anew[[at]]
  }
  if (!evaluate) return(anew)
  env <- parent.frame()
  if (is.name(anew[[1L]]) && !exists(as.character(anew[[1L]]), env, mode = "function")) {
    abort_input("The call of the fit is of the function {.code {anew[[1L]]}}, which is not found here.", "object",
                i = UPDATE_MEND, call = call)
  }
  given <- anew[!names(anew) %in% c(names(extras), if (!missing(formula.)) "formula")]
  tryCatch(eval(anew, env), error = function(error) {
    refuse_names_lost(error, given, env, call)
    rlang::cnd_signal(error)
  })
}

UPDATE_MEND <- "{.code refit(fit, data)} fits to other rows without the call."

# The call `anew` of a fit was evaluated in `env` and ended with `error`. If the error's message quotes a name in the
# call, as R does of one that was not found, an error that names its argument, and with it the other arguments whose
# values are names that `env` does not have.
refuse_names_lost <- function(error, anew, env, call) {
  message <- conditionMessage(error)
  said <- function(name) {
    pattern <- if (startsWith(name, "..")) name else c(paste0("'", name, "'"), paste0("\u2018", name, "\u2019"))
    any(vapply(pattern, grepl, NA, message, fixed = TRUE))
  }
  names <- lapply(as.list(anew)[-1], all.vars)
  lost <- Filter(length, lapply(names, Filter, f = said))
  if (inherits(error, "rlang_error") || !length(lost)) return(invisible())
  own <- setdiff(names(anew), if (!is.null(anew$formula)) c("weights", "subset", "domain", "offset"))
  others <- Filter(function(value) is.name(value) && !exists(as.character(value), env), as.list(anew)[own[nzchar(own)]])
  lost <- c(lost, lapply(others[setdiff(names(others), names(lost))], as.character))
  abort_input("The call of the fit has the name{?s} {.code {unique(unlist(lost))}}, which {?is/are} not found here.",
              "object", i = "Give {.arg {names(lost)}} again.", i = UPDATE_MEND, call = call)
}

# update() of a path without a call: refit() to the data among the arguments `given`.
refit_updated <- function(object, formula, given, call) {
  data <- given$data %||% given$x %||% if (!inherits(formula, "formula")) formula
  if (is.null(data) || inherits(formula, "formula")) {
    abort_input("The fit has no call, as within a function that {.fn cv_path} runs.", "object",
                i = "Give the data that the function was given, and no formula: {.code update(fit, data = data, ...)}.",
                call = call)
  }
  do.call(refit, c(list(object, quote(data)), given[!names(given) %in% c("data", "x")]))
}

#' @export
update.transfer_cv <- function(object, ...) {
  call <- stats::getCall(object)
  here <- rlang::current_env()
  env <- parent.frame()
  own <- call[!names(call) %in% ...names()]
  refuse_lost(own, here)
  formula <- formula_without_data(object$fit, call)
  tryCatch(if (is.null(formula)) NextMethod() else {
    object$call$formula <- formula
    eval(stats::update.default(object, ..., evaluate = FALSE), env)
  }, error = function(error) {
    refuse_names_lost(error, own, env, here)
    rlang::cnd_signal(error)
  })
}

# A `.` from which names are subtracted stays a `.`, so that a wide data frame still goes around terms().
updated_formula <- function(old, new, blueprint) {
  if (!"." %in% all.vars(old[[3]])) return(stats::update.formula(old, new))
  side <- do.call(substitute, list(new[[length(new)]], list(. = old[[3]])))
  if (is.null(wide_side(old[[3]])) || is.null(wide_side(side))) {
    old[[3]] <- dotless_side(old[[3]], blueprint)
    return(stats::update.formula(old, new))
  }
  if (length(new) == 3) old[[2]] <- do.call(substitute, list(new[[2]], list(. = old[[2]])))
  old[[3]] <- side
  old
}

# The right-hand side without a `.`.
dotless_side <- function(side, blueprint) {
  if (blueprint$kind == "terms") return(stats::formula(blueprint$terms)[[2]])
  intercept <- wide_side(side)$intercept
  stats::reformulate(sprintf("`%s`", names(blueprint$variables)), intercept = intercept)[[2]]
}

# Refuses to evaluate a call in which light_call() has put a word in place of a value. other: what else to do.
refuse_lost <- function(call, error_call, other = NULL) {
  lost <- vapply(as.list(call), function(it) is.name(it) && grepl("^<.*>$", it), NA)
  if (!any(lost)) return(invisible())
  lost <- names(call)[lost]
  abort_input("The call of the fit has no name for {.arg {lost}}, only a value, as after {.fn do.call}.", "object",
              i = "Give {cli::qty(lost)}{?it/them} again: {.code {lost[1]} = }.", i = other, call = error_call)
}
