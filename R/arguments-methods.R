# Methods of fitters: the method for frames, and the call that a fit keeps.

# The method of a fitter for frames, NULL where no function of this package with this name has one.
arguments_methods_frame_method <- function(fitter) get0(paste0(fitter, ".transfer_frame"), topenv(), inherits = FALSE)

# arguments_check() for the methods of a fitter for data and for a formula, whose `...` holds arguments that they hand
# on to its method for frames. Returns these by name; more: names of others that the caller takes from its `...`. An
# argument that is written as a name for which the caller's caller was given nothing takes its default.
arguments_methods_check <- function(fitter, more = NULL) {
  caller <- sys.parent()
  env <- sys.frame(caller)
  called <- sys.function(caller)
  # which names are known is only asked where there are others
  written <- arguments_checked(NULL, setdiff(c(names(formals(arguments_methods_frame_method(fitter)))[-1], more),
                                             names(formals(called))), caller)
  for (name in names(written)) {
    if (!is.symbol(written[[name]])) next
    default <- formals(called)[name]
    if (is.na(names(default)) || !eval(call("missing", as.name(name)), env)) next
    if (!rlang::is_missing(default[[1]])) assign(name, eval(default[[1]], env), env)
  }
  if (eval(quote(...length()), env)) arguments_methods_dots(env) else list()
}

# The value of `code`, a call of the caller's, with the further arguments `more` (arguments_methods_dots()).
arguments_methods_handed_on <- function(code, more) {
  if (!length(more)) return(code)
  # eval() would be a call of its own, which errors would name
  rlang::eval_bare(as.call(c(as.list(substitute(code)), more)), parent.frame())
}

# The values of what stands in the `...` of the frame `env`, by name, without what its caller was not given; code is
# quoted, for eval() to leave it as it is.
arguments_methods_dots <- function(env) {
  named <- names(as.list(substitute(list(...), env))[-1])
  given <- !vapply(seq_along(named), function(k) eval(call("missing", as.name(paste0("..", k))), env), NA)
  values <- lapply(which(given), function(k) {
    value <- eval(call("...elt", k), env)
    if (is.language(value)) call("quote", value) else value
  })
  stats::setNames(values, named[given])
}

# A fit with what its fitter's method for data or for a formula was called with: the call, in which the generic is
# named; the formula; and what the fit says of rows of weight 0. matched: the call of the method.
arguments_methods_called <- function(fit, frame, matched, fitter, formula = NULL) {
  if (!is.null(.subset2(frame, "unweighted"))) fit <- arguments_methods_rows_apart(fit, frame)
  made <- oldClass(fit)
  fit <- unclass(fit) # for a faster `$`
  fit$call <- arguments_methods_light_call(matched, fitter)
  if (!is.null(formula)) fit$formula <- arguments_methods_kept_formula(formula, matched)
  class(fit) <- made
  whole_sealed(fit)
}

# Of what refit() gives a fitter again, the arguments that are not the defaults.
arguments_methods_not_default <- function(given, fitter) {
  defaults <- lapply(formals(arguments_methods_frame_method(fitter))[names(given)], eval, topenv())
  given[!vapply(names(given), function(name) identical(given[[name]], defaults[[name]]), NA)]
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
    } else if (inherits(it, "transfer_control")) {
      call[[k]] <- arguments_control_call(it)
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
