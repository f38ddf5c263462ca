# Checks of values; each returns the value in the form that the kernels take.

# Finite numbers, at least one, or as many as one of `n` says. good: which of them will do.
check_numbers <- function(values, argument, good, mend, call, n = NULL, env = rlang::caller_env()) {
  values <- table_plain_number(values)
  many <- if (is.null(n)) length(values) > 0 else length(values) %in% n
  plain <- is.numeric(values) && !inherits(values, "Surv")
  if (plain && many && all(is.finite(values)) && all(good(values))) return(values)
  abort_value(values, argument, mend, call, env)
}

# Numbers of a grid, each once.
check_grid <- function(values, argument, good, mend, call) {
  values <- check_numbers(values, argument, good, mend, call)
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
  value <- table_plain_number(value)
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
check_single <- function(n, argument, call) {
  if (n > 1) abort_input("{.arg {argument}} has {n} values.", argument, i = "Give one.", call = call)
}

# An error for a data frame whose columns have no names at all.
check_has_names <- function(data, argument, call) {
  if (!is.data.frame(data) || !is.null(attr(data, "names")) || !length(data)) return(invisible())
  abort_input("{.arg {argument}} has {length(data)} column{?s} and no names.", argument,
              i = "Give every column a name.", call = call)
}

check_has_columns <- function(count, call) {
  if (count == 0) abort_input("{.arg x} has no columns.", "x", i = "Give at least one.", call = call)
}

# Are these numbers, texts or flags, which match() takes? (Survival times are a matrix of numbers, which it does not.)
check_is_matched <- function(values) is.atomic(values) && !inherits(values, "Surv")

# A list of which every element has a name of its own.
check_list_names <- function(list, argument, mend, call) {
  names <- rlang::names2(list)
  if (all(nzchar(names)) && !anyDuplicated(names)) return(invisible())
  abort_input("{.arg {argument}} has elements without a name, or two of one name.", argument, i = mend, call = call)
}

# Significant digits, as format() takes them.
check_digits <- function(digits, call) check_number(digits, "digits", 1, call, whole = TRUE, high = 22)

# One number between 0 and 1, neither of them.
check_share <- function(value, argument, call) {
  value <- table_plain_number(value)
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
check_order_by_names <- function(values, wanted, argument, call) {
  if (is.null(names(values)) || !is.numeric(values)) return(values)
  position <- words_match_names(wanted, names(values))
  if (anyNA(position) || length(values) != length(wanted) || anyDuplicated(position)) {
    abort_input("{.arg {argument}} has numbers named {.val {utils::head(names(values), 5)}}.",
                argument, i = "Name all of {.val {utils::head(wanted, 5)}}, or none.", call = call)
  }
  unname(values[position])
}

# Refuses empty names. `missing` is TRUE where the names are entries of a vector, in which an empty one
# is likely to stand for a missing value.
check_names_not_empty <- function(names, argument, what, call, missing = FALSE) {
  unnamed <- names[is.na(names) | names == ""]
  if (length(unnamed)) {
    abort_input("{.arg {argument}} has the {what} {.val {unnamed[1]}}.", argument,
                i = "Give every {what} a name.",
                i = if (missing) "Give {.code NA} for a missing entry, or leave the row out.",
                call = call)
  }
}

# what: what has the names.
check_names <- function(names, argument, call, what = "column") {
  if (anyNA(names) || !all(nzchar(names))) check_names_not_empty(names, argument, what, call)
  if (anyDuplicated(names)) {
    twice <- unique(names[duplicated(names)])
    abort_input("{.arg {argument}} has more than one {what} named {.val {utils::head(twice, 5)}}.",
                argument, i = "Give every {what} a name of its own.", call = call)
  }
}

# Refuses an argument whose number of values is not n, the number of rows of the argument `of`.
check_same_length <- function(value, argument, n, of, call) {
  if (NROW(value) == n) return(invisible())
  abort_input("{.arg {argument}} has {NROW(value)} value{?s}, {.arg {of}} has {n} row{?s}.", argument,
              i = "Give one value for each row.", call = call)
}
