# What users are told: errors and messages, and how names and numbers stand in them.

# `most`: the largest value that would do, for a caller that takes it instead. Names in braces are those of `env`.
abort_input <- function(what, argument, ..., call, env = rlang::caller_env(), most = NULL) {
  message <- c(what, ...)
  message[] <- vapply(message, in_words, "", env = env)
  cli::cli_abort(message, class = c(paste0("transelect_error_", argument), "transelect_error"),
                 call = call, .envir = env, most = most)
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
                 if (missing) paste(" with", counted(missing, "missing value")), ".")
  abort_argument(what, value, argument, mend = mend, call = call, env = env)
}

abort_argument <- function(what, value, argument, mend, call, env) {
  env <- rlang::new_environment(list(value = value, argument = argument), parent = env)
  abort_input(paste("{.arg {argument}}", what), argument, i = mend, call = call, env = env)
}

# Dates and times are numbers, as in lm().
TIMES <- c("Date", "POSIXct", "difftime")

# "{.val {value}}" shows numbers and names; of anything else the message says what it is.
in_words <- function(text, env) {
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

# A message in words; cli's markup would take longer than many a fit. mend: what to do, a line of its own.
tell <- function(text, mend = NULL, class = NULL) {
  rlang::inform(c(text, i = mend), class = c(class, "transelect_message"))
}

# "a", "b" and "c"
in_quotes <- function(names) {
  more <- length(names) - 20
  if (more > 0) names <- names[1:20]
  text <- paste0('"', names, '"')
  if (more > 0) text <- c(text, paste(more, "more"))
  k <- length(text)
  paste0(paste(text[-k], collapse = ", "), if (k > 1) " and ", text[k])
}

# "1 domain", "2 domains"
counted <- function(n, what, ending = "s") paste0(n, " ", what, if (n != 1) ending)

# The name of the one domain that all rows are of where no domains were given.
NO_DOMAIN <- "all"
in_domain <- function(name) if (name == NO_DOMAIN) "" else paste0(" in domain \"", name, "\"")

# A line for domains that na.action has left without a row.
lost_domains <- function(domains) {
  if (!length(domains)) return("")
  shown <- utils::head(domains, 10)
  paste0("\nNo complete row: domain", if (length(domains) > 1) "s", " ",
         paste(shown, collapse = ", "), if (length(domains) > 10) ", ...")
}

# Names of more than `keep` characters are cut in the middle.
shorten <- function(names, keep) {
  n <- nchar(names)
  head <- ceiling((keep - 2) / 2)
  long <- n > keep
  names[long] <- paste0(substr(names[long], 1L, head), "..",
                        substring(names[long], n[long] - (keep - 3L - head)))
  names
}

# Text of more than `most` characters is cut at its end.
shortened <- function(text, most) {
  ifelse(nchar(text) > most, paste0(substr(text, 1, most - 3), "..."), text)
}

big_number <- function(x) format(x, big.mark = ",", scientific = FALSE, trim = TRUE)
