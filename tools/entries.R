# The C entries as the tools see them: those registered in src/init.c, with valid arguments for each.

# A named list, an item an entry: its symbol and the calls of tools/entry-templates.R.
registered_entries <- function() {
  loadNamespace("transelect")
  templates <- new.env()
  sys.source("tools/entry-templates.R", templates)
  symbols <- unclass(getDLLRegisteredRoutines("transelect")$.Call)
  forgotten <- setdiff(names(symbols), names(templates$entry_templates))
  if (length(forgotten)) {
    stop("tools/entry-templates.R has no call of ", toString(forgotten), call. = FALSE)
  }
  entries <- lapply(names(symbols), function(name) {
    list(symbol = symbols[[name]], calls = templates$entry_templates[[name]])
  })
  names(entries) <- names(symbols)
  entries
}

# The call of an entry, for eval(): arguments that are themselves calls or names stay as they are.
entry_call <- function(entry, arguments) {
  as.call(c(list(.Call, entry$symbol), lapply(arguments, function(value) call("quote", value))))
}
