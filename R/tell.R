# Messages.

# A message in words; cli's markup would take longer than many a fit, and rlang::inform() as long as one to few rows.
# mend: what to do, a line of its own.
tell <- function(text, mend = NULL, class = NULL) {
  if (identical(getOption("rlib_message_verbosity"), "quiet")) return(invisible())
  told <- list(message = text, call = NULL, body = if (!is.null(mend)) c(i = mend))
  class(told) <- c(class, "transelect_message", "rlang_message", "message", "condition")
  withRestarts({
    signalCondition(told)
    cat(words_wrapped(conditionMessage(told)), sep = "\n", file = if (tell_to_output()) stdout() else stderr())
  }, muffleMessage = function() NULL)
  invisible()
}

# As rlang has it: consoles show standard error in red.
tell_to_output <- function() rlang::is_interactive() && sink.number() == 0 && sink.number("message") == 2

# The text, made as rlang makes it, but faster. signalCondition() asks for it even where nobody reads it, and drops it:
# the mark's colour, which takes as long as a small fit, is left out there. A document of knitr shows the text as it is,
# so that its lines are broken here.
#' @export
conditionMessage.transelect_message <- function(c) {
  if (identical(sys.function(sys.parent()), signalCondition)) return(paste0(c$message, "\n", c$body))
  text <- if (is.null(c$body)) c$message else paste0(c$message, "\n", cli::col_blue(cli::symbol$info), " ", c$body)
  if (isTRUE(getOption("knitr.in.progress"))) paste(words_wrapped(text), collapse = "\n") else text
}

# A line for domains that na.action has left without a row.
tell_lost_domains <- function(domains) {
  if (!length(domains)) return("")
  shown <- utils::head(domains, 10)
  paste0("\nNo complete row: domain", if (length(domains) > 1) "s", " ",
         paste(shown, collapse = ", "), if (length(domains) > 10) ", ...")
}
