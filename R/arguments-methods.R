# Methods of fitters: their arguments, what they were given, and how the method for frames is called with it.

# The method of a fitter for frames, NULL where no function of this package with this name has one.
arguments_methods_frame_method <- function(fitter) get0(paste0(fitter, ".transfer_frame"), topenv(), inherits = FALSE)

# The methods of a fitter for a formula and for data: `method` with the arguments of the method for
# frames after its own. These are then written, with their defaults, in one place, and help and
# completion show them. Called in zzz.R, when all methods are defined.
arguments_methods_with_those_of <- function(fitter, method) {
  own <- formals(method)
  more <- formals(arguments_methods_frame_method(fitter))[-1]
  formals(method) <- c(own, more[setdiff(names(more), names(own))])
  method
}

# The arguments that the calling method for frames was given, by name: what refit() gives again. To be asked for before
# any of them is changed. They are checked, unless arguments_methods_fit_frame() calls, whose caller has checked them.
# `call`: see arguments_check().
arguments_methods_given <- function(call) {
  at <- sys.parent()
  env <- sys.frame(at)
  asked <- sys.call(at)
  if (identical(asked[[1]], quote(fit_to_frame))) {
    written <- names(asked)[-(1:2)]
  } else {
    written <- arguments_checked(call, NULL, at)
    written <- arguments_methods_not_missing(written[names(written) %in% names(formals(sys.function(at)))[-1]], env)
  }
  if (length(written)) mget(written, envir = env) else list(none = NULL)[0]
}

# The names of the arguments `written` in the call of `env` that have a value. Only a symbol, or nothing, may stand for
# one that is missing.
arguments_methods_not_missing <- function(written, env) {
  open <- vapply(written, is.symbol, NA)
  names <- names(written)
  for (name in names[open]) if (eval(call("missing", as.name(name)), env)) names <- setdiff(names, name)
  names
}

# The names of the arguments of methods for frames but the first: formals() takes too long for every call.
arguments_methods_known <- new.env(parent = emptyenv())

arguments_methods_of_frame <- function(method) {
  if (is.null(arguments_methods_known[[method]])) arguments_methods_known[[method]] <- names(formals(get(method,
                                                                                                         topenv())))[-1]
  arguments_methods_known[[method]]
}

# For a method made by arguments_methods_with_those_of(), whose arguments are checked: calls the fitter's method for
# frames, under the name fit_to_frame(), by which arguments_methods_given() knows this, with `frame` and the arguments
# that were given. matched: the call of the method, which a path keeps, as it keeps the formula.
arguments_methods_fit_frame <- function(fitter, matched = NULL) {
  env <- parent.frame()
  method <- paste0(fitter, ".transfer_frame")
  env$fit_to_frame <- get(method, topenv())
  asked <- quote(fit_to_frame(frame))
  written <- if (is.null(matched)) arguments_written(sys.parent()) else as.list(matched)
  written <- written[names(written) %in% arguments_methods_of_frame(method)]
  if (length(written)) for (name in arguments_methods_not_missing(written, env)) asked[[name]] <- as.name(name)
  fit <- rlang::eval_bare(asked, env) # eval() would put itself into errors and warnings
  if (is.null(matched)) return(fit)
  if (!is.null(env$frame$unweighted)) fit <- arguments_methods_rows_apart(fit, env$frame)
  fit$call <- arguments_methods_light_call(matched, fitter)
  if (!is.null(env$formula)) fit$formula <- arguments_methods_kept_formula(env$formula, matched)
  fit
}

# What was fitted to the frame, with what it says of rows of weight 0 (`unweighted` of frame_new()).
arguments_methods_rows_apart <- function(fit, frame) UseMethod("arguments_methods_rows_apart")

#' @export
arguments_methods_rows_apart.default <- function(fit, frame) fit

# The call names the generic, so that update() works.
arguments_methods_light_call <- function(call, generic) {
  call[[1]] <- as.name(generic)
  for (k in seq_along(call)[-1]) {
    if (is.symbol(call[[k]])) next # it may be empty
    it <- call[[k]]
    if (inherits(it, "formula")) {
      attributes(it) <- NULL
      call[[k]] <- it
    } else if (!is.language(it) && length(it) > 20 || is.list(it) || is.function(it)) {
      call[[k]] <- as.name(paste0("<", class(it)[1], ">"))
    }
  }
  call
}

# What a fit keeps of its formula: without data it needs the formula's environment, which has the variables.
arguments_methods_kept_formula <- function(formula, matched) {
  if (is.null(matched$data)) formula else arguments_methods_light_formula(formula)
}

# The formula of a fit without data, NULL where it had data, or variables that are found anywhere.
arguments_methods_formula_without_data <- function(fit, call) {
  formula <- fit$formula
  if (is.null(call$data) && inherits(formula, "formula") && !identical(environment(formula), globalenv())) formula
}

arguments_methods_light_formula <- function(formula) {
  environment(formula) <- globalenv()
  formula
}
