# Errors that a user meets: what was given, what is wanted, what to do.

abort_offset <- function(call) {
  abort_input("{.arg formula} has an offset.", "formula",
              i = "Subtract the offset from a response of numbers; {.fn tlcp} takes offsets, and {.fn greedytl} with
                   {.code family = \"binomial\"} or {.val poisson}.",
              call = call)
}

# Parts of the error for callers: `most`, the largest allowed value, and `unknown`, the name of an argument that there
# is not. Names in braces are those of `env`.
abort_input <- function(what, argument, ..., call, env = rlang::caller_env(), most = NULL, unknown = NULL) {
  message <- c(what, ...)
  message[] <- vapply(message, abort_inline, "", env = env)
  cli::cli_abort(message, class = c(paste0("transelect_error_", argument), "transelect_error"),
                 call = call, .envir = env, most = most, unknown = unknown)
}

# The three commonest errors: the value of an argument is not what is wanted, or it is an object of another kind, or
# there is none. mend: what to do, in which names in braces are those of the caller.
abort_value <- function(value, argument, mend, call, env = rlang::caller_env()) {
  abort_argument("is {.val {value}}.", value, argument, mend = mend, call = call, env = env)
}

abort_kind <- function(value, argument, mend, call, env = rlang::caller_env()) {
  abort_argument("is {.obj_type_friendly {value}}.", value, argument, mend = mend, call = call, env = env)
}

abort_missing <- function(argument, mend, call, env = rlang::caller_env()) {
  abort_argument("is missing.", NULL, argument, mend = mend, call = call, env = env)
}

# The error of an argument that should have a value for each row.
abort_rows <- function(value, argument, mend, call, env = rlang::caller_env()) {
  missing <- if (is.atomic(value)) sum(is.na(value)) else 0
  what <- paste0("is {.obj_type_friendly {value}} of length {length(value)}",
                 if (missing) paste(" with", words_counted(missing, "missing value")), ".")
  abort_argument(what, value, argument, mend = mend, call = call, env = env)
}

abort_argument <- function(what, value, argument, mend, call, env) {
  env <- rlang::new_environment(list(value = value, argument = argument), parent = env)
  abort_input(paste("{.arg {argument}}", what), argument, i = mend, call = call, env = env)
}

# Dates and times are numbers, as in lm().
TIMES <- c("Date", "POSIXct", "difftime")

# "{.val {value}}" shows numbers and names; of anything else the message says what it is.
abort_inline <- function(text, env) {
  shown <- regmatches(text, gregexpr("\\{\\.val \\{[A-Za-z._]+\\}\\}", text))[[1]]
  for (part in shown) {
    name <- gsub("^\\{\\.val \\{|\\}\\}$", "", part)
    value <- get0(name, envir = env)
    plain <- is.atomic(value) && !is.raw(value) && is.null(dim(value)) && length(value) &&
      (!is.object(value) || is.factor(value) || inherits(value, TIMES))
    if (!plain) text <- sub(part, paste0("{.obj_type_friendly {", name, "}}"), text, fixed = TRUE)
  }
  text
}
