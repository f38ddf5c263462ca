# The settings that a fitter takes as `control`: objects of tlcp_control() and its like, and errors about a setting that
# is given in the wrong place.

# What a constructor returns. settings: all of them by name, checked; not evaluated where they are the `default` and are
# known.
arguments_control_new <- function(method, settings, default) {
  known <- if (default) CONTROL_DEFAULTS[[method]]
  if (!is.null(known)) return(known)
  class(settings) <- c(paste0(method, "_control"), "transfer_control")
  if (default) assign(method, settings, CONTROL_DEFAULTS)
  settings
}

CONTROL_DEFAULTS <- new.env(parent = emptyenv()) # the objects without arguments, by method, once they were asked for

# `control` as the function named `constructor` returns it.
arguments_control_check <- function(control, constructor, call) {
  if (inherits(control, constructor)) return(control)
  if (is.list(control) && !is.object(control)) {
    check_list_names(control, "control", "Name every setting, each once.", call)
    return(do.call(constructor, control, envir = topenv()))
  }
  mend <- paste0("Give {.code control = ", constructor, "()}, with settings in the parentheses.")
  if (inherits(control, "transfer_control")) {
    abort_input("{.arg control} is made by {.fn {class(control)[1]}}.", "control", i = mend, call = call)
  }
  abort_kind(control, "control", mend, call)
}

# The control object with other values of some settings.
arguments_control_with <- function(control, changed) {
  settings <- unclass(control)
  settings[names(changed)] <- changed
  do.call(class(control)[1], settings, envir = topenv())
}

#' @export
`$<-.transfer_control` <- function(x, name, value) arguments_control_with(x, stats::setNames(list(value), name))

#' @export
`[[<-.transfer_control` <- function(x, i, value) {
  arguments_control_with(x, stats::setNames(list(value), if (is.numeric(i)) names(x)[i] else i))
}

#' @export
`[<-.transfer_control` <- function(x, i, value) {
  changed <- if (is.character(i)) i else names(x)[i]
  arguments_control_with(x, stats::setNames(rep_len(as.list(value), length(changed)), changed))
}

# The call that makes a control object, with the settings that are not the defaults.
arguments_control_call <- function(control) {
  constructor <- class(control)[1]
  default <- do.call(constructor, list(), envir = topenv())
  other <- Filter(function(name) !identical(control[[name]], default[[name]]), names(control))
  as.call(c(as.name(constructor), unclass(control)[other]))
}

#' @export
print.transfer_control <- function(x, ...) {
  method <- sub("_control$", "", class(x)[1])
  given <- as.list(arguments_control_call(x))[-1]
  shown <- vapply(given, function(value) words_shortened(deparse(value, nlines = 1)[1], 60), "")
  text <- paste0("Settings of ", method, "(): ", if (length(shown)) {
    paste0(paste(names(shown), "=", shown, collapse = ", "), "; the others are the defaults.")
  } else {
    "all are the defaults."
  })
  cat(strwrap(text, exdent = 2), sep = "\n")
  invisible(x)
}

# The names of all constructors.
arguments_control_constructors <- function() ls(topenv(), pattern = "^[a-z]+_control$")

arguments_control_settings <- function(constructor) setdiff(names(formals(get(constructor, topenv()))), "...")

# The constructor of what `fun`, a fitter's method, takes as `control`, or hands on; where `fun` is a constructor, its
# own name.
arguments_control_of <- function(fun) {
  default <- formals(fun)$control
  if (is.call(default)) return(as.character(default[[1]]))
  Find(function(name) {
    identical(get(name, topenv()), fun) || identical(get(sub("_control$", ".formula", name), topenv()), fun)
  }, arguments_control_constructors())
}

# An error where an argument without a place in `fun` is a setting: of its `control`, of another method, or, where
# `fun` is a constructor, an argument of the method itself. value: as it is written.
arguments_control_refuse <- function(name, value, fun, call) {
  constructor <- arguments_control_of(fun)
  if (is.null(constructor)) return(invisible())
  method <- sub("_control$", "", constructor)
  written <- paste(name, "=", words_shortened(deparse(value, nlines = 1)[1], 40))
  within <- identical(fun, get(constructor, topenv())) # in a call of the constructor
  if (!within && name %in% arguments_control_settings(constructor)) {
    abort_input("{.arg {name}} belongs to {.arg control}: give {.code control = {constructor}({written})}.", name,
                call = call)
  }
  if (within && name %in% unlist(lapply(paste0(method, c(".default", ".transfer_frame")), function(known) {
    names(formals(get(known, topenv())))
  }))) {
    abort_input("{.arg {name}} is an argument of {.fn {method}} itself: give {.code {method}(..., {written})}.", name,
                call = call)
  }
  others <- Filter(function(other) name %in% arguments_control_settings(other), arguments_control_constructors())
  if (length(others)) {
    abort_input("{.arg {name}} is a setting of {.fn {sub('_control$', '', others)}}, not of {.fn {method}}.", name,
                i = "The settings of {.fn {method}} are {.arg {arguments_control_settings(constructor)}}.", call = call)
  }
}
