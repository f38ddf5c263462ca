# Checks of arguments that all methods have; each returns the value in the form the kernels take.

check_choice <- function(value, choices, argument, call) {
  if (!is.character(value) || length(value) != 1 || !value %in% choices) {
    abort_input("{.arg {argument}} is {.val {value}}.", argument,
                i = "Choose one of {.or {.val {choices}}}.", call = call)
  }
  value
}

check_flag <- function(value, argument, call) {
  if (!is.logical(value) || length(value) != 1 || is.na(value)) {
    abort_input("{.arg {argument}} is {.val {value}}.", argument,
                i = "Give {.code TRUE} or {.code FALSE}.", call = call)
  }
  value
}

# One finite number, at least `low`.
check_number <- function(value, argument, low, call, whole = FALSE) {
  good <- is.numeric(value) && length(value) == 1 && is.finite(value) && value >= low &&
    (!whole || value == round(value))
  if (!good) {
    kind <- if (whole) "whole number" else "number"
    abort_input("{.arg {argument}} is {.val {value}}.", argument,
                i = "Give one {kind}, at least {low}.", call = call)
  }
  value
}

check_threads <- function(call) {
  threads <- getOption("transelect.threads", 1L)
  as.integer(check_number(threads, "transelect.threads", 1, call, whole = TRUE))
}

# The largest number of columns a path may take.
check_most <- function(max_steps, columns, call) {
  max_steps <- check_number(max_steps, "max_steps", 0, call, whole = TRUE)
  if (max_steps > columns) {
    abort_input("{.arg max_steps} is {max_steps}, more than the {columns} column{?s}
                 there {?is/are}.",
                "max_steps", i = "The columns there are, sources included, are the most that can
                enter.", call = call)
  }
  max_steps
}
