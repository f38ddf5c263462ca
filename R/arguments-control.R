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
  others <- sub("_control$", "", Filter(function(other) name %in% arguments_control_arguments(other),
                                        arguments_control_constructors()))
  if (!length(others)) return(invisible())
  here <- unname(SETTINGS_ELSEWHERE[[name]][method])
  setting <- any(vapply(paste0(others, "_control"), function(other) name %in% arguments_control_settings(other), NA))
  abort_input("{.arg {name}} is {if (setting) 'a setting' else 'an argument'} of {.fn {others}}, not of
               {.fn {method}}.", if (setting) name else "argument",
              i = if (!is.na(here %||% NA)) here else if (within) {
                "The settings of {.fn {method}} are {.arg {arguments_control_settings(constructor)}}."
              } else {
                "The arguments of {.fn {method}} are {.arg {arguments_control_method_arguments(method)}}; those of
                 {.fn {constructor}} {.arg {arguments_control_settings(constructor)}}."
              }, call = call)
}

# What a setting of one method is in another, whose name for it differs: by setting, then by method.
SETTINGS_ELSEWHERE <- list(
  family = c(msplit = "In {.fn msplit} it is {.arg loss}: {.val squared}, {.val binomial} or {.val multinomial}.",
             shareboost = "Leave it out: {.fn shareboost} always fits the logistic loss of its classes."),
  loss = c(greedytl = "In {.fn greedytl} it is {.arg family}.", tgreedy = "In {.fn tgreedy} it is {.arg family}.",
           tlcp = "In {.fn tlcp} it is {.arg family}.",
           shareboost = "Leave it out: {.fn shareboost} always fits the logistic loss of its classes."),
  lambda = c(msplit = "In {.fn msplit} it is {.arg nu}, which sets how far the two estimators may differ.",
             shareboost = "In {.fn shareboost} the factor of the penalty is {.arg ridge}.",
             tlcp = "In {.fn tlcp} the price of a feature is {.arg criterion}, a name or a number."),
  ridge = c(msplit = "In {.fn msplit} {.arg choose} is {.val ridge} for ridge regression, and {.arg nu} sets its
                      penalty.",
            tlcp = "In {.fn tlcp} the price of a feature is {.arg criterion}, a name or a number."),
  nu = c(greedytl = "In {.fn greedytl} the penalty is {.arg lambda}.",
         shareboost = "In {.fn shareboost} the factor of the penalty is {.arg ridge}.",
         tlcp = "In {.fn tlcp} the price of a feature is {.arg criterion}, a name or a number."),
  penalty = c(greedytl = "In {.fn greedytl} the ridge is {.arg lambda}.", msplit = "In {.fn msplit} it is {.arg nu}.",
              tlcp = "In {.fn tlcp} the price of a feature is {.arg criterion}, a name or a number."),
  criterion = c(greedytl = "In {.fn greedytl} {.arg rule} says how columns are chosen.",
                tgreedy = "In {.fn tgreedy} {.arg rule} says how columns are chosen.",
                shareboost = "In {.fn shareboost} {.arg rule} says how columns are chosen.",
                msplit = "In {.fn msplit} {.arg choose} says how the model is chosen."),
  rule = c(tlcp = "In {.fn tlcp} {.arg criterion} says how columns are chosen.",
           msplit = "In {.fn msplit} {.arg choose} says how the model is chosen."),
  choose = c(greedytl = "In {.fn greedytl} {.arg rule} says how columns are chosen.",
             tgreedy = "In {.fn tgreedy} {.arg rule} says how columns are chosen.",
             shareboost = "In {.fn shareboost} {.arg rule} says how columns are chosen.",
             tlcp = "In {.fn tlcp} {.arg criterion} says how columns are chosen."),
  max_steps = c(tlcp = "In {.fn tlcp} {.code sizes = TRUE} gives the best model of every size, and
                        {.code step = } of its verbs takes one."),
  sizes = c(greedytl = "Every step of a {.fn greedytl} path is a size: {.arg max_steps} is the largest.",
            tgreedy = "Every step of a {.fn tgreedy} path is a size: {.arg max_steps} is the largest.",
            shareboost = "Every step of a {.fn shareboost} path is a size: {.arg max_steps} is the largest.",
            msplit = "The steps of an {.fn msplit} path are its sizes: {.arg max_steps} is their largest number."),
  domain = c(greedytl = "{.fn greedytl} borrows from models: give those of other domains as {.arg sources}, or the rows
                         to {.fn tlcp}."),
  target = c(greedytl = "{.fn greedytl} borrows from models: give the rows of the target, and the models of other
                         domains as {.arg sources}.",
             tgreedy = "{.fn tgreedy} fits one model for all domains. For one domain's model use {.fn tlcp}."),
  sources = c(tgreedy = "{.fn tgreedy} borrows from rows: give {.arg domain}, or the models to {.fn greedytl}."),
  prob = c(tlcp = "{.code family = \"binomial\"} gives probabilities.",
           msplit = "{.arg loss} {.val binomial} or {.val multinomial} gives probabilities.",
           shareboost = "Leave it out: {.code predict(type = \"prob\")} always gives probabilities.")
)

# The arguments of a method beside those of every fitter, its settings in `control` not among them.
arguments_control_method_arguments <- function(method) {
  of <- lapply(paste0(method, c(".default", ".transfer_frame")), function(known) names(formals(get(known, topenv()))))
  setdiff(unlist(of), c("x", "y", "...", "weights", "offset", "control", "points"))
}

arguments_control_arguments <- function(constructor) {
  c(arguments_control_settings(constructor), arguments_control_method_arguments(sub("_control$", "", constructor)))
}
