# update() of a path: its call evaluated anew, or a refit where it has none.

# update.default() cannot subtract terms from a `.`: only the fit knows its variables.
#' @export
update.transfer_path <- function(object, formula., ..., evaluate = TRUE) {
  call <- rlang::current_env()
  whole_check(object, call)
  evaluate <- check_flag(evaluate, "evaluate", call)
  anew <- stats::getCall(object)
  if (is.null(anew)) return(path_update_by_refit(object, if (!missing(formula.)) formula., list(...), call))
  extras <- match.call(expand.dots = FALSE)$... # as they were written, for the caller to evaluate
  anew[names(extras)] <- extras
  path_refit_refuse_lost(anew, call, UPDATE_MEND)
  place <- if ("formula" %in% names(anew)) "formula" else 2L
  if (!missing(formula.)) {
    old <- object$formula %||% stats::formula(object) # which says that there is none
    wanted <- tryCatch(stats::as.formula(formula.), error = function(e) NULL)
    if (is.null(wanted)) {
      abort_kind(formula., "formula.", "Give a formula, as {.code . ~ . - x}, or the text of one.", call)
    }
    anew[[place]] <- path_update_formula(old, wanted, object$blueprint)
  } else if (!"formula" %in% names(extras)) {
    anew[[place]] <- arguments_methods_formula_without_data(object, anew) %||% anew[[place]]
  }
  if (!evaluate) return(anew)
  env <- parent.frame()
  if (is.name(anew[[1L]]) && !exists(as.character(anew[[1L]]), env, mode = "function")) {
    abort_input("The call of the fit is of the function {.code {anew[[1L]]}}, which is not found here.", "object",
                i = UPDATE_MEND, call = call)
  }
  given <- anew[!names(anew) %in% c(names(extras), if (!missing(formula.)) "formula")]
  tryCatch(eval(anew, env), error = function(error) {
    path_update_refuse_lost_names(error, given, env, call)
    rlang::cnd_signal(error)
  })
}

UPDATE_MEND <- "{.code refit(fit, data)} fits to other rows without the call."

# The call `anew` of a fit was evaluated in `env` and ended with `error`. If the error's message quotes a name in the
# call, as R does of one that was not found, an error that names its argument, and with it the other arguments whose
# values are names that `env` does not have.
path_update_refuse_lost_names <- function(error, anew, env, call) {
  message <- conditionMessage(error)
  said <- function(name) {
    pattern <- if (startsWith(name, "..")) name else c(paste0("'", name, "'"), paste0("\u2018", name, "\u2019"))
    any(vapply(pattern, grepl, NA, message, fixed = TRUE))
  }
  variables <- lapply(as.list(anew)[-1], all.vars)
  lost <- Filter(length, lapply(variables, Filter, f = said))
  if (inherits(error, "rlang_error") || !length(lost)) return(invisible())
  in_data <- !is.null(anew$formula) || "data" %in% names(anew) # where the others may be columns of the data
  written <- setdiff(names(anew), if (in_data) c("weights", "subset", "domain", "offset"))
  others <- Filter(function(value) is.name(value) && !exists(as.character(value), env),
                   as.list(anew)[written[nzchar(written)]])
  lost <- c(lost, lapply(others[setdiff(names(others), names(lost))], as.character))
  abort_input("The call of the fit has the name{?s} {.code {unique(unlist(lost))}}, which {?is/are} not found here.",
              "object", i = "Give {.arg {names(lost)}} again.", i = UPDATE_MEND, call = call)
}

# A verb that takes data and a fitter, such as cv_path(), for a fit: the verb is called with the data and the arguments
# of the fit's call and its fitter as `fit`. extras: further arguments as the user wrote them; taken: arguments of the
# verb that mean something else to the fitter. env: where the calls were made.
path_update_as_verb <- function(object, verb, extras, taken, env, call) {
  caller <- sys.parent()
  unnamed <- which(!nzchar(rlang::names2(extras)))
  if (length(unnamed)) arguments_refuse_unnamed(extras[[unnamed[1]]], caller, call)
  anew <- path_update_call_of_fit(object, verb, names(extras), call)
  fitter <- anew[[1]]
  own <- intersect(names(anew), taken)
  if (length(own)) {
    body <- as.call(c(fitter, quote(x), as.list(anew[own]), quote(...)))
    fitter <- call("function", as.pairlist(alist(x = , ... = )), body)
    anew[own] <- NULL
  }
  anew[[1]] <- as.name(verb)
  more <- c(list(fit = fitter), as.list(extras))
  anew[names(more)] <- more
  path_update_run(anew, object, env, call)
}

