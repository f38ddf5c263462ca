# The arguments of methods for generics of other packages: what a user wrote is honoured or refused, what a package
# hands on to any model is let pass.

# The arguments in the `...` of the calling method that are named in `more`, as a list of their values. Of the others
# those are let pass that change nothing: the names in `same`, which the generic documents; those that are NULL or
# FALSE; and all that a function of another package hands on, as it does to any model. What a user wrote is refused, and
# so is a name near one of ours, or that of an argument by which other verbs choose a model. call, caller: see
# arguments_check(); where `call` is NULL, errors name the function of this package that was called first.
arguments_of_generic <- function(more = NULL, call = NULL, caller = sys.parent(), same = NULL) {
  force(caller)
  arguments_refuse_abbreviated(caller, call)
  env <- sys.frame(caller)
  if (eval(quote(...length()), env) == 0L) return(list())
  first <- arguments_first_of_ours(caller)
  call <- call %||% sys.frame(first)
  dots <- as.list(substitute(list(...), env))[-1]
  names <- rlang::names2(dots)
  given <- !vapply(dots, rlang::is_missing, NA)
  unnamed <- which(given & !nzchar(names))
  if (length(unnamed)) arguments_refuse_unnamed(dots[[unnamed[1]]], caller, call, more)
  mine <- given & names %in% more
  other <- which(given & !names %in% c(more, same))
  if (length(other)) {
    known <- c(arguments_known_names(caller), more)
    strict <- !arguments_handed_on(first)
    for (k in other) {
      if (names[k] %in% MODEL_ARGUMENTS || length(arguments_nearest(names[k], known)) ||
            strict && !arguments_is_off(k, env)) {
        arguments_refuse(names[k], caller, call, more)
      }
    }
  }
  stats::setNames(lapply(which(mine), function(k) eval(call("...elt", k), env)), names[mine])
}

MODEL_ARGUMENTS <- c("step", "lambda", "domain", "nu", "estimator", "newdata", "sources")

# What as.data.frame() is given by other functions and changes nothing in our tables.
TABLE_ARGUMENTS <- c("stringsAsFactors", "make.names", "cut.names", "check.names", "fix.empty.names")

# Does the argument at place k of the `...` of the frame `env` say that something is not wanted?
arguments_is_off <- function(k, env) {
  value <- tryCatch(eval(call("...elt", k), env), error = function(e) NA)
  is.null(value) || isFALSE(value)
}

# The number of the frame, from `caller` up, that called this package: methods of ours call each other.
arguments_first_of_ours <- function(caller) {
  ours <- function(k) k > 0L && identical(environment(sys.function(k)), topenv())
  parents <- sys.parents()
  while (ours(parents[caller])) caller <- parents[caller]
  caller
}

# Did a function of another package make the call of frame `caller`? Those of R itself, and of packages that apply a
# function as the user says, do not count: theirs is what the user wrote.
arguments_handed_on <- function(caller) {
  parents <- sys.parents()
  at <- parents[caller]
  while (at > 0L) {
    space <- topenv(sys.frame(at))
    if (!isNamespace(space)) return(FALSE) # of the user, or code that is evaluated in an environment of its own
    name <- getNamespaceName(space)
    if (name == getNamespaceName(topenv())) return(FALSE)
    if (!name %in% USERS_HAND) return(TRUE)
    at <- parents[at]
  }
  FALSE
}

USERS_HAND <- c("base", "stats", "utils", "methods", "graphics", "parallel", "rlang", "generics", "purrr",
                "future.apply")
