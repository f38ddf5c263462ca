# Errors and messages, and how names and numbers are written in them.

# `most`: the largest allowed value, for a caller that takes this value instead. Names in braces are those of `env`.
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

# ---- progress of work that may take seconds -----------------------------------------------------
# Where the package progressr is loaded, it is told, and the user decides; else cli shows a bar in an interactive
# session, once the work has taken two seconds, with an estimate of the rest where the end is known. A computation
# within a computation that already shows progress shows none.

progress_state <- new.env(parent = emptyenv())
progress_state$busy <- FALSE

# A function of `done` (and `all`, 0 where the end is not known) to call as the work goes on, until the function that
# asked for it returns; NULL where nobody is shown the progress.
new_progress <- function(what, total = 0, envir = rlang::caller_env(), told = isNamespaceLoaded("progressr")) {
  if (progress_state$busy) return(NULL)
  if (!told && !isTRUE(getOption("transelect.progress", interactive() && rlang::is_interactive()))) return(NULL)
  silence_nested(envir)
  if (told) progress_by_progressr(what, total, envir) else progress_by_cli(what, total, envir)
}

# Silences progress of work within the call of `envir`.
silence_nested <- function(envir) {
  if (progress_state$busy) return(invisible())
  progress_state$busy <- TRUE
  do.call(on.exit, list(bquote(assign("busy", FALSE, envir = .(progress_state))), add = TRUE), envir = envir)
}

# The progress in percent where the end is known, otherwise in words.
progress_by_progressr <- function(what, total, envir) {
  signal <- progressr::progressor(steps = 100, label = what, envir = envir)
  at <- 0
  function(done, all = total) {
    here <- if (all > 0) min(100, floor(100 * done / all)) else at
    message <- paste0(what, ": ", signif(done, 3), if (all > 0) paste(" of", signif(all, 3)))
    signal(message, amount = here - at)
    at <<- here
  }
}

progress_by_cli <- function(what, total, envir) {
  bar <- cli::cli_progress_bar(what, total = if (total > 0) total else NA, .envir = envir)
  function(done, all = total) {
    cli::cli_progress_update(set = done, total = if (all > 0) all else NA, id = bar, .envir = envir)
  }
}

# Runs `code`, during which the kernels report their progress.
with_progress_of <- function(what, code) {
  tell <- new_progress(what)
  if (!is.null(tell)) {
    .Call(C_progress, tell)
    on.exit(.Call(C_progress, NULL), add = TRUE)
  }
  code
}
