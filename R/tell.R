# Messages.

# A message in words; cli's markup would take longer than many a fit. mend: what to do, a line of its own.
tell <- function(text, mend = NULL, class = NULL) {
  rlang::inform(c(text, i = mend), class = c(class, "transelect_message"))
}

# A line for domains that na.action has left without a row.
tell_lost_domains <- function(domains) {
  if (!length(domains)) return("")
  shown <- utils::head(domains, 10)
  paste0("\nNo complete row: domain", if (length(domains) > 1) "s", " ",
         paste(shown, collapse = ", "), if (length(domains) > 10) ", ...")
}
