# Checks of arguments that all methods have; each returns the value in the form the kernels take.

# Numbers of a grid, each once. good: which of them will do.
check_grid <- function(values, argument, good, mend, call) {
  values <- plain_number(values)
  if (!is.numeric(values) || !length(values) || !all(is.finite(values)) || !all(good(values))) {
    abort_value(values, argument, mend, call)
  }
  if (anyDuplicated(values)) {
    abort_input("{.arg {argument}} has {.val {values[duplicated(values)]}} twice.", argument,
                i = "Give every value once.", call = call)
  }
  as.double(values)
}

# A default is written as all the choices, of which the first is meant.
check_choice <- function(value, choices, argument, call) {
  if (identical(value, choices)) value <- value[1]
  if (!is.character(value) || length(value) != 1 || !value %in% choices) {
    abort_value(value, argument, "Give one of {.or {.val {choices}}}.", call)
  }
  value
}

check_flag <- function(value, argument, call) {
  if (!is.logical(value) || length(value) != 1 || is.na(value)) {
    abort_value(value, argument, "Give {.code TRUE} or {.code FALSE}.", call)
  }
  value
}

# One finite number from `low` to `high`.
check_number <- function(value, argument, low, call, whole = FALSE, high = Inf) {
  value <- plain_number(value)
  good <- is.numeric(value) && length(value) == 1 && is.finite(value) && value >= low &&
    value <= high && (!whole || value == round(value))
  if (!good) {
    kind <- if (whole) "whole number" else "number"
    range <- if (high < Inf) " from {low} to {high}." else ", at least {low}."
    abort_value(value, argument, paste0("Give one {kind}", range), call)
  }
  as.double(value)
}

# Refuses several values (or models: `n` of them) where one is wanted.
refuse_several <- function(n, argument, call) {
  if (n > 1) abort_input("{.arg {argument}} has {n} values.", argument, i = "Give one.", call = call)
}

refuse_no_columns <- function(count, call) {
  if (count == 0) abort_input("{.arg x} has no columns.", "x", i = "Give at least one.", call = call)
}

# A list of which every element has a name of its own.
refuse_names <- function(list, argument, mend, call) {
  names <- rlang::names2(list)
  if (all(nzchar(names)) && !anyDuplicated(names)) return(invisible())
  abort_input("{.arg {argument}} has elements without a name, or two of one name.", argument, i = mend, call = call)
}

# Significant digits, as format() takes them.
check_digits <- function(digits, call) {
  check_number(digits, "digits", 1, call, whole = TRUE, high = 22)
}

# A matrix of one column as a vector.
one_column <- function(value) if (is.matrix(value) && ncol(value) == 1) value[, 1] else value

# Integers of 64 bits as the numbers that they stand for.
plain_number <- function(value) {
  if (inherits(value, "integer64")) from_integer64(value) else value
}

from_integer64 <- function(v) {
  rlang::check_installed("bit64", "to read 64-bit integers")
  loadNamespace("bit64")
  as.double(v)
}

# plain_number() of the columns of a data frame.
plain_numbers <- function(data) {
  for (j in which(vapply(data, inherits, NA, "integer64"))) data[[j]] <- plain_number(data[[j]])
  data
}

# One number between 0 and 1, neither of them.
check_share <- function(value, argument, call) {
  value <- plain_number(value)
  good <- is.numeric(value) && length(value) == 1 && isTRUE(value > 0 && value < 1)
  if (!good) abort_value(value, argument, "Give one number between 0 and 1.", call)
  value
}

MOST_THREADS <- 1024 # that the kernels take

check_threads <- function(call) {
  threads <- getOption("transelect.threads", 1L)
  as.integer(check_number(threads, "transelect.threads", 1, call, TRUE, high = MOST_THREADS))
}

# The largest number of columns a path may take.
check_most <- function(max_steps, columns, call) {
  max_steps <- check_number(max_steps, "max_steps", 0, call, whole = TRUE)
  if (max_steps > columns) {
    abort_input("{.arg max_steps} is {max_steps}, more than the {columns} column{?s}
                 there {?is/are}.",
                "max_steps", i = "Give at most {columns}: features and sources
                                  together.", call = call, most = columns)
  }
  max_steps
}

check_candidates <- function(candidates, columns, call) {
  if (is.null(candidates)) return(0L)
  as.integer(min(check_number(candidates, "candidates", 1, call, whole = TRUE), columns))
}

# Numbers in the order of `names`: by their names, or as they stand where they have none.
in_order_of <- function(values, names, argument, call) {
  if (is.null(names(values)) || !is.numeric(values)) return(values)
  if (!setequal(names(values), names) || anyDuplicated(names(values))) {
    abort_input("{.arg {argument}} has numbers named {.val {utils::head(names(values), 5)}}.",
                argument, i = "Name all of {.val {utils::head(names, 5)}}, or none.", call = call)
  }
  unname(values[names])
}

SQUARES_LEAST <- 1e-140 # values whose squares are numbers
SQUARES_MOST <- 1e140