# The call of a fit, with its formula where that has the variables; an error where the call lacks a value, or has an
# argument that the verb does not take. again: names of arguments that are given again.
path_update_call_of_fit <- function(object, verb, again, call) {
  made <- stats::getCall(object)
  mend <- "{.fn {verb}} also takes the data and the method: {.code {verb}(y ~ ., data = , fit = )}."
  mend <- gsub("{verb}", verb, mend, fixed = TRUE)
  if (is.null(made)) {
    abort_input("The fit has no call, as within a function that {.fn cv_path} runs.", "object", i = mend, call = call)
  }
  kept <- made[!names(made) %in% again]
  path_refit_refuse_lost(kept, call, mend)
  formula <- if (!"formula" %in% again) arguments_methods_formula_without_data(object, kept)
  if (!is.null(formula)) kept[[2L]] <- formula
  method <- path_refit_method(object)
  if (identical(made[[1]], as.name(method)) && !is.null(arguments_methods_frame_method(method))) {
    by <- if (is.null(object$formula)) ".default" else ".formula"
    taken <- c(names(formals(get(paste0(verb, by), topenv()))), names(formals(arguments_methods_frame_method(method))))
    other <- setdiff(names(kept)[-1], taken)
    if (length(other)) {
      abort_input("{.fn {verb}} takes no {.arg {other}}, which the fit has.", "object",
                  i = "Fit without {cli::qty(other)}{?it/them}.", call = call)
    }
  }
  kept
}

# The value of a call that names a function of this package and a fitter, which need not be attached.
path_update_run <- function(anew, object, env, call) {
  method <- path_refit_method(object)
  names <- c(as.character(anew[[1]]), if (!is.null(arguments_methods_frame_method(method))) method)
  here <- rlang::new_environment(mget(names, topenv()), parent = env)
  tryCatch(eval(anew, here), error = function(error) {
    path_update_refuse_lost_names(error, anew, env, call)
    rlang::cnd_signal(error)
  })
}

# update() of a path without a call: refit() to the data among the arguments `given`.
path_update_by_refit <- function(object, formula, given, call) {
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
  here <- rlang::current_env()
  whole_check(object, here)
  call <- stats::getCall(object)
  env <- parent.frame()
  kept_call <- call[!names(call) %in% ...names()]
  path_refit_refuse_lost(kept_call, here)
  formula <- arguments_methods_formula_without_data(object$fit, call)
  tryCatch(if (is.null(formula)) NextMethod() else {
    object$call$formula <- formula
    eval(stats::update.default(object, ..., evaluate = FALSE), env)
  }, error = function(error) {
    path_update_refuse_lost_names(error, kept_call, env, here)
    rlang::cnd_signal(error)
  })
}

# A `.` from which names are subtracted stays a `.`, so that a wide data frame still goes around terms().
path_update_formula <- function(old, new, blueprint) {
  if (length(old) != 3) {
    abort_input("The formula of the fit has no response: it was changed after the fit was made.", "object",
                i = "Fit again.", call = rlang::caller_env())
  }
  if (!"." %in% all.vars(old[[3]])) return(stats::update.formula(old, new))
  side <- do.call(substitute, list(new[[length(new)]], list(. = old[[3]])))
  if (is.null(frame_formula_terms_wide_side(old[[3]])) || is.null(frame_formula_terms_wide_side(side))) {
    old[[3]] <- path_formula_dotless_side(old[[3]], blueprint)
    return(stats::update.formula(old, new))
  }
  if (length(new) == 3) old[[2]] <- do.call(substitute, list(new[[2]], list(. = old[[2]])))
  old[[3]] <- side
  old
}
